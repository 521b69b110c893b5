"""Key files that were changed, cut off or forged, and passphrases that are written in two ways."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest

from ledger.files.key_files import is_sealed, read_key, read_reader, write_key, write_line
from ledger.proof.ciphers import RANDOM_BYTES, lock, reader_secret, unlock
from ledger.proof.formats import Invalid
from ledger.proof.notes import signer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

SIGNER = signer("league.example/cup", b"s" * 32)
RANDOM = bytes(range(RANDOM_BYTES))
COMPOSED, DECOMPOSED = "Z\u00fcrich", "Zu\u0308rich"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A key that a passphrase seals."""
    path = tmp_path / "keys" / "log.key"
    write_key(path, SIGNER, COMPOSED, RANDOM)
    return path


@pytest.mark.slow
def test_a_passphrase_is_one_however_it_is_typed(path: Path) -> None:
    assert COMPOSED != DECOMPOSED
    assert read_key(path, DECOMPOSED) == SIGNER
    with pytest.raises(Invalid, match="not the passphrase"):
        read_key(path, "Zurich")


@pytest.mark.slow
def test_what_a_passphrase_costs(path: Path) -> None:
    assert json.loads(path.read_bytes())["scrypt"] == 2**17


@pytest.mark.slow
@pytest.mark.parametrize("member", ["scrypt", "salt", "nonce", "sealed"])
def test_a_member_that_stands_twice_is_refused(path: Path, member: str) -> None:
    text = path.read_text("ascii")
    value = json.dumps(json.loads(text)[member])
    for twice in (
        text.replace("{", f'{{"{member}":{value},', 1),
        text.replace("}", f',"{member}":{value}}}', 1),
    ):
        path.write_text(twice, "ascii")
        with pytest.raises(Invalid, match="is not a key file: it does not have the members"):
            read_key(path, COMPOSED)


@pytest.mark.parametrize("cost", [True, 2**14, 2**15, 2**16, 2**17 + 1, 2**19, 2**63, -1, "131072"])
def test_a_cost_that_is_too_low_or_too_high_is_refused(path: Path, cost: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"scrypt": cost}), "ascii")
    with pytest.raises(Invalid, match="is not a key file"):
        is_sealed(path)


def test_every_other_member_missing_or_more_is_refused(path: Path) -> None:
    whole = json.loads(path.read_bytes())
    others = [{k: v for k, v in whole.items() if k != each} for each in whole]
    others += [whole | {"kdf": "scrypt"}, dict(reversed(whole.items()))]
    for other in others:
        path.write_text(json.dumps(other), "ascii")
        with pytest.raises(Invalid, match="is not a key file"):
            is_sealed(path)


def test_every_cut_and_every_flip_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    wrong = [whole[:length] for length in range(0, len(whole) - 1, 7)]
    start = whole.index(b'"sealed":"') + len(b'"sealed":"')
    wrong += [whole[:p] + bytes([whole[p] ^ 1]) + whole[p + 1 :] for p in range(start, start + 20)]
    for each in wrong:
        path.write_bytes(each)
        with pytest.raises(Invalid):
            read_key(path, COMPOSED)


@pytest.mark.slow
def test_what_is_sealed_for_one_purpose_opens_for_no_other() -> None:
    line = lock(b"secret", "phrase", "tourney backup", RANDOM)
    assert unlock(line, "phrase", "tourney backup") == b"secret"
    with pytest.raises(Invalid, match="not its passphrase"):
        unlock(line, "phrase", "tourney key")


def test_a_readers_key_signs_nothing_and_a_signing_key_reads_nothing(tmp_path: Path) -> None:
    secret = reader_secret("league", b"l" * 32)
    write_line(tmp_path / "reader.key", secret.text)
    write_key(tmp_path / "log.key", SIGNER)
    assert read_reader(tmp_path / "reader.key") == secret
    with pytest.raises(Invalid):
        read_key(tmp_path / "reader.key")
    with pytest.raises(Invalid):
        read_reader(tmp_path / "log.key")


def test_a_file_system_without_links_still_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", none)
    path = tmp_path / "log.key"
    write_key(path, SIGNER)
    with pytest.raises(Invalid, match="there is already a key"):
        write_key(path, signer("another", b"x" * 32))
    assert read_key(path) == SIGNER
    assert [each.name for each in tmp_path.iterdir()] == ["log.key"]


def test_a_draft_of_a_killed_process_is_no_way_in(tmp_path: Path) -> None:
    """Its mode is not taken over: it was made anew."""
    draft = tmp_path / f".log.key.{os.getpid()}.part"
    draft.write_bytes(b"x" * 5_000)
    draft.chmod(0o666)
    write_key(tmp_path / "log.key", SIGNER)
    assert read_key(tmp_path / "log.key") == SIGNER


def test_a_readers_key_from_the_command_line(desk: Desk) -> None:
    text = desk.done("key", "new", "--reader", "league.example").out.strip()
    key_id = text.split("+")[2]
    path = desk.folder / ".tourney-keys" / f"reader-{key_id}.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_reader(path).reader.text == text
    desk.patch.setenv("TOURNEY_PASSPHRASE", "")
    told = desk.type("key", "new", "--reader", "other", "--passphrase")
    assert (told.code, "passphrase must not be empty" in told.err) == (1, True)
    assert desk.type("key", "new", "--reader", "two words").code == 1
    assert desk.type("key", "new", "Pat Jones", "--reader", "other").code == 2
    assert desk.type("key", "--reader", "other").code == 2
    assert {each.name for each in path.parent.iterdir()} == {path.name, ".gitignore"}

"""An exported log and what lies beside it, edited: never accepted, and the first bad line is named.

Edits by chance, of all the files and in large numbers, are in `tests/faults/test_tampering.py`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import pytest

from ledger.proof import heads, notes, verifier
from ledger.proof.formats import HASH_BYTES, Invalid
from ledger.proof.formats import opened as opened_file
from ledger.proof.heads import CHECKPOINT, HASHES, beside
from ledger.proof.lines import LINE_BYTES_MAX
from ledger.proof.policy import parse_policy
from ledger.proof.verifier import verify_file
from ledger.rules.people import Entry, RegisterPlayers
from ledger.store import open_store
from tests.faults.logs.line_edits import renumbered
from tests.support.days.sealed_days import act, forget, opened, played, written
from tests.support.signed_logs import (
    head_of,
    log_signer,
    plain_day,
    policy_of,
    tournament_of,
    write_log,
)
from tests.truth import second_verifier as second

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.proof.policy import Policy
    from ledger.proof.verifier import Verdict
    from tests.faults.logs.line_edits import Lines

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where the edited files stand if the system has it: on a disk most of the time goes to opening."""


BY_RULES = ("authority", "rules", "draws", "postings")
"""What a verifier that reads no rules leaves open."""


def left_open(verdict: Verdict) -> set[str]:
    return {name for name, row in verdict.table._asdict().items() if row.unchecked}


@pytest.fixture
def honest() -> Iterator[tuple[Path, Lines, Policy]]:
    lines = plain_day()
    policy = parse_policy(policy_of(tournament_of(lines)))
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        path = Path(folder) / "day.jsonl"
        write_log(path, lines, head_of(lines))
        yield path, [line + b"\n" for line in lines], policy


def test_the_honest_log_is_accepted_by_both(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    verdict = verify_file(path, policy)
    assert left_open(verdict) == {"witnesses", "acts", *BY_RULES}
    at = lines[-1].decode().partition('"at":"')[2][:24]
    size = len(lines)
    told = f"signed at line {size} of {size}; the log's own time there, not verified: {at}; "
    assert told in verdict.table.head.said
    note = beside(path, CHECKPOINT).read_bytes()
    assert second.accepts(lines, note, notes.vkey(policy.logs[0]))


@pytest.mark.slow
def test_an_edit_hashed_anew_needs_the_key(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    vkey = notes.vkey(policy.logs[0])
    chance = random.Random(0)
    original = beside(path, CHECKPOINT).read_bytes()
    signature = original.rpartition(b"\n\n")[2]
    thief = log_signer(tournament_of(plain_day()), b"t" * 32)
    for tried in range(12):
        edited = [each.rstrip(b"\n") for each in renumbered(lines, chance)]
        if tried % 2:
            place = chance.randrange(len(lines))
            edited = [each.rstrip(b"\n") for each in lines]
            edited[place] = edited[place].replace(b"2026-03-14T08", b"2026-03-14T09")
        forged = head_of(edited, thief)
        for note in (forged, forged.rpartition(b"\n\n")[0] + b"\n\n" + signature, b"", original):
            write_log(path, edited, note)
            with pytest.raises(Invalid):
                verify_file(path, policy)
            assert not second.accepts([each + b"\n" for each in edited], note, vkey)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [CHECKPOINT, HASHES])
def test_the_files_beside_the_log_can_not_be_edited(
    honest: tuple[Path, Lines, Policy], suffix: str
) -> None:
    """Neither the head nor the hashes, which every line is held to, edited or not."""
    path, lines, policy = honest
    target = beside(path, suffix)
    original = target.read_bytes()
    vkey = notes.vkey(policy.logs[0])
    for bit in range(8 * min(len(original), 160)):
        edited = bytearray(original)
        edited[bit // 8] ^= 1 << bit % 8
        target.write_bytes(edited)
        if suffix == HASHES:
            with pytest.raises(
                Invalid, match=r"day\.jsonl\.hashes next to it does not match: it does not"
            ):
                verify_file(path, policy)
            continue
        with pytest.raises(Invalid):
            verify_file(path, policy)
        if bit % 97 == 0:  # its Ed25519 is slow
            assert not second.accepts(lines, bytes(edited), vkey)


def test_without_the_hashes_a_changed_line_is_found_and_not_named(
    honest: tuple[Path, Lines, Policy],
) -> None:
    path, lines, policy = honest
    beside(path, HASHES).unlink()
    path.write_bytes(b"".join(lines).replace(b"2026-03-14T08:31", b"2026-03-14T08:41"))
    with pytest.raises(Invalid, match=r"a signed line was changed; day.jsonl.hashes"):
        verify_file(path, policy)


def test_hashes_of_more_lines_than_the_log_can_have_are_not_read(
    honest: tuple[Path, Lines, Policy], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of holes has any length, and costs whoever made it nothing."""
    path, _, _ = honest
    size = 100_000
    origin, _, root, *rest = beside(path, CHECKPOINT).read_text("utf-8").split("\n")
    beside(path, CHECKPOINT).write_text("\n".join([origin, str(size), root, *rest]), "utf-8")
    with beside(path, HASHES).open("wb") as file:
        file.truncate(HASH_BYTES * size)
    read = []

    def noted(path: Path) -> BinaryIO:
        read.append(path)
        return opened_file(path)

    for module in (heads, verifier):
        monkeypatch.setattr(module, "opened", noted)
    with pytest.raises(Invalid, match=f"signed lines are missing, from line [0-9]+ up to {size}"):
        verify_file(path)
    assert read == [beside(path, CHECKPOINT), path]


def test_without_a_policy_or_a_head_the_layers_are_unchecked(
    honest: tuple[Path, Lines, Policy],
) -> None:
    path, _, policy = honest
    assert left_open(verify_file(path)) == {"head", "witnesses", "acts", *BY_RULES}
    beside(path, CHECKPOINT).unlink()
    assert "tree" in left_open(verify_file(path))
    with pytest.raises(Invalid, match="which the policy asks for"):
        verify_file(path, policy)


@pytest.fixture
def sealed(tmp_path: Path) -> tuple[Path, Lines, bytes]:
    """A log with sealed names, one of them forgotten; its lines, and that of the others' keys."""
    with open_store(f"{tmp_path}/store.db") as store:
        book = played(store)
        forget(book, "p6")
        path = written(book, tmp_path / "day.jsonl")
    *lines, names = path.read_bytes().splitlines(keepends=True)
    assert names.startswith(b'{"names":{"new.2":')
    return path, lines, names


def test_the_keys_of_names_are_checked_or_left_out_whole(
    sealed: tuple[Path, Lines, bytes],
) -> None:
    path, lines, _ = sealed
    assert verify_file(path).table.names[:2] == (6, 6)
    path.write_bytes(b"".join(lines))
    assert "is missing" in verify_file(path).table.names.unchecked


@pytest.mark.slow
def test_every_edit_of_the_keys_of_names_is_named(sealed: tuple[Path, Lines, bytes]) -> None:
    path, lines, names = sealed
    text = rf"line {len(lines) + 1}: "
    for place in range(len(names)):
        flipped = names[:place] + bytes([names[place] ^ 1 << place % 7]) + names[place + 1 :]
        path.write_bytes(b"".join([*lines, flipped]))
        with pytest.raises(Invalid, match=text):
            verify_file(path)
    keys: dict[str, str] = json.loads(names)["names"]
    first, second_one, *_ = keys
    forgotten = next(json.loads(line)["id"] for line in lines if b'"of":"p6"' in line)
    wrong = [
        {each: key for each, key in keys.items() if each != second_one},
        {},
        keys | {forgotten: keys[first]},
        keys | {"p9": keys[first]},
        keys | {first: keys[second_one], second_one: keys[first]},
        dict(reversed(keys.items())),
        keys | {first: keys[first].rstrip("=")},
        keys | {first: 7},
        [],
        "[" * 9,
    ]
    ends = [json.dumps({"names": each}, separators=(",", ":")).encode() + b"\n" for each in wrong]
    ends += [names[:-1], names + names, names + lines[-1], names.replace(b":{", b": {")]
    ends += [b'{"names":' + b"[" * 100_000 + b"\n", b'{"names":' + b" " * (2 << 20)]
    ends += [names.replace(b"}}", b'},"names":{}}'), names.replace(b"}}", b'},"more":1}')]
    for end in ends:
        path.write_bytes(b"".join([*lines, end]))
        with pytest.raises(Invalid, match=text):
            verify_file(path)
    path.write_bytes(b"".join([*lines[:-1], names, lines[-1]]))
    with pytest.raises(Invalid, match=f"line {len(lines)}: "):
        verify_file(path)


def test_keys_of_names_belong_to_a_sealed_log(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    path.write_bytes(b"".join([*lines, b'{"names":{}}\n']))
    with pytest.raises(Invalid, match=f"line {len(lines) + 1}: the keys of names"):
        verify_file(path, policy)


@pytest.mark.slow
def test_the_keys_of_a_large_field_are_longer_than_a_line(tmp_path: Path) -> None:
    with open_store(f"{tmp_path}/store.db") as store:
        book = opened(store)
        act(book, RegisterPlayers(tuple(Entry(f"Player {n}") for n in range(1_200))))
        path = written(book, tmp_path / "day.jsonl")
    assert len(path.read_bytes().splitlines()[-1]) > LINE_BYTES_MAX
    assert verify_file(path).table.names[:2] == (1207, 1207)

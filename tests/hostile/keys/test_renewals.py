"""The log's own key renewed: with the old one, without it, and by somebody who has neither."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes, verifier
from ledger.proof.notes import base64_of
from ledger.proof.signatures import origin_of, possession
from tests.support.cli_desk import typed_once
from tests.support.signed_logs import head_of, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

STORE, SAVED, LOG, OLD, NEW = "tourney.db", "day.backup", "day.jsonl", "policy", "policy2"
THIEF = b"t" * 32
RENEWED = "renewed without the old key"


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, round 1 closed; the policy was handed out before."""
    desk.open(4, "custom", "--rounds", "2")
    policy_in(desk, OLD)
    desk.done("pair")
    desk.report_all()
    desk.done("round", "close")
    return desk


def policy_in(desk: Desk, name: str) -> None:
    (desk.folder / name).write_text(desk.done("checkpoint", "--policy").out, "utf-8")


def log_key(desk: Desk) -> str:
    keys = desk.done("key", "--json").json
    (found,) = (str(x["key"]) for x in keys if x["holder"] == "log" and not x["until"])
    return found


def exported(desk: Desk, name: str = LOG) -> list[bytes]:
    desk.done("export", "--without-names", "-o", name)
    return (desk.folder / name).read_bytes().splitlines()


def small(*words: str, capture: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What the small verifier says."""
    code = verifier.main(list(words))
    said = capture.readouterr()
    return code, said.out + said.err


def claimed_renewal(lines: list[bytes], thief: notes.Signer) -> list[bytes]:
    """Add the lines that put a thief's key in the place of the log's: nobody else signs them."""
    last, stream = json.loads(lines[-1]), str(json.loads(lines[0])["data"]["tournament"])
    public = base64_of(thief.key.public)
    proof = base64_of(thief.sign(possession(stream, 0, public)))
    data = {"holder": 0, "public": public, "proof": proof, "algorithm": "ed25519"}
    line = {
        "seq": last["seq"] + 1,
        "id": "theft",
        "type": "KeyRegistered",
        "at": last["at"],
        "by": "o1",
        "data": {**data, "second": None, "lost": "the laptop was stolen"},
    }
    return [*lines, json.dumps(line, separators=(",", ":")).encode()]


def test_whoever_has_an_export_sends_nobody_for_another_policy(
    day: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """No key, no store: lines that say that the key was lost, and a head by one of their own."""
    lines = exported(day)
    thief = notes.signer(origin_of(json.loads(lines[0])["data"]["tournament"]), THIEF)
    forged = claimed_renewal(lines, thief)
    day.patch.setenv("TOURNEY_KEYS", "elsewhere")
    path = day.folder / "forged.jsonl"
    write_log(path, forged, head_of(forged, thief))
    for words in (("verify",), ("replay",), ("--store", "o.db", "import"), ("season", "add")):
        answer = day.type(*words, "forged.jsonl", "--policy", OLD)
        assert answer.code == 1, (words, answer)
        assert "ask for" not in answer.err
        assert "ask for the newer policy" not in answer.out + answer.err
    code, said = small("forged.jsonl", "--policy", OLD, capture=capsys)
    assert (code, "newer policy" in said) == (1, False), said
    assert f"UNCHECKED (0 of 1): the policy pins another key; signed at line {len(forged)}" in said
    assert RENEWED in said


def test_a_renewal_that_the_old_key_signed_is_followed(
    day: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice over; with the first policy, which nobody has to ask for again."""
    for reason in ("the laptop was left alone", "and once more"):
        day.done("key", "renew", "--reason", reason)
        head = json.loads(heads(day)[0].read_bytes())
        assert head["size"] == len(day.log().splitlines())  # signed at once, with the new key
        exported(day)
        day.done("verify", LOG, "--policy", OLD)
        day.done("replay", LOG, "--policy", OLD)
        assert small(LOG, "--policy", OLD, capture=capsys)[0] == 0
        day.done("verify")


def heads(desk: Desk) -> list[Path]:
    folder = desk.folder / ".tourney-keys" / "checkpoints"
    return [each for each in folder.glob("*.json") if "abandoned" not in each.name]


def test_a_renewal_without_its_signature_is_not_followed(day: Desk) -> None:
    """The signed line of a renewal, with the thief's key in it."""
    day.done("key", "renew", "--reason", "the laptop was left alone")
    lines = exported(day)
    seq = next(n for n, line in enumerate(lines) if b'"KeyRegistered"' in line)
    stream = str(json.loads(lines[0])["data"]["tournament"])
    thief = notes.signer(origin_of(stream), THIEF)
    line = json.loads(lines[seq])
    line["data"]["public"] = base64_of(thief.key.public)
    line["data"]["proof"] = base64_of(thief.sign(possession(stream, 0, line["data"]["public"])))
    forged = [*lines[:seq], json.dumps(line, separators=(",", ":")).encode()]
    write_log(day.folder / "forged.jsonl", forged, head_of(forged, thief))
    day.patch.setenv("TOURNEY_KEYS", "elsewhere")
    answer = day.refused("verify", "forged.jsonl", "--policy", OLD)
    assert f"line {seq + 1}: KeyRegistered has a signature that was not made with" in answer.err


@pytest.mark.slow
@pytest.mark.parametrize("officials", [1, 3])
def test_a_laptop_lost_after_round_one(
    desk: Desk, officials: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new machine, the newest backup, no key of the log: played on, finished, verified."""
    desk.open(6, "custom", "--rounds", "3")
    policy_in(desk, OLD)
    if officials > 1:
        desk.done("official", "add", "Pat Jones", "--role", "judge")
        desk.done("official", "add", "Mara Low", "--role", "marshal")
    for _ in range(3 - 1):
        desk.done("pair")
        desk.report_all()
    desk.done("round", "close")
    desk.done("backup", SAVED)
    for path in [*desk.folder.glob("tourney.db*"), desk.folder / ".tourney-keys"]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    desk.done("restore", SAVED)
    (kept,) = heads(desk)
    before = json.loads(kept.read_bytes())["size"]
    assert "key is not in" in desk.refused("checkpoint").err
    assert "--lost" in desk.refused("key", "renew", "--reason", "the laptop fell").err
    desk.done("key", "renew", "--lost", "--reason", "the laptop fell into the sea")
    policy_in(desk, NEW)
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    exported(desk)
    desk.done("verify", LOG, "--policy", NEW)
    answer = desk.type("verify", LOG, "--policy", OLD)
    assert (answer.code, RENEWED in answer.out, RENEWED in answer.err) == (1, True, True)
    code, said = small(LOG, "--policy", OLD, capture=capsys)
    assert (code, RENEWED in said) == (1, True)
    first = desk.done("audit", "--json").json["findings"][0]
    assert before < first["seqs"][0]
    assert "lost" in first["kind"]

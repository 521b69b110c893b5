"""Policies that a desk gives out, and receipts of keys: shown through the commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.files.key_files import read_key
from ledger.proof.formats import ED25519, Key
from ledger.proof.notes import vkey
from tests.hostile.keys.keyed_days import NEW
from tests.support.signed_logs import head_of, write_log

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def keyed_desk(desk: Desk) -> list[str]:
    """A desk whose judge has a key; what `key new` said."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    return desk.done("key", "new", "Pat Jones").err.splitlines()


def given_out(desk: Desk, name: str = "policy") -> list[str]:
    """Hand out the policy; returns its lines."""
    told = desk.done("checkpoint", "--policy").out
    (desk.folder / name).write_text(told, "utf-8")
    return told.splitlines()


@pytest.mark.slow
def test_checkpoint_pins_the_officials(desk: Desk) -> None:
    """Also where a key was replaced: the log is accepted by its own policy at any time."""
    keyed_desk(desk)
    told = given_out(desk)
    assert [line.split()[0] for line in told] == ["log", "official", "quorum"]
    assert told[1].split()[1] == "o2"
    desk.done("key", "new", "Pat Jones", "--as", "Pat Jones")
    old = desk.done("key", "--json").json[1]["key"]
    desk.done("key", "revoke", old, "--reason", "an old one")
    desk.done("pair")
    desk.done("rule", "1", "the pairing stands", "--as", "Pat Jones")
    desk.done("export", "-o", "day.jsonl")
    assert len(given_out(desk, "policy2")) == 4
    for name in ("policy", "policy2"):
        for words in (("verify", "day.jsonl"), ("verify",), ("replay", "day.jsonl")):
            desk.done(*words, "--policy", name)
    acts = desk.done("verify", "--policy", "policy", "--json").json["acts"]
    assert "2 with keys that the policy pins for officials" in acts["said"]


def test_the_store_in_hand_is_held_to_pins(desk: Desk) -> None:
    """Also behind the head."""
    keyed_desk(desk)
    told = given_out(desk)
    desk.done("verify", "--policy", "policy")
    told[1] = of_a_stranger(told)
    (desk.folder / "policy").write_text("\n".join([*told, ""]), "utf-8")
    refused = desk.refused("verify", "--policy", "policy").err
    assert "the key of Pat Jones is not one that the policy pins" in refused


def of_a_stranger(lines: list[str]) -> str:
    """The line that pins another key in the judge's name."""
    origin = lines[0].split()[1].split("+")[0]
    return f"official o2 {vkey(Key(f'{origin}/o2', ED25519, NEW.key.public))}"


def test_a_judge_keeps_a_receipt_of_their_key(desk: Desk) -> None:
    said = keyed_desk(desk)
    line = next(each for each in said if "tourney receipt" in each)
    words = line.partition("tourney ")[2].replace("'", "").split()
    desk.done(*words)
    given_out(desk)
    shown = desk.done("verify", words[-1], "--policy", "policy").out
    key = desk.done("key", "--json").json[1]["key"]
    assert f"KeyRegistered, is in the tree: the key {key} of o2, which the policy pins" in shown
    desk.done("official", "add", "Mara Lind", "--role", "judge")
    desk.done("key", "new", "Mara Lind", "--receipt", "mara.tlog-proof")
    refused = desk.refused("verify", "mara.tlog-proof", "--policy", "policy2").err
    assert "policy2" in refused
    shown = desk.done("verify", "mara.tlog-proof", "--policy", "policy").out
    assert "of o3" in shown
    assert "which the policy pins" not in shown
    told = given_out(desk)
    told[1] = of_a_stranger(told)
    (desk.folder / "policy").write_text("\n".join([*told, ""]), "utf-8")
    refused = desk.refused("verify", words[-1], "--policy", "policy").err
    assert "the key of o2 is not one that the policy pins" in refused


def test_a_receipt_shows_a_history_without_its_line(desk: Desk) -> None:
    """Who has the log's key makes the day again without the judge's key: the receipt is against."""
    keyed_desk(desk)
    given_out(desk)
    desk.done("receipt", f"#{_registered_at(desk)}", "-o", "pat.tlog-proof")
    desk.done("export", "--without-names", "-o", "day.jsonl")
    lines = (desk.folder / "day.jsonl").read_bytes().splitlines()
    (key,) = (desk.folder / ".tourney-keys").glob("log-*.key")
    forged = lines[: _registered_at(desk) - 1]
    write_log(desk.folder / "day.jsonl", forged, head_of(forged, read_key(key)))
    refused = desk.refused(
        "verify", "day.jsonl", "--policy", "policy", "--head", "pat.tlog-proof"
    ).err
    assert "but a head of its log" in refused or "no line registers one" in refused


def _registered_at(desk: Desk) -> int:
    lines = [json.loads(line) for line in desk.log().splitlines()]
    return next(int(each["seq"]) for each in lines if each["type"] == "KeyRegistered")


def test_no_receipt_where_it_cannot_be_written(desk: Desk) -> None:
    """Said before anything is on record."""
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("checkpoint")
    assert desk.refused("key", "new", "pat", "--receipt", "tourney.db").code
    (log_key,) = (desk.folder / ".tourney-keys").glob("log-*.key")
    log_key.rename(desk.folder / "away")
    refused = desk.refused("key", "new", "pat", "--receipt", "pat.tlog-proof").err
    assert "omit --receipt" in refused
    said = desk.done("key", "new", "pat").err
    assert "(on the computer with the log's key): tourney receipt '#" in said

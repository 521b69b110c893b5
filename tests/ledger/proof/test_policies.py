"""Who has to have signed a head: policies, their quorums, and those that are no policies."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.proof import notes
from ledger.proof.formats import COSIGNATURE, Checkpoint, Invalid
from ledger.proof.policy import parse_policy


def held(check: Any, *values: Any) -> bool:  # noqa: ANN401 - any check, any values
    try:
        check(*values)
    except Invalid:
        return False
    return True


LOG = notes.signer("tourney/x", bytes(32))
WITNESSES = [notes.signer(f"w{n}", bytes([n]) * 32, COSIGNATURE) for n in range(1, 4)]


def policy_text(*lines: str) -> bytes:
    keys = [f"log {notes.vkey(LOG.key)}"]
    keys += [f"witness {each.key.name} {notes.vkey(each.key)}" for each in WITNESSES]
    return "\n".join(["# a comment", *keys, "", *lines, ""]).encode()


@pytest.mark.parametrize(
    ("quorum", "least"), [("any", 1), ("2", 2), ("all", 3), ("nested", 2), ("none", 0)]
)
def test_a_policy_counts_its_witnesses(quorum: str, least: int) -> None:
    lines = ["group pair all w1 w2", "group it any pair w3"]
    if quorum == "none":
        lines = ["quorum none"]
    elif quorum == "nested":
        lines = ["group pair any w1 w2", "group it all pair w3", "quorum it"]
    else:
        lines = [f"group it {quorum} w1 w2 w3", "quorum it"]
    policy = parse_policy(policy_text(*lines))
    text = notes.checkpoint_text(Checkpoint("tourney/x", 3, bytes(32)))
    for count in range(4):
        chosen = WITNESSES[3 - count :]
        data = notes.signed_note(text, LOG)
        data += "".join(notes.signature_line(each, text, 1_700_000_000) for each in chosen).encode()
        assert held(policy.open, data) == (count >= least), count


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["quorum none", "quorum none"],
        ["quorum w9"],
        ["group g 0 w1", "quorum g"],
        ["group g 2 w1", "quorum g"],
        ["group g 1 w1 w1", "quorum g"],
        ["group g any", "quorum g"],
        ["group g any w9", "quorum g"],
        ["group g any none", "quorum g"],
        ["group w1 any w2", "quorum w1"],
        ["group g -1 w1", "quorum g"],
        ["group g one w1", "quorum g"],
        ["witness w1 x", "quorum none"],
        [f"witness w9 {notes.vkey(WITNESSES[0].key)}", "quorum none"],
        [f"witness w9 {notes.vkey(LOG.key)}", "quorum none"],
        [f"log {notes.vkey(WITNESSES[0].key)}", "quorum none"],
        ["quorum none extra"],
        ["tea", "quorum none"],
        ["quorum none", "# " + "x" * 70_000],
        ["quorum n\u00f6ne"],
    ],
)
def test_policies_that_are_refused(lines: list[str]) -> None:
    assert not held(parse_policy, policy_text(*lines))


def test_a_policy_names_a_log() -> None:
    assert not held(parse_policy, b"quorum none\n")
    stranger = notes.signer("tourney/x", b"s" * 32)
    text = notes.checkpoint_text(Checkpoint("tourney/x", 3, bytes(32)))
    policy = parse_policy(policy_text("quorum none"))
    assert not held(policy.open, notes.signed_note(text, stranger))
    other = notes.checkpoint_text(Checkpoint("tourney/y", 3, bytes(32)))
    assert not held(policy.open, notes.signed_note(other, LOG))

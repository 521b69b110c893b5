"""Named attacks: by someone who stole the log's key, and by a log that lies. None is accepted."""

from __future__ import annotations

import itertools
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec import structs

from ledger.facts.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.facts.office import (
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    PenaltyGiven,
)
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerDisqualified
from ledger.facts.results import ResultCorrected
from ledger.facts.shared import Result, RulingMade
from ledger.facts.undo import ActWithdrawn
from ledger.fold import fold_lines
from ledger.lines.line import encode, unsigned
from ledger.lines.recorded import record, signed
from ledger.proof import notes
from ledger.proof.evidence import Prover, Receipt, check_receipt, parse_receipt, write_receipt
from ledger.proof.formats import Invalid, leaf_hash
from ledger.proof.policy import parse_policy
from ledger.proof.signatures import SIGNED, possession, signed_body
from ledger.proof.verifier import verify_file
from ledger.rules import check
from ledger.rules.keys import RegisterKey
from ledger.rules.office import Rule
from ledger.rules.opening import AppointOfficial
from ledger.rules.results import Correct, StatedResult
from ledger.rules.signing import signing_with
from tests.support.signed_logs import (
    head_of,
    log_signer,
    plain_day,
    policy_of,
    tournament_of,
    tree_of,
    write_log,
)
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

NUMBER = "5" * 32
WIN = Result(("win", "loss"), (10, 1))
ORGANIZER, JUDGE, MARSHAL, SCOREKEEPER = 1, 2, 3, 4
SIGNERS = {n: notes.signer(f"o{n}", bytes([n]) * 32) for n in range(1, 5)}
THIEF = notes.signer("thief", b"t" * 32)


def registration(holder: int, signer: notes.Signer, number: str = NUMBER) -> KeyRegistered:
    public = notes.base64_of(signer.key.public)
    proof = notes.base64_of(signer.sign(possession(number, holder, public)))
    return KeyRegistered(holder, public, proof)


@cache
def honest() -> tuple[bytes, ...]:
    """A day at which four officials hold keys; the judge has ruled, and a result was corrected."""
    day = Day(4, number=NUMBER)
    for role in ("judge", "marshal", "scorekeeper"):
        day.do(AppointOfficial(f"The {role}", (role,)))
    held = {signer.key.public: signer for signer in SIGNERS.values()}
    day.context = structs.replace(day.context, sign=signing_with(held))
    for number, signer in SIGNERS.items():
        event = registration(number, signer)
        day.do(RegisterKey(number, event.public, event.proof))
    day.start(2)
    day.pair()
    day.report_all()
    day.do(Rule(JUDGE, "the card stays", match=1), by="o2")
    day.do(Correct(1, StatedResult("loss"), "both signed the wrong line"), by="o4")
    return tuple(day.lines)


ACTS: dict[str, tuple[str, Event]] = {
    "OfficialAppointed": ("o1", OfficialAppointed(2, ("judge", "scorekeeper"))),
    "KeyRegistered": ("o2", registration(JUDGE, THIEF)),
    "KeyRevoked": ("o2", KeyRevoked(notes.base64_of(SIGNERS[4].key.public), "stolen")),
    "ShuffleKeyReplaced": ("o1", ShuffleKeyReplaced("0" * 64, "lost")),
    "HiddenKeyReplaced": ("o1", HiddenKeyReplaced("0" * 64, "lost")),
    "ForkAccepted": ("o1", ForkAccepted(3, "0" * 64, "lost")),
    "RulingMade": ("o2", RulingMade(JUDGE, "the card goes", 1)),
    "ConductNoted": ("o3", ConductNoted(1, "stalling", "a warning")),
    "DisqualificationRecommended": ("o3", DisqualificationRecommended(1, "stalling")),
    "PenaltyGiven": ("o3", PenaltyGiven(1, "warning", "late")),
    "NoteTaken": ("o3", NoteTaken("the hall was dark")),
    "ResultCorrected": ("o4", ResultCorrected(2, 1, WIN, "again")),
    "PlayerDisqualified": ("o1", PlayerDisqualified(1, "collusion")),
    "ActWithdrawn": ("o3", ActWithdrawn(1, "mistaken")),
}


def test_every_act_that_is_signed_is_attacked() -> None:
    assert set(ACTS) == SIGNED


def with_signature(
    forged: Recorded,
    signer: notes.Signer,
    number: str = NUMBER,
    lines: tuple[bytes, ...] | None = None,
) -> Recorded:
    before = (honest() if lines is None else lines)[: forged.seq - 1]
    root = tree_of(before).root()
    message = signed_body(number, forged.seq - 1, root, unsigned(forged))
    return signed(forged, notes.base64_of(signer.sign(message)))


def own(forged: Recorded) -> notes.Signer:
    return SIGNERS[int(forged.by[1:])]


def replayed(forged: Recorded) -> Recorded:
    """A signature that the log holds already."""
    line = next(line for line in honest() if b'"type":"RulingMade"' in line)
    return signed(forged, line.decode().rpartition('"sig":"')[2].rstrip('"}'))


def elsewhere(forged: Recorded, **changed: object) -> Recorded:
    """Signed by its official, but for another place, id, time or hand."""
    other = structs.replace(forged, **changed)
    return signed(forged, with_signature(other, own(forged)).sig)


FORGERIES: dict[str, Callable[[Recorded], Recorded]] = {
    "unsigned": lambda forged: forged,
    "by the thief's key": lambda forged: with_signature(forged, THIEF),
    "by the log's key": lambda forged: with_signature(forged, log_signer(NUMBER)),
    "by another official": lambda forged: with_signature(
        forged, SIGNERS[int(forged.by[1:]) % len(SIGNERS) + 1]
    ),
    "with a signature replayed": replayed,
    "signed for another log": lambda forged: with_signature(forged, own(forged), "6" * 32),
    "signed for another place": lambda forged: elsewhere(forged, seq=forged.seq + 1),
    "signed under another id": lambda forged: elsewhere(forged, id="other"),
    "signed at another time": lambda forged: elsewhere(forged, at="2026-03-14T23:00:00.000Z"),
    "with a cut signature": lambda forged: signed(forged, "A" * 86 + "=="),
}


def place_of(lines: tuple[bytes, ...], forged: Recorded, path: Path) -> None:
    """Put a forged line at the end of a log, signed anew with the log's stolen key."""
    edited = [*lines, encode(forged)]
    write_log(path, edited, head_of(edited, log_signer(NUMBER)))


@pytest.mark.slow
@pytest.mark.parametrize(("act", "way"), list(itertools.product(sorted(ACTS), sorted(FORGERIES))))
def test_the_logs_key_signs_for_no_official(tmp_path: Path, act: str, way: str) -> None:
    by, event = ACTS[act]
    lines = honest()
    forged = FORGERIES[way](record(len(lines) + 1, "forged", "2026-03-14T12:00:00.000Z", by, event))
    place_of(lines, forged, tmp_path / "log")
    whose = "o4, o1 or the log" if act == "KeyRevoked" else by
    with pytest.raises(Invalid, match=rf"line {len(lines) + 1}: {act} .*{whose}"):
        verify_file(tmp_path / "log", parse_policy(policy_of(NUMBER)))
    assert f"{act} " in "; ".join(map(str, check(fold_lines(lines), forged, tree=tree_of(lines))))


def test_the_very_same_act_truly_signed_is_accepted(tmp_path: Path) -> None:
    lines = honest()
    by, event = ACTS["RulingMade"]
    true = record(len(lines) + 1, "forged", "2026-03-14T12:00:00.000Z", by, event)
    place_of(lines, with_signature(true, SIGNERS[2]), tmp_path / "log")
    verdict = verify_file(tmp_path / "log", parse_policy(policy_of(NUMBER)))
    assert verdict.table.acts.checked == 6
    assert not check(fold_lines(lines), with_signature(true, SIGNERS[2]), tree=tree_of(lines))


class Attack(NamedTuple):
    """A line at the end of an honest log, and what is said of it."""

    by: str
    event: Event
    signer: notes.Signer | None
    said: str


LOW_ORDER = notes.base64_of(bytes([1]) + bytes(31))
KEY_ATTACKS = {
    "a key of low order": Attack(
        "o1", KeyRegistered(2, LOW_ORDER, "A" * 86 + "=="), SIGNERS[2], "low order"
    ),
    "the judge's key for the scorekeeper": Attack(
        "o1", registration(SCOREKEEPER, SIGNERS[2]), SIGNERS[4], "already in the log"
    ),
    "somebody else's key": Attack(
        "o1",
        structs.replace(registration(2, THIEF), public=notes.base64_of(b"\x09" + bytes(31))),
        SIGNERS[2],
        "public key|did not sign",
    ),
    "a key registered for another holder": Attack(
        "o1", structs.replace(registration(2, THIEF), holder=3), SIGNERS[3], "did not sign"
    ),
    "a key registered in another log": Attack(
        "o1", registration(2, THIEF, "6" * 32), SIGNERS[2], "did not sign"
    ),
    "a key no text": Attack("o1", KeyRegistered(2, "x", "y"), SIGNERS[2], "base64"),
    "a ruling in the judge's name by the scorekeeper": Attack(
        "o4", RulingMade(JUDGE, "the card goes", 1), SIGNERS[4], "o2"
    ),
    "a ruling in the judge's name, unsigned": Attack(
        "o4", RulingMade(JUDGE, "the card goes", 1), None, "o2"
    ),
    "a signature where nobody holds a key": Attack(
        "o9", RulingMade(0, "the card goes", 1), THIEF, "could have signed it holds a key"
    ),
}


@pytest.mark.parametrize("name", sorted(KEY_ATTACKS))
def test_attacks_on_the_keys(tmp_path: Path, name: str) -> None:
    attack = KEY_ATTACKS[name]
    lines = honest()
    at = "2026-03-14T12:00:00.000Z"
    if isinstance(attack.event, RulingMade) and not attack.event.official:
        forged = record(len(lines) + 1, "forged", at, "o9", ActWithdrawn(1, "x"))
    else:
        forged = record(len(lines) + 1, "forged", at, attack.by, attack.event)
    if attack.signer is not None:
        forged = with_signature(forged, attack.signer)
    place_of(lines, forged, tmp_path / "log")
    with pytest.raises(Invalid, match=attack.said):
        verify_file(tmp_path / "log", parse_policy(policy_of(NUMBER)))
    assert check(fold_lines(lines), forged, tree=tree_of(lines))


POLICY = policy_of(NUMBER)


def swapped(text: bytes, old: bytes, new: bytes) -> bytes:
    assert old in text
    return text.replace(old, new)


LIES: dict[str, Callable[[Receipt, list[bytes]], tuple[Receipt, bytes, bytes]]] = {
    "another line": lambda r, ls: (r, ls[(r.position + 1) % len(ls)], POLICY),
    "an edited line": lambda r, ls: (r, ls[r.position] + b" ", POLICY),
    "an inner node as a line": lambda r, ls: (
        r._replace(proof=r.proof[1:]),
        b"\x01" + leaf_hash(ls[r.position]) + r.proof[0],
        POLICY,
    ),
    "the place beside": lambda r, ls: (
        r._replace(position=r.position ^ 1),
        ls[r.position],
        POLICY,
    ),
    "a place past the end": lambda r, ls: (
        r._replace(position=r.position + len(ls)),
        ls[r.position],
        POLICY,
    ),
    "a hash left out": lambda r, ls: (r._replace(proof=r.proof[:-1]), ls[r.position], POLICY),
    "a hash too many": lambda r, ls: (
        r._replace(proof=[*r.proof, bytes(32)]),
        ls[r.position],
        POLICY,
    ),
    "hashes in another order": lambda r, ls: (
        r._replace(proof=r.proof[::-1]),
        ls[r.position],
        POLICY,
    ),
    "a head of fewer lines": lambda r, ls: (
        r._replace(note=head_of(ls[:-1])),
        ls[r.position],
        POLICY,
    ),
    "a head of other lines": lambda r, ls: (
        r._replace(note=head_of([*ls[:-1], b"x"])),
        ls[r.position],
        POLICY,
    ),
    "a head by another key": lambda r, ls: (
        r._replace(note=head_of(ls, log_signer(NUMBER, b"t" * 32))),
        ls[r.position],
        POLICY,
    ),
    "a head under another name": lambda r, ls: (
        r._replace(note=swapped(r.note, NUMBER.encode(), b"6" * 32)),
        ls[r.position],
        POLICY,
    ),
    "a size that lies": lambda r, ls: (
        r._replace(note=swapped(r.note, b"\n%d\n" % len(ls), b"\n%d\n" % (len(ls) + 1))),
        ls[r.position],
        POLICY,
    ),
    "a head without a signature": lambda r, ls: (
        r._replace(note=r.note.rpartition(b"\n\n")[0] + b"\n\n"),
        ls[r.position],
        POLICY,
    ),
    "a policy of another log": lambda r, ls: (r, ls[r.position], policy_of("6" * 32)),
    "a head with an extension": lambda r, ls: (
        r._replace(
            note=notes.signed_note(
                r.note.decode().partition("\n\n")[0] + "\nextra\n", log_signer(NUMBER)
            )
        ),
        ls[r.position],
        POLICY,
    ),
}
"""What a log that lies hands out for an event: the receipt, the line, the policy held to it."""


@pytest.mark.parametrize(
    ("lie", "position"), list(itertools.product(sorted(LIES), (0, 1, 6, 13, 17)))
)
def test_a_receipt_proves_no_lie(lie: str, position: int) -> None:
    lines = list(plain_day())
    receipt = Receipt(position, Prover(lines).inclusion(position, len(lines)), head_of(lines))
    assert check_receipt(receipt, lines[position], parse_policy(policy_of(NUMBER)))
    told, line, policy = LIES[lie](receipt, lines)
    with pytest.raises(Invalid):
        check_receipt(parse_receipt(write_receipt(told)), line, parse_policy(policy))


def test_an_export_with_another_head(tmp_path: Path) -> None:
    """Truncated with the newer head, longer than its head, with the head of another log."""
    lines = list(plain_day())
    policy = parse_policy(policy_of(tournament_of(lines)))
    path = tmp_path / "log"
    for size in range(1, len(lines)):
        write_log(path, lines[:size], head_of(lines))
        with pytest.raises(Invalid, match=f"from line {size + 1} up to "):
            verify_file(path, policy)
        write_log(path, lines, head_of(lines[:size]))
        with pytest.raises(Invalid, match=f"line {size + 1}: it comes after line {size}"):
            verify_file(path, policy)
    other = head_of([lines[0].replace(NUMBER.encode(), b"6" * 32)])
    write_log(path, lines, other)
    for asked in (policy, None):
        with pytest.raises(Invalid, match="line 1: the head next to it belongs to another log"):
            verify_file(path, asked)

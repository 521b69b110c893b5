"""Policies that pin officials' keys: what they refuse of who stole the log's key, and what not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.keys import KeyRevoked
from ledger.facts.office import NoteTaken
from ledger.facts.opening import OfficialAppointed
from ledger.facts.shared import RulingMade
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.proof import verifier
from ledger.proof.formats import ED25519, Invalid, Key
from ledger.proof.notes import base64_of, vkey
from ledger.proof.policy import parse_policy
from ledger.proof.signatures import origin_of
from tests.hostile.keys.keyed_days import (
    ALL,
    AT,
    JUDGE,
    LOG,
    MARSHAL,
    NEW,
    NUMBER,
    ORGANIZER,
    OTHER_JUDGE,
    OWN,
    THIEF,
    TWO,
    Keyed,
    agreed,
    day_of,
    registration,
    signed_behind,
)
from tests.support.signed_logs import head_of, write_log
from tests.truth import second_verifier

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event
    from ledger.proof.notes import Signer
    from tests.support.cli_desk import Answer, Desk

ORIGIN = origin_of(NUMBER)
LOG_LINE = f"log {vkey(OWN[LOG].key)}"
UNKEYED = Keyed((LOG,))
RULING = RulingMade(match=1, official=JUDGE, ruling="the pairing stands")
READERS = (("verify",), ("replay",), ("--store", "other.db", "import"), ("season", "add"))


def official(number: int, signer: Signer) -> str:
    """The line that pins a key."""
    key = Key(f"{ORIGIN}/o{number}", ED25519, signer.key.public)
    return f"official o{number} {vkey(key)}"


def person(signer: Signer) -> str:
    return f"person {vkey(Key('somebody', ED25519, signer.key.public))}"


PINS = [official(each, OWN[each]) for each in (ORGANIZER, JUDGE, MARSHAL)]
DIRECTORY = [person(OWN[each]) for each in (ORGANIZER, JUDGE, MARSHAL)]
SIGNED = "signed RulingMade ResultCorrected"


def policy(*lines: str) -> bytes:
    return "\n".join([LOG_LINE, *lines, "quorum none", ""]).encode()


class Forged:
    """A day of officials who hold keys, gone on with by who has the log's key and others."""

    def __init__(self, keyed: Keyed) -> None:
        self.lines = list(day_of(keyed))

    def add(self, by: int, event: Event, signer: Signer | None = None) -> Forged:
        """Add a line, signed or not; its id is of its place."""
        place = len(self.lines) + 1
        recorded = record(place, f"x{place}", AT, f"o{by}", event)
        if signer is not None:
            recorded = signed_behind(self.lines, recorded, signer)
        self.lines.append(encode(recorded))
        return self


def asked(desk: Desk, lines: list[bytes], asks: bytes) -> list[Answer]:
    """What every reader makes of a log whose head the log's key signed."""
    write_log(desk.folder / "day.jsonl", lines, head_of(lines, OWN[LOG]))
    (desk.folder / "policy").write_bytes(asks)
    desk.forget_what_was_seen()
    for each in [*desk.folder.glob("other*"), *desk.folder.glob("season*")]:
        each.unlink()
    return [desk.type(*words, "day.jsonl", "--policy", "policy") for words in READERS]


def small(folder: Path, capture: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What the small verifier says."""
    words = [str(folder / "day.jsonl"), "--policy", str(folder / "policy")]
    code = verifier.main(words)
    said = capture.readouterr()
    return code, said.out + said.err


def second(lines: list[bytes], asks: bytes) -> int | None:
    """How many lines the second verifier counts as signed with pinned keys; None: refused."""
    asked_for = second_verifier.policy_of(asks)
    assert asked_for is not None
    told = [line + b"\n" for line in lines]
    found = second_verifier.accepts_under(told, head_of(lines, OWN[LOG]), asked_for)
    return found.pinned if found else None


def refused_by_all(desk: Desk, forged: Forged, asks: bytes, said: str) -> None:
    """Hold that every reader refuses the last line in these words, and takes it without pins."""
    for answer in asked(desk, forged.lines, policy()):
        assert answer.code == 0, answer.err
    place = f"line {len(forged.lines)}: "
    for answer in asked(desk, forged.lines, asks):
        assert answer.code, answer
        assert place in answer.err, answer.err
        assert said in answer.err, answer.err
        assert answer.err.count("\n") == 1
    with pytest.raises(Invalid, match=place):
        verifier.verify_file(desk.folder / "day.jsonl", parse_policy(asks))
    assert second(forged.lines, policy()) == 0
    assert second(forged.lines, asks) is None


def taken_by_all(desk: Desk, lines: list[bytes], asks: bytes) -> str:
    """Hold that every reader takes a log; returns what `verify` says of acts."""
    answers = asked(desk, lines, asks)
    for answer in answers:
        assert answer.code == 0, answer.err
    assert second(lines, asks) is not None
    rows = dict(line.split(": ", 1) for line in answers[0].out.splitlines())
    return rows["acts"]


@pytest.mark.slow
@pytest.mark.parametrize("asks", [policy(*PINS), policy(*PINS, *DIRECTORY), policy(*DIRECTORY)])
def test_an_honest_day_is_taken(desk: Desk, asks: bytes) -> None:
    lines = list(Forged(ALL).add(JUDGE, RULING, OWN[JUDGE]).lines)
    acts = taken_by_all(desk, lines, asks)
    count = second(lines, asks)
    assert count is not None
    assert count >= 3
    assert f"are signed, {count} with keys that the policy pins for officials" in acts


@pytest.mark.slow
def test_a_further_lost_key(desk: Desk) -> None:
    """The log's key is stolen: it registers a key in the place of the judge's, and rules."""
    forged = Forged(TWO).add(ORGANIZER, registration(JUDGE, NEW, lost="a stolen bag"), OWN[LOG])
    pins = PINS[:2]
    refused_by_all(desk, forged, policy(*pins), "the key of o2 is not one that the policy pins")
    refused_by_all(desk, forged, policy(*DIRECTORY), "key of o2 is not one that the policy pins")
    forged.add(JUDGE, RULING, NEW)
    assert all(answer.code for answer in asked(desk, forged.lines, policy(*pins)))
    acts = taken_by_all(desk, forged.lines, policy())
    assert "1 are signed with a key that was renewed without the old key" in acts


@pytest.mark.slow
def test_two_leaders_agree(desk: Desk) -> None:
    """Leaders whom the organizer made up agree to the judge's further key."""
    new = registration(JUDGE, NEW, agreed(MARSHAL, OWN[MARSHAL]))
    forged = Forged(ALL).add(ORGANIZER, new, OWN[ORGANIZER])
    said = "the key of o2 is not one that the policy pins"
    refused_by_all(desk, forged, policy(PINS[1]), said)
    refused_by_all(desk, forged, policy(*DIRECTORY), said)


@pytest.mark.slow
def test_an_act_of_a_named_type_unsigned(desk: Desk) -> None:
    """By an official who never held a key, and with no key pinned at all."""
    ruling = RulingMade(match=1, official=OTHER_JUDGE, ruling="the pairing stands")
    forged = Forged(ALL).add(OTHER_JUDGE, ruling)
    said = "RulingMade is not signed, but the policy requires an official's signature"
    refused_by_all(desk, forged, policy(SIGNED), said)
    taken_by_all(desk, forged.lines, policy("signed PenaltyGiven"))


@pytest.mark.slow
def test_an_official_under_another_number(desk: Desk) -> None:
    """Whoever has the log's key, where the organizer holds none, appoints a judge of their own."""
    keyed = Keyed((LOG, JUDGE))
    forged = Forged(keyed).add(ORGANIZER, OfficialAppointed(6, ("judge",)))
    forged.add(ORGANIZER, registration(6, THIEF))
    said = "the key of o6 is not one that the policy pins"
    refused_by_all(desk, forged, policy(DIRECTORY[1]), said)
    taken_by_all(desk, forged.lines, policy(PINS[1], SIGNED))
    ruling = RulingMade(match=1, official=6, ruling="the pairing stands")
    forged.add(6, ruling, THIEF)
    said = "RulingMade is signed with a key of o6, whose keys the policy does not pin"
    refused_by_all(desk, forged, policy(PINS[1], SIGNED), said)
    acts = taken_by_all(desk, forged.lines, policy(PINS[1]))
    assert "1 with a key that the policy does not pin" in acts


@pytest.mark.slow
def test_pins_for_a_log_without_keys(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A history in which the judge never had a key."""
    forged = Forged(UNKEYED).add(JUDGE, RULING)
    taken_by_all(desk, forged.lines, policy())
    for answer in asked(desk, forged.lines, policy(PINS[1])):
        assert answer.code == 1
        assert "the policy pins a key of o2, but no line registers it" in answer.err
    code, said = small(desk.folder, capsys)
    assert (code, "no line registers it" in said) == (1, True)
    assert second(forged.lines, policy(PINS[1])) is None
    refused_by_all(desk, forged, policy(*DIRECTORY, SIGNED), "RulingMade is not signed")


@pytest.mark.slow
def test_a_judges_key_under_another_number(desk: Desk) -> None:
    keyed = Keyed((LOG, ORGANIZER))
    forged = Forged(keyed).add(ORGANIZER, registration(OTHER_JUDGE, OWN[JUDGE]), OWN[ORGANIZER])
    said = "the key of o5 is pinned as the key of another official"
    refused_by_all(desk, forged, policy(PINS[0], PINS[1]), said)


@pytest.mark.slow
def test_what_a_pinned_key_signs_for_counts(desk: Desk) -> None:
    """The judge takes another laptop: the policy need not be given out again. A thief may, too."""
    forged = Forged(TWO).add(JUDGE, registration(JUDGE, NEW), OWN[JUDGE])
    forged.add(JUDGE, KeyRevoked(base64_of(OWN[JUDGE].key.public), "an old one"), NEW)
    forged.add(JUDGE, RULING, NEW)
    acts = taken_by_all(desk, forged.lines, policy(*PINS[:2], SIGNED))
    assert (
        "1 with a key that the policy does not pin, or acts about a key" in acts
    )  # the revocation
    forged = Forged(TWO).add(JUDGE, registration(JUDGE, NEW), OWN[JUDGE])
    refused_by_all(desk, forged, policy(*DIRECTORY), "key of o2 is not one that the policy pins")


@pytest.mark.slow
def test_what_pins_leave_open(desk: Desk) -> None:
    """A judge's key that the log's key revokes; acts of other types that nobody signs."""
    forged = Forged(TWO)
    forged.add(ORGANIZER, KeyRevoked(base64_of(OWN[JUDGE].key.public), "no reason"), OWN[LOG])
    forged.add(MARSHAL, NoteTaken(text="the hall was dark"))
    acts = taken_by_all(desk, forged.lines, policy(*PINS[:2], SIGNED))
    assert "entered for officials without a key are not signed" in acts


WRONG = [
    [f"official o02 {PINS[1].split()[2]}"],
    [f"official o0 {PINS[1].split()[2]}"],
    [f"official 2 {PINS[1].split()[2]}"],
    [f"official o3 {PINS[1].split()[2]}"],
    [PINS[1], PINS[1]],
    [f"{PINS[1]} more"],
    ["official o2"],
    [official(2, OWN[JUDGE]).replace(ORIGIN, "tourney/another")],
    [person(OWN[JUDGE]), person(OWN[JUDGE])],
    [f"person {vkey(OWN[JUDGE].key)} Pat"],
    ["person"],
    ["signed"],
    ["signed RulingMade RulingMade"],
    ["signed RulingMade", "signed RulingMade"],
    ["signed rulingmade"],
    ["signed RulingMade@2"],
    ["signed ResultReported"],
    ["signed KeyRegistered"],
    ["signed KeyRevoked"],
    ["Signed RulingMade"],
    ["officials o2"],
]


@pytest.mark.parametrize("lines", WRONG)
def test_lines_that_are_refused(lines: list[str]) -> None:
    with pytest.raises(Invalid, match=r"line [0-9]+ of the policy: ") as error:
        parse_policy(policy(*lines))
    assert "\n" not in str(error.value)
    assert second_verifier.policy_of(policy(*lines)) is None


def test_a_log_stands_above_its_officials() -> None:
    with pytest.raises(Invalid, match="line 1 of the policy: "):
        parse_policy("\n".join([PINS[1], LOG_LINE, "quorum none", ""]).encode())


@pytest.mark.slow
def test_one_policy_for_two_logs(desk: Desk) -> None:
    """The pins of one log ask nothing of another; in a folder neither."""
    other = Key("tourney/another", ED25519, NEW.key.public)
    theirs = Key("tourney/another/o4", ED25519, THIEF.key.public)
    further = [f"log {vkey(other)}", f"official o4 {vkey(theirs)}"]
    lines = list(day_of(TWO))
    taken_by_all(desk, lines, policy(*further, *PINS[:2]))
    folder = desk.folder / "policies"
    folder.mkdir()
    (folder / "ours").write_bytes(policy(*PINS[:2]))
    (folder / "theirs").write_bytes("\n".join([*further, "quorum none", ""]).encode())
    desk.done("replay", "day.jsonl", "--policy", "policies")
    (folder / "ours").write_bytes(policy(official(JUDGE, NEW)))
    refused = desk.refused("replay", "day.jsonl", "--policy", "policies").err
    assert "the key of o2 is not one that the policy pins" in refused

"""How the wire grows: lines of every type and version stay readable, and so do their rules.

`pytest tests/house/test_wire_grows.py --update-golden` adds a line for each type and version
that has none yet. From the release of wire 2 on no line that is there is changed.
"""

from __future__ import annotations

import random
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, cast

import msgspec
import pytest
from msgspec import Struct

from ledger import rules as checks
from ledger.errors import InvalidLog
from ledger.facts import vocabulary
from ledger.facts.base import (
    Event,
    Text,  # noqa: TC001 - msgspec resolves the annotation
)
from ledger.facts.office import NoteTaken
from ledger.facts.shared import TournamentOpened
from ledger.facts.vocabulary import EVENTS, OLDER, Older
from ledger.fold import fold_lines
from ledger.lines import line as lines
from ledger.lines import recorded as envelopes
from ledger.lines.line import decode, decoded, encode, name_in, read
from ledger.lines.recorded import of_today, record
from ledger.problems import problem
from ledger.proof.lines import BY_PLAYERS, TYPES, read_line
from ledger.rules import check
from tests.support.chance.random_events import random_event
from tests.support.signed_logs import plain_day

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.problems import Problems
    from ledger.tournament.state import Tournament

GOLDEN = Path(__file__).with_name("golden_lines.jsonl")
AT = "2026-03-14T09:00:00.000Z"
TRIES = 600

MEMBERS = (
    ("PlayerRegistered", "numbers"), ("PlayerAmended", "numbers"), ("RoundPaired", "byes"),
    ("ImportResumed", "source.reading"),
)  # fmt: skip
"""Optional members that types gained after their first lines: each is in a line, too."""


def golden() -> list[bytes]:
    return GOLDEN.read_bytes().splitlines() if GOLDEN.exists() else []


def shows(line: bytes, name: str, member: str) -> bool:
    return name_in(line) == name and has(decode(line).event, member)


def has(event: Event, member: str) -> bool:
    value = attrgetter(member)(event)
    return any(each != () for each in value.values()) if isinstance(value, dict) else bool(value)


def line_of(kind: type[Event], seq: int, member: str = "") -> bytes:
    """A line of a type with as many of its members as chance gives at best."""
    if kind is TournamentOpened:
        return plain_day()[0]
    chance = random.Random(kind.__name__ + member)
    found: list[bytes] = []
    for _ in range(TRIES):
        try:
            event = random_event(chance, kind=kind)
            if event and (not member or has(event, member)):
                found.append(encode(record(seq, "golden", AT, "o1", event)))
        except InvalidLog:
            continue
    assert found, kind
    return max(found, key=lambda line: (line.count(b'":'), -len(line), line))


@pytest.fixture(scope="module", autouse=True)
def _updated(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        there = golden()
        names = {name_in(line) for line in there}
        missing = [kind for name, kind in EVENTS.items() if name not in names]
        added = [line_of(kind, len(there) + place) for place, kind in enumerate(missing, 1)]
        for name, member in MEMBERS:
            if not any(shows(line, name, member) for line in there):
                added.append(line_of(EVENTS[name], len(there) + len(added) + 1, member))
        GOLDEN.write_bytes(b"".join(line + b"\n" for line in there + added))


def test_every_type_and_version_has_a_line() -> None:
    assert set(map(name_in, golden())) == {*EVENTS, *OLDER}


@pytest.mark.parametrize(("name", "member"), MEMBERS)
def test_every_member_that_was_gained_is_in_a_line(name: str, member: str) -> None:
    assert any(shows(line, name, member) for line in golden())


@pytest.mark.parametrize("line", golden(), ids=name_in)
def test_a_line_stays_readable(line: bytes) -> None:
    stored = read(line)
    assert encode(stored) == line
    assert read_line(line).seq == stored.seq
    assert type(of_today(stored).event) in EVENTS.values()
    assert decode(line) == next(decoded([line]))
    assert type(decode(line).event) in EVENTS.values()


class Note(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What `NoteTaken` might have been in an earlier release."""

    about: str
    words: Text


def _as_today(note: Note) -> NoteTaken:
    return NoteTaken(note.words, player=int(note.about[1:]))


@pytest.fixture
def _noted_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary in which NoteTaken is of its second version."""
    monkeypatch.setattr(NoteTaken, "version", 2)
    older = Older(cast("type[Event]", Note), _as_today)
    names = {kind: name for name, kind in EVENTS.items()} | {
        NoteTaken: "NoteTaken@2",
        older.kind: "NoteTaken",
    }
    kinds = {kind: envelopes._kind_of_line(name, kind) for kind, name in names.items()}
    union: Any = Union[tuple(kinds.values())]  # noqa: UP007 - known here alone
    monkeypatch.setattr(vocabulary, "OLDER", {"NoteTaken": older})
    monkeypatch.setattr(envelopes, "_OLDER", {older.kind: older.now})
    monkeypatch.setattr(envelopes, "NAMES", names)
    monkeypatch.setattr(envelopes, "_KINDS", kinds)
    monkeypatch.setattr(lines, "_DECODER", msgspec.json.Decoder(union))


@pytest.mark.usefixtures("_noted_before")
def test_an_earlier_version_is_read_as_todays() -> None:
    line = (
        b'{"seq":9,"id":"old","type":"NoteTaken","at":"%s","by":"o1",'
        b'"data":{"about":"p3","words":"late"}}' % AT.encode()
    )
    stored = read(line)
    assert isinstance(stored.event, Note)
    assert encode(stored) == line  # what was hashed and signed
    for recorded in (decode(line), next(decoded([line])), of_today(stored)):
        assert recorded.event == NoteTaken("late", player=3)
        assert (recorded.seq, recorded.id, recorded.at, recorded.by) == (9, "old", AT, "o1")
        assert recorded.type == "NoteTaken"
    new = encode(record(10, "new", AT, "o1", NoteTaken("late", player=3)))
    assert name_in(new) == "NoteTaken@2"
    assert decode(new).event == NoteTaken("late", player=3)
    with pytest.raises(InvalidLog, match="unknown field"):
        read(line.replace(b'"NoteTaken"', b'"NoteTaken@2"'))
    assert read_line(new).type == "NoteTaken@2"


def test_a_rule_that_became_stricter_leaves_earlier_logs_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stricter(tournament: Tournament, event: NoteTaken, _: object = None) -> Problems:
        if tournament.rules_number >= 2 and not event.player:
            yield problem("note.player", "a note is about a player")

    rules_today = checks.rules_of
    monkeypatch.setattr(
        checks, "rules_of", lambda kind: stricter if kind is NoteTaken else rules_today(kind)
    )
    tournament = fold_lines(plain_day())
    note = record(tournament.seq + 1, "note", AT, "o1", NoteTaken("both clocks stood still"))
    assert tournament.opening is not None
    tournament.opening = msgspec.structs.replace(tournament.opening, rules=1)
    assert check(tournament, note) == []
    tournament.opening = msgspec.structs.replace(tournament.opening, rules=2)
    assert list(map(str, check(tournament, note))) == ["a note is about a player"]


def test_the_small_verifier_knows_every_type_and_whom_players_may_be() -> None:
    """Its lists are its own, since it imports nothing of the project: here they are compared."""
    assert {*EVENTS, *OLDER} == TYPES
    assert {name for name, kind in EVENTS.items() if kind.recording.by_players} == BY_PLAYERS

"""The first two lines of a log, by every author and of every type: admitted, or refused in a line.

Before them a log has no game, no official and no player, so a rule may ask for none of these.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.facts.shared import TournamentOpened
from ledger.facts.vocabulary import EVENTS
from ledger.fold import evolve
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.proof.formats import Tree
from ledger.rules import before_signing, check
from ledger.tournament.state import Tournament
from tests.support.chance.random_events import random_event
from tests.support.cli_desk import UNSIGNED
from tests.support.simulate import Day, with_remedies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from tests.support.cli_desk import Desk

AUTHORS = ("o1", "o2", "o9999", "p1", "p9999", "o1/p1", "o1/p9999", "o2/p1")
IDS = ("act2", "act2.1", "w1-1", "act1", "act1.1")
SIGNATURES = ("", "A" * 86 + "==")
OPENED = Day(2).log[0]
DRAWS = 12
"""Random events of a type; most are senseless, and a rule meets some of its members."""


def events_of(name: str) -> list[Event]:
    chance = random.Random(name)
    events = [random_event(chance, kind=EVENTS[name]) for _ in range(DRAWS)]
    genuine = [OPENED.event] if EVENTS[name] is TournamentOpened else []
    return [*genuine, *filter(None, events)]


def before(seq: int) -> Tournament:
    """Return a tournament before its line 1, or before its line 2."""
    tournament = Tournament()
    if seq > 1:
        evolve(tournament, OPENED)
    return tournament


def written(seq: int, event: Event, by: str) -> Iterator[Recorded]:
    """Yield the event as a line would have it, with every kind of id and signature."""
    for event_id in IDS:
        line = record(seq, event_id, OPENED.at, by, event)
        for signature in SIGNATURES:
            yield msgspec.structs.replace(line, sig=signature)


@pytest.mark.parametrize("name", EVENTS)
def test_every_type_by_every_author_is_admitted_or_refused_in_words(name: str) -> None:
    for seq in (1, 2):
        for event in events_of(name):
            for by in AUTHORS:
                for line in written(seq, event, by):
                    for tree in (None, Tree()):
                        problems = check(before(seq), line, tree=tree)
                        assert all(map(with_remedies, problems))
                    is_opening = seq == 1 and by == "o1" and event == OPENED.event
                    assert problems or is_opening or (seq == 2 and by == "o1"), line
                    assert all(map(with_remedies, before_signing(before(seq), line)))


REFUSED = {
    "o2": "line 1: there is no official 2",
    "o9999": "line 1: there is no official 9999",
    "p1": "is reserved for officials; p1 is a player",
    "p9999": "is reserved for officials; p9999 is a player",
    "o1/p1": "line 1: there is no player 1",
    "o1/p9999": "line 1: there is no player 9999",
    "o2/p1": "line 1: there is no player 1",
}
VERBS = (("verify", *UNSIGNED), ("season", "add", *UNSIGNED), ("import", *UNSIGNED), ("replay",))
TYPES = ("PersonRecorded", "ResultReported", "SeatsSwapped", "StructureAnnounced", "HeadRecorded")


@pytest.mark.parametrize("by", REFUSED)
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_only_an_organizer_opens_a_log(desk: Desk, verb: tuple[str, ...], by: str) -> None:
    line = encode(record(1, OPENED.id, OPENED.at, by, OPENED.event))
    (desk.folder / "day.jsonl").write_bytes(line + b"\n")
    assert REFUSED[by] in desk.refused(*verb, "day.jsonl").err


@pytest.mark.parametrize("by", AUTHORS)
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_reads_two_lines_of_any_type(desk: Desk, verb: tuple[str, ...], by: str) -> None:
    opening = encode(OPENED)
    for seq, name in itertools.product((1, 2), TYPES):
        path = desk.folder / f"{seq}-{name}.jsonl"
        line = encode(record(seq, f"act{seq}", OPENED.at, by, events_of(name)[0]))
        lines = [line] if seq == 1 else [opening, line]
        path.write_bytes(b"".join(each + b"\n" for each in lines))
        answer = desk.type(*verb, path.name)
        assert answer.code in {0, 1, 4}, (path.name, answer)
        assert answer.code == 0 or answer.err.count("\n") == 1, (path.name, answer)

"""What is plainly admissible: never an event that the full check refuses, on changed logs, too."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.facts.people import PlayerDropped, PlayerRegistered
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import PersonRecorded
from ledger.facts.vocabulary import EVENTS
from ledger.fold import evolve
from ledger.lines.line import decode
from ledger.pairing.meetings import barred, grounds, has_sat_together
from ledger.proof.signatures import MAY_NEED_ONE
from ledger.rules import SAID_BY_SIDES, check
from ledger.rules.plain import PLAIN, is_plain
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from tests.support.files.every_log import every_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

AUTHORS = ("o1", "o2", "o3", "o9", "p1", "p2", "o1/p1", "o2/p3", "p9999")
MANNERS = ("played", "time", "concession", "no-show", "departure", "declared")
EVERY = 3
"""Variants are tried at one place of a log in so many."""


@pytest.mark.parametrize("name", list(every_log()))
def test_nothing_plain_is_refused(name: str) -> None:
    """Events of the log at their places, at others, and with other members."""
    chance = random.Random(name)
    lines = every_log()[name]
    events = [decode(line) for line in lines]
    tournament, tried, plain = Tournament(), 0, 0
    for place, recorded in enumerate(events):
        variants = [recorded]
        if place % EVERY == 0 or type(recorded.event) in PLAIN:
            variants += _variants(recorded, events, chance)
        for each in variants:
            tried += 1
            if is_plain(tournament, each):
                plain += 1
                assert check(tournament, each, ranking) == [], each
        evolve(tournament, recorded)
    assert 0 < plain < tried


def test_most_events_of_a_log_are_plain() -> None:
    """Else the fast way would be right and useless."""
    counted: Counter[bool] = Counter()
    tournament = Tournament()
    for recorded in map(decode, every_log()["simulated 3"]):
        if type(recorded.event) in PLAIN:
            counted[is_plain(tournament, recorded)] += 1
        evolve(tournament, recorded)
    assert counted[True] > 10 * counted[False]


def test_types_need_no_more_than_their_rules() -> None:
    """No signature, no draw, no root, and nothing beside the rules that `check` knows by type."""
    for kind in PLAIN:
        assert kind.__name__ not in MAY_NEED_ONE
        assert not kind.recording.drawn
        assert not kind.recording.needs_draw_key
    assert {ResultReported, PersonRecorded, PlayerRegistered, PlayerDropped} <= PLAIN.keys()
    assert SAID_BY_SIDES & PLAIN.keys() == {ResultReported}
    assert set(PLAIN) <= set(EVENTS.values())


@pytest.mark.parametrize("name", ["simulated 1", "simulated 3", "disputed", "import", "l5r-24"])
def test_no_game_is_barred_unless_two_sat_together(name: str) -> None:
    """The question that is asked first misses no game that the ban forbids."""
    chance = random.Random(name)
    tournament, seen = Tournament(), Counter[bool]()
    for recorded in map(decode, every_log()[name]):
        if isinstance(recorded.event, RoundPaired) and tournament.stages:
            stage = tournament.stages[recorded.event.stage - 1]
            players = list(range(1, len(tournament.players)))
            for _ in range(30):
                chance.shuffle(players)
                games = list(zip(players[::2], players[1::2], strict=False))[:2]
                has_sat = has_sat_together(tournament, stage, games)
                seen[has_sat] += 1
                assert has_sat or not list(barred(grounds(tournament, stage), games))
        evolve(tournament, recorded)
    assert seen[True]
    assert seen[False]


def _variants(
    recorded: Recorded, events: list[Recorded], chance: random.Random
) -> Iterator[Recorded]:
    """Yield the event with other members, and events of other places in its place."""
    put = msgspec.structs.replace
    yield put(recorded, sig="A" * 88)
    yield put(recorded, seq=recorded.seq + 1)
    yield put(recorded, id=chance.choice(events).id)
    for text in (
        f"{recorded.command_id}.1",
        f"{recorded.command_id}.2",
        "new.2",
        "w1-new",
        "w2-new",
        "new",
    ):
        yield put(recorded, id=text)
    for author in AUTHORS:
        yield put(recorded, by=author, id="new")
    for event in _other_events(recorded.event, chance):
        yield put(recorded, event=event)
        yield put(recorded, event=event, by=chance.choice(AUTHORS), id="new")
    for other in chance.sample(events, min(12, len(events))):
        moved = put(other, seq=recorded.seq, id="moved", by=recorded.by)
        yield moved
        for event in _other_events(other.event, chance):
            yield put(moved, event=event)


def _other_events(event: Event, chance: random.Random) -> Iterator[Event]:
    put: Any = msgspec.structs.replace
    some = chance.randrange(1, 200)
    match event:
        case ResultReported(result=result):
            yield put(event, match=some)
            yield put(event, match=1)
            for manner in MANNERS:
                yield put(event, result=put(result, manner=manner))
            yield put(event, result=put(result, outcomes=result.outcomes[::-1]))
            yield put(event, result=put(result, points=(some, 1)))
            yield put(event, result=put(result, points=result.points[::-1]))
            yield put(event, result=put(result, adjusted=(1, 0)))
            yield put(event, result=put(result, ending="time"))
            yield put(event, result=put(result, outcomes=("win", "win")))
            yield put(event, result=put(result, outcomes=("loss", "loss"), manner="no-show"))
            yield put(event, result=put(result, facts={"wounds": (some, 3), "hand": (1, 0)}))
            yield put(event, result=put(result, fields={"favor": (1, some)}))
        case PersonRecorded():
            for of in ("p1", "p2", "o1", "o7", f"p{some}", "p9999"):
                yield put(event, of=of)
            yield put(event, name=" ")
        case PlayerRegistered():
            for player in (event.player + 1, event.player - 1, 1, 8000):
                yield put(event, player=player)
            yield put(event, random_rank=some)
            yield put(event, missed=(1,))
            yield put(event, official=1)
            yield put(event, numbers={"rating": some})
            yield put(event, attributes={"two  spaces": "x"})
            yield put(event, attributes={"Zu\u0308rich": "x"})
        case PlayerDropped():
            for reason in ("request", "no-show", "unable", "conduct", "component"):
                yield put(event, reason=reason)
                yield put(event, player=some, reason=reason)
        case _:
            return

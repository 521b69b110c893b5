"""Every tiebreaker is brought up to date, in any order of the ranking and with more said of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.exchange.programs.building import handicapped
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultReported, absence, by_outcome
from ledger.facts.rounds import SeatsSwapped
from ledger.facts.undo import ActWithdrawn
from ledger.fold import evolve
from ledger.lines.recorded import record
from ledger.rulesets import load, text_of
from ledger.rulesets.tiebreakers import TIEBREAKERS_MAX
from projections.standings import updating
from projections.standings.table import standings
from projections.standings.updating import UpToDate
from tests.support.chance.random_held_events import held_event
from tests.support.examples import seeds

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.rulesets import Tiebreaker
    from ledger.tournament.state import Match, Tournament

BYES = {"fide": {"half": ("asked", 1)}, "mcmahon": {"half": ("asked", 1), "none": ("asked", 0)}}
CHANGES = 12
FEW = 12
CASES = [pytest.param(each, marks=() if each < FEW else pytest.mark.slow) for each in seeds(120)]

FURTHER: tuple[dict[str, object], ...] = (
    {"order": "ascending"},
    {"rounding": "half-up"},
    {"divide": 3},
    {"floor": "1/3"},
    {"per": "rounds"},
    {"per": "held", "scale": 2},
    {"records": ("W", "D")},
    {"worth": 1},
    {"seat": "first"},
    {"rounds": ("met", "won")},
)
"""What may be said of a tiebreaker over own rounds or opponents."""


def varied(one: Tiebreaker, chance: random.Random) -> Tiebreaker:
    if one.over not in {"own", "opponents"} or one.reduction == "performance":
        return one
    more: dict[str, object] = {}
    for further in chance.sample(FURTHER, chance.choice((0, 0, 1, 2))):
        more |= further
    if one.over == "opponents" and chance.random() < 0.2:
        more["reduction"] = "mean"
    return replace(one, **more)


def happen(tournament: Tournament, event: Event) -> None:
    evolve(tournament, record(tournament.seq + 1, "test", "", "o1", event))


def change(tournament: Tournament, chance: random.Random) -> None:
    """Let a result be entered, be another or be none; let somebody leave, or sit elsewhere."""
    matches = [match for match in tournament.matches[1:] if not match.is_bye]
    active = tournament.active()
    waiting = [match for match in matches if match.is_open and match.round == matches[-1].round]
    seated = [player for match in waiting for player in match.players]
    match chance.randrange(8):
        case 0 if active:
            happen(tournament, PlayerDropped(chance.choice(active)))
        case 1 if len(seated) > 1:
            one, other = chance.sample(seated, 2)
            happen(tournament, SeatsSwapped(len(tournament.rounds), (one, other), "a test"))
        case _ if matches:
            result(tournament, chance.choice(matches), chance)


def result(tournament: Tournament, match: Match, chance: random.Random) -> None:
    rules = tournament.ruleset
    if match.result is not None:
        happen(tournament, ActWithdrawn(match.result_seq, "a test"))
        if chance.random() < 0.3:
            return
    absent = chance.choice((None, None, None, (False, True), (True, False), (True, True)))
    outcome, stones = chance.choice(rules.outcomes), chance.choice((0, 2))
    played = handicapped(rules, by_outcome(rules, outcome.name), stones)
    found = played if absent is None else absence(rules, absent)
    assert found is not None
    happen(tournament, ResultReported(match.number, found))


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each table was brought up to date, or made anew."""
    found: list[bool] = []
    follow = updating._Table.follow

    def noting(self: updating._Table, tournament: Tournament) -> bool:
        found.append(follow(self, tournament))
        return found[-1]

    monkeypatch.setattr(updating._Table, "follow", noting)
    return found


def hold(seed: int, key: str) -> None:
    """Hold the tables of a random event, by a random ranking, to those from scratch."""
    chance = random.Random(seed)
    tournament = held_event(text_of(key), seed, "2026-05-01", BYES[key]).tournament
    rules = tournament.ruleset
    declared = [varied(one, chance) for one in rules.in_force.values() if one.last_drawn is None]
    count = min(len(declared), chance.randint(1, TIEBREAKERS_MAX))
    ranked = tuple(one.code for one in chance.sample(declared, count))
    tournament.rules = replace(rules, declared=tuple(declared), ranked_by=ranked)
    kept = UpToDate()
    for _ in range(CHANGES):
        change(tournament, chance)
        assert kept.standings(tournament) == standings(tournament), ranked


@pytest.mark.parametrize("key", sorted(BYES))
@pytest.mark.parametrize("seed", CASES)
def test_every_tiebreaker_is_as_from_scratch(seed: int, key: str) -> None:
    hold(seed, key)


@pytest.mark.parametrize("key", sorted(BYES))
def test_tables_are_brought_up_to_date(key: str, followed: list[bool]) -> None:
    for seed in range(FEW):
        hold(seed, key)
    assert sum(followed) > len(followed) / 3


def test_results_supposed_for_all_are_made_from_scratch(followed: list[bool]) -> None:
    """A last round that counts as drawn for everybody is no matter of a few cells."""
    tournament = held_event(text_of("fide"), 1, "2026-05-01", {}).tournament
    tournament.rules = replace(load("fide").ruleset, ranked_by=("FB", "DE"))
    kept, chance = UpToDate(), random.Random(1)
    for _ in range(CHANGES):
        change(tournament, chance)
        assert kept.standings(tournament) == standings(tournament)
    assert not any(followed)

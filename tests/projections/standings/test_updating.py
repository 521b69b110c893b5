"""Standings that are brought up to date are those from scratch, event by event."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.errors import NotFound
from ledger.facts.columns import erase, write_field
from ledger.fold import evolve
from ledger.lines.line import decoded
from ledger.lines.sealing import unopened
from ledger.rulesets import load, names
from ledger.tournament.state import Tournament
from projections.standings import updating
from projections.standings.crosstable import crosstable
from projections.standings.table import everyone, records, standings
from projections.standings.updating import UpToDate
from tests.benchmarks.bench_standings import event, worths
from tests.support.examples import seeds
from tests.support.paths import ROOT
from tests.support.simulate import play
from tests.support.tables import add_round, meet, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ledger.rulesets import Ruleset
    from projections.standings.table import Standings


SAMPLES = list(ROOT.glob("sample_logs/earlier/*/*.jsonl"))
LINES = 400


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The stages whose tables were made from scratch, in order."""
    found: list[int] = []
    whole = updating._Table.__init__

    def noting(self: updating._Table, tournament: Tournament, stage: int | None) -> None:
        found.append(stage or 0)
        whole(self, tournament, stage)

    monkeypatch.setattr(updating._Table, "__init__", noting)
    return found


def held(kept: UpToDate, tournament: Tournament) -> bool:
    """Hold a table to the one from scratch; false where the event has none."""
    try:
        expected = everyone(tournament)
    except NotFound:
        with pytest.raises(NotFound):
            kept.everyone(tournament)
        return False
    assert kept.everyone(tournament) == expected
    return True


@pytest.mark.parametrize("seed", seeds(4))
def test_after_each_event_of_a_day(seed: int, made: list[int]) -> None:
    """Reports, corrections, disputes, drops, returns, undone acts, pairings, a cut."""
    day = play(seed, 24, rounds=4, cut=4, disputes=bool(seed % 2))
    follow(day.lines, made)


@pytest.mark.parametrize("path", sorted(SAMPLES), ids=lambda path: path.stem)
def test_after_each_event_of_a_sample(path: Path, made: list[int]) -> None:
    follow(path.read_bytes().splitlines()[:LINES], made)


def follow(lines: Sequence[bytes], made: list[int]) -> None:
    kept, tournament, shown = UpToDate(), Tournament(), 0
    for recorded in decoded(lines, unopened):
        evolve(tournament, recorded)
        shown += held(kept, tournament)
    assert len(made) < shown


@pytest.mark.parametrize("key", names())
@pytest.mark.parametrize("seed", seeds(2))
def test_whatever_happens_to_cells_and_players(seed: int, key: str, made: list[int]) -> None:
    """In every ruleset: results entered, corrected and taken out; who left, who came back."""
    tournament, draw, given = event(40, key), random.Random(seed), load(key).ruleset
    kept = UpToDate()
    for _ in range(60):
        played, player = draw.choice(tournament.rounds), draw.randrange(1, 41)
        other = played.against[player]
        match draw.randrange(5):
            case 0:
                tournament.players[player].status = draw.choice(
                    ("active", "dropped", "disqualified")
                )
            case 1 if other:
                erase(played, player)
                erase(played, other)
            case _ if other:
                meet(played, player, other, draw.choice(worths(given)))
                for field in given.fields:
                    write_field(played, field.name, player, draw.randint(field.min, field.max))
        assert held(kept, tournament)
    assert len(made) < 60


def large(key: str, players: int = 300) -> tuple[Tournament, random.Random, Ruleset]:
    tournament = event(players, key)
    return tournament, random.Random(players), load(key).ruleset


def test_a_report_in_a_large_event_is_not_made_from_scratch(made: list[int]) -> None:
    tournament, draw, given = large("l5r")
    kept = UpToDate()
    before = kept.standings(tournament)
    unchanged = [*before.rows]
    for _ in range(30):
        played = draw.choice(tournament.rounds)
        player = draw.randrange(1, 301)
        meet(played, player, played.against[player], draw.choice(worths(given)))
        assert kept.standings(tournament) == standings(tournament)
    assert made == [0]
    assert before.rows == unchanged
    assert kept.standings(tournament) is kept.standings(tournament)


def rank(tournament: Tournament) -> None:
    tournament.players[7].random_rank = 10_000


def registration(tournament: Tournament) -> None:
    tournament.players[300].status = "withdrawn"


def next_round(tournament: Tournament) -> None:
    add_round(tournament)


def divisor(tournament: Tournament) -> None:
    last = tournament.rounds[-1]
    for column in (last.seqs, last.points, last.against):
        column[5] = 0


def many_cells(tournament: Tournament) -> None:
    tournament.rounds[-1].points[1:100] = [9] * 99


def rules(tournament: Tournament) -> None:
    tournament.rules = load("swiss").ruleset


def drop(tournament: Tournament) -> None:
    tournament.players[9].status = "dropped"


def disqualification(tournament: Tournament) -> None:
    tournament.players[9].status = "disqualified"


def one_field(tournament: Tournament) -> None:
    tournament.rounds[-1].fields["game-points"][3] += 1


SCRATCH = (rank, registration, next_round, divisor, many_cells, rules)
FOLLOWED = (drop, disqualification, one_field)


@pytest.mark.parametrize("change", [*SCRATCH, *FOLLOWED])
def test_what_may_change(change: Callable[[Tournament], None], made: list[int]) -> None:
    tournament, _, _ = large("mtg")
    kept = UpToDate()
    kept.standings(tournament)
    change(tournament)
    assert kept.standings(tournament) == standings(tournament)
    assert len(made) == (2 if change in SCRATCH else 1)


def test_a_place_of_late_players_is_padded() -> None:
    """Rounds before somebody came have shorter columns."""
    tournament = opened(4, load("l5r").ruleset)
    played = add_round(tournament)
    meet(played, 1, 2, (10, 1))
    for column in (played.seqs, played.points, played.against, played.records):
        del column[4:]
    kept = UpToDate()
    kept.standings(tournament)
    meet(played, 1, 2, (1, 10))
    assert kept.standings(tournament) == standings(tournament)


def test_records_are_counted_alike_however_many_rounds_there_are() -> None:
    tournament, _, _ = large("l5r", 12)
    few = crosstable(tournament.rounds, 13)
    assert records(few) == [
        [sum(each.records[player] == letter for each in tournament.rounds) for player in range(13)]
        for letter in "WLDB"
    ]
    many = crosstable(tournament.rounds * 40, 13)
    assert records(many) == [[40 * count for count in column] for column in records(few)]


def ranks(table: Standings) -> list[int]:
    return [row.rank for row in table.rows]


def test_ranks_stay_without_gaps() -> None:
    tournament, draw, given = large("netrunner", 80)
    kept = UpToDate()
    for _ in range(20):
        played = tournament.rounds[-1]
        player = draw.randrange(1, 81)
        meet(played, player, played.against[player], draw.choice(worths(given)))
        assert ranks(kept.standings(tournament)) == list(range(1, 81))

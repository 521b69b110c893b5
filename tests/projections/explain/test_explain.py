"""A number taken apart gives the number again, and its leaves are what the events say."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ledger.errors import NotFound
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.translating import translate
from ledger.facts.draws import RanksDrawn
from ledger.facts.people import (
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import RoundPaired, SeatsSwapped, TablesRepaired
from ledger.fold import fold_lines
from ledger.lines.line import decode
from ledger.rulesets import parse
from projections.explain import OWN, Explanation, explain, tree_size
from projections.explain.numbers import EventTable, seeded
from projections.standings.bracket import finishing_order
from projections.standings.table import everyone, ranking
from tests.support.chance.random_tournaments import tournaments
from tests.support.days.confirmed_days import confirmed_day
from tests.support.files.ruleset_texts import TIEBREAKERS, ruleset_text
from tests.support.sample_days import EARLIER
from tests.support.shared import TOURNAMENTS, needs_shared
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.lines.recorded import Recorded
    from ledger.rulesets.outcomes import Worth
    from ledger.tournament.state import Tournament
    from projections.standings.table import StandingsRow

SAMPLES = sorted(EARLIER.glob("*/*.jsonl"))
ALL = parse(ruleset_text(*TIEBREAKERS))
LETTERS = {"wins": "W", "losses": "L", "draws": "D", "byes": "B"}


class Again:
    """Computes a tree again from its leaves, by what each node says of itself."""

    def __init__(self, tournament: Tournament, log: Sequence[Recorded] = ()) -> None:
        self.tournament = tournament
        self.log = log
        self.known: dict[int, tuple[Explanation, Fraction]] = {}

    def of(self, node: Explanation) -> Fraction:
        """The value of a node, from its terms alone."""
        if id(node) not in self.known:
            value = self._computed(node, [self.of(term) for term in node.terms])
            assert value == node.value, node
            self.known[id(node)] = node, value
        return self.known[id(node)][1]

    def _computed(self, node: Explanation, terms: list[Fraction]) -> Fraction:  # noqa: C901, PLR0911, PLR0912 - one each
        total = sum(terms, Fraction(0))
        match node.how:
            case "event" | "given" | "compared" | "performance":
                return self._leaf(node)
            case "count":
                assert len(set(node.players)) == len(node.players)
                return Fraction(len(node.players))
            case "sum":
                return total
            case "mean":
                return total / len(terms) if terms else Fraction(0)
            case "ratio":
                return terms[0] / terms[1] if terms[1] else Fraction(0)
            case "product":
                return terms[0] * terms[1]
            case "greatest":
                return max(terms)
            case "after":
                return 1 + total
            case "difference":
                return terms[0] - terms[1]
            case "order":
                return self._ordered(node)
            case "least":
                return min(terms)
            case "cut":
                return Fraction(0)
            case "rounded":
                return Fraction(math.floor(terms[0] + Fraction(1, 2)))
            case "step":
                return self._looked_up(node, terms[0])

    def _looked_up(self, node: Explanation, at: Fraction) -> Fraction:
        rules = self.tournament.ruleset
        name = rules.in_force[node.column].steps if node.column in rules.in_force else node.column
        table = next(one for one in rules.steps if one.name == name)
        wanted = math.floor(at * table.times + Fraction(1, 2))
        below = [value for first, value in zip(table.at, table.values, strict=True)
                 if first <= wanted]  # fmt: skip
        return Fraction(below[-1] if below else table.values[0])

    def _ordered(self, node: Explanation) -> Fraction:
        """One place below who stands above, told apart by the first column that differs."""
        for other in node.terms:
            *same, last = (term.value for term in other.terms)
            assert not any(same)
            assert last
            deciding = other.terms[-1].column
            ascending = {
                one.code for one in self.tournament.ruleset.tiebreakers if one.order == "ascending"
            } | {"disqualified", "random rank", "number"}
            is_better = (last < 0) == (deciding in ascending)
            assert is_better == (other.value > node.value)
        above = [other.value for other in node.terms if other.value < node.value]
        below = [other.value for other in node.terms if other.value > node.value]
        assert below in ([], [node.value + 1])
        return above[0] + 1 if above else Fraction(1)

    def _leaf(self, node: Explanation) -> Fraction:
        if node.how == "event" and self.log and node.seqs:
            assert Fraction(self._raw(node)) == node.value, node
        return node.value

    def _raw(self, node: Explanation) -> int:
        """What the event of a leaf says of the player."""
        event = self.log[node.seqs[0] - 1].event
        rules = self.tournament.ruleset
        match event:
            case PlayerRegistered() if node.column == "random rank":
                return event.random_rank if event.player == node.player else -1
            case RanksDrawn():
                return event.ranks[node.player - event.first]
            case PlayerDisqualified() | PlayerDropped(reason="conduct"):
                return int(event.player == node.player)
            case PlayerRegistered(missed=missed) | PlayerRejoined(missed=missed):
                assert event.player == node.player
                assert node.round in missed
                return _worth(rules.unpaired_loss, node.column, "L")
            case RoundPaired() | SeatsSwapped() | TablesRepaired():
                assert event.round == node.round
                return _worth(rules.bye, node.column, "B")
            case ResultReported() | ResultCorrected():
                return self._of_result(event, node)
        raise AssertionError(node)

    def _of_result(self, event: ResultReported | ResultCorrected, node: Explanation) -> int:
        match = self.tournament.matches[event.match]
        assert match.round == node.round
        side = match.players.index(node.player)
        if node.column in LETTERS:
            letter = self.tournament.ruleset.records[event.result.outcomes[side]]
            return int(letter == LETTERS[node.column])
        if node.column == "rounds":
            return 1
        if node.column == "points":
            return event.result.points[side]
        return event.result.fields.get(node.column, (0, 0))[side]


def _worth(worth: Worth, column: str, letter: str) -> int:
    if column in LETTERS:
        return int(LETTERS[column] == letter)
    if column == "rounds":
        return 1
    if column == "points":
        return worth.points
    return worth.fields.get(column, 0)


def shown(row: StandingsRow, tournament: Tournament) -> dict[str, Fraction]:
    """What the standings show of a player, by column."""
    codes = [one.code for one in tournament.ruleset.tiebreakers]
    return {
        "rank": Fraction(row.rank),
        "points": Fraction(row.points),
        "wins": Fraction(row.wins),
        "losses": Fraction(row.losses),
        "draws": Fraction(row.draws),
        "byes": Fraction(row.byes),
        **dict(zip(codes, row.tiebreakers, strict=True)),
    }


def columns_of(tournament: Tournament, player: int) -> list[str]:
    """List what can be explained of a player: always rank, points, record and tiebreakers."""
    columns = [*OWN, *(one.code for one in tournament.ruleset.tiebreakers)]
    if seeded(tournament, player) is not None:
        columns.append("seed")
    if any(not stage.is_swiss for stage in tournament.begun_stages()):
        decided = {each.player for each in finishing_order(tournament) if each.rank}
        columns += ["place"] if player in decided else []
    return columns


def check_everybody(tournament: Tournament, log: Sequence[Recorded] = ()) -> None:
    places, again = EventTable(tournament), Again(tournament, log)
    finish = {each.player: each.rank for each in finishing_order(tournament)}
    for row in everyone(tournament).rows:
        told = shown(row, tournament)
        for column in columns_of(tournament, row.player):
            root = explain(tournament, row.player, column, places)
            again.of(root)
            if column == "points":
                assert len(root.terms) == explain(tournament, row.player, "record", places).value
            if column == "record":
                assert {part.column: part.value for part in root.terms} == {
                    name: told[name] for name in LETTERS
                }
            elif column == "place":
                assert root.value == finish[row.player]
            elif column == "seed":
                stage = [each for each in tournament.stages if row.player in each.seeds][-1]
                assert stage.seeds[int(root.value) - 1] == row.player
            else:
                assert (root.column, root.value) == (column, told[column])


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_everything_of_a_sample_log_can_be_taken_apart(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    check_everybody(fold_lines(lines), [decode(line) for line in lines])


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_everything_of_a_real_tournament_can_be_taken_apart(path: Path) -> None:
    lines = [line for _, line in translate(read_nrtm(path.read_bytes()), ranking)]
    check_everybody(fold_lines(lines), [decode(line) for line in lines])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_everything_of_a_simulated_day_can_be_taken_apart(seed: int) -> None:
    day = play(seed, 9 + seed, rounds=3 + seed % 3, cut=(0, 4)[seed % 2])
    for seq in range(1, len(day.log), 17):
        check_everybody(day.folded(day.log[:seq]), day.log)
    check_everybody(day.tournament, day.log)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_everything_of_a_day_in_dispute_can_be_taken_apart(seed: int) -> None:
    """Results that wait to be confirmed, are disputed and ruled on; rounds that are repaired."""
    days = (
        confirmed_day(seed, 9, whole=bool(seed % 2)),
        play(seed, 14, rounds=3, cut=4, disputes=True),
    )
    for day in days:
        for seq in range(len(day.log), 1, -13):
            check_everybody(day.folded(day.log[:seq]), day.log)


@pytest.mark.slow
@given(tournaments(ALL))
def test_every_kind_of_tiebreaker_can_be_taken_apart(
    case: tuple[Tournament, list[object]],
) -> None:
    """Sums and means, ratios, scales, floors, tiebreakers of tiebreakers, several stages."""
    check_everybody(case[0])


def test_extended_strength_goes_down_to_the_opponents_of_opponents() -> None:
    day = play(3, 16, rounds=4)
    player = day.tournament.rounds[0].matches[0].first
    root = explain(day.tournament, player, "ESOS")
    levels = [[root]]
    while below := [term for node in levels[-1] for term in node.terms]:
        levels.append(below)
    assert [{node.how for node in level} for level in levels] == [
        {"mean"},
        {"mean"},
        {"ratio"},
        {"sum"},
        {"event"},
    ]
    assert all(node.seqs and node.clause for node in levels[-1] if node.column == "points")
    assert tree_size(root) == sum(map(len, levels))
    assert tree_size(root, 2) == sum(map(len, levels[:3]))


def test_a_player_who_never_played_is_told_so() -> None:
    day = play(1, 8, rounds=2)
    ranked = next(n for n, each in enumerate(day.log, 1) if isinstance(each.event, RanksDrawn))
    tournament = day.folded(day.log[:ranked])
    assert not tournament.rounds
    for column in ("points", "record", "SOS", "ESOS"):
        root = explain(tournament, 3, column)
        assert root.value == 0
        assert not [term for term in root.terms if term.value]
    assert explain(tournament, 3, "rank").terms[0].terms[-1].column == "random rank"
    before = day.folded(day.log[:14])
    for column in ("seed", "place"):
        with pytest.raises(NotFound):
            explain(before, 3, column)


def test_a_wrong_column_gets_the_nearest() -> None:
    day = play(1, 8, rounds=2)
    assert explain(day.tournament, 3, "esos") == explain(day.tournament, 3, "ESOS")
    with pytest.raises(NotFound, match="did you mean points"):
        explain(day.tournament, 3, "pionts")
    with pytest.raises(NotFound, match="SOS"):
        explain(day.tournament, 3, "SOSS")

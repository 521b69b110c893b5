"""Standings against what another program published of six real tournaments."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from ledger.facts.shared import Stage as StagePlan
from ledger.rulesets import load
from ledger.tournament.state import Player, Round, Stage, Tournament
from projections.standings.table import standings
from tests.support.shared import TOURNAMENTS, needs_shared
from tests.support.tables import enter

if TYPE_CHECKING:
    from pathlib import Path

PRECISION = Fraction(1, 10**12)

pytestmark = needs_shared


def replayed(published: dict[str, Any]) -> tuple[Tournament, dict[int, dict[str, Any]]]:
    """The tournament of a published file, and what the file says of each player number."""
    said = dict(enumerate(sorted(published["players"], key=lambda each: each["id"]), start=1))
    numbers = {each["id"]: number for number, each in said.items()}
    tournament = Tournament(rules=load("netrunner").ruleset)
    tournament.players += [Player(number, each["rank"]) for number, each in said.items()]
    tournament.stages = [Stage(1, StagePlan("swiss")), Stage(2, StagePlan("double"))]
    for number, tables in enumerate(published["rounds"], start=1):
        stage = 2 if tables[0]["eliminationGame"] else 1
        tournament.stages[stage - 1].rounds.append(number)
        tournament.rounds.append(Round(number, stage))
        for table in tables:
            _enter(tournament, table, numbers)
    return tournament, said


def _enter(tournament: Tournament, table: dict[str, Any], numbers: dict[int, int]) -> None:
    sides = (table["player1"], table["player2"])
    rules = tournament.ruleset
    for mine, other in (sides, sides[::-1]):
        if mine["id"] is None:
            continue
        points = mine.get("combinedScore", 6 * mine.get("winner", False))
        record = rules.compared(points, other.get("combinedScore", 3)).record
        enter(
            tournament.rounds[-1],
            numbers[mine["id"]],
            points,
            "B" if other["id"] is None else record,
            against=numbers.get(other["id"], 0),
        )


def test_all_six_files_are_there() -> None:
    """A folder that lost a file would pass the others in silence."""
    assert len(TOURNAMENTS) == 6


@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_every_published_number_is_ours(path: Path) -> None:
    """FFG-TIEBREAK-SOS, L5R-TIEBREAK: points and both tiebreakers, every player's."""
    tournament, said = replayed(json.loads(path.read_text("utf-8")))
    rows = standings(tournament).rows
    assert len(rows) == len(said)
    for row in rows:
        published = said[row.player]
        sos, esos = row.tiebreakers
        assert row.points == published["matchPoints"]
        assert abs(sos - Fraction(published["strengthOfSchedule"])) <= PRECISION
        assert abs(esos - Fraction(published["extendedStrengthOfSchedule"])) <= PRECISION


@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_the_published_order_is_ours(path: Path) -> None:
    """The published rank is the random rank, so it decides nothing but exact ties."""
    tournament, said = replayed(json.loads(path.read_text("utf-8")))
    ranks = [said[row.player]["rank"] for row in standings(tournament).rows]
    assert ranks == sorted(ranks)

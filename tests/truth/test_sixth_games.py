"""Games as data alone: their standings against a second computation, written from definitions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from ledger.errors import Refused
from ledger.facts.shared import Stage
from ledger.rules.elimination import MakeCut
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer, RejoinPlayer
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.tournament.progress import next_stage
from projections.standings.table import standings
from tests.support.simulate import Day, game_in_play, open_matches_of
from tests.truth.fraction_truth import (
    Played,
    game_wins,
    margins,
    match_wins,
    percentages,
    rounds_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.tournament.state import Match
    from tests.support.cli_desk import Desk

    Truth = Callable[[dict[int, list[Played]], int], tuple[int, tuple[Fraction, ...]]]

EVENTS = 60
TRUTHS: dict[str, Truth] = {"mtg": percentages, "xwing2": margins}
PLANS = (
    (Stage("swiss", 4),),
    (Stage("swiss", 3), Stage("swiss", 2, "top", 6, carries=True)),
    (Stage("swiss", 3), Stage("swiss", 2, "points", 1, carries=True), Stage("single", 0, "top", 2)),
    (Stage("swiss", 3), Stage("single", entry="top", size=4)),
)


def mtg_facts(chance: random.Random, *, drawn: bool) -> dict[str, tuple[int, int]]:
    """Games won, and sometimes games drawn."""
    scores = [(2, 0), (2, 1), (1, 2), (0, 2), (1, 0), (3, 0), (3, 1), (2, 3), (0, 3)]
    scores += [(1, 1), (0, 0), (2, 2)] if drawn else []
    games = chance.choice(scores)
    extra = chance.randrange(3)
    return {"games": games} | ({"drawn": (extra, extra)} if extra else {})


def xwing2_facts(chance: random.Random, *, drawn: bool) -> dict[str, tuple[int, int]]:
    """Scores; equal ones have a salvo."""
    score = (chance.randrange(201), chance.randrange(201))
    if chance.random() < 0.1 and drawn:
        score = (score[0], score[0])
    return {"score": score} | ({"salvo": (4, 7)} if score[0] == score[1] else {})


FACTS = {"mtg": mtg_facts, "xwing2": xwing2_facts}


def play(key: str, number: int) -> Day:
    """A day with draws, byes, assigned losses, no-shows, concessions, early leavers, a cut."""
    chance = random.Random(f"{key} {number}")
    day = Day(chance.randrange(7, 18), ruleset=key, number=f"{number:032x}")
    day.do(StartTournament("custom", chance.choice(PLANS)))
    while (stage := next_stage(day.tournament)) is not None:
        try:
            if stage.number > 1 and not stage.cut_seq:
                day.do(MakeCut())
            day.do(PairRound())
        except Refused:
            break  # nobody may go on, or no legal round is left
        for match in open_matches_of(day):
            _report(day, chance, match, swiss=stage.is_swiss)
        day.do(CloseRound())
        if stage.is_swiss:
            _come_and_go(day, chance)
    return day


def _report(day: Day, chance: random.Random, match: Match, *, swiss: bool) -> None:
    luck = chance.random()
    facts = FACTS[str(day.tournament.ruleset.key)](chance, drawn=swiss)
    if luck < 0.05 and swiss:
        absent = chance.choice([match.players, (match.first,), (match.second,)])
        day.do(Report(match.number, StatedResult(absent=absent)))
    elif luck < 0.1:
        day.do(Concede(chance.choice(match.players), game_in_play(day.tournament.ruleset.key)))
    elif luck < 0.15:
        conceded = chance.choice([(1, 0), (0, 1)])
        facts.pop("salvo", None)
        if "games" in facts:  # who has three games has won, and concedes no more
            one, two = facts["games"]
            facts["games"] = (min(one, 3 - conceded[0]), min(two, 3 - conceded[1]))
        day.do(
            Report(
                match.number,
                StatedResult(facts=facts | {"conceded": conceded}, ending="concession"),
            )
        )
    else:
        day.do(Report(match.number, StatedResult(facts=facts)))
        if luck > 0.9:
            other = FACTS[str(day.tournament.ruleset.key)](chance, drawn=swiss)
            day.do(Correct(match.number, StatedResult(facts=other), "read wrongly"))


def _come_and_go(day: Day, chance: random.Random) -> None:
    for player in list(day.tournament.registered()):
        luck = chance.random()
        if player.status == "active" and luck < 0.08 and len(day.tournament.active()) > 5:
            day.do(DropPlayer(player.number))
        elif player.status == "dropped" and luck < 0.4:
            try:
                day.do(RejoinPlayer(player.number))
            except Refused:
                continue


def truth(day: Day, key: str, stages: set[int]) -> dict[int, tuple[int, tuple[Fraction, ...]]]:
    """Every player's points and tiebreakers by the second computation."""
    rounds = rounds_of(day.log, stages)
    found = {player: list(each.values()) for player, each in rounds.items()}
    return {player: TRUTHS[key](found, player) for player in found}


@pytest.mark.slow
@pytest.mark.parametrize("key", TRUTHS)
@pytest.mark.parametrize("number", range(EVENTS))
def test_standings_agree_with_plain_fractions(key: str, number: int) -> None:
    """XW2-MOV, XW2-BYE, XW2-MISSED; MTG-OMW, MTG-GW, MTG-OGW, MTG-BYE, MTG-MISSED."""
    day = play(key, number)
    swiss = [stage for stage in day.tournament.stages if stage.is_swiss and stage.rounds]
    for stage in swiss:
        counted = {each.number for each in swiss if each.number <= stage.number}
        expected = truth(day, key, counted)
        rows = standings(day.tournament, stage=stage.number).rows
        assert {row.player: (row.points, row.tiebreakers) for row in rows} == {
            row.player: expected[row.player] for row in rows
        }
        ranked = [(-points, *(-each for each in values)) for points, values in map(
            expected.__getitem__, [row.player for row in rows]
        )]  # fmt: skip
        assert ranked == sorted(ranked)


@pytest.mark.slow
def test_the_events_hold_all_that_they_promise() -> None:
    """Draws, byes, assigned losses, early leavers and cut players, several of each."""
    days = [play("mtg", number) for number in range(EVENTS)]
    letters = [
        each.letter
        for day in days
        for rounds in rounds_of(day.log, {1, 2}).values()
        for each in rounds.values()
    ]
    assert min(map(letters.count, "WLDBA")) > 20
    players = [player.status for day in days for player in day.tournament.players]
    assert players.count("dropped") > 50
    assert players.count("cut") > 50


@pytest.mark.parametrize("key", TRUTHS)
def test_cut_players_keep_the_tiebreakers_they_had(key: str) -> None:
    """FFG-CUT: rounds played after the cut change nothing for who did not go on."""
    day = Day(9, ruleset=key)
    day.start(2, Stage("swiss", 2, "top", 4, carries=True), Stage("single", entry="top", size=2))
    chance = random.Random(key)
    tables = []
    while (stage := next_stage(day.tournament)) is not None:
        if stage.number > 1 and not stage.cut_seq:
            tables.append(standings(day.tournament, stage=1).rows)
            day.do(MakeCut())
        day.do(PairRound())
        for match in open_matches_of(day):
            day.do(Report(match.number, StatedResult(facts=FACTS[key](chance, drawn=False))))
        day.do(CloseRound())
    assert len(tables) == 2
    assert standings(day.tournament, stage=1).rows == tables[0] == tables[1]
    assert len(standings(day.tournament).rows) == 4


def test_nobody_comes_back_past_a_cut_that_was_made_without_them() -> None:
    """FFG-CUT, FFG-REJOIN: also where a ruleset lets players return at any time."""
    day = Day(6, ruleset="swiss")
    day.start(1, Stage("swiss", 2, "top", 4, carries=True))
    day.pair()
    day.report_all()
    day.do(DropPlayer(5))
    day.do(MakeCut())
    assert "as a replacement" in day.refused(RejoinPlayer(5))
    day.pair()
    assert "as a replacement" in day.refused(RejoinPlayer(5))


def test_the_definitions_by_hand() -> None:
    """MTG-BYE, MTG-MISSED, MTG-OMW: 1-0 with a bye and an assigned loss."""
    bye, assigned = Played(0, "B"), Played(0, "A")
    won = Played(2, "W", 2, 1)
    assert match_wins([won, bye, assigned]) == Fraction(6, 9)
    assert game_wins([won, bye, assigned]) == Fraction(12, 15)
    assert match_wins([assigned]) == Fraction(1, 3)
    day = Day(3, ruleset="mtg")
    day.start(1)
    day.pair()
    day.do(Report(day.matches()[0].number, StatedResult(facts={"games": (2, 1)})))
    day.do(CloseRound())
    rows = standings(day.tournament).rows
    third = Fraction(1, 3)
    assert sorted(row.tiebreakers for row in rows) == [
        (Fraction(0), Fraction(1), Fraction(0)),  # the bye: no opponent
        (third, Fraction(2, 3), third),
        (Fraction(1), third, Fraction(2, 3)),
    ]


SEVENTH = """\
key = "goose"
edition = "1"
name = "Game of the goose"
document = "none"
source = "none"

[scoring]
clause = "GG-SCORE"
kind = "derived"

[[outcomes]]
clause = "GG-SCORE"
name = "win"
against = "loss"
record = "W"
advances = true

[[outcomes]]
clause = "GG-SCORE"
name = "loss"
against = "win"
record = "L"

[[outcomes]]
clause = "GG-SCORE"
name = "narrow win"
against = "narrow loss"
record = "W"
advances = true

[[outcomes]]
clause = "GG-SCORE"
name = "narrow loss"
against = "narrow win"
record = "L"

[[fields]]
clause = "GG-LEAD"
name = "lead"
min = 0
max = 63
meaning = "fields ahead"

[bye]
clause = "GG-BYE"
points = 5

[unpaired_loss]
clause = "GG-BYE"
points = 0

[procedure]
name = "comparison@1"
clause = "GG-SCORE"
main = "square"
bands = [
  { margin_min = 0, margin_max = 9, winner = 3, loser = 2, outcome = "narrow win" },
  { margin_min = 10, winner = 5, loser = 0 },
]

[[procedure.endings]]
clause = "GG-SCORE"
name = "home"
manner = "played"
meaning = "someone is home"
needs = ["square"]

[[procedure.facts]]
clause = "GG-SCORE"
name = "square"
min = 0
max = 63
meaning = "where the goose stands"

[[procedure.sums]]
clause = "GG-LEAD"
field = "lead"
own = { square = 1 }
other = { square = -1 }
side = "winner"

[[tiebreakers]]
clause = "GG-LEAD"
code = "LEAD"
name = "fields ahead"
over = "own"
source = "lead"
reduction = "sum"

[structures]
clause = "GG-STRUCTURE"
custom = true

[clock]
clause = "GG-CLOCK"
swiss = 30
elimination = 30
final = 30
"""


def test_a_seventh_ruleset_in_a_folder_of_its_own_changes_no_code(
    desk: Desk, tmp_path: Path
) -> None:
    """A file is enough: margins, points, words, standings."""
    assert "goose" not in rulesets.names()
    file = tmp_path / "goose.toml"
    file.write_text(SEVENTH, "utf-8")
    assert "is valid" in desk.done("ruleset", "check", str(file)).err
    desk.open(4, "custom", "--rounds", "1", ruleset=str(file))
    desk.done("pair")
    desk.done("report", "1", "63-54")
    desk.done("report", "2", "20-63")
    results = [game["result"] for game in desk.done("pairings", "--json").json]
    assert [each["outcomes"][0] for each in results] == ["narrow win", "loss"]
    assert [each["points"] for each in results] == [[3, 2], [0, 5]]
    rows = desk.done("standings", "--json").json
    assert [(row["points"], row["tiebreakers"]["LEAD"]["exact"]) for row in rows] == [
        (5, "43"), (3, "9"), (2, "0"), (0, "0"),
    ]  # fmt: skip
    assert (
        "is a draw, and goose has no draws"
        in desk.refused("correct", "1", "7-7", "--reason", "x").err
    )

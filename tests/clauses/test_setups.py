"""The clauses on scenarios, draft groups, first players, sides and terrain."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidRuleset
from ledger.facts.setups import ChooserDrawn, DraftGroupsDrawn, group_sizes, unused
from ledger.facts.shared import FirstPlayerChosen, ScenarioDrawn, SideTaken, Stage
from ledger.pairing.shuffling import Draws
from ledger.rules.clock import CallTime
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rules.setups import (
    AnnounceTerrain,
    ChooseFirstPlayer,
    CountTerrain,
    DrawChooser,
    DrawDraftGroups,
    DrawScenario,
    TakeSide,
)
from ledger.rulesets import parse, text_of
from projections.matches import terrain_findings
from tests.support.days.set_ups import (
    AT_RANDOM,
    BY_ROLL,
    BY_TOTAL,
    DRAFT,
    LOWER_CHOOSES,
    SECOND_CHOOSES,
    TERRAIN,
    table_of,
)
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.base import Tier

SEASONS = """
[floor.scenario]
clause = "RW-SEASON"

[[floor.scenario.seasons]]
since = "2018-07-23"
deployments = ["Standoff", "Unprepared", "Meeting Engagement"]
objectives = ["Demoralize Their Forces", "Confluence of Magic", "Volatile Runes"]

[[floor.scenario.seasons]]
since = "2018-10-01"
deployments = ["Unprepared", "Meeting Engagement", "Maelstrom"]
objectives = ["Confluence of Magic", "Volatile Runes", "Seize the Artifacts"]
"""


def day_of(date: str, *, key: bytes = b"k", tier: Tier = "relaxed", outline: str = "") -> Day:
    day = Day(4, floor=SEASONS, shuffle_key=key, tier=tier, date=date)
    stages = (Stage("swiss", 2), Stage("swiss", 8, carries=True))
    day.do(StartTournament("custom", stages, outline))
    return day


def play_round(day: Day) -> tuple[str, str]:
    """Pair, draw the scenario and finish the round."""
    day.do(PairRound(allow_rematch=True, reason="only four"))
    event = day.do(DrawScenario())[0].event
    assert isinstance(event, ScenarioDrawn)
    day.report_all()
    day.do(CloseRound())
    return event.deployment, event.objective


@pytest.mark.parametrize(
    ("date", "deployments"),
    [
        ("2018-07-23", {"Standoff", "Unprepared", "Meeting Engagement"}),
        ("2018-09-30", {"Standoff", "Unprepared", "Meeting Engagement"}),
        ("2018-10-01", {"Unprepared", "Meeting Engagement", "Maelstrom"}),
        ("2030-01-01", {"Unprepared", "Meeting Engagement", "Maelstrom"}),
    ],
)
def test_rw_season_goes_by_the_events_date(date: str, deployments: set[str]) -> None:
    """RW-SEASON: at both edges of each season."""
    found = set()
    for key in range(24):
        day = day_of(date, key=bytes([key]))
        day.pair()
        event = day.do(DrawScenario())[0].event
        assert isinstance(event, ScenarioDrawn)
        found.add(event.deployment)
    assert found == deployments


def test_a_date_outside_every_season_is_refused() -> None:
    """RW-SEASON: the day before the first one; an outline may name a scenario of its own."""
    day = day_of("2018-07-22")
    day.pair()
    assert "before the first season" in day.refused(DrawScenario())
    assert "before the first season" in day.refused_event(ScenarioDrawn(1, "Standoff", "x"))
    assert "RW-SCENARIO" in day.refused(DrawScenario("Ours", "Too"))
    own = day_of("2018-07-22", outline="Invitational 2018")
    own.pair()
    own.do(DrawScenario("Ours", "Too"))
    assert own.tournament.floor.scenarios[1].deployment == "Ours"
    other = Day(4)
    other.start(1)
    other.pair()
    assert "has no scenarios to draw" in other.refused(DrawScenario())


@pytest.mark.parametrize("key", range(5))
def test_rw_scenario_neither_repeats_until_all_were_used(key: int) -> None:
    """RW-SCENARIO: each kind by itself, within a stage; then the pool refills."""
    day = day_of("2018-11-11", key=bytes([key]))
    first_stage = [play_round(day) for _ in range(2)]
    second = [play_round(day) for _ in range(8)]
    for drawn in (first_stage, second):
        for kind in (0, 1):
            cards = [each[kind] for each in drawn]
            for start in range(0, len(cards), 3):
                block = cards[start : start + 3]
                assert len(set(block)) == len(block)


def test_a_repeated_or_an_illegal_card_is_refused() -> None:
    day = day_of("2018-11-11")
    deployment, objective = play_round(day)
    day.pair()
    again = ScenarioDrawn(2, deployment, objective)
    assert day.refused_event(again).count("RW-SCENARIO") == 2
    assert "RW-SEASON" in day.refused_event(ScenarioDrawn(2, "Standoff", "Volatile Runes"))
    day.do(DrawScenario())
    assert day.do(DrawScenario()) == []
    assert "is already drawn" in day.refused_event(ScenarioDrawn(2, "Maelstrom", "Volatile Runes"))
    assert "not in play" in day.refused_event(ScenarioDrawn(1, "Maelstrom", "Volatile Runes"))


def test_a_card_that_an_outline_repeated_uses_up_no_other() -> None:
    """RW-SCENARIO: what counts is which cards were used since the pool was full."""
    assert unused(("a", "b", "c"), ["a", "a", "b"]) == ["c"]
    assert unused(("a", "b", "c"), ["a", "x", "b", "c", "b"]) == ["a", "c"]


@pytest.mark.parametrize(
    ("tier", "outline", "needed"),
    [("relaxed", "", False), ("formal", "", True), ("premier", "", True), ("premier", "X", False)],
)
def test_formal_and_premier_need_the_scenario(tier: Tier, outline: str, needed: bool) -> None:  # noqa: FBT001 - a case
    """RW-SEASON, FFG-OUTLINE, FFG-TIER: before the round starts."""
    day = day_of("2018-11-11", tier=tier, outline=outline)
    day.pair()
    if needed:
        assert "RW-SEASON" in day.refused(StartRound())
        day.do(DrawScenario())
    day.do(StartRound())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('since = "2018-10-01"', 'since = "2018-07-23"'),
        ('"Standoff", ', '"Unprepared", '),
        ('["Standoff", "Unprepared", "Meeting Engagement"]', "[]"),
    ],
)
def test_seasons_in_a_ruleset_make_sense(old: str, new: str) -> None:
    with pytest.raises(InvalidRuleset, match=r"floor\.scenario"):
        parse(text_of("l5r") + SEASONS.replace(old, new))


def test_aop_draft_sizes() -> None:
    """AOP-DRAFT: all of 4, else all of 3, else all of 2, else sizes one apart."""
    assert group_sizes(0) == group_sizes(1) == []
    for players in range(2, 300):
        sizes = group_sizes(players)
        assert sum(sizes) == players
        assert set(sizes) <= {2, 3, 4}
        equal = next((size for size in (4, 3, 2) if players % size == 0), None)
        if equal:
            assert set(sizes) == {equal}
        else:
            assert max(sizes) - min(sizes) == 1
    assert [group_sizes(n) for n in (5, 7, 11)] == [[3, 2], [4, 3], [4, 4, 3]]


def test_aop_draft_groups_are_drawn_and_everyones() -> None:
    """AOP-DRAFT: drawn again they differ; a group too large or a player too few is refused."""
    day = Day(12, floor=DRAFT)
    assert "has not started" in day.refused(DrawDraftGroups())
    day.start(1)
    assert len(day.do(DrawDraftGroups())) == 1
    first = day.tournament.floor.draft_groups
    assert sorted(itertools.chain(*first)) == list(range(1, 13))
    assert [len(group) for group in first] == [4, 4, 4]
    day.do(DrawDraftGroups())
    assert day.tournament.floor.draft_groups != first
    three = tuple(tuple(range(n, n + 3)) for n in (1, 4, 7, 10))
    assert "AOP-DRAFT" in day.refused_event(DraftGroupsDrawn(3, three))
    assert "every active player" in day.refused_event(DraftGroupsDrawn(3, (*first[:2], first[0])))
    assert "attempt 3" in day.refused_event(DraftGroupsDrawn(1, first))
    day.pair()
    assert "before the first round" in day.refused(DrawDraftGroups())


def test_rw_first_the_lower_total_chooses() -> None:
    """RW-FIRST: equal totals leave it to a random method, whose winner is recorded."""
    day, match, one, two = table_of(BY_TOTAL)
    assert "lower army total" in day.refused_event(FirstPlayerChosen(match, one, one, (200, 190)))
    assert "give them" in day.refused_event(FirstPlayerChosen(match, one, one))
    assert "must sit at" in day.refused_event(FirstPlayerChosen(match, two, 9, (200, 190)))
    assert "rolls do not decide this" in day.refused_event(
        FirstPlayerChosen(match, two, one, (200, 190), ((1, 2),))
    )
    assert "won the choice at the table" in day.refused(
        ChooseFirstPlayer(match, one, totals=(200, 200))
    )
    day.do(ChooseFirstPlayer(match, one, chooser=two, totals=(200, 200)))
    day.do(ChooseFirstPlayer(match, one, totals=(200, 199)))
    assert day.tournament.floor.first_players[match].chooser == two
    assert day.do(ChooseFirstPlayer(match, one, totals=(200, 199))) == []


def test_aop_first_the_most_basics_chooses() -> None:
    """AOP-FIRST: ties are rolled again, every roll is recorded."""
    day, match, one, two = table_of(BY_ROLL)
    for rolls in (((2, 2),), ((3, 2), (4, 1)), ((2, 2), (1, 1))):
        assert "tied rolls must be repeated" in day.refused_event(
            FirstPlayerChosen(match, one, one, None, rolls)
        )
    won = ((2, 2), (4, 1))
    assert "rolls higher" in day.refused_event(FirstPlayerChosen(match, two, one, None, won))
    assert "give them" in day.refused_event(FirstPlayerChosen(match, one, one))
    day.do(ChooseFirstPlayer(match, two, rolls=won))
    assert day.tournament.floor.first_players[match] == FirstPlayerChosen(
        match, one, two, None, won
    )


def test_l5r_first_who_won_the_choice_and_who_is_first() -> None:
    """L5R-FIRST: both are recorded; a match that is over takes no more."""
    day, match, one, two = table_of(AT_RANDOM)
    assert "army totals do not decide this" in day.refused_event(
        FirstPlayerChosen(match, one, two, (1, 2))
    )
    assert "name the player who chose" in day.refused(ChooseFirstPlayer(match, one))
    day.do(ChooseFirstPlayer(match, two, chooser=one))
    day.report_all()
    assert "not being played" in day.refused(ChooseFirstPlayer(match, one, chooser=one))
    plain, number, first, _ = table_of("")
    assert "has no first player" in plain.refused(ChooseFirstPlayer(number, first, chooser=first))


def test_what_the_set_up_recorded_decides_and_is_not_told_otherwise() -> None:
    """L5R-FIRST, SWL-SIDES: recorded once, and refused where a report says something else."""
    day = Day(2, ruleset="legion")
    day.start(1)
    match = day.pair()[0]
    day.do(TakeSide(match.number, blue=match.second, totals=(800, 790)))
    day.do(StartRound())
    day.do(CallTime())
    equal = {"tokens": (2, 2), "score": (300, 300)}
    told = day.refused(
        Report(match.number, StatedResult(facts={**equal, "blue": (1, 0)}, ending="time"))
    )
    assert "blue must be 0:1, as recorded in the set-up of this match (SWL-SIDES)" in told
    day.do(Report(match.number, StatedResult(facts=equal, ending="time")))
    result = day.tournament.matches[match.number].result
    assert result is not None
    assert (result.outcomes, result.facts["blue"]) == (("loss", "win"), (0, 1))

    court = Day(2)
    court.start(1)
    match = court.pair()[0]
    court.do(ChooseFirstPlayer(match.number, match.first, chooser=match.second))
    court.do(StartRound())
    court.do(CallTime())
    count = {"broken": (2, 2), "honor": (5, 5), "passed": (1, 1), "leader": (1, 1)}
    later = {"broken-after": (2, 2), "honor-after": (5, 5)}
    court.do(Report(match.number, StatedResult(facts=count | later, ending="time")))
    result = court.tournament.matches[match.number].result
    assert result is not None
    assert result.outcomes == ("modified win", "modified loss")


def test_rw_side_is_the_second_players() -> None:
    """RW-SIDE: after the first player is known."""
    day, match, one, two = table_of(BY_TOTAL + SECOND_CHOOSES)
    assert "before the sides" in day.refused_event(SideTaken(match, two, two))
    assert "the first player must be chosen first (RW-SIDE)" in day.refused(
        TakeSide(match, blue=two)
    )
    day.do(ChooseFirstPlayer(match, one, totals=(190, 200)))
    assert "second player must choose" in day.refused_event(SideTaken(match, one, one))
    assert "army totals do not decide this" in day.refused_event(SideTaken(match, two, two, (1, 2)))
    day.do(TakeSide(match, blue=one))
    assert day.tournament.floor.sides[match] == SideTaken(match, two, one)
    day, match, one, two = table_of(BY_TOTAL + SECOND_CHOOSES)
    day.do(ChooseFirstPlayer(match, two, totals=(190, 200)))  # who chose made the other one first
    assert "second player must choose" in day.refused_event(SideTaken(match, two, two))
    day.do(TakeSide(match, blue=two))
    assert day.tournament.floor.sides[match] == SideTaken(match, one, two)


@pytest.mark.parametrize("first", [0, 1])
def test_who_was_drawn_for_the_first_player_chooses_no_side(first: int) -> None:
    """RW-FIRST, RW-SIDE: the side is the second player's, whoever was drawn before."""
    day, match, *players = table_of(BY_TOTAL + SECOND_CHOOSES)
    day.do(DrawChooser(match, (200, 200)))
    day.do(ChooseFirstPlayer(match, players[first], totals=(200, 200)))
    day.do(TakeSide(match, blue=players[0]))
    assert day.tournament.floor.sides[match].chooser == players[1 - first]


@pytest.mark.parametrize(
    ("floor", "clause"), [(LOWER_CHOOSES, "SWL-SIDES"), (BY_TOTAL, "RW-FIRST")]
)
def test_equal_totals_leave_it_to_a_draw(floor: str, clause: str) -> None:
    """SWL-SIDES, RW-FIRST: drawn once, by either with a half, and who was drawn chooses."""
    drawn = set()
    for key in range(12):
        day = Day(2, ruleset="swiss", floor=floor, shuffle_key=bytes([key]) * 32)
        day.start(1)
        match = day.pair()[0]
        assert clause in day.refused(DrawChooser(match.number))
        assert clause in day.refused(DrawChooser(match.number, (199, 200)))
        event = day.do(DrawChooser(match.number, (200, 200)))[0].event
        assert isinstance(event, ChooserDrawn)
        assert day.do(DrawChooser(match.number, (200, 200))) == []
        assert "has already been drawn" in day.refused_event(event)
        chance = Draws(bytes([key]) * 32, "chooser@1", match.number)
        assert event.chooser == match.players[chance.below(2)]
        drawn.add(match.players.index(event.chooser))
        wrong = next(player for player in match.players if player != event.chooser)
        chosen: type[FirstPlayerChosen | SideTaken]
        chosen = SideTaken if floor == LOWER_CHOOSES else FirstPlayerChosen
        chose = TakeSide if floor == LOWER_CHOOSES else ChooseFirstPlayer
        equal = (200, 200)
        assert "was drawn" in day.refused_event(chosen(match.number, wrong, wrong, equal))
        done = day.do(chose(match.number, wrong, totals=equal))[0].event
        assert done == chosen(match.number, event.chooser, wrong, equal)
    assert drawn == {0, 1}


def test_nobody_is_drawn_where_nothing_is_left_to_chance() -> None:
    day, match, one, two = table_of(SECOND_CHOOSES)
    assert "does not record which player chooses" in day.refused(DrawChooser(match))
    other, match, one, two = table_of(AT_RANDOM)
    assert "does not sit" in other.refused_event(ChooserDrawn(match, 9))
    other.do(DrawChooser(match))
    other.do(ChooseFirstPlayer(match, one))
    assert other.tournament.floor.first_players[match].chooser in {one, two}
    other.report_all()
    assert "not being played" in other.refused_event(ChooserDrawn(match, one))


def test_swl_sides_the_lower_total_chooses() -> None:
    """SWL-SIDES, SWL-FIXED-TERRAIN: an edge only where the terrain is fixed."""
    day, match, one, two = table_of(LOWER_CHOOSES)
    assert "lower army total" in day.refused_event(SideTaken(match, two, two, (780, 800)))
    assert "give them" in day.refused_event(SideTaken(match, two, two))
    assert "the blue player must sit" in day.refused_event(SideTaken(match, one, 9, (780, 800)))
    day.do(TakeSide(match, blue=two, totals=(780, 800), edge="north"))
    assert day.tournament.floor.sides[match].chooser == one
    assert "before the first round" in day.refused(AnnounceTerrain(fixed=False))
    loose = Day(2, ruleset="swiss", floor=LOWER_CHOOSES + TERRAIN)
    loose.start(1)
    loose.pair()
    edge = SideTaken(1, 1, 1, (5, 5), "north")
    assert "SWL-FIXED-TERRAIN" in loose.refused_event(edge)


def test_swl_terrain() -> None:
    """SWL-TERRAIN: a quarter of each table, pieces and types one apart at most."""
    day = Day(2, floor=TERRAIN)
    day.do(CountTerrain(1, 25, {"forest": 2, "ruin": 3}))
    day.do(CountTerrain(2, 30, {"forest": 3, "ruin": 3}))
    assert terrain_findings(day.tournament) == []
    day.do(CountTerrain(2, 24, {"forest": 4, "ruin": 2}))
    found = terrain_findings(day.tournament)
    assert len(found) == 2
    assert "24 % covered" in str(found[0])
    assert "forest: 4 on table 2, 2 on table 1" in str(found[1])
    day.do(CountTerrain(2, 40, {"forest": 4, "ruin": 3}))
    assert "pieces: 7 on table 2, 5 on table 1" in str(terrain_findings(day.tournament)[0])
    assert "list the terrain" in day.refused(CountTerrain(3, 50, {}))

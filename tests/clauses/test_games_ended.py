"""Acts that end a game in play: what each asks, what the result is worth, how it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from cli.wording.phrases import result_in_words
from ledger import rulesets
from ledger.errors import Refused
from ledger.facts.results import ResultReported, both_left, by_facts, problems, unsaid
from ledger.lines.line import decode
from ledger.rules.clock import ModeratePace
from ledger.rules.command import Command
from ledger.rules.components import GiveUpComponent, MissComponent
from ledger.rules.games_left import LeaveTable
from ledger.rules.office import Penalize
from ledger.rules.people import DisqualifyPlayer, DropPlayer
from ledger.rules.results import Concede, Report, StatedResult
from ledger.rules.rounds import StartRound
from projections.audit.report import audit_of
from projections.standings.table import standings
from tests.support.simulate import Day, game_in_play

if TYPE_CHECKING:
    from ledger.facts.shared import Result

ASKING = ("ashes", "runewars", "mtg", "xwing2")
WHY = "both had packed up"
Facts = dict[str, tuple[int, int]]
Make = Callable[[Day, int, int, Facts, str], Command]


def playing(game: str) -> tuple[Day, int, int]:
    """A round of four that runs: its first match, and who sits first there."""
    day = Day(4, ruleset=game)
    day.start(2)
    match = day.pair()[0]
    day.do(StartRound())
    return day, match.number, match.first


def _reported(ending: str, outcome: str) -> Make:
    def make(_: Day, match: int, _player: int, facts: Facts, why: str) -> Command:
        return Report(match, StatedResult(outcome, facts=facts, ending=ending, unknown=why))

    return make


def _penalty(kind: str) -> Make:
    def make(_: Day, _match: int, player: int, facts: Facts, why: str) -> Command:
        return Penalize(player, kind, "stalled", facts=facts, unknown=why)  # type: ignore[arg-type] # of ACTS

    return make


def _gone(day: Day, _match: int, player: int, facts: Facts, why: str) -> Command:
    if player not in day.tournament.floor.missing:
        day.do(MissComponent(player, "the general"))
    return GiveUpComponent(player, facts, why)


LOSSES: dict[str, Make] = {
    "concede": lambda _, __, player, facts, why: Concede(player, facts, why),
    "drop": lambda _, __, player, facts, why: DropPlayer(player, facts=facts, unknown=why),
    "drop unable": lambda _, __, player, facts, why: DropPlayer(
        player, "unable", facts=facts, unknown=why
    ),
    "report concession": _reported("concession", "loss"),
    "remove": lambda _, __, player, facts, why: DropPlayer(
        player, "conduct", "threw dice", facts, why
    ),
    "disqualify": lambda _, __, player, facts, why: DisqualifyPlayer(
        player, "two decks", facts=facts, unknown=why
    ),
    "match loss": _penalty("match loss"),
    "game forfeit": _penalty("game forfeit"),
    "removal": _penalty("removal"),
}
OF_ONE_GAME: dict[tuple[str, str], Make] = {
    ("ashes", "declared win"): _penalty("declared win"),
    ("ashes", "declared draw"): _penalty("declared draw"),
    ("ashes", "report declared"): _reported("declared", "loss"),
    ("ashes", "report forfeit"): _reported("forfeit", "loss"),
    ("ashes", "both leave"): lambda _, match, __, facts, why: LeaveTable(
        match, "packed up", "request", facts, why
    ),
    ("ashes", "both unable"): lambda _, match, __, facts, why: LeaveTable(
        match, "", "unable", facts, why
    ),
    ("xwing2", "both leave"): lambda _, match, __, facts, why: LeaveTable(
        match, "", "request", facts, why
    ),
    ("ashes", "slow play"): lambda _, match, player, facts, why: ModeratePace(
        match, remedy="forfeit", player=player, reason="slow", facts=facts, unknown=why
    ),
    ("runewars", "component gone"): _gone,
    ("runewars", "report imposed loss"): _reported("imposed loss", "loss"),
    ("mtg", "report imposed loss"): _reported("imposed loss", "loss"),
    ("xwing2", "report imposed loss"): _reported("imposed loss", "loss"),
}
ACTS = [(game, name, make) for game in ASKING for name, make in LOSSES.items()] + [
    (game, name, make) for (game, name), make in OF_ONE_GAME.items()
]
IMPOSED = frozenset({"remove", "disqualify", "match loss", "game forfeit", "removal"})


def result_of(day: Day, match: int) -> Result:
    """The result of a match that has one."""
    result = day.tournament.matches[match].result
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("game", "name", "make"), ACTS, ids=[f"{game}-{name}" for game, name, _ in ACTS]
)
def test_every_act_that_ends_a_game_asks_for_its_numbers(game: str, name: str, make: Make) -> None:
    """AOP-BLOOD, RW-CONCEDE: without them nothing is written; unknown ones need a reason."""
    day, match, player = playing(game)
    refused = day.refused(make(day, match, player, {}, " "))
    assert ".fact]" in refused
    assert day.tournament.matches[match].result is None
    given, _, _ = playing(game)
    given.do(make(given, match, player, game_in_play(game), ""))
    result = result_of(given, match)
    assert unsaid(given.tournament.ruleset, result) == []
    assert set(game_in_play(game)) <= set(result.facts)
    day.do(make(day, match, player, {}, WHY))
    found = [each for each in audit_of(map(decode, day.lines)).findings if each.kind == NUMBER]
    assert [(each.match, each.reason) for each in found] == [(match, WHY)]
    assert all(each.kind != NUMBER for each in audit_of(map(decode, given.lines)).findings)
    is_imposed = name in IMPOSED or "imposed" in name or "decl" in name or "slow" in name
    manner = "departure" if "both" in name else "concession"
    assert result.manner == ("declared" if is_imposed or "forfeit" in name else manner)


NUMBER = "unknown-number"


@pytest.mark.parametrize("game", ["l5r", "legion", "swiss", "netrunner"])
@pytest.mark.parametrize("name", sorted(LOSSES))
def test_a_game_whose_points_need_no_number_asks_nothing(game: str, name: str) -> None:
    """L5R-SCORE, SWL-SCORE: a loss is a loss there."""
    if name == "report concession" and game not in {"l5r", "legion"}:
        pytest.skip("this game has no endings")
    day, match, player = playing(game)
    day.do(LOSSES[name](day, match, player, {}, ""))
    assert result_of(day, match).manner == ("declared" if name in IMPOSED else "concession")


@pytest.mark.parametrize("name", ["disqualify", "match loss", "removal", "remove"])
@pytest.mark.parametrize("army", [(0, 0), (60, 120), (140, 20), (200, 0)])
def test_an_imposed_loss_is_worth_what_conceding_that_board_is(
    name: str, army: tuple[int, int]
) -> None:
    """RW-CONCEDE, FFG-AUTH-CONDUCT: points and margin are the same; no 10 and 200 by default."""
    results = []
    for act in ("concede", name):
        day, match, player = playing("runewars")
        day.do(LOSSES[act](day, match, player, {"army": army}, ""))
        results.append(result_of(day, match))
    conceded, imposed = results
    assert (imposed.points, imposed.fields) == (conceded.points, conceded.fields)
    assert (imposed.manner, conceded.manner) == ("declared", "concession")


@pytest.mark.parametrize("name", [*LOSSES, "slow play"])
def test_who_loses_a_begun_game_keeps_the_wounds_dealt(name: str) -> None:
    """AOP-BLOOD: 25 to the winner, and to the loser what they had dealt."""
    make = LOSSES.get(name) or OF_ONE_GAME["ashes", name]
    day, match, player = playing("ashes")
    day.do(make(day, match, player, {"wounds": (14, 3)}, ""))
    result = result_of(day, match)
    assert (result.points, result.fields) == ((0, 3), {"blood": (14, 25)})


def test_both_leave_and_keep_the_wounds_dealt() -> None:
    """AOP-BLOOD: whoever loses a game that had begun keeps them, and here both lose."""
    day, match, player = playing("ashes")
    leave = LeaveTable(match, facts={"wounds": (14, 3)})
    day.do(leave)
    result = result_of(day, match)
    assert (result.outcomes, result.points) == (("loss", "loss"), (0, 0))
    assert (result.fields, result.facts) == ({"blood": (14, 3)}, {"wounds": (14, 3)})
    first, second = day.tournament.matches[match].players
    day.do(leave)
    day.do(LeaveTable(match))
    assert result_of(day, match) == result
    assert [day.tournament.players[number].status for number in (first, second)] == ["dropped"] * 2
    assert player == first
    rows = {row.player: row for row in standings(day.tournament).rows}
    assert [rows[number].tiebreakers[1] for number in (first, second)] == [14, 3]
    table = day.tournament.matches[match]
    assert "(both left) [wounds 14:3]" in result_in_words(day.tournament, table, result)


@pytest.mark.parametrize("act", ["drop", "disqualify", "match loss", "removal"])
def test_one_after_the_other_the_first_act_asks_for_both(act: str) -> None:
    """AOP-BLOOD: the second player to go won that game, and nothing more is asked."""
    day, match, player = playing("ashes")
    opponent = day.tournament.matches[match].second
    assert ".fact]" in day.refused(LOSSES[act](day, match, player, {}, " "))
    day.do(LOSSES[act](day, match, player, {"wounds": (14, 3)}, ""))
    day.do(LOSSES[act](day, match, opponent, {}, ""))
    assert result_of(day, match).fields == {"blood": (14, 25)}


@pytest.mark.parametrize("game", ["l5r", "legion", "swiss", "netrunner", "runewars", "mtg"])
def test_both_leave_and_nothing_counts_for_a_loser(game: str) -> None:
    """FFG-DROP: nobody won, so the margin of a winner or the games of a match are not asked."""
    day, match, _ = playing(game)
    if game in ASKING:
        order = LeaveTable(match, facts=game_in_play(game))
        assert "must be left out: no side's result depends on it" in day.refused(order)
    day.do(LeaveTable(match))
    assert (result_of(day, match).fields, result_of(day, match).facts) == ({}, {})
    assert all(each.kind != NUMBER for each in audit_of(map(decode, day.lines)).findings)


def test_both_who_did_not_come_have_no_numbers() -> None:
    """FFG-DROP: no game was played."""
    day, match, _ = playing("ashes")
    order = LeaveTable(match, reason="no-show", facts={"wounds": (14, 3)})
    assert "no game is played at 1/1" in day.refused(order)
    day.do(LeaveTable(match, reason="no-show"))
    assert result_of(day, match).fields == {}


@pytest.mark.parametrize(
    "change", [{"fields": {"blood": (14, 25)}}, {"facts": {"wounds": (30, 3)}}, {"fields": {}}]
)
def test_a_line_whose_wounds_do_not_follow_is_refused(change: dict[str, Facts]) -> None:
    """AOP-BLOOD: the log is compared with its facts, whatever program wrote it."""
    rules = rulesets.load("ashes").ruleset
    result = both_left(rules, {"wounds": (14, 3)})
    assert problems(rules, result, elimination=False) == ()
    assert problems(rules, structs.replace(result, **change), elimination=False)
    assert problems(rules, both_left(rules), elimination=False) == ()  # a line of an earlier log


def test_declarations_keep_the_blood_of_both_sides() -> None:
    """AOP-DECLARE, AOP-BLOOD: a declared win and a declared draw."""
    for kind, points, blood in (
        ("declared win", (3, 0), (25, 3)),
        ("declared draw", (1, 1), (14, 3)),
    ):
        day, match, player = playing("ashes")
        day.do(_penalty(kind)(day, match, player, {"wounds": (14, 3)}, ""))
        result = result_of(day, match)
        assert (result.points, result.fields["blood"]) == (points, blood)


@pytest.mark.parametrize("game", ASKING)
def test_before_the_round_has_begun_nothing_is_asked(game: str) -> None:
    """AOP-BLOOD: of games that had begun, as one that ended at another table shows."""
    day = Day(6, ruleset=game)
    day.start(2)
    one, other, third = day.pair()
    day.do(DisqualifyPlayer(one.first, "two decks"))
    assert day.tournament.matches[one.number].result is not None
    assert all(each.kind != NUMBER for each in audit_of(map(decode, day.lines)).findings)
    day.do(Concede(other.first, game_in_play(game)))
    order = Penalize(third.first, "match loss", "two decks")
    assert ".fact]" in day.refused(order)


def _draw_at_time(wounds: tuple[int, int], destroyed: tuple[int, int] | None) -> Result:
    facts = {"wounds": wounds} | ({"destroyed": destroyed} if destroyed else {})
    return by_facts(rulesets.load("ashes").ruleset, "time", facts)


@pytest.mark.parametrize("wounds", [(25, 3), (3, 25), (25, 25)])
def test_all_wounds_at_time_need_a_word_on_who_stands(wounds: tuple[int, int]) -> None:
    """AOP-OUTCOME, AOP-BLOOD: a Phoenixborn with 25 wounds is destroyed, or is said not to be."""
    with pytest.raises(Refused, match="destroyed"):
        _draw_at_time(wounds, None)
    assert _draw_at_time(wounds, (0, 0)).outcomes == ("draw", "draw")
    assert _draw_at_time((24, 3), None).outcomes == ("draw", "draw")
    assert _draw_at_time((25, 3), (0, 1)).fields == {"blood": (25, 3)}


NEVER_ASKED = {
    ("runewars", "objectives"),
    ("runewars", "total"),
    ("runewars", "remaining"),
    ("mtg", "drawn"),
}
"""Without objectives and drawn games there are none, in a report as well; total and remaining are
another way to tell the army."""


@pytest.mark.parametrize("game", sorted(rulesets.names()))
def test_no_number_that_a_lost_game_depends_on_is_left_unasked(game: str) -> None:
    """Try both ends of every fact: who changes the worth of a marked loss must be asked for."""
    rules = rulesets.load(game).ruleset
    declared = rules.derives
    for ending in declared.endings if declared else ():
        if not (ending.marks and ending.manner in {"concession", "declared"}):
            continue
        asked = {*ending.asks, *ending.needs, ending.marks}
        worth = partial(_worth, game, ending.name, {ending.marks: (1, 0)})
        for fact in declared.facts if declared else ():
            ways = [(low, high) for low in (fact.min, fact.max) for high in (fact.min, fact.max)]
            values = {worth(fact.name, way) for way in ways} - {None}
            changes = len(values) > 1
            if (game, fact.name) not in NEVER_ASKED and fact.name != ending.marks:
                assert not changes or fact.name in asked, (ending.name, fact.name)


def _worth(game: str, ending: str, marks: Facts, name: str, pair: tuple[int, int]) -> object:
    rules = rulesets.load(game).ruleset
    try:
        result = by_facts(rules, ending, {**marks, name: pair})
    except Refused:
        return None
    return result.points, tuple(sorted(result.fields.items()))


def test_a_log_without_that_ending_keeps_a_concession_and_views_say_why() -> None:
    """FFG-AUTH-DQ: the ruleset of an earlier log has no declared loss; the event behind tells."""
    text = rulesets.text_of("mtg").replace("comparison@2", "comparison@1")
    start = text.index('[[procedure.endings]]\nclause = "MTG-CONCEDE"\nname = "imposed loss"')
    text = text[:start] + text[text.index("[[procedure.facts]]") :]
    day, match, player = playing(text)
    day.do(DisqualifyPlayer(player, "two decks", facts={"games": (1, 0)}))
    result = result_of(day, match)
    assert result.manner == "concession"
    kept, number, loser = playing("mtg")
    kept.do(Concede(loser, {"games": (1, 0)}))
    for told, words in ((day, "removed by a decision"), (kept, "by concession")):
        table = told.tournament.matches[number]
        assert table.result is not None
        assert words in result_in_words(told.tournament, table, table.result)


def test_earlier_logs_have_the_result_before_the_removal() -> None:
    """FFG-AUTH-DQ: in that order, a concession whose loser is disqualified next is a decision."""
    day, match, player = playing("l5r")
    day.do(Concede(player))
    day.do(DisqualifyPlayer(player, "two decks"))
    table = day.tournament.matches[match]
    assert table.result is not None
    assert "removed by a decision" in result_in_words(day.tournament, table, table.result)


def test_the_reason_of_an_unknown_number_is_sealed_with_the_event() -> None:
    """FFG-RULING: what is typed about people is a text of the event, and may be forgotten."""
    day, match, player = playing("ashes")
    recorded = day.do(Concede(player, {}, WHY))
    (event,) = [each.event for each in recorded if isinstance(each.event, ResultReported)]
    assert event.waiver is not None
    assert (event.match, event.waiver.clauses, event.waiver.reason) == (match, ("AOP-BLOOD",), WHY)

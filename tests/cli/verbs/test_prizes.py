"""Prizes follow the final order, and fewer rounds than the table are a named departure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.components import PrizeAwarded
from ledger.facts.shared import Stage, StructureAnnounced
from ledger.proof.lines import RULES
from ledger.rules.components import AwardPrize, OfferPrize
from ledger.rules.elimination import FinishTournament
from ledger.rules.games_left import LeaveTable
from ledger.rules.opening import StartTournament
from ledger.rules.rounds import CloseRound
from tests.support.cli_desk import typed_once
from tests.support.sample_rules import begun_by_rules
from tests.support.simulate import Day

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

GAMES = ("l5r", "runewars", "ashes", "legion", "mtg", "xwing2")
NAMES = ("Ann", "Bob", "Cem", "Dan")


def opened(desk: Desk, game: str, players: int) -> None:
    """Open an event of a game for so many players."""
    desk.done("new", "Day", "--ruleset", game, "--organizer", "Kim")
    for number in range(players):
        desk.done("register", NAMES[number] if players <= len(NAMES) else f"Player {number}")


def titles(desk: Desk) -> dict[str, str]:
    """Return the titles and reasons that `audit` lists."""
    found = desk.done("audit", "--json").json["findings"]
    return {finding["kind"]: finding["reason"] for finding in found}


def played(desk: Desk, game: str) -> list[str]:
    """Play a day of two, and return the names in their final order."""
    opened(desk, game, 2)
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair", "--unchecked", "--reason", "a test")
    desk.done("report", "1", "no-show", "bob")
    desk.done("finish")
    return ["Ann", "Bob"]


@pytest.mark.parametrize("game", GAMES)
def test_a_prize_for_placing_follows_the_final_order(desk: Desk, game: str) -> None:
    """AOP-ORGANIZER: to the next highest; another player, and a second time, need a reason."""
    first, last = played(desk, game)
    assert "was not offered" in desk.refused("prize", "award", first, "a mat").err
    desk.done("prize", "offer", "1", "a mat")
    assert f"goes to {first}" in desk.refused("prize", "award", last, "a mat").err
    desk.done("prize", "award", first, "a mat")
    assert "prize" not in titles(desk)
    assert "awarded 1 times" in desk.refused("prize", "award", last, "a mat").err
    desk.done("prize", "award", last, "a mat", "--reason", "a second mat was left")
    assert titles(desk)["prize"] == "a second mat was left"


@pytest.mark.parametrize("game", GAMES)
def test_no_prize_for_placing_is_won_before_the_end(desk: Desk, game: str) -> None:
    """AOP-ORGANIZER: places are known at the end; prizes for taking part are given any time."""
    opened(desk, game, 4)
    desk.done("prize", "offer", "1", "a mat")
    assert "play is not over" in desk.refused("prize", "award", "ann", "a mat").err
    desk.done("prize", "award", "ann", "a card", "--kind", "participation")
    assert "prize" not in titles(desk)
    desk.done("prize", "award", "ann", "a mat", "--reason", "she must leave")
    assert titles(desk)["prize"] == "she must leave"


@typed_once
def forty(desk: Desk) -> Desk:
    """Forty players of Ashes."""
    opened(desk, "ashes", 40)
    return desk


def test_aop_rounds_fewer_need_a_reason(forty: Desk) -> None:
    """AOP-ROUNDS: 33 and more play at least 6 rounds."""
    told = forty.refused("start", "custom", "--rounds", "2").err
    assert "6 rounds with 40 players" in told
    assert "AOP-ROUNDS" in told
    forty.done("start", "custom", "--rounds", "2", "--reason", "the hall closes at noon")
    assert titles(forty)["few-rounds"] == "the hall closes at noon"


def test_aop_rounds_as_many_as_the_table_need_none(forty: Desk) -> None:
    """AOP-ROUNDS: at least 6."""
    forty.done("start", "custom", "--rounds", "7")
    assert "few-rounds" not in titles(forty)


@pytest.mark.parametrize("rules", [3, RULES])
def test_aop_rounds_a_line_with_fewer_is_refused(rules: int) -> None:
    """AOP-ROUNDS: also in a command of a program, and in the log, if it was begun by now."""
    with begun_by_rules(rules):
        day = Day(9, ruleset="ashes")
    stages = (Stage("swiss", 3),)
    told = day.refused(StartTournament("custom", stages))
    assert "ashes asks for 4 rounds with 9 players" in told
    assert "AOP-ROUNDS" in told
    wrong = day.refused_event(StructureAnnounced("custom", stages, 9))
    assert ("AOP-ROUNDS" in wrong) == (rules == RULES)
    assert day.refused_event(StructureAnnounced("custom", stages, 9, reason="a short day")) == ""
    assert day.refused_event(StructureAnnounced("custom", (Stage("swiss", 4),), 9)) == ""


@pytest.mark.parametrize(("players", "is_told"), [(3, True), (4, False)])
def test_aop_rounds_fewer_than_four_players_are_not_recommended(
    desk: Desk,
    players: int,
    is_told: bool,  # noqa: FBT001 - a case
) -> None:
    """AOP-ROUNDS: a note, and no refusal."""
    opened(desk, "ashes", players)
    told = desk.done("start", "custom", "--rounds", "3").err
    assert ("fewer than 4 players are not recommended in ashes (AOP-ROUNDS)" in told) == is_told


@pytest.mark.parametrize("rules", [3, RULES])
@pytest.mark.parametrize("game", ["ashes", "l5r"])
def test_a_line_with_a_prize_that_nobody_can_have_won_is_refused(game: str, rules: int) -> None:
    """AOP-ORGANIZER: before the end, without an offer, all awarded, or twice to one player."""
    with begun_by_rules(rules):
        day = Day(2, ruleset=game)
    mat = PrizeAwarded(1, "a mat", "placing")

    def refused(text: str) -> bool:
        assert day.refused_event(PrizeAwarded(1, "a mat", "placing", "she asked")) == ""
        assert day.refused_event(PrizeAwarded(1, "a mat", "participation")) == ""
        return text in day.refused_event(mat)

    day.start(1)
    assert refused("play is not over") == (rules == RULES)
    match = day.pair()[0]
    day.do(LeaveTable(match.number, reason="no-show"))
    day.do(CloseRound())
    day.do(FinishTournament())
    assert refused("was not offered") == (rules == RULES)
    day.do(OfferPrize("a mat", 1, 1))
    assert not refused("a mat")
    day.do(AwardPrize(1, "a mat", "placing"))
    assert refused("already has a mat") == (rules == RULES)
    another = PrizeAwarded(2, "a mat", "placing")
    assert ("awarded 1 times" in day.refused_event(another)) == (rules == RULES)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "ashes"])
def test_elsewhere_a_custom_structure_is_a_choice(desk: Desk, game: str) -> None:
    """FFG-STRUCTURE: their organizers may announce any rounds."""
    opened(desk, game, 4)
    desk.done("start", "custom", "--rounds", "1")
    assert "few-rounds" not in titles(desk)


def test_prizes_that_were_not_offered_are_listed_with_their_reason(desk: Desk) -> None:
    """An award of another kind, or for a reason, is a row, in the table and for scripts."""
    played(desk, "l5r")
    desk.done("prize", "award", "bob", "Best painted", "--kind", "other")
    desk.done("prize", "award", "bob", "a mat", "--reason", "a second mat was left")
    desk.done("prize", "offer", "1", "a cup")
    desk.done("prize", "award", "ann", "a cup")
    said = desk.done("prize").out
    for words in ("Best painted", "other", "a second mat was left"):
        assert words in said
    assert said.count("a cup") == 1
    rows = desk.done("prize", "--json").json
    assert [(row["rank"], row["name"], row["kind"], row["reason"]) for row in rows] == [
        (1, "Ann", "placing", ""),
        (None, "Bob", "other", ""),
        (None, "Bob", "placing", "a second mat was left"),
    ]
    title, *lines = desk.done("prize", "--csv").out.splitlines()
    assert title.split(",")[-2:] == ["kind", "reason"]
    assert [line.count("Bob") for line in lines] == [0, 1, 1]
    desk.done("export", "-o", "day.jsonl")
    assert "Best painted" in desk.done("--log", "day.jsonl", "prize").out

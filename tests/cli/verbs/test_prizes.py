"""Prizes follow the final order, and fewer rounds than the table are a named departure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

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


@pytest.mark.parametrize("game", [game for game in GAMES if game != "ashes"])
def test_elsewhere_a_custom_structure_is_a_choice(desk: Desk, game: str) -> None:
    """FFG-STRUCTURE: their organizers may announce any rounds."""
    opened(desk, game, 4)
    desk.done("start", "custom", "--rounds", "1")
    assert "few-rounds" not in titles(desk)

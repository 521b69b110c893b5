"""A registration is put right: faction, league id, attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.facts.people import PersonForgotten, PlayerAmended
from ledger.facts.undo import ActWithdrawn
from ledger.fold import evolve, fold_lines
from ledger.lines.recorded import record
from ledger.rules.people import AmendPlayer, Entry, RegisterPlayers, WithdrawRegistration
from ledger.rules.undo import Undo
from ledger.rulesets import load, parse, text_of
from tests.support.forging import against
from tests.support.season import opened, take_in, write_log
from tests.support.simulate import Day
from tests.truth.season_truth import check_against_the_fold, rows

if TYPE_CHECKING:
    from pathlib import Path


def day_of_two() -> Day:
    day = Day([])
    day.do(RegisterPlayers((Entry("Ann", "Crane", "id-1", {"club": "Altona"}), Entry("Bob"))))
    return day


def particulars(day: Day, number: int) -> tuple[str, str, dict[str, str]]:
    player = day.tournament.players[number]
    return player.faction, player.league_id, player.attributes


def test_members_that_are_not_named_stay() -> None:
    day = day_of_two()
    day.do(AmendPlayer(1, faction="Crab"))
    assert particulars(day, 1) == ("Crab", "id-1", {"club": "Altona"})
    day.do(AmendPlayer(1, league_id="", attributes={"club": "", "seat": "near the door"}))
    assert particulars(day, 1) == ("Crab", "", {"seat": "near the door"})
    assert fold_lines(day.lines) == day.tournament
    assert day.do(AmendPlayer(1, faction="Crab")) == []


def test_an_amendment_is_taken_back_last_first() -> None:
    day = day_of_two()
    (first,) = day.do(AmendPlayer(1, faction="Crab"), by="o1")
    day.do(AmendPlayer(1, faction="Lion", attributes={"club": "Horn"}))
    day.do(Undo())
    assert particulars(day, 1) == ("Crab", "id-1", {"club": "Altona"})
    day.do(AmendPlayer(1, faction="Lion"))
    assert "not the latest amendment" in against(day, ActWithdrawn(first.seq, "wrong"))


def test_a_league_id_is_one_person() -> None:
    day = day_of_two()
    with pytest.raises(Refused, match="league id id-1 belongs to player 1"):
        day.do(AmendPlayer(2, league_id="id-1"))
    with pytest.raises(Refused, match="league id id-1 belongs to player 1"):
        day.do(RegisterPlayers((Entry("Cas", league_id="id-1"),)))
    twice = tuple(Entry(name, league_id="x") for name in ("Dee", "Eve"))
    with pytest.raises(Refused, match="also the league id of entry 1"):
        day.do(RegisterPlayers(twice))
    assert "belongs to" in against(day, PlayerAmended(2, league_id="id-1"))
    assert not against(day, PlayerAmended(1, league_id="id-1"))


def test_who_is_not_amended() -> None:
    day = day_of_two()
    assert "not in the tournament" in against(day, PlayerAmended(7, "Crab"))
    assert "must change something" in against(day, PlayerAmended(1))
    assert "not a label" in against(day, PlayerAmended(1, attributes={"a  b": "x"}))
    day.do(WithdrawRegistration(2, "went home"))
    assert "not in the tournament" in against(day, PlayerAmended(2, "Crab"))
    forgotten = record(
        day.tournament.seq + 1, "forgotten", "2026-03-14T12:00:00.000Z", "o1", PersonForgotten("p1")
    )
    evolve(day.tournament, forgotten)
    assert "was erased" in against(day, PlayerAmended(1, "Crab"))


def test_factions_are_the_games() -> None:
    """An earlier text, without them, reads as before."""
    assert "Crab" in load("l5r").ruleset.factions
    old = "\n".join(line for line in text_of("l5r").split("\n") if "factions = " not in line)
    assert parse(old).factions == ()


def test_the_season_has_what_is_amended(tmp_path: Path) -> None:
    day = day_of_two()
    day.do(AmendPlayer(1, faction="Crab", attributes={"club": "", "shirt": "L"}))
    day.do(AmendPlayer(2, league_id="id-2"))
    day.do(AmendPlayer(2, league_id="id-3"))
    day.do(Undo())
    day.start(1)
    day.pair()
    take_in(tmp_path / "s.duckdb", write_log(tmp_path / "day.jsonl", day.lines))
    with opened(tmp_path / "s.duckdb") as connection:
        check_against_the_fold(connection, day.lines)
        found = rows(connection, "SELECT player, faction, league_id, attributes FROM entrants")
    assert found == [(1, "Crab", "id-1", {"shirt": "L"}), (2, "", "id-2", {})]

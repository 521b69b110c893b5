"""Logs in which nobody is left, or one player: rounds, cuts and ends of nobody break nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.facts.base import Waiver
from ledger.facts.elimination import CutMade
from ledger.facts.opening import TournamentFinished
from ledger.facts.rounds import RoundClosed
from ledger.facts.shared import Stage
from ledger.rules.opening import StartTournament
from ledger.rules.people import DropPlayer
from ledger.rules.rounds import CloseRound
from tests.support.forging import against, forged_log, pairing
from tests.support.season import write_log
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.facts.rounds import RoundPaired
    from tests.support.cli_desk import Desk

WAIVED = Waiver(("FFG-BYE-LATER", "FFG-REMATCH"), "all there is")
OF_NOBODY: tuple[tuple[tuple[int, int], ...], ...] = ((), ((0, 0),), ((0, 0), (0, 0)))
PLANS = {
    "swiss": (Stage("swiss", 3),),
    "cut": (Stage("swiss", 1), Stage("single", entry="top", size=2)),
    "points": (Stage("swiss", 1), Stage("swiss", 2, "points", 999)),
    "list": (Stage("swiss", 1), Stage("swiss", 2, "list")),
    "single": (Stage("single"),),
    "long single": (Stage("single", 3),),
}


def emptied(*stages: Stage, played: int = 1, left: int = 0) -> Day:
    """A day of four players with so many rounds closed, that all but so many have left."""
    day = Day(4)
    day.do(StartTournament("custom", stages))
    for _ in range(played):
        day.pair()
        day.report_all()
        day.do(CloseRound())
    for player in day.tournament.active()[left:]:
        day.do(DropPlayer(player))
    return day


@pytest.mark.parametrize("waiver", [None, WAIVED])
@pytest.mark.parametrize("games", OF_NOBODY)
@pytest.mark.parametrize("left", [0, 1])
def test_no_round_of_nobody(
    games: tuple[tuple[int, int], ...], waiver: Waiver | None, left: int
) -> None:
    day = emptied(*PLANS["swiss"], left=left)
    assert "round 2 has no players" in against(day, pairing(day, *games, waiver=waiver))


def test_a_foreign_file_may_tell_of_a_round_of_nobody() -> None:
    day = emptied(*PLANS["swiss"])
    day.tournament.importing = True
    assert against(day, pairing(day)) == ""


def test_who_is_left_alone_has_a_bye() -> None:
    day = emptied(*PLANS["swiss"], left=1)
    alone = day.tournament.active()[0]
    waived = pairing(day, (alone, 0), waiver=WAIVED)
    assert against(day, waived) == ""


def _odd_ends(day: Day, round_paired: RoundPaired, *before: CutMade) -> Iterator[list[bytes]]:
    """The log ends after each of the acts that follow on a round of nobody."""
    number, games = round_paired.round, len(round_paired.games)
    closed = RoundClosed(number, (0,) * games)
    finished = TournamentFinished(*day.context.keys_to_reveal(day.tournament))
    acts = (*before, round_paired, closed, finished)
    for length in range(1, len(acts) + 1):
        yield forged_log(day, *acts[:length])
    yield forged_log(day, finished)


def odd_logs(plan: str) -> Iterator[list[bytes]]:
    """Logs that `check` may refuse or admit, but that nothing may stumble over."""
    stages = PLANS[plan]
    for left in (0, 1):
        for played in (0, 1):
            day = emptied(*stages, played=played, left=left)
            there = tuple(day.tournament.active())
            stage = 2 if stages[1:] and played else 1
            cuts = [(CutMade(2, seeds),) for seeds in ((), there)] if stage > 1 else [()]
            for games in (*OF_NOBODY, *([((there[0], 0),)] if there else [])):
                for cut in cuts:
                    yield from _odd_ends(day, pairing(day, *games, stage=stage), *cut)


def as_foreign(lines: list[bytes]) -> list[bytes]:
    """The log as if its facts came from another program's file."""
    first = json.loads(lines[0])
    first["data"]["imported"] = {"kind": "nrtm", "sha256": "0" * 64}
    del first["data"]["commitment"], first["data"]["hidden"]
    return [msgspec.json.encode(first), *lines[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_nothing_stumbles_over_a_log_of_nobody(desk: Desk, plan: str) -> None:
    folder = desk.folder / "odd"
    folder.mkdir()
    for number, lines in enumerate(odd_logs(plan)):
        for kind, told in (("own", lines), ("foreign", as_foreign(lines))):
            path = write_log(folder / f"{kind}-{number}.jsonl", told)
            codes = {desk.type(verb, str(path)).code for verb in ("replay", "verify")}
            assert codes in ({0}, {1})


@pytest.mark.slow
def test_the_good_logs_beside_those_of_nobody_are_added(desk: Desk) -> None:
    folder = desk.folder / "odd"
    folder.mkdir()
    day = emptied(*PLANS["swiss"])
    for number, games in enumerate(OF_NOBODY):
        path = write_log(folder / f"{number}.jsonl", forged_log(day, pairing(day, *games)))
        assert desk.refused("import", str(path)).code == 1
    write_log(folder / "good.jsonl", day.lines)
    desk.done("season", "add", "odd", "--keep-going")
    assert len(desk.done("season", "--json").json) == 1

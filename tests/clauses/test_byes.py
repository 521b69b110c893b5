"""FFG-BYE-LATER is one rule, whoever asks: draw, table by hand, swap, repair and audit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ledger.facts.base import Waiver
from ledger.facts.rounds import SeatsSwapped, TablesRepaired
from ledger.facts.shared import Stage
from ledger.lines.recorded import record
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.rounds import CloseRound, UnpairRound
from projections.audit.findings import findings_of
from tests.support.forging import against, pairing
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.tournament.state import Match

WAIVED = Waiver(("FFG-BYE-LATER", "FFG-REMATCH"), "asked for a rest")


def test_ffg_bye_first_goes_to_anybody() -> None:
    """FFG-BYE-FIRST: other randomness gives another player the first bye, whoever enrolled last."""
    holders = set()
    for key in range(20):
        day = Day(5, shuffle_key=key.to_bytes(32, "big"))
        day.start(2)
        holders |= {match.first for match in day.pair() if match.is_bye}
    assert holders == {1, 2, 3, 4, 5}


def byes_before(day: Day) -> Counter[int]:
    """How many byes each player had in the rounds before the last one, counted anew."""
    earlier = day.tournament.rounds[:-1]
    return Counter(match.first for played in earlier for match in played.matches if match.is_bye)


def is_second(day: Day, event: Event) -> bool:
    """Whether the audit finds a second bye in the event."""
    seq = day.tournament.seq + 1
    recorded = record(seq, "next", "2026-03-14T12:00:00.000Z", "o1", event)
    return "second-bye" in [
        finding.kind for finding in findings_of(day.tournament, recorded, lambda _: recorded.at)
    ]


def long_day(players: int) -> Day:
    """Two stages, so that everyone has had a bye when the second one begins."""
    day = Day(players)
    day.start(players, Stage("swiss", players, "points", carries=True))
    return day


def in_play(day: Day) -> tuple[list[Match], Match]:
    """Pair the next round, the cut made where it is due: its matches, and that of the bye."""
    first, second = day.tournament.stages
    if len(first.rounds) == first.plan.rounds and not second.cut_seq:
        day.do(MakeCut())
    day.do(PairRound((), "as few rematches as there must be", allow_rematch=True))
    matches = day.matches()
    return matches, next(match for match in matches if match.is_bye)


def swapped(matches: list[Match], bye: Match, player: int) -> list[tuple[int, int]]:
    """The games of the round, had the bye gone to the player."""
    trade = {bye.first: player, player: bye.first}
    return [
        (trade.get(each.first, each.first), trade.get(each.second, each.second)) for each in matches
    ]


@pytest.mark.parametrize("players", [3, 5, 7])
def test_whoever_asks_is_told_the_same(players: int) -> None:
    day = long_day(players)
    for _ in range(players + 2):
        matches, bye = in_play(day)
        had, number = byes_before(day), len(day.tournament.rounds)
        changes = {
            player: swapped(matches, bye, player)
            for player in range(1, players + 1)
            if player != bye.first
        }
        fewest = min(had[player] for player in range(1, players + 1))
        second = {each for each in changes if had[each] > max(fewest, had[bye.first])}
        for player, games in changes.items():
            swap = SeatsSwapped(number, (bye.first, player), "asked for a rest")
            assert ("FFG-BYE-LATER" in against(day, swap)) == (player in second)
            assert is_second(day, swap) == (player in second)
            repair = repaired(day, games)
            assert ("FFG-BYE-LATER" in against(day, repair)) == (player in second)
            assert is_second(day, repair) == (player in second)
        stage = day.tournament.rounds[-1].stage
        day.do(UnpairRound("by hand"))
        second = {player for player in changes if had[player] > fewest}
        for player, games in changes.items():
            forged = pairing(day, *games, stage=stage, attempt=2)
            assert ("FFG-BYE-LATER" in against(day, forged)) == (player in second)
            assert is_second(day, forged) == (player in second)
        in_play(day)
        day.report_all()
        day.do(CloseRound())


def repaired(day: Day, games: list[tuple[int, int]]) -> TablesRepaired:
    """The repair that seats the round like this."""
    were = [(match.first, match.second) for match in day.matches()]
    tables = [at for at, game in enumerate(games) if game != were[at]]
    return TablesRepaired(
        len(day.tournament.rounds),
        tuple(at + 1 for at in tables),
        tuple(games[at] for at in tables),
        tuple(were[at] for at in tables),
        "repair@2",
        "a result was wrong",
    )


def test_a_bye_passed_on_is_no_worse_than_it_was() -> None:
    """Where a waiver gave the bye to who had had one, another of as many may have it instead."""
    day = long_day(5)
    had = []
    for _ in range(2):
        _, bye = in_play(day)
        had.append(bye.first)
        day.report_all()
        day.do(CloseRound())
    day.do(PairRound(((had[0], 0),), "asked for a rest", allow_rematch=True))
    assert is_second(day, SeatsSwapped(3, (had[0], had[1]), "asked for a rest")) is False
    assert "FFG-BYE-LATER" not in against(day, SeatsSwapped(3, (had[0], had[1]), "a rest"))


def test_no_bye_is_waived_that_is_by_the_rule() -> None:
    """A waiver names the bye where it is one: not where everyone has had as many."""
    day = long_day(3)
    for _ in range(3):
        in_play(day)
        day.report_all()
    day.do(MakeCut())
    day.do(PairRound(((1, 2), (3, 0)), "the camera", allow_rematch=True))
    assert day.tournament.rounds[-1].matches[1].is_bye
    assert getattr(day.log[-1].event, "waiver", None) is None


def test_a_late_entrant_does_not_stand_in_the_way_of_a_swap() -> None:
    """Who does not sit in the round can not have its bye."""
    day = Day(3)
    day.start(5)
    for number in range(3):
        day.pair()
        if number < 2:
            day.report_all()
            day.do(CloseRound())
    day.report_all()
    day.do(CloseRound())
    day.do(PairRound((), "only these", allow_rematch=True))
    day.do(RegisterPlayers((Entry("Latecomer"),)))
    bye = next(match for match in day.matches() if match.is_bye)
    other = next(match for match in day.matches() if not match.is_bye)
    swap = SeatsSwapped(4, (bye.first, other.first), "asked for a rest", WAIVED)
    assert against(day, swap) == ""
    assert is_second(day, swap) is False

"""A log whose seats, amendments or pauses were forged is no log: replay says which line and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.log_files import replay_lines
from ledger.facts.clock import RoundExtended, RoundPaused, RoundResumed
from ledger.facts.people import PlayerAmended
from ledger.facts.rounds import PlayersSeated
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.rules.clock import CallTime, ExtendRound, PauseRound
from ledger.rules.people import AmendPlayer, Entry, RegisterPlayers
from ledger.rules.rounds import SeatPlayers, StartRound
from projections.audit.report import audit_of
from projections.standings.table import ranking
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.facts.base import Event


def running() -> Day:
    """Five play a round, and two came late; the first of three has a league id."""
    day = Day([])
    day.do(RegisterPlayers((Entry("Ann", league_id="id-1"), *map(Entry, "BCDE"))))
    day.start(3)
    day.pair()
    day.do(StartRound())
    day.do(RegisterPlayers((Entry("Tina"), Entry("Udo"))))
    return day


def refused(day: Day, event: Event, why: str, *, by: str = "o1") -> None:
    """The last line with another event in it is refused there."""
    last = day.log[-1]
    replay_lines("log", day.lines, ranking)
    forged = encode(replace(last, event=event, by=by))
    with pytest.raises(InvalidLog, match=why):
        replay_lines("log", [*day.lines[:-1], forged], ranking)


SEATS: dict[str, tuple[Callable[[PlayersSeated], PlayersSeated], str]] = {
    "somebody moves": (lambda good: replace(good, was=good.was[::-1]), "have changed"),
    "who sits elsewhere": (lambda good: replace(good, game=(good.game[0], 1)), "already"),
    "nobody": (lambda good: replace(good, game=(good.game[0], 99)), "99"),
    "another round": (lambda good: replace(good, round=2), "not in play"),
    "another table": (lambda good: replace(good, table=1), "have changed"),
    "a table too far": (
        lambda good: PlayersSeated(1, good.table + 2, (6, 7), (0, 0)),
        "not the next table",
    ),
}


@pytest.mark.parametrize("name", SEATS)
def test_seats(name: str) -> None:
    """FFG-REJOIN."""
    forge, why = SEATS[name]
    day = running()
    (seated,) = day.do(SeatPlayers((6,)))
    good = seated.event
    assert isinstance(good, PlayersSeated)
    event = forge(good)
    if event.game[1] == 1 == good.game[0]:
        event = replace(event, game=(good.game[0], 2))
    refused(day, event, why)
    assert "seated" in {each.kind for each in audit_of(day.log).findings}


def test_seats_by_a_player() -> None:
    day = running()
    (seated,) = day.do(SeatPlayers((6,)))
    refused(day, seated.event, "is reserved for officials", by="p6")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (PlayerAmended(2, league_id="id-1"), "belongs to"),
        (PlayerAmended(9, "Crab"), "not in the tournament"),
        (PlayerAmended(1), "must change something"),
    ],
)
def test_amendments(event: PlayerAmended, why: str) -> None:
    day = running()
    day.do(AmendPlayer(2, faction="Crab"))
    refused(day, event, why)
    assert "amended" in {each.kind for each in audit_of(day.log).findings}


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (RoundPaused(2), "not running"),
        (RoundResumed(1), "not paused"),
        (RoundExtended(1, 240, "x"), "at most 240 minutes"),
        (RoundExtended(1, 5, " "), "reason"),
    ],
)
def test_clocks(event: Event, why: str) -> None:
    """FFG-CLOCK."""
    day = running()
    day.do(ExtendRound(5, "the doors"))
    day.do(PauseRound())
    refused(day, event, why)


def test_clocks_after_time() -> None:
    """FFG-CLOCK: the calls stand, so nothing is added behind them."""
    day = running()
    day.do(CallTime())
    at = day.log[-1].at
    for event in (RoundExtended(1, 5, "too late"), RoundPaused(1)):
        line = encode(record(day.tournament.seq + 1, "further", at, "o1", event))
        with pytest.raises(InvalidLog, match="time has already been called"):
            replay_lines("log", [*day.lines, line], ranking)

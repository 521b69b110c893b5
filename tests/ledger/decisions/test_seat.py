"""A latecomer gets a seat in the running round, the best there is, and nobody else moves."""

from __future__ import annotations

import random
from itertools import product

import pytest

from ledger.errors import Refused
from ledger.facts.base import Waiver
from ledger.facts.rounds import PlayersSeated
from ledger.facts.shared import Stage
from ledger.facts.undo import ActWithdrawn
from ledger.fold import fold_lines
from ledger.forks import Left, fork
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer, Entry, RegisterPlayers, RejoinPlayer
from ledger.rules.rounds import CloseRound, SeatPlayers, StartRound, SwapSeats, UnpairRound
from ledger.rules.undo import Undo
from ledger.tournament.state import Tournament
from projections.audit.findings import findings_of
from projections.explain.pairings import meeting
from projections.standings.table import standings
from tests.projections.explain.test_explain_pairings import log_of
from tests.support.forging import against
from tests.support.simulate import Day

AT = "2026-03-14T12:00:00.000Z"
LATE_WAIVER = Waiver(("FFG-REMATCH", "FFG-BYE-LATER"), "asked for")


def late(day: Day, *names: str) -> list[int]:
    """Register who comes late."""
    first = len(day.tournament.players)
    day.do(RegisterPlayers(tuple(map(Entry, names or ("Tina",)))))
    return list(range(first, first + len(names or ("Tina",))))


def seats(day: Day) -> list[tuple[int, int]]:
    """Who sits where in the latest round."""
    return [(match.first, match.second) for match in day.tournament.rounds[-1].matches]


def admissible(day: Day, player: int) -> list[PlayersSeated]:
    """Every seat that the checks allow this player, found by trying all there are."""
    numbers, tables = range(len(day.tournament.players) + 1), len(seats(day)) + 2
    found = []
    for table, one, other in product(range(1, tables + 1), numbers, numbers):
        if player not in (one, other):
            continue
        for was in {(0, 0), (one, 0), (other, 0), (0, one), (0, other)}:
            event = PlayersSeated(len(day.tournament.rounds), table, (one, other), was)
            if not against(day, event):
                found.append(event)
    return found


def before(day: Day, seq: int) -> Tournament:
    """The tournament before an event."""
    return day.folded(day.log[: seq - 1])


def met(day: Day, one: int, other: int) -> bool:
    """Whether two sat together in an earlier round, read from the matches."""
    earlier = day.tournament.rounds[:-1]
    return any({one, other} == {*m.players} for each in earlier for m in each.matches)


def some_day(seed: int) -> tuple[Day, int]:
    """A small day in a running round, with players who came late or back, and one of them."""
    chance = random.Random(seed)
    day = Day(chance.randint(2, 7))
    day.start(4)
    for _ in range(chance.randint(0, 2)):
        day.do(PairRound((), "few", allow_rematch=True))
        day.report_all()
    left = [each for each in day.tournament.active() if chance.random() < 0.3]
    if day.tournament.rounds and len(day.tournament.active()) - len(left) > 1:
        day.do(CloseRound())
        for each in left:
            day.do(DropPlayer(each))
    else:
        left = []
    day.do(PairRound((), "few", allow_rematch=True))
    if chance.random() < 0.5:
        day.do(StartRound())
    for match in day.tournament.rounds[-1].matches:
        if match.is_open and chance.random() < 0.5:
            day.report(match)
    came = late(day, *["Tina", "Udo", "Vera"][: chance.randint(0 if left else 1, 3)])
    for each in left[: chance.randint(0, 2)]:
        day.do(RejoinPlayer(each))
        came.append(each)
    return day, chance.choice(came or late(day))


@pytest.mark.parametrize("seed", range(60))
def test_nobody_else_moves_and_no_seat_is_better(seed: int) -> None:
    """FFG-REJOIN, FFG-REMATCH, FFG-BYE-LATER."""
    day, player = some_day(seed)
    before, allowed = seats(day), admissible(day, player)
    results = [match.result for match in day.tournament.rounds[-1].matches]
    games = [event for event in allowed if all(event.game)]
    if not games:
        with pytest.raises(Refused):
            day.do(SeatPlayers((player,)))
        assert seats(day) == before
        return
    score = [
        sum(each.points[n] if n < len(each.points) else 0 for each in day.tournament.rounds)
        - (day.tournament.rounds[-1].points[n] if n < len(day.tournament.rounds[-1].points) else 0)
        for n in range(len(day.tournament.players))
    ]

    def rank(event: PlayersSeated) -> tuple[bool, int]:
        other = sum(event.game) - player
        return event.was == (0, 0), 0 if any(event.was) else abs(score[player] - score[other])

    (recorded,) = day.do(SeatPlayers((player,)))
    chosen = recorded.event
    assert isinstance(chosen, PlayersSeated)
    assert rank(chosen) == min(map(rank, games))
    assert not met(day, *chosen.game)
    after = seats(day)
    assert [old for place, old in enumerate(before, 1) if place != chosen.table] == [
        new for place, new in enumerate(after, 1) if place != chosen.table
    ]
    assert {*chosen.was} - {0} <= {*chosen.game}
    assert [m.result for m in day.tournament.rounds[-1].matches][: len(results)] == results
    for event in allowed:  # the checks allow no seat in which somebody else has moved
        others = [seat for seat in before if seat != event.was]
        assert not {n for seat in others for n in seat if n} & {*event.game}


def test_a_latecomer_sits_opposite_the_bye_whose_loss_is_gone() -> None:
    """FFG-REJOIN: a round that is played is not missed."""
    day = Day(5)
    day.start(3)
    day.pair()
    day.report_all()
    (tina,) = late(day)
    (holder,) = [m.first for m in day.tournament.rounds[0].matches if m.is_bye]
    assert day.tournament.rounds[0].records[tina] == "L"
    day.do(SeatPlayers((tina,)))
    assert (holder, tina) in seats(day)
    assert day.tournament.players[holder].byes == 0
    assert {day.tournament.rounds[0].records[each] for each in (holder, tina)} == {" "}
    assert day.tournament.rounds[0].unreported == 1
    day.report_all()
    assert sorted(day.tournament.rounds[0].records[each] for each in (holder, tina)) == ["L", "W"]
    day.pair()
    assert standings(day.tournament, through_round=1).rows
    assert fold_lines(day.lines) == day.tournament


def test_two_open_a_table_and_the_next_sits_opposite_a_latecomers_bye() -> None:
    day = Day(4)
    day.start(3)
    day.pair()
    tina, udo, vera, wim = late(day, "Tina", "Udo", "Vera", "Wim")
    day.do(SeatPlayers((tina, udo)))
    assert seats(day)[-1] == (tina, udo)
    day.do(SeatPlayers((vera,), bye=True, reason="the only one left"))
    assert seats(day)[-1] == (vera, 0)
    assert day.tournament.rounds[0].records[vera] == "B"
    day.do(SeatPlayers((wim,)))
    assert seats(day)[-1] == (vera, wim)
    numbers = [match.number for match in day.tournament.rounds[0].matches]
    assert numbers == [1, 2, 3, 4]


def test_who_is_refused_a_seat() -> None:
    day = Day(5)
    day.start(2, Stage("single", entry="top", size=2))
    with pytest.raises(Refused, match="no round is in play"):
        day.do(SeatPlayers((1,)))
    day.pair()
    (tina,) = late(day)
    with pytest.raises(Refused, match="already sits at 1/1"):
        day.do(SeatPlayers((day.tournament.rounds[0].matches[0].first,)))
    day.do(DropPlayer(tina))
    with pytest.raises(Refused, match="is not an active player"):
        day.do(SeatPlayers((tina,)))
    day.report_all()
    (udo,) = late(day, "Udo")
    day.do(CloseRound())
    with pytest.raises(Refused, match="no round is in play"):
        day.do(SeatPlayers((udo,)))
    day.pair()
    day.report_all()
    day.do(MakeCut())
    day.pair()
    with pytest.raises(Refused, match="cannot join an elimination"):
        day.do(SeatPlayers((udo,)))


def test_of_two_desks_one_gets_the_bye() -> None:
    day = Day(5)
    day.start(3)
    day.pair()
    tina, udo = late(day, "Tina", "Udo")
    day.do(SeatPlayers((tina,)), by="o1")
    with pytest.raises(Refused, match="no opponent is free in round 1"):
        day.do(SeatPlayers((udo,)))
    with pytest.raises(Refused, match="already sits at 1/3"):
        day.do(SeatPlayers((tina,)))


def test_a_rematch_and_a_second_bye_are_asked_for() -> None:
    """FFG-REMATCH, FFG-BYE-LATER: the organizer may, the log says it, and audit finds it."""
    day = Day(3)
    day.start(4)
    day.pair()
    day.report_all()
    holder = next(m.first for m in day.tournament.rounds[0].matches if m.is_bye)
    one, other = next(m.players for m in day.tournament.rounds[0].matches if not m.is_bye)
    day.do(CloseRound())
    day.do(DropPlayer(one))
    day.do(DropPlayer(holder))
    day.do(PairRound(((other, 0),), "nobody else is here"))
    day.do(RejoinPlayer(one))
    with pytest.raises(Refused, match="have already met"):
        day.do(SeatPlayers((one,)))
    (seated,) = day.do(SeatPlayers((one,), reason="nobody else", allow_rematch=True))
    kinds = {found.kind for found in findings_of(before(day, seated.seq), seated, lambda _: AT)}
    assert kinds == {"seated", "rematch"}
    day.do(RejoinPlayer(holder))
    with pytest.raises(Refused, match="has already had a bye, and other players have had fewer"):
        day.do(SeatPlayers((holder,), bye=True, reason="alone"))
    (seated,) = day.do(SeatPlayers((holder,), bye=True, reason="alone", allow_rematch=True))
    kinds = {found.kind for found in findings_of(before(day, seated.seq), seated, lambda _: AT)}
    assert kinds == {"seated", "second-bye"}


FORGED = {
    "moved": (
        lambda bye, t: (bye.table, (t, bye.first), (bye.first, 0)),
        "must not move another player",
    ),
    "not a bye": (lambda _, t: (1, (1, t), (1, 0)), "have changed"),
    "full": (
        lambda bye, _: (bye.table, (bye.first, 0), (bye.first, 0)),
        "seat one player who has no seat",
    ),
    "further table": (lambda bye, t: (bye.table + 2, (t, t + 1), (0, 0)), "not the next table"),
    "second bye": (lambda bye, t: (bye.table + 1, (t, 0), (0, 0)), "opposite"),
    "seat 0": (lambda bye, t: (bye.table + 1, (0, t), (0, 0)), "first seat"),
    "twice": (lambda bye, t: (bye.table + 1, (t, t), (0, 0)), "seat one player who has no seat"),
    "stranger": (
        lambda bye, _: (bye.table, (bye.first, 99), (bye.first, 0)),
        "is not an active player",
    ),
    "who sits": (lambda bye, t: (bye.table + 1, (t, 1), (0, 0)), "already"),
    "other holder": (lambda bye, t: (bye.table, (bye.first, t), (bye.first, 1)), "have changed"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_seats_are_refused(name: str) -> None:
    make, reason = FORGED[name]
    day = Day(5)
    day.start(3)
    day.pair()
    tina, _ = late(day, "Tina", "Udo")
    bye = next(match for match in day.tournament.rounds[0].matches if match.is_bye)
    table, game, was = make(bye, tina)  # type: ignore[no-untyped-call]
    assert reason in against(day, PlayersSeated(1, table, game, was))
    good = PlayersSeated(1, bye.table, (bye.first, tina), (bye.first, 0))
    assert not against(day, good)
    assert "is reserved for officials" in against(day, good, by=f"p{tina}")
    assert "not in play" in against(day, PlayersSeated(2, table, game, was))


def test_a_seat_is_taken_back_until_it_is_played() -> None:
    day = Day(5)
    day.start(3)
    day.pair()
    before, records = seats(day), list(day.tournament.rounds[0].records)
    tina, udo, vera = late(day, "Tina", "Udo", "Vera")
    (seated,) = day.do(SeatPlayers((tina,)))
    day.do(Undo())
    assert seats(day) == before
    assert day.tournament.rounds[0].records[: len(records)] == records
    assert day.tournament.rounds[0].records[tina] == "L"
    assert "changed since" in against(day, ActWithdrawn(seated.seq, "again"))
    day.do(SeatPlayers((tina,)))
    (opened,) = day.do(SeatPlayers((udo, vera)))
    number = day.tournament.rounds[0].matches[-1].number
    day.do(Undo())
    assert day.tournament.matches[number].void
    day.do(SeatPlayers((udo, vera)))
    assert day.tournament.rounds[0].matches[-1].number == number + 1
    assert "changed since" in against(day, ActWithdrawn(opened.seq, "again"))
    day.report_all()
    assert fold_lines(day.lines) == day.tournament


def test_unpairing_and_swapping_know_latecomers() -> None:
    day = Day(5)
    day.start(3)
    day.pair()
    (tina,) = late(day)
    day.do(SeatPlayers((tina,)))
    day.do(SwapSeats((tina, day.tournament.rounds[0].matches[0].first), "they came together"))
    assert tina in day.tournament.rounds[0].matches[0].players
    day.do(UnpairRound("once more"))
    day.pair()
    assert all(match.second for match in day.tournament.rounds[0].matches)
    assert sum(tina in match.players for match in day.tournament.rounds[0].matches) == 1


def test_why_a_latecomer_met_somebody_is_told() -> None:
    day = Day(4)
    day.start(3)
    day.pair()
    tina, udo = late(day, "Tina", "Udo")
    (seated,) = day.do(SeatPlayers((tina, udo)))
    match = day.tournament.rounds[0].matches[-1]
    found = meeting(day.tournament, match, log_of(day))
    assert (found.players, found.repaired) == ((tina, udo), seated.seq)


def test_a_fork_seats_latecomers_at_their_tables() -> None:
    day = Day(5)
    day.start(3)
    day.pair()
    day.report_all()
    tina, udo, vera = late(day, "Tina", "Udo", "Vera")
    day.do(SeatPlayers((tina,)))
    day.do(SeatPlayers((udo, vera)))
    day.report_all()
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.pair()
    for who in (tina, 1):
        left = fork(day.log, [Left(who, 1)]).tournament
        assert left.players[who].status == "dropped"
        assert not any(who in match.players for match in left.rounds[1].matches)


def test_check_reads_a_line_once_more() -> None:
    day = Day(5)
    day.start(3)
    day.pair()
    (tina,) = late(day)
    (seated,) = day.do(SeatPlayers((tina,)))
    again = record(day.tournament.seq + 1, "again", AT, "o1", seated.event)
    assert check(day.tournament, again)

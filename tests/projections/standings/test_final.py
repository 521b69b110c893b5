"""The finishing order: each player where their last stage put them."""

from __future__ import annotations

from ledger.facts.shared import Stage
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.rounds import CloseRound
from projections.standings.bracket import finishing_order
from projections.standings.table import ranking
from tests.support.simulate import Day


def order(day: Day) -> list[tuple[int, int, int]]:
    return [(place.rank, place.player, place.stage) for place in finishing_order(day.tournament)]


def swiss(day: Day, rounds: int) -> None:
    for _ in range(rounds):
        day.pair()
        day.report_all()
    day.do(CloseRound())


def test_without_a_cut_it_is_the_table() -> None:
    day = Day(7)
    day.start(2)
    swiss(day, 2)
    table = ranking(day.tournament)
    assert order(day) == [(rank, player, 1) for rank, player in enumerate(table, start=1)]


def test_those_of_the_cut_come_first_and_have_no_rank_while_they_play() -> None:
    day = Day(9)
    day.start(2, Stage("single", entry="top", size=4))
    swiss(day, 2)
    table = ranking(day.tournament)
    day.do(MakeCut())
    behind = [(rank, player, 1) for rank, player in enumerate(table[4:], start=5)]
    assert order(day) == [(0, player, 2) for player in table[:4]] + behind
    day.pair()
    day.report_all("loss")
    day.pair()
    day.report_all("win")
    winner, second = table[3], table[2]
    assert order(day) == [
        (1, winner, 2),
        (2, second, 2),
        (3, table[0], 2),
        (4, table[1], 2),
        *behind,
    ]


def test_every_stage_has_its_say_from_the_last_to_the_first() -> None:
    day = Day(12)
    day.start(
        2,
        Stage("swiss", 2, entry="top", size=6, carries=True),
        Stage("single", entry="top", size=2),
    )
    swiss(day, 2)
    first = ranking(day.tournament, 1)
    day.do(MakeCut())
    swiss(day, 2)
    second = ranking(day.tournament, 2)
    day.do(MakeCut())
    day.pair()
    day.report_all("loss")
    assert order(day) == [
        (1, second[1], 3),
        (2, second[0], 3),
        *((rank, player, 2) for rank, player in enumerate(second[2:], start=3)),
        *((rank, player, 1) for rank, player in enumerate(first[6:], start=7)),
    ]


def test_a_disqualified_player_is_listed_below_everyone_else() -> None:
    day = Day(6)
    day.start(2, Stage("single", entry="top", size=2))
    swiss(day, 2)
    table = ranking(day.tournament)
    day.do(MakeCut())
    day.pair()
    day.report_all("win")
    day.do(FinishTournament())
    day.do(DisqualifyPlayer(table[0], "marked cards", "FFG-AUTH-DQ"))
    expected = [*table[1:], table[0]]
    assert [player for _, player, _ in order(day)] == expected
    assert [rank for rank, _, _ in order(day)] == [1, 2, 3, 4, 5, 6]

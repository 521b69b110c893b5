"""Ashfall Open: 36 people play Ashes, with penalties up to a removal and a bracket of eight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.days.sample_desk import entries
from tests.support.files.format_lists import SAMPLES, sample_list

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

CARDS = str(SAMPLES / "cards" / "ashes.csv")


def play(day: SampleDesk) -> None:
    """Play the whole day."""
    _morning(day)
    for number in range(1, 6):
        _round(day, number)
    day.type("cut")
    leaving = day.json("standings")[3]["player"]
    day.type(f"drop #{leaving} --unable --reason", "a headache")
    day.type("cut decline next")
    day.type("cut accept next")
    for number in range(6, 9):
        _round(day, number)
    day.type("finish")
    day.award_prizes()
    day.type("prize award #9 --kind participation", "a promo card")


def _morning(day: SampleDesk) -> None:
    players = entries(36, 3601, ())
    day.open("--ruleset ashes --format ashes --lists --organizer Olga --date 2026-10-24")
    day.type("official add", "Mara Vos", "--role", "co-organizer")
    day.type("official add", "Ned Oak", "--role", "co-organizer")
    day.register(players[:34])
    for late in players[34:]:
        day.wait(1)
        day.type("register", late.name)
    day.type("lists give #3", "Ember Queen Sael")
    day.type("prize offer 1-4", "a playmat")
    for number, entry in enumerate(players, start=1):
        file = day.write(
            f"list-{number}.txt", sample_list("ashes").replace("Dov Stein", entry.name)
        )
        day.type(f"lists submit #{number}", file)
    day.type("lists check --all --cards", CARDS)
    day.type("start advanced --word ash")


def _duel(day: SampleDesk, table: int, first: int, second: int) -> str:
    winner, loser = day.chance.sample((first, second), 2)
    drawn = day.chance.randrange(3, 17)
    return (
        f"report {table} #{winner} {day.chance.randrange(20, 25)}-{drawn} --fact destroyed=#{loser}"
    )


def _rolled(day: SampleDesk, table: int, first: int, second: int) -> None:
    rolls: list[tuple[int, int]] = []
    while not rolls or rolls[-1][0] == rolls[-1][1]:
        rolls.append((day.chance.randrange(6), day.chance.randrange(6)))
    typed = [word for one, other in rolls for word in ("--roll", f"{one}-{other}")]
    day.type(f"first {table} #{day.chance.choice((first, second))}", *typed)


def _penalty(day: SampleDesk, player: int, kind: str, why: str) -> None:
    day.type(f"penalty #{player} {kind} --clause AOP-PENALTY --for-what", why)


def _before(day: SampleDesk, number: int, tables: list[tuple[int, int, int]]) -> None:
    if number <= 5 and number in {1, 3}:
        day.type("lists draw 2")
    for table, first, second in tables:
        day.type(f"firstfive #{first} --official mara")
        day.type(f"firstfive #{second} --official mara")
        _rolled(day, table, first, second)
    if number == 4:
        _penalty(day, tables[5][1], "match-loss", "a deck of 31 cards, for the second time")


def _during(day: SampleDesk, number: int, tables: list[tuple[int, int, int]]) -> None:
    day.wait(12)
    if number == 1:
        _penalty(day, tables[0][1], "warning", "drew a card too many")
        _penalty(day, tables[0][1], "corrected-play", "a die was spent twice")
        day.type("official stand-down ned")
        day.type(f"slow-play {tables[2][0]} --asked-by #{tables[2][1]}")
    if number == 2:
        day.type("official resume ned")
        _penalty(day, tables[1][2], "discard", "a card was looked at")
        day.type(f"concede #{tables[3][1]} --fact wounds=7:15")
    if number == 3:
        day.type(f"component inspect #{tables[4][2]} dice --asked-by #{tables[4][1]}")


def _round(day: SampleDesk, number: int) -> None:
    day.type("pair")
    tables = day.tables()
    day.type("post pairings")
    _before(day, number, tables)
    day.type("round start")
    _during(day, number, tables)
    day.wait(22)
    left = day.tables()
    slow = left[0] if number in {2, 4} else None
    for table in reversed(left[1 if slow else 0 :]):
        if table is left[len(left) // 2]:
            day.type("round time --left 10")
        day.type(_duel(day, *table))
    if slow:
        day.wait(10)
        day.type("round time")
        wounds = "11-11" if number == 2 else "9-12"
        day.type(f"report {slow[0]} {wounds} --ended time")
    day.type("round close")
    day.type("post standings")
    if number == 2:
        day.type(f"drop #{day.json('standings')[-1]['player']}")
    if number == 4:
        _penalty(day, tables[5][1], "removal", "shouted at the co-organizer")

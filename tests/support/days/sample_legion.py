"""Pale Moon Regional: 28 people play Legion, with sealed hands and a game that blue decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.days.sample_desk import entries
from tests.support.files.format_lists import SAMPLES, sample_list
from tests.support.sample_games import CARDS as BATTLE
from tests.support.sample_games import STRIKES

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

CARDS = str(SAMPLES / "cards" / "legion.json")
FACTIONS = ("Galactic Empire", "Rebel Alliance", "Galactic Republic", "Separatist Alliance")


def play(day: SampleDesk) -> None:
    """Play the whole day."""
    _morning(day)
    for number in range(1, 5):
        _round(day, number)
    day.type("cut")
    _round(day, 5)
    day.type("finish")
    day.award_prizes()


def _morning(day: SampleDesk) -> None:
    players = entries(28, 2801, FACTIONS)
    day.open(
        "--ruleset legion --format legion --lists --tier formal --organizer Olga --date 2026-10-31"
    )
    day.type("official add", "Mara Vos", "--role", "marshal")
    day.type("official add", "Jun Ito", "--role", "judge")
    day.type("key new jun")
    day.register(players)
    day.type("round extra 15")
    day.type("terrain fixed")
    for table in range(1, 15):
        pieces = ("--piece", "forest=2", "--piece", "ruin=3")
        day.type(f"terrain count {table} --covered {26 + table % 5}", *pieces)
    day.type("prize offer 1-2", "a carry case")
    for number, entry in enumerate(players, start=1):
        file = day.write(f"list-{number}.txt", sample_list("legion").replace("Eli Ngo", entry.name))
        day.type(f"lists submit #{number}", file)
    day.type("lists check --all --cards", CARDS)
    day.type("links plain-http allow --reason", "no certificate on the phones")
    day.type("links new #5 --address http://10.0.0.7:8600")
    day.type("links revoke #5")
    day.type("start advanced --word", "pale moon")


def _battle(day: SampleDesk, table: int, ending: str) -> str:
    low = day.chance.randrange(100, 400)
    tokens = (day.chance.randrange(3), day.chance.randrange(3))
    return f"report {table} {tokens[0]}-{tokens[1]} --ended {ending} --fact score={low}:{701 - low}"


def _round(day: SampleDesk, number: int) -> None:
    day.type("pair")
    tables = day.tables()
    day.type("post pairings")
    for table, first, _ in tables:
        _set_up(day, table, first)
    day.type("round start --as jun")
    day.wait(30)
    if number == 1:
        _minis(day, tables)
    if number == 2:
        day.type(f"concede #{tables[4][2]}")
        ruled = "the last unit counts as defeated"
        day.type(f"rule {tables[2][0]} --as jun --clause SWL-OUTCOME", ruled)
    day.wait(85, 12)
    _reports(day, number)
    day.type("round close")
    day.type("post standings")
    if number == 1:
        day.type(f"component found #{tables[6][2]} --as mara")
    if number == 2:
        day.type(f"drop #{day.json('standings')[-1]['player']}")


def _set_up(day: SampleDesk, table: int, first: int) -> None:
    """Say who is blue; at the second table the totals are equal, and somebody is drawn."""
    totals = "800-800" if table == 2 else "796-800"
    if table == 2:
        day.type(f"side draw {table} --totals {totals}")
    day.type(f"side {table} #{first} --totals {totals} --edge", "north")
    struck = day.chance.sample((*STRIKES, "pass"), 4)
    strikes = (word for kind in struck for word in ("--strike", kind))
    day.type(f"battle {table}", *BATTLE, *strikes)


def _minis(day: SampleDesk, tables: list[tuple[int, int, int]]) -> None:
    """One mini turns up in time, one is lost, one is broken; a ruler's owner shares."""
    sought = "component missing #{} --during --as mara"
    day.type(sought.format(tables[3][1]), "a trooper mini", "--minutes", "4")
    day.wait(3)
    day.type(f"component found #{tables[3][1]} --as mara")
    day.type(sought.format(tables[6][2]), "a commander mini")
    day.wait(4)
    day.type(f"component gone #{tables[6][2]} --as mara")
    broken = f"component damaged #{tables[4][1]} --kind model --as mara"
    day.type(broken, "a broken antenna")
    day.type(f"component share #{tables[5][1]} tools --asked")
    day.type(f"component share #{tables[5][1]} tools --as jun")


def _reports(day: SampleDesk, number: int) -> None:
    """Most end with the sixth round, two when time is called; one of these is decided by blue."""
    left = day.tables()
    for table in reversed(left[2:]):
        day.type(_battle(day, table[0], "rounds"))
    if number == 5:
        day.wait(70)
        day.type(_battle(day, left[0][0], "rounds"))
        return
    day.wait(14)
    day.type("round time --as mara")
    day.wait(2)
    for table in left[:2]:
        equal = f"report {table[0]} 2-2 --ended time --fact score=310:310"
        decided_by_blue = number == 1 and table == left[1]
        day.type(equal if decided_by_blue else _battle(day, table[0], "time"))

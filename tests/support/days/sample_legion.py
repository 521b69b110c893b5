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
    for due in day.json("prize"):
        day.type(f"prize award #{due['player']}", due["prize"])


def _morning(day: SampleDesk) -> None:
    players = entries(28, 2801, FACTIONS)
    day.open("--ruleset legion --format legion --lists --tier formal --organizer Olga --date 2026-10-31")
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
    return (
        f"report {table} {tokens[0]}-{tokens[1]} --ended {ending} --fact score={low}:{701 - low}"
    )


def _round(day: SampleDesk, number: int) -> None:
    day.type("pair")
    tables = day.tables()
    day.type("post pairings")
    for table, first, second in tables:
        totals = "796-800"
        if table == 2:
            totals = "800-800"
            day.type(f"side draw {table} --totals {totals}")
        day.type(f"side {table} #{first} --totals {totals} --edge", "north")
        struck = day.chance.sample((*STRIKES, "pass"), 4)
        day.type(f"battle {table}", *BATTLE, *(w for kind in struck for w in ("--strike", kind)))
    day.type("round start --as jun")
    day.wait(30)
    if number == 1:
        day.type(f"component missing #{tables[3][1]} --during --minutes 4 --as mara", "a trooper mini")
        day.wait(3)
        day.type(f"component found #{tables[3][1]} --as mara")
        day.type(f"component missing #{tables[6][2]} --during --as mara", "a commander mini")
        day.wait(4)
        day.type(f"component gone #{tables[6][2]} --as mara")
        day.type(f"component damaged #{tables[4][1]} --kind model --as mara", "a broken antenna")
        day.type(f"component share #{tables[5][1]} tools --asked")
        day.type(f"component share #{tables[5][1]} tools --as jun")
    if number == 2:
        day.type(f"concede #{tables[4][2]}")
        day.type(f"rule {tables[2][0]} --as jun --clause SWL-OUTCOME", "the last unit counts as defeated")
    day.wait(85, 12)
    left = day.tables()
    for table in reversed(left[2:]):
        day.type(_battle(day, table[0], "rounds"))
    day.wait(6)
    if number < 5:
        day.wait(8)
        day.type("round time --as mara")
        day.wait(2)
    for table in left[:2]:
        if number == 1 and table == left[1]:
            day.type(f"report {table[0]} 2-2 --ended time --fact score=310:310")
        else:
            day.type(_battle(day, table[0], "time" if number < 5 else "rounds"))
    day.type("round close")
    day.type("post standings")
    if number == 1:
        day.type(f"component found #{tables[6][2]} --as mara")
    if number == 2:
        day.type(f"drop #{day.json('standings')[-1]['player']}")

"""Ravine Regional: 32 people play Runewars, with a leader who plays, byes, and a top 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.days.sample_desk import entries
from tests.support.files.format_lists import SAMPLES, sample_list

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

CARDS = str(SAMPLES / "cards" / "runewars.csv")
FACTIONS = ("Daqan Lords", "Latari Elves", "Uthuk Y'llan", "Waiqar the Undying")


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
    players = entries(32, 3201, FACTIONS)
    line = "--ruleset runewars --format runewars --lists --tier relaxed --organizer Olga"
    day.open(f"{line} --date 2026-10-17")
    day.type("official add", players[8].name, "--role", "marshal")
    day.type("official add", "Jun Ito", "--role", "marshal", "--role", "judge")
    day.register(players)
    day.type("official plays o2 #9")
    day.type("names full")
    day.type("armies order --as jun")
    day.type("prize offer 1-2", "a unit expansion")
    for number in range(1, 33):
        text = sample_list("runewars").replace("Cara Osei", players[number - 1].name)
        file = day.write(f"list-{number}.txt", text)
        day.type(f"lists submit #{number}", file)
    day.type("register", players[3].name + " jr", "--faction", FACTIONS[0], "--namesake")
    day.type("unregister #33 --reason", "the same person, registered twice")
    day.type("rename #7", players[6].name + "-Ito")
    day.type("amend #8 --faction", FACTIONS[1])
    day.type("unregister #32 --reason", "ill since last night")
    day.type("lists check --all --cards", CARDS)
    day.type("start advanced --word ravine")


def _army(day: SampleDesk, table: int, ending: str) -> str:
    low, high = day.chance.randrange(20, 90), day.chance.randrange(95, 190)
    army = (low, high) if day.chance.random() < 1 / 2 else (high, low)
    objectives = (day.chance.randrange(4) * 10, day.chance.randrange(3) * 10)
    return (
        f"report {table} --ended {ending} --fact army={army[0]}:{army[1]} "
        f"--fact objectives={objectives[0]}:{objectives[1]}"
    )


def _round(day: SampleDesk, number: int) -> None:
    day.type("pair")
    day.type("scenario draw")
    day.type("post pairings")
    tables = day.tables()
    for table, first, second in tables:
        if table == number:
            day.type(f"first draw {table} --totals 200-200")
        totals = "200-200" if table == number else f"{196 - table % 3}-200"
        day.type(f"first {table} #{first} --totals {totals}")
        day.type(f"side {table} #{second}")
    day.type("round start")
    day.wait(20)
    _during(day, number, tables)
    day.wait(35, 8)
    _reports(day, number)
    day.type("round close")
    if number == 3:
        day.type("undo")
        day.wait(2)
        day.type("round close")
    day.type("post standings")
    if number == 2:
        day.type(f"drop #{day.json('standings')[-2]['player']}")


def _during(day: SampleDesk, number: int, tables: list[tuple[int, int, int]]) -> None:
    if number == 1:
        model = f"component damaged #{tables[4][1]} --kind model --as jun"
        day.type(model, "a spear broke off")
        day.type(f"component share #{tables[5][1]} templates --asked --as jun")
        day.type(f"component share #{tables[5][1]} templates --as jun")
        day.type(f"round extend {tables[4][0]} 5 --as jun --reason", "glue had to dry")
        day.type(f"note #{tables[6][1]}", "asked for a table near the window")
    if number == 2:
        day.type(f"concede #{tables[3][1]} --fact army=60:110")
    if number == 3:
        ruled = "the charge arc is measured again"
        day.type(f"rule {tables[2][0]} --as jun --clause RW-OUTCOME", ruled)


def _reports(day: SampleDesk, number: int) -> None:
    """Two tables play until time is called, where more than one plays."""
    left = [game[0] for game in day.tables()]
    late = left[:2] if len(left) > 2 else []
    for table in reversed(left[len(late) :]):
        day.type(_army(day, table, "rounds"))
    if number == 1:
        day.type("undo")
        day.type(_army(day, left[2], "rounds"))
    if late:
        day.wait(12)
        day.type("round time --as jun")
        day.wait(3)
    for table in late:
        day.type(_army(day, table, "time"))

"""Frostgate Kotei: 24 people play L5R, and a disputed result moves the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.days.sample_desk import entries
from tests.support.files.format_lists import SAMPLES, sample_list
from tests.support.sample_days import CLANS

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

CARDS = str(SAMPLES / "cards" / "l5r.csv")
COUNTED = (
    "--fact broken=2:1 --fact honor=10:8 --fact passed=1:1 --fact leader=2 "
    "--fact broken-after=2:1 --fact honor-after=9:7"
)


RULED = 6
"""At this table of the fourth round both say that they won."""


def play(day: SampleDesk) -> None:
    """Play the whole day."""
    _morning(day)
    _first_round(day)
    _second_round(day)
    _third_round(day)
    _fourth_round(day)
    _cut(day)


def _morning(day: SampleDesk) -> None:
    players = entries(24, 2401, CLANS)
    day.open("--ruleset l5r --format l5r --lists --tier formal --organizer Olga --date 2026-11-07")
    for name, role in (
        ("Mara Low", "marshal"),
        ("Pat Jones", "judge"),
        ("Tess Roy", "scorekeeper"),
    ):
        day.type("official add", name, "--role", role)
    day.register(players[:20])
    for late in players[20:23]:
        day.wait(2)
        day.type("requests add", late.name, "--faction", late.faction)
        day.type(f"requests approve {day.json('requests')[0]['request']}")
    day.type("requests add", "Test Test")
    day.type(
        f"requests refuse {day.json('requests')[0]['request']} --reason", "somebody tried the page"
    )
    day.type("prize offer 1", "the champion's mat")
    day.type("prize offer 2-8", "a promo card")
    day.type("component allow 0", "3D fate tokens", "--kind", "indicator", "--as", "mara")
    for number in range(1, 24):
        _list(day, number, players[number - 1].name)
    for number in (4, 11):
        day.type(f"lists check #{number} --cards", CARDS)
    day.type("links new #3 --address http://10.0.0.7:8600")
    day.type("check-in open")
    day.type("check-in", *(f"#{number}" for number in range(1, 23)))
    day.wait(6)
    day.type("check-in #23")
    day.type("check-in close")
    day.type("start advanced --word", "first frost")


def _list(day: SampleDesk, number: int, name: str) -> None:
    file = day.write(f"list-{number}.txt", sample_list("l5r").replace("Ann Lee", name))
    day.type(f"lists submit #{number}", file)


def _reports(day: SampleDesk, tables: list[tuple[int, int, int]], minutes: int = 50) -> None:
    """Slips come in a bunch near the end, most from the back of the hall."""
    day.wait(minutes)
    for table, first, second in sorted(tables, reverse=True):
        day.type(f"report {table} #{day.chance.choice((first, second))}")


def _time(day: SampleDesk, table: tuple[int, int, int]) -> None:
    day.type(
        f"report {table[0]} --ended time {COUNTED} --fact first=#{table[1]} "
        f"--fact favor-after=#{table[1]}"
    )


def _first_round(day: SampleDesk) -> None:
    day.type("pair")
    day.type("post pairings")
    day.type("swap #1 #2 --reason", "they came in one car")
    day.type("round start")
    day.wait(4)
    walk_in = entries(24, 2401, CLANS)[23]
    day.type("register", walk_in.name, "--faction", walk_in.faction)
    _list(day, 24, walk_in.name)
    day.type("late #24")
    tables = day.tables()
    day.type(f"first {tables[0][0]} #{tables[0][1]} --chooser #{tables[0][1]}")
    day.type(f"call {tables[3][0]} --as p{tables[3][1]}", "may I look at my own province?")
    day.type(f"call answer {tables[3][0]} --as pat")
    day.type(f"rule {tables[3][0]} --as pat --clause FFG-RULING", "yes, at any time")
    day.type(f"round extend {tables[3][0]} 4 --reason", "a judge was called")
    day.type("note", "the lights went out for a moment")
    _reports(day, tables[1:-1])
    day.type(f"drop #{tables[5][1]} --reason", "a sick child at home")
    day.type("round time")
    _time(day, tables[0])
    day.wait(7)
    day.type(f"report {tables[-1][0]} #{tables[-1][1]}")
    day.type(f"correct {tables[2][0]} #{tables[2][1]} --reason", "both signed the wrong line")
    day.type("round close")
    day.type("post standings")


def _second_round(day: SampleDesk) -> None:
    day.type("pair")
    day.type("unpair --reason", "a name was missing on the wall")
    day.type("pair")
    day.type("post pairings")
    day.type("round start")
    tables = day.tables()
    lost, damaged, slow = tables[1], tables[2], tables[3]
    day.wait(8)
    day.type(f"component missing #{lost[1]} --minutes 3", "a province card", "--as", "mara")
    day.wait(3)
    day.type(f"component gone #{lost[1]} --as mara")
    day.type(f"component missing #{damaged[2]}", "an honor dial", "--as", "mara")
    day.wait(2)
    day.type(f"component found #{damaged[2]} --as mara")
    day.type(f"component damaged #{damaged[1]} --kind card", "River Scout", "--as", "mara")
    day.type(f"component proxy #{damaged[1]} --as mara --illegible", "the cost", "River Scout")
    day.type(f"component inspect #{slow[1]} sleeves --as pat --asked-by #{slow[2]}")
    day.type(f"conduct #{slow[2]} stalling --as mara --remedy", "a warning")
    day.type(
        f"penalty #{slow[2]} warning --as mara --clause FFG-CONDUCT-KIND --for-what", "stalling"
    )
    day.wait(5)
    day.type("round pause --reason", "the fire alarm")
    day.wait(11)
    day.type("round resume")
    day.type("round extend all 5 --reason", "coats had to be fetched")
    _reports(day, tables[2:], 30)
    day.type("undo")
    day.type(f"report {tables[2][0]} #{tables[2][1]}")
    day.wait(9)
    day.type(f"report {tables[0][0]} #{tables[0][2]}")
    day.type("round close")
    day.type("post standings")
    day.wait(4)
    day.type(f"component found #{lost[1]} --as mara")


def _third_round(day: SampleDesk) -> None:
    returning = next(
        each["player"] for each in day.json("list", "--all") if each["status"] == "dropped"
    )
    day.type(f"rejoin #{returning}")
    day.type("pair")
    day.type("post pairings")
    day.type("round start")
    tables = day.tables()
    _reports(day, tables[1:])
    day.type("round time")
    _time(day, tables[0])
    day.type(
        f"recommend #{tables[-1][2]} --as mara --clause FFG-CONDUCT-KIND --reason",
        "marked sleeves, twice",
    )
    day.type(f"disqualify #{tables[-1][2]} --clause FFG-AUTH-DQ --reason", "marked sleeves, twice")
    day.type("round close")
    day.type(f"drop #{tables[-2][1]}")
    day.type("post standings")


def _fourth_round(day: SampleDesk) -> None:
    day.type("pair")
    day.type("post pairings")
    day.type("round start")
    tables = day.tables()
    table, first, second = tables[RULED - 1]
    day.wait(44)
    day.type(f"report {table} #{first} --for #{first}")
    day.type(f"dispute {table} #{second} --for #{second} --reason", "the slip shows my name")
    _reports(day, [table for table in tables if table[0] != RULED], 5)
    day.type(
        f"rule {table} --stands --as pat --clause FFG-RULING", "the first report was read aloud"
    )
    day.type(f"appeal 4/{table} --for #{second} --reason", "the slip was not looked at")
    day.wait(5)
    claim = f"#{second}"
    day.type(
        f"review 4/{table} --result {claim} --as mara --clause FFG-RULING",
        "the slip is signed by both",
    )
    day.type(f"correct --ruling 4/{table}")
    day.type("round close")


def _cut(day: SampleDesk) -> None:
    day.type("cut")
    day.type("post standings")
    wrong, right = _lowest_winner(day)
    day.wait(6)
    day.type("cut take-back --reason", "a slip of the last round was read wrongly")
    day.type(
        f"correct 4/{_table(day, wrong)} #{right} --reason", "the slip was under the other pile"
    )
    assert wrong not in _qualified(day)
    day.type("post standings")
    day.type("cut")
    leaving = _qualified(day)[5]
    day.type(f"drop #{leaving} --unable --reason", "the last train")
    day.type("cut decline next")
    day.type("cut accept next")
    for number in range(3):
        day.type("pair")
        day.type("post pairings")
        day.type("round start")
        tables = day.tables()
        _reports(day, tables[1:], 48)
        day.wait(3)
        day.type(f"report {tables[0][0]} #{tables[0][2 - number % 2]}")
        day.type("round close")
    day.type("audit begin")
    day.type("audit draw", "three sixes")
    day.type("audit slip 1/1 --agrees")
    day.type("finish")
    day.award_prizes()


def _qualified(day: SampleDesk) -> list[int]:
    return [row["player"] for row in day.json("standings")[:8]]


def _lowest_winner(day: SampleDesk) -> tuple[int, int]:
    """The last of the eight who won the last round, and whom they beat."""
    games = day.json("pairings", "--round", "4")
    games = [game for game in games if not game["bye"] and game["table"] != RULED]
    won = {}
    for game in games:
        first, second = game["players"]
        if game["result"]["outcomes"] in (["win", "loss"], ["loss", "win"]):
            winner = first if game["result"]["outcomes"][0] == "win" else second
            won[winner] = first + second - winner
    qualified = _qualified(day)
    wrong = next(player for player in reversed(qualified) if player in won)
    return wrong, won[wrong]


def _table(day: SampleDesk, player: int) -> int:
    games = day.json("pairings", "--round", "4")
    table: int = next(game["table"] for game in games if player in game["players"])
    return table

"""Lotus Evening: 12 people play L5R Legacy, whose decks are checked, and some fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.days.sample_desk import entries
from tests.support.files.format_lists import SAMPLES, sample_list
from tests.support.sample_days import CLANS

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

KEY = "l5r-legacy"
CARDS = str(SAMPLES / "cards" / f"{KEY}.csv")


def play(day: SampleDesk) -> None:
    """Play the whole evening."""
    players = entries(12, 1201, CLANS)
    line = f"--ruleset l5r --format {KEY}:bigdeck --lists --organizer Olga"
    day.open(f"{line} --date 2026-11-12")
    day.type("official add", "Pat Jones", "--role", "judge", "--role", "marshal")
    day.register(players)
    for number, entry in enumerate(players, start=1):
        name = f"{KEY}-findings" if number == 5 else KEY
        text = sample_list(name).replace("Gil Soto", entry.name).replace("Fay Moreau", entry.name)
        day.type(f"lists submit #{number}", day.write(f"list-{number}.txt", text))
    day.failing("lists check --all --cards", CARDS)
    mended = day.write("mended.txt", sample_list(KEY).replace("Fay Moreau", players[4].name))
    day.type("lists correct #5 --no-advantage --reason", "rebuilt before the start", mended)
    day.type("lists check #5 --cards", CARDS)
    day.type("start custom --rounds 4 --cut 8 --word lotus")
    for number in range(1, 5):
        _round(day, number)
    for row in day.json("standings")[-3:]:
        day.type(f"drop #{row['player']}")
    day.type("cut")
    day.type(f"drop #{day.json('standings')[7]['player']} --unable --reason", "the last train")
    day.type("cut decline next")
    day.type("cut forfeit")
    for number in (5, 6, 7):
        _round(day, number)
    day.type("finish")


def _round(day: SampleDesk, number: int) -> None:
    if number != 3:
        day.type("pair")
    if number == 2:
        day.type("lists draw 2")
    day.type("round start")
    tables = day.tables()
    day.wait(10)
    if number == 2:
        player = tables[0][1]
        day.failing(f"lists check #{player} --as pat --fails", "39 cards")
        listed = day.desk.done("lists", "show", f"#{player}").out
        played = day.write(
            "played.txt", sample_list(KEY).replace("3 Rice Terrace", "3 Quiet Shrine")
        )
        assert listed
        day.type(
            f"lists correct #{player} --reason", "three other holdings were in the deck", played
        )
    day.wait(30)
    for table, first, second in tables:
        day.type(f"report {table} #{day.chance.choice((first, second))}")
    day.type("round close")
    if number == 2:
        day.type("pair")
        table = day.json("pairings", "--round", "2")[1]
        winner = table["players"][table["result"]["outcomes"].index("loss")]
        day.type(
            f"correct 2/{table['table']} #{winner} --reason", "the slip was held the wrong way up"
        )
        day.type("repair-round --do 2 --reason", "the next round has not begun")

"""A desk with lists: an event whose format asks for deck checks, and files to hand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.files.format_lists import SAMPLES, sample_list

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

CARDS = str(SAMPLES / "cards" / "ashes.csv")
GOOD = sample_list("ashes").replace("Dov Stein", "Pat Stein")
FORMAT = {"AOP-DECKCHECK": ("--format", "ashes"), "FFG-LIST": ()}
L5R = sample_list("l5r")


def opened(desk: Desk, *more: str) -> None:
    """An event of four players whose format asks for deck checks."""
    desk.done("new", "Red Rains", "--ruleset", "l5r", "--format", "ashes:built", *more)
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    (desk.folder / "good.txt").write_text(GOOD)
    (desk.folder / "clear.txt").write_text(GOOD.replace("3 Hearth Guard", "3 Hearth"))
    (desk.folder / "other.txt").write_text(GOOD.replace("3 Hearth Guard", "3 Kiln Golem"))


def check_all(desk: Desk, *players: str) -> None:
    """Check decks by hand."""
    for player in players:
        desk.done("lists", "check", player)

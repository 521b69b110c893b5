"""What pages for everybody show of names: the event's choice, on record, and never more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.desk import session
from cli.input.arguments import Options
from cli.wording.page_words import public_view, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.cli_desk import Desk


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann Lee", "Ann L."),
        ("  Ann   van der  Berg ", "Ann B."),
        ("Lee, Ann", "Ann L."),
        ("Lee,", "Lee,"),
        ("Ann", "Ann"),
        ("Player 7", "Player 7"),
        ("Zoe E\u0301mile", "Zoe \u00c9."),
        ("\u7530\u4e2d \u592a\u90ce", "\u7530\u4e2d \u592a\u90ce"),
    ],
)
def test_a_short_name(name: str, shown: str) -> None:
    assert short(name) == shown


def opened(desk: Desk, *words: str) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim Larsen", *words)
    for name in ("Ann Lee", "Anna Lee", "Ann Low", "Bob"):
        desk.done("register", name)


def shown() -> Sequence[str]:
    return list(public_view(session.Desk(Options(), []).book.tournament).names.values())


def test_persons_of_one_name_have_their_numbers(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim Larsen")
    for name in ("Ann Lee", "Lee, Ann", "Ann Leeds", "Bo Xu", "Bo Xu"):
        desk.type("register", name, "--namesake")
    assert shown()[1:] == ["Ann Lee #1", "Ann Lee #2", "Ann Lee.", "Bo Xu #4", "Bo Xu #5"]


def test_names_are_short_unless_the_event_says_otherwise(desk: Desk) -> None:
    """Two who are then the same keep more letters; a program and the desk still see all."""
    opened(desk)
    assert shown() == ["Kim L.", "Ann Le.", "Anna L.", "Ann Lo.", "Bob"]
    assert desk.done("list", "--json").json[0]["name"] == "Ann Lee"
    assert "PublicNamesChosen" not in desk.log()


def test_the_choice_is_on_record_and_may_be_changed(desk: Desk) -> None:
    opened(desk, "--public-names", "number")
    assert shown() == ["official 1", *(f"player {number}" for number in range(1, 5))]
    desk.done("names", "full")
    assert shown()[1] == "Ann Lee"
    again = desk.done("names", "full")
    assert "nothing was written" in again.err
    log = desk.done("log").out
    assert "public pages show numbers instead of names" in log
    assert "public pages show full names" in log


def test_who_is_forgotten_is_shown_so_whatever_was_chosen(desk: Desk) -> None:
    opened(desk)
    desk.done("forget", "bob", "--yes")
    for choice in ("number", "full", "short"):
        desk.done("names", choice)
        assert shown()[-1] == "forgotten 4"


def test_another_word_is_refused(desk: Desk) -> None:
    opened(desk)
    assert "no public name 'none'" in desk.refused("names", "none").err
    desk.done("official", "add", "Pat", "--role", "judge")
    assert "organizer" in desk.refused("names", "full", "--as", "pat").err

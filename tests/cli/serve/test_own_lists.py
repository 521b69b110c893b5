"""A list from a phone is read and checked as the desk does it, with the event's card file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.cli.serve.test_player import page_of, send
from tests.support.files.format_lists import sample_cards, sample_list
from tests.support.hall import hall_open, player

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.fixture
def event(desk: Desk) -> Desk:
    """An event with a format, to which two players are registered."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim", "--format", "l5r")
    for name in ("Ann", "Ben"):
        desk.done("register", name)
    return desk


def bare() -> str:
    """The cards of the sample list without its headings."""
    lines = sample_list("l5r").splitlines()
    return "\n".join(each for each in lines if each[:1].isdigit()) + "\n"


def test_a_list_without_sections_is_put_in_them(event: Desk) -> None:
    (event.folder / "bare.txt").write_text(bare(), "utf-8")
    from tests.cli.verbs.test_formats import CARDS  # noqa: PLC0415 - the paths of the samples

    event.done("lists", "submit", "ben", "bare.txt", "--cards", CARDS["l5r"])
    with hall_open(cards=sample_cards("l5r")) as browser:
        send(browser, page_of(browser, 1, "/me/list"), "list", text=bare())
        page = page_of(browser, 1, "/me/list")
    both = [event.done("lists", "show", each).out.partition("\n")[2] for each in ("ann", "ben")]
    assert both[0] == both[1]
    assert "provinces\n" in page
    assert "without a card file" not in page


def test_what_the_cards_say_is_found(event: Desk) -> None:
    text = sample_list("l5r-findings").replace("Player: ", "# of ")
    with hall_open() as browser:
        send(browser, page_of(browser, 1, "/me/list"), "list", text=text)
        without = page_of(browser, 1, "/me/list")
    with hall_open(cards=sample_cards("l5r")) as browser:
        found = page_of(browser, 1, "/me/list")
    assert without.count(">breaks<") < found.count(">breaks<")
    assert found.count(">not checked<") < without.count(">not checked<")
    assert without.count("no card is known") == 1
    assert event.done("lists", "--json").json[0]["seq"]


def test_a_legal_list_has_nothing_to_mend_without_the_cards(event: Desk) -> None:
    with hall_open() as browser:
        text = sample_list("l5r").replace("Ann Lee", "Ann")
        send(browser, page_of(browser, 1, "/me/list"), "list", text=text)
        page = page_of(browser, 1, "/me/list")
    assert (">breaks<" in page, "No problems found (checked without a card file)" in page) == (
        False,
        True,
    )
    del event


def test_what_cannot_be_read_is_refused_and_stays_on_the_page(event: Desk) -> None:
    with hall_open() as browser:
        page = page_of(browser, 1, "/me/list")
        browser.who = player(1)
        for number, text in enumerate((bare(), "1 A Card\n", '{"cards": [}')):
            answer = browser.do(
                "list", f"handed-{number:04}", text=text, to="/me/list", at="/me/list"
            )
            assert answer.status_code in {400, 409}, text
            assert 'class="problems"' in answer.text, text
    assert "You have not submitted a list" in page
    assert not event.done("lists", "--json").json[0]["seq"]


def test_what_speaks_against_a_card_file_is_said_before_a_port_is_taken(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    assert "has no format" in desk.refused("serve", "--port", "0", "--cards", "cards.csv").err
    desk.done("new", "Day", "--ruleset", "l5r", "--organizer", "Kim", "--format", "l5r")
    answer = desk.type("serve", "--port", "0", "--cards", "cards.csv")
    assert (answer.code, "cards.csv cannot be read" in answer.err) == (3, True)
    (desk.folder / "cards.csv").write_text("nothing,of,this\n1,2,3\n")
    assert "cards.csv" in desk.type("serve", "--port", "0", "--cards", "cards.csv").err

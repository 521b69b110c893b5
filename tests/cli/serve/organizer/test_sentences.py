"""Sentences of officials' pages: they speak of the page, and not of the lines of a terminal."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

import htpy
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.desk.guide import next_step
from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.input.matches import find_match
from cli.serve.pages.organizer.answers import with_commands
from cli.serve.visitors import Visitor
from cli.terminal.problems import COMMANDS
from cli.verbs.day.report import line_reader
from ledger.errors import NotFound
from tests.support.cli_desk import without_isolates
from tests.support.days.table_day import day_of_states
from tests.support.hall import hall_open, official

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

_TAG = re.compile(r"<[^>]*>")
_OF_A_TERMINAL = re.compile(r"`|next:|<code|(?<!\w)--[a-z]|class=\"command\"")
"""What only a line of a terminal has."""


def tournament() -> Tournament:
    """The tournament as a desk of this directory sees it."""
    return Session(Options(), []).book.tournament


def beside_the_button(page: str) -> str:
    """The sentence beside the next act, with its links."""
    return without_isolates(page).partition('class="next"')[2].partition("</p>")[0]


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", _TAG.sub("", without_isolates(html)))


def test_the_sentence_beside_the_next_act_is_about_the_page(desk: Desk) -> None:
    """In every state of a day, on each page that has it."""
    seen = dict[str, str]()
    for state in day_of_states(desk):
        with hall_open(official(1)) as browser:
            for path in ("/desk", "/desk/round", "/desk?part="):
                sentence = beside_the_button(browser.get(path).text)
                assert len(text_of(sentence)) > len("data-position"), (state, path)
                assert not _OF_A_TERMINAL.search(sentence), (state, path, sentence)
                seen[state] = text_of(sentence)
    assert len(seen) >= 14
    assert "none is registered" in seen["empty"]
    assert "1 is registered" in seen["one player"]
    assert "3 of 3 results of round 1 missing" in seen["started"]
    assert "is disputed" in seen["only disputed"]
    assert "the tournament is finished" in seen["finished"]


def test_a_terminal_still_names_the_line(desk: Desk) -> None:
    desk.open(8)
    state = tournament()
    assert "next: register more, or `start`" in next_step(state)
    assert "next:" not in next_step(state, on_page=True)


@pytest.mark.parametrize("act", COMMANDS)
def test_a_command_on_a_page_has_the_name_of_a_form_or_a_page(act: str) -> None:
    """A command that has no page is code: it can only be typed."""
    line = re.sub(r"\[[^]]*]", "", re.sub(r"{\w+}", "7", COMMANDS[act])).strip()
    shown = str(htpy.p[with_commands(f"`{line}`", line_reader().verbs)])
    if "<a " in shown:
        title = text_of(shown).strip("“”")
        assert title != line
        assert title[0].isupper(), title
        assert "WHY" not in title
    else:
        assert shown == f"<p><code>{line}</code></p>"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("cut", "Make the cut"),
        ("round start", "Start the round"),
        ("round time", "Call time"),
        ("check-in PLAYER", "Check in a player"),
        ("check-in open", "Open a check-in"),
        ("correct 1/2 #3", "Correct a result"),
        ("correct --ruling 1/2", "Enter the result of the ruling"),
        ("drop 3 --no-show", "Drop a player"),
        ("rejoin 3", "Let a player return"),
        ("unpair --reason WHY", "Undo the pairing"),
        ("requests refuse --all --reason WHY", "Refuse all"),
    ],
)
def test_a_command_is_named_as_the_form_that_fits_best(line: str, title: str) -> None:
    assert text_of(str(htpy.p[with_commands(f"`{line}`", line_reader().verbs)])) == f"“{title}”"


# --- the start


def structures_on(page: str) -> list[str]:
    choice = page.partition('<select name="structure"')[2].partition("</select>")[0]
    return re.findall(r'<option value="(\w+)"', choice)


@pytest.mark.parametrize(
    ("players", "offered", "text"),
    [
        (8, ["basic", "custom"], "advanced can be chosen from 9 players on"),
        (9, ["basic", "advanced", "custom"], "advanced is"),
    ],
)
def test_only_structures_that_can_begin_are_offered(
    desk: Desk, players: int, offered: list[str], text: str
) -> None:
    desk.open(players)
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
        assert structures_on(page) == offered
        assert text in text_of(page)
        assert "for example, " in text_of(beside_the_button(page))
        for structure in offered[:-1]:
            answer = browser.line(form="start", structure=structure)
            assert "This would be recorded" in answer.text, structure


def test_a_refused_start_names_its_fields_and_the_form_of_further_stages(desk: Desk) -> None:
    desk.open(8)
    with hall_open(official(1)) as browser:
        page = browser.line(form="start", structure="custom").text
        refusal = page.partition('role="alert"')[2].partition("</div>")[0]
        assert "“Swiss rounds, if custom”" in text_of(refusal)
        assert 'href="desk/lines?verb=start"' in refusal
        assert "or --stage" not in text_of(refusal)
        assert "--stage" in browser.get("/desk/lines?verb=start").text


def test_the_preview_of_a_start_speaks_plainly_of_one_field(desk: Desk) -> None:
    """Who was withdrawn is ranked too, and counted as such."""
    desk.open(9)
    desk.done("unregister", "#9", "--reason", "is ill")
    with hall_open(official(1)) as browser:
        answer = browser.line(form="start", structure="basic")
        text = text_of(answer.text)
        assert "(8 players)" in text
        assert "9 players" not in text.replace("from 9 players on", "")
        assert "recording the head" not in text
        assert "sealed when you confirm" in text
        browser.confirm(answer)
        log = text_of(browser.get("/desk/log").text)
        assert "random ranks drawn for 8 players and 1 withdrawn" in log


# --- the finish


def finished_page(browser: Browser) -> str:
    """What the page answers to the finish."""
    done = browser.confirm(browser.line(form="finish"))
    assert done.status_code == HTTPStatus.OK
    return without_isolates(done.text.partition('aria-label="Done"')[2].partition("</section>")[0])


@pytest.mark.parametrize("link", [0, 1])
def test_the_answer_to_the_finish_names_the_winner_first(desk: Desk, link: int) -> None:
    """Then what the keys are for, and where the files are; only the owner has a link there."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    with hall_open(Visitor("o1", official=1, link=link)) as browser:
        page = finished_page(browser)
    order = desk.done("standings", "--json").json
    text = text_of(page.partition(">")[2])
    assert text.startswith(f"{order[0]['name']} (#{order[0]['player']}) won the tournament.")
    assert "everyone can check that no draw was chosen" in text
    assert "shuffle key" not in text
    assert ('href="/events"' in page) == (link == 0)


# --- tables and requests


def test_a_bye_is_no_table_in_a_message(desk: Desk) -> None:
    """Also where it stands between tables, as one that is set by hand."""
    desk.open(5, "custom", "--rounds", "2")
    desk.done("pair")
    with hall_open(official(1)) as browser:
        answer = browser.line("report 7 #1")
        assert "round 1 has no table 7: its tables are 1 to 2" in text_of(answer.text)
    state = tournament()
    games = state.rounds[0].matches
    bye = next(game for game in games if game.is_bye)
    games.remove(bye)
    games.insert(1, bye)
    for place, game in enumerate(games, start=1):
        game.table = place
    with pytest.raises(NotFound, match="its tables are 1 and 3"):
        find_match(state, "7")
    del games[2]
    with pytest.raises(NotFound, match="it has only table 1"):
        find_match(state, "7")


def test_all_who_ask_are_registered_in_one_act_but_namesakes(desk: Desk) -> None:
    """After a confirmation, which names who still waits; a second act registers nobody."""
    desk.open(2)
    taken = desk.done("list", "--json").json[0]["name"]
    for name in ("Zoe Quinn", taken.upper(), "Yan Ode", "zoe quinn"):
        desk.done("requests", "add", name)
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
        assert page.index("Register all") < page.index("Refuse all")
        ahead = browser.line(form="approve-all")
        text = text_of(ahead.text)
        assert "This would be recorded" in text
        for name, player in ((taken.upper(), 1), ("zoe quinn", 3)):
            assert re.search(
                rf"of {name} still waits: the name is that of [\w ]+ \(#{player}\)", text
            )
        assert len(desk.done("list", "--json").json) == 2
        browser.confirm(ahead)
        assert [row["name"] for row in desk.done("list", "--json").json[2:]] == [
            "Zoe Quinn",
            "Yan Ode",
        ]
        waiting = [each["name"] for each in desk.done("requests", "--json").json]
        assert waiting == [taken.upper(), "zoe quinn"]
        again = browser.line(form="approve-all")
        assert again.status_code == HTTPStatus.CONFLICT
        assert "is already registered" in text_of(again.text)
    assert desk.type("requests", "approve").code == 2
    assert desk.type("requests", "approve", "7", "--all").code == 2

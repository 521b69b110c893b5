"""The desk's pages: every verb has its form or its reason, and each page shows what it is for."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

import htpy
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.outside import TO_PAGE
from cli.serve.pages.entry import new_page
from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.day_forms import DAY_FORMS, form_named
from cli.serve.pages.organizer.history import IN_TYPE, KINDS
from cli.serve.pages.organizer.lines import words_for
from cli.serve.pages.organizer.palette import form_of_verb
from cli.serve.pages.organizer.results import words_of_result
from cli.serve.pages.organizer.steps import next_act, steps
from cli.serve.visitors import Visitor
from cli.verbs import VERBS
from cli.verbs.day.report import line_reader
from cli.verbs.on_pages import ONLY_AT_A_TERMINAL, out_of_reach, page_verbs, why_elsewhere
from cli.wording.page_words import SHOWN
from ledger.facts.vocabulary import EVENTS
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, Browser, hall_open, official, player

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

TABS = ("", "/players", "/round", "/standings", "/bracket", "/log", "/print", "/settings", "/lines")

BUTTONS = {
    "/desk": (
        "start",
        "pair",
        "round start",
        "round pause",
        "cut",
        "finish",
        "undo",
        "check-in open",
    ),
    "/desk/players": ("register",),
    "/desk/players?player=1": (
        *("drop", "penalty", "rename", "amend", "unregister"),
        *("disqualify", "forget"),
    ),
    "/desk/round": (
        *("round extend", "round time", "swap", "unpair", "repair-round", "round close"),
        *("post pairings", "post standings", "correct", "call", "note"),
        "cut take-back",
    ),
    "/desk/settings": (
        *("names", "official add", "official stand-down", "official hand-over"),
        *("links revoke", "links plain-http"),
    ),
    "/judge": ("rule", "dispute"),
}
"""Lines whose form has a place on a page, besides the page of all lines."""


@typed_once
def day(desk: Desk) -> Desk:
    """Eight players at four tables; table 1 is reported."""
    desk.open(8, "custom", "--rounds", "2", "--cut", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("report", "1", f"#{desk.seats(1)[0]}")
    return desk


# --- the way to the files, and the next act


def test_only_the_owner_has_the_way_to_the_files_of_the_tournament(desk: Desk) -> None:
    """From every page of the desk; an official with a link has no such page to go to."""
    desk.open(2)
    with_link = Visitor("o1", official=1, link=1)
    for visitor, is_shown in ((official(1), True), (with_link, False)):
        with hall_open(visitor) as browser:
            for path in ("/desk", "/desk/players", "/judge"):
                assert ('href="/events"' in browser.get(path).text) == is_shown, path
            settings = browser.get("/desk/settings").text
            assert ('aria-label="Files"' in settings) == is_shown


def test_a_list_that_has_to_be_checked_before_play_is_the_next_act(desk: Desk) -> None:
    """Ashes asks for it: the step has a form, and nobody types its line."""
    desk.open(2, "custom", "--rounds", "3", ruleset="ashes")
    with hall_open(official(1)) as browser:
        for player in (1, 2):
            primary = (
                browser.get("/desk").text.partition('class="primary"')[2].partition("next:")[0]
            )
            assert 'value="list-check"' in primary
            desk.done("lists", "check", f"#{player}")
        primary = browser.get("/desk").text.partition('class="primary"')[2].partition("next:")[0]
        assert 'value="pair"' in primary


# --- every verb


def test_every_verb_has_a_form_on_a_page_or_a_reason(browser: Browser) -> None:
    """A verb that is new has a form by itself; one that cannot have any is in the table."""
    listed = browser.get("/desk/lines").text
    for path in VERBS:
        if path in page_verbs():
            form = form_of_verb(path, line_reader().verbs)
            page = browser.get(f"/desk/lines?verb={path.replace(' ', '+')}").text
            assert f'name="form" value="{form.name}"' in page, path
            assert why_elsewhere(path) == ""
        else:
            assert why_elsewhere(path) in ONLY_AT_A_TERMINAL.values(), path
    for path, reason in ONLY_AT_A_TERMINAL.items():
        assert f"<code>{path}</code>: {reason.split(chr(39))[0]}" in listed, path


def test_no_verb_with_a_form_touches_more_than_the_tournament() -> None:
    for path in page_verbs():
        if path != "report":  # its line is a result, which reads no terminal
            assert not VERBS[path].touches & ~TO_PAGE, path


def test_a_verb_that_stays_out_is_refused_with_its_reason(day: Desk, browser: Browser) -> None:
    before = day.log()
    for path in VERBS:
        needs_words = path in {"lists submit", "start cosigned"}
        if path not in page_verbs() and not path.startswith("season") and not needs_words:
            answer = browser.line(path)
            assert answer.status_code != HTTPStatus.OK, path
            assert "terminal" in answer.text.partition('role="alert"')[2], path
    assert day.log() == before
    assert "/desk/print" in out_of_reach(["pairings", "--print"])
    assert "/desk/players" in browser.line("links new #1").text
    for line in ("lists submit #1 x.txt", "start cosigned x.txt"):
        assert "a page cannot use files" in browser.line(line).text


@pytest.mark.parametrize("place", BUTTONS)
def test_acts_of_a_day_have_their_place(desk: Desk, place: str) -> None:
    """The forms of a page make these lines at some moment of a small day."""
    missing = set(BUTTONS[place])

    def look(browser: Browser) -> None:
        for name in re.findall(r'name="form" value="([^"]+)"', browser.get(place).text):
            form = form_named(name)
            line = form.line if form else ""
            missing.difference_update({each for each in missing if line.startswith(each)})

    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    for number in range(4):
        desk.done("register", f"Player {number}")
    with hall_open(official(1)) as browser:
        steps_of_day = (
            ("start", "custom", "--rounds", "1", "--cut", "2"),
            ("pair",),
            ("round", "start"),
            (),
            ("cut",),
            ("pair",),
            ("round", "start"),
            (),
        )
        look(browser)
        for step in steps_of_day:
            if step:
                desk.done(*step)
            else:
                for each in desk.done("pairings", "--json").json:
                    desk.done("report", str(each["table"]), f"#{each['players'][0]}")
            look(browser)
    assert not missing


def test_a_tournament_is_started_on_the_page_and_its_head_is_signed(desk: Desk) -> None:
    """The server signs with the key that the terminal uses."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    for number in range(4):
        desk.done("register", f"Player {number}")
    with hall_open(official(1)) as browser:
        fields = {"structure": "custom", "rounds": "1", "cut": "2", "word": "cherry"}
        ahead = browser.line(form="start", **fields)
        assert "This would be recorded" in ahead.text
        assert "not signed" not in ahead.text
        assert browser.confirm(ahead).status_code == HTTPStatus.OK
    assert "signed by the log" in desk.done("log").out
    desk.done("pair")
    desk.done("verify")


def test_a_form_that_does_not_exist_is_refused(browser: Browser) -> None:
    for name in ("verb:key new", "verb:backup", "nothing"):
        assert "does not come from this hall" in browser.line(form=name, file="x").text


def test_a_repeated_option_is_given_once_for_each_value() -> None:
    words = words_for(DAY_FORMS["appoint"], {"name": "Pat", "role": "judge, scorekeeper"})
    assert words == ["official", "add", "--role=judge", "--role=scorekeeper", "--", "Pat"]


# --- the stepper and the next act


def state(desk: Desk) -> tuple[str, str, str]:
    """The current step, the title of the next act, and why it is not possible yet."""
    del desk
    session = Session(Options(), ())
    tournament = session.book.tournament
    now = next((step.title for step in steps(tournament) if step.state == "now"), "")
    act = next_act(tournament)
    session.close()
    return now, act.title if act else "", act.reason if act else ""


def test_the_steps_follow_the_day(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    assert state(desk) == ("Registration", "Register players", "")
    for number in range(8):
        desk.done("register", f"Player {number}")
    assert state(desk) == ("Registration", "Start the tournament", "")
    desk.done("start", "custom", "--rounds", "1", "--cut", "4")
    assert state(desk) == ("R1", "Pair round 1", "")
    desk.done("pair")
    assert state(desk) == ("R1", "Start round 1", "")
    desk.done("round", "start")
    assert state(desk) == ("R1", "Make the cut to 4", "4 tables open")
    desk.report_all()
    assert state(desk) == ("Cut to 4", "Make the cut to 4", "")
    desk.done("cut")
    assert state(desk) == ("Semifinals", "Pair the semifinals", "")
    assert "next: pair (round 2, semifinals)" in desk.done().out
    desk.done("pair")
    assert state(desk) == ("Semifinals", "Start the semifinals", "")
    desk.done("round", "start")
    assert state(desk) == ("Semifinals", "Pair the final", "2 tables open")
    desk.report_all()
    assert state(desk) == ("Final", "Pair the final", "")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    assert state(desk) == ("Finish", "Finish the tournament", "")
    desk.done("finish")
    assert state(desk) == ("", "Show the final standings", "")


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (3, ("semifinals", "final")),
        (9, ("round of 16", "quarterfinals", "semifinals", "final")),
    ],
)
def test_a_round_has_one_name_in_the_steps_on_the_button_and_in_the_heading(
    desk: Desk, players: int, names: tuple[str, ...]
) -> None:
    """In an elimination with byes, too."""
    desk.open(players, "custom", "--stage", "single")
    for number, name in enumerate(names, 1):
        assert state(desk)[:2] == (name.capitalize(), f"Pair the {name}")
        desk.done("pair")
        assert state(desk)[:2] == (name.capitalize(), f"Start the {name}")
        desk.done("round", "start")
        with hall_open(official(1)) as browser:
            assert f"<h2>round {number} ({name})</h2>" in browser.get("/desk").text
        desk.report_all()


def test_a_dispute_holds_the_next_act_back(day: Desk) -> None:
    day.report_all()
    loser = day.seats(1)[1]
    day.done("dispute", "1", "--for", f"#{loser}", "--reason", "no")
    assert state(day) == ("R2", "Pair round 2", "table 1/1 is disputed")


def test_the_check_of_a_deck_is_the_next_act(desk: Desk) -> None:
    """A game whose decks are checked before play is begun on the pages alone."""
    desk.done("new", "Night", "--ruleset", "ashes", "--organizer", "Kim")
    for name in ("Anna", "Boris"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "1")
    with hall_open(official(1)) as browser:
        for number, name in enumerate(("Anna", "Boris"), start=1):
            assert state(desk)[1] == f"Check the list of {name} (#{number})"
            form = browser.get("/desk").text.partition('class="do-next"')[2]
            assert f'name="player" value="#{number}"' in form.partition("</form>")[0]
            assert "Check a list" in browser.get(f"/judge/player/p{number}").text
            ahead = browser.line(form="list-check", player=f"#{number}")
            assert browser.confirm(ahead).status_code == HTTPStatus.OK
    assert state(desk)[1] == "Pair round 1"


def test_a_next_step_leads_only_where_a_page_takes_it(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
    assert "a start needs 2 players, and none is registered" in page
    text = "`register --file FILE`, `standings --final`, `export`, `replay`"
    shown = str(htpy.p[with_commands(text, line_reader().verbs)])
    assert '“<a href="desk/players">Players</a>”' in shown
    assert '“<a href="/events">Tournaments</a>”' in shown
    assert '“<a href="/events/look">Look at a log</a>”' in shown
    assert '“<a href="desk?line=standings%20--final">' in shown


# --- rows


def test_a_refused_form_keeps_what_was_filled_in(day: Desk, browser: Browser) -> None:
    (taken,) = [each["name"] for each in day.done("list", "--json").json if each["player"] == 3]
    fields = {"name": taken, "faction": "Crab", "league": "L-7"}
    at = "/desk/players"
    page = browser.line(form="register-player", at=at, **fields).text
    assert "is already registered" in page
    form = page.partition('value="register-player"')[2].partition("</form>")[0]
    for name, value in fields.items():
        assert re.search(rf'name="{name}"[^>]* value="{value}"', form), name
    at = "/desk/round"
    page = browser.line(form="correct", table="1/77", result="#1", reason="a <b>fire", at=at).text
    form = page.partition('value="correct"')[2].partition("</form>")[0]
    assert re.search('name="table"[^>]* value="1/77"', form)
    assert 'value="a &lt;b&gt;fire"' in form
    assert form.count("1/77") == page.count('value="1/77"') == 1


def test_after_a_registration_the_next_name_is_typed_at_once(browser: Browser) -> None:
    at = "/desk/players"
    assert "autofocus" not in browser.get(at).text
    done = browser.confirm(browser.line(form="register-player", name="Zoe Quinn", at=at))
    (name,) = re.findall(r"<input[^>]* autofocus[^>]*>", done.text)
    assert 'name="name"' in name


def test_a_correction_shows_what_stands_and_what_to_choose(day: Desk, browser: Browser) -> None:
    first, second = day.seats(1)
    page = browser.get("/desk/lines?form=correct&table=1/1").text
    form = page.partition('aria-label="Correct a result"')[2].partition("</section>")[0]
    assert "Correct the result of round 1, table 1" in form
    assert f"(#{first}) beat" in form
    values = re.findall(r'type="radio" name="result" value="([^"]*)"', form)
    assert values[:2] == [f"#{first}", f"#{second}"]
    for value in values[1:]:
        ahead = browser.line(form="correct", table="1/1", result=value, reason="misread")
        assert "1/1 corrected" in ahead.text, value
    assert browser.confirm(ahead).status_code == HTTPStatus.OK
    typed = browser.get("/desk/lines?form=correct").text
    assert 'name="table"' in typed


def test_a_row_makes_the_line_of_its_result() -> None:
    row = {"table": "1/4", "winner": "2 #7 modified"}
    assert words_of_result(row) == ["report", "--", "1/4", "#7", "modified"]
    row = {"table": "1/4", "points1": "10", "points2": "1"}
    assert words_of_result(row) == ["report", "--", "1/4", "10-1"]
    row = {"table": "1/4", "winner": "2 #7", "ending": "time", "fact.wounds.1": "4"}
    row |= {"fact.wounds.2": "3", "has.crown": "1"}
    made = words_of_result(row)
    assert made[1:4] == ["--ended=time", "--fact=wounds=3:4", "--fact=crown=0:1"]
    row = {"table": "1/4", "winner": "0 no-show #7", "ending": "time", "points1": ""}
    assert words_of_result(row) == ["report", "--", "1/4", "no-show", "#7"]


@pytest.mark.parametrize(
    "ruleset", ["l5r", "swiss", "xwing2", "legion", "mtg", "netrunner", "ashes"]
)
def test_a_row_of_each_game_takes_a_result(desk: Desk, ruleset: str) -> None:
    """The fields that the row itself has are filled in, and the result is on record."""
    desk.done("new", "Night", "--ruleset", ruleset, "--organizer", "Kim")
    for name in ("Anna", "Boris"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "1")
    if desk.type("pair").code:
        desk.done("pair", "--unchecked", "--reason", "decks are open")
    desk.type("scenario", "draw")
    desk.type("round", "start", "50")
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
        form = page.partition('class="entry"')[2].partition("</form>")[0]
        fields = {"form": "result", "table": "1/1"}
        winners = re.findall(r'name="winner" value="([^"]*)"', form)
        if winners:
            fields["winner"] = winners[0]
        if "points1" in form:
            fields |= {"points1": "120", "points2": "70"}
            if ruleset == "netrunner":
                fields |= {"points1": "6", "points2": "0"}
            fields.pop("winner", None)
        facts = re.findall(r'name="(fact\.[^"]*\.1)"', form.partition("<details")[0])
        for name in facts[:1]:
            fields |= {name: "2", f"{name[:-1]}2": "1"}
        answer = browser.line(**fields)
    assert answer.status_code == HTTPStatus.OK, answer.text.partition('role="alert"')[2][:300]
    assert desk.done("pairings", "--json").json[0]["result"]


def test_a_refused_result_says_why_in_its_row(day: Desk, browser: Browser) -> None:
    """Not above the first table; the rows of the others say nothing."""
    first, _ = day.seats(2)
    answer = browser.line(form="result", table="1/2", winner=f"1 #{first} wn")
    assert answer.status_code != HTTPStatus.OK
    for table in (2, 3, 4):
        row = answer.text.partition(f'id="row-1-{table}"')[2].partition("</li>")[0]
        (refusal,) = re.findall(r'<p class="problems" role="alert"([^>]*)>(.*?)</p>', row)
        assert (refusal[0] == "") == ("no outcome" in refusal[1]) == (table == 2), table
        assert row.index('class="problems"') < row.index('type="radio"')


def test_a_row_is_answered_with_the_rows_that_changed(day: Desk, browser: Browser) -> None:
    page = browser.get("/desk").text
    seen = re.findall(r'name="seen" value="(\d+)"', page)[0]
    first = day.seats(2)[0]
    data = {
        "id": "abcdefgh",
        "seen": seen,
        "form": "result",
        "table": "1/2",
        "winner": f"1 #{first}",
    }
    headers = {"origin": HERE, "tourney-row": "1"}
    answer = browser.post("/line", data=data, headers=headers)
    assert answer.status_code == HTTPStatus.OK
    assert re.findall(r'id="row-1-(\d)"', answer.text) == ["2"]
    assert 'aria-label="Done"' in answer.text
    other = {**data, "id": "abcdefgi", "winner": f"2 #{day.seats(2)[1]}"}
    again = browser.post("/line", data=other, headers=headers)
    assert again.status_code == HTTPStatus.CONFLICT
    assert "<" not in again.text
    wins = {"form": "confirm", "table": "1/2", "id": "abcdefgj", "seen": seen}
    assert browser.post("/line", data=wins, headers=headers).status_code != HTTPStatus.OK
    part = browser.get(f"/desk?part=&after={seen}").text
    assert re.findall(r'id="row-1-(\d)"', part) == ["2"]
    day.done("note", "it is dark")
    whole = browser.get(f"/desk?part=&after={seen}").text
    assert len(re.findall(r'id="row-1-(\d)"', whole)) == 4


IN_NO_KIND = {
    *("ComponentMissing", "ComponentFound", "ComponentDamaged", "ComponentDecided"),
    *("ComponentsShared", "ComponentsInspected", "ProxyMade", "PrizeOffered", "PrizeAwarded"),
    *("SlipRead", "SlipAuditBegun", "VerificationOrdered", "FirstFiveReviewed", "BattleBuilt"),
    *("ImportResumed", "ImportEnded", "TournamentOpened"),
}


def test_every_event_is_of_a_kind_of_the_filter() -> None:
    """But those of few games; a filter that leaves an event out says that it did not happen."""
    types = set(EVENTS)
    of_kind = {
        kind: {name for name in types if any(part in name for part in parts)}
        for kind, parts in IN_TYPE.items()
    }
    assert types - set().union(*of_kind.values()) <= IN_NO_KIND
    assert "TimeCalled" not in of_kind["dispute"]
    assert {kind for kind, _ in KINDS if kind} == of_kind.keys()


def test_a_bye_has_no_table_on_pages_screens_and_sheets(desk: Desk) -> None:
    """Nobody looks for it in the room; the log, `--json` and the interface keep its number."""
    desk.open(5, "custom", "--rounds", "2")
    desk.done("pair")
    (bye,) = (game for game in desk.done("pairings", "--json").json if game["bye"])
    assert bye["table"] == 3
    (player,) = filter(None, bye["players"])
    with hall_open(official(1)) as browser:
        row = browser.get("/pairings").text.partition(f'id="p{player}"')[2].partition("</tr>")[0]
        assert "-- bye --" in row
        assert 'data-label="table"></td>' in row
        row = browser.get("/desk").text.partition('id="row-1-3"')[2].partition("</li>")[0]
        assert 'aria-label="Bye">\u2013</a>' in row
        assert "data-table" not in row
        assert "Round 1, bye" in browser.get("/judge/match/1/3").text
        swap = browser.get("/desk/round").text
        assert re.search(rf'value="#{player}">bye: ', swap)
        for path in ("/screen/1?sheet=0", "/screen/1?whole=", "/desk/print/pairings"):
            (row,) = (row for row in browser.get(path).text.split("<tr") if "-- bye --" in row)
            assert not re.search(r">3<", row), path
        past = browser.get(f"/desk/log?at={len(desk.log().splitlines())}").text
        (row,) = (row for row in past.split("<tr") if "-- bye --" in row)
        assert 'data-label="table"></td>' in row
        pairings = browser.get("/api/v1/pairings").json()
        assert [game["table"] for game in pairings if game["bye"]] == [3]
    desk.done("publish", "public")
    for name in ("pairings.html", "round-1.html"):
        page = (desk.folder / "public" / name).read_text("utf-8")
        (row,) = (row for row in page.split("<tr") if "-- bye --" in row)
        assert 'data-label="table"></td>' in row, name
    lines = desk.done("pairings", "--print").out.splitlines()
    for line in (line for line in lines if "-- bye --" in line):
        assert not re.search(r"(^| )3( |$)", line), line


# --- players, print


def test_what_a_phone_asks_is_no_act_of_an_official(desk: Desk) -> None:
    """The hall's desk enters it, over the tournament's own link."""
    desk.open(2)
    desk.done("links", "new", "e1", "--address", HERE, "--json")
    with hall_open(Visitor("e1", link=1, is_newcomer=True)) as browser:
        fields = {"id": "abcdefgh", "name": "Gus Petrov", "to": "/join?asked=1"}
        assert browser.post("/do/join", data=fields, headers={"origin": HERE}).status_code == 200
        browser.who = official(1)
        for path, begin in (("/desk", 'class="latest"'), ("/desk/log", "<tbody>")):
            entry = re.split("</li>|</tr>", browser.get(path).text.partition(begin)[2])[0]
            assert "Gus Petrov" in entry, path
            assert "a newcomer&#39;s phone" in entry, path
            assert "Kim" not in entry, path


def test_names_on_public_pages_have_one_set_of_words(day: Desk, browser: Browser) -> None:
    """The form of a new tournament, the state and the form of Settings."""
    options = re.findall(r'<option value="(\w+)"[^>]*>([^<]*)</option>', new_page({}))
    offered = {value: words for value, words in options if value in SHOWN}
    assert offered == {"short": "Ann L.", "full": "Ann Lee", "number": "numbers only"}
    for value, words in offered.items():
        day.type("names", value)
        page = browser.get("/desk/settings").text
        assert f"Public pages show names as: <strong>{words}</strong>" in page
        for option, text in offered.items():
            assert re.search(rf'<option value="{option}"[^>]*>{text}</option>', page), option


@pytest.mark.parametrize(
    ("game", "before", "after"),
    [("ashes", "not checked", "no list, deck checked, 0 findings"), ("swiss", "", "")],
)
def test_players_lists_whether_decks_are_checked(
    desk: Desk, game: str, before: str, after: str
) -> None:
    """Also where they are checked without a list, as on the player's card."""
    desk.open(2, "custom", "--rounds", "1", ruleset=game)

    with hall_open(official(1)) as browser:

        def states() -> list[str]:
            page = browser.get("/desk/players").text
            return re.findall(r'<td data-label="list">([^<]*)</td>', page)

        assert states() == [before, before]
        if after:
            assert f"List: {before}" in browser.get("/judge/player/p1").text
            desk.done("lists", "check", "#1")
            assert states() == [after, before]
            assert f"List: {after}" in browser.get("/judge/player/p1").text


def test_the_sheets_open_as_pages(day: Desk, browser: Browser) -> None:
    day.done("links", "print", "--address", HERE, "--json")
    for name in ("pairings", "names", "slips", "standings", "badges", "badge/p3"):
        answer = browser.get(f"/desk/print/{name}")
        assert answer.status_code == HTTPStatus.OK, name
        assert "<style" not in answer.text
        (style,) = re.findall(r'href="(desk/print/style/[^"]+)"', answer.text)
        assert f'<base href="{browser.hall.heading.base}">' in answer.text
        assert "@page" in browser.get(f"/{style}").text
    assert browser.get("/desk/print/nothing").status_code == HTTPStatus.NOT_FOUND
    browser.who = player(1)
    assert browser.get("/desk/print/pairings").status_code == 401


def test_the_log_is_filtered_and_shows_any_moment(day: Desk, browser: Browser) -> None:
    first, second = day.seats(1)
    day.done("correct", "1", f"#{second}", "--reason", "misread")
    corrections = browser.get("/desk/log?kind=correct").text.partition("<tbody>")[2]
    assert corrections.count("<tr") == 1
    assert corrections.count(f"(#{first})") >= 2
    table = browser.get("/desk/log?table=1/1").text.partition("<tbody>")[2]
    assert table.count("<tr") == 2
    size = len(day.log().splitlines())
    past = browser.get(f"/desk/log?at={size - 2}").text
    assert "read only" in past
    assert "no result yet" not in past
    assert browser.get("/desk/log?at=99999999").status_code == HTTPStatus.OK
    assert browser.get("/desk/log?who=nobody&before=7").status_code == HTTPStatus.OK


def test_nobody_else_sees_the_pages(browser: Browser) -> None:
    for who in (player(1), browser.who.__class__()):
        browser.who = who
        for tab in TABS:
            assert browser.get(f"/desk{tab}").status_code == 401, tab


def test_what_was_posted_leads_back_to_its_own_page(browser: Browser) -> None:
    """With the player that was open; the answer of before is left out."""
    at = "/desk/players?player=3"
    ahead = browser.line(form="rename", player="#3", name="New Name", at=at)
    done = browser.confirm(ahead)
    assert str(done.url).startswith(f"{HERE}/desk/players?player=3&done=")
    assert "New Name" in done.text.partition('id="player"')[2]
    assert 'value="undo"' not in done.text, "a corrected name is on record: `undo` refuses"


def test_a_day_without_elimination_has_a_framed_sentence_for_its_bracket(desk: Desk) -> None:
    desk.open(4)
    with hall_open(official(1)) as asking:
        assert '<p class="empty">no elimination' in asking.get("/desk/bracket").text


def test_before_the_first_round_the_desk_has_the_registration_in_its_main_part(desk: Desk) -> None:
    desk.open(6)
    desk.done("requests", "add", "Pia Late")
    with hall_open(official(1)) as browser:

        def parts() -> tuple[str, str]:
            page = browser.get("/desk").text
            main, _, aside = page.partition('<div class="desk">')[2].partition("<aside")
            return main, aside

        main, aside = parts()
        assert "6 players registered" in main
        assert "Pia Late" in main
        assert "Registration request" in main
        assert "Registration request" not in aside
        desk.done("start", "custom", "--rounds", "2")
        assert "6 players registered" in parts()[0]
        desk.done("pair")
        main, aside = parts()
        assert "players registered" not in main
        assert "Registration request" in aside


def test_no_call_waits_after_the_finish(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("call", "1", "a question")
    desk.report_all()
    with hall_open(official(1)) as browser:
        for path in ("/desk", "/judge"):
            assert "Judge called" in browser.get(path).text
        mark = 'class="mark late">calls a judge<'
        assert mark in browser.get("/desk").text
        desk.done("finish")
        for path in ("/desk", "/judge"):
            page = browser.get(path).text
            assert "Judge called" not in page
            assert mark not in page
            assert "No open requests." in page

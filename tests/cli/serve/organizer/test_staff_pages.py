"""The desk's and the judge's pages: every act as a line, shown before it is done."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.input.reports import as_typed, stated_in
from cli.serve.pages.organizer.desk import DUE
from cli.serve.pages.organizer.lines import LINE_FORMS, words_for
from cli.serve.pages.organizer.staff import Staff
from cli.serve.pages.showing import Screens
from cli.serve.visitors import NOBODY, Visitor
from ledger.errors import Refused
from ledger.rules.results import result_from
from tests.support.cli_desk import typed_once, without_isolates
from tests.support.days.many_scripts import paths_of, play
from tests.support.hall import HERE, forms_in, hall_open, links_in, official, player, secret_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser, PageField

TYPED = 'zzz <i>"&'
"""What is typed into a field of text by the test of all forms."""

STRANGE = '<script>alert("x")</script>'


@typed_once
def day(desk: Desk) -> Desk:
    """Eight players, `A1x` against `B1x` at table 1 and so on; table 4 is disputed."""
    desk.open(8, "custom", "--rounds", "3", "--cut", "2")
    desk.done("official", "add", f"Pat {STRANGE}", "--role", "judge")
    desk.done("pair")
    for table in (1, 2, 3, 4):
        for side, seated in zip("AB", desk.seats(table), strict=True):
            desk.done("rename", str(seated), f"{side}{table}x")
    desk.done("round", "start")
    desk.done("report", "4", "a4x", "--for", "a4x")
    desk.done("dispute", "4", "b4x", "--for", "b4x", "--reason", STRANGE)
    return desk


@pytest.fixture
def desk_page(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(1)) as asking:
        yield asking


@pytest.fixture
def judge_page(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(2)) as asking:
        yield asking


def result_at(desk: Desk, table: int) -> object:
    return desk.done("pairings", "--json").json[table - 1]["result"]


def test_a_result_lands_at_enter(day: Desk, desk_page: Browser) -> None:
    answer = desk_page.line("1 a1x")
    assert answer.url.path == "/desk"
    assert "A1x" in answer.text.partition('aria-label="Done"')[2]
    assert result_at(day, 1)


def test_everything_else_is_shown_first_and_then_done(day: Desk, desk_page: Browser) -> None:
    before = day.log()
    ahead = desk_page.line("drop b2x")
    assert "This would be recorded" in ahead.text
    assert day.log() == before
    done = desk_page.confirm(ahead)
    assert "<bdi>B2x</bdi> (#" in done.text.partition('aria-label="Done"')[2]
    assert result_at(day, 2)


def test_a_double_click_is_one_act(day: Desk, desk_page: Browser) -> None:
    ahead = desk_page.line('note "lights out"')
    desk_page.confirm(ahead)
    again = desk_page.confirm(ahead)
    assert again.status_code == 200
    assert day.done("log").out.count("lights out") == 1
    carried = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', desk_page.get("/desk").text))
    data = {**carried, "line": "1 a1x"}
    once, twice = (desk_page.post("/line", data=data, headers={"origin": HERE}) for _ in range(2))
    assert "done=" in str(once.url)
    assert once.url == twice.url
    assert day.done("log").out.count("1/1:") == 1
    assert result_at(day, 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 x", "could be both"),
        ("drop x", "could be"),
        ("9 a1x", "no table 9"),
        ("finish", "no result yet at tables 1, 2, 3"),
        ("backup x", "backup"),
        ("pairings --print", "only at a terminal"),
        ("undo --as 2", "its own official"),
    ],
)
def test_what_comes_to_nothing_is_said_beside_the_line(
    day: Desk, desk_page: Browser, line: str, said: str
) -> None:
    before = day.log()
    answer = desk_page.line(line)
    problems = answer.text.partition('role="alert"')[2].partition("</div>")[0]
    assert said in problems
    assert f'value="{line}"' in answer.text
    assert day.log() == before


def test_an_old_page_hits_no_other_table(day: Desk, desk_page: Browser) -> None:
    """The round has changed since the page was made."""
    known = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', desk_page.get("/desk").text))
    day.done("rule", "4", "so it was", "--stands", "--as", "2")
    day.report_all()
    day.done("pair")
    first, _ = day.seats(1)
    data = {**known, "line": f"1 #{first}"}
    answer = desk_page.post("/line", data=data, headers={"origin": HERE})
    assert "now it is round 2" in answer.text
    assert result_at(day, 1) is None


def test_what_was_confirmed_is_held_to_what_was_shown(day: Desk, desk_page: Browser) -> None:
    """Between the showing and the doing the pairing was changed."""
    ahead = desk_page.line(form="extend", table="1", minutes="5", reason="late")
    day.done("swap", "a1x", "a2x", "--reason", "one car")
    done = desk_page.confirm(ahead)
    assert "were changed after they were shown" in done.text
    assert "extend" not in day.done("log").out


def test_it_waits_for_whoever_acts_next(desk_page: Browser) -> None:
    text = desk_page.get("/desk").text
    assert "Waiting (1)" in text
    assert 'href="judge/match/1/4"' in text
    assert "B4x" in text


def test_a_judge_rules_from_the_matchs_page(day: Desk, judge_page: Browser) -> None:
    page = judge_page.get("/judge/match/1/4").text
    assert "by <bdi>B4x</bdi>; learned by desk" in page[page.index('<figure class="timeline"') :]
    words = re.findall(r'name="stands" value="(--result=[^"]*)"', page)
    assert len(words) == 1
    at = "/judge/match/1/4"
    fields = {"form": "rule", "table": "1/4", "stands": words[0], "clause": "FFG-RULING"}
    ahead = judge_page.line(at=at, text="both slips say so", **fields)
    assert "both slips say so" in ahead.text
    done = judge_page.confirm(ahead)
    assert done.url.path == at
    assert "both slips say so" in done.text
    desk_page_text = judge_page.get("/judge").text
    assert "FFG-RULING" in desk_page_text
    assert "B4x" in day.done("match", "4").out.splitlines()[0]
    assert day.done("disputes", "--json").json == []


def test_a_clause_is_behind_its_id_and_looked_up(day: Desk, judge_page: Browser) -> None:
    """FFG-MISSED: a ruling's clause leads to a page with its text, as does a search by words."""
    del day
    line = 'rule 1 "the card stays" --clause missed'
    judge_page.confirm(judge_page.line(line, "/judge"))
    page = judge_page.get("/judge").text
    assert 'href="clause/FFG-MISSED"' in page
    assert 'action="clause"' in page
    refused = judge_page.line('rule 1 "it stays" --clause AOP-MISSED', "/judge").text
    assert 'href="clause/AOP-MISSED"' in refused
    overruled = judge_page.line('rule 1 "it stays" --overrules "a line is missing"', "/judge").text
    assert 'href="clause/FFG-OVERRULE"' in overruled
    for path in ("/clause/FFG-MISSED", "/clause?words=missed+opportunity", "/clause/ffg-missed"):
        text = judge_page.get(path).text
        assert "FFG-MISSED: missed opportunity" in text
        assert "Missed Opportunities" in text
    assert "No clause fits" in judge_page.get("/clause/%3Cscript%3E").text
    assert "<script>" not in judge_page.get("/clause/%3Cscript%3E").text


def test_a_ruling_is_appealed_and_reviewed(day: Desk, judge_page: Browser) -> None:
    at = "/judge/match/1/4"
    rule = {"form": "rule", "table": "1/4", "stands": "--stands", "text": "as reported"}
    judge_page.confirm(judge_page.line(at=at, **rule))
    appeal = {"form": "appeal", "table": "1/4", "player": "b4x", "reason": "one slip of two"}
    judge_page.who = official(1)
    judge_page.confirm(judge_page.line(at=at, **appeal))
    assert "Appeal" in judge_page.get("/judge").text or "appealed" in judge_page.get("/judge").text
    review = {"form": "review", "table": "1/4", "text": "both seen", "outcome": "--upheld"}
    assert judge_page.confirm(judge_page.line(at=at, **review)).status_code == 200
    assert "both seen" in day.done("rule").out


@pytest.mark.parametrize(("form", "said"), [("explain-pairing", "score group"), ("whatif", "B4x")])
def test_a_match_is_explained_and_tried(judge_page: Browser, form: str, said: str) -> None:
    answer = judge_page.line(form=form, table="1/4", result="b4x", at="/judge/match/1/4")
    assert answer.status_code == 200
    assert said in answer.text.partition("<pre")[2].partition("</pre>")[0]


def test_a_match_is_found_by_who_plays_it(judge_page: Browser) -> None:
    assert judge_page.get("/judge/match?table=b3x").url.path == "/judge/match/1/3"
    assert judge_page.get("/judge/match?table=77").status_code == 404


def test_how_a_line_is_read_is_said_while_it_is_typed(day: Desk, desk_page: Browser) -> None:
    before = day.log()

    def read(line: str) -> str:
        data = {"line": line}
        answer = desk_page.post("/line/reading", data=data, headers={"origin": HERE})
        return without_isolates(answer.text)

    assert "beat" in read("1 a1x")
    assert "could be both" in read("1 x")
    number = day.seats(1)[0]
    assert read("drop a1x") == f"A1x (#{number}); press Enter to see what it would do"
    assert read("round extend b2x 5 --reason late").startswith("1/2 (A2x (#")
    assert read("cut") == "press Enter to see what it would do"
    assert read("match 4") == "press Enter to see it"
    assert read("") == ""
    assert day.log() == before


def test_nobody_else_sees_or_posts_them(day: Desk, desk_page: Browser) -> None:
    before = day.log()
    for who in (NOBODY, player(1)):
        desk_page.who = who
        for path in ("/desk", "/judge", "/judge/match/1/4", "/desk?part="):
            assert desk_page.get(path).status_code == 401, path
        for path in ("/line", "/line/reading"):
            data = {"id": "abcdefgh", "line": "1 a1x", "seen": "20"}
            assert desk_page.post(path, data=data, headers={"origin": HERE}).status_code == 401
    assert day.log() == before


def test_names_and_notes_are_escaped(judge_page: Browser) -> None:
    for path in ("/desk", "/judge", "/judge/match/1/4"):
        text = judge_page.get(path).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text, path


def test_a_form_makes_the_line_that_is_typed_for_it() -> None:
    fields = {"table": "2/7", "result": "ann modified", "reason": "-5 was read; x"}
    words = words_for(LINE_FORMS["correct"], fields)
    assert words == ["correct", "--reason=-5 was read; x", "--", "2/7", "ann", "modified"]
    drop = {"player": "#3", "how": "--no-show", "note": ""}
    assert words_for(LINE_FORMS["drop"], drop) == ["drop", "--no-show", "--", "#3"]
    assert words_for(LINE_FORMS["finish"], {}) == ["finish"]


@pytest.mark.parametrize(
    ("ruleset", "typed"),
    [
        ("l5r", ["1 a", "1 a modified", "1 no-show b"]),
        ("swiss", ["1 a", "1 draw", "1 no-show a b"]),
        ("xwing2", ["1 a 120-70", "1 b 200-10"]),
        ("legion", ["1 a", "1 no-show a"]),
        ("mtg", ["1 a 2-1", "1 1-1-1"]),
        ("netrunner", ["1 3-3", "1 a 6-0"]),
    ],
)
def test_a_result_on_record_is_typed_as_it_was(desk: Desk, ruleset: str, typed: list[str]) -> None:
    for line in typed:
        desk.done("new", line, "--ruleset", ruleset, "--organizer", "Kim")
        for name in ("Anna", "Boris"):
            desk.done("register", name)
        desk.done("start", "custom", "--rounds", "1")
        desk.done("pair")
        desk.type("scenario", "draw")
        desk.type("round", "start", "50")
        desk.done("report", *line.split())
        session = Session(Options(), ())
        (match,) = session.book.tournament.rounds[0].matches
        assert match.result is not None
        words = as_typed(session.book.tournament, match, match.result)
        again = stated_in(session.book.tournament, match, words)
        assert result_from(session.book.tournament, match, again) == match.result, line
        session.close()


def test_a_call_waits_until_somebody_goes(day: Desk, judge_page: Browser) -> None:
    day.done("call", "2", "is this allowed?", "--as", f"p{day.seats(2)[0]}")
    page = judge_page.get("/judge").text
    assert "is this allowed?" in page
    (call,) = re.findall(r'name="call" value="(\d+)"', page)
    judge_page.confirm(judge_page.line(form="call-answer", call=call, at="/judge"))
    assert "is this allowed?" not in judge_page.get("/judge?part=").text
    assert day.done("call", "--json").json == []


def test_who_asks_to_be_registered_is_answered(desk: Desk) -> None:
    desk.open(2)
    for name in ("Ann Lee", "Ben Roe"):
        desk.done("requests", "add", name)
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
        first, _, second, *_ = re.findall(r'name="request" value="(\d+)"', page)
        browser.confirm(browser.line(form="approve", request=first))
        browser.confirm(browser.line(form="refuse", request=second, reason="full"))
        assert "Registration request " not in browser.get("/desk").text
    assert "Ann Lee" in desk.done("list").out
    assert "Ben Roe" not in desk.done("log").out


def test_a_badge_that_is_scanned_at_a_page_checks_its_player_in(desk: Desk) -> None:
    """A page's script sends the SHA-256 of the badge's secret in its place."""
    desk.open(4)
    links = desk.done("links", "print", "--address", HERE, "--json").json["links"]
    badge = {each["of"]: sha256(secret_of(each).encode()).hexdigest() for each in links}
    desk.done("check-in", "open")
    with hall_open(official(1)) as browser:
        answer = browser.confirm(browser.line(f"check-in badge:{badge['p2']}"))
        assert answer.status_code == HTTPStatus.OK
        for wrong in ("0" * 64, badge["p2"][:-1], badge["p2"].upper(), "", "²"):
            assert "this badge" in browser.line(f"check-in badge:{wrong}").text
        desk.done("links", "revoke", "#3", "--reason", "lost")
        assert "this badge" in browser.line(f"check-in badge:{badge['p3']}").text
    here = [each["player"] for each in desk.done("check-in", "--json").json if each["here"]]
    assert here == [2]


def test_the_check_in_says_who_is_absent(desk: Desk) -> None:
    desk.open(3)
    with hall_open(official(1)) as browser:
        browser.confirm(browser.line(form="check-in-open"))
        browser.confirm(browser.line(form="check-in", player="#2"))
        page = browser.get("/desk").text
    assert "1 of 3 players checked in" in page
    assert '<a href="desk?line=drop%20%233%20--no-show">drop as a no-show</a>' in page
    assert "drop%20%232" not in page


def offered(browser: Browser) -> set[str]:
    return set(re.findall(r'name="form" value="([^"]+)"', browser.get("/desk").text))


def test_the_desk_offers_what_makes_sense_now(day: Desk, desk_page: Browser) -> None:
    """A clock that runs goes on by itself; without a free place nobody accepts one."""
    now = offered(desk_page)
    assert {"pause", "unpair", "undo"} & now == {"pause", "undo"}
    assert "check-in-open" not in now, "a round is in play"
    assert not now & {"resume", "cut-accept", "cut-decline", "check-in-close"}
    assert not now & DUE
    day.done("round", "pause", "--reason", "lights out")
    assert "resume" in offered(desk_page)
    assert "pause" not in offered(desk_page)
    day.done("round", "resume")
    assert "resume" not in offered(desk_page)


def test_a_step_of_the_day_is_offered_when_it_is_the_next_and_does_not_fail(desk: Desk) -> None:
    """From the first pairing to the end: each is one button, and what it makes is taken."""
    desk.open(4, "custom", "--rounds", "1", "--cut", "2")
    steps = []
    with hall_open(official(1)) as browser:
        while step := offered(browser) & DUE:
            (name,) = step
            steps.append(name)
            assert browser.confirm(browser.line(form=name)).status_code == 200
            if name == "round-start":
                assert not offered(browser) & DUE
                for table in desk.done("pairings", "--json").json:
                    desk.done("report", str(table["table"]), f"#{table['players'][0]}")
    assert steps == ["pair", "round-start", "cut", "pair", "round-start", "finish"]


def test_a_check_in_is_closed_while_open_and_a_place_taken_while_free(
    desk: Desk,
) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "2")
    with hall_open(official(1)) as browser:
        desk.done("check-in", "open")
        now = offered(browser)
        assert "check-in-close" in now
        assert "check-in-open" not in now
        desk.done("check-in", "close")
        assert "check-in-close" not in offered(browser)
    desk.done("pair")
    desk.done("round", "start")
    for table in (1, 2, 3):
        desk.done("report", str(table), f"#{desk.seats(table)[0]}")
    desk.done("round", "close")
    desk.done("cut")
    with hall_open(official(1)) as browser:
        assert not offered(browser) & {"cut-accept", "cut-decline"}
        leader = desk.done("standings", "--json").json[0]["player"]
        desk.done("drop", f"#{leader}")
        assert {"cut-accept", "cut-decline"} <= offered(browser)


def test_links_by_the_hundred_hide_nothing_that_happened(day: Desk, desk_page: Browser) -> None:
    day.done("note", "the lights went out")
    day.done("links", "print", "-o", "badges.html")
    day.done("links", "revoke", "1", "--reason", "lost")
    latest = desk_page.get("/desk").text.partition("Latest events")[2].partition("</ol>")[0]
    assert "the lights went out" in latest
    assert " link" not in latest


def test_the_signed_head_is_one_sign_on_every_page_and_explains_the_words(
    day: Desk, desk_page: Browser
) -> None:
    del day
    for who, path in ((player(1), "/me"), (official(1), "/desk"), (NOBODY, "/pairings")):
        desk_page.who = who
        links = re.findall(r'<a href="head"[^>]*>', desk_page.get(path).text)
        signs = [link for link in links if 'class="seal"' in link]
        words = [link for link in links if 'title="Use of these words"' in link]
        assert (len(signs), len(words), len(links)) == (1, 1, 2), path
    assert "Compare the six words" in desk_page.get("/head").text


# --- every form that is refused has what was typed


def no(*_: object, **__: object) -> None:
    raise Refused("no: give two rounds, as `start custom --rounds 2`")


def before_the_start(desk: Desk) -> None:
    desk.open(6)


def in_the_cut(desk: Desk) -> None:
    play(desk)


def with_facts(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "3", ruleset="legion")
    for seat in range(1, 5):
        desk.type("lists", "check", f"#{seat}")
    desk.type("scenario", "draw")
    desk.done("pair")


@pytest.mark.parametrize("days", [before_the_start, in_the_cut, with_facts])
def test_a_form_that_is_refused_comes_back_as_it_was_filled_in(
    desk: Desk, days: Callable[[Desk], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts, choices and ticks of every form of every page; its fold is open."""
    days(desk)
    monkeypatch.setattr(Staff, "_found", no)
    monkeypatch.setattr(Screens, "assign", no)
    monkeypatch.setattr(Screens, "announce", no)
    monkeypatch.setattr(Screens, "speak", no)
    tried = set[tuple[str, ...]]()
    with hall_open(official(1)) as browser:
        browser.get("/screen/1")
        browser.get("/desk")
        for at in (*EVERY_PAGE, *(f"/desk?table=1/{table}" for table in (1, 2))):
            page = browser.get(at)
            if page.status_code != HTTPStatus.OK:
                continue
            for form in forms_in(page.text):
                if form.method != "post" or (at, *form.identity) in tried:
                    continue
                tried.add((at, *form.identity))
                filled = {name: filled_into(field) for name, field in form.fields.items()}
                data = {**form.hidden, **filled}
                answer = browser.post(f"/{form.action}", data=data, headers={"origin": HERE})
                if form.action == "desk/links":
                    continue  # it has no field
                assert answer.status_code == HTTPStatus.CONFLICT, (at, form)
                assert "<p>no: " in answer.text.partition('role="alert"')[2], (at, form)
                own = form.identity, form.fields.keys()
                again = [
                    each
                    for each in forms_in(answer.text)
                    if (each.identity, each.fields.keys()) == own
                ]
                assert again, (at, form.identity)
                for each in again:
                    shown = {name: field.value for name, field in each.fields.items()}
                    assert shown == filled, (at, form.identity)
                    assert not form.fields or not each.is_folded, (at, form.identity)
    actions = Counter(form[1] for form in tried)
    assert actions.keys() >= {"line", "screens", "announce"}
    assert actions["line"] > 50


EVERY_PAGE = (
    *("/desk", "/desk/players", "/desk/players?player=1", "/desk/round", "/desk/standings"),
    *("/desk/print", "/desk/settings", "/desk/lines?verb=register", "/desk/lines?form=correct"),
    *("/judge", "/judge/match/1/1", "/judge/match/2/1", "/judge/match/1/2", "/judge/player/p1"),
    "/desk/lines?form=correct&table=1/1",
)


def filled_into(field: PageField) -> str:
    """Return what a person may fill in that the field does not show at first."""
    if field.kind == "textarea":
        return f"{TYPED}\nand more"
    if field.kind in {"text", "search"}:
        return TYPED
    if field.kind == "number":
        return "7"
    return next((value for value in reversed(field.offered) if value != field.value), field.value)


def test_a_refused_start_is_explained_by_the_fields_of_its_form(desk: Desk) -> None:
    """On the desk and on the page of the round; the act is refused at once, or when it is done."""
    desk.open(6)
    asked = {"structure": "basic", "rounds": "5", "cut": "", "word": "blue", "reason": "late"}
    with hall_open(official(1)) as browser:
        for at in ("/desk", "/desk/round", "/desk/lines?form=start"):
            answer = browser.line("", at, form="start", **asked)
            reason = answer.text.partition('role="alert"')[2].partition("</div>")[0]
            assert "use custom under “Structure”" in reason
            assert "start custom" not in reason
            for words in ({"structure": "custom"}, {"structure": "custom", "rounds": "x"}):
                answer = browser.line("", at, form="start", **{**asked, "rounds": "", **words})
                reason = answer.text.partition('role="alert"')[2].partition("</div>")[0]
                assert "“Swiss rounds, if custom”" in reason
                assert "--rounds" not in reason


def test_a_form_that_is_refused_when_its_act_is_done_comes_back_as_it_was_filled_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open(6)
    asked = {"structure": "custom", "rounds": "2", "cut": "3", "word": TYPED}
    with hall_open(official(1)) as browser:
        ahead = browser.line("", form="start", **asked)
        (doing,) = (
            form for form in forms_in(ahead.text) if {"confirmed", "words"} <= form.hidden.keys()
        )
        monkeypatch.setattr(Staff, "_act", no)
        late = browser.post("/line", data=doing.hidden, headers={"origin": HERE})
        assert late.status_code == HTTPStatus.CONFLICT
        (again,) = (form for form in forms_in(late.text) if form.hidden.get("form") == "start")
        assert {name: again.fields[name].value for name in asked} == asked


# --- links


def only_made(desk: Desk) -> None:
    desk.open(1)


def registered(desk: Desk) -> None:
    desk.open(6)


def ended(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("call", "1", "a question")
    desk.report_all()
    desk.done("finish")


CHOSEN = (
    *("/desk/players?player=1", "/desk/lines?verb=register", "/desk/settings?link=e1"),
    *("/desk?table=1/1", "/pairings?find=a", "/nothing"),
)
"""Pages that the words behind a path choose."""


@pytest.mark.parametrize("days", [only_made, registered, play, ended])
@pytest.mark.parametrize("visitor", [NOBODY, player(1), official(1)], ids=lambda who: who.by)
def test_no_page_has_a_link_to_itself_outside_of_its_navigation(
    desk: Desk, days: Callable[[Desk], None], visitor: Visitor
) -> None:
    """The code of a phone's act has one, which says that it loads the page again."""
    days(desk)
    count = 0
    with hall_open(visitor) as browser:
        for path in (*paths_of(browser.hall), *CHOSEN):
            page = browser.get(path)
            own = urljoin(HERE, path)
            if path == "/carried" or "html" not in page.headers["content-type"]:
                continue
            links = [urljoin(f"{HERE}/", link) for link in links_in(page.text)]
            assert own not in links, path
            count += len(links)
    assert count > 10

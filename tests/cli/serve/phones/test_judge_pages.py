"""The judge's phone: calls, one table, one player, and what was ruled on both players' pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.cli_desk import typed_once, without_isolates
from tests.support.hall import HERE, hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

STRANGE = '<script>alert("x")</script>'


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, the first round running; Pat is a judge, and table 2 is disputed."""
    whole = ("--organizer", "Kim", "--format", "l5r")
    desk.done("new", "Night", "--ruleset", "l5r", *whole)
    desk.done("official", "add", "Pat", "--role", "judge")
    for name in ("Ann", "Ben", "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    first, second = desk.seats(2)
    desk.done("report", "2", f"#{first}", "--for", f"#{first}")
    desk.done("dispute", "2", f"#{second}", "--for", f"#{second}", "--reason", STRANGE)
    return desk


@pytest.fixture
def judge(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(2)) as asking:
        yield asking


def forms_of(page: str, name: str) -> list[dict[str, str]]:
    """Return the hidden fields of each form of a name, as a browser posts them."""
    forms = re.findall(r'<form method="post" action="line"[^>]*>(.*?)</form>', page, re.DOTALL)
    hidden = [
        dict(re.findall(r'type="hidden" name="([\w-]+)" value="([^"]*)"', form)) for form in forms
    ]
    return [fields for fields in hidden if fields.get("form") == name]


def minutes_added(day: Desk, table: int) -> int:
    tables = day.done("round", "--json").json["tables"]
    return int(next(each["extension"] for each in tables if each["table"] == table))


def test_a_call_has_its_table_its_players_and_its_waiting_time(day: Desk, judge: Browser) -> None:
    first, second = day.seats(1)
    day.done("call", "1", STRANGE, "--for", f"#{first}")
    page = judge.get("/judge").text
    call = page[page.index("Judge called") :]
    call = call[: call.index("</li>")]
    assert 'href="judge/match/1/1"' in call
    assert all(f'href="judge/player/p{each}"' in call for each in (first, second))
    assert "0 min" in call
    assert "<script>alert" not in page
    (going,) = forms_of(page, "call-answer")
    answer = judge.post("/line", data=going, headers={"origin": HERE})
    assert "Judge called" not in answer.text.partition('id="now"')[2]
    assert "Pat" in day.done("log").out


def test_more_time_is_one_tap_and_is_undone_by_one(day: Desk, judge: Browser) -> None:
    page = judge.get("/judge/match/1/1").text
    buttons = {each["minutes"]: each for each in forms_of(page, "extend") if "minutes" in each}
    assert list(buttons) == ["3", "5", "10"]
    answer = judge.post("/line", data=buttons["5"], headers={"origin": HERE})
    assert answer.url.path == "/judge/match/1/1"
    assert "with 5 minutes added" in without_isolates(answer.text)
    assert minutes_added(day, 1) == 5
    twice = judge.post("/line", data=buttons["5"], headers={"origin": HERE})
    assert twice.status_code == 200
    assert minutes_added(day, 1) == 5
    (undo,) = forms_of(answer.text, "undo")
    undone = judge.post("/line", data=undo, headers={"origin": HERE})
    assert minutes_added(day, 1) == 0
    assert forms_of(undone.text, "undo") == []


def test_the_undo_is_of_the_act_that_was_shown_and_of_no_later_one(
    day: Desk, judge: Browser
) -> None:
    page = judge.get("/judge/match/1/1").text
    shown = judge.post("/line", data=forms_of(page, "extend")[0], headers={"origin": HERE})
    assert forms_of(shown.text, "undo")
    day.done("note", "1/1", "looked at the clock", "--as", "2")
    again = judge.get(f"{shown.url.path}?{shown.url.query.decode()}").text
    assert forms_of(again, "undo") == []
    judge.who = official(1)
    other = judge.get(f"{shown.url.path}?{shown.url.query.decode()}").text
    assert forms_of(other, "undo") == []


def test_a_table_that_is_over_gets_no_time(judge: Browser, day: Desk) -> None:
    first, _ = day.seats(1)
    day.done("report", "1", f"#{first}")
    page = judge.get("/judge/match/1/1").text
    assert [each for each in forms_of(page, "extend") if "minutes" in each] == []


def test_a_matchs_page_shows_who_knew_what_when(judge: Browser, day: Desk) -> None:
    first, second = day.seats(1)
    page = judge.get("/judge/match/1/1").text
    assert '<figure class="timeline"' in page
    assert "event" in page[page.index("<figcaption") :]
    assert all(f'href="judge/player/p{each}"' in page for each in (first, second))


def test_clauses_are_chosen_by_their_own_words(judge: Browser) -> None:
    page = without_isolates(judge.get("/judge/match/1/2").text)
    rule = page[page.index("Rule on this match") :]
    choice = rule[rule.index('value="FFG-RULING"') :]
    choice = choice[: choice.index("</label>")]
    assert "A ruling is recorded with its match" in choice
    assert "Tournament Regulations" in choice
    assert "section" in choice
    assert 'name="clause" value="" checked' in rule
    assert "AOP-" not in rule


def test_a_penalty_is_given_from_the_card(judge: Browser, day: Desk) -> None:
    judge.who = official(1)
    first, _ = day.seats(1)
    card = f"/judge/player/p{first}"
    page = judge.get(card).text
    assert "No penalties." in page
    kinds = re.findall(r'name="kind" value="([^"]*)"', page)
    assert "warning" in kinds
    assert "declared-win" not in kinds
    (fields,) = forms_of(page, "penalty")
    posted = {**fields, "reason": STRANGE, "kind": "warning", "clause": "FFG-AUTH-CONDUCT"}
    ahead = judge.post("/line", data=posted, headers={"origin": HERE})
    assert "This would be recorded" in ahead.text
    done = judge.confirm(ahead)
    assert done.url.path == card
    listed = done.text.partition("Penalties and conduct")[2]
    assert "warning" in listed
    assert 'href="clause/FFG-AUTH-CONDUCT"' in listed
    assert "<script>alert" not in done.text
    (penalty,) = day.done("penalty", "--json").json
    assert (penalty["player"], penalty["clause"]) == (first, "FFG-AUTH-CONDUCT")


def test_the_card_has_past_rounds_the_status_and_the_acts(judge: Browser, day: Desk) -> None:
    first, second = day.seats(1)
    day.done("report", "1", f"#{first}")
    day.done("rule", "2", "so it was", "--stands", "--as", "2")
    day.done("pair")
    day.done("drop", f"#{second}", "--conceded")
    card = judge.get(f"/judge/player/p{second}").text
    past = without_isolates(card).partition("Past rounds")[2]
    assert 'href="judge/match/1/1"' in past
    assert "beat" in past
    assert "dropped" in card
    assert forms_of(card, "rejoin")
    assert not forms_of(card, "drop")
    playing = judge.get(f"/judge/player/p{first}").text
    assert all(forms_of(playing, each) for each in ("drop", "recommend", "disqualify"))
    assert judge.get("/judge/player/p99").status_code == 404
    assert judge.get("/judge/player/x").status_code in (404, 409)
    found = judge.get("/judge/player", params={"player": f"#{first}"})
    assert found.url.path == f"/judge/player/p{first}"
    judge.who = player(first)
    assert judge.get(f"/judge/player/p{first}").status_code == 401


def test_a_list_is_checked_from_the_phone(judge: Browser, day: Desk) -> None:
    first, _ = day.seats(1)
    page = judge.get(f"/judge/player/p{first}").text
    assert "List: not submitted" in page
    (fields,) = forms_of(page, "list-check")
    posted = {**fields, "fails": "41 cards", "note": "counted twice"}
    judge.confirm(judge.post("/line", data=posted, headers={"origin": HERE}))
    (listed,) = (each for each in day.done("lists", "--json").json if each["player"] == first)
    assert (listed["checked"], listed["breaking"]) == (True, 1)


def test_what_is_sealed_of_a_list_stays_sealed_on_the_card(desk: Desk) -> None:
    opened = ("--ruleset", "legion", "--format", "legion", "--organizer", "Kim")
    desk.done("new", "Night", *opened)
    desk.done("register", "Ann")
    listed = "# Units\n1 Luke Skywalker\n# Command\n1 Secret Gambit\n"
    (desk.folder / "ann.txt").write_text(listed)
    desk.done("lists", "submit", "ann", "ann.txt")
    with hall_open(official(1)) as kim:
        page = kim.get("/judge/player/p1").text
    assert "Luke Skywalker" in page
    assert "Secret Gambit" not in page
    assert "sealed" in page


def test_a_ruling_is_on_both_phones_at_once_and_is_entered_without_a_question(
    judge: Browser, day: Desk
) -> None:
    first, second = day.seats(2)
    page = judge.get("/judge/match/1/2").text
    (value,) = re.findall(r'name="stands" value="(--result=[^"]*)"', page)
    fields = {"form": "rule", "table": "1/2", "stands": value, "clause": "FFG-RULING"}
    ahead = judge.line(at="/judge/match/1/2", text="both slips say so", **fields)
    judge.confirm(ahead)
    for side in (first, second):
        judge.who = player(side)
        text = judge.get("/me").text
        assert "Ruled: " in text
        assert "both slips say so" in text
        assert "must still enter" not in text
    assert day.done("disputes", "--json").json == []
    assert day.done("match", "2", "--json").json["result"]
    day.done("verify")


def test_a_ruling_without_a_dispute_is_on_both_phones(judge: Browser, day: Desk) -> None:
    judge.confirm(judge.line('rule 1 "the card stays" --clause missed', "/judge"))
    for side in day.seats(1):
        judge.who = player(side)
        assert "the card stays" in judge.get("/me").text
    judge.who = player(day.seats(2)[0])
    assert "the card stays" not in judge.get("/me").text


def test_a_correction_is_listed_on_both_phones(judge: Browser, day: Desk) -> None:
    first, second = day.seats(1)
    judge.who = official(1)
    judge.line(f"1 #{first}")
    judge.confirm(judge.line(f'correct 1 #{second} --reason "the slip was misread"'))
    for side in (first, second):
        judge.who = player(side)
        assert "the slip was misread" in judge.get("/me").text
    judge.who = official(2)
    judge.confirm(judge.line('rule 2 "so it was" --stands'))
    judge.who = official(1)
    judge.confirm(judge.line("pair"))
    judge.who = player(first)
    past = judge.get("/me").text.partition("Past rounds")[2]
    assert "the slip was misread" in past
    assert "/judge/" not in past

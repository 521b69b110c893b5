"""What has to be signed: kept from a page, and signed at a terminal by who it is by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.cli_desk import typed_once
from tests.support.days.kept_drafts import judge_with_key
from tests.support.hall import hall_open, official

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

NOTE = {"type": "TakeNote", "text": "Ben was late"}
RULING = {"type": "Rule", "official": 2, "ruling": "a warning", "match": 1}


day = typed_once(judge_with_key)


@pytest.fixture
def browser(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(2)) as asking:
        yield asking


def waiting(desk: Desk) -> list[dict[str, object]]:
    found: list[dict[str, object]] = desk.done("sign", "--json").json
    return found


def test_what_has_to_be_signed_waits_and_nothing_of_it_counts(day: Desk, browser: Browser) -> None:
    before = day.log()
    answer = browser.act(RULING, "a-ruling")
    assert answer.status_code == 202
    (problem,) = answer.json()["problems"]
    assert problem["code"] == "draft.waits"
    assert "is waiting for the signature of Mara" in problem["sentence"]
    assert day.log() == before
    (draft,) = waiting(day)
    assert draft["act"] == "RulingMade"
    assert "a warning" in str(draft["what"])
    assert "waits" in day.done("sign").out or "a warning" in day.done("sign").out


def test_it_is_signed_at_a_terminal_under_the_id_it_came_with(day: Desk, browser: Browser) -> None:
    browser.act(RULING, "a-ruling")
    browser.act(NOTE, "a-note-too")
    (ruling, note) = day.done("sign", "now", "all", "--json").json
    assert (ruling["id"], note["id"]) == ("a-ruling", "a-note-too")
    line = day.done("log", "--json").out.splitlines()[ruling["events"][0]["seq"] - 1]
    assert '"by":"o2"' in line
    assert '"sig":"' in line
    assert waiting(day) == []
    day.done("verify")
    again = browser.act(RULING, "a-ruling")
    assert again.status_code == 200
    assert again.json()["events"][0]["seq"] == ruling["events"][0]["seq"]
    assert waiting(day) == []


def test_without_the_key_nobody_signs_it(day: Desk, browser: Browser) -> None:
    browser.act(NOTE, "a-note-here")
    (key,) = (day.folder / ".tourney-keys").glob("o2-*.key")
    key.rename(day.folder / "elsewhere")
    assert "is not in .tourney-keys here" in day.refused("sign", "now", "1").err
    assert len(waiting(day)) == 1


def test_a_draft_outlives_the_server_and_may_be_thrown_away(day: Desk) -> None:
    for place in range(2):
        with hall_open(official(2)) as asking:
            asking.act(NOTE, f"a-note-{place}")
    before = day.log()
    day.done("sign", "drop", "1")
    assert [each["id"] for each in waiting(day)] == ["a-note-1"]
    assert day.log() == before
    assert day.type("sign", "drop", "7").code == 2
    day.done("sign", "drop", "all")
    assert day.type("sign", "now", "1").code == 3


def test_a_backup_takes_along_what_waits(day: Desk, browser: Browser) -> None:
    browser.act(NOTE, "a-note-here")
    day.done("backup", "night.backup")
    day.done("--store", "other.db", "restore", "night.backup")
    there = day.done("--store", "other.db", "sign", "--json").json
    assert [each["id"] for each in there] == ["a-note-here"]


def test_the_same_act_waits_once_and_too_many_do_not_wait(
    day: Desk, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.serve.commands.DRAFTS_MAX", 2)
    for _ in range(3):
        assert browser.act(NOTE, "the-same-note").status_code == 202
    assert len(waiting(day)) == 1
    assert browser.act(NOTE, "another-note").status_code == 202
    assert browser.act(NOTE, "a-third-note").status_code == 409


def test_what_is_not_signed_lands_at_once(browser: Browser) -> None:
    assert browser.act({"type": "ExtendTable", "match": 1, "minutes": 3, "reason": "x"}).is_success


def test_a_line_that_has_to_be_signed_is_shown_and_waits(day: Desk, browser: Browser) -> None:
    before = day.log()
    ahead = browser.line('rule 1 "the card stays" --clause L5R-TIME', "/judge")
    assert "the card stays" in ahead.text
    assert "must be signed with a key of <bdi>Mara</bdi>" in ahead.text
    kept = browser.confirm(ahead)
    assert kept.status_code == 202
    assert (
        "is waiting for the signature of <bdi>Mara</bdi>"
        in kept.text.partition('aria-label="Answer"')[2]
    )
    assert 'role="alert"' not in kept.text
    assert "the card stays" in browser.get("/judge?part=").text
    assert day.log() == before
    day.done("sign", "now", "all")
    assert "the card stays" in day.done("rule").out


def test_what_could_not_be_signed_does_not_wait(day: Desk, browser: Browser) -> None:
    first, _ = day.seats(1)
    refused = browser.line(f'penalty #{first} warning --for-what "slow play"', "/judge")
    assert "a penalty is reserved for the organizer" in refused.text
    penalty = {"type": "Penalize", "player": first, "kind": "warning", "infraction": "slow"}
    assert browser.act(penalty, "a-penalty").status_code == 409
    assert waiting(day) == []


def test_who_is_forgotten_is_in_no_act_that_waits(day: Desk, browser: Browser) -> None:
    """A ruling on their match is thrown away; the one on another's goes on waiting."""
    first, _ = day.seats(1)
    browser.act(RULING, "about-a-match")
    browser.act({**RULING, "match": 2}, "about-others")
    assert len(waiting(day)) == 2
    told = day.done("forget", f"#{first}").err
    assert "deleted: 1 waiting act by or about this person" in told
    assert [each["id"] for each in waiting(day)] == ["about-others"]
    vault = b"".join(each.read_bytes() for each in day.folder.glob("*vault*"))
    assert b"about-a-match" not in vault

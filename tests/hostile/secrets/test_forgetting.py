"""Forgetting as a way to destroy what others still need, and what must be gone all the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog, Refused
from ledger.exchange import replay
from ledger.facts.people import PersonForgotten
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.rules.elimination import FinishTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import ForgetPerson, RenamePerson
from ledger.rules.rounds import CloseRound
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.days.sealed_days import (
    AT,
    STREAM,
    WORDS_OF_1,
    act,
    again,
    forget,
    played,
    report_all,
    written,
)
from tests.support.files.imports import import_file

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Store
    from tests.support.cli_desk import Desk

RULED = "the slip is signed by both"
OWN = "Zwischenruf"
REPORT = "took a card back, says Ann"


def a_day(desk: Desk, *options: str) -> Desk:
    """Two tables; a ruling on Ann's match, a penalty of hers, and one that she asked for."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen", *options)
    for name in ("Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox"):
        desk.done("register", name)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    table = next(table for table in (1, 2) if 1 in desk.seats(table))
    first = str(desk.seats(table)[0])
    words = ("--result", first, "--clause", "FFG-RULING", "--as", "pat")
    desk.done("rule", str(table), RULED, *words)
    desk.done("penalty", "ann", "warning", "--for-what", OWN)
    desk.done("penalty", "cas", "warning", "--for-what", REPORT, "--for", "ann")
    return desk


def logged(desk: Desk) -> str:
    """What `log` shows, without its line breaks."""
    return " ".join(desk.done("log").out.split())


def findings(desk: Desk) -> list[int]:
    found = desk.done("audit", "--json").json["findings"]
    return [each["kept"] for each in found if each["kind"] == "forgotten"]


@pytest.mark.slow
def test_during_play_what_others_need_is_kept(desk: Desk) -> None:
    """An opponent's dispute is not decided by destroying the ruling on it."""
    day = a_day(desk)
    answer = day.done("forget", "ann", "--json")
    assert (answer.json["keys_destroyed"], answer.json["keys_kept"]) == (2, 2)
    assert (
        "2 texts (rulings, corrections, reports); to destroy these texts too, repeat `forget 1`"
        in answer.err
    )
    log = logged(day)
    assert RULED in log
    assert REPORT in log
    assert OWN not in log
    assert "texts kept because they also name other people: 2" in log
    assert findings(day) == [2]
    again_now = day.done("forget", "1", "--json").json
    assert (again_now["events"], again_now["keys_destroyed"]) == ([], 0)
    day.done("verify")


@pytest.mark.slow
def test_after_play_forgetting_again_destroys_the_rest_on_record(desk: Desk) -> None:
    day = a_day(desk)
    day.done("forget", "ann")
    day.done("finish")
    assert RULED in logged(day)
    answer = day.done("forget", "1", "--json")
    assert [each["type"] for each in answer.json["events"]] == ["PersonForgotten"]
    assert (answer.json["keys_destroyed"], answer.json["keys_kept"]) == (2, 0)
    log = logged(day)
    assert RULED not in log
    assert REPORT not in log
    assert findings(day) == [2, 0]
    assert "nothing to change" in day.done("forget", "1").err
    day.done("verify")
    day.done("export", "-o", "day.jsonl")
    day.done("verify", "day.jsonl")
    day.done("replay", "day.jsonl")


@pytest.mark.slow
def test_forgotten_after_play_at_once(desk: Desk) -> None:
    day = a_day(desk)
    day.done("finish")
    answer = day.done("forget", "ann", "--json").json
    assert (answer["keys_destroyed"], answer["keys_kept"]) == (4, 0)


@pytest.mark.slow
def test_appeals_keep_for_as_long_as_line_1_says(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock of the desk, which is asked in `cli` alone."""
    day = a_day(desk, "--appeals", "14")
    assert json.loads(day.log().splitlines()[0])["data"]["appeals"] == 14
    day.done("finish")
    answer = day.done("forget", "ann", "--json")
    assert answer.json["keys_kept"] == 2
    assert "repeat `forget 1` 14 days after play is closed" in answer.err
    assert RULED in logged(day)
    finished = json.loads(day.log().splitlines()[-2])["at"]
    later = finished.replace(finished[:4], str(int(finished[:4]) + 1), 1)
    monkeypatch.setattr("cli.outside.now", lambda: later)
    assert day.done("forget", "1", "--json").json["keys_kept"] == 0
    assert RULED not in logged(day)
    assert findings(day) == [2, 0]


@pytest.mark.parametrize("days", ["-1", "366", "x", "1.5", ""])
def test_days_for_appeals_have_bounds(desk: Desk, days: str) -> None:
    words = ("new", "Night", "--ruleset", "l5r", "--organizer", "Kim", "--appeals", days)
    assert desk.refused(*words).code == 2


@pytest.mark.slow
def test_who_both_were_forgotten_are_kept_for_nobody(desk: Desk) -> None:
    """A text about two who are both forgotten is about nobody else."""
    day = a_day(desk)
    table = next(table for table in (1, 2) if 1 in day.seats(table))
    for number in day.seats(table):
        day.done("forget", str(number))
    assert RULED not in logged(day)


def test_another_desk_keeps_it_likewise(store: Store, tmp_path: Path) -> None:
    """An import, or a backup, of a log in which somebody was forgotten destroys no more of it."""
    book = played(store)
    forget(book, "p1")
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        import_file(elsewhere, written(book, tmp_path / "log"), ranking=ranking)
        elsewhere.vault_put_all(STREAM, store.vault_items(STREAM))
        other = again(elsewhere)
        other.destroy_forgotten()
        words = [getattr(each.event, "reason", "") for each in other.recorded()]
        assert WORDS_OF_1[1] in words
        assert elsewhere.vault_items(STREAM).keys() >= store.vault_items(STREAM).keys()


def test_what_is_kept_is_held_to_its_line(store: Store) -> None:
    """No word against those who were forgotten, and none for who tampers with the record."""
    book = played(store)
    act(book, ForgetPerson("p1", 1))
    with pytest.raises(Refused, match="the data of player 1 was erased"):
        act(again(store), RenamePerson("p1", "Ann"))
    assert isinstance(next(book.recorded(len(book.lines) - 1)).event, PersonForgotten)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "is_finished", "said"),
    [
        (PersonForgotten("p1"), False, "player 1 was already forgotten"),
        (PersonForgotten("p1", 3), False, "player 1 was already forgotten"),
        (
            PersonForgotten("p1", 3),
            True,
            "already forgotten; play is closed and no appeals",
        ),
        (PersonForgotten("p2", 3), True, "no appeals were announced"),
    ],
)
def test_a_forged_forgetting_is_refused(
    store: Store, tmp_path: Path, event: PersonForgotten, said: str, *, is_finished: bool
) -> None:
    book = played(store)
    forget(book, "p1")
    if is_finished:
        act(book, CloseRound())
        act(book, PairRound())
        report_all(book)
        act(book, FinishTournament())
    line = encode(record(len(book.lines) + 1, "forged", AT, "o1", event))
    path = tmp_path / "log"
    path.write_bytes(b"".join(each + b"\n" for each in [*book.lines, line]))
    with pytest.raises(InvalidLog, match=said):
        replay(path, ranking)

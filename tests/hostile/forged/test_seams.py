"""What two parts let through between them: seals and keys, withdrawals and forgetting, renewals."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from ledger.books.forgetting import persons_of
from ledger.books.vault import IMPORTED, worth_taking
from ledger.facts.keys import KeyRegistered
from ledger.facts.undo import ActWithdrawn
from ledger.lines.recorded import record
from ledger.lines.sealing import Seals
from ledger.lines.texts import DAMAGED
from ledger.proof.ciphers import seal_text
from ledger.rules.office import Penalize
from ledger.rules.undo import Undo
from ledger.store import open_store
from ledger.tournament.state import Tournament
from tests.hostile.keys.keyed_days import ALL, AT, JUDGE, LOG, NEW, NUMBER, day_of, registration
from tests.support.days.sealed_days import act, again, forget, played

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

KEY = b"k" * 32


def test_a_blank_text_that_was_sealed_is_damage() -> None:
    """Who has its key would else read a key as renewed by the old one, and others as lost."""
    sealed = seal_text(KEY, [NUMBER, "forged", "lost"], "  ", 32)
    event = structs.replace(registration(LOG, NEW), lost=sealed)
    seals = Seals(NUMBER, {"text:forged": KEY})
    opened = seals.open(record(9, "forged", AT, "o1", event)).event
    assert isinstance(opened, KeyRegistered)
    assert (opened.lost, seals.damaged) == (DAMAGED, True)


def test_why_an_act_was_taken_back_is_about_whom_the_act_was(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "day.db")) as store:
        book = played(store)
        act(book, Penalize(1, "warning", "Zwischenruf"))
        act(book, Undo("Annikas Mutter war da"))
        forget(book, "p1")
        events = [each.event for each in again(store).recorded()]
    said = [event.reason for event in events if isinstance(event, ActWithdrawn)]
    assert said == ["(forgotten)"]


def test_why_a_lost_key_has_another_in_its_place_is_about_its_holder() -> None:
    event = registration(JUDGE, NEW, lost="Pat's laptop was stolen at home")
    about = persons_of(record(9, "key", AT, "o1", event), Tournament())
    assert [*about] == [f"o{JUDGE}"]


def second_history(desk: Desk, patch: pytest.MonkeyPatch) -> None:
    """Post a head, then write another history behind an older backup with a renewed key."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("backup", "old")
    desk.done("pair")
    desk.report_all()
    desk.done("pair")
    desk.done("checkpoint", "--policy")
    desk.done("export", "-o", "first.jsonl")
    with patch.context() as other:
        other.setenv("TOURNEY_KEYS", "other-keys")
        other.setenv("TOURNEY_STORE", "other.db")
        desk.done("restore", "old")
        desk.done("key", "renew", "--lost", "--reason", "the laptop died")
        desk.done("pair")
        desk.report_all()
        desk.done("pair")
        desk.done("export", "-o", "second.jsonl")


@pytest.mark.slow
def test_a_head_of_the_old_key_is_not_passed_over(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second history revokes the key before the first one's head: that head still speaks."""
    second_history(desk, monkeypatch)
    shutil.rmtree(".tourney-keys")
    answer = desk.done("verify", "second.jsonl")
    assert "(first.jsonl.checkpoint) is of another history: line" in answer.out


@pytest.mark.slow
def test_a_machine_that_signed_the_first_history_refuses_the_second(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `import` does there, whatever the second one says of the key."""
    second_history(desk, monkeypatch)
    for verb in ("verify", "import"):
        assert desk.type(verb, "second.jsonl").code == 1, verb
    assert "two histories of one log" in desk.refused("verify", "second.jsonl").err


def test_a_backup_says_no_more_lines_came_from_a_file_than_it_has() -> None:
    """It would else say of later secrets, too, that nobody ever had them here."""
    lines = day_of(ALL)
    assert worth_taking(lines, {IMPORTED: b"3 without names"}, {}) == {IMPORTED: b"3 without names"}
    assert worth_taking(lines, {IMPORTED: b"999"}, {}) == {}

"""Backups of somebody else's making: what they hold is imported through every rule, or refused."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from ledger.books.vault import HIDDEN_KEY, SHUFFLE_KEY
from ledger.errors import InvalidLog, Refused, StoreUnavailable
from ledger.exchange.restoring import Restoring, vouched_text
from ledger.facts.people import PlayerDisqualified
from ledger.facts.results import ResultCorrected
from ledger.facts.shared import Result, RulingMade
from ledger.lines.line import decode, encode
from ledger.lines.recorded import record
from ledger.proof.notes import base64_of
from ledger.rules.office import TakeNote
from ledger.store import open_store
from ledger.store.backup import Backup, save
from projections.standings.table import ranking
from tests.ledger.proof.test_attacks import NUMBER, honest
from tests.ledger.store.test_backup import day_of
from tests.support.days.sealed_days import AT, OPENING, STREAM, act, again, forget, played
from tests.support.files.backups import Forged, forge, forged, restored
from tests.support.signed_logs import head_of, log_signer, plain_day, tournament_of

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event
    from ledger.store import Store
    from tests.support.cli_desk import Desk

WIN = Result(("win", "loss"), (10, 1))


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A place for a backup."""
    return str(tmp_path / "event.backup")


def contents(store: Store) -> dict[str, object]:
    """All that a store holds."""
    return {each: (store.entries(each), store.vault_items(each)) for each in store.streams()}


def refused(store: Store, path: str, says: str) -> None:
    """Hold that a backup is refused in these words, and that nothing of it is in the store."""
    before = contents(store)
    with pytest.raises((InvalidLog, Refused), match=says):
        restored(store, path)
    assert contents(store) == before


def longer(store: Store, path: str, tmp_path: Path, secrets: dict[str, bytes]) -> None:
    """Forge the backup of another desk of this event: it went on, and its vault holds this."""
    save(store, path)
    with open_store(f"{tmp_path}/other.db") as other:
        restored(other, path)
        book = again(other)
        act(book, TakeNote("the lights went out"), "note")
        text = {"text:note": other.vault_items(STREAM)["text:note"]}
        forge(path, [Forged(STREAM, other.lines(STREAM), text | secrets)])


def test_a_longer_backup_without_secrets_takes_none_away(
    store: Store, path: str, tmp_path: Path
) -> None:
    played(store)
    before = store.vault_items(STREAM)
    assert SHUFFLE_KEY in before
    longer(store, path, tmp_path, {})
    assert restored(store, path) == {STREAM: 1}
    after = store.vault_items(STREAM)
    assert {name: after.get(name) for name in before} == before
    assert after.keys() - before.keys() == {"text:note"}


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 31, 32, 33])
def test_a_longer_backup_with_other_secrets_replaces_none(
    store: Store, path: str, tmp_path: Path, size: int
) -> None:
    played(store)
    before = store.vault_items(STREAM)
    longer(store, path, tmp_path, dict.fromkeys((*before, "more", "name:p99"), b"x" * size))
    restored(store, path)
    after = store.vault_items(STREAM)
    assert {name: after.get(name) for name in before} == before
    assert after.keys() - before.keys() == {"text:note"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [SHUFFLE_KEY, HIDDEN_KEY])
def test_a_forged_key_of_the_draws_is_never_taken(store: Store, path: str, name: str) -> None:
    """Neither into a new store, nor where the one here is damaged or lost."""
    played(store)
    saved, right = forged(store, STREAM), store.vault_items(STREAM)
    forge(path, [saved._replace(secrets=right | {name: b"f" * 32})])
    with open_store(f"{path}.db") as new:
        restored(new, path)
        assert name not in new.vault_items(STREAM)
        assert new.vault_items(STREAM) == {k: v for k, v in right.items() if k != name}
    store.vault_put(STREAM, name, b"d" * 32)
    restored(store, path)
    assert store.vault_items(STREAM)[name] == b"d" * 32
    store.vault_delete(STREAM, name)
    restored(store, path)
    assert name not in store.vault_items(STREAM)
    forge(path, [saved])
    restored(store, path)
    assert store.vault_items(STREAM)[name] == right[name]


def test_damaged_and_missing_secrets_come_back_and_nothing_else_changes(
    store: Store, path: str
) -> None:
    played(store)
    save(store, path)
    right = store.vault_items(STREAM)
    first, second, *_ = sorted(right)
    store.vault_put(STREAM, first, b"d" * 32)
    store.vault_delete(STREAM, second)
    restored(store, path)
    assert store.vault_items(STREAM) == right


def test_only_forgetting_destroys_and_what_it_destroyed_stays_so(store: Store, path: str) -> None:
    book = played(store)
    before = forged(store, STREAM)
    forget(book, "p1")
    after = store.vault_items(STREAM)
    gone = before.secrets.keys() - after.keys()
    assert gone
    forge(path, [Forged(STREAM, store.lines(STREAM), before.secrets)])
    restored(store, path)
    assert store.vault_items(STREAM) == after
    forge(path, [before])
    refused(store, path, "is older than the store")
    with open_store(f"{path}.db") as new:
        forge(path, [before])
        restored(new, path)
        assert gone <= new.vault_items(STREAM).keys()
        forge(path, [Forged(STREAM, store.lines(STREAM), before.secrets)])
        restored(new, path)
        assert new.vault_items(STREAM) == after


UNSIGNED: dict[str, tuple[str, Event]] = {
    "the judge rules": ("o2", RulingMade(2, "the card goes", 1)),
    "the organizer disqualifies": ("o1", PlayerDisqualified(1, "collusion")),
    "the scorekeeper corrects": ("o4", ResultCorrected(1, 1, WIN, "typed wrongly")),
}


@pytest.mark.parametrize("whose", UNSIGNED)
def test_an_unsigned_act_in_the_name_of_who_holds_a_key(
    store: Store, path: str, whose: str
) -> None:
    by, event = UNSIGNED[whose]
    lines = list(honest())
    entries = [(decode(line).type, line) for line in lines]
    store.transact(NUMBER, 0, lambda _: entries)
    act_of_theirs = encode(record(len(lines) + 1, "forged", AT, by, event))
    forge(path, [Forged(NUMBER, [*lines, act_of_theirs])])
    refused(store, path, f"line {len(lines) + 1}: .*key")
    with open_store(f"{path}.db") as new:
        refused(new, path, "key")


def test_a_line_that_a_rule_refuses_is_refused_here_too(store: Store, path: str) -> None:
    lines = list(plain_day())
    for place in range(1, len(lines)):
        without = [*lines[:place], *lines[place + 1 :]]
        forge(path, [Forged(tournament_of(lines), without)])
        if place + 1 < len(lines):
            refused(store, path, rf"line {place + 1}: ")


def test_two_tournaments_of_which_one_is_bad(store: Store, path: str) -> None:
    good, bad = day_of("a" * 32).lines, list(honest())
    bad[3] = bad[3].replace(b'"by":"o1"', b'"by":"o9"')
    rows = [Forged("a" * 32, good), Forged(NUMBER, bad)]
    for order in (rows, rows[::-1]):
        forge(path, order)
        refused(store, path, "line 4: .*nothing was restored")
    assert store.streams() == []


def test_two_tournaments_of_which_the_store_has_another_history_of_one(
    store: Store, path: str
) -> None:
    book = played(store)
    lines = book.lines
    forge(path, [Forged(NUMBER, honest()), Forged(STREAM, [*lines[:-1], lines[-1] + b" "])])
    refused(store, path, f"line {len(lines)}: ")
    act(book, TakeNote("here"), "here")
    with open_store(f"{path}.db") as other:
        save(store, path, [STREAM])
        restored(other, path)
        act(again(other), TakeNote("there"), "there")
        act(book, TakeNote("here, too"), "too")
        forge(path, [Forged(NUMBER, honest()), forged(other, STREAM)])
    refused(store, path, f"different histories of {STREAM} from event {len(book.lines)} on")
    assert NUMBER not in store.streams()


def test_a_store_whose_index_of_types_lies_brings_the_right_types(tmp_path: Path) -> None:
    path, place = str(tmp_path / "event.backup"), tmp_path / "lying.db"
    with open_store(str(place)) as store:
        types = [kind for kind, _ in store.entries(played(store).stream)]
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("DROP TRIGGER tourney_no_update")
        connection.execute("UPDATE tourney_events SET topic = 'PersonForgotten' WHERE rowid > 3")
    with open_store(str(place)) as lying, open_store(f"{tmp_path}/new.db") as new:
        assert [kind for kind, _ in lying.entries(STREAM)] != types
        save(lying, path)
        restored(new, path)
        assert [kind for kind, _ in new.entries(STREAM)] == types


def test_a_type_before_a_line_is_no_line(store: Store, path: str) -> None:
    lines = [f"{decode(line).type} ".encode() + line for line in plain_day()]
    forge(path, [Forged(tournament_of(plain_day()), lines)])
    refused(store, path, "line 1: ")


def test_a_log_of_another_name_or_with_a_line_of_names(store: Store, path: str) -> None:
    lines = list(plain_day())
    forge(path, [Forged("e" * 32, lines)])
    refused(store, path, "its lines are not the log of this tournament")
    forge(path, [Forged(tournament_of(lines), [*lines, b'{"names":{}}'])])
    refused(store, path, "nothing was restored|not the log of this")


def test_the_tree_is_compared_with_what_the_backup_says_of_it(store: Store, path: str) -> None:
    lines = list(plain_day())
    forge(path, [Forged(tournament_of(lines), lines[:-1], root=b"r" * 32)])
    refused(store, path, "its lines were changed after the backup was made")


def signed_day(store: Store) -> Forged:
    """A log whose first line names its key."""
    key = base64_of(log_signer(STREAM).key.public)
    played(store, structs.replace(OPENING, log_key=key))
    return forged(store, STREAM)


def test_the_head_is_held_to_the_lines(store: Store, path: str) -> None:
    with open_store(f"{path}.db") as day:
        saved = signed_day(day)
    lines = [*saved.lines]
    other = [*lines[:-1], lines[-1].replace(b'"at":"2026', b'"at":"2027', 1)]
    wrong = {
        "its lines are gone": (lines[:-1], head_of(lines)),
        "another history": (other, head_of(lines)),
        "a stranger's": (lines, head_of(lines, log_signer(STREAM, b"t" * 32))),
        "another log's": (lines, head_of(plain_day())),
        "no note": (lines, b"a head"),
    }
    for told, note in wrong.values():
        forge(path, [saved._replace(lines=told, head=note.decode())])
        refused(store, path, "nothing was restored")
    forge(path, [saved._replace(head=head_of(lines[:4]).decode())])
    restoring = Restoring(Backup(path), ranking)
    restoring.examine()
    assert restoring.heads == {STREAM: head_of(lines[:4])}


def test_the_logs_key_signs_the_whole_backup(store: Store, path: str) -> None:
    with open_store(f"{path}.db") as day:
        saved = signed_day(day)
    forge(path, [saved])
    list((backup := Backup(path)).tournaments())
    text = vouched_text(STREAM, backup.digest)
    signature, thief = (log_signer(STREAM, seed).sign(text) for seed in (b"", b"t" * 32))
    for changed, by in (
        (saved._replace(secrets={}), {STREAM: signature}),
        (saved._replace(lines=saved.lines[:-1]), {STREAM: signature}),
        (saved, {STREAM: thief}),
        (saved, {STREAM: b""}),
        (saved, {"e" * 32: signature}),
    ):
        forge(path, [changed], signed=by)
        refused(store, path, "was changed after .* signed it; nothing was restored")
    forge(path, [saved], signed={STREAM: signature})
    restored(store, path)


@pytest.mark.parametrize("change", ["twice", "space", "order", "more"])
def test_each_of_its_own_lines_has_one_spelling(store: Store, path: str, change: str) -> None:
    """A member that stands twice says one thing to one reader, another to the next."""
    lines = list(plain_day())
    row = Forged(tournament_of(lines), lines, {"x": b"y"}).rows()[0].decode()
    changed = {
        "twice": row.replace('"events":', '"events":1,"events":'),
        "space": row.replace(",", ", "),
        "order": json.dumps(dict(reversed(json.loads(row).items())), separators=(",", ":")) + "\n",
        "more": row.replace('"events":', '"key":"","events":'),
    }[change]
    assert changed != row

    class Respelled(Forged):
        def rows(self) -> list[bytes]:
            return [changed.encode(), *(line + b"\n" for line in lines)]

    forge(path, [Respelled(tournament_of(lines), lines)])
    refused(store, path, "is damaged or was cut off")


def test_a_tournament_that_stands_twice(store: Store, path: str) -> None:
    saved = Forged(tournament_of(plain_day()), plain_day())
    forge(path, [saved, saved])
    refused(store, path, "contains tournament .* twice")


def test_a_backup_that_is_exchanged_while_it_is_read(store: Store, path: str) -> None:
    forge(path, [Forged(NUMBER, honest())])
    restoring = Restoring(Backup(path), ranking)
    restoring.examine()
    for other in (Forged(NUMBER, honest()[:-1]), Forged(NUMBER, honest(), {"x": b""})):
        forge(path, [other])
        for step in (restoring.compare, restoring.take):
            with pytest.raises(StoreUnavailable, match="changed while it was being read"):
                step(store)
    assert store.streams() == []


def test_a_bad_backup_makes_no_store(desk: Desk) -> None:
    lines = list(honest())
    lines[5] = lines[5].replace(b"a", b"b", 1)
    forge(desk.folder / "bad.backup", [Forged(NUMBER, lines)])
    answer = desk.type("restore", "bad.backup")
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    assert [each.name for each in desk.folder.iterdir()] == ["bad.backup"]

"""A sealed log in a store: no name in its bytes, and a person forgotten for good."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import HIDDEN_KEY, SHUFFLE_KEY
from ledger.errors import LedgerError, NotFound, Refused, StoreUnavailable
from ledger.exchange import export, export_file, replay
from ledger.fold import fold_lines
from ledger.lines.texts import FORGOTTEN
from ledger.rules.elimination import FinishTournament
from ledger.rules.office import Penalize
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    Entry,
    ForgetPerson,
    RegisterPlayers,
    RenamePerson,
    WithdrawRegistration,
)
from ledger.rules.rounds import CloseRound
from ledger.store import open_store
from ledger.store.backup import save
from projections.standings.table import ranking, standings
from tests.support.days.sealed_days import (
    AT,
    NAMES,
    OPEN,
    STREAM,
    TEXTS,
    WORDS_OF_1,
    act,
    again,
    files_of,
    forget,
    found_in,
    opened,
    penalties,
    played,
    report_all,
    written,
)
from tests.support.files.backups import restored
from tests.truth import sealing_truth

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Store


def test_no_text_about_a_person_stands_in_any_line(store: Store) -> None:
    book = played(store)
    assert found_in(b"\n".join(book.lines), TEXTS) == []
    assert found_in(b"\n".join(export(book)), TEXTS) == []
    assert b"Harbour Cup" in book.lines[0]
    assert {book.tournament.names[f"p{n}"] for n in range(1, 7)} == set(NAMES)


def test_a_log_opened_with_open_names_is_as_it_always_was(store: Store) -> None:
    book = played(store, OPEN)
    assert b'"names"' not in book.lines[0]
    assert found_in(b"\n".join(book.lines), TEXTS) == list(TEXTS)
    assert store.vault_items(STREAM).keys() == {HIDDEN_KEY, SHUFFLE_KEY}
    assert list(export(book)) == [line + b"\n" for line in book.lines]


def test_another_desk_reads_what_was_written(store: Store) -> None:
    book, other = played(store), again(store)
    assert other.tournament == book.tournament
    act(other, RenamePerson("p2", "Bob Angstrom"))
    book.refresh()
    assert book.tournament.names["p2"] == "Bob Angstrom"
    assert book.tournament == other.tournament
    assert len([name for name in store.vault_items(STREAM) if name == "master:p2"]) == 1


def test_one_master_covers_all_names_of_a_person_and_no_other(store: Store) -> None:
    book = opened(store)
    act(book, RenamePerson("p1", "Ann Leigh"))
    keys = {
        name: key
        for name, key in store.vault_items(STREAM).items()
        if name not in {HIDDEN_KEY, SHUFFLE_KEY}
    }
    assert keys.keys() == {"master:o1", *(f"master:p{n}" for n in range(1, 7))}
    assert len(set(keys.values())) == len(keys)
    ids = [line["id"] for line in map(json.loads, book.lines)]
    derived = [sealing_truth.key_of_name(keys["master:p1"], each) for each in ids]
    digests = [base64.b64encode(sha256(key).digest()) for key in derived]
    found = [line["data"]["name"] for line in map(json.loads, book.lines) if "name" in line["data"]]
    assert sum(digest.decode() in str(each) for digest in digests for each in found) == 2


def test_the_same_command_is_sealed_to_the_same_line(store: Store, tmp_path: Path) -> None:
    """Its keys outlive a failure: the second try, with other randomness, writes the same bytes."""
    book = opened(store)
    save(store, f"{tmp_path}/before")
    wish = Penalize(1, "warning", WORDS_OF_1[0])
    act(book, wish, "once")
    keys = store.vault_items(STREAM)
    with open_store(f"{tmp_path}/other.db") as failed:
        restored(failed, f"{tmp_path}/before")
        retried = again(failed)
        failed.vault_put_all(STREAM, keys)
        act(retried, wish, "once")
        assert retried.lines == book.lines
        assert failed.vault_items(STREAM) == keys
    assert act(again(store), wish, "once")
    with pytest.raises(Refused, match="another command"):
        act(again(store), Penalize(1, "warning", "other words"), "once")


def test_what_is_refused_leaves_no_key(store: Store) -> None:
    book = opened(store)
    before = store.vault_items(STREAM)
    for wish in (
        Penalize(1, "warning", "x" * 1_001),
        Penalize(99, "warning", "nobody"),
        RenamePerson("p1", "sealed:2:"),
    ):
        with pytest.raises(LedgerError):
            act(book, wish)
    assert store.vault_items(STREAM) == before


def test_the_keys_are_kept_before_the_lines(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    book = opened(store)
    size = store.size(STREAM)

    def full(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(store, "vault_put_all", full)
    with pytest.raises(StoreUnavailable):
        act(book, RegisterPlayers((Entry("Gus Gray"),)), "gus")
    assert store.size(STREAM) == size
    monkeypatch.undo()
    act(book, RegisterPlayers((Entry("Gus Gray"),)), "gus")
    assert again(store).tournament.names["p7"] == "Gus Gray"


def test_a_person_is_forgotten(store: Store, tmp_path: Path) -> None:
    book = played(store)
    before, rows = list(book.lines), standings(book.tournament)
    keys = store.vault_items(STREAM)
    assert forget(book, "p1") == 2  # the name, the penalty; the correction is about another, too
    for each in (book, again(store)):
        names = each.tournament.names
        assert names["p1"] == "forgotten 1"
        assert [names[f"p{n}"] for n in range(2, 7)] == list(NAMES[1:])
        assert penalties(each) == [FORGOTTEN, "Bob took a card back"]
        assert standings(each.tournament) == rows
        assert found_in(repr(each.tournament).encode(), (NAMES[0], WORDS_OF_1[0])) == []
    assert book.lines[:-1] == before
    assert book.lines == store.lines(STREAM)
    gone = keys.keys() - store.vault_items(STREAM).keys()
    replayed = replay(written(book, tmp_path / "log"), ranking).tournament
    assert replayed.names["p1"] == "forgotten 1"
    assert b'"p1":' not in list(export(book))[-1]
    assert {name.partition(":")[0] for name in gone} == {"master", "text"}
    assert not any(keys[name] in b"".join(store.vault_items(STREAM).values()) for name in gone)


def test_no_byte_of_the_name_or_of_its_keys_is_left_on_the_disk(tmp_path: Path) -> None:
    with open_store(f"{tmp_path}/day.db") as store:
        book = played(store)
        keys = store.vault_items(STREAM)
        assert all(key in files_of(store) for key in keys.values())
        forget(book, "p1")
        gone = keys.keys() - store.vault_items(STREAM).keys()
        export_file(book, tmp_path / "day.db.export")
        save(store, f"{tmp_path}/day.db.backup")
        data = files_of(store)
    data += files_of(store)  # once more with the write-ahead log gone
    parts = [word for text in (NAMES[0], *WORDS_OF_1) for word in text.split() if len(word) > 3]
    assert found_in(data, parts) == []
    assert len(gone) == 2
    for name in gone:
        for form in (keys[name], keys[name].hex().encode(), base64.b64encode(keys[name])):
            assert form not in data


def test_forgetting_twice_is_one_event_and_takes_what_came_since(store: Store) -> None:
    book = played(store)
    forget(book, "p1", "once")
    size = len(book.lines)
    assert forget(book, "p1", "twice") == 0
    assert forget(again(store), "p1", "once") == 0
    act(book, Penalize(1, "warning", "late once more"))
    assert penalties(book)[-1] == "late once more"
    assert len(book.lines) == size + 1
    assert forget(book, "p1", "thrice") == 1
    assert penalties(book)[-1] == FORGOTTEN
    assert len(book.lines) == size + 1


def test_keys_that_a_failure_left_go_at_the_next_try(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = played(store)

    def stop(*_: object) -> None:
        raise StoreUnavailable("no answer")

    monkeypatch.setattr(store, "vault_delete_all", stop)
    with pytest.raises(StoreUnavailable):
        forget(book, "p1")
    monkeypatch.undo()
    other = again(store)
    assert other.tournament.names["p1"] == "forgotten 1"
    assert b'"p1":' not in list(export(other))[-1]
    assert forget(other, "p1") == 2


def test_all_records_of_a_person_are_forgotten_at_once(store: Store) -> None:
    """As player and as official, under an earlier name, and a registration taken back."""
    book = opened(store)
    act(book, WithdrawRegistration(1, "typed twice"))
    act(book, RegisterPlayers((Entry(NAMES[0]),)))
    act(book, RenamePerson("p7", "Ann Leigh"))
    act(book, RenamePerson("p7", NAMES[0]))
    act(book, RegisterPlayers((Entry(NAMES[0]),), namesake=True))
    act(book, AppointOfficial("Judge Judy", ("judge",)))
    forget(book, "p7", "once")
    assert book.tournament.forgotten == {"p1", "p7"}
    assert len(act(again(store), ForgetPerson("p7"), "once")) == 2
    assert book.tournament.names["p8"] == NAMES[0]  # a namesake who plays is another person


@pytest.mark.parametrize("of", ["p7", "o2"])
def test_a_player_in_office_is_one_person(store: Store, of: str) -> None:
    book = opened(store)
    act(book, AppointOfficial("Pat Jones", ("scorekeeper",)))
    act(book, RegisterPlayers((Entry("Pat Jones"),)))
    forget(book, of)
    assert book.tournament.forgotten == {"p7", "o2"}
    assert book.tournament.names["o2"] == "forgotten o2"


def test_who_was_forgotten_is_not_named_again(store: Store) -> None:
    book = played(store)
    forget(book, "p1")
    with pytest.raises(Refused, match="the data of player 1 was erased"):
        act(book, RenamePerson("p1", NAMES[0]))
    with pytest.raises(Refused, match="there is no player 9"):
        act(book, ForgetPerson("p9"))
    act(book, AppointOfficial("Sue", ("scorekeeper",)))
    with pytest.raises(Refused, match="is reserved for the organizer"):
        book.act(ForgetPerson("p2"), by="o2", command_id="x", at=AT)


def test_nobody_is_forgotten_in_an_open_log(store: Store) -> None:
    book = played(store, OPEN)
    with pytest.raises(Refused, match="open names"):
        act(book, ForgetPerson("p1"))


def test_after_the_end_a_person_can_be_forgotten(store: Store) -> None:
    book = played(store)
    act(book, CloseRound())
    act(book, PairRound())
    report_all(book)
    act(book, FinishTournament())
    forget(book, "p1")
    assert book.tournament.finished
    assert book.tournament.names["p1"] == "forgotten 1"


def test_a_running_day_moves_with_its_keys_and_without_the_forgotten(
    store: Store, tmp_path: Path
) -> None:
    book = played(store)
    forget(book, "p1")
    save(store, f"{tmp_path}/day")
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        restored(elsewhere, f"{tmp_path}/day")
        assert again(elsewhere).tournament == book.tournament


def test_damage_in_the_vault_is_shown_and_breaks_nothing(store: Store) -> None:
    book = played(store)
    rows = standings(book.tournament)
    store.vault_put_all(STREAM, {"master:p1": b"short", "master:p2": bytes(32), "master:p3": b""})
    other = again(store)
    assert [other.tournament.names[f"p{n}"] for n in (1, 2, 3)] == [
        f"player {n} (name damaged)" for n in (1, 2, 3)
    ]
    assert other.tournament.names["p4"] == NAMES[3]
    assert standings(other.tournament) == rows
    with pytest.raises(Refused, match="key of p1's name is not in this store"):
        act(other, RenamePerson("p1", "Ann"))
    with pytest.raises(NotFound, match="keys of 3 of 7 names"):
        list(export(other))
    assert list(export(other, names=False)) == [line + b"\n" for line in book.lines]


def test_without_keys_everything_that_counts_is_the_same(store: Store, tmp_path: Path) -> None:
    book = played(store)
    plain = replay(written(book, tmp_path / "log", names=False), ranking)
    assert standings(plain.tournament) == standings(book.tournament)
    assert standings(fold_lines(book.lines)) == standings(book.tournament)
    assert all(name.endswith(" (name sealed)") for name in plain.tournament.names.values())
    assert plain.lines == book.lines

"""Sealed logs as files: what an export tells, and what its line of names may say."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.books.book import Book
from ledger.books.vault import SHUFFLE_KEY, examined
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.exchange import export, replay
from ledger.facts.people import PersonForgotten
from ledger.lines.line import encode
from ledger.rules.people import RenamePerson
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.days.sealed_days import (
    OPEN,
    STREAM,
    WORDS_OF_1,
    WORDS_OF_NOBODY,
    act,
    again,
    draws,
    forget,
    found_in,
    opened,
    played,
    written,
)
from tests.support.files.imports import import_file

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Store


def test_an_export_tells_names_and_no_other_text(store: Store, tmp_path: Path) -> None:
    book = played(store)
    read = replay(written(book, tmp_path / "log"), ranking)
    assert read.tournament.names == book.tournament.names
    assert read.lines == book.lines
    assert read.tournament.seq == len(book.lines)
    assert found_in(repr(read.tournament).encode(), (*WORDS_OF_1, WORDS_OF_NOBODY)) == []


def test_an_import_keeps_the_keys_of_the_names(store: Store, tmp_path: Path) -> None:
    book = played(store)
    path = written(book, tmp_path / "log")
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        for added in (len(book.lines), 0):
            assert import_file(elsewhere, path, ranking=ranking).added == added
            other = again(elsewhere)
            assert other.lines == book.lines
            assert other.tournament.names == book.tournament.names
            assert list(export(other)) == list(export(book))
        assert SHUFFLE_KEY not in elsewhere.vault_items(STREAM)


def test_names_can_follow_later(store: Store, tmp_path: Path) -> None:
    book = played(store)
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        import_file(elsewhere, written(book, tmp_path / "log", names=False), ranking=ranking)
        other = again(elsewhere)
        assert all(name.endswith(" (name sealed)") for name in other.tournament.names.values())
        with pytest.raises(NotFound, match="keys of 7 of 7 names"):
            list(export(other))
        with pytest.raises(Refused, match="not in this store"):
            act(other, RenamePerson("p1", "Ann"))
        import_file(elsewhere, written(book, tmp_path / "log"), ranking=ranking)
        assert again(elsewhere).tournament.names == book.tournament.names


def test_an_old_export_does_not_bring_a_forgotten_name_back(store: Store, tmp_path: Path) -> None:
    book = played(store)
    old = written(book, tmp_path / "old")
    forget(book, "p1")
    import_file(store, old, ranking=ranking)
    assert not [name for name in store.vault_items(STREAM) if name.startswith("name:")]
    assert "master:p1" not in store.vault_items(STREAM)
    assert again(store).tournament.names["p1"] == "forgotten 1"


def test_a_newer_export_forgets_here_as_well(store: Store, tmp_path: Path) -> None:
    book = played(store)
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        import_file(elsewhere, written(book, tmp_path / "log"), ranking=ranking)
        forget(book, "p1")
        import_file(elsewhere, written(book, tmp_path / "log"), ranking=ranking)
        assert elsewhere.vault_items(STREAM).keys() == {
            "imported",
            "name:new.2",
            *(f"name:{id_of(book, n)}" for n in range(2, 7)),
        }


def id_of(book: Book, number: int) -> str:
    """The id of the first record of a player's name."""
    of = f'"of":"p{number}"'.encode()
    line = next(line for line in book.lines if of in line)
    return str(msgspec.json.decode(line)["id"])


def line_of(keys: dict[str, str]) -> bytes:
    return msgspec.json.encode({"names": keys})


@pytest.mark.slow
def test_a_wrong_line_of_names_is_refused(store: Store, tmp_path: Path) -> None:
    book = played(store)
    forget(book, "p6")
    *lines, last = export(book)
    keys: dict[str, str] = msgspec.json.decode(last)["names"]
    first, *others = keys
    other = base64.b64encode(bytes(32)).decode()
    p1, p2, p3, p4, p5, p6 = (id_of(book, n) for n in range(1, 7))
    wrong = {
        rf"key of {p1} \(the name of p1\) is not the key that sealed": keys | {p1: other},
        f"key of {p2} .* is not the key that sealed": keys | {p2: keys[p3]},
        f"no key for {p3}": {each: key for each, key in keys.items() if each != p3},
        "no key for new": {},
        "has a key for 'p9'": keys | {"p9": other},
        "'x.*ny', which has no sealed name": keys | {"x\ny": other},
        "p6, who was forgotten": keys | {p6: other},
        "canonical form": {each: keys[each] for each in (*others, first)},
        f"key of {p4} .* is not the expected base64": keys | {p4: keys[p4].rstrip("=")},
        f"key of {p5} .* is not the expected base64": keys | {p5: f" {keys[p5]}"},
    }
    path = tmp_path / "log"
    bad = [(text, lines, line_of(each) + b"\n") for text, each in wrong.items()]
    bad += [
        ("malformed", lines, b'{"names":[]}\n'),
        ("malformed", lines, b'{"names":{"p1":7}}\n'),
        ("malformed", lines, last.replace(b"}}", b"}")),
        ("malformed", lines, last.replace(b"}}", b'},"more":1}')),
        ("canonical form", lines, last.replace(b'":{', b'": {')),
        ("canonical form", lines, last.replace(b'"new.2":', b'"new.2":"","new.2":')),
        ("must be the last line", [*lines, last], last),
        ("must be the last line", [*lines, last], lines[-1]),
        ("line 1: Object missing", [], last),
        ("which has no sealed name|no sealed names", lines[:1], last),
        ("cut off", lines, last[:-1]),
        ("longer than", lines, b'{"names":' + b" " * (1 << 23)),
        ("longer than|malformed", lines, b'{"names":' + b"[" * 100_000 + b"\n"),
    ]
    for text, before, end in bad:
        path.write_bytes(b"".join([*before, end]))
        with pytest.raises(InvalidLog, match=text):
            replay(path, ranking)


def test_a_line_of_names_belongs_to_a_sealed_log_alone(store: Store, tmp_path: Path) -> None:
    book = played(store, OPEN)
    for keys in ({}, {"p1": base64.b64encode(bytes(32)).decode()}):
        (tmp_path / "log").write_bytes(b"".join(export(book)) + line_of(keys) + b"\n")
        with pytest.raises(InvalidLog, match="this log has no sealed names"):
            replay(tmp_path / "log")


@pytest.mark.slow
def test_every_flipped_letter_of_a_sealed_name_is_noticed(store: Store, tmp_path: Path) -> None:
    book = opened(store)
    lines = list(export(book))
    place = next(n for n, line in enumerate(lines) if b'"of":"p1"' in line)
    start = lines[place].index(b"sealed:2:")
    for at in range(start, lines[place].index(b'"', start)):
        changed = bytearray(lines[place])
        changed[at] ^= 1
        (tmp_path / "log").write_bytes(
            b"".join([*lines[:place], bytes(changed), *lines[place + 1 :]])
        )
        with pytest.raises(InvalidLog):
            replay(tmp_path / "log")


def test_sealed_and_open_texts_are_not_mixed(store: Store, tmp_path: Path) -> None:
    sealed, path = opened(store), tmp_path / "log"
    for line in sealed.lines[1:]:
        start = line.find(b"sealed:2:")
        if start < 0:
            continue
        typed = line[:start] + b"Ann" + line[line.index(b'"', start) :]
        path.write_bytes(b"".join(export(sealed)).replace(line, typed))
        with pytest.raises(InvalidLog, match="not sealed, unlike"):
            replay(path)
    hidden = b"\n".join([*sealed.lines, b""]).replace(b',"names":"sealed"', b"")
    path.write_bytes(hidden)
    with pytest.raises(InvalidLog, match="is sealed, unlike"):
        replay(path)


def test_every_record_of_a_name_is_held_to_its_master(store: Store) -> None:
    """A name that was sealed with another master is no secret of this vault: it is damaged."""
    book = opened(store)
    keys = store.vault_items(STREAM)
    act(book, RenamePerson("p1", "Ann Leigh"))
    assert examined(book.lines, keys).damaged == {}
    forged = Book(store, STREAM, ranking, draws())
    forged.seals.keys = keys | {"master:p1": bytes(32)}
    renamed = next(book.recorded(len(book.lines) - 1))
    other = encode(renamed, forged.seals.seal)
    assert examined([*book.lines[:-1], other], keys).damaged == {"master:p1": renamed.seq}


def test_forged_forgetting_is_refused(store: Store, tmp_path: Path) -> None:
    book = opened(store)
    forget(book, "p1")
    event = book.lines[-1].replace(b'"forget"', b'"again"')
    seq = f'{{"seq":{len(book.lines)},'.encode()
    event = event.replace(seq, f'{{"seq":{len(book.lines) + 1},'.encode())
    (tmp_path / "log").write_bytes(b"\n".join([*book.lines, event, b""]))
    with pytest.raises(InvalidLog, match="already forgotten"):
        replay(tmp_path / "log")
    assert isinstance(next(book.recorded(len(book.lines) - 1)).event, PersonForgotten)

"""Attacks on sealed text: what an outsider, a reader of one key or a forger of lines can do."""

from __future__ import annotations

import base64
import json
import random
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import examined, in_words, tampered
from ledger.errors import InvalidLog, LedgerError
from ledger.exchange import export, replay
from ledger.facts.people import PlayerRegistered
from ledger.facts.shared import PersonRecorded
from ledger.lines import sealing
from ledger.lines.line import as_stored, decode, encode, read
from ledger.lines.recorded import record
from ledger.lines.sealing import Seals, digest_in
from ledger.proof import ciphers
from ledger.proof.formats import Invalid
from ledger.proof.verifier import verify_file
from ledger.rules.office import Penalize
from ledger.rules.people import Entry, RegisterPlayers, RenamePerson, WithdrawRegistration
from projections.standings.table import ranking
from tests.support.days.sealed_days import (
    AT,
    NAMES,
    ORGANIZER,
    STREAM,
    act,
    again,
    forget,
    opened,
    written,
)
from tests.truth import sealing_truth, second_verifier

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded
    from ledger.store import Store
    from tests.support.cli_desk import Desk

KEY = bytes(range(32))
KNOWN = "L" * 31
HIDDEN_TEXT = "plays as Max Muster"
FORGED = {f"a\n{KNOWN}": HIDDEN_TEXT, "a": f"{KNOWN}\n{HIDDEN_TEXT}"}
"""Joined with line breaks, place and text of both are the same bytes: one nonce for two texts."""

DECOMPOSED = "e\u0301"
BAD_LABELS = (
    "", " a", "a ", "a  b", "a\nb", "a\r", "a\tb", "a\0", "a\x1b[2J", "a\x85b", "a\u2028b",
    "a\u202eb", "a\u200bb", "\ufeffa", "a\xa0b", DECOMPOSED, "x" * 65,
)  # fmt: skip


def bodies_of(attributes: dict[str, str]) -> list[bytes]:
    """The seals of attributes under one key, made past every check of their labels."""
    sealed = [
        ciphers.seal_text(KEY, [STREAM, "cmd", f"attributes.{label}"], text)
        for label, text in attributes.items()
    ]
    return [base64.b64decode(each.rpartition(":")[2]) for each in sealed]


def test_a_line_break_in_a_label_repeats_no_nonce() -> None:
    """With the first text known, the second was read without any key: XOR of both ciphertexts."""
    one, other = bodies_of(FORGED)
    assert one[:16] != other[:16]
    for start in (12, 16):
        known = f"{KNOWN}\n".encode()
        stream = bytes(a ^ b for a, b in zip(known, other[start:], strict=False))
        read_off = bytes(a ^ b for a, b in zip(stream, one[start:], strict=False))
        assert HIDDEN_TEXT.encode()[:8] not in read_off


@pytest.mark.slow
@pytest.mark.parametrize("label", BAD_LABELS)
def test_a_label_follows_its_pattern(label: str, store: Store) -> None:
    book = opened(store)
    before = len(book.lines)
    entry = Entry("Gil Onda", attributes={label: "x"})
    with pytest.raises(LedgerError, match="is not a label") as refused:
        act(book, RegisterPlayers((entry,)))
    assert "\n" not in str(refused.value)
    assert len(book.lines) == before


@pytest.mark.parametrize("label", [label for label in BAD_LABELS if label != DECOMPOSED])
def test_no_line_has_another_label(label: str) -> None:
    """The form of a line: every reader refuses it, before any rule is asked."""
    good = encode(record(9, "cmd", AT, "o1", PlayerRegistered(1, 5, attributes={"a": "x"})))
    written = json.dumps(label, ensure_ascii=False).encode()
    with pytest.raises(InvalidLog):
        read(good.replace(b'"a":"x"', written + b':"x"'))


@pytest.mark.slow
@pytest.mark.parametrize(
    "label", ["club", "Verein", "größe", "都市", "T-shirt (L)", "club 2", "x" * 64]
)
def test_a_label_may_be_any_words(label: str, store: Store) -> None:
    book = opened(store)
    act(book, RegisterPlayers((Entry("Gil Onda", attributes={label: "x"}),)))
    assert book.tournament.players[-1].attributes == {label: "x"}


@pytest.mark.parametrize("label", ["a\nb", " club", "a\x1b[2Jb"])
def test_a_label_is_refused_where_it_is_typed(desk: Desk, label: str) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for typed, stdin in (
        (["register", "Ann Lee", "--attribute", f"{label}=x"], ""),
        (["register", "--file", "-", "--keep", label], f'name,"{label}"\nAnn Lee,x\n'),
    ):
        if label == " club" and stdin:
            continue  # titles of a file are read without white space around them
        refused = desk.refused(*typed, stdin=stdin)
        assert "is not a label" in refused.err
        assert len(refused.err.splitlines()) == 1
    assert desk.done("list", "--json").json == []


def test_a_label_that_is_typed_decomposed_is_composed(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    typed = f"caf{DECOMPOSED}"
    desk.done("register", "Ann Lee", "--attribute", f"{typed}=x")
    desk.done("register", "--file", "-", "--keep", typed, stdin=f"name,{typed}\nBob Ray,y\n")
    rows = desk.done("list", "--json").json
    assert [row["attributes"] for row in rows] == [{"caf\xe9": "x"}, {"caf\xe9": "y"}]


def test_rfc_5297_a1() -> None:
    """The vector of RFC 5297 A.1 holds what was written again to the standard itself."""
    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    associated = bytes.fromhex("101112131415161718191a1b1c1d1e1f2021222324252627")
    plain = bytes.fromhex("112233445566778899aabbccddee")
    sealed = "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    assert sealing_truth.siv_encrypt(key, [associated], plain).hex() == sealed
    assert sealing_truth.siv_decrypt(key, [associated], bytes.fromhex(sealed)) == plain


@pytest.mark.slow
def test_sealing_written_again_agrees() -> None:
    """From the page alone, out of AES by the block: the same bytes, and it opens ours."""
    chance = random.Random(5297)
    for _ in range(1_200):
        key, event = chance.randbytes(32), f"c{chance.randrange(10**9)}.{chance.randrange(1, 99)}"
        length = chance.choice([1, 7, 15, 31, 32, 63, 64, 200])
        text = "".join(chance.choices("aé王\n\0.:/ \U0001f600", k=length))
        paths = [(32, "waiver.reason"), (32, f"attributes.{text[:9]}"), (64, "name")]
        step, path = chance.choice(paths)
        ours = ciphers.seal_text(key, [STREAM, event, path], text, step)
        assert ours == sealing_truth.sealed_text(key, (STREAM, event, path), text, step)
        label = (STREAM, "list", chance.randrange(10**6))
        places = [STREAM.encode(), b"list", str(label[2]).encode()]
        again = sealing_truth.sealed(key, b"tourney hidden 2", places, text.encode(), 512)
        assert sealing.seal_hidden(key, label, text.encode()) == again.hex()
        assert sealing.open_hidden(key, label, again.hex()) == text.encode()


def test_a_seal_opens_in_its_place_alone() -> None:
    """Every member of the place counts on its own: what is joined otherwise is another place."""
    place = [STREAM, "cmd", "attributes.a"]
    sealed = ciphers.seal_text(KEY, place, "secret")
    assert ciphers.unseal_text(KEY, place, sealed) == "secret"
    for other in (
        [STREAM, "cmd.1", "attributes.a"],
        [STREAM, "cmd", "attributes.b"],
        ["f" * 32, "cmd", "attributes.a"],
        [STREAM, "cmd\nattributes.a"],
        [f"{STREAM}\ncmd", "attributes.a"],
        ["\n".join(place)],
        [*place, ""],
        place[::-1],
    ):
        with pytest.raises(Invalid):
            ciphers.unseal_text(KEY, other, sealed)
    with pytest.raises(Invalid):
        ciphers.unseal_text(KEY, place, sealed, ciphers.NAME_STEP)
    with pytest.raises(Invalid, match="another key"):
        ciphers.unseal_text(bytes(32), place, sealed)


def test_a_text_is_never_sealed_with_the_key_of_what_is_hidden() -> None:
    """One 32-byte key in two domains is two keys."""
    place = [STREAM, "battle", "7"]
    body = ciphers.seal(KEY, ciphers.HIDDEN_DOMAIN, place, b"x", 32)
    with pytest.raises(Invalid):
        ciphers.unseal(KEY, ciphers.TEXT_DOMAIN, place, body, 32)


def test_no_line_with_the_fault_is_written() -> None:
    event = PlayerRegistered(1, 5, attributes=FORGED)
    with pytest.raises(InvalidLog):
        encode(record(9, "cmd", AT, "o1", event), Seals(STREAM, {"text:cmd": KEY}).seal)


def test_a_key_that_was_exported_once_opens_that_record_alone(store: Store) -> None:
    """Who keeps the line of names of an old export reads no later name of a person with it."""
    book = opened(store)
    act(book, WithdrawRegistration(6, "typed twice"))
    exported = names_of(book)
    act(book, RenamePerson("p1", "Ann Leigh"))
    later = recorded_names(book)[-1]
    assert later.id not in exported
    for key in exported.values():
        with pytest.raises(Invalid, match="another key"):
            ciphers.unseal_text(key, [STREAM, later.id, "name"], name_in(later), ciphers.NAME_STEP)
    for event, key in exported.items():
        opens = [
            each.id
            for each in recorded_names(book)
            if digest_in(name_in(each)) == ciphers.digest_of(key)
        ]
        assert opens == [event]
    reader = Seals(STREAM, {f"name:{event}": key for event, key in exported.items()})
    shown = [reader.open(each).event for each in recorded_names(book)]
    assert [getattr(each, "name", "") for each in shown[:7]] == [ORGANIZER, *NAMES]
    assert getattr(shown[7], "name", "") == "(sealed)"


def test_a_master_gives_the_keys_that_its_page_says(store: Store) -> None:
    """Each record, written again from its page: the same key, the same line."""
    book = opened(store)
    act(book, RenamePerson("p1", "Ann Leigh"))
    vault = store.vault_items(STREAM)
    for each, name in zip(recorded_names(book), (ORGANIZER, *NAMES, "Ann Leigh"), strict=True):
        assert isinstance(each.event, PersonRecorded)
        key = sealing_truth.key_of_name(vault[f"master:{each.event.of}"], each.id)
        again = sealing_truth.sealed_text(key, (STREAM, each.id, "name"), name, 64)
        assert again == each.event.name


def test_another_names_key_is_refused(store: Store, tmp_path: Path) -> None:
    """In the line of names, a key is held to the record that it stands for."""
    book = opened(store)
    path = written(book, tmp_path / "log")
    *lines, last = path.read_bytes().splitlines(keepends=True)
    keys = json.loads(last)["names"]
    first, other, *_ = keys
    wrong = [keys | {first: keys[other]}, keys | {first: base64.b64encode(bytes(32)).decode()}]
    wrong.append(keys | {first: base64.b64encode(store.vault_items(STREAM)["master:o1"]).decode()})
    for each in wrong:
        end = json.dumps({"names": each}, separators=(",", ":")).encode() + b"\n"
        path.write_bytes(b"".join([*lines, end]))
        with pytest.raises(InvalidLog, match="is not the key that sealed it"):
            replay(path, ranking)
        with pytest.raises(Invalid, match="is not the key that sealed the name there"):
            verify_file(path)
        assert not second_verifier.names_fit(lines, end)
    assert second_verifier.names_fit(lines, last)
    assert not second_verifier.names_fit(lines[:-1], last)


def test_a_wrong_master_is_damaged_and_seals_nothing(store: Store) -> None:
    """A vault that was changed: nothing is opened, sealed or exported with it, and it is named."""
    book = opened(store)
    store.vault_put(STREAM, "master:p2", bytes(32))
    found = examined(book.lines, store.vault_items(STREAM))
    named = {seq: each for each, seq in found.damaged.items()}
    assert list(named.values()) == ["master:p2"]
    assert "the key of p2's name" in str(in_words(found.damaged))
    other = again(store)
    assert other.tournament.names["p2"] == "player 2 (name damaged)"
    with pytest.raises(LedgerError, match="key of p2's name is not in this store"):
        act(other, RenamePerson("p2", "Bob Angstrom"))
    with pytest.raises(LedgerError, match="keys of 1 of 7 names"):
        list(export(other))


def test_forgetting_destroys_the_master(store: Store) -> None:
    """No name of theirs, earlier or later, can be opened with anything that the store has."""
    book = opened(store)
    act(book, RenamePerson("p1", "Ann Leigh"))
    master = store.vault_items(STREAM)["master:p1"]
    forget(book, "p1")
    kept = store.vault_items(STREAM)
    assert "master:p1" not in kept
    assert master not in kept.values()
    mine = [each for each in recorded_names(book) if getattr(each.event, "of", "") == "p1"]
    assert len(mine) == 2
    for each in mine:
        for secret in kept.values():
            for key in (secret, ciphers.record_key(secret, each.id)):
                with pytest.raises(Invalid):
                    ciphers.unseal_text(key, [STREAM, each.id, "name"], name_in(each), 64)


def test_a_seal_that_was_exchanged_is_found_with_the_keys(store: Store) -> None:
    """A line made by who holds the log's key, with the right digest and another seal's bytes."""
    book = opened(store)
    act(book, Penalize(1, "warning", "the first"))
    act(book, Penalize(2, "warning", "the other"))
    secrets = store.vault_items(STREAM)
    assert tampered(book.lines, STREAM, secrets) == 0
    one, other = (
        json.loads(line)["data"]["infraction"].rpartition(":")[2] for line in book.lines[-2:]
    )
    forged = [*book.lines[:-2], book.lines[-2].replace(one.encode(), other.encode())]
    assert examined(forged, secrets).damaged == {}
    assert tampered(forged, STREAM, secrets) == len(forged)


def recorded_names(book: Book) -> list[Recorded]:
    """The records of names, as their lines have them."""
    stored = [decode(line, as_stored) for line in book.lines]
    return [each for each in stored if isinstance(each.event, PersonRecorded)]


def name_in(recorded: Recorded) -> str:
    assert isinstance(recorded.event, PersonRecorded)
    return recorded.event.name


def names_of(book: Book) -> dict[str, bytes]:
    """The keys of an export's last line."""
    keys = json.loads(list(export(book))[-1])["names"]
    return {event: base64.b64decode(key) for event, key in keys.items()}

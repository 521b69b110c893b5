"""Attacks on texts that are shown to one reader: by others, and by who made the file."""

from __future__ import annotations

import base64
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.proof import disclosures
from ledger.proof.ciphers import parse_reader, reader_secret, seal_for
from ledger.proof.disclosures import (
    Disclosure,
    disclosure,
    opened_keys,
    parse_disclosure,
    shown_texts,
)
from ledger.proof.formats import Invalid
from tests.support.cli_desk import typed_once
from tests.support.days.sealed_days import STREAM, WORDS_OF_1, played
from tests.truth import sealing_truth

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.store import Store
    from tests.support.cli_desk import Desk

LEAGUE = reader_secret("league.example", bytes(range(32)))
OTHER = reader_secret("other.example", bytes(range(1, 33)))
RULED = "both games on the slip are hers"


@typed_once
def day(desk: Desk) -> Desk:
    """A day with a ruling, a penalty and a note; an export beside it."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in ("Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox"):
        desk.done("register", name)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    first = desk.seats(1)[0]
    desk.done("report", "1", str(first))
    desk.done("rule", "1", RULED, "--result", str(first), "--clause", "FFG-RULING", "--as", "pat")
    desk.done("penalty", "1", "warning", "--for-what", "Bob knows of it")
    desk.done("note", "both clocks stood still")
    desk.done("export", "-o", "day.jsonl")
    return desk


def seq_of(desk: Desk, kind: str) -> int:
    """The place of an event of a type."""
    lines = (json.loads(line) for line in (desk.folder / "day.jsonl").read_bytes().splitlines())
    return int(next(line["seq"] for line in lines if line.get("type") == kind))


def reader_of(desk: Desk, name: str = "league.example") -> str:
    return desk.done("key", "new", "--reader", name).out.split()[-1]


@pytest.mark.slow
def test_a_league_reads_a_ruling_and_nothing_else(day: Desk) -> None:
    reader, seq = reader_of(day), seq_of(day, "RulingMade")
    day.done("export", "--for", reader, "--event", str(seq), "-o", "for-league")
    assert RULED not in (day.folder / "for-league").read_text()
    answer = day.done("verify", "day.jsonl", "--disclosed", "for-league")
    assert f"event {seq}, RulingMade, " in answer.out
    assert RULED in answer.out
    assert "Bob knows of it" not in answer.out
    assert "both clocks" not in answer.out
    (row,) = [line for line in answer.out.splitlines() if line.startswith("texts: ")]
    assert row.startswith("texts: 1 of 3 sealed texts")
    assert "UNCHECKED" in row
    found = day.done("verify", "day.jsonl", "--disclosed", "for-league", "--json").json
    assert [each["text"] for each in found["disclosed"]] == [RULED]


def test_without_any_disclosure_every_text_is_unchecked(day: Desk) -> None:
    answer = day.done("verify", "day.jsonl")
    (row,) = [line for line in answer.out.splitlines() if line.startswith("texts: ")]
    assert row.startswith("texts: UNCHECKED (0 of 3)")


def test_all_texts_are_shown_and_counted(day: Desk) -> None:
    day.done("export", "--without-names", "-o", "bare.jsonl")
    day.done("export", "--for", reader_of(day), "--texts", "all", "-o", "for-league")
    answer = day.done("verify", "bare.jsonl", "--disclosed", "for-league")
    for text in (RULED, "Bob knows of it", "both clocks stood still", "Ann Lee", "Kim Larsen"):
        assert text in answer.out
    rows = {line.partition(":")[0]: line for line in answer.out.splitlines()}
    assert rows["texts"].startswith("texts: 3 of 3 sealed texts")
    assert rows["names"].startswith("names: 6 of 6 sealed ")
    assert "UNCHECKED" not in rows["texts"] + rows["names"]


def test_nobody_else_opens_it(day: Desk) -> None:
    reader = reader_of(day)
    day.done("export", "--for", reader, "--texts", "all", "-o", "for-league")
    for path in (day.folder / ".tourney-keys").glob("reader-*.key"):
        path.unlink()
    refused = day.refused("verify", "day.jsonl", "--disclosed", "for-league")
    assert "which is not in" in refused.err
    assert RULED not in refused.out + refused.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--event", "1"), "event 1, opening a tournament, has no sealed text"),
        (("--event", "999"), "there is no event 999"),
        (("--event", "3", "--event", "999"), "there is no event 999"),
        (("--event", "0"), "--event"),
        (("--event", "-1"), "--event"),
        (("--event", "x"), "--event"),
    ],
)
def test_what_cannot_be_shown_is_refused(day: Desk, words: tuple[str, ...], said: str) -> None:
    refused = day.refused("export", "--for", reader_of(day), *words, "-o", "for-league")
    assert said in refused.err
    assert not (day.folder / "for-league").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("-o", "x"),
        ("--event", "2", "--texts", "all", "-o", "x"),
        ("--texts", "some", "-o", "x"),
        ("--texts", "all"),
        ("--texts", "all", "--tiles", "x"),
        ("--texts", "all", "--without-names", "-o", "x"),
    ],
)
def test_what_is_shown_is_said_exactly(day: Desk, words: tuple[str, ...]) -> None:
    assert day.refused("export", "--for", reader_of(day), *words).code == 2
    assert not (day.folder / "x").exists()


@pytest.mark.parametrize("verb", ["backup", "export"])
def test_a_reader_is_no_player(day: Desk, verb: str) -> None:
    """`--for` of other verbs names a player: taken as one, the file would not be sealed at all."""
    words = {"backup": ("backup", "out"), "export": ("export", "--texts", "all", "-o", "out")}[verb]
    reader = reader_of(day)
    for typed in (
        (*words, "--for", reader),
        ("--for", reader, *words),
        (*words, f"--for={reader}"),
    ):
        day.done(*typed)
        assert b"sealed" in (day.folder / "out").read_bytes()[:400]
        assert b"shuffle-key" not in (day.folder / "out").read_bytes()
        (day.folder / "out").unlink()
    assert day.refused(*words, "--for", "Ann Lee").code
    assert not (day.folder / "out").exists()


def test_a_disclosure_is_for_a_log(day: Desk) -> None:
    day.done("export", "--for", reader_of(day), "--texts", "all", "-o", "for-league")
    assert day.refused("verify", "--disclosed", "for-league").code == 2
    assert "--event" in day.refused("export", "--event", "3").err
    for words in (("verify", "for-league"), ("import", "for-league"), ("restore", "for-league")):
        assert "--disclosed" in day.refused(*words).err
    day.refused("verify", "day.jsonl", "--disclosed", "day.jsonl")


def made(book: Book, *, infraction: bool = True) -> tuple[list[bytes], str, bytes]:
    """A log, the id of its first penalty, and the key of that event's text."""
    kind = b'"PenaltyGiven"' if infraction else b'"PersonRecorded"'
    line = next(line for line in book.lines if kind in line)
    event = str(json.loads(line)["id"])
    return book.lines, event, book.store.vault_items(STREAM).get(f"text:{event}", b"")


@pytest.mark.slow
def test_another_key_is_named_with_its_event(store: Store) -> None:
    """Whoever makes a disclosure cannot show another text than was sealed."""
    lines, event, key = made(played(store))
    found = Disclosure(STREAM, LEAGUE.reader.id, b"")
    (shown,) = shown_texts(lines, found, {event: key})
    assert (shown.path, shown.text) == ("infraction", WORDS_OF_1[0])
    seq = shown.seq
    wrong = {"nobody": key, event: bytes(32), "register": key}
    with pytest.raises(Invalid) as refused:
        shown_texts(lines, found, wrong)
    said = str(refused.value)
    assert f"event {seq}, `infraction`: it is sealed with another key" in said
    assert "there is no event 'nobody' in this log" in said
    assert "has no sealed text" in said
    assert "\n" not in said


def test_a_name_does_not_open_with_the_persons_master(store: Store) -> None:
    """A disclosed name is the key of its record: who has it derives no other."""
    book = played(store)
    lines, event, _ = made(book, infraction=False)
    master = store.vault_items(STREAM)["master:o1"]
    found = Disclosure(STREAM, LEAGUE.reader.id, b"")
    with pytest.raises(Invalid, match="another key"):
        shown_texts(lines, found, {event: master})
    (shown,) = shown_texts(lines, found, {event: sealing_truth.key_of_name(master, event)})
    assert shown.text == "Olga Organizer"


def test_a_disclosure_of_another_tournament_is_refused(store: Store) -> None:
    lines, event, key = made(played(store))
    data = disclosure("f" * 32, {event: key}, LEAGUE.reader)
    found = parse_disclosure(data)
    with pytest.raises(Invalid, match="not of this one"):
        shown_texts(lines, found, opened_keys(found, LEAGUE))
    moved = found._replace(tournament=STREAM)
    with pytest.raises(Invalid, match="does not open"):
        opened_keys(moved, LEAGUE)


def test_a_line_that_was_changed_shows_nothing(store: Store) -> None:
    """A forger of the log cannot have a disclosure confirm another text."""
    lines, event, key = made(played(store))
    place = next(n for n, line in enumerate(lines) if f'"id":"{event}"'.encode() in line)
    start = lines[place].index(b"sealed:2:") + len("sealed:2:") + 45
    found = Disclosure(STREAM, LEAGUE.reader.id, b"")
    body = base64.b64decode(lines[place][start : lines[place].index(b'"', start)])
    for at in range(0, len(body), 7):
        flipped = body[:at] + bytes([body[at] ^ 4]) + body[at + 1 :]
        changed = lines[place].replace(base64.b64encode(body), base64.b64encode(flipped))
        with pytest.raises(Invalid, match="does not open it in this place"):
            shown_texts([*lines[:place], changed, *lines[place + 1 :]], found, {event: key})


def test_nobody_but_the_reader_opens_a_disclosure() -> None:
    found = parse_disclosure(disclosure(STREAM, {"a": bytes(32)}, LEAGUE.reader))
    assert opened_keys(found, LEAGUE) == {"a": bytes(32)}
    with pytest.raises(Invalid, match="does not open with the key of other"):
        opened_keys(found, OTHER)
    for at in range(len(found.sealed)):
        flipped = bytearray(found.sealed)
        flipped[at] ^= 1
        with pytest.raises(Invalid):
            opened_keys(found._replace(sealed=bytes(flipped)), LEAGUE)


GOOD = disclosure(STREAM, {"a": bytes(32)}, LEAGUE.reader)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}\n",
        b"[" * 100_000,
        GOOD[:-1],
        GOOD + b"\n",
        GOOD.replace(b":1,", b":true,"),
        GOOD.replace(b":1,", b":2,"),
        GOOD.replace(b'{"tourney', b'{ "tourney'),
        GOOD.replace(b'"reader":', b'"reader":"x","reader":'),
        GOOD.replace(b"}", b',"more":1}'),
        GOOD.replace(b'"sealed":"', b'"sealed":" '),
        b'{"tourney-disclosure":1,"sealed":"\xff"}\n',
        b" " * (disclosures.BYTES_MAX + 1),
    ],
)
def test_a_malformed_disclosure_is_refused(data: bytes) -> None:
    with pytest.raises(Invalid) as refused:
        parse_disclosure(data)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"[]",
        b'{"keys":{}}',
        b'{"keys":[]}',
        b'{"keys":{"a":7}}',
        b'{"keys":{"a":"AA=="}}',
        b'{"keys":{"a":"' + base64.b64encode(bytes(31)) + b'"}}',
        b'{"keys": {"a":"' + base64.b64encode(bytes(32)) + b'"}}',
        b'{"keys":{"a":"%b"},"more":1}' % base64.b64encode(bytes(32)),
        b'{"keys":{"a":"%b","a":"%b"}}' % ((base64.b64encode(bytes(32)),) * 2),
    ],
)
def test_what_is_sealed_in_it_has_one_form(plain: bytes) -> None:
    """Anyone can seal to a public key: what opens is read as carefully as what does not."""
    sealed = seal_for(LEAGUE.reader, plain, f"tourney disclosure\n{STREAM}".encode())
    with pytest.raises(Invalid):
        opened_keys(Disclosure(STREAM, LEAGUE.reader.id, sealed), LEAGUE)


def test_what_was_forgotten_is_not_shown(day: Desk) -> None:
    seq = seq_of(day, "PenaltyGiven")
    reader = reader_of(day)
    day.report_all()
    day.done("finish")
    day.done("forget", "1")
    refused = day.refused("export", "--for", reader, "--event", str(seq), "-o", "for-league")
    assert f"the key of event {seq} was destroyed" in refused.err
    day.done("export", "--for", reader, "--texts", "all", "-o", "for-league")
    day.done("export", "-o", "after.jsonl")
    assert "Ann Lee" not in day.done("verify", "after.jsonl", "--disclosed", "for-league").out


def test_a_readers_key_is_no_key_that_signs(day: Desk) -> None:
    parse_reader(reader_of(day))
    assert day.refused("export", "--for", "PRIVATE+READER+x", "--texts", "all", "-o", "x").code


def test_after_an_import_the_texts_shown_are_read_in_every_view(
    day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What was not shown stays sealed, and a file of another log opens nothing."""
    reader, seq = reader_of(day), seq_of(day, "RulingMade")
    day.done("export", "--for", reader, "--event", str(seq), "-o", "for-league")
    keys = day.folder / ".tourney-keys"
    there = type(day)(tmp_path_factory.mktemp("league"), day.patch)
    (there.folder / ".tourney-keys").mkdir()
    for path in keys.glob("reader-*.key"):
        shutil.copy(path, there.folder / ".tourney-keys")
    for name in ("day.jsonl", "day.jsonl.checkpoint", "for-league"):
        (there.folder / name).write_bytes((day.folder / name).read_bytes())
    assert "given twice" in there.refused("import", "day.jsonl", "--disclosed", "day.jsonl").err
    said = there.done("import", "day.jsonl", "--disclosed", "for-league").err
    assert "opened the texts of 1 event" in said
    assert there.done("rule", "--json").json[0]["ruling"] == RULED
    for words in (("match", "1/1"), ("disputes", "--all"), ("audit",)):
        shown = "".join(there.done(*words).out.split())
        assert RULED.replace(" ", "") in shown, words
        assert "Bobknowsofit" not in shown
    assert "Bob knows" not in there.done("penalty").out

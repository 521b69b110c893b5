"""Broken files: each one is refused with one clear line that names the file and the place."""

from __future__ import annotations

import errno
import json
import os
import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InvalidLog, LedgerError, NotFound
from ledger.exchange import replay
from ledger.exchange.log_files import admit_line
from ledger.lines.line import decode, encode
from ledger.proof.formats import Tree
from ledger.store import open_store
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from tests.support.chance.random_events import random_event
from tests.support.examples import examples
from tests.support.files.imports import import_file
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.store import Store

LINES = play(7, 6, rounds=2).lines
WHOLE = b"".join(line + b"\n" for line in LINES)


@pytest.fixture
def empty_store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.db")) as store:
        yield store


def refusal(act: Callable[[], object], kind: type[LedgerError] = InvalidLog) -> str:
    with pytest.raises(kind) as caught:
        act()
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 500
    return text


def with_line(number: int, line: bytes) -> bytes:
    """The log with another line at a place, counted from 1."""
    return b"".join(each + b"\n" for each in [*LINES[: number - 1], line, *LINES[number:]])


def edited(number: int, **members: object) -> bytes:
    """The log with members of one line changed, in canonical form."""
    return with_line(number, msgspec.json.encode(json.loads(LINES[number - 1]) | members))


def ruleset_gone() -> bytes:
    data: dict[str, Any] = json.loads(LINES[0])["data"]
    data["ruleset"] |= {"text": "key = 1", "sha256": "0" * 64}
    return edited(1, data=data)


def ruleset_changed() -> bytes:
    data: dict[str, Any] = json.loads(LINES[0])["data"]
    data["ruleset"]["text"] += "# cheaper wins"
    return edited(1, data=data)


SECOND_ID = json.loads(LINES[3])["id"]

BROKEN = [
    ("empty", b"", "is empty"),
    ("blank", b"\n \n", "is empty"),
    ("another kind", b"round;table;player\n", "is of an unknown kind: it must be an exported log"),
    ("a JSON array", b"[]", "is of an unknown kind"),
    ("a JSON number", b"17", "is of an unknown kind"),
    ("an archive", b"PK\x03\x04\x00", "is a zip archive: unpack it first"),
    ("no members", b"{}\n", "neither players nor rounds"),
    ("cut off", WHOLE[:-30], f"line {len(LINES)} is incomplete: the file was cut off"),
    ("cut off early", WHOLE[:30], "line 1 is incomplete: the file was cut off"),
    ("no newline at the end", WHOLE[:-1], f"line {len(LINES)} is incomplete"),
    ("a blank line", with_line(5, b""), "line 5: Input data was truncated"),
    (
        "no UTF-8",
        with_line(5, LINES[4].replace(b'"p', b'"\xff')),
        "line 5: a text in the line is not UTF-8",
    ),
    ("half a surrogate", with_line(5, LINES[4].replace(b'"p', b'"\\ud800')), "line 5: "),
    ("wrong type", edited(5, seq="5"), "line 5: Expected `int`, got `str` - at `seq`"),
    ("no object", with_line(5, b"[1]"), "line 5: Expected `object`, got `array`"),
    ("missing member", with_line(5, b'{"seq":5}'), "line 5: Object missing required field"),
    ("unknown member", edited(5, more=1), "line 5: .*unknown field `more`"),
    ("unknown data", edited(5, data={"x": 1}), "line 5: .*(unknown|missing)"),
    ("NaN", with_line(5, LINES[4].replace(b'"seq":5', b'"seq":NaN')), "line 5: JSON is malformed"),
    ("Infinity", with_line(5, LINES[4].replace(b'"seq":5', b'"seq":1e999')), "line 5: "),
    (
        "a float",
        with_line(5, LINES[4].replace(b'"seq":5', b'"seq":5.0')),
        "line 5: Expected `int`, got `float` - at `seq`",
    ),
    ("too large a number", edited(5, seq=2**53), "line 5: 9007199254740992 is not a valid `seq`"),
    ("a huge number", edited(5, seq=2**64), "line 5: "),
    ("an endless number", with_line(5, b'{"seq":' + b"9" * 5_000 + b"}"), "line 5: "),
    ("a gap", with_line(5, LINES[5]), "line 5: seq 6 is wrong: the next seq is 5"),
    ("a line twice", with_line(5, LINES[3]), "line 5: seq 4 is wrong: the next seq is 5"),
    ("an id twice", edited(5, id=SECOND_ID), f"line 5: id {SECOND_ID} is already used at seq 4"),
    (
        "an id of no act",
        edited(5, id="x.1"),
        "line 5: id x.1 does not continue the act of the previous event",
    ),
    (
        "an id out of step",
        edited(5, id=f"{SECOND_ID}.2"),
        "line 5: id .* does not continue the act",
    ),
    ("a wrong id", edited(5, id="a b"), "line 5: 'a b' is not a valid `id`"),
    ("a wrong time", edited(5, at="yesterday"), "line 5: 'yesterday' is not a valid `at`"),
    (
        "a time in other digits",
        edited(5, at="٢٠٢٦-03-14T09:00:00.000Z"),
        "line 5: '٢٠٢٦-03-14T09:00:00.000Z' is not a valid `at`",
    ),
    ("a wrong hand", edited(5, by="root"), "line 5: 'root' is not a valid `by`"),
    ("nobody's hand", edited(5, id="x", by="o9"), "line 5: there is no official 9"),
    ("unknown event", edited(5, type="\x1b[31m"), r"line 5: unknown event type '\\x1b\[31m'"),
    ("endless event", edited(5, type="x" * 50_000), "line 5: unknown event type 'xxx"),
    ("unknown ruleset", ruleset_gone(), "line 1: ruleset l5r cannot be used: key: Expected"),
    (
        "changed ruleset",
        ruleset_changed(),
        "line 1: the text of ruleset l5r does not match its digest",
    ),
    (
        "two tournaments",
        WHOLE + WHOLE,
        f"line {len(LINES) + 1}: seq 1 is wrong: the next seq is {len(LINES) + 1}",
    ),
    (
        "white space",
        with_line(5, LINES[4].replace(b":", b": ", 1)),
        "line 5: not in canonical form",
    ),
    ("carriage return", WHOLE.replace(b"\n", b"\r\n"), "line 1 ends in CR LF"),
    (
        "a key twice",
        with_line(5, LINES[4].replace(b'"seq":5', b'"seq":5,"seq":5')),
        "line 5: not in canonical form",
    ),
    ("deep", with_line(5, b'{"seq":' + b"[" * 50_000), "line 5: "),
    (
        "too long a line",
        with_line(5, b'{"seq":5' + b" " * 60_000 + b"}"),
        "line 5: longer than 60,000",
    ),
    ("too long at the end", WHOLE + b'{"seq":5' + b" " * 600_000, "is longer than 60,000 bytes"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "text"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN]
)
def test_a_broken_file_is_refused_and_nothing_is_written(
    data: bytes, text: str, tmp_path: Path, empty_store: Store
) -> None:
    path = tmp_path / "log"
    path.write_bytes(data)
    told = refusal(lambda: import_file(empty_store, path, ranking=ranking))
    assert told.startswith(str(path))
    with pytest.raises(InvalidLog, match=text):
        import_file(empty_store, path, ranking=ranking)
    assert empty_store.streams() == []
    assert refusal(lambda: replay(path)).startswith(str(path))


def test_a_line_of_a_hundred_megabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as file:
        file.write(LINES[0] + b"\n" + b'{"seq":2,"id":"')
        file.seek(100 << 20)
        file.write(b"\n")
    assert refusal(lambda: replay(path)) == f"{path}: line 2 is longer than 60,000 bytes"


def test_a_foreign_file_of_a_hundred_megabytes_is_not_read_to_its_end(
    tmp_path: Path, empty_store: Store
) -> None:
    path = tmp_path / "event.json"
    with path.open("wb") as file:
        file.write(b'{"players":')
        file.seek(100 << 20)
        file.write(b"\n")
    told = refusal(lambda: import_file(empty_store, path, ranking=ranking))
    assert told == f"{path} is larger than 67,108,864 bytes"


def test_what_is_no_readable_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = tmp_path / "absent"
    assert refusal(lambda: replay(absent), NotFound) == f"there is no file {absent}"
    told = refusal(lambda: replay(tmp_path), NotFound)
    assert told == f"{tmp_path} is a directory: name the file in it"
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "log"
    assert refusal(lambda: replay(below), NotFound) == f"there is no file {below}"

    def forbidden(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("os.open", forbidden)
    assert refusal(lambda: replay(absent)) == f"{absent} cannot be read: Permission denied"


@pytest.mark.slow
@given(
    place=st.integers(0, len(WHOLE) - 1),
    size=st.integers(0, 3),
    put=st.binary(max_size=3) | st.sampled_from([b"\n", b'"', b"{", b"0", b"e5", b"\\u0000"]),
)
@examples(150)
def test_random_damage_gives_one_clear_line_or_another_lawful_log(
    place: int, size: int, put: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_bytes(WHOLE[:place] + put + WHOLE[place + size :])
    try:
        replayed = replay(path)
    except InvalidLog:
        assert refusal(lambda: replay(path)).startswith(str(path))
    else:
        assert b"".join(line + b"\n" for line in replayed.lines) == path.read_bytes()


def as_foreign(line: bytes) -> bytes:
    """The opening as an import has it: the rules that can be waived are."""
    data: dict[str, Any] = json.loads(line)["data"]
    data["imported"] = {"kind": "nrtm", "sha256": "0" * 64}
    del data["commitment"], data["hidden"]
    return msgspec.json.encode(json.loads(line) | {"data": data})


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), players=st.integers(4, 9), cut=st.sampled_from([0, 2, 4]))
@examples(10)
def test_no_event_however_senseless_makes_checking_or_folding_fail(
    seed: int, players: int, cut: int
) -> None:
    chance = random.Random(seed)
    lines = play(seed, players, rounds=2, cut=cut).lines
    if seed % 2:
        lines = [as_foreign(lines[0]), *lines[1:]]
        lines = lines[: next(n for n, line in enumerate(lines) if b'"HeadRecorded"' in line)]
    for wild in range(12):
        tournament, tree = Tournament(), Tree()
        for line in lines[: chance.randrange(1, len(lines))]:
            admit_line(tournament, line, tree)
        for number in range(30):
            base = decode(chance.choice(lines)).event if chance.random() < 0.5 else None
            event = random_event(chance, base)
            last = tournament.seq
            if event is None:
                continue
            made = msgspec.structs.replace(
                decode(lines[0]), seq=last + 1, id=f"wild{wild}-{number}", event=event
            )
            try:
                admit_line(tournament, encode(made), tree)
            except LedgerError:
                assert tournament.seq == last

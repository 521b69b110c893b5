"""The line: one event as it is stored, exported, hashed and read back.

A line is canonical JSON: the members `seq, id, type, at, by, data` and optionally `sig`, in this
order, no white space, no float, no duplicate key, UTF-8, at most 60,000 bytes. The bytes are the
record: they are written once and never made again from the objects read out of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog, OtherWire
from ledger.events import Event
from ledger.lines.forms import misshapen
from ledger.lines.recorded import AnyRecorded, Recorded, all_of_today, of_today, signed
from ledger.lines.sealing import MARK, Opener, stored_problems, typed_problems, unopened
from ledger.lines.texts import holds_text
from ledger.proof.lines import OPENING, wire_problem

LINE_BYTES_MAX = 60_000
"""The longest line, in bytes, without its newline."""

NAMES_START = b'{"names":'
"""How the last line of an export begins that holds the keys of names; it is no event."""

NAMES_BYTES_MAX = 1 << 22
"""The longest line of names: enough for every player and official, and some names again."""

PART_LINES = 200
"""Lines that are read in one step: enough that a step costs little, and few to have in memory."""

SEQ_MAX = 2**53 - 1
OUT_OF_BOUNDS = re.compile(r"Expected `str` of length ([<>]=) (\d+) - at `\$\.data\.(.*)`")
HALF_LETTER = re.compile(rb"\\u[dD][89a-fA-F]")
NO_NUMBER = re.compile(rb"NaN|Infinity")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UNKNOWN_TYPE = re.compile(r"Invalid value (.*) - at `\$\.type`", re.DOTALL)
_NAMED = re.compile(rb'"type":"([A-Za-z]+(?:@[0-9]+)?)"')
ID = re.compile(r"[A-Za-z0-9_-]{1,64}(\.[1-9][0-9]{0,5})?")
AT = re.compile(
    r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)\.\d{3}Z", re.ASCII
)
BY = re.compile(r"o[1-9][0-9]{0,3}(/p[1-9][0-9]{0,3})?|p[1-9][0-9]{0,3}")


_DECODER: msgspec.json.Decoder[Recorded] = msgspec.json.Decoder(AnyRecorded)


class _Line(Struct, frozen=True, omit_defaults=True):
    """The members of a line in their order."""

    seq: int
    id: str
    type: str
    at: str
    by: str
    data: Event
    sig: str = ""


class _Opening(Struct):
    """As much of a line as says which releases read its log."""

    type: str
    data: dict[str, Any]


_ENCODER = msgspec.json.Encoder()


def decode(line: bytes, opener: Opener = unopened) -> Recorded:
    """Read one line of a store that is trusted to hold what was admitted.

    `opener` opens what is sealed in it; without one it is shown as sealed. InvalidLog where the
    bytes are no line of a known type.
    """
    recorded = _stored(line)
    return of_today(opener(recorded) if MARK in line else recorded)


def decoded(lines: Iterable[bytes], opener: Opener = unopened) -> Iterator[Recorded]:
    """Read many lines as one alone is read, at half of the cost."""
    return chain.from_iterable(decoded_parts(lines, opener))


def decoded_parts(
    lines: Iterable[bytes], opener: Opener = unopened
) -> Iterator[Sequence[Recorded]]:
    """Read many lines, up to `PART_LINES` at a time; those before a wrong line come before it.

    Raises:
        InvalidLog: a line is no line of a known type.
    """
    rest = iter(lines)
    while part := list(islice(rest, PART_LINES)):
        text, wrong = b"\n".join(part), None
        try:
            read = _DECODER.decode_lines(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            read = []
        if len(read) != len(part):
            read, wrong = _before_a_wrong_one(part)
        if MARK in text:
            yield from _opened(part, read, opener)
        else:
            yield all_of_today(read)
        if wrong is not None:
            raise wrong


def _before_a_wrong_one(lines: Sequence[bytes]) -> tuple[list[Recorded], InvalidLog | None]:
    """Read lines up to the first wrong one; return what is wrong with that."""
    read: list[Recorded] = []
    try:
        for line in lines:
            read.append(_stored(line))  # noqa: PERF401 - those before a wrong line are kept
    except InvalidLog as error:
        return read, error
    return read, None


def _opened(
    lines: Sequence[bytes], read: Sequence[Recorded], opener: Opener
) -> Iterator[Sequence[Recorded]]:
    """Open what is sealed in lines; those before one that cannot be opened come before it."""
    opened: list[Recorded] = []
    try:
        for line, recorded in zip(lines, read, strict=False):
            opened.append(opener(recorded) if MARK in line else recorded)
    except Exception:
        yield all_of_today(opened)
        raise
    yield all_of_today(opened)


def as_stored(recorded: Recorded) -> Recorded:
    """Leave what is sealed in an event as it is: an opener that opens nothing."""
    return recorded


def _stored(line: bytes) -> Recorded:
    """Read one line as it is, with sealed texts as they are sealed."""
    try:
        return _DECODER.decode(line)
    except UnicodeDecodeError:
        raise InvalidLog("a text in it is not UTF-8") from None
    except (msgspec.DecodeError, RecursionError) as error:
        _refuse_other_wire(line)
        raise InvalidLog(_malformed(line, str(error)) or _in_words(str(error))) from None


def name_in(line: bytes) -> str:
    """Return the event's name in a line that was read."""
    found = _NAMED.search(line)
    return found[1].decode() if found else ""


def _refuse_other_wire(line: bytes) -> None:
    """Raise OtherWire for the first line of a log that another release reads: it says which."""
    try:
        read = msgspec.json.decode(line, type=_Opening)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    if read.type == OPENING and (problem := wire_problem(read.data)):
        raise OtherWire(problem)


def _malformed(line: bytes, error: str) -> str:
    """Say what keeps a line from being JSON; empty where it is JSON, and something else is wrong.

    Outside of texts a byte that cannot stand there tells where; half of a letter it does not.
    """
    place = re.search(r"\(byte (\d+)\)", error)
    if "surrogate" in error or ("truncated" in error and HALF_LETTER.search(line)):
        what = "a text holds half of a surrogate pair, which is no letter"
    elif not error.startswith("JSON is malformed"):
        return ""
    elif line.startswith(BYTE_ORDER_MARK):
        what = "a byte order mark stands before it: an editor saved the file again"
    else:
        before = line[: int(place[1]) if place else 0]
        number = NO_NUMBER.match(line, len(before))
        is_padded = before[-1:] == b"0" and before[-2:-1] in b":,[-"
        what = error.removeprefix("JSON is malformed: ")
        if number:
            what = f"{number[0].decode()} is no number (byte {len(before)})"
        elif is_padded:
            what = f"a number begins with a zero (byte {len(before) - 1})"
    return f"JSON is malformed: {what}; ask for the file again, as it was exported"


def _in_words(error: str) -> str:
    if unknown := UNKNOWN_TYPE.fullmatch(error):
        return f"unknown event type {unknown[1]}"
    return error.replace("`$.", "`")


def unsigned(recorded: Recorded) -> bytes:
    """Write the line as it is signed: without its signature."""
    return _written(signed(recorded, ""))


def encode(recorded: Recorded, sealer: Opener | None = None) -> bytes:
    """Write the line of an event, with its texts as they are or as `sealer` seals them.

    InvalidLog where it would be longer than `LINE_BYTES_MAX`, or could not be read back.
    """
    _refuse_misshapen(recorded)
    _refuse(f"this cannot be written down: {each}" for each in misshapen(recorded.event))
    _refuse(typed_problems(recorded.event))
    line = _written(recorded)
    if sealer is not None:
        line = _written(sealer(recorded))
    _refuse_unreadable(line)
    return line


def _refuse_misshapen(recorded: Recorded) -> None:
    for pattern, name, text in (
        (ID, "id", recorded.id),
        (AT, "at", recorded.at),
        (BY, "by", recorded.by),
    ):
        if not pattern.fullmatch(text):
            raise InvalidLog(f"{text[:80]!r} is no `{name}`")
    if not 1 <= recorded.seq <= SEQ_MAX:
        raise InvalidLog(f"{recorded.seq} is no `seq`")


def _written(recorded: Recorded) -> bytes:
    line = _Line(
        recorded.seq,
        recorded.id,
        recorded.name,
        recorded.at,
        recorded.by,
        recorded.event,
        recorded.sig,
    )
    try:
        written = _ENCODER.encode(line)
    except UnicodeEncodeError:
        raise InvalidLog("a text holds bytes that are no letter in UTF-8: type it again") from None
    if len(written) > LINE_BYTES_MAX:
        size = f"{len(written):,}"
        raise InvalidLog(f"a line of {size} bytes is over the limit of {LINE_BYTES_MAX:,}")
    return written


def _refuse_unreadable(line: bytes) -> None:
    """Refuse to write what could not be read back: structs are not held to their bounds."""
    try:
        _DECODER.decode(line)
    except msgspec.ValidationError as error:
        found = OUT_OF_BOUNDS.fullmatch(str(error))
        if found is None:
            raise InvalidLog(f"this cannot be written down: {error}") from None
        bound = "at most" if found[1] == "<=" else "at least"
        raise InvalidLog(f"`{found[3]}` takes {bound} {int(found[2]):,} characters") from None


def read(line: bytes) -> Recorded:
    """Read one line from outside; InvalidLog says why it is not canonical.

    Sealed texts stay as they are sealed, and an event of an earlier version as it is: see
    `of_today`.
    """
    if len(line) > LINE_BYTES_MAX:
        raise InvalidLog(f"longer than {LINE_BYTES_MAX:,} bytes")
    recorded = _stored(line)
    _refuse_misshapen(recorded)
    _refuse(misshapen(recorded.event))
    if holds_text(type(recorded.event)):
        _refuse(stored_problems(recorded.event))
    canonical = _written(recorded)
    if canonical != line:
        raise InvalidLog(_difference(line, canonical))
    return recorded


def _refuse(problems: Iterable[str]) -> None:
    if found := "; ".join(problems):
        raise InvalidLog(found)


def _difference(line: bytes, canonical: bytes) -> str:
    pairs = zip(line, canonical, strict=False)
    shared = min(len(line), len(canonical))
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), shared)
    found = line[max(0, place - 12) : place + 12].decode("utf-8", "replace")
    return f"not in canonical form at byte {place + 1}, near {found!r}"


def split(chunks: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield the lines of a file, without their `\n`, whatever the size of the file.

    InvalidLog where a line is over the cap, or the last one has no newline.
    """
    rest = b""
    count = 0
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            count += 1
            yield line
        if len(rest) > (NAMES_BYTES_MAX if rest.startswith(NAMES_START) else LINE_BYTES_MAX):
            raise InvalidLog(f"line {count + 1} is longer than {LINE_BYTES_MAX:,} bytes")
    if rest:
        raise InvalidLog(f"line {count + 1} has no end: the file was cut off in the middle of it")

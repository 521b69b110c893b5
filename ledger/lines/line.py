"""The line: one event as it is stored, exported, hashed and read back.

A line is canonical JSON: the members `seq, id, type, at, by, data` and optionally `sig`, in this
order, no white space, no float, no duplicate key, UTF-8, at most 60,000 bytes. The bytes are the
record: they are written once and never made again from the objects read out of them.

A line is accepted once: when it is appended (`encode`), and when it comes from outside (`read`).
All other parts of the program use one of these two. Then each text has to follow the pattern of its
type. The patterns are found by the mark on the types (`ledger.facts.base.FORM`): in structs, in
both parts of a dict, and in every item of a tuple. A check names the place of each text; a fit
answers only whether there is such a place, in a third of the time. Both follow from the same
declarations. The lines of a store were accepted before, and are decoded without that check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, islice
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from ledger.errors import InvalidLog, OtherWire, joined
from ledger.facts.base import FORM, TEXT_MAX, Event
from ledger.lines.recorded import NAMES, AnyRecorded, Recorded, all_of_today, of_today, signed
from ledger.lines.sealing import (
    MARK,
    Opener,
    may_have_text,
    stored_problems,
    typed_problems,
    unopened,
)
from ledger.problems import Phrase, marked, phrase
from ledger.proof.lines import CR_LF, OPENING, wire_problem

TEXTS_KEPT = 4_096
"""Texts that are kept in mind as fitting a pattern or not: a log has few labels, many times."""

Check = Callable[[Any, str], Iterator[str]]
"""Yields the place of each text in a value that does not follow its pattern."""


def misshapen(event: Event) -> Iterator[Phrase]:
    """Yield what is wrong with each text of an event that does not follow its pattern."""
    check = _check_of(type(event))
    if check is not None:
        for place in check(event, "data"):
            yield phrase("a text not in the format of its field - at `{place}`", place=place)


@lru_cache(TEXTS_KEPT)
def _fits(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


@cache
def _check_of(kind: Any) -> Check | None:  # noqa: ANN401 - any annotation
    """Return what checks a value of this type; None if it can hold no text with a pattern."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _of_text(kind.__metadata__) or _check_of(members[0])
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_struct(kind)
    if origin is dict:
        return _of_dict(*map(_check_of, members))
    if origin is tuple:
        return _of_tuple(members)
    if origin in {Union, UnionType}:
        return _of_union([(each, check) for each in members if (check := _check_of(each))])
    return None


def _of_text(metadata: tuple[object, ...]) -> Check | None:
    pattern = _pattern_of(metadata)
    if pattern is None:
        return None
    return lambda text, place: iter(() if _fits(pattern, text) else (place,))


def _pattern_of(metadata: tuple[object, ...]) -> str | None:
    for meta in metadata:
        if isinstance(meta, Meta) and meta.extra and FORM in meta.extra:
            pattern: str = meta.extra[FORM]
            return pattern
    return None


def _of_struct(kind: type[Struct]) -> Check | None:
    hints = get_type_hints(kind, include_extras=True)
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    checks = [(name, shown, check) for name, shown in names if (check := _check_of(hints[name]))]
    if not checks:
        return None

    def check_each(value: Struct, place: str) -> Iterator[str]:
        for name, shown, check in checks:
            yield from check(getattr(value, name), f"{place}.{shown}")

    return check_each


def _of_dict(keys: Check | None, values: Check | None) -> Check | None:
    if keys is None and values is None:
        return None

    def check_each(value: dict[Any, Any], place: str) -> Iterator[str]:
        for key, each in value.items():
            if keys is not None:
                yield from keys(key, f"key in {place}")
            if values is not None:
                yield from values(each, f"{place}[...]")

    return check_each


def _of_tuple(members: tuple[Any, ...]) -> Check | None:
    if members[1:] == (Ellipsis,):
        every = _check_of(members[0])
        return every and (
            lambda value, place: (
                found
                for number, each in enumerate(value)
                for found in every(each, f"{place}[{number}]")
            )
        )
    checks = [(number, check) for number, each in enumerate(members) if (check := _check_of(each))]
    if not checks:
        return None
    return lambda value, place: (
        found for number, check in checks for found in check(value[number], f"{place}[{number}]")
    )


def _of_union(members: list[tuple[Any, Check]]) -> Check | None:
    """Return the check of the one member that can hold a pattern: the others are None or plain."""
    if not members:
        return None
    ((kind, check),) = members  # a second one is nowhere declared
    holds: Any = kind if isinstance(kind, type) else get_origin(kind)
    holds = str if holds is Annotated else holds
    return lambda value, place: check(value, place) if isinstance(value, holds) else iter(())


Fit = Callable[[Any], bool]
"""Whether every text in a value follows its pattern."""


def fits(event: Event) -> bool:
    """Return whether `misshapen` finds nothing wrong with an event."""
    fit = _fit_of(type(event))
    return fit is None or fit(event)


@cache
def _fit_of(kind: Any) -> Fit | None:  # noqa: ANN401 - any annotation
    """Return what answers for a value of this type; None if it can hold no text with a pattern."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        pattern = _pattern_of(kind.__metadata__)
        return _fit_of(members[0]) if pattern is None else partial(_fits, pattern)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _fit_of_struct(kind)
    if origin is dict:
        return _fit_of_dict(*map(_fit_of, members))
    if origin is tuple:
        return _fit_of_tuple(members)
    if origin in {Union, UnionType} and (check := _check_of(kind)) is not None:
        return lambda value: value is None or next(check(value, ""), None) is None
    return None


def _fit_of_struct(kind: type[Struct]) -> Fit | None:
    hints = get_type_hints(kind, include_extras=True)
    members = [
        (name, get_origin(hints[name]) in {dict, tuple}, fit)
        for name in kind.__struct_fields__
        if (fit := _fit_of(hints[name]))
    ]

    def fits_in(value: Struct) -> bool:
        for name, has_items, fit in members:
            member = getattr(value, name)
            if (member or not has_items) and not fit(member):
                return False
        return True

    return fits_in if members else None


def _fit_of_dict(keys: Fit | None, values: Fit | None) -> Fit | None:
    if keys is None and values is None:
        return None
    return lambda value: (
        (keys is None or all(map(keys, value)))
        and (values is None or all(map(values, value.values())))
    )


def _fit_of_tuple(members: tuple[Any, ...]) -> Fit | None:
    if members[1:] == (Ellipsis,):
        every = _fit_of(members[0])
        return every and (lambda value: not value or all(map(every, value)))
    places = [(number, fit) for number, member in enumerate(members) if (fit := _fit_of(member))]

    def fits_in(value: tuple[Any, ...]) -> bool:
        for number, fit in places:  # noqa: SIM110 - as above
            if not fit(value[number]):
                return False
        return True

    return fits_in if places else None


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
_SEALED = b'"sealed:'  # of any version: what the proof counts
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UNKNOWN_TYPE = re.compile(r"Invalid value (.*) - at `\$\.type`", re.DOTALL)
_NAMED = re.compile(rb'"type":"([A-Za-z]+(?:@[0-9]+)?)"')
ID = re.compile(r"[A-Za-z0-9_-]{1,64}(\.[1-9][0-9]{0,5})?")
AT = re.compile(
    r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)\.\d{3}Z", re.ASCII
)
_IDS, _TIMES = (re.compile(f"(?:{each.pattern}\n)*", re.ASCII) for each in (ID, AT))
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
        raise InvalidLog(phrase("a text in the line is not UTF-8")) from None
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


def _malformed(line: bytes, error: str) -> Phrase | None:
    """Say what keeps a line from being JSON; None where it is JSON, and something else is wrong.

    Outside of texts a byte that cannot stand there tells where; half of a letter it does not.
    """
    place = re.search(r"\(byte (\d+)\)", error)
    what: Phrase | str
    if "surrogate" in error or ("truncated" in error and HALF_LETTER.search(line)):
        what = phrase("a text contains half of a surrogate pair, which is not a character")
    elif not error.startswith("JSON is malformed"):
        return None
    elif line.startswith(BYTE_ORDER_MARK):
        what = phrase("the file begins with a byte order mark: an editor has changed it")
    else:
        before = line[: int(place[1]) if place else 0]
        number = NO_NUMBER.match(line, len(before))
        is_padded = before[-1:] == b"0" and before[-2:-1] in b":,[-"
        what = error.removeprefix("JSON is malformed: ")
        if number:
            text, found = marked("{number} is not a number (byte {byte})"), number[0].decode()
            what = phrase(text, number=found, byte=len(before))
        elif is_padded:
            what = phrase("a number begins with a zero (byte {byte})", byte=len(before) - 1)
    return phrase(
        "JSON is malformed: {what}; ask for the file again, as it was exported", what=what
    )


def _in_words(error: str) -> Phrase | str:
    if unknown := UNKNOWN_TYPE.fullmatch(error):
        return phrase("unknown event type {name}", name=unknown[1])
    return error.replace("`$.", "`")


def unsigned(recorded: Recorded) -> bytes:
    """Write the line as it is signed: without its signature."""
    return _written(signed(recorded, ""))


def encode(recorded: Recorded, sealer: Opener | None = None) -> bytes:
    """Write the line of an event, with its texts as they are or as `sealer` seals them.

    InvalidLog where it would be longer than `LINE_BYTES_MAX`, or could not be read back.
    """
    _refuse_misshapen(recorded)
    _refuse(
        phrase("this cannot be recorded: {why}", why=each) for each in misshapen(recorded.event)
    )
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
            typed = f"{text[:80]!r}"
            raise InvalidLog(phrase("{typed} is not a valid `{name}`", typed=typed, name=name))
    if not 1 <= recorded.seq <= SEQ_MAX:
        typed = str(recorded.seq)
        raise InvalidLog(phrase("{typed} is not a valid `{name}`", typed=typed, name="seq"))


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
        text = marked("a text contains bytes that are not valid UTF-8: type it again")
        raise InvalidLog(phrase(text)) from None
    if len(written) > LINE_BYTES_MAX:
        size = f"{len(written):,}"
        text, most = marked("a line of {size} bytes is over the limit of {most}"), _LINE_MOST
        raise InvalidLog(phrase(text, size=size, most=most))
    return written


def _refuse_unreadable(line: bytes) -> None:
    """Refuse to write what could not be read back: structs are not held to their bounds."""
    try:
        _DECODER.decode(line)
    except msgspec.ValidationError as error:
        found = OUT_OF_BOUNDS.fullmatch(str(error))
        if found is None:
            raise InvalidLog(phrase("this cannot be recorded: {why}", why=str(error))) from None
        text = marked("`{field}` must have at least {count} characters")
        if found[1] == "<=":
            text = marked("`{field}` must have at most {count} characters")
        count = f"{int(found[2]):,}"
        raise InvalidLog(phrase(text, field=found[3], count=count)) from None


def read(line: bytes) -> Recorded:
    """Read one line from outside; InvalidLog says why it is not canonical.

    Sealed texts stay as they are sealed, and an event of an earlier version as it is: see
    `of_today`.
    """
    if len(line) > LINE_BYTES_MAX:
        raise InvalidLog(phrase("longer than {most} bytes", most=_LINE_MOST))
    recorded = _stored(line)
    _refuse_misshapen(recorded)
    _refuse(misshapen(recorded.event))
    if may_have_text(recorded.event):
        _refuse(stored_problems(recorded.event))
    canonical = _written(recorded)
    if canonical != line:
        raise InvalidLog(_difference(line, canonical))
    return recorded


class ReadPart(NamedTuple):
    """The events of lines that were read together, and whether a text in them may be sealed."""

    recorded: Sequence[Recorded]
    is_sealed: bool


def read_part(lines: Sequence[bytes]) -> ReadPart | None:
    """Read lines as `read` reads each of them, in less than half of the time.

    Return None if a line is wrong: `read` reports which line, and why.
    """
    text = b"\n".join(lines)
    try:
        recorded = _DECODER.decode_lines(text)
        written = _ENCODER.encode_lines(
            [
                _Line(
                    stored.seq,
                    stored.id,
                    NAMES[type(stored.event)],
                    stored.at,
                    stored.by,
                    stored.event,
                    stored.sig,
                )
                for stored in recorded
            ]
        )
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    # As many lines as there are, and all equal: a newline within a line would be one more.
    if len(recorded) != len(lines) or written != text + b"\n" or not _are_shaped(recorded):
        return None
    is_sealed = _SEALED in text
    for line, stored in zip(lines, recorded, strict=True):
        if not fits(stored.event) or len(line) > LINE_BYTES_MAX:
            return None
        # A short line without anything sealed has no text that is too long, or wrongly sealed.
        may_be_wrong = (is_sealed or len(line) > TEXT_MAX) and may_have_text(stored.event)
        if may_be_wrong and next(stored_problems(stored.event), None) is not None:
            return None
    return ReadPart(recorded, is_sealed)


def _are_shaped(recorded: Sequence[Recorded]) -> bool:
    """Return whether `_refuse_misshapen` refuses none of these."""
    if not all(map(BY.fullmatch, {stored.by for stored in recorded})):
        return False
    seqs = [stored.seq for stored in recorded]
    if not 1 <= min(seqs) <= max(seqs) <= SEQ_MAX:
        return False
    count = len(recorded)
    for pattern, member in ((_IDS, "id"), (_TIMES, "at")):
        texts = "\n".join(map(attrgetter(member), recorded)) + "\n"
        if texts.count("\n") != count or not pattern.fullmatch(texts):
            return False
    return True


_LINE_MOST = f"{LINE_BYTES_MAX:,}"


def _refuse(problems: Iterable[Phrase]) -> None:
    if found := list(problems):
        raise InvalidLog(joined(found))


def _difference(line: bytes, canonical: bytes) -> Phrase:
    pairs = zip(line, canonical, strict=False)
    shared = min(len(line), len(canonical))
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), shared)
    found = line[max(0, place - 12) : place + 12].decode("utf-8", "replace")
    text = marked("not in canonical form at byte {byte}, near {found}")
    return phrase(text, byte=place + 1, found=f"{found!r}")


def split(chunks: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield the lines of a file, without their `\n`, whatever the size of the file.

    Raises:
        InvalidLog: a line is over the cap or ends in CR LF, or the last one has no newline.
    """
    rest = b""
    count = 0
    for chunk in chunks:
        read = rest + chunk
        *whole, rest = read.split(b"\n")
        if b"\r\n" in read:
            for line in whole:
                count += 1
                if line.endswith(b"\r"):
                    raise InvalidLog(f"line {count} {CR_LF}")
                yield line
        else:
            count += len(whole)
            yield from whole
        if len(rest) > (NAMES_BYTES_MAX if rest.startswith(NAMES_START) else LINE_BYTES_MAX):
            text = marked("line {line} is longer than {most} bytes")
            raise InvalidLog(phrase(text, line=count + 1, most=_LINE_MOST))
    if rest:
        text = marked("line {line} is incomplete: the file was cut off there")
        raise InvalidLog(phrase(text, line=count + 1))

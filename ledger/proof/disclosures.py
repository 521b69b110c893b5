"""Texts that are shown to one reader: the keys of chosen events, sealed to that reader's key.

    {"tourney-disclosure":1,"tournament":"<32 hex digits>","reader":"<id>","sealed":"<base64>"}

One line, canonical JSON. The sealed member is, by HPKE of `ciphers.py` and for the purpose `tourney
disclosure`, newline, the tournament's id, canonical JSON again: `{"keys":{"<event id>":"<base64
key>", …}}`. A key opens every text of its event and of no other; each key is compared with its
digest in the line, and every text with its place. The author of the file can leave events out, but
cannot show another text than was sealed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ledger.proof.ciphers import (
    KEY_BYTES,
    NAME_STEP,
    SEALED,
    TEXT_STEP,
    Reader,
    ReaderSecret,
    open_sealed,
    seal_for,
    unseal_text,
)
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.lines import read_line
from ledger.proof.notes import base64_of

BYTES_MAX = 1 << 26
"""The longest disclosure that is read: every text of a long log needs less."""

NAME_TYPE = "PersonRecorded"


class Disclosure(NamedTuple):
    """A disclosure as its file has it: of which tournament, for which reader's key."""

    tournament: str
    reader: str
    sealed: bytes


class ShownText(NamedTuple):
    """One text that was sealed in a line, opened and checked."""

    seq: int
    event: str
    type: str
    path: str
    text: str


def disclosure(tournament: str, keys: Mapping[str, bytes], reader: Reader) -> bytes:
    """Seal the keys of events to a reader's key; returns the file."""
    plain = _written({"keys": {event: base64_of(key) for event, key in keys.items()}})
    return _file(Disclosure(tournament, reader.id, seal_for(reader, plain, _purpose(tournament))))


def parse_disclosure(data: bytes) -> Disclosure:
    """Read the file; Invalid unless it is a disclosure in its one form."""
    if len(data) > BYTES_MAX:
        raise Invalid(f"it is longer than {BYTES_MAX:,} bytes")
    is_flat = data.count(b"{") == 1 and b"[" not in data  # else it may take 30 times its size
    match _read(data.removesuffix(b"\n")) if is_flat else None:
        case {
            "tourney-disclosure": 1,
            "tournament": str(tournament),
            "reader": str(reader),
            "sealed": str(sealed),
            **rest,
        } if not rest:
            found = Disclosure(tournament, reader, unbase64(sealed, what="its sealed content"))
            if _file(found) == data:
                return found
    raise Invalid("it is not a valid disclosure: was all of it copied?")


def opened_keys(found: Disclosure, secret: ReaderSecret) -> dict[str, bytes]:
    """Open the keys of events, by the events' ids; Invalid where they are not for this reader."""
    plain = open_sealed(secret, found.sealed, _purpose(found.tournament))
    match _read(plain):
        case {"keys": dict(keys), **rest} if keys and not rest:
            return {event: _key(event, key) for event, key in keys.items()}
    raise Invalid("its sealed content does not consist of keys of events")


def shown_texts(
    lines: Iterable[bytes], found: Disclosure, keys: dict[str, bytes]
) -> list[ShownText]:
    """Open the texts of events with their keys, held to the lines; Invalid names all that fail."""
    shown: list[ShownText] = []
    problems: list[str] = []
    left = dict(keys)
    for bare in lines:
        line = read_line(bare)
        if line.seq == 1 and line.data.get("tournament") != found.tournament:
            raise Invalid(f"it is of tournament {found.tournament[:32]!r}, not of this one")
        if line.id not in left:
            continue
        key, texts = left.pop(line.id), list(_sealed_in(line.data))
        if not texts:
            problems.append(f"event {line.seq} has no sealed text")
        step = NAME_STEP if line.type == NAME_TYPE else TEXT_STEP
        for path, text in texts:
            try:
                plain = unseal_text(key, [found.tournament, line.id, path], text, step)
                shown.append(ShownText(line.seq, line.id, line.type, path, plain))
            except Invalid as error:
                problems.append(f"event {line.seq}, `{path}`: {error}")
    problems += [f"there is no event {event[:80]!r} in this log" for event in left]
    if problems:
        raise Invalid("; ".join(problems))
    return shown


def _file(found: Disclosure) -> bytes:
    members = {
        "tourney-disclosure": 1,
        "tournament": found.tournament,
        "reader": found.reader,
        "sealed": base64_of(found.sealed),
    }
    return _written(members) + b"\n"


def _sealed_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """Yield the sealed texts of a line's data, each with its path."""
    if isinstance(value, str) and value.startswith(SEALED):
        yield path, value
    members: Iterable[tuple[object, Any]] = ()
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
    for name, member in members:
        yield from _sealed_in(member, f"{path}.{name}" if path else str(name))


def _key(event: str, text: object) -> bytes:
    return unbase64(text if isinstance(text, str) else "", KEY_BYTES, f"the key of {event[:80]!r}")


def _purpose(tournament: str) -> bytes:
    return f"tourney disclosure\n{tournament}".encode()


def _read(data: bytes) -> Any:  # noqa: ANN401 - any JSON
    try:
        value = json.loads(data)
        return value if _written(value) == data else None
    except (ValueError, RecursionError):
        return None


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

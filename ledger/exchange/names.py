"""The last line of an export: the keys of the names, so that a reader sees who somebody is.

    {"names":{"<event id>":"<base64 key>", …}}

It is no event and no leaf of any tree: the lines above are what is hashed and signed, and each
sealed name in them carries the SHA-256 of its key, which the keys here are held to. The line has
every record of a sealed name, in the order of the log, but for those of persons who were forgotten,
or it is left out whole. A key opens its one record: a name that is recorded later needs another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog, NotFound, Refused
from ledger.events.people import PersonRecorded
from ledger.fold import evolve_name
from ledger.lines.line import NAMES_BYTES_MAX, NAMES_START, as_stored, decode
from ledger.lines.sealing import DAMAGED, MARK, NAME, Named, Seals, digest_in, keys_of
from ledger.proof.ciphers import KEY_BYTES, digest_of
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.notes import base64_of

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament


class _Names(Struct, forbid_unknown_fields=True):
    names: dict[str, str]


def is_names(line: bytes) -> bool:
    """Whether a line of an export is the one with the keys of names."""
    return line.startswith(NAMES_START)


def names_line(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> bytes:
    """Make the line of a log; empty where no name is sealed.

    Raises:
        NotFound: the keys of some names are not at hand.
        Refused: the line would be longer than any reader takes.
    """
    keys: dict[str, str] = {}
    missing: set[str] = set()
    for recorded, digest in _records(lines, tournament):
        found = keys_of(recorded, seals.keys).values()
        fitting = [key for key in found if digest_of(key) == digest]
        keys[recorded.id] = base64_of(fitting[0]) if fitting else ""
        missing |= set() if fitting else {recorded.id}
    if missing:
        raise NotFound(f"this store lacks the keys of {len(missing)} of {len(keys)} names")
    line = msgspec.json.encode(_Names(keys)) if keys else b""
    if len(line) > NAMES_BYTES_MAX:
        raise Refused(f"the keys of {len(keys):,} names do not fit into one line")
    return line


def _records(lines: Iterable[bytes], tournament: Tournament) -> Iterator[tuple[Recorded, str]]:
    """Yield the records of sealed names with their keys' digests, but for the forgotten."""
    for line in lines:
        if MARK in line and PersonRecorded.__name__.encode() in line:
            recorded = decode(line, as_stored)
            event = recorded.event
            if isinstance(event, PersonRecorded) and event.of not in tournament.forgotten:
                yield recorded, digest_in(event.name)


def read_names(line: bytes, seals: Seals, tournament: Tournament) -> dict[str, bytes]:
    """Read the line that ends a log; returns the keys by their names in a vault.

    Raises:
        InvalidLog: it is not the line that belongs to this log.
    """
    try:
        found = msgspec.json.decode(line, type=_Names).names
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidLog("the line of names is malformed") from None
    names = seals.names
    expected = [each for each, (of, _) in names.items() if of not in tournament.forgotten]
    if not expected:
        raise InvalidLog("no name in this log is sealed: no line of names belongs to it")
    if missing := [each for each in expected if each not in found]:
        of = names[missing[0]].of
        raise InvalidLog(f"the line of names has no key for {missing[0]}, the name of {of}")
    for each in found:
        if each not in names:
            raise InvalidLog(f"the line of names has a key for {each[:80]!r}, which seals no name")
        if names[each].of in tournament.forgotten:
            raise InvalidLog(f"the line of names has a key for {names[each].of}, who was forgotten")
    if list(found) != expected or msgspec.json.encode(_Names(found)) != line:
        raise InvalidLog("the line of names is not in canonical form")
    return {f"{NAME}{each}": _key(each, text, names[each]) for each, text in found.items()}


def name_persons(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> None:
    """Add the names that the keys open to the tournament.

    Raises:
        InvalidLog: a sealed name is not what its key sealed.
    """
    for line in lines:
        recorded = decode(line, seals.open)
        event = recorded.event
        if not isinstance(event, PersonRecorded) or event.of in tournament.forgotten:
            continue
        if event.name == DAMAGED:
            raise InvalidLog(f"event {recorded.seq}: the name of {event.of} was tampered with")
        evolve_name(tournament, recorded)


def _key(event: str, text: str, named: Named) -> bytes:
    what = f"the key of {event}, the name of {named.of},"
    try:
        key = unbase64(text, what=what)
    except Invalid as error:
        raise InvalidLog(str(error)) from None
    if len(key) != KEY_BYTES or digest_of(key) != named.digest:
        raise InvalidLog(f"{what} is not the one that sealed it")
    return key

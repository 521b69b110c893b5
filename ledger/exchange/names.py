"""The last line of an export: the keys of the names, so that a reader sees who somebody is.

    {"names":{"o1":"<base64 key>","p1":"<base64 key>", …}}

It is no event and no leaf of any tree: the lines above are what is hashed and signed, and each
sealed name in them carries the SHA-256 of its key, which the keys here are held to. The line has
every person with a sealed name who was not forgotten, as first recorded, or it is left out whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.events.people import PersonRecorded
from ledger.fold import evolve_name
from ledger.lines import NAMES_START
from ledger.lines import decode
from ledger.proof.formats import Invalid
from ledger.proof.formats import unbase64
from ledger.proof.notes import base64_of
from ledger.proof.seals import KEY_BYTES
from ledger.proof.seals import digest_of
from ledger.sealing import DAMAGED
from ledger.sealing import MARK
from ledger.sealing import NAME
from ledger.sealing import Seals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.state import Tournament


class _Names(Struct, forbid_unknown_fields=True):
    names: dict[str, str]


def is_names(line: bytes) -> bool:
    """Whether a line of an export is the one with the keys of names."""
    return line.startswith(NAMES_START)


def names_line(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> bytes:
    """Make the line of a log; empty where no name is sealed.

    Raises:
        NotFound: the keys of some names are not at hand.
    """
    met = Seals(seals.tournament)
    for line in lines:
        if MARK in line and PersonRecorded.__name__.encode() in line:
            decode(line, met.open)
    persons = _expected(met, tournament)
    keys = {of: seals.keys.get(f"{NAME}{of}", b"") for of in persons}
    if missing := sum(digest_of(keys[of]) != met.digests[of] for of in persons):
        raise NotFound(f"this store has not the keys of {missing} of {len(persons)} names")
    if not persons:
        return b""
    return msgspec.json.encode(_Names({of: base64_of(key) for of, key in keys.items()}))


def read_names(line: bytes, seals: Seals, tournament: Tournament) -> dict[str, bytes]:
    """Read the line that ends a log; returns the keys by `key_name`.

    Raises:
        InvalidLog: it is not the line that belongs to this log.
    """
    try:
        found = msgspec.json.decode(line, type=_Names).names
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidLog("the line of names is malformed") from None
    expected = _expected(seals, tournament)
    if not expected:
        raise InvalidLog("no name in this log is sealed: no line of names belongs to it")
    for of in expected:
        if of not in found:
            raise InvalidLog(f"the line of names has no key for {of}")
    for of in found:
        if of in tournament.forgotten:
            raise InvalidLog(f"the line of names has a key for {of}, who was forgotten")
        if of not in seals.digests:
            raise InvalidLog(f"the line of names has a key for {of[:8]!r}, who has no sealed name")
    if list(found) != expected or msgspec.json.encode(_Names(found)) != line:
        raise InvalidLog("the line of names is not in canonical form")
    return {f"{NAME}{of}": _key(of, text, seals) for of, text in found.items()}


def name_persons(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> None:
    """Give the tournament the names that the keys open.

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


def _expected(seals: Seals, tournament: Tournament) -> list[str]:
    return [of for of in seals.digests if of not in tournament.forgotten]


def _key(of: str, text: str, seals: Seals) -> bytes:
    try:
        key = unbase64(text, what=f"the key of {of}")
    except Invalid as error:
        raise InvalidLog(str(error)) from None
    if len(key) != KEY_BYTES or digest_of(key) != seals.digests[of]:
        raise InvalidLog(f"the key of {of} is not the one that sealed their name")
    return key

"""The log's own keys: those in use, and those that another history of the log renewed.

Each renewed key is signed for with one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from ledger.proof.formats import (
    ED25519,
    HASH_BYTES,
    SIGNATURE_BYTES,
    Invalid,
    Key,
    checked_public,
    is_signed,
    unbase64,
)
from ledger.proof.signatures import origin_of, signed_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.books.book import Book


def log_keys(book: Book, *, revoked: bool = False) -> list[Key]:
    """Return the log's own keys that are in use; with `revoked` those of before, too."""
    held = (each for each in book.tournament.keys.values() if not each.holder)
    origin = origin_of(book.stream)
    return [Key(origin, ED25519, each.public) for each in held if revoked or not each.until]


LINE_MAX, ROOT_MAX = 4_000, 44
RENEWALS_MAX = 20
_SIG = ',"sig":"'


class Renewal(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that registers a key of the log, and the root of the lines before it."""

    line: Annotated[str, Meta(max_length=LINE_MAX)]
    root: Annotated[str, Meta(max_length=ROOT_MAX)]


Renewals = Annotated[tuple[Renewal, ...], Meta(max_length=RENEWALS_MAX)]


class _Registered(Struct, frozen=True):
    public: str
    holder: int = 0
    algorithm: str = "ed25519"


class _Line(Struct, frozen=True):
    seq: Annotated[int, Meta(ge=1, lt=1 << 53)]
    type: str
    data: _Registered
    sig: str


def keys_signed_for(
    known: Sequence[Key], tournament: str, renewals: Sequence[Renewal]
) -> list[Key]:
    """Return these keys, and those that one of them signed for, and so on in their order."""
    keys = list(known)
    for each in renewals:
        key = _signed_for(keys, tournament, each)
        if key is not None and key not in keys:
            keys.append(key)
    return keys


def _signed_for(keys: Sequence[Key], tournament: str, renewal: Renewal) -> Key | None:
    """Return the key that a line registers for the log, if one of these signed it."""
    unsigned = renewal.line.rpartition(_SIG)[0] + "}"
    try:
        line = msgspec.json.decode(renewal.line, type=_Line)
        signature = unbase64(line.sig, SIGNATURE_BYTES)
        root = unbase64(renewal.root, HASH_BYTES)
        public = checked_public(unbase64(line.data.public))
        body = signed_body(tournament, line.seq - 1, root, unsigned.encode())
    except (msgspec.DecodeError, Invalid, UnicodeError, RecursionError):
        return None
    registered = line.type, line.data.holder, line.data.algorithm
    is_the_logs = registered == ("KeyRegistered", 0, "ed25519")
    if not (is_the_logs and renewal.line.endswith(f'{_SIG}{line.sig}"}}')):
        return None
    if not any(is_signed(each.public, signature, body) for each in keys):
        return None
    return Key(origin_of(tournament), ED25519, public)

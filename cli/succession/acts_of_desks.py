"""Check the line of a take-over that a phone carries to the desk that was replaced.

The former desk cannot know that another desk took over until a phone brings this line. The former
desk checks the line against the keys in its log. A further key of the log must have signed the
line, and the log's own key must have signed the registration of that further key on this desk,
before the take-over. Then the former desk accepts no more acts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from cli.machine.keyring import LOG, key_path, make_keys_folder, taken_over_path
from ledger.errors import InvalidLog
from ledger.files.access import write_whole
from ledger.files.kinds import HEAD
from ledger.problems import marked, problem
from ledger.proof.formats import HASH_BYTES, SIGNATURE_BYTES, Invalid, is_signed, unbase64
from ledger.proof.signatures import TAKEN_OVER, is_follower, signed_body

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.problems import Problem
    from ledger.proof.signatures import Held

LINE_MAX, ROOT_MAX = 4_000, 44
_SIG = ',"sig":"'


class TakeOverLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The line of a take-over, and the root of the lines before it, which is signed with it."""

    line: Annotated[str, Meta(max_length=LINE_MAX)]
    root: Annotated[str, Meta(max_length=ROOT_MAX)]


class _Data(Struct, frozen=True):
    size: int
    root: str
    public: str


class _Line(Struct, frozen=True):
    seq: Annotated[int, Meta(ge=2, lt=1 << 53)]
    type: str
    data: _Data
    sig: str


def take_overs(book: Book) -> list[int]:
    """Return the events by which a desk took over in this log, in their order."""
    ends = {key.until for key in book.tournament.keys.values() if not key.holder and key.until}
    mark = b'"type":"%s"' % TAKEN_OVER.encode()
    return sorted(end for end in ends if mark in book.lines[end - 1])


def last_take_over(book: Book) -> int:
    """Return the last event by which a desk took over in this log; 0 if none did."""
    return max(take_overs(book), default=0)


def who_took_over(book: Book, act: TakeOverLine, *, is_past: bool = False) -> Held:
    """Return the key that signed a take-over from this desk's own key, registered here before.

    If the act is in the past of this log, its key may have been revoked after it.

    Raises:
        InvalidLog: the line is not a take-over of this log from this desk, or no such key signed
            the line.
    """
    unsigned = act.line.rpartition(_SIG)[0] + "}"
    try:
        line = msgspec.json.decode(act.line, type=_Line)
        signature, root = unbase64(line.sig, SIGNATURE_BYTES), unbase64(act.root, HASH_BYTES)
        former = unbase64(line.data.public, HASH_BYTES)
        body = signed_body(book.stream, line.seq - 1, root, unsigned.encode())
    except (msgspec.DecodeError, Invalid, UnicodeError, RecursionError):
        raise InvalidLog(_no_take_over()) from None
    is_whole = act.line.endswith(f'{_SIG}{line.sig}"}}') and line.type == TAKEN_OVER
    is_placed = (line.data.size, line.data.root) == (line.seq - 1, root.hex())
    if not (is_whole and is_placed):
        raise InvalidLog(_no_take_over())
    keys = book.tournament.keys
    former_key = keys.get(former)
    if former_key is None or former_key.holder:
        text = marked("this take-over is not from a desk of this log")
        raise InvalidLog(problem("takeover.elsewhere", text))
    if len(book.lines) >= line.data.size and book.tree_at(line.data.size).root() != root:
        text = marked("this take-over continues other lines than those of this log")
        raise InvalidLog(problem("takeover.other_lines", text))
    for key in keys.values():
        is_used = not key.until or (is_past and key.until > line.seq)
        is_known = key.since < line.seq and is_used and is_follower(keys, key)
        if is_known and key.public != former and is_signed(key.public, signature, body):
            return key
    text = marked("no key that was registered in this log before signed this take-over")
    raise InvalidLog(problem("takeover.unsigned", text))


def _no_take_over() -> Problem:
    return problem("takeover.malformed", "this is not the line of a take-over")


def keep_taken_over(book: Book, act: TakeOverLine) -> bool:
    """Stop this desk if another one took over from it; return whether this act did that now.

    Raises:
        InvalidLog: the act does not pass the checks of `who_took_over`, or it revokes a key that
            was revoked here before.
        Refused: the file of the take-over cannot be written.
    """
    path, line = taken_over_path(book.stream), act.line.encode()
    is_here = any(book.lines[event - 1] == line for event in take_overs(book))
    if path.exists() or is_here or not key_path(LOG, book.stream).exists():
        return False  # already kept, or in this log, or this desk does not sign
    who_took_over(book, act)
    former = unbase64(msgspec.json.decode(act.line, type=_Line).data.public)
    if book.tournament.keys[former].until:
        text = marked("this take-over is from a desk that another one has already replaced")
        raise InvalidLog(problem("takeover.already", text))
    make_keys_folder()
    write_whole(path, [msgspec.json.encode(act) + b"\n"], HEAD)
    return True

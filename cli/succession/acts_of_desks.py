"""The line by which a desk took over, as phones carry it: what is checked of it, and by whom.

Of two desks the former cannot know that another one went on, until somebody brings it that line.
It holds the line to the keys of its own log: another key of the log has to have signed it, one for
whose registration the log's own key signed here, before. Then it takes no more acts.
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


def last_take_over(book: Book) -> int:
    """Return the last event by which a desk took over in this log; 0 if none did."""
    ends = {each.until for each in book.tournament.keys.values() if not each.holder and each.until}
    mark = b'"type":"%s"' % TAKEN_OVER.encode()
    return max((end for end in ends if mark in book.lines[end - 1]), default=0)


def who_took_over(book: Book, act: TakeOverLine, *, is_past: bool = False) -> Held:
    """Return the key that signed a take-over from this desk's own key, registered here before.

    Where the act is in the past of this log, its key may have been revoked behind it.

    Raises:
        InvalidLog: the line is no take-over of this log from this desk, or no such key signed it.
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
    held = keys.get(former)
    if held is None or held.holder:
        text = marked("this take-over is not from a desk of this log")
        raise InvalidLog(problem("takeover.elsewhere", text))
    if len(book.lines) >= line.data.size and book.tree_at(line.data.size).root() != root:
        text = marked("this take-over continues other lines than those of this log")
        raise InvalidLog(problem("takeover.other_lines", text))
    for other in keys.values():
        is_used = not other.until or (is_past and other.until > line.seq)
        is_known = other.since < line.seq and is_used and is_follower(keys, other)
        if is_known and other.public != former and is_signed(other.public, signature, body):
            return other
    text = marked("no key that was registered in this log before signed this take-over")
    raise InvalidLog(problem("takeover.unsigned", text))


def _no_take_over() -> Problem:
    return problem("takeover.malformed", "this is not the line of a take-over")


def keep_taken_over(book: Book, act: TakeOverLine) -> bool:
    """Stop this desk if another one took over from it; return whether this act did that now.

    Raises:
        InvalidLog: as `who_took_over`.
        Refused: it cannot be written.
    """
    path = taken_over_path(book.stream)
    if path.exists() or last_take_over(book) or not key_path(LOG, book.stream).exists():
        return False  # it is known, or is this log's own past
    who_took_over(book, act)
    make_keys_folder()
    write_whole(path, [msgspec.json.encode(act) + b"\n"], HEAD)
    return True

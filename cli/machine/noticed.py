"""What phones noticed without alarm: a head whose log this server cannot sign for, or other logs.

    forks/<tournament>.noticed    JSON: an entry for each kind and log, 17 of other logs at most

A phone sends the head that it keeps. One of this log counts only with the signature of the log's
key; what the lines here are to it is computed here. Of another log nothing can be checked: only
its number and its size are kept, no text. So no caller can fill the disk, or write on the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct, structs

from cli import outside
from cli.languages.speaking import tr
from cli.machine.caveats import FOLDER, write_kept
from cli.machine.checkpoint_file import head_in
from cli.machine.keyring import folder, proving
from cli.machine.renewals import keys_signed_for, log_keys
from cli.terminal.visible import how_many, short_id
from ledger.errors import InvalidLog
from ledger.files.access import first_bytes
from ledger.problems import phrase
from ledger.proof.signatures import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from cli.machine.renewals import Renewal
    from ledger.books.book import Book
    from ledger.proof.formats import Checkpoint

KEPT_MAX = 23
OTHERS_MAX = 17
"""Maximum entries of other logs, which any stranger can make up; the rest is for this log."""

BYTES_MAX = 1 << 16
AGAIN_MINUTES = 10
"""How long the time of an entry is left as it is: a room of phones is written once."""

_ORIGIN = re.compile(r"tourney/([0-9a-f]{32})")
_MINUTE = len("2026-03-14T12:00")

Kind = Literal["same", "fewer", "other", "another log"]


class Noticed(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry: the log whose head a phone keeps, and what the lines here are to it.

    `same`: they go on from it. `fewer`: there are fewer. `other`: they are other lines.
    """

    kind: Kind
    origin: str
    size: int
    """How many events the head of the phone covers."""
    here: int
    """How many events there were here."""
    since: str
    last: str


def keep_notice(
    book: Book,
    note: bytes,
    renewed: Sequence[Renewal] = (),
    *,
    others_only: bool = False,
    beside: Iterable[str] = (),
) -> bool:
    """Keep a phone's head as an entry; return whether there is one of its kind and log now.

    With `others_only` the head of this log is nothing to notice, since this server signs for it.
    The heads of the tournaments that are served `beside` it are nothing to notice, either.

    Raises:
        InvalidLog: this is not a head, or the log's key did not sign it.
        Refused: the file cannot be written.
    """
    head = head_in(note)
    kind: Kind = "another log"
    if head.origin in {origin_of(each) for each in beside if each != book.stream}:
        return False
    if not _ORIGIN.fullmatch(head.origin):
        raise InvalidLog(phrase("this is not the head of a tournament's log"))
    if head.origin == origin_of(book.stream):
        if others_only:
            return False
        _refuse_forged(book, note, renewed)
        kind = _kind_of(book, head)
    entries, now = _read(_path(book.stream)), outside.now()
    made = Noticed(kind, head.origin, head.size, len(book.lines), now, now)
    place = next((i for i, each in enumerate(entries) if _is_same(each, made)), len(entries))
    if place < len(entries):
        before = entries[place]
        size = before.size if kind == "another log" else max(before.size, head.size)
        if size == before.size and not _is_old(before.last, now):
            return True
        entries[place] = structs.replace(made, size=size, since=before.since)
    elif kind != "another log" or _others(entries) < OTHERS_MAX:
        entries.append(made)
    else:
        return False
    data = msgspec.json.format(msgspec.json.encode(entries), indent=1) + b"\n"
    write_kept(_path(book.stream), data)
    return True


def noticed(stream: str) -> list[str]:
    """Return a calm line for each entry of a log."""
    return [text for each in _read(_path(stream)) for text in _in_words(each)]


def _others(entries: Sequence[Noticed]) -> int:
    return sum(entry.kind == "another log" for entry in entries)


def _in_words(entry: Noticed) -> Iterator[str]:
    covered, here = how_many(entry.size, "event"), how_many(entry.here, "event")
    times = tr("from {first} to {last}", first=_time(entry.since), last=_time(entry.last))
    if entry.kind == "another log":
        log = short_id(entry.origin.removeprefix("tourney/"))
        yield tr(
            "a phone keeps a head of another tournament, {log}, with {covered} ({times})",
            log=log,
            covered=covered,
            times=times,
        )
        return
    about = {"covered": covered, "here": here, "times": times}
    if entry.kind == "same":
        yield tr(
            "a phone keeps a signed head of {covered}, and this server cannot sign: the events "
            "here continue it ({times})",
            **about,
        )
    elif entry.kind == "fewer":
        yield tr(
            "a phone keeps a signed head of {covered}, and this server cannot sign: this server "
            "has only {here}: a backup may be older than what phones saw ({times})",
            **about,
        )
    else:
        yield tr(
            "a phone keeps a signed head of {covered}, and this server cannot sign: the {here} "
            "here do not continue it ({times})",
            **about,
        )


def _time(at: str) -> str:
    return at[:_MINUTE].replace("T", " ")


def _kind_of(book: Book, head: Checkpoint) -> Kind:
    """Return what the lines here are to a head."""
    from ledger.proof.formats import Tree

    if head.size > len(book.lines):
        return "fewer"
    is_same = Tree().add_lines(book.lines[: head.size]).root() == head.root
    return "same" if is_same else "other"


def _refuse_forged(book: Book, note: bytes, renewed: Sequence[Renewal]) -> None:
    from ledger.proof.formats import open_note, parse_note

    with proving():
        keys = keys_signed_for(log_keys(book, revoked=True), book.stream, renewed)
        open_note(parse_note(note), keys)


def _is_same(one: Noticed, other: Noticed) -> bool:
    return (one.kind, one.origin) == (other.kind, other.origin)


def _is_old(last: str, now: str) -> bool:
    """Return whether the time of an entry is to be written again."""
    from datetime import datetime, timedelta

    try:
        return datetime.fromisoformat(now) - datetime.fromisoformat(last) > timedelta(
            minutes=AGAIN_MINUTES
        )
    except (ValueError, TypeError):
        return True


def _path(stream: str) -> Path:
    return folder() / FOLDER / f"{stream}.noticed"


def _read(path: Path) -> list[Noticed]:
    """Read the entries; none from a file that is absent or damaged, which the next one replaces."""
    try:
        return msgspec.json.decode(first_bytes(path, BYTES_MAX), type=list[Noticed])[:KEPT_MAX]
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []

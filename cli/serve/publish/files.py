"""Which files are published: pages, and as much of the record as the event's choice of names lets.

The log has no names in it that anybody can read: they are sealed, and the keys of all of them come
with it only where pages show them whole. A log with open names is published only then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.machine.keyring import key_is_away
from cli.machine.posted_words import posted_words
from cli.serve.publish.head_page import head_page, scripts
from cli.serve.publish.pages import pages
from cli.wording.page_words import public_view
from ledger.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from htpy import Node

    from cli.desk.session import Desk
    from cli.machine.checkpoint_file import StoredCheckpoint
    from ledger.books.book import Book

LOG = "log.jsonl"


class Site(NamedTuple):
    """Every file by its name, and what is said of it at the desk."""

    files: dict[str, bytes]
    said: list[str]


def site(desk: Desk) -> Site:
    """Make every file of what everybody may see now; NotFound where keys of names are away."""
    from cli.machine.trust import head_of_all

    book, said = desk.book, list[str]()
    tournament = public_view(book.tournament)
    head = head_of_all(desk)
    files: dict[str, bytes] = {}
    if not (tournament.is_sealed or tournament.public_names == "full"):
        text = "the log is not among them: names stand in its lines, and `names` does not say full"
        said.append(text)
    else:
        files |= _record(book, head, names=tournament.public_names == "full")
        said += [] if head else [f"no signed head is among them: {key_is_away()}"]
    at = book.recorded_at(tournament.seq).at
    checked = [head_page(head.note, book)] if head and LOG in files else []
    files |= scripts() if checked else {}
    files |= pages(tournament, at, _record_in_words(files), checked, posted_words(book))
    return Site(files, said)


def _record(book: Book, head: StoredCheckpoint | None, *, names: bool) -> dict[str, bytes]:
    from ledger.exchange import export
    from ledger.proof.evidence import Prover, tiles
    from ledger.proof.heads import CHECKPOINT, HASHES

    try:
        found = {LOG: b"".join(export(book, names=names and book.tournament.is_sealed))}
    except NotFound as error:
        raise NotFound(f"{error}: pages that everybody reads can show `names short`") from None
    if head is None:
        return found
    prover, note = Prover(book.lines), head.note.encode()
    found[LOG + CHECKPOINT] = note
    found[LOG + HASHES] = b"".join(prover.levels[0])
    return found | dict(tiles(prover, book.lines, note))


def _record_in_words(files: dict[str, bytes]) -> Node:
    """Say on the first page what lies beside it, and how it is checked."""
    if LOG not in files:
        return None
    return [htpy.h2["The record"], htpy.ul(class_="files")[_of_record(files)]]


def _of_record(files: dict[str, bytes]) -> Iterator[Node]:
    yield htpy.li[htpy.a(href=LOG)[LOG], ": every act of the day, as it was entered."]
    if f"{LOG}.checkpoint" not in files:
        return
    yield htpy.li[
        htpy.a(href=f"{LOG}.checkpoint")[f"{LOG}.checkpoint"],
        " and ",
        htpy.a(href=f"{LOG}.hashes")[f"{LOG}.hashes"],
        ": its signed head, and a hash of every line. With these three in one folder ",
        htpy.code[f"tourney verify {LOG} --policy policy"],
        " checks them; the policy is what the organizer handed out before play.",
    ]
    yield htpy.li[
        htpy.a(href="checkpoint")["checkpoint"],
        " and tile/: the same for a reader of C2SP's tlog-tiles.",
    ]

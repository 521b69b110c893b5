"""Files that were read, taken into the store; which doubts of a sheet are let pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli.languages.speaking import tr
from cli.machine.caveats import keep_head, note_of
from cli.terminal.problems import reason_of
from cli.terminal.visible import how_many
from cli.wording.import_words import head_in_words
from ledger.errors import Refused
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.exchange import Imported, ParsedFile
    from ledger.exchange.importing import KnownImports


def doubts_allowed(named: Sequence[str], *, new_names: bool) -> frozenset[str]:
    """Return the doubts that are let pass."""
    from ledger.exchange import NEW_NAMES

    return frozenset([*map(_doubt, named), *([NEW_NAMES] if new_names else [])])


def _doubt(typed: str) -> str:
    from cli.input.arguments import choice
    from ledger.exchange import DOUBTS

    return choice(typed, tuple(DOUBTS), "kind")


def take_read(
    desk: Desk, parsed: ParsedFile, *, as_new: bool = False, imports: KnownImports | None = None
) -> Imported:
    """Take a file that was read into the store, and note what this machine knows of it now.

    Raises:
        Refused: the store has another history of the tournament, or another file of the event.
        InvalidLog: the lines are not those that were signed or seen here.
    """
    from cli.machine.last_heads import StoresSeen

    imported = _take(desk, parsed, as_new=as_new, imports=imports)
    store = desk.store()
    if parsed.log is not None and parsed.log.note:
        keep_head(store, parsed.log.stream, parsed.log.note)
    if imported.added:
        landed.note_place(store.where)
    if imported.added == imported.events:  # an earlier store of this name may have been removed
        StoresSeen(imported.tournament).begin(store.where, [line for _, line in parsed.entries])
    return imported


def _take(
    desk: Desk, parsed: ParsedFile, *, as_new: bool, imports: KnownImports | None
) -> Imported:
    """Import a file into the store; if two histories meet, name the signed one."""
    from ledger.exchange import take

    if not as_new:  # before a store is made that this desk could not open
        hold_to_known(parsed)
    with naming_the_signed(parsed):
        store = desk.store(create=True)
        return take(store, parsed, as_new=as_new, note_of=note_of, imports=imports)


def hold_to_known(parsed: ParsedFile) -> None:
    """Compare the lines of a log with those that were signed or seen here, or raise NotAsSigned."""
    from cli.machine.last_heads import known

    if parsed.log is not None:
        known(parsed.log.stream).hold([line for _, line in parsed.entries])


@contextmanager
def naming_the_signed(parsed: ParsedFile) -> Iterator[None]:
    """Make a refusal of two histories name the signed one."""
    from cli.machine.checkpoint_file import CheckpointFile
    from ledger.exchange import DifferentLines

    try:
        yield
    except DifferentLines as error:
        head, log = CheckpointFile(error.stream).read(), parsed.log
        of_file = head_in_words(log.vouched, len(log.entries)) if log is not None else ""
        of_store = tr("no head was signed here")
        if head is not None:
            of_store = tr(
                "the head of {counted} was signed here", counted=how_many(head.size, "event")
            )
        raise Refused(
            phrase(
                "{error}. File: {of_file}. Store: {of_store}. To continue with the log of the "
                "file, import it into another store (--store)",
                error=reason_of(error),
                of_file=of_file,
                of_store=of_store,
            )
        ) from None

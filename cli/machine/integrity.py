"""Checks of lines and secrets before they are saved, taken back, or covered by a signed head.

The desk reads its own store quickly: a line that was admitted once is applied again. A bit that was
flipped since, in a member from which nothing is computed, would be signed over, and every reader
would refuse the log from then on. So `StrictReader` reads lines as a verifier reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.languages.speaking import marked, tr, tr_many
from cli.machine.checkpoint_file import NotAsSigned
from cli.machine.last_heads import known
from cli.terminal.output import say
from cli.terminal.problems import reason_of
from cli.terminal.visible import how_many, short_id
from ledger.books.open_log import taken
from ledger.books.vault import Vault, examined, fitting, in_words
from ledger.errors import (
    InvalidLog,
    LedgerError,
    NotFound,
    OtherWire,
    Refused,
    StoreUnavailable,
)
from ledger.exchange.log_files import admit_line
from ledger.files.access import one_line
from ledger.fold import fold_lines
from ledger.lines.line import decode
from ledger.lines.sealing import Seals
from ledger.problems import phrase
from ledger.proof.formats import Tree
from ledger.store.backup import Backup, OtherRelease, StillSealed
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.books.book import Book
    from ledger.store import Store
    from ledger.tournament.state import Tournament


class StrictReader:
    """The lines of one log, each read once as from outside, from the end of its signed head on."""

    def __init__(self, where: str, stream: str) -> None:
        self._where = where
        self._seals = Seals(stream)
        self._tournament: Tournament | None = None
        self._tree = Tree()
        self._last: Sequence[bytes] = []

    def read(self, lines: Sequence[bytes], after: int) -> None:
        """Hold the lines past `after` to all that a line is held to; or StoreUnavailable."""
        read = self._tournament
        if read is not None and lines[read.seq - 1 : read.seq] != self._last:
            read = self._tournament = None  # an act that did not land stood there
        if len(lines) <= max(after, read.seq if read else 0):
            return
        if read is None or read.seq < after:
            read = self._tournament = fold_lines(lines[:after], self._seals.open)
            self._tree = Tree().add_lines(lines[:after])
        for seq, line in enumerate(lines[read.seq :], start=read.seq + 1):
            try:
                admit_line(read, line, self._tree, ranking, self._seals)
            except LedgerError as error:
                self._tournament = None
                raise StoreUnavailable(
                    phrase(
                        "the store at {where} is damaged: in tournament {tournament} event {seq} "
                        "would fail verification ({reason}), so nothing was signed or saved; "
                        "restore the newest backup into a new store",
                        where=self._where,
                        tournament=short_id(self._seals.tournament),
                        seq=seq,
                        reason=one_line(reason_of(error)),
                    )
                ) from None
        self._last = lines[read.seq - 1 : read.seq]


def hold_stored(store: Store, stream: str, *, incomplete: bool) -> bool:
    """Refuse to save what cannot be gone on with, or is not what was signed.

    Of secrets it is only said where it may be `incomplete`; returns whether all of them fit.
    """
    heads = known(stream)
    lines = store.lines(stream)
    try:
        tournament = taken(lines)
    except OtherWire as error:
        raise OtherWire(
            phrase(
                "tournament {tournament} of {where}: {error}",
                tournament=short_id(stream),
                where=store.where,
                error=reason_of(error),
            )
        ) from None
    except InvalidLog as error:
        raise StoreUnavailable(
            phrase(
                "the store at {where} is damaged: in tournament {tournament} {error}; no backup "
                "was made, so that the last good one stays: restore that into a new store",
                where=store.where,
                tournament=short_id(stream),
                error=reason_of(error),
            )
        ) from None
    heads.hold(lines, store.where)
    refuse_other_types(store, stream)
    StrictReader(store.where, stream).read(lines, 0)
    refuse_other_tree(store, stream)
    problem = secrets_problem(store, stream, lines, tournament)
    if problem and not incomplete:
        raise Refused(
            phrase(
                "{problem}; no backup was made, so that the last good one stays: `restore` that "
                "one, or save what there is with --incomplete, under another name",
                problem=problem,
            )
        )
    if problem:
        say(problem)
    return not problem


def refuse_other_types(store: Store, stream: str) -> None:
    """Refuse a store whose index of types would hide lines; InvalidLog names the first."""
    for seq, (listed, line) in enumerate(store.entries(stream), start=1):
        if (kind := decode(line).type) != listed:
            raise InvalidLog(
                phrase(
                    "{where}: line {seq}, {kind}, is listed as {listed}",
                    where=store.where,
                    seq=seq,
                    kind=kind,
                    listed=repr(listed),
                )
            )


def refuse_other_tree(store: Store, stream: str) -> None:
    """Refuse, as StoreUnavailable, a store whose tree is not that of its lines."""
    stored = store.tree(stream)  # first: another process may add lines in between
    tree = Tree().add_lines(store.lines(stream)[: stored.size])
    if tree.frontier != stored.frontier:
        raise StoreUnavailable(
            phrase(
                "the store at {where} is damaged: the lines of tournament {tournament} are not "
                "those that were written; restore the newest backup into a new store",
                where=store.where,
                tournament=short_id(stream),
            )
        )


def secrets_problem(
    store: Store, stream: str, lines: Sequence[bytes], tournament: Tournament
) -> str:
    """Name the secrets of a tournament that are damaged or not there; empty where all fit."""
    found = examined(lines, store.vault_items(stream), tournament)
    problems = [each for each in (damaged_in_words(found), missing_in_words(found)) if each]
    where = tr(
        "{where}, tournament {tournament}",
        where=store.vault_where,
        tournament=short_id(stream),
    )
    return f"{where}: {'; '.join(problems)}" if problems else ""


def damaged_in_words(found: Vault) -> str:
    """Name the secrets that are damaged."""
    return _named(found, found.damaged, marked("{counted} damaged: {secrets}"))


def missing_in_words(found: Vault) -> str:
    """Name the secrets that are not there."""
    return _named(found, found.missing, marked("{counted} not there: {secrets}"))


def _named(found: Vault, secrets: Mapping[str, int], text: str) -> str:
    if not secrets:
        return ""
    return tr(text, counted=_are_of(found, secrets), secrets=in_words(secrets))


def _are_of(found: Vault, secrets: Mapping[str, int]) -> str:
    count = len(found.fits) + len(found.damaged) + len(found.missing)
    return tr_many(
        "{count} of {all} is", "{count} of {all} are", len(secrets), all=how_many(count, "secret")
    )


def vault_of(book: Book) -> Vault:
    """Hold the secrets of the log in hand to its lines."""
    return examined(book.lines, book.store.vault_items(book.stream), book.tournament)


def hold_replaced(file: Backup, store: Store, streams: Sequence[str] | None) -> None:
    """Refuse to write over a backup that has more than the store, or may have."""
    try:
        for saved in file.tournaments():
            if more := _more(store, streams, saved.stream, saved.lines, saved.secrets):
                raise Refused(
                    phrase(
                        "{path} is a backup that has {more}: name another file",
                        path=str(file.path),
                        more=more,
                    )
                )
    except (StillSealed, OtherRelease) as error:
        raise Refused(
            phrase(
                "{error}; it may contain more than this store, so it was not overwritten: name "
                "another file",
                error=reason_of(error),
            )
        ) from None
    except (InvalidLog, NotFound):
        return  # nothing is there that could be restored


def _more(
    store: Store,
    streams: Sequence[str] | None,
    stream: str,
    saved: Sequence[bytes],
    secrets: Mapping[str, bytes],
) -> str:
    """Say what a saved tournament has that the next backup would not have."""
    named = tr("tournament {tournament}", tournament=short_id(stream))
    if stream not in (store.streams() if streams is None else streams):
        return tr("{tournament}, which this one would not have", tournament=named)
    lines = store.lines(stream)
    if len(saved) > len(lines):
        return tr(
            "{count} events of {tournament}, and the store {lines}",
            count=len(saved),
            tournament=named,
            lines=len(lines),
        )
    if lines[: len(saved)] != list(saved):
        return tr("other events of {tournament} than the store", tournament=named)
    lost = fitting(lines, secrets) - fitting(lines, store.vault_items(stream))
    if not lost:
        return ""
    return tr(
        "{secrets} of {tournament} that the store lost",
        secrets=how_many(len(lost), "secret"),
        tournament=named,
    )


def departures(store: Store, streams: Iterable[str]) -> Iterator[str]:
    """Say of which tournaments the lines are not those that its signed head covers."""
    for stream in streams:
        try:
            known(stream).hold(store.lines(stream), store.where)
        except NotAsSigned as error:
            yield str(error)


def lacking(store: Store, streams: Iterable[str]) -> Iterator[str]:
    """Say which secrets of tournaments are damaged or not there."""
    for stream in streams:
        lines = store.lines(stream)
        if problem := secrets_problem(store, stream, lines, taken(lines)):
            yield problem

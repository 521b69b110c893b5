"""Logs into a season: checked, compared with what it has, and taken in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from projections.season.loading.checking import check_all
from projections.season.loading.filling import load
from projections.season.loading.intake import (
    DEFAULT_TERMS,
    Intake,
    KnownLog,
    LoadTerms,
    LogOutcome,
)
from projections.season.loading.known_checks import checked_in
from projections.season.loading.scratch import room_beside
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.loading.sources import Source
from projections.season.loading.spooling import batches_of
from projections.season.tables.season_head import claimed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Progress = Callable[[str, int, int], None]
"""Called with what is done, how many logs are through it, and how many there are."""

CHECKED, LOADED = "checked", "loaded"


def add(
    connection: DuckDBPyConnection,
    sources: Sequence[Source],
    folder: Path,
    progress: Progress,
    terms: LoadTerms = DEFAULT_TERMS,
    *,
    kept_in: str = "",
) -> list[LogOutcome]:
    """Take logs into the season: all of them, or with a wrong one among them none.

    The same log again changes nothing, but that a head may come with it; a longer one replaces what
    was derived from it, and what this release checked of it before is not checked again. `folder`
    has room for a copy of the logs. `kept_in` stands before the names of the tables that say what
    the season has already.

    Raises:
        LedgerError: what is wrong with a log; nothing has changed.
    """
    with room_beside(folder) as scratch:
        intake = intake_of(connection, kept_in, terms)
        sizes = {} if terms.signed_wins else intake.sizes  # a shorter one may win
        stated = checked_in(connection, kept_in) if terms.believes_season else {}
        before = terms.before.beside(stated)
        with closing(check_all(sources, sizes, scratch, terms.trust, before)) as all_checked:
            for source, checked in zip(sources, all_checked, strict=True):
                intake.take_or_skip(source, checked)
                progress(CHECKED, len(intake.taken), len(sources))
        total = len(intake.logs)
        load(
            connection,
            batches_of(intake.logs.values(), scratch),
            intake.replaced,
            lambda done: progress(LOADED, done, total),
            intake.newly_signed,
            terms.sign_with,
        )
    return intake.taken


def intake_of(connection: DuckDBPyConnection, kept_in: str, terms: LoadTerms) -> Intake:
    """Begin an intake with what the season's tables have."""
    columns = "tournament, size, root, signed_size, coalesce(signed_by, ''), by_policy"
    tournaments = connection.table(f"{kept_in}tournaments").select(columns).fetchall()
    covered = claimed(connection).keys() if terms.sign_with is not None and not kept_in else None
    reasons = dict(connection.table(f"{kept_in}unsigned_logs").fetchall())
    known = {
        tournament: KnownLog(
            size,
            root,
            SignedPrefix(events, by, by_policy, reasons.get(tournament, "")),
            is_derived_again=covered is not None and tournament not in covered,
        )
        for tournament, size, root, events, by, by_policy in tournaments
    }
    leaves = connection.table(f"{kept_in}leaves")

    def leaves_of(stream: str) -> bytes | None:
        pieces = leaves.filter(f"tournament = '{stream}'").order("piece").select("hashes")
        return b"".join(hashes for (hashes,) in pieces.fetchall()) or None

    return Intake(known, leaves_of, terms)

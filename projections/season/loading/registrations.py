"""Read the entrants of logs for a league's vault: their names and public ids.

Only the lines about entrants are decoded, so reading takes little time compared with a load. A log
was checked before it is read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ledger.books.open_log import take_all
from ledger.errors import LedgerError
from ledger.exchange.log_files import name_persons, read_names
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PersonForgotten, PlayerAmended, PlayerRegistered
from ledger.facts.shared import PersonRecorded, TournamentOpened
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import names_of
from ledger.fold import evolve_all
from ledger.lines.line import decoded
from ledger.lines.sealing import Seals
from ledger.tournament.state import Tournament
from projections.season.loading.sources import FileLog, Source
from projections.season.vault.public_ids import LogEntry, entries_of

if TYPE_CHECKING:
    from projections.season.league import LogRead
    from projections.season.loading.intake import LogOutcome

_ABOUT_ENTRANTS = (
    *(TournamentOpened, PlayerRegistered, PlayerAmended, PersonRecorded, PersonForgotten),
    *(ActWithdrawn, OfficialAppointed),
)
_TYPE = re.compile(
    b'"type":"(?:%s)"'
    % b"|".join(name.encode() for kind in _ABOUT_ENTRANTS for name in sorted(names_of(kind)))
)

READ = frozenset({"new", "grown", "known", "signed"})
"""The fates of a log whose entrants are those of the season."""


def registrations(source: Source, size: int) -> list[LogEntry]:
    """Read the entrants of a log, as of its first events.

    Raises:
        LedgerError: the log cannot be read any more.
    """
    lines = source.lines()[:size]
    about = [line for line in lines if _TYPE.search(line)]
    seals = Seals(source.opening(lines).tournament, source.secrets())
    tournament = Tournament()
    try:
        evolve_all(tournament, decoded(about, seals.open))
    except LedgerError:
        raise
    except Exception:  # noqa: BLE001 - it takes more of the log than these lines
        tournament = Tournament()
        take_all(tournament, lines, seals.open)
    if isinstance(source, FileLog) and (last := source.names_line):
        seals.keys = read_names(last, seals, tournament)
        name_persons(
            [line for line in about if b'"type":"PersonRecorded"' in line], seals, tournament
        )
    return entries_of(tournament)


def unread(
    sources: Sequence[Source],
    taken: Sequence[LogOutcome],
    roots: Mapping[str, str],
    read: Mapping[str, LogRead],
) -> Iterator[tuple[Source, LogOutcome]]:
    """Yield the logs of a load that a vault has not read as the season has them, each once."""
    streams: set[str] = set()
    for source, outcome in zip(sources, taken, strict=True):
        stream = outcome.tournament
        if outcome.fate not in READ or stream in streams:
            continue
        log_read = read.get(stream)
        if log_read is None or (log_read.size, log_read.root) != (
            outcome.size,
            roots.get(stream, ""),
        ):
            streams.add(stream)
            yield source, outcome

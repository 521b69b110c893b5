"""The logs that organizers give to be downloaded, without the keys of their names.

A log is compared with the season's row: the same root over all lines. One with names that are
not sealed is withheld, and one that has a pseudonym which the league replaced since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import in_figures, tr
from ledger.errors import InvalidLog
from ledger.problems import phrase
from ledger.proof.formats import leaf_hash
from ledger.proof.heads import CHECKPOINT, HeadWaiver, note_beside
from projections.season.loading.sources import FileLog, opening_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from duckdb import DuckDBPyConnection

LOGS = "logs"
"""The folder of the logs in the site."""

_ROWS = "SELECT tournament, size, root FROM tournaments"
_REPLACED = """
SELECT DISTINCT tournament FROM entrants JOIN people USING (tournament, player)
WHERE league_id <> '' AND person <> league_id
"""
_WAIVER = HeadWaiver("downloaded from the season's pages")


class OfferedLog(NamedTuple):
    """A log to download with its signed head; `withheld` is the reason why it is not offered."""

    tournament: str
    size: int
    lines: bytes = b""
    head: bytes = b""
    withheld: str = ""

    @property
    def file(self) -> str:
        """Name of the log's file."""
        return f"{self.tournament}.jsonl"

    @property
    def command(self) -> str:
        """The command that checks the log and its head."""
        return f"tourney verify {self.file}"

    def links(self) -> Iterator[tuple[str, str]]:
        """Yield the title and the address of each file."""
        yield tr("The log: {events} events", events=in_figures(self.size)), f"{LOGS}/{self.file}"
        if self.head:
            yield tr("Its signed head"), f"{LOGS}/{self.file}{CHECKPOINT}"

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of the site."""
        if not self.withheld:
            yield f"{LOGS}/{self.file}", self.lines
            if self.head:
                yield f"{LOGS}/{self.file}{CHECKPOINT}", self.head


def offered(connection: DuckDBPyConnection, folder: str) -> dict[str, OfferedLog]:
    """Read the logs of a folder that the season has, by tournament.

    Raises:
        NotFound: the folder has no log.
        InvalidLog: a log is not the one that the season was derived from, or does not fit its head.
    """
    rows = {row[0]: row[1:] for row in connection.execute(_ROWS).fetchall()}
    replaced = {row[0] for row in connection.execute(_REPLACED).fetchall()}
    logs: dict[str, OfferedLog] = {}
    for source in sources_of([folder]):
        if isinstance(source, FileLog):
            log = _offered(source, rows, replaced)
            logs |= {log.tournament: log} if log else {}
    return logs


def _offered(
    source: FileLog, rows: Mapping[str, tuple[int, str]], replaced: set[str]
) -> OfferedLog | None:
    lines = source.lines()
    opening = opening_of(source, lines)
    stream = opening.tournament
    if stream not in rows:
        return None
    leaves = b"".join(map(leaf_hash, lines))
    root, _ = source.known_by(stream, lines, leaves, _WAIVER)
    size, expected = rows[stream]
    if (len(lines), root) != (size, expected):
        raise InvalidLog(
            phrase(
                "{where} is not the log that the season has of this tournament: {count} events "
                "with root {root}, not {size} with root {expected}; use `tourney season add` first",
                where=source.where,
                count=len(lines),
                root=root,
                size=size,
                expected=expected,
            )
        )
    if opening.names != "sealed":
        reason = tr("The log is not offered here: its names are not sealed.")
        return OfferedLog(stream, size, withheld=reason)
    if stream in replaced:
        reason = tr("The log is not offered here: the league has replaced a pseudonym that it has.")
        return OfferedLog(stream, size, withheld=reason)
    note = note_beside(source.path) or b""
    content = b"".join(line + b"\n" for line in lines)
    return OfferedLog(stream, size, content, _own_signatures(note))


def _own_signatures(note: bytes) -> bytes:
    """Return a signed head without the signatures of others, whose names are in it."""
    text, between, signatures = note.partition(b"\n\n")
    origin = text.partition(b"\n")[0]
    signed = [
        line for line in signatures.splitlines() if line.startswith("— ".encode() + origin + b" ")
    ]
    return text + between + b"".join(line + b"\n" for line in signed) if signed else b""

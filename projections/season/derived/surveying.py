"""Logs as they come, before anything is derived: hashed, held to their heads, and compared.

Whether a log keeps the rules is found where its chunk is derived, which takes most of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from itertools import count, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import LedgerError
from projections.processes import processes
from projections.season.derived.folder_views import hold_part, leaves_in
from projections.season.derived.manifest import LEAVES, ListedChunk, Manifest
from projections.season.loading.checking import LOGS_AT_ONCE, WORTH_BYTES, CheckedLog
from projections.season.loading.intake import Intake, KnownLog, LoadTerms
from projections.season.loading.known_checks import CheckedBefore
from projections.season.loading.signed_prefix import leaves_of
from projections.season.loading.sources import FileLog, Source, opening_of
from projections.season.loading.spooling import Logged

if TYPE_CHECKING:
    from ledger.proof.heads import Asked


class SurveyedLog(Struct, frozen=True):
    """A log that was hashed: what it is known by, and the year of its date; 0 without a date."""

    year: int
    log: CheckedLog


class Survey:
    """What logs are to a season in a folder, one by one in their order."""

    def __init__(
        self, folder: Path, manifest: Manifest, terms: LoadTerms, *, is_signed: bool = False
    ) -> None:
        self._folder = folder
        self._chunk_of = {log.tournament: chunk for chunk in manifest.chunks for log in chunk.logs}
        known = {
            log.tournament: KnownLog(
                log.size, log.root, log.signed, is_derived_again=is_signed and not log.is_own
            )
            for log in manifest.logs()
        }
        self.intake = Intake(known, self._leaves_of, terms)
        self.years: dict[int, int] = {}
        self._trust = terms.trust
        self._before = terms.before.beside(
            {
                log.tournament: CheckedBefore(log.size, log.root)
                for log in manifest.logs()
                if log.checked_by == VERSION
            }
        )

    def look(
        self,
        sources: Sequence[Source],
        wrong: Mapping[int, LedgerError],
        tell: Callable[[int, int], None],
        most: int,
    ) -> None:
        """Take every log in, or leave it out, by what it is to the season.

        Of those in `wrong`, by number from 1, it is known already that they break a rule.
        """
        with closing(_surveyed(sources, self._trust, most)) as surveyed:
            for number, (source, found) in enumerate(zip(sources, surveyed, strict=True), start=1):
                self.years[number] = found.year
                log = replace(found.log, problem=wrong.get(number, found.log.problem))
                self.intake.take_or_skip(source, self._with_known(source, log))
                tell(number, len(sources))

    def _with_known(self, source: Source, log: CheckedLog) -> CheckedLog:
        """Say how much of a log that the season has not wholly counts as checked before."""
        if log.logged is None or not source.holds_to_rules:
            return log
        known = held = 0
        if log.size > self.intake.sizes.get(log.stream, 0):
            held = self._before.events_checked(log.stream, log.leaves, log.root)
            known = max(held, self._before.events_accepted(log.signed))
        return replace(log, logged=replace(log.logged, is_checked=known == held), known=known)

    def _leaves_of(self, tournament: str) -> bytes | None:
        chunk: ListedChunk = self._chunk_of[tournament]
        return leaves_in(hold_part(self._folder, chunk.parts[LEAVES]), tournament)


def _surveyed(
    sources: Sequence[Source], trust: Asked, most: int
) -> Generator[SurveyedLog, None, None]:
    files = [source for source in sources if isinstance(source, FileLog)]
    is_worth = sum(file.size for file in files) >= WORTH_BYTES and len(files) == len(sources)
    if is_worth and most > 1:
        with processes(most) as working:
            numbers = range(1, len(files) + 1)
            yield from working.map(
                survey_log, numbers, files, repeat(trust), chunksize=LOGS_AT_ONCE
            )
    else:
        yield from map(survey_log, count(1), sources, repeat(trust))


def survey_log(number: int, source: Source, trust: Asked) -> SurveyedLog:
    """Read a log and hash it; what is no log has a problem, and no tournament."""
    try:
        lines = source.lines()
        opening = opening_of(source, lines)
        leaves = leaves_of(lines)
        root, signed = source.known_by(opening.tournament, lines, leaves, trust)
    except LedgerError as error:
        return SurveyedLog(0, CheckedLog(problem=error))
    logged = Logged(number, 0, opening.tournament, len(lines), root, signed)
    checked = CheckedLog(opening.tournament, len(lines), leaves, root, signed, logged)
    return SurveyedLog(int(opening.date[:4]), checked)

"""Results that were on record once and are not in this copy of the log, entered as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.facts.base import Waiver
from ledger.facts.results import ResultReported
from ledger.facts.shared import Result
from ledger.problems import marked, problem
from ledger.rules.command import Command, Context, match_of
from ledger.rules.references import table_of
from ledger.tournament import disputes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.facts.base import Event
    from ledger.tournament.state import Tournament


class ReportAgain(Command, frozen=True):
    """Report a result as its line had it, which was on record before an older copy was restored.

    It replaces nothing: where the table has another result now, people decide.
    """

    match: int
    result: Result
    waiver: Waiver | None = None

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        claim = disputes.current_claim(tournament, match)
        if claim is None:
            yield ResultReported(match.number, self.result, self.waiver)
        elif claim.result != self.result:
            text = marked("{table} has another result now (event {event})")
            raise Refused(
                problem("result.another_now", text, table=table_of(match), event=claim.seq)
            )

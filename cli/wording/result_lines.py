"""A result on record as the words that are typed for it, so that a form can offer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from cli.input.arguments import UsageError
from cli.input.facts import ENDED, FACT
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament


def as_typed(tournament: Tournament, match: Match, result: Result) -> str:
    """Return the words for a result, as `report` takes them behind its table; empty without any."""
    rules = tournament.ruleset
    if result.manner in {"no-show", "departure"}:
        return _absent(tournament, match, result) if result.manner == "no-show" else ""
    if result.facts:
        facts = [f"{FACT} {name}={one}:{two}" for name, (one, two) in result.facts.items()]
        ended = f" {ENDED} {result.ending.replace(' ', '-')}" if result.ending else ""
        return " ".join(facts) + ended
    if rules.scoring.kind == "reported":
        return f"{result.points[0]}-{result.points[1]}"
    if rules.records.get(result.outcomes[0]) == "D":
        return "draw"
    spelled = (result.outcomes[0], *rules.outcome(result.outcomes[0]).typed)
    word = next((each for each in spelled if " " not in each), "")
    return f"#{match.first} {word}" if word else ""


def words_again(tournament: Tournament, match: Match, result: Result) -> str | None:
    """Return a line that repeats a result: `3/4 #7 modified`; None if no words give the same."""
    from cli.input.reports import stated_in
    from ledger.rules.results import result_from

    words = as_typed(tournament, match, result)
    if not words:
        return None
    try:
        again = result_from(tournament, match, stated_in(tournament, match, words))
    except (LedgerError, UsageError):
        return None
    if replace(again, adjusted=result.adjusted) != result:
        return None
    return f"{match.round}/{match.table} {words}"


def _absent(tournament: Tournament, match: Match, result: Result) -> str:
    records = tournament.ruleset.records
    both = zip(match.players, result.outcomes, strict=True)
    absent = [player for player, outcome in both if records.get(outcome) == "L"]
    return f"no-show {' '.join(f'#{each}' for each in absent)}"

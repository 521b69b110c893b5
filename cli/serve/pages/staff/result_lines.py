"""A result on record as the words that are typed for it, so that a form can offer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.facts import ENDED, FACT

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


def _absent(tournament: Tournament, match: Match, result: Result) -> str:
    records = tournament.ruleset.records
    both = zip(match.players, result.outcomes, strict=True)
    absent = [player for player, outcome in both if records.get(outcome) == "L"]
    return f"no-show {' '.join(f'#{each}' for each in absent)}"

"""How a match ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.facts import facts_in_words
from cli.input.find_people import labelled
from ledger.tournament.state import Match, Tournament

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.rulesets.outcomes import Scoring

MANNERS = {
    "played": "",
    "time": " after time",
    "concession": " by concession",
    "no-show": " (no-show)",
    "departure": " (opponent left)",
    "declared": " (declared)",
}
BOTH_LEFT = " (both left)"


def result_in_words(tournament: Tournament, match: Match, result: Result) -> str:
    """Say how a match ended: `Ann (#1) beat Bob (#2) 7-4 after time [score 107:49]`."""
    first, second = (labelled(tournament, player) for player in (match.first, match.second))
    manner = MANNERS[result.manner]
    scoring, records = tournament.ruleset.scoring, tournament.ruleset.records
    points = score_in_words(scoring, result.counted)
    letter, other = (records.get(outcome, " ") for outcome in result.outcomes)
    if letter == other == "L":
        manner = BOTH_LEFT if result.manner == "departure" else manner
        return f"neither {first} nor {second} won{manner}"
    is_turned = letter == "L"
    seen = facts_in_words(tournament.ruleset, result, turned=is_turned) + _adjusted(
        result, turned=is_turned
    )
    if letter == "D":
        return f"{first} and {second} drew {points}{manner}{seen}"
    if is_turned:
        first, second = second, first
        points = score_in_words(scoring, result.counted[::-1])
    won = result.outcomes[0] if letter == "W" else result.outcomes[1]
    kind = "" if won == tournament.ruleset.full_win.name else f", {won}"
    score = f" {points}" if any(result.counted) else ""
    return f"{first} beat {second}{score}{kind}{manner}{seen}"


def score_in_words(scoring: Scoring, points: tuple[int, int]) -> str:
    """Say both sides' points: `2-0`, or `½-½` where they are counted in halves."""
    return "-".join(map(scoring.shown, points))


def _adjusted(result: Result, *, turned: bool) -> str:
    """What a judge gave or took beside the result."""
    if not any(result.adjusted):
        return ""
    one, other = result.adjusted[::-1] if turned else result.adjusted
    return f" (points adjusted by {one:+}:{other:+})"

"""Meanings of the columns of the downloads, by their names.

The file of a named question gives those of its columns; this one has those of the site. The
meanings are in English in every language, as those of the season's file are.
"""

from __future__ import annotations

from functools import cache

OWN = {
    "after": "result that counts since then: the first player's outcome and both scores",
    "against": "the second player of the game; empty: a bye",
    "best_place": "best final place",
    "before": "result until then: the first player's outcome and both scores",
    "clause": "ID of the clause that is cited; empty: none",
    "corrections": "results that were corrected",
    "times": "how many rulings or penalties cite the clause",
    "counted": "points that count, as a sum",
    "draws": "games drawn",
    "entrants": "registered players",
    "events": "tournaments taken part in",
    "faction": "faction, clan or army; small groups are one together",
    "first": "first day of the run",
    "game": "game of the round in the bracket",
    "games": "games played",
    "held_on": "local day of the opening; ? if it is missing",
    "kind": "ruling, or what the penalty was",
    "last": "last day of the run",
    "last_day": "day of the last tournament",
    "late": "corrections after the round was closed",
    "marks": "a state in a word",
    "note": "words that the page shows in the place of a number, such as: fewer than five",
    "person": "label: a name by consent, else the beginning of a pseudonym; a guest's is "
    "the beginning of the tournament's id, and the number there",
    "opponent_label": "label of the opponent: a name by consent, else the player's number in the "
    "tournament; all others: the opponents without a name",
    "opponent_place": "place of the opponent in the tournament",
    "outcome": "whether the game was won, lost or drawn, or a bye",
    "place": "final place, or the place so far; 1 is the winner",
    "points": "points of the standings",
    "qualified": "whether the person is among the first who qualify",
    "rank": "place in this table",
    "rating_before": "rating of the opponent before the game; of an opponent without a name, a "
    "range in which five persons or more were",
    "region": "country of the tournament's time zone, else its area",
    "result": "outcome of the first player, and the points of both",
    "reviewed": "rulings that another ruling reviewed",
    "round": "number of the round, through all stages",
    "rounds": "rounds that were paired",
    "ruleset": "key of the game's ruleset",
    "rulings": "rulings, without withdrawn ones",
    "share": "share of all players of the tournament",
    "table": "number of the table, or of the game in an elimination",
    "tier": "relaxed, formal or premier",
    "tournament": "label: the name, with the beginning of the id if another has the same name",
    "tournament_id": "the tournament's id: 32 hex digits",
    "tournaments": "tournaments taken part in",
    "W-L-D": "games won, lost and drawn",
    "when": "whether the round, or play, was closed when the result was corrected",
    "why_here": "what decided the place against the one above: the column and both exact values",
    "winner": "label of the winner; or that play is open",
    "wins": "games won, of a run: in a row",
    "won": "tournaments won",
}
TIEBREAKER = (
    "tiebreaker of the ruleset with this code, as a decimal; `why_here` has exact fractions"
)


@cache
def _asked() -> dict[str, str]:
    """Return the meanings of the columns of named questions and rating tables, by name."""
    from projections.season.rating_tables import CALIBRATION, FORECASTS, HISTORY, RANKING, UPSETS
    from projections.season.tables.definitions import questions

    return {
        column.name: column.meaning
        for question in (*questions(), CALIBRATION, FORECASTS, HISTORY, RANKING, UPSETS)
        for column in question.columns
    }


def meaning_of(name: str) -> str:
    """Return the meaning of a column of the downloads; empty if nothing says it."""
    meaning = OWN.get(name) or _asked().get(name)
    if meaning is None and name.isupper():
        return TIEBREAKER
    return meaning or ""

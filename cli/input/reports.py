"""What a person types of a result, as a command.

7 ann              Ann won at table 7
7 ann modified     … by a modified win; any outcome of the ruleset, as Ann's
2/7 ann            the same for table 7 of round 2
7 6-0              points, the player named first in the pairing first
7 ann 6-0          points, Ann's first
7 draw             nobody won
7 no-show bob      Bob did not come; with both names neither did
7 107-49           the ruleset's main fact, where results follow from facts
7 ann 2-1-1        Ann won two games and lost one, one was drawn
7 --ended time --fact army=120:100 --fact objectives=20:0
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cli.input.arguments import UsageError
from cli.input.facts import (
    ENDED,
    Typed,
    ending_of,
    facts_of,
    is_ending,
    is_score,
    scored,
    taken_out,
)
from cli.input.matches import find_match
from cli.input.people import find_at_table
from ledger.commands import (
    CorrectFacts,
    CorrectNoShow,
    CorrectOutcome,
    CorrectPoints,
    ReportFacts,
    ReportNoShow,
    ReportOutcome,
    ReportPoints,
    Told,
)
from ledger.errors import NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.commands import Command
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Match, Tournament

HOW = "TABLE WINNER [WORD], TABLE 6-0, TABLE draw or TABLE no-show PLAYER"

NO_SHOW = frozenset({"no-show", "noshow", "ns"})
DRAW = frozenset({"draw", "drawn", "tie", "d"})

_POINTS = re.compile(r"([0-9]{1,7})[-:]([0-9]{1,7})")


class Reported(NamedTuple):
    """A match, and its first player's outcome or both sides' points, or who was absent."""

    match: Match
    outcome: str = ""
    points: tuple[int, int] | None = None
    absent: tuple[int, ...] = ()
    facts: dict[str, tuple[int, int]] | None = None
    ending: str = ""


NOTHING = Typed()


def read(tournament: Tournament, words: Sequence[str], typed: Typed = NOTHING) -> Reported:
    """Read the words of a report.

    Raises:
        UsageError: something is missing.
        NotFound: no such match, player at it, outcome or ending.
        Refused: no such fact, or a draw in a game without draws.
    """
    needed = 1 if typed else 2
    if len(words) < needed:
        raise UsageError(f"say which table and who won: {HOW}")
    match = find_match(tournament, words[0])
    rest = list(words[1:])
    if rest and rest[0].lower() in NO_SHOW:
        if typed:
            raise UsageError("a match with a no-show was not played: it has no ending, no facts")
        return _no_show(tournament, match, rest[1:])
    declared = tournament.ruleset.derives
    if typed or (declared is not None and declared.main and is_score(rest[-1])):
        return _seen(tournament, match, rest, typed)
    points = _points(rest[-1])
    if len(rest) == 1 and points is not None:
        return Reported(match, points=points)
    if len(rest) == 1 and rest[0].lower() in _draws(tournament.ruleset):
        return Reported(match, outcome=_drawn(tournament.ruleset))
    return _won(tournament, match, rest)


def _seen(tournament: Tournament, match: Match, words: list[str], typed: Typed) -> Reported:
    """Read `[winner [word]] [107-49]` and what else the table saw."""
    rules = tournament.ruleset
    ended = ending_of(rules, typed.ended)
    score = scored(rules, words.pop()) if words and is_score(words[-1]) else {}
    named = Reported(match)
    if words and " ".join(words).lower() in DRAW:
        named = Reported(match, outcome=_drawn(rules))
    elif words:
        named = _won(tournament, match, words)
    turned = bool(named.outcome) and rules.records[named.outcome] == "L"
    facts = facts_of(tournament, match, typed.facts, turned=turned)
    for name, pair in score.items():
        told = pair[::-1] if turned else pair
        if facts.setdefault(name, told) != told:
            raise UsageError(f"{name} is told twice, and differs")
    return named._replace(facts=facts, ending=ended or named.ending)


def told_of(tournament: Tournament, words: Sequence[str], typed: Typed = NOTHING) -> Told:
    """Read the words of a report as what somebody tells of the match.

    Raises:
        UsageError: as `read`.
        NotFound: as `read`.
    """
    reported = read(tournament, words, typed)
    return Told(reported.outcome, reported.points, reported.facts, reported.ending, reported.absent)


def told_in(tournament: Tournament, match: Match, text: str) -> Told:
    """Read one text as what somebody tells of a match: `bob modified`, `2-1 --ended time`.

    Raises:
        UsageError: as `read`.
        NotFound: as `read`.
    """
    rest, typed = taken_out(text.split())
    return told_of(tournament, [f"{match.round}/{match.table}", *rest], typed)


def as_report(reported: Reported) -> ReportOutcome | ReportPoints | ReportFacts | ReportNoShow:
    """Make the command that reports it."""
    match = reported.match.number
    if reported.absent:
        return ReportNoShow(match, reported.absent)
    if reported.facts is not None:
        return ReportFacts(match, reported.facts, reported.ending, reported.outcome)
    if reported.points is not None:
        return ReportPoints(match, reported.points)
    return ReportOutcome(match, reported.outcome)


def as_correction(reported: Reported, reason: str, ruling: int = 0) -> Command:
    """Make the command that corrects it."""
    match = reported.match.number
    if reported.absent:
        return CorrectNoShow(match, reported.absent, reason, ruling)
    if reported.facts is not None:
        ending, outcome = reported.ending, reported.outcome
        return CorrectFacts(match, reported.facts, reason, ending, outcome, ruling)
    if reported.points is not None:
        return CorrectPoints(match, reported.points, reason, ruling)
    return CorrectOutcome(match, reported.outcome, reason, ruling)


def _no_show(tournament: Tournament, match: Match, names: list[str]) -> Reported:
    if not names:
        raise UsageError("say who did not come: TABLE no-show PLAYER, or both players")
    absent = {find_at_table(tournament, match.players, name) for name in names}
    return Reported(match, absent=tuple(sorted(absent)))


def _won(tournament: Tournament, match: Match, words: list[str]) -> Reported:
    """Read `winner [word]`: the name may be of several words, the outcome is the last one."""
    if match.is_bye:
        raise NotFound(f"{match.round}/{match.table} is a bye: its result is given")
    whole = " ".join(words)
    try:
        winner = find_at_table(tournament, match.players, whole)
    except NotFound:
        if len(words) == 1:
            raise
        return _by_word(tournament, match, words[:-1], words[-1])
    return _sided(tournament.ruleset, match, winner, _full_win(tournament.ruleset))


def _by_word(tournament: Tournament, match: Match, name: list[str], word: str) -> Reported:
    rules, points = tournament.ruleset, _points(word)
    try:
        winner = find_at_table(tournament, match.players, " ".join(name))
        if points is not None:
            return Reported(match, points=points if winner == match.first else points[::-1])
        return _sided(rules, match, winner, _outcome(rules, word))
    except NotFound:
        if is_ending(rules, word):
            how = f"{word!r} is how the game ended: type `{ENDED} {word}`"
            raise UsageError(how) from None
        raise


def _sided(rules: Ruleset, match: Match, player: int, outcome: str) -> Reported:
    if player == match.first:
        return Reported(match, outcome=outcome)
    return Reported(match, outcome=rules.outcome(outcome).against)


def _full_win(rules: Ruleset) -> str:
    return rules.full_win.name


def _outcome(rules: Ruleset, word: str) -> str:
    """Find the outcome of a word; the beginning of a winning one will do."""
    begun = [
        outcome.name
        for outcome in rules.outcomes
        if outcome.record == "W" and outcome.name.startswith(word.lower())
    ]
    try:
        return rules.typed(word).name
    except NotFound:
        if len(begun) == 1:
            return begun[0]
        raise


def _draws(rules: Ruleset) -> frozenset[str]:
    return DRAW | {word for one in rules.outcomes if one.record == "D" for word in one.typed}


def _drawn(rules: Ruleset) -> str:
    for outcome in rules.outcomes:
        if outcome.record == "D":
            return outcome.name
    raise Refused(f"{rules.key} has no draw: a match has a winner")


def _points(word: str) -> tuple[int, int] | None:
    found = _POINTS.fullmatch(word)
    return (int(found[1]), int(found[2])) if found else None

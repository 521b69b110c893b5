"""The words that a person types for a result: read, explained, and made of a result on record.

7 ann              Ann won at table 7
7 ann modified     … by a modified win; any outcome of the ruleset, as Ann's
2/7 ann            the same for table 7 of round 2
7 6-0              points, the player named first in the pairing first; of an outcome, too
7 ½-½              the same where points are counted in halves: 0.5-0.5, 1/2-1/2, 1-0
7 ann 6-0          points, Ann's first
7 draw             nobody won
7 no-show bob      Bob did not come; with both names neither did
7 107-49           the ruleset's main fact, where results follow from facts
7 ann 2-1-1        Ann won two games and lost one, one was drawn
7 --ended time --fact army=120:100 --fact objectives=20:0
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from cli.input import matches
from cli.input.arguments import UsageError
from cli.input.find_people import find_at_table
from cli.input.matches import ENDED, FACT, Typed, find_match
from cli.languages.speaking import tr, tr_of
from ledger.errors import LedgerError, NotFound, Refused
from ledger.facts.base import POINTS_MAX
from ledger.facts.results import drawn_endings
from ledger.problems import problem
from ledger.rules.results import StatedResult, of_a_bye
from ledger.rulesets.ruleset import cited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Match, Tournament

LEFT = 22
"""Cells of what is typed, before what it means."""


def explained(rules: Ruleset) -> list[str]:
    """Return the help of the loop: only what this game takes."""
    lines = [f"{typed:<{LEFT}}{meaning}" for typed, meaning in _lines(rules)]
    names = ", ".join(outcome.name for outcome in rules.outcomes)
    lines.append(tr("outcomes: {names}", names=names))
    if declared := rules.derives:
        lines.append(f"--ended {', '.join(ending.name for ending in declared.endings)}")
        lines.append(f"--fact {', '.join(f'{fact.name}=A:B' for fact in declared.facts)}")
    return lines


def how(rules: Ruleset) -> str:
    """Return the ways in which this game's results are typed, in one line."""
    ways = [tr("TABLE WINNER [WORD]")] if rules.scoring.kind == "outcome" else []
    if (score := example(rules, "")) and rules.scoring.kind != "outcome":
        ways.append(tr("TABLE [WINNER] {score}", score=score))
    elif score:
        ways.append(tr("TABLE {score}", score=score))
    if words := _drawn_words(rules):
        ways.append(tr("TABLE {score}", score=words))
    return tr("{ways} or TABLE no-show PLAYER", ways=", ".join(ways))


def example(rules: Ruleset, name: str) -> str:
    """Return how a result is typed whose table is known, for a winner of that name."""
    declared = rules.derives
    if declared and declared.main:
        return "2-1-1" if declared.third else "2-1"
    if rules.scoring.kind == "reported":
        return f"{rules.scoring.points_max}-{rules.scoring.points_min}"
    return name


def _lines(rules: Ruleset) -> Iterator[tuple[str, str]]:
    declared = rules.derives
    if rules.scoring.kind == "outcome" and (declared is None or declared.bare):
        text = tr(
            "Ann won at table 7 ({outcome}); any part of the name is enough",
            outcome=rules.full_win.name,
        )
        yield "7 ann", text
        for outcome in rules.outcomes:
            if outcome.record == "W" and outcome != rules.full_win:
                yield f"7 ann {outcome.typed[0] if outcome.typed else outcome.name}", outcome.name
    if rules.scoring.kind == "reported":
        low, high = rules.scoring.points_min, rules.scoring.points_max
        yield f"7 {high}-{low}", tr("points in the order of the pairing; 7 ann …: Ann's first")
    if declared and declared.main:
        third = "-1" if declared.third else ""
        yield f"7 2-1{third}", tr("{fact}, in the order of the pairing", fact=declared.main)
        yield f"7 ann 2-1{third}", tr("the same, Ann's first")
    if words := _drawn_words(rules):
        yield f"7 {words}", tr("no winner")
    if declared and (others := [_word(ending.name) for ending in declared.endings[1:]]):
        yield f"7 ann {others[0]}", tr("how it ended; the rest is asked for")
    yield "no-show bob", tr("Bob did not come; no-show ann bob: neither came")
    yield "drop tina", tr("Tina leaves; drop tina udo: both left their match")
    yield "correct 2/7 bob", tr("with --reason WHY: change a result, here in round 2")
    yield "dispute 7 bob", tr("with --for bob: Bob disputes the result")
    yield "undo", tr("undo your last act")
    yield "late tina", tr("seat a latecomer")
    yield tr("Enter"), tr("see what other desks have reported")
    yield "q", tr_of("verb", "quit")


def _drawn_words(rules: Ruleset) -> str:
    """Return how a draw is typed: with its ending where the usual one has a loser; or nothing."""
    if all(outcome.record != "D" for outcome in rules.outcomes):
        return ""
    declared = rules.derives
    usual = declared.ending("") if declared and not declared.bare else None
    endings = drawn_endings(rules) if usual and usual.marks else ()
    return " ".join(("draw", *map(_word, endings[:1])))


def _word(name: str) -> str:
    return name.replace(" ", "-")


ENDED_LAST = 2
"""Words of a line that may end with how the game ended."""

NO_SHOW = frozenset({"no-show", "noshow", "ns"})
DRAW = frozenset({"draw", "drawn", "tie", "d"})

_POINTS = re.compile(r"([0-9]{1,7})[-:]([0-9]{1,7})")


class Reported(NamedTuple):
    """A match, and the result that was typed for it."""

    match: Match
    result: StatedResult


NOTHING = Typed()


def read(
    tournament: Tournament, words: Sequence[str], typed: Typed = NOTHING, default: str = ""
) -> Reported:
    """Read the words of a report; `default` is the reason why a number is unknown.

    Raises:
        UsageError: there are too few words, or they cannot be read.
        NotFound: a word names no player of the match, or no outcome.
    """
    needed = 1 if typed else 2
    if len(words) < needed:
        raise UsageError(tr("give the table and the winner: {how}", how=how(tournament.ruleset)))
    match = find_match(tournament, words[0])
    rest = list(words[1:])
    if rest and rest[0].lower() in NO_SHOW:
        if typed:
            raise UsageError(
                tr("a match with a no-show was not played: it has no ending and no facts")
            )
        return _no_show(tournament, match, rest[1:])
    declared = tournament.ruleset.derives
    if typed or (declared is not None and declared.main and matches.is_score(rest[-1])):
        return _seen(tournament, match, rest, typed, default)
    points = _points(tournament.ruleset, rest[-1])
    if len(rest) == 1 and points is not None:
        return Reported(match, StatedResult(points=points))
    if len(rest) == 1 and rest[0].lower() in _draws(tournament.ruleset):
        return Reported(match, StatedResult(_drawn(tournament.ruleset)))
    return _won(tournament, match, rest)


def ending_last(tournament: Tournament, words: list[str], typed: Typed) -> tuple[list[str], Typed]:
    """Take an ending at the end of a line for `--ended`: `7 time`, `7 ann time`."""
    rules = tournament.ruleset
    if typed.ended or len(words) < ENDED_LAST or not matches.is_ending(rules, words[-1]):
        return words, typed
    with suppress(NotFound):
        rules.typed(words[-1])  # an outcome of that name is an outcome
        return words, typed
    return words[:-1], typed._replace(ended=words[-1])


def _seen(
    tournament: Tournament, match: Match, words: list[str], typed: Typed, default: str
) -> Reported:
    """Read `[winner [word]] [107-49]` and what else the table saw."""
    rules = tournament.ruleset
    ended = matches.ending_of(rules, typed.ended)
    score = matches.scored(rules, words.pop()) if words and matches.is_score(words[-1]) else {}
    named = StatedResult()
    if words and " ".join(words).lower() in DRAW:
        named = StatedResult(_drawn(rules))
    elif words:
        named = _won(tournament, match, words).result
    turned = bool(named.outcome) and rules.records[named.outcome] == "L"
    numbers, unknown = matches.without_unknown(tournament, typed.facts, default)
    pairs = matches.facts_of(tournament, match, numbers, turned=turned)
    for name, pair in score.items():
        given = pair[::-1] if turned else pair
        if pairs.setdefault(name, given) != given:
            raise UsageError(tr("{name} is given twice, with different numbers", name=name))
    stated = StatedResult(named.outcome, facts=pairs, ending=ended, unknown=unknown)
    return Reported(match, stated)


def stated_in(tournament: Tournament, match: Match, text: str, default: str = "") -> StatedResult:
    """Read a text as a stated result: `bob modified`, `2-1 --ended time`; raises as `read`."""
    rest, typed = matches.taken_out(text.split())
    return read(tournament, [f"{match.round}/{match.table}", *rest], typed, default).result


def _no_show(tournament: Tournament, match: Match, names: list[str]) -> Reported:
    if not names:
        raise UsageError(tr("name the absent player: TABLE no-show PLAYER, or both players"))
    absent = {find_at_table(tournament, match.players, name) for name in names}
    return Reported(match, StatedResult(absent=tuple(sorted(absent))))


def _won(tournament: Tournament, match: Match, words: list[str]) -> Reported:
    """Read `winner [word]`: the name may be of several words, the outcome is the last one."""
    if match.is_bye:
        raise NotFound(cited(tournament.ruleset, of_a_bye(match)))
    whole = " ".join(words)
    try:
        winner = find_at_table(tournament, match.players, whole)
    except NotFound:
        if len(words) == 1:
            raise
        return _by_word(tournament, match, words[:-1], words[-1])
    return _sided(tournament.ruleset, match, winner, tournament.ruleset.full_win.name)


def _by_word(tournament: Tournament, match: Match, name: list[str], word: str) -> Reported:
    rules = tournament.ruleset
    points = _points(rules, word)
    try:
        winner = find_at_table(tournament, match.players, " ".join(name))
        if points is not None:
            turned = points if winner == match.first else points[::-1]
            return Reported(match, StatedResult(points=turned))
        return _sided(rules, match, winner, _outcome(rules, word))
    except NotFound:
        if matches.is_ending(rules, word):
            how = tr(
                "{word} is how the game ended: type `{line}`",
                word=f"{word!r}",
                line=f"{matches.ENDED} {word}",
            )
            raise UsageError(how) from None
        raise


def _sided(rules: Ruleset, match: Match, player: int, outcome: str) -> Reported:
    of_first = outcome if player == match.first else rules.outcome(outcome).against
    return Reported(match, StatedResult(of_first))


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
    raise Refused(
        problem(
            "result.no_draws",
            "{game} has no draws: every match has a winner",
            clause=rules.ends_by,
            game=rules.key,
        )
    )


def _points(rules: Ruleset, word: str) -> tuple[int, int] | None:
    """Return both sides' points as the ruleset counts them; None where the word is no score."""
    if not rules.scoring.halves:
        found = _POINTS.fullmatch(word)
        return (int(found[1]), int(found[2])) if found else None
    from ledger.exchange.sheets.cells import score_of  # the readers of files come with it

    match score_of(word):
        case (first, second) if max(first, second) <= POINTS_MAX:
            return int(2 * first), int(2 * second)
    return None


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

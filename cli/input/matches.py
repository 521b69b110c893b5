"""Matches, rounds and rulings that a person names, and the facts of a match as they are typed.

Facts are typed as `107-49`, `2-1-1`, `--ended time`, `--fact army=120:100`. Numbers stand in the
order of the pairing, unless a winner is named: then the winner's come first. A fact of one side may
name the player who has it: `--fact blue=ann`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cli.input.arguments import UsageError
from cli.input.find_people import find_at_table, find_player, labelled
from cli.languages.speaking import tr
from ledger.errors import NotFound, Refused
from ledger.problems import Table, phrase, problem
from ledger.rulesets.ruleset import cited
from ledger.rulesets.toml_files import nearest
from ledger.tournament.disputes import latest_dispute, ruling_on
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.facts.shared import Result
    from ledger.rules.games_left import GameAsLeft
    from ledger.rulesets import Ending, Procedure, Ruleset
    from ledger.tournament.state import Match, Round, Tournament
    from ledger.tournament.table_records import Ruling

_PLACE = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def is_place(typed: str) -> bool:
    """Return whether a text has the form of a table of a round: `1/4`."""
    return _PLACE.fullmatch(typed) is not None


_TABLE = re.compile(r"[0-9]{1,6}")


def find_match(tournament: Tournament, words: str) -> Match:
    """Find a match: of the latest round, unless the words are `R/T`; or NotFound."""
    place = _PLACE.fullmatch(words)
    if place:
        return _at(find_round(tournament, int(place[1])), int(place[2]))
    latest = latest_round(tournament)
    if latest is None:
        raise NotFound(phrase("no round is paired yet: use `pair`"))
    if _TABLE.fullmatch(words):
        return _at(latest, int(words))
    player = find_player(tournament, words)
    for match in latest.matches:
        if player in match.players:
            return match
    raise NotFound(
        phrase(
            "{player} does not sit in round {round}",
            player=labelled(tournament, player),
            round=latest.number,
        )
    )


def is_in_full(words: str) -> bool:
    """Whether the words name a table with its round."""
    return _PLACE.fullmatch(words) is not None


def find_round(tournament: Tournament, number: int) -> Round:
    """Find a round by its number; NotFound where it has not been paired."""
    if 1 <= number <= len(tournament.rounds):
        return tournament.rounds[number - 1]
    if count := len(tournament.rounds):
        text = phrase(
            "there is no round {number}: {count} round paired so far",
            plural="there is no round {number}: {count} rounds paired so far",
            number=number,
            count=count,
        )
        raise NotFound(text)
    raise NotFound(phrase("there is no round {number}: no round paired so far", number=number))


def find_ruling(tournament: Tournament, words: str) -> Ruling:
    """Find a ruling by its event, or that in force on a match, else the last; or NotFound."""
    if words.isascii() and words.isdigit():
        ruling = tournament.floor.ruling(int(words[:16]))
        if ruling is None:
            raise NotFound(
                phrase("event {event} is not a ruling: `rule` lists the rulings", event=words[:16])
            )
        return ruling
    match = find_match(tournament, words)
    dispute = latest_dispute(tournament, match.number)
    force = ruling_on(tournament, dispute) if dispute else None
    on_it = [each for each in tournament.floor.rulings if each.made.match == match.number]
    if not on_it:
        clause = "FFG-ROLE-JUDGE"
        table = Table(match.round, match.table)
        missing = problem(
            "ruling.none_at_table", "no official has ruled on {table}", clause=clause, table=table
        )
        raise NotFound(cited(tournament.ruleset, missing))
    return force or on_it[-1]


def _at(played: Round, table: int) -> Match:
    if 1 <= table <= len(played.matches):
        return played.matches[table - 1]
    there = _tables_in_words(match.table for match in played.matches if not match.is_bye)
    raise NotFound(
        phrase(
            "round {round} has no table {table}: {there}",
            round=played.number,
            table=table,
            there=there,
        )
    )


def _tables_in_words(tables: Iterable[int]) -> str:
    """Name the tables of a round at which two players sit, with ranges; a bye has no table."""
    ranges: list[tuple[int, int]] = []
    for table in tables:
        first, last = ranges.pop() if ranges and ranges[-1][1] == table - 1 else (table, table)
        ranges.append((first, table if first < table else last))
    if not ranges:
        return tr("it has only byes")
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return tr("it has only table {table}", table=ranges[0][0])
    parts = [
        tr("{first} to {last}", first=first, last=last) if first < last else str(first)
        for first, last in ranges
    ]
    return tr("its tables are {tables}", tables=tr(" and ").join(parts))


def has_standings(tournament: Tournament) -> bool:
    """Whether some stage is played for points, or none is announced yet."""
    return not tournament.stages or any(stage.is_swiss for stage in tournament.stages)


def refuse_without_swiss(tournament: Tournament) -> None:
    """Point, as NotFound, to the bracket where no stage is played for points."""
    if not has_standings(tournament):
        raise NotFound(
            phrase(
                "no stage is played for points: `bracket` shows the games, `standings --final` "
                "the order"
            )
        )


ENDED = "--ended"
FACT = "--fact"

_SCORE = re.compile(r"([0-9]{1,7})[-:]([0-9]{1,7})(?:[-:]([0-9]{1,7}))?")

Pair = tuple[int, int]


class Typed(NamedTuple):
    """What was said beside table, winner and word."""

    ended: str = ""
    facts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything was said."""
        return bool(self.ended or self.facts)


def taken_out(words: Sequence[str]) -> tuple[list[str], Typed]:
    """Take `--ended` and `--fact` out of a typed line; UsageError if one has no value."""
    rest: list[str] = []
    ended, facts = "", []
    waiting = iter(words)
    for word in waiting:
        name, separator, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name not in {ENDED, FACT}:
            rest.append(word)
            continue
        value = value if separator else next(waiting, "")
        if not value:
            raise UsageError(
                tr(
                    "{name} needs a value, such as {ended} time or {fact} score=107:49",
                    name=name,
                    ended=ENDED,
                    fact=FACT,
                )
            )
        if name == ENDED:
            ended = value
        else:
            facts.append(value)
    return rest, Typed(ended, tuple(facts))


def is_score(word: str) -> bool:
    """Whether a word is `107-49` or `2-1-1`."""
    return _SCORE.fullmatch(word) is not None


def scored(rules: Ruleset, word: str) -> dict[str, Pair]:
    """Read a score as facts of the ruleset; UsageError where the ruleset has no third number."""
    found, declared = _SCORE.fullmatch(word), rules.derives
    assert found is not None  # noqa: S101 - asked before
    if declared is None:
        raise _no_facts(rules)
    if not declared.main:
        raise UsageError(tr("{key} has no score to type: {word}", key=rules.key, word=f"{word!r}"))
    facts = {declared.main: (int(found[1]), int(found[2]))}
    if found[3] is not None:
        if not declared.third:
            raise UsageError(
                tr("{word}: {key} needs two numbers, such as 2-1", word=f"{word!r}", key=rules.key)
            )
        facts[declared.third] = (int(found[3]), int(found[3]))
    return facts


def _no_facts(rules: Ruleset) -> Refused:
    return Refused(phrase("{key} has no facts to report: only outcomes or points", key=rules.key))


def is_ending(rules: Ruleset, word: str) -> bool:
    """Whether a word is the name or a short word of an ending."""
    wanted = _plain(word)
    return rules.derives is not None and any(
        wanted in _spellings(ending) for ending in rules.derives.endings
    )


def _plain(word: str) -> str:
    return " ".join(word.lower().replace("-", " ").split())


def _spellings(ending: Ending) -> set[str]:
    return {each.replace("-", " ") for each in (ending.name, *ending.typed)}


def ending_of(rules: Ruleset, word: str) -> str:
    """Find the ending that is meant by its name, a short word or a beginning; or NotFound."""
    if not word:
        return ""
    if rules.derives is None:
        raise NotFound(
            phrase("{key} has no endings to report: only outcomes or points", key=rules.key)
        )
    wanted = _plain(word)
    endings = rules.derives.endings
    for ending in endings:
        if wanted in _spellings(ending):
            return ending.name
    begun = [ending.name for ending in endings if ending.name.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    hint = nearest(wanted, [ending.name for ending in endings])
    raise NotFound(
        phrase("{key} has no ending {word}; {hint}", key=rules.key, word=f"{word!r}", hint=hint)
    )


def facts_of(
    tournament: Tournament, match: Match, typed: Sequence[str], *, turned: bool
) -> dict[str, Pair]:
    """Read `name=A:B`, in the pairing's order or `turned`; UsageError, Refused or NotFound."""
    declared = tournament.ruleset.derives
    facts: dict[str, Pair] = {}
    for text in typed:
        name, separator, value = text.partition("=")
        if not separator or not value:
            raise UsageError(
                tr("a fact must be name=A:B, such as score=107:49, not {text}", text=f"{text!r}")
            )
        if declared is None:
            raise _no_facts(tournament.ruleset)
        if name in facts:
            raise UsageError(tr("{fact} {name} is given twice", fact=FACT, name=name))
        facts[name] = _pair(tournament, match, declared, name, value, turned=turned)
    return facts


UNKNOWN = "unknown"


def game_as_left(
    tournament: Tournament, match: Match | None, typed: Sequence[str], default: str = ""
) -> GameAsLeft:
    """Read the numbers of a game that an act ends.

    `NAME=unknown: REASON` gives the reason why a number is unknown; `default` is the act's reason.

    Raises:
        UsageError: numbers are typed, and no match ends; or an unknown number has no reason.
    """
    from ledger.rules.games_left import GameAsLeft

    if match is None and typed:
        raise UsageError(tr("this ends no open match: omit {fact}", fact=FACT))
    if match is None:
        return GameAsLeft()
    numbers, unknown = without_unknown(tournament, typed, default)
    return GameAsLeft(facts_of(tournament, match, numbers, turned=False), unknown)


def without_unknown(
    tournament: Tournament, typed: Sequence[str], default: str = ""
) -> tuple[list[str], str]:
    """Part the numbers that are given from those that are unknown; of these return the reason."""
    numbers: list[str] = []
    reason = ""
    for entry in typed:
        name, _, value = entry.partition("=")
        word, _, text = value.partition(":")
        if word.strip().lower() != UNKNOWN:
            numbers.append(entry)
            continue
        declared = tournament.ruleset.derives
        if declared is None:
            raise _no_facts(tournament.ruleset)
        _refuse_unnamed(tournament, declared, name)
        reason = reason or text.strip() or default.strip()
        if not reason:
            raise UsageError(
                tr(
                    'give the reason: {fact} "{name}=unknown: they had packed up"',
                    fact=FACT,
                    name=name,
                )
            )
    return numbers, reason


def _refuse_unnamed(tournament: Tournament, declared: Procedure, name: str) -> None:
    if name not in declared.labels:
        hint = nearest(name, [fact.names()[0] for fact in declared.facts])
        raise Refused(
            phrase(
                "{key} has no fact {name}; {hint}",
                key=tournament.ruleset.key,
                name=f"{name!r}",
                hint=hint,
            )
        )


def _pair(
    tournament: Tournament,
    match: Match,
    declared: Procedure,
    name: str,
    value: str,
    *,
    turned: bool,
) -> Pair:
    _refuse_unnamed(tournament, declared, name)
    fact = declared.labels[name]
    found = _SCORE.fullmatch(value)
    if found is not None and found[3] is None:
        pair = (int(found[1]), int(found[2]))
        return pair[::-1] if turned else pair
    if fact.sides == "shared" and re.fullmatch(r"[0-9]{1,7}", value):
        return (int(value), int(value))
    if (fact.min, fact.max) != (0, 1):
        raise UsageError(
            tr(
                "{fact} {name} needs both sides' numbers, as in {name}=4:3, not {value}",
                fact=FACT,
                name=name,
                value=f"{value!r}",
            )
        )
    player = find_at_table(tournament, match.players, value)
    return (1, 0) if player == match.first else (0, 1)


def facts_in_words(rules: Ruleset, result: Result, *, turned: bool = False) -> str:
    """Say what a table saw: ` [army 120:100; objectives 20:0]`; empty without.

    How it ended is left out where its manner says it, and who conceded, as it is who lost.
    """
    endings = rules.derives.endings if rules.derives else ()
    marked = [ending.marks for ending in endings if ending.name == result.ending]
    seen = [] if result.ending in {"", result.manner} else [result.ending]
    for label, pair in result.facts.items():
        seen += [] if label in marked else [f"{label} {pair[turned]}:{pair[not turned]}"]
    return f" [{'; '.join(seen)}]" if seen else ""

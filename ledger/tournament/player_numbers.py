"""The numbers that a ruleset asks of players: entered, missing, and as columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ledger.errors import Refused
from ledger.events.base import Whole
from ledger.problems import Player, Problem, in_words, problem, remedy
from ledger.rulesets.entries import missing_numbers, value_of
from ledger.rulesets.tiebreaker_findings import cut_problems
from ledger.rulesets.words import first_few
from ledger.tournament.state import Tournament

WHOLE = re.compile(r"-?[0-9]{1,15}")

Labels = Mapping[str, str]
Parted = tuple[dict[str, str], dict[str, Whole]]
"""What is text about a player, and what is a number of the ruleset."""

MISSING = "{player} has no {numbers}, which the ruleset asks of each player"


def numbers_of_entries(
    tournament: Tournament, entries: Sequence[tuple[str, Labels]], *, asked: bool = True
) -> list[Parted]:
    """Part texts from numbers, for each name; Refused where one is no number.

    After the start nobody comes without what is asked for.
    """
    rules = tournament.ruleset.numbers
    names = {one.name: one.clause for one in rules}
    problems: list[Problem] = []
    found: list[Parted] = []
    for name, labels in entries:
        texts = {label: text for label, text in labels.items() if label not in names}
        typed = {label: text for label, text in labels.items() if label in names}
        numbers = {label: int(text) for label, text in typed.items() if WHOLE.fullmatch(text)}
        for label in typed.keys() - numbers.keys():
            text = "{label} is a whole number, not {text!r}"
            problems.append(
                problem("number.whole", text, clause=names[label], label=label, text=typed[label])
            )
        missing = missing_numbers(rules, numbers) if asked and tournament.started else []
        if missing:
            clause, what = names[missing[0]], ", ".join(missing)
            about = problem("numbers.missing", MISSING, clause=clause, player=name, numbers=what)
            problems.append(about)
        found.append((texts, numbers))
    if problems:
        raise Refused(*problems)
    return found


def refuse_what_cannot_be_ranked(tournament: Tournament, rounds: int) -> None:
    """Refuse players without a number that the ruleset asks for, and cuts of all there is."""
    rules = tournament.ruleset
    problems = [*_without_numbers(tournament)]
    found = cut_problems(rules.tiebreakers, rounds, "the event")
    problems += [in_words(each, "tiebreakers.cut") for each in found]
    if problems:
        raise Refused(*first_few(problems))


def _without_numbers(tournament: Tournament) -> Iterator[Problem]:
    rules = tournament.ruleset.numbers
    for each in tournament.registered():
        if missing := missing_numbers(rules, each.numbers):
            player, what, clause = Player(each.number), ", ".join(missing), rules[0].clause
            way = remedy("amend.number", player=player)
            yield problem(
                "numbers.missing", MISSING, clause=clause, remedy=way, player=player, numbers=what
            )


def starting_points(tournament: Tournament, first_stage: int) -> list[int] | None:
    """What everybody begins with, where the first stage that counts is this; None: nothing.

    Points to start from are those of the whole event: a stage that carries no points has none.
    """
    start = tournament.ruleset.start
    if start is None or first_stage > 1:
        return None
    return [start.worth * number for number in numbers_of(tournament)[start.number]]


def numbers_of(tournament: Tournament) -> dict[str, list[int]]:
    """The numbers that the ruleset asks of players, by name; the place is the player's number."""
    return {
        one.name: [0, *(value_of(one, player.numbers) for player in tournament.players[1:])]
        for one in tournament.ruleset.numbers
    }

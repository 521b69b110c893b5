"""One game as a procedure gets it, and the answer that the procedure gives."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from ledger.errors import Refused
from ledger.problems import Value, problem, remedy
from ledger.rulesets import Ending, Procedure, Ruleset  # noqa: TC001 - msgspec resolves them

Pair = tuple[int, int]
"""A number of each side, the first player's first."""

FIRST = 0
SECOND = 1

WHY = "{fact} is missing: {why}"


class Derived(Struct, frozen=True):
    """The outcome of the first player; points where the procedure gives them; fields."""

    outcome: str
    points: Pair | None = None
    fields: dict[str, Pair] = field(default_factory=dict)


class Game(Struct, frozen=True):
    """One game as reported: each fact is declared and in its range, and none needed is missing."""

    rules: Ruleset
    declared: Procedure
    ending: Ending
    facts: dict[str, Pair]
    elimination: bool

    def has(self, name: str) -> bool:
        """Whether the fact was reported."""
        return name in self.facts

    def fact(self, name: str) -> Pair:
        """A fact, 0 to 0 where it was not reported."""
        return self.facts.get(name, (0, 0))

    def number(self, name: str) -> int:
        """A constant of the procedure."""
        return self.declared.numbers[name]

    def marked(self, name: str) -> int | None:
        """The one side that has a fact; None where neither or both have it."""
        return ahead(self.fact(name))

    def one_marked(self, name: str) -> int:
        """The one side that has a fact of which the ruleset says that one side has it."""
        return FIRST if self.fact(name)[FIRST] else SECOND

    def refuse_needless(self, names: Iterable[str], why: str, clause: str = "") -> None:
        """Refuse facts that have no place in this ending.

        Raises:
            Refused: one of them was reported.
        """
        if needless := tuple(name for name in names if name in self.facts):
            text = "{facts}: has no meaning here, {why}"
            raise Refused(problem("fact.needless", text, clause=clause, facts=needless, why=why))

    def letter(self, winner: int | None) -> str:
        """The outcome of the first player when that side won, or nobody did.

        Raises:
            Refused: nobody won, and the ruleset has no draw.
        """
        points = {None: (0, 0), FIRST: (1, 0), SECOND: (0, 1)}[winner]
        return self.rules.compared(*points).name


def missing(
    fact: str, clause: str, text: str = WHY, code: str = "fact.missing", **about: Value
) -> Refused:
    """Refuse a game without a fact; to report it is the remedy."""
    way = remedy("report.fact", fact=fact)
    return Refused(problem(code, text, clause=clause, remedy=way, fact=fact, **about))


def ahead(pair: Pair) -> int | None:
    """The side that has more; None where both have the same."""
    return None if pair[0] == pair[1] else FIRST if pair[0] > pair[1] else SECOND


def other(side: int) -> int:
    """The side opposite."""
    return 1 - side


def sided(winner: int, won: int, lost: int) -> Pair:
    """The winner's number and the loser's, the first player's first."""
    return (won, lost) if winner == FIRST else (lost, won)


def as_typed(pair: Pair) -> str:
    """Both numbers as they are typed."""
    return f"{pair[0]}:{pair[1]}"

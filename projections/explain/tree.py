"""The tree that takes a number apart, and the trees of tiebreakers.

Each node states how its value follows from those of its terms, so that anybody can compute it
again:

    event       read from the event in `seqs`; a leaf
    given       stated by the ruleset, or by the place itself; a leaf
    count       the number of `players`; a leaf
    sum         of the terms
    mean        of the terms, 0 without any
    ratio       the first term divided by the second, 0 if that is 0
    product     of the terms
    greatest    of the terms
    least       of the terms
    cut         0: the term is left out
    rounded     the term to a whole number, half up
    step        the value that a table of the ruleset has for the term
    performance the lowest number whose results against the terms are expected to be the actual ones
    after       1 more than the sum of the terms
    difference  the first term less the second
    compared    the rank of a player, whom the last of the terms separates
    order       1 more than the rank of the player above; 1 if there is no such player

A tiebreaker has its terms in the order in which they rank, and the nodes that follow their sum or
their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ledger.problems import Phrase, marked, phrase
from ledger.rulesets import Ruleset, Tiebreaker
from projections.standings.crosstable import Crosstable, beside, counted
from projections.standings.tiebreakers import (
    Encounters,
    Evaluated,
    Evaluation,
    OverOpponents,
    Term,
    kept_of,
)

How = Literal[
    "event",
    "given",
    "count",
    "sum",
    "mean",
    "ratio",
    "product",
    "greatest",
    "least",
    "cut",
    "rounded",
    "step",
    "performance",
    "after",
    "difference",
    "compared",
    "order",
]


ADJUSTMENT = marked("adjustment")
"""The column of points that a judge added to a result or deducted from it."""


REDUCED: Mapping[str, str] = MappingProxyType(
    {
        "sum": marked("sum"),
        "mean": marked("mean"),
        "greatest": marked("greatest"),
        "least": marked("least"),
        "performance": marked("performance"),
    }
)
"""The columns of numbers that are computed from the numbers of several opponents."""


class Explanation(Struct, frozen=True):
    """A number: its player, its column, and the terms from which it follows.

    `round` is the round that a term comes from, 0 without one. `seqs` are the events behind
    it: the result of a leaf, or the one by which two met. `clause` is the ruleset's for it.
    """

    column: str
    value: Fraction
    how: How
    player: int = 0
    round: int = 0
    terms: tuple[Explanation, ...] = ()
    seqs: tuple[int, ...] = ()
    clause: str = ""
    players: tuple[int, ...] = ()
    """The players that a count includes."""

    words: Phrase | None = None
    """Label of the column for people, if its name combines several words of ours."""

    @property
    def label(self) -> Phrase:
        """The column as a person reads it."""
        return self.words or Phrase(self.column.replace("{", "{{").replace("}", "}}"))


def tree_size(root: Explanation, depth: int | None = None) -> int:
    """Count the nodes of a tree, down to some levels below the root; shared ones each time."""
    counted: dict[tuple[int, int | None], int] = {}

    def count(node: Explanation, left: int | None) -> int:
        if left == 0:
            return 1
        key = id(node), left
        if key not in counted:
            below = None if left is None else left - 1
            counted[key] = 1 + sum(count(term, below) for term in node.terms)
        return counted[key]

    return count(root, depth)


def as_json(
    root: Explanation,
    names: Callable[[int], str],
    event: Callable[[int], dict[str, object]],
    depth: int | None = None,
) -> dict[str, object]:
    """Return a tree for scripts; an event is shown with its author and its time.

    Empty members are omitted, except the terms; `value` is the only inexact number.
    """
    shown: dict[str, object] = {"column": root.column}
    if root.player:
        shown |= {"player": root.player, "name": names(root.player)}
    if root.round:
        shown["round"] = root.round
    shown |= {"how": root.how, "exact": str(root.value), "value": float(root.value)}
    if root.clause:
        shown["clause"] = root.clause
    if root.players:
        shown["players"] = root.players
    if root.seqs:
        shown["events"] = [event(seq) for seq in root.seqs]
    below = None if depth is None else depth - 1
    if depth != 0:
        shown["terms"] = [as_json(term, names, event, below) for term in root.terms]
    return shown


class TableColumns(Protocol):
    """The columns of a table that a tiebreaker uses."""

    table: Crosstable
    rules: Ruleset
    work: Evaluation
    drawn: int | None

    def tiebreaker(self, code: str, player: int) -> Explanation:
        """Return another tiebreaker of a player."""

    def total(self, column: str, player: int) -> Explanation:
        """Return a player's total of a column."""

    def brought(self, column: str, player: int) -> Iterator[Explanation]:
        """Yield the values that a player had before the first round."""

    def leaf(self, column: str, place: int, player: int) -> Explanation:
        """Return the value of a player in the round at a place."""

    def as_drawn(self, points: int, table: Crosstable) -> TableColumns:
        """Return the columns of the same rounds, with the games of the last round as draws."""


MADE_UP = marked("opponent made up")
"""The column of an opponent for a round that was not played."""


def tree_of(columns: TableColumns, declared: Tiebreaker, player: int) -> Explanation:
    """Take a player's tiebreaker apart."""
    drawn = declared.last_drawn if declared.last_drawn is not None else columns.drawn
    one = columns.work.of(declared, drawn)
    if drawn is not None and columns.drawn is None:
        columns = columns.as_drawn(drawn, one.table)
    node = _Tree(columns, one).of(player)
    return replace(node, column=declared.code, clause=declared.clause, words=None)


class _Tree:
    """One tiebreaker of a table, taken apart for its players."""

    def __init__(self, columns: TableColumns, one: Evaluated) -> None:
        self.columns, self.one, self.declared = columns, one, one.declared

    def of(self, player: int) -> Explanation:
        if self.one.encounters is not None:
            return self._ahead(self.one.encounters, player)
        if self.one.over is not None:
            node = self._over(self.one.over, player)
        elif self.declared.over == "progress":
            node = self._progress(player)
        else:
            node = self._term(player)
        return self._followed(node, player)

    def _over(self, over: OverOpponents, player: int) -> Explanation:
        terms = over.of(player)
        kept = kept_of(terms, self.declared.cut)
        nodes = tuple(self._met(over, term, player, cut=term not in kept) for term in terms)
        value, how = self.one.reduced.value(player), self.declared.reduction
        if how == "performance":
            column = self.declared.steps or ""
            return Explanation(column, value, how, player, terms=nodes)
        if how == "mean" and len(kept) < len(terms):
            total = Explanation(marked("sum"), value * len(kept), "sum", player, terms=nodes)
            count = Explanation(marked("terms"), Fraction(len(kept)), "given", player)
            return Explanation(marked("mean"), value, "ratio", player, terms=(total, count))
        return Explanation(REDUCED.get(how, how), value, how, player, terms=nodes)

    def _met(self, over: OverOpponents, term: Term, player: int, *, cut: bool) -> Explanation:
        """Return the term of a round: the opponent's worth, weighted, or cut to 0."""
        round_ = self.columns.table.rounds[term.place]
        seq = self.columns.table.seqs[term.place][player]
        seqs = (seq,) if seq else ()
        node = self._term(term.other) if term.other else self._made_up(over, term, player)
        if self.declared.beside is not None and term.other:
            node = self._with_beside(node, term, player)
        if self.declared.times is not None and over.expects is None:
            weight = self.columns.leaf(self.declared.times, term.place, player)
            value = Fraction(term.worth, over.denominator)
            whose = term.other or player
            node = Explanation(node.column, value, "product", whose, terms=(node, weight))
        node = replace(node, round=round_.number, seqs=seqs)
        if cut:
            node = replace(node, value=Fraction(0), how="cut", terms=(node,), seqs=())
        return node

    def _with_beside(self, node: Explanation, term: Term, player: int) -> Explanation:
        """Return an opponent's worth, plus the further value of the round if it has one."""
        declared = self.declared.beside
        assert declared is not None  # noqa: S101 - asked by the caller
        more = beside(declared, self.columns.table)[term.place][player]
        if not more:
            return node
        column, words = declared.plus, None
        if declared.minus:
            column = f"{declared.plus} less {declared.minus}"
            words = phrase("{plus} less {minus}", plus=declared.plus, minus=declared.minus)
        clause = self.declared.clause
        stones = Explanation(column, Fraction(more), "given", clause=clause, words=words)
        value = node.value + more
        return Explanation(node.column, value, "sum", term.other, terms=(node, stones))

    def _made_up(self, over: OverOpponents, term: Term, player: int) -> Explanation:
        virtual = self.declared.virtual
        source = virtual.source if virtual else ""
        scheduled = self.columns.table.kind(term.place, player).scheduled
        bounds = [Fraction(each, over.denominator) for each in over.bounds(player, scheduled)]
        terms = [self._named(source, player)]
        for bound in bounds[1:]:
            to_come = virtual is not None and virtual.scheduled and scheduled
            limit = Explanation(marked("at most"), bound, "given", clause=self.declared.clause)
            terms.append(self._term(scheduled) if to_come else limit)
        return Explanation(MADE_UP, min(bounds), "least", player, terms=tuple(terms))

    def _term(self, player: int) -> Explanation:
        """Return a player's worth to a tiebreaker: the source, divided, and at least the floor."""
        declared = self.declared
        source = self._source(declared.source, player)
        node = source if declared.per is None else self._ratio(source, player)
        if declared.least is None:
            return node
        floor = Explanation(marked("floor"), declared.least, "given", clause=declared.clause)
        value = self.one.terms.value(player)
        return Explanation(node.column, value, "greatest", player, terms=(node, floor))

    def _ratio(self, source: Explanation, player: int) -> Explanation:
        declared = self.declared
        divisor = self._source(declared.per or "", player)
        if declared.scale != 1:
            number = Fraction(declared.scale)
            scale = Explanation(marked("scale"), number, "given", clause=declared.clause)
            column, value = f"{declared.scale} {declared.per}", divisor.value * declared.scale
            divisor = Explanation(column, value, "product", player, terms=(scale, divisor))
        column, value = f"{source.column} / {divisor.column}", self.one.quotients.value(player)
        words = phrase("{first} / {second}", first=source.label, second=divisor.label)
        terms = (source, divisor)
        return Explanation(column, value, "ratio", player, terms=terms, words=words)

    def _source(self, source: str, player: int) -> Explanation:
        picks = self.declared.picks or self.declared.trailing is not None
        numbers = self.columns.table.numbers
        if self.declared.over != "own" or not picks or source in numbers:
            return self._named(source, player)
        terms = tuple(self._counted(source, player))
        value = sum((term.value for term in terms), Fraction(0))
        return Explanation(source, value, "sum", player, terms=terms)

    def _named(self, source: str, player: int) -> Explanation:
        if source in self.columns.rules.in_force:
            return self.columns.tiebreaker(source, player)
        return self.columns.total(source, player)

    def _counted(self, source: str, player: int) -> Iterator[Explanation]:
        """Yield the rounds that count; rounds after a player's last one have a fixed value."""
        if source in self.columns.table.numbers or source == "begun":
            return
        table, trailing = self.columns.table, self.declared.trailing
        columns = self.one.own_columns(source)
        for place, column in enumerate(columns):
            leaf = self.columns.leaf(source, place, player)
            if leaf.value != column[player] and trailing is not None:
                worth, clause = Fraction(column[player]), self.declared.clause
                number = table.rounds[place].number
                yield Explanation(source, worth, "given", player, number, clause=clause)
            elif counted(self.declared, table, place)[player] and (leaf.seqs or leaf.value):
                yield leaf

    def _progress(self, player: int) -> Explanation:
        rows = self.one.running_totals()
        row = rows[player] if rows else []
        cut = self.declared.cut
        order = sorted(range(len(row)), key=lambda place: row[place])
        low, high = (cut.low, cut.high) if cut else (0, 0)
        kept = set(order[low : max(low, len(row) - high)])
        nodes = tuple(self._so_far(row, place, player, place in kept) for place in range(len(row)))
        value = self.one.reduced.value(player)
        return Explanation(REDUCED["sum"], value, "sum", player, terms=nodes)

    def _so_far(self, row: Sequence[int], place: int, player: int, kept: bool) -> Explanation:  # noqa: FBT001
        number = self.columns.table.rounds[place].number
        source = self.declared.source
        terms = (
            *self.columns.brought(source, player),
            *(leaf for leaf in self._counted(source, player) if leaf.round <= number),
        )
        column, words = f"{source} so far", phrase("{column} so far", column=source)
        value = Fraction(row[place])
        node = Explanation(column, value, "sum", player, number, terms, words=words)
        return node if kept else replace(node, value=Fraction(0), how="cut", terms=(node,))

    def _ahead(self, encounters: Encounters, player: int) -> Explanation:
        level = frozenset(encounters.level.get(player, ()))
        games = tuple(
            replace(self.columns.leaf(self.declared.source, game.place, player), player=game.other)
            for game in encounters.games(player, level)
        )
        value, behind = self.one.result.value(player), tuple(encounters.behind(player))
        return Explanation(marked("ahead"), value, "count", player, terms=games, players=behind)

    def _has_rounds(self, player: int) -> bool:
        """Return whether any round counts for a player; only then a step is looked up."""
        places = range(len(self.columns.table.rounds))
        if self.one.over is not None:
            return bool(self.one.over.of(player))
        return any(counted(self.declared, self.columns.table, at)[player] for at in places)

    def _followed(self, node: Explanation, player: int) -> Explanation:
        """Return the sum or the mean, divided, rounded, looked up, and with others added."""
        declared, clause = self.declared, self.declared.clause
        if declared.divide != 1:
            divisor = Fraction(declared.divide)
            by = Explanation(marked("divide"), divisor, "given", clause=clause)
            value = node.value / declared.divide
            node = Explanation(node.column, value, "ratio", player, terms=(node, by))
        if declared.rounding:
            value = Fraction((2 * node.value + 1) // 2)
            node = Explanation(node.column, value, "rounded", player, terms=(node,))
        rest = sum((self._named(each, player).value for each in declared.plus), Fraction(0))
        rest -= sum((self._named(each, player).value for each in declared.minus), Fraction(0))
        if declared.steps and declared.reduction != "performance":
            value = self.one.result.value(player) - rest
            is_in = self._has_rounds(player)
            how: How = "step" if is_in else "given"
            terms = (node,) if is_in else ()
            node = Explanation(declared.steps, value, how, player, terms=terms, clause=clause)
        if declared.plus:
            added = (node, *(self._named(each, player) for each in declared.plus))
            value = sum((each.value for each in added), Fraction(0))
            node = Explanation(node.column, value, "sum", player, terms=added)
        for each in declared.minus:
            less = self._named(each, player)
            value = node.value - less.value
            node = Explanation(node.column, value, "difference", player, terms=(node, less))
        return node

"""Points, record and tiebreakers of a stage's table, taken apart.

Every value comes from the columns that rank the players (`projections.standings.tiebreakers`);
nothing is computed here a second time. A node of a player's column is made once and shared by all
trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from ledger.tournament.scoring import UNPLAYED
from ledger.tournament.state import Match, Round, Tournament
from projections.explain.tree import ADJUSTMENT, Explanation
from projections.standings.tiebreakers import Crosstable, Evaluated, evaluate

LETTERS: Mapping[str, str] = {"wins": "W", "losses": "L", "draws": "D", "byes": "B"}
"""The parts of a record, and how a round's column writes each."""


class Columns:
    """The columns of one table, to be taken apart player by player."""

    def __init__(self, tournament: Tournament, table: Crosstable) -> None:
        self.tournament = tournament
        self.table = table
        self.rules = tournament.ruleset
        self.evaluated = {one.declared.code: one for one in evaluate(table, self.rules.tiebreakers)}
        self._nodes: dict[tuple[str, int], Explanation] = {}
        self._seated: dict[int, dict[int, Match]] = {}

    def record(self, player: int) -> Explanation:
        """Wins, losses, draws and byes: together the rounds that count."""
        parts = tuple(self._letters(name, letter, player) for name, letter in LETTERS.items())
        rounds = Fraction(self.table.totals("rounds")[player])
        return Explanation("record", rounds, "sum", player, terms=parts)

    def tiebreaker(self, code: str, player: int) -> Explanation:
        """A tiebreaker, from the terms that it was reduced from."""
        key = f"={code}", player
        if key not in self._nodes:
            self._nodes[key] = self._tiebreaker(self.evaluated[code], player)
        return self._nodes[key]

    def total(self, column: str, player: int) -> Explanation:
        """A player's total of a column, round by round."""
        key = column, player
        if key not in self._nodes:
            value = Fraction(self.table.totals(column)[player])
            leaves = tuple(self._leaves(column, player))
            self._nodes[key] = Explanation(column, value, "sum", player, terms=leaves)
        return self._nodes[key]

    def _tiebreaker(self, one: Evaluated, player: int) -> Explanation:
        declared = one.declared
        if declared.over == "own":
            return replace(self._term(one, player), column=declared.code, clause=declared.clause)
        terms = tuple(
            replace(self._term(one, opponent), round=number, seqs=(seq,))
            for number, seq, opponent in self.table.met(player)
        )
        value, how, clause = one.result.value(player), declared.reduction, declared.clause
        return Explanation(declared.code, value, how, player, terms=terms, clause=clause)

    def _term(self, one: Evaluated, player: int) -> Explanation:
        """What a player is worth to a tiebreaker: source, divided, and no less than its floor."""
        declared = one.declared
        source = (
            self.tiebreaker(declared.source, player)
            if declared.source in self.evaluated
            else self.total(declared.source, player)
        )
        node = source if declared.per is None else self._ratio(one, source, player)
        if declared.least is None:
            return node
        floor = Explanation("floor", declared.least, "given", clause=declared.clause)
        value = one.terms.value(player)
        return Explanation(node.column, value, "greatest", player, terms=(node, floor))

    def _ratio(self, one: Evaluated, source: Explanation, player: int) -> Explanation:
        declared = one.declared
        assert declared.per is not None  # noqa: S101 - asked by the caller
        divisor = self.total(declared.per, player)
        if declared.scale != 1:
            scale = Explanation("scale", Fraction(declared.scale), "given", clause=declared.clause)
            column, value = f"{declared.scale} {declared.per}", divisor.value * declared.scale
            divisor = Explanation(column, value, "product", player, terms=(scale, divisor))
        column, value = f"{source.column} / {divisor.column}", one.quotients.value(player)
        return Explanation(column, value, "ratio", player, terms=(source, divisor))

    def _letters(self, name: str, letter: str, player: int) -> Explanation:
        leaves = tuple(
            self._leaf(name, 1, player, round_)
            for round_ in self.table.rounds
            if player < len(round_.records) and round_.records[player] == letter
        )
        return Explanation(name, Fraction(len(leaves)), "sum", player, terms=leaves)

    def _leaves(self, column: str, player: int) -> Iterator[Explanation]:
        values = self.table.columns(column)
        for round_, seqs, value in zip(self.table.rounds, self.table.seqs, values, strict=True):
            if seqs[player]:
                leaf = self._leaf(column, value[player], player, round_)
                yield self._adjusted(leaf, round_) if column == "points" else leaf

    def _adjusted(self, leaf: Explanation, round_: Round) -> Explanation:
        """The points of a round; where a judge gave or took some, what they are made of."""
        match = self._match(leaf.player, round_)
        if match is None or match.result is None or not any(match.result.adjusted):
            return leaf
        side = 0 if match.first == leaf.player else 1
        added = match.result.adjusted[side]
        if not added:
            return leaf
        reported = replace(leaf, value=Fraction(match.result.points[side]), round=0)
        adjustment = replace(reported, column=ADJUSTMENT, value=Fraction(added), seqs=(), clause="")
        return replace(leaf, how="sum", terms=(reported, adjustment), seqs=(), clause="")

    def _leaf(self, column: str, value: int, player: int, round_: Round) -> Explanation:
        clause, seqs = self._clause(column, player, round_), (round_.seqs[player],)
        number = round_.number
        return Explanation(column, Fraction(value), "event", player, number, (), seqs, clause)

    def _clause(self, column: str, player: int, round_: Round) -> str:
        """Return the clause by which a round gave a player a value of a column."""
        fields = {declared.name: declared.clause for declared in self.rules.fields}
        if round_.records[player] == "B":
            return self.rules.bye.clause
        match = self._match(player, round_)
        if match is None or match.result is None:
            return self.rules.unpaired_loss.clause
        outcome = match.result.outcomes[0 if match.first == player else 1]
        if match.result.manner in UNPLAYED:
            absent = outcome == self.rules.full_win.against
            return (self.rules.unpaired_loss if absent else self.rules.bye).clause
        return fields.get(column, self.rules.outcome(outcome).clause)

    def _match(self, player: int, round_: Round) -> Match | None:
        """The match by which a player has a result in the round; None for an unpaired loss."""
        if round_.number not in self._seated:
            self._seated[round_.number] = {
                each: match for match in round_.matches for each in match.players
            }
        match = self._seated[round_.number].get(player)
        return match if match and match.result_seq == round_.seqs[player] else None

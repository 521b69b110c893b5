"""comparison@1: whoever has more of one fact wins; margins and sums come from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.procedures.table import Derived, ahead, other, sided

if TYPE_CHECKING:
    from ledger.procedures.table import Pair, Table
    from ledger.rulesets.procedures import Sum


def comparison(table: Table) -> Derived:
    """Compare the main fact, then the further ones; who concedes loses whatever they show.

    A conceding player's opponent has at least the number `concession` of the main fact.

    Raises:
        Refused: a tie that the ruleset does not have, or a tie broken where there is none.
    """
    declared = table.declared
    main = table.fact(declared.main)
    if table.ending.manner == "concession":
        loser = table.marked(table.ending.marks)
        assert loser is not None  # noqa: S101 - the mark is needed, and on one side
        table.refuse_needless(declared.then, "the game was conceded")
        fact = declared.labels[declared.main]
        if fact.max_for_one and main[loser] == fact.max:
            raise Refused(f"who has {fact.name} {fact.max} has won already ({fact.clause})")
        winner: int | None = other(loser)
        most = max(declared.numbers.get("concession", 0), main[other(loser)])
        main = sided(other(loser), most, main[loser])
    else:
        winner = _winner(table, main)
    return _worth(table, main, winner)


def _winner(table: Table, main: Pair) -> int | None:
    winner = ahead(main)
    for name in table.declared.then:
        if winner is not None:
            table.refuse_needless([name], f"{table.declared.main} is not equal")
        elif not table.has(name):
            raise Refused(f"{table.declared.main} is equal, {main[0]}:{main[1]}: {name} decides")
        else:
            winner = ahead(table.fact(name))
    return winner


def _worth(table: Table, main: Pair, winner: int | None) -> Derived:
    fields = {one.field: _sum(table, one, main, winner) for one in table.declared.sums}
    outcome = table.letter(winner)
    if winner is None or not table.declared.bands:
        return Derived(outcome, fields=fields)
    band = table.declared.band(abs(main[0] - main[1]))
    if band.outcome is not None:
        against = table.rules.outcome(band.outcome).against
        outcome = (band.outcome, against)[winner]
    return Derived(outcome, sided(winner, band.winner, band.loser), fields)


def _sum(table: Table, one: Sum, main: Pair, winner: int | None) -> Pair:
    def side(own: int) -> int:
        if one.side == "winner" and own != winner:
            return 0
        facts = {name: table.fact(name) for name in (*one.own, *one.other)}
        facts[table.declared.main] = main
        total = one.base
        total += sum(weight * facts[name][own] for name, weight in one.own.items())
        total += sum(weight * facts[name][other(own)] for name, weight in one.other.items())
        field = next(field for field in table.rules.fields if field.name == one.field)
        return min(max(total, field.min), field.max)

    return side(0), side(1)

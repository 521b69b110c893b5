"""comparison@1: who has more of one fact wins; margins and sums come from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.procedures.game import Derived, Game, Pair, ahead, as_typed, missing, other, sided

if TYPE_CHECKING:
    from ledger.rulesets.procedures import Sum


def comparison(game: Game) -> Derived:
    """Compare the main fact, then the further ones; who concedes loses whatever they show.

    A conceding player's opponent has at least the number `concession` of the main fact.

    Raises:
        Refused: a tie that the ruleset does not have, or a tiebreak without a tie.
    """
    declared = game.declared
    main = game.fact(declared.main)
    if game.ending.manner != "concession":
        return _worth(game, main, _winner(game, main))
    loser = game.one_marked(game.ending.marks)
    winner = other(loser)
    game.refuse_needless(declared.then, "the game was conceded")
    fact = declared.labels[declared.main]
    if fact.max_for_one and main[loser] == fact.max:
        raise Refused(f"who has {fact.name} {fact.max} has won already ({fact.clause})")
    most = max(declared.numbers.get("concession", 0), main[winner])
    return _worth(game, sided(winner, most, main[loser]), winner)


def _winner(game: Game, main: Pair) -> int | None:
    winner = ahead(main)
    for name in game.declared.then:
        if winner is not None:
            game.refuse_needless([name], f"{game.declared.main} is not equal")
        elif not game.has(name):
            text, pair = "{main} is equal, {pair}: {fact} decides", as_typed(main)
            about = {"main": game.declared.main, "pair": pair}
            raise missing(name, "", text, "fact.tiebreak_missing", **about)
        else:
            winner = ahead(game.fact(name))
    return winner


def _worth(game: Game, main: Pair, winner: int | None) -> Derived:
    fields = {one.field: _sum(game, one, main, winner) for one in game.declared.sums}
    outcome = game.letter(winner)
    if winner is None or not game.declared.bands:
        return Derived(outcome, fields=fields)
    band = game.declared.band(abs(main[0] - main[1]))
    if band.outcome is not None:
        against = game.rules.outcome(band.outcome).against
        outcome = (band.outcome, against)[winner]
    return Derived(outcome, sided(winner, band.winner, band.loser), fields)


def _sum(game: Game, one: Sum, main: Pair, winner: int | None) -> Pair:
    facts = {name: game.fact(name) for name in (*one.own, *one.other)} | {game.declared.main: main}
    field = next(field for field in game.rules.fields if field.name == one.field)

    def side(own: int) -> int:
        if one.side == "winner" and own != winner:
            return 0
        total = one.base
        total += sum(weight * facts[name][own] for name, weight in one.own.items())
        total += sum(weight * facts[name][other(own)] for name, weight in one.other.items())
        return min(max(total, field.min), field.max)

    return side(0), side(1)

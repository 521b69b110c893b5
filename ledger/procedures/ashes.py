"""ashes@1: who fell, and the blood that each side drew (AOP-OUTCOME, AOP-BLOOD)."""

from __future__ import annotations

from ledger.errors import Refused
from ledger.procedures.game import Derived, Game, missing, other, sided


def ashes(game: Game) -> Derived:
    """Decide by who fell; the winner's blood is that of a destroyed opponent.

    Raises:
        Refused: what is missing or contradictory, and a draw in an elimination.
    """
    ending = game.ending
    if ending.marks == "lost":
        game.refuse_needless(["destroyed", "active"], f"the match ended by {ending.name}")
        loser = game.marked("lost")
    else:
        game.refuse_needless(["lost"], f"the match ended by {ending.name}")
        loser = _fallen(game)
    wounds = game.fact("wounds")
    if loser is None:
        if ending.name == "destroyed":
            raise missing("destroyed", "AOP-OUTCOME", why="whose Phoenixborn was destroyed")
        if game.elimination:
            why = "the bracket has no draws: play on until someone falls"
            raise Refused(f"{why} (AOP-BRACKET-TIME)")
        return Derived(game.letter(None), fields={"blood": wounds})
    winner = other(loser)
    blood = sided(winner, game.number("destroyed"), wounds[loser])
    return Derived(game.letter(winner), fields={"blood": blood})


def _fallen(game: Game) -> int | None:
    """The side that lost by destruction; both: the active player wins (AOP-SIMULTANEOUS)."""
    if game.ending.name == "declared draw":
        game.refuse_needless(["destroyed", "active"], "a draw was declared")
    if game.fact("destroyed") != (1, 1):
        game.refuse_needless(["active"], "it decides only where both fell", "AOP-SIMULTANEOUS")
        return game.marked("destroyed")
    active = game.marked("active")
    if active is None:
        raise missing("active", "AOP-SIMULTANEOUS", why="both fell, and who was active wins")
    return other(active)

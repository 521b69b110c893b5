"""ashes@1: who fell, and the blood that each side drew (AOP-OUTCOME, AOP-BLOOD)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.procedures.table import Derived, other, sided

if TYPE_CHECKING:
    from ledger.procedures.table import Table


def ashes(table: Table) -> Derived:
    """Decide by who fell; the winner's blood is that of a destroyed opponent.

    Raises:
        Refused: what is missing or contradictory, and a draw in an elimination.
    """
    ending = table.ending
    if ending.marks == "lost":
        table.refuse_needless(["destroyed", "active"], f"the match ended by {ending.name}")
        loser = table.marked("lost")
    else:
        table.refuse_needless(["lost"], f"the match ended by {ending.name}")
        loser = _fallen(table)
    wounds = table.fact("wounds")
    if loser is None:
        if ending.name == "destroyed":
            raise Refused("say who was destroyed, as destroyed=0:1 (AOP-OUTCOME)")
        if table.elimination:
            raise Refused(
                "the bracket has no draws: play on until someone falls (AOP-BRACKET-TIME)"
            )
        return Derived(table.letter(None), fields={"blood": wounds})
    winner = other(loser)
    blood = sided(winner, table.number("destroyed"), wounds[loser])
    return Derived(table.letter(winner), fields={"blood": blood})


def _fallen(table: Table) -> int | None:
    """The side that lost by destruction; both: the active player wins (AOP-SIMULTANEOUS)."""
    fallen = table.fact("destroyed")
    if table.ending.name == "declared draw":
        table.refuse_needless(["destroyed", "active"], "a draw was declared")
    if fallen != (1, 1):
        table.refuse_needless(["active"], "it decides only where both fell (AOP-SIMULTANEOUS)")
        return table.marked("destroyed")
    active = table.marked("active")
    if active is None:
        raise Refused("both fell: say who was active, as active=1:0 (AOP-SIMULTANEOUS)")
    return other(active)

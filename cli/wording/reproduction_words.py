"""What came of computing a published event again, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from cli.terminal.counting import how_many
from cli.wording.phrases import safe_text

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from projections.reproduction import Oddity, Reproduction

ODDITIES = {
    "rematch": "round {round}: {who} meet again, as in round {before}",
    "second-bye": "round {round}: {who} has a second bye, after round {before}",
    "two-byes": "round {round}: two byes at once, {who}",
    "no-result": "round {round}: {who} have no result, and others followed",
}


def number_text(exact: str | None) -> str:
    """Return an exact number as a decimal of at most six places; a dash for none."""
    if exact is None:
        return "-"
    number = Fraction(exact)
    return str(number) if number.denominator == 1 else f"{float(number):.6f}".rstrip("0")


def explanation_lines(found: Reproduction) -> Iterator[str]:
    """Say which one change of a setting would explain what does not follow."""
    for each in found.explained:
        yield f"one setting explains all of them: {each.setting}: {each.value}"
    if found.nearly:
        left = how_many(found.nearly.left, "number")
        yield (f"one setting explains all but {left}: {found.nearly.setting}: {found.nearly.value}")
    elif found.comparison.wrong and not found.explained:
        yield "no one setting explains them"


def oddity_line(each: Oddity, tournament: Tournament) -> str:
    """Say what is unusual in a round."""
    names = [safe_text(tournament.names.get(f"p{player}", "")) for player in each.players]
    who = " and ".join(names)
    return ODDITIES[each.kind].format(round=each.round, who=who, before=each.before)

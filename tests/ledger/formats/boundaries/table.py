"""What a row of the boundary tables is: one list, where its sentence stands, and what it comes to.

The rows are made from the sources alone, never from what the program says of a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ledger import formats
from ledger.errors import Refused
from tests.support.files.format_lists import clauses, found, unchecked

if TYPE_CHECKING:
    from ledger.facts.base import Tier

State = Literal["passes", "breaks", "not checked", "refused"]
Verdict = State | bool
"""A state, or whether the list is legal."""

Rows = Iterator["Boundary"]


class Boundary(Struct, frozen=True):
    """`source` is the file's short name and the line; `also` names clauses that break with it."""

    source: str
    clause: str
    says: str
    state: State
    text: str
    cards: str
    named: str
    date: str = "2018-11-03"
    tier: Tier = "formal"
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The row's name in the test."""
        return f"{self.clause} {self.source} {self.says}"


@lru_cache(maxsize=64)
def cards_from(key: str, text: str) -> formats.CardFile:
    """The cards of a text, read once."""
    return formats.read_cards(text.encode(), formats.load(key).format, "cards.csv")


def outcome(row: Boundary) -> str:
    """What the program makes of the row; the row's own state where it is right."""
    cards = cards_from(row.named.partition(":")[0], row.cards)
    try:
        result = found(row.text, row.named, cards, date=row.date, tier=row.tier)
    except Refused as refused:
        return "refused" if row.state == "refused" else f"refused: {refused}"
    broken = clauses(result)
    open_ = {clause for clause, _ in unchecked(result)}
    right = {
        "passes": not broken,
        "breaks": row.clause in broken and broken <= {row.clause, *row.also},
        "not checked": row.clause in open_ and row.clause not in broken,
        "refused": False,
    }
    if right[row.state]:
        return row.state
    return f"breaks {sorted(broken)}, not checked {sorted(open_)}"


def lines(*names: str, count: int = 1) -> str:
    """So many copies of each, a line each."""
    return "".join(f"{count} {name}\n" for name in names)


def threes(prefix: str, total: int) -> str:
    """So many cards of numbered names, three copies of each and the rest of the last one."""
    whole, rest = divmod(total, 3)
    text = "".join(f"3 {prefix} {n:02}\n" for n in range(whole))
    return text + (f"{rest} {prefix} {whole:02}\n" if rest else "")


def state(*, legal: bool) -> State:
    return "passes" if legal else "breaks"

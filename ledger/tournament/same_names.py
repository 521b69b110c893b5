"""When two names are one, and who goes by a name.

A name is recorded as typed, and compared in one form of Unicode, without case, outer and doubled
spaces. Accents are part of it: Jose and José may be two people.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from ledger.tournament.state import Tournament


def name_key(name: str) -> str:
    """A name as it is compared; equal for two ways to write the same one."""
    if name.isascii():
        return " ".join(name.lower().split())
    # Folding can take letters apart that the first form has put together (Unicode, caseless match).
    folded = normalize("NFKC", name).casefold()
    return " ".join(normalize("NFKC", folded).split())


def player_named(tournament: Tournament, name: str, besides: str = "") -> int:
    """The registered player of that name, other than besides (p7); 0 for none."""
    numbers = (player.number for player in tournament.registered())
    return _first_named(tournament, "p", numbers, name, besides)


def official_named(tournament: Tournament, name: str, besides: str = "") -> int:
    """The official of that name, other than besides (o2); 0 for none."""
    numbers = range(1, len(tournament.officials))
    return _first_named(tournament, "o", numbers, name, besides)


def _first_named(
    tournament: Tournament, kind: str, numbers: Iterable[int], name: str, besides: str
) -> int:
    sought = name_key(name)
    for number in numbers:
        of = f"{kind}{number}"
        known = "" if of == besides or of in tournament.forgotten else tournament.names.get(of, "")
        if known and name_key(known) == sought:
            return number
    return 0

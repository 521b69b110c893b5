"""Everyone's hopes where the cut goes by rank: what the search is asked, and what follows unasked.

Of two results of a player's own match one is no worse where it adds no more to anybody else, seen
from that player. Then whatever can be with the worse one can be with the better one, so a chain of
results from the best to the worst goes from certain over possible to out: where both its ends
have one answer, so has what lies between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.whatif.hopes import Chance
from projections.whatif.hopes import Hope
from projections.whatif.hopes import over_all
from projections.whatif.hopes import own_results
from projections.whatif.search import Rivals
from projections.whatif.search import TooManyBranches
from projections.whatif.search import no_worse

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.whatif.hopes import Verdict
    from projections.whatif.race import Race


def by_rank(measured: Race, places: int) -> dict[int, Hope]:
    """Tell of each player whether they can be among the first `places`, and outside."""
    return {player: _hope(measured, player, places) for player in measured.players}


def _hope(measured: Race, player: int, places: int) -> Hope:
    rivals = Rivals(measured, player)
    at, own = own_results(player, measured.matches, measured.results)
    if at < 0:
        return over_all(player, [Chance(None, _verdict(rivals, places, None))])
    verdicts: dict[int, Verdict] = {}
    for chain in _chains(rivals.gained_by(at)):
        verdicts |= _along(chain, lambda result: _verdict(rivals, places, (at, result)))
    return over_all(player, [Chance(result, verdicts[place]) for place, result in enumerate(own)])


def _verdict(rivals: Rivals, places: int, own: tuple[int, int] | None) -> Verdict:
    try:
        if not rivals.can_be_among(places, own):
            return "out"
        return "possible" if rivals.can_be_outside(places, own) else "certain"
    except TooManyBranches:
        return "open"


def _chains(gained: list[tuple[int, ...]]) -> list[list[int]]:
    """Put the results in chains, each result in one, no worse than those after it."""
    chains: list[list[int]] = []
    for result in sorted(range(len(gained)), key=lambda one: sum(gained[one])):
        for chain in chains:
            if no_worse(gained[chain[-1]], gained[result]):
                chain.append(result)
                break
        else:
            chains.append([result])
    return chains


def _along(chain: list[int], ask: Callable[[int], Verdict]) -> dict[int, Verdict]:
    """Answer for every result of a chain, asking only where its ends do not say it."""
    told: dict[int, Verdict] = {}
    spans = [(0, len(chain) - 1)]
    while spans:
        first, last = spans.pop()
        for end in (first, last):
            if chain[end] not in told:
                told[chain[end]] = ask(chain[end])
        verdict = told[chain[first]]
        if verdict == told[chain[last]] != "open":
            told |= dict.fromkeys(chain[first:last], verdict)
        elif last - first > 1:
            middle = (first + last) // 2
            spans += [(first, middle), (middle, last)]
    return told

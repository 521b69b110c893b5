"""Everyone's verdict where the cut goes by rank: what is asked of the search, and what follows.

Of two results of a player's own match one is no worse where it adds no more to anybody else, seen
from that player. Then whatever can be with the worse one can be with the better one, so a chain of
results from the best to the worst goes from certain over possible to out: where both its ends
have one answer, so has what lies between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from projections.whatif.chances import Verdict
from projections.whatif.outcomes import ResultKind
from projections.whatif.rivals import Rivals
from projections.whatif.score_model import ScoreModel
from projections.whatif.search import no_worse


def by_rank(
    model: ScoreModel, kinds: Sequence[ResultKind], places: int, *, searched: bool = True
) -> dict[int, list[Verdict]]:
    """Say of each player, by each kind of their own match's result, what becomes of them.

    Who has no open match has one verdict. Without a search only bounds are asked.
    """
    rivals = Rivals(model)
    playing = {player for effect in model.effects for player in effect.players}
    every = tuple(range(len(model.keys)))
    own = [tuple(kind.places) for kind in kinds]
    found: dict[int, list[Verdict]] = {}
    for player in model.players:
        options = own if player in playing else [()]
        at_once = rivals.at_once(player, places, every if player in playing else ())
        if at_once is not None:
            found[player] = [at_once] * len(options)
        elif searched:
            found[player] = _by_own(rivals, player, places, options)
        else:
            known = [rivals.at_once(player, places, each) for each in options]
            found[player] = [verdict or "not proven" for verdict in known]
    return found


def _by_own(
    rivals: Rivals, player: int, places: int, options: Sequence[tuple[int, ...]]
) -> list[Verdict]:
    """Answer for every kind, asking of a chain of kinds only where its ends do not say it."""
    verdicts: dict[int, Verdict] = {}
    for chain in _chains([rivals.gained_by(player, each) for each in options]):
        verdicts |= _along(chain, lambda kind: rivals.verdict(player, places, options[kind]))
    return [verdicts[kind] for kind in range(len(options))]


def _chains(gained: Sequence[Sequence[int]]) -> list[list[int]]:
    """Put the kinds in chains, each in one, no worse than those after it; nothing known: alone."""
    chains: list[list[int]] = []
    for kind in sorted(range(len(gained)), key=lambda one: sum(gained[one])):
        for chain in chains:
            known = gained[chain[-1]] and gained[kind]
            if known and no_worse(gained[chain[-1]], gained[kind]):
                chain.append(kind)
                break
        else:
            chains.append([kind])
    return chains


def _along(chain: list[int], ask: Callable[[int], Verdict]) -> dict[int, Verdict]:
    """Answer for every result of a chain, asking only where its ends do not say it."""
    known: dict[int, Verdict] = {}
    spans = [(0, len(chain) - 1)]
    while spans:
        first, last = spans.pop()
        for end in (first, last):
            if chain[end] not in known:
                known[chain[end]] = ask(chain[end])
        verdict = known[chain[first]]
        if verdict == known[chain[last]] != "not proven":
            known |= dict.fromkeys(chain[first:last], verdict)
        elif last - first > 1:
            middle = (first + last) // 2
            spans += [(first, middle), (middle, last)]
    return known

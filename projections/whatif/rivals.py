"""Everyone in a score model as one player has to see them: can they be among the first, or outside.

For a player every other one is a sum over the open matches, positive where they stand above. Bounds
tell most of it (`bounds`); what they leave in doubt is searched (`search`), first with each kind of
result at its best, which proves a no, then with few results of each, which proves a yes, then with
all of them.
"""

from __future__ import annotations

from operator import add, sub

from projections.whatif import search
from projections.whatif.bounds import bounded
from projections.whatif.chances import Verdict
from projections.whatif.oriented_model import Front, OrientedModel
from projections.whatif.score_model import ScoreModel
from projections.whatif.search import Gains, Rival, Search, TooMuchWork, addend


class Rivals:
    """Everyone in a score model, as one player has to see them; asked as often as needed."""

    def __init__(self, model: ScoreModel) -> None:
        self._ways = OrientedModel(model, turned=False), OrientedModel(model, turned=True)
        self._last = len(model.players) - 1
        self._doubts: tuple[OpenQuestion, OpenQuestion] | None = None
        self.work_left = search.WORK_IN_ALL_MAX

    def can_be_among(self, player: int, places: int, own: tuple[int, ...]) -> bool | None:
        """Whether the player can be among the first, with one of their own results.

        None: it could not be settled.
        """
        return self._settled(player, 0, places - 1, own)

    def can_be_outside(self, player: int, places: int, own: tuple[int, ...]) -> bool | None:
        """Whether the player can be outside the first, in the same way."""
        return self._settled(player, 1, self._last - places, own)

    def verdict(self, player: int, places: int, own: tuple[int, ...]) -> Verdict:
        """What becomes of the player with one of their own results."""
        among = self.can_be_among(player, places, own)
        if among is False:
            return "out"
        outside = self.can_be_outside(player, places, own)
        if outside is False:
            return "certain"
        return "possible" if among and outside else "not proven"

    def gained_by(self, player: int, own: tuple[int, ...]) -> list[int]:
        """What an own result adds to the others, seen from the player; nothing where it is not one.

        So results can be compared; a kind of many is not.
        """
        if len(own) != 1:
            return []
        model = self._ways[0]
        match, key = model.matches[model.seat[player][0]], model.keys[own[0]]
        side = match.players.index(player)
        lost, theirs = match.own[side][own[0]], match.own[1 - side][own[0]]
        gained = [values[key] for values in match.others.values()]
        return [each - lost for each in (theirs, 0, *gained)]

    def at_once(self, player: int, places: int, own: tuple[int, ...]) -> Verdict | None:
        """What becomes of the player whatever their result, where bounds alone tell it."""
        if bounded(self._ways[0], player, places - 1, own) is False:
            return "out"
        if bounded(self._ways[1], player, self._last - places, own) is False:
            return "certain"
        return None

    def _settled(self, player: int, way: int, limit: int, own: tuple[int, ...]) -> bool | None:
        known = bounded(self._ways[way], player, limit, own)
        return self._doubt(player, way).holds(limit, own) if known is None else known

    def _doubt(self, player: int, way: int) -> OpenQuestion:
        if self._doubts is None or self._doubts[0].player != player:
            one, other = self._ways
            self._doubts = OpenQuestion(one, player, self), OpenQuestion(other, player, self)
        return self._doubts[way]


class OpenQuestion:
    """What bounds leave in doubt about a player, to be searched."""

    def __init__(self, model: OrientedModel, player: int, asked_by: Rivals) -> None:
        self.player = player
        self._asked_by = asked_by
        self._model = model
        self._seat = model.seat.get(player, (-1, 0))[0]
        self._lost = [_needed(model, at, player) for at in range(len(model.matches))]
        self._apart: dict[int, Rival] = {}

    def holds(self, limit: int, own: tuple[int, ...]) -> bool | None:
        """Whether some results leave no more than a limit of players above; None: not settled."""
        model, player = self._model, self.player
        mine = model.own_front(player, own) if self._seat >= 0 else None
        most = model.high[player] - (mine.one[0] if mine else 0)
        least = model.low[player] - (max(mine.lacking) if mine else 0)
        contested = []
        for other in model.players:
            if other == player or model.most[other] <= least:
                continue
            if model.least[other] > most:
                limit -= 1
                continue
            seen = self._seen(other, mine)
            if seen.low > 0:
                limit -= 1
            elif seen.high > 0:
                contested.append(seen)
        return self._searched(contested, limit, mine)

    def _searched(self, contested: list[Rival], limit: int, mine: Front | None) -> bool | None:
        """Ask with each kind of result at its best, then with few of each kind, then with all."""
        options = [match.front.needed for match in self._model.matches]
        if mine is not None:
            options[self._seat] = mine.needed
        every = [[[place] for place in range(len(each))] for each in options]
        kinds = [_together(each, self._model.kinds) for each in options]
        if every != kinds:
            best = [_at_best(other, kinds) for other in contested]
            if self._found(best, kinds, limit) is False:
                return False
            few = [_few(at, each, contested) for at, each in enumerate(kinds)]
            if self._found([_at_best(other, few) for other in contested], few, limit):
                return True
        return self._found(contested, every, limit)

    def _found(self, others: list[Rival], groups: list[list[list[int]]], limit: int) -> bool | None:
        spent = min(search.WORK_MAX, self._asked_by.work_left)
        asked = Search([len(each) for each in groups], spent)
        try:
            return asked.holds(others, frozenset(range(len(groups))), limit)
        except TooMuchWork:
            return None
        finally:
            self._asked_by.work_left -= spent - max(asked.work, 0)

    def _seen(self, other: int, mine: Front | None) -> Rival:
        """How far another player is above this one, by every match."""
        known = self._apart.get(other)
        if known is None:
            known = self._apart[other] = self._by_other_matches(other)
        if mine is None:
            return known
        gained = _gained(self._model, self._seat, mine.needed, other) or [0] * len(mine.needed)
        added = addend(list(map(add, gained, mine.lacking)))
        gains = known.gains | {self._seat: added}
        return Rival(known.low + added.least, known.high + added.most, gains)

    def _by_other_matches(self, other: int) -> Rival:
        low = high = self._model.base[other] - self._model.base[self.player]
        gains: Gains = {}
        for at, lost in enumerate(self._lost):
            gained = _needed(self._model, at, other)
            if at == self._seat or (gained is None and lost is None):
                continue
            nothing = [0] * len(gained or lost or ())
            added = addend(list(map(sub, gained or nothing, lost or nothing)))
            low += added.least
            high += added.most
            if added.least != added.most:
                gains[at] = added
        return Rival(low, high, gains)


def _together(options: list[int], kinds: list[int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for place, option in enumerate(options):
        found.setdefault(kinds[option], []).append(place)
    return list(found.values())


def _at_best(other: Rival, groups: list[list[list[int]]]) -> Rival:
    """Another player's sum where each group of a match's results adds the least of them."""
    gains = {}
    low = high = other.low
    for at, gained in other.gains.items():
        values = gained.values
        added = addend([min([values[place] for place in group]) for group in groups[at]])
        low += added.least - gained.least
        high += added.most - gained.least
        gains[at] = added
    return Rival(low, high, gains)


def _few(at: int, kinds: list[list[int]], contested: list[Rival]) -> list[list[int]]:
    """Of each kind of a match's results those that add the least to one of the contested."""
    gains = [other.gains[at].values for other in contested if at in other.gains]
    chosen = [min(kind, key=values.__getitem__) for values in gains for kind in kinds]
    return [[place] for place in dict.fromkeys(chosen or (0,))]


def _needed(model: OrientedModel, at: int, player: int) -> list[int] | None:
    """What each result of a match that matters adds to a player; None: nothing."""
    return _gained(model, at, model.matches[at].front.needed, player)


def _gained(model: OrientedModel, at: int, options: list[int], player: int) -> list[int] | None:
    match = model.matches[at]
    if player in match.players:
        own = match.own[match.players.index(player)]
        return [own[option] for option in options]
    values = match.others.get(player)
    return None if values is None else [values[model.keys[option]] for option in options]

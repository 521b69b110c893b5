"""Whether a player can be among the first, or outside: bounds, then branch and bound.

For a player each rival is a sum over the open matches, positive if the rival is above. Bounds
decide most questions. The others are searched, first with each kind of result at its best, which
proves a no, then with few results of each kind, which proves a yes, then with all of them.

An `OrientedModel` has the numbers of the score model as they are or mirrored, so that being among
the first and being outside are one question. Of every open match it keeps the least that its two
players can have: a result that leaves both no less than another one, and is the same to everybody
else, is never needed.

Bounds from outside: everybody else has the least, and the player the most, that the matches of
others can bring about; then each open match counts for itself, by its own two players. If too many
are above even so, the answer is no. From inside: the same with the most and the least; if few
enough are above even so, it is yes.

A branch of the search fixes some matches. In it a rival is surely above, surely not, or contested.
It is given up when too many are surely above: those who are above for every other result, and for
each open match the fewest of its contested players that any of its results puts there. Of two
results of a match one is no worse if it adds no more to any contested player; all results that put
a player surely above are alike for that player, and so are all that surely do not. A result is not
tried if another one is no worse. A search that takes too much work is not settled.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import add, sub

from msgspec import Struct

from projections.whatif.outcomes import Verdict
from projections.whatif.score_model import MatchEffect, ScoreModel


class Front(Struct, frozen=True):
    """The least that two players can have of one match together: the more one, the less the other.

    `needed` are the results that matter where their keys do as well; `lacking` is what the one has
    by each of these.
    """

    one: list[int]
    other: list[int]
    needed: list[int]
    lacking: list[int]


class OpenMatch(Struct, frozen=True):
    """An open match: what each result adds to its players, what each key adds to the others."""

    players: tuple[int, int]
    own: tuple[list[int], list[int]]
    others: dict[int, list[int]]
    front: Front


class OrientedModel:
    """The model, or its mirror image: who is last there is first here.

    `low` and `high` bound what everybody can have by the matches that they do not play, `least` and
    `most` by their own as well.
    """

    def __init__(self, model: ScoreModel, *, turned: bool) -> None:
        sign = -1 if turned else 1
        self.keys = model.keys
        self.kinds = model.kinds
        self.players = model.players
        self.base = {player: sign * base for player, base in model.base.items()}
        self.matches = [_signed(effect, model.keys, sign) for effect in model.effects]
        self.seat = {
            player: (at, side)
            for at, match in enumerate(self.matches)
            for side, player in enumerate(match.players)
        }
        self.low = dict(self.base)
        self.high = dict(self.base)
        for match in self.matches:
            for player, values in match.others.items():
                if player in self.base:
                    self.low[player] += min(values)
                    self.high[player] += max(values)
        self.least, self.most = dict(self.low), dict(self.high)
        for player, (at, side) in self.seat.items():
            if player in self.base:
                own = self.matches[at].own[side]
                self.least[player] += min(own)
                self.most[player] += max(own)
        idle = [player for player in self.players if player not in self.seat]
        self.idle_low = sorted(self.low[player] for player in idle)
        self.idle_high = sorted(self.high[player] for player in idle)
        self._fronts: dict[tuple[int, int, tuple[int, ...]], Front] = {}

    def own_front(self, player: int, options: tuple[int, ...]) -> Front:
        """What the player can have at the most of their own match, and the opponent at the least.

        `one` is negated: it is what the player lacks.
        """
        at, side = self.seat[player]
        key = (at, side, options)
        if key not in self._fronts:
            own = self.matches[at].own
            lacking = [-value for value in own[side]]
            self._fronts[key] = front(lacking, own[1 - side], self.keys, options)
        return self._fronts[key]


def _signed(effect: MatchEffect, keys: list[int], sign: int) -> OpenMatch:
    one, other = ([sign * value for value in values] for values in effect.own)
    others = {player: [sign * each for each in moved] for player, moved in effect.others.items()}
    return OpenMatch(
        effect.players, (one, other), others, front(one, other, keys, range(len(keys)))
    )


def front(
    one: Sequence[int], other: Sequence[int], keys: Sequence[int], options: Iterable[int]
) -> Front:
    """Find what is not beaten: in all for the front, among those of one key for what is needed."""
    least: dict[int, int] = {}
    needed: list[int] = []
    lacking: list[int] = []
    ones: list[int] = []
    others: list[int] = []
    for first, second, option in sorted([(one[each], other[each], each) for each in options]):
        key = keys[option]
        if key not in least or second < least[key]:
            least[key] = second
            needed.append(option)
            lacking.append(first)
            if not others or second < others[-1]:
                ones.append(first)
                others.append(second)
    return Front(ones, others, needed, lacking)


def bounded(model: OrientedModel, player: int, limit: int, own: tuple[int, ...]) -> bool | None:
    """Whether no more than a limit can be left above a player, as far as bounds alone show it."""
    if limit < 0:
        return False
    mine = model.own_front(player, own) if player in model.seat else None
    if _from_outside(model, player, mine, limit) > limit:
        return False
    return True if _from_inside(model, player, mine, limit) else None


def _from_outside(model: OrientedModel, player: int, mine: Front | None, limit: int) -> int:
    """The fewest who can be above; no more exactly than needed to be over the limit."""
    most = model.high[player] + (-mine.one[0] if mine else 0)
    above = len(model.idle_low) - bisect_right(model.idle_low, most)
    if mine is not None:
        at, side = model.seat[player]
        opponent = model.matches[at].players[1 - side]
        apart = min(map(int.__add__, mine.one, mine.other)) - model.high[player]
        above += opponent in model.base and model.low[opponent] + apart > 0
    return above + _in_matches(model, player, most, model.low, limit - above)


def _from_inside(model: OrientedModel, player: int, mine: Front | None, limit: int) -> bool:
    """Whether one of their own results is enough even where everything else goes against them."""
    if mine is None:
        return _enough(model, player, model.low[player], 0, limit)
    at, side = model.seat[player]
    opponent = model.matches[at].players[1 - side]
    for lacking, theirs in zip(mine.one, mine.other, strict=True):
        least = model.low[player] - lacking
        above = opponent in model.base and model.high[opponent] + theirs > least
        if _enough(model, player, least, int(above), limit):
            return True
    return False


def _enough(model: OrientedModel, player: int, least: int, above: int, limit: int) -> bool:
    above += len(model.idle_high) - bisect_right(model.idle_high, least)
    if player not in model.seat:
        above -= model.high[player] > least  # they are no rival of their own
    return above + _in_matches(model, player, least, model.high, limit - above) <= limit


def _in_matches(
    model: OrientedModel, player: int, most: int, by: dict[int, int], limit: int
) -> int:
    """The fewest of those who play that can stand above a number, each match for itself."""
    above = 0
    for match in model.matches:
        if player in match.players:
            continue
        rooms = (most - by[each] if each in by else None for each in match.players)
        above += _fewest_above(match.front, *rooms)
        if above > limit:
            break
    return above


def _fewest_above(front: Front, one: int | None, other: int | None) -> int:
    """How many of two players a match must leave above their bounds; None: they do not count."""
    if one is None or other is None:
        lacks_one = one is not None and front.one[0] > one
        return int(lacks_one or (other is not None and front.other[-1] > other))
    place = bisect_right(front.one, one)
    return int(front.other[place - 1] > other) if place else 1 + (front.other[-1] > other)


WORK_MAX = 1_000_000
"""How many numbers a search looks at before the question is left open: about a second's work."""

WORK_IN_ALL_MAX = 4 * WORK_MAX
"""The same for all the questions about a score model."""


class TooMuchWork(Exception):  # noqa: N818 - named for what happened
    """The search was given up: neither answer is proven."""


class Addend(Struct, frozen=True):
    """What a match adds to a sum by each of its results, and the bounds of that."""

    values: list[int]
    least: int
    most: int


Gains = dict[int, Addend]
"""By the place of the match; a match that adds nothing whatever its result is left out."""


class Rival(Struct):
    """Another player's sum: its bounds by what is still open, and what each match adds."""

    low: int
    high: int
    gains: Gains


def addend(values: list[int]) -> Addend:
    """Bound what the results add."""
    return Addend(values, min(values), max(values))


class Search:
    """One question: how many results each match has, and how much work is left to be done."""

    def __init__(self, widths: list[int], work: int) -> None:
        self.widths = widths
        self.work = work

    def holds(self, others: list[Rival], open_matches: frozenset[int], limit: int) -> bool:
        """Whether some results of the open matches leave no more than a limit of sums positive."""
        self.work -= 1
        if self.work < 0:
            raise TooMuchWork
        sure = sum(other.low > 0 for other in others)
        contested = [other for other in others if other.low <= 0 < other.high]
        room = limit - sure
        if room < 0 or len(contested) <= room:
            return room >= 0
        homes = _homes(contested, open_matches)
        # One who is alone there is left out of the way by the result that adds least to them.
        crowded = (each for each in homes.items() if len(each[1]) > 1)
        if sum(self._fewest(match, group) for match, group in crowded) > room:
            return False
        match = max(homes, key=lambda place: _weight(place, contested))
        self.work -= self.widths[match] * len(contested)
        rest = open_matches - {match}
        return any(
            self.holds([_fixed(other, match, result) for other in contested], rest, room)
            for result in self._worth_trying(match, contested)
        )

    def _fewest(self, match: int, group: list[Rival]) -> int:
        """The fewest of the group that a result of their match surely puts above."""
        above = [0] * self.widths[match]
        for other in group:
            gained = other.gains[match]
            enough = gained.least - other.low
            for result, value in enumerate(gained.values):
                above[result] += value > enough
        return min(above)

    def _worth_trying(self, match: int, contested: list[Rival]) -> list[int]:
        """The results of a match without those that another is no worse than, the best first."""
        here = [(other, other.gains[match]) for other in contested if match in other.gains]
        columns = list(zip(*(_clipped(*each) for each in here), strict=True))
        unlike = {column: result for result, column in enumerate(columns)}
        promise = {result: _promise(here, result) for result in unlike.values()}
        chosen: list[int] = []
        for result in sorted(promise, key=promise.__getitem__):
            if not any(no_worse(columns[other], columns[result]) for other in chosen):
                chosen.append(result)
        return chosen


def no_worse(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one adds no more than the other to anybody."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def _clipped(other: Rival, gained: Addend) -> Iterator[int]:
    """What each result adds, all values alike that put the other surely above, or surely not."""
    above, below = gained.least - other.low, gained.most - other.high
    for value in gained.values:
        yield gained.most + 1 if value > above else gained.least - 1 if value <= below else value


def _promise(here: list[tuple[Rival, Addend]], result: int) -> tuple[int, int]:
    """How many stay above in the middle of what is open, and by how much: the least comes first."""
    above = sum(
        other.low + other.high + 2 * gained.values[result] > gained.least + gained.most
        for other, gained in here
    )
    return above, sum(gained.values[result] for _, gained in here)


def _homes(contested: list[Rival], open_matches: frozenset[int]) -> dict[int, list[Rival]]:
    """Put each contested player to the open match that moves them most."""
    homes: dict[int, list[Rival]] = {}
    for other in contested:
        spreads = [
            (gained.most - gained.least, -match)
            for match, gained in other.gains.items()
            if match in open_matches
        ]
        homes.setdefault(-max(spreads)[1], []).append(other)
    return homes


def _weight(match: int, contested: list[Rival]) -> float:
    """How much of what is open about the contested players a match decides."""
    return sum(
        (other.gains[match].most - other.gains[match].least) / (other.high - other.low)
        for other in contested
        if match in other.gains
    )


def _fixed(other: Rival, match: int, result: int) -> Rival:
    """The other's sum once a match has that result; it is not among the open ones any more."""
    gained = other.gains.get(match)
    if gained is None:
        return other
    value = gained.values[result]
    return Rival(other.low - gained.least + value, other.high - gained.most + value, other.gains)


class Rivals:
    """Everyone in a score model, as one player has to see them; asked as often as needed."""

    def __init__(self, model: ScoreModel) -> None:
        self._ways = OrientedModel(model, turned=False), OrientedModel(model, turned=True)
        self._last = len(model.players) - 1
        self._doubts: tuple[OpenQuestion, OpenQuestion] | None = None
        self.work_left = WORK_IN_ALL_MAX

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
        spent = min(WORK_MAX, self._asked_by.work_left)
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

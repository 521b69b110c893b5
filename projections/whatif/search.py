"""Whether some outcome of all open matches leaves at most so many players above one.

For a player every other one is a sum over the open matches, positive where they stand above. That
is settled in three steps, each sound on its own:

1. From outside. Everybody else has the least, and the player the most, that the matches of others
   can bring about; then each match counts for itself, by its own two players. Where too many are
   above even so, the answer is no.
2. From inside. The same with the most and the least: where few enough are above even so, it is yes.
3. Branch and bound over what is still in doubt. A branch fixes some matches. In it a player is
   surely above, surely not, or contested. It is given up when too many are surely above: those who
   are so whatever else happens, and for each open match the fewest of its contested players that
   any of its results puts there. Of two results of a match one is no worse where it adds no more
   to anybody contested; what puts somebody surely above is all alike there, and what surely does
   not. A result that another is no worse than is not tried. Where it takes too many branches, it
   is not settled.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from projections.whatif.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from projections.whatif.field import Front
    from projections.whatif.hopes import Verdict
    from projections.whatif.race import Race

WORK_MAX = 1_000_000
"""How many numbers a search looks at before the question is left open: about a second's work."""

WORK_IN_ALL_MAX = 4 * WORK_MAX
"""The same for all the questions about a race."""


class TooMuchWork(Exception):  # noqa: N818 - named for what happened
    """The search was given up: neither answer is proven."""


class Addend(Struct, frozen=True):
    """What a match adds to a sum by each of its results, and the bounds of that."""

    values: list[int]
    least: int
    most: int


Gains = dict[int, Addend]
"""By the place of the match; a match that adds nothing whatever its result is left out."""


class _Other(Struct):
    """Another player's sum: its bounds by what is still open, and what each match adds."""

    low: int
    high: int
    gains: Gains


class Purse(Struct):
    """How much work is left for all questions together."""

    left: int


class Rivals:
    """Everyone in a race, as one player has to see them; asked as often as needed."""

    def __init__(self, race: Race) -> None:
        self._ways = Field(race, turned=False), Field(race, turned=True)
        self._last = len(race.players) - 1
        self._doubts: tuple[Doubt, Doubt] | None = None
        self._purse = Purse(WORK_IN_ALL_MAX)

    def can_be_among(self, player: int, places: int, own: tuple[int, ...]) -> bool | None:
        """Whether the player can be among the first `places`, with one of their `own` results.

        None: it could not be settled.
        """
        return self._settled(player, 0, places - 1, own)

    def can_be_outside(self, player: int, places: int, own: tuple[int, ...]) -> bool | None:
        """Whether the player can be outside the first `places`; as `can_be_among`."""
        return self._settled(player, 1, self._last - places, own)

    def gained_by(self, player: int, own: tuple[int, ...]) -> list[int]:
        """What an own result adds to the others, seen from the player; nothing where it is not one.

        So results can be compared; a kind of many is not.
        """
        if len(own) != 1:
            return []
        field = self._ways[0]
        match, key = field.matches[field.seat[player][0]], field.keys[own[0]]
        lost = match.own[match.players.index(player)][own[0]]
        theirs = match.own[1 - match.players.index(player)][own[0]]
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

    def _doubt(self, player: int, way: int) -> Doubt:
        if self._doubts is None or self._doubts[0].player != player:
            one, other = self._ways
            self._doubts = Doubt(one, player, self._purse), Doubt(other, player, self._purse)
        return self._doubts[way]


def bounded(field: Field, player: int, limit: int, own: tuple[int, ...]) -> bool | None:
    """Whether at most `limit` can be left above a player, as far as bounds alone tell it."""
    if limit < 0:
        return False
    mine = field.own_front(player, own) if player in field.seat else None
    if _from_outside(field, player, mine, limit) > limit:
        return False
    return True if _from_inside(field, player, mine, limit) else None


def _from_outside(field: Field, player: int, mine: Front | None, limit: int) -> int:
    """The fewest who can be above; no more exactly than needed to be over the limit."""
    most = field.high[player] + (-mine.one[0] if mine else 0)
    above = len(field.idle_low) - bisect_right(field.idle_low, most)
    if mine is not None:
        at, side = field.seat[player]
        opponent = field.matches[at].players[1 - side]
        apart = min(map(int.__add__, mine.one, mine.other)) - field.high[player]
        above += opponent in field.base and field.low[opponent] + apart > 0
    return above + _in_matches(field, player, most, field.low, limit - above)


def _from_inside(field: Field, player: int, mine: Front | None, limit: int) -> bool:
    """Whether one of their own results is enough even where everything else goes against them."""
    if mine is None:
        return _enough(field, player, field.low[player], 0, limit)
    at, side = field.seat[player]
    opponent = field.matches[at].players[1 - side]
    for lacking, theirs in zip(mine.one, mine.other, strict=True):
        least = field.low[player] - lacking
        above = opponent in field.base and field.high[opponent] + theirs > least
        if _enough(field, player, least, int(above), limit):
            return True
    return False


def _enough(field: Field, player: int, least: int, above: int, limit: int) -> bool:
    above += len(field.idle_high) - bisect_right(field.idle_high, least)
    if player not in field.seat:
        above -= field.high[player] > least  # they are no rival of their own
    return above + _in_matches(field, player, least, field.high, limit - above) <= limit


def _in_matches(field: Field, player: int, most: int, by: dict[int, int], limit: int) -> int:
    """The fewest of those who play that can stand above a number, each match for itself."""
    above = 0
    for match in field.matches:
        if player in match.players:
            continue
        one, other = match.players
        above += _fewest_above(match.front, *(
            most - by[each] if each in by else None for each in (one, other)
        ))  # fmt: skip
        if above > limit:
            break
    return above


def _fewest_above(front: Front, one: int | None, other: int | None) -> int:
    """How many of two players a match must leave above their bounds; None: they do not count."""
    if one is None or other is None:
        lacks_one = one is not None and front.one[0] > one
        return int(lacks_one or (other is not None and front.other[-1] > other))
    place = bisect_right(front.one, one)
    if not place:
        return 1 + (front.other[-1] > other)
    return int(front.other[place - 1] > other)


class Doubt:
    """What bounds leave in doubt about a player, to be searched."""

    def __init__(self, field: Field, player: int, purse: Purse) -> None:
        self.player = player
        self._purse = purse
        self._field = field
        self._seat = field.seat.get(player, (-1, 0))[0]
        self._lost = [_gained(field, at, player) for at in range(len(field.matches))]
        self._apart: dict[int, _Other] = {}

    def holds(self, limit: int, own: tuple[int, ...]) -> bool | None:
        """Whether some results leave at most `limit` players above; None: not settled."""
        field, player = self._field, self.player
        mine = field.own_front(player, own) if self._seat >= 0 else None
        most = field.high[player] - (mine.one[0] if mine else 0)
        least = field.low[player] - (max(mine.lacking) if mine else 0)
        contested = []
        for other in field.players:
            if other == player or field.most[other] <= least:
                continue
            if field.least[other] > most:
                limit -= 1
                continue
            seen = self._seen(other, mine)
            if seen.low > 0:
                limit -= 1
            elif seen.high > 0:
                contested.append(seen)
        return self._searched(contested, limit, mine)

    def _searched(self, contested: list[_Other], limit: int, mine: Front | None) -> bool | None:
        """Ask with each kind of result at its best, then with few of each kind, then with all."""
        options = [match.front.needed for match in self._field.matches]
        if mine is not None:
            options[self._seat] = mine.needed
        every = [[[place] for place in range(len(each))] for each in options]
        kinds = [_together(each, self._field.kinds) for each in options]
        if every != kinds:
            best = [_at_best(other, kinds) for other in contested]
            if self._found(best, kinds, limit) is False:
                return False
            few = [_few(at, each, contested) for at, each in enumerate(kinds)]
            if self._found([_at_best(other, few) for other in contested], few, limit):
                return True
        return self._found(contested, every, limit)

    def _found(
        self, others: list[_Other], groups: list[list[list[int]]], limit: int
    ) -> bool | None:
        """Search, as long as there is work to spend."""
        spent = min(WORK_MAX, self._purse.left)
        search = _Search([len(each) for each in groups], spent)
        try:
            return search.holds(others, frozenset(range(len(groups))), limit)
        except TooMuchWork:
            return None
        finally:
            self._purse.left -= spent - max(search.work, 0)

    def _seen(self, other: int, mine: Front | None) -> _Other:
        """How far another player is above this one, by every match."""
        known = self._apart.get(other)
        if known is None:
            known = self._apart[other] = self._by_other_matches(other)
        if mine is None:
            return known
        match, keys = self._field.matches[self._seat], self._field.keys
        if other in match.players:
            theirs = match.own[match.players.index(other)]
            values = [theirs[option] for option in mine.needed]
        elif other in match.others:
            gained = match.others[other]
            values = [gained[keys[option]] for option in mine.needed]
        else:
            values = [0] * len(mine.needed)
        added = _addend([a + b for a, b in zip(values, mine.lacking, strict=True)])
        return _Other(
            known.low + added.least, known.high + added.most, known.gains | {self._seat: added}
        )

    def _by_other_matches(self, other: int) -> _Other:
        low = high = self._field.base[other] - self._field.base[self.player]
        gains: Gains = {}
        for at, lost in enumerate(self._lost):
            gained = _gained(self._field, at, other)
            if at == self._seat or (gained is None and lost is None):
                continue
            if gained is None:
                values = [-each for each in lost or ()]
            elif lost is None:
                values = gained
            else:
                values = [a - b for a, b in zip(gained, lost, strict=True)]
            added = _addend(values)
            low += added.least
            high += added.most
            if added.least != added.most:
                gains[at] = added
        return _Other(low, high, gains)


def _together(options: list[int], kinds: list[int]) -> list[list[int]]:
    """The places of options of one kind together."""
    found: dict[int, list[int]] = {}
    for place, option in enumerate(options):
        found.setdefault(kinds[option], []).append(place)
    return list(found.values())


def _at_best(other: _Other, groups: list[list[list[int]]]) -> _Other:
    """Another player's sum where each group of a match's results adds the least of them."""
    gains = {}
    low = high = other.low
    for at, gained in other.gains.items():
        values = gained.values
        added = _addend([min([values[place] for place in group]) for group in groups[at]])
        low += added.least - gained.least
        high += added.most - gained.least
        gains[at] = added
    return _Other(low, high, gains)


def _few(at: int, kinds: list[list[int]], contested: list[_Other]) -> list[list[int]]:
    """Of each kind of a match's results those that add the least to one of the contested."""
    kept: dict[int, None] = {}
    for other in contested:
        gained = other.gains.get(at)
        if gained is not None:
            kept |= {min(kind, key=gained.values.__getitem__): None for kind in kinds}
    return [[place] for place in kept or (0,)]


def _addend(values: list[int]) -> Addend:
    return Addend(values, min(values), max(values))


def _gained(field: Field, at: int, player: int) -> list[int] | None:
    """What each result of a match that matters adds to a player; None: nothing."""
    match = field.matches[at]
    if player in match.players:
        own = match.own[match.players.index(player)]
        return [own[option] for option in match.front.needed]
    values = match.others.get(player)
    return None if values is None else [values[field.keys[each]] for each in match.front.needed]


class _Search:
    """One question: how many results each match has, and how much work is left to be done."""

    def __init__(self, widths: list[int], work: int) -> None:
        self.widths = widths
        self.work = work

    def holds(self, others: list[_Other], open_matches: frozenset[int], limit: int) -> bool:
        """Whether some results of the open matches leave at most `limit` sums positive."""
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

    def _fewest(self, match: int, group: list[_Other]) -> int:
        """The fewest of the group that a result of their match surely puts above."""
        above = [0] * self.widths[match]
        for other in group:
            gained = other.gains[match]
            enough = gained.least - other.low
            for result, value in enumerate(gained.values):
                above[result] += value > enough
        return min(above)

    def _worth_trying(self, match: int, contested: list[_Other]) -> list[int]:
        """The results of a match without those that another is no worse than, the best first."""
        here = [(other, other.gains[match]) for other in contested if match in other.gains]
        columns = list(zip(*(_clipped(*each) for each in here), strict=True))
        unlike = {column: result for result, column in enumerate(columns)}
        promise = {result: _promise(here, result) for result in unlike.values()}
        kept: list[int] = []
        for result in sorted(promise, key=promise.__getitem__):
            if not any(no_worse(columns[other], columns[result]) for other in kept):
                kept.append(result)
        return kept


def no_worse(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one adds no more than the other to anybody."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def _clipped(other: _Other, gained: Addend) -> Iterator[int]:
    """What each result adds, all values alike that put the other surely above, or surely not."""
    above, below = gained.least - other.low, gained.most - other.high
    for value in gained.values:
        yield gained.most + 1 if value > above else gained.least - 1 if value <= below else value


def _promise(here: list[tuple[_Other, Addend]], result: int) -> tuple[int, int]:
    """How many stay above in the middle of what is open, and by how much: the least comes first."""
    above = sum(
        other.low + other.high + 2 * gained.values[result] > gained.least + gained.most
        for other, gained in here
    )
    return above, sum(gained.values[result] for _, gained in here)


def _homes(contested: list[_Other], open_matches: frozenset[int]) -> dict[int, list[_Other]]:
    """Put each contested player to the open match that moves them most."""
    homes: dict[int, list[_Other]] = {}
    for other in contested:
        spreads = [
            (gained.most - gained.least, -match)
            for match, gained in other.gains.items()
            if match in open_matches
        ]
        homes.setdefault(-max(spreads)[1], []).append(other)
    return homes


def _weight(match: int, contested: list[_Other]) -> float:
    """How much of what is open about the contested players a match decides."""
    return sum(
        (other.gains[match].most - other.gains[match].least) / (other.high - other.low)
        for other in contested
        if match in other.gains
    )


def _fixed(other: _Other, match: int, result: int) -> _Other:
    """The other's sum once a match has that result; it is not among the open ones any more."""
    gained = other.gains.get(match)
    if gained is None:
        return other
    value = gained.values[result]
    return _Other(other.low - gained.least + value, other.high - gained.most + value, other.gains)

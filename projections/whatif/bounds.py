"""Who can be kept from standing above a player, as far as bounds alone tell it.

From outside: everybody else has the least, and the player the most, that the matches of others can
bring about; then each open match counts for itself, by its own two players. Where too many are
above even so, the answer is no. From inside: the same with the most and the least; where few
enough are above even so, it is yes.
"""

from __future__ import annotations

from bisect import bisect_right

from projections.whatif.oriented_model import Front, OrientedModel


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

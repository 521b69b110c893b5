"""The score model either way round: who can be kept from standing above somebody.

An `OrientedModel` has the model's numbers as they are or mirrored, so that being among the first
and being outside are one question. Of every open match it keeps the least that its two players can
have: a result that leaves both no less than another one, and is the same to everybody else, is
never needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

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

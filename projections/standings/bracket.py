"""The bracket of every elimination, and the finishing order of the whole tournament.

In a bracket a later exit ranks higher. Within one exit a player who lost to an opponent ranks
before the two players of a game that neither came to; then the better seed decides, or the random
rank if the tournament began with elimination. An exit is the depth of the game that was lost, not
the round it was played in: 1 + the greatest depth of its players' earlier games. One loss ends a
run in a single elimination, two in a double.

The finishing order reads the stages from the last to the first: an elimination by its bracket,
Swiss rounds by their standings. Each player has the place that their last stage gave them
(FFG-WINNER). Reading of FFG-AUTH-DQ as in the standings: a disqualified player is listed below
everyone else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from ledger.errors import NotFound
from ledger.facts.shared import StageKind
from ledger.pairing.brackets import DOUBLE, SINGLE, Knockout, knockout
from ledger.problems import phrase
from ledger.tournament.progress import is_complete, winner_of
from ledger.tournament.state import Match, Round, Stage, Tournament
from projections.standings.table import announced_stage, ranking

_LIMITS = {"single": SINGLE, "double": DOUBLE}


class Seat(Struct, frozen=True):
    """A player in the bracket; seed is 0 in a tournament that began with elimination."""

    player: int
    seed: int
    left: str = ""
    """Status dropped or disqualified of a player who left; else empty."""

    replacement: bool = False
    """Whether the player took the place of a qualifier who left (FFG-CUT-REPLACE)."""


class BracketGame(Struct, frozen=True):
    """A game; a seat without anybody is None: the other player has a bye, or nobody is left."""

    game: int
    match: int
    seats: tuple[Seat | None, Seat | None]
    winner: int
    """Who goes on; 0 while nobody does."""

    points: tuple[int, int] | None = None
    """Points of the two seats as the ruleset counts them; None without a result."""

    @property
    def is_bye(self) -> bool:
        """Whether exactly one player sits here."""
        return self.seats.count(None) == 1


class BracketRound(Struct, frozen=True):
    """A round of the tournament, counted from its first, with its games by game number."""

    round: int
    games: list[BracketGame]


REMOVED = -1
"""Less than any depth of a game."""


class BracketPlace(Struct, frozen=True):
    """A player's place; rank is 0 while it is open, and for a disqualified player.

    A disqualified player is last of the tournament, without a place in the bracket (FFG-AUTH-DQ).
    """

    rank: int
    seat: Seat


class Bracket(Struct, frozen=True):
    """An elimination stage: its games, and its players from the best to the worst.

    Those who are still in stand first, by seed.
    """

    stage: int
    kind: StageKind
    rounds: list[BracketRound]
    ranking: list[BracketPlace]
    ended: int = 1
    """How many went out together at its end: more than one, and nobody won it."""

    @property
    def winner(self) -> int:
        """Who won it (FFG-WINNER); 0 while it is played, and where nobody won the last game."""
        first = self.ranking[0] if self.ranking else None
        return first.seat.player if first and first.rank and self.ended == 1 else 0


def bracket(tournament: Tournament, stage: int | None = None) -> Bracket:
    """Show an elimination stage, by default the last with players or the first, or NotFound."""
    chosen = _chosen(tournament, stage)
    seat = _seats(tournament, chosen)
    rounds = [
        BracketRound(each.number, [_game(tournament, match, seat) for match in each.matches])
        for each in _rounds(tournament, chosen)
    ]
    ranking, ended = _ranking(tournament, chosen, seat)
    return Bracket(chosen.number, chosen.plan.kind, rounds, ranking, ended)


def as_json(shown: Bracket, names: Mapping[str, str]) -> dict[str, object]:
    """Make the bracket for scripts; the names are by "p7"."""

    def seat(seat: Seat | None) -> dict[str, object] | None:
        if seat is None:
            return None
        name = names.get(f"p{seat.player}", f"player {seat.player}")
        about = {"player": seat.player, "name": name, "seed": seat.seed or None}
        return about | {"left": seat.left or None, "replacement": seat.replacement}

    def game(game: BracketGame) -> dict[str, object]:
        about = {"game": game.game, "match": game.match, "players": [*map(seat, game.seats)]}
        return about | {"winner": game.winner or None, "bye": game.is_bye, "points": game.points}

    return {
        "stage": shown.stage,
        "kind": shown.kind,
        "rounds": [
            {"round": round_.round, "games": [game(each) for each in round_.games]}
            for round_ in shown.rounds
        ],
        "ranking": [
            {"rank": place.rank or None, **(seat(place.seat) or {})} for place in shown.ranking
        ],
    }


def _chosen(tournament: Tournament, number: int | None) -> Stage:
    if number is None:
        eliminations = [stage for stage in tournament.stages if not stage.is_swiss]
        if not eliminations:
            raise NotFound(phrase("no elimination is announced: there is no bracket"))
        begun = [stage for stage in eliminations if stage.rounds or stage.cut_seq]
        return begun[-1] if begun else eliminations[0]
    stage = announced_stage(tournament, number)
    if stage.is_swiss:
        raise NotFound(
            phrase("stage {stage} is played for points; ask for its standings", stage=number)
        )
    return stage


def _rounds(tournament: Tournament, stage: Stage) -> list[Round]:
    return [tournament.rounds[number - 1] for number in stage.rounds]


def _seats(tournament: Tournament, stage: Stage) -> Callable[[int], Seat]:
    """Return the maker of players' seats; a cut by the standings lists its replacements last."""
    seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
    further = frozenset(stage.entrants[stage.plan.size :] if stage.plan.entry == "top" else ())

    def seat(player: int) -> Seat:
        status = tournament.players[player].status
        left = status if status in {"dropped", "disqualified"} else ""
        return Seat(player, seeds.get(player, 0), left, player in further)

    return seat


def _game(tournament: Tournament, match: Match, seat: Callable[[int], Seat]) -> BracketGame:
    first, second = (seat(player) if player else None for player in (match.first, match.second))
    points = match.result.counted if match.result else None
    winner = winner_of(tournament, match)
    return BracketGame(match.table, match.number, (first, second), winner, points)


def _ranking(
    tournament: Tournament, stage: Stage, seat: Callable[[int], Seat]
) -> tuple[list[BracketPlace], int]:
    rounds = [
        [(match.first, match.second, winner_of(tournament, match)) for match in each.matches]
        for each in _rounds(tournament, stage)
    ]
    is_unplayed = not rounds and is_complete(tournament, stage)
    seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
    entrants = seeds or (tournament.active() if is_unplayed else ())
    way = knockout(entrants, rounds, _LIMITS.get(stage.plan.kind, 0))
    unwon = _of_games_without_a_winner(tournament, stage)
    exits = _exits(tournament, way, unwon)
    still_in = [player for player in way.runs if player not in exits]
    finished = len(still_in) <= 1
    undecided = 0 if finished else min(map(way.earliest_exit, still_in), default=0)

    def strength(player: int) -> tuple[int, int]:
        return seeds.get(player, 0), tournament.players[player].random_rank

    order = sorted(still_in, key=strength)
    order += sorted(exits, key=lambda player: (-exits[player], player in unwon, strength(player)))
    places = [
        BracketPlace(
            rank if _is_placed(exits.get(player, undecided), undecided, finished=finished) else 0,
            seat(player),
        )
        for rank, player in enumerate(order, start=1)
    ]
    together = list(exits.values()).count(exits[order[0]]) if order and not still_in else 1
    return places, together


def _is_placed(depth: int, undecided: int, *, finished: bool) -> bool:
    """Whether who went out at a depth has a place: it is decided, and they were not removed."""
    return depth != REMOVED and (finished or depth < undecided)


def _of_games_without_a_winner(tournament: Tournament, stage: Stage) -> set[int]:
    """Who went out of a game that neither player came to: no finalist above one who played."""
    return {
        player
        for each in _rounds(tournament, stage)
        for match in each.matches
        if match.result and not winner_of(tournament, match)
        for player in match.players
    }


def _exits(tournament: Tournament, way: Knockout[int], unwon: set[int]) -> dict[int, int]:
    """The depth of each exit; who left, at their next game (FFG-ELIM-DROP, FFG-AUTH-DQ).

    Who did not come to a game that nobody won went out there.
    """
    exits = {player: way.exit_depth(player) for player in way.runs if way.is_out(player)}
    for player, run in way.runs.items():
        status = tournament.players[player].status
        if status == "disqualified":
            exits[player] = REMOVED
        elif player not in exits and status == "dropped":
            exits[player] = run.depth + (0 if player in unwon and run.waiting else 1)
    return exits


Ranked: TypeAlias = Callable[[Tournament, int], Iterable[int]]


class FinalPlace(Struct, frozen=True):
    """A player's final place; rank is 0 while their bracket has not decided it."""

    rank: int
    player: int
    stage: int
    """The last stage that they played in."""


def finishing_order(tournament: Tournament, ranked: Ranked = ranking) -> list[FinalPlace]:
    """List everybody, the winner first; the places are final once the tournament is.

    `ranked` lists the players of a Swiss stage, best first: one who has the tables looks there.
    """
    places: dict[int, tuple[int, bool]] = {}
    for stage in reversed(tournament.stages):
        if stage.number == 1 or stage.rounds or stage.cut_seq:
            for player, is_decided in _stage_order(tournament, stage, ranked):
                places.setdefault(player, (stage.number, is_decided))
    removed = [player for player in places if tournament.players[player].status == "disqualified"]
    last = frozenset(removed)
    order = [player for player in places if player not in last] + removed
    return [
        FinalPlace(rank if places[player][1] or player in last else 0, player, places[player][0])
        for rank, player in enumerate(order, start=1)
    ]


def _stage_order(tournament: Tournament, stage: Stage, ranked: Ranked) -> list[tuple[int, bool]]:
    if stage.is_swiss:
        return [(player, True) for player in ranked(tournament, stage.number)]
    shown = bracket(tournament, stage.number).ranking
    return [(place.seat.player, place.rank > 0) for place in shown]


def winner(tournament: Tournament) -> int:
    """Who won: first of the last Swiss rounds, or the last one left (FFG-WINNER); 0: nobody."""
    order = finishing_order(tournament)
    if not order:
        return 0
    shown = last_bracket(tournament)
    return order[0].player if shown is None else shown.winner


def last_bracket(tournament: Tournament) -> Bracket | None:
    """The bracket that the tournament came to; none where Swiss rounds are its last stage."""
    begun = [stage for stage in tournament.stages if stage.rounds or stage.cut_seq]
    last = (begun or tournament.stages)[-1:]
    return bracket(tournament, last[0].number) if last and not last[0].is_swiss else None

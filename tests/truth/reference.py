"""A second reading of a log, slow and plain, written from the catalogue and not from the program.

It walks the events once, keeps dictionaries, and computes with fractions. It shares nothing with
the fold, the standings or the pairing but the event types.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import rustworkx

from ledger.facts import draws, elimination, people
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import RoundPaired, RoundUnpaired, SeatsSwapped
from ledger.facts.undo import ActWithdrawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.facts.base import Event
    from ledger.facts.shared import Result
    from ledger.lines.recorded import Recorded

BYE = 10
UNPAIRED_LOSS = 1


class Reading:
    """What the events of an l5r log say about the first stage, the Swiss rounds."""

    def __init__(self) -> None:
        self.random_rank: dict[int, int] = {}
        self.active: set[int] = set()
        self.disqualified: set[int] = set()
        self.swiss_over = False
        self.games: dict[int, list[tuple[int, list[int]]]] = {}
        self.results: dict[int, Result] = {}
        self.lost: dict[int, set[int]] = defaultdict(set)
        self._next_match = 1
        self.said: dict[int, Event] = {}

    def _take_back(self, said: Event | None) -> None:
        match said:
            case people.PlayerRegistered(player=player):
                self.active.discard(player)
                del self.random_rank[player]
            case people.PlayerDropped(player=player):
                self.active.add(player)
            case ResultReported(match=match) | ResultCorrected(match=match):
                del self.results[match]

    def take(self, recorded: Recorded) -> None:  # noqa: C901, PLR0912 - a plain list of cases
        """Move on by one event."""
        event = recorded.event
        self.said[recorded.seq] = event
        match event:
            case people.PlayerRegistered(player=player, random_rank=rank, missed=missed):
                self.random_rank[player] = rank
                self.active.add(player)
                self.lost[player].update(missed)
            case draws.RanksDrawn(first=first, ranks=ranks):
                drawn = enumerate(ranks, start=first)
                self.random_rank.update((n, rank) for n, rank in drawn if n in self.random_rank)
            case people.PlayerDropped(player=player):
                self.active.discard(player)
            case people.PlayerDisqualified(player=player):
                self.active.discard(player)
                self.disqualified.add(player)
            case people.PlayerRejoined(player=player, missed=missed):
                self.active.add(player)
                self.lost[player].update(missed)
            case RoundPaired(round=number, stage=stage, games=games):
                if stage == 1:
                    first = self._next_match
                    self.games[number] = [(first + i, list(game)) for i, game in enumerate(games)]
                self._next_match += len(games)
            case RoundUnpaired(round=number):
                self.games.pop(number, None)
                for player in self.lost:
                    self.lost[player].discard(number)
            case SeatsSwapped(round=number, players=(one, other)):
                for _, game in self.games.get(number, []):
                    game[:] = [
                        other if player == one else one if player == other else player
                        for player in game
                    ]
            case ResultReported(match=match, result=result):
                self.results[match] = result
            case ResultCorrected(match=match, result=result):
                self.results[match] = result
            case ActWithdrawn(withdraws=seq):
                self._take_back(self.said.get(seq))
            case elimination.CutMade():
                self.swiss_over = True

    def rounds_of(self, player: int) -> list[tuple[int, int]]:
        """Points and opponent of every round with a result; opponent 0 where nobody was met."""
        found = [(UNPAIRED_LOSS, 0) for _ in self.lost[player]]
        for games in self.games.values():
            for match, game in games:
                if player not in game:
                    continue
                if 0 in game:
                    found.append((BYE, 0))
                elif match in self.results:
                    result = self.results[match]
                    side = game.index(player)
                    unplayed = result.manner in {"no-show", "departure"}
                    found.append((result.points[side], 0 if unplayed else game[1 - side]))
        return found

    def points(self, player: int) -> int:
        """The player's tournament points."""
        return sum(points for points, _ in self.rounds_of(player))

    def byes(self, player: int) -> int:
        """How many byes the player has had."""
        return sum(
            0 in game and player in game for games in self.games.values() for _, game in games
        )

    def met(self) -> dict[int, set[int]]:
        """Who sat opposite whom, unless nobody played there."""
        met: dict[int, set[int]] = defaultdict(set)
        for games in self.games.values():
            for match, (one, other) in games:
                result = self.results.get(match)
                if one and other and not (result and result.manner in {"no-show", "departure"}):
                    met[one].add(other)
                    met[other].add(one)
        return met

    def paired(self) -> dict[int, set[int]]:
        """Who was paired with whom, whoever came."""
        paired: dict[int, set[int]] = defaultdict(set)
        for games in self.games.values():
            for _, (one, other) in games:
                if one and other:
                    paired[one].add(other)
                    paired[other].add(one)
        return paired

    def bans(self, players: Sequence[int]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """Who must not meet in a round of these players, and whose games are to be spared.

        Pairings count like meetings where a round without any of them exists (FFG-REMATCH).
        """
        met, paired = self.met(), self.paired()
        byes = players if len(players) % 2 else [0]
        for bye in byes:
            if has_legal_round([each for each in players if each != bye], paired):
                return paired, defaultdict(set)
        spare = {player: others - met[player] for player, others in paired.items()}
        return met, defaultdict(set, spare)

    def ranking(self) -> list[int]:
        """Best first: points, strength of schedule, extended, random rank (FFG-TIEBREAK-SOS)."""
        played = {player: self.rounds_of(player) for player in self.random_rank}
        points = {player: sum(each for each, _ in rounds) for player, rounds in played.items()}
        sos: dict[int, Fraction] = {}
        extended: dict[int, Fraction] = {}
        for player, rounds in played.items():
            sos[player] = _mean(
                Fraction(points[other], len(played[other])) for _, other in rounds if other
            )
        for player, rounds in played.items():
            extended[player] = _mean(sos[other] for _, other in rounds if other)
        return sorted(
            self.random_rank,
            key=lambda player: (
                player in self.disqualified,
                -points[player],
                -sos[player],
                -extended[player],
                self.random_rank[player],
            ),
        )


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed) if listed else Fraction(0)


def has_legal_round(players: Sequence[int], met: dict[int, set[int]]) -> bool:
    """Whether an even number of players can all be paired without a rematch."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(players)
    for one in range(len(players)):
        for other in range(one + 1, len(players)):
            if players[other] not in met[players[one]]:
                graph.add_edge(one, other, 1)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True)
    return 2 * len(matching) == len(players)


def least_gap(
    players: Sequence[int],
    points: dict[int, int],
    met: dict[int, set[int]],
    spare: dict[int, set[int]],
) -> tuple[int, int]:
    """The fewest games to be spared, then the least sum of squared steps, by exact matching.

    Over all rounds without a rematch; -1 for both where there is none.
    """
    values = sorted({points[player] for player in players})
    step = {value: place for place, value in enumerate(values)}
    unit = len(players) * len(values) ** 2 + 1
    most = 2 * unit
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(players)
    for one in range(len(players)):
        for other in range(one + 1, len(players)):
            a, b = players[one], players[other]
            if b not in met[a]:
                cost = (step[points[a]] - step[points[b]]) ** 2 + unit * (b in spare[a])
                graph.add_edge(one, other, most - cost)
    matching = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda weight: weight
    )
    if 2 * len(matching) < len(players):
        return -1, -1
    tables = [(players[one], players[other]) for one, other in matching]
    return spared(tables, spare), gap(tables, points)


def spared(tables: Iterable[tuple[int, int]], spare: dict[int, set[int]]) -> int:
    """How many of the tables are games to be spared."""
    return sum(other in spare[one] for one, other in tables)


def gap(tables: Iterable[tuple[int, int]], points: dict[int, int]) -> int:
    """The sum over the tables of the squared steps between occupied scores."""
    listed = list(tables)
    values = sorted({points[player] for table in listed for player in table})
    step = {value: place for place, value in enumerate(values)}
    return sum((step[points[a]] - step[points[b]]) ** 2 for a, b in listed)


def odd_boundaries(players: Iterable[int], points: dict[int, int]) -> int:
    """How many boundaries between score groups have an odd number of players above them.

    Somebody must cross each of them, so no round has a smaller gap.
    """
    ordered = sorted((points[player] for player in players), reverse=True)
    return sum(
        place % 2 == 1 and ordered[place - 1] != ordered[place] for place in range(1, len(ordered))
    )

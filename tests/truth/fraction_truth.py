"""Match-win, game-win and margin tables once more, from the log's facts, in plain fractions.

Written from the definitions and from what tables saw, not from the ledger's fields or columns:

    a bye          a round won: two games to none, or a margin of 300; it is no opponent
    a no-show      the same for who waited, an assigned loss for who did not come
    an assigned    a round and a loss, without games and without a margin
    loss
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ledger.facts.people import PlayerRegistered, PlayerRejoined
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import RoundPaired

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.facts.shared import Result
    from ledger.lines.recorded import Recorded

THIRD = Fraction(1, 3)


class Played(NamedTuple):
    """One round of one player: the opponent met, 0 for none; won, lost and drawn games."""

    opponent: int
    letter: str
    own: int = 0
    other: int = 0
    drawn: int = 0


BYE = Played(0, "B")
ASSIGNED = Played(0, "A")


def rounds_of(log: Iterable[Recorded], stages: set[int]) -> dict[int, dict[int, Played]]:
    """What each player did in each round of these stages, by player and round."""
    found: dict[int, dict[int, Played]] = {}
    seats: dict[int, tuple[int, int, int]] = {}
    stage_of: dict[int, int] = {}
    match = 0
    for recorded in log:
        event = recorded.event
        if isinstance(event, PlayerRegistered):
            found[event.player] = {}
        if isinstance(event, RoundPaired):
            stage_of[event.round] = event.stage
            for first, second in event.games:
                match += 1
                seats[match] = (event.round, first, second)
                if not (first and second):
                    found[first or second][event.round] = BYE
        elif isinstance(event, PlayerRejoined | PlayerRegistered):
            found[event.player].update(dict.fromkeys(event.missed, ASSIGNED))
        elif isinstance(event, ResultReported | ResultCorrected):
            number, first, second = seats[event.match]
            found[first][number], found[second][number] = sides(event.result, first, second)
    return {
        player: {number: each for number, each in rounds.items() if stage_of[number] in stages}
        for player, rounds in found.items()
    }


def sides(result: Result, first: int, second: int) -> tuple[Played, Played]:
    """Both sides of a result, by what the table saw."""
    if result.manner in {"no-show", "departure"}:
        won = [outcome == "win" for outcome in result.outcomes]
        return (BYE if won[0] else ASSIGNED), (BYE if won[1] else ASSIGNED)
    facts = result.facts
    own, other = facts.get("games", facts.get("score", (0, 0)))
    if "conceded" in facts:
        whole = 200 if "score" in facts or "mov" in result.fields else 2
        winner_is_first = facts["conceded"] == (0, 1)
        own, other = (max(own, whole), other) if winner_is_first else (own, max(other, whole))
        letters = "WL" if winner_is_first else "LW"
    else:
        salvo = facts.get("salvo", (0, 0))
        one, two = (own, salvo[0]), (other, salvo[1])
        letters = "WL" if one > two else "LW" if one < two else "DD"
    drawn = facts.get("drawn", (0, 0))[0]
    return (
        Played(second, letters[0], own, other, drawn),
        Played(first, letters[1], other, own, drawn),
    )


def match_points(rounds: Iterable[Played]) -> int:
    """Three for a win or a bye, one for a draw."""
    return sum({"W": 3, "B": 3, "D": 1}.get(each.letter, 0) for each in rounds)


def match_wins(rounds: list[Played]) -> Fraction:
    """The share of the match points that could be had, one third at least."""
    return max(THIRD, Fraction(match_points(rounds), 3 * len(rounds)) if rounds else THIRD)


def game_wins(rounds: list[Played]) -> Fraction:
    """The share of the game points that could be had, one third at least; a bye is 2-0."""
    points = games = 0
    for each in rounds:
        won, lost, drawn = (2, 0, 0) if each.letter == "B" else (each.own, each.other, each.drawn)
        points += 3 * won + drawn
        games += won + lost + drawn
    return max(THIRD, Fraction(points, 3 * games) if games else THIRD)


def mean(values: list[Fraction]) -> Fraction:
    """The mean; 0 of nothing."""
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def met(rounds: Iterable[Played]) -> list[int]:
    """The opponents, one met twice twice."""
    return [each.opponent for each in rounds if each.opponent]


def percentages(found: dict[int, list[Played]], player: int) -> tuple[int, tuple[Fraction, ...]]:
    """Points; opponents' match wins, game wins, opponents' game wins."""
    own = found[player]
    opponents = met(own)
    return match_points(own), (
        mean([match_wins(found[other]) for other in opponents]),
        game_wins(own),
        mean([game_wins(found[other]) for other in opponents]),
    )


def margins(found: dict[int, list[Played]], player: int) -> tuple[int, tuple[Fraction, ...]]:
    """Wins; the total margin, and the mean of the opponents' wins a round."""

    def wins(rounds: list[Played]) -> int:
        return sum(each.letter in "WB" for each in rounds)

    own = found[player]
    total = sum({"B": 300, "A": 0}.get(each.letter, 200 + each.own - each.other) for each in own)
    schedule = mean([Fraction(wins(found[each]), len(found[each])) for each in met(own)])
    return wins(own), (Fraction(total), schedule)

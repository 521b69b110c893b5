"""Tournaments for tests, filled in place: who met whom, with which result.

A round is entered side by side, as the fold leaves it: a match gives each side its points and
the other as opponent, a bye or an unpaired loss gives points without an opponent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts.shared import Stage as StagePlan
from ledger.rulesets import load
from ledger.tournament.state import Player, Round, Stage, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.rulesets import Ruleset

ONE_SWISS_STAGE = (StagePlan("swiss", rounds=3),)


def opened(
    players: int,
    rules: Ruleset | None = None,
    plans: Iterable[StagePlan] = ONE_SWISS_STAGE,
) -> Tournament:
    """A tournament whose players' random ranks are their numbers, by the l5r ruleset."""
    tournament = Tournament(rules=rules or load("l5r").ruleset)
    for _ in range(players):
        register(tournament)
    tournament.stages = [Stage(number, plan) for number, plan in enumerate(plans, start=1)]
    return tournament


def register(tournament: Tournament) -> int:
    """Add a player, whose random rank is their number."""
    number = len(tournament.players)
    tournament.players.append(Player(number, number))
    return number


def add_round(tournament: Tournament, stage: int = 1) -> Round:
    """Begin a round, with a place for everyone registered so far."""
    played = Round(len(tournament.rounds) + 1, stage, status="started")
    places = len(tournament.players)
    played.against, played.points, played.seqs = ([0] * places for _ in range(3))
    played.records = [" "] * places
    tournament.rounds.append(played)
    tournament.stages[stage - 1].rounds.append(played.number)
    return played


def enter(
    played: Round,
    player: int,
    points: int,
    record: str,
    *,
    against: int = 0,
    fields: Mapping[str, int] | None = None,
) -> None:
    """Give a player a result; its `seq` tells the round and the player."""
    missing = player + 1 - len(played.seqs)
    for column in (played.against, played.points, played.seqs):
        column.extend([0] * missing)
    played.records.extend(" " * missing)
    played.against[player] = against
    played.points[player] = points
    played.seqs[player] = played.number * 10_000 + player
    played.records[player] = record
    for name, value in (fields or {}).items():
        column = played.fields.setdefault(name, [])
        column.extend([0] * (player + 1 - len(column)))
        column[player] = value


def meet(played: Round, first: int, second: int, points: tuple[int, int]) -> None:
    """Give both sides of a match their result: more points are the win."""
    for player, other, mine, theirs in (
        (first, second, points[0], points[1]),
        (second, first, points[1], points[0]),
    ):
        record = "W" if mine > theirs else "L" if mine < theirs else "D"
        enter(played, player, mine, record, against=other)

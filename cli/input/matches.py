"""Matches by what a person types: `R/T`, a table of the round in play, or a player at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cli.input.find_people import find_player, labelled
from cli.terminal.visible import how_many
from ledger.errors import NotFound
from ledger.tournament.disputes import latest_dispute, ruling_on
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from ledger.tournament.state import Match, Round, Tournament
    from ledger.tournament.table_records import Ruling

_PLACE = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
_TABLE = re.compile(r"[0-9]{1,6}")


def find_match(tournament: Tournament, words: str) -> Match:
    """Find a match: of the latest round, unless the words are `R/T`; or NotFound."""
    place = _PLACE.fullmatch(words)
    if place:
        return _at(find_round(tournament, int(place[1])), int(place[2]))
    latest = latest_round(tournament)
    if latest is None:
        raise NotFound("no round is paired yet: use `pair`")
    if _TABLE.fullmatch(words):
        return _at(latest, int(words))
    player = find_player(tournament, words)
    for match in latest.matches:
        if player in match.players:
            return match
    raise NotFound(f"{labelled(tournament, player)} does not sit in round {latest.number}")


def is_in_full(words: str) -> bool:
    """Whether the words name a table with its round."""
    return _PLACE.fullmatch(words) is not None


def find_round(tournament: Tournament, number: int) -> Round:
    """Find a round by its number; NotFound where it has not been paired."""
    if 1 <= number <= len(tournament.rounds):
        return tournament.rounds[number - 1]
    count = len(tournament.rounds)
    paired = how_many(count, "round") if count else "no round"
    raise NotFound(f"there is no round {number}: {paired} paired so far")


def find_ruling(tournament: Tournament, words: str) -> Ruling:
    """Find a ruling by its event, or that in force on a match, else the last; or NotFound."""
    if words.isascii() and words.isdigit():
        ruling = tournament.floor.ruling(int(words[:16]))
        if ruling is None:
            raise NotFound(f"event {words[:16]} is no ruling: `rule` lists them")
        return ruling
    match = find_match(tournament, words)
    dispute = latest_dispute(tournament, match.number)
    force = ruling_on(tournament, dispute) if dispute else None
    on_it = [each for each in tournament.floor.rulings if each.made.match == match.number]
    if not on_it:
        raise NotFound(f"nobody has ruled on {match.round}/{match.table}")
    return force or on_it[-1]


def _at(played: Round, table: int) -> Match:
    if 1 <= table <= len(played.matches):
        return played.matches[table - 1]
    last = len(played.matches)
    there = f"its tables are 1 to {last}" if last > 1 else "it has table 1 alone"
    raise NotFound(f"round {played.number} has no table {table}: {there}")


def has_standings(tournament: Tournament) -> bool:
    """Whether some stage is played for points, or none is announced yet."""
    return not tournament.stages or any(stage.is_swiss for stage in tournament.stages)


def refuse_without_swiss(tournament: Tournament) -> None:
    """Point, as NotFound, to the bracket where no stage is played for points."""
    if not has_standings(tournament):
        raise NotFound(
            "no stage is played for points: `bracket` shows the games, "
            "`standings --final` the order"
        )

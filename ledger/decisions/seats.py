"""An act on a table is meant for those who sat there when it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.decisions.command import Command
    from ledger.tournament.state import Match, Tournament


def refuse_other_seats(command: Command, tournament: Tournament) -> None:
    """Refuse a command for a match where others sit by now than were seen there.

    Raises:
        Refused: the pairing was taken back meanwhile, or the seats were changed.
    """
    if command.seen is None:
        return
    matches = [tournament.matches[number] for number in command.seen.matches]
    problems = [each for match in matches for each in _changed(tournament, match, command.seen.seq)]
    if problems:
        raise Refused(*problems)


def seated_seq(tournament: Tournament, match: Match) -> int:
    """Return the event that put the players of a match at their table."""
    played = tournament.rounds[match.round - 1]
    return played.reseated.get(match.number, played.paired_seq)


def _changed(tournament: Tournament, match: Match, seq: int) -> Iterator[str]:
    where = f"{match.round}/{match.table}"
    if match.void:
        yield f"the pairing of {where} was taken back meanwhile"
    elif seated_seq(tournament, match) > seq:
        yield f"{where} was changed meanwhile: {_who_sits_there(match)}"


def _who_sits_there(match: Match) -> str:
    if match.is_bye:
        return f"player {match.first or match.second} has the bye"
    return f"players {match.first} and {match.second} sit there now"

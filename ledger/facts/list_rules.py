"""What the game in play says of lists and decks: by the event's format, or else by its ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts.hands import counts_of, format_of
from ledger.tournament.state import Round, Tournament

if TYPE_CHECKING:
    from ledger.facts.shared import DeckChecksDrawn
    from ledger.formats.checks.stating import Given


def list_clause(tournament: Tournament) -> str:
    """The clause by which lists come before the start, and are checked."""
    return tournament.ruleset.floor.lists.clause


def fixed_clause(tournament: Tournament) -> str:
    """The clause by which what is played stays for the whole event."""
    made = format_of(tournament)
    return (made.fixed if made else None) or tournament.ruleset.floor.lists.fixed


def is_sheet_alone(tournament: Tournament) -> bool:
    """Whether a correction mends an error of the sheet, and never what is played."""
    made = format_of(tournament)
    return bool(made and made.fixed) or tournament.ruleset.floor.lists.sheet_alone


def deck_check(tournament: Tournament) -> str:
    """The clause by which decks are checked before anyone plays; empty where none asks for it."""
    made = format_of(tournament)
    return (made.deck_check if made else None) or tournament.ruleset.floor.lists.deck_check or ""


def check_clause(tournament: Tournament) -> str:
    """The clause by which a deck that fails is not played in silence."""
    return deck_check(tournament) or list_clause(tournament)


def exclusive(tournament: Tournament) -> Given | None:
    """The format's check of what an organizer gives out; None where nothing is."""
    made = format_of(tournament)
    if made is None:
        return None
    from ledger.formats.checks.stating import Given  # noqa: PLC0415 - a day without lists

    checks = (each for each in made.checks if isinstance(each, Given))
    return next((each for each in checks if each.remark is None), None)


def given_to(tournament: Tournament, player: int) -> tuple[str, ...]:
    """What a player was given out at registration."""
    return tuple(tournament.floor.given_out.get(player, ()))


def drawn_tables(tournament: Tournament, round_: Round) -> list[DeckChecksDrawn]:
    """The draws of tables to be checked in a round as it is paired now."""
    place = round_.number, round_.attempt
    return [each for each in tournament.floor.deck_checks if (each.round, each.attempt) == place]


def tables_left(tournament: Tournament, round_: Round) -> list[int]:
    """The tables of a round at which two play, and that no draw of deck checks has named."""
    named = {table for each in drawn_tables(tournament, round_) for table in each.tables}
    played = (each for each in round_.matches if not each.is_bye and not each.void)
    return [match.table for match in played if match.table not in named]


def newcomers(tournament: Tournament) -> list[int]:
    """Who plays on and has sat at no table yet: everybody first, late entrants later."""
    seated = {
        player
        for round_ in tournament.rounds
        for match in round_.matches
        for player in match.players
    }
    return [number for number in tournament.active() if number not in seated]


def decks_unchecked(tournament: Tournament) -> list[int]:
    """Who would play for the first time, and still has to present the deck, list or no list."""
    if not deck_check(tournament):
        return []
    lists = tournament.lists
    return [n for n in newcomers(tournament) if n not in lists or lists[n].checked is None]


def decks_failing(tournament: Tournament) -> list[int]:
    """Who would play with a deck that failed its check since the last pairing."""
    if not tournament.lists:
        return []
    since = tournament.rounds[-1].paired_seq if tournament.rounds else 0
    return [number for number in tournament.active() if _fails(tournament, number, since)]


def _fails(tournament: Tournament, number: int, since: int) -> bool:
    held = tournament.lists.get(number)
    if held is None or held.checked is None or held.checked_seq <= since:
        return False
    breaking, _ = counts_of(held.checked)
    return breaking > 0

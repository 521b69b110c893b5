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
    """Return the clause by which a deck stays the same for the whole tournament."""
    list_format = format_of(tournament)
    return (list_format.fixed if list_format else None) or tournament.ruleset.floor.lists.fixed


def is_sheet_alone(tournament: Tournament) -> bool:
    """Return whether a correction may change only the sheet, and never the deck."""
    list_format = format_of(tournament)
    return bool(list_format and list_format.fixed) or tournament.ruleset.floor.lists.sheet_alone


def deck_check(tournament: Tournament) -> str:
    """Return the clause by which decks are checked before play, or an empty text."""
    list_format = format_of(tournament)
    return (
        (list_format.deck_check if list_format else None)
        or tournament.ruleset.floor.lists.deck_check
        or ""
    )


def check_clause(tournament: Tournament) -> str:
    """Return the clause by which a deck that failed its check needs a decision."""
    return deck_check(tournament) or list_clause(tournament)


def exclusive(tournament: Tournament) -> Given | None:
    """Return the format's check of cards from the organizer; None if there are none."""
    list_format = format_of(tournament)
    if list_format is None:
        return None
    from ledger.formats.checks.stating import Given  # noqa: PLC0415 - a day without lists

    checks = (check for check in list_format.checks if isinstance(check, Given))
    return next((check for check in checks if check.remark is None), None)


def given_to(tournament: Tournament, player: int) -> tuple[str, ...]:
    """Return the cards that a player received at registration."""
    return tuple(tournament.floor.given_out.get(player, ()))


def drawn_tables(tournament: Tournament, round_: Round) -> list[DeckChecksDrawn]:
    """Return the draws of tables for deck checks in the current pairing of a round."""
    place = round_.number, round_.attempt
    return [draw for draw in tournament.floor.deck_checks if (draw.round, draw.attempt) == place]


def tables_left(tournament: Tournament, round_: Round) -> list[int]:
    """Return the tables of a round with two players that no draw of deck checks has named."""
    named = {table for draw in drawn_tables(tournament, round_) for table in draw.tables}
    played = (match for match in round_.matches if not match.is_bye and not match.void)
    return [match.table for match in played if match.table not in named]


def newcomers(tournament: Tournament) -> list[int]:
    """Return the active players who have not sat at a table yet."""
    seated = {
        player
        for round_ in tournament.rounds
        for match in round_.matches
        for player in match.players
    }
    return [number for number in tournament.active() if number not in seated]


def decks_unchecked(tournament: Tournament) -> list[int]:
    """Return the players before their first match whose deck is not checked yet."""
    if not deck_check(tournament):
        return []
    lists = tournament.lists
    return [n for n in newcomers(tournament) if n not in lists or lists[n].checked is None]


def decks_failing(tournament: Tournament) -> list[int]:
    """Return the players whose deck failed its check since the last pairing."""
    if not tournament.lists:
        return []
    since = tournament.rounds[-1].paired_seq if tournament.rounds else 0
    return [number for number in tournament.active() if _fails(tournament, number, since)]


def _fails(tournament: Tournament, number: int, since: int) -> bool:
    deck = tournament.lists.get(number)
    if deck is None or deck.checked is None or deck.checked_seq <= since:
        return False
    breaking, _ = counts_of(deck.checked)
    return breaking > 0

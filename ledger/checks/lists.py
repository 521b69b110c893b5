"""When a list may be handed in, checked and corrected, and who may play without a check.

What reads formats is imported where an event needs it: a day without lists does not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from ledger.checks.references import is_waived, needs_reason, not_here
from ledger.errors import LedgerError, Refused
from ledger.events.base import Waiver
from ledger.events.lists import ListChecked, ListCorrected, ListSubmitted
from ledger.events.opening import Document
from ledger.problems import Player, Problem, Problems, in_words, problem, remedy
from ledger.tournament import hidden_hands
from ledger.tournament.handed_lists import SubmittedList
from ledger.tournament.progress import find_player
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.formats.play_lists import Shape

NAMED_MAX = 5


def format_problems(document: Document) -> Problems:
    """Yield why the format that an opening event carries cannot be used."""
    from ledger.formats import of_document  # noqa: PLC0415 - see the module

    try:
        if of_document(document).document != document:
            text = "the text of format {format} is not the one that its digest names"
            yield problem("format.digest", text, format=document.key)
    except LedgerError as error:
        text = "format {format} cannot be used: {error}"
        yield problem("format.unusable", text, format=document.key, error=str(error))


def _absent(tournament: Tournament, number: int) -> Problems:
    player = find_player(tournament, number)
    if player is None or player.status in {"withdrawn", "disqualified"}:
        yield not_here(number)


def _text_problems(tournament: Tournament, event: ListSubmitted | ListCorrected) -> Problems:
    from ledger.formats import read_list  # noqa: PLC0415 - see the module

    if hidden_hands.clause_of(tournament):
        for each in hidden_hands.problems(tournament, event):
            yield in_words(each, "list.hidden")
        return
    if event.hidden:
        yield problem("list.nothing_hidden", "nothing of a list is hidden in this event")
    try:
        read_list(event.text.encode("utf-8", "surrogatepass"), hidden_hands.shape_of(tournament))
    except Refused as refused:
        yield from refused.problems


def list_submitted(tournament: Tournament, event: ListSubmitted) -> Problems:
    yield from _absent(tournament, event.player)
    if tournament.started and not _comes_late(tournament, event.player):
        text = "lists are due before the start; a leader can correct one"
        yield problem("list.late", text, clause="FFG-LIST, FFG-LIST-FIXED")
    yield from _text_problems(tournament, event)


def _comes_late(tournament: Tournament, number: int) -> bool:
    """Whether a player registered after the start, has not played, and has no list yet."""
    player = find_player(tournament, number)
    held = tournament.lists.get(number)
    late = player is not None and player.late and number in newcomers(tournament)
    return late and (held is None or not held.seq)


def wrong_list(player: int, latest: int, named: int) -> Problem:
    """Say that an event names another list than the player's latest (0: they have none)."""
    text = "the list of {player} is event {latest}, not event {named}"
    return problem("list.not_latest", text, player=Player(player), latest=latest, named=named)


def list_checked(tournament: Tournament, event: ListChecked) -> Problems:
    yield from _absent(tournament, event.player)
    held = tournament.lists.get(event.player)
    latest = held.seq if held else 0
    if event.list != latest:
        yield wrong_list(event.player, latest, event.list)
    yield from _sealed_problems(tournament, event)


def _sealed_problems(tournament: Tournament, event: ListChecked) -> Problems:
    """Findings name cards: where a part of the lists is hidden, so are they."""
    clause = hidden_hands.clause_of(tournament)
    is_sealed = bool(event.hidden) and event.counts is not None
    if not clause and (event.hidden or event.counts is not None):
        yield problem("list.nothing_hidden", "nothing of a list is hidden in this event")
    if clause and (event.findings or event.further or event.note or not is_sealed):
        text = "what a check found is sealed like the hidden part of the list"
        yield problem("list.findings_open", text, clause=clause)


def list_corrected(tournament: Tournament, event: ListCorrected) -> Problems:
    yield from needs_reason(event, "FFG-LIST")
    held = tournament.lists.get(event.player)
    if held is None or not held.seq:
        text = "{player} has handed in no list to correct"
        yield problem("list.none", text, player=Player(event.player))
        return
    if event.corrects != held.seq:
        yield wrong_list(event.player, held.seq, event.corrects)
    problems = list(_text_problems(tournament, event))
    yield from problems
    if not problems and _is_wrong(tournament, event, held):
        text = "the event says wrongly whether the correction changes what is listed"
        yield problem("list.significance", text, clause="FFG-LIST")


def _is_wrong(tournament: Tournament, event: ListCorrected, held: SubmittedList) -> bool:
    """Whether the open part shows that `significant` is wrong; `finish` looks at the hidden one."""
    changes = is_significant(held.text, event.text, hidden_hands.shape_of(tournament))
    return changes > event.significant if event.hidden else changes != event.significant


def is_significant(old: str, new: str, shape: Shape | None = None) -> bool:
    """Whether a correction lists other things than before, not only clearer names."""
    return hidden_hands.is_significant(hidden_hands.Parts(old), hidden_hands.Parts(new), shape)


def deck_check(tournament: Tournament) -> str:
    """The clause by which decks are checked before anyone plays; empty where none asks for it."""
    document = tournament.opening.format if tournament.opening else None
    if document is None:
        return ""
    from ledger.formats import of_document  # noqa: PLC0415 - see the module

    return of_document(document).format.deck_check or ""


def decks_unchecked(tournament: Tournament) -> list[int]:
    """Who would play for the first time, and still has to present the deck, list or no list."""
    if not deck_check(tournament):
        return []
    lists = tournament.lists
    return [n for n in newcomers(tournament) if n not in lists or lists[n].checked is None]


def lists_to_come(tournament: Tournament) -> Problems:
    """Yield who would play without a list, and without a leader having seen what they play."""
    if tournament.opening is None or not tournament.opening.lists_required:
        return
    waiting = [number for number in newcomers(tournament) if number not in tournament.lists]
    if waiting:
        text = "lists are due before anyone plays: {players} to come"
        yield problem("list.missing", text, clause="FFG-LIST", players=_named(waiting))


def held_back(
    tournament: Tournament, waiver: Waiver | None, late: tuple[int, ...] = ()
) -> Problems:
    """Yield who keeps a round from being paired, or of latecomers who keeps them from a seat.

    AOP-DECKCHECK, FFG-LIST.
    """
    if tournament.importing:
        return
    if late:  # a seat is theirs alone: nobody else has to be ready for it
        away = [player for player in newcomers(tournament) if player not in late]
        tournament = without(tournament, away)
    yield from lists_to_come(tournament)
    waiting, clause = decks_unchecked(tournament), deck_check(tournament)
    if waiting and not is_waived(clause, waiver, tournament):
        text = "decks are checked before anyone plays: {players} to come"
        way = remedy("seat.unchecked" if late else "pair.unchecked")
        yield problem("list.unchecked", text, remedy=way, players=_named(waiting), clause=clause)


def without(tournament: Tournament, away: list[int]) -> Tournament:
    """The tournament as it would be if some players had left it."""
    players = list(tournament.players)
    for number in away:
        players[number] = structs.replace(players[number], status="dropped")
    return structs.replace(tournament, players=players)


def newcomers(tournament: Tournament) -> list[int]:
    """Who plays on and has sat at no table yet: everybody first, late entrants later."""
    seated = {
        player
        for round_ in tournament.rounds
        for match in round_.matches
        for player in match.players
    }
    return [number for number in tournament.active() if number not in seated]


def _named(waiting: list[int]) -> tuple[Player | str, ...]:
    more = len(waiting) - NAMED_MAX
    named = tuple(map(Player, waiting[:NAMED_MAX]))
    return (*named, f"and {more} more") if more > 0 else named

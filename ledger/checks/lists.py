"""When a list may be handed in, checked and corrected, and who may play without a check.

What reads formats is imported where an event needs it: a day without lists does not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from ledger.checks.references import is_waived, needs_reason, not_here, of_round
from ledger.errors import LedgerError, Refused
from ledger.events.base import Waiver
from ledger.events.lists import (
    DeckChecksDrawn,
    ExclusiveGiven,
    ListChecked,
    ListCorrected,
    ListSubmitted,
)
from ledger.events.opening import Document
from ledger.problems import Player, Problem, Problems, in_words, problem, remedy
from ledger.rulesets.stricter import binds
from ledger.tournament.lists import hidden_hands
from ledger.tournament.lists.handed_lists import SubmittedList
from ledger.tournament.lists.list_rules import (
    check_clause,
    decks_failing,
    decks_unchecked,
    drawn_tables,
    exclusive,
    fixed_clause,
    is_sheet_alone,
    list_clause,
    newcomers,
    tables_left,
)
from ledger.tournament.progress import find_player
from ledger.tournament.state import Round, Tournament

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


def absent(tournament: Tournament, number: int) -> Problems:
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
    yield from absent(tournament, event.player)
    yield from too_late(tournament, event.player)
    yield from _text_problems(tournament, event)


def too_late(tournament: Tournament, number: int) -> Problems:
    """Yield that a player hands no list in any more, where that is so."""
    if tournament.started and not _comes_late(tournament, number):
        text = "lists are due before the start; a leader can correct that of {player}"
        clauses, player = f"{list_clause(tournament)}, {fixed_clause(tournament)}", Player(number)
        way = remedy("lists.correct", player=player)
        yield problem("list.late", text, clause=clauses, remedy=way, player=player)


def _comes_late(tournament: Tournament, number: int) -> bool:
    """Whether a player has no list yet, and none was due: lists are not asked for, or not yet."""
    player, held = find_player(tournament, number), tournament.lists.get(number)
    is_due = tournament.opening is None or tournament.opening.lists_required
    late = player is not None and player.late and number in newcomers(tournament)
    return (late or not is_due) and (held is None or not held.seq)


def wrong_list(player: int, latest: int, named: int) -> Problem:
    """Say that an event names another list than the player's latest (0: they have none)."""
    text = "the list of {player} is event {latest}, not event {named}"
    return problem("list.not_latest", text, player=Player(player), latest=latest, named=named)


def list_checked(tournament: Tournament, event: ListChecked) -> Problems:
    yield from absent(tournament, event.player)
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
    yield from needs_reason(event, list_clause(tournament))
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
        yield problem("list.significance", text, clause=list_clause(tournament))
    elif not problems:
        yield from _fixed_problems(tournament, event, held)


def _fixed_problems(tournament: Tournament, event: ListCorrected, held: SubmittedList) -> Problems:
    """Yield what may not change once play began, whatever the sheet said (AOP-DECK)."""
    if not tournament.started:
        return
    given_out = list(_given_out_problems(tournament, event, held))
    yield from given_out
    if not given_out and event.significant and not event.clerical and is_sheet_alone(tournament):
        text = "what {player} plays stays for the whole event: only an error of the sheet is mended"
        player = Player(event.player)
        way, clause = remedy("lists.clerical", player=player), fixed_clause(tournament)
        yield problem("list.fixed", text, clause=clause, remedy=way, player=player)


def _given_out_problems(
    tournament: Tournament, event: ListCorrected, held: SubmittedList
) -> Problems:
    rule = exclusive(tournament)
    if rule is None:
        return
    from ledger.formats.cards import folded  # noqa: PLC0415 - see the module
    from ledger.tournament.lists.card_changes import text_changes  # noqa: PLC0415 - see the module

    given = {folded(each) for names in tournament.floor.given_out.values() for each in names}
    for change in text_changes(held.text, event.text, hidden_hands.shape_of(tournament)):
        if change.section in rule.sections and folded(change.card) in given:
            text = "{card} was given out: it is neither added nor removed once the event has begun"
            yield problem("list.given_out", text, clause=rule.clause, card=change.card)


@of_round
def deck_checks_drawn(tournament: Tournament, event: DeckChecksDrawn, round_: Round) -> Problems:
    draw = len(drawn_tables(tournament, round_)) + 1
    if (event.attempt, event.draw) != (round_.attempt, draw):
        text = "draw {draw} of pairing {attempt} of round {round} comes next"
        of, number = round_.attempt, round_.number
        yield problem("deck_checks.next", text, draw=draw, attempt=of, round=number)
    left, named = set(tables_left(tournament, round_)), list(event.tables)
    if named != sorted(set(named)) or not left.issuperset(named):
        text = "deck checks name tables at which two play, in order, and none a second time"
        yield problem("deck_checks.tables", text)


def exclusive_given(tournament: Tournament, event: ExclusiveGiven) -> Problems:
    yield from absent(tournament, event.player)
    rule, given = exclusive(tournament), tournament.floor.given_out.get(event.player, [])
    if rule is None:
        yield problem("given_out.none", "the event's format has nothing that is given out")
        return
    if tournament.started and event.player not in newcomers(tournament):
        text = "what is given out is given at registration, not once {player} has played"
        yield problem("given_out.late", text, clause=rule.clause, player=Player(event.player))
    if event.back and event.name not in given:
        text, player = "{player} was not given {name}", Player(event.player)
        yield problem("given_out.unknown", text, clause=rule.clause, player=player, name=event.name)


def _is_wrong(tournament: Tournament, event: ListCorrected, held: SubmittedList) -> bool:
    """Whether the open part shows that significant is wrong; the end looks at the hidden one."""
    changes = is_significant(held.text, event.text, hidden_hands.shape_of(tournament))
    return changes > event.significant if event.hidden else changes != event.significant


def is_significant(old: str, new: str, shape: Shape | None = None) -> bool:
    """Whether a correction lists other things than before, not only clearer names."""
    return hidden_hands.is_significant(hidden_hands.Parts(old), hidden_hands.Parts(new), shape)


def lists_to_come(tournament: Tournament) -> Problems:
    """Yield who would play without a list, and without a leader having seen what they play."""
    if tournament.opening is None or not tournament.opening.lists_required:
        return
    waiting = [number for number in newcomers(tournament) if number not in tournament.lists]
    if waiting:
        text = "lists are due before anyone plays: {players} to come"
        clause = list_clause(tournament)
        yield problem("list.missing", text, clause=clause, players=_named(waiting))


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
    clause = check_clause(tournament)
    way = remedy("seat.unchecked") if late else remedy("pair.unchecked")
    if is_waived(clause, waiver, tournament):
        return
    if waiting := decks_unchecked(tournament):
        text = "decks are checked before anyone plays: {players} to come"
        yield problem("list.unchecked", text, remedy=way, players=_named(waiting), clause=clause)
    failing = [each for each in decks_failing(tournament) if not late or each in late]
    if failing and binds(tournament.rules_number, "failing-deck"):
        text = "the check found a deck that breaks the format: {players}"
        yield problem("list.failing", text, remedy=way, players=_named(failing), clause=clause)


def without(tournament: Tournament, away: list[int]) -> Tournament:
    """The tournament as it would be if some players had left it."""
    players = list(tournament.players)
    for number in away:
        players[number] = structs.replace(players[number], status="dropped")
    return structs.replace(tournament, players=players)


def _named(waiting: list[int]) -> tuple[Player | str, ...]:
    more = len(waiting) - NAMED_MAX
    named = tuple(map(Player, waiting[:NAMED_MAX]))
    return (*named, f"and {more} more") if more > 0 else named

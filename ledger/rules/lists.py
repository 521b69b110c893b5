"""Lists of players: when a list may be submitted and checked, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from ledger.errors import LedgerError, Refused
from ledger.facts import hands, lists
from ledger.facts.base import Event, Waiver
from ledger.facts.list_rules import (
    check_clause,
    decks_failing,
    decks_unchecked,
    drawn_tables,
    exclusive,
    fixed_clause,
    given_to,
    is_sheet_alone,
    list_clause,
    newcomers,
    tables_left,
)
from ledger.facts.lists import ExclusiveGiven, ListCorrected, ListSubmitted
from ledger.facts.people import name_key
from ledger.facts.setups import missing_parts
from ledger.facts.shared import (
    FINDINGS_MAX,
    CardSource,
    DeckChecksDrawn,
    Document,
    ListChecked,
    ListFinding,
)
from ledger.problems import Phrase, Player, Problem, Problems, marked, phrase, problem, remedy
from ledger.rules.command import Command, Context, event_of, registered_player, this_round
from ledger.rules.references import is_waived, needs_reason, not_here, of_round
from ledger.rulesets.stricter import binds
from ledger.tournament.progress import find_player
from ledger.tournament.state import Round, Tournament
from ledger.tournament.table_records import SubmittedList

if TYPE_CHECKING:
    from ledger.formats.play_lists import Shape

NAMED_MAX = 5


def format_problems(document: Document) -> Problems:
    """Yield why the format that an opening event carries cannot be used."""
    from ledger.formats import of_document  # noqa: PLC0415 - see the module

    try:
        if of_document(document).document != document:
            text = marked("the text of format {format} does not match its digest")
            yield problem("format.digest", text, format=document.key)
    except LedgerError as error:
        text = marked("format {format} cannot be used: {error}")
        yield problem("format.unusable", text, format=document.key, error=error.words)


def absent(tournament: Tournament, number: int) -> Problems:
    player = find_player(tournament, number)
    if player is None or player.status in {"withdrawn", "disqualified"}:
        yield not_here(number)


def _text_problems(tournament: Tournament, event: ListSubmitted | ListCorrected) -> Problems:
    from ledger.formats import read_list  # noqa: PLC0415 - see the module

    if hands.clause_of(tournament):
        yield from hands.problems(tournament, event)
        return
    if event.hidden:
        yield problem("list.nothing_hidden", "lists have no hidden part in this tournament")
    try:
        read_list(event.text.encode("utf-8", "surrogatepass"), hands.shape_of(tournament))
    except Refused as refused:
        yield from refused.problems


def list_submitted(tournament: Tournament, event: ListSubmitted) -> Problems:
    yield from absent(tournament, event.player)
    yield from too_late(tournament, event.player)
    yield from _text_problems(tournament, event)


def too_late(tournament: Tournament, number: int) -> Problems:
    """Yield that a player hands no list in any more, where that is so."""
    if tournament.started and not _comes_late(tournament, number):
        text = marked(
            "lists must be submitted before the start; a leader can correct the list of {player}"
        )
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
    text = marked("the latest list of {player} is event {latest}, not event {named}")
    if not latest:
        text = marked("{player} has submitted no list, so event {named} is not their list")
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
    clause = hands.clause_of(tournament)
    is_sealed = bool(event.hidden) and event.counts is not None
    if not clause and (event.hidden or event.counts is not None):
        yield problem("list.nothing_hidden", "lists have no hidden part in this tournament")
    if clause and (event.findings or event.further or event.note or not is_sealed):
        text = marked("the findings of a check must be sealed like the hidden part of the list")
        yield problem("list.findings_open", text, clause=clause)


def list_corrected(tournament: Tournament, event: ListCorrected) -> Problems:
    yield from needs_reason(event, list_clause(tournament))
    held = tournament.lists.get(event.player)
    if held is None or not held.seq:
        text = marked("{player} has submitted no list to correct")
        yield problem("list.none", text, player=Player(event.player))
        return
    if event.corrects != held.seq:
        yield wrong_list(event.player, held.seq, event.corrects)
    problems = list(_text_problems(tournament, event))
    yield from problems
    if not problems and _is_wrong(tournament, event, held):
        text = marked(
            "the log entry misstates whether the correction changes the content of the list"
        )
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
        text = marked(
            "the deck of {player} is fixed for the whole tournament: only an error on the "
            "sheet can be corrected"
        )
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
    from ledger.formats.comparing import text_changes  # noqa: PLC0415 - see the module

    given = {folded(each) for names in tournament.floor.given_out.values() for each in names}
    for change in text_changes(held.text, event.text, hands.shape_of(tournament)):
        if change.section in rule.sections and folded(change.card) in given:
            text = marked(
                "{card} was given out at registration: it cannot be added or removed "
                "after the start"
            )
            yield problem("list.given_out", text, clause=rule.clause, card=change.card)


@of_round
def deck_checks_drawn(tournament: Tournament, event: DeckChecksDrawn, round_: Round) -> Problems:
    draw = len(drawn_tables(tournament, round_)) + 1
    if (event.attempt, event.draw) != (round_.attempt, draw):
        text = marked(
            "the next draw of deck checks is draw {draw} of pairing {attempt} of round {round}"
        )
        of, number = round_.attempt, round_.number
        yield problem("deck_checks.next", text, draw=draw, attempt=of, round=number)
    left, named = set(tables_left(tournament, round_)), list(event.tables)
    if named != sorted(set(named)) or not left.issuperset(named):
        text = marked("deck checks must list tables with two players, in order, each only once")
        yield problem("deck_checks.tables", text)


def exclusive_given(tournament: Tournament, event: ExclusiveGiven) -> Problems:
    yield from absent(tournament, event.player)
    rule, given = exclusive(tournament), tournament.floor.given_out.get(event.player, [])
    if rule is None:
        yield missing_parts(tournament)["given out"]
        return
    if tournament.started and event.player not in newcomers(tournament):
        text = marked("this can be given out only at registration, before {player} has played")
        yield problem("given_out.late", text, clause=rule.clause, player=Player(event.player))
    if event.back and event.name not in given:
        text, player = marked("{player} was not given {name}"), Player(event.player)
        yield problem("given_out.unknown", text, clause=rule.clause, player=player, name=event.name)


def _is_wrong(tournament: Tournament, event: ListCorrected, held: SubmittedList) -> bool:
    """Whether the open part shows that significant is wrong; the end looks at the hidden one."""
    changes = is_significant(held.text, event.text, hands.shape_of(tournament))
    return changes > event.significant if event.hidden else changes != event.significant


def is_significant(old: str, new: str, shape: Shape | None = None) -> bool:
    """Whether a correction lists other things than before, not only clearer names."""
    return hands.is_significant(hands.Parts(old), hands.Parts(new), shape)


def lists_to_come(tournament: Tournament) -> Problems:
    """Yield who would play without a list, and without a leader having seen what they play."""
    if tournament.opening is None or not tournament.opening.lists_required:
        return
    waiting = [number for number in newcomers(tournament) if number not in tournament.lists]
    if waiting:
        text = marked("lists must be submitted before play; missing: {players}")
        clause, way = list_clause(tournament), remedy("lists.submit", player=Player(waiting[0]))
        yield problem("list.missing", text, clause=clause, remedy=way, players=_named(waiting))


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
        text = marked("decks must be checked before play; not yet checked: {players}")
        ways = remedy("lists.check", player=Player(waiting[0])), way
        yield problem("list.unchecked", text, remedy=ways, players=_named(waiting), clause=clause)
    failing = [each for each in decks_failing(tournament) if not late or each in late]
    if failing and binds(tournament.rules_number, "failing-deck"):
        text = marked("players whose deck failed the check cannot play: {players}")
        ways = remedy("lists.check", player=Player(failing[0])), way
        yield problem("list.failing", text, remedy=ways, players=_named(failing), clause=clause)


def without(tournament: Tournament, away: list[int]) -> Tournament:
    """The tournament as it would be if some players had left it."""
    players = list(tournament.players)
    for number in away:
        players[number] = structs.replace(players[number], status="dropped")
    return structs.replace(tournament, players=players)


def _named(waiting: list[int]) -> tuple[Player | Phrase, ...]:
    more = len(waiting) - NAMED_MAX
    named = tuple(map(Player, waiting[:NAMED_MAX]))
    return (*named, phrase("and {count} more", count=more)) if more > 0 else named


DECK_CHECKS = "deck-checks@1"


class SubmitList(Command, frozen=True):
    """Hand a player's list in, as the whole text of a file."""

    player: int
    text: str

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        player, held = self.player, tournament.lists.get(self.player)
        problems = *has_left(tournament, player), *not_theirs(tournament, player, self.text)
        if problems:
            raise Refused(*problems)
        if held and self.was_before(held.seq):
            text = marked(
                "{player} submitted a newer list meanwhile: load the page again, then submit"
            )
            raise Refused(problem("seen.list", text, player=Player(player)))
        if not hands.clause_of(tournament):
            if held is None or held.text != self.text:
                yield lists.ListSubmitted(player, self.text)
            return
        parts, key = hands.split(tournament, self.text), context.key_to_seal_with()
        # Whether it is so already is not for others.
        knows = held and held.seq and hands.may_see(tournament, by, player)
        if not (knows and hands.parts_of(tournament, key, player) == parts):
            hidden = hands.sealed(tournament, key, player, parts.hidden)
            yield lists.ListSubmitted(player, parts.open, hidden)


class SubmitLists(Command, frozen=True):
    """Hand several players' lists in at once, all or none."""

    lists: tuple[SubmitList, ...]

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        problems = [
            each
            for listed in self.lists
            for each in (
                *has_left(tournament, listed.player),
                *not_theirs(tournament, listed.player, listed.text),
                *not_now(tournament, listed.player),
            )
        ]
        if problems:
            raise Refused(*problems)
        for listed in self.lists:
            yield from listed.decide(tournament, context, by)


class CheckList(Command, frozen=True):
    """Record that a leader checked a player's list, or the deck itself, and what was found."""

    player: int
    cards: CardSource | None = None
    findings: tuple[ListFinding, ...] = ()
    note: str = ""

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        held, further = tournament.lists.get(self.player), len(self.findings) - FINDINGS_MAX
        found = hands.Found(self.findings[:FINDINGS_MAX], max(0, further), self.note)
        seq = held.seq if held else 0
        if hands.clause_of(tournament):
            yield from _check_hidden(self, tournament, context, by, found)
            return
        checked = ListChecked(
            self.player, seq, self.cards, found.findings, found.further, found.note
        )
        if held is None or held.checked != checked:
            yield checked


def _check_hidden(
    command: CheckList, tournament: Tournament, context: Context, by: str, found: hands.Found
) -> Iterator[Event]:
    """Record what was found as a seal: findings name the cards."""
    player, held = command.player, tournament.lists.get(command.player)
    _refuse_opponents(tournament, by, player)
    key, found = context.key_to_seal_with(), hands.fitting(found)
    latest = held.checked if held else None
    is_same = latest and latest.cards == command.cards
    if is_same and hands.found_of(tournament, key, player) == found:
        return
    yield ListChecked(
        player,
        held.seq if held else 0,
        command.cards,
        hidden=hands.sealed_findings(tournament, key, player, found),
        counts=hands.counts(found.findings),
    )


class CheckLists(Command, frozen=True):
    """Record the checks of several lists, all or none."""

    checks: tuple[CheckList, ...]

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        for each in self.checks:
            yield from each.decide(tournament, context, by)


class DrawDeckChecks(Command, frozen=True):
    """Draw tables of the round in play whose decks are checked."""

    tables: int

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        left, draw = tables_left(tournament, round_), len(drawn_tables(tournament, round_)) + 1
        if not 0 < self.tables <= len(left):
            text = marked("tables of round {round} left to draw for deck checks: {left}")
            clause = check_clause(tournament)
            number, there = round_.number, len(left)
            raise Refused(
                problem("deck_checks.too_many", text, clause=clause, round=number, left=there)
            )
        place = round_.stage, round_.number, round_.attempt, draw
        drawn = context.draws(tournament, DECK_CHECKS, *place).shuffled(left)[: self.tables]
        yield DeckChecksDrawn(round_.number, round_.attempt, draw, tuple(sorted(drawn)))


class GiveExclusive(Command, frozen=True):
    """Record what a player was given out at registration, or that it was a mistake."""

    player: int
    name: str
    back: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        if self.back or self.name not in given_to(tournament, self.player):
            yield event_of(lists.ExclusiveGiven, self)


class CorrectList(Command, frozen=True):
    """Bring a list in line with what is played; a leader says whether it is an advantage.

    `clerical`: the sheet was wrong, and what is played stays.
    """

    player: int
    text: str
    reason: str
    advantageous: bool = True
    clerical: bool = False

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        player, held = self.player, tournament.lists.get(self.player)
        if problems := tuple(not_theirs(tournament, player, self.text)):
            raise Refused(*problems)
        if held is None or not held.seq:
            text = marked("{player} has submitted no list to correct")
            raise Refused(problem("list.none", text, player=Player(player)))
        old, new, hidden = hands.Parts(held.text), hands.Parts(self.text), ""
        if clause := hands.clause_of(tournament):
            _refuse_opponents(tournament, by, player)
            key, new = context.key_to_seal_with(), hands.split(tournament, self.text)
            _refuse_naming(tournament, self.reason, new.hidden)
            opened = hands.parts_of(tournament, key, player)
            if opened is None and not held.is_lost:
                text = marked(
                    "the hidden part of the list does not open with the key in this store"
                )
                raise Refused(problem("list.sealed", text, clause=clause))
            old = opened or hands.Parts(held.text)
            hidden = hands.sealed(tournament, key, player, new.hidden)
        if old != new:
            changes = hands.is_significant(old, new, hands.shape_of(tournament))
            about = {"corrects": held.seq, "text": new.open, "hidden": hidden}
            yield event_of(lists.ListCorrected, self, significant=changes, **about)


def not_theirs(tournament: Tournament, player: int, text: str) -> Problems:
    """Yield that a list names another player of the event, or is one of another game."""
    from ledger.formats import belongs_elsewhere, read_list  # noqa: PLC0415 - only with lists

    data = text.encode("utf-8", "surrogatepass")
    listed = read_list(data, hands.shape_of(tournament))
    other = another_named(tournament, player, listed.player)
    if other:
        words = marked("the list names {other}, not {player}")
        clause = list_clause(tournament)
        of, named = Player(player), Player(other)
        yield problem("list.of_another", words, clause=clause, other=named, player=of)
    made = hands.format_of(tournament)
    if made and (elsewhere := belongs_elsewhere(data, made)):
        words = marked("the list of {player} is for {elsewhere}, but the tournament plays {format}")
        of, clause, key = Player(player), list_clause(tournament), made.key
        yield problem(
            "list.of_another_game",
            words,
            clause=clause,
            player=of,
            elsewhere=elsewhere,
            format=key,
        )


def another_named(tournament: Tournament, player: int, written: str) -> int:
    """Return the other player of the event whose name a list gives; 0 where it is the player's."""
    words = set(name_key(written).split())
    if not words or _is_called(tournament, player, words):
        return 0
    others = (each.number for each in tournament.registered())
    return next((each for each in others if _is_called(tournament, each, words)), 0)


def _is_called(tournament: Tournament, player: int, words: set[str]) -> bool:
    name = set(name_key(tournament.names.get(f"p{player}", "")).split())
    return bool(name) and (words <= name or name <= words)


def has_left(tournament: Tournament, number: int) -> Problems:
    """Yield that a player who dropped hands in no list."""
    player = registered_player(tournament, number)
    if player.status == "dropped":
        text, of = marked("{player} has left the tournament"), Player(number)
        yield problem("list.left", text, remedy=remedy("rejoin", player=of), player=of)


def not_now(tournament: Tournament, player: int) -> Problems:
    """Yield why a player hands no list in: they have left, or it is too late."""
    yield from absent(tournament, player)
    yield from too_late(tournament, player)


def _refuse_naming(tournament: Tournament, reason: str, hidden: str) -> None:
    """A reason that is not sealed names no hidden card."""
    if tournament.opening is None or tournament.opening.names != "open":
        return
    from ledger.formats.cards import folded  # noqa: PLC0415 - only with hidden lists
    from ledger.formats.comparing import names_in  # noqa: PLC0415 - only with hidden lists

    said = folded(reason)
    for entry in sorted(names_in(hidden)):
        if folded(entry) in said:
            clause = hands.clause_of(tournament)
            text = marked(
                "the reason is not sealed in the log and must not name the hidden card {card}"
            )
            raise Refused(problem("list.reason_open", text, clause=clause, card=entry))


def _refuse_opponents(tournament: Tournament, by: str, player: int) -> None:
    if not hands.may_see(tournament, by, player):
        clause = hands.clause_of(tournament)
        text = marked("{by} may not see the hidden part of the list of {player}")
        raise Refused(problem("list.hidden", text, clause=clause, by=by, player=Player(player)))

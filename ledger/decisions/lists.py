"""Handing in, checking and correcting lists."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.lists import absent, too_late
from ledger.decisions.command import Command, Context, event_of, registered_player, this_round
from ledger.errors import Refused
from ledger.events import Event, lists
from ledger.problems import Player, Problems, problem, remedy
from ledger.tournament.lists import hidden_hands
from ledger.tournament.lists.list_rules import (
    check_clause,
    drawn_tables,
    given_to,
    list_clause,
    tables_left,
)
from ledger.tournament.same_names import name_key
from ledger.tournament.state import Tournament

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
        if not hidden_hands.clause_of(tournament):
            if held is None or held.text != self.text:
                yield lists.ListSubmitted(player, self.text)
            return
        parts, key = hidden_hands.split(tournament, self.text), context.key_to_seal_with()
        # Whether it is so already is not for others.
        knows = held and held.seq and hidden_hands.may_see(tournament, by, player)
        if not (knows and hidden_hands.parts_of(tournament, key, player) == parts):
            hidden = hidden_hands.sealed(tournament, key, player, parts.hidden)
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
    cards: lists.CardSource | None = None
    findings: tuple[lists.ListFinding, ...] = ()
    note: str = ""

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        held, further = tournament.lists.get(self.player), len(self.findings) - lists.FINDINGS_MAX
        found = hidden_hands.Found(self.findings[: lists.FINDINGS_MAX], max(0, further), self.note)
        seq = held.seq if held else 0
        if hidden_hands.clause_of(tournament):
            yield from _check_hidden(self, tournament, context, by, found)
            return
        checked = lists.ListChecked(
            self.player, seq, self.cards, found.findings, found.further, found.note
        )
        if held is None or held.checked != checked:
            yield checked


def _check_hidden(
    command: CheckList, tournament: Tournament, context: Context, by: str, found: hidden_hands.Found
) -> Iterator[Event]:
    """Record what was found as a seal: findings name the cards."""
    player, held = command.player, tournament.lists.get(command.player)
    _refuse_opponents(tournament, by, player)
    key, found = context.key_to_seal_with(), hidden_hands.fitting(found)
    latest = held.checked if held else None
    is_same = latest and latest.cards == command.cards
    if is_same and hidden_hands.found_of(tournament, key, player) == found:
        return
    yield lists.ListChecked(
        player,
        held.seq if held else 0,
        command.cards,
        hidden=hidden_hands.sealed_findings(tournament, key, player, found),
        counts=hidden_hands.counts(found.findings),
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
            text = "tables of round {round} whose decks were not drawn yet: {left}"
            clause = check_clause(tournament)
            number, there = round_.number, len(left)
            raise Refused(
                problem("deck_checks.too_many", text, clause=clause, round=number, left=there)
            )
        place = round_.stage, round_.number, round_.attempt, draw
        drawn = context.draws(tournament, DECK_CHECKS, *place).shuffled(left)[: self.tables]
        yield lists.DeckChecksDrawn(round_.number, round_.attempt, draw, tuple(sorted(drawn)))


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
            text = "{player} has handed in no list to correct"
            raise Refused(problem("list.none", text, player=Player(player)))
        old, new, hidden = hidden_hands.Parts(held.text), hidden_hands.Parts(self.text), ""
        if clause := hidden_hands.clause_of(tournament):
            _refuse_opponents(tournament, by, player)
            key, new = context.key_to_seal_with(), hidden_hands.split(tournament, self.text)
            _refuse_naming(tournament, self.reason, new.hidden)
            opened = hidden_hands.parts_of(tournament, key, player)
            if opened is None and not held.is_lost:
                text = "the hidden part of the list does not open with the key here"
                raise Refused(problem("list.sealed", text, clause=clause))
            old = opened or hidden_hands.Parts(held.text)
            hidden = hidden_hands.sealed(tournament, key, player, new.hidden)
        if old != new:
            changes = hidden_hands.is_significant(old, new, hidden_hands.shape_of(tournament))
            about = {"corrects": held.seq, "text": new.open, "hidden": hidden}
            yield event_of(lists.ListCorrected, self, significant=changes, **about)


def not_theirs(tournament: Tournament, player: int, text: str) -> Problems:
    """Yield that a list names another player of the event, or is one of another game."""
    from ledger.formats import belongs_elsewhere, read_list  # noqa: PLC0415 - only with lists

    data = text.encode("utf-8", "surrogatepass")
    listed = read_list(data, hidden_hands.shape_of(tournament))
    other = another_named(tournament, player, listed.player)
    if other:
        words = "the list names {other}, not {player}"
        clause = list_clause(tournament)
        of, named = Player(player), Player(other)
        yield problem("list.of_another", words, clause=clause, other=named, player=of)
    made = hidden_hands.format_of(tournament)
    if made and (elsewhere := belongs_elsewhere(data, made)):
        words = "the list of {player} is one of {elsewhere}, and the event plays {format}"
        of = Player(player)
        yield problem(
            "list.of_another_game", words, player=of, elsewhere=elsewhere, format=made.key
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
        text, of = "{player} has left the event", Player(number)
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
    from ledger.tournament.lists.card_changes import names_in  # noqa: PLC0415 - only with hidden lists

    said = folded(reason)
    for entry in sorted(names_in(hidden)):
        if folded(entry) in said:
            clause = hidden_hands.clause_of(tournament)
            text = "the reason stands open in the log, and names the hidden card {card}"
            raise Refused(problem("list.reason_open", text, clause=clause, card=entry))


def _refuse_opponents(tournament: Tournament, by: str, player: int) -> None:
    if not hidden_hands.may_see(tournament, by, player):
        clause = hidden_hands.clause_of(tournament)
        text = "{by} may not see the hidden part of the list of {player}"
        raise Refused(problem("list.hidden", text, clause=clause, by=by, player=Player(player)))

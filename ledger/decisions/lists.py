"""Handing in, checking and correcting lists."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.decisions.command import Command, Context, event_of
from ledger.errors import Refused
from ledger.events import Event, lists
from ledger.problems import Player, problem
from ledger.tournament import hidden_hands
from ledger.tournament.state import Tournament


class SubmitList(Command, frozen=True):
    """Hand a player's list in, as the whole text of a file."""

    player: int
    text: str

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        player, held = self.player, tournament.lists.get(self.player)
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


class CorrectList(Command, frozen=True):
    """Bring a list in line with what is played; a leader says whether it is an advantage."""

    player: int
    text: str
    reason: str
    advantageous: bool = True

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        player, held = self.player, tournament.lists.get(self.player)
        if held is None or not held.seq:
            text = "{player} has handed in no list to correct"
            raise Refused(problem("list.none", text, player=Player(player)))
        old, new, hidden = hidden_hands.Parts(held.text), hidden_hands.Parts(self.text), ""
        if clause := hidden_hands.clause_of(tournament):
            _refuse_opponents(tournament, by, player)
            key, new = context.key_to_seal_with(), hidden_hands.split(tournament, self.text)
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


def _refuse_opponents(tournament: Tournament, by: str, player: int) -> None:
    if not hidden_hands.may_see(tournament, by, player):
        clause = hidden_hands.clause_of(tournament)
        text = "{by} may not see the hidden part of the list of {player}"
        raise Refused(problem("list.hidden", text, clause=clause, by=by, player=Player(player)))

"""Rounds: paired, posted, started, closed."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from ledger.events import base
from ledger.events.base import DESK, LEADERS, ORGANIZER, Event, Meaning, Recording
from ledger.problems import remedy


class RoundPaired(Event, frozen=True):
    """A round's games; the place in `games` is the table, or the game number of an elimination.

    A game `[7, 0]` is player 7's bye, `[0, 0]` an elimination game that nobody is left for. Each
    game gets the next match id. `attempt` counts the pairings of this round from 1. The first
    `by_hand` games were set by the organizer, the rest by `procedure`. `passed_over` lists who
    was next for the bye but had no legal round with it (FFG-BYE-LATER). `byes` says whose bye, of
    those by hand, is one that the ruleset has by a name, as one of half a point.
    """

    recording = Recording("pairing a round", DESK, drawn=True)

    stage: base.Ordinal
    round: base.Ordinal
    attempt: base.Ordinal
    procedure: base.Label
    games: tuple[tuple[base.Seat, base.Seat], ...]
    by_hand: base.Count = 0
    passed_over: tuple[base.Number, ...] = ()
    reason: base.Text = ""
    waiver: base.Waiver | None = None
    byes: dict[base.Label, tuple[base.Number, ...]] = field(default_factory=dict)

    def reversal(self, reason: str) -> Event:
        return RoundUnpaired(self.round, reason)


class RoundUnpaired(Event, frozen=True):
    """A pairing was taken back before it had any result."""

    recording = Recording("taking a pairing back", DESK, instead=remedy("pair"))

    round: base.Ordinal
    reason: base.Text


class SeatsSwapped(Event, frozen=True):
    """Two players of a round changed places, by the organizer's hand."""

    recording = Recording("swapping seats", DESK)

    round: base.Ordinal
    players: tuple[base.Number, base.Number]
    reason: base.Text
    waiver: base.Waiver | None = None

    def reversal(self, reason: str) -> Event:
        return SeatsSwapped(self.round, self.players, reason, self.waiver)


class TablesRepaired(Event, frozen=True):
    """Tables without a result were stopped, and their players seated again among themselves.

    `games` are the new seats of `tables`, `were` those before, in the same order. A table keeps
    its match; every other table stays as it is.
    """

    recording = Recording("repairing a round", ORGANIZER, drawn=True)

    round: base.Ordinal
    tables: tuple[base.Ordinal, ...]
    games: tuple[tuple[base.Seat, base.Seat], ...]
    were: tuple[tuple[base.Seat, base.Seat], ...]
    procedure: base.Label
    reason: base.Text

    def reversal(self, reason: str) -> Event:
        return TablesRepaired(
            self.round, self.tables, self.were, self.games, self.procedure, reason
        )


class PlayersSeated(Event, frozen=True):
    """Who came after the round was paired got a seat in it, and nobody else moved.

    `game` are the seats of the table now and `was` those before: a bye whose empty seat is taken,
    or `[0, 0]` where a table was opened, at the next number, with the next match id. A game
    `[7, 0]` is a latecomer's bye. The unpaired loss for the round is taken from who sits down.
    """

    recording = Recording("seating a latecomer", DESK, withdrawable=True)

    round: base.Ordinal
    table: base.Ordinal
    game: tuple[base.Seat, base.Seat]
    was: tuple[base.Seat, base.Seat]
    reason: base.Text = ""
    waiver: base.Waiver | None = None

    @property
    def newcomers(self) -> tuple[int, ...]:
        """Who sits down."""
        return tuple(player for player in self.game if player and player not in self.was)


class SeatingWithdrawn(Meaning, frozen=True):
    """A seat that a latecomer got by mistake is free again, with the loss for the round."""

    recording = Recording("taking a seat back", DESK, instead=remedy("seat"))
    takes_back = (PlayersSeated,)

    round: base.Ordinal
    table: base.Ordinal
    game: tuple[base.Seat, base.Seat]
    was: tuple[base.Seat, base.Seat]


class Posted(Event, frozen=True):
    """What hung on the wall: the SHA-256 of a table's fixed serialisation.

    `up_to` is the last event that the table saw. Standings: one line a row, `rank player points`
    and each tiebreaker as a fraction in lowest terms. Pairings: `table player player`.
    """

    recording = Recording(
        "posting",
        DESK,
        after_finish=True,
        instead=remedy("post"),
        stays="what hung on the wall stays on record",
    )

    what: Literal["pairings", "standings"]
    round: base.Count
    up_to: base.Seq
    sha256: base.Sha256
    engine: base.Label


class RoundStarted(Event, frozen=True):
    """A leader started the round and its clock; 0 minutes: without a clock."""

    recording = Recording(
        "starting a round", LEADERS, withdrawable=True, instead=remedy("round.extend")
    )

    round: base.Ordinal
    minutes: Annotated[int, Meta(ge=0, le=1_440)] = 0


class RoundClosed(Event, frozen=True):
    """The round is over; for every game the `seq` of the result that counts, or 0 for none.

    A disputed match that waits for its ruling is left without one by a waiver alone.
    """

    recording = Recording("closing a round", DESK)

    round: base.Ordinal
    results: tuple[base.SeqOrNone, ...]
    waiver: base.Waiver | None = None

    def reversal(self, reason: str) -> Event:
        return RoundReopened(self.round, reason)


class RoundReopened(Event, frozen=True):
    """A round closed by mistake is open again."""

    recording = Recording("opening a round again", DESK, instead=remedy("round.close"))

    round: base.Ordinal
    reason: base.Text


class CheckInOpened(Event, frozen=True):
    """Before the next pairing everybody says that they are here; nobody has said so yet."""

    recording = Recording("opening a check-in", DESK, withdrawable=True)


class CheckedIn(Event, frozen=True):
    """A player is here: they said so themselves, or the desk saw them."""

    recording = Recording("checking in", DESK | LEADERS, by_players=True, withdrawable=True)

    player: base.Number


class CheckInClosed(Event, frozen=True):
    """The check-in is over: from here on the desk alone says who came after all."""

    recording = Recording("closing a check-in", DESK, withdrawable=True)

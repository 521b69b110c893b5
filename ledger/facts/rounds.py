"""Rounds, seats and check-ins: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, field

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, ORGANIZER, Event, Meaning, Recording
from ledger.facts.columns import clear, erase, write
from ledger.problems import marked, remedy
from ledger.tournament.progress import check_in_now
from ledger.tournament.state import Match, Round, Tournament
from ledger.tournament.table_records import Attendance

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


class RoundPaired(Event, frozen=True):
    """A round's games; the place in `games` is the table, or the game number of an elimination.

    A game `[7, 0]` is player 7's bye, `[0, 0]` an elimination game that nobody is left for. Each
    game gets the next match id. `attempt` counts the pairings of this round from 1. The first
    `by_hand` games were set by the organizer, the rest by `procedure`. `passed_over` lists who
    was next for the bye but had no legal round with it (FFG-BYE-LATER). `byes` says whose bye, of
    those by hand, is one that the ruleset has by a name, as one of half a point.
    """

    recording = Recording(marked("pairing a round"), DESK, drawn=True)

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

    recording = Recording(marked("undoing a pairing"), DESK, instead=remedy("pair"))

    round: base.Ordinal
    reason: base.Text


class SeatsSwapped(Event, frozen=True):
    """Two players of a round changed places, by the organizer's hand."""

    recording = Recording(marked("swapping seats"), DESK)

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

    recording = Recording(marked("repairing a round"), ORGANIZER, drawn=True)

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

    recording = Recording(marked("seating a latecomer"), DESK, withdrawable=True)

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

    recording = Recording(marked("undoing a seating"), DESK, instead=remedy("seat"))
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
        marked("posting"),
        DESK,
        after_finish=True,
        instead=remedy("post"),
        stays=marked("a posted sheet stays on record"),
    )

    what: Literal["pairings", "standings"]
    round: base.Count
    up_to: base.Seq
    sha256: base.Sha256
    engine: base.Label


class RoundStarted(Event, frozen=True):
    """A leader started the round and its clock; 0 minutes: without a clock."""

    recording = Recording(
        marked("starting a round"), LEADERS, withdrawable=True, instead=remedy("round.extend")
    )

    round: base.Ordinal
    minutes: Annotated[int, Meta(ge=0, le=1_440)] = 0


class RoundClosed(Event, frozen=True):
    """The round is over; for every game the `seq` of the result that counts, or 0 for none.

    A disputed match that waits for its ruling is left without one by a waiver alone.
    """

    recording = Recording(marked("closing a round"), DESK)

    round: base.Ordinal
    results: tuple[base.SeqOrNone, ...]
    waiver: base.Waiver | None = None

    def reversal(self, reason: str) -> Event:
        return RoundReopened(self.round, reason)


class RoundReopened(Event, frozen=True):
    """A round closed by mistake is open again."""

    recording = Recording(marked("reopening a round"), DESK, instead=remedy("round.close"))

    round: base.Ordinal
    reason: base.Text


class CheckInOpened(Event, frozen=True):
    """Before the next pairing everybody says that they are here; nobody has said so yet."""

    recording = Recording(marked("opening a check-in"), DESK, withdrawable=True)


class CheckedIn(Event, frozen=True):
    """A player is here: they said so themselves, or the desk saw them."""

    recording = Recording(marked("checking in"), DESK | LEADERS, by_players=True, withdrawable=True)

    player: base.Number


class CheckInClosed(Event, frozen=True):
    """The check-in is over: from here on the desk alone says who came after all."""

    recording = Recording(marked("closing a check-in"), DESK, withdrawable=True)


def round_paired(tournament: Tournament, event: RoundPaired, recorded: Recorded) -> None:
    round_ = Round(
        event.round,
        event.stage,
        event.attempt,
        paired_seq=recorded.seq,
        procedure=event.procedure,
        by_hand=event.by_hand,
    )
    tournament.rounds.append(round_)
    tournament.stages[event.stage - 1].rounds.append(event.round)
    tournament.attempts[event.round] = event.attempt
    for of_rounds in (tournament.floor.calls, tournament.floor.pauses, tournament.floor.longer):
        of_rounds.pop(event.round, None)
    clear(round_, len(tournament.players) - 1)
    first = len(tournament.matches)
    round_.matches = [
        Match(first + place, event.round, place + 1, one, other)
        for place, (one, other) in enumerate(event.games)
    ]
    tournament.matches.extend(round_.matches)
    round_.unreported = sum(match.is_open for match in round_.matches)
    names = {player: name for name, players in event.byes.items() for player in players}
    for match in round_.matches if names else ():
        match.named = names.get(match.first, "") if match.is_bye else ""
    for match in round_.matches:
        _grant_bye(tournament, match, recorded.seq)


def _grant_bye(tournament: Tournament, match: Match, seq: int) -> None:
    if not match.is_bye:
        return
    match.result_seq = seq
    for player in match.players:
        worth = tournament.ruleset.worth_of_bye(match.named)
        round_ = tournament.rounds[match.round - 1]
        write(round_, player, seq, worth.points, "B", fields=worth.fields)
        tournament.players[player].byes += not match.named


def _revoke_bye(tournament: Tournament, match: Match) -> None:
    if match.is_bye:
        match.result_seq = 0
        for player in match.players:
            erase(tournament.rounds[match.round - 1], player)
            tournament.players[player].byes -= not match.named


def round_unpaired(tournament: Tournament, event: RoundUnpaired, _: Recorded) -> None:
    for match in tournament.rounds[event.round - 1].matches:
        _revoke_bye(tournament, match)
        match.void = True
    round_ = tournament.rounds.pop()
    tournament.stages[round_.stage - 1].rounds.remove(round_.number)


def seats_swapped(tournament: Tournament, event: SeatsSwapped, recorded: Recorded) -> None:
    one, other = event.players
    trade = {one: other, other: one}
    round_ = tournament.rounds[event.round - 1]
    touched = [match for match in round_.matches if {one, other} & set(match.players)]
    for match in touched:
        _revoke_bye(tournament, match)
        match.first = trade.get(match.first, match.first)
        match.second = trade.get(match.second, match.second)
        round_.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def tables_repaired(tournament: Tournament, event: TablesRepaired, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    touched = [round_.matches[table - 1] for table in event.tables]
    for match in touched:
        _revoke_bye(tournament, match)
    for match, game in zip(touched, event.games, strict=True):
        match.first, match.second = game
        round_.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def players_seated(tournament: Tournament, event: PlayersSeated, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    if event.table > len(round_.matches):
        match = Match(len(tournament.matches), event.round, event.table, 0, 0)
        round_.matches.append(match)
        tournament.matches.append(match)
    for player in event.newcomers:
        has_loss = player < len(round_.seqs)
        round_.latecomers[player] = round_.seqs[player] if has_loss else 0
        erase(round_, player)
    _seat(tournament, round_, event.table, event.game, recorded.seq)


def seating_withdrawn(tournament: Tournament, event: SeatingWithdrawn, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    match = _seat(tournament, round_, event.table, event.was, recorded.seq)
    worth = tournament.ruleset.unpaired_loss
    for player in set(event.game) - set(event.was) - {0}:
        if seq := round_.latecomers.pop(player, 0):
            write(round_, player, seq, worth.points, "L", fields=worth.fields)
    if not match.players:
        match.void = True
        round_.matches.remove(match)


def _seat(
    tournament: Tournament, round_: Round, table: int, game: tuple[int, int], seq: int
) -> Match:
    """Let a table have these seats; who has a bye then has its points."""
    match = round_.matches[table - 1]
    _revoke_bye(tournament, match)
    match.first, match.second = game
    match.named = "" if all(game) else match.named
    match.result_seq = 0
    round_.reseated[match.number] = seq
    tournament.floor.forget_set_up(match.number)
    _grant_bye(tournament, match, seq)
    round_.unreported = sum(each.is_open for each in round_.matches)
    return match


def posted(tournament: Tournament, _event: Posted, recorded: Recorded) -> None:
    tournament.postings.append(recorded)


def round_started(tournament: Tournament, event: RoundStarted, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status = "started"
    round_.minutes = event.minutes
    round_.started_at = recorded.at


def round_closed(tournament: Tournament, event: RoundClosed, _: Recorded) -> None:
    tournament.rounds[event.round - 1].status = "closed"


def round_reopened(tournament: Tournament, event: RoundReopened, _: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status = "started" if round_.started_at else "paired"


def undo_round_started(tournament: Tournament, event: RoundStarted, _: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status, round_.minutes, round_.started_at = "paired", 0, ""


def check_in_opened(tournament: Tournament, _: CheckInOpened, recorded: Recorded) -> None:
    tournament.floor.check_ins.append(Attendance(recorded.seq))


def undo_check_in_opened(tournament: Tournament, _: CheckInOpened, recorded: Recorded) -> None:
    kept = [each for each in tournament.floor.check_ins if each.seq != recorded.seq]
    tournament.floor.check_ins = kept


def checked_in(tournament: Tournament, event: CheckedIn, recorded: Recorded) -> None:
    if check_in := check_in_now(tournament):
        check_in.present[event.player] = recorded.seq


def undo_checked_in(tournament: Tournament, event: CheckedIn, recorded: Recorded) -> None:
    for check_in in tournament.floor.check_ins:
        if check_in.present.get(event.player) == recorded.seq:
            del check_in.present[event.player]


def check_in_closed(tournament: Tournament, _: CheckInClosed, recorded: Recorded) -> None:
    if check_in := check_in_now(tournament):
        check_in.closed = recorded.seq


def undo_check_in_closed(tournament: Tournament, _: CheckInClosed, recorded: Recorded) -> None:
    for check_in in tournament.floor.check_ins:
        if check_in.closed == recorded.seq:
            check_in.closed = 0

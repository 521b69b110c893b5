"""Confirming, disputing, appealing, and entering what was ruled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.commands import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawAppeal,
    WithdrawDispute,
    WithdrawRuling,
)
from ledger.decisions.told import found_match, told_result
from ledger.errors import NotFound, Refused
from ledger.events.disputes import AppealMade, ResultConfirmed, ResultDisputed
from ledger.events.results import ResultCorrected
from ledger.events.undo import ActWithdrawn
from ledger.tournament import disputes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.tournament.disputes import Claim
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import Ruling


def _said_of(tournament: Tournament, match: Match) -> Claim:
    said = disputes.standing(tournament, match)
    if said is None:
        raise Refused(f"{match.round}/{match.table} has no result yet: use `report`")
    return said


def confirmed_by(tournament: Tournament, match: Match, said: Claim, player: int) -> Iterator[Event]:
    """Let a player, or the desk (0), confirm what was said, unless they have."""
    if not disputes.has_confirmed(tournament, match.number, player):
        yield ResultConfirmed(match.number, said.seq, player)


def _confirm(
    command: ConfirmResult, tournament: Tournament, _: Context, by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    said = _said_of(tournament, match)
    yield from confirmed_by(tournament, match, said, disputes.speaker(tournament, by, match))


def _dispute(
    command: DisputeResult, tournament: Tournament, _: Context, by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    said = _said_of(tournament, match)
    claim = told_result(tournament, match, command.claim) if command.claim else None
    player = disputes.speaker(tournament, by, match)
    standing = disputes.dispute_of(tournament, match.number)
    if standing is not None and disputes.is_repeated(standing, player, claim, command.reason):
        return
    yield ResultDisputed(match.number, said.seq, player, claim, command.reason)


def _withdraw(
    command: WithdrawDispute, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    dispute = disputes.dispute_of(tournament, match.number)
    if dispute is None:
        raise Refused(f"{match.round}/{match.table} is not disputed")
    yield ActWithdrawn(dispute.seq, command.reason)


def _appeal(command: Appeal, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
    player = disputes.word_of(tournament, by)
    if not player:
        raise Refused("an appeal is a player's: say whose with --for (FFG-ROLE-JUDGE)")
    ruling = ruling_of(tournament, command.ruling)
    is_asked = disputes.is_appealed(ruling) and ruling.made.player == player
    if not (is_asked and not ruling.appealed):
        yield AppealMade(command.ruling, player, command.reason)


def _withdraw_appeal(
    command: WithdrawAppeal, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    ruling = ruling_of(tournament, command.ruling)
    if not ruling.appealed:
        asked = disputes.is_appealed(ruling)
        how = "asks for its review itself: take the ruling back" if asked else "is not appealed"
        raise Refused(f"ruling {command.ruling} {how}")
    yield ActWithdrawn(ruling.appealed, command.reason)


def _withdraw_ruling(
    command: WithdrawRuling, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    ruling_of(tournament, command.ruling)  # there is one
    yield ActWithdrawn(command.ruling, command.reason)


def ruling_of(tournament: Tournament, seq: int) -> Ruling:
    """The ruling of an event.

    Raises:
        NotFound: the event is none.
    """
    ruling = tournament.floor.ruling(seq)
    if ruling is None:
        raise NotFound(f"event {seq} is no ruling: `rule` lists them")
    return ruling


def _carry_out(command: CarryOut, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    ruling = ruling_of(tournament, command.ruling)
    result = result_ruled(tournament, ruling)
    if result is None:
        raise Refused(f"ruling {command.ruling} decides no result: say which with `correct`")
    match = found_match(tournament, ruling.made.match)
    yield from entered(tournament, match, ruling, result, command.reason)


def result_ruled(tournament: Tournament, ruling: Ruling) -> Result | None:
    """The result that a ruling gives its match; none where it gives none."""
    dispute = disputes.dispute_ruled_by(tournament, ruling.seq)
    if dispute is not None:
        return disputes.decided(tournament, dispute)
    return ruling.made.decides


def entered(
    tournament: Tournament, match: Match, ruling: Ruling, result: Result, reason: str = ""
) -> Iterator[Event]:
    """Bring a match's result in line with a ruling; nothing where it is."""
    said = _said_of(tournament, match)
    if said.result == result:
        if match.result is None:
            yield ResultConfirmed(match.number, said.seq, ruling=ruling.seq)
        return
    why = reason if reason.strip() else ruling.made.ruling
    yield ResultCorrected(match.number, said.seq, result, why, ruling.seq)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    ConfirmResult: _confirm,
    DisputeResult: _dispute,
    WithdrawDispute: _withdraw,
    Appeal: _appeal,
    WithdrawAppeal: _withdraw_appeal,
    WithdrawRuling: _withdraw_ruling,
    CarryOut: _carry_out,
}

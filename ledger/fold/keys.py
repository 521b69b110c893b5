"""What registering, revoking and replacing keys does to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.lines.recorded import Recorded
from ledger.proof.formats import unbase64
from ledger.proof.holders import held_from, needed_to_register, official_in
from ledger.tournament.keyholders import holders_of, registration
from ledger.tournament.state import CommittedKey, Tournament


def _registered(tournament: Tournament, event: KeyRegistered, recorded: Recorded) -> None:
    public, new = unbase64(event.public), registration(event)
    need = needed_to_register(holders_of(tournament), new, official_in(recorded.by))
    tournament.keys[public] = held_from(new, public, need, recorded.seq)


def _revoked(tournament: Tournament, event: KeyRevoked, recorded: Recorded) -> None:
    public = unbase64(event.public)
    tournament.keys[public] = tournament.keys[public]._replace(until=recorded.seq)


def _replaced(tournament: Tournament, event: ShuffleKeyReplaced, recorded: Recorded) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.draw_keys.append(key)


def _hidden_replaced(tournament: Tournament, event: HiddenKeyReplaced, recorded: Recorded) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.hidden_keys.append(key)
    tournament.floor.lost_battles.update(tournament.floor.battles)
    for held in tournament.lists.values():
        held.is_lost = True
        for handed in held.handed:
            handed.is_lost = True


def _forked(_tournament: Tournament, _event: ForkAccepted, _recorded: Recorded) -> None:
    """Nothing: it is about lines that are not here."""


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    KeyRegistered: _registered,
    KeyRevoked: _revoked,
    ShuffleKeyReplaced: _replaced,
    HiddenKeyReplaced: _hidden_replaced,
    ForkAccepted: _forked,
}

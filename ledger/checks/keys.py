"""Which keys may be registered, revoked and replaced, and how a fork is gone on from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.signing import active, number_of
from ledger.events.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.holders import check_registration
from ledger.tournament.keyholders import holders_of, registration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _registered(tournament: Tournament, event: KeyRegistered) -> Iterator[str]:
    if event.holder >= len(tournament.officials):
        yield f"there is no official {event.holder}"
        return
    new, holders = registration(event), holders_of(tournament)
    try:
        check_registration(holders, number_of(tournament), new)
    except Invalid as error:
        yield str(error)


def _revoked(tournament: Tournament, event: KeyRevoked) -> Iterator[str]:
    try:
        held = tournament.keys.get(unbase64(event.public))
    except Invalid:
        held = None
    if held is None:
        yield "no such key is registered"
    elif held.until:
        yield f"event {held.until} revoked this key already"
    elif not held.holder and active(tournament, 0) == [held]:
        yield "this is the log's only key: another one has to be registered first"
    if not event.reason.strip():
        yield "revoking a key needs a reason"


def _replaced(
    tournament: Tournament, event: ShuffleKeyReplaced | HiddenKeyReplaced
) -> Iterator[str]:
    known = [*tournament.draw_keys, *tournament.hidden_keys]
    if not known:
        yield "this log commits to no key: nothing in it is drawn"
    if any(each.commitment == event.commitment for each in known):
        yield "the log committed to this key before: another one replaces it"
    if not event.reason.strip():
        yield "replacing a lost key needs a reason"


def _forked(_tournament: Tournament, event: ForkAccepted) -> Iterator[str]:
    if not event.reason.strip():
        yield "going on from a fork needs a reason"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    KeyRegistered: _registered,
    KeyRevoked: _revoked,
    ShuffleKeyReplaced: _replaced,
    HiddenKeyReplaced: _replaced,
    ForkAccepted: _forked,
}

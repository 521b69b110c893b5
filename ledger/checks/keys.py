"""Which keys may be registered, revoked and replaced, and how a fork is gone on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.checks.authority.signing import active, number_of
from ledger.checks.references import needs_reason, no_official
from ledger.events.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.problems import in_words, problem
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.holders import check_registration
from ledger.tournament.keyholders import holders_of, registration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.checks.references import Rules
    from ledger.problems import Problem
    from ledger.tournament.state import Tournament


def _registered(tournament: Tournament, event: KeyRegistered) -> Iterator[Problem]:
    if event.holder >= len(tournament.officials):
        yield no_official(event.holder)
        return
    new, holders = registration(event), holders_of(tournament)
    try:
        check_registration(holders, number_of(tournament), new)
    except Invalid as error:
        yield in_words(str(error), "key.registration")


def _revoked(tournament: Tournament, event: KeyRevoked) -> Iterator[Problem]:
    try:
        held = tournament.keys.get(unbase64(event.public))
    except Invalid:
        held = None
    if held is None:
        yield problem("key.unknown", "no such key is registered")
    elif held.until:
        yield problem("key.revoked", "event {event} revoked this key already", event=held.until)
    elif not held.holder and active(tournament, 0) == [held]:
        text = "this is the log's only key: another one has to be registered first"
        yield problem("key.only_one", text)
    yield from needs_reason(event)


def _replaced(
    tournament: Tournament, event: ShuffleKeyReplaced | HiddenKeyReplaced
) -> Iterator[Problem]:
    known = [*tournament.draw_keys, *tournament.hidden_keys]
    if not known:
        yield problem("key.none_committed", "this log commits to no key: nothing in it is drawn")
    if any(each.commitment == event.commitment for each in known):
        text = "the log committed to this key before: another one replaces it"
        yield problem("key.committed_before", text)
    yield from needs_reason(event)


def _forked(_tournament: Tournament, event: ForkAccepted) -> Iterator[Problem]:
    yield from needs_reason(event)


CHECKS: Rules = {
    KeyRegistered: _registered,
    KeyRevoked: _revoked,
    ShuffleKeyReplaced: _replaced,
    HiddenKeyReplaced: _replaced,
    ForkAccepted: _forked,
}

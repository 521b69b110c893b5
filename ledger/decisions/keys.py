"""Registering, revoking and replacing keys, going on from a fork."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.signing import active
from ledger.commands import AcceptFork, RegisterKey, ReplaceHiddenKey, ReplaceShuffleKey, RevokeKey
from ledger.events.keys import (
    Consent,
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.proof.evidence.notes import base64_of
from ledger.proof.holders import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _register(
    command: RegisterKey, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    """Register a key; those in whose place it stands, because they are lost, go out of use."""
    held = [base64_of(each.public) for each in active(tournament, command.holder)]
    if command.public in held:
        return
    yield _registration(command, command.holder, command.public)
    for public in held if command.lost else ():
        yield KeyRevoked(public, command.lost)


def _registration(command: RegisterKey | RevokeKey, holder: int, public: str) -> KeyRegistered:
    second = Consent(command.second, command.consent) if command.second else None
    return KeyRegistered(holder, public, command.proof, second=second, lost=command.lost)


def _revoke(command: RevokeKey, _tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    if command.successor:
        yield _registration(command, LOG, command.successor)
    yield KeyRevoked(command.public, command.reason)


def _replace(
    command: ReplaceShuffleKey, _tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield ShuffleKeyReplaced(command.commitment, command.reason)


def _replace_hidden(
    command: ReplaceHiddenKey, _tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield HiddenKeyReplaced(command.commitment, command.reason)


def _accept(command: AcceptFork, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    former = active(tournament, 0)
    yield ForkAccepted(command.size, command.root, command.reason)
    if not command.public:
        return
    yield KeyRegistered(0, command.public, command.proof)
    for held in former:
        yield KeyRevoked(base64_of(held.public), command.reason)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    RegisterKey: _register,
    RevokeKey: _revoke,
    ReplaceShuffleKey: _replace,
    ReplaceHiddenKey: _replace_hidden,
    AcceptFork: _accept,
}

"""Who holds which key, as the state and the events have it, for the rules of the proof."""

from __future__ import annotations

from ledger.events.keys import KeyRegistered
from ledger.proof.notes import base64_of
from ledger.proof.signatures import Holders, Registration
from ledger.tournament.state import Tournament


def holders_of(tournament: Tournament) -> Holders:
    """Return who holds which key, and who leads the event."""
    roles = {official.number: official.roles for official in tournament.officials[1:]}
    return Holders(tournament.keys, roles)


def holder_of(tournament: Tournament, public: str) -> int | None:
    """Return who was registered with a key: an official, or 0 for the log; None for nobody."""
    holders = (each.holder for each in tournament.keys.values() if base64_of(each.public) == public)
    return next(holders, None)


def registration(event: KeyRegistered) -> Registration:
    """Return what an event says of a new key."""
    second = (event.second.official, event.second.sig) if event.second else (0, "")
    return Registration(
        event.holder, event.public, event.proof, *second, is_lost=bool(event.lost.strip())
    )

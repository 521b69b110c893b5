"""Which keys cover a person: the one of their name, and those of the free texts about them.

A text is about the players and officials that its event names, about both players of the match
that it names, and about the player whose word it was. Who typed it at the desk is not its subject.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.keys import KeyRevoked
from ledger.events.people import PersonRecorded
from ledger.events.rounds import RoundPaired
from ledger.events.rounds import SeatsSwapped
from ledger.events.rounds import TablesRepaired
from ledger.events.undo import ActWithdrawn
from ledger.proof.formats import unbase64
from ledger.sealing import MASTER
from ledger.sealing import NAME
from ledger.sealing import key_name
from ledger.texts import holds_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator

    from ledger.lines import Recorded
    from ledger.state import Tournament

PLAYER_FIELDS = ("player", "leaver", "entrant")
"""The members of an event that name a player."""

OFFICIAL_FIELD = "official"
MATCH_FIELD = "match"


def covered(events: Iterable[Recorded], tournament: Tournament) -> frozenset[str]:
    """Name the secrets of a log, as a vault has them, that cover those who were forgotten."""
    forgotten = tournament.forgotten
    if not forgotten:
        return frozenset()
    names = {f"{MASTER}{of}" for of in forgotten}
    for each in events:
        if isinstance(each.event, PersonRecorded):
            names |= {f"{NAME}{each.id}"} if each.event.of in forgotten else set()
        elif holds_text(type(each.event)):
            is_about = not forgotten.isdisjoint(persons_of(each, tournament))
            names |= {key_name(each)} if is_about else set()
    return frozenset(names)


def persons_of(recorded: Recorded, tournament: Tournament) -> Iterator[str]:
    """Yield whom an event is about, as `p7` and `o2`."""
    event = recorded.event
    players = [getattr(event, name, 0) for name in PLAYER_FIELDS]
    number = getattr(event, MATCH_FIELD, 0)
    if 0 < number < len(tournament.matches):
        players += tournament.matches[number].players
    if isinstance(event, SeatsSwapped):
        players += event.players
    if isinstance(event, TablesRepaired):
        players += [player for game in event.games for player in game]
    if isinstance(event, ActWithdrawn) and event.withdraws in tournament.floor.acts:
        yield from persons_of(tournament.floor.acts[event.withdraws], tournament)
    if isinstance(event, RoundPaired):
        players += [player for game in event.games[: event.by_hand] for player in game]
    yield from (f"p{player}" for player in players if player)
    official = getattr(event, OFFICIAL_FIELD, 0)
    if isinstance(event, KeyRevoked):
        official = tournament.keys[unbase64(event.public)].holder
    if official:
        yield f"o{official}"
    yield from (said for said in recorded.by.split("/") if said.startswith("p"))

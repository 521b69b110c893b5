"""Which keys cover a person: the one of their name, and those of the free texts about them.

A text is about the players and officials that its event names, about both players of the match
that it names, and about the player whose word it was. Who typed it at the desk is not its subject.

A text that is about somebody else as well (a ruling or a correction of a match, a report of theirs
about another player) is held back until play is closed, and for as many days after it as line 1
announces for appeals: the other one may still need it. A further `PersonForgotten` after that says
on record that it was destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts.keys import KeyRegistered, KeyRevoked, LinkRevoked
from ledger.facts.rounds import (
    PlayersSeated,
    RoundPaired,
    SeatingWithdrawn,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.facts.shared import PersonRecorded, RegistrationAsked
from ledger.facts.undo import ActWithdrawn
from ledger.fold import meaning
from ledger.lines.sealing import MASTER, NAME, key_name, texts
from ledger.proof.formats import unbase64

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

PLAYER_FIELDS = ("player", "leaver", "entrant")
"""The members of an event that name a player."""

OFFICIAL_FIELD = "official"
MATCH_FIELD = "match"


def covered(events: Iterable[Recorded], tournament: Tournament) -> frozenset[str]:
    """Name the secrets of a log, as a vault has them, that were to be destroyed by now."""
    forgotten = gone(tournament)
    wholly = tournament.forgotten_wholly
    if not forgotten:
        return frozenset()
    names = {f"{MASTER}{of}" for of in tournament.forgotten}
    for each in events:
        if isinstance(each.event, PersonRecorded):
            names |= {f"{NAME}{each.id}"} if each.event.of in forgotten else set()
        elif texts(each.event):
            about = set(persons_of(each, tournament))
            is_due = bool(about & wholly) or _subjects(each, about) <= forgotten
            names |= {key_name(each)} if about & forgotten and is_due else set()
    return frozenset(names)


def _known_by_another(tournament: Tournament, event: Event, seq: int) -> Iterator[str]:
    """Yield whom an event is about that does not say so itself.

    Who asked to be registered is the player that they are now, or known by their request; a link is
    that of the person whom it let in.
    """
    if isinstance(event, LinkRevoked) and (link := tournament.floor.links.get(event.link)):
        yield link.of
    if isinstance(event, RegistrationAsked):
        request = tournament.floor.request(seq)
        yield f"p{request.player}" if request and request.player else _unnumbered(seq)


def _unnumbered(asked: int) -> str:
    return f"request {asked}"


def gone(tournament: Tournament) -> set[str]:
    """Name who was forgotten, and who asked to be registered and was refused."""
    return tournament.forgotten | {
        _unnumbered(each.seq)
        for each in tournament.floor.requests
        if each.answered and not each.player
    }


def held_back(
    events: Iterable[Recorded], tournament: Tournament, persons: Iterable[str]
) -> frozenset[str]:
    """Name the keys of texts about these persons that others may still need."""
    asked = frozenset(persons)
    left, wholly = tournament.forgotten | asked, tournament.forgotten_wholly
    found: set[str] = set()
    for each in events:
        if texts(each.event) and not isinstance(each.event, PersonRecorded):
            about = set(persons_of(each, tournament))
            if about & asked and _subjects(each, about) - left and not about & wholly:
                found.add(key_name(each))
    return frozenset(found)


def _subjects(recorded: Recorded, about: set[str]) -> set[str]:
    """Return who would miss a text, of those whom it is about: the one whom it names, if it does.

    A penalty names its player; that they met somebody then makes it no text about that one. Of a
    match its players miss it, not the judge who ruled.
    """
    named = {f"p{getattr(recorded.event, name, 0)}" for name in PLAYER_FIELDS} - {"p0"}
    said = {said for said in recorded.by.split("/") if said.startswith("p")}
    if named:
        return named | said
    is_of_match = bool(getattr(recorded.event, MATCH_FIELD, 0))
    return {each for each in about if each.startswith("p") or not is_of_match}


def persons_of(recorded: Recorded, tournament: Tournament) -> Iterator[str]:
    """Yield whom an event is about, as `p7` and `o2`."""
    event = meaning(tournament, recorded.event)
    yield from _known_by_another(tournament, event, recorded.seq)
    players = [getattr(event, name, 0) for name in PLAYER_FIELDS]
    number = getattr(event, MATCH_FIELD, 0)
    if 0 < number < len(tournament.matches):
        players += tournament.matches[number].players
    if isinstance(event, SeatsSwapped):
        players += event.players
    if isinstance(event, PlayersSeated | SeatingWithdrawn):
        players += event.game
    if isinstance(event, TablesRepaired):
        players += [player for game in event.games for player in game]
    if isinstance(event, ActWithdrawn) and event.withdraws in tournament.floor.taken_back:
        yield from persons_of(tournament.floor.taken_back[event.withdraws], tournament)
    if isinstance(event, RoundPaired):
        players += [player for game in event.games[: event.by_hand] for player in game]
    yield from (f"p{player}" for player in players if player)
    official = getattr(event, OFFICIAL_FIELD, 0)
    if isinstance(event, KeyRegistered):
        official = event.holder
    if isinstance(event, KeyRevoked):
        official = tournament.keys[unbase64(event.public)].holder
    if official:
        yield f"o{official}"
    yield from (said for said in recorded.by.split("/") if said.startswith("p"))

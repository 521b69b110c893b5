"""Components and prizes: what is recorded, and the game that a lost component concedes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.commands import (
    AwardPrize,
    DamageComponent,
    DecideComponent,
    FindComponent,
    GiveUpComponent,
    MakeProxy,
    MissComponent,
    OfferPrize,
    ShareComponents,
)
from ledger.decisions.people import known
from ledger.decisions.results import concession
from ledger.errors import Refused
from ledger.events.clock import TableExtended
from ledger.events.components import (
    ComponentDamaged,
    ComponentDecided,
    ComponentFound,
    ComponentMissing,
    ComponentsShared,
    PrizeAwarded,
    PrizeOffered,
    ProxyMade,
)
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _miss(command: MissComponent, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    known(tournament, command.player)
    yield ComponentMissing(command.player, command.component, command.during, command.essential)
    match = open_match_of(tournament, command.player)
    if tournament.floor.missing[command.player].conceded:
        yield from concession(tournament, command.player)
    elif command.minutes and match is not None:
        reason = f"looking for {command.component} (FFG-LOST)"
        yield TableExtended(match.number, command.minutes, reason)


def _find(command: FindComponent, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    known(tournament, command.player)
    yield ComponentFound(command.player)


def _give_up(
    command: GiveUpComponent, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if command.player not in tournament.floor.missing:
        raise Refused(f"player {command.player} misses nothing")
    yield from concession(tournament, command.player)


def _damage(
    command: DamageComponent, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    known(tournament, command.player)
    yield ComponentDamaged(
        command.player, command.component, command.kind, command.impedes, command.replaced
    )
    match = open_match_of(tournament, command.player)
    if command.kind == "tool" and match is not None:
        yield ComponentsShared(match.number, "tools", command.player)


def _proxy(command: MakeProxy, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    known(tournament, command.player)
    yield ProxyMade(command.player, command.card, command.illegible, command.date)


def _decide(
    command: DecideComponent, _: Tournament, _context: Context, _by: str
) -> Iterator[Event]:
    yield ComponentDecided(
        component=command.component,
        kind=command.kind,
        allowed=command.allowed,
        player=command.player,
        necessary=command.necessary,
        genuine=command.genuine,
        reason=command.reason,
    )


def _share(command: ShareComponents, _: Tournament, _context: Context, _by: str) -> Iterator[Event]:
    yield ComponentsShared(command.match, command.what, command.player)


def _offer(command: OfferPrize, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    offered = PrizeOffered(command.prize, command.first, command.last)
    if all(each.event != offered for each in tournament.floor.prizes):
        yield offered


def _award(command: AwardPrize, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    awarded = PrizeAwarded(command.player, command.prize, command.kind)
    if all(each.event != awarded for each in tournament.floor.prizes):
        yield awarded


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    MissComponent: _miss,
    FindComponent: _find,
    GiveUpComponent: _give_up,
    DamageComponent: _damage,
    MakeProxy: _proxy,
    DecideComponent: _decide,
    ShareComponents: _share,
    OfferPrize: _offer,
    AwardPrize: _award,
}

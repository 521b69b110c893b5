"""Components and prizes: what is recorded, and the game that a lost component concedes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.decisions.command import Command, Context, event_of, match_of, registered_player
from ledger.decisions.results import Concede
from ledger.errors import Refused
from ledger.events import Event, components
from ledger.events.clock import TableExtended
from ledger.problems import Player, problem
from ledger.tournament.progress import open_match_of
from ledger.tournament.setups import answers_at
from ledger.tournament.state import Tournament


class MissComponent(Command, frozen=True):
    """Record a missing component; the minutes extend the player's table while they look for it."""

    player: int
    component: str
    during: bool = False
    essential: bool = True
    minutes: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        yield event_of(components.ComponentMissing, self)
        match = open_match_of(tournament, self.player)
        if tournament.floor.missing[self.player].conceded:
            yield from Concede(self.player).decide(tournament, _, _by)
        elif self.minutes and match is not None:
            reason = f"looking for {self.component} (FFG-LOST)"
            yield TableExtended(match.number, self.minutes, reason)


class FindComponent(Command, frozen=True):
    """Record that it was found or replaced."""

    says = components.ComponentFound

    player: int


class GiveUpComponent(Command, frozen=True):
    """Record that it was not found: the player's game is conceded."""

    player: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if self.player not in tournament.floor.missing:
            text, player = "{player} misses nothing", Player(self.player)
            raise Refused(problem("component.none", text, player=player))
        yield from Concede(self.player).decide(tournament, _, _by)


class DamageComponent(Command, frozen=True):
    """Record a damaged component; what cannot be played on with counts as lost."""

    player: int
    component: str
    kind: components.Damaged
    impedes: bool = False
    replaced: bool = False
    modified: bool = False
    shares: components.Shared | None = None

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        yield event_of(components.ComponentDamaged, self)
        match = open_match_of(tournament, self.player)
        if self.kind == "tool" and match is not None and not self.replaced:
            shares = self.shares or "tools"
            yield components.ComponentsShared(match.number, shares, self.player)


class MakeProxy(Command, frozen=True):
    """Record a proxy for a damaged card."""

    says = components.ProxyMade

    player: int
    card: str
    illegible: str
    date: str


class DecideComponent(Command, frozen=True):
    """Record what the marshal decided on a component."""

    says = components.ComponentDecided

    component: str
    kind: components.Decided
    allowed: bool
    player: int = 0
    necessary: bool = False
    genuine: bool = False
    reason: str = ""


class ShareComponents(Command, frozen=True):
    """Let both sides of a match share components, or not; player 0: the marshal's order."""

    match: int
    what: components.Shared
    player: int = 0
    answer: components.ShareAnswer = "granted"
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        said = answers_at(tournament, match).get(self.what)
        if not said or (said.answer, said.player) != (self.answer, self.player):
            yield event_of(components.ComponentsShared, self)


class InspectComponents(Command, frozen=True):
    """Record what was looked at, on whose wish, and what follows."""

    says = components.ComponentsInspected

    player: int
    what: components.Inspected
    verdict: components.Verdict = "fine"
    asked: int = 0
    reason: str = ""


class OfferPrize(Command, frozen=True):
    """Offer a prize for some ranks."""

    prize: str
    first: int
    last: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        offered = components.PrizeOffered(self.prize, self.first, self.last)
        if all(each.event != offered for each in tournament.floor.prizes):
            yield offered


class AwardPrize(Command, frozen=True):
    """Give a prize to a player."""

    player: int
    prize: str
    kind: components.PrizeKind

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        awarded = components.PrizeAwarded(self.player, self.prize, self.kind)
        if all(each.event != awarded for each in tournament.floor.prizes):
            yield awarded

"""Commands about components and prizes."""

from __future__ import annotations

from ledger.commands.base import Command
from ledger.events.components import (
    Damaged,  # noqa: TC001 - msgspec resolves the annotations
    Decided,  # noqa: TC001 - as above
    PrizeKind,  # noqa: TC001
    Shared,  # noqa: TC001
)


class MissComponent(Command, frozen=True):
    """Record a missing component; `minutes` extends the player's table while they look for it."""

    player: int
    component: str
    during: bool = False
    essential: bool = True
    minutes: int = 0


class FindComponent(Command, frozen=True):
    """Record that it was found or replaced."""

    player: int


class GiveUpComponent(Command, frozen=True):
    """Record that it was not found: the player's game is conceded."""

    player: int


class DamageComponent(Command, frozen=True):
    """Record a damaged component; what can not be played on with counts as lost."""

    player: int
    component: str
    kind: Damaged
    impedes: bool = False
    replaced: bool = False


class MakeProxy(Command, frozen=True):
    """Record a proxy for a damaged card."""

    player: int
    card: str
    illegible: str
    date: str


class DecideComponent(Command, frozen=True):
    """Record what the marshal decided on a component."""

    component: str
    kind: Decided
    allowed: bool
    player: int = 0
    necessary: bool = False
    genuine: bool = False
    reason: str = ""


class ShareComponents(Command, frozen=True):
    """Let both sides of a match share components; `player` 0: the marshal's order."""

    match: int
    what: Shared
    player: int = 0


class OfferPrize(Command, frozen=True):
    """Offer a prize for some ranks."""

    prize: str
    first: int
    last: int


class AwardPrize(Command, frozen=True):
    """Give a prize to a player."""

    player: int
    prize: str
    kind: PrizeKind

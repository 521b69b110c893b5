"""Components that are lost, damaged, replaced or shared, and prizes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ledger.events import base
from ledger.events.base import LEADERS, MARSHAL, ORGANIZER, Event, Recording
from ledger.problems import remedy

Component = Annotated[str, Meta(min_length=1, max_length=200)]
Damaged = Literal["card", "model", "tool", "other"]
Shared = Literal["ruler", "templates", "tools", "dice"]
ShareAnswer = Literal["granted", "asked", "declined"]
Decided = Literal["third-party", "indicator", "modification", "playmat"]
Inspected = Literal["sleeves", "cards", "dice", "tokens"]
Verdict = Literal["fine", "replace", "remove"]
PrizeKind = Literal["placing", "participation", "other"]


class ComponentMissing(Event, frozen=True):
    """A player's component is missing, at the beginning of the round or during it (FFG-LOST)."""

    recording = Recording("recording a missing component", LEADERS, withdrawable=True)

    player: base.Number
    component: Component
    during: bool = False
    essential: bool = True


class ComponentFound(Event, frozen=True):
    """The player's missing component was found or replaced."""

    recording = Recording(
        "recording a found component", LEADERS, instead=remedy("component.missing")
    )

    player: base.Number


class ComponentDamaged(Event, frozen=True):
    """A player's component is damaged (FFG-DAMAGED).

    `impedes`: a model that cannot be played on with. `replaced`: the player had another.
    `modified`: it was changed so that it impedes nothing (SWL-DAMAGED-MINI). `shares`: which tool
    the players share from now on.
    """

    recording = Recording("recording a damaged component", LEADERS, withdrawable=True)

    player: base.Number
    component: Component
    kind: Damaged
    impedes: bool = False
    replaced: bool = False
    modified: bool = False
    shares: Shared | None = None


class ProxyMade(Event, frozen=True):
    """A leader made a proxy for a damaged card: what cannot be read, and when (FFG-PROXY)."""

    recording = Recording("making a proxy", LEADERS, withdrawable=True)

    player: base.Number
    card: Component
    illegible: base.Text
    date: base.Day


class ComponentDecided(Event, frozen=True):
    """A marshal allowed a component or ruled it ineligible (FFG-COMPONENT).

    `player` 0: for everyone, or the venue's. `necessary`: the player cannot play without it.
    `genuine`: a playmat that the publisher sells (RW-PLAYMAT).
    """

    recording = Recording("deciding on a component", MARSHAL, withdrawable=True)

    component: Component
    kind: Decided
    allowed: bool
    player: base.Seat = 0
    necessary: bool = False
    genuine: bool = False
    reason: base.Text = ""


class ComponentsShared(Event, frozen=True):
    """Both sides of a match share components: at a player's request, or by order (FFG-SHARE).

    `answer`: a request may be asked and wait; it is granted, or declined for a reason.
    """

    recording = Recording("ordering components to be shared", LEADERS, withdrawable=True)

    match: base.Ordinal
    what: Shared
    player: base.Seat = 0
    answer: ShareAnswer = "granted"
    reason: base.Text = ""


class ComponentsInspected(Event, frozen=True):
    """A player's sleeves, cards, dice or tokens were looked at (AOP-COMPONENT, L5R-SLEEVES).

    `asked` is the player who was concerned; 0: a leader looked of themselves. `verdict`: they
    stay, others take their place, or they are taken away.
    """

    recording = Recording("inspecting components", LEADERS, withdrawable=True)

    player: base.Number
    what: Inspected
    verdict: Verdict = "fine"
    asked: base.Seat = 0
    reason: base.Text = ""


class PrizeOffered(Event, frozen=True):
    """A prize for the ranks from first to last."""

    recording = Recording("offering a prize", ORGANIZER, after_finish=True, withdrawable=True)

    prize: Component
    first: base.Number
    last: base.Number


class PrizeAwarded(Event, frozen=True):
    """A player was given a prize (AOP-ORGANIZER, AOP-PARTICIPATION-PRIZE)."""

    recording = Recording("awarding a prize", ORGANIZER, after_finish=True, withdrawable=True)

    player: base.Number
    prize: Component
    kind: PrizeKind

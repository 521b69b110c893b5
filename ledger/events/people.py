"""Players: who they are, and their comings and goings."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from ledger.events.base import (
    RANKS_MAX,
    Count,
    Event,
    Label,
    Meaning,
    Number,
    Ordinal,
    PersonId,
    PersonName,
    Seat,
    Seq,
    SeqOrNone,
    Text,
    Waiver,
)

Departure = Literal["request", "no-show", "unable", "conduct", "component"]


class PersonRecorded(Event, frozen=True):
    """Who somebody is: the one kind of event that holds a name. The latest record counts."""

    of: PersonId
    name: PersonName


class PersonForgotten(Event, frozen=True):
    """The keys of this person's name, and of the free texts about them, were destroyed.

    `kept` says how many texts that are about others as well were held back, because the event was
    not decided yet. They are destroyed by another such event after play is closed.
    """

    of: PersonId
    kept: Count = 0


class PlayerRegistered(Event, frozen=True):
    """A player is enrolled.

    `random_rank` breaks their exact ties for good, the lowest first. Before the start nobody has
    one: `RanksDrawn` gives them theirs; who comes later has it here, and so do those of an import.
    `missed` lists the rounds that a late entrant has an unpaired loss for. `official` is who this
    player is among the officials, if they hold office.
    """

    player: Number
    random_rank: Annotated[int, Meta(ge=0, lt=RANKS_MAX)] = 0
    league_id: Annotated[str, Meta(max_length=64)] = ""
    faction: Annotated[str, Meta(max_length=64)] = ""
    attributes: dict[Label, Text] = field(default_factory=dict)
    missed: tuple[Ordinal, ...] = ()
    official: Seat = 0


class RegistrationWithdrawn(Meaning, frozen=True):
    """A registration made by mistake is taken back; the number is not given again."""

    player: Number
    reason: Text


class PlayerDropped(Event, frozen=True):
    """A player left; earlier results keep counting for everyone (FFG-DROP)."""

    player: Number
    reason: Departure = "request"
    note: Text = ""


class DropWithdrawn(Meaning, frozen=True):
    """A drop entered by mistake is taken back, as if it had not been."""

    player: Number
    withdraws: Seq
    reason: Text


class DisqualificationWithdrawn(Meaning, frozen=True):
    """The organizer takes a disqualification back that was a mistake, as if it had not been."""

    player: Number
    withdraws: Seq
    reason: Text


class PlayerRejoined(Event, frozen=True):
    """The organizer let a dropped player return, with unpaired losses (FFG-REJOIN)."""

    player: Number
    missed: tuple[Ordinal, ...] = ()
    waiver: Waiver | None = None


class PlayerDisqualified(Event, frozen=True):
    """The organizer removed a player for good, on a marshal's recommendation or without one.

    `recommendation` is the event of the marshal's (FFG-AUTH-DQ).
    """

    player: Number
    reason: Text
    clause: Annotated[str, Meta(max_length=64)] = ""
    recommendation: SeqOrNone = 0

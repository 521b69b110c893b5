"""Players: who they are, and their comings and goings."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from ledger.events import base
from ledger.events.base import DESK, ORGANIZER, Event, Meaning, Recording
from ledger.problems import remedy

Departure = Literal["request", "no-show", "unable", "conduct", "component"]


class PersonRecorded(Event, frozen=True):
    """Who somebody is: the one kind of event that holds a name. The latest record counts."""

    recording = Recording("recording a name", DESK, after_finish=True, instead=remedy("rename"))

    of: base.PersonId
    name: base.PersonName


class PersonForgotten(Event, frozen=True):
    """The keys of this person's name, and of the free texts about them, were destroyed.

    `kept` says how many texts that are about others as well were held back, because the event was
    not decided yet. They are destroyed by another such event after play is closed.
    """

    recording = Recording("forgetting a person", ORGANIZER, after_finish=True)

    of: base.PersonId
    kept: base.Count = 0


class PublicNamesChosen(Event, frozen=True):
    """How much of a name pages for everybody show from here on; until then it is `short`.

    `short` is the first name and the first letter of the last one, `number` no name at all.
    """

    recording = Recording(
        "choosing what pages show of names",
        ORGANIZER,
        after_finish=True,
        instead=remedy("names"),
    )

    shown: base.PublicNames


class PlayerRegistered(Event, frozen=True):
    """A player is enrolled.

    `random_rank` breaks their exact ties for good, the lowest first. Before the start nobody has
    one: `RanksDrawn` gives them theirs; who comes later has it here, and so do those of an import.
    `missed` lists the rounds that a late entrant has an unpaired loss for. `official` is who this
    player is among the officials, if they hold office. `numbers` are those that the ruleset asks
    of each player, as a rating.
    """

    recording = Recording("registering a player", DESK, withdrawable=True)

    player: base.Number
    random_rank: Annotated[int, Meta(ge=0, lt=base.RANKS_MAX)] = 0
    league_id: Annotated[str, Meta(max_length=64)] = ""
    faction: Annotated[str, Meta(max_length=64)] = ""
    attributes: dict[base.Label, base.Text] = field(default_factory=dict)
    missed: tuple[base.Ordinal, ...] = ()
    official: base.Seat = 0
    numbers: dict[base.Label, base.Whole] = field(default_factory=dict)


class PlayerAmended(Event, frozen=True):
    """What a registration says beside the name is other than was entered.

    Members that are not there stay as they were, and so do labels; an empty text removes a label.
    """

    recording = Recording("amending a registration", DESK, after_finish=True, withdrawable=True)

    player: base.Number
    faction: Annotated[str, Meta(max_length=64)] | None = None
    league_id: Annotated[str, Meta(max_length=64)] | None = None
    attributes: dict[base.Label, base.Text] = field(default_factory=dict)
    reason: base.Text = ""
    numbers: dict[base.Label, base.Whole] = field(default_factory=dict)


class AmendmentWithdrawn(Meaning, frozen=True):
    """A registration says again what it said before."""

    recording = Recording(
        "taking an amendment back", DESK, after_finish=True, instead=remedy("amend")
    )
    takes_back = (PlayerAmended,)

    player: base.Number


class RegistrationWithdrawn(Meaning, frozen=True):
    """A registration made by mistake is taken back; the number is not given again."""

    recording = Recording("taking a registration back", DESK, instead=remedy("register"))
    takes_back = (PlayerRegistered,)

    player: base.Number


class PlayerDropped(Event, frozen=True):
    """A player left; earlier results keep counting for everyone (FFG-DROP)."""

    recording = Recording("dropping a player", DESK, by_players=True, withdrawable=True)

    player: base.Number
    reason: Departure = "request"
    note: base.Text = ""


class DropWithdrawn(Meaning, frozen=True):
    """A drop entered by mistake is taken back, as if it had not been."""

    recording = Recording("taking a drop back", DESK, instead=remedy("drop"))
    takes_back = (PlayerDropped,)

    player: base.Number


class PlayerRejoined(Event, frozen=True):
    """The organizer let a dropped player return, with unpaired losses (FFG-REJOIN)."""

    recording = Recording("letting a player rejoin", ORGANIZER, instead=remedy("drop"))

    player: base.Number
    missed: tuple[base.Ordinal, ...] = ()
    waiver: base.Waiver | None = None


class PlayerDisqualified(Event, frozen=True):
    """The organizer removed a player for good, on a marshal's recommendation or without one.

    `recommendation` is the event of the marshal's (FFG-AUTH-DQ).
    """

    recording = Recording("disqualifying a player", ORGANIZER, after_finish=True, withdrawable=True)

    player: base.Number
    reason: base.Text
    clause: Annotated[str, Meta(max_length=64)] = ""
    recommendation: base.SeqOrNone = 0


class DisqualificationWithdrawn(Meaning, frozen=True):
    """The organizer takes a disqualification back that was a mistake, as if it had not been."""

    recording = Recording(
        "taking a disqualification back", ORGANIZER, after_finish=True, instead=remedy("disqualify")
    )
    takes_back = (PlayerDisqualified,)

    player: base.Number

"""Lists: submitted before the start, checked, and corrected by a leader."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ledger.events import base
from ledger.events.base import DESK, LEADERS, ORGANIZER, Event, Recording
from ledger.problems import remedy

FINDINGS_MAX = 60
"""How many findings a check records; of further ones the number alone."""

ListText = Annotated[str, Meta(max_length=24_000)]
"""A list as it was handed in, or its open part; the check of the event holds it to its bytes."""

HIDDEN_MAX = 50_000
"""Characters of a seal: a list of the greatest length has room."""

Hidden = Annotated[str, Meta(max_length=HIDDEN_MAX, extra={base.FORM: r"^([0-9a-f]{2})*\Z"})]
"""What opponents may not see, sealed as `ledger.lines.sealing` says; empty where lists are open."""

FindingCount = Annotated[int, Meta(ge=0, le=FINDINGS_MAX)]


class CardSource(Struct, frozen=True, forbid_unknown_fields=True):
    """The card file that a check followed (LEG-ORACLE)."""

    name: Annotated[str, Meta(max_length=200)]
    version: Annotated[str, Meta(max_length=200)]
    date: Annotated[str, Meta(max_length=10)]
    sha256: base.Sha256


class ListFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """What was wrong or could not be checked."""

    clause: base.Label
    text: Annotated[str, Meta(max_length=400)]
    state: Literal["breaks", "not checked"]


class ListSubmitted(Event, frozen=True):
    """A player handed in a list, before the start; a later one replaces it (FFG-LIST).

    Where opponents may not see all of it, `text` is the open part alone, and `hidden` the seal of
    the other, which opens with the hidden key (SWL-HIDDEN); see
    `ledger.tournament.lists.hidden_hands`.
    """

    recording = Recording("handing in a list", DESK | LEADERS, by_players=True)

    player: base.Number
    text: ListText
    hidden: Hidden = ""


class ListChecked(Event, frozen=True):
    """A leader checked what event `list` handed in, or, with 0, a deck presented without a list.

    Without `cards` it was checked by hand. `further` findings are not written out. Where a part of
    the lists is hidden, so are findings and note, as the seal `hidden`; `counts` says how many
    findings break the format, and how many things were not checked.
    """

    recording = Recording("checking a list", LEADERS)

    player: base.Number
    list: base.SeqOrNone
    cards: CardSource | None = None
    findings: Annotated[tuple[ListFinding, ...], Meta(max_length=FINDINGS_MAX)] = ()
    further: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    note: base.Text = ""
    hidden: Hidden = ""
    counts: tuple[FindingCount, FindingCount] | None = None


class ListCorrected(Event, frozen=True):
    """A leader brought a list in line with what is played; event `corrects` keeps the old one.

    `significant`: other things are listed, not only clearer names. With `advantageous` as well it
    is flagged for investigation (FFG-LIST). `hidden` as in `ListSubmitted`. `clerical`: the sheet
    was wrong, and what is played stays as it was (AOP-DECK).
    """

    recording = Recording("correcting a list", LEADERS)

    player: base.Number
    corrects: base.Seq
    text: ListText
    reason: base.Text
    significant: bool = False
    advantageous: bool = False
    hidden: Hidden = ""
    clerical: bool = False


class DeckChecksDrawn(Event, frozen=True):
    """The tables of a round whose decks are checked, by lot: `draw` counts the draws of a pairing.

    Tables that were drawn before in the same pairing are left out.
    """

    recording = Recording("drawing deck checks", LEADERS, drawn=True, stays="a draw stands")

    round: base.Ordinal
    attempt: base.Ordinal
    draw: base.Ordinal
    tables: Annotated[tuple[base.Ordinal, ...], Meta(min_length=1, max_length=4_000)]


class ExclusiveGiven(Event, frozen=True):
    """A player was given something out at registration that may be played then (AOP-EXCLUSIVE).

    `back`: it was a mistake, and the player does not have it.
    """

    recording = Recording(
        "recording what was given out",
        ORGANIZER,
        instead=remedy("lists.give_back"),
    )

    player: base.Number
    name: base.Label
    back: bool = False

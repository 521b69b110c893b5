"""The vocabulary: every fact that a tournament's book can hold.

`EVENTS` names each type as it stands in a line. A line once written stays readable: a type gains
optional members alone, or a next version (`ResultReported@2`, by `version = 2` in its class). Then
the struct of the version before goes to `OLDER`, with a function that makes today's event of it:
lines are read and checked as they stand, and all that looks at events meets today's types alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.events.base import Event
from ledger.events.clock import ExtraTimeAnnounced, TableExtended, TimeCalled
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
from ledger.events.disputes import AppealMade, ResultConfirmed, ResultDisputed
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.events.elimination import (
    CutMade,
    PlaceForfeited,
    QualifierReplaced,
    ReplacementDeclined,
)
from ledger.events.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.events.lists import ListChecked, ListCorrected, ListSubmitted
from ledger.events.office import (
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    OfficialResumed,
    OfficialStoodDown,
    PenaltyGiven,
    RulingMade,
)
from ledger.events.opening import (
    ImportEnded,
    OfficialAppointed,
    StructureAnnounced,
    TournamentFinished,
    TournamentOpened,
    TournamentStarted,
)
from ledger.events.people import (
    PersonForgotten,
    PersonRecorded,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from ledger.events.results import ResultCorrected, ResultReported
from ledger.events.rounds import (
    Posted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    RoundUnpaired,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.events.setups import (
    BattleBuilt,
    ChooserDrawn,
    DraftGroupsDrawn,
    FirstFiveReviewed,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainAnnounced,
    TerrainCounted,
    VerificationOrdered,
)
from ledger.events.undo import ActWithdrawn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {
        kind.__name__ + (f"@{kind.version}" if kind.version > 1 else ""): kind
        for kind in (
            TournamentOpened,
            OfficialAppointed,
            PersonRecorded,
            PersonForgotten,
            PlayerRegistered,
            StructureAnnounced,
            TournamentStarted,
            HeadRecorded,
            HeadCosigned,
            RanksDrawn,
            RoundPaired,
            RoundUnpaired,
            SeatsSwapped,
            TablesRepaired,
            Posted,
            RoundStarted,
            ResultReported,
            ResultCorrected,
            ResultConfirmed,
            ResultDisputed,
            AppealMade,
            PlayerDropped,
            PlayerRejoined,
            PlayerDisqualified,
            RoundClosed,
            RoundReopened,
            CutMade,
            QualifierReplaced,
            ReplacementDeclined,
            PlaceForfeited,
            ListSubmitted,
            ListChecked,
            ListCorrected,
            TournamentFinished,
            ImportEnded,
            OfficialStoodDown,
            OfficialResumed,
            RulingMade,
            ConductNoted,
            DisqualificationRecommended,
            PenaltyGiven,
            NoteTaken,
            ExtraTimeAnnounced,
            TableExtended,
            TimeCalled,
            BattleBuilt,
            ChooserDrawn,
            DraftGroupsDrawn,
            FirstFiveReviewed,
            FirstPlayerChosen,
            ScenarioDrawn,
            SideTaken,
            TerrainAnnounced,
            TerrainCounted,
            VerificationOrdered,
            ComponentDamaged,
            ComponentDecided,
            ComponentFound,
            ComponentMissing,
            ComponentsShared,
            PrizeAwarded,
            PrizeOffered,
            ProxyMade,
            ActWithdrawn,
            KeyRegistered,
            KeyRevoked,
            ShuffleKeyReplaced,
            HiddenKeyReplaced,
            ForkAccepted,
        )
    }
)
"""Every event by its name in a line."""


class Older(NamedTuple):
    """A version of an event that earlier releases wrote, and what makes today's event of it."""

    kind: type[Event]
    now: Callable[[Any], Event]


OLDER: Mapping[str, Older] = MappingProxyType({})
"""The earlier versions of events, by their names in a line."""


def names_of(kind: type[Event]) -> list[str]:
    """Return the names that a type has in lines, with those of its earlier versions."""
    return [name for name in (*EVENTS, *OLDER) if name.partition("@")[0] == kind.__name__]


__all__ = ["EVENTS", "OLDER", "Event", "Older", "names_of"]

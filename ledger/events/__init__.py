"""The vocabulary: every fact that a tournament's book can hold.

`EVENTS` names each type as it stands in a line. A line once written stays readable: a type gains
optional members alone, or a next version (`ResultReported@2`, by `version = 2` in its class). Then
the struct of the version before goes to `OLDER`, with a function that makes today's event of it:
lines are read and checked as they stand, and all that looks at events meets today's types alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple

from ledger.events.base import Event
from ledger.events.clock import ExtraTimeAnnounced
from ledger.events.clock import TableExtended
from ledger.events.clock import TimeCalled
from ledger.events.components import ComponentDamaged
from ledger.events.components import ComponentDecided
from ledger.events.components import ComponentFound
from ledger.events.components import ComponentMissing
from ledger.events.components import ComponentsShared
from ledger.events.components import PrizeAwarded
from ledger.events.components import PrizeOffered
from ledger.events.components import ProxyMade
from ledger.events.disputes import AppealMade
from ledger.events.disputes import ResultConfirmed
from ledger.events.disputes import ResultDisputed
from ledger.events.draws import HeadCosigned
from ledger.events.draws import HeadRecorded
from ledger.events.draws import RanksDrawn
from ledger.events.elimination import CutMade
from ledger.events.elimination import PlaceForfeited
from ledger.events.elimination import QualifierReplaced
from ledger.events.elimination import ReplacementDeclined
from ledger.events.keys import ForkAccepted
from ledger.events.keys import HiddenKeyReplaced
from ledger.events.keys import KeyRegistered
from ledger.events.keys import KeyRevoked
from ledger.events.keys import ShuffleKeyReplaced
from ledger.events.lists import ListChecked
from ledger.events.lists import ListCorrected
from ledger.events.lists import ListSubmitted
from ledger.events.office import ConductNoted
from ledger.events.office import DisqualificationRecommended
from ledger.events.office import NoteTaken
from ledger.events.office import OfficialResumed
from ledger.events.office import OfficialStoodDown
from ledger.events.office import PenaltyGiven
from ledger.events.office import RulingMade
from ledger.events.opening import ImportEnded
from ledger.events.opening import OfficialAppointed
from ledger.events.opening import StructureAnnounced
from ledger.events.opening import TournamentFinished
from ledger.events.opening import TournamentOpened
from ledger.events.opening import TournamentStarted
from ledger.events.people import PersonForgotten
from ledger.events.people import PersonRecorded
from ledger.events.people import PlayerDisqualified
from ledger.events.people import PlayerDropped
from ledger.events.people import PlayerRegistered
from ledger.events.people import PlayerRejoined
from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.events.rounds import Posted
from ledger.events.rounds import RoundClosed
from ledger.events.rounds import RoundPaired
from ledger.events.rounds import RoundReopened
from ledger.events.rounds import RoundStarted
from ledger.events.rounds import RoundUnpaired
from ledger.events.rounds import SeatsSwapped
from ledger.events.rounds import TablesRepaired
from ledger.events.setups import BattleBuilt
from ledger.events.setups import ChooserDrawn
from ledger.events.setups import DraftGroupsDrawn
from ledger.events.setups import FirstFiveReviewed
from ledger.events.setups import FirstPlayerChosen
from ledger.events.setups import ScenarioDrawn
from ledger.events.setups import SideTaken
from ledger.events.setups import TerrainAnnounced
from ledger.events.setups import TerrainCounted
from ledger.events.setups import VerificationOrdered
from ledger.events.undo import ActWithdrawn

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

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

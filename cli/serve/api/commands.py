"""The commands that may be sent: all but those that need a key or a file of the desk's machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ledger.rules import (
    clock,
    components,
    disputes,
    elimination,
    keys,
    lists,
    office,
    opening,
    pairing,
    people,
    results,
    rounds,
    setups,
    undo,
)
from ledger.rules.command import Command
from ledger.rules.pairing import RepairRound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events import Event
    from ledger.rules.command import Context
    from ledger.tournament.state import Tournament


class UndoLast(Command, frozen=True, tag="Undo"):
    """Take the last own act back, where nothing depends on it."""

    reason: str = "undone"

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        """See `Undo`."""
        yield from undo.Undo(self.reason).decide(tournament, context, by)


RESULTS = (results.Report, results.LeaveTable, results.Concede, results.Correct)
DISPUTES = (
    disputes.ConfirmResult,
    disputes.DisputeResult,
    disputes.WithdrawDispute,
    disputes.Appeal,
    disputes.WithdrawAppeal,
    disputes.WithdrawRuling,
    disputes.CarryOut,
)
ROUNDS = (
    pairing.PairRound,
    RepairRound,
    rounds.UnpairRound,
    rounds.SwapSeats,
    rounds.SeatPlayers,
    rounds.StartRound,
    rounds.CloseRound,
    rounds.OpenCheckIn,
    rounds.CheckIn,
    rounds.CloseCheckIn,
)
CLOCK = (
    clock.AnnounceExtraTime,
    clock.ExtendTable,
    clock.CallTime,
    clock.ExtendRound,
    clock.PauseRound,
    clock.ResumeRound,
    clock.ModeratePace,
)
PEOPLE = (
    people.RegisterPlayers,
    people.AmendPlayer,
    people.RenamePerson,
    people.WithdrawRegistration,
    people.DropPlayer,
    people.RejoinPlayer,
    people.DisqualifyPlayer,
)
LINKS = (keys.RevokeLink,)
OPENING = (
    opening.AppointOfficial,
    opening.ChangeStructure,
    opening.ChoosePublicNames,
    opening.AskRegistration,
    opening.ApproveRegistration,
    opening.RefuseRegistration,
    opening.RefuseRegistrations,
)
ELIMINATION = (
    elimination.MakeCut,
    elimination.TakeBackCut,
    elimination.AnswerReplacement,
    elimination.ForfeitPlace,
    elimination.FinishTournament,
)
OFFICE = (
    office.LinkOfficial,
    office.StandDown,
    office.Resume,
    office.HandOver,
    office.Rule,
    office.NoteConduct,
    office.TakeNote,
    office.RecommendDisqualification,
    office.Penalize,
    office.CallJudge,
    office.AnswerCall,
)
LISTS = (
    lists.SubmitList,
    lists.CheckList,
    lists.CheckLists,
    lists.DrawDeckChecks,
    lists.GiveExclusive,
    lists.CorrectList,
)
SETUPS = (
    setups.DrawScenario,
    setups.DrawDraftGroups,
    setups.DrawChooser,
    setups.ChooseFirstPlayer,
    setups.TakeSide,
    setups.BuildBattle,
    setups.AnnounceTerrain,
    setups.CountTerrain,
    setups.OrderVerification,
    setups.ReviewFirstFive,
)
COMPONENTS = (
    components.MissComponent,
    components.FindComponent,
    components.GiveUpComponent,
    components.DamageComponent,
    components.MakeProxy,
    components.DecideComponent,
    components.ShareComponents,
    components.InspectComponents,
    components.OfferPrize,
    components.AwardPrize,
)
SENT: tuple[type[Command], ...] = (
    *RESULTS,
    *DISPUTES,
    *ROUNDS,
    *CLOCK,
    *PEOPLE,
    *OPENING,
    *ELIMINATION,
    *OFFICE,
    *LISTS,
    *SETUPS,
    *COMPONENTS,
    *LINKS,
    UndoLast,
)
"""What a page or a program may send, by theme."""

if TYPE_CHECKING:
    AnyCommand = Any
else:
    AnyCommand = Union[SENT]  # noqa: UP007 - the members are only known here
    """One of them, as msgspec reads it: `type` says which."""

"""What people ask for: one imperative struct a command; `ledger.decisions` answers it.

Players, matches and rounds come as numbers: finding them by the words a person typed is the
command line's work.
"""

from __future__ import annotations

from ledger.commands.base import Command
from ledger.commands.base import Seen
from ledger.commands.clock import AnnounceExtraTime
from ledger.commands.clock import CallTime
from ledger.commands.clock import ExtendTable
from ledger.commands.components import AwardPrize
from ledger.commands.components import DamageComponent
from ledger.commands.components import DecideComponent
from ledger.commands.components import FindComponent
from ledger.commands.components import GiveUpComponent
from ledger.commands.components import MakeProxy
from ledger.commands.components import MissComponent
from ledger.commands.components import OfferPrize
from ledger.commands.components import ShareComponents
from ledger.commands.disputes import Appeal
from ledger.commands.disputes import CarryOut
from ledger.commands.disputes import ConfirmResult
from ledger.commands.disputes import DisputeResult
from ledger.commands.disputes import Told
from ledger.commands.disputes import WithdrawAppeal
from ledger.commands.disputes import WithdrawDispute
from ledger.commands.disputes import WithdrawRuling
from ledger.commands.draws import CosignHead
from ledger.commands.elimination import AnswerReplacement
from ledger.commands.elimination import ForfeitPlace
from ledger.commands.elimination import MakeCut
from ledger.commands.elimination import TakeBackCut
from ledger.commands.keys import AcceptFork
from ledger.commands.keys import RegisterKey
from ledger.commands.keys import ReplaceHiddenKey
from ledger.commands.keys import ReplaceShuffleKey
from ledger.commands.keys import RevokeKey
from ledger.commands.lists import CheckList
from ledger.commands.lists import CorrectList
from ledger.commands.lists import SubmitList
from ledger.commands.office import LinkOfficial
from ledger.commands.office import NoteConduct
from ledger.commands.office import Penalize
from ledger.commands.office import RecommendDisqualification
from ledger.commands.office import Resume
from ledger.commands.office import Rule
from ledger.commands.office import StandDown
from ledger.commands.office import TakeNote
from ledger.commands.opening import AppointOfficial
from ledger.commands.opening import ChangeStructure
from ledger.commands.opening import FinishTournament
from ledger.commands.opening import OpenTournament
from ledger.commands.opening import StartTournament
from ledger.commands.people import DisqualifyPlayer
from ledger.commands.people import DropPlayer
from ledger.commands.people import Entry
from ledger.commands.people import ForgetPerson
from ledger.commands.people import RegisterPlayers
from ledger.commands.people import RejoinPlayer
from ledger.commands.people import RenamePerson
from ledger.commands.people import WithdrawRegistration
from ledger.commands.repair import RepairRound
from ledger.commands.results import Concede
from ledger.commands.results import CorrectFacts
from ledger.commands.results import CorrectNoShow
from ledger.commands.results import CorrectOutcome
from ledger.commands.results import CorrectPoints
from ledger.commands.results import ReportFacts
from ledger.commands.results import ReportNoShow
from ledger.commands.results import ReportOutcome
from ledger.commands.results import ReportPoints
from ledger.commands.rounds import CloseRound
from ledger.commands.rounds import PairRound
from ledger.commands.rounds import PostTable
from ledger.commands.rounds import StartRound
from ledger.commands.rounds import SwapSeats
from ledger.commands.rounds import UnpairRound
from ledger.commands.setups import AnnounceTerrain
from ledger.commands.setups import BuildBattle
from ledger.commands.setups import ChooseFirstPlayer
from ledger.commands.setups import CountTerrain
from ledger.commands.setups import DrawChooser
from ledger.commands.setups import DrawDraftGroups
from ledger.commands.setups import DrawScenario
from ledger.commands.setups import OrderVerification
from ledger.commands.setups import ReviewFirstFive
from ledger.commands.setups import TakeSide
from ledger.commands.undo import Undo

__all__ = [
    "AcceptFork",
    "AnnounceExtraTime",
    "AnnounceTerrain",
    "AnswerReplacement",
    "Appeal",
    "AppointOfficial",
    "AwardPrize",
    "BuildBattle",
    "CallTime",
    "CarryOut",
    "ChangeStructure",
    "CheckList",
    "ChooseFirstPlayer",
    "CloseRound",
    "Command",
    "Concede",
    "ConfirmResult",
    "CorrectFacts",
    "CorrectList",
    "CorrectNoShow",
    "CorrectOutcome",
    "CorrectPoints",
    "CosignHead",
    "CountTerrain",
    "DamageComponent",
    "DecideComponent",
    "DisputeResult",
    "DisqualifyPlayer",
    "DrawChooser",
    "DrawDraftGroups",
    "DrawScenario",
    "DropPlayer",
    "Entry",
    "ExtendTable",
    "FindComponent",
    "FinishTournament",
    "ForfeitPlace",
    "ForgetPerson",
    "GiveUpComponent",
    "LinkOfficial",
    "MakeCut",
    "MakeProxy",
    "MissComponent",
    "NoteConduct",
    "OfferPrize",
    "OpenTournament",
    "OrderVerification",
    "PairRound",
    "Penalize",
    "PostTable",
    "RecommendDisqualification",
    "RegisterKey",
    "RegisterPlayers",
    "RejoinPlayer",
    "RenamePerson",
    "RepairRound",
    "ReplaceHiddenKey",
    "ReplaceShuffleKey",
    "ReportFacts",
    "ReportNoShow",
    "ReportOutcome",
    "ReportPoints",
    "Resume",
    "ReviewFirstFive",
    "RevokeKey",
    "Rule",
    "Seen",
    "ShareComponents",
    "StandDown",
    "StartRound",
    "StartTournament",
    "SubmitList",
    "SwapSeats",
    "TakeBackCut",
    "TakeNote",
    "TakeSide",
    "Told",
    "Undo",
    "UnpairRound",
    "WithdrawAppeal",
    "WithdrawDispute",
    "WithdrawRegistration",
    "WithdrawRuling",
]

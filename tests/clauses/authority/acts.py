"""Each act of the table as the command that a desk sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import LedgerError
from ledger.facts.shared import RulingMade, Stage
from ledger.rules.clock import AnnounceExtraTime, CallTime, ExtendTable, ModeratePace
from ledger.rules.components import (
    AwardPrize,
    DecideComponent,
    InspectComponents,
    MakeProxy,
    MissComponent,
    ShareComponents,
)
from ledger.rules.disputes import Appeal
from ledger.rules.elimination import AnswerReplacement, FinishTournament, MakeCut
from ledger.rules.lists import CheckList, CorrectList, GiveExclusive, SubmitList
from ledger.rules.office import (
    HandOver,
    NoteConduct,
    Penalize,
    RecommendDisqualification,
    Resume,
    Rule,
    StandDown,
)
from ledger.rules.opening import AppointOfficial, ChangeStructure
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer, RejoinPlayer
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import StartRound, SwapSeats
from ledger.rules.setups import (
    AnnounceTerrain,
    DrawDraftGroups,
    DrawScenario,
    OrderVerification,
    ReviewFirstFive,
)
from tests.clauses.authority.days import LATER, TABLES
from tests.clauses.authority.results import at_time, lost, won
from tests.support.files.format_lists import sample_list
from tests.support.simulate import game_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.rules.command import Command
    from tests.support.simulate import Day


class Try(NamedTuple):
    """An act as one desk tries it; `kind` is that of a penalty."""

    day: Day
    game: str
    desk: str
    kind: str

    @property
    def official(self) -> int:
        """Whose office it would be: the desk's own, else the judge's or the co-organizer's."""
        if self.desk[0] == "o":
            return int(self.desk[1:])
        return 2 if self.game == "ashes" else 3

    @property
    def ruling(self) -> int:
        """The last ruling on record."""
        return next(
            each.seq for each in reversed(self.day.log) if isinstance(each.event, RulingMade)
        )

    @property
    def asked(self) -> int:
        """Who is next to be asked for a free place."""
        stage = self.day.tournament.pending_cut()
        assert stage is not None
        return stage.waiting[0]


def _rule(each: Try) -> Command:
    return Rule(each.official, "the card stays", 1, raised="player", player=1)


def _review(each: Try) -> Command:
    return Rule(each.official, "it goes", 1, reviews=each.ruling)


def _overrule(each: Try) -> Command:
    return Rule(each.official, "as meant", 1, raised="player", player=1, overrules="page 4")


def _penalty(each: Try) -> Command:
    return Penalize(1, each.kind, "looked at the deck", facts=game_in_play(each.game))  # type: ignore[arg-type] # of the table


def _declared(_: Try) -> Command:
    return Report(1, StatedResult("win", facts={"wounds": (3, 4)}, ending="declared"))


def _concede(each: Try) -> Command:
    return Concede(1, game_in_play(each.game))


def _pace(each: Try) -> Command:
    return ModeratePace(1, 1, each.kind, 2, "long pauses", game_in_play(each.game))  # type: ignore[arg-type] # of the table


def _list(each: Try) -> str:
    return sample_list(each.game).replace("Player: ", "Player: X")


def _first_five(each: Try) -> Command:
    """Player 3 looks for themselves; an official enters their own look."""
    if each.desk == "p3":
        return ReviewFirstFive(1, 1, reviewer=3)
    return ReviewFirstFive(1, 1, official=each.official)


ACTS: Mapping[str, Callable[[Try], Command]] = {
    "start the round": lambda _: StartRound(),
    "start the match": lambda _: StartRound(),
    "call time": lambda _: CallTime(),
    "extend the table": lambda _: ExtendTable(1, 5, "a card is looked for"),
    "make the rounds longer": lambda _: AnnounceExtraTime(30),
    "report the result": lambda each: Report(1, won(each.game)),
    "concede": _concede,
    "correct the result": lambda each: Correct(1, lost(each.game), "the slip says so"),
    "rule at first instance": _rule,
    "review the judge's ruling": _review,
    "review the co-organizer's ruling": _review,
    "review the marshal's review": _review,
    "review the organizer's ruling": _review,
    "ask for a review": lambda each: Appeal(each.ruling, "the card says otherwise"),
    "ask for a review of the co-organizer's ruling": lambda each: Appeal(each.ruling, "no"),
    "overrule the documents": _overrule,
    "decide on conduct": lambda _: NoteConduct(1, "discourtesy", "a word"),
    "give a penalty": _penalty,
    "report a declared win": _declared,
    "remove for conduct": lambda each: DropPlayer(
        1, "conduct", "threw the dice", game_in_play(each.game)
    ),
    "disqualify": lambda each: DisqualifyPlayer(1, "two decks", facts=game_in_play(each.game)),
    "recommend a disqualification": lambda _: RecommendDisqualification(1, "two decks"),
    "drop the player": lambda _: DropPlayer(1),
    "drop for not coming": lambda _: DropPlayer(1, "no-show"),
    "let them rejoin": lambda _: RejoinPlayer(1),
    "appoint an official": lambda _: AppointOfficial("Newly Come", ("judge",)),
    "appoint a co-organizer": lambda _: AppointOfficial("Newly Come", ("co-organizer",)),
    "hand the office over": lambda _: HandOver(2),
    "stand down": lambda each: StandDown(each.official),
    "make the judge stand down": lambda _: StandDown(3),
    "resume": lambda _: Resume(6),
    "pair the round": lambda _: PairRound(unchecked=True, reason="a test"),
    "pair by hand": lambda _: PairRound(LATER, "for fairness", unchecked=True),
    "swap two seats": lambda _: SwapSeats((3, 5), "for fairness"),
    "choose who has the bye": lambda _: PairRound(((1, 0),), "asked for it", unchecked=True),
    "pair a rematch": lambda _: PairRound(TABLES, "nobody else", True),  # noqa: FBT003 - as typed
    "announce another structure": lambda _: ChangeStructure(
        (Stage("swiss", 2),), "the hall closes"
    ),
    "make the cut": lambda _: MakeCut(),
    "ask the next one in": lambda each: AnswerReplacement(each.asked, accepts=True),
    "finish": lambda _: FinishTournament(),
    "hand in a list": lambda each: SubmitList(1, sample_list(each.game)),
    "give an exclusive out": lambda _: GiveExclusive(1, "Ember Queen Sael"),
    "check a list": lambda _: CheckList(1, note="by hand"),
    "check a deck": lambda _: CheckList(1, note="by hand"),
    "correct a list": lambda each: CorrectList(1, _list(each), "the name was wrong"),
    "record a missing component": lambda _: MissComponent(1, "a card"),
    "make a proxy": lambda _: MakeProxy(1, "a card", "the cost", "2018-11-03"),
    "decide on a component": lambda _: DecideComponent("a token", "indicator", allowed=True),
    "order components to be shared": lambda _: ShareComponents(1, "dice"),
    "inspect components": lambda _: InspectComponents(1, "dice", "replace", reason="worn"),
    "act on the pace": _pace,
    "award a prize": lambda _: AwardPrize(1, "a mat", "other"),
    "review the First Five": lambda each: ReviewFirstFive(1, 1, official=each.official),
    "review the First Five of one's opponent": _first_five,
    "draw the scenario": lambda _: DrawScenario(),
    "order the totals to be verified": lambda _: OrderVerification(),
    "announce fixed terrain": lambda _: AnnounceTerrain(fixed=True),
    "draw the draft groups": lambda _: DrawDraftGroups(),
    "confirm the count at time": lambda each: Report(1, at_time(each.official)),
}


def carried_out(each: Try, does: str) -> str:
    """What is said against the act; nothing where it is done."""
    by = each.desk
    if does == "confirm the count at time":
        by = "o1"
        each.day.do(CallTime(), by=by)
    elif does.endswith("one's opponent") and each.desk == "p3":
        by = "o2"
    try:
        each.day.do(ACTS[does](each), by=by)
    except LedgerError as refused:
        return "; ".join(map(str, refused.problems))
    return ""

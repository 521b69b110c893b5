"""Taking the last act back: in words what it was, and what to do instead where it stays."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.desk.acts import act_as_json, answer
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json
from cli.wording.event_words import acts_in_words
from ledger.decisions.undo import Undo
from ledger.errors import Refused
from ledger.events.clock import ExtraTimeAnnounced
from ledger.events.components import ComponentFound
from ledger.events.disputes import AppealWithdrawn, RulingWithdrawn
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.events.elimination import CutMade
from ledger.events.office import RulingMade
from ledger.events.opening import (
    OfficialAppointed,
    StructureAnnounced,
    TournamentFinished,
    TournamentStarted,
)
from ledger.events.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PersonRecorded,
    PlayerRejoined,
    RegistrationWithdrawn,
)
from ledger.events.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.events.rounds import Posted, RoundReopened, RoundStarted, RoundUnpaired
from ledger.events.setups import (
    BattleBuilt,
    ChooserDrawn,
    DraftGroupsDrawn,
    FirstFiveReviewed,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainCounted,
    VerificationOrdered,
)
from ledger.events.undo import ActWithdrawn
from ledger.tournament.withdrawals import meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.desk.session import Desk
    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament

INSTEAD: Mapping[type[Event], str] = MappingProxyType(
    {
        ResultReported: "`correct` replaces a result",
        ResultCorrected: "`correct` it to what it was",
        ResultWithdrawn: "`report` it again",
        RulingMade: "`appeal` it; who rules for good may `rule` again with --result",
        AppealWithdrawn: "`appeal` again",
        RulingWithdrawn: "`rule` again",
        CutMade: "`cut --take-back` where nobody has begun",
        RoundUnpaired: "`pair` again",
        Posted: "what hung on the wall stays on record: `post` again",
        PersonRecorded: "`rename` it to what it was",
        PlayerRejoined: "`drop` the player again",
        StructureAnnounced: "`start` announces again, after round 1 with --change",
        TournamentStarted: "`start` announces again before round 1; the word stays",
        HeadRecorded: "the word and its head stay: `start` announces again before round 1",
        HeadCosigned: "the cosignature stays, and what is drawn with it",
        RanksDrawn: "a draw stands; `start` announces again before round 1",
        RoundStarted: "`round extend` gives a table more time",
        ExtraTimeAnnounced: "`round extra` says another length, before the event",
        ScenarioDrawn: "a draw stands; made again, it would be the same",
        ChooserDrawn: "a draw stands; made again, it would be the same",
        DraftGroupsDrawn: "`draft draw` draws again, before the first round",
        FirstPlayerChosen: "`first` again replaces it",
        SideTaken: "`side` again replaces it",
        BattleBuilt: "`battle` again replaces it",
        TerrainCounted: "`terrain` again replaces it",
        FirstFiveReviewed: "who looked stays on record: `firstfive` records another look",
        ComponentFound: "`component missing` it again",
        VerificationOrdered: "tell the players that it is not asked for",
        RegistrationWithdrawn: "`register` them again",
        DropWithdrawn: "`drop` the player again",
        DisqualificationWithdrawn: "`disqualify` the player again",
        RoundReopened: "`round close` closes it again",
        ActWithdrawn: "say it again",
        OfficialAppointed: "`official` gives the roles that are right",
        TournamentFinished: "results can still be corrected: `correct`",
    }
)
"""What a person does where an act cannot be undone."""


def _instead(tournament: Tournament, act: list[Recorded], problems: tuple[str, ...]) -> list[str]:
    """Say, beside why an act cannot be taken back, what to do instead."""
    found = (INSTEAD.get(type(meaning(tournament, each.event))) for each in act)
    advice = next((each for each in found if each), "")
    return [
        f"{problem}; instead: {advice}" if advice and "`" not in problem else problem
        for problem in problems
    ]


def take_back(desk: Desk, reason: str) -> None:
    """Take the last act at this desk back and answer.

    Raises:
        Refused: something depends on it, or nothing answers it; the text says what to do instead.
    """
    act = desk.tournament.last_act(desk.by)
    acts = "; ".join(acts_in_words(act, desk.tournament))
    try:
        recorded = desk.act(Undo(reason))
    except Refused as refusal:
        raise Refused(*_instead(desk.tournament, act, refusal.sentences)) from None
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    say(f"taking back: {acts}")
    answer(desk, recorded)

"""The small events in which each act is tried: who is there, and how far the day has come.

Player 1 meets player 2 at table 1; a leader plays as player 2 where the game lets leaders play.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from ledger import formats
from ledger.facts.shared import Stage
from ledger.rules.components import DamageComponent
from ledger.rules.disputes import Appeal
from ledger.rules.elimination import MakeCut
from ledger.rules.lists import SubmitList
from ledger.rules.office import LinkOfficial, Rule, StandDown
from ledger.rules.opening import OpenTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer
from ledger.rules.results import Report
from ledger.rules.rounds import CloseRound, StartRound
from tests.clauses.authority.results import won
from tests.support.files.format_lists import sample_list
from tests.support.simulate import ORGANIZER, Day
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command

TABLES = ((1, 2), (3, 4), (5, 6), (7, 8))
LATER = ((1, 3), (2, 4), (5, 7), (6, 8))
FFG = ("l5r", "runewars", "legion")
COLUMNS = ("O", "M", "J", "S", "L", "P", "X", "T")


def desks(game: str, staff: str) -> dict[str, str]:
    """Who writes, by the column's letter."""
    if game == "ashes":
        return {"O": "o1", "M": "o2", "S": "o3", "P": "p1", "X": "p3"}
    held = dict(zip(COLUMNS, ("o1", "o2", "o3", "o4", "o5", "p1", "p3", "o6"), strict=True))
    gone = {"": "", "no marshal": "M", "alone": "MJLT"}[staff]
    return {letter: desk for letter, desk in held.items() if letter not in gone}


class FormatDay(Day):
    """A day whose opening names the format of its game."""

    def do(
        self, command: Command, *, by: str = ORGANIZER, command_id: str = "", at: str = ""
    ) -> list[Recorded]:
        """Do it; the opening with the format."""
        if isinstance(command, OpenTournament):
            text = formats.text_of("ashes")
            command = msgspec.structs.replace(command, format=text, variant="built")
        return super().do(command, by=by, command_id=command_id, at=at)


def staffed(game: str, staff: str, players: int = 8, kind: type[Day] = Day) -> Day:
    """Everybody is appointed, and who is not to be there has stood down."""
    day = kind(players, ruleset=game, date="2018-11-03")
    if game == "ashes":
        appoint(day, "Cleo", "co-organizer")
        appoint(day, "Sam", "scorekeeper")
        return day
    appoint(day, "Mara", "marshal")
    appoint(day, "Jun", "judge")
    appoint(day, "Sam", "scorekeeper")
    if staff != "alone":
        appoint(day, "Lea", "judge")
        day.do(LinkOfficial(5, 2))
        appoint(day, "Tim", "judge")
        day.do(StandDown(6))
    for official in {"": (), "no marshal": (2,), "alone": (2, 3)}[staff]:
        day.do(StandDown(official))
    return day


def first_round(game: str, staff: str, state: str) -> Day:
    """The first round, paired."""
    day = staffed(game, staff, 7 if state == "odd" else 8)
    if state.startswith("listed"):
        day.do(SubmitList(1, sample_list(game)))
    if state == "organizer plays":
        day.do(LinkOfficial(1, 2))
    cut = (Stage("single", entry="top", size=4),) if state in {"cut due", "place free"} else ()
    day.start(1 if cut or state == "over" else 3, *cut)
    if state in {"odd", "started"}:
        return day
    day.do(PairRound(TABLES, "a test", unchecked=True))
    return day


def ruled(day: Day, *, by: int) -> int:
    """A ruling on table 1, raised by player 1."""
    ruling = Rule(by, "the card stays", 1, raised="player", player=1)
    return day.do(ruling, by=f"o{by}")[0].seq


def reported(day: Day, game: str) -> None:
    """Every table has a result, and the round is closed."""
    for match in list(day.matches()):
        day.do(Report(match.number, won(game)))


@cache
def _built(game: str, staff: str, state: str) -> Day:
    if state == "with a format":
        return staffed(game, staff, kind=FormatDay)
    if state in {"before", "listed"}:
        day = staffed(game, staff)
        if state == "listed":
            day.do(SubmitList(1, sample_list(game)))
        return day
    day = first_round(game, staff, state)
    if state in {"paired", "odd", "started", "organizer plays"}:
        return day
    day.do(StartRound())
    judge = 2 if game == "ashes" else 3
    if state in {"review asked", "reviewed", "ruled", "organizer ruled"}:
        _reviewed(day, state, judge)
    elif state == "reported":
        day.do(Report(1, won(game)))
    elif state == "damaged":
        day.do(DamageComponent(1, "a card", "card"))
    elif state not in {"open", "listed open"}:
        reported(day, game)
        _onwards(day, state)
    return day


def _reviewed(day: Day, state: str, judge: int) -> None:
    if state == "organizer ruled":
        ruled(day, by=1)
        return
    seq = ruled(day, by=judge)
    if state == "ruled":
        return
    day.do(Appeal(seq, "the card says otherwise"), by="o1/p1")
    if state == "reviewed":
        day.do(Rule(2, "so it stays", 1, reviews=seq, upheld=True), by="o2")


def _onwards(day: Day, state: str) -> None:
    if state == "over":
        return
    day.do(CloseRound())
    if state == "dropped":
        day.do(DropPlayer(1))
    elif state == "place free":
        day.do(MakeCut())
        stage = day.tournament.pending_cut()
        assert stage is not None
        day.do(DropPlayer(stage.seeds[0]))


def day_of(game: str, staff: str, state: str) -> Day:
    """A day of its own, as far as `state`."""
    day = copy.copy(_built(game, staff, state))
    day.log = list(day.log)
    day.tournament = Day.folded(day.log)
    return day

"""Office: who plays, stands down and rules; conduct and penalties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.checks.office import declares_problems, open_call
from ledger.checks.results import bracket_stands
from ledger.decisions.command import (
    Command,
    Context,
    event_of,
    match_of,
    official_of,
    registered_player,
)
from ledger.decisions.disputes import entered, result_ruled
from ledger.decisions.people import DisqualifyPlayer
from ledger.decisions.results import StatedResult, result_from
from ledger.errors import Refused
from ledger.events import Event, office
from ledger.events.base import DESK
from ledger.events.opening import OfficialAppointed
from ledger.events.results import Result, ResultReported
from ledger.problems import Player, problem, remedy
from ledger.tournament import disputes, scoring
from ledger.tournament.progress import open_match_of
from ledger.tournament.state import Match, Tournament


class LinkOfficial(Command, frozen=True):
    """Record which player an official is."""

    official: int
    player: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        official = official_of(tournament, self.official)
        if official.player != self.player:
            yield OfficialAppointed(official.number, official.roles, self.player)


class StandDown(Command, frozen=True):
    """Make an official a spectator until they resume."""

    official: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not official_of(tournament, self.official).stood_down:
            yield office.OfficialStoodDown(self.official)


class Resume(Command, frozen=True):
    """Let an official who stood down take office again; the organizer from who has it for now."""

    official: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not official_of(tournament, self.official).stood_down:
            return
        for deputy, of in tournament.floor.deputies.items():
            if of == self.official:
                yield from _handed_over(tournament, deputy, of, for_now=False)
                return
        yield office.OfficialResumed(self.official)


class HandOver(Command, frozen=True):
    """Make another official the organizer: for good, or until who is it now resumes."""

    official: int
    for_now: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        heir = official_of(tournament, self.official)
        if "organizer" in heir.roles:
            return
        now = next(each for each in tournament.officials if "organizer" in each.roles)
        yield from _handed_over(tournament, now.number, heir.number, for_now=self.for_now)


def _handed_over(
    tournament: Tournament, of: int, to: int, *, for_now: bool
) -> Iterator[OfficialAppointed]:
    others = tuple(each for each in tournament.officials[of].roles if each != "organizer")
    yield OfficialAppointed(of, others, hands_to=to, for_now=for_now)
    yield OfficialAppointed(to, ("organizer", *tournament.officials[to].roles))


class Rule(Command, frozen=True):
    """Record a ruling; `match` 0: on no single match.

    A dispute of the match is settled with it: the report stands, or `decides` tells the result.
    Where the desk may, the result is corrected in the same act, unless it is left to another.
    """

    official: int
    ruling: str
    match: int = 0
    clause: str = ""
    raised: Literal["player", "spectator", "official"] = "official"
    player: int = 0
    review: bool = False
    reviews: int = 0
    overrules: str = ""
    upheld: bool = False
    stands: bool = False
    decides: StatedResult | None = None
    corrects: bool = True

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        official_of(tournament, self.official)
        match = match_of(tournament, self.match) if self.match else None
        dispute = disputes.dispute_of(tournament, self.match)
        settles = 0
        if dispute is not None and not self.reviews:
            is_first = self.decides is not None and not dispute.ruling
            settles = dispute.seq if self.stands or is_first else 0
        elif self.stands:
            text = "only a disputed report is let stand: nothing is disputed here"
            raise Refused(problem("dispute.nothing_disputed", text))
        decides = result_from(tournament, match, self.decides) if match and self.decides else None
        yield event_of(office.RulingMade, self, settles=settles, decides=decides)
        if match is not None and self.corrects:
            yield from _at_once(tournament, match, by)


def _at_once(tournament: Tournament, match: Match, by: str) -> Iterator[Event]:
    """The correction that a ruling asks for, where its author may enter it and nothing bars it."""
    ruling = tournament.floor.rulings[-1]
    result = result_ruled(tournament, ruling)
    desk = tournament.officials[int(by.partition("/")[0][1:])]
    if result is None or disputes.is_appealed(ruling) or DESK.isdisjoint(desk.roles):
        return
    if not list(bracket_stands(tournament, match, result)):
        yield from entered(tournament, match, ruling, result)


class NoteConduct(Command, frozen=True):
    """Record unsporting conduct and its remedy."""

    player: int
    kind: office.Misconduct
    remedy: str
    note: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        match = open_match_of(tournament, self.player)
        yield event_of(office.ConductNoted, self, match=match.number if match else 0)


class TakeNote(Command, frozen=True):
    """Put something on record, on a match, on a player or on neither; it decides nothing."""

    says = office.NoteTaken

    text: str
    match: int = 0
    player: int = 0


class RecommendDisqualification(Command, frozen=True):
    """Recommend to the organizer that a player be disqualified."""

    says = office.DisqualificationRecommended

    player: int
    reason: str
    clause: str = ""


class Penalize(Command, frozen=True):
    """Give a penalty; it ends the player's open match where it decides one, or their event."""

    player: int
    kind: office.PenaltyKind
    infraction: str
    clause: str = ""

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        match = open_match_of(tournament, self.player)
        result = self._result(tournament, match)
        yield event_of(office.PenaltyGiven, self, match=match.number if match else 0)
        if match is not None and result is not None:
            yield ResultReported(match.number, result)
        if self.kind == "removal":
            removal = DisqualifyPlayer(self.player, self.infraction, self.clause)
            yield from removal.decide(tournament, context, by)

    def _result(self, tournament: Tournament, match: Match | None) -> Result | None:
        """Return what the match then has; none where the penalty decides none."""
        rules = tournament.ruleset
        if self.kind in office.LOSES_THE_MATCH and match is not None:
            return scoring.forfeited(rules, first=match.first == self.player)
        if self.kind not in office.DECLARES:
            return None
        if problems := list(declares_problems(tournament, self.kind)):
            raise Refused(*problems)
        if not match:
            text, way = "{player} has no open match to declare", remedy("correct")
            about = Player(self.player)
            raise Refused(problem("match.none_to_declare", text, remedy=way, player=about))
        if office.DECLARES[self.kind] == "D":
            return scoring.drawn(rules)
        return scoring.won_by_word(rules, first=match.first == self.player)


class CallJudge(Command, frozen=True):
    """Call a judge to a table, or to a player; called once is enough while nobody has come."""

    match: int = 0
    player: int = 0
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        called = event_of(office.JudgeCalled, self)
        if not open_call(tournament, called):
            yield called


class AnswerCall(Command, frozen=True):
    """Say that an official went to who had called a judge."""

    says = office.CallAnswered

    call: int
    official: int

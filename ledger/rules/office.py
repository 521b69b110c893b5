"""Officials at work: rulings, penalties, notes and calls for a judge; what is admissible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import field

from ledger.errors import Refused
from ledger.facts import office
from ledger.facts.base import DESK, Event
from ledger.facts.office import (
    DECLARES,
    LOSES_THE_MATCH,
    CallAnswered,
    ConductNoted,
    DisqualificationRecommended,
    Misconduct,
    NoteTaken,
    OfficialResumed,
    OfficialStoodDown,
    PenaltyGiven,
    PenaltyKind,
)
from ledger.facts.opening import OfficialAppointed
from ledger.facts.results import ResultReported, Verdict
from ledger.facts.shared import JudgeCalled, RulingMade
from ledger.problems import Official, Player, Problems, marked, phrase, problem, remedy
from ledger.rules.command import (
    Command,
    Context,
    event_of,
    match_of,
    official_of,
    registered_player,
)
from ledger.rules.disputes import (
    entered,
    final_ruling,
    no_ruling,
    result_ruled,
    ruling_problems,
)
from ledger.rules.games_left import GameAsLeft, game_ended
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.references import (
    is_here,
    needs_reason,
    no_official,
    no_player,
    of_official,
    stood_down,
    table_of,
)
from ledger.rules.results import StatedResult, bracket_stands, result_from
from ledger.tournament import disputes
from ledger.tournament.disputes import is_appealed, latest_dispute, ruling_on
from ledger.tournament.progress import find_match, no_match, open_match_of
from ledger.tournament.state import Match, Tournament
from ledger.tournament.state import Official as Holder
from ledger.tournament.table_records import JudgeCall


@of_official
def official_stood_down(_: Tournament, event: OfficialStoodDown, official: Holder) -> Problems:
    if official.stood_down:
        text = marked("{official} has already stood down")
        who = Official(event.official)
        yield problem("official.stood_down_already", text, clause="FFG-ROLE-STATUS", official=who)
    if "organizer" in official.roles:
        text = marked(
            "the organizer cannot stand down: hand over the office, permanently or for now"
        )
        way, clause = remedy("official.hand_over"), "FFG-ROLE-ORGANIZER"
        yield problem("official.organizer_stays", text, clause=clause, remedy=way)


@of_official
def official_resumed(tournament: Tournament, event: OfficialResumed, official: Holder) -> Problems:
    if not official.stood_down:
        text = marked("{official} is in office and has not stood down")
        who = Official(event.official)
        yield problem("official.in_office", text, clause="FFG-ROLE-STATUS", official=who)
    elif event.official in tournament.floor.deputies.values():
        text = marked(
            "another official holds the office of organizer for {official}, and must hand it back"
        )
        who, clause = Official(event.official), "FFG-ROLE-ORGANIZER"
        yield problem("official.resumes_office", text, clause=clause, official=who)


def conduct_noted(tournament: Tournament, event: ConductNoted) -> Problems:
    is_spectator = bool(event.spectator.strip())
    if is_spectator == bool(event.player):
        text = marked("unsporting conduct must be a player's or a spectator's, not both")
        yield problem("conduct.person", text, clause="FFG-AUTH-CONDUCT, FFG-SPECTATOR")
    elif event.player:
        yield from is_here(tournament, event.player)
    if event.match and find_match(tournament, event.match) is None:
        yield no_match(event.match)
    if not event.remedy.strip():
        text = marked("state the consequence of the unsporting conduct")
        yield problem("conduct.remedy_missing", text, clause="FFG-AUTH-CONDUCT")


def disqualification_recommended(
    tournament: Tournament, event: DisqualificationRecommended
) -> Problems:
    yield from is_here(tournament, event.player)
    yield from needs_reason(event, "FFG-AUTH-DQ")


def penalty_given(tournament: Tournament, event: PenaltyGiven) -> Problems:
    yield from is_here(tournament, event.player)
    match = find_match(tournament, event.match)
    if event.match and (match is None or event.player not in match.players):
        text = marked("{player} does not play match {match}")
        yield problem("player.not_at_match", text, player=Player(event.player), match=event.match)
    if not event.infraction.strip():
        text, clause = marked("a penalty must state the infraction"), "FFG-AUTH-CONDUCT"
        yield problem("penalty.empty", text, clause=clause)
    if event.kind in DECLARES and office.is_bound_by(tournament, "declared"):
        yield from declares_problems(tournament, event.kind)


def declares_problems(tournament: Tournament, kind: PenaltyKind) -> Problems:
    """Yield that the game in play has no win or draw that is declared."""
    rules = tournament.ruleset
    letter = DECLARES[kind]
    has_one = letter in rules.records.values() and rules.floor.authority.declares
    if not has_one:
        endings = rules.derives.endings if rules.derives else ()
        clause = endings[0].clause if endings else rules.scoring.clause
        text = marked("{game} has no {kind}")
        yield problem("penalty.not_here", text, clause=clause, game=rules.key, kind=phrase(kind))


def note_taken(tournament: Tournament, event: NoteTaken) -> Problems:
    if event.player:
        yield from is_here(tournament, event.player)
    match = find_match(tournament, event.match)
    if event.match and match is None:
        yield no_match(event.match)
    elif match is not None and event.player:
        yield problem("note.match_or_player", "a note can be about a match or a player, not both")
    if not event.text.strip():
        yield problem("note.empty", "a note must not be empty")


def judge_called(tournament: Tournament, event: JudgeCalled) -> Problems:
    match = find_match(tournament, event.match)
    if event.match and not match:
        yield no_match(event.match)
    elif not event.match and not event.player:
        yield problem("call.nobody", "a call for a judge must name a table or a player")
    elif event.player and (event.player >= len(tournament.players)):
        yield no_player(event.player)
    elif match and event.player and event.player not in match.players:
        text, player = marked("{player} does not sit at {table}"), Player(event.player)
        yield problem("player.elsewhere", text, player=player, table=table_of(match))
    elif waiting := open_call(tournament, event.match, event.player):
        text = marked("a judge has already been called (event {event})")
        yield problem("call.waits", text, event=waiting.seq)


def open_call(tournament: Tournament, match: int, player: int) -> JudgeCall | None:
    """Return the open call about a match and a player."""
    waiting = (each for each in tournament.floor.judge_calls if not each.answered)
    return next(
        (each for each in waiting if (each.made.match, each.made.player) == (match, player)), None
    )


def call_answered(tournament: Tournament, event: CallAnswered) -> Problems:
    call = tournament.floor.judge_call(event.call)
    if not call:
        yield problem("call.none", "event {event} is not a call for a judge", event=event.call)
    elif call.answered:
        text = marked("this call was already answered (event {event})")
        yield problem("call.answered", text, event=call.answered)
    if event.official >= len(tournament.officials):
        yield no_official(event.official)


def ruling_made(tournament: Tournament, event: RulingMade) -> Problems:
    match = find_match(tournament, event.match)
    if event.match and match is None:
        yield no_match(event.match)
        return
    if event.official >= len(tournament.officials):
        yield no_official(event.official)
        return
    if not event.ruling.strip():
        yield problem("ruling.empty", "a ruling must state the decision")
    if (event.raised == "player") != bool(event.player):
        text = marked("a ruling must name a player if a player raised the issue, and only then")
        yield problem("ruling.raised_by", text)
    elif event.player and event.player >= len(tournament.players):
        yield no_player(event.player)
    if event.reviews:
        yield from _review(tournament, event)
    yield from ruling_problems(tournament, event, match)
    yield from _may_rule(tournament, event, match)


def _review(tournament: Tournament, event: RulingMade) -> Problems:
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is None:
        yield no_ruling(event.reviews)
    elif reviewed.final or reviewed.reviewed_by:
        yield final_ruling(reviewed)
    elif reviewed.made.match != event.match:
        text = marked("ruling {ruling} is about another match")
        yield problem("ruling.other_match", text, ruling=event.reviews)
    elif not is_appealed(reviewed):
        text = marked("no player asked for a review of ruling {ruling}")
        yield problem("review.not_asked", text, clause="FFG-ROLE-JUDGE", ruling=event.reviews)


def _may_rule(tournament: Tournament, event: RulingMade, match: Match | None) -> Problems:
    official = tournament.officials[event.official]
    allowed = _who_rules(tournament, event, match)
    if official.stood_down:
        yield stood_down(event.official)
    elif match and official.player in match.players and event.official not in allowed:
        text = marked("{official} is playing this match and cannot rule on it")
        clause = "FFG-LEADER-RULING"
        yield problem("ruling.plays_match", text, clause=clause, official=Official(event.official))
    elif event.official not in allowed:
        text = marked("{official} cannot rule on this; officials who can: {others}")
        who, others = Official(event.official), tuple(map(Official, allowed)) or "none"
        yield problem(
            "ruling.not_theirs", text, clause="FFG-ROLE-JUDGE", official=who, others=others
        )
    if event.review and office.is_final(tournament, event.official, match):
        text = marked("this ruling is final and cannot be reviewed")
        yield problem("review.final", text, clause="FFG-ROLE-JUDGE")
    yield from _may_overrule(tournament, event)
    yield from _may_impose(tournament, event, match)


def _may_overrule(tournament: Tournament, event: RulingMade) -> Problems:
    """A marshal may, for a mistake found in the documents; where these bind, nobody does."""
    rules = office.authority_of(tournament)
    if not event.overrules:
        return
    if rules.documents:
        text = marked("the rulebook and the FAQ are binding: no official can overrule them")
        yield problem("ruling.documents_bind", text, clause=rules.documents)
    elif all(event.official != each.number for each in office.marshals(tournament)):
        text = marked("only a marshal can overrule the rules documents")
        yield problem("ruling.overrules", text, clause="FFG-OVERRULE")


def _may_impose(tournament: Tournament, event: RulingMade, match: Match | None) -> Problems:
    """Yield that the official does not impose results, where the ruling decides on one."""
    if not (match and event.decides and event.decides.manner == "declared"):
        return
    was = match.result.manner if match.result is not None else ""
    allowed = office.who_declares(tournament, match.players)
    is_new = was != "declared" and office.is_bound_by(tournament, "declared")
    if is_new and event.official not in allowed:
        text = marked("{official} cannot impose a result; officials who can: {others}")
        clause = "FFG-AUTH-CONDUCT"
        who, others = Official(event.official), tuple(map(Official, allowed)) or "none"
        yield problem("ruling.imposes", text, clause=clause, official=who, others=others)


def _who_rules(tournament: Tournament, event: RulingMade, match: Match | None) -> list[int]:
    """Who may rule so; where nobody reviews, who rules first decides again as well.

    A marshal corrects the documents at once (FFG-OVERRULE).
    """
    first = office.who_rules(tournament, match)
    review = office.who_rules(tournament, match, "review")
    if event.reviews:
        return review
    if event.overrules and not office.authority_of(tournament).documents:
        return [*first, *review]
    return (review or first) if _decides_again(tournament, event) else first


def _decides_again(tournament: Tournament, event: RulingMade) -> bool:
    """Whether a result that was decided for good is decided again, by an official who may."""
    latest = latest_dispute(tournament, event.match)
    if event.decides is None or latest is None or latest.closed:
        return False
    ruling = ruling_on(tournament, latest)
    return ruling is not None and ruling.final


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
            yield OfficialStoodDown(self.official)


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
        yield OfficialResumed(self.official)


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
            text = marked("only a disputed report can be upheld, and there is no open dispute")
            raise Refused(problem("dispute.nothing_disputed", text))
        decides = result_from(tournament, match, self.decides) if match and self.decides else None
        yield event_of(RulingMade, self, settles=settles, decides=decides)
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
    """Record unsporting conduct of a player, or of a spectator (player 0), and its remedy."""

    player: int
    kind: Misconduct
    remedy: str
    note: str = ""
    clause: str = ""
    spectator: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        rules = tournament.ruleset.floor.conduct
        if self.kind not in rules.kinds:
            text = marked(
                "{game} does not list {kind} as unsporting conduct; its kinds are: {kinds}"
            )
            kind, game = self.kind, tournament.ruleset.key
            raise Refused(
                problem(
                    "conduct.kind",
                    text,
                    clause=rules.clause,
                    game=game,
                    kind=phrase(kind),
                    kinds=tuple(map(phrase, rules.kinds)),
                )
            )
        if self.player:
            registered_player(tournament, self.player)
        match = open_match_of(tournament, self.player) if self.player else None
        yield event_of(ConductNoted, self, match=match.number if match else 0)


class TakeNote(Command, frozen=True):
    """Put something on record, on a match, on a player or on neither; it decides nothing."""

    says = NoteTaken

    text: str
    match: int = 0
    player: int = 0


class RecommendDisqualification(Command, frozen=True):
    """Recommend to the organizer that a player be disqualified."""

    says = DisqualificationRecommended

    player: int
    reason: str
    clause: str = ""


class Penalize(Command, frozen=True):
    """Give a penalty; it ends the player's open match if it decides one, or their event.

    The facts are those of the open match; `unknown` is the reason why a number is missing.
    """

    player: int
    kind: PenaltyKind
    infraction: str
    clause: str = ""
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        match = open_match_of(tournament, self.player)
        report = self._report(tournament, match)
        yield event_of(PenaltyGiven, self, match=match.number if match else 0)
        if report is not None:
            yield report
        if self.kind == "removal":
            details = self.infraction, self.clause, self.facts, self.unknown
            removal = DisqualifyPlayer(self.player, *details)
            yield from removal.decide(tournament, context, by)

    def _report(self, tournament: Tournament, match: Match | None) -> ResultReported | None:
        """Return the report that ends the match; None if the penalty decides no match."""
        game = GameAsLeft(self.facts, self.unknown)
        if self.kind in LOSES_THE_MATCH and match is not None:
            return game_ended(tournament, match, self.player, "forfeited", game)
        if self.kind not in DECLARES:
            return None
        if problems := list(declares_problems(tournament, self.kind)):
            raise Refused(*problems)
        if not match:
            text = marked("{player} has no open match to declare a result for")
            way = remedy("correct")
            about = Player(self.player)
            raise Refused(problem("match.none_to_declare", text, remedy=way, player=about))
        verdict: Verdict = "drawn" if DECLARES[self.kind] == "D" else "won"
        return game_ended(tournament, match, self.player, verdict, game)


class CallJudge(Command, frozen=True):
    """Call a judge to a table, or to a player; called once is enough while nobody has come."""

    match: int = 0
    player: int = 0
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        called = event_of(JudgeCalled, self)
        if not open_call(tournament, called.match, called.player):
            yield called


class AnswerCall(Command, frozen=True):
    """Say that an official went to who had called a judge."""

    says = CallAnswered

    call: int
    official: int

"""Officials, rulings and penalties: the facts, what each does, and who holds which office."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, MARSHAL, ORGANIZER, Event, Recording
from ledger.facts.columns import listed
from ledger.facts.shared import Clause, JudgeCalled, RulingMade
from ledger.problems import marked
from ledger.rulesets.floor import Authority, Conduct
from ledger.rulesets.stricter import binds
from ledger.tournament.disputes import current_claim, decides_on, latest_dispute
from ledger.tournament.state import Match, Official, Tournament
from ledger.tournament.table_records import Claim, Dispute, Instance, JudgeCall, Link, Ruling

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

Misconduct = Conduct
"""The kinds of unsporting conduct (FFG-CONDUCT-KIND, AOP-CONDUCT)."""

PenaltyKind = Literal[
    "warning",
    "corrected play",
    "discard",
    "game forfeit",
    "match loss",
    "removal",
    "declared win",
    "declared draw",
    "other",
]
"""What may follow an infraction (AOP-PENALTY)."""

LOSES_THE_MATCH: frozenset[PenaltyKind] = frozenset({"game forfeit", "match loss"})
"""The penalties that end the match as a loss."""

DECLARES: dict[PenaltyKind, Literal["W", "D"]] = {"declared win": "W", "declared draw": "D"}
"""The penalties that end the match as declared, and what the player has then."""


class OfficialStoodDown(Event, frozen=True):
    """A judge or marshal is a spectator until they resume (FFG-ROLE-STATUS)."""

    recording = Recording(marked("standing down"), LEADERS | DESK, after_finish=True)

    official: base.Number

    def reversal(self, _reason: str) -> Event:
        return OfficialResumed(self.official)


class OfficialResumed(Event, frozen=True):
    """An official who stood down is back in office (FFG-ROLE-STATUS)."""

    recording = Recording(marked("resuming office"), LEADERS | DESK, after_finish=True)

    official: base.Number

    def reversal(self, _reason: str) -> Event:
        return OfficialStoodDown(self.official)


class ConductNoted(Event, frozen=True):
    """A marshal found a person's conduct unsporting and decided the remedy (FFG-AUTH-CONDUCT).

    `player` is 0 for a spectator, whom `spectator` describes (FFG-SPECTATOR).
    """

    recording = Recording(
        marked("deciding on conduct"), MARSHAL, after_finish=True, withdrawable=True
    )

    player: base.Seat
    kind: Misconduct
    remedy: base.Text
    match: base.MatchOrNone = 0
    note: base.Text = ""
    clause: Clause = ""
    spectator: base.Text = ""


class DisqualificationRecommended(Event, frozen=True):
    """A marshal recommends a disqualification; the organizer decides it (FFG-AUTH-DQ)."""

    recording = Recording(
        marked("recommending a disqualification"), MARSHAL, after_finish=True, withdrawable=True
    )

    player: base.Number
    reason: base.Text
    clause: Clause = ""


class NoteTaken(Event, frozen=True):
    """An official put something on record that decides nothing.

    It is on a match, on a player, or with neither of them on the day.
    """

    recording = Recording(marked("a note"), DESK | LEADERS, after_finish=True, withdrawable=True)

    text: base.Text
    match: base.MatchOrNone = 0
    player: base.Seat = 0


class PenaltyGiven(Event, frozen=True):
    """A penalty: what for, by which clause, and what follows (AOP-PENALTY)."""

    recording = Recording(marked("a penalty"), LEADERS, after_finish=True, withdrawable=True)

    player: base.Number
    kind: PenaltyKind
    infraction: base.Text
    clause: Clause = ""
    match: base.MatchOrNone = 0


class CallAnswered(Event, frozen=True):
    """An official went to who had called a judge."""

    recording = Recording(marked("answering a call"), DESK | LEADERS, withdrawable=True)

    call: base.Seq
    official: base.Number


_HAVE_A_PLACE = frozenset({"active", "cut", "dropped"})
"""Statuses of a player whose link works: who has left, or missed the cut, reads their own page."""


def authority_of(tournament: Tournament) -> Authority:
    """What the ruleset says of its leaders."""
    return tournament.ruleset.floor.authority


def active(tournament: Tournament) -> list[Official]:
    """The officials who have not stood down, in order of appointment."""
    return [each for each in tournament.officials[1:] if not each.stood_down]


def leads(tournament: Tournament, roles: Collection[str]) -> bool:
    """Whether somebody with these roles is a leader."""
    return not set(authority_of(tournament).leaders).isdisjoint(roles)


def marshals(tournament: Tournament) -> list[Official]:
    """Who holds the marshal's authority: with no active marshal, the organizer."""
    here = active(tournament)
    return _with_role(here, "marshal") or _with_role(here, "organizer")


def is_announced(tournament: Tournament) -> bool:
    """Whether a leader may play who was announced before the start."""
    return authority_of(tournament).playing == "announced"


def player_of(tournament: Tournament, number: int) -> int:
    """The player that an official is and that plays on; 0 if there is no key."""
    player = tournament.officials[number].player
    return player if player and tournament.players[player].status == "active" else 0


def playing_leaders(tournament: Tournament) -> list[Official]:
    """The leaders who play on in this event."""
    return [
        each
        for each in tournament.officials[1:]
        if leads(tournament, each.roles) and player_of(tournament, each.number)
    ]


def who_rules(
    tournament: Tournament, match: Match | None, instance: Instance = "first"
) -> list[int]:
    """The officials who may rule on a match, or on none in particular, by number.

    A judge first, a marshal in review; a leader never on a match they play (FFG-ROLE-JUDGE,
    FFG-LEADER-RULING), but where the ruleset lets leaders play without another one and there is
    none. Empty where nobody may.
    """
    return who_rules_for(tournament, match.players if match else (), instance)


def who_rules_for(
    tournament: Tournament, players: Collection[int], instance: Instance = "first"
) -> list[int]:
    """As `who_rules`, for players who may yet be paired."""
    leaders = [each for each in active(tournament) if leads(tournament, each.roles)]
    outside = [each for each in leaders if not each.player or each.player not in players]
    rules = authority_of(tournament)
    alone = leaders if rules.playing == "announced" else []
    if instance == "review" and rules.reviewer == "organizer":
        return _numbers(_with_role(leaders, "organizer"))
    if not rules.has_judges:
        return _numbers(outside or alone)
    by_marshal = [each for each in marshals(tournament) if each in outside]
    if len(leaders) - len(outside) > 1:
        onlookers = [each for each in outside if not player_of(tournament, each.number)]
        return _numbers(by_marshal or onlookers or alone)
    if instance == "review":
        return _numbers(by_marshal)
    return _numbers(_with_role(outside, "judge") or by_marshal or outside or alone)


def recommended(tournament: Tournament) -> list[int]:
    """The players recommended to be disqualified, who are not: by number.

    The organizer decides it (FFG-AUTH-DQ).
    """
    return sorted(
        player
        for player in tournament.floor.recommended
        if tournament.players[player].status not in {"disqualified", "withdrawn"}
    )


def is_bound_by(tournament: Tournament, rule: str) -> bool:
    """Whether the log is held to a rule of STRICTER; facts of a foreign file are not."""
    return not tournament.importing and binds(tournament.rules_number, rule)


def is_above(tournament: Tournament, official: int, other: int) -> bool:
    """Return whether an official's highest office is above the highest one of another official.

    The order is that of the game's leaders, followed by the scorekeeper, and by officials who have
    no role any more.
    """
    officials = tournament.officials
    return _rank(tournament, officials[official]) < _rank(tournament, officials[other])


def _rank(tournament: Tournament, official: Official) -> int:
    """Return the place of an official's highest office, from 0."""
    order = [*authority_of(tournament).leaders, "scorekeeper"]
    return min((order.index(role) for role in official.roles if role in order), default=len(order))


def lets_in(tournament: Tournament, link: Link) -> bool:
    """Return whether a link works now: it has not ended, and its holder still has their place.

    An official has to be in office: with a role, and not stood down. A player has to take part or
    have left; one who was removed or unregistered has no place any more. A link rests while its
    holder is out of office, and works again once they resume; a link that was revoked or replaced,
    or whose holder was forgotten, has ended permanently.
    """
    if link.until or link.of in tournament.forgotten:
        return False
    number = int(link.of[1:])
    if link.of.startswith("o"):
        official = tournament.officials[number]
        return bool(official.roles) and not official.stood_down
    return not link.of.startswith("p") or tournament.players[number].status in _HAVE_A_PLACE


def is_final(tournament: Tournament, official: int, match: Match | None) -> bool:
    """Whether a ruling of this official cannot be reviewed.

    A marshal's cannot, nor that of the one who rules in a marshal's place (FFG-ROLE-JUDGE); or the
    organizer's alone (AOP-AUTH).
    """
    if not authority_of(tournament).reviewer:
        return True
    reviewers = who_rules(tournament, match, "review")
    return not reviewers or official in reviewers


def in_a_marshals_place(tournament: Tournament, players: Collection[int]) -> frozenset[str]:
    """Whose a marshal's act is that judges these players: a marshal's who is not one of them.

    Else the organizer's; where both are among them, any other leader's (FFG-ROLE-MARSHAL,
    FFG-LEADER-RULING). Where the organizer alone declares it is theirs, at every table.
    """
    if authority_of(tournament).declares:
        return ORGANIZER
    here = active(tournament)
    outside = [each.roles for each in here if not each.player or each.player not in players]
    for allowed in (MARSHAL, ORGANIZER):
        if any(not allowed.isdisjoint(roles) for roles in outside):
            return allowed
    return LEADERS


def declares_alone(tournament: Tournament, official: Official) -> bool:
    """Whether nobody but this official declares results and penalties (AOP-DECLARE)."""
    return bool(authority_of(tournament).declares) and "organizer" in official.roles


def who_declares(tournament: Tournament, players: Collection[int]) -> list[int]:
    """The officials who may impose a result on a match of these players, or a penalty."""
    allowed = in_a_marshals_place(tournament, players)
    return [
        each.number
        for each in active(tournament)
        if declares_alone(tournament, each)
        or (not allowed.isdisjoint(each.roles) and not (each.player and each.player in players))
    ]


def _with_role(officials: list[Official], role: str) -> list[Official]:
    return [each for each in officials if role in each.roles]


def _numbers(officials: list[Official]) -> list[int]:
    return [each.number for each in officials]


def official_stood_down(tournament: Tournament, event: OfficialStoodDown, _: Recorded) -> None:
    tournament.officials[event.official].stood_down = True


def official_resumed(tournament: Tournament, event: OfficialResumed, _: Recorded) -> None:
    tournament.officials[event.official].stood_down = False


def ruling_made(tournament: Tournament, event: RulingMade, recorded: Recorded) -> None:
    match = tournament.matches[event.match] if event.match else None
    final = bool(event.reviews) or is_final(tournament, event.official, match)
    tournament.floor.rulings.append(Ruling(recorded.seq, event, final))
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is not None:
        reviewed.reviewed_by = recorded.seq
    if match is not None and decides_on(tournament, event):
        _decided(tournament, match, event, recorded)


def _decided(tournament: Tournament, match: Match, event: RulingMade, recorded: Recorded) -> None:
    """A result is ruled on: what is in question there, or what nobody has disputed."""
    dispute = latest_dispute(tournament, match.number)
    said = current_claim(tournament, match)
    if dispute is not None and not dispute.closed:
        dispute.ruling = recorded.seq
    elif said is not None:
        ruled = Claim(recorded.seq, 0, recorded.at, event.decides)
        opened = Dispute(match.number, said, ruled, event.ruling, ruling=recorded.seq, unasked=True)
        tournament.floor.disputes.append(opened)


def disqualification_recommended(
    tournament: Tournament, event: DisqualificationRecommended, recorded: Recorded
) -> None:
    tournament.floor.recommended[event.player] = recorded.seq


def undo_disqualification_recommended(
    tournament: Tournament, event: DisqualificationRecommended, _: Recorded
) -> None:
    """The one before it, if there is one, counts again."""
    floor = tournament.floor
    others = [
        each.seq
        for each in floor.acts.values()
        if isinstance(each.event, DisqualificationRecommended) and each.event.player == event.player
    ]
    floor.recommended.pop(event.player, None)
    if others:
        floor.recommended[event.player] = max(others)


def judge_called(tournament: Tournament, event: JudgeCalled, recorded: Recorded) -> None:
    tournament.floor.judge_calls.append(JudgeCall(recorded.seq, recorded.at, event))


def undo_judge_called(tournament: Tournament, _: JudgeCalled, recorded: Recorded) -> None:
    kept = [each for each in tournament.floor.judge_calls if each.seq != recorded.seq]
    tournament.floor.judge_calls = kept


def call_answered(tournament: Tournament, event: CallAnswered, recorded: Recorded) -> None:
    if call := tournament.floor.judge_call(event.call):
        call.answered = recorded.seq


def undo_call_answered(tournament: Tournament, event: CallAnswered, _: Recorded) -> None:
    if call := tournament.floor.judge_call(event.call):
        call.answered = 0


def who_answered(tournament: Tournament, call: JudgeCall) -> int:
    """Return the official who answered a call for a judge; 0 while it waits."""
    recorded = tournament.floor.acts.get(call.answered)
    answer = recorded.event if recorded else None
    return answer.official if isinstance(answer, CallAnswered) else 0


conduct_noted, undo_conduct_noted = listed("conduct")
penalty_given, undo_penalty_given = listed("penalties")
note_taken, undo_note_taken = listed("notes")

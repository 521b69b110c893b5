"""Who may record which event: roles, players at the match, and the clause a refusal cites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.facts import (
    clock,
    components,
    disputes,
    elimination,
    involvement,
    lists,
    office,
    people,
    results,
    rounds,
    setups,
)
from ledger.facts import office as office_events
from ledger.facts.base import LEADERS, MARSHAL, ORGANIZER, Waiver
from ledger.facts.clock import PaceModerated
from ledger.facts.components import ComponentsInspected, ComponentsShared
from ledger.facts.elimination import CutMade
from ledger.facts.keys import LinkIssued, LinkRevoked
from ledger.facts.lists import ListSubmitted
from ledger.facts.office import OfficialResumed, OfficialStoodDown, PenaltyGiven
from ledger.facts.opening import OfficialAppointed, TournamentFinished
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import CheckedIn, RoundClosed, RoundPaired, SeatsSwapped
from ledger.facts.setups import is_review, missing_parts
from ledger.facts.shared import (
    JudgeCalled,
    ListChecked,
    RegistrationAsked,
    Result,
    ScenarioDrawn,
    StructureAnnounced,
)
from ledger.facts.undo import ActWithdrawn
from ledger.lines.recorded import Recorded
from ledger.problems import (
    Act,
    Official,
    Phrase,
    Player,
    Problem,
    Problems,
    marked,
    phrase,
    problem,
)
from ledger.rules.references import no_official, no_player, not_active, stood_down
from ledger.tournament import state
from ledger.tournament.disputes import OPEN_DISPUTE, dispute_of, word_of
from ledger.tournament.progress import bye_clause, check_in_now
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import link_in

if TYPE_CHECKING:
    from ledger.facts.base import Event

_CITED_BY_THE_RULESET: Mapping[type[Event], str] = MappingProxyType(
    {
        clock.ExtraTimeAnnounced: "SWL-CLOCK",
        clock.TableExtended: "FFG-CLOCK",
        clock.TimeCalled: "FFG-CLOCK",
        clock.PaceModerated: "AOP-MODERATE",
        components.ComponentDecided: "FFG-COMPONENT",
        components.ComponentsInspected: "FFG-COMPONENT",
        components.ComponentsShared: "FFG-SHARE",
        components.ProxyMade: "FFG-PROXY",
        elimination.CutMade: "FFG-CUT",
        elimination.CutWithdrawn: "FFG-CUT",
        elimination.PlaceForfeited: "FFG-CUT-REPLACE",
        elimination.QualifierReplaced: "FFG-CUT-REPLACE",
        elimination.ReplacementDeclined: "FFG-CUT-ACCEPT",
        ListChecked: "FFG-LIST",
        lists.ListCorrected: "FFG-LIST",
        office_events.ConductNoted: "FFG-AUTH-CONDUCT",
        office_events.DisqualificationRecommended: "FFG-AUTH-DQ",
        office_events.PenaltyGiven: "FFG-AUTH-CONDUCT",
        StructureAnnounced: "FFG-ANNOUNCE",
        people.PlayerDisqualified: "FFG-AUTH-DQ",
        people.DisqualificationWithdrawn: "FFG-AUTH-DQ",
        people.PlayerDropped: "FFG-DROP",
        people.PlayerRejoined: "FFG-REJOIN",
        rounds.RoundStarted: "FFG-ROUND-START",
        setups.FirstFiveReviewed: "AOP-FIRSTFIVE-REVIEWER",
        setups.TerrainAnnounced: "SWL-FIXED-TERRAIN",
        setups.VerificationOrdered: "RW-VERIFY",
        ScenarioDrawn: "RW-SCENARIO",
        setups.DraftGroupsDrawn: "AOP-DRAFT",
    }
)

_NEEDS: Mapping[type[Event], str] = MappingProxyType(
    {
        clock.ExtraTimeAnnounced: "extra time",
        clock.PaceModerated: "pace",
        components.ComponentsShared: "sharing",
        setups.FirstFiveReviewed: "first five",
        setups.TerrainAnnounced: "terrain",
        setups.VerificationOrdered: "verification",
        ScenarioDrawn: "scenario or outline",
        setups.DraftGroupsDrawn: "draft",
    }
)
"""Part of a game that an act needs, as `missing_parts` names it."""


def clause_of(tournament: Tournament, event: Event) -> str:
    """Return the clause of an act, or else the clause of the office that may enter it.

    The first event of a log has no game yet, and needs none here.
    """
    match event:
        case rounds.SeatsSwapped(round=number, waiver=waiver):
            rules = tournament.ruleset
            swiss = "FFG-SWISS-FIRST" if number == 1 else "FFG-SWISS-LATER"
            return rules.rematch.clause if waiver else rules.floor.authority.adjusts or swiss
        case rounds.RoundPaired(games=games, by_hand=by_hand, waiver=waiver) if by_hand or waiver:
            is_bye = by_hand and all(0 in game for game in games[:by_hand])
            return bye_clause(event.round) if is_bye else tournament.ruleset.rematch.clause
        case (
            results.ResultReported(result=Result(manner="declared"))
            | results.ResultCorrected(result=Result(manner="declared"))
            | people.PlayerDropped(reason="conduct")
            | clock.PaceModerated(remedy="forfeit")
        ):
            return "FFG-AUTH-CONDUCT"
        case _:
            return _CITED_BY_THE_RULESET.get(type(event)) or _of_office(type(event).recording.by)


def _missing_part(tournament: Tournament, kind: type[Event]) -> Problem | None:
    """Return that the game has no procedure for an act; None if it has one."""
    part = _NEEDS.get(kind)
    return missing_parts(tournament).get(part) if part else None


def _of_office(roles: frozenset[str]) -> str:
    if roles == MARSHAL:
        return "FFG-ROLE-MARSHAL"
    return "FFG-ROLE-JUDGE" if roles >= LEADERS else "FFG-ROLE-ORGANIZER"


def roles_for(tournament: Tournament, event: Event) -> frozenset[str]:
    """Return the roles that may enter an event as it is: those of its type, or fewer."""
    kind = type(event)
    fewer = _FEWER.get(kind)
    allowed = fewer(tournament, event) if fewer else None
    allowed = allowed or kind.recording.by
    if allowed != MARSHAL:
        return allowed
    return office.in_a_marshals_place(tournament, involvement.judged(tournament, event))


def _of_a_link(_: Tournament, event: LinkIssued) -> frozenset[str] | None:
    """Who opens an official's link acts as that official."""
    return ORGANIZER if str(event.of).startswith("o") else None


def _of_a_drop(_: Tournament, event: PlayerDropped) -> frozenset[str] | None:
    """One act says of a no-show that it is the match's result as well."""
    by_reason = {"conduct": ORGANIZER, "no-show": ResultReported.recording.by}
    return by_reason.get(event.reason)


def _of_sharing(tournament: Tournament, event: ComponentsShared) -> frozenset[str] | None:
    """An order, or another answer, is a marshal's; a player's wish is any leader's."""
    return MARSHAL if not event.player or is_review(tournament, event) else None


def _of_pace(_: Tournament, event: PaceModerated) -> frozenset[str] | None:
    return MARSHAL if event.remedy in {"discard", "forfeit", "other"} else None


def _of_inspection(_: Tournament, event: ComponentsInspected) -> frozenset[str] | None:
    return MARSHAL if event.verdict in {"replace", "remove"} else None


def _of_a_penalty(tournament: Tournament, event: PenaltyGiven) -> frozenset[str] | None:
    if not office.is_bound_by(tournament, "declared"):
        return None
    return ORGANIZER if event.kind == "removal" else MARSHAL


def _of_a_result(
    tournament: Tournament, event: ResultReported | ResultCorrected
) -> frozenset[str] | None:
    if not is_declared(tournament, event):
        return None
    return ORGANIZER if involvement.is_of_a_removal(tournament, event) else MARSHAL


def _of_a_pairing(tournament: Tournament, event: RoundPaired) -> frozenset[str] | None:
    return _over_a_dispute(tournament, event) or _of_tables(tournament, event)


def _of_tables(tournament: Tournament, event: RoundPaired | SeatsSwapped) -> frozenset[str] | None:
    return ORGANIZER if _is_override(tournament, event) else None


def _over_a_dispute(_: Tournament, event: Event) -> frozenset[str] | None:
    """Leave to go on over a dispute is the organizer's to give."""
    waiver: Waiver | None = getattr(event, "waiver", None)
    return ORGANIZER if waiver and OPEN_DISPUTE in waiver.clauses else None


_FEWER: Mapping[type[Event], Callable[[Tournament, Any], frozenset[str] | None]] = MappingProxyType(
    {
        LinkIssued: _of_a_link,
        PlayerDropped: _of_a_drop,
        ComponentsShared: _of_sharing,
        PaceModerated: _of_pace,
        ComponentsInspected: _of_inspection,
        PenaltyGiven: _of_a_penalty,
        ResultReported: _of_a_result,
        ResultCorrected: _of_a_result,
        RoundPaired: _of_a_pairing,
        SeatsSwapped: _of_tables,
        RoundClosed: _over_a_dispute,
        CutMade: _over_a_dispute,
        TournamentFinished: _over_a_dispute,
    }
)
"""What says by which office alone an event of a type is entered, for what it says."""


def is_declared(tournament: Tournament, event: ResultReported | ResultCorrected) -> bool:
    """Whether a result is imposed, and no ruling says so."""
    match event:
        case ResultReported(result=Result(manner="declared")):
            return office.is_bound_by(tournament, "declared")
        case ResultCorrected(result=Result(manner="declared"), match=number, ruling=0):
            known = tournament.matches[number : number + 1]
            was = next((each.result for each in known if each.result), None)
            is_new = not (was and was.manner == "declared")
            return is_new and office.is_bound_by(tournament, "declared")
        case _:
            return False


def _is_override(tournament: Tournament, event: RoundPaired | SeatsSwapped) -> bool:
    """Whether the event sets tables by hand, or lifts a ban, which may be the organizer's alone."""
    if tournament.importing:
        return False
    by_hand = isinstance(event, SeatsSwapped) or event.by_hand > 0
    if by_hand and office.authority_of(tournament).adjusts:
        return True
    rules = tournament.ruleset
    bans = {rules.rematch.clause, "FFG-BYE-LATER", rules.cites("FFG-BYE-LATER")}
    lifted = event.waiver.clauses if event.waiver else ()
    return not bans.isdisjoint(lifted) and office.is_bound_by(tournament, "override")


def _not_their_words(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why these words are not the named player's: a side of a match speaks for itself."""
    event, by_player = recorded.event, "p" in recorded.by
    match event:
        case ResultReported(match=number):
            if not by_player:
                return None
            claimed = None
        case disputes.AppealMade(ruling=seq, player=claimed):
            ruling = tournament.floor.ruling(seq)
            number = ruling.made.match if ruling else 0
        case disputes.ResultConfirmed() | disputes.ResultDisputed():
            number, claimed = event.match, event.player
        case _:
            return None
    word = word_of(tournament, recorded.by)
    table = tournament.matches[number] if 0 < number < len(tournament.matches) else None
    sits = table is None or word in table.players
    if by_player and not sits:
        return not_at_match(word)
    if claimed is None or claimed == (word if sits else 0):
        return None
    text = marked("{act} must be entered by or for {player}, not by {by}")
    act, player = Act(recorded.type), Player(claimed) if claimed else phrase("the desk")
    return problem("authority.their_words", text, act=act, player=player, by=recorded.by)


def not_at_match(player: int) -> Problem:
    """Say that a player speaks of a match that others play."""
    text = marked(
        "{player} does not play this match: players can report or dispute only their own results"
    )
    return problem("authority.not_at_match", text, player=Player(player))


def _withdraws_for_other(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why these words are not theirs to take back: a side's are its own, or the desk's."""
    word = word_of(tournament, recorded.by)
    said = _taken_back(tournament, recorded.event)
    if not word or said is None or said.player == word:
        return None
    table = tournament.matches[said.match] if said.match < len(tournament.matches) else None
    if "p" not in recorded.by and (table is None or word not in table.players):
        return None
    text = marked("{player} can withdraw only their own {what}")
    return problem("authority.others_words", text, player=Player(word), what=said.what)


class _Said(NamedTuple):
    """What is taken back: a player's words (0: the desk's) about a match."""

    what: Phrase
    match: int
    player: int


def _taken_back(tournament: Tournament, event: Event) -> _Said | None:
    match event:
        case disputes.DisputeWithdrawn(match=number):
            dispute = dispute_of(tournament, number)
            return _Said(phrase("dispute"), number, dispute.against.player) if dispute else None
        case disputes.AppealWithdrawn(ruling=seq, player=player):
            ruling = tournament.floor.ruling(seq)
            return _Said(phrase("appeal"), ruling.made.match if ruling else 0, player)
        case disputes.ConfirmationWithdrawn(match=number, withdraws=seq):
            confirmed = tournament.floor.confirmed.get(number, ())
            said = next((each for each in confirmed if each.seq == seq), None)
            return _Said(phrase("confirmation"), number, said.player) if said else None
        case _:
            return None


SPOKEN: Mapping[type[Event], Callable[[Tournament, Recorded], Problem | None]] = MappingProxyType(
    {
        ResultReported: _not_their_words,
        disputes.ResultConfirmed: _not_their_words,
        disputes.ResultDisputed: _not_their_words,
        disputes.AppealMade: _not_their_words,
        disputes.DisputeWithdrawn: _withdraws_for_other,
        disputes.AppealWithdrawn: _withdraws_for_other,
        disputes.ConfirmationWithdrawn: _withdraws_for_other,
    }
)
"""What says why words about a match are not this person's to say, or to take back."""


FOUNDING: Final = 3
"""The first events make the organizer: before them nobody has a role."""


def not_allowed(tournament: Tournament, recorded: Recorded) -> list[Problem]:
    """List why somebody may not enter the event."""
    if recorded.seq <= FOUNDING and recorded.by == "o1":
        return []
    over = list(_not_over_link(tournament, recorded)) if tournament.floor.links else []
    wrong = _not_by(tournament, recorded)
    return over if wrong is None else [*over, wrong]


def _not_by(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why the event is not this person's to enter, at whatever desk."""
    desk, _, player = recorded.by.partition("/")
    number, kind = int(desk[1:]), type(recorded.event)
    if player and int(player[1:]) >= len(tournament.players):
        return no_player(int(player[1:]))
    if desk[0] == "o" and number >= len(tournament.officials):
        return no_official(number)
    if (spoken := SPOKEN.get(kind)) and (wrong := spoken(tournament, recorded)):
        return wrong
    if desk[0] == "p":
        return next(_not_for_player(tournament, recorded, number), None)
    return _not_for_official(tournament, recorded, tournament.officials[number])


def _not_over_link(tournament: Tournament, recorded: Recorded) -> Problems:
    """Yield why an act whose id names a link was not made over it.

    A player's may come as a code that an official scans: `o1/p7`, with the id of the player's link.
    """
    number = link_in(recorded.id)
    if not number or "." in recorded.id:
        return
    link = tournament.floor.links.get(number)
    if link is None:
        text = marked("the id {id} names link {link}, which was never issued: use another id")
        yield problem("link.unknown_in_id", text, link=number, id=recorded.id)
    elif link.until:
        text = marked("link {link} ended with event {event} and can no longer be used")
        yield problem("link.ended_in_id", text, link=number, event=link.until)
    elif office.is_bound_by(tournament, "links") and not office.lets_in(tournament, link):
        text = marked(
            "{of} is not taking part in this tournament now, so link {link} cannot be used"
        )
        yield problem("link.rests", text, link=number, of=link.of)
    elif link.of.startswith("e"):
        if not isinstance(recorded.event, RegistrationAsked):
            text = marked("link {link} can be used only to ask for registration")
            yield problem("link.to_register", text, link=number)
    elif link.of not in recorded.by.split("/"):
        text = marked("link {link} belongs to {of}, not to {by}")
        yield problem("link.others", text, link=number, of=link.of, by=recorded.by)


def _not_for_official(
    tournament: Tournament, recorded: Recorded, official: state.Official
) -> Problem | None:
    event = _withdrawn_or_said(tournament, recorded.event)
    if isinstance(event, OfficialAppointed) and _hands_over(tournament, event, official.number):
        return None
    if isinstance(event, LinkIssued) and event.of == recorded.by:
        return None
    allowed = roles_for(tournament, event)
    if official.stood_down and event != OfficialResumed(official.number):
        return stood_down(official.number)
    if too_near := involvement.too_near(tournament, official, recorded, event):
        return too_near
    if allowed.isdisjoint(official.roles):
        return _takes_another(tournament, recorded, event, official, allowed)
    return _not_their_own(tournament, recorded, event, official)


def _not_their_own(
    tournament: Tournament, recorded: Recorded, event: Event, official: state.Official
) -> Problem | None:
    """Return why another official has to enter it: it is about their ruling, office or link."""
    act = Act(recorded.type)
    match event:
        case LinkRevoked(link=number):
            return _not_their_link(tournament, number, official)
        case disputes.RulingWithdrawn(official=number) if number != official.number:
            text = marked("{official} made this ruling, so {act} is reserved for them")
            made, clause = Official(number), "FFG-RULING"
            return problem("authority.own_ruling", text, clause=clause, official=made, act=act)
        case OfficialStoodDown(official=number) | OfficialResumed(official=number):
            if number == official.number or "organizer" in official.roles:
                return None
            text = marked("{act} is reserved for the official concerned and the organizer")
            return problem("authority.own_office", text, clause="FFG-ROLE-STATUS", act=act)
        case _:
            return None


def _not_their_link(
    tournament: Tournament, number: int, official: state.Official
) -> Problem | None:
    """Return why an official may not revoke another official's link."""
    link = tournament.floor.links.get(number)
    if link is None or not link.of.startswith("o") or not office.is_bound_by(tournament, "links"):
        return None
    holder = int(link.of[1:])
    if holder == official.number or office.is_above(tournament, official.number, holder):
        return None
    text = marked(
        "link {link} can be revoked only by {holder}, its holder, or by a higher official"
    )
    who = Official(holder)
    return problem("authority.link", text, clause="FFG-ROLE-STATUS", link=number, holder=who)


def _hands_over(tournament: Tournament, event: OfficialAppointed, by: int) -> bool:
    """Whether who laid the office down names the next, or who resumes it takes it back."""
    handover = tournament.floor.handover
    if handover:
        return handover.by == by and handover.to == event.official
    return event.hands_to == by == tournament.floor.deputies.get(event.official)


def _takes_another(
    tournament: Tournament,
    recorded: Recorded,
    event: Event,
    official: state.Official,
    allowed: frozenset[str],
) -> Problem:
    """Say whose act it is, of the offices that the game has, and by which clause."""
    clause = clause_of(tournament, event)
    is_foreign = tournament.ruleset.without_foreign(clause) != clause
    if is_foreign and (no_such := _missing_part(tournament, type(event))):
        return no_such
    here = {*office.authority_of(tournament).leaders, "scorekeeper"}
    what: Act | Phrase = Act(recorded.type)
    if isinstance(event, ResultReported | ResultCorrected) and is_declared(tournament, event):
        what = phrase("imposing a result")
    return problem(
        "authority.role",
        "{act} is reserved for the {roles} ({official} is {has})",
        clause=clause,
        act=what,
        roles=_one_of(sorted(allowed & here)),
        official=Official(official.number),
        has=_all_of(official.roles) or phrase("without a role"),
    )


def _withdrawn_or_said(tournament: Tournament, event: Event) -> Event:
    """What an event is about: who may enter a thing may withdraw it."""
    if isinstance(event, ActWithdrawn) and event.withdraws in tournament.floor.acts:
        return tournament.floor.acts[event.withdraws].event
    return event


def _not_own_result(tournament: Tournament, event: ResultReported, player: int) -> Problems:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    if match is None or player not in match.players:
        yield not_at_match(player)
        return
    side = match.players.index(player) if len(match.players) > 1 else 0
    loses = tournament.letters.get(event.result.outcomes[side]) == "L"
    manner = event.result.manner
    both_lose = {tournament.letters.get(each) for each in event.result.outcomes} == {"L"}
    leaves_early = tournament.ruleset.leaving == manner == "no-show" and loses and not both_lose
    if leaves_early:
        return
    if manner in {"concession", "departure"} and not loses:
        text = marked("{player} cannot concede for another player")
        yield problem("authority.concession", text, clause="FFG-CONCEDE", player=Player(player))
    elif manner not in {"played", "time", "concession", "departure"}:
        text = marked("only an official can enter a {manner} result")
        clause = "FFG-AUTH-CONDUCT" if manner == "declared" else "FFG-DROP"
        yield problem("authority.manner", text, clause=clause, manner=phrase(manner))


def _not_own_drop(tournament: Tournament, event: PlayerDropped, player: int) -> Problems:
    if event.player != player:
        text = marked("{player} cannot drop another player")
        yield problem("authority.drop", text, clause="FFG-DROP", player=Player(player))
    elif event.reason not in {"request", "unable"}:
        text = marked("only an official can enter a drop for {reason}")
        clause = clause_of(tournament, event)
        yield problem("authority.drop_reason", text, clause=clause, reason=phrase(event.reason))


def _not_own_check_in(tournament: Tournament, event: CheckedIn, player: int) -> Problems:
    check_in = check_in_now(tournament)
    if event.player != player:
        text = marked("{player} can check in only themselves")
        yield problem("authority.check_in", text, player=Player(player))
    elif check_in and check_in.closed:
        yield problem("check_in.closed", "the check-in is closed: report to the desk")


def _not_own_words(
    tournament: Tournament, event: JudgeCalled | ListSubmitted, player: int
) -> Problems:
    if event.player != player:
        is_list = isinstance(event, ListSubmitted)
        clause = tournament.ruleset.floor.lists.clause if is_list else "FFG-RULING"
        text = marked("{act}: a player can do this only for themselves")
        yield problem("authority.own", text, clause=clause, act=Act(type(event).__name__))


_OWN: Mapping[type[Event], Callable[[Tournament, Any, int], Problems]] = MappingProxyType(
    {
        ResultReported: _not_own_result,
        PlayerDropped: _not_own_drop,
        CheckedIn: _not_own_check_in,
        JudgeCalled: _not_own_words,
        ListSubmitted: _not_own_words,
    }
)
"""What says why an event that players may enter is not this one's to enter."""


def _one_of(roles: Sequence[str]) -> Phrase:
    """Return roles as a choice, behind "the"."""
    said, *others = map(phrase, roles)
    for each in others:
        said = phrase("{role} or the {other}", role=said, other=each)
    return said


def _all_of(roles: Sequence[str]) -> Phrase | None:
    return Phrase("{roles}", {"roles": tuple(map(phrase, roles))}) if roles else None


def _not_for_player(tournament: Tournament, recorded: Recorded, player: int) -> Problems:
    kind = type(recorded.event)
    if not kind.recording.by_players:
        text = marked("{act} is reserved for officials; {by} is a player")
        clause, act = clause_of(tournament, recorded.event), Act(recorded.type)
        yield problem("authority.official", text, clause=clause, act=act, by=f"p{player}")
    elif not 0 < player < len(tournament.players):
        yield no_player(player)
    elif tournament.players[player].status != "active":
        yield not_active(player)
    elif kind in _OWN:
        yield from _OWN[kind](tournament, recorded.event, player)

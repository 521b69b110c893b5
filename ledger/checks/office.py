"""Whether a leader may play and who may rule; what a ruling or a penalty needs."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.checks.authority.rulings import ruling_made as made
from ledger.checks.references import (
    is_here,
    needs_reason,
    no_official,
    no_player,
    of_official,
    stood_down,
    table_of,
)
from ledger.events import office as events
from ledger.events.opening import OfficialAppointed
from ledger.events.people import PlayerRegistered
from ledger.problems import Official, Player, Problems, problem, remedy
from ledger.tournament import office
from ledger.tournament.progress import find_match, no_match
from ledger.tournament.state import Official as Holder
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import JudgeCall


def leader_may_play(tournament: Tournament, official: int, roles: Iterable[str]) -> Problems:
    """Yield what keeps somebody with these roles from playing (FFG-LEADER-TIER)."""
    if tournament.importing or not office.leads(tournament, set(roles)):
        return
    if office.authority_of(tournament).playing == "announced":
        if tournament.started:
            rules = office.authority_of(tournament)
            text, clause = "a leader who plays is announced before the start", rules.clause
            clause = rules.playing_clause or clause
            yield problem("leader.announced_late", text, clause=clause)
        return
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    if tier != "relaxed":
        text = "a leader does not play in the {tier} tier"
        yield problem("leader.tier", text, clause="FFG-LEADER-TIER", tier=tier.capitalize())
    elif not _has_second_leader(tournament, official):
        text = "a leader plays only where another leader is present, announced at the beginning"
        yield problem("leader.alone", text, clause="FFG-LEADER-TIER")


def _has_second_leader(tournament: Tournament, official: int) -> bool:
    return any(
        each.number != official
        and office.leads(tournament, each.roles)
        and (each.announced or not tournament.started)
        for each in office.active(tournament)
    )


def registered(tournament: Tournament, event: PlayerRegistered) -> Problems:
    """Yield what is against an official's own registration as a player."""
    if not event.official:
        return
    if event.official >= len(tournament.officials):
        yield no_official(event.official)
        return
    official = tournament.officials[event.official]
    if office.player_of(tournament, event.official):
        text, player = "{official} is {player} already", Player(official.player)
        yield problem("official.is_player", text, official=Official(event.official), player=player)
    yield from leader_may_play(tournament, event.official, official.roles)


def rejoined(tournament: Tournament, player: int) -> Problems:
    """Yield what is against a leader's return as a player."""
    for official in tournament.officials[1:]:
        if official.player == player:
            yield from leader_may_play(tournament, official.number, official.roles)


def appointed(tournament: Tournament, event: OfficialAppointed) -> Problems:
    """Yield what is against these roles, and against this player's holding them."""
    known = office.authority_of(tournament).leaders
    for role in event.roles:
        if role not in known and role != "scorekeeper" and not tournament.importing:
            yield problem(
                "official.role_unknown",
                "{game} has no {role}: its leaders are {leaders}",
                clause=office.authority_of(tournament).clause,
                game=tournament.ruleset.key,
                role=role,
                leaders=tuple(known),
            )
    if event.player and not 0 < event.player < len(tournament.players):
        yield no_player(event.player)
        return
    if event.official >= len(tournament.officials):
        plays = event.player
    else:
        current, handover = tournament.officials[event.official], tournament.floor.handover
        plays = event.player or office.player_of(tournament, event.official)
        if current.stood_down and "organizer" in event.roles and not (handover and handover.back):
            yield stood_down(event.official)
        if current.announced and not event.player and office.is_announced(tournament):
            plays = 0  # they were announced as a leader who plays
    if event.player and tournament.players[event.player].status == "withdrawn":
        text = "{player} is not registered"
        yield problem("official.not_registered", text, player=Player(event.player))
    if event.player and any(
        each.player == event.player and each.number != event.official
        for each in tournament.officials
    ):
        text = "{player} is another official"
        yield problem("official.plays_already", text, player=Player(event.player))
    if plays:
        yield from leader_may_play(tournament, event.official, event.roles)


def hands_over(tournament: Tournament, event: OfficialAppointed) -> Problems:
    """Yield why the office of organizer is not handed over so: one lays it down, one takes it."""
    clause, known = "FFG-ROLE-ORGANIZER", tournament.officials
    current = known[event.official] if event.official < len(known) else None
    if not current or "organizer" not in current.roles or tournament.floor.handover:
        text = "{official} is not the organizer, and hands no office over"
        who = Official(event.official)
        yield problem("handover.not_theirs", text, clause=clause, official=who)
    elif {*event.roles} != {*current.roles} - {"organizer"}:
        text = "who hands the office over keeps what else they are"
        yield problem("handover.roles", text, clause=clause)
    if event.hands_to >= len(known):
        yield no_official(event.hands_to)
    elif event.hands_to == event.official:
        text = "{official} is the organizer already"
        yield problem("handover.same", text, clause=clause, official=Official(event.hands_to))
    elif known[event.hands_to].stood_down and not _takes_back(tournament, event):
        yield stood_down(event.hands_to)


def _takes_back(tournament: Tournament, event: OfficialAppointed) -> bool:
    return tournament.floor.deputies.get(event.official) == event.hands_to


def everyone_may_play(tournament: Tournament) -> Problems:
    """Yield what keeps the leaders who are registered from playing, when play begins."""
    for official in office.playing_leaders(tournament):
        yield from leader_may_play(tournament, official.number, official.roles)


def every_match_has_a_ruling(tournament: Tournament, games: Iterable[tuple[int, ...]]) -> Problems:
    """Yield the games of leaders that nobody could rule on (FFG-LEADER-RULING)."""
    if tournament.importing:
        return
    leaders = {official.player for official in office.playing_leaders(tournament)}
    for game in games:
        seated = [player for player in game if player]
        if len(seated) < 2 or leaders.isdisjoint(seated):  # noqa: PLR2004 - a bye needs no ruling
            continue
        if not office.who_rules_for(tournament, seated):
            one, other = seated
            text = "no other leader could rule on {one} and {other}: appoint one who does not play"
            clause = "FFG-LEADER-RULING"
            yield problem(
                "leader.no_ruling", text, clause=clause, one=Player(one), other=Player(other)
            )


@of_official
def official_stood_down(
    _: Tournament, event: events.OfficialStoodDown, official: Holder
) -> Problems:
    if official.stood_down:
        text = "{official} is a spectator already"
        who = Official(event.official)
        yield problem("official.stood_down_already", text, clause="FFG-ROLE-STATUS", official=who)
    if "organizer" in official.roles:
        text = "the organizer does not stand down, but hands the office over, for good or for now"
        way, clause = remedy("official.hand_over"), "FFG-ROLE-ORGANIZER"
        yield problem("official.organizer_stays", text, clause=clause, remedy=way)


@of_official
def official_resumed(
    tournament: Tournament, event: events.OfficialResumed, official: Holder
) -> Problems:
    if not official.stood_down:
        text, who = "{official} is in office: they have not stood down", Official(event.official)
        yield problem("official.in_office", text, clause="FFG-ROLE-STATUS", official=who)
    elif event.official in tournament.floor.deputies.values():
        text = "{official} resumes the office of organizer, which another holds for now"
        who, clause = Official(event.official), "FFG-ROLE-ORGANIZER"
        yield problem("official.resumes_office", text, clause=clause, official=who)


def conduct_noted(tournament: Tournament, event: events.ConductNoted) -> Problems:
    yield from is_here(tournament, event.player)
    if event.match and find_match(tournament, event.match) is None:
        yield no_match(event.match)
    if not event.remedy.strip():
        text = "say what follows from the unsporting conduct"
        yield problem("conduct.remedy_missing", text, clause="FFG-AUTH-CONDUCT")


def disqualification_recommended(
    tournament: Tournament, event: events.DisqualificationRecommended
) -> Problems:
    yield from is_here(tournament, event.player)
    yield from needs_reason(event, "FFG-AUTH-DQ")


def penalty_given(tournament: Tournament, event: events.PenaltyGiven) -> Problems:
    yield from is_here(tournament, event.player)
    match = find_match(tournament, event.match)
    if event.match and (match is None or event.player not in match.players):
        text = "{player} does not sit at match {match}"
        yield problem("player.not_at_match", text, player=Player(event.player), match=event.match)
    if not event.infraction.strip():
        text, clause = "a penalty has to say what it is for", "FFG-AUTH-CONDUCT"
        yield problem("penalty.empty", text, clause=clause)
    if event.kind in events.DECLARES and office.is_bound_by(tournament, "declared"):
        yield from declares_problems(tournament, event.kind)


def declares_problems(tournament: Tournament, kind: events.PenaltyKind) -> Problems:
    """Yield that the game in play has no win or draw that is declared."""
    rules = tournament.ruleset
    letter = events.DECLARES[kind]
    has_one = letter in rules.records.values() and rules.floor.authority.declares
    if not has_one:
        endings = rules.derives.endings if rules.derives else ()
        clause = endings[0].clause if endings else rules.scoring.clause
        text = "{game} has no {kind}"
        yield problem("penalty.not_here", text, clause=clause, game=rules.key, kind=kind)


def note_taken(tournament: Tournament, event: events.NoteTaken) -> Problems:
    if event.player:
        yield from is_here(tournament, event.player)
    match = find_match(tournament, event.match)
    if event.match and match is None:
        yield no_match(event.match)
    elif match is not None and event.player:
        yield problem("note.match_or_player", "a note is on a match or on a player, not on both")
    if not event.text.strip():
        yield problem("note.empty", "a note has to say something")


ruling_made = made


def judge_called(tournament: Tournament, event: events.JudgeCalled) -> Problems:
    match = find_match(tournament, event.match)
    if event.match and not match:
        yield no_match(event.match)
    elif not event.match and not event.player:
        yield problem("call.nobody", "a call for a judge names a table or a player")
    elif event.player and (event.player >= len(tournament.players)):
        yield no_player(event.player)
    elif match and event.player and event.player not in match.players:
        text, player = "{player} does not sit at {table}", Player(event.player)
        yield problem("player.elsewhere", text, player=player, table=table_of(match))
    elif waiting := open_call(tournament, event):
        text = "a judge was called already (event {event})"
        yield problem("call.waits", text, event=waiting.seq)


def open_call(tournament: Tournament, event: events.JudgeCalled) -> JudgeCall | None:
    """Return the same call, as long as nobody has answered it."""
    return next(
        (
            each
            for each in tournament.floor.judge_calls
            if not each.answered
            and (each.made.match, each.made.player) == (event.match, event.player)
        ),
        None,
    )


def call_answered(tournament: Tournament, event: events.CallAnswered) -> Problems:
    call = tournament.floor.judge_call(event.call)
    if not call:
        yield problem("call.none", "event {event} is no call for a judge", event=event.call)
    elif call.answered:
        text = "event {event} has answered this call already"
        yield problem("call.answered", text, event=call.answered)
    if event.official >= len(tournament.officials):
        yield no_official(event.official)

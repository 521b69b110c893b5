"""Leaders who play: who may, who rules on their matches, and who holds the office of organizer."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.facts import office
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerRegistered
from ledger.problems import Official, Player, Problems, marked, phrase, problem
from ledger.rules.references import no_official, no_player, stood_down
from ledger.tournament.state import Tournament


def leader_may_play(tournament: Tournament, official: int, roles: Iterable[str]) -> Problems:
    """Yield what keeps somebody with these roles from playing (FFG-LEADER-TIER)."""
    if tournament.importing or not office.leads(tournament, set(roles)):
        return
    if office.authority_of(tournament).playing == "announced":
        if tournament.started:
            rules = office.authority_of(tournament)
            text = marked("a leader who plays must be announced before the start")
            clause = rules.clause
            clause = rules.playing_clause or clause
            yield problem("leader.announced_late", text, clause=clause)
        return
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    if tier != "relaxed":
        text = marked("a leader cannot play in the {tier} tier, only in the Relaxed tier")
        yield problem("leader.tier", text, clause="FFG-LEADER-TIER", tier=phrase(tier.capitalize()))
    elif not _has_second_leader(tournament, official):
        text = marked(
            "a leader can play only if another leader is present and was announced at the beginning"
        )
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
        text = marked("{official} is already registered as {player}")
        player = Player(official.player)
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
                role=phrase(role),
                leaders=tuple(map(phrase, known)),
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
        text = marked("{player} is not registered")
        yield problem("official.not_registered", text, player=Player(event.player))
    if event.player and any(
        each.player == event.player and each.number != event.official
        for each in tournament.officials
    ):
        text = marked("{player} is already recorded as another official")
        yield problem("official.plays_already", text, player=Player(event.player))
    if plays:
        yield from leader_may_play(tournament, event.official, event.roles)


def hands_over(tournament: Tournament, event: OfficialAppointed) -> Problems:
    """Yield why the office of organizer is not handed over so: one lays it down, one takes it."""
    clause, known = "FFG-ROLE-ORGANIZER", tournament.officials
    current = known[event.official] if event.official < len(known) else None
    if not current or "organizer" not in current.roles or tournament.floor.handover:
        text = marked("{official} is not the organizer and cannot hand over that office")
        who = Official(event.official)
        yield problem("handover.not_theirs", text, clause=clause, official=who)
    elif {*event.roles} != {*current.roles} - {"organizer"}:
        text = marked("an organizer who hands over the office must keep all other roles")
        yield problem("handover.roles", text, clause=clause)
    if event.hands_to >= len(known):
        yield no_official(event.hands_to)
    elif event.hands_to == event.official:
        text = marked("{official} is already the organizer")
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
            text = marked(
                "no leader could rule on the match of {one} and {other}: appoint a "
                "leader who does not play"
            )
            clause = "FFG-LEADER-RULING"
            yield problem(
                "leader.no_ruling", text, clause=clause, one=Player(one), other=Player(other)
            )

"""Who leads, who plays, whose link works, and who may rule on a match."""

from __future__ import annotations

from collections.abc import Collection

from ledger.events.base import LEADERS, MARSHAL, ORGANIZER
from ledger.rulesets.floor import Authority
from ledger.rulesets.stricter import binds
from ledger.tournament.links import Link
from ledger.tournament.state import Match, Official, Tournament
from ledger.tournament.table_records import Instance

_HAVE_A_PLACE = frozenset({"active", "dropped"})
"""Statuses of a player whose link works: who has left may read their own page, and may rejoin."""


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

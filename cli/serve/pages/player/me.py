"""The page of a player's day, from the door to the last round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import name_of
from cli.serve.pages.form_fields import act_form, button, folded
from cli.serve.pages.player.standing import my_standing
from cli.serve.pages.player.table import my_table, open_match
from cli.serve.refusals import NotSignedIn
from cli.terminal.visible import visible
from ledger.problems import problem
from ledger.tournament.progress import check_in_now, latest_match_of, round_in_play

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.visit import Visit
    from ledger.tournament.state import Tournament

HOME = "/me"


def own_player(visit: Visit) -> int:
    """Return who the page is for; NotSignedIn for anybody who is no player."""
    if not visit.visitor.player:
        text = "this page is a player's own: open the code on your badge or slip"
        raise NotSignedIn(problem("serve.no_player", text))
    return visit.visitor.player


def me(visit: Visit) -> Node:
    """Return the page of the player who asks."""
    player, tournament = own_player(visit), visit.tournament
    status = tournament.players[player].status
    return [
        htpy.p(class_="who")[f"{visible(name_of(tournament, player))} ", htpy.small[f"#{player}"]],
        _check_in(tournament, player) if status == "active" else None,
        my_table(visit, player),
        my_standing(tournament, player),
        _proof(tournament, player),
        _list_link(tournament, player),
        _leaving(tournament, player) if status == "active" else None,
    ]


def _proof(tournament: Tournament, player: int) -> Node:
    """Lead to what the latest result proves; the newest signed head is below every page."""
    match = latest_match_of(tournament, player)
    if not match or not match.result_seq:
        return None
    return htpy.p[htpy.a(href="/me/receipt")["What my result proves"]]


def _check_in(tournament: Tournament, player: int) -> Node:
    check_in = check_in_now(tournament)
    if not check_in:
        return None
    if player in check_in.present:
        return htpy.p(class_="done")["You are checked in for the next round."]
    if check_in.closed:
        return htpy.p(class_="alarm")["The check-in is closed: tell the desk that you are here."]
    return act_form("check-in", button("I am here", kind="main"), to=HOME)


def _list_link(tournament: Tournament, player: int) -> Node:
    opening, held = tournament.opening, tournament.lists.get(player)
    has_list = bool(held and held.seq)
    if not (has_list or (opening and (opening.format or opening.lists_required))):
        return None
    due = "" if has_list else ": not handed in yet"
    return htpy.p[htpy.a(href="/me/list")[f"My list{due}"]]


def _leaving(tournament: Tournament, player: int) -> Node:
    """Offer to leave: after the match, or giving it up."""
    if tournament.finished:
        return None
    playing = open_match(tournament, player)
    text = "You are not paired again; what you have played counts for everybody."
    if playing:
        text = (
            "Report your match first to leave after this round. If you leave now, your opponent "
            "has won it."
        )
    elif round_in_play(tournament):
        text = f"Your match is over: you leave after this round. {text}"
    latest = latest_match_of(tournament, player)
    known = {"match": latest.number if latest else 0, "seen": tournament.seq}
    leave = button("Leave now" if playing else "Leave", kind="alarm")
    return folded(
        "Leave the event",
        htpy.p[text],
        act_form("leave", leave, to=HOME, hidden=known),
        key="leave",
    )

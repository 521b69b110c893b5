"""The desk's page of players: all of them, one of them with every act, and those who come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import bare_name, name_of, plain
from cli.languages.speaking import tr, tr_of
from cli.serve.pages.frame import way_to
from cli.serve.pages.organizer.day_forms import PLAYER_FORMS, REGISTER_FORM
from cli.serve.pages.organizer.desk import tabbed
from cli.serve.pages.organizer.lines import (
    DOOR_FORMS,
    JUDGE_FORMS,
    NOTHING,
    PENALTY_KINDS,
    PEOPLE_FORMS,
    act_form,
    asked_of,
    carried,
    hidden,
    is_offered,
    labelled_field,
    not_now,
    refilled,
)
from cli.serve.pages.organizer.links import issue_all, link_panel, may_issue
from cli.serve.pages.organizer.player_card import list_state, status_in_words
from cli.serve.pages.player import takes_lists
from cli.terminal.visible import how_many, isolated, visible
from ledger.facts.list_rules import deck_check
from ledger.facts.office import PenaltyGiven
from ledger.rules.people import registration_over
from ledger.tournament.progress import absent_players, check_in_now, open_match_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from htpy import Node

    from cli.serve.pages.organizer.lines import LineForm, Sight
    from ledger.tournament.state import Player, Tournament

LISTED_MAX = 600
"""Players on one page; the search narrows the list."""

_DOOR = {form.name: form for form in DOOR_FORMS}
_PEOPLE = {form.name: form for form in PEOPLE_FORMS}
_PENALTY = next(form for form in JUDGE_FORMS if form.name == "penalty")
_BY_STATUS = {
    "active": ("drop", "seat"),
    "dropped": ("rejoin",),
}
"""Forms of a player that depend on the status."""


def players_page(sight: Sight) -> Node:
    """Return the page: registration, the list, and the chosen player."""
    chosen = _chosen(sight)
    return tabbed(
        sight,
        "/desk/players",
        htpy.div(class_="desk")[
            htpy.div[
                htpy.h2[tr("Register a player")],
                _register(sight),
                _by_phone(sight),
                htpy.h2[tr("Players")],
                _search(sight),
                htpy.div(id="now")[players_now(sight)],
            ],
            htpy.aside(class_="side panel", aria_label=tr("The chosen player"), id="player")[
                _card(sight, chosen) if chosen else _nobody(sight)
            ],
        ],
    )


def _chosen(sight: Sight) -> Player | None:
    words = sight.words.get("player", "").removeprefix("#")
    if not (words.isascii() and words.isdecimal()):
        return None
    players = sight.tournament.players
    number = int(words) if len(words) < len("100000") else 0
    return players[number] if 0 < number < len(players) else None


def _register(sight: Sight) -> Node:
    """Return the form that registers, with all of its fields in the open."""
    name, *_ = REGISTER_FORM.fields
    filled, asked = refilled(sight, REGISTER_FORM), list(asked_of(sight, REGISTER_FORM))
    if not (filled or is_offered(sight, REGISTER_FORM)):
        return htpy.p(class_="hint")[tr("Registration is over.")]
    is_next = "done" in sight.words and "player" not in sight.words
    return htpy.form(method="post", action="line", class_="act inline")[
        hidden({"form": REGISTER_FORM.name, **carried(sight)}),
        (
            htpy.label[
                htpy.span[tr(field.label)],
                htpy.input(
                    type="text",
                    name=field.name,
                    autocomplete="off",
                    required=field is name,
                    value=visible(filled.get(field.name, "")) or None,
                    autofocus=field is name and (is_next or bool(filled)) and not sight.remedies,
                ),
            ]
            for field in asked
            if field.kind != "tick"
        ),
        (labelled_field(field, filled) for field in asked if field.kind == "tick"),
        htpy.button(type="submit", class_="main")[tr_of("button", "Register")],
    ]


def _by_phone(sight: Sight) -> Node:
    """Return the way to the code by which players register themselves; None after registration."""
    tournament = sight.tournament
    is_over = tournament.finished or any(registration_over(tournament))
    if is_over or not may_issue(tournament, sight.visitor, "e1"):
        return None
    return way_to("desk/settings?link=e1", tr("Let players register with their phones"))


def _search(sight: Sight) -> Node:
    return htpy.form(method="get", action="desk/players", class_="search")[
        htpy.label(for_="player-find")[tr_of("button", "Find")],
        htpy.input(
            type="search",
            name="q",
            id="player-find",
            value=visible(sight.words.get("q", "")),
            autocomplete="off",
        ),
        htpy.button(type="submit")[tr_of("button", "Search")],
    ]


def players_now(sight: Sight) -> Node:
    """Return the list, which changes by itself."""
    tournament = sight.tournament
    sought = plain(sight.words.get("q", "")).split()
    listed = [
        player
        for player in tournament.players[1:]
        if player.status != "withdrawn" and _fits(tournament, player, sought)
    ]
    absent = set(absent_players(tournament)) if check_in_now(tournament) else None
    has_lists = bool(tournament.lists or takes_lists(tournament) or deck_check(tournament))
    chosen = _chosen(sight)
    rows = (
        _row(tournament, player, absent, has_lists=has_lists, is_chosen=player is chosen)
        for player in listed[:LISTED_MAX]
    )
    return [
        htpy.p(class_="about", data_position=str(tournament.seq))[
            how_many(len(listed), "player"),
            tr(", {count} in play", count=len(tournament.active())) if not sought else None,
        ],
        htpy.table(class_="roster")[
            htpy.thead[
                htpy.tr[
                    htpy.th(class_="number")["#"],
                    htpy.th[tr("player")],
                    htpy.th[tr("faction")],
                    htpy.th[tr("list")],
                    htpy.th[tr("status")],
                ]
            ],
            htpy.tbody[rows],
        ],
        htpy.p[tr("and {count} more: search for a name", count=len(listed) - LISTED_MAX)]
        if listed[LISTED_MAX:]
        else None,
    ]


def _fits(tournament: Tournament, player: Player, sought: list[str]) -> bool:
    text = plain(f"{name_of(tournament, player.number)} {player.faction} #{player.number}")
    return all(word in text for word in sought)


def _row(
    tournament: Tournament,
    player: Player,
    absent: set[int] | None,
    *,
    has_lists: bool,
    is_chosen: bool,
) -> Node:
    """Return the row of a player; the chosen one's has no link, which would lead to this page."""
    number = player.number
    name = bare_name(tournament, number)
    return htpy.tr[
        htpy.td(class_="number")[str(number)],
        htpy.th(scope="row")[
            htpy.strong(aria_current="true")[name]
            if is_chosen
            else htpy.a(href=f"desk/players?player={number}")[name]
        ],
        htpy.td(data_label=tr("faction"))[visible(player.faction)],
        htpy.td(data_label=tr("list"))[list_state(tournament, number) if has_lists else ""],
        htpy.td(data_label=tr("status"))[_status(player, absent)],
    ]


def _status(player: Player, absent: set[int] | None) -> str:
    presence = ""
    if absent is not None and player.status == "active":
        presence = tr("not here") if player.number in absent else tr("here")
    status = "" if player.status == "active" else status_in_words(player.status)
    late = tr("late") if player.late else ""
    return ", ".join(filter(None, (status, late, presence)))


def _nobody(sight: Sight) -> Node:
    """Return the acts that concern no single player: the door, and the links of all."""
    return [
        htpy.h2[tr("Choose a player")],
        htpy.p(class_="hint")[tr("A name in the list opens the player with every act.")],
        act_form(sight, _DOOR["check-in-open"]),
        act_form(sight, _DOOR["check-in-close"]),
        not_now(sight, [_DOOR["check-in-open"], _DOOR["check-in-close"]]),
        issue_all(sight),
        way_to("desk/print/badges", tr("Print all badges")),
    ]


def _card(sight: Sight, player: Player) -> Node:
    """Return the chosen player with every act about them."""
    tournament, number = sight.tournament, player.number
    fields = {"player": f"#{number}"}
    match, status = open_match_of(tournament, number), status_in_words(player.status)
    return [
        htpy.h2[bare_name(tournament, number), f" (#{number})"],
        htpy.p(class_="about")[
            ", ".join(filter(None, (visible(player.faction), status))),
            [
                ", ",
                htpy.a(href=f"judge/match/{match.round}/{match.table}")[
                    tr("table {table}", table=match.table)
                ],
            ]
            if match
            else None,
        ],
        _penalties(tournament, number),
        (act_form(sight, form, fields) for form in _forms_for(tournament, player)),
        act_form(sight, _PENALTY, fields),
        [act_form(sight, form, fields, _on_record(tournament, player)) for form in PLAYER_FORMS],
        htpy.h3[tr("Link")],
        link_panel(sight, f"p{number}"),
    ]


def _on_record(tournament: Tournament, player: Player) -> Mapping[str, str]:
    """Return the recorded values of a player, for the forms of corrections; none after `forget`."""
    of = f"p{player.number}"
    if of in tournament.forgotten:
        return NOTHING
    name = tournament.names.get(of, "")
    return {"name": name, "faction": player.faction, "league": player.league_id}


def _forms_for(tournament: Tournament, player: Player) -> Iterator[LineForm]:
    if check_in_now(tournament) and player.number in absent_players(tournament):
        yield _DOOR["check-in"]
    for name in _BY_STATUS.get(player.status, ()):
        yield _PEOPLE[name]


def _penalties(tournament: Tournament, number: int) -> Node:
    events = (penalty.event for penalty in tournament.floor.penalties)
    penalties = [
        penalty
        for penalty in events
        if isinstance(penalty, PenaltyGiven) and penalty.player == number
    ]
    if not penalties:
        return None
    return htpy.ul(class_="penalties")[
        (
            htpy.li[f"{tr(PENALTY_KINDS[penalty.kind])}: ", isolated(visible(penalty.infraction))]
            for penalty in penalties
        )
    ]

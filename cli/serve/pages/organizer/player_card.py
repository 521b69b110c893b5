"""A player's card for officials: the table, penalties, past rounds, the list, and the acts.

The card is read in the aisle: what an official asks a player is on one page. What is sealed of a
list is sealed here, too.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, get_args

import htpy

from cli.input.find_people import bare_name, find_player
from cli.languages.speaking import marked, tr, tr_of
from cli.render.elements import section, tr_nodes
from cli.serve.pages.clauses import clause_choice, linked, linked_cell
from cli.serve.pages.frame import way_to
from cli.serve.pages.organizer.answers import undo_of
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    PENALTY_KINDS,
    LineField,
    act_form,
    asked_of,
    carried,
    hidden,
    labelled_field,
    refilled,
    title_of,
)
from cli.serve.pages.organizer.waiting import match_link
from cli.serve.pages.player import found_in, list_lines, list_rows, past_rounds, takes_lists
from cli.terminal.tables import Column, prose
from cli.terminal.visible import how_many, isolated, visible
from cli.wording.phrases import official_in_words, who
from ledger.facts import hands
from ledger.facts.list_rules import deck_check
from ledger.facts.office import DECLARES, PenaltyKind, who_declares
from ledger.rules.office import declares_problems
from ledger.tournament.progress import latest_match_of
from projections.disputes import conduct_as_json, notes_as_json, penalties_as_json
from projections.standings.table import everyone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from htpy import Node

    from cli.serve.pages.organizer.lines import Sight
    from ledger.tournament.state import Status, Tournament
    from ledger.tournament.table_records import SubmittedList

PENALTY_VERBS = ("penalty", "conduct", "disqualify", "moderate")
"""Verbs of the clauses that a penalty rests on."""

_HOW_PENALTIES_END = {
    "game forfeit": marked("ends the open match as a loss"),
    "match loss": marked("ends the open match as a loss"),
    "removal": marked("permanent; only the organizer"),
    "declared win": marked("ends the open match"),
    "declared draw": marked("ends the open match"),
}


def player_page(sight: Sight) -> Node:
    """Return the card of a player.

    Raises:
        NotFound: there is no such player.
    """
    tournament, player = sight.tournament, player_of(sight)
    status = tournament.players[player].status
    return [
        sight.said,
        undo_of(sight),
        htpy.h2(class_="who")[bare_name(tournament, player), " ", htpy.small[f"#{player}"]],
        htpy.div(id="now")[player_now(sight)],
        penalty_form(sight, player),
        _list_check(sight, player),
        _acts(sight, player, status),
        way_to("judge", tr("All that waits")),
    ]


def player_now(sight: Sight) -> Node:
    """Return what changes by itself: the table, penalties, past rounds."""
    tournament, player = sight.tournament, player_of(sight)
    return [
        htpy.p(data_position=str(tournament.seq))[_about(tournament, player)],
        _table(tournament, player),
        section(
            tr("Penalties and conduct"),
            _penalty_columns(tournament),
            _penalties(tournament, player),
            tr("No penalties."),
            cell=linked_cell,
        ),
        _notes(tournament, player),
        past_rounds(tournament, player, is_staff=True),
    ]


def player_of(sight: Sight) -> int:
    """Return the player whom the path names as `p7`.

    Raises:
        NotFound: there is no such player.
    """
    return find_player(sight.tournament, f"#{sight.words['player'].removeprefix('p')}")


def player_opened(sight: Sight) -> str:
    """Return the path of the card of the player whose name or number is typed.

    Raises:
        NotFound: there is no such player.
    """
    return f"/judge/player/p{find_player(sight.tournament, sight.words.get('player', '').strip())}"


def _about(tournament: Tournament, player: int) -> list[str]:
    """Return the status, the rank and the faction in one line."""
    entry = tournament.players[player]
    row = None
    if tournament.rounds:
        row = next((row for row in everyone(tournament).rows if row.player == player), None)
    parts = [
        tr("playing") if entry.status == "active" else status_in_words(entry.status),
        tr("rank {rank}", rank=row.rank) if row and row.rank else "",
        visible(entry.faction),
        tr("league id {id}", id=visible(entry.league_id)) if entry.league_id else "",
    ]
    return [tr(", ").join(filter(None, parts))]


def status_in_words(status: Status) -> str:
    """Return the status of a player in a word."""
    words = {
        "active": tr_of("status of a player", "active"),
        "cut": tr_of("status of a player", "cut"),
        "dropped": tr_of("status of a player", "dropped"),
        "disqualified": tr_of("status of a player", "disqualified"),
        "withdrawn": tr_of("status of a player", "withdrawn"),
    }
    return words[status]


def _table(tournament: Tournament, player: int) -> Node:
    match = latest_match_of(tournament, player)
    if match is None or match.is_bye or match.round != len(tournament.rounds):
        return None
    return htpy.p[tr_nodes("Table {table}", table=match_link(tournament, match.number))]


def _penalties(tournament: Tournament, player: int) -> list[dict[str, Any]]:
    """Return the penalties and the conduct of a player, latest first."""
    entries = [*penalties_as_json(tournament), *conduct_as_json(tournament)]
    own = [entry for entry in entries if entry["player"] == player]
    return sorted(own, key=itemgetter("seq"), reverse=True)


def _penalty_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of penalties, whose kind follows, and of conduct, whose kind is why."""
    return [
        prose(
            marked("penalty"), lambda entry: _kind_in_words(entry.get("remedy") or entry["kind"])
        ),
        prose(
            marked("for"), lambda entry: _kind_in_words(entry.get("infraction") or entry["kind"])
        ),
        Column(marked("clause"), value=lambda entry: entry["clause"]),
        Column(marked("by"), value=lambda entry: who(entry["by"], tournament)),
        Column(marked("event"), right=True, value=lambda entry: entry["seq"]),
    ]


def _kind_in_words(kind: str) -> str:
    """Return the kind of a penalty or of conduct; a text that was typed stays as it is."""
    return tr(PENALTY_KINDS[kind]) if kind in PENALTY_KINDS else visible(kind)


def _notes(tournament: Tournament, player: int) -> Node:
    notes: list[dict[str, Any]] = [
        entry for entry in notes_as_json(tournament) if entry["player"] == player
    ]
    if not notes:
        return None
    return htpy.section[
        htpy.h2[tr("Notes")],
        htpy.ul[
            (
                htpy.li[
                    f"{isolated(visible(note['text']))} ",
                    htpy.small[
                        tr(
                            "{official}, event {number}",
                            official=who(note["by"], tournament),
                            number=note["seq"],
                        )
                    ],
                ]
                for note in notes
            )
        ],
    ]


def penalty_form(sight: Sight, player: int) -> Node:
    """Return the form of a penalty: its kind, what for, and the clause of the game."""
    tournament = sight.tournament
    form, whose = LINE_FORMS["penalty"], {"player": f"#{player}"}
    filled = refilled(sight, form, whose)
    return htpy.details(class_="act", id="penalty", open=bool(filled))[
        htpy.summary[tr("Give a penalty")],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": form.name, **whose, **carried(sight)}),
            labelled_field(LineField("reason", marked("What happened")), filled),
            clause_choice(tournament, PENALTY_VERBS, filled),
            htpy.fieldset[
                htpy.legend[tr("Penalty")],
                (_kind(kind, filled.get("kind", "warning")) for kind in penalty_kinds(tournament)),
            ],
            _figures(sight, "penalty", filled),
            _who_may(tournament, player),
            htpy.button(type="submit")[tr("Give the penalty")],
        ],
    ]


def penalty_kinds(tournament: Tournament) -> list[PenaltyKind]:
    """Return the kinds of penalty that the game has."""
    kinds: list[PenaltyKind] = list(get_args(PenaltyKind))
    return [
        kind
        for kind in kinds
        if kind not in DECLARES or not list(declares_problems(tournament, kind))
    ]


def _kind(kind: PenaltyKind, chosen: str) -> Node:
    consequence = _HOW_PENALTIES_END.get(kind, "")
    return htpy.label(class_="choice")[
        htpy.input(
            type="radio",
            name="kind",
            value=kind.replace(" ", "-"),
            required=True,
            checked=kind.replace(" ", "-") == chosen,
        ),
        htpy.span[
            tr(PENALTY_KINDS[kind]),
            htpy.small[f" {tr(consequence)}"] if consequence else None,
        ],
    ]


def _figures(sight: Sight, name: str, filled: Mapping[str, str]) -> Node:
    """Return the field of the numbers that the points of an ended match depend on, if any do."""
    asked = asked_of(sight, LINE_FORMS[name])
    return [labelled_field(field, filled) for field in asked if field.kind == "figures"]


def _who_may(tournament: Tournament, player: int) -> Node:
    """Name the officials who may impose a result or a penalty on the player."""
    match = latest_match_of(tournament, player)
    officials = who_declares(tournament, match.players if match else (player,))
    names = ", ".join(official_in_words(tournament, number) for number in officials)
    if not names:
        return htpy.p(class_="about")[tr("Penalties are given by no official now.")]
    return htpy.p(class_="about")[tr("Penalties are given by {officials}.", officials=names)]


def _list_check(sight: Sight, player: int) -> Node:
    """Return the submitted list, the format's findings, and the form of a check."""
    tournament = sight.tournament
    held = tournament.lists.get(player)
    is_asked_for = takes_lists(tournament) or deck_check(tournament)
    if not (held and held.seq) and not is_asked_for:
        return None
    state, form, whose = (
        list_state(tournament, player),
        LINE_FORMS["list-check"],
        {"player": f"#{player}"},
    )
    return htpy.details(class_="act", id="list", open=bool(refilled(sight, form, whose)))[
        htpy.summary[tr("List: {state}", state=state)],
        _submitted(sight, player, held) if held and held.seq else None,
        act_form(sight, form, whose),
    ]


def list_state(tournament: Tournament, player: int) -> str:
    """Return in words whether a list is submitted and checked, or a deck without a list."""
    held = tournament.lists.get(player)
    has_list = bool(held and held.seq)
    is_missing = takes_lists(tournament) and not has_list
    if held is None or held.checked is None:
        if is_missing:
            return tr("not submitted")
        return tr("submitted, not checked") if has_list else tr("not checked")
    state = tr("checked") if has_list else tr("no list, deck checked")
    if held.checked.hidden:
        return tr("{state}, findings sealed", state=state)
    breaking, _ = hands.counts_of(held.checked)
    return tr("{state}, {findings}", state=state, findings=how_many(breaking, "finding"))


def _submitted(sight: Sight, player: int, held: SubmittedList) -> Node:
    """Return the open part of a list and its findings; what is sealed stays sealed."""
    tournament = sight.tournament
    if held.hidden:
        clause = hands.clause_of(tournament)
        findings: Node = htpy.p(class_="about")[
            tr_nodes(
                "The rest is sealed: check it at the desk's computer, with the key ({clause}).",
                clause=linked(clause),
            )
        ]
    elif held.checked:
        findings = list_rows(held.checked.findings)
    else:
        found = found_in(tournament, player, held.text, sight.cards)
        findings = list_rows(found) if found else htpy.p(class_="about")[tr("No findings.")]
        if found is None:
            findings = htpy.p(class_="about")[tr("The tournament has no format: check it by hand.")]
    return [htpy.pre(class_="list", tabindex="0")[list_lines(held.text)], findings]


def _acts(sight: Sight, player: int, status: str) -> Node:
    """Return the forms of the other acts that make sense for a player of this status."""
    given = {"player": f"#{player}"}
    names = {
        "active": ("drop", "recommend", "disqualify", "player-note"),
        "cut": ("recommend", "disqualify", "player-note"),
        "dropped": ("rejoin", "recommend", "disqualify", "player-note"),
    }.get(status, ("player-note",))
    return [
        _with_clauses(sight, player, name)
        if name in {"recommend", "disqualify"}
        else act_form(sight, LINE_FORMS[name], given)
        for name in names
    ]


def _with_clauses(sight: Sight, player: int, name: str) -> Node:
    """Return the form of an act that takes a player out, with the clauses of the game."""
    form, whose = LINE_FORMS[name], {"player": f"#{player}"}
    filled = refilled(sight, form, whose)
    return htpy.details(class_="act", id=name, open=bool(filled))[
        htpy.summary[title_of(form)],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": name, **whose, **carried(sight)}),
            labelled_field(LineField("reason", marked("Why")), filled),
            clause_choice(sight.tournament, ("disqualify", "recommend"), filled),
            _figures(sight, name, filled),
            htpy.button(type="submit")[title_of(form)],
        ],
    ]

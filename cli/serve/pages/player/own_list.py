"""A player's list: handed in from the phone, with what the format says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.serve.pages.form_fields import act_form, button
from cli.serve.refusals import NotSignedIn
from cli.terminal.visible import how_many, visible
from ledger.errors import LedgerError
from ledger.problems import problem
from ledger.rules.lists import too_late
from ledger.tournament.lists import hidden_hands
from ledger.tournament.lists.list_rules import given_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.serve.pages.visit import Visit
    from ledger.events.lists import ListFinding
    from ledger.formats import CardFile, Finding
    from ledger.tournament.lists.handed_lists import SubmittedList
    from ledger.tournament.state import Tournament

HERE = "/me/list"
TEXT_MAX = 24_000
SHOWN_MAX = 60
_KINDS = {"breaks": "breach", "not checked": "note"}


def own_list(visit: Visit) -> Node:
    """Return the list of the player who asks, and the form that hands one in while that may be."""
    player, tournament = visit.visitor.player, visit.tournament
    if not player:
        text = "this page is a player's own: open the code on your badge or slip"
        raise NotSignedIn(problem("serve.no_player", text))
    held = tournament.lists.get(player)
    return [
        htpy.p[htpy.a(href="/me")["Back to my table"]],
        _held(visit, player, held) if held and held.seq else htpy.p["No list is handed in."],
        _hand_in(visit, player, held),
    ]


def _held(visit: Visit, player: int, held: SubmittedList) -> Node:
    hidden = None
    if held.hidden:
        clause = hidden_hands.clause_of(visit.tournament)
        hidden = htpy.p(class_="about")[
            f"The rest is sealed: your opponents do not see it, and nor does this page ({clause})."
        ]
    return [
        htpy.pre(class_="list")[_lines(held.text)],
        hidden,
        _findings(visit, player, held),
    ]


def _findings(visit: Visit, player: int, held: SubmittedList) -> Node:
    """Say what was found: by a leader, or else by the format as the list stands."""
    if held.checked:
        breaking, _ = hidden_hands.counts_of(held.checked)
        said = f"A leader has checked it: {how_many(breaking, 'finding')}."
        return [htpy.p(class_="alarm" if breaking else "done")[said], _rows(held.checked.findings)]
    if held.hidden:
        return htpy.p(class_="about")["It is checked by a leader; what is found is sealed too."]
    found = found_in(visit.tournament, player, held.text, visit.cards)
    if found is None:
        return htpy.p(class_="about")["The event names no format: a leader checks it by hand."]
    breaking = sum(each.state == "breaks" for each in found)
    said = f"Nothing is wrong{'' if visit.cards else ' as far as can be seen without the cards'}."
    if breaking:
        said = f"{how_many(breaking, 'thing')} to mend before the event starts."
    return [htpy.p(class_="alarm" if breaking else "done")[said], _rows(found)]


def found_in(
    tournament: Tournament, player: int, text: str, cards: CardFile | None
) -> list[Finding] | None:
    """Hold a list to the event's format, by what is known of cards; None without a format."""
    from ledger import formats
    from ledger.formats.cards import NO_CARDS

    opening = tournament.opening
    if opening is None or opening.format is None:
        return None
    loaded = formats.of_document(opening.format)
    try:
        listed = formats.read_list(text.encode("utf-8", "surrogatepass"), loaded.format.shape)
    except LedgerError:
        return None
    return formats.findings(
        listed,
        loaded,
        cards or NO_CARDS,
        date=opening.date,
        tier=opening.tier,
        scenario=tournament.ruleset.floor.scenario,
        given=given_to(tournament, player),
    )


def _rows(found: Sequence[Finding | ListFinding]) -> Node:
    first = sorted(found, key=lambda each: each.state != "breaks")[:SHOWN_MAX]
    more = len(found) - len(first)
    if not first:
        return None
    return htpy.ul(class_="findings")[
        (
            htpy.li[
                htpy.strong(class_=_KINDS.get(each.state, "note"))[each.state],
                f" {visible(each.text)} ",
                htpy.small[visible(each.clause)],
            ]
            for each in first
        ),
        htpy.li[f"and {more} more"] if more else None,
    ]


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _hand_in(visit: Visit, player: int, held: SubmittedList | None) -> Node:
    if late := list(too_late(visit.tournament, player)):
        del late
        return htpy.p(class_="about")["Lists are closed: a leader corrects yours if it is wrong."]
    text = visit.fields.get("text", held.text if held and not held.hidden else "")
    return [
        htpy.h2["Hand in another list" if held and held.seq else "Hand in your list"],
        act_form(
            "list",
            htpy.label(class_="field wide")[
                htpy.span["As your deck builder copies it, or a line for each card"],
                htpy.textarea(name="text", rows="12", maxlength=str(TEXT_MAX), required=True)[
                    f"\n{_lines(text)}"
                ],
            ],
            button("Hand it in", kind="main"),
            to=HERE,
            at=HERE,
        ),
    ]

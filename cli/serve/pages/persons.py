"""The owner's page of persons: proposals to decide, decisions to undo, merging and splitting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import htpy

from cli.languages.speaking import tr, tr_many
from cli.serve.forms import button, choice, folded, text_field
from cli.serve.pages.entry import HEADING, OWNERS
from cli.serve.pages.frame import own_page
from cli.serve.persons import DO, WORD_MAX
from cli.terminal.visible import isolated, marking_names, short_id, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.serve.persons import ShownPersons

ENTRIES_SHOWN = 8
NAMES_SHOWN = 4
PERSONS = "events/persons"


@marking_names()
def persons_page(shown: ShownPersons | None, problems: Sequence[str] = (), by: str = "") -> str:
    """Return the page; without a vault it has only the problem."""
    content: list[Node] = []
    if shown is not None:
        content = [
            htpy.p[
                tr(
                    "Names are read from the vault of this folder, and only this computer shows "
                    "them. The confidence says how many of a hundred such proposals are right."
                )
            ],
            _proposals(shown, by),
            folded(tr("Merge two persons, or split"), _by_hand(by), key="hand"),
            _acts(shown.acts, by),
        ]
    return own_page(HEADING, tr("Persons"), content, problems, OWNERS)


def _form(job: str, by: str, *content: Node) -> Node:
    return htpy.form(method="post", action=PERSONS, class_="act")[
        htpy.input(type="hidden", name="job", value=job),
        content,
        text_field(tr("Who decides"), "by", by, longest=WORD_MAX),
        text_field(tr("Why"), "reason", longest=WORD_MAX),
        button(tr("Put on record"), kind="main"),
    ]


def _proposals(shown: ShownPersons, by: str) -> Node:
    if not shown.proposals:
        return htpy.p[tr("No proposals are waiting.")]
    count = tr_many("{count} proposal is waiting", "{count} proposals are waiting", shown.waiting)
    return [
        htpy.h2[count],
        _form("decide", by, [_proposal(proposal) for proposal in shown.proposals]),
    ]


def _proposal(proposal: dict[str, Any]) -> Node:
    names = " / ".join(isolated(visible(name)) for name in proposal["names"][:NAMES_SHOWN])
    share = f"{min(99.99, 100 * proposal['confidence']):.2f} %"
    answers = (
        ("", tr("Later")),
        ("accept", tr("One person")),
        ("apart", tr("Not the same")),
    )
    entries = proposal["entries"]
    more = len(entries) - ENTRIES_SHOWN
    return htpy.fieldset[
        htpy.legend[names, f" · {share}"],
        htpy.ul[(htpy.li[visible(reason)] for reason in proposal["evidence"])],
        folded(
            tr_many("{count} entry", "{count} entries", len(entries)),
            htpy.ul[(htpy.li[_entry(entry)] for entry in entries[:ENTRIES_SHOWN])],
            htpy.p[tr("and {more} more", more=more)] if more > 0 else None,
            key=f"of-{proposal['key']}",
        ),
        choice(tr("Answer"), f"{DO}{proposal['key']}", answers),
    ]


def _entry(entry: dict[str, Any]) -> Node:
    words = [entry["day"] or "", entry["game"], entry["region"]]
    place = " · ".join(visible(word) for word in words if word)
    return [
        isolated(visible(entry["name"])),
        f" · {place} · ",
        htpy.code[_shown_id(entry["person"])],
    ]


def _shown_id(person: str) -> str:
    """Return a pseudonym or guest as it may be typed, the tournament cut short."""
    id_, slash, player = person.partition("/")
    return visible(f"{short_id(id_)}{slash}{player}")


def _by_hand(by: str) -> Node:
    longest = WORD_MAX
    return [
        _form(
            "merge",
            by,
            text_field(tr("This person"), "person", longest=longest),
            text_field(tr("is the same as"), "into", longest=longest),
        ),
        _form(
            "split",
            by,
            text_field(tr("Split off this person"), "person", longest=longest),
            text_field(tr("Only in this tournament"), "tournament", longest=longest),
        ),
    ]


def _acts(acts: Sequence[dict[str, Any]], by: str) -> Node:
    if not acts:
        return None
    return [
        htpy.h2[tr("The latest decisions")],
        htpy.ul(class_="rows")[(htpy.li[_act(act, by)] for act in acts)],
    ]


def _act(act: dict[str, Any], by: str) -> Node:
    about = [_shown_id(act[side]) for side in ("league_id", "person") if act[side]]
    number = f"#{act['number']} {act['kind']}"
    words = [number, *about, act["made_at"][:10], isolated(visible(act["made_by"]))]
    text = " · ".join([*words, isolated(visible(act["reason"]))])
    if act["kind"] == "forget":
        return text
    return [
        text,
        htpy.form(method="post", action=PERSONS, class_="act")[
            htpy.input(type="hidden", name="job", value="undo"),
            htpy.input(type="hidden", name="act", value=str(act["number"])),
            htpy.input(type="hidden", name="by", value=by or act["made_by"]),
            button(tr("Undo {number}", number=f"#{act['number']}"), kind="quiet"),
        ],
    ]

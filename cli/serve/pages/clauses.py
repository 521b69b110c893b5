"""Pages of clauses: the text behind each ID that a page shows, and the search for one."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import htpy
from msgspec import structs

from cli.languages.speaking import ENGLISH, language, tr, tr_many
from cli.render.clauses import NO_TEXT, clause_facts
from cli.terminal.visible import visible
from ledger.rulesets.clauses import clauses_of, looked_up, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from htpy import Node

    from ledger.rulesets.clauses import Clause
    from ledger.tournament.state import Tournament

LISTED_MAX = 12
"""Maximum clauses on an answer to a search."""


@cache
def _ids() -> re.Pattern[str]:
    """Return the pattern of the clauses that have a text, longer IDs first."""
    labels = sorted(texts(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(labels)})(?![\w-])")


def linked(text: str) -> list[Node]:
    """Return a text in which each clause with a text is a link to its page."""
    return [
        htpy.a(href=f"clause/{part}")[part] if place % 2 else part
        for place, part in enumerate(_ids().split(text))
    ]


def linked_cell(title: str, text: str) -> Node:
    """Return the content of a table's cell, with links in the column of clauses."""
    return linked(text) if title == "clause" else text


def search_form() -> Node:
    """Return the form that looks a clause up, by its ID or by words."""
    return htpy.form(method="get", action="clause", class_="act")[
        htpy.label(class_="field wide")[
            htpy.span[tr("Clause: its ID or words, such as missed opportunity")],
            htpy.input(type="text", name="words", required=True),
        ],
        htpy.button(type="submit")[tr("Look it up")],
    ]


def clause_choice(
    tournament: Tournament, verbs: Collection[str], filled: Mapping[str, str]
) -> Node:
    """Return the field that chooses a clause of the event: those of the verbs, then all others.

    Each clause has its text in our words, its document and its section. `filled` has the fields of
    the form that is refused, if any.
    """
    opening = tournament.opening
    listed = clauses_of(opening, tournament.ruleset).values() if opening is not None else ()
    chosen = filled.get("clause", "")
    with_text = [clause for clause in listed if clause.asks]
    fitting = [clause for clause in with_text if not set(verbs).isdisjoint(clause.verbs)]
    others = [clause for clause in with_text if clause not in fitting]
    return htpy.details(class_="act clauses", open=bool(chosen))[
        htpy.summary[tr("Clause")],
        htpy.fieldset[
            htpy.legend[tr("The clause that it rests on")],
            _choice_of("", htpy.span[tr("No clause")], chosen),
            _choices(fitting, chosen),
        ],
        htpy.details(open=chosen in {clause.id for clause in others})[
            htpy.summary[_others_in_words(len(others))],
            htpy.fieldset[htpy.legend[tr("Other clauses")], _choices(others, chosen)],
        ]
        if others
        else None,
    ]


def _choices(clauses: Iterable[Clause], chosen: str) -> list[Node]:
    return [_choice_of(clause.id, _text_of(clause), chosen) for clause in clauses]


def _others_in_words(count: int) -> str:
    return tr_many("{count} other clauses of the game", "{count} other clauses of the game", count)


def _text_of(clause: Clause) -> Node:
    return htpy.span[
        htpy.strong[tr("{label}: {text}", label=clause.id, text=tr(clause.title))],
        f" {tr(clause.asks)} ",
        htpy.small(translate="no")[
            tr(
                "{document}, section {section}",
                document=clause.document,
                section=f"{clause.section!r}",
            )
        ],
    ]


def _choice_of(value: str, text: Node, chosen: str) -> Node:
    return htpy.label(class_="choice")[
        htpy.input(type="radio", name="clause", value=value, checked=value == chosen), text
    ]


def clauses_page(tournament: Tournament, typed: str) -> Node:
    """Return the clauses that an ID or words mean, those of the tournament before all others."""
    opening = tournament.opening
    of_event = clauses_of(opening, tournament.ruleset) if opening is not None else {}
    listed = _looked_up(typed, of_event) or _looked_up(typed, texts())
    if not typed:
        return search_form()
    if not listed:
        return [htpy.p[tr("No clause fits “{typed}”.", typed=visible(typed[:80]))], search_form()]
    return [[_clause(clause) for clause in listed[:LISTED_MAX]], search_form()]


def _looked_up(typed: str, listed: Mapping[str, Clause]) -> list[Clause]:
    """Return the clauses that an ID or words mean, in the language that is spoken or in English."""
    said = (
        structs.replace(clause, title=tr(clause.title), asks=tr(clause.asks))
        for clause in listed.values()
    )
    spoken = looked_up(typed, said) if language() != ENGLISH else []
    return [listed[clause.id] for clause in spoken] or looked_up(typed, listed.values())


def _clause(clause: Clause) -> Node:
    if not clause.asks:
        return htpy.section[htpy.h2[clause.id], htpy.p[tr(NO_TEXT)]]
    source, actors, verbs = clause_facts(clause)
    return htpy.section[
        htpy.h2[tr("{label}: {text}", label=clause.id, text=tr(clause.title))],
        htpy.p[tr(clause.asks)],
        htpy.dl[
            htpy.dt[source[0]],
            htpy.dd(translate="no")[source[1]],
            htpy.dt[actors[0]],
            htpy.dd[actors[1]],
            htpy.dt[verbs[0]],
            htpy.dd(translate="no")[verbs[1].replace("`", "")],
        ],
    ]

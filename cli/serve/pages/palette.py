"""All lines that a page takes, each with its form: what can be typed can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.serve.pages.day_forms import OF_A_VERB, form_named, form_of_verb, page_verbs
from cli.serve.pages.desk import tabbed
from cli.serve.pages.lines import act_form
from cli.terminal.visible import visible
from cli.verbs import VERBS, verbs_of
from cli.verbs.on_pages import ONLY_AT_A_TERMINAL
from cli.verbs.tree import command_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from htpy import Node

    from cli.serve.pages.lines import LineForm, Sight


def lines_page(sight: Sight) -> Node:
    """Return the page: the form of the chosen verb, and the list of all verbs."""
    form = _chosen(sight)
    tournament = sight.tournament
    of_game = verbs_of(tournament)
    listed = [path for path in page_verbs() if path in of_game]
    return tabbed(
        sight,
        "/desk/lines",
        _form(sight, form) if form else None,
        htpy.h2["All lines"],
        htpy.p(class_="hint")["Each line leads to its form. Ctrl-K opens the field to type it."],
        htpy.ul(class_="verbs", id="verbs")[
            (
                htpy.li[
                    htpy.a(href=f"desk/lines?verb={path.replace(' ', '+')}")[htpy.code[path]],
                    f" {VERBS[path].summary}",
                ]
                for path in listed
            )
        ],
        htpy.h2["Only at a terminal"],
        htpy.ul(class_="verbs")[_elsewhere()],
    )


def _chosen(sight: Sight) -> LineForm | None:
    """Return the form that the address asks for: of a verb, or one of the desk's."""
    path = sight.words.get("verb", "")
    if path in page_verbs():
        return form_of_verb(path)
    name = sight.words.get("form", "")
    return None if name.startswith(OF_A_VERB) else form_named(name)


def _form(sight: Sight, form: LineForm) -> Node:
    path = form.name.removeprefix(OF_A_VERB)
    names = {field.name for field in form.fields}
    values = {name: sight.words[name] for name in ("table", "player") if name in sight.words}
    help_text = command_of(path).help if path in VERBS else ""
    return htpy.section(class_="panel", aria_label=form.title)[
        htpy.h2[form.title],
        htpy.p(class_="about")["Makes the line ", htpy.code[form.line]],
        act_form(
            sight,
            form,
            {name: visible(value) for name, value in values.items() if name in names},
            is_open=True,
        ),
        htpy.pre(tabindex="0")[visible_lines(help_text)] if help_text else None,
    ]


def visible_lines(text: str) -> str:
    """Return a help text, safe line by line."""
    return "\n".join(visible(line) for line in text.splitlines())


def _elsewhere() -> Iterator[Node]:
    for path, reason in ONLY_AT_A_TERMINAL.items():
        yield htpy.li[htpy.code[path], f": {reason}"]

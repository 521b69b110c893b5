"""Forms, their fields and buttons: every page of a player posts by these, without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.outside import draw_id
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from htpy import Node


def act_form(
    name: str, *content: Node, to: str, at: str = "", hidden: Mapping[str, object] | None = None
) -> Node:
    """Return a form that does one act: posted twice it is done once.

    It leads to `to`; where it is refused the page `at` is shown again, with why not.
    """
    fields = {"id": draw_id(), "to": to, **({"at": at} if at else {}), **(hidden or {})}
    return htpy.form(method="post", action=f"/do/{name}", class_="act")[
        (htpy.input(type="hidden", name=key, value=str(value)) for key, value in fields.items()),
        content,
    ]


def button(text: str, name: str = "", value: str = "", *, kind: str = "") -> Node:
    """Return what posts its form; `kind`: `main` for what is mostly wanted, `quiet` else."""
    own = {"name": name, "value": value} if name else {}
    return htpy.button(type="submit", class_=kind or None, **own)[visible(text)]


def number_field(
    label: str, name: str, low: int, high: int, value: str = "", *, required: bool = False
) -> Node:
    """Return a field for a whole number, which a phone shows its digits for."""
    return htpy.label(class_="field")[
        htpy.span[visible(label)],
        htpy.input(
            type="number",
            inputmode="numeric",
            name=name,
            min=str(low),
            max=str(high),
            value=visible(value),
            required=required,
            autocomplete="off",
        ),
    ]


def text_field(label: str, name: str, value: str = "", *, longest: int = 1_000) -> Node:
    """Return a field for a line of text."""
    return htpy.label(class_="field wide")[
        htpy.span[visible(label)],
        htpy.input(
            type="text", name=name, value=visible(value), maxlength=str(longest), autocomplete="off"
        ),
    ]


def choice(label: str, name: str, options: Iterable[tuple[str, str]], value: str = "") -> Node:
    """Return a list of which one is chosen: pairs of what is posted and what is read."""
    return htpy.label(class_="field wide")[
        htpy.span[visible(label)],
        htpy.select(name=name)[
            (
                htpy.option(value=each, selected=each == value)[visible(text)]
                for each, text in options
            )
        ],
    ]


def folded(summary: str, *content: Node, key: str, is_open: bool = False) -> Node:
    """Return what is unfolded when it is wanted; `key` names it on its page."""
    return htpy.details(id=key, open=is_open)[htpy.summary[visible(summary)], content]

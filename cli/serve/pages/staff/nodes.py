"""What the pages of officials are made of: forms that make lines, text with commands in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

import htpy
import msgspec
from markupsafe import Markup

from cli import outside
from cli.desk.consequences import Behind, consequences
from cli.input.find_people import name_of
from cli.terminal.visible import visible
from cli.wording.event_words import acts_in_words

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.staff.asking import LineAnswer, SentLine
    from cli.serve.pages.staff.line_forms import LineField, LineForm
    from cli.serve.pages.staff.sight import Sight
    from ledger.tournament.state import Tournament

NAMES_MAX = 600
"""Players whose names a field offers; of more, they are typed."""

DIGITS_MAX = 12
NOTHING: Mapping[str, str] = MappingProxyType({})
_COMMAND = re.compile(r"`([^`]+)`")
_TYPES = {"number": "number"}


def hidden(fields: Mapping[str, str]) -> Iterable[Node]:
    """Return what a form sends unseen."""
    return (htpy.input(type="hidden", name=name, value=value) for name, value in fields.items())


def carried(sight: Sight) -> dict[str, str]:
    """Return what each form carries: its own id, where it stands, what its page knew."""
    return {"id": outside.draw_id(), "at": sight.at, "seen": str(sight.tournament.seq)}


def act_form(sight: Sight, form: LineForm, given: Mapping[str, str] = NOTHING) -> Node:
    """Return an act's form; what is `given` is not asked for."""
    asked = [each for each in form.fields if each.name not in given]
    node = htpy.form(method="post", action="/line", class_="act")[
        hidden({"form": form.name, **carried(sight), **given}),
        (_labelled(each) for each in asked),
        htpy.button(type="submit")[form.title],
    ]
    if not asked:
        return node
    return htpy.details(class_="act")[htpy.summary[form.title], node]


def act_forms(
    sight: Sight, forms: Iterable[LineForm], given: Mapping[str, str] = NOTHING
) -> Sequence[Node]:
    """Return the forms of several acts, one after the other."""
    return [act_form(sight, each, given) for each in forms]


def _labelled(field: LineField) -> Node:
    return htpy.label[htpy.span[field.label], _input(field)]


def _input(field: LineField) -> Node:
    needed = field.is_needed and field.kind != "choice"
    if field.kind == "choice":
        return htpy.select(name=field.name)[
            (htpy.option(value=value)[words] for value, words in field.choices)
        ]
    if field.kind == "long":
        return htpy.textarea(name=field.name, rows="2", required=needed)
    names = "players" if field.kind == "player" else None
    kind = _TYPES.get(field.kind, "text")
    return htpy.input(type=kind, name=field.name, list=names, autocomplete="off", required=needed)


class _Offered:
    """The names as they were offered last: every page that is made of one state has the same."""

    def __init__(self) -> None:
        self._of: tuple[dict[str, str], int] = ({}, 0)
        self._made: Node = None

    def of(self, tournament: Tournament) -> Node:
        """Return the names of a state; never those of another state."""
        names, seq = self._of
        if names is not tournament.names or seq != tournament.seq:
            self._made = _names(tournament)
            self._of = tournament.names, tournament.seq
        return self._made


_OFFERED = _Offered()


def names_offered(sight: Sight) -> Node:
    """Return the names that fields for players offer, each by the number that is surely theirs."""
    return _OFFERED.of(sight.tournament)


def _names(tournament: Tournament) -> Node:
    players = [each.number for each in tournament.registered()]
    if len(players) > NAMES_MAX:
        return None
    names = htpy.datalist(id="players")[
        (htpy.option(value=f"#{each}")[visible(name_of(tournament, each))] for each in players)
    ]
    return Markup(names)  # noqa: S704 - made by htpy


def with_commands(text: str) -> list[Node]:
    """Return a text in which each command is a link that puts it into the desk's field."""
    parts = _COMMAND.split(visible(text))
    return [
        htpy.a(href=f"/desk?line={quote(part)}", class_="command")[part] if place % 2 else part
        for place, part in enumerate(parts)
    ]


def said(sight: Sight, asked: SentLine, found: LineAnswer) -> Node:
    """Return what a line would do, with the form that does it; or what it shows."""
    read, ahead = found.read, found.ahead
    warned = [htpy.p[with_commands(each)] for each in read.said]
    if ahead is None:
        shown = htpy.pre(tabindex="0")[_text_of(read.shown)] if read.shown.strip() else None
        return htpy.section(class_="said", aria_label="Answer")[warned, shown]
    if not ahead.acts:
        text = "It is so already; nothing would be written."
        return htpy.section(class_="said", aria_label="Answer")[warned, htpy.p[text]]
    words = msgspec.json.encode(asked.words).decode()
    return htpy.section(class_="said ahead", aria_label="What this would do")[
        htpy.h2["This would be on record"],
        warned,
        htpy.ul[(htpy.li[visible(each)] for each in ahead.acts)],
        (htpy.p[with_commands(each)] for each in ahead.besides),
        htpy.p(class_="about")[with_commands(ahead.next)],
        htpy.form(method="post", action="/line")[
            hidden({"words": words, "confirmed": "1", **carried(sight), "id": asked.command_id}),
            htpy.button(type="submit", class_="do", autofocus=True)["Do it"],
            " ",
            htpy.a(href=sight.at)["Leave it"],
        ],
    ]


def _text_of(text: str) -> str:
    """Return a text whose lines stay, made safe line by line."""
    return "\n".join(visible(line) for line in text.splitlines())


def answer_of(lines: Iterable[str]) -> Node:
    """Return what is answered in words."""
    return htpy.section(class_="said", aria_label="Answer", role="status")[
        (htpy.p[with_commands(each)] for each in lines)
    ]


def done(sight: Sight) -> Node:
    """Return what the act did that led to the page, by its first event; nothing without one."""
    seq = sight.words.get("done", "")
    if not (seq.isascii() and seq.isdecimal() and len(seq) < DIGITS_MAX):
        return None
    book, tournament = sight.desk.book, sight.tournament
    if not 0 < int(seq) <= len(book.lines):
        return answer_of(["It was so already; nothing was written."])
    first = book.recorded_at(int(seq))
    following = (book.recorded_at(each) for each in range(int(seq), len(book.lines) + 1))
    act = list(takewhile(lambda each: each.command_id == first.command_id, following))
    besides = consequences(Behind(tournament, book.recorded_at), act)
    return htpy.section(class_="said", aria_label="Done", role="status")[
        htpy.ul[(htpy.li[visible(each)] for each in acts_in_words(act, tournament))],
        (htpy.p[with_commands(each)] for each in besides),
    ]

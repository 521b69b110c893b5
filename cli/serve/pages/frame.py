"""The page around a part, and the visit that a page answers.

The frame has the tournament's name, links to the other parts, and the part. The page is complete
without its script, which only fetches a part again if there is news of it. A visit names the
visitor, the words of the path, and the error in the fields that the visitor posted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import htpy
from markupsafe import Markup

from cli.render.elements import caveat_lines, with_isolate_characters, with_isolates
from cli.serve.pages.clauses import linked
from cli.serve.parts import PARTS
from cli.serve.visitors import Visitor  # noqa: TC001 - a NamedTuple's
from cli.terminal.visible import isolated, marking_names, visible
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.machine.posted_words import PostedWords
    from ledger.formats import CardFile

FRAMES_KEPT = 100
"""Headers of pages that are kept: one for each kind of page and each posting."""

SEARCHED = frozenset({"pairings", "standings"})
"""The parts in which people look for a name."""


def page(event: EventHeading, name: str, part: bytes, position: int) -> str:
    """Return the page of a part; `part` is its HTML, whose texts are escaped already."""
    title = PARTS[name].title
    content = Markup(part.decode())  # noqa: S704 - made by htpy
    body: list[Node] = [
        htpy.p(class_="news", role="status", id="news", hidden=True),
        htpy.main(id="part", data_part=name, data_position=str(position))[content],
    ]
    around = Surroundings(name)
    return _frame(title, event, around, body, searched=name in SEARCHED)


class EventHeading(NamedTuple):
    """What is above every page: the tournament's name, and the six words of its latest posting."""

    name: str
    words: PostedWords | None = None


class Surroundings(NamedTuple):
    """Surroundings of a page's content: the page's name, further links, script and kind.

    The kind is the class of the page's body: `player`, `staff`, or empty for what all may see.
    """

    here: str = ""
    links: tuple[tuple[str, str], ...] = (("me", "My table"),)
    script: str = "hall"
    kind: str = ""


PLAIN = Surroundings()


def own_page(
    event: EventHeading,
    title: str,
    content: Node,
    problems: Sequence[str] = (),
    around: Surroundings = PLAIN,
    position: int = 0,
) -> str:
    """Return a page of its own, with what was wrong with what was posted from it above all else."""
    said = problems_node(problems)
    news = htpy.p(class_="news", role="status", id="news", hidden=True)
    main = htpy.main(id="part", data_position=str(position))
    body = [news, main[said if problems else None, content]]
    return _frame(title, event, around, body)


def problems_node(lines: Sequence[str]) -> Node:
    """Return why something was refused, each problem a paragraph."""
    return htpy.div(class_="problems", role="alert")[
        (htpy.p[linked(visible(each))] for each in lines)
    ]


def message_page(event: EventHeading, text: str, *, leads_to_sign_in: bool = False) -> str:
    """Return a page with one message, such as why a part is not there."""
    link = htpy.a(href="/pairings", class_="button")["Pairings"]
    if leads_to_sign_in:
        link = htpy.a(href="/in", class_="button main")["Sign in with a code"]
    said = htpy.div(class_="empty")[htpy.p[linked(visible(text))], htpy.p[link]]
    return _frame("", event, PLAIN, htpy.main(id="part")[said])


@marking_names()
def _frame(
    title: str, event: EventHeading, around: Surroundings, body: Node, *, searched: bool = False
) -> str:
    name = with_isolate_characters(isolated(visible(event.name)))
    whole = htpy.html(lang="en")[
        htpy.head[_META, htpy.title[f"{title}: {name}" if title else name], _files(around)],
        htpy.body(class_=around.kind or None)[
            _header(event, around),
            _WITNESS,
            caveat_lines(),
            _SEARCH if searched else None,
            body,
            _footer(event),
        ],
    ]
    return with_isolates(f"{whole}\n")


# The text of an element is a `Markup`, which is put in as it is.
_META = str(
    htpy.fragment[
        htpy.meta(charset="utf-8"),
        htpy.meta(name="viewport", content="width=device-width, initial-scale=1"),
        htpy.meta(name="color-scheme", content="light dark"),
    ]
)
_WITNESS = str(htpy.p(id="witness", role="status", hidden=True))
_SEARCH = str(
    htpy.div(role="search")[
        htpy.label(class_="search", hidden=True, id="search")[
            "Find ", htpy.input(type="search", id="find", autocomplete="off", placeholder="a name")
        ]
    ]
)
_SEAL = str(
    htpy.svg(viewbox="0 0 24 24", aria_hidden="true", fill="none", stroke="currentColor")[
        htpy.path(d="M12 2 4 5v6c0 5 3.4 8.8 8 11 4.6-2.2 8-6 8-11V5z", stroke_width="1.8"),
        htpy.path(class_="mark", d="m8 12 3 3 5-6", stroke_width="2"),
    ]
)


@lru_cache(FRAMES_KEPT)
def _files(around: Surroundings) -> str:
    """Return what a page fetches: the same for all who open it, so it is made once."""
    return str(
        htpy.fragment[
            htpy.link(rel="icon", type="image/svg+xml", href="/static/hall.svg"),
            htpy.link(rel="stylesheet", href="/static/hall.css"),
            htpy.script(src=f"/static/{around.script}.js", type="module"),
            htpy.script(src="/static/witness.js", type="module"),
            htpy.script(src="/static/outbox.js", type="module"),
        ]
    )


@lru_cache(FRAMES_KEPT)
def _header(event: EventHeading, around: Surroundings) -> str:
    """Return what is above a page: made once for all who open it, until the words change.

    It has no marks any more, so a page whose part has none either is not searched for them.
    """
    header = htpy.header(class_="top")[
        htpy.h1[isolated(visible(event.name))],
        htpy.nav(aria_label="Pages")[
            (_link(name, part.title, around.here) for name, part in PARTS.items()),
            (_link(name, title, around.here) for name, title in around.links),
        ],
    ]
    return Markup(with_isolates(str(header)))  # noqa: S704 - made by htpy


@lru_cache(FRAMES_KEPT)
def _footer(event: EventHeading) -> str:
    """Return what is below a page: the six words, and the sign that leads to the log's head.

    The sign has the state of the check by this browser in its name.
    """
    seal = htpy.a(href="/head", class_="seal", aria_labelledby="seal witness")
    footer = htpy.footer(class_="foot")[
        words_node(event.words), seal[_SEAL, htpy.span(id="seal")["The log's signed head"]]
    ]
    return str(footer)


def words_node(words: PostedWords | None) -> Node:
    """Return the six words with their round and event, hidden before there are any.

    The page's script puts those in their place that it derived itself.
    """
    place = words.place if words else ""
    return htpy.p(id="words", class_="words", hidden=not words)[
        htpy.span[place[:1].upper() + place[1:]], " ", htpy.strong[words.text if words else ""]
    ]


def _link(name: str, title: str, here: str) -> Node:
    return htpy.a(href=f"/{name}", aria_current="page" if name == here else None)[title]


class Visit(NamedTuple):
    """`words` are those of the path and of the question behind it, by name.

    After a form was refused `problems` says why, and `fields` has what was typed, to be shown
    again. `cards` are what lists are checked with, where the hall has a card file.
    """

    tournament: Tournament
    visitor: Visitor
    words: Mapping[str, str]
    problems: tuple[str, ...] = ()
    fields: Mapping[str, str] = {}
    cards: CardFile | None = None


class HallPage(NamedTuple):
    """A page of its own: `path` as `/match/{match}`; `body` gives the nodes inside its frame.

    It raises NotFound where there is nothing to show, or NotSignedIn where it is not for all.
    """

    path: str
    title: str
    body: Callable[[Visit], Node]
    around: Surroundings = PLAIN
    takes_long: bool = False
    """Whether the reader makes it, so that no act waits for it; it has no form then."""

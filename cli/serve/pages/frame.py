"""The page around a part, and the visit that a page answers.

The frame has the tournament's name, links to the other parts, and the part. The page is complete
without its script, which only fetches a part again if there is news of it. A visit names the
visitor, the words of the path, and the error in the fields that the visitor posted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import htpy
from markupsafe import Markup
from msgspec import Struct

from cli.languages.speaking import first_of_several, language, languages, marked, tr
from cli.render.elements import (
    caveat_lines,
    command_node,
    told,
    with_isolate_characters,
    with_isolates,
)
from cli.serve.pages.clauses import linked
from cli.serve.pages.script_texts import texts_script
from cli.serve.parts import PARTS
from cli.serve.pieces import SOUGHT_MAX
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

LANGUAGE_FIELD = "lang"
"""The field by which a page's footer asks for another language."""

SEARCHED = frozenset({"pairings", "standings"})
"""The parts in which people look for a name."""


class PartShown(NamedTuple):
    """A part, or a piece of it, for its page; `content` is HTML whose texts are escaped already."""

    name: str
    content: bytes
    title: str = ""
    """The title of the piece."""

    query: str = ""
    """The question with which the page's script fetches the piece again."""

    sought: str = ""
    """Text that was typed into the field of the search."""


_STYLES_OF = {
    "pairings": ("lists",),
    "standings": ("lists",),
    "bracket": ("figures",),
    "clock": ("clock",),
}


def page(event: EventHeading, shown: PartShown, position: int) -> str:
    """Return the page of a part, with the event up to which its script knows the log."""
    piece = with_isolate_characters(shown.title)  # one mark on a page has all of it looked through
    title = " ".join(filter(None, (tr(PARTS[shown.name].title), piece)))
    content = Markup(shown.content.decode())  # noqa: S704 - made by htpy
    body: list[Node] = [
        news_node(),
        htpy.main(
            id="part",
            data_part=shown.name,
            data_query=shown.query or None,
            data_position=str(position),
        )[content],
    ]
    field = _search_field(shown) if shown.name in SEARCHED else ""
    around = Surroundings(shown.name, styles=_STYLES_OF.get(shown.name, ()))
    return _frame(title, event, around, body, field=field)


def _search_field(shown: PartShown) -> str:
    """Return the form that finds a player in all pieces of a part; its script filters rows."""
    label = htpy.label(for_="find")[tr("Find")]
    field = htpy.input(
        type="search",
        name="find",
        id="find",
        autocomplete="off",
        required=True,
        maxlength=str(SOUGHT_MAX),
        placeholder=tr("a name"),
        value=visible(shown.sought) or None,
    )
    form = htpy.form(method="get", action=f"{shown.name}", class_="search", role="search")[
        label, field, htpy.button(type="submit")[tr("Find")]
    ]
    elsewhere = tr("No row of this page. Press Find to search the whole list.")
    status = htpy.p(id="elsewhere", role="status", hidden=True)[elsewhere]
    return Markup(f"{form}{status}")  # noqa: S704 - made by htpy


class Notice(Struct, frozen=True):
    """An announcement: one line for all pages, and its time. It is not on record.

    `version` counts the announcements of the tournament, so that a page hears of its end.
    """

    text: str = ""
    at: str = ""
    version: int = 0


NO_NOTICE = Notice()


class EventHeading(NamedTuple):
    """Heading of every page: the name, the words of the latest posting, and the announcement."""

    name: str
    words: PostedWords | None = None
    log: str = ""
    """The first letters of the log's number: what waits in a browser is kept under them."""

    notice: Notice = NO_NOTICE

    @property
    def base(self) -> str:
        """Return where this tournament's pages are at this address; their links begin there."""
        return f"/e/{self.log}/" if self.log else "/"


EVENTS = "/events"
"""The page of all tournaments; it and the pages below it belong to none of them."""


def from_base(path: str) -> str:
    """Return a path of the hall as a link on its pages, which begins at their base.

    A page that belongs to no tournament has its address from the root.
    """
    return path if path.startswith(EVENTS) else path.removeprefix("/") or "pairings"


def moment_in_words(seq: int, number: int, clock: str) -> str:
    """Say in which round an event was entered, and when; number 0 is before the first round."""
    if number:
        return tr(
            "Event {seq} was entered in round {round}, at {clock}.",
            seq=seq,
            round=number,
            clock=clock,
        )
    return tr("Event {seq} was entered before round 1, at {clock}.", seq=seq, clock=clock)


def way_to(path: str, text: str, *, download: bool = False) -> Node:
    """Return a link that is a line of its own, and as high as a button."""
    return htpy.p(class_="go")[htpy.a(href=from_base(path), download=download)[text]]


def notice_node(notice: Notice) -> Node:
    """Return the organizer's line with its time, hidden without one; scripts put the next here."""
    return htpy.p(class_="notice", id="notice", role="status", hidden=not notice.text)[
        htpy.span[visible(notice.text)], " ", htpy.small[notice.at]
    ]


AWAY = marked("The desk cannot be reached. What you see may be old.")
AWAY_FOR_STAFF = marked(
    "The computer that serves this tournament does not answer, and what you see may "
    "be old. If tourney serve has ended there, start it again: the owner then signs "
    "in by the address that it opens or shows."
)
SIGNED_OUT = marked(
    "You are signed out: sign in, then send it again. At the computer that serves, "
    "the new address of tourney serve signs you in; elsewhere it is the link or the "
    "code on your badge."
)
"""Sentence of a refusal's page about a form that another page sent."""

CLOSED = marked(
    "This tournament was closed at the desk. This page comes back when it is opened again."
)


def news_node(kind: str = "") -> Node:
    """Return the banner, hidden, with the sentences that a page's script shows in it.

    `kind` is that of the page: an official reads what to do while the server does not answer.
    """
    away = tr(AWAY_FOR_STAFF if kind == "staff" else AWAY)
    return htpy.p(
        class_="news", role="status", id="news", hidden=True, data_away=away, data_closed=tr(CLOSED)
    )


class Surroundings(NamedTuple):
    """Surroundings of a page's content: the page's name, further links, script and kind.

    The kind is the class of the page's body, and names its own style: `player`, `staff`, or empty
    for what all may see.
    """

    here: str = ""
    links: tuple[tuple[str, str], ...] = (("me", marked("My table")),)
    script: str = "hall"
    kind: str = ""
    is_of_event: bool = True
    """Whether it is a page of a tournament, with links to its parts and the words of its log."""

    styles: tuple[str, ...] = ()
    """Further styles, such as that of pictures."""


PLAIN = Surroundings()


def own_page(
    event: EventHeading,
    title: str,
    content: Node,
    problems: Sequence[str] = (),
    around: Surroundings = PLAIN,
    position: int = 0,
) -> str:
    """Return a complete page, with the problems of the posted form above its content."""
    said = problems_node(problems)
    news = news_node(around.kind)
    main = htpy.main(id="part", data_position=str(position))
    body = [news, main[said if problems else None, content]]
    return _frame(title, event, around, body)


def problems_node(lines: Sequence[str], command: Callable[[str], Node] = command_node) -> Node:
    """Return why something was refused, each problem a paragraph.

    `command` makes what is shown for a command that a problem names.
    """
    return htpy.div(class_="problems", role="alert")[
        (htpy.p[told(visible(each), command, linked)] for each in lines)
    ]


def message_page(
    event: EventHeading, text: str, here: str = "", *, leads_to_sign_in: bool = False
) -> str:
    """Return a page with one message, such as that the part `here` does not exist."""
    link: Node = htpy.a(href="pairings", class_="button")[tr("Pairings")]
    if leads_to_sign_in:
        link = htpy.a(href="in", class_="button main")[tr("Sign in with a code")]
    elif here == "pairings":
        link = None  # it is this page
    said = htpy.div(class_="empty")[
        htpy.p[told(visible(text), words=linked)], htpy.p[link] if link is not None else None
    ]
    main = htpy.main(id="part", data_signed_out=tr(SIGNED_OUT) if leads_to_sign_in else None)
    return _frame("", event, PLAIN._replace(here=here), main[said])


@marking_names()
def _frame(
    title: str, event: EventHeading, around: Surroundings, body: Node, *, field: str = ""
) -> str:
    name = with_isolate_characters(isolated(visible(event.name)))
    whole = htpy.html(lang=first_of_several(language()), data_log=event.log)[
        htpy.head[
            _META,
            htpy.base(href=event.base),
            htpy.title[f"{title}: {name}" if title else name],
            _files(around, language()),
        ],
        htpy.body(class_=around.kind or None)[
            _header(event, around, language()),
            [_WITNESS, notice_node(event.notice)] if around.is_of_event else None,
            caveat_lines(),
            field or None,
            body,
            _footer(event, language()) if around.is_of_event else None,
            Markup(_languages(language())),  # noqa: S704 - made by htpy
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
_SEAL = str(
    htpy.svg(viewbox="0 0 24 24", aria_hidden="true", fill="none", stroke="currentColor")[
        htpy.path(d="M12 2 4 5v6c0 5 3.4 8.8 8 11 4.6-2.2 8-6 8-11V5z", stroke_width="1.8"),
        htpy.path(class_="mark", d="m8 12 3 3 5-6", stroke_width="2"),
    ]
)


@lru_cache(FRAMES_KEPT)
def _files(around: Surroundings, spoken: str) -> str:
    """Return what a page fetches: the same for all who open it, so it is made once."""
    return str(
        htpy.fragment[
            htpy.link(
                rel="icon",
                type="image/svg+xml",
                href="static/hall.svg",
                data_news="static/hall-news.svg",
            ),
            htpy.link(rel="stylesheet", href="static/hall.css"),
            (
                htpy.link(rel="stylesheet", href=f"static/{name}.css")
                for name in (around.kind, *around.styles)
                if name
            ),
            texts_script(spoken) if around.is_of_event or around.script else None,
            htpy.script(src=f"static/{around.script}.js", type="module") if around.script else None,
            (
                htpy.script(src=f"static/{name}.js", type="module")
                for name in ("witness", "outbox", "acts" if around.script == "player" else "forms")
                if around.is_of_event
            ),
        ]
    )


@lru_cache(FRAMES_KEPT)
def _header(event: EventHeading, around: Surroundings, spoken: str) -> str:
    """Return what is above a page: made once for all who open it, until the words change.

    It has no marks any more, so a page whose part has none either is not searched for them. The
    link to all tournaments is next to the name of the current one.
    """
    del spoken  # the language is a part of the cache's key
    header = htpy.header(class_="top")[
        htpy.h1[isolated(visible(event.name))],
        (
            htpy.p(class_="now go")[htpy.a(href=name)[tr(title)]]
            for name, title in around.links
            if name == EVENTS
        ),
        htpy.nav(aria_label=tr("Pages"))[
            (
                _link(name, tr(part.title), around.here)
                for name, part in PARTS.items()
                if around.is_of_event
            ),
            (_link(name, tr(title), around.here) for name, title in around.links if name != EVENTS),
        ],
    ]
    return Markup(with_isolates(str(header)))  # noqa: S704 - made by htpy


@lru_cache(FRAMES_KEPT)
def _footer(event: EventHeading, spoken: str) -> str:
    """Return what is below a page: the six words, and the sign that leads to the log's head.

    The sign has the state of the check by this browser in its name.
    """
    del spoken  # the language is a part of the cache's key
    seal = htpy.a(href="head", class_="seal", aria_labelledby="seal witness")
    footer = htpy.footer(class_="foot")[
        words_node(event.words, "head"),
        seal[_SEAL, htpy.span(id="seal")[tr("The log's signed head")]],
    ]
    return str(footer)


@cache
def _languages(spoken: str) -> str:
    """Return the languages to choose from, each by its own name; the page is then shown again."""
    buttons = [
        htpy.button(
            type="submit",
            name=LANGUAGE_FIELD,
            value=code,
            lang=code,
            aria_pressed="true" if code == spoken else "false",
        )[name]
        for code, name in languages().items()
    ]
    return str(htpy.form(method="get", class_="languages")[buttons])


def words_node(words: PostedWords | None, explained: str = "") -> Node:
    """Return the six words with their round and event, hidden before the first posting.

    The page's script replaces them with the words that it derived. The words are a link to the page
    `explained`.
    """
    place = ""
    if words and words.round:
        place = tr("Round {round}, event {size}", round=words.round, size=words.size)
    elif words:
        place = tr("Before round 1, event {size}", size=words.size)
    text = htpy.strong(translate="no")[words.text if words else ""]
    return htpy.p(id="words", class_="words", hidden=not words)[
        htpy.span[place],
        " ",
        htpy.a(href=explained, title=tr("Use of these words"))[text] if explained else text,
    ]


def _link(name: str, title: str, here: str) -> Node:
    return htpy.a(href=f"{name}", aria_current="page" if name == here else None)[title]


class Visit(NamedTuple):
    """`words` are those of the path and of the question behind it, by name.

    After a form was refused, `problems` lists the reasons, and `fields` has the typed words, to be
    shown again. Lists are checked with `cards`, if the hall has a card file.
    """

    tournament: Tournament
    visitor: Visitor
    words: Mapping[str, str]
    problems: tuple[str, ...] = ()
    fields: Mapping[str, str] = {}
    cards: CardFile | None = None


class HallPage(NamedTuple):
    """A complete page: `path` as `/match/{match}`; `body` gives the nodes inside its frame.

    `body` raises NotFound if the page would be empty, or NotSignedIn if the page is not public.
    """

    path: str
    title: str
    body: Callable[[Visit], Node]
    around: Surroundings = PLAIN
    takes_long: bool = False
    """Whether the reader makes it, so that no act waits for it; it has no form then."""

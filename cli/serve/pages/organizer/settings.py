"""The desk's page of settings: names, staff, links, screens, announcements, keys and addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.moments import time_in
from cli.languages.speaking import languages, marked, tr
from cli.render.elements import records_table, told, tr_nodes
from cli.serve.commands import draft_in_words, waiting_in
from cli.serve.pages.frame import EVENTS, way_to
from cli.serve.pages.organizer.day_forms import OFFICE_FORMS, RESUME_FORM, STAND_DOWN_FORM
from cli.serve.pages.organizer.desk import moved_line, tabbed
from cli.serve.pages.organizer.lines import act_form, announcement, hidden, refilled_by
from cli.serve.pages.organizer.links import NO_PHONES, exists, link_panel
from cli.serve.pages.organizer.waiting import ROLES
from cli.serve.pages.showing import CONTENTS, LANGUAGES
from cli.serve.ports.numbers import is_loopback
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, isolated, visible
from cli.wording.page_words import SHOWN_IN_WORDS, browsers_in_words, link_holder
from cli.wording.phrases import who
from ledger.books.links import browsers_in
from ledger.facts.office import lets_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.serve.pages.organizer.lines import LineForm, Sight

_FORMS = {form.name: form for form in OFFICE_FORMS}
SCREEN = "screen"
"""The name of the form of a screen."""

LINKS_MAX = 40
"""Links of officials and screens that are listed; players have theirs on the page of players."""


def settings_page(sight: Sight) -> Node:
    """Return the page, a section for each subject."""
    sections = (
        (tr("Names"), _names(sight)),
        (tr("Staff"), _staff(sight)),
        (tr("Screens and announcements"), _screens(sight)),
        (tr("Addresses"), _addresses(sight)),
        (tr("Links"), _links(sight)),
        (tr("Keys and signatures"), _keys(sight)),
        *([(tr("Files"), _files())] if sight.visitor.is_owner else []),
    )
    return tabbed(
        sight,
        "/desk/settings",
        _shown_link(sight),
        htpy.div(class_="columns")[
            (
                htpy.section(class_="panel", aria_label=title)[htpy.h2[title], content]
                for title, content in sections
            )
        ],
    )


def _form(name: str, title: str = "") -> LineForm:
    form = _FORMS[name]
    return form._replace(title=title) if title else form


def _shown_link(sight: Sight) -> Node:
    """Return the link that the address asks for, as a large code."""
    of = sight.words.get("link", "")
    if not exists(sight.tournament, of):
        return None
    return htpy.section(class_="panel", id="link", aria_label=tr("The link"))[link_panel(sight, of)]


def _link_shown(sight: Sight, of: str, text: str) -> Node:
    """Return the link to the page with the link of a holder; on that page only its text."""
    is_here = sight.words.get("link", "") == of
    return text if is_here else htpy.a(href=f"desk/settings?link={of}")[text]


def _names(sight: Sight) -> Node:
    current = sight.tournament.public_names
    return [
        htpy.p[
            tr_nodes(
                "Public pages show names as: {example}",
                example=htpy.strong[tr(SHOWN_IN_WORDS[current])],
            )
        ],
        act_form(sight, _form("names", marked("Choose other names"))),
    ]


def _staff(sight: Sight) -> Node:
    tournament = sight.tournament
    return [
        htpy.ul(class_="staff-list")[
            (
                htpy.li[
                    htpy.strong[isolated(visible(tournament.names.get(f"o{official.number}", "")))],
                    f" (o{official.number}) {_roles(official.roles)}",
                    tr(", a spectator now") if official.stood_down else None,
                    " ",
                    _link_shown(sight, f"o{official.number}", tr("Show the link")),
                    act_form(
                        sight,
                        RESUME_FORM if official.stood_down else STAND_DOWN_FORM,
                        {"name": f"o{official.number}"},
                    ),
                ]
                for official in tournament.officials[1:]
            )
        ],
        act_form(sight, _form("appoint", marked("Appoint an official, or change roles"))),
        act_form(sight, _form("hand-over")),
    ]


def _roles(roles: Sequence[str]) -> str:
    return ", ".join(tr(ROLES.get(role, role)) for role in roles)


def _screens(sight: Sight) -> Node:
    """Return what each screen shows, and the form that changes it."""
    numbers = sight.screens.known()
    return htpy.div(id="screens")[
        htpy.p(class_="hint")[
            tr_nodes("Open {page} on each screen.", page=htpy.a(href="screen")["/screen"])
        ],
        (_screen(sight, number) for number in numbers),
        _languages(sight),
        announcement(sight),
    ]


def _languages(sight: Sight) -> Node:
    """Return the form that chooses the languages of screens and sheets."""
    chosen = refilled_by(sight, LANGUAGES, {}) or sight.screens.languages
    return htpy.form(method="post", action="screens", class_="act")[
        hidden({"form": LANGUAGES, "at": sight.at}),
        htpy.fieldset[
            htpy.legend[tr("Languages of screens and printed sheets")],
            htpy.p(class_="hint")[
                tr("Each text is shown in all that you choose; without one, in the browser's.")
            ],
            (
                htpy.label(class_="choice", lang=code)[
                    htpy.input(
                        type="checkbox",
                        name=code,
                        value="yes",
                        checked=code in chosen,
                    ),
                    name,
                ]
                for code, name in languages().items()
            ),
        ],
        htpy.button(type="submit")[tr("Use these languages")],
    ]


def _screen(sight: Sight, number: int) -> Node:
    current, given = sight.screens.showing(number), {"screen": str(number)}
    filled = refilled_by(sight, SCREEN, given)
    shown, text = filled.get("content", current.content), filled.get("text", current.text)
    title = tr("Screen {number}", number=number)
    if not sight.screens.is_there(number):
        title = tr("Screen {number}, not connected", number=number)
    return htpy.form(method="post", action="screens", class_="screen")[
        hidden({"form": SCREEN, "at": sight.at, **given}),
        htpy.a(href=f"screen/{number}")[title],
        htpy.select(name="content", aria_label=tr("Screen {number} shows", number=number))[
            (
                htpy.option(value=content, selected=content == shown)[tr(content)]
                for content in CONTENTS
            )
        ],
        htpy.input(
            type="text",
            name="text",
            value=visible(text),
            aria_label=tr("Text on screen {number}", number=number),
        ),
        htpy.button(type="submit")[tr("Show it")],
    ]


def _addresses(sight: Sight) -> Node:
    allowed = sight.tournament.plain_http
    base = sight.base("e1")
    return [
        htpy.p[tr_nodes("Phones open {address}", address=htpy.bdi[f"{base}/"])]
        if not is_loopback(base)
        else htpy.p[told(tr(NO_PHONES))],
        moved_line(sight.code),
        htpy.p[
            tr_nodes(
                "Over plain HTTP, officials {may}",
                may=htpy.strong[tr("may act") if allowed else tr("can only read")],
            )
        ],
        act_form(
            sight, _form("plain-http", marked("Choose what officials may do over plain HTTP"))
        ),
        htpy.p[
            tr_nodes(
                "{link} for walk-ins",
                link=_link_shown(sight, "e1", tr("The tournament's own link")),
            )
        ],
    ]


def _links(sight: Sight) -> Node:
    tournament, book = sight.tournament, sight.desk.book
    opened = list(browsers_in(sight.desk.store().vault_items(book.stream)))
    links = [link for link in tournament.floor.links.values() if not link.until]
    others = [link for link in links if not link.of.startswith("p")]

    def browsers(number: int) -> str:
        signed_in = (browser for link, browser in opened if link == number)
        return browsers_in_words(
            [(time_in(tournament, browser.since), browser.agent) for browser in signed_in]
        )

    columns = [
        Column(marked("link"), right=True, value=lambda link: str(link.number)),
        Column(
            marked("holder"), flexible=True, value=lambda link: link_holder(tournament, link.of)
        ),
        Column(
            marked("works"),
            value=lambda link: tr("yes") if lets_in(tournament, link) else tr("not now"),
        ),
        Column(marked("browsers"), flexible=True, value=lambda link: browsers(link.number)),
    ]
    return [
        htpy.p[
            tr_nodes(
                "{players} with a link: {page}",
                players=how_many(len(links) - len(others), "player"),
                page=htpy.a(href="desk/players")[tr("Players")],
            )
        ],
        records_table(columns, others[:LINKS_MAX], heading="holder") if others else None,
        act_form(sight, _form("revoke")),
    ]


def _keys(sight: Sight) -> Node:
    """Return the keys of the log, and the acts that wait for a signature."""
    tournament, book = sight.tournament, sight.desk.book
    drafts = waiting_in(sight.desk.store().vault_items(book.stream), tournament)
    return [
        htpy.ul[(_key(sight, key) for key in tournament.keys.values())],
        way_to("head", tr("The log's signed head")),
        htpy.h3[tr("Waiting for a signature")],
        htpy.ul(class_="needs")[
            (
                htpy.li[
                    tr(
                        "{label}: {text}. ",
                        label=who(draft.by, tournament),
                        text=visible(draft_in_words(book, draft)),
                    ),
                    tr_nodes(
                        "At a terminal with the key: {command}",
                        command=htpy.code["tourney sign now"],
                    ),
                ]
                for draft in drafts
            )
        ]
        if drafts
        else htpy.p[tr("No act is waiting.")],
    ]


def _files() -> Node:
    """Return the way to the files of the tournament, which only the owner of the computer takes."""
    return htpy.p[
        tr_nodes(
            "The log, the public pages, a backup and the check of the log: {page}",
            page=htpy.a(href=EVENTS)[tr("Tournaments")],
        )
    ]


def _key(sight: Sight, key: object) -> Iterator[Node]:
    holder, until = getattr(key, "holder", 0), getattr(key, "until", 0)
    name = who(f"o{holder}", sight.tournament) if holder else tr("the log")
    if until:
        yield htpy.li[tr("Key of {holder}, revoked by event {number}", holder=name, number=until)]
    else:
        yield htpy.li[tr("Key of {holder}, in use", holder=name)]

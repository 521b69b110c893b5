"""Links on the desk's pages: one link as a large code, and the route that issues links.

A link lets its bearer act as its holder. So a page shows it only to its holder, to the official who
issued it, which is on record, and to the organizer; and only over a connection that no other person
can hear: loopback or TLS. Another official issues a new link, which ends the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from cli.languages.speaking import marked, tr
from cli.machine.keyring import draw_key
from cli.render.codes import svg_code
from cli.render.elements import told, tr_nodes
from cli.render.printed_pages import LinkSlip, link_slip
from cli.serve.acts import is_command_id, official_of
from cli.serve.door.guard import is_private
from cli.serve.forms import fields_of, own_path
from cli.serve.pages.organizer.lines import carried, hidden
from cli.serve.ports.numbers import is_loopback
from cli.serve.refusals import FRESH, Malformed, NotTheirs
from cli.wording.page_words import link_holder
from ledger.books.links import digest_of_link, links_key, secret_of, secret_of_link
from ledger.errors import LedgerError, NotFound
from ledger.facts.base import ORGANIZER
from ledger.facts.keys import LinkIssued
from ledger.problems import phrase, problem
from ledger.rules.authority import roles_for
from ledger.rules.keys import IssueLinks
from ledger.tournament.table_records import link_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.pages.organizer.lines import Sight
    from cli.serve.visitors import Visitor
    from ledger.books.open_log import OpenLog
    from ledger.tournament.state import Tournament

    Refusing = Callable[[Request, LedgerError], Awaitable[Response]]

SEE_OTHER = 303
ALL = "all"
"""The word in the place of a holder that means every player in play."""

_NOT_PRIVATE = marked(
    "a link is shown only on this computer or over TLS: other people can hear this connection"
)

_OF_ANOTHER = marked(
    "Another official issued the link that is valid now: only they and the organizer "
    "can see it. You can issue a new one, which is on record."
)
_NOT_HERE = marked("This server does not have the secret of the link that is valid now.")
_PURPOSES = {
    "p": marked("It opens the player's own page on their phone."),
    "o": marked("It signs the official in on another phone or computer."),
    "s": marked("It lets a browser show the pages of the screen."),
    "e": marked("With it, players ask on their own phones to be registered."),
}
"""The purpose of a link, by the kind of its holder."""

NO_PHONES = marked(
    "Phones cannot reach this address: stop `tourney serve` with Ctrl-C, and start it with --lan."
)
"""The remark on the address of a server that only this computer reaches."""


def may_issue(tournament: Tournament, visitor: Visitor, of: str) -> bool:
    """Return whether an official may issue a link to a holder."""
    if not visitor.official or visitor.only_reads:
        return False
    if of == visitor.by:
        return True
    official = tournament.officials[visitor.official]
    issued = LinkIssued(len(tournament.floor.links) + 1, of, "0" * 64)
    allowed = roles_for(tournament, issued)
    return not official.stood_down and not allowed.isdisjoint(official.roles)


def may_show(book: OpenLog, visitor: Visitor, of: str) -> bool:
    """Return whether an official may see the link that a holder has.

    The link of a screen or of the tournament lets its bearer act as no person, so the officials who
    may issue one may see it.
    """
    tournament = book.tournament
    link = link_of(tournament.floor.links, of)
    if link is None or not may_issue(tournament, visitor, of):
        return False
    if of[0] not in "po" or of == visitor.by:
        return True
    if not ORGANIZER.isdisjoint(tournament.officials[visitor.official].roles):
        return True
    return book.recorded_at(link.seq).by.partition("/")[0] == visitor.by


def slips_of(desk: Desk, holders: Iterable[str], base: str) -> list[LinkSlip]:
    """Return a slip for each holder with a link whose secret this store has."""
    tournament = desk.book.tournament
    key = links_key(desk.store(), desk.book.stream, draw_key)
    links = (link_of(tournament.floor.links, of) for of in holders)
    return [
        link_slip(tournament, desk.book.stream, link, key, base)
        for link in links
        if link is not None and secret_of_link(key, link)
    ]


def base_for(hall: Hall, asked: str, of: str) -> str:
    """Return the address of the hall for the phone of a holder, without its last slash.

    `asked` is the address at which the page was opened. Phones cannot open it if it is this
    computer's own, and it is for officials if it is the port over TLS.
    """
    private = hall.private_address
    if private and of.startswith("o"):
        return private.rstrip("/")
    is_for_others = is_loopback(asked) or (private and asked.startswith(private))
    return ((hall.public_address() if is_for_others else "") or asked).rstrip("/")


def link_panel(sight: Sight, of: str) -> Node:
    """Return the link of a holder as a large code, with the buttons that issue and revoke it."""
    tournament = sight.tournament
    name = link_holder(tournament, of)
    if not may_issue(tournament, sight.visitor, of):
        return htpy.p(class_="hint")[tr("You cannot see the link of {holder}.", holder=name)]
    if not sight.is_private:
        return htpy.p(class_="hint")[tr(_NOT_PRIVATE)]
    has_link = link_of(tournament.floor.links, of) is not None
    is_shown = may_show(sight.desk.book, sight.visitor, of)
    slips = slips_of(sight.desk, [of], sight.base(of)) if is_shown else []
    issue = _issuing(sight, of, tr("Replace the link") if has_link else tr("Issue a link"))
    if not slips:
        reason = _NOT_HERE if is_shown else _OF_ANOTHER
        return htpy.section(aria_label=tr("Link of {holder}", holder=name))[
            htpy.p[
                None if has_link else (tr("No link for {holder} yet.", holder=name), " "),
                tr(_PURPOSES[of[0]]),
            ],
            htpy.p(class_="hint")[tr(reason)] if has_link else None,
            issue,
        ]
    (slip,) = slips
    is_near = is_loopback(slip.address)
    return htpy.section(class_="big-code", aria_label=tr("Link of {holder}", holder=name))[
        htpy.p(class_="who")[name],
        Markup(svg_code(slip.address.encode())),  # noqa: S704 - drawn here
        htpy.p(class_="typed")[slip.code],
        htpy.p(class_="hint")[
            tr_nodes(
                "Scan this with the camera, or type the code at {address}.",
                address=htpy.bdi(class_="long")[slip.address.partition("#")[0]],
            ),
            [" ", told(tr(NO_PHONES))] if is_near else None,
            " ",
            tr("The link ends when it is replaced."),
        ],
        htpy.div(class_="row")[
            htpy.a(class_="button", href=f"desk/print/badge/{of}")[tr("Print the badge")], issue
        ],
    ]


def _issuing(sight: Sight, of: str, title: str) -> Node:
    return htpy.form(method="post", action="desk/links", class_="act")[
        hidden({"of": of, **carried(sight)}), htpy.button(type="submit")[title]
    ]


def issue_all(sight: Sight) -> Node:
    """Return the button that issues a link to every player without one."""
    return _issuing(sight, ALL, tr("Issue the missing links"))


class LinkPages:
    """The route that issues links."""

    def __init__(self, hall: Hall, refused: Refusing) -> None:
        """`refused` shows the page of a form that is refused."""
        self._hall, self._refused = hall, refused
        self.routes = [Route("/desk/links", self.issue, methods=["POST"])]

    async def issue(self, request: Request) -> Response:
        """Issue a link to a holder, or the missing links of all players; lead back to the page."""
        visitor = await official_of(request)
        try:
            return await self._issued(request, visitor)
        except (Malformed, NotTheirs):
            raise
        except LedgerError as error:
            return await self._refused(request, error)

    async def _issued(self, request: Request, visitor: Visitor) -> Response:
        fields = fields_of(await request.body())
        act_id = fields.get("id", "")
        if not is_command_id(act_id):
            raise Malformed(phrase("this form does not come from this hall: open its page again"))
        if not is_private(request.scope):
            raise NotTheirs(problem("links.heard", _NOT_PRIVATE))
        command_id = visitor.command_id(act_id)

        def orders(desk: Desk) -> Sequence[tuple[str, str]]:
            tournament = desk.book.tournament
            key = links_key(desk.store(), desk.book.stream, draw_key)
            holders = _holders(tournament, fields.get("of", ""))
            return [(of, digest_of_link(secret_of(key, command_id, of))) for of in holders]

        issued = tuple(await self._hall.at_desk(orders))
        recorded = await self._hall.act(visitor, act_id, IssueLinks(issued)) if issued else []
        if fields.get("of") == ALL:
            seq = recorded[0].seq if recorded else 0
            return RedirectResponse(f"/desk/players?done={seq}", SEE_OTHER, FRESH)
        return RedirectResponse(own_path(fields, "at"), SEE_OTHER, FRESH)


def _holders(tournament: Tournament, words: str) -> list[str]:
    """Return the holder that words name, or all players in play without a link."""
    if words == ALL:
        links = tournament.floor.links
        players = [f"p{number}" for number in tournament.active()]
        return [of for of in players if link_of(links, of) is None]
    if not exists(tournament, words):
        raise NotFound(phrase("this link would have no holder: open the page again"))
    return [words]


def exists(tournament: Tournament, of: str) -> bool:
    """Return whether a link can be of a holder: a person, a screen, or the tournament."""
    kind, number = of[:1], of[1:]
    if not (number.isascii() and number.isdecimal() and len(number) < len("10000")):
        return False
    persons = {"p": len(tournament.players), "o": len(tournament.officials)}
    if kind in persons:
        return 0 < int(number) < persons[kind] and of not in tournament.forgotten
    return kind == "s" or of == "e1"

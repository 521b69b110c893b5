"""The page where a link leads to: its script posts the secret, which no log or Referer ever has.

Without a script, and without a camera, the code of the badge is typed there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli.serve.door.keeper import Doorkeeper, Tried
from cli.serve.forms.posted import fields_of
from cli.serve.pages.every import PAGES
from cli.serve.pages.form_fields import button
from cli.serve.pages.frame import Surroundings, own_page
from cli.serve.refusals import FRESH, Malformed, in_words, status_of
from cli.serve.visitors import visitor_of
from cli.terminal.visible import visible
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.serve.hall import Hall
    from cli.serve.visitors import Visitor

SEE_OTHER = 303
DAYS = 5
"""How long a browser keeps its cookie: an event has no more."""

TRIED_MAX = 100
"""Characters of a secret or a code that are looked at."""

_DAY_SECONDS = 86_400
_AROUND = Surroundings(script="in", styles=("hall", "player"))


class SignIn:
    """`/in` and `/out`."""

    def __init__(self, hall: Hall, keeper: Doorkeeper) -> None:
        self._hall, self._keeper = hall, keeper
        self.routes = [
            Route("/in", self.shown),
            Route("/in", self.post, methods=["POST"]),
            Route("/out", self.out, methods=["POST"]),
        ]

    async def shown(self, request: Request) -> Response:
        """Show the form, and who is signed in already."""
        return HTMLResponse(await self._page(await visitor_of(request)), headers=FRESH)

    async def post(self, request: Request) -> Response:
        """Exchange a secret or a code for a cookie."""
        try:
            visitor, cookie = await self._keeper.let_in(self._tried(request, await request.body()))
        except LedgerError as error:
            page = await self._page(await visitor_of(request), (in_words(error, {}),))
            return HTMLResponse(page, status_of(error), FRESH)
        answer = RedirectResponse(home_of(visitor), SEE_OTHER, FRESH)
        is_secure = request.url.scheme == "https"
        answer.set_cookie(
            self._keeper.cookie_name,
            cookie,
            DAYS * _DAY_SECONDS,
            httponly=True,
            samesite="strict",
            secure=is_secure,
        )
        return answer

    async def out(self, request: Request) -> Response:
        """Sign this browser out."""
        name = self._keeper.cookie_name
        await self._keeper.let_out(request.cookies.get(name, ""))
        answer = RedirectResponse("/in", SEE_OTHER, FRESH)
        answer.delete_cookie(name, httponly=True, samesite="strict")
        return answer

    def _tried(self, request: Request, body: bytes) -> Tried:
        fields = fields_of(body)
        secret, code = fields.get("secret", "").strip(), fields.get("code", "").strip()
        if not (secret or code) or max(len(secret), len(code)) > TRIED_MAX:
            raise Malformed("type the code that is printed on your badge")
        address = request.client.host if request.client else ""
        agent = request.headers.get("user-agent", "")
        cookie = request.cookies.get(self._keeper.cookie_name, "")
        return Tried(secret, code, address, agent, cookie)

    async def _page(self, visitor: Visitor, problems: tuple[str, ...] = ()) -> str:
        name = await self._hall.view(lambda state: state.names.get(visitor.by, ""), visitor)
        content = _form(), _signed_in(visitor, name) if visitor.link else None
        return own_page(self._hall.heading, "Sign in", content, problems, _AROUND)


def home_of(visitor: Visitor) -> str:
    """Return the page that somebody is led to once they are in."""
    if visitor.official:
        return "/desk"
    if visitor.is_screen:
        return f"/screen/{visitor.screen}"
    own = "/join" if visitor.is_newcomer else "/me"
    return own if any(each.path == own for each in PAGES) else "/"


def _form() -> Node:
    return htpy.form(method="post", action="/in", id="in")[
        htpy.input(type="hidden", name="secret", id="secret"),
        htpy.label(class_="field")[
            htpy.span["The code on your badge"],
            htpy.input(
                name="code",
                autocomplete="off",
                autocapitalize="characters",
                spellcheck="false",
                maxlength="20",
                placeholder="ABCD-EFGH",
            ),
        ],
        button("Sign in", kind="main"),
        htpy.p["Pairings, standings and the clock need no link."],
    ]


def _signed_in(visitor: Visitor, name: str) -> Node:
    who = visible(name) or ("a screen" if visitor.is_screen else visitor.by or "somebody new")
    return htpy.form(method="post", action="/out")[
        htpy.p[f"Signed in as {who}. ", button("Sign out on this browser", kind="quiet")]
    ]

"""The page that a link leads to: its script proves the secret, which it sends to nobody.

`GET /api/v1/nonce` gives a nonce, and `POST /in` takes `digest`, `nonce` and `proof`: see
`ledger/books/links.py`. A code of 16 letters is proved in the same way. Over loopback or TLS
a code may be typed without a script as well. A browser that comes from another address of the
tournament posts `held`, its link and id, and proves the key that it kept; with `ask` it gets only
the number and the name of its person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import htpy
import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli.languages.speaking import marked, tr
from cli.serve.door.guard import is_private
from cli.serve.door.keeper import Doorkeeper, LetIn, Tried, cookie_in
from cli.serve.forms import button, fields_of
from cli.serve.pages.frame import Surroundings, own_page
from cli.serve.pages.player import PAGES
from cli.serve.refusals import FRESH, Malformed, details, in_words, status_of
from cli.serve.visitors import address_of, visitor_of
from cli.terminal.visible import isolated, marking_names, visible
from ledger.books.links import CODE_LETTERS, digest_of_link, typed_code
from ledger.errors import LedgerError, Refused
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.serve.hall import Hall
    from cli.serve.visitors import Visitor

SEE_OTHER = 303
DAYS = 5
"""Days that a browser keeps its cookie: a tournament has no more."""

TRIED_MAX = 200
"""Characters of what is shown at the door, field by field."""

_DAY_SECONDS = 86_400
_AROUND = Surroundings(script="in", kind="player")
_PROOF = ("digest", "nonce", "proof")
_HELD = re.compile(r"([1-9][0-9]{0,6})\.([0-9a-f]{16})")
"""Link and browser of a browser that comes from another address (`moved.js`)."""


class SignIn:
    """`/in`, `/out` and the nonce that a proof is made for."""

    def __init__(self, hall: Hall, keeper: Doorkeeper) -> None:
        self._hall, self._keeper = hall, keeper
        self.routes = [
            Route("/api/v1/nonce", self.nonce),
            Route("/in", self.shown),
            Route("/in", self.post, methods=["POST"]),
            Route("/out", self.out, methods=["POST"]),
        ]

    async def nonce(self, _: Request) -> Response:
        """Answer with a nonce to sign in with, good once and for a minute, and the log's id."""
        value = {"nonce": self._keeper.nonces.new(), "log": self._hall.event}
        return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)

    async def shown(self, request: Request) -> Response:
        """Show the form, and who is signed in already."""
        return HTMLResponse(await self._page(request), headers=FRESH)

    async def post(self, request: Request) -> Response:
        """Exchange a proof or a code for a cookie; a proof is answered in JSON."""
        fields = fields_of(await request.body())
        try:
            found = await self._let_in(self._tried(request, fields))
        except LedgerError as error:
            if "proof" in fields:
                return details(error, {})
            return HTMLResponse(await self._page(request, error), status_of(error), FRESH)
        if not found.cookie:
            return await self._who(found.visitor)
        answer = self._answer(found) if "proof" in fields else _led_to(home_of(found.visitor))
        answer.set_cookie(
            self._keeper.cookie_name(request.scope),
            found.cookie,
            DAYS * _DAY_SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    async def _let_in(self, tried: Tried) -> LetIn:
        """Let a browser in, or say which other tournament of this server its code belongs to.

        The try counts as any wrong one. Codes of eight letters, which can be guessed, are looked up
        in no other tournament.

        Raises:
            LedgerError: as `Doorkeeper.let_in`, or the code is of another tournament.
        """
        try:
            return await self._keeper.let_in(tried)
        except Refused as error:
            code = typed_code(tried.code)
            digest = digest_of_link(code) if len(code) == CODE_LETTERS else tried.digest
            is_unknown = error.problems[0].code == "link.not_one"
            elsewhere = await self._hall.elsewhere(digest) if is_unknown and digest else None
            if elsewhere is None:
                raise
            text = marked(
                "this code belongs to another tournament here, {name}: sign in at {place}"
            )
            name, place = isolated(visible(elsewhere.name)), f"{elsewhere.base}in"
            raise Refused(problem("link.elsewhere", text, name=name, place=place)) from None

    async def _who(self, visitor: Visitor) -> Response:
        """Answer a browser with the number and name of its person; nothing is changed."""
        name = await self._hall.view(lambda state: state.names.get(visitor.by, ""), visitor)
        value = {"by": visitor.by, "name": visible(name)}
        return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)

    def _answer(self, found: LetIn) -> Response:
        """Answer a script with what its key follows from, and where it goes now."""
        value = {
            "log": self._hall.event,
            "link": found.visitor.link,
            "browser": found.browser,
            "by": found.visitor.by,
            "player": found.visitor.player,
            "kept": found.is_kept,
            "to": home_of(found.visitor),
        }
        return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)

    async def out(self, request: Request) -> Response:
        """Sign this browser out; without its mark only the cookie of who asks goes."""
        session = await self._keeper.session(request)
        if session and request.scope.get("is_own", True):
            await self._keeper.let_out(session)
        answer = _led_to("/in")
        name = self._keeper.cookie_name(request.scope)
        is_secure = request.url.scheme == "https"
        answer.delete_cookie(name, httponly=True, samesite="strict", secure=is_secure)
        return answer

    def _tried(self, request: Request, fields: dict[str, str]) -> Tried:
        if "secret" in fields:
            raise Malformed(
                phrase(
                    "do not send a link's secret: GET /api/v1/nonce, then post digest, nonce and "
                    "proof"
                )
            )
        digest, nonce, proof = (fields.get(name, "") for name in _PROOF)
        code, owner = fields.get("code", "").strip(), fields.get("owner", "").strip()
        former = _HELD.fullmatch(fields.get("held", "")) if nonce and proof else None
        is_proof = bool((digest or former) and nonce and proof)
        if not (is_proof or code) or max(map(len, (digest, nonce, proof, code, owner))) > TRIED_MAX:
            raise Malformed(phrase("type the code that is printed on your badge"))
        return Tried(
            address_of(request),
            request.headers.get("user-agent", ""),
            digest,
            nonce,
            proof,
            "" if is_proof else code,
            owner,
            cookie_in(request.scope, self._keeper.cookie_name(request.scope)),
            is_private(request.scope),
            (int(former[1]), former[2]) if former else (0, ""),
            bool(former and fields.get("ask")),
        )

    async def _page(self, request: Request, error: LedgerError | None = None) -> str:
        visitor = await visitor_of(request)
        name = await self._hall.view(lambda state: state.names.get(visitor.by, ""), visitor)
        problems = (in_words(error, {}),) if error else ()
        is_asked_whose = bool(error and error.problems[0].code == "link.whose")
        place = error.problems[0].about.get("place", "") if error and error.problems else ""
        form = _form(is_private=is_private(request.scope), is_asked_whose=is_asked_whose)
        with marking_names():
            content = [
                htpy.p(class_="go")[htpy.a(href=str(place))[tr("Sign in there")]]
                if place
                else None,
                form,
                _signed_in(visitor, name) if visitor.link else None,
            ]
        return own_page(self._hall.heading, tr("Sign in"), content, problems, _AROUND)


def _led_to(path: str) -> Response:
    return RedirectResponse(path, SEE_OTHER, FRESH)


def home_of(visitor: Visitor) -> str:
    """Return the page that somebody is led to once they are in."""
    if visitor.official:
        return "/desk"
    if visitor.is_screen:
        return f"/screen/{visitor.screen}"
    own = "/join" if visitor.is_newcomer else "/me"
    return own if any(each.path == own for each in PAGES) else "/"


def _form(*, is_private: bool, is_asked_whose: bool) -> Node:
    """Return the form for a code; in the open its field has no name, so that no browser sends it.

    The script of the page reads the field, and proves the code.
    """
    own = {"name": "code"} if is_private else {}
    return htpy.form(method="post", action="in", id="in", class_="act")[
        htpy.h2[tr("Sign in")],
        htpy.label(class_="field wide")[
            htpy.span[tr("The code on your badge")],
            htpy.input(
                id="code",
                autocomplete="off",
                autocapitalize="characters",
                spellcheck="false",
                maxlength="30",
                placeholder="ABCD-EFGH-JKLM-NPQR",
                **own,
            ),
        ],
        htpy.label(class_="field wide", id="whose", hidden=not is_asked_whose)[
            htpy.span[tr("If it has eight letters: also the name or number on the badge")],
            htpy.input(id="owner", name="owner", autocomplete="off", maxlength="100"),
        ],
        button(tr("Sign in"), kind="main"),
        htpy.div(class_="problems", role="alert", id="refused", hidden=True),
        None if is_private else htpy.noscript[htpy.p[tr(_NO_SCRIPT)]],
        htpy.p(class_="hint")[tr("Pairings, standings and the clock need no link.")],
    ]


_NO_SCRIPT = marked(
    "Signing in needs scripts, because other people may see what this connection "
    "sends. Without scripts you can read everything; report on paper."
)


def _signed_in(visitor: Visitor, name: str) -> Node:
    who = isolated(visible(name)) or (
        tr("a screen") if visitor.is_screen else visitor.by or tr("a new player")
    )
    return htpy.form(method="post", action="out")[
        htpy.p[
            tr("Signed in as {who}.", who=who),
            " ",
            button(tr("Sign out on this browser"), kind="quiet"),
        ]
    ]

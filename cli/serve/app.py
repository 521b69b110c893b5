"""What is asked by its path, and how it is answered.

/                       the pairings
/pairings, /standings,  a page each
/bracket, /clock
/parts/NAME             the part alone, for a page that is open
/api/v1/NAME            the part as JSON, as the verb's --json gives it
/api/v1/stream          news, as server-sent events
/api/v1/head, /head     the newest signed head; /api/v1/consistency, /api/v1/forks with it
/api/v1/witness         all that a phone checks, of one moment; /api/v1/kept with it
/api/v1/acts            acts, posted as JSON
/api/v1/me              who is signed in
/api/v1/season/...      the season, where one is shown
/api/v1/openapi.json    what all of these read and give
/do/NAME                a form, posted by a page
/in, /out               signing in by a link or a code, and out
/static/NAME            style and script
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from cli.render.elements import page_style
from cli.serve.api import acts, openapi
from cli.serve.api.heads import SignedHeads
from cli.serve.api.receipts import Receipts
from cli.serve.api.season_views import SeasonViews
from cli.serve.api.views import Views
from cli.serve.door.carried import CarriedActs
from cli.serve.door.guard import Guard
from cli.serve.door.keeper import Doorkeeper
from cli.serve.door.marks import Marks
from cli.serve.door.sign_in import SignIn
from cli.serve.forms.doing import Doing
from cli.serve.news.stream import Streams, messages
from cli.serve.pages.frame import message_page, page
from cli.serve.pages.screens.routes import ScreenPages, screen_streams
from cli.serve.pages.screens.showing import Screens
from cli.serve.pages.staff.routes import Staff
from cli.serve.parts import PARTS, RUNNING, Rendered
from cli.serve.paths import Paths
from cli.serve.refusals import FRESH, details, refusal_page
from cli.serve.turns import ASKER
from cli.serve.visitors import visitor_of
from ledger.errors import LedgerError, NotFound
from ledger.proof.notes import words_file

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Iterable, Sequence

    from starlette.requests import Request

    from cli.desk.session import LineReader
    from cli.serve.api.season_views import SeasonSource
    from cli.serve.hall import Hall
    from cli.serve.parts import Form
    from cli.serve.paths import Gate
    from cli.serve.visitors import Visitors

FIRST = "pairings"
STYLE, WORDS = "hall.css", "words.txt"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
STATIC_SECONDS = 300
"""How long a browser asks for no style and no script again: a page has several."""

_POSITION_DIGITS = 12


def app_of(
    hall: Hall,
    visitors: Visitors | None = None,
    reader: LineReader | None = None,
    names: Iterable[str] = (),
    season: SeasonSource | None = None,
) -> Guard:
    """Return the application that answers for a hall; `visitors` finds out who asks.

    Without one it is whom their cookie says. `reader` reads the lines of officials' pages; without
    one there are none of these. `names` are those of the server's own certificate; `season` gives
    the views of a season, where one is shown.
    """
    streams, keeper = Streams(), Doorkeeper(hall)
    pages = [
        *SignIn(hall, keeper).routes,
        *CarriedActs(hall, keeper).routes,
        *_pages_of(hall, reader),
    ]
    gate = None if visitors else Marks(hall, keeper)
    app = _Answers(hall, streams, pages, season).paths(visitors or keeper.visitor, gate)
    return Guard(app, names)


def _pages_of(hall: Hall, reader: LineReader | None) -> Sequence[Route]:
    """Return what shows and takes pages beside the parts."""
    screens = Screens(lambda: hall.event)
    staff = Staff(hall, reader, screens).routes if reader else ()
    return (*staff, *ScreenPages(hall, screen_streams(), screens).routes)


class _Answers:
    """One function for each kind of path."""

    def __init__(
        self,
        hall: Hall,
        streams: Streams,
        more: Sequence[Route],
        season: SeasonSource | None = None,
    ) -> None:
        self._hall, self._streams = hall, streams
        found = files("cli.serve").joinpath("static").iterdir()
        self._static = {
            each.name: each.read_bytes() for each in found if each.name.endswith(tuple(_KINDS))
        }
        self._static[STYLE] = page_style().encode() + self._static[STYLE]
        self._static[WORDS] = words_file()
        self.routes = [
            *(Route(f"/{name}", self.page) for name in ("", *PARTS)),
            *Doing(hall).routes,
            *more,
            *SignedHeads(hall).routes,
            *Receipts(hall).routes,
            Route("/parts/{name}", self.part),
            Route("/api/v1/stream", self.stream),
            Route("/api/v1/acts", self.acts, methods=["POST"]),
            Route("/api/v1/me", self.who_asks),
            Route("/api/v1/openapi.json", self.described),
            *Views(hall).routes,
            *SeasonViews(hall, season).routes,
            Route("/api/v1/{name}", self.value),
            Route("/static/{name}", self.static),
        ]

    def paths(self, visitors: Visitors, gate: Gate | None) -> Paths:
        """Return the application."""
        return Paths(self.routes, self.refused, self._following, visitors, gate)

    @asynccontextmanager
    async def _following(self, _: Router) -> AsyncIterator[None]:
        import asyncio

        await self._hall.open()
        following: asyncio.Task[None] = asyncio.create_task(self._hall.follow())
        try:
            yield
        finally:
            await self._hall.close()
            following.cancel()

    async def page(self, request: Request) -> Response:
        """Answer with a whole page; a part that is not there yet is said on it."""
        name = request.url.path.strip("/") or FIRST
        try:
            made = await self._hall.part(name, "html")
        except NotFound as error:
            return HTMLResponse(message_page(self._hall.heading, str(error)), headers=FRESH)
        whole = page(self._hall.heading, name, made.content, self._hall.position)
        return HTMLResponse(whole, headers=FRESH)

    async def part(self, request: Request) -> Response:
        """Answer with a part, or that it is as it was."""
        return await self._made(request, "html", "text/html; charset=utf-8")

    async def value(self, request: Request) -> Response:
        """Answer with a part's value."""
        return await self._made(request, "json", "application/json")

    async def stream(self, request: Request) -> Response:
        """Answer with news from the position on that the page has seen; from now on without one."""
        last = request.headers.get("last-event-id") or request.query_params.get("after", "")
        is_one = last.isascii() and last.isdigit() and len(last) <= _POSITION_DIGITS
        position = min(int(last), self._hall.position) if is_one else self._hall.position
        await visitor_of(request)
        return self._streams.answer(ASKER.get(), messages(self._hall, position))

    async def acts(self, request: Request) -> Response:
        """Carry an act out."""
        return await acts.post(self._hall, request)

    async def described(self, _: Request) -> Response:
        """What every path reads and gives."""
        return Response(
            openapi.described(self.routes), media_type="application/json", headers=FRESH
        )

    async def who_asks(self, request: Request) -> Response:
        """Answer with who is signed in; nobody has an empty `by`."""
        value = msgspec.json.encode(await visitor_of(request))
        return Response(value, media_type="application/json", headers=FRESH)

    async def static(self, request: Request) -> Response:
        """Answer with style or script."""
        name = request.path_params["name"]
        if name not in self._static:
            raise NotFound("there is no such file here")
        content = self._static[name]
        kept = Rendered(content, f'"{sha256(content).hexdigest()[:16]}"')
        headers = {"cache-control": f"max-age={STATIC_SECONDS}", "etag": kept.tag}
        if _has(request, kept):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(content, media_type=_KINDS[name[name.index(".") :]], headers=headers)

    async def refused(self, request: Request, error: Exception) -> Response:
        """Answer with why not: problem details for a program (RFC 9457), a page for a person."""
        names = await self._names(request)
        if request.url.path.startswith("/api/"):
            return details(error, names)
        return refusal_page(self._hall.heading, error, names)

    async def _names(self, request: Request) -> dict[str, str]:
        """The names that may be shown to who asks; empty while the store gives no answer."""
        try:
            visitor = await visitor_of(request)
            return await self._hall.view(lambda state: dict(state.names), visitor)
        except LedgerError:
            return {}

    async def _made(self, request: Request, form: Form, media_type: str) -> Response:
        name = request.path_params["name"]
        made = await self._hall.part(name, form)
        if name not in RUNNING and _has(request, made):
            kept = {"cache-control": "no-cache", "etag": made.tag}
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=kept)
        packed = made.packed if _takes_packed(request) else b""
        tag = f"W/{made.tag}" if packed else made.tag
        headers = FRESH if name in RUNNING else {"cache-control": "no-cache", "etag": tag}
        headers = headers | {"vary": "accept-encoding"}
        if packed:
            headers["content-encoding"] = "gzip"
        return Response(packed or made.content, media_type=media_type, headers=headers)


def _has(request: Request, made: Rendered) -> bool:
    """Whether the page that asks has the part as it is."""
    tags = request.headers.get("if-none-match", "").split(",")
    return made.tag in (each.strip().removeprefix("W/") for each in tags)


def _takes_packed(request: Request) -> bool:
    """Whether who asks reads gzip, as every browser does; one that weighs it gets plain bytes."""
    kinds = (each.split(";") for each in request.headers.get("accept-encoding", "").split(","))
    return any(kind.strip() == "gzip" and not weighed for kind, *weighed in kinds)

"""The application: each path, the function that answers it, and the description of the interface.

/                       the pairings
/pairings, /standings,  a page each
/bracket, /clock
                        of long lists a piece: ?from=K or ?from=501; ?find=NAME leads to a row
/parts/NAME             only the part, or the piece, for a page that is open
/api/v1/NAME            the part as JSON, as the verb's --json gives it
/api/v1/stream          news, as server-sent events
/api/v1/head, /head     the newest signed head; /api/v1/consistency, /api/v1/forks with it
/api/v1/witness         all that a phone checks, of one moment; /api/v1/kept with it
/api/v1/moved           the same for a page of another address, with this address, signed
/api/v1/acts            acts, posted as JSON
/api/v1/me              the visitor who is signed in
/api/v1/season/...      the season, if one is shown
/api/v1/openapi.json    the description of all of these (OpenAPI), from routes and structs
/do/NAME                a form, posted by a page
/in, /out               signing in by a link or a code, and out
/static/NAME            style and script

A path is looked up, not tried against each route. A fault in this program is answered in words, and
is one line at the server.
"""

from __future__ import annotations

import os
import re
from contextlib import asynccontextmanager
from functools import cache, cached_property
from gzip import compress
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct
from rcssmin import cssmin
from rjsmin import jsmin
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, Router

from cli.languages.choice import for_browser
from cli.languages.speaking import codes, language, marked, speaking, tr
from cli.render.elements import style_file
from cli.serve import acts
from cli.serve.acts import Doing, Done, SentAct
from cli.serve.door.followers import Followers
from cli.serve.door.guard import Guard, is_loopback
from cli.serve.door.keeper import Doorkeeper
from cli.serve.door.marks import CarriedActs, Marks
from cli.serve.door.moved import Moved, MovedPaths
from cli.serve.door.sign_in import SignIn
from cli.serve.heads import KeptHead, Receipts, SeenHeads, SignedHeads, Witnessed
from cli.serve.pages.clauses import clauses_page
from cli.serve.pages.frame import LANGUAGE_FIELD, SEARCHED, message_page, own_page
from cli.serve.pages.organizer.staff import Staff, raised
from cli.serve.pages.restored.routes import (
    OfferedActs,
    OwnReceipts,
    RestoredAt,
    RestoredPaths,
    Weighed,
)
from cli.serve.pages.screens import ScreenPages, screen_streams
from cli.serve.pages.script_texts import texts_file
from cli.serve.pages.showing import Screens
from cli.serve.parts import PACKED_FROM, PARTS, Rendered
from cli.serve.refusals import FRESH, Fault, Malformed, WrongMethod, details, plainly, refusal_page
from cli.serve.stream import Streams, asked_for, messages
from cli.serve.views import BASE as SEASON
from cli.serve.views import SEASON_VIEWS, SeasonViews, Views
from cli.serve.visitors import ASKER, NOBODY, Visitor, address_of, stranger_at, visitor_of
from cli.succession.acts_of_desks import TakeOverLine
from cli.succession.questions_of_followers import Applying, AskingFollower, Followed
from cli.terminal.output import TRACE_VARIABLE, say
from ledger import ENGINE
from ledger.errors import LedgerError, NotFound
from ledger.problems import Problem, phrase, problem
from ledger.proof.notes import words_file

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence

    from starlette.types import Lifespan, Receive, Scope, Send

    from cli.desk.session import LineReader
    from cli.serve.door.owner import Owner
    from cli.serve.hall import Hall
    from cli.serve.views import SeasonSource
    from cli.serve.visitors import Visitors
    from ledger.tournament.state import Tournament

    Refuse = Callable[[Request, LedgerError], Awaitable[Response]]
    Endpoint = Callable[[Request], Awaitable[Response]]
    Gate = Callable[[Request, Endpoint], Awaitable[Response]]


class Paths:
    """The routes of the hall; one without words in its path goes before one with some."""

    def __init__(
        self,
        routes: Sequence[Route],
        refuse: Refuse,
        lifespan: Lifespan[Router],
        visitors: Visitors,
        gate: Gate | None = None,
    ) -> None:
        """`refuse` says why a request is not answered; `visitors` finds out who asks.

        `gate` answers what is posted in the place of its route, or lets it through to it.
        """
        self.routes = routes
        self._refuse, self._visitors, self._gate = refuse, visitors, gate
        self._life = Router(lifespan=lifespan)
        self._plain: dict[str, list[Route]] = {}
        self._with_words: dict[str, list[Route]] = {}
        for each in routes:
            where = self._with_words if each.param_convertors else self._plain
            key = _first_word(each.path) if each.param_convertors else each.path
            where.setdefault(key, []).append(each)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._life(scope, receive, send)
            return
        scope["visitors"] = self._visitors
        request = Request(scope, receive)
        ASKER.set(stranger_at(address_of(request)))  # until their cookie says more
        spoken = for_browser(
            request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", "")
        )
        with speaking(spoken):
            await self._respond(request, send)

    async def _respond(self, request: Request, send: Send) -> None:
        """Answer a request in the language that is spoken."""
        scope, receive = request.scope, request.receive
        try:
            response = _language_chosen(request) or await self._answer(request)
        except LedgerError as error:
            response = await self._refuse(request, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            _say_fault(scope, error)
            text = marked(
                "a fault in tourney itself: the log is unchanged; tell the desk what you did"
            )
            response = await self._refuse(request, Fault(problem("serve.fault", text)))
        pack_own_page(request, response)
        try:
            await response(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - a stream's, which the server closes
            _say_fault(scope, error)

    async def _answer(self, request: Request) -> Response:
        scope = request.scope
        fitting = self._fitting(scope["path"].rstrip("/") or "/")
        for route, words in fitting:
            if scope["method"] in (route.methods or ()):
                scope["path_params"] = words
                if self._gate and scope["method"] == "POST":
                    return await self._gate(request, route.endpoint)
                answer: Response = await route.endpoint(request)
                return answer
        if not fitting:
            raise NotFound(phrase("there is no such page"))
        why = WrongMethod(phrase("this address does not accept this method: open the page itself"))
        refusal = await self._refuse(request, why)
        allowed = {method for route, _ in fitting for method in route.methods or ()}
        refusal.headers["allow"] = ", ".join(sorted(allowed))
        return refusal

    def _fitting(self, path: str) -> list[tuple[Route, dict[str, Any]]]:
        """Return the routes of a path, each with the path's words by name."""
        if plain := self._plain.get(path):
            return [(each, {}) for each in plain]
        return [
            (each, words)
            for each in self._with_words.get(_first_word(path), ())
            if (words := _words_in(path, each)) is not None
        ]


def _first_word(path: str) -> str:
    return path[1:].partition("/")[0]


def _words_in(path: str, route: Route) -> dict[str, Any] | None:
    found = route.path_regex.match(path)
    if not found:
        return None
    return {
        name: route.param_convertors[name].convert(word) for name, word in found.groupdict().items()
    }


def _say_fault(scope: Scope, error: Exception) -> None:
    """Say at the server what broke; where that is asked for, with its trace."""
    fault = f"{type(error).__name__}: {error}"
    say(tr("a fault in tourney itself, at {path}: {fault}", path=scope["path"], fault=fault))
    if TRACE_VARIABLE in os.environ:
        raise error


VARYING = "accept-encoding, accept-language, cookie"

LANGUAGE_COOKIE = "tourney-language"
LANGUAGE_SECONDS = 365 * 24 * 3600


def _language_chosen(request: Request) -> Response | None:
    """Remember the language that a page's footer offers, and lead back to the page; else None."""
    chosen = request.query_params.get(LANGUAGE_FIELD, "")
    if chosen not in codes() or request.method != "GET":
        return None
    page = "/" + quote(request.scope["path"].lstrip("/\\"))  # two slashes would lead elsewhere
    response = RedirectResponse(page, HTTPStatus.SEE_OTHER, FRESH)
    response.set_cookie(
        LANGUAGE_COOKIE, chosen, LANGUAGE_SECONDS, path="/", httponly=True, samesite="lax"
    )
    return response


OWN_PACKING = 1
"""Level at which a page for one visitor is packed: 10 kB take 0.1 ms."""

PLAIN_QUESTIONS = frozenset({b"", b"part=", b"whole="})
"""Questions behind a path that have no text of another person."""


def pack_own_page(request: Request, response: Response) -> None:
    """Pack a page that was made for one visitor, if it goes over a network.

    The length of a packed answer shows whether a text that an attacker put into it is on it twice.
    So an answer that repeats a question, a form or a wrong address is not packed. No page holds a
    key, or the secret of a link or a cookie, and no browser sends a cookie for another site's page.
    """
    scope = request.scope
    if (
        type(response) is not HTMLResponse
        or response.status_code != HTTPStatus.OK
        or scope["method"] != "GET"
        or scope["query_string"] not in PLAIN_QUESTIONS
        or len(response.body) < PACKED_FROM
        or is_loopback(scope)
    ):
        return
    response.headers["vary"] = VARYING
    if _takes_packed(request):
        response.body = compress(bytes(response.body), OWN_PACKING, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))


BASE = "/api/v1"
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


class ProblemDetails(Struct, frozen=True):
    """Why a request was refused (RFC 9457); each problem has its sentence and commands as well."""

    type: str
    title: str
    status: int
    detail: str
    problems: list[Problem] = []


class _Described(NamedTuple):
    """What a path reads and gives, beyond what its route says."""

    reads: type[Struct] | None = None
    gives: type[Struct] | None = None
    media: str = "application/json"
    also: tuple[int, ...] = ()
    query: tuple[str, ...] = ()


_DESCRIBED: dict[str, _Described] = {
    f"{BASE}/acts": _Described(SentAct, Done, also=(202, 400, 401, 403, 409, 413, 415)),
    f"{BASE}/me": _Described(gives=Visitor),
    f"{BASE}/forks": _Described(SeenHeads, also=(400,)),
    f"{BASE}/kept": _Described(KeptHead, also=(400,)),
    f"{BASE}/followers": _Described(Applying, also=(400, 401, 403, 409)),
    f"{BASE}/follow": _Described(AskingFollower, Followed, also=(400, 403)),
    f"{BASE}/restored": _Described(KeptHead, RestoredAt, also=(400, 409)),
    f"{BASE}/receipts": _Described(gives=OwnReceipts, query=("have",), also=(401, 403)),
    f"{BASE}/offers": _Described(OfferedActs, Weighed, also=(400, 401, 403, 409)),
    f"{BASE}/taken-over": _Described(TakeOverLine, also=(400, 409)),
    f"{BASE}/witness": _Described(gives=Witnessed, query=("kept",), also=(400,)),
    f"{BASE}/moved": _Described(gives=Moved, query=("kept", "nonce"), also=(400,)),
    f"{BASE}/consistency": _Described(query=("from", "to"), also=(400,)),
    f"{BASE}/stream": _Described(media="text/event-stream", query=("after",), also=(429,)),
    f"{BASE}/log": _Described(media="application/x-ndjson", query=("after",), also=(401,)),
    f"{BASE}/disputes": _Described(query=("all",), also=(401,)),
    **{
        f"{SEASON}{each.path}": _Described(
            query=(*each.words, *each.narrowed), also=(304, 400, 401, 404, 409, 429)
        )
        for each in SEASON_VIEWS
    },
}
_OF_ALL = _Described(also=(304, 404))
_STRUCTS = (
    *(SentAct, Done, SeenHeads, KeptHead, Witnessed, Moved, Visitor, ProblemDetails),
    *(Applying, AskingFollower, Followed, TakeOverLine),
    *(RestoredAt, OwnReceipts, OfferedActs, Weighed),
)


def described(routes: Iterable[Route]) -> bytes:
    """Return the description of all routes under `/api/v1`."""
    schemas, components = msgspec.json.schema_components(
        _STRUCTS, ref_template="#/components/schemas/{name}"
    )
    refs = dict(zip(_STRUCTS, schemas, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        if not route.path.startswith(BASE):
            continue
        for method in sorted(set(route.methods or ()) - {"HEAD"}):
            path = _PARAMETER.sub(r"{\1}", route.path)
            paths.setdefault(path, {})[method.lower()] = _operation(route, method, refs)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "tourney: the served hall", "version": ENGINE.split()[-1]},
            "paths": paths,
            "components": {"schemas": components},
        }
    )


def _operation(route: Route, method: str, refs: dict[Any, Any]) -> dict[str, object]:
    known = _DESCRIBED.get(route.path, _OF_ALL)
    says = (route.endpoint.__doc__ or "").strip().partition("\n")[0]
    answer = {known.media: {"schema": refs[known.gives] if known.gives else {}}}
    operation: dict[str, object] = {
        "operationId": f"{method.lower()}{re.sub(r'[^A-Za-z]+', '_', route.path)}".rstrip("_"),
        "summary": says,
        "parameters": [
            *(_parameter(each, "path") for each in _PARAMETER.findall(route.path)),
            *(_parameter(each, "query") for each in known.query),
        ],
        "responses": {
            "200": {"description": "the requested data", "content": answer},
            **{str(status): _refusal(status, refs) for status in (*known.also, 503)},
        },
    }
    if known.reads:
        content = {"application/json": {"schema": refs[known.reads]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameter(name: str, place: str) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string"}
    if name == "name":
        schema["enum"] = sorted(PARTS)
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _refusal(status: int, refs: dict[Any, Any]) -> dict[str, object]:
    if status == 304:  # noqa: PLR2004 - as RFC 9110 names it
        return {"description": "not modified"}
    content = {"application/problem+json": {"schema": refs[ProblemDetails]}}
    return {"description": "why the request was refused", "content": content}


FIRST = "pairings"
STYLE, WORDS = "hall.css", "words.txt"
FURTHER_STYLES = ("lists.css", "figures.css")
"""Styles of tables and pictures, which only pages that have them load."""

_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
_COMPACT = {".css": cssmin, ".js": jsmin}
STATIC_SECONDS = 300
"""How long a browser asks for no style and no script again: a page has several."""

HTML = "text/html; charset=utf-8"


def app_of(
    hall: Hall,
    visitors: Visitors | None = None,
    reader: LineReader | None = None,
    names: Iterable[str] = (),
    season: SeasonSource | None = None,
    owner: Owner | None = None,
) -> Guard:
    """Return the application that answers for a hall; `visitors` finds out who asks.

    Without one it is whom their cookie says. `reader` reads the lines of officials' pages; without
    one there are none of these. `names` are those of the server's own certificate; `season` gives
    the views of a season, where one is shown. `owner` knows who is at this computer.
    """
    streams, keeper = Streams(), Doorkeeper(hall)
    hall.has_link = keeper.has_link
    pages = [
        *SignIn(hall, keeper).routes,
        *CarriedActs(hall, keeper).routes,
        *_pages_of(hall, reader),
    ]
    gate = None if visitors else Marks(hall, keeper)

    async def visitor(request: Request) -> Visitor:
        found = await keeper.visitor(request)
        is_owner = found is NOBODY and owner is not None and owner.is_signed_in(request.scope)
        return hall.official_here() if is_owner else found

    async def noted(request: Request) -> Visitor:
        found = await (visitors or visitor)(request)
        if found.player or found.official:
            hall.languages.note(found.by, language())
        return found

    app = _Answers(hall, streams, pages, season).paths(noted, gate)
    return Guard(app, names)


def _pages_of(hall: Hall, reader: LineReader | None) -> Sequence[Route]:
    """Return what shows and takes pages beside the parts."""
    screens = Screens(lambda: hall.event)
    hall.notice = screens.notice
    staff = Staff(hall, reader, screens) if reader else None
    on_screens = ScreenPages(hall, screen_streams(), screens, staff.refused if staff else raised)
    followers, heads = Followers(hall, screens.announce), SignedHeads(hall)
    restored = RestoredPaths(hall, heads)
    return (
        *(staff.routes if staff else ()),
        *on_screens.routes,
        *followers.routes,
        *restored.routes,
        *heads.routes,
        *MovedPaths(hall, heads).routes,
    )


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
        self._static = static_files()
        self.routes = [
            *(Route(f"/{name}", self.page) for name in ("", *PARTS)),
            *Doing(hall).routes,
            *more,
            *Receipts(hall).routes,
            Route("/clause", self.clauses),
            Route("/clause/{label}", self.clauses),
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
        async with self._hall.running():
            yield

    async def page(self, request: Request) -> Response:
        """Answer with the page of a part or a piece, or with a message if the part is missing."""
        name = request.url.path.strip("/") or FIRST
        sought, start = _asked(request, name)
        try:
            if sought and name in SEARCHED:
                found = await self._hall.search(name, sought)
                if found.only:
                    return RedirectResponse(found.only, HTTPStatus.SEE_OTHER, FRESH)
                return _shared(request, found.page, HTML)
            return _shared(request, await self._hall.page(name, start), HTML)
        except NotFound as error:
            if start:
                raise
            missing = message_page(self._hall.heading, plainly(error), name)
            return HTMLResponse(missing, headers=FRESH)

    async def clauses(self, request: Request) -> Response:
        """Answer with the clause of an ID, or with those that fit words; the page is public."""
        typed = request.path_params.get("label") or request.query_params.get("words", "")
        heading = self._hall.heading

        def content(tournament: Tournament) -> str:
            return own_page(heading, tr("Clause"), clauses_page(tournament, typed))

        return _shared(request, await self._hall.public_page(typed, content), HTML)

    async def part(self, request: Request) -> Response:
        """Answer with a part or a piece of it, or with 304."""
        name = request.path_params["name"]
        sought, start = _asked(request, name)
        if sought and name in SEARCHED:
            return _shared(request, (await self._hall.search(name, sought)).part, HTML)
        return _shared(request, await self._hall.part(name, start), HTML)

    async def value(self, request: Request) -> Response:
        """Answer with a part's value; its bytes count against the asker's budget."""
        answer = _shared(
            request, await self._hall.value(request.path_params["name"]), "application/json"
        )
        await self._hall.count_sent(len(answer.body))
        return answer

    async def stream(self, request: Request) -> Response:
        """Answer with news from the position on that the page has seen; from now on without one."""
        await visitor_of(request)
        position, beyond = await asked_for(self._hall, request)
        return self._streams.answer(ASKER.get(), messages(self._hall, position, beyond))

    async def acts(self, request: Request) -> Response:
        """Carry an act out."""
        return await acts.post(self._hall, request)

    @cached_property
    def _description(self) -> bytes:
        """Return the description of the paths, made once: it takes as long as a hundred pages."""
        return described(self.routes)

    async def described(self, _: Request) -> Response:
        """What every path reads and gives."""
        return Response(self._description, media_type="application/json", headers=FRESH)

    async def who_asks(self, request: Request) -> Response:
        """Answer with who is signed in; nobody has an empty `by`."""
        value = msgspec.json.encode(await visitor_of(request))
        return Response(value, media_type="application/json", headers=FRESH)

    async def static(self, request: Request) -> Response:
        """Answer with style or script."""
        return static_answer(request, self._static)

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


def _shared(request: Request, made: Rendered, media_type: str) -> Response:
    """Answer with a page, a part or a value, packed if the browser reads gzip, or with 304."""
    if not made.second and _has(request, made):
        kept = {"cache-control": "no-cache", "etag": made.tag, "vary": VARYING}
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=kept)
    packed = made.packed if _takes_packed(request) else b""
    tag = f"W/{made.tag}" if packed else made.tag
    headers = FRESH if made.second else {"cache-control": "no-cache", "etag": tag}
    headers = headers | {"vary": VARYING}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(packed or made.content, media_type=media_type, headers=headers)


_PLAYER = re.compile(r"p[1-9][0-9]{0,5}")


def _asked(request: Request, name: str) -> tuple[str, str]:
    """Return the text that is searched, and the start of a piece, or `p7` for a player's path.

    Raises:
        Malformed: the text of `?player=` is not the number of a player.
    """
    sought, start, player = (
        request.query_params.get(word, "").strip() for word in ("find", "from", "player")
    )
    if name not in PARTS or PARTS[name].of_player is None or not player:
        return sought, start
    if not _PLAYER.fullmatch(player):
        raise Malformed(
            phrase("?player must be a player's number, such as p7: choose a name on the page")
        )
    return "", player


@cache
def static_files() -> Mapping[str, bytes]:
    """Return the styles and scripts by their names, without comments and idle white space."""
    found = files("cli.serve").joinpath("static").iterdir()
    static = {each.name: each.read_bytes() for each in found if each.name.endswith(tuple(_KINDS))}
    static[STYLE] = style_file("page.css").encode() + static[STYLE]
    static |= {name: style_file(name).encode() for name in FURTHER_STYLES}
    for name, content in static.items():
        if compact := _COMPACT.get(name[name.index(".") :]):
            static[name] = compact(content)
    return {**static, WORDS: words_file()}


def static_answer(request: Request, static: Mapping[str, bytes]) -> Response:
    """Answer with style or script, or that it is as it was; NotFound without one."""
    name = request.path_params["name"]
    content = static.get(name) or texts_file(name)
    if content is None:
        raise NotFound(phrase("there is no such file"))
    kept = Rendered(content, f'"{sha256(content).hexdigest()[:16]}"')
    headers = {"cache-control": f"max-age={STATIC_SECONDS}", "etag": kept.tag}
    if _has(request, kept):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(content, media_type=_KINDS[name[name.index(".") :]], headers=headers)


def _has(request: Request, made: Rendered) -> bool:
    """Whether the page that asks has the part as it is."""
    tags = request.headers.get("if-none-match", "").split(",")
    return made.tag in (each.strip().removeprefix("W/") for each in tags)


def _takes_packed(request: Request) -> bool:
    """Whether who asks reads gzip, as every browser does; one that weighs it gets plain bytes."""
    kinds = (each.split(";") for each in request.headers.get("accept-encoding", "").split(","))
    return any(kind.strip() == "gzip" and not weighed for kind, *weighed in kinds)

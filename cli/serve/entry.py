"""Several tournaments at one address: each under `/e/ID/`, and the first one at the root as well.

A page's links begin at its tournament's own place, whatever address it was opened by. So an act
that waits in a browser goes to its own tournament, or to nobody once that is closed. Tournaments
are opened, made and closed by the owner of this computer, on `/events`; with several, `/` lists
them.
"""

from __future__ import annotations

import asyncio
import io
import secrets
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote
from zipfile import ZipFile

import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, Router

from cli.languages.speaking import tr
from cli.serve.app import Paths, static_answer, static_files
from cli.serve.door.guard import READING, Guard
from cli.serve.door.owner import COOKIE, run_verb, verb_answer
from cli.serve.forms import fields_of
from cli.serve.looking import is_form, job_of
from cli.serve.pages.entry import (
    ListedEvent,
    Restoration,
    RestoredLog,
    events_page,
    look_page,
    new_page,
    owner_page,
    refusal,
    verified_page,
    words_for_new,
)
from cli.serve.pages.frame import EVENTS
from cli.serve.pages.persons import decide_persons, has_vault, persons_page, shown_persons
from cli.serve.refusals import FRESH, NotSignedIn, details, status_of
from cli.serve.visitors import NOBODY
from cli.terminal.output import say
from cli.terminal.problems import reason_of
from cli.terminal.visible import short_id
from ledger.errors import LedgerError, NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cli.desk.in_hand import ListedTournament
    from cli.serve.door.owner import Owner
    from cli.serve.hall import Hall
    from cli.serve.looking import Looking
    from cli.serve.pages.frame import EventHeading
    from cli.serve.visitors import Visitor

PLACE = "/e/"
OF_ALL = frozenset({"/", "/in"})
"""Paths at the root that lead to the list of tournaments, if several are open."""

CLOSED = {"tourney-event": "closed"}
"""Says to a page's script that its tournament is not served now: it waits until it is."""

OPEN_MAX = 12
"""Tournaments that are served at once: each has two processes and its state in memory."""

RESTORATIONS_MAX = 10
"""Number of the latest restorations that are kept for their page."""

SEE_OTHER = HTTPStatus.SEE_OTHER


class Served(NamedTuple):
    """A tournament that is served: its hall, and the application that answers for it."""

    hall: Hall
    app: ASGIApp


class ServedStore(NamedTuple):
    """Functions of the owner's pages on the store of this folder."""

    location: str
    listed: Callable[[], list[ListedTournament]]
    """Return all tournaments of the store, or an empty list before the store exists."""

    served: Callable[[str], Served]
    """Make the hall of a tournament, by its number."""

    remember: Callable[[Sequence[str]], None]
    """Keep which tournaments are served, so that a restart serves the same."""


class Addresses:
    """The application: finds the tournament of a request, or answers the request itself."""

    def __init__(
        self,
        streams: Sequence[str],
        store: ServedStore,
        owner: Owner,
        looking: Looking,
        names: Sequence[str],
    ) -> None:
        """Serve these tournaments from the start; `names` are those of the certificate."""
        self._streams, self._store, self._owner, self._looking = streams, store, owner, looking
        self._open: dict[str, Served] = {}
        self._ends: dict[str, AsyncExitStack] = {}
        self._changing = asyncio.Lock()
        """Held while a tournament is opened or closed: two requests open it once."""

        self._restorations: dict[str, Restoration] = {}
        """The latest restorations, by the word in the address of the page about them."""

        self._static = static_files()
        self.routes = routes = [
            *(Route(path, self.events) for path in sorted(OF_ALL)),
            Route("/events", self.events),
            Route("/events/open", self._or_listed(self.open), methods=["POST"]),
            Route("/events/close", self._or_listed(self.close), methods=["POST"]),
            Route("/events/new", self.new),
            Route("/events/new", self.make, methods=["POST"]),
            Route("/events/look", self.look),
            Route("/events/persons", self.persons),
            Route("/events/persons", self.decide_persons, methods=["POST"]),
            Route("/events/files", self.take_file, methods=["POST"]),
            Route("/events/export", self._or_listed(self.export)),
            Route("/events/backup", self._or_listed(self.backup)),
            Route("/events/publish", self._or_listed(self.publish)),
            Route("/events/verify", self._or_listed(self.verify)),
            Route("/owner", self.sign_in_page),
            Route("/owner", self.sign_in, methods=["POST"]),
            Route("/static/{name}", self.static),
        ]
        self._paths = {
            route.path for route in routes if route.path.startswith(("/events", "/owner"))
        }
        pages = Paths(routes, self.refused, _no_lifespan, _nobody)
        self._pages = Guard(pages, names, uploads=frozenset({"/events/files"}))
        self._life = Router(lifespan=self._living)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request at its tournament's place, or at the root."""
        if scope["type"] != "http":
            await self._life(scope, receive, send)
            return
        path = scope["path"]
        if path.startswith(PLACE):
            log, _, rest = path.removeprefix(PLACE).partition("/")
            served = self._open.get(log)
            if served is None:
                await self._pages(scope, receive, send)
                return
            place = f"{PLACE}{log}"
            inner = {**scope, "path": f"/{rest}"}
            await served.app(inner, receive, _leading_within(place, send))
            return
        first = next(iter(self._open.values()), None)
        is_list = path in OF_ALL and scope["method"] in READING and len(self._open) > 1
        is_here = is_list or path in self._paths
        app = self._pages if is_here or first is None else first.app
        await app(scope, receive, send)

    @property
    def open_logs(self) -> list[str]:
        """Return the letters of the open tournaments' addresses, in their order."""
        return list(self._open)

    def end_streams(self) -> None:
        """Let every open stream of every tournament end."""
        for served in self._open.values():
            served.hall.end_streams()

    @asynccontextmanager
    async def _living(self, _: Router) -> AsyncIterator[None]:
        for stream in self._streams:
            try:
                await self._begin(stream)
            except LedgerError as error:  # the others are served
                say(
                    tr(
                        "{tournament} is not served: {reason}",
                        tournament=short_id(stream),
                        reason=error,
                    )
                )
        try:
            yield
        finally:
            for log in list(self._open):
                await self._end(log)
            await asyncio.to_thread(self._looking.close)

    async def _begin(self, stream: str) -> str:
        """Serve a tournament; return the letters of its address."""
        log = short_id(stream)
        async with self._changing:
            if log in self._open:
                return log
            if len(self._open) >= OPEN_MAX:
                raise Refused(
                    phrase(
                        "{limit} tournaments are open: close one that has ended",
                        limit=OPEN_MAX,
                    )
                )
            served, ends = self._store.served(stream), AsyncExitStack()
            served.hall.beside = lambda: [each.hall.event for each in self._open.values()]
            served.hall.elsewhere = partial(self._with_link, served.hall)
            await ends.enter_async_context(served.hall.running())
            self._open[log], self._ends[log] = served, ends
        return log

    async def _end(self, log: str) -> None:
        """Serve a tournament no longer, if it is served."""
        async with self._changing:
            served = self._open.pop(log, None)
            if served is not None:
                served.hall.end_streams()
                await self._ends.pop(log).aclose()

    async def _with_link(self, excepted: Hall, digest: str) -> EventHeading | None:
        """Return the open tournament whose link has a digest, except one."""
        for served in list(self._open.values()):
            if served.hall is not excepted and await served.hall.has_link(digest):
                return served.hall.heading
        return None

    def _remember(self) -> None:
        self._store.remember([served.hall.event for served in self._open.values()])

    def _check_owner(self, request: Request) -> None:
        if not self._owner.is_signed_in(request.scope):
            raise NotSignedIn(
                phrase(
                    "this page is only for the person at the computer that serves the tournament"
                )
            )

    # --- pages

    async def events(self, request: Request) -> Response:
        """List the tournaments that are open; for the owner all of this store."""
        return HTMLResponse(await self._events(request), headers=FRESH)

    def _or_listed(
        self, answering: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a form; a refusal is shown on the list."""

        async def answered(request: Request) -> Response:
            try:
                return await answering(request)
            except NotSignedIn:
                raise
            except LedgerError as error:
                return await self._refused_list(request, error)

        return answered

    async def _refused_list(self, request: Request, error: LedgerError) -> Response:
        """Show the list with the reason why a form of it was refused."""
        return HTMLResponse(
            await self._events(request, (reason_of(error),)), status_of(error), FRESH
        )

    async def _events(self, request: Request, problems: Sequence[str] = ()) -> str:
        is_owner = self._owner.is_signed_in(request.scope)
        rows = [
            ListedEvent(
                served.hall.event,
                served.hall.name,
                is_open=True,
                is_in_use=is_owner and await _is_in_use(served.hall),
            )
            for served in self._open.values()
        ]
        if is_owner:
            open_streams = {row.stream for row in rows}
            listed = await asyncio.to_thread(self._store.listed)
            rows += [
                ListedEvent(tournament.stream, tournament.name, tournament.date)
                for tournament in reversed(listed)
                if tournament.stream not in open_streams
            ]
        restored = self._restorations.get(request.query_params.get("restored", ""))
        return events_page(
            rows,
            problems,
            restored if is_owner else None,
            is_owner=is_owner,
            has_vault=is_owner and has_vault(),
        )

    async def open(self, request: Request) -> Response:
        """Serve a tournament of this store, and lead to its desk."""
        self._check_owner(request)
        stream = fields_of(await request.body()).get("tournament", "")
        listed = await asyncio.to_thread(self._store.listed)
        if stream not in {each.stream for each in listed}:
            raise NotFound(
                phrase("this store has no such tournament: load the list of tournaments again")
            )
        log = await self._begin(stream)
        self._remember()
        return RedirectResponse(f"{PLACE}{log}/desk", SEE_OTHER, FRESH)

    async def close(self, request: Request) -> Response:
        """Serve a tournament no longer; its log stays."""
        self._check_owner(request)
        log = short_id(fields_of(await request.body()).get("tournament", ""))
        if log not in self._open:
            raise NotFound(phrase("this tournament is not open here: nothing was closed"))
        await self._end(log)
        self._remember()
        return RedirectResponse(EVENTS, SEE_OTHER, FRESH)

    async def new(self, request: Request) -> Response:
        """Show the form of a new tournament."""
        self._check_owner(request)
        return HTMLResponse(new_page({}), headers=FRESH)

    async def make(self, request: Request) -> Response:
        """Make a tournament as `new` does, serve it, and lead to its desk."""
        self._check_owner(request)
        fields = fields_of(await request.body())
        try:
            made = await asyncio.to_thread(run_verb, words_for_new(fields), self._store.location)
            log = await self._begin(msgspec.json.decode(made)["tournament"])
        except LedgerError as error:
            return HTMLResponse(new_page(fields, reason_of(error)), status_of(error), FRESH)
        self._remember()
        return RedirectResponse(f"{PLACE}{log}/desk", SEE_OTHER, FRESH)

    async def look(self, request: Request) -> Response:
        """Show a submitted log at any moment, or the first difference between two logs."""
        self._check_owner(request)
        return await self._looked_at(dict(request.query_params))

    async def _looked_at(
        self, asked: Mapping[str, str], refused: LedgerError | None = None
    ) -> Response:
        """Show the log that is asked for, if any; `refused` is why a form of the page was."""
        shown = None
        if "file" in asked:
            try:
                shown = await asyncio.to_thread(self._looking.at, asked)
            except LedgerError as error:
                refused = refused or error
        page = look_page(asked, shown, str(refused) if refused else "")
        return HTMLResponse(page, status_of(refused) if refused else 200, FRESH)

    async def persons(self, request: Request) -> Response:
        """Show which persons of the league's vault are probably one."""
        self._check_owner(request)
        return await self._persons()

    async def decide_persons(self, request: Request) -> Response:
        """Put a decision on persons on record, or undo one."""
        self._check_owner(request)
        fields = fields_of(await request.body())
        try:
            await asyncio.to_thread(decide_persons, fields)
        except LedgerError as error:
            return await self._persons(error, fields.get("by", ""))
        return RedirectResponse("/events/persons", SEE_OTHER, FRESH)

    async def _persons(self, refused: LedgerError | None = None, by: str = "") -> Response:
        page_data = None
        try:
            page_data = await asyncio.to_thread(shown_persons)
        except LedgerError as error:
            refused = refused or error
        page = persons_page(page_data, (reason_of(refused),) if refused else (), by)
        return HTMLResponse(page, status_of(refused) if refused else 200, FRESH)

    async def take_file(self, request: Request) -> Response:
        """Take a file of the owner's browser: a log to look at, or a backup to restore.

        A script gets the address of the next page, and a form gets the page.
        """
        try:
            self._check_owner(request)
            to = await self._looking.take(request, self._restored)
        except LedgerError as error:
            if not is_form(request):
                return details(error, {})
            if isinstance(error, NotSignedIn):
                raise
            job, _, of = job_of(request).partition(" ")
            if job in {"look", "diff"}:
                return await self._looked_at({"file": of} if of else {}, error)
            return await self._refused_list(request, error)
        if is_form(request):
            return RedirectResponse(f"/{to.removeprefix('/')}", SEE_OTHER, FRESH)
        return Response(
            msgspec.json.encode({"to": to}), media_type="application/json", headers=FRESH
        )

    async def export(self, request: Request) -> Response:
        """Give a tournament's log with its signed head and hashes, as one zip file."""
        return await self._file_of(request, "export", ["-o", "log.jsonl"])

    async def backup(self, request: Request) -> Response:
        """Give a backup of a tournament, which contains its secrets."""
        return await self._file_of(request, "backup", ["backup.jsonl"])

    async def publish(self, request: Request) -> Response:
        """Give the public pages of a tournament for any web host, as one zip file."""
        return await self._file_of(request, "publish", ["public"])

    async def _file_of(self, request: Request, verb: str, words: Sequence[str]) -> Response:
        """Run a verb whose last word is the name of what it writes, and answer with that."""
        self._check_owner(request)
        stream, title = self._asked(request)

        def made() -> bytes:
            with TemporaryDirectory(prefix="tourney-out-") as folder:
                written = Path(folder) / words[-1]
                run_verb(["-t", stream, verb, *words[:-1], str(written)], self._store.location)
                found = (path for path in Path(folder).rglob("*") if path.is_file())
                files = sorted(path for path in found if path.suffix != ".lock")
                return files[0].read_bytes() if len(files) == 1 else zipped(Path(folder), files)

        content = await asyncio.to_thread(made)
        is_zip = content.startswith(b"PK")
        kind = "application/zip" if is_zip else "application/x-ndjson"
        ending = ".zip" if is_zip else ".jsonl"
        named = f"{title}-{verb}{ending}"
        headers = {
            **FRESH,
            "content-disposition": f"attachment; filename*=UTF-8''{quote(named)}",
        }
        return Response(content, media_type=kind, headers=headers)

    async def verify(self, request: Request) -> Response:
        """Show the answer of `verify` about a tournament in the store."""
        self._check_owner(request)
        stream, title = self._asked(request)
        words = ["-t", stream, "verify"]
        text = await asyncio.to_thread(run_verb, words, self._store.location)
        return HTMLResponse(verified_page(title, text), headers=FRESH)

    def _asked(self, request: Request) -> tuple[str, str]:
        """Return the number and the name of the open tournament that is asked for."""
        log = short_id(request.query_params.get("tournament", ""))
        if log not in self._open:
            raise NotFound(phrase("this tournament is not open here: open it first"))
        hall = self._open[log].hall
        return hall.event, hall.name

    async def _restored(self, path: str) -> str:
        """Restore the tournaments of a backup; return the address of the page with the result."""
        words = ["restore", "--json", path]
        answer = await asyncio.to_thread(verb_answer, words, self._store.location)
        added: dict[str, int] = msgspec.json.decode(answer.shown)["tournaments"]
        listed = await asyncio.to_thread(self._store.listed)
        logs = [
            RestoredLog(tournament.name, added[tournament.stream])
            for tournament in listed
            if tournament.stream in added
        ]
        name = secrets.token_hex(8)
        self._restorations[name] = Restoration(logs, answer.remarks)
        while len(self._restorations) > RESTORATIONS_MAX:
            del self._restorations[next(iter(self._restorations))]
        return f"{EVENTS}?restored={name}"

    async def sign_in_page(self, request: Request) -> Response:
        """Show the page whose script takes the token out of the address and sends it."""
        del request
        return HTMLResponse(owner_page(), headers=FRESH)

    async def sign_in(self, request: Request) -> Response:
        """Exchange the token for a cookie."""
        token = fields_of(await request.body()).get("token", "")
        cookie = self._owner.sign_in(request.scope, token)
        only = next(iter(self._open), "") if len(self._open) == 1 else ""
        answer = RedirectResponse(f"{PLACE}{only}/desk" if only else EVENTS, SEE_OTHER, FRESH)
        is_secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=is_secure)
        return answer

    async def static(self, request: Request) -> Response:
        """Answer with style or script."""
        return static_answer(request, self._static)

    async def refused(self, request: Request, error: LedgerError) -> Response:
        """Answer with why not."""
        text, headers = str(error), FRESH
        if request.url.path.startswith(PLACE) and isinstance(error, NotFound):
            text = tr("this tournament is not open here: ask the desk, or look at those that are")
            headers = FRESH | CLOSED
        return HTMLResponse(refusal(text), status_of(error), headers)


async def _nobody(_: Request) -> Visitor:
    return NOBODY


@asynccontextmanager
async def _no_lifespan(_: Router) -> AsyncIterator[None]:
    yield


def zipped(folder: Path, files: Sequence[Path]) -> bytes:
    """Return files of a folder as one zip file, each by its place in the folder."""
    written = io.BytesIO()
    with ZipFile(written, "w") as archive:
        for file in files:
            archive.write(file, file.relative_to(folder))
    return written.getvalue()


def _leading_within(place: str, send: Send) -> Send:
    """Return what sends an answer whose way on is within a place."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (
                    name,
                    place.encode() + value if name == b"location" and value[:1] == b"/" else value,
                )
                for name, value in message["headers"]
            ]
        await send(message)

    return sending


async def _is_in_use(hall: Hall) -> bool:
    """Return whether a tournament is not finished, or pages follow it."""
    return hall.has_listeners or not await hall.view(lambda state: bool(state.finished))

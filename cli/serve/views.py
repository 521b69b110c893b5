"""Views for programs: the `--json` of a verb, and views of the season, read only, by their paths.

The reader makes the views of the tournament, in its own process, so that no act waits for them.
Free text about people is for officials: disputes, a match's story, the audit. Data that is hidden
while the tournament runs is hidden here as well, since the same function makes it.

The source of the season's views is passed in (`cli/season/served.py`). These views are made in
sequence and outside the book's own thread, so that a large season delays no act and no page; each
view is made once for all askers, as long as the season's files do not change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from cli import outside
from cli.input.arguments import UsageError
from cli.input.find_people import find_player, with_names
from cli.input.matches import find_match, find_round
from cli.languages.speaking import marked
from cli.render.audit_tables import audit_value
from cli.render.dispute_tables import disputes_with_ages
from cli.render.trees import Sources, bye_as_json, log_of, meeting_as_json, tree_as_json
from cli.serve.refusals import FRESH, Malformed, NotSignedIn, TooMany
from cli.serve.visitors import visitor_of
from cli.wording.page_words import public_view
from ledger.errors import NotFound
from ledger.problems import Phrase, phrase, problem
from projections.audit.report import audit_of
from projections.explain import explain
from projections.explain.pairings import bye, byes_of, meeting
from projections.matches import story_as_json, story_in

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.visitors import Visitor
    from ledger.tournament.state import Tournament

NUMBER_DIGITS = 9

Value = Callable[["Desk", "Tournament", Mapping[str, str]], object]
"""Makes a view of the desk's log, of the state with the names that may be seen, and of words."""


class ViewQuestion(NamedTuple):
    """What is asked of the reader: a view by its path, its words, and the tag that is known."""

    path: str
    words: Mapping[str, str]
    is_official: bool
    known: str


class ApiView(NamedTuple):
    """A view by its path under `/api/v1`; `summary` is what a program's author reads of it."""

    path: str
    summary: str
    value: Value
    for_officials: bool = False
    is_of_now: bool = False
    """Whether it also follows from the clock."""


def _audit(desk: Desk, _: Tournament, __: Mapping[str, str]) -> object:
    return audit_value(audit_of(desk.book.recorded()))


def _disputes(desk: Desk, _: Tournament, words: Mapping[str, str]) -> object:
    return disputes_with_ages(desk, outside.now(), settled="all" in words)


def _story(desk: Desk, tournament: Tournament, words: Mapping[str, str]) -> object:
    match = find_match(tournament, f"{words['round']}/{words['table']}")
    return with_names(tournament, story_as_json(match, story_in(desk.book, match)))


def _explained(desk: Desk, tournament: Tournament, words: Mapping[str, str]) -> object:
    player = find_player(tournament, f"#{_number(words, 'player')}")
    root = explain(tournament, player, words["column"])
    return tree_as_json(root, Sources(desk.book, tournament), None)


def _meeting(desk: Desk, tournament: Tournament, words: Mapping[str, str]) -> object:
    sources = Sources(desk.book, tournament)
    match = find_match(tournament, f"{words['round']}/{words['table']}")
    return meeting_as_json(meeting(tournament, match, log_of(desk.book, sources)), sources)


def _byes(desk: Desk, tournament: Tournament, words: Mapping[str, str]) -> object:
    sources, number = Sources(desk.book, tournament), _number(words, "round")
    log = log_of(desk.book, sources)
    byes = byes_of(find_round(tournament, number))
    return [bye_as_json(bye(tournament, number, each, log), sources) for each in byes]


def _number(words: Mapping[str, str], name: str) -> int:
    text = words.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= NUMBER_DIGITS):
        raise NotFound(
            phrase("{name} must be a number, not {text}", name=name, text=f"{text[:20]!r}")
        )
    return int(text)


VIEWS = (
    ApiView("/audit", marked("Deviations from draw, clock and rules."), _audit, for_officials=True),
    ApiView(
        "/disputes",
        marked("Open disputes; with `?all`, settled disputes too."),
        _disputes,
        for_officials=True,
        is_of_now=True,
    ),
    ApiView(
        "/match/{round}/{table}", marked("The history of one match."), _story, for_officials=True
    ),
    ApiView(
        "/explain/{player}/{column}",
        marked("How a number is computed, down to its events."),
        _explained,
    ),
    ApiView("/explain-pairing/{round}/{table}", marked("Why two players met."), _meeting),
    ApiView("/explain-bye/{round}", marked("Why a player had the bye."), _byes),
)


class Views:
    """The views, and the lines of the log."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.routes = [
            Route("/api/v1/log", self.log),
            *(Route(f"/api/v1{each.path}", self._shown(each), name=each.path) for each in VIEWS),
        ]

    async def log(self, request: Request) -> Response:
        """The lines of the log as they are stored, after an event: `?after=57`."""
        visitor = await visitor_of(request)
        after = _number({"after": request.query_params.get("after", "0")}, "after")
        content = await self._hall.asked(lines_after, after, visitor)
        return Response(content, media_type="application/x-ndjson", headers=FRESH)

    def _shown(self, view: ApiView) -> Callable[[Request], Awaitable[Response]]:
        async def shown(request: Request) -> Response:
            visitor = await visitor_of(request)
            if view.for_officials and not visitor.official:
                raise _for_officials(phrase("this view is for officials"))
            words = {**request.query_params, **request.path_params}
            known = request.headers.get("if-none-match", "").removeprefix("W/")
            asked = ViewQuestion(view.path, words, bool(visitor.official), known)
            tag, content = await self._hall.asked(view_made, asked, is_kept=not view.is_of_now)
            # What an official sees is on no disk of a browser that others use as well.
            kept = "no-store" if visitor.official else "no-cache"
            headers = {"cache-control": kept, "etag": tag}
            if not content:
                return Response(status_code=304, headers=headers)
            return Response(content, media_type="application/json", headers=headers)

        shown.__doc__ = view.summary
        return shown


def view_made(desk: Desk, asked: ViewQuestion) -> tuple[str, bytes]:
    """Make a view at the reader's desk: its tag, and its bytes unless the tag is known."""
    view = next(each for each in VIEWS if each.path == asked.path)
    tournament = desk.book.tournament
    seen = tournament if asked.is_official else public_view(tournament)
    tag = f'"{tournament.seq}{"o" if asked.is_official else ""}"'
    if tag == asked.known:
        return tag, b""
    return tag, msgspec.json.encode(view.value(desk, seen, asked.words))


def lines_after(desk: Desk, after: int, visitor: Visitor) -> bytes:
    """Return the lines of the log after an event.

    Raises:
        NotSignedIn: they show names that are not shown to all, and the visitor is not an official.
    """
    tournament = desk.book.tournament
    if not (visitor.official or tournament.is_sealed or tournament.public_names == "full"):
        raise _for_officials(phrase("the lines of this log contain names that are not public"))
    return b"".join(line + b"\n" for line in desk.book.lines[after:])


def _for_officials(why: Phrase) -> NotSignedIn:
    return NotSignedIn(problem("serve.for_officials", "{why}: sign in as an official", why=why))


BASE = "/api/v1/season"
WAITING_MAX = 8
"""Views that are made or wait to be."""

KEPT_MAX, KEPT_BYTES_MAX = 100, 16_000_000
"""How many answers are kept, and how large they are together at most."""


class SeasonView(NamedTuple):
    """A view by its path; `narrowed` are the words that officials may ask with beside `words`."""

    name: str
    path: str
    summary: str
    words: tuple[str, ...] = ()
    narrowed: tuple[str, ...] = ()


SEASON_VIEWS = (
    SeasonView("events", "/events", marked("The season's tournaments.")),
    SeasonView("schemes", "/standings", marked("The points schemes of the standings.")),
    SeasonView(
        "standings",
        "/standings/{word}",
        marked("The season's standings by a points scheme."),
        ("at",),
    ),
    SeasonView("questions", "/questions", marked("The named questions, and what each answers.")),
    SeasonView(
        "question",
        "/questions/{word}",
        marked("A named question's answer."),
        ("ruleset", "top"),
        ("tier", "from", "to", "by", "player"),
    ),
    SeasonView(
        "ratings",
        "/ratings/{word}",
        marked("The ratings of all players."),
        ("ruleset", "at", "top"),
    ),
)


class AskedView(NamedTuple):
    """What is asked: a view's name, the word of its path, what stood behind, and who asks."""

    view: str
    word: str
    words: Mapping[str, str]
    is_official: bool


class SeasonSource(Protocol):
    """What gives the views."""

    def stamp(self) -> str:
        """Say which state of its files an answer is of; NotFound where they are gone."""

    def answer(self, asked: AskedView, is_over: Callable[[], bool]) -> bytes:
        """Make a view as JSON, as long as nobody says that it is over.

        UsageError of words that mean nothing.
        """


class SeasonViews:
    """The season's views by their paths."""

    def __init__(self, hall: Hall, season: SeasonSource | None) -> None:
        self._hall, self._season = hall, season
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="season")
        self._asking: dict[str, asyncio.Future[bytes]] = {}
        self._made: dict[str, bytes] = {}
        self.routes = [Route(f"{BASE}{each.path}", self._shown(each)) for each in SEASON_VIEWS]

    def _shown(self, view: SeasonView) -> Callable[[Request], Awaitable[Response]]:
        async def shown(request: Request) -> Response:
            visitor = await visitor_of(request)
            asked = _asked(view, request, is_official=bool(visitor.official))
            season = self._season
            if season is None:
                text = marked("this hall shows no season: start it with `serve --season FILE`")
                raise NotFound(problem("serve.no_season", text))
            tag = _tag(season.stamp(), asked)
            # What an official sees is on no disk of a browser that others use as well.
            kept = "no-store" if asked.is_official else "no-cache"
            headers = {"cache-control": kept, "etag": tag}
            if tag == request.headers.get("if-none-match", "").removeprefix("W/"):
                return Response(status_code=304, headers=headers)
            content = self._made.get(tag) or await self._once(tag, season, asked)
            return Response(content, media_type="application/json", headers=headers)

        shown.__doc__ = view.summary
        return shown

    async def _once(self, tag: str, season: SeasonSource, asked: AskedView) -> bytes:
        """Make an answer for all who wait for it; TooMany where too many others do."""
        making = self._asking.get(tag)
        if making is None:
            if len(self._asking) >= WAITING_MAX:
                raise TooMany(phrase("too many requests about the season: try again in a minute"))
            loop = asyncio.get_running_loop()
            making = loop.run_in_executor(self._worker, self._answer, season, asked)
            self._asking[tag] = making
            making.add_done_callback(lambda made: self._keep(tag, made))
        # Who goes away meanwhile takes nothing from the others.
        return await asyncio.shield(making)

    def _answer(self, season: SeasonSource, asked: AskedView) -> bytes:
        try:
            return season.answer(asked, lambda: self._hall.closing)
        except UsageError as error:
            raise Malformed(str(error)) from None

    def _keep(self, tag: str, made: asyncio.Future[bytes]) -> None:
        del self._asking[tag]
        if made.cancelled() or made.exception() is not None:
            return
        self._made[tag] = made.result()
        while len(self._made) > KEPT_MAX or sum(map(len, self._made.values())) > KEPT_BYTES_MAX:
            del self._made[next(iter(self._made))]


def _asked(view: SeasonView, request: Request, *, is_official: bool) -> AskedView:
    """Read what is asked; Malformed of a word that the view does not know."""
    words = dict(request.query_params)
    known = (*view.words, *view.narrowed)
    if unknown := sorted(set(words) - set(known)):
        word = unknown[0][:20]
        if not known:
            raise Malformed(phrase("this view has no parameter ?{word}: it has none", word=word))
        raise Malformed(
            phrase(
                "this view has no parameter ?{word}: only {known}", word=word, known=tuple(known)
            )
        )
    if not is_official and (narrow := sorted(set(words) & set(view.narrowed))):
        text = marked(
            "?{word} could identify individual people, so it is for officials: sign in as an "
            "official"
        )
        raise NotSignedIn(problem("serve.season_narrowed", text, word=narrow[0]))
    return AskedView(view.name, request.path_params.get("word", ""), words, is_official)


def _tag(stamp: str, asked: AskedView) -> str:
    said = repr((stamp, asked.view, asked.word, sorted(asked.words.items()), asked.is_official))
    return f'"{sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'

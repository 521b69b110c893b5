"""The season for programs: views that a season's file gives, read only, beside the event in hand.

What gives them is handed in (`cli/season/served.py`). They are made one at a time and away from the
book's own thread, so that a large season keeps no act and no page waiting; each is made once for
all who ask, as long as the files are those of before.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol

from starlette.responses import Response
from starlette.routing import Route

from cli.input.arguments import UsageError
from cli.serve.refusals import Malformed, NotSignedIn, TooMany
from cli.serve.visitors import visitor_of
from ledger.errors import NotFound
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

    from cli.serve.hall import Hall

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
    SeasonView("events", "/events", "The season's tournaments."),
    SeasonView("schemes", "/standings", "The points schemes that standings are by."),
    SeasonView("standings", "/standings/{word}", "The season's table by a points scheme.", ("at",)),
    SeasonView("questions", "/questions", "The named questions, and what each answers."),
    SeasonView(
        "question",
        "/questions/{word}",
        "A named question's answer.",
        ("ruleset", "top"),
        ("tier", "from", "to", "by", "player"),
    ),
    SeasonView("ratings", "/ratings/{word}", "How strong all are.", ("ruleset", "at", "top")),
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
                text = "no season is shown here: `serve --season FILE` shows one"
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
                raise TooMany("many ask about the season at once: ask again in a minute")
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
        may = f"it is asked with {', '.join(known)}" if known else "it is asked with none"
        raise Malformed(f"?{unknown[0][:20]} says nothing to this view: {may}")
    if not is_official and (narrow := sorted(set(words) & set(view.narrowed))):
        text = "?{word} could single persons out, and is for officials: sign in as one"
        raise NotSignedIn(problem("serve.season_narrowed", text, word=narrow[0]))
    return AskedView(view.name, request.path_params.get("word", ""), words, is_official)


def _tag(stamp: str, asked: AskedView) -> str:
    said = repr((stamp, asked.view, asked.word, sorted(asked.words.items()), asked.is_official))
    return f'"{sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'

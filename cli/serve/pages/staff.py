"""Routes of officials' pages and of the lines that they post.

/desk, /judge, /judge/match/R/T    pages; `?part` gives only the part that follows the log
/judge/player/pN                   the card of a player
/judge/match?table=                leads to a match; /judge/player?player= leads to a player
/line                              receives a line, a form that makes one, or a confirmed line
/line/reading                      explains how a line is read while it is typed
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import htpy
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, compile_path

from cli.render.elements import with_isolate_characters, with_isolates
from cli.serve.acts import is_command_id
from cli.serve.commands import AwaitsSignature
from cli.serve.forms import fields_of, own_path
from cli.serve.pages.desk import desk_now, desk_page
from cli.serve.pages.frame import Surroundings, own_page
from cli.serve.pages.judge import (
    judge_now,
    judge_page,
    match_now,
    match_page,
    opened,
    story_at,
)
from cli.serve.pages.lines import (
    Sight,
    answer_of,
    asked_in,
    done,
    found_for,
    line_found,
    line_reading,
    said,
)
from cli.serve.pages.player_card import player_now, player_opened, player_page
from cli.serve.refusals import FRESH, Busy, Malformed, NotSignedIn, in_words, status_of
from cli.serve.visitors import visitor_of, why_only_reads
from cli.terminal.visible import marking_names, visible
from ledger.errors import LedgerError, NotFound

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk, LineReader
    from cli.serve.forms import Fields
    from cli.serve.hall import Hall
    from cli.serve.pages.lines import LineAnswer, SentLine
    from cli.serve.pages.showing import Screens
    from cli.serve.visitors import Visitor
    from ledger.lines.recorded import Recorded

    Answering = Callable[[Sight], Sight]


SEE_OTHER = 303


class StaffPage(NamedTuple):
    """A page of officials; `now` gives the part that follows the log."""

    path: str
    title: str
    body: Callable[[Sight], Node]
    now: Callable[[Sight], Node] | None = None
    has_story: bool = False
    """Whether it shows the story of a match, which the reader looks up."""


STAFF_PAGES = (
    StaffPage("/desk", "Desk", desk_page, desk_now),
    StaffPage("/judge", "Judge", judge_page, judge_now),
    StaffPage("/judge/match/{round}/{table}", "Match", match_page, match_now, has_story=True),
    StaffPage("/judge/player/{player}", "Player", player_page, player_now),
)
STAFF_LINKS = (("desk", "Desk"), ("judge", "Judge"))


class Staff:
    """The pages, and the one place that takes their lines."""

    def __init__(self, hall: Hall, reader: LineReader, screens: Screens) -> None:
        self._hall, self._reader, self._screens = hall, reader, screens
        self.routes = [
            Route("/line", self.post, methods=["POST"]),
            Route("/line/reading", self.reading, methods=["POST"]),
            Route("/judge/match", self.opened),
            Route("/judge/player", self.opened),
            *(Route(page.path, self._shown(page)) for page in STAFF_PAGES),
        ]

    def _shown(self, page: StaffPage) -> Callable[[Request], Awaitable[Response]]:
        async def shown(request: Request) -> Response:
            visitor = await official_of(request)
            words = {**request.query_params, **request.path_params}

            def made(sight: Sight) -> str:
                sight = sight._replace(line=words.get("line", ""))
                if page.now is not None and "part" in words:
                    return with_isolates(str(htpy.fragment[page.now(sight)]))
                return self._whole(page, sight._replace(said=done(sight)))

            content = await self._at(page, visitor, request.url.path, words, made)
            return HTMLResponse(content, headers=FRESH)

        return shown

    async def _at(
        self,
        page: StaffPage,
        visitor: Visitor,
        at: str,
        words: Mapping[str, str],
        made: Callable[[Sight], str],
    ) -> str:
        """Make something of a page, with the story of its match; without one if that is late."""
        story: Sequence[int] | None = ()
        if page.has_story:
            try:
                where = f"{words['round']}/{words['table']}"
                story = await self._hall.asked(story_at, where, is_kept=True)
            except Busy:
                story = None

        def made_here(desk: Desk) -> str:
            with marking_names():
                return made(self._sight(desk, visitor, at, words)._replace(story=story))

        return await self._hall.at_desk(made_here)

    async def opened(self, request: Request) -> Response:
        """Lead to the match or to the player that an official asks for."""
        visitor = await official_of(request)
        words = dict(request.query_params)
        way = player_opened if request.url.path.rstrip("/").endswith("player") else opened
        to = await self._hall.at_desk(lambda desk: way(self._sight(desk, visitor, "/judge", words)))
        return RedirectResponse(to, SEE_OTHER, FRESH)

    async def post(self, request: Request) -> Response:
        """Take a line: carry it out, or show what it would do, or why it comes to nothing."""
        visitor, fields = await official_of(request), fields_of(await request.body())
        at = own_path(fields, "at").partition("?")[0]
        try:
            asked, found = await self._found(visitor, fields)
            if found is not None and found.is_due:
                recorded = await self._act(visitor, asked, found)
                at = f"{at}?done={recorded[0].seq if recorded else 0}"
        except AwaitsSignature as kept:
            return await self._kept(visitor, at, fields, kept)
        except LedgerError as error:
            return await self._refused(visitor, at, fields, error)
        if found is None or found.is_due:
            return RedirectResponse(at, SEE_OTHER, FRESH)

        def answered(sight: Sight) -> Sight:
            answer = said(sight, asked, found)
            return sight._replace(said=answer, is_asking=bool(found.ahead and found.ahead.acts))

        again = await self._again(visitor, at, fields, answered)
        return HTMLResponse(again, headers=FRESH)

    async def reading(self, request: Request) -> Response:
        """Say how a line is read, as text; nothing is done."""
        visitor, fields = await official_of(request), fields_of(await request.body())

        try:
            asked = asked_in(fields, self._reader, self._hall.newest)._replace(command_id="")
        except LedgerError as error:
            return PlainTextResponse(in_words(error, {}), headers=FRESH)
        if self._is_short(asked):
            read = await self._hall.at_desk(
                lambda desk: line_reading(desk, visitor, asked, self._reader)
            )
        else:
            read = await self._hall.asked(line_reading, visitor, asked, self._reader)
        return PlainTextResponse(with_isolate_characters(read), headers=FRESH)

    async def _found(self, visitor: Visitor, fields: Fields) -> tuple[SentLine, LineAnswer | None]:
        """Read what was posted; None for an empty line."""
        asked = asked_in(fields, self._reader, self._hall.newest)
        if asked.words and not is_command_id(asked.command_id):
            raise Malformed("this form does not come from this hall: open its page again")
        if self._is_short(asked):
            found = await self._hall.at_desk(
                lambda desk: found_for(desk, visitor, asked, self._reader)
            )
        else:
            found = await self._hall.asked(line_found, visitor, asked, self._reader)
        return asked, found

    def _is_short(self, asked: SentLine) -> bool:
        """Return whether a line is read in the hall: an act that is due waits for no question.

        What would follow from an act, and what is only looked at, the reader finds out.
        """
        kind = self._reader.kind_of(asked.words)
        return kind == "result" or (kind == "act" and asked.is_confirmed)

    async def _act(self, visitor: Visitor, asked: SentLine, found: LineAnswer) -> list[Recorded]:
        """Carry out what was found, on a player's word where the line says so."""
        assert found.read.command is not None  # noqa: S101 - it is due
        player = int(found.read.by.partition("/p")[2] or 0)
        return await self._hall.act(visitor, asked.command_id, found.read.command, player)

    async def _refused(
        self, visitor: Visitor, at: str, fields: Fields, error: LedgerError
    ) -> Response:
        """Show the page with why not, and the line again."""
        names = await self._hall.view(lambda state: dict(state.names))
        with marking_names():
            lines = (in_words(error, names),)

        def answered(sight: Sight) -> Sight:
            return sight._replace(line=fields.get("line", ""))

        again = await self._again(visitor, at, fields, answered, lines)
        return HTMLResponse(again, status_of(error), FRESH)

    async def _kept(
        self, visitor: Visitor, at: str, fields: Fields, kept: AwaitsSignature
    ) -> Response:
        """Show the page with what waits for a signature now."""

        def answered(sight: Sight) -> Sight:
            return sight._replace(said=answer_of([in_words(kept, sight.tournament.names)]))

        again = await self._again(visitor, at, fields, answered)
        return HTMLResponse(again, status_of(kept), FRESH)

    async def _again(
        self,
        visitor: Visitor,
        at: str,
        fields: Fields,
        answering: Answering,
        problems: tuple[str, ...] = (),
    ) -> str:
        """Show the page once more that a line was posted from, with the answer."""
        page, words = _page_at(at)
        answers = fields.get("id", "")

        def made(sight: Sight) -> str:
            return self._whole(page, answering(sight)._replace(answers=answers), problems)

        return await self._at(page, visitor, at, words, made)

    def _sight(self, desk: Desk, visitor: Visitor, at: str, words: Mapping[str, str]) -> Sight:
        return Sight(desk, self._screens, visitor, at, words, cards=self._hall.cards)

    def _whole(self, page: StaffPage, sight: Sight, problems: tuple[str, ...] = ()) -> str:
        if sight.visitor.only_reads:
            why = str(why_only_reads(sight.visitor, self._hall.private_address))
            problems = (why, *problems)
        around = Surroundings(page.path.split("/")[1], STAFF_LINKS, "staff", "staff")
        answered = htpy.p(hidden=True, data_answers=visible(sight.answers))  # for the page's script
        content = [answered if sight.answers else None, page.body(sight)]
        return own_page(self._hall.heading, page.title, content, problems, around)


async def official_of(request: Request) -> Visitor:
    """Return the official who asks; NotSignedIn for anybody else."""
    visitor = await visitor_of(request)
    if not visitor.official:
        raise NotSignedIn(
            "this page is for officials: open the link on your badge, or type its code"
        )
    return visitor


def _page_at(path: str) -> tuple[StaffPage, Mapping[str, str]]:
    """Find the page of a path; NotFound without one."""
    for page in STAFF_PAGES:
        if found := compile_path(page.path)[0].match(path):
            return page, found.groupdict()
    raise NotFound("there is no such page")

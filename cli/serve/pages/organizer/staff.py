"""Routes of officials' pages and of the lines that they post.

/desk, /desk/players, ...          the desk's pages; `?part` gives only the part that follows the
                                   log, with `after` only what changed since an event
/judge, /judge/match/R/T           the judge's pages
/judge/player/pN                   the card of a player
/judge/match?table=                leads to a match; /judge/player?player= leads to a player
/line                              receives a line, a form that makes one, or a confirmed line
/line/reading                      explains how a line is read while it is typed
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode

import htpy
import msgspec
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from cli.input.arguments import UsageError
from cli.languages.speaking import marked, tr
from cli.render.elements import told_plainly, with_isolate_characters, with_isolates
from cli.serve.acts import is_command_id, official_of, pattern_of
from cli.serve.commands import AwaitsSignature
from cli.serve.door.guard import PATH_MAX, is_private
from cli.serve.forms import fields_of, own_path
from cli.serve.pages.frame import EVENTS, EventHeading, Surroundings, own_page, problems_node
from cli.serve.pages.organizer.answers import (
    SentLine,
    acts_left,
    answer_of,
    as_carried,
    command_link,
    done,
    found_for,
    line_found,
    line_reading,
    not_recorded,
    refusal_in_words,
    said,
    with_undo,
    without_shown,
)
from cli.serve.pages.organizer.day_forms import RESULT_FORM
from cli.serve.pages.organizer.desk import desk_now, desk_page
from cli.serve.pages.organizer.history import log_page
from cli.serve.pages.organizer.judge import (
    judge_now,
    judge_page,
    match_now,
    match_page,
    opened,
    story_at,
)
from cli.serve.pages.organizer.lines import (
    WORD_CHARACTERS_MAX,
    WORDS_MAX,
    Sight,
    words_for,
)
from cli.serve.pages.organizer.links import LinkPages, base_for
from cli.serve.pages.organizer.palette import OF_A_VERB, form_of, in_fields, lines_page
from cli.serve.pages.organizer.player_card import player_now, player_opened, player_page
from cli.serve.pages.organizer.players import players_now, players_page
from cli.serve.pages.organizer.printing import PrintPages, print_page
from cli.serve.pages.organizer.results import words_of_result
from cli.serve.pages.organizer.round import round_now, round_page
from cli.serve.pages.organizer.settings import settings_page
from cli.serve.pages.organizer.tables import bracket_page, standings_page
from cli.serve.pages.showing import Screens
from cli.serve.ports.numbers import code_for_phones
from cli.serve.refusals import FRESH, Busy, Malformed, in_words, status_of
from cli.serve.visitors import why_only_reads
from cli.terminal.problems import sentence_of
from cli.terminal.visible import marking_names, visible
from ledger.errors import LedgerError, NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk, LineReader, PageVerbs
    from cli.serve.forms import Fields
    from cli.serve.hall import Hall
    from cli.serve.pages.organizer.answers import LineAnswer
    from cli.serve.visitors import Visitor
    from ledger.lines.recorded import Recorded

    Answering = Callable[[Sight], Sight]


SEE_OTHER = 303
_NO_STORY: Sequence[int] | None = ()
BASE_MAX = 40
"""Characters of an address before the path of a page of the tournament."""

ROW = "tourney-row"
"""Header of a row's form: its script replaces rows, and wants no whole page."""


class StaffPage(NamedTuple):
    """A page of officials; `now` gives the part that follows the log."""

    path: str
    title: str
    body: Callable[[Sight], Node]
    now: Callable[[Sight], Node] | None = None
    has_story: bool = False
    """Whether it shows the story of a match, which the reader looks up."""

    takes_long: bool = False
    """Whether the reader makes it, so that no act waits for it."""

    script: str = "tabs"
    styles: tuple[str, ...] = ("tabs",)
    """Further styles, after that of all pages of officials."""


STAFF_PAGES = (
    StaffPage("/desk", marked("Desk"), desk_page, desk_now, script="rows", styles=("rows",)),
    StaffPage("/desk/players", marked("Players"), players_page, players_now),
    StaffPage("/desk/round", marked("Round"), round_page, round_now),
    StaffPage("/desk/standings", marked("Standings"), standings_page, styles=("tabs", "lists")),
    StaffPage("/desk/bracket", marked("Bracket"), bracket_page, styles=("tabs", "figures")),
    StaffPage("/desk/log", marked("Log"), log_page, takes_long=True),
    StaffPage("/desk/print", marked("Print"), print_page),
    StaffPage("/desk/settings", marked("Settings"), settings_page),
    StaffPage("/desk/lines", marked("All lines"), lines_page),
    StaffPage("/judge", marked("Judge"), judge_page, judge_now),
    StaffPage(
        "/judge/match/{round}/{table}",
        marked("Match"),
        match_page,
        match_now,
        has_story=True,
        styles=("tabs", "figures"),
    ),
    StaffPage("/judge/player/{player}", marked("Player"), player_page, player_now),
)
STAFF_LINKS = (("desk", marked("Desk")), ("judge", marked("Judge")))
OWNERS_LINKS = (*STAFF_LINKS, (EVENTS, marked("Tournaments")))


class Staff:
    """The pages, and the one place that takes their lines."""

    def __init__(self, hall: Hall, reader: LineReader, screens: Screens) -> None:
        self._hall, self._reader, self._screens = hall, reader, screens
        self.routes = [
            Route("/line", self.post, methods=["POST"]),
            Route("/line/reading", self.reading, methods=["POST"]),
            Route("/judge/match", self.opened),
            Route("/judge/player", self.opened),
            *LinkPages(hall, self.refused).routes,
            *PrintPages(hall, screens).routes,
            *(Route(page.path, self._shown(page)) for page in STAFF_PAGES),
        ]

    def _shown(self, page: StaffPage) -> Callable[[Request], Awaitable[Response]]:
        async def shown(request: Request) -> Response:
            visitor = await official_of(request)
            words = {**request.query_params, **request.path_params}

            def made(sight: Sight) -> str:
                sight = sight._replace(line=words.get("line", ""))
                if page.now is not None and "part" in words:
                    return _fragment(page.now(sight))
                pending = acts_left(words)
                answer = [not_recorded(sight, pending), done(sight)] if pending else done(sight)
                return self._whole(page, sight._replace(said=answer, pending=as_carried(pending)))

            at = _with_words(request.url.path, words)
            if page.takes_long:
                asked = LongQuestion(page.path, visitor, at, words, self._hall.heading)
                content = await self._hall.asked(long_page, asked)
            else:
                content = await self._at(request, page, at, words, made)
            return HTMLResponse(content, headers=FRESH)

        return shown

    async def _at(
        self,
        request: Request,
        page: StaffPage,
        at: str,
        words: Mapping[str, str],
        made: Callable[[Sight], str],
    ) -> str:
        """Make something of a page, with the story of its match; without one if that is late."""
        visitor, story = await official_of(request), _NO_STORY
        base = partial(base_for, self._hall, str(request.base_url))
        is_here_or_tls = is_private(request.scope)
        if page.has_story:
            try:
                where = f"{words['round']}/{words['table']}"
                story = await self._hall.asked(story_at, where, is_kept=True)
            except Busy:
                story = None

        def made_here(desk: Desk) -> str:
            with marking_names():
                sight = self._sight(desk, visitor, at, words)
                code = code_for_phones(self._hall.public_address())
                sight = sight._replace(story=story, base=base, code=code)
                return made(sight._replace(is_private=is_here_or_tls))

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
        if ROW in request.headers:
            return await self._post_row(visitor, fields)
        at = own_path(fields, "at")
        pending = without_shown(acts_left(fields), fields)
        try:
            asked, found = await self._found(visitor, fields)
            if found is not None and found.is_due:
                recorded = await self._act(visitor, asked, found)
                landed = {"done": str(recorded[0].seq if recorded else 0)}
                at = _with_acts_left(_with_words(at, landed), landed, pending)
        except AwaitsSignature as kept:
            return await self._kept(request, at, fields, kept)
        except LedgerError as error:
            return await self._refused(request, at, fields, error)
        if found is None or found.is_due:
            return RedirectResponse(at, SEE_OTHER, FRESH)

        def answered(sight: Sight) -> Sight:
            is_asking = bool(found.ahead and found.ahead.acts)
            before = sight._replace(pending=as_carried(pending))
            answer = [not_recorded(sight, pending), said(before, asked, found, fields)]
            open_acts = as_carried(pending, fields) if is_asking else before.pending
            return sight._replace(said=answer, is_asking=is_asking, pending=open_acts)

        again = await self._again(request, at, fields, answered)
        return HTMLResponse(again, headers=FRESH)

    async def _post_row(self, visitor: Visitor, fields: Fields) -> Response:
        """Take the result of a row, and answer with the rows that have changed.

        A form that must be confirmed or signed is answered with 428, and then posted as others.
        """
        try:
            asked, found = await self._found(visitor, fields)
            if found is None or not found.is_due:
                return Response(status_code=HTTPStatus.PRECONDITION_REQUIRED, headers=FRESH)
            recorded = await self._act(visitor, asked, found)
        except AwaitsSignature:
            return Response(status_code=HTTPStatus.PRECONDITION_REQUIRED, headers=FRESH)
        except LedgerError as error:
            names = await self._hall.view(lambda state: dict(state.names), visitor)
            with marking_names():
                text = with_isolate_characters(told_plainly(in_words(error, names)))
            return PlainTextResponse(text, status_of(error), FRESH)
        return await self._rows(visitor, fields, recorded)

    async def _rows(
        self, visitor: Visitor, fields: Fields, recorded: Sequence[Recorded]
    ) -> Response:
        """Answer a row's form with the rows that have changed since its page was made."""
        words = {"after": fields.get("seen", "")}
        seq = recorded[0].seq if recorded else 0

        def made(desk: Desk) -> str:
            with marking_names():
                sight = self._sight(desk, visitor, "/desk", words)
                landed = sight._replace(words={"done": str(seq)})
                pending = not_recorded(sight, acts_left(fields))
                answer = [pending, with_undo(landed._replace(said=done(landed)))]
                return _fragment([desk_now(sight), htpy.div(data_key="said")[answer]])

        return HTMLResponse(await self._hall.at_desk(made), headers=FRESH)

    async def reading(self, request: Request) -> Response:
        """Say how a line is read, as text; nothing is done."""
        visitor, fields = await official_of(request), fields_of(await request.body())

        try:
            asked = asked_in(fields, self._reader, self._hall.newest)._replace(command_id="")
        except LedgerError as error:
            return PlainTextResponse(told_plainly(in_words(error, {})), headers=FRESH)
        if self._is_short(asked):
            read = await self._hall.at_desk(
                lambda desk: line_reading(desk, visitor, asked, self._reader)
            )
        else:
            read = await self._hall.asked(line_reading, visitor, asked, self._reader)
        return PlainTextResponse(with_isolate_characters(told_plainly(read)), headers=FRESH)

    async def _found(self, visitor: Visitor, fields: Fields) -> tuple[SentLine, LineAnswer | None]:
        """Read what was posted; None for an empty line."""
        asked = asked_in(fields, self._reader, self._hall.newest)
        if asked.words and not is_command_id(asked.command_id):
            raise Malformed(phrase("this form does not come from this hall: open its page again"))
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
        self, request: Request, at: str, fields: Fields, error: LedgerError
    ) -> Response:
        """Show the page with why not, and the line again."""
        visitor = await official_of(request)
        names = await self._hall.view(lambda state: dict(state.names), visitor)
        with marking_names():
            form = form_of(fields.get("form", ""), self._reader.verbs)
            text = refusal_in_words(error, names, form)
            is_own = form is not None and not form.name.startswith(OF_A_VERB)
            lines = (in_fields(text, form) if form is not None and is_own else text,)
        helping = frozenset(remedy.act for problem in error.problems for remedy in problem.remedies)

        def answered(sight: Sight) -> Sight:
            pending = without_shown(acts_left(fields), fields)
            refused = sight._replace(filled=fields, refusal="; ".join(lines), remedies=helping)
            refused = refused._replace(
                said=not_recorded(sight, pending), pending=as_carried(pending)
            )
            return refused._replace(line=fields.get("line", ""))

        again = await self._again(request, at, fields, answered, lines)
        return HTMLResponse(again, status_of(error), FRESH)

    async def refused(self, request: Request, error: LedgerError) -> Response:
        """Show the page of a form that another route refused, with the reason and the fields.

        Raises:
            LedgerError: the error itself, if the form is not on a page of officials.
        """
        fields = fields_of(await request.body())
        at = own_path(fields, "at")
        if not any(_words_in(page, at) is not None for page in STAFF_PAGES):
            raise error
        return await self._refused(request, at, fields, error)

    async def _kept(
        self, request: Request, at: str, fields: Fields, kept: AwaitsSignature
    ) -> Response:
        """Show the page with what waits for a signature now."""

        def answered(sight: Sight) -> Sight:
            return sight._replace(said=answer_of(sight, [in_words(kept, sight.tournament.names)]))

        again = await self._again(request, at, fields, answered)
        return HTMLResponse(again, status_of(kept), FRESH)

    async def _again(
        self,
        request: Request,
        at: str,
        fields: Fields,
        answering: Answering,
        problems: tuple[str, ...] = (),
    ) -> str:
        """Show the page once more that a line was posted from, with the answer."""
        page, words = _page_at(at)
        words = {**dict(parse_qsl(at.partition("?")[2])), **words}
        answers = fields.get("id", "")

        def made(sight: Sight) -> str:
            return self._whole(page, answering(sight)._replace(answers=answers), problems)

        return await self._at(request, page, at, words, made)

    def _sight(self, desk: Desk, visitor: Visitor, at: str, words: Mapping[str, str]) -> Sight:
        return Sight(
            desk,
            self._screens,
            visitor,
            at,
            words,
            cards=self._hall.cards,
            verbs=self._reader.verbs,
        )

    def _whole(self, page: StaffPage, sight: Sight, problems: tuple[str, ...] = ()) -> str:
        if sight.visitor.only_reads:
            why = sentence_of(why_only_reads(sight.visitor, self._hall.private_address), {})
            problems = (why, *problems)
        return _made_whole(self._hall.heading, page, sight, problems)


async def raised(_: Request, error: LedgerError) -> Response:
    """Raise an error, since this hall has no officials.

    Raises:
        LedgerError: always.
    """
    raise error


class LongQuestion(NamedTuple):
    """A page that the reader makes."""

    path: str
    visitor: Visitor
    at: str
    words: Mapping[str, str]
    heading: EventHeading


def long_page(desk: Desk, question: LongQuestion) -> str:
    """Make a page at the reader's desk; it has neither screens nor links."""
    page = next(page for page in STAFF_PAGES if page.path == question.path)
    screens = Screens(lambda: desk.book.stream)
    sight = Sight(desk, screens, question.visitor, question.at, question.words)
    with marking_names():
        return _made_whole(question.heading, page, sight._replace(said=done(sight)))


def _made_whole(
    heading: EventHeading, page: StaffPage, sight: Sight, problems: tuple[str, ...] = ()
) -> str:
    here = page.path.split("/")[1]
    listed = OWNERS_LINKS if sight.visitor.is_owner else STAFF_LINKS
    links = tuple((path, tr(title)) for path, title in listed)
    around = Surroundings(here, links, page.script, "staff", styles=page.styles)
    answered = htpy.p(hidden=True, data_answers=visible(sight.answers))  # for the page's script
    refused = problems_node(problems, partial(command_link, verbs=sight.verbs))
    content = [
        refused if problems else None,
        answered if sight.answers else None,
        page.body(sight),
    ]
    return own_page(heading, tr(page.title), content, (), around)


def _fragment(node: Node) -> str:
    return with_isolates(str(htpy.fragment[node]))


_OF_THE_ANSWER = frozenset({"done", "part", "after", "line", "left"})
"""Words of an address that belong to one answer, and not to the page."""


def _with_words(path: str, words: Mapping[str, str]) -> str:
    """Return a path with words of its question; those of an earlier answer are left out."""
    path, _, question = path.partition("?")
    of_path = next((of for page in STAFF_PAGES if (of := _words_in(page, path))), {})
    is_answer = "done" in words and words.keys() <= {"done", "left"}
    both = {key: value for key, value in parse_qsl(question) if key not in _OF_THE_ANSWER}
    both |= {
        key: value
        for key, value in words.items()
        if key not in of_path and (is_answer or key not in _OF_THE_ANSWER)
    }
    return f"{path}?{urlencode(both)}" if both else path


def _with_acts_left(
    path: str, landed: Mapping[str, str], pending: Sequence[Mapping[str, str]]
) -> str:
    """Return a path with the acts that were not confirmed: the latest that an address can hold."""
    for first in range(len(pending)):
        longer = _with_words(path, {**landed, "left": as_carried(pending[first:])})
        if len(longer) < PATH_MAX - BASE_MAX:
            return longer
    return path


def asked_in(fields: Fields, reader: LineReader, latest: int) -> SentLine:
    """Read what a page sent: a line, a form, or the words that it was shown; or Malformed."""
    seen = fields.get("seen", "")
    known = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) <= 12 else latest  # noqa: PLR2004 - digits
    return SentLine(
        _words(fields, reader), known, fields.get("id", ""), is_confirmed="confirmed" in fields
    )


def _words(fields: Fields, reader: LineReader) -> list[str]:
    if "words" in fields:
        try:
            words = msgspec.json.decode(fields["words"], type=list[str])
        except (msgspec.DecodeError, RecursionError):
            raise Malformed(
                phrase("this form does not come from this hall: open its page again")
            ) from None
    elif "form" in fields:
        words = words_of_form(fields, reader.verbs)
    else:
        words = _typed(fields.get("line", ""), reader)
    if len(words) > WORDS_MAX or any(len(word) > WORD_CHARACTERS_MAX for word in words):
        raise Malformed(phrase("this line is too long"))
    return words


def words_of_form(fields: Fields, verbs: PageVerbs) -> list[str]:
    """Return the words of the line that a posted form makes.

    Raises:
        Malformed: there is no such form.
    """
    if fields["form"] == RESULT_FORM.name:
        return words_of_result(fields)
    form = form_of(fields["form"], verbs)
    if form is None:
        raise Malformed(phrase("this form does not come from this hall: open its page again"))
    return words_for(form, fields)


def _typed(line: str, reader: LineReader) -> list[str]:
    try:
        return reader.words_of(line)
    except UsageError as error:
        raise Refused(str(error)) from None


def _words_in(page: StaffPage, path: str) -> Mapping[str, str] | None:
    """Return the words that a path has for a page; None if it is of another page."""
    match = pattern_of(page.path).match(path.partition("?")[0])
    return match.groupdict() if match else None


def _page_at(path: str) -> tuple[StaffPage, Mapping[str, str]]:
    """Return the page of a path, and the words of the path.

    Raises:
        NotFound: the path is of no page of officials.
    """
    for page in STAFF_PAGES:
        words = _words_in(page, path)
        if words is not None:
            return page, words
    raise NotFound(phrase("there is no such page"))

"""The hall: the tournament as its store has it now, the acts that come in, and each part made once.

One thread does all work on the store and makes all parts, so that a large table delays no stream;
acts go before reading. Slow questions go to the reader, which is another process.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cli import outside
from cli.languages.choice import LanguagesInUse
from cli.languages.speaking import ENGLISH, language, speaking, tr
from cli.machine.posted_words import WordsOfPosting
from cli.serve.commands import keep
from cli.serve.door.pace import Pace, ReadingPace
from cli.serve.pages.frame import EventHeading, Notice, PartShown, page
from cli.serve.parts import (
    PARTS,
    RUNNING,
    SECOND,
    digest_of,
    part_named,
    rendered_part,
    rendered_value,
    shared,
    tag_of,
)
from cli.serve.pieces import (
    address_of_row,
    match_nodes,
    piece_nodes,
    query_of,
    query_of_search,
    title_of,
)
from cli.serve.reader import HallReader, ReadEvent
from cli.serve.visitors import ASKER, NOBODY, THE_DOOR, THE_HALL, Lane, Visitor, Worker
from cli.serve.writing import Following, Writer, act_all
from cli.terminal.output import say
from cli.terminal.visible import marking_names, short_id
from cli.wording.page_words import public_view
from ledger.books.book import Sent
from ledger.errors import LedgerError, NotFound, Refused, Unsigned
from ledger.facts.office import lets_in
from ledger.problems import phrase
from ledger.rules.disputes import CarryOut
from ledger.rules.office import Rule
from projections.disputes import is_due

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from htpy import Node

    from cli.desk.session import Desk
    from cli.serve.commands import AwaitsSignature
    from cli.serve.parts import Rendered
    from cli.serve.pieces import LongList
    from ledger.books.book import Answer
    from ledger.formats import CardFile
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import Link


Value = TypeVar("Value")

AHEAD, AHEAD_SECONDS = "pairings", 0.25
"""The part that is made before the news of a posting, and the maximum time that the news waits."""

NEWS_KEPT = 500
"""How many steps a page may be behind and still learn which parts it has to fetch again."""


class News(NamedTuple):
    """Which parts are other than before, as of a position in the log."""

    position: int
    parts: tuple[str, ...]


KEPT_MAX = 300
"""Pages and parts that are kept: a search for clauses makes way for others."""

SENT_IN_SECOND = 50_000_000
"""Bytes of whole views that count as a second of the processor: to send one costs about that."""


class SearchAnswer(NamedTuple):
    """Rows that a search finds, as a part and as a page; `only` is the address of a single row."""

    part: Rendered
    page: Rendered
    only: str


class Hall:
    """One tournament, followed; `closing` ends the streams."""

    def __init__(self, desk: Desk, cards: CardFile | None = None) -> None:
        """`cards` are what lists of phones are read and checked with."""
        self._desk, self.cards = desk, cards
        self._worker = Worker("hall")
        self.reader = HallReader(self._place)
        self._made: dict[tuple[str, ...], Rendered] = {}
        self._lists: dict[tuple[str, str], LongList] = {}
        self._digests: dict[str, bytes] | None = None
        """Of every part as it was last; not known while no page was open."""

        self._listeners = 0
        self._news: deque[News] = deque()
        self._known_since = 0
        self._changed = asyncio.Event()
        self._writer = Writer(self._write, self._tell)
        self._pace, self._reading = Pace(), ReadingPace()
        self._following = Following(
            lambda kept: self._do(lambda: kept(self._desk.store().listen()))
        )
        self._told = 0
        self.name = self.event = ""
        self._words = WordsOfPosting()
        self.notice: Callable[[], Notice] = Notice
        """Callback that returns the announcement, which is kept with the screens."""

        self.languages = LanguagesInUse()
        self._ahead: asyncio.Task[None] | None = None
        self._held: deque[News] = deque()
        """News that wait until the pairings are made."""

        self._posting = (0, 0)

        self._heading = EventHeading("")
        self.public_address: Callable[[], str] = str
        """Callback that returns where phones open this server, or "" if that is not known."""

        self.beside: Callable[[], Iterable[str]] = tuple
        """Callback that returns the tournaments that this server has open, this one among them."""

        self.has_link: Callable[[str], Awaitable[bool]] = _has_none
        """Callback that returns whether a secret or code with this SHA-256 is of a valid link."""

        self.elsewhere: Callable[[str], Awaitable[EventHeading | None]] = _nowhere
        """Callback that returns the other open tournament in which it does; None without one."""

        self.private_address = ""
        """Where officials act over TLS, or "" if this server has no such port."""

        self.position = self._landed = 0
        self.problem = ""
        """Why the store gives no answer now; empty while it does."""

        self.closing = False

    async def open(self) -> None:
        """Read the tournament; NotFound without one, or as the store says."""
        self.name, self.position = await self._do(self._opened)
        self.event = self._desk.book.stream
        self._known_since = self.position
        self.reader.warm()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the hall, and follow the store until the end."""
        following: asyncio.Task[None] | None = None
        try:
            await self.open()
            following = asyncio.create_task(self.follow())
            yield
        finally:
            await self.close()
            if following is not None:
                following.cancel()

    def official_here(self) -> Visitor:
        """Return the official at this desk: who is at this computer acts as they do."""
        by = self._desk.by
        return Visitor(by, official=int(by.partition("/")[0][1:]))

    async def follow(self) -> None:
        """Look for what was written since, until the hall closes; an outage is waited out."""
        while not self.closing:
            await self._tell()
            await self._following.wait()

    async def act(
        self, visitor: Visitor, command_id: str, command: Command, player: int = 0
    ) -> list[Recorded]:
        """Carry a visitor's act out, perhaps on a player's word; its events, once they are durable.

        Sent again with the same id it changes nothing and gives the first answer again; raises as
        `Book.act`, TooMany, and AwaitsSignature where it was kept as a draft.
        """
        by, own = visitor.acting_for(player), visitor.command_id(command_id)
        if own not in self._tournament.ids:
            self._pace.count(visitor)
        sent = Sent(command, by, own, outside.now)
        recorded = await self._carried_out(sent)
        if isinstance(command, Rule) and command.corrects:
            await self._enter_ruled(recorded)
        return recorded

    async def enter_again(self, sent: Sent) -> list[Recorded]:
        """Enter an act of a person with the id and the time that it had; raises as `act`."""
        return await self._carried_out(sent)

    async def _carried_out(self, sent: Sent) -> list[Recorded]:
        """Carry an act out, or keep it as a draft; raises as `act`."""
        try:
            return await self._writer.act(sent)
        except Unsigned as unsigned:
            raise await self._kept(sent, unsigned) from None
        except Refused:
            entered_by = await self.at_desk(lambda desk: _entered_at_a_desk(desk, sent))
            if not entered_by:
                raise
            return await self._writer.act(sent._replace(by=entered_by))

    async def _enter_ruled(self, recorded: Sequence[Recorded]) -> None:
        """Let the hall's desk enter the result of a ruling whose official may not enter it.

        If that is refused, the result stays due, and `/judge` lists it.
        """
        seqs = {each.seq for each in recorded}

        def due(desk: Desk) -> tuple[int, str]:
            tournament = desk.book.tournament
            rulings = (each for each in tournament.floor.rulings if each.seq in seqs)
            return next((each.seq for each in rulings if is_due(tournament, each)), 0), desk.by

        ruling, by = await self.at_desk(due)
        if ruling:
            with suppress(LedgerError):
                await self._carried_out(Sent(CarryOut(ruling), by, outside.draw_id(), outside.now))

    async def _kept(self, sent: Sent, unsigned: Unsigned) -> AwaitsSignature:
        """Keep what has to be signed as a draft."""
        desk = self._desk
        return await self._do(lambda: keep(desk.store(), desk.book.stream, sent, unsigned))

    async def view(self, work: Callable[[Tournament], Value], visitor: Visitor = NOBODY) -> Value:
        """Read a value from the current tournament, while no act changes it.

        Only an official can read the names that are not public.
        """

        def read() -> Value:
            tournament = self._tournament
            return work(tournament if visitor.official else public_view(tournament))

        return await self._do(read)

    async def at_desk(self, work: Callable[[Desk], Value], lane: Lane | None = None) -> Value:
        """Do something at the hall's own desk that writes nothing, with all that was written.

        It is done in its asker's turn, or in a given lane.
        """

        def done() -> Value:
            self._desk.book.refresh()
            return work(self._desk)

        return await self._do(done, lane)

    async def asked(
        self,
        work: Callable[..., Value],
        *given: object,
        is_kept: bool = False,
    ) -> Value:
        """Have the reader answer what takes long, with all acts that were answered; see its ask.

        The function is handed the reader's desk and the rest. `is_kept` if its value follows from
        that and from the log.
        """
        return await self.reader.ask(self.newest, work, *given, is_kept=is_kept)

    @property
    def newest(self) -> int:
        """Return the last event that is known of, also if pages have no news of it yet."""
        return max(self.position, self._landed)

    @property
    def links(self) -> Mapping[int, Link]:
        """Every link that was given out, as of the last look into the store."""
        return self._tournament.floor.links

    def admits(self, link: Link) -> bool:
        """Return whether a link works, as of the last look into the store."""
        return lets_in(self._tournament, link)

    @property
    def plain_http(self) -> bool:
        """Whether officials may act over plain HTTP, as of the last look into the store."""
        return self._tournament.plain_http

    def has_landed(self, command_id: str) -> bool:
        """Return whether a command has left events in the log."""
        return command_id in self._tournament.ids

    async def value(self, name: str) -> Rendered:
        """Return the current JSON of a part; raises as `part`."""
        made = self._made.get(("value", name))
        if made is None or made.second:
            made = await self._do(lambda: self._value(name))
        return made

    async def part(self, name: str, start: str = "") -> Rendered:
        """Return a part, or the piece of it that begins with `start`.

        One that is made already is given at once: a thousand phones ask in the same moment.

        Raises:
            NotFound: the tournament has no such part yet, or there is no such piece.
        """
        made = self._kept_piece("part", name, start)
        return made if made is not None else await self._do(lambda: self._part(name, start))

    async def page(self, name: str, start: str = "") -> Rendered:
        """Return the page of a part or of a piece; raises as `part`."""
        made = self._kept_piece("page", name, start)
        return made if made is not None else await self._do(lambda: self._page(name, start))

    async def search(self, name: str, sought: str) -> SearchAnswer:
        """Return the rows that a search in a part finds; raises as `part`.

        The search counts against the budget of its asker.
        """
        return await self._do(lambda: self._search(name, sought))

    async def public_page(self, key: str, content: Callable[[Tournament], str]) -> Rendered:
        """Return a page that all see alike, kept until the next event; `content` makes it."""
        own = "public", key, self._notice_key(), language()
        made = self._made.get(own)

        def make() -> Rendered:
            while len(self._made) >= KEPT_MAX:
                del self._made[next(iter(self._made))]
            html = content(public_view(self._tournament)).encode()
            return self._keep_made(own, shared(html, tag_of(html)))

        return made if made is not None else await self._do(make)

    async def count_sent(self, size: int) -> None:
        """Count the bytes of a whole view, as time, against the asker's reading budget."""
        async with self._reading.reading(ASKER.get()) as took:
            took(size / SENT_IN_SECOND)

    def _kept_piece(self, kind: str, name: str, start: str) -> Rendered | None:
        """Return a piece that is made already; None without one. Only pieces are kept."""
        listed = self._lists.get((name, language()))
        if listed is None and part_named(name).listed is not None:
            return None
        return self._kept_as(self._key_of(kind, name, listed, start))

    def _key_of(self, kind: str, name: str, listed: LongList | None, start: str) -> tuple[str, ...]:
        """Return what names a part, a piece of it, or its page, which has the announcement."""
        place = listed.piece_from(start).start if listed is not None else _player_in(name, start)
        return kind, name, place, language(), *([self._notice_key()] if kind == "page" else ())

    def _kept_as(self, key: tuple[str, ...]) -> Rendered | None:
        """Return a page or part that is made already; a clock only if it shows this second."""
        made = self._made.get(key)
        is_late = made is not None and made.second and made.second != outside.now()[:SECOND]
        return None if is_late else made

    def _keep_made(self, key: tuple[str, ...], made: Rendered) -> Rendered:
        self._made[key] = made
        return made

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count a listener: without listeners, news does not list the changed parts."""
        self._listeners += 1
        try:
            yield
        finally:
            self._listeners -= 1

    @property
    def has_listeners(self) -> bool:
        """Whether pages follow the tournament now."""
        return self._listeners > 0

    async def news_after(self, position: int, seconds: float) -> News | None:
        """Wait for news after a position; return None if there was no news within `seconds`."""
        if self.position <= position and not self.closing:
            try:
                async with asyncio.timeout(seconds):  # `wait_for` makes a task for each stream
                    await self._changed.wait()
            except TimeoutError:
                return None
        return self._since(position) if self.position > position else None

    def end_streams(self) -> None:
        """Let every open stream end; called in the loop's own thread."""
        self.closing = True
        self.reader.end()
        self._reading.end()
        self.wake()

    async def close(self) -> None:
        """End the streams, and give the store up in the thread that opened it."""
        self.end_streams()
        await self.reader.close()
        await self._writer.finish()
        if self._ahead is not None:
            self._ahead.cancel()
        self._following.close()
        await self._do(self._desk.close, Lane.WRITING)
        self._worker.close()

    async def _write(self, acts: Sequence[Sent]) -> list[Answer]:
        def carry_out() -> list[Answer]:
            self._forget_made()
            answers = act_all(self._desk, acts)
            self._landed = self._tournament.seq
            return answers

        return await self._do(carry_out, Lane.WRITING)

    async def _tell(self) -> None:
        """Publish the news of the store, or keep the reason that the store is unavailable."""
        news, problem = None, ""
        try:
            news = await self._do(self._look, Lane.WRITING)
        except LedgerError as error:
            problem = str(error)
        if bool(problem) != bool(self.problem):
            say(
                tr("the pages are out of date: {reason}", reason=problem)
                if problem
                else tr("the store is available again")
            )
        self.problem = problem
        if news is not None:
            self._publish(news)

    def _publish(self, news: News) -> None:
        """Publish news; after a posting, as soon as the pairings are made for those who fetch."""
        posting, self._posting = self._posting, _posting_of(self._tournament)
        self._held.append(news)
        if self._ahead is not None and not self._ahead.done():
            return
        if posting != self._posting and (spoken := self.languages.most_used()):
            self._ahead = asyncio.create_task(self._make_ahead(spoken))
        else:
            self._publish_held()

    def _publish_held(self) -> None:
        while self._held:
            self._add(self._held.popleft())

    async def _make_ahead(self, spoken: Iterable[str]) -> None:
        """Make the pairings in each language, a piece at a time, and publish the news."""
        ASKER.set(THE_HALL)
        try:
            async with asyncio.timeout(AHEAD_SECONDS):
                for code in spoken:
                    with speaking(code):
                        listed = await self._do(partial(self._list, AHEAD), Lane.ENTERING)
                        for piece in listed.pieces if listed else ():
                            make = partial(self._part, AHEAD, piece.start)
                            await self._do(make, Lane.ENTERING)
        except (LedgerError, TimeoutError):
            pass  # what is not made is made for the first who asks
        finally:
            self._publish_held()

    def _add(self, news: News) -> None:
        if len(self._news) == NEWS_KEPT:
            self._known_since = self._news.popleft().position
        self._news.append(news)
        self.position = news.position
        self.wake()

    def _since(self, position: int) -> News:
        """Return the parts that changed after a position; all parts if the position is too old."""
        if position < self._known_since:
            return News(self.position, tuple(PARTS))
        parts = {part for each in self._news if each.position > position for part in each.parts}
        return News(self.position, tuple(name for name in PARTS if name in parts))

    def wake(self) -> None:
        """Wake all listeners; later listeners wait for the next news."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def _do(self, work: Callable[[], Value], lane: Lane | None = None) -> Value:
        """Do something in the hall's thread; reads count against the budget of their link.

        The reads of an act go before pages and have a separate budget, so that refused acts do not
        delay the pages of others.
        """
        asker = ASKER.get()
        is_own_work = lane is not None and lane <= Lane.ENTERING
        lane = asker.lane if lane is None else lane
        if is_own_work or asker is THE_HALL or asker is THE_DOOR:
            return await self._worker.do(work, lane)
        async with self._reading.reading(asker) as took:

            def timed() -> Value:
                begun = thread_time()
                try:
                    return work()
                finally:
                    took(thread_time() - begun)

            return await self._worker.do(timed, lane)

    def _place(self) -> ReadEvent:
        return ReadEvent(self._desk.options, self._desk.location, self._desk.book.stream)

    @property
    def heading(self) -> EventHeading:
        """Return the heading that is above every page now."""
        return self._heading._replace(notice=self.notice())

    @property
    def _tournament(self) -> Tournament:
        return self._desk.book.tournament

    def _opened(self) -> tuple[str, int]:
        opening = self._tournament.opening
        self._told = self._tournament.seq
        self._heading = self._headed(opening.name if opening else "")
        self._posting = _posting_of(self._tournament)
        return opening.name if opening else "", self._tournament.seq

    def _headed(self, name: str) -> EventHeading:
        book = self._desk.book
        return EventHeading(name, self._words.now(book), short_id(book.stream))

    def _look(self) -> News | None:
        """Read what is new; None where nothing is."""
        tournament = self._desk.book.refresh().tournament
        if tournament.seq == self._told:
            return None
        self._told = tournament.seq
        self._forget_made()
        self._heading = self._headed(self.name)
        known, self._digests = self._digests, self._digested() if self._listeners else None
        if known is None or self._digests is None:
            return News(tournament.seq, tuple(PARTS))
        changed = (each for each in PARTS if self._digests.get(each) != known.get(each))
        return News(tournament.seq, tuple(changed))

    @speaking(ENGLISH)
    def _digested(self) -> dict[str, bytes]:
        """Hash every part that there is, so that a page fetches again only what is other."""
        found: dict[str, bytes] = {}
        for name in PARTS:
            try:
                value = b"" if name in RUNNING else self._value(name).content
                found[name] = digest_of(name, public_view(self._tournament), value)
            except LedgerError:
                continue
        return found

    def _forget_made(self) -> None:
        self._made.clear()
        self._lists.clear()

    def _value(self, name: str) -> Rendered:
        made = self._made.get(("value", name))
        if made is not None and name not in RUNNING:
            return made
        with speaking(ENGLISH):
            made = rendered_value(name, public_view(self._tournament))
        return self._keep_made(("value", name), made)

    def _list(self, name: str) -> LongList | None:
        """Return the list that a part is, made once until the next event; None if it is none."""
        listed = part_named(name).listed
        if listed is None:
            return None
        key = name, language()
        if key not in self._lists:
            with marking_names():
                self._lists[key] = listed(public_view(self._tournament))
        return self._lists[key]

    def _part(self, name: str, start: str) -> Rendered:
        listed = self._list(name)
        key = self._key_of("part", name, listed, start)
        if (made := self._kept_as(key)) is not None:
            return made

        def html() -> Node:
            if listed is not None:
                return piece_nodes(name, listed, listed.piece_from(start))
            of_player, tournament = part_named(name).of_player, public_view(self._tournament)
            if of_player is not None:
                return of_player(tournament, int(start[1:] or 0))
            return part_named(name).html(tournament)

        return self._keep_made(key, rendered_part(name, html))

    def _notice_key(self) -> str:
        """Return what names the announcement on a page that is kept."""
        return str(self.notice().version)

    def _page(self, name: str, start: str) -> Rendered:
        part, listed = self._part(name, start), self._list(name)
        key = self._key_of("page", name, listed, start)
        if (made := self._kept_as(key)) is not None:
            return made
        title = query = ""
        if listed is not None:
            piece = listed.piece_from(start)
            with marking_names():
                title, query = title_of(listed, piece), query_of(piece)
        elif chosen := _player_in(name, start):
            query = f"player={chosen}"
        shown = PartShown(name, part.content, title, query)
        return self._keep_made(key, self._page_of(shown)._replace(second=part.second))

    def _page_of(self, shown: PartShown) -> Rendered:
        """Make a page; its ETag leaves out the event up to which its script knows the log."""
        seq = self._tournament.seq
        html = page(self.heading, shown, seq).encode()
        return shared(html, tag_of(html.replace(b'data-position="%d"' % seq, b"", 1)))

    def _search(self, name: str, sought: str) -> SearchAnswer:
        listed = self._list(name)
        if listed is None:
            raise NotFound(phrase("{part} have no search", part=part_named(name).title.lower()))
        part = rendered_part(name, lambda: match_nodes(name, listed, sought))
        shown = PartShown(name, part.content, tr("Find"), query_of_search(sought), sought)
        places = listed.places_of(sought)
        only = address_of_row(name, listed, places[0]) if len(places) == 1 else ""
        return SearchAnswer(part, self._page_of(shown), only)


def _posting_of(tournament: Tournament) -> tuple[int, int]:
    """Return the events of the latest posting and of the latest pairing; 0 without one."""
    posted = tournament.postings[-1].seq if tournament.postings else 0
    return posted, tournament.rounds[-1].paired_seq if tournament.rounds else 0


async def _has_none(_: str) -> bool:
    return False


async def _nowhere(_: str) -> EventHeading | None:
    return None


def _player_in(name: str, start: str) -> str:
    """Return the player whose path is asked for, as `p7`; empty if the part has no paths."""
    return start if part_named(name).of_player is not None else ""


def _entered_at_a_desk(desk: Desk, sent: Sent) -> str:
    """Return who entered a player's act before, from the code that their phone showed; or empty."""
    seq = desk.book.tournament.ids.get(sent.command_id)
    by = desk.book.recorded_at(seq).by if seq else ""
    return by if by.endswith(f"/{sent.by}") else ""

"""The store, the tournament and the official in hand, and the directory's memory of them.

Each is named in the line, or in `TOURNEY_STORE`, or remembered by the directory; the store is else
`./tourney.db`. Everything is opened when it is first needed. A tournament is named by the
beginning of its id or by a part of its name. Between two commands the directory also remembers the
tables that were shown last.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from cli import outside
from cli.desk.machine_files import Files
from cli.input.arguments import Options, UsageError
from cli.input.find_people import called, find_official, find_player, plain
from cli.languages.speaking import marked, tr
from cli.machine.keyring import draw_key
from cli.outside import TO_TERMINAL
from cli.terminal.output import say
from cli.terminal.problems import lines_of
from cli.terminal.visible import how_many, in_quotes, short_id, shortened, visible
from ledger.errors import (
    InvalidLog,
    LedgerError,
    NotFound,
    OtherWire,
    Refused,
    StoreUnavailable,
)
from ledger.files import landed
from ledger.files.access import first_bytes, whole_file
from ledger.problems import Phrase, phrase, problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.machine.checkpoints import Checkpoints
    from cli.machine.last_heads import Known
    from cli.outside import Touches
    from ledger.books.book import Book
    from ledger.books.open_log import Moment
    from ledger.rules.command import Seen
    from ledger.store import Store
    from ledger.tournament.state import Tournament

FILE = Path(".tourney")

BYTES_MAX = 10_000


class Shown(Struct, frozen=True):
    """The round whose tables were shown last, and the last event that seated anybody in it.

    `line` is the digest of that event's line: a store that was restored may have another one there.
    """

    round: int
    seq: int
    line: str


class Memory(Struct, frozen=True, omit_defaults=True):
    """What is in hand, empty where nothing is; `shown` has the tables last shown, by tournament."""

    store: str = ""
    tournament: str = ""
    official: int = 0
    shown: dict[str, Shown] = {}
    backup_to: str = ""
    """The folder that gets a copy of the tournament after each round."""

    served: tuple[str, ...] = ()
    """The tournaments of this store that `serve` shows, in their order."""


def recall() -> Memory:
    """Read what this directory remembers; nothing where the file is absent or is not ours."""
    try:
        return msgspec.json.decode(first_bytes(FILE, BYTES_MAX), type=Memory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Memory()


def remember(memory: Memory) -> None:
    """Keep it whole, for its owner only: an address may hold a password; or OSError."""
    if memory == recall():
        return
    with whole_file(FILE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(memory), indent=2) + b"\n")


NAME_CELLS = 40


class ListedTournament(Struct, frozen=True):
    """A tournament as its first line has it."""

    stream: str
    name: str
    date: str
    ruleset: str
    format: str = ""


def listed_tournaments(store: Store) -> list[ListedTournament]:
    """List the tournaments of a store, in the order of their opening."""
    return [_first_line(store, stream) for stream in store.streams() if store.size(stream)]


def find_stream(store: Store, named: str, in_hand: str) -> str:
    """Find the tournament named with -t, else in hand, else the only one; NotFound lists all."""
    if named:
        return find_named(store, named)
    if in_hand and store.size(in_hand):
        return in_hand
    streams = store.streams()
    if len(streams) == 1:
        return streams[0]
    if not streams:
        raise NotFound(
            phrase("{store} contains no tournament yet: `tourney new` opens one", store=store.where)
        )
    raise NotFound(
        phrase(
            "{store} contains {count} tournaments: choose one with -t, or select the "
            "current one with `tourney use`: {listed}",
            store=store.where,
            count=len(streams),
            listed=_listed(listed_tournaments(store)),
        )
    )


def find_named(store: Store, words: str) -> str:
    """Find a tournament by its id's beginning or part of its name; NotFound lists several."""
    if store.size(words.lower()):
        return words.lower()
    known = listed_tournaments(store)
    sought = plain(words)
    same = set(called({each.stream: each.name for each in known}, words))
    for found in (
        [each for each in known if each.stream in same],
        [each for each in known if each.stream.startswith(words.lower())],
        [each for each in known if sought in plain(each.name)],
    ):
        if len(found) == 1:
            return found[0].stream
        if found:
            raise NotFound(
                phrase(
                    "{typed} could be {listed}",
                    typed=in_quotes(words),
                    listed=_listed(found),
                )
            )
    raise NotFound(
        phrase(
            "no tournament {typed} in {store}: {listed}",
            typed=in_quotes(words),
            store=store.where,
            listed=_listed(known) or phrase("none"),
        )
    )


def _first_line(store: Store, stream: str) -> ListedTournament:
    from ledger.facts.shared import TournamentOpened
    from ledger.lines.line import decode

    entries = store.entries(stream, 0, 1)
    try:
        opening = decode(entries[0][1]).event
    except OtherWire:
        return ListedTournament(stream, "?", "", "")  # its own release lists it
    except (IndexError, InvalidLog) as error:
        what = (
            phrase("the first event cannot be read ({error})", error=str(error))
            if entries
            else phrase("the first event is missing")
        )
        raise _damaged(store, stream, what) from None
    if not isinstance(opening, TournamentOpened):
        return ListedTournament(stream, "?", "", "")
    format_ = opening.format.key if opening.format else ""
    return ListedTournament(stream, opening.name, opening.date, opening.ruleset.key, format_)


def changes(store: Store) -> Iterator[str]:
    """Say of which tournaments the lines are not as many as listed, or not as they were signed."""
    from cli.machine.last_heads import known

    for stream in store.streams():
        size, lines = store.size(stream), None
        try:
            heads = known(stream)
            lines = store.lines(stream)
            heads.hold(lines, store.where, quickly=True)
        except LedgerError as error:
            yield tr("tournament {tournament}: {error}", tournament=short_id(stream), error=error)
        lines = store.lines(stream) if lines is None else lines
        if len(lines) < size:
            what = phrase(
                "{count} of {events} are missing",
                count=size - len(lines),
                events=how_many(size, "event"),
            )
            yield from lines_of(_damaged(store, stream, what), {})


def _damaged(store: Store, stream: str, what: Phrase) -> StoreUnavailable:
    return StoreUnavailable(
        phrase(
            "the store at {store} is damaged: in the log of tournament {tournament} {what}; "
            "restore the newest backup into a new store",
            store=store.where,
            tournament=short_id(stream),
            what=what,
        )
    )


def _listed(known: list[ListedTournament]) -> str:
    shown = [
        f"{shortened(visible(each.name), NAME_CELLS)} ({short_id(each.stream)})"
        for each in known[:8]
    ]
    if len(known) > len(shown):
        shown.append(tr("{count} more", count=len(known) - len(shown)))
    return ", ".join(shown)


DEFAULT_STORE = "tourney.db"
STORE_VARIABLE = "TOURNEY_STORE"
ORGANIZER = 1
"""The official who opened the tournament."""

LONG_LOG = 5_000
"""From how many events on the collector leaves the book's objects alone: they stay to the end."""

_PLAYER = re.compile(r"p([0-9]{1,6})")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):(.*)@(?=[^@]*$)")
_SECRET_PARAMETER = re.compile(r"(?<=[?&])((?:ssl)?password)=[^&]*", re.IGNORECASE)


def without_password(location: str) -> str:
    """Return a store's location as it may be shown."""
    return _SECRET_PARAMETER.sub(r"\1=***", _PASSWORD.sub(r"\1:***@", location))


class InHand:
    """What one command works with."""

    has_memory = True
    """Whether this folder remembers what was shown here."""

    reads_machine = True
    """Whether the desk reads this folder's memory, and this computer's heads and keys."""

    files: Files = Files()
    """The files of this machine that a line may name."""

    grants = TO_TERMINAL
    """What of this machine the verb of a line may touch."""

    def __init__(self, options: Options, line: Sequence[str]) -> None:
        self.options = options
        self.line = tuple(line)
        self.memory = recall() if self.reads_machine else Memory()
        self.command_id = options.command_id or outside.draw_id()
        if not _ID.fullmatch(self.command_id):
            raise UsageError(tr("--id takes up to 64 letters, digits, - and _"))
        variable = os.environ.get(STORE_VARIABLE, "")
        self.location = options.store or variable or self.memory.store or DEFAULT_STORE
        self._store: Store | None = None
        self._book: Book | None = None
        self._stream = ""
        self._by = ""
        self.seen: Seen | None = None
        """The tables that the next act is meant for, as they were when it was typed."""

        self.shown: Shown | None = None
        """What the loop at this desk has shown of its tables; else the directory remembers it."""

        self._has_said_what_is_missing = self._has_said_what_is_unsigned = False
        self._heads: Checkpoints | None = None
        self.copies_to: str | None = None
        """Where copies go after each round, if the line says it; else as remembered."""

        self.repeat_with: list[str] = []
        """What the line leaves to the moment, so that its repetition says the same."""

        self.if_changed: Literal["refuse", "say", "pass"] = "refuse"
        """What becomes of this verb where the lines are not those that were signed."""

    def grant(self, verb: str, touches: Touches, *, is_help: bool) -> None:
        """Let a verb touch parts of this computer.

        Raises:
            Refused: the verb touches other parts.
        """
        del is_help
        if lacking := touches & ~self.grants:
            text = marked("a page cannot run {verb}, which uses {touches}: type it at a terminal")
            raise Refused(problem("page.not_granted", text, verb=verb, touches=lacking.in_words))

    @property
    def json(self) -> bool:
        """Whether data is wanted as JSON."""
        return self.options.format == "json"

    def store(self, *, create: bool = False) -> Store:
        """Open the store, or return it; NotFound without one, or StoreUnavailable."""
        if self._store is None:
            from ledger.store import open_store

            self._store = open_store(self.location, create=create)
        return self._store

    def has_store(self) -> bool:
        """Return whether there is a store at the place that is named."""
        try:
            self.store()
        except NotFound:
            return False
        return True

    @property
    def book(self) -> Book:
        """The book of the tournament in hand, folded once."""
        return self._book or self._open()

    @book.setter
    def book(self, book: Book) -> None:
        self._book = book
        self._stream = book.stream

    @property
    def stream(self) -> str:
        """The tournament in hand; its book stays closed."""
        if not self._stream:
            named, in_hand = self.options.tournament, self.memory.tournament
            self._stream = find_stream(self.store(), named, in_hand)
        return self._stream

    def go_to(self, moment: Moment) -> None:
        """Take the book in hand as it was at a moment; NotFound without such a one."""
        self._open(moment)

    def _open(self, moment: Moment | None = None) -> Book:
        from ledger.books.book import open_book
        from projections.standings.table import ranking

        store, stream = self.store(), self.stream
        heads = self._known_heads(stream)
        self._book = open_book(store, stream, ranking, draw_key, moment)
        self._hold_to_heads(heads)
        if len(self._book.lines) > LONG_LOG:
            gc.freeze()
        self._say_what_is_unsigned(self._book)
        self._say_what_is_missing(self._book)
        return self._book

    def _known_heads(self, stream: str) -> Known:
        """Read the signed head and the last ones seen; NoHead if damaged, if the verb needs it."""
        from cli.machine.checkpoint_file import CheckpointFile
        from cli.machine.last_heads import Known, seen_of

        lasts = seen_of(stream)
        try:
            return Known(stream, CheckpointFile(stream).read(), lasts)
        except LedgerError as error:
            if self.if_changed == "refuse":
                raise
            say(str(error))
            return Known(stream, None, lasts)

    def _hold_to_heads(self, known: Known) -> None:
        """Compare the lines with their heads; NotAsSigned, unless the verb looks at that."""
        from cli.machine.checkpoint_file import NotAsSigned

        try:
            self.heads.look(known)
        except NotAsSigned as error:
            if self.if_changed == "refuse":
                raise
            if self.if_changed == "say":
                say(tr("warning: {error}", error=error))

    def _say_what_is_unsigned(self, book: Book) -> None:
        """Let every view of the tournament repeat which lines no signed head covered, and why."""
        from cli.machine.caveats import caveat_of
        from cli.terminal.output import set_caveat

        caveat = caveat_of(book)
        set_caveat("unsigned", caveat)
        if caveat is not None and not self._has_said_what_is_unsigned:
            self._has_said_what_is_unsigned = True
            for sentence in caveat.sentences:
                say(sentence)

    def _say_what_is_missing(self, book: Book) -> None:
        from cli.machine.caveats import missing_in_words, reported_in_words

        found = [missing_in_words(book), reported_in_words(book.stream)]
        if not self._has_said_what_is_missing and any(found):
            self._has_said_what_is_missing = True
            for text in filter(None, found):
                say(text)

    @property
    def names(self) -> dict[str, str]:
        """The names known so far, for messages; opens nothing."""
        return self._book.tournament.names if self._book else {}

    @property
    def tournament(self) -> Tournament:
        """The tournament that words are read in: as an id that has landed found it, else as now."""
        return self.at_command(self.command_id)

    def at_command(self, command_id: str) -> Tournament:
        """Return the tournament as the command of that id found it, or as it is now."""
        landed = self.book.tournament.ids.get(command_id)
        return self.book.at(landed - 1) if landed else self.book.tournament

    @property
    def is_live(self) -> bool:
        """Whether what is shown goes on now: not a moment of the past, and not a file."""
        return self.reads_machine and not self.book.is_past

    @property
    def clock(self) -> str:
        """The time of what is shown: now, or that of the last event where nothing goes on."""
        from ledger.books.open_log import clock_of

        return outside.now() if self.is_live else clock_of(self.book.lines[-1])

    def posted_view(self) -> Tournament:
        """Return the tournament that a posting sees; for an id that has landed, the one it saw."""
        from ledger.facts.rounds import Posted

        landed = self.book.tournament.ids.get(self.command_id)
        posted = self.book.recorded_at(landed).event if landed else None
        return self.book.at(posted.up_to) if isinstance(posted, Posted) else self.tournament

    @property
    def by(self) -> str:
        """Who enters: `o2`, perhaps on behalf of a player, or a player at a desk of their own."""
        if not self._by:
            self._by = self._who_enters()
        return self._by

    def enter_as(self, person: str) -> None:
        """Let somebody enter what this line does; `o2`."""
        self._by = person

    def _who_enters(self) -> str:
        acting, player = self.options.acting, self.options.on_behalf_of
        if own := _PLAYER.fullmatch(acting):
            if player:
                raise UsageError(
                    tr(
                        "a player acts only for themselves: with --as {acting}, omit --for",
                        acting=acting,
                    )
                )
            return f"p{find_player(self.tournament, own[1])}"
        official = self.memory.official or ORGANIZER
        if acting:
            official = find_official(self.tournament, acting)
        return f"o{official}" + (f"/p{find_player(self.tournament, player)}" if player else "")

    @property
    def heads(self) -> Checkpoints:
        """The signed heads of the log in hand."""
        from cli.machine.checkpoints import Checkpoints

        book = self.book
        if self._heads is None or self._heads.book is not book:
            self._heads = Checkpoints(book)
        return self._heads

    def take_in_hand(self, stream: str, official: int = ORGANIZER) -> None:
        """Remember store, tournament and official in this directory."""
        from cli.terminal.visible import short_id

        variable = os.environ.get(STORE_VARIABLE, "")
        store = "" if variable and not self.options.store else self.location
        before = recall()
        copies = before.backup_to if self.copies_to is None else self.copies_to
        served = before.served if before.store == store else ()
        self.memory = Memory(store, stream, official, before.shown, copies, served)
        try:
            remember(self.memory)
        except OSError as error:
            say(
                tr(
                    "the choice cannot be saved here ({error}): add -t {tournament} to every line",
                    error=error.strerror,
                    tournament=short_id(stream),
                )
            )
        else:
            if store != without_password(store):
                say(
                    tr(
                        "the store's address and password are saved in ./.tourney, which only "
                        "you can read"
                    )
                )
            if self.memory != before:
                landed.note_place(str(FILE))

    def repeat(self) -> str:
        """Return the command line that repeats this act, without a password."""
        words = ["tourney"]
        if self.options.store:
            words += ["--store", without_password(self.options.store)]
        for option, value in (
            ("-t", self.options.tournament),
            ("--as", self.options.acting),
            ("--for", self.options.on_behalf_of),
            ("--id", self.command_id),
        ):
            words += [option, value] if value else []
        words += ["--json"] if self.json else []
        return shlex.join([*words, *self.line[:1], *self.repeat_with, *self.line[1:]])

    def close(self) -> None:
        """Keep what was seen, and give the store up."""
        if self._heads is not None and self._heads.book is self._book:
            self._heads.remember()
        if self._store is not None:
            self._store.close()

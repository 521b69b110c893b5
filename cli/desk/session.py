"""The desk: the store, the tournament and the official in hand, the clock and the randomness.

Said in the line, then in `TOURNEY_STORE`, then remembered by the directory, else `./tourney.db`.
Everything below is opened when it is first needed.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
from typing import TYPE_CHECKING, Literal

from cli.desk.memory import FILE, Memory, recall, remember
from cli.input.arguments import UsageError
from cli.input.people import find_official, find_player
from cli.keys.keyring import draw_key
from cli.terminal.diagnostics import say
from ledger.errors import LedgerError
from ledger.files import landed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.desk.memory import Shown
    from cli.heads.checkpoint_file import StoredCheckpoint
    from cli.heads.checkpoints import Checkpoints
    from cli.heads.last_heads import LastHead
    from cli.input.arguments import Options
    from ledger.books.book import Book
    from ledger.books.moments import Moment
    from ledger.decisions.command import Command, Seen
    from ledger.lines.line import Recorded
    from ledger.proof.evidence.notes import Signer
    from ledger.store import Store
    from ledger.tournament.state import Tournament

DEFAULT_STORE = "tourney.db"
STORE_VARIABLE = "TOURNEY_STORE"
ORGANIZER = 1
"""The official who opened the book."""

LONG_LOG = 5_000
"""From how many events on the collector is kept from the book's objects: they stay to the end."""

_PLAYER = re.compile(r"p([0-9]{1,6})")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):(.*)@(?=[^@]*$)")
_SECRET_PARAMETER = re.compile(r"(?<=[?&])((?:ssl)?password)=[^&]*", re.IGNORECASE)


def draw_id() -> str:
    """Draw a command's id: 128 random bits in hex."""
    return os.urandom(16).hex()


def now() -> str:
    """Read the clock as a line holds it: UTC, in milliseconds."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def without_password(location: str) -> str:
    """Return a store's location as it may be shown."""
    return _SECRET_PARAMETER.sub(r"\1=***", _PASSWORD.sub(r"\1:***@", location))


class Desk:
    """What one command works with."""

    def __init__(self, options: Options, line: Sequence[str]) -> None:
        self.options = options
        self.line = tuple(line)
        self.memory = recall()
        self.command_id = options.command_id or draw_id()
        if not _ID.fullmatch(self.command_id):
            raise UsageError("--id takes up to 64 letters, digits, - and _")
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

        self._has_remarked = False
        self._heads: Checkpoints | None = None
        self.repeat_with: list[str] = []
        """What the line leaves to the moment, so that its repetition says the same."""

        self.if_changed: Literal["refuse", "say", "pass"] = "refuse"
        """What becomes of this verb where the lines are not those that were signed."""

    @property
    def json(self) -> bool:
        """Whether data is wanted as JSON."""
        return self.options.json

    def store(self, *, create: bool = False) -> Store:
        """Open the store, or return it.

        Raises:
            NotFound: there is none, and `create` is false.
            StoreUnavailable: it gives no answer.
        """
        if self._store is None:
            from ledger.store import open_store

            self._store = open_store(self.location, create=create)
        return self._store

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
            from cli.desk.tournaments import find_stream

            self._stream = find_stream(self)
        return self._stream

    def go_to(self, moment: Moment) -> None:
        """Take the book in hand as it was at a moment, to look at it.

        Raises:
            NotFound: the log has no such moment.
        """
        self._open(moment)

    def _open(self, moment: Moment | None = None) -> Book:
        from ledger.books.book import open_book
        from projections.standings.table import ranking

        store, stream = self.store(), self.stream
        heads = self._known_heads(stream)
        self._book = open_book(store, stream, ranking, draw_key, moment)
        self._look(*heads)
        if len(self._book.lines) > LONG_LOG:
            gc.freeze()
        self._remark_once(self._book)
        return self._book

    def _known_heads(self, stream: str) -> tuple[StoredCheckpoint | None, LastHead | None]:
        """The signed head and the last one seen that the lines are held to.

        Raises:
            NoHead: its file is damaged, and this verb is not one that looks at that.
        """
        from cli.heads.checkpoint_file import CheckpointFile
        from cli.heads.last_heads import LastHeads

        last = LastHeads(stream).read()
        try:
            return CheckpointFile(stream).read(), last
        except LedgerError as error:
            if self.if_changed == "refuse":
                raise
            say(str(error))
            return None, last

    def _look(self, kept: StoredCheckpoint | None, last: LastHead | None) -> None:
        """Hold the lines to their heads.

        Raises:
            NotAsSigned: they were changed, and this verb is not one that looks at that.
        """
        from cli.heads.checkpoint_file import NotAsSigned

        try:
            self.heads.look(kept, last)
        except NotAsSigned as error:
            if self.if_changed == "refuse":
                raise
            if self.if_changed == "say":
                say(f"warning: {error}")

    def _remark_once(self, book: Book) -> None:
        from cli.keys.missing_secrets import remark

        if not self._has_remarked and (text := remark(book)):
            self._has_remarked = True
            say(text)

    @property
    def names(self) -> dict[str, str]:
        """The names known so far, for messages; opens nothing."""
        return self._book.tournament.names if self._book else {}

    @property
    def tournament(self) -> Tournament:
        """The tournament in which words are looked up.

        For an id that has landed it is the tournament of that moment, so that the same words,
        sent again, make the same command.
        """
        return self.at_command(self.command_id)

    def at_command(self, command_id: str) -> Tournament:
        """Return the tournament as the command of that id found it, or as it is now."""
        landed = self.book.tournament.ids.get(command_id)
        return self.book.at(landed - 1) if landed else self.book.tournament

    def posted_view(self) -> Tournament:
        """Return the tournament that a posting sees; for an id that has landed, the one it saw."""
        from ledger.events.rounds import Posted

        landed = self.book.tournament.ids.get(self.command_id)
        posted = self.book.recorded_at(landed).event if landed else None
        return self.book.at(posted.up_to) if isinstance(posted, Posted) else self.tournament

    @property
    def by(self) -> str:
        """Who enters: the official at the desk, on behalf of a player where one is named.

        Or a player at a desk of their own, as `p7`, for themselves alone.
        """
        if not self._by:
            self._by = self._found_by()
        return self._by

    def _found_by(self) -> str:
        acting, player = self.options.acting, self.options.on_behalf_of
        if own := _PLAYER.fullmatch(acting):
            if player:
                raise UsageError("a player speaks for themselves: --as p7 or --for, not both")
            return f"p{find_player(self.tournament, own[1])}"
        official = self.memory.official or ORGANIZER
        if acting:
            official = find_official(self.tournament, acting)
        return f"o{official}" + (f"/p{find_player(self.tournament, player)}" if player else "")

    def act(self, command: Command, command_id: str = "") -> list[Recorded]:
        """Carry a command out, signed where it has to be, and sign the head it leads to.

        See `Book.act`. A key is unlocked while no lock is held.

        Raises:
            UsageError: a table is asked for.
        """
        from msgspec import structs

        from cli.desk.seen import follow_own_act

        if self.options.csv:
            raise UsageError("an act shows no table: leave --csv out")
        command = structs.replace(command, seen=self.seen)
        book, heads = self.book, self.heads
        heads.begin_act()
        book.guard = heads.guard
        given = command_id or self.command_id
        is_whole_line = given == self.command_id
        landed_before = given in book.tournament.ids
        if is_whole_line and not landed_before and self._did_nothing():
            return []
        recorded = self._signed_act(command, given, heads)
        self._sign_head(recorded, heads)
        if not landed_before:
            follow_own_act(self, recorded)
        if is_whole_line and not recorded and self.options.command_id:
            from cli.desk.answers import keep_nothing

            keep_nothing(self)
        return recorded

    def _signed_act(self, command: Command, command_id: str, heads: Checkpoints) -> list[Recorded]:
        """Carry a command out; a key that it needs is opened in between, and it is sent again."""
        from cli.heads.checkpoints import Locked
        from cli.keys.draw_keys import drawing
        from cli.keys.keyring import signer_for
        from ledger.checks.signing import signing_with
        from ledger.errors import Unsigned

        book, is_open = self.book, False
        signers: dict[bytes, Signer] = {}
        while True:
            try:
                return drawing(
                    book, lambda: book.act(command, by=self.by, command_id=command_id, at=now())
                )
            except Locked:
                if is_open:
                    raise
                heads.unlock()
                is_open = True
            except Unsigned as unsigned:
                signer = signer_for(book.stream, unsigned)
                if signer.key.public in signers:
                    raise
                signers[signer.key.public] = signer
                book.sign = signing_with(signers)

    def _did_nothing(self) -> bool:
        """Whether the id was typed before, and it was so already."""
        if not self.options.command_id:
            return False
        from cli.desk.answers import did_nothing

        return did_nothing(self)

    @property
    def heads(self) -> Checkpoints:
        """The signed heads of the log in hand."""
        from cli.heads.checkpoints import Checkpoints

        book = self.book
        if self._heads is None or self._heads.book is not book:
            self._heads = Checkpoints(book)
        return self._heads

    def _sign_head(self, recorded: list[Recorded], heads: Checkpoints) -> None:
        from cli.heads.checkpoint_file import AUTOMATIC
        from cli.keys.keyring import key_is_away

        if any(each.type in AUTOMATIC for each in recorded):
            try:
                if heads.sign() is None:
                    say(f"no head was signed: {key_is_away()}")
            except LedgerError as error:
                say(f"the act has landed, but no head was signed: {error}")

    def after(self, recorded: list[Recorded]) -> Tournament:
        """Return the tournament as an act left it, also where it landed long ago."""
        now = self.book.tournament
        last = recorded[-1].seq if recorded else now.seq
        return now if last == now.seq else self.book.at(last)

    def preview(self, command: Command) -> list[Recorded]:
        """Tell what a command would come to; see `Book.preview`."""
        from cli.keys.draw_keys import drawing

        return drawing(self.book, lambda: self.book.preview(command, by=self.by, at=now()))

    def take_in_hand(self, stream: str, official: int = ORGANIZER) -> None:
        """Remember store, tournament and official in this directory."""
        from cli.terminal.visible import short_id

        variable = os.environ.get(STORE_VARIABLE, "")
        store = "" if variable and not self.options.store else self.location
        before = recall()
        self.memory = Memory(store, stream, official, before.shown)
        try:
            remember(self.memory)
        except OSError as error:
            say(f"nothing can be remembered here ({error.strerror}): add -t {short_id(stream)}")
        else:
            if store != without_password(store):
                say("the store's address is kept in ./.tourney with its password, for you only")
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

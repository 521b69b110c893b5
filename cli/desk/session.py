"""A session at the desk: acts carried out with what is in hand, signed if they have to be.

A page takes the lines that a terminal takes, and the very same verbs read them. `ReadingDesk` stops
at the act that a line asks for: it returns the command, and the page shows its consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from msgspec import structs

from cli import outside
from cli.desk.in_hand import InHand, Shown
from cli.desk.machine_files import NoFiles
from cli.input.arguments import UsageError
from cli.languages.speaking import tr
from cli.outside import TO_PAGE
from cli.terminal.output import say
from ledger.errors import LedgerError, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.input.arguments import Options
    from cli.input.options import LineCommand
    from cli.machine.checkpoints import Checkpoints
    from ledger.lines.recorded import Recorded
    from ledger.proof.notes import Signer
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament


class Desk(InHand):
    """What one command works with, and how its acts are carried out."""

    def typing(self, options: Options, line: Sequence[str], command_id: str) -> Desk:
        """Return this desk with another line in hand: the tournament and the book are the same."""
        if options.store or options.tournament or options.log:
            raise UsageError(tr("this session works on one tournament: omit --store, --log and -t"))
        mine = self.options
        self._book = self.book  # opened once, for all lines
        other = copy(self)
        other.options = options._replace(
            command_id=command_id if mine.command_id else "",
            format=mine.format,
            yes=options.yes or mine.yes,
            acting=options.acting or mine.acting,
        )
        other.line, other.command_id, other.seen = tuple(line), command_id, None
        if options.acting or options.on_behalf_of:
            other._by = ""  # noqa: SLF001 - a copy of its own kind
        return other

    def act(self, command: Command, command_id: str = "") -> list[Recorded]:
        """Carry a command out as `Book.act`, with keys unlocked outside any lock; sign its head."""
        from msgspec import structs

        from cli.desk.remembered import did_nothing, follow_own_act, keep_nothing

        if self.options.format == "csv":
            raise UsageError(tr("an act shows no table: omit --csv"))
        command = structs.replace(command, seen=self.seen)
        book, heads = self.book, self.heads
        heads.begin_act()
        book.guard = heads.guard
        command_id = command_id or self.command_id
        is_whole_line = command_id == self.command_id
        landed_before = command_id in book.tournament.ids
        if is_whole_line and not landed_before:
            self._refuse_id_of_link(command_id)
            if did_nothing(self):
                return []
        self.let_sign([command])
        recorded = self._signed_act(command, command_id, heads)
        self.sign_head(recorded)
        if not landed_before:
            self.copy_after(recorded)
            follow_own_act(self, recorded)
        if is_whole_line and not recorded:
            keep_nothing(self)
        return recorded

    def _refuse_id_of_link(self, command_id: str) -> None:
        """Refuse a typed id that would say that an act came in over a link."""
        from ledger.tournament.table_records import link_over

        if link := link_over(self.book.tournament.floor.links, command_id):
            raise UsageError(
                tr(
                    "ids that begin with w{link}- belong to link {link}: choose another",
                    link=link,
                )
            )

    def _signed_act(self, command: Command, command_id: str, heads: Checkpoints) -> list[Recorded]:
        """Carry a command out; a key that it needs is opened in between, and it is sent again."""
        from cli.machine.checkpoints import Locked
        from cli.machine.draw_keys import drawing
        from cli.machine.keyring import signer_for
        from ledger.errors import Unsigned
        from ledger.rules.signing import signing_with

        book, is_open = self.book, False
        signers: dict[bytes, Signer] = {}

        def act() -> list[Recorded]:
            return book.act(command, by=self.by, command_id=command_id, at=outside.now)

        while True:
            try:
                return drawing(book, act)
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

    def let_sign(self, commands: Iterable[Command]) -> None:
        """Let commands that record the log's head sign it, if the log's key is on this computer."""
        from cli.machine.keyring import log_signer
        from ledger.proof.signatures import revoked
        from ledger.rules.draws import BeginSlipAudit
        from ledger.rules.opening import StartTournament

        if any(isinstance(command, StartTournament | BeginSlipAudit) for command in commands):
            signer = log_signer(self.book.stream)
            if signer is not None and not revoked(self.book.tournament.keys, [signer.key.public]):
                self.book.sign_head = signer.sign

    def sign_head(self, recorded: Iterable[Recorded]) -> None:
        """Sign the log's head where what has landed asks for it; say why not, where it cannot."""
        from cli.machine.checkpoint_file import AUTOMATIC
        from cli.machine.keyring import key_is_missing

        if any(each.type in AUTOMATIC for each in recorded):
            try:
                if self.heads.sign() is None:
                    say(
                        tr(
                            "no head was signed: {reason}",
                            reason=key_is_missing(self.book.tournament),
                        )
                    )
            except LedgerError as error:
                say(tr("the act has landed, but no head was signed: {error}", error=error))

    def copy_after(self, recorded: Iterable[Recorded]) -> None:
        """Write the copy that this folder keeps after each round."""
        if folder := self.memory.backup_to:
            from cli.machine.backup_keys import copy_after_round

            copy_after_round(self.store(), self.book.stream, folder, recorded)

    def after(self, recorded: list[Recorded]) -> Tournament:
        """Return the tournament as an act left it, also where it landed long ago."""
        now = self.book.tournament
        last = recorded[-1].seq if recorded else now.seq
        return now if last == now.seq else self.book.at(last)

    def preview(self, command: Command) -> list[Recorded]:
        """Return what a command would come to; see `Book.preview`."""
        return self.look_ahead(command)[0]

    def look_ahead(self, command: Command) -> tuple[list[Recorded], Tournament]:
        """Return what a command would come to, and the state behind it."""
        from cli.machine.draw_keys import drawing

        book = self.book
        return drawing(book, lambda: book.look_ahead(command, by=self.by, at=outside.now()))


class ReadLine(NamedTuple):
    """What a line comes to: an act and who enters it, or what it shows."""

    command: Command | None
    by: str
    said: tuple[str, ...]
    """What is said before the act, such as a warning."""

    shown: str


class CommandFound(Exception):  # noqa: N818 - no error: the end of reading a line
    """What a line asks for."""

    def __init__(self, command: Command, by: str) -> None:
        super().__init__()
        self.command, self.by = command, by


class ReadingDesk(Desk):
    """A desk of one line that came from a page, which was shown the log up to an event."""

    has_memory = False
    files = NoFiles()
    grants = TO_PAGE
    knows = 0
    """Up to which event the page was shown the log."""

    @classmethod
    def beside(cls, desk: Desk, official: int, seen: int, command_id: str = "") -> ReadingDesk:
        """Return one with another desk's book, for an official whose page knew `seen` events."""
        options = desk.options._replace(
            acting=str(official), on_behalf_of="", command_id=command_id, format="text", yes=False
        )
        reading = cls(options, ())
        reading._store = desk._store  # noqa: SLF001 - a desk of the same kind
        reading.book = desk.book
        reading.knows = seen
        reading.shown = _shown(desk, seen)
        return reading

    def typing(self, options: Options, line: Sequence[str], command_id: str) -> Desk:
        """Return this desk with another line in hand; its official stays."""
        if options.acting or options.command_id:
            raise Refused(phrase("a page acts as its own official: omit --as and --id"))
        return super().typing(options, line, command_id)

    def act(self, command: Command, command_id: str = "") -> NoReturn:
        """Hand the command back."""
        del command_id
        raise CommandFound(structs.replace(command, seen=self.seen), self.by)


def _shown(desk: Desk, seen: int) -> Shown | None:
    """Return what tables a page was shown that knew the log up to an event."""
    book = desk.book
    known = min(seen, len(book.lines))
    rounds = [each for each in book.tournament.rounds if each.paired_seq <= known]
    if not rounds:
        return None
    return Shown(rounds[-1].number, known, sha256(book.lines[known - 1]).hexdigest())


LineKind = Literal["result", "act", "look"]
"""What a line asks for: the result of a table, another act, or something to look at."""


class PageVerbs(NamedTuple):
    """The verbs that a page takes, and how each is typed; the verbs know."""

    paths: Callable[[], Sequence[str]]
    of_game: Callable[[Tournament], Collection[str]]
    summary_of: Callable[[str], str]
    command_of: Callable[[str], LineCommand]
    printed: Callable[[], Collection[str]]
    """The options that a page does not take."""

    elsewhere: Callable[[], Mapping[str, str]]
    """Reason by verb, for those that stay at a terminal."""

    page_instead: Callable[[Sequence[str]], str | None]
    """Return the page for a line that needs a terminal, "" for no page; None for other lines."""


class LineReader(NamedTuple):
    """How lines are read: split into words, and the words to a command; the verbs know."""

    words_of: Callable[[str], list[str]]
    read: Callable[[ReadingDesk, list[str]], ReadLine]
    kind_of: Callable[[Sequence[str]], LineKind]
    verbs: PageVerbs

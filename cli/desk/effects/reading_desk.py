"""A desk that stops at the act that a line asks for: what is typed becomes a command, and no act.

A page takes the lines that a terminal takes. Their words are read by the very same verbs; where
one of them would act, the command is handed back, and the page shows what it would do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from msgspec import structs

from cli.desk.machine_files import NoFiles
from cli.desk.memory import Shown
from cli.desk.session import Desk
from cli.outside import TO_PAGE

if TYPE_CHECKING:
    from cli.input.arguments import Options
    from ledger.rules.command import Command


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
        from ledger.errors import Refused

        if options.acting or options.command_id:
            raise Refused("a page acts as its own official: leave --as and --id out")
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


class LineReader(NamedTuple):
    """How lines are read: split into words, and the words to a command; the verbs know."""

    words_of: Callable[[str], list[str]]
    read: Callable[[ReadingDesk, list[str]], ReadLine]
    kind_of: Callable[[Sequence[str]], LineKind]

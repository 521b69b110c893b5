"""Views of the file of a log: a desk that reads a file instead of a store.

`tourney standings --log FILE` shows the same as `standings` shows of a tournament in a store, at
any moment. The file is checked by the rules and against the head next to it, as an import is; only
`verify` and `replay` repeat draws and postings. It is read only once: a moment of the past is
folded from the lines in memory, and the state at the end is the state after the checks. The desk
does not read the memory of this folder, the heads that this computer has seen, or its keys. A
sealed text stays "(sealed)", and no draw is made again before the log reveals the key. A verb that
needs more than the log is refused by its declaration.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NoReturn

from cli.desk.session import Desk
from cli.input.file_names import InFile
from cli.languages.speaking import marked
from cli.outside import STORE, TO_FILE
from cli.terminal.output import PROGRAM, say
from ledger.errors import Refused
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.input.arguments import Options
    from cli.outside import Touches
    from ledger.books.book import Book
    from ledger.books.open_log import Moment
    from ledger.exchange.log_files import FileStore, Replay
    from ledger.rules.command import Command
    from projections.explain.differences import Walk

LOOKS = marked("standings, bracket, pairings, match, explain, log, diff, whatif or audit")
"""Names of verbs that show a file, for a refusal."""


class FileDesk(Desk):
    """A desk that reads the file of a log, and nothing else of this computer."""

    has_memory = reads_machine = False
    grants = TO_FILE

    def __init__(self, options: Options, line: Sequence[str]) -> None:
        super().__init__(options, line)
        self.location = options.log
        self._file: FileStore | None = None

    def grant(self, verb: str, touches: Touches, *, is_help: bool) -> None:
        """Let a verb show the log.

        Raises:
            Refused: the verb needs more than the log, or shows no tournament.
        """
        if is_help or touches == self.grants:
            return
        if STORE in touches:
            text = marked(
                "{verb} needs {touches}, and --log FILE only shows a file: use {looks}, or omit "
                "--log to use the store"
            )
            needed = touches.in_words
            raise Refused(
                problem("file.not_granted", text, verb=verb, touches=needed, looks=phrase(LOOKS))
            )
        text = marked("{verb} takes no --log: omit it, and name the files of {verb} after the verb")
        raise Refused(problem("file.no_tournament", text, verb=verb))

    def store(self, *, create: bool = False) -> FileStore:
        """Read the file once, and return its lines as a store.

        Raises:
            NotFound: there is no such file.
            InvalidLog: the file fails the checks of an import.
        """
        del create
        if self._file is None:
            self.take(self._replayed())
        assert self._file is not None  # noqa: S101 - it was just taken
        return self._file

    def take(self, replayed: Replay) -> None:
        """Take a file that was read and checked."""
        from ledger.exchange.log_files import FileStore

        self._file = FileStore(replayed, self.location)

    def _replayed(self) -> Replay:
        from cli.input.given_files import refuse_beside_log, refuse_other_kinds
        from cli.machine.caveats import caveat_of_file
        from cli.machine.trust import asked_of
        from cli.terminal.visible import how_many
        from cli.wording.import_words import head_in_words
        from ledger.exchange import replay
        from projections.standings.table import ranking

        options, path = self.options, self.files.reading(InFile(self.location))
        refuse_other_kinds(path, "replay")
        refuse_beside_log(path)
        replayed = replay(path, ranking, trust=asked_of(options.policy, options.unsigned, "replay"))
        size, reason = len(replayed.entries), replayed.taken_for
        if reason:
            caveat_of_file(size, replayed.uncovered, reason)
        signed = head_in_words(replayed.vouched, size, reason)
        say(f"{self.location}: {how_many(size, 'event')}; {signed}")
        return replayed

    def _open(self, moment: Moment | None = None) -> Book:
        """Open the book of the file; the state at its end is that which was checked."""
        from ledger.books.book import open_book
        from projections.standings.table import ranking

        store, stream = self.store(), self.stream
        if moment is None:
            self._book = store.book(ranking)
        else:
            self._book = open_book(store, stream, ranking, moment=moment)
        return self._book

    def line_for(self, *words: str) -> str:
        """Return the line that asks for a view of this file."""
        options = self.options
        trusted = (("--policy", options.policy), ("--unsigned", options.unsigned))
        named = (part for spelled, typed in trusted if typed for part in (spelled, typed))
        return shlex.join([PROGRAM, *words, "--log", self.location, *named])

    def steps(self) -> Walk:
        """Return a way through all lines, and take the book of all lines in hand."""
        from projections.explain.differences import Walk

        book = self._open()
        return Walk(book.lines, book.seals.open)

    def act(self, command: Command, command_id: str = "") -> NoReturn:
        """Refuse every act."""
        del command, command_id
        raise Refused(phrase("--log FILE only shows a file: omit --log to use the store"))


def desk_for(options: Options, line: Sequence[str]) -> Desk:
    """Return the desk of a line: at its store, or at the file of a log that it names."""
    return FileDesk(options, line) if options.log else Desk(options, line)

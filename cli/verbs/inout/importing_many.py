"""Many files taken into the store by one `import`: folders, patterns, several names.

Without --keep-going all files are read and compared with the store before the first one is taken.
Ctrl-C leaves whole tournaments, and the same command again continues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from cli.input.arguments import UsageError
from cli.languages.speaking import in_figures, marked, tr
from cli.machine.keyring import draw_key
from cli.machine.last_heads import see_first
from cli.render.records import show_records
from cli.terminal.output import Bar, say
from cli.terminal.problems import as_json, sentence_of
from cli.terminal.tables import Column, for_program
from cli.terminal.visible import how_many, short_id
from cli.verbs.inout.choosing import search_ends
from cli.verbs.inout.taking_files import hold_to_known, naming_the_signed, take_read
from ledger.errors import InvalidLog, LedgerError, NotFound, StoreUnavailable
from ledger.exchange.account import placed
from ledger.files.many_files import files_in
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from cli.input.file_names import InFile
    from ledger.exchange import Details, Imported, ParsedFile
    from ledger.exchange.foreign import ForeignTournament
    from ledger.exchange.importing import KnownImports
    from ledger.problems import Problem
    from ledger.proof.heads import Asked
    from projections.file_batches import FileOutcome
    from projections.published_tables import ReproductionVerdict

TAKEN, GROWN, KNOWN, REFUSED, PASSED_OVER = "taken", "grown", "known", "refused", "passed over"

_FATES = {
    TAKEN: marked("{count} imported"),
    GROWN: marked("{count} grown"),
    KNOWN: marked("{count} already in the store"),
    REFUSED: marked("{count} refused"),
    PASSED_OVER: marked("{count} skipped"),
}
_WORDS = {
    TAKEN: marked("imported"),
    GROWN: marked("grown"),
    KNOWN: marked("in the store"),
    REFUSED: marked("refused"),
    PASSED_OVER: marked("skipped"),
}


class FileRow(NamedTuple):
    """Fate of one file, and the number of its published numbers that follow."""

    file: str
    fate: str
    problems: tuple[Problem, ...] = ()
    tournament: str = ""
    events: int = 0
    added: int = 0
    numbers: int | None = None
    """Count of numbers that the file publishes; None for a log or a file that was not taken."""

    follow: int | None = None
    not_computed: int = 0
    reading: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return it for scripts."""
        verdict = {"numbers": self.numbers, "follow": self.follow}
        return {
            "file": self.file,
            "fate": self.fate,
            "tournament": self.tournament or None,
            "events": self.events,
            "added": self.added,
            "verdict": None if self.numbers is None else verdict,
            "not_computed": self.not_computed,
            "reading": self.reading,
            "problems": [as_json(fault, {}) for fault in self.problems],
        }

    def why(self) -> str:
        """Say why it was not taken, or by which reading it was."""
        if self.problems:
            return "; ".join(sentence_of(fault, {}) for fault in self.problems)
        return ", ".join(self.reading)


def _numbers(row: FileRow) -> str:
    if not row.numbers or row.follow is None:
        return "-"
    return tr("{done} of {total}", done=in_figures(row.follow), total=in_figures(row.numbers))


_COLUMNS = (
    Column(marked("file"), flexible=True),
    Column(marked("import"), key="fate", text=lambda row: tr(_WORDS[row.fate])),
    for_program("tournament"),
    Column(marked("events"), right=True, yields=2, text=lambda row: in_figures(row.events)),
    for_program("added"),
    Column(marked("numbers that follow"), right=True, key="follow", text=_numbers),
    for_program("numbers"),
    for_program("not computed"),
    Column(
        marked("why, or by which reading"),
        flexible=True,
        wraps=True,
        optional=True,
        yields=1,
        key="why",
        value=lambda row: row.why(),
    ),
)


class FilesReport(NamedTuple):
    """Fates of all files, and the share of published numbers that follow."""

    rows: Sequence[FileRow]

    def counts(self) -> dict[str, int]:
        """Return how many files met each fate."""
        fates = [row.fate for row in self.rows]
        return {fate: fates.count(fate) for fate in _FATES}

    def compared(self) -> list[FileRow]:
        """Return the rows of the files that publish numbers."""
        return [row for row in self.rows if row.numbers]

    def as_json(self) -> dict[str, object]:
        """Return it for scripts."""
        compared = self.compared()
        numbers = sum(row.numbers or 0 for row in compared)
        follow = sum(row.follow or 0 for row in compared)
        return {
            "files": [row.as_json() for row in self.rows],
            "fates": self.counts(),
            "numbers": numbers,
            "follow": follow,
            "share": follow / numbers if numbers else None,
            "compared": len(compared),
            "whole": sum(row.follow == row.numbers for row in compared),
        }

    def lines(self) -> Iterator[str]:
        """Say how many files there were, what became of them, and which share follows."""
        fates = [tr(_FATES[fate], count=in_figures(n)) for fate, n in self.counts().items() if n]
        files = how_many(len(self.rows), "file")
        yield tr("{files}: {fates}", files=files, fates=", ".join(fates))
        value: Any = self.as_json()
        if not value["numbers"]:
            yield tr("nothing to compare: the file publishes no standings")
            return
        yield tr(
            "{follow} of {numbers} follow from the rounds ({share} %); in {whole} of {files} all",
            follow=in_figures(value["follow"]),
            numbers=how_many(value["numbers"], "published number"),
            share=f"{_floored(value['share']):.2f}",
            whole=in_figures(value["whole"]),
            files=how_many(value["compared"], "file"),
        )


def _floored(share: float) -> float:
    """Return a share in percent, rounded down: 100 is said only of all."""
    return int(share * 10_000) / 100


def refuse_options(given: Mapping[str, object]) -> None:
    """Refuse options of a single file.

    Raises:
        UsageError: one of these options has a value.
    """
    if odd := [name for name, value in given.items() if value]:
        raise UsageError(
            tr(
                "omit {options}: several files are imported only with options of sheets "
                "(--ruleset, --date, --keep, --new-names, --allow, --whole) and of logs "
                "(--policy, --unsigned)",
                options=tr(" and ").join(odd),
            )
        )


@contextmanager
def placed_in(where: str) -> Iterator[None]:
    """Let every problem of a file name it."""
    try:
        yield
    except InvalidLog as error:
        raise InvalidLog(*placed(error, where)) from None


class ManyImports:
    """One `import` of many files: those of folders, patterns and names."""

    def __init__(self, desk: Desk, files: Sequence[InFile], sheets: Details, trust: Asked) -> None:
        self._desk, self._sheets, self._trust = desk, sheets, trust
        self._paths = files_in([desk.files.named(file) for file in files])
        self._imports: KnownImports | None = None
        self._rows: list[FileRow] = []

    def run(self, *, keep_going: bool) -> None:
        """Read all files, take those that are tournaments, and report."""
        try:
            with Bar() as bar, self._outcomes() as outcomes:
                if keep_going:
                    for outcome in outcomes:
                        self._add(outcome, bar)
                else:
                    self._add_all(list(self._counted(outcomes, bar)), bar)
        except KeyboardInterrupt:
            say(self._interrupted())
            raise
        self._report()

    @contextmanager
    def _outcomes(self) -> Iterator[Iterator[FileOutcome]]:
        from ledger.books.vault import Secrets
        from ledger.exchange.importing import KnownImports
        from projections.file_batches import ReadingTerms, read_files

        desk = self._desk
        if desk.has_store():
            self._imports = KnownImports.of(desk.store())
        imported_files = self._imports.files if self._imports is not None else frozenset()
        terms = ReadingTerms(self._sheets, self._trust, imported_files, search_ends)
        files = [(path, Secrets(draw_key(), draw_key())) for path in self._paths]
        with desk.files.scratch() as folder:
            yield read_files(files, terms, desk.files.writing(folder))

    def _counted(self, outcomes: Iterator[FileOutcome], bar: Bar) -> Iterator[FileOutcome]:
        for done, outcome in enumerate(outcomes, start=1):
            bar(tr("read"), done, len(self._paths))
            yield outcome

    def _add_all(self, outcomes: Sequence[FileOutcome], bar: Bar) -> None:
        """Take all files, or none if one is wrong.

        Raises:
            InvalidLog: everything that is wrong with any of them.
        """
        from ledger.exchange.import_plan import ImportPlan

        plan = ImportPlan(self._desk.store() if self._desk.has_store() else None)
        problems: list[Problem] = []
        for outcome in outcomes:
            problems += outcome.problems if outcome.fate == "wrong" else ()
            if outcome.fate == "read":
                try:
                    parsed = outcome.content()
                    with placed_in(outcome.where):
                        hold_to_known(parsed)
                    with naming_the_signed(parsed):
                        plan.add(parsed)
                except StoreUnavailable:
                    raise
                except LedgerError as error:
                    problems += error.problems
        if problems:
            raise InvalidLog(*problems)
        for outcome in outcomes:
            self._add(outcome, bar)

    def _add(self, outcome: FileOutcome, bar: Bar) -> None:
        """Take one file, and note what became of it."""
        where = outcome.where
        if outcome.fate == "read":
            try:
                row = self._taken(outcome, outcome.content())
            except StoreUnavailable:
                raise
            except LedgerError as error:
                row = FileRow(where, REFUSED, error.problems)
        else:
            fate = REFUSED if outcome.fate == "wrong" else PASSED_OVER
            row = FileRow(where, fate, outcome.problems)
        self._rows.append(row)
        bar(tr("imported"), len(self._rows), len(self._paths))

    def _taken(self, outcome: FileOutcome, parsed: ParsedFile) -> FileRow:
        from ledger.exchange.import_plan import note_taken
        from ledger.exchange.importing import KnownImports

        imported = take_read(self._desk, parsed, imports=self._imports or KnownImports())
        if self._imports is None:
            self._imports = KnownImports.of(self._desk.store())
        else:
            note_taken(self._imports, parsed, imported)
        verdict, reading = outcome.verdict, outcome.reading
        if parsed.foreign is not None and not imported.added:
            verdict, reading = self._verdict_here(parsed.foreign, imported)
        is_new = imported.added == imported.events
        fate = TAKEN if is_new else GROWN if imported.added else KNOWN
        if is_new:
            see_first(imported.tournament, [line for _, line in parsed.entries])
        numbers = (verdict.numbers, verdict.follow, verdict.not_computed) if verdict else ()
        counted = imported.tournament, imported.events, imported.added
        row = FileRow(outcome.where, fate, (), *counted, *numbers)
        return row._replace(reading=reading)

    def _verdict_here(
        self, foreign: ForeignTournament, imported: Imported
    ) -> tuple[ReproductionVerdict, tuple[str, ...]]:
        """Compare a file with the tournament that the store has of it, which may have grown."""
        from ledger.fold import fold_lines
        from projections.reproduction import verdict_and_reading

        return verdict_and_reading(
            foreign, fold_lines(self._desk.store().lines(imported.tournament))
        )

    def _report(self) -> None:
        """Show the report; select the last tournament, as after one import after the other."""
        report = FilesReport(self._rows)
        imported = [row for row in self._rows if row.tournament]
        if not imported and report.counts()[PASSED_OVER] == len(self._rows):
            first = self._rows[0]
            raise NotFound(
                phrase(
                    "none of {count} is a tournament: {why}",
                    count=how_many(len(self._rows), "file"),
                    why=first.why(),
                )
            )
        show_records(self._desk, _COLUMNS, self._rows, json=report.as_json)
        for line in report.lines():
            say(line)
        if not imported:
            raise typer.Exit(1)
        last = imported[-1].tournament
        self._desk.options = self._desk.options._replace(tournament=last)
        self._desk.take_in_hand(last)
        say(tr("current: {name}; `tournaments` lists all of them", name=short_id(last)))

    def _interrupted(self) -> str:
        imported = sum(row.fate in {TAKEN, GROWN} for row in self._rows)
        return tr(
            "interrupted after {done} of {files}: {taken} imported, each of them whole; the same "
            "command continues",
            done=in_figures(len(self._rows)),
            files=how_many(len(self._paths), "file"),
            taken=how_many(imported, "tournament"),
        )

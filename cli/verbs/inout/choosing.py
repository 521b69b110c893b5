"""Which reading of another program's file an import takes, and its verdict.

The plain reading is taken if all published numbers follow from it, or if no other makes them
follow. If exactly one other does, that one is taken; of several a person chooses.
"""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from cli.desk.confirm_breaches import is_asked
from cli.input.arguments import UsageError
from cli.languages.speaking import marked, tr
from cli.terminal.output import complain, say
from cli.terminal.problems import reason_of
from cli.wording.import_words import reading_line, search_lines, trial_line, verdict_line
from ledger.errors import InvalidRuleset, Refused
from ledger.facts.shared import READINGS_MAX
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cli.desk.session import Desk
    from ledger.exchange.foreign import ForeignTournament, NotComputed
    from ledger.tournament.state import Tournament
    from projections.published_tables import ReproductionVerdict
    from projections.reproduction import Reproduction, Trial


def _typed_names(typed: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the readings that a person named, one or several in an option; None for no choice."""
    names = tuple(dict.fromkeys(n.strip() for each in typed or () for n in each.split(",")))
    if not names:
        return None
    from ledger.exchange.foreign import PLAIN

    if PLAIN in names and len(names) > 1:
        raise UsageError(
            tr("--reading {reading} cannot be combined with another reading", reading=PLAIN)
        )
    if len(names) > READINGS_MAX:
        raise UsageError(
            tr(
                "at most {most} readings can be given, not {count}",
                most=READINGS_MAX,
                count=len(names),
            )
        )
    return () if names == (PLAIN,) else names


def search_ends() -> Callable[[], bool]:
    """Return a test of whether a search that begins now has computed for too long."""
    from projections.reproduction import SECONDS_MAX

    end = process_time() + SECONDS_MAX
    return lambda: process_time() > end


class ReadingChoice:
    """The choice of a reading for one file, and what came of the search for it."""

    def __init__(self, desk: Desk, path: Path, typed: Sequence[str] | None) -> None:
        self._desk, self._path, self._names = desk, path, _typed_names(typed)
        self._found: Reproduction | None = None

    def refuse_log(self) -> None:
        """Refuse a reading that is named for a log of ours, as UsageError: it says what it is."""
        if self._names is not None:
            raise UsageError(
                tr(
                    "{file} is a tourney log: --reading is only for other files",
                    file=self._path.name,
                )
            )

    def say(self) -> None:
        """Say what came of the search, if there was one."""
        for line in search_lines(self._found) if self._found is not None else ():
            say(line)

    def of_new(self, foreign: ForeignTournament, *, as_new: bool) -> ForeignTournament | None:
        """Return a file's tournament by the reading that is taken; None if the store has the file.

        Raises:
            Refused: several readings make all numbers follow, and no person is asked; or the store
                has the file by another reading than the one that is named, or the tournament of
                another file.
        """
        from ledger.exchange import refuse_other_reading, refuse_same_event, same_file

        if self._desk.has_store():
            store = self._desk.store()
            known = same_file(store, foreign)
            if known is not None:
                if self._names is not None:
                    taken = _read_by(foreign, self._names)
                    refuse_other_reading(self._path, known, taken.source.reading)
                return None
            if not as_new:
                refuse_same_event(store, self._path, foreign)
        if self._names is not None:
            return _read_by(foreign, self._names)
        return self._searched(foreign, foreign)

    def of_grown(self, foreign: ForeignTournament) -> ForeignTournament:
        """Return a later state of a file by the reading of the tournament that it became.

        A log without one has that of its own rounds; what is behind them may have another reading.
        """
        from msgspec.structs import replace

        from ledger.exchange.foreign import reading_name, with_byes_of
        from projections.readings import agrees_with, read_as
        from projections.reproduction import reading_of_log

        tournament = self._desk.book.tournament
        opening = tournament.opening
        if opening is None:
            return foreign
        foreign = with_byes_of(foreign, opening.ruleset.text)
        if self._names is not None:
            taken = _read_by(foreign, self._names)
            if not agrees_with(taken, tournament):
                text = marked(
                    "the file was read in another way: the log's rounds do not agree with {reading}"
                )
                shown = reading_name(taken.source.reading)
                raise Refused(problem("import.other_reading", text, reading=shown))
            return taken
        if known := reading_of_log(foreign, tournament):
            return read_as(foreign, known)
        of_log = replace(foreign, ruleset=opening.ruleset.text)
        return self._searched(foreign, of_log, lambda one: agrees_with(one, tournament))

    def _searched(
        self,
        foreign: ForeignTournament,
        compared: ForeignTournament,
        fitting: Callable[[ForeignTournament], bool] | None = None,
    ) -> ForeignTournament:
        """Search for the reading by which all published numbers follow, for a limited time."""
        from projections.readings import read_as
        from projections.reproduction import reproduce

        found = self._found = reproduce(
            compared, is_over=search_ends(), is_explained=False, fitting=fitting
        )
        if not found.explained:
            return foreign
        trial = found.explained[0] if found.is_settled else self._asked(found)
        return foreign if trial is None else read_as(foreign, trial.readings)

    def _asked(self, found: Reproduction) -> Trial | None:
        """Ask the person at the terminal for one of several readings; None for the plain one.

        Raises:
            Refused: no person is asked.
        """
        if is_asked() and not self._desk.json:
            return _answered(found)
        from projections.reproduction import several_readings

        raise several_readings(self._path, found)


def _read_by(foreign: ForeignTournament, names: Sequence[str]) -> ForeignTournament:
    """Return a tournament by the readings of some names.

    Raises:
        UsageError: the file cannot be read so, and how it can be.
    """
    from ledger.exchange.foreign import PLAIN
    from projections.readings import NotReadable, read_as
    from projections.reproduction import named_readings, readings_of, reproduce

    try:
        readings = named_readings(names, foreign)
        groups = [reading.group for reading in readings if reading.group]
        if len(groups) > len(set(groups)):
            raise UsageError(
                tr("two of {names} change the same setting: use only one", names=", ".join(names))
            )
        return read_as(foreign, readings)
    except (KeyError, NotReadable, InvalidRuleset) as error:
        found = reproduce(foreign, is_over=lambda: True)
        known = [one.name for one in readings_of(foreign, found) if one.is_tried]
        why = (
            tr("it has no {reading}", reading=error.args[0])
            if isinstance(error, KeyError)
            else reason_of(error)
        )
        raise UsageError(
            tr(
                "the file cannot be read by {names}: {why}; possible readings: {readings}, and "
                "those that `reproduce` lists",
                names=",".join(names),
                why=why,
                readings=", ".join([PLAIN, *known]),
            )
        ) from None


def _answered(found: Reproduction) -> Trial | None:
    """Ask the person at the terminal for one of several readings."""
    from cli.desk.questions import asked
    from ledger.exchange.foreign import PLAIN

    numbered: dict[str, Trial | None] = {"0": None}
    say(tr("0: {reading}, the file unchanged", reading=PLAIN))
    for number, trial in enumerate(found.explained, start=1):
        say(f"{number}: {trial_line(trial)}")
        numbered[str(number)] = trial
    while True:
        answer = asked(tr("which reading? Type its number, or q to cancel:"))
        if answer in numbered:
            return numbered[answer]
        complain(tr("type a number from 0 to {count}", count=len(found.explained)))


class ImportOutcome(NamedTuple):
    """An import's verdict, by which reading, and the tables that the rules do not hold.

    Of a log of ours there is no verdict.
    """

    verdict: ReproductionVerdict | None = None
    reading: tuple[str, ...] = ()
    not_computed: tuple[NotComputed, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return it for scripts."""
        shown = self.verdict
        numbers = {"numbers": shown.numbers, "follow": shown.follow} if shown else None
        odd = [each.as_json() for each in self.not_computed]
        return {"verdict": numbers, "reading": self.reading, "not_computed": odd}

    def say(self, file: str) -> None:
        """Say it for people, the verdict last."""
        if self.verdict is None:
            return
        if self.reading:
            say(reading_line(self.reading))
        for note in self.notes:
            say(note)
        say(verdict_line(self.verdict))
        if self.verdict.follow < self.verdict.numbers:
            say(
                tr(
                    "`reproduce {file}` shows each number that does not follow from the rounds",
                    file=file,
                )
            )


def outcome_of(foreign: ForeignTournament | None, tournament: Tournament) -> ImportOutcome:
    """Compare a file with the tournament that it became, as it is in the store now."""
    if foreign is None:
        return ImportOutcome()
    from projections.readings import playoffs_in
    from projections.reproduction import verdict_and_reading

    verdict, reading = verdict_and_reading(foreign, tournament)
    notes = []
    if verdict.unknown:
        key, codes = tournament.ruleset.key, ", ".join(verdict.unknown)
        notes.append(
            tr(
                "not compared: {codes}, which the file publishes and {key} does not have",
                codes=codes,
                key=key,
            )
        )
    if not verdict.numbers and not reading and (playoffs := playoffs_in(foreign)):
        notes.append(
            tr(
                "check this: rounds {rounds} may be playoffs, which the published numbers cannot "
                "show; if so, use --reading {reading}",
                rounds=playoffs.value,
                reading=playoffs.name,
            )
        )
    return ImportOutcome(verdict, reading, foreign.not_computed, tuple(notes))

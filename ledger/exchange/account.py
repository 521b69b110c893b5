"""The account of an import: what is in the log, what of the file is not, and where problems are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from ledger.errors import InvalidLog, LedgerError
from ledger.files.access import one_line
from ledger.problems import One, Phrase, Problem, in_words, marked

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

IGNORED_MAX = 40
"""Maximum kinds of omitted items that are named one by one."""

UNKNOWN = marked("tourney does not know it")
PUBLISHED = marked("it is computed from the rounds")
NOT_COMPARED = marked("it is not compared with the rounds")
NO_PLACE = marked("a log does not record it")


class Ignored(Struct, frozen=True):
    """An item of a file that is not in the log: its kind, its count, and the reason."""

    what: str
    count: int
    why: str


class Account(Struct, frozen=True):
    """Content of a log after an import, and the items of the file that are not in it.

    `results` are those of tables with two players; `missed` are rounds missed, which are not byes.
    """

    entrants: int
    rounds: int
    tables: int
    results: int
    byes: int
    missed: int
    ignored: tuple[Ignored, ...] = ()
    notes: tuple[Phrase | str, ...] = ()
    """An unusual item that was imported unchanged, and that a reader should look at."""

    def as_json(self) -> dict[str, object]:
        """Return it for scripts."""
        return {**asdict(self), "ignored": self.ignored, "notes": list(map(str, self.notes))}


class Passed:
    """Items that a reader passes over, counted while it reads."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        self._reasons, self._counts = reasons, Counter[str]()

    def add(self, what: str) -> None:
        """Count one more of something that is not taken."""
        self._counts[one_line(what)[:80]] += 1

    def members(self, of: str, found: Iterable[str], known: Iterable[str]) -> None:
        """Count the members of an object that are not among the known ones."""
        for name in set(found) - set(known):
            self.add(f"{of} {name}" if of else name)

    def ignored(self) -> tuple[Ignored, ...]:
        """Return what was counted, by name; of very many kinds the rest in one."""
        listed = sorted(self._counts.items())
        rest = sum(count for _, count in listed[IGNORED_MAX:])
        shown = [Ignored(what, count, self._why(what)) for what, count in listed[:IGNORED_MAX]]
        return (*shown, *([Ignored(marked("further members"), rest, UNKNOWN)] if rest else []))

    def _why(self, what: str) -> str:
        last = what.rpartition(" ")[2]
        return self._reasons.get(what) or self._reasons.get(last) or UNKNOWN


def account_of(
    tournament: Tournament, ignored: tuple[Ignored, ...] = (), notes: tuple[Phrase | str, ...] = ()
) -> Account:
    """Count what is in a log."""
    matches = [match for round_ in tournament.rounds for match in round_.matches]
    tables = [match for match in matches if match.second]
    return Account(
        entrants=len(list(tournament.registered())),
        rounds=len(tournament.rounds),
        tables=len(tables),
        results=sum(match.result is not None for match in tables),
        byes=len(matches) - len(tables),
        missed=sum(len(round_.missed) for round_ in tournament.rounds),
        ignored=ignored,
        notes=notes,
    )


def safe(words: Phrase | str) -> Phrase | str:
    """Return words that fit in one line; other words become their English text in one line.

    So a text from a file cannot break out of the line that names it.
    """
    plain = str(words)
    shown = one_line(plain)
    return words if shown == plain else shown


def placed(error: LedgerError, *places: One) -> list[Problem]:
    """Return an error's problems with their places, the innermost first; all are safe to show."""
    return [_placed(each, places, error.code) for each in error.problems]


def joined(error: LedgerError) -> LedgerError:
    """Return an error with one problem: a line of a file is refused in one line."""
    if len(error.problems) == 1:
        return error
    return InvalidLog("; ".join(one_line(each) for each in error.sentences))


def _placed(problem: Problem, places: tuple[One, ...], code: str) -> Problem:
    sentence = str(problem)
    if problem.code == code and not problem.remedies and one_line(sentence) != sentence:
        problem = in_words(one_line(sentence), problem.code)
    for place in places:
        problem = problem.within(place)
    return problem

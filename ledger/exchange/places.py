"""Where in a file a problem is: the file, a line of it."""

from __future__ import annotations

from ledger.errors import InvalidLog, LedgerError
from ledger.files.access import one_line
from ledger.problems import Problem, in_words


def placed(error: LedgerError, *places: str) -> list[Problem]:
    """Return an error's problems with their places, the innermost first; all are safe to show."""
    return [_placed(each, places) for each in error.problems]


def joined(error: LedgerError) -> LedgerError:
    """Return an error with one problem: a line of a file is refused in one line."""
    if len(error.problems) == 1:
        return error
    return InvalidLog("; ".join(one_line(each) for each in error.sentences))


def _placed(problem: Problem, places: tuple[str, ...]) -> Problem:
    if problem.text == "{text}":
        problem = in_words(one_line(str(problem)), problem.code)
    for place in places:
        problem = problem.within(place)
    return problem

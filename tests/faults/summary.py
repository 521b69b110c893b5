"""What the harnesses share: a fixture that begins slices, and their figures at the end of a run.

The figures are printed also where output is captured and where other processes ran the tests.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.faults.slices import Slice, current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROPERTY = "faults"


class Begin(Protocol):
    """Begins a slice of a harness: so many cases in a normal run, so many in all in long runs."""

    def __call__(
        self, harness: str, *, short: int, long: int = 0, must_lose: str | None = None
    ) -> Slice:
        """Begin it; a negative control is always short, and remembers nothing.

        It ends when it has lost what it must: a loss with these words.
        """


@pytest.fixture
def begin(record_property: Callable[[str, object], None]) -> Iterator[Begin]:
    """Begin slices whose figures are printed at the end of the run."""
    slices: list[Slice] = []
    with ExitStack() as stack:

        def one(harness: str, *, short: int, long: int = 0, must_lose: str | None = None) -> Slice:
            options = current()
            each = Slice(harness, short=short, long=long, options=options, must_lose=must_lose)
            slices.append(stack.enter_context(each))
            return each

        yield one
        for each in slices:
            record_property(PROPERTY, each.report())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what each harness tried and lost."""
    reports = {
        (report.nodeid, str(value))
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == PROPERTY
    }
    if reports:
        terminalreporter.section("cases and losses")
    for _, text in sorted(reports):
        terminalreporter.write_line(text)

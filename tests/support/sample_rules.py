"""The rules that the sample logs were begun by: they stay as they are."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES_RULES, SAMPLES_ENGINE = 1, "tourney 0.2.0"


@contextmanager
def begun_by_rules(number: int) -> Iterator[None]:
    """Have tournaments begin by earlier rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.rules.opening.RULES", number)
        yield


@contextmanager
def begun_by_the_rules_of_the_samples() -> Iterator[None]:
    """Have tournaments begin by the rules, and by the release, of that day."""
    with begun_by_rules(SAMPLES_RULES), pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.books.book.ENGINE", SAMPLES_ENGINE)
        yield

"""The rules that the sample logs were begun by: they stay as they are."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES_RULES = 1


@contextmanager
def begun_by_the_rules_of_the_samples() -> Iterator[None]:
    """Have tournaments begin by the rules of that day."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.rules.opening.RULES", SAMPLES_RULES)
        yield

"""What follows from facts, for tests of the procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.facts.results import by_facts, problems, turned
from ledger.rulesets import load

if TYPE_CHECKING:
    from ledger.facts.shared import Result

Pair = tuple[int, int]


def seen(key: str, ending: str = "", outcome: str = "", /, **facts: Pair) -> Result:
    """What follows from facts; both sides of the table read the same."""
    rules = load(key).ruleset
    told = {name.replace("_", "-"): pair for name, pair in facts.items()}
    result = by_facts(rules, ending, told, outcome)
    for each in (result, turned(result)):
        assert list(problems(rules, each, elimination=False)) == []
    return result


def refused(key: str, ending: str = "", outcome: str = "", /, **facts: Pair) -> str:
    """Why facts make no result."""
    with pytest.raises(Refused) as caught:
        seen(key, ending, outcome, **facts)
    return str(caught.value)

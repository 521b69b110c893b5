"""The clause that a refusal names: its rule's own, or its code's, as the game in play has it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, toml

from ledger.rulesets.words import Clause  # noqa: TC001 - msgspec resolves it

if TYPE_CHECKING:
    from ledger.problems import Problem
    from ledger.rulesets.ruleset import Ruleset


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    clauses: dict[str, Clause]


@cache
def clauses() -> Mapping[str, str]:
    """Return the clause by the code of a problem whose rule names none."""
    path = Path(__file__).with_name("refusals.toml")
    return toml.decode(path.read_bytes(), type=_File).clauses


def cited(rules: Ruleset | None, found: Problem) -> Problem:
    """Return a problem with its clause as the game in play has it, if there is a game."""
    clause = found.clause or clauses().get(found.code, "")
    return found.cited(rules.cites(clause)) if rules and clause else found

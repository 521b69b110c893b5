"""Lists for tests: made from sections, changed in one place, held to a format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import formats
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.facts.base import Tier
    from ledger.formats import CardFile, Finding, PlayList

SAMPLES = ROOT / "sample_logs"


def sample_list(name: str) -> str:
    """The text of a shipped list."""
    return (SAMPLES / "lists" / f"{name}.txt").read_text("utf-8")


def sample_cards(key: str) -> CardFile:
    """The shipped cards of a format."""
    path = next((SAMPLES / "cards").glob(f"{key}.*"))
    return formats.read_cards(path.read_bytes(), formats.load(key).format, path.name)


def cards_of(key: str, text: str) -> CardFile:
    """Cards from the text of a file."""
    return formats.read_cards(text.encode(), formats.load(key).format, "cards.csv")


def listed(text: str) -> PlayList:
    """A list from its text."""
    return formats.read_list(text.encode())


def found(
    text: str,
    named: str,
    cards: CardFile | None = None,
    *,
    date: str = "2018-11-03",
    tier: Tier = "formal",
    given: tuple[str, ...] | None = None,
) -> list[Finding]:
    """What a list comes to, with the shipped cards unless others are given."""
    known = cards or sample_cards(named.partition(":")[0])
    loaded = formats.load(named)
    held = formats.read_list(text.encode(), loaded.format.shape)
    return formats.findings(held, loaded, known, date=date, tier=tier, given=given)


def breaking(findings: list[Finding]) -> list[tuple[str, str]]:
    """Clause and text of what breaks the format."""
    return [(each.clause, str(each.text)) for each in findings if each.state == "breaks"]


def unchecked(findings: list[Finding]) -> list[tuple[str, str]]:
    """Clause and text of what is not checked."""
    return [(each.clause, str(each.text)) for each in findings if each.state == "not checked"]


def clauses(findings: list[Finding]) -> set[str]:
    """The clauses that are broken."""
    return {clause for clause, _ in breaking(findings)}


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """A list with some lines put in the place of others, each of which must be there."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    return text

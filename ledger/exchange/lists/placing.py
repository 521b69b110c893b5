"""Where a card goes: the section of a format whose kind of card it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.formats.cards import Card, CardFile, folded
from ledger.formats.case import matches
from ledger.formats.checks.belonging import Placed
from ledger.formats.naming import called

if TYPE_CHECKING:
    from ledger.formats.format import Format

_APART = re.compile(r"[^a-z0-9]+")


def section_of(card: Card, made: Format) -> str:
    """The one section that takes a card of this kind; empty where none or several do."""
    wanted: dict[str, list[bool | None]] = {}
    for check in made.checks:
        if isinstance(check, Placed):
            wanted.setdefault(check.section, []).append(matches(card, check.where))
    fitting = [section for section, verdicts in wanted.items() if all(verdicts)]
    return fitting[0] if len(fitting) == 1 else ""


def section_named(name: str, made: Format, cards: CardFile | None) -> str:
    """The section of the card of exactly that name; empty where it is not known."""
    found = called(cards, name) if cards else []
    sections = {section_of(card, made) for card in found}
    return sections.pop() if len(sections) == 1 else ""


def identifier(name: str) -> str:
    """A card's name as databases make an ID of it, with hyphens between its words."""
    return _APART.sub("-", folded(name)).strip("-")

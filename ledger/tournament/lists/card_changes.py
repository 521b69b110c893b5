"""What differs between two lists, card by card: what a correction changes, what a check found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.formats.cards import folded
from ledger.formats.play_lists import read_part

if TYPE_CHECKING:
    from ledger.formats.play_lists import Listed, PlayList, Shape


class CardChange(Struct, frozen=True):
    """A card of a section, and how many copies there were before and are now."""

    section: str
    card: str
    before: int
    now: int

    def __str__(self) -> str:
        """Return it in words, as `deck: Kiln Golem 0 to 3`."""
        return f"{self.section}: {self.card} {self.before} to {self.now}"


def card_changes(old: PlayList, new: PlayList) -> list[CardChange]:
    """Return the cards whose number differs, in the order of the lists; a unit with its upgrades.

    A name that only became clearer is one card less and one more.
    """
    names: dict[tuple[str, str], str] = {}
    before, now = (_counted(listed, names) for listed in (old, new))
    return [
        CardChange(key[0], shown, before[key], now[key])
        for key, shown in names.items()
        if before[key] != now[key]
    ]


def text_changes(old: str, new: str, shape: Shape | None = None) -> list[CardChange]:
    """Return the same of two lists, or parts of them, as the log has them."""
    parts = (read_part(text.encode("utf-8", "surrogatepass"), shape) for text in (old, new))
    return card_changes(*parts)


def names_in(text: str) -> set[str]:
    """Return the names of the cards in a part of a list."""
    sections = read_part(text.encode("utf-8", "surrogatepass")).sections
    return {entry.name for held in sections.values() for entry in held}


def _counted(listed: PlayList, names: dict[tuple[str, str], str]) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for section, entries in listed.sections.items():
        for entry in entries:
            shown = _shown(entry)
            key = section, folded(shown)
            names.setdefault(key, shown)
            counts[key] += entry.count
    return counts


def _shown(entry: Listed) -> str:
    upgrades = sorted(_upgrades(entry))
    notes = "; ".join(f"{name}: {value}" for name, value in sorted(entry.notes.items()))
    with_notes = f"{entry.name} [{notes}]" if notes else entry.name
    return " + ".join((with_notes, *upgrades))


def _upgrades(entry: Listed) -> Iterator[str]:
    for upgrade in entry.upgrades:
        yield f"{upgrade.count} {upgrade.name}" if upgrade.count > 1 else upgrade.name

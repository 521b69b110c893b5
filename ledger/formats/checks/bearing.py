"""Checks of units and the upgrades that they bear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.formats.cards import folded
from ledger.formats.case import Case, Entry, Finding, named
from ledger.formats.checks.base import Check, FactName, SectionName, in_words


class Borne(Check, frozen=True, kw_only=True):
    """Every card of a section is listed below the unit that bears it."""

    section: SectionName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name the upgrades that are listed apart from the units."""
        if loose := [entry for entry in case.within((self.section,)) if not entry.borne]:
            why = "which unit bears it is not said; an upgrade goes below its unit, as `- Name`"
            yield self.breaks(f"{named(loose)} in {self.section}: {why}")


class Slots(Check, frozen=True, kw_only=True):
    """A unit bears no more upgrades of a kind than it has slots for, and only what fits it.

    `slot` is an upgrade's kind, `slots` a unit's kinds, each as often as there is room;
    `bearers` are the units that alone may bear an upgrade.
    """

    section: SectionName
    units: SectionName
    slot: FactName
    slots: FactName
    bearers: FactName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Look at each unit that bears anything; several of one name are numbered."""
        upgrades = [entry for entry in case.within((self.section,)) if entry.borne]
        units = case.within((self.units,))
        bearing = {entry.unit for entry in upgrades}
        bearers = [entry for entry in units if entry.unit in bearing]
        read = ((self.slot, upgrades), (self.slots, bearers), (self.bearers, upgrades))
        for fact, entries in read:
            yield from self.lacking(fact, [each for each in entries if each.card])
        labels = labels_of(units)
        for unit in units:
            held = [entry for entry in upgrades if entry.unit == unit.unit]
            yield from self._crowded(labels[unit.unit], unit, held)
            yield from self._misplaced(labels[unit.unit], unit, held)

    def _crowded(self, label: str, unit: Entry, held: list[Entry]) -> Iterator[Finding]:
        if (room := unit.values(self.slots)) is None:
            return
        free = Counter(folded(slot) for slot in room)
        used: Counter[str] = Counter()
        for entry in held:
            for slot in entry.values(self.slot) or ():
                used[slot] += entry.count
        for slot, count in used.items():
            if count > (most := free[folded(slot)]):
                bears = f"{label} bears {count} of {in_words(self.slot)} {slot}"
                yield self.breaks(f"{bears}: it has room for {most}")

    def _misplaced(self, label: str, unit: Entry, held: list[Entry]) -> Iterator[Finding]:
        if unit.card is None:
            return
        names = {folded(unit.card.name), folded(unit.card.full_name)}
        for entry in held:
            allowed = entry.card.words(self.bearers) if entry.card else ()
            if allowed and not {folded(each) for each in allowed} & names:
                yield self.breaks(f"{label} bears {entry.shown}: {' or '.join(allowed)} may")


def labels_of(units: list[Entry]) -> dict[int, str]:
    """Name each unit; of several of one name also which of them it is."""
    counts = Counter(unit.shown for unit in units)
    seen: Counter[str] = Counter()
    labels = {}
    for unit in units:
        seen[unit.shown] += 1
        number = f" (unit {seen[unit.shown]} of that name)" if counts[unit.shown] > 1 else ""
        labels[unit.unit] = f"{unit.shown}{number}"
    return labels

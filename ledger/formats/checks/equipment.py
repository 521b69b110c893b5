"""Checks of units with their upgrades, and of terrain, draft pools and first hands of a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from ledger.formats.cards import folded
from ledger.formats.case import (
    Bound,
    Case,
    Check,
    Entry,
    FactName,
    Finding,
    SectionName,
    copies,
    in_words,
    known_facts,
    named,
    some,
)
from ledger.rulesets.toml_files import Line, Part

DIGITS_MAX = 12

_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")


class TopTwo(Check, frozen=True, kw_only=True):
    """No two cards of a section have more than a limit of a fact together."""

    section: SectionName
    fact: FactName
    most: Bound

    def findings(self, case: Case) -> Iterator[Finding]:
        """Take the two highest, which may be two copies of one card."""
        entries = case.within((self.section,))
        held = sorted(
            (
                (entry.card.whole(self.fact) or 0, entry.shown)
                for entry, _ in known_facts(entries, self.fact)
                for _ in range(min(entry.count, 2))
                if entry.card
            ),
            reverse=True,
        )[:2]
        total = sum(value for value, _ in held)
        if total > self.most:
            names = " and ".join(name for _, name in held)
            yield self.breaks(f"{names} have {in_words(self.fact)} {total}: {self.most} allowed")
        else:
            yield from self.lacking(self.fact, entries)


class Capacity(Part, frozen=True):
    """The capacity of a piece from a diameter in inches up to the next band."""

    inches: Bound
    capacity: Bound


class CustomTerrain(Check, frozen=True, kw_only=True):
    """A piece has the capacity of its diameter (`[diameter: 5; capacity: 4; keywords: A 2, B]`)."""

    section: SectionName
    bands: tuple[Capacity, ...]
    widest: Bound
    keywords: Bound
    footprints: tuple[Line, ...]

    def problems(self) -> Iterator[str]:
        inches = [band.inches for band in self.bands]
        if not inches or inches[0] != 0 or inches != sorted(set(inches)):
            yield "bands must begin at 0 inches, and each must be wider than the previous one"

    def capacity(self, diameter: Fraction) -> int | None:
        """The capacity of a diameter in inches: an edge is the higher band's; none over all."""
        if not 0 <= diameter <= self.widest:
            return None
        return [band.capacity for band in self.bands if band.inches <= diameter][-1]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Hold each piece to the bands."""
        for entry in case.within((self.section,)):
            notes = entry.notes
            yield from self._sized(entry)
            footprint = notes.get("footprint", "")
            if not footprint:
                yield self.unchecked(f"{entry.shown}: `footprint:` is not stated")
            elif _roughly(footprint) not in {folded(each) for each in self.footprints}:
                allowed = " or ".join(self.footprints)
                yield self.breaks(f"{entry.shown} is {footprint}: roughly {allowed} is allowed")
            held = [word for word in notes.get("keywords", "").split(",") if word.strip()]
            if len(held) > self.keywords:
                allowed = f"at most {self.keywords} allowed"
                yield self.breaks(f"{entry.shown} has {len(held)} keywords: {allowed}")

    def _sized(self, entry: Entry) -> Iterator[Finding]:
        diameter = number(entry.notes.get("diameter", ""))
        if diameter is None:
            yield self.unchecked(f"{entry.shown}: `diameter:` is not stated in inches")
            return
        capacity = self.capacity(diameter)
        stated = entry.notes.get("capacity", "")
        if capacity is None:
            over = f"a diameter over {self.widest} inches"
            yield self.breaks(f"{entry.shown} has {over}: no capacity")
        elif not stated:
            yield self.unchecked(f"{entry.shown}: `capacity:` is not stated; it is {capacity}")
        elif number(stated) != capacity:
            yield self.breaks(f"{entry.shown} has capacity {capacity}, not {stated}")


def _roughly(footprint: str) -> str:
    """A footprint as it is compared: every one that is allowed is allowed roughly."""
    return folded(footprint).removeprefix("roughly ")


def number(text: str) -> Fraction | None:
    """A decimal number exactly; none where it is no such number."""
    is_number = len(text) <= DIGITS_MAX and _NUMBER.fullmatch(text.strip())
    return Fraction(text.strip()) if is_number else None


class Within(Check, frozen=True, kw_only=True):
    """The cards of a section are among those of another."""

    section: SectionName
    of: SectionName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is not."""
        there = {folded(entry.shown) for entry in case.within((self.of,))}
        for entry in case.within((self.section,)):
            if folded(entry.shown) not in there:
                yield self.breaks(f"{entry.shown} in {self.section} is not in {self.of}")


class SamePools(Check, frozen=True, kw_only=True):
    """Every numbered group has the same components.

    Of the dice of an expansion (`dice` marks them) each group has `dice_least`.
    """

    group: SectionName
    expansion: FactName
    dice: FactName
    dice_least: Bound

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare the groups card by card; one group alone has nothing to differ from."""
        entries = case.within((self.group,))
        groups: dict[str, dict[str, int]] = {}
        for entry in entries:
            held = groups.setdefault(entry.section, {})
            held[entry.shown] = held.get(entry.shown, 0) + entry.count
        for name in dict.fromkeys(entry.shown for entry in entries):
            counts = {group: held.get(name, 0) for group, held in groups.items()}
            if len(set(counts.values())) > 1:
                shown = some([f"{group} {count}" for group, count in counts.items()])
                yield self.breaks(f"{name}: the groups differ ({shown})")
        for section in groups:
            yield from self._dice(case, [each for each in entries if each.section == section])

    def _dice(self, case: Case, entries: list[Entry]) -> Iterator[Finding]:
        """Where a group has anything of an expansion, it has that expansion's dice too."""
        used = {entry.card.text(self.expansion) for entry in entries if entry.card} - {""}
        for die in case.cards.cards:
            if die.values(self.dice) != ("yes",) or die.text(self.expansion) not in used:
                continue
            held = [entry for entry in entries if entry.shown == die.full_name]
            if (count := copies(held)) < self.dice_least:
                needed = f"{self.dice_least} of an expansion's dice are needed"
                yield self.breaks(f"{entries[0].section} has {count} of {die.full_name}: {needed}")
        for fact in (self.expansion, self.dice):
            yield from self.lacking(fact, entries)


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

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
from ledger.problems import One, Phrase, phrase
from ledger.rulesets.toml_files import Line, Part, both, either

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
            text = phrase(
                "{cards} have {fact} {total}: {most} allowed",
                cards=both([name for _, name in held]),
                fact=in_words(self.fact),
                total=total,
                most=self.most,
            )
            yield self.breaks(text)
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

    def problems(self) -> Iterator[Phrase]:
        inches = [band.inches for band in self.bands]
        if not inches or inches[0] != 0 or inches != sorted(set(inches)):
            yield phrase(
                "bands must begin at 0 inches, and each must be wider than the previous one"
            )

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
                yield self.unchecked(phrase("{card}: `footprint:` is not stated", card=entry.shown))
            elif _roughly(footprint) not in {folded(each) for each in self.footprints}:
                text = phrase(
                    "{card} is {footprint}: roughly {allowed} is allowed",
                    card=entry.shown,
                    footprint=footprint,
                    allowed=either(self.footprints),
                )
                yield self.breaks(text)
            held = [word for word in notes.get("keywords", "").split(",") if word.strip()]
            if len(held) > self.keywords:
                text = phrase(
                    "{card} has {number} keywords: at most {most} allowed",
                    card=entry.shown,
                    number=len(held),
                    most=self.keywords,
                )
                yield self.breaks(text)

    def _sized(self, entry: Entry) -> Iterator[Finding]:
        diameter = number(entry.notes.get("diameter", ""))
        if diameter is None:
            yield self.unchecked(
                phrase("{card}: `diameter:` is not stated in inches", card=entry.shown)
            )
            return
        capacity = self.capacity(diameter)
        stated = entry.notes.get("capacity", "")
        if capacity is None:
            text = phrase(
                "{card} has a diameter over {widest} inches: no capacity",
                card=entry.shown,
                widest=self.widest,
            )
            yield self.breaks(text)
        elif not stated:
            text = phrase(
                "{card}: `capacity:` is not stated; it is {capacity}",
                card=entry.shown,
                capacity=capacity,
            )
            yield self.unchecked(text)
        elif number(stated) != capacity:
            text = phrase(
                "{card} has capacity {capacity}, not {stated}",
                card=entry.shown,
                capacity=capacity,
                stated=stated,
            )
            yield self.breaks(text)


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
                text = phrase(
                    "{card} in {section} is not in {other}",
                    card=entry.shown,
                    section=self.section,
                    other=self.of,
                )
                yield self.breaks(text)


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
                yield self.breaks(
                    phrase("{card}: the groups differ ({counts})", card=name, counts=shown)
                )
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
                text = phrase(
                    "{section} has {count} of {die}: {least} of an expansion's dice are needed",
                    section=entries[0].section,
                    count=count,
                    die=die.full_name,
                    least=self.dice_least,
                )
                yield self.breaks(text)
        for fact in (self.expansion, self.dice):
            yield from self.lacking(fact, entries)


class Borne(Check, frozen=True, kw_only=True):
    """Every card of a section is listed below the unit that bears it."""

    section: SectionName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name the upgrades that are listed apart from the units."""
        if loose := [entry for entry in case.within((self.section,)) if not entry.borne]:
            text = phrase(
                "{cards} in {section}: which unit bears it is not said; an upgrade goes below its "
                "unit, as `- Name`",
                cards=named(loose),
                section=self.section,
            )
            yield self.breaks(text)


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

    def _crowded(self, label: One, unit: Entry, held: list[Entry]) -> Iterator[Finding]:
        if (room := unit.values(self.slots)) is None:
            return
        free = Counter(folded(slot) for slot in room)
        used: Counter[str] = Counter()
        for entry in held:
            for slot in entry.values(self.slot) or ():
                used[slot] += entry.count
        for slot, count in used.items():
            if count > (most := free[folded(slot)]):
                text = phrase(
                    "{unit} bears {count} of {fact} {slot}: it has room for {most}",
                    unit=label,
                    count=count,
                    fact=in_words(self.slot),
                    slot=slot,
                    most=most,
                )
                yield self.breaks(text)

    def _misplaced(self, label: One, unit: Entry, held: list[Entry]) -> Iterator[Finding]:
        if unit.card is None:
            return
        names = {folded(unit.card.name), folded(unit.card.full_name)}
        for entry in held:
            allowed = entry.card.words(self.bearers) if entry.card else ()
            if allowed and not {folded(each) for each in allowed} & names:
                text = phrase(
                    "{unit} bears {card}: {bearers} may",
                    unit=label,
                    card=entry.shown,
                    bearers=either(allowed),
                )
                yield self.breaks(text)


def labels_of(units: list[Entry]) -> dict[int, One]:
    """Name each unit; of several of one name also which of them it is."""
    counts = Counter(unit.shown for unit in units)
    seen: Counter[str] = Counter()
    labels: dict[int, One] = {}
    for unit in units:
        seen[unit.shown] += 1
        labels[unit.unit] = unit.shown
        if counts[unit.shown] > 1:
            which = seen[unit.shown]
            labels[unit.unit] = phrase(
                "{unit} (unit {which} of that name)", unit=unit.shown, which=which
            )
    return labels

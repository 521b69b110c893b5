"""Holding a list to a format: every finding at once, each with its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.formats.card_files import changes_of
from ledger.formats.case import Case, Entry, Finding
from ledger.formats.checks.contents import Placed
from ledger.formats.checks.legality import Released
from ledger.formats.naming import Room, find
from ledger.formats.play_lists import Listed, PlayList, plain
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import nearest

if TYPE_CHECKING:
    from ledger.facts.base import Tier
    from ledger.formats.cards import Card, CardFile
    from ledger.formats.format import Format, LoadedFormat, Section
    from ledger.rulesets.floor import Scenario

CHANGES = "changes"
"""The column with what a card changes in the limits."""

LOOKED_UP_MAX = 5
"""How many unknown names get the nearest card offered: looking is slow in a large file."""


def findings(  # noqa: PLR0913 - what a list is checked with
    listed: PlayList,
    loaded: LoadedFormat,
    cards: CardFile,
    *,
    date: str = "",
    tier: Tier = "relaxed",
    scenario: Scenario | None = None,
    given: tuple[str, ...] | None = None,
) -> list[Finding]:
    """Check a list; in order: names, then the checks as the format's file has them.

    `date` is the event's, as 2018-07-23; without it, what depends on it is not checked.
    `scenario` is what the event's ruleset says of seasons, `given` what the player was given out.
    """
    found: list[Finding] = []
    case = _case(listed, loaded, cards, found)
    case = replace(case, date=date, tier=tier, scenario=scenario, given=given)
    found += _immovable(loaded, case)
    for check in loaded.format.in_force(loaded.variant):
        found += check.findings(case)
    return list({(one.clause, str(one.text), one.state): one for one in found}.values())


def derived(listed: PlayList, loaded: LoadedFormat, cards: CardFile) -> list[Phrase]:
    """Return what the checks worked out on the way, for a judge to see."""
    case = _case(listed, loaded, cards, [])
    checks = loaded.format.in_force(loaded.variant)
    return [line for check in checks for line in check.derived(case)]


def _immovable(loaded: LoadedFormat, case: Case) -> Iterator[Finding]:
    """Yield the clauses whose limits a listed card might move, if the file has no changes."""
    if CHANGES not in loaded.format.by_fact or CHANGES in case.cards.facts:
        return
    text = phrase(
        "the card file has no column {column}: effects on the limits are not known",
        column=CHANGES,
    )
    for check in loaded.format.in_force(loaded.variant):
        if check.limits():
            yield Finding(check.clause, text, "not checked")


def _case(listed: PlayList, loaded: LoadedFormat, cards: CardFile, found: list[Finding]) -> Case:
    made = loaded.format
    entries: list[Entry] = []
    lookup = _Lookup(made, cards, found)
    for name, lines in listed.sections.items():
        section = made.by_section.get(plain_name(made, name))
        if section is None or not (section.numbered or section.name == name):
            known = nearest(name, list(made.by_section))
            text = phrase("no section {named}; {known}", named=repr(name), known=known)
            found.append(Finding(made.names_clause, text, "breaks"))
            continue
        for line in lines:
            unit = len(entries) + 1 if section.bears else 0
            entries.append(replace(lookup.entry(name, section, line), unit=unit))
            entries += lookup.borne(name, section, line, unit)
    changes: Counter[str] = Counter()
    for entry in entries:
        if entry.card and made.by_section[plain_name(made, entry.section)].changing:
            for limit, by in changes_of(entry.card):
                changes[limit] += by * entry.count
    return Case(listed, cards, tuple(entries), loaded.variant, changes)


class _Lookup:
    """Finds the card of each line; what it does not find it says."""

    def __init__(self, made: Format, cards: CardFile, found: list[Finding]) -> None:
        self.made, self.cards, self.found = made, cards, found
        self.rooms = {section.name: _room(made, section) for section in made.sections}
        self.known: dict[tuple[str, str], tuple[Card | None, Phrase | None]] = {}
        self.unknown = 0

    def entry(self, name: str, section: Section, line: Listed) -> Entry:
        """Return the entry of a line in a section of the list."""
        written = f"{line.sign} {line.name}".lstrip()
        card = self._card(name, section, written) if section.cards else None
        return Entry(name, line.count, line.name, line.notes, card, section.cards)

    def borne(self, name: str, section: Section, line: Listed, unit: int) -> Iterator[Entry]:
        """Yield the upgrades of a unit, as entries of the section that upgrades are of."""
        if section.bears is None:
            if line.upgrades:
                text = phrase("{section} bears no upgrades: {card}", section=name, card=line.name)
                self.found.append(Finding(self.made.names_clause, text, "breaks"))
            return
        place = self.made.by_section[section.bears]
        for upgrade in line.upgrades:
            listed = Listed(upgrade.name, line.count * upgrade.count, sign=upgrade.sign)
            yield replace(self.entry(section.bears, place, listed), unit=unit, borne=True)

    def _card(self, name: str, section: Section, written: str) -> Card | None:
        place = (section.name, written)
        if place not in self.known:
            offer = self.unknown < LOOKED_UP_MAX
            self.known[place] = find(self.cards, self.rooms[section.name], written, offer=offer)
            self.unknown += not self.known[place][0]
        card, problem = self.known[place]
        if problem and not self.cards.cards:
            text = phrase("the names: without a card file no card is known")
            self.found.append(Finding(self.made.names_clause, text, "not checked"))
        elif problem:
            text = phrase("{section}: {problem}", section=name, problem=problem)
            self.found.append(Finding(self.made.names_clause, text, "breaks"))
        return card


def plain_name(made: Format, section: str) -> str:
    """The name in the format of a section in a list."""
    return section if section in made.by_section else plain(section)


def _room(made: Format, section: Section) -> Room:
    """Return what the format puts into a section, to distinguish cards of one name.

    A unit and an upgrade could be confused with each other.
    """
    where = {check.section: check.where for check in made.checks if isinstance(check, Placed)}
    read = {name for each in made.checks if not isinstance(each, Released) for name in each.facts()}
    linked = (each for each in made.sections if each.bears)
    pairs = [(each.name, each.bears) for each in linked if section.name in (each.name, each.bears)]
    beside = {name for pair in pairs for name in pair if name} - {section.name}
    others = tuple(where[name] for name in beside if name in where)
    return Room(where.get(section.name, {}), others, frozenset(read | {CHANGES}))

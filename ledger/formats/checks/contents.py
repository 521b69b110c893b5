"""Checks of the contents of sections: the number of cards, copies and points, and their owners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Literal

from ledger.formats.cards import folded
from ledger.formats.case import (
    NO_LIMIT,
    Bound,
    Bounded,
    Case,
    Check,
    Entry,
    FactName,
    Finding,
    LimitName,
    OfSections,
    SectionName,
    copies,
    in_words,
    known_facts,
    matches,
    named,
    some,
)
from ledger.problems import One, Phrase, phrase
from ledger.rulesets.toml_files import Line, Name, both, either

Unlisted = Literal["breaks", "not checked", "passes"]


class Count(Bounded, frozen=True, kw_only=True):
    """The sections hold a number of matching cards within bounds."""

    what: Line
    least: Bound = 0
    most: Bound = NO_LIMIT
    where: Mapping[FactName, tuple[Line, ...]] = {}
    unlisted: Unlisted = "breaks"
    """What it comes to where a list leaves the sections out."""

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare the number with its bounds; cards that may or may not match leave it open."""
        if self.unlisted != "breaks" and not case.within(self.sections):
            if self.unlisted == "not checked":
                yield self.unchecked(phrase("{what}: none is listed", what=Phrase(self.what)))
            return
        matching, unknown = case.sorted_out(self.sections, self.where)
        least, most = case.bounds(self.limit, self.least, self.most)
        sure, open_ = copies(matching), copies(unknown)
        if sure > most or sure + open_ < least:
            allowed = _range(least, most)
            yield self.breaks(
                phrase(
                    "{count} {what}: {allowed} allowed",
                    count=sure,
                    what=Phrase(self.what),
                    allowed=allowed,
                )
            )
        elif unknown and (sure < least or sure + open_ > most):
            facts = both(map(in_words, self.where))
            yield self.unchecked(
                phrase(
                    "{what}: {facts} not known for {cards}",
                    what=Phrase(self.what),
                    facts=facts,
                    cards=named(unknown),
                )
            )

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield how many there are, where each card's facts are known."""
        matching, unknown = case.sorted_out(self.sections, self.where)
        least, most = case.bounds(self.limit, self.least, self.most)
        if matching and not unknown:
            yield phrase(
                "{what}: {count}, {range} ({clause})",
                what=Phrase(self.what),
                count=copies(matching),
                range=_range(least, most),
                clause=self.clause,
            )


class Copies(Bounded, frozen=True, kw_only=True):
    """The sections together hold a limited number of cards of one title.

    With `where` only of titles that match, as unique ones.
    """

    most: Bound
    where: Mapping[FactName, tuple[Line, ...]] = {}

    def findings(self, case: Case) -> Iterator[Finding]:
        """Count every title, also where it stands on several lines."""
        _, most = case.bounds(self.limit, 0, self.most)
        titles: dict[str, list[Entry]] = {}
        for entry in case.within(self.sections):
            titles.setdefault(entry.title, []).append(entry)
        for entries in titles.values():
            if (count := copies(entries)) > most:
                yield from self._too_many(entries, count, most)

    def _too_many(self, entries: list[Entry], count: int, most: int) -> Iterator[Finding]:
        verdicts = {matches(entry.card, self.where) for entry in entries}
        kinds, cards = both(map(in_words, self.where)), named(entries)
        if True in verdicts and self.where:
            text = phrase(
                "{count} copies of {cards}, {kinds}: at most {most} allowed",
                count=count,
                cards=cards,
                kinds=kinds,
                most=most,
            )
            yield self.breaks(text)
        elif True in verdicts:
            text = phrase(
                "{count} copies of {cards}: at most {most} allowed",
                count=count,
                cards=cards,
                most=most,
            )
            yield self.breaks(text)
        elif None in verdicts:
            text = phrase(
                "{count} copies of {cards}: {kinds} not known",
                count=count,
                cards=cards,
                kinds=kinds,
            )
            yield self.unchecked(text)


class Holds(OfSections, frozen=True, kw_only=True):
    """Each of these titles is among the cards of the sections."""

    names: tuple[Line, ...]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each that is missing."""
        held = {entry.title for entry in case.within(self.sections)}
        for name in self.names:
            if folded(name) not in held:
                yield self.breaks(
                    phrase(
                        "{card} is missing in {sections}", card=name, sections=both(self.sections)
                    )
                )


class Total(Bounded, frozen=True, kw_only=True):
    """The cards' numbers (points) have a limited sum."""

    fact: FactName
    most: Bound

    def findings(self, case: Case) -> Iterator[Finding]:
        """Add up; a sum that breaks the limit already breaks it whatever is missing.

        Where points are missing, the declared sum is held to the limit.
        """
        entries = case.within(self.sections)
        total, declared = added(entries, self.fact), case.listed.total or 0
        _, most = case.bounds(self.limit, 0, self.most)
        if total > most:
            text = phrase(
                "{total} {fact}: at most {most} allowed",
                total=total,
                fact=in_words(self.fact),
                most=most,
            )
            yield self.breaks(text)
            return
        lacking = list(self.lacking(self.fact, entries))
        if lacking and declared > most:
            text = phrase(
                "{total} {fact} declared: at most {most} allowed",
                total=declared,
                fact=in_words(self.fact),
                most=most,
            )
            yield self.breaks(text)
        yield from lacking

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield the sum, where each card's number is known."""
        entries = case.within(self.sections)
        _, most = case.bounds(self.limit, 0, self.most)
        if entries and not list(self.lacking(self.fact, entries)):
            total = added(entries, self.fact)
            yield _sum(self.fact, total, most, self.clause)


def _sum(fact: str, total: int, most: int, clause: str) -> Phrase:
    return phrase(
        "{fact}: {total}, at most {most} ({clause})",
        fact=in_words(fact),
        total=total,
        most=most,
        clause=clause,
    )


def added(entries: list[Entry], fact: str) -> int:
    """The sum of a fact over all copies, as far as it is known."""
    return sum(entry.count * (entry.card.whole(fact) or 0) for entry in entries if entry.card)


class Declared(Check, frozen=True, kw_only=True):
    """What the list declares is what it comes to: the points, and the cards of a section."""

    sections: tuple[SectionName, ...] = ()
    fact: FactName = ""

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare both kinds of declaration."""
        for section, declared in case.listed.totals.items():
            held = copies(entry for entry in case.entries if entry.section == section)
            if held != declared:
                text = phrase(
                    "{section} is declared with {declared} cards and has {held}",
                    section=section,
                    declared=declared,
                    held=held,
                )
                yield self.breaks(text)
        declared_total = case.listed.total
        if not self.fact or declared_total is None:
            return
        entries = case.within(self.sections)
        total = added(entries, self.fact)
        if lacking := list(self.lacking(self.fact, entries)):
            yield from lacking
        elif total != declared_total:
            text = phrase(
                "the list declares {declared} and comes to {total}",
                declared=declared_total,
                total=total,
            )
            yield self.breaks(text)


class Spread(OfSections, frozen=True, kw_only=True):
    """Each value of a fact has its own bounds: one province a ring, two cards of each pip.

    `bounds` are least and most by value. A value without any is held to the card file's limit
    of the name `limit value`, and is not checked without one: of those that are listed, and of
    those that the card file knows, since one may be missing in the list.
    """

    fact: FactName
    limit: Name
    bounds: Mapping[Line, tuple[Bound, Bound]] = {}
    apart: tuple[Line, ...] = ()
    """Titles that are not counted."""

    movable: bool = False
    """Whether cards may change the bounds, under names of the limit and the value."""

    unlisted: Unlisted = "breaks"
    """What it comes to where a list leaves the sections out; the count of their cards says it."""

    def limits(self) -> tuple[str, ...]:
        return tuple(f"{self.limit} {value}" for value in self.bounds) if self.movable else ()

    def findings(self, case: Case) -> Iterator[Finding]:
        """Count by value; a card without the fact may be any of them."""
        if self.unlisted != "breaks" and not case.within(self.sections):
            return
        entries = self._entries(case)
        counts = self._counts(entries)
        missing = list(self.lacking(self.fact, entries))
        yield from missing
        bounds = self._all_bounds(case)
        unbounded = sorted(value for value in counts if value not in bounds)
        if not self.bounds and (unlimited := sorted({*unbounded, *self._known(case)} - {*bounds})):
            text = phrase(
                "no limits are supplied for {fact} {names}",
                fact=in_words(self.fact),
                names=tuple(unlimited),
            )
            yield self.unchecked(text)
        elif unbounded and self.bounds:
            text = phrase(
                "{fact} {names} is not one of {known}",
                fact=in_words(self.fact),
                names=tuple(unbounded),
                known=tuple(bounds),
            )
            yield self.breaks(text)
        for value, (least, most) in bounds.items():
            count = counts[value]
            if count > most or (count < least and not missing):
                text = phrase(
                    "{count} of {fact} {value}: {range} allowed",
                    count=count,
                    fact=in_words(self.fact),
                    value=value,
                    range=_range(least, most),
                )
                yield self.breaks(text)

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield how many there are of each value: units per rank, provinces per ring."""
        if counts := self._counts(self._entries(case)):
            numbers = tuple(f"{value} {count}" for value, count in sorted(counts.items()))
            yield phrase(
                "{fact}: {numbers} ({clause})",
                fact=in_words(self.fact),
                numbers=numbers,
                clause=self.clause,
            )

    def _entries(self, case: Case) -> list[Entry]:
        """Return the entries that are counted."""
        apart = {folded(title) for title in self.apart}
        return [each for each in case.within(self.sections) if each.title not in apart]

    def _counts(self, entries: list[Entry]) -> Counter[str]:
        """Return the number of cards of each value that is known."""
        counts: Counter[str] = Counter()
        for entry, values in known_facts(entries, self.fact):
            for value in values:
                counts[value.casefold()] += entry.count
        return counts

    def _known(self, case: Case) -> Iterator[str]:
        """Yield the values that the card file knows."""
        for card in case.cards.cards:
            yield from (value.casefold() for value in card.values(self.fact) or () if value)

    def _all_bounds(self, case: Case) -> dict[str, tuple[int, int]]:
        prefix = f"{self.limit} "
        supplied = {
            name.removeprefix(prefix): bounds
            for name, bounds in case.cards.limits.items()
            if name.startswith(prefix)
        }
        merged = supplied | {value.casefold(): bounds for value, bounds in self.bounds.items()}
        return {value: case.bounds(f"{prefix}{value}", *bounds) for value, bounds in merged.items()}


def _neither(clans: Sequence[str]) -> One:
    made: One = clans[0]
    for clan in clans[1:]:
        made = phrase("{first} nor {second}", first=made, second=clan)
    return made


def _range(least: int, most: int) -> Phrase:
    if least == most:
        return phrase("exactly {number}", number=least)
    if most >= NO_LIMIT:
        return phrase("at least {number}", number=least)
    if not least:
        return phrase("at most {number}", number=most)
    return phrase("{least} to {most}", least=least, most=most)


class Placed(Check, frozen=True, kw_only=True):
    """Every card of a section is of the kind that goes there."""

    section: SectionName
    where: Mapping[FactName, tuple[Line, ...]]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that does not belong there."""
        for fact, allowed in self.where.items():
            entries = case.within((self.section,))
            wrong = [each for each in entries if matches(each.card, {fact: allowed}) is False]
            yield from self.lacking(fact, entries)
            for entry in wrong:
                text = phrase(
                    "{card} is in {section}: {fact} {kinds} belongs there",
                    card=entry.shown,
                    section=entry.section,
                    fact=in_words(fact),
                    kinds=either(allowed),
                )
                yield self.breaks(text)


class Never(OfSections, frozen=True, kw_only=True):
    """No card that matches is in the sections."""

    where: Mapping[FactName, tuple[Line, ...]]
    what: Line

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is there."""
        matching, unknown = case.sorted_out(self.sections, self.where)
        for entry in matching:
            text = phrase(
                "{card} stands in {section}: {what}",
                card=entry.shown,
                section=entry.section,
                what=Phrase(self.what),
            )
            yield self.breaks(text)
        if unknown:
            facts = both(map(in_words, self.where))
            yield self.unchecked(
                phrase("{facts} not known for {cards}", facts=facts, cards=named(unknown))
            )


class Few(Bounded, frozen=True, kw_only=True):
    """A fact has a limited number of values among the cards, the ignored ones left out."""

    fact: FactName
    most: Bound
    ignored: tuple[Line, ...] = ()

    def findings(self, case: Case) -> Iterator[Finding]:
        """Count the values, in the order of the list."""
        entries = case.within(self.sections)
        ignored = set(map(folded, self.ignored))
        values: dict[str, str] = {}
        for value in (each for _, held in known_facts(entries, self.fact) for each in held):
            if folded(value) not in ignored:
                values.setdefault(folded(value), value)
        _, most = case.bounds(self.limit, 0, self.most)
        if len(values) > most:
            names = some(list(values.values()))
            text = phrase(
                "{fact} {names}: at most {most} allowed",
                fact=in_words(self.fact),
                names=names,
                most=most,
            )
            yield self.breaks(text)
        else:
            yield from self.lacking(self.fact, entries)


class Leader(OfSections, frozen=True, kw_only=True):
    """The base of checks against one card, such as the stronghold; without it nothing is known."""

    leader: SectionName
    fact: FactName

    def _unknown(self, fact: str) -> Finding:
        return self.unchecked(
            phrase("{fact} of the {leader} not known", fact=in_words(fact), leader=self.leader)
        )

    def _outside(
        self, case: Case, fact: str, neutral: tuple[str, ...] = ()
    ) -> Generator[Finding, None, tuple[tuple[str, ...], list[Entry]]]:
        """Return the leader's values, and the cards whose known values of a fact are others."""
        leaders, entries = case.within((self.leader,)), case.within(self.sections)
        clan = leaders[0].values(self.fact) if len(leaders) == 1 else None
        if clan is None:
            yield self._unknown(self.fact)
            return (), []
        yield from self.lacking(fact, entries)
        inside = set(map(folded, (*clan, *neutral)))
        known = known_facts(entries, fact)
        return clan, [each for each, held in known if inside.isdisjoint(map(folded, held))]


class InClan(Leader, frozen=True, kw_only=True):
    """Every card of the sections is of the leader's clan or neutral."""

    neutral: tuple[Line, ...]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card from outside."""
        clan, foreign = yield from self._outside(case, self.fact, self.neutral)
        for entry in foreign:
            text = phrase(
                "{card} in {section} is neither {clans} nor neutral",
                card=entry.shown,
                section=entry.section,
                clans=_neither(clan),
            )
            yield self.breaks(text)


class Splash(Leader, frozen=True, kw_only=True):
    """Cards from outside are of one clan, and cost no more than the leader's allowance."""

    neutral: tuple[Line, ...]
    cost: FactName
    allowance: FactName
    limit: LimitName
    clans: Bound = 1

    def findings(self, case: Case) -> Iterator[Finding]:
        """Find the outside cards, then hold them to both bounds."""
        _, foreign = yield from self._outside(case, self.fact, self.neutral)
        for entry in foreign:
            if entry.card and entry.card.has_no(self.cost):
                text = phrase(
                    "{card} has no {fact}: it stays in its clan",
                    card=entry.shown,
                    fact=in_words(self.cost),
                )
                yield self.breaks(text)
        clans = list(dict.fromkeys(v for _, held in known_facts(foreign, self.fact) for v in held))
        if len(clans) > self.clans:
            text = phrase(
                "cards from outside are of {clans}: at most {most} clan allowed",
                clans=some(clans),
                most=self.clans,
            )
            yield self.breaks(text)
        if foreign:
            yield from self._paid(case, foreign)

    def _paid(self, case: Case, foreign: list[Entry]) -> Iterator[Finding]:
        leader = case.within((self.leader,))[0].card
        held = leader.whole(self.allowance) if leader else None
        if held is None:
            yield self._unknown(self.allowance)
            return
        _, allowed = case.bounds(self.limit, 0, held)
        spent = added(foreign, self.cost)
        if spent > allowed:
            text = phrase(
                "{count} cards from outside cost {spent} {fact}: at most {most} allowed",
                count=copies(foreign),
                spent=spent,
                fact=in_words(self.cost),
                most=allowed,
            )
            yield self.breaks(text)
        else:
            yield from self.lacking(self.cost, foreign)

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield what the cards from outside cost, of how much, where all of it is known."""
        run = self._outside(case, self.fact, self.neutral)
        try:
            next(run)
        except StopIteration as end:
            leader, foreign = case.within((self.leader,))[0].card, end.value[1]
            held = leader.whole(self.allowance) if leader else None
            if held is not None and not list(self.lacking(self.cost, foreign)):
                _, allowed = case.bounds(self.limit, 0, held)
                yield _sum(self.cost, added(foreign, self.cost), allowed, self.clause)


class Serves(Leader, frozen=True, kw_only=True):
    """Each card's list of those it serves has the leader's fact in it."""

    serves: FactName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare each card with the leader, where there is a card."""
        if not case.within(self.sections):
            return
        clan, foreign = yield from self._outside(case, self.serves)
        for entry in foreign:
            text = phrase("{card} is not legal for {clans}", card=entry.shown, clans=either(clan))
            yield self.breaks(text)


class Belongs(OfSections, frozen=True, kw_only=True):
    """A card that names an owner is only with that owner."""

    fact: FactName
    owners: tuple[SectionName, ...]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Look for each owner among the cards of the owners' sections."""
        cards = [entry.card for entry in case.within(self.owners)]
        present = {folded(name) for card in cards if card for name in (card.name, card.full_name)}
        entries = case.within(self.sections)
        yield from self.lacking(self.fact, entries)
        for entry, owners in known_facts(entries, self.fact):
            wanted = [owner for owner in owners if owner]
            if wanted and not {folded(owner) for owner in wanted} & present:
                text = phrase(
                    "{card} needs {owners} in {sections}",
                    card=entry.shown,
                    owners=either(wanted),
                    sections=either(self.owners),
                )
                yield self.unchecked(text) if None in cards else self.breaks(text)


class ComesWith(Belongs, frozen=True, kw_only=True):
    """A card is there with one of those that bring it, as a conjuration, and none is left out.

    `brought` are the cards that come with others; the fact names whom each comes with.
    """

    brought: Mapping[FactName, tuple[Line, ...]]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Look for whom each card comes with, then for cards that should have come."""
        yield from super().findings(case)
        listed = {entry.title for entry in case.within(self.sections)}
        present = {entry.title for entry in case.within(self.owners)}
        missing, unknown = [], []
        for card in case.cards.cards:
            if folded(card.name) not in listed and matches(card, self.brought):
                if self.fact not in card.facts:
                    unknown.append(card.full_name)
                elif present & set(map(folded, card.words(self.fact))):
                    missing.append(card.full_name)
        where = either(self.sections)
        if missing:
            text = phrase(
                "{cards}: not listed in {sections}, though a listed card brings it",
                cards=some(missing),
                sections=where,
            )
            yield self.unchecked(text)
        if unknown:
            text = phrase(
                "{fact} not known for {cards}, not listed in {sections}",
                fact=in_words(self.fact),
                cards=some(unknown),
                sections=where,
            )
            yield self.unchecked(text)

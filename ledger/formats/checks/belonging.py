"""Checks of who belongs to whom: clan, faction, Phoenixborn, character."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping

from ledger.formats.cards import folded
from ledger.formats.case import Case, Entry, Finding, copies, known_facts, matches, named, some
from ledger.formats.checks.base import (
    Bound,
    Bounded,
    Check,
    FactName,
    LimitName,
    OfSections,
    SectionName,
    in_words,
)
from ledger.formats.checks.counting import added
from ledger.rulesets.words import Line


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
                kind = f"{in_words(fact)} {' or '.join(allowed)}"
                yield self.breaks(f"{entry.shown} is in {entry.section}: {kind} belongs there")


class Never(OfSections, frozen=True, kw_only=True):
    """No card that matches is in the sections."""

    where: Mapping[FactName, tuple[Line, ...]]
    what: Line

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is there."""
        matching, unknown = case.sorted_out(self.sections, self.where)
        for entry in matching:
            yield self.breaks(f"{entry.shown} stands in {entry.section}: {self.what}")
        if unknown:
            facts = " and ".join(in_words(fact) for fact in self.where)
            yield self.unchecked(f"{facts} not known for {named(unknown)}")


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
            yield self.breaks(f"{in_words(self.fact)} {names}: at most {most} allowed")
        else:
            yield from self.lacking(self.fact, entries)


class Leader(OfSections, frozen=True, kw_only=True):
    """The base of checks against one card, such as the stronghold; without it nothing is known."""

    leader: SectionName
    fact: FactName

    def _outside(
        self, case: Case, fact: str, neutral: tuple[str, ...] = ()
    ) -> Generator[Finding, None, tuple[tuple[str, ...], list[Entry]]]:
        """Return the leader's values, and the cards whose known values of a fact are others."""
        leaders, entries = case.within((self.leader,)), case.within(self.sections)
        clan = leaders[0].values(self.fact) if len(leaders) == 1 else None
        if clan is None:
            yield self.unchecked(f"{in_words(self.fact)} of the {self.leader} not known")
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
            neither = f"neither {' nor '.join(clan)} nor neutral"
            yield self.breaks(f"{entry.shown} in {entry.section} is {neither}")


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
        clans = list(dict.fromkeys(v for _, held in known_facts(foreign, self.fact) for v in held))
        if len(clans) > self.clans:
            allowed = f"at most {self.clans} clan allowed"
            yield self.breaks(f"cards from outside are of {some(clans)}: {allowed}")
        if foreign:
            yield from self._paid(case, foreign)

    def _paid(self, case: Case, foreign: list[Entry]) -> Iterator[Finding]:
        leader = case.within((self.leader,))[0].card
        held = leader.whole(self.allowance) if leader else None
        if held is None:
            yield self.unchecked(f"{in_words(self.allowance)} of the {self.leader} not known")
            return
        _, allowed = case.bounds(self.limit, 0, held)
        spent = added(foreign, self.cost)
        if spent > allowed:
            cost = f"{copies(foreign)} cards from outside cost {spent} {in_words(self.cost)}"
            yield self.breaks(f"{cost}: at most {allowed} allowed")
        else:
            yield from self.lacking(self.cost, foreign)

    def derived(self, case: Case) -> Iterator[str]:
        """Yield what the cards from outside cost, of how much, where all of it is known."""
        run = self._outside(case, self.fact, self.neutral)
        try:
            next(run)
        except StopIteration as end:
            leader, foreign = case.within((self.leader,))[0].card, end.value[1]
            held = leader.whole(self.allowance) if leader else None
            if held is not None and not list(self.lacking(self.cost, foreign)):
                _, allowed = case.bounds(self.limit, 0, held)
                spent = added(foreign, self.cost)
                yield f"{in_words(self.cost)}: {spent}, at most {allowed} ({self.clause})"


class Serves(Leader, frozen=True, kw_only=True):
    """Each card's list of those it serves has the leader's fact in it."""

    serves: FactName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare each card with the leader, where there is a card."""
        if not case.within(self.sections):
            return
        clan, foreign = yield from self._outside(case, self.serves)
        for entry in foreign:
            yield self.breaks(f"{entry.shown} is not legal for {' or '.join(clan)}")


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
                text = f"{entry.shown} needs {' or '.join(wanted)} in {' or '.join(self.owners)}"
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
        where = " or ".join(self.sections)
        if missing:
            why = "though a listed card brings it"
            yield self.unchecked(f"{some(missing)}: not listed in {where}, {why}")
        if unknown:
            fact = in_words(self.fact)
            yield self.unchecked(f"{fact} not known for {some(unknown)}, not listed in {where}")

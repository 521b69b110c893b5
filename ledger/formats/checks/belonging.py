"""Checks of who belongs to whom: clan, faction, Phoenixborn, character."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.formats.cards import folded
from ledger.formats.case import (
    Case,
    Entry,
    Finding,
    copies,
    known_facts,
    matches,
    named,
    some,
    without_fact,
)
from ledger.formats.checks.base import (
    Bound,
    Bounded,
    Check,
    FactName,
    OfSections,
    SectionName,
    in_words,
)
from ledger.formats.checks.counting import added
from ledger.rulesets.words import Line, Name


class Placed(Check, frozen=True, kw_only=True):
    """Every card of a section is of the kind that goes there."""

    section: SectionName
    where: Mapping[FactName, tuple[Line, ...]]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that does not belong there."""
        for fact, allowed in self.where.items():
            entries = case.within((self.section,))
            wrong = [each for each in entries if matches(each.card, {fact: allowed}) is False]
            yield from self.lacking(fact, without_fact(entries, fact))
            for entry in wrong:
                kind = f"{in_words(fact)} {' or '.join(allowed)}"
                yield self.breaks(f"{entry.shown} is in {entry.section}: {kind} belongs there")


class Never(OfSections, frozen=True, kw_only=True):
    """No card that matches is in the sections."""

    where: Mapping[FactName, tuple[Line, ...]]
    what: Line

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is there."""
        found = case.sorted_out(self.sections, self.where)
        for entry in found.matching:
            yield self.breaks(f"{entry.shown} stands in {entry.section}: {self.what}")
        if found.unknown:
            facts = " and ".join(in_words(fact) for fact in self.where)
            yield self.unchecked(f"{facts} not known for {named(found.unknown)}")


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
            yield from self.lacking(self.fact, without_fact(entries, self.fact))


class Leader(OfSections, frozen=True, kw_only=True):
    """The base of checks against one card, such as the stronghold; without it nothing is known."""

    leader: SectionName
    fact: FactName

    def _leaders(self, case: Case) -> list[Entry]:
        return case.within((self.leader,))

    def _led(self, case: Case, fact: str) -> tuple[str, ...] | None:
        """The values of a fact of the one leader; none where they are not known."""
        leaders = self._leaders(case)
        if len(leaders) != 1 or leaders[0].card is None:
            return None
        return leaders[0].card.values(fact)

    def _leaderless(self) -> Finding:
        return self.unchecked(f"{in_words(self.fact)} of the {self.leader} not known")


class InClan(Leader, frozen=True, kw_only=True):
    """Every card of the sections is of the leader's clan or neutral."""

    neutral: tuple[Line, ...]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card from outside."""
        clan = self._led(case, self.fact)
        if clan is None:
            yield self._leaderless()
            return
        entries = case.within(self.sections)
        yield from self.lacking(self.fact, without_fact(entries, self.fact))
        for entry in outside(entries, self.fact, (*clan, *self.neutral)):
            neither = f"neither {' nor '.join(clan)} nor neutral"
            yield self.breaks(f"{entry.shown} in {entry.section} is {neither}")


class Splash(Leader, frozen=True, kw_only=True):
    """Cards from outside are of one clan, and cost no more than the leader's allowance."""

    neutral: tuple[Line, ...]
    cost: FactName
    allowance: FactName
    limit: Name
    clans: Bound = 1

    def limits(self) -> tuple[str, ...]:
        """See `Check`."""
        return (self.limit,)

    def findings(self, case: Case) -> Iterator[Finding]:
        """Find the outside cards, then hold them to both bounds."""
        clan = self._led(case, self.fact)
        if clan is None:
            yield self._leaderless()
            return
        entries = case.within(self.sections)
        yield from self.lacking(self.fact, without_fact(entries, self.fact))
        foreign = outside(entries, self.fact, (*clan, *self.neutral))
        clans = list(dict.fromkeys(v for _, held in known_facts(foreign, self.fact) for v in held))
        if len(clans) > self.clans:
            allowed = f"at most {self.clans} clan allowed"
            yield self.breaks(f"cards from outside are of {some(clans)}: {allowed}")
        if foreign:
            yield from self._paid(case, foreign)

    def _paid(self, case: Case, foreign: list[Entry]) -> Iterator[Finding]:
        leaders = self._leaders(case)
        held = leaders[0].card.whole(self.allowance) if leaders and leaders[0].card else None
        if held is None:
            yield self.unchecked(f"{in_words(self.allowance)} of the {self.leader} not known")
            return
        _, allowed = case.bounds(self.limit, 0, held)
        spent = added(foreign, self.cost)
        if spent > allowed:
            cost = f"{copies(foreign)} cards from outside cost {spent} {in_words(self.cost)}"
            yield self.breaks(f"{cost}: at most {allowed} allowed")
        else:
            yield from self.lacking(self.cost, without_fact(foreign, self.cost))


class Serves(Leader, frozen=True, kw_only=True):
    """Each card's list of those it serves has the leader's fact in it."""

    serves: FactName

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare each card with the leader, where there is a card."""
        entries = case.within(self.sections)
        if not entries:
            return
        clan = self._led(case, self.fact)
        if clan is None:
            yield self._leaderless()
            return
        yield from self.lacking(self.serves, without_fact(entries, self.serves))
        for entry in outside(entries, self.serves, clan):
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
        yield from self.lacking(self.fact, without_fact(entries, self.fact))
        for entry, owners in known_facts(entries, self.fact):
            wanted = [owner for owner in owners if owner]
            if wanted and not {folded(owner) for owner in wanted} & present:
                text = f"{entry.shown} needs {' or '.join(wanted)} in {' or '.join(self.owners)}"
                yield self.unchecked(text) if None in cards else self.breaks(text)


def outside(entries: list[Entry], fact: str, allowed: tuple[str, ...]) -> list[Entry]:
    """The entries whose known values are all others."""
    inside = set(map(folded, allowed))
    known = known_facts(entries, fact)
    return [entry for entry, held in known if inside.isdisjoint(map(folded, held))]

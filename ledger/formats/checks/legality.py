"""Checks of what is legal at all: banned cards, clans, cards that start in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ledger.formats.cards import Card, folded
from ledger.formats.case import Case, Entry, Finding, copies, matches, named
from ledger.formats.checks.base import Bound, Check, FactName, OfSections, SectionName
from ledger.formats.versions import split_level
from ledger.rulesets.words import Line, Part, nearest


class BannedCard(Part, frozen=True):
    """A title and the type that is meant; other cards of the title are not banned."""

    name: Line
    type: Line


class Banned(Check, frozen=True, kw_only=True):
    """None of these cards is in the list, in whatever section."""

    cards: tuple[BannedCard, ...]

    def facts(self) -> tuple[str, ...]:
        return ("type",)

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare title and type."""
        banned: dict[str, list[str]] = {}
        for card in self.cards:
            banned.setdefault(folded(card.name), []).append(card.type)
        for entry in case.entries:
            if types := tuple(banned.get(entry.title, ())):
                yield from self._titled(entry, types)

    def _titled(self, entry: Entry, types: tuple[str, ...]) -> Iterator[Finding]:
        """Say what a card of a title on the list is; one of another type is for people to see."""
        verdict, kinds = matches(entry.card, {"type": types}), " or ".join(types)
        if verdict:
            yield self.breaks(f"{entry.shown} ({kinds}) may not be played")
            return
        known = ", ".join(entry.values("type") or ()) if verdict is False else ""
        why = f"the card file has it as {known}" if known else "type not known"
        yield self.unchecked(f"{entry.shown} may not be played if it is the {kinds}: {why}")


class Clans(OfSections, frozen=True, kw_only=True):
    """The stronghold is of a clan that can be played.

    `under`: clans that are some only with these strongholds. `closed`: clans without a legal
    stronghold. `keywords`: what makes a personality of a clan. `never`: clans that no
    personality is of.
    """

    section: SectionName
    fact: FactName
    personality: Line
    legal: tuple[Line, ...]
    under: Mapping[Line, tuple[Line, ...]]
    closed: tuple[Line, ...]
    keywords: Mapping[Line, Line]
    never: tuple[Line, ...]

    def facts(self) -> tuple[str, ...]:
        return (self.fact, "type", "keywords")

    def findings(self, case: Case) -> Iterator[Finding]:
        """Look at the strongholds, then at personalities of clans that none is of."""
        strongholds = case.within((self.section,))
        if not strongholds:
            yield self.unchecked(f"no {self.section} is listed")
        yield from self.lacking(self.fact, strongholds)
        for entry in strongholds:
            for clan in entry.values(self.fact) or ():
                yield from self._stronghold(entry, self.clan(clan))
        for entry in self._personalities(case):
            held = entry.values(self.fact) or ()
            for clan in {folded(value) for value in held} & {folded(v) for v in self.never}:
                shown = next(value for value in held if folded(value) == clan)
                text = f"the card file makes {entry.shown} {shown}"
                yield self.unchecked(f"{text}, which no personality is")

    def _stronghold(self, entry: Entry, clan: str) -> Iterator[Finding]:
        under = {folded(name): strongholds for name, strongholds in self.under.items()}
        shown = f"{entry.shown} ({clan})"
        if folded(clan) in {folded(each) for each in self.closed}:
            yield self.breaks(f"{shown}: this clan has no legal stronghold")
        elif folded(clan) in under:
            allowed = under[folded(clan)]
            if split_level(entry.shown) not in [split_level(each) for each in allowed]:
                yield self.breaks(f"{shown}: a clan only under {' or '.join(allowed)}")
        elif folded(clan) not in {folded(each) for each in self.legal}:
            close = nearest(clan, (*self.legal, *self.under))
            hint = f"; {close}" if close.startswith("did") else ""
            yield self.breaks(f"{shown}: no clan of this format{hint}")

    def clan(self, written: str) -> str:
        """The clan that a card file names, perhaps by its short name: Crab is Crab Clan."""
        wanted = {folded(written), f"{folded(written)} clan"}
        known = (*self.legal, *self.closed, *self.under)
        return next((clan for clan in known if folded(clan) in wanted), written)

    def _personalities(self, case: Case) -> list[Entry]:
        return case.sorted_out(self.sections, {"type": (self.personality,)})[0]

    def alignments(self, card: Card, strongholds: list[Card]) -> tuple[str, ...]:
        """The clans that a personality is of beside these strongholds; none: unaligned."""
        clans = map(self.clan, card.values(self.fact) or ())
        words = set(map(folded, (*clans, *card.words("keywords"))))
        by_keyword = {clan for word, clan in self.keywords.items() if folded(word) in words}
        in_play = {split_level(each.full_name) for each in strongholds}
        under = self.under.items()
        standing = [clan for clan, names in under if in_play & set(map(split_level, names))]
        playable = (*self.legal, *self.closed, *standing)
        return tuple(
            clan
            for clan in playable
            if clan not in self.never and (clan in by_keyword or folded(clan) in words)
        )

    def derived(self, case: Case) -> Iterator[str]:
        """Yield how many personalities each clan has."""
        strongholds = [each.card for each in case.within((self.section,)) if each.card]
        for entry in case.entries:
            for short in entry.values(self.fact) or ():
                if folded(clan := self.clan(short)) != folded(short):
                    yield f"{entry.shown}: {short} is taken for {clan} ({self.clause})"
        counts: Counter[str] = Counter()
        for entry in self._personalities(case):
            clans = self.alignments(entry.card, strongholds) if entry.card else ()
            for clan in clans or ("unaligned",):
                counts[clan] += entry.count
        for clan, count in sorted(counts.items()):
            yield f"personalities, {clan}: {count} ({self.clause})"


class Choice(Part, frozen=True):
    """One card that may start in play: any version of a title, or what matches."""

    what: Line
    titles: tuple[Line, ...] = ()
    where: Mapping[FactName, tuple[Line, ...]] = {}


class Starting(Check, frozen=True, kw_only=True):
    """A section holds a limited number of cards, each another of the choices."""

    section: SectionName
    choices: tuple[Choice, ...]
    most: Bound

    def findings(self, case: Case) -> Iterator[Finding]:
        """Find the choice that each card is."""
        entries = case.within((self.section,))
        if copies(entries) > self.most:
            yield self.breaks(f"{copies(entries)} cards start in play: at most {self.most} allowed")
        for choice in self.choices:
            chosen = [entry for entry in entries if _chosen(choice, entry)]
            if copies(chosen) > 1:
                yield self.breaks(f"{named(chosen)}: one {choice.what} at most starts in play")
        for entry in entries:
            verdicts = [_chosen(choice, entry) for choice in self.choices]
            if not any(verdicts):
                allowed = " or ".join(choice.what for choice in self.choices)
                text = f"{entry.shown} starts in play: {allowed} may"
                open_ = None in verdicts
                yield self.unchecked(f"{text}, facts missing") if open_ else self.breaks(text)


def _chosen(choice: Choice, entry: Entry) -> bool | None:
    if entry.title in {folded(title) for title in choice.titles}:
        return True
    return matches(entry.card, choice.where) if choice.where else False

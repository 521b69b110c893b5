"""Checks of legal cards: clans, starting cards, titles that count as one card, and dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import TYPE_CHECKING

from ledger import rulesets
from ledger.facts.base import Tier
from ledger.formats.cards import VERSION, Card, CardFile, folded
from ledger.formats.case import (
    Bound,
    Case,
    Check,
    Entry,
    FactName,
    Finding,
    OfSections,
    SectionName,
    copies,
    in_words,
    matches,
    named,
    without_fact,
)
from ledger.formats.naming import (
    Distinct,
    Identities,
    Lines,
    Node,
    level_of,
    referred,
    split_level,
)
from ledger.problems import One, Phrase, phrase
from ledger.rulesets.toml_files import Clause, Key, Line, Part, either, nearest

if TYPE_CHECKING:
    from ledger.rulesets.floor import Scenario


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
        verdict, kinds = matches(entry.card, {"type": types}), either(types)
        if verdict:
            yield self.breaks(
                phrase("{card} ({kinds}) may not be played", card=entry.shown, kinds=kinds)
            )
            return
        known = entry.values("type") if verdict is False else ()
        why = phrase("the card file has it as {kinds}", kinds=known or ())
        text = phrase(
            "{card} may not be played if it is the {kinds}: {why}",
            card=entry.shown,
            kinds=kinds,
            why=why if known else phrase("type not known"),
        )
        yield self.unchecked(text)


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
            yield self.unchecked(phrase("no {section} is listed", section=self.section))
        yield from self.lacking(self.fact, strongholds)
        for entry in strongholds:
            for clan in entry.values(self.fact) or ():
                yield from self._stronghold(entry, self.clan(clan))
        for entry in self._personalities(case):
            held = entry.values(self.fact) or ()
            for clan in {folded(value) for value in held} & {folded(v) for v in self.never}:
                shown = next(value for value in held if folded(value) == clan)
                text = phrase(
                    "the card file makes {card} {clan}, which no personality is",
                    card=entry.shown,
                    clan=shown,
                )
                yield self.unchecked(text)

    def _stronghold(self, entry: Entry, clan: str) -> Iterator[Finding]:
        under = {folded(name): strongholds for name, strongholds in self.under.items()}
        shown = f"{entry.shown} ({clan})"
        if folded(clan) in {folded(each) for each in self.closed}:
            yield self.breaks(phrase("{card}: this clan has no legal stronghold", card=shown))
        elif folded(clan) in under:
            allowed = under[folded(clan)]
            if split_level(entry.shown) not in [split_level(each) for each in allowed]:
                text = phrase(
                    "{card}: a clan only under {strongholds}",
                    card=shown,
                    strongholds=either(allowed),
                )
                yield self.breaks(text)
        elif folded(clan) not in {folded(each) for each in self.legal}:
            close = nearest(clan, (*self.legal, *self.under))
            text = phrase("{card}: no clan of this format", card=shown)
            if str(close).startswith("did"):
                text = phrase("{card}: no clan of this format; {known}", card=shown, known=close)
            yield self.breaks(text)

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

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield how many personalities each clan has."""
        strongholds = [each.card for each in case.within((self.section,)) if each.card]
        for entry in case.entries:
            for short in entry.values(self.fact) or ():
                if folded(clan := self.clan(short)) != folded(short):
                    yield phrase(
                        "{card}: {written} is taken for {clan} ({clause})",
                        card=entry.shown,
                        written=short,
                        clan=clan,
                        clause=self.clause,
                    )
        counts: Counter[str] = Counter()
        for entry in self._personalities(case):
            clans = self.alignments(entry.card, strongholds) if entry.card else ()
            for clan in clans or ("unaligned",):
                counts[clan] += entry.count
        for clan, count in sorted(counts.items()):
            shown = clan if clan != "unaligned" else phrase("unaligned")
            yield phrase(
                "personalities, {clan}: {count} ({clause})",
                clan=shown,
                count=count,
                clause=self.clause,
            )


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
            text = phrase(
                "{count} cards start in play: at most {most} allowed",
                count=copies(entries),
                most=self.most,
            )
            yield self.breaks(text)
        for choice in self.choices:
            chosen = [entry for entry in entries if _chosen(choice, entry)]
            if copies(chosen) > 1:
                text = phrase(
                    "{cards}: one {what} at most starts in play",
                    cards=named(chosen),
                    what=Phrase(choice.what),
                )
                yield self.breaks(text)
        for entry in entries:
            verdicts = [_chosen(choice, entry) for choice in self.choices]
            if not any(verdicts):
                yield self._not_allowed(entry, is_open=None in verdicts)

    def _not_allowed(self, entry: Entry, *, is_open: bool) -> Finding:
        allowed = either([choice.what for choice in self.choices])
        if is_open:
            return self.unchecked(
                phrase(
                    "{card} starts in play: {allowed} may, facts missing",
                    card=entry.shown,
                    allowed=allowed,
                )
            )
        return self.breaks(
            phrase("{card} starts in play: {allowed} may", card=entry.shown, allowed=allowed)
        )


def _chosen(choice: Choice, entry: Entry) -> bool | None:
    if entry.title in {folded(title) for title in choice.titles}:
        return True
    return matches(entry.card, choice.where) if choice.where else False


READ = ("type", "experience", "unique", "keywords", "souls", "counts_as", "alternate", "set")


class Same(OfSections, frozen=True, kw_only=True):
    """The sections hold few cards that count as one, and fewer unique ones.

    Joined are: the `groups` (full names; without a level the card that is not experienced), a
    card and those it counts as, the souls in its keywords at its own level, and cards that share
    a title through an experience line. `distinct` lists the titles of several cards; cards of
    different types are always different.
    """

    most: Bound
    unique_most: Bound
    group_type: Line
    groups: tuple[tuple[Line, ...], ...]
    distinct: tuple[Distinct, ...]
    distinct_clause: Clause
    experience_clause: Clause

    def facts(self) -> tuple[str, ...]:
        return READ

    def problems(self) -> Iterator[Phrase]:
        lines = Lines(self.distinct)
        for group in self.groups:
            unclear = [name for name in group if not list(referred(lines, name, ""))]
            if len(group) < 2 or unclear:  # noqa: PLR2004 - one card is no group
                yield phrase("the group {names} needs two clear names", names=group)

    def card_problems(self, cards: CardFile) -> Iterator[Phrase]:
        """Refuse cards that count as each other in a ring."""
        lines = Lines(self.distinct)
        links: dict[Node, Node] = {}
        names: dict[Node, str] = {}
        for card in cards.cards:
            own, name = lines.of(card), card.text("counts_as")
            if own is not None and name:
                kind = card.text("type")
                node = Node(*own, folded(kind), level_of(card.text(VERSION)))
                names[node] = f"{card.full_name} ({card.place})"
                for counted_as in referred(lines, name, kind):
                    links[node] = counted_as
        sorter = TopologicalSorter[Node](dict.fromkeys(links, ()))
        for node, counted_as in links.items():
            sorter.add(counted_as, node)
        try:
            sorter.prepare()
        except CycleError as error:
            ring: One = names[error.args[1][0]]
            for node in error.args[1][1:]:
                ring = phrase("{one} counts as {other}", one=ring, other=names[node])
            yield phrase(
                "`counts_as` forms a cycle: {ring} ({clause})", ring=ring, clause=self.clause
            )

    def findings(self, case: Case) -> Iterator[Finding]:
        """Count what is joined."""
        missing = [in_words(fact) for fact in READ if fact not in case.cards.facts]
        if missing:
            yield self.unchecked(
                phrase("the card file has no column {columns}", columns=tuple(missing))
            )
        known = Identities(Lines(self.distinct), case.cards.cards)
        self._join(known)
        counted: dict[Node, list[Entry]] = {}
        for entry in case.within(self.sections):
            nodes = known.nodes(entry.card) if entry.card else []
            if nodes:
                counted.setdefault(known.root(nodes[0]), []).append(entry)
            else:
                text = phrase(
                    "which of several cards of its title {card} is, is not known",
                    card=entry.shown,
                )
                yield self.unchecked(text, self.distinct_clause)
        for entries in counted.values():
            yield from self._counted(known, entries)

    def _join(self, known: Identities) -> None:
        for group in self.groups:
            clear = (referred(known.lines, name, self.group_type) for name in group)
            known.join(chain.from_iterable(clear))
        for card in known.cards:
            kind, level = card.text("type"), level_of(card.text(VERSION))
            nodes = known.nodes(card)
            nodes += referred(known.lines, card.text("counts_as"), kind)
            for name in card.words("souls"):
                nodes += referred(known.lines, name, kind, level)
            if len(nodes) > 1:
                known.join(nodes)

    def _counted(self, known: Identities, entries: list[Entry]) -> Iterator[Finding]:
        titles = {title for each in entries if each.card for title in known.titles(each.card)[:1]}
        shared = len(titles) > 1 and any(
            len(known.titles(each.card)) > 1 for each in entries if each.card
        )
        clause = self.experience_clause if shared else self.clause
        count = copies(entries)
        if count > self.most:
            text = phrase(
                "{count} of {cards}, which count as one card: at most {most} allowed",
                count=count,
                cards=named(entries),
                most=self.most,
            )
            yield self.breaks(text, clause)
        unique = copies(each for each in entries if each.values("unique") == ("yes",))
        open_ = copies(without_fact(entries, "unique"))
        if unique > self.unique_most:
            text = phrase(
                "{count} unique cards of {cards}: at most {most} allowed",
                count=unique,
                cards=named(entries),
                most=self.unique_most,
            )
            yield self.breaks(text, clause)
        elif open_ and unique + open_ > self.unique_most:
            yield self.unchecked(
                phrase("whether {cards} is unique is not known", cards=named(entries))
            )


class Released(Check, frozen=True, kw_only=True):
    """A product is legal some days after its release, by tier.

    `release` is the official date; `legal` a first day that the organizer sets instead, as
    outside North America.
    """

    release: FactName
    legal: FactName
    days: Mapping[Tier, int]

    def problems(self) -> Iterator[Phrase]:
        if set(self.days) != {"relaxed", "formal", "premier"}:
            yield phrase("give a day for each of relaxed, formal and premier")

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare each card's first legal day with the event's."""
        if not case.date:
            yield self.unchecked(phrase("the day of the tournament is not given"))
            return
        unknown: list[Entry] = []
        for entry in filter(lambda each: each.is_card, case.entries):
            first = self._first(case, entry)
            if first is None:
                unknown.append(entry)
            elif first > case.date:
                text = phrase(
                    "{card} is legal from {first} in the {tier} tier, after {day}",
                    card=entry.shown,
                    first=first,
                    tier=case.tier,
                    day=case.date,
                )
                yield self.breaks(text)
        if unknown:
            facts = in_words(self.release)
            yield self.unchecked(
                phrase("{facts} not known for {cards}", facts=facts, cards=named(unknown))
            )

    def _first(self, case: Case, entry: Entry) -> str | None:
        if entry.card is None:
            return None
        release = entry.card.text(self.release)
        if (own := entry.card.text(self.legal)) or not release:
            return own or None
        return (date.fromisoformat(release) + timedelta(days=self.days[case.tier])).isoformat()


class InSeason(Check, frozen=True, kw_only=True):
    """The cards of the season's sections are legal on the day, where the tier asks for it.

    The seasons are those of the event's ruleset, which draws the scenarios from them; of the
    shipped ruleset `seasons_of` where it has none or there is no event.
    """

    tiers: tuple[Tier, ...]
    seasons_of: Key
    deployments: SectionName
    objectives: SectionName

    def problems(self) -> Iterator[Phrase]:
        if self.seasons_of not in rulesets.names():
            hint = nearest(self.seasons_of, rulesets.names())
            yield phrase(
                "there is no ruleset {named}; {known}", named=repr(self.seasons_of), known=hint
            )
        elif self._scenario() is None:
            yield phrase("the ruleset {named} has no seasons", named=self.seasons_of)

    def _scenario(self) -> Scenario | None:
        return rulesets.load(self.seasons_of).ruleset.floor.scenario

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is out of season."""
        held = case.within((self.deployments, self.objectives))
        scenario = case.scenario or self._scenario()
        if not held or case.tier not in self.tiers or scenario is None:
            return
        if not case.date:
            yield self.unchecked(
                phrase("the day of the tournament is not given, for {cards}", cards=named(held))
            )
            return
        season = scenario.season(case.date)
        if season is None:
            first = scenario.seasons[0].since
            text = phrase(
                "{day} is in no season: the first begins on {first}", day=case.date, first=first
            )
            yield self.breaks(text)
            return
        legal = {self.deployments: season.deployments, self.objectives: season.objectives}
        for entry in held:
            names = legal[entry.section]
            if entry.title not in map(folded, names):
                text = phrase(
                    "{card} in {section} is out of season on {day}: {names} are legal",
                    card=entry.shown,
                    section=entry.section,
                    day=case.date,
                    names=tuple(names),
                )
                yield self.breaks(text)


def day_problem(text: str) -> Phrase | None:
    """Say what is wrong with a date; None where nothing is."""
    try:
        if date.fromisoformat(text).isoformat() == text and date.fromisoformat(text).year < 9999:  # noqa: PLR2004 - days are added to it
            return None
    except ValueError:
        pass
    return phrase("{written} is not a day such as 2018-07-23", written=repr(text))

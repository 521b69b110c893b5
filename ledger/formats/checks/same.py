"""Different titles that count as one card, and one title that is several."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from ledger.formats.cards import VERSION, CardFile, folded
from ledger.formats.case import Case, Entry, Finding, copies, named, without_fact
from ledger.formats.checks.base import Bound, OfSections, in_words
from ledger.formats.versions import Distinct, Identities, Lines, Node, level_of, referred
from ledger.rulesets.words import Clause, Line

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

    def problems(self) -> Iterator[str]:
        lines = Lines(self.distinct)
        for group in self.groups:
            unclear = [name for name in group if not list(referred(lines, name, ""))]
            if len(group) < 2 or unclear:  # noqa: PLR2004 - one card is no group
                yield f"the group {', '.join(group)} needs two clear names"

    def card_problems(self, cards: CardFile) -> Iterator[str]:
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
            ring = " counts as ".join(names[node] for node in error.args[1])
            yield f"`counts_as` goes round in a ring: {ring} ({self.clause})"

    def findings(self, case: Case) -> Iterator[Finding]:
        """Count what is joined."""
        missing = [in_words(fact) for fact in READ if fact not in case.cards.facts]
        if missing:
            yield self.unchecked(f"the card file has no column {', '.join(missing)}")
        known = Identities(Lines(self.distinct), case.cards.cards)
        self._join(known)
        counted: dict[Node, list[Entry]] = {}
        for entry in case.within(self.sections):
            nodes = known.nodes(entry.card) if entry.card else []
            if nodes:
                counted.setdefault(known.root(nodes[0]), []).append(entry)
            else:
                text = f"which of several cards of its title {entry.shown} is, is not known"
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
        what = f"{count} of {named(entries)}"
        if count > self.most:
            text = f"{what}, which count as one card: at most {self.most} allowed"
            yield self.breaks(text, clause)
        unique = copies(each for each in entries if each.values("unique") == ("yes",))
        open_ = copies(without_fact(entries, "unique"))
        if unique > self.unique_most:
            text = f"{unique} unique cards of {named(entries)}: at most {self.unique_most} allowed"
            yield self.breaks(text, clause)
        elif open_ and unique + open_ > self.unique_most:
            yield self.unchecked(f"whether {named(entries)} is unique is not known")

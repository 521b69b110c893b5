"""Propose which entries of a season are one person, with a confidence and the evidence.

Only equal ids of one kind join without a person's decision. Everything else is a proposal: a link
between two groups whose confidence is the probability that they are one person.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple
from zlib import crc32

from projections.season.matching.groups import Group, NamedEntry, Sets, days_between, follow
from projections.season.matching.names import SHORT_MIN, Likeness, Name, likeness, read_name
from projections.season.matching.weights import (
    OTHER_IDS,
    OddsScale,
    ReadEntry,
    Weights,
    fitted,
    gap_class,
    habits_ratio,
)

SURE = 0.9999
"""Confidence of a group whose ids of one kind are equal."""

DOUBTED = 0.5
"""Confidence of equal ids where other facts contradict."""

TIERS = (0.99, 0.9, 0.5, 0.2, 0.05)
"""Confidences, from the highest, at which the links so far become proposals."""

HIDDEN_MIN = 50
"""Minimum entries whose ids are hidden to compare the confidence with them."""

JUDGED_MAX = 30_000
"""Maximum entries that are matched for this comparison."""

JUDGED_FROM = 0.1
"""Least confidence of the links by which the confidence is compared with equal ids."""

CONTRADICTION = 0.02
"""Factor of the odds if two names of the joined groups contradict each other."""

HABITS_MIN = 3
"""Least entries of both groups for their regions and games to be compared as habits."""

BOTH_NAMES = 20.0
"""Factor by which chance explains a changed family name better if both names are in use."""

PAIRS_MAX = 64
"""Maximum pairs of groups that are compared for two names; beyond, only those of one region."""

HEAP_MAX = 40
"""Maximum names that a search by the given name compares with each other."""

FORMS_MAX = 6
"""Maximum names of a group that are compared when two groups join."""


class Ground(NamedTuple):
    """One reason for or against, as data: its kind, what it is about, and its weight in bits."""

    kind: str
    words: tuple[str, ...] = ()
    number: float = 0.0


class LikelyPair(NamedTuple):
    """Two groups that are probably one person, and the reasons."""

    confidence: float
    one: int
    other: int
    how: Likeness | None
    odds: float


class Proposal(NamedTuple):
    """Groups of entries, by their places, that are one person with a confidence.

    `link` is the weakest that joins them; equal ids have none, and `kinds` instead.
    """

    groups: tuple[tuple[int, ...], ...]
    confidence: float
    link: LikelyPair | None = None
    kinds: tuple[str, ...] = ()


class Matching:
    """The entries of a season, the groups that equal ids make of them, and the season's weights."""

    def __init__(
        self, entries: Sequence[NamedEntry], apart: Collection[frozenset[str]] = frozenset()
    ) -> None:
        """Read all names and join what has equal ids.

        `apart` has the pairs of persons that were decided to be two: such a pair is never joined.
        """
        self.entries = entries
        self.apart = defaultdict(set)
        for one, other in (sorted(pair) for pair in apart if len(pair) > 1):
            self.apart[one].add(other)
            self.apart[other].add(one)
        names: dict[str, Name] = {}
        for entry in entries:
            if entry.name not in names:
                names[entry.name] = read_name(entry.name)
        self.seen = [
            ReadEntry(each.tournament, names[each.name], each.game, each.region, each.day)
            for each in entries
        ]
        self.doubts: list[tuple[int, int, Ground]] = []
        self.by_ids: list[Proposal] = []
        self.groups = self._join_ids(_by_person(entries))
        self.weights = Weights(self.seen, _id_groups(entries))
        self._several = self._namesakes_known()
        self.sizes = Counter((each.name.whole, each.region) for each in self.seen)
        self.scale = OddsScale()
        self.scale = fitted(self._judged(), _share_with_ids(entries))

    def _judged(self) -> list[tuple[float, bool]]:
        """Hide the ids of every second event, match, and judge each link by the hidden ids."""
        groups, by_ids, doubts, entries = self.groups, self.by_ids, self.doubts, self.entries
        self.entries = [
            entry._replace(ids=()) if entry.ids and crc32(entry.tournament.encode()) % 2 else entry
            for entry in entries
        ]
        seen, self.by_ids, self.doubts = self.seen, [], []
        places = _some(seen)
        self.entries = [self.entries[at] for at in places]
        self.seen = [seen[at] for at in places]
        judged: list[tuple[float, bool]] = []
        hidden = sum(entries[at].ids != self.entries[new].ids for new, at in enumerate(places))
        if hidden >= HIDDEN_MIN:
            self.groups = self._join_ids([[at] for at in range(len(places))])
            taken: list[LikelyPair] = []
            self.proposals([JUDGED_FROM], taken=taken)
            for link in taken:
                one, other = (
                    {each for at in self.groups[side].entries for each in entries[places[at]].ids}
                    for side in (link.one, link.other)
                )
                if {kind for kind, _ in one} & {kind for kind, _ in other}:
                    judged.append((link.odds, not one.isdisjoint(other)))
        self.groups, self.by_ids, self.doubts, self.entries = groups, by_ids, doubts, entries
        self.seen = seen
        return judged

    def _group(self, places: list[int]) -> Group:
        group = Group(places)
        for at in places:
            entry, name = self.entries[at], self.seen[at].name
            group.names[name.whole] = name
            group.regions.add(entry.region)
            group.games.add(entry.game)
            if entry.day:
                group.days.append(entry.day)
            group.events.add(entry.tournament)
            if entry.person:
                group.persons.add(entry.person)
            for kind, digest in entry.ids:
                group.ids.setdefault(kind, set()).add(digest)
        group.days.sort()
        return group

    def _join_ids(self, persons: list[list[int]]) -> list[Group]:
        """Join groups with an equal id, unless an event, a decision or another id contradicts."""
        sets = Sets([self._group(list(places)) for places in persons])
        owners: dict[tuple[str, str], int] = {}
        why: defaultdict[int, set[str]] = defaultdict(set)
        for at in range(len(persons)):
            for kind, digests in sorted(sets.groups[at].ids.items()):
                for digest in sorted(digests):
                    owner = sets.find(owners.setdefault((kind, digest), at))
                    mine = sets.find(at)
                    if owner == mine:
                        continue
                    doubt = self._doubt(sets.groups[owner], sets.groups[mine])
                    if doubt is None:
                        why[sets.join(owner, mine)] |= {kind, *why[owner], *why[mine]}
                    else:
                        self.doubts.append((owner, mine, Ground("same id", (kind, doubt))))
        numbers = sorted({sets.find(at) for at in range(len(persons))})
        places = {number: at for at, number in enumerate(numbers)}
        self.doubts = [
            (places[sets.find(one)], places[sets.find(other)], evidence)
            for one, other, evidence in self.doubts
        ]
        for number, members in sets.members.items():
            groups = tuple(tuple(persons[at]) for at in sorted(members))
            self.by_ids.append(Proposal(groups, SURE, None, tuple(sorted(why[number]))))
        return [sets.groups[number] for number in numbers]

    def _doubt(self, one: Group, other: Group) -> str | None:
        if one.shares_event(other):
            return "one event"
        if self._is_decided(one, other):
            return "decided"
        return "other ids" if one.has_other_ids(other) else None

    def _is_decided(self, one: Group, other: Group) -> bool:
        return any(
            not self.apart[person].isdisjoint(other.persons)
            for person in one.persons
            if person in self.apart
        )

    def _namesakes_known(self) -> dict[tuple[str, str], int]:
        """Count the persons of one name in a region who are two for certain."""
        events: Counter[tuple[str, str, str]] = Counter()
        digests: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
        for seen, entry in zip(self.seen, self.entries, strict=True):
            events[seen.name.whole, seen.region, entry.tournament] += 1
            for kind, digest in entry.ids:
                digests[seen.name.whole, seen.region, kind].add(digest)
        known: dict[tuple[str, str], int] = {}
        counts = [(key, count) for key, count in events.items() if count > 1]
        counts += [(key, len(found)) for key, found in digests.items() if len(found) > 1]
        for (name, region, _), count in counts:
            known[name, region] = max(known.get((name, region), 1), count)
        return known

    def links(self, at_least: float) -> Iterator[LikelyPair]:
        """Compare groups whose names are alike, and yield those that may be one person."""
        for one, other in self._pairs():
            link = self.compare(one, other)
            if link and link.confidence >= at_least:
                yield link

    def compare(self, one: int, other: int) -> LikelyPair | None:
        """Return the link of two groups, or None if they cannot be one person."""
        first, second = self.groups[one], self.groups[other]
        if first.shares_event(second) or (self.apart and self._is_decided(first, second)):
            return None
        best = self._best_names(first, second)
        if best is None:
            return None
        how, region, chance, names = best
        weights = self.weights
        chance *= weights.inflation
        if how == "changed" and not (
            first.days and second.days and follow(first.days, second.days)
        ):
            chance *= BOTH_NAMES
        if how == "exact":
            here = weights.persons * weights.shares.of_region(region)
            chance = max(chance, (self._several.get((names[0].whole, region), 1) - 1) / here)
        odds = weights.likeness[how] / (weights.persons * min(1.0, chance))
        odds *= weights.of_region(first.regions, second.regions)
        odds *= weights.of_game(first.games, second.games)
        odds *= self._time_weight(first, second)
        odds *= self._size_weight(first, second, names)
        if first.has_other_ids(second):
            odds *= OTHER_IDS
        return self._link(one, other, how, odds)

    def _link(self, one: int, other: int, how: Likeness | None, odds: float) -> LikelyPair:
        scaled = self.scale.odds(odds)
        return LikelyPair(scaled / (1 + scaled), one, other, how, odds)

    def _best_names(
        self, first: Group, second: Group
    ) -> tuple[Likeness, str, float, tuple[Name, Name]] | None:
        """Return the two names of two groups that agree by the smallest chance."""
        shares = self.weights.shares
        regions = (first.regions & second.regions) or (first.regions | second.regions)
        best = None
        for one in list(first.names.values())[:FORMS_MAX]:
            for other in list(second.names.values())[:FORMS_MAX]:
                how = likeness(one, other, shares.near)
                if how is None:
                    continue
                chance, region = max(
                    [(shares.chance(how, one, other, region), region) for region in regions]
                )
                rate = self.weights.likeness[how] / max(chance, 1e-12)
                if best is None or rate > best[0]:
                    best = rate, (how, region, chance, (one, other))
        return best and best[1]

    def _time_weight(self, first: Group, second: Group) -> float:
        days = days_between(first.days, second.days)
        if days is None:
            return 1.0
        elsewhere = first.regions.isdisjoint(second.regions)
        return self.weights.gaps[gap_class(days, elsewhere=elsewhere)]

    def _size_weight(self, first: Group, second: Group, names: tuple[Name, Name]) -> float:
        """Return what the numbers of entries say: a name that returns often is one who returns."""
        one, other = (
            max(len(group.entries), *(self.sizes[name.whole, region] for region in group.regions))
            for group, name in zip((first, second), names, strict=True)
        )
        if names[0].whole == names[1].whole and not first.regions.isdisjoint(second.regions):
            one, other = 1, max(1, max(one, other) - 1)
        return self.weights.of_size(one, other)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of groups that are compared: those found by an equal part of the name."""
        forms: defaultdict[str, list[int]] = defaultdict(list)
        names: dict[str, Name] = {}
        for at, group in enumerate(self.groups):
            names |= group.names
            for whole in group.names:
                forms[whole].append(at)
        for places in forms.values():
            yield from self._pairs_of_one_name(places)
        for one, other in _alike(names, self.weights.shares.near):
            yield from self._pairs_of_two_names(forms[one], forms[other])
        yield from self._pairs_of_given_names()

    def _pairs_of_given_names(self) -> Iterator[tuple[int, int]]:
        """Pair groups of one given name, game and region, whose family name may have changed."""
        heaps: defaultdict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
        for at, group in enumerate(self.groups):
            for whole, name in group.names.items():
                if len(name.given) > 1:
                    heaps[name.given, min(group.regions), min(group.games)].setdefault(whole, at)
        for heap in heaps.values():
            if 1 < len(heap) <= HEAP_MAX:
                yield from combinations(sorted(set(heap.values())), 2)

    def _pairs_of_one_name(self, places: list[int]) -> Iterator[tuple[int, int]]:
        """Pair groups of one name with the next in time of one game and region, and with others."""
        streams: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for at in places:
            group = self.groups[at]
            streams[min(group.regions), min(group.games)].append(at)
        heads = []
        for stream in streams.values():
            stream.sort(key=lambda at: (self.groups[at].days[:1], at))
            yield from pairwise(stream)
            yield from zip(stream, stream[2:], strict=False)
            heads.append(max(stream, key=lambda at: len(self.groups[at].entries)))
        if len(heads) * len(heads) <= 4 * PAIRS_MAX:
            yield from combinations(heads, 2)
        else:
            yield from pairwise(sorted(heads, key=lambda at: sorted(self.groups[at].regions)))
            yield from pairwise(sorted(heads, key=lambda at: sorted(self.groups[at].games)))

    def _pairs_of_two_names(self, first: list[int], second: list[int]) -> Iterator[tuple[int, int]]:
        if len(first) * len(second) <= PAIRS_MAX:
            yield from ((one, other) for one in first for other in second if one != other)
            return
        here: defaultdict[str, list[int]] = defaultdict(list)
        for at in second:
            for region in self.groups[at].regions:
                here[region].append(at)
        for one in first:
            days = self.groups[one].days
            near = [
                at
                for region in sorted(self.groups[one].regions)
                for at in here[region]
                if at != one
            ]
            near.sort(key=lambda at: days_between(days, self.groups[at].days) or 0)
            yield from ((one, other) for other in near[:4])

    def proposals(
        self,
        tiers: Sequence[float] = TIERS,
        taken: list[LikelyPair] | None = None,
    ) -> list[Proposal]:
        """Return the groups at each tier: links join the groups of the tier before."""
        sets = Sets([group.copy() for group in self.groups])
        heap = [(-link.confidence, link, False) for link in self.links(tiers[-1])]
        heap += [
            (-DOUBTED, LikelyPair(DOUBTED, one, other, None, 1.0), True)
            for one, other, _ in self.doubts
        ]
        heapq.heapify(heap)
        made: list[Proposal] = []
        for tier in tiers:
            before: dict[int, tuple[int, ...]] = {}
            used: list[LikelyPair] = []
            while heap and -heap[0][0] >= tier:
                *_, link, checked = heapq.heappop(heap)
                first, second = sets.find(link.one), sets.find(link.other)
                if first == second or self._forbids(sets, first, second):
                    continue
                left = 1.0 if checked else self._left(link, sets.groups[first], sets.groups[second])
                if left < 1:
                    again = self._link(link.one, link.other, link.how, link.odds * left)
                    heapq.heappush(heap, (-again.confidence, again, True))
                    continue
                for number in (first, second):
                    before.setdefault(number, tuple(sets.groups[number].entries))
                sets.join(first, second)
                used.append(link)
                if taken is not None:
                    taken.append(link)
            made += self._tier(sets, before, used)
        return made

    def _forbids(self, sets: Sets, one: int, other: int) -> bool:
        first, second = sets.groups[one], sets.groups[other]
        return first.shares_event(second) or bool(self.apart and self._is_decided(first, second))

    def _left(self, link: LikelyPair, first: Group, second: Group) -> float:
        """Return what is left of the odds of a link once both groups have grown."""
        left = 1.0
        if first.has_other_ids(second) and not self.groups[link.one].has_other_ids(
            self.groups[link.other]
        ):
            left *= OTHER_IDS
        if min(len(first.entries), len(second.entries)) >= HABITS_MIN:
            left *= self._habits_weight(first, second)
        near = self.weights.shares.near
        if any(
            likeness(one, other, near) is None
            for one in list(first.names.values())[:FORMS_MAX]
            for other in list(second.names.values())[:FORMS_MAX]
        ):
            left *= CONTRADICTION
        return left

    def _habits_weight(self, first: Group, second: Group) -> float:
        """Return how much less probable one person is because two have other regions and games."""
        log = 0.0
        for word, shares, same in (
            ("region", self.weights.shares.persons, self.weights.same_region),
            ("game", self.weights.games, self.weights.same_game),
        ):
            one, other = (
                Counter(filter(None, (getattr(self.seen[at], word) for at in group.entries)))
                for group in (first, second)
            )
            log += habits_ratio(one, other, shares, same)
        return max(CONTRADICTION, math.exp(min(0.0, log)))

    def _tier(
        self, sets: Sets, before: Mapping[int, tuple[int, ...]], used: Sequence[LikelyPair]
    ) -> list[Proposal]:
        """Return the proposals of one tier: what its links joined of the groups before."""
        parts: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        for number, entries in before.items():
            parts[sets.find(number)].append(entries)
        links: defaultdict[int, list[LikelyPair]] = defaultdict(list)
        for link in used:
            links[sets.find(link.one)].append(link)
        return [
            Proposal(
                tuple(sorted(groups)),
                min(link.confidence for link in links[number]),
                min(links[number], key=lambda link: link.confidence),
            )
            for number, groups in sorted(parts.items())
        ]

    def evidence(self, proposal: Proposal) -> Iterator[Ground]:
        """Yield the reasons of a proposal's weakest link, for and against."""
        if (link := proposal.link) is None:
            yield from (Ground("equal ids", (kind,)) for kind in proposal.kinds)
            return
        first, second = self.groups[link.one], self.groups[link.other]
        for one, other, evidence in self.doubts:
            if {one, other} == {link.one, link.other}:
                yield evidence
        best = self._best_names(first, second)
        if best is not None:
            how, region, chance, _ = best
            yield Ground(f"name {how}")
            others = chance * self.weights.inflation * self.weights.persons
            yield Ground("others", (region,), others * self.weights.shares.of_region(region))
        for kind, ones, others_ in (
            ("game", first.games, second.games),
            ("region", first.regions, second.regions),
        ):
            shared = sorted((ones & others_) - {""})
            if shared:
                yield Ground(f"same {kind}", tuple(shared))
            elif any(ones) and any(others_):
                yield Ground(f"other {kind}", (*sorted(ones), *sorted(others_)))
        days = days_between(first.days, second.days)
        if days is not None:
            yield Ground("days", (), days)
        if first.has_other_ids(second):
            yield Ground("other ids")


def told_apart(matching: Matching, proposal: Proposal) -> tuple[str, str]:
    """Return the two persons that are two if a proposal is refused: those of its weakest link."""
    if proposal.link is not None:
        one, other = (
            min(matching.groups[at].persons) for at in (proposal.link.one, proposal.link.other)
        )
    else:
        one, other = (matching.entries[group[0]].person for group in proposal.groups[:2])
    return one, other


def _by_person(entries: Sequence[NamedEntry]) -> list[list[int]]:
    """Return the places of entries by their person in the vault."""
    persons: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        persons.setdefault(entry.person or f"{entry.tournament}/{entry.player}", []).append(at)
    return list(persons.values())


def _id_groups(entries: Sequence[NamedEntry]) -> list[list[int]]:
    """Return the places of entries with an equal id, by day."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        for each in entry.ids:
            groups[each].append(at)
    return [
        sorted(places, key=lambda at: entries[at].day)
        for places in groups.values()
        if len(places) > 1
    ]


def _some(seen: Sequence[ReadEntry]) -> list[int]:
    """Return the places of all entries or, of many, of those whose names begin with some letters.

    One person's names mostly begin alike, so that the persons in this part are whole.
    """
    if len(seen) <= JUDGED_MAX:
        return list(range(len(seen)))
    heaps: defaultdict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(seen):
        heaps[min(entry.name.given[:1], entry.name.family[:1])].append(at)
    places: list[int] = []
    for letter in sorted(heaps, key=lambda each: crc32(each.encode())):
        if len(places) + len(heaps[letter]) <= JUDGED_MAX:
            places += heaps[letter]
    return sorted(places)


def _share_with_ids(entries: Sequence[NamedEntry]) -> float:
    """Return the share of entries with an id, in the events that show ids."""
    shown = {entry.tournament for entry in entries if entry.ids}
    here = [bool(entry.ids) for entry in entries if entry.tournament in shown]
    return (sum(here) + 1) / (len(here) + 1)


def _alike(
    names: Mapping[str, Name], near: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield each pair of different names that may be one person's, found by equal words."""
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    initials: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for whole, name in names.items():
        for key in _keys(name, near):
            by_words[key].append(whole)
        if len(name.given) == 1:
            initials[name.family, name.given].append(whole)
    met: set[tuple[str, str]] = set()
    for wholes in by_words.values():
        for one, other in combinations(sorted(wholes), 2):
            if (one, other) not in met:
                met.add((one, other))
                if likeness(names[one], names[other], near):
                    yield one, other
    for whole, name in names.items():
        if len(name.given) > 1:
            yield from ((whole, other) for other in initials.get((name.family, name.given[0]), ()))


def _keys(name: Name, near: Mapping[str, tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    """Return under which words a name is looked for."""
    given, family = name.given, name.family
    keys: list[tuple[str, ...]] = [("same", given, family), ("words", *name.words)]
    keys += [("near", given, *sorted((word, family))) for word in near.get(family, ())]
    keys += [("near", family, *sorted((word, given))) for word in near.get(given, ())]
    if given:
        keys += [("part", given, part) for part in (family, *name.parts, *name.middle)]
        if len(given) >= SHORT_MIN:
            keys.append(("short", family, given[:SHORT_MIN]))
    return dict.fromkeys(keys)

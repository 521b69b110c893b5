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
        for first, second in (sorted(pair) for pair in apart if len(pair) > 1):
            self.apart[first].add(second)
            self.apart[second].add(first)
        names: dict[str, Name] = {}
        for entry in entries:
            if entry.name not in names:
                names[entry.name] = read_name(entry.name)
        self.seen = [
            ReadEntry(entry.tournament, names[entry.name], entry.game, entry.region, entry.day)
            for entry in entries
        ]
        self.doubts: list[tuple[int, int, Ground]] = []
        self.by_ids: list[Proposal] = []
        self.groups = self._join_ids(_by_person(entries))
        self.weights = Weights(self.seen, _id_groups(entries))
        self._several = self._namesakes_known()
        self.sizes = Counter((entry.name.whole, entry.region) for entry in self.seen)
        self.scale = OddsScale()
        self.scale = fitted(self._judged(), _share_with_ids(entries))

    def _judged(self) -> list[tuple[float, bool]]:
        """Hide the ids of every second event, match, and judge each link by the hidden ids."""
        groups, by_ids, doubts, entries = self.groups, self.by_ids, self.doubts, self.entries
        self.entries = [
            entry._replace(ids=()) if entry.ids and crc32(entry.tournament.encode()) % 2 else entry
            for entry in entries
        ]
        read_entries, self.by_ids, self.doubts = self.seen, [], []
        places = _some(read_entries)
        self.entries = [self.entries[at] for at in places]
        self.seen = [read_entries[at] for at in places]
        judged: list[tuple[float, bool]] = []
        hidden = sum(entries[at].ids != self.entries[new].ids for new, at in enumerate(places))
        if hidden >= HIDDEN_MIN:
            self.groups = self._join_ids([[at] for at in range(len(places))])
            links: list[LikelyPair] = []
            self.proposals([JUDGED_FROM], taken=links)
            for link in links:
                first_ids, second_ids = (
                    {key for at in self.groups[side].entries for key in entries[places[at]].ids}
                    for side in (link.one, link.other)
                )
                if {kind for kind, _ in first_ids} & {kind for kind, _ in second_ids}:
                    judged.append((link.odds, not first_ids.isdisjoint(second_ids)))
        self.groups, self.by_ids, self.doubts, self.entries = groups, by_ids, doubts, entries
        self.seen = read_entries
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
        kinds_of: defaultdict[int, set[str]] = defaultdict(set)
        for at in range(len(persons)):
            for kind, digests in sorted(sets.groups[at].ids.items()):
                for digest in sorted(digests):
                    owner = sets.find(owners.setdefault((kind, digest), at))
                    mine = sets.find(at)
                    if owner == mine:
                        continue
                    doubt = self._doubt(sets.groups[owner], sets.groups[mine])
                    if doubt is None:
                        kinds_of[sets.join(owner, mine)] |= {
                            kind,
                            *kinds_of[owner],
                            *kinds_of[mine],
                        }
                    else:
                        self.doubts.append((owner, mine, Ground("same id", (kind, doubt))))
        numbers = sorted({sets.find(at) for at in range(len(persons))})
        places = {number: at for at, number in enumerate(numbers)}
        self.doubts = [
            (places[sets.find(first)], places[sets.find(second)], evidence)
            for first, second, evidence in self.doubts
        ]
        for number, members in sets.members.items():
            groups = tuple(tuple(persons[at]) for at in sorted(members))
            self.by_ids.append(Proposal(groups, SURE, None, tuple(sorted(kinds_of[number]))))
        return [sets.groups[number] for number in numbers]

    def _doubt(self, first: Group, second: Group) -> str | None:
        if first.shares_event(second):
            return "one event"
        if self._is_decided(first, second):
            return "decided"
        return "other ids" if first.has_other_ids(second) else None

    def _is_decided(self, first: Group, second: Group) -> bool:
        return any(
            not self.apart[person].isdisjoint(second.persons)
            for person in first.persons
            if person in self.apart
        )

    def _namesakes_known(self) -> dict[tuple[str, str], int]:
        """Count the persons of one name in a region who are two for certain."""
        events: Counter[tuple[str, str, str]] = Counter()
        digests: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
        for read_entry, entry in zip(self.seen, self.entries, strict=True):
            events[read_entry.name.whole, read_entry.region, entry.tournament] += 1
            for kind, digest in entry.ids:
                digests[read_entry.name.whole, read_entry.region, kind].add(digest)
        namesakes: dict[tuple[str, str], int] = {}
        counts = [(key, count) for key, count in events.items() if count > 1]
        counts += [(key, len(values)) for key, values in digests.items() if len(values) > 1]
        for (name, region, _), count in counts:
            namesakes[name, region] = max(namesakes.get((name, region), 1), count)
        return namesakes

    def links(self, at_least: float) -> Iterator[LikelyPair]:
        """Compare groups whose names are alike, and yield those that may be one person."""
        for first, second in self._pairs():
            link = self.compare(first, second)
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
        agreement, region, chance, names = best
        weights = self.weights
        chance *= weights.inflation
        if agreement == "changed" and not (
            first.days and second.days and follow(first.days, second.days)
        ):
            chance *= BOTH_NAMES
        if agreement == "exact":
            persons_there = weights.persons * weights.shares.of_region(region)
            chance = max(
                chance, (self._several.get((names[0].whole, region), 1) - 1) / persons_there
            )
        odds = weights.likeness[agreement] / (weights.persons * min(1.0, chance))
        odds *= weights.of_region(first.regions, second.regions)
        odds *= weights.of_game(first.games, second.games)
        odds *= self._time_weight(first, second)
        odds *= self._size_weight(first, second, names)
        if first.has_other_ids(second):
            odds *= OTHER_IDS
        return self._link(one, other, agreement, odds)

    def _link(self, first: int, second: int, agreement: Likeness | None, odds: float) -> LikelyPair:
        scaled = self.scale.odds(odds)
        return LikelyPair(scaled / (1 + scaled), first, second, agreement, odds)

    def _best_names(
        self, first: Group, second: Group
    ) -> tuple[Likeness, str, float, tuple[Name, Name]] | None:
        """Return the two names of two groups that agree by the smallest chance."""
        shares = self.weights.shares
        regions = (first.regions & second.regions) or (first.regions | second.regions)
        best = None
        for name in list(first.names.values())[:FORMS_MAX]:
            for other_name in list(second.names.values())[:FORMS_MAX]:
                agreement = likeness(name, other_name, shares.near)
                if agreement is None:
                    continue
                chance, region = max(
                    [
                        (shares.chance(agreement, name, other_name, region), region)
                        for region in regions
                    ]
                )
                rate = self.weights.likeness[agreement] / max(chance, 1e-12)
                if best is None or rate > best[0]:
                    best = rate, (agreement, region, chance, (name, other_name))
        return best and best[1]

    def _time_weight(self, first: Group, second: Group) -> float:
        days = days_between(first.days, second.days)
        if days is None:
            return 1.0
        elsewhere = first.regions.isdisjoint(second.regions)
        return self.weights.gaps[gap_class(days, elsewhere=elsewhere)]

    def _size_weight(self, first: Group, second: Group, names: tuple[Name, Name]) -> float:
        """Return what the numbers of entries say: a name that returns often is one who returns."""
        first_size, second_size = (
            max(len(group.entries), *(self.sizes[name.whole, region] for region in group.regions))
            for group, name in zip((first, second), names, strict=True)
        )
        if names[0].whole == names[1].whole and not first.regions.isdisjoint(second.regions):
            first_size, second_size = 1, max(1, max(first_size, second_size) - 1)
        return self.weights.of_size(first_size, second_size)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of groups that are compared: those found by an equal part of the name."""
        forms: defaultdict[str, list[int]] = defaultdict(list)
        names: dict[str, Name] = {}
        for at, group in enumerate(self.groups):
            names |= group.names
            for form in group.names:
                forms[form].append(at)
        for places in forms.values():
            yield from self._pairs_of_one_name(places)
        for first, second in _alike(names, self.weights.shares.near):
            yield from self._pairs_of_two_names(forms[first], forms[second])
        yield from self._pairs_of_given_names()

    def _pairs_of_given_names(self) -> Iterator[tuple[int, int]]:
        """Pair groups of one given name, game and region, whose family name may have changed."""
        heaps: defaultdict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
        for at, group in enumerate(self.groups):
            for form, name in group.names.items():
                if len(name.given) > 1:
                    heaps[name.given, min(group.regions), min(group.games)].setdefault(form, at)
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
            yield from (
                (place, candidate) for place in first for candidate in second if place != candidate
            )
            return
        by_region: defaultdict[str, list[int]] = defaultdict(list)
        for at in second:
            for region in self.groups[at].regions:
                by_region[region].append(at)
        for place in first:
            days = self.groups[place].days
            near = [
                at
                for region in sorted(self.groups[place].regions)
                for at in by_region[region]
                if at != place
            ]
            near.sort(key=lambda at: days_between(days, self.groups[at].days) or 0)
            yield from ((place, candidate) for candidate in near[:4])

    def proposals(
        self,
        tiers: Sequence[float] = TIERS,
        taken: list[LikelyPair] | None = None,
    ) -> list[Proposal]:
        """Return the groups at each tier: links join the groups of the tier before."""
        sets = Sets([group.copy() for group in self.groups])
        heap = [(-link.confidence, link, False) for link in self.links(tiers[-1])]
        heap += [
            (-DOUBTED, LikelyPair(DOUBTED, first, second, None, 1.0), True)
            for first, second, _ in self.doubts
        ]
        heapq.heapify(heap)
        proposals: list[Proposal] = []
        for tier in tiers:
            before: dict[int, tuple[int, ...]] = {}
            used: list[LikelyPair] = []
            while heap and -heap[0][0] >= tier:
                *_, link, checked = heapq.heappop(heap)
                first, second = sets.find(link.one), sets.find(link.other)
                if first == second or self._forbids(sets, first, second):
                    continue
                factor = (
                    1.0 if checked else self._left(link, sets.groups[first], sets.groups[second])
                )
                if factor < 1:
                    again = self._link(link.one, link.other, link.how, link.odds * factor)
                    heapq.heappush(heap, (-again.confidence, again, True))
                    continue
                for number in (first, second):
                    before.setdefault(number, tuple(sets.groups[number].entries))
                sets.join(first, second)
                used.append(link)
                if taken is not None:
                    taken.append(link)
            proposals += self._tier(sets, before, used)
        return proposals

    def _forbids(self, sets: Sets, first_number: int, second_number: int) -> bool:
        first, second = sets.groups[first_number], sets.groups[second_number]
        return first.shares_event(second) or bool(self.apart and self._is_decided(first, second))

    def _left(self, link: LikelyPair, first: Group, second: Group) -> float:
        """Return what is left of the odds of a link once both groups have grown."""
        factor = 1.0
        if first.has_other_ids(second) and not self.groups[link.one].has_other_ids(
            self.groups[link.other]
        ):
            factor *= OTHER_IDS
        if min(len(first.entries), len(second.entries)) >= HABITS_MIN:
            factor *= self._habits_weight(first, second)
        near = self.weights.shares.near
        if any(
            likeness(name, other_name, near) is None
            for name in list(first.names.values())[:FORMS_MAX]
            for other_name in list(second.names.values())[:FORMS_MAX]
        ):
            factor *= CONTRADICTION
        return factor

    def _habits_weight(self, first: Group, second: Group) -> float:
        """Return how much less probable one person is because two have other regions and games."""
        log = 0.0
        for word, shares, same in (
            ("region", self.weights.shares.persons, self.weights.same_region),
            ("game", self.weights.games, self.weights.same_game),
        ):
            first_counts, second_counts = (
                Counter(filter(None, (getattr(self.seen[at], word) for at in group.entries)))
                for group in (first, second)
            )
            log += habits_ratio(first_counts, second_counts, shares, same)
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
        for first_place, second_place, evidence in self.doubts:
            if {first_place, second_place} == {link.one, link.other}:
                yield evidence
        best = self._best_names(first, second)
        if best is not None:
            agreement, region, chance, _ = best
            yield Ground(f"name {agreement}")
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
        person, other_person = (
            min(matching.groups[at].persons) for at in (proposal.link.one, proposal.link.other)
        )
    else:
        person, other_person = (matching.entries[group[0]].person for group in proposal.groups[:2])
    return person, other_person


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
        for key in entry.ids:
            groups[key].append(at)
    return [
        sorted(places, key=lambda at: entries[at].day)
        for places in groups.values()
        if len(places) > 1
    ]


def _some(entries: Sequence[ReadEntry]) -> list[int]:
    """Return the places of all entries or, of many, of those whose names begin with some letters.

    One person's names mostly begin alike, so that the persons in this part are whole.
    """
    if len(entries) <= JUDGED_MAX:
        return list(range(len(entries)))
    heaps: defaultdict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        heaps[min(entry.name.given[:1], entry.name.family[:1])].append(at)
    places: list[int] = []
    for letter in sorted(heaps, key=lambda initial: crc32(initial.encode())):
        if len(places) + len(heaps[letter]) <= JUDGED_MAX:
            places += heaps[letter]
    return sorted(places)


def _share_with_ids(entries: Sequence[NamedEntry]) -> float:
    """Return the share of entries with an id, in the events that show ids."""
    tournaments = {entry.tournament for entry in entries if entry.ids}
    has_ids = [bool(entry.ids) for entry in entries if entry.tournament in tournaments]
    return (sum(has_ids) + 1) / (len(has_ids) + 1)


def _alike(
    names: Mapping[str, Name], near: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield each pair of different names that may be one person's, found by equal words."""
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    initials: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for form, name in names.items():
        for key in _keys(name, near):
            by_words[key].append(form)
        if len(name.given) == 1:
            initials[name.family, name.given].append(form)
    met: set[tuple[str, str]] = set()
    for wholes in by_words.values():
        for first, second in combinations(sorted(wholes), 2):
            if (first, second) not in met:
                met.add((first, second))
                if likeness(names[first], names[second], near):
                    yield first, second
    for form, name in names.items():
        if len(name.given) > 1:
            yield from ((form, second) for second in initials.get((name.family, name.given[0]), ()))


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

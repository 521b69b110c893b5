"""Learn from a season how much a piece of evidence counts for or against one person.

The weights are likelihood ratios (Fellegi and Sunter): the share of pairs of one person that agree
in this way, divided by the share of pairs of two persons. Every number comes from the season: how
frequent a name is in a region, when persons return, how often organizers misspell. A number that a
small season cannot give starts at a default, which counts as `DEFAULT_PAIRS` observed pairs.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from projections.season.matching.names import (
    SHORT_MIN,
    Likeness,
    Name,
    likeness,
    near_words,
    shared_words,
)

LIKENESSES: dict[Likeness, float] = {
    "exact": 0.88,
    "swapped": 0.02,
    "middle": 0.02,
    "family": 0.02,
    "given": 0.015,
    "initial": 0.015,
    "short": 0.01,
    "part": 0.01,
    "changed": 0.01,
}
"""Share of the pairs of entries of one person whose names agree so, before anything is learned."""

STYLES: tuple[Likeness, ...] = ("exact", "swapped", "middle", "initial")
"""Differences that are an organizer's way to write names: they say nothing of the persons."""

GAPS = (0, 30, 120, 365)
"""Upper bounds, in days, of the classes of time between two entries; -1 is one day, two regions."""

GAP_SHARES = {-1: 0.0001, 0: 0.0079, 1: 0.35, 2: 0.35, 3: 0.2, 4: 0.092}
RANDOM_GAP_SHARES = {-1: 0.002, 0: 0.002, 1: 0.066, 2: 0.2, 3: 0.38, 4: 0.35}
SAME_GAME, SAME_REGION = 0.85, 0.85
DEFAULT_PAIRS = 60
"""Number of observed pairs that a default counts as."""

RARE = 0.02
"""Maximum expected persons of another's name, for a name that teaches how persons return."""

REGION_WEIGHT = 100
"""Number of persons of the whole season that are added to those of a region, to smooth shares."""

OTHER_IDS = 0.01
"""Share of persons who have two ids of one kind."""

NAMESAKES_ASSUMED = 3.0
"""Pairs of namesakes that are added to those seen in one event, and to those expected there."""

SLOPE_VARIANCE, OFFSET_VARIANCE = 0.01, 0.25
"""Variance of the slope and of the offset of the confidence, before a season is read."""

RAISED_MAX = math.log(2)
"""Maximum by which equal ids raise the logarithm of the odds."""

SAMPLE = 20_000
STRIDE = 7_919
"""Prime number of entries between the two of a pair that is drawn at random."""


class ReadEntry(NamedTuple):
    """An entry with its name read; the day is an ordinal number, 0 if it is unknown."""

    tournament: str
    name: Name
    game: str
    region: str
    day: int


class Shares:
    """Frequencies of the words of names, in the whole season and in each region."""

    def __init__(self, seen: Iterable[tuple[str, Name]]) -> None:
        """Count each name once in each region: a person who returns is not many persons."""
        self.given: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.family: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.persons: Counter[str] = Counter()
        self._chances: dict[tuple[str, str, str, str], float] = {}
        names: dict[str, Name] = {}
        for region, name in dict.fromkeys(seen):
            names[name.whole] = name
            self.given[region].update((name.given, name.given[:SHORT_MIN] + "*", name.given[:1]))
            self.family[region].update({name.family, *name.parts})
            self.persons[region] += 1
        self.names = names
        self.total = max(1, sum(self.persons.values()))
        self.all_given = sum(self.given.values(), Counter())
        self.all_family = sum(self.family.values(), Counter())
        self.near = near_words(
            {word for name in names.values() for word in (name.given, name.family)}
        )

    def of_given(self, region: str, word: str) -> float:
        """Return the share of a given name, an initial or, with a `*`, a beginning."""
        return self._share(self.given[region], self.all_given, region, word)

    def of_family(self, region: str, word: str) -> float:
        """Return the share of a family name."""
        return self._share(self.family[region], self.all_family, region, word)

    def of_region(self, region: str) -> float:
        """Return the share of the persons of a season that are seen in a region."""
        return max(1, self.persons[region]) / self.total

    def _share(
        self, regional: Counter[str], everywhere: Counter[str], region: str, word: str
    ) -> float:
        overall = max(1, everywhere[word]) / self.total
        counted = regional[word] + REGION_WEIGHT * overall
        return min(1.0, counted / (self.persons[region] + REGION_WEIGHT))

    def chance(self, how: Likeness, one: Name, other: Name, region: str) -> float:
        """Return how probably another person's name agrees with one of two names so."""
        key = how, one.whole, other.whole, region
        value = self._chances.get(key)
        if value is None:
            value = self._chance(how, one, other, region)
            if one != other:
                value = max(value, self._chance(how, other, one, region))
            self._chances[key] = value
        return value

    def _chance(self, agreement: Likeness, name: Name, other_name: Name, region: str) -> float:
        if agreement == "changed":
            return self.of_given(region, name.given)
        if agreement == "part":
            family = sum(
                self.of_family(region, word) for word in sorted(shared_words(name, other_name))
            )
            return min(1.0, family) * self.of_given(region, name.given)
        family = self.of_family(region, name.family)
        given = self.of_given(region, name.given)
        if agreement == "family":
            others = self.near.get(name.family, ())
            return given * sum(self.of_family(region, word) for word in others)
        if agreement == "given":
            others = self.near.get(name.given, ())
            return family * sum(self.of_given(region, word) for word in others)
        if agreement in ("initial", "short"):
            begins = name.given[:1] if agreement == "initial" else name.given[:SHORT_MIN] + "*"
            return family * self.of_given(region, begins)
        reversed_ = self.of_family(region, name.given) * self.of_given(region, name.family)
        return max(family * given, reversed_)


class Weights:
    """The weights of a season."""

    def __init__(self, entries: Sequence[ReadEntry], by_ids: Iterable[Sequence[int]]) -> None:
        """Learn them from entries, and from groups of entries whose ids are equal."""
        self.shares = Shares((entry.region, entry.name) for entry in entries)
        self.persons = len(self.shares.names)
        self.games = Counter(
            game for game, _ in {(entry.game, entry.name.whole) for entry in entries}
        )
        self.inflation = self._namesakes(entries)
        by_name: defaultdict[str, list[int]] = defaultdict(list)
        for at, entry in enumerate(entries):
            by_name[entry.name.whole].append(at)
        self.exponent = _exponent(len(places) for places in by_name.values())
        self.zeta = _zeta(self.exponent)
        self._learn_returns(entries, by_name)
        self.likeness = self._learn_likeness(entries, by_ids)

    def _namesakes(self, all_entries: Sequence[ReadEntry]) -> float:
        """Return how much more frequent namesakes are than if names were drawn word by word.

        Two entries of one event are two persons, so those of one name can be counted there.
        """
        events: defaultdict[str, list[ReadEntry]] = defaultdict(list)
        for entry in all_entries:
            events[entry.tournament].append(entry)
        observed = expected = NAMESAKES_ASSUMED
        for entries in events.values():
            names = Counter(entry.name.whole for entry in entries)
            observed += sum(count * (count - 1) / 2 for count in names.values())
            pairs = (len(entries) - 1) / 2
            expected += pairs * sum(
                self.shares.chance("exact", entry.name, entry.name, entry.region)
                for entry in entries
            )
        return max(1.0, observed / expected)

    def _learn_returns(
        self, entries: Sequence[ReadEntry], by_name: Mapping[str, list[int]]
    ) -> None:
        """Learn from rare names the game, the region and the time of a person's next entry."""
        pairs, games, regions = 0, 0, 0
        gaps: Counter[int] = Counter()
        for places in by_name.values():
            name = entries[places[0]].name
            if len(places) < 2 or self.namesakes(name, entries[places[0]].region) > RARE:  # noqa: PLR2004
                continue
            for earlier, later in pairwise(
                sorted((entries[at] for at in places), key=lambda at: at.day)
            ):
                if earlier.tournament != later.tournament and earlier.day and later.day:
                    pairs += 1
                    games += earlier.game == later.game
                    regions += earlier.region == later.region
                    gaps[
                        gap_class(later.day - earlier.day, elsewhere=earlier.region != later.region)
                    ] += 1
        self.same_game = _learned(games, pairs, SAME_GAME)
        self.same_region = _learned(regions, pairs, SAME_REGION)
        random = Counter(_random_gaps(entries))
        self.gaps = {
            gap: _learned(gaps[gap], pairs, share)
            / _learned(random[gap], random.total(), RANDOM_GAP_SHARES[gap])
            for gap, share in GAP_SHARES.items()
        }

    def _learn_likeness(
        self, entries: Sequence[ReadEntry], by_ids: Iterable[Sequence[int]]
    ) -> dict[Likeness, float]:
        """Learn from equal ids how the names of one person differ."""
        counts: Counter[Likeness | None] = Counter()
        for places in by_ids:
            for earlier, later in pairwise(places):
                counts[likeness(entries[earlier].name, entries[later].name, self.shares.near)] += 1
        learned = {
            agreement: _learned(counts[agreement], counts.total(), share)
            for agreement, share in LIKENESSES.items()
        }
        return learned | dict.fromkeys(STYLES, sum(learned[agreement] for agreement in STYLES))

    def namesakes(self, name: Name, region: str) -> float:
        """Return how many other persons of a name the season has by chance."""
        chance = self.shares.chance("exact", name, name, region)
        return self.persons * chance * self.inflation

    def of_game(self, one: Iterable[str], other: set[str]) -> float:
        """Return the weight of the games of two persons."""
        return self._agreement(one, other, self.same_game, self.games, self.games.total())

    def of_region(self, one: Iterable[str], other: set[str]) -> float:
        """Return the weight of the regions of two persons."""
        counts, total = self.shares.persons, self.shares.total
        return self._agreement(one, other, self.same_region, counts, total)

    def _agreement(
        self,
        first: Iterable[str],
        second: set[str],
        same: float,
        counts: Mapping[str, int],
        total: int,
    ) -> float:
        words = [word for word in first if word]
        shared = [word for word in words if word in second]
        if not words or not any(second):
            return 1.0
        if shared:
            return same / min(1.0, sum(counts[word] for word in shared) / total)
        apart = 1.0 - min(0.98, sum(counts[word] for word in words) / total)
        return (1.0 - same) / apart

    def of_size(self, one: int, other: int) -> float:
        """Return how much one person of many entries is more usual than two of fewer."""
        return self.zeta * math.pow(one * other / (one + other), self.exponent)


class OddsScale(NamedTuple):
    """Line from the logarithm of odds to that of a confidence: a slope and an offset."""

    slope: float = 1.0
    offset: float = 0.0

    def odds(self, odds: float) -> float:
        """Return odds on this scale."""
        return math.exp(self.slope * math.log(max(odds, 1e-12)) + self.offset)


def fitted(judged: Sequence[tuple[float, bool]], with_ids: float) -> OddsScale:
    """Return the scale on which confidence equals frequency: logistic regression, Newton's method.

    With few judged pairs the odds hardly change. A pair of two persons is judged only if both have
    an id, a pair of one person if that person has an id: the offset corrects this.
    """
    slope, offset = 1.0, 0.0
    rows = [(math.log(max(odds, 1e-12)), same) for odds, same in judged]
    for _ in range(25):
        to_slope, to_offset = (1.0 - slope) / SLOPE_VARIANCE, -offset / OFFSET_VARIANCE
        twice, mixed, plain = 1 / SLOPE_VARIANCE, 0.0, 1 / OFFSET_VARIANCE
        for log, same in rows:
            probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, slope * log + offset))))
            spread = probability * (1 - probability)
            to_slope += (same - probability) * log
            to_offset += same - probability
            twice += spread * log * log
            mixed += spread * log
            plain += spread
        determinant = twice * plain - mixed * mixed
        slope += (plain * to_slope - mixed * to_offset) / determinant
        offset += (twice * to_offset - mixed * to_slope) / determinant
        slope, offset = min(1.5, max(0.3, slope)), min(1.5, max(-4.0, offset))
    return OddsScale(slope, min(RAISED_MAX, offset + math.log(with_ids)))


def gap_class(days: int, *, elsewhere: bool) -> int:
    """Return the class of a number of days between two entries."""
    return -1 if elsewhere and not days else bisect_left(GAPS, days)


def habits_ratio(
    one: Mapping[str, int], other: Mapping[str, int], shares: Mapping[str, int], same: float
) -> float:
    """Return the logarithm of how much better one person explains two counts of places than two do.

    Each person has a habit, drawn from a Dirichlet distribution around the shares of all persons;
    it is as narrow as persons are faithful to one place.
    """
    spread = max(0.1, (1.0 - same) / same)
    total = sum(shares.values()) or 1

    def log_of(counts: Mapping[str, int]) -> float:
        log = math.lgamma(spread) - math.lgamma(spread + sum(counts.values()))
        for word, count in counts.items():
            weight = spread * max(1, shares.get(word, 0)) / total
            log += math.lgamma(weight + count) - math.lgamma(weight)
        return log

    both = {word: one.get(word, 0) + other.get(word, 0) for word in (*one, *other)}
    return log_of(both) - log_of(one) - log_of(other)


def _learned(count: float, total: float, default: float) -> float:
    """Return a share, towards a default where little was observed."""
    return (count + DEFAULT_PAIRS * default) / (total + DEFAULT_PAIRS)


def _random_gaps(entries: Sequence[ReadEntry]) -> Iterator[int]:
    step = max(1, len(entries) // SAMPLE)
    for at in range(0, len(entries), step):
        first, second = entries[at], entries[(at * STRIDE + 1) % len(entries)]
        if first.tournament != second.tournament and first.day and second.day:
            yield gap_class(abs(first.day - second.day), elsewhere=first.region != second.region)


def _exponent(counts: Iterable[int]) -> float:
    """Return the exponent of a power law for how many entries a person has (Clauset 2009, 3.7)."""
    sizes = list(counts)
    logs = sum(math.log(size / 0.5) for size in sizes)
    return min(4.0, max(1.2, 1.0 + len(sizes) / logs if logs else 4.0))


def _zeta(exponent: float) -> float:
    terms = 1_000
    tail = math.pow(terms, 1 - exponent) / (exponent - 1)
    return sum(math.pow(number, -exponent) for number in range(1, terms)) + tail

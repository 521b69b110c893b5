"""The intervals of the named questions, computed as INTERVALS.md defines them.

A group is what is left out together: the trials of one person, or of one tournament. How far the
mean moves without a group is computed here by leaving the group out. If two entrants who met each
other were merged, their game is of that person twice, from both sides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import isclose, sqrt
from typing import NamedTuple

Interval = tuple[float | None, float | None]

NONE: Interval = (None, None)
FEWEST = 5
"""Fewer persons, or tournaments, have no interval."""

Z = 1.959963984540054
"""Standard errors of the normal distribution that hold 95 %."""


class Trial(NamedTuple):
    """A game, an entry or a table: its value, and what it depends on."""

    value: float
    own: str
    other: str = ""
    event: str = ""
    table: Hashable = None


def share_of(trials: Sequence[Trial]) -> float | None:
    """Return the mean value; None without trials."""
    return sum(trial.value for trial in trials) / len(trials) if trials else None


def wilson(successes: float, trials: float) -> Interval:
    """Return Wilson's interval: the two shares p with (share - p)^2 = z^2 p (1 - p) / trials."""
    if not trials:
        return NONE
    share, z2 = successes / trials, Z * Z
    # (1 + z2/n) p^2 - (2 share + z2/n) p + share^2 = 0
    a, b, c = 1 + z2 / trials, -(2 * share + z2 / trials), share * share
    root = sqrt(max(b * b - 4 * a * c, 0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def student(freedom: float) -> float:
    """Return Student's t that holds 95 %: Cornish and Fisher's expansion, to its third term."""
    terms = (
        Z,
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def kish(names: Iterable[str]) -> float:
    """Return how many groups of equal size are as few as these: the square of the sum by Kish."""
    counts = Counter(names).values()
    return sum(counts) ** 2 / sum(count * count for count in counts)


def moves(trials: Sequence[Trial], group: Callable[[Trial], Iterable[Hashable]]) -> float:
    """Return the squares, added up, of how far the mean moves without each group."""
    total, size = sum(trial.value for trial in trials), len(trials)
    left_out: dict[Hashable, list[float]] = defaultdict(list)
    for trial in trials:
        for name in group(trial):
            left_out[name].append(trial.value)
    return sum(
        (((total - sum(values)) / (size - len(values))) - total / size) ** 2
        for values in left_out.values()
        if len(values) < size
    )


def sums(trials: Sequence[Trial], group: Callable[[Trial], Iterable[Hashable]]) -> float:
    """Return the squares, added up, of what each group's distances from the mean add up to."""
    size, mean = len(trials), sum(trial.value for trial in trials) / len(trials)
    together: dict[Hashable, float] = defaultdict(float)
    for trial in trials:
        for name in group(trial):
            together[name] += trial.value - mean
    return sum(far * far for far in together.values()) / size**2


def by_sides(trials: Sequence[Trial]) -> Interval:
    """Return the interval of a score between factions: Student's, by the persons of both sides."""
    fewest = min(len({trial.own for trial in trials}), len({trial.other for trial in trials}))
    share = share_of(trials)
    if share is None or fewest < FEWEST:
        return NONE
    single = sums(trials, lambda trial: [id(trial)])
    both = moves(trials, lambda trial: [trial.own]) + moves(trials, lambda trial: [trial.other])
    variance = max(both - single, single)
    if len({trial.value for trial in trials}) == 1:
        return wilson(share * fewest, fewest)
    reach = student(fewest - 1) * sqrt(variance)
    return max(share - reach, 0.0), min(share + reach, 1.0)


def as_many(share: float, variance: float, groups: float) -> Interval:
    """Return Wilson's interval by as many independent trials as would be as sure."""
    trials = groups
    if not isclose(variance, 0, abs_tol=1e-12):
        trials = share * (1 - share) / variance / (student(max(groups - 1, 1)) / Z) ** 2
    return wilson(share * trials, trials)


def variance_by_person(trials: Sequence[Trial]) -> float:
    """Return the variance of a mean whose trials depend on two persons each."""
    single = sums(trials, lambda trial: [trial.table])
    return max(moves(trials, lambda trial: [trial.own, trial.other]) - single, single)


def beyond_persons(trials: Sequence[Trial]) -> float:
    """Return what tournaments add to a variance, beyond what the persons in them have added."""
    single = sums(trials, lambda trial: [trial.table])
    there = sums(trials, lambda trial: [(trial.event, trial.own), (trial.event, trial.other)])
    return max(moves(trials, lambda trial: [trial.event]) - max(there - single, single), 0.0)


def beyond_tables(trials: Sequence[Trial]) -> float:
    """Return what tournaments add to a variance, beyond what single tables have added."""
    single = sums(trials, lambda trial: [trial.table])
    return max(moves(trials, lambda trial: [trial.event]) - single, 0.0)


def of_games(trials: Sequence[Trial], *, by_event: bool) -> Interval:
    """Return the interval of a score whose games have an own side and another."""
    groups = [[trial.own for trial in trials], [trial.other for trial in trials]]
    if by_event:
        groups.append([trial.event for trial in trials])
    share = share_of(trials)
    if share is None or min(len(set(names)) for names in groups) < FEWEST:
        return NONE
    variance = variance_by_person(trials) + (beyond_persons(trials) if by_event else 0)
    return as_many(share, variance, min(kish(names) for names in groups))


def of_tables(trials: Sequence[Trial]) -> Interval:
    """Return the interval of a share of tables, which have no side, by person and tournament."""
    persons = [name for trial in trials for name in (trial.own, trial.other)]
    groups = [persons, [trial.event for trial in trials]]
    share = share_of(trials)
    if share is None or min(len(set(names)) for names in groups) < FEWEST:
        return NONE
    variance = variance_by_person(trials) + beyond_tables(trials)
    return as_many(share, variance, min(kish(names) for names in groups))


def of_entries(trials: Sequence[Trial]) -> Interval:
    """Return the interval of a share of entries, by person."""
    share, persons = share_of(trials), [trial.own for trial in trials]
    if share is None or len(set(persons)) < FEWEST:
        return NONE
    return as_many(share, moves(trials, lambda trial: [trial.own]), kish(persons))


def of_field(trials: Sequence[Trial]) -> Interval:
    """Return the interval of a part of the field: of no more trials than there are entries."""
    share, persons = share_of(trials), len({trial.own for trial in trials})
    if share is None:
        return NONE
    variance, count = moves(trials, lambda trial: [trial.own]), float(persons)
    if not isclose(variance, 0, abs_tol=1e-12):
        wider = student(max(persons - 1, 1)) / Z
        count = min(len(trials), share * (1 - share) / variance) / wider**2
    return wilson(share * count, count)


def of_mean(trials: Sequence[Trial]) -> Interval:
    """Return the interval of a mean of 0 or more by tournament: Student's."""
    events, mean = [trial.event for trial in trials], share_of(trials)
    if mean is None or len(set(events)) < FEWEST:
        return NONE
    spread = sqrt(moves(trials, lambda trial: [trial.event]))
    reach = student(max(kish(events) - 1, 1)) * spread
    return max(mean - reach, 0.0), mean + reach

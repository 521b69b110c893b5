"""Make a season of entries whose persons are known, to measure how well persons are matched.

Names come from grammars of several scripts, drawn with Zipf frequencies, so that common names are
shared by several persons. `python -m tests.support.chance.made_persons` prints the measurements.
"""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from msgspec import Struct

from projections.season.matching.groups import NamedEntry, Sets
from projections.season.matching.proposing import LikelyPair, Matching

FIRST_DAY = 738_000
DAYS = 1_100


class Grammar(Struct, frozen=True):
    """How the names of one language sound; words are separated by spaces."""

    onsets: str
    vowels: str
    codas: str
    given_ends: str
    family_ends: str
    syllables: tuple[int, int]
    families: str = ""
    doubled: bool = False
    glued: bool = False


class Grammars(Struct, frozen=True):
    """The grammars with which constants were chosen, and those to measure with."""

    usual: list[Grammar]
    other: list[Grammar]


GRAMMARS = msgspec.toml.decode(
    Path(__file__).with_name("made_names.toml").read_bytes(), type=Grammars
)


@dataclass
class Language:
    """The names of one language, with how often each is given."""

    given: list[str]
    family: list[str]
    grammar: Grammar
    given_weights: list[float] = field(default_factory=list)
    family_weights: list[float] = field(default_factory=list)


@dataclass
class Person:
    """Someone who plays: the true name and, for some, the name after a change."""

    number: int
    language: Language
    given: str
    middle: str
    family: list[str]
    later_family: list[str]
    changes_on: int
    region: int
    game: int
    other_game: int
    begins: int
    lasts: int
    short: bool
    ids: dict[str, str]


class MadeSeason(NamedTuple):
    """Entries, and the number of the person behind each."""

    entries: list[NamedEntry]
    persons: list[int]


class Habits(NamedTuple):
    """How often a thing happens in a season; each season draws its own."""

    typos: float
    guests: float
    changed: float
    shown: float
    has_id: float
    travels: float
    initials: float
    zipf: float


def made_season(seed: int, size: int, grammars: Sequence[Grammar]) -> MadeSeason:
    """Return a season of about a number of entries; the same seed gives the same season."""
    random = Random(seed)
    habits = Habits(
        typos=random.uniform(0.015, 0.04),
        guests=random.uniform(0.35, 0.55),
        changed=random.uniform(0.02, 0.05),
        shown=random.uniform(0.35, 0.65),
        has_id=random.uniform(0.6, 0.85),
        travels=random.uniform(0.05, 0.15),
        initials=random.uniform(0.01, 0.04),
        zipf=random.uniform(0.75, 1.05),
    )
    languages = [_language(random, grammar, habits.zipf) for grammar in grammars]
    regions = max(4, round(size**0.25))
    homes = [random.choices(languages, k=3) for _ in range(regions)]
    events = _attendance(random, size, habits, languages, homes)
    entries: list[NamedEntry] = []
    persons: list[int] = []
    for (region, game, slot), players in sorted(events.items()):
        style = _Style(random, habits)
        day = _day((region, game, slot))
        event = hashlib.sha256(f"{seed} {region} {game} {slot}".encode()).hexdigest()[:32]
        random.shuffle(players)
        for number, player in enumerate(players, 1):
            kind = f"program {game}"
            ids: tuple[tuple[str, str], ...] = ()
            if style.shows_ids and kind in player.ids and random.random() < 0.9:
                ids = ((kind, player.ids[kind]),)
            written = style.written(player, day)
            place = (f"game {game}", f"region {region}", day)
            entries.append(NamedEntry(event, number, written, *place, ids))
            persons.append(player.number)
    return MadeSeason(entries, persons)


def _day(event: tuple[int, int, int]) -> int:
    """Return the day of an event: one of the 45 days of its span."""
    region, game, slot = event
    return FIRST_DAY + slot * 45 + (region * 17 + game * 29 + slot * 7) % 45


def _zipf(count: int, exponent: float) -> list[float]:
    return list(accumulate((rank + 2.0) ** -exponent for rank in range(count)))


def _word(random: Random, grammar: Grammar, ends: str) -> str:
    parts = []
    for _ in range(random.randint(*grammar.syllables)):
        parts += [
            random.choice(grammar.onsets.split()),
            random.choice(grammar.vowels.split() or [""]),
        ]
        if random.random() < 0.5:
            parts.append(random.choice(grammar.codas.split() or [""]))
    return "".join((*parts, random.choice(ends.split()))).capitalize()


def _language(random: Random, grammar: Grammar, zipf: float) -> Language:
    given_count, family_count = random.randint(150, 400), random.randint(1_500, 4_000)
    given = {_word(random, grammar, grammar.given_ends) for _ in range(given_count)}
    family = set(grammar.families.split()) or {
        _word(random, grammar, grammar.family_ends) for _ in range(family_count)
    }
    made = Language(sorted(given), sorted(family), grammar)
    random.shuffle(made.given)
    random.shuffle(made.family)
    made.given_weights = _zipf(len(made.given), zipf)
    made.family_weights = _zipf(len(made.family), zipf * 0.9)
    return made


def _drawn(random: Random, words: list[str], weights: list[float]) -> str:
    return random.choices(words, cum_weights=weights)[0]


def _person(
    random: Random,
    number: int,
    habits: Habits,
    languages: list[Language],
    homes: list[list[Language]],
) -> Person:
    region = random.choices(range(len(homes)), cum_weights=_zipf(len(homes), 0.7))[0]
    language = random.choice(homes[region]) if random.random() < 0.85 else random.choice(languages)
    double = language.grammar.doubled
    families = [_drawn(random, language.family, language.family_weights) for _ in range(1 + double)]
    later = [_drawn(random, language.family, language.family_weights)]
    if random.random() < 0.3:
        later = [families[-1], *later]
    begins = random.randrange(DAYS)
    lasts = int(random.expovariate(1 / 400)) + 20
    changes = random.random() < habits.changed
    game, other = random.choices(range(4), cum_weights=_zipf(4, 0.7), k=2)
    middle = random.random() < 0.2 and not language.grammar.glued
    return Person(
        number,
        language,
        _drawn(random, language.given, language.given_weights),
        _drawn(random, language.given, language.given_weights) if middle else "",
        families,
        later if changes else families,
        FIRST_DAY + begins + random.randrange(lasts) if changes else 0,
        region,
        game,
        other,
        begins,
        lasts,
        random.random() < 0.05,
        {
            f"program {kind}": hashlib.sha256(f"{kind} {number}".encode()).hexdigest()[:16]
            for kind in range(4)
            if random.random() < habits.has_id
        },
    )


def _attendance(
    random: Random,
    size: int,
    habits: Habits,
    languages: list[Language],
    homes: list[list[Language]],
) -> dict[tuple[int, int, int], list[Person]]:
    """Return who comes to which event: by region, game and span of 45 days."""
    events: defaultdict[tuple[int, int, int], list[Person]] = defaultdict(list)
    count, number = 0, 0
    while count < size:
        number += 1
        person = _person(random, number, habits, languages, homes)
        times = (
            1 if random.random() < habits.guests else min(60, 1 + int(random.paretovariate(0.9)))
        )
        came: dict[int, tuple[int, int, int]] = {}
        for _ in range(times):
            away = random.random() < habits.travels
            region = random.randrange(len(homes)) if away else person.region
            game = person.game if random.random() < 0.9 else person.other_game
            day = min(DAYS - 1, person.begins + random.randrange(person.lasts))
            event = (region, game, day // 45)
            came.setdefault(_day(event), event)  # never at two places on one day
        for event in sorted(came.values()):
            events[event].append(person)
        count += len(came)
    return events


class _Style:
    """How one organizer writes names, and whether the program shows ids."""

    def __init__(self, random: Random, habits: Habits) -> None:
        self.random = random
        self.habits = habits
        self.shows_ids = random.random() < habits.shown
        self.order = random.choices(["first last", "Last, First", "last first"], [75, 20, 5])[0]
        self.case = random.choices(["", "upper", "lower"], [88, 8, 4])[0]
        self.ascii = random.random() < 0.25
        self.initials = random.random() < habits.initials
        self.latin = random.random() < 0.15
        self.middle = random.random() < 0.4

    def written(self, person: Person, day: int) -> str:
        """Return the name of a person as this organizer writes it."""
        random = self.random
        changed = bool(person.changes_on) and day >= person.changes_on
        families = person.later_family if changed else person.family
        given, glued = person.given, person.language.grammar.glued
        family = random.choice([" ", "-"]).join(families)
        if len(families) > 1 and random.random() < 0.15:
            family = families[0]
        if person.short and len(given) > 4 and random.random() < 0.5:
            given = given[: random.randint(3, len(given) - 1)]
        if random.random() < self.habits.typos:
            if random.random() < 0.5:
                given = _typo(random, given)
            else:
                family = _typo(random, family)
        if glued:
            return family + given
        if self.initials:
            given = given[0] + "."
        elif person.middle and self.middle:
            given = f"{given} {person.middle if random.random() < 0.6 else person.middle[0] + '.'}"
        text = {"first last": f"{given} {family}", "Last, First": f"{family}, {given}"}.get(
            self.order, f"{family} {given}"
        )
        if self.latin:
            text = text.translate(_ROMAN)
        if self.ascii:
            text = text.translate(_BARE)
        return text.upper() if self.case == "upper" else text.lower() if self.case else text


_BARE = str.maketrans("üöäąężłáéóíěčšýÜÖÄŻŁÁČŠ", "uoaaezlaeoiecsyUOAZLACS")
_CYRILLIC = "абвгдеиклмнопрстуйяшчВГДКЛМНПРСТБ"
_LATIN = "a b v g d e i k l m n o p r s t u y ya sh ch V G D K L M N P R S T B"
_ROMAN = str.maketrans(dict(zip(_CYRILLIC, _LATIN.split(), strict=True)))


def _typo(random: Random, word: str) -> str:
    """Return a word with one letter other, missing, doubled or exchanged."""
    if len(word) < 2:
        return word
    at = random.randrange(1, len(word))
    kind = random.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at - 1] + word[at:]
    if kind == 2:
        return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return word[:at] + random.choice(word) + word[at + 1 :]


class Score(NamedTuple):
    """Pairs of entries that were joined rightly and wrongly, and those of one person in all."""

    right: int
    joined: int
    true: int

    @property
    def precision(self) -> float:
        """The share of joined pairs that are one person."""
        return self.right / self.joined if self.joined else 1.0

    @property
    def recall(self) -> float:
        """The share of the pairs of one person that were joined."""
        return self.right / self.true if self.true else 1.0


def score(groups: Iterable[Sequence[int]], persons: Sequence[int]) -> Score:
    """Compare groups of entries with the persons, by pairs of entries."""
    right = joined = 0
    for group in groups:
        joined += math.comb(len(group), 2)
        right += sum(math.comb(count, 2) for count in Counter(persons[at] for at in group).values())
    true = sum(math.comb(count, 2) for count in Counter(persons).values())
    return Score(right, joined, true)


def joined_above(matching: Matching, links: Sequence[LikelyPair], least: float) -> list[list[int]]:
    """Return the groups of entries once every link of at least a confidence is accepted."""
    sets = Sets([group.copy() for group in matching.groups])
    for link in links:
        if link.confidence >= least:
            one, other = sets.find(link.one), sets.find(link.other)
            if one != other:
                sets.join(one, other)
    return [
        sets.groups[at].entries for at in sorted({sets.find(at) for at in range(len(sets.parent))})
    ]


def same_names(matching: Matching) -> list[list[int]]:
    """Return groups by the name alone, without case, accents and order: the control."""
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, seen in enumerate(matching.seen):
        groups[seen.name.words].append(at)
    return list(groups.values())


class Measured(NamedTuple):
    """What one made season gave: scores by the least confidence, the control, each link judged."""

    entries: int
    persons: int
    seconds: float
    scores: dict[float, Score]
    control: Score
    judged: list[tuple[float, bool]]


LEVELS = (0.99, 0.9, 0.5, 0.2)
BINS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0)


def measured(season: MadeSeason) -> Measured:
    """Match a made season and compare with the truth."""
    begun = time.process_time()
    matching = Matching(season.entries)
    links: list[LikelyPair] = []
    matching.proposals(taken=links)
    seconds = time.process_time() - begun
    persons = season.persons
    return Measured(
        len(persons),
        len(set(persons)),
        seconds,
        {2.0: score((group.entries for group in matching.groups), persons)}
        | {least: score(joined_above(matching, links, least), persons) for least in LEVELS},
        score(same_names(matching), persons),
        [
            (
                link.confidence,
                persons[matching.groups[link.one].entries[0]]
                == persons[matching.groups[link.other].entries[0]],
            )
            for link in links
        ],
    )


def calibration(judged: Iterable[tuple[float, bool]]) -> list[tuple[float, int, float, float]]:
    """Return, for each class of confidence, how many links it has, what they say, what is true."""
    rows = []
    links = sorted(judged)
    for least, most in pairwise(BINS):
        here = [link for link in links if least <= link[0] < most]
        if here:
            said = sum(confidence for confidence, _ in here) / len(here)
            rows.append((least, len(here), said, sum(true for _, true in here) / len(here)))
    return rows


def main() -> None:
    """Print what seasons of 20,000 entries give whose seeds and names chose no constant."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seeds = [int(word) for word in sys.argv[2:]] or [301, 302, 303, 304, 305, 306]
    print("seed  entries  persons      s  joined by    precision  recall")  # noqa: T201 - a command
    judged = []
    for seed in seeds:
        found = measured(made_season(seed, size, GRAMMARS.other))
        judged += found.judged
        head = f"{seed:4}  {found.entries:7,}  {found.persons:7,}  {found.seconds:5.1f}"
        for least, each in found.scores.items():
            how = "equal ids" if least > 1 else f"{least:.2f}"
            print(f"{head}  {how:9}  {100 * each.precision:11.2f}  {100 * each.recall:6.1f}")  # noqa: T201
            head = " " * len(head)
        control = found.control
        print(  # noqa: T201
            f"{head}  {'same name':9}  {100 * control.precision:11.2f}  {100 * control.recall:6.1f}"
        )
    print("\nconfidence from   links   said   true")  # noqa: T201
    for least, count, said, true in calibration(judged):
        print(f"{least:15.2f} {count:7,} {100 * said:6.1f} {100 * true:6.1f}")  # noqa: T201


if __name__ == "__main__":
    main()

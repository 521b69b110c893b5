"""Two lists compared: whether they hold the same things, and which cards changed.

A list holds the same things if the later one's names are clearer at most. A clearer name holds
every word of the earlier one. Each copy of a card of the earlier list has to find its own copy in
the later one, and none may be left over; a unit finds a unit whose upgrades are the same or
clearer, so that upgrades exchanged between two units are a change. Upgrades that were listed apart
from their units, in a section that is gone, may be given to units.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.formats.cards import folded
from ledger.formats.naming import split_level
from ledger.formats.play_lists import read_part

if TYPE_CHECKING:
    from ledger.formats.play_lists import Listed, PlayList, Shape


class ComparedCard(NamedTuple):
    """A card or a unit as it is compared: its words, its notes, and the upgrades it bears."""

    words: frozenset[str]
    notes: frozenset[tuple[str, str]] = frozenset()
    upgrades: tuple[tuple[frozenset[str], int], ...] = ()


def digest(listed: PlayList) -> str:
    """SHA-256 over what a list holds, however it is written: equal lists have the same."""
    held = [
        [name, *sorted(_written(card, count) for card, count in counts.items())]
        for name, counts in sorted(_sections(listed).items())
    ]
    return sha256(msgspec.json.encode(held)).hexdigest()


def _written(card: ComparedCard, count: int) -> str:
    upgrades = [[sorted(words), copies] for words, copies in card.upgrades]
    parts = [sorted(card.words), count, sorted(card.notes), upgrades]
    return msgspec.json.encode(parts).decode()


def same_things(old: PlayList, new: PlayList, shape: Shape | None = None) -> bool:
    """Whether two lists hold the same, the new one's names being clearer at most."""
    lists = (_with_levels(each) if shape and shape.levels else each for each in (old, new))
    earlier, later = map(_sections, lists)
    gone = earlier.keys() - later.keys()
    if later.keys() - earlier.keys():
        return False
    if not gone:
        return all(_all_clearer(earlier[name], later[name]) for name in later)
    loose = sum((earlier[name] for name in gone), Counter[ComparedCard]())
    if _upgrades(earlier) or not _all_clearer(loose, _upgrades(later)):
        return False
    return all(_all_clearer(earlier[name], _bare(later[name])) for name in later)


def _with_levels(listed: PlayList) -> PlayList:
    """The list with a level in every name, also where none is written: no other one is clearer."""
    sections = {
        name: tuple(replace(entry, name=_with_level(entry.name)) for entry in entries)
        for name, entries in listed.sections.items()
    }
    return replace(listed, sections=sections)


def _with_level(name: str) -> str:
    """A name as title, product and level; the product in parentheses is no part of a level."""
    title, level = split_level(name)
    if title == folded(name) and name.endswith(")"):
        base, _, product = name.rpartition("(")
        title, level = split_level(base)
        title = f"{title} ({product}"
    return f"{title} level:{level}"


def _sections(listed: PlayList) -> dict[str, Counter[ComparedCard]]:
    """What each section holds that holds anything."""
    return {name: _counted(entries) for name, entries in listed.sections.items() if entries}


def _counted(entries: Iterable[Listed]) -> Counter[ComparedCard]:
    counts: Counter[ComparedCard] = Counter()
    for entry in entries:
        upgrades: Counter[frozenset[str]] = Counter()
        for upgrade in entry.upgrades:
            upgrades[_words(upgrade.name)] += upgrade.count
        notes = frozenset((folded(name), folded(value)) for name, value in entry.notes.items())
        ordered = tuple(sorted(upgrades.items(), key=lambda each: (sorted(each[0]), each[1])))
        counts[ComparedCard(_words(entry.name), notes, ordered)] += entry.count
    return counts


def _words(name: str) -> frozenset[str]:
    return frozenset(folded(name).split())


def _upgrades(sections: Mapping[str, Counter[ComparedCard]]) -> Counter[ComparedCard]:
    """All upgrades that units bear, as cards of their own."""
    counts: Counter[ComparedCard] = Counter()
    for card, copies in (each for held in sections.values() for each in held.items()):
        for words, count in card.upgrades:
            counts[ComparedCard(words)] += count * copies
    return counts


def _bare(counts: Counter[ComparedCard]) -> Counter[ComparedCard]:
    """The same units without their upgrades."""
    bare: Counter[ComparedCard] = Counter()
    for card, count in counts.items():
        bare[card._replace(upgrades=())] += count
    return bare


def _all_clearer(old: Counter[ComparedCard], new: Counter[ComparedCard]) -> bool:
    """Whether each old copy finds a new copy that is the same or clearer."""
    if old.total() != new.total():
        return False
    same = old & new
    return _paired(old - same, new - same)


def _clearer(old: ComparedCard, new: ComparedCard) -> bool:
    if not (old.words <= new.words and old.notes <= new.notes):
        return False
    if old.upgrades == new.upgrades:
        return True
    if not (_all_words(old) <= _all_words(new)):
        return False  # before the pairing, which is slow
    earlier = Counter({ComparedCard(words): count for words, count in old.upgrades})
    return _all_clearer(earlier, Counter({ComparedCard(w): count for w, count in new.upgrades}))


@lru_cache(maxsize=4_000)
def _all_words(card: ComparedCard) -> frozenset[str]:
    """Every word of a unit's upgrades."""
    return frozenset().union(*(words for words, _ in card.upgrades))


def _paired(old: Counter[ComparedCard], new: Counter[ComparedCard]) -> bool:
    """Whether all copies can be paired, clearer with less clear: a flow that fills both sides."""
    targets = list(new.items())
    edges = [
        [place for place, (card, _) in enumerate(targets) if _clearer(each, card)] for each in old
    ]
    room = [count for _, count in targets]
    flow: list[Counter[int]] = [Counter() for _ in targets]
    for source, count in enumerate(old.values()):
        left = count
        while left:
            way = _way(source, edges, room, flow)
            if not way:
                return False
            back = [flow[target][other] for _, target, other in way if other >= 0]
            moved = min(left, room[way[-1][1]], *back)
            left -= moved
            room[way[-1][1]] -= moved
            for here, target, other in way:
                flow[target][here] += moved
                if other >= 0:
                    flow[target][other] -= moved
    return True


def _way(
    source: int, edges: list[list[int]], room: list[int], flow: list[Counter[int]]
) -> list[tuple[int, int, int]]:
    """Return steps from the source to a target with room; empty where there is no way.

    A step is its source, its target, and whose copies the target gives up, -1 at the end.
    """
    came: dict[int, tuple[int, int]] = {source: (-1, -1)}
    seen: set[int] = set()
    waiting = deque([source])
    while waiting:
        here = waiting.popleft()
        for target in edges[here]:
            if target in seen:
                continue
            seen.add(target)
            if room[target]:
                way = [(here, target, -1)]
                while way[0][0] != source:
                    other = way[0][0]
                    before, through = came[other]
                    way.insert(0, (before, through, other))
                return way
            for other, held in flow[target].items():
                if held and other not in came:
                    came[other] = here, target
                    waiting.append(other)
    return []


class CardChange(Struct, frozen=True):
    """A card of a section, and how many copies there were before and are now."""

    section: str
    card: str
    before: int
    now: int

    def __str__(self) -> str:
        """Return it in words, as `deck: Kiln Golem 0 to 3`."""
        return f"{self.section}: {self.card} {self.before} to {self.now}"


def card_changes(old: PlayList, new: PlayList) -> list[CardChange]:
    """Return the cards whose number differs, in the order of the lists; a unit with its upgrades.

    A name that only became clearer is one card less and one more.
    """
    names: dict[tuple[str, str], str] = {}
    before, now = (_copies_by_card(listed, names) for listed in (old, new))
    return [
        CardChange(key[0], shown, before[key], now[key])
        for key, shown in names.items()
        if before[key] != now[key]
    ]


def text_changes(old: str, new: str, shape: Shape | None = None) -> list[CardChange]:
    """Return the same of two lists, or parts of them, as the log has them."""
    parts = (read_part(text.encode("utf-8", "surrogatepass"), shape) for text in (old, new))
    return card_changes(*parts)


def names_in(text: str) -> set[str]:
    """Return the names of the cards in a part of a list."""
    sections = read_part(text.encode("utf-8", "surrogatepass")).sections
    return {entry.name for held in sections.values() for entry in held}


def _copies_by_card(
    listed: PlayList, names: dict[tuple[str, str], str]
) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for section, entries in listed.sections.items():
        for entry in entries:
            shown = _card_with_upgrades(entry)
            key = section, folded(shown)
            names.setdefault(key, shown)
            counts[key] += entry.count
    return counts


def _card_with_upgrades(entry: Listed) -> str:
    upgrades = sorted(_upgrade_names(entry))
    notes = "; ".join(f"{name}: {value}" for name, value in sorted(entry.notes.items()))
    with_notes = f"{entry.name} [{notes}]" if notes else entry.name
    return " + ".join((with_notes, *upgrades))


def _upgrade_names(entry: Listed) -> Iterator[str]:
    for upgrade in entry.upgrades:
        yield f"{upgrade.count} {upgrade.name}" if upgrade.count > 1 else upgrade.name

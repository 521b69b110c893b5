"""The people of a sheet: their names as first written, near names that are meant, details."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, get_args

from ledger.exchange.foreign import ForeignPlayer
from ledger.exchange.sheets.cells import NEW_NAMES, Doubts
from ledger.exchange.sheets.result_columns import sided
from ledger.facts.base import Tier, label_problem
from ledger.problems import phrase

if TYPE_CHECKING:
    from ledger.exchange.sheets.cells import SheetProblems, SheetRow
    from ledger.rulesets import Ruleset

NEAR = 0.7
"""How much of two names has to be alike, of 1, by `SequenceMatcher.ratio`."""

SIFTED = 0.5
"""Below this, by its quick upper bounds, two names are not compared letter by letter."""

COMPARED_MAX = 40_000
"""How many pairs of names are compared letter by letter in one round."""


class NearNames:
    """Finds the name that one resembles; names as they are compared, without case."""

    def __init__(self, absent: Iterable[str], newcomers: int) -> None:
        self._absent = list(absent)
        self._in_order = {_in_order(name): name for name in self._absent}
        self._initials = {initials: name for name in self._absent for initials in _initials(name)}
        most = COMPARED_MAX // max(1, newcomers)
        self._compared: Sequence[str] = self._absent[:most]

    def nearest(self, name: str) -> str:
        """Return the name of somebody absent that this one resembles; empty for none."""
        if found := self._in_order.get(_in_order(name)):
            return found
        for initials in (name.replace(".", ""), *_initials(name)):
            if found := self._initials.get(initials):
                return found
        matcher = SequenceMatcher(b=name, autojunk=False)
        best, most = "", NEAR
        for other in self._compared:
            matcher.set_seq1(other)
            if matcher.real_quick_ratio() >= SIFTED and matcher.quick_ratio() >= SIFTED:
                ratio = max(matcher.ratio(), _swapped(name, other))
                best, most = (other, ratio) if ratio >= most else (best, most)
        return best


def _in_order(name: str) -> str:
    """Return the words of a name in one order: "lee, ann" and "ann lee" are one."""
    return " ".join(sorted("".join(c if c.isalnum() else " " for c in name).split()))


def _initials(name: str) -> tuple[str, ...]:
    """Return a name of several words with the first or the last one cut to its letter."""
    first, *further = name.replace(".", "").split() or [""]
    if not further:
        return ()
    *between, last = further
    return " ".join((first[0], *further)), " ".join((first, *between, last[0]))


def _swapped(name: str, other: str) -> float:
    """Return 1 where the two differ by one letter, or by two that changed places."""
    if abs(len(name) - len(other)) > 1 or 1 in (len(name), len(other)):
        return 0.0
    same = 0
    while same < min(len(name), len(other)) and name[same] == other[same]:
        same += 1
    one, two = name[same:], other[same:]
    pairs = ((one[1:], two[1:]), (one[1:], two), (one, two[1:]))
    is_swap = one[:2] == two[1::-1] and one[2:] == two[2:] and len(one) > 1
    return 1.0 if is_swap or any(a == b for a, b in pairs) else 0.0


FACTION, LEAGUE_ID = "faction", "league_id"
DETAIL_MAX = 64
TIERS: tuple[Tier, ...] = get_args(Tier)
TITLES: Mapping[str, tuple[str, ...]] = {
    FACTION: ("clan", "army"),
    LEAGUE_ID: ("leagueid", "id", "memberid"),
}


def columns_of_people(keep: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns that say something of either side, and their further titles."""
    columns: dict[str, tuple[str, ...]] = {}
    for label in (FACTION, LEAGUE_ID, *keep):
        columns |= sided(label, TITLES.get(label, ()))
    return columns


class SheetPeople:
    """Everybody whom the rows name, in the order in which they first do."""

    def __init__(self, rules: Ruleset, keep: Sequence[str], doubts: Doubts) -> None:
        self._keep, self._doubts = keep, doubts
        self._factions = {each.casefold(): each for each in rules.factions}
        self._names: dict[str, str] = {}
        self._details: dict[str, dict[str, str]] = {}
        self._first_told: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)

    def note(self, row: SheetRow, side: int, key: str, problems: SheetProblems) -> None:
        """Take the name and what else a row says of one side."""
        self._names.setdefault(key, " ".join(row.cell(f"player{side}").split()))
        for label in (FACTION, LEAGUE_ID, *self._keep):
            column = f"{label}{side}"
            if not (value := row.cell(column)):
                continue
            if label in (FACTION, LEAGUE_ID) and len(value) > DETAIL_MAX:
                problems.add(
                    row.number,
                    column,
                    phrase("is longer than {detail_max} characters", detail_max=DETAIL_MAX),
                )
                continue
            if label == FACTION:
                value = self._faction(row, column, value)
            known = self._details.setdefault(key, {}).setdefault(label, value)
            first = self._first_told.setdefault((key, label), row.number)
            if known != value:
                why = phrase(
                    "{value} differs from {known} in row {first}; the earlier value is used",
                    value=f"{value!r}",
                    known=f"{known!r}",
                    first=first,
                )
                self._doubts.add("changed-details", row.number, column, why)

    def _faction(self, row: SheetRow, column: str, value: str) -> str:
        if not self._factions:
            return value
        if listed := self._factions.get(value.casefold()):
            return listed
        why = phrase(
            "{value} is not a faction of the ruleset: {known}",
            value=repr(value),
            known=tuple(self._factions.values()),
        )
        self._doubts.add("new-faction", row.number, column, why)
        return value

    def ask_about_new(
        self, known: Iterable[str], seated: Mapping[str, tuple[int, str]], of: str
    ) -> None:
        """Doubt each name of a round that is new, and nearly that of somebody who is not in it."""
        before = dict.fromkeys(known)
        new = [key for key in seated if key not in before]
        if not before or not new:
            return
        near = NearNames((key for key in before if key not in seated), len(new))
        for key in new:
            row, column = seated[key]
            if meant := near.nearest(key):
                who = self._names[meant]
                why = phrase(
                    "{name} is new in {of}, but {who} is missing: is it {who}?",
                    name=repr(self._names[key]),
                    of=of,
                    who=f"{who!r}",
                )
                self._doubts.add(NEW_NAMES, row, column, why)

    def keys(self) -> list[str]:
        """Return everybody so far, as names are compared."""
        return list(self._names)

    def players(self) -> tuple[ForeignPlayer, ...]:
        """Return everybody."""
        return tuple(
            self._player(key, name, rank)
            for rank, (key, name) in enumerate(self._names.items(), start=1)
        )

    def _player(self, key: str, name: str, rank: int) -> ForeignPlayer:
        said = self._details.get(key, {})
        labels = {label: said[label] for label in self._keep if label in said}
        own = said.get(FACTION, ""), said.get(LEAGUE_ID, "")
        return ForeignPlayer(key, name, rank, labels, *own)


def keep_problems(keep: Iterable[str]) -> list[str]:
    """Return what is wrong with the labels that columns are kept under."""
    return [str(wrong) for each in keep if (wrong := label_problem(each))]


def tier_of(rows: Iterable[SheetRow], problems: SheetProblems) -> Tier:
    """Return the tier that the rows say, the same in each; relaxed where none does."""
    tier, first = TIERS[0], 0
    for row in rows:
        word = row.cell("tier").lower()
        if word and word not in TIERS:
            problems.add(
                row.number,
                "tier",
                phrase("{word} is not a tier: use {known}", word=repr(word), known=TIERS),
            )
        elif word and first and word != tier:
            problems.add(
                row.number,
                "tier",
                phrase(
                    "is {word}, but row {first} states {tier}", word=word, first=first, tier=tier
                ),
            )
        elif word and not first:
            tier, first = TIERS[TIERS.index(word)], row.number
    return tier

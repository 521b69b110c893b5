"""The people of a sheet: names as first written, factions, league ids and attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

from ledger.events.base import Tier, label_problem
from ledger.exchange.foreign import ForeignPlayer
from ledger.exchange.sheets.doubts import NEW_NAMES, Doubts
from ledger.exchange.sheets.near_names import NearNames
from ledger.exchange.sheets.result_columns import sided

if TYPE_CHECKING:
    from ledger.exchange.sheets.cells import SheetProblems, SheetRow
    from ledger.rulesets import Ruleset

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
                problems.add(row.number, column, f"is longer than {DETAIL_MAX} characters")
                continue
            if label == FACTION:
                value = self._faction(row, column, value)
            known = self._details.setdefault(key, {}).setdefault(label, value)
            first = self._first_told.setdefault((key, label), row.number)
            if known != value:
                why = f"{value!r} is not {known!r}, as row {first} has it; the earlier one is taken"
                self._doubts.add("changed-details", row.number, column, why)

    def _faction(self, row: SheetRow, column: str, value: str) -> str:
        if not self._factions:
            return value
        if listed := self._factions.get(value.casefold()):
            return listed
        why = f"{value!r} is no faction of the ruleset: {', '.join(self._factions.values())}"
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
                why = f"{self._names[key]!r} is new in {of}, where {who!r} is not: is it {who!r}?"
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
    return list(filter(None, map(label_problem, keep)))


def tier_of(rows: Iterable[SheetRow], problems: SheetProblems) -> Tier:
    """Return the tier that the rows say, the same in each; relaxed where none does."""
    tier, first = TIERS[0], 0
    for row in rows:
        word = row.cell("tier").lower()
        if word and word not in TIERS:
            problems.add(row.number, "tier", f"{word!r} is no tier: {', '.join(TIERS)}")
        elif word and first and word != tier:
            problems.add(row.number, "tier", f"is {word}, and row {first} says {tier}")
        elif word and not first:
            tier, first = TIERS[TIERS.index(word)], row.number
    return tier

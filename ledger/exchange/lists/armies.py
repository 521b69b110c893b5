"""Units of an army: lines that are units or upgrades, and their costs.

The forms are those of Legion HQ (`NAME (175): UPGRADE (5) = 180`, `NAME (180)`, `NAME (UPGRADE)`),
of Tabletop Admiral (`NAME 175 + 5 = 180`) and of Runewars builders (`NAME [30] 2x2`,
`NAME (3x3) 59`, `NAME, 6 trays [68]`, `NAME 2x1 (UPGRADE) - 36 points`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from ledger.exchange.lists.lines import LineNote, amount, marked, name_problem
from ledger.formats.play_lists import Listed, Upgrade
from ledger.problems import Phrase, phrase

if TYPE_CHECKING:
    from ledger.exchange.lists.lines import TextLine

_N = r"[0-9]{1,5}"
_TRAYS = r"[0-9]{1,2} ?[x\u00d7] ?[0-9]{1,2}|[0-9]{1,2} trays?"

_SUMMED = re.compile(
    rf"(?P<name>\S.*?) (?P<open>\()?(?P<cost>{_N})(?: \+ (?P<more>{_N}))?(?(open)\))"
    rf"(?: [x\u00d7] (?P<times>{_N}))? = (?P<sum>{_N})"
)
_LISTED = re.compile(rf"(?P<name>\S.*?) \((?P<cost>{_N})\): ?(?P<upgrades>\S.*) = (?P<sum>{_N})")
_ALONE = re.compile(rf"(?P<name>\S.*?)(?: \((?P<cost>{_N})\))? = (?P<sum>{_N})")
_PLUS = re.compile(rf"(?P<name>\S.*?) \((?P<cost>{_N})\) \+ (?P<upgrades>\S.*)")
_POINTS = re.compile(
    rf"(?P<name>\S.*?)(?: (?P<trays>{_TRAYS}))?(?: \((?P<upgrades>[^()]*)\))?"
    rf" [-\u2013\u2014] (?P<sum>{_N}) (?:points?|pts?\.?)"
)
_BRACKETED = re.compile(
    rf"(?P<name>\S.*?)(?:, (?P<trays>{_TRAYS}))? \[(?P<cost>{_N})\]"
    rf"(?: (?P<behind>{_TRAYS}))?(?: [-\u2013\u2014])?"
)
_WITHIN = re.compile(rf"(?P<name>\S.*?) \((?P<trays>{_TRAYS})\) (?P<cost>{_N})")
_FREE = re.compile(rf"(?P<name>\S.*?)(?:, | )(?P<trays>{_TRAYS})")
_COSTED = re.compile(rf"(?P<name>\S.*?) \((?P<cost>{_N})\)")
_NUMBER = re.compile(rf"(?P<name>\S.*?) (?P<cost>{_N})")
_NESTED = re.compile(r"(?P<name>[^():]*[^(): ]) ?\((?P<upgrades>[^()]*\S[^()]*)\)")
_FOLLOWED = re.compile(r"(?P<name>[^:]*[^: ]): (?P<upgrades>\S.*)")
_UPGRADE = re.compile(
    rf"(?P<name>[^,/].*?) \((?P<cost>{_N})\)(?: ?/ ?(?P<set>[^,].*?) \({_N}\))?(?:, | \+ |$)"
)


class Costed(NamedTuple):
    """An upgrade as a tool writes it, perhaps with a loadout, which is no part of the list."""

    name: str
    copies: int = 1
    cost: int | None = None
    loadout: str = ""


class UnitText(NamedTuple):
    """What one line says of a unit."""

    name: str
    copies: int | None
    upgrades: tuple[Costed, ...] = ()
    trays: str = ""
    cost: int | None = None
    sum: int | None = None
    problem: Phrase | str = ""
    inside: bool = False
    """Whether the sum has the costs of upgrades in it, those on lines of their own too."""

    more: int | None = None
    """What the upgrades on the lines below cost together."""

    times: int | None = None

    @property
    def full_name(self) -> str:
        """The name with its trays, which tell sizes of one unit apart."""
        return f"{self.name} ({self.trays})" if self.trays else self.name


def unit_text(text: str) -> UnitText | None:
    """Read a unit with costs or trays, in whatever tool's form; None for a name alone."""
    for pattern in (_LISTED, _SUMMED, _ALONE, _PLUS, _POINTS, _WITHIN, _BRACKETED, _FREE):
        if found := pattern.fullmatch(text):
            return _made(found.groupdict())
    return None


def costed(text: str) -> Costed | None:
    """Read an upgrade with its cost in signs, perhaps with a loadout; None without a cost."""
    if found := _UPGRADE.fullmatch(text):
        return Costed(found["name"], 1, int(found["cost"]), found["set"] or "")
    found = _BRACKETED.fullmatch(text)
    if found and not (found["trays"] or found["behind"]):
        return Costed(found["name"], 1, int(found["cost"]))
    return None


def numbered(text: str) -> Costed | None:
    """Read an upgrade whose cost is a mere number behind its name."""
    found = _NUMBER.fullmatch(text)
    return Costed(found["name"], 1, int(found["cost"])) if found else None


def with_cost(text: str) -> UnitText | None:
    """Read `NAME (190)`, a unit with the cost of everything that it bears."""
    found = _COSTED.fullmatch(text)
    if found is None:
        return None
    held = amount(found["name"])
    sum_ = int(found["cost"])
    return UnitText(held.name, held.copies, sum=sum_, problem=held.problem, inside=True)


def nested(text: str) -> UnitText | None:
    """Read `NAME (UPGRADE, UPGRADE)`."""
    return _with_row(_NESTED.fullmatch(text))


def followed(text: str) -> UnitText | None:
    """Read `NAME: UPGRADE, UPGRADE`."""
    return _with_row(_FOLLOWED.fullmatch(text))


def _with_row(found: re.Match[str] | None) -> UnitText | None:
    if found is None:
        return None
    held = amount(found["name"])
    return UnitText(held.name, held.copies, upgrades_of(found["upgrades"]), problem=held.problem)


def upgrades_of(text: str) -> tuple[Costed, ...]:
    """Read a row of upgrades; with costs a name may hold a comma."""
    found: list[Costed] = []
    place = 0
    while match := _UPGRADE.match(text, place):
        found.append(Costed(match["name"], 1, int(match["cost"]), match["set"] or ""))
        place = match.end()
    if found and place >= len(text):
        return tuple(found)
    parts = (each.strip() for each in re.split(r", ?| \+ ", text))
    return tuple(costed(part) or Costed(part) for part in parts if part)


def _made(groups: dict[str, str | None]) -> UnitText:
    held = amount(groups["name"] or "")
    cost, sum_, more, times = (
        int(value) if (value := groups.get(key)) else None
        for key in ("cost", "sum", "more", "times")
    )
    return UnitText(
        held.name,
        held.copies,
        upgrades_of(groups.get("upgrades") or ""),
        (groups.get("trays") or groups.get("behind") or "").replace(" x ", "x"),
        cost,
        sum_,
        held.problem,
        more=more,
        times=times,
    )


LOADOUT = phrase("is a loadout, not part of the list")

ROW_MARK = "--"
"""Before upgrades that stand on a line of their own, apart by commas."""


class Unit(Struct):
    """A unit as far as it is read."""

    line: int
    depth: int
    text: UnitText
    count: int
    notes: dict[str, str] = {}
    upgrades: list[Costed] = field(default_factory=list)
    below: int = 0
    """How many of its upgrades stand on lines of their own."""

    @property
    def cost(self) -> int | None:
        """What one of it costs with its upgrades, where the file says all of it."""
        costs = [each.cost for each in self.upgrades]
        if self.text.cost is None or None in costs:
            return None
        return self.text.cost + sum((each.cost or 0) * each.copies for each in self.upgrades)

    @property
    def sums(self) -> set[int]:
        """What the unit may add to the army's points; empty where the file does not say."""
        if self.text.sum is None:
            return {self.cost * self.count} if self.cost is not None else set()
        alone = self.text.cost is None and not self.upgrades
        return {self.text.sum, self.text.sum * (self.count if alone else 1)}


class Army:
    """The units of a list in the order of the file."""

    def __init__(self, *, bare: bool, dashed: bool) -> None:
        self.bare, self.dashed = bare, dashed
        self.units: list[Unit] = []
        self.notes: list[LineNote] = []
        self.bullets: int | None = None
        """How far in the dashes stand that begin a unit; none where dashes begin upgrades."""

        self.plain_costs: list[LineNote] = []
        """Upgrades with a mere number behind their names, which may belong to the name."""

        self.fresh = True
        """Whether no unit stands below the latest heading."""

        self.stated = False
        """Whether the file itself names the section of units."""

    @property
    def copies(self) -> int:
        """How many units there are."""
        return sum(unit.count for unit in self.units)

    def begin(self, *, stated: bool) -> None:
        """Begin below a heading, perhaps with the section's own name."""
        self.fresh, self.stated, self.bullets = True, stated, None

    def take(self, line: TextLine) -> Phrase | str:
        """Read a line; what is wrong with it, or nothing."""
        mark, rest = marked(line.text)
        if mark == ROW_MARK:
            return self._row(rest)
        if mark and self.fresh:
            if unit_text(rest) is None and amount(rest).copies is None:
                return phrase("is an upgrade without a unit above it")
            self.bullets = line.depth
        if self._is_upgrade(line, mark, rest):
            is_margin = not mark and line.depth <= self.units[-1].depth
            return self._upgrade(line.number, rest, is_margin=is_margin)
        if self.bullets is not None and not mark and unit_text(rest) is None:
            return phrase("must begin with a dash, as the units above it do")
        found = self._unit(rest)
        return self._add(line, found) if isinstance(found, UnitText) else found

    def _is_upgrade(self, line: TextLine, mark: str, text: str) -> bool:
        if not self.units or self.fresh:
            return False
        found = unit_text(text)
        if found is not None and (found.sum is not None or found.trays):
            return False
        if mark:
            return self.bullets is None or line.depth > self.bullets
        if line.depth > self.units[-1].depth:
            return True
        is_unit = amount(text).copies is not None or self.dashed or not self.units[-1].text.trays
        return not is_unit and (costed(text) or numbered(text)) is not None

    def _unit(self, text: str) -> UnitText | Phrase | str:
        found = unit_text(text) or (with_cost(text) if self.bare else None)
        if found is not None:
            return found
        held = amount(text)
        inner = nested(text) if self.bare and not self.stated else None
        if inner := inner or (None if held.notes else followed(text)):
            return inner
        if held.copies is None and not self.bare and self.bullets is None:
            return phrase("has no number: write `1 Name`, and a dash before upgrades")
        return UnitText(held.name, held.copies, problem=held.problem)

    def _add(self, line: TextLine, found: UnitText) -> Phrase | str:
        problems = (found.problem, *(name_problem(each.name) for each in found.upgrades))
        problem = next((each for each in problems if each), "")
        if problem:
            return problem
        notes = amount(marked(line.text)[1]).notes
        self.units.append(
            Unit(line.number, line.depth, found, found.copies or 1, notes, list(found.upgrades))
        )
        self.fresh = False
        for each in found.upgrades:
            self._note_loadout(line.number, each)
        return ""

    def _row(self, text: str) -> Phrase | str:
        if not self.units:
            return phrase("is a row of upgrades without a unit above it")
        problems = map(self._bear, upgrades_of(text))
        return next((each for each in problems if each), "")

    def _upgrade(self, number: int, text: str, *, is_margin: bool) -> Phrase | str:
        held = costed(text)
        if held is None and is_margin and (held := numbered(text)):
            self.plain_costs.append(
                LineNote(
                    number,
                    phrase(
                        "is read as costing {cost}, the number after its name", cost=held.cost or 0
                    ),
                    held.name,
                )
            )
        if held is None:
            read = amount(text)
            if read.problem or read.notes:
                return read.problem or phrase(
                    "is not an upgrade: write a name without brackets, or `2 Name`"
                )
            held = Costed(read.name, read.copies or 1)
        return self._bear(held)

    def _bear(self, upgrade: Costed) -> Phrase | str:
        unit = self.units[-1]
        if problem := name_problem(upgrade.name):
            return problem
        if unit.count > 1 and unit.text.times is None and unit.text.more is None:
            return phrase(
                "belongs to one of {count} {name}: give each unit its own line",
                count=unit.count,
                name=unit.text.name,
            )
        unit.upgrades.append(upgrade)
        self._note_loadout(unit.line, upgrade)
        return ""

    def _note_loadout(self, number: int, upgrade: Costed) -> None:
        if upgrade.loadout:
            self.notes.append(LineNote(number, LOADOUT, upgrade.loadout))

    def listed(self) -> Iterator[Listed]:
        """Yield the lines of the list: units that bear upgrades one by one."""
        for unit in self.units:
            upgrades = tuple(Upgrade(each.name, each.copies) for each in unit.upgrades)
            copies = unit.count if upgrades else 1
            count = 1 if upgrades else unit.count
            for _ in range(copies):
                yield Listed(unit.text.full_name, count, unit.notes, upgrades)

    def compare_unit(self, number: int, stated: int) -> None:
        """Compare what a line says that the latest unit costs."""
        cost = self.units[-1].cost if self.units else None
        if cost is not None and cost != stated:
            why = phrase(
                "states {stated}, but {name} costs {cost} with its upgrades",
                stated=stated,
                name=self.units[-1].text.name,
                cost=cost,
            )
            self.notes.append(LineNote(number, why, differs=True))

    def mismatches(self, total: int | None, activations: int | None) -> Iterator[LineNote]:
        """Yield what does not add up: each unit, the points, the number of units."""
        if activations not in {None, self.copies}:
            why = phrase(
                "the file states {activations} units, but lists {copies}",
                activations=activations,
                copies=self.copies,
            )
            yield LineNote(0, why, differs=True)
        for unit in self.units:
            yield from _mismatch(unit)
        sums = [unit.sums for unit in self.units]
        if total is None or not all(sums):
            yield from self.plain_costs
            return
        if total not in {sum(map(min, sums)), sum(map(max, sums))}:
            why = phrase(
                "the file states {total} points, but its units add up to {sum}",
                total=total,
                sum=sum(map(max, sums)),
            )
            yield LineNote(0, why, differs=True)


def _mismatch(unit: Unit) -> Iterator[LineNote]:
    text, held = unit.text, [each.cost for each in unit.upgrades]
    if text.times is not None and text.times != unit.count:
        yield LineNote(
            unit.line,
            phrase("states both {count} and {times} copies", count=unit.count, times=text.times),
            differs=True,
        )
    borne = sum(filter(None, held))
    if text.more is not None and None not in held and text.more != borne:
        why = phrase(
            "states {more} for upgrades, but the listed upgrades cost {borne}",
            more=text.more,
            borne=borne,
        )
        yield LineNote(unit.line, why, text.name, differs=True)
    cost = None if text.inside else unit.cost
    if text.sum is not None and cost is not None and text.sum != cost * unit.count:
        why = phrase("adds up to {cost}, not {sum}", cost=cost * unit.count, sum=text.sum)
        yield LineNote(unit.line, why, text.name, differs=True)

"""Lines of army builders: a unit with its costs and upgrades, or an upgrade on its own.

The forms are those of Legion HQ (`NAME (175): UPGRADE (5) = 180`, `NAME (180)`, `NAME (UPGRADE)`),
of Tabletop Admiral (`NAME 175 + 5 = 180`) and of Runewars builders (`NAME [30] 2x2`,
`NAME (3x3) 59`, `NAME, 6 trays [68]`, `NAME 2x1 (UPGRADE) - 36 points`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ledger.exchange.lists.amounts import amount

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
    problem: str = ""
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

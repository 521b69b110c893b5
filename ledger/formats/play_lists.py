"""What a list holds that a player hands in: sections, cards, units with their upgrades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ledger.rulesets.stricter import binds

NUMBER_MAX = 1_000_000
COUNT_MAX = 999

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Number = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Copies = Annotated[int, Meta(ge=1, le=COUNT_MAX)]
Sign = Literal["", "X"]
"""A capital X by itself behind the count: a sign, or the beginning of the card's name."""


class Upgrade(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An upgrade card that one unit bears, and how many copies of it."""

    name: Name
    count: Copies = 1
    sign: Sign = ""


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a list: a number of copies of a card, or one unit with its upgrades."""

    name: Name
    count: Copies = 1
    notes: Mapping[Name, str] = field(default_factory=dict)
    upgrades: tuple[Upgrade, ...] = ()
    sign: Sign = ""


class PlayList(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A list as written: who plays it, what it holds by section, and what it says of itself.

    `total` is the declared sum of points and `totals` the declared number of cards by section;
    `remarks` are its other statements, such as the sleeves used.
    """

    player: str = ""
    total: Number | None = None
    totals: Mapping[Name, Number] = field(default_factory=dict)
    remarks: Mapping[Name, str] = field(default_factory=dict)
    sections: Mapping[Name, tuple[Listed, ...]] = field(default_factory=dict)


class Shape(Struct, frozen=True):
    """What a format says of a list's form: its sections, and whose lines bear upgrades.

    `levels`: a level of experience is part of a name, and makes another card of it.
    """

    sections: frozenset[str]
    bearing: frozenset[str]
    levels: bool = False

    def by_rules(self, rules: int) -> Shape:
        """What it says in a log of these rules."""
        return self if binds(rules, "levels") else replace(self, levels=False)

    def bears(self, section: str) -> bool:
        """Whether the lines of a section are units that bear upgrades."""
        return section in self.bearing or plain(section) in self.bearing

    def has(self, section: str) -> bool:
        """Whether a section is one of the format's."""
        return section in self.sections or plain(section) in self.sections


def plain(section: str) -> str:
    """Return the name of a section without its number: group 2 is a group."""
    return section.rstrip("0123456789").rstrip()

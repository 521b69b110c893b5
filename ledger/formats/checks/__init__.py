"""The named procedures that a format's data refers to, by theme.

A new procedure is a struct in one of these modules and a member of `AnyCheck`.
"""

from __future__ import annotations

from ledger.formats.checks.base import Check
from ledger.formats.checks.bearing import Borne, Slots
from ledger.formats.checks.belonging import Belongs, Few, InClan, Never, Placed, Serves, Splash
from ledger.formats.checks.counting import Copies, Count, Declared, Holds, Spread, Total
from ledger.formats.checks.dates import InSeason, Released
from ledger.formats.checks.equipment import CustomTerrain, SamePools, TopTwo, Within
from ledger.formats.checks.legality import Banned, Clans, Starting
from ledger.formats.checks.same import Same
from ledger.formats.checks.stating import Content, Given, Oracle, Sleeves, Stated, Unchecked

AnyCheck = (
    Banned
    | Belongs
    | Borne
    | Clans
    | Content
    | Copies
    | Count
    | CustomTerrain
    | Declared
    | Few
    | Given
    | Holds
    | InClan
    | InSeason
    | Never
    | Oracle
    | Placed
    | Released
    | Same
    | SamePools
    | Serves
    | Sleeves
    | Slots
    | Splash
    | Spread
    | Starting
    | Stated
    | TopTwo
    | Total
    | Unchecked
    | Within
)

__all__ = ["AnyCheck", "Check"]

"""The named procedures that a format's data refers to, by theme.

A new procedure is a struct in one of these modules and a member of `AnyCheck`.
"""

from __future__ import annotations

from ledger.formats.checks.base import Check
from ledger.formats.checks.bearing import Borne
from ledger.formats.checks.bearing import Slots
from ledger.formats.checks.belonging import Belongs
from ledger.formats.checks.belonging import Few
from ledger.formats.checks.belonging import InClan
from ledger.formats.checks.belonging import Never
from ledger.formats.checks.belonging import Placed
from ledger.formats.checks.belonging import Serves
from ledger.formats.checks.belonging import Splash
from ledger.formats.checks.counting import Copies
from ledger.formats.checks.counting import Count
from ledger.formats.checks.counting import Declared
from ledger.formats.checks.counting import Holds
from ledger.formats.checks.counting import Spread
from ledger.formats.checks.counting import Total
from ledger.formats.checks.dates import InSeason
from ledger.formats.checks.dates import Released
from ledger.formats.checks.legality import Banned
from ledger.formats.checks.legality import Clans
from ledger.formats.checks.legality import Starting
from ledger.formats.checks.same import Same
from ledger.formats.checks.setups import CustomTerrain
from ledger.formats.checks.setups import SamePools
from ledger.formats.checks.setups import TopTwo
from ledger.formats.checks.setups import Within
from ledger.formats.checks.stating import Content
from ledger.formats.checks.stating import Given
from ledger.formats.checks.stating import Oracle
from ledger.formats.checks.stating import Sleeves
from ledger.formats.checks.stating import Stated
from ledger.formats.checks.stating import Unchecked

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

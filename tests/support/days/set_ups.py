"""Tables with set-up rules, for tests: what a ruleset says of them, and a match to set up."""

from __future__ import annotations

from ledger.rules.setups import AnnounceTerrain
from tests.support.simulate import Day

BY_TOTAL = '\n[floor.first]\nclause = "RW-FIRST"\nchooser = "army total"\n'
BY_ROLL = '\n[floor.first]\nclause = "AOP-FIRST"\nchooser = "roll"\n'
AT_RANDOM = '\n[floor.first]\nclause = "L5R-FIRST"\nchooser = "random"\n'
SECOND_CHOOSES = '\n[floor.sides]\nclause = "RW-SIDE"\nchooser = "second player"\n'
LOWER_CHOOSES = '\n[floor.sides]\nclause = "SWL-SIDES"\nchooser = "army total"\n'
TERRAIN = '\n[floor.terrain]\nclause = "SWL-TERRAIN"\nfixed = "SWL-FIXED-TERRAIN"\n'
VERIFICATION = '\n[floor.verification]\nclause = "RW-VERIFY"\n'
FIRST_FIVE = '\n[floor.first_five]\nclause = "AOP-FIRSTFIVE-REVIEWER"\n'
DRAFT = '\n[floor.draft]\nclause = "AOP-DRAFT"\n'
PACE = '\n[floor.pace]\nclause = "AOP-MODERATE"\n'
BATTLE = '\n[floor.battle]\nclause = "SWL-SETUP"\n'


def table_of(floor: str) -> tuple[Day, int, int, int]:
    """A match of two with these rules: the day, its number, its players."""
    day = Day(2, ruleset="swiss", floor=floor + TERRAIN)
    day.do(AnnounceTerrain(fixed=True))
    day.start(1)
    match = day.pair()[0]
    return day, match.number, match.first, match.second

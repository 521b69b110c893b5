"""Rules that became stricter: what each asks, and from which rules number of line 1 on.

A log holds to the rules of the day it began: an earlier one replays as it did then, and its audit
says what it was not held to.
"""

from __future__ import annotations

from typing import NamedTuple


class StricterRule(NamedTuple):
    """What a clause asks from rules number since on."""

    since: int
    clause: str
    asks: str


STRICTER: dict[str, StricterRule] = {
    "levels": StricterRule(
        2, "LEG-EXPERIENCED", "a correction to another level of experience lists another card"
    ),
    "failing-deck": StricterRule(
        2, "AOP-DECKCHECK", "a deck that failed its check is not paired in silence"
    ),
    "declared": StricterRule(
        2,
        "FFG-AUTH-CONDUCT, AOP-DECLARE",
        "a penalty, and a result that is imposed, is by who decides on conduct",
    ),
    "override": StricterRule(
        2, "FFG-REMATCH, FFG-BYE-LATER", "a rematch or a second bye is let through by the organizer"
    ),
    "confirms": StricterRule(
        2,
        "L5R-TIME",
        "the leader who confirms the count after time is in office, and plays at another table",
    ),
    "drawn-chooser": StricterRule(
        2,
        "RW-FIRST, SWL-SIDES",
        "who was drawn at equal army totals chooses, but for a reason",
    ),
    "time-early": StricterRule(
        2, "FFG-CLOCK", "a result after time is reported of a round that has started"
    ),
    "links": StricterRule(
        3,
        "FFG-ROLE-STATUS",
        "the link of an official is revoked by themselves or by who has a higher office, and takes "
        "no act while they are out of office",
    ),
    "requests": StricterRule(
        3, "FFG-STRUCTURE", "at most 200 requests to be registered are open at once"
    ),
}
"""By a name that the rule's check gives."""


def binds(rules: int, name: str) -> bool:
    """Whether a log of these rules is held to a rule of STRICTER."""
    return rules >= STRICTER[name].since


def later_rules(rules: int) -> list[StricterRule]:
    """Return what a log of these rules was not held to."""
    return [rule for rule in STRICTER.values() if rule.since > rules]

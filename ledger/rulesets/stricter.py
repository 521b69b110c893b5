"""Rules that became stricter: what each asks, and from which rules number of line 1 on.

A log holds to the rules of the day it began: an earlier one replays as it did then, and its audit
says what it was not held to.
"""

from __future__ import annotations

from typing import NamedTuple

from ledger.problems import marked


class StricterRule(NamedTuple):
    """What a clause asks from rules number since on."""

    since: int
    clause: str
    asks: str


STRICTER: dict[str, StricterRule] = {
    "levels": StricterRule(
        2,
        "LEG-EXPERIENCED",
        marked("a correction to another level of experience counts as another card"),
    ),
    "failing-deck": StricterRule(
        2,
        "AOP-DECKCHECK",
        marked("a player whose deck failed the check cannot be paired without a waiver"),
    ),
    "declared": StricterRule(
        2,
        "FFG-AUTH-CONDUCT, AOP-DECLARE",
        marked("only an official who decides on conduct can give a penalty or impose a result"),
    ),
    "override": StricterRule(
        2,
        "FFG-REMATCH, FFG-BYE-LATER",
        marked("only the organizer can allow a rematch or a second bye"),
    ),
    "confirms": StricterRule(
        2,
        "L5R-TIME",
        marked(
            "the leader who confirms the count after time must be in office and not play at that "
            "table"
        ),
    ),
    "drawn-chooser": StricterRule(
        2,
        "RW-FIRST, SWL-SIDES",
        marked("the player drawn at equal army totals must choose, unless a reason is given"),
    ),
    "time-early": StricterRule(
        2,
        "FFG-CLOCK",
        marked("a result after time can be reported only in a round that has started"),
    ),
    "links": StricterRule(
        3,
        "FFG-ROLE-STATUS",
        (
            marked(
                "only the official or a higher official can revoke an official's link, and "
                "it cannot be used while the official is out of office"
            )
        ),
    ),
    "requests": StricterRule(
        3, "FFG-STRUCTURE", marked("at most 200 requests for registration can be open at once")
    ),
    "before-time": StricterRule(
        4,
        "FFG-CLOCK",
        marked(
            "a game can end by time only once time was called, or the clock of its table has run "
            "out"
        ),
    ),
    "few-rounds": StricterRule(
        4, "AOP-ROUNDS", marked("fewer rounds than the game's table asks for need a reason")
    ),
    "prizes": StricterRule(
        4,
        "AOP-ORGANIZER",
        marked(
            "a prize for placing needs a reason before the end, without an offer and a second time"
        ),
    ),
}
"""By a name that the rule's check gives."""


def binds(rules: int, name: str) -> bool:
    """Whether a log of these rules is held to a rule of STRICTER."""
    return rules >= STRICTER[name].since


def later_rules(rules: int) -> list[StricterRule]:
    """Return what a log of these rules was not held to."""
    return [rule for rule in STRICTER.values() if rule.since > rules]

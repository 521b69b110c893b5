"""Officials for tests: appointed and registered in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rules.opening import AppointOfficial
from ledger.rules.people import Entry, RegisterPlayers

if TYPE_CHECKING:
    from ledger.facts.base import Role
    from tests.support.simulate import Day

ASHES = """
[floor.authority]
clause = "AOP-AUTH"
leaders = ["organizer", "co-organizer"]
playing = "announced"
placing_prize = "passes"
"""
"""What a ruleset says where an organizer's word is final and the organizer may play."""


def register(day: Day, name: str) -> int:
    """Register a player; their number."""
    day.do(RegisterPlayers((Entry(name),)))
    return len(day.tournament.players) - 1


def appoint(day: Day, name: str, *roles: Role) -> int:
    """Appoint an official; their number."""
    day.do(AppointOfficial(name, roles))
    return len(day.tournament.officials) - 1

"""Whole days under the keys of the small logs, so that the same edits and signatures apply."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from ledger.proof import notes
from tests.faults.logs import small_edits, small_logs
from tests.faults.logs.exports import exports
from tests.support.signed_logs import tournament_of

if TYPE_CHECKING:
    from tests.faults.logs.small_logs import Small

OFFICIALS = 2
KEYED_AT = 4
"""Behind which line the first officials have keys: the organizer was appointed by then."""


def chance_of(seed: int) -> Random:
    """Return chance for one log."""
    return Random(seed)


@cache
def days() -> tuple[tuple[bytes, ...], ...]:
    """Every sample log that is not too long and days of chance, two officials' keys in each."""
    return tuple(_keyed(each.lines, place) for place, each in enumerate(exports()))


def edited(chance: Random, _case: int) -> Small:
    """Edit a whole day, a shorter one the more often."""
    lines = chance.choices(days(), [1 / len(each) for each in days()])[0]
    return small_edits.edited_of(list(lines), chance)


def _keyed(lines: tuple[bytes, ...], seed: int) -> tuple[bytes, ...]:
    chance = chance_of(seed)
    old = tournament_of(lines).encode()
    found: list[bytes] = []
    for number, line in enumerate(lines):
        if number == KEYED_AT:
            found += _keys(found, chance)
        value = json.loads(line.replace(old, small_logs.TOURNAMENT.encode()))
        value.pop("sig", None)
        value["seq"] = len(found) + 1
        if number == 0 and "log_key" in value["data"]:
            value["data"]["log_key"] = notes.base64_of(small_logs.LOGS[0].key.public)
        found.append(small_logs.signed_truly(found, small_edits.written(value), chance))
    return tuple(found)


def _keys(lines: list[bytes], chance: Random) -> list[bytes]:
    """Lines that give the first officials a key each."""
    found = list(lines)
    for holder in range(1, OFFICIALS + 1):
        found.append(small_logs.first_key(holder, found, chance))
    return found[len(lines) :]

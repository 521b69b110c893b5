"""A win of the first player, as each game tells it."""

from __future__ import annotations

from ledger.rules.results import StatedResult

AT_TIME = {
    "broken": (2, 4),
    "honor": (4, 13),
    "favor": (1, 0),
    "passed": (1, 1),
    "broken-after": (3, 4),
    "honor-after": (5, 10),
    "favor-after": (0, 1),
    "first": (1, 0),
}
WINS = {
    "l5r": StatedResult("win"),
    "runewars": StatedResult(facts={"score": (107, 49)}, ending="rounds"),
    "legion": StatedResult(facts={"tokens": (3, 1), "score": (300, 200)}, ending="rounds"),
    "ashes": StatedResult("win", facts={"wounds": (12, 20)}, ending="destroyed"),
}


def won(game: str) -> StatedResult:
    return WINS[game]


def lost(game: str) -> StatedResult:
    """The same the other way round."""
    said = WINS[game]
    facts = {name: value[::-1] for name, value in (said.facts or {}).items()} or None
    return StatedResult("loss" if said.outcome else "", facts=facts, ending=said.ending)


def at_time(leader: int) -> StatedResult:
    """L5R-TIME: both counts, the passes, and the leader who confirmed them."""
    return StatedResult(facts=AT_TIME | {"leader": (leader, leader)}, ending="time")

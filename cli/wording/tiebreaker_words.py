"""A tiebreaker in one sentence, from what is summed to what becomes of the sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.rulesets import Tiebreaker
    from ledger.rulesets.tiebreakers import Cut, Virtual, Where

LETTERS = {"W": "won", "L": "lost", "D": "drawn"}

MISSING = {
    "decided": "where not all of them met, who is ahead whatever the missing games end in",
    "ignored": "by the games there were",
    "void": "only where all of them met",
}


def tiebreaker_in_words(one: Tiebreaker) -> str:
    """Say how a tiebreaker is computed."""
    return "".join((_base(one), *_terms(one), *_after(one)))


def _base(one: Tiebreaker) -> str:
    if one.over == "tied":
        return f"who is ahead by {one.source} among those level so far; {MISSING[one.missing]}"
    if one.over == "progress":
        return f"{one.reduction} of own running totals of {one.source} after each round"
    if one.reduction == "performance":
        return f"performance against opponents' {one.source}, by the {one.steps} results"
    per = f" per {one.per}" if one.per else ""
    scaled = f" times {one.scale}" if one.scale != 1 else ""
    floor = f", each at least {one.floor}" if one.floor else ""
    whose = "opponents'" if one.over == "opponents" else "own"
    return f"{one.reduction} of {whose} {one.source}{per}{scaled}{floor}"


def _terms(one: Tiebreaker) -> Iterator[str]:
    if one.rounds:
        yield f"; of rounds {_list(one.rounds)}"
    if one.records:
        yield f"; of those {_list([LETTERS[each] for each in one.records])}"
    if one.seat:
        yield f"; in the {one.seat} seat"
    if one.worth:
        yield f"; worth {one.worth} points at least"
    yield from _of_the_round(one)
    if one.where:
        yield _where(one.where)
    if one.virtual:
        yield _virtual(one.virtual)
    if one.trailing:
        kinds = _list(one.trailing.rounds)
        yield f"; rounds {kinds} at the end of a player's day count {one.trailing.points}"
    if one.cut:
        yield _cut(one.cut)


def _of_the_round(one: Tiebreaker) -> Iterator[str]:
    if one.beside:
        less = f" less {one.beside.minus}" if one.beside.minus else ""
        scaled = f" times {one.beside.times}" if one.beside.times != 1 else ""
        yield f"; each with the {one.beside.plus}{less} of the round{scaled}"
    if one.times:
        yield f"; each times the {one.times} of the round"


def _where(where: Where) -> str:
    per = f" per {where.per}" if where.per else ""
    scaled = f" times {where.scale}" if where.scale != 1 else ""
    least = f" of at least {where.min}" if where.min else ""
    most = f" of at most {where.max}" if where.max else ""
    return f"; of opponents with {where.source}{per}{scaled}{least}{most}"


def _virtual(virtual: Virtual) -> str:
    most = f", at most {virtual.most} a round announced" if virtual.most else ""
    scheduled = ", no more than who should have come" if virtual.scheduled else ""
    who = f"an opponent made up with the own {virtual.source}"
    return f"; rounds {_list(virtual.rounds)} bring {who}{most}{scheduled}"


def _cut(cut: Cut) -> str:
    ends = [
        f"{count} {end}" if count > 1 else end
        for count, end in ((cut.low, "lowest"), (cut.high, "highest"))
        if count
    ]
    first = f", first of rounds {_list(cut.first)}" if cut.first else ""
    whose = " by the opponents' worth" if cut.by == "source" else ""
    return f"; without the {_list(ends)}{whose}{first}"


def _after(one: Tiebreaker) -> Iterator[str]:
    if one.divide != 1:
        yield f"; divided by {one.divide}"
    if one.rounding:
        yield "; to a whole number, half up"
    if one.steps and one.reduction != "performance":
        yield f"; looked up in {one.steps}"
    if one.plus:
        yield f"; plus {_list(one.plus)}"
    if one.minus:
        yield f"; less {_list(one.minus)}"
    if one.last_drawn is not None:
        yield f"; as if each game of the last round gave {one.last_drawn}"
    if one.order == "ascending":
        yield "; less is better"
    if one.since or one.until:
        yield f"; in force {one.since or ''} to {one.until or ''}"


def _list(words: tuple[str, ...] | list[str]) -> str:
    return " and ".join(words)

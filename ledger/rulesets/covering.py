"""Games that together come to everything a procedure can: each outcome, points and fields, once.

This is for a caller that needs every result that a table may report. Each game here could be
reported, unless `derive` refuses it; the games left out come to nothing else. `values` gives the
numbers of a range: all of them, or it raises, or fewer where fewer will do.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.rulesets.deriving import Pair, sided

if TYPE_CHECKING:
    from ledger.rulesets import Ending, Fact, Procedure, Ruleset

    Values = Callable[[int, int], Sequence[int]]
    Games = Iterator[tuple[Ending, dict[str, Pair]]]


MARKS: tuple[Pair, Pair] = ((0, 1), (1, 0))
"""Either side as the one that a fact is of."""


def covering(rules: Ruleset, values: Values) -> Iterator[tuple[str, dict[str, Pair]]]:
    """Yield games of a ruleset that derives its results; no game where nothing is derived."""
    declared = rules.derives
    if declared is None or declared.name not in COVERING:
        return
    for ending, facts in COVERING[declared.name](declared, values):
        missing = {name for name in ending.needs if name not in facts and name in declared.labels}
        yield ending.name, facts | {name: _any_pair(declared.labels[name]) for name in missing}


def _any_pair(fact: Fact) -> Pair:
    return MARKS[0] if fact.sides in {"one", "most-one"} else (fact.min, fact.min)


def _pairs(fact: Fact, values: Values) -> list[Pair]:
    """Every pair of numbers that a fact may have."""
    if fact.sides == "one":
        return list(MARKS)
    numbers = values(fact.min, fact.max)
    if fact.sides == "shared":
        return [(number, number) for number in numbers]
    pairs = product(numbers, numbers)
    if fact.sides == "most-one":
        return [pair for pair in pairs if not all(pair)]
    return [pair for pair in pairs if not (fact.max_for_one and pair == (fact.max, fact.max))]


def _comparison(declared: Procedure, values: Values) -> Games:
    summed = {name for one in declared.sums for name in (*one.own, *one.other)}
    others = sorted((summed & declared.labels.keys()) - {declared.main, *declared.then})
    beside = [[{}, *({name: pair} for pair in _pairs(declared.labels[name], values))]
              for name in others]  # fmt: skip
    # One ending of those that a comparison treats alike.
    unlike = {
        (_is_given_up(declared, one), one.marks, frozenset(one.needs)): one
        for one in reversed(declared.endings)
    }
    for ending in unlike.values():
        marks = [{ending.marks: mark} for mark in MARKS] if ending.marks else [{}]
        is_given_up = _is_given_up(declared, ending)
        for main in _main_pairs(declared, values):
            equal = not is_given_up and len(set(main.get(declared.main, (0, 0)))) == 1
            broken = list(_tie_breaks(declared, declared.then, summed, values)) if equal else [{}]
            for parts in product([main], marks, broken, *beside):
                yield ending, dict(ChainMap(*reversed(parts)))


def _is_given_up(declared: Procedure, ending: Ending) -> bool:
    """Whether the ending names the loser, whatever the main fact is."""
    by_mark = declared.name == "comparison@2" and bool(ending.marks)
    return by_mark or ending.manner == "concession"


def _main_pairs(declared: Procedure, values: Values) -> Iterator[dict[str, Pair]]:
    """What the main fact may be; where nothing but its margin counts, each margin once.

    Who does not concede has a number at least, so that there the loser's numbers give the margins.
    """
    yield {}
    name = declared.main
    fact = declared.labels.get(name)
    if fact is None:
        return
    weights = [(one.own.get(name, 0), one.other.get(name, 0)) for one in declared.sums]
    if fact.sides != "each" or any(own != -other for own, other in weights):
        yield from ({name: pair} for pair in _pairs(fact, values))
        return
    numbers = values(fact.min, fact.max)
    yield from ({name: (number, fact.min)} for number in numbers)
    yield from ({name: (fact.min, number)} for number in numbers)


def _tie_breaks(
    declared: Procedure, names: tuple[str, ...], summed: set[str], values: Values
) -> Iterator[dict[str, Pair]]:
    """What may break a tie of the main fact, or leave it."""
    if not names:
        yield {}
        return
    fact = declared.labels.get(names[0])
    if fact is None:
        return  # a row of rolls, and none of them is compared
    ends = [fact.min, fact.max]
    pairs = _pairs(fact, values if names[0] in summed else lambda *_: ends)
    for pair in pairs:
        if pair[0] != pair[1]:
            yield {names[0]: pair}
            continue
        for more in _tie_breaks(declared, names[1:], summed, values):
            yield {names[0]: pair} | more


def _ashes(declared: Procedure, values: Values) -> Games:
    fact = declared.labels["wounds"]
    wounds = [{}, *({"wounds": pair} for pair in _pairs(fact, values))]
    loser = [{}, *({"wounds": (each, each)} for each in values(fact.min, fact.max))]
    for ending in declared.endings:
        if ending.name in {"time", "declared draw"}:
            stands = {"destroyed": (0, 0)} if _must_say_who_stands(declared, ending) else {}
            yield from ((ending, pair | stands) for pair in wounds)
        if ending.marks:
            yield from (
                (ending, each | {ending.marks: mark}) for each, mark in product(loser, MARKS)
            )


def _must_say_who_stands(declared: Procedure, ending: Ending) -> bool:
    """Whether a draw with all the wounds needs the fact that both survived."""
    return declared.name == "ashes@2" and ending.manner == "time"


def _marked(declared: Procedure, _: Values) -> Games:
    """Where the outcome is all: either side marked, by every ending that marks one."""
    for ending, mark in product(declared.endings, MARKS):
        if ending.marks:
            yield ending, {ending.marks: mark}


def _l5r_time(declared: Procedure, values: Values) -> Games:
    """And a modified win: equal counts twice, and the one who chose the first player loses."""
    yield from _marked(declared, values)
    equal = ("broken", "honor", "broken-after", "honor-after", "leader")
    facts = {name: _any_pair(declared.labels[name]) for name in equal}
    for ending, mark in product(declared.endings, MARKS):
        if ending.name == "time":
            yield ending, facts | {"first": mark, "chooser": mark, "passed": (1, 1)}


def _runewars(declared: Procedure, values: Values) -> Games:
    """Every margin that the winner may have, and no margin by the final flurry."""
    ending = {one.name: one for one in declared.endings}
    score, flurry = declared.labels["score"], declared.labels["flurry-1"]
    for roll in ((flurry.max, flurry.min), (flurry.min, flurry.max)):
        yield ending["rounds"], {"score": (score.min, score.min), "flurry-1": roll}
        yield ending["mutual destruction"], {"flurry-1": roll}
    scores = values(score.min, score.max)
    yield from ((ending["rounds"], {"score": (number, score.min)}) for number in scores)
    yield from ((ending["rounds"], {"score": (score.min, number)}) for number in scores)
    spare = score.max - score.min >= declared.numbers["margin-max"]
    for name in ("concession",) if spare else ("concession", "rounds", "destroyed"):
        for army, mark in product(_armies(declared, name), (0, 1)):
            marks = {ending[name].marks: MARKS[mark]} if ending[name].marks else {}
            for facts in _walk(declared, army, values):
                sides = {label: sided(mark, *pair) for label, pair in facts.items()}
                yield ending[name], marks | sides


Range = tuple[int, int]


class _Armies(Struct, frozen=True):
    """What the winner and the loser may have destroyed, perhaps counted by what is left of it.

    `destroyed`: the winner has a whole army's points, whatever is reported.
    """

    winner: Range
    loser: Range
    remains: bool
    destroyed: bool = False

    def facts(self, declared: Procedure, winner: int, loser: int) -> dict[str, Pair]:
        """Say it, the winner first: as the army, or as the other's total and what remains."""
        if not self.remains:
            return {"army": (winner, loser)}
        one, other = _remaining(declared, loser), _remaining(declared, winner)
        return {"total": (one[0], other[0]), "remaining": (one[1], other[1])}


def _remaining(declared: Procedure, destroyed: int) -> Pair:
    """A total, and what remains of it when this much was destroyed."""
    total, left = declared.labels["total"], declared.labels["remaining"]
    if destroyed == declared.numbers["destroyed"] and left.min <= 0:
        return total.min, 0
    remains = max(left.min, 1, total.min - destroyed)
    return destroyed + remains, remains


def _armies(declared: Procedure, name: str) -> Iterator[_Armies]:
    """Yield the ranges for an ending: who survives has lost some, who does not all of it."""
    whole = declared.numbers["destroyed"]
    for low, high, remains, wiped in _reach(declared):
        parts = [(low, min(high, whole - 1)), (max(low, whole + 1), high)]
        survived = [part for part in parts if part[0] <= part[1]]
        every = [(low, high)]
        if wiped and not low <= whole <= high:
            every.append((whole, whole))
        if name == "concession":
            destroyed = bool(declared.numbers["concession-destroys"])
            for loser, winner in product(every, [(low, low)] if destroyed else every):
                yield _Armies(winner, loser, remains, destroyed)
        elif name == "destroyed" and wiped:
            yield from (_Armies((whole, whole), part, remains) for part in survived)
        elif name == "rounds":
            yield from (_Armies(one, two, remains) for one, two in product(survived, survived))


def _reach(declared: Procedure) -> Iterator[tuple[int, int, bool, bool]]:
    """For each way to report it: the least, the most, if by what remains, if all may be gone."""
    army, total = declared.labels["army"], declared.labels["total"]
    left, whole = declared.labels["remaining"], declared.numbers["destroyed"]
    wiped = army.min <= whole <= army.max
    yield army.min, army.max, False, wiped
    least, most = max(total.min - left.max, 0), total.max - max(left.min, 1)
    if least < army.min or most > army.max or (left.min <= 0 and not wiped):
        yield least, most, True, left.min <= 0


def _walk(declared: Procedure, army: _Armies, values: Values) -> Iterator[dict[str, Pair]]:
    """Go from the winner's least margin to the most, one point at a step, so that each is met."""
    goals = declared.labels["objectives"]
    whole, most = declared.numbers["destroyed"], declared.numbers["margin-max"]
    place = [army.winner[0], army.loser[1], goals.min, goals.max]
    won, lost = army.winner[1] - army.winner[0], army.loser[1] - army.loser[0]
    goal = goals.max - goals.min
    steps = [(0, 1, won), (1, -1, lost), (2, 1, goal), (3, -1, goal)]
    values(0, sum(count for _, _, count in steps))
    for at, step, count in [(0, 0, 1), *steps]:
        for _ in range(count):
            place[at] += step
            counted = whole if army.destroyed else place[0]
            if -1 <= counted + place[2] - place[1] - place[3] <= most + 1:  # held to these anyway
                facts = army.facts(declared, place[0], place[1])
                yield facts | {"objectives": (place[2], place[3])}


COVERING: dict[str, Callable[[Procedure, Values], Games]] = {
    "comparison@1": _comparison,
    "comparison@2": _comparison,
    "runewars@1": _runewars,
    "ashes@1": _ashes,
    "ashes@2": _ashes,
    "legion@1": _marked,
    "l5r-time@1": _l5r_time,
}
"""By the procedure's name; `outcome@1` derives nothing."""

"""Days on which the players report themselves, each other's word is waited for, rounds repaired."""

from __future__ import annotations

import random

from ledger.rules.disputes import ConfirmResult, DisputeResult
from ledger.rules.pairing import RepairRound, choices
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.tournament.disputes import latest_dispute
from tests.support.days.quarrels import CLAIMS, Quarrels
from tests.support.simulate import Day

WAITING = ('confirmation = "none"', 'confirmation = "opponent"')


def confirmed_day(
    seed: int, players: int = 10, rounds: int = 3, *, whole: bool = True, words: float = 0.8
) -> Day:
    """Play rounds of l5r under confirmation; not `whole`: the last is left as it is reported.

    `words` is how much of that last round is reported.
    """
    chance = random.Random(f"confirmed {seed}")
    day = Day(players, changed=WAITING, shuffle_key=seed.to_bytes(32, "big"))
    quarrels = Quarrels(day, seed)
    day.start(rounds)
    for number in range(1, rounds + 1):
        day.pair()
        if number > 1:
            _repair(day, chance)
        for match in day.matches():
            if match.is_open and (whole or number < rounds or chance.random() < words):
                _report(day, chance, match.number)
        if number < rounds or whole:
            quarrels.settle()
            for waiting in list(day.tournament.floor.unconfirmed):
                day.do(ConfirmResult(waiting))
            day.do(CloseRound())
    return day


def _repair(day: Day, chance: random.Random) -> None:
    """Correct a result of the round before, and stop the tables that this costs."""
    match = chance.choice(day.tournament.rounds[-2].matches)
    if match.is_bye or latest_dispute(day.tournament, match.number) is not None:
        return
    day.do(Correct(match.number, StatedResult(chance.choice(CLAIMS)), "misread"))
    most = choices(day.tournament, day.context)[-1]
    if most.stopped:
        day.do(RepairRound(most.stopped, "a result was misread"))


def _report(day: Day, chance: random.Random, number: int) -> None:
    """One side reports; the other confirms, disputes, or says nothing; or the desk enters it."""
    match, luck = day.tournament.matches[number], chance.random()
    sides = [match.first, match.second]
    chance.shuffle(sides)
    by = "o1" if luck < 0.2 else f"p{sides[0]}"
    said, against = chance.sample(CLAIMS, 2)
    day.do(Report(number, StatedResult(said)), by=by)
    if luck < 0.5:
        day.do(ConfirmResult(number), by=f"p{sides[1]}")
    elif luck < 0.85:
        day.do(DisputeResult(number, StatedResult(against), "no"), by=f"p{sides[1]}")

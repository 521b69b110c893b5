"""Days on which the players report themselves, and each other's word is waited for."""

from __future__ import annotations

import random

from ledger import commands
from ledger.commands.disputes import ConfirmResult
from ledger.commands.disputes import DisputeResult
from ledger.commands.disputes import Told
from tests.quarrels import CLAIMS
from tests.quarrels import Quarrels
from tests.simulate import Day

WAITING = ('confirmation = "none"', 'confirmation = "opponent"')


def confirmed_day(seed: int, players: int = 10, rounds: int = 3, *, whole: bool = True) -> Day:
    """Play rounds of l5r under confirmation; not `whole`: the last is left as it is reported."""
    chance = random.Random(f"confirmed {seed}")
    day = Day(players, changed=WAITING, shuffle_key=seed.to_bytes(32, "big"))
    quarrels = Quarrels(day, seed)
    day.start(rounds)
    for number in range(1, rounds + 1):
        for match in day.pair():
            if match.is_open and (whole or number < rounds or chance.random() < 0.8):
                _report(day, chance, match.number)
        if number < rounds or whole:
            quarrels.settle()
            for waiting in list(day.tournament.floor.unconfirmed):
                day.do(ConfirmResult(waiting))
            day.do(commands.CloseRound())
    return day


def _report(day: Day, chance: random.Random, number: int) -> None:
    """One side reports; the other confirms, disputes, or says nothing; or the desk enters it."""
    match, luck = day.tournament.matches[number], chance.random()
    sides = [match.first, match.second]
    chance.shuffle(sides)
    by = "o1" if luck < 0.2 else f"p{sides[0]}"
    said, against = chance.sample(CLAIMS, 2)
    day.do(commands.ReportOutcome(number, said), by=by)
    if luck < 0.6:
        day.do(ConfirmResult(number), by=f"p{sides[1]}")
    elif luck < 0.8:
        day.do(DisputeResult(number, Told(against), "no"), by=f"p{sides[1]}")

"""The short form: a desk is killed while phones report, and another laptop goes on.

`python -m tests.faults.takeovers.soak` is the long form, with 200 take-overs and 200 phones.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from tests.faults.takeovers.account import Account, Acknowledged, balance
from tests.faults.takeovers.laptops import prepared
from tests.faults.takeovers.soak import Case, Plan, Room, scripts_in, summary

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.takeovers.soak import Outcome

PHONES = 12
CASES = {
    "follower": Case(0, "follower", 1.5, 2.5, "thief", comes_back=True),
    "backup": Case(1, "backup", 1.5, 2.5, "without"),
}


@pytest.mark.slow
def test_nothing_is_lost_and_phones_that_are_not_asked_lose(tmp_path: Path) -> None:
    """Both ways to go on, and the backup once more with phones that offer nothing."""

    async def play() -> dict[str, Outcome]:
        day, script = await prepared(tmp_path, PHONES), scripts_in(tmp_path)
        rooms = {}
        for name, case, asks in (
            *((name, case, True) for name, case in CASES.items()),
            ("not asked", Case(2, "backup", 2.5, 2.5), False),
        ):
            (tmp_path / name).mkdir()
            plan = Plan(1, PHONES, late=2.0, asks=asks)
            rooms[name] = Room(day, tmp_path / name, case, plan).play(script)
        return dict(zip(rooms, await asyncio.gather(*rooms.values()), strict=True))

    outcomes = asyncio.run(play())
    for name in CASES:
        outcome = outcomes[name]
        assert outcome.faults == [], summary([outcome])
        assert outcome.balance.acknowledged >= PHONES - 2
        assert outcome.attacked >= PHONES
    assert outcomes["not asked"].balance.lost, "the oracle finds what was lost"


def test_the_oracle_finds_what_is_lost_and_what_is_twice() -> None:
    account = Account()
    for own, name in (("a1", "report"), ("b2", "report"), ("c3", "report"), ("d4", "confirm")):
        account.acts[own] = Acknowledged(own, name, 1, 7, 0.0, 1)

    def line(own: str, match: int) -> bytes:
        value = {"id": own, "type": "ResultReported", "data": {"match": match}}
        return json.dumps(value).encode()

    found = balance(account, [line("w1-a1", 7), line("w2-b2", 8), line("w2-b2", 8)], ["w3-c3"])
    assert (found.lost, found.before_judge) == (("confirm d4 of p1, match 7",), 1)
    assert found.doubled == ("b2", "match 8")
    lost = balance(account, [line("w1-a1", 7)], ["w4-d4"]).lost
    assert [each.split()[1] for each in lost] == ["b2", "c3"]

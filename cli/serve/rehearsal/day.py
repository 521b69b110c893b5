"""A whole rehearsal: everybody comes, the rounds are played, and the log is held to the answers."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from cli.serve.rehearsal.figures import Figures, Took
from cli.serve.rehearsal.participants import Person, Phone, play
from cli.serve.rehearsal.venue import ORGANIZER, built
from ledger.errors import StoreUnavailable
from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.serve.rehearsal.venue import Venue

AT_ONCE = 50
"""How many open their link in one moment."""

LAST_SECONDS = 10
"""How long pages are given to show the last act."""

LOOKS = 100


class Plan(Struct, frozen=True):
    """How large a rehearsal is: `pace` is how many seconds the players of a round take at most."""

    players: int
    rounds: int
    pace: float
    seed: int


class Rehearsed(Struct, frozen=True):
    """What came of it; `lost` are events that were answered, and are not in the log once."""

    players: int
    rounds: int
    events: int
    acts: int
    seconds: float
    opened_ms: float
    memory_mib: int
    took: list[Took]
    slowest: list[tuple[str, float]]
    wrong: dict[str, int]
    lost: list[str]


def play_through(plan: Plan) -> Rehearsed:
    """Play a made-up event through, over real HTTP."""
    figures = Figures()
    with built(plan.players, plan.rounds) as venue:
        begun = perf_counter()
        asyncio.run(_Day(plan, venue, figures).play())
        seconds = perf_counter() - begun
        memory, lines = venue.memory_mib(), _lines_of(venue)
        try:
            venue.tourney("verify")
        except StoreUnavailable as error:
            figures.wrong[str(error)] += 1
    return Rehearsed(
        plan.players,
        plan.rounds,
        len(lines),
        len(figures.answered),
        round(seconds, 1),
        round(venue.opened_in * 1_000, 1),
        memory,
        figures.table(),
        list(figures.slowest()),
        dict(figures.wrong),
        lost_of(figures.answered, lines),
    )


def lost_of(answered: dict[str, int], lines: Sequence[bytes]) -> list[str]:
    """Name the events that were answered, and that are not in the log once, at their place."""
    found = [msgspec.json.decode(line)["id"] for line in lines]
    often = Counter(found)
    return [
        each for each, seq in answered.items() if often[each] != 1 or found[seq - 1 : seq] != [each]
    ]


class _Day:
    """The people of one rehearsal, and what they do."""

    def __init__(self, plan: Plan, venue: Venue, figures: Figures) -> None:
        self._plan, self._figures = plan, figures
        self._chance = random.Random(plan.seed)  # noqa: S311 - the same day again
        self._desk = Person(ORGANIZER, venue, figures)
        self._players = {
            number: Phone(f"p{number}", venue, figures) for number in range(1, plan.players + 1)
        }

    async def play(self) -> None:
        """Come, play every round, finish, and wait until every page shows it."""
        await self._desk.come()
        waiting = list(self._players.values())
        for start in range(0, len(waiting), AT_ONCE):
            await asyncio.gather(*(each.come() for each in waiting[start : start + AT_ONCE]))
        following = [asyncio.create_task(each.follow(self._chance)) for each in waiting]
        for _ in range(self._plan.rounds):
            await self._round()
        await self._desk.act("FinishTournament")
        await self._until_shown()
        for each in following:
            each.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await asyncio.gather(self._desk.go(), *(each.go() for each in waiting))

    async def _until_shown(self) -> None:
        """Wait until every page shows the last act, or for long enough."""
        last = max(self._figures.answered.values(), default=0)
        for _ in range(LOOKS):
            if all(each.shown >= last for each in self._players.values()):
                return
            await asyncio.sleep(LAST_SECONDS / LOOKS)

    async def _round(self) -> None:
        """Pair, let everybody play, and settle what two do not agree on."""
        if not (await self._desk.act("PairRound") and await self._desk.act("StartRound")):
            return
        tables = [each for each in await self._desk.value("pairings") if not each["bye"]]
        playing = []
        for each in tables:
            first, second = (self._players[number] for number in each["players"])
            playing.append(play(each["match"], (first, second), self._chance, self._plan.pace))
        quarrels = await asyncio.gather(*playing)
        for table, quarrel in zip(tables, quarrels, strict=True):
            if quarrel:
                await self._desk.act("WithdrawDispute", match=table["match"], reason="rehearsed")


def _lines_of(venue: Venue) -> list[bytes]:
    with open_store(str(venue.folder / "tourney.db"), create=False) as store:
        return store.lines(store.streams()[0])

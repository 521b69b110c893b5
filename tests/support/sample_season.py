"""A season of forty tournaments over five games: `python -m tests.support.sample_season FOLDER`.

Made by the simulator, not played: the players, their league ids and every result are drawn from
seeds, so the same command writes the same bytes. `points.toml` is a points scheme to go with it.
"""

from __future__ import annotations

import hashlib
import random
import sys
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger.facts.shared import Stage
from ledger.rules.clock import CallTime, ExtendTable
from ledger.rules.disputes import ConfirmResult, DisputeResult, WithdrawDispute
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import Penalize, Rule
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer, Entry, RegisterPlayers
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rules.setups import DrawScenario, TakeSide
from ledger.tournament.progress import next_stage
from tests.support.sample_days import CLANS, people
from tests.support.season import write_log
from tests.support.simulate import SECONDS_AN_ACT, Day, attempt, open_matches_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.facts.base import Tier
    from ledger.tournament.state import Match

TOURNAMENTS = 40
LEAGUE = 220
"""Persons of the league, each with a league id."""

BEGINS = datetime(2026, 1, 10, 9, 0, tzinfo=UTC)
DAYS_BETWEEN = 5
GUESTS = 10
"""One entrant in so many is unknown to the league."""

TIERS: tuple[Tier, ...] = ("relaxed", "relaxed", "formal", "formal", "premier")

SCHEME = """\
# What a place is worth in the sample season.
key = "sample-season"
name = "Sample season 2026"
best = 4
of = 6
qualify = 16
begins = "2026-01-01"
ends = "2026-12-31"

[[tiers]]
tier = "relaxed"
weight = 1

[[tiers]]
tier = "formal"
weight = 2

[[tiers]]
tier = "premier"
weight = 4

[[bands]]
players_min = 1
players_max = 15
attendance = 1
places = [{ first = 1, last = 1, points = 10 }, { first = 2, last = 4, points = 5 }, \
{ first = 5, points = 0 }]

[[bands]]
players_min = 16
attendance = 2
places = [{ first = 1, last = 1, points = 20 }, { first = 2, last = 2, points = 14 }, \
{ first = 3, last = 4, points = 10 }, { first = 5, last = 8, points = 6 }, \
{ first = 9, points = 1 }]
"""


class Member(NamedTuple):
    """A person of the league: what they are called, how strong they play, what with."""

    entry: Entry
    strength: float


class DatedDay(Day):
    """A day whose desk has a clock of its own date, and pauses."""

    def __init__(self, opening: datetime, **wished: object) -> None:
        self._opening = opening
        super().__init__([], date=f"{opening:%Y-%m-%d}", **wished)  # type: ignore[arg-type] # as a Day's

    def _clock(self) -> str:
        now = self._opening + timedelta(seconds=SECONDS_AN_ACT * self._acts)
        return now.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def wait(self, minutes: int) -> None:
        """Let time pass."""
        self._acts += minutes * 60 // SECONDS_AN_ACT


def _won(day: Day, match: Match, chance: random.Random, *, first: bool) -> None:
    """By outcome alone, some wins less than full where the game has such."""
    lesser = "modified win" in day.tournament.ruleset.records and chance.random() < 1 / 6
    name = "modified win" if lesser else "win"
    against = day.tournament.ruleset.outcome(name).against
    if lesser:
        day.call_time(match.round)
    day.do(Report(match.number, StatedResult(name if first else against)))


def _fell(day: Day, match: Match, chance: random.Random, *, first: bool) -> None:
    """One side's last wound, and some of the other's."""
    drawn = chance.randrange(5, 17)
    wounds, fallen = ((drawn, 20), (0, 1)) if first else ((20, drawn), (1, 0))
    day.do(Report(match.number, StatedResult(facts={"wounds": wounds, "destroyed": fallen})))


def _fought(day: Day, match: Match, chance: random.Random, *, first: bool) -> None:
    """What was destroyed of both armies."""
    more, less = chance.randrange(100, 190), chance.randrange(20, 100)
    facts = {"army": (more, less) if first else (less, more), "objectives": (0, 0)}
    ending = "time" if chance.random() < 1 / 5 else "rounds"
    if ending == "time":
        day.call_time(match.round)
    day.do(Report(match.number, StatedResult(facts=facts, ending=ending)))


def _scored(day: Day, match: Match, chance: random.Random, *, first: bool) -> None:
    """Tokens, and the score where they are equal."""
    more, less = chance.randrange(1, 4), chance.randrange(1)
    high, low = chance.randrange(350, 700), chance.randrange(100, 350)
    facts = {
        "tokens": (more, less) if first else (less, more),
        "score": (high, low) if first else (low, high),
    }
    ending = chance.choice(("rounds", "time"))
    if ending == "time":
        day.call_time(match.round)
    day.do(Report(match.number, StatedResult(facts=facts, ending=ending)))


def _destroyed(day: Day, match: Match, chance: random.Random, *, first: bool) -> None:
    """Squad points destroyed on both sides."""
    more, less = chance.randrange(120, 200), chance.randrange(120)
    facts = {"score": (more, less) if first else (less, more)}
    day.do(Report(match.number, StatedResult(facts=facts)))


GAMES: Mapping[str, Callable[..., None]] = {
    "l5r": _won,
    "ashes": _fell,
    "runewars": _fought,
    "legion": _scored,
    "xwing2": _destroyed,
}


def league() -> list[Member]:
    """The persons of the league, with their pseudonyms."""
    chance = random.Random("league")
    return [
        Member(
            Entry(
                each.name,
                faction=chance.choice(CLANS),
                league_id=hashlib.sha256(f"league {number}".encode()).hexdigest()[:32],
            ),
            chance.gauss(0, 1),
        )
        for number, each in enumerate(people(LEAGUE, seed=2026))
    ]


def tournament(number: int, members: list[Member]) -> Day:
    """Play the season's tournament of that number, from 0."""
    chance = random.Random(f"season {number}")
    game = list(GAMES)[number % len(GAMES)]
    title = f"Sample Season {number + 1:02} ({game})"
    identity = hashlib.sha256(title.encode()).hexdigest()
    day = DatedDay(
        BEGINS + timedelta(days=DAYS_BETWEEN * number),
        ruleset=game,
        shuffle_key=bytes.fromhex(identity),
        title=title,
        number=identity[:32],
        tier=chance.choice(TIERS),
    )
    there = chance.sample(members, chance.choice((8, 12, 15, 20, 24, 33, 48)))
    entries = [
        each.entry if place % GUESTS else Entry(each.entry.name, each.entry.faction)
        for place, each in enumerate(there, start=1)
    ]
    day.do(RegisterPlayers(tuple(entries)))
    if not attempt(day, AppointOfficial("Jun Hayashi", ("marshal", "judge"))):
        day.do(AppointOfficial("Jun Hayashi", ("co-organizer",)))
    stages = [Stage("swiss", 3 + (len(there) > 16) + (len(there) > 32))]
    if len(there) > 12:
        stages.append(Stage("single", entry="top", size=4))
    day.announce(tuple(stages), f"word {number}")
    strengths = [0.0, *(each.strength for each in there)]
    while (stage := next_stage(day.tournament)) is not None:
        if stage.number > 1 and not stage.cut_seq:
            day.do(MakeCut())
        _round(day, chance, strengths, GAMES[game])
        if stage.is_swiss and chance.random() < 1 / 3:
            _leave(day, chance)
    day.do(FinishTournament())
    if number % 9 == 4:
        day.do(DisqualifyPlayer(chance.randrange(1, len(there)), "found out", "FFG-AUTH-DQ"))
    return day


def _round(
    day: DatedDay, chance: random.Random, strengths: list[float], play: Callable[..., None]
) -> None:
    day.do(PairRound())
    tables = open_matches_of(day)
    attempt(day, DrawScenario())
    for match in tables:
        attempt(day, TakeSide(match.number, match.first, totals=(785, 796)))
    day.do(StartRound())
    day.wait(chance.randrange(20, 40))
    _on_the_floor(day, chance, tables)
    chance.shuffle(tables)
    for match in tables:
        edge = strengths[match.first] - strengths[match.second]
        play(day, match, chance, first=chance.random() < 1 / (1 + 2.7 ** -(edge + 0.1)))
        day.wait(chance.randrange(3))
    _quarrel(day, tables)
    if chance.random() < 1 / 2:
        _correct(day, chance.choice(tables))
    day.do(CloseRound())


def _on_the_floor(day: DatedDay, chance: random.Random, tables: list[Match]) -> None:
    match = chance.choice(tables)
    text = "the card resolves first"
    if chance.random() < 1 / 2:
        attempt(day, Rule(2, text, match.number, "FFG-RULING", "player", match.first))
    if chance.random() < 1 / 4:
        attempt(day, Penalize(match.second, "warning", "slow play", "AOP-PENALTY"))
    if chance.random() < 1 / 3:
        attempt(day, ExtendTable(match.number, 5, "a ruling took long"))
    if chance.random() < 1 / 2:
        day.wait(15)
        attempt(day, CallTime(0))


def _quarrel(day: Day, tables: list[Match]) -> None:
    """Let a result be doubted, which stands in the end; drawn apart, so that nothing else moves."""
    chance = random.Random(f"quarrel {day.log[0].id} {day.log[0].at} {tables[0].round}")
    if chance.random() > 1 / 4:
        return
    match = chance.choice(tables)
    speaks = f"o1/p{chance.choice(match.players)}"
    day.do(DisputeResult(match.number, reason="the other slip"), by=speaks)
    end = chance.random()
    if end < 1 / 5:
        day.do(WithdrawDispute(match.number, "they found their own slip"))
    elif end < 2 / 5:
        day.do(ConfirmResult(match.number), by=speaks)
    else:
        day.do(Rule(2, "both slips say so", match.number, "FFG-RULING", stands=True))


def _correct(day: Day, match: Match) -> None:
    """Turn a result round, where an outcome says all there is."""
    result = day.tournament.matches[match.number].result
    if result is not None and not result.facts:
        turned = "loss" if result.outcomes[0] == "win" else "win"
        attempt(day, Correct(match.number, StatedResult(turned), "the other slip"))


def _leave(day: Day, chance: random.Random) -> None:
    playing = day.tournament.active()
    if len(playing) > 8:
        day.do(DropPlayer(chance.choice(playing)))


def season() -> dict[str, list[bytes]]:
    """Every log's lines, by the name of its file."""
    members = league()
    return {
        f"{number + 1:02}-{list(GAMES)[number % len(GAMES)]}.jsonl": tournament(
            number, members
        ).lines
        for number in range(TOURNAMENTS)
    }


@cache
def first_logs(count: int) -> tuple[list[bytes], ...]:
    """The lines of the season's first tournaments, played once for a process."""
    members = league()
    return tuple(tournament(number, members).lines for number in range(count))


def write_four(folder: Path) -> None:
    """Write the first four logs into `logs` there, and the points scheme beside it."""
    (folder / "logs").mkdir()
    for number, lines in enumerate(first_logs(4)):
        write_log(folder / "logs" / f"{number}.jsonl", lines)
    (folder / "points.toml").write_text(SCHEME, "utf-8")


def main(folder: Path) -> None:
    """Write every log, and the points scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in season().items():
        (folder / name).write_bytes(b"".join(line + b"\n" for line in lines))
    (folder / "points.toml").write_text(SCHEME, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The sample logs of the other games: `python -m tests.sample_games` writes them anew.

Played through the commands, like the days of `tests.sample_days`; the people are made up.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import msgspec

from ledger import commands
from ledger.commands import BuildBattle
from ledger.commands import ChooseFirstPlayer
from ledger.commands import DrawScenario
from ledger.commands import Penalize
from ledger.commands import TakeSide
from tests.sample_days import FOLDER
from tests.sample_days import close
from tests.sample_days import people
from tests.simulate import Day
from tests.simulate import open_matches_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from ledger.state import Match


def open_day(ruleset: str, title: str, count: int) -> tuple[Day, random.Random]:
    """A day of that game with its players registered, and the chance it is played by."""
    identity = hashlib.sha256(title.encode()).hexdigest()
    key = bytes.fromhex(identity)
    day = Day([], ruleset=ruleset, shuffle_key=key, title=title, number=identity[:32])
    entries = (msgspec.structs.replace(each, faction="") for each in people(count, seed=count))
    day.do(commands.RegisterPlayers(tuple(entries)))
    return day, random.Random(title)


def _duel(day: Day, match: Match, chance: random.Random) -> None:
    """One Phoenixborn falls; the other side has drawn some blood too."""
    loser = chance.randrange(2)
    drawn = chance.randrange(5, 17)
    wounds = (drawn, 20) if loser == 0 else (20, drawn)
    fallen = (1, 0) if loser == 0 else (0, 1)
    day.do(commands.ReportFacts(match.number, {"wounds": wounds, "destroyed": fallen}))


def cinder_bracket() -> Day:
    """20 play Ashes: a draw by time, a concession, a warning and a match loss, a cut to four."""
    day, chance = open_day("ashes", "Cinder Bracket", 20)
    day.do(commands.StartTournament("advanced", word="cinder"))
    for number in range(1, 5):
        day.do(commands.PairRound())
        _rolls(day, chance)
        day.do(commands.StartRound())
        tables = open_matches_of(day)
        if number == 1:
            day.do(commands.Concede(tables[3].first))
        if number == 2:
            drawn = {"wounds": (9, 12)}
            day.do(commands.ReportFacts(tables[4].number, drawn, "time"))
            day.do(Penalize(tables[0].first, "warning", "slow play", "AOP-PENALTY"))
        if number == 3:
            late = tables[5].first
            day.do(Penalize(late, "match loss", "a deck of 31 cards", "AOP-PENALTY"))
        for match in open_matches_of(day):
            _duel(day, match, chance)
        close(day)
    day.do(commands.MakeCut())
    for _ in range(2):
        day.do(commands.PairRound())
        _rolls(day, chance)
        day.do(commands.StartRound())
        for match in open_matches_of(day):
            _duel(day, match, chance)
        close(day)
    day.do(commands.FinishTournament())
    return day


def _rolls(day: Day, chance: random.Random) -> None:
    """At the first two tables the roll for the first player is recorded."""
    for match in open_matches_of(day)[:2]:
        most = chance.randrange(4, 9)
        rolls = ((3, 3), (most, most - 2))
        day.do(ChooseFirstPlayer(match.number, match.first, rolls=rolls))


def flurry_field() -> Day:
    """10 play Runewars: a scenario a round, a final flurry, a concession, time called."""
    day, chance = open_day("runewars", "Flurry Field", 10)
    day.do(commands.StartTournament("advanced", word="flurry"))
    for number in range(1, 4):
        day.do(commands.PairRound())
        day.do(DrawScenario())
        day.do(commands.StartRound())
        tables = open_matches_of(day)
        if number == 1:
            even = {"score": (95, 95), "flurry-1": (4, 4), "flurry-2": (3, 6)}
            day.do(commands.ReportFacts(tables[2].number, even, "rounds"))
        if number == 2:
            day.do(commands.Concede(tables[1].second))
        for match in open_matches_of(day):
            army = (chance.randrange(20, 100), chance.randrange(100, 190))
            objectives = (chance.randrange(4) * 10, chance.randrange(3) * 10)
            facts = {
                "army": army if chance.random() < 1 / 2 else (army[1], army[0]),
                "objectives": objectives,
            }
            ending = "time" if match is tables[-1] else "rounds"
            day.do(commands.ReportFacts(match.number, facts, ending))
        close(day)
    day.do(commands.FinishTournament())
    return day


CARDS = (
    ("Intercept", "Breakthrough", "Recover"),
    ("Battle Lines", "Long March", "Disarray"),
    ("Clear", "Rapid Supply", "Minefield"),
)


def blue_bridge() -> Day:
    """10 play Legion: sides taken, battles built, one game that blue decides, time called."""
    day, chance = open_day("legion", "Blue Bridge", 10)
    day.do(commands.StartTournament("advanced", word="bridge"))
    for number in range(1, 4):
        day.do(commands.PairRound())
        for match in open_matches_of(day):
            day.do(TakeSide(match.number, match.first, totals=(785 + number, 796)))
        built = open_matches_of(day)[0].number
        day.do(BuildBattle(built, *CARDS, ("objective", "pass", "deployment", "condition")))
        day.do(commands.StartRound())
        if number == 1:
            told = {"tokens": (2, 2), "score": (310, 310), "blue": (1, 0)}
            day.do(commands.ReportFacts(open_matches_of(day)[1].number, told, "time"))
        _battles(day, chance)
        close(day)
    day.do(commands.MakeCut())
    day.do(commands.PairRound())
    final = open_matches_of(day)[0]
    day.do(TakeSide(final.number, final.second, totals=(790, 800)))
    day.do(BuildBattle(final.number, *CARDS, ("condition", "pass", "pass", "objective")))
    day.do(commands.StartRound())
    _battles(day, chance)
    close(day)
    day.do(commands.FinishTournament())
    return day


def _battles(day: Day, chance: random.Random) -> None:
    """Tokens decide; where they are equal, the score."""
    for match in open_matches_of(day):
        low = chance.randrange(100, 400)
        facts = {
            "tokens": (chance.randrange(3), chance.randrange(3)),
            "score": (low, 700 - low + 1),
        }
        day.do(commands.ReportFacts(match.number, facts, chance.choice(("rounds", "time"))))


GAMES: Mapping[tuple[str, str], Callable[[], Day]] = {
    ("ashes", "cinder-bracket-20"): cinder_bracket,
    ("runewars", "flurry-field-10"): flurry_field,
    ("legion", "blue-bridge-10"): blue_bridge,
}


def main() -> None:
    """Write every log."""
    for (ruleset, name), make in GAMES.items():
        path = FOLDER / ruleset / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in make().lines))


if __name__ == "__main__":
    main()

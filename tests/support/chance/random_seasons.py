"""Small random seasons, in which everything happens that a named question counts."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Literal

from ledger.errors import LedgerError
from ledger.facts.shared import Stage
from ledger.rules.clock import CallTime, ExtendTable
from ledger.rules.disputes import (
    ConfirmResult,
    DisputeResult,
    WithdrawDispute,
    WithdrawRuling,
)
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import Rule
from ledger.rules.opening import AppointOfficial, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer, Entry, RegisterPlayers, WithdrawRegistration
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound, UnpairRound
from ledger.rules.setups import ChooseFirstPlayer, DrawScenario, TakeSide
from ledger.tournament.progress import next_stage
from tests.support.sample_season import GAMES, TIERS, DatedDay
from tests.support.season import take_in, write_log
from tests.support.simulate import ORGANIZER, open_matches_of

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.rules.command import Command

Asker = Literal["player", "spectator", "official"]

OPENING = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
RULESETS = ("swiss", "l5r", "legion", "runewars", "swiss", "l5r")
OUTCOMES = ("win", "win", "loss", "loss", "draw", "modified win")
DESKS = ("o1", "o2")
CLANS = ("Crab", "Crane", "Lion", "")
PERSONS = 14
"""Who is about in a week; one leaves each week, and one comes."""

DAYS = 150


def attempt(played: DatedDay, command: Command, by: str = ORGANIZER) -> bool:
    """Carry a command out where the game and the hour allow it."""
    try:
        played.do(command, by=by)
    except LedgerError:
        return False
    return True


@cache
def day(number: int) -> list[bytes]:
    """The lines of one tournament; every fifth is left unfinished."""
    chance = random.Random(f"random season {number}")
    game = chance.choice(RULESETS)
    opening = OPENING + timedelta(days=7 * chance.randrange(DAYS // 7))
    played = DatedDay(
        opening,
        ruleset=game,
        shuffle_key=number.to_bytes(32, "big"),
        title=f"Day {number % 3}",
        number=f"{number:032x}",
        tier=chance.choice(TIERS),
    )
    newest = (opening - OPENING).days // 7 + PERSONS
    there = chance.sample(range(newest - PERSONS, newest), chance.randrange(4, PERSONS))
    entries = tuple(
        Entry(
            f"Person {person}",
            chance.choice(CLANS),
            league_id=f"{person:032x}" if person % 5 else "",
        )
        for person in there
    )
    played.do(RegisterPlayers(entries))
    for name in (entries[1].name, "Jun") if number % 2 else ("Jun",):  # a player, where one may
        if attempt(played, AppointOfficial(name, ("marshal", "judge"))):
            break
    attempt(played, AppointOfficial("Mia", ("judge",)))
    if chance.random() < 0.3:
        attempt(played, WithdrawRegistration(1, "a mistake"))
    stages = [Stage("swiss", chance.randrange(1, 5))]
    if chance.random() < 0.6:
        stages.append(Stage("single", entry="top", size=chance.choice((2, 4))))
    if attempt(played, StartTournament("custom", tuple(stages), word=f"w{number}")):
        _play(played, chance, game, unfinished=number % 5 == 0)
    return played.lines


def season_of_days(folder: Path, count: int) -> Path:
    """A season of the first days, in a folder of its own."""
    logs = [write_log(folder / f"{number}.jsonl", day(number)) for number in range(count)]
    take_in(folder / "season.duckdb", *logs)
    return folder / "season.duckdb"


def _play(played: DatedDay, chance: random.Random, game: str, *, unfinished: bool) -> None:
    while (stage := next_stage(played.tournament)) is not None:
        if unfinished and chance.random() < 0.3:
            return
        if stage.number > 1 and not stage.cut_seq and not attempt(played, MakeCut()):
            break
        if not attempt(played, PairRound()):
            break
        if chance.random() < 0.15 and attempt(played, UnpairRound("a slip")):
            attempt(played, PairRound())
        if not _round(played, chance, game):
            return
    attempt(played, FinishTournament())


def _round(played: DatedDay, chance: random.Random, game: str) -> bool:
    """Play a round; whether it could be closed."""
    if chance.random() < 0.8:
        attempt(played, StartRound())
    tables = open_matches_of(played)
    for match in tables:
        _around(played, chance, match.number, match.players)
        played.wait(chance.randrange(4, 30))
        if played.tournament.matches[match.number].is_open:
            _report(played, chance, game, match.number)
            if chance.random() < 0.2:
                _dispute(played, chance, match.number)
    _later(played, chance, [match.number for match in tables])
    closed = attempt(played, CloseRound())
    _later(played, chance, [match.number for match in tables])
    if chance.random() < 0.3 and len(played.tournament.active()) > 4:
        attempt(played, DropPlayer(chance.choice(played.tournament.active())))
    return closed


def _around(played: DatedDay, chance: random.Random, match: int, players: tuple[int, ...]) -> None:
    """What is recorded before a table has its result."""
    first = chance.choice(players)
    if chance.random() < 0.7:
        attempt(played, TakeSide(match, first, totals=(185, 196)))
        attempt(played, ChooseFirstPlayer(match, first, totals=(185, 196)))
    if chance.random() < 0.3:
        attempt(played, ExtendTable(match, chance.randrange(1, 9), "a ruling"))
    if chance.random() < 0.3:
        clause = chance.choice(("FFG-RULING", "", "FFG-TARDY"))
        asker: Asker = chance.choice(("player", "spectator", "official"))
        asking = first if asker == "player" else 0
        rule = Rule(3, "so it is", match, clause, asker, asking, review=asker == "player")
        if attempt(played, rule) and chance.random() < 0.5:
            other = chance.choice((clause, "FFG-CLOCK"))
            attempt(played, Rule(2, "no", match, other, reviews=played.log[-1].seq))


def _report(played: DatedDay, chance: random.Random, game: str, number: int) -> None:
    match = played.tournament.matches[number]
    luck = chance.random()
    if luck < 0.08 and attempt(played, Report(number, StatedResult(absent=(match.first,)))):
        return
    by_then = {"army": (60, 20)} if game == "runewars" else {}
    if luck < 0.16 and attempt(played, Concede(match.second, by_then)):
        return
    if game in GAMES and game != "l5r":
        if not attempt(played, StartRound()) and attempt(played, DrawScenario()):
            attempt(played, StartRound())
        GAMES[game](played, match, chance, first=chance.random() < 0.5)
        return
    if not match.round % 3:
        attempt(played, CallTime())
    if not attempt(
        played, Report(number, StatedResult(chance.choice(OUTCOMES))), by=chance.choice(DESKS)
    ):
        played.do(Report(number, StatedResult("win")))


def _dispute(played: DatedDay, chance: random.Random, number: int) -> None:
    """Dispute a result; nine in ten disputes end at once."""
    match = played.tournament.matches[number]
    player = f"p{match.first}"
    if not attempt(played, DisputeResult(number, reason="it was not so"), by=player):
        return
    if chance.random() < 0.1:
        return  # it stays open, and the day with it
    ends = chance.randrange(3)
    ruling = Rule(2, "it was", number, "FFG-RULING", "player", match.first, stands=True)
    if ends == 0 and attempt(played, ruling):
        back = WithdrawRuling(played.log[-1].seq, "of another table")
        if number % 2 or not attempt(played, back, by="o2"):
            return
    if ends < 2:
        attempt(played, ConfirmResult(number), by=player)
    else:
        attempt(played, WithdrawDispute(number, "my mistake"), by=player)


def _later(played: DatedDay, chance: random.Random, numbers: list[int]) -> None:
    for number in numbers:
        if chance.random() < 0.15:
            outcome = chance.choice(OUTCOMES)
            correction = Correct(number, StatedResult(outcome), "the other slip")
            attempt(played, correction, by=chance.choice(DESKS))

"""How the logs in `sample_logs/earlier/` were made: `python -m tests.support.sample_days`.

It writes them anew. Every day here is played through the commands, by the edition of its ruleset
that the log carries: what ships may be a newer one. The people are made up.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import TYPE_CHECKING, Any

from ledger.facts.shared import Stage
from ledger.rules.elimination import AnswerReplacement, FinishTournament, MakeCut
from ledger.rules.opening import AppointOfficial, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    DisqualifyPlayer,
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
)
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from tests.support.paths import ROOT
from tests.support.sample_rules import begun_by_the_rules_of_the_samples
from tests.support.simulate import Day, play

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FOLDER = ROOT / "sample_logs"
EARLIER = FOLDER / "earlier"

GIVEN = (  # noqa: SIM905 - fifty names are read best as text
    "Aiko Bela Carla Dario Elif Femi Greta Hugo Ines Jonas Kaito Lena Marco Nadia Oskar Priya "
    "Quentin Rosa Sven Tomoko Umar Vera Wanda Xenia Yusuf Zoe"
).split()
FAMILY = (  # noqa: SIM905 - as above
    "Abe Bianchi Costa Duval Eriksen Farkas Gallo Hansen Ito Jansen Kowalski Lopez Moreau Novak "
    "Okafor Petrov Quist Rossi Silva Tanaka Ueda Varga Weber Xu Yilmaz Zamora"
).split()
CLANS = ("Crab", "Crane", "Dragon", "Lion", "Phoenix", "Scorpion", "Unicorn")


def people(count: int, seed: int) -> list[Entry]:
    """So many made-up players with a clan each."""
    chance = random.Random(seed)
    pairs = [f"{given} {family}" for given in GIVEN for family in FAMILY]
    return [Entry(name, faction=chance.choice(CLANS)) for name in chance.sample(pairs, count)]


def edition_of(log: str) -> str:
    """The ruleset's whole text in the first line of a sample log, as `l5r/library-night-12`."""
    text: str = opening_of(log)["ruleset"]["text"]
    return text


def format_of(log: str) -> str:
    """The format's whole text there; empty where the event has none."""
    text: str = opening_of(log).get("format", {}).get("text", "")
    return text


def opening_of(log: str) -> dict[str, Any]:
    """What the first line of a sample log says."""
    with (EARLIER / f"{log}.jsonl").open("rb") as lines:
        said: dict[str, Any] = json.loads(next(lines))["data"]
    return said


def open_day(title: str, count: int, seed: int, log: str) -> Day:
    """A day with its players registered, not yet started."""
    identity = hashlib.sha256(title.encode()).hexdigest()
    day = Day(
        [],
        ruleset=edition_of(log),
        shuffle_key=bytes.fromhex(identity),
        title=title,
        number=identity[:32],
    )
    day.do(RegisterPlayers(tuple(people(count, seed))))
    return day


def play_round(day: Day, chance: random.Random, *, modified: float = 0.15) -> None:
    """Pair, post, start, report every table by chance, close."""
    if round_in_play(day.tournament) is None:
        day.do(PairRound())
    day.do(StartRound())
    played = round_in_play(day.tournament)
    assert played is not None
    tables = open_matches(played)
    chance.shuffle(tables)
    for match in tables:
        wins = "modified win" if chance.random() < modified else "win"
        against = day.tournament.ruleset.outcome(wins).against
        day.report(match, chance.choice((wins, against)))


def close(day: Day) -> None:
    """Close the round in play."""
    day.do(CloseRound())


@begun_by_the_rules_of_the_samples()
def winter_court() -> Day:
    """24 players, advanced: drops, a return, a disqualification, corrections, a replacement."""
    day = open_day("Winter Court Open", 24, 24, "l5r/winter-court-24")
    day.do(AppointOfficial("Jun Hayashi", ("marshal", "judge")))
    day.do(AppointOfficial("Petra Lang", ("scorekeeper",)))
    day.do(StartTournament("advanced", word="cherry blossom"))
    chance = random.Random("winter court")
    play_round(day, chance)
    first = day.matches()[2]
    turned = "loss" if first.result and first.result.outcomes[0] == "win" else "win"
    day.do(Correct(first.number, StatedResult(turned), "both players signed the other name"))
    close(day)
    day.do(DropPlayer(9, "unable", "a train to catch"))
    day.do(DropPlayer(17))
    play_round(day, chance)
    close(day)
    day.do(RejoinPlayer(17))
    day.do(PairRound())
    cheat = day.matches()[-1].first
    day.do(DisqualifyPlayer(cheat, "marked sleeves", "FFG-CONDUCT-KIND"))
    play_round(day, chance)
    close(day)
    play_round(day, chance)
    last = day.matches()[0]
    day.do(Correct(last.number, StatedResult("modified win"), "time had been called before"))
    day.do(MakeCut())
    day.do(DropPlayer(day.tournament.stages[1].seeds[5], "unable", "a family matter"))
    day.do(AnswerReplacement(day.tournament.stages[1].waiting[0], accepts=False))
    day.do(AnswerReplacement(day.tournament.stages[1].waiting[0], accepts=True))
    for _ in range(3):
        play_round(day, chance)
        close(day)
    day.do(FinishTournament())
    return day


@begun_by_the_rules_of_the_samples()
def library_night() -> Day:
    """12 players, basic, no cut, an odd round after a drop."""
    day = open_day("Library Night", 12, 12, "l5r/library-night-12")
    day.do(StartTournament("basic", word="lantern"))
    chance = random.Random("library night")
    for number in range(4):
        play_round(day, chance)
        close(day)
        if number == 1:
            day.do(DropPlayer(ranking(day.tournament)[-1]))
    day.do(FinishTournament())
    return day


@begun_by_the_rules_of_the_samples()
def lantern_knockout() -> Day:
    """13 players who begin with elimination: three byes, one player leaves between rounds."""
    day = open_day("Lantern Knockout", 13, 13, "l5r/lantern-knockout-13")
    day.do(StartTournament("custom", (Stage("single"),), word="paper boat"))
    chance = random.Random("lantern knockout")
    play_round(day, chance, modified=0)
    close(day)
    winner = next(match.first for match in day.tournament.rounds[0].matches if match.is_bye)
    day.do(DropPlayer(winner, "unable"))
    for _ in range(3):
        play_round(day, chance, modified=0)
        close(day)
    day.do(FinishTournament())
    return day


@begun_by_the_rules_of_the_samples()
def grand_tournament() -> Day:
    """520 players, advanced, played by the simulator with all that can happen in a day."""
    names = [entry.name for entry in people(520, seed=520)]
    edition = edition_of("l5r/grand-tournament-520")
    return play(520, names, structure="advanced", ruleset=edition)


DAYS: Mapping[str, Callable[[], Day]] = {
    "winter-court-24": winter_court,
    "library-night-12": library_night,
    "lantern-knockout-13": lantern_knockout,
    "grand-tournament-520": grand_tournament,
}


def main() -> None:
    """Write every log."""
    for name, make in DAYS.items():
        folder = EARLIER / "l5r"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jsonl").write_bytes(b"".join(line + b"\n" for line in make().lines))


if __name__ == "__main__":
    main()

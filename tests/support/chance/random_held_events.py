"""Random events as they are recorded: all kinds of byes, forfeits, drops, late entries."""

from __future__ import annotations

import random
import tomllib
from typing import TYPE_CHECKING, NamedTuple

from tests.support.chance.recorded_events import Played, Recorder

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament


class Held(NamedTuple):
    """What a round was to a player: what kind, who sat opposite, what it gave, in which seat."""

    kind: str
    other: int = 0
    points: int = 0
    letter: str = ""
    seat: int = 0
    stones: int = 0
    """Of a handicap: those given, or those received below 0."""


class HeldEvent(NamedTuple):
    """An event, and for each player the rounds as they were; `planned` rounds are announced."""

    tournament: Tournament
    rounds: list[dict[int, Held]]
    numbers: dict[int, dict[str, int]]
    planned: int

    def of(self, player: int) -> list[Held]:
        """A player's rounds, absent where they were not there."""
        return [each.get(player, Held("absent")) for each in self.rounds]


CAME = ("W", "W", "D", "L", "L", "W", "D", "+-", "-+", "--")


def forfeits_of(text: str) -> tuple[int, int]:
    """What a ruleset's text gives for a forfeit: to who was absent, and to who came."""
    table = tomllib.loads(text)
    given = table.get("forfeit", {})
    absent = given.get("absent", table["unpaired_loss"])["points"]
    return absent, given.get("present", table["bye"])["points"]


GAVE = {"W": (2, 0, "W", "L"), "D": (1, 1, "D", "D"), "L": (0, 2, "L", "W")}


def held_event(text: str, seed: int, date: str, named: dict[str, tuple[str, int]]) -> HeldEvent:
    """Play an event by chance; `named` are the byes by name, with kind and points."""
    chance = random.Random(seed)
    recorder = Recorder(text, date)
    missed, forfeits = recorder.tournament.ruleset.unpaired_loss.points, forfeits_of(text)
    event = HeldEvent(recorder.tournament, [], {}, chance.randint(2, 7))
    for _ in range(chance.randint(2, 11)):
        _enter(recorder, event, chance, missed)
    recorder.announce(event.planned)
    held = event.planned if chance.random() < 0.7 else chance.randint(0, event.planned)
    for number in range(1, held + 1):
        if number > 1 and chance.random() < 0.2:
            _enter(recorder, event, chance, missed)
        active = recorder.tournament.active()
        if number > 1 and len(active) > 2 and chance.random() < 0.2:
            recorder.drop(chance.choice(active))
        is_last = number == held
        tables = list(_tables(recorder.tournament.active(), chance, named, is_last=is_last))
        if recorder.tournament.ruleset.fields:
            tables = [_with_stones(each, chance) for each in tables]
        recorder.round(tables)
        event.rounds.append(_as_held(tables, named, forfeits))
    return event


def _enter(recorder: Recorder, event: HeldEvent, chance: random.Random, missed: int) -> None:
    """Register somebody: late, with the rounds that they missed."""
    asked = recorder.tournament.ruleset.numbers
    numbers = {one.name: chance.randint(one.min, min(one.max, 2_400)) for one in asked}
    if "rating" in numbers and chance.random() < 0.1:
        numbers["rating"] = 0
    late = list(range(1, len(event.rounds) + 1))
    player = recorder.register(numbers, late)
    event.numbers[player] = numbers
    for each in event.rounds:
        each[player] = Held("absent", points=missed, letter="L")


def _tables(
    active: list[int], chance: random.Random, named: dict[str, tuple[str, int]], *, is_last: bool
) -> list[Played]:
    seats = chance.sample(active, len(active))
    found = []
    while seats and named and chance.random() < 0.3:
        found.append(Played(seats.pop(), 0, chance.choice([*named])))
    if len(seats) % 2 or (seats and chance.random() < 0.1):
        found.append(Played(seats.pop(), 0))
    for first, second in zip(seats[::2], seats[1::2], strict=False):
        is_open = is_last and chance.random() < 0.1
        found.append(Played(first, second, "" if is_open else chance.choice(CAME)))
    left = len(seats) % 2
    return [*found, Played(seats[-1], 0)] if left else found


def _with_stones(table: Played, chance: random.Random) -> Played:
    """Give a table a handicap, also if a player did not come."""
    has_result = table.second and table.came
    return table._replace(stones=chance.choice((0, 0, 2, 9))) if has_result else table


def _as_held(
    tables: list[Played], named: dict[str, tuple[str, int]], forfeits: tuple[int, int]
) -> dict[int, Held]:
    found: dict[int, Held] = {}
    for first, second, came, stones in tables:
        if not second:
            kind, points = named.get(came, ("bye", 2))
            found[first] = Held(kind, points=points, letter="B")
        elif came in GAVE:
            mine, theirs, own, other = GAVE[came]
            found[first] = Held("met", second, mine, own, 1, stones)
            found[second] = Held("met", first, theirs, other, 2, -stones)
        else:
            for player, opposite, there, seat in (
                (first, second, came[:1], 1),
                (second, first, came[1:], 2),
            ):
                given = stones if seat == 1 else -stones
                if not came:
                    found[player] = Held("open", opposite, seat=seat)
                elif there == "+":
                    found[player] = Held("won", opposite, forfeits[1], "W", seat, given)
                else:
                    found[player] = Held("lost", opposite, forfeits[0], "L", seat, given)
    return found

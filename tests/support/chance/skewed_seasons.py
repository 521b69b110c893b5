"""Simulated seasons that are hard on intervals: few persons play most of the games.

The strong come more often and keep one faction; the others change theirs. A label has no effect:
only strength decides who wins. Schedules are those of real events, as other programs published
them, or Swiss pairings of simulated results.
"""

from __future__ import annotations

import json
from collections import Counter
from math import exp
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

REAL = SHARED / "real"
FACTIONS = ("Ash", "Birch", "Cedar", "Elm")
WEIGHTS = (4, 3, 2, 1)
FLOCK = "Ash"
"""The faction that the strong keep."""

STRONG = 0.8
"""From this strength on a person keeps one faction; strengths are normal, of variance 1."""

FAITHFUL = 0.7
"""How often one of the others enters with their usual faction."""

DRAWN = 0.05
DAYS_APART = 6
CALENDAR = 11
MINUTES = 10


class Schedule(NamedTuple):
    """The tables of each Swiss round by seats, the best seat first; None is a bye."""

    name: str
    seats: int
    rounds: tuple[tuple[tuple[int, int | None], ...], ...]
    cut: int


class Table(NamedTuple):
    """A game of two persons, by their places among the entries of the event."""

    round: int
    one: int
    other: int
    letters: str
    extended: int
    first: int
    gap: int


class Entry(NamedTuple):
    """A person at an event."""

    person: int
    faction: str
    byes: int
    is_in_cut: bool


class Event(NamedTuple):
    """An event of a season, by its day."""

    day: int
    entries: tuple[Entry, ...]
    tables: tuple[Table, ...]
    has_cut: bool


class Player(NamedTuple):
    """A person of the league, with what makes their results."""

    strength: float
    diligence: float
    faction: str
    slowness: float
    goes_first: float


class League(NamedTuple):
    """How a season is drawn: so many persons and events; schedules, or None for Swiss of a size."""

    persons: int
    events: int
    sizes: tuple[int, int] = (8, 24)
    schedules: tuple[Schedule, ...] = ()
    is_skewed: bool = True
    has_awards: bool = False
    """Whether the strong have a bye in the first round of a Swiss, two of them at most."""


def players(league: League, drawn: Random) -> list[Player]:
    """Draw the persons of a season."""
    people = []
    for _ in range(league.persons):
        strength = drawn.gauss(0, 1)
        keen = 0.8 * strength if league.is_skewed else 0.0
        flocks = league.is_skewed and strength > STRONG
        people.append(
            Player(
                strength,
                exp(keen + drawn.gauss(0, 0.7)),
                FLOCK if flocks else drawn.choices(FACTIONS, WEIGHTS)[0],
                drawn.gauss(0, 1),
                drawn.random(),
            )
        )
    return people


def season(league: League, drawn: Random) -> tuple[list[Player], list[Event]]:
    """Draw a season: its persons and its events, in the order of their days."""
    people = players(league, drawn)
    # A calendar is no chance: the seasons of a league have the same schedules in the same order.
    order = list(league.schedules) * -(-league.events // max(len(league.schedules), 1))
    Random(CALENDAR).shuffle(order)
    events = []
    for number in range(league.events):
        schedule = order[number] if order else None
        size = schedule.seats if schedule else drawn.randint(*league.sizes)
        there = attending(people, min(size, league.persons), drawn)
        events.append(_event(people, there, league, schedule, number * DAYS_APART, drawn))
    return people, events


def attending(people: Sequence[Player], size: int, drawn: Random) -> list[int]:
    """Draw who comes, the diligent more often (each by the time at which they would arrive)."""
    arrival = [(drawn.expovariate(each.diligence), number) for number, each in enumerate(people)]
    return [number for _, number in sorted(arrival)[:size]]


def _event(
    people: Sequence[Player],
    there: list[int],
    league: League,
    schedule: Schedule | None,
    day: int,
    drawn: Random,
) -> Event:
    late = drawn.gauss(0, 0.5)
    there.sort(key=lambda person: drawn.gauss(0, 1) - people[person].strength)
    if schedule is None:
        drawn.shuffle(there)
    size, byes = len(there), Counter[int]()
    points: Counter[int] = Counter()
    met: set[frozenset[int]] = set()
    tables: list[Table] = []
    strong = [seat for seat, person in enumerate(there) if people[person].strength > STRONG]
    awarded = strong[:2] if league.has_awards else []
    rounds = len(schedule.rounds) if schedule else max((size - 1).bit_length(), 3)
    for number in range(1, rounds + 1):
        pairs = (
            schedule.rounds[number - 1]
            if schedule
            else _swiss(size, points, byes, met, drawn, awarded if number == 1 else [])
        )
        before = Counter(points)
        for one, other in pairs:
            if other is None:
                byes[one] += 1
                points[one] += 2
                continue
            met.add(frozenset((one, other)))
            pair = people[there[one]], people[there[other]]
            letters = _result(*pair, drawn)
            points[one] += 2 * (letters[0] == "W") + (letters == "DD")
            points[other] += 2 * (letters[1] == "W") + (letters == "DD")
            slow = -2 + late + sum(each.slowness for each in pair)
            extended = MINUTES * (drawn.random() < 1 / (1 + exp(-slow)))
            willing = [drawn.random() * each.goes_first for each in pair]
            first = one if willing[0] > willing[1] else other
            gap = abs(before[one] - before[other])
            tables.append(Table(number, one, other, letters, extended, first, gap))
    cut = schedule.cut if schedule else max(2, size // 4)
    best = sorted(range(size), key=lambda seat: (-points[seat], drawn.random()))[:cut]
    entries = [
        Entry(person, _faction(people[person], drawn), byes[seat], seat in best)
        for seat, person in enumerate(there)
    ]
    return Event(day, tuple(entries), tuple(tables), cut > 0)


def _faction(player: Player, drawn: Random) -> str:
    flocks = player.faction == FLOCK and player.strength > STRONG
    if flocks or drawn.random() < FAITHFUL:
        return player.faction
    return drawn.choices(FACTIONS, WEIGHTS)[0]


def _result(one: Player, other: Player, drawn: Random) -> str:
    if drawn.random() < DRAWN:
        return "DD"
    return "WL" if drawn.random() < chance(one.strength, other.strength) else "LW"


def chance(one: float, other: float) -> float:
    """Return the chance that the first of two strengths wins a game that is not drawn."""
    return 1 / (1 + exp(other - one))


def _swiss(
    size: int,
    points: Counter[int],
    byes: Counter[int],
    met: set[frozenset[int]],
    drawn: Random,
    awarded: Sequence[int],
) -> list[tuple[int, int | None]]:
    """Pair by score; a rematch only where the next three of the order have all been met."""
    order = sorted(range(size), key=lambda seat: (-points[seat], drawn.random()))
    pairs: list[tuple[int, int | None]] = [(seat, None) for seat in awarded]
    order = [seat for seat in order if seat not in awarded]
    if len(order) % 2:
        idle = next((seat for seat in reversed(order) if not byes[seat]), order[-1])
        order.remove(idle)
        pairs.append((idle, None))
    while order:
        one = order.pop(0)
        place = next(
            (at for at, other in enumerate(order[:4]) if frozenset((one, other)) not in met), 0
        )
        pairs.append((one, order.pop(place)))
    return pairs


def real_schedules() -> tuple[Schedule, ...]:
    """Read the Swiss rounds of the real events that lie beside the project."""
    files = [*REAL.glob("*.json"), *REAL.glob("others/*.json")]
    return tuple(_schedule(path) for path in sorted(files))


def _schedule(path: Path) -> Schedule:
    content = json.loads(path.read_text("utf-8"))
    rounds = [pairs for number in _rounds(content) if (pairs := list(number))]
    order = [each["id"] for each in content.get("players") or content["participants"]]
    seats = {player: seat for seat, player in enumerate(order)}
    placed = tuple(
        tuple((seats[one], seats.get(other)) for one, other in pairs) for pairs in rounds
    )
    cut = content.get("cutToTop") or (len(order) // 4 if "-no-cut" not in path.name else 0)
    return Schedule(path.stem, len(order), placed, cut)


def _rounds(content: dict[str, Any]) -> Iterator[Iterator[tuple[Any, Any]]]:
    for played in content["rounds"]:
        if isinstance(played, dict):
            if played["roundtype_id"] == 1:
                yield _with_somebody(
                    (each["player1_id"], each["player2_id"]) for each in played["matches"]
                )
        elif played and "player1" in played[0]:
            yield _with_somebody(
                (each["player1"]["id"], each["player2"]["id"])
                for each in played
                if not each.get("eliminationGame")
            )
        elif len(played) > 1:
            yield _with_somebody(
                (each["runnerPlayer"], each["corpPlayer"])
                for each in played
                if not each.get("eliminationGame")
            )


def _with_somebody(pairs: Iterator[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Name first who sits there: a bye has a seat without a person, on either side."""
    for one, other in pairs:
        yield (
            (other, None) if one in {None, "(BYE)"} else (one, None if other == "(BYE)" else other)
        )

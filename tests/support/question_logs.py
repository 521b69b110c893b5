"""Folded logs as the plain reading of the named questions sees them."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from math import sqrt
from statistics import NormalDist, mean
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.fold import fold
from ledger.lines.line import decode
from projections.standings.table import standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Player, Tournament

Rows = list[tuple[Any, ...]]
HALVES = {"W": 1.0, "D": 0.5, "L": 0.0}


class Log:
    """A log, folded; who is who in it, and on what day."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.events: list[Recorded] = [decode(line) for line in lines]
        self.tournament: Tournament = fold(self.events)
        opening = self.tournament.opening
        assert opening is not None
        self.id = opening.tournament
        self.name = opening.name
        self.tier = opening.tier
        self.day = date.fromisoformat(opening.date)
        self.ruleset = self.tournament.ruleset.key

    def person(self, player: int) -> str:
        """Who a player is across tournaments."""
        return self.tournament.players[player].league_id or f"{self.id}/{player}"

    def faction(self, player: int) -> str:
        """What a player plays; empty: unknown."""
        return self.tournament.players[player].faction

    def entrants(self) -> list[Player]:
        """Whose registration stands."""
        return [each for each in self.tournament.players[1:] if each.status != "withdrawn"]

    def field(self) -> int:
        """How many came, whoever of them is looked at."""
        return len(Log.entrants(self))

    def tables(self) -> list[Match]:
        """Tables of two, without pairings taken back."""
        return [
            each
            for each in self.tournament.matches[1:]
            if each.first and each.second
            if not each.void
        ]

    def is_swiss(self, number: int) -> bool:
        """Whether a round is of a Swiss stage."""
        return self.tournament.stages[self.tournament.rounds[number - 1].stage - 1].is_swiss

    def before(self, number: int) -> dict[int, tuple[int, int]]:
        """Points and place of each player in the standings of the round before, of its stage."""
        played = self.tournament.rounds[number - 1]
        if number == 1 or self.tournament.rounds[number - 2].stage != played.stage:
            return {}
        table = standings(self.tournament, played.stage, number - 1)
        return {row.player: (row.points, row.rank) for row in table.rows}


class Side(NamedTuple):
    """A game that was played, seen from one side."""

    log: Log
    match: Match
    player: int
    opponent: int
    letter: str
    is_first: bool


def sides(logs: Sequence[Log]) -> Iterator[Side]:
    for log in logs:
        for match in log.tables():
            result = match.result
            if result is None or result.manner in {"no-show", "departure"}:
                continue
            one, other = (log.tournament.letters[each] for each in result.outcomes)
            yield Side(log, match, match.first, match.second, one, is_first=True)
            yield Side(log, match, match.second, match.first, other, is_first=False)


def wilson(successes: float, trials: float) -> tuple[float | None, float | None, float | None]:
    """The share and its interval: the two shares that lie just so far from the one seen."""
    if not trials:
        return None, None, None
    z, share = NormalDist().inv_cdf(0.975), successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
    return share, middle - half, middle + half


def tally(letters: Sequence[str]) -> tuple[int, int, int, int]:
    return len(letters), letters.count("W"), letters.count("D"), letters.count("L")


def student(freedom: float) -> float:
    """How many standard errors hold 95 % with so many degrees of freedom (Cornish and Fisher)."""
    z = NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)


def scored_by_person(
    games: Sequence[tuple[str, str, str]],
) -> tuple[float | None, float | None, float | None]:
    """The share of games, each of a person, an opponent and a letter; its interval by persons."""
    if not games:
        return None, None, None
    share = mean(HALVES[letter] for _, _, letter in games)
    own, theirs = ({game[place] for game in games} for place in (0, 1))
    fewest = min(len(own), len(theirs))
    if fewest < 5:
        return share, None, None
    single = sum((HALVES[letter] - share) ** 2 for _, _, letter in games)
    moves = [
        (len(games) * (mean(left) - share)) ** 2
        for place, persons in ((0, own), (1, theirs))
        for person in persons
        if (left := [HALVES[game[2]] for game in games if game[place] != person])
    ]
    spread = sqrt(max(sum(moves) - single, single)) / len(games)
    if spread < 1e-6:
        return wilson(share * fewest, fewest)
    reach = student(fewest - 1) * spread
    return share, max(share - reach, 0), min(share + reach, 1)


class Trial(NamedTuple):
    """What one game or table adds to a share, with whoever it hangs on."""

    value: float
    one: str
    other: str
    event: str
    match: int


def sure_share(share: float, spread: float, persons: float) -> tuple[float | None, ...]:
    """Wilson's interval by as many independent trials as would be as sure."""
    as_many = persons
    if spread >= 1e-6:
        wider = student(max(persons - 1, 1)) / NormalDist().inv_cdf(0.975)
        as_many = share * (1 - share) / spread**2 / wider**2
    return wilson(share * as_many, as_many)[1:]


def as_if_equal(counts: Counter[str]) -> float:
    """How many persons of equally many trials are as few as these (Kish)."""
    return sum(counts.values()) ** 2 / sum(count**2 for count in counts.values())


def _squares(groups: Iterable[list[float]], size: int = 0) -> float:
    """What groups add up to, squared; with a size, as far as the share moves without each."""
    return sum(
        (sum(gaps) / (1 - len(gaps) / size if size else 1)) ** 2
        for gaps in groups
        if len(gaps) != size
    )


def spread_of(trials: Sequence[Trial], *, by_event: bool) -> float:
    """The standard error of the mean of trials that hang on two persons, and on an event."""
    size, share = len(trials), mean(trial.value for trial in trials)
    persons: dict[str, list[float]] = defaultdict(list)
    there: dict[tuple[str, str], list[float]] = defaultdict(list)
    games: dict[tuple[str, int], list[float]] = defaultdict(list)
    events: dict[str, list[float]] = defaultdict(list)
    for value, one, other, event, match in trials:
        for person in (one, other):
            persons[person].append(value - share)
            there[event, person].append(value - share)
        games[event, match].append(value - share)
        events[event].append(value - share)
    single = _squares(games.values())
    by_person = max(_squares(persons.values(), size) - single, single)
    within = max(_squares(there.values()) - single, single)
    beyond = _squares(events.values(), size) - within if by_event else 0
    return sqrt(by_person + max(beyond, 0)) / size


def scored(trials: Sequence[Trial], *, by_event: bool) -> tuple[float | None, ...]:
    """The share of games from the side of `one`, and its interval; it may need five events, too."""
    if not trials:
        return None, None, None
    share = mean(trial.value for trial in trials)
    sides = [Counter(trial.one for trial in trials), Counter(trial.other for trial in trials)]
    if by_event:
        sides.append(Counter(trial.event for trial in trials))
    if min(map(len, sides)) < 5:
        return share, None, None
    spread = spread_of(trials, by_event=by_event)
    return share, *sure_share(share, spread, min(map(as_if_equal, sides)))


def shared(trials: Sequence[Trial]) -> tuple[float | None, ...]:
    """The share of tables, which have no side, and its interval by person and event."""
    share = mean(trial.value for trial in trials)
    persons = Counter(name for trial in trials for name in (trial.one, trial.other))
    groups = [persons, Counter(trial.event for trial in trials)]
    if min(map(len, groups)) < 5:
        return share, None, None
    spread = spread_of(trials, by_event=True)
    return share, *sure_share(share, spread, min(map(as_if_equal, groups)))

"""How often each interval that the program prints holds the truth, on simulated seasons.

A season's truth is what all seasons of its kind come to together; a rating's truth is the strength
that decided the games. Next to each interval: its width, that of the narrowest one of its shape
which holds 95 %, and a control, the way that the interval was made before or would be made of
independent games. `python -m tests.support.chance.coverage` writes the page of the figures.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import date, timedelta
from math import ceil, log, pi, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from projections.season.asking import answer, prepare, question_named
from projections.season.calibration import (
    Counted,
    FactionGame,
    brier_of,
    calibrate,
    faction_leads,
    interval_by_person,
    log_loss_of,
    scored,
)
from projections.season.ratings import NORMAL_95, SYSTEMS, RatedGame
from projections.season.tables.database import open_season
from projections.whatif.sweep import margin
from tests.support.chance.made_rows import fill
from tests.support.chance.skewed_seasons import (
    Event,
    League,
    Player,
    chance,
    real_schedules,
    season,
)
from tests.support.paths import ROOT
from tests.support.question_logs import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection

PAGE = ROOT / "projections" / "season" / "INTERVALS.md"
DEFINITIONS = Path(__file__).with_name("interval_definitions.md")
FEWEST = 0.93
"""An interval of 95 % that holds less often is wrong."""

CONSERVATIVE = 0.9
"""Where one of this part of its width is enough, an interval is called conservative."""

GAMES = (1, 5, 15, 50, 200)
"""Ratings are looked at by their games: so many, or more."""

SCORES = {"WL": 1.0, "DD": 0.5, "LW": 0.0}
Row = dict[str, Any]
Drawn = tuple[list[Player], list[Event]]


class Interval(NamedTuple):
    """An interval around an estimate, and the truth."""

    low: float
    estimate: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        """Return whether the truth is inside."""
        return self.low <= self.truth <= self.high

    @property
    def needed(self) -> float:
        """Return by what the interval would have to be multiplied to just hold the truth."""
        gap = self.truth - self.estimate
        reach = self.high - self.estimate if gap > 0 else self.estimate - self.low
        return abs(gap) / max(reach, 1e-12) if gap else 0.0


class Coverage(NamedTuple):
    """How many intervals there are, the share that holds, their width and the narrowest."""

    size: int
    held: float
    width: float
    narrowest: float


def coverage(intervals: Sequence[Interval]) -> Coverage:
    """Count the intervals that hold; the narrowest is scaled so that 95 % of them do."""
    count = len(intervals)
    width = mean(each.high - each.low for each in intervals)
    needed = sorted(each.needed for each in intervals)[ceil(0.95 * count) - 1]
    return Coverage(count, mean(each.holds for each in intervals), width, width * needed)


class Checked(NamedTuple):
    """The intervals of one view, and those of its control, by what they are of."""

    view: str
    of: str
    intervals: dict[str, list[Interval]]
    controls: dict[str, list[Interval]]
    control: str

    def whole(self) -> Coverage:
        """Return the coverage of all intervals together."""
        return coverage([each for some in self.intervals.values() for each in some])

    def worst_control(self) -> tuple[str, Coverage]:
        """Return the coverage of the control where it holds least, of many intervals."""
        most = max(map(len, self.controls.values()))
        of = [key for key, some in self.controls.items() if 2 * len(some) >= most]
        key = min(of, key=lambda key: coverage(self.controls[key]).held)
        return key, coverage(self.controls[key])


def unchecked(view: str, of: str, control: str) -> Checked:
    """Begin with no interval."""
    return Checked(view, of, defaultdict(list), defaultdict(list), control)


class View(NamedTuple):
    """A named question with intervals: what its rows are of, and what it was made of before."""

    value: str
    weight: str
    keys: tuple[str, ...]
    control: Callable[[Row], tuple[float | None, ...]]
    named: str


def _by_game(row: Row) -> tuple[float | None, ...]:
    return wilson(row["score"] * row["games"], row["games"])[1:]


def _by_entry(row: Row) -> tuple[float | None, ...]:
    return wilson(row["entrants"], row["entrants"] / row["field"])[1:]


VIEWS: Mapping[str, View] = {
    "factions": View("score", "games", ("faction",), _by_game, "by game"),
    "faction-matchups": View("score", "games", ("faction", "opponent"), _by_game, "by game"),
    "faction-trend": View("field", "whole", ("faction", "place"), _by_entry, "by entry"),
    "cut-conversion": View(
        "conversion",
        "entrants",
        ("faction",),
        lambda row: wilson(row["qualified"], row["entrants"])[1:],
        "by entry",
    ),
    "byes": View("score", "games", ("byes",), _by_game, "by game"),
    "first-and-side": View("score", "games", ("advantage",), _by_game, "by game"),
    "extensions": View(
        "share",
        "tables",
        ("round",),
        lambda row: wilson(row["extended"], row["tables"])[1:],
        "by table",
    ),
    "retention": View(
        "share",
        "observed",
        ("place",),
        lambda row: wilson(
            row["within_90"] * row["tournaments"], row["observed"] * row["tournaments"]
        )[1:],
        "by entry",
    ),
    "pairing-quality": View(
        "mean_gap", "compared", ("round",), lambda row: row["by_table"], "by table"
    ),
}
"""Every named question that has an interval of 95 %."""


class Setting(NamedTuple):
    """A kind of season."""

    name: str
    league: League
    seed: int


SMALL = 40
"""Seats of the largest of the real events that few persons play."""


def settings() -> Iterator[Setting]:
    """Yield the kinds of seasons; those of real schedules only if these are there."""
    yield Setting("Swiss, 40 persons", League(40, 12), 1)
    yield Setting("Swiss, 16 persons", League(16, 30, has_awards=True), 2)
    if schedules := real_schedules():
        yield Setting("real, 150 persons", League(150, 22, schedules=schedules), 3)
        small = tuple(each for each in schedules if each.seats <= SMALL)
        yield Setting("real, 50 persons", League(50, 33, schedules=small), 4)


def drawn_seasons(setting: Setting, count: int) -> list[Drawn]:
    """Draw seasons of a kind."""
    drawn = Random(setting.seed)
    return [season(setting.league, drawn) for _ in range(count)]


def answers_checked(seasons: Sequence[Drawn]) -> Iterator[Checked]:
    """Ask every named question that has an interval, of all seasons at once."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "season.duckdb"
        with open_season(file, create=True) as connection:
            _store(connection, seasons)
            prepare(connection)
            for name, view in VIEWS.items():
                yield _answer_checked(connection, seasons, name, view)


def _answer_checked(
    connection: DuckDBPyConnection, seasons: Sequence[Drawn], name: str, view: View
) -> Checked:
    found = answer(connection, question_named(name))
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for values in found.rows:
        row = dict(zip(found.columns, values, strict=True))
        if row[view.value] is None:
            continue
        if "month" in row:
            row["place"] = row["month"].month
        if name == "faction-trend":
            row["whole"] = row["entrants"] / row["field"]
        if name == "pairing-quality":
            row["by_table"] = _gaps_by_table(seasons[_number(row["ruleset"])], row["round"])
        groups[tuple(row[key] for key in view.keys)].append(row)
    checked = unchecked(f"stats {name}", "", view.named)
    for group, rows in groups.items():
        known = [row for row in rows if row["low"] is not None]
        weight = sum(row[view.weight] for row in rows)
        truth = sum(row[view.value] * row[view.weight] for row in rows) / weight
        for row in known:
            estimate = row[view.value]
            key = ", ".join(map(str, group))
            checked.intervals[key].append(Interval(row["low"], estimate, row["high"], truth))
            low, high = view.control(row)
            checked.controls[key].append(Interval(low or 0.0, estimate, high or 0.0, truth))
    return checked


def _number(ruleset: str) -> int:
    return int(ruleset.removeprefix("game"))


def _gaps_by_table(drawn: Drawn, number: int) -> tuple[float, float]:
    gaps = [table.gap / 2 for event in drawn[1] for table in event.tables if table.round == number]
    half = NORMAL_95 * stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    return mean(gaps) - half, mean(gaps) + half


def _store(connection: DuckDBPyConnection, seasons: Sequence[Drawn]) -> None:
    """Fill in a season's tables; each simulated season is a ruleset, in years of its own."""
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for number, (_, events) in enumerate(seasons):
        begins = date(1000 + 2 * number, 1, 1)
        for place, event in enumerate(events):
            _store_event(rows, f"{number:04}", place, begins, event)
    names = {
        "tournaments": (
            "tournament", "ruleset", "held_on", "finished", "entrants", "full_points",
        ),
        "stages": ("tournament", "stage", "kind"),
        "entrants": ("tournament", "player", "faction", "status", "byes"),
        "people": ("tournament", "player", "person", "known"),
        "results": ("tournament", "match", "round", "player1", "player2", "record1", "record2"),
        "matches": (
            "tournament", "match", "round", "stage", "table_number", "player1", "player2", "void",
            "extended_minutes", "points_before1", "points_before2",
        ),
        "setups": ("tournament", "match", "first_player"),
        "cuts": ("tournament", "stage", "player"),
    }  # fmt: skip
    for table, columns in names.items():
        if rows[table]:
            fill(connection, table, rows[table], columns)


def _store_event(
    rows: dict[str, list[tuple[Any, ...]]], name: str, place: int, begins: date, event: Event
) -> None:
    key, held = f"{name}/{place:03}", begins + timedelta(days=event.day)
    rows["tournaments"].append((key, f"game{name}", held, True, len(event.entries), 2))
    rows["stages"].append((key, 1, "swiss"))
    for player, entry in enumerate(event.entries, start=1):
        rows["entrants"].append((key, player, entry.faction, "active", entry.byes))
        rows["people"].append((key, player, f"{name}-{entry.person}", True))
        if entry.is_in_cut:
            rows["cuts"].append((key, 2, player))
    for match, table in enumerate(event.tables, start=1):
        one, other, before = table.one + 1, table.other + 1, 0 if table.round > 1 else None
        rows["results"].append((key, match, table.round, one, other, *table.letters))
        gap = table.gap if table.round > 1 else None
        what = (match, table.round, 1, match, one, other, False, table.extended, gap, before)
        rows["matches"].append((key, *what))
        rows["setups"].append((key, match, table.first + 1))


def games_of(events: Iterable[Event]) -> list[FactionGame]:
    """List the games of a season as ratings read them, with the factions."""
    games = []
    for event in events:
        for table in event.tables:
            one, other = event.entries[table.one], event.entries[table.other]
            names = f"p{one.person:03}", f"p{other.person:03}"
            game = RatedGame(event.day, *names, SCORES[table.letters])
            games.append(FactionGame(game, (one.faction, other.faction)))
    return games


def shuffled(games: Sequence[FactionGame], drawn: Random) -> list[FactionGame]:
    """Give each person one label by chance."""
    factions = sorted({faction for game in games for faction in game.factions})
    labels: dict[str, str] = defaultdict(lambda: drawn.choice(factions))
    return [FactionGame(played.game, (labels[played.game.first], labels[played.game.second]))
            for played in games]  # fmt: skip


def ratings_checked(seasons: Sequence[Drawn], system: str) -> Checked:
    """Compare ratings with strengths; the control is Elo with the standard error that it had.

    Strengths are relative. What a scale says is fixed by those who play: the middle is the mean of
    all players, each counted once for each game.
    """
    checked = unchecked(f"rating {system}", "", "elo, as it was")
    for people, events in seasons:
        games = [played.game for played in games_of(events)]
        rated = SYSTEMS[system].rate(games).ratings
        bounds = {
            person: (*rating.interval, rating.value, rating.games)
            for person, rating in rated.items()
        }
        for key, held in _strengths_held(people, bounds, SYSTEMS[system].scale.unit):
            checked.intervals[key].append(held)
        for key, held in _strengths_held(people, _elo_before(games), 400 / log(10)):
            checked.controls[key].append(held)
    return checked


def _strengths_held(
    people: Sequence[Player], bounds: Mapping[str, tuple[Any, ...]], unit: float
) -> Iterator[tuple[str, Interval]]:
    own = {person: unit * people[int(person[1:])].strength for person in bounds}
    whole = sum(games for *_, games in bounds.values())
    middle = sum((value - own[who]) * games for who, (_, _, value, games) in bounds.items()) / whole
    for person, (low, high, value, games) in bounds.items():
        least = max(least for least in GAMES if least <= games)
        yield f"{least} games or more", Interval(low, value, high, middle + own[person])


def _elo_before(games: Sequence[RatedGame]) -> dict[str, tuple[float, float, float, int]]:
    """Return Elo's ratings with the interval that they had: opponents taken as known."""
    rated = SYSTEMS["elo"].rate(games)
    information: dict[str, float] = defaultdict(float)
    for game, expected in zip(games, rated.expected, strict=True):
        for person in (game.first, game.second):
            information[person] += expected * (1 - expected)
    bounds = {}
    for person, rating in rated.ratings.items():
        half = NORMAL_95 * 400 / log(10) / sqrt(information[person])
        bounds[person] = (rating.value - half, rating.value + half, rating.value, rating.games)
    return bounds


def leads_checked(seasons: Sequence[Drawn], *, at_random: bool) -> Checked:
    """Compare leads with 0; the control rates strengths without any game of the faction."""
    of = "labels by chance" if at_random else ""
    checked = unchecked("rating --factions", of, "rated without the faction")
    drawn = Random(17)
    for _, events in seasons:
        games = games_of(events)
        if at_random:
            games = shuffled(games, drawn)
        for lead in faction_leads(games, SYSTEMS["glicko2"]):
            if lead.low is not None and lead.lead is not None and lead.high is not None:
                held = Interval(lead.low, lead.lead, lead.high, 0.0)
                checked.intervals[lead.faction].append(held)
        for faction, held in _leads_before(games):
            checked.controls[faction].append(held)
    return checked


def _leads_before(games: Sequence[FactionGame]) -> Iterator[tuple[str, Interval]]:
    """Yield the leads as they were: strengths by the games without the faction, also later ones."""
    system = SYSTEMS["glicko2"]
    met = [played for played in games if played.factions[0] != played.factions[1]]
    for faction in sorted({name for played in met for name in played.factions}):
        others = [played.game for played in games if faction not in played.factions]
        rated = system.rate(others).ratings if others else {}
        beyond = []
        for (_, first, second, score), factions in met:
            if faction not in factions:
                continue
            pair = [
                (rated[who].value, rated[who].deviation or 0.0) if who in rated else (1500.0, 350.0)
                for who in (first, second)
            ]
            spread = (pair[0][1] ** 2 + pair[1][1] ** 2) / system.scale.unit**2
            gap = (pair[0][0] - pair[1][0]) / system.scale.unit / sqrt(1 + 3 * spread / pi**2)
            expected = chance(gap, 0.0)
            one, other = (first, second) if factions[0] == faction else (second, first)
            value = score - expected if factions[0] == faction else expected - score
            beyond.append(Counted(one, other, value))
        lead, low, high = interval_by_person(beyond)
        if low is not None and high is not None:
            yield faction, Interval(low, lead, high, 0.0)


def calibration_checked(seasons: Sequence[Drawn], system: str) -> Iterator[Checked]:
    """Compare what games of each decile scored, and their log-loss, with all seasons together."""
    bins: dict[float, list[tuple[Interval, float]]] = defaultdict(list)
    losses: list[tuple[Interval, float]] = []
    for _, events in seasons:
        games = [played.game for played in games_of(events)]
        found = calibrate(games, SYSTEMS[system].rate(games).expected)
        value, low, high = found.log_loss
        if low is not None and high is not None:
            losses.append((Interval(low, value, high, 0.0), found.games))
        for each in found.bins:
            if each.actual_low is not None and each.actual_high is not None:
                held = Interval(each.actual_low, each.actual, each.actual_high, 0.0)
                bins[each.low].append((held, each.sides))
    for name, groups in (("deciles", list(bins.values())), ("log-loss", [losses])):
        checked = unchecked("rating --calibration", name, "half as wide")
        for group in groups:
            whole = sum(count for _, count in group)
            truth = sum(held.estimate * count for held, count in group) / whole
            for held, _ in group:
                checked.intervals[name].append(held._replace(truth=truth))
                quarter = (held.high - held.low) / 4
                low, high = held.estimate - quarter, held.estimate + quarter
                checked.controls[name].append(Interval(low, held.estimate, high, truth))
        yield checked


def forecasts_checked(seasons: Sequence[Drawn], system: str) -> Iterator[Checked]:
    """Compare the lead of forecasts over a coin with that in all seasons together.

    The control takes games for independent.
    """
    names = {"brier": brier_of, "log-loss": log_loss_of}
    found = {
        name: unchecked("rating --calibration", f"lead over a coin, {name}, {system}", "by game")
        for name in names
    }
    for _, events in seasons:
        games = [played.game for played in games_of(events)]
        expected = SYSTEMS[system].rate(games).expected
        score = scored(games, system, expected)
        for (name, loss), lead in zip(
            names.items(), (score.brier_lead, score.log_lead), strict=True
        ):
            if lead.low is None or lead.high is None:
                continue
            found[name].intervals[""].append(Interval(lead.low, lead.mean, lead.high, 0.0))
            leads = [
                loss(0.5, game.score) - loss(chance, game.score)
                for game, chance in zip(games, expected, strict=True)
            ]
            reach = NORMAL_95 * stdev(leads) / sqrt(len(leads))
            found[name].controls[""].append(
                Interval(lead.mean - reach, lead.mean, lead.mean + reach, 0.0)
            )
    for checked in found.values():
        for group in (checked.intervals, checked.controls):
            truth = mean(held.estimate for held in checked.intervals[""])
            group[""][:] = [held._replace(truth=truth) for held in group[""]]
        yield checked


def sweep_checked(tries: int, samples: int = 300) -> Checked:
    """Compare shares of random combinations with their chances; the control is half as wide."""
    drawn = Random(23)
    checked = unchecked("whatif --sweep", "99 of 100", "a third as wide")
    reach = margin(samples)
    for _ in range(tries):
        true = drawn.random()
        share = sum(drawn.random() < true for _ in range(samples)) / samples
        checked.intervals[""].append(Interval(share - reach, share, share + reach, true))
        checked.controls[""].append(Interval(share - reach / 3, share, share + reach / 3, true))
    return checked


def ratings_and_leads(seasons: Sequence[Drawn]) -> Iterator[Checked]:
    """Check everything that `rating` prints."""
    for system in ("glicko2", "bayes"):
        yield ratings_checked(seasons, system)
    # As of the middle of a season: what `rating --player` prints of each day.
    halves = [(people, events[: len(events) // 2]) for people, events in seasons]
    yield ratings_checked(halves, "glicko2")._replace(of="a day before the last")
    yield from calibration_checked(seasons, "glicko2")
    for system in ("glicko2", "elo"):
        yield from forecasts_checked(seasons, system)
    for at_random in (False, True):
        yield leads_checked(seasons, at_random=at_random)


def whole_page(times: int) -> str:
    """Simulate everything, and write the page."""
    lines = [HEADING.format(times=times), "", DEFINITIONS.read_text("utf-8").rstrip()]
    for setting in settings():
        seasons = drawn_seasons(setting, times)
        lines.append(TABLE.format(name=setting.name))
        checks = [*answers_checked(seasons), *ratings_and_leads(seasons[: times // 4])]
        lines += map(_line, checks)
    lines += [TABLE.format(name="random results of the running round"), _line(sweep_checked(5_000))]
    return "\n".join(lines) + "\n"


def _line(checked: Checked) -> str:
    own, (at, before) = checked.whole(), checked.worst_control()
    name = f"`{checked.view}`" + (f" ({checked.of})" if checked.of else "")
    word = "conservative" if own.narrowest < CONSERVATIVE * own.width else ""
    where = f" ({at})" if len(checked.controls) > 1 else ""
    return (
        f"| {name} | {own.size:,} | {own.held:.1%} | {own.width:.3g} | {own.narrowest:.3g} "
        f"| {word} | {checked.control}{where}: {before.held:.1%} |"
    )


HEADING = """# Do the intervals hold?

An interval of 95 % says: of a hundred such intervals, ninety-five or more hold what is true. Each
one that the program prints is tried here on simulated seasons of which the truth is known: {times}
of each kind, a quarter of that for ratings. They are made to be hard. The strong come more often
and keep one faction, so that few persons play most of the games; a faction has no effect. Of the
sixteen persons the strong have byes, too.

`Width` is the mean width of the intervals, `narrowest` that of intervals of the same shape which
hold just 95 %. Where less than nine tenths of its width is enough, an interval is conservative,
wider than it has to be, and is called so where it is printed. The last column is a control, where
it does worst: the way in which an interval was made before, or one that takes games or entries of
one person for independent.

What a rating says is relative. Its scale is fixed by those who play: the middle, 1500, is the mean
strength of all players, each counted once for each of their games.

Not an interval of this kind: `stats round-length`, whose bars hold the middle 80 % of the rounds
that were played, and say nothing of others. `rating elo` has none.

This page is made by `python -m tests.support.chance.coverage`. The real schedules are those of
eleven tournaments that other programs published: who met whom there, not what came of it."""

TABLE = """
## {name}

| view | intervals | hold | width | narrowest | | control |
| --- | --- | --- | --- | --- | --- | --- |"""


if __name__ == "__main__":
    PAGE.write_text(whole_page(int(sys.argv[1]) if len(sys.argv) > 1 else 400), "utf-8")

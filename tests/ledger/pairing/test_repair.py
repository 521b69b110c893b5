"""A repair stops no table more than it must: every choice against every set of tables there is."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.facts.rounds import TablesRepaired
from ledger.facts.shared import Stage
from ledger.lines.line import read
from ledger.pairing import Field, pair_swiss, repair
from ledger.pairing.meetings import grounds
from ledger.pairing.repair import Cost, Made, repairs
from ledger.pairing.shuffling import Draws
from ledger.rules.pairing import RepairRound, choices, tables_repaired
from ledger.rules.results import Correct, StatedResult
from ledger.rules.undo import Undo
from ledger.tournament.disputes import latest_dispute
from ledger.tournament.progress import before_round, starting_points
from projections.standings.table import ranking
from tests.support.days.confirmed_days import confirmed_day
from tests.support.simulate import Day
from tests.truth.cuts.cut_truth import corrected_day as hard_corrected_day
from tests.truth.cuts.cut_truth import rounds_of as rounds_of_stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Game = tuple[int, int]


def draws(seed: int) -> Draws:
    return Draws(b"the key of the repairs", "repair@2", seed)


def cost_of(games: Sequence[Game], made: Made) -> Cost:
    """What a round costs, counted anew: rematches, the place of the bye, the gap."""
    tables = [game for game in games if 0 not in game]
    values = sorted({made.score[player] for game in tables for player in game})
    steps = [values.index(made.score[a]) - values.index(made.score[b]) for a, b in tables]
    holder = next((max(game) for game in games if 0 in game), 0)
    order = list(made.bye_order)
    return Cost(
        sum(b in made.met[a] for a, b in tables),
        order.index(holder) if holder in order else 0,
        sum(step * step for step in steps),
    )


def rounds_of(players: Sequence[int]) -> Iterator[list[Game]]:
    """Every round of the players; an odd one out has the bye."""
    if not players:
        yield []
        return
    first, *rest = players
    for other in rest:
        left = [player for player in rest if player != other]
        yield from ([(first, other), *games] for games in rounds_of(left))


def every_round(made: Made) -> Iterator[list[Game]]:
    """Every round in which the fixed tables stay and nobody new meets who must not."""
    kept = [game for at, game in enumerate(made.games) if at in made.fixed]
    players = [p for at, g in enumerate(made.games) if at not in made.fixed for p in g]
    for games in rounds_of(players):
        yield [*kept, *games]


def by_brute_force(made: Made) -> list[tuple[int, Cost]]:
    """For each number of tables stopped the least cost, where it undercuts all smaller ones."""
    sat = {frozenset(game) for game in made.games}
    holder = next((max(game) for game in made.games if 0 in game), 0)
    least: dict[int, Cost] = {0: cost_of(made.games, made)}
    for games in every_round(made):
        fresh = [game for game in games if frozenset(game) not in sat]
        tables = [game for game in fresh if 0 not in game]
        if any(b in made.met[a] for a, b in tables):
            continue
        other = next((max(game) for game in games if 0 in game), 0)
        order = list(made.bye_order)
        if other != holder and (other not in order or order.index(other) > order.index(holder)):
            continue
        stopped = len(tables)
        cost = cost_of(games, made)
        least[stopped] = min(cost, least.get(stopped, cost))
    best: list[tuple[int, Cost]] = []
    for stopped in sorted(least):
        if not best or least[stopped] < best[-1][1]:
            best.append((stopped, least[stopped]))
    return best


def random_round(chance: random.Random) -> Made:
    players = list(range(1, chance.randrange(4, 11) + 1))
    chance.shuffle(players)
    width = chance.choice([2, 3, 5])
    score = {player: chance.randrange(width) for player in players}
    met: dict[int, set[int]] = {player: set() for player in players}
    for one, other in combinations(sorted(players), 2):
        if chance.random() < chance.choice([0.0, 0.2, 0.5]):
            met[one].add(other)
            met[other].add(one)
    games = [(a, b) for a, b in zip(players[::2], players[1::2], strict=False)]
    order: list[int] = []
    if len(players) % 2:
        games.append((players[-1], 0))
        order = sorted(players, key=lambda player: (score[player], player))
    fixed = frozenset(
        at for at, game in enumerate(games) if 0 not in game and chance.random() < 0.15
    )
    return Made(games, fixed, score, met, order)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(20))
def test_every_choice_is_the_best_for_its_number_of_tables(batch: int) -> None:
    """Up to ten players; a mended round is legal, and the tables not named are as they were."""
    chance = random.Random(f"repair {batch}")
    for number in range(20):
        made = random_round(chance)
        found = repairs(made, draws(number))
        assert [(choice.stopped, choice.cost) for choice in found] == by_brute_force(made)
        for choice in found:
            _check_seats(made, choice.seats, choice.stopped, choice.cost)


def _check_seats(made: Made, seats: dict[int, Game], stopped: int, cost: Cost) -> None:
    games = [seats.get(at, game) for at, game in enumerate(made.games)]
    assert cost_of(games, made) == cost
    assert sorted(p for g in games for p in g) == sorted(p for g in made.games for p in g)
    assert not seats.keys() & made.fixed
    assert all(b not in made.met[a] for a, b in seats.values() if b)
    assert sum(0 not in made.games[at] for at in seats) == stopped


def test_larger_rounds_are_mended_to_the_least_gap() -> None:
    """Against the pairing itself: no round of these players has less."""
    chance = random.Random("large")
    for number in range(6):
        players = list(range(1, 61))
        score = {player: chance.randrange(6) for player in players}
        met: dict[int, set[int]] = {player: set() for player in players}
        for _ in range(3):
            chance.shuffle(players)
            for a, b in zip(players[::2], players[1::2], strict=True):
                met[a].add(b)
                met[b].add(a)
        made_for = dict(score)
        drawn = pair_swiss(Field(players, made_for, met), draws(number))
        for player in chance.sample(players, 3):
            score[player] = (score[player] + chance.choice([1, 2, 3])) % 6
        found = repairs(Made(drawn.tables, frozenset(), score, met), draws(number))
        least = pair_swiss(Field(players, score, met), draws(number + 100)).gap
        assert found[-1].cost == Cost(0, 0, least)
        assert [choice.stopped for choice in found] == sorted({choice.stopped for choice in found})


def large_round(chance: random.Random) -> Made:
    """Forty players or so in many score groups, four rounds behind them, a few tables fixed."""
    players = list(range(1, chance.randrange(36, 46)))
    score = {player: chance.randrange(9) for player in players}
    met: dict[int, set[int]] = {player: set() for player in players}
    for _ in range(4):
        chance.shuffle(players)
        for a, b in zip(players[::2], players[1::2], strict=False):
            met[a].add(b)
            met[b].add(a)
    order = sorted(players, key=lambda player: (score[player], player)) if len(players) % 2 else []
    drawn = pair_swiss(Field(players, score, met, order), draws(1))
    games = [*drawn.tables, *([(drawn.bye, 0)] if drawn.bye else [])]
    for player in chance.sample(players, 4):
        score[player] = chance.randrange(9)
    for a, b in chance.sample(drawn.tables, chance.choice([0, 0, 2])):
        met[a].add(b)
        met[b].add(a)
    fixed = chance.sample(range(len(drawn.tables)), chance.choice([0, 5, 12]))
    order.sort(key=lambda player: (score[player], player))
    return Made(games, frozenset(fixed), score, met, order)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(4))
def test_the_best_round_is_among_the_few_games_that_are_looked_at(
    batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last choice against that of all games that could be played."""
    chance = random.Random(f"few {batch}")
    rounds = [large_round(chance) for _ in range(8)]
    few = [repairs(made, draws(number))[-1] for number, made in enumerate(rounds)]
    assert any(choice.stopped > 3 for choice in few)
    monkeypatch.setattr(repair, "_steps_max", lambda *_: 9)
    for number, made in enumerate(rounds):
        every = repairs(made, draws(number))[-1]
        assert (few[number].stopped, few[number].cost) == (every.stopped, every.cost)


def corrected_day(seed: int, players: int) -> Day:
    """Two rounds played, the third paired, then a result of the first turned round."""
    chance = random.Random(seed)
    day = Day(players, shuffle_key=seed.to_bytes(32, "big"))
    day.start(4, Stage("single", entry="top", size=4))
    for _ in range(2):
        for match in day.pair():
            if match.is_open:
                day.report(match, chance.choice(["win", "loss"]))
    day.pair()
    first = [match for match in day.tournament.rounds[0].matches if match.result]
    match = chance.choice(first)
    assert match.result is not None
    other = "loss" if match.result.outcomes[0] == "win" else "win"
    day.do(Correct(match.number, StatedResult(other), "the slip said otherwise"))
    return day


def made_anew(day: Day) -> Made:
    """Return the round in play, with everyone's points added up again."""
    round_ = day.tournament.rounds[-1]
    past = before_round(day.tournament, round_)
    stage = past.stages[round_.stage - 1]
    counted = [*rounds_of_stage(past, stage.number + 1)]
    start = starting_points(past, stage) or [0] * len(past.players)
    score = {
        player: start[player]
        + sum(
            r.points[player] for r in past.rounds if r.number in counted and player < len(r.points)
        )
        for player in range(1, len(past.players))
    }
    games = [(match.first, match.second) for match in round_.matches]
    players = {player for game in games for player in game if player}
    order: list[int] = []
    if counted:
        ranked = [player for player in reversed(ranking(past)) if player in players]
        order = sorted(ranked, key=lambda player: past.players[player].byes)
    met = grounds(past, stage).bars(players)[0]
    return Made(games, frozenset(range(round_.by_hand)), score, met, order)


def repaired_rightly(seeds: range) -> Counter[str]:
    """Hold the choices for days by chance against every round there is; count what they were."""
    counted: Counter[str] = Counter()
    for seed in seeds:
        hard = hard_corrected_day(seed)
        if hard is None:
            continue
        try:
            found = choices(hard.day.tournament, hard.day.context)
        except Refused:
            continue
        assert [(each.stopped, each.cost) for each in found] == by_brute_force(made_anew(hard.day))
        counted.update(["events", *hard.marks, "better" if len(found) > 1 else "as good"])
    return counted


def test_repairs_of_hard_days() -> None:
    assert repaired_rightly(range(60))["better"] > 5


@pytest.mark.slow
def test_repairs_of_many_hard_days() -> None:
    """`TOURNEY_CUTS=4000` is the long form."""
    counted = repaired_rightly(range(1000, 1000 + int(os.environ.get("TOURNEY_CUTS", "600"))))
    assert {"adjusted", "bye", "carried", "left", "no-show", "rematch"} <= counted.keys()
    assert counted["better"] > counted["events"] / 8
    if "TOURNEY_CUTS" in os.environ:
        print(f"\n{counted}")  # noqa: T201 - the figures of the long form


@pytest.mark.parametrize("seed", range(16))
def test_a_repair_leaves_the_other_tables_untouched(seed: int) -> None:
    day = corrected_day(seed, 12 + seed)
    found = choices(day.tournament, day.context)
    if len(found) == 1:
        assert day.refused(RepairRound(2, "why"))
        return
    before = {m.number: (m.first, m.second) for m in day.matches()}
    size = len(day.log)
    (done,) = day.do(RepairRound(found[-1].stopped, "1/1 was corrected"))
    assert isinstance(done.event, TablesRepaired)
    assert len(day.log) == size + 1
    after = {m.number: (m.first, m.second) for m in day.matches()}
    changed = {number for number, game in after.items() if game != before[number]}
    tables = {day.tournament.matches[number].table for number in changed}
    assert tables == set(done.event.tables)
    assert after.keys() == before.keys()
    assert Day.folded([read(line) for line in day.lines]) == day.tournament
    (last,) = choices(day.tournament, day.context)
    assert last.cost == found[-1].cost
    # The day goes on: results, byes and the next round as ever.
    byes = {p.number: p.byes for p in day.tournament.registered()}
    granted = [m.first for m in day.matches() if m.is_bye]
    assert sum(byes.values()) == sum(
        m.is_bye for played in day.tournament.rounds for m in played.matches
    )
    assert all(byes[player] == 1 for player in granted)
    day.report_all("win")
    day.pair()


def test_a_table_whose_report_waits_is_not_stopped() -> None:
    """A report that nobody has confirmed yet is of the two who played it."""
    seen = 0
    for seed in range(12):
        day = confirmed_day(seed, 24, whole=False, words=0.5)
        waiting = {m.table for m in day.matches() if m.number in day.tournament.floor.unconfirmed}
        for match in day.tournament.rounds[-2].matches:
            if latest_dispute(day.tournament, match.number) is None and not match.is_bye:
                day.do(Correct(match.number, StatedResult("loss"), "the slip"))
        found = choices(day.tournament, day.context)
        stopped = {at + 1 for choice in found for at in choice.seats}
        assert not waiting & stopped
        seen += bool(waiting and stopped)
    assert seen
    day = confirmed_day(1, 24, whole=False)
    one, other = [m for m in day.matches() if m.number in day.tournament.floor.unconfirmed][:2]
    were = ((one.first, one.second), (other.first, other.second))
    games = ((one.first, other.second), (other.first, one.second))
    event = TablesRepaired(one.round, (one.table, other.table), games, were, "by hand", "why")
    problems = list(map(str, tables_repaired(day.tournament, event)))
    assert [each for each in problems if "has a result" in each] == [
        f"table {each.table} has a result and cannot be stopped" for each in (one, other)
    ]


def test_a_repair_can_be_undone() -> None:
    day = next(day for day in (corrected_day(seed, 17) for seed in range(20)) if _better(day))
    before = [(m.first, m.second) for m in day.matches()]
    day.do(RepairRound(_better(day), "1/1 was corrected"))
    assert [(m.first, m.second) for m in day.matches()] != before
    day.do(Undo())
    assert [(m.first, m.second) for m in day.matches()] == before


def _better(day: Day) -> int:
    return choices(day.tournament, day.context)[-1].stopped

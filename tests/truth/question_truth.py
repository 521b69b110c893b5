"""The named questions once more, in plain Python over the folded logs: what SQL has to say."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt
from statistics import mean
from typing import TYPE_CHECKING, Any

from projections.standings.bracket import finishing_order
from tests.support.question_logs import (
    HALVES,
    Log,
    Rows,
    Side,
    Trial,
    as_if_equal,
    scored,
    scored_by_person,
    sides,
    student,
    sure_share,
    tally,
    wilson,
)
from tests.truth import question_floor_truth as floor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date


FULL_WINS = {"l5r": "win", "swiss": "win", "legion": "win", "ashes": "win", "runewars": "win"}
"""What each game calls a full win."""

WORTH = {"l5r": 10, "swiss": 2, "legion": 1, "ashes": 3, "runewars": 10}
"""What it is worth in match points."""


def head_to_head(logs: Sequence[Log]) -> Rows:
    met: dict[tuple[str, str], list[tuple[date, str]]] = defaultdict(list)
    for side in sides(logs):
        pair = side.log.person(side.player), side.log.person(side.opponent)
        if pair[0] < pair[1]:
            met[pair].append((side.log.day, side.letter))
    rows = [
        (*pair, *tally([letter for _, letter in games]), min(games)[0], max(games)[0])
        for pair, games in met.items()
    ]
    return sorted(rows, key=lambda row: (-row[2], row[:2]))


def _meeting(side: Side) -> tuple[str, str, str]:
    return side.log.person(side.player), side.log.person(side.opponent), side.letter


def faction_matchups(logs: Sequence[Log]) -> Rows:
    met: dict[tuple[str, ...], list[tuple[str, str, str]]] = defaultdict(list)
    for side in sides(logs):
        mine, theirs = side.log.faction(side.player), side.log.faction(side.opponent)
        if _differ(side):
            met[side.log.ruleset, mine, theirs].append(_meeting(side))
    rows: Rows = []
    for key, games in sorted(met.items()):
        persons = len({person for person, *_ in games})
        counted = tally([each[2] for each in games])
        rows.append((*key, persons, *counted, *scored_by_person(games)))
    return rows


def factions(logs: Sequence[Log]) -> Rows:
    fields = Counter((log.ruleset, each.faction) for log in logs for each in log.entrants())
    entries: dict[str, int] = Counter(ruleset for ruleset, mine in fields.elements() if mine)
    met: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for side in sides(logs):
        if _differ(side):
            met[side.log.ruleset, side.log.faction(side.player)].append(_meeting(side))
    rows: Rows = []
    for key, count in sorted(fields.items()):
        persons = len({person for person, *_ in met[key]})
        counted = tally([each[2] for each in met[key]])[:3]
        field = count, count / entries[key[0]] if key[1] else None
        rows.append((*key, *field, persons, *counted, *scored_by_person(met[key])))
    return rows


def _differ(side: Side) -> bool:
    """Whether the factions of both sides are known, and are two."""
    mine, theirs = side.log.faction(side.player), side.log.faction(side.opponent)
    return bool(mine and theirs) and mine != theirs


def faction_trend(logs: Sequence[Log]) -> Rows:
    entered: Counter[tuple[date, str, str]] = Counter()
    months: Counter[tuple[date, str]] = Counter()
    for log in logs:
        for each in log.entrants():
            if each.faction:
                entered[log.day.replace(day=1), log.ruleset, each.faction] += 1
                months[log.day.replace(day=1), log.ruleset] += 1
    met: dict[tuple[date, str, str], list[float]] = defaultdict(list)
    for side in sides(logs):
        if _differ(side):
            mine = side.log.faction(side.player)
            met[side.log.day.replace(day=1), side.log.ruleset, mine].append(HALVES[side.letter])
    rows: Rows = []
    for key, count in sorted(entered.items()):
        share = count / months[key[:2]]
        sure = _sure_of_share(_by_person(logs, *key))
        score = mean(met[key]) if met[key] else None
        rows.append((*key, count, share, *sure, len(met[key]), score))
    return rows


def _by_person(
    logs: Sequence[Log], month: date, ruleset: str, faction: str
) -> list[tuple[int, int]]:
    """Of each person who was there in the month: entries with the faction, and all."""
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for log in logs:
        if (log.day.replace(day=1), log.ruleset) == (month, ruleset):
            for each in filter(lambda each: each.faction, log.entrants()):
                whole[log.person(each.number)] += 1
                own[log.person(each.number)] += each.faction == faction
    return [(own[person], count) for person, count in whole.items()]


def _sure_of_share(persons: list[tuple[int, int]]) -> tuple[float | None, ...]:
    """Wilson's interval with as many entries of as many persons as would be as sure."""
    whole = sum(count for _, count in persons)
    share = sum(own for own, _ in persons) / whole
    without = [(own - share * count, 1 - count / whole) for own, count in persons if count < whole]
    moved = sum((gap / rest) ** 2 for gap, rest in without)
    as_many: float = len(persons)
    if moved > 1e-6:
        wider = student(max(len(persons) - 1, 1)) / 1.959963984540054
        as_many = min(whole, share * (1 - share) * whole**2 / moved) / wider**2
    return wilson(share * as_many, as_many)[1:]


def _trial(side: Side) -> Trial:
    return Trial(
        HALVES[side.letter],
        side.log.person(side.player),
        side.log.person(side.opponent),
        side.log.id,
        side.match.number,
    )


def first_and_side(logs: Sequence[Log]) -> Rows:
    had: dict[tuple[str, str], list[Side]] = defaultdict(list)
    for side in sides(logs):
        chosen, number = side.log.tournament.floor, side.match.number
        if side.is_first:
            had[side.log.ruleset, "named first"].append(side)
        if number in chosen.first_players and chosen.first_players[number].first == side.player:
            had[side.log.ruleset, "first player"].append(side)
        if number in chosen.sides and chosen.sides[number].blue == side.player:
            had[side.log.ruleset, "blue side"].append(side)
    return [
        (
            *key,
            *tally([side.letter for side in games]),
            *scored([_trial(side) for side in games], by_event=False),
        )
        for key, games in sorted(had.items())
    ]


def cut_conversion(logs: Sequence[Log]) -> Rows:
    entered: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    for log in logs:
        cut = next((stage for stage in log.tournament.stages if stage.cut_seq), None)
        if cut is None:
            continue
        for each in filter(lambda each: each.faction, log.entrants()):
            through = each.number in {*cut.seeds, *cut.entrants}
            entered[log.ruleset, each.faction].append((log.person(each.number), through))
    rows: Rows = []
    for key, entries in sorted(entered.items()):
        alike = [each for other, some in entered.items() if other[0] == key[0] for each in some]
        qualified = sum(went for _, went in entries)
        all_through = sum(went for _, went in alike)
        shares = len(entries) / len(alike), qualified / all_through if all_through else None
        rows.append((*key, len(entries), qualified, *shares, *_converted(entries)))
    return rows


def _converted(entries: list[tuple[str, bool]]) -> tuple[float | None, ...]:
    share = mean(went for _, went in entries)
    by_person: dict[str, list[float]] = defaultdict(list)
    for person, went in entries:
        by_person[person].append(went - share)
    if len(by_person) < 5:
        return share, None, None
    moves = [sum(gaps) / (1 - len(gaps) / len(entries)) for gaps in by_person.values()]
    spread = sqrt(sum(move**2 for move in moves)) / len(entries)
    persons = as_if_equal(Counter(person for person, _ in entries))
    return share, *sure_share(share, spread, persons)


def outcomes(logs: Sequence[Log]) -> Rows:
    ended: dict[str, list[tuple[Any, str]]] = defaultdict(list)
    for side in sides(logs):
        if side.is_first:
            result = side.match.result
            assert result is not None
            letters = "".join(side.log.tournament.letters[each] for each in result.outcomes)
            ended[side.log.ruleset].append((result, letters))
    rows: Rows = []
    for ruleset, games in sorted(ended.items()):
        full = sum(FULL_WINS[ruleset] in result.outcomes for result, _ in games)
        lesser = sum("W" in letters for _, letters in games) - full
        drawn = sum("D" in letters for _, letters in games)
        lost = sum(letters == "LL" for _, letters in games)
        timed = sum("time" in {result.manner, result.ending} for result, _ in games)
        conceded = sum(result.manner == "concession" for result, _ in games)
        counts = len(games), full, lesser, drawn, lost, timed, conceded
        rows.append((ruleset, *counts, *(part / len(games) for part in (lesser, drawn, timed))))
    return rows


def byes(logs: Sequence[Log]) -> Rows:
    finished = [log for log in logs if log.tournament.finished]
    places: dict[tuple[str, int], list[float | None]] = defaultdict(list)
    for log in finished:
        ranks = {each.player: each.rank for each in finishing_order(log.tournament)}
        field = log.field()
        for each in log.entrants():
            rank = ranks.get(each.number, 0)
            better = (rank - 1) / (field - 1) if rank and field > 1 else None
            places[log.ruleset, each.byes].append(better)
    met: dict[tuple[str, int], list[Side]] = defaultdict(list)
    for side in sides(finished):
        met[side.log.ruleset, side.log.tournament.players[side.player].byes].append(side)
    rows: Rows = []
    for key, ranked in sorted(places.items()):
        known = [each for each in ranked if each is not None]
        where = mean(known) if known else None
        counted = tally([side.letter for side in met[key]])[:3]
        score = scored([_trial(side) for side in met[key]], by_event=True)
        rows.append((*key, len(ranked), *counted, *score, where))
    return rows


def pairing_quality(logs: Sequence[Log]) -> Rows:
    tables: dict[tuple[str, int], list[tuple[bool, float | None, bool]]] = defaultdict(list)
    events: dict[tuple[str, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for log in logs:
        seen: set[frozenset[int]] = set()
        for match in log.tables():
            pair = frozenset(match.players)
            again = pair in seen
            seen.add(pair)
            if not log.is_swiss(match.round):
                continue
            by_hand = match.table <= log.tournament.rounds[match.round - 1].by_hand
            before = log.before(match.round)
            gap = None
            if pair <= before.keys():
                gap = abs(before[match.first][0] - before[match.second][0]) / WORTH[log.ruleset]
                events[log.ruleset, match.round][log.id].append(gap)
            tables[log.ruleset, match.round].append((by_hand, gap, again))
    rows: Rows = []
    for key, told in sorted(tables.items()):
        gaps = [gap for _, gap, _ in told if gap is not None]
        level = gaps.count(0) / len(gaps) if gaps else None
        numbers = len(told), sum(by_hand for by_hand, _, _ in told), len(gaps)
        sure = _sure_of_mean(list(events[key].values()))
        spread = (mean(gaps), *sure, max(gaps)) if gaps else (None,) * 4
        rows.append((*key, *numbers, level, *spread, sum(again for _, _, again in told)))
    return rows


def _sure_of_mean(events: list[list[float]]) -> tuple[float | None, float | None]:
    if len(events) < 5:
        return None, None
    every = [gap for gaps in events for gap in gaps]
    without = [(sum(gaps) - mean(every) * len(gaps), 1 - len(gaps) / len(every)) for gaps in events]
    squares = sum((moved / rest) ** 2 for moved, rest in without)
    as_many = as_if_equal(Counter({str(n): len(gaps) for n, gaps in enumerate(events)}))
    half = student(max(as_many - 1, 1)) * sqrt(squares) / len(every)
    return max(mean(every) - half, 0), mean(every) + half


def first_days(logs: Sequence[Log]) -> dict[str, date]:
    """The first day of each person of the league."""
    first: dict[str, date] = {}
    for log in sorted(logs, key=lambda each: each.day):
        for each in log.entrants():
            first.setdefault(each.league_id, log.day)
    return first


def record_start(first: Mapping[str, date]) -> date:
    """The month of the first day of all."""
    return min(day for person, day in first.items() if person).replace(day=1)


def attendance(logs: Sequence[Log], whole: Sequence[Log]) -> Rows:
    first = first_days(whole)
    months: dict[tuple[date, str], list[Log]] = defaultdict(list)
    for log in logs:
        months[log.day.replace(day=1), log.ruleset].append(log)
    rows: Rows = []
    for key, held in sorted(months.items()):
        there = [(log, each) for log in held for each in log.entrants()]
        known = [(log, each) for log, each in there if each.league_id]
        new = sum(first[each.league_id] == log.day for log, each in known)
        guests = len(there) - len(known)
        numbers = len(held), len(there), len(there) / len(held)
        seen, came = (new, 0) if key[0] == record_start(first) else (0, new)
        rows.append((*key, *numbers, came, len(known) - new, guests, seen))
    return rows


def retention(logs: Sequence[Log], whole: Sequence[Log]) -> Rows:
    first = first_days(whole)
    seen: dict[str, list[date]] = defaultdict(list)
    for log in logs:
        for person in {each.league_id for each in log.entrants()} - {""}:
            seen[person].append(log.day)
    last = max(day for days in seen.values() for day in days)
    cohorts: dict[date, list[list[date]]] = defaultdict(list)
    for person, days in seen.items():
        if min(days) == first[person]:
            cohorts[min(days).replace(day=1)].append(sorted(days))
    rows: Rows = []
    for month, persons in sorted(cohorts.items()):
        again = sum(len(days) > 1 for days in persons)
        each = mean(len(days) for days in persons)
        observed = [days for days in persons if (last - days[0]).days >= 90]
        soon = sum((days[1] - days[0]).days <= 90 for days in observed if len(days) > 1)
        counts = len(persons), again, each, len(observed), soon
        mark = "start" if month == record_start(first) else ""
        rows.append((month, *counts, *wilson(soon, len(observed)), mark))
    return rows


def schedule_luck(logs: Sequence[Log]) -> Rows:
    games: dict[tuple[str, int], dict[int, list[Side]]] = defaultdict(lambda: defaultdict(list))
    for side in sides(logs):
        stage = side.log.tournament.rounds[side.match.round - 1].stage
        if side.log.is_swiss(side.match.round):
            games[side.log.id, stage][side.player].append(side)
    told: dict[str, list[tuple[int, float, int, float | None]]] = defaultdict(list)
    for stage_games in games.values():
        own = {
            player: (sum(HALVES[each.letter] for each in played), len(played))
            for player, played in stage_games.items()
        }
        faced = {
            player: tuple(map(sum, zip(*(own[each.opponent] for each in played), strict=True)))
            for player, played in stage_games.items()
        }
        for player, played in stage_games.items():
            others = [faced[each] for each in own if own[each] == own[player] and each != player]
            points, count = faced[player]
            person = played[0].log.person(player)
            luck = None
            if others:
                level = sum(other[0] for other in others) / sum(other[1] for other in others)
                luck = level - points / count
            told[person].append((len(played), points, count, luck))
    rows: Rows = []
    for person, stages in told.items():
        compared = [(games, luck) for games, _, _, luck in stages if luck is not None]
        counts = len(stages), sum(each[0] for each in stages)
        opponents = sum(each[1] for each in stages) / sum(each[2] for each in stages)
        lucks = (
            (mean(luck for _, luck in compared), sum(games * luck for games, luck in compared))
            if compared
            else (None, None)
        )
        rows.append((person, *counts, opponents, len(compared), *lucks))
    return sorted(rows)


def upsets(logs: Sequence[Log]) -> Rows:
    rows = []
    for side in sides(logs):
        if side.letter != "W" or not side.log.is_swiss(side.match.round):
            continue
        before = side.log.before(side.match.round)
        if not {side.player, side.opponent} <= before.keys():
            continue
        (mine, place), (theirs, their_place) = before[side.player], before[side.opponent]
        if theirs > mine:
            persons = side.log.person(side.player), side.log.person(side.opponent)
            where = side.log.day, side.log.name, side.match.round
            key = mine - theirs, their_place - place, *where, place, *persons
            rows.append((key, (*where, *persons, theirs - mine, place, their_place)))
    return [row for _, row in sorted(rows)]


OF_WHOLE: Mapping[str, Callable[[Sequence[Log], Sequence[Log]], Rows]] = {
    "attendance": attendance,
    "retention": retention,
}
"""Handed the logs that are looked at, and all of the season."""

TRUTHS: Mapping[str, Callable[[Sequence[Log]], Rows]] = {
    "byes": byes,
    "corrections": floor.corrections,
    "cut-conversion": cut_conversion,
    "disputes": floor.disputes,
    "extensions": floor.extensions,
    "faction-matchups": faction_matchups,
    "faction-trend": faction_trend,
    "factions": factions,
    "first-and-side": first_and_side,
    "head-to-head": head_to_head,
    "officials": floor.officials,
    "outcomes": outcomes,
    "pairing-quality": pairing_quality,
    "round-length": floor.round_length,
    "rulings": floor.rulings,
    "schedule-luck": schedule_luck,
    "upsets": upsets,
}

"""The questions on persons, answered from rows of base tables as their headers define them."""

from __future__ import annotations

from datetime import date, timedelta
from statistics import mean
from typing import Any

from tests.truth.season_answers.faction_answers import counts, trial_of
from tests.truth.season_answers.intervals import of_games, share_of, wilson
from tests.truth.season_answers.season_rows import Answer, Row, SeasonRows, grouped

LONG_ENOUGH = timedelta(days=90)


def head_to_head(season: SeasonRows, person: str = "") -> Answer:
    met = grouped(
        [
            game
            for game in season.games()
            if (game.person == person if person else game.person < game.rival)
            and game.person != game.rival
        ],
        lambda game: (game.person, game.rival),
    )
    answer: Answer = []
    for key, games in met.items():
        days = [day for game in games if (day := season.day(game.result))]
        first, last = (min(days), max(days)) if days else (None, None)
        answer.append((*key, *counts(games), first, last))
    return answer


def byes(season: SeasonRows) -> Answer:
    finished = {row["tournament"] for row in season["tournaments"] if row["finished"]}
    entries = [row for row in season.entries() if row["tournament"] in finished]
    size = {key: len(rows) for key, rows in grouped(entries, _tournament).items()}
    met = grouped(
        [game for game in season.games() if game.tournament in finished],
        lambda game: (
            season.ruleset(game.result),
            season.entrant[game.tournament, game.player]["byes"],
        ),
    )
    answer: Answer = []
    for key, rows in grouped(entries, lambda row: (season.ruleset(row), row["byes"])).items():
        places = [
            (row["final_place"] - 1) / (size[row["tournament"]] - 1)
            for row in rows
            if row["final_place"] is not None and size[row["tournament"]] > 1
        ]
        games = met.get(key, [])
        trials = [trial_of(game) for game in games]
        interval = of_games(trials, by_event=True)
        better = mean(places) if places else None
        answer.append((*key, len(rows), *counts(games)[:3], share_of(trials), *interval, better))
    return answer


def _tournament(row: Row) -> str:
    return str(row["tournament"])


def _first_days(season: SeasonRows) -> dict[str, date]:
    """Return the first day of each person of the league."""
    first: dict[str, date] = {}
    for row in season.entries():
        day = season.day(row)
        if season.known[row["tournament"], row["player"]] and day:
            person = season.persons_of(row)
            first[person] = min(first.get(person, day), day)
    return first


def _record_start(first: dict[str, date]) -> date | None:
    """Return the month in which the record starts."""
    return min(first.values()).replace(day=1) if first else None


def attendance(season: SeasonRows, whole: SeasonRows) -> Answer:
    first = _first_days(whole)
    answer: Answer = []
    dated = [row for row in season["tournaments"] if row["held_on"]]
    held = grouped(dated, lambda row: (season.month(row), season.ruleset(row)))
    there = grouped(season.entries(), lambda row: (season.month(row), season.ruleset(row)))
    for key, tournaments in held.items():
        entries = there.get(key, [])
        known = [row for row in entries if season.known[row["tournament"], row["player"]]]
        new = sum(first[season.persons_of(row)] == season.day(row) for row in known)
        is_start = key[0] == _record_start(first)
        answer.append(
            (
                *key,
                len(tournaments),
                len(entries),
                len(entries) / len(tournaments),
                0 if is_start else new,
                len(known) - new,
                len(entries) - len(known),
                new if is_start else 0,
            )
        )
    return answer


def retention(season: SeasonRows, whole: SeasonRows) -> Answer:
    first = _first_days(whole)
    seen: dict[str, dict[str, date]] = {}
    for row in season.entries():
        day = season.day(row)
        if season.known[row["tournament"], row["player"]] and day:
            seen.setdefault(season.persons_of(row), {})[row["tournament"]] = day
    last = max((day for days in seen.values() for day in days.values()), default=None)
    cohorts: dict[date, list[list[date]]] = {}
    for person, tournaments in seen.items():
        days = sorted(tournaments.values())
        if days[0] == first[person]:
            cohorts.setdefault(days[0].replace(day=1), []).append(days)
    answer: Answer = []
    for month, persons in cohorts.items():
        assert last is not None
        observed = [days for days in persons if days[0] <= last - LONG_ENOUGH]
        soon = [days for days in observed if len(days) > 1 and days[1] <= days[0] + LONG_ENOUGH]
        answer.append(
            (
                month,
                len(persons),
                sum(len(days) > 1 for days in persons),
                mean(len(days) for days in persons),
                len(observed),
                len(soon),
                len(soon) / len(observed) if observed else None,
                *wilson(len(soon), len(observed)),
                "start" if month == _record_start(first) else "",
            )
        )
    return answer


def schedule_luck(season: SeasonRows) -> Answer:
    stages: dict[str, list[tuple[Row, float | None]]] = {}
    for level in grouped(season["schedules"], _level).values():
        for row in level:
            person = season.persons_of(row)
            peers = [other for other in level if season.persons_of(other) != person]
            lead = None
            if peers:
                lead = _opponents(peers) - _opponents([row])
            stages.setdefault(person, []).append((row, lead))
    answer: Answer = []
    for person, played in stages.items():
        leads = [(row["games"], lead) for row, lead in played if lead is not None]
        answer.append(
            (
                person,
                len(played),
                sum(row["games"] for row, _ in played),
                _opponents([row for row, _ in played]),
                len(leads),
                mean(lead for _, lead in leads) if leads else None,
                sum(games * lead for games, lead in leads) if leads else None,
            )
        )
    return answer


def _level(row: Row) -> tuple[Any, ...]:
    """Return the stage with the points and games of a player in it."""
    return row["tournament"], row["stage"], row["halves"], row["games"]


def _opponents(rows: list[Row]) -> float:
    """Return the share that the opponents of players scored in their games."""
    halves = sum(row["opponents_halves"] for row in rows)
    return float(halves / 2 / sum(row["opponents_games"] for row in rows))


def upsets(season: SeasonRows) -> Answer:
    matches = {(row["tournament"], row["match"]): row for row in season["matches"]}
    answer: Answer = []
    for game in season.games():
        match = matches[game.tournament, game.result["match"]]
        before = {
            match["player1"]: (match["points_before1"], match["place_before1"]),
            match["player2"]: (match["points_before2"], match["place_before2"]),
        }
        (mine, place), (theirs, their_place) = before[game.player], before[game.opponent]
        is_compared = mine is not None and theirs is not None and season.is_swiss(game.result)
        if game.record == "W" and is_compared and theirs > mine:
            answer.append(
                (
                    season.day(game.result),
                    season.tournament[game.tournament]["name"],
                    game.result["round"],
                    game.person,
                    game.rival,
                    theirs - mine,
                    place,
                    their_place,
                )
            )
    return answer

"""The questions on play, answered from rows of base tables as their headers define them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.truth.season_answers.intervals import Trial, of_mean, of_tables, share_of
from tests.truth.season_answers.season_rows import Answer, Row, SeasonRows, grouped

if TYPE_CHECKING:
    from datetime import datetime

TENTHS = (0.1, 0.5, 0.9)
ENDED_BY = {
    "RulingMade": "ruling",
    "ResultConfirmed": "confirmation",
    "ActWithdrawn": "withdrawal",
}
"""What ended a dispute, by the type of the event that closed it."""


def outcomes(season: SeasonRows) -> Answer:
    played = [row for row in season["results"] if row["met"]]
    answer: Answer = []
    for ruleset, rows in grouped(played, season.ruleset).items():
        full, lesser, drawn, lost = 0, 0, 0, 0
        for row in rows:
            word = season.tournament[row["tournament"]]["full_win"]
            records = {row["record1"], row["record2"]}
            full += word in {row["outcome1"], row["outcome2"]}
            lesser += "W" in records and word not in {row["outcome1"], row["outcome2"]}
            drawn += "D" in records
            lost += not records & {"W", "D"}
        timed = sum(row["manner"] == "time" for row in rows)
        conceded = sum(row["manner"] == "concession" for row in rows)
        shares = (number / len(rows) for number in (lesser, drawn, timed))
        answer.append((ruleset, len(rows), full, lesser, drawn, lost, timed, conceded, *shares))
    return answer


def pairing_quality(season: SeasonRows) -> Answer:
    swiss = [row for row in season.pairs() if season.is_swiss(row)]
    answer: Answer = []
    for key, rows in grouped(swiss, lambda row: (season.ruleset(row), row["round"])).items():
        gaps = []
        for row in rows:
            one, other = row["points_before1"], row["points_before2"]
            if one is not None and other is not None:
                worth = season.tournament[row["tournament"]]["full_points"]
                gaps.append(Trial(abs(one - other) / worth, "", event=row["tournament"]))
        level = sum(gap.value == 0 for gap in gaps) / len(gaps) if gaps else None
        answer.append(
            (
                *key,
                len(rows),
                sum(row["by_hand"] for row in rows),
                len(gaps),
                level,
                share_of(gaps),
                *of_mean(gaps),
                max((gap.value for gap in gaps), default=None),
                sum(row["again"] for row in rows),
            )
        )
    return answer


def extensions(season: SeasonRows) -> Answer:
    answer: Answer = []
    by_round = grouped(season.pairs(), lambda row: (season.ruleset(row), row["round"]))
    for key, rows in by_round.items():
        trials = [
            Trial(
                float(row["extended_minutes"] > 0),
                season.person[row["tournament"], row["player1"]],
                season.person[row["tournament"], row["player2"]],
                row["tournament"],
                (row["tournament"], row["match"]),
            )
            for row in rows
        ]
        minutes = [row["extended_minutes"] for row in rows if row["extended_minutes"]]
        mean = sum(minutes) / len(minutes) if minutes else None
        given = len(minutes), share_of(trials), *of_tables(trials), sum(minutes), mean
        answer.append((*key, len(rows), *given))
    return answer


def round_length(season: SeasonRows) -> Answer:
    stage_of = {(row["tournament"], row["round"]): row["stage"] for row in season["rounds"]}
    lasted: list[tuple[tuple[str, str, int], float, bool]] = []
    for row in season["clocks"]:
        if row["started_at"] and row["last_result_at"]:
            stage = stage_of[row["tournament"], row["round"]]
            kind = season.stage_kind[row["tournament"], stage]
            seconds = _seconds(row["started_at"], row["last_result_at"]) - row["paused_seconds"]
            over = seconds > (row["minutes"] + row["longer_minutes"]) * 60
            lasted.append(((season.ruleset(row), kind, row["minutes"]), seconds / 60, over))
    answer: Answer = []
    for key, rounds in grouped(lasted, lambda each: each[0]).items():
        minutes = sorted(each for _, each, _ in rounds)
        spread = [_quantile(minutes, part) for part in TENTHS]
        over_share = sum(over for *_, over in rounds) / len(rounds) if key[2] else None
        answer.append((*key, len(rounds), *spread, minutes[-1], over_share))
    return answer


def _seconds(since: datetime, until: datetime) -> int:
    """Return the whole seconds from one moment of a clock to another, without their fractions."""
    whole = until.replace(microsecond=0) - since.replace(microsecond=0)
    return int(whole.total_seconds())


def _quantile(values: list[float], part: float) -> float:
    """Return what a part of sorted values lies below, between two of them in proportion."""
    place = part * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def rulings(season: SeasonRows) -> Answer:
    answer: Answer = []
    made = grouped(season["rulings"], lambda row: (season.ruleset(row), row["clause"]))
    for key, rows in made.items():
        raised = [row["raised"] for row in rows]
        asked_by = raised.count("player"), raised.count("spectator")
        tournaments = len({row["tournament"] for row in rows})
        answer.append((*key, len(rows), tournaments, *asked_by, *_reviews(rows)))
    return answer


def _reviews(rows: list[Row]) -> tuple[int, int]:
    asked = sum(row["review_asked"] for row in rows)
    return asked, sum(row["reviewed_by"] is not None for row in rows)


def officials(season: SeasonRows) -> Answer:
    answer: Answer = []
    made = grouped(season["rulings"], lambda row: (row["tournament"], row["official"]))
    for (tournament, official), rows in made.items():
        name = season.tournament[tournament]["name"]
        clauses = len({row["clause"] for row in rows if row["clause"]})
        day = season.day(rows[0])
        answer.append((day, name, official, len(rows), clauses, *_reviews(rows)))
    return answer


def disputes(season: SeasonRows) -> Answer:
    rulings_made = {(row["tournament"], row["seq"]): row for row in season["rulings"]}
    ended: list[tuple[tuple[Any, ...], str]] = []
    for row in season["disputes"]:
        tournament = row["tournament"]
        how, official, clause = "open", None, ""
        if row["closed_seq"] is not None:
            end = tournament, row["closed_seq"]
            how = ENDED_BY[season.event[end]["type"]]
            if how == "ruling":
                ruling = rulings_made[end]
                clause = ruling["clause"]
                official = f"{tournament}/o{ruling['official']}"
                if ruling["plays_as"] is not None:
                    official = season.person[tournament, ruling["plays_as"]]
        ended.append(((season.ruleset(row), how, official, clause), tournament))
    return [
        (*key, len(some), len({tournament for _, tournament in some}))
        for key, some in grouped(ended, lambda each: each[0]).items()
    ]


def corrections(season: SeasonRows) -> Answer:
    desks: dict[tuple[str, str], list[int]] = {}
    for row in season["events"]:
        if row["type"] in {"ResultReported", "ResultCorrected"}:
            desks.setdefault((row["tournament"], row["entered_by"]), [0, 0, 0, 0])[0] += 1
    for row in season["corrections"]:
        tournament = row["tournament"]
        desk = desks[tournament, season.event[tournament, row["corrects"]]["entered_by"]]
        desk[1] += 1
        desk[2] += row["after_close"]
        desk[3] += row["after_finish"]
    answer: Answer = []
    for (tournament, desk_name), (results, corrected, closed, finished) in desks.items():
        held = season.tournament[tournament]
        share = corrected / results
        answer.append(
            (
                held["held_on"],
                held["name"],
                desk_name,
                results,
                corrected,
                share,
                closed,
                finished,
            )
        )
    return answer

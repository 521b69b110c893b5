"""Seasons of random rows, odder than any that is played: for questions, which read only rows.

Tournaments share days or have none; persons are merged, also within a tournament; guests, byes,
games without a winner, pairings taken back, and cuts of tournaments that are not finished.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.support.chance.made_rows import fill

if TYPE_CHECKING:
    from random import Random

    from duckdb import DuckDBPyConnection

Made = dict[str, list[dict[str, Any]]]

RULESETS = ("l5r", "swiss", "xwing2")
TIERS = ("relaxed", "formal", "premier")
FACTIONS = ("Crab", "Crane", "", 'it\'s "{}"', "獅子")
STATUSES = ("active", "active", "cut", "dropped", "disqualified", "withdrawn")
CLAUSES = ("", "FFG-RULING", "FFG-TARDY")
DESKS = ("o1", "o2", "p1", "o1/p1")
BEGINS = date(2025, 11, 1)
MORNING = datetime(2026, 1, 1, 9, 0)  # noqa: DTZ001 - a TIMESTAMP of the tables, which is in UTC
PERSONS = 16


def fill_oddly(connection: DuckDBPyConnection, drawn: Random) -> None:
    """Fill an empty season with random rows."""
    made: Made = {}
    for number in range(drawn.randrange(1, 14)):
        _tournament(made, f"{drawn.randrange(16**6):026x}{number:06x}", drawn)
    for table, rows in made.items():
        names = tuple(rows[0])
        fill(connection, table, [tuple(row.values()) for row in rows], names)


def _add(made: Made, table: str, **row: Any) -> None:  # noqa: ANN401 - values of a row
    made.setdefault(table, []).append(row)


def _tournament(made: Made, tournament: str, drawn: Random) -> None:
    day = BEGINS + timedelta(days=drawn.choice((0, 1, 29, 40, 61, 90, 91, 150)))
    players = drawn.randrange(1, 13)
    statuses = [drawn.choice(STATUSES) for _ in range(players)]
    there = [number for number, status in enumerate(statuses, start=1) if status != "withdrawn"]
    _add(
        made,
        "tournaments",
        tournament=tournament,
        name=f"Cup {drawn.randrange(3)}",
        held_on=day if drawn.random() < 0.85 else None,
        tier=drawn.choice(TIERS),
        ruleset=drawn.choice(RULESETS),
        full_win="win",
        full_points=drawn.choice((1, 3, 10)),
        finished=drawn.random() < 0.7,
        entrants=len(there),
    )
    persons = drawn.choices(range(PERSONS), k=players) if drawn.random() < 0.2 else []
    persons = persons or drawn.sample(range(PERSONS), players)
    for player, person in enumerate(persons, start=1):
        known = drawn.random() < 0.8
        key = {"tournament": tournament, "player": player}
        name = f"{person:032x}" if known else f"{tournament}/{player}"
        _add(made, "people", **key, person=name, known=known)
        _add(
            made,
            "entrants",
            **key,
            faction=drawn.choice(FACTIONS),
            attributes=_map(drawn.choice(FACTIONS), is_empty=drawn.random() < 0.3),
            status=statuses[player - 1],
            byes=drawn.choice((0, 0, 0, 1, 2)),
            final_place=_place(there, player) if drawn.random() < 0.7 else None,
        )
    for stage, kind in enumerate(("swiss", drawn.choice(("single", "double", "recorded")))):
        _add(made, "stages", tournament=tournament, stage=stage + 1, kind=kind)
    match = 0
    for number in range(1, drawn.randrange(1, 6)):
        match = _round(made, tournament, (number, match, players), drawn)
    _cuts(made, tournament, there, drawn)
    _rulings(made, tournament, players, drawn)


def _place(there: list[int], player: int) -> int | None:
    return there.index(player) + 1 if player in there else None


def _map(deck: str, *, is_empty: bool) -> dict[str, list[str]]:
    """Return labels as DuckDB takes a map."""
    return {"key": [] if is_empty else ["deck"], "value": [] if is_empty else [deck]}


def _round(made: Made, tournament: str, where: tuple[int, int, int], drawn: Random) -> int:
    """Pair a round with some of its tables by hand, some void; return the last match's number."""
    number, match, players = where
    stage = 1 if number < 4 else 2
    key = {"tournament": tournament, "round": number}
    _add(made, "rounds", **key, stage=stage)
    started = MORNING + timedelta(
        seconds=drawn.randrange(40_000), milliseconds=drawn.randrange(999)
    )
    is_started = drawn.random() < 0.8
    lasted = timedelta(minutes=drawn.randrange(70), milliseconds=drawn.randrange(1999))
    _add(
        made,
        "clocks",
        **key,
        started_at=started if is_started else None,
        minutes=drawn.choice((0, 45, 60)) if is_started else None,
        longer_minutes=drawn.choice((0, 0, 5)),
        paused_seconds=drawn.choice((0, 0, 90)),
        last_result_at=started + lasted if drawn.random() < 0.8 else None,
    )
    seats: list[int | None] = [*drawn.sample(range(1, players + 1), players)]
    for one, other in zip(seats[::2], [*seats[1::2], None], strict=False):
        match += 1
        stood = [drawn.choice((None, 0, 3, 10, 13)) if stage == 1 else None for _ in range(2)]
        void = drawn.random() < 0.1
        _add(
            made,
            "matches",
            **key,
            match=match,
            stage=stage,
            player1=one,
            player2=other,
            bye=other is None,
            void=void,
            by_hand=drawn.random() < 0.1,
            again=drawn.random() < 0.1,
            extended_minutes=drawn.choice((0, 0, 0, 4, 9)),
            points_before1=stood[0],
            place_before1=None if stood[0] is None else drawn.randrange(1, 9),
            points_before2=stood[1],
            place_before2=None if stood[1] is None else drawn.randrange(1, 9),
        )
        if other is not None and not void and drawn.random() < 0.9:
            table = {**key, "match": match, "stage": stage, "player1": one, "player2": other}
            _result(made, table, drawn)
    return match


def _result(made: Made, table: dict[str, Any], drawn: Random) -> None:
    records = drawn.choice(("WL", "WL", "LW", "LW", "DD", "LL"))
    words = {"W": ("win", "modified win"), "D": ("draw",), "L": ("loss",)}
    outcomes = [drawn.choice(words[letter]) for letter in records]
    manner = drawn.choice(("played", "played", "time", "concession", "no-show", "departure"))
    _add(
        made,
        "results",
        **table,
        record1=records[0],
        record2=records[1],
        outcome1=outcomes[0],
        outcome2=outcomes[1],
        manner=manner,
        met=manner not in {"no-show", "departure"},
        ending="time" if manner == "time" else drawn.choice(("", "rounds")),
        winner={"WL": table["player1"], "LW": table["player2"]}.get(records),
    )
    named = {name: table[name] for name in ("tournament", "match", "round")}
    sides = (None, table["player1"], table["player2"])
    _add(made, "setups", **named, first_player=drawn.choice(sides), blue=drawn.choice(sides))
    seq = _event(made, table["tournament"], "ResultReported", drawn)
    for _ in range(drawn.choice((0, 0, 0, 1, 2))):
        late = {"after_close": drawn.random() < 0.3, "after_finish": drawn.random() < 0.1}
        corrects, seq = seq, _event(made, table["tournament"], "ResultCorrected", drawn)
        _add(made, "corrections", **named, seq=seq, corrects=corrects, **late)
    if drawn.random() < 0.2:
        _dispute(made, named, drawn)


def _event(made: Made, tournament: str, kind: str, drawn: Random) -> int:
    seq: int = 1 + sum(row["tournament"] == tournament for row in made.get("events", ()))
    desk = drawn.choice(DESKS)
    _add(made, "events", tournament=tournament, seq=seq, type=kind, entered_by=desk)
    return seq


def _dispute(made: Made, named: dict[str, Any], drawn: Random) -> None:
    seq = _event(made, named["tournament"], "ResultDisputed", drawn)
    end = drawn.choice(("", "RulingMade", "ResultConfirmed", "ActWithdrawn"))
    closed = _event(made, named["tournament"], end, drawn) if end else None
    if end == "RulingMade" and closed:
        _ruling(made, named, closed, drawn)
    _add(made, "disputes", **named, seq=seq, closed_seq=closed)


def _ruling(made: Made, named: dict[str, Any], seq: int, drawn: Random) -> None:
    _add(
        made,
        "rulings",
        **named,
        seq=seq,
        official=drawn.randrange(1, 4),
        plays_as=drawn.choice((None, 1)),
        clause=drawn.choice(CLAUSES),
        raised=drawn.choice(("player", "spectator", "official")),
        review_asked=drawn.random() < 0.3,
        reviewed_by=drawn.choice((None, None, seq + 1)),
    )


def _rulings(made: Made, tournament: str, players: int, drawn: Random) -> None:
    for _ in range(drawn.randrange(4)):
        named = {"tournament": tournament, "match": None, "round": 0}
        _ruling(made, named, _event(made, tournament, "RulingMade", drawn), drawn)
    for player in drawn.sample(range(1, players + 1), drawn.randrange(players + 1)):
        games = drawn.randrange(1, 3)
        halves = drawn.randrange(2 * games + 1)
        faced = drawn.randrange(1, 4)
        _add(
            made,
            "schedules",
            tournament=tournament,
            stage=1,
            player=player,
            games=games,
            halves=halves,
            opponents_games=faced,
            opponents_halves=drawn.randrange(2 * faced + 1),
        )


def _cuts(made: Made, tournament: str, there: list[int], drawn: Random) -> None:
    for stage in (2, 3)[: drawn.choice((0, 1, 1, 2)) if there else 0]:
        through = drawn.sample(there, drawn.randrange(1, len(there) + 1))
        for seed, player in enumerate(through, start=1):
            _add(
                made,
                "cuts",
                tournament=tournament,
                stage=stage,
                player=player,
                seed=drawn.choice((seed, None)),
                replacement=drawn.random() < 0.2,
            )

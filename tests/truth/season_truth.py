"""What the fold says of a log beside what the season's tables say of it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ledger.facts import battle_cards
from ledger.facts.office import ConductNoted, PenaltyGiven
from ledger.fold import fold_lines
from projections.standings.bracket import finishing_order
from projections.standings.table import standings

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ledger.tournament.state import Tournament


def rows(connection: DuckDBPyConnection, asked: str) -> list[tuple[Any, ...]]:
    """What is asked, in one order for all."""
    return connection.execute(f"{asked} ORDER BY ALL").fetchall()


def seconds_between(since: str, until: str) -> int:
    """How long something took, by the desk's clock."""
    return (datetime.fromisoformat(until) - datetime.fromisoformat(since)).seconds


def check_against_the_fold(connection: DuckDBPyConnection, lines: list[bytes]) -> None:
    """Compare every table that the fold can speak of, for the log of these lines."""
    tournament = fold_lines(lines)
    opening = tournament.opening
    assert opening is not None
    here = f"WHERE tournament = '{opening.tournament}'"
    assert rows(connection, f"SELECT size, entrants, rounds, finished FROM tournaments {here}") == [
        (
            len(lines),
            len(list(tournament.registered())),
            len(tournament.rounds),
            tournament.finished,
        )
    ]
    _check_matches(connection, tournament, here)
    _check_results(connection, tournament, here)
    _check_rounds(connection, tournament, here)
    _check_people(connection, tournament, here)
    _check_standings(connection, tournament, here)
    _check_pairings(connection, tournament, here)
    _check_schedules(connection, tournament, here)
    _check_cuts(connection, tournament, here)
    _check_the_clocks(connection, tournament, here)
    _check_the_floor(connection, tournament, here)


def _check_matches(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    asked = (
        "SELECT match, round, table_number, player1, player2, void, extended_minutes "
        f"FROM matches {here}"
    )
    assert rows(connection, asked) == [
        (
            match.number,
            match.round,
            match.table,
            match.first or None,
            match.second or None,
            match.void,
            tournament.floor.extensions.get(match.number, 0),
        )
        for match in tournament.matches[1:]
    ]


def _check_results(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    asked = (
        "SELECT match, round, seq, outcome1, outcome2, record1, record2, points1, points2, manner, "
        f"ending, fields, facts, winner FROM results {here}"
    )
    told = []
    for match in tournament.matches[1:]:
        result = match.result
        if result is not None:
            one, other = (tournament.letters[outcome] for outcome in result.outcomes)
            won = {"WL": match.first, "LW": match.second}
            told.append(
                (
                    match.number,
                    match.round,
                    match.result_seq,
                    *result.outcomes,
                    one,
                    other,
                    *result.counted,
                    result.manner,
                    result.ending,
                    {label: list(pair) for label, pair in result.fields.items()},
                    {label: list(pair) for label, pair in result.facts.items()},
                    won.get(one + other),
                )
            )
    assert rows(connection, asked) == told


def _check_rounds(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    asked = (
        "SELECT round, stage, attempt, procedure, paired_seq, closed_seq IS NOT NULL, matches, "
        f"by_hand FROM rounds {here}"
    )
    assert rows(connection, asked) == [
        (
            each.number,
            each.stage,
            each.attempt,
            each.procedure,
            each.paired_seq,
            each.status == "closed",
            len(each.matches),
            each.by_hand,
        )
        for each in tournament.rounds
    ]
    asked = f"SELECT round, started_at IS NOT NULL, coalesce(minutes, 0) FROM clocks {here}"
    assert rows(connection, asked) == [
        (each.number, bool(each.started_at), each.minutes) for each in tournament.rounds
    ]
    stages = f"SELECT stage, kind, rounds, entry, size, carries, rematch FROM stages {here}"
    assert rows(connection, stages) == [
        (each.number, p.kind, p.rounds, p.entry, p.size, p.carries, p.rematch)
        for each in tournament.stages
        for p in (each.plan,)
    ]


def _check_people(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    places = {each.player: each for each in finishing_order(tournament)}
    asked = (
        "SELECT player, league_id, faction, attributes, random_rank, late, status, byes, "
        f"final_place FROM entrants {here}"
    )
    assert rows(connection, asked) == [
        (
            each.number,
            each.league_id,
            each.faction,
            each.attributes,
            each.random_rank,
            each.late,
            each.status,
            each.byes,
            (places[each.number].rank or None)
            if each.number in places and tournament.finished
            else None,
        )
        for each in tournament.players[1:]
    ]
    left = (
        f"SELECT player, max(seq) FROM departures {here} "
        "AND withdrawn_seq IS NULL AND rejoined_seq IS NULL GROUP BY player"
    )
    gone = {"dropped", "disqualified", "withdrawn"}
    assert [player for player, _ in rows(connection, left)] == [
        each.number for each in tournament.players[1:] if each.status in gone
    ]


def _check_standings(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    told = []
    for stage in tournament.stages:
        for number in stage.rounds if stage.is_swiss else ():
            table = standings(tournament, stage.number, number)
            codes = [each.code for each in table.tiebreakers]
            told += [
                (
                    number,
                    row.rank,
                    row.player,
                    row.points,
                    " ".join(map("{} {}".format, codes, row.tiebreakers)),
                    [{"exact": str(value), "value": float(value)} for value in row.tiebreakers],
                )
                for row in table.rows
            ]
    each = ", ".join(
        f"tiebreaker(tiebreakers, '{one.code}')" for one in tournament.ruleset.tiebreakers
    )
    asked = f"SELECT round, place, player, points, tiebreakers, [{each}] FROM standings {here}"
    assert rows(connection, asked) == sorted(told, key=lambda row: row[:2])


def _check_pairings(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    """Who had met before, and where both stood; byes and empty tables have nobody to meet."""
    told = []
    seen: set[frozenset[int]] = set()
    for match in tournament.matches[1:]:
        if not match.void:
            pair = frozenset((match.first, match.second))
            before = _before(tournament, match.round)
            stood = [before.get(player, (None, None)) for player in (match.first, match.second)]
            told.append((match.number, 0 not in pair and pair in seen, *stood[0], *stood[1]))
            seen.add(pair)
    asked = (
        "SELECT match, again, points_before1, place_before1, points_before2, place_before2 "
        f"FROM matches {here} AND NOT void"
    )
    assert rows(connection, asked) == told


def _before(tournament: Tournament, number: int) -> dict[int, tuple[int, int]]:
    """Points and place of everybody in the standings of the round before, of the same stage."""
    stages = [stage for stage in tournament.stages if stage.is_swiss and number in stage.rounds]
    if not stages or number - 1 not in stages[0].rounds:
        return {}
    table = standings(tournament, stages[0].number, number - 1)
    return {row.player: (row.points, row.rank) for row in table.rows}


def _check_schedules(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    """Games from both sides, and the opponents' own in the same stage."""
    halves = {"W": 2, "D": 1, "L": 0}
    games: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for match in tournament.matches[1:]:
        result = match.result
        if match.void or result is None or result.manner in {"no-show", "departure"}:
            continue
        stage = tournament.stages[tournament.rounds[match.round - 1].stage - 1]
        if stage.is_swiss:
            one, other = (halves[tournament.letters[outcome]] for outcome in result.outcomes)
            games.setdefault((stage.number, match.first), []).append((match.second, one))
            games.setdefault((stage.number, match.second), []).append((match.first, other))
    told = []
    for (stage_number, player), played in sorted(games.items()):
        faced = [game for opponent, _ in played for game in games[stage_number, opponent]]
        told.append(
            (
                stage_number,
                player,
                *(number for each in (played, faced) for number in _counted(each)),
            )
        )
    asked = (
        "SELECT stage, player, games, halves, opponents_games, opponents_halves "
        f"FROM schedules {here}"
    )
    assert rows(connection, asked) == told


def _counted(games: list[tuple[int, int]]) -> tuple[int, int]:
    return len(games), sum(halves for _, halves in games)


def _check_cuts(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    seeded = f"SELECT stage, seed, player FROM cuts {here} AND seed IS NOT NULL"
    assert rows(connection, seeded) == [
        (stage.number, seed, player)
        for stage in tournament.stages
        if stage.cut_seq
        for seed, player in enumerate(stage.seeds, start=1)
    ]


def _check_the_clocks(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    floor = tournament.floor
    still = f"SELECT round, longer_minutes, pauses, paused_seconds FROM clocks {here}"
    assert rows(connection, still) == [
        (
            each.number,
            floor.longer.get(each.number, 0),
            len(pauses),
            sum(seconds_between(p.since, p.until) for p in pauses if p.until),
        )
        for each in tournament.rounds
        for pauses in (floor.pauses.get(each.number, []),)
    ]
    over = f"SELECT round, called_at IS NOT NULL FROM clocks {here}"
    assert rows(connection, over) == [
        (each.number, any(call.left == 0 for call in floor.calls.get(each.number, ())))
        for each in tournament.rounds
    ]


def _check_the_floor(connection: DuckDBPyConnection, tournament: Tournament, here: str) -> None:
    floor = tournament.floor
    disputed = f"SELECT seq, match, round, closed_seq FROM disputes {here}"
    assert rows(connection, disputed) == [
        (
            each.seq,
            each.match,
            tournament.matches[each.match].round,
            each.ruling or each.closed or None,
        )
        for each in floor.disputes
        if not each.unasked
    ]
    ruled = f"SELECT seq, official, plays_as, review_asked, reviewed_by FROM rulings {here}"
    assert rows(connection, ruled) == [
        (
            each.seq,
            each.made.official,
            tournament.officials[each.made.official].player or None,
            each.made.review or bool(each.appealed),
            each.reviewed_by or None,
        )
        for each in floor.rulings
    ]
    penalties = f"SELECT seq, player, kind FROM penalties {here}"
    given = [(each.seq, each.event) for each in (*floor.penalties, *floor.conduct)]
    assert rows(connection, penalties) == sorted(
        (seq, event.player, event.kind)
        for seq, event in given
        if isinstance(event, PenaltyGiven | ConductNoted)
    )
    chosen = (
        f"SELECT match, first_player, blue FROM setups {here} "
        "AND (first_player IS NOT NULL OR blue IS NOT NULL)"
    )
    assert rows(connection, chosen) == [
        (
            match.number,
            floor.first_players[match.number].first
            if match.number in floor.first_players
            else None,
            floor.sides[match.number].blue if match.number in floor.sides else None,
        )
        for match in tournament.matches[1:]
        if not match.void and (match.number in floor.first_players or match.number in floor.sides)
    ]
    cards = (
        "SELECT match, scenario_objective, scenario_deployment, scenario_condition "
        f"FROM setups {here} AND scenario_condition IS NOT NULL"
    )
    opened_at_the_end = ((match, battle_cards.played(tournament, match)) for match in floor.battles)
    assert rows(connection, cards) == sorted((n, *three) for n, three in opened_at_the_end if three)

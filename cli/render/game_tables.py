"""What is shown of players, pairings and standings: rows of a table, and values for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.people import name_of, short_name
from cli.terminal.counting import how_many
from cli.terminal.tables import Column
from cli.terminal.visible import shortened

if TYPE_CHECKING:
    from fractions import Fraction

    from ledger.tournament.state import Match, Player, Round, Tournament
    from projections.standings.table import Standings, StandingsRow

PLAYER_COLUMNS = (
    Column("#", right=True),
    Column("name", flexible=True),
    Column("faction", flexible=True, yields=2),
    Column("league id", flexible=True, yields=3),
    Column("status", yields=1),
)

PAIRING_COLUMNS = (
    Column("table", right=True),
    Column("player", flexible=True),
    Column("against", flexible=True),
    Column("result", yields=1),
)

WINNER_CELLS = 16
"""How much of a winner's name stands beside the score."""

DECIMALS = 4


def player_row(tournament: Tournament, player: Player) -> list[str]:
    """One player of the list."""
    status = "" if player.status == "active" else player.status
    name = name_of(tournament, player.number)
    return [str(player.number), name, player.faction, player.league_id, status]


def player_as_json(tournament: Tournament, player: Player) -> dict[str, object]:
    """One player for scripts."""
    return {
        "player": player.number,
        "name": name_of(tournament, player.number),
        "faction": player.faction,
        "league_id": player.league_id,
        "attributes": player.attributes,
        "status": player.status,
    }


def pairing_row(tournament: Tournament, match: Match) -> list[str]:
    """One table of a round."""
    first, second = (seat_name(tournament, player) for player in (match.first, match.second))
    if match.is_bye and not match.first:
        first, second = second, first
    return [str(match.table), first, second, _result(tournament, match)]


def seat_name(tournament: Tournament, player: int) -> str:
    """Who sits there; nobody is a bye."""
    return name_of(tournament, player) if player else "-- bye --"


def _result(tournament: Tournament, match: Match) -> str:
    """How a match ended, from the winner's side."""
    if match.result is None:
        return "bye" if match.is_bye else ""
    records = tournament.ruleset.records
    letter, other = (records.get(outcome, " ") for outcome in match.result.outcomes)
    points = match.result.counted
    manner = "" if match.result.manner == "played" else f" ({match.result.manner})"
    if letter == other:
        told = "draw" if letter == "D" else "neither won"
    else:
        winner = match.first if letter == "W" else match.second
        points = points if letter == "W" else (points[1], points[0])
        told = f"{shortened(short_name(tournament, winner), WINNER_CELLS)} won"
    return f"{told}{'' if points == (0, 0) else f' {points[0]}-{points[1]}'}{manner}"


def pairings_as_json(tournament: Tournament, played: Round) -> list[dict[str, object]]:
    """A round's tables for scripts; player 0 is nobody."""
    return [
        {
            "round": played.number,
            "table": match.table,
            "match": match.number,
            "players": [match.first, match.second],
            "names": [
                name_of(tournament, player) if player else None
                for player in (match.first, match.second)
            ],
            "bye": match.is_bye,
            "result": None
            if match.result is None
            else {
                "outcomes": match.result.outcomes,
                "points": match.result.points,
                "manner": match.result.manner,
                "fields": match.result.fields,
                "ending": match.result.ending,
                "facts": match.result.facts,
                "adjusted": match.result.adjusted,
            },
        }
        for match in played.matches
    ]


def counted_in_words(tournament: Tournament, table: Standings) -> str:
    """Say what a table counts: the rounds, and what the one in play still lacks."""
    if not table.rounds:
        return "nothing played yet"
    last = tournament.rounds[table.rounds[-1] - 1]
    if last.unreported:
        results = how_many(last.unreported, "result")
        return f"round {last.number} is being played: {results} to come"
    return f"after {how_many(len(table.rounds), 'round')}"


def standings_table(
    tournament: Tournament, table: Standings
) -> tuple[list[Column], list[list[str]]]:
    """A stage's table without the columns that say nothing."""
    columns = standings_columns(table)
    rows = [standings_row(tournament, row) for row in table.rows]
    for place in (len(columns) - 1, len(columns) - 2):
        if not any(row[place] for row in rows):
            del columns[place]
            for row in rows:
                del row[place]
    return columns, rows


def left_mark(tournament: Tournament, player: int) -> str:
    """Mark who left the event."""
    status = tournament.players[player].status
    return status if status in {"dropped", "disqualified"} else ""


def standings_columns(table: Standings) -> list[Column]:
    """The columns of a stage's table; the last tiebreakers give way first."""
    return [
        Column("rank", right=True),
        Column("#", right=True, yields=99),
        Column("player", flexible=True),
        Column("points", right=True),
        *(
            Column(one.code, right=True, yields=2 + place)
            for place, one in enumerate(table.tiebreakers)
        ),
        Column("W-L-D", yields=1),
        Column("byes", right=True, yields=98),
        Column("", yields=97),
    ]


def standings_row(tournament: Tournament, row: StandingsRow) -> list[str]:
    """One row of a stage's table."""
    return [
        str(row.rank),
        str(row.player),
        name_of(tournament, row.player),
        str(row.points),
        *(tiebreaker(tournament, *each) for each in enumerate(row.tiebreakers)),
        f"{row.wins}-{row.losses}-{row.draws}",
        str(row.byes) if row.byes else "",
        left_mark(tournament, row.player),
    ]


def tiebreaker(tournament: Tournament, place: int, value: Fraction) -> str:
    """Write the value of a tiebreaker, without decimals where it never has any."""
    return str(value) if tournament.ruleset.whole[place] else decimal(value)


def decimal(value: Fraction) -> str:
    """Write a fraction with four decimals, rounded half up, for show only."""
    scaled = (2 * value.numerator * 10**DECIMALS + value.denominator) // (2 * value.denominator)
    whole, rest = divmod(abs(scaled), 10**DECIMALS)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{DECIMALS}d}"

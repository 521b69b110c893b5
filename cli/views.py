"""What is shown of players, pairings and standings: rows of a table, and values for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.people import name_of
from cli.tables import Column

if TYPE_CHECKING:
    from fractions import Fraction

    from ledger.state import Match
    from ledger.state import Player
    from ledger.state import Round
    from ledger.state import Tournament
    from projections.standings import Row
    from projections.standings import Standings

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
    return [str(match.table), first, second, _result(match)]


def seat_name(tournament: Tournament, player: int) -> str:
    """Who sits there; nobody is a bye."""
    return name_of(tournament, player) if player else "-- bye --"


def _result(match: Match) -> str:
    if match.result is None:
        return "" if not match.is_bye else "bye"
    points = f"{match.result.points[0]}-{match.result.points[1]}"
    outcome = match.result.outcomes[0]
    manner = "" if match.result.manner == "played" else f" ({match.result.manner})"
    return f"{outcome}{'' if points == '0-0' else ' ' + points}{manner}"


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
            },
        }
        for match in played.matches
    ]


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


def standings_row(tournament: Tournament, row: Row) -> list[str]:
    """One row of a stage's table."""
    left = "disqualified" if row.disqualified else "dropped" if row.dropped else ""
    return [
        str(row.rank),
        str(row.player),
        name_of(tournament, row.player),
        str(row.points),
        *map(decimal, row.tiebreakers),
        f"{row.wins}-{row.losses}-{row.draws}",
        str(row.byes) if row.byes else "",
        left,
    ]


def decimal(value: Fraction) -> str:
    """Write a fraction with four decimals, rounded half up, for show only."""
    scaled = (2 * value.numerator * 10**DECIMALS + value.denominator) // (2 * value.denominator)
    return f"{scaled // 10**DECIMALS}.{scaled % 10**DECIMALS:0{DECIMALS}d}"

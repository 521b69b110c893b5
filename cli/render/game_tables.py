"""What is shown of players, pairings and standings: rows of a table, and values for scripts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cli.input.find_people import bare_name, cut_name, has_namesakes, name_of, shown_name
from cli.languages.speaking import marked, tr, tr_of
from cli.terminal.tables import Column, for_program
from cli.terminal.visible import how_many, isolated
from cli.wording.phrases import BOTH_LEFT, score_in_words
from ledger.tournament.state import Match, Player, Round, Tournament

if TYPE_CHECKING:
    from projections.standings.table import Standings

_STATUS = {
    "active": "",
    "cut": marked("missed the cut"),
    "dropped": marked("dropped"),
    "disqualified": marked("disqualified"),
    "withdrawn": marked("withdrawn"),
}
"""Words for the statuses, for a person."""

NO_PLAYER = marked("no player is registered yet: `register` registers players")
"""The line for an empty list of players."""

PLAYER_COLUMNS = (
    Column("#", right=True, key="player"),
    Column(marked("name"), flexible=True, text=lambda record: isolated(record["name"])),
    Column(marked("faction"), flexible=True, yields=2, optional=True),
    Column(marked("league id"), flexible=True, yields=3, optional=True),
    Column(
        marked("status"),
        yields=1,
        optional=True,
        text=lambda record: status_in_words(record["status"]),
    ),
)
"""Of players as `player_as_json` makes them."""

_MANNERS = {
    "time": marked("time"),
    "concession": marked("concession"),
    "no-show": marked("no-show"),
    "departure": marked("departure"),
    "declared": marked("declared"),
}

_OF_A_RESULT = ("outcomes", "points", "manner", "fields", "ending", "facts", "adjusted")
"""What a script is given of a result."""

WINNER_CELLS = 16
"""How much of a winner's name stands beside the score."""

DECIMALS = 4


def status_in_words(status: str) -> str:
    """Say the status of a player who does not play on; nothing of the others."""
    words = _STATUS.get(status, status)
    return tr_of("state", words) if words else ""


def player_as_json(tournament: Tournament, player: Player) -> dict[str, object]:
    """One player for scripts."""
    return {
        "player": player.number,
        "name": name_of(tournament, player.number),
        "faction": player.faction,
        "league_id": player.league_id,
        "attributes": player.attributes,
        **({"numbers": player.numbers} if player.numbers else {}),
        "status": player.status,
    }


def person_columns(
    tournament: Tournament,
    number: Callable[[Any], int],
    title: str = marked("player"),
    *,
    key: str = "player",
    text: Callable[[Tournament, int], str] | None = None,
    strong: Callable[[Any], bool] | None = None,
) -> tuple[Column, Column]:
    """Return the columns of somebody: a person reads a name, a program number and name.

    The name is bold in the records that are `strong`.
    """
    said = text or seat_name

    def name(record: Any) -> str | None:  # noqa: ANN401 - any record
        player = number(record)
        return name_of(tournament, player) if player else None

    return (
        Column(
            title,
            flexible=True,
            key=key,
            value=lambda record: number(record) or None,
            text=lambda record: said(tournament, number(record)),
            strong=strong,
        ),
        for_program("name" if key == "player" else f"{key}_name", name),
    )


def faction_column(tournament: Tournament, number: Callable[[Any], int]) -> Column:
    """Return the column of somebody's faction, which a game may do without."""
    return Column(
        marked("faction"),
        flexible=True,
        optional=True,
        value=lambda record: tournament.players[number(record)].faction,
        text=lambda record: isolated(tournament.players[number(record)].faction),
    )


def table_to_sit_at(match: Match) -> str:
    """Return the number of the table that players look for; a bye is at no table."""
    return "" if match.is_bye else str(match.table)


def pairing_columns(
    tournament: Tournament, *, with_result: bool = True, for_players: bool = False
) -> list[Column]:
    """Return the columns of a round's matches; `for_players` a bye has no table."""

    def won(side: int) -> Callable[[Match], bool]:
        return lambda match: 0 < match_winner(tournament, match) == _seats(match)[side]

    columns = [
        for_program("round"),
        Column(marked("table"), right=True, text=table_to_sit_at if for_players else None),
        for_program("match", lambda match: match.number),
        *person_columns(tournament, lambda match: _seats(match)[0], strong=won(0)),
        *person_columns(
            tournament,
            lambda match: _seats(match)[1],
            marked("against"),
            key="against",
            strong=won(1),
        ),
    ]
    if not with_result:
        return columns
    return [
        *columns,
        for_program("outcome", _outcome),
        for_program("points", lambda match: _points(match, 0)),
        for_program("against_points", lambda match: _points(match, 1)),
        Column(marked("result"), yields=1, value=lambda match: _result(tournament, match)),
    ]


def _seats(match: Match) -> tuple[int, int]:
    """Return who sits at a table, a bye's player first."""
    return (match.first, match.second) if match.first else (match.second, match.first)


def match_winner(tournament: Tournament, match: Match) -> int:
    """Return the number of the player who won a match by its result; 0 if neither did."""
    if match.result is None or match.is_bye:
        return 0
    records = tournament.ruleset.records
    letters = [records.get(outcome) for outcome in match.result.outcomes]
    return match.players[letters.index("W")] if letters.count("W") == 1 else 0


def _outcome(match: Match) -> str | None:
    return match.result.outcomes[0] if match.result else "bye" if match.is_bye else None


def _points(match: Match, side: int) -> int | None:
    return match.result.counted[side] if match.result else None


def seat_name(tournament: Tournament, player: int) -> str:
    """Who sits there; nobody is a bye."""
    return shown_name(tournament, player) if player else tr("-- bye --")


def _result(tournament: Tournament, match: Match) -> str:
    """How a match ended, from the winner's side."""
    if match.result is None:
        worth = f" ({tr(match.named)})" if match.named else ""
        return tr("bye") + worth if match.is_bye else ""
    records = tournament.ruleset.records
    letter, other = (records.get(outcome, " ") for outcome in match.result.outcomes)
    points = match.result.counted
    manner = match.result.manner
    more = "" if manner == "played" else f" ({tr(_MANNERS[manner])})"
    if letter == other == "L" and manner == "departure":
        more = tr(BOTH_LEFT)
    if letter == other:
        phrase = tr_of("result", "draw") if letter == "D" else tr("neither won")
    else:
        winner = match.first if letter == "W" else match.second
        points = points if letter == "W" else (points[1], points[0])
        phrase = tr("{winner} won", winner=cut_name(tournament, winner, WINNER_CELLS))
    score = score_in_words(tournament.ruleset.scoring, points)
    return f"{phrase}{f' {score}' if any(points) else ''}{more}"


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
            "result": match.result and {name: getattr(match.result, name) for name in _OF_A_RESULT},
        }
        for match in played.matches
    ]


def counted_in_words(tournament: Tournament, table: Standings) -> str:
    """Say what a table counts: the rounds, and what the one in play still lacks."""
    if not table.rounds:
        return tr("nothing played yet")
    last = tournament.rounds[table.rounds[-1] - 1]
    if last.unreported:
        results = how_many(last.unreported, "result")
        return tr(
            "round {round} is being played: {results} missing", round=last.number, results=results
        )
    return tr("after {rounds}", rounds=how_many(len(table.rounds), "round"))


def cut_place(tournament: Tournament, table: Standings) -> int:
    """Return how many rows of a table reach down to the last who is in the cut; 0: none is.

    A cut that was made is drawn below the table that it was made from; below an earlier one, or
    before it is made, those are in it who would be by that table. Who left is not.
    """
    played = [tournament.rounds[number - 1].stage for number in table.rounds]
    before = max(played, default=0)
    stages = tournament.stages[before:]
    if not stages or stages[0].plan.entry != "top":
        return 0
    ranked = [row.player for row in table.rows if not left_mark(tournament, row.player)]
    is_complete = before and max(table.rounds) == max(tournament.stages[before - 1].rounds)
    is_cut_made = stages[0].cut_seq and is_complete
    inside = {*(stages[0].entrants if is_cut_made else ranked[: stages[0].plan.size])}
    return max((at for at, row in enumerate(table.rows, 1) if row.player in inside), default=0)


def left_mark(tournament: Tournament, player: int) -> str:
    """Mark who left the tournament."""
    status = tournament.players[player].status
    return status if status in {"dropped", "disqualified"} else ""


def left_column(
    tournament: Tournament, number: Callable[[Any], int], *, key: str = "", yields: int = 2
) -> Column:
    """Return the column that marks who left the tournament."""
    return Column(
        "",
        yields=yields,
        key=key,
        value=lambda record: left_mark(tournament, number(record)),
        text=lambda record: status_in_words(left_mark(tournament, number(record))),
    )


def standings_columns(
    tournament: Tournament,
    table: Standings,
    named: Callable[[Tournament, int], str] = bare_name,
) -> list[Column]:
    """Return the columns of a stage's table; the last tiebreakers give way first.

    A table without the column of numbers needs names with them: `shown_name`.
    """
    shown = tournament.ruleset.scoring.shown
    return [
        Column(marked("rank"), right=True),
        Column("#", right=True, yields=0 if has_namesakes(tournament) else 99, key="player"),
        Column(
            marked("player"),
            flexible=True,
            key="name",
            value=lambda row: name_of(tournament, row.player),
            text=lambda row: named(tournament, row.player),
        ),
        Column(marked("points"), right=True, text=lambda row: shown(row.points)),
        *(
            _tiebreaker_column(tournament, place, one.code)
            for place, one in enumerate(table.tiebreakers)
        ),
        Column(
            marked("W-L-D"),
            yields=1,
            only="person",
            value=lambda row: f"{row.wins}-{row.losses}-{row.draws}",
        ),
        *map(for_program, ("wins", "losses", "draws")),
        Column(
            marked("byes"),
            right=True,
            yields=98,
            optional=True,
            text=lambda row: str(row.byes or ""),
        ),
        left_column(tournament, attrgetter("player"), key="left", yields=97)._replace(
            optional=True
        ),
    ]


def _tiebreaker_column(tournament: Tournament, place: int, code: str) -> Column:
    return Column(
        code,
        right=True,
        yields=2 + place,
        value=lambda row: float(row.tiebreakers[place]),
        text=lambda row: tiebreaker(tournament, place, row.tiebreakers[place]),
    )


def tiebreaker(tournament: Tournament, place: int, value: Fraction) -> str:
    """Write the value of a tiebreaker, without decimals where it never has any."""
    return str(value) if tournament.ruleset.whole[place] else decimal(value)


def decimal(value: Fraction) -> str:
    """Write a fraction with four decimals, rounded half up, for show only."""
    scaled = (2 * value.numerator * 10**DECIMALS + value.denominator) // (2 * value.denominator)
    whole, rest = divmod(abs(scaled), 10**DECIMALS)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{DECIMALS}d}"

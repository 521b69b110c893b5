"""A bracket and a finishing order as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.guide import round_in_words
from cli.output import show
from cli.output import show_table
from cli.people import name_of
from cli.tables import Column
from projections.standings import as_json
from projections.standings import standings

if TYPE_CHECKING:
    from ledger.state import Tournament
    from projections.bracket import Bracket
    from projections.bracket import Game
    from projections.bracket import Seat
    from projections.final import Finish

_GAMES = (
    Column("game", right=True),
    Column("player", flexible=True),
    Column("against", flexible=True),
    Column("goes on", flexible=True, yields=1),
)
_RANKING = (
    Column("rank", right=True),
    Column("seed", right=True, yields=1),
    Column("player", flexible=True),
)
_ORDER = (
    Column("rank", right=True),
    Column("#", right=True, yields=2),
    Column("player", flexible=True),
    Column("last stage", yields=1),
)


def show_games(tournament: Tournament, shown: Bracket) -> None:
    """Print the games round by round, then who came how far."""
    for played in shown.rounds:
        show(round_in_words(tournament, tournament.rounds[played.round - 1]))
        show_table(_GAMES, [_game(tournament, game) for game in played.games])
        show("")
    ranking = [
        [str(place.rank or "-"), str(place.seat.seed or ""), _name(tournament, place.seat)]
        for place in shown.ranking
    ]
    show_table(_RANKING, ranking)


def show_order(tournament: Tournament, order: list[Finish]) -> None:
    """Print the finishing order; `-` where the bracket has not decided a place."""
    rows = [
        [
            str(each.rank or "-"),
            str(each.player),
            name_of(tournament, each.player),
            _stage(tournament, each.stage),
        ]
        for each in order
    ]
    show_table(_ORDER, rows)


def order_as_json(tournament: Tournament, order: list[Finish]) -> list[dict[str, object]]:
    """Make the finishing order for scripts: rows as of the standings, by their final rank.

    `rank` is null where the bracket has not decided it; `stage` is the last one that the player
    was in. Points and tiebreakers are those of the last Swiss stage that the player was in.
    """
    swiss = _swiss_rows(tournament)
    return [
        swiss.get(each.player, _unscored(tournament, each.player))
        | {"rank": each.rank or None, "stage": each.stage}
        for each in order
    ]


def _swiss_rows(tournament: Tournament) -> dict[int, dict[str, object]]:
    rows: dict[int, dict[str, object]] = {}
    for stage in tournament.stages:
        if stage.is_swiss and (stage.number == 1 or stage.rounds or stage.cut_seq):
            table = standings(tournament, stage.number)
            made = as_json(table, tournament.names)
            rows |= {row.player: each for row, each in zip(table.rows, made, strict=True)}
    return rows


def _unscored(tournament: Tournament, player: int) -> dict[str, object]:
    return {
        "rank": None,
        "player": player,
        "name": name_of(tournament, player),
        "points": 0,
        "record": {"wins": 0, "losses": 0, "draws": 0, "byes": 0},
        "dropped": tournament.players[player].status in {"dropped", "disqualified"},
        "tiebreakers": {},
    }


def _game(tournament: Tournament, game: Game) -> list[str]:
    first, second = game.seats
    if first is None:
        first, second = second, first
    nobody = "-- bye --" if first else "-- nobody --"
    return [
        str(game.game),
        _seeded(tournament, first) if first else nobody,
        _seeded(tournament, second) if second else nobody,
        name_of(tournament, game.winner) if game.winner else "",
    ]


def _seeded(tournament: Tournament, seat: Seat) -> str:
    name = _name(tournament, seat)
    return f"{seat.seed}. {name}" if seat.seed else name


def _name(tournament: Tournament, seat: Seat) -> str:
    return name_of(tournament, seat.player)


def _stage(tournament: Tournament, number: int) -> str:
    kind = tournament.stages[number - 1].plan.kind
    return "Swiss" if kind == "swiss" else "bracket"

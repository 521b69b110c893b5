"""A bracket and a finishing order as they are shown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cli.desk.guide import round_in_words
from cli.input.people import name_of
from cli.render.game_tables import left_mark
from cli.terminal.output import show, show_table
from cli.terminal.tables import Column
from projections.standings.final import last_bracket
from projections.standings.table import as_json, standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.tournament.state import Tournament
    from projections.standings.bracket import Bracket, BracketGame, BracketPlace, Seat
    from projections.standings.final import FinalPlace

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
    Column("", yields=2),
)
_ORDER = (
    Column("rank", right=True),
    Column("#", right=True, yields=3),
    Column("player", flexible=True),
    Column("came to"),
    Column("points", right=True, yields=1),
    Column("", yields=2),
)

_FIRST = ("champion", "finalist")


def show_games(tournament: Tournament, shown: Bracket) -> None:
    """Print the games round by round, then who came how far."""
    for title, columns, rows in bracket_tables(tournament, shown):
        show(*([title] if title else []))
        show_table(columns, rows)
        show(*([""] if title else []))


def bracket_tables(
    tournament: Tournament, shown: Bracket, *, factions: bool = False
) -> Iterator[tuple[str, Sequence[Column], list[list[str]]]]:
    """Yield a table for each round with its title, then one without: who came how far."""
    for played in shown.rounds:
        title = round_in_words(tournament, tournament.rounds[played.round - 1])
        yield title, _GAMES, [_game(tournament, game) for game in played.games]
    rows = [_ranked(tournament, place) for place in shown.ranking]
    known = [tournament.players[place.seat.player].faction for place in shown.ranking]
    if factions and any(known):
        columns = (*_RANKING[:3], Column("faction", flexible=True), *_RANKING[3:])
        yield "", columns, [[*row[:3], one, *row[3:]] for row, one in zip(rows, known, strict=True)]
    else:
        yield "", _RANKING, rows


def show_order(tournament: Tournament, order: list[FinalPlace]) -> None:
    """Print the finishing order; `-` where the bracket has not decided a place."""
    swiss = _swiss_rows(tournament)
    entered = Counter(each.stage for each in order)
    last = last_bracket(tournament)
    ended = last.ended if last else 1
    rows = [
        [
            str(each.rank or "-"),
            str(each.player),
            name_of(tournament, each.player),
            _came_to(tournament, each, swiss, entered[each.stage], ended),
            str(swiss[each.player]["points"]) if each.player in swiss else "",
            left_mark(tournament, each.player),
        ]
        for each in order
    ]
    show_table(_ORDER, rows)


def order_as_json(tournament: Tournament, order: list[FinalPlace]) -> list[dict[str, object]]:
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


def _ranked(tournament: Tournament, place: BracketPlace) -> list[str]:
    return [
        str(place.rank or "-"),
        str(place.seat.seed or ""),
        _name(tournament, place.seat),
        left_mark(tournament, place.seat.player),
    ]


def _game(tournament: Tournament, game: BracketGame) -> list[str]:
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


def _came_to(
    tournament: Tournament,
    each: FinalPlace,
    swiss: dict[int, dict[str, object]],
    entered: int,
    ended: int,
) -> str:
    """How far a player came: the rank in the Swiss rounds, or among how many in the bracket.

    `ended`: so many came equally far, and nobody further; 1 where one did.
    """
    if tournament.stages[each.stage - 1].is_swiss:
        return f"Swiss {swiss[each.player]['rank']}"
    if left_mark(tournament, each.player) == "disqualified":
        return "bracket"
    rank = max(each.rank, ended) if each.rank else 0
    if rank <= len(_FIRST):
        return _FIRST[rank - 1] if rank else "bracket"
    return f"top {min(1 << (rank - 1).bit_length(), entered)}"

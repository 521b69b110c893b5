"""A bracket and a finishing order as they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.desk.guide import round_in_words
from cli.desk.session import Desk
from cli.input.find_people import bare_name, has_namesakes, name_of, number_behind, shown_name
from cli.languages.speaking import marked, tr
from cli.render.game_tables import faction_column, left_column, left_mark, person_columns
from cli.render.records import as_read, show_records
from cli.terminal.output import show, show_table
from cli.terminal.tables import Column, for_program
from ledger.tournament.state import Tournament
from projections.standings.bracket import FinalPlace, last_bracket
from projections.standings.table import as_json, standings

if TYPE_CHECKING:
    from cli.render.bracket_pictures import PictureWords
    from projections.standings.bracket import Bracket, BracketGame, Seat

_FIRST = (marked("champion"), marked("finalist"))


def show_games(desk: Desk, tournament: Tournament, shown: Bracket) -> bool:
    """Print the games round by round, then who came how far; to a spreadsheet the games alone.

    Returns whether a person is to read them.
    """
    if desk.options.for_person:
        for title, columns, rows, _ in bracket_tables(tournament, shown):
            show(*([title] if title else []))
            show_table(columns, rows)
            show(*([""] if title else []))
        return True
    from projections.standings.bracket import as_json

    games = [(round_.round, game) for round_ in shown.rounds for game in round_.games]
    columns = _game_columns(tournament)
    return show_records(desk, columns, games, json=lambda: as_json(shown, tournament.names))


class BracketTable(NamedTuple):
    """A round of a bracket with its title, or the places, which have no title.

    `players` are the players of each row by the title of their column.
    """

    title: str
    columns: Sequence[Column]
    rows: list[list[str]]
    players: list[dict[str, int]]


def bracket_tables(
    tournament: Tournament, shown: Bracket, *, factions: bool = False
) -> Iterator[BracketTable]:
    """Yield a table for each round with its title, then the table of places."""
    for round_ in shown.rounds:
        title = round_in_words(tournament, tournament.rounds[round_.round - 1])
        games = [(round_.round, game) for game in round_.games]
        seated = [
            dict(zip(("player", "against"), _players(game), strict=False)) for _, game in games
        ]
        yield BracketTable(title, *as_read(_game_columns(tournament), games), seated)
    player = attrgetter("seat.player")
    columns = [
        Column(marked("rank"), right=True, text=lambda place: str(place.rank or "-")),
        Column(marked("seed"), right=True, yields=1, value=lambda place: place.seat.seed or None),
        Column(
            marked("player"),
            flexible=True,
            value=lambda place: name_of(tournament, player(place)),
            text=lambda place: shown_name(tournament, player(place)),
        ),
        *([faction_column(tournament, player)] if factions else []),
        left_column(tournament, player),
    ]
    seated = [{"player": place.seat.player} for place in shown.ranking]
    yield BracketTable("", *as_read(columns, shown.ranking), seated)


def _players(game: BracketGame) -> list[int]:
    return [seat.player for seat in game.seats if seat]


def bracket_words(
    tournament: Tournament, link: Callable[[int], str] | None = None, chosen: int = 0
) -> PictureWords:
    """Return the texts of a tournament's picture of its bracket."""
    from cli.render.bracket_pictures import PictureWords

    shown = tournament.ruleset.scoring.shown

    def name(player: int) -> str:
        return f"{name_of(tournament, player)}{number_behind(tournament, player)}"

    return PictureWords(name, shown, link, chosen)


def _game_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a round's number and one of its games."""
    winner, name = person_columns(
        tournament, lambda row: row[1].winner, marked("advances"), key="winner"
    )
    return [
        for_program("round", itemgetter(0)),
        Column(marked("game"), right=True, value=lambda row: row[1].game),
        *_seat_columns(tournament, 0, marked("player")),
        *_seat_columns(tournament, 1, marked("against")),
        winner._replace(
            yields=1,
            text=lambda row: shown_name(tournament, row[1].winner) if row[1].winner else "",
        ),
        name,
    ]


def _seat_columns(tournament: Tournament, side: int, title: str) -> Iterator[Column]:
    """Yield the columns of a seat; who sits alone comes first."""

    def seat(row: tuple[int, BracketGame]) -> Seat | None:
        seats = row[1].seats
        return seats[side if seats[0] else 1 - side]

    def seated(row: tuple[int, BracketGame]) -> str:
        taken = seat(row)
        if not taken:
            return tr("-- bye --") if any(row[1].seats) else tr("-- empty --")
        name = shown_name(tournament, taken.player)
        return f"{taken.seed}. {name}" if taken.seed else name

    def player(row: tuple[int, BracketGame]) -> int:
        taken = seat(row)
        return taken.player if taken else 0

    def won(row: tuple[int, BracketGame]) -> bool:
        return 0 < row[1].winner == player(row)

    number, name = person_columns(tournament, player, title, key=title, strong=won)
    yield number._replace(text=seated)
    yield name


def show_order(desk: Desk, tournament: Tournament, order: list[FinalPlace]) -> bool:
    """Print the finishing order; returns whether a person is to read it."""
    columns = order_columns(tournament, order)
    return show_records(desk, columns, order, json=lambda: order_as_json(tournament, order))


def order_columns(
    tournament: Tournament,
    order: list[FinalPlace],
    named: Callable[[Tournament, int], str] = bare_name,
) -> list[Column]:
    """Return the columns of a finishing order, `-` where the bracket has not decided a place.

    A table without the column of numbers needs names with them: `shown_name`.
    """
    swiss = _swiss_rows(tournament)
    entered = Counter(place.stage for place in order)
    last = last_bracket(tournament)
    ended = last.ended if last else 1
    shown = tournament.ruleset.scoring.shown

    def points(place: FinalPlace) -> Any:  # noqa: ANN401 - a member of what scripts get
        return swiss[place.player]["points"] if place.player in swiss else None

    return [
        Column(
            marked("rank"),
            right=True,
            value=lambda place: place.rank or None,
            text=lambda place: str(place.rank or "-"),
        ),
        Column("#", right=True, yields=0 if has_namesakes(tournament) else 3, key="player"),
        Column(
            marked("player"),
            flexible=True,
            key="name",
            value=lambda place: name_of(tournament, place.player),
            text=lambda place: named(tournament, place.player),
        ),
        Column(
            marked("finish"),
            key="came_to",
            value=lambda place: _came_to(tournament, place, swiss, entered[place.stage], ended),
        ),
        Column(
            marked("points"),
            right=True,
            yields=1,
            value=points,
            text=lambda place: "" if points(place) is None else shown(points(place)),
        ),
        left_column(tournament, attrgetter("player"), key="left"),
    ]


def order_as_json(tournament: Tournament, order: list[FinalPlace]) -> list[dict[str, object]]:
    """Make the finishing order for scripts: rows as of the standings, by their final rank.

    `rank` is null where the bracket has not decided it; `stage` is the last one that the player
    was in. Points and tiebreakers are those of the last Swiss stage that the player was in.
    Places may still change unless they are `final`.
    """
    swiss = _swiss_rows(tournament)
    return [
        swiss.get(place.player, _unscored(tournament, place.player))
        | {"rank": place.rank or None, "stage": place.stage, "final": tournament.finished}
        for place in order
    ]


def _swiss_rows(tournament: Tournament) -> dict[int, dict[str, object]]:
    rows: dict[int, dict[str, object]] = {}
    for stage in tournament.stages:
        if stage.is_swiss and (stage.number == 1 or stage.rounds or stage.cut_seq):
            table = standings(tournament, stage.number)
            records = as_json(table, tournament.names)
            rows |= {row.player: record for row, record in zip(table.rows, records, strict=True)}
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


def _removed_ahead(tournament: Tournament, place: FinalPlace) -> int:
    """Count who was disqualified after more games of the stage: they came further."""
    numbers = tournament.stages[place.stage - 1].rounds
    games = Counter(
        player
        for number in numbers
        for match in tournament.rounds[number - 1].matches
        for player in match.players
    )
    removed = (player.number for player in tournament.players if player.status == "disqualified")
    return sum(games[number] > games[place.player] for number in removed)


def _came_to(
    tournament: Tournament,
    place: FinalPlace,
    swiss: dict[int, dict[str, object]],
    entered: int,
    ended: int,
) -> str:
    """How far a player came: the rank in the Swiss rounds, or among how many in the bracket.

    `ended`: how many came equally far, and nobody further; 1 where one did.
    """
    if tournament.stages[place.stage - 1].is_swiss:
        return tr("Swiss {rank}", rank=swiss[place.player]["rank"])
    if left_mark(tournament, place.player) == "disqualified":
        return tr("bracket")
    rank = max(place.rank, ended) if place.rank else 0
    rank += _removed_ahead(tournament, place) if rank > 1 else 0
    if rank <= len(_FIRST):
        return tr(_FIRST[rank - 1]) if rank else tr("bracket")
    return tr("top {players}", players=min(1 << (rank - 1).bit_length(), entered))

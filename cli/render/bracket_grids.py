"""A bracket in columns of games, for its picture: which game leads where, and what is still ahead.

The columns are the rounds. Games of a single elimination that are not paired yet are added, with
the players that are known already. Of any other elimination, such as a double one, the columns have
the games on record. A bracket that is too large for a sheet or a screen is divided into parts: each
part leads to one game, and the last part has the games that all other parts lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cli.languages.speaking import tr
from cli.wording.phrases import elimination_round
from ledger.pairing.brackets import from_cut
from projections.standings.bracket import Bracket, BracketGame, Seat

Seats = tuple[Seat | None, Seat | None]
Sources = tuple[int | None, int | None]


class Box(Struct):
    """A game of the picture; `sources` are the games of the column before, one for each seat."""

    key: str
    game: int
    seats: Seats
    winner: int = 0
    points: tuple[int, int] | None = None
    sources: Sources = (None, None)
    is_ahead: bool = False
    awaits: tuple[int, int] = (0, 0)
    """Games whose winners get the two seats; 0 if no player comes from a game."""

    column: int = 0
    top: float = 0

    @property
    def is_open(self) -> bool:
        """Whether two players sit here, and their game has no result."""
        return all(self.seats) and not self.is_ahead and self.points is None

    @property
    def advancing(self) -> Seat | None:
        """Return the seat of the winner; None if there is none, or if the winner has left."""
        seats = (seat for seat in self.seats if seat and not seat.left)
        return next((seat for seat in seats if seat.player == self.winner), None)

    @property
    def leads_nowhere(self) -> bool:
        """Return whether the game is over and has no winner for the next column."""
        return not self.is_ahead and not self.is_open and self.advancing is None

    def seat_of(self, player: int) -> int | None:
        """Return which of the two seats a player has."""
        numbers = [seat.player if seat else 0 for seat in self.seats]
        return numbers.index(player) if player and player in numbers else None


class GridColumn(Struct):
    """A round of the picture."""

    title: str
    boxes: list[Box]


class Grid(NamedTuple):
    """A bracket in columns; `is_tree` if each game comes from two games of the column before."""

    columns: list[GridColumn]
    is_tree: bool
    champion: Seat | None
    part: int = 1
    parts: int = 1

    @property
    def part_in_words(self) -> str:
        """Return what follows the title of a part: `, part 2 of 4`; "" for a whole bracket."""
        return (
            tr(", part {part} of {parts}", part=self.part, parts=self.parts)
            if self.parts > 1
            else ""
        )


def grid_of(shown: Bracket) -> Grid | None:
    """Arrange a bracket in columns; None before its first games are known."""
    columns = [
        GridColumn("", [_box(round_.round, game) for game in round_.games])
        for round_ in shown.rounds
    ]
    if not columns:
        columns = [GridColumn("", boxes) for boxes in [_of_seeds(shown)] if boxes]
    if not columns:
        return None
    is_tree = shown.kind == "single" and _is_tree(columns)
    for before, column in pairwise(columns):
        for place, box in enumerate(column.boxes):
            box.sources = _sources(before, box, place, len(column.boxes), is_tree=is_tree)
    while is_tree and len(columns[-1].boxes) > 1:
        columns.append(GridColumn("", _ahead(columns[-1], len(columns))))
    for place, column in enumerate(columns):
        number = shown.rounds[place].round if place < len(shown.rounds) else 0
        column.title = _title(len(column.boxes), number, is_tree=is_tree)
        for box in column.boxes:
            box.column = place
    _put_in_order(columns)
    first = shown.ranking[0].seat if shown.ranking and shown.winner else None
    return Grid(columns, is_tree, first)


def _box(number: int, game: BracketGame) -> Box:
    return Box(f"{number}.{game.game}", game.game, game.seats, game.winner, game.points)


def _of_seeds(shown: Bracket) -> list[Box]:
    """Return the first games as the seeds give them, before they are paired (FFG-ELIM-CUT)."""
    seats = {place.seat.player: place.seat for place in shown.ranking}
    seeds = sorted(seats.values(), key=lambda seat: seat.seed)
    numbered = [seat.seed for seat in seeds] == [*range(1, len(seeds) + 1)]
    if shown.kind != "single" or not numbered:
        return []
    games = enumerate(from_cut([seat.player for seat in seeds]), start=1)
    return [
        Box(f"ahead.{number}", number, (seats[best], seats.get(worst)), is_ahead=bool(worst))
        for number, (best, worst) in games
    ]


def _is_tree(columns: Sequence[GridColumn]) -> bool:
    """Return whether the games follow from one another: first against last, and so on inwards."""
    for before, column in pairwise(columns):
        count = len(column.boxes)
        if len(before.boxes) != 2 * count:
            return False
        for place, box in enumerate(column.boxes):
            games = (before.boxes[place], before.boxes[2 * count - 1 - place])
            came = [seat.player for seat in box.seats if seat]
            if any(all(game.winner != player for game in games) for player in came):
                return False
    count = len(columns[-1].boxes)
    return count > 0 and count & (count - 1) == 0


def _sources(before: GridColumn, box: Box, place: int, count: int, *, is_tree: bool) -> Sources:
    """Return from which games the two seats of a game were filled."""
    if not is_tree:
        first, second = (
            next(
                (
                    number
                    for number, game in enumerate(before.boxes)
                    if seat and game.winner == seat.player
                ),
                None,
            )
            for seat in box.seats
        )
        return first, second
    near, far = place, 2 * count - 1 - place
    upper, lower = box.seats
    is_turned = (upper and before.boxes[far].winner == upper.player) or (
        lower and before.boxes[near].winner == lower.player
    )
    return (far, near) if is_turned else (near, far)


def _ahead(before: GridColumn, number: int) -> list[Box]:
    """Return the games of the round after a column, with the players that are known already."""
    count = len(before.boxes) // 2
    boxes = []
    for place in range(count):
        sources = place, 2 * count - 1 - place
        first, second = (before.boxes[source].advancing for source in sources)
        upper, lower = (
            0 if before.boxes[source].leads_nowhere else before.boxes[source].game
            for source in sources
        )
        box = Box(f"ahead{number}.{place + 1}", place + 1, (first, second), sources=sources)
        box.is_ahead, box.awaits = True, (upper, lower)
        boxes.append(box)
    return boxes


def _title(games: int, number: int, *, is_tree: bool) -> str:
    if is_tree:
        return elimination_round(games)
    return tr("round {round}", round=number)


def _put_in_order(columns: list[GridColumn]) -> None:
    """Order the games of each column by the games that they lead to, so that few lines cross."""
    order = [*range(len(columns[-1].boxes))]
    for place in range(len(columns) - 1, 0, -1):
        later, column = columns[place], columns[place - 1]
        later.boxes = [later.boxes[number] for number in order]
        sources = [source for box in later.boxes for source in box.sources if source is not None]
        rest = [number for number in range(len(column.boxes)) if number not in set(sources)]
        order = [*dict.fromkeys(sources), *rest]
        new = {number: at for at, number in enumerate(order)}
        for box in later.boxes:
            first, second = (None if source is None else new[source] for source in box.sources)
            box.sources = first, second
    columns[0].boxes = [columns[0].boxes[number] for number in order]


def parts_of(grid: Grid, players_max: int) -> list[Grid]:
    """Divide a bracket into parts of up to that many players; only a tree can be divided."""
    games_max = max(1, players_max // 2)
    if not grid.is_tree or len(grid.columns[0].boxes) <= games_max:
        return [grid]
    levels = games_max.bit_length() - 1
    roots = grid.columns[levels].boxes
    parts = []
    for number in range(len(roots)):
        part, size = [], 1
        for column in reversed(grid.columns[: levels + 1]):
            boxes = column.boxes[number * size : (number + 1) * size]
            by = None if column is grid.columns[0] else 2 * number * size
            part.append(GridColumn(column.title, [_moved(box, by) for box in boxes]))
            size *= 2
        parts.append(Grid(part[::-1], is_tree=True, champion=None))
    first = [
        GridColumn(column.title, [_moved(box, 0 if at else None) for box in column.boxes])
        for at, column in enumerate(grid.columns[levels:])
    ]
    last = parts_of(Grid(first, is_tree=True, champion=grid.champion), players_max)
    parts += last
    return [part._replace(part=at, parts=len(parts)) for at, part in enumerate(parts, start=1)]


def _moved(box: Box, by: int | None) -> Box:
    """Return a copy of a game in a part, with its sources moved up; None drops them."""
    first, second = (
        None if by is None or source is None else source - by for source in box.sources
    )
    return replace(box, sources=(first, second))


def parts_in_play(parts: Sequence[Grid]) -> list[Grid]:
    """Return the parts with the games of the latest round; of two parts with a game, the later."""
    boxes = [(part, box) for part in parts for column in part.columns for box in column.boxes]
    latest = max((box.column for _, box in boxes if not box.is_ahead), default=0)
    shown = {box.key: part.part for part, box in boxes if box.column == latest}
    return [part for part in parts if part.part in shown.values()]

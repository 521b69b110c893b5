"""What a screen shows, in sheets: as many rows as can be read from the other end of the hall."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.desk.guide import round_in_words
from cli.render.brackets import bracket_tables
from cli.render.elements import table_of
from cli.render.game_tables import counted_in_words, standings_columns
from cli.render.pages import BY_NAME, seats_by_name
from cli.render.records import as_read
from cli.serve.parts import PARTS
from cli.terminal.visible import visible
from ledger.errors import NotFound
from ledger.tournament.progress import latest_round
from projections.standings import bracket
from projections.standings.table import everyone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.serve.pages.screens.showing import Showing
    from cli.terminal.tables import Column
    from ledger.tournament.state import Tournament

ROWS = 15
"""Rows of a column: with heading and foot they fill a screen."""

COLUMNS = 2
FROM_AFAR = frozenset({"rank", "player", "points", "W-L-D"})
"""What the standings on a screen have: the rest is on everybody's phone."""


class ScreenSheet(NamedTuple):
    """One screenful: what it is called, and what is on it."""

    title: str
    content: Node


def sheets_of(tournament: Tournament, showing: Showing) -> list[ScreenSheet]:
    """Return all sheets that a screen turns through; never none."""
    if showing.content == "text":
        return [_only(showing.text)]
    try:
        found = list(_SHEETS[showing.content](tournament))
    except NotFound as error:
        return [_only(str(error))]
    return found or [_only(f"no {showing.content} yet")]


def _only(text: str) -> ScreenSheet:
    return ScreenSheet("", htpy.p(class_="text")[visible(text)])


def _pairings(tournament: Tournament) -> Iterator[ScreenSheet]:
    played = latest_round(tournament)
    if played is None:
        raise NotFound("no round is paired yet")
    seats = seats_by_name(tournament, played.matches)
    yield from _tabled(round_in_words(tournament, played), *as_read(BY_NAME, seats))


def _standings(tournament: Tournament) -> Iterator[ScreenSheet]:
    table = everyone(tournament)
    far = [each for each in standings_columns(tournament, table) if each.title in FROM_AFAR]
    yield from _tabled(counted_in_words(tournament, table), *as_read(far, table.rows))


def _bracket(tournament: Tournament) -> Iterator[ScreenSheet]:
    """Return the rounds, the one in play first, and then who came how far."""
    *rounds, places = bracket_tables(tournament, bracket.bracket(tournament))
    for title, columns, rows in [*reversed(rounds), places]:
        yield from _tabled(title or "who came how far", columns, rows, across=1)


def _clock(tournament: Tournament) -> Iterator[ScreenSheet]:
    yield ScreenSheet("", PARTS["clock"].html(tournament))


def _tabled(
    title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], across: int = COLUMNS
) -> Iterator[ScreenSheet]:
    """Yield a long table as sheets, each with its columns side by side."""
    sheet = ROWS * across
    for start in range(0, len(rows), sheet):
        pieces = [rows[at : at + ROWS] for at in range(start, min(start + sheet, len(rows)), ROWS)]
        made = [table_of(columns, piece, heading="player") for piece in pieces]
        yield ScreenSheet(title, htpy.div(class_=f"sheet across{len(made)}")[made])


_SHEETS: Mapping[str, Callable[[Tournament], Iterator[ScreenSheet]]] = MappingProxyType(
    {"pairings": _pairings, "standings": _standings, "bracket": _bracket, "clock": _clock}
)

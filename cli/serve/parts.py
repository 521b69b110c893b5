"""The parts of the hall that everybody may see: values for programs, and HTML of the same records.

A part is made of the tournament alone, so everybody who asks sees the same.
"""

from __future__ import annotations

from collections.abc import Callable
from gzip import compress
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

import htpy
import msgspec

from cli import outside
from cli.desk.guide import round_in_words
from cli.render.brackets import bracket_tables
from cli.render.elements import records_table, table_of, with_isolates
from cli.render.game_tables import (
    counted_in_words,
    pairing_columns,
    pairings_as_json,
    standings_columns,
)
from cli.render.pages import BY_NAME, seats_by_name
from cli.render.round_clock import (
    TIME_CALLED,
    clock_state,
    ends_in_words,
    reported_in_words,
    round_as_json,
    time_left,
)
from cli.terminal.tables import Column
from cli.terminal.visible import marking_names
from ledger.errors import NotFound
from ledger.tournament.progress import latest_round
from ledger.tournament.round_clock import RoundClock, clock
from projections.standings import bracket
from projections.standings.table import as_json
from projections.standings.updating import UpToDate

if TYPE_CHECKING:
    from htpy import Node

    from ledger.tournament.state import Round, Tournament


Form = Literal["json", "html"]

PACKED_FROM, PACKING = 1_000, 5
"""Bytes from which a part is packed, and how hard: five hundred names take a tenth of the air."""

TABLES = UpToDate()
"""The standings as of the last act, whichever page asks."""


class Rendered(NamedTuple):
    """A part in one form, what its ETag says, and its bytes packed once for all who take it so."""

    content: bytes
    tag: str
    packed: bytes = b""


class HallPart(NamedTuple):
    """What one part of a page is called, and how it is made; NotFound before it is there."""

    title: str
    value: Callable[[Tournament], object]
    html: Callable[[Tournament], Node]


def _round(tournament: Tournament) -> Round:
    found = latest_round(tournament)
    if not found:
        raise NotFound("no round is paired yet")
    return found


def place_node(tournament: Tournament, played: Round) -> Node:
    """Return the round, its status, and when it ends or that its clock stands still."""
    state = clock_state(tournament, played)
    is_running = played.status == "started" and not state
    shown = clock(tournament, played, outside.now()) if is_running else None
    ends = ends_in_words(tournament, shown) if shown else ""
    kind = "chip called" if state == TIME_CALLED else "chip paused"
    return htpy.p(class_="about")[
        f"{round_in_words(tournament, played)}, {played.status}",
        f", {ends}" if ends else None,
        [" ", htpy.span(class_=kind)[state]] if state else None,
    ]


def _pairings(tournament: Tournament) -> Node:
    """Return the pairings as they are looked for: one row a player, by name."""
    played = _round(tournament)
    result = pairing_columns(tournament)[-1]
    said = Column("result", value=lambda seat: result.text_of(seat.match))
    seats = seats_by_name(tournament, played.matches)
    return [
        place_node(tournament, played),
        records_table((*BY_NAME, said), seats, heading="player", kind="pairings"),
    ]


def _standings(tournament: Tournament) -> Node:
    table = TABLES.everyone(tournament)
    columns = standings_columns(tournament, table)
    return [
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        records_table(columns, table.rows, heading="player", kind="standings"),
    ]


def _bracket(tournament: Tournament) -> Node:
    shown = bracket.bracket(tournament)
    if not shown.rounds and not shown.ranking:
        return htpy.p["The elimination has not begun."]
    return [
        [
            htpy.h2[title] if title else None,
            table_of(columns, rows, heading="player"),
        ]
        for title, columns, rows in bracket_tables(tournament, shown)
    ]


def _running(tournament: Tournament) -> tuple[Round, RoundClock]:
    played = _round(tournament)
    return played, clock(tournament, played, outside.now())


def _seconds(shown: RoundClock) -> int | None:
    return -(-shown.left // 1_000) if shown.left is not None else None


def state_node(tournament: Tournament, played: Round) -> Node:
    """Return the words that a clock is paused or that time is called; None while it runs."""
    state = clock_state(tournament, played)
    kind = "called" if state == TIME_CALLED else "paused"
    return htpy.p(class_="state")[htpy.strong(class_=kind)[state]] if state else None


def _clock(tournament: Tournament) -> Node:
    """Return the clock as of now; the page's script counts on from there."""
    played, shown = _running(tournament)
    extended = [
        (str(each.table), f"+{each.extension} min")
        for each in shown.tables
        if each.extension and not each.reported
    ]
    ends = ends_in_words(tournament, shown) if shown.ends is not None else ""
    place = f"{round_in_words(tournament, played)}, {played.status}"
    return [
        htpy.p(class_="about")[f"{place}, {ends}" if ends else place],
        state_node(tournament, played),
        htpy.p(
            class_="digits still" if shown.paused else "digits",
            data_left=None if shown.paused else str(_seconds(shown)),
        )[time_left(shown.left)]
        if shown.left is not None
        else htpy.p["This round has no clock running."],
        htpy.p(class_="about")[f"{reported_in_words(shown)}."],
        table_of((Column("table", right=True), Column("more time")), extended, heading="table")
        if extended
        else None,
    ]


PARTS = MappingProxyType(
    {
        "pairings": HallPart(
            "Pairings", lambda state: pairings_as_json(state, _round(state)), _pairings
        ),
        "standings": HallPart(
            "Standings",
            lambda state: as_json(TABLES.everyone(state), state.names),
            _standings,
        ),
        "bracket": HallPart(
            "Bracket",
            lambda state: bracket.as_json(bracket.bracket(state), state.names),
            _bracket,
        ),
        "clock": HallPart("Clock", lambda state: round_as_json(state, *_running(state)), _clock),
    }
)
"""By the last word of their address; a clock runs on by itself and is never kept."""

RUNNING = frozenset({"clock"})


def rendered(name: str, tournament: Tournament, form: Form) -> Rendered:
    """Make a part as it is now; NotFound if the tournament has none yet, or the name is unknown."""
    part = PARTS.get(name)
    if not part:
        raise NotFound(f"there is no part {name!r}: only {', '.join(PARTS)}")
    if form == "json":
        content = msgspec.json.encode(part.value(tournament))
    else:
        with marking_names():
            content = with_isolates(str(htpy.fragment[part.html(tournament)])).encode()
    tag = f'"{tournament.seq}-{sha256(content).hexdigest()[:16]}"'
    packed = compress(content, PACKING, mtime=0) if len(content) > PACKED_FROM else b""
    return Rendered(content, tag, packed)

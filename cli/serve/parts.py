"""The public parts of the hall: values for programs, and HTML of the same records.

A part depends on the tournament only, so all visitors see the same.
"""

from __future__ import annotations

from collections.abc import Callable
from gzip import compress
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import htpy
import msgspec

from cli import outside
from cli.desk.guide import round_in_words
from cli.input.find_people import name_of, plain, shown_name
from cli.languages.speaking import marked, tr
from cli.render.bracket_grids import grid_of
from cli.render.bracket_pictures import figure
from cli.render.brackets import BracketTable, bracket_tables, bracket_words, order_columns
from cli.render.elements import records_table, table_of, tr_nodes, with_isolates
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
from cli.serve.pieces import LongList, by_name, by_rank, shown_columns
from cli.terminal.tables import Column
from cli.terminal.visible import marking_names
from ledger.errors import NotFound
from ledger.problems import phrase
from ledger.tournament.progress import latest_round
from ledger.tournament.round_clock import RoundClock, clock
from projections.standings import bracket
from projections.standings.bracket import finishing_order
from projections.standings.table import as_json
from projections.standings.updating import UpToDate

if TYPE_CHECKING:
    from htpy import Node

    from ledger.tournament.state import Round, Tournament
    from projections.standings.bracket import Bracket


PACKED_FROM, PACKING = 1_000, 5
"""Bytes from which a part is packed, and how hard: five hundred names take a tenth of the air."""

TABLES = UpToDate()
"""The standings as of the last act, whichever page asks."""


class Rendered(NamedTuple):
    """A part or a page, what its ETag says, and its bytes packed once for all who take it so."""

    content: bytes
    tag: str
    packed: bytes = b""
    second: str = ""
    """The second that it shows, if it runs on by itself; else empty."""


class HallPart(NamedTuple):
    """The name of one part of a page, and the functions that make it.

    The functions raise NotFound before the tournament has the part.
    """

    title: str
    value: Callable[[Tournament], object]
    html: Callable[[Tournament], Node]
    listed: Callable[[Tournament], LongList] | None = None
    """The list that the part is, if it may be long: pages show a piece of it."""
    of_player: Callable[[Tournament, int], Node] | None = None
    """Makes the part with links from its names, and marks the path of a player; 0: no player."""

    beside: Callable[[Tournament], str] = lambda _: ""
    """Returns further content of the page that the value does not have, without the time of day."""


def _round(tournament: Tournament) -> Round:
    found = latest_round(tournament)
    if not found:
        raise NotFound(phrase("no round is paired yet"))
    return found


_STATUS = {
    "paired": marked("{round}, paired"),
    "started": marked("{round}, started"),
    "closed": marked("{round}, closed"),
}


def round_and_status(tournament: Tournament, played: Round) -> str:
    """Return a round and its status: `round 2 of 5, started`."""
    return tr(_STATUS[played.status], round=round_in_words(tournament, played))


def place_node(tournament: Tournament, played: Round) -> htpy.Element:
    """Return the round, its status, and when it ends or that its clock stands still."""
    state = clock_state(tournament, played)
    is_running = played.status == "started" and not state
    shown = clock(tournament, played, outside.now()) if is_running else None
    ends = ends_in_words(tournament, shown) if shown else ""
    kind = "chip called" if state == TIME_CALLED else "chip paused"
    return htpy.p(class_="about")[
        round_and_status(tournament, played),
        f", {ends}" if ends else None,
        [" ", htpy.span(class_=kind)[tr(state)]] if state else None,
    ]


def _pairings(tournament: Tournament) -> LongList:
    """Return the pairings as they are looked for: one row a player, by name."""
    played = _round(tournament)
    result = pairing_columns(tournament)[-1]
    said = Column("result", value=lambda seat: result.text_of(seat.match))
    seats = seats_by_name(tournament, played.matches)
    names = [seat.player for seat in seats]
    keys = [plain(name) for name in names]
    return LongList(
        place_node(tournament, played),
        shown_columns((*BY_NAME, said), seats),
        seats,
        [seat.number for seat in seats],
        keys,
        by_name(names, keys),
        kind="pairings",
    )


def _standings(tournament: Tournament) -> LongList:
    """Return the standings; after the finish the final order comes first."""
    table = TABLES.everyone(tournament)
    return LongList(
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        shown_columns(standings_columns(tournament, table), table.rows),
        table.rows,
        [row.player for row in table.rows],
        [plain(name_of(tournament, row.player)) for row in table.rows],
        by_rank([row.rank for row in table.rows]),
        is_by_name=False,
        kind="standings",
        above=_final_order(tournament) if tournament.finished else None,
    )


FINAL_MAX = 500
"""Rows of the final order that are above the standings: in a larger field the first of them."""


def _beside_standings(tournament: Tournament) -> str:
    about = counted_in_words(tournament, TABLES.everyone(tournament))
    return f"{about}{_final_order(tournament) if tournament.finished else ''}"


def _final_order(tournament: Tournament) -> htpy.Element:
    order = finishing_order(tournament)[:FINAL_MAX]
    return htpy.section(id="final", aria_label=tr("Final order"))[
        htpy.h2[tr("Final order")],
        records_table(order_columns(tournament, order), order, heading="player"),
        htpy.h2[tr("Standings before the cut") if tournament.stages[1:] else tr("Standings")],
    ]


def _unsplit(listed: Callable[[Tournament], LongList]) -> Callable[[Tournament], Node]:
    """Return what makes a list as one table, for files that are read as a whole."""

    def html(tournament: Tournament) -> Node:
        made = listed(tournament)
        return [made.above, made.about, made.table(range(len(made.rows)))]

    return html


def _bracket(tournament: Tournament) -> Node:
    return _bracket_of(tournament, bracket.bracket(tournament))


def _bracket_of(
    tournament: Tournament,
    shown: Bracket,
    link: Callable[[int], str] | None = None,
    chosen: int = 0,
) -> Node:
    """Return the picture of a bracket, and its tables; `link` is the address of a player's path."""
    if not shown.rounds and not shown.ranking:
        return htpy.p(class_="empty")[tr("The elimination has not begun.")]
    grid = grid_of(shown)
    return [
        figure(grid, bracket_words(tournament, link, chosen)) if grid else None,
        [
            [htpy.h2[table.title] if table.title else None, _linked_table(table, link, chosen)]
            for table in bracket_tables(tournament, shown)
        ],
    ]


def _linked_table(table: BracketTable, link: Callable[[int], str] | None, chosen: int) -> Node:
    """Return a table of a bracket with a link from each name, and the rows of a player marked."""
    waiting = {
        title: iter([row.get(title, 0) for row in table.players]) for title in ("player", "against")
    }

    def cell(title: str, text: str) -> Node:
        player = next(waiting[title]) if title in waiting else 0
        return htpy.a(href=link(player))[text] if link and player else text

    kinds = ["chosen" if chosen and chosen in row.values() else None for row in table.players]
    return table_of(table.columns, table.rows, heading="player", cell=cell, kinds=kinds)


def _bracket_with_links(tournament: Tournament, chosen: int) -> Node:
    """Return the bracket with the path of a player.

    Raises:
        NotFound: the player is not in the bracket.
    """
    shown = bracket.bracket(tournament)
    if chosen and all(place.seat.player != chosen for place in shown.ranking):
        raise NotFound(
            phrase(
                "p{chosen} is not in this bracket: choose a name on the bracket's page",
                chosen=chosen,
            )
        )
    content = _bracket_of(tournament, shown, lambda player: f"bracket?player=p{player}", chosen)
    about = tr_nodes(
        "Marked: the path of {player}. {link}",
        player=shown_name(tournament, chosen),
        link=htpy.a(href="bracket")[tr("Show the bracket without it")],
    )
    return [htpy.p(class_="about")[about] if chosen else None, content]


def _running(tournament: Tournament) -> tuple[Round, RoundClock]:
    played = _round(tournament)
    return played, clock(tournament, played, outside.now())


def _beside_clock(tournament: Tournament) -> str:
    """Return the clock as of the round's start, with all that moves its end."""
    played = _round(tournament)
    return f"{place_node(tournament, played)}{clock(tournament, played, played.started_at)}"


def _seconds(shown: RoundClock) -> int | None:
    return -(-shown.left // 1_000) if shown.left is not None else None


def state_node(tournament: Tournament, played: Round) -> Node:
    """Return the words that a clock is paused or that time is called; None while it runs."""
    state = clock_state(tournament, played)
    kind = "called" if state == TIME_CALLED else "paused"
    return htpy.p(class_="state")[htpy.strong(class_=kind)[tr(state)]] if state else None


def _clock(tournament: Tournament) -> Node:
    """Return the clock as of now; the page's script counts on from there."""
    played, shown = _running(tournament)
    extended = [
        (str(each.table), tr("+{minutes} min", minutes=each.extension))
        for each in shown.tables
        if each.extension and not each.reported
    ]
    ends = ends_in_words(tournament, shown) if shown.ends is not None else ""
    place = round_and_status(tournament, played)
    return [
        htpy.p(class_="about")[tr("{round}, {ends}", round=place, ends=ends) if ends else place],
        state_node(tournament, played),
        htpy.p(
            class_="digits still" if shown.paused else "digits",
            data_left=None if shown.paused else str(_seconds(shown)),
        )[time_left(shown.left)]
        if shown.left is not None
        else htpy.p(class_="empty")[tr("This round has no clock running.")],
        htpy.p(class_="about")[tr("{reported}.", reported=reported_in_words(shown))],
        table_of(
            (Column(tr("table"), right=True), Column(tr("more time"))),
            extended,
            heading=tr("table"),
        )
        if extended
        else None,
    ]


PARTS = MappingProxyType(
    {
        "pairings": HallPart(
            marked("Pairings"),
            lambda state: pairings_as_json(state, _round(state)),
            _unsplit(_pairings),
            _pairings,
            beside=lambda state: str(place_node(state, _round(state))),
        ),
        "standings": HallPart(
            marked("Standings"),
            lambda state: as_json(TABLES.everyone(state), state.names),
            _unsplit(_standings),
            _standings,
            beside=_beside_standings,
        ),
        "bracket": HallPart(
            marked("Bracket"),
            lambda state: bracket.as_json(bracket.bracket(state), state.names),
            _bracket,
            of_player=_bracket_with_links,
        ),
        "clock": HallPart(
            marked("Clock"),
            lambda state: round_as_json(state, *_running(state)),
            _clock,
            beside=_beside_clock,
        ),
    }
)
"""By the last word of their address; a clock runs on by itself and is never kept."""

RUNNING = frozenset({"clock"})

SECOND = len("2026-03-14T10:00:00")
"""Letters of a time up to its second."""


def part_named(name: str) -> HallPart:
    """Return a part.

    Raises:
        NotFound: the name is unknown.
    """
    part = PARTS.get(name)
    if not part:
        raise NotFound(
            phrase(
                "{name} is not a part: the parts are {parts}",
                name=f"{name!r}",
                parts=", ".join(PARTS),
            )
        )
    return part


def rendered_value(name: str, tournament: Tournament) -> Rendered:
    """Make the current JSON of a part.

    Raises:
        NotFound: the tournament does not have this part yet.
    """
    content = msgspec.json.encode(part_named(name).value(tournament))
    tag = f'"{tournament.seq}-{sha256(content).hexdigest()[:16]}"'
    return shared(content, tag)._replace(second=outside.now()[:SECOND] if name in RUNNING else "")


def rendered_part(name: str, html: Callable[[], Node]) -> Rendered:
    """Make the HTML of a part or of a piece, with an ETag of its content."""
    second = outside.now()[:SECOND] if name in RUNNING else ""
    with marking_names():
        content = with_isolates(str(htpy.fragment[html()])).encode()
    return shared(content, tag_of(content))._replace(second=second)


def digest_of(name: str, tournament: Tournament, value: bytes) -> bytes:
    """Return a hash of the content of a part, without the time of day.

    `value` is the JSON of the part; empty for a clock.

    Raises:
        NotFound: the tournament does not have this part yet.
    """
    return sha256(value + part_named(name).beside(tournament).encode()).digest()


def tag_of(content: bytes) -> str:
    """Return the ETag of a content; the position in the log does not change it."""
    return f'"{sha256(content).hexdigest()[:32]}"'


def shared(content: bytes, tag: str) -> Rendered:
    """Return an answer that many take, packed if it is long enough."""
    packed = compress(content, PACKING, mtime=0) if len(content) > PACKED_FROM else b""
    return Rendered(content, tag, packed)

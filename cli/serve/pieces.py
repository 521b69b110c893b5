"""Long lists in pieces: the cuts of a list, the title and address of a piece, and the search.

A list of up to `WHOLE_MAX` rows stays one piece. A longer list is cut into pieces of nearly equal
length. Only its rows decide the cuts, so two servers make the same pieces. A list by names is cut
near the equal length, between two names with few letters in common at their beginning; letters of
every script are cut the same way. Equal names stay in one piece.

The address of a piece names its first row: `/pairings?from=K`, `/standings?from=501`. After the
list has changed, the address leads to the piece that has that name or place now.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import combining
from urllib.parse import quote, urlencode

import htpy

from cli.input.find_people import plain
from cli.languages.speaking import tr, tr_many
from cli.render.elements import table_of
from cli.render.records import as_read
from cli.terminal.visible import capitalized, how_many, isolated, visible
from ledger.errors import NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from htpy import Node

    from cli.terminal.tables import Column

WHOLE_MAX, PIECE_ROWS = 600, 500
"""Rows up to which a list is not cut, and about how many a piece has: some 15 kB in the air."""

SHIFT = PIECE_ROWS // 5
"""Rows by which a cut between names may be away from the equal length."""

TITLE_LETTERS = 24
"""Letters of a name in a title: names that begin alike for longer have an ellipsis."""

MATCHES_MAX = 50
"""Rows that an answer to a search shows."""

SOUGHT_MAX = 100
"""Letters of a search that are compared: no name of a page is found by more."""

DASH = " \u2013 "
_NUMBER = re.compile(r"#?([0-9]{1,9})")


class Piece(NamedTuple):
    """Rows from `first` up to `end`, excluded; `start` is what its address says after `from=`."""

    start: str
    title: str
    first: int
    end: int


class LongList(NamedTuple):
    """A list of one row a player, in the order of its page, and its pieces."""

    about: Node
    """The line above the list."""

    columns: Sequence[Column]
    rows: Sequence[Any]
    numbers: Sequence[int]
    """The number of the player of each row."""

    names: Sequence[str]
    """Keys by which the names of the rows are compared."""

    pieces: Sequence[Piece]
    is_by_name: bool = True
    kind: str = ""
    """The class of the table."""

    above: Node = None
    """What is above the line of the first piece."""

    def piece_from(self, start: str) -> Piece:
        """Return the piece that an address names; the first one without a start.

        Raises:
            NotFound: the start of a list by ranks is not a number from 1.
        """
        exact = next((piece for piece in self.pieces if piece.start == start), None)
        if exact is not None or not start:
            return exact or self.pieces[0]
        if self.is_by_name:
            return self.piece_with(bisect_left(self.names, plain(start[:SOUGHT_MAX])))
        number = _NUMBER.fullmatch(start)
        if number is None or start.startswith("#") or not int(number[1]):
            raise NotFound(
                phrase("a part of the standings begins with a place: a whole number from 1")
            )
        return self.piece_with(int(number[1]) - 1)

    def piece_with(self, place: int) -> Piece:
        """Return the piece that has a row; the last one if the list is shorter."""
        return self.pieces[bisect_right([piece.first for piece in self.pieces], place) - 1]

    def places_of(self, sought: str) -> list[int]:
        """Return the rows of the players whom a text names: by number, by name, by part of it."""
        number = _NUMBER.fullmatch(sought.strip())
        if number is not None and int(number[1]) in self.numbers:
            return [self.numbers.index(int(number[1]))]
        wanted = plain(sought[:SOUGHT_MAX])
        if not wanted:
            return []
        places = [place for place, name in enumerate(self.names) if wanted in name]
        return [place for place in places if self.names[place] == wanted] or places

    def table(self, places: Sequence[int], link: Callable[[int], str] | None = None) -> Node:
        """Return a table of some rows, each with its id, or with the link of its row instead."""
        columns, cells = as_read(self.columns, [self.rows[place] for place in places])
        if link is None:
            ids = [row_id(self.numbers[place]) for place in places]
            return table_of(columns, cells, heading="player", ids=ids, kind=self.kind)
        links = map(link, places)

        def cell(title: str, text: str) -> Node:
            return htpy.a(href=next(links))[text] if title == "player" else text

        return table_of(columns, cells, heading="player", cell=cell, kind=self.kind)


def row_id(number: int) -> str:
    """Return the id of a player's row on a page."""
    return f"p{number}"


def shown_columns(columns: Sequence[Column], rows: Sequence[Any]) -> list[Column]:
    """Return the columns that a person reads of all rows, so that all pieces have the same."""
    return [
        column._replace(optional=False)
        for column in columns
        if column.only != "program"
        and not (column.optional and not any(column.text_of(row) for row in rows))
    ]


def by_rank(ranks: Sequence[int]) -> tuple[Piece, ...]:
    """Return the pieces of a list in the order of ranks, all of the same length."""
    ends = _even_ends(len(ranks))
    return tuple(
        Piece(
            str(first + 1) if first else "",
            DASH.join((f"{ranks[first]:,}", f"{ranks[end - 1]:,}")) if ranks else "",
            first,
            end,
        )
        for first, end in zip((0, *ends), ends, strict=False)
    )


def by_name(names: Sequence[str], keys: Sequence[str]) -> tuple[Piece, ...]:
    """Return the pieces of a list in the order of `keys`, which names are compared by."""
    cuts = [0]
    *inner, last = _even_ends(len(names))
    for cut in inner:
        if (moved := _cut_near(keys, cut, cuts[-1])) is not None:
            cuts.append(moved)
    ends = [*cuts[1:], last]
    return tuple(
        Piece(
            keys[first][: _distinct(keys, first)] if first else "",
            _name_title(names, keys, first, end) if len(ends) > 1 else "",
            first,
            end,
        )
        for first, end in zip(cuts, ends, strict=True)
    )


def _even_ends(count: int) -> list[int]:
    """Return where each piece of a list ends, at equal lengths."""
    pieces = -(-count // PIECE_ROWS) if count > WHOLE_MAX else 1
    return [(place + 1) * count // pieces for place in range(pieces)]


def _cut_near(keys: Sequence[str], cut: int, after: int) -> int | None:
    """Return the best place for a cut, between two different names; None if there is none."""
    low, high = max(after + 1, cut - SHIFT), min(len(keys), cut + SHIFT + 1)
    near = [place for place in range(low, high) if keys[place - 1] != keys[place]]
    if near:
        return min(near, key=lambda place: (_shared(keys, place), abs(place - cut)))
    later = range(max(high, after + 1), len(keys))
    return next((place for place in later if keys[place - 1] != keys[place]), None)


def _shared(keys: Sequence[str], place: int) -> int:
    """Return how many letters a name has in common with the name before it."""
    before, name = keys[place - 1], keys[place]
    pairs = enumerate(zip(before, name, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(before), len(name)))


def _distinct(keys: Sequence[str], place: int) -> int:
    """Return how many letters tell a name from the previous name, without a last space."""
    count = _shared(keys, place) + 1
    return count + (keys[place][count - 1 : count] == " ")


def _name_title(names: Sequence[str], keys: Sequence[str], first: int, end: int) -> str:
    """Return the shortest distinct beginnings of the first and the last name."""
    last = end - 1
    low = _beginning(names[first], keys[first], _distinct(keys, first) if first else 1)
    high = _beginning(names[last], keys[last], _shared(keys, end) + 1 if end < len(keys) else 1)
    ends = [low] if low == high else [low, high]
    return DASH.join(isolated(each) for each in ends)


def _beginning(name: str, key: str, letters: int) -> str:
    """Return the beginning of a name that has so many letters as names are compared by.

    Latin letters have no accents there, since lists are in that order; others are as in the name.
    """
    begun = key[:letters]
    if not begun.isascii():
        name = visible(name)
        ends = (at for at in range(1, len(name)) if not combining(name[at]))
        begun = name[: next((at for at in ends if len(plain(name[:at])) >= letters), len(name))]
    begun = begun.strip() if len(begun) <= TITLE_LETTERS else f"{begun[:TITLE_LETTERS]}…"
    return visible(capitalized(begun))


def piece_nodes(part: str, listed: LongList, piece: Piece) -> Node:
    """Return a piece of a list: links to all pieces, its title, its rows, its neighbours."""
    above = listed.above if piece.first == 0 else None
    if len(listed.pieces) == 1:
        return [above, listed.about, listed.table(range(len(listed.rows)))]
    place = listed.pieces.index(piece)
    near = [listed.pieces[at] for at in (place - 1, place + 1) if 0 <= at < len(listed.pieces)]
    return [
        above,
        listed.about,
        htpy.nav(aria_label=tr("Parts of the list"))[
            (_piece_link(part, each, is_here=each == piece) for each in listed.pieces)
        ],
        htpy.h2[title_of(listed, piece)],
        listed.table(range(piece.first, piece.end)),
        htpy.nav(aria_label=tr("Parts before and after"))[
            (_piece_link(part, each) for each in near)
        ],
    ]


def title_of(listed: LongList, piece: Piece) -> str:
    """Return the title of a piece as a heading has it; empty for a list in one piece."""
    if len(listed.pieces) == 1:
        return ""
    return piece.title if listed.is_by_name else tr("Ranks {ranks}", ranks=piece.title)


def _piece_link(part: str, piece: Piece, *, is_here: bool = False) -> Node:
    current = "true" if is_here else None
    return htpy.a(href=address_of_piece(part, piece)[1:], aria_current=current)[piece.title]


def address_of_piece(part: str, piece: Piece, number: int = 0) -> str:
    """Return the address of a piece, and of a player's row on it."""
    row = f"#{row_id(number)}" if number else ""
    return f"/{part}?from={quote(piece.start, safe='')}{row}" if piece.start else f"/{part}{row}"


def query_of(piece: Piece) -> str:
    """Return the question with which a page fetches its piece again; empty for the first one."""
    return urlencode({"from": piece.start}) if piece.start else ""


def query_of_search(sought: str) -> str:
    """Return the question with which a page fetches the rows of its search again."""
    return urlencode({"find": sought[:SOUGHT_MAX]})


def address_of_row(part: str, listed: LongList, place: int) -> str:
    """Return the address that shows a row."""
    return address_of_piece(part, listed.piece_with(place), listed.numbers[place])


def match_nodes(part: str, listed: LongList, sought: str) -> Node:
    """Return the rows that a search means, from all pieces, each with a link to its piece."""
    return [listed.about, *_match_nodes(part, listed, sought)]


def _match_nodes(part: str, listed: LongList, sought: str) -> Iterator[Node]:
    typed = isolated(visible(sought[:SOUGHT_MAX]))
    places = listed.places_of(sought)
    if not places:
        yield htpy.p(role="status")[
            tr("No player matches “{typed}”. Type a part of the name.", typed=typed)
        ]
    elif len(places) > MATCHES_MAX:
        yield htpy.p(role="status")[
            tr(
                "The first {shown} of {players} match “{typed}”. Type more of the name.",
                shown=MATCHES_MAX,
                players=how_many(len(places), "player"),
                typed=typed,
            )
        ]
    else:
        yield htpy.p(role="status")[
            tr_many(
                "{count} player matches “{typed}”.",
                "{count} players match “{typed}”.",
                len(places),
                typed=typed,
            )
        ]
    if places:
        yield listed.table(
            places[:MATCHES_MAX], lambda place: address_of_row(part, listed, place)[1:]
        )
    yield htpy.p(class_="go")[htpy.a(href=f"{part}")[tr("Back to the list")]]

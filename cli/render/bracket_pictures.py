"""The bracket as a picture: one drawing for hall, screens, paper, published pages and a season.

The drawing shows the value that `bracket --json` gives, and nothing else. The boxes are
games, and a line leads from a game to the seat of its winner in the next column. Games ahead are
dashed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, east_asian_width

import htpy

from cli.languages.speaking import marked, tr, tr_of
from cli.terminal.visible import ELLIPSIS, clusters, how_many, isolated, visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.render.bracket_grids import Box, Grid, GridColumn
    from projections.standings.bracket import Seat


class PictureWords(NamedTuple):
    """Texts of a picture: names by player, scores by points, and addresses by player."""

    name: Callable[[int], str]
    score: Callable[[int], str]
    link: Callable[[int], str] | None = None
    chosen: int = 0
    """Player whose path is marked; 0 if no player is chosen."""


class Measures(NamedTuple):
    """Distances of a picture in its own units; letters have a height of `FONT`."""

    width: int = 250
    gap: int = 28
    between: int = 26


PAGE = Measures()
SCREEN = Measures(width=205)
PAGE_PLAYERS = 16
"""Players in a part on paper: a landscape sheet with letters of 10 points."""

COLUMNS_STYLED = 8
"""From so many columns on, a page says up to a very wide window that the picture scrolls."""

FONT, SMALL, ROW = 14, 11, 22
TITLE_HEIGHT, CAPTION, EDGE = 20, 5, 4
CHAMPION_HEIGHT = 28
_MARKS = {"disqualified": marked("DQ"), "dropped": marked("left")}

_LEFT = {"disqualified": marked("disqualified"), "dropped": marked("left the tournament")}

LEGEND = (
    ("won", marked("✓: won the game")),
    ("replacement", marked("*: took the place of a qualifier who left")),
    ("disqualified", marked("DQ: disqualified")),
    ("dropped", marked("left: left the tournament")),
)

_WIDE = frozenset("mwMW@%—…ǆœæŒÆшщжюыфмШЩЖЮЫФМωφψ")
_NARROW = frozenset("ijl.,:;'|!ıìíîïІіј")
_MIDDLE = frozenset('frtIJ()[]{}-/ "*·')


def _ems(text: str) -> float:
    """Estimate the width of a text in bold letters of a wide font, in sizes of the font."""
    return sum(map(_ems_of, text))


def _ems_of(letter: str) -> float:
    if letter in _NARROW:
        return 0.4
    if letter in _MIDDLE:
        return 0.5
    if letter in _WIDE:
        return 1.1
    if category(letter) in {"Mn", "Me"}:
        return 0
    if east_asian_width(letter) in {"W", "F"}:
        return 1.05
    return 0.85 if letter.isupper() else 0.73


def fitted(text: str, room: float) -> str:
    """Shorten a visible text to a width in sizes of the font; no letter loses a mark."""
    if _ems(text) <= room:
        return text
    kept, left = "", room - _ems(ELLIPSIS)
    for cluster in clusters(text):
        left -= _ems(cluster)
        if left < 0:
            break
        kept += cluster
    return kept.rstrip() + ELLIPSIS


class _Slots(NamedTuple):
    """Distances of seed, name, score and mark from the left side of a box."""

    seed: float
    name: float
    score: float
    mark: float

    @property
    def room(self) -> float:
        """Width of the name."""
        return self.score - self.name


def picture(grid: Grid, words: PictureWords, measures: Measures = PAGE, *, about: str = "") -> Node:
    """Draw a bracket, or a part of it, as an SVG element.

    Without links it is an image with a label. With links it is a group, since
    the content of an image cannot be reached by a keyboard.
    """
    lanes = [1 if grid.is_tree else max(1, _lines_to(column)) for column in grid.columns]
    lefts = _lefts(lanes, measures)
    height = _put_in_place(grid, measures)
    slots = _slots(grid, words, measures)
    width = lefts[-1] + measures.width + EDGE
    return htpy.svg(
        {"viewBox": f"0 0 {_number(width)} {_number(height)}"},
        role="group" if words.link else "img",
        aria_label=_label(grid, about),
        width=_number(width),
        height=_number(height),
        font_size=str(FONT),
        fill="currentColor",
        direction="ltr",
        class_="bracket",
    )[
        (
            _text(column.title, left, TITLE_HEIGHT - 7, "quiet", size=SMALL)
            for column, left in zip(grid.columns, lefts, strict=True)
        ),
        _lines(grid, lefts, lanes, words, measures),
        (
            _drawn_box(box, left, words, slots, measures)
            for column, left in zip(grid.columns, lefts, strict=True)
            for box in column.boxes
        ),
        _champion(grid, lefts[-1], words, slots, measures) if grid.champion else None,
    ]


def _label(grid: Grid, about: str) -> str:
    """Return the text for a reader who does not see the picture."""
    return f"{about or tr('Bracket')}{grid.part_in_words}, {how_many(len(grid.columns), 'round')}"


def _lines_to(column: GridColumn) -> int:
    return sum(source is not None for box in column.boxes for source in box.sources)


def _lefts(lanes: Sequence[int], measures: Measures) -> list[float]:
    """Return where each column begins; lines of other eliminations have a lane each."""
    lefts = [float(EDGE)]
    for count in lanes[1:]:
        lefts.append(lefts[-1] + measures.width + max(measures.gap, 6 * count))
    return lefts


def _put_in_place(grid: Grid, measures: Measures) -> float:
    """Give every game its height in the picture; returns the height of the picture."""
    pitch = 2 * ROW + measures.between
    first = float(TITLE_HEIGHT + measures.between - EDGE)
    before: list[Box] = []
    lowest = 0.0
    for column in grid.columns:
        at = first - pitch
        for box in column.boxes:
            tops = [before[source].top for source in box.sources if source is not None]
            at = box.top = max(sum(tops) / len(tops) if tops else 0, at + pitch)
        lowest = max(lowest, at)
        before = column.boxes
    if grid.champion:
        above = _champion_top(grid, measures) - first + CAPTION
        if above < 0:
            for column in grid.columns:
                for box in column.boxes:
                    box.top -= above
            lowest -= above
    return lowest + 2 * ROW + EDGE


def _champion_top(grid: Grid, measures: Measures) -> float:
    return grid.columns[-1].boxes[0].top - measures.between - CHAMPION_HEIGHT


def _slots(grid: Grid, words: PictureWords, measures: Measures) -> _Slots:
    """Share the width of a box out, by the longest seed and score of the picture."""
    boxes = [box for column in grid.columns for box in column.boxes]
    seats = [seat for box in boxes for seat in box.seats if seat]
    seeds = [_seed(seat) for seat in seats]
    scores = [score for box in boxes for score in _scores(box, words)]
    marks = [_MARKS[seat.left] for seat in seats if seat.left]
    seed = max((_ems(text) for text in seeds), default=0) * SMALL
    score = max((_ems(text) for text in scores), default=0) * FONT
    mark = measures.width - max(18, *(_ems(text) * SMALL + 8 for text in marks), 0)
    return _Slots(seed + 6, seed + 11 if seed else 8, mark - score - 4 if score else mark, mark)


def _seed(seat: Seat) -> str:
    return f"{seat.seed or ''}{'*' if seat.replacement else ''}"


def _scores(box: Box, words: PictureWords) -> tuple[str, str]:
    if box.points is None or not any(box.points):
        return "", ""
    first, second = map(words.score, box.points)
    return first, second


def _number(value: float) -> str:
    return f"{value:g}"


def _text(  # noqa: PLR0913 - a text has a place, a size and a kind
    text: str,
    left: float,
    base: float,
    kind: str = "",
    *,
    size: int = FONT,
    anchor: str | None = None,
    is_strong: bool = False,
    is_struck: bool = False,
) -> Node:
    return htpy.text(
        x=_number(left),
        y=_number(base),
        font_size=None if size == FONT else str(size),
        font_weight="700" if is_strong else None,
        text_anchor=anchor,
        text_decoration="line-through" if is_struck else None,
        class_=kind or None,
    )[text]


def _lines(
    grid: Grid,
    lefts: Sequence[float],
    lanes: Sequence[int],
    words: PictureWords,
    measures: Measures,
) -> Iterator[Node]:
    """Draw a line from each game to the seat of its winner; the path of the chosen player last."""
    plain: list[Node] = []
    marked: list[Node] = []
    for at, column in enumerate(grid.columns[1:], start=1):
        lane = 0
        begin, gap = lefts[at - 1] + measures.width, lefts[at] - lefts[at - 1] - measures.width
        for box in column.boxes:
            for seat, source in enumerate(box.sources):
                if source is None:
                    continue
                lane = lane % lanes[at] + 1
                game = grid.columns[at - 1].boxes[source]
                middle = begin + gap * lane / (lanes[at] + 1)
                path = (
                    f"M{_number(begin)} {_number(game.top + ROW)}H{_number(middle)}"
                    f"V{_number(box.top + ROW / 2 + ROW * seat)}H{_number(lefts[at])}"
                )
                player = box.seats[seat]
                is_marked = bool(player and player.player == words.chosen == game.winner)
                (marked if is_marked else plain).append(_line(path, is_marked=is_marked))
    yield from plain
    yield from marked


def _line(path: str, *, is_marked: bool) -> Node:
    return htpy.path(
        d=path,
        fill="none",
        stroke="currentColor",
        stroke_width="3" if is_marked else "1.2",
        stroke_opacity=None if is_marked else ".6",
        class_="chosen line" if is_marked else "line",
    )


def _drawn_box(
    box: Box,
    left: float,
    words: PictureWords,
    slots: _Slots,
    measures: Measures,
) -> Node:
    chosen = box.seat_of(words.chosen)
    return htpy.g(class_="ahead game" if box.is_ahead else "game", data_game=box.key)[
        _text(_caption(box), left, box.top - CAPTION, "quiet", size=SMALL),
        _marked_row(left, box.top + ROW * chosen, measures) if chosen is not None else None,
        htpy.rect(
            x=_number(left),
            y=_number(box.top),
            width=_number(measures.width),
            height=str(2 * ROW),
            rx="3",
            fill="none",
            stroke="currentColor",
            stroke_opacity=".6",
            stroke_dasharray="4 3" if box.is_ahead else None,
            class_="box",
        ),
        htpy.path(
            d=f"M{_number(left)} {_number(box.top + ROW)}h{measures.width}",
            stroke="currentColor",
            stroke_opacity=".3",
        ),
        (_drawn_seat(box, seat, left, words, slots) for seat in (0, 1)),
    ]


def _marked_row(left: float, top: float, measures: Measures) -> Node:
    return htpy.rect(
        x=_number(left),
        y=_number(top),
        width=_number(measures.width),
        height=str(ROW),
        rx="3",
        fill="none",
        stroke="currentColor",
        stroke_width="3",
        class_="chosen",
    )


def _caption(box: Box) -> str:
    """Return the line above a game: its number, and its state unless a player won it."""
    if box.is_open:
        return tr("game {game}, open", game=box.game)
    if box.is_ahead or box.winner or not any(box.seats):
        return tr("game {game}", game=box.game)
    return tr("game {game}, no winner", game=box.game)


def _drawn_seat(box: Box, seat: int, left: float, words: PictureWords, slots: _Slots) -> Node:
    base = box.top + ROW * seat + ROW * 0.71
    taken = box.seats[seat]
    if taken is None:
        text = _of_nobody(box, seat)
        return _text(text, left + slots.name, base, "nobody quiet")
    has_won = not box.is_ahead and box.winner == taken.player
    score = _scores(box, words)[seat]
    name = visible(words.name(taken.player))
    shown: list[Node] = [
        htpy.title[_in_words(taken, name, score, has_won=has_won)],
        _text(_seed(taken), left + slots.seed, base, "quiet", size=SMALL, anchor="end"),
        _clipped(
            _text(
                isolated(fitted(name, (slots.room - 4) / FONT)),
                0,
                ROW * 0.71,
                "name",
                is_strong=has_won,
                is_struck=taken.left == "disqualified",
            ),
            left + slots.name,
            box.top + ROW * seat,
            slots.room,
        ),
        _text(score, left + slots.mark - 3, base, "score", anchor="end", is_strong=has_won)
        if score
        else None,
        _mark(taken, left + slots.mark, base, has_won=has_won),
    ]
    about = {"class": "seat", "data-player": f"p{taken.player}"}
    if words.link:
        return htpy.a(about, href=words.link(taken.player))[_touched(box, seat, left, slots), shown]
    return htpy.g(about)[shown]


def _touched(box: Box, seat: int, left: float, slots: _Slots) -> Node:
    """Return the area of a link: the whole seat, not only its letters."""
    return htpy.rect(
        x=_number(left),
        y=_number(box.top + ROW * seat),
        width=_number(slots.mark),
        height=str(ROW),
        fill="none",
        pointer_events="all",
    )


def _clipped(text: Node, left: float, top: float, width: float) -> Node:
    """Return a text in an area that clips it, so that no letter reaches beyond it."""
    return htpy.svg(
        x=_number(left), y=_number(top), width=_number(width), height=str(ROW), class_="clip"
    )[text]


def _of_nobody(box: Box, seat: int) -> str:
    """Return what an empty seat is: a bye, or that of a winner who is not known yet."""
    if box.is_ahead and box.awaits[seat]:
        return tr("winner of game {game}", game=box.awaits[seat])
    return tr("bye") if box.is_ahead or any(box.seats) else tr_of("seat", "empty")


def _in_words(seat: Seat, name: str, score: str, *, has_won: bool) -> str:
    """Say all that the picture shows of a seat: `2. Ann Lee: 10, won`."""
    seed = f"{seat.seed}. " if seat.seed else ""
    said = [
        score,
        tr("won") if has_won else "",
        tr("took the place of a qualifier who left") if seat.replacement else "",
        tr(_LEFT[seat.left]) if seat.left else "",
    ]
    about = ", ".join(filter(None, said))
    return f"{seed}{isolated(name)}{f': {about}' if about else ''}"


def _mark(seat: Seat, left: float, base: float, *, has_won: bool) -> Node:
    """Draw why a player is out, or the tick of a winner: a form, so that no colour says it."""
    if seat.left:
        return _text(tr_of("mark", _MARKS[seat.left]), left + 2, base, "left quiet", size=SMALL)
    if not has_won:
        return None
    return htpy.path(
        d=f"M{_number(left + 3)} {_number(base - 5)}l3.5 4 6.5 -9",
        fill="none",
        stroke="currentColor",
        stroke_width="2.2",
        class_="won",
    )


def _champion(
    grid: Grid, left: float, words: PictureWords, slots: _Slots, measures: Measures
) -> Node:
    """Draw the champion above the last game."""
    seat, top = grid.champion, _champion_top(grid, measures)
    assert seat is not None  # noqa: S101 - only a decided bracket has a champion
    name = visible(words.name(seat.player))
    room = measures.width - slots.name - 8
    return htpy.g(class_="champion", data_player=f"p{seat.player}")[
        htpy.title[tr("champion: {player}", player=_in_words(seat, name, "", has_won=False))],
        _text(tr("champion"), left, top - CAPTION, "quiet", size=SMALL),
        htpy.rect(
            x=_number(left),
            y=_number(top),
            width=_number(measures.width),
            height=str(CHAMPION_HEIGHT),
            rx="3",
            fill="none",
            stroke="currentColor",
            stroke_width="2.5",
            class_="box",
        ),
        _clipped(
            _text(isolated(fitted(name, room / FONT)), 0, ROW * 0.71, "name", is_strong=True),
            left + slots.name,
            top + (CHAMPION_HEIGHT - ROW) / 2,
            room,
        ),
    ]


def legend(grid: Grid) -> str:
    """Return the meaning of the marks that occur in a picture."""
    boxes = [box for column in grid.columns for box in column.boxes]
    seats = [seat for box in boxes for seat in box.seats if seat]
    used = {seat.left for seat in seats}
    used |= {"replacement" for seat in seats if seat.replacement}
    used |= {"won" for box in boxes if box.winner and not box.is_ahead}
    return "; ".join(tr(text) for kind, text in LEGEND if kind in used)


def figure(grid: Grid, words: PictureWords, measures: Measures = PAGE, *, about: str = "") -> Node:
    """Return the picture in a box that scrolls sideways if the picture is wider, with its legend.

    Pages hide it on a phone, whose reader has the tables below it.
    """
    text = legend(grid)
    about = about or tr("Bracket")
    label = tr("{about}; the tables on this page list the same games", about=about)
    return htpy.figure(class_=f"bracket columns{min(len(grid.columns), COLUMNS_STYLED)}")[
        htpy.p(class_="sideways about")[tr("Scroll sideways in the picture for the later rounds.")],
        htpy.div(class_="scrolled", tabindex="0", role="region", aria_label=about)[
            picture(grid, words, measures, about=label)
        ],
        htpy.figcaption[f"{text}."] if text else None,
    ]

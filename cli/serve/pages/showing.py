"""Content of each numbered screen, and its sheets.

Screens are in memory, and in a small file for the next start. The script of a screen gets each
list whole and arranges its rows by the measured screen. Without the script, a screen turns through
sheets of a fixed number of rows.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args
from unicodedata import normalize

import htpy
import msgspec
from msgspec import Struct

from cli.desk.guide import round_in_words
from cli.input.find_people import shown_name
from cli.languages.speaking import SEVERAL, codes, language, marked, tr
from cli.render.bracket_grids import Grid, grid_of, parts_in_play, parts_of
from cli.render.bracket_pictures import SCREEN, PictureWords, picture
from cli.render.brackets import bracket_tables, bracket_words, order_columns
from cli.render.elements import table_of, told
from cli.render.game_tables import counted_in_words, standings_columns
from cli.render.pages import BY_NAME, seats_by_name
from cli.render.records import as_read
from cli.serve.pages.frame import NO_NOTICE, Notice
from cli.serve.parts import PARTS
from cli.terminal.output import say
from cli.terminal.problems import sentence_of
from cli.terminal.visible import unmarked, visible
from ledger.errors import NotFound, Refused
from ledger.files.access import first_bytes, whole_file
from ledger.problems import phrase
from ledger.tournament.progress import latest_round
from projections.standings import bracket
from projections.standings.table import everyone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.terminal.tables import Column
    from ledger.tournament.state import Tournament

FILE = Path(".tourney-screens")
BYTES_MAX = 100_000
NUMBER_MAX = 99
TEXT_MAX = 500
NOTICE_MAX = 200
"""Maximum characters of an announcement."""

FRESH_SECONDS = 60
"""How long after its last question a screen counts as there."""

ADDRESS_MAX = 8
"""Screens of one address that count as there: nobody takes all the numbers."""

ScreenContent = Literal[
    "pairings",
    "pairings 1 of 2",
    "pairings 2 of 2",
    "pairings 1 of 3",
    "pairings 2 of 3",
    "pairings 3 of 3",
    "pairings 1 of 4",
    "pairings 2 of 4",
    "pairings 3 of 4",
    "pairings 4 of 4",
    "standings",
    "bracket",
    "clock",
    "text",
]
CONTENTS: tuple[ScreenContent, ...] = get_args(ScreenContent)


class Showing(Struct, frozen=True):
    """Content of a screen; `text` is empty unless the content is a text."""

    content: ScreenContent = "pairings"
    text: str = ""


class _Kept(Struct, frozen=True):
    """Content of the screens of one tournament, and the announcement on all pages."""

    screens: dict[str, Showing] = {}
    notice: Notice = NO_NOTICE
    languages: tuple[str, ...] = ()
    """The languages of screens and sheets; none: that of the browser."""


class _File(Struct, frozen=True):
    """The file: of each tournament that is served here."""

    tournaments: dict[str, _Kept] = {}


LANGUAGES = "languages"
"""The name of the form that chooses the languages of screens and sheets."""

TOURNAMENTS_MAX = 20
"""Tournaments whose screens are kept: the newest."""


class Screens:
    """The screens of a tournament."""

    def __init__(self, event: Callable[[], str], file: Path = FILE) -> None:
        """`event` is asked for the tournament's id when the first screen is."""
        self._event, self._file = event, file
        self._notice: Notice | None = None
        """None before the file was read."""

        self._languages: tuple[str, ...] | None = None
        """None before the file was read."""

        self._versions: dict[int, int] = {}
        self._asked: dict[int, tuple[float, str]] = {}

    @cached_property
    def _shown(self) -> dict[int, Showing]:
        return _shown_in(self._read)

    @cached_property
    def _read(self) -> _Kept:
        return _read(self._file).get(self._event(), _Kept())

    def notice(self) -> Notice:
        """Return the announcement; its text is empty if there is none."""
        if self._notice is None and not self._event():
            return NO_NOTICE
        if self._notice is None:
            self._notice = self._read.notice
        return self._notice

    def announce(self, text: str, at: str) -> None:
        """Show a line on every page and screen until the next one; an empty text ends it.

        Raises:
            Refused: the text is too long.
        """
        line = " ".join(text.split())
        if len(line) > NOTICE_MAX:
            raise Refused(
                phrase(
                    "an announcement can have up to {most} characters: shorten it",
                    most=NOTICE_MAX,
                )
            )
        self._notice = Notice(line, at if line else "", self.notice().version + 1)
        self._keep()

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages of screens and sheets that were chosen; none: the browser's."""
        if self._languages is None:
            self._languages = self._read.languages if self._event() else ()
        return tuple(code for code in self._languages if code in codes())

    @property
    def spoken(self) -> str:
        """Return what `speaking` takes for a screen or a sheet."""
        return SEVERAL.join(self.languages) or language()

    def speak(self, chosen: Sequence[str]) -> None:
        """Choose the languages of screens and sheets, each text in all of them."""
        self._languages = tuple(chosen)
        for number in self.known():
            self._versions[number] = self.version(number) + 1
        self._keep()

    def showing(self, number: int) -> Showing:
        """Return the content of a screen: the pairings, unless an official chose another."""
        return self._shown.get(number, Showing())

    def version(self, number: int) -> int:
        """Count how often something else was to be shown, since this program began."""
        return self._versions.get(number, 0)

    def assign(self, number: int, content: str, text: str) -> None:
        """Choose the content of a screen.

        Raises:
            Refused: the number, the content or the length of the text is not valid.
        """
        if not 1 <= number <= NUMBER_MAX:
            raise Refused(phrase("screens are numbered from 1 to {last}", last=NUMBER_MAX))
        if content not in CONTENTS:
            raise Refused(phrase("a screen can show {contents}", contents=", ".join(CONTENTS)))
        if len(text) > TEXT_MAX:
            raise Refused(phrase("a screen's text can have up to {most} characters", most=TEXT_MAX))
        self._shown[number] = Showing(content, text.strip())
        self._versions[number] = self.version(number) + 1
        self._keep()

    def heard(self, number: int, address: str = "") -> None:
        """Note that a screen asked just now; no more of them than one address may have."""
        of_address = self._of(address)
        is_free = not self.is_there(number) or self._asked[number][1] == address
        if is_free and (number in of_address or len(of_address) < ADDRESS_MAX):
            self._asked[number] = time.monotonic(), address

    def next_free(self, address: str = "") -> int:
        """Return the lowest number that no browser has at the moment; or an address's own last.

        Where all are taken, the address with the most gives one up that nobody assigned.
        """
        of_address = self._of(address)
        if len(of_address) >= ADDRESS_MAX:
            return of_address[-1]
        free = (each for each in range(1, NUMBER_MAX + 1) if not self.is_there(each))
        found = next(free, 0) or self._given_up(len(of_address))
        return found or (of_address or [NUMBER_MAX])[-1]

    def _given_up(self, own: int) -> int:
        """Take a number from the address that has the most, if that has two more than `own`."""
        theirs: dict[str, list[int]] = defaultdict(list)
        for number, (_, address) in self._asked.items():
            if self.is_there(number) and number not in self._shown:
                theirs[address].append(number)
        most = max(theirs.values(), key=len, default=[])
        if len(most) < own + 2:
            return 0
        del self._asked[most[-1]]
        return most[-1]

    def is_there(self, number: int) -> bool:
        """Whether some browser is that screen."""
        asked, _ = self._asked.get(number, (-FRESH_SECONDS, ""))
        return time.monotonic() - asked < FRESH_SECONDS

    def _of(self, address: str) -> list[int]:
        """Return the connected screens at an address."""
        theirs = (each for each, (_, of) in self._asked.items() if of == address)
        return [each for each in theirs if self.is_there(each)]

    def known(self) -> list[int]:
        """Return the screens that are connected, or have chosen content."""
        return sorted({*self._shown, *filter(self.is_there, self._asked)})

    def _keep(self) -> None:
        shown = {str(each): shown for each, shown in self._shown.items()}
        kept = {**_read(self._file), self._event(): _Kept(shown, self.notice(), self.languages)}
        kept = dict(list(kept.items())[-TOURNAMENTS_MAX:])
        try:
            with whole_file(self._file) as file:
                file.write(msgspec.json.format(msgspec.json.encode(_File(kept)), indent=2) + b"\n")
        except OSError as error:
            say(
                tr(
                    "{file} cannot be written ({strerror}): a restart resets the screens",
                    file=self._file,
                    strerror=error.strerror,
                )
            )


def _read(file: Path) -> dict[str, _Kept]:
    """Read what is kept of each tournament; nothing without a file of ours."""
    try:
        return msgspec.json.decode(first_bytes(file, BYTES_MAX), type=_File).tournaments
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _shown_in(kept: _Kept) -> dict[int, Showing]:
    numbers = (each for each in kept.screens if each.isdecimal() and len(each) <= len("99"))
    return {int(each): kept.screens[each] for each in numbers if 1 <= int(each) <= NUMBER_MAX}


ROWS = 15
"""Rows of a column on a screen without its script: with heading and foot they fill that screen."""

COLUMNS = 2
FROM_AFAR = frozenset({"rank", "player", "points", "W-L-D"})
"""What the standings on a screen have: the rest is on everybody's phone."""

FINALLY = frozenset({"rank", "player", "finish", "points"})
"""What the final order on a screen has."""


ANNOUNCEMENT = "announcement"
"""The name of the form of an announcement."""


def announcement_form(notice: Notice, at: str, typed: str | None = None) -> Node:
    """Return the form of an announcement on all phones and screens, which leads back to `at`.

    The form asks no question: the line decides nothing, and the same form ends it. `typed` is a
    text that was refused.
    """
    text = notice.text if typed is None else typed
    return htpy.details(class_="act", id=ANNOUNCEMENT, open=bool(text))[
        htpy.summary[tr("Announcement")],
        htpy.form(method="post", action="announce", class_="act")[
            htpy.input(type="hidden", name="form", value=ANNOUNCEMENT),
            htpy.input(type="hidden", name="at", value=at),
            htpy.label[
                htpy.span[tr("Line on every page and screen")],
                htpy.input(
                    type="text",
                    name="text",
                    value=visible(text),
                    maxlength=str(NOTICE_MAX),
                    autocomplete="off",
                ),
            ],
            htpy.p(class_="hint")[
                tr(
                    "It appears with its time on screens, and on phones whose page is open or is "
                    "opened later, until you take it back or announce another line."
                )
            ],
            htpy.div(class_="row")[
                htpy.button(type="submit", class_="main")[tr("Announce")],
                htpy.button(type="submit", name="end", value="1")[tr("Take it back")]
                if notice.text
                else None,
            ],
        ],
    ]


class ScreenSheet(NamedTuple):
    """Content of one page of a screen, with its title."""

    title: str
    content: Node
    players: int = 0
    """Players in the parts of a bracket, if the page is a part of that size; else 0."""


class ScreenList(NamedTuple):
    """List of any length, for as many pages of a screen as it needs."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    across: int = COLUMNS

    def sheets(self) -> Iterator[ScreenSheet]:
        """Yield the list as sheets, each with its columns side by side."""
        sheet = ROWS * self.across
        for start in range(0, len(self.rows), sheet):
            end = min(start + sheet, len(self.rows))
            pieces = [self.rows[at : min(at + ROWS, end)] for at in range(start, end, ROWS)]
            made = [self._table(piece) for piece in pieces]
            yield ScreenSheet(self.title, htpy.div(class_=f"sheet across{len(made)}")[made])

    def whole(self) -> Iterator[ScreenSheet]:
        """Yield the list as one table; nothing of an empty list, which has no sheet either."""
        if self.rows:
            yield ScreenSheet(self.title, self._table(self.rows))

    def _table(self, rows: Sequence[Sequence[str]]) -> Node:
        return table_of(self.columns, rows, heading="player")


PART_SIZES = (16, 8, 4)
"""Players in a part of a bracket: the script chooses the largest parts that are readable."""

WITHOUT_SCRIPT = 8
"""Players in a part of a bracket on a screen without its script."""


class ScreenPictures(NamedTuple):
    """Bracket of any size, drawn in the parts that are in play."""

    title: str
    grid: Grid
    words: PictureWords

    def sheets(self) -> Iterator[ScreenSheet]:
        """Yield the parts in play, in one size."""
        return self._in_parts(WITHOUT_SCRIPT)

    def whole(self) -> Iterator[ScreenSheet]:
        """Yield the parts in play in every size that differs from the one before."""
        seats = 2 * len(self.grid.columns[0].boxes)
        sizes = PART_SIZES if self.grid.is_tree else PART_SIZES[:1]
        for size in sizes:
            if size == sizes[0] or size < seats:
                yield from self._in_parts(size)

    def _in_parts(self, size: int) -> Iterator[ScreenSheet]:
        for part in parts_in_play(parts_of(self.grid, size)):
            drawn = picture(part, self.words, SCREEN)
            yield ScreenSheet(f"{self.title}{part.part_in_words}", drawn, size)


ScreenContents = ScreenSheet | ScreenList | ScreenPictures


def sheets_of(
    tournament: Tournament, showing: Showing, *, is_whole: bool = False
) -> list[ScreenSheet]:
    """Return all sheets that a screen without its script turns through; at least one.

    If `is_whole`, they are those from which the script of a screen makes its pages.
    """
    sheets: list[ScreenSheet] = []
    for content in _contents(tournament, showing):
        if isinstance(content, ScreenSheet):
            sheets.append(content)
        else:
            sheets += content.whole() if is_whole else content.sheets()
    return sheets or [_only(_nothing_yet(showing.content))]


_NOTHING_YET = {
    "pairings": marked("no pairings yet"),
    "standings": marked("no standings yet"),
    "bracket": marked("no bracket yet"),
}


def _nothing_yet(content: str) -> str:
    known = _NOTHING_YET.get(content)
    return tr(known) if known else tr("no {content} yet", content=content)


def _contents(tournament: Tournament, showing: Showing) -> list[ScreenContents]:
    if showing.content == "text":
        return [_only(showing.text)]
    try:
        if (part := _PART.fullmatch(showing.content)) is not None:
            return list(_pairings(tournament, int(part[1]), int(part[2])))
        return list(_CONTENTS[showing.content](tournament))
    except NotFound as error:
        return [_only("; ".join(sentence_of(each, {}) for each in error.problems))]


def _only(text: str) -> ScreenSheet:
    return ScreenSheet("", htpy.p(class_="text")[told(visible(text))])


_PART = re.compile(r"pairings (\d) of (\d)")


def _pairings(tournament: Tournament, part: int = 1, parts: int = 1) -> Iterator[ScreenList]:
    """Yield the pairings by name, or the part of the alphabet that one of several screens has.

    Of a finished tournament it is the final order, since no table is looked for.
    """
    if tournament.finished:
        yield _final_order(tournament)
        return
    played = latest_round(tournament)
    if played is None:
        raise NotFound(phrase("no round is paired yet"))
    columns, rows = as_read(BY_NAME, seats_by_name(tournament, played.matches))
    title = round_in_words(tournament, played)
    if parts > 1:
        place = next(at for at, column in enumerate(columns) if column.title == "player")
        groups = _by_initial([row[place] for row in rows], parts)
        start, end = groups[part - 1]
        rows = rows[start:end]
        if not rows:
            raise NotFound(
                phrase(
                    "no name is on screen {part} of {parts}: the others have them all",
                    part=part,
                    parts=parts,
                )
            )
        title += f", {_initials([row[place] for row in rows])}"
    yield ScreenList(title, columns, rows)


def _by_initial(names: Sequence[str], parts: int) -> list[tuple[int, int]]:
    """Return where each part of sorted names begins and ends; one initial is in one part only."""
    starts = [
        at for at, name in enumerate(names) if at == 0 or _initial(name) != _initial(names[at - 1])
    ]
    ends = [0]
    for part in range(1, parts):
        wanted = round(part * len(names) / parts)
        fitting = [at for at in starts if at >= ends[-1]]
        ends.append(min(fitting, key=lambda at: abs(at - wanted), default=len(names)))
    ends.append(len(names))
    return list(pairwise(ends))


def _initial(name: str) -> str:
    """Return the first letter of a name, in capitals and without its accent."""
    letters = (letter for letter in normalize("NFD", unmarked(name)) if letter.isalnum())
    return next(letters, "").upper()


def _initials(names: Sequence[str]) -> str:
    first, last = _initial(names[0]), _initial(names[-1])
    return first if first == last else f"{first}\u2013{last}"


def _standings(tournament: Tournament) -> Iterator[ScreenList]:
    """Yield the standings, and of a finished tournament its final order."""
    if tournament.finished:
        yield _final_order(tournament)
        return
    table = everyone(tournament)
    columns = standings_columns(tournament, table, shown_name)
    far = [each for each in columns if each.title in FROM_AFAR]
    yield ScreenList(counted_in_words(tournament, table), *as_read(far, table.rows))


def _final_order(tournament: Tournament) -> ScreenList:
    """Return the final order of a finished tournament, below who won it."""
    order = bracket.finishing_order(tournament)
    columns = order_columns(tournament, order, shown_name)
    places = [each for each in columns if each.title in FINALLY]
    first = bracket.winner(tournament)
    title = (
        tr("{winner} won the tournament", winner=shown_name(tournament, first))
        if first
        else tr("final order")
    )
    return ScreenList(title, *as_read(places, order))


LARGEST_LINES = 8
"""Games in a column of a bracket that cannot be divided; a longer one is a list on a screen."""


def _bracket(tournament: Tournament) -> Iterator[ScreenContents]:
    """Yield the bracket as pictures, or as lists if its picture would be too small to read.

    The lists are the rounds, the one in play first, and then the places.
    """
    shown = bracket.bracket(tournament)
    grid = grid_of(shown)
    longest = max(len(column.boxes) for column in grid.columns) if grid else 0
    if grid and (grid.is_tree or longest <= LARGEST_LINES):
        last = tournament.rounds[shown.rounds[-1].round - 1] if shown.rounds else None
        title = round_in_words(tournament, last) if last else tr("bracket")
        yield ScreenPictures(title, grid, bracket_words(tournament))
        return
    *rounds, places = bracket_tables(tournament, shown)
    for title, columns, rows, _ in [*reversed(rounds), places]:
        if rows:
            yield ScreenList(title or tr("places"), columns, rows, across=1)


def _clock(tournament: Tournament) -> Iterator[ScreenSheet]:
    yield ScreenSheet("", PARTS["clock"].html(tournament))


_CONTENTS: Mapping[str, Callable[[Tournament], Iterator[ScreenContents]]] = MappingProxyType(
    {"pairings": _pairings, "standings": _standings, "bracket": _bracket, "clock": _clock}
)

"""The clock of the round in words and tables, once or repainted every second.

`round watch --big` draws digits as large as the terminal, and shows long lists page by page.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

from cli import outside
from cli.desk.guide import next_here, round_in_words
from cli.desk.session import Desk
from cli.input.find_people import short_name, with_names
from cli.languages.speaking import marked, tr, tr_many, tr_of
from cli.render.game_tables import person_columns
from cli.render.records import as_read, show_records
from cli.terminal.output import say
from cli.terminal.tables import Column, table
from cli.terminal.visible import how_many, marking_names, shortened
from ledger.errors import NotFound
from ledger.tournament.progress import (
    is_paused,
    latest_round,
    open_matches,
    round_in_play,
    time_over,
)
from ledger.tournament.state import Round, Tournament

if TYPE_CHECKING:
    from cli.input.file_names import OutFile
    from ledger.tournament.round_clock import RoundClock, TableClock

REFRESH_SECONDS = 1.0
BAR_CELLS = 30
TABLE_ROWS = 12
"""Rows of the big clock that are kept free for head and tables."""

FRAME_ROWS = 6
"""Rows of the big clock beside the digits and the tables."""

PAGE_SECONDS = 8
PAUSED, TIME_CALLED = marked("PAUSED"), marked("TIME CALLED")
STATES = (marked("paired"), marked("started"), marked("closed"))
"""States of a round."""

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l"
LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l"
HOME = "\x1b[H"
CLEAR_LINE, CLEAR_BELOW = "\x1b[K", "\x1b[J"


def show_round(desk: Desk) -> None:
    """Print the open tables of the latest round and what is left of its time.

    Of a moment that has passed, and of a file, the clock is that of the last event.
    """
    tournament = desk.book.tournament
    played, shown = _clock(tournament, desk.clock)
    if not show_records(
        desk,
        _columns(tournament),
        _waiting(shown),
        json=lambda: round_as_json(tournament, played, shown),
    ):
        return
    say(_in_one_line(tournament, played, shown))
    if desk.is_live:
        say(next_here(desk))


def _in_one_line(tournament: Tournament, played: Round, shown: RoundClock) -> str:
    state = tr_of("state", played.status)
    return f"{round_in_words(tournament, played)}, {state}{_clock_in_words(shown)}"


def early(tournament: Tournament) -> int:
    """Whole minutes that the round in play still has; 0 without a clock or once time is over."""
    from ledger.tournament.round_clock import minutes_left

    if round_in_play(tournament) is None:
        return 0
    _, shown = _clock(tournament, outside.now())
    return max(minutes_left(shown.left) or 0, 0)


def _clock(tournament: Tournament, at: str) -> tuple[Round, RoundClock]:
    from ledger.tournament.round_clock import clock

    played = latest_round(tournament)
    if played is None:
        raise NotFound(tr("no round is paired yet: use `pair`"))
    return played, clock(tournament, played, at)


def round_as_json(tournament: Tournament, played: Round, shown: RoundClock) -> dict[str, object]:
    """Make a round and its clock for scripts."""
    from ledger.tournament.round_clock import as_json, minutes_left

    value = {
        "round": played.number,
        "stage": played.stage,
        "status": played.status,
        "minutes": played.minutes,
        "minutes_left": minutes_left(shown.left),
        "paused": shown.paused,
        "ends": None if shown.ends is None else _instant(shown.ends),
        "open": [match.table for match in open_matches(played)],
        **as_json(shown),
    }
    return with_names(tournament, value)


def print_sheet(desk: Desk, output: OutFile) -> None:
    """Print the sheet of the round's clock: when it ends, and which tables have longer."""
    from cli.machine.posted_words import posted_words, sheet_lines
    from cli.render.pages import clock_lines
    from cli.render.printed_pages import page_of_clock, write_page

    tournament = desk.book.tournament
    played, shown = _clock(tournament, outside.now())
    ends = ends_in_words(tournament, shown)
    below = sheet_lines(posted_words(desk.book))
    with marking_names():
        lines = clock_lines(tournament, played, ends, below)
        html = page_of_clock(lines[0], lines, ends or how_many(played.minutes, "minute"))
    write_page(desk, output, html, [clock_lines(tournament, played, ends, below)])


def _instant(milliseconds: int) -> str:
    """Return a moment as lines hold it."""
    from datetime import UTC, datetime

    instant = datetime.fromtimestamp(milliseconds / 1_000, UTC)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ends_in_words(tournament: Tournament, shown: RoundClock) -> str:
    """Return the time of day at the round's end in the tournament's zone, or "" without one."""
    from cli.input.moments import local_time

    opening = tournament.opening
    if shown.ends is None or opening is None:
        return tr("the clock is stopped") if shown.paused else ""
    at = local_time(_instant(shown.ends), opening.time_zone, opening.date)
    return tr("ends {time}", time=at.rpartition(" ")[2][:5])


def _waiting(shown: RoundClock) -> list[TableClock]:
    return [each for each in shown.tables if not each.reported]


def _columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a table that plays on."""
    return [
        Column(marked("table"), right=True),
        *person_columns(tournament, lambda each: each.players[0], text=short_name),
        *person_columns(
            tournament,
            lambda each: each.players[1],
            marked("against"),
            key="against",
            text=short_name,
        ),
        Column(
            marked("left"),
            right=True,
            key="seconds_left",
            value=lambda each: None if each.left is None else -(-each.left // 1_000),
            text=lambda each: time_left(each.left),
        ),
        Column(
            "",
            yields=1,
            key="extension",
            text=lambda each: (
                tr("+{minutes} min", minutes=each.extension) if each.extension else ""
            ),
        ),
    ]


def reported_in_words(shown: RoundClock) -> str:
    """Count the tables of a round that have a result."""
    count = len(shown.tables)
    return tr_many(
        "{reported} of {tables} has reported",
        "{reported} of {tables} have reported",
        count,
        reported=shown.reported,
        tables=how_many(count, "table"),
    )


def clock_state(tournament: Tournament, played: Round) -> str:
    """Return that a clock is paused or that time is called; nothing while it runs or is over."""
    if played.status != "started" or tournament.finished:
        return ""
    if time_over(tournament, played.number):
        return TIME_CALLED
    return PAUSED if is_paused(tournament, played.number) else ""


def time_left(left: int | None) -> str:
    """Write milliseconds as a clock does: 49:59, and -0:30 in overtime; empty without a clock."""
    if left is None:
        return ""
    seconds = -(-left // 1_000)
    sign = "-" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 60}:{abs(seconds) % 60:02}"


def _clock_in_words(shown: RoundClock) -> str:
    from ledger.tournament.round_clock import minutes_left

    left = minutes_left(shown.left)
    if left is None:
        return ""
    minutes = how_many(abs(left), "minute")
    over = tr("time ran out {minutes} ago", minutes=minutes) if left else tr("time is up")
    phrase = tr("{minutes} left", minutes=minutes) if left > 0 else over
    phrase += tr(", the clock is stopped: `round resume`") if shown.paused else ""
    called = tr(", time was called") if 0 in shown.called else ""
    call = marked(": call it out with `round time --left {minutes}`")
    warning = tr(call, minutes=left) if shown.warning else ""
    return f", {phrase}{called}{warning}"


def watch(desk: Desk, *, big: bool = False) -> None:
    """Repaint the round every second until Ctrl-C; once, where nobody sees a terminal."""
    if desk.json or not sys.stdout.isatty():
        show_round(desk)
        return
    sys.stdout.write(ENTER_SCREEN)
    try:
        while True:
            tournament = desk.book.refresh().tournament
            _paint(_big_screen(tournament) if big else _screen(tournament))
            time.sleep(REFRESH_SECONDS)
    except KeyboardInterrupt:
        return  # the way out
    finally:
        sys.stdout.write(LEAVE_SCREEN)
        sys.stdout.flush()


def _screen(tournament: Tournament) -> list[str]:
    """Return what fits on the screen: the round, its progress, the tables still playing."""
    width, height = shutil.get_terminal_size()
    played, shown = _clock(tournament, outside.now())
    count = len(shown.tables)
    filled = BAR_CELLS * shown.reported // count if count else BAR_CELLS
    bar = "#" * filled + "." * (BAR_CELLS - filled)
    clock = f"{time_left(shown.left)}  " if shown.left is not None else ""
    head = [
        f"{clock}{_in_one_line(tournament, played, shown)}",
        tr(
            "{bar} {reported} of {count} reported   Ctrl-C to leave",
            bar=f"[{bar}]",
            reported=shown.reported,
            count=count,
        ),
        "",
    ]
    body = list(table(*as_read(_columns(tournament), _waiting(shown)), width - 1))
    room = max(height - len(head) - 1, 1)
    if len(body) > room:
        body[room - 1 :] = [tr("and {count} more tables", count=len(body) - room + 1)]
    fitting = (*head, *body)[: max(height - 1, 1)]
    return [shortened(line, width - 1) for line in fitting]


def _big_screen(tournament: Tournament) -> list[str]:
    """Return what the hall reads: the time left, when it ends, and open tables, page by page."""
    width, height = shutil.get_terminal_size()
    played, shown = _clock(tournament, outside.now())
    head = f"{round_in_words(tournament, played)}   {ends_in_words(tournament, shown)}".rstrip()
    left = time_left(shown.left) if shown.left is not None else tr_of("state", played.status)
    body = digits(left, width - 2, max(height - TABLE_ROWS, 1))
    waiting = _waiting(shown)
    lines = [
        f"{each.table:>4}  {short_name(tournament, each.players[0])} - "
        f"{short_name(tournament, each.players[1])}"
        + (f"  {tr('+{minutes} min', minutes=each.extension)}" if each.extension else "")
        for each in waiting
    ]
    room = max(height - len(body) - FRAME_ROWS, 1)
    page, pages = page_of(lines, room, int(outside.moment().timestamp() // PAGE_SECONDS))
    count = tr("{count} open", count=len(waiting))
    if pages:
        count = tr("{count} open, page {page}", count=len(waiting), page=pages)
    fitting = ["", head.center(width - 1).rstrip(), "", *body, "", count, *page]
    return [shortened(line, width - 1) for line in fitting[: max(height - 1, 1)]]


def _paint(lines: list[str]) -> None:
    sys.stdout.write(HOME + "".join(f"{line}{CLEAR_LINE}\r\n" for line in lines) + CLEAR_BELOW)
    sys.stdout.flush()


FONT = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
    "-": ("  ", "  ", "##", "  ", "  "),
}
ROWS = 5
BLOCK = "\u2588"


def digits(text: str, width: int, height: int) -> list[str]:
    """Draw a time as large as it fits; what is no time stays a word in the middle."""
    if not text or any(letter not in FONT for letter in text):
        return [text.center(width).rstrip()]
    rows = [" ".join(FONT[letter][row] for letter in text) for row in range(ROWS)]
    down = max(height // ROWS, 1)
    across = max(min(width // len(rows[0]), 2 * down + 1), 1)
    wide = ["".join(cell * across for cell in row).replace("#", BLOCK) for row in rows]
    return [row.center(width).rstrip() for row in wide for _ in range(down)]


def page_of(lines: list[str], room: int, turn: int) -> tuple[list[str], str]:
    """Return the page of a turn, and which of how many it is; empty where all fit on one."""
    pages = -(-len(lines) // room)
    if pages <= 1:
        return lines, ""
    place = turn % pages
    return lines[place * room : (place + 1) * room], tr(
        "{page} of {pages}", page=place + 1, pages=pages
    )

"""Stdout and stderr: data for people and scripts, talk, refusals and progress.

Data is written to stdout as lines for a person, as JSON for a script, or as bytes unchanged. Talk
is written to stderr: what happened, what comes next, and refusals as one line each. For a page of
the hall both are kept instead, because no person sits at a terminal there.

If stdout fails, a verb that only reads is stopped. Once something has landed, the verb continues to
its end in silence, so that nothing stays half done; `fail` reports afterwards that its answer was
lost.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self, TextIO

from cli.languages.speaking import BETWEEN, for_person, in_figures, tr
from cli.terminal.tables import (
    WIDTH,
    Column,
    Layout,
    broken,
    csv_lines,
    laid_out,
    terminal_width,
)
from cli.terminal.visible import Style, styled, visible, visible_json
from ledger.files import landed

if TYPE_CHECKING:
    from ledger.errors import LedgerError


class Overheard(NamedTuple):
    """The captured output: talk, line by line, and data as one text."""

    said: list[str]
    shown: list[str]

    @property
    def data(self) -> str:
        """The captured text of stdout."""
        return "".join(self.shown)


_now: ContextVar[Overheard | None] = ContextVar("overheard", default=None)


@contextmanager
def overhearing() -> Iterator[Overheard]:
    """Capture the output of this thread, and ask the user no questions."""
    kept = Overheard([], [])
    token = _now.set(kept)
    try:
        yield kept
    finally:
        _now.reset(token)


def overheard() -> Overheard | None:
    """Return the captured output; None while this thread writes to a terminal or a pipe."""
    return _now.get()


_failures: list[OSError] = []
"""The first failure to write the answer; empty without a failure."""

_copies: list[list[str]] = []
"""Copies of the answer that callers asked for."""


def begin() -> None:
    """Begin a line's answer, without failures and without copies."""
    _failures.clear()
    _copies.clear()


def copy_answer() -> None:
    """Keep what is written from here on, so that it can be answered again."""
    _copies.append([])


def answer_so_far() -> str:
    """Return what was written since `copy_answer`."""
    return "".join(*_copies)


def write(text: str) -> None:
    """Write text to stdout."""
    if kept := overheard():
        kept.shown.append(text)
        return
    for copy in _copies:
        copy.append(text)
    _try(lambda: sys.stdout.write(text))


def write_piece(data: bytes) -> None:
    """Write bytes to stdout, behind the text that was flushed before."""
    if kept := overheard():
        kept.shown.append(data.decode("utf-8", "replace"))
        return
    for copy in _copies:
        copy.append(data.decode("utf-8", "surrogateescape"))
    _try(lambda: sys.stdout.buffer.write(data))


def flush() -> None:
    """Write out what is buffered, so that answers and talk stay in order."""
    _try(sys.stdout.flush)


def has_failed() -> bool:
    """Whether something that was answered could not be written."""
    return bool(_failures)


def fail() -> None:
    """Raise what kept the answer from being written, if anything did."""
    if _failures:
        raise _failures[0]


def _try(write: Callable[[], object]) -> None:
    if _failures:
        return
    try:
        write()
    except OSError as error:
        if not landed.is_anything():
            raise
        _failures.append(error)


PROGRAM = "tourney"
TRACE_VARIABLE = "TOURNEY_TRACE"
"""Set while a fault of ours is looked for: it is raised then, and not only said."""

LINE_CHARACTERS_MAX = 2_000
"""The longest message: what a hostile file or name puts into one is cut off there."""


@cache
def _next(words: str) -> re.Pattern[str]:
    """Return a pattern that finds the next step in a line."""
    return re.compile(f"(?:^|(?<=[|;:/] ))(?:{'|'.join(map(re.escape, words.split(BETWEEN)))})")


def say(text: str, first: Style | None = None) -> None:
    """Print one line of talk, broken at words on a terminal.

    On a terminal that has colours `first` is the style of the first word, and `next:` is cyan.
    """
    line = visible(for_person(text))
    if len(line) > LINE_CHARACTERS_MAX:
        line = line[: LINE_CHARACTERS_MAX - 1] + "…"
    if kept := overheard():
        kept.said.append(line)
        return
    flush()
    with suppress(OSError, ValueError):  # the reader has gone: the exit code remains
        lines = broken(line, terminal_width(sys.stderr)) if sys.stderr.isatty() else [line]
        if has_colours(sys.stderr):
            lines = _with_styles(lines, first)
        sys.stderr.write("".join(f"{each}\n" for each in lines))


def _with_styles(lines: Sequence[str], first: Style | None = None) -> list[str]:
    """Add styles to the visible lines of one message: to its first word, and to `next:`."""
    word, space, rest = lines[0].partition(" ")
    head = f"{styled(word, first)}{space}{rest}" if first is not None else lines[0]
    words = tr("next:")
    return [
        _next(words).sub(lambda found: styled(found[0], Style.CYAN), line)
        for line in (head, *lines[1:])
    ]


def complain(text: str) -> None:
    """Print one line about a mistake or a failure, in red."""
    say(f"{PROGRAM}: {text}", Style.RED)


LINES_AT_A_TIME = 1_000

_caveats: dict[str, Caveat] = {}


class Caveat(NamedTuple):
    """A caveat that every view of this tournament must repeat, in sentences and as data."""

    sentences: tuple[str, ...]
    value: object


def set_caveat(member: str, caveat: Caveat | None) -> None:
    """Let every object of JSON have this further member, and every page its sentences."""
    _caveats.pop(member, None)
    if caveat is not None:
        _caveats[member] = caveat


def caveats() -> list[str]:
    """Return the sentences of all caveats."""
    return [visible(each) for caveat in _caveats.values() for each in caveat.sentences]


def show(*lines: str) -> None:
    """Print lines of text, made safe."""
    write("".join(f"{visible(line)}\n" for line in lines))


def show_winner(line: str, name: str) -> None:
    """Print a line; on a terminal that has colours a name in it is bold."""
    text, strong = visible(line), visible(name)
    if strong and has_colours(sys.stdout):
        text = text.replace(strong, styled(strong, Style.BOLD), 1)
    write(f"{text}\n")


def show_next(*lines: str) -> None:
    """Print lines of text; on a terminal that has colours `next:` has a style."""
    shown = [visible(line) for line in lines]
    if has_colours(sys.stdout) and shown:
        shown = _with_styles(shown)
    write("".join(f"{line}\n" for line in shown))


def show_prose(*lines: str) -> None:
    """Print lines of text; on a terminal they are broken at spaces to fit."""
    if sys.stdout.isatty():
        lines = tuple(part for line in lines for part in broken(visible(line), terminal_width()))
    show(*lines)


def show_table(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], quiet: Sequence[bool] = ()
) -> None:
    """Print a table within the width of the terminal, and name the columns without room.

    In a pipe everything has room; a page of the hall has 80 columns. The rows that are
    `quiet` are grey on a terminal that has colours.
    """
    shown = laid_out(columns, rows, WIDTH if overheard() else None)
    show_layout(shown._replace(quiet=quiet, has_colours=has_colours(sys.stdout)))


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that has colours, and its user wants them.

    A page of the hall is without colours.
    """
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return wanted and stream.isatty() and overheard() is None


def show_layout(shown: Layout) -> None:
    """Print a table that is laid out, some lines at a time, and name the columns without room."""
    lines = shown.lines()
    while some := list(islice(lines, LINES_AT_A_TIME)):
        write("".join(f"{line}\n" for line in some))
    if shown.left_out:
        say(
            tr(
                "no room for: {columns}; a wider terminal or --json shows them",
                columns=", ".join(shown.left_out),
            )
        )


def show_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for a spreadsheet, unchanged to a file or a pipe, made safe on a terminal."""
    if sys.stdout.isatty():
        show(*(line.decode().removesuffix("\n") for line in csv_lines(columns, rows)))
    else:
        write_bytes(csv_lines(columns, rows))


def show_pages(pages: Iterable[Iterable[str]]) -> None:
    """Print pages for a printer, a form feed between two."""
    texts = ["".join(f"{visible(line)}\n" for line in page) for page in pages]
    write("\f".join(texts))


def show_json(value: object) -> None:
    """Print one value as one line of JSON, with ASCII escapes for control characters.

    An object gets the caveats of the tournament as further members.
    """
    import msgspec

    if isinstance(value, dict) and "problems" not in value:
        value = value | {name: caveat.value for name, caveat in _caveats.items()}
    write(visible_json(msgspec.json.encode(value).decode()) + "\n")


def show_problems(error: LedgerError, names: Mapping[str, str]) -> None:
    """Print why something was refused, for a program."""
    from cli.terminal.problems import as_json

    show_json({"problems": [as_json(each, names) for each in error.problems]})


def show_misuse(text: str) -> None:
    """Print, for a program, what is wrong with a line that means nothing."""
    from cli.terminal.problems import as_json
    from ledger.problems import in_words

    show_json({"problems": [as_json(in_words(text, "usage"), {})]})


def show_json_rows(rows: Iterable[object]) -> None:
    """Print many values as one list, as `show_json` would, and free each value after it."""
    show_parts(json_parts(rows))


def json_parts(rows: Iterable[object]) -> Iterator[str]:
    """Yield the JSON of one list, a part for each value."""
    import msgspec

    between = "["
    for row in rows:
        yield between + visible_json(msgspec.json.encode(row).decode())
        between = ","
    yield "[]\n" if between == "[" else "]\n"


def show_parts(parts: Iterable[str]) -> None:
    """Print text that is already safe, unchanged."""
    for part in parts:
        write(part)


def show_lines(lines: Iterable[bytes]) -> None:
    """Print the lines of a log: bit for bit to a file or a pipe, made safe on a terminal."""
    if sys.stdout.isatty():
        for line in lines:
            write(visible_json(line.decode("utf-8", "surrogateescape")) + "\n")
    else:
        write_bytes(line + b"\n" for line in lines)


def write_bytes(chunks: Iterable[bytes]) -> None:
    """Write bytes to stdout, unchanged."""
    flush()
    for chunk in chunks:
        write_piece(chunk)
    flush()


ESCAPED = "tourney.escaped"
"""Name of Python's error handler for letters outside a terminal's encoding."""


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write each letter as JSON escapes it, so that JSON stays JSON in every encoding."""
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - nothing is decoded with it
    letters = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    units = (int.from_bytes(letters[at : at + 2], "big") for at in range(0, len(letters), 2))
    return "".join(f"\\u{unit:04x}" for unit in units), error.end


codecs.register_error(ESCAPED, _escaped)


def prepare() -> None:
    """Let the streams carry any text: what cannot be read or shown becomes an escape."""
    begin()
    _caveats.clear()
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, _closed(name))
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, ESCAPED),
        (sys.stderr, ESCAPED),
    ):
        with suppress(AttributeError):  # a test has replaced the stream
            stream.reconfigure(errors=errors)  # type: ignore[union-attr] # a TextIO has none
    with suppress(AttributeError):  # the bytes of an answer are the same on every system
        sys.stdout.reconfigure(newline="\n")  # type: ignore[union-attr]


def _closed(name: str) -> TextIO:
    """Return a replacement for a closed stream: an answer fails loudly, talk is dropped."""
    flags = os.O_RDONLY if name == "stdout" else os.O_RDWR
    place = os.open(os.devnull, flags)
    return os.fdopen(place, "r" if name == "stdin" else "w", encoding="utf-8")


def finish() -> None:
    """Flush what is left, so that a full disk or a closed pipe is noticed here, as an OSError."""
    flush()
    fail()


def abandon() -> None:
    """Stop writing to a reader that has gone, quietly also at the interpreter's exit."""
    _discard(sys.stdout)


def settle() -> None:
    """Empty a stream that cannot be written, because Python would change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _discard(stream)


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        place = stream.fileno()
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, place)
        os.close(devnull)


SECONDS_SILENT = 1.0
SECONDS_BETWEEN = 0.1
CELLS = 30


class Bar:
    """A progress line that is redrawn in place; a pipe and quick work show none."""

    def __init__(self) -> None:
        self._begun = self._drawn = monotonic()
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell how much is done."""
        now = monotonic()
        too_soon = now - self._begun < SECONDS_SILENT or now - self._drawn < SECONDS_BETWEEN
        if too_soon or not sys.stderr.isatty():
            return
        self._drawn = now
        self._is_shown = True
        full = CELLS * done // max(total, 1)
        bar = "#" * full + "." * (CELLS - full)
        count = tr("{done} of {total}", done=in_figures(done), total=in_figures(total))
        sys.stderr.write(f"\r{what:<8} [{bar}] {count} ")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

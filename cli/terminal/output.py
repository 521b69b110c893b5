"""All of stdout: data, as lines for a person, as JSON for a script, or as bytes unchanged."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TextIO

from cli.terminal import streams
from cli.terminal.diagnostics import say
from cli.terminal.streams import write
from cli.terminal.tables import Column, Layout, broken, laid_out, terminal_width
from cli.terminal.visible import visible, visible_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.errors import LedgerError

LINES_AT_A_TIME = 1_000

_caveats: dict[str, Caveat] = {}


class Caveat(NamedTuple):
    """What every view of the event in hand has to repeat: sentences, and the same as data."""

    sentences: tuple[str, ...]
    value: object


def set_caveat(member: str, caveat: Caveat | None) -> None:
    """Let every object of JSON have this further member, and every page its sentences."""
    _caveats.pop(member, None)
    if caveat is not None:
        _caveats[member] = caveat


def caveats() -> list[str]:
    """Return what every view has to repeat, as sentences."""
    return [visible(each) for caveat in _caveats.values() for each in caveat.sentences]


def show(*lines: str) -> None:
    """Print lines of text, made safe."""
    write("".join(f"{visible(line)}\n" for line in lines))


def show_prose(*lines: str) -> None:
    """Print lines of text; on a terminal they are broken at spaces to fit."""
    if sys.stdout.isatty():
        lines = tuple(part for line in lines for part in broken(visible(line), terminal_width()))
    show(*lines)


def show_table(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], quiet: Sequence[bool] = ()
) -> None:
    """Print a table within the width of the terminal, and say what found no room there.

    The rows that are `quiet` are grey on a terminal that has colours.
    """
    shown = laid_out(columns, rows)
    show_layout(shown._replace(quiet=quiet) if has_colours() else shown)


def has_colours() -> bool:
    """Whether stdout is a terminal that colours, and who sits there wants them."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return wanted and sys.stdout.isatty()


def show_layout(shown: Layout) -> None:
    """Print a table that is laid out, some lines at a time, and say what found no room."""
    lines = shown.lines()
    while some := list(islice(lines, LINES_AT_A_TIME)):
        write("".join(f"{line}\n" for line in some))
    if shown.left_out:
        say(f"no room for: {', '.join(shown.left_out)}; a wider terminal or --json shows them")


def show_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for a spreadsheet: as it is to a file or a pipe, made safe on a terminal."""
    from cli.terminal.csv import csv_lines

    if sys.stdout.isatty():
        show(*(line.decode().removesuffix("\r\n") for line in csv_lines(columns, rows)))
    else:
        write_bytes(csv_lines(columns, rows))


def show_pages(pages: Iterable[Iterable[str]]) -> None:
    """Print pages for a printer, a form feed between two."""
    texts = ["".join(f"{visible(line)}\n" for line in page) for page in pages]
    write("\f".join(texts))


def show_json(value: object) -> None:
    """Print one value as one line of JSON, in ASCII escapes where a terminal would be steered.

    An object gets the caveats of the event as further members.
    """
    import msgspec

    if isinstance(value, dict) and "problems" not in value:
        value = value | {name: caveat.value for name, caveat in _caveats.items()}
    write(visible_json(msgspec.json.encode(value).decode()) + "\n")


def show_problems(error: LedgerError, names: Mapping[str, str]) -> None:
    """Print why something was refused, for a program."""
    from cli.terminal.problems import as_json

    show_json({"problems": [as_json(each, names) for each in error.problems]})


def show_json_rows(rows: Iterable[object]) -> None:
    """Print many values as one list, as `show_json` would; none is held longer than it takes."""
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
    """Print text that is safe already, as it is."""
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
    """Write bytes to stdout as they are."""
    streams.flush()
    for chunk in chunks:
        streams.write_piece(chunk)
    streams.flush()


def prepare() -> None:
    """Let the streams carry any text: what cannot be read or shown becomes an escape."""
    streams.begin()
    _caveats.clear()
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by what started us
            setattr(sys, name, _closed(name))
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        with suppress(AttributeError):  # where a test has put a stream of its own
            stream.reconfigure(errors=errors)  # type: ignore[union-attr] # a TextIO has none


def _closed(name: str) -> TextIO:
    """Return what stands for a closed stream: an answer is not lost in silence, talk may be."""
    flags = os.O_RDONLY if name == "stdout" else os.O_RDWR
    place = os.open(os.devnull, flags)
    return os.fdopen(place, "r" if name == "stdin" else "w", encoding="utf-8")


def finish() -> None:
    """Flush what is left, so that a full disk or a closed pipe is noticed here, as an OSError."""
    streams.flush()
    streams.fail()


def abandon() -> None:
    """Stop writing to a reader that has gone, quietly also at the interpreter's exit."""
    _discard(sys.stdout)


def settle() -> None:
    """Leave nothing in a stream that takes nothing: Python would exit with a code of its own."""
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

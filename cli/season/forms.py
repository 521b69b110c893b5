"""The answer to a question in SQL as a table, CSV or JSON: made whole, in bounds, then shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cli.terminal.output import json_parts, say, show_layout, show_parts, write_bytes
from cli.terminal.tables import Column, as_json, as_text, csv_lines, fitted
from cli.terminal.visible import ELLIPSIS, cells, how_many, shortened, visible
from ledger.errors import Refused
from ledger.files.access import one_line

CELL_CHARACTERS = 500
"""How much of a value a table shows at most."""

TITLE_CELLS = 60
"""How much of a column's name it shows."""

BLOCK_BYTES = 1_000_000

BETWEEN_CELLS, BETWEEN_ROWS = "\t", "\n"
"""No visible text holds one."""


def blocks_of(parts: Iterable[bytes]) -> list[bytes]:
    """Join the parts of an answer to a few blocks; Refused where they take more than one may."""
    from projections.season.asking.querying import ANSWER_MB

    blocks, block = [], bytearray()
    room = ANSWER_MB * 1_000_000
    for part in parts:
        room -= len(part)
        if room < 0:
            why = f"the answer takes more than {ANSWER_MB} MB"
            raise Refused(f"{why}: ask for fewer rows, with LIMIT, or for less of each")
        block += part
        if len(block) > BLOCK_BYTES:
            blocks.append(bytes(block))
            block.clear()
    return [*blocks, bytes(block)]


class Form:
    """How an answer is shown: as CSV, for a spreadsheet, or in the way of a class below."""

    def __init__(self, columns: list[str]) -> None:
        self._columns = columns

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield what has to be kept of the answer."""
        return csv_lines(self._columns, rows)

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print it, of the blocks that its parts were joined to."""
        write_bytes(blocks)


class JsonForm(Form):
    """For a script: a row as an object; Refused where two columns of one name would lose one."""

    def __init__(self, columns: list[str]) -> None:
        twice = [name for name, count in Counter(columns).items() if count > 1]
        if twice:
            named = one_line(", ".join(twice))
            raise Refused(f"with --json each column needs a name of its own (AS): twice {named}")
        super().__init__(columns)

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield its objects, with what stands between them."""
        objects = (dict(zip(self._columns, map(as_json, row), strict=True)) for row in rows)
        return (part.encode() for part in json_parts(objects))

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print them."""
        show_parts(block.decode() for block in blocks)


class TableForm(Form):
    """For a person: cells that can be shown, up to a length."""

    def __init__(self, columns: list[str]) -> None:
        super().__init__([shortened(visible(name), TITLE_CELLS) for name in columns])
        self._widest = [0] * len(columns)
        self._is_number = [True] * len(columns)
        self._count = self._cut = 0

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield its rows, and note how wide each column is and what it holds."""
        for row in rows:
            shown = [self._cell(place, value) for place, value in enumerate(row)]
            self._count += 1
            yield (BETWEEN_CELLS.join(shown) + BETWEEN_ROWS).encode()

    def _cell(self, place: int, value: object) -> str:
        text = as_text(value)
        if len(text) > CELL_CHARACTERS:
            self._cut += 1
            text = text[: CELL_CHARACTERS - 1] + ELLIPSIS
        shown = visible(text)
        self._widest[place] = max(self._widest[place], cells(shown))
        self._is_number[place] &= isinstance(value, int | float | None)
        return shown

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print it within the terminal's width."""
        columns = [
            Column(title, right=is_number, flexible=not is_number, yields=place)
            for place, (title, is_number) in enumerate(
                zip(self._columns, self._is_number, strict=True)
            )
        ]
        rows = (
            row.split(BETWEEN_CELLS)
            for block in blocks
            for row in block.decode().removesuffix(BETWEEN_ROWS).split(BETWEEN_ROWS)
            if block
        )
        show_layout(fitted(columns, rows, self._widest))
        say(how_many(self._count, "row"))
        if self._cut:
            say(
                f"cut to {CELL_CHARACTERS} characters: {how_many(self._cut, 'value')};"
                " --json or --csv gives them whole"
            )

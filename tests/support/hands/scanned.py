"""A camera for tests: what a QR code on a page says, read from its picture alone."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

from segno.consts import ECC, MODE_BYTE

from cli.render.codes import svg_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Modules = list[list[bool]]

BORDER = 4
_CAPACITIES: Any = ECC  # segno states no types of it
_MOVE = re.compile(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?")
_BLOCKS = [  # of versions from 7 on, as the standard has them; smaller codes have one in the corner
    *([], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42]),
    *([6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58], [6, 34, 62]),
]
_MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _: row % 2 == 0,
    lambda _, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
_FORMAT_MASK = 0b10101


def scanned(svg: str) -> str:
    """Return what the code of a page says; the code that is drawn of that is the one on the page.

    The lines of the drawing are read into modules, without the program's own data.
    """
    modules = _modules_of(svg)
    text = _bytes_of(modules).decode()
    assert _modules_of(svg_code(text.encode())) == modules, text
    return text


def _modules_of(svg: str) -> Modules:
    """Return the dark modules of a drawing, row by row and without its border."""
    box, path = re.search(r'viewBox="0 0 (\d+) ', svg), re.search(r' d="([^"]+)"', svg)
    assert box, svg[:100]
    assert path, svg[:100]
    size = int(box[1]) - 2 * BORDER
    modules = [[False] * size for _ in range(size)]
    column, row = 0, 0.0
    for letter, first, second in _MOVE.findall(path[1]):
        if letter == "h":
            for place in range(column, column + int(first)):
                modules[int(row) - BORDER][place - BORDER] = True
            column += int(first)
        elif letter == "m":
            column, row = column + int(first), row + float(second)
        else:
            column, row = int(first), float(second)
    return modules


def _bytes_of(modules: Modules) -> bytes:
    version = (len(modules) - 17) // 4
    declared = sum(modules[8][place] << (4 - place) for place in range(5)) ^ _FORMAT_MASK
    level, mask = declared >> 3, _MASKS[declared & 0b111]
    bits = [modules[row][column] ^ mask(row, column) for row, column in _path(version)]
    words = [
        sum(bit << (7 - place) for place, bit in enumerate(bits[start : start + 8]))
        for start in range(0, len(bits) - 7, 8)
    ]
    data = "".join(f"{word:08b}" for word in _in_order(words, version, level))
    assert int(data[:4], 2) == MODE_BYTE
    digits = 8 if version < 10 else 16
    length, begin = int(data[4 : 4 + digits], 2), 4 + digits
    return bytes(int(data[begin + 8 * place :][:8], 2) for place in range(length))


def _in_order(words: list[int], version: int, level: int) -> list[int]:
    """Return the data of the blocks one after the other: in the code they are interleaved."""
    sizes = [
        block.num_data for block in _CAPACITIES[version][level] for _ in range(block.num_blocks)
    ]
    blocks: list[list[int]] = [[] for _ in sizes]
    reading = iter(words)
    for place in range(max(sizes)):
        for block, size in zip(blocks, sizes, strict=True):
            if place < size:
                block.append(next(reading))
    return [word for block in blocks for word in block]


def _path(version: int) -> Iterator[tuple[int, int]]:
    """Yield the modules of the data in their order: two columns at a time, up and down."""
    size = 17 + 4 * version
    right = size - 1
    for turn in count():
        if right < 1:
            return
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        for row in rows:
            yield from (
                (row, column)
                for column in (right, right - 1)
                if not _is_function(row, column, version)
            )
        right -= 3 if right == 8 else 2  # the column of the timing has no data


def _is_function(row: int, column: int, version: int) -> bool:
    """Return whether a module is of a pattern that every code of a version has."""
    size = 17 + 4 * version
    if 6 in {row, column}:
        return True
    if (row < 9 and (column < 9 or column >= size - 8)) or (row >= size - 8 and column < 9):
        return True
    if version >= 7 and ((row < 6 and column >= size - 11) or (column < 6 and row >= size - 11)):
        return True
    centres = _BLOCKS[version - 1]
    corners = {(6, 6), (6, centres[-1]), (centres[-1], 6)} if centres else set()
    return any(
        abs(row - middle) < 3 and abs(column - centre) < 3
        for middle in centres
        for centre in centres
        if (middle, centre) not in corners
    )

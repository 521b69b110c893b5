"""Every way there is to edit the lines of an exported log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Lines = list[bytes]
"""The lines of a log, each with its newline."""


def some_place(line: bytes, chance: random.Random) -> int:
    """A place in a line; in a long one mostly near its ends."""
    near = chance.choice([chance.randrange(200), -chance.randrange(1, 200)])
    return near % len(line) if chance.random() < 0.9 else chance.randrange(len(line))


def in_a_line(edit: Callable[[bytes, random.Random], bytes]) -> Callable[..., Lines]:
    def edited(lines: Lines, chance: random.Random) -> Lines:
        place = chance.randrange(len(lines))
        return [*lines[:place], edit(lines[place], chance), *lines[place + 1 :]]

    return edited


def flip(line: bytes, chance: random.Random) -> bytes:
    place = some_place(line, chance)
    return line[:place] + bytes([line[place] ^ 1 << chance.randrange(8)]) + line[place + 1 :]


def another_byte(line: bytes, chance: random.Random) -> bytes:
    place = some_place(line, chance)
    return line[:place] + bytes([chance.choice(b'"{}[],:01 9aZ\\\n')]) + line[place + 1 :]


def drop_bytes(line: bytes, chance: random.Random) -> bytes:
    place = some_place(line, chance)
    return line[:place] + line[place + chance.randrange(1, 9) :]


def put_bytes(line: bytes, chance: random.Random) -> bytes:
    place = some_place(line, chance)
    return line[:place] + chance.choice([b" ", b"0", b"\\u0061", b'"', b"\n", b"1"]) + line[place:]


def white_space(line: bytes, chance: random.Random) -> bytes:
    places = [place for place, letter in enumerate(line) if letter in b":,{}[]"]
    place = chance.choice(places)
    return line[:place] + chance.choice([b" ", b"\t", b"\r", b"  "]) + line[place:]


def written_anew(line: bytes, chance: random.Random) -> bytes:
    value = json.loads(line)
    match chance.randrange(4):
        case 0:
            return json.dumps(value).encode() + b"\n"
        case 1:
            return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        case 2:
            value["sig"] = chance.choice(["", "A" * 86 + "==", None])
        case _:
            value["data"]["player"] = chance.randrange(5)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def delete(lines: Lines, chance: random.Random) -> Lines:
    place = chance.randrange(len(lines))
    return lines[:place] + lines[place + chance.randrange(1, 4) :]


def duplicate(lines: Lines, chance: random.Random) -> Lines:
    place = chance.randrange(len(lines))
    return [*lines[:place], lines[place], *lines[place:]]


def swap(lines: Lines, chance: random.Random) -> Lines:
    one, other = chance.sample(range(len(lines)), 2)
    edited = list(lines)
    edited[one], edited[other] = edited[other], edited[one]
    return edited


def move(lines: Lines, chance: random.Random) -> Lines:
    edited = list(lines)
    line = edited.pop(chance.randrange(len(edited)))
    edited.insert(chance.randrange(len(lines)), line)
    return edited


def insert(lines: Lines, chance: random.Random) -> Lines:
    place = chance.randrange(1, len(lines) + 1)
    forged = lines[min(place, len(lines) - 1)].replace(b'"id":"', b'"id":"x')
    return [*lines[:place], forged, *lines[place:]]


def renumbered(lines: Lines, chance: random.Random) -> Lines:
    """Take a line out and number the rest anew, as a careful forger would."""
    place = chance.randrange(1, len(lines))
    return [
        line.replace(b'{"seq":%d,' % (number + 1), b'{"seq":%d,' % number, 1)
        for number, line in enumerate([*lines[:place], *lines[place + 1 :]], start=1)
    ]


def truncate(lines: Lines, chance: random.Random) -> Lines:
    data = b"".join(lines)
    return [data[: chance.randrange(len(data))]]


def cut_short(lines: Lines, chance: random.Random) -> Lines:
    return lines[: chance.randrange(len(lines))]


KINDS: tuple[Callable[..., Lines], ...] = (
    *map(in_a_line, (flip, another_byte, drop_bytes, put_bytes, white_space, written_anew)),
    *(delete, duplicate, swap, move, insert, renumbered, truncate, cut_short),
)


def first_difference(honest: Lines, edited: Lines) -> int:
    """The number of the first line that is not as it was."""
    lines = [line + b"\n" for line in b"".join(edited).split(b"\n")]
    rest = lines.pop()[:-1]
    lines += [rest] if rest else []
    pairs = zip(honest, lines, strict=False)
    shared = min(len(honest), len(lines))
    return next((n for n, (a, b) in enumerate(pairs) if a != b), shared) + 1

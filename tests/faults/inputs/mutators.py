"""Inputs that are nearly right: valid ones, broken by chance in bytes, lines and structure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from random import Random

NUMBERS = (
    *(b"0", b"1", b"-1", b"00", b"-0", b"+1", b"1.5", b"1e9", b"1e999", b"NaN", b"Infinity"),
    *(
        b"%d" % (sign * 2**power + off)
        for power in (31, 53, 63, 64)
        for sign in (1, -1)
        for off in (-1, 0, 1)
    ),
    b"9" * 400,
    "\u0661\u0662".encode(),
    b"0x10",
    b"1_000",
)
TEXTS = (
    *(b"\x00", b"\x1b[31m", b"\x7f", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(b"\r\n", b"\r", b"\n\n", b"\t", b" ", b"\xc2\xa0", b"\x85", b"\xe2\x80\xa8", b"\xe2\x80\xae"),
    *(b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"\\udc00", b",", b";", b":", b"=", b"#", b"--"),
    *(b"null", b"true", b"false", b"[]", b"{}", b"[[[[", b"}}", b'""', b"''", b'"""', b"{", b"["),
    *(b"\xf0\x9f\x8e\xb2", b"a\xcc\x88", b"\xc3\xa4", b"\xe1\xba\x9e", b"..", b"/", b"%s", b"{0}"),
)
REPEATS = (2, 3, 17, 300, 5_000)
NUMBER = re.compile(rb"-?\d+")
SIZE_MAX = 200_000


class Grammar(NamedTuple):
    """What inputs of one kind look like: valid ones, and words that mean something in them."""

    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()


def mutated(grammar: Grammar, chance: Random) -> bytes:
    """Break a valid input in one to five ways."""
    data = chance.choice(grammar.seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        data = chance.choice(KINDS)(data, grammar, chance)[:SIZE_MAX]
    return data


Kind = Callable[[bytes, Grammar, "Random"], bytes]


def _span(data: bytes, chance: Random, longest: int = 40) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.randrange(1, longest))


def flip(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Flip one bit."""
    if not data:
        return b"\x01"
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def other_byte(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Put another byte in the place of one."""
    start, end = _span(data, chance, 2)
    return data[:start] + bytes([chance.randrange(256)]) + data[end:]


def delete(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Take some bytes out."""
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def cut(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Keep the beginning, or the end."""
    place = chance.randrange(len(data) + 1)
    return data[:place] if chance.random() < 0.7 else data[place:]


def insert(data: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Put a text that often means trouble somewhere."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + _trouble(grammar, chance) + data[place:]


def replace(data: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Put a text in the place of some bytes."""
    start, end = _span(data, chance, 12)
    return data[:start] + _trouble(grammar, chance) + data[end:]


def _trouble(grammar: Grammar, chance: Random) -> bytes:
    if grammar.words and chance.random() < 0.5:
        return chance.choice(grammar.words)
    return chance.choice(TEXTS + NUMBERS)


def number(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Put another number in the place of one."""
    found = list(NUMBER.finditer(data[:SIZE_MAX]))
    if not found:
        return data + chance.choice(NUMBERS)
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(NUMBERS) + data[one.end() :]


def repeat(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Repeat a few bytes, often very many times: nesting, long names, endless digits."""
    start, end = _span(data, chance, chance.choice((2, 2, 9, 60)))
    return data[:start] + data[start:end] * chance.choice(REPEATS) + data[end:]


def splice(data: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Go on with the end of another valid input."""
    other = chance.choice(grammar.seeds)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def lines(data: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Delete, double, move or swap lines, or take one of another input."""
    rows = data.split(b"\n")
    place, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    match chance.randrange(5):
        case 0:
            del rows[place]
        case 1:
            rows.insert(other, rows[place])
        case 2:
            rows.insert(other, rows.pop(place))
        case 3:
            rows[place], rows[other] = rows[other], rows[place]
        case _:
            rows.insert(place, chance.choice(chance.choice(grammar.seeds).split(b"\n")))
    return b"\n".join(rows)


def parts(data: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Do with the parts between separators what `lines` does with lines."""
    separator = chance.choice((b",", b" ", b";", b"+", b":", b"/", b"=", b'"', b"\n\n"))
    swapped = data.replace(b"\n", b"\x00").replace(separator, b"\n")
    inner = grammar._replace(
        seeds=tuple(each.replace(separator, b"\n") for each in grammar.seeds[:4])
    )
    return lines(swapped, inner, chance).replace(b"\n", separator).replace(b"\x00", b"\n")


def bracket(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Open brackets that nobody closes, or wrap some bytes in many."""
    start, end = _span(data, chance)
    opening, closing = chance.choice(((b"[", b"]"), (b"{", b"}"), (b'{"a":', b"}"), (b"(", b")")))
    depth = chance.choice((1, 2, 40, 3_000))
    wrapped = opening * depth + data[start:end] + closing * (depth if chance.random() < 0.5 else 0)
    return data[:start] + wrapped + data[end:]


def spelling(data: bytes, _: Grammar, chance: Random) -> bytes:
    """Write the whole in another case, line end or encoding."""
    match chance.randrange(6):
        case 0:
            return data.upper()
        case 1:
            return data.lower()
        case 2:
            return data.replace(b"\n", b"\r\n")
        case 3:
            return b"\xef\xbb\xbf" + data
        case 4:
            return data.decode("utf-8", "replace").encode("utf-16")
        case _:
            return data.replace(b" ", chance.choice((b"\t", b"  ", b"", b"\xc2\xa0")))


KINDS: tuple[Kind, ...] = (
    *(flip, other_byte, delete, cut, insert, insert, replace, replace),
    *(number, number, repeat, splice, lines, lines, parts, parts, bracket, spelling),
)

"""Small logs edited by chance: in their bytes, their lines, their members, and all signed again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from tests.faults.logs import line_edits, small_logs

if TYPE_CHECKING:
    from tests.faults.logs.small_logs import Small

Edit = Callable[[list[bytes], Random], list[bytes]]

EDITS_EACH = 20
"""How often one log is edited, each time from what it was: making one costs as much as ten."""

VALUES: tuple[Any, ...] = (
    *(0, 1, 2, 3, 9, -1, 2**53 - 1, 2**53, True, False, None, "", "1", "o1", "p1", [], {}, [1]),
    *("A" * 43 + "=", "AAAA", "sealed:1:x", "\u00e4\u20ac\U0001f3b2", {"official": 2}),
)
TYPES = ("ResultReported", "ResultCorrected", "Posted", "NoteTaken", "Unheard", "Posted@2")
PLACES = ("o1", "o2", "o3", "o9999", "p1", "p4", "o2/p5", "o1/p1", "o0", "o01", "o12345", "")


def edited(chance: Random, case: int) -> Small:
    """Edit the log of a case; what lies beside it is made for the edited lines mostly."""
    return edited_of(list(_log(case // EDITS_EACH)), chance)


@lru_cache(1)
def _log(number: int) -> tuple[bytes, ...]:
    return tuple(small_logs.made(Random(number)))


def edited_of(lines: list[bytes], chance: Random) -> Small:
    """Edit lines, and put beside them what lies beside a log."""
    honest = small_logs.beside(lines, chance, "honest")
    kind = chance.choices([*KINDS], [*KINDS.values()])[0]
    name = getattr(kind, "__name__", "honest").strip("_")
    changed = kind(list(lines), chance)
    if changed and chance.random() < 0.8:
        changed = renumbered(changed)
    if changed and chance.random() < 0.7:
        changed = signed_again(changed, chance)
    small = honest._replace(what=name, lines=changed)
    if changed and all(each.endswith(b"\n") for each in changed) and chance.random() < 0.85:
        small = small_logs.beside(changed, chance, name)
    return _beside_edited(small, chance) if chance.random() < 0.15 else small


def renumbered(lines: list[bytes]) -> list[bytes]:
    """Give lines that are still JSON their places, and let the rest be."""
    found = []
    for place, line in enumerate(lines, 1):
        value = _read(line)
        if value is not None and value.get("seq", place) != place:
            value["seq"] = place
            line = written(value)  # noqa: PLW2901 - the line with its place
        found.append(line)
    return found


def signed_again(lines: list[bytes], chance: Random) -> list[bytes]:
    """Sign again what was signed, each behind the lines before it."""
    found: list[bytes] = []
    for line in lines:
        is_one = _read(line) is not None and b',"sig":"' in line
        try:
            found.append(_signed(found, line, chance) if is_one else line)
        except (KeyError, ValueError, TypeError, AttributeError):
            found.append(line)
    return found


def _signed(before: list[bytes], line: bytes, chance: Random) -> bytes:
    value = json.loads(line)
    del value["sig"]
    return small_logs.signed_rightly(before, written(value), chance)


def none(lines: list[bytes], _: Random) -> list[bytes]:
    """Leave them."""
    return lines


def bytes_flipped(lines: list[bytes], chance: Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    lines[place] = line_edits.flip(lines[place], chance)
    return lines


def dropped(lines: list[bytes], chance: Random) -> list[bytes]:
    del lines[chance.randrange(len(lines))]
    return lines


def doubled(lines: list[bytes], chance: Random) -> list[bytes]:
    line = chance.choice(lines)
    lines.insert(chance.randrange(len(lines) + 1), line)
    return lines


def swapped(lines: list[bytes], chance: Random) -> list[bytes]:
    one, other = (chance.randrange(len(lines)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def cut(lines: list[bytes], chance: Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    end = chance.randrange(len(lines[place]) + 1)
    return [*lines[:place], lines[place][:end]] if end else lines[:place]


def signatures_exchanged(lines: list[bytes], chance: Random) -> list[bytes]:
    """Take a signature away, or put it under another line."""
    signed = [place for place, line in enumerate(lines) if b',"sig":"' in line]
    if not signed:
        return bytes_flipped(lines, chance)
    place = chance.choice(signed)
    bare, mark, sig = lines[place].partition(b',"sig":"')
    if chance.random() < 0.5:
        lines[place] = bare + b"}\n"
        return lines
    other = chance.randrange(len(lines))
    body = lines[other].partition(b',"sig":"')[0].removesuffix(b"\n")
    lines[other] = (
        body.removesuffix(b"}") + (b"}" if b'"sig"' in lines[other] else b"") + mark + sig
    )
    return lines


def member_changed(lines: list[bytes], chance: Random) -> list[bytes]:
    """Give a member another value, a new one, or take it away; the line keeps its form."""
    place = chance.randrange(len(lines))
    value = _read(lines[place])
    if value is None:
        return bytes_flipped(lines, chance)
    data = value.get("data")
    target = data if isinstance(data, dict) and data and chance.random() < 0.6 else value
    name = chance.choice(list(target))
    match chance.randrange(4):
        case 0 if target is not value:
            del target[name]
        case 1:
            target[chance.choice((name, "second", "lost", "reason"))] = chance.choice(VALUES)
        case _:
            other = _read(chance.choice(lines)) or value
            others = other["data"] if isinstance(other.get("data"), dict) else {}
            target[name] = (other | others).get(name, chance.choice(VALUES))
    lines[place] = written(value)
    return lines


def by_changed(lines: list[bytes], chance: Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    value = _read(lines[place])
    if value is None or "by" not in value:
        return bytes_flipped(lines, chance)
    value["by"] = chance.choice(PLACES)
    lines[place] = written(value)
    return lines


def type_changed(lines: list[bytes], chance: Random) -> list[bytes]:
    """Give a line another type: one that there is, one of a next version, or one that is not."""
    place = chance.randrange(len(lines))
    value = _read(lines[place])
    if value is None or "type" not in value:
        return bytes_flipped(lines, chance)
    value["type"] = chance.choice(TYPES)
    lines[place] = written(value)
    return lines


def entered_by_player(lines: list[bytes], chance: Random) -> list[bytes]:
    """Let a player enter what an official did, also a correction of a result."""
    place = chance.randrange(1, len(lines)) if len(lines) > 1 else 0
    value = _read(lines[place])
    if value is None or "by" not in value:
        return bytes_flipped(lines, chance)
    value["by"] = chance.choice(("p1", "p2", "o1/p1"))
    if chance.random() < 0.5:
        value["type"] = "ResultCorrected"
    lines[place] = written(value)
    return lines


def spelled_otherwise(lines: list[bytes], chance: Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    value = _read(lines[place])
    if value is None:
        return bytes_flipped(lines, chance)
    ways: tuple[dict[str, Any], ...] = (
        {"ensure_ascii": True, "separators": (",", ":")},
        {"separators": (", ", ":")},
        {"sort_keys": True, "separators": (",", ":")},
        {"indent": None},
    )
    lines[place] = json.dumps(value, **chance.choice(ways)).encode() + b"\n"
    return lines


KINDS: dict[Edit, int] = {
    none: 30,
    bytes_flipped: 12,
    member_changed: 20,
    by_changed: 8,
    type_changed: 8,
    entered_by_player: 6,
    signatures_exchanged: 10,
    swapped: 7,
    dropped: 6,
    doubled: 5,
    cut: 3,
    spelled_otherwise: 4,
}


def _beside_edited(small: Small, chance: Random) -> Small:
    """Edit the head, the hashes or the policy."""
    match chance.randrange(3):
        case 0:
            return small._replace(what="head", note=line_edits.flip(small.note, chance))
        case 1 if small.hashes:
            hashes = bytearray(small.hashes)
            hashes[chance.randrange(len(hashes))] ^= 1 << chance.randrange(8)
            cut_at = len(hashes) if chance.random() < 0.7 else chance.randrange(len(hashes))
            return small._replace(what="hashes", hashes=bytes(hashes[:cut_at]))
        case _:
            return small._replace(what="policy", policy=line_edits.flip(small.policy, chance))


def _read(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def written(value: dict[str, Any]) -> bytes:
    """Write a line in its form."""
    return (
        json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        + b"\n"
    )

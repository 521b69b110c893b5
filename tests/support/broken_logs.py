"""Broken copies of a sample log, one for each trap: `python -m tests.support.broken_logs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.lines.line import decode
from tests.support.sample_days import FOLDER, library_night

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Lines = list[bytes]


def _whole(lines: Lines) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _at(lines: Lines, kind: str, nth: int = 0) -> int:
    places = [i for i, line in enumerate(lines) if decode(line).type == kind]
    return places[nth]


def _edited(old: bytes, new: bytes, *, kind: str) -> Callable[[Lines], bytes]:
    """Change `old` into `new` in the first event of a kind that holds it."""

    def edit(lines: Lines) -> bytes:
        place = next(i for i, line in enumerate(lines) if decode(line).type == kind and old in line)
        return _whole([*lines[:place], lines[place].replace(old, new, 1), *lines[place + 1 :]])

    return edit


def _without(kind: str, nth: int = 0) -> Callable[[Lines], bytes]:
    """Leave an event out and close the gap in the numbers."""

    def edit(lines: Lines) -> bytes:
        place = _at(lines, kind, nth)
        rest = [_renumbered(line, -1) for line in lines[place + 1 :]]
        return _whole([*lines[:place], *rest])

    return edit


def _renumbered(line: bytes, by: int) -> bytes:
    seq, comma, tail = line.removeprefix(b'{"seq":').partition(b",")
    return b'{"seq":%d' % (int(seq) + by) + comma + tail


def _twice(lines: Lines) -> bytes:
    place = _at(lines, "ResultReported")
    again = _renumbered(lines[place], 1).replace(b'"id":"act', b'"id":"again', 1)
    later = [_renumbered(line, 1) for line in lines[place + 1 :]]
    return _whole([*lines[: place + 1], again, *later])


def _after_the_end(lines: Lines) -> bytes:
    last = decode(lines[-1]).seq
    late = (
        b'{"seq":%d,"id":"late","type":"PlayerDropped","at":"2026-03-15T09:00:00.000Z",'
        b'"by":"o1","data":{"player":1}}'
    )
    return _whole([*lines, late % (last + 1)])


def _round_of_nobody(lines: Lines) -> bytes:
    """Everybody drops after the first round, and then a second one is paired."""
    played = lines[: _at(lines, "RoundClosed") + 1]
    seq = decode(played[-1]).seq
    line = (
        b'{"seq":%d,"id":"odd%d","type":"%s","at":"2026-03-14T19:00:00.000Z","by":"o1","data":%s}'
    )
    acts = [(b"PlayerDropped", b'{"player":%d}' % player) for player in range(1, 13)]
    pairing = b'{"stage":1,"round":2,"attempt":1,"procedure":"swiss@1","games":[]}'
    acts.append((b"RoundPaired", pairing))
    odd = [line % (seq + n, n, *act) for n, act in enumerate(acts, start=1)]
    return _whole([*played, *odd])


def _swapped(lines: Lines) -> bytes:
    place = _at(lines, "ResultReported", 3)
    one, other = lines[place], lines[place + 1]
    return _whole([*lines[:place], other, one, *lines[place + 2 :]])


def _long(lines: Lines) -> bytes:
    name = b'"name":"Library Night"'
    return _edited(name, b'"name":"%s"' % (b"x" * 61_000), kind="TournamentOpened")(lines)


BROKEN: Mapping[str, Callable[[Lines], bytes]] = {
    "empty": lambda _: b"",
    "cut-off-in-a-line": lambda lines: _whole(lines)[:-40],
    "not-utf-8": _edited(b"Library", b"Lib\xffary", kind="TournamentOpened"),
    "no-json": lambda lines: _whole([*lines[:5], b"Aiko beat Bela", *lines[6:]]),
    "a-list": lambda lines: _whole([*lines[:5], b"[1,2,3]", *lines[6:]]),
    "no-first-event": _without("TournamentOpened"),
    "gap-in-seq": lambda lines: _whole(lines[:20] + lines[21:]),
    "swapped-lines": _swapped,
    "duplicate-id": lambda lines: _whole([*lines, _renumbered(lines[-1], 1)]),
    "duplicate-key": _edited(b'"player":3', b'"player":3,"player":3', kind="PlayerRegistered"),
    "white-space": _edited(b'"player":3', b'"player": 3', kind="PlayerRegistered"),
    "keys-out-of-order": _edited(
        b'"round":1,"minutes":60', b'"minutes":60,"round":1', kind="RoundStarted"
    ),
    "unknown-event-type": _edited(b"PlayerDropped", b"PlayerVanished", kind="PlayerDropped"),
    "unknown-field": _edited(b'"data":{', b'"data":{"luck":1,', kind="PlayerDropped"),
    "not-a-number": _edited(b'"points":[', b'"points":[NaN,', kind="ResultReported"),
    "a-float": _edited(b'"points":[10,', b'"points":[10.0,', kind="ResultReported"),
    "beyond-2-to-53": _edited(b'"ranks":[', b'"ranks":[9007199254740993', kind="RanksDrawn"),
    "line-too-long": _long,
    "unknown-ruleset-text": _edited(
        b'key = \\"l5r\\"', b'key = \\"l6r\\"', kind="TournamentOpened"
    ),
    "forged-points": _edited(b'"points":[10,1]', b'"points":[12,1]', kind="ResultReported"),
    "unknown-outcome": _edited(b'["win"', b'["triumph"', kind="ResultReported"),
    "result-twice": _twice,
    "result-of-no-match": _edited(b'"match":', b'"match":9', kind="ResultReported"),
    "result-missing-at-close": _without("ResultReported", 0),
    "wrong-attempt": _edited(b'"attempt":1', b'"attempt":2', kind="RoundPaired"),
    "round-of-nobody": _round_of_nobody,
    "no-such-official": _edited(b'"by":"o1"', b'"by":"o7"', kind="PlayerDropped"),
    "another-shuffle-key": _edited(
        b'"shuffle_key":"', b'"shuffle_key":"00', kind="TournamentFinished"
    ),
    "after-the-end": _after_the_end,
}
"""From a whole log to a broken one."""


def main() -> None:
    """Write every broken log."""
    lines = library_night().lines
    folder = FOLDER / "broken"
    folder.mkdir(parents=True, exist_ok=True)
    for name, breaks in BROKEN.items():
        (folder / f"{name}.jsonl").write_bytes(breaks(lines))


if __name__ == "__main__":
    main()

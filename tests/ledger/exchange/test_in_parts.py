"""Lines read together are judged as each line alone: the same events, or the same refusal."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from ledger.errors import LedgerError
from ledger.exchange.log_files import Replay, admit_line, replay_lines
from ledger.lines import line as lines
from ledger.lines.line import LINE_BYTES_MAX, read, read_part
from ledger.proof.formats import Tree
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from tests.support.broken_logs import BROKEN
from tests.support.files.every_log import every_log
from tests.support.sample_days import library_night

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANGES = 40
"""How many changed copies of a log are tried."""

SWAPS = (
    (b'"seq":', b'"seq":0'),
    (b'"seq":', b'"seq": '),
    (b'"id":"', b'"id":"\\n'),
    (b'"id":"', b'"id":"a\\nb'),
    (b'"id":"', b'"id":".'),
    (b'"at":"2', b'"at":"3'),
    (b"T", b" "),
    (b'Z"', b'z"'),
    (b'"by":"o1"', b'"by":"o0"'),
    (b'"by":"o1"', b'"by":"p1"'),
    (b'"by":"o1"', b'"by":"o1/p1"'),
    (b'"by":"o1"', b'"by":"o12345"'),
    (b'"data":{', b'"data":{"x":1,'),
    (b'"data":{', b'"sig":"","data":{'),
    (b"}}", b'},"sig":""}'),
    (b"}}", b'},"sig":"AA=="}'),
    (b"}}", b"}} "),
    (b"win", b"w\\u0069n"),
    (b"win", b"w\xffn"),
    (b"win", b"loss"),
    (b'"match":', b'"match":1'),
    (b'"player":', b'"player":1'),
    (b'"faction":"', b'"faction":"\xe2\x80\xae'),
    (b"[", b"[ "),
    (b":", b":1e0"),
    (b"Reported", b"Withdrawn"),
    (b"sealed:2:", b"sealed:3:"),
    (b"sealed:2:", b"sealed:2:!"),
    (b'"name":"', b'"name":"sealed:2:'),
    (b'"name":"', b'"name":" '),
)


def changed(log: list[bytes], chance: random.Random) -> list[bytes]:
    """A copy of a log with one or two changes: of bytes, of members, or of the order of lines."""
    copy = list(log)
    for _ in range(chance.choice((1, 1, 2))):
        place = chance.randrange(len(copy))
        line = copy[place]
        match chance.randrange(8):
            case 0:
                at = chance.randrange(len(line))
                copy[place] = line[:at] + bytes([chance.randrange(256)]) + line[at + 1 :]
            case 1:
                del copy[place]
            case 2:
                copy.insert(place, copy[chance.randrange(len(copy))])
            case 3:
                other = chance.randrange(len(copy))
                copy[place], copy[other] = copy[other], copy[place]
            case 4:
                number = re.search(rb":(\d+)[,}\]]", line)
                if number:
                    more = b"%d" % chance.randrange(50)
                    copy[place] = line[: number.start(1)] + more + line[number.end(1) :]
            case _:
                old, new = chance.choice(SWAPS)
                copy[place] = line.replace(old, new, 1)
    return copy


def verdict(log: list[bytes], *, together: bool) -> object:
    """What a replay comes to: the state and what was counted, or the words of the refusal."""
    try:
        if together:
            return state(replay_lines("log", log, ranking))
        return state(one_by_one(log))
    except LedgerError as error:
        return type(error), str(error), error.problems
    except AssertionError:
        return (AssertionError,)


def one_by_one(log: list[bytes]) -> Replay:
    """Replay without reading lines together and without the fast rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.exchange.log_files.lines.read_part", lambda _lines: None)
        patch.setattr("ledger.exchange.log_files.is_plain", lambda *_: False)
        return replay_lines("log", log, ranking)


def state(replayed: Replay) -> object:
    """Everything of a replay that can be compared."""
    counts = replayed.signed, replayed.unsigned, replayed.renewed, replayed.texts
    return (
        replayed.tournament,
        replayed.tree.root(),
        replayed.entries,
        replayed.sealed,
        replayed.seals.names,
        counts,
        replayed.imported,
        replayed.drawn_again,
    )


@pytest.mark.parametrize("name", list(every_log()))
def test_changed_logs_get_one_verdict(name: str) -> None:
    log = every_log()[name]
    assert verdict(log, together=True) == verdict(log, together=False)
    chance = random.Random(name)
    refused = 0
    for _ in range(CHANGES):
        copy = changed(log, chance)
        together = verdict(copy, together=True)
        assert together == verdict(copy, together=False)
        refused += isinstance(together, tuple) and isinstance(together[0], type)
    assert refused > CHANGES // 3


@pytest.mark.parametrize("trap", sorted(BROKEN))
def test_broken_samples_get_one_verdict(trap: str) -> None:
    log = BROKEN[trap](library_night().lines).split(b"\n")[:-1]
    assert verdict(log, together=True) == verdict(log, together=False)


@pytest.mark.parametrize("name", list(every_log()))
def test_lines_read_together_are_the_lines_read_alone(name: str) -> None:
    chance = random.Random(name)
    for part in parts(every_log()[name]):
        whole = read_part(part)
        assert whole is not None
        assert list(whole.recorded) == list(map(read, part))
        for _ in range(10):
            copy = changed(part, chance)
            if not copy:
                continue
            assert (read_part(copy) is None) == any(map(is_wrong, copy))


def parts(log: list[bytes]) -> Iterator[list[bytes]]:
    """A log in parts, as a replay has it."""
    for start in range(0, len(log), lines.PART_LINES):
        yield log[start : start + lines.PART_LINES]


def is_wrong(line: bytes) -> bool:
    """Whether a line cannot be read alone."""
    with suppress(LedgerError):
        read(line)
        return False
    return True


def test_a_newline_within_a_line_is_not_two_lines() -> None:
    log = every_log()["simulated 1"]
    for part in ([b"\n".join(log[:2]), b"", log[2]], [b"\n".join(log[:2]), log[2]], [b""]):
        assert read_part(part) is None


def test_a_long_line_is_refused() -> None:
    log = every_log()["simulated 1"]
    place = next(i for i, line in enumerate(log) if b'"PersonRecorded"' in line)
    copy = [*log]
    copy[place] = copy[place].replace(b'"name":"', b'"name":"' + b"x" * LINE_BYTES_MAX)
    assert read_part(copy[:20]) is None
    assert verdict(copy, together=True) == verdict(copy, together=False)


def test_lines_before_one_that_cannot_be_read_come_first() -> None:
    """A file that is cut off behind a line against the rules is refused for that line."""
    log = list(every_log()["simulated 1"])
    log[5] = log[6]

    def cut_off() -> Iterator[bytes]:
        yield from log[:10]
        raise AssertionError("the file was cut off")

    with pytest.raises(LedgerError, match="line 6: seq 7 is wrong"):
        replay_lines("log", cut_off(), ranking)


def test_one_line_is_admitted_as_ever() -> None:
    """A desk that takes lines one by one gets the same state."""
    log = every_log()["import"]
    tournament, tree = Tournament(), Tree()
    for line in log:
        admit_line(tournament, line, tree, ranking)
    assert tournament == replay_lines("log", log, ranking).tournament

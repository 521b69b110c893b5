"""An exported log edited in every way there is: never accepted, and the first bad line is named.

20,000 edits in a normal run; TOURNEY_EDITS=100000 asks for more.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.formats import Invalid
from ledger.proof.formats import parse_policy
from ledger.proof.verifier import CHECKPOINT
from ledger.proof.verifier import HASHES
from ledger.proof.verifier import beside
from ledger.proof.verifier import verify_file
from tests import second_verifier as second
from tests.signed_logs import head_of
from tests.signed_logs import log_signer
from tests.signed_logs import plain_day
from tests.signed_logs import policy_of
from tests.signed_logs import tournament_of
from tests.signed_logs import write_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.proof.formats import Policy

EDITS = int(os.environ.get("TOURNEY_EDITS", "20000"))
PARTS = 8
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where the edited files stand if the system has it: on a disk most of the time goes to opening."""

Lines = list[bytes]


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


@pytest.fixture
def honest() -> Iterator[tuple[Path, Lines, Policy]]:
    lines = plain_day()
    policy = parse_policy(policy_of(tournament_of(lines)))
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        path = Path(folder) / "day.jsonl"
        write_log(path, lines, head_of(lines))
        yield path, [line + b"\n" for line in lines], policy


def test_the_honest_log_is_accepted_by_both(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    verdict = verify_file(path, policy)
    assert set(verdict.checked) == {"tree", "lines", "signature"}
    assert set(verdict.unchecked) == {"witnesses", "acts"}
    note = beside(path, CHECKPOINT).read_bytes()
    assert second.accepts(lines, note, notes.vkey(policy.logs[0]))


@pytest.mark.parametrize("part", range(PARTS))
def test_no_edit_is_accepted(honest: tuple[Path, Lines, Policy], part: int) -> None:
    path, lines, policy = honest
    note = beside(path, CHECKPOINT).read_bytes()
    vkey = notes.vkey(policy.logs[0])
    chance = random.Random(part)
    tried = 0
    while tried < EDITS // PARTS:
        edited = KINDS[tried % len(KINDS)](lines, chance)
        data = b"".join(edited)
        if data == b"".join(lines):
            continue
        tried += 1
        path.write_bytes(data)
        with pytest.raises(Invalid) as refused:
            verify_file(path, policy)
        line = first_difference(lines, edited)
        assert str(refused.value).startswith((f"line {line}:", f"line {line} on:")), (
            KINDS[(tried - 1) % len(KINDS)],
            str(refused.value),
        )
        whole = [each + b"\n" for each in data.split(b"\n")]
        last = whole.pop()[:-1]
        assert not second.accepts(whole + ([last] if last else []), note, vkey)


def test_an_edit_hashed_anew_needs_the_key(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    vkey = notes.vkey(policy.logs[0])
    chance = random.Random(0)
    original = beside(path, CHECKPOINT).read_bytes()
    signature = original.rpartition(b"\n\n")[2]
    thief = log_signer(tournament_of(plain_day()), b"t" * 32)
    for tried in range(12):
        edited = [each.rstrip(b"\n") for each in renumbered(lines, chance)]
        if tried % 2:
            place = chance.randrange(len(lines))
            edited = [each.rstrip(b"\n") for each in lines]
            edited[place] = edited[place].replace(b"2026-03-14T08", b"2026-03-14T09")
        forged = head_of(edited, thief)
        for note in (forged, forged.rpartition(b"\n\n")[0] + b"\n\n" + signature, b"", original):
            write_log(path, edited, note)
            with pytest.raises(Invalid):
                verify_file(path, policy)
            assert not second.accepts([each + b"\n" for each in edited], note, vkey)


@pytest.mark.parametrize("suffix", [CHECKPOINT, HASHES])
def test_the_files_beside_the_log_can_not_be_edited(
    honest: tuple[Path, Lines, Policy], suffix: str
) -> None:
    """An edited head is refused; edited hashes vouch for nothing and hide nothing."""
    path, lines, policy = honest
    target = beside(path, suffix)
    original = target.read_bytes()
    vkey = notes.vkey(policy.logs[0])
    for bit in range(8 * min(len(original), 160)):
        edited = bytearray(original)
        edited[bit // 8] ^= 1 << bit % 8
        target.write_bytes(edited)
        if suffix == HASHES:
            verify_file(path, policy)
            continue
        with pytest.raises(Invalid):
            verify_file(path, policy)
        if bit % 97 == 0:  # its Ed25519 is slow
            assert not second.accepts(lines, bytes(edited), vkey)


def test_without_the_hashes_a_changed_line_is_found_and_not_named(
    honest: tuple[Path, Lines, Policy],
) -> None:
    path, lines, policy = honest
    beside(path, HASHES).unlink()
    path.write_bytes(b"".join(lines).replace(b"2026-03-14T08:31", b"2026-03-14T08:41"))
    with pytest.raises(Invalid, match=r"a line is not as it was signed; day.jsonl.hashes"):
        verify_file(path, policy)


def test_without_a_policy_or_a_head_the_layers_are_unchecked(
    honest: tuple[Path, Lines, Policy],
) -> None:
    path, _, policy = honest
    assert set(verify_file(path).unchecked) == {"signature", "witnesses", "acts"}
    beside(path, CHECKPOINT).unlink()
    assert "tree" in verify_file(path).unchecked
    with pytest.raises(Invalid, match="which the policy asks for"):
        verify_file(path, policy)


def test_the_keys_of_names_stand_at_the_end(honest: tuple[Path, Lines, Policy]) -> None:
    path, lines, policy = honest
    names = b'{"names":{}}\n'
    path.write_bytes(b"".join([*lines, names]))
    verify_file(path, policy)
    for wrong in ([*lines, names, names], [*lines[:-1], names, lines[-1]], [*lines, names[:-1]]):
        path.write_bytes(b"".join(wrong))
        with pytest.raises(Invalid, match="line 2"):
            verify_file(path, policy)

"""An official's signature holds behind the very history that they saw, and nowhere else."""

from __future__ import annotations

import hashlib
import json
import random
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

import pytest

from cli.terminal.problems import line_of
from ledger.facts.shared import RulingMade
from ledger.fold import fold_lines
from ledger.lines.line import encode
from ledger.lines.recorded import signed
from ledger.proof.formats import leaf_hash
from ledger.proof.signatures import signed_body
from ledger.rules import check
from ledger.rules.signing import signing_with
from tests.hostile.keys.keyed_days import ALL, JUDGE, OWN, THIEF, behind, day_of
from tests.support.signed_logs import tree_of
from tests.truth import second_curve

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = 1_200
RULING = RulingMade(JUDGE, "the first one wins", 1)


def root_by_the_page(lines: list[bytes]) -> bytes:
    """The root of a tree, by its definition: the largest power of two below goes to the left."""
    if not lines:
        return hashlib.sha256(b"").digest()
    if len(lines) == 1:
        return hashlib.sha256(b"\x00" + lines[0]).digest()
    half = 1
    while half * 2 < len(lines):
        half *= 2
    left, right = root_by_the_page(lines[:half]), root_by_the_page(lines[half:])
    return hashlib.sha256(b"\x01" + left + right).digest()


def signed_by_the_page(tournament: str, lines: list[bytes], line: bytes) -> bytes:
    """What is signed, from the page alone."""
    root = b64encode(root_by_the_page(lines)).decode()
    body = f"{tournament}\n{len(lines)}\n{root}\n".encode() + line
    kind = "application/vnd.tourney.act"
    return f"DSSEv1 {len(kind)} {kind} {len(body)} ".encode() + body


def test_a_second_computation_from_the_page_agrees() -> None:
    chance = random.Random(13)
    agreed = 0
    for _ in range(CASES):
        lines = [chance.randbytes(chance.randrange(1, 90)) for _ in range(chance.randrange(40))]
        tournament = chance.randbytes(16).hex()
        line = json.dumps({"seq": len(lines) + 1, "data": chance.randbytes(9).hex()}).encode()
        message = signed_body(tournament, len(lines), tree_of(lines).root(), line)
        assert message == signed_by_the_page(tournament, lines, line)
        agreed += 1
    assert agreed >= 1_000


def ruling() -> tuple[list[bytes], bytes]:
    """A day, and a ruling that the program signed behind it."""
    lines = list(day_of(ALL))
    sign = signing_with({OWN[JUDGE].key.public: OWN[JUDGE]})
    made = sign(fold_lines(lines), behind(lines, "o2", RULING), tree_of(lines).root())
    return lines, encode(made)


def test_a_second_curve_accepts_what_the_program_signed() -> None:
    lines, line = ruling()
    found = json.loads(line)
    unsigned = line[: line.rindex(b',"sig":"')] + b"}"
    message = signed_by_the_page("7" * 32, lines, unsigned)
    signature = b64decode(found["sig"])
    assert second_curve.signed_by(OWN[JUDGE].key.public, signature, message)
    assert not second_curve.signed_by(THIEF.key.public, signature, message)


def swapped_names(lines: list[bytes]) -> list[bytes]:
    """Two players' names change places, before the ruling."""
    found = [n for n, line in enumerate(lines) if b'"name":"Player 000' in line]
    one, other = found[:2]
    first, second = (json.loads(lines[n])["data"]["name"].encode() for n in (one, other))
    edited = list(lines)
    edited[one] = lines[one].replace(first, second)
    edited[other] = lines[other].replace(second, first)
    return edited


def other_time(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].replace(b'"at":"2026', b'"at":"2027')]


def other_tournament(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b"7" * 32, b"8" * 32), *lines[1:]]


@pytest.mark.parametrize("change", [swapped_names, other_time, other_tournament])
def test_behind_another_history_it_is_nobodys(
    change: Callable[[list[bytes]], list[bytes]],
) -> None:
    lines, line = ruling()
    made = behind(lines, "o2", RULING)
    sig = str(json.loads(line)["sig"])
    true = signed(made, sig)
    assert not check(fold_lines(lines), true, tree=tree_of(lines))
    edited = change(lines)
    assert edited != lines
    found = check(fold_lines(edited), true, tree=tree_of(edited))
    assert "not made with a key of o2" in "; ".join(map(str, found))
    assert "with a key of Pat Jones" in "; ".join(
        line_of(each, {"o2": "Pat Jones"}) for each in found
    )


def test_a_line_swapped_or_left_out_before_it() -> None:
    """At its own place, after every change of the order of the lines before it."""
    lines, line = ruling()
    true = signed(behind(lines, "o2", RULING), str(json.loads(line)["sig"]))
    tournament = fold_lines(lines)
    for place in range(len(lines) - 1):
        edited = [*lines]
        edited[place], edited[place + 1] = edited[place + 1], edited[place]
        assert check(tournament, true, tree=tree_of(edited))
        assert check(tournament, true, tree=tree_of([*lines[:place], *lines[place + 1 :]]))


def test_at_another_place() -> None:
    lines, line = ruling()
    tree = tree_of(lines)
    tree.add(leaf_hash(line))
    again = behind([*lines, line], "o2", RULING)
    again = signed(again, str(json.loads(line)["sig"]))
    found = check(fold_lines([*lines, line.replace(b"forged", b"first")]), again, tree=tree)
    assert "not made with a key of o2" in "; ".join(map(str, found))

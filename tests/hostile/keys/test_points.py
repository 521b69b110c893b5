"""Public keys with a part of low order, and numbers in a policy that are written in two ways."""

from __future__ import annotations

import random

import pytest

from ledger.proof import formats
from ledger.proof.formats import ED25519, Invalid, Key, checked_public, is_signed, parse_key
from ledger.proof.notes import signer, vkey
from ledger.proof.policy import parse_policy
from tests.support.signed_logs import WITNESS, log_signer
from tests.truth import second_curve as second
from tests.truth import second_verifier

LOW = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""The eight points whose order divides 8."""

MIXED = "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"
"""Of "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko), appendix C: of mixed order."""

OTHER_SPELLINGS = (
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
)
"""Of the same paper, table 6 (c): encodings of points of low order that no encoder writes."""


def pressed(point: second.Point) -> bytes:
    """RFC 8032 5.1.2."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def keys() -> list[bytes]:
    """Public keys as they are made."""
    return [signer("a", bytes([n]) * 32).key.public for n in range(1, 33)]


@pytest.mark.parametrize("text", [*LOW, MIXED])
def test_published_points_with_a_part_of_low_order(text: str) -> None:
    public = bytes.fromhex(text)
    with pytest.raises(Invalid, match="of low order"):
        checked_public(public)
    assert second.decompressed(public) is not None
    assert not second.is_usable(public)
    with pytest.raises(Invalid, match="of low order"):
        parse_key(vkey(Key("thief", ED25519, public)), ED25519)


@pytest.mark.parametrize("text", OTHER_SPELLINGS)
def test_published_points_in_another_spelling(text: str) -> None:
    with pytest.raises(Invalid, match="not a canonical point"):
        checked_public(bytes.fromhex(text))
    assert not second.is_usable(bytes.fromhex(text))


@pytest.mark.slow
@pytest.mark.parametrize("text", LOW[1:])
def test_a_key_with_each_part_of_low_order_added(text: str) -> None:
    part = second.decompressed(bytes.fromhex(text))
    assert part is not None
    for public in keys()[:8]:
        assert checked_public(public) == public
        assert second.is_usable(public)
        point = second.decompressed(public)
        assert point is not None
        mixed = pressed(second.add(point, part))
        with pytest.raises(Invalid, match="of low order"):
            checked_public(mixed)
        assert not second.is_usable(mixed)


@pytest.mark.slow
def test_both_verifiers_take_the_same_keys() -> None:
    draw = random.Random(8)
    taken = 0
    for _ in range(300):
        public = draw.randbytes(32)
        try:
            checked_public(public)
        except Invalid:
            assert not second.is_usable(public)
        else:
            taken += 1
            assert second.is_usable(public)
    assert taken > 5  # every second is a point, and every eighth of those is of prime order


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_a_key_of_another_length(length: int) -> None:
    with pytest.raises(Invalid, match="not a canonical point"):
        checked_public(keys()[0].ljust(64, b"\0")[:length])


def test_what_the_check_is_for() -> None:
    """Under the neutral point one signature holds for everything that is said."""
    everything = LOW[0] + "00" * 32
    assert is_signed(bytes.fromhex(LOW[0]), bytes.fromhex(everything), b"Ann won")
    assert is_signed(bytes.fromhex(LOW[0]), bytes.fromhex(everything), b"Bob won")


def test_the_check_is_made_once_for_a_key() -> None:
    checked_public.cache_clear()
    for _ in range(50):
        checked_public(keys()[0])
    assert checked_public.cache_info().misses == 1
    assert formats.checked_public is checked_public


NUMBERS = ("01", "+1", "1_0", "1.0", "1e0", "0x1", "-1", "0", "\u0661", "", "100000", "x")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_in_a_policy_has_one_spelling(number: str) -> None:
    def policy(count: str) -> bytes:
        lines = (
            f"log {vkey(log_signer('5' * 32).key)}",
            f"witness one {vkey(WITNESS.key)}",
            f"group two {count} one",
            "quorum two",
        )
        return "\n".join([*lines, ""]).encode()

    assert parse_policy(policy("1")).groups["two"] == (1, ["one"])
    assert second_verifier.policy_of(policy("1")) is not None
    with pytest.raises(Invalid, match="line 3 of the policy: it is not a policy line"):
        parse_policy(policy(number))
    assert second_verifier.policy_of(policy(number)) is None

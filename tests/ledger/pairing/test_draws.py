"""The draws: the documented procedure, written a second time, and its evenness."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.pairing.shuffling import Draws
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS = st.binary(min_size=1, max_size=100)
LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))
CONTEXTS = st.lists(st.integers(0, 10_000), max_size=4)


def numbers_of(
    key: bytes, procedure: str, context: list[int], word: str, anchor: str = ""
) -> Iterator[int]:
    """Yield the stream by the text of `ledger.pairing.shuffling`, HMAC by the text of RFC 2104."""
    if len(key) > 64:
        key = hashlib.sha256(key).digest()
    padded = key.ljust(64, b"\0")
    inner = bytes(byte ^ 0x36 for byte in padded)
    outer = bytes(byte ^ 0x5C for byte in padded)
    lines = ["tourney draws 2", procedure, " ".join(map(str, context)), word, anchor]
    block = 0
    while True:
        message = "\n".join(lines).encode("utf-8") + block.to_bytes(8, "big")
        digest = hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24))
        block += 1


def below(numbers: Iterator[int], n: int) -> int:
    """Draw by rejection, as described."""
    multiples = 2**64 // n
    return next(number for number in numbers if number < multiples * n) % n


@pytest.mark.slow
@given(KEYS, CONTEXTS, LINES, LINES, st.lists(st.integers(1, 2**64), max_size=40))
@examples(1_000)
def test_below_follows_the_description(
    key: bytes, context: list[int], word: str, anchor: str, bounds: list[int]
) -> None:
    """Any key, context, word and anchor; bounds of any size, one after the other."""
    draws = Draws(key, "swiss@1", *context, word=word, anchor=anchor)
    numbers = numbers_of(key, "swiss@1", context, word, anchor)

    assert [draws.below(n) for n in bounds] == [below(numbers, n) for n in bounds]


@pytest.mark.slow
@given(KEYS, st.integers(0, 700))
def test_shuffled_and_rank_follow_the_description(key: bytes, count: int) -> None:
    """Fields over many refills, and a rank drawn after them."""
    draws = Draws(key, "opening@3", 1, 2, 3)
    numbers = numbers_of(key, "opening@3", [1, 2, 3], "")
    expected = list(range(count))
    for at in reversed(range(1, count)):
        other = below(numbers, at + 1)
        expected[at], expected[other] = expected[other], expected[at]

    assert draws.shuffled(range(count)) == expected
    assert draws.random_rank() == next(numbers) % 2**48


def test_known_answer() -> None:
    r"""A stranger's first check; the block as OpenSSL computes it.

    printf 'tourney draws 2\nswiss@1\n1 4 1\nbadger\n\0\0\0\0\0\0\0\0' | openssl dgst -sha256
    -mac HMAC -macopt hexkey:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
    """
    draws = Draws(bytes(range(32)), "swiss@1", 1, 4, 1, word="badger")
    block = b"".join(draws.below(2**64).to_bytes(8, "big") for _ in range(4))

    assert block.hex() == "fd313674c00cd694475767c91b90dbd2bd89cae44cd955c148b2a932e235dc38"


def test_a_biased_remainder_is_rejected() -> None:
    """Just over half of the numbers are refused for n = 2^63 + 1; none may come out twice."""
    n = 2**63 + 1
    draws = Draws(b"key", "test@1")
    numbers = numbers_of(b"key", "test@1", [], "")
    accepted = [number for number in (next(numbers) for _ in range(200)) if number < n]

    assert 60 < len(accepted) < 140
    assert [draws.below(n) for _ in accepted] == accepted


@pytest.mark.parametrize("n", [2, 3, 7, 10, 100])
def test_below_is_even(n: int) -> None:
    """Chi-square below the mean plus four standard deviations, for a fixed key."""
    draws = Draws(b"a fixed key", "evenness@1", n)
    count = 200 * n
    seen = Counter(draws.below(n) for _ in range(count))
    chi_square_times_200 = sum((seen[value] - 200) ** 2 for value in range(n))

    assert set(seen) == set(range(n))
    assert chi_square_times_200 < 200 * ((n - 1) + 4 * 2 * n**0.5)


def test_shuffled_gives_every_order_about_as_often() -> None:
    """Chi-square over the 24 orders of four, as above."""
    draws = Draws(b"a fixed key", "evenness@1", 0)
    seen = Counter(tuple(draws.shuffled("abcd")) for _ in range(24 * 200))

    assert set(seen) == set(permutations("abcd"))
    assert sum((times - 200) ** 2 for times in seen.values()) < 200 * (23 + 4 * 46**0.5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Draws(b"k", "swiss@1", 1, 2), Draws(b"l", "swiss@1", 1, 2)),
        (Draws(b"k", "swiss@1", 1, 2), Draws(b"k", "swiss@2", 1, 2)),
        (Draws(b"k", "swiss@1", 1, 2), Draws(b"k", "swiss@1", 12)),
        (Draws(b"k", "swiss@1", 1, 2), Draws(b"k", "swiss@1", 1, 2, word="2")),
        (Draws(b"k", "swiss@1", word="1"), Draws(b"k", "swiss@1", anchor="1")),
    ],
    ids=["key", "procedure", "context", "word", "word like an anchor"],
)
def test_draws_differ_with(one: Draws, other: Draws) -> None:
    """Whatever tells two draws apart changes the stream."""
    assert [one.below(2**64) for _ in range(3)] != [other.below(2**64) for _ in range(3)]


def test_numbers_do_not_repeat_over_refills() -> None:
    """The counter runs on from one refill to the next."""
    draws = Draws(b"k", "test@1")
    numbers = [draws.below(2**64) for _ in range(2_000)]

    assert len(set(numbers)) == 2_000
    assert all(first != second for first, second in pairwise(numbers))


def test_items_stay_as_they_were() -> None:
    """A shuffle is a new list."""
    items = [3, 1, 2]

    assert sorted(Draws(b"k", "test@1").shuffled(items)) == [1, 2, 3]
    assert items == [3, 1, 2]


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_refuses(n: int) -> None:
    """A bound that no number of eight bytes can serve."""
    with pytest.raises(ValueError, match="cannot draw below"):
        Draws(b"k", "test@1").below(n)


def test_an_empty_key_is_refused() -> None:
    """It would make every draw foreseeable."""
    with pytest.raises(ValueError, match="needs a shuffle key"):
        Draws(b"", "test@1")


def test_nothing_can_pose_as_another_line_of_the_label() -> None:
    """Two different draws never share a label."""
    for procedure, texts in (("swiss@1\n7", {}), ("s", {"word": "1\n2"}), ("s", {"anchor": "\n"})):
        with pytest.raises(ValueError, match="one line"):
            Draws(b"k", procedure, **texts)

"""The tree as files for a static host (C2SP tlog-tiles): any reader of that format can check it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.proof.evidence.prover import Prover

WIDTH = 256
HEIGHT = 8
GROUP = 1_000


def tiles(prover: Prover, entries: list[bytes], note: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each file's path and content; the head comes last, when all it counts on is there."""
    for place in range(0, len(entries), WIDTH):
        bundle = entries[place : place + WIDTH]
        data = b"".join(len(each).to_bytes(2, "big") + each for each in bundle)
        yield f"tile/entries/{tile_path(place // WIDTH, len(bundle))}", data
    for level, hashes in enumerate(prover.levels[::HEIGHT]):
        for place in range(0, len(hashes), WIDTH):
            tile = hashes[place : place + WIDTH]
            yield f"tile/{level}/{tile_path(place // WIDTH, len(tile))}", b"".join(tile)
    yield "checkpoint", note


def tile_path(number: int, width: int) -> str:
    """Write a tile's number in groups of three digits, all but the last with an x."""
    groups = [f"{number % GROUP:03}"]
    while number := number // GROUP:
        groups.insert(0, f"x{number % GROUP:03}")
    return "/".join(groups) + ("" if width == WIDTH else f".p/{width}")

"""A tournament's state as bytes and back: what a snapshot holds.

The state is written as its own structs, so that whatever is added to them is kept, but for four
things. Matches stand in the state twice, in their round and by their number, and are one object:
they are written once, as rows of numbers, with each different result once beside them. The
ruleset is read again from the opening's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec import structs

from ledger.events.results import Result  # noqa: TC001 - msgspec resolves the annotations
from ledger.rulesets import parse
from ledger.state import Match
from ledger.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.sealing import Seals

_Row = tuple[int, int, int, int, int, int, int, bool]
"""A match: number, round, table, first, second, place of its result (0: none), its event, void."""


class _Kept(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`seated` has for each round the numbers of its matches; the last three are the seals'."""

    tournament: Tournament
    results: list[Result]
    matches: list[_Row]
    seated: list[list[int]]
    digests: dict[str, str]
    forgotten: list[str]
    unopened: list[str]


class Unpacked(NamedTuple):
    """A tournament, and what its seals had met on the way: see `Seals`."""

    tournament: Tournament
    digests: dict[str, str]
    forgotten: frozenset[str]
    unopened: set[str]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Kept)


def pack(tournament: Tournament, seals: Seals) -> bytes:
    """Write a state down."""
    results: dict[bytes, Result] = {}
    places: dict[bytes, int] = {}
    bare = structs.replace(
        tournament,
        rules=None,
        matches=[],
        rounds=[structs.replace(played, matches=[]) for played in tournament.rounds],
    )
    kept = _Kept(
        bare,
        [],
        [_row(match, results, places) for match in tournament.matches],
        [[match.number for match in played.matches] for played in tournament.rounds],
        seals.digests,
        sorted(seals.forgotten),
        sorted(seals.unopened),
    )
    return _ENCODER.encode(structs.replace(kept, results=list(results.values())))


def _row(match: Match, results: dict[bytes, Result], places: dict[bytes, int]) -> _Row:
    place = 0
    if match.result is not None:
        written = _ENCODER.encode(match.result)
        results.setdefault(written, match.result)
        place = places.setdefault(written, len(results))
    return (
        match.number,
        match.round,
        match.table,
        match.first,
        match.second,
        place,
        match.result_seq,
        match.void,
    )


def unpack(data: bytes) -> Unpacked:
    """Read what `pack` wrote.

    Raises:
        msgspec.DecodeError, IndexError, ValueError: it did not.
    """
    kept = _DECODER.decode(data)
    tournament = kept.tournament
    if tournament.opening is not None:
        tournament.rules = parse(tournament.opening.ruleset.text)
    tournament.matches = _matches(kept.matches, (None, *kept.results))
    for played, numbers in zip(tournament.rounds, kept.seated, strict=True):
        played.matches = [tournament.matches[number] for number in numbers]
    return Unpacked(tournament, kept.digests, frozenset(kept.forgotten), set(kept.unopened))


def _matches(rows: Sequence[_Row], results: Sequence[Result | None]) -> list[Match]:
    return [
        Match(number, played, table, first, second, results[place], seq, void)
        for number, played, table, first, second, place, seq, void in rows
    ]

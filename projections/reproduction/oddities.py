"""What is unusual in the rounds of a file, whatever it publishes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Tournament


class Oddity(Struct, frozen=True):
    """A rematch, a second bye, or two byes at once: the round, and whom it is about."""

    kind: str
    round: int
    players: tuple[int, ...]
    before: int = 0
    """The round in which it was so before."""


def oddities(tournament: Tournament) -> Iterator[Oddity]:
    """Yield what is unusual in the Swiss rounds, in their order."""
    met: dict[tuple[int, ...], int] = {}
    byes: dict[int, int] = {}
    for round_ in tournament.rounds:
        if not tournament.stages[round_.stage - 1].is_swiss:
            continue
        alone = 0
        for match in round_.matches:
            key = tuple(sorted(match.players))
            if match.is_bye:
                if match.named or not key:
                    continue
                if earlier := byes.get(key[0], 0):
                    yield Oddity("second-bye", round_.number, key, earlier)
                if alone:
                    yield Oddity("two-byes", round_.number, (alone, *key))
                byes.setdefault(key[0], round_.number)
                alone = key[0]
            elif (earlier := met.setdefault(key, round_.number)) != round_.number:
                yield Oddity("rematch", round_.number, key, earlier)
        yield from _open(tournament, round_.number)


def _open(tournament: Tournament, number: int) -> Iterator[Oddity]:
    """Yield the tables without a result of a round that others followed."""
    round_ = tournament.rounds[number - 1]
    if number < len(tournament.rounds):
        for match in round_.matches:
            if match.is_open:
                yield Oddity("no-result", number, match.players)

"""The hidden hands of lists once their key is revealed: what the end finds wrong with them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.errors import LedgerError
from ledger.problems import Player, Problem, problem
from ledger.tournament.lists.hidden_hands import (
    clause_of,
    counts,
    found_of,
    is_significant,
    joined,
    parts_at,
    shape_of,
    split,
)
from ledger.tournament.state import Tournament


def problems(tournament: Tournament, key: bytes) -> Iterator[Problem]:
    """Yield the latest lists and checks that the revealed key does not open, or which are wrong.

    Those that were sealed with a key that is lost nobody can look at.
    """
    for player, held in tournament.lists.items():
        if held.handed:
            yield from _list_problems(tournament, key, player, len(held.handed))
        if held.checked and held.checked.hidden and not held.is_lost:
            found = found_of(tournament, key, player)
            if found is None or counts(found.findings) != held.checked.counts:
                yield problem(
                    "list.findings_closed",
                    "what the check of the list of {player} found does not open with the key "
                    "as it was counted: check it again",
                    clause=clause_of(tournament),
                    player=Player(player),
                )


def wrong_before(tournament: Tournament, key: bytes) -> Iterator[tuple[int, int]]:
    """Yield player and event of the replaced lists which are wrong: the end passes them over."""
    for player, held in tournament.lists.items():
        for count, handed in enumerate(held.handed[:-1], start=1):
            if any(_list_problems(tournament, key, player, count)):
                yield player, handed.seq


def _list_problems(
    tournament: Tournament, key: bytes, player: int, count: int
) -> Iterator[Problem]:
    """Yield what is wrong with a player's list of this number, where it has a hidden part."""
    listed = tournament.lists[player].handed[count - 1]
    if not listed.hidden or listed.is_lost:
        return
    clause, of = clause_of(tournament), Player(player)
    try:
        parts = parts_at(tournament, key, player, count)
        if parts is None:
            text = "the hidden part of the list of {player} does not open: correct the list"
            yield problem("list.closed", text, clause=clause, player=of)
        elif split(tournament, joined(parts)) != parts:
            text = "the hidden part of the list of {player} holds something else: correct the list"
            yield problem("list.not_hidden", text, clause=clause, player=of)
        elif _is_said_wrongly(tournament, key, player, count):
            text = "whether the correction of the list of {player} changes it is said wrongly"
            yield problem("list.said_wrongly", text, clause="FFG-LIST", player=of)
    except LedgerError as error:
        text = "the hidden part of the list of {player} cannot be read: {error}"
        yield problem("list.unreadable", text, clause=clause, player=of, error=str(error))


def _is_said_wrongly(tournament: Tournament, key: bytes, player: int, count: int) -> bool:
    listed = tournament.lists[player].handed[count - 1]
    if listed.significant is None or tournament.lists[player].handed[count - 2].is_lost:
        return False
    old, new = (parts_at(tournament, key, player, each) for each in (count - 1, count))
    if old is None or new is None:
        return False
    return listed.significant != is_significant(old, new, shape_of(tournament))

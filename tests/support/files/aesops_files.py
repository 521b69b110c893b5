"""AesopsTables files made by hand, from the shape of its public exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]
BYE = "(BYE)"


def seat(table: int, corp: object, runner: object, scores: tuple[str, str]) -> Json:
    """A Swiss table; scores are text, and `(BYE)` is nobody."""
    identities = {"corpIdentity": "NBN: Reality Plus", "runnerIdentity": ""}
    sides = {"corpPlayer": corp, "runnerPlayer": runner}
    return sides | identities | {
        "corpScore": scores[0], "runnerScore": scores[1], "tableNumber": table,
    }  # fmt: skip


def knockout(table: int, corp: int, runner: int, winner: int | None) -> Json:
    """An elimination game, with a winner and a loser by id."""
    loser = None if winner is None else corp + runner - winner
    return {
        "corpPlayer": corp, "runnerPlayer": runner, "eliminationGame": True,
        "winner_id": winner, "loser_id": loser, "tableNumber": table,
    }  # fmt: skip


def aesops(players: int, rounds: Sequence[Sequence[Json]], **members: object) -> Json:
    """A file of that many players, whose ids begin at 101."""
    listed = [
        {"id": 100 + number, "name": f"Player {number}", "rank": number, "sideBalance": 0}
        for number in range(1, players + 1)
    ]
    return {
        "name": "Event", "date": "2024-02-29", "cutToTop": 0, "preliminaryRounds": len(rounds),
        "players": listed, "eliminationPlayers": [], "rounds": rounds,
        "uploadedFrom": "AesopsTables", **members,
    }  # fmt: skip

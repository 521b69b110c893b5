"""NRTM/Cobra files made by hand, and importing them without a store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger.exchange.log_files import admit_line
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.translating import translate
from ledger.proof.formats import Tree
from ledger.tournament.state import Tournament
from projections.standings.table import as_json, ranking, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]


def table(one: object, other: object, first: int | None, second: int | None) -> Json:
    """A Swiss table with the points of both sides; None is not reported."""
    return {
        "table": None,
        "player1": {"id": one, "combinedScore": first},
        "player2": {"id": other, "combinedScore": second},
        "eliminationGame": False,
    }


def game(one: object, other: object, winner: object) -> Json:
    """An elimination game; the winner is an id, or None."""
    sides = [
        {"id": side, "role": None, "winner": None if winner is None else winner == side}
        for side in (one, other)
    ]
    return {"table": None, "player1": sides[0], "player2": sides[1], "eliminationGame": True}


def document(
    players: Sequence[object], rounds: Sequence[Sequence[Json]], **members: object
) -> Json:
    """A file; players are ids, their names `Player <id>`, their ranks their order."""
    listed = [
        {"id": key, "name": f"Player {key}", "rank": rank} for rank, key in enumerate(players, 1)
    ]
    return {
        "name": "Event",
        "date": "2024-02-29",
        "cutToTop": 0,
        "preliminaryRounds": sum(not each[0].get("eliminationGame") for each in rounds if each),
        "players": listed,
        "eliminationPlayers": [],
        "rounds": rounds,
        "uploadedFrom": "Cobra",
        **members,
    }


def as_bytes(content: object) -> bytes:
    """The file's bytes."""
    return json.dumps(content, ensure_ascii=False).encode()


def imported(content: Json) -> Tournament:
    """Import a file and replay what it became, as from an export."""
    told = translate(read_nrtm(as_bytes(content)), ranking)
    tournament, tree = Tournament(), Tree()
    for _, line in told:
        admit_line(tournament, line, tree)
    return tournament


def events_of(content: Json) -> list[str]:
    """The types of the events that a file becomes."""
    return [kind for kind, _ in translate(read_nrtm(as_bytes(content)), ranking)]


def rows(tournament: Tournament) -> list[Any]:
    """The standings as scripts get them."""
    return as_json(standings(tournament), tournament.names)


def points(tournament: Tournament) -> dict[str, int]:
    """Points by name, without the word that every name begins with."""
    return {row["name"].removeprefix("Player "): row["points"] for row in rows(tournament)}

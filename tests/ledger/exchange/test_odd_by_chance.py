"""Whatever is odd at the tables of a file, by chance: the event goes in, and nothing is a crash."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from ledger.exchange import NRTM
from ledger.exchange.importing import read_foreign
from ledger.exchange.programs import program_of
from projections.published_tables import compared
from projections.reproduction import made
from tests.support.files.foreign_files import foreign_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.files.played_events import ForeignFile

    Json = dict[str, Any]
    Change = Callable[[random.Random, Json, list[Json]], None]

LAYOUTS = ("melee", "cobra", "aesops", "listfortress")
FILES = [file for file in foreign_files(5) if file.layout in LAYOUTS]
RESULTS = (
    "0-0-0", "0-0-3", "1-1-0", "3-2-0", "-", "", "2-0-", "2-2-0", "Draw", "0-2-0", "4-3-0",
    "0-0-12",
)  # fmt: skip


def change_melee(chance: random.Random, match: Json, others: list[Json]) -> None:
    side = chance.choice(["Player1", "Player2"])
    match[side], match["Result"] = chance.choice(
        [
            (match[side], chance.choice(RESULTS)),
            ("-", match["Result"]),
            (chance.choice(others)["Player1"], match["Result"]),
        ]
    )


def change_fortress(chance: random.Random, match: Json, others: list[Json]) -> None:
    sides = (match["player1_id"], match["player2_id"])
    match.update(
        chance.choice(
            [
                {"player1_points": chance.choice([0, 300, 750, -5, None, 200])},
                {"player2_id": None},
                {"winner_id": chance.choice([None, *sides, 1])},
                {"player2_points": match["player1_points"]},
                {"player1_id": chance.choice(others)["player1_id"]},
            ]
        )
    )


def change_cobra(chance: random.Random, match: Json, others: list[Json]) -> None:
    side = match[chance.choice(["player1", "player2"])]
    changes: list[Json] = [
        {"combinedScore": chance.choice([0, 1, 5, 7, 12, -1, None, 6, 10**7])},
        {"id": None},
        {"id": chance.choice(others)["player1"]["id"]},
    ]
    if match["eliminationGame"]:
        changes.append({"winner": chance.choice([True, False, None])})
    side.update(chance.choice(changes))


def change_aesops(chance: random.Random, match: Json, _others: list[Json]) -> None:
    changes: list[Json] = [
        {"corpScore": chance.choice(["0", "1", "3", "6", "", "7"])},
        {"runnerPlayer": "(BYE)"},
    ]
    if "winner_id" in match:
        changes.append({"winner_id": chance.choice([None, match["corpPlayer"], 99_999])})
    match.update(chance.choice(changes))


CHANGES: dict[str, Change] = {
    "melee": change_melee, "listfortress": change_fortress, "cobra": change_cobra,
    "aesops": change_aesops,
}  # fmt: skip


def changed(file: ForeignFile, chance: random.Random) -> bytes:
    """Return a file with some of its tables changed, left out or listed again."""
    content = json.loads(file.data)
    rounds = content.get("Rounds") or content["rounds"]
    for _ in range(chance.randint(1, 4)):
        round_ = chance.choice(rounds)
        listed = round_
        if isinstance(round_, dict):
            listed = round_["Matches" if file.layout == "melee" else "matches"]
        if not listed:
            continue
        match = chance.choice(listed)
        how = chance.random()
        if how < 0.15:
            listed.append(json.loads(json.dumps(match)))
        elif how < 0.3:
            listed.remove(match)
        else:
            CHANGES[file.layout](chance, match, listed)
    return json.dumps(content).encode()


def goes_in(seed: int) -> None:
    chance = random.Random(f"odd {seed}")
    data = changed(chance.choice(FILES), chance)
    foreign = read_foreign(program_of(data) or NRTM, data, None)
    compared(foreign, made(foreign))


@pytest.mark.parametrize("seed", range(40))
def test_the_event_goes_in(seed: int) -> None:
    goes_in(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_many_events_go_in(block: int) -> None:
    for seed in range(1_000 + 100 * block, 1_100 + 100 * block):
        goes_in(seed)

"""A long chess event with byes, forfeits, halves: in, out in both forms, in again, and checked."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ledger.exchange.programs import read_program
from ledger.rulesets import text_of
from projections.published_tables import compared
from projections.reproduction import made
from tests.ledger.exchange.test_sheets import by_name
from tests.ledger.exchange.test_written_programs import written
from tests.support.files.program_files import trf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

ROUNDS = 11
PLAYERS = 14
GAMES = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "--": "-"}
WORTH = {"1": 2, "0": 0, "=": 1, "+": 2, "-": 0, "U": 2, "F": 2, "H": 1, "Z": 0}
FORMS = ("trf16", "trf26")


def event(seed: int) -> tuple[bytes, list[int]]:
    """A report file of an event by chance, and each player's points in halves."""
    chance = random.Random(f"long {seed}")
    cells: list[list[str]] = [[] for _ in range(PLAYERS)]
    points = [0] * PLAYERS
    for _ in range(ROUNDS):
        seats = chance.sample(range(PLAYERS), PLAYERS)
        for kind in chance.choices("HFZ", k=chance.choice((0, 0, 2))):
            alone = seats.pop()
            cells[alone].append(f"0000 - {kind}")
            points[alone] += WORTH[kind]
        for first, second in zip(seats[::2], seats[1::2], strict=True):
            result = chance.choice(("1", "1", "0", "=", "=", "+", "-", "--"))
            both = result[:1], GAMES[result]
            for own, other, colour, mark in (
                (first, second, "w", both[0]), (second, first, "b", both[1]),
            ):  # fmt: skip
                cells[own].append(f"{other + 1:>4} {colour} {mark}")
                points[own] += WORTH[mark]
    listed = [
        (f"Player {number}", f"{points[number] / 2:.1f}", 0, cells[number])
        for number in range(PLAYERS)
    ]
    return trf(listed, f"XXR {ROUNDS}"), points


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_it_comes_out_and_in_again_the_same(seed: int, form: str) -> None:
    data, points = event(seed)
    foreign = read_program("trf", data, text_of("fide"))
    tournament = made(foreign)
    assert not compared(foreign, tournament).wrong
    found = by_name(tournament)
    assert [found[f"Player {number}"][0] for number in range(PLAYERS)] == points
    again = read_program("trf", written(form, tournament), text_of("fide"))
    table = compared(again, made(again))
    assert by_name(made(again)) == found
    assert table.numbers == 2 * PLAYERS, "points and place of everybody"
    assert not table.wrong


@pytest.mark.parametrize("form", FORMS)
def test_at_the_desk_from_file_to_file(desk: Desk, tmp_path: Path, form: str) -> None:
    """Imported, written, reproduced, exported as a log and verified."""
    (tmp_path / "open.trf").write_bytes(event(7)[0])
    desk.done("import", str(tmp_path / "open.trf"))
    standings = desk.done("standings", "--csv").out
    out, log = tmp_path / "out.trf", tmp_path / "log.jsonl"
    desk.done("export", "--form", form, "-o", str(out))
    assert "all published numbers follow" in desk.done("reproduce", str(out)).err
    desk.done("import", str(out), "--as-new")
    assert desk.done("standings", "--csv").out == standings
    desk.done("export", "-o", str(log))
    assert "verified up to the end of the file" in desk.done("verify", str(log)).err
    halves = [Fraction(row["points"], 2) for row in desk.done("standings", "--json").json]
    assert any(each.denominator == 2 for each in halves)

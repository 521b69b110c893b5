"""`format`: what it prints, its exit codes, and files that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import formats
from tests.support.files.format_lists import SAMPLES

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

CARDS = {path.stem: str(path) for path in (SAMPLES / "cards").iterdir()}
LISTS = {path.stem: str(path) for path in (SAMPLES / "lists").iterdir()}


def test_the_list_of_formats(desk: Desk) -> None:
    held = desk.done("format", "--json").json
    assert [each["key"] for each in held] == list(formats.names())
    assert held[0]["variants"] == ["built", "drafted", "scenario", "draft-pool"]
    assert "l5r-legacy" in desk.done("format").out


def test_showing_a_format(desk: Desk) -> None:
    """LEG-VARIANT: the rules in force are shown for the variant that is asked for."""
    big = desk.done("format", "show", "l5r-legacy:bigdeck").out
    plain = desk.done("format", "show", "l5r-legacy").out
    assert "Clan Allegiance" in big
    assert "Clan Allegiance" not in plain
    rules = desk.done("format", "show", "l5r-legacy:bigdeck", "--json").json["rules"]
    assert {"name": "No Cycle", "clause": "LEG-VARIANT", "by_agreement": False} in rules
    assert desk.done("format", "show", "l5r", "--toml").out == formats.text_of("l5r")


@pytest.mark.parametrize("key", formats.names())
def test_checking_a_legal_list(desk: Desk, key: str) -> None:
    answer = desk.done(
        "format", "check", key, LISTS[key], "--cards", CARDS[key], "--date", "2018-11-03"
    )
    assert "0 problems" in answer.err


def test_checking_a_list_with_findings(desk: Desk) -> None:
    """Exit code 1, every finding, and which card file was followed (LEG-ORACLE)."""
    line = (
        "format",
        "check",
        "l5r-legacy",
        LISTS["l5r-legacy-findings"],
        "--cards",
        CARDS["l5r-legacy"],
    )
    answer = desk.type(*line)
    assert answer.code == 1
    assert "LEG-STARTING" in answer.out
    held = desk.type(*line, "--json")
    assert held.code == 1
    states = [finding["state"] for finding in held.json["findings"]]
    assert (states.count("breaks"), states.count("not checked")) == (6, 1)
    assert held.json["cards"]["version"] == "2024-05"
    assert "personalities, unaligned: 2 (LEG-CLAN)" in held.json["derived"]


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (["check", "l5r", "LIST"], 2, "needs the card file: --cards FILE"),
        (["check", "l5r"], 2, "format check: give KEY|FILE LIST, not only 'l5r'"),
        (["shwo", "l5r"], 2, "format"),
        (
            ["check", "l5r", "LIST", "--cards", "CARDS", "--tier", "big"],
            2,
            "relaxed, formal, premier",
        ),
        (
            ["check", "l5r", "LIST", "--cards", "CARDS", "--date", "soon"],
            2,
            "--date must be a date",
        ),
        (["check", "l6r", "LIST", "--cards", "CARDS"], 3, "no format 'l6r'; did you mean l5r"),
        (["check", "ashes:x", "LIST", "--cards", "CARDS"], 3, "no variant 'x'"),
        (["check", "l5r", "none.txt", "--cards", "CARDS"], 3, "none.txt cannot be read"),
        (["check", "l5r", "LIST", "--cards", "none.csv"], 3, "none.csv cannot be read"),
        (["check", "none.toml", "LIST", "--cards", "CARDS"], 3, "none.toml cannot be read"),
    ],
)
def test_a_wrong_line(desk: Desk, line: list[str], code: int, told: str) -> None:
    given = {"LIST": LISTS["l5r"], "CARDS": CARDS["l5r"]}
    answer = desk.refused("format", *(given.get(word, word) for word in line))
    assert answer.code == code
    assert told in answer.err


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"Deck\n" + b"1 Aki\n" * 2_000_000, "big.txt: the list has more than 24,000 bytes"),
        (b"\xff\xfe", "is UTF-16 text"),
        (b"Deck\n1 \x1b]0;x\x07", "control character"),
    ],
)
def test_a_bad_list_is_one_line(desk: Desk, data: bytes, told: str) -> None:
    """Exit code 1, and nothing is written."""
    path = desk.folder / "big.txt"
    path.write_bytes(data)
    answer = desk.refused("format", "check", "l5r", str(path.name), "--cards", CARDS["l5r"])
    assert answer.code == 1
    assert told in answer.err
    assert [each.name for each in desk.folder.iterdir()] == ["big.txt"]


@pytest.mark.parametrize(("key", "other"), [("l5r", "l5r-legacy"), ("runewars", "ashes")])
def test_another_games_card_file_is_named(desk: Desk, key: str, other: str) -> None:
    """Not a line for each of its columns."""
    told = desk.refused("format", "check", key, LISTS[key], "--cards", CARDS[other])
    assert told.code == 2
    assert told.err.endswith(f"this is a card file of {other}, not of {key}\n")


def test_a_bad_card_file_is_one_line_a_problem(desk: Desk) -> None:
    """Exit code 2, as for every file of data that is wrong."""
    (desk.folder / "c.csv").write_text("name,clan\nAki,Heron\n")
    answer = desk.refused("format", "check", "l5r", LISTS["l5r"], "--cards", "c.csv")
    assert (answer.code, answer.err) == (2, "tourney: c.csv: the column type is missing\n")
    (desk.folder / "c.csv").write_text("name,type,counts_as\nAki,Event,Ben\nBen,Event,Aki\n")
    answer = desk.refused("format", "check", "l5r-legacy", LISTS["l5r"], "--cards", "c.csv")
    assert answer.code == 2
    assert "forms a cycle" in answer.err


def test_a_house_format_by_its_file_and_variant(desk: Desk) -> None:
    text = formats.text_of("ashes").replace("least = 30\nmost = 30", "least = 31\nmost = 31")
    (desk.folder / "house.toml").write_text(text)
    line = ("format", "check", "house.toml:drafted", LISTS["ashes"], "--cards", CARDS["ashes"])
    answer = desk.type(*line)
    assert answer.code == 1
    assert "30 cards in the deck: exactly 31 allowed" in answer.out
    assert "ashes:drafted" in answer.err

"""`season people match` and `review`: proposals from the vault, decisions on record, undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.season.test_season_persons import report
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow

PEOPLE = {
    "first": [("Leverkusen, Ann", 0), ("Rayment, Bob", 0), ("Dorsey, Cas", 0)],
    "second": [("Ann Leverkusen", 0), ("Foxwell, Dee", 0), ("Okonkwo, Eve", 0)],
    "third": [("LEVERKUSEN, ANN", 0), ("Rayment, Bob", 0), ("Zielinski, Gus", 0)],
}
DECIDED = ("--by", "Kim", "--reason", "asked them")
ASKED = "SELECT person, known FROM people ORDER BY ALL"
NAMES = ("Leverkusen", "LEVERKUSEN", "Rayment", "Dorsey", "Foxwell", "Okonkwo", "Zielinski")


@typed_once
def season(desk: Desk) -> Desk:
    """Three reports of chess, read by a season and its vault."""
    (desk.folder / "logs").mkdir()
    for month, (name, people) in enumerate(PEOPLE.items(), start=3):
        (desk.folder / f"{name}.trf").write_bytes(report(name, people, f"2026/0{month}/14"))
        stream = desk.done("import", f"{name}.trf").out.strip()
        desk.done("export", "-t", stream, "-o", f"logs/{name}.jsonl")
    desk.done("season", "people", "name", "Nobody Here", "nobody")
    desk.done("season", "add", "logs")
    return desk


def proposals(desk: Desk, *words: str) -> list[dict[str, Any]]:
    return list(desk.done("season", "people", "match", "--json", "--from", "0.05", *words).json)


def of(desk: Desk, name: str) -> dict[str, Any]:
    """The proposal of the most entries that has a name."""
    found = [each for each in proposals(desk) if any(name in written for written in each["names"])]
    return max(found, key=lambda each: len(each["entries"]))


def persons(desk: Desk) -> list[str]:
    return [row["person"] for row in desk.done("query", "--json", ASKED).json if row["known"]]


@pytest.mark.usefixtures("season")
def test_names_are_proposed_and_accepted_by_key(desk: Desk) -> None:
    ann = of(desk, "Leverkusen")
    assert len(ann["entries"]) == len(ann["persons"]) == 3
    assert "the same name" in ann["evidence"]
    answer = desk.done("season", "people", "match", "--accept", ann["key"], *DECIDED, "--json")
    assert answer.json["joined"] == 2
    assert len(persons(desk)) == 3
    assert len(set(persons(desk))) == 1
    assert not any("Ann Leverkusen" in each["names"] for each in proposals(desk))
    acts = desk.done("season", "people", "acts", "--json").json
    assert {(act["kind"], act["made_by"], act["reason"]) for act in acts} == {
        ("merge", "Kim", "asked them")
    }
    for act in acts:
        desk.done("season", "people", "undo", str(act["number"]), *DECIDED)
    assert persons(desk) == []
    assert of(desk, "Leverkusen")["key"] == ann["key"]


@pytest.mark.usefixtures("season")
def test_not_the_same_is_not_proposed_again_until_it_is_undone(desk: Desk) -> None:
    bob = of(desk, "Rayment")
    desk.done("season", "people", "match", "--apart", bob["key"], *DECIDED)
    assert bob["key"] not in {each["key"] for each in proposals(desk)}
    desk.done("season", "people", "undo", "1", *DECIDED)
    assert bob["key"] in {each["key"] for each in proposals(desk)}


@pytest.mark.usefixtures("season")
def test_what_is_accepted_above_a_confidence_says_so(desk: Desk) -> None:
    desk.refused("season", "people", "match", "--accept-above", "0.3")
    desk.refused("season", "people", "match", "--accept-above", "2", *DECIDED)
    desk.done("season", "people", "match", "--accept-above", "0.3", *DECIDED)
    acts = desk.done("season", "people", "acts", "--json").json
    assert acts
    assert {act["reason"] for act in acts} == {"asked them (accepted above 0.3)"}
    assert not [each for each in proposals(desk) if each["confidence"] >= 0.3]


@pytest.mark.usefixtures("season")
def test_a_review_decides_line_by_line(desk: Desk) -> None:
    words = ("season", "people", "review", "--from", "0.05", *DECIDED)
    count = len(proposals(desk))
    assert count >= 2
    answer = desk.done(*words, stdin="?\ny\nu\nn\nq\n")
    assert "taken back" in answer.err
    kinds = [act["kind"] for act in desk.done("season", "people", "acts", "--json").json]
    assert kinds[-1] == "apart"
    assert kinds.count("undo") == kinds.count("merge")
    desk.done(*words, stdin="y\n" * count)
    assert persons(desk)


@pytest.mark.usefixtures("season")
def test_names_are_in_the_vault_alone(desk: Desk) -> None:
    desk.done("season", "people", "match", "--accept-above", "0.05", *DECIDED)
    desk.done("season", "site", "pages")
    desk.done("season", "export", "flat")
    desk.done("season", "derive", "parts", "logs")
    made = [desk.folder / "season.duckdb"]
    made += [
        path
        for folder in ("pages", "flat", "parts")
        for path in (desk.folder / folder).rglob("*")
        if path.is_file()
    ]
    assert len(made) > 20
    for path in made:
        data = path.read_bytes()
        for name in NAMES:
            assert name.encode() not in data, (path, name)
            assert name.casefold().encode() not in data, (path, name)

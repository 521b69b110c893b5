"""Published events computed again: real ones follow to the last digit, planted faults are found."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from ledger.exchange.importing import kind_of_file, read_foreign
from ledger.exchange.programs import read_program
from ledger.rulesets import text_of
from projections.reproduction import Reproduction, made, reproduce
from projections.standings.table import everyone
from tests.support.files.program_files import as_bytes, melee, row, trf
from tests.support.shared import SHARED, TOURNAMENTS, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

    Json = dict[str, Any]

OTHERS = tuple(sorted((SHARED / "real" / "others").glob("*.json")))
EXPLAINED = {
    "aesops-cut-to-8-32p": ("a player's own bye", "an opponent of 0"),
    "aesops-no-cut-8p": ("a player's own bye", "an opponent of 0"),
}
"""What AesopsTables does otherwise with a bye; all other files follow as they are."""


def of_path(path: Path) -> Reproduction:
    return reproduce(read_foreign(kind_of_file(path), path.read_bytes(), None))


@needs_shared
@pytest.mark.parametrize("path", [*TOURNAMENTS, *OTHERS], ids=lambda path: path.stem)
def test_every_published_number_of_a_real_event_follows_or_is_explained(path: Path) -> None:
    found = of_path(path)
    assert found.comparison.numbers
    explanation = EXPLAINED.get(path.stem)
    assert bool(found.comparison.wrong) == (explanation is not None)
    assert [(each.setting, each.value) for each in found.explained] == (
        [explanation] if explanation else []
    )


def played(seed: int = 1, rounds: int = 5, players: int = 13) -> list[tuple[str, list[Any]]]:
    """A Magic event by chance, with byes."""
    chance = random.Random(f"reproduced {seed}")
    names = [f"Player {number}" for number in range(1, players + 1)]
    met: set[frozenset[str]] = set()
    had: set[str] = set()
    found: list[tuple[str, list[Any]]] = []
    while len(found) < rounds:
        chance.shuffle(names)
        pairs = [frozenset(names[at : at + 2]) for at in range(0, players - 1, 2)]
        if met.intersection(pairs) or names[-1] in had:
            continue
        met.update(pairs)
        had.add(names[-1])
        scores = ["2-0-0", "2-1-0", "0-2-0", "1-2-0", "1-1-1", "1-0-0"]
        tables = [(*sorted(pair), chance.choice(scores)) for pair in pairs]
        found.append((f"Round {len(found) + 1}", [*tables, (names[-1], "-", "2-0-0")]))
    return found


def published(rounds: list[tuple[str, list[Any]]], ruleset: str = "") -> Json:
    """The event with the standings that follow from it, to four decimals."""
    text = ruleset or text_of("mtg")
    tournament = made(read_program("melee", as_bytes(melee(rounds, [])), text))
    rows = [
        row(
            each.rank,
            tournament.names[f"p{each.player}"],
            each.points,
            *map(_short, each.tiebreakers),
        )
        for each in everyone(tournament).rows
    ]
    return melee(rounds, rows)


def _short(number: Fraction) -> float:
    return round(float(number), 4)


def of_melee(content: Json) -> Reproduction:
    return reproduce(read_program("melee", as_bytes(content), text_of("mtg")))


def wrong(found: Reproduction) -> list[tuple[str, str]]:
    return [
        (row.name, each.code)
        for row in found.comparison.rows
        for each in row.figures
        if not each.agrees
    ]


@pytest.mark.parametrize("seed", range(3))
def test_an_event_with_its_own_standings_follows(seed: int) -> None:
    found = of_melee(published(played(seed)))
    assert found.comparison.numbers == 13 * 5
    assert (wrong(found), found.oddities, found.explained) == ([], (), ())


def test_percentages_of_a_hundred_follow_as_well() -> None:
    content = published(played())
    for each in content["Standings"]:
        each |= {name: round(each[name] * 100, 2) for name in ("OMWP", "GWP", "OGWP")}
    assert wrong(of_melee(content)) == []


def test_a_wrong_tiebreaker_is_found_and_no_setting_is_blamed() -> None:
    content = published(played())
    content["Standings"][3]["OMWP"] += 0.01
    found = of_melee(content)
    assert wrong(found) == [(content["Standings"][3]["Player"], "OMW")]
    assert (found.explained, found.nearly) == ((), None)


def test_swapped_ranks_are_found() -> None:
    content = published(played())
    first, second = content["Standings"][0:2]
    first["Rank"], second["Rank"] = 2, 1
    assert wrong(of_melee(content)) == [(first["Player"], "rank"), (second["Player"], "rank")]


def test_a_second_bye_and_a_rematch_are_found() -> None:
    rounds = played()
    name, tables = rounds[4]
    _, earlier = rounds[0]
    one, other, _ = earlier[0]
    rest = [each for pair in tables for each in pair[:2] if each not in {one, other, "-"}]
    alone = earlier[-1][0]
    rest.remove(alone)
    pairs = [(*rest[at : at + 2], "2-0-0") for at in range(0, len(rest), 2)]
    rounds[4] = (name, [(one, other, "2-0-0"), *pairs, (alone, "-", "2-0-0")])
    found = of_melee(published(rounds))
    kinds = [(each.kind, each.round, each.before) for each in found.oddities]
    assert ("second-bye", 5, 1) in kinds
    assert ("rematch", 5, 1) in kinds


BYE = '[bye]\nclause = "MTG-BYE"\npoints = '
MEAN = 'scale = 3\nfloor = "1/3"\nreduction = "mean"\n'
CHANGES = {
    "floor": ('floor = "1/3"', 'floor = "33/100"', ("floor of every percentage", "33/100")),
    "no floor": ('floor = "1/3"\n', "", ("floor of every percentage", "none")),
    "bye": (f"{BYE}3", f"{BYE}1", ("a bye's worth", "1 points")),
    "cut": (MEAN, f"{MEAN}cut = {{ low = 1 }}\n", ("opponents that are cut", "the lowest")),
}


@pytest.mark.parametrize(("old", "new", "explanation"), CHANGES.values(), ids=CHANGES)
def test_another_setting_is_named(old: str, new: str, explanation: tuple[str, str]) -> None:
    text = text_of("mtg").replace(old, new)
    assert text != text_of("mtg")
    found = of_melee(published(played(), text))
    assert found.comparison.wrong
    assert explanation in [(each.setting, each.value) for each in found.explained]


def test_a_cut_between_swiss_rounds_is_named() -> None:
    """Who was cut keeps the tiebreakers of that moment; here nobody could know it by the points."""
    rounds = played(rounds=4, players=13)
    stay = {f"Player {number}" for number in range(1, 9)}
    last = [(f"Player {one}", f"Player {one + 4}", "2-0-0") for one in range(1, 5)]
    whole = [*rounds, ("Round 5", last)]
    before = published(rounds)["Standings"]
    foreign = read_program("melee", as_bytes(melee(whole, [])), text_of("mtg"))
    assert foreign.swiss_stages == ()
    after = {each["Player"]: each for each in published(whole)["Standings"]}
    assert any(
        after[each["Player"]]["OMWP"] != each["OMWP"]
        for each in before
        if each["Player"] not in stay
    )
    kept = {each["Player"]: each for each in before}
    rows = [(after if name in stay else kept)[name] | {"Rank": 0} for name in after]
    found = of_melee(melee(whole, rows))
    assert found.comparison.wrong
    assert ("a cut between Swiss rounds", "after round 4") in [
        (each.setting, each.value) for each in found.explained
    ]


def test_a_setting_that_explains_nearly_all_is_named_with_what_is_left() -> None:
    text = text_of("mtg").replace('floor = "1/3"', 'floor = "33/100"')
    content = published(played(), text)
    content["Standings"][0]["OGWP"] = 0.99
    found = of_melee(content)
    assert not found.explained
    assert found.nearly is not None
    assert (found.nearly.setting, found.nearly.value, found.nearly.left) == (
        "floor of every percentage", "33/100", 1,
    )  # fmt: skip


def test_points_and_places_of_a_chess_report() -> None:
    players = [
        ("Ann, Alpha", "1.5", 1, ["   2 w 1", "   3 b ="]),
        ("Bob, Beta", "0.0", 4, ["   1 b 0", "   4 w 0"]),
        ("Cid, Gamma", "1.5", 1, ["   4 w 1", "   1 w ="]),
        ("Eve, Delta", "1.0", 3, ["   3 b 0", "   2 b 1"]),
    ]
    assert not reproduce(read_program("trf", trf(players))).comparison.wrong
    players[3] = (players[3][0], "1.5", 1, players[3][3])
    found = reproduce(read_program("trf", trf(players)))
    assert wrong(found) == [("Eve, Delta", "rank"), ("Eve, Delta", "points")]


def test_a_report_that_says_how_it_ranks_has_its_places_checked() -> None:
    """C.07: Cid met who scored more than Ann did, so Buchholz puts Cid first."""
    cells = {
        "Ann": ["   2 w 1", "   3 b ="], "Bob": ["   1 b 0", "   4 w 0"],
        "Cid": ["   4 w 1", "   1 w ="], "Dee": ["   3 b 0", "   2 b 1"],
    }  # fmt: skip
    points = {"Ann": "1.5", "Bob": "0.0", "Cid": "1.5", "Dee": "1.0"}
    for ranks, expected in (((2, 4, 1, 3), []), ((1, 4, 2, 3), [("Ann", "rank"), ("Cid", "rank")])):
        players = [
            (name, points[name], rank, each)
            for (name, each), rank in zip(cells.items(), ranks, strict=True)
        ]
        unsaid = reproduce(read_program("trf", trf(players)))
        assert not unsaid.comparison.wrong, "a file that does not say how it ranks may have them so"
        found = reproduce(read_program("trf", trf(players, "212 PTS,BH,SB")))
        assert wrong(found) == expected
        assert [one.code for one in found.tournament.ruleset.tiebreakers] == ["BH", "SB"]
    foreign = read_program("trf", trf(players, "202 BH,XYZ"))
    assert not foreign.is_ranked
    assert "202" in {each.what for each in foreign.ignored}


def test_numbers_that_are_none_do_not_follow() -> None:
    content = published(played())
    for place, text in enumerate(("NaN", "1e999999", "x", "-" * 2_000)):
        content["Standings"][place]["GWP"] = text
    found = of_melee(content)
    assert [code for _, code in wrong(found)] == ["GW"] * 4


def test_at_the_desk(desk: Desk) -> None:
    content = published(played())
    changed = deepcopy(content)
    changed["Standings"][2]["GWP"] = 0.1234
    (desk.folder / "good.json").write_bytes(as_bytes(content))
    (desk.folder / "bad.json").write_bytes(as_bytes(changed))
    good = desk.done("reproduce", "good.json")
    assert "all published numbers follow" in good.err
    bad = desk.type("reproduce", "bad.json")
    assert bad.code == 1
    assert changed["Standings"][2]["Player"] in bad.out
    assert "no single setting explains them" in bad.err
    told = json.loads(desk.type("reproduce", "bad.json", "--json").out)
    assert (told["wrong"], told["numbers"], told["ruleset"]) == (1, 65, "mtg")
    assert desk.type("reproduce", "bad.json", "--csv").out.count("\n") == 2
    assert not (desk.folder / "tourney.db").exists()
    desk.done("new", "Club", "--ruleset", "swiss")
    desk.done("export", "-o", "log.jsonl")
    assert "is a tourney log" in desk.type("reproduce", "log.jsonl").err

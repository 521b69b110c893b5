"""The search for a reading: exact on files of eight tools, and silent about none of its limits."""

from __future__ import annotations

import json
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.importing import read_foreign
from ledger.exchange.programs import read_program
from ledger.rulesets import parse, text_of
from projections.published_tables import compared
from projections.readings import CUT, Reading, read_as, round_readings
from projections.reproduction import (
    TRIALS_MAX,
    ReadingTrials,
    Reproduction,
    made,
    named_readings,
    readings_of,
    reproduce,
)
from tests.support.cli_desk import UNSIGNED
from tests.support.files.foreign_files import foreign_files
from tests.support.shared import SHARED, TOURNAMENTS, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.exchange.foreign import ForeignTournament
    from tests.support.cli_desk import Desk
    from tests.support.files.played_events import ForeignFile

    Json = dict[str, Any]

FILES = {file.name: file for file in foreign_files()}
OTHERS = tuple(sorted((SHARED / "real" / "others").glob("*.json")))
KINDS = {"cobra": "nrtm", "aesops": "nrtm", "trf16": "trf", "trf26": "trf"}
EACH_FILE = pytest.mark.parametrize("name", FILES)


def wanted(file: ForeignFile) -> set[str]:
    """The readings by which all numbers of a file follow, by what is true of it."""
    names = {
        f"cut-after-{file.cut_after}": file.cut_after,
        f"playoffs-from-{file.rounds + 1}": file.playoffs,
        "own-bye-of-0": file.own_bye,
        "own-floor-none": file.raw_games,
    }
    return {name for name, is_so in names.items() if is_so}


@cache
def foreign_of(name: str) -> ForeignTournament:
    file = FILES[name]
    return read_foreign(KINDS.get(file.layout, file.layout), file.data, None)


def names_of(found: Reproduction) -> list[set[str]]:
    return [{*trial.names} for trial in found.explained]


@EACH_FILE
def test_each_file_goes_in_by_its_true_reading_with_an_exact_verdict(name: str, desk: Desk) -> None:
    file = FILES[name]
    path = desk.folder / f"event{file.suffix}"
    path.write_bytes(file.data)
    answer = desk.done("import", path.name, "--json").json
    assert answer["verdict"] == {"numbers": file.numbers, "follow": file.numbers}
    assert {*answer["reading"]} == wanted(file)
    assert len(answer["not_computed"]) == file.odd
    again = desk.done("import", path.name, "--json")
    assert again.json == answer
    assert "0 of" in desk.done("import", path.name).err
    reading = [each for each in desk.done("audit", "--json").json["findings"]
               if each["kind"] == "read-as"]  # fmt: skip
    assert [set(each["reason"].split(", ")) for each in reading] == [wanted(file)] * bool(reading)
    assert bool(reading) == bool(wanted(file))


@needs_shared
@pytest.mark.parametrize("path", [*TOURNAMENTS, *OTHERS], ids=lambda path: path.stem)
def test_each_real_file_goes_in_with_a_verdict_of_all_numbers(path: Path, desk: Desk) -> None:
    answer = desk.done("import", str(path), "--json").json
    assert answer["verdict"]["numbers"] == answer["verdict"]["follow"] > 0
    assert answer["not_computed"] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_further_events_have_exactly_their_true_reading(seed: int) -> None:
    for file in foreign_files(seed):
        foreign = read_foreign(KINDS.get(file.layout, file.layout), file.data, None)
        found = reproduce(foreign, is_explained=False)
        assert found.comparison.numbers == file.numbers, file.name
        assert bool(found.comparison.wrong) == bool(wanted(file)), file.name
        assert names_of(found) == ([wanted(file)] if wanted(file) else []), file.name


STANDINGS = {
    "melee": ("Standings", "Points"), "cobra": ("players", "matchPoints"),
    "aesops": ("players", "matchPoints"), "listfortress": ("participants", "score"),
}  # fmt: skip


def with_wrong(file: ForeignFile) -> bytes:
    """The file with another number of points for the player in the third row."""
    document = json.loads(file.data)
    rows, member = STANDINGS[file.layout]
    document[rows][2][member] = int(document[rows][2][member]) + 40
    return json.dumps(document).encode()


@pytest.mark.parametrize("name", [name for name in FILES if FILES[name].layout in STANDINGS])
def test_a_file_with_a_wrong_number_is_taken_as_it_stands(name: str, desk: Desk) -> None:
    file = FILES[name]
    (desk.folder / "event.json").write_bytes(with_wrong(file))
    answer = desk.done("import", "event.json")
    told = desk.type("reproduce", "event.json", "--json").json
    assert (told["numbers"], told["wrong"] == 1) == (file.numbers, file.plain)
    follow = file.numbers - told["wrong"]
    assert f"{follow} of {file.numbers} published numbers follow" in answer.err
    assert "no other reading explains all numbers" in answer.err
    assert "reading: " not in answer.err
    log = desk.done("export", "--without-names").out
    assert '"reading"' not in log.splitlines()[0]


def one_row(name: str, place: int) -> bytes:
    """A file that publishes one row of its standings alone."""
    document = json.loads(FILES[name].data)
    document["Standings"] = [document["Standings"][place]]
    return json.dumps(document).encode()


TWO = "melee-numbered-8", 8
"""A file, and a row that follows by a cut as well as by playoffs."""


def test_a_file_with_two_readings_is_left_to_the_person(desk: Desk) -> None:
    (desk.folder / "event.json").write_bytes(one_row(*TWO))
    refusal = desk.refused("import", "event.json")
    last = FILES[TWO[0]].rounds
    for name in (f"cut-after-{last}", f"playoffs-from-{last + 1}", "plain"):
        assert f"--reading {name}" in refusal.err
    assert not (desk.folder / "tourney.db").exists()
    told = desk.refused("import", "event.json", "--json").json["problems"]
    assert [each["code"] for each in told] == ["import.readings"]
    for reading, follow in ((f"playoffs-from-{last + 1}", "5 of 5"), ("plain", " of 5")):
        store = ("--store", f"{reading}.db")
        answer = desk.done(*store, "import", "event.json", "--reading", reading)
        assert f"{follow} published numbers follow" in answer.err
        other = desk.type(*store, "import", "event.json", "--reading", f"cut-after-{last}")
        assert (other.code, "imported with the reading" in other.err) == (1, True)
        assert "0 of" in desk.done(*store, "import", "event.json", "--reading", reading).err


def test_a_terminal_asks_which_of_several(desk: Desk) -> None:
    (desk.folder / "event.json").write_bytes(one_row(*TWO))
    desk.patch.setattr("cli.verbs.inout.choosing.is_asked", lambda: True)
    answer = desk.type("import", "event.json", stdin="q\n")
    assert (answer.code, "nothing was written" in answer.err) == (1, True)
    assert not (desk.folder / "tourney.db").exists()
    answer = desk.done("import", "event.json", stdin="9\n2\n")
    assert "a number from 0 to 2" in answer.err
    assert f"reading: playoffs-from-{FILES[TWO[0]].rounds + 1}" in answer.err
    desk.done("--store", "plain.db", "import", "event.json", stdin="0\n")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("nothing-known", "it has no nothing-known"),
        ("cut-after-99", "there is no Swiss round after round 99"),
        ("plain,cut-after-2", "cannot be combined with another"),
        ("own-floor-none,own-floor-1-of-4", "change the same setting"),
        (",".join(f"cut-after-{number}" for number in range(1, 10)), "at most 8 readings"),
    ],
)
def test_a_reading_that_cannot_be_is_refused_with_those_that_can(
    typed: str, why: str, desk: Desk
) -> None:
    (desk.folder / "event.json").write_bytes(FILES["melee-second-day-6"].data)
    refusal = desk.refused("import", "event.json", "--reading", typed)
    assert (refusal.code, why in refusal.err) == (2, True), refusal.err
    assert not (desk.folder / "tourney.db").exists()


def test_what_explains_is_taken_only_if_it_is_named(desk: Desk) -> None:
    """A setting that no import tries: the log has the ruleset's text with it."""
    text = text_of("mtg").replace('floor = "1/3"', 'floor = "33/100"')
    document = json.loads(FILES["melee-1"].data)
    foreign = read_program("melee", FILES["melee-1"].data, text)
    tournament = made(foreign)
    follows = compared(foreign, tournament)
    for raw, row in zip(document["Standings"], follows.rows, strict=True):
        codes = {each.code: each.follows for each in row.figures}
        raw |= {"OMWP": float(codes["OMW"] or 0), "OGWP": float(codes["OGW"] or 0)}
        raw |= {"GWP": float(codes["GW"] or 0), "Rank": 0}
    (desk.folder / "event.json").write_text(json.dumps(document))
    assert "with the plain reading" in desk.done("--store", "plain.db", "import", "event.json").err
    told = desk.type("reproduce", "event.json")
    assert "--reading floor-33-of-100" in told.err
    named = ("--reading", "floor-33-of-100", "--json")
    answer = desk.done("--store", "own.db", "import", "event.json", *named).json
    assert answer["verdict"]["numbers"] == answer["verdict"]["follow"]
    assert answer["reading"] == ["floor-33-of-100"]
    assert desk.done("--store", "own.db", "verify").code == 0


@pytest.mark.parametrize(
    "name", [name for name in FILES if [*round_readings(foreign_of(name))] and FILES[name].numbers]
)
def test_a_cut_looks_as_it_does_when_it_is_recorded(name: str) -> None:
    """Trials move rounds between stages without a log: what follows is what a log gives."""
    foreign = foreign_of(name)
    trials = ReadingTrials(foreign)
    for reading in round_readings(foreign):
        if reading.kind != CUT:
            continue
        quick = trials.tournament_by((reading,))
        assert quick is not None
        exact = made(read_as(foreign, (reading,)))
        assert compared(foreign, quick) == compared(foreign, exact), (name, reading.name)


def all_readings(foreign: ForeignTournament) -> list[Reading]:
    return readings_of(foreign, reproduce(foreign, is_over=lambda: True))


@pytest.mark.slow
@EACH_FILE
def test_every_reading_is_known_by_its_name_and_leaves_a_ruleset_that_says_it(name: str) -> None:
    foreign = foreign_of(name)
    readings = all_readings(foreign)
    assert len({one.name for one in readings}) == len(readings)
    before = parse(foreign.ruleset)
    for one in readings:
        assert [each.name for each in named_readings((one.name,), foreign)] == [one.name]
        try:
            taken = read_as(foreign, (one,))
        except LedgerError:
            continue
        assert taken.source.reading == (one.name,)
        if not one.is_of_rounds:
            after = parse(taken.ruleset)
            assert after != before
            assert one.name in after.edition
            others = {"declared": (), "edition": "", "bye": before.bye, "forfeit": None}
            assert replace(after, **others) == replace(before, **others)


@pytest.mark.slow
def test_the_search_is_the_same_again_and_says_when_it_ended() -> None:
    name = "melee-second-day-numbered-10"
    foreign = foreign_of(name)
    found, again = (reproduce(foreign, is_explained=False) for _ in range(2))
    assert (names_of(found), found.tried, found.stopped) == (
        names_of(again), again.tried, again.stopped,
    )  # fmt: skip
    assert found.is_settled
    for most in range(found.tried):
        calls = count()
        stopped = reproduce(foreign, is_explained=False, is_over=lambda: next(calls) >= most)  # noqa: B023 - called at once
        assert (stopped.tried, stopped.stopped) == (most, "time")
        assert not stopped.explained or not stopped.is_settled
    assert found.tried <= TRIALS_MAX


def test_a_search_that_ended_takes_nothing_by_itself(desk: Desk) -> None:
    """As far as it came, a reading was found; that it is the only one is not known."""
    name = "melee-numbered-9"
    (desk.folder / "event.json").write_bytes(FILES[name].data)
    foreign = foreign_of(name)
    tried = [one.name for one in all_readings(foreign) if one.is_tried]
    until = tried.index(f"playoffs-from-{FILES[name].rounds + 1}") + 1
    for most, words in (
        (until - 1, "stopped at its time limit"),
        (until, "before all readings were tried"),
    ):
        calls = count()
        desk.patch.setattr(
            "cli.verbs.inout.choosing.process_time",
            lambda: 1_000 if next(calls) > most else 0,  # noqa: B023 - called at once
        )
        answer = desk.type("--store", f"{most}.db", "import", "event.json")
        assert words in answer.err
        assert answer.code == (most == until)


@pytest.mark.parametrize(
    ("section", "reading"),
    [
        ("", "forfeits-met"),
        ("absent = { points = 0 }\npresent = { points = 2 }\n", "forfeits-met"),
        ("absent = { points = 0 }\npresent = { points = 2 }\nmet = true\n", ""),
    ],
)
def test_forfeits_are_read_as_the_published_sums_have_them(
    section: str, reading: str, desk: Desk
) -> None:
    """With no section an absence is half a point, and nobody was met; with it as it says."""
    text = text_of("mcmahon")
    head, _, rest = text.partition("[forfeit]\n")
    _, _, rest = rest.partition("\n\n")
    own = f'[forfeit]\nclause = "GO-FORFEIT"\n{section}\n' if section else ""
    (desk.folder / "own.toml").write_text(f"{head}{own}{rest}", "utf-8")
    name = next(name for name in FILES if FILES[name].forfeits)
    (desk.folder / "event.h9").write_bytes(FILES[name].data)
    answer = desk.done("import", "event.h9", "--ruleset", "own.toml", "--json").json
    assert answer["reading"] == ([reading] if reading else [])
    assert answer["verdict"]["numbers"] == answer["verdict"]["follow"] > 0


def test_what_is_published_and_no_ruleset_has_is_said(desk: Desk) -> None:
    (desk.folder / "event.json").write_bytes(FILES["melee-1"].data)
    answer = desk.done("import", "event.json", "--ruleset", "swiss")
    assert (
        "not compared: OMW, GW, OGW, which the file publishes and swiss does not have" in answer.err
    )


def test_a_log_has_no_other_reading(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1")
    desk.done("export", "-o", "log.jsonl")
    refusal = desk.refused("import", "log.jsonl", *UNSIGNED, "--reading", "plain")
    assert (refusal.code, "--reading is only for other files" in refusal.err) == (2, True)


def test_a_sheet_that_was_read_with_a_cut_grows_with_it(desk: Desk) -> None:
    head = "round,player1,player2,result\n"
    rows = "1,Ann,Bob,win\n1,Cid,Dee,win\n2,Ann,Cid,win\n2,Bob,Dee,win\n3,Ann,Bob,win\n"
    (desk.folder / "sheet.csv").write_text(head + rows)
    sheet = ("--ruleset", "swiss", "--date", "2026-03-14", "--reading", "cut-after-2")
    assert "reading: cut-after-2" in desk.done("import", "sheet.csv", *sheet).err
    (desk.folder / "sheet.csv").write_text(f"{head}{rows}4,Bob,Ann,win\n")
    grown = desk.done("import", "sheet.csv", "--into", "sheet", "--json").json
    assert grown["reading"] == ["cut-after-2"]
    stages = json.loads(desk.done("export", "--without-names").out.splitlines()[0])
    assert stages["data"]["imported"]["reading"] == ["cut-after-2"]


def test_a_file_that_publishes_nothing_has_nothing_to_compare(desk: Desk) -> None:
    (desk.folder / "sheet.csv").write_text("round,player1,player2,result\n1,Ann,Bob,win\n")
    sheet = ("sheet.csv", "--ruleset", "swiss", "--date", "2026-03-14", "--json")
    answer = desk.done("import", *sheet)
    assert "nothing to compare" in answer.err
    assert (answer.json["verdict"], answer.json["reading"]) == ({"numbers": 0, "follow": 0}, [])
    name = "melee-numbered-8"
    document = json.loads(FILES[name].data) | {"Standings": []}
    (desk.folder / "event.json").write_text(json.dumps(document))
    told = desk.done("import", "event.json")
    assert f"--reading playoffs-from-{FILES[name].rounds + 1}" in told.err
    assert "nothing to compare" in told.err

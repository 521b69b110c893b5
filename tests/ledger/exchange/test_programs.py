"""Files of other programs: what comes in exactly, and what is refused by its place."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog
from ledger.exchange.foreign import cut_after
from ledger.exchange.programs import program_of, read_program
from ledger.exchange.translating import translate
from ledger.fold import fold_lines
from ledger.rulesets import text_of
from projections.reproduction import made
from projections.standings.table import everyone, ranking
from tests.ledger.exchange.test_sheets import by_name
from tests.support.files.program_files import (
    H9,
    as_bytes,
    duel,
    fortress,
    gotha,
    melee,
    pilots,
    row,
    trf,
)
from tests.support.shared import SHARED, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk

REAL = tuple(sorted((SHARED / "real" / "others").glob("listfortress*.json")))


def read(data: bytes, ruleset: str = "") -> Tournament:
    """The tournament that a file becomes, by its kind."""
    kind = program_of(data)
    assert kind
    foreign = read_program(kind, data, text_of(ruleset) if ruleset else "")
    return fold_lines([line for _, line in translate(foreign, ranking)])


PILOTS = pilots((2, 650, "0.5", 1), (1, 300, "1.0", 3), (0, 150, "0.5", 4), (1, 500, "0.0", 2))
SWISS = [
    (1, 1, [duel(101, 102, (200, 50), 101), duel(103, 104, (0, 100), 104)]),
    (1, 2, [duel(101, 104, (150, 150), 101), duel(102, 103, (90, 20), 102)]),
]


def test_listfortress() -> None:
    cut = [(2, 4, [duel(101, 103, (200, 0), 101), duel(102, 104, (0, 9), 104)]),
           (2, 2, [duel(101, 104, (10, 20), 104)])]  # fmt: skip
    tournament = read(as_bytes(fortress([*cut, *SWISS], PILOTS)))
    found = by_name(tournament)
    assert found["Pilot 1"][0] == 2
    assert found["Pilot 1"][1][0] == 350 + 200, "the final salvo decided at 150 all"
    assert list(found["Pilot 4"][1]) == [300 + 200, Fraction(1, 2)]
    assert [stage.plan.kind for stage in tournament.stages] == ["swiss", "single"]
    assert [len(each.matches) for each in tournament.rounds] == [2, 2, 2, 1]
    assert tournament.finished


def test_listfortress_byes_and_results_to_come() -> None:
    rounds = [(1, 1, [duel(101, 102, (200, 50), 101), duel(103, None, (0, None), None)]),
              (1, 2, [duel(101, 103, (None, None), None)])]  # fmt: skip
    tournament = read(as_bytes(fortress(rounds, PILOTS[:3])))
    assert tournament.players[3].byes == 1
    assert tournament.rounds[1].unreported == 1


MAGIC = [
    ("Round 1", [("Ann", "Bob", "2-1-0"), ("Cid", "Dee", "1-1-1"), ("Eve", "-", "2-0-0")]),
    ("Round 2", [("Eve", "Ann", "2-0-0"), ("Bob", "Dee", "2-0-0"), ("-", "Cid", "2-0-0")]),
    ("Finals", [("Ann", "Eve", "1-2-0")]),
]


def test_magic_events_of_collectors() -> None:
    tournament = read(as_bytes(melee(MAGIC, [row(1, "Eve", 6, 0.5, 1.0, 0.5)])))
    found = by_name(tournament)
    assert {name: points for name, (points, _) in found.items()} == {
        "Eve": 6, "Ann": 3, "Bob": 3, "Cid": 1, "Dee": 1,
    }  # fmt: skip
    assert tournament.players[1].status == "active"
    cid = next(each.number for each in tournament.players if found and each.number == 3)
    assert tournament.rounds[1].records[cid] == "L", "against nobody 0-2: a round missed"
    assert tournament.stages[-1].plan.kind == "single"


def test_a_second_day_is_a_reading_of_its_own() -> None:
    """Who was cut keeps the tiebreakers of that moment (FFG-CUT); the plain reading has no cut."""
    day = [("Round 1", [("A", "B", "2-0-0"), ("C", "D", "2-0-0"), ("E", "F", "2-0-0")]),
           ("Round 2", [("A", "C", "2-0-0"), ("B", "E", "0-2-0"), ("D", "F", "2-0-0")]),
           ("Round 3", [("A", "E", "2-0-0")])]  # fmt: skip
    plain = read_program("melee", as_bytes(melee(day, [])))
    assert [stage.plan.rounds for stage in made(plain).stages] == [3]
    tournament = made(cut_after(plain, 2))
    assert [stage.plan.rounds for stage in tournament.stages] == [2, 1]
    first = read(as_bytes(melee(day[:2], [])))
    assert by_name(tournament)["B"] == by_name(first)["B"]


@pytest.mark.parametrize(
    ("rounds", "text"),
    [
        (
            [("Final", [("A", "B", "2-0-0")]), ("Round 2", [("A", "B", "2-0-0")])],
            "Round 2 is a Swiss round after",
        ),
        ([], "has no round that can be read"),
    ],
)
def test_magic_rounds_that_cannot_be_are_named(
    rounds: list[tuple[str, list[tuple[str, str, str]]]], text: str
) -> None:
    with pytest.raises(InvalidLog) as caught:
        read(as_bytes(melee(rounds, [row(1, "Ann", 3, 0.5, 0.5, 0.5)])))
    assert str(caught.value).startswith(text)


CHESS = [
    ("Ann, Alpha", "1.5", 1, ["   2 w 1", "   3 b ="]),
    ("Bob, Beta", "0.0", 4, ["   1 b 0", "   4 w -"]),
    ("Cid, Gamma", "1.5", 1, ["   4 w 1", "   1 w ="]),
    ("Éve, Delta", "1.0", 3, ["   3 b 0", "   2 b +"]),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_chess_report_files(encoding: str, end: str) -> None:
    text = trf(CHESS, "022 Town", "### a remark").decode().replace("\r\n", end)
    tournament = read(text.encode(encoding), "swiss")
    assert {name: points for name, (points, _) in by_name(tournament).items()} == {
        "Ann, Alpha": 3, "Cid, Gamma": 3, "Éve, Delta": 2, "Bob, Beta": 0,
    }  # fmt: skip
    assert [match.players for match in tournament.rounds[1].matches] == [(2, 4), (3, 1)]
    assert tournament.rounds[1].matches[0].result is not None
    assert tournament.rounds[1].matches[0].result.manner == "no-show"
    assert tournament.players[1].attributes["rating"] == "2001"


def test_columns_may_be_counted_in_bytes() -> None:
    text = trf(CHESS).decode()
    line = next(each for each in text.split("\r\n") if "Éve" in each)
    shifted = text.replace(line, line.replace("Delta ", "Delta", 1))
    assert by_name(read(shifted.encode(), "swiss")) == by_name(read(text.encode(), "swiss"))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("001    2", "001    1", "line 4, columns 5-8: '1' is not a starting number, or another"),
        ("042 2026/03/14", "042 soon", "its date must be YYYY-MM-DD"),
    ],
)
def test_lines_that_cannot_be_read_are_named(old: str, new: str, text: str) -> None:
    with pytest.raises(InvalidLog) as caught:
        read(trf(CHESS).decode().replace(old, new, 1).encode(), "swiss")
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("line", ["013 Team A   1", "082 4", "310   1 India", "801 x"])
def test_teams_are_refused_in_one_line(line: str) -> None:
    with pytest.raises(InvalidLog, match="is of a team tournament: only individual") as caught:
        read(trf(CHESS, line), "swiss")
    assert "\n" not in str(caught.value)


def test_dates_and_rounds_to_come() -> None:
    text = trf(CHESS, "142 5").decode().replace("2026/03/14", "14.03.2026")
    tournament = read(text.encode(), "swiss")
    assert tournament.opening is not None
    assert tournament.opening.date == "2026-03-14"
    assert tournament.stages[0].plan.rounds == 5
    assert not tournament.finished


def test_go_results() -> None:
    tournament = read(H9.encode(), "swiss")
    assert {name: points for name, (points, _) in by_name(tournament).items()} == {
        "LEE Ann": 4, "RAY Bob": 2, "DOE Cid": 2, "FOX Dee": 0,
    }  # fmt: skip
    assert tournament.players[1].attributes == {"rank": "5D", "country": "EN", "club": "Lond"}
    missed = tournament.rounds[0].matches[1]
    assert missed.result is not None
    assert missed.result.manner == "no-show"
    wallist = "\n".join("\t".join(each.split()) for each in H9.splitlines() if each[0] != ";")
    foreign = read_program("h9", wallist.encode(), text_of("swiss"), "Club", "2026-03-14")
    assert len(foreign.swiss) == 2


PEOPLE = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
GAMES = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS"), (2, "FOXDEE", "LEEANN", "RESULT_EQUAL")]


def test_opengotha() -> None:
    tournament = read(gotha(PEOPLE, GAMES).encode(), "swiss")
    assert {name: points for name, (points, _) in by_name(tournament).items()} == {
        "Lee Ann": 3, "Fox Dee": 3, "Ray Bob": 0,
    }  # fmt: skip
    assert tournament.opening is not None
    assert tournament.opening.name == "Gotha"


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("<Tournament ", '<!DOCTYPE x [<!ENTITY a "b">]><Tournament ', "has a document type"),
        ("</Games>", "", "is not valid XML: mismatched tag"),
        ("<Games>", "<Games>" + "<a>" * 40, "elements are nested too deeply"),
    ],
)
def test_documents_that_cannot_be_read_are_refused(old: str, new: str, text: str) -> None:
    content = gotha(PEOPLE, GAMES).replace(old, new, 1)
    with pytest.raises(InvalidLog) as caught:
        read_program("opengotha", content.encode(), text_of("swiss"))
    assert text in str(caught.value)


def test_a_kind_is_known_by_its_beginning() -> None:
    found = [
        program_of(data)
        for data in (
            as_bytes(fortress(SWISS, PILOTS)), as_bytes(melee(MAGIC, [])), trf(CHESS), H9.encode(),
            gotha(PEOPLE, GAMES).encode(), b"round,player1\n1,Ann\n", b'{"players": []}', b"", b"{",
        )
    ]  # fmt: skip
    assert found == ["listfortress", "melee", "trf", "h9", "opengotha", "", "", "", ""]


def test_a_file_at_the_desk(desk: Desk) -> None:
    (desk.folder / "x.json").write_bytes(as_bytes(fortress(SWISS, PILOTS)))
    answer = desk.done("import", "x.json", "--json")
    assert answer.json["account"]["tables"] == 4
    assert "skipped: country (1), format_id (1): a log does not record it" in answer.err
    again = desk.done("import", "x.json")
    assert "0 of 23 events added: the store already has this file" in again.err
    (desk.folder / "open.trf").write_bytes(trf(CHESS).replace(b"042 2026/03/14\r\n", b""))
    assert "date" in desk.refused("import", "open.trf", "--ruleset", "swiss").err
    desk.done("import", "open.trf", "--ruleset", "swiss", "--date", "2026-03-14")
    assert desk.done("standings", "--json").json[0]["points"] == 3


@needs_shared
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_event_of_listfortress_has_its_published_figures(path: Path) -> None:
    foreign = read_program("listfortress", path.read_bytes())
    tournament = fold_lines([line for _, line in translate(foreign, ranking)])
    names = {player.key: player.name for player in foreign.players}
    rows = {tournament.names[f"p{each.player}"]: each for each in everyone(tournament).rows}
    assert len(foreign.published) == len(json.loads(path.read_bytes())["participants"])
    for each in foreign.published:
        own = rows[names[each.key]]
        mov, sos = own.tiebreakers
        assert str(own.points) == each.figures["points"]
        assert mov == int(each.figures["MOV"])
        assert abs(sos - Fraction(each.figures["SOS"])) <= Fraction(1, 200)
        assert each.rank in {0, own.rank}

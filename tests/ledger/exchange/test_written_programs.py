"""Events written as other programs take them, and read again: the same results and standings."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.exchange import Details
from ledger.exchange.programs import program_of, read_program
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.programs.writing import WRITERS, WrittenRow
from ledger.exchange.sheets import read_rounds
from ledger.rulesets import text_of
from projections.published_tables import compared
from projections.reproduction import made
from projections.standings.table import everyone
from tests.ledger.exchange.test_sheets import by_name, told
from tests.support.files.nrtm_files import as_bytes, document, game, table

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk

LONG = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine"
NAMES = ["Ann, Alpha", "Bob", "Éve Ünal", LONG, "=cmd", "Dee Fox", "李小龍"]


def rows_of(tournament: Tournament) -> list[WrittenRow]:
    found = everyone(tournament)
    codes = [one.code for one in found.tiebreakers]
    return [
        WrittenRow(row.rank, row.player, row.points, dict(zip(codes, row.tiebreakers, strict=True)))
        for row in found.rows
    ]


def written(form: str, tournament: Tournament) -> bytes:
    return WRITERS[form](tournament, rows_of(tournament))


def chess(seed: int) -> Tournament:
    """A chess event by chance: byes, forfeits of one and both sides, drops and latecomers."""
    chance = random.Random(f"written {seed}")
    lines = ["round,player1,player2,result"]
    for number in range(1, 6):
        names = [name for name in NAMES if chance.random() < 0.9]
        chance.shuffle(names)
        for one, other in zip(names[::2], names[1::2], strict=False):
            result = chance.choice(["1-0", "0-1", "½-½", "+--", "--+", "---"])
            lines.append(f'{number},"{one}","{other}",{result}')
        if len(names) % 2:
            lines.append(f'{number},"{names[-1]}",,bye')
    return told("\n".join(lines) + "\n", "swiss", frozenset({"new-names"}))


def results(tournament: Tournament) -> list[list[tuple[tuple[str, ...], object]]]:
    """Every table by the names of who sat there, and what came of it."""
    return [
        [
            (tuple(tournament.names[f"p{player}"] for player in match.players), match.result)
            for match in round_.matches
        ]
        for round_ in tournament.rounds
    ]


@pytest.mark.parametrize("form", ["trf16", "trf26", "opengotha", "rounds"])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_written_is_read_again(form: str, seed: int) -> None:
    tournament = chess(seed)
    data = written(form, tournament)
    if form == "rounds":
        details = Details(text_of("swiss"), "Test", "2026-03-14", is_whole=True)
        again = made(read_rounds(data, details))
    else:
        again = made(read_program(program_of(data), data, text_of("swiss")))
    assert results(again) == results(tournament) or form == "opengotha"
    assert by_name_of(again) == by_name_of(tournament)


def by_name_of(tournament: Tournament) -> dict[str, object]:
    """Points and tiebreakers, by names without their blanks: OpenGotha has two parts of a name."""
    return {name.removesuffix(name[name.rfind(" p") :] if " p" in name else "\0"): value
            for name, value in by_name(tournament).items()}  # fmt: skip


@pytest.mark.parametrize("form", ["trf16", "trf26"])
def test_a_report_file_publishes_what_follows(form: str) -> None:
    for seed in range(5):
        data = written(form, chess(seed))
        foreign: ForeignTournament = read_program("trf", data, text_of("swiss"))
        assert not compared(foreign, made(foreign)).wrong
        assert any(each.name == LONG for each in foreign.players), "in full, by a remark"


def test_go_results_are_read_again_by_other_names_of_places() -> None:
    tournament = chess(2)
    data = written("h9", tournament)
    foreign = read_program("h9", data, text_of("swiss"))
    again = made(foreign)
    assert {name: value[0] for name, value in by_name(again).items()} == {
        name: value[0] for name, value in by_name(tournament).items()
    }
    assert not [each for each in compared(foreign, again).rows if not each.agrees]


def test_nrtm_is_read_again() -> None:
    rounds = [
        [table(1, 2, 6, 0), table(3, 4, 4, 1), table(5, None, 6, 0)],
        [table(1, 3, 3, 3), table(5, 4, 0, 6), table(2, None, 6, 0)],
        [game(1, 4, 1), game(3, 5, 3)],
        [game(1, 3, 3)],
    ]
    content = document((1, 2, 3, 4, 5), rounds, cutToTop=4, preliminaryRounds=2)
    tournament = made(read_nrtm(as_bytes(content)))
    foreign = read_nrtm(written("nrtm", tournament))
    again = made(foreign)
    assert results(again) == results(tournament)
    assert by_name(again) == by_name(tournament)
    found = compared(foreign, again)
    assert (found.numbers, found.wrong) == (5 * 4, 0)
    with pytest.raises(Refused, match="swiss does not report match points"):
        written("nrtm", chess(1))


def test_a_sheet_keeps_facts_endings_and_who_never_sat() -> None:
    text = (
        "round,player1,player2,games1,games2,drawn,ended,result,faction1\n"
        "0,Zoe,,,,,,,Crab\n"
        "1,Ann,Bob,2,1,,,,\n1,Cid,Dee,1,1,1,time,,\n1,Eve,,,,,,missed,\n"
        "2,Ann,Cid,1,0,,concession,win,\n2,Eve,Dee,,,,,no-show1,\n"
    )
    tournament = told(text)
    details = Details(text_of("mtg"), "Test", "2026-03-14", is_whole=True)
    again = made(read_rounds(written("rounds", tournament), details))
    assert results(again) == results(tournament)
    assert by_name(again) == by_name(tournament)
    factions = {tournament.names[f"p{each.number}"]: each.faction for each in again.players[1:]}
    assert factions["Zoe"] == "Crab"


def test_names_that_would_break_a_line_or_an_element_do_not() -> None:
    hostile = [
        '</Tournament><x a="',
        "\x1b[2J\r\n001    9",
        "<!DOCTYPE x>",
        "\"&amp;'",
        "\u2028 ; EV[x]",
    ]
    lines = ["round,player1,player2,result"]
    lines += [
        f'1,"{each.replace(chr(34), chr(34) * 2)}",Other {n},win' for n, each in enumerate(hostile)
    ]
    tournament = told("\n".join(lines), "swiss")
    for form in ("trf26", "h9", "opengotha"):
        data = written(form, tournament)
        again = made(read_program(program_of(data), data, text_of("swiss")))
        assert len(again.rounds[0].matches) == len(hostile)
        assert b"\x1b" not in data


def test_at_the_desk(desk: Desk) -> None:
    (desk.folder / "x.csv").write_text("round,player1,player2,result\n1,Ann,Bob,1-0\n", "utf-8")
    desk.done("import", "x.csv", "--ruleset", "swiss", "--date", "2026-03-14")
    answer = desk.done("export", "--form", "trf26", "-o", "open.trf")
    assert "trf26" in answer.err
    shown = desk.done("export", "--form", "trf26").out
    assert shown.split() == (desk.folder / "open.trf").read_text("utf-8").split()
    desk.done("reproduce", "open.trf", "--ruleset", "swiss")
    assert desk.type("export", "--form", "pgn").code == 2
    assert desk.type("export", "--form", "h9", "--tiles", "t").code == 2

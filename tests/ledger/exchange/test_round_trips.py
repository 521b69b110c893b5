"""Out and in again by every form and every sample: the same event, and what a changed file is."""

from __future__ import annotations

import base64
import json
import random
import tracemalloc
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import InvalidLog, Refused
from ledger.exchange import NRTM, Details
from ledger.exchange.importing import read_foreign
from ledger.exchange.log_files import replay
from ledger.exchange.own_record import CHANGED
from ledger.exchange.programs import program_of
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.programs.writing import WRITERS
from ledger.exchange.sheets import own_details, read_rounds
from ledger.rulesets import text_of
from projections.published_tables import compared
from projections.reproduction import made
from projections.standings.bracket import finishing_order
from projections.standings.table import everyone, ranking
from tests.ledger.exchange.test_sheets import told
from tests.ledger.exchange.test_written_programs import chess, written
from tests.support.files.foreign_files import foreign_files
from tests.support.files.program_files import trf
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.exchange.foreign import ForeignTournament
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk
    from tests.support.files.played_events import ForeignFile

SAMPLES = tuple(path for path in sorted((ROOT / "sample_logs" / "earlier").glob("*/*.jsonl")))
FORMS = tuple(WRITERS)
SUFFIXES = {"rounds": ".csv", "nrtm": ".json", "h9": ".h9", "opengotha": ".xml"}
FOREIGN = {file.layout: file for file in foreign_files()}


def read(data: bytes) -> ForeignTournament:
    """Read a file that was written, without any option."""
    if kind := program_of(data):
        return read_foreign(kind, data, None)
    if data.lstrip().startswith(b"{"):
        return read_foreign(NRTM, data, None)
    details = own_details(data)
    assert details is not None
    return read_rounds(data, details)


def summary(tournament: Tournament) -> dict[str, Any]:
    """Return what an event is, by names: its numbers may be others."""

    def name(player: int) -> str:
        return tournament.names.get(f"p{player}", "")

    opening, stages = tournament.opening, {each.number: each for each in tournament.stages}
    assert opening is not None
    table = everyone(tournament)
    return {
        "event": (opening.name, opening.date, opening.tier, opening.ruleset),
        "finished": tournament.finished,
        "people": sorted(
            (name(each.number), each.faction, each.league_id, sorted(each.attributes.items()),
             sorted(each.numbers.items()), each.status)
            for each in tournament.registered()
        ),
        "rounds": [
            (stages[each.stage].is_swiss,
             [(tuple(map(name, match.players)), match.named, match.result)
              for match in each.matches if match.first])
            for each in tournament.rounds
        ],
        "missed": [
            sorted(name(player) for player, seq in enumerate(each.seqs)
                   if seq and all(player not in match.players for match in each.matches))
            for each in tournament.rounds
        ],
        "tiebreakers": [each.code for each in table.tiebreakers],
        "standings": [(row.rank, name(row.player), row.points, row.tiebreakers)
                      for row in table.rows],
        "final": [(place.rank, name(place.player)) for place in finishing_order(tournament)]
        if tournament.finished else [],
    }  # fmt: skip


def check(tournament: Tournament, form: str) -> bytes:
    data = written(form, tournament)
    foreign = read(data)
    again = made(foreign)
    assert summary(again) == summary(tournament)
    assert again.opening is not None
    assert again.opening.last_day in {"", *(foreign.last_day,)}
    found = compared(foreign, again)
    assert not [row for row in found.rows if not row.agrees]
    assert written(form, again) is not None
    return data


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_comes_back_as_it_went_out(path: Path, form: str) -> None:
    tournament = replay(path, ranking).tournament
    if form == "nrtm":
        with pytest.raises(Refused, match="does not report match points"):
            written(form, tournament)
        return
    check(tournament, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", FOREIGN)
def test_an_imported_event_comes_back_as_it_went_out(layout: str, form: str) -> None:
    file = FOREIGN[layout]
    foreign = read_foreign(program_of(file.data) or NRTM, file.data, None)
    if form == "nrtm" and layout not in {"cobra", "aesops"}:
        return
    check(made(foreign), form)


@pytest.mark.slow
@pytest.mark.parametrize("file", foreign_files(3), ids=lambda file: file.name)
def test_every_imported_event_comes_back(file: ForeignFile) -> None:
    foreign = read_foreign(program_of(file.data) or NRTM, file.data, None)
    for form in FORMS:
        if form != "nrtm" or file.layout in {"cobra", "aesops"}:
            check(made(foreign), form)


@pytest.mark.parametrize("form", FORMS)
def test_at_the_desk_no_option_is_needed(desk: Desk, form: str) -> None:
    """The class: every form that import reads, of a game that the form's own ruleset is not."""
    layout = "cobra" if form in {"nrtm", "rounds"} else "melee"
    (desk.folder / "x.json").write_bytes(FOREIGN[layout].data)
    desk.done("import", "x.json")
    before = desk.done("standings", "--json").json
    out = f"out{SUFFIXES.get(form, '.trf')}"
    desk.done("export", "--form", form, "-o", out)
    desk.done("--store", "again.db", "import", out)
    assert desk.done("--store", "again.db", "standings", "--json").json == before
    again = desk.done("--store", "again.db", "import", out)
    assert "already" in again.err


# -- a file that was changed after it was written --------------------------------------------------


def edited(data: bytes, form: str) -> bytes:
    """Return a file with one name of its plain part changed."""
    old, new = (b"Bob", b"Rob")
    lines = data.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if old in line and b"tourney" not in line and b"record" not in line:
            lines[at] = line.replace(old, new).replace(old.upper(), new.upper())
        elif old.upper() in line and b"<Game" in line:
            lines[at] = line.replace(old.upper(), new.upper())
    return b"".join(lines) if form != "nrtm" else data.replace(old, new)


@pytest.mark.parametrize("form", ["trf16", "trf26", "h9", "opengotha"])
def test_a_changed_file_is_read_without_its_record(form: str) -> None:
    data = written(form, chess(2))
    foreign = read_foreign(program_of(data), edited(data, form), Details(text_of("swiss")))
    assert any("Rob" in player.name for player in foreign.players)
    own = read_foreign(program_of(data), edited(data, form), None)
    assert CHANGED in own.notes
    assert any("Rob" in player.name for player in own.players)


def test_a_changed_sheet_still_says_its_game_and_its_day() -> None:
    data = edited(written("rounds", chess(2)), "rounds")
    details = own_details(data)
    assert details is not None
    assert (details.name, details.date) == ("Test", "2026-03-14")
    foreign = read_rounds(data, details)
    assert any(player.name == "Rob" for player in foreign.players)
    assert foreign.stays_open
    assert CHANGED in foreign.notes


def test_a_row_of_the_event_that_means_nothing_is_counted() -> None:
    data = written("rounds", chess(2)) + b"event,,,venue,Town Hall\r\n"
    details = own_details(data)
    assert details is not None
    assert "event venue" in {each.what for each in read_rounds(data, details).ignored}


def test_a_changed_nrtm_file_is_read_without_its_record() -> None:
    data = written("nrtm", made(read_nrtm(FOREIGN["cobra"].data)))
    content = json.loads(data)
    content["players"][0]["name"] = "Somebody Else"
    foreign = read_nrtm(json.dumps(content).encode())
    assert foreign.players[0].name == "Somebody Else"
    assert CHANGED in foreign.notes
    moved = json.dumps(json.loads(data), indent=3, sort_keys=True).encode()
    assert CHANGED not in read_nrtm(moved).notes, "the order of members and blanks mean nothing"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("form", ["trf26", "h9", "opengotha"])
def test_other_ends_of_lines_change_nothing(form: str, ends: str) -> None:
    tournament = chess(3)
    text = written(form, tournament).decode().replace("\r\n", "\n").replace("\n", ends)
    assert summary(made(read(text.encode()))) == summary(tournament)


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_record_is_no_attack(seed: int) -> None:
    """Whatever is in it, the file is read without it, or refused in one line."""
    chance = random.Random(f"record {seed}")
    data = bytearray(written("trf26", chess(1)))
    first = data.index(b"tourney-record")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(first, len(data))
        data[at : at + chance.randint(0, 3)] = bytes(chance.choice(b"AZ=+/0 \n") for _ in range(2))
    try:
        foreign = read(bytes(data))
    except InvalidLog:
        return
    made(foreign)


def test_a_record_that_unpacks_to_much_more_than_its_file_is_not_read() -> None:
    packed = base64.b64encode(zlib.compress(b"[" + b"0," * 3_000_000 + b"0]", 9)).decode()
    lines = [packed[at : at + 900] for at in range(0, len(packed), 900)]
    people = [("Ann", "1.0", 1, ["   2 w 1"]), ("Bob", "0.0", 2, ["   1 b 0"])]
    data = trf(people) + "".join(f"### tourney-record {line}\r\n" for line in lines).encode()
    tracemalloc.start()
    foreign = read(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert CHANGED in foreign.notes
    assert most < 3_000_000


@pytest.mark.parametrize("record", ["212 PTS,SB,BH", "162  W 3.0    D 1.0", "022 Town"])
def test_the_same_file_with_the_same_options_changes_nothing(desk: Desk, record: str) -> None:
    """What an import changes of a ruleset that is named is no other ruleset."""
    people = [("Ann", "1.5", 1, ["   2 w 1", "0000 - H"]), ("Bob", "0.0", 2, ["   1 b 0"])]
    (desk.folder / "open.trf").write_bytes(trf(people, record))
    desk.done("import", "open.trf", "--ruleset", "swiss")
    assert "already" in desk.done("import", "open.trf", "--ruleset", "swiss").err
    assert "not l5r" in desk.refused("import", "open.trf", "--ruleset", "l5r").err


# -- what report files have records for ------------------------------------------------------------


def test_a_report_of_2026_has_its_tiebreaks_worths_and_both_days() -> None:
    people = [("Ann", "3.0", 1, ["   2 w 1"]), ("Bob", "0.0", 2, ["   1 b 0"])]
    heads = ("052 2026/03/16", "162  W 3.0    D 1.0", "202 BH/C1,SB,DE", "212 PTS,BH/C1,SB,DE")
    tournament = made(read_foreign("trf", trf(people, *heads), None))
    assert tournament.rounds[0].points[1:] in ([3, 0], [6, 0])
    text = written("trf26", tournament).decode()
    for line in ("042 2026/03/14", "052 2026/03/16", "202 BH/C1,SB,DE", "212 PTS,BH/C1,SB,DE"):
        assert f"{line}\r\n" in text
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n" in text
    plain = "".join(f"{line}\r\n" for line in text.split("\r\n") if "###" not in line)
    again = read_foreign("trf", plain.encode(), None)
    assert summary(made(again))["tiebreakers"] == ["BHC1", "SB", "DE"]
    assert again.last_day == "2026-03-16"
    assert not compared(again, made(again)).wrong


@pytest.mark.parametrize(
    ("record", "points"),
    [
        ("162  W 1.0    D 0.5", "1.0"),
        ("162 W 1.0 D 0.5 L 0.0", "1.0"),
        ("162  W 2.0    D 1.0", "2.0"),
        ("162  W 3.0    D 1.0    P 1.0", "3.0"),
        ("162  W 1.0    D 0.5    L 0.5", "1.0"),
    ],
)
def test_results_are_worth_what_the_report_says(record: str, points: str) -> None:
    people = [("Ann", points, 1, ["   2 w 1"]), ("Bob", "0.0", 2, ["   1 b 0"])]
    if "L 0.5" in record:
        people[1] = ("Bob", "0.5", 2, ["   1 b 0"])
    foreign = read_foreign("trf", trf(people, record), None)
    assert not compared(foreign, made(foreign)).wrong
    assert not any(each.what == "162" for each in foreign.ignored)


def test_abnormal_points_are_adjusted_in_their_round() -> None:
    people = [("Ann", "0.5", 1, ["   2 w 1"]), ("Bob", "1.0", 2, ["   1 b 0"])]
    given = ((-0.5, 1, 1), (1.0, 1, 2), (1.0, 7, 2))
    heads = [f"299 {'':9}{points:>4.1f}  {number:03} {who:>4}" for points, number, who in given]
    foreign = read_foreign("trf", trf(people, *heads), None)
    assert not compared(foreign, made(foreign)).wrong
    assert len(foreign.not_computed) == 1


def test_a_sheet_keeps_a_drawn_match_without_points() -> None:
    tournament = told(
        "round,player1,player2,points1,points2\n1,Ann,Bob,0,0\n1,Cid,Dee,6,0\n", "netrunner"
    )
    data = written("rounds", tournament)
    plain = b"".join(line for line in data.splitlines(keepends=True) if b"record" not in line)
    details = own_details(plain)
    assert details is not None
    again = made(read_rounds(plain, details))
    assert [match.result for match in again.rounds[0].matches] == [
        match.result for match in tournament.rounds[0].matches
    ]

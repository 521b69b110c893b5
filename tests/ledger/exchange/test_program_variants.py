"""Files of other programs in the variants that real ones were met in."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog
from ledger.exchange.programs import program_of, read_program
from ledger.rules.results import StatedResult, result_from
from ledger.rulesets import text_of
from projections.reproduction import reproduce
from projections.standings.table import everyone
from tests.support.files.program_files import H9, gotha, trf

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament

CELLS = (
    ("Ann, Alpha", "1.5", 1, ["   2 w 1", "   3 b ="]),
    ("Bob, Beta", "0.0", 4, ["   1 b 0", "   4 w -"]),
    ("Cid, Gamma", "1.5", 1, ["   4 w 1", "   1 w ="]),
    ("Dee, Delta", "1.0", 3, ["   3 b 0", "   2 b +"]),
)
RULERS = (
    "         1         2         3         4         5         6         7         8",
    "01234567890123456789012345678901234567890123456789012345678901234567890123456789",
    "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR",
)


def foreign(data: bytes, day: str = "") -> ForeignTournament:
    """What is read of a file, by its kind."""
    kind = program_of(data)
    assert kind
    return read_program(kind, data, day=day)


@pytest.mark.parametrize("ruler", RULERS)
def test_a_line_that_counts_columns_is_a_remark(ruler: str) -> None:
    found = foreign(trf(CELLS, "", ruler, "XXC white1", "152 W", "192 FIDE_DUTCH_2025"))
    assert not reproduce(found).comparison.wrong
    assert found.name == "Open", "a ruler that begins with 012 is no name"
    assert len(found.swiss) == 2


def test_a_ruler_before_the_name_is_no_name() -> None:
    data = trf(CELLS).decode()
    assert foreign(f"{RULERS[1]}\r\n{data}".encode()).name == "Open"


def test_players_numbered_in_tens_with_blanks_for_a_round_missed() -> None:
    lines = [
        "012 Open\r\n042 2008.06.07",
        f"001   10 w    {'Ann':<33} 1985 IRL {'':11} {'':10}  1.0    2    20 b 0    30 w 1",
        f"001   20 m  m {'Bob':<33} 2258 IRL {'':11} {'':10}  2.0    1    10 w 1  {'':8}    30 b 1",
        f"001   30 m  g {'Cid':<33} 2663 MDA {'':11} {'':10}  0.0    3  {'':8}    10 b 0    20 w 0",
    ]
    found = foreign("\r".join(lines).encode())
    assert [sorted(each.present) for each in found.swiss] == [
        ["10", "20"],
        ["10", "30"],
        ["20", "30"],
    ]
    assert not reproduce(found).comparison.wrong


def test_starting_numbers_in_the_place_of_ranks() -> None:
    """They publish no place, and the account says so; where they go by the points they do."""
    listed = [
        (name, points, number, cells) for number, (name, points, _, cells) in enumerate(CELLS, 1)
    ]
    found = foreign(trf(listed))
    assert not any(each.rank for each in found.published)
    assert "rank" in {each.what for each in found.ignored}
    assert not reproduce(found).comparison.wrong
    level = [
        (name, "0.5", number, ["   2 w =", "   1 b ="][number - 1 :][:1])
        for number, (name, *_) in enumerate(CELLS[:2], 1)
    ]
    assert [each.rank for each in foreign(trf(level)).published] == [1, 2]


def test_no_day_is_asked_for_by_its_option() -> None:
    data = trf(CELLS).replace(b"042 2026/03/14\r\n", b"")
    with pytest.raises(InvalidLog) as caught:
        foreign(data)
    assert [way.act for way in caught.value.problems[0].remedies] == ["import.date"]
    assert foreign(data, "2026-03-14").date == "2026-03-14"


@pytest.mark.parametrize(
    ("headings", "codes"),
    [
        ("Club  NBW SOSW", ["NBW", "SOSW"]),
        ("Club  NBWSOSOS", ["NBW", "SOSOSW"]),
        ("Club  MMS  SOSSOSOS", ["points", "SOSM", "SOSOSM"]),
        ("Club      MMS     SOS   SOSOS", ["points", "SOSM", "SOSOSM"]),
        ("Club  NBW  SDCRatin", ["NBW"]),
        ("Club", []),
    ],
)
def test_headings_with_and_without_blanks(headings: str, codes: list[str]) -> None:
    text = H9.replace("Club  NBW SOSW", headings)
    for old, new in (
        ("2    1 ", "32  20  9 0 "),
        ("1    2 ", "31  20  9 0 "),
        ("0    2 ", "30  20  9 0 "),
    ):
        text = text.replace(f"    {old}", f"    {new}")
    assert list(foreign(text.encode()).published[0].figures) == codes


def test_a_half_as_it_is_in_latin_9() -> None:
    """The encoding has no such letter, so that a program writes `?`, as for no result."""
    text = H9.replace("NBW SOSW", "MMS  SOSSOSOS  NBW").replace(
        "    2    1     2+", "  31?   1? 12? 0 2+"
    )
    text = text.replace("    1    2     ", "   31   20  12? 0 ").replace(
        "    0    2     ", "  30?   20 12½ 12? "
    )
    found = foreign(text.encode())
    assert len(found.swiss) == 2
    assert found.published[0].figures == {
        "points": "31.5", "SOSM": "1.5", "SOSOSM": "12.5", "NBW": "0",
    }  # fmt: skip
    assert [found.published[3].figures[code] for code in ("SOSOSM", "NBW")] == ["12.5", "12.5"]


def test_equal_places_left_blank_and_a_number_of_the_federation() -> None:
    text = H9.replace("   3 DOE Cid", "     DOE Cid").replace(
        "2+/w0     3+/b0", "2+/w0     3+/b0 |12345678"
    )
    found = foreign(text.replace("; EV[Spring Go]", "; EV[Spring Go] YES").encode())
    assert found.name == "Spring Go"
    assert [each.rank for each in found.published] == [1, 2, 2, 4]
    assert [each.league_id for each in found.players] == ["12345678", "", "", ""]


HANDICAPS = """\
; EV[Spring Go]
; DT[2026-03-14,2026-03-15]
; Pl Name                            Rk Co Club  MMS  SOSSOSOS
   1 LEE Ann                          1D EN Lond   32   54  111 0     2+/w4     3+/b0
   2 RAY Bob                          5K EN Lond   26   52  110 0     1-/b4     4+/b0
   3 DOE Cid                          2K EN Lond   28   54  110 0     4=/w2     1-/w0
   4 FOX Dee                          5K EN Lond   26   52  107 0     3=/b2     2-/w0
"""


def test_stones_of_a_handicap_count_as_the_sums_that_are_published() -> None:
    """Who gave four has four points more of that opponent, who received them as many less."""
    text = HANDICAPS.replace("  28 ", " 28½ ").replace("  26   52  107", " 25½   52  107")
    found = foreign(text.encode())
    rows = {row.name: row for row in reproduce(found).comparison.rows}
    own = {name: {each.code: each.follows for each in row.figures} for name, row in rows.items()}
    ann, bob, cid, dee = (own[name] for name in ("LEE Ann", "RAY Bob", "DOE Cid", "FOX Dee"))
    half = Fraction(1, 2)
    assert ann["SOSM"] == (26 + 4) + (28 + half)
    assert bob["SOSM"] == (32 - 4) + (25 + half)
    assert cid["SOSM"] == (25 + half + 2) + 32
    assert dee["SOSM"] == (28 + half - 2) + 26
    assert ann["SOSOSM"] == bob["SOSM"] + cid["SOSM"]
    tournament = reproduce(found).tournament
    match = tournament.matches[1]
    other = result_from(tournament, match, StatedResult("loss"))
    assert match.result is not None
    assert other.outcomes == ("loss", "win")
    assert other.fields == match.result.fields == {"given": (4, 0), "received": (0, 4)}
    swiss = read_program("h9", text.encode(), text_of("swiss"))
    assert ("handicap", 4) in {(each.what, each.count) for each in swiss.ignored}


@pytest.mark.parametrize(
    ("absent", "down", "missed", "halves"),
    [
        *(("1", "true", 1, 0), ("1", "true", 2, 2), ("1", "false", 1, 1), ("1", "false", 2, 2)),
        *(("2", "true", 2, 4), ("0", "true", 2, 0), ("", "", 2, 0)),
    ],
)
def test_rounds_missed_are_worth_what_the_document_says(
    absent: str, down: str, missed: int, halves: int
) -> None:
    """OpenGotha's settings say what an absence gives, and whether halves are rounded down."""
    people = [("Lee", "Ann", "1D"), ("Ray", "Bob", "1D"), ("Fox", "Dee", "1D")]
    games = [(number, "LEEANN", "RAYBOB", "RESULT_BLACKWINS") for number in (1, 2)]
    text = gotha(people, games).replace('<ByePlayer player="FOXDEE" roundNumber="1"/>', "")
    settings = f'genMMS2ValueAbsent="{absent}" genRoundDownNBWMMS="{down}" name="Gotha"'
    text = text.replace('name="Gotha"', settings)
    fox = text.index('participating="11111"', text.index('name="Fox"'))
    there = f'participating="{"0" * missed:1<5}"'
    text = text[:fox] + text[fox:].replace('participating="11111"', there, 1)
    found = reproduce(foreign(text.encode())).tournament
    begun = 2 * 30
    worths = {row.player: row.points - begun for row in everyone(found).rows}
    assert worths[3] == halves
    assert worths[1] == 0


MCMAHON = """\
; EV[Spring Go]
; DT[2026-03-14,2026-03-15]
; Pl Name                            Rk Co Club  MMS  SOSSOSOS
   1 LEE Ann                          1D EN Lond   32   90  270 0     2+/w0     2+/b0      0-
   2 RAY Bob                          1D EN Lond   30   94  270 0     1-/b0     1-/w0      0=
   3 DOE Cid                          1D EN Lond   32   90  270 0      0=      0=     4+/w0
   4 FOX Dee                          1D EN Lond   30   90  270 0      0-      0=     3-/b0
"""


def test_halves_for_rounds_missed_are_rounded_down_where_the_points_say_so() -> None:
    """A missed round that gives nothing gives nothing, whatever the ruleset says of one."""
    found = foreign(MCMAHON.encode())
    assert {each.key: each.numbers["mms"] for each in found.players} == dict.fromkeys("1234", 30)
    byes = [{each.first: each.bye for each in one.games if each.is_bye} for one in found.swiss]
    assert byes == [
        {"3": "half", "4": "none"},
        {"3": "half", "4": "none"},
        {"1": "none", "2": "none"},
    ]
    rows = reproduce(found).comparison.rows
    points = {row.name: figure for row in rows for figure in row.figures if figure.code == "points"}
    assert {name: figure.agrees for name, figure in points.items()} == dict.fromkeys(points, True)
    assert points["DOE Cid"].follows == 32, "two halves are one"


@pytest.mark.parametrize("points", ["1.0", "6.0", "6,5"])
def test_published_points_are_shown_as_the_file_has_them(points: str) -> None:
    lines = [
        ("Ann", points, 1, ["   2 w 1", "   2 b 1"]),
        ("Bob", "0.0", 2, ["   1 b 0", "   1 w 0"]),
    ]
    row = reproduce(foreign(trf(lines))).comparison.rows[0]
    figure = next(figure for figure in row.figures if figure.code == "points")
    assert figure.published == points
    assert figure.follows == 2

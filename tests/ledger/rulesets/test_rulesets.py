"""The rulesets that ship with the program, number by number, and what is looked up in them."""

from __future__ import annotations

import re

import pytest

from ledger.errors import NotFound, Refused
from ledger.rulesets import Ruleset, load, names, parse, text_of
from ledger.rulesets.tiebreakers import Tiebreaker, whole_numbers
from tests.support.files.ruleset_texts import SYSTEMS, TIEBREAKERS, ruleset_text

L5R = load("l5r").ruleset
NETRUNNER = load("netrunner").ruleset

BASIC = [
    (4, 8, 3, 0),
    (9, 16, 4, 0),
    (17, 24, 4, 4),
    (25, 40, 5, 4),
    (41, 44, 5, 8),
    (45, 76, 6, 8),
    (77, 148, 6, 16),
    (149, 8_000, 7, 16),
]
ADVANCED = [
    (9, 12, 4, 4),
    (13, 24, 4, 8),
    (25, 40, 5, 8),
    (41, 76, 6, 8),
    (77, 148, 6, 16),
    (149, 288, 6, 32),
    (289, 512, 7, 32),
    (513, 8_000, 8, 32),
]


def test_l5r_scores() -> None:
    """L5R-SCORE: both sides of every outcome; a bye is a win."""
    worth = {outcome.name: L5R.points(outcome) for outcome in L5R.outcomes}
    assert worth == {
        "win": (10, 1),
        "modified win": (6, 0),
        "loss": (1, 10),
        "modified loss": (0, 6),
    }
    assert L5R.bye.points == 10
    assert (L5R.bye.fields, L5R.fields) == ({}, ())


def test_l5r_counts_a_missed_round_as_a_loss() -> None:
    """FFG-REJOIN: an unpaired loss is worth a loss."""
    assert L5R.unpaired_loss.points == L5R.points(L5R.outcome("loss"))[0] == 1


def test_l5r_wins_go_on() -> None:
    """L5R-SCORE: a modified win is a win on the record, and advances."""
    assert L5R.records == {"win": "W", "modified win": "W", "loss": "L", "modified loss": "L"}
    assert [outcome.name for outcome in L5R.outcomes if outcome.advances] == ["win", "modified win"]
    assert L5R.full_win.name == "win"


SOS = ("SOS", "opponents", "points", "rounds", "mean")
ESOS = ("ESOS", "opponents", "SOS", None, "mean")
TIES = {
    "l5r": [SOS, ESOS],
    "runewars": [("MOV", "own", "mov", None, "sum"), SOS],
    "ashes": [
        ("TOEP", "opponents", "points", None, "sum"),
        ("BLOOD", "own", "blood", None, "sum"),
    ],
    "legion": [SOS, ESOS],
}


@pytest.mark.parametrize("key", TIES)
def test_ties_are_broken_in_order(key: str) -> None:
    """L5R-TIEBREAK, RW-TIEBREAK, AOP-TIEBREAK, SWL-TIEBREAK: code, over, source, per, reduction."""
    ties = load(key).ruleset.tiebreakers
    assert [(tie.code, tie.over, tie.source, tie.per, tie.reduction) for tie in ties] == TIES[key]
    assert {tie.order for tie in ties} == {"descending"}


@pytest.mark.parametrize(("least", "most", "rounds", "cut"), BASIC)
def test_l5r_basic_structure(least: int, most: int, rounds: int, cut: int) -> None:
    """L5R-BASIC: every band at both its edges."""
    for players in (least, most):
        band = L5R.structure("basic", players)
        assert band is not None
        assert (band.rounds, band.cut) == (rounds, cut)


@pytest.mark.parametrize(("least", "most", "rounds", "cut"), ADVANCED)
def test_l5r_advanced_structure(least: int, most: int, rounds: int, cut: int) -> None:
    """L5R-ADVANCED: every band at both its edges."""
    for players in (least, most):
        band = L5R.structure("advanced", players)
        assert band is not None
        assert (band.rounds, band.cut) == (rounds, cut)


def test_attendance_outside_the_tables_has_no_band() -> None:
    """FFG-STRUCTURE: it asks for a custom structure, which has no band either."""
    assert L5R.structure("basic", 3) is None
    assert L5R.structure("advanced", 8) is None
    assert L5R.structure("custom", 20) is None
    assert L5R.structures.custom


def test_l5r_clock() -> None:
    """L5R-CLOCK: minutes of a Swiss round, an elimination round and the final."""
    assert (L5R.clock.swiss, L5R.clock.elimination, L5R.clock.final) == (60, 60, 100)


def test_netrunner_reports_points() -> None:
    """NR-SCORE, NR-BYE: 0 to 6 a side, compared; a bye is 6, a missed round 0."""
    scoring = NETRUNNER.scoring
    assert (scoring.kind, scoring.points_min, scoring.points_max) == ("reported", 0, 6)
    assert (NETRUNNER.bye.points, NETRUNNER.unpaired_loss.points) == (6, 0)
    assert [NETRUNNER.compared(*points).name for points in ((4, 1), (1, 4), (3, 3))] == [
        "win",
        "loss",
        "draw",
    ]
    with pytest.raises(Refused, match="netrunner has no fixed points for a win"):
        NETRUNNER.points(NETRUNNER.outcome("win"))


def test_netrunner_knows_custom_structures_only() -> None:
    """NR-STRUCTURE: no table depends on attendance."""
    assert NETRUNNER.structures.custom
    assert NETRUNNER.structure("basic", 20) is NETRUNNER.structure("advanced", 20) is None


def test_equal_points_need_a_draw() -> None:
    """Where a game has no draw, equal points are refused."""
    with pytest.raises(Refused, match="3 to 3 is a draw, and l5r has no draws"):
        L5R.compared(3, 3)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("win", "win"),
        ("W", "win"),
        ("mw", "modified win"),
        ("modified-win", "modified win"),
        (" Modified  WIN ", "modified win"),
        ("l", "loss"),
        ("ML", "modified loss"),
    ],
)
def test_short_words_are_understood(word: str, name: str) -> None:
    """What is typed at the desk, in any case and spacing."""
    assert L5R.typed(word).name == name


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("wni", "l5r has no outcome 'wni'; did you mean win?"),
        ("draw", "l5r has no outcome 'draw'; known: win, modified win, loss, modified loss"),
    ],
)
def test_an_unknown_outcome_is_not_found(word: str, message: str) -> None:
    """The refusal names the nearest, or all there are."""
    with pytest.raises(NotFound, match=re.escape(message)):
        L5R.outcome(word)


@pytest.mark.parametrize("key", names())
def test_every_file_is_named_by_its_key(key: str) -> None:
    """A file is found by what it says it is."""
    assert parse(text_of(key)).key == key


@pytest.mark.parametrize("key", names())
def test_every_table_of_a_file_has_a_comment_or_a_meaning(key: str) -> None:
    """A judge can read the file: above each table stands what it is for."""
    blocks = re.split(r"\n\n+", text_of(key))
    tables = [block for block in blocks if re.search(r"^\[", block, re.MULTILINE)]
    assert len(tables) > 10
    for block in tables:
        assert "\nclause = " in block or "\n[clauses]\n" in block
        if not block.startswith("#"):
            assert "meaning = " in block or block.startswith("[[outcomes]]"), block


@pytest.mark.parametrize("codes", SYSTEMS.values(), ids=SYSTEMS)
def test_other_systems_need_no_code(codes: tuple[str, ...]) -> None:
    """RW-TIEBREAK, AOP-TIEBREAK, SWL-TIEBREAK: sums, shares and floors are declarations."""
    ruleset: Ruleset = parse(ruleset_text(*codes))
    assert tuple(one.code for one in ruleset.tiebreakers) == codes


def test_every_declaration_of_the_tests_is_valid() -> None:
    """All of them together, in their order."""
    assert [one.code for one in parse(ruleset_text(*TIEBREAKERS)).tiebreakers] == [*TIEBREAKERS]


def test_sums_that_nothing_divides_are_whole() -> None:
    """A sum of opponents' means or shares is none."""
    sums = tuple(
        Tiebreaker(code, "", "", "opponents", source, "sum")
        for code, source in (("TOTAL", "points"), ("OF", "TOTAL"), ("GAMES", "GW"))
    )
    declared = (*parse(ruleset_text(*TIEBREAKERS)).tiebreakers, *sums)
    whole = {
        one.code for one, it_is in zip(declared, whole_numbers(declared), strict=True) if it_is
    }
    assert whole == {"MOV", "TOEP", "BLOOD", "TOTAL", "OF"}

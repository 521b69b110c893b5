"""A wrong ruleset file: every mistake is found at once, and says where it is."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InvalidRuleset
from ledger.rulesets import RULESET_BYTES_MAX, parse
from tests.support.files.ruleset_texts import changed, ruleset_text

TEXT = ruleset_text("SOS", "ESOS", "MOV")
LAST_BAND = "{ players_min = 17, rounds = 5, cut = 8 }"
SECOND_BAND = "{ players_min = 9, players_max = 16, rounds = 4, cut = 4 }"
WIN = 'name = "win"\nagainst = "loss"\nrecord = "W"\npoints = 3\nadvances = true\ntyped = ["w"]'
SOS_SOURCE = 'over = "opponents"\nsource = "points"\nper = "rounds"'


def findings(text: str) -> tuple[str, ...]:
    """What is wrong with a text."""
    with pytest.raises(InvalidRuleset) as caught:
        parse(text)
    assert str(caught.value) == "; ".join(caught.value.sentences)
    assert str(caught.value).isprintable()
    return caught.value.sentences


def finding(old: str, new: str) -> str:
    """The one thing that is wrong after a change."""
    (problem,) = findings(changed(TEXT, old, new))
    return problem


def test_the_text_itself_is_right() -> None:
    """The changes below start from a valid file."""
    assert parse(TEXT).key == "test"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            SECOND_BAND,
            SECOND_BAND.replace("9", "10"),
            (
                "structures.basic, band 2 (10-16): there is a gap before it: "
                "the previous one ends at 8"
            ),
        ),
        (
            SECOND_BAND,
            SECOND_BAND.replace("9", "8"),
            "structures.basic, band 2 (8-16): overlaps the previous one, which ends at 8",
        ),
        (
            SECOND_BAND,
            SECOND_BAND.replace(", players_max = 16", ""),
            "structures.basic, band 3 (17-): overlaps the previous one, which has no end",
        ),
        (
            LAST_BAND,
            LAST_BAND.replace("rounds", "players_max = 16, rounds"),
            "structures.basic, band 3 (17-16): it ends before it begins",
        ),
        (
            SECOND_BAND,
            SECOND_BAND.replace("cut = 4", "cut = 16"),
            "structures.basic, band 2 (9-16): a cut to 16 is not possible with 9 players",
        ),
        (
            SECOND_BAND,
            SECOND_BAND.replace("cut = 4", "cut = 1"),
            "structures.basic, band 2 (9-16): a cut to 1 is not possible with 9 players",
        ),
    ],
)
def test_bands(old: str, new: str, problem: str) -> None:
    """L5R-BASIC, L5R-ADVANCED: a table without gap or overlap, and possible cuts."""
    assert finding(old, new) == problem


def test_some_structure_must_be_left() -> None:
    """FFG-STRUCTURE: exactly one is chosen, so there must be one."""
    start, end = TEXT.index("[structures.basic]"), TEXT.index("[clock]")
    bare = changed(TEXT[:start] + TEXT[end:], "custom = true", "custom = false")
    assert findings(bare) == (
        "structures: nothing to choose from; give basic, advanced or custom = true",
    )
    empty = TEXT[:start] + '[structures.basic]\nclause = "T-BASIC"\nbands = []\n' + TEXT[end:]
    assert findings(empty) == ("structures.basic: needs at least one band",)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'source = "SOS"',
            'source = "SOOS"',
            (
                "tiebreakers 2 (ESOS), source: 'SOOS' is neither a column nor a tiebreaker; "
                "did you mean SOS?"
            ),
        ),
        (
            SOS_SOURCE,
            SOS_SOURCE.replace('"points"', '"ESOS"'),
            "tiebreakers 1 (SOS), source: a cycle, SOS from ESOS from SOS",
        ),
        (
            SOS_SOURCE,
            SOS_SOURCE.replace('"points"', '"MOV"'),
            "tiebreakers 1 (SOS), source: MOV comes later; move it up",
        ),
        (
            'source = "SOS"',
            'source = "ESOS"',
            "tiebreakers 2 (ESOS), source: a cycle, ESOS from ESOS",
        ),
        (
            'over = "own"\nsource = "mov"',
            'over = "own"\nsource = "SOS"',
            (
                "tiebreakers 3 (MOV), source: only a column can be summed over own rounds; "
                "use points or rounds or mov or blood or games or game-points"
            ),
        ),
        (
            'source = "mov"\nreduction = "sum"',
            'source = "mov"\nreduction = "mean"',
            (
                "tiebreakers 3 (MOV), reduction: for a mean over own rounds, use "
                '"sum" with per = "rounds"'
            ),
        ),
        (
            'per = "rounds"',
            'per = "round"',
            "tiebreakers 1 (SOS), per: 'round' cannot be a divisor; did you mean rounds?",
        ),
        (
            'per = "rounds"',
            'per = "mov"',
            "tiebreakers 1 (SOS), per: mov must be from 0 to 20 to be a divisor",
        ),
        (
            'source = "mov"',
            'source = "mov"\nscale = 3',
            "tiebreakers 3 (MOV), scale: not allowed without per",
        ),
        ('code = "ESOS"', 'code = "SOS"', "tiebreakers 2 (SOS), code: is listed twice"),
    ],
)
def test_tiebreakers(old: str, new: str, problem: str) -> None:
    """L5R-TIEBREAK: each is made of columns and of what stands before it."""
    assert problem in findings(changed(TEXT, old, new))


def test_a_cycle_is_named_from_each_of_its_members() -> None:
    """The one that could be moved up is not told to move."""
    text = changed(TEXT, SOS_SOURCE, SOS_SOURCE.replace('"points"', '"ESOS"'))
    assert findings(text) == ("tiebreakers 1 (SOS), source: a cycle, SOS from ESOS from SOS",)


def test_tiebreakers_are_not_endless() -> None:
    """A mean of means multiplies denominators: a dozen steps are enough for anyone."""
    text = TEXT + "".join(
        f'\n[[tiebreakers]]\nclause = "T-TIE"\ncode = "T{number}"\nname = "t"\n'
        'over = "opponents"\nsource = "SOS"\nreduction = "mean"\n'
        for number in range(10)
    )
    assert findings(text) == ("tiebreakers: at most 12 are allowed, not 13",)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            WIN,
            WIN.replace('against = "loss"', 'against = "los"'),
            "outcomes 1 (win), against: no outcome 'los'; did you mean loss?",
        ),
        (
            WIN,
            WIN.replace('against = "loss"', 'against = "draw"'),
            "outcomes 1 (win), against: draw must name 'win', not 'draw'",
        ),
        (
            WIN,
            WIN.replace('"W"', '"D"'),
            "outcomes 1 (win), record: D cannot go with L",
        ),
        (
            WIN,
            WIN.replace("advances = true", "advances = false"),
            "outcomes: no outcome of record W advances, so an elimination could never end",
        ),
        (
            'record = "D"',
            'record = "D"\nadvances = true',
            "outcomes 3 (draw), advances: both sides of the match would advance",
        ),
        (WIN, WIN.replace("points = 3\n", ""), "outcomes 1 (win): points are missing"),
        (WIN, WIN.replace('"w"', '"l"'), "outcomes 2 (loss): 'l' already means win"),
        (
            'kind = "outcome"',
            'kind = "outcome"\npoints_max = 6',
            'scoring: points_min and points_max need kind = "reported"',
        ),
        (
            'kind = "outcome"',
            'kind = "reported"\npoints_max = 6',
            "outcomes 3 (draw): has points, but the table reports them; omit them",
        ),
        (
            'kind = "outcome"',
            'kind = "reported"',
            "scoring: points_max must be more than points_min",
        ),
    ],
)
def test_outcomes(old: str, new: str, problem: str) -> None:
    """L5R-SCORE: outcomes are pairs of two sides, each word stands for one of them."""
    assert problem in findings(changed(TEXT, old, new))


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("D", "outcomes: reported points can have at most one outcome of record D"),
        ("W", "outcomes: reported points need exactly one outcome of record W and one of L"),
    ],
)
def test_reported_points_are_compared_without_doubt(record: str, problem: str) -> None:
    """NR-SCORE: more, equal and fewer points have one outcome each."""
    more = f'[[outcomes]]\nclause = "T"\nname = "other"\nagainst = "other"\nrecord = "{record}"\n'
    text = changed(TEXT, "\n[bye]", f"\n{more}\n[bye]")
    text = changed(text, 'kind = "outcome"', 'kind = "reported"\npoints_max = 6')
    for points in ("\npoints = 3\nadvances", "\npoints = 0\ntyped", "\npoints = 1\ntyped"):
        text = changed(text, points, "\n" + points.rpartition("\n")[2])
    assert problem in findings(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "{ mov = 70, blood = 25 }",
            "{ mow = 70 }",
            "bye, fields: no field 'mow' is declared; did you mean mov?",
        ),
        (
            "{ mov = 70, blood = 25 }",
            "{ mov = 201 }",
            "bye, fields: mov must be from 0 to 200, not 201",
        ),
        (
            'name = "blood"\nmin = 0',
            'name = "blood"\nmin = 26',
            "fields 2 (blood): min 26 is more than max 25",
        ),
        ('name = "games"', 'name = "rounds"', "fields 3 (rounds): the name is taken"),
        ('name = "games"', 'name = "mov"', "fields 3 (mov): the name is taken"),
    ],
)
def test_fields(old: str, new: str, problem: str) -> None:
    """RW-BYE, AOP-BYE: what a round not played is worth is made of declared fields."""
    assert problem in findings(changed(TEXT, old, new))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'clause = "T-BYE"',
            'clause = "T-BYE"\npionts = 3',
            "bye: unknown entry 'pionts'; did you mean points?",
        ),
        ('key = "test"\n', "", "key: missing"),
        ("swiss = 60", 'swiss = "60"', "clock, swiss: Expected `int`, got `str`"),
        ("swiss = 60", "swiss = 60.0", "clock, swiss: Expected `int`, got `float`"),
        ("cut = 8 }", "cut = -8 }", "structures, basic, bands 3, cut: Expected `int` >= 0"),
        ("points = 3\nadvances", "points = 1000001\nadvances", "Expected `int` <= 1000000"),
        (
            'record = "D"',
            'record = "X"',
            "outcomes 3 (draw), record: unknown value 'X'; known: W, L, D",
        ),
        ('code = "MOV"', 'code = "mov"', "tiebreakers 3 (mov), code: Expected `str` matching"),
        ("[clock]\n", "[[clock]]\n", "clock: must be a table"),
        ('edition = "1"', 'edition = "1"\n\nno TOML', "the ruleset is not valid TOML: "),
        ('name = "draw"', 'name = "a\\u001b[2Jb"', "outcomes 3 (a\\x1b[2Jb), name: "),
        ('document = "none"', 'document = "a\\nb"', "document: Expected `str` matching"),
        ('edition = "1"', 'edition = "1"\n"\\u0007" = 1', "the file: unknown entry '\\x07'"),
    ],
)
def test_shapes(old: str, new: str, problem: str) -> None:
    """A misspelled, missing or wrong entry is named by table and number."""
    assert any(problem in each for each in findings(changed(TEXT, old, new)))


def test_every_mistake_is_told_at_once() -> None:
    """Whoever writes a file mends it in one go: first its shape, then what it says."""
    shape = changed(TEXT, "swiss = 60", "swiss = -1")
    shape = changed(shape, 'clause = "T-BYE"\n', "")
    assert len(findings(changed(shape, 'meaning = "the winner\'s margin"', "color = 3"))) == 4
    said = changed(TEXT, 'source = "SOS"', 'source = "SOOS"')
    said = changed(said, SECOND_BAND, SECOND_BAND.replace("9", "10"))
    assert len(findings(changed(said, "mov = 70", "mov = 700"))) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = " + "[\n" * 15_000,
        "a." * 15_000 + "b = 1",
        ("a." * 999 + "b = 1\n") * 19,
        "\x00",
        "\ud800",
        "x" * (RULESET_BYTES_MAX + 1),
        "é" * (RULESET_BYTES_MAX // 2 + 1),
    ],
    ids=["empty", "deep", "dots", "more dots", "zero", "surrogate", "long", "long in bytes"],
)
def test_what_is_no_ruleset_at_all(text: str) -> None:
    """Any text is refused in one line, whatever it is."""
    assert findings(text)


def test_findings_are_not_endless() -> None:
    """A file that is something else altogether does not fill the screen."""
    problems = findings(TEXT + "".join(f"a{number} = 1\n" for number in range(1_000)))
    assert (len(problems), problems[-1]) == (41, "and 960 more")


@pytest.mark.slow
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=6))
def test_any_change_is_read_or_refused(start: int, length: int, inserted: str) -> None:
    """A damaged file never fails in any other way."""
    text = TEXT[:start] + inserted + TEXT[start + length :]
    with suppress(InvalidRuleset):
        assert parse(text).outcomes

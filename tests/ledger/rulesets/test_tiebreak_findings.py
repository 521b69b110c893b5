"""Tiebreakers that cannot be computed: each is one line, with its place."""

from __future__ import annotations

import pytest

from ledger.errors import InvalidRuleset
from ledger.facts.shared import Stage
from ledger.rules.opening import StartTournament
from ledger.rules.people import AmendPlayer, Entry, RegisterPlayers
from ledger.rulesets import parse, text_of
from tests.support.files.ruleset_texts import BASE
from tests.support.simulate import Day

HEAD = '[[tiebreakers]]\nclause = "T-TIE"\nname = "t"\nreduction = "sum"\n'
OVER = 'over = "opponents"\nsource = "points"\n'
OWN = 'over = "own"\nsource = "points"\n'
TIED = 'over = "tied"\nsource = "points"\n'
STEPS = '[[steps]]\nclause = "T-TIE"\nname = "table"\nat = [0, 5]\nvalues = [1, 2]\n'
UNKNOWN = "is neither a column nor a tiebreaker"
COLUMNS = "points, rounds, mov, blood, games, game-points, earned, begun, held"


def declared(*tables: str) -> str:
    """A ruleset with these tiebreakers, the first called T1."""
    numbered = (f'{HEAD}code = "T{at}"\n{table}' for at, table in enumerate(tables, start=1))
    return "\n".join((BASE, *numbered)) + "\n"


def findings(text: str) -> tuple[str, ...]:
    with pytest.raises(InvalidRuleset) as caught:
        parse(text)
    return caught.value.sentences


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        (
            [OVER + 'plus = ["T2"]', OVER + 'minus = ["T1"]'],
            "tiebreakers 1 (T1), plus: a cycle, T1 from T2 from T1",
        ),
        (
            ['over = "opponents"\nsource = "T3"', OVER + 'plus = ["T1"]',
             'over = "opponents"\nsource = "T2"'],
            "tiebreakers 1 (T1), source: a cycle, T1 from T3 from T2 from T1",
        ),
        ([OVER + 'plus = ["T1"]'], "tiebreakers 1 (T1), plus: a cycle, T1 from T1"),
        (
            ['over = "opponents"\nsource = "rating"'],
            f"tiebreakers 1 (T1), source: 'rating' {UNKNOWN}; known: {COLUMNS}",
        ),
        (
            [OVER + 'plus = ["SOS"]'],
            f"tiebreakers 1 (T1), plus: 'SOS' {UNKNOWN}; known: {COLUMNS}",
        ),
        (
            [OVER + 'where = { source = "moves" }'],
            f"tiebreakers 1 (T1), where: 'moves' {UNKNOWN}; did you mean mov or games?",
        ),
        (
            [OVER + 'virtual = { rounds = ["met"] }'],
            "tiebreakers 1 (T1), virtual: met already has a real opponent",
        ),
        (
            [OVER + 'rounds = ["bye"]'],
            "tiebreakers 1 (T1), rounds: there is no opponent in bye; see virtual",
        ),
        ([OVER + "cut = {}"], "tiebreakers 1 (T1), cut: cuts nothing; give low or high"),
        (
            [OVER + "cut = { low = 2, high = 2 }"],
            "T1 cuts 4 terms, more than the rounds of structures.basic (3)",
        ),
        ([OWN + 'times = "points"'],
         "tiebreakers 1 (T1), times: not allowed over own; only over opponents"),
        ([OVER + 'times = "point"'],
         "tiebreakers 1 (T1), times: 'point' is not a column; did you mean points or game-points?"),
        ([OWN + 'steps = "table"'], "tiebreakers 1 (T1), steps: no table 'table'; known: none"),
        (
            [TIED, 'over = "opponents"\nsource = "T1"'],
            "tiebreakers 2 (T2), source: T1 only orders tied players and is not a number",
        ),
        (
            [OVER + 'since = "2026-03-02"\nuntil = "2026-03-01"'],
            "tiebreakers 1 (T1): it ends before it begins",
        ),
    ],
)  # fmt: skip
def test_each_is_one_line(tables: list[str], problem: str) -> None:
    assert problem in findings(declared(*tables))
    if "since" not in tables[0]:
        assert len(findings(declared(*tables))) <= len(tables)


def test_a_performance_needs_what_it_goes_by() -> None:
    text = declared(OVER).replace('reduction = "sum"', 'reduction = "performance"')
    (found,) = findings(text)
    assert found.endswith('performance needs over = "opponents", steps, times = "points"')


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "[0, 5]",
            "[5, 0]",
            "steps 1 (table), at: each number must be greater than the previous one",
        ),
        (
            "[1, 2]",
            "[1]",
            "steps 1 (table): at has length 2, values has length 1; give both the same length",
        ),
    ],
)
def test_tables_of_steps(old: str, new: str, problem: str) -> None:
    text = declared(OWN + 'steps = "table"') + STEPS
    assert parse(text).steps
    assert findings(text.replace(old, new)) == (problem,)


def test_what_ranks_is_declared_once() -> None:
    text = declared(OVER, OWN)
    ranked = text.replace("\nname = ", '\nranked_by = ["T2", "T3", "T2"]\nname = ', 1)
    assert findings(ranked) == (
        "ranked_by: no tiebreaker 'T3'; known: T1, T2",
        "ranked_by: T2 is listed twice",
    )


def test_one_code_on_two_days() -> None:
    """The file has the rule of the day: at most one declaration of a code is in force."""
    text = declared(OVER + 'until = "2026-02-28"', OWN + 'since = "2026-03-01"')
    text = text.replace('"T2"', '"T1"')
    rules = parse(text)
    assert [one.over for one in rules.tiebreakers] == ["own"]
    assert [one.over for one in rules.on("2026-02-28").tiebreakers] == ["opponents"]
    assert [one.over for one in rules.on("2026-03-01").tiebreakers] == ["own"]
    both = text.replace("2026-02-28", "2026-03-01")
    assert findings(both) == ("tiebreakers 2 (T1), code: is listed twice",)


def test_numbers_and_starts() -> None:
    number = '[[numbers]]\nclause = "T-N"\nname = "rating"\nmin = 0\nmax = 9\nmeaning = "r"\n'
    start = '[start]\nclause = "T-N"\nnumber = "rating"\n'
    assert parse(BASE + number + start).start is not None
    assert findings(BASE + start) == ("start, number: there is no number 'rating'; known: none",)
    assert findings(BASE + number.replace("rating", "mov")) == (
        "numbers 1 (mov): the name is taken",
    )
    low = number.replace("min = 0", "min = -1")
    assert findings(BASE + low + start) == ("start, number: the min of rating must not be below 0",)
    assert findings(BASE + number + "default = 10\n") == (
        "numbers 1 (rating): the default 10 must be from 0 to 9",
    )


def test_a_rating_that_is_missing_or_wrong() -> None:
    """FIDE-C07-10: nobody plays without one; 0 is none."""
    day = Day(4, ruleset="fide")
    missing = "has no rating, which the ruleset requires for each player (FIDE-C07-10)"
    start = StartTournament("custom", (Stage("swiss", 3),))
    assert day.refused(start).count(missing) == 4
    day = Day(0, ruleset="fide")
    wrong = RegisterPlayers((Entry("Ann", attributes={"rating": "high"}),))
    assert "rating must be a whole number, not high" in day.refused(wrong)
    assert "rating must be from 0 to 4000" in day.refused(
        RegisterPlayers((Entry("Ann", attributes={"rating": "4001"}),))
    )
    for name, rating in (("Ann", "2100"), ("Bob", "0"), ("Cas", "1500")):
        day.do(RegisterPlayers((Entry(name, attributes={"rating": rating, "club": "A"}),)))
    assert day.tournament.players[1].numbers == {"rating": 2100}
    assert day.tournament.players[1].attributes == {"club": "A"}
    day.do(AmendPlayer(1, attributes={"rating": "2150"}))
    assert day.tournament.players[1].numbers == {"rating": 2150}
    day.start(3)
    assert missing in day.refused(RegisterPlayers((Entry("Dee"),)))


def test_a_cut_of_more_than_all_rounds_is_refused_at_the_start() -> None:
    text = text_of("mcmahon").replace('["SOSM", "SOSOSM"]', '["SOSM2"]')
    day = Day(4, ruleset=text)
    refused = day.refused(StartTournament("custom", (Stage("swiss", 1),)))
    assert refused == "SOSM2 cuts 2 terms, more than the rounds of the tournament (1)"

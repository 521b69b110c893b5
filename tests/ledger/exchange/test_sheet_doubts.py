"""What a sheet hardly means is told by row and column, and let pass where somebody says so."""

from __future__ import annotations

import pytest

from ledger.exchange.sheets import DOUBTS, Details, read_rounds
from ledger.exchange.sheets.cells import InvalidSheet, is_date, score_of, whole_score
from ledger.exchange.sheets.sheet_people import NearNames
from ledger.exchange.translating import translate
from ledger.fold import fold_lines
from ledger.rulesets import text_of
from projections.standings.table import everyone, ranking
from tests.ledger.exchange.test_sheets import by_name, told, wrong

HEAD = "round,table,player1,player2,result\n"
FIRST = "1,1,Ann,Bob,win\n1,2,Cid,Dee,win\n"
CUT = "round,player1,player2,winner\n1,Ann,Bob,1\n1,Cid,Dee,1\nTop 4,Ann,Dee,1\nTop 4,Bob,Cid,1\n"

CASES = {
    "new-names": (
        HEAD + FIRST + "2,1,Ann,Cid,win\n2,2,Bbo,Dee,win\n",
        "row 5, player1: 'Bbo' is new in round 2, but 'Bob' is missing: is it 'Bob'?",
    ),
    "missing-result": (
        HEAD + "1,1,Ann,Bob,\n1,2,Cid,Dee,win\n2,1,Ann,Cid,win\n2,2,Bob,Dee,loss\n",
        "row 2, result: the result is missing, but a later round was played",
    ),
    "table-twice": (
        HEAD + "1,1,Ann,Bob,win\n1,1,Cid,Dee,win\n",
        "row 3, table: table 1 is already in row 2",
    ),
    "two-byes": (
        HEAD + "1,1,Ann,Bob,win\n1,2,Cid,BYE,\n1,3,Dee,-,\n",
        "row 4, player2: a second bye in round 1: the first is in row 3",
    ),
    "loser-plays": (
        CUT + "Final,Ann,Cid,1\n",
        "row 6, player2: plays in round Final, but lost in row 5",
    ),
    "changed-details": (
        "round,player1,player2,result,clan1\n1,Ann,Bob,win,Crab\n2,Ann,Bob,win,Crane\n",
        "row 3, faction1: 'Crane' differs from 'Crab' in row 2; the earlier value is used",
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_doubt_is_refused_by_row_and_column_and_can_be_let_pass(kind: str) -> None:
    text, problem = CASES[kind]
    assert wrong(text, "swiss") == (problem,)
    details = Details(text_of("swiss"), "Test", "2026-03-14", allowed=frozenset({kind}))
    foreign = read_rounds(text.encode(), details)
    assert list(map(str, foreign.notes)) == [f"{problem} (allowed: {kind})"]
    assert fold_lines([line for _, line in translate(foreign, ranking)]).rounds
    others = frozenset(DOUBTS) - {kind}
    with pytest.raises(InvalidSheet):
        told(text, "swiss", others)


def test_a_faction_that_no_ruleset_lists_is_doubted() -> None:
    text = "round,player1,player2,score1,score2,faction1\n1,Ann,Bob,200,10,rebel alliance\n"
    tournament = told(text, "xwing2")
    assert tournament.players[1].faction == "Rebel Alliance"
    (problem,) = wrong(text.replace("rebel", "robot"), "xwing2")
    assert problem.startswith("row 2, faction1: 'robot alliance' is not a faction of the ruleset")


@pytest.mark.parametrize("name", ["#", "🐑🐏🐑", "Nobody", "???", "李小龍", "+", "Mr. Bye"])
def test_a_name_of_any_signs_is_a_player(name: str) -> None:
    text = f"{HEAD}1,1,{name},Bob,win\n1,2,Cid,Dee,win\n2,1,{name},Cid,loss\n2,2,Dee,Bob,draw\n"
    found = by_name(told(text, "swiss"))
    assert (found[name][0], found["Bob"][0], found["Cid"][0]) == (2, 1, 4)


@pytest.mark.parametrize(
    "cell", ["", "-", "BYE", "\u2013", "(bye)", "*** BYE ***", "--", "[Bye]", "."]
)
def test_who_meets_no_name_has_a_bye(cell: str) -> None:
    tournament = told(f"{HEAD}1,1,Ann,Bob,win\n1,2,Cid,{cell},\n", "swiss")
    assert tournament.players[3].byes == 1


@pytest.mark.parametrize(
    ("cell", "points"),
    [("1-0", 3), ("0-1", 0), ("½-½", 1), ("1/2-1/2", 1), ("0.5-0.5", 1), ("0,5:0,5", 1),
     ("2:1", 3), ("1:2", 0), ("1 \u2013 0", 3), ("1-1", 1), ("1½-½", 3), ("1-0F", 3), ("--+", 0)],
)  # fmt: skip
def test_a_score_says_the_outcome_where_no_fact_is_counted(cell: str, points: int) -> None:
    text = f'{HEAD}1,1,Ann,Bob,"{cell}"\n'
    swiss = by_name(told(text, "swiss"))
    full = max(row.points for row in everyone(told(f"{HEAD}1,1,Ann,Bob,win\n", "swiss")).rows)
    assert swiss["Ann"][0] == {3: full, 1: full // 2, 0: 0}[points]


@pytest.mark.parametrize("cell", ["0-0", "0:0", "0.0-0.0"])
def test_nothing_for_both_is_no_draw_where_no_fact_is_counted(cell: str) -> None:
    """In chess and go it is a loss of both, which nobody may enter as half a point for each."""
    (problem,) = wrong(f"{HEAD}1,1,Ann,Bob,{cell}\n", "fide")
    assert problem.startswith("row 2, result:")
    assert "can be a draw or a loss of both" in problem


def test_scores_with_a_colon_are_games_where_games_are_counted() -> None:
    assert by_name(told("round,player1,player2,result\n1,Ann,Bob,2:1\n"))["Ann"][0] == 3
    assert whole_score("2 : 1") == (2, 1)
    assert score_of("½-½") == score_of("0.5-0.5")


DATES = ["2-1-2026", "02. Jan", "2-Jan", "Jan-02", "2026-01-02", "02/01/2026", "2.1.2026",
         "2026-01-02 00:00:00", "1/2", "01.02."]  # fmt: skip


@pytest.mark.parametrize("cell", DATES)
def test_a_date_in_the_place_of_a_score_is_recognized(cell: str) -> None:
    for column in ("result", "games"):
        (problem,) = wrong(f"round,player1,player2,{column}\n1,Ann,Bob,{cell}\n")
        assert problem.startswith(
            f"row 2, {column}: {cell!r} is a date: if the spreadsheet turned a score such as 2-1"
        )


@pytest.mark.parametrize("cell", ["2-1", "1-1-1", "2-1-12", "100-20", "1/2-1/2", "2 - 0", ""])
def test_no_score_is_a_date(cell: str) -> None:
    assert not is_date(cell)


@pytest.mark.parametrize(
    ("text", "ruleset", "problem"),
    [
        ("round,player1,player2,games1,games2\n1,Ann,Bob,-1,2\n", "mtg", "row 2, games1: "),
        ("round,player1,player2,games1,games2\n1,Ann,Bob,1,-2\n", "mtg", "row 2, games2: "),
        (
            "round,player1,player2,result\n1,Ann,Bob,7-0\n",
            "netrunner",
            "row 2, result: points must",
        ),
        ("round,player1,player2,points1,points2\n1,Ann,Bob,3,9\n", "netrunner", "row 2, points2: "),
        (
            "round,player1,player2,result\n1,Ann,Bob,draw\n",
            "netrunner",
            "row 2, result: states draw",
        ),
        ("round,stage,player1,player2,result\n1,cut,Ann,Bob,draw\n", "swiss", "row 2, result: an"),
        ("round,stage,player1,player2,games\n1,cut,Ann,Bob,1-1\n", "mtg", "row 2, games: "),
        ('round,player1,result\n1,Ann,win\n1,"Bo,win\n', "swiss", "row 3, column 2: a quote"),
        ('round,player1,player2\n1,"A""n",Bo\n1,"C"x,Dee\n', "swiss", "row 3, column 2: "),
        ("1,Ann,Bob,win\n2,Ann,Bob,loss\n", "swiss", "row 1, column 1: the titles are missing"),
        ("Ann,Bob,2-1\n", "mtg", "row 1, column 1: the titles are missing"),
    ],
)
def test_each_refusal_names_row_and_column(text: str, ruleset: str, problem: str) -> None:
    found = wrong(text, ruleset)
    assert found[0].startswith(problem)


def test_columns_that_anybody_keeps_are_counted() -> None:
    text = "round,player1,player2,result,Notes,date\n1,Ann,Bob,win,late,2026\n1,Cid,Dee,win,,2026\n"
    foreign = read_rounds(text.encode(), Details(text_of("swiss"), "Test", "2026-03-14"))
    assert [(each.what, each.count) for each in foreign.ignored] == [
        ("column date", 2),
        ("column notes", 1),
    ]


def test_people_have_factions_league_ids_attributes_and_may_never_sit() -> None:
    text = (
        "round,player1,player2,result,clan1,clan2,league id1,club1,club2,tier\n"
        "0,Zoe,,,Crab,,z-1,North,,formal\n"
        "registered,Ann,,,Crane,,a-1,,,\n"
        "1,Ann,Bob,win,,Lion,,,South,formal\n"
    )
    details = Details(text_of("swiss"), "Test", "2026-03-14", keep=("club",))
    foreign = read_rounds(text.encode(), details)
    tournament = fold_lines([line for _, line in translate(foreign, ranking)])
    people = {tournament.names[f"p{one.number}"]: one for one in tournament.players[1:]}
    assert (people["Zoe"].faction, people["Zoe"].league_id) == ("Crab", "z-1")
    assert people["Zoe"].status == "dropped", "who registered and never sat"
    assert (people["Ann"].faction, people["Ann"].league_id) == ("Crane", "a-1")
    assert people["Bob"].attributes == {"club": "South"}
    assert tournament.opening is not None
    assert tournament.opening.tier == "formal"
    (problem,) = wrong("round,player1,player2,result,tier\n1,A,B,win,top\n", "swiss")
    assert problem == "row 2, tier: 'top' is not a tier: use relaxed, formal, premier"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("bbo", "bob"), ("boob", "bob"), ("bo", "bob"), ("lee, ann", "ann lee"), ("a. lee", "ann lee"),
     ("ann l", "ann lee"), ("kristine müller", "christine müller"), ("eve", ""), ("x", "")],
)  # fmt: skip
def test_a_name_is_near_another(typed: str, meant: str) -> None:
    assert NearNames(["bob", "ann lee", "christine müller"], 1).nearest(typed) == meant


def test_a_latecomer_with_a_name_of_their_own_is_not_asked_about() -> None:
    tournament = told(f"{HEAD}{FIRST}2,1,Ann,Zeno,win\n2,2,Cid,Dee,win\n", "swiss")
    assert tournament.players[2].status == "dropped"
    assert tournament.names["p5"] == "Zeno"

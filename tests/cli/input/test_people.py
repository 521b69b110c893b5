"""Players are found by any unambiguous part of a name; otherwise it is said who may be meant."""

from __future__ import annotations

import pytest

from cli.input.find_people import find_at_table, find_official, find_player, plain
from ledger.errors import NotFound
from ledger.tournament.state import Official, Player, Tournament

NAMES = ("Ann Lee", "Ann", "Bob Stone", "Çağla Ünal", "Bob", "Łukasz Øberg", "田中太郎", "Bobby")


@pytest.fixture
def tournament() -> Tournament:
    made = Tournament()
    for number, name in enumerate(NAMES, start=1):
        made.players.append(Player(number, 0))
        made.names[f"p{number}"] = name
    for number, name in enumerate(("Kim Larsen", "Pat Jones"), start=1):
        made.officials.append(Official(number, ("judge",)))
        made.names[f"o{number}"] = name
    return made


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("3", 3),
        ("#3", 3),
        ("lee", 1),
        ("ANN LEE", 1),
        ("  ann   lee ", 1),
        ("ann", 2),
        ("ston", 3),
        ("stone bob", 3),
        ("cagla", 4),
        ("ünal", 4),
        ("unal", 4),
        ("lukasz", 6),
        ("oberg", 6),
        ("田中", 7),
        ("bob", 5),
        ("bobb", 8),
    ],
)
def test_the_words_name_one_player(tournament: Tournament, words: str, number: int) -> None:
    assert find_player(tournament, words) == number


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("an", ["Ann Lee (#1)", "Ann (#2)"]),
        ("bo", ["Bob Stone (#3)", "Bob (#5)", "Bobby (#8)"]),
        ("stoen", ["did you mean Bob Stone (#3)?"]),
        ("lukas oberk", ["did you mean"]),
        ("zzzzz", ["8 players registered"]),
        ("9", ["no player 9"]),
        ("#0", ["no player #0"]),
        ("", ["no player"]),
        ("\x1b[2J", [r"\u{1b}[2J"]),
    ],
)
def test_otherwise_who_may_be_meant(tournament: Tournament, words: str, told: list[str]) -> None:
    with pytest.raises(NotFound) as refused:
        find_player(tournament, words)
    assert all(each in str(refused.value) for each in told)
    assert "\n" not in str(refused.value)


def test_a_withdrawn_registration_is_found_by_number_only(tournament: Tournament) -> None:
    tournament.players[4].status = "withdrawn"
    assert find_player(tournament, "4") == 4
    with pytest.raises(NotFound):
        find_player(tournament, "unal")


def test_namesakes_are_told_apart_by_number(tournament: Tournament) -> None:
    tournament.names["p5"] = "Ann Lee"
    with pytest.raises(NotFound, match=r"Ann Lee \(#1\) or Ann Lee \(#5\)"):
        find_player(tournament, "ann lee")


def test_the_exact_spelling_wins_over_another_case(tournament: Tournament) -> None:
    tournament.names["p5"] = "ANN"
    assert find_player(tournament, "ANN") == 5
    assert find_player(tournament, "Ann") == 2


def test_at_a_table_only_those_two_count(tournament: Tournament) -> None:
    assert find_at_table(tournament, (3, 1), "an") == 1
    assert find_at_table(tournament, (3, 1), "#3") == 3
    with pytest.raises(NotFound, match="does not sit at this table"):
        find_at_table(tournament, (3, 1), "2")
    with pytest.raises(NotFound, match="could be both"):
        find_at_table(tournament, (3, 5), "o")


def test_officials_by_number_or_name(tournament: Tournament) -> None:
    assert find_official(tournament, "o2") == 2
    assert find_official(tournament, "pat") == 2
    with pytest.raises(NotFound, match=r"Kim Larsen \(o1\), Pat Jones \(o2\)"):
        find_official(tournament, "zoe")


def test_many_candidates_are_cut_short() -> None:
    made = Tournament()
    for number in range(1, 400):
        made.players.append(Player(number, 0))
        made.names[f"p{number}"] = f"Player {number}"
    with pytest.raises(NotFound, match="391 more"):
        find_player(made, "player")


def test_comparison_ignores_case_accents_and_spaces() -> None:
    assert plain("  ÉLODIE\tWeiß ") == "elodie weiss"
    assert plain("ﬁn") == "fin"

"""What people type wrong on their first day, and what they are told."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def test_two_quoted_names_are_not_one_player(desk: Desk) -> None:
    """Without quotes the words are one name; with them each is a person."""
    desk.open(0)
    desk.done("register", "Hal", "Jay")
    told = desk.refused("register", "Dee Fox", "Eli Gun")
    assert (told.code, "one player at a time" in told.err) == (2, True)
    assert [row["name"] for row in desk.done("list", "--json").json] == ["Hal Jay"]


@pytest.mark.slow
def test_there_is_one_word_and_it_goes_into_the_draws(desk: Desk) -> None:
    """However it is typed again it changes nothing; another one is refused."""
    desk.open(8, "basic", "--word", "  Heron ")
    for again in (("--word", "heron"), ("--word", "HERON"), ()):
        assert "nothing to change" in desk.done("start", "basic", *again).err
    desk.done("pair")
    assert "nothing to change" in desk.done("start", "basic", "--word", "heron").err
    late = desk.refused("start", "basic", "--word", "crane")
    assert 'has started with the word "heron": it can no longer be changed' in late.err
    desk.report_all()
    desk.done("start", "custom", "--rounds", "1", "--reason", "the hall closes")
    desk.done("finish")
    desk.done("export", "-o", "day.jsonl")
    checked = desk.done("verify", "day.jsonl")
    assert "draws: " in checked.out
    assert "draws: UNCHECKED" not in checked.out


def test_who_has_handed_in_no_list_is_counted_not_misnamed(desk: Desk) -> None:
    """Of six without a list five are named; "1 more" is not player 1."""
    desk.done("new", "Red Rains", "--ruleset", "ashes", "--format", "ashes", "--lists")
    names = "".join(f"Player {number:02}\n" for number in range(1, 7))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    told = desk.refused("start", "basic").err
    assert "Player 05 (#5), and 1 more (AOP-DECKCHECK)" in told
    assert told.count("Player 01") == 1


LEGION = (
    ("report 1 #1 3-1 time", "time cannot have been called (SWL-CLOCK); use `round start`"),
    ("report 1 3-1 time", "time cannot have been called (SWL-CLOCK); use `round start`"),
    (
        "rule 1 x --result '#1 conceded' --as Pat",
        "'conceded' is how the game ended: type `--ended conceded`",
    ),
    ("report 1 1-1", "score decides, but is missing (SWL-OUTCOME); use `report TABLE --fact"),
    (
        "report 1 --ended defeated",
        "use `report TABLE WINNER` or `report TABLE --fact defeated=A:B`",
    ),
    ("side draw 1", "army totals decide this: give them, such as --totals 800-790"),
    ("battle 1", "--objective, --deployment and --condition three times each"),
    ("side 2 #4 --totals 790-800", "1/2 has a result: it is not being played"),
    ("side 3 #5 --totals 790-800", "1/3 is a bye: it is not being played"),
    (
        "rule 2 no --clause FFG-RULING --as Olga",
        "Olga cannot rule on this; officials who can: Pat, Uma",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "told"), LEGION)
def test_a_refusal_says_what_to_type(desk: Desk, typed: str, told: str) -> None:
    """How a game ended, what decides it, and tables by their numbers, not by the match's."""
    desk.done("new", "Legion Day", "--ruleset", "legion", "--organizer", "Olga")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBob\nCas\nDee\nEve\n")
    for judge in ("Pat", "Uma"):
        desk.done("official", "add", judge, "--role", "judge")
    desk.done("start", "basic")
    desk.done("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "to know who meets")
    desk.done("report", "2", "3")
    assert told in desk.refused(*shlex.split(typed)).err


def test_a_late_entrant_is_told_what_they_missed(desk: Desk) -> None:
    """FFG-REJOIN: an unpaired loss for each round; who dropped is counted as registered."""
    desk.open(4, "basic")
    desk.done("pair")
    desk.report_all()
    desk.done("pair")
    desk.done("drop", "1")
    told = desk.done("register", "Late Lou").err
    assert told.startswith("registered 1, 5 in all, unpaired loss in rounds 1, 2\n")


def test_a_row_that_is_registered_can_be_left_out(desk: Desk) -> None:
    """A file given twice with one more name: another person is the rarer case."""
    desk.open(0)
    desk.done("register", "Ann Lee")
    told = desk.refused("register", "--file", "-", stdin="name\nAnn Lee\nBob Ray\n").err
    assert "row 2: Ann Lee is already registered" in told
    assert "omit this entry, or confirm that this is another person" in told


def test_an_unknown_option_leads_to_the_help(desk: Desk) -> None:
    """Where no other option looks like it, too."""
    answer = desk.refused("penalty", "1", "warning", "--why-so", "late")
    assert answer.code == 2
    assert "no option --why-so; `tourney penalty --help` shows what it takes" in answer.err

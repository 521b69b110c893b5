"""Refusals at the command line: names, commands, and the whole of it for a program."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from cli.exits import USAGE
from cli.terminal.problems import COMMANDS, command_of, line_of
from cli.verbs import VERBS, in_words_of_today
from ledger.problems import Act, Official, Player, Table, problem, remedy
from tests.ledger.test_problems import calls, literal

if TYPE_CHECKING:
    from ledger.problems import Remedy, Value
    from tests.support.cli_desk import Desk

NAMES = {"p1": "Ann Lee", "p3": "o1 is\x1b", "p4": "player 1", "o1": "Pat", "o2": "{player}"}

KNOWN: dict[str, Value] = {
    "player": Player(7),
    "table": Table(2, 7),
    "ruling": 41,
    "rounds": 3,
    "cut": 2,
    "structure": "basic",
    "reason": "it rains",
}


def test_names_stand_in_the_place_of_numbers_and_what_was_typed_stays() -> None:
    told = problem(
        "a.b",
        "{player} and {others} miss {component}: {act} takes {official}",
        clause="FFG-LOST",
        player=Player(3),
        others=(Player(4), Player(99)),
        component="dice of player 3, o1 is",
        act=Act("RoundClosed"),
        official=Official(2),
    )
    assert line_of(told, NAMES) == (
        "o1 is\\u{1b} (#3) and player 1 (#4), player 99 miss dice of player 3, o1 is: "
        "closing a round takes {player} (FFG-LOST)"
    )


def test_a_remedy_is_a_command() -> None:
    told = problem("a.b", "x", remedy=(remedy("rule", table=Table(2, 7)), remedy("pair")))
    assert line_of(told, NAMES) == "x; use `rule 2/7 TEXT` or `pair`"


@pytest.mark.parametrize(
    ("told", "command"),
    [
        (remedy("correct"), "correct"),
        (remedy("correct", table=Table(2, 7), ruling=41), "correct 2/7 --ruling 41"),
        (remedy("correct", ruling=41), "correct --ruling 41"),
        (remedy("appeal.withdraw"), "appeal withdraw RULING --reason WHY"),
        (remedy("undo.for", player=Player(3)), "undo --for 3"),
        (remedy("start", structure="a b; rm"), "start 'a b; rm'"),
        (
            remedy("start.change", stages=("swiss 5", "single top 8"), reason="it rains"),
            'start custom --stage "swiss 5" --stage "single top 8" --reason "it rains"',
        ),
    ],
)
def test_what_is_not_known_of_a_command_is_left_out_or_in_capitals(
    told: Remedy, command: str
) -> None:
    assert command_of(told) == command


@pytest.mark.slow
def test_every_act_named_below_cli_has_its_command() -> None:
    named = {place: literal(call.args[0]) for place, call in calls("remedy")}
    assert {place: act for place, act in named.items() if act not in COMMANDS} == {}


WHOLE = [act for act, command in COMMANDS.items() if not command.startswith("--")]
"""The others are an option, which is added to the line that was refused."""


@pytest.mark.slow
@pytest.mark.parametrize("act", WHOLE)
def test_the_command_of_an_act_is_one_that_the_parser_takes(desk: Desk, act: str) -> None:
    for about in ({}, KNOWN):
        words = shlex.split(command_of(remedy(act, **about)))
        assert not in_words_of_today(words)[1]
        answer = desk.type(*words)
        assert "tourney --help" not in answer.err
        is_blank = re.search("'(TABLE|ROLE|MINUTES|WHAT)'", answer.err)
        assert answer.code != USAGE or is_blank, answer.err


def test_a_refusal_as_json_is_whole(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    answer = desk.refused("pair", "--json")
    (told,) = answer.json["problems"]
    assert list(told) == ["code", "text", "about", "clause", "remedies", "sentence"]
    assert told["sentence"] in answer.err


def test_each_refused_line_of_a_pipe_gives_its_problems(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    answer = desk.type("report", "--json", stdin="9 Player\n")
    assert answer.code
    assert list(answer.json) == ["problems"]
    answer = desk.type("report", "--json", stdin="1\n1 x x x\n")
    told = [json.loads(each) for each in answer.out.splitlines()]
    assert [list(each) for each in told] == [["problems"], ["problems"]]
    assert {each["problems"][0]["code"] for each in told} >= {"usage"}


MISUSED = (
    "no-such-verb",
    "--no-such-option",
    "list --store",
    "list --csv",
    "list -t a -t b",
    "--id !! list",
    "rename",
    "season people nope",
)


@pytest.mark.parametrize("line", [*MISUSED, *(f"{verb} --no-such-option" for verb in VERBS)])
def test_a_line_that_means_nothing_is_told_as_json(desk: Desk, line: str) -> None:
    """Wherever --json stands, one value that says what is wrong, beside the same in words."""
    for words in (["--json", *line.split()], [*line.split(), "--json"]):
        answer = desk.type(*words)
        if words[-2] == "--store":  # takes --json for its value
            continue
        (told,) = answer.json["problems"]
        assert (answer.code, told["code"], told["remedies"]) == (USAGE, "usage", []), words
        assert answer.err == f"tourney: {told['sentence']}\n"


def test_a_word_behind_the_end_of_options_asks_for_no_json(desk: Desk) -> None:
    answer = desk.type("no-such-verb", "--", "--json")
    assert (answer.code, answer.out) == (USAGE, "")


HOSTILE = "dice of player 3, o1 is"


def test_names_and_components_that_look_like_somebody_elses_number(desk: Desk) -> None:
    """What was typed is shown as it was typed, in every refusal and in every view."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Olga Brandt")
    names = "name\no1 is\nplayer 2\nPlayer 03\nplayer 1\n"
    desk.done("register", "--file", "-", stdin=names)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("component", "missing", "#1", HOSTILE)
    table = next(each for each in (1, 2) if 1 in desk.seats(each))
    refused = desk.refused("report", str(table), "#1").err
    assert f"o1 is (#1) is missing {HOSTILE}:" in refused
    assert (
        "cannot have a proxy of " + HOSTILE
        in desk.refused("component", "proxy", "#2", HOSTILE, "--illegible", "the cost").err
    )
    for view in (("component",), ("log",), ("component", "--json")):
        assert HOSTILE in desk.done(*view).out
    for view in (("list",), ("standings",), ("pairings",)):
        assert {"o1 is", "player 2"} <= set(re.findall("o1 is|player 2", desk.done(*view).out))

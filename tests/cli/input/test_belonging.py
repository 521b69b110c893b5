"""An option that belongs to another act of a verb is refused, not passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.input.belonging import TAKES
from cli.verbs.tree import command_of

if TYPE_CHECKING:
    from typing import Any

    from tests.support.cli_desk import Desk

TYPED = {
    "TABLE": "1",
    "TEXT": "why",
    "RULING": "1/1",
    "PLAYER": "ann",
    "KIND": "other",
    "R/T": "1/1",
    "ROUND": "1",
    "NAME": "kim",
    "SQL": "SELECT 1",
    "QUESTION": "attendance",
}
"""What a person types in the place of such a word."""

SWITCHES = {"--withdraw", "--fixed", "--watch", "--shell", "--tables", "--stand-down", "--resume"}
"""Options that make the act; typed beside another act they make that one."""

WITH_VALUE = {"--plays": "1", "--role": "judge"}


def options_of(verb: str) -> dict[str, Any]:
    """The verb's own options by their full spelling."""
    params = command_of(verb).params
    return {max(one.opts, key=len): one for one in params if one.param_type_name == "option"}


def line(verb: str, act: str) -> list[str]:
    """What is typed for an act of a verb."""
    typed: list[str] = [verb]
    for word in act.split():
        typed += [TYPED.get(word, word)]
        typed += [WITH_VALUE[word]] if word in WITH_VALUE else []
    return typed


@pytest.mark.parametrize("verb", TAKES)
def test_every_option_belongs_to_an_act(verb: str) -> None:
    declared = {option for options in TAKES[verb].values() for option in options.split()}
    assert declared == set(options_of(verb)) - {"--help"}


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "act"), [(verb, act) for verb in TAKES for act in TAKES[verb]])
def test_an_option_of_another_act_is_refused(desk: Desk, verb: str, act: str) -> None:
    taken = TAKES[verb][act].split()
    others = [
        (option, param)
        for option, param in options_of(verb).items()
        if option not in {*taken, *SWITCHES, *WITH_VALUE, "--help"}
    ]
    for option, param in others:
        value = [] if param.is_flag else ["zzz"]
        answer = desk.type(*line(verb, act), option, *value)
        assert answer.code == 2, (act, option, answer.err)
        assert f"{option} goes with `{verb}" in answer.err
        assert (answer.out, answer.err.count("\n")) == ("", 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("round start --left 5", "--left goes with `round time`;"),
        ("component missing Bob x --illegible zzz", "--illegible goes with `component proxy`;"),
        ("component found ann x", "component found takes no more words"),
        ("stats list --plot x.png", "--plot goes with `stats`"),
        (
            "season list --at 2026-13-01 --member 5",
            "--at goes with `season standings`; `tourney season list",
        ),
        ("round watch --at 3", "--at goes with `round`;"),
        ("official resume kim --role judge", "--role goes with `official add`;"),
        ("terrain fixed --covered 3", "--covered goes with `terrain count`;"),
        ("official ad kim", "official has no act 'ad'; did you mean add?"),
    ],
)
def test_what_is_said(desk: Desk, words: str, told: str) -> None:
    desk.open(0)
    desk.done("register", "Ann")
    desk.done("register", "Bob")
    answer = desk.refused(*words.split())
    assert (answer.code, told in answer.err) == (2, True), answer.err

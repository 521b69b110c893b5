"""An option that belongs to another act of a verb is refused, not passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.input.options import options_of
from cli.verbs import VERBS
from cli.verbs.tree import command_of

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.mark.parametrize("name", VERBS)
def test_no_option_is_given_twice(desk: Desk, name: str) -> None:
    """The first would be passed over without a word."""
    for param in options_of(command_of(name)):
        if param.is_flag or param.multiple or not param.opts:
            continue
        spelled = max(param.opts, key=len)
        words = [param.name for param in command_of(name).params if param.required]
        answer = desk.refused(*name.split(), *words, spelled, "1", spelled, "2")
        assert (answer.code, f"{spelled} is given twice" in answer.err) == (2, True), answer.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("round start --left 5", "--left is an option of `round time`;"),
        (
            "component missing Bob x --illegible zzz",
            "--illegible is an option of `component proxy`;",
        ),
        ("component found ann x", "component found takes no more words"),
        ("stats show factions --plot x.png", "--plot is an option of `stats`"),
        (
            "season --at 2026-13-01 --member 5",
            "--at is an option of `season standings`; `tourney season --help`",
        ),
        ("round watch --at 3", "--at is an option of `round`;"),
        ("official resume kim --role judge", "--role is an option of `official add`;"),
        ("appeal withdraw 9 --by ann", "appeal withdraw: there is no option --by"),
        ("explain pairing 1/1 --depth 2", "--depth is an option of `explain`;"),
        ("query tables --in x", "--in is an option of `query`;"),
        ("official ad kim", "official has no act 'ad'; did you mean add?"),
        ("ruleset l5r", "did you mean `ruleset show l5r`? known: show, check"),
        ("format l5r x", "did you mean `format show l5r x`?"),
        ("lists Ann", "did you mean `lists show Ann`?"),
    ],
)
def test_what_is_said(desk: Desk, words: str, told: str) -> None:
    desk.open(0)
    desk.done("register", "Ann")
    desk.done("register", "Bob")
    answer = desk.refused(*words.split())
    assert (answer.code, told in answer.err) == (2, True), answer.err

"""What people type wrong on their first day, and what they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli_desk import Desk


def test_two_quoted_names_are_not_one_player(desk: Desk) -> None:
    """Without quotes the words are one name; with them each is a person."""
    desk.open(0)
    desk.done("register", "Hal", "Jay")
    told = desk.refused("register", "Dee Fox", "Eli Gun")
    assert (told.code, "one player at a time" in told.err) == (2, True)
    assert [row["name"] for row in desk.done("list", "--json").json] == ["Hal Jay"]


def test_a_word_called_out_after_the_start_goes_into_the_draws(desk: Desk) -> None:
    """`start` once more with a word alone; the same word again changes nothing."""
    desk.open(8, "basic")
    assert 'the word is "heron"' in desk.done("start", "basic", "--word", "heron").err
    for again in (("--word", "heron"), ()):
        assert "already so" in desk.done("start", "basic", *again).err
    desk.done("pair")
    assert "already so" in desk.done("start", "basic", "--word", "heron").err
    assert "the first round has been paired" in desk.refused("start", "basic", "--word", "crane").err
    desk.report_all()
    desk.done("start", "custom", "--rounds", "1", "--change", "--reason", "the hall closes")
    desk.done("finish")
    desk.done("export", "-o", "day.jsonl")
    checked = desk.done("verify", "day.jsonl")
    assert "draws: " in checked.out
    assert "draws: UNCHECKED" not in checked.out


def test_who_has_handed_in_no_list_is_counted_not_misnamed(desk: Desk) -> None:
    """Of six without a list five are named; "1 more" is not player 1."""
    desk.done("new", "Red Rains", "--ruleset", "ashes", "--format", "ashes", "--lists")
    names = "".join(f"Player {number:02}\n" for number in range(1, 7))
    desk.done("register", "--csv", "-", stdin=f"name\n{names}")
    told = desk.refused("start", "basic").err
    assert "Player 05 (#5) and 1 more to come (FFG-LIST)" in told
    assert told.count("Player 01") == 1

"""The options of every verb may stand anywhere in the line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.input.arguments import SEPARATOR, Options, UsageError, split_global_options, whole
from cli.terminal.visible import cells

VERB = ("drop", "ann", "--note", "had to leave")
GLOBAL: dict[tuple[str, ...], dict[str, Any]] = {
    ("--store", "a.db"): {"store": "a.db"},
    ("--store=a.db",): {"store": "a.db"},
    ("-t", "kotei"): {"tournament": "kotei"},
    ("-tkotei",): {"tournament": "kotei"},
    ("--tournament", "kotei"): {"tournament": "kotei"},
    ("--as", "pat"): {"acting": "pat"},
    ("--for", "ann"): {"on_behalf_of": "ann"},
    ("--id", "x"): {"command_id": "x"},
    ("--json",): {"format": "json"},
}


@pytest.mark.slow
@given(st.sampled_from(sorted(GLOBAL)), st.integers(0, len(VERB)))
def test_a_global_option_stands_anywhere(option: tuple[str, ...], place: int) -> None:
    if place == 3:
        return  # there it would be the note
    options, rest = split_global_options([*VERB[:place], *option, *VERB[place:]])
    assert rest == list(VERB)
    assert options == Options(**GLOBAL[option])


def test_two_dashes_end_the_options() -> None:
    options, rest = split_global_options(["register", "--", "--json", "-t"])
    assert rest == ["register", "--", "--json", "-t"]
    assert options == Options()


@pytest.mark.parametrize("line", [["--store"], ["--id", ""], ["-t", "a", "-t", "b"], ["--as="]])
def test_an_option_needs_one_value(line: list[str]) -> None:
    with pytest.raises(UsageError):
        split_global_options(line)


def test_the_two_players_of_a_table_stay_together() -> None:
    _, rest = split_global_options(["pair", "--table", "ann lee", "bob", "--bye", "eve"])
    assert rest == ["pair", "--table", f"ann lee{SEPARATOR}bob", "--bye", "eve"]


@pytest.mark.parametrize("typed", ["", "x", "-1", "0", "101", "1.5", "٣", "9" * 400, "1_0", " 1"])
def test_whole_numbers_are_bounded(typed: str) -> None:
    said = "--rounds must be a whole number from 1 to 100"
    with pytest.raises(UsageError, match=said) as refused:
        whole("--rounds", typed, 1, 100)
    assert cells(str(refused.value)) <= len(f"{said}, not ") + 40  # one line, whatever was typed
    assert whole("--rounds", "100", 1, 100) == 100

"""All of stderr: what happened, what comes next, and refusals as one line each."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.terminal.streams import flush
from cli.terminal.tables import broken, terminal_width
from cli.terminal.visible import shortened, visible
from ledger.events import EVENTS
from ledger.events.base import Meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.errors import LedgerError

PROGRAM = "tourney"

NAME_CELLS = 60
"""How much of a name is repeated in a message."""

LINE_CHARACTERS_MAX = 2_000
"""The longest message: what a hostile file or name puts into one is cut off there."""

_PLAYERS = r'"[^"]*"|\bplayer(?:s (\d+) and)? (\d+)\b(?! \(#| \(name )'
"""What is in quotes, or has its number beside it, was typed so: that may be anybody's name.

`player 7 (name sealed)` is a name already."""

_OFFICIAL = r"\bo[1-9]\d*\b(?= is\b| holds\b)|(?<=\ba key of )o[1-9]\d*\b"

ACTS: Mapping[str, str] = {
    kind.__name__: kind.recording.act for kind in (*EVENTS.values(), *Meaning.__subclasses__())
}
"""What a refusal calls an event that was not admitted."""

_ACT = rf"\b({'|'.join(ACTS)})\b(?= takes| comes too late| is entered| has to be signed| \(event)"


def say(text: str) -> None:
    """Print one line of talk, broken at words where a terminal shows it."""
    line = visible(text)
    if len(line) > LINE_CHARACTERS_MAX:
        line = line[: LINE_CHARACTERS_MAX - 1] + "…"
    flush()
    with suppress(OSError, ValueError):  # nobody reads on: the exit code still tells
        lines = broken(line, terminal_width(sys.stderr)) if sys.stderr.isatty() else [line]
        sys.stderr.write("".join(f"{each}\n" for each in lines))


def complain(text: str) -> None:
    """Print one line that says what is wrong."""
    say(f"{PROGRAM}: {text}")


def problems_of(error: LedgerError, names: Mapping[str, str]) -> list[str]:
    """List an error's lines, with people by their names where the rules know numbers only."""
    from cli.terminal.problems import line_of, spells_itself

    return [
        worded(str(each), names) if spells_itself(each) else line_of(each, names)
        for each in error.problems
    ]


def worded(problem: str, names: Mapping[str, str]) -> str:
    """Put names in the place of `player 17` and `o2`, and words in that of an event's type."""

    def players(found: re.Match[str]) -> str:
        named = [_named(number, names) for number in found.groups() if number]
        return " and ".join(named) or found[0]

    def official(found: re.Match[str]) -> str:
        return names.get(found[0], found[0])

    text = re.sub(_PLAYERS, players, problem)
    text = re.sub(_OFFICIAL, official, text)
    return re.sub(_ACT, lambda found: ACTS[found[1]], text)


def _named(number: str, names: Mapping[str, str]) -> str:
    name = names.get(f"p{number}")
    if name is None:
        return f"player {number}"
    return f"{shortened(visible(name), NAME_CELLS)} (#{number})"

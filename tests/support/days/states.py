"""A day with a cut that stops at each state which pages of officials show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk


def day_of_states(desk: Desk) -> Iterator[str]:
    """Play a day with a cut, and stop at each state that a page can show."""
    yield from _opening(desk)
    yield from _first_round(desk)
    yield from _ruling(desk)
    yield from _cut(desk)
    yield from _elimination(desk)


def _opening(desk: Desk) -> Iterator[str]:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    yield "empty"
    desk.done("register", "Ann")
    yield "one player"
    for name in ("Bea", "Cas", "Dan", "Eve"):
        desk.done("register", name)
    yield "registered"
    desk.done("start", "custom", "--rounds", "2", "--cut", "4")
    yield "announced"
    desk.done("check-in", "open")
    yield "check-in"


def _first_round(desk: Desk) -> Iterator[str]:
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    yield "paired"
    desk.done("register", "Fay")
    yield "latecomer"
    desk.done("late", "Fay")
    desk.done("round", "start")
    yield "started"
    desk.done("round", "pause", "--reason", "a call")
    yield "paused"
    desk.done("round", "resume")
    desk.report_all()
    yield "reported"


def _ruling(desk: Desk) -> Iterator[str]:
    _, second = desk.seats(1)
    desk.done("dispute", "1", "--for", f"#{second}", "--reason", "no")
    desk.done("rule", "1", "so it was", "--stands", "--as", "2")
    yield "ruled by a judge"
    desk.done("appeal", "1", "--for", f"#{second}", "--reason", "no")
    yield "appealed"
    desk.done("review", "1", "it was not", "--overturned", "--result", f"#{second}")
    yield "to be entered"
    desk.done("correct", "--ruling", "1")
    desk.done("pair")
    desk.done("round", "start")
    yield "after a correction"


def _cut(desk: Desk) -> Iterator[str]:
    desk.report_all()
    yield "before the cut"
    desk.done("cut")
    yield "cut"
    first = desk.done("standings", "--json").json[0]["player"]
    desk.done("drop", f"#{first}")
    yield "place free"
    desk.done("cut", "accept", "next")
    desk.done("pair")
    desk.done("round", "start")


def _elimination(desk: Desk) -> Iterator[str]:
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    desk.done("dispute", "1", f"#{second}", "--for", f"#{second}", "--reason", "no")
    yield "disputed"
    desk.report_all()
    yield "only disputed"
    desk.done("rule", "1", "so it was", "--stands", "--as", "2")
    yield "ruled"
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    yield "over"
    desk.done("finish")
    yield "finished"

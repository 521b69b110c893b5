"""A day with a cut that stops at each state which pages of officials show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk


def day_of_states(desk: Desk) -> Iterator[str]:
    """Play a day with a cut, and stop at each state that a page can show."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    yield "empty"
    desk.done("register", "Ann")
    yield "one player"
    for name in ("Bea", "Cas", "Dan", "Eve"):
        desk.done("register", name)
    yield "registered"
    desk.done("start", "custom", "--rounds", "1", "--cut", "4")
    yield "announced"
    desk.done("pair")
    yield "paired"
    desk.done("round", "start")
    yield "started"
    desk.done("round", "pause", "--reason", "a call")
    yield "paused"
    desk.done("round", "resume")
    desk.report_all()
    yield "reported"
    desk.done("cut")
    yield "cut"
    left = desk.done("standings", "--json").json[0]["player"]
    desk.done("drop", f"#{left}")
    yield "place free"
    desk.done("cut", "accept", "next")
    desk.done("pair")
    desk.done("round", "start")
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    desk.done("dispute", "1", f"#{second}", "--for", f"#{second}", "--reason", "no")
    yield "disputed"
    desk.report_all()
    yield "only disputed"
    desk.done("rule", "1", "so it was", "--stands")
    yield "ruled"
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    yield "over"
    desk.done("finish")
    yield "finished"

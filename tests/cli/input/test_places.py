"""The day and the zone of a tournament: of the place it is at, whatever the machine thinks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

FIRST, LAST = "Pacific/Kiritimati", "Etc/GMT+12"
"""Where a day begins first and last: 26 hours apart, so that it is never the same day at both."""


def events(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(line) for line in desk.log().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["UTC", FIRST, LAST])
def test_a_tournament_is_on_the_day_of_its_zone(desk: Desk, machine: str) -> None:
    desk.patch.setenv("TZ", machine)
    days = {}
    for zone in (FIRST, LAST):
        desk.done("new", zone, "--ruleset", "swiss", "--time-zone", zone)
        days[zone] = events(desk)[0]["data"]["date"]
        day = days[zone][5:]
        assert day not in desk.done("log").out.splitlines()[1].partition("opened")[0]
    assert days[FIRST] > days[LAST]


@pytest.mark.slow
def test_a_proxy_is_of_the_day_of_the_tournaments_zone(desk: Desk) -> None:
    days = []
    for zone in (FIRST, LAST):
        desk.done("new", zone, "--ruleset", "l5r", "--time-zone", zone)
        for name in ("Ann Lee", "Bob Ray"):
            desk.done("register", name)
        desk.done("start", "custom", "--rounds", "1")
        desk.done("pair")
        desk.done("component", "damaged", "ann", "a card", "--kind", "card")
        desk.done("component", "proxy", "ann", "a card", "--illegible", "the cost")
        days.append(events(desk)[-1]["data"]["date"])
    assert days[0] > days[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "zone"),
    [
        ("Europe/Nowhere", "UTC"),
        ("CET-1CEST", "UTC"),
        ("../../etc/passwd", "UTC"),
        (":Asia/Kolkata", "Asia/Kolkata"),
        ("Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_the_machines_zone_is_one_that_others_know(desk: Desk, machine: str, zone: str) -> None:
    desk.patch.setenv("TZ", machine)
    said = desk.done("new", "A day", "--ruleset", "swiss").err
    assert (f"the time zone {machine} of this computer is not known" in said) == (zone == "UTC")
    assert events(desk)[0]["data"]["time_zone"] == zone
    desk.done("log", "--at", "2999-01-01T23:59")


def test_a_log_of_a_zone_that_is_not_known_here_is_read_in_utc(desk: Desk) -> None:
    desk.done("new", "A day", "--ruleset", "swiss", "--time-zone", "Europe/Berlin")
    elsewhere = desk.log().replace("Europe/Berlin", "Europe/Nowhere")
    (desk.folder / "day.jsonl").write_text(elsewhere, "utf-8")
    desk.patch.setenv("TOURNEY_KEYS", "elsewhere")
    desk.done("--store", "other.db", "import", "day.jsonl", "--unsigned", "its zone was changed")
    opening = events(desk)[0]
    day, clock = opening["at"][:10], opening["at"][11:16]
    assert f" {clock}" in desk.done("log").out
    desk.done("log", "--at", f"{day}T{clock}")

"""The day and the zone of a tournament: of the place it is at, whatever the machine thinks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

import pytest
from msgspec import toml

from cli.input.moments import checked_zone
from tests.support.paths import ROOT

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


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("tokyo standard time", "Asia/Tokyo"),
        ("AUS Eastern Standard Time", "Australia/Sydney"),
    ],
)
def test_a_zone_by_the_name_of_windows_is_written_down_as_all_others_know_it(
    desk: Desk, typed: str, zone: str
) -> None:
    desk.done("new", "A day", "--ruleset", "swiss", "--time-zone", typed)
    assert events(desk)[0]["data"]["time_zone"] == zone
    desk.patch.setenv("TZ", typed)
    desk.done("new", "Another day", "--ruleset", "swiss")
    assert events(desk)[0]["data"]["time_zone"] == zone


def test_every_name_of_windows_is_that_of_a_zone() -> None:
    names = toml.decode((ROOT / "cli/input/windows_zones.toml").read_text("utf-8"))
    assert len(names) > 130
    assert set(names.values()) <= available_timezones()
    assert [checked_zone(name) for name in names] == list(names.values())


def test_without_zones_there_is_utc_and_what_to_install(desk: Desk) -> None:
    """A computer without system zones, and without the package `tzdata`."""
    (desk.folder / "tzdata").mkdir()
    (desk.folder / "tzdata" / "__init__.py").touch()
    told = {**os.environ, "PYTHONTZPATH": "", "PYTHONPATH": f"{desk.folder}{os.pathsep}{ROOT}"}

    def new(*words: str, zone: str = "") -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "cli", "new", "A day", "--ruleset", "swiss", *words]
        return subprocess.run(
            line,
            cwd=desk.folder,
            env={**told, "TZ": zone},
            text=True,
            capture_output=True,
            check=False,
        )

    refused = new("--time-zone", "Europe/Berlin")
    text = "this computer has no time zones: install them with `pip install tzdata`"
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"tourney: --time-zone Europe/Berlin: {text}, or choose UTC\n"
    assert not list(desk.folder.glob("*.db"))
    machine = new(zone="Europe/Berlin")
    assert machine.returncode == 0
    assert f"{text}: using UTC\n" in machine.stderr
    typed = new("--time-zone", "UTC")
    assert typed.returncode == 0
    assert "time zone" not in typed.stderr

"""Browsers that were signed in by the program of commit cba5ce01, and programs written for it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.kept.asking import answers, covers
from tests.kept.browsing import browsed, interface

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk


def test_a_browser_reads_what_it_read(at: Callable[[str], Desk]) -> None:
    found, then = browsed(at("hall").folder), answers()["browsed"]
    assert covers(found, then) == []


def test_nothing_is_gone_that_a_program_asks_for(at: Callable[[str], Desk]) -> None:
    assert covers(interface(at("hall").folder), answers()["interface"]) == []


def test_a_printed_link_stays_valid(at: Callable[[str], Desk]) -> None:
    """Its number and its secret are the ones that it had; its address names the tournament now.

    The earlier address leads to the first tournament of the server, see test_entry.py.
    """
    desk = at("hall")
    then = json.loads((desk.folder / "cookies.json").read_text("utf-8"))
    words = ("--address", "http://127.0.0.1:8600", "--json")
    found = desk.done("links", "print", *words).json["links"]
    found += desk.done("links", "print", "o1", "o2", "s1", "e1", *words).json["links"]
    named = ("of", "address")
    now = [[re.sub(r"/e/[0-9a-f]{8}", "", each[name]) for name in named] for each in found]
    assert now == [[each[name] for name in named] for each in then]
    log = desk.done("tournaments", "--json").json[0]["tournament"][:8]
    assert all(f"/e/{log}/in#" in each["address"] for each in found)

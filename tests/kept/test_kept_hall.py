"""Browsers that were signed in by the program of commit cba5ce01, and programs written for it."""

from __future__ import annotations

import json
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
    """Its number and its secret, which is in its address, are the ones that it had."""
    desk = at("hall")
    then = json.loads((desk.folder / "cookies.json").read_text("utf-8"))
    words = ("--address", "http://127.0.0.1:8600", "--json")
    found = desk.done("links", "print", *words).json["links"]
    found += desk.done("links", "print", "o1", "o2", "s1", "e1", *words).json["links"]
    named = ("of", "address")
    assert [[each[name] for name in named] for each in found] == [
        [each[name] for name in named] for each in then
    ]

"""What a person may type, and the readers of it with a tournament to hold it to."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

from cli.input import find_people as people
from cli.input import matches, moments, reports, structures, whatif
from cli.input.matches import taken_out
from cli.input.moments import checked_date, checked_zone, zone_of
from ledger import rulesets
from ledger.books.open_log import last_event
from tests.faults.inputs.mutators import Grammar
from tests.support.simulate import Day, play

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from cli.desk.session import Desk
    from ledger.tournament.state import Tournament

    Mutator = Callable[[Grammar, Random], bytes]
    Reader = Callable[[bytes, Path], object]

# --- what is typed ---


@cache
def _running() -> Tournament:
    return _day("l5r").tournament


@cache
def _scored() -> Tournament:
    return _day("runewars").tournament


def _day(ruleset: str) -> Day:
    names = ["Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox", "Émile Öz", "王小明"]
    day = Day(names, ruleset=ruleset)
    day.start(3)
    day.pair()
    return day


@cache
def _ended() -> Day:
    return play(3, 8, rounds=2, cut=2, disputes=True)


def typed_grammar() -> Grammar:
    """Reports as they would be typed of both days, with what else may be typed."""
    told = [
        f"{match.table} #{match.players[0]}{word}".encode()
        for match in _running().matches[1:]
        for word in ("", " modified", " no-show", " --ended time")
    ]
    scores = [b"1 200-140", b"1 --fact score=107:49", b"1/2 90-90 --ended time", b"3 170-20"]
    return Grammar((*TYPED, *told, *scores), WORDS)


TYPED = (
    *(b"1 ann", b"2/1 bob", b"1 200-140", b"2 no-show bob", b"1 draw", b"1 ann modified", b"#3"),
    *(b"1 ann 200-80 --ended time", b"1 --fact score=107:49", b"3/4 none", b"ann stayed"),
    *(b"ann dropped 2", b"1/1 ann and bob dropped 2", b"p1", b"o1", b"\xe7\x8e\x8b", b"R1", b"1/2"),
)
WORDS = (
    *(
        b"no-show",
        b"draw",
        b"modified",
        b"--ended",
        b"--ended=time",
        b"--fact",
        b"--fact=score=1:1",
    ),
    *(
        b"none",
        b"and",
        b"dropped",
        b"stayed",
        b"dq",
        b"#1",
        b"1/1",
        b"0",
        b"-1",
        b"2-1-0",
        b"concede",
    ),
)
MOMENTS = (
    *(
        b"57",
        b"round:3",
        b"posted",
        b"14:05",
        b"14:05:30",
        b"2026-03-14T08:31",
        b"2026-03-14",
        b"now",
    ),
    *(b"posted:standings", b"2026-03-14T08:31:00+02:00", b"pairings:2", b"14:05Z", b"9999-12-31"),
)


class _Opening:
    """As much of a desk as reading a moment needs: the first line."""

    stream = ""

    def store(self) -> _Opening:
        return self

    def entries(self, *_: object) -> list[tuple[str, bytes]]:
        return [("", _ended().lines[0])]


def read_moment(text: str) -> object:
    moment = moments.read_moment(cast("Desk", _Opening()), text)
    return moment and last_event(moment, _ended().lines)


def read_report(words: list[str]) -> object:
    rest, typed = taken_out(words)
    tournament = _scored() if len(words) % 2 else _running()
    return reports.read(tournament, rest, typed)


def read_whatif(words: list[str]) -> object:
    rest, typed = taken_out(words)
    return whatif.read_facts(_ended().tournament, rest, typed)


def find_any(text: str) -> object:
    """Look for a text in each of the places where a person types what is meant."""
    readers: tuple[Callable[[Any, str], object], ...] = (
        people.find_player,
        people.find_official,
        people.find_person,
        matches.find_match,
        matches.find_ruling,
    )
    readers[len(text) % len(readers)](_ended().tournament, text)
    return None


def read_place(text: str) -> object:
    stage_of = partial(structures.stage_of, scoring=rulesets.load("fide").ruleset.scoring)
    readers = (checked_date, checked_zone, stage_of, zone_of)
    return readers[len(text) % len(readers)](text)


PLACES = (
    *(b"2026-03-14", b"Europe/Rome", b"UTC", b"swiss:3", b"top:8", b"single top 8", b"../etc"),
    *(b"double:4", b"single:16", b"2026-02-29", b"America/Argentina/Buenos_Aires", b"3", b"+02:00"),
)

OPTIONS = (b"--store", b"--as", b"-t", b"--id", b"--json", b"--for", b"--", b"--store=x", b"-tx")

"""Files from outside that try to take memory: each reader takes a bounded multiple of its file.

The bound is 12 times the file's size and 120 MB, of a whole process with Python in it. It is tried
for every parameter of every verb that names a file to read.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.input.file_names import InFile
from cli.input.options import files_in
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from tests.support.sample_season import SCHEME

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

if sys.platform != "linux":
    pytest.skip("the peak of a child's memory is read as Linux gives it", allow_module_level=True)

SIZE = 5_000_000
TIMES, BESIDES = 12, 130_000_000  # a list that grows is copied or not, as the allocator decides
TITLES = b"round,table,player1,player2,winner\n"
XML = b'<?xml version="1.0"?><Tournament>'


def filled(beginning: bytes, piece: bytes, end: bytes = b"") -> bytes:
    """Return a file of one piece after the other."""
    return beginning + piece * (SIZE // len(piece)) + end


SHEETS = {
    "a quote that is not closed": filled(TITLES + b'1,1,"', b"a"),
    "a quote over many lines": filled(TITLES + b'1,1,"', b"a,b\n"),
    "quotes": filled(TITLES, b'"'),
    "cells in one row": filled(TITLES, b"x,", b"x\n"),
    "empty cells in one row": filled(TITLES, b","),
    "short rows": filled(TITLES, b"1,1,a,b,a\n"),
    "rows without a title": filled(TITLES, b"," * 199 + b"x\n"),
    "empty lines": filled(TITLES, b"\n"),
    "zeros": filled(TITLES, b"\0"),
    "two bytes a letter": filled(TITLES, b"1,1,a,b,a\n").decode()[: SIZE // 2].encode("utf-16"),
    "a mark of the order of bytes in each cell": filled(TITLES, b"\xef\xbb\xbf,"),
}
PLAYERS = {
    "a quote that is not closed": filled(b'name\n"', b"a"),
    "short rows": filled(b"name\n", b"a\n"),
    "empty cells": filled(b"name\n", b","),
    "titles": filled(b"name", b",a", b"\nAnn\n"),
}
JSON = {
    "empty objects": filled(b'{"players":[', b"{},", b'{}],"rounds":[]}'),
    "empty lists": filled(b'{"players":[', b"[],", b'[]],"rounds":[]}'),
    "numbers": filled(b'{"players":[', b"0,", b"0]}"),
    "one number": filled(b'{"players":[', b"1", b"]}"),
    "lists in lists": b'{"players":' + b"[" * (SIZE // 2) + b"]" * (SIZE // 2) + b"}",
    "members": b"{" + b",".join(b'"%d":0' % number for number in range(SIZE // 10)) + b"}",
    "one member again and again": filled(b"{", b'"players":[],', b'"players":[]}'),
    "players of a league's program": filled(
        b'{"id":1,"name":"N","players":[', b'{"id":1},', b'{}],"rounds":[]}'
    ),
    "rounds of another program": filled(b'{"TournamentID":1,"Rounds":[', b"{},", b"{}]}"),
}
DOCUMENTS = {
    "attributes": XML
    + b"<Player "
    + b" ".join(b'a%d="1"' % number for number in range(SIZE // 11))
    + b"/></Tournament>",
    "elements": filled(XML, b"<a/>", b"</Tournament>"),
    "players": filled(XML + b"<Players>", b'<Player name="a"/>', b"</Players></Tournament>"),
    "depth": filled(XML, b"<a>"),
    "one long attribute": filled(XML + b'<Player name="', b"a", b'"/></Tournament>'),
    "entities in entities": b'<?xml version="1.0"?><!DOCTYPE Tournament [<!ENTITY a "'
    + b"a" * 100_000
    + b'"><!ENTITY b "'
    + b"&a;" * 1_000
    + b'">]><Tournament>&b;</Tournament>',
}
TEXTS = {
    "players of chess": filled(b"012 Night\n", b"001    1      Ann\n"),
    "one long line of chess": filled(b"012 Night\n001    1 ", b"x"),
    "players of Go": filled(b"; EV[N]\n", b"1 Ann A 1d XX 0 0 0 0 2+/w0\n"),
    "empty lines of Go": filled(b"; EV[N]\n1 Ann A 1d XX 0 0 0 0 2+/w0\n", b"\n"),
    "a long line of a log": filled(b'{"seq":1,"id":"a","data":"', b"a", b'"}\n'),
    "lines of a log": filled(b"", b'{"seq":1}\n'),
    "empty lines of a log": filled(b'{"seq":1}\n', b"\n"),
}
CARDS = {
    "a quote that is not closed": filled(b'name,id\n"', b"a"),
    "short rows": filled(b"name,id\n", b"a,b\n"),
    "empty lines": filled(b"name,id\n", b"\n"),
    "columns": filled(b"name", b",c", b"\n"),
    "remarks": filled(b"", b"# limit a: b\n", b"name,id\n"),
    "objects": filled(b'{"cards":[', b"{},", b"{}]}"),
}
SMALL = {
    "numbers": b"a=[" + b"1," * 19_000 + b"]",
    "tables in tables": b"\n".join(b"a={" + b"a={" * 1_000 for _ in range(10)),
    "dotted keys": b"\n".join(b".".join([b"a"] * 400) + b".b%d=1" % row for row in range(45)),
    "lines": b"a=1\n" * (SIZE // 4),
}
ANY = {
    "a quote that is not closed": filled(b'a,b\n"', b"a"),
    "lines": filled(b"", b"a b c\n"),
    "empty objects": filled(b'{"a":[', b"{},", b"{}]}"),
    "short assignments": b"a=1\n" * (SIZE // 4),
    "keys": filled(b"", b"log example.org/a+12345678+AbcdefGHIJK\n"),
}
"""What is tried on each reader that is not of a kind above."""

FILES = {
    "sheet": SHEETS,
    "players": PLAYERS,
    "json": JSON,
    "xml": DOCUMENTS,
    "text": TEXTS,
    "cards": CARDS,
    "toml": SMALL,
}
LINES = {
    "sheet": ("import", "FILE", "--ruleset", "swiss", "--name", "N", "--date", "2026-03-14"),
    "players": ("register", "--file", "FILE"),
    "json": ("import", "FILE"),
    "xml": ("import", "FILE"),
    "text": ("import", "FILE"),
    "cards": ("format", "check", "l5r", "list.txt", "--cards", "FILE"),
    "toml": ("ruleset", "check", "FILE"),
}
ENDS = {"json": "json", "xml": "xml", "toml": "toml", "text": "txt"}

PORT = ("--port", "1")
READ_BY: dict[tuple[str, str], tuple[str, ...]] = {
    ("new", "ruleset"): ("new", "X", "--ruleset", "FILE", "--organizer", "Kim"),
    ("new", "format"): ("new", "X", "--ruleset", "l5r", "--format", "FILE", "--organizer", "Kim"),
    ("lists submit", "words"): ("lists", "submit", "Ann", "FILE"),
    ("lists submit", "cards"): ("lists", "submit", "Ann", "list.txt", "--cards", "FILE"),
    ("lists check", "cards"): ("lists", "check", "Ann", "--cards", "FILE"),
    ("lists check", "found"): ("lists", "check", "Ann", "--found", "FILE"),
    ("lists correct", "words"): ("lists", "correct", "Ann", "FILE", "--reason", "wrong"),
    ("start cosigned", "file"): ("start", "cosigned", "FILE"),
    ("verify", "file"): ("verify", "FILE"),
    ("verify", "policy"): ("verify", "day.jsonl", "--policy", "FILE"),
    ("verify", "head"): ("verify", "day.jsonl", "--head", "FILE"),
    ("verify", "disclosed"): ("verify", "day.jsonl", "--disclosed", "FILE"),
    ("witness cosign", "file"): ("witness", "cosign", "FILE"),
    ("witness add", "file"): ("witness", "add", "FILE"),
    ("diff", "first"): ("diff", "FILE", "day.jsonl", "--policy", "policy"),
    ("diff", "second"): ("diff", "day.jsonl", "FILE", "--policy", "policy"),
    ("diff", "policy"): ("diff", "day.jsonl", "day.jsonl", "--policy", "FILE"),
    ("season", "file"): ("season", "--in", "FILE"),
    ("season", "policy"): ("season", "--policy", "FILE"),
    ("season add", "places"): ("season", "add", "FILE", "--in", "new.duckdb"),
    ("season derive", "places"): ("season", "derive", "parts", "FILE"),
    ("season people", "league"): ("season", "people", "--league", "FILE"),
    ("season site", "scheme"): ("season", "site", "pages", "--scheme", "FILE"),
    ("season add", "archetypes"): (
        *("season", "add", "day.jsonl", "--in", "new.duckdb", "--archetypes", "FILE"),
    ),
    ("season people import", "path"): (
        *("season", "people", "import", "FILE", "--by", "Kim", "--reason", "members"),
    ),
    ("season site", "agreed"): ("season", "site", "pages", "--agreed", "FILE"),
    ("season site", "logs"): ("season", "site", "pages", "--logs", "FILE"),
    ("season restate", "places"): ("season", "restate", "FILE", "--scheme", "points.toml"),
    ("query", "file"): ("query", "SELECT 1", "--in", "FILE"),
    ("import", "ruleset"): ("import", "s.csv", "--ruleset", "FILE", "--name", "N"),
    ("import", "policy"): ("import", "day.jsonl", "--store", "other.db", "--policy", "FILE"),
    ("import", "disclosed"): ("import", "day.jsonl", "--store", "other.db", "--disclosed", "FILE"),
    ("export", "reader"): ("export", "--for", "FILE", "--event", "1", "-o", "out.for"),
    ("replay", "file"): ("replay", "FILE"),
    ("replay", "policy"): ("replay", "day.jsonl", "--policy", "FILE"),
    ("reproduce", "file"): ("reproduce", "FILE"),
    ("serve", "cert"): ("serve", "--cert", "FILE", "--key", "FILE", *PORT),
    ("serve", "cards"): ("serve", "--cards", "FILE", *PORT),
    ("serve", "scheme"): ("serve", "--season", "season.duckdb", "--scheme", "FILE", *PORT),
    ("serve", "agreed"): ("serve", "--season", "season.duckdb", "--agreed", "FILE", *PORT),
    ("backup", "reader"): ("backup", "day.backup", "--for", "FILE"),
    ("restore", "file"): ("restore", "FILE", "--store", "other.db"),
    ("ruleset show", "game"): ("ruleset", "show", "FILE"),
    ("format show", "key"): ("format", "show", "FILE"),
    ("format check", "key"): ("format", "check", "FILE", "list.txt", "--cards", "cards.csv"),
    ("format check", "file"): ("format", "check", "l5r", "FILE", "--cards", "cards.csv"),
}
"""A line for every parameter that names a file to read, by its verb and its name."""

AS_ABOVE = {
    ("import", "files"): LINES["json"],
    ("register", "file"): LINES["players"],
    ("format check", "cards"): LINES["cards"],
    ("ruleset check", "file"): LINES["toml"],
}
SHARED_READERS = {
    "archetypes": "season add",
    "file": "season",
    "season": "season",
    "policy": "season",
    "league": "season people",
    "agreed": "season site",
    "scheme": "season site",
    "places": "season add",
    "cards": "lists submit",
    "words": "lists submit",
    "key": "serve",
    "ruleset": "import",
}
"""By a parameter's name the verb whose reader the others of that name share."""


MEASURED = """
import sys
from pathlib import Path
from cli.main import main
code = main(sys.argv[1:])
status = Path("/proc/self/status").read_text()
print(status.partition("VmHWM:")[2].split()[0])
sys.exit(code)
"""
"""Runs a command line, and prints the largest memory that its process had, in kilobytes."""


def peak_of(folder: Path, *words: str) -> tuple[int, int, str]:
    """Run a command line; return its largest memory in bytes, its exit code and what it said."""
    line = [sys.executable, "-c", MEASURED, *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    return int(done.stdout.split()[-1]) * 1_024, done.returncode, done.stderr


def test_every_parameter_that_names_a_file_is_tried() -> None:
    named = {
        (path, name)
        for path, verb in VERBS.items()
        for name, kind in files_in(function_of(verb)).items()
        if kind is InFile
    }
    tried = READ_BY.keys() | AS_ABOVE.keys()
    assert tried <= named
    assert {(path, name) for path, name in named - tried if name not in SHARED_READERS} == set()


@pytest.mark.slow
@pytest.mark.parametrize("reader", READ_BY, ids=" ".join)
def test_every_reader_of_a_file_is_bounded(desk: Desk, reader: tuple[str, str]) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "Ann Lee")
    desk.done("export", "-o", "day.jsonl")
    (desk.folder / "policy").write_text(desk.done("checkpoint", "--policy").out)
    (desk.folder / "points.toml").write_text(SCHEME)
    (desk.folder / "list.txt").write_text("1 Card\n")
    (desk.folder / "cards.csv").write_text("name,type\nCard,x\n")
    (desk.folder / "s.csv").write_bytes(TITLES + b"1,1,a,b,a\n")
    desk.done("season", "add", "day.jsonl")
    desk.done("season", "people", "name", "Ann Lee", "11111111")
    for name, content in ANY.items():
        path = desk.folder / "hostile.txt"
        path.write_bytes(content)
        words = [str(path) if word == "FILE" else word for word in READ_BY[reader]]
        peak, code, said = peak_of(desk.folder, *words)
        assert code in {1, 2, 3, 4}, (name, said)
        assert "Traceback" not in said
        assert peak < TIMES * len(content) + BESIDES, f"{name}: {peak:,} bytes: {said[:200]}"


CASES = [(kind, name) for kind, files in FILES.items() for name in files]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), CASES, ids=[" ".join(case) for case in CASES])
def test_a_hostile_file_takes_a_bounded_multiple_of_its_size(
    desk: Desk, kind: str, name: str
) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim Larsen")
    path = desk.folder / f"hostile.{ENDS.get(kind, 'csv')}"
    path.write_bytes(FILES[kind][name])
    (desk.folder / "list.txt").write_text("1 Card\n")
    words = [str(path) if word == "FILE" else word for word in LINES[kind]]
    peak, code, said = peak_of(desk.folder, *words)
    assert code in {1, 2, 3}, said
    assert "Traceback" not in said
    assert peak < TIMES * path.stat().st_size + BESIDES, f"{peak:,} bytes: {said[:200]}"

"""Files from outside that try to take memory: each reader takes a bounded multiple of its file.

The bound is 12 times the file's size and 120 MB, of a whole process with Python in it.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

if sys.platform != "linux":
    pytest.skip("the peak of a child's memory is read as Linux gives it", allow_module_level=True)

SIZE = 5_000_000
TIMES, BESIDES = 12, 120_000_000
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


CASES = [(kind, name) for kind, files in FILES.items() for name in files]


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

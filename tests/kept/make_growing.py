"""How `growing.tar.xz` was made: stores of the program as it was at commit cba5ce01, and its files.

    python -m tests.kept.make_growing OUT PROGRAM...

runs the old program (PROGRAM is its command line) on the files that are made here. Each event is
imported from an early state of its file; what `--into` adds from the whole file is in `answers`,
without ids and times. What is kept is not made again by a later program.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.files.aesops_files import aesops, seat
from tests.support.files.foreign_files import foreign_files
from tests.support.files.nrtm_files import as_bytes, document, table
from tests.support.files.program_files import duel, fortress, gotha, pilots, trf

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]
States = tuple[bytes, bytes]
NAMES = ("Lee, Ann", "Ray, Bob", "Doe, Cid", "Fox, Dee")
H9 = """\
; EV[{name}]
; DT[2026-03-14]
;
; Pl Name                            Rk Co Club  NBW SOSW
   1 LEE Ann                          5D EN Lond    {one}    1     2+/w0     {last}/b0
   2 RAY Bob                          4D EN Lond    1    2     1-/b0     4+/w0
   3 DOE Cid                          3D EN Lond    {three}    1     4+/w0     {other}/w0
   4 FOX Dee                          1K EN Lond    0    2     3-/b0     2-/b0
"""


def growing_files() -> dict[str, tuple[str, States, tuple[str, ...]]]:
    """Every format's early and whole file by the name of its event: suffix, states, options."""
    first, second = [table(1, 2, 6, 0), table(3, 4, 4, 1)], [table(1, 3, 3, 3), table(2, 4, 6, 0)]
    seats = [seat(1, 101, 102, ("3", "0")), seat(2, 103, 104, ("0", "6"))]
    more = [seat(1, 101, 104, ("3", "3")), seat(2, 103, 102, ("0", "6"))]
    rows = pilots(
        (2, 400, "0.50", 1), (1, 300, "1.00", 2), (1, 200, "0.50", 3), (0, 100, "1.00", 4)
    )
    duels = [duel(101, 102, (100, 50), 101), duel(103, 104, (90, 40), 103)]
    waits = [duel(101, 103, (None, None), None), duel(102, 104, (80, 20), 102)]
    done = [duel(101, 103, (120, 30), 101), waits[1]]
    cells = {1: ("   2 w 1", "   3 b ="), 2: ("   1 b 0", "   4 w 1"),
             3: ("   4 w 1", "   1 w ="), 4: ("   3 b 0", "   2 b 0")}  # fmt: skip
    early = [(name, "0.0", number, list(cells[number][:1])) for number, name in enumerate(NAMES, 1)]
    whole = [(name, "0.0", number, list(cells[number])) for number, name in enumerate(NAMES, 1)]
    people = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
    games = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS")]
    ended = [games[0], (2, "LEEANN", "FOXDEE", "RESULT_BLACKWINS")]
    sheet = "round,table,player1,player2,result\n1,1,Ann,Bob,win\n1,2,Cid,Dee,win\n"
    days = _second_days()
    return {
        "cobra": (".json", _both(
            document((1, 2, 3, 4), [first], preliminaryRounds=2, name="cobra"),
            document((1, 2, 3, 4), [first, second], preliminaryRounds=2, name="cobra"),
        ), ()),
        "aesops": (".json", _both(
            aesops(4, [seats], preliminaryRounds=2, name="aesops"),
            aesops(4, [seats, more], preliminaryRounds=2, name="aesops"),
        ), ()),
        "fortress": (".json", _both(
            fortress([(1, 1, duels), (1, 2, waits)], rows) | {"name": "fortress"},
            fortress([(1, 1, duels), (1, 2, done)], rows) | {"name": "fortress"},
        ), ()),
        "report": (".trf", (
            trf(early, "XXR 2").replace(b"012 Open", b"012 report"),
            trf(whole, "XXR 2").replace(b"012 Open", b"012 report"),
        ), ()),
        "board": (".h9", (
            H9.format(name="board", one=1, three=1, last="3?", other="1?").encode(),
            H9.format(name="board", one=2, three=1, last="3+", other="1-").encode(),
        ), ()),
        "stones": (".xml", (
            gotha(people, games).replace('name="Gotha"', 'name="stones"').encode(),
            gotha(people, ended).replace('name="Gotha"', 'name="stones"').encode(),
        ), ()),
        "league": (".csv", (
            sheet.encode(), f"{sheet}2,1,Ann,Cid,win\n2,2,Bob,Dee,draw\n".encode(),
        ), ("--ruleset", "swiss", "--date", "2026-03-01", "--name", "league")),
        **days,
    }  # fmt: skip


def _both(early: Json, whole: Json) -> States:
    return as_bytes(early), as_bytes(whole)


def _second_days() -> dict[str, tuple[str, States, tuple[str, ...]]]:
    """Magic events of two days: the early file ends within the first, or within the second."""
    file = next(each for each in foreign_files() if each.layout == "melee" and each.cut_after)
    content = json.loads(file.data)
    for round_ in content["Rounds"]:
        seen: set[frozenset[str]] = set()
        kept = []
        for match in round_["Matches"]:
            pair = frozenset({match["Player1"], match["Player2"]})
            if pair not in seen:
                kept.append(match)
            seen.add(pair)
        round_["Matches"] = kept
    found: dict[str, tuple[str, States, tuple[str, ...]]] = {}
    for name, rounds in (("magic-one", file.cut_after), ("magic-two", file.cut_after + 1)):
        content["Tournament"]["Name"] = name
        whole = as_bytes(content)
        early = json.loads(whole)
        early["Rounds"], early["Standings"] = early["Rounds"][:rounds], []
        played = [each for each in early["Rounds"][-1]["Matches"] if each["Player2"] != "-"]
        played[0]["Result"] = "-"
        found[name] = (".json", (as_bytes(early), whole), ())
    return found


def lines_of(text: str) -> list[Json]:
    """The events of an export by type and data, without what depends on when they were entered."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith('{"seq"')]
    return [{"type": each["type"], "data": each["data"]} for each in lines]


def main(out: str, *program: str) -> None:
    """Make the archive."""
    folder = Path(tempfile.mkdtemp()) / "growing"
    folder.mkdir()

    def run(place: Path, *words: str) -> str:
        done = subprocess.run(
            [*program, *words], cwd=place, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    answers: dict[str, Sequence[Json]] = {}
    for name, (suffix, (early, whole), words) in growing_files().items():
        path = folder / f"{name}{suffix}"
        path.write_bytes(early)
        run(folder, "import", path.name, *words)
        (folder / f"{name}.whole{suffix}").write_bytes(whole)
    for name, (suffix, _, _) in growing_files().items():
        copy = Path(shutil.copytree(folder, folder.parent / f"copy-{name}"))
        before = len(lines_of(run(copy, "export", "-t", name, "--without-names")))
        run(copy, "import", f"{name}.whole{suffix}", "--into", name)
        answers[name] = lines_of(run(copy, "export", "-t", name, "--without-names"))[before:]
    (folder / "answers").write_text(json.dumps(answers), "utf-8")
    with tarfile.open(Path(out) / "growing.tar.xz", "w:xz") as tar:
        for path in sorted(folder.rglob("*")):
            about = tar.gettarinfo(path, str(path.relative_to(folder.parent)))
            about.uid = about.gid = about.mtime = 0
            about.uname = about.gname = ""
            tar.addfile(about, io.BytesIO(path.read_bytes()) if path.is_file() else None)


if __name__ == "__main__":
    main(*sys.argv[1:])

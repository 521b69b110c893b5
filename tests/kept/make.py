"""How the set in this folder was made: by the program as it was at commit cba5ce01.

    git worktree add ../old cba5ce01 && cp -r tests/kept ../old/tests/
    cd ../old && python -m tests.kept.make OUT

writes `set.tar.xz`, `postgres.sql` and `answers.json` into OUT. Time and randomness are drawn from
a seed, so that logs, keys and vaults are the same bytes again; only what is sealed for a reader,
a witness's time and a DuckDB file's padding differ. What is kept is never made by a later program:
a newer set would show nothing about the older files.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import shutil
import sys
import tarfile
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from cli import outside
from cli.serve.app import app_of
from tests.kept.asking import ASKED, PHRASE, asked, files_of, log_answers, questions_of
from tests.kept.browsing import browsed, interface
from tests.ledger.exchange.test_programs import GAMES, MAGIC, PEOPLE, PILOTS, SWISS
from tests.support.cli_desk import Desk
from tests.support.days.kept_drafts import keep_notes
from tests.support.files import aesops_files, nrtm_files, program_files
from tests.support.hall import opened as hall_opened
from tests.support.paths import ROOT
from tests.support.sample_games import CARDS, STRIKES
from tests.support.sample_season import SCHEME, first_logs
from tests.support.season import write_log
from tests.support.store_fixtures import running_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from httpx2 import Response

BEGINS = datetime(2026, 3, 14, 9, tzinfo=UTC)
HERE = "http://127.0.0.1:8600"
NAMES = ("Ann Leverkusen", "Bob Ångström", "Cy Coëllo", "王小明", "Eve O'Neil", "Fay Zielińska")
SHEET = "round,table,player1,player2,result,faction1\n1,1,Ann,Bob,win,\n1,2,Cid,Dee,win,\n"
SECOND_WEEK = "2,1,Ann,Cid,,\n2,2,Bob,Dee,draw,\n"
THIRD_WEEK = "3,1,Ann,Dee,win,\n3,2,Bob,Cid,win,\n"
MTG = "round,table,player1,player2,games1,games2,drawn\n1,1,Ann,Bob,2,1,0\n1,2,Cid,Dee,1,1,1\n"


def chance(seed: str) -> Callable[[int], bytes]:
    """Bytes in place of the machine's randomness, the same at each run."""
    numbers = itertools.count()

    def drawn(size: int) -> bytes:
        return hashlib.shake_256(f"{seed} {next(numbers)}".encode()).digest(size)

    return drawn


def clock() -> Iterator[str]:
    """One moment after the other, as a line of a log holds it."""
    for second in itertools.count():
        yield f"{BEGINS + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}.000Z"


def desk_in(patch: pytest.MonkeyPatch, folder: Path) -> Desk:
    """A desk in a new folder, with a clock and randomness of its own."""
    folder.mkdir(parents=True)
    moments = clock()
    patch.setattr(outside, "now", lambda: next(moments))
    patch.setattr(os, "urandom", chance(folder.name))
    patch.setenv("TOURNEY_PASSPHRASE", PHRASE)
    return Desk(folder, patch)


def write(desk: Desk, name: str, data: str | bytes) -> str:
    """Write a file beside the desk."""
    (desk.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return name


def opened(desk: Desk, name: str, *words: str, ruleset: str = "l5r") -> None:
    """An event with six players and its officials, of whom two hold a key."""
    rules = ("--ruleset", ruleset, "--organizer", "Olga Organizer", "--date", "2026-03-14")
    desk.done("new", name, *rules, "--time-zone", "Europe/Rome", *words)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Mara Lind", "--role", "marshal")
    people = "".join(f"{name},league-{n}\n" for n, name in enumerate(NAMES, 1))
    desk.done("register", "--file", "-", stdin=f"name,league_id\n{people}")
    desk.done("key", "new", "Pat")
    desk.done("key", "new", "Mara", "--passphrase")


def quarrel(desk: Desk, *, settled: bool) -> None:
    """A result is disputed; where it is settled, it is ruled on, appealed, and corrected."""
    seats = desk.seats(1)
    desk.done("report", "1", f"#{seats[0]}", "--for", f"#{seats[0]}")
    words = ("dispute", "1", f"#{seats[1]}", "--for", f"#{seats[1]}")
    desk.done(*words, "--reason", "the slip shows it")
    if settled:
        desk.done("rule", "1", "it is theirs", "--result", f"#{seats[1]}", "--only", "--as", "pat")
        desk.done("appeal", "1", "--for", f"#{seats[0]}", "--reason", "the wrong slip")
        desk.done("review", "1", "it stays so", "--upheld", "--as", "mara")
        desk.done("correct", "--ruling", "1/1")


def make_hall(desk: Desk) -> None:
    """An event in mid round: names sealed, links given out, browsers signed in, a dispute open."""
    opened(desk, "Harbour Hall")
    write(desk, "policy", desk.done("checkpoint", "--policy").out)
    links = desk.done("links", "print", "--address", HERE, "--json").json["links"]
    words = ("links", "print", "o1", "o2", "s1", "e1", "--address", HERE, "--json")
    links += desk.done(*words).json["links"]
    desk.done("start", "custom", "--rounds", "2", "--cut", "2", "--word", "plum")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("requests", "add", "Zoe Quinn", "--faction", "Crane")
    quarrel(desk, settled=False)
    desk.done("penalty", "#5", "warning", "--for-what", "Eve drew two", "--as", "mara")
    keep_notes(desk, "o2", "page-1", "page-2")
    desk.done("call", "2", "is this in the rules?", "--as", f"p{desk.seats(2)[0]}")
    write(desk, "cookies.json", json.dumps(cookies(links), indent=1))
    desk.done("checkpoint")
    desk.done("export", "-o", "hall.jsonl")
    desk.done("backup", "hall.backup")
    write(desk, "list.txt", "Player: Ann\nProvinces:\n1 A Province\n")
    desk.done("publish", "public")


def cookies(links: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What browsers hold that opened the links of a player and of the organizer."""
    found = []
    for link in links:
        with TestClient(app_of(hall_opened()), base_url=HERE, follow_redirects=False) as browser:
            held = {"of": link["of"], "link": str(link["link"]), "address": link["address"]}
            held["code"] = link["code"]
            if link["of"] in {"p1", "o1", "s1"}:
                secret = link["address"].partition("#")[2]
                answer: Response = browser.post(
                    "/in", data={"secret": secret}, headers={"origin": HERE}
                )
                assert answer.status_code == 303, answer.text
                held["cookie"] = answer.headers["set-cookie"].partition(";")[0]
            found.append(held)
    return found


def make_finished(desk: Desk) -> None:
    """A finished event with everything that is handed out as proof, and its folder for a host."""
    words = ("--appeals", "7", "--public-names", "full", "--format", "l5r")
    opened(desk, "Lighthouse Cup", *words)
    for player in ("#1", "#2"):
        desk.done("lists", "submit", player, str(ROOT / "sample_logs" / "lists" / "l5r.txt"))
    desk.done("lists", "check", "#1", "--cards", str(ROOT / "sample_logs" / "cards" / "l5r.csv"))
    reader = desk.done("key", "new", "--reader", "league.example").out.split()[0]
    write(desk, "policy", desk.done("checkpoint", "--policy").out)
    desk.done("start", "custom", "--rounds", "2", "--cut", "2", "--word", "blue heron")
    desk.done("pair")
    desk.done("post", "pairings")
    desk.done("round", "start")
    quarrel(desk, settled=True)
    desk.done("penalty", "#5", "warning", "--for-what", "Eve drew two", "--as", "mara")
    desk.done("note", "1/1", "both clocks stood still")
    desk.report_all()
    desk.done("export", "-o", "early.jsonl")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    desk.done("audit", "begin")
    desk.done("audit", "draw", "grey", "gull")
    desk.done("audit", "slip", "1/2", "--agrees")
    desk.done("cut")
    desk.done("post", "standings")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    proof_of(desk, reader)
    desk.done("publish", "public")


def proof_of(desk: Desk, reader: str) -> None:
    """Everything that is written about a log."""
    desk.done("receipt", "1/1", "-o", "table-1.tlog-proof")
    desk.done("receipt", "#9", "-o", "line-9.tlog-proof")
    desk.done("export", "-o", "whole.jsonl")
    desk.done("export", "--without-names", "-o", "bare.jsonl")
    desk.done("export", "--tiles", "tiles")
    desk.done("export", "--for", reader, "--texts", "all", "-o", "texts.for-league")
    desk.done("export", "--form", "rounds", "-o", "rounds.csv")
    desk.done("evidence", "1/1", "-o", "case.html")
    write(desk, "policy", desk.done("checkpoint", "--policy").out)
    vkey = desk.done("witness", "init", "league.example/cup").out.split()[-1]
    desk.done("witness", "ask", "-o", "ask.txt")
    log = (desk.folder / "policy").read_text().split("\n")[0].split()[1]
    desk.done("witness", "trust", log)
    desk.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    desk.done("witness", "add", "answer.txt")
    lines = (desk.folder / "policy").read_text("utf-8").replace("quorum none\n", "")
    write(desk, "witnessed-policy", f"{lines}witness cup {vkey}\nquorum cup\n")
    desk.done("export", "-o", "cosigned.jsonl")


def make_forgotten(desk: Desk) -> None:
    """An event that somebody asked to be forgotten in, its draws made on one machine alone."""
    opened(desk, "Ebb and Flood", "--draw-key", "here", "--passphrase")
    desk.done("start", "custom", "--rounds", "2", "--word", "kelp")
    desk.done("pair")
    desk.report_all()
    desk.done("penalty", "cy", "warning", "--for-what", "Cy Coëllo came late", "--as", "mara")
    desk.done("forget", "cy")
    desk.done("checkpoint")
    desk.done("backup", "plain.backup")
    desk.done("backup", "passphrase.backup", "--passphrase")
    reader = desk.done("key", "new", "--reader", "league.example").out.split()[0]
    desk.done("backup", "reader.backup", "--for", reader)
    desk.done("export", "-o", "forgotten.jsonl")


def make_skirmish(desk: Desk) -> None:
    """A game whose battle cards are laid out face down: sealed by the key of what is hidden."""
    desk.done("new", "Blue Bridge", "--ruleset", "legion", "--organizer", "Olga Organizer")
    desk.done("register", "--file", "-", stdin="name\n" + "\n".join(NAMES[:4]) + "\n")
    desk.done("start", "custom", "--rounds", "1", "--word", "bridge")
    desk.done("pair")
    for table in (1, 2):
        desk.done("side", str(table), f"#{desk.seats(table)[0]}", "--totals", "196-200")
        struck = [word for kind in STRIKES for word in ("--strike", kind)]
        desk.done("battle", str(table), *CARDS, *struck)
    desk.done("round", "start")
    desk.done("checkpoint")
    desk.done("backup", "skirmish.backup")


def make_foreign(desk: Desk) -> None:
    """One event of each kind of file that another program wrote, and a league that grows."""
    aesops = aesops_files.aesops(4, [
        [aesops_files.seat(1, 101, 102, ("3", "0")), aesops_files.seat(2, 103, 104, ("0", "6"))],
    ], name="Harbour")  # fmt: skip
    nrtm = nrtm_files.document((1, 2, 3, 4), [
        [nrtm_files.table(1, 2, 6, 0), nrtm_files.table(3, 4, 4, 1)],
        [nrtm_files.table(1, 3, 3, 3), nrtm_files.table(2, 4, 6, 0)],
    ])  # fmt: skip
    row = program_files.row(1, "Eve", 6, 0.5, 1.0, 0.5)
    players = [("Lee, Ann", "1.5", 1, ["   2 w 1", "   3 b ="]),
               ("Ray, Bob", "1.0", 2, ["   1 b 0", "0000 - U"]),
               ("Doe, Cid", "0.5", 3, ["0000 - Z", "   1 w ="])]  # fmt: skip
    files: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
        "fortress.json": (
            program_files.as_bytes(program_files.fortress(SWISS, PILOTS)),
            ("--sign",),
        ),
        "melee.json": (program_files.as_bytes(program_files.melee(MAGIC, [row])), ()),
        "open.trf": (program_files.trf(players), ()),
        "spring.h9": (program_files.H9, ("--ruleset", "swiss")),
        "gotha.xml": (program_files.gotha(PEOPLE, GAMES), ("--ruleset", "swiss")),
        "cobra.json": (nrtm_files.as_bytes(nrtm), ()),
        "aesops.json": (nrtm_files.as_bytes(aesops), ()),
        "magic.csv": (MTG, ("--ruleset", "mtg", "--date", "2026-03-14", "--whole")),
    }
    for name, (data, words) in files.items():
        desk.done("import", write(desk, name, data), *words)
    write(desk, "league.csv", SHEET)
    spring = ("--ruleset", "swiss", "--date", "2026-03-01", "--name", "Spring")
    desk.done("import", "league.csv", *spring)
    write(desk, "league.csv", SHEET + SECOND_WEEK)
    desk.done("import", "league.csv", "--into", "Spring")
    write(desk, "third.csv", SHEET + SECOND_WEEK.replace(",,", ",win,") + THIRD_WEEK)
    desk.done("export", "-o", "spring.jsonl")


def make_season(desk: Desk) -> None:
    """A season of logs with and without a head, its vault, what was written of it, its site."""
    (desk.folder / "logs").mkdir()
    for number, lines in enumerate(first_logs(3)):
        write_log(desk.folder / "logs" / f"{number}.jsonl", lines)
    shared = desk.folder.parent / "finished"
    for name in ("whole.jsonl", "whole.jsonl.checkpoint", "whole.jsonl.hashes"):
        shutil.copy(shared / name, desk.folder / "logs" / name)
    write(desk, "points.toml", SCHEME)
    desk.done("season", "add", "logs")
    persons = desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    first, second, third = (each["person"] for each in persons[:3])
    desk.done("season", "people", "name", "Ann Leverkusen", first, "--id", "named-ann", "--json")
    desk.done("season", "people", "name", "Bob Ångström", second)
    desk.done("season", "people", "merge", first, third, "--by", "Kim", "--reason", "two badges")
    write(desk, "agreed.txt", f"{first}\n")
    desk.done("season", "derive", "derived", "logs", "--processes", "1")
    desk.done("season", "archive", "archive")
    desk.done("season", "export", "flat")
    desk.done("season", "export", "flat.csv.d", "--kind", "csv")
    desk.done("season", "export", "season.sqlite")
    desk.done("season", "site", "site", "--scheme", "points.toml", "--agreed", "agreed.txt")


SCENES = {
    "hall": make_hall,
    "finished": make_finished,
    "forgotten": make_forgotten,
    "skirmish": make_skirmish,
    "foreign": make_foreign,
    "season": make_season,
}


def dumped(made: Path) -> str:
    """A store on PostgreSQL as its own dump has it, without what only `psql` reads."""
    with (
        running_server("fsync=off") as server,
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as place,
    ):
        desk = Desk(Path(shutil.copytree(made / "skirmish", Path(place) / "skirmish")), patch)
        (desk.folder / ".tourney").unlink()
        desk.done("--store", server.url, "restore", "skirmish.backup")
        words = ("pg_dump", "--inserts", "--no-owner", "--no-privileges", server.url)
        written = run(words, capture_output=True, text=True, check=True).stdout
    left_out = ("\\", "--", "SELECT pg_catalog.set_config('search_path'")
    kept = [line for line in written.splitlines() if line and not line.startswith(left_out)]
    return "".join(f"{line}\n" for line in kept)


def pack(folder: Path, archive: Path) -> None:
    """Put a folder's files into one archive, the same bytes for the same files."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:xz", preset=9) as tar:
        for path in sorted(folder.rglob("*")):
            info = tar.gettarinfo(path, str(path.relative_to(folder)))
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime = int(BEGINS.timestamp())
            if path.is_file():
                tar.addfile(info, io.BytesIO(path.read_bytes()))
            else:
                tar.addfile(info)
    archive.write_bytes(held.getvalue())


def given(made: Path) -> dict[str, Any]:
    """What this program answers to everything that is asked, each folder in a copy of its own."""
    found: dict[str, Any] = {}
    for scene in ASKED:
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as place:
            shutil.copytree(made / scene, Path(place) / scene)
            patch.setenv("TOURNEY_PASSPHRASE", PHRASE)
            desk = Desk(Path(place) / scene, patch)
            found[scene] = {each: asked(desk, each) for each in questions_of(scene)}
    return found


def served(hall: Path) -> dict[str, Any]:
    """What this program's hall answers to those who were signed in, and to programs."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as place:
        desk = Desk(Path(shutil.copytree(hall, Path(place) / "hall")), patch)
        patch.setenv("TOURNEY_PASSPHRASE", PHRASE)
        return {"browsed": browsed(desk.folder), "interface": interface(desk.folder)}


def in_lines(found: dict[str, Any]) -> str:
    """JSON with a line for each answer, so that a difference names its question."""

    def one(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def rows(held: dict[str, Any]) -> str:
        return ",\n".join(f"  {one(name)}: {one(value)}" for name, value in sorted(held.items()))

    parts = {f"asked {scene}": held for scene, held in found.pop("asked").items()} | found
    blocks = (f" {one(name)}: {{\n{rows(held)}\n }}" for name, held in parts.items())
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main(out: Path) -> None:
    """Make the set, and what this program answers to it."""
    samples = ROOT / "sample_logs"
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "set"
        for name, make in SCENES.items():
            with pytest.MonkeyPatch.context() as patch:
                make(desk_in(patch, made / name))
        out.mkdir(parents=True, exist_ok=True)
        pack(made, out / "set.tar.xz")
        (out / "postgres.sql").write_text(dumped(made), "utf-8")
        logs = {
            str(path.relative_to(samples)): log_answers(path) for path in samples.rglob("*.jsonl")
        }
        own = {str(path.relative_to(made)): log_answers(path) for path in made.rglob("*.jsonl")}
        found = {"asked": given(made), "sample_logs": logs, "logs": own}
        found |= served(made / "hall")
    found["shipped"] = files_of(ROOT / "ledger")
    (out / "answers.json").write_text(in_lines(found), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

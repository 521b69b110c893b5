"""The command line as processes of its own: pipes, Ctrl-C, hash seeds, and what start-up costs."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.main import main
from tests.support.cli_desk import typed_once
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

TOURNEY = [sys.executable, "-m", "cli.main"]
HEAVY = {"duckdb", "rustworkx", "numpy", "pydantic", "rich", "psycopg", "csv", "email"}
DECIDING = {"ledger.rules", "ledger.pairing"}
"""What only an act needs."""

ANSWERING = {"cli.desk.consequences", "cli.wording.event_words"}
"""What only the answer to an act needs."""

READING = {
    "typer",
    "msgspec",
    "eventsourcing",
    "ledger.books.book",
    "ledger.lines.line",
    "ledger.facts.base",
}
"""What a verb needs, and help does not."""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*TOURNEY, *words],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@typed_once
def paired(desk: Desk) -> Desk:
    """300 players, seven rounds, three of them played and the fourth paired."""
    desk.open(300, "advanced")
    for _ in range(3):
        desk.done("pair")
        desk.report_all()
    desk.done("pair")
    return desk


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error_message(paired: Desk) -> None:
    with subprocess.Popen(
        [*TOURNEY, "log"],
        cwd=paired.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.slow
@pytest.mark.usefixtures("heard_ctrl_c")
def test_ctrl_c_is_one_line(paired: Desk) -> None:
    with subprocess.Popen(
        [*TOURNEY, "report"],
        cwd=paired.folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"1 #{paired.seats(1)[0]}\n".encode())
        process.stdin.flush()
        assert b"beat" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.decode() == "tourney: interrupted; everything confirmed so far is saved\n"
    assert paired.done("round", "--json").json["open"] == list(range(2, 151))


LOADED_AND_INTERRUPTED = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from {} import {} as main
sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("module", ["cli.main", "cli.verbs.catalogue"])
def test_ctrl_c_while_loading_is_one_line(tmp_path: Path, module: str) -> None:
    """By the entry that the package installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entry = project["scripts"]["tourney"].split(":")
    answer = subprocess.run(
        [sys.executable, "-c", LOADED_AND_INTERRUPTED.format(*entry), module],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (answer.returncode, answer.stdout) == (130, b"")
    assert answer.stderr == b"\ntourney: interrupted; nothing was written\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_output_that_can_not_be_written_is_one_line(paired: Desk) -> None:
    for verb in ("log", "export"):
        with Path("/dev/full").open("wb") as full:
            process = subprocess.run(
                [*TOURNEY, verb],
                cwd=paired.folder,
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
                timeout=60,
            )
        assert process.returncode == 1
        assert process.stderr.count(b"\n") == 1
        assert b"No space left" in process.stderr


@pytest.mark.slow
def test_nothing_hangs_on_the_hash_seed(paired: Desk) -> None:
    """One process types all the lines, for each seed."""
    lines = (["standings"], ["pairings", "--print"], ["drop", "plaer"], ["log", "-n", "5"])
    code = f"from cli.main import main\nfor line in {lines}: print(main(line), flush=True)"
    answers = set()
    for seed in ("0", "1", "77"):
        answer = subprocess.run(
            [sys.executable, "-c", code],
            cwd=paired.folder,
            env=environment(PYTHONHASHSEED=seed),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        )
        answers.add((answer.stdout, answer.stderr))
        assert re.findall(r"^\d$", answer.stdout, re.MULTILINE) == ["0", "0", "3", "0"]
    assert len(answers) == 1


NAME = "Çağla 🎲 Żuk"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", r"\u00c7a\u011fla \ud83c\udfb2 \u017buk"),
        ("cp1252", r"Ça\u011fla \ud83c\udfb2 \u017buk"),
    ],
)
def test_a_terminal_of_few_letters_gets_escapes_that_are_json(
    paired: Desk, encoding: str, shown: str
) -> None:
    """As a console and a pipe of Windows are, unless they are told otherwise."""
    paired.done("rename", "1", NAME)
    for words in ("list", "log"):
        answer = run(paired.folder, words, PYTHONIOENCODING=encoding)
        assert answer.returncode == 0, words
        assert shown in answer.stdout.decode(encoding)
    listed = run(paired.folder, "list", "--json", PYTHONIOENCODING=encoding)
    assert NAME in {player["name"] for player in json.loads(listed.stdout.decode(encoding))}
    for words in ("export", "list --csv"):  # files for programs, which are UTF-8
        answer = run(paired.folder, *words.split(), PYTHONIOENCODING=encoding)
        assert answer.stdout == run(paired.folder, *words.split(), PYTHONIOENCODING="utf-8").stdout
    refused = run(paired.folder, "drop", "Ğül", PYTHONIOENCODING=encoding)
    assert refused.returncode
    assert r"\u011e" in refused.stderr.decode(encoding)


def test_an_answer_has_the_same_bytes_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8", newline="\r\n"))
    assert main(["--version"]) == 0
    sys.stdout.flush()
    assert out.getvalue().endswith(b"\n")
    assert b"\r" not in out.getvalue()


def imported(folder: Path, line: list[str]) -> set[str]:
    """What a process of its own has imported when the line is done."""
    code = f"import sys\nfrom cli.main import main\nassert main({line!r}) == 0\nprint(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return set(process.stdout.decode().splitlines()[-1].split())


@pytest.mark.slow
def test_an_act_imports_only_what_it_needs(paired: Desk) -> None:
    first = f"#{paired.seats(1)[0]}"
    for line in (["report", "1", first], ["drop", first], ["undo"]):
        modules = imported(paired.folder, line)
        assert not modules & HEAVY, line
        assert modules >= DECIDING | ANSWERING  # else a name above is out of date


@pytest.mark.slow
def test_what_only_reads_imports_nothing_that_decides(paired: Desk) -> None:
    for line in (["standings"], ["list"], ["pairings"], ["round"]):
        modules = imported(paired.folder, line)
        assert not modules & (HEAVY | DECIDING | ANSWERING), line
        assert modules >= READING


@pytest.mark.slow
def test_help_imports_neither_a_verb_nor_what_verbs_need(tmp_path: Path) -> None:
    modules = imported(tmp_path, ["--help"])
    assert not modules & (HEAVY | DECIDING | ANSWERING | READING)
    assert not {name for name in modules if re.match(r"cli\.verbs\.\w+\.", name)}


@pytest.mark.slow
def test_a_lone_process_opens_a_day_in_an_empty_directory(tmp_path: Path) -> None:
    answer = run(tmp_path, "new", "Night", "--ruleset", "l5r", COLUMNS="30")
    assert answer.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir() if "-vault" not in path.name) == [
        ".tourney",
        ".tourney-keys",
        "tourney.db",
    ]
    assert (tmp_path / ".tourney").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_desks_report_at_once_and_each_is_answered(paired: Desk) -> None:
    """Four at tables of their own land; of two at one table one lands and one is told why."""
    first, second = paired.seats(5)
    lines = [(str(table), f"#{paired.seats(table)[0]}") for table in (1, 2, 3, 4)]
    lines += [("5", f"#{first}"), ("5", f"#{second}")]
    running = [
        subprocess.Popen(
            [*TOURNEY, "report", *line],
            cwd=paired.folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for line in lines
    ]
    told = [process.communicate(timeout=60)[1].decode() for process in running]
    codes = [process.returncode for process in running]
    assert codes[:4] == [0, 0, 0, 0], told
    assert sorted(codes[4:]) == [0, 1]
    assert "has a result" in told[codes.index(1)]
    assert paired.done("round", "--json").json["open"] == list(range(6, 151))


@pytest.mark.slow
def test_closed_streams_are_no_fault(paired: Desk) -> None:
    for closing in ("<&-", ">&-", "2>&-"):
        process = subprocess.run(  # noqa: S602 - only a shell closes a stream
            f"exec {sys.executable} -m cli.main report {closing}",
            shell=True,
            cwd=paired.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert process.returncode == 0
        assert b"fault" not in process.stderr

"""Pipes, devices, folders and sockets where a file is asked for: one clear line, and no waiting."""

from __future__ import annotations

import os
import signal
import socket
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

    from tests.support.cli_desk import Answer, Desk

LOG, POLICY, ODD = "day.jsonl", "policy", "odd"
SECONDS_UNTIL_IT_HANGS = 60
KINDS = ("pipe", "device", "folder", "socket")


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """End a test that waits for the other end of a pipe, by no error that a reader handles."""

    def end(_: int, __: FrameType | None) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS_UNTIL_IT_HANGS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with a round played, exported, with the policy that was given out."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.report_all()
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("witness", "init", "league.example/cup")
    desk.done("export", "-o", LOG)
    return desk


def make_odd(path: Path, kind: str) -> None:
    """Put something there that is no ordinary file."""
    path.unlink(missing_ok=True)
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case _:
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(path.name)  # a full path would be too long for one


def refused(desk: Desk, *words: str) -> Answer:
    answer = desk.type(*words)
    assert answer.code in {1, 2, 3, 4}, words
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.startswith("tourney: ")
    assert answer.out == ""
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "words",
    [
        ("verify", ODD),
        ("verify", ODD, "--policy", POLICY),
        ("verify", LOG, "--policy", ODD),
        ("replay", ODD),
        ("import", ODD),
        ("import", ODD, "--ruleset", "swiss", "--date", "2026-03-14"),
        ("restore", ODD),
        ("backup", ODD),
        ("diff", ODD, LOG, "--policy", POLICY),
        ("diff", LOG, ODD, "--policy", POLICY),
        ("diff", ODD, "--policy", POLICY),
        ("diff", LOG, LOG, "--policy", ODD),
        ("witness", "cosign", ODD),
        ("witness", "add", ODD),
        ("receipt", "1/1", "-o", ODD),
        ("export", "-o", ODD),
        ("register", "--file", ODD),
        ("ruleset", "check", ODD),
        ("format", "check", "l5r", ODD),
        ("--store", ODD, "standings"),
    ],
    ids=" ".join,
)
def test_what_is_no_file(day: Desk, words: tuple[str, ...], kind: str) -> None:
    make_odd(day.folder / ODD, kind)
    refused(day, *words)


@pytest.mark.parametrize("kind", KINDS)
def test_what_lies_beside_a_log(day: Desk, kind: str) -> None:
    make_odd(day.folder / f"{LOG}.checkpoint", kind)
    refused(day, "verify", LOG)
    refused(day, "diff", LOG, LOG, "--policy", POLICY)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["log-*", "o2-*", "witness.key"])
def test_keys(day: Desk, name: str, kind: str) -> None:
    day.done("key", "new", "Pat Jones")
    day.done("witness", "ask", "-o", "ask.txt")
    (key,) = day.folder.glob(f".tourney-keys/{name}")
    make_odd(day.folder / ODD, kind)
    key.unlink()
    (day.folder / ODD).rename(key)
    answer = {
        "log-*": ("checkpoint",),
        "o2-*": ("rule", "1", "the table was too small", "--as", "Pat Jones"),
        "witness.key": ("witness", "cosign", "ask.txt"),
    }[name]
    assert key.name in refused(day, *answer).err


@pytest.mark.parametrize("kind", KINDS)
def test_the_kept_head(day: Desk, kind: str) -> None:
    (kept,) = day.folder.glob(".tourney-keys/checkpoints/*.json")
    make_odd(day.folder / ODD, kind)
    kept.unlink()
    (day.folder / ODD).rename(kept)
    assert kept.name in refused(day, "official", "add", "Late Judge", "--role", "judge").err


@pytest.mark.parametrize(
    "line",
    ["replay", "verify --policy policy", "verify", "import --as-new", "season add"],
)
def test_a_log_with_the_line_ends_of_another_system_says_what_to_do(day: Desk, line: str) -> None:
    """A mail program, an editor or git wrote CR LF: what was done to it, and the way back."""
    data, head = ((day.folder / name).read_bytes() for name in (LOG, f"{LOG}.checkpoint"))
    (day.folder / "crlf.jsonl").write_bytes(data.replace(b"\n", b"\r\n"))
    (day.folder / "crlf.jsonl.checkpoint").write_bytes(head)
    answer = day.type(*line.split(), "crlf.jsonl")
    assert answer.code == 1
    assert "ends in CR LF" in answer.err
    assert "or save it with the line ends of Unix (LF)" in answer.err

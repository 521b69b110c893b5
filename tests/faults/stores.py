"""Stores of whole events, made by commands, the same at every run; and what is really in one."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from ledger.rulesets import ruleset

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.cli_desk import Desk

STORE, VAULT, LOG = "tourney.db", "tourney.db-vault", "tourney.db-wal"
JUDGE = "Pat Jones"


class Frozen(dt.datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Self:
        """Return the one moment there is."""
        return cls(2026, 3, 14, 9, 30, tzinfo=tz)


class Rows(NamedTuple):
    """What is in a store: its lines with their types, its sizes, its secrets.

    `secrets` are those that are found by their tournament, `scanned` all that are in the file.
    """

    events: list[tuple[object, ...]]
    streams: list[tuple[object, ...]]
    secrets: list[tuple[object, ...]]
    scanned: list[tuple[object, ...]]


def rows_of(folder: Path) -> Rows | None:
    """Read a store's tables as they are, by a scan; None where SQLite cannot."""
    try:
        with closing(sqlite3.connect(folder / STORE)) as database:
            events = database.execute(
                "SELECT originator_id, originator_version, topic, state FROM tourney_events "
                "NOT INDEXED ORDER BY rowid"
            ).fetchall()
            streams = database.execute("SELECT stream, size FROM tourney_streams").fetchall()
        secrets = secrets_of(folder, str(streams[0][0])) if streams else []
        with closing(sqlite3.connect(folder / VAULT)) as database:
            scanned = database.execute("SELECT * FROM vault").fetchall()
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return None
    return Rows(events, streams, secrets, scanned)


def secrets_of(folder: Path, stream: str) -> list[tuple[object, ...]]:
    """Read a tournament's secrets as the vault finds them."""
    with closing(sqlite3.connect(folder / VAULT)) as database:
        found = "SELECT name, secret FROM vault WHERE stream = ? ORDER BY name"
        return database.execute(found, [stream]).fetchall()


def indexed(folder: Path, stream: str) -> tuple[list[bytes], list[tuple[str, bytes]]]:
    """Read a tournament's lines and secrets by their indexes, which is how a store finds them."""
    lines = "SELECT state FROM tourney_events WHERE originator_id = ? ORDER BY originator_version"
    secrets = "SELECT name, secret FROM vault WHERE stream = ? ORDER BY name"
    with closing(sqlite3.connect(folder / STORE)) as database:
        found = [line for (line,) in database.execute(lines, [stream])]
    with closing(sqlite3.connect(folder / VAULT)) as database:
        return found, database.execute(secrets, [stream]).fetchall()


def covered_by_head(folder: Path) -> int:
    """Return how many lines the head beside a store covers."""
    (file,) = (folder / ".tourney-keys/checkpoints").glob("*.json")
    return int(msgspec.json.decode(file.read_bytes())["size"])


def same_at_every_run(patch: pytest.MonkeyPatch) -> None:
    """Let time stand still and chance repeat itself while stores are made."""
    numbers = count()

    def draw(size: int) -> bytes:
        return sha256(b"%d" % next(numbers)).digest()[:size]

    ruleset.clauses()  # msgspec reads TOML with the class that is exchanged here
    patch.setattr(os, "urandom", draw)
    patch.setattr(dt, "datetime", Frozen)


def running(desk: Desk) -> None:
    """A sealed day in its second round: a judge signed a ruling, one result has come in."""
    _begin(desk, 7, "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("report", "1", "no-show", f"#{desk.seats(1)[0]}")
    desk.report_all()
    desk.done("rule", "1/1", "one card too many goes back", "--as", "pat")
    desk.done("post", "standings")
    desk.done("pair")
    desk.done("post", "pairings")
    desk.done("note", "2/1", "both clocks stood still")
    desk.done("report", "1", f"#{desk.seats(1)[0]}")


def finished(desk: Desk) -> None:
    """A sealed day with a cut, from its opening to its end."""
    _begin(desk, 6, "custom", "--rounds", "2", "--cut", "2")
    for _ in range(2):
        desk.done("pair")
        desk.report_all()
    desk.done("rule", "2/1", "the slip was right", "--as", "pat")
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")


def _begin(desk: Desk, players: int, *structure: str) -> None:
    desk.done(
        *("new", "Library Night", "--ruleset", "l5r", "--organizer", "Kim Larsen"),
        *("--date", "2026-03-14", "--time-zone", "Europe/Berlin"),
    )
    names = "".join(f"Name {chr(64 + number) * 4}\n" for number in range(1, players + 1))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    desk.done("official", "add", JUDGE, "--role", "judge")
    desk.done("key", "new", "pat")
    desk.done("start", *structure)


def make_templates(desk: Desk, place: Path) -> dict[str, Path]:
    """Make the stores in the desk's folder, one after the other, and put copies aside."""
    templates = {}
    for name, play in (("running", running), ("finished", finished)):
        empty(desk.folder)
        play(desk)
        templates[name] = _put_aside(desk.folder, place / name)
    empty(desk.folder)
    running(desk)
    with closing(sqlite3.connect(desk.folder / STORE)) as reader:  # the log is not folded in
        reader.execute("SELECT count(*) FROM tourney_events").fetchone()
        seat = desk.seats(2)[0]
        desk.done("report", "2", f"#{seat}")
        desk.done("post", "pairings")
        desk.done("note", "2/2", "the judge was asked")
        templates["running, with a log"] = _put_aside(desk.folder, place / "logged")
    assert (templates["running, with a log"] / LOG).stat().st_size
    return templates


def empty(folder: Path) -> None:
    """Remove everything in a folder."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def put_in(template: Path, folder: Path) -> None:
    """Put a template in the place of what is in a folder."""
    empty(folder)
    shutil.copytree(template, folder, dirs_exist_ok=True)


def _put_aside(folder: Path, place: Path) -> Path:
    shutil.copytree(folder, place)
    return place

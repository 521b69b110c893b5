"""A season's file from a stranger: every verb reads its rows, and nothing in it runs.

The property: whatever the file holds, no verb reads a file outside the season, ends with a fault,
writes anything but its own output, or shows other rows than those of the tables.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import duckdb
import pytest

from cli.exits import EXITS, FAULT
from projections.season.tables.definitions import questions
from tests.hostile.season.conftest import SECRET
from tests.hostile.season.season_attacks import Attack, attacks
from tests.support.examples import TIMES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

    Words = tuple[str, ...]

ASKED = sorted(each.name for each in questions())

READERS: tuple[tuple[str, ...], ...] = (
    ("season",),
    ("season", "--json"),
    ("season", "site", "out/site", "--scheme", "points.toml"),
    ("season", "export", "out/flat"),
    ("season", "export", "out/text", "--kind", "csv"),
    ("season", "export", "out/season.sqlite"),
    ("season", "archive", "out/archive"),
    ("season", "standings", "--scheme", "points.toml", "--json"),
    ("season", "standings", "--scheme", "points.toml", "--html", "out/table.html"),
    ("season", "restate", "logs/0.jsonl", "--scheme", "points.toml"),
    ("season", "people"),
    ("stats", "factions", "--json"),
    ("stats", "factions", "--ruleset", "l5r", "--from", "2026-01-01"),
    ("stats", "factions", "--parquet", "out/factions.parquet"),
    *(("stats", name) for name in ASKED[::4]),
    ("rating", "elo", "--ruleset", "l5r"),
    ("rating", "glicko2", "--ruleset", "l5r", "--json"),
    ("rating", "glicko2", "--ruleset", "l5r", "--factions"),
    ("query", "SELECT * FROM tournaments", "--json"),
    ("query", "FROM games"),
    ("query", "FROM stats_factions", "--csv"),
    ("query", "SELECT tiebreaker(tiebreakers, 'SOS') FROM standings"),
)
WRITERS: tuple[tuple[str, ...], ...] = (
    ("season", "add", "logs"),
    ("season", "rebuild", "--known", "logs"),
    ("season", "people", "merge", "11111111", "22222222", "--by", "Kim", "--reason", "one"),
)


def secret_of(desk: Desk) -> Path:
    return desk.folder / ".tourney-keys" / "log-0.key"


def unread(secret: Path) -> int:
    """Make a later reading of a file visible in its time of access, if the system keeps one."""
    os.utime(secret, ns=(0, secret.stat().st_mtime_ns))
    return secret.stat().st_atime_ns


def holds_secret(folder: Path) -> list[str]:
    """List the files that show the secret, also within Parquet and DuckDB."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if path.suffix == ".parquet":
            content += repr(duckdb.read_parquet(str(path)).fetchall()).encode()
        if SECRET.encode() in content:
            found.append(path.name)
    return found


def checked(answer: Answer, words: tuple[str, ...]) -> Answer:
    """Hold an answer to what any may be: a documented code, and one line for a refusal."""
    assert answer.code in EXITS, (words, answer)
    assert answer.code != FAULT, (words, answer.err)
    assert SECRET not in answer.out + answer.err, words
    if answer.code and not answer.out:
        assert answer.err.rstrip("\n").count("\n") <= answer.err.count("tourney: "), answer.err
    return answer


def listing(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"out", ".tourney", ".tourney-keys"} & set(path.parts)
    }


def attempt(near: Desk, season: Path, attack: Attack, verbs: Iterable[Words]) -> None:
    """Put an attack into a season's file and type verbs, each with the file as the stranger's."""
    secret = secret_of(near)
    kept = near.folder / "kept" / attack.name
    kept.mkdir(parents=True)
    attack.applied(season, kept / "season.duckdb", secret)
    before = unread(secret)
    for words in verbs:
        for each in kept.iterdir():
            shutil.copy(each, near.folder)
        there = listing(near.folder)
        checked(near.type(*words), words)
        if words not in WRITERS:
            assert listing(near.folder) == there, words
    assert secret.stat().st_atime_ns == before
    shutil.rmtree(near.folder / "kept")
    assert holds_secret(near.folder) == [secret.name]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "attack"), list(enumerate(attacks())), ids=[attack.name for attack in attacks()]
)
def test_no_verb_runs_anything_of_a_file(
    near: Desk, genuine: Path, number: int, attack: Attack
) -> None:
    """Each attack meets every third line, the next one others; with TOURNEY_EXAMPLES all."""
    lines = (*READERS, *WRITERS)
    attempt(near, genuine / "season.duckdb", attack, lines if TIMES else lines[number % 3 :: 3])


@pytest.mark.parametrize("words", [*READERS, *WRITERS], ids=" ".join)
def test_a_view_in_the_place_of_a_table_is_refused(near: Desk, genuine: Path, words: Words) -> None:
    worst = next(each for each in attacks() if each.name == "view tournaments")
    attempt(near, genuine / "season.duckdb", worst, [words])


@pytest.mark.slow
@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)
def test_nothing_of_a_file_is_published(near: Desk, genuine: Path, attack: Attack) -> None:
    published = ("season", "export", "out/text", "--kind", "csv")
    attempt(near, genuine / "season.duckdb", attack, [published, ("season", "add", "logs")])


def test_a_reading_is_seen_where_times_are_kept(near: Desk) -> None:
    secret = secret_of(near)
    before = unread(secret)
    duckdb.read_csv(str(secret), header=False).fetchall()
    assert secret.stat().st_atime_ns != before, "mount the tests' folder with times of access"

"""A question of one's own to the season: what it takes, what a cell shows, what a name can do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.season.sandbox import TableForm, answered
from ledger.errors import Refused
from tests.support.cli_desk import typed_once
from tests.support.paths import ROOT
from tests.support.season import write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.support.cli_desk import Desk

MEMORY_BYTES = 700_000_000
MEASURED = """
import resource, subprocess, sys
ran = subprocess.run([sys.executable, "-m", "cli.main", "query", *sys.argv[1:]])
print(ran.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""
AS_TABLE, AS_JSON, AS_CSV = (), ("--json",), ("--csv",)
LARGE = (
    ("SELECT repeat('x', 100000) FROM range(100000)", AS_TABLE),
    ("SELECT repeat('x', 100000) FROM range(100000)", AS_JSON),
    ("SELECT repeat('x', 100000) FROM range(100000)", AS_CSV),
    ("SELECT repeat('x', 100000000)", AS_TABLE),
    ("SELECT repeat('ä', 100000000)", AS_JSON),
    ("SELECT i, i * 2, i::text, 'abc' || i, i / 7 FROM range(1000000) t(i)", AS_TABLE),
    ("SELECT list(i) FROM range(20000000) t(i)", AS_JSON),
    ("SELECT [[i::text]] AS a, {'b': repeat('c', 600)} AS d FROM range(15000) t(i)", AS_TABLE),
    ("SELECT repeat('ab', 50000)::blob AS a FROM range(3000)", AS_CSV),
    ("SELECT map([i], [repeat(chr(8238), 300)]) AS a FROM range(300000) t(i)", AS_JSON),
    ("SELECT md5(i::text), md5((i + 1)::text) FROM range(20000000) t(i) ORDER BY 1", AS_CSV),
)


@typed_once
def season(desk: Desk) -> Desk:
    """A season of one tournament."""
    return with_season(desk)


def with_season(desk: Desk) -> Desk:
    """Add a tournament to the season of a desk."""
    desk.done("season", "add", str(write_log(desk.folder / "1.jsonl", play(1, 8, rounds=3).lines)))
    return desk


def test_columns_that_find_no_room_are_named(season: Desk) -> None:
    in_pipe = season.done("query", "FROM games LIMIT 2")
    assert "opponent_points" in in_pipe.out.splitlines()[0]
    assert "no room" not in in_pipe.err
    season.patch.setenv("COLUMNS", "80")
    answer = season.done("query", "FROM games LIMIT 2")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "opponent_points; a wider terminal or --json shows them" in answer.err
    titles = answer.out.splitlines()[0].split()
    assert titles[0] == "tournam…" or "round" in titles


def test_a_shell_needs_a_season(desk: Desk) -> None:
    assert desk.refused("query").err.startswith("tourney: there is no season")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts memory as Linux does")
@pytest.mark.parametrize(("question", "form"), LARGE)
def test_the_memory_that_is_promised_is_kept(
    season: Desk, question: str, form: tuple[str, ...]
) -> None:
    """Whether the answer is shown or refused: all of it or one line."""
    with (season.folder / "out").open("wb") as out:
        ran = subprocess.run(
            [sys.executable, "-c", MEASURED, question, *form],
            cwd=season.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=300,
            check=True,
        )
    *said, measured = ran.stderr.decode().splitlines()
    code, kilobytes = map(int, measured.split())
    assert kilobytes * 1024 <= MEMORY_BYTES
    size = (season.folder / "out").stat().st_size
    if code:
        assert (code, len(said)) == (1, 1)
        shown = (season.folder / "out").read_bytes() or b'{"problems": []}'
        assert list(json.loads(shown)) == ["problems"]
        reasons = ("700 MB of memory", "the answer takes more than", "took longer than")
        assert any(reason in said[0] for reason in reasons)
    else:
        assert size
        assert not any("fault" in line for line in said)


@pytest.mark.slow
def test_an_answer_that_takes_too_much_is_refused_in_one_line(season: Desk) -> None:
    asked = "SELECT i, repeat('x', 1000) AS a FROM range(300000) t(i)"
    assert "the answer takes more than 200 MB" in season.refused("query", "--csv", asked).err
    assert "the answer takes more than 200 MB" in season.refused("query", "--json", asked).err


@pytest.mark.slow
def test_a_long_value_is_cut_in_a_table_and_whole_in_a_file(season: Desk) -> None:
    asked = "SELECT repeat('ä', 20000) AS a, 'short' AS b, range(3000) AS c"
    season.patch.setenv("COLUMNS", "2000")
    told = season.done("query", asked)
    row = told.out.splitlines()[1].split("  ")
    assert row[0] == "ä" * 499 + "…"
    assert row[1] == "short"
    assert "cut to 500 characters: 2 values; --json or --csv shows them whole" in told.err
    assert season.done("query", "--json", asked).json == [
        {"a": "ä" * 20_000, "b": "short", "c": list(range(3_000))}
    ]
    assert "ä" * 20_000 in season.done("query", "--csv", asked).out
    assert season.done("query", "SELECT 'short'").err == "1 row\n"


@pytest.mark.slow
def test_a_columns_name_steers_no_terminal(season: Desk) -> None:
    name = "a\x1b[31m\u202eb"
    asked = f'SELECT 1 AS "{name}", 2 AS "{"x" * 300}", \'c\' AS "\ttab"'
    season.patch.setenv("COLUMNS", "200")
    told = season.done("query", asked)
    title = told.out.splitlines()[0]
    assert title.startswith("a\\u{1b}[31m\\u{202e}b  xxx")
    assert title.rstrip().endswith("x…  \\u{9}tab")
    assert json.loads(season.done("query", "--json", asked).out)[0][name] == 1
    assert "\x1b" not in season.done("query", "--json", asked).out
    assert "\x1b" not in season.refused("query", f'SELECT "{name}"').err
    assert "\x1b" not in season.refused("query", "--json", f'SELECT 1 "{name}", 2 "{name}"').err


@pytest.mark.slow
def test_an_answer_of_no_row_and_of_every_kind_of_value_is_shown(season: Desk) -> None:
    kinds = (
        "NULL, true, 1::tinyint, 2::hugeint << 100, 1.5::decimal(9, 2), 'nan'::double,"
        " 'infinity'::timestamp, '2026-01-01'::date, '10:11'::time, '10:11:00+02'::timetz,"
        " (timestamptz '2026-01-01 10:00+02')::text, interval '1 year 2 days', 'ab'::blob,"
        " '101'::bit, uuid(), [1, NULL], {'a': {'b': [1]}}, map(['k'], [1]), map([[1]], [2]),"
        " union_value(a := 1), '1'::json, chr(0)"
    )
    named = ", ".join(f"{each} AS c{number}" for number, each in enumerate(_parts(kinds)))
    for form in ((), ("--json",), ("--csv",)):
        answer = season.type("query", *form, f"SELECT {named}")
        assert answer.code == 0, answer.err
        assert answer.out.count("\n") >= 1
        empty = season.done("query", *form, "SELECT 1 AS a WHERE false")
        assert empty.out in {"", "[]\n", "a\n"}


def _parts(kinds: str) -> list[str]:
    """Cut at the commas that stand in no brackets."""
    found, depth = [""], 0
    for letter in kinds:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


class Dying(TableForm):
    """Ends its process as one that gets no memory in the middle of the database's own code."""

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield nothing of them."""
        os.kill(os.getpid(), signal.SIGSEGV)
        return super().parts(rows)


@pytest.mark.slow
def test_a_time_with_a_zone_is_refused_in_one_line(season: Desk) -> None:
    told = season.refused("query", "SELECT timestamptz '2026-01-01 10:00+02'").err
    assert "cast it to ::timestamp or ::text" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "how many",
            "a question is SQL, such as SELECT; the verb stats asks questions with a name",
        ),
        ("factions", "a question is SQL, such as SELECT"),
        (
            "SELECT x FROM players",
            "name players does not exist! The tables are listed by: query tables",
        ),
    ],
)
def test_a_question_that_cannot_be_asked_says_what_can(
    season: Desk, question: str, told: str
) -> None:
    said = season.refused("query", question).err
    assert told in said
    assert "information_schema" not in said


def test_a_question_that_is_no_text_is_refused(desk: Desk) -> None:
    """Also where a system asks nothing of a season from elsewhere, such as a copy of one."""
    assert "not UTF-8 text" in with_season(desk).refused("query", "SELECT '\udcff'").err


class Failing(TableForm):
    """Has a fault of our own."""

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield nothing of them."""
        raise ZeroDivisionError(rows)


@pytest.mark.slow
def test_a_fault_of_our_own_is_no_lack_of_memory(season: Desk) -> None:
    file = str(season.folder / "season.duckdb")
    with pytest.raises(RuntimeError, match="failed"), answered(file, "SELECT 1", Failing):
        pass


@pytest.mark.slow
def test_a_process_that_does_not_survive_its_question_is_one_line(season: Desk) -> None:
    file = str(season.folder / "season.duckdb")
    with (
        pytest.raises(Refused, match="more than 700 MB of memory"),
        answered(file, "SELECT 1", Dying),
    ):
        pass


@pytest.mark.slow
def test_a_shell_goes_on_after_a_refusal(season: Desk) -> None:
    typed = "SELECT nope;\nSELECT 1 AS a;\nexit\n"
    told = season.done("query", "shell", "--csv", stdin=typed)
    assert told.out == "a\n1\n"
    assert "nope" in told.err

"""An act that landed and whose answer nobody could read: exit code 5, and the id gives it again."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from cli.desk import session
from cli.main import main
from cli.terminal.output import show
from cli.verbs import tree
from ledger.errors import NotFound
from tests.cli.test_process import TOURNEY, environment
from tests.support.cli_desk import Answer, _stream, _text, typed_once
from tests.support.days.json_day import JsonDay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.cli_desk import Desk

LANDS = {
    "sign now",
    "sign drop",
    "links print",
    "links new",
    "checkpoint",
    "export -o",
    "export --for",
    "export --tiles",
    "publish FOLDER",
    "evidence R/T -o",
    "backup",
    "season add",
    "season rebuild",
    "season derive",
    "match --html",
    "season standings --html",
    "season archive",
    "season export",
    "season site",
    "season people name",
    "season people rename",
    "season people merge",
    "season people split",
    "season people undo",
    "season people import",
    "season people backup",
    "season people forget",
    "season remove",
    "stats --parquet",
    "stats --plot",
    "rating --plot",
    "restore",
    "import",
    "import FOLDER",
}
"""The lines of the page that are no acts of a log, and write something all the same."""

pytestmark = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="no device that is always full here"
)


def opened(code: int) -> io.TextIOWrapper:
    """A stream that fails so: a device that is always full, or a pipe that nobody reads."""
    if code == errno.ENOSPC:
        return io.TextIOWrapper(Path("/dev/full").open("wb"), encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    return io.TextIOWrapper(os.fdopen(writing, "wb"), encoding="utf-8")


def lost(desk: Desk, code: int, words: Sequence[str], *, errors: bool = False) -> Answer:
    """Type a line whose answer cannot be written; with `errors` its talk cannot either."""
    with desk.patch.context() as patch, opened(code) as out, opened(code) as err:
        said = err if errors else _stream()
        patch.setattr(sys, "stdin", _stream())
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", said)
        exit_code = main(words)
    return Answer(exit_code, "", "" if errors else _text(said))


class LostDay(JsonDay):
    """The whole day: each answer is lost first, and given again by the id."""

    code: ClassVar[int] = errno.ENOSPC
    number = 0
    lands = True

    def show(self, line: str, *words: str) -> None:
        """Type a line of the page, which lands something or does not."""
        self.lands = line in LANDS
        super().show(line, *words)

    def do(self, verb: str, *words: str) -> None:
        """Type an act."""
        self.lands = True
        super().do(verb, *words)

    def _typed(self, *words: str) -> str:
        self.number += 1
        line = [*words, "--json", "--id", f"day-{self.number}"]
        if words[:3] == ("repair-round", "--do", "0"):
            self.lands = False  # it leaves all tables as they are
        answer = lost(self.desk, self.code, line)
        closed = self.code == errno.EPIPE
        assert answer.code == (5 if self.lands else 141 if closed else 1), (words, answer)
        assert self.lands == ("to see the answer again, type: tourney " in answer.err), answer.err
        before = self.kept()
        again = self.desk.type(*line)
        assert again.code == 0, (words, again.err)
        changed = [name for name, data in self.kept().items() if before.get(name) != data]
        assert not changed or (self.lands and words[0] in {"stats", "rating"}), (words, changed)
        return again.out

    def kept(self) -> dict[str, bytes]:
        """What a line typed twice must not change: the keys, the vault, the season and the log."""
        folder = self.desk.folder
        places = [*folder.glob(".tourney-keys/*.key"), folder / "season.duckdb"]
        found = {str(path): path.read_bytes() for path in places if path.exists()}
        return found | {"log": self.desk.log().encode()}


@pytest.mark.slow
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EPIPE], ids=["full", "closed"])
def test_every_verb_that_writes(desk: Desk, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LostDay, "code", code)
    day = LostDay(desk)
    day.play()
    assert set(day.given) > LANDS


@typed_once
def paired(desk: Desk) -> Desk:
    """Four players at two tables."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    return desk


def test_what_did_not_land_keeps_its_code(paired: Desk) -> None:
    for code, ends in ((errno.ENOSPC, 1), (errno.EPIPE, 141)):
        assert lost(paired, code, ["list"]).code == ends
        assert lost(paired, code, ["report", "9", "x", "--json"]).code == 3
        assert lost(paired, code, ["report", "1", "--json"]).code == 2
        assert lost(paired, code, ["verify", "--json"]).code == ends
        first = f"#{paired.seats(1)[0]}"
        paired.type("report", "1", first)
        assert lost(paired, code, ["report", "1", first, "--json"]).code == ends


def test_a_refusal_behind_a_lost_table_has_its_code(
    paired: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shows_and_refuses(desk: session.Desk) -> None:
        show("a table")
        raise NotFound(f"no {desk.line[0]}")

    monkeypatch.setattr(tree, "function_of", lambda _: shows_and_refuses)
    monkeypatch.setattr(tree, "command_of", tree.command_of.__wrapped__)
    for code in (errno.ENOSPC, errno.EPIPE):
        assert lost(paired, code, ["list"])[::2] == (3, "tourney: no list\n")


def test_without_stderr_the_code_alone_says_it(paired: Desk) -> None:
    for code in (errno.ENOSPC, errno.EPIPE):
        assert lost(paired, code, ["note", "a remark", "--json"], errors=True).code == 5


def test_a_folder_that_was_published_is_there(paired: Desk) -> None:
    line = ["publish", "public", "--json", "--id"]
    for code in (errno.ENOSPC, errno.EPIPE):
        answer = lost(paired, code, [*line, f"p{code}"])
        assert (answer.code, "public was written" in answer.err) == (5, True), answer.err
    paired.done("note", "which the folder does not have")
    published = {path: path.read_bytes() for path in paired.folder.glob("public/*.*")}
    again = paired.done(*line, f"p{errno.ENOSPC}")
    assert again.json["files"] >= len(published) > 0
    assert {path: path.read_bytes() for path in published} == published
    other = paired.refused("publish", "elsewhere", "--id", f"p{errno.ENOSPC}")
    assert "another command" in other.err


def test_what_follows_the_answer_is_done_all_the_same(paired: Desk) -> None:
    """A new log key takes its place, an export its head, though nobody hears of it."""
    public = paired.done("key", "--json").json[0]["key"]
    line = ["key", "revoke", public, "--reason", "stolen", "--json"]
    assert lost(paired, errno.ENOSPC, line).code == 5
    assert not list(paired.folder.glob(".tourney-keys/*.next"))
    assert lost(paired, errno.ENOSPC, ["export", "-o", "day.jsonl", "--json"]).code == 5
    (paired.folder / "policy").write_text(paired.done("checkpoint", "--policy").out, "utf-8")
    paired.done("verify", "day.jsonl", "--policy", "policy")


@pytest.mark.slow
def test_a_loop_counts_what_landed(paired: Desk) -> None:
    """The lines behind the one that nobody could hear of are not carried out."""
    lines = "".join(f"{table} #{paired.seats(table)[0]}\n" for table in (1, 2))
    answer = piped(paired, ["report", "--id", "desk"], lines, "/dev/full")
    assert answer.returncode == 5
    said = answer.stderr.decode()
    assert "the act has landed (id desk-1)" in said
    assert "to see the answer again, type: tourney --id desk report, with the same lines" in said
    again = paired.done("report", "--id", "desk", stdin=lines)
    assert len(again.out.splitlines()) == 2
    assert [json["result"] is not None for json in paired.done("pairings", "--json").json] == [
        True,
        True,
    ]


def piped(
    desk: Desk, words: list[str], lines: str, out: str, err: int | None = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    with Path(out).open("wb") as file:
        return subprocess.run(
            [*TOURNEY, *words],
            cwd=desk.folder,
            env=environment(),
            input=lines.encode(),
            stdout=file,
            stderr=err if err is not None else file,
            check=False,
            timeout=60,
        )


REAL = (["pair"], ["note", "late", "--json"], ["key", "new", "--json"], ["backup", "b", "--json"])


@pytest.mark.slow
@pytest.mark.parametrize("words", REAL, ids=lambda words: words[0])
def test_a_full_device(desk: Desk, words: list[str]) -> None:
    desk.open(4, "custom", "--rounds", "2")
    answer = piped(desk, words, "", "/dev/full")
    assert (answer.returncode, b"No space left" in answer.stderr) == (5, True)
    line = re.search(rb"to see the answer again, type: tourney (.*)\n", answer.stderr)
    assert line is not None
    before = desk.log()
    assert desk.done(*line[1].decode().split()).out
    assert desk.log() == before


@pytest.mark.slow
def test_nothing_can_be_written_at_all(paired: Desk) -> None:
    """Python would end with 120 where something is left in a stream."""
    for words, code in (
        (["note", "one", "--json"], 5),
        (["list"], 1),
        (["report", "9", "x"], 3),
        (["unpair"], 0),
    ):
        assert piped(paired, words, "", "/dev/full", None).returncode == code


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True], ids=["stderr", "no stderr"])
def test_a_reader_that_has_gone(paired: Desk, closed: bool) -> None:  # noqa: FBT001 - a parameter
    reading, writing = os.pipe()
    os.close(reading)
    for words, code in ((["note", "one", "--json"], 5), (["list"], 141)):
        answer = subprocess.run(
            ["/bin/sh", "-c", f'exec "$@" {"2>&-" if closed else ""}', "sh", *TOURNEY, *words],
            cwd=paired.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
        assert answer.returncode == code
        assert (b"the output was closed" in answer.stderr) == (code == 5 and not closed)
    os.close(writing)

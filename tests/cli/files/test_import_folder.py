"""`import FOLDER`: many files by one command, with the lines of single imports."""

from __future__ import annotations

import shutil
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from cli.machine import keyring
from cli.verbs.inout import importing, importing_many
from cli.verbs.inout.taking_files import take_read
from ledger.files.many_files import files_in, is_many
from ledger.store import open_store
from projections import file_batches
from tests.support.files.folder_of_files import add_others, fill, sheet
from tests.support.files.foreign_files import cobra, melee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

OF_SHEETS = ("--ruleset", "mtg", "--date", "2024-05-05")
FILES = 45


@pytest.fixture
def folder(desk: Desk) -> Path:
    """Return a folder of files of every format, in the desk's folder."""
    fill(desk.folder / "files", FILES)
    add_others(desk.folder / "files")
    return desk.folder / "files"


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every tournament that goes on here have the same keys."""
    keys = cycle((b"k" * 32, b"h" * 32))
    for module in (keyring, importing, importing_many):
        monkeypatch.setattr(module, "draw_key", lambda: next(keys))


def stored(store: Path) -> dict[str, list[bytes]]:
    """Return the lines of a store, in the order of its tournaments."""
    opened = open_store(str(store), create=False)
    try:
        return {stream: opened.lines(stream) for stream in opened.streams()}
    finally:
        opened.close()


def uncounted(store: Path) -> bytes:
    """Return a store's bytes without SQLite's two counts of how often the file was opened anew."""
    data = store.read_bytes()
    return data[:24] + data[28:92] + data[96:]


@pytest.mark.usefixtures("alike", "folder")
@pytest.mark.parametrize("worth", [0, 1 << 40], ids=["processes", "one process"])
def test_a_folder_gives_the_store_of_single_imports(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, worth: int
) -> None:
    monkeypatch.setattr(file_batches, "WORTH_BYTES", worth)
    for path in files_in(["files"]):
        own = OF_SHEETS if path.suffix == ".csv" and "event" not in path.read_text() else ()
        desk.type("--store", "one.db", "import", str(path), *own)
    desk.done("--store", "many.db", "import", "files", *OF_SHEETS)
    one, many = stored(desk.folder / "one.db"), stored(desk.folder / "many.db")
    assert list(one) == list(many)
    assert one == many
    assert len(many) == FILES
    assert uncounted(desk.folder / "one.db") == uncounted(desk.folder / "many.db")


def test_the_report_has_every_file_and_the_share_that_follows(desk: Desk, folder: Path) -> None:
    shown = desk.done("import", "files", *OF_SHEETS, "--json").json
    fates = {row["file"]: row["fate"] for row in shown["files"]}
    assert list(fates) == [
        f"files/{name}" for name in sorted(each.name for each in folder.iterdir())
    ]
    assert shown["fates"] == {
        "taken": FILES, "grown": 0, "known": 0, "refused": 0, "passed over": 5,
    }  # fmt: skip
    published = [row["verdict"] for row in shown["files"] if row["verdict"]]
    assert shown["numbers"] == sum(each["numbers"] for each in published)
    assert (shown["follow"], shown["share"]) == (shown["numbers"], 1.0)
    assert shown["whole"] == shown["compared"]
    said = desk.done("import", "files", *OF_SHEETS)
    assert f"50 files: {FILES} already in the store, 5 skipped" in said.err
    assert "follow from the rounds (100.00 %)" in said.err
    assert "players.csv" in said.out
    again = desk.done("import", "files", *OF_SHEETS, "--json").json
    first = {row["file"]: (row["verdict"], row["reading"]) for row in shown["files"]}
    assert {row["file"]: (row["verdict"], row["reading"]) for row in again["files"]} == first
    csv = desk.done("import", "files", *OF_SHEETS, "--csv").out.splitlines()
    assert csv[0].startswith("file,fate,tournament,events,added,follow,numbers")
    assert len(csv) == 1 + len(fates)


def test_a_wrong_file_refuses_all_and_every_problem_is_named(desk: Desk) -> None:
    (files := desk.folder / "files").mkdir()
    (files / "a.json").write_bytes(cobra(1).data)
    (files / "b.json").write_bytes(cobra(2).data[:-40])
    (files / "c.csv").write_bytes(sheet(1) + b"9,1,Ann,,2,0\n")
    (files / "d.csv").write_bytes(sheet(4, with_event=False))
    (files / "e.jsonl").write_bytes(b'{"seq":1}\n')
    answer = desk.type("import", "files")
    assert answer.code == 1
    for name in "bcde":
        assert f"files/{name}." in answer.err
    assert "files/a.json" not in answer.err
    assert not (desk.folder / "tourney.db").exists()
    shown = desk.done("import", "files", "--keep-going", "--json").json
    fates = {row["file"][6]: row["fate"] for row in shown["files"]}
    assert fates == {"a": "taken", "b": "refused", "c": "refused", "d": "refused", "e": "refused"}
    assert all(row["problems"] for row in shown["files"] if row["fate"] == "refused")
    (files / "a.json").unlink()
    assert desk.type("import", "files", "--keep-going").code == 1


def test_two_files_of_one_event_are_found_before_anything_is_taken(desk: Desk) -> None:
    (files := desk.folder / "files").mkdir()
    data = cobra(1).data
    (files / "a.json").write_bytes(data)
    (files / "b.json").write_bytes(data.replace(b'"uploadedFrom"', b'"uploadedFrom" '))
    (files / "c.json").write_bytes(data)
    refused = desk.type("import", "files")
    assert (refused.code, "b.json may be a later version" in refused.err) == (1, True)
    assert not (desk.folder / "tourney.db").exists()
    shown = desk.done("import", "files", "--keep-going", "--json").json
    assert [row["fate"] for row in shown["files"]] == ["taken", "refused", "known"]


def test_two_histories_of_a_log_are_refused_and_a_longer_one_grows(desk: Desk) -> None:
    (files := desk.folder / "files").mkdir()
    (desk.folder / "cup.json").write_bytes(cobra(9, "running").data)
    desk.done("import", "cup.json")
    desk.done("export", "-o", "cup.jsonl")
    lines = (desk.folder / "cup.jsonl").read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(b'{"seq"')]
    (files / "a.jsonl").write_bytes(b"".join(kept[:10]))
    (files / "b.jsonl").write_bytes(b"".join(kept))
    other = kept[9].replace(b"T00:00:00.000Z", b"T00:00:00.001Z")
    assert other != kept[9]
    shutil.rmtree(desk.folder / ".tourney-keys" / "seen")
    shown = desk.done("--store", "new.db", "import", "files", "--json").json
    assert [row["fate"] for row in shown["files"]] == ["taken", "grown"]
    (files / "c.jsonl").write_bytes(b"".join([*kept[:9], other]))
    for store in ("new.db", "other.db"):
        refused = desk.type("--store", store, "import", "files")
        assert (refused.code, "event 10" in refused.err) == (1, True)
    assert not (desk.folder / "other.db").exists()


@pytest.mark.usefixtures("folder")
def test_ctrl_c_leaves_whole_tournaments_and_the_same_command_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = take_read
    count = 0

    def interrupted(*given: object, **named: object) -> object:
        nonlocal count
        count += 1
        if count > 7:
            raise KeyboardInterrupt
        return taken(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(importing_many, "take_read", interrupted)
    answer = desk.type("import", "files", *OF_SHEETS)
    assert answer.code == 130
    assert "7 tournaments imported, each of them whole" in answer.err
    monkeypatch.setattr(importing_many, "take_read", taken)
    assert len(stored(desk.folder / "tourney.db")) == 7
    shown = desk.done("import", "files", *OF_SHEETS, "--json").json
    assert (shown["fates"]["known"], shown["fates"]["taken"]) == (7, FILES - 7)


@pytest.mark.parametrize(
    "options",
    [
        ["--name", "Cup"], ["--as-new"], ["--sign"], ["--into", "Cup"], ["--reading", "plain"],
        ["--disclosed", "texts"],
    ],
)  # fmt: skip
def test_what_belongs_to_one_file_is_refused_in_one_line(desk: Desk, options: list[str]) -> None:
    (files := desk.folder / "files").mkdir()
    (files / "a.json").write_bytes(cobra(1).data)
    answer = desk.type("import", "files", *options)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert f"omit {options[0]}" in answer.err


def test_patterns_and_names_are_many_files_and_heads_belong_to_their_logs(desk: Desk) -> None:
    (files := desk.folder / "files").mkdir()
    (files / "a.json").write_bytes(cobra(1).data)
    (files / "b.json").write_bytes(melee(1).data)
    (files / ".hidden.json").write_bytes(b"{")
    desk.done("import", "files/a.json")
    desk.done("export", "-o", "files/log.jsonl")
    assert [path.name for path in files_in(["files"])] == ["a.json", "b.json", "log.jsonl"]
    shown = desk.done("import", "files/*.json", "files/a.json", "--json").json
    assert [row["fate"] for row in shown["files"]] == ["known", "taken"]
    assert desk.type("import", "none/*.json").code == 3
    assert not is_many(["files/a.json"])
    shutil.rmtree(files)
    (files / "empty").mkdir(parents=True)
    assert desk.type("import", "files").code == 3


def test_a_folder_without_a_tournament_says_why(desk: Desk) -> None:
    (files := desk.folder / "files").mkdir()
    add_others(files)
    answer = desk.type("import", "files")
    assert (answer.code, "is a tournament: a file of an unknown kind" in answer.err) == (3, True)
    assert not (desk.folder / "tourney.db").exists()

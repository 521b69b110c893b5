"""The file of a log in place of a store: every view of it, and nothing else of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.desk.remembered import _line_of
from cli.desk.session import Desk as Session
from cli.exits import FAULT, USAGE
from cli.input.arguments import UsageError, split_global_options
from cli.outside import LOG
from cli.verbs import NEEDS, VERBS
from tests.support.cli_desk import UNSIGNED, VIEW_WORDS, Desk, typed_once
from tests.support.files.opened_files import files_opened
from tests.support.sample_days import EARLIER, FOLDER

FILE = "sent.jsonl"
SHOWS = sorted(path for path, verb in VERBS.items() if verb.touched_with(()) == LOG)
"""The verbs that show a tournament: those that a file is looked at with."""

SAY_THERE_IS_NONE = {*NEEDS, "lists show", "bracket"}
"""Verbs about what the day or its game lacks: they say so."""

ALL_LOGS = sorted(
    (
        *FOLDER.glob("days/*.jsonl"),
        *FOLDER.glob("kinds/*.jsonl"),
        *EARLIER.glob("*/*-1?.jsonl"),
    )
)


@typed_once
def day(desk: Desk) -> Desk:
    """A day of five in its second round, with sealed texts and draws that are still to come."""
    desk.open(5, "custom", "--rounds", "3")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.report_all()
    desk.done(
        "dispute", "1", "--for", f"#{desk.seats(1)[0]}", "--reason", "my opponent had conceded"
    )
    desk.done("note", "#2", "arrived late")
    desk.done("dispute", "withdraw", "1", "--reason", "it was settled")
    desk.done("round", "close")
    desk.done("pair")
    desk.done("post", "pairings")
    desk.done("export", "-o", FILE)
    return desk


def a_stranger(desk: Desk) -> Desk:
    """Leave the desk nothing but the file and what lies beside it, in a folder of its own."""
    source = desk.folder / FILE
    folder = desk.folder / "stranger"
    folder.mkdir()
    for path in source.parent.glob(f"{source.name}*"):
        shutil.copy(path, folder / path.name.replace(source.name, FILE))
    desk.patch.chdir(folder)
    desk.folder = folder
    return desk


def everything_in(*folders: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for folder in folders
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_a_verb_shows_the_file_or_refuses_it_in_a_line(
    day: Desk, tmp_path_factory: pytest.TempPathFactory, verb: str
) -> None:
    """Beside a store, a memory and keys that would all be wrong."""
    desk, home = a_stranger(day), tmp_path_factory.mktemp("home")
    for name in ("tourney.db", ".tourney", ".tourney-answers", ".tourney-vault"):
        (desk.folder / name).write_bytes(b"not to be read")
    (desk.folder / ".tourney-keys").mkdir()
    desk.patch.setenv("HOME", str(home))
    before = everything_in(desk.folder, home)
    with files_opened() as opened:
        answer = desk.type(*verb.split(), *VIEW_WORDS.get(verb, []), "--log", FILE)
    assert everything_in(desk.folder, home) == before
    paths = [Path(event.partition(" ")[2]) for event in opened]
    here = {path.name for path in paths if path.resolve().is_relative_to(desk.folder)}
    assert here <= {FILE, f"{FILE}.checkpoint", f"{FILE}.hashes"}
    assert not [path for path in paths if path.is_relative_to(home)]
    assert answer.code != FAULT
    if verb in {"", *SHOWS}:
        assert FILE in here
        assert answer.code == 0 or verb in SAY_THERE_IS_NONE
        assert answer.err.splitlines()[0].startswith(f"{FILE}: ")
    else:
        assert not here
        assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
        assert "omit --log" in answer.err or "omit it" in answer.err


def test_what_writes_says_what_is_allowed(day: Desk) -> None:
    for words in (["report", "1", "ann"], ["pair"], ["note", "#1", "late"], ["key"], ["use"]):
        answer = day.refused(*words, "--log", FILE)
        assert "--log FILE only shows a file: use standings, bracket, pairings" in answer.err
        (problem,) = day.type(*words, "--log", FILE, "--json").json["problems"]
        assert problem["code"] == "file.not_granted"
    for words in (["replay", FILE], ["season"], ["ruleset"]):
        assert f"{words[0]}" in (told := day.refused(*words, "--log", FILE).err)
        assert "takes no --log: omit it" in told
    assert day.done("pair", "--log", FILE, "--help").out.startswith("Usage:")


def test_lists_are_shown_where_no_word_follows(day: Desk) -> None:
    """`note` alone lists the notes, and their sealed texts."""
    assert "(sealed)" in day.done("note", "--log", FILE).out
    assert "arrived late" in day.done("note").out


def test_a_file_or_a_store_is_named(day: Desk) -> None:
    for words in (["--store", "x", "--log", FILE], [f"--log={FILE}", "--store", "x"]):
        assert day.type("standings", *words).code == USAGE
    assert day.type("standings", "--log").code == USAGE
    assert day.type("standings", "--log", "").code == USAGE
    assert "there is no file none.jsonl" in day.refused("standings", "--log", "none.jsonl").err
    assert "is a SQLite store" in day.refused("standings", "--log", "tourney.db").err
    assert 'no tournament "Other"' in day.type("standings", "--log", FILE, "-t", "Other").err
    day.done("standings", "--log", FILE, "-t", "library")
    day.patch.setenv("TOURNEY_STORE", "postgresql://nobody@127.0.0.1:1/none")
    day.done("standings", "--log", FILE)


@pytest.mark.usefixtures("day")
def test_no_line_of_a_session_or_page_names_a_file() -> None:
    session = Session(*split_global_options(["standings"]))
    with pytest.raises(UsageError, match="--log"):
        session.typing(*split_global_options(["standings", "--log", FILE]), "id")
    session.close()


@pytest.mark.usefixtures("day")
def test_answers_that_were_kept_before_are_still_recognized() -> None:
    """The digest of a line knows no option that no act has."""
    options, line = split_global_options(["key", "new", "--id", "abc"])
    desk = Session(options, line)
    digest = _line_of(desk)
    desk.options = options._replace(log="a.jsonl", policy="b", unsigned="c", lang="de")
    assert _line_of(desk) == digest
    assert len(options._fields) == 11
    desk.close()


@pytest.mark.slow
@pytest.mark.parametrize("log", ALL_LOGS, ids=lambda path: path.stem)
def test_every_view_shows_what_the_store_shows(desk: Desk, log: Path) -> None:
    """Now, after a round, and at an event in the middle: byte for byte."""
    shutil.copytree(log.parent, desk.folder / "logs")
    file = f"logs/{log.name}"
    desk.done("import", file, *UNSIGNED)
    size = len(log.read_bytes().splitlines())
    for verb in SHOWS:
        words = [*verb.split(), *VIEW_WORDS.get(verb, [])]
        moments = [] if VERBS[verb].lists else [["--at", str(size // 2)], ["--round", "1"]]
        for form in ([], ["--json"], *moments):
            stored = desk.type(*words, *form)
            read = desk.type(*words, *form, "--log", file, *UNSIGNED)
            assert (read.code, read.out) == (stored.code, stored.out), (words, form)


def test_a_moment_of_a_file(day: Desk) -> None:
    read = day.done("standings", "--log", FILE, "--at", "round:1", "--json")
    assert read.json == day.done("standings", "--at", "round:1", "--json").json
    assert "as of event" in read.err
    assert "there is no round 9" in day.type("list", "--log", FILE, "--round", "9").err


def test_a_file_is_read_once(day: Desk) -> None:
    """Also where a moment is looked for, in a game that lacks what the verb is about."""
    with files_opened() as opened:
        day.done("replay", FILE)
    file = f"open {day.folder / FILE}"
    # for its kind, and for its lines; `replay` looks for further heads, too: by its id
    times = opened.count(file) - 2
    for words in (["standings", "--at", "round:1"], ["scenario"], ["diff", "3", "now"], []):
        with files_opened() as opened:
            day.type(*words, "--log", FILE)
        assert opened.count(file) == times, opened


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("broken/*.jsonl")))
def test_a_damaged_file_is_refused_as_replay_refuses_it(desk: Desk, name: str) -> None:
    shutil.copytree(FOLDER / "broken", desk.folder / "broken")
    file = f"broken/{name}.jsonl"
    replayed = desk.refused("replay", file, *UNSIGNED)
    for verb in (["standings"], ["log"], ["audit"], ["match", "1/1", "--at", "2"]):
        answer = desk.refused(*verb, "--log", file, *UNSIGNED)
        assert (answer.code, answer.err) == (replayed.code, replayed.err)


def test_a_forged_file_is_refused_and_an_unsigned_end_needs_a_reason(day: Desk) -> None:
    path = day.folder / FILE
    lines = path.read_bytes().splitlines(keepends=True)
    forged = [line.replace(b"Library Night", b"Library Might") for line in lines]
    for changed in (forged, lines[:-3]):
        path.write_bytes(b"".join(changed))
        told = day.refused("standings", "--log", FILE).err
        assert told == day.refused("replay", FILE).err


def test_lines_without_a_head_are_shown_for_a_reason_that_is_repeated(day: Desk) -> None:
    (day.folder / f"{FILE}.checkpoint").unlink()
    told = day.refused("standings", "--log", FILE).err
    assert told == day.refused("replay", FILE).err
    answer = day.done("standings", "--log", FILE, "--unsigned", "sent by the judge")
    assert "accepted unsigned: sent by the judge" in answer.err
    assert "choose one" in day.type("log", "--log", FILE, *UNSIGNED, "--policy", "x").err


def test_draws_that_are_not_revealed_are_left_out_with_a_sentence(day: Desk) -> None:
    lacks = (
        "the log does not reveal the key of its draws yet, so the tables that would have been "
        "drawn are not shown"
    )
    read = day.done("whatif", "1/1", "none", "--log", FILE, "--json")
    assert read.json["caveats"][0] == lacks
    assert lacks in read.err
    assert lacks not in day.done("whatif", "1/1", "none", "--json").json["caveats"]
    assert lacks in day.done("whatif", "--sweep", "1/1", "--log", FILE).err

"""A log that names a key, without a head over all its lines: refused, or marked; never silent.

Each forgery is read by every verb that reads a log: as it is, with a policy, and with --unsigned.
A view of an event that has unsigned lines repeats why, in the terminal, as JSON and on pages.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from cli.verbs import VERBS
from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint, Invalid
from ledger.proof.heads import CHECKPOINT, HASHES, beside
from ledger.proof.signatures import origin_of
from ledger.proof.verifier import verify_file
from tests.support.signed_logs import tournament_of
from tests.support.stranger import EARLY, FORGED, LOG, POLICY, forge, lines_of, stranger, swapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

__all__ = ["stranger"]  # a fixture

REASON = "the organizer lost the key"
UNSIGNED = ("--unsigned", REASON)


def bare(path: Path) -> None:
    """Delete what was signed of a log."""
    for suffix in (CHECKPOINT, HASHES):
        beside(path, suffix).unlink(missing_ok=True)


def head_deleted(desk: Desk) -> None:
    shutil.copy(desk.folder / LOG, desk.folder / FORGED)


def changed_without_head(desk: Desk) -> None:
    forge(desk)


def hashes_alone(desk: Desk) -> None:
    shutil.copy(desk.folder / LOG, desk.folder / FORGED)
    shutil.copy(beside(desk.folder / LOG, HASHES), beside(desk.folder / FORGED, HASHES))


def old_head(desk: Desk) -> None:
    """Lines behind the head of an earlier export."""
    shutil.copy(desk.folder / LOG, desk.folder / FORGED)
    for suffix in (CHECKPOINT, HASHES):
        shutil.copy(
            beside(desk.folder.parent / EARLY, suffix), beside(desk.folder / FORGED, suffix)
        )


def old_head_alone(desk: Desk) -> None:
    old_head(desk)
    beside(desk.folder / FORGED, HASHES).unlink()


def changed_behind(desk: Desk) -> None:
    old_head(desk)
    (desk.folder / FORGED).write_bytes(b"".join(swapped(desk)[0]))


def removed_behind(desk: Desk) -> None:
    old_head(desk)
    names = [line for line in lines_of(desk.folder / LOG) if line.startswith(b'{"names"')]
    events = lines_of(desk.folder / LOG)[: -1 - len(names)]
    (desk.folder / FORGED).write_bytes(b"".join([*events, *names]))


LACKING: dict[str, Callable[[Desk], None]] = {
    made.__name__: made
    for made in (
        *(head_deleted, changed_without_head, hashes_alone, old_head, old_head_alone),
        *(changed_behind, removed_behind),
    )
}
"""Forgeries of which some lines have no signed head, and nothing else is wrong."""


def another_logs_head(desk: Desk) -> None:
    head_deleted(desk)
    _sign(desk, "0" * 32)


def signed_by_a_stranger(desk: Desk) -> None:
    head_deleted(desk)
    _sign(desk, tournament_of(lines_of(desk.folder / LOG)))


def changed_below(desk: Desk) -> None:
    forge(desk, kept=(CHECKPOINT,))


def shortened(desk: Desk) -> None:
    shutil.copy(desk.folder.parent / EARLY, desk.folder / FORGED)
    shutil.copy(beside(desk.folder / LOG, CHECKPOINT), beside(desk.folder / FORGED, CHECKPOINT))


CONTRADICTED: dict[str, Callable[[Desk], None]] = {
    made.__name__: made
    for made in (another_logs_head, signed_by_a_stranger, changed_below, shortened)
}
"""Forgeries with a head that does not fit: they are refused, whatever is asked."""


def _sign(desk: Desk, tournament: str) -> None:
    signer = notes.signer(origin_of(tournament), b"t" * 32)
    lines = [x[:-1] for x in lines_of(desk.folder / FORGED) if not x.startswith(b'{"names"')]
    head = Checkpoint(signer.key.name, len(lines), Prover(lines).root(len(lines)))
    note = notes.signed_note(notes.checkpoint_text(head), signer)
    beside(desk.folder / FORGED, CHECKPOINT).write_bytes(note)


READERS = (
    ("replay", FORGED),
    ("verify", FORGED),
    ("--store", "new.db", "import", FORGED),
    ("season", "add", FORGED, "--in", "new.duckdb"),
    ("season", "add", "--known", FORGED, "--in", "new.duckdb"),
    ("season", "rebuild", FORGED, "--in", "new.duckdb"),
    ("season", "derive", "parts", FORGED),
    ("season", "restate", FORGED),
)
"""Every verb that reads the file of a log; `compare` asks for a policy and a whole head."""


@pytest.fixture
def reader(stranger: Desk) -> Desk:
    stranger.done("season", "add", LOG)
    stranger.forget_what_was_seen()
    return stranger


def leaves_nothing(desk: Desk, answer: Answer) -> None:
    assert answer.code == 1, (answer.out, answer.err)
    assert answer.out == "" or list(answer.json) == ["problems"]
    assert answer.err.count("\n") == 1, answer.err
    for name in ("new.db", "new.duckdb", "parts"):
        assert not (desk.folder / name).exists()


@pytest.mark.slow
@pytest.mark.parametrize("made", LACKING)
def test_lines_without_a_head_are_refused_by_every_reader(reader: Desk, made: str) -> None:
    LACKING[made](reader)
    bare(reader.folder / LOG)  # as below
    for words in READERS:
        answer = reader.type(*words)
        leaves_nothing(reader, answer)
        assert "--unsigned REASON" in answer.err, (words, answer.err)
        (problem,) = reader.type(*words, "--json").json["problems"]
        assert problem["code"] == "log.unsigned", words
        answer = reader.type(*words, "--policy", POLICY)
        leaves_nothing(reader, answer)
        assert "policy" in answer.err or "the last signed line" in answer.err
        assert reader.type(*words, "--policy", POLICY, *UNSIGNED).code == 2
    with pytest.raises(Invalid):
        verify_file(reader.folder / FORGED)


@pytest.mark.parametrize("made", LACKING)
def test_what_is_taken_unsigned_is_marked(reader: Desk, made: str) -> None:
    LACKING[made](reader)
    bare(reader.folder / LOG)  # which `verify` would compare, as a further head of the log
    for verb in ("replay", "verify"):
        assert REASON in reader.done(verb, FORGED, *UNSIGNED).out
        assert REASON in json.dumps(reader.done(verb, FORGED, "--json", *UNSIGNED).json)
    reader.done("--store", "new.db", "import", FORGED, *UNSIGNED)
    reader.forget_what_was_seen()
    assert REASON in reader.done("--store", "new.db", "standings").err


@pytest.mark.slow
@pytest.mark.parametrize("made", CONTRADICTED)
def test_a_head_that_does_not_fit_is_refused_in_any_case(reader: Desk, made: str) -> None:
    CONTRADICTED[made](reader)
    for words in READERS:
        for more in ((), ("--policy", POLICY), UNSIGNED):
            leaves_nothing(reader, reader.type(*words, *more))


def test_a_reason_is_one_short_line(reader: Desk) -> None:
    head_deleted(reader)
    for reason in (" ", "x" * 201, "two\nlines", "\x1b[2J"):
        answer = reader.type("replay", FORGED, "--unsigned", reason)
        assert answer.code == 2, reason
        assert "a reason of one line" in answer.err


VIEWS = MappingProxyType(
    {
        "official": (),
        "list": (),
        "pairings": (),
        "round": (),
        "disputes": (),
        "match": ("1/1",),
        "evidence": ("1/1", "-o", "case.html"),
        "standings": (),
        "log": (),
        "explain": ("#1",),
        "explain pairing": ("1/1",),
        "diff": ("round:1", "now"),
        "whatif": ("2/1", "none"),
        "audit": (),
        "verify": (),
        "export": (),
        "publish": ("pages",),
        "tournaments": (),
        "backup": ("day.backup",),
    }
)
"""The verbs that show an event in hand, each with words that it needs."""

OF_NO_EVENT = (
    *("season", "stats", "rating", "query", "ruleset", "format", "clause", "witness", "key"),
)
"""The first words of verbs that show no event of the store."""

OTHERS = frozenset(
    {
        *("use", "lists", "lists show", "round watch", "requests", "scenario", "draft", "terrain"),
        *("armies", "component", "prize", "bracket", "explain bye", "receipt", "sign", "diff"),
        *("replay", "reproduce", "serve", "rehearse", "links", "demo", "follow"),
    }
)
"""Views that this event does not have, that follow it, or that read files: `book` says it once."""


@pytest.fixture
def unsigned(stranger: Desk) -> Desk:
    """A store whose event was taken unsigned, in a folder without the log's key."""
    old_head(stranger)
    stranger.done("import", FORGED, *UNSIGNED)
    return stranger


def test_every_view_is_in_the_table() -> None:
    views = {name for name, verb in VERBS.items() if not verb.writes}
    rest = {name for name in views if name.split()[0] not in OF_NO_EVENT}
    assert rest == {*VIEWS, *OTHERS}


def test_every_view_repeats_the_reason(unsigned: Desk) -> None:
    for name, words in VIEWS.items():
        answer = unsigned.type(*name.split(), *words)
        assert answer.code in {0, 1}, (name, answer.err)
        assert REASON in answer.err + answer.out, name
    assert REASON in unsigned.done().err  # the status
    page = (unsigned.folder / "pages" / "standings.html").read_text("utf-8")
    assert REASON in page
    assert REASON in (unsigned.folder / "case.html").read_text("utf-8")
    for words in ((), ("verify",), ("audit",), ("match", "1/1")):
        (note,) = unsigned.done(*words, "--json").json["unsigned"]
        assert note["reason"] == REASON
        assert note["first"] < note["last"]


def test_the_log_and_its_export_stay_as_they_are(unsigned: Desk) -> None:
    true = [line for line in lines_of(unsigned.folder / LOG) if not line.startswith(b'{"names"')]
    assert unsigned.log().encode() == b"".join(true)


def test_a_backup_keeps_the_note_and_the_full_head_clears_it(unsigned: Desk) -> None:
    unsigned.done("backup", "day.backup")
    refused = unsigned.type("--store", "other.db", "restore", "day.backup")
    assert (refused.code, "--unsigned REASON" in refused.err) == (1, True)
    assert not (unsigned.folder / "other.db").exists()
    said = unsigned.done("--store", "other.db", "restore", "day.backup", "--unsigned", "ours").err
    assert REASON in said
    assert "ours" in said
    told = unsigned.done("--store", "other.db", "standings").err
    assert REASON in told
    assert "ours" in told
    unsigned.done("--store", "other.db", "import", LOG)
    for store in ("other.db",):
        told = unsigned.done("--store", store, "standings").err
        assert "unsigned" not in told
    assert "unsigned" not in unsigned.done("--store", "other.db", "--json").json


def test_a_store_whose_note_was_deleted_is_not_verified_under_a_policy(unsigned: Desk) -> None:
    """Who hands a store over can take the note about unsigned lines out of its vault."""
    with closing(sqlite3.connect("tourney.db-vault")) as vault, vault:
        vault.execute("DELETE FROM vault WHERE name IN ('unsigned', 'head')")
    unsigned.forget_what_was_seen()
    answer = unsigned.type("verify", "--policy", POLICY)
    assert (answer.code, answer.out) == (1, "")
    assert "no head of this log" in answer.err
    unsigned.done("--store", "true.db", "import", LOG)
    unsigned.done("--store", "true.db", "verify", "--policy", POLICY)


def test_an_event_of_this_machine_needs_no_reason(desk: Desk) -> None:
    """Its key is here: a backup of the middle of a round has a head of all its lines."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("backup", "day.backup")
    desk.patch.setenv("TOURNEY_KEYS", "elsewhere")
    desk.done("--store", "other.db", "restore", "day.backup")
    assert "unsigned" not in desk.done("--store", "other.db", "standings").err


@pytest.mark.slow
def test_the_seasons_row_has_the_reason_until_the_full_head_comes(stranger: Desk) -> None:
    old_head(stranger)
    stranger.done("season", "add", FORGED, *UNSIGNED)
    stranger.done("season", "derive", "parts", FORGED, *UNSIGNED)
    for place in ("season.duckdb", "parts"):
        (row,) = stranger.done("season", "--in", place, "--json").json
        assert row["unsigned_reason"] == REASON
        assert REASON in stranger.done("season", "--in", place).err
        assert REASON in stranger.done("stats", "attendance", "--in", place).err
        assert stranger.done("query", "FROM games", "--in", place).err.count(REASON) == 1
    stranger.done("season", "site", "pages")
    assert any(
        REASON in page.read_text("utf-8") for page in stranger.folder.glob("pages/**/*.html")
    )
    stranger.done("season", "add", LOG)
    (row,) = stranger.done("season", "--json").json
    assert row["unsigned_reason"] is None
    assert REASON not in stranger.done("season").err

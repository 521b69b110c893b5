"""Heads and hashes beside files: every reader of the lines holds them to what lies there."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.heads import CHECKPOINT, HASHES, beside
from ledger.proof.signatures import origin_of
from projections.season.loading import checking
from tests.support.cli_desk import UNSIGNED
from tests.support.paths import ROOT
from tests.support.season import contents
from tests.support.signed_logs import tournament_of
from tests.support.stranger import (
    EARLY,
    FORGED,
    LOG,
    POLICY,
    SEASON,
    THIEF,
    forge,
    lines_of,
    one_line,
    sign_as_thief,
    signed_in,
    swapped,
)

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

BROKEN = ROOT / "sample_logs" / "broken" / "forged-points.jsonl"
READERS = {
    "replay": ("replay", FORGED),
    "replay --json": ("replay", FORGED, "--json"),
    "verify": ("verify", FORGED),
    "import": ("--store", "other.db", "import", FORGED),
    "season add": ("season", "add", FORGED),
    "season add folder": ("season", "add", "logs"),
    "season rebuild": ("season", "rebuild", "logs"),
    "season derive": ("season", "derive", "parts", "logs"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kept", [(CHECKPOINT, HASHES), (CHECKPOINT,), (HASHES,)], ids=str)
@pytest.mark.parametrize("verb", READERS)
def test_another_winner_beside_the_true_head(
    stranger: Desk, verb: str, kept: tuple[str, ...]
) -> None:
    seq = forge(stranger, kept=kept)
    (stranger.folder / "logs").mkdir()
    for name in (FORGED, *(FORGED + suffix for suffix in kept)):
        shutil.copy(stranger.folder / name, stranger.folder / "logs" / name)
    told = one_line(stranger, *READERS[verb])
    assert f"{FORGED}: " in told
    assert "ask the organizer for the export again" in told
    assert (f"line {seq}: it is not the line" in told) == (HASHES in kept)
    assert HASHES in kept or "a signed line was changed; forged.jsonl.hashes" in told


@pytest.mark.slow
def test_without_its_head_nobody_can_tell(stranger: Desk) -> None:
    """The swap breaks no rule: it is the head that shows it. What was not looked at is said."""
    forge(stranger)
    assert "no signed head covers lines 1 to " in one_line(stranger, "season", "add", FORGED)
    for verb in ("replay", "verify"):
        assert "two histories of one log" in one_line(stranger, verb, FORGED)
    beside(stranger.folder / LOG, CHECKPOINT).rename(stranger.folder / "kept")
    for words in (("replay", FORGED), ("verify", FORGED)):
        assert "no signed head covers lines 1 to " in one_line(stranger, *words)
    out = stranger.done("replay", FORGED, *UNSIGNED).out
    assert out.endswith("no head file next to the log; accepted unsigned: as it was sent\n")
    assert stranger.done("replay", FORGED, "--json", *UNSIGNED).json["head"] is None
    answer = stranger.done("season", "add", FORGED, *UNSIGNED)
    assert "heads: 1 without a head: no signature checked" in answer.err
    assert signed_in(stranger) == [(0, None, False)]


@pytest.mark.slow
def test_further_processes_look_as_well(stranger: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WORTH_BYTES", 0)
    seq = forge(stranger, kept=(CHECKPOINT, HASHES))
    told = one_line(stranger, "season", "add", LOG, FORGED)
    assert f"{FORGED}: line {seq}: " in told
    answer = stranger.done("season", "add", LOG, FORGED, "--keep-going", "--policy", POLICY)
    assert "1 new, 1 skipped" in answer.err
    assert [by_policy for *_, by_policy in signed_in(stranger)] == [True]


@pytest.mark.slow
def test_a_rebuild_checks_again_unless_it_need_not(stranger: Desk) -> None:
    (stranger.folder / "logs").mkdir()
    for suffix in ("", CHECKPOINT, HASHES):
        shutil.copy(beside(stranger.folder / LOG, suffix), stranger.folder / "logs")
    stranger.done("season", "add", "logs")
    before = contents(stranger.folder / SEASON)
    assert "checked earlier" not in stranger.done("season", "rebuild", "logs").err
    answer = stranger.done("season", "rebuild", "--known", "logs", "--json")
    (events,) = [each["checked_before"] for each in answer.json]
    assert f"checked earlier, so only hashed and applied: {events} events of 1 log" in answer.err
    assert contents(stranger.folder / SEASON) == before
    shutil.copy(BROKEN, stranger.folder / "logs")
    assert f"{BROKEN.name}: line " in one_line(stranger, "season", "rebuild", "--known", "logs")
    assert contents(stranger.folder / SEASON) == before


@pytest.mark.slow
def test_an_accepted_head_is_no_check_unless_it_is_asked_for(stranger: Desk) -> None:
    words = ("season", "rebuild", LOG, "--policy", POLICY)
    assert "checked earlier" not in stranger.done(*words).err
    assert "events of 1 log" in stranger.done(*words, "--known").err
    assert "heads: 1 accepted by the policy" in stranger.done(*words, "--known").err
    for folder, more, is_said in (("parts", (), False), ("others", ("--known",), True)):
        told = stranger.done("season", "derive", folder, LOG, "--policy", POLICY, *more)
        assert ("events of 1 log" in told.err) == is_said
    forge(stranger)
    told = stranger.type("season", "rebuild", FORGED, "--policy", POLICY, "--known")
    assert (told.code, "which the policy asks for" in told.err) == (1, True)


@pytest.mark.slow
def test_a_correction_of_the_season_is_held_to_its_head(stranger: Desk) -> None:
    stranger.done("season", "add", LOG)
    forge(stranger, kept=(CHECKPOINT,))
    told = stranger.type("season", "restate", FORGED)
    assert (told.code, "a signed line was changed" in told.err) == (1, True)
    beside(stranger.folder / FORGED, CHECKPOINT).unlink()
    told = stranger.type("season", "restate", FORGED, "--policy", POLICY)
    assert (told.code, "which the policy asks for" in told.err) == (1, True)


@pytest.mark.slow
def test_what_a_head_shows_is_said(stranger: Desk) -> None:
    size = len(lines_of(stranger.folder / LOG)) - 1
    told = stranger.done("replay", LOG).out.splitlines()[-1]
    assert f"signed at line {size} of {size} with the key that the log itself names" in told
    head = stranger.done("replay", LOG, "--json").json["head"]
    assert (head["size"], head["by_policy"]) == (size, False)
    told = stranger.done("replay", LOG, "--policy", POLICY).out.splitlines()[-1]
    assert told.endswith(f"; signed at line {size} of {size}, as the policy requires")
    assert (stranger.folder / POLICY).read_text("utf-8").startswith(f"log {head['key']}\n")
    answer = stranger.done("--store", "other.db", "import", LOG, "--policy", POLICY)
    assert f"signed at line {size} of {size}, as the policy requires" in answer.err


@pytest.mark.slow
def test_an_older_head_covers_the_lines_up_to_there(stranger: Desk) -> None:
    home, path = stranger.folder.parent, stranger.folder / LOG
    size, early = len(lines_of(path)) - 1, len(lines_of(home / EARLY)) - 1
    for suffix in (CHECKPOINT, HASHES):
        shutil.copy(beside(home / EARLY, suffix), beside(path, suffix))
    behind = f"no signed head covers lines {early + 1} to {size}: its head ends at line {early}"
    for typed in (("season", "add", LOG), ("--store", "new.db", "import", LOG)):
        assert behind in one_line(stranger, *typed)
    told = stranger.done("replay", LOG, *UNSIGNED).out.splitlines()[-1]
    assert f"signed at line {early} of {size} " in told
    assert f"; no head covers the {size - early} lines after it; accepted unsigned: as it" in told
    stranger.done("season", "add", LOG, *UNSIGNED)
    assert [covered for covered, *_ in signed_in(stranger)] == [early]
    assert f"own key, {early} of {size}" in stranger.done("season").out
    asked = f"line {early + 1}: it comes after line {early}, the last signed line"
    for verb in ("verify", "replay"):
        assert asked in one_line(stranger, verb, LOG)
        assert asked in one_line(stranger, verb, LOG, "--policy", POLICY)
    lines = lines_of(path)
    lines[1] = lines[1].replace(b'"at":"2', b'"at":"1')
    path.write_bytes(b"".join(lines))
    assert "line 2: it is not the line that was signed" in one_line(stranger, "replay", LOG)


def test_a_newer_head_than_the_lines(stranger: Desk) -> None:
    shutil.copy(stranger.folder.parent / EARLY, stranger.folder / LOG)
    early = len(lines_of(stranger.folder / LOG)) - 1
    for words in (("replay", LOG), ("season", "add", LOG), ("--store", "o.db", "import", LOG)):
        assert f"signed lines are missing, from line {early + 1} up to" in one_line(
            stranger, *words
        )


def test_a_head_of_another_log(stranger: Desk) -> None:
    note = beside(stranger.folder / LOG, CHECKPOINT)
    text = note.read_text("utf-8")
    origin = text.partition("\n")[0]
    note.write_text(text.replace(origin, "tourney/" + "0" * 32), "utf-8")
    for words in (("replay", LOG), ("season", "add", LOG)):
        assert "line 1: the head next to it belongs to another log, tourney/000" in one_line(
            stranger, *words
        )


def test_a_head_that_another_key_signed(stranger: Desk) -> None:
    """Whoever re-signs needs the key that the log names; with another one it fits no more."""
    lines, _ = swapped(stranger)
    sign_as_thief(stranger, FORGED)
    path = stranger.folder / FORGED
    note = beside(path, CHECKPOINT).read_bytes()
    lines = [line.rstrip(b"\n") for line in lines]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    events = [line for line in lines if not line.startswith(b'{"names"')]
    signer = notes.signer(origin_of(tournament_of(lines)), THIEF)
    head = Checkpoint(signer.key.name, len(events), Prover(events).root(len(events)))
    note = notes.signed_note(notes.checkpoint_text(head), signer)
    beside(path, CHECKPOINT).write_bytes(note)
    beside(path, HASHES).unlink()
    for words in (("replay", FORGED), ("verify", FORGED), ("season", "add", FORGED)):
        assert "no valid key of this log signed the head" in one_line(stranger, *words)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [CHECKPOINT, HASHES])
@pytest.mark.parametrize("kind", ["empty", "zeros", "half", "folder", "pipe", "huge", "binary"])
def test_what_lies_beside_is_damaged(stranger: Desk, kind: str, suffix: str) -> None:
    path = beside(stranger.folder / LOG, suffix)
    data = path.read_bytes()
    path.unlink()
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 36)
        case _:
            wrong = {"empty": b"", "zeros": bytes(len(data)), "binary": os.urandom(len(data))}
            path.write_bytes(wrong.get(kind, data[: len(data) // 2]))
    for words in (("replay", LOG), ("season", "add", LOG), ("verify", LOG)):
        assert path.name in one_line(stranger, *words)


@pytest.mark.slow
def test_no_bit_of_a_head_can_be_turned(stranger: Desk) -> None:
    """With the key that the log names, each of them is noticed without any policy."""
    note = beside(stranger.folder / LOG, CHECKPOINT)
    data = note.read_bytes()
    for bit in range(0, 8 * len(data), 11):
        edited = bytearray(data)
        edited[bit // 8] ^= 1 << bit % 8
        note.write_bytes(edited)
        one_line(stranger, "replay", LOG)


@pytest.mark.slow
def test_a_policy_is_asked_for(stranger: Desk) -> None:
    home = stranger.folder.parent
    others = stranger.folder / "others"
    text = (home / POLICY).read_text("utf-8")
    foreign = notes.signer("tourney/" + "0" * 32, THIEF)
    others.write_text(f"log {notes.vkey(foreign.key)}\nquorum none\n", "utf-8")
    for verb in (("replay",), ("--store", "o.db", "import"), ("season", "add")):
        assert "no known key signed this" in one_line(stranger, *verb, LOG, "--policy", "others")
    both = f"log {notes.vkey(foreign.key)}\n{text}"
    others.write_text(both, "utf-8")  # a head's name picks its line
    stranger.done("replay", LOG, "--policy", "others")
    for suffix in (CHECKPOINT, HASHES):
        beside(stranger.folder / LOG, suffix).unlink()
    for verb in (("replay",), ("--store", "o.db", "import"), ("season", "rebuild")):
        told = one_line(stranger, *verb, LOG, "--policy", POLICY)
        assert f"there is no {LOG}{CHECKPOINT}, which the policy asks for" in told


@pytest.mark.slow
def test_a_folder_of_policies(stranger: Desk) -> None:
    folder = stranger.folder / "policies"
    folder.mkdir()
    told = one_line(stranger, "season", "add", LOG, "--policy", "policies")
    assert "there is no policy in the folder" in told
    foreign = notes.signer("tourney/" + "0" * 32, THIEF)
    (folder / "a").write_text(f"log {notes.vkey(foreign.key)}\nquorum none\n", "utf-8")
    told = one_line(stranger, "season", "add", LOG, "--policy", "policies")
    assert "no policy in the folder names the log tourney/" in told
    for name in ("b", "c"):
        shutil.copy(stranger.folder / POLICY, folder / name)
    told = one_line(stranger, "season", "add", LOG, "--policy", "policies")
    assert "policies: b and c both name the log tourney/" in told
    (folder / "c").unlink()
    answer = stranger.done("season", "add", LOG, "--policy", "policies")
    assert "1 accepted by the policy" in answer.err
    (folder / "b").write_bytes(b"\x00")
    assert "policies: b: " in one_line(stranger, "season", "add", LOG, "--policy", "policies")

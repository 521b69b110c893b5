"""`verify` and `replay` share one check: both say the same of any copy of a log."""

from __future__ import annotations

import gzip
import shutil
import tracemalloc
from random import Random
from time import process_time
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from cli.exits import USAGE
from ledger.exchange import replay
from ledger.facts.people import PlayerDropped
from ledger.facts.rounds import Posted
from ledger.proof.formats import Invalid
from ledger.proof.heads import CHECKPOINT, HASHES, HeadWaiver, beside
from ledger.proof.verifier import verify_file
from projections.standings.table import ranking
from tests.faults.logs import small_days, small_edits, tampering
from tests.faults.logs.exports import exports, older_head
from tests.support.broken_logs import BROKEN
from tests.support.cli_desk import UNSIGNED
from tests.support.forging import forged_log, pairing, played, rerooted
from tests.support.sample_days import EARLIER, FOLDER, library_night
from tests.support.stranger import (
    EARLY,
    FORGED,
    LOG,
    POLICY,
    forge,
    lines_of,
    sign_as_thief,
    stranger,
    swapped,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.logs.exports import Export
    from tests.faults.logs.small_logs import Small
    from tests.faults.logs.tampering import Edited
    from tests.support.cli_desk import Answer, Desk

__all__ = ["stranger"]  # a fixture

LARGEST = EARLIER / "l5r" / "grand-tournament-520.jsonl"
BAD = "bad.jsonl"
MISSING = 3
ASKED: tuple[tuple[str, ...], ...] = ((), ("--policy", POLICY), UNSIGNED)
"""Ways to ask for a check."""


def by_both(desk: Desk, file: str, *words: str) -> Answer:
    """Check a file with both verbs, which agree; return the answer of `verify`."""
    verified, replayed = (desk.type(verb, file, *words) for verb in ("verify", "replay"))
    assert replayed.code == verified.code, (words, verified.err, replayed.err)
    if verified.code:
        assert replayed.err == verified.err
        assert replayed.out == ""
    else:
        assert replayed.err.splitlines()[-1] == verified.err.splitlines()[-1]
        assert verified.err.splitlines()[-1].startswith("verified up to the end of the file")
    return verified


def written(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


@pytest.mark.parametrize("name", BROKEN)
def test_of_each_broken_log(desk: Desk, name: str) -> None:
    (desk.folder / BAD).write_bytes(BROKEN[name](library_night().lines))
    for asked in ((), UNSIGNED):
        assert by_both(desk, BAD, *asked).code == 1


def edit(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Desk], None]:
    """Change the lines of the log, and leave what is next to it."""

    def edited(desk: Desk) -> None:
        path = desk.folder / BAD
        path.write_bytes(b"".join(change(lines_of(path))))

    return edited


def rewrite(change: Callable[[bytes], bytes], suffix: str = "") -> Callable[[Desk], None]:
    """Change the bytes of the log, or of a file next to it."""

    def rewritten(desk: Desk) -> None:
        path = beside(desk.folder / BAD, suffix)
        path.write_bytes(change(path.read_bytes()))

    return rewritten


def delete(*suffixes: str) -> Callable[[Desk], None]:
    """Delete files next to the log."""

    def deleted(desk: Desk) -> None:
        for suffix in suffixes:
            beside(desk.folder / BAD, suffix).unlink()

    return deleted


def copied_early(desk: Desk) -> None:
    """Put the head and the hashes of an earlier export next to the log."""
    for suffix in (CHECKPOINT, HASHES):
        shutil.copy(beside(desk.folder.parent / EARLY, suffix), beside(desk.folder / BAD, suffix))


def shortened(desk: Desk) -> None:
    """Put an earlier export with its own head in the place of the log; the later head is near."""
    shutil.copy(beside(desk.folder / BAD, CHECKPOINT), desk.folder / f"later{CHECKPOINT}")
    for suffix in ("", CHECKPOINT, HASHES):
        shutil.copy(beside(desk.folder.parent / EARLY, suffix), beside(desk.folder / BAD, suffix))


def without_key(desk: Desk) -> None:
    """A log that names no key, with a head over its first lines."""
    export = next(each for each in exports() if b'"log_key"' not in each.lines[0])
    written(desk.folder / BAD, list(export.lines))
    beside(desk.folder / BAD, CHECKPOINT).write_bytes(older_head(export))
    beside(desk.folder / BAD, HASHES).unlink()


def thief(desk: Desk) -> None:
    """Sign another result with a key that the first line then names: only the draws show it."""
    (desk.folder / BAD).rename(desk.folder / LOG)
    sign_as_thief(desk, BAD)
    (desk.folder / LOG).unlink()


def another_log(desk: Desk) -> None:
    for suffix in (CHECKPOINT, HASHES):
        day = FOLDER / "days" / "l5r-24.jsonl"
        shutil.copy(beside(day, suffix), beside(desk.folder / BAD, suffix))


COPIES: MappingProxyType[str, Callable[[Desk], None]] = MappingProxyType(
    {
        "honest": lambda _: None,
        "another result": edit(lambda lines: [line.replace(b'"win"', b'"loss"') for line in lines]),
        "a line less": edit(lambda lines: lines[:9] + lines[10:]),
        "a line twice": edit(lambda lines: [*lines[:9], lines[9], *lines[9:]]),
        "cut off": edit(lambda lines: lines[:-4]),
        "in the middle of a line": rewrite(lambda data: data[:-40]),
        "no newline at its end": rewrite(lambda data: data[:-1]),
        "CRLF": rewrite(lambda data: data.replace(b"\n", b"\r\n")),
        "a byte order mark": rewrite(lambda data: b"\xef\xbb\xbf" + data),
        "an empty line": edit(lambda lines: [*lines[:5], b"\n", *lines[5:]]),
        "NUL": rewrite(lambda data: data[:300] + b"\0" * 40 + data[340:]),
        "gzip": rewrite(gzip.compress),
        "UTF-16": rewrite(lambda data: data.decode().encode("utf-16")),
        "empty": rewrite(lambda _: b""),
        "another kind": rewrite(lambda _: b"SQLite format 3\0" + b"\0" * 100),
        "other words": rewrite(lambda _: b"Aiko beat Bela\n"),
        "no names": edit(lambda lines: lines[:-1]),
        "names twice": edit(lambda lines: [*lines, lines[-1]]),
        "names before the end": edit(lambda lines: [*lines[:-2], lines[-1], lines[-2]]),
        "half of a name's key": rewrite(lambda data: data[:-30] + b'"}}\n'),
        "no head": delete(CHECKPOINT),
        "no hashes": delete(HASHES),
        "neither": delete(CHECKPOINT, HASHES),
        "a head of earlier lines": copied_early,
        "an earlier export": shortened,
        "the head of another log": another_log,
        "a head that is none": rewrite(lambda _: b"signed, the organizer\n", CHECKPOINT),
        "a head without signatures": rewrite(lambda data: data.partition(b"\n\n")[0], CHECKPOINT),
        "a damaged signature": rewrite(lambda data: data[:-20] + b"AAAA" + data[-16:], CHECKPOINT),
        "another root": rewrite(lambda data: data.replace(b"=\n\n", b"A\n\n"), CHECKPOINT),
        "few hashes": rewrite(lambda data: data[:-32], HASHES),
        "other hashes": rewrite(lambda data: data[32:] + data[:32], HASHES),
        "a thief's key": thief,
        "a log without a key": without_key,
    }
)
"""Ways to damage a copy of a log and what is next to it."""

FINE = {"honest", "no names", "no hashes"}
"""Copies that both verbs accept, with the policy and without one."""


@pytest.mark.parametrize("name", COPIES)
def test_of_each_copy(stranger: Desk, name: str) -> None:
    for suffix in ("", CHECKPOINT, HASHES):
        shutil.move(beside(stranger.folder / LOG, suffix), beside(stranger.folder / BAD, suffix))
    COPIES[name](stranger)
    answers = [by_both(stranger, BAD, *asked) for asked in ASKED]
    assert [answer.code == 0 for answer in answers][:2] == [name in FINE] * 2
    if name not in FINE:
        assert all(answer.err.count("\n") == 1 for answer in answers if answer.code)


def test_of_a_swapped_result_next_to_the_true_head(stranger: Desk) -> None:
    """Both verbs look for further heads of the log next to the file."""
    forge(stranger)
    assert "two histories of one log" in by_both(stranger, FORGED, *UNSIGNED).err
    forge(stranger, kept=(CHECKPOINT, HASHES))
    lines, seq = swapped(stranger)
    assert f"line {seq}: it is not the line that was signed" in by_both(stranger, FORGED).err
    assert len(lines) > seq


def test_of_what_this_desk_saw(stranger: Desk) -> None:
    assert by_both(stranger, LOG, "--policy", POLICY).code == 0
    for suffix in (CHECKPOINT, HASHES):
        beside(stranger.folder / LOG, suffix).unlink()
    forge(stranger)
    answer = by_both(stranger, FORGED, *UNSIGNED)
    assert "has a different history" in answer.err


def test_of_policies(stranger: Desk) -> None:
    """Wrong ones, one of another log, a folder of them, and one with a reason to need none."""
    shutil.copy(FOLDER / "days" / "l5r-24.policy", stranger.folder / "other")
    (stranger.folder / "none").write_text("quorum none\n", "utf-8")
    (stranger.folder / "policies").mkdir()
    (stranger.folder / "empty").mkdir()
    shutil.copy(stranger.folder / POLICY, stranger.folder / "policies")
    codes = {"other": 1, "none": 1, "absent": MISSING, LOG: 1, "policies": 0, "empty": 1}
    for policy, code in codes.items():
        assert by_both(stranger, LOG, "--policy", policy).code == code, policy
    assert by_both(stranger, LOG, "--policy", POLICY, *UNSIGNED).code == USAGE
    assert by_both(stranger, LOG, "--unsigned", " ").code == USAGE
    assert by_both(stranger, "absent.jsonl").code == MISSING
    assert by_both(stranger, "policies").code == MISSING


def test_of_a_key_that_was_renewed_without_the_old_one(desk: Desk) -> None:
    """`verify` shows its table before it refuses the head, and `replay` shows nothing."""
    desk.open(4, "custom", "--rounds", "2")
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    for key in (desk.folder / ".tourney-keys").glob("log-*"):
        key.unlink()
    desk.done("key", "renew", "--lost", "--reason", "the laptop is gone")
    desk.done("export", "-o", LOG)
    refusal = by_both(desk, LOG, "--policy", POLICY).err
    assert f"{POLICY} does not accept the head: " in refusal
    assert "renewed without the old key" in refusal
    assert by_both(desk, LOG).code == 0


def test_of_draws_and_postings_that_break_no_rule(desk: Desk) -> None:
    """The import admits the lines: only draws and postings that are repeated show the forgery."""
    day = played(2)
    wrong = Posted("standings", 1, day.tournament.seq, "0" * 64, "tourney 0.2.0")
    written(desk.folder / BAD, forged_log(day, wrong))
    assert replay(desk.folder / BAD, ranking).tournament.seq == day.tournament.seq + 1
    assert "the posted standings do not match" in by_both(desk, BAD).err


def test_of_forged_events(desk: Desk) -> None:
    day = played(1)
    for event in (PlayerDropped(99), pairing(day, (1, 1)), pairing(day, (1, 2), attempt=3)):
        written(desk.folder / BAD, forged_log(day, event))
        assert by_both(desk, BAD).code == 1
    lines = [line.replace(b'"points":[10,1]', b'"points":[12,1]') for line in day.lines]
    written(desk.folder / BAD, rerooted(lines))
    assert by_both(desk, BAD).code == 1


def put(desk: Desk, lines: list[bytes], note: bytes, hashes: bytes | None, policy: bytes) -> Path:
    path = desk.folder / BAD
    path.write_bytes(b"".join(lines))
    beside(path, CHECKPOINT).write_bytes(note)
    beside(path, HASHES).unlink(missing_ok=True)
    if hashes is not None:
        beside(path, HASHES).write_bytes(hashes)
    (desk.folder / POLICY).write_bytes(policy)
    return path


def small_refuses(path: Path) -> bool:
    try:
        verify_file(path, HeadWaiver(UNSIGNED[1]))
    except Invalid:
        return True
    return False


AREAS: tuple[Callable[[Random, int], Small | Edited], ...] = (
    small_days.edited,
    small_edits.edited,
    lambda chance, case: tampering.lines_edited(_export(case), chance),
    lambda chance, case: tampering.note_edited(_export(case), chance),
    lambda chance, case: tampering.hashes_edited(_export(case), chance),
    lambda chance, case: tampering.all_computed_again(_export(case), chance),
    lambda chance, case: tampering.policy_edited(_export(case), chance),
)


def _export(case: int) -> Export:
    return exports()[case % 7]


@pytest.mark.slow
@pytest.mark.parametrize("area", range(len(AREAS)))
def test_of_edits_by_chance(desk: Desk, area: int) -> None:
    """Of forty copies each; what the small verifier refuses, both refuse too."""
    for case in range(40):
        try:
            edited = AREAS[area](Random(f"{area}/{case}"), case)
        except UnicodeDecodeError:  # no head can be made for lines that are not text
            continue
        path = put(desk, edited.lines, edited.note, edited.hashes, edited.policy)
        codes = [by_both(desk, BAD, *asked).code for asked in ASKED]
        assert codes[2] or not small_refuses(path), edited.what
        desk.forget_what_was_seen()


@pytest.mark.slow
def test_verify_takes_no_more_than_replay(desk: Desk) -> None:
    """Neither time of the processor, nor memory: of 3,389 lines, in the same run."""
    seconds: dict[str, list[float]] = {"verify": [], "replay": []}
    peaks = dict.fromkeys(seconds, 0)
    for verb in (*seconds,) * 5:
        begun = process_time()
        desk.done(verb, str(LARGEST))
        seconds[verb].append(process_time() - begun)
    for verb in seconds:
        tracemalloc.start()
        desk.done(verb, str(LARGEST))
        peaks[verb] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert min(seconds["verify"]) < 1.1 * min(seconds["replay"]), seconds
    assert peaks["verify"] <= peaks["replay"]


@pytest.mark.slow
@pytest.mark.parametrize("log", sorted(FOLDER.glob("[dk]*s/*.jsonl")), ids=lambda log: log.stem)
def test_of_each_sample(desk: Desk, log: Path) -> None:
    """Good logs: `replay` shows the state that the import adds up to."""
    assert by_both(desk, str(log)).code == 0
    tournament = replay(log, ranking).tournament
    shown = desk.done("replay", str(log), "--json").json
    read = desk.done("standings", "--log", str(log), "--json").json if shown["standings"] else None
    assert shown["standings"] == read
    assert shown["tournament"] == (tournament.opening and tournament.opening.tournament)

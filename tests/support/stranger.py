"""A stranger: who has the exports and the policy of a day, and neither its store nor its keys."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint, leaf_hash
from ledger.proof.heads import CHECKPOINT, HASHES, beside
from ledger.proof.signatures import origin_of
from tests.support.cli_desk import typed_once
from tests.support.forging import rerooted
from tests.support.season import opened
from tests.support.signed_logs import tournament_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.support.cli_desk import Desk

LOG, EARLY, FORGED, POLICY = "day.jsonl", "early.jsonl", "forged.jsonl", "policy"
SEASON = "season.duckdb"
WON, LOST = b'["win","loss"],"points":[10,1]', b'["loss","win"],"points":[1,10]'
THIEF = b"t" * 32


@typed_once
def stranger(desk: Desk) -> Desk:
    """A finished day of four, an export of its middle, and a folder of a stranger to stand in.

    The stranger has the exports and the policy, and neither the store nor its keys.
    """
    desk.open(4, "custom", "--rounds", "2")
    home = desk.folder
    (home / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("pair")
    desk.report_all()
    desk.done("export", "-o", EARLY)
    desk.done("pair")
    desk.report_all()
    desk.done("receipt", "2/1", "-o", "mine.tlog-proof")
    desk.done("finish")
    desk.done("export", "-o", LOG)
    folder = home / "stranger"
    folder.mkdir()
    for name in (LOG, POLICY):
        shutil.copy(home / name, folder)
    for suffix in (CHECKPOINT, HASHES):
        shutil.copy(home / (LOG + suffix), folder)
    desk.folder = folder
    desk.patch.chdir(folder)
    return desk


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def swapped(stranger: Desk) -> tuple[list[bytes], int]:
    """The lines with another winner in the last match, and the number of its line."""
    lines = lines_of(stranger.folder / LOG)
    place = max(n for n, line in enumerate(lines) if WON in line)
    lines[place] = lines[place].replace(WON, LOST)
    return lines, place + 1


def forge(stranger: Desk, name: str = FORGED, kept: Sequence[str] = ()) -> int:
    """Write the swapped lines, with what was signed of the true ones; returns which line it is."""
    lines, seq = swapped(stranger)
    path = stranger.folder / name
    path.write_bytes(b"".join(lines))
    for suffix in kept:
        shutil.copy(beside(stranger.folder / LOG, suffix), beside(path, suffix))
    return seq


def sign_as_thief(stranger: Desk, name: str) -> None:
    """Sign the swapped lines with another key, which their first line names now."""
    lines, _ = swapped(stranger)
    tournament = tournament_of(lines)
    signer = notes.signer(origin_of(tournament), THIEF)
    before = lines[0].partition(b'"log_key":"')[2].partition(b'"')[0]
    lines[0] = lines[0].replace(before, notes.base64_of(signer.key.public).encode())
    path = stranger.folder / name
    events = [line.rstrip(b"\n") for line in lines if not line.startswith(b'{"names"')]
    leaves = rerooted(events, signer)
    path.write_bytes(b"".join(line + b"\n" for line in leaves) + b"".join(lines[len(leaves) :]))
    head = Checkpoint(signer.key.name, len(leaves), Prover(leaves).root(len(leaves)))
    beside(path, CHECKPOINT).write_bytes(notes.signed_note(notes.checkpoint_text(head), signer))
    beside(path, HASHES).write_bytes(b"".join(map(leaf_hash, leaves)))


def one_line(stranger: Desk, *words: str, code: int = 1) -> str:
    """The one line of a refusal, which left nothing behind but a lock, which is an empty file."""
    before = _without_locks(stranger.folder)
    answer = stranger.type(*words)
    assert answer.code == code, (answer.out, answer.err)
    assert answer.out == "" or list(answer.json) == ["problems"]
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.startswith("tourney: ")
    assert _without_locks(stranger.folder) == before
    return answer.err


def _without_locks(folder: Path) -> list[Path]:
    paths = folder.iterdir()
    return sorted(path for path in paths if path.suffix != ".lock" or path.stat().st_size)


def signed_in(stranger: Desk, season: str = SEASON) -> list[tuple[int, str | None, bool]]:
    """What the season says of heads."""
    with opened(stranger.folder / season) as connection:
        told = connection.execute("SELECT signed_size, signed_by, by_policy FROM tournaments")
        return told.fetchall()

"""A shortened history: an older export with its older head, and what shows that it went on."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.formats import Checkpoint
from ledger.proof.heads import CHECKPOINT, HASHES
from tests.support.signed_logs import tournament_of
from tests.support.stranger import EARLY, LOG, POLICY, THIEF, lines_of, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk


def shortened(stranger: Desk) -> Path:
    """An older genuine export, alone in a folder of its own with its head and the policy."""
    home, folder = stranger.folder.parent, stranger.folder / "alone"
    folder.mkdir()
    for name in (EARLY, EARLY + CHECKPOINT, EARLY + HASHES, POLICY):
        shutil.copy(home / name, folder)
    stranger.patch.chdir(folder)
    stranger.patch.setenv("TOURNEY_KEYS", str(folder / "keys"))
    return folder


def test_an_older_export_says_up_to_where_it_goes(stranger: Desk) -> None:
    folder = shortened(stranger)
    size = len(lines_of(folder / EARLY)) - 1
    at = lines_of(folder / EARLY)[size - 1].partition(b'"at":"')[2][:24].decode()
    table = stranger.done("verify", EARLY, "--policy", POLICY, "--json").json
    assert table["head"]["said"].endswith(
        f"signed at line {size} of {size}; the log's own time there, not verified: {at}; "
        "there may be later lines"
    )


@pytest.mark.slow
@pytest.mark.parametrize("policy", [("--policy", POLICY), ()], ids=["policy", "own key"])
@pytest.mark.parametrize("kind", ["head", "receipt", "request", "beside", "kept", "witness"])
def test_a_newer_head_at_hand_refuses_it(
    stranger: Desk, kind: str, policy: tuple[str, ...]
) -> None:
    folder, home = shortened(stranger), stranger.folder.parent
    words = list(policy)
    match kind:
        case "head":
            shutil.copy(home / (LOG + CHECKPOINT), folder / "newer")
        case "receipt":
            shutil.copy(home / "mine.tlog-proof", folder / "newer")
        case "request":
            stranger.patch.setenv("TOURNEY_KEYS", str(home / ".tourney-keys"))
            store = str(home / "tourney.db")
            stranger.done("--store", store, "witness", "ask", "-o", "newer")
            stranger.patch.setenv("TOURNEY_KEYS", str(folder / "keys"))
        case "beside":
            shutil.copy(home / (LOG + CHECKPOINT), folder / (LOG + CHECKPOINT))
        case "kept":
            stranger.patch.setenv("TOURNEY_KEYS", str(home / ".tourney-keys"))
        case "witness":
            witness(stranger, home, folder)
    if kind in {"head", "receipt", "request"}:
        assert stranger.done("verify", EARLY, *words).out
        words += ["--head", "newer"]
    answer = stranger.type("verify", EARLY, *words)
    size = len(lines_of(folder / EARLY)) - 1
    assert answer.code == 1, answer.out
    told = f"it ends at line {size}, but a head of its log was signed at line "
    assert told in answer.err
    assert answer.err.count("\n") == 1


def witness(stranger: Desk, home: Path, folder: Path) -> None:
    """Let the machine of the stranger cosign the newest head."""
    store = str(home / "tourney.db")
    stranger.patch.setenv("TOURNEY_KEYS", str(home / ".tourney-keys"))
    stranger.done("--store", store, "witness", "ask", "-o", "ask.txt")
    stranger.patch.setenv("TOURNEY_KEYS", str(folder / "keys"))
    stranger.done("witness", "init", "league.example/cup")
    stranger.done("witness", "trust", (folder / POLICY).read_text("utf-8").split()[1])
    stranger.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    (folder / "ask.txt").unlink()


def test_a_further_head_of_the_same_history_is_named(stranger: Desk) -> None:
    shutil.copy(stranger.folder.parent / "mine.tlog-proof", stranger.folder / "mine")
    table = stranger.done("verify", LOG, "--head", "mine", "--json").json
    assert "; also matched by heads signed at line " in table["head"]["unchecked"]
    assert table["head"]["unchecked"].endswith(" (mine)")
    table = stranger.done("verify", LOG, "--json").json
    assert "also matched" not in table["head"]["unchecked"]


def test_a_further_head_of_another_history_refuses_it(stranger: Desk) -> None:
    """Who has the key signs two histories: a head that somebody kept shows it."""
    home = stranger.folder.parent
    stranger.patch.chdir(home)
    store, copy = home / "tourney.db", home / "copy"
    heads, older = home / ".tourney-keys/checkpoints", home / "older"
    shutil.copy(store, copy)
    shutil.copytree(heads, older)
    stranger.done("official", "add", "Pat Jones", "--role", "judge")
    stranger.done("checkpoint")
    stranger.done("export", "-o", "ours.jsonl")
    shutil.copy(copy, store)
    for path in [*home.glob("tourney.db-shm"), *home.glob("tourney.db-wal")]:
        path.unlink()
    shutil.rmtree(heads)
    shutil.copytree(older, heads)
    shutil.rmtree(home / ".tourney-keys/seen")
    stranger.done("official", "add", "Mara Low", "--role", "judge")
    stranger.done("export", "-o", "theirs.jsonl")
    for words in ((), ("--head", f"ours.jsonl{CHECKPOINT}")):
        told = stranger.type("verify", "theirs.jsonl", "--policy", POLICY, *words)
        assert told.code == 1
        assert "two histories of one log" in told.err


@pytest.mark.parametrize(
    ("name", "told", "code"),
    [
        ("nowhere", "there is no file nowhere", 3),
        (LOG, "this is not a signed note|is a log", 1),
        (POLICY, "this is not a signed note", 1),
        ("foreign", "foreign is a head of another log, tourney/000", 1),
        ("stranger", "stranger: no valid key of this log signed the head", 1),
    ],
)
def test_a_wrong_further_head_is_named(stranger: Desk, name: str, told: str, code: int) -> None:
    size = 1_000
    own = "tourney/" + tournament_of(lines_of(stranger.folder / LOG))
    for file, origin in (("foreign", "tourney/" + "0" * 32), ("stranger", own)):
        head = notes.checkpoint_text(Checkpoint(origin, size, b"r" * 32))
        signer = notes.signer(origin, THIEF)
        (stranger.folder / file).write_bytes(notes.signed_note(head, signer))
    answer = one_line(stranger, "verify", LOG, "--head", name, code=code)
    assert re.search(told, answer), answer
    stranger.done("verify", LOG)


def test_a_head_beside_that_nobody_of_the_log_signed_says_nothing(stranger: Desk) -> None:
    """Anyone may put a file there: only one that the log's key signed is believed."""
    own = "tourney/" + tournament_of(lines_of(stranger.folder / LOG))
    head = notes.checkpoint_text(Checkpoint(own, 1_000, b"r" * 32))
    note = notes.signed_note(head, notes.signer(own, THIEF))
    (stranger.folder / f"x{CHECKPOINT}").write_bytes(note)
    (stranger.folder / f"y{CHECKPOINT}").write_bytes(b"\x00")
    (stranger.folder / f"z{CHECKPOINT}").mkdir()
    stranger.done("verify", LOG, "--policy", POLICY)
    stranger.done("verify", LOG)

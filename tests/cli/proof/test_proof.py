"""Keys, heads, receipts, witnesses, forks and `verify`, as typed at a desk."""

from __future__ import annotations

import json
import random
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from cli.machine.checkpoints import Checkpoints
from ledger.proof.table import CheckTable
from tests.support.cli_desk import Desk, typed_once

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from cli.machine.checkpoint_file import StoredCheckpoint

LOG = "day.jsonl"


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with one round paired, and the policy that was given out."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    (desk.folder / "policy").write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    return desk


def unchecked(table: dict[str, dict[str, object]]) -> set[str]:
    return {name for name, row in table.items() if row["unchecked"]}


def exported(desk: Desk, name: str = LOG) -> Path:
    desk.done("export", "-o", name)
    return desk.folder / name


def test_heads_are_signed_by_themselves(day: Desk) -> None:
    kept = day.folder / ".tourney-keys/checkpoints"
    (path,) = kept.glob("*.json")
    sizes = [path.read_text("utf-8").partition(',"note"')[0]]
    for words in (("post", "pairings"), ("round", "start"), ("round", "close"), ("finish",)):
        if words[1:] == ("close",):
            day.report_all()
        if words == ("finish",):
            day.done("pair")
            day.report_all()
        day.done(*words)
        sizes.append(path.read_text("utf-8").partition(',"note"')[0])
    assert sizes[0] != sizes[1] == sizes[2] != sizes[3] != sizes[4]


def test_a_desk_without_the_logs_key_says_so(day: Desk) -> None:
    (next(day.folder.glob(".tourney-keys/log-*"))).rename(day.folder / "elsewhere")
    answer = day.done("post", "pairings")
    assert "no head was signed: the log's key is not in .tourney-keys here" in answer.err
    day.refused("checkpoint")
    assert "no signed head was written" in day.done("export", "-o", LOG).err


def test_verify_says_what_is_checked_and_what_is_not(day: Desk) -> None:
    day.report_all()
    day.done("post", "standings")
    exported(day)
    answer = day.done("verify", LOG, "--policy", "policy", "--json").json
    assert list(answer) == list(CheckTable._fields)
    assert unchecked(answer) == {"witnesses", "acts", "draws"}
    day.done("pair")
    day.report_all()
    day.done("finish")
    exported(day)
    answer = day.done("verify", LOG, "--policy", "policy", "--json").json
    assert (answer["draws"]["checked"], answer["draws"]["of"]) == (3, 3)
    assert "line 1 names no witness" in answer["draws"]["unchecked"]
    assert unchecked(answer) == {"witnesses", "acts", "draws"}
    answer = day.done("verify", LOG, "--json").json
    assert unchecked(answer) == {"head", "witnesses", "acts", "draws"}


def test_one_changed_byte_is_named(day: Desk) -> None:
    path = exported(day)
    lines = path.read_bytes().split(b"\n")
    place = next(n for n, line in enumerate(lines, 1) if b'"type":"RoundPaired"' in line)
    path.write_bytes(path.read_bytes().replace(b'"attempt":1', b'"attempt":2', 1))
    answer = day.type("verify", LOG, "--policy", "policy")
    assert answer.code == 1
    assert answer.err == (
        f"tourney: {LOG}: line {place}: it is not the line that was signed at this place: ask "
        "the organizer for the export again\n"
    )


@pytest.mark.slow
def test_an_officials_acts_have_to_be_signed(day: Desk) -> None:
    day.done("key", "new", "Pat Jones")
    (held,) = (each for each in day.done("key", "--json").json if each["holder"] == "o2")
    assert held["here"]
    day.done("rule", "1", "the table was too small", "--as", "Pat Jones")
    line = day.log().splitlines()[-1]
    assert '"type":"RulingMade"' in line
    assert '"sig":"' in line
    exported(day)
    table = day.done("verify", LOG, "--policy", "policy", "--json").json
    assert table["acts"]["checked"] == 1
    (key,) = day.folder.glob(".tourney-keys/o2-*")
    key.chmod(0o644)
    answer = day.refused("rule", "1", "another", "--as", "Pat Jones")
    assert "other users can read the key" in answer.err
    key.rename(day.folder / "gone")
    answer = day.refused("rule", "1", "another", "--as", "Pat Jones")
    assert "a key of Pat Jones, which is not in .tourney-keys here" in answer.err
    day.done("key", "revoke", held["key"], "--reason", "the laptop was stolen")
    told = day.refused("rule", "1", "another", "--as", "Pat Jones").err
    assert "all of these keys are revoked" in told


ACTS = {
    "RulingMade": ("rule", "1", "the table was too small", "--as", "Pat Jones"),
    "ResultCorrected": ("correct", "1/1", "LOSER", "--reason", "wrong line", "--as", "Kim Larsen"),
    "PlayerDisqualified": ("disqualify", "#1", "--reason", "collusion", "--as", "Kim Larsen"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ACTS)
def test_a_signed_act_with_sealed_words(day: Desk, kind: str) -> None:
    """What is signed is the line with its words in cipher: it needs no key of any name or text."""
    day.done("key", "new", ACTS[kind][-1])
    day.report_all()
    words = [word.replace("LOSER", f"#{day.seats(1)[1]}") for word in ACTS[kind]]
    first = day.done("--id", "act", "--json", *words).json
    assert kind in {each["type"] for each in first["events"]}
    log = day.log()
    (line,) = (each for each in log.splitlines() if f'"type":"{kind}"' in each)
    assert '"sig":"' in line
    assert "sealed:2:" in line
    assert day.done("--id", "act", "--json", *words).json == first
    assert day.log() == log
    for names in ((), ("--without-names",)):
        day.done("export", "-o", LOG, *names)
        answer = day.done("verify", LOG, "--policy", "policy", "--json").json
        assert answer["acts"]["checked"] == 1
        assert bool(answer["names"]["unchecked"]) == bool(names)
        day.done("replay", LOG)
    elsewhere = ("--store", f"{day.folder}/elsewhere.db")
    day.done(*elsewhere, "import", LOG)
    assert day.done("export", "--without-names").out == log
    path = day.folder / LOG
    for edited in (line.replace('"sig":"', '"sig":"AA'), line.replace('"sealed:2:', '"sealed:2:A')):
        path.write_text(log.replace(line, edited), "utf-8")
        place = log.splitlines().index(line) + 1
        assert f"line {place}: " in day.type("verify", LOG).err
    signature = line.partition(',"sig":')[2]
    path.write_text(log.replace(f',"sig":{signature}', "}"), "utf-8")
    (day.folder / "alone.jsonl").write_bytes(path.read_bytes())  # without the head beside it
    for verb in ("verify", "replay"):
        assert "it is not the line that was signed at this place" in day.type(verb, LOG).err
        assert "is not signed with a key of o" in day.type(verb, "alone.jsonl").err


def test_a_key_of_a_name_is_changed(day: Desk) -> None:
    path = exported(day)
    *lines, names, _ = path.read_text("utf-8").split("\n")
    keys = json.loads(names)["names"]
    one, other = list(keys)[:2]
    keys[one], keys[other] = keys[other], keys[one]
    end = json.dumps({"names": keys}, separators=(",", ":"))
    path.write_text("\n".join([*lines, end, ""]), "utf-8")
    answer = day.type("verify", LOG, "--policy", "policy")
    assert answer.code == 1
    assert f"line {len(lines) + 1}: the key of {one} (the name of o1) is not" in answer.err
    path.write_text("\n".join([*lines, ""]), "utf-8")
    answer = day.done("verify", LOG, "--policy", "policy", "--json")
    assert "is missing" in answer.json["names"]["unchecked"]


@pytest.mark.slow
def test_a_passphrase_seals_a_key(day: Desk) -> None:
    day.patch.setenv("TOURNEY_PASSPHRASE", "cherry blossom")
    day.done("key", "new", "Pat Jones", "--passphrase")
    day.done("rule", "1", "the table was too small", "--as", "Pat Jones")
    day.patch.setenv("TOURNEY_PASSPHRASE", "wrong")
    answer = day.refused("rule", "1", "another", "--as", "Pat Jones")
    assert "not the passphrase" in answer.err
    day.patch.delenv("TOURNEY_PASSPHRASE")
    answer = day.refused("rule", "1", "another", "--as", "Pat Jones")
    assert "no terminal to ask at" in answer.err


def test_a_key_made_elsewhere_is_registered_by_its_line(day: Desk) -> None:
    line = day.done("key", "new", "--as", "Pat Jones").out.split()
    assert line[:4] == ["tourney", "key", "register", "o2"]
    day.done(*line[1:])
    answer = day.done(*line[1:])
    assert "nothing to change" in answer.err
    line[3] = "o1"
    assert "is already in the log" in day.refused(*line[1:]).err
    assert day.done("key", "export", "o2").out.split()[4] == line[4]


def test_a_head_of_other_lines_lets_nobody_act(day: Desk) -> None:
    """A copy from before, gone on with further than the head that is kept."""
    store, copy = day.folder / "tourney.db", day.folder / "copy"
    shutil.copy(store, copy)
    day.done("official", "add", "Late Judge", "--role", "scorekeeper")
    size = day.done("checkpoint", "--json").json["size"]
    for path in [*day.folder.glob("tourney.db-shm"), *day.folder.glob("tourney.db-wal")]:
        path.unlink()
    shutil.copy(copy, store)
    heads, aside = day.folder / ".tourney-keys/checkpoints", day.folder / "aside"
    heads.rename(aside)
    day.forget_what_was_seen()
    for number in range(6):
        day.done("official", "add", f"Late {number}", "--role", "scorekeeper")
    shutil.rmtree(heads)
    aside.rename(heads)
    told = day.refused("official", "add", "Lee", "--role", "judge").err
    assert re.search(
        rf"event \d+ is not the one that the signed head of {size} events covers", told
    )


@pytest.mark.slow
def test_a_restored_copy_takes_no_act(day: Desk) -> None:
    """Each time with another old copy of the store, while the heads beside it stay."""
    chance = random.Random(5)
    store = day.folder / "tourney.db"
    copies = []
    for number in range(6):
        copy = day.folder / f"copy-{number}"
        shutil.copy(store, copy)
        copies.append(copy)
        day.done("official", "add", f"Late {number}", "--role", "scorekeeper")
    day.done("checkpoint")
    for tried in range(50):
        for path in day.folder.glob("tourney.db-*al"):
            path.unlink()
        for path in day.folder.glob("tourney.db-shm"):
            path.unlink()
        shutil.copy(chance.choice(copies), store)
        answer = day.type("official", "add", f"Name {tried}", "--role", "judge")
        assert answer.code == 1
        assert "the store is older than" in answer.err


@pytest.mark.slow
def test_a_fork_is_gone_on_from_in_the_open(day: Desk) -> None:
    exported(day, "before.jsonl")
    store, copy = day.folder / "tourney.db", day.folder / "copy"
    shutil.copy(store, copy)
    day.done("post", "pairings")
    exported(day, "ours.jsonl")
    day.refused("checkpoint", "--accept-fork", "--reason", "why not")
    shutil.copy(copy, store)
    for path in [*day.folder.glob("tourney.db-shm"), *day.folder.glob("tourney.db-wal")]:
        path.unlink()
    day.refused("post", "pairings")
    day.refused("checkpoint", "--accept-fork", "--reason", "the disk broke", "--as", "pat")
    day.refused("post", "pairings")  # what was refused opens no way past the head
    day.done("checkpoint", "--accept-fork", "--reason", "the disk broke")
    day.done("post", "pairings")
    assert '"type":"ForkAccepted"' in day.log()
    exported(day, "theirs.jsonl")
    (day.folder / "lost").mkdir()
    told = day.refused("verify", "theirs.jsonl", "--policy", "policy").err
    assert "two histories of one log" in told  # by the head of the lost side, which lies there
    for path in day.folder.glob("ours.jsonl*"):
        path.rename(day.folder / "lost" / path.name)
    day.done("verify", "theirs.jsonl", "--policy", "policy")  # the old key signed for the new one
    for path in (day.folder / "lost").iterdir():
        path.rename(day.folder / path.name)
    (day.folder / "policy2").write_text(day.done("checkpoint", "--policy").out, "utf-8")
    day.done("verify", "theirs.jsonl", "--policy", "policy2")
    day.done("diff", "before.jsonl", "ours.jsonl", "--policy", "policy")


def signed_by_turns(folder: Path, label: str, count: int) -> list[tuple[int, int]]:
    """Act and sign at one desk: the size of each head signed, and of that kept afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(folder, patch)
        (kept,) = folder.glob(".tourney-keys/checkpoints/*.json")
        sizes = []
        for number in range(count):
            desk.done("official", "add", f"{label} {number}", "--role", "judge")
            signed = desk.done("checkpoint", "--json").json["size"]
            sizes.append((signed, json.loads(kept.read_bytes())["size"]))
        return sizes


@pytest.mark.slow
def test_a_lower_head_never_takes_the_place_of_a_higher_one(day: Desk) -> None:
    day.done("checkpoint")
    desks, count = ("A", "B", "C"), 8
    with ProcessPoolExecutor(len(desks), get_context("spawn")) as pool:
        each = [pool.submit(signed_by_turns, day.folder, label, count) for label in desks]
        sizes = [pair for done in each for pair in done.result()]
    assert len(sizes) == len(desks) * count
    assert all(kept >= signed for signed, kept in sizes), sizes
    size = day.done("checkpoint", "--json").json["size"]
    assert size == len(day.log().splitlines()) == max(kept for _, kept in sizes)


def test_a_head_of_another_desk_is_no_lost_line(day: Desk) -> None:
    """Another one writes and signs when the log has been read: it is read on."""
    other = Checkpoints.alone

    def later(heads: Checkpoints) -> AbstractContextManager[StoredCheckpoint | None]:
        day.patch.setattr(Checkpoints, "alone", other)
        day.done("official", "add", "Late Judge", "--role", "judge")
        day.done("checkpoint")
        return other(heads)

    day.patch.setattr(Checkpoints, "alone", later)
    path = exported(day)
    assert any(b"OfficialAppointed" in line for line in path.read_bytes().splitlines()[-3:])
    day.done("verify", LOG, "--policy", "policy")


def test_two_histories_are_proof_of_fraud(day: Desk) -> None:
    """The owner of the key signs two histories of one round."""
    store, copy = day.folder / "tourney.db", day.folder / "copy"
    shutil.copy(store, copy)
    day.done("report", "1", f"#{day.seats(1)[0]}")
    exported(day, "ours.jsonl")
    shutil.copy(copy, store)
    for path in [*day.folder.glob("tourney.db-shm"), *day.folder.glob("tourney.db-wal")]:
        path.unlink()
    day.forget_what_was_seen()
    shutil.rmtree(day.folder / ".tourney-keys/checkpoints")
    day.report_all()
    exported(day, "theirs.jsonl")
    words = ("ours.jsonl", "theirs.jsonl", "--policy", "policy", "-o", "fork.json")
    answer = day.type("diff", *words)
    assert answer.code == 1
    assert "two histories signed with one key" in answer.err
    told = day.done("diff", "fork.json", "--policy", "policy")
    assert told.out.startswith("two histories of tourney/")
    unsigned = day.done("diff", *words[:2]).out
    assert re.search(r"event \d+, round 1, table 1: ", unsigned)
    assert re.search(r"they differ from line \d+ \(event \d+, round 1, table 1\); ", answer.err)
    kept = (day.folder / "ours.jsonl.checkpoint").read_text("utf-8")
    (day.folder / "phone.txt").write_text(kept.replace("\n", "\r\n").strip(), "utf-8")
    told = day.done("diff", "phone.txt", "ours.jsonl", "--policy", "policy")
    assert "one history" in told.err
    answer = day.type("diff", "phone.txt", *words[1:])
    assert answer.code == 1
    assert "two histories signed with one key: they differ; the proof is" in answer.err
    assert day.done("diff", "fork.json", "--policy", "policy").out.count("root") == 2
    alone = day.refused("diff", "phone.txt", "phone.txt", "--policy", "policy")
    assert "also name a log of that length" in alone.err
    assert day.type("diff", "ours.jsonl", "--policy", "policy").code == 1


@pytest.mark.slow
def test_a_witness_by_file(day: Desk) -> None:
    line = day.done("witness", "init", "league.example/cup").out
    log = (day.folder / "policy").read_text("utf-8").splitlines()[0]
    (day.folder / "strict").write_text(f"{log}\n{line}quorum {line.split()[1]}\n", "utf-8")
    day.done("witness", "ask", "-o", "ask.txt")
    assert "this witness does not know the log" in day.type("witness", "cosign", "ask.txt").err
    day.done("witness", "trust", log.split()[1])
    day.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    exported(day)
    assert "does not have the quorum" in day.type("verify", LOG, "--policy", "strict").err
    day.done("witness", "add", "answer.txt")
    exported(day)
    answer = day.done("verify", LOG, "--policy", "strict", "--json").json
    assert "league.example/cup" in answer["witnesses"]["said"]
    size = day.done("checkpoint", "--json").json["size"]
    day.report_all()
    day.done("witness", "ask", "-o", "ask.txt")
    assert f"has seen {size} lines" in day.type("witness", "cosign", "ask.txt").err
    day.done("witness", "ask", "--old", str(size), "-o", "ask.txt")
    day.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    day.done("witness", "add", "answer.txt")
    assert str(size) not in day.done("witness").out.split()

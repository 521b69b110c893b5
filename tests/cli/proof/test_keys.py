"""Keys as typed at a desk: whose are meant, which are here, and what a revoked one is worth."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from cli.exits import INTERRUPTED
from cli.verbs.proof import key
from ledger.files.key_files import read_key
from ledger.proof.formats import Invalid
from ledger.proof.notes import vkey
from ledger.proof.policy import parse_policy
from ledger.proof.verifier import verify_file
from tests.support.cli_desk import typed_once
from tests.support.signed_logs import head_of, write_log
from tests.truth import second_verifier

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk


LOG, OLD, NEW = "day.jsonl", "policy", "policy2"


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with a judge."""
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    return desk


def key_of(day: Desk, holder: str) -> str:
    """The one key of a holder, as the list has it."""
    keys = day.done("key", "--json").json
    (found,) = (str(x["key"]) for x in keys if x["holder"] == holder and not x["until"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("length", [0, 1, 7])
def test_a_key_is_not_revoked_by_a_slip(day: Desk, length: int) -> None:
    """By an empty variable, say, which every key begins with."""
    day.done("key", "new", "pat")
    answer = day.refused("key", "revoke", key_of(day, "o2")[:length], "--reason", "lost")
    assert answer.code == 2
    assert "at least the first 8 characters" in answer.err


def test_a_key_is_revoked_by_its_beginning(day: Desk) -> None:
    day.done("key", "new", "pat")
    day.done("key", "revoke", key_of(day, "o2")[:8], "--reason", "lost")
    assert day.refused("key", "revoke", "AAAAAAAA", "--reason", "lost").code == 3


def here(day: Desk) -> dict[str, bool]:
    return {each["holder"]: each["here"] for each in day.done("key", "--json").json}


def test_the_list_says_which_keys_are_here(day: Desk) -> None:
    day.done("key", "new", "pat")
    assert here(day) == {"log": True, "o2": True}
    assert day.done("key").out.count("here") == 2
    (own,) = day.folder.glob(".tourney-keys/log-*")
    moved = own.rename(day.folder / "elsewhere")
    assert here(day) == {"log": False, "o2": True}
    day.done("new", "Another", "--ruleset", "swiss")
    (other,) = day.folder.glob(".tourney-keys/log-*")
    other.rename(own)
    assert day.type("-t", "Library", "key", "--json").json[0]["here"] is False
    moved.replace(own)
    assert day.type("-t", "Library", "key", "--json").json[0]["here"] is True


@pytest.mark.parametrize("words", [("new",), ("new", "pat"), ("export",)], ids=" ".join)
def test_a_player_has_no_key(day: Desk, words: tuple[str, ...]) -> None:
    before = sorted(day.folder.glob(".tourney-keys/*"))
    answer = day.refused("key", *words, "--as", "p1")
    assert (answer.code, "by an official, not by p1" in answer.err) == (1, True)
    assert sorted(day.folder.glob(".tourney-keys/*")) == before


@pytest.fixture
def renewed(day: Desk) -> Desk:
    """The day after its log's key was stolen: exported before and after, with both policies."""
    policy_in(day, OLD)
    exported(day, "before.jsonl")
    shutil.copy(own_key(day), day.folder / "stolen.key")
    answer = day.done("key", "revoke", key_of(day, "log"), "--reason", "the laptop was stolen")
    assert "the published policy stays valid" in answer.err
    day.done("register", "Late Comer")
    exported(day, LOG)
    policy_in(day, NEW)
    return day


def policy_in(day: Desk, name: str) -> None:
    (day.folder / name).write_text(day.done("checkpoint", "--policy").out, "utf-8")


def own_key(day: Desk) -> Path:
    (found,) = day.folder.glob(".tourney-keys/log-*.key")
    return found


def exported(day: Desk, name: str) -> list[bytes]:
    """The lines of an export, without that of the names."""
    day.done("export", "--without-names", "-o", name)
    return (day.folder / name).read_bytes().splitlines()


def test_the_logs_key_gives_way_to_a_new_one(renewed: Desk) -> None:
    types = [line.split(b'"')[9] for line in exported(renewed, LOG)]
    at = types.index(b"KeyRevoked")
    assert types[at - 1 : at + 1] == [b"KeyRegistered", b"KeyRevoked"]
    old, new = renewed.done("key", "--json").json
    assert (old["until"], new["until"]) == (at + 1, None)
    assert (old["here"], new["here"]) == (False, True)
    assert new["key"] in renewed.done("log").out
    renewed.done("verify", LOG, "--policy", NEW)
    assert "but a head of its log was signed" in renewed.refused("verify", "before.jsonl").err
    renewed.patch.setenv("TOURNEY_KEYS", "elsewhere")  # who signed no newer head
    renewed.done("verify", "before.jsonl", "--policy", OLD)


def test_whoever_has_the_old_policy_follows(renewed: Desk) -> None:
    renewed.done("verify", LOG, "--policy", OLD)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [None, -2], ids=["the last", "at the revocation"])
def test_what_a_revoked_key_signs_later_counts_no_more(renewed: Desk, lines: int | None) -> None:
    taken = exported(renewed, LOG)[:lines]
    thief = read_key(renewed.folder / "stolen.key")
    path = renewed.folder / "forged.jsonl"
    note = head_of(taken, thief)
    write_log(path, taken, note)
    both = (renewed.folder / NEW).read_text("utf-8").splitlines()[0]
    trusting = (renewed.folder / OLD).read_text("utf-8")
    for policy in (trusting, f"{both}\n{trusting}"):
        (renewed.folder / "trusting").write_text(policy, "utf-8")
        said = renewed.refused("verify", "forged.jsonl", "--policy", "trusting").err
        assert f"line {len(exported(renewed, LOG)) - 2} revoked the key that signed" in said
        with pytest.raises(Invalid, match="revoked the key that signed"):
            verify_file(path, parse_policy(policy.encode()))
    assert not second_verifier.accepts([line + b"\n" for line in taken], note, vkey(thief.key))


def test_a_head_before_the_revocation_stands(renewed: Desk) -> None:
    thief = read_key(renewed.folder / "stolen.key")
    lines = exported(renewed, LOG)
    at = renewed.done("key", "--json").json[0]["until"]
    note = head_of(lines[: at - 1], thief)
    write_log(renewed.folder / "then.jsonl", lines[: at - 1], note)
    renewed.patch.setenv("TOURNEY_KEYS", "elsewhere")
    (renewed.folder / f"{LOG}.checkpoint").unlink()  # it says, rightly, that the log went on
    renewed.done("verify", "then.jsonl", "--policy", OLD)
    then = [line + b"\n" for line in lines[: at - 1]]
    assert second_verifier.accepts(then, note, vkey(thief.key))


def test_a_revoked_key_signs_no_head_here(renewed: Desk) -> None:
    shutil.copy(renewed.folder / "stolen.key", own_key(renewed))
    assert "key is not in" in renewed.refused("checkpoint").err
    assert "no signed head was written" not in renewed.done("export", "-o", LOG).err
    renewed.done("register", "Later Still")
    assert "no signed head was written" in renewed.done("export", "-o", LOG).err


def test_only_the_organizer_renews_the_logs_key(day: Desk) -> None:
    own = key_of(day, "log")
    answer = day.refused("key", "revoke", own, "--reason", "x", "--as", "pat")
    assert answer.code == 1
    day.done("checkpoint")
    assert key_of(day, "log") == own


def test_a_renewal_that_is_sent_again_is_one(day: Desk) -> None:
    words = ("--id", "renew", "key", "revoke", key_of(day, "log"), "--reason", "lost")
    day.done(*words)
    day.done(*words)
    assert len(day.done("key", "--json").json) == 2


def test_a_renewal_that_was_cut_off_is_finished(day: Desk) -> None:
    """The act has landed, and the key's file is not in its place yet."""
    with day.patch.context() as patch:
        patch.setattr(key, "take_next_log_key", lambda *_: None)
        day.done("key", "revoke", key_of(day, "log"), "--reason", "lost")
    policy_in(day, NEW)
    exported(day, LOG)
    day.done("verify", LOG, "--policy", NEW)
    assert not list(day.folder.glob(".tourney-keys/*.next"))


@pytest.mark.slow
def test_the_logs_key_is_renewed_where_its_machine_is_lost(day: Desk) -> None:
    policy_in(day, OLD)
    day.done("checkpoint")
    day.done("backup", "day.backup")
    for lost in ("tourney.db", ".tourney-keys"):
        (day.folder / lost).rename(day.folder / f"lost{lost}")
    (day.folder / "tourney.db-vault").unlink()
    day.done("restore", "day.backup")
    assert "key is not in" in day.refused("checkpoint").err
    revoke = ("key", "revoke", key_of(day, "log"), "--reason", "the laptop fell into the sea")
    assert "the key before must sign for the next one" in day.refused(*revoke).err
    day.done(*revoke, "--lost")
    policy_in(day, NEW)
    exported(day, LOG)
    day.done("verify", LOG, "--policy", NEW)
    answer = day.type("verify", LOG, "--policy", OLD)
    assert (answer.code, "renewed without the old key" in answer.err) == (1, True)


@pytest.mark.slow
def test_a_witness_goes_on_with_a_renewed_key(day: Desk) -> None:
    policy_in(day, OLD)
    day.done("witness", "init", "league.example/cup")
    day.done("witness", "trust", (day.folder / OLD).read_text("utf-8").split()[1])
    day.done("witness", "ask", "-o", "ask.txt")
    day.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    size = str(day.done("checkpoint", "--json").json["size"])
    day.done("key", "revoke", key_of(day, "log"), "--reason", "stolen")
    policy_in(day, NEW)
    trusting = ("witness", "trust", (day.folder / NEW).read_text("utf-8").split()[1])
    day.done("witness", "ask", "--old", size, "-o", "ask.txt")
    assert "no known key" in day.refused("witness", "cosign", "ask.txt").err
    assert "by another key, and keeps that key" in day.refused(*trusting).err
    day.done(*trusting, "--renewed")
    assert size in day.done("witness").out.split()
    day.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    by_mail = (day.folder / "answer.txt").read_bytes().replace(b"\n", b"\r\n")
    (day.folder / "answer.txt").write_bytes(by_mail)
    day.done("witness", "add", "answer.txt")


# --- the store on a second laptop


SECOND = "second.db"


@typed_once
def night(desk: Desk) -> Desk:
    """A day of four with the results of its first round."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    return desk


def restored(night: Desk, *answers: str, words: tuple[str, ...] = ()) -> Answer:
    """Restore the night on a second laptop, whose person types the answers; "" is no terminal."""
    night.done("backup", "night.backup")
    (night.folder / ".tourney-keys").rename(night.folder / "first-keys")
    (night.folder / ".tourney").unlink()
    line = ("--store", SECOND, *words, "restore", "night.backup")
    with night.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: bool(answers))
        return night.done(*line, stdin="".join(f"{each}\n" for each in answers))


def names_the_renewal(said: str) -> bool:
    return "key renew --lost" in flat(said)


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_first_laptop_lost_for_good_is_answered_with_a_renewed_key(night: Desk) -> None:
    night.done("round", "close")
    (kept,) = (night.folder / ".tourney-keys/checkpoints").glob("*.json")
    root = json.loads(kept.read_text("utf-8"))["note"].split("\n")[2]
    answer = restored(night, "yes")
    assert answer.err.count("permanently lost?") == 1
    assert root in answer.err
    reasons = [
        each["data"]["reason"]
        for each in map(json.loads, night.done("log", "--json").out.splitlines())
        if each["type"] == "KeyRevoked"
    ]
    assert len(reasons) == 1
    night.done("post", "standings")
    assert "no head was signed" not in night.done("pair").err
    assert night.done("checkpoint", "--json").json["size"]
    assert "its signed head" in night.done("export", "-o", "after.jsonl").err


@pytest.mark.parametrize("answers", [("no",), ("",), ("q",)])
def test_a_first_laptop_that_goes_on_leaves_a_copy_that_is_only_read(
    night: Desk, answers: tuple[str, ...]
) -> None:
    assert names_the_renewal(restored(night, *answers).err)
    for line in ("round close", "pair", "register Zoe", "note hello", "undo", "drop 1"):
        answer = night.refused(*line.split())
        assert (answer.code, names_the_renewal(answer.err)) == (1, True), line
    assert names_the_renewal(night.done().out)
    assert names_the_renewal(night.done("--json").json["next"])
    for line in ("standings", "log", "audit", "list"):
        night.done(*line.split())
    renewal = night.done("key", "renew", "--lost", "--reason", "it burnt after all")
    assert not names_the_renewal(renewal.err)
    night.done("round", "close")
    assert not names_the_renewal(night.done().out)


def test_a_question_that_is_left_with_ctrl_c_leaves_a_copy_that_is_only_read(night: Desk) -> None:
    at_the_question: list[tuple[str, bool]] = []

    def leave(question: str) -> bool:
        (mark,) = (night.folder / ".tourney-keys").glob("log-*.read")
        at_the_question.append((question, mark.exists()))
        raise KeyboardInterrupt

    night.done("backup", "night.backup")
    (night.folder / ".tourney-keys").rename(night.folder / "first-keys")
    (night.folder / ".tourney").unlink()
    with night.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        patch.setattr("cli.desk.questions.agreed", leave)
        answer = night.type("--store", SECOND, "restore", "night.backup")
    assert (answer.code, len(at_the_question)) == (INTERRUPTED, 1)
    assert names_the_renewal(answer.err)
    refused = night.refused("round", "close")
    assert (refused.code, names_the_renewal(refused.err)) == (1, True)
    night.done("key", "renew", "--lost", "--reason", "it burnt after all")
    night.done("round", "close")


def test_a_log_whose_key_is_here_or_that_lacked_nothing_keeps_no_mark(night: Desk) -> None:
    night.done("backup", "night.backup")
    night.patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
    night.done("restore", "night.backup")
    night.done("--store", SECOND, "restore", "night.backup")
    assert not list((night.folder / ".tourney-keys").glob("log-*.read"))


def test_a_copy_that_is_only_read_goes_on_once_the_key_is_here(night: Desk) -> None:
    restored(night, "n")
    night.refused("round", "close")
    (key,) = (night.folder / "first-keys").glob("log-*.key")
    shutil.copy2(key, night.folder / ".tourney-keys" / key.name)
    assert "no head was signed" not in night.done("round", "close").err


@pytest.mark.parametrize("words", [(), ("--yes",), ("--json",)])
def test_nothing_is_renewed_or_locked_where_nobody_is_asked(
    night: Desk, words: tuple[str, ...]
) -> None:
    answers = ("yes",) if words else ()
    answer = restored(night, *answers, words=words)
    assert names_the_renewal(answer.err)
    assert "permanently lost?" not in answer.err
    assert "KeyRevoked" not in night.log()
    assert names_the_renewal(night.done("round", "close").err)
    night.done("pair")
    night.report_all()
    assert names_the_renewal(night.done().out)  # next: finish
    assert names_the_renewal(night.done("finish").err)
    assert names_the_renewal(night.done("export", "-o", "copy.jsonl").err)
    assert names_the_renewal(night.refused("checkpoint").err)
    assert names_the_renewal(night.refused("export", "--tiles", "tiles").err)
    night.done("names", "full")
    assert names_the_renewal(night.done("publish", "site").err)


def test_a_restore_with_the_key_at_hand_asks_nothing(night: Desk) -> None:
    night.done("backup", "night.backup")
    night.patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
    assert "permanently lost" not in night.done("--store", SECOND, "restore", "night.backup").err


# --- a log that came without a key

ROUNDS = "round,player1,player2,result\n1,Ann,Bob,win\n1,Cat,Dan,win\n"
FIRST = "key new log"

KEYLESS = (
    "checkpoint",
    "checkpoint --policy",
    "export --tiles tiles",
    "receipt #1 -o one.tlog-proof",
    "witness ask -o ask.txt",
    "key new --receipt own.tlog-proof",
    "key renew --reason gone",
    "key renew --lost --reason gone",
)
"""What needs the log's key, and is refused without one."""


@typed_once
def sheet(desk: Desk) -> Desk:
    """A sheet of rounds, imported without --sign: its log has no key."""
    (desk.folder / "rounds.csv").write_text(ROUNDS, "utf-8")
    desk.done("import", "rounds.csv", "--ruleset", "l5r", "--date", "2026-03-14")
    desk.done("witness", "init", "league.example/cup")
    return desk


def remedy_in(said: str) -> list[str]:
    """The words of the one command that a message names in full."""
    (command,) = re.findall("`tourney ([^`]+)`", flat(said))
    return [str(word) for word in command.split()]


@pytest.mark.parametrize("line", KEYLESS)
def test_the_remedy_of_a_log_without_a_key_works_as_it_is_typed(sheet: Desk, line: str) -> None:
    remedy = remedy_in(sheet.refused(*line.split()).err)
    assert remedy == FIRST.split()
    sheet.done(*remedy)
    if line.startswith("key renew"):
        line = "key renew --reason gone"
    sheet.done(*line.split())


@pytest.mark.parametrize("line", ["finish", "export -o copy.jsonl", "publish site"])
def test_what_goes_on_without_a_head_names_the_remedy(sheet: Desk, line: str) -> None:
    sheet.done("names", "full")
    remedy = remedy_in(sheet.done(*line.split()).err)
    assert remedy == FIRST.split()
    sheet.done(*remedy)
    assert FIRST not in sheet.done("export", "-o", "next.jsonl").err


def test_the_first_key_of_a_log_is_made_once(sheet: Desk) -> None:
    made = sheet.done(*FIRST.split(), "--id", "once", "--json").json["events"]
    assert [event["type"] for event in made] == ["KeyRegistered"]
    log = sheet.log()
    sheet.done(*FIRST.split(), "--id", "once")
    assert sheet.log() == log
    remedy = sheet.refused(*FIRST.split()).err
    assert remedy_in(remedy) == ["key", "renew", "--reason", "TEXT"]
    for option in (["--receipt", "log.tlog-proof"], ["--passphrase"]):
        assert sheet.refused(*FIRST.split(), *option).code == 2

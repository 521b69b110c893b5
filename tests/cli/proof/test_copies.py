"""`diff` of two files: what differs is said in words, whatever the copies are."""

from __future__ import annotations

import json
import re
import shutil
import tracemalloc
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.proof.formats import Checkpoint, Tree
from ledger.proof.notes import base64_of, checkpoint_text, signed_note, signer
from ledger.proof.signatures import origin_of
from projections.copies import compare_copies
from tests.support.cli_desk import desk
from tests.support.sample_days import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

__all__ = ["desk"]

DAYS = FOLDER / "days"
SAMPLE = DAYS / "l5r-24.jsonl"
OURS, THEIRS, POLICY = "ours.jsonl", "theirs.jsonl", "policy"
RESULT = re.compile(rb'"outcomes":\["(win|loss)","(win|loss)"\],"points":\[(10|1),(10|1)\]')


@pytest.fixture
def copies(desk: Desk) -> Desk:
    """Give a stranger the sample with its head and its policy, and no store."""
    shutil.copy(SAMPLE, desk.folder / OURS)
    shutil.copy(f"{SAMPLE}.checkpoint", desk.folder / f"{OURS}.checkpoint")
    shutil.copy(SAMPLE.with_suffix(".policy"), desk.folder / POLICY)
    return desk


def lines(desk: Desk) -> list[bytes]:
    return (desk.folder / OURS).read_bytes().splitlines(keepends=True)


def write(desk: Desk, edited: list[bytes]) -> None:
    (desk.folder / THEIRS).write_bytes(b"".join(edited))


def words(desk: Desk) -> str:
    """Return the words about the two copies; the JSON has the same."""
    shown = desk.done("diff", OURS, THEIRS).out
    given = desk.done("diff", OURS, THEIRS, "--json").json
    assert all(sentence in shown for sentence in given["words"])
    return "\n".join(given["words"])


def seq_of(line: bytes) -> int:
    return int(json.loads(line)["seq"])


def turned(line: bytes) -> bytes:
    """Return a result with the other winner."""
    found = RESULT.search(line)
    assert found is not None
    one, two, high, low = found.groups()
    swapped = b'"outcomes":["%b","%b"],"points":[%b,%b]' % (two, one, low, high)
    return line.replace(found[0], swapped)


def finalists() -> tuple[str, str]:
    """Return the winner and the loser of the sample's final, as its printed standings have them."""
    printed = SAMPLE.with_suffix(".standings.txt").read_text("utf-8").partition("(final)")[2]
    found = re.search(r"\n +1 +\d+\. (.+?)  +\d+\. (.+?)  +(.+)", printed)
    assert found is not None
    first, second, winner = found.groups()
    return (first, second) if winner.strip() == first else (second, first)


def test_a_winner_that_was_changed_is_named_with_its_round_and_table(copies: Desk) -> None:
    edited = lines(copies)
    edited[253] = turned(edited[253])
    write(copies, edited)
    winner, loser = finalists()
    sentence = f"event 254, final, table 1: the winner was changed from {winner} to {loser}"
    assert words(copies).startswith(sentence)
    shown = copies.done("diff", OURS, THEIRS).out
    assert re.search(rf"254 +final, table 1 +winner +{winner}", shown)
    (row,) = copies.done("diff", OURS, THEIRS, "--json").json["differences"]
    assert (row["kind"], row["event"], row["round"], row["table"]) == ("changed", 254, 7, 1)
    assert copies.done("diff", OURS, THEIRS, "--csv").out.count("\n") == 2


def test_equal_logs_say_so(copies: Desk) -> None:
    write(copies, lines(copies))
    assert words(copies).startswith(f"both copies state the same {len(lines(copies))} events")
    assert copies.done("diff", OURS, THEIRS, "--json").json["equal"] is True


def change_a_winner(copy: list[bytes], chance: Random) -> list[str]:
    places = [place for place, line in enumerate(copy) if b'"type":"Result' in line]
    place = chance.choice([each for each in places if RESULT.search(copy[each])])
    copy[place] = turned(copy[place])
    return [rf"event {seq_of(copy[place])}, .*the winner was changed from .+ to .+"]


def swap_two_lines(copy: list[bytes], chance: Random) -> list[str]:
    place = chance.randrange(5, len(copy) - 1)
    first, second = seq_of(copy[place]), seq_of(copy[place + 1])
    copy[place : place + 2] = copy[place : place + 2][::-1]
    return [rf"event ({first}|{second}) differs in order only"]


def drop_a_line(copy: list[bytes], chance: Random) -> list[str]:
    line = copy.pop(chance.randrange(5, len(copy) - 1))
    return [rf"event {seq_of(line)}(, .*)?: .+ is missing from {THEIRS}"]


def insert_a_line(copy: list[bytes], chance: Random) -> list[str]:
    value = {"seq": 9999, "id": "f" * 32, "type": "NoteTaken", "at": "x", "by": "o1", "data": {}}
    copy.insert(chance.randrange(5, len(copy)), json.dumps(value).encode() + b"\n")
    return [rf"event 9999: note taken is only in {THEIRS}"]


def change_a_name(copy: list[bytes], chance: Random) -> list[str]:
    places = [place for place, line in enumerate(copy) if b'"of":"p' in line]
    place = chance.choice(places)
    value = json.loads(copy[place])
    copy[place] = re.sub(rb'"name":"[^"]*"', b'"name":"Zed Zebra"', copy[place])
    name, number = value["data"]["name"], value["data"]["of"][1:]
    return [rf'the name of player {number} was changed from "{name}" to "Zed Zebra"']


def end_lines_with_returns(copy: list[bytes], _: Random) -> list[str]:
    copy[:] = [line.replace(b"\n", b"\r\n") for line in copy]
    return [rf"{len(copy)} lines of {THEIRS} end with CR LF"]


def cut_off(copy: list[bytes], chance: Random) -> list[str]:
    place = chance.randrange(20, len(copy) - 2)
    seq = seq_of(copy[place])
    del copy[place + 1 :]
    copy[place] = copy[place][: chance.randrange(80, len(copy[place]) - 2)]
    return [
        rf"event {seq}.*: the line is cut off in {THEIRS}",
        rf"event(s {seq + 1} to)? 267.* missing from {THEIRS}",
        rf"{THEIRS} does not end with a line feed",
    ]


EDITS: tuple[Callable[[list[bytes], Random], list[str]], ...] = (
    change_a_winner,
    swap_two_lines,
    drop_a_line,
    insert_a_line,
    change_a_name,
    end_lines_with_returns,
    cut_off,
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("seed", range(6))
def test_an_edit_is_named_in_words(copies: Desk, seed: int, edit: Callable[..., list[str]]) -> None:
    edited = lines(copies)
    expected = edit(edited, Random(seed))
    write(copies, edited)
    told = words(copies)
    for pattern in expected:
        assert re.search(pattern, told), (pattern, told)
    assert told.count("\n") <= len(expected) + 3, told  # nothing else is reported


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_several_edits_are_each_named(copies: Desk, seed: int) -> None:
    chance, edited = Random(seed), lines(copies)
    chosen = chance.sample([change_a_name, insert_a_line, change_a_winner, drop_a_line], 3)
    expected = [pattern for edit in chosen for pattern in edit(edited, chance)]
    write(copies, edited)
    told = words(copies)
    assert all(re.search(pattern, told) for pattern in expected), (expected, told)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_hostile_bytes_give_no_traceback(copies: Desk, seed: int) -> None:
    """A copy with bytes flipped, spliced and repeated is compared, or refused in one line."""
    chance, edited = Random(seed), lines(copies)
    for _ in range(chance.randrange(1, 12)):
        place = chance.randrange(len(edited))
        line = bytearray(edited[place])
        for _ in range(chance.randrange(1, 6)):
            line[chance.randrange(len(line))] = chance.randrange(256)
        edited[place] = chance.choice(
            [
                bytes(line),
                edited[place] * 2,
                b"[" * 70_000 + b"\n",
                b'{"seq":1e9,"id":7,"data":' + b'{"a":' * 5_000 + b"\n",
                edited[place].replace(b'"match":', b'"match":' + b"9" * chance.randrange(1, 40)),
                edited[place].replace(b'"result":{', b'"result":{"points":[[]],"x":'),
                b"\xff\xfe\x00\n\n",
                b'{"names":{"x":"\xc3"}}\n',
                chance.randbytes(300),
            ]
        )
    write(copies, edited)
    for typed in ((OURS, THEIRS), (THEIRS, OURS), (THEIRS, OURS, "--json"), (THEIRS, THEIRS)):
        answer = copies.type("diff", *typed)
        shown = answer.out + answer.err
        assert answer.code in {0, 1}, shown
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)


def failed(desk: Desk, *typed: str) -> Answer:
    answer = desk.type("diff", *typed)
    assert answer.code == 1
    assert answer.err.count("\n") == 1
    return answer


def test_the_signed_head_says_which_copy_is_signed(copies: Desk) -> None:
    edited = lines(copies)
    edited[253] = turned(edited[253])
    write(copies, edited)
    told = f"vouches for all 267 events of {OURS}, and does not match {THEIRS}"
    assert told in copies.done("diff", OURS, THEIRS).out
    assert copies.done("diff", OURS, THEIRS, "--json").json["vouched"] == "first"
    answer = failed(copies, OURS, THEIRS, "--policy", POLICY)
    assert f"signed with a key of the policy, {told}" in answer.out
    assert f"there is no {THEIRS}.checkpoint" in answer.err
    shutil.copy(copies.folder / f"{OURS}.checkpoint", copies.folder / f"{THEIRS}.checkpoint")
    answer = failed(copies, OURS, THEIRS, "--policy", POLICY)
    assert f"{THEIRS} does not match the signed head next to it" in answer.err
    answer = copies.type("diff", OURS, THEIRS, "--policy", POLICY, "--json")
    assert (answer.code, answer.json["vouched"]) == (1, "first")
    (copies.folder / f"{THEIRS}.checkpoint").unlink()
    write(copies, lines(copies))
    shutil.copy(copies.folder / f"{OURS}.checkpoint", copies.folder / f"{THEIRS}.checkpoint")
    told = copies.done("diff", OURS, THEIRS, "--policy", POLICY).out
    assert f"of {OURS} and of {THEIRS}" in told


def test_a_sealed_name_is_no_name(copies: Desk) -> None:
    """A forged seal opens with no key: the words say the player's number."""
    (copies.folder / f"{OURS}.checkpoint").unlink()
    edited = [
        re.sub(rb'("of":"p\d+","name":)"[^"]*"', rb'\1"sealed:2:AAAA"', line)
        for line in lines(copies)
    ]
    (copies.folder / OURS).write_bytes(b"".join(edited))
    edited[253] = turned(edited[253])
    write(copies, edited)
    told = words(copies)
    assert re.search(r"changed from player \d+ \(sealed\) to player \d+ \(sealed\)", told), told


KINDS = FOLDER / "kinds"
NAMES = b'{"names":{"abc":"AAAA"}}\n'
SIGNER = signer("tourney/log", b"s" * 32)


def signed_by_its_own(desk: Desk, name: str, log: list[bytes]) -> None:
    """Write a log that names a key in its first line, with a head that this key signed."""
    opening = json.loads(log[0])
    opening["data"]["log_key"] = base64_of(SIGNER.key.public)
    log[0] = json.dumps(opening, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    (desk.folder / name).write_bytes(b"".join(log))
    tree = Tree().add_lines(line.rstrip(b"\n") for line in log)
    owner = SIGNER._replace(key=SIGNER.key._replace(name=origin_of(opening["data"]["tournament"])))
    head = Checkpoint(owner.key.name, tree.size, tree.root())
    note = signed_note(checkpoint_text(head), owner)
    (desk.folder / f"{name}.checkpoint").write_bytes(note)


def registered(number: int, *, holder: int = 0, by: str = "o1") -> bytes:
    """Return a line that registers another key."""
    public = base64_of(number.to_bytes(32, "big"))
    data: dict[str, object] = {"holder": holder, "public": public, "proof": "AAAA"}
    return line_of(number, "KeyRegistered", data, by)


def line_of(number: int, kind: str, data: dict[str, object], by: str = "o1") -> bytes:
    at = "2026-11-14T00:00:00.000Z"
    line = {"seq": number, "id": f"key-{number}", "type": kind, "at": at, "by": by, "data": data}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("kind", ["renewed-keys", "import"])
def test_a_key_that_the_log_named_later_counts(desk: Desk, kind: str) -> None:
    for name in (OURS, THEIRS):
        shutil.copy(KINDS / f"{kind}.jsonl", desk.folder / name)
        shutil.copy(KINDS / f"{kind}.jsonl.checkpoint", desk.folder / f"{name}.checkpoint")
    told = words(desk)
    by = "signed with the key that the copy itself names"
    assert f"the head next to {OURS}, {by}, vouches for all {len(lines(desk))} events" in told
    assert desk.done("diff", OURS, THEIRS, "--json").json["vouched"] == "both"


def test_the_keys_of_a_copy_are_read_whatever_its_lines_say(copies: Desk) -> None:
    """A forged author, or a key that was revoked, takes nothing away from the keys before."""
    log = [*lines(copies), registered(268, holder=7, by="ox")]
    signed_by_its_own(copies, OURS, log)
    write(copies, log)
    by = "signed with the key that the copy itself names"
    assert f"the head next to {OURS}, {by}, vouches for all 268 events" in words(copies)
    data: dict[str, object] = {"public": base64_of(SIGNER.key.public), "reason": "a copy was left"}
    signed_by_its_own(copies, OURS, [*log, line_of(269, "KeyRevoked", data)])
    told = "does not count: line 269 revoked the key that signed the head"
    assert f"the head next to {OURS} {told}" in words(copies)


def test_a_copy_with_a_thousand_keys_needs_a_policy(copies: Desk) -> None:
    keys = [registered(number) for number in range(268, 1_268)]
    signed_by_its_own(copies, OURS, [*lines(copies), *keys])
    write(copies, lines(copies))
    assert "does not count: the copy has over 1,000 lines about keys" in words(copies)


def test_a_table_that_was_opened_again_has_its_players(desk: Desk) -> None:
    """The match of the withdrawn table keeps its number; the seats go to the table of today."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    for name in ("Lou Late", "May Late"):
        desk.done("register", name)
    lou_alone = ("late", "Lou Late", "--bye", "--reason", "there is nobody else")
    desk.done(*lou_alone)
    desk.done("undo")
    desk.done(*lou_alone)
    desk.done("late", "May Late")
    desk.done("round", "start")
    desk.report_all()
    (desk.folder / OURS).write_text(desk.done("export").out, "utf-8")
    edited = lines(desk)
    edited[-2] = turned(edited[-2])  # the last result, above the line of the names
    write(desk, edited)
    told = "round 1, table 3: the winner was changed from Lou Late to May Late"
    assert told in words(desk)


@pytest.mark.parametrize(
    "edited",
    [
        pytest.param(lambda log: [*log[:9], NAMES, *log[9:], NAMES], id="one more"),
        pytest.param(lambda log: [*log[:9], NAMES, *log[9:]], id="another place"),
        pytest.param(lambda log: [*log, NAMES, NAMES], id="twice"),
    ],
)
def test_each_line_of_names_is_compared(
    copies: Desk, edited: Callable[[list[bytes]], list[bytes]]
) -> None:
    (copies.folder / f"{OURS}.checkpoint").unlink()
    log = lines(copies)
    (copies.folder / OURS).write_bytes(b"".join([*log, NAMES]))
    write(copies, edited(log))
    assert words(copies).startswith("the lines with the keys of the names differ\n")
    assert copies.done("diff", OURS, THEIRS, "--json").json["equal"] is False


def test_files_of_two_logs_are_refused(copies: Desk) -> None:
    shutil.copy(DAYS / "ashes-36.jsonl", copies.folder / THEIRS)
    assert "two logs" in failed(copies, OURS, THEIRS).err
    (copies.folder / THEIRS).write_bytes(b"{}\n")
    assert "no line of an event" in failed(copies, OURS, THEIRS).err


def test_moments_and_files_are_not_mixed(copies: Desk) -> None:
    assert copies.type("diff", OURS, "now").code == 2
    assert copies.type("diff", OURS).code == 2
    assert copies.type("diff", OURS, "missing.jsonl").code == 3
    assert copies.type("diff", OURS, OURS, "-o", "fork.json").code == 2


def test_copies_that_part_say_up_to_which_event_they_agree(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2", ruleset="swiss")
    desk.done("pair")
    desk.done("export", "-o", "day.jsonl")
    size = len((desk.folder / "day.jsonl").read_bytes().splitlines()) - 1  # of names is the last
    for name, table in (("a", 1), ("b", 2)):
        desk.done("report", str(table), f"#{desk.seats(table)[0]}")
        desk.done("note", f"desk {name}")
        desk.done("export", "-o", f"{name}.jsonl")
        desk.done("undo", "2", "--yes")
    whole = {name: (desk.folder / f"{name}.jsonl").read_text("utf-8") for name in "ab"}
    begin = "".join(whole["a"].splitlines(keepends=True)[:size])
    rest = "".join(whole["b"].splitlines(keepends=True)[-3:])
    (desk.folder / "b.jsonl").write_text(begin + rest, "utf-8")
    said = desk.done("diff", "a.jsonl", "b.jsonl", "--json").json["words"][0]
    assert said.startswith(f"both copies agree up to event {size}: a.jsonl continues with event")
    assert f"a.jsonl continues with event {size + 1}, result reported (Player" in said
    assert ", and b.jsonl continues with event " in said
    assert said.count(", by Kim Larsen at 20") == 2
    for other in ("day.jsonl", "a.jsonl"):
        told = desk.done("diff", "a.jsonl", other, "--json").json["words"]
        assert not any("agree up to" in sentence for sentence in told)


@pytest.mark.slow
def test_a_hundred_thousand_lines_take_little_memory(tmp_path: Path) -> None:
    line = b'{"seq":%d,"id":"%032x","type":"NoteTaken","at":"t","by":"o1","data":{"text":"%d"}}\n'
    written = [line % (place, place, place) for place in range(1, 100_001)]
    (tmp_path / OURS).write_bytes(b"".join(written))
    written.insert(0, written.pop())
    written[50_000] = written[50_000].replace(b'"text":"', b'"text":"x')
    (tmp_path / THEIRS).write_bytes(b"".join(written))
    tracemalloc.start()
    found = compare_copies((tmp_path / OURS, tmp_path / THEIRS), b"key")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.counts == {"moved": 1, "changed": 1}
    assert peak < 48 << 20

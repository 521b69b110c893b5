"""Files that are not what they are taken for: each is named, what is wrong, and what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk

PLACE = ("--store", "tourney.db")
LOG, OTHER, POLICY, BAD = "day.jsonl", "later.jsonl", "policy", "bad.jsonl"
HEAD = f"{BAD}.checkpoint"


@typed_once
def day(desk: Desk) -> Desk:
    """An export, one that goes on from it, a receipt, the policy, and another log's."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("export", "-o", LOG)
    desk.done("pair")
    desk.done("export", "-o", OTHER)
    desk.done("receipt", "#3", "-o", "a.tlog-proof")
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    place = ("--store", "other.db")
    desk.done(*place, "new", "Other", "--ruleset", "swiss", "--organizer", "Olga")
    other = desk.done(*place, "checkpoint", "--policy").out
    (desk.folder / "others").write_text(other, "utf-8")
    return desk


def zipped(data: bytes) -> bytes:
    """The file in an archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(LOG, data)
    return made.getvalue()


LOGS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "gzip": (gzip.compress, r"compressed \(gzip\): unpack it first"),
    "bzip2": (bz2.compress, "compressed: unpack it first"),
    "zip": (zipped, "a zip archive: unpack it first"),
    "UTF-16": (
        lambda data: data.decode().encode("utf-16"),
        "in UTF-16, .* ask for the original file",
    ),
    "UTF-16, no mark": (lambda data: data.decode().encode("utf-16-le"), "in UTF-16, .* ask for"),
}
LINES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "NaN": (
        lambda data: data.replace(b'"seq":1,', b'"seq":NaN,'),
        r"NaN is not a number \(byte 7\)",
    ),
    "infinity": (
        lambda data: data.replace(b'"seq":1,', b'"seq":-Infinity,'),
        "Infinity is not a number",
    ),
    "zero": (lambda data: data.replace(b'"seq":1,', b'"seq":01,'), "a number begins with a zero"),
    "mark": (lambda data: b"\xef\xbb\xbf" + data, "begins with a byte order mark: an editor"),
    "half": (
        lambda data: data.replace(b'"name":"', b'"name":"\\ud800', 1),
        "half of a surrogate pair, which is not a character",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["import", "replay", "season add", "verify", "diff"])
@pytest.mark.parametrize("kind", LOGS)
def test_what_is_no_text_is_named(day: Desk, verb: str, kind: str) -> None:
    make, told = LOGS[kind]
    (day.folder / BAD).write_bytes(make((day.folder / LOG).read_bytes()))
    more = (LOG, "--policy", POLICY) if verb == "diff" else ()
    answer = day.type(*verb.split(), BAD, *more)
    assert answer.code == 1
    assert re.match(f"tourney: {re.escape(BAD)} is {told}", answer.err), answer.err


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["import", "replay", "season add"])
@pytest.mark.parametrize("kind", LINES)
def test_what_is_no_line_is_named(day: Desk, verb: str, kind: str) -> None:
    make, told = LINES[kind]
    (day.folder / BAD).write_bytes(make((day.folder / LOG).read_bytes()))
    answer = day.type(*verb.split(), BAD)
    assert answer.code == 1
    assert re.match(f"tourney: {re.escape(BAD)}: line 1: .*{told}", answer.err), answer.err
    assert "ask for the file again, as it was exported" in answer.err


HEADS: dict[str, tuple[Callable[[str], str], str]] = {
    "zero": (lambda text: re.sub(r"\n(\d+)\n", r"\n0\1\n", text), "'0[0-9]+', begins with a zero"),
    "number": (lambda text: re.sub(r"\n(\d+)\n", "\nten\n", text), "'ten', is not a number"),
    "root": (
        lambda text: text.replace("=\n\n", "==\n\n"),
        "the root is not the expected base64: was all",
    ),
    "signature": (
        lambda text: text[:-2] + "\n",
        "the signature by tourney/[0-9a-f]+ is not the expected base64",
    ),
    "unsigned": (lambda text: text.partition("\n\n")[0], "a text, an empty line and signatures"),
    "empty": (lambda _: "", "this is not a signed note: it needs a text, an empty line"),
    "four lines": (
        lambda text: text.replace("\n\n", "\nmore\n\n"),
        "three lines: origin, size and root",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", [("verify", BAD), ("diff", BAD, OTHER)], ids=" ".join)
@pytest.mark.parametrize("kind", HEADS)
def test_a_wrong_head_is_named(day: Desk, words: tuple[str, ...], kind: str) -> None:
    make, told = HEADS[kind]
    (day.folder / BAD).write_bytes((day.folder / LOG).read_bytes())
    head = (day.folder / f"{LOG}.checkpoint").read_text("utf-8")
    (day.folder / HEAD).write_text(make(head), "utf-8")
    answer = day.refused(*words, "--policy", POLICY)
    assert re.match(f"tourney: {re.escape(HEAD)}: .*{told}", answer.err), answer.err


@pytest.mark.parametrize("words", [("verify", BAD), ("diff", BAD, OTHER)], ids=" ".join)
def test_a_missing_head_is_named(day: Desk, words: tuple[str, ...]) -> None:
    (day.folder / BAD).write_bytes((day.folder / LOG).read_bytes())
    read = day.type if words[0] == "diff" else day.refused
    answer = read(*words, "--policy", POLICY)
    assert (answer.code, bool(answer.out)) == (1, words[0] == "diff")  # which shows both copies
    told = answer.err
    assert told.count("\n") == 1
    assert f"there is no {HEAD}, which the policy asks for: it comes with the log" in told


POLICIES: dict[str, tuple[Callable[[str], str], str]] = {
    "no quorum": (
        lambda text: text.replace("quorum none", ""),
        "has no quorum; .*: quorum none",
    ),
    "no log": (lambda _: "quorum none\n", "the policy does not pin the key of a log"),
    "cut off": (
        lambda text: text.replace("\nquorum", "x\nquorum"),
        "line 1 .* not the expected base64",
    ),
    "long": (lambda text: text + "#" * 70_000, "at most 65,536 bytes"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("verify", LOG), ("verify", "a.tlog-proof"), ("diff", LOG, OTHER), (*PLACE, "verify")],
    ids=" ".join,
)
@pytest.mark.parametrize("kind", [*POLICIES, "gzip", "another log's"])
def test_a_wrong_policy_is_named(day: Desk, words: tuple[str, ...], kind: str) -> None:
    text = (day.folder / POLICY).read_text("utf-8")
    if kind == "another log's":
        told = "no known key signed this, only tourney/[0-9a-f]+: is the policy for another log"
        read = day.type if words[0] == "diff" else day.refused
        answer = read(*words, "--policy", "others")
        assert (answer.code, bool(answer.out)) == (1, words[0] == "diff")
        assert re.search(f": {told}", answer.err), answer.err
        return
    if kind == "gzip":
        (day.folder / "bad").write_bytes(gzip.compress(text.encode()))
        told = "is compressed"
    else:
        make, told = POLICIES[kind]
        (day.folder / "bad").write_text(make(text), "utf-8")
    answer = day.refused(*words, "--policy", "bad")
    assert re.match(f"tourney: bad:? .*{told}", answer.err), answer.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("verify", "other.db"), "is a SQLite store"),
        (("diff", "other.db", LOG, "--policy", POLICY), "is a SQLite store"),
        (("diff", LOG, "--policy", POLICY), f"{LOG}: this is not a proof of a fork"),
        (("verify", "nowhere"), "there is no file nowhere"),
        (("verify", LOG, "--policy", "nowhere"), "there is no file nowhere"),
        (("key", "register", "o1", "AAAA", "BBBB"), "the key is not the expected base64"),
        (("key", "register", "o1", "A" * 43 + "=", "BBBB"), "the proof behind the key is not|low"),
    ],
)
def test_another_file_is_named(day: Desk, words: tuple[str, ...], told: str) -> None:
    assert re.search(told, day.refused(*words).err)

"""A laptop lost after round 3, and found again: another machine finishes, and the old one can not.

With it went the store, the log's key and the organizer's own. What is left is the newest backup,
the policy that was handed out before, and where there are three officials the keys of two.
"""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.hostile.keys.test_renewals import (
    LOG,
    NEW,
    OLD,
    RENEWED,
    SAVED,
    exported,
    policy_in,
    small,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Answer, Desk

ROUNDS, PLAYED = 4, 3
WHY = "the laptop was stolen"
FOUND = "found"
LINE = re.compile(r"tourney (key .*)\n")
THEIRS = {"o2": "judge-keys", "o3": "marshal-keys"}


@contextmanager
def machine_of(desk: Desk, official: str) -> Iterator[None]:
    """Sit at another official's machine, with their keys, at the same store."""
    with desk.patch.context() as patch:
        patch.setenv("TOURNEY_KEYS", THEIRS[official])
        yield


def line_in(answer: Answer) -> list[str]:
    """The words of the line that somebody else is to type."""
    found = LINE.search(answer.out)
    assert found, answer
    return found[1].split()


def play(desk: Desk) -> None:
    desk.done("pair")
    desk.report_all()


def day_of_three_rounds(desk: Desk, officials: int) -> None:
    """Three rounds closed, everybody signs, the newest backup is written, and the laptop gone."""
    desk.open(8)
    policy_in(desk, OLD)
    if officials > 1:
        desk.done("official", "add", "Pat Jones", "--role", "judge")
        desk.done("official", "add", "Mara Low", "--role", "marshal")
        for official in THEIRS:
            with machine_of(desk, official):
                words = line_in(desk.done("--as", official, "key", "new"))
            desk.done(*words)
    desk.done("key", "new")
    desk.done("start", "custom", "--rounds", str(ROUNDS))
    for _ in range(PLAYED):
        play(desk)
        desk.done("round", "close")
    desk.done("note", "all three rounds were on time")
    desk.done("backup", SAVED)
    found = desk.folder / FOUND
    found.mkdir()
    for path in [*desk.folder.glob("tourney.db*"), desk.folder / ".tourney-keys"]:
        path.rename(found / path.name.lstrip("."))
    (desk.folder / ".tourney").unlink(missing_ok=True)


def go_on(desk: Desk, officials: int) -> None:
    """Restore, put a new key of the log and one of the organizer on record, and finish."""
    desk.done("restore", SAVED)
    assert "which is not in" in desk.refused("note", "hello").err
    if officials == 1:
        renew_alone(desk)
    else:
        renew_with_two(desk)
    policy_in(desk, NEW)
    desk.done("note", "from here on on another laptop")
    play(desk)
    desk.done("finish")
    exported(desk)


def renew_alone(desk: Desk) -> None:
    """Nobody else holds a key: the log's is renewed by its word, and it signs for the other."""
    words = line_in(desk.done("key", "new"))
    assert "must be signed" in desk.refused(*words).err
    lost = ("--lost", "--reason", WHY)
    assert "a key of the log" in desk.refused(*words, *lost).err
    desk.done("key", "renew", *lost)
    desk.done(*words, *lost)


def renew_with_two(desk: Desk) -> None:
    """The judge and the marshal agree to both keys; nobody's word alone is enough."""
    lost = ("--lost", "--reason", WHY)
    agree_to(desk, line_in(desk.done("key", "renew", *lost)))
    desk.done("key", "renew", *lost)
    old = key_in_use(desk, "o1")
    words = line_in(desk.done("key", "new"))
    assert "two leaders who hold a key must agree to it" in desk.refused(*words, *lost).err
    agree_to(desk, ["key", "agree", *words[2:]])
    assert key_in_use(desk, "o1", 1) == words[3]
    desk.done("key", "revoke", old, "--reason", WHY)


def agree_to(desk: Desk, words: list[str]) -> None:
    with machine_of(desk, "o2"):
        words = line_in(desk.done("--as", "o2", *words))
    with machine_of(desk, "o3"):
        desk.done("--as", "o3", *words)


def key_in_use(desk: Desk, holder: str, number: int = 0) -> str:
    keys = desk.done("key", "--json").json
    held = [str(each["key"]) for each in keys if each["holder"] == holder and not each["until"]]
    return held[number]


@contextmanager
def laptop(desk: Desk) -> Iterator[None]:
    """Sit at the laptop that was found again: its folder of keys, its store."""
    with desk.patch.context() as patch:
        patch.setenv("TOURNEY_KEYS", f"{FOUND}/tourney-keys")
        patch.setenv("TOURNEY_STORE", f"{FOUND}/tourney.db")
        yield


@pytest.fixture(params=[1, 3])
def finished(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """The day after: finished on the new machine, by one official or by three."""
    day_of_three_rounds(desk, request.param)
    go_on(desk, request.param)
    return desk


@pytest.mark.slow
def test_it_is_finished_and_verified(finished: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    finished.done("verify", "--policy", NEW)
    for answer in (finished.done("verify", LOG, "--policy", NEW), finished.done("verify", LOG)):
        assert RENEWED in answer.out
    rows = finished.done("verify", LOG, "--policy", NEW, "--json").json
    assert rows["head"]["checked"] == rows["head"]["of"] > 0
    answer = finished.type("verify", LOG, "--policy", OLD)
    assert (answer.code, "UNCHECKED (0 of 1): the policy pins another key" in answer.out) == (1, 1)
    assert "witnesses: UNCHECKED: the policy does not accept the head" in answer.out
    assert RENEWED in answer.err
    code, said = small(LOG, "--policy", OLD, capture=capsys)
    assert (code, RENEWED in said) == (1, True)
    code, said = small(LOG, "--policy", NEW, capture=capsys)
    assert code == 0


@pytest.mark.slow
def test_each_act_since_is_counted_where_one_word_was_enough(desk: Desk) -> None:
    """Of one official: the note, and what put in and took out the keys that were lost."""
    day_of_three_rounds(desk, 1)
    go_on(desk, 1)
    told = desk.done("verify", LOG, "--policy", NEW).out
    assert f"4 are signed with a key that was {RENEWED}" in told
    first, second = desk.done("audit", "--json").json["findings"][:2]
    assert (first["kind"], first["official"]) == ("key-lost", None)
    assert (second["kind"], second["official"]) == ("key-lost", 1)
    assert WHY in first["reason"]
    assert WHY in second["reason"]


@pytest.mark.slow
def test_two_who_agree_are_named_and_not_followed(desk: Desk) -> None:
    """Of three: nothing counts as nobody's, and a policy of the old key alone says who agreed."""
    day_of_three_rounds(desk, 3)
    go_on(desk, 3)
    told = desk.done("verify", LOG, "--policy", NEW).out
    assert "are signed with a key that was" not in told
    assert f"({RENEWED}): two officials agreed to it" in told
    for words in (("replay", LOG), ("--store", "other.db", "import", LOG)):
        answer = desk.type(*words, "--policy", OLD)
        assert (answer.code, "two officials agreed to it" in answer.err) == (1, True), answer
    kinds = [each["kind"] for each in desk.done("audit", "--json").json["findings"]]
    assert "key-lost" not in kinds
    assert kinds.count("key") == kinds.count("further-key") == 1 + 1


@pytest.mark.slow
def test_the_lost_keys_are_of_no_use(finished: Desk) -> None:
    """The folder of keys that was found, at the store as it is now."""
    shutil.copytree(finished.folder / FOUND / "tourney-keys", finished.folder / "thief")
    finished.patch.setenv("TOURNEY_KEYS", "thief")
    before = finished.log()
    for words, told in (
        (("note", "it was mine"), "is not in thief"),
        (("official", "add", "Eve", "--role", "judge"), "is not in thief"),
        (("key", "renew", "--reason", "mine"), "must be signed"),
        (("key", "revoke", key_in_use(finished, "o1"), "--reason", "x"), "is not in"),
        (("checkpoint",), "key is not in thief here"),
        (("receipt", "1/1"), "key is not in thief here"),
    ):
        assert told in finished.type(*words).err, words
    assert finished.log() == before


@pytest.mark.slow
def test_the_laptop_takes_the_new_lines_and_signs_nothing(finished: Desk) -> None:
    with laptop(finished):
        finished.done("import", LOG)
        assert "is not in" in finished.refused("note", "it was mine").err
        assert "key is not in" in finished.refused("checkpoint").err
        assert finished.done("export", "-o", "again.jsonl").err.count("no signed head") == 1


@pytest.mark.slow
def test_a_laptop_that_goes_on_has_another_history(finished: Desk) -> None:
    """It plays round 4 by itself, and signs it: no newer policy and no desk takes that in."""
    with laptop(finished):
        play(finished)
        finished.done("finish")
        finished.done("export", "-o", "theirs.jsonl")
        assert "is not the one that the signed head of" in finished.type("import", LOG).err
    answer = finished.type("verify", "theirs.jsonl", "--policy", NEW)
    assert (answer.code, "no known key signed this" in answer.err) == (1, True), answer
    answer = finished.type("--store", "other.db", "import", "theirs.jsonl")
    assert (answer.code, "the store is older than" in answer.err) == (1, True), answer
    assert not (finished.folder / "other.db").exists()
    for words in (
        ("verify", "theirs.jsonl"),
        ("verify", "theirs.jsonl", "--policy", OLD),
        ("replay", "theirs.jsonl"),
        ("season", "add", "theirs.jsonl"),
    ):
        answer = finished.type(*words)
        says_why = "event " in answer.err or "but a head of its log was signed" in answer.err
        assert (answer.code, says_why) == (1, True), (words, answer)

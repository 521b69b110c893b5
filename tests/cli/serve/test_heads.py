"""Signed heads for phones: the newest, what shows that it goes on, and what phones report."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve import heads
from ledger.proof.formats import (
    ED25519,
    Checkpoint,
    open_note,
    parse_checkpoint,
    parse_key,
    parse_note,
    unbase64,
    verify_consistency,
)
from ledger.proof.notes import checkpoint_text, signed_note, signer
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    return desk


def head(browser: Browser) -> tuple[Any, Checkpoint]:
    value = browser.get("/api/v1/head").json()
    note = parse_note(value["note"].encode())
    open_note(note, [parse_key(each, ED25519) for each in value["keys"]])
    return value, parse_checkpoint(note.text)


def report(browser: Browser, kept: str, seen: str, **more: object) -> Any:  # noqa: ANN401 - an answer
    headers = {"origin": HERE}
    sent = {"kept": kept, "seen": seen, **more}
    return browser.post("/api/v1/forks", json=sent, headers=headers)


def test_each_head_goes_on_from_the_ones_before(day: Desk) -> None:
    with hall_open() as browser:
        seen = [head(browser)[1]]
        for words in (("round", "start"), ("note", "quiet"), ("note", "still")):
            day.done(*words)
            seen.append(head(browser)[1])
        for old in seen:
            path = f"/api/v1/consistency?from={old.size}&to={seen[-1].size}"
            proof = [unbase64(each) for each in browser.get(path).json()["proof"]]
            verify_consistency(old, seen[-1], proof)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("from=0&to=1", 404),
        ("from=2&to=1", 404),
        ("from=1&to=99999", 404),
        ("from=1", 400),
        ("from=a&to=1", 400),
        ("from=1&to=" + "9" * 50, 400),
        ("from=-1&to=2", 400),
    ],
)
def test_sizes_that_are_none(day: Desk, asked: str, status: int) -> None:
    del day
    with hall_open() as browser:
        assert browser.get(f"/api/v1/consistency?{asked}").status_code == status


def test_a_hall_without_the_key_shows_the_head_that_it_has(day: Desk) -> None:
    with hall_open() as browser:
        before = head(browser)[0]
        for each in (day.folder / ".tourney-keys").glob("log-*.key"):
            each.unlink()
        day.done("note", "quiet")
        assert head(browser)[0] == before


def test_the_page_shows_it_as_text_and_as_a_code(day: Desk) -> None:
    del day
    with hall_open() as browser:
        note = head(browser)[0]["note"]
        text = browser.get("/head").text
        assert note.splitlines()[2] in text
        assert "<svg" in text
        assert "diff FILE LOG" in text


def put_back(desk: Desk, copy: Path) -> None:
    """Put store, keys and all that the desk remembers back to an older copy."""
    for each in desk.folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(copy, desk.folder, dirs_exist_ok=True)


def test_another_history_is_kept_and_said_at_the_desk(
    day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The store is put back to an older copy, with all that the desk remembers, and goes on."""
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    day.done("note", "what happened")
    with hall_open() as browser:
        kept = head(browser)[0]["note"]
    put_back(day, copy)
    day.done("note", "what did not happen")
    day.done("note", "and did not, either")
    policy = day.done("checkpoint", "--policy").out
    with hall_open() as browser:
        seen = head(browser)[0]["note"]
        assert report(browser, kept, seen).json() == {"kept": True}
        assert report(browser, kept, seen).json() == {"kept": True}
        assert report(browser, seen, seen).json() == {"kept": False}
        browser.who = official(1)
        assert "a phone saw another history" in browser.get("/desk").text
    (found,) = (day.folder / ".tourney-keys" / "forks").glob("*.json")
    assert "a phone saw another history" in day.done("standings").err
    (day.folder / "policy").write_text(policy)
    assert "two histories" in day.done("diff", str(found), "--policy", "policy").out


def test_a_store_that_lost_events_is_evidence_as_well(
    day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    day.done("note", "one")
    with hall_open() as browser:
        kept = head(browser)[0]["note"]
    put_back(day, copy)
    with hall_open() as browser:
        assert report(browser, kept, head(browser)[0]["note"]).json() == {"kept": True}
    (found,) = (day.folder / ".tourney-keys" / "forks").glob("*.json")
    assert kept in json.loads(found.read_text("utf-8"))["notes"]


@pytest.fixture
def renewed(day: Desk, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a phone kept of a log whose key was renewed twice, before the store was put back."""
    copy = shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")
    for reason in ("sold", "sold again"):
        day.done("key", "renew", "--reason", reason)
    with hall_open() as browser:
        kept: dict[str, Any] = head(browser)[0]
    put_back(day, copy)
    return kept


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_store_put_back_to_before_a_renewed_key(
    day: Desk,
    renewed: dict[str, Any],
    goes_on: bool,  # noqa: FBT001 - a parameter
) -> None:
    """The head that was kept is by a key that the log here does not know."""
    for number in range(6 * goes_on):
        day.done("note", f"what did not happen, {number}")
    with hall_open() as browser:
        seen = head(browser)[0]["note"]
        assert report(browser, renewed["note"], seen).status_code == 400
        more = {"renewed": renewed["renewed"]}
        assert report(browser, renewed["note"], seen, **more).json() == {"kept": True}
        assert report(browser, seen, seen, **more).json() == {"kept": False}
        browser.who = official(1)
        assert "a phone saw another history" in browser.get("/desk").text
    (found,) = (day.folder / ".tourney-keys" / "forks").glob("*.json")
    kept = json.loads(found.read_text("utf-8"))
    assert (renewed["note"] in kept["notes"], kept["renewed"]) == (True, renewed["renewed"])
    for words in (("standings",), ("audit",)):
        said = day.type(*words).err
        assert ("another history" in said, "it has both heads" in said) == (True, True), words


def test_a_renewed_key_of_one_history_is_no_report(day: Desk) -> None:
    with hall_open() as browser:
        before = head(browser)[0]["note"]
    day.done("key", "renew", "--reason", "sold")
    with hall_open() as browser:
        value = head(browser)[0]
        for more in ({}, {"renewed": value["renewed"]}):
            assert report(browser, before, value["note"], **more).json() == {"kept": False}
    assert not (day.folder / ".tourney-keys" / "forks").exists()


def test_a_renewal_that_nobody_signed_for_counts_for_nothing(
    day: Desk, renewed: dict[str, Any]
) -> None:
    one, two = renewed["renewed"]
    twisted = [
        [two],
        [two, one],
        [one | {"root": two["root"]}, two],
        [one | {"root": ""}, two],
        [one | {"line": one["line"].partition(',"sig"')[0] + "}"}, two],
        [one | {"line": one["line"].replace('"holder":0', '"holder":1')}, two],
        [one | {"line": one["line"].replace('"seq":', '"seq":1')}, two],
        [one | {"line": one["line"].replace("KeyRegistered", "KeyRevoked")}, two],
        [one | {"line": one["line"] + " "}, two],
        [{"line": "[" * 3_000, "root": "x"}],
        [{"line": "x" * 5_000, "root": ""}],
        [one] * 21,
        [{"line": 1, "root": 2}],
        "no list",
    ]
    with hall_open() as browser:
        seen = head(browser)[0]["note"]
        for each in twisted:
            answer = report(browser, renewed["note"], seen, renewed=each)
            assert answer.status_code == 400, each
    assert not (day.folder / ".tourney-keys" / "forks").exists()


def test_what_the_logs_key_did_not_sign_is_not_kept(day: Desk) -> None:
    with hall_open() as browser:
        value, real = head(browser)
        text = checkpoint_text(Checkpoint(real.origin, real.size, b"x" * 32))
        forged = signed_note(text, signer(real.origin, b"t" * 32)).decode()
        assert report(browser, forged, value["note"]).status_code == 400
        assert report(browser, "", "").status_code == 400
        assert report(browser, "x" * 200_000, "").status_code in {400, 413}
    assert not (day.folder / ".tourney-keys" / "forks").exists()

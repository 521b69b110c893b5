"""Each state of a phone as a witness, as the table in the hall's README lists them.

The answers are those of the real hall; what they mean is decided by the phone's own script in node.
"""

from __future__ import annotations

import base64
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from cli.machine import noticed
from cli.serve import heads
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import checkpoint_text, signed_note, signer, vkey
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official, player

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

pytestmark = needs_node
OTHER = "tourney/" + "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"))


class Witness:
    """A phone: what it keeps, and what it says of each look."""

    def __init__(self, script: Phone) -> None:
        self.script = script
        self.kept: dict[str, Any] = {}
        self.answers: list[Any] = []

    def look(self, browser: Browser, **changed: object) -> tuple[str, str]:
        """Look at a hall, whose answer may be changed; return the colour and the line."""
        answer = browser.get("/api/v1/witness").json()
        entry = self.kept.get(answer["origin"])
        if entry and isinstance(entry, dict) and "note" in entry:
            size = "".join(entry["note"].split("\n")[1:2]) or "0"
            answer = browser.get(f"/api/v1/witness?kept={size}").json()
        (said,) = self.script.ask("judged", [answer | changed, self.kept])
        if "keep" in said:
            self.kept[answer["origin"]] = said["keep"]
        for name, path in (("fork", "forks"), ("notice", "kept")):
            if name in said:
                sent = browser.post(f"/api/v1/{path}", json=said[name], headers={"origin": HERE})
                self.answers.append((path, sent.status_code, sent.json()))
        return said["kind"], said["text"]

    def look_at(self, desk: Desk) -> tuple[str, str]:
        """Open the desk's hall, and look."""
        del desk
        with hall_open() as browser:
            return self.look(browser)


@pytest.fixture
def phone(script: Phone) -> Witness:
    return Witness(script)


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    return desk


def emptied(desk: Desk) -> None:
    """Make the folder that of a new laptop."""
    for each in desk.folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()


def put_back(desk: Desk, copy: Path) -> None:
    emptied(desk)
    shutil.copytree(copy, desk.folder, dirs_exist_ok=True)


@pytest.fixture
def copy(day: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The desk's whole folder as it was at the beginning."""
    return shutil.copytree(day.folder, tmp_path_factory.mktemp("copies") / "copy")


def forget_keys(desk: Desk) -> None:
    shutil.rmtree(desk.folder / ".tourney-keys")


def forks(desk: Desk) -> list[str]:
    folder = desk.folder / ".tourney-keys" / "forks"
    return sorted(each.name for each in folder.glob("*.json"))


def notices(desk: Desk) -> list[str]:
    """The kinds of what phones noticed; what the desk's page and the terminal say is the same."""
    found: list[str] = desk.done("--json").json["noticed"]
    with hall_open(official(1)) as browser:
        page = browser.get("/desk").text
    words = desk.done().out.replace("\n", " ")
    for each in found:
        assert each[:60] in page
        assert " ".join(each.split()[:6]) in words
    path = next((desk.folder / ".tourney-keys").glob("forks/*.noticed"), None)
    return [each["kind"] for each in json.loads(path.read_text("utf-8"))] if path else []


# --- the log is the same


def test_nothing_is_kept_yet_and_then_it_fits(phone: Witness, day: Desk) -> None:
    kind, text = phone.look_at(day)
    assert (kind, "From now on" in text) == ("about", True)
    assert phone.look_at(day)[1].endswith("are unchanged.")
    day.done("note", "quiet")
    kind, text = phone.look_at(day)
    assert (kind, "are unchanged. 1 event is new" in text) == ("about", True)
    assert (phone.answers, forks(day)) == ([], [])


def test_another_history_is_red_and_both_heads_are_kept(
    phone: Witness, day: Desk, copy: Path
) -> None:
    day.done("note", "what happened")
    phone.look_at(day)
    put_back(day, copy)
    day.done("note", "what did not happen")
    day.done("note", "and did not, either")
    kind, text = phone.look_at(day)
    assert (kind, "a different history" in text) == ("breach", True)
    assert phone.answers == [("forks", 200, {"kept": True})]
    (name,) = forks(day)
    proof = (day.folder / ".tourney-keys" / "forks" / name).read_text("utf-8")
    assert "two-heads" not in proof  # a proof by one key
    assert "a phone saw another history" in day.done("standings").err


def test_fewer_events_are_red_and_both_heads_are_kept(
    phone: Witness, day: Desk, copy: Path
) -> None:
    day.done("note", "one")
    phone.look_at(day)
    put_back(day, copy)
    kind, text = phone.look_at(day)
    assert (kind, "fewer events" in text) == ("breach", True)
    assert phone.answers == [("forks", 200, {"kept": True})]
    assert len(forks(day)) == 1


def test_fewer_events_than_the_servers_own_head_covers_are_red(
    phone: Witness, day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store whose lines are gone, beside a head that covers them."""
    del day
    with hall_open() as browser:
        answer = browser.get("/api/v1/witness").json()
        shorter = heads.SignedHeads._proof_to
        monkeypatch.setattr(
            heads.SignedHeads,
            "_proof_to",
            lambda own, old, new: None if old == answer["size"] else shorter(own, old, new),
        )
        kind, text = phone.look(browser, size=answer["size"] - 1, posting=None)
    assert (kind, "than its own signed head covers" in text) == ("breach", True)


def test_lines_other_than_those_of_the_servers_own_head_are_red(phone: Witness, day: Desk) -> None:
    del day
    with hall_open() as browser:
        root = base64.b64encode(b"x" * 32).decode()
        kind, text = phone.look(browser, root=root, posting=None)
    assert (kind, "are not the" in text) == ("breach", True)


# --- a key that was renewed


def test_a_key_that_was_renewed_is_followed(phone: Witness, day: Desk) -> None:
    phone.look_at(day)
    day.done("key", "renew", "--reason", "sold")
    kind, text = phone.look_at(day)
    assert (kind, "the previous key approved the new one" in text) == ("about", True)
    assert phone.look_at(day)[1].startswith("Log checked")


def test_a_key_that_was_renewed_as_lost_is_not_red(phone: Witness, day: Desk) -> None:
    phone.look_at(day)
    for each in (day.folder / ".tourney-keys").glob("log-*.key"):
        each.unlink()
    day.done("key", "renew", "--lost", "--reason", "the machine burnt")
    kind, text = phone.look_at(day)
    assert (kind, "ask the desk whether the previous key was lost" in text) == ("notable", True)
    assert forks(day) == []


# --- a server that cannot sign


def test_a_server_without_the_key_and_without_a_head(phone: Witness, day: Desk) -> None:
    phone.look_at(day)
    forget_keys(day)
    for _ in range(2):
        kind, text = phone.look_at(day)
        assert (kind, "This server cannot sign for Library Night." in text) == ("about", True)
        assert "continue the" in text
    assert phone.answers[0] == ("kept", 200, {"kept": True})
    assert (notices(day), forks(day)) == (["same"], [])


def test_a_phone_that_keeps_nothing_and_a_server_without_a_head(phone: Witness, day: Desk) -> None:
    forget_keys(day)
    kind, text = phone.look_at(day)
    assert (kind, "no signed head that this browser could keep" in text) == ("about", True)
    assert (phone.kept, phone.answers, notices(day)) == ({}, [], [])


def test_a_server_without_the_key_that_goes_on(phone: Witness, day: Desk) -> None:
    """The head is there and covers fewer events than there are: the line says how many."""
    phone.look_at(day)
    for each in (day.folder / ".tourney-keys").glob("log-*.key"):
        each.unlink()
    day.done("note", "quiet")
    kind, text = phone.look_at(day)
    assert (kind, "cannot sign for Library Night: its head covers" in text) == ("about", True)
    assert (notices(day), forks(day)) == (["same"], [])


def test_a_restore_of_everything_on_a_new_laptop(phone: Witness, day: Desk) -> None:
    day.done("backup", "night.backup")
    phone.look_at(day)
    data = (day.folder / "night.backup").read_bytes()
    emptied(day)
    (day.folder / "night.backup").write_bytes(data)
    day.done("restore", "night.backup")
    kind, _ = phone.look_at(day)
    assert (kind, forks(day)) == ("about", [])
    day.done("note", "and on it goes")
    kind, text = phone.look_at(day)
    assert (kind, "cannot sign" in text, forks(day)) == ("about", True, [])
    day.done("key", "renew", "--lost", "--reason", "the laptop burnt")
    kind, text = phone.look_at(day)
    assert (kind, "ask the desk" in text, forks(day)) == ("notable", True, [])


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_restore_of_an_older_backup_on_a_new_laptop(
    phone: Witness,
    day: Desk,
    goes_on: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Events are lost, and the server has no voice of its own: a line to ask about, and no red."""
    day.done("backup", "night.backup")
    data = (day.folder / "night.backup").read_bytes()
    day.done("note", "what the backup lacks")
    phone.look_at(day)
    emptied(day)
    (day.folder / "night.backup").write_bytes(data)
    day.done("restore", "night.backup")
    for number in range(3 * goes_on):
        day.done("note", f"on the new laptop, {number}")
    kind, text = phone.look_at(day)
    assert (kind, "Ask the desk whether a backup was restored" in text) == ("notable", True)
    assert "do not continue" in text if goes_on else "are fewer than" in text
    assert (notices(day), forks(day)) == (["other" if goes_on else "fewer"], [])


# --- another event at the address


def test_a_second_event_at_the_address(phone: Witness, day: Desk) -> None:
    with hall_open(player(1)) as browser:
        phone.look(browser)
    (first,) = phone.kept
    day.done("new", "Sunday Cup", "--ruleset", "l5r")
    with hall_open() as browser:
        kind, text = phone.look(browser)
    assert (kind, text.startswith("This is Sunday Cup.")) == ("about", True)
    assert "This browser also keeps the head of Library Night" in text
    assert phone.answers == [("kept", 200, {"kept": True})]
    assert (notices(day), forks(day), len(phone.kept)) == (["another log"], [], 2)
    assert phone.look_at(day)[1].startswith("This is Sunday Cup. Log checked")
    day.done("use", "Library Night")
    kind, text = phone.look_at(day)
    assert (kind, text.startswith("This is Library Night. Log checked")) == ("about", True)
    assert first in phone.kept


# --- storage


@pytest.mark.parametrize(
    "damaged", [None, 5, {}, {"note": "x", "keys": 1}, {"note": "", "keys": []}]
)
def test_what_was_kept_is_damaged(phone: Witness, day: Desk, damaged: object) -> None:
    phone.look_at(day)
    (origin,) = phone.kept
    phone.kept[origin] = damaged
    kind, text = phone.look_at(day)
    is_damaged = damaged is not None
    assert kind == ("notable" if is_damaged else "about")
    assert ("is damaged" in text, "From now on" in text) == (is_damaged, True)
    assert phone.look_at(day)[0] == "about"


# --- answers that are none


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "tourney/x"},
        {"origin": 5},
        {"event": None},
        {"size": -1},
        {"size": "many"},
        {"head": {"note": 1}},
        {"head": {"note": "x", "keys": [], "renewed": [1]}},
        {"posting": {"round": 1}},
        {"root": "!"},
    ],
)
def test_an_answer_of_another_form_is_not_red(
    phone: Witness, day: Desk, changed: dict[str, Any]
) -> None:
    del day
    with hall_open() as browser:
        kind, text = phone.look(browser, **changed)
    assert (kind, "cannot be checked" in text, phone.kept) == ("notable", True, {})


def test_a_posting_that_the_events_do_not_go_on_from(phone: Witness, day: Desk) -> None:
    del day
    with hall_open() as browser:
        posting = browser.get("/api/v1/witness").json()["posting"]
        posting["root"] = base64.b64encode(b"x" * 32).decode()
        kind, text = phone.look(browser, posting=posting)
    assert (kind, "cannot be checked" in text) == ("notable", True)


def test_a_head_that_the_shown_key_did_not_sign_is_red(phone: Witness, day: Desk) -> None:
    del day
    with hall_open() as browser:
        value = browser.get("/api/v1/witness").json()
        text = checkpoint_text(Checkpoint(value["origin"], value["size"], b"r" * 32))
        note = signed_note(text, signer(value["origin"], b"t" * 32)).decode()
        kind, said = phone.look(browser, head=value["head"] | {"note": note})
    assert (kind, "is not valid" in said, phone.kept) == ("breach", True, {})


# --- what the desk takes of it


def test_what_strangers_send_fills_no_disk_and_writes_no_text(day: Desk) -> None:
    """A head of this log needs its key's signature; of other logs 20 numbers are kept, no text."""
    with hall_open() as browser:
        value = browser.get("/api/v1/witness").json()

        def send(note: str) -> tuple[int, Any]:
            sent = browser.post("/api/v1/kept", json={"kept": note}, headers={"origin": HERE})
            return sent.status_code, sent.json().get("kept")

        own = value["head"]["note"]
        assert send(own) == (200, False)  # this server signs
        forget_keys(day)
        assert send(own) == (200, True)
        thief = signer(value["origin"], b"t" * 32)
        forged = signed_note(checkpoint_text(Checkpoint(value["origin"], 99, b"x" * 32)), thief)
        for wrong in (forged.decode(), "", "x" * 70_000, "<b>\n1\nAAAA\n\n"):
            assert send(wrong)[0] in {400, 413}, wrong[:20]
        kept = []
        for number in range(60):
            made = signer(f"tourney/{number:032x}", b"k" * 32)
            text = checkpoint_text(Checkpoint(made.key.name, number + 1, b"x" * 32))
            kept.append(send(signed_note(text, made).decode()))
        assert kept == [(200, True)] * 17 + [(200, False)] * 43
        named = signer("tourney/Come-to-the-bar", b"k" * 32)
        text = checkpoint_text(Checkpoint(named.key.name, 5, b"x" * 32))
        assert send(signed_note(text, named).decode())[0] == 400
        assert vkey(made.key)
    (path,) = (day.folder / ".tourney-keys" / "forks").glob("*.noticed")
    assert path.stat().st_size < noticed.BYTES_MAX
    assert notices(day) == ["same", *["another log"] * 17]


def test_made_up_heads_of_other_logs_leave_room_for_those_of_this_one(day: Desk) -> None:
    """A stranger who has filled the list hides no phone that saw more than a backup has."""
    with hall_open() as browser:
        own = browser.get("/api/v1/witness").json()["head"]["note"]
        forget_keys(day)
        for number in range(60):
            made = signer(f"tourney/{number:032x}", b"k" * 32)
            text = checkpoint_text(Checkpoint(made.key.name, number + 1, b"x" * 32))
            note = signed_note(text, made).decode()
            browser.post("/api/v1/kept", json={"kept": note}, headers={"origin": HERE})
        sent = browser.post("/api/v1/kept", json={"kept": own}, headers={"origin": HERE})
        assert sent.json() == {"kept": True}
    assert notices(day).count("same") == 1


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b"[1]", b"\xff", b"[" * 5_000, b"[" + b" " * 70_000]
)
def test_a_damaged_file_of_notices_is_replaced(phone: Witness, day: Desk, damaged: bytes) -> None:
    phone.look_at(day)
    forget_keys(day)
    phone.look_at(day)
    (path,) = (day.folder / ".tourney-keys" / "forks").glob("*.noticed")
    path.write_bytes(damaged)
    assert day.done("--json").json["noticed"] == []
    phone.look_at(day)
    assert notices(day) == ["same"]

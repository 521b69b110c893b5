"""Two laptops as processes: the first is killed, the second goes on, and the first comes back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, chdir, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from cli.serve.heads import SIGN_SECONDS
from ledger.books.links import proof_of
from ledger.store import open_store
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.support.hall import first_round
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow
SECONDS = 20.0
"""How long anything is waited for."""

BEHIND_SECONDS = 5.0
"""How far a follower may be behind."""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a verb in a folder."""
    line = [sys.executable, "-m", "cli", *words]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(line, cwd=folder, stdout=quiet, stderr=quiet, text=True)


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Kill a process at the end, if it still runs."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_hall(address: str) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            if httpx2.get(f"{address}/api/v1/witness", timeout=5).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError("the hall does not answer")


def lines_in(folder: Path, stream: str) -> list[bytes]:
    if not (folder / "tourney.db").exists():
        return []
    store = open_store(str(folder / "tourney.db"))
    try:
        return list(store.lines(stream))
    finally:
        store.close()


def wait_until_followed(one: Path, two: Path, stream: str, seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (lines := lines_in(one, stream)) and lines_in(two, stream) == lines:
            return
        time.sleep(0.05)
    raise AssertionError("the follower is behind")


class RoomPhone:
    """A player's phone: signs in once, sends acts with ids, and is a witness of the log."""

    def __init__(self, address: str, secret: str, script: Phone) -> None:
        self.client = httpx2.Client(base_url=address, headers={"Origin": address}, timeout=10)
        nonce = self.client.get("/api/v1/nonce").json()["nonce"]
        digest = sha256(secret.encode()).hexdigest()
        proof = {"digest": digest, "nonce": nonce, "proof": proof_of(secret, nonce)}
        assert self.client.post("/in", data=proof).status_code == 200
        self.script, self.kept = script, dict[str, Any]()

    def act(self, own: str, command: dict[str, Any], address: str = "") -> Any:  # noqa: ANN401
        """Send an act, to the address of before or another one."""
        headers = {"Origin": address} if address else {}
        path = f"{address}/api/v1/acts"
        return self.client.post(path, json={"id": own, "command": command}, headers=headers)

    def look(self, address: str = "") -> tuple[str, str]:
        """Be a witness once, as an open page is every half minute."""
        entry = next(iter(self.kept.values()), None)
        size = entry["note"].split("\n")[1] if entry else "0"
        answer = self.client.get(f"{address}/api/v1/witness?kept={size}").json()
        (said,) = self.script.ask("judged", [answer, self.kept])
        if "keep" in said:
            self.kept[answer["origin"]] = said["keep"]
        if "carry" in said:
            told = self.client.post(
                f"{address}/api/v1/taken-over", json=said["carry"], headers={"Origin": address}
            )
            assert told.status_code == 200
        return said["kind"], said["text"]


def won(match: int) -> dict[str, Any]:
    return {"type": "Report", "match": match, "result": {"outcome": "win", "points": [10, 1]}}


class Room:
    """The folders of two laptops, the players' phones, and where the halls are."""

    def __init__(self, desk: Desk, two: Path, script: Phone) -> None:
        self.desk, self.one, self.two, self.script = desk, desk.folder, two, script
        self.address = f"http://127.0.0.1:{free_port()}"
        self.elsewhere = f"http://127.0.0.1:{free_port()}"
        whose = [str(desk.seats(table)[0]) for table in (1, 2)]
        links = desk.done("links", "print", *whose, "o1", "--json").json["links"]
        *self.players, self.organizer = (each["address"].partition("#")[2] for each in links)
        self.stream, self.phones = "", list[RoomPhone]()

    def serving(self, folder: Path, address: str) -> subprocess.Popen[str]:
        """Start a hall, and wait until it answers."""
        port = address.rpartition(":")[2]
        process = start(folder, "serve", "--port", port, "--no-browser")
        wait_for_hall(address)
        return process

    def is_played_and_followed(self) -> None:
        """One result reaches the follower, another one the first laptop alone."""
        first, second = self.phones
        address = f"{self.address}/e/{self.stream[:8]}/in#{self.organizer}"
        with ended(start(self.two, "follow", address)) as follower:
            wait_until_followed(self.one, self.two, self.stream)
            assert first.look()[0] == "about"
            assert first.act("report-one", won(1)).status_code == 200
            wait_until_followed(self.one, self.two, self.stream, BEHIND_SECONDS)
            follower.send_signal(signal.SIGINT)
            assert follower.wait(SECONDS) == 0
        assert second.act("report-two", won(2)).status_code == 200, "nobody follows it"
        time.sleep(SIGN_SECONDS + 0.2)
        assert second.look()[0] == "about"

    def goes_on(self) -> None:
        """Phones believe the second laptop, and what it lacks is entered again."""
        first, second = self.phones
        kind, text = second.look()
        assert kind == "notable"
        assert "took over" in text
        assert first.look()[0] == "notable"
        assert second.act("report-two", won(2)).status_code == 200, "the same act, sent again"
        assert first.act("report-one", won(1)).json()["events"], "the first answer once more"

    def tells_the_first(self) -> None:
        """A phone that meets the first laptop again tells it, and that one stops."""
        before, second = lines_in(self.one, self.stream), self.phones[1]
        kind, text = second.look(self.elsewhere)
        assert kind == "notable"
        assert "took over" in text
        command = {"type": "DropPlayer", "player": 1}
        assert second.act("drop-one", command, self.elsewhere).status_code != 200
        assert "took over" in httpx2.get(f"{self.elsewhere}/pairings").text
        assert lines_in(self.one, self.stream) == before


@needs_node
def test_a_second_laptop_goes_on_and_the_first_is_told(desk: Desk, tmp_path: Path) -> None:
    first_round(desk)
    for name in ("two", "script"):
        (tmp_path / name).mkdir()
    room = Room(desk, tmp_path / "two", Phone(tmp_path / "script"))
    with ExitStack() as stack:
        hall = stack.enter_context(ended(room.serving(room.one, room.address)))
        room.stream = httpx2.get(f"{room.address}/api/v1/nonce").json()["log"]
        room.phones = [RoomPhone(room.address, each, room.script) for each in room.players]
        for phone in room.phones:
            stack.callback(phone.client.close)
        room.is_played_and_followed()
        hall.send_signal(signal.SIGKILL)
        hall.wait()
        assert len(lines_in(room.one, room.stream)) == len(lines_in(room.two, room.stream)) + 1
        with chdir(room.two):
            events = desk.done("take-over", "--json").json["events"]
        assert [each["type"] for each in events] == ["DeskTakenOver"]
        stack.enter_context(ended(room.serving(room.two, room.address)))
        room.goes_on()
        stack.enter_context(ended(room.serving(room.one, room.elsewhere)))
        room.tells_the_first()
    with chdir(room.two):
        types = [json.loads(line)["type"] for line in lines_in(room.two, room.stream)]
        assert types.count("ResultReported") == 2
        desk.done("verify")


@needs_node
def test_a_first_laptop_that_is_still_there_is_told_at_once(desk: Desk, tmp_path: Path) -> None:
    first_round(desk)
    for name in ("two", "script"):
        (tmp_path / name).mkdir()
    room = Room(desk, tmp_path / "two", Phone(tmp_path / "script"))
    with ended(room.serving(room.one, room.address)), chdir(room.two):
        followed = desk.done("follow", f"{room.address}/in#{room.organizer}", "--once", "--json")
        assert followed.json["secrets"] is True
        assert "still answers" in desk.done("take-over").err
        assert "still answers" in desk.done("take-over").err, "typed once more"
        assert "took over" in httpx2.get(f"{room.address}/pairings").text
        with chdir(room.one):
            answer = desk.type("report", "1", f"#{desk.seats(1)[0]}", "10-1")
            assert "took over" in answer.err
            assert "took over" in desk.type().err + desk.type().out, "bare tourney says so"

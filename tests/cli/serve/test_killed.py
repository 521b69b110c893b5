"""The server is killed while phones send: no answered act is lost, and none lands twice.

Each phone does as its outbox: an act is kept before it is sent, and sent with the same id until it
is answered. `TOURNEY_KILLS=200` kills it so often.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from hashlib import sha256
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from ledger.books.links import proof_of
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("TOURNEY_KILLS", "4"))
JUDGES, PLAYERS = 5, 24
FIRST_SECONDS, LAST_SECONDS = 0.02, 0.5
"""When the server is killed, after it answers; acts are being written then."""


class Killed:
    """A server that comes back at the same address."""

    def __init__(self, desk: Desk, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/"
        self.words = [sys.executable, "-m", "cli", "serve", "--port", str(port)]
        self.folder, self.running = desk.folder, self._start(desk)
        self.desk = desk

    def _start(self, desk: Desk) -> subprocess.Popen[str]:
        running = subprocess.Popen(self.words, cwd=desk.folder, stdout=subprocess.PIPE, text=True)
        assert running.stdout is not None
        assert any(line.startswith("The tournament is at ") for line in running.stdout)
        while True:  # the port is taken before the event is read
            try:
                httpx2.get(f"{self.address}static/hall.svg", timeout=5)
            except httpx2.TransportError:
                assert running.poll() is None, "it does not come back"
                time.sleep(0.02)
            else:
                return running

    def kill(self) -> None:
        """Kill it as a power cut would, without a word."""
        self.running.kill()
        self.running.wait()
        if self.running.stdout:
            self.running.stdout.close()

    def come_back(self) -> None:
        """Start it again on what it left."""
        self.running = self._start(self.desk)


class Phone(Thread):
    """Keeps acts, and sends each until it is answered."""

    def __init__(self, address: str, acts: Iterator[tuple[str, str, Any]], ended: Event) -> None:
        super().__init__(daemon=True)
        self.base, _, self.secret = address.partition("/in#")
        self.acts, self.ended = acts, ended
        self.answered: dict[str, list[int]] = {}
        self.sent = 0
        self.refused: list[str] = []

    def run(self) -> None:
        """Sign in, and send what there is."""
        headers = {"origin": self.base.partition("/e/")[0]}
        with httpx2.Client(base_url=self.base, headers=headers, timeout=5) as phone:
            self._sign_in(phone)
            for own, path, body in self.acts:
                if self.ended.is_set():
                    return
                answer = self._until(phone, path, body)
                if answer.status_code not in {200, 303}:
                    self.refused.append(answer.text)
                events = answer.json()["events"] if answer.status_code == 200 else []
                self.answered[own] = [each["seq"] for each in events]

    def _sign_in(self, phone: httpx2.Client) -> None:
        """Prove the secret, with a new nonce at each try: another server takes none of before."""
        while True:
            self.sent += 1
            try:
                nonce = phone.get("/api/v1/nonce").json()["nonce"]
                digest = sha256(self.secret.encode()).hexdigest()
                shown = {"digest": digest, "nonce": nonce, "proof": proof_of(self.secret, nonce)}
                if phone.post("/in", data=shown).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.02)

    def _until(self, phone: httpx2.Client, path: str, body: dict[str, Any]) -> httpx2.Response:
        while True:
            self.sent += 1
            try:
                answer = phone.post(path, **body)
            except httpx2.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code < 500:
                return answer


def notes(who: int) -> Iterator[tuple[str, str, Any]]:
    """What a judge notes, as long as anybody listens."""
    for count in range(1_000_000):
        own = f"judge{who}-{count:06}"
        command = {"type": "TakeNote", "text": f"{who} saw {count}"}
        yield own, "/api/v1/acts", {"json": {"id": own, "command": command}}


def report(match: int) -> Iterator[tuple[str, str, Any]]:
    """What a player reports, once."""
    own = f"report-{match:06}"
    fields = {"id": own, "match": str(match), "outcome": "win", "to": "/"}
    yield own, "/do/report", {"data": fields}


@pytest.fixture
def day(desk: Desk) -> Desk:
    desk.open(PLAYERS, "custom", "--rounds", "2")
    for number in range(JUDGES):
        desk.done("official", "add", f"Judge {number}", "--role", "judge")
    desk.done("pair")
    desk.done("round", "start")
    return desk


def test_no_answered_act_is_lost_and_none_lands_twice(day: Desk) -> None:
    port, ended, chance = free_port(), Event(), random.Random(KILLS)
    here = ("--address", f"http://127.0.0.1:{port}")
    found = day.done("links", "print", *here, "--json").json["links"]
    judges = range(2, JUDGES + 2)
    for number in judges:
        found += day.done("links", "new", f"o{number}", *here, "--json").json["links"]
    links = {each["of"]: each["address"] for each in found}
    served = Killed(day, port)
    phones = [Phone(links[f"o{number}"], notes(number), ended) for number in judges]
    for phone in phones:
        phone.start()
    tables = day.done("pairings", "--json").json
    for count in range(KILLS):
        time.sleep(chance.uniform(FIRST_SECONDS, LAST_SECONDS))
        if count * len(tables) // KILLS < len(tables) and tables:
            game = tables.pop()
            phones.append(Phone(links[f"p{game['players'][0]}"], report(game["match"]), ended))
            phones[-1].start()
        served.kill()
        served.come_back()
    ended.set()
    for phone in phones:
        phone.join(30)
        assert not phone.is_alive()
    served.kill()
    hold(day, phones)


def hold(day: Desk, phones: list[Phone]) -> None:
    """Hold the log to what the phones were answered: each act is there, once, where it was said."""
    lines = [json.loads(line) for line in day.log().splitlines()]
    places: dict[str, list[int]] = {}
    for line in lines:
        if line["id"].startswith("w"):
            places.setdefault(line["id"].partition("-")[2], []).append(line["seq"])
    answered = {own: seqs for phone in phones for own, seqs in phone.answered.items()}
    assert [phone.refused for phone in phones if phone.refused] == []
    assert [own for own in answered if own not in places] == []
    assert [(own, seqs) for own, seqs in places.items() if len(seqs) > 1] == []
    assert {own: seqs for own, seqs in answered.items() if seqs and seqs != places[own]} == {}
    assert len(answered) > KILLS
    assert sum(phone.sent for phone in phones) > len(answered)  # some were sent again
    day.done("verify")

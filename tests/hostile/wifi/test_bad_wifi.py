"""Bad Wi-Fi: requests and answers that are lost, late, doubled or damaged; each act lands once.

A phone does as its outbox: an act is kept before it is sent, and sent with the same id and body
until an answer settles it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")


from cli.serve.app import app_of
from cli.serve.door import pace
from cli.verbs.day.report import line_reader
from ledger.errors import StoreUnavailable
from ledger.store.sqlite import SQLiteStore
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, WIFI, Phone, opened, secret_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

FORM = "application/x-www-form-urlencoded"
ACT = {"id": "the-one-report", "match": "1", "outcome": "win", "to": "/me"}
SETTLED = (200, 303)
CASES: tuple[tuple[str, ...], ...] = (
    ("sent",),
    ("lost", "sent"),
    ("lost", "lost", "lost", "sent"),
    ("answer lost", "sent"),
    ("answer lost", "answer lost", "answer lost", "sent"),
    ("sent twice at once",),
    ("sent", "late copy", "late copy"),
    ("answer lost", "late copy", "sent"),
    ("cut off", "sent"),
    ("damaged", "sent"),
    ("damaged", "answer lost", "damaged", "sent"),
    ("store away", "sent"),
    ("answer lost", "store away", "sent"),
    ("too fast", "sent"),
    ("server restarted", "sent"),
    ("answer lost", "server restarted", "late copy", "sent"),
    ("answer lost", "another address", "sent"),
    ("answer lost", "signed in again", "sent"),
    ("carried to the desk", "sent"),
)
"""What happens to one report, in order."""


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    return desk


class Wifi:
    """A phone with one act in its outbox, and the network between it and the hall."""

    def __init__(self, day: Desk, patch: pytest.MonkeyPatch) -> None:
        self.number = day.seats(1)[0]
        found = day.done("links", "print", f"#{self.number}", "o1", "--json").json["links"]
        self.secrets = {each["of"]: secret_of(each) for each in found}
        self.patch, self.stack = patch, ExitStack()
        self.settled = 0
        self._open()
        assert self.phone.enter(self.secrets[f"p{self.number}"]).status_code == 200

    def _open(self) -> None:
        self.app = app_of(opened(), reader=line_reader())
        self.phone = self.stack.enter_context(Phone(self.app))

    def send(self, **other: Any) -> int:  # noqa: ANN401 - of the client
        """Deliver what the outbox sends, with something else in its place; the answer's status."""
        body = urlencode(ACT).encode()
        mark = self.phone.mark("/do/report", body, ACT["id"])
        headers = {"origin": WIFI, "content-type": FORM, "tourney-mark": mark}
        sent = {"content": body, "headers": headers, **other}
        return self.phone.post("/do/report", **sent).status_code

    def happen(self, what: str) -> None:
        """Let one thing happen."""
        getattr(self, what.replace(" ", "_"))()

    def sent(self) -> None:
        """Deliver request and answer."""
        status = self.send()
        assert status in SETTLED
        self.settled += 1

    def lost(self) -> None:
        """Lose the request on its way."""

    def answer_lost(self) -> None:
        """Deliver the request, and lose the answer."""
        self.copied = self.phone
        self.send()

    def sent_twice_at_once(self) -> None:
        """Deliver two copies in the same moment."""
        with ThreadPoolExecutor(2) as both:
            statuses = list(both.map(lambda _: self.send(), range(2)))
        assert set(statuses) <= set(SETTLED)
        self.settled += 1

    def late_copy(self) -> None:
        """Deliver a copy that the network has kept."""
        self.send()

    def cut_off(self) -> None:
        """Deliver the beginning of the request."""
        assert self.send(content=urlencode(ACT).encode()[:20]) not in SETTLED

    def damaged(self) -> None:
        """Deliver the request with another byte in it."""
        assert self.send(content=urlencode(ACT).encode().replace(b"win", b"wie")) not in SETTLED

    def store_away(self) -> None:
        """Deliver it while the disk is full."""

        def full(*_: object, **__: object) -> object:
            raise StoreUnavailable("the disk is full")

        with self.patch.context() as patch:
            patch.setattr(SQLiteStore, "transact", full)
            status = self.send()
        assert status in (*SETTLED, 503)  # settled if it had landed before

    def too_fast(self) -> None:
        """Deliver it while the link has no act left in this minute."""
        with self.patch.context() as patch:
            patch.setattr(pace, "PLAYER_MAX", 0)
            assert self.send() == 429

    def server_restarted(self) -> None:
        """Start the server again on the same store; the phone keeps its cookie and its key."""
        before = self.phone
        self.stack.close()
        self._open()
        self.phone.cookies.update(before.cookies)
        self._same_key_as(before)

    def another_address(self) -> None:
        """Let the phone come from another number of the network."""
        before, self.phone = self.phone, Phone(self.app, client=("10.9.8.7", 40_000))
        self.phone.portal = before.portal
        self.phone.cookies.update(before.cookies)
        self._same_key_as(before)

    def signed_in_again(self) -> None:
        """Open the badge's link in a browser that has lost its cookie and its key."""
        self.phone.cookies.clear()
        assert self.phone.enter(self.secrets[f"p{self.number}"]).status_code == 200

    def carried_to_the_desk(self) -> None:
        """Let the desk scan the code that the phone shows, and enter it."""
        who = {"link": self.phone.link, "browser": self.phone.browser}
        fields = {name: text for name, text in ACT.items() if name != "to"}
        said = urlencode({"do": "report", **who, **fields})
        act = f"{said}&mark={self.phone.mark('/carried', said.encode(), ACT['id'])}"
        desk = Phone(self.app, HERE, LOOPBACK)
        desk.portal = self.phone.portal
        assert desk.enter(self.secrets["o1"]).status_code == 200
        assert desk.post("/carried", data={"act": act}, headers={"origin": HERE}).is_redirect

    def _same_key_as(self, before: Phone) -> None:
        self.phone.secret, self.phone.log = before.secret, before.log
        self.phone.link, self.phone.browser = before.link, before.browser


@pytest.fixture
def wifi(day: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wifi]:
    between = Wifi(day, monkeypatch)
    with between.stack:
        yield between


@pytest.mark.parametrize("case", CASES, ids=[", ".join(case) for case in CASES])
def test_an_act_lands_exactly_once(day: Desk, wifi: Wifi, case: tuple[str, ...]) -> None:
    for what in case:
        wifi.happen(what)
    assert wifi.settled == 1
    lines = [line for line in day.log().splitlines() if '"ResultReported"' in line]
    assert len(lines) == 1
    assert f"-{ACT['id']}" in lines[0]
    assert f"p{wifi.number}" in lines[0]


def test_there_are_nineteen_cases() -> None:
    assert len(set(CASES)) == 19

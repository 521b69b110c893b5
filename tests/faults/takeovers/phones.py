"""Phones of a room, as programs: they sign in, report, keep receipts, judge and offer as pages do.

They speak the real interface over loopback. How long they wait, and when they ask again, is what
the pages do (`following.js`, `player.js`, `acts.js`, `receipts.js`, `restored.js`).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import time
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlencode

from tests.faults.takeovers.judging import Kept, Tree, accepted, judge, size_of, unbase64

if TYPE_CHECKING:
    import random

    from tests.faults.takeovers.account import Account
    from tests.faults.takeovers.judging import Verdict

PATIENCE_SECONDS = 8.0
AGAIN_SECONDS = (1.0, 3.0, 8.0, 20.0)
RETRY_SECONDS, SPREAD_SECONDS, LOOK_SECONDS, RECEIPT_SECONDS = 2.0, 2.0, 30.0, 1.2
COMPARING_SECONDS = (1.0, 3.0)
"""How long a person takes to compare six words."""

TRIES = 3
"""How often a person presses a button whose act was refused."""

LATER = {401, 408, 425, 429, 500, 502, 503, 504}
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
AWAY = (OSError, EOFError, TimeoutError, ValueError)
TOO_EARLY = 425
"""The answer to an act that answers what this log lacks: it waits, and no other waits for it."""

_POSITION = re.compile(r'data-position="([0-9]+)"')
_CONFIRM = re.compile(r'<form[^>]*action="do/confirm".*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'name="(answers|against)" value="([^"]*)"')


class Reply(NamedTuple):
    """An answer of a hall."""

    status: int
    headers: dict[str, str]
    body: bytes


class Act(NamedTuple):
    """A report or a confirmation as it is sent; sent again it is the same one by its id."""

    id: str
    name: str
    body: bytes
    again: bool = False
    """Whether an earlier desk answered it, or may have."""


class Session(NamedTuple):
    """What a browser has once a link let it in."""

    cookie: str
    key: bytes
    log: str
    link: int
    browser: str


class Seat(NamedTuple):
    """Who has a phone, and which match they play; `is_first` if outcomes are told of them."""

    player: int
    match: int
    outcome: str
    session: Session


class Room(Protocol):
    """What phones know of the room: where the hall is, and the words on its wall."""

    port: int
    account: Account
    asks: bool

    def are_words_of_desk(self, place: Tree) -> bool:
        """Return whether the six words of a place are those that the desk shows."""


class Client:
    """A connection of a browser to the hall at a port."""

    def __init__(
        self,
        port: int,
        session: Session | None = None,
        waits: list[tuple[float, float]] | None = None,
    ) -> None:
        self.port, self.session, self._waits = port, session, waits
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    def head(self, method: str, path: str, headers: dict[str, str]) -> bytes:
        """Return the first lines of a request."""
        own = f"127.0.0.1:{self.port}"
        sent = {"Host": own, "Origin": f"http://{own}", **headers}
        if self.session:
            sent["Cookie"] = self.session.cookie
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
        return "\r\n".join([*lines, "", ""]).encode()

    async def get(self, path: str) -> Reply:
        """Fetch a path."""
        return await self._ask(self.head("GET", path, {}))

    async def post(self, path: str, body: bytes, kind: str, **named: str) -> Reply:
        """Post a body with the mark of this browser."""
        headers = {"Content-Type": kind, "Content-Length": str(len(body))}
        headers |= {name.replace("_", "-"): text for name, text in named.items()}
        if self.session:
            headers["Tourney-Mark"] = _mark(self.session, path, body, kind)
        return await self._ask(self.head("POST", path, headers) + body)

    async def _ask(self, message: bytes) -> Reply:
        async with self._turn:
            begun = time.monotonic()
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    if self._kept:
                        with suppress(*AWAY):
                            return await _answered(*self._kept, message)
                        self.close()
                    self._kept = await asyncio.open_connection("127.0.0.1", self.port)
                    return await _answered(*self._kept, message)
            except BaseException:
                self.close()
                raise
            finally:
                if self._waits is not None:
                    self._waits.append((begun, time.monotonic() - begun))

    def close(self) -> None:
        """Close the connection."""
        if self._kept:
            self._kept[1].close()
            self._kept = None


async def _answered(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message: bytes
) -> Reply:
    writer.write(message)
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): text.strip() for name, _, text in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Reply(int(status.split()[1]), headers, body)


def _mark(session: Session, path: str, body: bytes, kind: str) -> str:
    fields = dict(re.findall(r"(?:^|&)(id|seen)=([^&]*)", body.decode())) if kind == FORM else {}
    own = f"{session.log}\n{session.link}\n{session.browser}\n{path}\n"
    own += f"{fields.get('id', '')}\n{fields.get('seen', '')}\n"
    return hmac.new(session.key, own.encode() + body, "sha256").hexdigest()


async def signed_in(port: int, secret: str) -> Session:
    """Open a link in a new browser."""
    client = Client(port)
    nonce = json.loads((await client.get("/api/v1/nonce")).body)["nonce"]
    proof = hmac.new(secret.encode(), nonce.encode(), "sha256").hexdigest()
    digest = hashlib.sha256(secret.encode()).hexdigest()
    sent = urlencode({"digest": digest, "nonce": nonce, "proof": proof}).encode()
    answer = await client.post("/in", sent, FORM)
    client.close()
    assert answer.status == HTTPStatus.OK, answer
    found = json.loads(answer.body)
    log, link, browser = found["log"], found["link"], found["browser"]
    text = f"acts\n{log}\n{link}\n{browser}"
    key = hmac.new(secret.encode(), text.encode(), "sha256").digest()
    return Session(answer.headers["set-cookie"].partition(";")[0], key, log, link, browser)


def _own_id(act: dict[str, Any]) -> str:
    """Return the id that a phone gave to the act of a receipt: the log has it behind its link."""
    return str(json.loads(act["line"])["id"].partition("-")[2])


class Phone:
    """A player's phone, whose own page is open."""

    def __init__(self, room: Room, seat: Seat, chance: random.Random) -> None:
        self.room, self.seat, self.chance = room, seat, chance
        self.client = Client(room.port, seat.session, room.account.waits)
        self.kept: Kept | None = None
        self.outbox: list[Act] = []
        self.sent: dict[str, Act] = {}
        """Acts that were answered, and whose receipts are not here yet."""

        self._covered: set[str] = set()
        """Those without a receipt that were under a signed head already."""

        self.receipts: dict[str, dict[str, Any]] = {}
        self.place: Tree | None = None
        self.due = self._is_waiting = self._sending = False
        self._tries, self.is_covered, self._is_asking = 0, False, False
        self.position = self.shown = 0
        self.page = ""
        self.fresh_at = self.judged_at = self._lost_at = 0.0
        """When this phone first had a page of the desk of now, and was sure of its log."""

        self._back, self._looking = asyncio.Event(), asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    # --- the page

    def open(self) -> None:
        """Open the page."""
        for work in (self._follow(), self._look_on()):
            self.begin(work)

    @property
    def is_open(self) -> bool:
        """Return whether the page was shown, and keeps a head of the log."""
        return bool(self.page and self.kept)

    def report_in(self, seconds: float) -> None:
        """Report, or confirm what the page shows by then, in so many seconds."""
        self.begin(self._report_in(seconds))

    def begin(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        """Do something meanwhile; a hall that is away is no fault."""

        async def quietly() -> None:
            with suppress(*AWAY):
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Close the page."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.client.close()

    async def _follow(self) -> None:
        """Hear the news for as long as the page is open."""
        is_away = False
        while not self.page:
            with suppress(*AWAY):
                await self.fetch()
            await asyncio.sleep(0.1)
        while True:
            with suppress(*AWAY):
                await self._hear(is_away=is_away)
            is_away = True
            await asyncio.sleep(RETRY_SECONDS * self.chance.uniform(0.9, 1.1))

    async def _hear(self, *, is_away: bool) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.room.port)
        try:
            path = f"/api/v1/stream?after={self.position}"
            writer.write(self.client.head("GET", path, {}))
            first = await reader.readline()
            if b" 200 " not in first:
                return
            if is_away:
                self._returned()
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.position = int(line[4:])
                elif line.startswith(b"event: beyond"):
                    self.begin(self.look())
                elif line.startswith(b'data: {"position'):
                    self.begin(self._fetch_later())
        finally:
            writer.close()

    def _returned(self) -> None:
        self._back.set()
        self.begin(self.look())
        self.begin(self.send())
        self.begin(self._fetch_later())

    async def _fetch_later(self) -> None:
        if self._is_waiting:
            return
        self._is_waiting = True
        await asyncio.sleep(self.chance.uniform(0, SPREAD_SECONDS))
        self._is_waiting = False
        await self.fetch()

    async def fetch(self) -> None:
        """Fetch the page of the player."""
        asked_at = time.monotonic()
        answer = await self.client.get("/me")
        if answer.status == HTTPStatus.OK and answer.headers.get("tourney") == "hall":
            self.page = answer.body.decode()
            if position := _POSITION.search(self.page):
                self.shown = int(position[1])
                self.position = self.position or self.shown
            if asked_at > self._lost_at:
                self.fresh_at = self.fresh_at or time.monotonic()

    # --- acts

    async def _report_in(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if 'action="do/confirm"' not in self.page and 'name="say"' not in self.page and self._tries:
            return
        if not self.page:
            await self.fetch()
        form = _CONFIRM.search(self.page)
        name = "confirm" if form else "report"
        own = f"{self.chance.getrandbits(96):024x}"
        fields = {"id": own, "to": "/me", "match": self.seat.match, "seen": self.shown}
        fields |= dict(_HIDDEN.findall(form[0] if form else self.page))
        fields |= {} if form else {"outcome": self.seat.outcome}
        fields["for"] = f"p{self.seat.player}"
        self.outbox.append(Act(own, name, urlencode(fields).encode()))
        await self.send()

    async def send(self) -> None:
        """Send what waits, until each was answered."""
        if self._sending:
            return
        self._sending, tries = True, 0
        try:
            while self.outbox:
                if await self._send_all():
                    tries = 0
                    continue
                seconds = AGAIN_SECONDS[min(tries, len(AGAIN_SECONDS) - 1)]
                tries += 1
                self._back.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._back.wait(), seconds)
        finally:
            self._sending = False

    async def _send_all(self) -> bool:
        is_done = True
        for act in list(self.outbox):
            header = "again" if act.again else "1"
            try:
                answer = await self.client.post(
                    f"/do/{act.name}", act.body, FORM, Tourney_Outbox=header
                )
            except AWAY:
                self.outbox[self.outbox.index(act)] = act._replace(again=True)
                return False
            if answer.headers.get("tourney-act") == act.id:
                self.outbox.remove(act)
                if answer.headers["tourney-events"] != "0":
                    self.sent[act.id] = act
                self.room.account.acknowledged(self.seat, act, answer)
                self.begin(self.look())
                self.begin(self._fetch_later())
            elif answer.status == TOO_EARLY:
                is_done = False
            elif answer.status in LATER:
                return False
            else:
                self.outbox.remove(act)
                self.room.account.refused(self.seat, act, answer)
                self._act_again()
        return is_done

    def _act_again(self) -> None:
        """Let the person see why not, look at the page, and press the button that it has now."""
        self._tries += 1
        if self._tries < TRIES:
            self.begin(self._report_in(self.chance.uniform(2, 4)))

    # --- the log

    async def _look_on(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 1))
        while True:
            with suppress(*AWAY):
                await self.look()
            seconds = LOOK_SECONDS if self.kept else 1.0  # nothing is kept before the first look
            await asyncio.sleep(seconds * self.chance.uniform(0.9, 1.1))

    async def ask(self, size: int, client: Client | None = None) -> dict[str, Any]:
        """Ask a hall for its log, from a head on."""
        path = f"/api/v1/witness?kept={size}" if size else "/api/v1/witness"
        answer = await (client or self.client).get(path)
        if answer.status != HTTPStatus.OK:
            raise ConnectionError(answer.status)
        value: dict[str, Any] = json.loads(answer.body)
        return value

    async def look(self, elsewhere: Client | None = None) -> Verdict:
        """Judge the log that a hall shows, and do what follows from that."""
        async with self._looking:
            asked_at = time.monotonic()
            answer = await self.ask(size_of(self.kept), elsewhere)
            verdict = judge(answer, self.kept)
            self.room.account.judged(self, answer, verdict)
            if elsewhere:
                return verdict
            since = answer["size"] - size_of(self.kept)
            self.kept = verdict.kept
            if verdict.kind == "gone":
                await self._compare_words()
                return verdict
            is_sure = verdict.kind in {"goes-on", "taken-over", "other-key"}
            if is_sure and asked_at > self._lost_at:
                self.judged_at = self.judged_at or time.monotonic()
            if verdict.kind == "taken-over":
                self.due = bool(self.receipts)
            if self.due:
                await self._offer()
            if verdict.kind != "strange" and (self.sent or (self.receipts and since)):
                self.begin(self._fetch_receipts())
            return verdict

    async def _compare_words(self) -> None:
        """Let the person compare six words, once, and accept what continues that place."""
        if self.kept is None:
            return
        if self.place is None:
            body = json.dumps({"kept": self.kept.note, "renewed": []}).encode()
            answer = await self.client.post("/api/v1/restored", body, JSON)
            if answer.status != HTTPStatus.OK:
                return
            value = json.loads(answer.body)
            place = Tree(value["size"], unbase64(value["root"]))
            await asyncio.sleep(self.chance.uniform(*COMPARING_SECONDS))
            if not self.room.are_words_of_desk(place):
                self.room.account.other_words += 1
                return
            self.place = place
        asked_at = time.monotonic()
        now = accepted(await self.ask(self.place.size), self.place)
        if now is None:
            return
        self.kept, self.place = now, None
        if asked_at > self._lost_at:
            self.judged_at = self.judged_at or time.monotonic()
        self.due = bool(self.receipts)
        await self._offer()
        self.begin(self._fetch_receipts())

    async def _fetch_receipts(self) -> None:
        """Fetch receipts, again while no head covers what was sent; one question at a time."""
        if self._is_asking:
            return
        self._is_asking = True
        try:
            while await self._has_news():  # noqa: ASYNC110 - it is asked, as a page does
                await asyncio.sleep(RECEIPT_SECONDS)
        finally:
            self._is_asking = False

    async def _has_news(self) -> bool:
        """Ask once for receipts; return whether to ask again."""
        asked = list(self.sent)
        have, sent = ",".join(self.receipts), ",".join(self.sent)
        answer = await self.client.get(f"/api/v1/receipts?have={have}&sent={sent}")
        if answer.status != HTTPStatus.OK:
            return False
        value = json.loads(answer.body)
        for key in value["undone"]:
            self.receipts.pop(key, None)
        for each in value["acts"]:
            self.receipts[each["key"]] = each["act"]
            self.room.account.has_receipt(_own_id(each["act"]))
        self.is_covered = value["covered"]
        has_news = await self._settle(asked, value["missing"])
        if value["acts"] or has_news:
            self.begin(self.look())
        return not value["covered"]

    async def _settle(self, asked: list[str], missing: list[str]) -> bool:
        """Forget acts that have a receipt under the kept head; return whether to look again.

        Those that the log does not have are offered, or sent again if they have no receipt. What
        gets none, such as a call, is settled at the next look after a signed head covers it.
        """
        size, again, before = size_of(self.kept), list[Act](), len(self._covered)
        places = {_own_id(act): act["place"] for act in self.receipts.values()}
        for own in asked:
            act = self.sent.get(own)
            if act is None:
                continue
            if own in missing and own in places:
                self.due = True
            elif own in missing and self.room.asks:
                again.append(act._replace(again=True))
            elif own in places:
                if places[own] >= size:
                    continue
            elif own not in self._covered:
                self._covered |= {own} if self.is_covered else set()
                continue
            del self.sent[own]
            self._covered.discard(own)
        self.outbox[:0] = again
        self.begin(self.send())
        await self._offer()
        return len(self._covered) > before

    @property
    def is_busy(self) -> bool:
        """Return whether this phone waits for the desk."""
        is_open = bool(self.sent) and not self.is_covered
        return bool(self.outbox) or is_open or (self.due and self.room.asks) or not self.is_sure

    @property
    def is_sure(self) -> bool:
        """Return whether this phone has a page of the desk of now, and judged its log."""
        return bool(self.judged_at and self.fresh_at)

    def lose(self) -> None:
        """Begin to wait for another desk."""
        self.fresh_at, self.judged_at, self.is_covered = 0.0, 0.0, False
        self._lost_at = time.monotonic()

    async def _offer(self) -> None:
        """Offer the own results with their receipts."""
        if not (self.due and self.room.asks):
            return
        nonce = f"{self.chance.getrandbits(96):024x}"
        body = json.dumps({"nonce": nonce, "acts": list(self.receipts.values())}).encode()
        answer = await self.client.post("/api/v1/offers", body, JSON)
        if answer.status == HTTPStatus.OK:
            self.due = False
            self.room.account.offered(json.loads(answer.body)["acts"])

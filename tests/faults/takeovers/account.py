"""The account of one take-over: what was acknowledged, and what became of it.

The oracle is written from the page on the hall: after phones were asked, each acknowledged act is
in the log exactly once or before the judge; each page shows the new desk within ten seconds; a
shorter history was believed only after an act by a key that was known before, or after six words
were compared.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.faults.takeovers.judging import Kept, Verdict
    from tests.faults.takeovers.phones import Act, Phone, Reply, Seat

STUCK_SECONDS = 10.0
_PROBLEM = re.compile(r'class="problems"[^>]*>(.*?)</(?:ul|section|div)>', re.DOTALL)


class Acknowledged(NamedTuple):
    """An act that a desk answered as done."""

    own: str
    name: str
    player: int
    match: int
    at: float
    desk: int
    """Which desk answered it: 1 or 2."""


class Seen(NamedTuple):
    """What a phone was shown and concluded, for a second judge."""

    answer: dict[str, Any]
    before: Kept | None
    verdict: Verdict


class Account:
    """What the phones of one take-over heard and did."""

    def __init__(self) -> None:
        self.desk = 1
        self.acts: dict[str, Acknowledged] = {}
        self.receipts: dict[str, float] = {}
        self.killed_at = self.up_at = self.first_report_at = 0.0
        self.other_words = self.weighed_refused = 0
        self.forgery = ""
        """What an attacker serves at the moment; empty if the desk does."""

        self.attacked = self.believed = 0
        self.refusals: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.waits: list[tuple[float, float]] = []
        """When phones asked, and for how many seconds they waited for that answer."""

        self.seen: list[Seen] = []
        """What was shown of a take-over, or instead of what was seen."""

    def acknowledged(self, seat: Seat, act: Act, answer: Reply) -> None:
        """Note that a desk answered an act as done; what changed nothing is in no log."""
        if answer.headers["tourney-events"] == "0":
            return
        now = time.monotonic()
        self.acts.setdefault(
            act.id, Acknowledged(act.id, act.name, seat.player, seat.match, now, self.desk)
        )
        if self.desk == 2 and not self.first_report_at:
            self.first_report_at = now

    def refused(self, _seat: Seat, act: Act, answer: Reply) -> None:
        """Note that a desk refused an act, which its person sees."""
        again = " again" if act.again else ""
        self.refusals[f"{act.name}{again}: {answer.status} {_why(answer)}"] += 1

    def has_receipt(self, own: str) -> None:
        """Note when a phone had the receipt of an act."""
        self.receipts.setdefault(own, time.monotonic())

    def judged(self, phone: Phone, answer: dict[str, Any], verdict: Verdict) -> None:
        """Note what a phone concluded."""
        if self.forgery:
            self.attacked += 1
            is_own_key = self.forgery == "former"
            self.believed += verdict.kind == "taken-over"
            self.believed += verdict.kind == "goes-on" and not is_own_key
        else:
            self.verdicts[verdict.kind] += 1
        if verdict.kind != "goes-on":
            self.seen.append(Seen(answer, phone.kept, verdict))

    def offered(self, weighed: Iterable[dict[str, str]]) -> None:
        """Note what the desk said of offered acts."""
        self.weighed_refused += sum(each["state"] == "refused" for each in weighed)

    def answer_seconds(self) -> tuple[float, float]:
        """Return the median and the longest wait for an answer while phones come back.

        A machine that does other work, too, or has one core for the desk and all phones, is slow
        here: then a phone that is stuck waits for its turn.
        """
        since, until = self.up_at, self.up_at + STUCK_SECONDS
        found = [seconds for begun, seconds in self.waits if since <= begun <= until]
        return (median(found), max(found)) if found else (0.0, 0.0)

    def without_receipt(self) -> int:
        """Count acts that the first desk acknowledged and whose receipts came too late."""
        return sum(
            act.desk == 1 and self.receipts.get(act.own, self.killed_at + 1) > self.killed_at
            for act in self.acts.values()
        )


class Balance(NamedTuple):
    """What the oracle found in the log and before the judge."""

    acknowledged: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    before_judge: int


def balance(account: Account, lines: Iterable[bytes], for_judge: Iterable[str]) -> Balance:
    """Compare what was acknowledged with the log of the second desk, and what the judge has."""
    often: Counter[str] = Counter()
    reports: Counter[int] = Counter()
    for data in lines:
        line = json.loads(data)
        often[line["id"].partition("-")[2]] += 1
        if line["type"] == "ResultReported":
            reports[line["data"]["match"]] += 1
    judge = {each.partition("-")[2] for each in for_judge}
    known = account.acts.values()
    gone = [act for act in known if not often[act.own] and act.own not in judge]
    lost = [f"{act.name} {act.own} of p{act.player}, match {act.match}" for act in gone]
    doubled = [act.own for act in known if often[act.own] > 1]
    doubled += [f"match {match}" for match, count in reports.items() if count > 1]
    before_judge = sum(not often[act.own] and act.own in judge for act in known)
    return Balance(len(account.acts), tuple(lost), tuple(doubled), before_judge)


def _why(answer: Reply) -> str:
    found = _PROBLEM.search(answer.body.decode())
    return re.sub("<[^>]*>|[0-9]+", "", found[1]).strip() if found else ""


def stuck(phones: Iterable[Phone], account: Account) -> list[int]:
    """List the players whose page had no new state ten seconds after the new desk answered."""
    end = account.up_at + STUCK_SECONDS
    return [
        phone.seat.player
        for phone in phones
        if not (0 < phone.fresh_at <= end and 0 < phone.judged_at <= end)
    ]

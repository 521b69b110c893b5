"""Forged events handed to `check`, as a forged log would hand them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Result
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.proof.formats import Checkpoint, Tree, leaf_hash
from ledger.proof.notes import base64_of, checkpoint_text
from ledger.rules import check
from ledger.rules.rounds import CloseRound
from tests.support.simulate import Day, with_remedies

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.facts.shared import Stage
    from ledger.proof.notes import Signer
    from ledger.rules.references import Ranking

WIN = Result(("win", "loss"), (10, 1))


def against(
    day: Day,
    event: Event,
    *,
    by: str = "o1",
    event_id: str = "forged",
    ranking: Ranking | None = None,
) -> str:
    """What `check` has against the event as the next one, as one text."""
    at = "2026-03-14T12:00:00.000Z"
    forged = record(day.tournament.seq + 1, event_id, at, by, event)
    return "; ".join(map(with_remedies, check(day.tournament, forged, ranking)))


def forged_log(day: Day, *events: Event) -> list[bytes]:
    """The lines of a day with events that follow whether or not `check` would admit them."""
    seq, at = day.tournament.seq, "2026-03-14T12:00:00.000Z"
    forged = [record(seq + n, f"forged{n}", at, "o1", event) for n, event in enumerate(events, 1)]
    return [*day.lines, *map(encode, forged)]


def rerooted(lines: list[bytes], signer: Signer | None = None) -> list[bytes]:
    """Lines changed before the start, with the head of the start that they have then.

    `signer` is the log's key, where the head is signed.
    """
    tree, made = Tree(), list[bytes]()
    for line in lines:
        if b'"type":"HeadRecorded"' in line:
            line = _with_head(line, tree, signer)  # noqa: PLW2901 - the line as it is then
        made.append(line)
        tree.add(leaf_hash(line))
    return made


def _with_head(line: bytes, tree: Tree, signer: Signer | None) -> bytes:
    value = json.loads(line)
    value["data"]["root"] = tree.root().hex()
    if signer is not None:
        text = checkpoint_text(Checkpoint(signer.key.name, tree.size, tree.root()))
        value["data"]["signature"] = base64_of(signer.sign(text.encode()))
    return json.dumps(value, separators=(",", ":")).encode()


def paired(players: int = 6, rounds: int = 3, *further: Stage) -> Day:
    day = Day(players)
    day.start(rounds, *further)
    day.pair()
    return day


def played(rounds: int, players: int = 8, *further: Stage) -> Day:
    """A day whose last announced Swiss round is closed."""
    day = Day(players)
    day.start(rounds, *further)
    for _ in range(rounds):
        day.pair()
        day.report_all()
    day.do(CloseRound())
    return day


def pairing(day: Day, *games: tuple[int, int], **changed: object) -> RoundPaired:
    number = len(day.tournament.rounds) + 1
    fields = {"stage": 1, "round": number, "attempt": 1, "procedure": "swiss@1", "games": games}
    return RoundPaired(**{**fields, **changed})  # type: ignore[arg-type] # forged on purpose

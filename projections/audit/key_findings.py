"""What was done about keys and links, and to those who hold one."""

from __future__ import annotations

from typing import Any

from ledger.events import keys, opening
from ledger.lines.recorded import Recorded
from ledger.tournament.keyholders import holder_of, holders_of
from ledger.tournament.state import Tournament
from projections.audit.finding import AuditFinding, Findings, Reader, Readers, always


def _revoked(tournament: Tournament, event: keys.KeyRevoked, recorded: Recorded) -> Findings:
    holder = holder_of(tournament, event.public) or 0
    yield AuditFinding("key", (recorded.seq,), official=holder, reason=event.reason)


def _replaced(kind: str) -> Reader:
    def reader(tournament: Tournament, event: Any, recorded: Recorded) -> Findings:  # noqa: ANN401 - either
        seqs, round_ = (recorded.seq,), len(tournament.rounds)
        yield AuditFinding(kind, seqs, round_, reason=event.reason)

    return reader


def _registered(tournament: Tournament, event: keys.KeyRegistered, recorded: Recorded) -> Findings:
    kind = "further-key" if holders_of(tournament).is_keyed(event.holder) else "first-key"
    kind = "key-lost" if event.lost.strip() else kind
    yield AuditFinding(kind, (recorded.seq,), official=event.holder, reason=event.lost)


def _link(_: Tournament, event: keys.LinkIssued, recorded: Recorded) -> Findings:
    if event.of.startswith("o"):
        yield AuditFinding("official-link", (recorded.seq,), official=int(event.of[1:]))


def _guessed(_: Tournament, event: keys.LinksGuessed, recorded: Recorded) -> Findings:
    yield AuditFinding("links-guessed", (recorded.seq,), tries=event.tries, reason=event.origin)


def _appointed(
    tournament: Tournament, event: opening.OfficialAppointed, recorded: Recorded
) -> Findings:
    """Who leads agrees to keys: another office of somebody with a key is about keys, too."""
    holders = holders_of(tournament)
    before = holders.roles.get(event.official, event.roles)
    if holders.is_keyed(event.official) and {*before} != {*event.roles}:
        yield AuditFinding("keyed-office", (recorded.seq,), official=event.official)


KEYS: Readers = {
    keys.KeyRegistered: _registered,
    keys.KeyRevoked: _revoked,
    keys.LinkIssued: _link,
    keys.LinksGuessed: _guessed,
    opening.OfficialAppointed: _appointed,
    keys.ForkAccepted: always("lost-end"),
    keys.ShuffleKeyReplaced: _replaced("draw-key"),
    keys.HiddenKeyReplaced: _replaced("hidden-key"),
}

"""Days whose officials hold keys or do not, and lines forged behind them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from ledger.facts.keys import Consent, KeyRegistered
from ledger.lines.line import unsigned
from ledger.lines.recorded import record, signed
from ledger.proof import notes
from ledger.proof.signatures import consent, origin_of, possession, signed_body
from ledger.rules.keys import RegisterKey, RevokeKey
from ledger.rules.opening import AppointOfficial
from ledger.rules.signing import signing_with
from tests.support.signed_logs import tree_of
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.facts.base import Event, Role
    from ledger.lines.recorded import Recorded

NUMBER = "7" * 32
AT = "2026-03-14T12:00:00.000Z"
LOG, ORGANIZER, JUDGE, MARSHAL, SCOREKEEPER, OTHER_JUDGE = range(6)
OFFICIALS = (ORGANIZER, JUDGE, MARSHAL, SCOREKEEPER, OTHER_JUDGE)
ROLES: tuple[Role, ...] = ("judge", "marshal", "scorekeeper", "judge")
OWN = {
    n: notes.signer(f"{origin_of(NUMBER)}{f'/o{n}' if n else ''}", bytes([40 + n]) * 32)
    for n in range(6)
}
NEW = notes.signer("new", b"n" * 32)
THIEF = notes.signer("thief", b"t" * 32)


class Keyed(NamedTuple):
    """Who holds a key on a day, and whose are revoked."""

    holders: tuple[int, ...]
    gone: tuple[int, ...] = ()


ALL = Keyed((LOG, ORGANIZER, JUDGE, MARSHAL))
"""Organizer, judge and marshal hold keys, and the log; the scorekeeper and another leader none."""

NO_ORGANIZER = Keyed((LOG, JUDGE, MARSHAL))
TWO = Keyed((LOG, ORGANIZER, JUDGE))
JUDGE_GONE = Keyed((LOG, ORGANIZER, JUDGE, MARSHAL), (JUDGE,))
ORGANIZER_GONE = Keyed((LOG, ORGANIZER, JUDGE, MARSHAL), (ORGANIZER,))


@cache
def day_of(keyed: Keyed) -> tuple[bytes, ...]:
    """The lines of a day at whose first round a result is reported."""
    day = Day(4, number=NUMBER)
    for role in ROLES:
        day.do(AppointOfficial(f"The {role}", (role,)))
    known = {each.key.public: each for each in OWN.values()}
    day.context = structs.replace(day.context, sign=signing_with(known))
    for holder in keyed.holders:
        new = registration(holder, OWN[holder])
        day.do(RegisterKey(holder, new.public, new.proof))
    day.start(2)
    day.pair()
    day.report_all()
    for holder in keyed.gone:
        public = notes.base64_of(OWN[holder].key.public)
        day.do(RevokeKey(public, "the laptop was stolen"))
    return tuple(day.lines)


def registration(
    holder: int,
    signer: notes.Signer,
    second: Consent | None = None,
    lost: str = "",
    number: str = NUMBER,
) -> KeyRegistered:
    """What registers a key, which has signed for that."""
    public = notes.base64_of(signer.key.public)
    proof = notes.base64_of(signer.sign(possession(number, holder, public)))
    return KeyRegistered(holder, public, proof, second=second, lost=lost)


def agreed(
    official: int,
    signer: notes.Signer,
    holder: int = JUDGE,
    new: notes.Signer = NEW,
    number: str = NUMBER,
) -> Consent:
    """A leader's consent to a key."""
    message = consent(number, holder, notes.base64_of(new.key.public))
    return Consent(official, notes.base64_of(signer.sign(message)))


def behind(lines: Sequence[bytes], by: str, event: Event) -> Recorded:
    """An event as the next one."""
    return record(len(lines) + 1, "forged", AT, by, event)


def signed_behind(lines: Sequence[bytes], recorded: Recorded, signer: notes.Signer) -> Recorded:
    """Sign an event behind these lines."""
    root = tree_of(lines).root()
    body = signed_body(NUMBER, len(lines), root, unsigned(recorded))
    return signed(recorded, notes.base64_of(signer.sign(body)))

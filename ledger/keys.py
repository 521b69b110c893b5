"""Which acts have to be signed, and by whom; signing them.

Who holds which key stands in the log. The rule itself stands in `ledger.proof.acts`, which
holds exported lines to it as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import lines
from ledger.errors import LedgerError
from ledger.events.keys import KeyRegistered
from ledger.events.keys import KeyRevoked
from ledger.events.office import RulingMade
from ledger.events.opening import TournamentOpened
from ledger.proof import acts
from ledger.proof.acts import Held
from ledger.proof.formats import Invalid
from ledger.proof.formats import unbase64
from ledger.proof.notes import base64_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping

    from ledger.lines import Recorded
    from ledger.proof.formats import Tree
    from ledger.proof.notes import Signer
    from ledger.state import Tournament

    Sign = Callable[[Tournament, Recorded, bytes], Recorded]
    """From an event at its place and the root of the tree before it to the signed event."""

_OF_KEYS = b'"type":"KeyRe'


def needed(tournament: Tournament, recorded: Recorded) -> list[Held]:
    """Return the keys one of which has to sign this event; none where nobody has to."""
    if recorded.type not in acts.SIGNED:
        return []
    return acts.signers(tournament.keys, _ruled(recorded), recorded.by)


def problem(tournament: Tournament, recorded: Recorded, tree: Tree | None) -> str:
    """Say what is wrong with an event's signature, or with its having none; empty if nothing is.

    `tree` is that of every line before it.
    """
    if not recorded.sig and not needed(tournament, recorded):
        return ""
    if tree is None:
        return f"{recorded.type} has to be signed, and the lines before it are not at hand"
    act = acts.Act(
        number_of(tournament),
        recorded.seq - 1,
        tree.root(),
        recorded.type,
        recorded.by,
        _ruled(recorded),
        lines.unsigned(recorded),
        recorded.sig,
    )
    try:
        claim = acts.claimed(tournament.keys, act)
    except Invalid as error:
        return str(error)
    return claim.wrong if claim and not acts.holds(claim) else ""


def signing_with(signers: Mapping[bytes, Signer]) -> Sign:
    """Return what signs an event that has to be signed, with private keys by their public ones."""

    def sign(tournament: Tournament, recorded: Recorded, root: bytes) -> Recorded:
        for held in needed(tournament, recorded):
            if held.public in signers:
                message = acts.signed_body(
                    number_of(tournament), recorded.seq - 1, root, lines.unsigned(recorded)
                )
                return lines.signed(recorded, base64_of(signers[held.public].sign(message)))
        return recorded

    return sign


def signed_before(before: list[Recorded]) -> Sign:
    """Return what gives events the signatures that those of the same id have already."""
    known = {recorded.id: recorded.sig for recorded in before}
    return lambda _tournament, recorded, _root: lines.signed(recorded, known.get(recorded.id, ""))


def active(tournament: Tournament, holder: int) -> list[Held]:
    """Return the keys that an official, or the log itself (0), signs with now."""
    return [held for held in tournament.keys.values() if held.holder == holder and not held.until]


def named_in(told: Iterable[bytes]) -> dict[bytes, Held]:
    """Return the keys that the lines of a log name; a line that makes no sense names none.

    Nothing says that they were entitled to: that takes the fold.
    """
    keys: dict[bytes, Held] = {}
    for number, line in enumerate(told):
        if number and _OF_KEYS not in line:
            continue
        try:
            _name_key(keys, lines.decode(line))
        except (Invalid, LedgerError):
            continue
    return keys


def _name_key(keys: dict[bytes, Held], recorded: Recorded) -> None:
    event, seq = recorded.event, recorded.seq
    if isinstance(event, TournamentOpened) and event.log_key:
        public = unbase64(event.log_key)
        keys[public] = Held(0, public, seq)
    elif isinstance(event, KeyRegistered):
        public = unbase64(event.public)
        keys[public] = Held(event.holder, public, seq)
    elif isinstance(event, KeyRevoked) and (public := unbase64(event.public)) in keys:
        keys[public] = keys[public]._replace(until=seq)


def number_of(tournament: Tournament) -> str:
    """Return the tournament's id; empty before it is opened."""
    return tournament.opening.tournament if tournament.opening else ""


def _ruled(recorded: Recorded) -> int:
    return recorded.event.official if isinstance(recorded.event, RulingMade) else 0

"""Which acts have to be signed, and by whom; signing them.

Who holds which key is in the log. The rule itself is in `ledger.proof.signatures`, which
holds exported lines to it as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, Refused
from ledger.facts.keys import (
    DeskTakenOver,
    KeyRegistered,
    KeyRevoked,
    holders_of,
    registration,
)
from ledger.facts.shared import RulingMade, TournamentOpened
from ledger.lines.line import decode, unsigned
from ledger.lines.recorded import Recorded, signed
from ledger.problems import Act, Problem, Problems, in_words, marked, problem
from ledger.proof import signatures
from ledger.proof.formats import ED25519, HASH_BYTES, Invalid, Key, Tree, unbase64
from ledger.proof.notes import Signer, base64_of, vkey
from ledger.proof.signatures import (
    LOG,
    Held,
    Holders,
    Need,
    Registration,
    held_from,
    official_in,
)
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    Sign = Callable[[Tournament, Recorded, bytes], Recorded]
    """From an event at its place and the root of the tree before it to the signed event."""

_OF_KEYS = re.compile(b'"type":"(?:KeyRe|DeskTakenOver)')


def needed(tournament: Tournament, recorded: Recorded) -> Need:
    """Return the keys one of which signs this event; Refused where nobody's agreement is enough."""
    try:
        return signatures.needed(holders_of(tournament), _act(tournament, recorded, b""))
    except Invalid as error:
        raise Refused(in_words(error.text, Refused.code, *error.officials)) from None


def signature_problems(
    tournament: Tournament, recorded: Recorded, tree: Tree | None
) -> list[Problem]:
    """List what is wrong with an event's signature, or with its having none.

    `tree` is that of every line before it.
    """
    if not recorded.sig and recorded.type not in signatures.MAY_NEED_ONE:
        return []
    is_of_keys = isinstance(recorded.event, KeyRegistered | KeyRevoked | DeskTakenOver)
    if not (recorded.sig or tournament.keys or is_of_keys):
        return []  # without keys nothing is signed, and the root of all lines takes its time
    return list(_signature_problems(tournament, recorded, tree))


def _signature_problems(tournament: Tournament, recorded: Recorded, tree: Tree | None) -> Problems:
    try:
        act = _act(tournament, recorded, tree.root() if tree else b"")
        claim = signatures.claimed(signatures.needed(holders_of(tournament), act), act)
    except Invalid as error:
        yield in_words(error.text, "signature.missing", *error.officials)
        return
    if claim and tree is None:
        text = marked("{act} is signed, but the lines before it are not available")
        yield problem("signature.no_lines", text, act=Act(recorded.type))
    elif claim and not signatures.holds(claim):
        yield in_words(claim.wrong.text, "signature.wrong", *claim.wrong.officials)


def _act(tournament: Tournament, recorded: Recorded, root: bytes) -> signatures.SignedAct:
    event = recorded.event
    return signatures.SignedAct(
        number_of(tournament),
        recorded.seq - 1,
        root,
        recorded.type,
        recorded.by,
        event.official if isinstance(event, RulingMade) else 0,
        unsigned(recorded) if root else b"",
        recorded.sig,
        registration(event) if isinstance(event, KeyRegistered) else None,
        unbase64(event.public, HASH_BYTES, "the key")
        if isinstance(event, KeyRevoked | DeskTakenOver)
        else b"",
    )


def signing_with(signers: Mapping[bytes, Signer]) -> Sign:
    """Return what signs an event that has to be signed, with private keys by their public ones."""

    def sign(tournament: Tournament, recorded: Recorded, root: bytes) -> Recorded:
        for held in needed(tournament, recorded).held:
            if held.public in signers:
                message = signatures.signed_body(
                    number_of(tournament), recorded.seq - 1, root, unsigned(recorded)
                )
                return signed(recorded, base64_of(signers[held.public].sign(message)))
        return recorded

    return sign


def signed_before(before: list[Recorded]) -> Sign:
    """Return what gives events the signatures that those of the same id have already."""
    known = {recorded.id: recorded.sig for recorded in before}
    return lambda _tournament, recorded, _root: signed(recorded, known.get(recorded.id, ""))


def goes_back(tournament: Tournament, recorded: Recorded) -> bool:
    """Whether a key that may have signed the event taken last replaces a lost one."""
    event = recorded.event
    if isinstance(event, KeyRegistered):
        agreed = tournament.keys[unbase64(event.public)].agreed
        return any(tournament.keys[each].lost for each in agreed)
    held = needed(tournament, recorded).held
    if isinstance(event, KeyRevoked | DeskTakenOver):
        held = [*held, tournament.keys[unbase64(event.public)]]
    return any(each.lost for each in held)


def active(tournament: Tournament, holder: int) -> list[Held]:
    """Return the keys that an official, or the log itself (0), signs with now."""
    return [held for held in tournament.keys.values() if held.holder == holder and not held.until]


def named_in(log: Iterable[bytes]) -> dict[bytes, Held]:
    """Return the keys that the lines of a log name; a line that makes no sense names none.

    Nothing says that they were entitled to: that takes the fold.
    """
    keys: dict[bytes, Held] = {}
    for number, line in enumerate(log):
        if number and not _OF_KEYS.search(line):
            continue
        try:
            _name_key(keys, decode(line))
        except (ValueError, LedgerError):  # ValueError: an author such as "ox"
            continue
    return keys


def _name_key(keys: dict[bytes, Held], recorded: Recorded) -> None:
    event, seq = recorded.event, recorded.seq
    if isinstance(event, TournamentOpened) and event.log_key:
        public = unbase64(event.log_key)
        keys[public] = Held(LOG, public, seq)
    elif isinstance(event, KeyRegistered):
        public, new = unbase64(event.public), registration(event)
        keys[public] = held_from(new, public, _claimed_by(keys, new, recorded.by), seq)
    elif (
        isinstance(event, KeyRevoked | DeskTakenOver) and (public := unbase64(event.public)) in keys
    ):
        keys[public] = keys[public]._replace(until=seq)


def _claimed_by(keys: dict[bytes, Held], new: Registration, by: str) -> Need:
    """Return the keys one of which is to have signed for a new one, by its line's own account."""
    holders = Holders(keys, {})
    is_renewed = holders.is_keyed(new.holder) and not new.second
    if is_renewed and new.is_lost:
        return Need(holders.active(LOG) if new.holder else [])
    return holders.need(new.holder if is_renewed else official_in(by))


def vkey_of_official(stream: str, held: Held) -> str:
    """Write an official's key as a policy pins it."""
    name = f"{signatures.origin_of(stream)}/o{held.holder}"
    return vkey(Key(name, ED25519, held.public))


def number_of(tournament: Tournament) -> str:
    """Return the tournament's id; empty before it is opened."""
    return tournament.opening.tournament if tournament.opening else ""

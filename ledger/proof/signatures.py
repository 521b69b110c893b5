"""Find the owners of keys, and the signature that an act needs: part three for a sceptic.

The lines of a log register and revoke keys. After an official has held a key, no act in their name
counts without a signature, and a key of theirs is registered or revoked only by agreement.

An act that an official signed carries an Ed25519 signature over DSSE's encoding of the line without
its `sig`, bound to the tournament; the line contains its own place and id. Part four is policy.py.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ledger.proof import formats
from ledger.proof.formats import HASH_BYTES, SIGNATURE_BYTES, Invalid, is_signed, unbase64

LOG = 0
"""The holder of the log's own keys."""

ORGANIZER = "organizer"
RENEWED = "renewed without the old key"
LEADERS = frozenset({ORGANIZER, "marshal", "judge", "co-organizer"})
"""The roles for which two holders may agree to a key."""

AGREEING = 2
"""Number of leaders who agree if the previous key cannot."""


class Held(NamedTuple):
    """A key and its holder, 0 for the log itself; until is the event that revoked it, else 0.

    `agreed` are the keys one of which signed for it; empty if no signature was needed. Event `lost`
    replaced a key that did not agree, and this key goes back to that event; 0: no event did.
    """

    holder: int
    public: bytes
    since: int
    until: int = 0
    agreed: tuple[bytes, ...] = ()
    lost: int = 0


class Holders(NamedTuple):
    """The keys that a log names so far, and the roles of its officials."""

    keys: Mapping[bytes, Held]
    roles: Mapping[int, Collection[str]]

    def active(self, holder: int) -> list[Held]:
        """Return the active keys of a holder."""
        return [key for key in self.keys.values() if key.holder == holder and not key.until]

    def need(self, *whose: int) -> Need:
        """Ask for a signature of one of these."""
        return Need([key for holder in whose for key in self.active(holder)], whose)

    def is_keyed(self, holder: int) -> bool:
        """Return whether a holder ever had a key."""
        return any(key.holder == holder for key in self.keys.values())

    def agreeing(self, *others: int) -> set[int]:
        """Return the leaders with a key, except these."""
        return {
            key.holder
            for key in self.keys.values()
            if not key.until and not LEADERS.isdisjoint(self.roles.get(key.holder, ()))
        } - {*others}


class Registration(NamedTuple):
    """A new key in a line, with the consent of a second leader, or 0; is_lost: one was."""

    holder: int
    public: str
    proof: str
    second: int = 0
    consent: str = ""
    is_lost: bool = False


class Need(NamedTuple):
    """The keys one of which has to sign, and whose they are; without must nobody has to."""

    held: list[Held]
    whose: tuple[int, ...] = ()
    must: bool = True

    @property
    def officials(self) -> list[int]:
        """The officials among those whose keys they are."""
        return [holder for holder in self.whose if holder != LOG]

    @property
    def in_words(self) -> str:
        """Whose keys they are, with `{officials}` for the officials."""
        if not self.officials:
            return "the log's key"
        return "a key of {officials} or the log" if LOG in self.whose else "a key of {officials}"


def encoded(kind: str, tournament: str, body: bytes) -> bytes:
    """Return what is signed: in DSSE's encoding, the tournament's id, a newline and the body."""
    return pae(f"application/vnd.tourney.{kind}", f"{tournament}\n".encode() + body)


def pae(kind: str, body: bytes) -> bytes:
    """Return what DSSE signs: its name, and type and body, each with its length before it."""
    return b"DSSEv1 %d %s %d %s" % (len(kind.encode()), kind.encode(), len(body), body)


def possession(tournament: str, holder: int, public: str) -> bytes:
    """Return what the holder signs with a new key, to have it registered."""
    return encoded("key", tournament, f"{holder} {public}".encode())


def consent(tournament: str, holder: int, public: str) -> bytes:
    """Return what a second leader signs, to have another's key registered."""
    return encoded("consent", tournament, f"{holder} {public}".encode())


def official_in(by: str) -> int:
    """Return the official who entered a line; 0 if a player entered it."""
    return int(by.partition("/")[0][1:]) if by.startswith("o") else 0


def needed_for(holders: Holders, *officials: int) -> Need:
    """Return the keys of the first of these who ever held one."""
    for official in officials:
        if official and holders.is_keyed(official):
            return holders.need(official)
    return Need([], must=False)


def needed_to_register(holders: Holders, new: Registration, by: int) -> Need:
    """Return the keys one of which must agree to a registration.

    Raises:
        Invalid: the agreement of no key is enough.
    """
    if not holders.is_keyed(new.holder):
        return _needed_first(holders, new, by)
    if new.second:
        return _needed_of_two(holders, new, by)
    if new.holder == LOG and ORGANIZER not in holders.roles.get(by, ()):
        raise Invalid("only the organizer, or two leaders, can renew the log's key")
    if not new.is_lost:
        return holders.need(new.holder)
    if new.holder == LOG:
        _refuse_if_others_agree(holders, by)
        return holders.need(by)._replace(must=False)
    _refuse_if_others_agree(holders, new.holder)
    return holders.need(LOG)


def _needed_first(holders: Holders, new: Registration, by: int) -> Need:
    if new.second or new.is_lost:
        raise Invalid("a holder's first key cannot replace another key")
    if ORGANIZER not in holders.roles.get(by, ()):
        raise Invalid("only the organizer can register a holder's first key")
    return needed_for(holders, by)


def _needed_of_two(holders: Holders, new: Registration, by: int) -> Need:
    if new.is_lost:
        raise Invalid("if two leaders agree to a key, no key may be named as lost")
    if len({by, new.second, new.holder}) < AGREEING + 1:
        raise Invalid("two leaders can agree only to the key of another person")
    for official in (by, new.second):
        if official not in holders.agreeing():
            raise Invalid("{officials} is not a leader who holds a key", official)
    return holders.need(by)


def _refuse_if_others_agree(holders: Holders, *but: int) -> None:
    others = sorted(holders.agreeing(*but))
    if len(others) >= AGREEING:
        text = "two leaders who hold a key must agree to it ({officials} hold one)"
        raise Invalid(text, *others)


def needed_to_revoke(holders: Holders, public: bytes) -> Need:
    """Return whose agreement a revocation takes: the holder's, the organizer's or the log's."""
    if public not in holders.keys:
        raise Invalid("this key is not registered")
    holder = holders.keys[public].holder
    organizers = [official for official, roles in holders.roles.items() if ORGANIZER in roles]
    return holders.need(*dict.fromkeys([holder, *organizers, LOG]))


def is_follower(keys: Mapping[bytes, Held], held: Held) -> bool:
    """Return whether another key of the log signed the registration of a key of the log."""
    signed = [keys[public].holder == LOG for public in held.agreed if public in keys]
    return held.holder == LOG and bool(signed) and all(signed)


def needed_to_take_over(holders: Holders, public: bytes) -> Need:
    """Return the keys one of which signs a take-over that revokes a key of the log.

    Raises:
        Invalid: `public` is not a key of the log, or no other key may take over from it.
    """
    if public not in holders.keys or holders.keys[public].holder != LOG:
        raise Invalid("the key that it revokes is not a key of the log")
    followers = [
        key
        for key in holders.active(LOG)
        if key.public != public and is_follower(holders.keys, key)
    ]
    if not followers:
        raise Invalid("the log's key signed for no other key that could take over")
    return Need(followers, (LOG,))


def check_registration(holders: Holders, tournament: str, new: Registration) -> bytes:
    """Return a new key; the key itself has signed for its registration, and a second leader."""
    key = formats.checked_public(unbase64(new.public, HASH_BYTES, "the key"))
    if key in holders.keys:
        raise Invalid("this key is already in the log: every holder needs a separate key")
    proof = unbase64(new.proof, SIGNATURE_BYTES, "the proof behind the key")
    if not is_signed(key, proof, possession(tournament, new.holder, new.public)):
        raise Invalid("the key did not sign for its registration: its holder may not have it")
    if new.second:
        _hold_consent(holders, tournament, new)
    return key


def held_from(new: Registration, key: bytes, need: Need, seq: int) -> Held:
    """Return who holds which key from a line on."""
    lost = max((held.lost for held in need.held), default=0)
    agreed = tuple(held.public for held in need.held)
    return Held(new.holder, key, seq, 0, agreed, seq if new.is_lost else lost)


def _hold_consent(holders: Holders, tournament: str, new: Registration) -> None:
    signature = unbase64(new.consent, SIGNATURE_BYTES, "the second leader's signature")
    message = consent(tournament, new.holder, new.public)
    if not any(is_signed(key.public, signature, message) for key in holders.active(new.second)):
        raise Invalid("{officials} did not sign for this key", new.second)


def revoke(holders: Holders, public: bytes, seq: int) -> Held:
    """Return a key after event seq; the log always has a key."""
    held = holders.keys[public]
    if held.until:
        raise Invalid(f"event {held.until} already revoked this key")
    if held.holder == LOG and holders.active(LOG) == [held]:
        raise Invalid("this is the log's only key: register another key first")
    return held._replace(until=seq)


def followed(keys: Mapping[bytes, Held], pinned: Sequence[bytes]) -> list[bytes]:
    """List the log's keys that go back to those pinned, each signed for with these alone."""
    known, found = {*pinned}, []
    for held in sorted(keys.values(), key=lambda key: key.since):
        is_own = not held.holder and held.public not in known
        if is_own and held.agreed and known.issuperset(held.agreed):
            known.add(held.public)
            found.append(held.public)
    return found


def renewal(keys: Mapping[bytes, Held], public: bytes) -> str:
    """Say which line put a log's key in place of one that did not sign for it; empty: none did."""
    if public not in keys:
        return ""
    event, who = keys[public].lost, "nothing in the file shows who did that"
    if not event:
        event, who = _by_two(keys, public), "two officials agreed to it"
    if not event:
        return ""
    return (
        f"line {event} replaced the previous key with the key that signed the head, but the "
        f"previous key did not sign for the new key ({RENEWED}): {who}"
    )


def _by_two(keys: Mapping[bytes, Held], public: bytes) -> int:
    """Return the event by which officials agreed to a log's key that this one goes back to."""
    held = keys[public]
    while held.agreed and not held.holder:
        before = keys[held.agreed[0]]
        if before.holder:
            return held.since
        held = before
    return 0


# --- what lines say, for those who read them without the program ---


def _texts_in(data: Mapping[str, Any], *names: str) -> list[str]:
    members = [data.get(name) for name in names]
    if not all(isinstance(member, str) for member in members):
        raise Invalid("it does not give the texts of a key")
    return [str(member) for member in members]


def registration_in(data: Mapping[str, Any]) -> Registration:
    """Return the registration of a new key in a line."""
    public, proof = _texts_in(data, "public", "proof")
    holder, second, lost = data.get("holder"), data.get("second"), data.get("lost", "")
    if not isinstance(lost, str):
        raise Invalid("it must state in a text how the key was lost")
    is_lost = bool(lost.strip())
    if type(holder) is not int or holder < 0:
        raise Invalid("it does not name the holder of the key")
    if second is None:
        return Registration(holder, public, proof, is_lost=is_lost)
    official = second.get("official") if isinstance(second, dict) else None
    if type(official) is not int or official < 1:
        raise Invalid("it does not name a second leader who agrees")
    (sig,) = _texts_in(second, "sig")
    return Registration(holder, public, proof, official, sig, is_lost)


def revoked_in(data: Mapping[str, Any]) -> bytes:
    """Return the key that a line revokes."""
    (public,) = _texts_in(data, "public")
    return unbase64(public, HASH_BYTES, "the key")


def appointed_in(data: Mapping[str, Any]) -> tuple[int, frozenset[str]]:
    """Return the roles that a line gives to an official: they decide who leads the event."""
    official, roles = data.get("official"), data.get("roles")
    if type(official) is not int or not isinstance(roles, list):
        raise Invalid("it does not name an official and roles")
    return official, frozenset(role for role in roles if isinstance(role, str))


SIGNED = frozenset(
    {
        "OfficialAppointed",
        "KeyRegistered",
        "KeyRevoked",
        "ShuffleKeyReplaced",
        "HiddenKeyReplaced",
        "ForkAccepted",
        "RulingMade",
        "ConductNoted",
        "DisqualificationRecommended",
        "PenaltyGiven",
        "NoteTaken",
        "ResultCorrected",
        "PlayerDisqualified",
        "ActWithdrawn",
    }
)
"""The acts that need a signature once the official who is answerable for them holds a key."""


TAKEN_OVER = "DeskTakenOver"
"""The act of a desk that takes over: a further key of the log signs it, and revokes another key."""

MAY_NEED_ONE = SIGNED | {TAKEN_OVER}
"""The acts that may need a signature."""


class SignedAct(NamedTuple):
    """A line for its signature, behind the tree of that size and root.

    `ruled` is the official whom a ruling names, else 0.
    """

    tournament: str
    size: int
    root: bytes
    type: str
    by: str
    ruled: int
    unsigned: bytes
    sig: str
    registers: Registration | None = None
    revokes: bytes = b""
    """The key that it is about, if it is about one."""


def origin_of(tournament: str) -> str:
    """Return the name under which a tournament's log signs."""
    return f"tourney/{tournament}"


def signed_body(tournament: str, size: int, root: bytes, unsigned: bytes) -> bytes:
    """Return what an official signs: the line without sig, behind the tree of the lines before."""
    before = f"{size}\n{base64.b64encode(root).decode()}\n".encode()
    return encoded("act", tournament, before + unsigned)


def needed(holders: Holders, act: SignedAct) -> Need:
    """Return the keys one of which signs: of the official who ruled, or else who entered the act.

    Raises:
        Invalid: no key may sign the act.
    """
    by = official_in(act.by)
    if act.type == TAKEN_OVER:
        return needed_to_take_over(holders, act.revokes)
    if act.registers:
        return needed_to_register(holders, act.registers, by)
    if act.revokes:
        return needed_to_revoke(holders, act.revokes)
    need = needed_for(holders, act.ruled, by)
    return need._replace(must=need.must and act.type in SIGNED)


def revoked(keys: dict[bytes, Held], publics: list[bytes]) -> int:
    """Return the event that revoked the last of these keys; 0 while one is used, or unknown."""
    ends = [keys[each].until if each in keys else 0 for each in publics]
    return max(ends, default=0) if all(ends) else 0


class SignatureClaim(NamedTuple):
    """A signature that one of these keys must have made; otherwise the act is wrong."""

    publics: tuple[bytes, ...]
    signature: bytes
    message: bytes
    wrong: Invalid
    lost: int = 0
    """The event since which one of the keys goes back to none before it; 0: none does."""


def claimed(need: Need, act: SignedAct) -> SignatureClaim | None:
    """Return the signature that the act carries, if any.

    Raises:
        Invalid: a signature is missing, or no official who could have signed holds a key.
    """
    if not act.sig and not need.must:
        return None
    if not act.sig:
        raise Invalid(f"{act.type} is not signed with {need.in_words}", *need.officials)
    if not need.held:
        raise Invalid(f"{act.type} is signed, but no official who could have signed it holds a key")
    wrong = f"{act.type} has a signature that was not made with {need.in_words}"
    return SignatureClaim(
        tuple(key.public for key in need.held),
        unbase64(act.sig, SIGNATURE_BYTES),
        signed_body(act.tournament, act.size, act.root, act.unsigned),
        Invalid(wrong, *need.officials),
        max(key.lost for key in need.held),
    )


def holds(claim: SignatureClaim) -> bool:
    """Whether a signature is what it claims to be: the one thing here that takes time."""
    return any(is_signed(key, claim.signature, claim.message) for key in claim.publics)

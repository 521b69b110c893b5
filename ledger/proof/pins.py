"""A log's lines held to what a policy says of officials: a part of what a sceptic reads.

The lines say who holds which key and who signed; acts.py checks that. Here it is asked whether a
key is one that was given out as that official's, and whether what has to be signed is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.proof.formats import Invalid, unbase64
from ledger.proof.holders import LOG, Registration, official_in, registration_in
from ledger.proof.lines import Line, read_line

if TYPE_CHECKING:
    from ledger.proof.policy import Pins

SINCE = "is not one that the policy pins; was it given out before that key?"

NEWER = "either it is another history, or it ends before the policy was given out"

_BEGINNING = re.compile(rb'\{"seq":[0-9]+,"id":"[A-Za-z0-9_.-]+","type":"([A-Za-z]+)["@]')
_SIG_BYTES = len(b',"sig":""}') + 88


class Pinning:
    """A log's officials so far, held to a policy's pins; pinned counts lines they signed."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self._keyed: set[int] = set()
        self.pinned = 0

    def hold(self, line: bytes) -> None:
        """Hold the next line to the pins, not its signature; Invalid where it breaks them."""
        found = _BEGINNING.match(line)
        kind = found[1].decode() if found else ""
        is_signed = line[-_SIG_BYTES:].startswith(b',"sig":"')
        if not found or is_signed or kind == "KeyRegistered" or kind in self._pins.signed:
            self._hold(read_line(line), kind)

    @property
    def has_keys(self) -> bool:
        """Whether the policy pins any key of an official."""
        return self._pins.has_keys

    def settle(self) -> None:
        """Hold that each official whose key is pinned has one; Invalid where one has none."""
        missing = sorted(self._pins.own.keys() - self._keyed)
        if missing:
            text = f"the policy pins a key of {{officials}}, and no line registers one: {NEWER}"
            raise Invalid(text, *missing)

    def is_pinned(self, official: int) -> bool:
        """Whether all keys of an official are pinned."""
        return official in self._pins.own or bool(official and self._pins.known)

    def _hold(self, read: Line, kind: str) -> None:
        if kind == "KeyRegistered":
            self.pinned += self._registered(registration_in(read.data), read) and bool(read.sig)
            return
        answerable = self._answerable(read, kind)
        if kind in self._pins.signed:
            self._hold_signed(read, kind, answerable)
        if kind != "KeyRevoked" and read.sig:
            self.pinned += self.is_pinned(answerable)

    def _answerable(self, read: Line, kind: str) -> int:
        ruled = read.data.get("official") if kind == "RulingMade" else 0
        named = [ruled if type(ruled) is int else 0, official_in(read.by)]
        return next((each for each in named if each in self._keyed), 0)

    def _hold_signed(self, read: Line, kind: str, answerable: int) -> None:
        if kind == "ActWithdrawn" and read.by.startswith("p"):
            return  # what players take back was theirs
        if not read.sig:
            raise Invalid(f"{kind} is not signed, and the policy asks for an official's signature")
        if self._pins.has_keys and not self.is_pinned(answerable):
            whose = "a key of {officials}, whose keys the policy does not pin"
            raise Invalid(f"{kind} is signed with {whose}", answerable)

    def _registered(self, new: Registration, read: Line) -> bool:
        """Take an official's new key; returns whether a pinned one has to have signed for it."""
        if new.holder == LOG:
            return False
        is_first = new.holder not in self._keyed
        is_own = not (is_first or new.second or new.is_lost)
        self.hold_key(new.holder, unbase64(new.public), is_signed_for=is_own)
        self._keyed.add(new.holder)
        signer = new.holder if is_own else official_in(read.by)
        return not new.is_lost and self.is_pinned(signer)

    def hold_key(self, holder: int, public: bytes, *, is_signed_for: bool) -> None:
        """Hold that an official may have a key: a pinned one, or one that such a one signed for."""
        own = self._pins.own.get(holder)
        if own is not None:
            counts = public in own or is_signed_for
        elif any(public in each for each in self._pins.own.values()):
            raise Invalid("the key of {officials} is pinned as that of another official", holder)
        else:
            counts = public in self._pins.known or not self._pins.known
        if not counts:
            raise Invalid(f"the key of {{officials}} {SINCE}", holder)

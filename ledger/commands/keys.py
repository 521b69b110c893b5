"""Orders about keys: register, revoke, replace, and go on from a fork."""

from __future__ import annotations

from ledger.commands.base import Command


class RegisterKey(Command, frozen=True):
    """Record who holds a key from now on; `proof` is the key's own signature for that.

    `second` agrees by the signature `consent`; `lost` says why the key before can not.
    """

    holder: int
    public: str
    proof: str
    second: int = 0
    consent: str = ""
    lost: str = ""


class RevokeKey(Command, frozen=True):
    """Take a key out of use; the log's own is followed by `successor`, with its `proof`.

    What agrees to the successor, if its key does not, is as in `RegisterKey`.
    """

    public: str
    reason: str
    successor: str = ""
    proof: str = ""
    second: int = 0
    consent: str = ""
    lost: str = ""


class ReplaceShuffleKey(Command, frozen=True):
    """Draw from here on with the key of this commitment: the one before is lost or damaged."""

    commitment: str
    reason: str


class ReplaceHiddenKey(Command, frozen=True):
    """Seal from here on with the key of this commitment: the one before is lost or damaged."""

    commitment: str
    reason: str


class AcceptFork(Command, frozen=True):
    """Go on with a log that lost lines: of a signed head under a new key of the log.

    Where no key signed for what is lost, because it was only seen, the key stays.
    """

    size: int
    root: str
    reason: str
    public: str = ""
    proof: str = ""

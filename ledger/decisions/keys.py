"""Registering, revoking and replacing keys, going on from a fork; giving links out."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.authority.signing import active
from ledger.decisions.command import Command, Context
from ledger.events import Event, keys
from ledger.proof.notes import base64_of
from ledger.proof.signatures import LOG
from ledger.tournament.links import link_of
from ledger.tournament.state import Tournament


class RegisterKey(Command, frozen=True):
    """Record who holds a key from now on; `proof` is the key's own signature for that.

    `second` agrees by the signature `consent`; `lost` says why the keys before cannot: they go.
    """

    holder: int
    public: str
    proof: str
    second: int = 0
    consent: str = ""
    lost: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        held = [base64_of(each.public) for each in active(tournament, self.holder)]
        if self.public in held:
            return
        yield _registration(self, self.holder, self.public)
        for public in held if self.lost else ():
            yield keys.KeyRevoked(public, self.lost)


def _registration(command: RegisterKey | RevokeKey, holder: int, public: str) -> keys.KeyRegistered:
    second = keys.Consent(command.second, command.consent) if command.second else None
    return keys.KeyRegistered(holder, public, command.proof, second=second, lost=command.lost)


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

    def decide(self, _tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if self.successor:
            yield _registration(self, LOG, self.successor)
        yield keys.KeyRevoked(self.public, self.reason)


class ReplaceShuffleKey(Command, frozen=True):
    """Draw from here on with the key of this commitment: the one before is lost or damaged."""

    says = keys.ShuffleKeyReplaced

    commitment: str
    reason: str


class ReplaceHiddenKey(Command, frozen=True):
    """Seal from here on with the key of this commitment: the one before is lost or damaged."""

    says = keys.HiddenKeyReplaced

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

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        former = active(tournament, 0)
        yield keys.ForkAccepted(self.size, self.root, self.reason)
        if not self.public:
            return
        yield keys.KeyRegistered(0, self.public, self.proof)
        for held in former:
            yield keys.KeyRevoked(base64_of(held.public), self.reason)


class IssueLinks(Command, frozen=True):
    """Give links out: to whom, each with the SHA-256 of its secret. Who has that one keeps it."""

    links: tuple[tuple[str, str], ...]

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        links = tournament.floor.links
        for of, digest in self.links:
            now = link_of(links, of)
            if now is None or now.digest != digest:
                yield keys.LinkIssued(len(links) + 1, of, digest)


class RevokeLink(Command, frozen=True):
    """End a link, unless it has ended."""

    link: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        link = tournament.floor.links.get(self.link)
        if link is None or not link.until:
            yield keys.LinkRevoked(self.link, self.reason)


class ChoosePlainHttp(Command, frozen=True):
    """Choose whether officials may act in the hall over plain HTTP, unless that is so already."""

    allowed: bool
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if self.allowed != tournament.plain_http:
            yield keys.PlainHttpChosen(self.allowed, self.reason)


class NoteGuesses(Command, frozen=True):
    """Put on record that somebody guesses at links, how often, and where from."""

    says = keys.LinksGuessed

    tries: int
    origin: str = ""

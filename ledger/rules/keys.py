"""Keys, heads of other copies and personal links: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import keys
from ledger.facts.base import Event
from ledger.facts.keys import (
    DeskTakenOver,
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    LinkIssued,
    LinkRevoked,
    LinksGuessed,
    PlainHttpChosen,
    ShuffleKeyReplaced,
    holder_of,
    holders_of,
    registration,
)
from ledger.problems import Problems, in_words, marked, problem
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.notes import base64_of
from ledger.proof.signatures import LOG, check_registration
from ledger.rules.command import Command, Context
from ledger.rules.references import needs_reason, no_official, no_player
from ledger.rules.signing import active, number_of
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import link_of


def key_registered(tournament: Tournament, event: KeyRegistered) -> Problems:
    if event.holder >= len(tournament.officials):
        yield no_official(event.holder)
        return
    new, holders = registration(event), holders_of(tournament)
    try:
        check_registration(holders, number_of(tournament), new)
    except Invalid as error:
        yield in_words(error.text, "key.registration", *error.officials)


def key_revoked(tournament: Tournament, event: KeyRevoked | DeskTakenOver) -> Problems:
    try:
        held = tournament.keys.get(unbase64(event.public))
    except Invalid:
        held = None
    if held is None:
        yield problem("key.unknown", "this key is not registered")
    elif held.until:
        yield problem(
            "key.revoked", "this key was already revoked (event {event})", event=held.until
        )
    elif not held.holder and active(tournament, 0) == [held]:
        text = marked("this is the only key of the log: register another key first")
        yield problem("key.only_one", text)
    if isinstance(event, KeyRevoked):
        yield from needs_reason(event)


def shuffle_key_replaced(
    tournament: Tournament, event: ShuffleKeyReplaced | HiddenKeyReplaced
) -> Problems:
    known = [*tournament.draw_keys, *tournament.hidden_keys]
    if not known:
        yield problem(
            "key.none_committed", "this log commits to no key, so there is no key to replace"
        )
    if any(each.commitment == event.commitment for each in known):
        text = marked("the log has already committed to this key: use a new key")
        yield problem("key.committed_before", text)
    yield from needs_reason(event)


def fork_accepted(_tournament: Tournament, event: ForkAccepted) -> Problems:
    yield from needs_reason(event)


def desk_taken_over(tournament: Tournament, event: DeskTakenOver) -> Problems:
    problems = list(key_revoked(tournament, event))
    yield from problems
    if not problems and holder_of(tournament, event.public):
        yield problem("takeover.not_the_logs", "this key is an official's, not the log's")
    if event.size != tournament.seq:
        text = marked("a take-over continues the lines before it: {size} is wrong, not {count}")
        yield problem("takeover.size", text, size=event.size, count=tournament.seq)


def link_issued(tournament: Tournament, event: LinkIssued) -> Problems:
    links, number = tournament.floor.links, int(event.of[1:])
    if event.link != len(links) + 1:
        text = marked("link {link} is wrong: the next link is {next}")
        yield problem("link.number", text, link=event.link, next=len(links) + 1)
    elif any(each.digest == event.digest for each in links.values()):
        yield problem("link.secret_twice", "this secret already belongs to another link")
    elif event.of.startswith("p"):
        if number >= len(tournament.players):
            yield no_player(number)
    elif event.of.startswith("o") and number >= len(tournament.officials):
        yield no_official(number)
    if event.of in tournament.forgotten:
        yield problem(
            "link.forgotten",
            "the data of {of} was erased: no link can be issued for this person",
            of=event.of,
        )


def link_revoked(tournament: Tournament, event: LinkRevoked) -> Problems:
    link = tournament.floor.links.get(event.link)
    if link is None:
        yield problem("link.unknown", "there is no link {link}", link=event.link)
    elif link.until:
        text = marked("link {link} already ended with event {event}")
        yield problem("link.ended", text, link=event.link, event=link.until)


def plain_http_chosen(tournament: Tournament, event: PlainHttpChosen) -> Problems:
    if event.allowed == tournament.plain_http:
        text = marked("officials can already act over plain HTTP")
        if not event.allowed:
            text = marked("officials can already act only over loopback or TLS")
        yield problem("link.plain_so", text)
    if event.allowed:
        yield from needs_reason(event)


def links_guessed(_tournament: Tournament, _event: LinksGuessed) -> Problems:
    yield from ()


hidden_key_replaced = shuffle_key_replaced


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


class TakeOver(Command, frozen=True):
    """Go on from the last head of a desk that this one followed; that desk's key is revoked."""

    says = keys.DeskTakenOver

    size: int
    root: str
    public: str


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

"""Keys and links: the facts, what each does to the tournament, and who holds which key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, ORGANIZER, Event, Recording
from ledger.problems import marked, remedy
from ledger.proof.formats import unbase64
from ledger.proof.notes import base64_of
from ledger.proof.signatures import (
    Holders,
    Registration,
    held_from,
    needed_to_register,
    official_in,
)
from ledger.tournament.state import CommittedKey, Tournament
from ledger.tournament.table_records import Link, link_of

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

Encoded = Annotated[str, Meta(max_length=100)]
"""Base64 of a key or a signature; the check holds it to its length and its one spelling."""


class Consent(Struct, frozen=True, forbid_unknown_fields=True):
    """A leader's signature for another's key."""

    official: base.Number
    sig: Encoded


class KeyRegistered(Event, frozen=True):
    """From here on `holder` signs with this key; 0: it is the log's own, for its heads.

    `proof` is made with the new key over the tournament, the holder and the key: its owner
    agreed to hold it here. A holder's further key is signed for with one that they hold, or by two
    leaders: who enters it and the `second`. Where too few of them hold a key, the log's key signs
    for it, and `lost` says why; the log's own key then needs nobody's.
    """

    recording = Recording(
        marked("registering a key"), DESK | LEADERS, after_finish=True, instead=remedy("key.revoke")
    )

    holder: base.Seat
    public: Encoded
    proof: Encoded
    algorithm: Literal["ed25519"] = "ed25519"
    second: Consent | None = None
    lost: base.Text = ""


class KeyRevoked(Event, frozen=True):
    """From here on nothing signed with this key counts; what was signed before stands.

    The log is never without a key of its own: its last one is not revoked.
    """

    recording = Recording(
        marked("revoking a key"),
        DESK | LEADERS,
        after_finish=True,
        instead=remedy("key.new"),
        stays=marked("a revoked key never counts again"),
    )

    public: Encoded
    reason: base.Text


class ShuffleKeyReplaced(Event, frozen=True):
    """The key of the draws was lost or damaged; from here on they are made with another one.

    `commitment` is the SHA-256 of the new key. What was drawn with the one before can never be
    shown again: nobody has it to reveal.
    """

    recording = Recording(
        marked("replacing the key of the draws"), ORGANIZER, instead=remedy("key.draws")
    )

    commitment: base.Sha256
    reason: base.Text


class HiddenKeyReplaced(Event, frozen=True):
    """The key of hidden cards was lost or damaged; from here on another one seals them.

    `commitment` is the SHA-256 of the new key. What was sealed with the one before can never be
    opened: nobody has it to reveal.
    """

    recording = Recording(
        marked("replacing the key of hidden cards"), ORGANIZER, instead=remedy("key.hidden")
    )

    commitment: base.Sha256
    reason: base.Text


class ForkAccepted(Event, frozen=True):
    """The store no longer had the lines that a head covers; the log goes on without them.

    `size` and `root` are that head's, 0 and those of no lines where the head itself is lost. Where
    the log's key signed the other side, another one is registered next, and it is revoked.
    """

    recording = Recording(
        marked("continuing from a fork"),
        ORGANIZER,
        after_finish=True,
        stays=marked("the loss stays on record"),
    )

    size: base.Count
    root: base.Sha256
    reason: base.Text


class DeskTakenOver(Event, frozen=True):
    """A desk that followed this log goes on with it; the key of the desk before counts no more.

    `size` and `root` are those of the last head of the former desk, right before this line: what
    that desk wrote behind it is left. `public` is its key, which is revoked. Another key of the log
    signs this line: one whose registration the log's own key signed, before.
    """

    recording = Recording(
        "taking over from another desk",
        DESK | LEADERS,
        after_finish=True,
        stays="the key of the desk before never counts again",
    )

    size: base.Count
    root: base.Sha256
    public: Encoded


LinkHolder = Annotated[str, Meta(extra={base.FORM: r"^[opse][1-9][0-9]{0,3}\Z"})]
"""Who is let in: a player, an official, a screen, as `s3`, or whom the event is open to, `e1`."""


class LinkIssued(Event, frozen=True):
    """From here on a link lets somebody in, who then acts as `of`; one of theirs before ends.

    `link` counts the links from 1. `digest` is the SHA-256 of the secret in its address, which
    nothing on record has.
    """

    recording = Recording(marked("issuing a link"), DESK | LEADERS, after_finish=True)

    link: base.Ordinal
    of: LinkHolder
    digest: base.Sha256

    def reversal(self, reason: str) -> Event:
        return LinkRevoked(self.link, reason)


class LinkRevoked(Event, frozen=True):
    """From here on a link lets nobody in, and nothing is entered over it."""

    recording = Recording(
        marked("revoking a link"),
        DESK | LEADERS,
        after_finish=True,
        instead=remedy("links.new"),
        stays=marked("another person may know the link"),
    )

    link: base.Ordinal
    reason: base.Text = ""


class PlainHttpChosen(Event, frozen=True):
    """Whether officials may act in the served hall over plain HTTP, which others can hear.

    Until this is on record they act over loopback or TLS only.
    """

    recording = Recording(
        marked("choosing whether officials act over plain HTTP"),
        ORGANIZER,
        after_finish=True,
        instead=remedy("links.plain_http"),
    )

    allowed: bool
    reason: base.Text = ""


class LinksGuessed(Event, frozen=True):
    """Somebody tried secrets or codes that are no link's, more often than a person mistypes."""

    recording = Recording(
        marked("recording guesses at links"),
        DESK | LEADERS,
        after_finish=True,
        stays=marked("the attempts stay on record"),
    )

    tries: base.Count
    origin: base.Text = ""


def holders_of(tournament: Tournament) -> Holders:
    """Return who holds which key, and who leads the event."""
    roles = {official.number: official.roles for official in tournament.officials[1:]}
    return Holders(tournament.keys, roles)


def holder_of(tournament: Tournament, public: str) -> int | None:
    """Return who was registered with a key: an official, or 0 for the log; None for nobody."""
    holders = (each.holder for each in tournament.keys.values() if base64_of(each.public) == public)
    return next(holders, None)


def registration(event: KeyRegistered) -> Registration:
    """Return what an event says of a new key."""
    second = (event.second.official, event.second.sig) if event.second else (0, "")
    return Registration(
        event.holder, event.public, event.proof, *second, is_lost=bool(event.lost.strip())
    )


def key_registered(tournament: Tournament, event: KeyRegistered, recorded: Recorded) -> None:
    public, new = unbase64(event.public), registration(event)
    need = needed_to_register(holders_of(tournament), new, official_in(recorded.by))
    tournament.keys[public] = held_from(new, public, need, recorded.seq)


def key_revoked(tournament: Tournament, event: KeyRevoked, recorded: Recorded) -> None:
    public = unbase64(event.public)
    tournament.keys[public] = tournament.keys[public]._replace(until=recorded.seq)


def shuffle_key_replaced(
    tournament: Tournament, event: ShuffleKeyReplaced, recorded: Recorded
) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.draw_keys.append(key)


def hidden_key_replaced(
    tournament: Tournament, event: HiddenKeyReplaced, recorded: Recorded
) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.hidden_keys.append(key)
    tournament.floor.lost_battles.update(tournament.floor.battles)
    for held in tournament.lists.values():
        held.is_lost = True
        for handed in held.handed:
            handed.is_lost = True


def fork_accepted(_tournament: Tournament, _event: ForkAccepted, _recorded: Recorded) -> None:
    """Nothing: it is about lines that are not here."""


def desk_taken_over(tournament: Tournament, event: DeskTakenOver, recorded: Recorded) -> None:
    public = unbase64(event.public)
    tournament.keys[public] = tournament.keys[public]._replace(until=recorded.seq)


def link_issued(tournament: Tournament, event: LinkIssued, recorded: Recorded) -> None:
    links, command_id = tournament.floor.links, recorded.command_id
    if before := link_of(links, event.of):
        before.until = recorded.seq
    links[event.link] = Link(event.link, event.of, event.digest, recorded.seq, command_id)


def link_revoked(tournament: Tournament, event: LinkRevoked, recorded: Recorded) -> None:
    tournament.floor.links[event.link].until = recorded.seq


def plain_http_chosen(tournament: Tournament, event: PlainHttpChosen, _: Recorded) -> None:
    tournament.plain_http = event.allowed


def links_guessed(_tournament: Tournament, _event: LinksGuessed, _recorded: Recorded) -> None:
    """Nothing: the log has it, and an audit tells it."""

"""Official's keys registered: by the organizer, by their holder, or by two leaders together."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from cli.desk.acts import acting_official, carry_out
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.machine import keyring
from cli.terminal.output import say, show
from ledger.errors import NotFound, Refused, Unsigned
from ledger.proof.notes import Signer, base64_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events.keys import KeyRegistered
    from ledger.proof.signatures import Held


_ALREADY = "the key is registered"


def new(desk: Desk, official: int, *, sealed: bool) -> None:
    """Make an official's key, and register it, or show the line by which others do; or Refused."""
    from ledger.rules.keys import RegisterKey

    stream, entering = desk.book.stream, acting_official(desk)
    if before := _registered_before(desk):
        register(desk, official, before.public, before.proof)
    elif not _may_register(desk.tournament, entering, official):
        once(desk, partial(_hand_in, desk, official, sealed=sealed))
    else:
        made = _drawn(stream, official)
        order = RegisterKey(official, base64_of(made.key.public), _possession(made, desk, official))
        with suppress(Unsigned):
            desk.preview(order)  # what is refused leaves no key behind
        _keep(stream, official, made, sealed=sealed)
        carry_out(desk, order, _ALREADY)


def register(
    desk: Desk,
    official: int,
    public: str,
    proof: str,
    agreeing: int = 0,
    consent: str = "",
    lost: str = "",
) -> None:
    """Register a key: whose, the key, its proof, and perhaps the leader who agrees, and how."""
    from ledger.rules.keys import RegisterKey

    carry_out(desk, RegisterKey(official, public, proof, agreeing, consent, lost), _ALREADY)


def _may_register(tournament: Tournament, entering: int, official: int) -> bool:
    """Whether a key is registered here: by the organizer, or with the holder's key before."""
    from ledger.rules.signing import number_of
    from ledger.tournament.keyholders import holders_of

    holders, stream = holders_of(tournament), number_of(tournament)
    if holders.is_keyed(official):
        held = holders.active(official)
        return entering == official and any(is_here(stream, each) for each in held)
    return "organizer" in tournament.officials[entering].roles


def _registered_before(desk: Desk) -> KeyRegistered | None:
    """Return what this very id registered, so that it makes no second key; or Refused."""
    from ledger.events.keys import KeyRegistered

    landed = desk.book.tournament.ids.get(desk.command_id)
    event = desk.book.recorded_at(landed).event if landed else None
    if event is not None and not isinstance(event, KeyRegistered):
        raise Refused(
            f"the id {desk.command_id} was used for another command (event {landed}): leave --id "
            "out to have a new one drawn"
        )
    return event


def _hand_in(desk: Desk, official: int, *, sealed: bool) -> None:
    """Make a key that others register, by a line that is shown."""
    from ledger.tournament.keyholders import holders_of

    stream = desk.book.stream
    made = _drawn(stream, official)
    _keep(stream, official, made, sealed=sealed)
    _show_line(desk, official, made)
    if holders_of(desk.tournament).is_keyed(official):
        say(
            "two leaders who hold keys enter it: one types this line with `agree` for `register`, "
            "the other types what that prints; where fewer than two others hold one, this line "
            "with --lost --reason TEXT, on the machine with the log's key"
        )
    else:
        say("the organizer registers it with this line")


def _drawn(stream: str, official: int) -> Signer:
    from ledger.proof.notes import SEED_BYTES, signer
    from ledger.proof.signatures import origin_of

    return signer(f"{origin_of(stream)}/o{official}", os.urandom(SEED_BYTES))


def _keep(stream: str, official: int, made: Signer, *, sealed: bool) -> None:
    """Write a key to a file of its own, sealed with a passphrase that is asked for."""
    phrase = keyring.new_passphrase("the new key") if sealed else ""
    path = keyring.official_path(stream, official, made.key.public)
    with keyring.proving():
        keyring.keep_key(path, made, phrase)
    say(f"{path}: keep a copy of it in a safe place")


def _possession(made: Signer, desk: Desk, official: int) -> str:
    from ledger.proof.signatures import possession

    stream = desk.book.stream
    return base64_of(made.sign(possession(stream, official, base64_of(made.key.public))))


def agree(desk: Desk, official: int, public: str, proof: str) -> None:
    """Sign for another's key, and show the line by which a first leader registers it."""
    from ledger.proof import signatures
    from ledger.rules.signing import active

    agreeing = acting_official(desk)
    stream = desk.book.stream
    for held in active(desk.tournament, agreeing):
        path = keyring.official_path(stream, agreeing, held.public)
        if keyring.is_kept(path):
            agreed = keyring.unlocked(path).sign(signatures.consent(stream, official, public))
            whose = f"o{official}" if official else keyring.LOG
            show(f"tourney key register {whose} {public} {proof} o{agreeing} {base64_of(agreed)}")
            say("another leader who holds a key registers it with this line")
            return
    raise NotFound(f"no key that o{agreeing} signs with is in {keyring.folder()} here")


def is_here(stream: str, held: Held) -> bool:
    """Whether the private part of a key is on this machine."""
    if held.holder:
        return keyring.is_kept(keyring.official_path(stream, held.holder, held.public))
    made = keyring.log_signer(stream)
    return made is not None and made.key.public == held.public


def export(desk: Desk, official: int) -> None:
    """Show what registers the official's key on this machine: the key and its proof."""
    stream = desk.book.stream
    paths = keyring.official_keys(stream, official)
    if not paths:
        raise NotFound(f"no key of o{official} is in {keyring.folder()} here")
    for path in paths:
        _show_line(desk, official, keyring.unlocked(path))


def _show_line(desk: Desk, official: int, made: Signer) -> None:
    proof = _possession(made, desk, official)
    show(f"tourney key register o{official} {base64_of(made.key.public)} {proof}")


def own_keys(tournament: Tournament) -> list[Held]:
    """List the keys that the log signs its heads with; NotFound where it has none yet."""
    from ledger.rules.signing import active

    if own := active(tournament, 0):
        return list(own)
    raise NotFound("the log names no key of its own")

"""Keys of officials and of the log: `key` makes, registers, replaces and revokes them."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import acting_official, carry_out
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.find_people import find_official
from cli.input.options import Reason, Sealed  # noqa: TC001 - typer resolves it
from cli.machine import keyring
from cli.machine.keyring import (
    LOG,
    is_kept,
    key_is_away,
    key_path,
    new_passphrase,
    next_log_path,
    take_next_log_key,
    unlocked,
)
from cli.machine.trust import next_log_key
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show
from cli.terminal.tables import Column, for_program
from cli.verbs.proof.receipts import give_receipt, refuse_receipt
from ledger.errors import NotFound, Refused, Unsigned
from ledger.proof.notes import Signer, base64_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.keys import KeyRegistered
    from ledger.proof.signatures import Held

_ALREADY = "the key is registered"


def make_key(desk: Desk, official: int, *, sealed: bool) -> None:
    """Make an official's key, and register it, or show the line by which others do; or Refused."""
    from ledger.rules.keys import RegisterKey

    stream, entering = desk.book.stream, acting_official(desk)
    if before := _registered_before(desk):
        register_key(desk, official, before.public, before.proof)
    elif not _may_register(desk.tournament, entering, official):
        once(desk, partial(_hand_in, desk, official, sealed=sealed))
    else:
        made = _drawn(stream, official)
        order = RegisterKey(official, base64_of(made.key.public), _possession(made, desk, official))
        with suppress(Unsigned):
            desk.preview(order)  # what is refused leaves no key behind
        _keep(stream, official, made, sealed=sealed)
        carry_out(desk, order, _ALREADY)


def register_key(
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
    from ledger.facts.keys import holders_of
    from ledger.rules.signing import number_of

    holders, stream = holders_of(tournament), number_of(tournament)
    if holders.is_keyed(official):
        held = holders.active(official)
        return entering == official and any(is_here(stream, each) for each in held)
    return "organizer" in tournament.officials[entering].roles


def _registered_before(desk: Desk) -> KeyRegistered | None:
    """Return what this very id registered, so that it makes no second key; or Refused."""
    from ledger.facts.keys import KeyRegistered

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
    from ledger.facts.keys import holders_of

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


def agree_to_key(desk: Desk, official: int, public: str, proof: str) -> None:
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


def export_keys(desk: Desk, official: int) -> None:
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


NAMED_FROM = 8
"""How many characters of a key's text name it at least: what is revoked stays revoked."""


def revoke(desk: Desk, held: Held, reason: str, *, is_lost: bool) -> None:
    """Take a key out of use; the log's own gives way to a new one on this machine."""
    from ledger.rules.keys import RevokeKey

    path, keys = next_log_path(desk.book.stream), desk.tournament.keys
    is_agreed_to = not held.holder and is_kept(path) and unlocked(path).key.public in keys
    if held.holder or is_agreed_to:
        carry_out(desk, RevokeKey(base64_of(held.public), reason))
        if is_agreed_to:
            _sign_with_next(desk, is_followed=False)
        return
    if not is_lost and not is_kept(key_path(LOG, desk.book.stream)):
        raise Refused(
            f"{key_is_away()}, and it signs for the next one: renew it there, or where it is lost "
            "for good with `tourney key renew --lost --reason TEXT`"
        )
    successor = next_log_key(desk)
    if is_lost and _others_agree(desk):
        show(f"tourney key agree {LOG} {' '.join(successor)}")
        say(
            "two leaders agree to it: one enters this line (--as), another the line that it "
            "shows; then here the same again"
        )
        return
    lost = reason if is_lost else ""
    carry_out(desk, RevokeKey(base64_of(held.public), reason, *successor, lost=lost))
    _sign_with_next(desk, is_followed=not is_lost)


def _others_agree(desk: Desk) -> bool:
    """Whether the log's key is for two others to agree to, and this command did not land yet."""
    from ledger.facts.keys import holders_of
    from ledger.proof.signatures import AGREEING

    if desk.command_id in desk.book.tournament.ids:
        return False
    return len(holders_of(desk.tournament).agreeing(acting_official(desk))) >= AGREEING


def _sign_with_next(desk: Desk, *, is_followed: bool) -> None:
    take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    desk.heads.sign()  # else nothing covers the lines until somebody does
    how = "did not sign for it: hand out `tourney checkpoint --policy` again"
    if is_followed:
        how = "signed for it: who has the policy can go on with it"
    say(f"the key before {how}")


def key_named(tournament: Tournament, beginning: str) -> Held:
    """Find a registered key by how its text begins; UsageError where that is short, NotFound."""
    if len(beginning) < NAMED_FROM:
        raise UsageError(
            f"a key is named by {NAMED_FROM} of its first characters or more: "
            "`tourney key list` shows them"
        )
    found = [
        each for each in tournament.keys.values() if base64_of(each.public).startswith(beginning)
    ]
    if len(found) != 1:
        raise NotFound(f"{len(found)} registered keys begin so: `tourney key list` shows them")
    return found[0]


def replace_draw_key(desk: Desk, reason: str, *, sealed: bool) -> None:
    """Go on with another key of the draws, perhaps `sealed`, in place of one lost for good."""
    from cli.machine.draw_keys import another_draw_key
    from ledger.rules.keys import ReplaceShuffleKey

    if desk.command_id not in desk.book.tournament.ids:
        with suppress(Unsigned):
            desk.preview(ReplaceShuffleKey("0" * 64, reason))  # what is refused leaves no key
    commitment = another_draw_key(desk.book, desk.command_id, sealed=sealed)
    carry_out(desk, ReplaceShuffleKey(commitment, reason))
    say("post the new commitment: it proves later that nobody chose the draws from here on")


Whose = Annotated[str, typer.Argument(metavar="[OFFICIAL]", help="Default: who is at the desk.")]
Holder = Annotated[str, typer.Argument(metavar="OFFICIAL", help="Or log: the log's own key.")]
Public = Annotated[str, typer.Argument(metavar="KEY", help="As `key new` shows it.")]
Proof = Annotated[str, typer.Argument(metavar="PROOF", help="Shown beside the key.")]
Lost = Annotated[bool, typer.Option("--lost", help="The key before is lost.")]
Receipt = Annotated[
    OutFile, typer.Option("--receipt", metavar="FILE", help="Proof of that line, for its holder.")
]

_KEYS = (
    Column("key"),
    for_program("of", key="holder"),
    Column("holder", flexible=True, key="name"),
    Column("since", right=True),
    Column("until", right=True),
    Column("", key="here", text=lambda each: "here" if each["here"] else ""),
)


@shows_table
def list_keys(desk: Desk) -> None:
    """List the keys, and which are on this computer."""
    from ledger.proof.notes import base64_of

    tournament = desk.tournament
    keys = [
        {
            "key": base64_of(held.public),
            "holder": f"o{held.holder}" if held.holder else "log",
            "name": tournament.names.get(f"o{held.holder}", "") if held.holder else "the log",
            "since": held.since,
            "until": held.until or None,
            "here": is_here(desk.book.stream, held),
        }
        for held in tournament.keys.values()
    ]
    show_records(desk, _KEYS, keys)


def new(
    desk: Desk,
    official: Whose = "",
    passphrase: Sealed = False,
    reader: Annotated[
        str, typer.Option("--reader", metavar="NAME", help="A key to read what is sealed for it.")
    ] = "",
    receipt: Receipt = NO_OUTPUT,
) -> None:
    """Make a key for an official to sign with, and register it.

    From its registration on, an official's rulings, penalties, corrections and disqualifications
    count only with their signature. On another machine than the organizer's this prints the line
    that the organizer registers. A --reader's key signs nothing: others seal with it what this
    machine alone can read.

        tourney key new "Pat Jones" --passphrase
        tourney key new --reader league.example
    """
    refuse_receipt(desk, receipt)
    if reader and official:
        raise UsageError("a key is an official's or, with --reader, of one who reads: not both")
    if reader:
        once(desk, partial(_new_reader, reader, sealed=passphrase))
        return
    make_key(desk, _official(desk, official), sealed=passphrase)
    give_receipt(desk, receipt)


def register(
    desk: Desk,
    official: Holder,
    public: Public,
    proof: Proof,
    second: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LEADER CONSENT]", help="Who agrees, as `key agree` shows it."),
    ] = None,
    lost: Lost = False,
    reason: Reason = "",
    receipt: Receipt = NO_OUTPUT,
) -> None:
    """Register a key that was made on another computer.

    A further key takes the one before, or two leaders: one prints a line by `key agree`, the other
    enters it. Where fewer than two hold a key, the log's key signs (--lost --reason).
    """
    agreed = second or []
    if len(agreed) not in {0, 2}:
        raise UsageError("key register takes a second leader with what `key agree` shows")
    if lost:
        needs_reason(reason, "key register")
    refuse_receipt(desk, receipt)
    agrees = (find_official(desk.tournament, agreed[0]), agreed[1]) if agreed else (0, "")
    order = (_holder(desk, official), public, proof, *agrees, reason if lost else "")
    register_key(desk, *order)
    give_receipt(desk, receipt)


def agree(desk: Desk, official: Holder, public: Public, proof: Proof) -> None:
    """Agree to another leader's key, and show the line to enter.

    tourney key agree o2 KEY PROOF --as o3
    """
    agree_to_key(desk, _holder(desk, official), public, proof)


def revoke_key(desk: Desk, public: Public, lost: Lost = False, reason: Reason = "") -> None:
    """Revoke a key.

    Where it is the log's own, another one is made here that signs its heads from then on. Readers
    follow where the old key is here and signs for it; with --lost they learn that it did not.

    tourney key revoke KEY --reason "the laptop was stolen"
    """
    needs_reason(reason, "key revoke")
    revoke(desk, key_named(desk.tournament, public), reason, is_lost=lost)


def renew(desk: Desk, lost: Lost = False, reason: Reason = "") -> None:
    """Replace the log's own key with a new one."""
    needs_reason(reason, "key renew")
    revoke(desk, own_keys(desk.tournament)[0], reason, is_lost=lost)


def export(desk: Desk, official: Whose = "") -> None:
    """Show the lines that register an official's keys on this computer."""
    export_keys(desk, _official(desk, official))


def draws(desk: Desk, passphrase: Sealed = False, reason: Reason = "") -> None:
    """Replace the key of the draws if it is permanently lost.

    It is a file here where the one before was a machine's. What was drawn before can then never be
    shown again.
    """
    needs_reason(reason, "key draws")
    replace_draw_key(desk, reason, sealed=passphrase)


def hidden(desk: Desk, reason: Reason = "") -> None:
    """Replace the key of hidden cards if it is lost.

    What was sealed before can then never be opened.
    """
    from ledger.books.vault import HIDDEN
    from ledger.rules.keys import ReplaceHiddenKey

    needs_reason(reason, "key hidden")
    carry_out(desk, ReplaceHiddenKey(desk.book.another_secret(HIDDEN, desk.command_id), reason))


def _official(desk: Desk, words: str) -> int:
    return find_official(desk.tournament, words) if words else acting_official(desk)


def _holder(desk: Desk, words: str) -> int:
    """Find whose key is meant: an official's, or the log's own."""
    return 0 if words == LOG else find_official(desk.tournament, words)


def _new_reader(name: str, *, sealed: bool) -> None:
    """Make a key pair to read with, and show the line that others seal with."""
    from cli.machine.backup_keys import new_reader

    path, reader = new_reader(name, new_passphrase("the new key") if sealed else "")
    show(reader.text)
    say(
        f"{path}: keep a copy of it in a safe place; the line is for all who seal something for you"
    )

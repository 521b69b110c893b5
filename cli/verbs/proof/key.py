"""Keys of officials and of the log: `key` makes, registers, replaces and revokes them."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import act_as_json, acting_official, answer, carry_out
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.find_people import find_official
from cli.input.options import NeededReason, Sealed, reason_with
from cli.languages.speaking import marked, tr
from cli.machine import keyring
from cli.machine.keyring import (
    LOG,
    MAKE_FIRST,
    RENEW_LOST,
    is_kept,
    key_is_away,
    key_path,
    new_passphrase,
    next_log_path,
    take_next_log_key,
    unlocked,
)
from cli.machine.trust import next_log_key, register_log_key
from cli.render.records import show_records, shows_table
from cli.succession.key_words import (
    is_of_follower,
    key_to_renew,
    refuse_if_it_follows,
    what_phones_ask,
)
from cli.terminal.output import say, show, show_json
from cli.terminal.tables import Column, for_program
from cli.verbs.proof.receipts import give_receipt, refuse_receipt
from ledger.errors import NotFound, Refused, Unsigned
from ledger.problems import phrase
from ledger.proof.notes import Signer, base64_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.keys import KeyRegistered
    from ledger.lines.recorded import Recorded
    from ledger.proof.signatures import Held
    from ledger.rules.keys import RevokeKey

_ALREADY = marked("the key is registered")


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
        carry_out(desk, order, tr(_ALREADY))


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

    carry_out(desk, RegisterKey(official, public, proof, agreeing, consent, lost), tr(_ALREADY))


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
            phrase(
                "the id {id} was used for another command (event {event}): omit --id to "
                "use a new one",
                id=desk.command_id,
                event=landed or 0,
            )
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
            tr(
                "two leaders with keys must agree: the first enters this line with `agree` in "
                "place of `register`; the second enters the line that the first is then shown; "
                "if fewer than two other leaders have keys, enter this line with --lost --reason "
                "TEXT on the computer with the log's key"
            )
        )
    else:
        say(tr("the organizer must enter this line to register the key"))


def _drawn(stream: str, official: int) -> Signer:
    from ledger.proof.notes import SEED_BYTES, signer
    from ledger.proof.signatures import origin_of

    return signer(f"{origin_of(stream)}/o{official}", os.urandom(SEED_BYTES))


def _keep(stream: str, official: int, made: Signer, *, sealed: bool) -> None:
    """Write a key to a file of its own, sealed with a passphrase that is asked for."""
    typed = keyring.new_passphrase(tr("the new key")) if sealed else ""
    path = keyring.official_path(stream, official, made.key.public)
    with keyring.proving():
        keyring.keep_key(path, made, typed)
    say(tr("{path}: keep a copy of it in a safe place", path=path))


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
            say(tr("another leader with a key must enter this line to register it"))
            return
    raise NotFound(
        phrase(
            "{folder} on this computer has no signing key of {official}",
            folder=str(keyring.folder()),
            official=f"o{agreeing}",
        )
    )


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
        raise NotFound(
            phrase(
                "{folder} on this computer has no key of {official}",
                folder=str(keyring.folder()),
                official=f"o{official}",
            )
        )
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
    raise NotFound(phrase("this log has no key yet: {command} makes it", command=MAKE_FIRST))


NAMED_FROM = 8
"""How many characters of a key's text name it at least: what is revoked stays revoked."""


def revoke(desk: Desk, held: Held, reason: str, *, is_lost: bool) -> None:
    """Take a key out of use; the log's own gives way to a new one on this machine."""
    from ledger.rules.keys import RevokeKey

    path, keys = next_log_path(desk.book.stream), desk.tournament.keys
    is_agreed_to = not held.holder and is_kept(path) and unlocked(path).key.public in keys
    if held.holder or is_of_follower(desk, held):
        carry_out(desk, RevokeKey(base64_of(held.public), reason))
        return
    if is_lost:
        refuse_if_it_follows(desk)
    if is_agreed_to:
        _succeed(desk, RevokeKey(base64_of(held.public), reason), is_followed=False)
        return
    if not is_lost and not is_kept(key_path(LOG, desk.book.stream)):
        raise Refused(
            phrase(
                "the key before must sign for the next one, so renew it on the computer that has "
                "it: {reason}",
                reason=key_is_away(),
            )
        )
    successor = next_log_key(desk)
    if is_lost and _others_agree(desk):
        show(f"tourney key agree {LOG} {' '.join(successor)}")
        say(
            tr(
                "two leaders must agree: one enters this line (--as), another the line that it "
                "shows; then use {command}",
                command=RENEW_LOST,
            )
        )
        return
    lost = reason if is_lost else ""
    order = RevokeKey(base64_of(held.public), reason, *successor, lost=lost)
    _succeed(desk, order, is_followed=not is_lost)


def _make_log_key(desk: Desk) -> None:
    """Make the first key of a log, and sign its head with it; Refused where the log has a key."""
    from ledger.rules.signing import active

    has_landed = desk.command_id in desk.book.tournament.ids
    if active(desk.tournament, 0) and not has_landed:
        raise Refused(phrase("the log has a key: `tourney key renew --reason TEXT` replaces it"))
    _answer_signed(desk, register_log_key(desk, desk.command_id))
    say(tr("the log's key is made: `checkpoint --policy` pins it"))


def _answer_signed(desk: Desk, recorded: list[Recorded]) -> None:
    """Answer an act by which the log has another key, and sign the head of its lines."""
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    answer(desk, recorded)
    desk.heads.sign()  # else nothing covers the lines until somebody does


def _others_agree(desk: Desk) -> bool:
    """Whether the log's key is for two others to agree to, and this command did not land yet."""
    from ledger.facts.keys import holders_of
    from ledger.proof.signatures import AGREEING

    if desk.command_id in desk.book.tournament.ids:
        return False
    return len(holders_of(desk.tournament).agreeing(acting_official(desk))) >= AGREEING


def _succeed(desk: Desk, order: RevokeKey, *, is_followed: bool) -> None:
    """Take the log's key out of use, and sign with the next one from here on."""
    recorded = desk.act(order)
    take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    _answer_signed(desk, recorded)
    if is_followed:
        say(tr("the previous key signed for the new one: the published policy stays valid"))
    else:
        text = tr(
            "the previous key did not sign for the new one: publish `tourney checkpoint --policy` "
            "again"
        )
        say(text)
    if order.lost:
        say(what_phones_ask(desk))


def key_named(tournament: Tournament, beginning: str) -> Held:
    """Find a registered key by how its text begins; UsageError where that is short, NotFound."""
    if len(beginning) < NAMED_FROM:
        raise UsageError(
            tr(
                "give at least the first {least} characters of the key, as `tourney key` shows it",
                least=NAMED_FROM,
            )
        )
    found = [key for key in tournament.keys.values() if base64_of(key.public).startswith(beginning)]
    if len(found) != 1:
        raise NotFound(
            phrase(
                "{count} registered keys begin with {beginning}: see `tourney key`",
                count=len(found),
                beginning=f"{beginning!r}",
            )
        )
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
    say(tr("post the new commitment: it will prove that no person chose the draws that follow"))


Whose = Annotated[
    str, typer.Argument(metavar="[OFFICIAL]", help="Default: the official at the desk.")
]
NewWhose = Annotated[
    str,
    typer.Argument(
        metavar="[OFFICIAL|log]", help="Default: the official at the desk; log: the log itself."
    ),
]
Holder = Annotated[
    str, typer.Argument(metavar="OFFICIAL", help="An official; or log: the log's own key.")
]
Public = Annotated[str, typer.Argument(metavar="KEY", help="The key, as `key new` shows it.")]
Proof = Annotated[str, typer.Argument(metavar="PROOF", help="The proof shown next to the key.")]
Lost = Annotated[bool, typer.Option("--lost", help="The previous key is lost.")]
Receipt = Annotated[
    OutFile,
    typer.Option(
        "--receipt",
        metavar="FILE",
        help="Write a receipt of the registration for the key's holder.",
    ),
]


def _holder_of(holder: str, name: str) -> str:
    return name if holder != LOG else tr("the log")


_KEYS = (
    Column(marked("key")),
    for_program("of", key="holder"),
    Column(
        marked("holder"),
        flexible=True,
        key="name",
        text=lambda each: _holder_of(each["holder"], each["name"]),
    ),
    Column(marked("since"), right=True),
    Column(marked("until"), right=True),
    Column("", key="here", text=lambda each: tr("here") if each["here"] else ""),
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
    empty = tr(
        "no keys yet: {command} makes that of the log, `key new` that of an official",
        command=MAKE_FIRST,
    )
    show_records(desk, _KEYS, keys, empty=empty)


def new(
    desk: Desk,
    official: NewWhose = "",
    passphrase: Sealed = False,
    reader: Annotated[
        str,
        typer.Option(
            "--reader", metavar="NAME", help="Make a reader's key instead, to open sealed files."
        ),
    ] = "",
    receipt: Receipt = NO_OUTPUT,
) -> None:
    """Make a key for an official to sign with, and register it.

    After the registration, rulings, penalties, corrections and disqualifications of the official
    count only with their signature. On a computer that is not the organizer's, this prints the
    line with which the organizer registers the key. A --reader's key signs nothing: other people
    use it to seal files that only this computer can open.

    A log that was imported may have no key of its own: `key new log` makes one on this computer,
    which signs the heads from then on.

        tourney key new "Pat Jones" --passphrase
        tourney key new --reader league.example
        tourney key new log
    """
    if official == LOG and (receipt or passphrase):
        raise UsageError(tr("--receipt and --passphrase are for an official's key: omit them"))
    refuse_receipt(desk, receipt)
    if reader and official:
        raise UsageError(tr("choose one: an official's key, or a reader's key with --reader"))
    if reader:
        once(desk, partial(_new_reader, reader, sealed=passphrase))
        return
    if official == LOG:
        _make_log_key(desk)
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
        typer.Argument(
            metavar="[LEADER CONSENT]", help="The leader who agrees, as `key agree` shows it."
        ),
    ] = None,
    lost: Lost = False,
    reason: Annotated[str, reason_with("--lost")] = "",
    receipt: Receipt = NO_OUTPUT,
) -> None:
    """Register a key that was made on another computer.

    To register a further key of an official, sign with their previous key, or have two leaders
    agree: one prints a line with `key agree`, the other enters it. If fewer than two leaders have
    keys, the log's key signs (--lost --reason).
    """
    agreed = second or []
    if len(agreed) not in {0, 2}:
        raise UsageError(
            tr("key register takes LEADER and CONSENT together, as `key agree` shows them")
        )
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


def revoke_key(desk: Desk, public: Public, lost: Lost = False, reason: NeededReason = "") -> None:
    """Revoke a key.

    If it is the log's own key, a new one is made on this computer, which signs the heads from then
    on. Readers accept the new key if the old one is on this computer and signs for it; with --lost
    they are told that it did not.

    tourney key revoke KEY --reason "the laptop was stolen"
    """
    needs_reason(reason, "key revoke")
    revoke(desk, key_named(desk.tournament, public), reason, is_lost=lost)


def renew(desk: Desk, lost: Lost = False, reason: NeededReason = "") -> None:
    """Replace the log's own key with a new one."""
    needs_reason(reason, "key renew")
    revoke(desk, key_to_renew(desk, own_keys(desk.tournament)), reason, is_lost=lost)


def export(desk: Desk, official: Whose = "") -> None:
    """Show the lines that register an official's keys on this computer."""
    export_keys(desk, _official(desk, official))


def draws(desk: Desk, passphrase: Sealed = False, reason: NeededReason = "") -> None:
    """Replace the key of the draws if it is permanently lost.

    If the old key was kept on one computer, the new key is a file on this computer. Draws made with
    the old key can then never be checked again.
    """
    needs_reason(reason, "key draws")
    replace_draw_key(desk, reason, sealed=passphrase)


def hidden(desk: Desk, reason: NeededReason = "") -> None:
    """Replace the key of hidden cards if it is lost.

    Cards sealed with the old key can then never be opened.
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

    path, reader = new_reader(name, new_passphrase(tr("the new key")) if sealed else "")
    show(reader.text)
    say(
        tr(
            "{path}: keep a copy of it in a safe place; give the line to those who seal "
            "files for you",
            path=path,
        )
    )

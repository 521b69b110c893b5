"""`key`: officials' keys on this machine, who holds which one, and another key for the draws."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import acting_official, carry_out, desk_of
from cli.desk.answers import once
from cli.desk.replacing import replace_secret
from cli.input.arguments import UsageError
from cli.input.people import find_official
from cli.keys.keyring import (
    LOG,
    keep_key,
    log_signer,
    new_passphrase,
    official_path,
    proving,
    unlocked,
)
from cli.render.records import show_records, shows_table
from cli.terminal.diagnostics import say
from cli.terminal.output import show
from cli.terminal.tables import Column
from cli.verbs.proof.receipts import give_receipt, refuse_receipt
from cli.verbs.proof.revoking import meant, revoke
from ledger.errors import NotFound, Refused, Unsigned

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.events.keys import KeyRegistered
    from ledger.proof.evidence.notes import Signer
    from ledger.proof.holders import Held
    from ledger.tournament.state import Tournament

Whose = Annotated[str, typer.Argument(metavar="[OFFICIAL]", help="Default: who is at the desk.")]
Holder = Annotated[str, typer.Argument(metavar="OFFICIAL", help="Or log: the log's own key.")]
Public = Annotated[str, typer.Argument(metavar="KEY", help="As `key new` shows it.")]
Proof = Annotated[str, typer.Argument(metavar="PROOF", help="Shown beside the key.")]
Sealed = Annotated[bool, typer.Option("--passphrase", help="A sealed file, which asks for it.")]
Lost = Annotated[bool, typer.Option("--lost", help="The key before is lost.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]
Receipt = Annotated[
    str, typer.Option("--receipt", metavar="FILE", help="Proof of that line, for its holder.")
]

_KEYS = (
    Column("key"),
    Column("of", key="holder", only="program"),
    Column("holder", flexible=True, key="name"),
    Column("since", right=True),
    Column("until", right=True),
    Column("", key="here", text=lambda each: "here" if each["here"] else ""),
)


@shows_table
def list_keys(context: typer.Context) -> None:
    """List the keys, and which are on this machine."""
    desk = desk_of(context)
    tournament = desk.tournament
    keys = [
        {
            "key": _text(held.public),
            "holder": f"o{held.holder}" if held.holder else "log",
            "name": tournament.names.get(f"o{held.holder}", "") if held.holder else "the log",
            "since": held.since,
            "until": held.until or None,
            "here": _is_here(desk.book.stream, held),
        }
        for held in tournament.keys.values()
    ]
    show_records(desk, _KEYS, keys)


def new(
    context: typer.Context,
    official: Whose = "",
    passphrase: Sealed = False,
    reader: Annotated[
        str, typer.Option("--reader", metavar="NAME", help="A key to read what is sealed for it.")
    ] = "",
    receipt: Receipt = "",
) -> None:
    """Make a key that an official signs with, and register it.

    From its registration on, an official's rulings, penalties, corrections and disqualifications
    count only with their signature. On another machine than the organizer's this prints the line
    that the organizer registers. A --reader's key signs nothing: others seal with it what this
    machine alone can read.

        tourney key new "Pat Jones" --passphrase
        tourney key new --reader league.example
    """
    desk = desk_of(context)
    refuse_receipt(desk, receipt)
    _new(desk, [official] if official else [], reader, sealed=passphrase)
    give_receipt(desk, "" if reader else "new", receipt)


def register(
    context: typer.Context,
    official: Holder,
    public: Public,
    proof: Proof,
    second: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LEADER CONSENT]", help="Who agrees, as `key agree` shows it."),
    ] = None,
    lost: Lost = False,
    reason: Why = "",
    receipt: Receipt = "",
) -> None:
    """Register a key that was made on another machine.

    A further key takes the one before, or two leaders: one prints a line by `key agree`, the other
    enters it. Where fewer than two hold a key, the log's key signs (--lost --reason).
    """
    desk = desk_of(context)
    agreed = second or []
    if len(agreed) not in {0, 2}:
        raise UsageError("key register takes a second leader with what `key agree` shows")
    _needs_reason("register", reason, is_needed=lost)
    refuse_receipt(desk, receipt)
    _register(desk, [official, public, proof, *agreed], reason if lost else "")
    give_receipt(desk, "register", receipt)


def agree(context: typer.Context, official: Holder, public: Public, proof: Proof) -> None:
    """Agree to another leader's key, by a line that is entered.

    tourney key agree o2 KEY PROOF --as o3
    """
    desk = desk_of(context)
    _agree(desk, _holder(desk, official), public, proof)


def revoke_key(
    context: typer.Context, public: Public, lost: Lost = False, reason: Why = ""
) -> None:
    """Take a key out of use.

    Where it is the log's own, another one is made here that signs its heads from then on. Readers
    follow where the old key is here and signs for it; with --lost they learn that it did not.

    tourney key revoke KEY --reason "the laptop was stolen"
    """
    desk = desk_of(context)
    _needs_reason("revoke", reason)
    revoke(desk, meant(desk.tournament, [public]), reason, is_lost=lost)


def renew(context: typer.Context, lost: Lost = False, reason: Why = "") -> None:
    """Replace the log's own key by a new one."""
    desk = desk_of(context)
    _needs_reason("renew", reason)
    revoke(desk, meant(desk.tournament, []), reason, is_lost=lost)


def export(context: typer.Context, official: Whose = "") -> None:
    """Show the lines that register an official's keys here."""
    desk = desk_of(context)
    _export(desk, _official(desk, [official] if official else []))


def draws(context: typer.Context, passphrase: Sealed = False, reason: Why = "") -> None:
    """Draw another key of the draws, where it is lost for good.

    It is a file here where the one before was a machine's. What was drawn before can then never be
    shown again.
    """
    _needs_reason("draws", reason)
    replace_secret(desk_of(context), "draws", reason, sealed=passphrase)


def hidden(context: typer.Context, reason: Why = "") -> None:
    """Draw another key of hidden cards, where it is lost.

    What was sealed before can then never be opened.
    """
    _needs_reason("hidden", reason)
    replace_secret(desk_of(context), "hidden", reason, sealed=False)


def _needs_reason(act: str, reason: str, *, is_needed: bool = True) -> None:
    if is_needed and not reason.strip():
        raise UsageError(f"key {act} needs --reason")


def _official(desk: Desk, words: list[str]) -> int:
    if words:
        return find_official(desk.tournament, words[0])
    return acting_official(desk)


def _holder(desk: Desk, words: str) -> int:
    """Find whose key is meant: an official's, or the log's own."""
    return 0 if words == LOG else find_official(desk.tournament, words)


def _text(public: bytes) -> str:
    from ledger.proof.evidence.notes import base64_of

    return base64_of(public)


def _new(desk: Desk, words: list[str], reader: str, *, sealed: bool) -> None:
    if reader and words:
        raise UsageError("a key is an official's or, with --reader, of one who reads: not both")
    if reader:
        once(desk, partial(_new_reader, reader, sealed=sealed))
    else:
        _new_official(desk, _official(desk, words), sealed=sealed)


def _new_official(desk: Desk, official: int, *, sealed: bool) -> None:
    from ledger.decisions.keys import RegisterKey

    stream, entering = desk.book.stream, acting_official(desk)
    if before := _registered_before(desk):
        _register(desk, [f"o{official}", before.public, before.proof])
        return
    if not _may_register(desk.tournament, entering, official):
        once(desk, partial(_hand_in, desk, official, sealed=sealed))
        return
    made = _drawn(stream, official)
    order = RegisterKey(official, _text(made.key.public), _possession(made, stream, official))
    with suppress(Unsigned):
        desk.preview(order)  # what is refused leaves no key behind
    _keep(stream, official, made, sealed=sealed)
    _register(desk, [f"o{official}", order.public, order.proof])


def _may_register(tournament: Tournament, entering: int, official: int) -> bool:
    """Whether a key is registered from here: a first one by the organizer, else by its holder.

    The holder signs for it with the key before, which has to be on this machine.
    """
    from ledger.checks.authority.signing import number_of
    from ledger.tournament.keyholders import holders_of

    holders, stream = holders_of(tournament), number_of(tournament)
    if holders.is_keyed(official):
        held = holders.active(official)
        return entering == official and any(_is_here(stream, each) for each in held)
    return "organizer" in tournament.officials[entering].roles


def _new_reader(name: str, *, sealed: bool) -> None:
    """Make a key pair to read with, and show the line that others seal with."""
    from cli.keys.readers import new_reader

    path, reader = new_reader(name, new_passphrase("the new key") if sealed else "")
    show(reader.text)
    say(
        f"{path}: keep a copy of it in a safe place; the line is for all who seal something for you"
    )


def _registered_before(desk: Desk) -> KeyRegistered | None:
    """Return what this very id registered: typed again, it makes no second key.

    Raises:
        Refused: the id belongs to another act.
    """
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
    proof = _possession(made, stream, official)
    show(f"tourney key register o{official} {_text(made.key.public)} {proof}")
    if holders_of(desk.tournament).is_keyed(official):
        say(
            "two leaders who hold keys enter it: one types this line with `agree` for `register`, "
            "the other types what that prints; where fewer than two others hold one, this line "
            "with --lost --reason TEXT, on the machine with the log's key"
        )
    else:
        say("the organizer registers it with this line")


def _drawn(stream: str, official: int) -> Signer:
    from ledger.proof.acts import origin_of
    from ledger.proof.evidence.notes import SEED_BYTES, signer

    return signer(f"{origin_of(stream)}/o{official}", os.urandom(SEED_BYTES))


def _keep(stream: str, official: int, made: Signer, *, sealed: bool) -> None:
    """Write a key to a file of its own, sealed with a passphrase that is asked for."""
    phrase = new_passphrase("the new key") if sealed else ""
    path = official_path(stream, official, made.key.public)
    with proving():
        keep_key(path, made, phrase)
    say(f"{path}: keep a copy of it in a safe place")


def _possession(made: Signer, stream: str, official: int) -> str:
    from ledger.proof.holders import possession

    return _text(made.sign(possession(stream, official, _text(made.key.public))))


def _register(desk: Desk, words: list[str], lost: str = "") -> None:
    """Register a key: whose, the key, its proof, and perhaps the leader who agrees, and how."""
    from ledger.decisions.keys import RegisterKey

    official, public, proof, *second = words
    agrees = (find_official(desk.tournament, second[0]), second[1]) if second else (0, "")
    order = RegisterKey(_holder(desk, official), public, proof, *agrees, lost)
    carry_out(desk, order, "the key is registered")


def _agree(desk: Desk, official: int, public: str, proof: str) -> None:
    """Sign for another's key, and show the line by which a first leader registers it."""
    from cli.keys.keyring import folder
    from ledger.checks.authority.signing import active
    from ledger.proof.holders import consent

    agreeing = acting_official(desk)
    stream = desk.book.stream
    for held in active(desk.tournament, agreeing):
        path = official_path(stream, agreeing, held.public)
        if path.exists():
            agreed = _text(unlocked(path).sign(consent(stream, official, public)))
            whose = f"o{official}" if official else LOG
            show(f"tourney key register {whose} {public} {proof} o{agreeing} {agreed}")
            say("another leader who holds a key registers it with this line")
            return
    raise NotFound(f"no key that o{agreeing} signs with is in {folder()} here")


def _is_here(stream: str, held: Held) -> bool:
    if held.holder:
        return official_path(stream, held.holder, held.public).exists()
    made = log_signer(stream)
    return made is not None and made.key.public == held.public


def _export(desk: Desk, official: int) -> None:
    """Show what registers the official's key on this machine: the key and its proof."""
    from cli.keys.keyring import folder

    stream = desk.book.stream
    paths = sorted(folder().glob(f"o{official}-*-{stream}.key"))
    if not paths:
        raise NotFound(f"no key of o{official} is in {folder()} here")
    for path in paths:
        made = unlocked(path)
        proof = _possession(made, stream, official)
        show(f"tourney key register o{official} {_text(made.key.public)} {proof}")

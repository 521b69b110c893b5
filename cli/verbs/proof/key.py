"""`key`: officials' keys on this machine, who holds which one, and another key for the draws."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cli.desk.acts import acting_official, carry_out
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.find_people import find_official
from cli.input.options import Reason, Sealed  # noqa: TC001 - typer resolves them
from cli.machine.keyring import LOG, new_passphrase
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show
from cli.terminal.tables import Column, for_program
from cli.verbs.proof import registering
from cli.verbs.proof.receipts import give_receipt, refuse_receipt
from cli.verbs.proof.revoking import key_named, replace_draw_key, revoke

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
    """List the keys, and which are on this machine."""
    from ledger.proof.notes import base64_of

    tournament = desk.tournament
    keys = [
        {
            "key": base64_of(held.public),
            "holder": f"o{held.holder}" if held.holder else "log",
            "name": tournament.names.get(f"o{held.holder}", "") if held.holder else "the log",
            "since": held.since,
            "until": held.until or None,
            "here": registering.is_here(desk.book.stream, held),
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
    """Make a key that an official signs with, and register it.

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
    registering.new(desk, _official(desk, official), sealed=passphrase)
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
    """Register a key that was made on another machine.

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
    registering.register(desk, *order)
    give_receipt(desk, receipt)


def agree(desk: Desk, official: Holder, public: Public, proof: Proof) -> None:
    """Agree to another leader's key, by a line that is entered.

    tourney key agree o2 KEY PROOF --as o3
    """
    registering.agree(desk, _holder(desk, official), public, proof)


def revoke_key(desk: Desk, public: Public, lost: Lost = False, reason: Reason = "") -> None:
    """Take a key out of use.

    Where it is the log's own, another one is made here that signs its heads from then on. Readers
    follow where the old key is here and signs for it; with --lost they learn that it did not.

    tourney key revoke KEY --reason "the laptop was stolen"
    """
    needs_reason(reason, "key revoke")
    revoke(desk, key_named(desk.tournament, public), reason, is_lost=lost)


def renew(desk: Desk, lost: Lost = False, reason: Reason = "") -> None:
    """Replace the log's own key by a new one."""
    needs_reason(reason, "key renew")
    revoke(desk, registering.own_keys(desk.tournament)[0], reason, is_lost=lost)


def export(desk: Desk, official: Whose = "") -> None:
    """Show the lines that register an official's keys here."""
    registering.export(desk, _official(desk, official))


def draws(desk: Desk, passphrase: Sealed = False, reason: Reason = "") -> None:
    """Draw another key of the draws, where it is lost for good.

    It is a file here where the one before was a machine's. What was drawn before can then never be
    shown again.
    """
    needs_reason(reason, "key draws")
    replace_draw_key(desk, reason, sealed=passphrase)


def hidden(desk: Desk, reason: Reason = "") -> None:
    """Draw another key of hidden cards, where it is lost.

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

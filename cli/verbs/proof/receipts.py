"""Receipts where other verbs have to do with them: checked, and given for the line of a key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.keys.keyring import key_is_away, log_signer
from cli.terminal.diagnostics import say
from ledger.errors import InvalidLog, Refused

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.events import Event
    from ledger.proof.policy import Pins, Policy
    from ledger.proof.table import CheckTable


def is_receipt(path: Path) -> bool:
    """Whether a file begins as a receipt."""
    from ledger.files.access import first_bytes
    from ledger.proof.evidence.receipts import HEADER

    return first_bytes(path, len(HEADER)) == HEADER.encode()


def checked(path: Path, policy: Policy | None) -> CheckTable:
    """Check a receipt; what it shows, as a table.

    Raises:
        InvalidLog: it shows nothing, or there is no policy.
        Invalid: it is wrong, or registers a key that the policy does not pin.
    """
    from ledger.files.access import whole
    from ledger.lines.line import read
    from ledger.proof.evidence.receipts import check_receipt, parse_receipt
    from projections.verification.closing_table import of_receipt

    receipt = parse_receipt(whole(path))
    if policy is None:
        raise InvalidLog("a receipt needs --policy: nothing in it is trusted to say who signs")
    if not receipt.extra:
        raise InvalidLog("this receipt does not hold its event: ask for it as a file")
    head = check_receipt(receipt, receipt.extra, policy)
    recorded = read(receipt.extra)
    if recorded.seq != receipt.position + 1:
        raise InvalidLog(f"event {recorded.seq} stands at place {receipt.position + 1} of the log")
    further = _key_in(recorded.event, policy.pins_of(head.origin))
    return of_receipt(head, policy.open(receipt.note)[2], recorded, further)


def _key_in(event: Event, pins: Pins) -> str:
    """Say whose key an event registers; empty where it is about none.

    Raises:
        Invalid: the policy does not pin it, and pins others.
    """
    from ledger.events.keys import KeyRegistered
    from ledger.proof.formats import unbase64
    from ledger.proof.pins import Pinning

    if not isinstance(event, KeyRegistered):
        return ""
    if not event.holder:
        return f": the key {event.public} of the log"
    pinning = Pinning(pins)
    pinning.hold_key(event.holder, unbase64(event.public), is_signed_for=False)
    is_pinned = pinning.is_pinned(event.holder)
    whose = f": the key {event.public} of o{event.holder}"
    return f"{whose}, which the policy pins" if is_pinned else whose


def refuse_receipt(desk: Desk, output: str) -> None:
    """Refuse what cannot be written later, before anything is on record."""
    from ledger.files.access import refuse_to_replace

    if not output:
        return
    if log_signer(desk.book.stream) is None:
        raise Refused(f"{key_is_away()}, and it signs the head of a receipt: leave --receipt out")
    refuse_to_replace(Path(output))


def give_receipt(desk: Desk, act: str, output: str) -> None:
    """Write the receipt of the line that registered a key, or say how it is written.

    There is no such line where the key was handed in, for others to register.
    """
    from cli.verbs.proof.heads import write_receipt_of
    from ledger.events.keys import KeyRegistered

    at = desk.book.tournament.ids.get(desk.command_id) if act in {"new", "register"} else None
    event = desk.book.recorded_at(at).event if at else None
    if not at or not isinstance(event, KeyRegistered):
        return
    if output:
        write_receipt_of(desk, at, output)
        return
    where = "" if log_signer(desk.book.stream) else ", where the log's key is"
    whose = f"o{event.holder}" if event.holder else "log"
    how = f"tourney receipt '#{at}' -o {whose}.tlog-proof"
    say(f"a receipt for the holder, that this very key stands in the log{where}: {how}")

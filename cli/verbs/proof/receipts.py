"""Papers for one holder: `receipt` proves an event, `evidence` is one page about a match.

Other verbs check receipts and give them, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_OUTPUT, InFile, OutFile
from cli.input.matches import find_match
from cli.input.options import option, word
from cli.languages.speaking import in_figures, tr, tr_many
from cli.machine.keyring import key_is_missing, log_signer
from cli.machine.trust import signed_head
from cli.render.records import show_value
from cli.terminal.output import say, write_bytes
from ledger.errors import InvalidLog, LedgerError, NotFound, Refused
from ledger.lines.sealing import texts
from ledger.problems import phrase
from ledger.tournament.state import Match

if TYPE_CHECKING:
    from cli.render.evidence_pages import PrintedReceipt
    from ledger.facts.base import Event
    from ledger.facts.shared import Result
    from ledger.proof.evidence import Receipt
    from ledger.proof.policy import Pins, Policy
    from ledger.proof.table import CheckTable


def receipt(
    desk: Desk,
    match: Annotated[str, typer.Argument(metavar="R/T|SEQ", help="A match; or #SEQ: an event.")],
    output: Annotated[
        OutFile,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write a file; default: show a QR code."
        ),
    ] = NO_OUTPUT,
    slips: Annotated[
        OutFile,
        typer.Option("--slips", metavar="FILE", help="Write a page with a slip for each player."),
    ] = NO_OUTPUT,
) -> None:
    """Prove to a player that the signed log contains their result.

    Or prove to a judge that the log contains their key. The receipt is a file, a QR code on the
    terminal, or slips to print (HTML), each with the code. To check it:
    `tourney verify FILE --policy POLICY`.

        tourney receipt 3/12 -o aki.tlog-proof
        tourney receipt 3/12 --slips table-12.html
        tourney receipt '#7' -o pat.tlog-proof
    """
    from ledger.proof.evidence import write_receipt

    found, seq = _found(desk, match)
    if slips and found is None:
        raise UsageError(tr("--slips needs a match, such as 3/12: an event has no players"))
    for each in filter(None, (output, slips)):
        desk.files.refuse_to_replace(each)
    made, size = proven(desk, seq)
    if output:
        _write(desk, output, write_receipt(made), tr("event {seq} of {size}", seq=seq, size=size))
    if slips and found is not None:
        from cli.render.evidence_pages import receipts_page

        page = receipts_page(desk.tournament, found, made).encode()
        slips_in_words = tr_many(
            "{count} slip to print", "{count} slips to print", len(found.players)
        )
        _write(desk, slips, page, slips_in_words)
    if not output and not slips:
        from cli.render.codes import terminal_code, too_narrow

        code = terminal_code(write_receipt(made._replace(extra=b"")))
        if why := too_narrow(code.decode()):
            raise Refused(phrase("{why}, or write the receipt with -o FILE", why=why))
        write_bytes([code])
        say(
            tr(
                "event {seq} of {size}: the code contains the proof; -o writes it with the event",
                seq=seq,
                size=size,
            )
        )


def proven(desk: Desk, seq: int) -> tuple[Receipt, int]:
    """Sign the head of all lines, and prove that an event is among them."""
    from ledger.proof.evidence import Prover, Receipt

    kept = signed_head(desk)
    lines = desk.book.lines[: kept.size]
    proof = Prover(lines).inclusion(seq - 1, kept.size)
    return Receipt(seq - 1, proof, kept.note.encode(), lines[seq - 1]), kept.size


def _found(desk: Desk, words: str) -> tuple[Match | None, int]:
    """Find the match meant and the event of its result, or an event by its number alone."""
    tournament = desk.tournament
    if words.startswith("#") and words[1:].isdigit():
        seq = int(words[1:])
        if not 1 <= seq <= tournament.seq:
            raise NotFound(phrase("there is no event {seq}", seq=seq))
        return None, seq
    found = find_match(tournament, words)
    if not found.result_seq:
        raise Refused(phrase("{match} has no result yet: there is nothing to prove", match=words))
    return found, found.result_seq


def _write(desk: Desk, file: OutFile, data: bytes, what: str) -> None:
    size = desk.files.write(file, [data])
    say(tr("{file}: {what}, {size} bytes", file=file, what=what, size=in_figures(size)))


def is_receipt(desk: Desk, file: InFile) -> bool:
    """Whether a file begins as a receipt."""
    from ledger.proof.evidence import RECEIPT_HEADER

    return desk.files.first_bytes(file, len(RECEIPT_HEADER)) == RECEIPT_HEADER.encode()


def checked(desk: Desk, data: bytes, policy: Policy | None) -> CheckTable:
    """Check a receipt and return the table of its check.

    The line has the number of a match. If the store contains the same line, the table also gives
    the names of its players.

    Raises:
        InvalidLog: the receipt or the policy is missing a part that the check needs.
        Invalid: the receipt is wrong.
    """
    from ledger.lines.line import read
    from ledger.proof.evidence import check_receipt, parse_receipt
    from ledger.proof.signatures import origin_of
    from projections.verification import of_receipt

    receipt = parse_receipt(data)
    if policy is None:
        raise InvalidLog(
            phrase("a receipt needs --policy: a receipt cannot name the keys to trust")
        )
    if not receipt.extra:
        raise InvalidLog(
            phrase("this receipt does not contain its event: ask for the receipt as a file")
        )
    head = check_receipt(receipt, receipt.extra, policy)
    recorded = read(receipt.extra)
    if recorded.seq != receipt.position + 1:
        place = receipt.position + 1
        raise InvalidLog(
            phrase(
                "the line at place {place} of the log is numbered event {seq}",
                place=place,
                seq=recorded.seq,
            )
        )
    further = _key_in(recorded.event, policy.pins_of(head.origin)) or _result_in(recorded.event)
    stream = head.origin.removeprefix(origin_of(""))
    if found := _in_words_of_store(desk, stream, recorded.seq, receipt.extra):
        further += f"; in the store here: {found}"
    return of_receipt(head, policy.open(receipt.note)[2], recorded, further)


def _key_in(event: Event, pins: Pins) -> str:
    """Say whose key an event registers, if any; Invalid where the policy pins others instead."""
    from ledger.facts.keys import KeyRegistered
    from ledger.proof.formats import unbase64
    from ledger.proof.policy import Pinning

    if not isinstance(event, KeyRegistered):
        return ""
    if not event.holder:
        return f": the key {event.public} of the log"
    pinning = Pinning(pins)
    pinning.hold_key(event.holder, unbase64(event.public), is_signed_for=False)
    pinned = ", which the policy pins" if pinning.is_pinned(event.holder) else ""
    return f": the key {event.public} of o{event.holder}{pinned}"


def _result_in(event: Event) -> str:
    """Say which result a line states, side by side; empty for another event."""
    result: Result | None = getattr(event, "result", None)
    if result is None:
        return ""
    first, second = result.outcomes
    points = "-".join(map(str, result.counted))
    return (
        f": match {getattr(event, 'match', 0)}, first player {first}, second player {second}, "
        f"points {points}"
    )


def _in_words_of_store(desk: Desk, stream: str, seq: int, line: bytes) -> str:
    """Say what a line records, with names, if the store here has it at its place; else empty.

    A store that cannot be read is said to be so: what the receipt proves does not depend on it.
    """
    from cli.wording.event_words import in_words

    try:
        if not desk.has_store() or stream not in (store := desk.store()).streams():
            return ""
        if store.lines(stream, seq - 1, 1) != [line]:
            return ""
        at = Desk(desk.options._replace(tournament=stream), desk.line)
        try:
            return in_words(at.book.recorded_at(seq).event, at.book.tournament)
        finally:
            at.close()
    except LedgerError as error:
        return f"not read, {error}"


def refuse_receipt(desk: Desk, output: OutFile) -> None:
    """Refuse what cannot be written later, before anything is on record."""
    if not output:
        return
    if log_signer(desk.book.stream) is None:
        missing = key_is_missing(desk.tournament)
        raise Refused(
            phrase("a receipt needs a signed head, so omit --receipt: {reason}", reason=missing)
        )
    desk.files.refuse_to_replace(output)


def give_receipt(desk: Desk, output: OutFile) -> None:
    """Write the receipt of the line that registered a key, if one did, or say how it is written."""
    from ledger.facts.keys import KeyRegistered

    at = desk.book.tournament.ids.get(desk.command_id)
    event = desk.book.recorded_at(at).event if at else None
    if not at or not isinstance(event, KeyRegistered):
        return
    if output:
        from ledger.proof.evidence import write_receipt

        made, size = proven(desk, at)
        _write(desk, output, write_receipt(made), tr("event {seq} of {size}", seq=at, size=size))
        return
    whose = f"o{event.holder}" if event.holder else "log"
    line = f"tourney receipt '#{at}' -o {whose}.tlog-proof"
    if log_signer(desk.book.stream):
        text = tr(
            "for a receipt that proves to the holder that the log has this key: {line}", line=line
        )
    else:
        text = tr(
            "for a receipt that proves to the holder that the log has this key (on the computer "
            "with the log's key): {line}",
            line=line,
        )
    say(text)


def evidence(
    desk: Desk,
    table: Annotated[str, word("R/T", "A table with its round, or a player at the table.")],
    output: Annotated[
        OutFile,
        option("FILE", "Required: file for the page, to print from a browser.", "--output", "-o"),
    ] = NO_OUTPUT,
) -> None:
    """Write the evidence for an appeal: one page about a match.

    The page shows both claims, the times, who entered what, the posted tables at that time, the
    rulings, the effect of each result, and the code of the receipt.

        tourney evidence 3/4 -o evidence-3-4.html
    """
    from cli.render.evidence_pages import evidence_page
    from projections.audit.evidence import evidence_of, was_played

    tournament = desk.tournament
    match = find_match(tournament, table)
    where = f"{match.round}/{match.table}"
    if not was_played(tournament, match):
        if match.is_bye:
            text = phrase(
                "{match} is a bye: it was not played, so there is no evidence on it", match=where
            )
        else:
            text = phrase(
                "{match} has no report: it was not played, so there is no evidence on it",
                match=where,
            )
        raise Refused(text)
    if not output:
        raise UsageError(tr("evidence writes a page: name it with -o FILE"))
    desk.files.refuse_to_replace(output)
    found = evidence_of(list(desk.book.recorded()), tournament, match)
    proof = _proof(desk, found.story[-1].seq)
    size = desk.files.write(output, [evidence_page(tournament, found, proof).encode()])
    show_value(desk, {"file": str(output), "bytes": size, "match": match.number})
    say(
        tr(
            "{output}: {match} on one page, {size} bytes; print it from a browser",
            output=output,
            match=where,
            size=in_figures(size),
        )
    )
    if tournament.is_sealed:
        events = " ".join(f"--event {each.seq}" for each in found.story if texts(each.event))
        if events:
            say(
                tr(
                    "to show its texts to a reader of an export: export --for READER {events} "
                    "-o FILE",
                    events=events,
                )
            )


def _proof(desk: Desk, seq: int) -> PrintedReceipt | None:
    """The receipt of an event, where the log's key is here; it may be too long for a code."""
    from cli.machine.checkpoint_file import head_in
    from cli.render.codes import svg_code
    from cli.render.evidence_pages import PrintedReceipt
    from ledger.proof.evidence import write_receipt

    try:
        receipt, _ = proven(desk, seq)
    except Refused:
        return None
    head = head_in(receipt.note)
    for made in (receipt, receipt._replace(extra=b"")):
        code = write_receipt(made)
        try:
            svg_code(code)
        except LedgerError:
            continue  # without its line it is shorter
        return PrintedReceipt(receipt, code, head.origin, head.size, head.root.hex())
    return None

"""`evidence`: what a judge hands to an appeal, as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.matches import find_match
from cli.input.options import option, word
from cli.render.records import show_value
from cli.terminal.output import say
from ledger.errors import LedgerError, Refused
from ledger.lines.sealing import texts

if TYPE_CHECKING:
    from cli.render.evidence_pages import PrintedReceipt


def evidence(
    desk: Desk,
    table: Annotated[str, word("R/T", "A table with its round, or a player at it.")],
    output: Annotated[
        OutFile,
        option("FILE", "Required: the page, for a browser's print dialog.", "--output", "-o"),
    ] = NO_OUTPUT,
) -> None:
    """Write what a judge hands to an appeal: one page about a match.

    Both claims, the times, who entered what, what hung on the wall then, the rulings, what each
    result changes, and the code of the receipt.

        tourney evidence 3/4 -o evidence-3-4.html
    """
    from cli.render.evidence_pages import evidence_page
    from projections.audit.evidence import evidence_of, was_played

    tournament = desk.tournament
    match = find_match(tournament, table)
    where = f"{match.round}/{match.table}"
    if not was_played(tournament, match):
        why = "is a bye" if match.is_bye else "has no report"
        raise Refused(f"{where} {why}: nobody played it, and there is no evidence on it")
    if not output:
        raise UsageError("evidence writes a page: name it with -o")
    desk.files.refuse_to_replace(output)
    found = evidence_of(list(desk.book.recorded()), tournament, match)
    proof = _proof(desk, found.story[-1].seq)
    size = desk.files.write(output, [evidence_page(tournament, found, proof).encode()])
    show_value(desk, {"file": str(output), "bytes": size, "match": match.number})
    say(f"{output}: {where} on one page, {size:,} bytes; print it from a browser")
    if tournament.is_sealed:
        events = " ".join(f"--event {each.seq}" for each in found.story if texts(each.event))
        if events:
            say(f"who gets an export reads its texts by: export --for READER {events} -o FILE")


def _proof(desk: Desk, seq: int) -> PrintedReceipt | None:
    """The receipt of an event, where the log's key is here; it may be too long for a code."""
    from cli.machine.checkpoint_file import head_in
    from cli.render.codes import svg_code
    from cli.render.evidence_pages import PrintedReceipt
    from cli.verbs.proof.receipts import proven
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

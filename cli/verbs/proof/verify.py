"""`verify`: everything that can be checked of an exported log, or of the store, layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves them
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import refuse_other_kinds
from cli.machine.keyring import proving
from cli.machine.last_heads import hold_file_at
from cli.machine.trust import heads_at_hand, heads_given, leave_for, read_head
from cli.render.records import refuse_csv, show_records, shows_table
from cli.terminal.output import say, show_prose
from cli.terminal.tables import Column
from cli.verbs.proof.file_checks import check_log
from cli.verbs.proof.receipts import checked, is_receipt
from cli.verbs.proof.store_checks import check_store
from ledger.errors import InvalidLog, NotFound

if TYPE_CHECKING:
    from ledger.proof.disclosures import ShownText
    from ledger.proof.policy import Policy
    from ledger.proof.table import CheckTable, Other


_ROWS = (
    Column("check", value=itemgetter(0)),
    Column("checked", value=lambda each: each[1].checked),
    Column("of", value=lambda each: each[1].of),
    Column("said", value=lambda each: each[1].said),
    Column("unchecked", value=lambda each: each[1].unchecked),
)


@shows_table
def verify(
    desk: Desk,
    file: Annotated[
        InFile | None,
        typer.Argument(metavar="[FILE]", help="A log, or a receipt; default: the store."),
    ] = None,
    policy: options.Policy = NO_INPUT,
    head: Annotated[
        list[InFile] | None,
        typer.Option("--head", metavar="FILE", help="A later head or a receipt, to compare with."),
    ] = None,
    disclosed: options.Disclosed = NO_INPUT,
    unsigned: options.Unsigned = "",
) -> None:
    """Check a log without trusting who made it; or the store.

    Form, tree, signatures and witnesses first, then everybody's authority and the rules, then every
    draw, pairing and posting once more. It ends with a table, always the same: tree, head,
    witnesses, acts, authority, rules, names, texts, draws, postings, each with how many were
    checked of how many, or UNCHECKED and why. A file needs no store; the lines of the store in hand
    are held to the signed head beside it.

    A head says how long the log was, not that it ended there. So further heads are compared: those
    of --head, and those of the same log that lie beside the file or the store in hand, or that this
    machine saw as a witness. A file that is shorter than one of them is refused.

        tourney verify kotei.jsonl --policy policy --head aki.tlog-proof
        tourney verify aki.tlog-proof --policy policy
        tourney verify --policy policy

    With --disclosed the texts that were sealed for you are printed, each opened with the key that
    its line commits to, in its place.

        tourney verify kotei.jsonl --disclosed rulings.for-league
    """
    from cli.verbs.proof.disclosing import counted, read_disclosed, refuse_alone
    from ledger.proof.policy import read_policy
    from ledger.proof.signatures import RENEWED

    refuse_alone(file, disclosed)
    if disclosed:
        refuse_csv(desk, "--disclosed")
    for each in filter(None, (file, policy, *(further := head or []))):
        refuse_other_kinds(desk.files.reading(each), "verify")
        desk.files.refuse_no_text(each)
    try:
        with proving(str(policy)):
            trusted = read_policy(desk.files.reading(policy)) if policy else None
        others = heads_given(list(map(desk.files.named, further)))
        table = _checked(desk, file, trusted, others, unsigned)
        shown = read_disclosed(desk, file, disclosed) if file and disclosed else None
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
    table = counted(table, shown) if shown else table
    _show(desk, table, shown)
    if policy and RENEWED in table.head.unchecked:
        raise InvalidLog(f"{policy} does not accept the head: {table.head.unchecked}")
    if not desk.json:
        rest = ", but for what is UNCHECKED" if any(row.unchecked for row in table) else ""
        say(f"verified as far as the {'store' if file is None else 'file'} goes{rest}")


def _checked(
    desk: Desk, file: InFile | None, policy: Policy | None, others: list[Other], unsigned: str
) -> CheckTable:
    if file is None:
        if unsigned:
            raise UsageError("--unsigned is for the file of a log: the store has its own notes")
        return check_store(desk, policy, others)
    return _file(desk, file, policy, others, unsigned)


def _show(desk: Desk, table: CheckTable, shown: Sequence[ShownText] | None) -> None:
    """Show the table, behind the texts that were disclosed, if any were asked for."""
    from cli.verbs.proof.disclosing import show_texts, texts_as_json
    from projections.verification import as_json

    if desk.options.for_person:
        if shown:
            show_texts(shown)
        show_prose(*table.lines())
        return
    disclosed = {} if shown is None else {"disclosed": texts_as_json(shown)}
    show_records(desk, _ROWS, table._asdict().items(), json=lambda: as_json(table) | disclosed)


def _file(
    desk: Desk, file: InFile, policy: Policy | None, others: list[Other], unsigned: str
) -> CheckTable:
    """Check a log or a receipt, which takes no further heads; or UsageError."""
    if not file:
        raise UsageError("FILE is an empty name: without any name `verify` checks the store")
    path = desk.files.reading(file)
    if is_receipt(desk, file):
        if others:
            raise UsageError("--head is compared with the lines of a log: a receipt has none")
        if unsigned:
            raise UsageError("--unsigned is for the file of a log: a receipt proves one line")
        with proving(str(file)):
            return checked(desk.files.whole(file), policy)
    asked = leave_for(unsigned, has_policy=policy is not None) if unsigned else policy
    read_head(path, is_asked_for=policy is not None)
    table = check_log(path, asked, str(file), [*others, *heads_at_hand(path)])
    hold_file_at(path, is_accepted=policy is not None and table.head.checked > 0)
    return table

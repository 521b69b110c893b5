"""The closing table of a check, filled in by what was really looked at.

Its rows are those of the small verifier (`ledger.proof.verifier`), always the same. That one says
nothing of the rules; what reads a log by its rules fills in what it leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ledger.lines.line import decode
from ledger.lines.recorded import Recorded
from ledger.proof import table as proof_table
from ledger.proof.table import CheckTable, Row
from ledger.proof.verifier import SEALED_MARK
from projections.verification.rederived import Rederived

if TYPE_CHECKING:
    from ledger.books.vault import Vault
    from ledger.exchange.replaying import Replay
    from ledger.proof.formats import Checkpoint, Key

NOT_DERIVED = f"nothing is derived again by this verb: {proof_table.VERIFY_READS}"
DERIVED = ("draws", "postings")
"""The rows that a replay leaves open."""

GAPS = "least gaps"


def of_replay(replayed: Replay) -> CheckTable:
    """Fill in what a replay checks: all but draws and postings."""
    lines, forgotten = replayed.tournament.seq, replayed.tournament.forgotten
    sealed = [each for each in replayed.seals.names.values() if each.of not in forgotten]
    table = CheckTable(
        *proof_table.rows_of_head(
            replayed.vouched, lines, "there is no head beside it", unsigned=replayed.taken_for
        ),
        proof_table.row_of_acts(
            replayed.signed, replayed.unsigned, replayed.renewed, pinned=replayed.pinned
        ),
        Row(),
        Row(),
        proof_table.row_of_names(len(replayed.seals.keys), len(sealed)),
        proof_table.row_of_texts(replayed.texts),
        Row(unchecked=NOT_DERIVED),
        Row(unchecked=NOT_DERIVED),
    )
    return with_rules(table, lines, replayed.imported)


def of_receipt(
    head: Checkpoint, signed: Mapping[Key, int], recorded: Recorded, further: str = ""
) -> CheckTable:
    """Fill in what a receipt shows: one line, and the head of the tree that holds it.

    What `further` says of the line is added.
    """
    alone = Row(unchecked="a receipt is one line of its log")
    times = [f"{key.name} (Unix time {at})" for key, at in signed.items() if at]
    cosigned = Row(len(times), len(times), f"that the policy counts: {', '.join(times)}")
    shown = f"line: event {recorded.seq}, {recorded.type}, is in the tree{further}"
    return CheckTable(
        Row(1, head.size, shown, "a receipt shows one line" if head.size > 1 else ""),
        Row(1, 1, f"by {head.origin}, signed at line {head.size}"),
        cosigned if times else Row(unchecked=proof_table.NO_WITNESSES),
        *[alone] * (len(CheckTable._fields) - 3),
    )


def texts_in_vault(row: Row, lines: Sequence[bytes], found: Vault, missing: str) -> Row:
    """Fill in the texts whose keys are in a vault, and say which are missing."""
    opened = sum(
        line.count(SEALED_MARK)
        for line in lines
        if SEALED_MARK in line and f"text:{decode(line).id}" in found.fits
    )
    filled = proof_table.row_of_texts(row.of, opened)
    gone = "the keys of the others were destroyed, or did not come with an import"
    return filled._replace(unchecked=missing or gone) if filled.unchecked else filled


def with_rules(table: CheckTable, lines: int, imported: int) -> CheckTable:
    """Fill in authority and rules, of lines that were admitted one by one."""
    why = f"facts of a foreign file are held to few of them ({imported:,} lines)"
    authority = Row(lines, lines, "lines are by somebody entitled to them")
    rules = Row(lines - imported, lines, "lines are held to every rule", why if imported else "")
    return table._replace(authority=authority, rules=rules)


def with_derived(table: CheckTable, found: Rederived) -> CheckTable:
    """Fill in draws and postings, of those that were made again."""
    gaps = found.checked.get(GAPS, 0)
    least = f"; {_least(gaps)}" if gaps else ""
    return table._replace(
        draws=_derived(found, "draws", f"come out again{least}")._replace(first=table.draws.first),
        postings=_derived(found, "postings", "come out again"),
    )


def in_short(table: CheckTable) -> str:
    """Name the rows that are checked, and those of which something is not."""
    rows = table._asdict().items()
    whole = ", ".join(name for name, row in rows if not row.unchecked)
    left = ", ".join(name for name, row in rows if row.unchecked)
    return f"checked: {whole or 'nothing'}; UNCHECKED, at least in part: {left or 'nothing'}"


def as_json(table: CheckTable) -> dict[str, dict[str, object]]:
    """A table for scripts; unchecked is null where nothing is left."""
    return {name: _row_as_json(row) for name, row in table._asdict().items()}


def _row_as_json(row: Row) -> dict[str, object]:
    """Make a row for scripts; its last member is there only if it says something."""
    value = row._asdict() | {"unchecked": row.unchecked or None}
    return value if row.first else {name: value[name] for name in value if name != "first"}


def _derived(found: Rederived, kind: str, said: str) -> Row:
    checked, left = found.checked.get(kind, 0), found.left.get(kind, 0)
    why = found.unchecked.get(kind, "")
    if kind == "draws" and not checked and (gaps := found.checked.get(GAPS)):
        why = f"{why}; {_least(gaps)}" if why else why
    return Row(checked, checked + left, said, why)


def _least(gaps: int) -> str:
    if gaps == 1:
        return "1 round has the least gap that its field allows"
    return f"{gaps:,} rounds have the least gap that their field allows"

"""The log in hand checked as a file is: its lines, its secrets and the head signed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.machine.keyring import log_signer, proving
from cli.machine.trust import heads_witnessed
from cli.terminal.output import say
from cli.verbs.proof.file_checks import check_log
from ledger.errors import InvalidLog, NotFound
from ledger.files import landed

if TYPE_CHECKING:
    from pathlib import Path

    from cli.input.file_names import OutFile
    from ledger.books.book import Book
    from ledger.proof.policy import Policy
    from ledger.proof.table import CheckTable, Other, Vouched


def check_store(desk: Desk, policy: Policy | None, others: list[Other]) -> CheckTable:
    """Check the log in hand as that of a file, its beginning with the head that was signed here.

    Without a policy the head counts if this machine's own key of the log signed it.
    """
    from cli.machine.caveats import reasons_in
    from cli.machine.integrity import refuse_other_tree, refuse_other_types
    from ledger.proof.heads import HeadWaiver
    from ledger.proof.table import rows_of_head

    book, where = desk.book, desk.store().where
    desk.store().check_structures()
    with landed.apart(), desk.files.scratch() as folder:
        of_head = policy.without_pins if policy else _own_policy(desk)
        signed = _signed_part(desk, folder.within("signed"), of_head)
        path = desk.files.writing(folder.within("log"))
        is_named = _write_lines(book, path)
        others += heads_witnessed(desk.stream)
        table = check_log(
            path, HeadWaiver("the head kept here is compared below"), where, others, policy
        )
    tree, head, witnesses = rows_of_head(
        signed,
        len(book.lines),
        missing="no head was signed here yet",
        unsigned=reasons_in(desk.store().vault_items(desk.stream)),
    )
    if not is_named:
        why = "not all of their keys are in the vault"
        table = table._replace(names=table.names._replace(unchecked=why))
    refuse_other_types(desk.store(), desk.stream)
    refuse_other_tree(desk.store(), desk.stream)
    return _with_secrets(desk, table._replace(tree=tree, head=head, witnesses=witnesses))


def _write_lines(book: Book, path: Path) -> bool:
    """Write the lines as a file; returns whether with the keys of all names."""
    from ledger.exchange import export_file

    try:
        export_file(book, path)
    except NotFound:  # a log that came without the keys of its names
        export_file(book, path, names=False)
        return False
    return True


def _with_secrets(desk: Desk, table: CheckTable) -> CheckTable:
    """Hold the vault to the digests in the lines, and fill in texts; InvalidLog for another key."""
    from cli.machine.caveats import WAY_BACK
    from cli.machine.draw_keys import where_it_is
    from cli.machine.integrity import damaged_in_words, missing_in_words, vault_of
    from ledger.books.vault import tampered
    from projections.verification import texts_in_vault

    found, where = vault_of(desk.book), desk.store().vault_where
    if away := where_it_is(desk.book):
        say(f"{where}: the key of the draws is not in it, but in {away}")
    if problem := damaged_in_words(found):
        raise InvalidLog(f"{where}: {problem}; {WAY_BACK}")
    book = desk.book
    if seq := tampered(book.lines, book.stream, book.store.vault_items(book.stream)):
        raise InvalidLog(
            f"event {seq}: its own key does not open what is sealed there: it was tampered with"
        )
    if missing := missing_in_words(found):
        say(f"{where}: {missing}; {WAY_BACK}")
    return table._replace(texts=texts_in_vault(table.texts, desk.book.lines, found, missing))


def _signed_part(desk: Desk, file: OutFile, policy: Policy | None) -> Vouched | None:
    """Hold the store's first lines to its head; None where none was signed yet; or NotAsSigned."""
    from ledger.proof.heads import CHECKPOINT
    from ledger.proof.verifier import verify_file

    kept = desk.heads.check()
    if kept is None:
        return None
    desk.files.write(file, (line + b"\n" for line in desk.book.lines[: kept.size]))
    desk.files.write(file.followed_by(CHECKPOINT), [kept.note.encode()])
    with proving(desk.store().where):
        return verify_file(desk.files.writing(file), policy).vouched


def _own_policy(desk: Desk) -> Policy | None:
    from ledger.proof.policy import Policy

    own = log_signer(desk.book.stream)
    return Policy([own.key], {}, {"none": (0, [])}, "none") if own is not None else None

"""`verify`: everything that can be checked of an exported log, layer by layer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.heads.other_heads import heads_at_hand, heads_given, heads_witnessed
from cli.heads.seen_files import hold_file_at
from cli.input.arguments import UsageError
from cli.input.file_kinds import refuse_other_kinds
from cli.input.showing import Disclosed  # noqa: TC001 - typer resolves them
from cli.keys.keyring import proving
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json
from cli.verbs.proof.receipts import checked, is_receipt
from ledger.errors import InvalidLog, NotFound
from ledger.files import landed
from ledger.files.access import Unreadable, refuse_no_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.desk.session import Desk
    from ledger.books.book import Book
    from ledger.proof.ciphers.disclosures import ShownText
    from ledger.proof.formats import Tree
    from ledger.proof.heads import Other, Vouched
    from ledger.proof.policy import Policy
    from ledger.proof.table import CheckTable
    from ledger.proof.verifier import Verdict

LARGE_BYTES = 16 << 20
"""From where on the signatures of a file may be worth a process for each core."""

CLAIMS_EACH = 256
"""How many of them a process is given at once."""


def verify(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A log, or a receipt; default: the store."),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Who may sign, as you were given it early.")
    ] = "",
    head: Annotated[
        list[str] | None,
        typer.Option("--head", metavar="FILE", help="A later head or a receipt, to compare with."),
    ] = None,
    disclosed: Disclosed = "",
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
    from ledger.proof.verifier import read_policy

    desk = desk_of(context)
    refuse_alone(file, disclosed)
    further = head or []
    for each in filter(None, (file, policy, *further)):
        refuse_other_kinds(each, "verify")
        refuse_no_text(Path(each))
    try:
        with proving(policy):
            trusted = read_policy(Path(policy)) if policy else None
        others = heads_given(further)
        table = _store(desk, trusted, others) if file is None else _file(file, trusted, others)
        shown = read_disclosed(file, disclosed) if file and disclosed else None
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
    table = counted(table, shown) if shown else table
    _show(desk, table, shown)
    _refuse_renewed(table, policy)
    if not desk.json:
        _sum_up(table, "store" if file is None else "file")


def _show(desk: Desk, table: CheckTable, shown: Sequence[ShownText] | None) -> None:
    """Show the table, behind the texts that were disclosed, if any were asked for."""
    from cli.verbs.proof.disclosing import show_texts, texts_as_json
    from projections.verification.closing_table import as_json

    if desk.json:
        disclosed = {} if shown is None else {"disclosed": texts_as_json(shown)}
        show_json({**as_json(table), **disclosed})
        return
    if shown:
        show_texts(shown)
    show(*table.lines())


def _refuse_renewed(table: CheckTable, policy: str) -> None:
    """Refuse a head whose key goes back to none that the policy pins.

    Raises:
        InvalidLog: it does.
    """
    from ledger.proof.holders import RENEWED

    if policy and RENEWED in table.head.unchecked:
        raise InvalidLog(f"{policy} does not accept the head: {table.head.unchecked}")


def _sum_up(table: CheckTable, what: str) -> None:
    is_whole = not any(row.unchecked for row in table)
    rest = "" if is_whole else ", but for what is UNCHECKED"
    say(f"verified as far as the {what} goes{rest}")


def _file(file: str, policy: Policy | None, others: list[Other]) -> CheckTable:
    """Check a log or a receipt.

    Raises:
        UsageError: it has no name, or further heads are given for a receipt.
    """
    if not file:
        raise UsageError("FILE is an empty name: without any name `verify` checks the store")
    path = Path(file)
    if is_receipt(path):
        if others:
            raise UsageError("--head is compared with the lines of a log: a receipt has none")
        with proving(file):
            return checked(path, policy)
    read_head(path, is_asked_for=policy is not None)
    table = _log(path, policy, file, [*others, *heads_at_hand(path)])
    is_accepted = policy is not None and table.head.checked > 0
    hold_file_at(path, is_accepted=is_accepted)
    return table


def read_head(path: Path, *, is_asked_for: bool) -> bytes:
    """Return the head beside a log, which has the form of one; empty where there may be none.

    Raises:
        InvalidLog: what is wrong with it, by its own name.
    """
    from ledger.files.access import first_bytes
    from ledger.proof.formats import NOTE_BYTES_MAX, parse_checkpoint, parse_note
    from ledger.proof.hashes import beside
    from ledger.proof.heads import CHECKPOINT

    note = beside(path, CHECKPOINT)
    if not note.exists() and not is_asked_for:
        return b""
    if not note.exists():
        raise InvalidLog(
            f"there is no {note}, which the policy asks for: it comes with the log, from `export`"
        )
    try:
        data = first_bytes(note, NOTE_BYTES_MAX + 1)
    except OSError as error:
        raise InvalidLog(f"{note} cannot be read: {error.strerror}") from None
    with proving(str(note)):
        parse_checkpoint(parse_note(data).text)
    return data


def _store(desk: Desk, policy: Policy | None, others: list[Other]) -> CheckTable:
    """Check the log in hand as that of a file, its beginning with the head that was signed here.

    Without a policy the head counts if this machine's own key of the log signed it.
    """
    from tempfile import TemporaryDirectory

    from cli.heads.integrity import refuse_other_tree, refuse_other_types
    from ledger.proof.table import rows_of_head

    book, where = desk.book, desk.store().where
    desk.store().check_structures()
    with landed.apart(), TemporaryDirectory(prefix="tourney-") as name:
        of_head = policy.without_pins if policy else _own_policy(desk)
        signed = _signed_part(desk, Path(name) / "signed", of_head)
        path = Path(name) / "log"
        is_named = _write_lines(book, path)
        others += heads_witnessed(desk.stream)
        table = _log(path, None, where, others, policy)
    tree, head, witnesses = rows_of_head(
        signed, len(book.lines), missing="no head was signed here yet"
    )
    if not is_named:
        names = table.names._replace(unchecked="not all of their keys are in the vault")
        table = table._replace(names=names)
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
    """Hold the vault to the digests in the lines, and fill in texts; what is missing is said.

    Raises:
        InvalidLog: a secret is not the one that the lines were written with.
    """
    from cli.heads.integrity import damaged_in_words, missing_in_words, vault_of
    from cli.keys.draw_keys import where_it_is
    from cli.keys.missing_secrets import WAY_BACK
    from ledger.books.vault import tampered
    from projections.verification.closing_table import texts_in_vault

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


def _signed_part(desk: Desk, path: Path, policy: Policy | None) -> Vouched | None:
    """Hold the store's first lines to its kept head; None where none was signed yet.

    Raises:
        NotAsSigned: the first line that is another.
    """
    from ledger.files.access import write_whole
    from ledger.proof.hashes import beside
    from ledger.proof.heads import CHECKPOINT
    from ledger.proof.verifier import verify_file

    kept = desk.heads.check()
    if kept is None:
        return None
    write_whole(path, (line + b"\n" for line in desk.book.lines[: kept.size]))
    write_whole(beside(path, CHECKPOINT), [kept.note.encode()])
    with proving(desk.store().where):
        return verify_file(path, policy).vouched


def _own_policy(desk: Desk) -> Policy | None:
    from cli.keys.keyring import log_signer
    from ledger.proof.policy import Policy

    own = log_signer(desk.book.stream)
    return Policy([own.key], {}, {"none": (0, [])}, "none") if own is not None else None


def _log(
    path: Path, policy: Policy | None, where: str, others: list[Other], asked: Policy | None = None
) -> CheckTable:
    from projections.verification.closing_table import with_derived, with_rules
    from projections.verification.rederived import rederive

    with proving(where):
        verdict = _held_lines(path, policy, others, asked)
    tree = verdict.log.tree
    key, imported = _held_rules(path, tree, where)
    table = with_rules(verdict.table, tree.size, imported)
    try:
        return with_derived(table, rederive(lambda: _events_again(path, tree, where), key))
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(f"{where}: {error}") from None


def _held_lines(
    path: Path, policy: Policy | None, others: list[Other], asked: Policy | None
) -> Verdict:
    """Check form, tree and signatures; a policy that is `asked` says whose keys officials have."""
    from ledger.proof.verifier import verify_file

    if path.stat().st_size < LARGE_BYTES:
        return verify_file(path, policy, others=others, asked=asked)
    return verify_on_all_cores(path, policy, others, asked)


def verify_on_all_cores(
    path: Path, policy: Policy | None, others: Sequence[Other] = (), asked: Policy | None = None
) -> Verdict:
    """Check form, tree and signatures, the signatures by a process for each core.

    Raises:
        Invalid: the first line that is wrong.
        Refused: one of the processes was ended from outside.
    """
    from functools import partial

    from ledger.proof.verifier import verify_file
    from projections.processes import processes

    with processes() as checking:
        holding = partial(checking.map, chunksize=CLAIMS_EACH)
        return verify_file(path, policy, holding, others, asked)


def _held_rules(path: Path, tree: Tree, where: str) -> tuple[str, int]:
    """Check authority and rules; returns the revealed key, and how many lines were imported.

    What the lines add up to is let go before it is derived again: a large log fits but once.
    """
    from ledger.exchange.replaying import replay_lines
    from projections.standings.table import ranking

    told = _told_again(path, tree, where)
    replayed = replay_lines(where, told, ranking, keep_lines=False)
    return replayed.tournament.shuffle_key, replayed.imported


def _events_again(path: Path, tree: Tree, where: str) -> Iterator[bytes]:
    from ledger.exchange.names import is_names

    return (line for line in _told_again(path, tree, where) if not is_names(line))


def _told_again(path: Path, tree: Tree, where: str) -> Iterator[bytes]:
    """Yield the lines of a file once more.

    Raises:
        Unreadable: they are not those whose form and signatures were checked.
    """
    from ledger.exchange import read_log
    from ledger.exchange.names import is_names
    from ledger.proof.formats import Tree, leaf_hash

    again = Tree()
    for line in read_log(path):
        if not is_names(line):
            again.add(leaf_hash(line))
        yield line
    if again.root() != tree.root():
        raise Unreadable(f"{where} was changed while it was read: verify a copy of it")

"""`verify`: everything that can be checked of an exported log, layer by layer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.desk.acts import desk_of
from cli.desk.keyring import proving
from cli.desk.other_heads import heads_at_hand
from cli.desk.other_heads import heads_given
from cli.desk.other_heads import heads_witnessed
from cli.terminal.diagnostics import say
from cli.terminal.output import show
from cli.terminal.output import show_json
from cli.typed.arguments import UsageError
from cli.typed.filekinds import refuse_other_kinds
from ledger import landed
from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.files import Unreadable
from ledger.files import refuse_no_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from cli.desk.session import Desk
    from ledger.books import Book
    from ledger.proof.formats import Policy
    from ledger.proof.formats import Tree
    from ledger.proof.heads import Other
    from ledger.proof.verifier import Verdict

LARGE_BYTES = 16 << 20
"""From where on the signatures of a file may be worth a process for each core."""

CLAIMS_EACH = 256
"""How many of them a process is given at once."""


def verify(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A log, or a receipt; default: the store.")
    ] = "",
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Who may sign, as you were given it early.")
    ] = "",
    head: Annotated[
        list[str] | None,
        typer.Option("--head", metavar="FILE", help="A later head or a receipt, to compare with."),
    ] = None,
) -> None:
    """Check a log without trusting who made it; or the store.

    Form, tree, signatures and witnesses first, then everybody's authority and the rules, then every
    draw, pairing and posting once more. What could not be checked is said. A file needs no store;
    the lines of the store in hand are held to the signed head beside it.

    A head says how long the log was, not that it ended there. So further heads are compared: those
    of --head, and those of the same log that lie beside the file or the store in hand, or that this
    machine saw as a witness. A file that is shorter than one of them is refused.

        tourney verify kotei.jsonl --policy policy --head aki.tlog-proof
        tourney verify aki.tlog-proof --policy policy
        tourney verify --policy policy
    """
    from ledger.proof.verifier import read_policy

    desk = desk_of(context)
    path, further = Path(file), head or []
    for each in filter(None, (file, policy, *further)):
        refuse_other_kinds(each, "verify")
        refuse_no_text(Path(each))
    try:
        with proving(policy):
            trusted = read_policy(Path(policy)) if policy else None
        others = heads_given(further)
        if not file:
            checked, unchecked = _store(desk, trusted, others)
        elif _is_receipt(path):
            if further:
                raise UsageError("--head is compared with the lines of a log: a receipt has none")
            with proving(file):
                checked, unchecked = _receipt(path, trusted)
        else:
            read_head(path, is_asked_for=trusted is not None)
            others += heads_at_hand(path, desk.location)
            checked, unchecked = _log(path, trusted, file, others)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
    if desk.json:
        show_json({"checked": checked, "unchecked": unchecked})
        return
    show(*(f"{layer}: {text}" for layer, text in checked.items()))
    show(*(f"{layer}: UNCHECKED: {text}" for layer, text in unchecked.items()))
    extent = f"as far as the {'file' if file else 'store'} goes"
    say(f"verified {extent}{', but for what is unchecked' if unchecked else ''}")


def read_head(path: Path, *, is_asked_for: bool) -> bytes:
    """Return the head beside a log, which has the form of one; empty where there may be none.

    Raises:
        InvalidLog: what is wrong with it, by its own name.
    """
    from ledger.files import first_bytes
    from ledger.proof.formats import NOTE_BYTES_MAX
    from ledger.proof.formats import parse_checkpoint
    from ledger.proof.formats import parse_note
    from ledger.proof.heads import CHECKPOINT
    from ledger.proof.heads import beside

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


def _is_receipt(path: Path) -> bool:
    from ledger.files import first_bytes
    from ledger.proof.receipts import HEADER

    return first_bytes(path, len(HEADER)) == HEADER.encode()


def _receipt(path: Path, policy: Policy | None) -> tuple[dict[str, str], dict[str, str]]:
    from ledger.files import whole
    from ledger.lines import read
    from ledger.proof.receipts import check_receipt
    from ledger.proof.receipts import parse_receipt

    receipt = parse_receipt(whole(path))
    if policy is None:
        raise InvalidLog("a receipt needs --policy: nothing in it is trusted to say who signs")
    if not receipt.extra:
        raise InvalidLog("this receipt does not hold its event: ask for it as a file")
    head = check_receipt(receipt, receipt.extra, policy)
    recorded = read(receipt.extra)
    if recorded.seq != receipt.position + 1:
        raise InvalidLog(f"event {recorded.seq} stands at place {receipt.position + 1} of the log")
    return {
        "signature": f"the head of {head.size} events, by {head.origin}",
        "inclusion": f"event {recorded.seq}, {recorded.type}, stands in it",
    }, {}


def _store(
    desk: Desk, policy: Policy | None, others: list[Other]
) -> tuple[dict[str, str], dict[str, str]]:
    """Check the log in hand as that of a file, its beginning with the head kept beside the store.

    Without a policy the head counts if this machine's own key of the log signed it.
    """
    from tempfile import TemporaryDirectory

    from cli.desk.soundness import refuse_other_types

    book, where = desk.book, desk.store().where
    desk.store().check_structures()
    with landed.apart(), TemporaryDirectory(prefix="tourney-") as name:
        head, left = _signed_part(desk, Path(name) / "signed", policy or _own_policy(desk))
        path = Path(name) / "log"
        is_named = _write_lines(book, path)
        others += heads_witnessed(desk.stream)
        checked, unchecked = _log(path, None, where, others)
    if not is_named:
        unchecked["names"] = "not all of their keys are in the vault"
    refuse_other_types(desk.store(), desk.stream)
    kept, missing = _secrets(desk)
    return checked | head | kept, {
        each: text for each, text in unchecked.items() if each not in head
    } | left | missing


def _write_lines(book: Book, path: Path) -> bool:
    """Write the lines as a file; returns whether with the keys of all names."""
    from ledger.exchange import export_file

    try:
        export_file(book, path)
    except NotFound:  # a log that came without the keys of its names
        export_file(book, path, names=False)
        return False
    return True


def _secrets(desk: Desk) -> tuple[dict[str, str], dict[str, str]]:
    """Hold the vault to the digests in the lines; returns what that checked, and did not.

    Raises:
        InvalidLog: a secret is not the one that the lines were written with.
    """
    from cli.desk.soundness import damaged_in_words
    from cli.desk.soundness import missing_in_words
    from cli.desk.soundness import vault_of
    from cli.desk.vaults import WAY_BACK

    found, where = vault_of(desk.book), desk.store().vault_where
    if problem := damaged_in_words(found):
        raise InvalidLog(f"{where}: {problem}; {WAY_BACK}")
    fits = {"secrets": f"{len(found.fits)} in the vault, each the one that its line names"}
    missing = missing_in_words(found)
    if missing:
        say(f"{where}: {missing}; {WAY_BACK}")
    return (fits if found.fits else {}), ({"missing secrets": missing} if missing else {})


def _signed_part(
    desk: Desk, path: Path, policy: Policy | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Hold the store's first lines to its kept head; returns what that checked, and did not.

    Raises:
        NotAsSigned: the first line that is another.
    """
    from ledger.files import write_whole
    from ledger.proof.heads import CHECKPOINT
    from ledger.proof.heads import beside
    from ledger.proof.verifier import signed_at
    from ledger.proof.verifier import verify_file

    kept, size = desk.heads.check(), desk.book.length
    if kept is None:
        return {}, dict.fromkeys(("tree", "signature", "witnesses"), "no head was signed here yet")
    write_whole(path, (line + b"\n" for line in desk.book.since(0)[: kept.size]))
    write_whole(beside(path, CHECKPOINT), [kept.note.encode()])
    with proving(desk.store().where):
        verdict = verify_file(path, policy)
    layers = ("tree", "signature", "witnesses")
    held, left = (
        {each: told[each] for each in layers if each in told}
        for told in (verdict.checked, verdict.unchecked)
    )
    if verdict.vouched is not None:
        held["head"] = signed_at(verdict.vouched, size)
    if size > kept.size:
        left["newer"] = f"no head covers the lines from {kept.size + 1} on yet"
    return held, left


def _own_policy(desk: Desk) -> Policy | None:
    from cli.desk.keyring import log_signer
    from ledger.proof.formats import Policy

    own = log_signer(desk.book.stream)
    return Policy([own.key], {}, {"none": (0, [])}, "none") if own is not None else None


def _log(
    path: Path, policy: Policy | None, where: str, others: list[Other]
) -> tuple[dict[str, str], dict[str, str]]:
    from projections.rederived import rederive

    with proving(where):
        verdict = _held_lines(path, policy, others)
    checked, unchecked, tree = verdict.checked, verdict.unchecked, verdict.log.tree
    key, is_importing = _held_rules(path, tree, where)
    checked["authority"] = "everybody was entitled to what they entered, and every rule was kept"
    if is_importing:
        unchecked["rules"] = "facts of a foreign file are held to few of them"
    try:
        derived = rederive(lambda: _events_again(path, tree, where), key)
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(f"{where}: {error}") from None
    for kind, count in derived.checked.items():
        checked[kind] = f"{count} derived again"
    return checked, unchecked | derived.unchecked


def _held_lines(path: Path, policy: Policy | None, others: list[Other]) -> Verdict:
    """Check form, tree and signatures."""
    from ledger.proof.verifier import verify_file

    if path.stat().st_size < LARGE_BYTES:
        return verify_file(path, policy, others=others)
    return verify_on_all_cores(path, policy, others)


def verify_on_all_cores(path: Path, policy: Policy | None, others: Sequence[Other] = ()) -> Verdict:
    """Check form, tree and signatures, the signatures by a process for each core.

    Raises:
        Invalid: the first line that is wrong.
        Refused: one of the processes was ended from outside.
    """
    from functools import partial

    from ledger.proof.verifier import verify_file
    from projections.processes import processes

    with processes() as checking:
        return verify_file(path, policy, partial(checking.map, chunksize=CLAIMS_EACH), others)


def _held_rules(path: Path, tree: Tree, where: str) -> tuple[str, bool]:
    """Check authority and rules; returns the revealed key, and whether an import never ended.

    What the lines add up to is let go before it is derived again: a large log fits but once.
    """
    from ledger.exchange.replaying import replay_lines
    from projections.standings import ranking

    told = _told_again(path, tree, where)
    tournament = replay_lines(where, told, ranking, keep_lines=False).tournament
    return tournament.shuffle_key, tournament.importing


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
    from ledger.proof.formats import Tree
    from ledger.proof.formats import leaf_hash

    again = Tree()
    for line in read_log(path):
        if not is_names(line):
            again.add(leaf_hash(line))
        yield line
    if again.root() != tree.root():
        raise Unreadable(f"{where} was changed while it was read: verify a copy of it")

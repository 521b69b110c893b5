"""The check of an exported log, which `verify` and `replay` share, and of the store: `verify`.

Of a file: its form and signatures, its rules, its draws and postings. The log in hand is checked as
a file is: its lines, its secrets and the head signed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves it
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import refuse_beside_log, refuse_other_kinds
from cli.languages.proof_words import check_name, lines_of_table
from cli.languages.speaking import ENGLISH, marked, speaking, tr
from cli.machine.keyring import log_signer, proving
from cli.machine.last_heads import hold_file, hold_file_at
from cli.machine.trust import asked_of, heads_at_hand, heads_given, heads_witnessed, read_head
from cli.render.records import refuse_csv, show_records, shows_table
from cli.terminal.output import say, show_prose
from cli.terminal.tables import Column
from cli.terminal.visible import Style
from cli.verbs.proof.receipts import checked, is_receipt
from ledger.errors import InvalidLog, NotFound
from ledger.files import landed
from ledger.files.access import Unreadable
from ledger.problems import phrase
from ledger.proof.heads import CHECKPOINT, beside

if TYPE_CHECKING:
    from pathlib import Path

    from cli.input.file_names import OutFile
    from ledger.books.book import Book
    from ledger.exchange.log_files import Replay
    from ledger.proof.disclosures import ShownText
    from ledger.proof.formats import Tree
    from ledger.proof.heads import Asked
    from ledger.proof.policy import Policy
    from ledger.proof.table import CheckTable, Other, Vouched


class LogCheck(NamedTuple):
    """A log that passed every check: the table of all checks, and what its lines add up to."""

    table: CheckTable
    replayed: Replay
    """Has neither lines nor state unless `check_log` was asked to keep them."""


def check_file(
    desk: Desk,
    file: InFile,
    policy: InFile,
    unsigned: str,
    *,
    verb: str,
    further: Sequence[Other] = (),
    keep: bool = False,
) -> LogCheck:
    """Check the file of a log: the check of `verify` and of `replay`, which refuse the same files.

    The heads next to the file, next to the key of its log and at the witness here are compared
    with the lines, as are `further` heads. Then the lines are compared with what this desk saw.

    Raises:
        NotFound: the file or the policy does not exist.
        InvalidLog: the first fault, with the name of the file.
        UsageError: both --policy and --unsigned are given.
    """
    path, where = desk.files.reading(file), str(file)
    refuse_other_kinds(path, verb)
    refuse_beside_log(path)
    desk.files.refuse_no_text(file)
    trust = asked_of(desk.files.named(policy), unsigned, verb)
    read_head(path, is_asked_for=bool(policy))
    others = [*further, *heads_at_hand(path)]
    checked = check_log(path, trust, where, others, keep=keep)
    is_accepted = checked.table.head.checked > 0
    if keep:
        replayed = checked.replayed
        hold_file(where, replayed.stream, replayed.lines, is_accepted=is_accepted)
    else:
        hold_file_at(path, is_accepted=is_accepted)
    return checked


def check_log(
    path: Path,
    asked: Asked,
    where: str,
    others: Sequence[Other] = (),
    pins: Policy | None = None,
    *,
    keep: bool = False,
) -> LogCheck:
    """Check a log's file by every rule, and then repeat its draws and postings.

    `where` names the log in a refusal. The state is dropped before draws and postings are
    repeated, which builds it again: the state of a large log fits into memory only once. Without
    `keep` no line stays in memory, and the file is read again.

    Raises:
        InvalidLog: the first line that is wrong, and why.
    """
    from ledger.exchange import replay
    from ledger.exchange.log_files import Demands, name_persons
    from ledger.tournament.state import Tournament
    from projections.standings.table import ranking
    from projections.verification import of_replay, rederive, with_derived

    demands = Demands(others, pins, where, keep_lines=keep)
    replayed = replay(path, ranking, trust=asked, demands=demands)
    table = of_replay(replayed, f"there is no {beside(path, CHECKPOINT).name}")
    key, tree = replayed.tournament.shuffle_key, replayed.tree
    again = partial(iter, replayed.lines) if keep else partial(_events_again, path, tree, where)
    replayed.tournament = Tournament()
    try:
        derived = rederive(again, key)
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(f"{where}: {error}") from None
    if keep:
        replayed.tournament = derived.tournament
        if replayed.seals.keys:
            name_persons(replayed.sealed, replayed.seals, replayed.tournament)
    return LogCheck(with_derived(table, derived), replayed)


VERIFIED = Style.GREEN
"""Style of the first word of the sentence that ends a check."""


def verdict_in_words(table: CheckTable, policy: InFile, of: str = "file") -> str:
    """Return the sentence that ends a check: the parts of which something is UNCHECKED, if any.

    Raises:
        InvalidLog: the policy does not accept the head, because its key was renewed without the
            old key.
    """
    from ledger.proof.signatures import RENEWED

    if policy and RENEWED in table.head.unchecked:
        raise InvalidLog(
            phrase(
                "{policy} does not accept the head: {reason}",
                policy=str(policy),
                reason=table.head.unchecked,
            )
        )
    left = ", ".join(check_name(name) for name, row in table._asdict().items() if row.unchecked)
    end = tr(_END_OF[of])
    if not left:
        return end
    how = tr(HOW_TO_CHECK)
    return tr("{end}; UNCHECKED, at least in part: {rows} ({how})", end=end, rows=left, how=how)


_END_OF = {
    "file": marked("verified up to the end of the file"),
    "store": marked("verified up to the end of the store"),
}


HOW_TO_CHECK = marked("the rows of verify say why; tourney help proof says what checks them")


def _events_again(path: Path, tree: Tree, where: str) -> Iterator[bytes]:
    """Yield the events of a file once more.

    Raises:
        Unreadable: they are not the events that were checked before.
    """
    from ledger.exchange import read_log
    from ledger.exchange.log_files import is_names
    from ledger.proof.formats import Tree, leaf_hash

    again = Tree()
    for line in read_log(path):
        if not is_names(line):
            again.add(leaf_hash(line))
            yield line
    if again.root() != tree.root():
        raise Unreadable(
            phrase("{where} was changed while it was read: verify a copy of it", where=where)
        )


def check_store(desk: Desk, policy: Policy | None, others: list[Other]) -> CheckTable:
    """Check the log in hand as that of a file, its beginning with the head that was signed here.

    Without a policy the head counts if this machine's own key of the log signed it.
    """
    from cli.machine.caveats import reasons_in
    from cli.machine.integrity import refuse_other_tree, refuse_other_types
    from ledger.problems import problem
    from ledger.proof.heads import HeadWaiver
    from ledger.proof.table import rows_of_head

    book, where = desk.book, desk.store().where
    desk.store().check_structures()
    with landed.apart(), desk.files.scratch() as folder:
        of_head = policy.without_pins if policy else _own_policy(desk)
        signed = _signed_part(desk, folder.within("signed"), of_head)
        if policy is not None and signed is None:
            text = marked(
                "{file}: the policy needs a signed head, and no head of this log is kept here"
            )
            raise InvalidLog(problem("log.unsigned", text, file=where))
        path = desk.files.writing(folder.within("log"))
        is_named = _write_lines(book, path)
        others += heads_witnessed(desk.stream)
        waiver = HeadWaiver("the head kept here is compared below")
        table = check_log(path, waiver, where, others, policy).table
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
        say(
            tr(
                "{where} does not contain the key of the draws, which is in {away}",
                where=where,
                away=away,
            )
        )
    if problem := damaged_in_words(found):
        way_back = phrase(WAY_BACK)
        raise InvalidLog(
            phrase(
                "{where}: {problem}; {way_back}", where=where, problem=problem, way_back=way_back
            )
        )
    book = desk.book
    if seq := tampered(book.lines, book.stream, book.store.vault_items(book.stream)):
        raise InvalidLog(
            phrase(
                "event {seq} was tampered with: its own key does not open its sealed texts", seq=seq
            )
        )
    with speaking(ENGLISH):
        unfound = missing_in_words(found)  # of the table, which programs read
    if missing := missing_in_words(found):
        say(f"{where}: {missing}; {tr(WAY_BACK)}")
    return table._replace(texts=texts_in_vault(table.texts, desk.book.lines, found, unfound))


def _signed_part(desk: Desk, file: OutFile, policy: Policy | None) -> Vouched | None:
    """Verify the store's first lines against its head; return None if there is no head.

    The head is the highest one signed here, or else the head of the imported log.

    Raises:
        NotAsSigned: the lines are not those of the head.
    """
    from cli.machine.checkpoint_file import head_in
    from ledger.books.unsigned_lines import HEAD
    from ledger.proof.heads import CHECKPOINT
    from ledger.proof.verifier import verify_file

    kept = desk.heads.check()
    note = kept.note.encode() if kept else desk.store().vault_items(desk.stream).get(HEAD)
    if note is None:
        return None
    size = head_in(note).size
    desk.files.write(file, (line + b"\n" for line in desk.book.lines[:size]))
    desk.files.write(file.followed_by(CHECKPOINT), [note])
    with proving(desk.store().where):
        return verify_file(desk.files.writing(file), policy).vouched


def _own_policy(desk: Desk) -> Policy | None:
    from ledger.proof.policy import Policy

    own = log_signer(desk.book.stream)
    return Policy([own.key], {}, {"none": (0, [])}, "none") if own is not None else None


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
        typer.Argument(metavar="[FILE]", help="A log or a receipt; default: the store."),
    ] = None,
    policy: options.Policy = NO_INPUT,
    head: Annotated[
        list[InFile] | None,
        typer.Option("--head", metavar="FILE", help="A later head, or a receipt, to compare with."),
    ] = None,
    disclosed: options.Disclosed = NO_INPUT,
    unsigned: options.Unsigned = "",
) -> None:
    """Check a log without trusting its author, or check the store.

    It answers which parts of a log are proven, and which are UNCHECKED. `replay` makes the same
    check of a file, and shows its standings and its bracket.

    It checks form, tree, signatures and witnesses, then the authority behind each act and the
    rules, and then repeats every draw, pairing and posting. It ends with a table of all checks:
    tree, head, witnesses, acts, authority, rules, names, texts, draws, postings. Each row shows how
    many were checked out of how many, or UNCHECKED and why. A file needs no store; the lines of the
    store are checked against the signed head next to it.

    A head proves how long the log was, not that it ended there. So further heads are compared:
    those of --head, and heads of the same log next to the file or the store, or seen by this
    computer as a witness. A file that is shorter than one of these heads is refused.

        tourney verify kotei.jsonl --policy policy --head aki.tlog-proof
        tourney verify aki.tlog-proof --policy policy
        tourney verify --policy policy

    With --disclosed the texts that were sealed for you are printed in order, each opened with the
    key that its line commits to.

        tourney verify kotei.jsonl --disclosed rulings.for-league
    """
    from cli.verbs.inout.exporting import counted, read_disclosed, refuse_alone

    refuse_alone(file, disclosed)
    if disclosed:
        refuse_csv(desk, "--disclosed")
    heads = head or []
    for given in filter(None, (file, *heads)):
        _refuse_unfit(desk, given)
    others = heads_given(list(map(desk.files.named, heads)))
    table = _checked(desk, file, policy, others, unsigned)
    try:
        shown = read_disclosed(desk, file, disclosed) if file and disclosed else None
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
    table = counted(table, shown) if shown else table
    _show(desk, table, shown)
    sentence = verdict_in_words(table, policy, "store" if file is None else "file")
    if not desk.json:
        say(sentence, VERIFIED)


def _checked(
    desk: Desk, file: InFile | None, policy: InFile, others: list[Other], unsigned: str
) -> CheckTable:
    """Check the store, a receipt or a log, as the line names it.

    Raises:
        UsageError: an option does not apply to this kind of file.
    """
    if file is None:
        if unsigned:
            raise UsageError(
                tr("--unsigned is only for the file of a log: the store records its own reasons")
            )
        return check_store(desk, _policy(desk, policy), others)
    if not file:
        raise UsageError(tr("FILE is an empty name: to check the store, omit FILE"))
    if not is_receipt(desk, file):
        return check_file(desk, file, policy, unsigned, verb="verify", further=others).table
    if others:
        raise UsageError(tr("--head is only for a log: a receipt has no lines to compare it with"))
    if unsigned:
        raise UsageError(tr("--unsigned is only for the file of a log: a receipt proves one line"))
    with proving(str(file)):
        return checked(desk, desk.files.whole(file), _policy(desk, policy))


def _refuse_unfit(desk: Desk, file: InFile) -> None:
    """Refuse a file that another verb takes, or that is not text."""
    refuse_other_kinds(desk.files.reading(file), "verify")
    desk.files.refuse_no_text(file)


def _policy(desk: Desk, policy: InFile) -> Policy | None:
    """Read the one policy for a store or a receipt; None if there is none."""
    from ledger.proof.policy import read_policy

    if not policy:
        return None
    _refuse_unfit(desk, policy)
    with proving(str(policy)):
        return read_policy(desk.files.reading(policy))


def _show(desk: Desk, table: CheckTable, shown: Sequence[ShownText] | None) -> None:
    """Show the table, behind the texts that were disclosed, if any were asked for."""
    from cli.verbs.inout.exporting import show_texts, texts_as_json
    from projections.verification import as_json

    if desk.options.for_person:
        if shown:
            show_texts(shown)
        show_prose(*lines_of_table(table))
        return
    disclosed = {} if shown is None else {"disclosed": texts_as_json(shown)}
    show_records(desk, _ROWS, table._asdict().items(), json=lambda: as_json(table) | disclosed)

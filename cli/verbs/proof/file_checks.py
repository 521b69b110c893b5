"""The layers of what is checked of a log's file: form and signatures, rules, draws and postings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING

from cli.machine.keyring import proving
from ledger.errors import InvalidLog
from ledger.files.access import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.proof.formats import Tree
    from ledger.proof.heads import HeadWaiver
    from ledger.proof.policy import Policy
    from ledger.proof.table import CheckTable, Other
    from ledger.proof.verifier import Verdict

LARGE_BYTES = 16 << 20
"""From where on the signatures of a file may be worth a process for each core."""

CLAIMS_EACH = 256
"""How many of them a process is given at once."""


def check_log(
    path: Path,
    policy: Policy | HeadWaiver | None,
    where: str,
    others: list[Other],
    asked: Policy | None = None,
) -> CheckTable:
    """Check a log's file, layer by layer; `where` names it in what is refused."""
    from ledger.exchange.names import is_names
    from projections.verification import rederive, with_derived, with_rules

    with proving(where):
        verdict = _held_lines(path, policy, others, asked)
    tree = verdict.log.tree
    key, imported = _held_rules(path, tree, where)
    table = with_rules(verdict.table, tree.size, imported)
    try:
        again = partial(_read_again, path, tree, where)
        return with_derived(table, rederive(lambda: filterfalse(is_names, again()), key))
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(f"{where}: {error}") from None


def _held_lines(
    path: Path, policy: Policy | HeadWaiver | None, others: list[Other], asked: Policy | None
) -> Verdict:
    """Check form, tree and signatures; a policy that is `asked` says whose keys officials have."""
    from ledger.proof.verifier import verify_file

    if path.stat().st_size < LARGE_BYTES:
        return verify_file(path, policy, others=others, asked=asked)
    return verify_on_all_cores(path, policy, others, asked)


def verify_on_all_cores(
    path: Path,
    policy: Policy | HeadWaiver | None,
    others: Sequence[Other] = (),
    asked: Policy | None = None,
) -> Verdict:
    """Check form, tree and signatures, these by a process for each core; Invalid or Refused."""
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

    lines = _read_again(path, tree, where)
    replayed = replay_lines(where, lines, ranking, keep_lines=False)
    return replayed.tournament.shuffle_key, replayed.imported


def _read_again(path: Path, tree: Tree, where: str) -> Iterator[bytes]:
    """Yield the lines of a file once more; Unreadable where they are not those checked before."""
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

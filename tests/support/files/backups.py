"""Backups in tests: taken as `restore` takes them, and forged line by line with sums that fit."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.exchange.restoring import Restoring
from ledger.proof.formats import Tree, leaf_hash
from ledger.proof.notes import base64_of
from ledger.store.backup import Backup
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.store import Store
    from ledger.store.backup import Unlock

FIRST = b'{"tourney-backup":2}\n'


def restored(store: Store, path: str, unlock: Unlock | None = None) -> dict[str, int]:
    """Take a backup into a store; events added to each tournament."""
    restoring = Restoring(Backup(path, unlock) if unlock else Backup(path), ranking)
    restoring.examine()
    restoring.compare(store)
    return restoring.take(store)


class Forged(NamedTuple):
    """What somebody writes into a backup of their own making."""

    stream: str
    lines: Sequence[bytes]
    secrets: Mapping[str, bytes] = {}
    root: bytes = b""
    head: str = ""

    def rows(self) -> list[bytes]:
        """The rows of this tournament, with the root of its lines where none is given."""
        tree = Tree()
        for line in self.lines:
            tree.add(leaf_hash(line))
        value = {
            "kind": "log",
            "stream": self.stream,
            "events": len(self.lines),
            "root": base64_of(self.root or tree.root()),
            "head": self.head,
            "secrets": {name: base64_of(secret) for name, secret in self.secrets.items()},
        }
        return [msgspec.json.encode(value) + b"\n", *(line + b"\n" for line in self.lines)]


def forge(
    path: Path | str, tournaments: Iterable[Forged], *, signed: Mapping[str, bytes] | None = None
) -> None:
    """Write a backup whose sum fits, as anybody can who has the format."""
    body = FIRST + b"".join(row for each in tournaments for row in each.rows())
    signatures = {stream: base64_of(each) for stream, each in (signed or {}).items()}
    end = {"kind": "end", "sha256": sha256(body).hexdigest(), "signed": signatures, "mac": ""}
    Path(path).write_bytes(body + msgspec.json.encode(end) + b"\n")


def forged(store: Store, stream: str) -> Forged:
    """What a backup of a store would have of a tournament."""
    return Forged(stream, store.lines(stream), store.vault_items(stream))

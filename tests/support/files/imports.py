"""A file read and taken into a store at once, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.exchange import read_file, take

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.books.vault import Secrets
    from ledger.exchange import Details, Imported
    from ledger.exchange.translating import Ranking
    from ledger.store import Store


def import_file(
    store: Store,
    path: Path,
    *,
    ranking: Ranking,
    as_new: bool = False,
    secrets: Secrets | None = None,
    details: Details | None = None,
) -> Imported:
    parsed = read_file(path, ranking=ranking, secrets=secrets, details=details)
    return take(store, parsed, as_new=as_new)

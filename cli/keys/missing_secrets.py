"""What is said, once for each command, where the secrets of the log in hand are not all here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.visible import how_many
from ledger.books.vault import came_without
from ledger.lines.sealing import TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.books.book import Book

WAY_BACK = "put back what belongs to this store, or `restore` a backup"


def missing_in_words(book: Book) -> str:
    """Say what the vault lacks of what this log is read with; empty where it lacks nothing."""
    if not book.tournament.is_sealed:
        return ""
    secrets = book.seals.keys or book.store.vault_items(book.stream)
    where, lost = book.store.vault_where, _lost(book, secrets)
    if lost and not secrets:
        return (
            f"the vault is missing: {where} holds nothing of this tournament, so names and texts "
            f"stay sealed and draws cannot be made; {WAY_BACK}"
        )
    if book.is_past:
        return ""
    problems = [f"{how_many(len(lost), 'secret')} not there"] if lost else []
    problems += ["some are damaged"] if book.seals.damaged else []
    return f"{where}: {', '.join(problems)}; {WAY_BACK}; `verify` names them" if problems else ""


def _lost(book: Book, secrets: Mapping[str, bytes]) -> list[str]:
    """Name the keys that were looked for, not there, neither destroyed nor left elsewhere."""
    seals, ids = book.seals, book.tournament.ids
    return [
        name
        for name in seals.unopened - seals.forgotten
        if not came_without(name, ids.get(name.removeprefix(TEXT), 0), secrets)
    ]

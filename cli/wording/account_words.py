"""What came of an import, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from ledger.exchange.account import Account


def account_lines(account: Account) -> list[str]:
    """Return what is in the log, and for each reason what of the file is not."""
    counts = [
        how_many(account.entrants, "entrant"),
        how_many(account.rounds, "round"),
        how_many(account.tables, "table"),
        how_many(account.results, "result"),
        how_many(account.byes, "bye"),
    ]
    if account.missed:
        counts.append(f"{how_many(account.missed, 'round')} missed")
    lines = [f"in the log: {', '.join(counts)}"]
    by_reason: dict[str, list[str]] = {}
    for each in account.ignored:
        by_reason.setdefault(each.why, []).append(f"{each.what} ({each.count})")
    lines += [f"passed over: {', '.join(found)}: {why}" for why, found in by_reason.items()]
    return lines + [f"look at: {note}" for note in account.notes]

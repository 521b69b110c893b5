"""A warning before an act is accepted that breaches what pairings and standings rest on.

On a terminal the question is asked whether to go on; through a pipe, and with --yes, the act goes
on: it carries its reason into the log either way.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cli.terminal.output import overheard, say
from cli.terminal.visible import visible
from ledger.errors import LedgerError, Refused
from ledger.facts.base import LABEL_MAX
from ledger.fold import evolve
from ledger.lines.line import decode

OTHERS_NAMED = 8
"""Unknown factions of a file that are named."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from ledger.rules.command import Command
    from ledger.rules.people import Entry
    from projections.audit.findings import AuditFinding


def confirm_breaches(desk: Desk, command: Command) -> None:
    """Say which breaches of the audit a command would be; Refused where the person desists."""
    from cli.wording.audit_words import finding_in_words
    from projections.audit.findings import kind_in

    breaches = list(_breaches(desk, command))
    tournament = desk.book.tournament
    for finding in breaches:
        kind = kind_in(finding.kind, tournament.ruleset)
        clause = f" ({kind.clause})" if kind.clause else ""
        say(f"warning: {finding_in_words(tournament, finding)}{clause}; `audit` will show it")
    if breaches:
        confirm(desk, "go on?")


def confirm(desk: Desk, question: str) -> None:
    """Ask the person at the terminal, but for `--yes`; Refused where they would rather not."""
    if desk.options.yes or not is_asked():
        return
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Refused("nothing was written")


def known_faction(desk: Desk, typed: str) -> str:
    """Return a faction as the game prints it; another one is asked about, with the nearest."""
    from cli.input.find_people import plain
    from ledger.rulesets.toml_files import nearest

    rules = desk.tournament.ruleset
    spelled = {plain(each): each for each in rules.factions}
    if not typed or not spelled or plain(typed) in spelled or len(typed) > LABEL_MAX:
        return spelled.get(plain(typed), typed)
    say(f"{visible(typed)} is not a faction of {rules.key}; {nearest(typed, rules.factions)}")
    confirm(desk, f"record {visible(typed)} anyway?")
    return typed


def known_factions(desk: Desk, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return entries with factions as the game prints them; all others are one question."""
    from msgspec import structs

    from cli.input.find_people import plain

    spelled = {plain(each): each for each in desk.tournament.ruleset.factions}
    if not spelled:
        return entries
    others = {
        each.faction for each in entries if each.faction and plain(each.faction) not in spelled
    }
    if others:
        named = ", ".join(visible(each[:LABEL_MAX]) for each in sorted(others)[:OTHERS_NAMED])
        rules = desk.tournament.ruleset
        factions = ", ".join(rules.factions)
        say(f"{rules.key} does not have these factions: {named}; its factions are {factions}")
        confirm(desk, "record them anyway?")
    return tuple(
        structs.replace(each, faction=spelled.get(plain(each.faction), each.faction))
        for each in entries
    )


def _breaches(desk: Desk, command: Command) -> Iterator[AuditFinding]:
    """Find what an act would breach, on a copy; nothing where it was sent before, or is refused."""
    from projections.audit.findings import findings_of, kind_in

    book = desk.book
    if desk.command_id in book.tournament.ids:
        return
    try:
        proposed = desk.preview(command)
    except LedgerError:
        return
    tournament = book.at(len(book.lines))
    for recorded in proposed:
        for finding in findings_of(
            tournament, recorded, lambda seq: decode(book.lines[seq - 1]).at
        ):
            if kind_in(finding.kind, tournament.ruleset).severity == "breach":
                yield finding
        evolve(tournament, recorded)


def is_asked() -> bool:
    """Whether a person sits at the terminal."""
    return overheard() is None and sys.stdin.isatty() and sys.stderr.isatty()

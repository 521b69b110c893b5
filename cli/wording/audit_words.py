"""An audit in words: each finding in one line, who did what, whom a correction moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.terminal.visible import how_many, visible
from cli.wording.phrases import holder_in_words, official_in_words, table_in_words
from ledger.tournament.state import Tournament
from projections.audit.findings import KINDS, AuditFinding

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping

    from projections.audit.report import Correction

NAMED_MAX = 4
"""How many moves of a correction are listed one by one."""

SEQS_MAX = 8

OF_A_KEY = frozenset({"first-key", "further-key", "key-lost", "key", "official-link"})
"""Findings whose official holds a key or a link, 0 for the log, and is not who entered it."""


def finding_in_words(tournament: Tournament, finding: AuditFinding) -> str:
    """Say what was found, where, about whom and why it was done."""
    parts = [KINDS[finding.kind].title]
    if finding.match:
        parts.append(f"at {table_in_words(tournament, finding.match)}")
    elif finding.round:
        parts.append(f"in round {finding.round}")
    if finding.tables:
        parts.append(f"({finding.tables})")
    if finding.kind in OF_A_KEY:
        parts[-1] += f": {holder_in_words(tournament, finding.official)}"
    elif finding.official:
        parts.append(f"by {official_in_words(tournament, finding.official)}")
    text = " ".join(parts)
    if finding.players:
        text += f": {_persons(tournament, finding.players)}"
    text += "".join(f", {each}" for each in _details(finding))
    return text + (f' - "{visible(finding.reason)}"' if finding.reason.strip() else "")


def _details(finding: AuditFinding) -> Iterator[str]:
    """Yield what a finding counts."""
    if finding.kept:
        yield f"texts kept: {finding.kept}"
    if finding.adjusted:
        yield f"by {' and '.join(f'{points:+}' for points in finding.adjusted)}"
    if finding.tries:
        yield how_many(finding.tries, "time")
    if finding.cards:
        yield visible("; ".join(finding.cards))
    if finding.minutes or finding.kind == "clock":
        yield f"{finding.minutes} min"


def _persons(tournament: Tournament, players: tuple[int, ...]) -> str:
    """Name players, of many only the first."""
    named = [labelled(tournament, each) for each in players[:NAMED_MAX]]
    more = len(players) - len(named)
    return " and ".join([*named, *([f"{more} more"] if more else [])])


def seqs_in_words(seqs: tuple[int, ...]) -> str:
    """List events, of many only the first."""
    more = f" … ({len(seqs)})" if len(seqs) > SEQS_MAX else ""
    return ", ".join(map(str, seqs[:SEQS_MAX])) + more


def types_in_words(types: Counter[str]) -> str:
    """List events by type with their counts, most first."""
    most = sorted(types.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{name} {count}" for name, count in most)


def links_in_words(links: Mapping[int, int]) -> str:
    """List the links over which acts were entered; nothing of those at a desk."""
    return seqs_in_words(tuple(sorted(links)))


def moved_in_words(tournament: Tournament, correction: Correction) -> str:
    """Say whom a correction moved, those whose points it changed first."""
    shown = tournament.ruleset.scoring.shown
    moves = sorted(correction.moved, key=lambda each: each.points[0] == each.points[1])
    named = [
        f"{labelled(tournament, move.player)} {_moved(move.points, shown)} points, "
        f"rank {_moved(move.ranks)}"
        for move in moves[:NAMED_MAX]
    ]
    more = f"; {len(moves) - NAMED_MAX} more moved" if len(moves) > NAMED_MAX else ""
    return "; ".join(named) + more if named else "nobody moved"


def _moved(pair: tuple[int, int], shown: Callable[[int], str] = str) -> str:
    before, after = map(shown, pair)
    return before if before == after else f"{before} to {after}"

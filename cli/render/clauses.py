"""A clause of the regulations for people, scripts and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.languages.speaking import marked, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.rulesets.clauses import Clause

NO_TEXT = marked(
    "no text of this clause is stored; `ruleset show` and `format show` list the rules that cite it"
)


def clause_lines(clause: Clause) -> list[str]:
    """Return a clause as lines: its text, its document, the persons who act, and the verbs."""
    if not clause.asks:
        return [clause.id, tr(NO_TEXT)]
    title, asks = f"{clause.id}: {tr(clause.title)}", tr(clause.asks)
    return [title, asks, *map(": ".join, clause_facts(clause))]


def clause_facts(clause: Clause) -> list[tuple[str, str]]:
    """Return what is known of a clause next to its text, each with its title."""
    return [
        (
            tr("source"),
            tr(
                "{document}, section {section}",
                document=clause.document,
                section=repr(clause.section),
            ),
        ),
        (tr("who acts"), tr(clause.actors) if clause.actors else ""),
        (tr("verbs"), ", ".join(f"`{verb}`" for verb in clause.verbs)),
    ]


def clauses_as_json(clauses: Iterable[Clause]) -> list[dict[str, object]]:
    """Return clauses for `--json`; a clause without a text has null in its members."""
    return [
        {
            "id": clause.id,
            "title": clause.title or None,
            "asks": clause.asks or None,
            "document": clause.document or None,
            "section": clause.section or None,
            "who": clause.actors or None,
            "verbs": list(clause.verbs),
        }
        for clause in clauses
    ]

"""The audit as one HTML page; every text from the log is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cli.render.html import web_page
from cli.render.office_tables import note_rows
from cli.terminal.counting import how_many
from cli.terminal.visible import visible
from cli.wording.audit_words import acts_row, correction_row, finding_in_words, seqs_in_words
from cli.wording.dispute_words import claim_in_words
from cli.wording.floor_words import table_in_words
from projections.audit.kinds import KINDS, SEVERITIES, kind_in
from projections.matches.dispute_status import state_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament
    from projections.audit.report import Audit

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; }
body { margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #8886; }
p.about { margin-top: .2rem; opacity: .75; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
th, td { border-bottom: 1px solid #8883; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
td:first-child { white-space: nowrap; }
.breach { color: #b3261e; font-weight: 600; }
.notable { color: #9a6700; font-weight: 600; }
.note { opacity: .7; }
@media (prefers-color-scheme: dark) { .breach { color: #ff8a80; } .notable { color: #f2c14e; } }
@media print { body { margin: 0; max-width: none; } }
@media screen and (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid #8883; padding: .4rem 0; }
  tr:first-child, td:empty { display: none; }
  td, td:first-child { border: 0; padding: 0; white-space: normal; }
  td::before { content: attr(data-is) ": "; opacity: .7; font-weight: 400; }
}
"""


def audit_page(audit: Audit) -> str:
    """Return the whole page."""
    tournament = audit.tournament
    opening = tournament.opening
    name = visible(opening.name) if opening else ""
    state = "finished" if tournament.finished else "not finished"
    date, key, rules = (
        (opening.date, opening.ruleset.key, opening.rules) if opening else ("", "", 0)
    )
    about = (
        f"{date}, {key}, rules {rules}, {how_many(tournament.seq, 'event')}, {state}. "
        "Numbers in the column “events” are places in the log."
    )
    body = [
        f"<h1>Audit of {escape(name)}</h1>",
        f'<p class="about">{escape(about)}</p>',
        *_findings(audit),
        *_disputes(tournament),
        *_corrections(audit),
        *_notes(tournament),
        *_acts(audit),
        *_kinds(tournament.ruleset),
    ]
    return web_page(f"Audit of {name}", STYLE, body)


def _findings(audit: Audit) -> Iterable[str]:
    kinds = [kind_in(each.kind, audit.tournament.ruleset) for each in audit.findings]
    rows = [
        [
            f'<span class="{kind.severity}">{kind.severity}</span>',
            escape(finding_in_words(audit.tournament, each)),
            escape(kind.clause),
            escape(seqs_in_words(each.seqs)),
        ]
        for kind, each in zip(kinds, audit.findings, strict=True)
    ]
    titles = ("weight", "what was found", "clause", "events")
    yield from _section("Findings", titles, rows, "Nothing was found.")


def _disputes(tournament: Tournament) -> Iterable[str]:
    rows = [
        [
            escape(table_in_words(tournament, each.match)),
            escape(claim_in_words(tournament, each.match, each.reported)),
            escape(claim_in_words(tournament, each.match, each.against)),
            escape(state_in_words(tournament, each)),
            escape(seqs_in_words((each.reported.seq, each.seq))),
        ]
        for each in tournament.floor.disputes
    ]
    titles = ("table", "reported", "against it", "state", "events")
    yield from _section("Disputes", titles, rows, "No result was disputed.")


def _corrections(audit: Audit) -> Iterable[str]:
    rows = [_escaped(correction_row(audit.tournament, each)) for each in audit.corrections]
    titles = ("event", "table", "why", "who moved")
    yield from _section("Corrections", titles, rows, "No result was corrected.")


def _notes(tournament: Tournament) -> Iterable[str]:
    rows = [_escaped(row) for row in note_rows(tournament)]
    titles = ("event", "who", "on", "note")
    yield from _section("Notes", titles, rows, "Nobody took a note.")


def _acts(audit: Audit) -> Iterable[str]:
    rows = [_escaped(acts_row(audit.tournament, each)) for each in audit.acts]
    yield from _section(
        "Who did what", ("who", "acts", "events", "of which"), rows, "Nobody acted."
    )


def _kinds(rules: Ruleset) -> Iterable[str]:
    all_kinds = [kind_in(name, rules) for name in KINDS]
    kinds = sorted(all_kinds, key=lambda kind: SEVERITIES.index(kind.severity))
    rows = [_escaped([kind.title, kind.severity, kind.clause, kind.meaning]) for kind in kinds]
    titles = ("finding", "weight", "clause", "meaning")
    yield from _section("What is looked for", titles, rows, "")


def _escaped(cells: Iterable[str]) -> list[str]:
    return [escape(cell) for cell in cells]


def _section(
    title: str, titles: Sequence[str], rows: Sequence[Sequence[str]], without: str
) -> Iterable[str]:
    """Yield a heading and its table; `rows` are HTML already."""
    yield f"<h2>{escape(title)}</h2>"
    if not rows:
        yield f"<p>{escape(without)}</p>"
        return
    yield "<table>"
    yield f"<tr>{''.join(f'<th>{escape(each)}</th>' for each in titles)}</tr>"
    for row in rows:
        cells = zip(titles, row, strict=True)
        told = "".join(f'<td data-is="{escape(name)}">{cell}</td>' for name, cell in cells)
        yield f"<tr>{told}</tr>"
    yield "</table>"

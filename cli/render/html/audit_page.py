"""The audit as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.render.audit_tables import AuditSection, audit_sections
from cli.render.html.elements import Links, section, web_page
from cli.render.log_table import log_columns
from cli.terminal.counting import how_many
from cli.terminal.visible import visible
from cli.wording.event_words import in_words
from cli.wording.format_words import game_in_words, rules_in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.terminal.tables import Column
    from ledger.events import Event
    from ledger.tournament.state import Tournament
    from projections.audit.report import Audit

STYLE = """
body { font-size: 15px; padding-top: 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
td:first-child { white-space: nowrap; }
td a { color: inherit; }
@media print { body { font-size: 9.5pt; } h2 { margin-top: 5mm; } }
@media screen and (max-width: 40rem) { td:first-child { white-space: normal; } }
"""


def audit_page(audit: Audit, seen: Callable[[Event], Event]) -> str:
    """Return the whole page; `seen` leaves out of an event what its reader may not see yet."""
    tournament, last = audit.tournament, audit.tournament.seq
    links = Links(last)
    opening = tournament.opening
    name = visible(opening.name) if opening else ""
    state = "finished" if tournament.finished else "not finished"
    plays = visible(game_in_words(opening)) if opening else ""
    game = f"{opening.date}, {plays}, rules {opening.rules}, " if opening else ""
    rules = rules_in_words(opening) if opening else ""
    optional = f"Optional rules {visible(rules)}. " if rules else ""
    about = (
        f"{game}{how_many(tournament.seq, 'event')}, {state}. "
        f"{optional}Numbers of events lead to their lines in the log, at the end of the page."
    )
    body: list[htpy.Node] = [
        htpy.h1[f"Audit of {name}"],
        htpy.p(class_="about")[about],
        (_section(each, links) for each in audit_sections(audit) if each.records or each.otherwise),
        section("The log", _lines(tournament, seen), audit.log, "", links=Links(last, is_log=True)),
    ]
    return web_page(f"Audit of {name}", STYLE, body)


def _section(each: AuditSection, links: Links) -> htpy.Node:
    marked = "weight" if each.title == "Findings" else ""
    shown = None if each.counts else links
    return section(*each[:4], marked=marked, links=shown)


def _lines(tournament: Tournament, seen: Callable[[Event], Event]) -> list[Column]:
    return log_columns(tournament, lambda each: in_words(seen(each.event), tournament))

"""The pages that everybody may read elsewhere: each is whole, needs no script and nothing else.

They are made of the parts that the hall shows, of a state whose names are cut already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.desk.guide import round_in_words
from cli.input.moments import time_in
from cli.machine.posted_words import COMPARE
from cli.render.brackets import order_columns
from cli.render.elements import records_table, web_page
from cli.render.game_tables import pairing_columns
from cli.serve.parts import PARTS
from cli.terminal.visible import how_many, visible
from cli.wording.phrases import game_in_words
from ledger.errors import LedgerError
from projections.standings.bracket import finishing_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.machine.posted_words import PostedWords
    from ledger.tournament.state import Round, Tournament

STYLE = """
nav ul, .files { list-style: none; margin: 0; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; border-bottom: 1px solid var(--line); }
nav a { display: inline-block; padding: .55rem 0; text-decoration: none; min-height: 2.75rem; }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-bottom: 3px solid var(--accent); }
.files li { margin: .6rem 0; }
.code svg { background: #fff; display: block; width: min(20rem, 100%); height: auto; }
pre { overflow-x: auto; white-space: pre-wrap; }
textarea { font: inherit; width: 100%; color: inherit; background: var(--band); }
button { font: inherit; min-height: 2.75rem; padding: 0 1.2rem; }
.good { color: var(--good); font-weight: 600; }
footer { color: var(--quiet); font-size: .9rem; margin-top: 2rem; }
@media print { nav { display: none; } }
"""
ENTRY = "index.html"


class PublicPage(NamedTuple):
    """One page: the name of its file, what it is called, and what is on it."""

    file: str
    title: str
    content: Node
    script: str = ""


def pages(
    tournament: Tournament,
    at: str,
    record: Node,
    further: Sequence[PublicPage],
    words: PostedWords | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield every page; `record` says on the first one what of the log lies beside it.

    `words` are the six words of the latest posting.
    """
    foot = _foot(tournament, at, words)
    sheets = [*_parts(tournament), *_rounds(tournament), *further]
    entry = PublicPage(ENTRY, "Event", [_about(tournament), _contents(sheets), record])
    for sheet in (entry, *sheets):
        yield sheet.file, _page(tournament, foot, sheet, (entry, *sheets)).encode()


def _parts(tournament: Tournament) -> Iterator[PublicPage]:
    """Yield what the hall shows and does not run on by itself, as far as it is there."""
    for name in ("pairings", "standings", "bracket"):
        part = PARTS[name]
        try:
            yield PublicPage(f"{name}.html", part.title, part.html(tournament))
        except LedgerError:
            continue
    if tournament.finished:
        order = finishing_order(tournament)
        columns = order_columns(tournament, order)
        yield PublicPage(
            "final.html", "Final places", records_table(columns, order, heading="player")
        )


def _rounds(tournament: Tournament) -> Iterator[PublicPage]:
    for played in tournament.rounds:
        yield PublicPage(
            f"round-{played.number}.html",
            f"Round {played.number}",
            _round(tournament, played),
        )


def _round(tournament: Tournament, played: Round) -> Node:
    matches = [match for match in played.matches if match.players]
    return [
        htpy.p(class_="about")[f"{round_in_words(tournament, played)}, {played.status}"],
        records_table(pairing_columns(tournament), matches, heading="player"),
    ]


def _about(tournament: Tournament) -> Node:
    opening = tournament.opening
    if opening is None:
        return None
    players = sum(1 for _ in tournament.registered())
    return htpy.p[
        visible(f"{opening.date}, {game_in_words(opening)}, {how_many(players, 'player')}")
    ]


def _contents(sheets: Sequence[PublicPage]) -> Node:
    if not sheets:
        return htpy.p["No round is paired yet."]
    return htpy.ul[(htpy.li[htpy.a(href=each.file)[each.title]] for each in sheets)]


def _foot(tournament: Tournament, at: str, words: PostedWords | None) -> Node:
    """Return what is below every page: up to which event it goes, and the six words."""
    return [
        htpy.p[f"As of event {tournament.seq}, {time_in(tournament, at)}."],
        htpy.p(class_="words")[f"{COMPARE}: {words.place}: ", htpy.strong[words.text]]
        if words
        else None,
    ]


def _page(
    tournament: Tournament, foot: Node, sheet: PublicPage, sheets: Sequence[PublicPage]
) -> str:
    name = visible(tournament.opening.name) if tournament.opening else ""
    body = [
        htpy.header[
            htpy.h1[name],
            htpy.nav(aria_label="Pages")[htpy.ul[(_link(each, sheet) for each in sheets)]],
        ],
        htpy.main[htpy.h2[sheet.title], sheet.content],
        htpy.footer[foot],
    ]
    return web_page(f"{sheet.title}: {name}", STYLE, body, script=sheet.script)


def _link(each: PublicPage, here: PublicPage) -> Node:
    is_here = each.file == here.file
    return htpy.li[htpy.a(href=each.file, aria_current="page" if is_here else None)[each.title]]

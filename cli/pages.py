"""Plain pages for a printer: pairings by table and by name, and slips to report on.

80 columns and 60 lines a page, so that Letter and A4 both hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.guide import round_in_words
from cli.people import name_of
from cli.people import plain
from cli.tables import Column
from cli.tables import table
from cli.views import seat_name
from cli.visible import cells
from cli.visible import shortened
from cli.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rulesets import Ruleset
    from ledger.state import Match
    from ledger.state import Round
    from ledger.state import Tournament

WIDTH = 80
LINES = 60

_BY_TABLE = (
    Column("table", right=True),
    Column("player", flexible=True),
    Column("against", flexible=True),
)
_BY_NAME = (
    Column("player", flexible=True),
    Column("table", right=True),
    Column("against", flexible=True),
)


def pairing_pages(tournament: Tournament, played: Round) -> list[list[str]]:
    """Lay out a round's pairings twice: by table, and by the players' names."""
    by_table = [
        [
            str(match.table),
            *(seat_name(tournament, player) for player in _seats(match)),
        ]
        for match in played.matches
        if match.players
    ]
    by_name = sorted(
        (
            [name_of(tournament, player), str(match.table), seat_name(tournament, other)]
            for match in played.matches
            for player, other in ((match.first, match.second), (match.second, match.first))
            if player
        ),
        key=lambda row: (plain(row[0]), row[0], int(row[1])),
    )
    heading = _heading(tournament, played)
    return [
        *_paged(f"{heading} - by table", list(table(_BY_TABLE, by_table, WIDTH))),
        *_paged(f"{heading} - by name", list(table(_BY_NAME, by_name, WIDTH))),
    ]


def slip_pages(tournament: Tournament, played: Round) -> list[list[str]]:
    """Lay out a slip for every match that is played; a slip is never split."""
    pages: list[list[str]] = [[]]
    for match in played.matches:
        if match.is_bye:
            continue
        slip = _slip(tournament, played, match)
        if len(pages[-1]) + len(slip) > LINES:
            pages.append([])
        pages[-1] += slip
    return pages if pages[0] else []


def _seats(match: Match) -> tuple[int, int]:
    return (match.first, match.second) if match.first else (match.second, match.first)


def _heading(tournament: Tournament, played: Round) -> str:
    name = tournament.opening.name if tournament.opening else ""
    place = round_in_words(tournament, played)
    return f"{shortened(visible(name), WIDTH - len(place) - 24)} - {place}"


def _paged(heading: str, lines: list[str]) -> Iterator[list[str]]:
    """Break a table into pages, its heading and titles repeated on each."""
    titles, rows = lines[:1], lines[1:]
    room = LINES - 4
    count = max(1, -(-len(rows) // room))
    for page in range(count):
        number = f"page {page + 1} of {count}"
        gap = " " * max(2, WIDTH - cells(heading) - len(number))
        kept = rows[page * room : (page + 1) * room]
        yield [f"{heading}{gap}{number}", "", *titles, *kept]


def _slip(tournament: Tournament, played: Round, match: Match) -> list[str]:
    heading = _heading(tournament, played)
    where = f"TABLE {match.table}"
    lines = [heading + " " * max(2, WIDTH - cells(heading) - len(where)) + where, ""]
    for player in match.players:
        name = shortened(visible(name_of(tournament, player)), 30)
        boxes = _boxes(tournament.ruleset)
        lines.append(f"{player:>5}  {name}{' ' * (31 - cells(name))}{boxes}")
        lines.append("")
    lines.append("       drop?  [ ] first player  [ ] second player")
    lines.append("")
    lines.append("       signed ___________________________    ___________________________")
    lines.append("")
    lines.append("- " * (WIDTH // 2 - 1) + "-")
    return lines


def _boxes(rules: Ruleset) -> str:
    if rules.scoring.kind == "reported":
        return f"points ______ ({rules.scoring.points_min} to {rules.scoring.points_max})"
    declared = rules.derives
    if declared is not None and declared.main:
        facts = [name for name in (declared.main, declared.third) if name]
        return shortened("  ".join(f"{name} ______" for name in facts), WIDTH - 38)
    won = [outcome.name for outcome in rules.outcomes if outcome.record != "L"]
    return shortened("  ".join(f"[ ] {name}" for name in won), WIDTH - 38)

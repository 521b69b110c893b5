"""Pages of text for a printer: pairings, standings, brackets and match slips.

A page has 76 columns and 60 lines, so that Letter and A4 both hold it with a margin. A match slip
is never cut in two. The printed stack of slips is cut across as a whole, and the piles are laid on
one another, the top pile first: then the slips are in the order of the tables. The slip `k` (from
0) of page `p` (from 1) belongs to table `p + k * pages`, counted among the matches that are
played.

A slip is printed before its match has a result, so it has no code of a receipt: `receipt --slips`
prints slips that have such a code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cli.desk.guide import round_in_words
from cli.input.find_people import bare_cut, cut_name, name_of, plain, shown_name
from cli.languages.speaking import marked, tr, tr_of
from cli.render.game_tables import (
    counted_in_words,
    faction_column,
    pairing_columns,
    seat_name,
    standings_columns,
    table_to_sit_at,
)
from cli.render.records import as_read
from cli.terminal.tables import Column, table
from cli.terminal.visible import cells, how_many, isolated, shortened, visible
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from cli.machine.posted_words import PostedWords
    from ledger.rulesets import Ruleset
    from projections.standings.bracket import Bracket
    from projections.standings.table import Standings

WIDTH = 76
LINES = 60

_NOT_PRINTED = frozenset({"#", "byes"})
"""What the wall does without, so that the names have room."""


class NamedSeat(NamedTuple):
    """A player of a round as a list by names has them."""

    player: str
    table: int
    against: str
    match: Match
    number: int
    """The player's number."""

    shown: str
    """The name for people, with the number behind it if another player has the same name."""


BY_NAME = (
    Column(marked("player"), flexible=True, text=lambda seat: seat.shown),
    Column(marked("table"), right=True, text=lambda seat: table_to_sit_at(seat.match)),
    Column(marked("against"), flexible=True),
)
"""Of a round's seats in the order of the players' names."""


def pairing_pages(
    tournament: Tournament, played: Round, below: Sequence[str] = ()
) -> list[list[str]]:
    """Lay out a round's pairings twice: by table, and by the players' names.

    `below` are lines under the heading of each page, here and in the other layouts.
    """
    by_table = pairing_columns(tournament, with_result=False, for_players=True)
    matches = [match for match in played.matches if match.players]
    seated = seats_by_name(tournament, matches)
    place = round_in_words(tournament, played)
    return [
        *_tabled(tournament, f"{place} - {tr('by table')}", by_table, matches, below=below),
        *_tabled(tournament, f"{place} - {tr('by name')}", BY_NAME, seated, below=below),
    ]


def seats_by_name(tournament: Tournament, matches: Iterable[Match]) -> list[NamedSeat]:
    """Return every player with table and opponent, in the order of the names."""
    seats = (
        NamedSeat(
            name_of(tournament, player),
            match.table,
            seat_name(tournament, other),
            match,
            player,
            seat_name(tournament, player),
        )
        for match in matches
        for player, other in ((match.first, match.second), (match.second, match.first))
        if player
    )
    return sorted(seats, key=lambda seat: (plain(seat.player), seat.player, seat.table))


def pairing_tables(
    tournament: Tournament, played: Round
) -> list[tuple[str, Sequence[Column], Sequence[Any]]]:
    """Return a round's pairings twice, by table and by name: heading, columns and records."""
    matches = [match for match in played.matches if match.players]
    place = heading_of(tournament, played)
    by_table = pairing_columns(tournament, with_result=False, for_players=True)
    return [
        (f"{place} - {tr('by table')}", by_table, matches),
        (f"{place} - {tr('by name')}", BY_NAME, seats_by_name(tournament, matches)),
    ]


def clock_lines(
    tournament: Tournament, played: Round, ends: str, below: Sequence[str] = ()
) -> list[str]:
    """Say on a sheet what hangs beside the clock: the round, its minutes, longer tables."""
    longer = tournament.floor.extensions
    lines = [
        heading_of(tournament, played),
        how_many(played.minutes, "minute") if played.minutes else "",
    ]
    lines += [ends] if ends else []
    lines += [
        tr(
            "table {table}: {minutes} added",
            table=match.table,
            minutes=how_many(longer[match.number], "minute"),
        )
        for match in played.matches
        if match.number in longer
    ]
    return [line for line in (*lines, *below) if line]


def standings_pages(
    tournament: Tournament, shown: Standings, below: Sequence[str] = ()
) -> list[list[str]]:
    """Lay out a stage's standings, with the factions."""
    note = counted_in_words(tournament, shown)
    columns = printed_standings(tournament, shown)
    return list(_tabled(tournament, tr("standings"), columns, shown.rows, note, below))


def printed_standings(tournament: Tournament, shown: Standings) -> list[Column]:
    """Return the columns of standings that hang on a wall."""
    columns = [
        each
        for each in standings_columns(tournament, shown, shown_name)
        if each.title not in _NOT_PRINTED
    ]
    columns.insert(2, faction_column(tournament, attrgetter("player")))
    return columns


def bracket_pages(
    tournament: Tournament, shown: Bracket, below: Sequence[str] = ()
) -> list[list[str]]:
    """Lay out an elimination stage, round by round, then who came how far."""
    from cli.render.brackets import bracket_tables

    lines: list[str] = []
    for title, columns, rows, _ in bracket_tables(tournament, shown, factions=True):
        lines += [*([""] if lines else []), *([title] if title else [])]
        lines += table(columns, rows, WIDTH)
    last = tournament.rounds[shown.rounds[-1].round - 1] if shown.rounds else None
    what = tr("bracket")
    if last:
        what = tr("bracket, {round}", round=round_in_words(tournament, last))
    return list(_paged(tournament, what, [], lines, below=below))


def heading_of(tournament: Tournament, played: Round) -> str:
    """Name the tournament and the round."""
    return _titled(tournament, round_in_words(tournament, played), WIDTH)


def _titled(tournament: Tournament, what: str, width: int) -> str:
    name = tournament.opening.name if tournament.opening else ""
    return f"{isolated(shortened(visible(name), width - cells(what) - 3))} - {what}"


def _tabled(
    tournament: Tournament,
    what: str,
    columns: Sequence[Column],
    records: Iterable[Any],
    note: str = "",
    below: Sequence[str] = (),
) -> Iterator[list[str]]:
    lines = list(table(*as_read(columns, records), WIDTH))
    return _paged(tournament, what, lines[:1], lines[1:], note, below)


def _paged(
    tournament: Tournament,
    what: str,
    titles: list[str],
    rows: list[str],
    note: str = "",
    below: Sequence[str] = (),
) -> Iterator[list[str]]:
    """Break lines into pages, each with the heading, its number, the date and the titles."""
    date = tournament.opening.date if tournament.opening else ""
    dated = f"{date}, {note}" if note else date
    room = LINES - 4 - len(below)
    count = max(1, -(-len(rows) // room))
    for page in range(count):
        number = tr("page {page} of {count}", page=page + 1, count=count)
        heading = _titled(tournament, what, WIDTH - len(number) - 2)
        gap = " " * (WIDTH - cells(heading) - len(number))
        kept = rows[page * room : (page + 1) * room]
        yield [f"{heading}{gap}{number}", dated, *below, *titles, *kept]


Slip = TypeVar("Slip")

NAME_CELLS = 30
BOX_CELLS = 38
CUT_HERE = "- " * (WIDTH // 2 - 1) + "-"


class Blank(NamedTuple):
    """What a slip leaves to be filled in by hand: a box to tick, or a line to write on."""

    name: str
    is_box: bool = False
    range: str = ""


def slip_pages(
    tournament: Tournament, played: Round, words: PostedWords | None = None
) -> list[list[str]]:
    """Lay out a slip for every match that is played, with the six words of the latest posting."""
    shown = tr("event {seq}: {words}", seq=words.size, words=words.text) if words else ""
    slips = [
        _slip(tournament, played, match, shown) for match in played.matches if not match.is_bye
    ]
    if not slips:
        return []
    pages = in_piles(slips, LINES // len(slips[0]))
    return [[line for slip in page for line in slip] for page in pages]


def in_piles(slips: Sequence[Slip], each_page: int) -> list[Sequence[Slip]]:
    """Share slips out among pages, so that the piles of the cut stack are in the tables' order."""
    count = -(-len(slips) // each_page)
    return [slips[page::count] for page in range(count)]


def _slip(tournament: Tournament, played: Round, match: Match, words: str) -> list[str]:
    names = [cut_name(tournament, each, NAME_CELLS) for each in match.players]
    room = (WIDTH - 23) // len(names)
    leaving = [f"[ ] {cut_name(tournament, each, room)}" for each in match.players]
    boxes = _boxes(tournament.ruleset)
    place = tr("TABLE {table}", table=match.table)
    gap = " " * max(2, WIDTH - cells(place) - cells(words))
    lines = [f"{place}{gap}{words}".rstrip(), heading_of(tournament, played), ""]
    for player in match.players:
        name = bare_cut(tournament, player, NAME_CELLS)
        lines += [f"{player:>5}  {_padded(name, NAME_CELLS)} {boxes}", ""]
    return [
        *lines,
        tr("drops out:  {players}", players="   ".join(leaving)),
        "",
        tr("start ________   end ________   judge ________"),
        "",
        "",
        "________________________________    ________________________________",
        f"{_padded(names[0], NAME_CELLS + 6)}{names[1]}",
        CUT_HERE,
    ]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _boxes(rules: Ruleset) -> str:
    texts = (
        f"[ ] {each.name}" if each.is_box else f"{each.name} ______ {each.range}".rstrip()
        for each in blanks(rules)
    )
    return shortened("  ".join(texts), BOX_CELLS)


def blanks(rules: Ruleset) -> list[Blank]:
    """Return what each side of a table fills in, as the ruleset asks for results."""
    if rules.scoring.kind == "reported":
        return [
            Blank(
                tr("points"),
                range=tr(
                    "({least} to {most})",
                    least=rules.scoring.points_min,
                    most=rules.scoring.points_max,
                ),
            )
        ]
    declared = rules.derives
    if declared is not None and declared.main:
        return [Blank(tr(name)) for name in (declared.main, declared.third) if name]
    return [
        Blank(tr_of("result", each.name), is_box=True)
        for each in rules.outcomes
        if each.record != "L"
    ]

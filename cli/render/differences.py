"""What differs between two moments, in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cli.input.people import labelled, name_of
from cli.render.game_tables import seat_name, tiebreaker
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_table
from cli.terminal.tables import Column, prose
from cli.wording.event_words import in_words
from cli.wording.phrases import who
from cli.wording.result_words import result_in_words
from ledger.tournament.state import Match, Tournament

if TYPE_CHECKING:
    from projections.differences.causes import Cause, Reasons
    from projections.differences.compare import Differences, PersonState, PlayerChange, TableState
    from projections.standings.bracket import BracketGame
    from projections.standings.table import StandingsRow

ARROW = " → "
NOTHING = "-"

_CAUSES = (Column("event", right=True), Column("who", yields=1, flexible=True), prose("what"))


def show_differences(found: Differences, before: Tournament, after: Tournament) -> None:
    """Print all that differs, section by section, with the names that players have after."""
    newer = max(before, after, key=lambda each: each.seq)
    if found.rows:
        _say_what_is_compared(found)
        show_table(*_rows(found, newer))
    _show_section("people", _people(found, newer))
    _show_section("matches", _matches(found, newer))
    show_bracket(found, newer)
    _show_section("cut", _cuts(found, newer))
    show_places(found, newer)


def show_bracket(found: Differences, tournament: Tournament) -> None:
    """Print which games of an elimination differ."""
    _show_section("bracket", _games(found, tournament))


def show_places(found: Differences, tournament: Tournament) -> None:
    """Print whose place in the finishing order differs."""
    _show_section("places", _places(found, tournament))


def _show_section(title: str, lines: Iterator[str]) -> None:
    if phrase := [f"  {line}" for line in lines]:
        show(f"{title}:", *phrase)


def show_causes(found: Sequence[Cause], of: Mapping[int, Reasons], tournament: Tournament) -> None:
    """Print the events that can move a number, and which of them moved whose row."""
    if not found:
        return
    show("events that can move a number:")
    show_table(
        _CAUSES,
        [
            [
                str(each.recorded.seq),
                who(each.recorded.by, tournament),
                in_words(each.recorded.event, tournament),
            ]
            for each in found
        ],
    )
    moved = [
        [name_of(tournament, player), _listed(each.direct), _listed(each.through)]
        for player, each in of.items()
    ]
    if moved:
        show_table(
            (Column("moved", flexible=True), prose("by events"), prose("through opponents")), moved
        )


def _say_what_is_compared(found: Differences) -> None:
    if found.stages[0] != found.stages[1]:
        one, other = (f"the table of stage {each}" if each else "no table" for each in found.stages)
        say(f"{one} before, {other} after")


def _listed(seqs: Sequence[int]) -> str:
    return " ".join(map(str, seqs)) or NOTHING


def _rows(found: Differences, tournament: Tournament) -> tuple[list[Column], list[list[str]]]:
    tiebreakers = tournament.ruleset.tiebreakers
    columns = [
        Column("rank", right=True),
        Column("#", right=True, yields=99),
        Column("player", flexible=True),
        Column("points", right=True),
        *(Column(one.code, right=True, yields=2 + at) for at, one in enumerate(tiebreakers)),
        Column("W-L-D", right=True, yields=1),
        Column("", yields=97),
    ]
    rows = [_row(row, tournament, len(tiebreakers)) for row in found.rows]
    kept = [at for at in range(len(columns)) if at in {0, 2} or any(row[at] for row in rows)]
    return [columns[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _row(row: PlayerChange[StandingsRow], tournament: Tournament, tiebreakers: int) -> list[str]:
    def moved(shown: Callable[[StandingsRow], str]) -> str:
        before, after = (shown(each) if each else NOTHING for each in (row.before, row.after))
        return "" if before == after else f"{before}{ARROW}{after}"

    standing = row.after or row.before
    assert standing is not None  # noqa: S101 - a change has one side at least
    return [
        moved(lambda each: str(each.rank)) or str(standing.rank),
        str(row.player),
        name_of(tournament, row.player),
        moved(lambda each: str(each.points)),
        *(_tiebreaker(row, tournament, place) for place in range(tiebreakers)),
        moved(lambda each: f"{each.wins}-{each.losses}-{each.draws}"),
        moved(_mark),
    ]


def _tiebreaker(row: PlayerChange[StandingsRow], tournament: Tournament, place: int) -> str:
    """A tiebreaker on both sides; as fractions, where four decimals are the same."""
    values = [each.tiebreakers[place] if each else None for each in (row.before, row.after)]
    if values[0] == values[1]:
        return ""
    shown = [NOTHING if value is None else tiebreaker(tournament, place, value) for value in values]
    if shown[0] == shown[1]:
        shown = [str(value) for value in values]
    return ARROW.join(shown)


def _mark(standing: StandingsRow) -> str:
    if standing.disqualified:
        return "disqualified"
    return "dropped" if standing.dropped else "plays"


def _people(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.people:
        before, after = each.before, each.after
        name = labelled(tournament, each.player)
        if before is None or after is None:
            yield f"{name} {'registered' if before is None else 'no longer registered'}"
        else:
            yield f"{name}: {', '.join(_person(before, after))}"


def _person(before: PersonState, after: PersonState) -> Iterator[str]:
    if before.status != after.status:
        yield f"{before.status}{ARROW}{after.status}"
    if before.name != after.name:
        yield f"{before.name}{ARROW}{after.name}"
    if before.faction != after.faction:
        yield f"{before.faction or NOTHING}{ARROW}{after.faction or NOTHING}"


def _matches(found: Differences, tournament: Tournament) -> Iterator[str]:
    """A table that was changed on a line of its own; what was only added is counted."""
    added: Counter[tuple[int, str]] = Counter()
    for each in found.matches:
        what = _added(each.before, each.after)
        if what:
            added[each.round, what] += 1
            continue
        before, after = (_table(side, tournament) for side in (each.before, each.after))
        yield f"{each.round}/{each.table}: {before}{ARROW}{after}"
    for (number, what), count in added.items():
        yield f"round {number}: {how_many(count, 'table')} {what}"


def _added(before: TableState | None, after: TableState | None) -> str:
    if before is None and after is not None:
        return "paired and reported" if after.result else "paired"
    if before is None or after is None or before.result or not after.result:
        return ""
    return "reported" if (before.first, before.second) == (after.first, after.second) else ""


def _table(table: TableState | None, tournament: Tournament) -> str:
    if table is None:
        return NOTHING
    if table.result is not None:
        match = Match(0, 0, 0, table.first, table.second)
        return result_in_words(tournament, match, table.result)
    if not (table.first and table.second):
        return f"bye of {seat_name(tournament, table.first or table.second)}"
    return f"{seat_name(tournament, table.first)} - {seat_name(tournament, table.second)}, open"


def _games(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.games:
        before, after = each.before, each.after
        if before and after and before.seats == after.seats:
            who = ARROW.join(_goes_on(side, tournament) for side in (before, after))
            phrase = f"{_seats(after, tournament)}, goes on: {who}"
        else:
            phrase = ARROW.join(_game(side, tournament) for side in (before, after))
        yield f"{each.round}/{each.table}: {phrase}"


def _game(game: BracketGame | None, tournament: Tournament) -> str:
    if game is None:
        return NOTHING
    seats = _seats(game, tournament)
    return f"{seats}, {_goes_on(game, tournament)} goes on" if game.winner else seats


def _seats(game: BracketGame, tournament: Tournament) -> str:
    return " - ".join(seat_name(tournament, seat.player if seat else 0) for seat in game.seats)


def _goes_on(game: BracketGame, tournament: Tournament) -> str:
    return seat_name(tournament, game.winner) if game.winner else "nobody yet"


def _cuts(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.cuts:
        for sign, gone in (("out", (each.before, each.after)), ("in", (each.after, each.before))):
            for player in gone[0]:
                if player not in gone[1]:
                    seed = gone[0].index(player) + 1
                    yield f"stage {each.stage}: {sign} {labelled(tournament, player)}, seed {seed}"
        for player in each.after:
            if player in each.before:
                seeds = [side.index(player) + 1 for side in (each.before, each.after)]
                if seeds[0] != seeds[1]:
                    moved = ARROW.join(map(str, seeds))
                    yield f"stage {each.stage}: {labelled(tournament, player)}, seed {moved}"


def _places(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.places:
        moved = f"{each.before or 'open'}{ARROW}{each.after or 'open'}"
        yield f"{labelled(tournament, each.player)}: {moved}"

"""What would be otherwise, shown: rows that move, cuts, and rounds that would have been others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.input.find_people import labelled, name_of, short_name
from cli.render.changes.differences import ARROW, change_columns, show_bracket, show_places
from cli.render.game_tables import person_columns
from cli.render.records import show_records
from cli.terminal.counting import how_many
from cli.terminal.output import show
from cli.terminal.tables import Column
from cli.wording.result_words import result_in_words
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from projections.differences.compare import Differences, PlayerChange
    from projections.standings.table import StandingsRow
    from projections.whatif import Alternative
    from projections.whatif.alternatives import LaterCut, LaterRound
    from projections.whatif.repeating import Games

ROWS_MAX = 40
"""How many rows of the standings are shown; --json has all."""


def show_otherwise(desk: Desk, found: Alternative, caveats: Sequence[str]) -> bool:
    """Print the differences, then the cuts and rounds that would have been others.

    To a spreadsheet the rows of the standings. Returns whether a person is to read it, who then
    hears the caveats; scripts have them in the value.
    """
    tournament, rows = desk.book.tournament, found.differences.rows
    moved = [row for row in rows if _has_moved(row)]
    if desk.options.for_person:
        show(*_facts(tournament, found.differences))
    if not show_records(
        desk,
        change_columns(tournament, whole=True),
        moved[:ROWS_MAX] if desk.options.for_person else rows,
        json=lambda: otherwise_as_json(tournament, found) | {"caveats": list(caveats)},
    ):
        return False
    if len(moved) > ROWS_MAX:
        show(f"… and {len(moved) - ROWS_MAX} more rows: --json has them")
    if only := len(rows) - len(moved):
        show(f"{only} more keep rank and points; their tiebreakers differ")
    for cut in found.cuts:
        show(*_cut_in_words(tournament, cut))
    for later in found.rounds:
        show(*_round_in_words(tournament, later))
    show_bracket(found.differences, tournament)
    show_places(found.differences, tournament)
    return True


def otherwise_as_json(tournament: Tournament, found: Alternative) -> dict[str, object]:
    """Make it for scripts; `differences` are as `diff` gives them, names stand beside."""
    import msgspec

    from projections.differences.as_json import as_json

    value: dict[str, object] = {
        "differences": as_json(found.differences, tournament.names, tournament.ruleset.tiebreakers),
        "rounds": msgspec.to_builtins(found.rounds),
        "cuts": msgspec.to_builtins(found.cuts),
    }
    players = sorted(_players_in(found))
    return value | {"names": {player: name_of(tournament, player) for player in players}}


def _players_in(found: Alternative) -> set[int]:
    """Everybody whose number is in what would be otherwise."""
    differing = found.differences
    players = {each.player for each in differing.rows}
    players |= {each.player for each in differing.people}
    players |= {each.player for each in differing.places}
    players |= {player for cut in found.cuts for player in (*cut.seeds, *cut.would_be)}
    players |= {player for each in differing.cuts for player in (*each.before, *each.after)}
    tables = [game for later in found.rounds for game in (*later.made, *later.would_be)]
    for match in differing.matches:
        tables += [(side.first, side.second) for side in (match.before, match.after) if side]
    for game in differing.games:
        seats = [seat for side in (game.before, game.after) if side for seat in side.seats]
        players |= {seat.player for seat in seats if seat}
    return players | {player for table in tables for player in table if player}


def _facts(tournament: Tournament, found: Differences) -> Iterator[str]:
    """Say what was asked, and what happened instead."""
    for each in found.matches:
        match = tournament.rounds[each.round - 1].matches[each.table - 1]
        where = f"{each.round}/{each.table}"
        if each.after is None or each.before is None:
            continue  # a fork pairs the same rounds
        if {each.before.first, each.before.second} != {each.after.first, each.after.second}:
            here = max(each.after.first, each.after.second)
            yield f"{where}: " + (f"a bye for {labelled(tournament, here)}" if here else "nobody")
        else:
            result = each.after.result
            parts = result_in_words(tournament, match, result) if result else "no result"
            yield f"{where}: {parts}"
    for person in found.people:
        if person.before is not None and person.after is not None:
            player = labelled(tournament, person.player)
            yield f"{player}: {person.after.status}, not {person.before.status}"


def _has_moved(row: PlayerChange[StandingsRow]) -> bool:
    before, after = (each and (each.rank, each.points) for each in (row.before, row.after))
    return before != after


def _cut_in_words(tournament: Tournament, cut: LaterCut) -> Iterator[str]:
    name = f"the cut to stage {cut.stage}"
    if cut.problem:
        yield f"{name} could not have been made: {cut.problem}"
        return
    enters = [player for player in cut.would_be if player not in cut.seeds]
    leaves = [player for player in cut.seeds if player not in cut.would_be]
    when = "would have been" if cut.is_made else "would now be"
    if enters or leaves:
        into, out = _names(tournament, enters), _names(tournament, leaves)
        yield f"{name} {when} another: in {into or 'nobody'}; out {out or 'nobody'}"
    moved = [
        f"{short_name(tournament, player)} {cut.seeds.index(player) + 1}{ARROW}{seed}"
        for seed, player in enumerate(cut.would_be, start=1)
        if player in cut.seeds and cut.seeds[seed - 1 : seed] != (player,)
    ]
    if moved:
        yield f"{name}, seeds: {', '.join(moved)}"


def _round_in_words(tournament: Tournament, later: LaterRound) -> Iterator[str]:
    name = f"round {later.round}"
    if later.problem:
        yield f"{name} could not have been paired: {later.problem}"
        return
    tables = _new_tables(later)
    if later.would_be:
        count = sum(0 not in game for game in later.would_be)
        others = f"{len(tables)} of {how_many(count, 'table')}"
        yield f"{name} would have been drawn otherwise at {others}"
    else:
        yield f"{name}: its draw cannot be repeated here"
    if later.byes[0] != later.byes[1]:
        was, would_be = (
            labelled(tournament, player) if player else "nobody" for player in later.byes
        )
        yield f"  the bye: {would_be}, not {was}"
    if later.gaps[0] != later.gaps[1]:
        gap, least = later.gaps
        yield f"  the tables made would have a score gap of {gap}; {least} would be the least"
    for one, other in later.rematches:
        yield f"  {_names(tournament, (one, other))} would have met before"


def _new_tables(later: LaterRound) -> list[tuple[int, int]]:
    made = {frozenset(game) for game in later.made}
    return [game for game in later.would_be if 0 not in game and frozenset(game) not in made]


def show_draw(desk: Desk, games: Games) -> None:
    """Print a round as it would have been drawn."""
    tournament = desk.book.tournament
    columns = (
        Column("table", right=True, value=itemgetter(0)),
        *person_columns(tournament, lambda each: each[1][0]),
        *person_columns(tournament, lambda each: each[1][1], "against", key="against"),
    )
    show_records(desk, columns, enumerate(games, start=1))


def _names(tournament: Tournament, players: Iterable[int]) -> str:
    return ", ".join(labelled(tournament, player) for player in players)

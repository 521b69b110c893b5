"""Differences between two moments, in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from cli.desk.session import Desk
from cli.input.find_people import labelled, name_of, shown_name
from cli.languages.speaking import marked, tr, tr_of
from cli.render.game_tables import seat_name, tiebreaker
from cli.render.records import as_read, show_records
from cli.terminal.output import say, show, show_table
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import how_many
from cli.wording.event_words import in_words
from cli.wording.phrases import result_in_words, who
from ledger.tournament.state import Match, Tournament

if TYPE_CHECKING:
    from projections.explain.differences import (
        Cause,
        Differences,
        PersonState,
        PlayerChange,
        Reasons,
        TableState,
    )
    from projections.standings.bracket import BracketGame
    from projections.standings.table import StandingsRow

ARROW = " → "
NOTHING = "-"


def show_differences(
    desk: Desk, found: Differences, tournament: Tournament, json: Callable[[], object]
) -> bool:
    """Print all that differs, section by section; to a spreadsheet the rows of the standings.

    Returns whether a person is to read it.
    """
    if found.rows and desk.options.for_person and found.stages[0] != found.stages[1]:
        one, other = (
            tr("the table of stage {stage}", stage=each) if each else tr("no table")
            for each in found.stages
        )
        say(tr("{one} before, {other} after", one=one, other=other))
    if not show_records(desk, change_columns(tournament), found.rows, json=json):
        return False
    _show_section(tr("people"), _people(found, tournament))
    _show_section(tr("matches"), _matches(found, tournament))
    show_bracket(found, tournament)
    _show_section(tr_of("heading", "cut"), _cuts(found, tournament))
    show_places(found, tournament)
    return True


def show_bracket(found: Differences, tournament: Tournament) -> None:
    """Print which games of an elimination differ."""
    _show_section(tr("bracket"), _games(found, tournament))


def show_places(found: Differences, tournament: Tournament) -> None:
    """Print whose place in the finishing order differs."""
    _show_section(tr("places"), _places(found, tournament))


def _show_section(title: str, lines: Iterator[str]) -> None:
    if phrase := [f"  {line}" for line in lines]:
        show(f"{title}:", *phrase)


def show_causes(found: Sequence[Cause], of: Mapping[int, Reasons], tournament: Tournament) -> None:
    """Print the events that can move a number, and which of them moved whose row."""
    if not found:
        return
    causes = (
        Column(marked("event"), right=True, value=lambda each: each.recorded.seq),
        Column(
            marked("who"),
            yields=1,
            flexible=True,
            value=lambda each: who(each.recorded.by, tournament),
        ),
        prose(marked("what"), lambda each: in_words(each.recorded.event, tournament)),
    )
    moved = (
        Column(marked("moved"), flexible=True, value=lambda each: shown_name(tournament, each[0])),
        prose(marked("by events"), lambda each: _listed(each[1].direct)),
        prose(marked("through opponents"), lambda each: _listed(each[1].through)),
    )
    show(tr("events that can change a number:"))
    show_table(*as_read(causes, found))
    show_table(*as_read(moved, of.items()))


def _listed(seqs: Sequence[int]) -> str:
    return " ".join(map(str, seqs)) or NOTHING


def change_columns(tournament: Tournament, *, whole: bool = False) -> list[Column]:
    """Return the columns of a player's row on two sides, of which a person reads what moved.

    Where it is `whole`, also what did not move, of rank, points and tiebreakers.
    """
    shown = tournament.ruleset.scoring.shown
    columns = [
        *_both(marked("rank"), "rank", lambda each: each.rank, whole=True, right=True),
        Column("#", right=True, yields=99, key="player", only="program" if whole else ""),
        Column(
            marked("player"),
            flexible=True,
            key="name",
            value=lambda row: name_of(tournament, row.player),
            text=lambda row: shown_name(tournament, row.player),
        ),
        *_both(
            marked("points"), "points", lambda each: each.points, shown, whole=whole, right=True
        ),
    ]
    for at, one in enumerate(tournament.ruleset.tiebreakers):
        ties, said = partial(_tie, at), partial(tiebreaker, tournament, at)
        columns += _both(one.code, one.code, ties, said, whole=whole, right=True, yields=2 + at)
    if whole:
        return columns
    record = _both(marked("W-L-D"), "record", _record, right=True, yields=1)
    return [*columns, *record, *_both("", "status", _mark, partial(tr_of, "state"), yields=97)]


def _both(
    title: str,
    key: str,
    value: Callable[[StandingsRow], Any],
    said: Callable[[Any], str] = str,
    *,
    whole: bool = False,
    **more: Any,  # noqa: ANN401 - as of Column
) -> Iterator[Column]:
    """Yield the column of a value on two sides for a person, and a program's two."""

    def sides(row: PlayerChange[StandingsRow]) -> list[Any]:
        return [each and value(each) for each in (row.before, row.after)]

    def moved(row: PlayerChange[StandingsRow]) -> str:
        before, after = sides(row)
        if before == after:
            return said(after) if whole else ""
        shown = [NOTHING if each is None else said(each) for each in (before, after)]
        if shown[0] == shown[1]:  # fractions of the same four decimals
            shown = [str(before), str(after)]
        return ARROW.join(shown)

    def side(row: PlayerChange[StandingsRow], place: int) -> object:
        number = sides(row)[place]
        return float(number) if isinstance(number, Fraction) else number

    yield Column(title, value=sides, text=moved, only="person", optional=True, **more)
    yield for_program(f"{key} before", lambda row: side(row, 0))
    yield for_program(f"{key} after", lambda row: side(row, 1))


def _tie(place: int, standing: StandingsRow) -> Fraction:
    return standing.tiebreakers[place]


def _record(standing: StandingsRow) -> str:
    return f"{standing.wins}-{standing.losses}-{standing.draws}"


def _mark(standing: StandingsRow) -> str:
    if standing.disqualified:
        return "disqualified"
    return "dropped" if standing.dropped else marked("plays")


def _people(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.people:
        before, after = each.before, each.after
        name = labelled(tournament, each.player)
        if before is None or after is None:
            registered = marked("{player} registered")
            gone = marked("{player} no longer registered")
            yield tr(registered if before is None else gone, player=name)
        else:
            yield f"{name}: {', '.join(_person(before, after))}"


def _person(before: PersonState, after: PersonState) -> Iterator[str]:
    for member in ("status", "name", "faction"):
        was, now = getattr(before, member), getattr(after, member)
        if was != now:
            if member == "status":
                was, now = (tr_of("state", each) if each else "" for each in (was, now))
            yield f"{was or NOTHING}{ARROW}{now or NOTHING}"


def _matches(found: Differences, tournament: Tournament) -> Iterator[str]:
    """A table that was changed on a line of its own; what was only added is counted."""
    added: Counter[tuple[int, str]] = Counter()
    for each in found.matches:
        if what := _added(each.before, each.after):
            added[each.round, what] += 1
            continue
        before, after = (_table(side, tournament) for side in (each.before, each.after))
        yield f"{each.round}/{each.table}: {before}{ARROW}{after}"
    for (number, what), count in added.items():
        yield tr(what, round=number, tables=how_many(count, "table"))


def _added(before: TableState | None, after: TableState | None) -> str:
    if before is None and after is not None:
        played = marked("round {round}: {tables} paired and reported")
        return played if after.result else marked("round {round}: {tables} paired")
    if before is None or after is None or before.result or not after.result:
        return ""
    is_same = (before.first, before.second) == (after.first, after.second)
    return marked("round {round}: {tables} reported") if is_same else ""


def _table(table: TableState | None, tournament: Tournament) -> str:
    if table is None:
        return NOTHING
    if table.result is not None:
        match = Match(0, 0, 0, table.first, table.second)
        return result_in_words(tournament, match, table.result)
    if not (table.first and table.second):
        return tr("bye of {player}", player=seat_name(tournament, table.first or table.second))
    first, second = seat_name(tournament, table.first), seat_name(tournament, table.second)
    return tr("{first} - {second}, open", first=first, second=second)


def _games(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.games:
        before, after = each.before, each.after
        if before and after and before.seats == after.seats:
            who = ARROW.join(_goes_on(side, tournament) for side in (before, after))
            phrase = tr("{seats}, advances: {who}", seats=_seats(after, tournament), who=who)
        else:
            phrase = ARROW.join(_game(side, tournament) for side in (before, after))
        yield f"{each.round}/{each.table}: {phrase}"


def _game(game: BracketGame | None, tournament: Tournament) -> str:
    if game is None:
        return NOTHING
    seats = _seats(game, tournament)
    if not game.winner:
        return seats
    return tr("{seats}, {winner} advances", seats=seats, winner=_goes_on(game, tournament))


def _seats(game: BracketGame, tournament: Tournament) -> str:
    return " - ".join(seat_name(tournament, seat.player if seat else 0) for seat in game.seats)


def _goes_on(game: BracketGame, tournament: Tournament) -> str:
    return seat_name(tournament, game.winner) if game.winner else tr("not decided")


def _cuts(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.cuts:
        before, after = each.before, each.after
        out = marked("stage {stage}: out {player}, seed {seed}")
        into = marked("stage {stage}: in {player}, seed {seed}")
        for text, here, there in ((out, before, after), (into, after, before)):
            for seed, player in enumerate(here, start=1):
                if player not in there:
                    yield tr(
                        text,
                        stage=each.stage,
                        player=labelled(tournament, player),
                        seed=seed,
                    )
        for seed, player in enumerate(after, start=1):
            if player in before and (was := before.index(player) + 1) != seed:
                moved = f"{was}{ARROW}{seed}"
                yield tr(
                    "stage {stage}: {player}, seed {moved}",
                    stage=each.stage,
                    player=labelled(tournament, player),
                    moved=moved,
                )


def _places(found: Differences, tournament: Tournament) -> Iterator[str]:
    for each in found.places:
        before, after = (place or tr_of("state", "open") for place in (each.before, each.after))
        moved = f"{before}{ARROW}{after}"
        yield f"{labelled(tournament, each.player)}: {moved}"

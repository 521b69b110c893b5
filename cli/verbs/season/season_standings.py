"""`season standings` and `season restate`: the season by points, and what a change moves in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli.season.league import names_of
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.progress import Bar
from cli.terminal.tables import Column
from cli.terminal.values import as_json
from ledger.errors import InvalidRuleset, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from projections.season.loading.restating import Restatement
    from projections.season.points.championship import SeasonRow
    from projections.season.points.scheme import Scheme

ROW_COLUMNS = (
    Column("", right=True),
    Column("player", flexible=True),
    Column("points", right=True),
    Column("events", right=True, yields=3),
    Column("counted", flexible=True, wraps=True, yields=2),
    Column("", yields=1),
)


class Asked(NamedTuple):
    """What `restate` is asked: which logs, by which scheme, held to which policy."""

    places: list[str]
    scheme: str = ""
    policy: str = ""


def own_scheme(path: str) -> Scheme:
    """Read a points scheme.

    Raises:
        NotFound: it can not be read.
        InvalidRuleset: every problem found, each with the file's name.
    """
    from pathlib import Path

    from projections.season.points.scheme import load_scheme

    try:
        return load_scheme(Path(path))
    except InvalidRuleset as error:
        named = (each if path in each else f"{path}: {each}" for each in error.sentences)
        raise InvalidRuleset(*named) from None


def standings(file: Path, league: str, scheme: str, at: str, *, json: bool) -> None:
    """Show the season's table."""
    from cli.input.places import checked_date
    from projections.season.people.pseudonyms import labels_of
    from projections.season.points.championship import championship
    from projections.season.tables.database import open_season

    rules = own_scheme(scheme)
    day = checked_date(at, "--at") if at else ""
    with open_season(file, read_only=True) as connection:
        table = championship(connection, rules, day)
    names = names_of(league)
    if json:
        show_json([row_as_json(row, names) for row in table.rows])
    elif table.rows:
        labels = labels_of((row.person for row in table.rows), names)
        show_table(ROW_COLUMNS, [_row(row, labels[row.person]) for row in table.rows])
    if table.unknown:
        say(
            f"{how_many(table.unknown, 'place')} of players without a league id: in no season; "
            "`season people name` draws one, `register --league-id` takes it"
        )
    if not table.rows:
        raise NotFound(
            "no finished tournament of the season counts by this scheme, or nobody in it"
        )


def row_as_json(row: SeasonRow, names: Mapping[str, str]) -> dict[str, object]:
    """A row for scripts."""
    return {**msgspec.to_builtins(row), "name": names.get(row.person)}


def _row(row: SeasonRow, name: str) -> list[str]:
    counted = [str(each.points) for each in row.results if each.counts]
    mark = "qualified" if row.qualified else ""
    return [str(row.rank), name, str(row.points), str(row.tournaments), " + ".join(counted), mark]


def restatement(asked: Asked, file: Path, league: str, *, json: bool) -> None:
    """Show what a season would change in if it took these logs in."""
    from cli.heads.trust import trust_in
    from cli.season.restatements import has_moved, rows_in_words, season_in_words
    from cli.season.sources import sources_here
    from projections.season.loading.restating import key_of, restate
    from projections.season.people.pseudonyms import labels_of

    rules = own_scheme(asked.scheme) if asked.scheme else None
    trust = trust_in(asked.policy, "season")
    with Bar() as bar:
        sources = list(sources_here(asked.places))
        told = restate(file, sources, file.resolve().parent, bar, rules, trust)
    names = names_of(league)
    if json:
        show_json(_as_json(told, names))
        return
    show(*rows_in_words(told.changes))
    labels = labels_of((_person(*each) for each in told.moved), names)
    for each in sorted(told.moved, key=_rank):
        show(f"season: {labels[_person(*each)]}: {season_in_words(*each)}")
    grown = sum(each.fate == "grown" for each in told.taken)
    new = sum(each.fate == "new" for each in told.taken)
    rows = len({(each.table, key_of(each)) for each in told.changes})
    moved = sum(has_moved(*each) for each in told.moved)
    say(
        f"{how_many(grown, 'grown log')}, {new} new: {how_many(rows, 'row')} and "
        f"{how_many(moved, 'place')} of the season would change; nothing was written"
    )


def _person(before: SeasonRow | None, after: SeasonRow | None) -> str:
    either = after or before
    return either.person if either else ""


def _rank(moved: tuple[SeasonRow | None, SeasonRow | None]) -> int:
    before, after = moved
    either = after or before
    return either.rank if either else 0


def _as_json(told: Restatement, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "logs": [
            {"where": each.where, "tournament": each.tournament, "fate": each.fate}
            for each in told.taken
        ],
        "changes": [
            {
                "table": each.table,
                "sign": each.sign,
                "row": {name: as_json(value) for name, value in each.row.items()},
            }
            for each in told.changes
        ],
        "season": [
            {
                "before": row_as_json(before, names) if before else None,
                "after": row_as_json(after, names) if after else None,
            }
            for before, after in told.moved
        ],
    }

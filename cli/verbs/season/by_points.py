"""`season standings`, `season restate`: the season by points, and what a change of logs moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.options import EndOfDay, Unsigned, flag, option, word
from cli.languages.speaking import marked, tr, tr_of
from cli.render.records import refuse_csv, show_records, show_value, shows_table
from cli.season.answers import place_as_json, status_in_words, ties_in_words
from cli.season.league import aliases_ahead, names_of, names_shown, persons_of
from cli.season.opening import only_known_values, opened, season_at
from cli.season.options import (
    DEFAULT_SEASON,
    DEFAULT_VAULT,
    Agreed,
    AskedPolicy,
    LeagueFile,
    SeasonFile,
    day_of,
)
from cli.terminal.output import Bar, say, show, show_json
from cli.terminal.tables import Column, as_json, as_text, for_program, prose
from cli.terminal.visible import how_many
from ledger.errors import InvalidRuleset, NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from projections.season.loading.adding import Change, Restatement
    from projections.season.points import Scheme, SeasonResult, SeasonRow

ARROW = "→"
ID_SHOWN = 12
"""How much of a tournament's id a line shows; --json has the whole."""


def counts_in_words(changes: Sequence[Change]) -> Iterator[str]:
    """Say of each tournament how many rows of which tables change."""
    from projections.season.loading.adding import key_of

    rows = {(change.row["tournament"], change.table, key_of(change)) for change in changes}
    counts: dict[str, Counter[str]] = {}
    for tournament, table, _ in sorted(rows, key=lambda each: each[:2]):
        counts.setdefault(tournament, Counter())[table] += 1
    for tournament, tables in counts.items():
        several = ", ".join(f"{table} {count:,}" for table, count in tables.items())
        yield f"{tournament[:ID_SHOWN]}: {how_many(tables.total(), 'row')}: {several}"


def rows_in_words(changes: Sequence[Change]) -> Iterator[str]:
    """Say each row once: `~` with what changes of it, `-` where it goes, `+` where it comes."""
    from projections.season.loading.adding import key_of

    for (table, key), group in groupby(changes, lambda each: (each.table, key_of(each))):
        rows = {each.sign: each.row for each in group}
        named = " ".join(_key(name, value) for name, value in key)
        known = [name for name, _ in key]
        if len(rows) == 1:
            ((sign, row),) = rows.items()
            yield f"{sign} {table} {named}: {', '.join(_filled(row, known))}"
        else:
            yield f"~ {table} {named}: {', '.join(_changed(rows['-'], rows['+']))}"


def _key(name: str, value: object) -> str:
    return str(value)[:ID_SHOWN] if name == "tournament" else f"{name} {as_text(value)}"


def _filled(row: Mapping[str, Any], known: Sequence[str]) -> Iterator[str]:
    for name, value in row.items():
        if name not in known and (text := as_text(value)):
            yield f"{name} {text}"


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name, value in before.items():
        if value != after[name]:
            none = tr_of("value", "none")
            yield f"{name} {as_text(value) or none} {ARROW} {as_text(after[name]) or none}"


def has_moved(before: SeasonRow | None, after: SeasonRow | None) -> bool:
    """Whether a person's place, points or prospects are others, not only how they came by."""
    old, new = (_standing(row) if row else None for row in (before, after))
    return old != new


def _standing(row: SeasonRow) -> tuple[object, ...]:
    return row.rank, row.points, row.qualified, row.division, row.move


def season_in_words(before: SeasonRow | None, after: SeasonRow | None) -> str:
    """Say a person's season: where they stand, then which results are others."""
    here = after or before
    assert here is not None  # noqa: S101 - a person who moved is on one side at least
    stands = (
        _place(here)
        if not has_moved(before, after)
        else f"{_place(before)} {ARROW} {_place(after)}"
    )
    parts = [stands, *_results(before.results if before else (), after.results if after else ())]
    return "; ".join(parts)


def _place(row: SeasonRow | None) -> str:
    if row is None:
        return tr("not ranked")
    parts = [tr("rank {rank} with {points}", rank=row.rank, points=row.points)]
    return ", ".join([*parts, *filter(None, [row.division, status_in_words(row)])])


def _results(before: Sequence[SeasonResult], after: Sequence[SeasonResult]) -> Iterator[str]:
    sides = [{each.tournament: each for each in side} for side in (before, after)]
    for tournament in dict.fromkeys([*sides[0], *sides[1]]):
        one, other = (_result(side.get(tournament)) for side in sides)
        if one != other:
            yield tr(
                "in {tournament} {before} {arrow} {after}",
                tournament=tournament[:ID_SHOWN],
                before=one,
                arrow=ARROW,
                after=other,
            )


def _result(result: SeasonResult | None) -> str:
    if result is None:
        return tr("no result")
    about = {"place": result.place, "points": result.points}
    if result.counts:
        return tr("place {place} for {points}", **about)
    return tr("place {place} for {points}, not counted", **about)


PointsScheme = Annotated[InFile, option("FILE", "The points scheme, as TOML.")]
NeededScheme = Annotated[InFile, option("FILE", "Required: the points scheme, as TOML.")]


def own_scheme(path: Path) -> Scheme:
    """Read a points scheme.

    NotFound where it cannot be read; InvalidRuleset names every problem found, each with the file's
    name.
    """
    from projections.season.points import load_scheme

    try:
        return load_scheme(path)
    except InvalidRuleset as error:
        named = (
            each if str(path) in str(each) else each.within(str(path)) for each in error.problems
        )
        raise InvalidRuleset(*named) from None


@shows_table
def standings(
    desk: Desk,
    scheme: NeededScheme = NO_INPUT,
    file: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_VAULT,
    at: EndOfDay = "",
    agreed: Agreed = NO_INPUT,
    html: Annotated[
        OutFile, option("FILE", "Write the standings as a web page.", "--html")
    ] = NO_OUTPUT,
) -> None:
    """Show the season's standings by a points scheme.

    tourney season standings --scheme league.toml --at 2026-06-30
    tourney season standings --scheme league.toml --agreed agreed.txt --html table.html
    """
    from projections.season.for_readers import labels_of
    from projections.season.points import championship

    if not scheme:
        raise UsageError(tr("season standings needs --scheme FILE, as in `help league`"))
    if html:
        refuse_csv(desk, "--html")
    rules = own_scheme(desk.files.reading(scheme))
    day = day_of(at, "--at")
    named = desk.files.named
    with opened(desk.files.reading(file)) as connection:
        table = championship(connection, rules, day)
        names = names_shown(named(agreed), named(league), persons_of(connection))
    labels = labels_of((row.person for row in table.rows), names)
    columns = _columns(names, labels)
    ties = ties_in_words(table)
    if html and table.rows:
        title = f"{rules.name}{f', {day}' if day else ''}"
        _write(desk, html, title, columns, table.rows, note="; ".join(ties))
    elif not html:
        rows = table.rows
        by_name = attrgetter("division") if rules.divisions else None
        show_records(desk, columns, rows, json=partial(_places_as_json, rows, names), by=by_name)
    for tie in ties:
        say(tie)
    if table.unknown:
        say(
            tr(
                "{places} of players without a league id not counted; `season people name` "
                "draws an id, `register --league-id` records it",
                places=how_many(table.unknown, "place"),
            )
        )
    if not table.rows:
        raise NotFound(
            phrase(
                "under this scheme, no finished tournament of the season counts, or none of its "
                "players does"
            )
        )


def _places_as_json(rows: Sequence[SeasonRow], names: Mapping[str, str]) -> list[dict[str, object]]:
    return [place_as_json(row, names) for row in rows]


def _write(
    desk: Desk,
    html: OutFile,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[SeasonRow],
    *,
    note: str,
) -> None:
    from cli.render.printed_pages import PrintedTable, page_of_tables

    sheets = [
        PrintedTable(f"{title}, {name}" if name else title, columns, list(listed), note)
        for name, listed in groupby(rows, lambda row: row.division)
    ]
    page = page_of_tables(title, sheets)
    desk.files.write(html, [page.encode()])
    show_value(desk, {"file": str(html), "rows": len(rows)})
    say(f"{html}: {title}, {how_many(len(rows), 'person')}")


def _columns(names: Mapping[str, str], labels: Mapping[str, str]) -> list[Column]:
    return [
        Column("", right=True, key="rank"),
        Column(marked("player"), flexible=True, key="person", text=lambda row: labels[row.person]),
        for_program("name", lambda row: names.get(row.person)),
        Column(marked("points"), right=True),
        Column(marked("tournaments"), right=True, yields=3),
        prose(marked("counted"), lambda row: row.points_counted(), yields=2),
        Column("", yields=1, key="qualified", text=status_in_words),
        for_program("division"),
        for_program("move"),
    ]


def restatement(
    desk: Desk,
    places: Annotated[list[InFile], word("PATH...", "The corrected logs.")],
    scheme: PointsScheme = NO_INPUT,
    file: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_VAULT,
    policy: AskedPolicy = NO_INPUT,
    unsigned: Unsigned = "",
    every: Annotated[bool, flag("--rows", "Show each table row that would change.")] = False,
) -> None:
    """Show what corrected logs would change, and write nothing.

    With --scheme it first shows the changes in the league's standings; then the number of changed
    rows in each tournament.

    tourney season restate corrected.jsonl --scheme points.toml --rows
    """
    from cli.machine.trust import asked_of
    from cli.season.sources import sources_here
    from projections.season.loading.adding import key_of, restate
    from projections.season.loading.intake import LoadTerms

    rules = own_scheme(desk.files.reading(scheme)) if scheme else None
    trust = asked_of(desk.files.named(policy), unsigned, "season")
    with Bar() as bar:
        sources = list(sources_here(list(map(desk.files.named, places))))
        season = desk.files.reading(file)
        with season_at(season) as safe, only_known_values(safe):
            room = desk.files.folder_of(file)
            is_checked = safe.signed == "checked here"
            aliases = aliases_ahead(desk.files.reading(league), season)
            terms = LoadTerms(trust=trust, believes_season=is_checked, aliases=aliases)
            restatement = restate(safe.file, sources, room, bar, rules, terms)
    names = names_of(desk.files.named(league))
    if desk.json:
        show_json(restatement_as_json(restatement, names))
        return
    show_moves(restatement, names, every=every)
    grown = sum(each.fate == "grown" for each in restatement.taken)
    new = sum(each.fate == "new" for each in restatement.taken)
    rows = len({(change.table, key_of(change)) for change in restatement.changes})
    moved = sum(has_moved(*each) for each in restatement.moved)
    text = tr(
        "{grown}, {new} new: {rows} and {places} of the season would change; nothing was written",
        grown=how_many(grown, "grown log"),
        new=new,
        rows=how_many(rows, "row"),
        places=how_many(moved, "place"),
    )
    say(text + (tr("; --rows shows every row") if rows and not every else ""))


def show_moves(found: Restatement, names: Mapping[str, str], *, every: bool = False) -> None:
    """Show who moves in the standings, and the rows that change: how many, or every one."""
    from projections.season.for_readers import labels_of

    labels = labels_of((_row(*move).person for move in found.moved), names)
    for move in sorted(found.moved, key=lambda each: _row(*each).rank):
        show(
            tr(
                "season: {person}: {change}",
                person=labels[_row(*move).person],
                change=season_in_words(*move),
            )
        )
    show(*(rows_in_words if every else counts_in_words)(found.changes))


def _row(before: SeasonRow | None, after: SeasonRow | None) -> SeasonRow:
    either = after or before
    assert either is not None  # noqa: S101 - a person who moved is on one side at least
    return either


def restatement_as_json(found: Restatement, names: Mapping[str, str]) -> dict[str, object]:
    """Return a restatement for programs: the logs, the rows, the persons who move."""
    return {
        "logs": [
            {"where": each.where, "tournament": each.tournament, "fate": each.fate}
            for each in found.taken
        ],
        "changes": [
            {
                "table": change.table,
                "sign": change.sign,
                "row": {name: as_json(value) for name, value in change.row.items()},
            }
            for change in found.changes
        ],
        "season": [
            {
                "before": place_as_json(before, names) if before else None,
                "after": place_as_json(after, names) if after else None,
            }
            for before, after in found.moved
        ],
    }

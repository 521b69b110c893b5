"""`season`, `season archive`, `season export`: a season, and what leaves it as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.options import option, word
from cli.languages.speaking import marked, tr, tr_of
from cli.machine.trust import trust_in
from cli.render.records import show_records, show_value, shows_table
from cli.season.opening import head_and_lines, listed_rows, opened, reading, season_at
from cli.season.options import DEFAULT_SEASON, SeasonFile
from cli.season.sources import signed_in_words
from cli.terminal.output import Bar, say
from cli.terminal.tables import Column, for_program
from cli.terminal.visible import how_many
from ledger.errors import NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("parquet", "csv")
SQLITE = (".sqlite", ".db")
"""Endings of the name of a SQLite file."""

_COLUMNS = (
    for_program("id", key="tournament"),
    Column(marked("held on"), text=lambda row: str(row["held_on"] or "?")),
    Column(marked("tournament"), flexible=True, key="name"),
    Column(marked("tier"), yields=2, text=lambda row: tr(row["tier"])),
    Column(marked("ruleset"), yields=1),
    Column(marked("players"), right=True, key="entrants"),
    Column(marked("rounds"), right=True, yields=3),
    for_program("events", key="size"),
    Column("", key="finished", text=lambda row: "" if row["finished"] else tr_of("state", "open")),
    Column(
        marked("signed"),
        yields=4,
        key="signed_size",
        text=lambda row: signed_in_words(
            row["size"], row["signed_size"], row["signed_by"], row["by_policy"]
        ),
    ),
    for_program("signed by"),
    for_program("by policy"),
    for_program("checked"),
    for_program("unsigned reason"),
)
_SIGNED = {
    "checked here": marked("checked here"),
    "by a stranger": marked("by a stranger"),
    "unsigned": marked("unsigned"),
}
"""Texts about the signature of rows, by the word that programs read."""

MIXED = 2
"""Minimum number of different words about rows for which the table gets a column of words."""

_WITH_ROWS = (
    *_COLUMNS[:-2],
    Column(marked("rows"), yields=3, key="checked", text=lambda row: tr(_SIGNED[row["checked"]])),
    _COLUMNS[-1],
)


@shows_table
def list_tournaments(
    desk: Desk,
    file: SeasonFile = DEFAULT_SEASON,
    policy: Annotated[
        InFile,
        option("POLICY", "Trust the policy's log keys like this computer's own season keys."),
    ] = NO_INPUT,
) -> None:
    """List the tournaments of the season."""
    from ledger.proof.notes import vkey

    trust = trust_in(desk.files.named(policy), "season")
    keys = tuple(map(vkey, trust.logs)) if trust is not None else ()
    with (
        season_at(desk.files.reading(file), keys) as season,
        reading(season) as connection,
    ):
        rows = listed_rows(season, connection)
    said = {row["checked"] for row in rows}
    if show_records(desk, _COLUMNS if len(said) < MIXED else _WITH_ROWS, rows) and not rows:
        raise NotFound(
            phrase(
                "{file} contains no tournament yet: use `tourney season add PATH...`",
                file=str(file),
            )
        )
    if len(said) == 1:
        say(
            tr(
                "rows of {tournaments}: {signed}",
                tournaments=how_many(len(rows), "tournament"),
                signed=tr(_SIGNED[said.pop()]),
            )
        )


def archive(
    desk: Desk,
    folder: Annotated[OutFile, word("FOLDER", "The folder for the files.")],
    file: SeasonFile = DEFAULT_SEASON,
) -> None:
    """Write the finished tournaments to a folder, as Parquet files."""
    once(desk, lambda: _archive(desk, desk.files.reading(file), desk.files.writing(folder)))


def _archive(desk: Desk, file: Path, folder: Path) -> None:
    from projections.season.exports import archive

    with opened(file) as connection, Bar() as bar:
        made = archive(connection, folder, lambda done, total: bar("written", done, total))
    show_value(desk, {"written": made.written, "replaced": made.replaced, "kept": made.kept})
    written = how_many(made.written, "finished tournament")
    say(
        tr(
            "{folder}: {written} written, of which {replaced} replaced a shorter log; {kept} "
            "unchanged",
            folder=folder,
            written=written,
            replaced=made.replaced,
            kept=made.kept,
        )
    )


def export(
    desk: Desk,
    place: Annotated[OutFile, word("FOLDER|FILE.sqlite", "The folder or file for the tables.")],
    file: SeasonFile = DEFAULT_SEASON,
    kind: Annotated[
        str, option("parquet|csv", "The kind of files in a folder; default: parquet.")
    ] = "",
) -> None:
    """Write the season's tables as flat files for other tools.

    A folder gets one Parquet file for each table, or CSV with --kind csv; a name that ends in
    .sqlite or .db makes one SQLite file. `games` lists each game once for either side.

    tourney season export flat/
    tourney season export season.sqlite
    """
    once(desk, lambda: _export(desk, desk.files.reading(file), desk.files.writing(place), kind))


def _export(desk: Desk, file: Path, place: Path, kind: str) -> None:
    from projections.season.exports import export_folder, export_sqlite

    form = kind or KINDS[0]
    is_sqlite = place.suffix in SQLITE
    if form not in KINDS:
        raise UsageError(tr("--kind must be parquet or csv, not {kind}", kind=f"{kind!r}"))
    if is_sqlite and kind:
        raise UsageError(tr("--kind is only for a folder: omit it for a SQLite file"))
    with season_at(file) as season, reading(season) as connection, Bar() as bar:
        head = head_and_lines(season, connection)
        written = (
            export_sqlite(connection, place, lambda done, total: bar("written", done, total), head)
            if is_sqlite
            else export_folder(
                connection, place, form, lambda done, total: bar("written", done, total), head
            )
        )
    show_value(desk, {"place": str(place), "tables": written})
    what = "table" if is_sqlite else "file"
    text = tr(
        "{place}: {written}, without names", place=place, written=how_many(len(written), what)
    )
    say(text)

"""Every page of a season, and the files beside them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from cli.season.site.best import records_page
from cli.season.site.event_pages import entry_pages, event_pages
from cli.season.site.frame import SCRIPT, SitePage, whole_page
from cli.season.site.numbers import matchups, metagame
from cli.season.site.person_pages import named_pages, person_list, rating_pages, standings_pages
from cli.season.site.rated import rated_seasons
from cli.season.site.readable import read
from cli.season.site.season_list import SEASON_LIST, season_list
from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from duckdb import DuckDBPyConnection

    from cli.season.site.readable import Readable
    from projections.season.points import Scheme


def site_files(
    connection: DuckDBPyConnection,
    title: str,
    schemes: list[Scheme],
    system: str,
    names: Mapping[str, str],
) -> Iterator[tuple[str, bytes]]:
    """Yield every file; `names` are of those alone who agreed to be named."""
    season = read(connection, names)
    rated = list(rated_seasons(season, system))
    sheets: list[SitePage] = [
        *entry_pages(season),
        *standings_pages(season, schemes),
        metagame(season),
        matchups(season),
        *rating_pages(season, rated),
        *person_list(season),
        records_page(season, rated),
    ]
    tops = [each for each in sheets if each.top == each.file]
    footer = _footer(season)
    for sheet in (*sheets, *event_pages(season), *named_pages(season, rated)):
        yield sheet.file, whole_page(title, sheet, tops, footer)
        yield from sheet.pictures
    yield SEASON_LIST, season_list(season)
    yield SCRIPT, files("cli.season.site").joinpath(SCRIPT).read_bytes()


def _footer(season: Readable) -> str:
    days = [each.held_on for each in season.events if each.held_on]
    until = f", the last on {max(days)}" if days else ""
    return (
        f"Of {how_many(len(season.events), 'event')}{until}. Persons are shown by pseudonym, by "
        "name only where they agreed to it."
    )

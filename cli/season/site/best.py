"""Records of the season: the largest events, who came and won most, runs of wins, upsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.season.answers import answer_columns
from cli.season.site.frame import Listing, SitePage, linked_table
from cli.season.site.person_pages import person_column
from cli.terminal.tables import Column
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.season.site.rated import RatedSeason
    from cli.season.site.readable import Readable

RECORDS = "records.html"


def records_page(season: Readable, rated: list[RatedSeason]) -> SitePage:
    """Return the page of records."""
    content = [
        _largest(season),
        _most(season, "events", "Most events"),
        _most(season, "won", "Most events won"),
        _runs(season),
        [_upsets(season, each) for each in rated],
    ]
    return SitePage(RECORDS, "Records", content)


def _largest(season: Readable) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    events = sorted(season.events, key=lambda each: -each.entrants)[:RECORDS_MAX]
    columns = [
        Column("event", text=lambda each: season.event_labels[each.tournament]),
        Column("held on", text=lambda each: str(each.held_on or "?")),
        Column("players", right=True, key="entrants"),
    ]
    yield htpy.h3["Largest events"]
    yield linked_table(Listing("", "", columns, season.event_links, "event"), events)


def _most(season: Readable, member: str, title: str) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    some = [each for each in season.persons if getattr(each, member)]
    best = sorted(some, key=lambda each: -getattr(each, member))[:RECORDS_MAX]
    columns = [person_column(season), Column(member, right=True)]
    yield from _persons(season, title, columns, best)


def _runs(season: Readable) -> Iterator[Node]:
    from projections.season.for_readers import longest_runs

    columns = [
        person_column(season),
        Column("game", key="ruleset"),
        Column("wins", right=True),
        Column("from", key="first"),
        Column("to", key="last"),
    ]
    yield from _persons(season, "Games won in a row", columns, longest_runs(season.connection))


def _persons(
    season: Readable, title: str, columns: list[Column], records: Sequence[object]
) -> Iterator[Node]:
    yield htpy.h3[title]
    yield linked_table(Listing("", "", columns, season.person_links, "person"), records)


def _upsets(season: Readable, rated: RatedSeason) -> Iterator[Node]:
    from projections.season.rating_tables import UPSETS

    names = [each.name for each in UPSETS.columns]
    columns = list(answer_columns(UPSETS.columns, season.labels, {}))
    rows = [dict(zip(names, row, strict=True)) for row in rated.upsets]
    yield htpy.h3[visible(f"Least expected at {rated.game}, by {rated.system}")]
    yield linked_table(Listing("", "", columns, season.person_links, "winner"), rows)

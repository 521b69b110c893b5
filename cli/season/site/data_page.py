"""The page of downloads, with every column of them and of the season's file: a data dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import marked, tr
from cli.season.site.frame import SitePage
from cli.season.site.tables import DATA, FORM_WORDS, Listing, linked_table
from cli.terminal.tables import Column
from cli.terminal.visible import isolated, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from htpy import Node

    from projections.season.data_package import Resource

DATA_PAGE = "data.html"


class DescribedColumn(NamedTuple):
    """A column of a table, its type, and its meaning."""

    table: str
    column: str
    type: str
    meaning: str


def data_page(resources: Sequence[Resource]) -> SitePage:
    """Return the page of these files; the tables of the season's file are described on it too."""
    by_table: dict[str, list[Resource]] = {}
    for resource in resources:
        by_table.setdefault(resource.table, []).append(resource)
    items = [
        htpy.li[
            isolated(visible(some[0].title or table)),
            ": ",
            [
                [htpy.a(href=f"{DATA}/{item.path}", download=True)[_form(item)], " "]
                for item in some
            ],
        ]
        for table, some in by_table.items()
    ]
    about = tr(
        "Each file has what its table shows on these pages: small groups are not broken out, and "
        "persons have the same labels. The meanings of columns are in English."
    )
    content: list[Node] = [
        htpy.p(class_="about")[about],
        htpy.p(class_="more")[
            htpy.a(href=f"{DATA}/datapackage.json", download=True)["datapackage.json"]
        ],
        htpy.h3[tr("Tables")],
        htpy.ul(class_="files")[items],
        htpy.h3[tr("Columns of the downloads")],
        _columns(_of_downloads(by_table), "data-downloads"),
        htpy.h3[tr("Columns of the season's file")],
        _columns(of_season_file(), "data-season"),
    ]
    return SitePage(DATA_PAGE, tr("Data"), content, forms=())


def _form(resource: Resource) -> str:
    return FORM_WORDS[resource.path.rpartition(".")[2]]


def _of_downloads(by_table: dict[str, list[Resource]]) -> list[DescribedColumn]:
    return [
        DescribedColumn(table, field.name, field.type, field.description)
        for table, some in by_table.items()
        for field in some[0].fields
    ]


def of_season_file() -> list[DescribedColumn]:
    """List every column of the season's file, with those of its views."""
    from projections.season.tables.definitions import described_columns

    return [DescribedColumn(*column) for column in described_columns()]


def _columns(rows: Iterable[DescribedColumn], name: str) -> Node:
    columns = [
        Column(marked("table")),
        Column(marked("column")),
        Column(marked("type")),
        Column(marked("meaning")),
    ]
    return linked_table(Listing("", "", columns, {}, "column", name=name), list(rows))

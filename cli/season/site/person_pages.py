"""Persons by pseudonym, those with a name first, and standings by points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.languages.speaking import in_figures, marked, tr
from cli.season.answers import status_in_words, ties_in_words
from cli.season.site.event_pages import wins_losses_draws
from cli.season.site.frame import (
    PERSONS,
    Listing,
    SitePage,
    listed,
    person_anchor,
)
from cli.terminal.tables import Column
from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.season.site.frame import Readable
    from projections.season.for_readers import SeasonPerson
    from projections.season.points import Scheme


def person_column(season: Readable) -> Column:
    """Return the column of who a record is about."""
    return Column(marked("person"), text=lambda record: season.labels[record.person])


def person_list(season: Readable) -> Iterator[SitePage]:
    """Yield everybody whom the league knows, those with a name first."""
    columns = [
        person_column(season),
        Column(marked("tournaments"), right=True, key="events"),
        Column("won", right=True),
        Column(marked("best place"), right=True, text=lambda person: str(person.best or "-")),
        Column(marked("games"), right=True),
        Column(marked("W-L-D"), text=wins_losses_draws),
        Column(marked("last day"), text=lambda person: str(person.last_day or "-")),
    ]
    about = htpy.p(class_="about")[
        tr(
            "{persons} of the league by pseudonym, {named} of them by the name that they "
            "agreed to show. Guests have no pseudonym and are listed only in the tournaments.",
            persons=how_many(len(season.persons), "person"),
            named=in_figures(len(season.named)),
        )
    ]
    listing = Listing(
        PERSONS,
        tr("Persons"),
        columns,
        season.person_links,
        "person",
        anchor=lambda person: person_anchor(season, person.person),
    )
    yield from listed(listing, persons_in_order(season), about)


def persons_in_order(season: Readable) -> list[SeasonPerson]:
    """List everybody whom the league knows, those with a name first."""
    return sorted(
        season.persons,
        key=lambda person: (person.person not in season.named, season.labels[person.person]),
    )


def standings_pages(season: Readable, schemes: list[Scheme]) -> Iterator[SitePage]:
    """Yield the standings of each points scheme."""
    from projections.season.points import championship

    for number, scheme in enumerate(schemes, start=1):
        table = championship(season.connection, scheme)
        columns = [
            Column("", right=True, key="rank"),
            Column(
                marked("person"),
                text=lambda row: season.labels.get(row.person, tr("a member without a result")),
            ),
            Column(marked("points"), right=True),
            Column(marked("tournaments"), right=True),
            Column("counted", text=lambda row: row.points_counted()),
            Column("", text=status_in_words),
        ]
        if scheme.divisions:
            columns.insert(0, Column(marked("division"), key="division"))
        guests = how_many(table.unknown, "place")
        if scheme.of:
            about = tr(
                "The best {best} of the first {first} results of a person count; {places} of "
                "guests count for no person.",
                best=scheme.best,
                first=scheme.of,
                places=guests,
            )
        else:
            about = tr(
                "The best {best} results of a person count; {places} of guests count for no "
                "person.",
                best=scheme.best,
                places=guests,
            )
        listing = Listing(
            f"standings-{number}.html", scheme.name, columns, season.person_links, "person"
        )
        notes = [about, *ties_in_words(table)]
        yield from listed(listing, table.rows, [htpy.p(class_="about")[note] for note in notes])

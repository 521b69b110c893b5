"""What is found from every page: events and persons of the season, as a script beside the pages.

A script, since a page that was opened as a file may read no other. Persons are called as everywhere
on the pages; who has no page is found in the list of persons. Guests are in their event alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cli.season.site.frame import ROWS_MAX, numbered
from cli.season.site.person_pages import persons_in_order
from cli.season.site.readable import PERSONS, event_file, person_anchor, person_file
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.season.site.readable import Readable

SEASON_LIST = "season.js"


def season_list(season: Readable) -> bytes:
    """Return the list of all that has a place of its own: its text, what it is, where it is."""
    found = [*_events(season), *_persons(season)]
    return b"const SEASON = " + msgspec.json.encode(found) + b";\n"


def _events(season: Readable) -> Iterator[tuple[str, str, str]]:
    for each in season.events:
        about = f"{each.held_on or '?'}, {each.ruleset}"
        label = season.event_labels[each.tournament]
        yield visible(label), visible(about), event_file(each.tournament)


def _persons(season: Readable) -> Iterator[tuple[str, str, str]]:
    for place, each in enumerate(persons_in_order(season)):
        listed = numbered(PERSONS, place // ROWS_MAX + 1)
        in_list = f"{listed}#{person_anchor(season, each.person)}"
        is_named = each.person in season.named
        label = visible(season.labels[each.person])
        yield label, "", person_file(each.person) if is_named else in_list

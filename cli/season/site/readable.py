"""What pages are made of: the season read once, what everybody is called, and where links lead."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from duckdb import DuckDBPyConnection

    from projections.season.for_readers import EventPlace, SeasonEvent, SeasonPerson

_PLAIN = re.compile(r"[0-9a-z]{1,64}")
PERSONS, EVENTS = "persons.html", "index.html"


class Readable(NamedTuple):
    """A season as its readers may see it; `named` are those who agreed to be."""

    connection: DuckDBPyConnection
    named: Mapping[str, str]
    labels: Mapping[str, str]
    events: list[SeasonEvent]
    places: list[EventPlace]
    persons: list[SeasonPerson]
    event_labels: Mapping[str, str]

    @property
    def person_links(self) -> dict[str, str]:
        """Pages of those who agreed to be named, by what they are called."""
        return {visible(self.labels[each]): person_file(each) for each in self.named}

    @property
    def event_links(self) -> dict[str, str]:
        """Pages of events, by what they are called."""
        return {visible(label): event_file(each) for each, label in self.event_labels.items()}


def read(connection: DuckDBPyConnection, names: Mapping[str, str]) -> Readable:
    """Read what all pages need; `names` are of those alone who agreed to be named."""
    from projections.season.for_readers import (
        events_of,
        everybody,
        labels_of,
        persons_seen,
        places_of,
    )

    events = events_of(connection)
    seen = everybody(connection)
    named = {person: names[person] for person in seen if person in names}
    titles = {each.tournament: each.name for each in events}
    return Readable(
        connection,
        named,
        labels_of(seen, named),
        events,
        places_of(connection),
        persons_seen(connection),
        labels_of(titles, titles),
    )


def event_file(tournament: str) -> str:
    """Name an event's page."""
    return f"event-{_in_a_name(tournament)}.html"


def person_file(person: str) -> str:
    """Name the page of somebody who agreed to be named."""
    return f"person-{_in_a_name(person)}.html"


def person_anchor(season: Readable, person: str) -> str:
    """Name the row of somebody in the list of persons."""
    return _in_a_name(season.labels[person])


def _in_a_name(key: str) -> str:
    """Return what a file may be called by: the id, or its digest where it is no plain word."""
    return key if _PLAIN.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()[:32]


def games_in(events: Iterable[SeasonEvent]) -> list[str]:
    """List the games that were played, by the keys of their rulesets."""
    return sorted({each.ruleset for each in events})

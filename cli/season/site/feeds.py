"""Atom feeds (RFC 4287) of the season, of each tournament, and of each person who agreed to a name.

Ids and moments come from the logs, so the same season has the same feeds. A person who did not
agree has no feed, and no entry names one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, time
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup, escape

from cli.input.arguments import UsageError
from cli.languages.speaking import first_of_several, language, tr
from cli.season.site.frame import FEED, FRONT, event_file, feed_of, person_file
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cli.season.site.frame import Readable
    from projections.season.for_readers import EventPlace, SeasonEvent

ENTRIES_MAX = 50
"""Maximum entries of a feed, the newest first."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


class FeedEntry(NamedTuple):
    """An entry of a feed: what is new, of which moment, and the page that shows it."""

    key: str
    title: str
    text: str
    page: str
    updated: datetime


def base_url(typed: str) -> str:
    """Return the address of the site on the web, with a slash at its end.

    Raises:
        UsageError: it is not the address of a folder on the web.
    """
    try:
        parts = urlsplit(typed)
        host = parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    is_plain = typed.isascii() and typed.isprintable() and not re.search(r'[\s<>"\\^`{|}]', typed)
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        is_plain = False
    if not is_plain:
        raise UsageError(
            tr(
                "--base {typed} is not the address of a folder: use https://example.org/season/",
                typed=repr(typed),
            )
        )
    return typed if typed.endswith("/") else f"{typed}/"


def feed_files(season: Readable, base: str, title: str) -> Iterator[tuple[str, bytes]]:
    """Yield the feed of the season, of each tournament, and of each person who agreed."""
    from projections.season.event_details import last_moments, rounds_closed

    moments = last_moments(season.connection)
    tournaments = [_of_event(season, event, moments) for event in season.events]
    yield FEED, feed(base, FEED, FRONT, title, tournaments)
    closed = rounds_closed(season.connection)
    for event, summary in zip(season.events, tournaments, strict=True):
        page = event_file(event.tournament)
        rounds = [
            FeedEntry(
                f"{event.tournament}/round/{number}",
                tr("Round {round} is closed", round=number),
                visible(season.event_labels[event.tournament]),
                page,
                _moment(moment, event),
            )
            for number, moment in closed[event.tournament]
        ]
        yield feed_of(page), feed(base, feed_of(page), page, summary.title, [summary, *rounds])
    events = {event.tournament: event for event in season.events}
    places: dict[str, list[EventPlace]] = defaultdict(list)
    for place in season.places:
        if place.person in season.named:
            places[place.person].append(place)
    for person in season.named:
        page = person_file(person)
        entries = [
            _of_place(season, events[place.tournament], place, moments) for place in places[person]
        ]
        label = visible(season.labels[person])
        yield feed_of(page), feed(base, feed_of(page), page, label, entries)


def _of_event(season: Readable, event: SeasonEvent, moments: Mapping[str, Any]) -> FeedEntry:
    players = how_many(event.entrants, "player")
    winner = season.winners.get(event.tournament, "")
    about = f"{event.held_on or '?'}, {event.ruleset}, {players}"
    text = tr("{about}. Winner: {winner}", about=about, winner=winner) if winner else about
    return FeedEntry(
        event.tournament,
        visible(season.event_labels[event.tournament]),
        visible(text),
        event_file(event.tournament),
        _moment(moments.get(event.tournament), event),
    )


def _of_place(
    season: Readable, event: SeasonEvent, place: EventPlace, moments: Mapping[str, Any]
) -> FeedEntry:
    text = tr("{place} of {players}", place=place.place or "-", players=event.entrants)
    return FeedEntry(
        f"{event.tournament}/person/{place.person}",
        visible(season.event_labels[event.tournament]),
        f"{event.held_on or '?'}: {text}",
        event_file(event.tournament),
        _moment(moments.get(event.tournament), event),
    )


def _moment(moment: datetime | None, event: SeasonEvent) -> datetime:
    """Return a moment of a log; without one the day of the tournament, and else the year 1970."""
    if moment is not None:
        return moment.replace(tzinfo=UTC)
    if event.held_on:
        return datetime.combine(event.held_on, time(), UTC)
    return _BEGINNING


def feed(base: str, file: str, page: str, title: str, entries: Sequence[FeedEntry]) -> bytes:
    """Return a feed with its newest entries; `page` is the page that it belongs to."""
    newest = sorted(entries, key=lambda entry: (entry.updated, entry.key), reverse=True)
    updated = newest[0].updated if newest else _BEGINNING
    document = _element(
        "feed",
        _text("id", f"urn:uuid:{uuid5(NAMESPACE_URL, f'tourney:feed:{base}{file}')}"),
        _text("title", title),
        _text("updated", _written(updated)),
        _element("author", _text("name", title)),
        _link(base + file, rel="self", type="application/atom+xml"),
        _link(base + page, rel="alternate", type="text/html"),
        *(_entry(base, entry) for entry in newest[:ENTRIES_MAX]),
        attributes={"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": _language()},
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'.encode()


def _language() -> str:
    return first_of_several(language())


def _entry(base: str, entry: FeedEntry) -> Markup:
    return _element(
        "entry",
        _text("id", f"urn:uuid:{uuid5(NAMESPACE_URL, f'tourney:{entry.key}')}"),
        _text("title", entry.title),
        _text("updated", _written(entry.updated)),
        _link(base + entry.page, rel="alternate", type="text/html"),
        _text("summary", entry.text),
    )


def _text(name: str, text: str) -> Markup:
    return _element(name, escape(_NOT_XML.sub("\ufffd", text)))


def _link(address: str, **attributes: str) -> Markup:
    return _element("link", attributes={"href": address, **attributes})


def _element(name: str, *content: Markup, attributes: Mapping[str, str] = NO_ATTRIBUTES) -> Markup:
    """Return an element of XML; its content is escaped already."""
    words = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    inner = "".join(content)
    return Markup(f"<{name}{words}>{inner}</{name}>")  # noqa: S704 - escaped piece by piece


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

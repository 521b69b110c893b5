"""The entry page, and each event: who ended where, and what its log is known by."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import htpy

from cli.season.site.frame import Listing, SitePage, linked_table, listed
from cli.season.site.readable import EVENTS, event_file
from cli.season.sources import signed_in_words
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from htpy import Node

    from cli.season.site.readable import Readable
    from projections.season.for_readers import EventPlace, SeasonEvent


def entry_pages(season: Readable) -> Iterator[SitePage]:
    """Yield every event by date, with how much there is in all."""
    columns = [
        Column("held on", text=lambda each: str(each.held_on or "?")),
        Column("event", text=lambda each: season.event_labels[each.tournament]),
        Column("game", key="ruleset"),
        Column("tier"),
        Column("players", right=True, key="entrants"),
        Column("rounds", right=True),
        Column("", text=lambda each: "" if each.finished else "open"),
    ]
    listing = Listing(EVENTS, "Events", columns, season.event_links, "event")
    yield from listed(listing, season.events, _counts(season))


def _counts(season: Readable) -> Node:
    from projections.season.asking.filters import extent

    seen = extent(season.connection)
    several = f" to {seen.last}" if seen.last != seen.first else ""
    guests = len(season.labels) - len(season.persons)
    text = (
        f"{how_many(seen.tournaments, 'event')}, {how_many(seen.games, 'game')} played, "
        f"{how_many(len(season.persons), 'person')} of the league, "
        f"{how_many(guests, 'guest')} without a pseudonym."
    )
    return htpy.p(class_="about")[f"{seen.first}{several}: {text}" if seen.first else text]


def event_pages(season: Readable) -> Iterator[SitePage]:
    """Yield a page for each event."""
    by_event: dict[str, list[EventPlace]] = defaultdict(list)
    for each in season.places:
        by_event[each.tournament].append(each)
    columns = [
        Column("", right=True, text=lambda each: str(each.place or "-")),
        Column("person", text=lambda each: season.labels[each.person]),
        Column("games", right=True),
        Column("W-L-D", text=wins_losses_draws),
    ]
    for event in season.events:
        title = season.event_labels[event.tournament]
        places = Listing("", "", columns, season.person_links, "person")
        content = [
            htpy.p(class_="about")[_about(event)],
            htpy.h3["Final standings" if event.finished else "Standings so far"],
            linked_table(places, by_event[event.tournament]),
            htpy.h3["The record"],
            _record(event),
        ]
        yield SitePage(event_file(event.tournament), title, content, EVENTS)


def wins_losses_draws(each: object) -> str:
    """Write what somebody won, lost and drew, of games that they played."""
    games, wins, draws = (getattr(each, name) for name in ("games", "wins", "draws"))
    return f"{wins}-{games - wins - draws}-{draws}"


def _about(event: SeasonEvent) -> str:
    players, rounds = how_many(event.entrants, "player"), how_many(event.rounds, "round")
    state = "" if event.finished else ", not finished"
    held = event.held_on or "no day"
    return visible(f"{held}, {event.ruleset}, {event.tier} tier, {players}, {rounds}{state}")


def _record(event: SeasonEvent) -> Node:
    signed = signed_in_words(
        event.size, event.signed_size, event.signed_by, event.by_policy, event.unsigned_reason
    )
    known = {
        "log": event.tournament,
        "events": f"{event.size:,}",
        "tree root (RFC 6962, SHA-256)": event.root,
        "signed head": signed,
    }
    if event.signed_by:
        known["key of the head"] = event.signed_by
    return [
        htpy.dl[
            [(htpy.dt[name], htpy.dd[htpy.code[visible(text)]]) for name, text in known.items()]
        ],
        htpy.p[
            "Who has the log checks it with ",
            htpy.code["tourney verify LOG"],
            f": its first {event.size:,} lines have this root, or are not what was counted here.",
        ],
    ]

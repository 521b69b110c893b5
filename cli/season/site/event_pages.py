"""The entry page, and a page for each tournament.

A tournament's page has the places and what its log is known by.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.render.elements import tr_nodes
from cli.season.site.frame import (
    EVENTS,
    Listing,
    SitePage,
    event_file,
    linked_table,
    listed,
)
from cli.season.sources import signed_in_words
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from htpy import Node

    from cli.season.site.frame import Readable
    from projections.season.for_readers import EventPlace, SeasonBracket, SeasonEvent
    from projections.standings.bracket import BracketGame


def entry_pages(season: Readable) -> Iterator[SitePage]:
    """Yield every tournament by date, with how much there is in all."""
    columns = [
        Column(marked("held on"), text=lambda event: str(event.held_on or "?")),
        Column(marked("tournament"), text=lambda event: season.event_labels[event.tournament]),
        Column(marked("ruleset")),
        Column(marked("tier"), text=lambda event: tr(event.tier)),
        Column(marked("players"), right=True, key="entrants"),
        Column(marked("rounds"), right=True),
        Column("", text=lambda event: "" if event.finished else tr_of("state", "open")),
    ]
    listing = Listing(EVENTS, tr("Tournaments"), columns, season.event_links, "tournament")
    yield from listed(listing, season.events, _counts(season))


def _counts(season: Readable) -> Node:
    from projections.season.asking import extent

    covered = extent(season.connection)
    guests = len(season.labels) - len(season.persons)
    about = {
        "first": covered.first,
        "last": covered.last,
        "tournaments": how_many(covered.tournaments, "tournament"),
        "games": how_many(covered.games, "game"),
        "persons": how_many(len(season.persons), "person"),
        "guests": how_many(guests, "guest"),
    }
    text = tr(
        "{tournaments}, {games} played, {persons} of the league, {guests} without a pseudonym.",
        **about,
    )
    if covered.first:
        days = tr("{first} to {last}", **about) if covered.last != covered.first else covered.first
        text = f"{days}: {text}"
    return htpy.p(class_="about")[text]


def event_pages(season: Readable) -> Iterator[SitePage]:
    """Yield a page for each tournament."""
    from projections.season.for_readers import brackets_of

    by_event: dict[str, list[EventPlace]] = defaultdict(list)
    for place in season.places:
        by_event[place.tournament].append(place)
    columns = [
        Column("", right=True, text=lambda place: str(place.place or "-")),
        Column(marked("person"), text=lambda place: season.labels[place.person]),
        Column(marked("games"), right=True),
        Column(marked("W-L-D"), text=wins_losses_draws),
    ]
    brackets: dict[str, list[SeasonBracket]] = defaultdict(list)
    for bracket in brackets_of(season.connection):
        brackets[bracket.tournament].append(bracket)
    for event in season.events:
        title = season.event_labels[event.tournament]
        places = Listing("", "", columns, season.person_links, "person")
        content = [
            htpy.p(class_="about")[_about(event)],
            htpy.h3[tr("Final standings") if event.finished else tr("Standings so far")],
            linked_table(places, by_event[event.tournament]),
            [_bracket(season, event, bracket) for bracket in brackets[event.tournament]],
            htpy.h3[tr("The record")],
            _record(event),
        ]
        yield SitePage(event_file(event.tournament), title, content, EVENTS)


class _Game(NamedTuple):
    """A game of a bracket with its round, as a row of the list below the picture."""

    round: int
    game: BracketGame


def _bracket(season: Readable, event: SeasonEvent, bracket: SeasonBracket) -> Node:
    """Return the picture of an elimination with its games as a list, by pseudonym."""
    from cli.render.bracket_grids import grid_of
    from cli.render.bracket_pictures import PictureWords, figure

    def name(player: int) -> str:
        return season.labels[bracket.persons[player]]

    def seated(side: int) -> Callable[[_Game], str]:
        def text(row: _Game) -> str:
            seat = row.game.seats[side]
            return name(seat.player) if seat else tr("-- bye --")

        return text

    columns = [
        Column(marked("round"), right=True),
        Column(marked("game"), right=True, text=lambda row: str(row.game.game)),
        Column(marked("person"), text=seated(0)),
        Column(marked("against"), text=seated(1)),
        Column(marked("winner"), text=lambda row: name(row.game.winner) if row.game.winner else ""),
    ]
    rows = [
        _Game(bracket_round.round, game)
        for bracket_round in bracket.shown.rounds
        for game in bracket_round.games
    ]
    grid = grid_of(bracket.shown)
    words = PictureWords(name, _shown_points(event.ruleset))
    return [
        htpy.h3[tr("Bracket")],
        figure(grid, words) if grid else None,
        linked_table(Listing("", "", columns, season.person_links, "person"), rows),
    ]


def _shown_points(key: str) -> Callable[[int], str]:
    """Return the writer of a game's points, which writes nothing for a ruleset of the organizer.

    Only the text of the ruleset defines whether points are counted in halves.
    """
    from ledger import rulesets

    return (
        rulesets.parse(rulesets.text_of(key)).scoring.shown
        if key in rulesets.names()
        else lambda _: ""
    )


def wins_losses_draws(record: object) -> str:
    """Write what somebody won, lost and drew, of games that they played."""
    games, wins, draws = (getattr(record, name) for name in ("games", "wins", "draws"))
    return f"{wins}-{games - wins - draws}-{draws}"


def _about(event: SeasonEvent) -> str:
    players, rounds = how_many(event.entrants, "player"), how_many(event.rounds, "round")
    about = {
        "day": event.held_on or tr("no day"),
        "ruleset": event.ruleset,
        "tier": tr(event.tier),
        "players": players,
        "rounds": rounds,
    }
    if event.finished:
        return visible(tr("{day}, {ruleset}, {tier} tier, {players}, {rounds}", **about))
    text = tr("{day}, {ruleset}, {tier} tier, {players}, {rounds}, not finished", **about)
    return visible(text)


def _record(event: SeasonEvent) -> Node:
    signed = signed_in_words(
        event.size, event.signed_size, event.signed_by, event.by_policy, event.unsigned_reason
    )
    facts = {
        tr("log"): event.tournament,
        tr("events"): in_figures(event.size),
        tr("tree root (RFC 6962, SHA-256)"): event.root,
        tr("signed head"): signed,
    }
    if event.signed_by:
        facts[tr("key of the head")] = event.signed_by
    return [
        htpy.dl[
            [(htpy.dt[name], htpy.dd[htpy.code[visible(text)]]) for name, text in facts.items()]
        ],
        htpy.p[
            tr_nodes(
                "Check the log with {command}: if its first {count} lines have another root, it is "
                "another log.",
                command=htpy.code["tourney verify LOG"],
                count=in_figures(event.size),
            )
        ],
    ]

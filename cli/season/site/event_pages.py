"""A page for each tournament: places and why, rounds, bracket, factions, corrections, rulings, log.

Persons have pseudonyms, or the names that they agreed to show; clauses are cited without texts.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.render.elements import tr_nodes
from cli.season.site.frame import (
    EVENTS,
    SitePage,
    event_file,
)
from cli.season.site.tables import Listing, linked_table
from cli.season.sources import signed_in_words
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.season.site.event_logs import OfferedLog
    from cli.season.site.frame import Readable
    from projections.season.event_details import (
        CorrectedResult,
        EventDetails,
        PlaceReason,
        PlayedGame,
        SwissRow,
    )
    from projections.season.for_readers import EventPlace, SeasonBracket, SeasonEvent
    from projections.standings.bracket import BracketGame


def event_pages(season: Readable, logs: Mapping[str, OfferedLog]) -> Iterator[SitePage]:
    """Yield a page for each tournament; `logs` are those that the organizers give."""
    from projections.season.event_details import details_of
    from projections.season.for_readers import brackets_of

    by_event: dict[str, list[EventPlace]] = defaultdict(list)
    for place in season.places:
        by_event[place.tournament].append(place)
    brackets: dict[str, list[SeasonBracket]] = defaultdict(list)
    for bracket in brackets_of(season.connection):
        brackets[bracket.tournament].append(bracket)
    all_details = details_of(season.connection, [event.tournament for event in season.events])
    for event, (_, details) in zip(season.events, all_details, strict=True):
        stem = event_file(event.tournament).removesuffix(".html")
        places = by_event[event.tournament]
        title = tr("Final standings") if event.finished else tr("Standings so far")
        content = [
            htpy.p(class_="about")[_about(event)],
            htpy.h3[title],
            standings_table(season, event, details, places, f"{stem}-standings"),
            [_bracket(season, event, bracket) for bracket in brackets[event.tournament]],
            _rounds(season, event, details, f"{stem}-games"),
            _factions(details),
            _corrections(season, event, details, f"{stem}-corrections"),
            _ruled(details),
            htpy.h3[tr("The record")],
            _record(event, logs.get(event.tournament)),
        ]
        label = season.event_labels[event.tournament]
        yield SitePage(event_file(event.tournament), label, content, EVENTS, forms=())


class _Placed(NamedTuple):
    """A row of an event's standings: the place, the Swiss row, and what decided the place."""

    place: EventPlace
    row: SwissRow | None
    reason: PlaceReason | None


def standings_table(
    season: Readable,
    event: SeasonEvent,
    details: EventDetails,
    places: Sequence[EventPlace],
    name: str,
) -> Node:
    """Return the places with points, tiebreakers, and what decided each against the one above."""
    rows = list(_placed(details, places))
    codes = list(dict.fromkeys(code for row in details.standings for code in row.tiebreakers))
    points = _shown_points(event.ruleset)
    columns = [
        Column("", right=True, key="place", value=lambda row: row.place.place, text=_place_text),
        Column(marked("person"), text=lambda row: season.labels[row.place.person]),
        Column(marked("games"), right=True, value=lambda row: row.place.games),
        Column(marked("W-L-D"), text=lambda row: wins_losses_draws(row.place)),
    ]
    if details.standings:
        columns.append(
            Column(
                marked("points"),
                right=True,
                value=lambda row: row.row.points if row.row else None,
                text=lambda row: (points(row.row.points) or str(row.row.points)) if row.row else "",
            )
        )
    columns += [_tiebreaker(code) for code in codes]
    columns.append(Column(marked("why here"), text=partial(_why, points), optional=True))
    listing = Listing("", "", columns, season.person_links, "person", name=name, forms=("csv",))
    return linked_table(listing, rows)


def _place_text(row: _Placed) -> str:
    return str(row.place.place or "-")


def _tiebreaker(code: str) -> Column:
    def value(row: _Placed) -> float | None:
        fraction = row.row.tiebreakers.get(code) if row.row else None
        return None if fraction is None else float(fraction)

    def text(row: _Placed) -> str:
        number = value(row)
        return "" if number is None else f"{number:.4f}"

    return Column(code, right=True, value=value, text=text)


def _placed(details: EventDetails, places: Sequence[EventPlace]) -> Iterator[_Placed]:
    """Yield the places with the rows of the Swiss standings; the order is that of the places."""
    from projections.season.event_details import decided

    rows = {row.player: row for row in details.standings}
    players = {entrant.person: entrant for entrant in details.entrants.values()}
    above: EventPlace | None = None
    for place in places:
        entrant = players.get(place.person)
        reason = None
        if above is not None and entrant is not None and place.place and above.place:
            neighbour = players.get(above.person)
            reason = decided(details, entrant, neighbour) if neighbour else None
        yield _Placed(place, rows.get(entrant.player) if entrant else None, reason)
        above = place


def _why(points: Callable[[int], str], row: _Placed) -> str:
    """Write what decided a place against the one above, with both values."""
    from projections.season.event_details import POINTS, ROUND

    if row.reason is None:
        return ""
    column, value_here, above = row.reason
    if column == ROUND:
        if not above:
            return tr("lost in round {own}", own=value_here)
        return tr("lost in round {own}, above in round {above}", own=value_here, above=above)
    is_points = column == POINTS
    values = [(is_points and points(int(value))) or str(value) for value in (value_here, above)]
    return tr(
        "{column} {own}, above {above}",
        column=tr_of("column", column),
        own=values[0],
        above=values[1],
    )


def _rounds(season: Readable, event: SeasonEvent, details: EventDetails, name: str) -> Node:
    """Return the games of all rounds, which a browser filters by round."""
    if not details.games:
        return None
    persons = {player: entrant.person for player, entrant in details.entrants.items()}
    points = _shown_points(event.ruleset)

    def seated(player: int | None) -> str:
        return season.labels[persons[player]] if player in persons else ""

    def result(game: PlayedGame) -> str:
        if game.player1 is None or game.player2 is None:
            return tr("bye")
        if game.outcome is None or game.points1 is None or game.points2 is None:
            return ""
        score = ":".join(points(number) or str(number) for number in (game.points1, game.points2))
        return f"{tr(game.outcome)} {score}"

    columns = [
        Column(marked("round"), right=True),
        Column(marked("table"), right=True),
        Column(marked("person"), text=lambda game: seated(game.player1)),
        Column(marked("result"), text=result),
        Column(marked("against"), text=lambda game: seated(game.player2)),
        Column("", text=lambda game: tr("corrected") if game.corrections else "", optional=True),
    ]
    listing = Listing("", "", columns, season.person_links, "person", name=name, forms=("csv",))
    newest_first = sorted(details.games, key=lambda game: -game.round)
    return [htpy.h3[tr("Rounds")], linked_table(listing, newest_first)]


def _factions(details: EventDetails) -> Node:
    """Return how many played each faction; groups of fewer than five persons are one together."""
    from projections.season.event_details import factions_of

    shares = factions_of(details)
    if not shares:
        return None
    count = sum(share.entrants for share in shares)
    columns = [
        Column(
            marked("faction"),
            text=lambda share: (
                tr("others, each fewer than five")
                if share.faction is None
                else share.faction or tr("(none given)")
            ),
        ),
        Column(marked("players"), right=True, key="entrants"),
        Column(marked("share"), right=True, text=lambda share: f"{share.entrants / count:.1%}"),
    ]
    return [
        htpy.h3[tr("Factions")],
        linked_table(Listing("", "", columns, {}, "faction"), shares),
    ]


def _corrections(season: Readable, event: SeasonEvent, details: EventDetails, name: str) -> Node:
    """Return the results that were corrected: before, after, and when."""
    if not details.corrections:
        return None
    persons = {player: entrant.person for player, entrant in details.entrants.items()}
    points = _shown_points(event.ruleset)

    def seated(player: int | None) -> str:
        return season.labels[persons[player]] if player in persons else ""

    def written(side: tuple[str, int, int]) -> str:
        outcome, first_points, two = side
        return f"{tr(outcome)} {points(first_points) or first_points}:{points(two) or two}"

    def when(row: CorrectedResult) -> str:
        if row.after_finish:
            return tr("after the end of play")
        return tr("after the round was closed") if row.after_close else tr("during the round")

    columns = [
        Column(marked("round"), right=True),
        Column(marked("table"), right=True),
        Column(marked("person"), text=lambda row: seated(row.player1)),
        Column(marked("against"), text=lambda row: seated(row.player2)),
        Column(marked("before"), text=lambda row: written(row.before)),
        Column(marked("after"), text=lambda row: written(row.after)),
        Column(marked("when"), text=when),
    ]
    listing = Listing("", "", columns, season.person_links, "person", name=name, forms=("csv",))
    return [htpy.h3[tr("Corrected results")], linked_table(listing, details.corrections)]


def _ruled(details: EventDetails) -> Node:
    """Return how many rulings and penalties cite each clause."""
    if not details.ruled:
        return None
    columns = [
        Column(marked("kind"), text=lambda row: tr(row.kind)),
        Column(marked("clause")),
        Column(marked("count"), right=True, key="times"),
        Column(marked("reviewed"), right=True),
    ]
    return [
        htpy.h3[tr("Rulings and penalties")],
        linked_table(Listing("", "", columns, {}, "kind"), details.ruled),
    ]


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
    """Write the games that a person won, lost and drew."""
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


def _record(event: SeasonEvent, log: OfferedLog | None) -> Node:
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
        _log(event, log),
    ]


def _log(event: SeasonEvent, log: OfferedLog | None) -> Node:
    """Return the log and its signed head to download, and how to check them."""
    check = tr_nodes(
        "Check the log with {command}: if its first {count} lines have another root, it is "
        "another log.",
        command=htpy.code["tourney verify LOG"],
        count=in_figures(event.size),
    )
    if log is None or log.withheld:
        return [htpy.p[log.withheld] if log else None, htpy.p[check]]
    links = [htpy.li[htpy.a(href=file, download=True)[title]] for title, file in log.links()]
    return [
        htpy.ul(class_="files")[links],
        htpy.p[
            tr(
                "The log has every line of the day, with sealed names whose keys are not in it. "
                "Put both files into one folder, and check them there:"
            )
        ],
        htpy.pre[htpy.code[log.command]],
        htpy.p[check],
    ]

"""The page of a person who agreed to be named: results, opponents, ratings, luck and byes.

An opponent has a name here only if they agreed, too. All others are called by their number in one
tournament, so that two of them cannot be joined by the page.
"""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import htpy

from cli.languages.speaking import in_figures, marked, tr
from cli.season.answers import answer_columns
from cli.season.site.event_pages import wins_losses_draws
from cli.season.site.frame import (
    NO_FIGURE,
    PERSONS,
    Listing,
    figure,
    linked_table,
    listed,
    person_file,
)
from cli.season.site.metagame_pages import NONE
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from htpy import Node

    from cli.season.site.frame import Files, Readable, SitePage
    from cli.season.site.rating_pages import RatedSeason
    from projections.season.for_readers import EventPlace, SeasonEvent
    from projections.season.person_records import BestWin, HeadToHead, OwnGame

    Own = list[tuple[SeasonEvent, EventPlace]]

FORMS = ("csv", "json")
"""Forms in which the tables of a person are downloaded: there are many persons."""

RESULTS = {"W": marked("won"), "L": marked("lost"), "D": marked("drawn"), "bye": marked("bye")}
"""Words for results, by the record that they count as."""


def named_pages(season: Readable, rated: list[RatedSeason]) -> Iterator[SitePage]:
    """Yield the pages of each person who agreed to be named."""
    from projections.season.person_records import own_games

    events = {event.tournament: event for event in season.events}
    places: dict[str, Own] = defaultdict(list)
    placed: dict[tuple[str, str], EventPlace] = {}
    for place in season.places:
        placed[place.tournament, place.person] = place
        if place.person in season.named:
            places[place.person].append((events[place.tournament], place))
    games = own_games(season.connection, season.named)
    for person in season.named:
        yield from pages_of(season, person, places[person], games[person], rated, placed)


class _Named:
    """The content of a person's pages."""

    def __init__(
        self,
        season: Readable,
        person: str,
        places: Own,
        games: list[OwnGame],
        placed: Mapping[tuple[str, str], EventPlace],
    ) -> None:
        self.season = season
        self.person = person
        self.places = sorted(places, key=lambda pair: str(pair[0].held_on or ""), reverse=True)
        self.games = games
        self.by_match = {(game.tournament, game.match): game for game in games}
        self._placed = placed

    @property
    def links(self) -> dict[tuple[str, str], str]:
        """Pages of tournaments and of opponents who agreed, by title and text of a cell.

        A name that reads like the label of another opponent leads nowhere.
        """
        others = {visible(self.opponent(game)) for game in self.games if not self.agreed(game)}
        persons = self.season.person_links
        return {
            **{("tournament", text): file for text, file in self.season.event_links.items()},
            **{("opponent", text): persons[text] for text in persons.keys() - others},
        }

    def opponent(self, game: OwnGame) -> str:
        """Return what an opponent is called: only those who agreed have one label in all events."""
        if game.opponent_player is None:
            return tr("-- bye --")
        if opponent := self.agreed(game):
            return self.season.labels[opponent]
        return tr("player {number}", number=game.opponent_player)

    def agreed(self, game: OwnGame) -> str:
        """Return an opponent who agreed to be named; an empty text for all others."""
        opponent = game.opponent_person or ""
        return opponent if opponent in self.season.named else ""

    def place_of_opponent(self, game: OwnGame) -> str:
        """Return the place of an opponent in the tournament."""
        place = self._placed.get((game.tournament, game.opponent_person or ""))
        return str(place.place or "-") if place else ""

    def byes_in(self, tournament: str) -> int:
        """Count the byes in a tournament."""
        return sum(game.tournament == tournament and game.record == "bye" for game in self.games)


def pages_of(
    season: Readable,
    person: str,
    places: Own,
    games: list[OwnGame],
    rated: Sequence[RatedSeason],
    placed: Mapping[tuple[str, str], EventPlace] = MappingProxyType({}),
) -> Iterator[SitePage]:
    """Yield the page of a person; `placed` are the places of all, by tournament and person."""
    profile = _Named(season, person, places, games, placed)
    file = person_file(profile.person)
    ratings, files = _ratings(rated, profile.person, file.removesuffix(".html"))
    before = [
        htpy.p(class_="about")[_about(profile)],
        htpy.h3[tr("Tournaments")],
        _tournaments(profile),
        ratings,
        _all_best_wins(profile, rated),
        _head_to_head(profile),
        _factions(profile),
        _luck(profile, rated),
        htpy.h3[tr("Games")],
    ]
    columns = [
        Column(marked("held on"), text=lambda game: str(game.held_on or "?")),
        Column(marked("tournament"), text=lambda game: _event(profile, game.tournament)),
        Column(marked("round"), right=True),
        Column(marked("opponent"), key="opponent_label", text=profile.opponent),
        Column(
            marked("opponent's place"),
            right=True,
            key="opponent_place",
            text=profile.place_of_opponent,
        ),
        Column(marked("result"), key="outcome", text=_result),
    ]
    title = profile.season.labels[profile.person]
    listing = Listing(file, title, columns, profile.links, "opponent", PERSONS)
    for page in listed(listing, profile.games, before, files):
        yield page._replace(forms=FORMS)


def _event(profile: _Named, tournament: str) -> str:
    return profile.season.event_labels[tournament]


def _result(game: OwnGame) -> str:
    result = tr(RESULTS[game.record])
    if game.is_played or game.opponent_player is None:
        return result
    return tr("{result}, not played", result=result)


def _about(profile: _Named) -> str:
    """Say how much a person played, with the byes."""
    from projections.season.person_records import record_of

    record = record_of(profile.games)
    return tr(
        "{tournaments}, {games} played (won, lost and drawn: {record}), {byes} byes. Opponents "
        "who did not agree to be named are called by their number in the tournament.",
        tournaments=how_many(len(profile.places), "tournament"),
        games=how_many(record.games, "game"),
        record=wins_losses_draws(record),
        byes=in_figures(sum(game.record == "bye" for game in profile.games)),
    )


def _tournaments(profile: _Named) -> Node:
    byes = {event.tournament: profile.byes_in(event.tournament) for event, _ in profile.places}
    columns = [
        Column(marked("held on"), text=lambda pair: str(pair[0].held_on or "?")),
        Column(marked("tournament"), text=lambda pair: _event(profile, pair[0].tournament)),
        Column(
            marked("place"),
            right=True,
            text=lambda pair: tr(
                "{place} of {players}", place=pair[1].place or "-", players=pair[0].entrants
            ),
        ),
        Column(marked("W-L-D"), text=lambda pair: wins_losses_draws(pair[1])),
        Column(marked("byes"), right=True, text=lambda pair: str(byes[pair[0].tournament])),
    ]
    links = profile.season.event_links
    return linked_table(Listing("", "", columns, links, "tournament"), profile.places)


def _ratings(rated: Sequence[RatedSeason], person: str, name: str) -> tuple[list[Node], Files]:
    from projections.season.rating_tables import HISTORY, shown_by
    from projections.season.ratings import SYSTEMS

    columns = list(answer_columns(HISTORY.columns, {}, {}))
    names = [column.name for column in HISTORY.columns]
    content: list[Node] = []
    files: Files = ()
    for number, ratings in enumerate(rated, start=1):
        if person not in ratings.own:
            continue
        history = ratings.own[person].history
        rows = [dict(zip(names, row, strict=True)) for row in reversed(history)]
        picture = NO_FIGURE
        if len(rows) > 1:  # a single day has no line
            question = shown_by(HISTORY, has_intervals=SYSTEMS[ratings.system].has_intervals)
            picture = figure(
                f"{name}-{number}",
                tr("The rating at {game}", game=ratings.game),
                question,
                history,
                {},
            )
        content += [
            htpy.h3[visible(tr("Rating at {game}, by day", game=ratings.game))],
            picture.node,
            linked_table(Listing("", "", columns, {}, "day"), rows),
        ]
        files += picture.files
    return content, files


def _all_best_wins(profile: _Named, rated: Sequence[RatedSeason]) -> Node:
    """Return the wins against the highest ratings at each game, with one explanation."""
    won = [
        ratings
        for ratings in rated
        if profile.person in ratings.own and ratings.own[profile.person].wins
    ]
    if not won:
        return None
    return [
        htpy.h3[tr("Best wins")],
        htpy.p(class_="about")[
            tr(
                "By the opponent's rating before the game, by {system}. Of an opponent who did "
                "not agree to be named, the rating is a range in which five persons or more were.",
                system=won[0].system,
            )
        ],
        [_best_wins(profile, ratings, ratings.own[profile.person].wins) for ratings in won],
    ]


def _best_wins(profile: _Named, ratings: RatedSeason, wins: Sequence[BestWin]) -> Node:
    """Return the wins at one game; of opponents who did not agree, the band of the rating."""
    number_format = ",.0f" if ratings.system != "bayes" else ",.1f"

    def game(win: BestWin) -> OwnGame:
        return profile.by_match[win.tournament, win.match]

    def rating(win: BestWin) -> str:
        if profile.agreed(game(win)):
            return f"{win.rating:{number_format}}"
        if win.low is None or win.high is None:
            return "-"
        return tr(
            "{low} to {high}", low=f"{win.low:{number_format}}", high=f"{win.high:{number_format}}"
        )

    columns = [
        Column(marked("held on"), text=lambda win: str(game(win).held_on or "?")),
        Column(marked("tournament"), text=lambda win: _event(profile, win.tournament)),
        Column(marked("round"), right=True, text=lambda win: str(game(win).round)),
        Column(
            marked("opponent"), key="opponent_label", text=lambda win: profile.opponent(game(win))
        ),
        Column(marked("rating before"), right=True, text=rating),
    ]
    return [
        htpy.h4[visible(ratings.game)],
        linked_table(Listing("", "", columns, profile.links, "opponent"), wins),
    ]


def _head_to_head(profile: _Named) -> Node:
    from projections.season.person_records import head_to_head

    def opponent(row: HeadToHead) -> str:
        return profile.season.labels[row.opponent] if row.opponent else tr("all others")

    columns = [
        Column(marked("opponent"), key="opponent_label", text=opponent),
        Column(marked("games"), right=True, text=lambda row: in_figures(row.record.games)),
        Column(marked("W-L-D"), text=lambda row: wins_losses_draws(row.record)),
        Column(marked("score"), right=True, text=lambda row: _share(row.record.score)),
        Column(marked("first met"), text=lambda row: str(row.first_met or "-")),
        Column(marked("last met"), text=lambda row: str(row.last_met or "-")),
    ]
    links = {cell: file for cell, file in profile.links.items() if cell[1] != tr("all others")}
    rows = head_to_head(profile.games, profile.season.named)
    return [
        htpy.h3[tr("Head-to-head")],
        htpy.p(class_="about")[
            tr("Against persons who agreed to be named; games against all others are summed.")
        ],
        linked_table(Listing("", "", columns, links, "opponent"), rows),
    ]


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _factions(profile: _Named) -> Node:
    from projections.season.person_records import by_faction, record_of

    rows = [
        {
            "ruleset": ruleset,
            "faction": faction or tr(NONE),
            "tournaments": in_figures(len({game.tournament for game in games})),
            "record": record_of(games),
        }
        for (ruleset, faction), games in by_faction(profile.games).items()
    ]
    columns = [
        Column(marked("ruleset")),
        Column(marked("faction")),
        Column(marked("tournaments"), right=True),
        Column(marked("games"), right=True, text=lambda row: in_figures(row["record"].games)),
        Column(marked("W-L-D"), text=lambda row: wins_losses_draws(row["record"])),
        Column(marked("score"), right=True, text=lambda row: _share(row["record"].score)),
    ]
    if not rows:
        return None
    return [htpy.h3[tr("Factions")], linked_table(Listing("", "", columns, {}, "faction"), rows)]


def _luck(profile: _Named, rated: Sequence[RatedSeason]) -> Node:
    """Return how easy the schedule was, by the question `schedule-luck` at each game."""
    from projections.season.asking import question_named

    question = question_named("schedule-luck")
    names = [column.name for column in question.columns]
    rows: list[dict[str, Any]] = []
    for ratings in rated:
        luck = ratings.own[profile.person].luck if profile.person in ratings.own else None
        if luck is not None:
            rows.append({"ruleset": ratings.game, **dict(zip(names, luck, strict=True))})
    if not rows:
        return None
    own_columns = [column for column in question.columns if column.unit != "person"]
    columns = [Column(marked("ruleset")), *answer_columns(own_columns, {}, {})]
    return [
        htpy.h3[tr("Luck of the schedule")],
        htpy.p(class_="about")[
            tr(
                "Opponents: what they scored in their Swiss games. Luck: how much more the "
                "opponents of others with as many points and games scored; above 0 the schedule "
                "was easier."
            )
        ],
        linked_table(Listing("", "", columns, {}, "ruleset"), rows),
    ]

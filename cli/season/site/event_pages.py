"""The entry page, a page for each tournament, and the metagame and match-ups.

A tournament's page has the places and what its log is known by. The answers of named questions are
without groups that are too small.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.render.elements import tr_nodes
from cli.season.answers import answer_columns
from cli.season.site.frame import (
    EVENTS,
    DrawnAnswer,
    Listing,
    SitePage,
    event_file,
    figure,
    games_in,
    linked_table,
    listed,
)
from cli.season.sources import signed_in_words
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.season.site.frame import Files, Readable
    from projections.season.for_readers import EventPlace, LeftOut, SeasonBracket, SeasonEvent
    from projections.season.tables.definitions import Question
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


SMALL, FURTHER, NONE = marked("fewer than five"), marked("not shown"), marked("(none given)")
MONTH_LETTERS = len("2026-01")
ABOUT = marked(
    "Shares have 95 % intervals by person. Groups of fewer than five persons are not "
    "shown, nor is anything that would reveal them."
)


class ShownAnswer(NamedTuple):
    """A question's answer, and which of its rows are left out; by these columns they are known."""

    question: Question
    rows: Sequence[Sequence[Any]]
    hidden: LeftOut
    keys: tuple[str, ...]

    def key(self, record: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """What a row is known by."""
        return tuple(record[name] for name in self.keys)

    def hides(self, record: Mapping[str, Any]) -> bool:
        """Whether a row is left out."""
        return self.key(record) in self.hidden.small | self.hidden.further


def metagame(season: Readable) -> SitePage:
    """Return who plays what, how it fares, and by month."""
    from projections.season.for_readers import factions_left_out, months_left_out

    factions, months = _asked(season, "factions"), _asked(season, "faction-trend")
    by_faction = ShownAnswer(*factions, factions_left_out(factions[1]), ("ruleset", "faction"))
    hidden = months_left_out(season.connection)
    by_month = ShownAnswer(*months, hidden, ("month", "ruleset", "faction"))
    content: list[Node] = [htpy.p(class_="about")[tr(ABOUT)]]
    files: Files = ()
    for number, game in enumerate(games_in(season.events), start=1):
        picture = _drawn(by_faction, game, f"factions-{number}")
        content += [htpy.h3[visible(game)], picture.node, _table(by_faction, game, "faction")]
        monthly = _drawn(by_month, game, f"months-{number}")
        content += [htpy.h3[visible(tr("{game}, by month", game=game))], monthly.node]
        content.append(_months(by_month, game))
        files += picture.files + monthly.files
    return SitePage("metagame.html", tr("Metagame"), content, pictures=files)


def matchups(season: Readable) -> SitePage:
    """Return how each faction scores against each other one."""
    from projections.season.for_readers import matchups_left_out

    question, rows = _asked(season, "faction-matchups")
    answer = ShownAnswer(
        question, rows, matchups_left_out(rows), ("ruleset", "faction", "opponent")
    )
    content: list[Node] = [htpy.p(class_="about")[f"{tr(question.answers)} {tr(ABOUT)}"]]
    files: Files = ()
    for number, game in enumerate(games_in(season.events), start=1):
        picture = _drawn(answer, game, f"matchups-{number}")
        content += [htpy.h3[visible(game)], picture.node, _table(answer, game, "faction")]
        files += picture.files
    return SitePage("matchups.html", tr("Match-ups"), content, pictures=files)


def _drawn(answer: ShownAnswer, game: str, name: str) -> DrawnAnswer:
    """Draw what of one game is broken out, and nothing of what is not."""
    names = [column.name for column in answer.question.columns]
    rows = []
    for row in answer.rows:
        record = dict(zip(names, row, strict=True))
        if record["ruleset"] == game and not answer.hides(record):
            rows.append(row)
    return figure(
        name,
        tr("{question} at {game}", question=tr(answer.question.title), game=game),
        answer.question,
        rows,
        {},
    )


def _asked(season: Readable, name: str) -> tuple[Question, Sequence[Sequence[Any]]]:
    from projections.season.asking import answer, question_named

    question = question_named(name)
    return question, answer(season.connection, question).rows


def _table(answer: ShownAnswer, game: str, heading: str) -> Node:
    """Return the rows of one game, a small group with nothing but that it is there."""
    records = _records(answer, game)
    if not records:
        return htpy.p[tr("No game between different factions is on record.")]
    return _linked(answer, [_row(answer, record) for record in records], heading)


def _months(answer: ShownAnswer, game: str) -> Node:
    """Return the rows by month; most groups of a month are small: one line says so of all."""
    records = _records(answer, game)
    rows = [_row(answer, record) for record in records if not answer.hides(record)]
    about = tr(
        "Not shown: {hidden} of {rows}, for the reasons above.",
        hidden=in_figures(len(records) - len(rows)),
        rows=how_many(len(records), "row"),
    )
    return [
        _linked(answer, rows, "month") if rows else None,
        htpy.p(class_="about")[about] if len(rows) < len(records) else None,
    ]


def _records(answer: ShownAnswer, game: str) -> list[dict[str, Any]]:
    names = [column.name for column in answer.question.columns]
    records = (dict(zip(names, row, strict=True)) for row in answer.rows)
    return [record for record in records if record["ruleset"] == game]


def _linked(answer: ShownAnswer, rows: Sequence[Mapping[str, Any]], heading: str) -> Node:
    headings = [column for column in answer.question.columns if column.name != "ruleset"]
    columns = list(answer_columns(headings, {}, {}))
    return linked_table(Listing("", "", columns, {}, heading, few=answer.question.minimum), rows)


def _row(answer: ShownAnswer, record: dict[str, Any]) -> dict[str, Any]:
    """Return what of a row is shown."""
    key = answer.key(record)
    key_values = {name: record[name] or tr(NONE) for name in answer.keys}
    if "month" in key_values:
        key_values["month"] = str(key_values["month"])[:MONTH_LETTERS]
    if key in answer.hidden.small or key in answer.hidden.further:
        first = next(name for name in record if name not in answer.keys)
        reason = SMALL if key in answer.hidden.small else FURTHER
        return dict.fromkeys(record, "") | key_values | {first: tr(reason)}
    return record | key_values

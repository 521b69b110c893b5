"""The metagame and the match-ups of the season: who plays what, and how it fares.

Groups are factions, or what else the entrants of a game have: attributes that an import or an
organizer kept. Small groups are folded into one, and parts of the answers that are too small are
left out.
"""

from __future__ import annotations

from collections import defaultdict
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr
from cli.season.answers import answer_columns, called_by, groups_in_words
from cli.season.site.frame import (
    DrawnAnswer,
    Listing,
    SitePage,
    figure,
    games_in,
    linked_table,
    links_to,
)
from cli.terminal.visible import capitalized, how_many, visible
from projections.season.grouping.groups import OTHER

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.season.site.frame import Files, Readable
    from projections.season.for_readers import LeftOut
    from projections.season.grouping.folding import SeenGroups
    from projections.season.tables.definitions import Question

NONE = marked("(none given)")
MONTH_LETTERS = len("2026-01")
ABOUT = marked(
    "Shares have 95 % intervals by person. Groups of fewer than five persons are folded into "
    "“other”, and nothing is shown that would reveal one of them."
)
NO_GROUP = marked("No group of five persons or more is on record.")


class ShownAnswer(NamedTuple):
    """A question's answer, and which of its rows are left out; by these columns they are known."""

    question: Question
    rows: Sequence[Sequence[Any]]
    hidden: LeftOut
    keys: tuple[str, ...]
    seen: SeenGroups

    def key(self, record: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Return the values that identify a row."""
        return tuple(record[name] for name in self.keys)

    def hides(self, record: Mapping[str, Any]) -> bool:
        """Whether a row is left out."""
        return self.key(record) in self.hidden.small | self.hidden.further

    def called(self, label: str) -> str:
        """Return the name of a group as the page shows it."""
        return tr(OTHER) if self.seen.small and label == OTHER else label


class GameGroups(NamedTuple):
    """A game in groups: the heading, and what the groups are made by."""

    game: str
    heading: str
    by: str


def games_in_groups(season: Readable, by: str = "") -> Iterator[GameGroups]:
    """Yield each game, grouped by the attribute `by`, or by every attribute of its entrants."""
    from projections.season.grouping.folding import ways_to_group
    from projections.season.grouping.groups import FACTION, name_of

    for game in games_in(season.events):
        groupings = [by] if by else ways_to_group(season.connection, game) or [FACTION]
        for grouping in groupings:
            is_named = by or grouping != FACTION
            yield GameGroups(
                game,
                tr("{game}, by {name}", game=game, name=name_of(grouping)) if is_named else game,
                grouping,
            )


def metagame(season: Readable, by: str = "") -> Iterator[SitePage]:
    """Yield who plays what, how it fares, and by month: a page for each game in groups."""
    from projections.season.for_readers import NOTHING_LEFT_OUT, months_left_out
    from projections.season.grouping.folding import seen_in_groups

    parts = list(games_in_groups(season, by))
    links = _links("metagame", parts)
    for number, part in enumerate(parts, start=1):
        content: list[Node] = [links_to(links, links[number - 1][0])]
        content += [htpy.p(class_="about")[tr(ABOUT)], htpy.h3[visible(part.heading)]]
        files: Files = ()
        with seen_in_groups(season.connection, part.game, part.by) as groups:
            content.append(_about(groups))
            keys = ("ruleset", "faction")
            factions = ShownAnswer(*_asked(season, "factions"), NOTHING_LEFT_OUT, keys, groups)
            hidden = months_left_out(season.connection)
            months = ShownAnswer(*_asked(season, "faction-trend"), hidden, ("month", *keys), groups)
        if groups.shown:
            name = f"metagame-{number}"
            picture = _drawn(factions, part, f"factions-{number}")
            monthly = _drawn(months, part, f"months-{number}")
            rows = [_row(factions, record) for record in _records(factions)]
            content += [picture.node, _linked(factions, rows, "faction", f"{name}-groups")]
            content += [htpy.h3[visible(tr("{game}, by month", game=part.heading))], monthly.node]
            content.append(_large_parts(months, "month", f"{name}-months"))
            files = picture.files + monthly.files
        yield SitePage(links[number - 1][0], tr("Metagame"), content, _under(links, number), files)


def matchups(season: Readable, by: str = "") -> Iterator[SitePage]:
    """Yield how each group scores against each other one: a page for each game in groups."""
    from projections.season.asking import question_named
    from projections.season.for_readers import matchups_left_out
    from projections.season.grouping.folding import seen_in_groups

    answers = tr(question_named("faction-matchups").answers)
    parts = list(games_in_groups(season, by))
    links = _links("matchups", parts)
    for number, part in enumerate(parts, start=1):
        content: list[Node] = [links_to(links, links[number - 1][0])]
        content.append(htpy.p(class_="about")[f"{answers} {tr(ABOUT)}"])
        content.append(htpy.h3[visible(part.heading)])
        files: Files = ()
        with seen_in_groups(season.connection, part.game, part.by) as groups:
            content.append(_about(groups))
            question, rows = _asked(season, "faction-matchups")
        if groups.shown:
            keys = ("ruleset", "faction", "opponent")
            answer = ShownAnswer(question, rows, matchups_left_out(rows), keys, groups)
            picture = _drawn(answer, part, f"matchups-{number}")
            content += [picture.node, _large_parts(answer, "faction", f"matchups-{number}-pairs")]
            files = picture.files
        yield SitePage(links[number - 1][0], tr("Match-ups"), content, _under(links, number), files)


def _links(stem: str, parts: Sequence[GameGroups]) -> list[tuple[str, str]]:
    """Return the file and the heading of each page, the first of which is in the navigation."""
    return [
        (f"{stem}.html" if not place else f"{stem}-{place + 1}.html", part.heading)
        for place, part in enumerate(parts)
    ]


def _under(links: Sequence[tuple[str, str]], number: int) -> str:
    return links[0][0] if number > 1 else ""


def _about(groups: SeenGroups) -> Node:
    """Say which groups are folded, and how many entries have none."""
    texts = [groups_in_words(groups), "" if groups.shown else tr(NO_GROUP)]
    lines = [capitalized(text) for text in texts if text]
    return [htpy.p(class_="about")[line] for line in lines]


def _drawn(answer: ShownAnswer, part: GameGroups, name: str) -> DrawnAnswer:
    """Draw the groups of one game that are shown, and leave out all others."""
    names = [column.name for column in answer.question.columns]
    visible_records = (record for record in _records(answer) if not answer.hides(record))
    called = (record | _groups_called(answer, record) for record in visible_records)
    rows = [[record[name] for name in names] for record in called]
    return figure(
        name,
        tr("{question} at {game}", question=tr(answer.question.title), game=part.heading),
        answer.question,
        rows,
        {},
    )


def _asked(season: Readable, name: str) -> tuple[Question, Sequence[Sequence[Any]]]:
    from projections.season.asking import answer, question_named

    question = question_named(name)
    return question, answer(season.connection, question).rows


SMALLER = marked("smaller groups")
"""Name of the row that sums the groups of a month that are too small to be shown."""


def _large_parts(answer: ShownAnswer, heading: str, name: str) -> Node:
    """Return the rows that are shown; one line counts the parts of groups that are too small."""
    records = _records(answer)
    if not records:
        return htpy.p[tr("No game between different factions is on record.")]
    small = [record for record in records if answer.hides(record)]
    visible_records = [record for record in records if not answer.hides(record)]
    rows = [_row(answer, record) for record in visible_records]
    if visible_records and "month" in answer.keys:
        rows = sorted([*rows, *_summed(small)], key=lambda row: row["month"])
    about = tr(
        "Not shown: {hidden} of {rows}, for the reasons above.",
        hidden=in_figures(len(small)),
        rows=how_many(len(records), "row"),
    )
    return [
        _linked(answer, rows, heading, name) if rows else None,
        htpy.p(class_="about")[about] if small else None,
    ]


def _summed(small: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield one row for each month in which several groups are too small: their sum, no score.

    The shares of a month add up, so that the sum tells no more than the rows that are shown.
    """
    by_month: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in small:
        by_month[str(record["month"])[:MONTH_LETTERS]].append(record)
    for month, records in by_month.items():
        if len(records) > 1:
            yield dict.fromkeys(records[0]) | {
                "month": month,
                "faction": tr(SMALLER),
                "entrants": sum(record["entrants"] for record in records),
                "field": fsum(record["field"] for record in records),
            }


def _records(answer: ShownAnswer) -> list[dict[str, Any]]:
    """Return the rows about groups; the page counts entrants without a group above them."""
    names = [column.name for column in answer.question.columns]
    records = (dict(zip(names, row, strict=True)) for row in answer.rows)
    return [record for record in records if record["faction"]]


def _linked(
    answer: ShownAnswer, rows: Sequence[Mapping[str, Any]], heading: str, name: str
) -> Node:
    headings = [column for column in answer.question.columns if column.name != "ruleset"]
    called = called_by(answer.seen.by)
    columns = list(answer_columns(headings, {}, {}, called))
    heading = called.get(heading, heading)
    few = answer.question.minimum
    return linked_table(Listing("", "", columns, {}, heading, few=few, name=name), rows)


def _groups_called(answer: ShownAnswer, record: Mapping[str, Any]) -> dict[str, str]:
    return {name: answer.called(record[name]) for name in ("faction", "opponent") if name in record}


def _row(answer: ShownAnswer, record: dict[str, Any]) -> dict[str, Any]:
    """Return what of a row is shown."""
    labelled = record | _groups_called(answer, record)
    if "month" in labelled:
        labelled["month"] = str(labelled["month"])[:MONTH_LETTERS]
    return labelled

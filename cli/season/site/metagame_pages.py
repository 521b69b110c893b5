"""The metagame and the match-ups of the season: who plays what, and how it fares.

The answers of named questions are without groups that are too small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr
from cli.season.answers import answer_columns
from cli.season.site.frame import (
    DrawnAnswer,
    Listing,
    SitePage,
    figure,
    games_in,
    linked_table,
)
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from htpy import Node

    from cli.season.site.frame import Files, Readable
    from projections.season.for_readers import LeftOut
    from projections.season.tables.definitions import Question

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

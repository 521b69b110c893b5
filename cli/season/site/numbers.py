"""Metagame and match-ups: answers of named questions, without groups that are too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.season.answers import answer_columns
from cli.season.site.figures import DrawnAnswer, figure
from cli.season.site.frame import Listing, SitePage, linked_table
from cli.season.site.readable import games_in
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from htpy import Node

    from cli.season.site.figures import Files
    from cli.season.site.readable import Readable
    from projections.season.asking.questions import Question
    from projections.season.for_readers import LeftOut

SMALL, FURTHER, NONE = "fewer than five", "not shown", "(none given)"
MONTH_LETTERS = len("2026-01")
ABOUT = (
    "Shares have 95 % intervals by person. Fewer than five persons are not broken out; what "
    "else is not shown would tell of them."
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
    whole = ShownAnswer(*factions, factions_left_out(factions[1]), ("ruleset", "faction"))
    hidden = months_left_out(season.connection)
    by_month = ShownAnswer(*months, hidden, ("month", "ruleset", "faction"))
    content: list[Node] = [htpy.p(class_="about")[ABOUT]]
    files: Files = ()
    for number, game in enumerate(games_in(season.events), start=1):
        drawn = _drawn(whole, game, f"factions-{number}")
        content += [htpy.h3[visible(game)], drawn.node, _table(whole, game, "faction")]
        monthly = _drawn(by_month, game, f"months-{number}")
        content += [htpy.h3[visible(f"{game}, by month")], monthly.node]
        content.append(_months(by_month, game))
        files += drawn.files + monthly.files
    return SitePage("metagame.html", "Metagame", content, pictures=files)


def matchups(season: Readable) -> SitePage:
    """Return how each faction scores against each other one."""
    from projections.season.for_readers import matchups_left_out

    question, rows = _asked(season, "faction-matchups")
    shown = ShownAnswer(question, rows, matchups_left_out(rows), ("ruleset", "faction", "opponent"))
    content: list[Node] = [htpy.p(class_="about")[f"{question.answers} {ABOUT}"]]
    files: Files = ()
    for number, game in enumerate(games_in(season.events), start=1):
        drawn = _drawn(shown, game, f"matchups-{number}")
        content += [htpy.h3[visible(game)], drawn.node, _table(shown, game, "faction")]
        files += drawn.files
    return SitePage("matchups.html", "Match-ups", content, pictures=files)


def _drawn(shown: ShownAnswer, game: str, name: str) -> DrawnAnswer:
    """Draw what of one game is broken out, and nothing of what is not."""
    names = [each.name for each in shown.question.columns]
    rows = []
    for row in shown.rows:
        record = dict(zip(names, row, strict=True))
        if record["ruleset"] == game and not shown.hides(record):
            rows.append(row)
    return figure(name, f"{shown.question.title} at {game}", shown.question, rows, {})


def _asked(season: Readable, name: str) -> tuple[Question, Sequence[Sequence[Any]]]:
    from projections.season.asking.answering import answer, question_named

    question = question_named(name)
    return question, answer(season.connection, question).rows


def _table(shown: ShownAnswer, game: str, heading: str) -> Node:
    """Return the rows of one game, a small group with nothing but that it is there."""
    records = _records(shown, game)
    if not records:
        return htpy.p["No game between different factions is on record."]
    return _linked(shown, [_row(shown, each) for each in records], heading)


def _months(shown: ShownAnswer, game: str) -> Node:
    """Return the rows by month; most groups of a month are small: one line says so of all."""
    records = _records(shown, game)
    rows = [_row(shown, each) for each in records if not shown.hides(each)]
    count = how_many(len(records), "row")
    about = f"Not shown: {len(records) - len(rows):,} of {count}, by what is said above."
    return [
        _linked(shown, rows, "month") if rows else None,
        htpy.p(class_="about")[about] if len(rows) < len(records) else None,
    ]


def _records(shown: ShownAnswer, game: str) -> list[dict[str, Any]]:
    names = [each.name for each in shown.question.columns]
    records = (dict(zip(names, row, strict=True)) for row in shown.rows)
    return [each for each in records if each["ruleset"] == game]


def _linked(shown: ShownAnswer, rows: Sequence[Mapping[str, Any]], heading: str) -> Node:
    headings = [each for each in shown.question.columns if each.name != "ruleset"]
    columns = list(answer_columns(headings, {}, {}))
    return linked_table(Listing("", "", columns, {}, heading, few=shown.question.minimum), rows)


def _row(shown: ShownAnswer, record: dict[str, Any]) -> dict[str, Any]:
    """Return what of a row is shown."""
    key = shown.key(record)
    said = {name: record[name] or NONE for name in shown.keys}
    if "month" in said:
        said["month"] = str(said["month"])[:MONTH_LETTERS]
    if key in shown.hidden.small or key in shown.hidden.further:
        first = next(name for name in record if name not in shown.keys)
        why = SMALL if key in shown.hidden.small else FURTHER
        return dict.fromkeys(record, "") | said | {first: why}
    return record | said

"""Answers of the season: as a table, CSV, JSON or a picture, with names beside pseudonyms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from cli.input.arguments import UsageError, whole_or_none
from cli.languages.speaking import ENGLISH, in_figures, language, marked, tr
from cli.render.records import show_records
from cli.terminal.output import say
from cli.terminal.tables import Column, as_json, as_text, for_program
from cli.terminal.visible import first_of, how_many, visible
from ledger.errors import Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.desk.session import Desk

    Row = Mapping[str, object]
    Rows = Sequence[Sequence[object]]
    from projections.season.asking import Extent, Filters
    from projections.season.grouping.folding import SeenGroups
    from projections.season.points import Championship, SeasonRow
    from projections.season.tables.definitions import AnswerColumn, Question

NOTHING: Mapping[str, str] = MappingProxyType({})
LONG = ("text", "person")
"""What may be cut short where a table is too wide."""

_FORMATS = {"share": ".1%", "number": ",.2f", "minutes": ",.1f", "points": ",.2f", "score": ".4f"}


def show_answer(
    desk: Desk,
    headings: Sequence[AnswerColumn],
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
    few: int = 0,
    by: str = "",
) -> bool:
    """Print an answer; programs get a person's pseudonym, and the name in a column beside it.

    `by`: what groups are made by, which heads their column for people.

    Rows of fewer than `few` games are grey, and say so to programs. Returns whether a person is to
    read it.
    """
    keys = [each.name for each in headings]
    labels = _labels(headings, rows, names) if desk.options.for_person else {}
    called = called_by(by) if desk.options.for_person else {}
    columns = _columns(headings, labels, names, few, called)
    is_read = show_records(
        desk,
        columns,
        (dict(zip(keys, row, strict=True)) for row in rows),
        json=lambda: answer_as_json(headings, rows, names, few),
        quiet=partial(is_few, few) if few else None,
    )
    if is_read and any(person not in names for person in labels):
        say(
            tr(
                "an id is shown for a person without a name in the league's vault: see "
                "`help league`"
            )
        )
    return is_read


def answer_as_json(
    headings: Sequence[AnswerColumn],
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
    few: int,
) -> Iterator[dict[str, object]]:
    """Yield the rows of an answer as programs get them."""
    keys = [each.name for each in headings]
    columns = [each for each in _columns(headings, {}, names, few) if each.only != "person"]
    for row in rows:
        record = dict(zip(keys, row, strict=True))
        yield {each.name: as_json(each.value_of(record)) for each in columns}


_MOVES = {
    "promoted": marked("promoted"),
    "relegated": marked("relegated"),
    "promotion tied": marked("promotion to be decided"),
    "relegation tied": marked("relegation to be decided"),
}
_TIES = {
    "qualify": marked(
        "{persons} share rank {rank}{division}, and {places} would qualify: all of them are marked"
    ),
    "promote": marked(
        "{persons} share rank {rank}{division}, and {places} can be promoted: a decision is needed"
    ),
    "relegate": marked(
        "{persons} share rank {rank}{division}, and {places} must be relegated: a decision is "
        "needed"
    ),
}


def status_in_words(row: SeasonRow) -> str:
    """Say whether a person qualified, and goes up or down."""
    words = [tr("qualified")] if row.qualified else []
    if row.move:
        words.append(tr(_MOVES[row.move]))
    return ", ".join(words)


def ties_in_words(table: Championship) -> list[str]:
    """Say which borders of a table run through persons of one rank."""
    return [
        tr(
            _TIES[tie.border],
            persons=how_many(tie.persons, "person"),
            rank=tie.rank,
            division=f" ({tie.division})" if tie.division else "",
            places=in_figures(tie.places),
        )
        for tie in table.ties
    ]


def place_as_json(row: SeasonRow, names: Mapping[str, str]) -> dict[str, object]:
    """Return a row of a season's table as programs get it."""
    return {**msgspec.to_builtins(row), "name": names.get(row.person)}


def called_by(by: str) -> dict[str, str]:
    """Return what the column of groups is called if they are made by an attribute."""
    from projections.season.grouping.groups import attribute_in, name_of

    if not by:
        return {}
    name = visible(name_of(by))
    return {"group": name, **({"faction": name} if attribute_in(by) else {})}


def groups_in_words(seen: SeenGroups) -> str:
    """Say by which rules groups are named, which are one, and how many entries have none."""
    from projections.season.grouping.groups import DIGEST_LETTERS

    parts = []
    if seen.rules:
        digests = ", ".join(digest[:DIGEST_LETTERS] for digest in seen.rules)
        parts.append(tr("named by rules {digests}", digests=digests))
    if seen.small:
        parts.append(
            tr(
                "other: {groups} with fewer than five persons, or folded with such groups",
                groups=how_many(len(seen.small), "group"),
            )
        )
    entries, none, closed = seen.given
    about = {
        "entries": in_figures(entries),
        "none": in_figures(none),
        "closed": in_figures(closed),
    }
    if closed:
        parts.append(
            tr(
                "not counted: {none} of {entries} entries not given, {closed} not disclosed",
                **about,
            )
        )
    elif none:
        parts.append(tr("not counted: {none} of {entries} entries not given", **about))
    return "; ".join(parts)


def _columns(
    headings: Sequence[AnswerColumn],
    labels: Mapping[str, str],
    names: Mapping[str, str],
    few: int,
    called: Mapping[str, str] = NOTHING,
) -> list[Column]:
    columns = list(answer_columns(headings, labels, names, called))
    return [*columns, for_program("few_games", partial(is_few, few))] if few else columns


def is_few(few: int, row: Row) -> bool:
    """Whether a row rests on fewer games than that."""
    games = row["games"]
    return not isinstance(games, int) or games < few


def few_of(question: Question, typed: str) -> int:
    """Return below how many games a row is grey: as typed, else as the question says; 0: none.

    UsageError where rows rest on no games.
    """
    if typed and not question.minimum:
        name = question.name or _in_a_line(question.title)
        raise UsageError(
            tr(
                "--min-games is only for rows that count games: the rows of {name} do not",
                name=name,
            )
        )
    return whole_or_none("--min-games", typed) or question.minimum


def _in_a_line(title: str) -> str:
    return title.lower() if language() == ENGLISH else tr(title)


def with_few(said: str, few: int, headings: Sequence[AnswerColumn], rows: Rows) -> str:
    """Return a line with the number of rows that have few games; the line itself without any."""
    if not few:
        return said
    place = [each.name for each in headings].index("games")
    count = sum(is_few(few, {"games": row[place]}) for row in rows)
    if not count:
        return said
    return tr(
        "{said}; {count} with fewer than {few} games (--min-games)",
        said=said,
        count=in_figures(count),
        few=few,
    )


def answer_columns(
    headings: Sequence[AnswerColumn],
    labels: Mapping[str, str],
    names: Mapping[str, str],
    called: Mapping[str, str] = NOTHING,
) -> Iterator[Column]:
    """Yield the columns; those of numbers give way, the last ones first.

    `called`: titles of columns that have another one than their name.
    """
    yields = 0
    for heading in headings:
        is_long = heading.unit in LONG
        yield Column(
            called.get(heading.name) or heading.name.replace("_", " "),
            right=not is_long and heading.unit != "day",
            flexible=is_long,
            yields=0 if is_long else yields,
            key=heading.name,
            text=partial(_text, heading, labels),
        )
        yields += not is_long
        if heading.unit == "person":
            yield for_program(f"{heading.name}_name", partial(_name, heading.name, names))


def _name(key: str, names: Mapping[str, str], row: Row) -> str | None:
    return names.get(str(row[key]))


def _labels(
    headings: Sequence[AnswerColumn], rows: Sequence[Sequence[object]], names: Mapping[str, str]
) -> Mapping[str, str]:
    from projections.season.for_readers import labels_of

    places = [place for place, column in enumerate(headings) if column.unit == "person"]
    persons = (row[place] for row in rows for place in places)
    return labels_of((str(person) for person in persons if person is not None), names)


def _text(heading: AnswerColumn, labels: Mapping[str, str], row: Row) -> str:
    value = row[heading.name]
    if value is None:
        return "-"
    if heading.unit == "person":
        return labels[str(value)]
    if isinstance(value, int | float) and heading.unit != "text":
        return f"{value:{_FORMATS.get(heading.unit, ',')}}"
    return as_text(value)


_ASKED = (
    ("ruleset", marked("of {word}"), marked("Of {word}")),
    ("tier", marked("of {word}"), marked("Of {word}")),
    ("first", marked("from {word}"), marked("From {word}")),
    ("last", marked("to {word}"), marked("To {word}")),
    ("by", marked("by {word}"), marked("By {word}")),
)
"""How a filter is said, and how it is said at the beginning of a line."""


def tournaments_in_words(filters: Filters, seen: Extent) -> str:
    """Which tournaments were looked at, and how many they are."""
    from projections.season.grouping.groups import name_of

    words = {**filters.given(), "by": visible(name_of(filters.by))}
    filtered = [(word, *texts) for name, *texts in _ASKED if (word := words.get(name))]
    parts = [
        tr(text if place else first, word=word)
        for place, (word, text, first) in enumerate(filtered)
    ]
    days = ""
    if seen.first:
        days = tr(", {first} to {last}", first=seen.first, last=seen.last)
        days = days if seen.last != seen.first else f", {seen.first}"
    return tr(
        "{asked}: {tournaments}, {games} played{days}",
        asked=" ".join(parts) or tr("The whole season"),
        tournaments=how_many(seen.tournaments, "tournament"),
        games=how_many(seen.games, "game"),
        days=days,
    )


def rows_in_words(shown: int, count: int, thing: str) -> str:
    """What is added to that where a picture is of the first rows alone."""
    return f"; {first_of(shown, count, thing)}" if shown < count else ""


def draw(
    path: Path,
    question: Question,
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
    of: str,
    few: int = 0,
) -> None:
    """Draw an answer into a file, with what was looked at; Refused of what has no picture."""
    from projections.season.charts import Subject, chart, write_plot

    if question.plot is None:
        name = question.name or phrase(question.title)
        raise Refused(phrase("{name} has no picture: it is easier to read as a table", name=name))
    called = {person: visible(name) for person, name in names.items()}
    subject = Subject(called, visible(of), few)
    write_plot(path, chart(question, question.plot, drawable(rows), subject))


def drawable(rows: Rows) -> Rows:
    """Make texts visible: what draws ends the whole program over a control character."""
    return [[visible(each) if isinstance(each, str) else each for each in row] for row in rows]

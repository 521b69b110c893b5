"""Groups of entrants: by faction, or by an attribute that an import or an organizer kept.

A question that reads factions gets the attribute in their place, in the view of `entrants` that it
reads. Any other question is asked of each group separately, with the group as a first column: what
belongs to an entrant counts for the entrants of the group; what belongs to a table counts if one
of the group sits there, and what belongs to a round or a tournament if one of them takes part.
People and schedules stay whole: they say who sat opposite, and with whom a player is compared.

The SQL here is read by DuckDB and, translated, by Spark; both show each table as a view of its name.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from ledger.errors import NotFound, Refused
from ledger.lines.texts import DAMAGED, FORGOTTEN, UNOPENED
from ledger.problems import marked, phrase
from ledger.rulesets.toml_files import nearest
from projections.season.tables.definitions import AnswerColumn, Question, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FACTION = "faction"
ATTRIBUTE = "attribute:"
"""Stands before the name of an attribute that is called like a column."""

OTHER = marked("other")
"""The label of the groups that are too small, folded into one; a group of that name is in it."""

NOT_DISCLOSED = (UNOPENED, FORGOTTEN, DAMAGED)
"""Labels of rows whose attribute is sealed, or cannot be read any more."""

ALSO, RULES = " (also)", " (rules)"
"""End the names of attributes about an archetype: what else fits a list, and by which file."""

ENTRANTS = "entrants"

SEEN = r"[^\s\p{Z}\p{C}]"
"""A label has at least one character that is seen."""


DIGEST_LETTERS = 8
"""Number of characters shown of a digest."""


def attribute_in(by: str) -> str:
    """Return the attribute that groups are made by; empty for the faction or if there are none."""
    return "" if by == FACTION else by.removeprefix(ATTRIBUTE)


def name_of(by: str) -> str:
    """Return the displayed name of a kind of groups."""
    return attribute_in(by) or by


def attributes_of(connection: DuckDBPyConnection) -> list[str]:
    """List the names of the attributes that the entrants have whom a connection sees."""
    query = "SELECT DISTINCT unnest(map_keys(attributes)) AS name FROM entrants ORDER BY name"
    names = [name for (name,) in connection.execute(query).fetchall()]
    return [name for name in names if not name.endswith((ALSO, RULES))]


def rules_of(connection: DuckDBPyConnection, by: str) -> list[str]:
    """List the digests of the archetype files that named the groups which a connection sees.

    Raises:
        Refused: two files named lists of one game.
    """
    name = attribute_in(by)
    if not name:
        return []
    rows = connection.execute(
        f"SELECT DISTINCT ruleset, format, attributes[{_text(name + RULES)}] AS digest "  # noqa: S608 - our own names, quoted
        "FROM entrants JOIN tournaments USING (tournament) WHERE digest IS NOT NULL ORDER BY ALL"
    ).fetchall()
    for (ruleset, _), digests in groupby(rows, itemgetter(0, 1)):
        several = [digest[:DIGEST_LETTERS] for _, _, digest in digests]
        if len(several) > 1:
            raise Refused(
                phrase(
                    "lists of {ruleset} were named by {number} archetype files ({digests}): add "
                    "their logs again with one of them, or choose tournaments of one",
                    ruleset=ruleset,
                    number=len(several),
                    digests=", ".join(several),
                )
            )
    return sorted({digest for _, _, digest in rows})


def refuse_unknown(connection: DuckDBPyConnection, by: str) -> None:
    """Refuse the name of an attribute that no entrant has.

    Raises:
        NotFound: the text names the attributes that there are.
    """
    name = attribute_in(by)
    if not name:
        return
    attributes = attributes_of(connection)
    if name not in attributes:
        near = (
            nearest(name, attributes) if attributes else "no entrant of the season has an attribute"
        )
        raise NotFound(
            phrase("no entrant has an attribute {name}; {near}", name=f"{name!r}", near=near)
        )


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))


def _label(by: str) -> str:
    """Return what gives the label of an entrant, as SQL; empty: not given, or not disclosed."""
    name = attribute_in(by)
    if not name:
        return FACTION
    value = f"attributes[{_text(name)}]"
    closed = ", ".join(map(_text, NOT_DISCLOSED))
    return (
        f"CASE WHEN {value} IN ({closed}) OR NOT regexp_matches({value}, {_text(SEEN)}) "
        f"THEN '' ELSE coalesce({value}, '') END"
    )


FOLDED = "folded"
CHOSEN = "chosen"
GROUPED = "grouped_entrants"
"""The entrants of all groups, each with the label of its group."""

OF_GROUP, AT_TABLES, IN_ROUNDS, THERE = "of_group", "at_tables", "in_rounds", "there_of_group"
OF_RULINGS, OF_EVENTS = "of_rulings", "of_events"

_KEYS = {
    "entrants": (OF_GROUP, "tournament, player"),
    "departures": (OF_GROUP, "tournament, player"),
    "standings": (OF_GROUP, "tournament, player"),
    "cuts": (OF_GROUP, "tournament, player"),
    "penalties": (OF_GROUP, "tournament, player"),
    "lists": (OF_GROUP, "tournament, player"),
    "matches": (AT_TABLES, "tournament, match"),
    "results": (AT_TABLES, "tournament, match"),
    "corrections": (AT_TABLES, "tournament, match"),
    "disputes": (AT_TABLES, "tournament, match"),
    "setups": (AT_TABLES, "tournament, match"),
    "rounds": (IN_ROUNDS, "tournament, round"),
    "clocks": (IN_ROUNDS, "tournament, round"),
    "rulings": (OF_RULINGS, "tournament, seq"),
    "events": (OF_EVENTS, "tournament, seq"),
}
"""By table what of it belongs to a group, and by which columns; of others, the tournaments."""

_RESULTS = "('ResultReported', 'ResultCorrected')"


class GroupPart(NamedTuple):
    """A set of rows that belong to a group: its name, the tables that it reads, and its SQL."""

    name: str
    reads: frozenset[str]
    asked: str


def parts_of_group(source: str) -> Iterator[GroupPart]:
    """Yield the rows that belong to the group `$group`, each part from the parts before.

    `source` is what the name of a whole table is written as: `"season".main.{}`.
    """

    def part(name: str, *reads: str, asked: str) -> GroupPart:
        named = {table: source.format(table) for table in reads}
        return GroupPart(name, frozenset(reads), asked.format(**named))

    # Of the view of entrants, which is narrowed and has the label.
    yield GroupPart(
        OF_GROUP,
        frozenset(),
        f"SELECT tournament, player FROM {GROUPED} WHERE {FACTION} = $group",  # noqa: S608 - our own names
    )
    yield GroupPart(THERE, frozenset(), f"SELECT DISTINCT tournament FROM {OF_GROUP}")  # noqa: S608 - our own names
    yield part(
        AT_TABLES,
        "matches",
        asked="SELECT matches.tournament, matches.match, matches.round, matches.void "  # noqa: S608 - our own names
        f"FROM {{matches}} AS matches JOIN {OF_GROUP} AS own "
        "ON own.tournament = matches.tournament AND own.player = matches.player1 "
        "UNION SELECT matches.tournament, matches.match, matches.round, matches.void "
        f"FROM {{matches}} AS matches JOIN {OF_GROUP} AS own "
        "ON own.tournament = matches.tournament AND own.player = matches.player2",
    )
    yield GroupPart(
        IN_ROUNDS,
        frozenset({"matches"}),
        f"SELECT DISTINCT tournament, round FROM {AT_TABLES} WHERE void = FALSE",  # noqa: S608 - our own names
    )
    yield part(
        OF_RULINGS,
        "rulings",
        asked=f"SELECT tournament, seq FROM {{rulings}} SEMI JOIN {AT_TABLES} "  # noqa: S608 - our own names
        "USING (tournament, match) "
        f"UNION SELECT tournament, seq FROM {{rulings}} SEMI JOIN {OF_GROUP} "
        "USING (tournament, player)",
    )
    yield part(
        OF_EVENTS,
        *("events", "results", "corrections"),
        asked=f"SELECT tournament, seq FROM {{results}} SEMI JOIN {AT_TABLES} "  # noqa: S608 - our own names
        "USING (tournament, match) "
        f"UNION SELECT tournament, seq FROM {{corrections}} SEMI JOIN {AT_TABLES} "
        "USING (tournament, match) "
        f"UNION SELECT tournament, corrects FROM {{corrections}} SEMI JOIN {AT_TABLES} "
        "USING (tournament, match) "
        f"UNION SELECT tournament, seq FROM {{events}} WHERE type NOT IN {_RESULTS}",
    )


def needs(table: str) -> frozenset[str]:
    """Return the tables that decide which rows of a table belong to a group."""
    part, _ = _KEYS.get(table, (THERE, ""))
    reads = {part.name: part.reads for part in parts_of_group("{}")}
    return reads[part] | {"matches", ENTRANTS}


def shown(
    table: str,
    source: str,
    by: str = "",
    *,
    chosen: bool = False,
    folded: bool = False,
    of_group: bool = False,
) -> str:
    """Return what a connection sees of a table, as SQL.

    Args:
        table: the table's name.
        source: what the name of a whole table is written as.
        by: what groups are made by.
        chosen: only the tournaments of the table `chosen`.
        folded: small groups are folded, as the table `folded` lists them by game and label.
        of_group: only what belongs to the group that `parts_of_group` chose.
    """
    (definition,) = (candidate for candidate in tables() if candidate.name == table)
    names = [column.name for column in definition.columns]
    if of_group and table == ENTRANTS:
        listed = ", ".join(names)
        return f"SELECT {listed} FROM {GROUPED} SEMI JOIN {OF_GROUP} USING (tournament, player)"  # noqa: S608 - our own
    relabelled = table == ENTRANTS and (attribute_in(by) or folded)
    columns = [
        f"{_label(by)} AS {FACTION}" if relabelled and name == FACTION else name for name in names
    ]
    rows = f"SELECT {', '.join(columns)} FROM {source.format(table)}"  # noqa: S608 - our own names
    if chosen:
        rows += f" SEMI JOIN {CHOSEN} USING (tournament)"
    if of_group:
        part, keys = _KEYS.get(table, (THERE, "tournament"))
        rows = (
            f"SELECT {', '.join(names)} FROM ({rows}) AS every_row "  # noqa: S608 - our own names
            f"SEMI JOIN {part} USING ({keys})"
        )
    if table == ENTRANTS and folded:
        listed = ", ".join(
            f"CASE WHEN {FOLDED}.label IS NULL THEN entered.{name} ELSE '{OTHER}' END AS {name}"
            if name == FACTION
            else f"entered.{name}"
            for name in names
        )
        rows = (
            f"SELECT {listed} FROM ({rows}) AS entered "  # noqa: S608 - our own names
            f"JOIN {source.format('tournaments')} AS held ON held.tournament = entered.tournament "
            f"LEFT JOIN {FOLDED} ON {FOLDED}.ruleset = held.ruleset "
            f"AND {FOLDED}.label = entered.{FACTION}"
        )
    return rows


GROUPS_MAX = 200
"""Maximum number of groups that a question is asked of separately."""

LABELS = (
    "SELECT DISTINCT faction FROM entrants "
    "WHERE faction != '' AND status IS DISTINCT FROM 'withdrawn' ORDER BY faction"
)
"""SQL that lists the groups that a connection sees."""


def few_enough(labels: list[str]) -> list[str]:
    """Return the labels of groups, by which a question is asked of each.

    Raises:
        Refused: there are more than a question can be asked of.
    """
    if len(labels) > GROUPS_MAX:
        raise Refused(
            phrase(
                "there are {groups} groups: a question without groups in it can be asked of at "
                "most {most}; choose one game, or another attribute",
                groups=f"{len(labels):,}",
                most=GROUPS_MAX,
            )
        )
    return sorted(labels)


GROUP = AnswerColumn("group", "text", marked("the group that the row is about"))


def reads_groups(question: Question) -> bool:
    """Return whether a question tells groups apart by itself."""
    return any(column.name == FACTION for column in question.columns)


def with_a_group(question: Question, rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the rows that are about a group: no picture has those who gave none."""
    names = [column.name for column in question.columns]
    if FACTION not in names:
        return list(rows)
    place = names.index(FACTION)
    return [row for row in rows if row[place]]


def of_each_group(question: Question) -> Question:
    """Return the question for each group separately, with the group as its first column."""
    plot = question.plot
    if plot is not None:
        has_parts = plot.kind in _IN_PARTS
        plot = msgspec.structs.replace(plot, facet=GROUP.name) if has_parts else None
    return msgspec.structs.replace(
        question,
        columns=(GROUP, *question.columns),
        order="ALL" if question.order == "ALL" else f'"{GROUP.name}", {question.order}',
        plot=plot,
    )


_IN_PARTS: Collection[Literal["intervals", "grid", "bars", "lines"]] = (
    *("intervals", "grid", "bars", "lines"),
)
"""Kinds of charts that have a part for each value of a column."""


class EntriesGiven(NamedTuple):
    """Number of entries with a label, without one, and with one that is not disclosed."""

    entries: int
    not_given: int
    not_disclosed: int


def given_by(connection: DuckDBPyConnection, by: str, ruleset: str = "") -> EntriesGiven:
    """Count the entries that a connection sees by whether they have a label.

    Withdrawn registrations do not count. `ruleset`: only of that game.
    """
    name = attribute_in(by)
    value = f"coalesce(attributes[{_text(name)}], '')" if name else FACTION
    closed = f"{value} IN ({', '.join(map(_text, NOT_DISCLOSED))})" if name else "FALSE"
    none = f"NOT regexp_matches({value}, {_text(SEEN)})" if name else f"{FACTION} = ''"
    rows = connection.execute(
        f"SELECT count(*), count(*) FILTER ({none}), count(*) FILTER ({closed}) "  # noqa: S608 - our own names, quoted
        "FROM entrants JOIN tournaments USING (tournament) "
        "WHERE status IS DISTINCT FROM 'withdrawn' AND $ruleset IN ('', ruleset)",
        {"ruleset": ruleset},
    ).fetchone()
    return EntriesGiven(*rows or (0, 0, 0))

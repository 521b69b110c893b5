"""Which tournaments of a season are looked at: by game, day and tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import NotFound
from ledger.problems import problem, remedy
from ledger.rulesets.toml_files import nearest
from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_CONDITIONS = {
    "ruleset": "ruleset = $ruleset",
    "tier": "tier = $tier",
    "first": "held_on >= $first::DATE",
    "last": "held_on <= $last::DATE",
}

ENTRANTS = "entrants"
_LABELLED = "REPLACE (coalesce(attributes['{}'], '') AS faction)"


class Filters(Struct, frozen=True):
    """What a tournament must be to be looked at; days as YYYY-MM-DD, empty where any will do.

    `by`: the attribute that is taken for an entrant's faction; empty: the faction itself.
    """

    ruleset: str = ""
    tier: str = ""
    first: str = ""
    last: str = ""
    by: str = ""

    def in_words(self) -> str:
        """What was asked for; empty where everything was."""
        words = (
            ("of", self.ruleset),
            ("of", self.tier),
            ("from", self.first),
            ("to", self.last),
            ("by", self.by),
        )
        return " ".join(f"{before} {word}" for before, word in words if word)

    def given(self) -> dict[str, str]:
        """What a tournament must be, by the names in `chosen_by`."""
        words = msgspec.structs.asdict(self)
        return {name: words[name] for name in _CONDITIONS if words[name]}


def chosen_by(filters: Filters) -> str:
    """Return what chooses the tournaments that are looked at, as SQL."""
    conditions = " AND ".join(_CONDITIONS[name] for name in filters.given())
    return f"SELECT tournament FROM tournaments WHERE {conditions or 'TRUE'}"  # noqa: S608 - our own


class Extent(Struct, frozen=True):
    """How much a connection sees: tournaments, games played, and the days between which."""

    tournaments: int
    games: int
    first: str
    last: str


def extent(connection: DuckDBPyConnection) -> Extent:
    """Count what is looked at; the days are empty where no tournament has one."""
    found = connection.execute(
        "SELECT count(*), (SELECT count(*) FROM results WHERE met), "
        "coalesce(min(held_on)::VARCHAR, ''), coalesce(max(held_on)::VARCHAR, '') FROM tournaments"
    ).fetchone()
    return Extent(*found or (0, 0, "", ""))


def rulesets_of(connection: DuckDBPyConnection) -> list[str]:
    """List the games that a connection sees, by the keys of their rulesets."""
    return _distinct(connection, "ruleset")


def _distinct(connection: DuckDBPyConnection, column: str) -> list[str]:
    asked = f"SELECT DISTINCT {column} FROM tournaments ORDER BY {column}"  # noqa: S608 - our own name
    return [each for (each,) in connection.execute(asked).fetchall()]


def narrow(connection: DuckDBPyConnection, filters: Filters) -> None:
    """Let a connection see only these tournaments, in every table; the file stays as it is.

    Views of the tables' own names stand before them, so that no question knows of a filter.

    Raises:
        NotFound: the season holds no tournament, or none that fits; the text says what it holds.
    """
    _refuse_unknown(connection, "ruleset", filters.ruleset)
    _refuse_unknown(connection, "tier", filters.tier)
    _refuse_unknown_attribute(connection, filters.by)
    if filters == Filters():
        return
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    by = filters.by
    chosen = f"CREATE OR REPLACE TEMP TABLE chosen AS {chosen_by(filters)}"
    connection.execute(chosen, filters.given())
    if connection.execute("SELECT count(*) FROM chosen").fetchone() == (0,):
        found = connection.execute("SELECT min(held_on), max(held_on) FROM tournaments").fetchone()
        none, (begins, ends) = filters.in_words(), found or (None, None)
        raise NotFound(f"the season has no tournament {none}: it goes from {begins} to {ends}")
    quoted = season.replace('"', '""')
    for table in tables():
        columns = (
            "* " + _LABELLED.format(by.replace("'", "''")) if by and table.name == ENTRANTS else "*"
        )
        connection.execute(
            f"CREATE OR REPLACE TEMP VIEW {table.name} AS SELECT {columns} "  # noqa: S608 - our own
            f'FROM "{quoted}".main.{table.name} SEMI JOIN chosen USING (tournament)'
        )


def _refuse_unknown_attribute(connection: DuckDBPyConnection, name: str) -> None:
    """Refuse the name of an attribute that no entrant has."""
    if not name:
        return
    asked = "SELECT DISTINCT unnest(map_keys(attributes)) AS name FROM entrants ORDER BY name"
    known = [each for (each,) in connection.execute(asked).fetchall()]
    if name not in known:
        near = nearest(name, known) if known else "no entrant of the season has any"
        raise NotFound(f"no entrant has an attribute {name!r}; {near}")


def _refuse_unknown(connection: DuckDBPyConnection, column: str, word: str) -> None:
    """Refuse a word that no tournament has in a column, and an empty season."""
    known = _distinct(connection, column)
    if not known:
        text, adding = "the season has no tournament yet", remedy("season.add")
        raise NotFound(problem("season.empty", text, remedy=adding))
    if word and word not in known:
        near = nearest(word, known)
        raise NotFound(f"no tournament of the season is of {column} {word!r}; {near}")

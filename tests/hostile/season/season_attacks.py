"""What a stranger can put into a season's file, so that opening it runs something of theirs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from pathlib import Path

KEPT = {"season_format": "version", "aliases": "person", "leaves": "hashes"}
"""The tables next to those of the schema, each with the column that shows what a view reads."""

MACROS = {
    "coalesce_all": "(a)",  # a name that nothing calls
    "contains": "(a, b)",
    "count": "(a)",
    "current_database": "()",
    "greatest": "(a, b)",
    "list_contains": "(a, b)",
    "lower": "(a)",
    "map_keys": "(a)",
    "max": "(a)",
    "min": "(a)",
    "regexp_extract": "(a, b, c)",
    "regexp_full_match": "(a, b)",
    "round": "(a)",
    "split_part": "(a, b, c)",
    "sqrt": "(a)",
    "starts_with": "(a, b)",
    "sum": "(a)",
    "to_json": "(a)",
    "wilson_low": "(a, b)",
    "tiebreaker": "(a, b)",
}
"""Functions that a macro replaces in every statement that looks into the file first."""

TABLE_MACROS = {
    "duckdb_columns": "()",
    "duckdb_functions": "()",
    "duckdb_tables": "()",
    "duckdb_views": "()",
    "faction_scores": "(a)",
    "read_json": "(a)",
    "read_parquet": "(a)",
}

VIEWS = ("first_days", "games", "stats_factions", "stats_head_to_head")


class Attack(NamedTuple):
    """An attack: its name, and the statements that put it into a file.

    {canary} in a statement is the path of a secret file.
    """

    name: str
    statements: tuple[str, ...]
    storage: str = ""
    """The version of the file's form, if the statements need another one."""

    in_log: bool = False
    """Whether the statements remain in the log of writes next to the file."""

    def applied(self, season: Path, to: Path, canary: Path) -> Path:
        """Write the season with the attack in it."""
        if self.storage:
            self._copied(season, to)
        else:
            shutil.copy(season, to)
        with duckdb.connect(str(to)) as connection:
            if self.in_log:
                connection.execute("PRAGMA disable_checkpoint_on_shutdown")
            for statement in self.statements:
                connection.execute(statement.replace("{canary}", str(canary)))
        return to

    def _copied(self, season: Path, to: Path) -> None:
        with duckdb.connect() as connection:
            connection.execute(f"ATTACH '{season}' AS season (READ_ONLY)")
            connection.execute(f"ATTACH '{to}' AS other (STORAGE_VERSION '{self.storage}')")
            connection.execute("COPY FROM DATABASE season TO other")


_READ = "(SELECT content FROM read_text('{canary}'))"


def _views() -> list[Attack]:
    columns = {table.name: table.columns[0].name for table in tables()}
    attacks = [
        Attack(
            f"view {table}",
            (
                f"ALTER TABLE {table} RENAME TO taken",
                (
                    f"CREATE VIEW {table} AS FROM taken "
                    f"SELECT * REPLACE ({column} || {_READ} AS {column})"
                ),
            ),
        )
        for table, column in (columns | {"aliases": "person", "checked_by": "release"}).items()
    ]
    version = f"CREATE VIEW season_format AS SELECT (8 + 0 * length({_READ}))::INTEGER AS version"
    hashes = f"CREATE VIEW leaves AS SELECT tournament, piece, {_READ}::BLOB AS hashes FROM taken"
    return [
        *attacks,
        Attack("view season_format", ("DROP TABLE season_format", version)),
        Attack("view leaves", ("ALTER TABLE leaves RENAME TO taken", hashes)),
    ]


def attacks() -> list[Attack]:
    """List every attack."""
    return [
        *_views(),
        *(
            Attack(f"view {view}", (f"CREATE OR REPLACE VIEW {view} AS SELECT {_READ} AS faction",))
            for view in VIEWS
        ),
        *(
            Attack(f"macro {name}", (f"CREATE OR REPLACE MACRO {name}{given} AS {_READ}",))
            for name, given in MACROS.items()
        ),
        *(
            Attack(
                f"table macro {name}",
                ((f"CREATE OR REPLACE MACRO {name}{given} AS TABLE FROM read_text('{{canary}}')"),),
            )
            for name, given in TABLE_MACROS.items()
        ),
        *_OTHERS,
        *_VALUES,
    ]


_OTHERS = (
    Attack(
        "generated column",
        (
            "CREATE TABLE other AS FROM stages",
            "DROP TABLE stages",
            (
                "CREATE TABLE stages (tournament VARCHAR NOT NULL, stage INTEGER NOT NULL, "
                "kind VARCHAR NOT NULL, rounds INTEGER NOT NULL, entry VARCHAR NOT NULL, "
                "size INTEGER NOT NULL, carries BOOLEAN NOT NULL, "
                "rematch VARCHAR GENERATED ALWAYS AS (upper(kind)))"
            ),
        ),
    ),
    Attack(
        "default",
        (
            "CREATE SEQUENCE numbers",
            "ALTER TABLE aliases ALTER COLUMN person SET DEFAULT nextval('numbers')::VARCHAR",
        ),
    ),
    Attack(
        "check constraint",
        (
            "DROP TABLE aliases",
            (
                "CREATE TABLE aliases (tournament VARCHAR NOT NULL, league_id VARCHAR NOT NULL, "
                "person VARCHAR NOT NULL CHECK (length(person) > 5))"
            ),
        ),
    ),
    Attack("index on an expression", ("CREATE INDEX cast_ids ON entrants ((lower(faction)))",)),
    Attack(
        "enumerated type",
        (
            "CREATE TYPE tiers AS ENUM ('relaxed', 'formal', 'premier')",
            "ALTER TABLE tournaments ALTER COLUMN tier TYPE tiers",
        ),
    ),
    Attack(
        "tables in another schema",
        (
            "CREATE SCHEMA other",
            f"CREATE VIEW other.tournaments AS SELECT {_READ} AS tournament",
            f"CREATE VIEW other.people AS SELECT {_READ} AS person",
        ),
    ),
    Attack("column more", ("ALTER TABLE tournaments ADD COLUMN more VARCHAR",)),
    Attack("column less", ("ALTER TABLE results DROP COLUMN ending",)),
    Attack("column of another type", ("ALTER TABLE standings ALTER points TYPE VARCHAR",)),
    Attack("table less", ("DROP TABLE events",)),
    Attack("two versions", ("INSERT INTO season_format VALUES (8)",)),
    Attack("no version", ("DELETE FROM season_format",)),
    Attack("later version", ("UPDATE season_format SET version = 9",)),
    Attack(
        "trigger",
        (
            "CREATE TABLE landed (word VARCHAR)",
            (
                "CREATE TRIGGER added AFTER INSERT ON tournaments FOR EACH STATEMENT "
                "INSERT INTO landed SELECT content FROM read_text('{canary}')"
            ),
        ),
        storage="v2.0.0",
    ),
    Attack(
        "view in the log of writes",
        (
            "ALTER TABLE tournaments RENAME TO taken",
            f"CREATE VIEW tournaments AS SELECT * REPLACE ({_READ} AS name) FROM taken",
        ),
        in_log=True,
    ),
    Attack("macro in the log of writes", (f"CREATE MACRO lower(a) AS {_READ}",), in_log=True),
)

_VALUES = (
    Attack(
        "SQL in an id",
        (
            (
                "UPDATE tournaments SET tournament = ''' UNION ALL SELECT content FROM "
                "read_text(''{canary}'') --'"
            ),
        ),
    ),
    Attack("path in an id", ("UPDATE tournaments SET tournament = '../../escaped'",)),
    Attack("path in a root", ("UPDATE tournaments SET root = '/../../escaped'",)),
    Attack("day without end", ("UPDATE tournaments SET held_on = 'infinity'",)),
    Attack("day before all", ("UPDATE tournaments SET held_on = '5877642-06-25 (BC)'",)),
    Attack("moment without end", ("UPDATE tournaments SET opened_at = '-infinity'",)),
    Attack("largest numbers", ("UPDATE results SET points1 = 2147483647, points2 = -2147483648",)),
    Attack("largest sizes", ("UPDATE tournaments SET size = 2147483647, entrants = -1",)),
    Attack("largest ranks", ("UPDATE entrants SET random_rank = 9223372036854775807",)),
    Attack("control characters", ("UPDATE tournaments SET name = chr(27) || '[2J' || chr(0)",)),
    Attack("markup", ("UPDATE tournaments SET name = '<script>alert(1)</script>'",)),
    Attack("unknown words", ("UPDATE tournaments SET tier = 'x', ruleset = '', structure = '?'",)),
    Attack("unknown records", ("UPDATE results SET record1 = '', record2 = 'WW'",)),
    Attack("no players", ("DELETE FROM entrants", "DELETE FROM people")),
    Attack("players twice", ("INSERT INTO entrants FROM entrants",)),
    Attack("players of nowhere", ("UPDATE entrants SET player = -player",)),
    Attack("no fractions", ("UPDATE standings SET tiebreakers = 'SOS 1/0 ESOS x/y'",)),
    Attack("hashes cut short", ("UPDATE leaves SET hashes = hashes[1:5]",)),
    Attack("persons of no form", ("UPDATE people SET person = '../' || person",)),
)

"""What a stranger can put into a SQLite file, so that opening it runs something of theirs."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
"""What never ends if it is read to the end."""

LARGE = "hex(zeroblob(300000000))"
"""What takes 900 MB if it is worked out."""


class Attack(NamedTuple):
    """An attack: its name, and what puts it into a file for the table {table}.

    {columns} are the names of the table's columns, {first} the first of them.
    """

    name: str
    script: str
    is_schema: bool = True
    """Whether the schema shows it; else the schema is the genuine one, and values are not."""

    def applied(self, file: Path, table: str) -> None:
        """Put the attack into a file."""
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            query = "SELECT sql FROM sqlite_master WHERE name = ?"
            (text,) = database.execute(query, (table,)).fetchone()
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            words = {
                "{loose}": _loosened(text).replace(f"TABLE {table}", "TABLE loose", 1),
                "{text}": text.replace("'", "''"),
                "{columns}": ", ".join(columns),
                "{first}": columns[0],
                "{last}": columns[-1],
                "{count}": str(len(columns)),
            }
            script = self.script
            for word, value in words.items():
                script = script.replace(word, value)
            script = script.replace("{table}", table)
            for name, value in VALUES.items():
                others = "'x'" if name == "nothing" else value  # a key is never nothing
                row = ", ".join([*[others] * (len(columns) - 1), value])
                script = script.replace(f"[{name}]", row)
            database.executescript(script)


VALUES = {
    "bytes": "x'ff00ff'",
    "text": "CAST(x'ff00ff' AS TEXT)",
    "number": "9000000",
    "nothing": "NULL",
}


def _loosened(text: str) -> str:
    """Return the words of a table whose columns take any value."""
    types = "" if "WITHOUT ROWID" in text else "|(INTEGER )?PRIMARY KEY"
    return re.sub(rf"\bSTRICT\b,?|\bNOT NULL\b{types}", "", text)


def _with_values(name: str, values: str) -> Attack:
    """Put values of other types into a table, and its genuine words back into the schema."""
    return Attack(
        name,
        "PRAGMA ignore_check_constraints = ON;"
        "{loose};"
        "INSERT INTO loose SELECT * FROM {table};"
        f"INSERT INTO loose VALUES ([{values}]);"
        "DROP TABLE {table}; ALTER TABLE loose RENAME TO {table};"
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = '{text}' WHERE name = '{table}';"
        "PRAGMA writable_schema = RESET",
        is_schema=False,
    )


ATTACKS = (
    Attack(
        "view in the place of a table",
        "ALTER TABLE {table} RENAME TO taken;"
        "CREATE VIEW {table} ({columns}) AS SELECT * FROM taken",
    ),
    Attack(
        "view without an end",
        "ALTER TABLE {table} RENAME TO taken;"
        f"CREATE VIEW {{table}} ({{columns}}) AS {ENDLESS} SELECT t.* FROM taken t, n",
    ),
    Attack("view of another name", "CREATE VIEW other AS SELECT * FROM {table}"),
    Attack(
        "view written to by a trigger",
        "ALTER TABLE {table} RENAME TO taken;"
        "CREATE VIEW {table} AS SELECT * FROM taken;"
        "CREATE TRIGGER into_it INSTEAD OF INSERT ON {table} BEGIN DELETE FROM taken; END",
    ),
    Attack(
        "trigger that deletes",
        "CREATE TRIGGER landed AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    ),
    Attack(
        "trigger that ignores",
        "CREATE TRIGGER ignored BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END",
    ),
    Attack(
        "trigger without an end",
        "CREATE TRIGGER slow BEFORE INSERT ON {table} BEGIN "
        f"SELECT count(*) FROM ({ENDLESS} SELECT i FROM n); END",
    ),
    Attack("index on an expression", "CREATE INDEX large ON {table} (length({first}))"),
    Attack("index on a part", "CREATE INDEX part ON {table} ({first}) WHERE {first} IS NOT NULL"),
    Attack(
        "computed column",
        f"ALTER TABLE {{table}} ADD COLUMN more TEXT AS ({LARGE}) VIRTUAL",
    ),
    Attack("column more", "ALTER TABLE {table} ADD COLUMN more TEXT"),
    Attack("column of another name", "ALTER TABLE {table} RENAME COLUMN {last} TO other"),
    Attack("table more", "CREATE TABLE more (word TEXT)"),
    Attack("virtual table", "CREATE VIRTUAL TABLE more USING fts5(word)"),
    Attack(
        "virtual table in the place of a table",
        "ALTER TABLE {table} RENAME TO taken;"
        "CREATE VIRTUAL TABLE {table} USING fts5({last}, other)",
    ),
    Attack(
        "check that is worked out",
        "ALTER TABLE {table} RENAME TO taken;"
        f"CREATE TABLE {{table}} ({{columns}}, CHECK (length({LARGE}) > 0))",
    ),
    Attack(
        "view named as the schema",
        "PRAGMA writable_schema = ON;"
        "INSERT INTO sqlite_master VALUES ('view', 'sqlite_schema', 'sqlite_schema', 0, "
        "'CREATE VIEW sqlite_schema AS SELECT ''table'' AS type');"
        "PRAGMA writable_schema = RESET",
    ),
    Attack(
        "schema that no one can read",
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = 'CREATE TABLE {table} (' WHERE name = '{table}'",
    ),
    Attack(
        "table on the pages of the schema",
        "PRAGMA writable_schema = ON;UPDATE sqlite_master SET rootpage = 1 WHERE name = '{table}'",
        is_schema=False,
    ),
    _with_values("bytes where texts are", "bytes"),
    _with_values("texts that are no UTF-8", "text"),
    _with_values("numbers where texts are", "number"),
    _with_values("nothing where texts are", "nothing"),
    Attack("no table", "DROP TABLE {table}", is_schema=False),
    Attack(
        "no rows",
        "PRAGMA writable_schema = ON;"
        "DELETE FROM sqlite_master WHERE type = 'trigger';"
        "PRAGMA writable_schema = RESET;"
        "DELETE FROM {table}",
        is_schema=False,
    ),
)

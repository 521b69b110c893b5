"""The page of the season's tables, from `schema.sql`: `python -m tests.support.season_tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.season.tables.definitions import tables
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = ROOT / "projections" / "season" / "README.md"

HEAD = """\
# The season's tables

One DuckDB file holds a season. Every table is keyed by the tournament first; join on `tournament`,
and on `player`, `match` or `round` within it. Players, matches, rounds and stages have the log's
own numbers; `seq` is an event's place in its log. Moments are a desk's claim, in UTC; lengths are
whole minutes, where they do not say seconds. `people` tells who an entrant is across tournaments,
by pseudonym. No table holds a player's name, or a reason, ruling or note of a log; `attributes` are
what an organizer chose to keep. The order of rows is nothing to rely on: ask with ORDER BY.

`tourney query "SELECT ..."` reads the tables; any tool that opens a `.duckdb` file does, too, and
finds these meanings in it. There `games` has two rows for each game, one from either side, with
person, faction, opponent, score and day; and each question of `tourney stats` is a view:
`FROM stats_factions`, `FROM stats_head_to_head`. A tool that attaches the file says `USE` first.
This page is made from `schema.sql` by `python -m tests.support.season_tables`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_sections()]) + "\n"


def _sections() -> Iterator[str]:
    for table in tables():
        yield f"## {table.name}\n\n{table.about}\n"
        yield "| column | type | meaning |\n| --- | --- | --- |"
        for column in table.columns:
            kind = column.type.removesuffix(" NOT NULL")
            yield f"| `{column.name}` | {kind} | {column.meaning} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page().rstrip("\n") + "\n", "utf-8")

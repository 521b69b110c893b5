"""Appending behind a known head: one statement waits, compares, and inserts or says what is missed.

Every statement of the function has its own view, so what the last holder of the lock committed is
seen. The lock is of the advisory kind: it also stands for a stream that has no row yet, and under
load it is handed on faster than a row's; who decides inside the lock holds the same one. The lock
on the table keeps readers of the library's notifications from passing over an event of a slower
writer.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from psycopg.rows import tuple_row

from ledger.store.mapping import frontier_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from psycopg import Connection
    from psycopg.rows import DictRow

    from ledger.proof.formats import Tree
    from ledger.store.base import Entry

BATCH_EVENTS = 2_000
"""Lines of one statement: at most 60,000 bytes each, far from the server's limit of 1 GB."""

FUNCTION = """
    CREATE FUNCTION {schema}.tourney_append_1(
        of_stream text, known bigint, head bytea, grown bytea, topics text[], lines bytea[]
    ) RETURNS TABLE (now_size bigint, now_head bytea, line bytea) LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended(of_stream, hashtext({name})));
            IF known = 0 THEN
                INSERT INTO {schema}.tourney_streams (stream, size, frontier)
                VALUES (of_stream, cardinality(lines), grown) ON CONFLICT (stream) DO NOTHING;
            ELSE
                UPDATE {schema}.tourney_streams
                SET size = known + cardinality(lines), frontier = grown
                WHERE stream = of_stream AND size = known AND frontier = head;
            END IF;
            IF NOT FOUND THEN
                RETURN QUERY SELECT coalesce(size, 0), coalesce(frontier, ''), state
                FROM (VALUES (1)) AS always LEFT JOIN {schema}.tourney_streams ON stream = of_stream
                    LEFT JOIN {schema}.tourney_events
                    ON originator_id = stream AND originator_version > known
                ORDER BY originator_version;
                RETURN;
            END IF;
            LOCK TABLE {schema}.tourney_events IN EXCLUSIVE MODE;
            INSERT INTO {schema}.tourney_events (originator_id, originator_version, topic, state)
            SELECT of_stream, known + place, entry.topic, entry.line
            FROM unnest(topics, lines) WITH ORDINALITY AS entry (topic, line, place);
            NOTIFY tourney_events;
        END
    $body$
"""
"""Under another name where it says something else: desks of two releases share one store."""

APPEND = "SELECT * FROM {schema}.tourney_append_1(%b, %b, %b, %b, %b, %b)"


def append(
    connection: Connection[DictRow],
    statement: bytes,
    stream: str,
    tree: Tree,
    entries: Sequence[Entry],
) -> list[tuple[Any, ...]]:
    """Write behind a tree, which grows: one round trip, mostly, and all of it or nothing.

    Returns rows of what is there where the tree is the head no more, and nothing was written.
    """
    with connection.transaction() if len(entries) > BATCH_EVENTS else nullcontext():
        for start in range(0, len(entries), BATCH_EVENTS):
            known, head, batch = tree.size, frontier_of(tree), entries[start : start + BATCH_EVENTS]
            topics, lines = [topic for topic, _ in batch], [line for _, line in batch]
            values = (stream, known, head, frontier_of(tree.add_lines(lines)), topics, lines)
            cursor = connection.cursor(row_factory=tuple_row, binary=True)
            if found := cursor.execute(statement, values).fetchall():
                return found
    return []

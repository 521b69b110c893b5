"""What of a log was held to the rules before, so that it is only hashed and folded now.

A log is what its lines hash to: where the first lines have the root of a log that this release has
checked, they are that log. Another release may have had other rules, and what came from a store, an
archive or another season's parts was never checked here: none of them counts. A signed head says
whose log it is, and not that it keeps the rules: it counts where a load asks for that and a policy
accepts it, and what was taken so has not been checked for the next time.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger import VERSION
from ledger.proof.formats import HASH_BYTES
from projections.season.loading.signed_prefix import SignedPrefix, beginning, root_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class CheckedBefore(Struct, frozen=True):
    """How many events of a tournament were checked, and the root over their lines."""

    size: int
    root: str


class KnownChecks(Struct, frozen=True):
    """What counts as checked: logs by their tournaments, and with `by_head` accepted heads."""

    logs: Mapping[str, CheckedBefore] = MappingProxyType({})
    by_head: bool = False

    def beside(self, logs: Mapping[str, CheckedBefore]) -> KnownChecks:
        """Let these logs count as well."""
        return KnownChecks({**self.logs, **logs}, self.by_head)

    def events_checked(self, stream: str, leaves: bytes, root: str) -> int:
        """Return how many of a log's first events were checked, by the hashes of its lines.

        `root` is the one over all of them.
        """
        before = self.logs.get(stream)
        if before is None or before.size * HASH_BYTES > len(leaves):
            return 0
        is_whole = before.size * HASH_BYTES == len(leaves)
        found = root if is_whole else root_of(beginning(leaves, before.size))
        return before.size if found == before.root else 0

    def events_accepted(self, signed: SignedPrefix) -> int:
        """Return how many of them an accepted head vouches for, where that counts."""
        return signed.size if self.by_head and signed.by and signed.by_policy else 0


NOTHING_KNOWN = KnownChecks()


def checked_in(connection: DuckDBPyConnection, kept_in: str = "") -> dict[str, CheckedBefore]:
    """Read what a season says of the logs that this release has checked.

    `kept_in` stands before the names of its tables.
    """
    found = connection.execute(
        f"SELECT tournament, size, root FROM {kept_in}tournaments "  # noqa: S608 - our own name
        f"JOIN {kept_in}checked_by USING (tournament) WHERE release = $release",
        {"release": VERSION},
    ).fetchall()
    return {stream: CheckedBefore(size, root) for stream, size, root in found}

"""The other desk's backup: of the same tournament, with a common beginning, and vouched for.

A backup comes from outside. It is held to what a restored one is held to: every line to the rules,
its tree to its root and to its signed head. What the other desk added has to be covered by a key
that the common beginning knows, or that such a key signed for: whoever copied the store could write
lines and name a key of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.books.open_log import taken
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.exchange.restoring import Restoring, vouched_text
from ledger.files.access import one_line
from ledger.lines.line import decoded
from ledger.lines.sealing import Seals
from ledger.problems import problem
from ledger.proof.formats import Invalid, is_signed, leaf_hash
from ledger.proof.heads import Comparison, HeadWaiver
from ledger.proof.signatures import LOG, followed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.lines.recorded import Recorded
    from ledger.proof.signatures import Held
    from ledger.rules.references import Ranking
    from ledger.store.backup import Backup, Saved


class OtherLog(NamedTuple):
    """Their log: its events, its lines as they stand, and how many lines both logs begin with."""

    events: Sequence[Recorded]
    lines: Sequence[bytes]
    common: int
    unsigned: str = ""
    """Why nobody known vouches for what they added; empty where somebody does."""


def other_log(backup: Backup, stream: str, ours: Sequence[bytes], ranking: Ranking) -> OtherLog:
    """Read the other desk's log out of its backup, behind the lines of ours.

    Raises:
        InvalidLog: the backup is not whole, or what is wrong with it.
        NotFound: there is no such file, or it has no copy of this tournament.
        Refused: the two logs have no common beginning.
    """
    Restoring(backup, ranking).examine()
    saved = next((each for each in backup.tournaments() if each.stream == stream), None)
    if saved is None:
        text = "{file} has no copy of this tournament ({tournament})"
        file, log = str(backup.path), stream[:8]
        raise NotFound(problem("merge.other_tournament", text, file=file, tournament=log))
    for _ in backup.tournaments():
        pass  # read to its end: only then it is known who signed it as a whole
    common = common_lines(ours, saved.lines)
    if not common:
        text = "{file} and the store have no common beginning of this tournament"
        raise Refused(problem("merge.nothing_common", text, file=str(backup.path)))
    events = list(decoded(saved.lines, Seals(stream, saved.secrets).open))
    return OtherLog(events, saved.lines, common, _unsigned(backup, saved, common))


def common_lines(ours: Sequence[bytes], theirs: Sequence[bytes]) -> int:
    """Count the lines that two logs begin with."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    differing = (place for place, (one, other) in pairs if one != other)
    return next(differing, min(len(ours), len(theirs)))


def _unsigned(backup: Backup, saved: Saved, common: int) -> str:
    """Say why no key that both logs know covers what they added; empty where one does."""
    if common == len(saved.lines):
        return ""
    known = _known_keys(saved, common)
    if not known:
        return ""  # the log has no key: nobody signs its heads
    text = vouched_text(saved.stream, backup.digest)
    signature = backup.vouchers.signed.get(saved.stream, b"")
    if signature and any(is_signed(public, signature, text) for public in known):
        return ""
    compared = Comparison(saved.head or None, HeadWaiver("refused unless it is accepted"))
    try:
        for line in saved.lines:
            compared.take(line, leaf_hash(line))
        compared.settle(saved.stream, known)
    except Invalid as error:
        return one_line(str(error))
    first = max(common, len(saved.lines) - compared.uncovered) + 1
    if first > len(saved.lines):
        return ""
    return f"no signed head covers its lines {first} to {len(saved.lines)}"


def _known_keys(saved: Saved, common: int) -> Mapping[bytes, Held]:
    """Return the log's own keys that both logs know, and those that such keys signed for."""
    before = taken(saved.lines[:common]).keys
    now = taken(saved.lines).keys
    pinned = [each.public for each in before.values() if each.holder == LOG]
    known = {*pinned, *followed(now, pinned)}
    return {public: held for public, held in now.items() if public in known}


def refuse_unsigned(other: OtherLog, file: str) -> None:
    """Refuse what nobody vouches for.

    Raises:
        InvalidLog: it says why nobody known does.
    """
    if other.unsigned:
        text = (
            "{file}: {why}; nothing was merged; make the backup again on a computer with the log's "
            "key, or merge with --unsigned REASON"
        )
        raise InvalidLog(problem("merge.unsigned", text, file=file, why=other.unsigned))

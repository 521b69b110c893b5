"""Read the other desk's log from its backup, and check its beginning and its signature.

A backup comes from outside. It is checked like a backup that is restored: every line against the
rules, the tree against its root and its signed head. Any lines that the other desk added must be
covered by a key of the common beginning, or by a key for which such a key signed. Without this
check a person with a copy of the store could write lines and name a new key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.books.open_log import taken
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.exchange.restoring import Restoring, vouched_text
from ledger.files.access import one_line
from ledger.lines.line import decoded
from ledger.lines.sealing import Seals
from ledger.problems import Phrase, marked, phrase, problem
from ledger.proof.formats import Invalid, is_signed, leaf_hash
from ledger.proof.heads import Comparison, HeadWaiver
from ledger.proof.signatures import LOG, TAKEN_OVER, followed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.lines.recorded import Recorded
    from ledger.proof.signatures import Held
    from ledger.rules.references import Ranking
    from ledger.store.backup import Backup, Saved


class OtherLog(NamedTuple):
    """The other log: its events, its lines as stored, and the number of common lines."""

    events: Sequence[Recorded]
    lines: Sequence[bytes]
    common: int
    unsigned: str | Phrase = ""
    """Reason that the added lines are not vouched for; empty if a known key vouches for them."""


def other_log(backup: Backup, stream: str, ours: Sequence[bytes], ranking: Ranking) -> OtherLog:
    """Read the other desk's log out of its backup, behind the lines of ours.

    Raises:
        InvalidLog: the backup is incomplete or damaged.
        NotFound: there is no such file, or it has no copy of this tournament.
        Refused: the two logs have no common beginning.
    """
    Restoring(backup, ranking).examine()
    saved = next((copy for copy in backup.tournaments() if copy.stream == stream), None)
    if saved is None:
        text = marked("{file} has no copy of this tournament ({tournament})")
        file, log = str(backup.path), stream[:8]
        raise NotFound(problem("merge.other_tournament", text, file=file, tournament=log))
    for _ in backup.tournaments():
        pass  # read to its end: only then it is known who signed it as a whole
    common = common_lines(ours, saved.lines)
    if not common:
        text = marked("{file} and the store have no common beginning of this tournament")
        raise Refused(problem("merge.nothing_common", text, file=str(backup.path)))
    events = list(decoded(saved.lines, Seals(stream, saved.secrets).open))
    return OtherLog(events, saved.lines, common, _unsigned(backup, saved, common, ours))


def common_lines(ours: Sequence[bytes], theirs: Sequence[bytes]) -> int:
    """Count the lines that two logs begin with."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    differing = (place for place, (our_line, their_line) in pairs if our_line != their_line)
    return next(differing, min(len(ours), len(theirs)))


def _unsigned(backup: Backup, saved: Saved, common: int, ours: Sequence[bytes]) -> str | Phrase:
    """Return why no key that both logs know covers the added lines; empty if a key does."""
    has_key = bool(_log_keys(taken(saved.lines[:common]).keys))  # else no head has a signature
    if common == len(saved.lines) or not has_key:
        return ""
    keys = _known_keys(saved, common, ours)
    if not keys:
        return phrase("its key was revoked here")
    text = vouched_text(saved.stream, backup.digest)
    signature = backup.vouchers.signed.get(saved.stream, b"")
    if signature and any(is_signed(public, signature, text) for public in keys):
        return ""
    compared = Comparison(saved.head or None, HeadWaiver("refused unless it is accepted"))
    try:
        for line in saved.lines:
            compared.take(line, leaf_hash(line))
        compared.settle(saved.stream, keys)
    except Invalid as error:
        return one_line(str(error))
    first = max(common, len(saved.lines) - compared.uncovered) + 1
    if first > len(saved.lines):
        return ""
    return phrase(
        "no signed head covers its lines {first} to {last}", first=first, last=len(saved.lines)
    )


def _known_keys(saved: Saved, common: int, ours: Sequence[bytes]) -> Mapping[bytes, Held]:
    """Return the log's own keys that both logs know, and those that such keys signed for.

    A key that was revoked here counts no more: whoever has it may be a thief. The key of a desk
    from which another one took over still counts: it may have gone on, not knowing of that.
    """
    here = taken(ours).keys
    pinned = [
        public
        for public in _log_keys(taken(saved.lines[:common]).keys)
        if not (until := here[public].until) or _TAKEN_OVER in ours[until - 1]
    ]
    now = taken(saved.lines).keys
    trusted = {*pinned, *followed(now, pinned)}
    return {public: key for public, key in now.items() if public in trusted}


_TAKEN_OVER = f'"type":"{TAKEN_OVER}"'.encode()


def _log_keys(keys: Mapping[bytes, Held]) -> list[bytes]:
    return [public for public, key in keys.items() if key.holder == LOG]


def refuse_unsigned(other: OtherLog, file: str) -> None:
    """Refuse a log with added lines that are not vouched for.

    Raises:
        InvalidLog: no known key vouches for the lines; the message states the reason.
    """
    if other.unsigned:
        text = marked(
            "{file}: {why}; nothing was merged; make the backup again on a computer with the log's "
            "key, or merge with --unsigned REASON"
        )
        raise InvalidLog(problem("merge.unsigned", text, file=file, why=other.unsigned))

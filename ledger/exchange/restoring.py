"""A backup taken into a store: an import that brings its secrets with it.

Every line is held to what a line from outside is held to, from the first one on, and the tree to
the head that the backup carries, before there is a store. A log here and the one in the backup have
to begin alike; the rest of a longer one is appended. A secret is taken where it is the one that the
lines commit to and the one here is not; none is destroyed but of those whom the log has forgotten.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.books.forgetting import covered
from ledger.books.open_log import taken
from ledger.books.unsigned_lines import UnsignedLines, from_backup, with_note
from ledger.books.vault import worth_taking
from ledger.errors import InvalidLog, OtherWire, Refused, StoreUnavailable
from ledger.exchange.log_files import Replay, replay_lines
from ledger.facts.people import PersonForgotten
from ledger.facts.vocabulary import names_of
from ledger.files.access import one_line
from ledger.lines.line import decode
from ledger.problems import marked, phrase, problem
from ledger.proof.formats import Invalid, is_signed, leaf_hash
from ledger.proof.heads import Comparison, HeadWaiver
from ledger.proof.signatures import encoded, origin_of

if TYPE_CHECKING:
    from ledger.proof.signatures import Held
    from ledger.rules.references import Ranking
    from ledger.store import Store
    from ledger.store.backup import Backup, Saved
    from ledger.store.base import Entry

NOTHING = marked("nothing was restored")

NoteOf = Callable[[int, int], UnsignedLines]
"""Returns the note that events, from one to another, are restored unsigned now."""


def vouched_text(stream: str, digest: bytes) -> bytes:
    """Return the text that a log's key signs for a backup that has its log."""
    return encoded("backup", stream, f"{digest.hex()}\n".encode())


def mac_of(key: bytes, digest: bytes) -> bytes:
    """Return the seal of a desk's own key on a backup."""
    return hmac.digest(key, vouched_text("", digest), "sha256")


class Restoring:
    """A backup on its way into a store: first examined, then compared, then taken."""

    def __init__(self, backup: Backup, ranking: Ranking, note_of: NoteOf | None = None) -> None:
        self._backup, self._ranking = backup, ranking
        self._note_of = note_of
        """Notes events that no signed head covers; without it they are refused."""

        self._covered: dict[str, int] = {}
        self._examined: dict[str, bytes] = {}
        self.heads: dict[str, bytes] = {}
        """The highest signed head of each log that has one, held to its lines."""

        self.signed: list[str] = []
        """The tournaments whose log's key signed the backup."""

    def examine(self) -> None:
        """Hold everything in the backup to the rules, without a store.

        Raises:
            InvalidLog: the backup is not whole, or what is wrong with it.
            NotFound: there is no such file.
        """
        keys: dict[str, Mapping[bytes, Held]] = {}
        for saved in self._backup.tournaments():
            keys[saved.stream] = self._replayed(saved).tournament.keys
            self._examined[saved.stream] = _digest(saved)
            if saved.head:
                self.heads[saved.stream] = saved.head
        signed = self._backup.vouchers.signed
        for stream, signature in signed.items():
            self._check_signature(stream, signature, keys.get(stream, {}))
            self._covered.pop(stream, None)
        self.signed = list(signed)

    @property
    def streams(self) -> list[str]:
        """The tournaments of the backup, once it was examined."""
        return list(self._examined)

    def compare(self, store: Store) -> None:
        """Hold the backup to the store, before anything of it is taken.

        Raises:
            Refused: the two have different histories, or nothing in an older backup is missing.
            InvalidLog: no signed head covers an event that would be added.
        """
        for saved in self._read_again():
            lines = store.lines(saved.stream)
            self._refuse_other_history(saved, lines)
            self._refuse_unsigned(saved, len(lines))
            self._notes(saved, len(lines), store.vault_items(saved.stream))
            if len(lines) > len(saved.lines) and not _wanted(store, saved, lines):
                older = phrase(
                    "{path} is older than the store: it has {count} events of {stream} instead of "
                    "{stored}; nothing was restored",
                    path=str(self._backup.path),
                    count=len(saved.lines),
                    stream=saved.stream,
                    stored=len(lines),
                )
                raise Refused(older)

    def take(self, store: Store) -> dict[str, int]:
        """Take what the store lacks; events added to each tournament. To be called last.

        Raises:
            Refused: another desk went on differently meanwhile.
        """
        return {saved.stream: self._take(store, saved) for saved in self._read_again()}

    def _replayed(self, saved: Saved) -> Replay:
        """Read a log of the backup as one from outside, and hold its tree to root and head."""
        where = f"{self._backup.path}, tournament {saved.stream[:8]}"
        try:
            replayed = replay_lines(where, saved.lines, self._ranking)
        except OtherWire:
            raise
        except InvalidLog as error:
            raise InvalidLog(
                phrase("{error}; nothing was restored: use an older backup", error=error.words)
            ) from None
        if len(replayed.entries) != len(saved.lines) or replayed.stream != saved.stream:
            raise InvalidLog(
                phrase("{where}: its lines are not the log of this tournament", where=where)
            )
        try:
            uncovered = _hold_to_head(saved, replayed.tournament.keys)
            if uncovered:
                self._covered[saved.stream] = len(saved.lines) - uncovered
        except Invalid as error:
            raise InvalidLog(
                phrase(
                    "{where}: {error}; nothing was restored",
                    where=where,
                    error=one_line(str(error)),
                )
            ) from None
        return replayed

    def _check_signature(self, stream: str, signature: bytes, keys: Mapping[bytes, Held]) -> None:
        own = [each.public for each in keys.values() if not each.holder and not each.until]
        text = vouched_text(stream, self._backup.digest)
        if not any(is_signed(public, signature, text) for public in own):
            changed = phrase(
                "{path} was changed after {origin} signed it; nothing was restored",
                path=str(self._backup.path),
                origin=origin_of(stream),
            )
            raise InvalidLog(changed)

    def _read_again(self) -> Iterator[Saved]:
        """Read the tournaments once more, each held to be what was examined."""
        for saved in self._backup.tournaments():
            if self._examined.get(saved.stream) != _digest(saved):
                changed = phrase(
                    "{path} changed while it was being read: restore it again",
                    path=str(self._backup.path),
                )
                raise StoreUnavailable(changed)
            yield saved

    def _refuse_other_history(self, saved: Saved, lines: Sequence[bytes]) -> None:
        pairs = zip(saved.lines, lines, strict=False)
        for seq, (there, here) in enumerate(pairs, start=1):
            if there != here:
                other = phrase(
                    "{path} and the store have different histories of {stream} from event {event} "
                    "on; nothing was restored",
                    path=str(self._backup.path),
                    stream=saved.stream,
                    event=seq,
                )
                raise Refused(other)

    def _unsigned(self, saved: Saved, stored: int) -> tuple[int, int] | None:
        """Return the first and the last new event that neither a head nor the backup covers."""
        first = max(self._covered.get(saved.stream, len(saved.lines)), stored) + 1
        return (first, len(saved.lines)) if first <= len(saved.lines) else None

    def refuse_unsigned(self) -> None:
        """Refuse, before a store is made, a backup with events that no signed head covers.

        Raises:
            InvalidLog: it has such events, and they may not be restored unsigned.
        """
        for saved in self._backup.tournaments() if self._covered else ():
            self._refuse_unsigned(saved, 0)

    def _refuse_unsigned(self, saved: Saved, stored: int) -> None:
        found = self._unsigned(saved, stored)
        if found is None or self._note_of is not None:
            return
        events = (
            phrase("event {event}", event=found[0])
            if found[0] == found[1]
            else phrase("events {first} to {last}", first=found[0], last=found[1])
        )
        text = marked(
            "{file}: no signed head covers {events} of tournament {tournament}; nothing was "
            "restored; make the backup again on the computer with the log's key, or restore "
            "with --unsigned REASON"
        )
        file, tournament = str(self._backup.path), saved.stream[:8]
        raise InvalidLog(
            problem("log.unsigned", text, file=file, events=events, tournament=tournament)
        )

    def _notes(self, saved: Saved, stored: int, here: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the notes of unsigned lines: of the backup, and of those that are added now."""
        notes = from_backup(saved.secrets, here, len(saved.lines))
        found = self._unsigned(saved, stored)
        if found is not None and self._note_of is not None:
            notes = with_note({**here, **notes}, self._note_of(*found))
        return notes

    def _take(self, store: Store, saved: Saved) -> int:
        def decide(lines: Sequence[bytes]) -> Sequence[Entry]:
            self._refuse_other_history(saved, lines)
            self._refuse_unsigned(saved, len(lines))
            wanted = _wanted(store, saved, lines)
            wanted |= self._notes(saved, len(lines), store.vault_items(saved.stream))
            if wanted:
                store.vault_put_all(saved.stream, wanted)
            return [(decode(line).type, line) for line in saved.lines[len(lines) :]]

        known = store.transact(saved.stream, 0, decide)
        _forget_again(store, saved.stream)
        return max(0, len(saved.lines) - len(known))


def _hold_to_head(saved: Saved, keys: Mapping[bytes, Held]) -> int:
    """Hold the lines' tree to the root and the signed head that the backup has; Invalid if not.

    Returns how many of its last lines no signed head covers.
    """
    compared = Comparison(saved.head or None, HeadWaiver("refused before it is restored"))
    for line in saved.lines:
        compared.take(line, leaf_hash(line))
    if compared.tree.root() != saved.root:
        raise Invalid("its lines were changed after the backup was made")
    compared.settle(saved.stream, keys)
    return compared.uncovered


def _digest(saved: Saved) -> bytes:
    """Hash what is taken of a tournament."""
    hashed = sha256(b"\n".join((saved.stream.encode(), *saved.lines)))
    for name, secret in saved.secrets.items():
        hashed.update(f"\n{len(name)} {len(secret)} {name}".encode() + secret)
    return hashed.digest()


def _wanted(store: Store, saved: Saved, lines: Sequence[bytes]) -> dict[str, bytes]:
    longer = lines if len(lines) > len(saved.lines) else saved.lines
    return worth_taking(longer, saved.secrets, store.vault_items(saved.stream))


def _forget_again(store: Store, stream: str) -> None:
    """Destroy the keys of those whom the log, as it is now, has forgotten."""
    if not store.lines_of(stream, names_of(PersonForgotten)):
        return
    lines = store.lines(stream)
    if names := covered(map(decode, lines), taken(lines)) & store.vault_items(stream).keys():
        store.vault_delete_all(stream, sorted(names))

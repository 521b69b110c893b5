"""Snapshots: the state of a long log at some of its events, so that no view folds it all.

encoding.py    a state as bytes and back
fingerprint.py which code made it

A snapshot is derived and can be deleted at any time. It stands in the store beside the lines, one
at every `EVERY` events, and is made by whoever folds past its place without one. It is bound to
the code that made it, the tournament, its place and the line there: one that is damaged, of other
code, of another log or past its end is passed over and made again. `verify`, `replay`, exports and
imports never read one.

In a log with sealed names the state has them open, so the snapshot is sealed with a key of its own
in the vault, which is destroyed with any other key: what was forgotten is in no snapshot that can
be read. That key is read before, or together with, the keys that open the lines; so a text whose
key is destroyed meanwhile is never sealed with a newer one. A snapshot names the keys that were
not there for it, and counts no more once one of them is.
"""

from __future__ import annotations

import hmac
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING
from typing import NamedTuple

from ledger.errors import InvalidLog
from ledger.errors import StoreUnavailable
from ledger.proof.seals import TEXT_STEP
from ledger.proof.seals import seal
from ledger.proof.seals import unseal
from ledger.snapshots.fingerprint import fingerprint
from ledger.store.base import SNAPSHOT_KEY

if TYPE_CHECKING:
    from ledger.sealing import Seals
    from ledger.snapshots.encoding import Unpacked
    from ledger.state import Tournament
    from ledger.store import Store

EVERY = 5_000
"""From one snapshot to the next, in events: what a view folds at most."""

BYTES_MAX = 64 << 20
"""The largest state that is kept; 100,000 events of a long day make 3 MB."""

_OPEN = b"\0"
_SEALED = b"\1"


class Snapshot(NamedTuple):
    """A state after the event whose line is `line`; `key` sealed it, empty where nothing did."""

    state: Unpacked
    line: bytes
    key: bytes


class Snapshots:
    """The snapshots of one tournament, in its store."""

    def __init__(self, store: Store, stream: str) -> None:
        self._store = store
        self._stream = stream
        self._made: dict[int, bytes] = {}

    def nearest(self, most: int) -> Snapshot | None:
        """Read the last snapshot after at most so many events that holds; None without one."""
        if most < EVERY:
            return None
        for seq in sorted(self._store.snapshot_seqs(self._stream), reverse=True):
            if seq <= most and (found := self._read(seq)) is not None:
                return found
        return None

    def make(self, tournament: Tournament, seals: Seals, line: bytes, key: bytes) -> None:
        """Make one of a state after `line`, sealed with `key` if its names are; see `keep`."""
        from ledger.snapshots.encoding import pack  # noqa: PLC0415 - 10 ms that a short log saves

        if seals.damaged or (tournament.is_sealed and not key):
            return
        with suppress(OSError):  # the code can not be read: it is in no folder
            bound = self._bound(tournament.seq, line)
            data = pack(tournament, seals)
            if len(data) > BYTES_MAX:
                return
            self._made[tournament.seq] = (
                _SEALED + seal(key, _DOMAIN, [bound.hex()], data, TEXT_STEP)
                if tournament.is_sealed
                else _OPEN + _digest(data, bound) + data
            )

    def keep(self) -> None:
        """Write down what was made, as far as the store takes it now."""
        made, self._made = self._made, {}
        if made:
            with suppress(StoreUnavailable):
                self._store.snapshot_put_all(self._stream, made)

    def _read(self, seq: int) -> Snapshot | None:
        from ledger.snapshots.encoding import unpack  # noqa: PLC0415 - as above

        try:
            ((_, line),) = self._store.entries(self._stream, seq - 1, 1)
            data = self._store.snapshot_get(self._stream, seq)
            key = b""
            if data.startswith(_SEALED):
                key = self._store.vault_get(self._stream, SNAPSHOT_KEY) or b""
            state = unpack(_opened(data, key, self._bound(seq, line)))
        except Exception:  # noqa: BLE001 - a damaged one can break anything, and is made again
            return None
        if state.tournament.is_sealed != bool(key):
            return None
        found = state.unopened and state.unopened & self._store.vault_items(self._stream).keys()
        return None if found else Snapshot(state, line, key)

    def _bound(self, seq: int, line: bytes) -> bytes:
        place = f"{self._stream}\n{seq}\n".encode()
        return fingerprint() + place + sha256(line).digest()


_DOMAIN = b"tourney snapshot"


def _opened(data: bytes, key: bytes, bound: bytes) -> bytes:
    """Return the packed state.

    Raises:
        InvalidLog: it is not what was written for this place.
    """
    if key:
        return unseal(key, _DOMAIN, [bound.hex()], data[1:], TEXT_STEP)
    digest, packed = data[1 : 1 + sha256().digest_size], data[1 + sha256().digest_size :]
    if not data.startswith(_OPEN) or digest != _digest(packed, bound):
        raise InvalidLog("no snapshot of this place")
    return packed


def _digest(data: bytes, bound: bytes) -> bytes:
    return hmac.digest(bound, data, "sha256")

"""A log with the secrets that it is written with: keys that seal its texts, and that draw."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from ledger.books.forgetting import covered
from ledger.books.link_secrets import browsers_of_ended
from ledger.books.open_log import OpenLog
from ledger.errors import Refused
from ledger.lines.line import decode, encode
from ledger.lines.sealing import Seals, key_name
from ledger.lines.texts import texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.books.vault import SecretKind
    from ledger.lines.recorded import Recorded
    from ledger.store import Store
    from ledger.tournament.state import CommittedKey, Tournament

    DrawKey: TypeAlias = Callable[[], bytes]


class SealedLog(OpenLog):
    """An open log, and its keys in the vault."""

    def __init__(self, store: Store, stream: str, draw_key: DrawKey | None = None) -> None:
        super().__init__(store, stream)
        self._draw_key = draw_key
        self._sealing = Seals(stream)
        self._fresh: dict[str, bytes] = {}
        self._is_vault_read = False
        self._secrets: dict[CommittedKey, bytes] = {}
        self._given: dict[str, bytes] = {}

    def destroy_forgotten(self) -> int:
        """Destroy every key that covers a forgotten person; return how many keys.

        The browsers of links that have ended are deleted, too.
        """
        names = covered(map(decode, self.lines), self.tournament)
        secrets = self.store.vault_items(self.stream)
        there = sorted(names & secrets.keys())
        browsers = browsers_of_ended(secrets, self.tournament.floor.links)
        if there or browsers:
            self.store.vault_delete_all(self.stream, [*there, *browsers])
        self._open_again()
        return len(there)

    def _keep_fresh(self) -> None:
        """Put the keys of what is sealed into the vault before the lines are in the store.

        A key without its line does no harm, and the same command finds it there again.
        """
        if self._fresh:
            self.store.vault_put_all(self.stream, self._fresh)
            self.seals.keys = {**self.seals.keys, **self._fresh}

    def _sealed(self, recorded: Recorded) -> Recorded:
        """Return the event as its line will have it; keys that the vault has not are drawn."""
        if not (self.tournament.is_sealed and texts(recorded.event)):
            return recorded
        encode(recorded)  # what cannot be written cannot be sealed
        missing = self._missing(recorded)
        if missing and not self._is_vault_read:
            self.seals.keys = self.store.vault_items(self.stream)
            self._is_vault_read = True
            missing = self._missing(recorded)
        self._fresh |= {name: self._drawn() for name in missing}
        name = key_name(recorded)
        self._sealing.keys = {name: self._fresh.get(name) or self.seals.keys[name]}
        return self._sealing.seal(recorded)

    def _missing(self, recorded: Recorded) -> list[str]:
        return [name for name in self.seals.missing([recorded]) if name not in self._fresh]

    def _drawn(self) -> bytes:
        assert self._draw_key is not None  # noqa: S101 - who writes in a sealed log has one
        return self._draw_key()

    def give(self, secret: bytes) -> None:
        """Hand in a key that is no item of the vault."""
        self._given[sha256(secret).hexdigest()] = secret

    def _secret(self, kind: SecretKind, tournament: Tournament) -> tuple[bytes, str, str]:
        """Read the key in use, held to its commitment; or say why it is missing, and who has it."""
        committed = kind.committed(tournament)
        if not committed:
            return self.store.vault_items(self.stream).get(kind.first, b""), "", ""
        used = committed[-1]
        if given := self._given.get(used.commitment) or kind.revealed(self.tournament, used):
            return given, "", ""
        if used not in self._secrets:
            secrets = self.store.vault_items(self.stream)
            problem = kind.problem(used, secrets)
            if problem:
                return b"", problem, kind.machine(used, secrets)
            self._secrets[used] = secrets[kind.name_of(used)]
        return self._secrets[used], "", ""

    def another_secret(self, kind: SecretKind, command_id: str) -> str:
        """Draw a key in place of a lost one, into the vault; returns its commitment; or Refused."""
        name = f"{kind.first}:{command_id}"
        secret = self.store.vault_get(self.stream, name)
        if secret is None:
            used = kind.committed(self.tournament)
            if used and not kind.problem(used[-1], self.store.vault_items(self.stream)):
                raise Refused(
                    f"the {kind.word} key that line {used[-1].seq} commits to is in this store: "
                    "there is nothing to replace"
                )
            secret = self._drawn()
            self.store.vault_put(self.stream, name, secret)
        return sha256(secret).hexdigest()

    def _as_written(self, seq: int) -> Recorded:
        """Return the event as its line has it, with its texts as they are sealed."""
        return decode(self.lines[seq - 1], lambda recorded: recorded)

"""How this machine seals backups and opens them, and what shows that it made one.

A backup is vouched for by the log's key where that is here, which anyone who has the log can check,
and by a key of this folder, `backup.key`, which nobody else can.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cli.keys.keyring import asked, folder, log_signer, new_passphrase, proving
from cli.keys.readers import reader_here, reader_named
from ledger.errors import InvalidLog
from ledger.store.backup import BY_PASSPHRASE, Backup, Seal, Vouchers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.exchange.restoring import Restoring
    from ledger.proof.notes import Signer

PURPOSE = "tourney backup"
KEY_BYTES = 32
_BEGINNING = "PRIVATE+BACKUP+"


def new_seal(*, passphrase: bool, reader: str) -> Seal | None:
    """Make what a new backup is sealed with, if it is; Refused, InvalidLog or NotFound."""
    from ledger.proof.ciphers import RANDOM_BYTES, lock, seal_for
    from ledger.proof.notes import base64_of

    key = os.urandom(KEY_BYTES)
    if reader:
        to = reader_named(reader)
        return Seal(to.id, key, base64_of(seal_for(to, key, PURPOSE.encode())).encode())
    if passphrase:
        phrase = new_passphrase("the backup")
        line = lock(key, phrase, PURPOSE, os.urandom(RANDOM_BYTES))
        return Seal(BY_PASSPHRASE, key, line.encode())
    return None


def unlocked_backup(to: str, line: bytes) -> bytes:
    """Open a backup's file key, by passphrase or a key here; InvalidLog, NotFound or Refused."""
    from ledger.proof.ciphers import check_locked, open_sealed, unlock
    from ledger.proof.formats import unbase64

    text = line.decode("ascii", "replace")
    with proving():
        if to == BY_PASSPHRASE:
            check_locked(text)
            return unlock(text, asked("passphrase of the backup: "), PURPOSE)
        sealed = unbase64(text, -1, "the sealed key of the backup")
        return open_sealed(reader_here(to), sealed, PURPOSE.encode())


def signers_of(keys: Mapping[str, frozenset[bytes]]) -> dict[str, Signer]:
    """Unlock the logs' keys here, each one that by `keys` signs now; or InvalidLog."""
    found = {stream: signer for stream in keys if (signer := log_signer(stream)) is not None}
    return {stream: signer for stream, signer in found.items() if signer.key.public in keys[stream]}


def vouchers(digest: bytes, signers: Mapping[str, Signer]) -> Vouchers:
    """Vouch for a backup with the logs' keys, and with this machine's own."""
    from ledger.exchange.restoring import mac_of, vouched_text
    from ledger.proof.notes import base64_of

    key = _own_key()
    signed = {each: made.sign(vouched_text(each, digest)) for each, made in signers.items()}
    return Vouchers(signed, f"{_id_of(key)} {base64_of(mac_of(key, digest))}")


def own_key_shows_it(backup: Backup) -> bool:
    """Whether this machine's key shows that it made the backup; InvalidLog if it changed since."""
    import hmac

    from ledger.exchange.restoring import mac_of
    from ledger.proof.notes import base64_of

    path = folder() / "backup.key"
    key_id, _, mac = backup.vouchers.mac.partition(" ")
    if not path.exists() or key_id != _id_of(key := _own_key()):
        return False
    if not hmac.compare_digest(mac.encode(), base64_of(mac_of(key, backup.digest)).encode()):
        raise InvalidLog(
            f"{backup.path} is not as this machine made it: it was changed since; nothing was "
            "restored"
        )
    return True


def shown_by(backup: Backup, restoring: Restoring, *, own: bool) -> str:
    """Say what shows who made a backup, and what nothing shows."""
    if own:
        return "it is as this machine made it"
    if restoring.signed:
        return "it is as the log's key signed it"
    if backup.sealed == BY_PASSPHRASE:
        return "it was sealed by somebody who knows its passphrase"
    who = (
        "anybody can seal one for your key" if backup.sealed else "its own check needs another key"
    )
    return f"nothing here shows who made it ({who}); every line and secret was checked"


def _own_key() -> bytes:
    """Read the key of this machine's backups; it is made with the first one."""
    from ledger.files.key_files import read_line, write_line
    from ledger.proof.formats import Invalid, unbase64
    from ledger.proof.notes import base64_of

    path = folder() / "backup.key"
    with proving(str(path)):
        if not path.exists():
            try:
                write_line(path, f"{_BEGINNING}{base64_of(os.urandom(KEY_BYTES))}")
            except Invalid:
                if not path.exists():  # else another command made it at this moment
                    raise
        text = read_line(path)
        if not text.startswith(_BEGINNING):
            raise Invalid("it is no key of backups")
        return unbase64(text.removeprefix(_BEGINNING), KEY_BYTES, "it")


def _id_of(key: bytes) -> str:
    from hashlib import sha256

    return sha256(b"tourney backup key\n" + key).hexdigest()[:8]

"""Keys that seal and open on this machine, of readers and backups; copies of a tournament.

A backup is vouched for by the log's key if that is here, which anyone who has the log can check,
and by a key of this folder, `backup.key`, which is on no other machine.

A copy of the tournament in hand is written after each round, to a folder of the person's choice. It
is a backup like any other, with its secrets, made by this machine's own key: no passphrase is asked
for. If it cannot be written, the act has landed all the same, and the desk gets the reason.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.languages.speaking import tr
from cli.machine.keyring import (
    asked,
    folder,
    log_signer,
    new_passphrase,
    opened_with,
    proving,
)
from cli.machine.last_heads import kept_note
from cli.terminal.output import say
from cli.terminal.problems import reason_of
from cli.terminal.visible import short_id
from ledger.errors import InvalidLog, LedgerError, NotFound
from ledger.files import landed
from ledger.problems import phrase
from ledger.store.backup import BY_PASSPHRASE, Backup, Seal, Vouchers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.exchange.restoring import Restoring
    from ledger.lines.recorded import Recorded
    from ledger.proof.ciphers import Reader, ReaderSecret
    from ledger.proof.notes import Signer
    from ledger.store import Store

BEGINNING = "reader-"
_FILE_BYTES_MAX = 1_024


def reader_path(key_id: str) -> Path:
    """Return the file of a reader's private key, by the id that files name it by."""
    return folder() / f"{BEGINNING}{key_id}.key"


def new_reader(name: str, passphrase: str) -> tuple[Path, Reader]:
    """Make a reader's key pair here, sealed with a passphrase if given; or InvalidLog."""
    from ledger.files.key_files import write_line
    from ledger.proof.ciphers import KEY_BYTES, RANDOM_BYTES, reader_secret

    with proving():
        secret = reader_secret(name, os.urandom(KEY_BYTES))
        path = reader_path(secret.reader.id)
        write_line(path, secret.text, passphrase, os.urandom(RANDOM_BYTES))
    landed.note_place(str(path))
    return path, secret.reader


def reader_named(typed: str) -> Reader:
    """Read a reader's public key: its text, or a file that holds it; NotFound or InvalidLog."""
    from ledger.files.access import first_bytes
    from ledger.proof.ciphers import PUBLIC, parse_reader

    text = typed.strip()
    if not text.startswith(PUBLIC) and "PRIVATE+" not in text:
        try:
            text = first_bytes(Path(typed), _FILE_BYTES_MAX).decode("utf-8", "replace").strip()
        except OSError as error:
            raise NotFound(
                phrase(
                    "{typed} is neither a reader's key ({public}…) nor a file with one: {reason}; "
                    "`tourney key new --reader NAME` makes one",
                    typed=typed,
                    public=PUBLIC,
                    reason=str(error.strerror),
                )
            ) from None
    with proving():
        return parse_reader(text)


def reader_here(key_id: str) -> ReaderSecret:
    """Read a reader's private key here, asking for its passphrase; NotFound, or InvalidLog."""
    from ledger.files.key_files import read_reader

    path = reader_path(key_id)
    if not path.exists():
        raise NotFound(
            phrase(
                "it is sealed for the reader's key {key}, which is not in {folder}",
                key=key_id,
                folder=str(folder()),
            )
        )
    return opened_with(path, read_reader)


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
        typed = new_passphrase(tr("the backup"))
        line = lock(key, typed, PURPOSE, os.urandom(RANDOM_BYTES))
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
            return unlock(text, asked(tr("passphrase of the backup: ")), PURPOSE)
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
            phrase(
                "{path} was changed since this computer made it; nothing was restored",
                path=str(backup.path),
            )
        )
    return True


def shown_by(backup: Backup, restoring: Restoring, *, own: bool) -> str:
    """Say what shows who made a backup, and what nothing shows."""
    if own:
        return tr("it is unchanged since this computer made it")
    if restoring.signed:
        return tr("it matches the signature of the log's key")
    if backup.sealed == BY_PASSPHRASE:
        return tr("it was sealed by a person who knows its passphrase")
    if backup.sealed:
        return tr(
            "nothing here shows who made it (anybody can seal a backup for your key); "
            "every line and secret was checked"
        )
    return tr(
        "nothing here shows who made it (only the computer that made it has the key that could "
        "show this); every line and secret was checked"
    )


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
            raise Invalid("it is not a backup key")
        return unbase64(text.removeprefix(_BEGINNING), KEY_BYTES, "it")


def _id_of(key: bytes) -> str:
    from hashlib import sha256

    return sha256(b"tourney backup key\n" + key).hexdigest()[:8]


AFTER = frozenset({"RoundClosed", "TournamentFinished"})
"""The events after which a copy is made."""


def copy_after_round(store: Store, stream: str, folder: str, recorded: Iterable[Recorded]) -> None:
    """Write a copy where a round was closed, or play was; say where it is, or why it is not."""
    if not folder or not any(each.type in AFTER for each in recorded):
        return
    file = Path(folder) / f"{short_id(stream)}-{store.size(stream):05}.backup"
    try:
        write_copy(store, stream, file)
    except (LedgerError, OSError) as error:
        why = getattr(error, "strerror", "") or reason_of(error)
        say(
            tr(
                "no copy was written to {folder}: {why}; your act has landed",
                folder=folder,
                why=why,
            )
        )
    else:
        say(tr("copy: {file}; it holds the secrets of the draws, keep it private", file=file))


def write_copy(store: Store, stream: str, file: Path) -> None:
    """Write one tournament with its secrets; LedgerError or OSError where that is impossible."""
    from ledger.store.backup import save

    if not file.parent.is_dir():
        raise OSError(2, tr("no such folder"))
    save(
        store,
        str(file),
        [stream],
        heads=partial(kept_note, store),
        vouch=lambda digest: vouchers(digest, {}),
        seal=None,
    )

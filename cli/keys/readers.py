"""Keys of readers on this machine, and readers as they are named on the line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cli.keys.keyring import folder, opened_with, proving
from ledger.errors import NotFound
from ledger.files import landed

if TYPE_CHECKING:
    from ledger.proof.ciphers import Reader, ReaderSecret

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
                f"{typed} is neither a reader's key ({PUBLIC}…) nor a file with one:"
                f" {error.strerror}; `tourney key new --reader NAME` makes one"
            ) from None
    with proving():
        return parse_reader(text)


def reader_here(key_id: str) -> ReaderSecret:
    """Read a reader's private key here, asking for its passphrase; NotFound, or InvalidLog."""
    from ledger.files.key_files import read_reader

    path = reader_path(key_id)
    if not path.exists():
        raise NotFound(f"it is sealed for the reader's key {key_id}, which is not in {folder()}")
    return opened_with(path, read_reader)

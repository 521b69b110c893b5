"""Private keys as files on the machine of their holder: nobody else may read them.

A file is one line: a private key as Go's note package writes it, or a reader's, or JSON with that
line sealed with a passphrase (passphrases.py). A file that others may read is not used.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ledger.files.access import make_private_folder, whole_file
from ledger.files.system import guard_secret, is_open_to_others, rename_file
from ledger.proof import ciphers
from ledger.proof.ciphers import ReaderSecret, parse_reader_secret
from ledger.proof.formats import Invalid, opened
from ledger.proof.notes import Signer, parse_private, private_text

T = TypeVar("T")

PURPOSE = "tourney key"
LOCKED = "{"
"""How a file begins whose key is sealed with a passphrase."""

_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
"""What a file system answers that knows no second name for a file."""


def write_key(path: Path, signer: Signer, passphrase: str = "", random: bytes = b"") -> None:
    """Write a private key to a new file, for its owner alone, perhaps sealed; or Invalid."""
    write_line(path, private_text(signer), passphrase, random)


def is_sealed(path: Path) -> bool:
    """Whether a key needs its passphrase; Invalid for a file that none opens."""
    text = _read(path)
    if not text.startswith(LOCKED):
        return False
    try:
        ciphers.check_locked(text)
    except Invalid as error:
        raise Invalid(f"{path} is not a key file: {error}") from None
    return True


def read_key(path: Path, passphrase: str = "") -> Signer:
    """Read a private key; Invalid if it is missing, damaged, open to others or stays sealed."""
    return _read_as(parse_private, path, passphrase)


def read_reader(path: Path, passphrase: str = "") -> ReaderSecret:
    """Read a reader's private key; raises as `read_key`."""
    return _read_as(parse_reader_secret, path, passphrase)


def _read_as(parse: Callable[[str], T], path: Path, passphrase: str) -> T:
    text = read_line(path, passphrase)
    try:
        return parse(text)
    except Invalid as error:
        raise error.within(str(path)) from None


def write_line(path: Path, text: str, passphrase: str = "", random: bytes = b"") -> None:
    """Write the line of a key to a new file, as `write_key`."""
    if passphrase:
        text = ciphers.lock(text.encode(), passphrase, PURPOSE, random)
    try:
        make_private_folder(path.parent)
        with whole_file(path, _name, is_secret=True) as file:
            file.write(f"{text}\n".encode("ascii"))
    except FileExistsError:
        raise Invalid(f"there is already a key at {path}") from None
    except OSError as error:
        raise Invalid(f"the key cannot be written to {path}: {error.strerror}") from None


def _name(draft: Path, path: Path) -> None:
    """Give a draft its name, which no other file has."""
    try:
        os.link(draft, path)  # unlike a new name for the draft it takes nobody else's place
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError from None
        rename_file(draft, path)


def read_line(path: Path, passphrase: str = "") -> str:
    """Return the line of a key file, opened with its passphrase where it needs one."""
    if not is_sealed(path):
        return _read(path)
    if not passphrase:
        raise Invalid(f"the key at {path} needs its passphrase")
    try:
        return ciphers.unlock(_read(path), passphrase, PURPOSE).decode("ascii", "replace")
    except ciphers.WrongPassphrase:
        raise Invalid(f"this is not the passphrase of the key at {path}") from None


def _read(path: Path) -> str:
    try:
        with opened(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(ciphers.LINE_BYTES_MAX + 1)
    except OSError as error:
        raise Invalid(f"the key at {path} cannot be read: {error.strerror}") from None
    guard_secret(path)
    if is_open_to_others(mode):
        raise Invalid(f"other users can read the key at {path}: run chmod 600 on it first")
    if len(data) > ciphers.LINE_BYTES_MAX:
        raise Invalid(f"{path} is too long for a key")
    return data.decode("ascii", "replace").removesuffix("\n")

"""Private keys as files on the machine of their holder: nobody else may read them.

A file is one line: a private key as Go's note package writes it, or JSON with the key sealed by
AES-256-GCM under what scrypt makes of a passphrase. A file that others may read is not used.
"""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING
from typing import Any

from ledger.durable import make_folder
from ledger.durable import sync_folder
from ledger.proof.formats import Invalid
from ledger.proof.formats import opened
from ledger.proof.formats import unbase64
from ledger.proof.notes import PRIVATE
from ledger.proof.notes import base64_of
from ledger.proof.notes import parse_private
from ledger.proof.notes import private_text

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.proof.notes import Signer

FILE_BYTES_MAX = 4_096
SALT_BYTES, NONCE_BYTES = 16, 12
SCRYPT_COST = 1 << 15
"""32 MiB and a tenth of a second; read from the file, so that it can be raised."""

SCRYPT_COSTS = frozenset(1 << power for power in range(14, 21))


def write_key(path: Path, signer: Signer, passphrase: bytes = b"", random: bytes = b"") -> None:
    """Write a private key to a new file, for its owner alone.

    With a passphrase it is sealed; `random` are then `SALT_BYTES + NONCE_BYTES` random bytes.

    Raises:
        Invalid: there is such a file, or it can not be written.
    """
    text = private_text(signer)
    if passphrase:
        text = _sealed(text, passphrase, random[:SALT_BYTES], random[SALT_BYTES:])
    try:
        make_folder(path.parent, 0o700)
        _write_new(path, f"{text}\n")
    except FileExistsError:
        raise Invalid(f"there is a key at {path} already") from None
    except OSError as error:
        raise Invalid(f"the key can not be written to {path}: {error.strerror}") from None


def _write_new(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all, and never in the place of another."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # unlike a new name for the draft it takes nobody else's place
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def is_sealed(path: Path) -> bool:
    """Whether a key needs its passphrase."""
    return not _read(path).startswith(PRIVATE)


def read_key(path: Path, passphrase: bytes = b"") -> Signer:
    """Read a private key.

    Raises:
        Invalid: there is none, others may read it, it is damaged, or the passphrase is wrong.
    """
    text = _read(path)
    if not text.startswith(PRIVATE):
        text = _opened(path, text, passphrase)
    try:
        return parse_private(text)
    except Invalid as error:
        raise Invalid(f"{path}: {error}") from None


def _read(path: Path) -> str:
    try:
        with opened(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise Invalid(f"the key at {path} can not be read: {error.strerror}") from None
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise Invalid(f"others may read the key at {path}: `chmod 600` it first")
    if len(data) > FILE_BYTES_MAX:
        raise Invalid(f"{path} is too long for a key")
    return data.decode("ascii", "replace").rstrip("\n")


def _aead(passphrase: bytes, salt: bytes, cost: int) -> Any:  # noqa: ANN401 - named where it is imported
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - only for keys
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt  # noqa: PLC0415 - as above

    return AESGCM(Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(passphrase))


def _sealed(text: str, passphrase: bytes, salt: bytes, nonce: bytes) -> str:
    sealed = _aead(passphrase, salt, SCRYPT_COST).encrypt(nonce, text.encode(), None)
    value = {
        "scrypt": SCRYPT_COST,
        "salt": base64_of(salt),
        "nonce": base64_of(nonce),
        "sealed": base64_of(sealed),
    }
    return json.dumps(value, separators=(",", ":"))


def _opened(path: Path, text: str, passphrase: bytes) -> str:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - only for keys

    try:
        value = json.loads(text)
        cost, sealed = value["scrypt"], unbase64(value["sealed"])
        salt, nonce = unbase64(value["salt"], SALT_BYTES), unbase64(value["nonce"], NONCE_BYTES)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Invalid(f"{path} is no key file") from None
    if type(cost) is not int or cost not in SCRYPT_COSTS:
        raise Invalid(f"{path} is no key file: its scrypt cost is out of bounds")
    if not passphrase:
        raise Invalid(f"the key at {path} needs its passphrase")
    try:
        opened: bytes = _aead(passphrase, salt, cost).decrypt(nonce, sealed, None)
    except InvalidTag:
        raise Invalid(f"this is not the passphrase of the key at {path}") from None
    return opened.decode("ascii", "replace")

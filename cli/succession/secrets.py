"""Seal a tournament's secrets for the key of a follower, and open them for a take-over.

The secrets are sealed in the same way as a backup for a reader, so that the follower's folder
shows no name while the first desk runs.
"""

from __future__ import annotations

import io
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.problems import marked, problem
from ledger.proof.ciphers import opened_chunks
from ledger.proof.formats import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

LINE_MAX = 4_096
"""Maximum length in bytes of the two lines before the sealed bytes."""


class _Secrets(Struct, frozen=True, forbid_unknown_fields=True):
    """The items of a vault by their names."""

    stream: str
    secrets: dict[str, bytes]


def plain_secrets(stream: str, secrets: Mapping[str, bytes]) -> bytes:
    """Return the items of a vault as bytes, in a fixed order, before they are sealed."""
    return msgspec.json.encode(_Secrets(stream, dict(sorted(secrets.items()))))


def digest_of_secrets(plain: bytes) -> str:
    """Return the digest by which a follower identifies its secrets."""
    return sha256(b"tourney secrets\n" + plain).hexdigest()


def sealed_secrets(plain: bytes, reader: str) -> bytes:
    """Seal the items of a vault for a reader's key.

    Raises:
        InvalidLog: `reader` is not a reader's key.
    """
    from cli.machine.backup_keys import new_seal
    from ledger.store.backup import sealed

    seal = new_seal(passphrase=False, reader=reader)
    assert seal is not None  # noqa: S101 - one for a reader is made
    return b"".join(sealed([plain], seal))


def opened_secrets(stream: str, data: bytes) -> dict[str, bytes]:
    """Open sealed items with the reader's key of this computer.

    Raises:
        InvalidLog: the items are damaged, or belong to another tournament.
        NotFound: this computer does not have the reader's key.
    """
    from cli.machine.backup_keys import unlocked_backup
    from ledger.store.backup import SealedBeginning, chunk_key

    file = io.BytesIO(data)
    first, second = file.readline(LINE_MAX), file.readline(LINE_MAX)
    try:
        to = msgspec.json.decode(first, type=SealedBeginning).sealed
        key = unlocked_backup(to, second.removesuffix(b"\n"))
        plain = opened_chunks(chunk_key(key, first + second), file).read()
        opened = msgspec.json.decode(plain, type=_Secrets)
    except (Invalid, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = marked("the sealed secrets of the desk that was followed are damaged")
        raise InvalidLog(problem("takeover.secrets", text)) from None
    if opened.stream != stream:
        text = marked("these sealed secrets are another tournament's")
        raise InvalidLog(problem("takeover.other_secrets", text))
    return opened.secrets

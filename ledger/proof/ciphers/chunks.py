"""A file sealed in chunks: what is cut off, put in another order or added to does not open.

Each chunk is 65,536 bytes of the plain text, the last one 1 to 65,536, by ChaCha20-Poly1305 with
its tag behind it. The nonce is the chunk's number, from 0, in 11 bytes (the highest first), then
one byte: 1 for the last chunk, 0 for the others. A key seals one file.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ledger.proof.formats import Invalid

CHUNK_BYTES = 1 << 16
TAG_BYTES = 16
NUMBER_BYTES = 11


def sealed_chunks(key: bytes, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Seal pieces of any length, of which there is at least one byte."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - few runs seal

    cipher, number, held = ChaCha20Poly1305(key), 0, bytearray()
    for piece in pieces:
        held += piece
        while len(held) > CHUNK_BYTES:
            yield cipher.encrypt(_nonce(number), bytes(held[:CHUNK_BYTES]), None)
            del held[:CHUNK_BYTES]
            number += 1
    yield cipher.encrypt(_nonce(number, is_last=True), bytes(held), None)


def opened_chunks(key: bytes, file: BinaryIO) -> BinaryIO:
    """Open a file, from where it is, to be read in pieces of any length.

    Invalid where a chunk was changed, or the end cut off: nothing is known to be all before it.
    """
    return io.BufferedReader(_Chunks(_opened(key, file)))


class _Chunks(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces, self._rest = pieces, b""

    def readable(self) -> bool:
        """Say that it is read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read what is left of a piece, or the next one."""
        piece = self._rest or next(self._pieces, b"")
        count = min(len(piece), len(buffer))
        buffer[:count], self._rest = piece[:count], piece[count:]
        return count


def _opened(key: bytes, file: BinaryIO) -> Iterator[bytes]:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - as above

    cipher, number, chunk = ChaCha20Poly1305(key), 0, file.read(CHUNK_BYTES + TAG_BYTES)
    while True:
        following = file.read(CHUNK_BYTES + TAG_BYTES)
        try:
            yield cipher.decrypt(_nonce(number, is_last=not following), chunk, None)
        except InvalidTag:
            raise Invalid("it was changed or cut off since it was sealed") from None
        if not following:
            return
        chunk, number = following, number + 1


def _nonce(number: int, *, is_last: bool = False) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big") + bytes([is_last])

"""Sealing written again from `ledger/proof/README.md` and RFC 5297, out of AES by the block."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Block = Callable[[bytes], bytes]

ZERO, ONE = bytes(16), bytes(15) + b"\x01"


def sealed_text(key: bytes, place: tuple[str, str, str], text: str, step: int) -> str:
    """What a line has in the place of a text."""
    digest = base64.b64encode(hashlib.sha256(key).digest()).decode()
    places = [each.encode() for each in place]
    body = sealed(key, b"tourney text 2", places, text.encode(), step)
    return f"sealed:2:{digest}:{base64.b64encode(body).decode()}"


def key_of_name(master: bytes, event: str) -> bytes:
    """The key of one record of a person's name."""
    return hmac.new(master, b"tourney name 2\n" + event.encode(), hashlib.sha256).digest()


def sealed(key: bytes, domain: bytes, places: Sequence[bytes], plain: bytes, step: int) -> bytes:
    """Bytes sealed for a place."""
    filled = plain + b"\x80"
    while len(filled) % step:
        filled += b"\0"
    return siv_encrypt(hmac.new(key, domain, hashlib.sha512).digest(), places, filled)


def siv_encrypt(key: bytes, associated: Sequence[bytes], plain: bytes) -> bytes:
    """RFC 5297 2.6."""
    half = len(key) // 2
    iv = s2v(_block(key[:half]), associated, plain)
    return iv + counted(_block(key[half:]), iv, plain)


def siv_decrypt(key: bytes, associated: Sequence[bytes], sealed_bytes: bytes) -> bytes | None:
    """RFC 5297 2.7; None where it does not hold."""
    half, iv = len(key) // 2, sealed_bytes[:16]
    plain = counted(_block(key[half:]), iv, sealed_bytes[16:])
    return plain if s2v(_block(key[:half]), associated, plain) == iv else None


def s2v(block: Block, associated: Sequence[bytes], plain: bytes) -> bytes:
    """RFC 5297 2.4."""
    mixed = cmac(block, ZERO)
    for each in associated:
        mixed = _xor(_doubled(mixed), cmac(block, each))
    if len(plain) >= 16:
        return cmac(block, plain[:-16] + _xor(plain[-16:], mixed))
    return cmac(block, _xor(_doubled(mixed), (plain + b"\x80").ljust(16, b"\0")))


def cmac(block: Block, data: bytes) -> bytes:
    """RFC 4493."""
    whole = _doubled(block(ZERO))
    last = len(data) - (len(data) % 16 or 16) if data else 0
    end = data[last:]
    if len(end) == 16:
        end = _xor(end, whole)
    else:
        end = _xor((end + b"\x80").ljust(16, b"\0"), _doubled(whole))
    state = ZERO
    for place in range(0, last, 16):
        state = block(_xor(state, data[place : place + 16]))
    return block(_xor(state, end))


def counted(block: Block, iv: bytes, data: bytes) -> bytes:
    """AES in counter mode from a synthetic IV, with two of its bits cleared (RFC 5297 2.5)."""
    first = int.from_bytes(iv, "big") & ~(1 << 63) & ~(1 << 31)
    blocks = range(first, first + -(-len(data) // 16))
    stream = b"".join(block((each % 2**128).to_bytes(16, "big")) for each in blocks)
    return _xor(data, stream[: len(data)])


def _block(key: bytes) -> Block:
    encryptor = Cipher(AES(key), ECB()).encryptor()  # noqa: S305 - one block at a time
    return encryptor.update


def _doubled(data: bytes) -> bytes:
    """Doubling in GF(2^128)."""
    number = int.from_bytes(data, "big") << 1
    return (number % 2**128 ^ (0x87 if number >> 128 else 0)).to_bytes(16, "big")


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))

"""What players may not see while the event runs, sealed in the log until the end (SWL-HIDDEN).

A sealed text can be opened by whoever holds the shuffle key. The first event commits to that key,
so nobody can say another thing later; the last event reveals it, and with it all that was sealed.
Step by step, so that a stranger can open it:

1.  The key is HMAC-SHA512 of `tourney sealed 1` under the shuffle key: 64 bytes.
2.  The text is UTF-8, followed by spaces up to the next multiple of 512 bytes: its length tells
    nothing.
3.  The seal is AES-256-SIV (RFC 5297), whose one associated datum is the label: the UTF-8 text of
    the tournament's id, the kind of thing and its number, with one newline between them. No nonce:
    the same text under the same label is sealed alike, which is all that it gives away.
4.  What the log holds is the seal in lower-case hex.
"""

from __future__ import annotations

import hmac

_DOMAIN = b"tourney sealed 1"
_BLOCK = 512


def seal(shuffle_key: bytes, label: tuple[str, str, int], text: bytes) -> str:
    """Seal a text under a label: the tournament's id, the kind of thing, its number."""
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415 - heavy, rare

    padded = text + b" " * (-len(text) % _BLOCK)
    return AESSIV(_key(shuffle_key)).encrypt(padded, [_associated(label)]).hex()


def opened(shuffle_key: bytes, label: tuple[str, str, int], sealed: str) -> bytes | None:
    """Open what was sealed under that label; None where another key or label sealed it."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415

    try:
        padded = AESSIV(_key(shuffle_key)).decrypt(bytes.fromhex(sealed), [_associated(label)])
    except (InvalidTag, ValueError):
        return None
    return padded.rstrip(b" ")


def _key(shuffle_key: bytes) -> bytes:
    return hmac.digest(shuffle_key, _DOMAIN, "sha512")


def _associated(label: tuple[str, str, int]) -> bytes:
    tournament, kind, number = label
    return f"{tournament}\n{kind}\n{number}".encode()

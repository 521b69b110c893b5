"""HPKE once more, from RFC 9180 alone: base mode, X25519, HKDF-SHA256, ChaCha20-Poly1305.

The curve (RFC 7748) in plain integers; the cipher alone is the package's. Slow, and meant to be.
"""

from __future__ import annotations

import hmac

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

P = 2**255 - 19
KEM_SUITE = b"KEM\x00\x20"
HPKE_SUITE = b"HPKE\x00\x20\x00\x01\x00\x03"
BASE_POINT = (9).to_bytes(32, "little")


def x25519(scalar: bytes, point: bytes) -> bytes:
    """RFC 7748 5: the Montgomery ladder."""
    k = int.from_bytes(scalar, "little") & ~7 & (1 << 254) - 1 | 1 << 254
    x1 = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3 = 1, 0, x1, 1
    for bit in range(254, -1, -1):
        is_set = k >> bit & 1
        if is_set:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
        if is_set:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def _extract(suite: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")


def _expand(suite: bytes, secret: bytes, label: bytes, info: bytes, length: int) -> bytes:
    labeled = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    made, block, count = b"", b"", 1
    while len(made) < length:
        block = hmac.digest(secret, block + labeled + bytes([count]), "sha256")
        made, count = made + block, count + 1
    return made[:length]


def _schedule(dh: bytes, enc: bytes, public: bytes, info: bytes) -> tuple[bytes, bytes]:
    """RFC 9180 4.1 and 5.1: the key and the base nonce."""
    eae = _extract(KEM_SUITE, b"", b"eae_prk", dh)
    shared = _expand(KEM_SUITE, eae, b"shared_secret", enc + public, 32)
    psk_id = _extract(HPKE_SUITE, b"", b"psk_id_hash", b"")
    info_hash = _extract(HPKE_SUITE, b"", b"info_hash", info)
    context = b"\x00" + psk_id + info_hash
    secret = _extract(HPKE_SUITE, shared, b"secret", b"")
    key = _expand(HPKE_SUITE, secret, b"key", context, 32)
    return key, _expand(HPKE_SUITE, secret, b"base_nonce", context, 12)


def opened(private: bytes, sealed: bytes, info: bytes, aad: bytes = b"") -> bytes:
    """Open the first message of a context."""
    enc, body = sealed[:32], sealed[32:]
    public = x25519(private, BASE_POINT)
    key, nonce = _schedule(x25519(private, enc), enc, public, info)
    return ChaCha20Poly1305(key).decrypt(nonce, body, aad)


def sealed_to(
    public: bytes, ephemeral: bytes, plain: bytes, info: bytes, aad: bytes = b""
) -> bytes:
    """Seal the first message of a context, with this ephemeral private key."""
    enc = x25519(ephemeral, BASE_POINT)
    key, nonce = _schedule(x25519(ephemeral, public), enc, public, info)
    return enc + ChaCha20Poly1305(key).encrypt(nonce, plain, aad)

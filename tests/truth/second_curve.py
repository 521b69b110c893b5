"""Ed25519 by RFC 8032, in plain integers: for the second verifier, and slow."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = (-121665 * pow(121666, PRIME - 2, PRIME)) % PRIME
Point = tuple[int, int]
Homogeneous = tuple[int, int, int, int]


def add(one: Point, other: Point) -> Point:
    (a, b), (c, d) = one, other
    e = CURVE_D * a * b * c * d
    x = (a * d + c * b) * pow(1 + e, PRIME - 2, PRIME)
    y = (b * d + a * c) * pow(1 - e, PRIME - 2, PRIME)
    return x % PRIME, y % PRIME


def times(scalar: int, point: Point) -> Point:
    result, power = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % PRIME)
    while scalar:
        if scalar & 1:
            result = _sum(result, power)
        power = _sum(power, power)
        scalar >>= 1
    x, y, z, _ = result
    inverse = pow(z, PRIME - 2, PRIME)
    return x * inverse % PRIME, y * inverse % PRIME


def _sum(one: Homogeneous, other: Homogeneous) -> Homogeneous:
    """RFC 8032 5.1.4: no inverse for each step."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * CURVE_D, 2 * z1 * z2
    e, f, g, h = (b - a) % PRIME, (d - c) % PRIME, (d + c) % PRIME, (b + a) % PRIME
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


@lru_cache(1 << 12)
def decompressed(data: bytes) -> Point | None:
    """RFC 8032 5.1.3."""
    whole = int.from_bytes(data, "little")
    sign, y = whole >> 255, whole % 2**255
    if len(data) != 32 or y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, PRIME - 2, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    return (PRIME - x if x % 2 != sign else x), y


@lru_cache(1 << 12)
def is_usable(public: bytes) -> bool:
    """Whether a public key is a canonical point of the prime order: no other divides ORDER."""
    point = decompressed(public)
    return point is not None and point != (0, 1) and times(ORDER, point) == (0, 1)


@cache
def windows(point: Point) -> list[list[Homogeneous]]:
    """The multiples of a point by 1 to 15, times each power of 16: a product is a sum of 64."""
    found, start = [], (*point, 1, point[0] * point[1] % PRIME)
    for _ in range(64):
        row = [start]
        for _ in range(14):
            row.append(_sum(row[-1], start))
        found.append(row)
        start = _sum(row[-1], start)
    return found


def product(scalar: int, point: Point) -> Homogeneous:
    """The same as `times`, for points that come often."""
    result = (0, 1, 1, 0)
    for row in windows(point):
        scalar, digit = scalar >> 4, scalar & 15
        if digit:
            result = _sum(result, row[digit - 1])
    return result


@cache
def base_point() -> Point:
    """The generator of RFC 8032 5.1: its y is 4/5."""
    point = decompressed((4 * pow(5, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little"))
    assert point is not None
    return point


@lru_cache(1 << 16)
def signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """RFC 8032 5.1.7, without the cofactor."""
    a, r = decompressed(public), decompressed(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    x, y, z, _ = product(s, base_point())
    u, v, w, _ = _sum((*r, 1, r[0] * r[1] % PRIME), product(h % ORDER, a))
    return (x * w - u * z) % PRIME == 0 == (y * w - v * z) % PRIME

"""The points of edwards25519 (RFC 8032 5.1), in plain integers: whether a public key is one to use.

A part of formats.py, which a sceptic reads with it.
"""

from __future__ import annotations

KEY_BYTES = 32
_P, _L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P

Point = tuple[int, int, int, int]
"""Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""


def point_in(public: bytes) -> Point | None:
    """Read a point in its one spelling; None where it is not one."""
    number = int.from_bytes(public, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    x2 = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(x2, (_P + 3) // 8, _P)
    x = x if x * x % _P == x2 else x * pow(2, (_P - 1) // 4, _P) % _P
    if len(public) != KEY_BYTES or y >= _P or x * x % _P != x2 or (sign and not x):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def has_prime_order(point: Point) -> bool:
    """Whether L times the point is the neutral one, which it is not itself."""
    found = point
    for bit in bin(_L)[3:]:
        found = _plus(found, found)
        if bit == "1":
            found = _plus(found, point)
    return _is_neutral(found) and not _is_neutral(point)


def _is_neutral(point: Point) -> bool:
    return not point[0] and point[1] == point[2]


def _plus(one: Point, other: Point) -> Point:
    """Add two points: RFC 8032 5.1.4, which holds for all of them."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * _D * t1 * t2 % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P

"""Which known name a new one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

NEAR = 0.7
"""How much of two names has to be alike, of 1, by `SequenceMatcher.ratio`."""

SIFTED = 0.5
"""Below this, by its quick upper bounds, two names are not compared letter by letter."""

COMPARED_MAX = 40_000
"""How many pairs of names are compared letter by letter in one round."""


class NearNames:
    """Finds the name that one resembles; names as they are compared, without case."""

    def __init__(self, absent: Iterable[str], newcomers: int) -> None:
        self._absent = list(absent)
        self._in_order = {_in_order(name): name for name in self._absent}
        self._initials = {initials: name for name in self._absent for initials in _initials(name)}
        most = COMPARED_MAX // max(1, newcomers)
        self._compared: Sequence[str] = self._absent[:most]

    def nearest(self, name: str) -> str:
        """Return the name of somebody absent that this one resembles; empty for none."""
        if found := self._in_order.get(_in_order(name)):
            return found
        for initials in (name.replace(".", ""), *_initials(name)):
            if found := self._initials.get(initials):
                return found
        matcher = SequenceMatcher(b=name, autojunk=False)
        best, most = "", NEAR
        for other in self._compared:
            matcher.set_seq1(other)
            if matcher.real_quick_ratio() >= SIFTED and matcher.quick_ratio() >= SIFTED:
                ratio = max(matcher.ratio(), _swapped(name, other))
                best, most = (other, ratio) if ratio >= most else (best, most)
        return best


def _in_order(name: str) -> str:
    """Return the words of a name in one order: "lee, ann" and "ann lee" are one."""
    return " ".join(sorted("".join(c if c.isalnum() else " " for c in name).split()))


def _initials(name: str) -> tuple[str, ...]:
    """Return a name of several words with the first or the last one cut to its letter."""
    first, *further = name.replace(".", "").split() or [""]
    if not further:
        return ()
    *between, last = further
    return " ".join((first[0], *further)), " ".join((first, *between, last[0]))


def _swapped(name: str, other: str) -> float:
    """Return 1 where the two differ by one letter, or by two that changed places."""
    if abs(len(name) - len(other)) > 1 or 1 in (len(name), len(other)):
        return 0.0
    same = 0
    while same < min(len(name), len(other)) and name[same] == other[same]:
        same += 1
    one, two = name[same:], other[same:]
    pairs = ((one[1:], two[1:]), (one[1:], two), (one, two[1:]))
    is_swap = one[:2] == two[1::-1] and one[2:] == two[2:] and len(one) > 1
    return 1.0 if is_swap or any(a == b for a, b in pairs) else 0.0

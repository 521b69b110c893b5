"""How many paper slips have to be held to the log before one may stop, with a limit to the risk.

Let it take at least `m` wrong results to change who is in a cut, and let there be `N` slips. If
the cut is wrong, at least `m` slips differ from the log; `n` that are drawn at random then show
none of them in no more than C(N-m, n) of C(N, n) draws. After `k` differences, with `m` bounded
again on the record as the slips correct it, at least `m + k` differed to begin with: one stops at
`n` only if P(Hypergeometric(N, m + k, n) <= k) is at most risk / 2^(k+1). These limits add up to
less than the risk over all `k`, so looking after every slip does not raise it. Else it goes on, to
all slips if need be. All of it is in exact fractions.

After R. A. Lindeman and P. B. Stark, risk-limiting audits.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb


def chance_of_few(slips: int, wrong: int, pulled: int, found: int) -> Fraction:
    """The chance that a draw of slips shows no more of the wrong ones than were found."""
    if wrong > slips:
        return Fraction(0)  # there are not as many
    ways = (
        comb(wrong, shown) * comb(slips - wrong, pulled - shown)
        for shown in range(min(found, wrong, pulled) + 1)
    )
    return Fraction(sum(ways), comb(slips, pulled))


def may_stop(slips: int, least: int, pulled: int, found: int, risk: Fraction) -> bool:
    """Whether the pulled slips, with the differences found, are enough."""
    if pulled >= slips:
        return True
    limit = risk / 2 ** (found + 1)
    return least > 0 and chance_of_few(slips, least + found, pulled, found) <= limit


def slips_needed(slips: int, least: int, found: int, risk: Fraction) -> int:
    """With how many slips one may stop, where no further difference is found."""
    low, high = found, slips
    while low < high:
        middle = (low + high) // 2
        if may_stop(slips, least, middle, found, risk):
            high = middle
        else:
            low = middle + 1
    return low

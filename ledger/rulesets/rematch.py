"""Who must not be paired with each other again, as a ruleset declares it."""

from __future__ import annotations

from typing import Literal

from ledger.rulesets.words import Clause, Part


class Rematch(Part, frozen=True):
    """The ban on a second meeting; an elimination is exempt.

    `scope`: the ban holds within one `stage`, or in all Swiss stages of the `tournament`.
    `no_show`: a pairing that nobody played `counts` as a meeting where a legal round without a
    repetition of it exists, and may be repeated where none does; or it is `free`.
    """

    clause: Clause = "FFG-REMATCH"
    scope: Literal["stage", "tournament"] = "stage"
    no_show: Literal["counts", "free"] = "free"

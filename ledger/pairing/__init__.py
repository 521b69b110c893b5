"""Who meets whom: Swiss rounds (`pair_swiss`) and eliminations.

    shuffling   random draws that can be repeated, and the word that is called out
    swiss       a round from its field: score groups and blocks, the quick path, exact windows,
                the bye, the fewest rematches, the order of the tables
    repair      a round that is paired but not played, mended
    brackets    eliminations: after a cut, later rounds, the opening; how far each player came
    meetings    whom the players of a round must not meet

Everything is pure: the same field and the same draws give the same round, in whatever order the
players are listed.
"""

from __future__ import annotations

from ledger.pairing.swiss import Field, Pairing, has_round, pair_swiss

__all__ = ["Field", "Pairing", "has_round", "pair_swiss"]

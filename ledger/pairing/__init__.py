"""Who meets whom: Swiss rounds (`pair_swiss`) and eliminations (`elimination`).

    field        what a round is paired from, and what comes out
    swiss        the public functions; the bye and the fewest rematches, where not everything
                 can be had; the order of the tables
    board        the players in score groups, the groups in blocks
    quick        blocks paired at random, rematches exchanged away
    windows      the blocks that resisted, solved exactly with as many neighbours as the proof needs
    exact        the maximum weight matching, the only module that knows the library
    elimination  brackets: after a cut, later rounds, the opening

Everything is pure: the same field and the same draws give the same round, in whatever order the
players are listed.
"""

from __future__ import annotations

from ledger.pairing.field import Field, Pairing
from ledger.pairing.swiss import has_round, pair_swiss

__all__ = ["Field", "Pairing", "has_round", "pair_swiss"]

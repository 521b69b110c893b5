"""NRTM/Cobra files: the JSON in which organizers of Netrunner events exchange tournaments.

members.py    the members of the file as its program writes them: Cobra, AesopsTables
document.py   the members of the file, and its players
games.py      its rounds
reading.py    the whole of it, with its ruleset, which nrtm.toml names
"""

from __future__ import annotations

from ledger.exchange.nrtm.reading import read_nrtm

__all__ = ["read_nrtm"]

"""The keys that seasons are signed with on this machine: `season-<id>.key` in the key folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cli import outside
from cli.keys.keyring import folder, keep_key, key_path, proving, unlocked

if TYPE_CHECKING:
    from ledger.proof.notes import Signer

SEASON = "season"


def season_keys() -> dict[str, Signer]:
    """Read the season keys of this machine, by their verifier keys.

    Raises:
        InvalidLog: a key file is damaged, or others may read it.
    """
    from ledger.proof.notes import vkey

    signers = map(unlocked, sorted(folder().glob(f"{SEASON}-*.key")))
    return {vkey(signer.key): signer for signer in signers}


def season_signer(verifier_key: str) -> Signer:
    """Return the season key with a verifier key; a new key if this machine has no such key."""
    from ledger.proof.notes import SEED_BYTES, signer
    from projections.season.tables.head_notes import ORIGIN

    if (known := season_keys().get(verifier_key)) is not None:
        return known
    season = outside.draw_id()
    with proving():
        made = signer(ORIGIN + season, os.urandom(SEED_BYTES))
        keep_key(key_path(SEASON, season), made)
    return made

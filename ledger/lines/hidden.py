"""What players may not see while the event runs, sealed in the log until the end (SWL-HIDDEN).

The holder of the key of what is hidden opens it. The first event commits to that key, so nobody can
say another thing later; the last event reveals it, and with it all that was sealed. Sealed it is as
`ledger/proof/ciphers.py` says, in the domain `tourney hidden 2`, filled up to multiples of
512 bytes, bound to the tournament's id, the kind of thing and its number in decimal; the log has
the seal in lower-case hex.
"""

from __future__ import annotations

from ledger.proof.ciphers import HIDDEN_DOMAIN, HIDDEN_STEP
from ledger.proof.ciphers import seal as sealed_bytes
from ledger.proof.ciphers import unseal as unsealed_bytes
from ledger.proof.formats import Invalid

Label = tuple[str, str, int]
"""The tournament's id, the kind of thing, its number."""


def seal(key: bytes, label: Label, text: bytes) -> str:
    """Seal a text under a label."""
    return sealed_bytes(key, HIDDEN_DOMAIN, _place(label), text, HIDDEN_STEP).hex()


def opened(key: bytes, label: Label, sealed: str) -> bytes | None:
    """Open what was sealed under that label; None where another key or label sealed it."""
    try:
        body = bytes.fromhex(sealed)
        return unsealed_bytes(key, HIDDEN_DOMAIN, _place(label), body, HIDDEN_STEP)
    except (Invalid, ValueError):
        return None


def _place(label: Label) -> list[str]:
    tournament, kind, number = label
    return [tournament, kind, str(number)]

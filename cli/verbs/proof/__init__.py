"""The verbs of the proof: signed heads, receipts, witnesses and keys."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "checkpoint": Verb("heads", "checkpoint", "Sign the log's head as it is now, and show it."),
    "verify": Verb(
        "verify", "verify", "Check a log without trusting who made it; or the store.", writes=False
    ),
    "receipt": Verb(
        "heads",
        "receipt",
        "Prove to a player that their result stands in the signed log.",
        writes=False,
    ),
    "witness": Verb("witness", "witness", "Let a second machine cosign the log.", writes=False),
    "compare": Verb(
        "heads", "compare", "Hold two signed copies of one log side by side.", writes=False
    ),
    "key": Verb("keys", "key", "Make, register and revoke the keys that officials sign with."),
}

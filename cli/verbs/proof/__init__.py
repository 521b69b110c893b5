"""The verbs of the proof: signed heads, receipts, witnesses and keys."""

from __future__ import annotations

from cli.outside import KEYS, NOTHING, PROCESSES, STORE
from cli.verbs.verb import Verb, reads

VERBS = {
    "checkpoint": Verb("heads", "Sign the log's head as it is now, and show it.").touching(
        STORE | KEYS
    ),
    "verify": reads("verify", "Check a log without trusting who made it; or the store.").touching(
        STORE | KEYS | PROCESSES
    ),
    "receipt": reads(
        "receipts", "Prove to a player that the signed log has their result."
    ).touching(STORE | KEYS),
    "witness": reads(
        "witness", "List the heads that this machine has seen as a witness.", "list_heads"
    ).touching(KEYS),
    "witness list": reads(
        "witness", "List the heads that this machine has seen as a witness.", "list_heads"
    ).touching(KEYS),
    "witness init": reads("witness", "Make a witness's key on this machine.").touching(KEYS),
    "witness trust": reads("witness", "Let the witness on this machine know a log.").touching(KEYS),
    "witness ask": reads("witness", "Ask a witness to cosign the log's head, by a file.").touching(
        STORE | KEYS
    ),
    "witness cosign": reads("witness", "Cosign what a desk asks, as a witness.").touching(KEYS),
    "witness add": reads("witness", "Put a witness's answer to the log's head."),
    "sign": reads("drafts", "List what was entered on a page and waits for a key.", "list_drafts"),
    "sign now": Verb(
        "drafts", "Sign what waits with the key of who it is by, and enter it.", "sign"
    ).touching(STORE | KEYS),
    "sign drop": Verb("drafts", "Throw away what waits: it was never on record, and is gone."),
    "compare": reads("comparing", "Hold two signed copies of one log side by side.").touching(
        NOTHING
    ),
    "key": Verb("key", "List the keys, and which are on this machine.", "list_keys").touching(
        STORE | KEYS
    ),
    "key list": Verb("key", "List the keys, and which are on this machine.", "list_keys").touching(
        STORE | KEYS
    ),
    "key new": Verb("key", "Make a key that an official signs with, and register it.").touching(
        STORE | KEYS
    ),
    "key register": Verb("key", "Register a key that was made on another machine.").touching(
        STORE | KEYS
    ),
    "key agree": Verb("key", "Agree to another leader's key, by a line that is entered.").touching(
        STORE | KEYS
    ),
    "key revoke": Verb("key", "Take a key out of use.", "revoke_key").touching(STORE | KEYS),
    "key renew": Verb("key", "Replace the log's own key by a new one.").touching(STORE | KEYS),
    "key export": reads("key", "Show the lines that register an official's keys here.").touching(
        STORE | KEYS
    ),
    "key draws": Verb("key", "Draw another key of the draws, where it is lost for good.").touching(
        STORE | KEYS
    ),
    "key hidden": Verb("key", "Draw another key of hidden cards, where it is lost."),
}

"""The verbs of the proof: signed heads, receipts, witnesses and keys."""

from __future__ import annotations

from cli.verbs.verb import Verb, reads

VERBS = {
    "checkpoint": Verb("heads", "checkpoint", "Sign the log's head as it is now, and show it."),
    "verify": reads("verify", "verify", "Check a log without trusting who made it; or the store."),
    "receipt": reads(
        "receipts", "receipt", "Prove to a player that the signed log has their result."
    ),
    "witness": reads(
        "witness", "list_heads", "List the heads that this machine has seen as a witness."
    ),
    "witness list": reads(
        "witness", "list_heads", "List the heads that this machine has seen as a witness."
    ),
    "witness init": reads("witness", "init", "Make a witness's key on this machine."),
    "witness trust": reads("witness", "trust", "Let the witness on this machine know a log."),
    "witness ask": reads("witness", "ask", "Ask a witness to cosign the log's head, by a file."),
    "witness cosign": reads("witness", "cosign", "Cosign what a desk asks, as a witness."),
    "witness add": reads("witness", "add", "Put a witness's answer to the log's head."),
    "compare": reads("comparing", "compare", "Hold two signed copies of one log side by side."),
    "key": Verb("keys", "list_keys", "List the keys, and which are on this machine."),
    "key list": Verb("keys", "list_keys", "List the keys, and which are on this machine."),
    "key new": Verb("keys", "new", "Make a key that an official signs with, and register it."),
    "key register": Verb("keys", "register", "Register a key that was made on another machine."),
    "key agree": Verb("keys", "agree", "Agree to another leader's key, by a line that is entered."),
    "key revoke": Verb("keys", "revoke_key", "Take a key out of use."),
    "key renew": Verb("keys", "renew", "Replace the log's own key by a new one."),
    "key export": reads("keys", "export", "Show the lines that register an official's keys here."),
    "key draws": Verb("keys", "draws", "Draw another key of the draws, where it is lost for good."),
    "key hidden": Verb("keys", "hidden", "Draw another key of hidden cards, where it is lost."),
}

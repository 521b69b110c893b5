"""A signed note over lines: a season's head, of a file or of a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ledger.proof.formats import (
    ED25519,
    Checkpoint,
    Invalid,
    Tree,
    leaf_hash,
    open_note,
    parse_checkpoint,
    parse_key,
    parse_note,
)
from ledger.proof.notes import Signer, checkpoint_text, signed_note, vkey

ORIGIN = "tourney.season/"
"""How the name of a season's key begins; the season's id follows."""

SignWith = Callable[[], Signer]
"""Gives the season's key: it is made only once something is to be signed."""


class SeasonHead(Struct, frozen=True):
    """How often the season was signed, the signed note and the verifier key that it names."""

    number: int
    note: str
    key: str

    @property
    def season(self) -> str:
        """The season's id, as the key is named."""
        return self.key.partition("+")[0].removeprefix(ORIGIN)


class SignedLines(Struct, frozen=True):
    """A head and the lines that it covers."""

    head: SeasonHead
    lines: list[str]


def signed_head(signer: Signer, number: int, lines: Sequence[str]) -> SeasonHead:
    """Sign lines: a checkpoint with their number and the root of their tree (RFC 6962)."""
    note = signed_note(checkpoint_text(_checkpoint(signer.key.name, lines)), signer)
    return SeasonHead(number, note.decode(), vkey(signer.key))


def covers(head: SeasonHead, lines: Sequence[str]) -> bool:
    """Return whether a head is signed with the key that it names, over exactly these lines.

    It shows that the holder of the key signed; the caller decides whose key it is.
    """
    try:
        key = parse_key(head.key, ED25519)
        note = parse_note(head.note.encode())
        open_note(note, [key])
        signed = parse_checkpoint(note.text)
    except (Invalid, UnicodeEncodeError):
        return False
    return key.name.startswith(ORIGIN) and signed == _checkpoint(key.name, lines)


def _checkpoint(origin: str, lines: Sequence[str]) -> Checkpoint:
    tree = Tree()
    for line in lines:
        tree.add(leaf_hash(line.encode()))
    return Checkpoint(origin, len(lines), tree.root())

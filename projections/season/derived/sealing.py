"""The signed head of a season in a folder: whose manifest it is.

Its lines are the manifest, a log and a file at a time. A manifest that no key of this machine
signed may come from anywhere: what it claims of its logs (that they were checked, or derived here)
does not count, and a log that is given again is derived again.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections.season.derived.manifest import (
    ENCODER,
    ListedAlias,
    ListedChunk,
    ListedLog,
    Manifest,
    TablePart,
)
from projections.season.tables.head_notes import SignWith, covers, signed_head


class Sealing(Struct, frozen=True):
    """How a folder's manifest is signed, and the verifier keys of this machine."""

    sign_with: SignWith
    own_keys: frozenset[str]

    def trusted(self, manifest: Manifest) -> Manifest:
        """Return a manifest with only the claims that a key of this machine signed."""
        if signer_of(manifest) in self.own_keys:
            return manifest
        return replace(manifest, chunks=tuple(map(_without_claims, manifest.chunks)))

    def sealed(self, manifest: Manifest) -> Manifest:
        """Sign a manifest, once more than before."""
        number = manifest.head.number + 1 if manifest.head is not None else 1
        head = signed_head(self.sign_with(), number, lines_of(manifest, number))
        return replace(manifest, head=head)


def signer_of(manifest: Manifest) -> str:
    """Return the verifier key that signed a manifest; empty if none did."""
    head = manifest.head
    return head.key if head is not None and covers(head, lines_of(manifest, head.number)) else ""


def lines_of(manifest: Manifest, number: int) -> list[str]:
    """Return the lines that a head covers: all that a manifest states, but what it retired."""
    return [
        f"folder {manifest.format} {manifest.tables} {number}",
        *(f"alias {_as_json(each)}" for each in manifest.aliases),
        *(line for chunk in manifest.chunks for line in _of_chunk(chunk)),
    ]


def _of_chunk(chunk: ListedChunk) -> list[str]:
    return [
        f"chunk {chunk.name} {chunk.year}",
        *(f"log {_as_json(each)}" for each in chunk.logs),
        *(f"part {_as_json(part)}" for _, part in sorted(chunk.parts.items())),
    ]


def _as_json(value: ListedAlias | ListedLog | TablePart) -> str:
    return ENCODER.encode(value).decode()


def _without_claims(chunk: ListedChunk) -> ListedChunk:
    return replace(
        chunk, logs=tuple(replace(each, checked_by="", is_own=False) for each in chunk.logs)
    )

"""Messages between a follower and the desk that it follows."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ledger.proof.signatures import encoded

COMMAND_ID = r"^[A-Za-z0-9_-]{8,48}\Z"

Short = Annotated[str, Meta(max_length=400)]


class Applying(Struct, frozen=True, forbid_unknown_fields=True):
    """A computer that is to follow: its key, and that key's own signature."""

    id: Annotated[str, Meta(pattern=COMMAND_ID)]
    public: Short
    proof: Short


class AskingFollower(Struct, frozen=True, forbid_unknown_fields=True):
    """What a follower has: so many lines with this root, and secrets of this digest.

    `reader` is the key that secrets are sealed for; `sig` is the follower's signature for it.
    """

    public: Short
    reader: Short
    sig: Short
    after: Annotated[int, Meta(ge=0, lt=1 << 53)]
    root: Short
    secrets: Short


class Followed(Struct, frozen=True):
    """What is new to a follower: `head` covers all its lines and those sent here.

    `fits` says whether the lines of the follower are the first ones here.
    """

    size: int
    fits: bool
    lines: list[str]
    head: str
    digest: str
    secrets: bytes
    voucher: str
    """Signature of the log's key for the digest: any computer can seal secrets for a reader."""


def secrets_text(tournament: str, digest: str) -> bytes:
    """Return the bytes that the log's key signs for the secrets that a follower receives."""
    return encoded("secrets", tournament, digest.encode())


def reader_text(tournament: str, reader: str) -> bytes:
    """Return the bytes that a follower's key signs to get secrets sealed for a reader's key."""
    return encoded("follower", tournament, reader.encode())

"""The members of an NRTM/Cobra file that mean something here; all others are passed over.

Programs write numbers as text, leave members out or put null: what a tournament can do without
is optional, and the rest is asked for where it is used.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ledger.errors import InvalidLog
from ledger.files.access import one_line

Key = int | str | None
"""An id, a number or a text; null is nobody."""


class Member(Struct, frozen=True, rename="camel"):
    """An object of the file."""


class NrtmSide(Member, frozen=True):
    """One player at a table; only an elimination game has a winner."""

    id: Key = None
    combined_score: int | UnsetType | None = UNSET
    corp_score: int | None = None
    runner_score: int | None = None
    winner: bool | None = None

    @property
    def side_scores(self) -> int:
        """What the two games gave."""
        return (self.corp_score or 0) + (self.runner_score or 0)


class NrtmPairing(Member, frozen=True):
    """A table."""

    table: int | None = None
    player1: NrtmSide | None = None
    player2: NrtmSide | None = None
    elimination_game: bool | None = None

    @property
    def sides(self) -> tuple[NrtmSide, NrtmSide]:
        """Both sides; one that the file leaves out has nobody."""
        return self.player1 or NrtmSide(), self.player2 or NrtmSide()


class NrtmPlayer(Member, frozen=True):
    """A player with the published place in the Swiss rounds."""

    id: Key = None
    name: str | None = None
    rank: int | None = None
    corp_identity: str | None = None
    runner_identity: str | None = None


class NrtmQualifier(Member, frozen=True):
    """A place of the cut; without an id it is not decided whose it is."""

    id: Key = None
    name: str | None = None
    rank: int | None = None
    seed: int | None = None


class NrtmDocument(Member, frozen=True):
    """The file."""

    name: str | None = None
    date: str | None = None
    cut_to_top: int | None = None
    preliminary_rounds: int | None = None
    players: list[NrtmPlayer] | None = None
    elimination_players: list[NrtmQualifier] | None = None
    rounds: list[list[NrtmPairing]] | None = None
    uploaded_from: str | None = None


_DECODER = msgspec.json.Decoder(NrtmDocument, strict=False)


def decode(data: bytes) -> NrtmDocument:
    """Read the file's bytes. Raises InvalidLog: they are no JSON, or not of this shape."""
    try:
        document = _DECODER.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError as error:
        raise InvalidLog(f"is no UTF-8 text at byte {error.start + 1}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidLog(f"is no NRTM/Cobra tournament: {one_line(str(error))}") from None
    if document.players is None and document.rounds is None:
        raise InvalidLog("is no NRTM/Cobra tournament: it has neither players nor rounds")
    return document

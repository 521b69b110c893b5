"""What a decision needs beside the state: handed in, so that deciding stays a pure function."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - msgspec resolves the annotations

from msgspec import Struct

from ledger.draws import Draws
from ledger.errors import Refused
from ledger.lines import Recorded  # noqa: TC001 - as above
from ledger.state import Tournament  # noqa: TC001 - as above


class Context(Struct, frozen=True):
    """The ranking of the players, best first, and the secret that draws are made with."""

    ranking: Callable[[Tournament], list[int]]
    shuffle_key: bytes
    engine: str
    sign: Callable[[Tournament, Recorded], Recorded] | None = None
    """What signs the acts that need it, with the private keys that are at hand."""

    seal: Callable[[Recorded], Recorded] | None = None
    """What seals an event's texts as its line has them; None in a log with open names."""

    lacks: str = ""
    """Why there is no shuffle key, where there is none."""

    def draws(self, tournament: Tournament, procedure: str, *context: int) -> Draws:
        """The source of one draw.

        Raises:
            Refused: the tournament's key is not here, so nothing can be drawn.
        """
        key = self._key("nothing can be drawn")
        return Draws(key, procedure, *context, word=tournament.word)

    def key_to_seal_with(self) -> bytes:
        """The key that hidden information is sealed with.

        Raises:
            Refused: it is not here, so what was sealed could never be opened.
        """
        return self._key("nothing can be sealed (SWL-HIDDEN)")

    def key_to_reveal(self, tournament: Tournament) -> str:
        """The key that the log committed to, in hex; empty where it commits to none.

        Raises:
            Refused: it is not here.
        """
        return self._key("it can not be revealed").hex() if tournament.draw_keys else ""

    def _key(self, so: str) -> bytes:
        if not self.shuffle_key:
            raise Refused(
                f"{self.lacks}, so {so}: work at the store that has it, restore it from a backup, "
                "or go on with another one by `key draws`, and what was drawn so far can never be "
                "shown again"
            )
        return self.shuffle_key

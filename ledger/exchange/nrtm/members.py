"""The members of an NRTM file before they mean anything: named without case, all others counted.

Variants met: Cobra writes `player1` and `player2` with `combinedScore`. AesopsTables writes
`corpPlayer` and `runnerPlayer` (an id, or the text `(BYE)`), scores as text, `tableNumber`, and in
an elimination `winner_id` and `loser_id`; its tables become tables of the first kind here.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import fields

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, PUBLISHED, Passed
from ledger.exchange.nrtm.document import (
    NrtmDocument,
    NrtmPairing,
    NrtmPlayer,
    NrtmQualifier,
    NrtmSide,
)
from ledger.exchange.odd_tables import LISTED_TWICE
from ledger.files.access import one_line

REASONS = {
    "matchPoints": PUBLISHED,
    "strengthOfSchedule": PUBLISHED,
    "extendedStrengthOfSchedule": PUBLISHED,
    "sideBalance": PUBLISHED,
    "cut rank": "it follows from the games",
    LISTED_TWICE: "it is one match",
    "cut name": "the players' list has it",
    "tournamentOrganiser": NO_PLACE,
    "links": NO_PLACE,
    "intentionalDraw": "the score says it",
    "twoForOne": "the score says it",
    "table corpIdentity": "the player's is taken",
    "table runnerIdentity": "the player's is taken",
    "player1 role": NO_PLACE,
    "player2 role": NO_PLACE,
    "loser_id": "the winner says it",
    "table without players": "nobody sits there",
}
"""Why a member that is known is not taken."""

PUBLISHED_MEMBERS = ("matchPoints", "strengthOfSchedule", "extendedStrengthOfSchedule")
_BYE = re.compile(r"\W*bye\W*", re.IGNORECASE)
_AESOPS = ("corpPlayer", "runnerPlayer", "corpScore", "runnerScore", "tableNumber", "winner_id")
Raw = dict[str, Any]


def _names(kind: type) -> dict[str, str]:
    """Return the members of a struct as a file writes them, by their name without case."""
    return {field.encode_name.lower(): field.encode_name for field in fields(kind)}


_DOCUMENT, _PLAYER, _QUALIFIER, _SIDE = map(
    _names, (NrtmDocument, NrtmPlayer, NrtmQualifier, NrtmSide)
)
_PAIRING = _names(NrtmPairing) | {name.lower(): name for name in (*_AESOPS, "loser_id")}


class Members:
    """Names the members of one file as the reader knows them, and counts the others."""

    def __init__(self) -> None:
        self.passed = Passed(REASONS)

    def document(self, raw: object) -> object:
        """Return the whole so. Raises InvalidLog: a member twice, or tables of no known kind."""
        if not isinstance(raw, dict):
            return raw
        found = self._known("", raw, _DOCUMENT)
        if "rounds" not in found and ("players" in found or len(raw) > len(found)):
            shown = ", ".join(sorted(one_line(str(name))[:40] for name in raw)[:12])
            raise InvalidLog(f"has no member rounds, so that no table can be read; it has {shown}")
        for name, of, known in (
            ("players", "player", _PLAYER),
            ("eliminationPlayers", "cut", _QUALIFIER),
        ):
            if isinstance(found.get(name), list):
                found[name] = [self._object(of, each, known) for each in found[name]]
        if isinstance(found.get("rounds"), list):
            rounds = enumerate(found["rounds"], start=1)
            found["rounds"] = [self._round(number, each) for number, each in rounds]
        return found

    def _round(self, number: int, raw: object) -> object:
        if not isinstance(raw, list):
            return raw
        return [self._table(f"round {number}, table {place}", each)
                for place, each in enumerate(raw, start=1)]  # fmt: skip

    def _table(self, where: str, raw: object) -> object:
        if not isinstance(raw, dict):
            return raw
        found = self._known("table", raw, _PAIRING)
        if not found.keys() & {"player1", "player2", "corpPlayer", "runnerPlayer"}:
            shown = ", ".join(sorted(one_line(str(name))[:40] for name in raw)[:8]) or "nothing"
            raise InvalidLog(
                f"{where} has neither player1 and player2 nor corpPlayer and runnerPlayer, "
                f"but {shown}"
            )
        if found.keys() & {"corpPlayer", "runnerPlayer"}:
            found = self._of_aesops(found)
        for side in ("player1", "player2"):
            found[side] = self._object(side, found.get(side), _SIDE)
        return found

    def _of_aesops(self, raw: Raw) -> Raw:
        winner = raw.get("winner_id")
        if "loser_id" in raw:
            self.passed.add("table loser_id")
        table: Raw = {"table": raw.get("tableNumber", raw.get("table"))}
        for side, seat, score in (
            ("player1", "corpPlayer", "corpScore"),
            ("player2", "runnerPlayer", "runnerScore"),
        ):
            key = raw.get(seat)
            is_bye = isinstance(key, str) and bool(_BYE.fullmatch(key))
            own = raw.get(score)
            table[side] = {
                "id": None if is_bye else key,
                "combinedScore": own if own != "" else None,
            }
            if winner is not None and not is_bye:
                table[side]["winner"] = str(winner) == str(key)
        if raw.get("eliminationGame") is not None:
            table["eliminationGame"] = raw["eliminationGame"]
        return table

    def _object(self, of: str, raw: object, known: dict[str, str]) -> object:
        return self._known(of, raw, known) if isinstance(raw, dict) else raw

    def _known(self, of: str, raw: Raw, known: dict[str, str]) -> Raw:
        found: Raw = {}
        for name, value in raw.items():
            if (member := known.get(name.lower())) is None:
                self.passed.add(f"{of} {name}".strip())
            elif member in found:
                raise InvalidLog(f"has `{member}` twice, in another case")
            else:
                found[member] = value
                if member in PUBLISHED_MEMBERS or (of, member) == ("cut", "rank"):
                    self.passed.add(f"{of} {name}")
        return found

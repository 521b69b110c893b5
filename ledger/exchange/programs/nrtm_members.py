"""The members of an NRTM/Cobra file, named without case, and its players; all others are counted.

Programs write numbers as text, leave members out or put null: what a tournament can do without is
optional, and the rest is asked for where it is used.

Variants met: Cobra writes `player1` and `player2` with `combinedScore`. AesopsTables writes
`corpPlayer` and `runnerPlayer` (an id, or the text `(BYE)`), scores as text, `tableNumber`, and in
an elimination `winner_id` and `loser_id`; its tables become tables of the first kind here.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, PUBLISHED, Passed
from ledger.exchange.foreign import LISTED_TWICE, ForeignPlayer, PublishedRow
from ledger.facts.base import PLAYERS_MAX
from ledger.files.access import one_line
from ledger.problems import marked, phrase

TEXT_MAX = 1_000
"""The longest name or identity, in characters."""

Key = int | str | None
"""An id, a number or a text; null is nobody."""


Published = int | float | str | None
"""A number as a file publishes it, as such or as text."""


class Member(Struct, frozen=True, rename="camel"):
    """An object of the file."""


class Keyed(Member, frozen=True):
    """Somebody whom the file calls by an id."""

    id: Key = None

    @property
    def key(self) -> str:
        """The id as text, so that 17 and "17" are one; "" for nobody."""
        return "" if self.id is None else str(self.id)


class NrtmSide(Keyed, frozen=True):
    """One player at a table; only an elimination game has a winner."""

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


class NrtmPlayer(Keyed, frozen=True):
    """A player with the published place in the Swiss rounds."""

    name: str | None = None
    rank: int | None = None
    corp_identity: str | None = None
    runner_identity: str | None = None
    match_points: Published = None
    strength_of_schedule: Published = None
    extended_strength_of_schedule: Published = None


class NrtmQualifier(Keyed, frozen=True):
    """A place of the cut; without an id it is not decided whose it is."""

    name: str | None = None
    seed: int | None = None
    rank: int | None = None


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


def players_of(document: NrtmDocument) -> tuple[ForeignPlayer, ...]:
    """Return everybody in the file's order, those who are only in the cut last.

    The published ranks become one row from 1 without gaps or ties; players without one come last.

    Raises:
        InvalidLog: two have one id, a text is too long, or there are too many players.
    """
    listed = document.players or []
    if len(listed) > PLAYERS_MAX:
        raise InvalidLog(
            phrase(
                "{listed} players: a log can have at most {players_max}",
                listed=f"{len(listed):,}",
                players_max=f"{PLAYERS_MAX:,}",
            )
        )
    for place, player in enumerate(listed, start=1):
        texts = filter(None, (player.name, player.corp_identity, player.runner_identity))
        if any(len(text) > TEXT_MAX for text in texts):
            raise InvalidLog(
                phrase(
                    "player {place} has a text of more than {text_max} characters",
                    place=place,
                    text_max=f"{TEXT_MAX:,}",
                )
            )
    keys = _keys(listed)
    found = [(key, one.name, one.rank, _sides(one)) for key, one in zip(keys, listed, strict=True)]
    known = set(keys)
    for qualifier in document.elimination_players or []:
        if (key := qualifier.key) and key not in known:
            known.add(key)
            found.append((key, qualifier.name, None if listed else qualifier.seed, {}))
    ranked = sorted(range(len(found)), key=lambda at: (found[at][2] is None, found[at][2] or 0))
    ranks = {place: rank for rank, place in enumerate(ranked, start=1)}
    return tuple(
        ForeignPlayer(key, name or f"player {place + 1}", ranks[place], sides)
        for place, (key, name, _, sides) in enumerate(found)
    )


def published_in(document: NrtmDocument) -> tuple[PublishedRow, ...]:
    """Return the standings that the file publishes."""
    listed = document.players or []
    rows = []
    for place, (key, one) in enumerate(zip(_keys(listed), listed, strict=True), start=1):
        figures = {
            "points": one.match_points,
            "SOS": one.strength_of_schedule,
            "ESOS": one.extended_strength_of_schedule,
        }
        shown = {code: str(value) for code, value in figures.items() if value not in (None, "")}
        rank = one.rank if one.rank and one.rank > 0 else 0
        rows.append(PublishedRow(key, rank, shown, f"player {place}"))
    return tuple(rows)


def _keys(listed: list[NrtmPlayer]) -> list[str]:
    """Return one key each; a player without an id is in no round, and gets a key of its own."""
    places: dict[str, int] = {}
    for place, player in enumerate(listed, start=1):
        key = player.key or f"\0{place}"
        if key in places:
            raise InvalidLog(
                phrase(
                    "players {places} and {place} have the same id, {one_line}",
                    places=places[key],
                    place=place,
                    one_line=one_line(key),
                )
            )
        places[key] = place
    return list(places)


def _sides(player: NrtmPlayer) -> dict[str, str]:
    sides = {"corp": player.corp_identity, "runner": player.runner_identity}
    return {side: identity for side, identity in sides.items() if identity}


REASONS = {
    "matchPoints": PUBLISHED,
    "strengthOfSchedule": PUBLISHED,
    "extendedStrengthOfSchedule": PUBLISHED,
    "sideBalance": PUBLISHED,
    "cut rank": marked("it follows from the games"),
    LISTED_TWICE: marked("it is the same match"),
    "cut name": marked("it is in the list of players"),
    "tournamentOrganiser": NO_PLACE,
    "links": NO_PLACE,
    "intentionalDraw": marked("it follows from the score"),
    "twoForOne": marked("it follows from the score"),
    "table corpIdentity": marked("the identity in the list of players is used"),
    "table runnerIdentity": marked("the identity in the list of players is used"),
    "player1 role": NO_PLACE,
    "player2 role": NO_PLACE,
    "loser_id": marked("it follows from the winner"),
    "table without players": marked("it has no players"),
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
            raise InvalidLog(
                phrase(
                    "has no member 'rounds', so there are no tables; its members are {shown}",
                    shown=shown,
                )
            )
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
                phrase(
                    "{where} has neither player1 and player2 nor corpPlayer and runnerPlayer; it "
                    "has {shown}",
                    where=where,
                    shown=shown,
                )
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
                raise InvalidLog(
                    phrase("has `{member}` twice, in upper and lower case", member=member)
                )
            else:
                found[member] = value
                if member in PUBLISHED_MEMBERS or (of, member) == ("cut", "rank"):
                    self.passed.add(f"{of} {name}")
        return found

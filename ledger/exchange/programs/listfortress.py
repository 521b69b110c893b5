"""ListFortress files: X-Wing events as JSON, as its public API gives a tournament.

Shape: https://listfortress.com/api/v1/tournaments/ID, as read by chrisalleng/listfortress-ripper.
`participants` have the published `score`, `mov` and `sos` (two decimals as text) and `swiss_rank`;
`rounds` have `roundtype_id` (1 Swiss, 2 elimination), `round_number` and `matches` with
`player1_points`, `player2_points`, `result` and `winner_id`.

Variants met: rounds newest first; elimination rounds numbered by who is left (8, 4, 2) or from 1;
`swiss_rank` 99 for who dropped; a bye has null for `player2_id` and its points, and `result` "bye".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, NOT_COMPARED, PUBLISHED, Passed
from ledger.exchange.foreign import (
    LISTED_TWICE,
    ForeignGame,
    ForeignPlayer,
    ForeignRound,
    PublishedRow,
)
from ledger.exchange.programs.building import (
    FileParts,
    Raw,
    assembled,
    day_of,
    decoded,
    objects,
    result_of,
    text_of,
    whole_of,
)
from ledger.files.access import one_line
from ledger.problems import marked, phrase
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

KIND = "listfortress"
ELIMINATION = 2
UNRANKED = 99
FIGURES = {"points": "score", "MOV": "mov", "SOS": "sos"}
"""Which member publishes which figure."""

_DOCUMENT = ("id", "name", "date", "participants", "rounds")
_PLAYER = ("id", "name", "dropped")
_ROUND = ("id", "roundtype_id", "round_number", "matches")
_MATCH = (
    "id", "player1_id", "player1_points", "player2_id", "player2_points", "result", "winner_id",
)  # fmt: skip
REASONS = {
    "participant score": PUBLISHED, "participant mov": PUBLISHED, "participant sos": PUBLISHED,
    "participant swiss_rank": PUBLISHED, "participant top_cut_rank": NOT_COMPARED,
    "list_points": NO_PLACE,
    "list_json": marked("submit a list with its format, not with a tournament"),
    "tournament_id": marked("it is the number of the file"),
    "rounds without matches": marked("they have no players"),
    "match without players": marked("it names no player"),
    LISTED_TWICE: marked("it is the same match"),
    **dict.fromkeys(
        ("location", "state", "country", "format_id", "version_id", "tournament_type_id",
         "created_at", "updated_at"), NO_PLACE),
}  # fmt: skip


def is_listfortress(raw: object) -> bool:
    """Whether JSON is of this shape."""
    return isinstance(raw, dict) and "participants" in raw and "rounds" in raw


def read_listfortress(
    data: bytes, ruleset: str, name: str = "", day: str = ""
) -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by round and match.
    """
    raw = decoded(data)
    if not isinstance(raw, dict):
        raise InvalidLog(phrase("is not a ListFortress tournament"))
    reader = _Reader(parse(ruleset))
    reader.passed.members("", raw, _DOCUMENT)
    reader.parts.name = name or text_of(raw.get("name"))
    reader.parts.day = day or day_of(raw.get("date"))
    for place, each in enumerate(objects(raw, "participants"), start=1):
        reader.player(place, each)
    reader.parts.refuse()
    reader.rounds(objects(raw, "rounds"))
    return assembled(KIND, data, reader.parts, ruleset, reader.passed)


class _Reader:
    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)

    def player(self, place: int, raw: Raw) -> None:
        """Take a participant, and the row that is published of them."""
        self.passed.members("participant", raw, _PLAYER)
        key, name = text_of(raw.get("id")), text_of(raw.get("name")).strip()
        if not key or key in self.parts.players:
            why = phrase("participant {place} has no id", place=place)
            if key:
                why = phrase(
                    "participant {place} has the id {id} of another participant",
                    place=place,
                    id=one_line(key),
                )
            self.parts.problems.append(why)
            return
        rank = whole_of(raw.get("swiss_rank")) or 0
        if place_of := whole_of(raw.get("top_cut_rank")):
            self.parts.final_places[key] = place_of
        self.parts.players[key] = ForeignPlayer(key, name or f"player {place}", place, {})
        figures = {code: text_of(raw.get(member)) for code, member in FIGURES.items()}
        shown = {code: text for code, text in figures.items() if text}
        rank = rank if 0 < rank < UNRANKED else 0
        self.parts.published.append(PublishedRow(key, rank, shown, f"participant {place}"))

    def rounds(self, listed: list[Raw]) -> None:
        """Take the rounds in the order in which they were played."""
        for raw in listed:
            self.passed.members("round", raw, _ROUND)
            if not objects(raw, "matches"):
                self.passed.add(marked("rounds without matches"))
        played = [raw for raw in listed if objects(raw, "matches")]
        swiss = [raw for raw in played if whole_of(raw.get("roundtype_id")) != ELIMINATION]
        cut = [raw for raw in played if whole_of(raw.get("roundtype_id")) == ELIMINATION]
        for number, raw in enumerate(sorted(swiss, key=_number), start=1):
            self.parts.swiss.append(self._round(f"round {number}", raw, elimination=False))
        for raw in sorted(cut, key=lambda raw: (-len(raw["matches"]), _number(raw))):
            where = f"elimination round {_number(raw)}"
            self.parts.elimination.append(self._round(where, raw, elimination=True))

    def _round(self, where: str, raw: Raw, *, elimination: bool) -> ForeignRound:
        tables = self.parts.tables()
        for place, match in enumerate(reversed(raw["matches"]), start=1):
            self.passed.members("match", match, _MATCH)
            at = f"{where}, match {place}"
            first, second = text_of(match.get("player1_id")), text_of(match.get("player2_id"))
            keys = [key for key in (first, second) if key]
            for key in keys:
                self._know(at, key)
            if not keys:
                self.passed.add(marked("match without players"))
            elif not tables.add(self._game(at, match, keys, elimination=elimination), _said(match)):
                self.parts.undecided.pop(at, None)
                self.passed.add(LISTED_TWICE)
        return ForeignRound(elimination, tables.games, place=where)

    def _know(self, at: str, key: str) -> None:
        """Add a player whom only a match names."""
        if key not in self.parts.players:
            place, name = len(self.parts.players) + 1, f"participant {one_line(key)}"
            self.parts.players[key] = ForeignPlayer(key, name, place, {})
            self.parts.odd(
                at,
                phrase("no participant has the id {key}", key=key),
                phrase("entered as {name}", name=name),
            )

    def _game(self, at: str, raw: Raw, keys: list[str], *, elimination: bool) -> ForeignGame:
        if len(keys) == 1:
            word = text_of(raw.get("result"))
            if _points_in(raw) or word not in {"", "bye"}:
                published = phrase(
                    "{said} and {value} without an opponent",
                    said=_said(raw),
                    value=word or "no result",
                )
                self.parts.odd(at, published, phrase("entered as a bye"))
            return ForeignGame(keys[0], place=at)
        first, second = whole_of(raw.get("player1_points")), whole_of(raw.get("player2_points"))
        winner = text_of(raw.get("winner_id"))
        if winner and winner not in keys:
            said = phrase(
                "{said}, but the winner {winner} does not play in it",
                said=_said(raw),
                winner=winner,
            )
            self.parts.odd(at, said, phrase("entered by the points"))
            winner = ""
        is_whole = first is not None and second is not None
        if not is_whole and (winner or _points_in(raw)):
            entered = (
                phrase("missing points are entered as 0")
                if winner
                else phrase("no result is entered")
            )
            self.parts.odd(at, _said(raw), entered)
        if not is_whole and not winner:
            return ForeignGame(keys[0], keys[1], place=at)
        full = self._rules.full_win
        claimed = {keys[0]: full.name, keys[1]: full.against}.get(winner, "")
        facts = {"score": (first or 0, second or 0)}
        result = result_of(self.parts, self._rules, at, facts, claimed, elimination=elimination)
        if result is not None:
            winner = {"win": keys[0], "loss": keys[1]}.get(result.outcomes[0], "")
        elif elimination and not winner and first != second:
            winner = keys[0] if (first or 0) > (second or 0) else keys[1]
        return ForeignGame(keys[0], keys[1], winner=winner, result=result, place=at)


def _points_in(raw: Raw) -> bool:
    """Return whether a match has points of either side, even if they cannot be read."""
    return any(
        text_of(raw.get(side)) not in {"", "0"} for side in ("player1_points", "player2_points")
    )


def _said(raw: Raw) -> str:
    return f"{text_of(raw.get('player1_points'))}:{text_of(raw.get('player2_points'))}"


def _number(raw: Raw) -> int:
    return whole_of(raw.get("round_number")) or 0

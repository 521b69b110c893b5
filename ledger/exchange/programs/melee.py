"""Magic events as collectors of published results keep them: rounds with players, and standings.

Shape: the `CacheItem` of github.com/Badaro/MTGODecklistCache, which holds events of Melee and of
others: `{"Tournament": {"Date", "Name", "Uri", "Formats"}, "Rounds": [{"RoundName", "Matches":
[{"Player1", "Player2", "Result": "2-1-0"}]}], "Standings": [{"Rank", "Player", "Points", "Wins",
"Losses", "Draws", "OMWP", "GWP", "OGWP"}], "Decks": [...]}`.

Variants met: members in another case; a bye has `-` for a player, on either side; a lost one is a
round missed; a draw, or any match, once from each side; rounds called `Round 3`, `Swiss 3`,
`Quarterfinals`, `Top 8`; percentages of 1 or of 100; `Rounds` or `Standings` null. Playoffs with
the names of Swiss rounds, and a second day for those with the most points, are left as they are:
the plain reading has every `Round 3` as Swiss, and no cut (`foreign.cut_after` makes one).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from itertools import pairwise
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
from ledger.exchange.sheets.cells import is_nobody
from ledger.facts.people import name_key
from ledger.files.access import one_line
from ledger.problems import marked, phrase
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

KIND = "melee"
FIGURES = {"points": "points", "OMW": "omwp", "GW": "gwp", "OGW": "ogwp"}
"""Which member publishes which figure, without case."""

PERCENT_FROM = Decimal("1.5")
NUMBER_MAX = 20
_PLACE = re.compile(r"([0-9]{1,4})(?:st|nd|rd|th) place", re.IGNORECASE)
REASONS = {
    "decks": marked("submit a list with its format, not with a tournament"),
    **dict.fromkeys(("tournament uri", "tournament formats", "tournament jsonfile"), NO_PLACE),
    **dict.fromkeys(
        ("row rank", "row points", "row omwp", "row gwp", "row ogwp"), PUBLISHED),
    **dict.fromkeys(("row wins", "row losses", "row draws"), NOT_COMPARED),
    "row without a player": marked("it names no player"),
    "match without players": marked("it names no player"),
    LISTED_TWICE: marked("it is the same match"),
}  # fmt: skip
_RESULT = re.compile(r"([0-9]{1,3}) ?- ?([0-9]{1,3})(?: ?- ?([0-9]{1,3}))?")
_SWISS = re.compile(r"(?:swiss ?)?(?:round|r)? ?#?([0-9]{1,3})", re.IGNORECASE)


def _lower(raw: Raw) -> Raw:
    return {name.lower(): value for name, value in raw.items()}


def is_melee(raw: object) -> bool:
    """Whether JSON is of this shape."""
    if not isinstance(raw, dict):
        return False
    names = _lower(raw)
    rounds = names.get("rounds")
    of_objects = isinstance(rounds, list) and bool(rounds) and isinstance(rounds[0], dict)
    return isinstance(names.get("tournament"), dict) and (of_objects or "standings" in names)


def read_melee(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by round and match.
    """
    raw = decoded(data)
    if not isinstance(raw, dict):
        raise InvalidLog(phrase("is not a Magic tournament"))
    document = _lower(raw)
    reader = _Reader(parse(ruleset))
    about = document.get("tournament")
    head = _lower(about) if isinstance(about, dict) else {}
    reader.passed.members("", document, ("tournament", "rounds", "standings"))
    reader.passed.members("tournament", head, ("name", "date"))
    reader.parts.name = name or text_of(head.get("name"))
    reader.parts.day = day or day_of(head.get("date"))
    for place, each in enumerate(objects(document, "rounds"), start=1):
        reader.round(place, _lower(each))
    reader.standings(objects(document, "standings"))
    reader.final_places(objects(document, "decks"))
    reader.places_by_rank()
    return assembled(KIND, data, reader.parts, ruleset, reader.passed)


class _Reader:
    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)

    def round(self, place: int, raw: Raw) -> None:
        """Take a round; without a number in its name it is of the elimination."""
        self.passed.members("round", raw, ("roundname", "matches"))
        name = text_of(raw.get("roundname")).strip() or f"Round {place}"
        where, is_swiss = one_line(name), bool(_SWISS.fullmatch(name))
        if is_swiss and self.parts.elimination:
            self.parts.problems.append(
                phrase("{where} is a Swiss round after the elimination", where=where)
            )
        tables = self.parts.tables()
        missed: list[str] = []
        for number, match in enumerate(map(_lower, objects(raw, "matches", f"{where}: ")), start=1):
            self.passed.members("match", match, ("player1", "player2", "result"))
            at = f"{where}, match {number}"
            game, is_missed = self._match(at, match, elimination=not is_swiss)
            if not (game.first or game.second):
                self.passed.add(marked("match without players"))
            elif is_missed and not is_swiss:
                who = self.parts.name_of(game.first)
                self.parts.odd(
                    at,
                    phrase("{who} lost without an opponent", who=who),
                    phrase("the row is left out"),
                )
            elif is_missed and tables.has_missed(game.first):
                self.passed.add(LISTED_TWICE)
            elif is_missed:
                missed += [game.first] if tables.miss(game.first, at) else []
            elif not tables.add(game, text_of(match.get("result"))):
                self.parts.undecided.pop(at, None)
                self.passed.add(LISTED_TWICE)
        if not (tables.games or missed):
            self.parts.leave_out(where)
            return
        title = _SWISS.fullmatch(name)
        if title and int(title[1]) != len(self.parts.swiss) + 1:
            place = len(self.parts.swiss) + 1
            self.parts.notes.append(
                phrase(
                    "{where} is entered as round {place}, by the order of the file",
                    where=where,
                    place=place,
                )
            )
        rounds = self.parts.swiss if is_swiss else self.parts.elimination
        rounds.append(ForeignRound(not is_swiss, tables.games, tuple(missed), place=where))

    def _match(self, at: str, raw: Raw, *, elimination: bool) -> tuple[ForeignGame, bool]:
        """Return a game, and whether it is a round missed."""
        first, second = (self._key(raw.get(side)) for side in ("player1", "player2"))
        found = _RESULT.fullmatch(text_of(raw.get("result")).strip())
        numbers = [int(each or 0) for each in found.groups()] if found else []
        if not (first and second):
            own, other = numbers[:2] if numbers else (0, 0)
            if (first or second) and own == other and any(numbers):
                published = phrase(
                    "{result} without an opponent", result=text_of(raw.get("result"))
                )
                self.parts.odd(at, published, phrase("entered as a bye"))
            is_missed = own < other if first else other < own
            return ForeignGame(first or second, place=at), is_missed
        word = text_of(raw.get("result")).strip()
        if not numbers:
            if not is_nobody(word):
                why = phrase("{word} is not a result such as 2-1-0", word=repr(one_line(word)))
                self.parts.odd(at, why, phrase("no result is entered"))
            return ForeignGame(first, second, place=at), False
        facts = {"games": (numbers[0], numbers[1]), "drawn": (numbers[2], numbers[2])}
        result = result_of(self.parts, self._rules, at, facts, elimination=elimination)
        won = result.outcomes[0] if result is not None else ""
        winner = first if won == "win" else second if won == "loss" else ""
        return ForeignGame(first, second, winner=winner, result=result, place=at), False

    def _key(self, value: object) -> str:
        name = " ".join(text_of(value).split())
        key = name_key(name)
        if is_nobody(name):
            return ""
        self.parts.players.setdefault(
            key, ForeignPlayer(key, name, len(self.parts.players) + 1, {})
        )
        return key

    def standings(self, listed: list[Raw]) -> None:
        """Take the rows that are published."""
        for place, raw in enumerate(map(_lower, listed), start=1):
            self.passed.members("row", raw, ("player",))
            if not (key := self._key(raw.get("player"))):
                self.passed.add(marked("row without a player"))
                continue
            figures = {code: text_of(raw.get(member)) for code, member in FIGURES.items()}
            shown = {code: text for code, text in figures.items() if text}
            rank, at = whole_of(raw.get("rank")) or 0, f"standings, row {place}"
            self.parts.published.append(PublishedRow(key, max(0, rank), shown, at))
        for code in ("OMW", "GW", "OGW"):
            self._as_shares(code)

    def _as_shares(self, code: str) -> None:
        """Divide a column by a hundred where it has percentages."""
        rows = self.parts.published
        numbers = {row.key: _decimal(row.figures.get(code, "")) for row in rows}
        if any(number > PERCENT_FROM for number in numbers.values()):
            for row in rows:
                if code in row.figures:
                    row.figures[code] = f"{numbers[row.key].scaleb(-2):f}"

    def places_by_rank(self) -> None:
        """Take the published ranks as final places, if they follow the elimination.

        They do if they put nobody before a player who came further, though by the points somebody
        would be. If the points give the same order, the ranks may be those of the Swiss rounds.
        """
        rounds = list(enumerate(self.parts.elimination, start=1))
        reached = {key: number for number, round_ in rounds for key in round_.present}
        rows = sorted((row.rank, row.key, row) for row in self.parts.published if row.rank)
        top = [row for _, _, row in rows[: len(reached)]]
        if self.parts.final_places or {row.key for row in top} != reached.keys():
            return
        points = [_decimal(row.figures.get("points", "")) for row in top]
        by_points = all(one >= other for one, other in pairwise(points))
        depths = [reached[row.key] for row in top]
        if not by_points and all(one >= other for one, other in pairwise(depths)):
            self.parts.final_places = {row.key: row.rank for row in top}

    def final_places(self, decks: list[Raw]) -> None:
        """Take the places after the elimination, which only the lists of decks name."""
        for raw in map(_lower, decks):
            found = _PLACE.fullmatch(text_of(raw.get("result")).strip())
            key = name_key(" ".join(text_of(raw.get("player")).split()))
            if found and key in self.parts.players:
                self.parts.final_places.setdefault(key, int(found[1]))


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text.strip().removesuffix("%").replace(",", "."))
    except InvalidOperation:
        return Decimal(0)
    return number if number.is_finite() and abs(number.adjusted()) < NUMBER_MAX else Decimal(0)

"""Go events as OpenGotha keeps them: its XML, read without entities or a document type.

Description: the files that github.com/lucvannier/opengotha saves (`Tournament`, `Players/Player`,
`Games/Game`, `ByePlayers/ByePlayer`, `TournamentParameterSet/GeneralParameterSet`). A player goes
by the name and the first name in capitals, without blanks.

Variants met: handicaps; teams beside the players; no game yet (refused); attributes left out;
results with `_BYDEF` for games that were not played; rounds counted from 1; MM scores from rank,
bar and floor, with `smmsCorrection`; rounds missed by `participating`, worth what the file's
settings say, rounded down or not. The file publishes no standings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, Passed
from ledger.exchange.foreign import ForeignGame, ForeignPlayer, ForeignRound
from ledger.exchange.odd_tables import LISTED_TWICE
from ledger.exchange.programs.building import (
    FileParts,
    assembled,
    counts_stones,
    day_of,
    handicapped,
    is_number,
)
from ledger.files.access import one_line
from ledger.rulesets import parse
from ledger.tournament import scoring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.results import Result
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

KIND = "opengotha"
BYTES_MAX = 20_000_000
ATTRIBUTES_MAX = 400_000
"""Attributes of a document: twenty of each of 8,000 players, and eight of each game."""
DEPTH_MAX = 20
LOWEST = -30
"""30 kyu, where MM scores begin."""

WANTED = frozenset({"Player", "Game", "ByePlayer", "GeneralParameterSet"})
REASONS = {
    "handicap": "the ruleset has no handicap",
    **dict.fromkeys(
        ("HandicapParameterSet", "PlacementParameterSet", "PairingParameterSet", "DPParameterSet",
         "PublishParameterSet", "TeamTournamentParameterSet", "ClubsGroups", "ClubsGroup"),
        NO_PLACE),
    "PlacementCriterion": "the ruleset says how players are ranked",
    LISTED_TWICE: "it is one match",
    **dict.fromkeys(
        ("grade", "ratingOrigin", "registeringStatus", "agaId", "ffgLicence", "ffgLicenceStatus",
         "agaExpirationDate", "endDate", "location", "director"), NO_PLACE),
}  # fmt: skip
_KNOWN = {
    "Player": frozenset(
        {"name", "firstName", "rank", "country", "club", "egfPin", "rating", "smmsCorrection",
         "participating"}
    ),
    "Game": frozenset(
        {"roundNumber", "tableNumber", "whitePlayer", "blackPlayer", "handicap", "result",
         "knownColor"}
    ),
    "ByePlayer": frozenset({"player", "roundNumber"}),
    "GeneralParameterSet": frozenset(
        {"name", "shortName", "beginDate", "numberOfRounds", "genMMBar", "genMMFloor",
         "genMMS2ValueAbsent", "genRoundDownNBWMMS"}
    ),
}  # fmt: skip
"""The attributes that are read."""

_OUTER = frozenset({
    "Tournament", "Players", "Games", "ByePlayers", "TournamentParameterSet", "PlacementCriteria",
})  # fmt: skip
RESULTS = {
    "RESULT_WHITEWINS": "W", "RESULT_BLACKWINS": "L", "RESULT_EQUAL": "D", "RESULT_UNKNOWN": "",
}  # fmt: skip
ABSENCES = {
    "RESULT_WHITEWINS_BYDEF": (False, True), "RESULT_BLACKWINS_BYDEF": (True, False),
    "RESULT_BOTHLOSE_BYDEF": (True, True), "RESULT_BOTHLOSE": (True, True),
    "RESULT_BOTHLOOSE": (True, True), "RESULT_BOTHLOOSE_BYDEF": (True, True),
}  # fmt: skip


def is_opengotha(text: str) -> bool:
    """Whether a text begins as such a file does."""
    return bool(re.match(r"\s*(?:<\?xml[^>]*>\s*)?<Tournament\b", text[:2_000]))


Element = tuple[str, dict[str, str], int]


def _refuse_large(data: bytes) -> None:
    """Refuse a document that would take much memory, before any of it is read."""
    if len(data) > BYTES_MAX:
        raise InvalidLog(f"is larger than {BYTES_MAX:,} bytes")
    if max(data.count(b"="), data.count(b"<")) > ATTRIBUTES_MAX:
        raise InvalidLog(f"has more than {ATTRIBUTES_MAX:,} elements or attributes")


def elements(data: bytes) -> tuple[list[Element], list[str]]:
    """Return the elements that mean something, with their lines, and the names of all others.

    Raises:
        InvalidLog: it is no XML, has a document type or entities, or is too large or deep.
    """
    _refuse_large(data)
    found: list[Element] = []
    others: list[str] = []
    parser, depth = expat.ParserCreate(), 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEPTH_MAX:
            raise InvalidLog(f"line {parser.CurrentLineNumber}: elements are nested too deep")
        if name in WANTED:
            found.append((name, attributes, parser.CurrentLineNumber))
        elif name not in _OUTER:
            others.append(name)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: object) -> None:
        raise InvalidLog("has a document type or entities, which are not read")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - as expat has it
    except expat.ExpatError as error:
        raise InvalidLog(
            f"line {error.lineno} is no XML: {expat.ErrorString(error.code)}"
        ) from None
    except (UnicodeError, ValueError, LookupError) as error:
        raise InvalidLog(f"is no XML that can be read: {one_line(str(error))}") from None
    return found, others


def read_opengotha(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line.
    """
    found, others = elements(data)
    reader = _Reader(parse(ruleset))
    for each in others:
        reader.passed.add(each)
    for tag, values, _ in found:
        reader.passed.members(tag, values, _KNOWN[tag])
    about = next((values for tag, values, _ in found if tag == "GeneralParameterSet"), {})
    parts = reader.parts
    parts.name = name or about.get("name", "") or about.get("shortName", "")
    parts.day = day or day_of(about.get("beginDate"), [about.get("endDate", "")])
    for tag, values, line in found:
        if tag == "Player":
            reader.player(line, values, about)
    for tag, values, line in found:
        if tag in {"Game", "ByePlayer"}:
            reader.game(line, values, is_bye=tag == "ByePlayer")
    reader.rounds(about)
    planned = about.get("numberOfRounds", "")
    parts.announced = min(int(planned), 100) if re.fullmatch(r"[0-9]{1,3}", planned) else 0
    return assembled(KIND, data, parts, ruleset, reader.passed)


def key_of(*names: str) -> str:
    """Return how the games name a player: capitals without blanks."""
    return "".join("".join(names).split()).upper()


def level_of(rank: str) -> int | None:
    """Return a rank as a number, 1 kyu as -1 and 1 dan as 0; None where it is no rank."""
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*([kdp])\w*\s*", rank, re.IGNORECASE)
    if not found:
        return None
    own = int(found[1])
    return -own if found[2].lower() == "k" else own - 1


class _Reader:
    """Reads one file, element after element."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)
        self._by_round: dict[int, list[tuple[int, ForeignGame]]] = {}
        self._there: dict[str, str] = {}
        """Who takes part in which rounds, `1` for each, where the file says so."""
        self._halves: dict[str, int] = {}

    def player(self, line: int, values: dict[str, str], about: dict[str, str]) -> None:
        """Take a player."""
        key = key_of(values.get("name", ""), values.get("firstName", ""))
        if not key or key in self.parts.players:
            self.parts.problems.append(f"line {line}: the player has no name, or another's")
            return
        name = " ".join(filter(None, (values.get("name", ""), values.get("firstName", ""))))
        labels = {
            label: values[label] for label in ("rank", "country", "club") if values.get(label)
        }
        pin = values.get("egfPin", "")[:64]
        rank = len(self.parts.players) + 1
        if there := values.get("participating", ""):
            self._there[key] = there
        self.parts.players[key] = ForeignPlayer(
            key, name, rank, labels, league_id=pin, numbers=self._numbers(values, about)
        )

    def _numbers(self, values: dict[str, str], about: dict[str, str]) -> dict[str, int]:
        numbers: dict[str, int] = {}
        start, level = self._rules.start, level_of(values.get("rank", ""))
        if start is not None and level is not None:
            bar, floor = (
                level_of(about.get("genMMBar", "9D")),
                level_of(about.get("genMMFloor", "30K")),
            )
            clamped = max(min(level, 8 if bar is None else bar), LOWEST if floor is None else floor)
            more = values.get("smmsCorrection", "0")
            correction = int(more) if re.fullmatch(r"-?[0-9]{1,2}", more) else 0
            numbers[start.number] = max(0, clamped - LOWEST + correction)
        rating = values.get("rating", "")
        if is_number(rating) and any(one.name == "rating" for one in self._rules.numbers):
            numbers["rating"] = min(int(rating), 4_000)
        return numbers

    def game(self, line: int, values: dict[str, str], *, is_bye: bool) -> None:
        """Take a game, or who had a bye."""
        number = values.get("roundNumber", "")
        if not re.fullmatch(r"[0-9]{1,3}", number) or not int(number):
            self.parts.problems.append(f"line {line}: {one_line(number)!r} is no round")
            return
        seats = ("player",) if is_bye else ("whitePlayer", "blackPlayer")
        keys = [key_of(values.get(seat, "")) for seat in seats]
        if unknown := [key for key in keys if key not in self.parts.players]:
            self.parts.problems.append(f"line {line}: no player is called {one_line(unknown[0])!r}")
            return
        handicap = values.get("handicap", "")
        stones = int(handicap) if re.fullmatch("[0-9]", handicap) else 0
        if handicap not in {"0", ""} and not (stones and counts_stones(self._rules)):
            self.passed.add("handicap")
        table = values.get("tableNumber", "")
        place = int(table) if re.fullmatch(r"[0-9]{1,4}", table) else 9_999
        game = ForeignGame(keys[0], place=f"line {line}")
        if not is_bye:
            result = self._result(line, values.get("result", ""))
            result = handicapped(self._rules, result, stones)
            game = ForeignGame(keys[0], keys[1], result=result, place=f"line {line}")
        self._by_round.setdefault(int(number), []).append((place + 10_000 * is_bye, game))

    def _result(self, line: int, word: str) -> Result | None:
        if word in ABSENCES:
            return scoring.absence(self._rules, ABSENCES[word])
        letter = RESULTS.get(word.removesuffix("_BYDEF"))
        if letter is None:
            self.parts.problems.append(f"line {line}: {one_line(word)!r} is no result")
            return None
        named = [one.name for one in self._rules.outcomes if one.record == letter]
        return scoring.by_outcome(self._rules, named[0]) if named else None

    def _missed(
        self, number: int, seated: set[str], about: dict[str, str]
    ) -> Iterator[ForeignGame]:
        """Yield the byes that rounds missed are worth, by the file's own settings.

        Halves may count in pairs alone: every other one for two, the rest for nothing.
        """
        named = {one.points: one.name for one in self._rules.byes}
        for key, there in self._there.items():
            if key in seated:
                continue
            is_absent = there[number - 1 : number] == "0"
            halves = {"1": 1, "2": 2}.get(about.get("genMMS2ValueAbsent", ""), 0) * is_absent
            if halves == 1 and about.get("genRoundDownNBWMMS") == "true":
                self._halves[key] = self._halves.get(key, 0) + 1
                halves = 0 if self._halves[key] % 2 else 2
            worth = halves * (self._rules.full_win.points or 0) // 2
            if worth in named:
                yield ForeignGame(key, bye=named[worth], place=f"round {number}")

    def rounds(self, about: dict[str, str]) -> None:
        """Put the games into rounds, each by its tables."""
        last = max(self._by_round, default=0)
        for number in range(1, min(last, 100) + 1):
            games = [game for _, game in sorted(self._by_round.get(number, []), key=lambda x: x[0])]
            tables = self.parts.tables()
            for game in games:
                said = f"a {game.result.outcomes[0]}" if game.result else "no result"
                if not tables.add(game, said):
                    self.passed.add(LISTED_TWICE)
            seated = {key for game in tables.games for key in (game.first, game.second) if key}
            if tables.games:
                games = [*tables.games, *self._missed(number, seated, about)]
                self.parts.swiss.append(
                    ForeignRound(elimination=False, games=tuple(games), place=f"round {number}")
                )
            else:
                self.parts.problems.append(f"there is no game of round {number}")

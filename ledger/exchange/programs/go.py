"""Go events: h9 and wallist of the European Go Federation, and the XML of OpenGotha.

Descriptions: the EGD's notes on result files, and `generateH9File` of
github.com/lucvannier/opengotha, for h9; for the XML, which is read without entities or a document
type, the files that this program saves (`Tournament`, `Players/Player`, `Games/Game`,
`ByePlayers/ByePlayer`, `TournamentParameterSet/GeneralParameterSet`).

In h9, lines of `;` give the event (`EV[name]`, `DT[day,day]`) and name the columns of numbers; each
other line is a player: place, name, rank, country, club, numbers, and a mark for each round, as
`12+/w3`: the opponent's line, the result, the colour and the handicap. In the XML a player goes by
the name and the first name in capitals, without blanks.

Variants of h9 met: columns by blanks or tabs; headings of five letters with no blank between them,
as `MMS  SOSSOSOS` (OpenGotha), or by blanks (Pairgoth); zeros to fill four columns; a half in `½`
or, in Latin-9, `?`; marks without colour; `!` for `/` where a game was not played; `0+` a bye, `0=`
half a point, `0-` not paired; handicaps; `?` no result yet; both sides losing; equal places left
blank; `|12345678`, a player's number in the EGD, behind the marks; names that several share; UTF-8,
Latin-1 and Latin-9; any number of columns of numbers; ranks as `5k`.

Variants of the XML met: handicaps; teams beside the players; no game yet (refused); attributes left
out; results with `_BYDEF` for games that were not played; rounds counted from 1; MM scores from
rank, bar and floor, with `smmsCorrection`; rounds missed by `participating`, worth what the file's
settings say, rounded down or not. The file publishes no standings.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, Passed
from ledger.exchange.foreign import (
    LISTED_TWICE,
    ForeignGame,
    ForeignPlayer,
    ForeignRound,
    PublishedRow,
)
from ledger.exchange.programs.building import (
    Cell,
    Crosstables,
    FileParts,
    assembled,
    counts_stones,
    day_of,
    handicapped,
    is_number,
    lines_in,
    ranked_by,
)
from ledger.facts import results
from ledger.files.access import one_line
from ledger.problems import marked, phrase
from ledger.rulesets import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.exchange.foreign import ForeignTournament
    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset

H9 = "h9"
MARK = re.compile(r"([0-9]{1,4})([-+=?])(?:([/!])?([wbh?])?([0-9]?))?", re.IGNORECASE)
RANK = re.compile(r"[0-9]{1,2}(?:[kdp]|dan|kyu)", re.IGNORECASE)
_SAID = re.compile(r";\s*([A-Z]{2})\[(.*)\]")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,4}|[¼½¾?])?|[¼½¾]")
_PARTS = {"¼": ".25", "½": ".5", "¾": ".75", "?": ".5", ",": "."}
HEADING = 5
"""How wide a heading is that has no blank before it."""
FIGURES = {
    "mms": "points", "score": "points", "nbw": "NBW", "sosm": "SOSM", "sos": "SOSM",
    "sosos": "SOSOSM", "sososm": "SOSOSM", "sodos": "SODOSM", "sodosm": "SODOSM", "sosw": "SOSW",
    "sososw": "SOSOSW", "sodosw": "SODOSW", "sosm-1": "SOSM1", "sosm-2": "SOSM2", "cussm": "CUSSM",
    "cussw": "CUSSW", "dc": "DC",
}  # fmt: skip
"""Which column of the headings publishes which figure."""

HEADINGS = frozenset(FIGURES) | {
    "cat",
    "rank",
    "ratin",
    "rating",
    "ext",
    "exr",
    "sdc",
    "sts",
    "sosts",
}
"""Headings as programs write them."""

BY_WINS = {"sos": "SOSW", "sosos": "SOSOSW", "sodos": "SODOSW"}
"""The same where players are ranked by their wins, without points to start from."""

LEAGUE_ID_MAX = 64
H9_REASONS = {
    **dict.fromkeys(("CL", "PC", "HA", "KM", "TM", "CM", "TC", "TA", "remark"), NO_PLACE),
    "handicap": marked("the ruleset has no handicap"),
    "column": marked("the ruleset has no such tiebreaker"),
}  # fmt: skip
_PLAYED = {"+": "win", "-": "loss", "=": "draw", "?": ""}
_DEFAULT = {"+": "came", "-": "absent", "=": "draw", "?": ""}
_ALONE = {"+": "bye", "=": "half", "-": "zero"}


def is_h9(text: str) -> bool:
    """Return whether a text is of this format: a line with a place, a rank and marks of rounds.

    An event without any such round has at least the first line that the format has.
    """
    return text.startswith("; CL[") or any(_split(line) for line in text.splitlines()[:200])


def read_h9(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line and round.
    """
    reader = _ResultLines(parse(ruleset))
    for number, line in lines_in(data, "iso-8859-15"):
        reader.line(number, line)
    reader.rounds()
    parts = reader.parts
    parts.name = name or reader.said.get("EV", "")
    days = reader.said.get("DT", "")
    parts.day = day or day_of(days, days.split(",")[1:])
    ranked = ranked_by(ruleset, reader.codes())
    foreign = assembled(H9, data, parts, ranked or ruleset, reader.passed)
    return replace(foreign, is_ranked=bool(ranked))


class _Line(NamedTuple):
    """What a player's line says."""

    place: str
    name: str
    about: list[str]
    numbers: list[str]
    marks: list[str]
    pin: str


def _split(line: str, columns: int = 0) -> _Line | None:
    """Read a player's line, with at least that number of columns; None for another line."""
    if line.startswith(";") or not line.strip():
        return None
    line, _, pin = line.partition("|")
    tokens = line.split()
    ranks = [at for at, token in enumerate(tokens) if at and RANK.fullmatch(token)]
    if not ranks:
        return None
    begin = 1 if is_number(tokens[0]) else 0
    after = tokens[ranks[0] :]
    marks = len(after)
    while marks > 1 and MARK.fullmatch(after[marks - 1]):
        marks -= 1
    if marks == len(after) or ranks[0] <= begin:
        return None
    first = next(
        (at for at, each in enumerate(after[:marks]) if at and _NUMBER.fullmatch(each)), marks
    )
    if all(map(_NUMBER.fullmatch, after[marks : first + columns])):
        marks = max(marks, first + columns)  # halves in the last columns, written as `12?`
    name = " ".join(tokens[begin : ranks[0]])
    place = tokens[0] if begin else ""
    return _Line(place, name, after[:first], after[first:marks], after[marks:], pin.strip())


def _headings(line: str) -> list[str]:
    """Return the columns of numbers: by blanks, or in cells where no blank is between them."""
    after = line.partition("club")[2]
    words = after.split()
    if all(word in HEADINGS for word in words):
        return words
    cells = [after[at : at + HEADING].strip() for at in range(0, len(after.rstrip()), HEADING)]
    return cells if all(cells) else words


class _ResultLines:
    """Reads one file, line after line."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(H9_REASONS)
        self.said: dict[str, str] = {}
        self._columns: list[str] = []
        self._lines: list[tuple[int, _Line]] = []
        self._rounded: dict[int, int] = {}
        """Whose halves for rounds missed count in pairs alone, and how many there were so far."""

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        if found := _SAID.match(line):
            self.said.setdefault(found[1], found[2].strip())
            if found[1] not in {"EV", "DT"}:
                self.passed.add(found[1])
        elif line.startswith(";"):
            words = line.lower().replace(";", " ").split()
            if words[:2] == ["pl", "name"]:
                self._columns = _headings(line.lower())
            elif words:
                self.passed.add("remark")
        elif found_line := _split(line, len(self._columns)):
            self._lines.append((number, found_line))
        elif line.strip():
            self.parts.problems.append(
                phrase(
                    "line {number} is not a player's line: {text}",
                    number=number,
                    text=repr(one_line(line)[:60]),
                )
            )

    def codes(self) -> list[str]:
        """Return the tiebreakers that the columns rank by, those that the ruleset has."""
        codes = dict.fromkeys(map(self._known.get, self._columns))
        return [code for code in codes if code in self._rules.in_force]

    @property
    def _known(self) -> dict[str, str]:
        return FIGURES if {"mms", "score"} & {*self._columns} else FIGURES | BY_WINS

    def rounds(self) -> None:
        """Make rounds, people and the published rows of the lines of players."""
        table = Crosstables(self._rules, self.parts)
        last = max((len(each.marks) for _, each in self._lines), default=0)
        level = 0
        for ordinal, (number, each) in enumerate(self._lines, start=1):
            level = int(each.place) if each.place else level or ordinal
            self._person(ordinal, number, each, table, level)
        for place in range(last):
            cells = [
                self._cell(ordinal, number, place, each.marks[place])
                for ordinal, (number, each) in enumerate(self._lines, start=1)
                if place < len(each.marks)
            ]
            table.add(f"round {place + 1}", [cell for cell in cells if cell is not None])

    def _person(
        self, ordinal: int, number: int, each: _Line, table: Crosstables, level: int
    ) -> None:
        key = str(ordinal)
        labels = dict(zip(("rank", "country", "club"), each.about, strict=False))
        figures = {}
        codes = self._known
        for column, value in zip(self._columns, each.numbers, strict=False):
            code = codes.get(column, "")
            if code:
                plain = "".join(_PARTS.get(letter, letter) for letter in value)
                figures[code] = "" if code == "points" and table.in_points(plain) is None else plain
            else:
                self.passed.add(f"column {column}")
        points = table.in_points(figures.get("points", ""))
        start = self._start(ordinal, points, each.marks)
        self.parts.players[key] = ForeignPlayer(
            key, each.name, ordinal, labels, league_id=each.pin[:LEAGUE_ID_MAX], numbers=start
        )
        shown = {code: value for code, value in figures.items() if value}
        self.parts.published.append(PublishedRow(key, level, shown, f"line {number}"))

    def _start(self, ordinal: int, points: Fraction | None, marks: list[str]) -> dict[str, int]:
        """Return what a player began with: the published points without those of the rounds.

        Where that is no whole number, halves for rounds missed were rounded down.
        """
        start, unit = self._rules.start, self._rules.full_win.points or 1
        if start is None or points is None:
            return {}
        worth = {"+": unit, "=": unit // 2, "-": 0, "?": 0}
        earned = sum(worth[found[2]] for found in map(MARK.fullmatch, marks) if found)
        begun = points - earned
        if begun % start.worth and sum(mark.startswith("0=") for mark in marks) % 2:
            self._rounded[ordinal] = 0
            begun += 1
        return {start.number: int(begun // start.worth)} if begun >= 0 else {}

    def _cell(self, ordinal: int, number: int, place: int, mark: str) -> Cell | None:
        where, found = (
            f"line {number}, round {place + 1}",
            MARK.fullmatch(mark),
        )
        if found is None:
            self.parts.problems.append(
                phrase(
                    "{where}: {mark} is not a mark such as 12+/w0",
                    where=where,
                    mark=repr(one_line(mark)),
                )
            )
            return None
        stones = int(found[5] or 0)
        if stones and not counts_stones(self._rules):
            self.passed.add("handicap")
        if not int(found[1]):
            kind = _ALONE.get(found[2], "")
            if kind == "half" and ordinal in self._rounded:
                self._rounded[ordinal] += 1
                kind = "zero" if self._rounded[ordinal] % 2 else "full"
            return Cell(where, str(ordinal), "", "", kind) if kind else None
        kinds = _DEFAULT if found[3] == "!" else _PLAYED
        colour = (found[4] or "").lower()
        return Cell(where, str(ordinal), str(int(found[1])), colour, kinds[found[2]], stones)


OPENGOTHA = "opengotha"
BYTES_MAX = 20_000_000
ATTRIBUTES_MAX = 400_000
"""Attributes of a document: twenty of each of 8,000 players, and eight of each game."""
DEPTH_MAX = 20
LOWEST = -30
"""30 kyu, where MM scores begin."""

WANTED = frozenset({"Player", "Game", "ByePlayer", "GeneralParameterSet"})
XML_REASONS = {
    "handicap": marked("the ruleset has no handicap"),
    **dict.fromkeys(
        ("HandicapParameterSet", "PlacementParameterSet", "PairingParameterSet", "DPParameterSet",
         "PublishParameterSet", "TeamTournamentParameterSet", "ClubsGroups", "ClubsGroup"),
        NO_PLACE),
    "PlacementCriterion": marked("the ruleset decides how players are ranked"),
    LISTED_TWICE: marked("it is the same match"),
    **dict.fromkeys(
        ("grade", "ratingOrigin", "registeringStatus", "agaId", "ffgLicence", "ffgLicenceStatus",
         "agaExpirationDate", "endDate", "location", "director"), NO_PLACE),
}  # fmt: skip
_ATTRIBUTES = {
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
OUTCOMES = {
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
        raise InvalidLog(phrase("is larger than {bytes_max} bytes", bytes_max=f"{BYTES_MAX:,}"))
    if max(data.count(b"="), data.count(b"<")) > ATTRIBUTES_MAX:
        raise InvalidLog(
            phrase(
                "has more than {attributes_max} elements or attributes",
                attributes_max=f"{ATTRIBUTES_MAX:,}",
            )
        )


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
            raise InvalidLog(
                phrase(
                    "line {line}: elements are nested too deeply",
                    line=parser.CurrentLineNumber,
                )
            )
        if name in WANTED:
            found.append((name, attributes, parser.CurrentLineNumber))
        elif name not in _OUTER:
            others.append(name)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: object) -> None:
        raise InvalidLog(phrase("has a document type or entities, which are not allowed"))

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - as expat has it
    except expat.ExpatError as error:
        raise InvalidLog(
            phrase(
                "line {line} is not valid XML: {error}",
                line=error.lineno,
                error=expat.ErrorString(error.code),
            )
        ) from None
    except (UnicodeError, ValueError, LookupError) as error:
        raise InvalidLog(phrase("is not valid XML: {error}", error=one_line(str(error)))) from None
    return found, others


def read_opengotha(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line.
    """
    found, others = elements(data)
    reader = _Document(parse(ruleset))
    for each in others:
        reader.passed.add(each)
    for tag, values, _ in found:
        reader.passed.members(tag, values, _ATTRIBUTES[tag])
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
    return assembled(OPENGOTHA, data, parts, ruleset, reader.passed)


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


class _Document:
    """Reads one file, element after element."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(XML_REASONS)
        self._by_round: dict[int, list[tuple[int, ForeignGame]]] = {}
        self._there: dict[str, str] = {}
        """Who takes part in which rounds, `1` for each, where the file says so."""
        self._halves: dict[str, int] = {}

    def player(self, line: int, values: dict[str, str], about: dict[str, str]) -> None:
        """Take a player."""
        key = key_of(values.get("name", ""), values.get("firstName", ""))
        if not key or key in self.parts.players:
            self.parts.problems.append(
                phrase(
                    "line {line}: the player has no name, or the same name as another player",
                    line=line,
                )
            )
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
            self.parts.odd(
                f"line {line}",
                phrase("a game of round {number}", number=f"{number!r}"),
                phrase("the game is left out"),
            )
            return
        seats = ("player",) if is_bye else ("whitePlayer", "blackPlayer")
        keys = [key_of(values.get(seat, "")) for seat in seats]
        if unknown := [key for key in keys if key not in self.parts.players]:
            published = phrase(
                "a game of {unknown}, who is not a player of the file", unknown=f"{unknown[0]!r}"
            )
            self.parts.odd(f"line {line}", published, phrase("the game is left out"))
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
            return results.absence(self._rules, ABSENCES[word])
        letter = OUTCOMES.get(word.removesuffix("_BYDEF"))
        if letter is None:
            self.parts.odd(
                f"line {line}",
                phrase("{word} is not a result", word=f"{word!r}"),
                phrase("no result is entered"),
            )
            return None
        named = [one.name for one in self._rules.outcomes if one.record == letter]
        return results.by_outcome(self._rules, named[0]) if named else None

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
                said = phrase("no result")
                if game.result:
                    said = phrase("a {outcome}", outcome=game.result.outcomes[0])
                if not tables.add(game, said):
                    self.passed.add(LISTED_TWICE)
            seated = {key for game in tables.games for key in (game.first, game.second) if key}
            if tables.games:
                games = [*tables.games, *self._missed(number, seated, about)]
                self.parts.swiss.append(
                    ForeignRound(elimination=False, games=tuple(games), place=f"round {number}")
                )
            else:
                self.parts.leave_out(f"round {number}")

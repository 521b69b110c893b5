"""Chess events in FIDE's Tournament Report File: TRF16, and TRF26 of individual events.

Descriptions: FIDE Handbook C.04 Annex 2 (TRF16) and handbook.fide.com/files/handbook/TRF26.pdf.
A line begins with three characters that name its kind; a player's (001) has fixed columns, ten of
them for each round from column 92: opponent, colour, result. Record 162 gives the worth of results:
a letter and four columns of points, each nine columns behind the one before. Records 202 and 212
list the tie-breaks, 212 with the points (PTS) first.

Variants met: UTF-8, with columns counted in letters or in bytes, and Latin-1; CR, LF or both; lines
cut off after the last round; letters of results in either case; 0000, blanks or nothing for who
was not paired; `+` or `1` without an opponent for a bye of a full point, `=` for half of one; byes
in 240 records; tiebreakers in 202 or 212 records, which the event is then ranked by; the number of
rounds in 142 or XXR; days written day first; national records, DAT lines of Tornelo and ###
remarks, of which those of our own are known again; XXC, 152, 162, 182 and 192 of pairing programs;
a line that counts the columns, and one that names them, above the players; blank lines; players in
the order of their places, or numbered 10, 20, 30; 0 for 0000; blanks for a round that somebody
missed in between; the starting number, 0 or nothing in the place of the rank; no rating, or 0000; a
birth date of zeros; no day and no name, where `--date` says the day; 013 lines and team records,
which are refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.account import NO_PLACE, PUBLISHED, Passed, safe
from ledger.exchange.foreign import ForeignPlayer, PublishedRow
from ledger.exchange.programs.building import (
    Cell,
    Crosstables,
    FileParts,
    assembled,
    day_of,
    is_number,
    lines_in,
    printable,
    ranked_by,
    text_of,
)
from ledger.files.access import one_line
from ledger.problems import marked, phrase
from ledger.rulesets import of_edition, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

ROUND_1, WIDTH = 91, 10
_CELL = re.compile(r"(?:   [0-9]|  [0-9]{2}| [0-9]{3}|[0-9]{4}| {4}) [-wWbB ] .")
PLAYER = re.compile(r"001 [ 0-9]{4} ")
RULER = re.compile(r"[0-9 ]{60,}")
"""A line that counts the columns, as people put it above the players."""

WIN, DRAW, LOSS, ABSENCE, BYE = "W", "D", "L", "A", "P"
_WORTH = re.compile(r"([WDLAPX]) {0,3}([0-9]{1,2}(?:[.,][0-9])?)(?![0-9])")
_MODIFIED = re.compile(r"(BH|FB|SB|PS|ARO|DE)((?:P|[CM][1-9])*)")
"""A tie-break of FIDE with its modifiers, as the ruleset writes its code: BHC1 for BH/C1."""

_PLAIN = frozenset(
    {"WIN", "WON", "BPG", "BWG", "REP", "KS", "AOB", "TPR", "APRO", "PTP", "APPO", "RTNG", "RD"}
)
"""Tie-breaks of FIDE without modifiers."""


def is_trf(text: str) -> bool:
    """Return whether a text is of this format: a line of a player, and only such lines before."""
    for line in text.splitlines()[:400]:
        if PLAYER.match(line):
            return True
        is_line = re.match(r"[0-9A-Z#]{3}(?: |$)", line) or RULER.fullmatch(line)
        if line.strip() and not is_line:
            return False
    return False


def is_columns(line: str) -> bool:
    """Return whether the columns of points, rank and the rounds are where they should be."""
    points, rank = line[80:84].strip(), line[85:89].strip()
    is_points = re.fullmatch(r"[0-9]{0,2}[.,]?[0-9]?", points) and (not rank or is_number(rank))
    cells = (line[at : at + 8].ljust(8) for at in range(ROUND_1, len(line), WIDTH))
    return bool(is_points) and all(map(_CELL.fullmatch, cells))


Worths = dict[str, Fraction]
"""What results are worth, by the letters of record 162."""


def worths_in(records: Iterable[str]) -> Worths:
    """Return what results are worth by records 162, those that they leave out as usual."""
    found: Worths = {
        WIN: Fraction(1),
        DRAW: Fraction(1, 2),
        LOSS: Fraction(0),
        ABSENCE: Fraction(0),
    }
    for record in records:
        for letter, points in _WORTH.findall(record):
            found[letter] = Fraction(points.replace(",", "."))
    return {BYE: found[WIN]} | found


def worths_of(rules: Ruleset) -> Worths | None:
    """Return what a ruleset's results are worth in its points; None if outcomes have none."""
    worths = {one.record: one.points for one in reversed(rules.outcomes)}
    if rules.scoring.kind != "outcome" or worths.get("W") is None or worths.get("L") is None:
        return None
    found = {WIN: Fraction(worths["W"] or 0), LOSS: Fraction(worths["L"] or 0)}
    draw = worths.get("D")
    found[DRAW] = Fraction(draw) if draw is not None else found[WIN] / 2
    found[ABSENCE] = Fraction(rules.unpaired_loss.points)
    return found | {BYE: Fraction(rules.bye.points)}


def unit_of(rules: Ruleset) -> int:
    """Return how many points of a ruleset are written as one: all of a win as chess counts it."""
    found = worths_of(rules)
    if found and found[WIN] and not found[LOSS] and found[DRAW] * 2 == found[WIN]:
        return int(found[WIN])
    return rules.scoring.scale


def worths_record(rules: Ruleset) -> str:
    """Return record 162 of a ruleset; empty if its results are worth what they usually are."""
    found = worths_of(rules)
    if found is None:
        return ""
    worths = {letter: points / unit_of(rules) for letter, points in found.items()}
    if worths == worths_in(()):
        return ""
    letters = (WIN, DRAW, LOSS, ABSENCE, BYE)
    return "162  " + "    ".join(f"{letter}{float(worths[letter]):>4.1f}" for letter in letters)


def with_worths(ruleset: str, worths: Worths) -> tuple[str, int]:
    """Return a ruleset's text in which results are worth what a file says, and one point's unit.

    The text is empty if the ruleset's outcomes cannot have such points.
    """
    rules = parse(ruleset)
    own = worths_of(rules)
    if own is None:
        return "", 0
    letters = (WIN, DRAW, LOSS, ABSENCE, BYE)
    if worths[WIN]:
        scale = own[WIN] / worths[WIN]
        if scale.denominator == 1 and all(own[each] == worths[each] * scale for each in letters):
            return ruleset, int(scale)
    records = [one.record for one in rules.outcomes]
    halves = any((2 * worths[each]).denominator != 1 for each in letters)
    if halves or len(set(records)) != len(records):
        return "", 0
    whole = all(worths[each].denominator == 1 for each in letters) and not rules.scoring.halves
    unit = 1 if whole else 2
    points = {letter: int(worths[letter] * unit) for letter in letters}
    return _edited(ruleset, rules, points), unit


def _edited(ruleset: str, rules: Ruleset, points: Mapping[str, int]) -> str:
    named = {"half": points[DRAW], "full": points[WIN]}
    letter_of = {one.name: one.record for one in rules.outcomes}
    blocks = re.split(r"(?m)^(?=\[)", ruleset)
    for at, block in enumerate(blocks):
        name = re.search(r'(?m)^name = "(.*)"$', block)
        worth = None
        if block.startswith("[[outcomes]]") and name:
            worth = points[letter_of[name[1]]]
        elif block.startswith("[[byes]]") and name:
            worth = named.get(name[1])
        elif block.startswith(("[bye]", "[unpaired_loss]")):
            worth = points[BYE if block.startswith("[bye]") else ABSENCE]
        if worth is not None:
            blocks[at] = re.sub(r"(?m)^points = [0-9]+$", f"points = {worth}", block, count=1)
    return of_edition("".join(blocks), "points of its report")


def codes_in(listed: str) -> list[str]:
    """Return the tie-breaks that a record 202 or 212 lists, by the ruleset's codes."""
    codes = [re.sub(r"[^A-Z0-9]", "", each.upper()) for each in listed.split(",")]
    return [code for code in codes if code not in {"", "PTS"}]


def codes_records(rules: Ruleset) -> list[str]:
    """Return records 202 and 212: the tie-breaks of FIDE, and the order of the standings."""
    codes = [one.code for one in rules.tiebreakers]
    shown = [_with_modifiers(code) for code in codes]
    known = all(code in _PLAIN or _MODIFIED.fullmatch(code) for code in codes)
    records = [f"202 {','.join(shown)}"] if codes and known else []
    return [*records, f"212 {','.join(['PTS', *shown])}"]


def _with_modifiers(code: str) -> str:
    found = _MODIFIED.fullmatch(code)
    if not found:
        return code
    return "/".join([found[1], *re.findall(r"P|[CM][1-9]", found[2])])


KIND = "trf"
TEAMS = frozenset({"013", "300", "310", "320", "330", "352", "362", "801", "802"})
REASONS = {
    **dict.fromkeys(
        ("022", "032", "092", "102", "112", "122", "172", "182", "192", "222", "DAT"), NO_PLACE),
    **dict.fromkeys(("062", "072", "082"), marked("tourney counts it")),
    **dict.fromkeys(("152", "250", "260"), marked("it controls the pairing")),
    **dict.fromkeys(("202", "212"), marked("the ruleset does not have all of these tiebreakers")),
    **dict.fromkeys(("sex", "birth date"), marked("a log does not record it")),
    "052": marked("it is not a date"),
    "132": marked("a log records only the first and the last day"),
    "162": marked("choose a ruleset with these points for results"),
    "240": marked("its round was not played, or the player's line has something else there"),
    "299": marked("it names no round, or a result that its round already has"),
    "###": marked("it is a remark"),
    "national record": marked("a federation's own numbers"), "points": PUBLISHED,
    "rank": marked("it is the starting number, not the place"),
}  # fmt: skip
_PAIRED = {"1": "win", "w": "win", "0": "loss", "l": "loss", "=": "draw", "d": "draw",
           "+": "came", "-": "absent", "": ""}  # fmt: skip
_UNPAIRED = {"u": "bye", "f": "full", "+": "full", "1": "full", "w": "full", "h": "half",
             "=": "half", "d": "half"}  # fmt: skip
_NOT_PAIRED = frozenset({"", "z", "-", "0", "l"})
"""Results of a cell without an opponent if the player was not paired."""

REMARK, REMARK_MAX = "### tourney ", 60_000
NAME_WIDTH = 33


class _Player(Struct):
    """What a line says of a player, column by column."""

    line: int
    number: int
    name: str
    points: str
    rank: int
    numbers: dict[str, int]
    attributes: dict[str, str]
    cells: list[str] = field(default_factory=list)


def read_trf(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line and column.
    """
    reader = _Reader(parse(ruleset))
    for number, line in lines_in(data, "cp1252"):
        if line.strip():
            reader.line(number, line)
    parts = reader.parts
    parts.name, parts.day = name or reader.said.get("012", ""), day or reader.day("042")
    ranked = ranked_by(ruleset, codes_in(reader.said.get("212") or reader.said.get("202", "")))
    if ranked:
        ruleset = ranked
    elif reader.said.keys() & {"202", "212"}:
        reader.passed.add("212" if "212" in reader.said else "202")
    ruleset = reader.rounds(ruleset)
    foreign = assembled(KIND, data, parts, ruleset, reader.passed)
    return replace(foreign, is_ranked=bool(ranked), last_day=reader.last_day(parts.day))


class _Reader:
    """Reads one file, line after line."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)
        self.said: dict[str, str] = {}
        self._players: dict[int, _Player] = {}
        self._byes: list[tuple[int, str, int, int]] = []
        self._announced = 0
        self._worths: list[str] = []
        self._given: list[tuple[int, int, Fraction, tuple[int, ...]]] = []
        self._unit = 0
        self._names: dict[int, str] = {}
        self._tables: dict[tuple[str, frozenset[str]], int] = {}
        self._places: dict[int, int] = {}
        """The index in `parts.swiss` of each round of the file that has games."""

    def line(self, number: int, line: str) -> None:
        """Take one line by its first three characters."""
        tag, rest = line[:3], line[4:].strip()
        if not PLAYER.match(line) and RULER.fullmatch(line):
            tag = "###"
        if tag in TEAMS or (tag == "082" and rest.strip("0 ")):
            raise InvalidLog(
                phrase(
                    "line {line} ({tag}) is of a team tournament: only individual tournaments can "
                    "be imported",
                    line=number,
                    tag=one_line(tag),
                )
            )
        if line.startswith(REMARK):
            self._remark(line.removeprefix(REMARK))
        elif tag == "001":
            self._player(number, line)
        elif tag in {"012", "042", "052", "202", "212"}:
            self.said.setdefault(tag, rest)
        elif tag == "162":
            self._worths.append(line[4:])
        elif tag == "299":
            self._abnormal(number, line)
        elif tag in {"142", "XXR"}:
            self._announced = max(self._announced, min(int(rest) if is_number(rest) else 0, 100))
        elif tag == "240":
            self._bye(number, line)
        else:
            known = tag in REASONS or not re.fullmatch(r"[A-Z]{3}", tag) or tag.startswith("XX")
            self.passed.add(tag if known else marked("national record"))

    def day(self, tag: str) -> str:
        """Return the day of a record, also if it is written day first, or with two digits."""
        text = self.said.get(tag, "")
        if found := re.fullmatch(r"([0-9]{2})[./-]([0-9]{1,2})[./-]([0-9]{1,2})", text):
            text = f"20{'-'.join(found.groups())}"
        return day_of(text, self.said.values(), day_first=True)

    def last_day(self, first: str) -> str:
        """Return the day of the end; empty if it is not given, or not another one."""
        try:
            last = self.day("052") if self.said.get("052") else ""
        except InvalidLog:
            self.passed.add("052")
            return ""
        return last if last > first else ""

    def _player(self, number: int, line: str) -> None:
        if not is_columns(line):
            line = line.encode("utf-8").decode("latin-1")  # columns counted in bytes
            name = line[14:47].encode("latin-1").decode("utf-8", "replace")
        else:
            name = line[14:47]
        start = line[4:8].strip()
        if not is_number(start) or int(start) in self._players:
            problem = phrase(
                "line {line}, columns 5-8: {start} is not a starting number, or another player "
                "has it",
                line=number,
                start=repr(start),
            )
            self.parts.problems.append(safe(problem))
            return
        rating, rank = line[48:52].strip(), line[85:89].strip()
        for what, text in (("sex", line[9:10]), ("birth date", line[69:79])):
            if text.strip():
                self.passed.add(what)
        asked = {one.name for one in self._rules.numbers}
        numbers = {"rating": int(rating) if is_number(rating) else 0}
        labels = {"title": line[10:13], "federation": line[53:56], "fide id": line[57:68]}
        if "rating" not in asked and rating:
            labels["rating"] = rating
        self._players[int(start)] = _Player(
            number,
            int(start),
            " ".join(name.split()) or f"player {start}",
            line[80:84].strip(),
            int(rank) if is_number(rank) else 0,
            numbers if "rating" in asked else {},
            {label: text.strip() for label, text in labels.items() if text.strip()},
            [line[at : at + 8].ljust(8) for at in range(ROUND_1, min(len(line), 1_100), WIDTH)],
        )

    def _remark(self, text: str) -> None:
        """Take a name in full, or the table that two met at, out of a remark of our own."""
        try:
            raw = msgspec.json.decode(text[:REMARK_MAX])
        except (msgspec.DecodeError, RecursionError):
            raw = None
        about = raw if isinstance(raw, dict) else {}
        number, table, players = (about.get(each) for each in ("round", "table", "players"))
        if about.get("about") == "player" and isinstance(about.get("player"), int):
            self._names[about["player"]] = text_of(about.get("name"))
        elif about.get("about") == "table" and isinstance(table, int) and isinstance(players, list):
            self._tables[text_of(number), frozenset(map(text_of, players))] = table
        else:
            self.passed.add("###")

    def _bye(self, number: int, line: str) -> None:
        kind, round_ = line[4:5].lower(), line[6:9].strip()
        players = re.findall(r"[0-9]{1,4}", line[9:])
        if kind not in {"f", "h", "z"} or not is_number(round_):
            self.passed.add("240")
            return
        self._byes += [(number, kind, int(round_), int(each)) for each in players]

    def _abnormal(self, number: int, line: str) -> None:
        """Take the points that a record 299 gives players, or takes from them, in a round."""
        points, round_ = line[12:17].strip(), line[19:22].strip()
        players = tuple(map(int, re.findall(r"[0-9]{1,4}", line[23:])))
        found = re.fullmatch(r"-?[0-9]{1,2}(?:[.,][0-9])?", points)
        if line[4:5].strip() or not found or not is_number(round_) or not players:
            self.passed.add("299")
            return
        worth = Fraction(points.replace(",", "."))
        self._given.append((number, int(round_), worth, players))

    def _give(self, unit: int) -> None:
        """Adjust the results of the games of players with abnormal points."""
        for number, round_, worth, players in self._given:
            for player in players:
                if not self._adjust(round_, str(player), int(worth * unit)):
                    name = self.parts.name_of(str(player))
                    text = phrase(
                        "{points} points of {name} in round {round}",
                        points=f"{float(worth):g}",
                        name=name,
                        round=round_,
                    )
                    self.parts.odd(
                        f"line {number}", text, phrase("not entered: there is no game to adjust")
                    )

    def _adjust(self, round_: int, key: str, points: int) -> bool:
        at_round = self._places.get(round_)
        if at_round is None:
            return False
        played = self.parts.swiss[at_round]
        games = list(played.games)
        for at, game in enumerate(games):
            if key in {game.first, game.second} and game.result is not None:
                first, second = game.result.adjusted
                is_first = key == game.first
                more = (first + points * is_first, second + points * (not is_first))
                games[at] = replace(game, result=replace(game.result, adjusted=more))
                self.parts.swiss[at_round] = replace(played, games=tuple(games))
                return True
        return False

    def _ruleset(self, ruleset: str) -> str:
        """Return the ruleset's text with the worths of record 162, and note the points' unit."""
        worths = worths_in(self._worths)
        if worths == worths_in(()):
            return ruleset
        text, unit = with_worths(ruleset, worths)
        if not text:
            self.passed.add("162")
            return ruleset
        if text != ruleset:
            self.parts.notes.append(
                phrase("results have the points that record 162 of the file gives")
            )
        self._rules = parse(text)
        self._unit = unit
        return text

    def rounds(self, ruleset: str) -> str:
        """Make rounds, people and the published rows of the lines of players.

        Return the ruleset's text, in which results may be worth what the file says.
        """
        ruleset = self._ruleset(ruleset)
        listed = [self._players[number] for number in sorted(self._players)]
        last = max(
            (place for each in listed for place, cell in enumerate(each.cells, 1) if cell.strip()),
            default=0,
        )
        table = Crosstables(self._rules, self.parts, self._unit)
        self._drop_ranks(listed, table)
        ranked = sorted(listed, key=lambda one: (not one.rank, one.rank))
        ranks = {each.number: rank for rank, each in enumerate(ranked, start=1)}
        for each in listed:
            key, rank = str(each.number), ranks[each.number]
            full = " ".join(self._names.get(each.number, "").split())
            if printable(full)[:NAME_WIDTH].rstrip() == each.name:
                each.name = full
            self.parts.players[key] = ForeignPlayer(
                key, each.name, rank, each.attributes, numbers=each.numbers
            )
        known = {(round_, player): kind for _, kind, round_, player in self._byes}
        for place in range(1, last + 1):
            cells = [self._cell(each, place, known) for each in listed]
            tables = {who: at for (of, who), at in self._tables.items() if of == str(place)}
            known_cells = [cell for cell in cells if cell is not None]
            if table.add(f"round {place}", known_cells, tables):
                self._places[place] = len(self.parts.swiss) - 1
        self._give(self.parts.points_unit)
        left_out = max(self._places, default=0) - len(self._places)
        self.parts.announced = max(self._announced, last) - left_out
        for _ in known:
            self.passed.add("240")
        for each in listed:
            figures = {} if table.in_points(each.points) is None else {"points": each.points}
            at = f"line {each.line}"
            self.parts.published.append(PublishedRow(str(each.number), each.rank, figures, at))
        self.passed.add("points") if any(each.points for each in listed) else None
        return ruleset

    def _drop_ranks(self, listed: list[_Player], table: Crosstables) -> None:
        """Forget ranks that repeat the starting numbers, where they do not go by the points."""
        points = [Fraction(table.in_points(each.points) or 0) for each in listed]
        by_points = all(one >= other for one, other in pairwise(points))
        if not by_points and all(each.rank == each.number for each in listed):
            for each in listed:
                each.rank = 0
            self.passed.add("rank")

    def _cell(self, each: _Player, place: int, byes: dict[tuple[int, int], str]) -> Cell | None:
        cell = each.cells[place - 1] if place <= len(each.cells) else ""
        other, colour, result = (
            cell[:4].strip(),
            cell[5:6].lower().strip(),
            cell[7:8].lower().strip(),
        )
        where = f"line {each.line}, round {place}"
        if other.strip("0"):
            if not is_number(other):
                self.parts.problems.append(
                    phrase(
                        "{where}: {cell} is not a game",
                        where=where,
                        cell=repr(one_line(cell)),
                    )
                )
                return None
            if result not in _PAIRED:
                published = phrase(
                    "{name} has {result}, which is not a result",
                    name=each.name,
                    result=f"{result!r}",
                )
                self.parts.odd(
                    where, published, phrase("entered as the other player's line has it")
                )
            return Cell(where, str(each.number), str(int(other)), colour, _PAIRED.get(result, ""))
        bye = "" if result else byes.pop((place, each.number), "")
        if result not in _UNPAIRED and result not in _NOT_PAIRED:
            published = phrase(
                "{name} has {result} without an opponent", name=each.name, result=f"{result!r}"
            )
            self.parts.odd(where, published, phrase("entered as not paired"))
        kind = _UNPAIRED.get(result or bye, "")
        return Cell(where, str(each.number), "", "", kind) if kind else None

"""Building blocks of the readers of other programs' files: bounds, JSON, rounds, crosstables.

In a crosstable a player's own line gives each opponent and result. Each side has the points that
its own line gives. If the two lines of a game do not agree, as when both claim a win, the rest of
the points is adjusted. A game that only one line has is entered as a bye of its worth, and listed
as not computed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field, structs
from msgspec.structs import replace

from ledger.errors import InvalidLog, LedgerError
from ledger.exchange.account import safe
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import (
    ForeignCut,
    ForeignGame,
    ForeignPlayer,
    ForeignRound,
    ForeignTournament,
    NotComputed,
    PublishedRow,
    RoundTables,
    adjusted_result,
    bye_name,
    decided,
    facts_in_words,
    first_notes,
    left_out,
    nearest_by_facts,
    with_byes,
)
from ledger.facts import results
from ledger.facts.base import PLAYERS_MAX
from ledger.facts.shared import Source
from ledger.files.access import one_line
from ledger.files.kinds import many_values
from ledger.problems import Phrase, phrase, problem, remedy
from ledger.rulesets import of_edition, parse
from ledger.rulesets.toml_files import first_few

if TYPE_CHECKING:
    from ledger.exchange.account import Passed
    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset

BYTES_MAX, TEXT_BYTES_MAX = 20_000_000, 10_000_000
TEXT_LINES_MAX = 40_000
"""Lines of a text file of another program, which has one or a few for each player."""

ROUNDS_MAX = 100
NAME_MAX = 200
TEXT_MAX = 1_000
NUMBER_MAX = 9
_RANKED_BY = re.compile(r"^ranked_by = \[.*\]$", re.MULTILINE)
STONES = ("given", "received")
"""Fields of a game of go: the stones of its handicap, from either side."""


Raw = dict[str, Any]

NOT_JSON = phrase("is not valid JSON")


class FileParts(Struct):
    """What a reader has found of a file so far; problems are collected, and refused at once."""

    name: str = ""
    day: str = ""
    players: dict[str, ForeignPlayer] = field(default_factory=dict)
    swiss: list[ForeignRound] = field(default_factory=list)
    elimination: list[ForeignRound] = field(default_factory=list)
    stages: tuple[int, ...] = ()
    published: list[PublishedRow] = field(default_factory=list)
    problems: list[Phrase | str] = field(default_factory=list)
    notes: list[Phrase | str] = field(default_factory=list)
    announced: int = 0
    not_computed: list[NotComputed] = field(default_factory=list)
    undecided: dict[str, Phrase | str] = field(default_factory=dict)
    """Elimination tables that the ruleset cannot hold, by place, as they are published."""

    final_places: dict[str, int] = field(default_factory=dict)
    """The places after the elimination that a file publishes."""

    byes: dict[str, int] = field(default_factory=dict)
    """The points of byes that the ruleset does not have, by their names."""

    points_unit: int = 1

    def odd(self, place: str, published: Phrase | str, entered: Phrase | str) -> None:
        """Note a table that the ruleset cannot hold: what is published, and what was entered."""
        self.not_computed.append(NotComputed(place, safe(published), safe(entered)))

    def leave_out(self, place: str) -> None:
        """Note a round without games: the rounds after it have another number in the log."""
        self.notes.append(left_out(place))

    def name_of(self, key: str) -> str:
        """Return what a player is called in messages."""
        return self.players[key].name if key in self.players else key

    def tables(self) -> RoundTables:
        """Return an empty round to put tables into."""
        return RoundTables(self.odd, self.name_of)

    def decide(self) -> None:
        """Enter who went on at elimination tables that have no winner."""
        rounds = decided(
            self.elimination, self.undecided, self.final_places, self.odd, self.name_of
        )
        self.elimination = list(rounds)
        for game in self.elimination[-1].games if self.elimination else ():
            loser = game.second if game.winner == game.first else game.first
            first, second = (self.final_places.get(key, 0) for key in (game.winner, loser))
            if game.winner and not game.is_bye and 0 < second < first:
                won, lost = self.name_of(game.winner), self.name_of(loser)
                published = phrase(
                    "{won} won, but the final places have {lost} before {won}",
                    won=won,
                    lost=lost,
                )
                self.odd(game.place, published, phrase("{name} advances", name=won))

    def refuse(self) -> None:
        """End here if anything is wrong. Raises InvalidLog: everything that is, by its place."""
        if self.problems:
            raise InvalidLog(*first_few(self.problems))


def assembled(
    kind: str, data: bytes, parts: FileParts, ruleset: str, passed: Passed
) -> ForeignTournament:
    """Make the tournament of what a reader has found.

    Raises:
        InvalidLog: everything that is wrong with it, by its place in the file.
    """
    if len(parts.players) > PLAYERS_MAX:
        parts.problems.append(
            phrase(
                "has {players} players: at most {players_max} are allowed",
                players=f"{len(parts.players):,}",
                players_max=f"{PLAYERS_MAX:,}",
            )
        )
    if max(len(parts.swiss), len(parts.elimination)) > ROUNDS_MAX:
        parts.problems.append(phrase("has more than {rounds_max} rounds", rounds_max=ROUNDS_MAX))
    if not (parts.swiss or parts.elimination):
        parts.problems.append(phrase("has no round that can be read"))
    parts.refuse()
    parts.decide()
    sha256 = hashlib.sha256(data).hexdigest()
    return ForeignTournament(
        source=Source(kind, sha256),
        tournament=sha256[:32],
        ruleset=with_byes(ruleset, parts.byes),
        name=(parts.name or "imported tournament")[:NAME_MAX],
        date=parts.day,
        recorder=f"Imported from a file of kind {kind}",
        players=tuple(parts.players.values()),
        swiss=tuple(parts.swiss),
        elimination=tuple(parts.elimination),
        swiss_announced=max(parts.announced, len(parts.swiss)),
        cut=ForeignCut.of(parts.elimination),
        swiss_stages=parts.stages,
        ignored=passed.ignored(),
        notes=first_notes([*parts.notes, *(each.words for each in parts.not_computed)]),
        published=tuple(parts.published),
        not_computed=tuple(parts.not_computed),
        points_unit=parts.points_unit,
    )


def ranked_by(ruleset: str, codes: Sequence[str]) -> str:
    """Return a ruleset's text with the tiebreakers in the order in which a file ranks by them.

    It is empty where there are none, or one that the ruleset does not have.
    """
    rules = parse(ruleset)
    if not codes or not rules.ranked_by or any(code not in rules.in_force for code in codes):
        return ""
    shown = ", ".join(f'"{code}"' for code in codes)
    text = _RANKED_BY.sub(f"ranked_by = [{shown}]", ruleset, count=1)
    return of_edition(text, "ranked by its report")


def result_of(
    parts: FileParts,
    rules: Ruleset,
    at: str,
    facts: Mapping[str, tuple[int, int]],
    claimed: str = "",
    *,
    elimination: bool,
) -> Result | None:
    """Return the result that follows from what a file has of a game.

    A Swiss result that the ruleset does not give is the nearest one; in an elimination there is
    none, and who went on is entered later. Both are noted as not computed.
    """
    try:
        found = results.by_facts(rules, "", facts, claimed, elimination=elimination)
        if not elimination or any(rules.outcome(each).advances for each in found.outcomes):
            return found
        published = phrase(
            "{facts}, a {outcome}", facts=facts_in_words(facts), outcome=found.outcomes[0]
        )
    except LedgerError as error:
        why = safe(error.words)
        published = phrase("{facts} ({why})", facts=facts_in_words(facts), why=why)
    if elimination:
        parts.undecided[at] = published
        return None
    result = nearest_by_facts(rules, facts, claimed)
    entered = phrase("no result is entered")
    if result is not None:
        entered = phrase(
            "entered as {facts}, a {outcome}",
            facts=facts_in_words(result.facts),
            outcome=result.outcomes[0],
        )
    parts.odd(at, published, entered)
    return result


def counts_stones(rules: Ruleset) -> bool:
    """Whether a ruleset has fields for the stones of a handicap."""
    return {*STONES} <= {each.name for each in rules.fields}


def handicapped(rules: Ruleset, result: Result | None, stones: int) -> Result | None:
    """Return a result with the stones that its first player gave, where the ruleset counts them."""
    if result is None or not stones or not counts_stones(rules):
        return result
    given, received = STONES
    fields = {given: (stones, 0), received: (0, stones)}
    if result.manner in results.UNPLAYED:
        fields = results.before_play(rules, fields)
    return structs.replace(result, fields=result.fields | fields)


def lines_in(data: bytes, otherwise: str) -> Iterator[tuple[int, str]]:
    """Yield a text's lines with their numbers: in UTF-8, or otherwise in an older encoding.

    Raises:
        InvalidLog: it is too large.
    """
    if len(data) > TEXT_BYTES_MAX:
        raise InvalidLog(
            phrase("is larger than {text_bytes_max} bytes", text_bytes_max=f"{TEXT_BYTES_MAX:,}")
        )
    if max(data.count(b"\n"), data.count(b"\r")) > TEXT_LINES_MAX:
        raise InvalidLog(
            phrase("has more than {text_lines_max} lines", text_lines_max=f"{TEXT_LINES_MAX:,}")
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode(otherwise, "replace")
    yield from enumerate(re.split(r"\r\n|\r|\n", text), start=1)


def decoded(data: bytes, otherwise: Phrase = NOT_JSON) -> object:
    """Decode JSON of a bounded size.

    Raises:
        InvalidLog: it is too large, or is not JSON: the message begins as `otherwise`.
    """
    if len(data) > BYTES_MAX:
        raise InvalidLog(phrase("is larger than {bytes_max} bytes", bytes_max=f"{BYTES_MAX:,}"))
    if why := many_values(data):
        raise InvalidLog(why)
    try:
        return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError as error:
        raise InvalidLog(
            phrase("is not UTF-8 text at byte {start}", start=error.start + 1)
        ) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidLog(
            phrase("{problem}: {error}", problem=otherwise, error=one_line(str(error)))
        ) from None


def objects(raw: Mapping[str, Any], name: str, where: str = "") -> list[Raw]:
    """Return the objects that a member lists; none where it is absent or null.

    Raises:
        InvalidLog: it is no list of objects.
    """
    listed = raw.get(name)
    if listed is None:
        return []
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise InvalidLog(phrase("{where}{name} must be a list of objects", where=where, name=name))
    return listed


def text_of(value: object, most: int = TEXT_MAX) -> str:
    """Return a text or a number as text, and nothing for what is neither."""
    if isinstance(value, str):
        return value[: most + 1]
    return "" if value is None or isinstance(value, bool | list | dict) else repr(value)


def printable(text: str) -> str:
    """Return a text without what would end a line or a column."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def whole_of(value: object) -> int | None:
    """Return a whole number, also where it is written as text; None for another."""
    text = text_of(value, 20).strip()
    found = re.fullmatch(r"(-?[0-9]{1,15})(?:\.0+)?", text)
    return int(found[1]) if found else None


def is_number(text: str) -> bool:
    """Whether a text is a whole number in plain digits, of a length that is no attack."""
    return text.isascii() and text.isdigit() and len(text) <= NUMBER_MAX


def day_of(value: object, others: Iterable[str] = (), *, day_first: bool = False) -> str:
    """Return the day out of a date or a time stamp; `others` are dates of the same file.

    Raises:
        InvalidLog: it is not a day, or can be two.
    """
    try:
        return day_in(text_of(value), others, day_first=day_first)
    except InvalidLog as error:
        dated = remedy("import.date")
        raise InvalidLog(problem("import.date", "{why}", why=error.words, remedy=dated)) from None


FITS = {
    "win": "loss", "loss": "win", "draw": "draw", "came": "absent", "absent": "came", "": "",
}  # fmt: skip
"""What the other line says of the same game; where nobody came, both say absent."""


class Cell(Struct, frozen=True):
    """What a player's line says of a round: who was met, as `w` or `b`, and how it ended.

    Without an opponent: `bye`, `full`, `half` or `zero`. An empty `kind` with one: no result yet.
    """

    where: str
    player: str
    other: str
    colour: str
    kind: str
    stones: int = 0
    """Of the handicap, which White gives and Black receives."""


class Crosstables:
    """Makes the rounds of one file."""

    def __init__(self, rules: Ruleset, parts: FileParts, unit: int = 0) -> None:
        """Take the ruleset's points in one point of the file; by default those of a win."""
        self._rules, self._parts = rules, parts
        self._draw = next((one.name for one in rules.outcomes if one.record == "D"), "")
        self._win = rules.full_win.points or 1
        parts.points_unit = unit or self._win

    def in_points(self, text: str) -> Fraction | None:
        """Return points, of which a win has 1, as the ruleset counts them; None if not a number."""
        try:
            return Fraction(text.replace(",", ".").replace("½", ".5")) * self._parts.points_unit
        except (ValueError, ZeroDivisionError):
            return None

    def add(
        self, place: str, cells: list[Cell], tables: Mapping[frozenset[str], int] | None = None
    ) -> bool:
        """Add a round: each pair of cells that agree is a game, in the order of known tables.

        A round in which no player has a game or a bye is left out and noted. Return whether the
        round was added.
        """
        by_player = {cell.player: cell for cell in cells}
        games: list[ForeignGame] = []
        if all(cell.kind == "zero" for cell in cells):
            self._parts.leave_out(place)
            return False
        for cell in cells:
            if cell.other:
                other = by_player.get(cell.other)
                if other is not None and other.other == cell.player != other.player:
                    if self._is_first(cell, other):
                        games.append(self._game(cell, other))
                    continue
                cell = self._alone(cell)  # noqa: PLW2901 - from here on without an opponent
            if cell.kind != "zero" or self._rules.unpaired_loss.points:
                games.append(self._bye(cell))
        known = tables or {}
        games.sort(key=lambda each: known.get(frozenset({each.first, each.second} - {""}), 0))
        if not games:
            self._parts.leave_out(place)
            return False
        self._parts.swiss.append(ForeignRound(elimination=False, games=tuple(games), place=place))
        return True

    def _alone(self, cell: Cell) -> Cell:
        """Return the cell of a player whose opponent's line does not mention them, as a bye."""
        kinds = {"win": "full", "came": "full", "draw": "half"}
        name, result = self._parts.name_of(cell.player), cell.kind or phrase("no result")
        said = phrase(
            "{name} has {result} against {other}, whose line has another opponent",
            name=name,
            result=result,
            other=cell.other,
        )
        if cell.other == cell.player:
            said = phrase("{name} has {result} against themselves", name=name, result=result)
        alone = replace(cell, other="", kind=kinds.get(cell.kind, "zero"))
        entered = phrase("entered as a {kind}-point bye", kind=alone.kind)
        self._parts.odd(cell.where, said, entered)
        return alone

    def _is_first(self, cell: Cell, other: Cell) -> bool:
        if cell.colour in {"w", "b"} and cell.colour == other.colour:
            if first := self._order(cell) < self._order(other):
                who = self._parts.name_of(other.player)
                self._parts.notes.append(
                    phrase(
                        "{where}: both players have the colour of {who}", where=cell.where, who=who
                    )
                )
            return first
        if cell.colour in {"w", "b"}:
            return cell.colour == "w"
        return other.colour == "b" or (
            other.colour != "w" and self._order(cell) < self._order(other)
        )

    def _order(self, cell: Cell) -> tuple[int, str]:
        return len(cell.player), cell.player

    def _game(self, first: Cell, second: Cell) -> ForeignGame:
        nobody = first.kind == second.kind == "absent"
        if FITS[first.kind] != second.kind and not nobody:
            result = self._contradiction(first, second)
        else:
            result = self._result(first, second)
        result = handicapped(self._rules, result, first.stones)
        return ForeignGame(first.player, second.player, result=result, place=first.where)

    def _contradiction(self, first: Cell, second: Cell) -> Result | None:
        """Return the result of two lines that do not agree: each side has what its line says."""
        published = phrase(
            "the line of {first} records {result}, but the line of {second} records {other}",
            first=first.player,
            result=first.kind or phrase("no result"),
            second=second.player,
            other=second.kind or phrase("no result"),
        )
        if not (first.kind and second.kind):
            known, is_second = (first, False) if first.kind else (second, True)
            self._parts.notes.append(
                phrase(
                    "{where}: {published}; entered with the recorded result",
                    where=first.where,
                    published=published,
                )
            )
            full = known, replace(known, kind=FITS[known.kind])
            return self._result(*(full[::-1] if is_second else full))
        worth = {"win": self._win, "came": self._win, "draw": self._worth_of_draw}
        points = worth.get(first.kind, 0), worth.get(second.kind, 0)
        return self._adjusted(first.where, published, points)

    def _adjusted(
        self, where: str, published: Phrase | str, points: tuple[int, int]
    ) -> Result | None:
        result = adjusted_result(self._rules, points)
        if result is None:
            self._parts.odd(where, published, phrase("no result is entered"))
        else:
            by = "{:+}:{:+}".format(*result.adjusted)
            entered = phrase(
                "entered as a {outcome}, adjusted by {by} points",
                outcome=result.outcomes[0],
                by=by,
            )
            note = phrase(
                "{place}: {published}; {entered}", place=where, published=published, entered=entered
            )
            self._parts.notes.append(note)
        return result

    @property
    def _worth_of_draw(self) -> int:
        if self._draw and self._rules.outcome(self._draw).points is not None:
            return self._rules.outcome(self._draw).points or 0
        return self._win // 2

    def _result(self, first: Cell, second: Cell) -> Result | None:
        rules = self._rules
        if not first.kind:
            return None
        absent = first.kind == "absent", second.kind == "absent"
        if any(absent):
            return results.absence(rules, absent)
        if first.kind == "draw":
            if not self._draw:
                points, text = (
                    (self._worth_of_draw,) * 2,
                    phrase("a draw, which {key} does not have", key=rules.key),
                )
                return self._adjusted(first.where, text, points)
            return results.by_outcome(rules, self._draw)
        win = rules.full_win
        return results.by_outcome(rules, win.name if first.kind == "win" else win.against)

    def _bye(self, cell: Cell) -> ForeignGame:
        """Return a bye of the round, or one of another worth by its name in the ruleset."""
        if cell.kind == "bye":
            return ForeignGame(cell.player, place=cell.where)
        wanted = {"full": self._win, "half": self._worth_of_draw, "zero": 0}[cell.kind]
        named = next((one.name for one in self._rules.byes if one.points == wanted), "")
        if not named and (cell.kind == "zero" or self._rules.bye.points != wanted):
            named = bye_name(wanted)
            self._parts.byes[named] = wanted
            who = self._parts.name_of(cell.player)
            note = phrase(
                "{where}: {who} has a {kind}-point bye, which was added to {game}",
                where=cell.where,
                who=who,
                kind=cell.kind,
                game=self._rules.key,
            )
            self._parts.notes.append(note)
        return ForeignGame(cell.player, bye=named, place=cell.where)

"""What the readers of other programs' files share: bounds, JSON, rounds and the whole of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field, structs

from ledger.errors import InvalidLog, LedgerError
from ledger.events.base import PLAYERS_MAX
from ledger.events.opening import Source
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import (
    ForeignCut,
    ForeignPlayer,
    ForeignRound,
    ForeignTournament,
    NotComputed,
    PublishedRow,
)
from ledger.exchange.odd_tables import (
    RoundTables,
    decided,
    facts_in_words,
    first_notes,
    nearest_by_facts,
    with_byes,
)
from ledger.files.access import one_line
from ledger.files.kinds import many_values
from ledger.problems import problem, remedy
from ledger.rulesets import of_edition, parse
from ledger.rulesets.toml_files import first_few
from ledger.tournament import scoring

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.exchange.account import Passed
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


class FileParts(Struct):
    """What a reader has found of a file so far; problems are collected, and refused at once."""

    name: str = ""
    day: str = ""
    players: dict[str, ForeignPlayer] = field(default_factory=dict)
    swiss: list[ForeignRound] = field(default_factory=list)
    elimination: list[ForeignRound] = field(default_factory=list)
    stages: tuple[int, ...] = ()
    published: list[PublishedRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    announced: int = 0
    not_computed: list[NotComputed] = field(default_factory=list)
    undecided: dict[str, str] = field(default_factory=dict)
    """Elimination tables that the ruleset cannot hold, by place, as they are published."""

    final_places: dict[str, int] = field(default_factory=dict)
    """The places after the elimination that a file publishes."""

    byes: dict[str, int] = field(default_factory=dict)
    """The points of byes that the ruleset does not have, by their names."""

    points_unit: int = 1

    def odd(self, place: str, published: str, entered: str) -> None:
        """Note a table that the ruleset cannot hold: what is published, and what was entered."""
        self.not_computed.append(NotComputed(place, one_line(published), one_line(entered)))

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
            f"{len(parts.players):,} players are too many: {PLAYERS_MAX:,} at most"
        )
    if max(len(parts.swiss), len(parts.elimination)) > ROUNDS_MAX:
        parts.problems.append(f"more than {ROUNDS_MAX} rounds are too many")
    if not (parts.swiss or parts.elimination):
        parts.problems.append("holds no round that can be read")
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
        notes=first_notes([*parts.notes, *map(str, parts.not_computed)]),
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
        found = scoring.by_facts(rules, "", facts, claimed, elimination=elimination)
        if not elimination or any(rules.outcome(each).advances for each in found.outcomes):
            return found
        published = f"{facts_in_words(facts)}, a {found.outcomes[0]}"
    except LedgerError as error:
        published = f"{facts_in_words(facts)} ({one_line(str(error))})"
    if elimination:
        parts.undecided[at] = published
        return None
    result = nearest_by_facts(rules, facts, claimed)
    entered = "no result is entered"
    if result is not None:
        entered = f"entered as {facts_in_words(result.facts)}, a {result.outcomes[0]}"
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
    if result.manner in scoring.UNPLAYED:
        fields = scoring.before_play(rules, fields)
    return structs.replace(result, fields=result.fields | fields)


def lines_in(data: bytes, otherwise: str) -> Iterator[tuple[int, str]]:
    """Yield a text's lines with their numbers: in UTF-8, or otherwise in an older encoding.

    Raises:
        InvalidLog: it is too large.
    """
    if len(data) > TEXT_BYTES_MAX:
        raise InvalidLog(f"is larger than {TEXT_BYTES_MAX:,} bytes")
    if max(data.count(b"\n"), data.count(b"\r")) > TEXT_LINES_MAX:
        raise InvalidLog(f"has more than {TEXT_LINES_MAX:,} lines")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode(otherwise, "replace")
    yield from enumerate(re.split(r"\r\n|\r|\n", text), start=1)


def decoded(data: bytes, otherwise: str = "is no JSON that can be read") -> object:
    """Decode JSON of a bounded size.

    Raises:
        InvalidLog: it is too large, or is not JSON: the message begins as `otherwise`.
    """
    if len(data) > BYTES_MAX:
        raise InvalidLog(f"is larger than {BYTES_MAX:,} bytes")
    if why := many_values(data):
        raise InvalidLog(why)
    try:
        return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError as error:
        raise InvalidLog(f"is no UTF-8 text at byte {error.start + 1}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidLog(f"{otherwise}: {one_line(str(error))}") from None


def objects(raw: Mapping[str, Any], name: str, where: str = "") -> list[Raw]:
    """Return the objects that a member lists; none where it is absent or null.

    Raises:
        InvalidLog: it is no list of objects.
    """
    listed = raw.get(name)
    if listed is None:
        return []
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise InvalidLog(f"{where}{name} is no list of objects")
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
        raise InvalidLog(problem("import.date", "{why}", why=str(error), remedy=dated)) from None

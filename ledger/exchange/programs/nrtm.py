"""NRTM/Cobra files: the JSON in which organizers of Netrunner events exchange tournaments.

nrtm.toml names the ruleset. The rounds are read so: a table with one player is a bye, whatever side
they are on; if its score is 0, the player missed the round. A score is `combinedScore`, else the
sum of the side scores if one of them is above 0 or `combinedScore` is not in the file at all; with
no score on either side the table has no result. In an elimination the winner is the player named
so, else the one who has more points; a round belongs to it if a game says so, or if none says
anything and one names a winner.

Points that no match gives are a judge's: the result has the nearest ones that a match gives, and
the rest is an adjustment. Points that a match gives stay as they are. A bye has the points that the
file gives it. A match that is listed from both sides is one match.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import (
    LISTED_TWICE,
    ForeignCut,
    ForeignGame,
    ForeignRound,
    ForeignTournament,
    NotComputed,
    PublishedRow,
    RoundTables,
    bye_name,
    decided,
    first_notes,
    left_out,
    with_byes,
)
from ledger.exchange.own_record import CHANGED, named, taken, unpacked
from ledger.exchange.programs.building import NAME_MAX, ROUNDS_MAX, decoded
from ledger.exchange.programs.nrtm_members import Members, NrtmDocument, players_of, published_in
from ledger.facts.base import PLAYERS_MAX, POINTS_MAX
from ledger.facts.shared import Source
from ledger.files.access import one_line
from ledger.problems import Phrase, marked, phrase, problem
from ledger.rulesets import load, of_edition
from ledger.rulesets.toml_files import Key, Part, TomlFiles

if TYPE_CHECKING:
    from ledger.exchange.programs.nrtm_members import NrtmPairing, NrtmSide
    from ledger.rulesets.ruleset import LoadedRuleset

Sides = tuple["NrtmSide", "NrtmSide"]


class Span(Struct, frozen=True):
    """The points that a match can give a side."""

    low: int
    high: int

    def holds(self, points: int) -> bool:
        """Whether a match can give these points."""
        return self.low <= points <= self.high

    def nearest(self, points: tuple[int, int]) -> tuple[int, int]:
        """The nearest points that a match gives; of two beyond one end the same side is ahead."""
        first, second = (min(max(own, self.low), self.high) for own in points)
        if first != second or points[0] == points[1] or any(map(self.holds, points)):
            return first, second
        behind = min(first, self.high - 1)
        return (behind + 1, behind) if points[0] > points[1] else (behind, behind + 1)


class RoundReader:
    """Reads the rounds of one file, by its players' keys and the points that a side can have."""

    def __init__(self, names: dict[str, str], span: Span) -> None:
        self._names, self._span = names, span
        self.notes: list[Phrase | str] = []
        """Tables with points that no match gives, which are adjusted."""

        self.not_computed: list[NotComputed] = []
        self.undecided: dict[str, Phrase | str] = {}
        """Elimination tables whose result names no winner, by place, as they are published."""

        self.bye_points: dict[int, list[str]] = {}
        """What the byes of the file are worth, each with the places it is found at."""

        self.listed_twice = 0
        self.without_players = 0

    def read(self, number: int, pairings: list[NrtmPairing], *, is_last: bool) -> ForeignRound:
        """Read a round; a pairing without players is left out.

        Raises:
            InvalidLog: the pairing that makes no sense, and why.
        """
        elimination = self._is_elimination(number, pairings)
        tables = RoundTables(self.odd, self._called)
        absent: list[str] = []
        for place, pairing in _by_table(pairings):
            where = f"round {number}, table {place}"
            keys = self._key(pairing.sides[0], where), self._key(pairing.sides[1], where)
            if not any(keys):
                self.without_players += 1
                continue
            if not all(keys) and not elimination and self._is_absence(pairing, keys, where):
                self.listed_twice += tables.has_missed(keys[0] or keys[1])
                absent += [keys[0] or keys[1]] if tables.miss(keys[0] or keys[1], where) else []
                continue
            if elimination:
                game = self._elimination_game(pairing, keys, where, is_last=is_last)
            else:
                game = self._swiss_game(pairing, keys, where)
            if game is None:
                continue
            if not tables.add(game, _said(pairing.sides)):
                self.listed_twice += 1
            elif elimination and game.is_open and _is_over(pairing.sides):
                self.undecided[where] = _said(pairing.sides)
        return ForeignRound(elimination, tables.games, tuple(absent))

    def odd(self, place: str, published: Phrase | str, entered: Phrase | str) -> None:
        """Note a table that cannot be entered as it is published."""
        self.not_computed.append(NotComputed(place, published, entered))

    def _is_elimination(self, number: int, pairings: list[NrtmPairing]) -> bool:
        kinds = {pairing.elimination_game for pairing in pairings} - {None}
        if len(kinds) > 1:
            text = marked("round {round} has both Swiss and elimination games")
            raise InvalidLog(problem("import.mixed_round", text, round=number))
        if kinds:
            return kinds == {True}
        return any(side.winner is not None for pairing in pairings for side in pairing.sides)

    def _key(self, side: NrtmSide, where: str) -> str:
        if side.key in self._names:
            return side.key
        if side.key in {"", "0"}:
            return ""
        found = problem("import.unknown_id", "no player has the id {id}", id=one_line(side.key))
        raise InvalidLog(found.within(where))

    def _called(self, key: str) -> str:
        return f"player {one_line(key)} ({one_line(self._names[key])})"

    def _is_absence(self, pairing: NrtmPairing, keys: tuple[str, str], where: str) -> bool:
        """Return whether a table with one player is a round missed; else note the bye's worth."""
        side = pairing.sides[0 if keys[0] else 1]
        points = _score(side, (side, side))
        if points is None:
            return False
        if not 0 <= points <= POINTS_MAX:
            self.odd(
                where,
                phrase("a bye of {points} points", points=points),
                phrase("entered as a missed round"),
            )
            return True
        if points:
            self.bye_points.setdefault(points, []).append(where)
        return points == 0

    def _swiss_game(self, pairing: NrtmPairing, keys: tuple[str, str], where: str) -> ForeignGame:
        if not all(keys):
            return ForeignGame(keys[0] or keys[1], place=where)
        points = _points(pairing.sides)
        if points is None or all(map(self._span.holds, points)):
            return ForeignGame(*keys, points=points, place=where)
        nearest = self._span.nearest(points)
        published = phrase("{first}:{second} points", first=points[0], second=points[1])
        if any(abs(own) > POINTS_MAX for own in points):
            self.odd(
                where,
                published,
                phrase("entered as {first}:{second}", first=nearest[0], second=nearest[1]),
            )
            return ForeignGame(*keys, points=nearest, place=where)
        adjusted = (points[0] - nearest[0], points[1] - nearest[1])
        self.notes.append(
            phrase(
                "{where}: {published}; entered as {first}:{second}, adjusted by {own}:{other}",
                where=where,
                published=published,
                first=nearest[0],
                second=nearest[1],
                own=f"{adjusted[0]:+}",
                other=f"{adjusted[1]:+}",
            )
        )
        return ForeignGame(*keys, points=nearest, adjusted=adjusted, place=where)

    def _elimination_game(
        self, pairing: NrtmPairing, keys: tuple[str, str], where: str, *, is_last: bool
    ) -> ForeignGame | None:
        if all(keys):
            return ForeignGame(*keys, winner=_winner(pairing.sides, keys), place=where)
        undecided = is_last and not pairing.sides[0 if keys[0] else 1].winner
        if undecided:
            return None  # who meets them is not known
        return ForeignGame(keys[0] or keys[1], place=where)


def _by_table(pairings: list[NrtmPairing]) -> list[tuple[int, NrtmPairing]]:
    """The pairings in table order, each with its table's number or else its place in the file."""
    numbered = [(pairing.table or place, pairing) for place, pairing in enumerate(pairings, 1)]
    return sorted(numbered, key=lambda one: (one[1].table is None, one[0]))


def _points(sides: Sides) -> tuple[int, int] | None:
    first, second = (_score(side, sides) for side in sides)
    return None if first is None and second is None else (first or 0, second or 0)


def _score(side: NrtmSide, sides: Sides) -> int | None:
    if isinstance(side.combined_score, int):
        return side.combined_score
    reported = side.corp_score is not None or side.runner_score is not None
    left_out = side.combined_score is UNSET and reported
    return side.side_scores if left_out or any(one.side_scores for one in sides) else None


def _winner(sides: Sides, keys: tuple[str, str]) -> str:
    claims = [side.winner for side in sides]
    if claims == [True, True]:
        return ""
    if claims != [None, None]:
        leads = claims[0] or claims[1] is False
        return "" if claims[0] == claims[1] else keys[0 if leads else 1]
    first, second = _points(sides) or (0, 0)
    return "" if first == second else keys[0 if first > second else 1]


def _is_over(sides: Sides) -> bool:
    """Return whether a table without a winner was played: points are level, or both have won."""
    both_won = all(side.winner for side in sides)
    return both_won or any(_points(sides) or ())


def _said(sides: Sides) -> Phrase:
    """Return what a file publishes of a table."""
    if all(side.winner for side in sides):
        return phrase("both sides are marked as the winner")
    points = _points(sides)
    return (
        phrase("{first}:{second} points", first=points[0], second=points[1])
        if points
        else phrase("no points")
    )


KIND = "nrtm"
NOT_NRTM = phrase("is not an NRTM/Cobra tournament")
RECORD_MEMBER = "tourneyRecord"
"""The member of a file of our own that has the whole event."""

_BYE = re.compile(r"^(\[bye\]\n(?:[^\[\n].*\n)*?points = )\d+$", re.MULTILINE)


class _Mapping(Part, frozen=True):
    """What a file of this format becomes."""

    ruleset: Key


_MAPPINGS = TomlFiles("mapping of NRTM files", _Mapping, 1_000, Path(__file__).parent)


def read_nrtm(data: bytes, name: str = "", day: str = "") -> ForeignTournament:
    """Read and validate a file; equal bytes give an equal tournament.

    `name` and `day` are for files whose own cannot be read.

    Raises:
        InvalidLog: what is wrong with the file, and where.
    """
    members = Members()
    raw = decoded(data, NOT_NRTM)
    parts = raw.pop(RECORD_MEMBER, None) if isinstance(raw, dict) else None
    if isinstance(parts, list) and all(isinstance(part, str) for part in parts):
        event = unpacked(parts, [as_sorted(raw)])
        if event is not None:
            own = taken(event, KIND, data, None)
            return named(replace(own, published=_published(raw)), name, day)
    document = document_of(raw, members)
    sha256 = hashlib.sha256(data).hexdigest()
    players = players_of(document)
    loaded = load(_MAPPINGS.parse(_MAPPINGS.text_of("nrtm")).ruleset)
    scoring = loaded.ruleset.scoring
    names = {player.key: player.name for player in players}
    reader = RoundReader(names, Span(scoring.points_min, scoring.points_max))
    text, rounds = _with_byes(loaded, _rounds(document, reader), reader.bye_points)
    for _ in range(reader.listed_twice):
        members.passed.add(LISTED_TWICE)
    for _ in range(reader.without_players):
        members.passed.add(marked("table without players"))
    swiss = tuple(round_ for round_ in rounds if not round_.elimination)
    places = {each.key: each.rank for each in document.elimination_players or [] if each.rank}
    elimination = decided(
        rounds[len(swiss) :], reader.undecided, places, reader.odd, names.__getitem__
    )
    cut = _cut(document, elimination)
    not_computed = tuple(reader.not_computed)
    return ForeignTournament(
        source=Source(KIND, sha256),
        tournament=sha256[:32],
        ruleset=text,
        name=name or _name(document),
        date=day or day_in(document.date or ""),
        recorder=f"Imported from {document.uploaded_from or 'an NRTM file'}",
        players=players,
        swiss=swiss,
        elimination=elimination,
        swiss_announced=_announced(document, swiss, cut),
        cut=cut,
        ignored=members.passed.ignored(),
        notes=first_notes(
            [CHANGED] * bool(parts) + [*reader.notes, *(each.words for each in not_computed)]
        ),
        published=published_in(document),
        not_computed=not_computed,
    )


def document_of(raw: object, members: Members) -> NrtmDocument:
    """Return the document. Raises InvalidLog: it is not of this shape."""
    try:
        document = msgspec.convert(members.document(raw), NrtmDocument, strict=False)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidLog(
            phrase("{problem}: {error}", problem=NOT_NRTM, error=one_line(str(error)))
        ) from None
    if document.players is None and document.rounds is None:
        raise InvalidLog(
            phrase(
                "{problem}: it has neither players nor rounds",
                problem=NOT_NRTM,
            )
        )
    return document


def as_sorted(raw: object) -> str:
    """Return JSON in one order of its members, as a record's digest has it."""
    return msgspec.json.encode(raw, order="sorted").decode()


def _published(raw: object) -> tuple[PublishedRow, ...]:
    try:
        return published_in(document_of(raw, Members()))
    except InvalidLog:
        return ()


def _rounds(document: NrtmDocument, reader: RoundReader) -> list[ForeignRound]:
    listed = document.rounds or []
    if len(listed) > ROUNDS_MAX:
        raise InvalidLog(
            phrase(
                "{listed} rounds: a stage can have at most {rounds_max}",
                listed=f"{len(listed):,}",
                rounds_max=ROUNDS_MAX,
            )
        )
    rounds: list[ForeignRound] = []
    for number, pairings in enumerate(listed, start=1):
        round_ = reader.read(number, pairings, is_last=number == len(listed))
        if rounds and rounds[-1].elimination and not round_.elimination and round_.present:
            raise InvalidLog(phrase("round {number} is a Swiss round after the cut", number=number))
        if round_.present:
            rounds.append(round_)
        else:
            reader.notes.append(left_out(f"round {number}"))
    return rounds


def _cut(document: NrtmDocument, elimination: tuple[ForeignRound, ...]) -> ForeignCut | None:
    """Who goes on: those whom the file lists, and all who play in an elimination round.

    Each listed place counts, though nobody may have it yet; the announced size counts only as
    long as the file does not say more.
    """
    listed = document.elimination_players or []
    named = {place.key: place.seed for place in listed if place.key}
    playing = {key: None for round_ in elimination for key in sorted(round_.present)}
    everybody = playing | named
    size = max(len(listed), len(everybody)) or max(document.cut_to_top or 0, 0)
    if size > PLAYERS_MAX:
        raise InvalidLog(
            phrase(
                "`cutToTop` is {size}: a cut can have at most {players_max} places",
                size=size,
                players_max=f"{PLAYERS_MAX:,}",
            )
        )
    if not size:
        return None
    seeded: dict[int, str] = {}
    for key, seed in everybody.items():
        if seed is not None and 1 <= seed <= size:
            seeded.setdefault(seed, key)
    placed = set(seeded.values())
    unplaced = tuple(key for key in everybody if key not in placed)
    return ForeignCut(tuple(seeded.get(seed, "") for seed in range(1, size + 1)), unplaced)


def _announced(
    document: NrtmDocument, swiss: tuple[ForeignRound, ...], cut: ForeignCut | None
) -> int:
    planned = document.preliminary_rounds or 0
    if planned > ROUNDS_MAX:
        raise InvalidLog(
            phrase(
                "`preliminaryRounds` is {planned}: a stage can have at most {rounds_max}",
                planned=planned,
                rounds_max=ROUNDS_MAX,
            )
        )
    return len(swiss) if cut is not None and cut.known else max(planned, len(swiss))


def _name(document: NrtmDocument) -> str:
    name = document.name or "imported tournament"
    if len(name) > NAME_MAX:
        raise InvalidLog(phrase("its name is longer than {name_max} characters", name_max=NAME_MAX))
    return name


def _with_byes(
    loaded: LoadedRuleset, rounds: list[ForeignRound], found: Mapping[int, list[str]]
) -> tuple[str, list[ForeignRound]]:
    """Return the ruleset's text with the worth of the file's byes, and the rounds with their byes.

    A match of two games gives a bye 6 points, a match of one game 3: the file shows which it was.
    If its byes have several worths, the most frequent one is the round's; the others have names.
    """
    text, own = loaded.document.text, loaded.ruleset.bye.points
    if set(found) <= {own}:
        return text, rounds
    usual = max(found, key=lambda points: (len(found[points]), points == own))
    if usual != own:
        text = of_edition(text, f"byes worth {usual}")
        text = _BYE.sub(rf"\g<1>{usual}", text, count=1)
    named = {place: points for points in found if points != usual for place in found[points]}
    byes = {bye_name(points): points for points in sorted(set(named.values()))}
    return with_byes(text, byes), [_named_byes(round_, named) for round_ in rounds]


def _named_byes(round_: ForeignRound, named: Mapping[str, int]) -> ForeignRound:
    games = (
        replace(game, bye=bye_name(named[game.place])) if game.place in named else game
        for game in round_.games
    )
    return replace(round_, games=tuple(games))

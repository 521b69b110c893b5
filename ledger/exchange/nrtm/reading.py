"""From the bytes of an NRTM/Cobra file to a foreign tournament."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.events.base import PLAYERS_MAX
from ledger.events.opening import Source
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import ForeignCut, ForeignRound, ForeignTournament, PublishedRow
from ledger.exchange.nrtm.document import NrtmDocument, players_of, published_in
from ledger.exchange.nrtm.games import RoundReader, Span
from ledger.exchange.nrtm.members import Members
from ledger.exchange.odd_tables import LISTED_TWICE, bye_name, decided, first_notes, with_byes
from ledger.exchange.own_record import CHANGED, named, taken, unpacked
from ledger.exchange.programs.building import NAME_MAX, ROUNDS_MAX, decoded
from ledger.files.access import one_line
from ledger.rulesets import load, of_edition
from ledger.rulesets.toml_files import Key, Part, TomlFiles

if TYPE_CHECKING:
    from ledger.rulesets.ruleset import LoadedRuleset

KIND = "nrtm"
NOT_NRTM = "is no NRTM/Cobra tournament"
RECORD = "tourneyRecord"
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
    parts = raw.pop(RECORD, None) if isinstance(raw, dict) else None
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
        notes=first_notes([CHANGED] * bool(parts) + [*reader.notes, *map(str, not_computed)]),
        published=published_in(document),
        not_computed=not_computed,
    )


def document_of(raw: object, members: Members) -> NrtmDocument:
    """Return the document. Raises InvalidLog: it is not of this shape."""
    try:
        document = msgspec.convert(members.document(raw), NrtmDocument, strict=False)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidLog(f"{NOT_NRTM}: {one_line(str(error))}") from None
    if document.players is None and document.rounds is None:
        raise InvalidLog(f"{NOT_NRTM}: it has neither players nor rounds")
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
        raise InvalidLog(f"{len(listed):,} rounds are too many: a stage holds {ROUNDS_MAX}")
    rounds: list[ForeignRound] = []
    for number, pairings in enumerate(listed, start=1):
        round_ = reader.read(number, pairings, is_last=number == len(listed))
        if rounds and rounds[-1].elimination and not round_.elimination and round_.present:
            raise InvalidLog(f"round {number} is a Swiss round after the cut")
        if round_.present:
            rounds.append(round_)
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
        raise InvalidLog(f"`cutToTop` is {size}: a cut has at most {PLAYERS_MAX:,} places")
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
        raise InvalidLog(f"`preliminaryRounds` is {planned}: a stage holds {ROUNDS_MAX}")
    return len(swiss) if cut is not None and cut.known else max(planned, len(swiss))


def _name(document: NrtmDocument) -> str:
    name = document.name or "imported tournament"
    if len(name) > NAME_MAX:
        raise InvalidLog(f"its name is longer than {NAME_MAX} characters")
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

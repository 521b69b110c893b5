"""An event as this program recorded it, inside a file that another program reads.

Other formats have no place for a ruleset, for all that a table saw, or for an elimination. So each
file that is written carries a record: the event as a `ForeignTournament`, packed, in parts of text
where other programs look for nothing. The record has the SHA-256 of the rest of the file. If the
rest was changed since, the record does not count, and the file is read like any other.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.foreign import (
    ForeignCut,
    ForeignGame,
    ForeignPlayer,
    ForeignRound,
    ForeignTournament,
)
from ledger.facts.base import PLAYERS_MAX
from ledger.facts.shared import Source
from ledger.files.kinds import many_values
from ledger.problems import marked
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.tournament.state import Match, Round, Tournament

PART_MAX = 900
"""Characters of a part: a cell of a sheet holds 1,000."""

UNPACKED_MAX = 20_000_000
UNPACKED_MIN, TIMES_MAX = 100_000, 60
"""Bytes that any record may have, and how many times the size of the rest of its file."""

ROUNDS_MAX = 100
CHANGED = marked("the file was changed after tourney wrote it, so its tourney record was not used")


MARK = "tourney-record "
_LINE = re.compile(r"(?:### |; |<!-- )tourney-record ([A-Za-z0-9+/=]{1,1000})(?: -->)?")


class OwnRecord(Struct, frozen=True):
    """A record as it is packed: the digest of the rest of the file, and the event."""

    sha256: str
    event: ForeignTournament


def own_lines(
    before: str,
    tournament: Tournament,
    key_of: Callable[[int], str],
    rest: Iterable[str],
    unit: int = 1,
) -> Iterator[str]:
    """Yield the lines of a record: each begins as a remark of the file's format does.

    `unit` is how many points of the ruleset are written as one.
    """
    after = " -->" if before == "<!-- " else ""
    for part in parts_of(tournament, key_of, rest, unit):
        yield f"{before}{MARK}{part}{after}"


def parts_of(
    tournament: Tournament, key_of: Callable[[int], str], rest: Iterable[str], unit: int = 1
) -> list[str]:
    """Return the record of an event in parts.

    `key_of` returns what the file calls a player, and `rest` are the lines of all else.
    """
    event = replace(event_of(tournament, key_of), points_unit=unit)
    record = OwnRecord(digest(rest), event)
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(record), 9)).decode()
    return [packed[at : at + PART_MAX] for at in range(0, len(packed), PART_MAX)]


def digest(lines: Iterable[str]) -> str:
    """Return the SHA-256 of lines, without the blanks at their ends and without empty lines."""
    found = hashlib.sha256()
    for line in lines:
        if text := line.strip():
            found.update(text.encode("utf-8", "replace") + b"\n")
    return found.hexdigest()


def unpacked(parts: Sequence[str], rest: Iterable[str]) -> ForeignTournament | None:
    """Return the event of a record; None if the record is damaged or the rest has changed."""
    try:
        lines = list(rest)
        packed = base64.b64decode("".join(parts), validate=True)
        most = min(UNPACKED_MIN + TIMES_MAX * sum(map(len, lines)), UNPACKED_MAX)
        inflater = zlib.decompressobj()
        data = inflater.decompress(packed, most)
        if inflater.unconsumed_tail or many_values(data):
            return None
        record = msgspec.json.decode(data, type=OwnRecord)
        if record.sha256 != digest(lines) or not _fits(record.event):
            return None
        parse(record.event.ruleset)
    except (
        binascii.Error,
        zlib.error,
        msgspec.DecodeError,
        RecursionError,
        LedgerError,
        ValueError,
    ):
        return None
    return record.event


class FoundRecord(Struct, frozen=True):
    """A record in a file; without an event it is damaged, or of other contents."""

    event: ForeignTournament | None


def own_event(data: bytes) -> FoundRecord | None:
    """Return the record in a file of text; None for a file without a record."""
    if MARK.encode() not in data or len(data) > UNPACKED_MAX:
        return None
    parts, rest = record_in(data.decode("utf-8-sig", "replace"))
    return FoundRecord(unpacked(parts, rest)) if parts else None


def named(foreign: ForeignTournament, name: str, day: str) -> ForeignTournament:
    """Return the event with the name and the day that a person gave, if any."""
    return replace(foreign, name=name or foreign.name, date=day or foreign.date)


def record_in(text: str) -> tuple[list[str], list[str]]:
    """Return the parts of the record in a text, and all other lines."""
    parts: list[str] = []
    rest: list[str] = []
    for line in text.splitlines():
        found = _LINE.fullmatch(line.strip())
        (parts if found else rest).append(found[1] if found else line)
    return parts, rest


def taken(
    event: ForeignTournament, kind: str, data: bytes, plain: ForeignTournament | None
) -> ForeignTournament:
    """Return the event of a record as that of its file, with what its plain reading publishes."""
    sha256 = hashlib.sha256(data).hexdigest()
    found = replace(
        event, source=Source(kind, sha256), tournament=sha256[:32],
        recorder=f"Imported from a file of kind {kind}",
    )  # fmt: skip
    if plain is None:
        return found
    return replace(found, published=plain.published, is_ranked=plain.is_ranked)


def _fits(event: ForeignTournament) -> bool:
    """Return whether every key is that of a player, and no list is too long."""
    known = {player.key for player in event.players}
    rounds = (*event.swiss, *event.elimination)
    named = {
        key for round_ in rounds for key in (*round_.present, *round_.leaving, *round_.disqualified)
    } | (event.cut.known if event.cut else set())
    sizes = (
        event.points_unit > 0 and len(event.players) <= PLAYERS_MAX and len(rounds) <= ROUNDS_MAX
    )
    stages = not event.swiss_stages or sum(event.swiss_stages) == len(event.swiss)
    is_whole = all(round_.games and all(game.first for game in round_.games) for round_ in rounds)
    return sizes and stages and is_whole and named <= known and len(known) == len(event.players)


def event_of(tournament: Tournament, key_of: Callable[[int], str]) -> ForeignTournament:
    """Return an event of ours as a file of another program would give it, in full."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    stages = {stage.number: stage for stage in tournament.stages}
    swiss = [each for each in tournament.rounds if stages[each.stage].is_swiss]
    later = [each for each in tournament.rounds if not stages[each.stage].is_swiss]
    lengths = [len([r for r in swiss if r.stage == n]) for n in sorted({r.stage for r in swiss})]
    planned = sum(stage.plan.rounds for stage in tournament.stages if stage.is_swiss)
    gone = _gone(tournament)
    elimination = tuple(_round(tournament, each, key_of, gone) for each in later)
    return ForeignTournament(
        source=Source("own", "0" * 64),
        tournament="",
        ruleset=opening.ruleset.text,
        name=opening.name,
        date=opening.date,
        recorder="",
        players=tuple(_people(tournament, key_of)),
        swiss=tuple(_round(tournament, each, key_of, gone) for each in swiss),
        elimination=elimination,
        swiss_announced=len(swiss) if tournament.finished or later else max(planned, len(swiss)),
        cut=_cut(tournament, key_of) or ForeignCut.of(elimination),
        swiss_stages=tuple(lengths) if len(lengths) > 1 else (),
        tier=opening.tier,
        stays_open=not tournament.finished,
        is_over=tournament.finished,
        last_day=last_day_of(tournament),
    )


def _people(tournament: Tournament, key_of: Callable[[int], str]) -> Iterator[ForeignPlayer]:
    for player in tournament.registered():
        yield ForeignPlayer(
            key_of(player.number), tournament.names.get(f"p{player.number}", ""),
            player.random_rank, player.attributes, player.faction, player.league_id,
            player.numbers,
        )  # fmt: skip


def last_day_of(tournament: Tournament) -> str:
    """Return the day on which an event ended, by its log; empty if it is the first one."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    begun = max((each.started_at[:10] for each in tournament.rounds), default="")
    return opening.last_day or (begun if begun > opening.date else "")


def _gone(tournament: Tournament) -> dict[int, tuple[int, bool]]:
    """Return after which round a player was gone, and whether they were disqualified."""
    last: dict[int, int] = {}
    for round_ in tournament.rounds:
        for player in round_.present:
            last[player] = round_.number
    return {
        each.number: (last[each.number], each.status == "disqualified")
        for each in tournament.registered()
        if each.status in {"dropped", "disqualified"} and each.number in last
    }


def _round(
    tournament: Tournament,
    round_: Round,
    key_of: Callable[[int], str],
    gone: dict[int, tuple[int, bool]],
) -> ForeignRound:
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    games = tuple(
        _game(tournament, match, key_of, is_swiss=is_swiss)
        for match in round_.matches
        if match.first
    )
    absent = tuple(key_of(player) for player in sorted(round_.missed))
    leaving, disqualified = (
        tuple(key_of(each) for each, how in gone.items() if how == (round_.number, is_final))
        for is_final in (False, True)
    )
    place = f"round {round_.number}"
    return ForeignRound(not is_swiss, games, absent, leaving, place, disqualified)


def _game(
    tournament: Tournament, match: Match, key_of: Callable[[int], str], *, is_swiss: bool
) -> ForeignGame:
    first = key_of(match.first)
    place = f"round {match.round}, table {match.table}"
    if match.is_bye:
        return ForeignGame(first, bye=match.named, place=place)
    second, winner = key_of(match.second), ""
    if match.result is not None and not is_swiss:
        rules = tournament.ruleset
        ahead = [rules.outcome(outcome).advances for outcome in match.result.outcomes]
        winner = first if ahead[0] else second if ahead[1] else ""
    return ForeignGame(first, second, winner=winner, result=match.result, place=place)


def _cut(tournament: Tournament, key_of: Callable[[int], str]) -> ForeignCut | None:
    stage = next((each for each in tournament.stages if not each.is_swiss), None)
    if stage is None:
        return None
    seeds = stage.seeds or stage.entrants
    if seeds:
        return ForeignCut(tuple(map(key_of, seeds)))
    return ForeignCut(("",) * stage.plan.size) if stage.plan.size else None

"""A tournament as FIDE's report file, TRF16 or TRF26; what chess has no column for in remarks.

A remark is a line of `### tourney` and an object: who somebody is in full, the table that two met
at, with its result as the log has it, and the rounds of an elimination. Other programs pass over
it; this one reads names and tables back. Lines of `### tourney-record` have the whole event.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from ledger.errors import Refused
from ledger.exchange.own_record import last_day_of, own_lines
from ledger.exchange.programs.building import printable
from ledger.exchange.programs.trf import NAME_WIDTH, REMARK
from ledger.exchange.programs.trf_lines import codes_records, unit_of, worths_record
from ledger.exchange.programs.written import FIRST, marks_of, swiss_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.exchange.programs.written import Mark, WrittenRow
    from ledger.tournament.state import Player, Tournament

NUMBER_MAX = 9_999
OF_TRF26 = "142"
POINTS_WIDTH = 4
RESULTS = {
    "win": "1", "loss": "0", "draw": "=", "came": "+", "absent": "-", "open": " ", "bye": "U",
    "full": "F", "half": "H", "zero": "Z",
}  # fmt: skip


def write_trf16(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write TRF16, the number of rounds by the code that pairing programs use."""
    return _written(tournament, rows, "XXR")


def write_trf26(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write TRF26."""
    return _written(tournament, rows, OF_TRF26)


def _written(tournament: Tournament, rows: Sequence[WrittenRow], rounds: str) -> bytes:
    ranks = {row.player: row.rank for row in rows}
    if len(tournament.players) > NUMBER_MAX:
        raise Refused(f"a report file numbers {NUMBER_MAX:,} players at most")
    unit = unit_of(tournament.ruleset)
    points = {row.player: _points_text(Fraction(row.points, unit)) for row in rows}
    lines = [
        *_heads(tournament, rounds), *_players(tournament, ranks, points), *_remarks(tournament),
    ]  # fmt: skip
    lines += own_lines("### ", tournament, str, lines, unit)
    return "".join(f"{line}\r\n" for line in lines).encode()


def _heads(tournament: Tournament, rounds: str) -> Iterator[str]:
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    people = list(tournament.registered())
    planned = sum(each.plan.rounds for each in tournament.stages if each.is_swiss)
    yield f"012 {printable(opening.name)}"
    yield f"042 {opening.date.replace('-', '/')}"
    yield f"052 {(last_day_of(tournament) or opening.date).replace('-', '/')}"
    yield f"062 {len(people)}"
    yield f"072 {sum(bool(each.numbers.get('rating')) for each in people)}"
    yield "092 Individual: Swiss-System"
    yield f"{rounds} {max(planned, len(swiss_rounds(tournament)))}"
    if rounds == OF_TRF26:
        yield from filter(None, [worths_record(tournament.ruleset)])
        yield from codes_records(tournament.ruleset)


def _points_text(points: Fraction) -> str:
    text = f"{float(points):.1f}"
    return text if len(text) <= POINTS_WIDTH else f"{float(points):.0f}"


def _players(
    tournament: Tournament, ranks: Mapping[int, int], points: Mapping[int, str]
) -> Iterator[str]:
    marks = [marks_of(tournament, each) for each in swiss_rounds(tournament)]
    for player in tournament.registered():
        number, labels = player.number, player.attributes
        rating = player.numbers.get("rating", 0) or labels.get("rating", "")
        cells = "  ".join(_cell(each.get(number)) for each in marks)
        name = printable(tournament.names.get(f"p{number}", ""))[:NAME_WIDTH]
        yield (
            f"001 {number:>4}  {printable(labels.get('title', ''))[:3]:>3} {name:<{NAME_WIDTH}} "
            f"{str(rating or '')[:4]:>4} {printable(labels.get('federation', ''))[:3]:>3} "
            f"{printable(labels.get('fide id', ''))[:11]:>11} {'':10} {points.get(number, ''):>4} "
            f"{ranks.get(number, ''):>4}  {cells}"
        ).rstrip()


def _cell(mark: Mark | None) -> str:
    if mark is None:
        return "0000 - Z"
    if not mark.other:
        return f"0000 - {RESULTS[mark.kind]}"
    return f"{mark.other:>4} {'bw'[mark.seat == FIRST]} {RESULTS[mark.kind]}"


def _remarks(tournament: Tournament) -> Iterator[str]:
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - as above
    yield _remark(
        about="event", tournament=opening.tournament, events=tournament.seq,
        ruleset=opening.ruleset.key, edition=opening.ruleset.edition, tier=opening.tier,
    )  # fmt: skip
    yield from (_person(tournament, each) for each in tournament.registered())
    for round_ in tournament.rounds:
        for match in round_.matches:
            yield _remark(
                about="table", round=round_.number, stage=round_.stage, table=match.table,
                players=match.players, result=match.result,
            )  # fmt: skip


def _person(tournament: Tournament, player: Player) -> str:
    return _remark(
        about="player", player=player.number, name=tournament.names.get(f"p{player.number}", ""),
        faction=player.faction, league_id=player.league_id, attributes=player.attributes,
        numbers=player.numbers, status=player.status,
    )  # fmt: skip


def _remark(**about: object) -> str:
    text = msgspec.json.encode(about).decode()
    return REMARK + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)

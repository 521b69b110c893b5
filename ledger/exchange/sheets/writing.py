"""A tournament as a sheet of rounds, which is the same event when it is read again.

The first rows have `event` for a round: what the sheet is called, its day and its game. The last
ones have the record of the event, which counts as long as the other rows are unchanged.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from ledger.exchange.own_record import parts_of
from ledger.exchange.sheets.reading import (
    DATE,
    EVENT,
    NAME,
    RECORD,
    RULESET,
    about_of,
)
from ledger.files.kinds import marked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.events.results import Result
    from ledger.exchange.programs.written import WrittenRow
    from ledger.tournament.state import Round, Tournament

Cells = dict[str, str]


def write_rounds(tournament: Tournament, _rows: Sequence[WrittenRow]) -> bytes:
    """Write a row for each table of each round, with a byte order mark, as spreadsheets take it."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    about = {NAME: opening.name, DATE: opening.date, RULESET: opening.ruleset.key}
    rows = [_event_row(what, text) for what, text in about.items()]
    rows += _roster(tournament)
    for round_ in tournament.rounds:
        rows += _tables(tournament, round_)
    fixed = ("round", "stage", "table", "player1", "player2", "result", "winner", "ended", "tier")
    used = dict.fromkeys(column for row in rows for column in row)
    titles = [column for column in fixed if column in used or column == "player2"]
    titles += [column for column in used if column not in fixed]
    plain = _as_csv(titles, rows)
    parts = parts_of(tournament, "p{}".format, about_of(plain).rest)
    return _as_csv(titles, [*rows, *(_event_row(RECORD, part) for part in parts)])


def _as_csv(titles: Sequence[str], rows: Iterable[Cells]) -> bytes:
    out = io.StringIO()
    sheet = csv.DictWriter(out, titles, lineterminator="\r\n")
    sheet.writeheader()
    for row in rows:
        sheet.writerow({column: marked(text) for column, text in row.items()})
    return out.getvalue().encode("utf-8-sig")


def _event_row(what: str, text: str) -> Cells:
    return {"round": EVENT, "player1": what, "player2": text}


def _roster(tournament: Tournament) -> Iterator[Cells]:
    """Yield everybody as entered, with what the log knows of them."""
    opening = tournament.opening
    for player in tournament.registered():
        cells = {
            "round": "0", "player1": tournament.names.get(f"p{player.number}", ""),
            "faction1": player.faction, "league_id1": player.league_id,
            "tier": opening.tier if opening else "",
        }  # fmt: skip
        cells |= {f"{label}1": text for label, text in player.attributes.items()}
        yield {column: text for column, text in cells.items() if text}


def _tables(tournament: Tournament, round_: Round) -> Iterator[Cells]:
    stage = tournament.stages[round_.stage - 1]
    common = {"round": str(round_.number), "stage": str(round_.stage) if stage.is_swiss else "cut"}
    for match in round_.matches:
        names = [tournament.names.get(f"p{player}", "") for player in match.players]
        cells = common | {"table": str(match.table), "player1": names[0]}
        if match.is_bye:
            yield cells | {"result": "bye"}
            continue
        result = _result(tournament, match.result, is_swiss=stage.is_swiss)
        yield cells | {"player2": names[1]} | result
    for player in sorted(round_.missed):
        yield common | {"player1": tournament.names.get(f"p{player}", ""), "result": "missed"}


def _result(tournament: Tournament, result: Result | None, *, is_swiss: bool) -> Cells:
    if result is None:
        return {}
    letters = [tournament.ruleset.records[each] for each in result.outcomes]
    if result.manner == "no-show":
        gone = [letter == "L" for letter in letters]
        return {"result": "no-show" if all(gone) else f"no-show{1 + gone.index(True)}"}
    if result.facts or result.ending:
        cells = {"ended": result.ending}
        for label, pair in result.facts.items():
            cells |= {f"{label}{side}": str(own) for side, own in enumerate(pair, start=1)}
        return cells
    if tournament.ruleset.scoring.kind == "reported" and (is_swiss or any(result.points)):
        return {f"points{side}": str(own) for side, own in enumerate(result.points, start=1)}
    return {"result": result.outcomes[0]}

"""A tournament as NRTM JSON, as Cobra writes it and organizers of Netrunner exchange it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.errors import Refused
from ledger.exchange.nrtm.reading import RECORD, as_sorted
from ledger.exchange.own_record import parts_of
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.exchange.programs.written import WrittenRow
    from ledger.tournament.state import Match, Round, Tournament

PUBLISHED = {"SOS": "strengthOfSchedule", "ESOS": "extendedStrengthOfSchedule"}
UPLOADED_FROM = "tourney"


def write_nrtm(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write players with their standings, and the tables of each round."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    if tournament.ruleset.scoring.kind != "reported":
        text = "{game} reports no points of a match, which NRTM is made of"
        raise Refused(problem("export.no_points", text, game=tournament.ruleset.key))
    swiss = sum(each.plan.rounds for each in tournament.stages if each.is_swiss)
    cut = next((each for each in tournament.stages if not each.is_swiss), None)
    seeds = cut.seeds or cut.entrants if cut else []
    value = {
        "name": opening.name,
        "date": opening.date,
        "cutToTop": len(seeds) or (cut.plan.size if cut else 0),
        "preliminaryRounds": swiss,
        "players": [_person(tournament, row) for row in rows],
        "eliminationPlayers": [
            {"id": player, "name": tournament.names.get(f"p{player}", ""), "seed": seed}
            for seed, player in enumerate(seeds, start=1)
        ],
        "rounds": [
            [*_tables(tournament, round_)] for round_ in tournament.rounds
        ],
        "uploadedFrom": UPLOADED_FROM,
    }  # fmt: skip
    record = parts_of(tournament, str, [as_sorted(value)])
    return msgspec.json.encode(value | {RECORD: record}) + b"\n"


def _person(tournament: Tournament, row: WrittenRow) -> dict[str, object]:
    player = tournament.players[row.player]
    labels = {"corp": "corpIdentity", "runner": "runnerIdentity"}
    return {
        "id": row.player,
        "name": tournament.names.get(f"p{row.player}", ""),
        "rank": row.rank,
        **{labels[each]: player.attributes.get(each) for each in labels},
        "matchPoints": row.points,
        **{
            member: repr(float(row.tiebreakers[code]))
            for code, member in PUBLISHED.items()
            if code in row.tiebreakers
        },
    }


def _tables(tournament: Tournament, round_: Round) -> Iterator[dict[str, object]]:
    elimination = not tournament.stages[round_.stage - 1].is_swiss
    for match in round_.matches:
        bye = tournament.ruleset.worth_of_bye(match.named).points
        yield _table(match, bye, elimination=elimination)
    for player in sorted(round_.missed):  # a table of one player, and no points
        alone = {"id": player, "combinedScore": 0}, {"id": None, "combinedScore": 0}
        yield {"player1": alone[0], "player2": alone[1], "eliminationGame": elimination}


def _table(match: Match, bye: int, *, elimination: bool) -> dict[str, object]:
    sides: list[dict[str, object]] = []
    for place, player in enumerate((match.first, match.second)):
        side: dict[str, object] = {"id": player or None}
        if elimination:
            won = match.result.outcomes[place] == "win" if match.result else None
            side["winner"] = won
        else:
            side["combinedScore"] = _score(match, place, bye)
        sides.append(side)
    return {
        "table": match.table, "player1": sides[0], "player2": sides[1],
        "eliminationGame": elimination,
    }  # fmt: skip


def _score(match: Match, place: int, bye: int) -> int | None:
    if match.is_bye:
        return bye if (match.first, match.second)[place] else 0
    if match.result is None:
        return None
    return match.result.points[place] + match.result.adjusted[place]

"""Points that no match gives, a judge's in a Cobra file: on record as adjusted points."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from ledger.exchange.log_files import admit_line
from ledger.exchange.programs.nrtm import Span, read_nrtm
from ledger.exchange.translating import translate
from ledger.facts.results import ResultReported, turned
from ledger.facts.shared import Result
from ledger.lines.line import decode
from ledger.proof.formats import Tree
from ledger.tournament.state import Tournament
from projections.audit.report import audit_of
from projections.standings.table import ranking
from tests.support.files.nrtm_files import as_bytes, document, rows, table
from tests.support.forging import against
from tests.support.season import opened, take_in, write_log
from tests.support.shared import TOURNAMENTS, needs_shared
from tests.support.simulate import Day
from tests.truth.season_truth import check_against_the_fold

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.files.nrtm_files import Json

IMPOSSIBLE = (8, 7, 9, -2)


def four_rounds() -> Json:
    """Six players; at four tables points that no match gives, on either side."""
    return document(
        (1, 2, 3, 4, 5, 6),
        [
            [table(1, 2, 8, 0), table(3, 4, 3, 3), table(5, 6, 6, 0)],
            [table(1, 3, 6, 7), table(2, 5, 0, 6), table(4, 6, 3, 3)],
            [table(1, 4, 9, 7), table(2, 6, 6, -2), table(3, 5, 6, 0)],
            [table(1, 5, 3, 3), table(2, 3, 6, 0), table(4, 6, 0, 6)],
        ],
    )


def taken(content: Json) -> list[bytes]:
    return [line for _, line in translate(read_nrtm(as_bytes(content)), ranking)]


def folded(lines: list[bytes]) -> Tournament:
    tournament, tree = Tournament(), Tree()
    for line in lines:
        admit_line(tournament, line, tree)
    return tournament


def published(content: Json) -> dict[str, tuple[int, Fraction, Fraction]]:
    """Points, strength of schedule and the extended one by the file alone, of all that is told."""
    points: dict[int, list[int]] = {player["id"]: [] for player in content["players"]}
    met: dict[int, list[int]] = {player["id"]: [] for player in content["players"]}
    for pairing in (each for played in content["rounds"] for each in played):
        one, other = pairing["player1"], pairing["player2"]
        if pairing["eliminationGame"] or "winner" in one:
            continue
        for side, facing in ((one, other), (other, one)):
            score = side.get("combinedScore")
            if side["id"] is None or (score is None and facing.get("combinedScore") is None):
                continue
            points[side["id"]].append(score or 0)
            if facing["id"] is not None:
                met[side["id"]].append(facing["id"])

    def mean(values: list[Fraction]) -> Fraction:
        return sum(values, Fraction()) / len(values) if values else Fraction()

    worth = {key: Fraction(sum(own), len(own) or 1) for key, own in points.items()}
    schedule = {key: mean([worth[each] for each in others]) for key, others in met.items()}
    extended = {key: mean([schedule[each] for each in others]) for key, others in met.items()}
    return {
        each["name"]: (sum(points[each["id"]]), schedule[each["id"]], extended[each["id"]])
        for each in content["players"]
    }


def found(content: Json) -> dict[str, tuple[int, Fraction, Fraction]]:
    return {
        row["name"]: (
            row["points"],
            Fraction(row["tiebreakers"]["SOS"]["exact"]),
            Fraction(row["tiebreakers"]["ESOS"]["exact"]),
        )
        for row in rows(folded(taken(content)))
    }


def test_taken_they_count_as_the_file_has_them() -> None:
    content = four_rounds()
    assert found(content) == published(content)
    results = [each.event.result for each in map(decode, taken(content))
               if isinstance(each.event, ResultReported)]  # fmt: skip
    beside = [(each.points, each.adjusted) for each in results if any(each.adjusted)]
    assert beside == [
        ((6, 0), (2, 0)),
        ((6, 6), (0, 1)),  # 6 is what a match gives, and stays
        ((6, 5), (3, 2)),
        ((6, 0), (0, -2)),
    ]


@needs_shared
@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_a_real_file_with_four_impossible_results(path: Path) -> None:
    """As Cobra would have published it: this definition gives its every figure where none is."""
    content: Any = json.loads(path.read_bytes())
    own = published(content)
    for player in content["players"]:
        assert own[player["name"]][0] == player["matchPoints"]
        assert float(own[player["name"]][1]) == pytest.approx(float(player["strengthOfSchedule"]))
    games = [
        each
        for played in content["rounds"]
        for each in played
        if not each["eliminationGame"] and each["player1"]["id"] and each["player2"]["id"]
    ]
    for number, points in enumerate(IMPOSSIBLE):
        games[number * len(games) // 4][f"player{1 + number % 2}"]["combinedScore"] = points
    assert len(read_nrtm(as_bytes(content)).notes) == len(IMPOSSIBLE)
    assert found(content) == published(content)


def test_what_a_match_gives_stays_and_nobody_else_is_ahead() -> None:
    """Of all that both sides can have the nearest; where both are impossible, as they stood."""
    span = Span(0, 6)
    for points in product(range(-4, 12), range(-4, 12)):
        near = span.nearest(points)
        assert all(map(span.holds, near))
        for own, found in zip(points, near, strict=True):
            assert found == own or not span.holds(own)
        order, ahead = near[0] - near[1], points[0] - points[1]
        assert order * ahead > 0 or order == 0
        if not any(map(span.holds, points)):
            assert (order > 0, order < 0) == (ahead > 0, ahead < 0)


def test_byes_have_the_points_of_the_file_and_an_absurd_number_is_not_computed() -> None:
    content = four_rounds()
    content["rounds"][3] = [table(1, 5, 3, 10**7), table(2, 3, 6, 0), table(4, None, 9, None)]
    foreign = read_nrtm(as_bytes(content))
    assert [(each.place, str(each.published)) for each in foreign.not_computed] == [
        ("round 4, table 1", "3:10000000 points")
    ]
    content["rounds"][3][0] = table(1, 5, 3, 3)
    assert found(content) == published(content)


def test_only_an_import_has_them() -> None:
    day = Day(4, ruleset="netrunner")
    day.start(2)
    day.pair()
    beside = Result(("win", "loss"), (6, 0), adjusted=(2, 0))
    assert "only in the Swiss rounds of an import" in against(day, ResultReported(1, beside))
    assert turned(beside).adjusted == (0, 2)
    assert not against(day, ResultReported(1, Result(("win", "loss"), (6, 0))))


def test_the_audit_tells_each() -> None:
    audit = audit_of(map(decode, taken(four_rounds())))
    told = [each.adjusted for each in audit.findings if each.kind == "adjusted"]
    assert sorted(told) == [(0, -2), (0, 1), (2, 0), (3, 2)]


def test_a_desk_takes_them(desk: Desk) -> None:
    """They are on record, in `explain`, `audit`, `pairings` and `log`, and named by the import."""
    (desk.folder / "worlds.json").write_bytes(as_bytes(four_rounds()))
    answer = desk.done("import", "worlds.json")
    assert answer.err.count("adjusted by") == 4
    again = desk.done("import", "worlds.json", "--adjusted", "--json")
    assert "already" in again.err, "the option of earlier releases changes nothing"
    told = desk.done("explain", "Player 1", "points", "--depth", "3").out
    assert "round 3: points = 9, the sum of its parts" in told
    assert "adjustment = 3" in told
    audit = desk.done("audit").out
    assert audit.count("points adjusted") == 4
    assert "by +0 and -2" in " ".join(audit.split())
    shown = desk.done("pairings", "--round", "3", "--json").json
    assert shown[0]["result"]["points"] == [6, 5]
    assert shown[0]["result"]["adjusted"] == [3, 2]
    assert "points adjusted by +3:+2" in " ".join(desk.done("match", "3/1").out.split())


@pytest.mark.slow
def test_the_season_counts_them(tmp_path: Path) -> None:
    """What SQL derives is what the fold says, and what the file has."""
    lines = taken(four_rounds())
    take_in(tmp_path / "season.duckdb", write_log(tmp_path / "worlds.jsonl", lines))
    with opened(tmp_path / "season.duckdb") as connection:
        check_against_the_fold(connection, lines)
        told = "SELECT points1, points2 FROM results WHERE round = 3 ORDER BY match"
        assert connection.execute(told).fetchall() == [(9, 7), (6, -2), (6, 0)]


def test_another_result_keeps_the_points_that_a_judge_added(desk: Desk) -> None:
    """1 and 4 of round 3 have 9-7, of which a match gives at most 6: the rest is a judge's."""
    (desk.folder / "event.json").write_bytes(as_bytes(four_rounds()))
    desk.done("import", "event.json")
    before = {row["player"]: row["points"] for row in desk.done("standings", "--json").json}
    (match,) = [
        result
        for result in desk.done("pairings", "--round", "3", "--json").json
        if set(result["players"]) == {1, 4}
    ]
    table, (first, second) = match["table"], match["players"]
    answer = desk.done("whatif", f"3/{table}", "6-0", "--json").json
    after = before | {
        row["player"]: row["after"]["points"] for row in answer["differences"]["rows"]
    }
    (recorded,) = [
        json.loads(line)["data"]["result"]
        for line in desk.log().splitlines()
        if '"ResultReported"' in line and f'"match":{match["match"]},' in line
    ]
    moved = after[first] - before[first], after[second] - before[second]
    assert any(recorded["adjusted"])
    assert moved == (6 - recorded["points"][0], 0 - recorded["points"][1])

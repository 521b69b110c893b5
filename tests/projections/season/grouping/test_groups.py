"""Groups by an attribute, against plain Python: labels of every kind, and each group by itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from ledger.errors import NotFound, Refused
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.shared import RulingMade
from projections.season.asking import (
    Filters,
    answer,
    answer_of_groups,
    narrow,
    prepare,
    question_named,
)
from projections.season.grouping import groups
from projections.season.grouping.folding import _too_small, folded, ways_to_group
from projections.season.tables.database import open_season
from projections.season.tables.definitions import questions
from tests.projections.season.test_questions import same
from tests.support.chance.random_seasons import day, season_of_days
from tests.support.question_logs import Log, Side
from tests.support.question_logs import sides as all_sides
from tests.truth import question_truth
from tests.truth.question_truth import OF_WHOLE, TRUTHS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from ledger.tournament.state import Match, Player

DAYS = 40
NAME = 'it\'s "{}" $group; --'
"""The name of the attribute, which is data wherever it stands."""

LABELS = (
    *("Crane", "'; DROP TABLE entrants; --", "two\nlines \\ $group", "x" * 64, "\u202e\u05e2"),
    *("", " \u200b\t", "(sealed)", "(forgotten)", None),
)
"""None: the entrant has no such attribute."""

NOT_GIVEN, NOT_DISCLOSED = {"", " \u200b\t", None}, {"(sealed)", "(forgotten)"}
SEEN = sorted({str(label) for label in LABELS} - {str(x) for x in NOT_GIVEN} - NOT_DISCLOSED)


def label_of(log: Log, player: int) -> str | None:
    """What an entrant was given; a person has two labels in turn."""
    return LABELS[(crc32(log.person(player).encode()) + int(log.id, 16) % 2) % len(LABELS)]


def relabelled(number: int) -> Log:
    """A log whose factions are the labels, as plain Python tells them apart."""
    log = Log(day(number))
    given = {each.number: label_of(log, each.number) for each in log.tournament.players[1:]}
    for each in log.tournament.players[1:]:
        each.faction = label if (label := given[each.number]) in SEEN else ""
    return log


class GroupLog(Log):
    """What of a log belongs to a group: its entrants, and tables where one of them sits."""

    def __init__(self, number: int, label: str) -> None:
        vars(self).update(vars(relabelled(number)))
        self.label = label
        players = self.tournament.players[1:]
        self.own = {each.number for each in players if each.faction == label}
        self.matches = {
            match.number
            for match in self.tournament.matches[1:]
            if self.own & {match.first, match.second}
        }

    def entrants(self) -> list[Player]:
        """Those of the group."""
        return [each for each in super().entrants() if each.number in self.own]

    def tables(self) -> list[Match]:
        """Those where one of the group sits."""
        return [each for each in super().tables() if each.number in self.matches]


def own_sides(logs: Sequence[Log]) -> Iterator[Side]:
    """The sides of a group alone."""
    for side in all_sides(logs):
        assert isinstance(side.log, GroupLog)
        if side.player in side.log.own:
            yield side


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season whose entrants have the labels as an attribute, and one more."""
    file = season_of_days(tmp_path_factory.mktemp("groups"), DAYS)
    told = []
    for number in range(DAYS):
        log = Log(day(number))
        for each in log.tournament.players[1:]:
            label = label_of(log, each.number)
            kept = {"club": "A"} | ({} if label is None else {NAME: label})
            told.append([list(kept), list(kept.values()), log.id, each.number])
    with open_season(file) as connection:
        connection.executemany(
            "UPDATE entrants SET attributes = map(?::VARCHAR[], ?::VARCHAR[]) "
            "WHERE tournament = ? AND player = ?",
            told,
        )
    return file


@pytest.fixture
def asked(season: Path) -> Iterator[DuckDBPyConnection]:
    with open_season(season, read_only=True) as connection:
        prepare(connection)
        narrow(connection, Filters(by=NAME))
        yield connection


@pytest.mark.parametrize("name", [each.name for each in questions() if groups.reads_groups(each)])
def test_an_attribute_is_the_faction(asked: DuckDBPyConnection, name: str) -> None:
    """Every figure, of labels that are data and of those that are none."""
    expected = TRUTHS[name]([relabelled(number) for number in range(DAYS)])
    found = answer(asked, question_named(name)).rows
    assert len(found) > 4
    same(found, expected)
    labels = {row[[x.name for x in question_named(name).columns].index("faction")] for row in found}
    assert labels - {""} <= set(SEEN)


def test_who_gave_none_and_who_did_not_disclose(asked: DuckDBPyConnection) -> None:
    entries: Counter[str] = Counter()
    for number in range(DAYS):
        log = Log(day(number))
        for each in log.entrants():
            label = label_of(log, each.number)
            kind = "none" if label in NOT_GIVEN else "closed" if label in NOT_DISCLOSED else "given"
            entries[kind] += 1
    found = groups.given_by(asked, NAME)
    assert found == (sum(entries.values()), entries["none"], entries["closed"])
    assert min(entries.values()) > 0
    rows = answer(asked, question_named("factions")).rows
    assert sum(row[2] for row in rows if not row[1]) == entries["none"] + entries["closed"]
    assert {row[3] for row in rows if not row[1]} == {None}
    fields = Counter[str]()
    for row in rows:
        fields[row[0]] += row[3] or 0
    assert all(share == pytest.approx(1) for share in fields.values())


def _of_group(name: str, label: str) -> Callable[[], list[tuple[Any, ...]]]:
    """What plain Python says of a group, by the rows that are of it."""
    logs = [log for number in range(DAYS) if (log := GroupLog(number, label)).own]

    def truth() -> list[tuple[Any, ...]]:
        if name in OF_WHOLE:
            return OF_WHOLE[name](logs, [Log(day(number)) for number in range(DAYS)])
        for log in logs:
            _leave(name, log)
        return TRUTHS[name](logs)

    return truth


def _leave(name: str, log: GroupLog) -> None:
    """Leave in a log what belongs to the group alone, where a truth reads it past the tables."""
    floor = log.tournament.floor
    if name == "disputes":
        floor.disputes = [each for each in floor.disputes if each.match in log.matches]
    elif name == "round-length":
        log.tournament.rounds = [
            each
            for each in log.tournament.rounds
            if any(match.number in log.matches for match in each.matches)
        ]
    elif name in {"rulings", "officials"}:
        log.events = [
            each
            for each in log.events
            if not isinstance(each.event, RulingMade)
            or each.event.match in log.matches
            or each.event.player in log.own
        ]
    elif name == "corrections":
        for each in log.events:
            if (
                isinstance(each.event, ResultReported | ResultCorrected)
                and each.event.match not in log.matches
            ):
                log.events[each.seq - 1] = log.events[0]


@pytest.mark.parametrize(
    "name", [each.name for each in questions() if not groups.reads_groups(each)]
)
def test_a_question_is_asked_of_each_group(
    asked: DuckDBPyConnection, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = question_named(name)
    before = answer(asked, question).rows
    found = answer_of_groups(asked, question, NAME)
    assert found.columns == ["group", *(column.name for column in question.columns)]
    assert {row[0] for row in found.rows} <= set(SEEN)
    assert len(found.rows) > 4
    if name in {"byes", "first-and-side"}:
        monkeypatch.setattr(question_truth, "sides", own_sides)
    for label in SEEN:
        rows = [row[1:] for row in found.rows if row[0] == label]
        if name == "schedule-luck":
            _same_luck(rows, label)
        else:
            same(rows, _of_group(name, label)())
    assert answer(asked, question).rows == before


def _same_luck(found: list[tuple[Any, ...]], label: str) -> None:
    """Compared with all who scored alike, whatever they play."""

    class Marked(GroupLog):
        def person(self, player: int) -> str:
            return super().person(player) if player in self.own else f"!{self.id}/{player}"

        def tables(self) -> list[Match]:
            return Log.tables(self)

    logs = [Marked(number, label) for number in range(DAYS)]
    expected = [row for row in TRUTHS["schedule-luck"](logs) if not row[0].startswith("!")]
    same(sorted(found), expected)


def test_a_group_that_is_no_group_is_said(season: Path) -> None:
    with open_season(season, read_only=True) as connection:
        prepare(connection)
        with pytest.raises(NotFound, match="known: club, it's"):
            narrow(connection, Filters(by="squad"))
        narrow(connection, Filters(by="attribute:club"))
        assert [row[1] for row in answer(connection, question_named("factions")).rows] == ["A"] * 4
        narrow(connection, Filters())
        connection.execute(
            "CREATE TEMP VIEW entrants AS SELECT * REPLACE (tournament || player AS "
            "faction) FROM stored.main.entrants"
        )
        with pytest.raises(Refused, match="at most 200"):
            answer_of_groups(connection, question_named("byes"), "faction")


def test_the_faction_itself_is_a_group(season: Path) -> None:
    with open_season(season, read_only=True) as connection:
        prepare(connection)
        narrow(connection, Filters(by="faction"))
        found = answer_of_groups(connection, question_named("attendance"), "faction")
        assert {row[0] for row in found.rows} == {"Crab", "Crane", "Lion"}
        narrow(connection, Filters())


def persons_by_label(logs: Sequence[Log], small: set[tuple[str, str]]) -> dict[Any, set[str]]:
    """Who entered with each label and played against another one, with some labels as one."""

    def told(log: Log, player: int) -> str:
        label = log.faction(player)
        return "other" if (log.ruleset, label) in small else label

    entered: dict[Any, set[str]] = defaultdict(set)
    played: dict[Any, set[str]] = defaultdict(set)
    for log in logs:
        for each in log.entrants():
            if label := told(log, each.number):
                entered[log.ruleset, label].add(log.person(each.number))
    for side in all_sides(logs):
        mine, theirs = (told(side.log, each) for each in (side.player, side.opponent))
        if mine and theirs and mine != theirs:
            played[side.log.ruleset, mine].add(side.log.person(side.player))
    return {key: min(entered[key], played[key] or entered[key], key=len) for key in entered}


@pytest.mark.parametrize("by", [NAME, "faction", "club"])
def test_small_groups_are_one(season: Path, by: str) -> None:
    """No group that is left is small, and the one that they are folded into gives none away."""
    logs = [relabelled(n) if by == NAME else Log(day(n)) for n in range(DAYS)]
    if by == "club":
        for log in logs:
            for each in log.tournament.players[1:]:
                each.faction = "A"
    with open_season(season, read_only=True) as connection:
        prepare(connection)
        small = set(folded(connection, Filters(by=by)))
        found = answer(connection, question_named("factions")).rows
        narrow(connection, Filters())
    assert small or by != NAME
    before, after = persons_by_label(logs, set()), persons_by_label(logs, small)
    for game, label in small:
        others = {other for of, other in small if of == game}
        left = {key for key in after if key[0] == game and key[1] != "other"}
        assert len(others) > 1 or not left, (game, label)
        assert len(after[game, "other"]) >= 5 or not left
    for key, persons in after.items():
        assert len(persons) >= 5 or key[1] == "other"
    large = {key for key, persons in before.items() if len(persons) >= 5}
    assert len(small & large) <= len({game for game, _ in small}) or by == NAME
    for log in logs:
        for each in log.tournament.players[1:]:
            if (log.ruleset, each.faction) in small:
                each.faction = "other"
    same(found, TRUTHS["factions"](logs))


def test_one_small_group_takes_the_next_along() -> None:
    """Else what is folded would be the sum without what is shown."""
    large = {("go", "A"): 30, ("go", "B"): 9, ("go", "C"): 7}
    assert _too_small(large, set()) == set()
    assert _too_small(large | {("go", "D"): 4}, set()) == {("go", "D")}
    assert _too_small(large | {("go", "other"): 4}, {("go", "D")}) == {("go", "C")}
    two = {("go", "D"), ("go", "E")}
    assert _too_small(large | {("go", "other"): 4}, two) == {("go", "C")}
    assert _too_small(large | {("go", "other"): 6}, two) == set()
    assert _too_small({("go", "other"): 3}, {("go", "D")}) == set()
    # A group that is called so is an ordinary one, until others are folded into it.
    assert _too_small(large | {("go", "other"): 4}, set()) == {("go", "other")}


def test_what_a_game_is_grouped_by(season: Path, tmp_path: Path) -> None:
    with open_season(season, read_only=True) as connection:
        prepare(connection)
        assert ways_to_group(connection, "l5r") == ["faction"]
    (tmp_path / "season.duckdb").write_bytes(season.read_bytes())
    with open_season(tmp_path / "season.duckdb") as connection:
        connection.execute(
            "UPDATE entrants SET faction = '' FROM tournaments "
            "WHERE tournaments.tournament = entrants.tournament AND ruleset = 'l5r'"
        )
        connection.execute(
            "UPDATE entrants SET attributes = map_concat(attributes, "
            "map(['rating'], [tournament || player]))"
        )
        assert ways_to_group(connection, "l5r") == [f"attribute:{NAME}"]
        assert ways_to_group(connection, "chess") == []

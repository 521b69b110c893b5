"""The logs of the other games: what they hold, and their standings worked out a second time.

The second computation reads the lines as JSON: who met whom, and what the tables told.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.support.sample_days import EARLIER
from tests.support.sample_games import GAMES, log_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Pair = tuple[int, int]


class Game(NamedTuple):
    """A match of the Swiss: who met, how it ended, what the table told."""

    players: Pair
    ending: str
    facts: dict[str, Any]


def lines(ruleset: str, name: str) -> list[dict[str, Any]]:
    text = (EARLIER / ruleset / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def swiss(events: list[dict[str, Any]]) -> Iterator[Game]:
    """Matches are numbered as they are paired, from 1 on."""
    paired = [each["data"] for each in events if each["type"] == "RoundPaired"]
    games = [tuple(pair) for each in paired if each["stage"] == 1 for pair in each["games"]]
    told = {
        each["data"]["match"]: each["data"]["result"]
        for each in events
        if each["type"] == "ResultReported"
    }
    for number, players in enumerate(games, start=1):
        result = told[number]
        yield Game((players[0], players[1]), result["ending"], result["facts"])


def printed(ruleset: str, name: str) -> dict[int, tuple[Fraction, ...]]:
    """By the player's number: points and the two tiebreakers, best first."""
    text = (EARLIER / ruleset / f"{name}.standings.txt").read_text("utf-8")
    table = text.split("\n\n")[1].splitlines()[1:]
    rows = [line.split() for line in table if not line.lstrip().startswith("---")]  # the cut's line
    return {int(row[1]): tuple(Fraction(cell) for cell in row[-4:-1]) for row in rows}


def _ashes(game: Game) -> tuple[Pair, Pair]:
    """Event points and blood of both sides."""
    wounds = game.facts.get("wounds", (0, 0))
    if game.ending == "time":
        return (1, 1), (wounds[0], wounds[1])
    loser = game.facts["lost" if "lost" in game.facts else "destroyed"].index(1)
    return ((0, 3), (wounds[0], 25)) if loser == 0 else ((3, 0), (25, wounds[1]))


def totals(
    games: list[Game], value: Callable[[Game], tuple[Pair, Pair]]
) -> tuple[Counter[int], Counter[int], dict[int, list[int]]]:
    """Points, the second number, and the opponents of every player."""
    points: Counter[int] = Counter()
    second: Counter[int] = Counter()
    met: dict[int, list[int]] = {}
    for game in games:
        for side, player in enumerate(game.players):
            met.setdefault(player, []).append(game.players[1 - side])
            points[player] += value(game)[0][side]
            second[player] += value(game)[1][side]
    return points, second, met


def assert_table(
    found: dict[int, tuple[Fraction, ...]], table: dict[int, tuple[Fraction, ...]]
) -> None:
    """The same numbers as printed, to four places, and in falling order."""
    half = Fraction(1, 20_000)
    assert found.keys() == table.keys()
    for player, row in table.items():
        assert all(abs(a - b) <= half for a, b in zip(found[player], row, strict=True)), player
    order = [found[player] for player in table]
    assert order == sorted(order, reverse=True)


def test_the_ashes_table_a_second_time() -> None:
    """AOP-SCORE, AOP-BLOOD, AOP-TIEBREAK: points, the opponents' points, blood."""
    games = list(swiss(lines("ashes", "cinder-bracket-20")))
    points, blood, met = totals(games, _ashes)
    found: dict[int, tuple[Fraction, ...]] = {
        player: (
            Fraction(points[player]),
            Fraction(sum(points[each] for each in met[player])),
            Fraction(blood[player]),
        )
        for player in met
    }
    assert_table(found, printed("ashes", "cinder-bracket-20"))


BANDS = ((150, (10, 1)), (110, (9, 2)), (70, (8, 3)), (30, (7, 4)), (0, (6, 5)))


def _runewars(game: Game) -> tuple[Pair, Pair]:
    """Points by the margin, and the winner's margin; who concedes leaves 200 and has nothing."""
    facts = game.facts
    if "conceded" in facts:
        loser = facts["conceded"].index(1)
        return ((0, 10), (0, 200)) if loser == 0 else ((10, 0), (200, 0))
    army = facts["army" if "army" in facts else "score"]
    extra = facts.get("objectives", (0, 0))
    margin = (army[0] + extra[0]) - (army[1] + extra[1])
    if margin == 0:
        rolls = [facts[label] for label in sorted(facts) if label.startswith("flurry")]
        ahead = rolls[-1][0] > rolls[-1][1]
    else:
        ahead = margin > 0
    size = min(abs(margin), 200)
    won, lost = next(points for least, points in BANDS if size >= least)
    return ((won, lost), (size, 0)) if ahead else ((lost, won), (0, size))


def test_the_runewars_table_a_second_time() -> None:
    """RW-SCORE, RW-MOV, RW-FLURRY, RW-CONCEDE, RW-TIEBREAK: margins, then the opponents' mean."""
    games = list(swiss(lines("runewars", "flurry-field-10")))
    points, margins, met = totals(games, _runewars)
    found: dict[int, tuple[Fraction, ...]] = {
        player: (
            Fraction(points[player]),
            Fraction(margins[player]),
            sum((Fraction(points[each], 3) for each in met[player]), Fraction(0)) / 3,
        )
        for player in met
    }
    assert_table(found, printed("runewars", "flurry-field-10"))


def _legion(game: Game) -> tuple[Pair, Pair]:
    """One point to who is ahead: in tokens, then the score, then by being blue."""
    names = ("tokens", "score", "blue")
    first, second = next(
        game.facts[name] for name in names if game.facts[name][0] != game.facts[name][1]
    )
    return ((1, 0) if first > second else (0, 1)), (0, 0)


def test_the_legion_table_a_second_time() -> None:
    """SWL-SCORE, SWL-OUTCOME, SWL-TIEBREAK: the opponents' mean, and the mean of theirs."""
    games = list(swiss(lines("legion", "blue-bridge-10")))
    points, _, met = totals(games, _legion)
    schedule = {
        player: sum((Fraction(points[each], 3) for each in met[player]), Fraction(0)) / 3
        for player in met
    }
    found: dict[int, tuple[Fraction, ...]] = {
        player: (
            Fraction(points[player]),
            schedule[player],
            sum((schedule[each] for each in met[player]), Fraction(0)) / 3,
        )
        for player in met
    }
    assert_table(found, printed("legion", "blue-bridge-10"))


HELD: dict[tuple[str, str], dict[str, int]] = {
    ("ashes", "cinder-bracket-20"): {
        '"ending":"time"': 1, '"ending":"concession"': 1, '"ending":"forfeit"': 1,
        "PenaltyGiven": 2, "CutMade": 1, "FirstPlayerChosen": 43,
        "FirstFiveReviewed": 86, '"type":"TimeCalled"': 7, "ListChecked": 20,
        '"kind":"placing"': 2, '"kind":"participation"': 1, "TournamentFinished": 1,
    },
    ("runewars", "flurry-field-10"): {
        '"type":"ScenarioDrawn"': 3, '"flurry-2"': 1, '"ending":"concession"': 1,
        '"ending":"time"': 3, "FirstPlayerChosen": 15, '"type":"SideTaken"': 15,
        '"type":"ChooserDrawn"': 3, '"type":"TimeCalled"': 3, "VerificationOrdered": 1,
        "TableExtended": 1, '"tier":"formal"': 1, "TournamentFinished": 1,
    },
    ("legion", "blue-bridge-10"): {
        '"type":"SideTaken"': 16, '"type":"BattleBuilt"': 16, '"type":"ChooserDrawn"': 3,
        '"blue":[1,0]': 1, '"type":"TimeCalled"': 4, "ExtraTimeAnnounced": 1, "TerrainCounted": 5,
        '"ending":"time"': 2, "CutMade": 1, "TournamentFinished": 1,
    },
}  # fmt: skip


@pytest.mark.parametrize(("ruleset", "name"), HELD)
def test_a_day_holds_all_that_it_promises(ruleset: str, name: str) -> None:
    text = (EARLIER / ruleset / f"{name}.jsonl").read_text("utf-8")
    for part, least in HELD[ruleset, name].items():
        assert text.count(part) >= least, part


def test_the_prizes_of_the_organizer_who_won_pass_down() -> None:
    """AOP-ORGANIZER, AOP-PARTICIPATION-PRIZE: player 6 runs the day and wins the bracket."""
    events = lines("ashes", "cinder-bracket-20")
    given = [each["data"] for each in events if each["type"] == "PrizeAwarded"]
    assert [each["kind"] for each in given] == ["placing", "placing", "participation"]
    assert 6 not in {each["player"] for each in given[:2]}
    assert given[2]["player"] == 6


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "name"), GAMES)
def test_a_log_is_what_its_day_gives(ruleset: str, name: str) -> None:
    written = (EARLIER / ruleset / f"{name}.jsonl").read_bytes()
    assert written == log_of(ruleset, name)

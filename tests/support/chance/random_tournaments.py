"""Random small tournaments for properties, as a filled state and as the entries it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from ledger.facts.shared import Stage as StagePlan
from tests.support.tables import add_round, enter, opened, register
from tests.truth.tiebreaker_truth import Entry

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Round, Tournament

SWISS = StagePlan("swiss", rounds=3)
CARRIES = StagePlan("swiss", rounds=3, carries=True)
PLANS = (
    (SWISS,),
    (SWISS, CARRIES),
    (SWISS, SWISS),
    (SWISS, StagePlan("single")),
    (SWISS, StagePlan("single", carries=True), CARRIES),
    (SWISS, CARRIES, CARRIES),
    (CARRIES, SWISS, CARRIES),
)
"""The first stage has nothing to carry, whatever it says."""

POINTS = (0, 1, 3, 6, 10, 1_000_000)
STATUSES = ("active", "active", "active", "cut", "dropped", "disqualified", "withdrawn")


@st.composite
def tournaments(
    draw: st.DrawFn, rules: Ruleset, *, points: tuple[int, ...] = POINTS
) -> tuple[Tournament, list[Entry]]:
    """Byes, unpaired losses, no-shows, open matches, repeats, late entries, several stages."""
    tournament = opened(draw(st.integers(1, 6)), rules, draw(st.sampled_from(PLANS)))
    entries: list[Entry] = []
    for stage in tournament.stages:
        for _ in range(draw(st.integers(0, 3))):
            played = add_round(tournament, stage.number)
            if draw(st.integers(0, 3)) == 0:
                register(tournament)
            entries += _played(draw, played, len(tournament.players) - 1, points)
    numbers = range(1, len(tournament.players))
    for number, rank in zip(numbers, draw(st.permutations(numbers)), strict=True):
        tournament.players[number].random_rank = rank
        tournament.players[number].status = draw(st.sampled_from(STATUSES))
    return tournament, entries


def _played(draw: st.DrawFn, played: Round, players: int, points: tuple[int, ...]) -> list[Entry]:
    seats = draw(st.permutations(range(1, players + 1)))
    tables = draw(st.integers(0, players // 2))
    entries = []
    for table in range(tables):
        first, second = seats[2 * table : 2 * table + 2]
        manner = draw(st.sampled_from(["played", "played", "played", "open", "no-show"]))
        if manner != "open":
            met = manner == "played"
            entries.append(_entry(draw, played, first, "WLD", points, second if met else 0))
            entries.append(_entry(draw, played, second, "WLD", points, first if met else 0))
    entries += [
        _entry(draw, played, player, record, points, 0)
        for player in seats[2 * tables :]
        if (record := draw(st.sampled_from(["B", "L", ""])))
    ]
    for entry in entries:
        enter(
            played,
            entry.player,
            entry.points,
            entry.record,
            against=entry.opponent,
            fields=entry.fields,
        )
    return entries


def _entry(
    draw: st.DrawFn,
    played: Round,
    player: int,
    records: str,
    points: tuple[int, ...],
    opponent: int,
) -> Entry:
    games = draw(st.integers(0, 3))
    fields = {
        "mov": draw(st.integers(0, 200)),
        "blood": draw(st.integers(0, 25)),
        "games": games,
        "game-points": draw(st.integers(0, 3 * games)),
    }
    given = {name: value for name, value in fields.items() if value or draw(st.booleans())}
    return Entry(
        played.number,
        played.stage,
        player,
        draw(st.sampled_from(points)),
        draw(st.sampled_from(records)),
        opponent,
        given,
    )

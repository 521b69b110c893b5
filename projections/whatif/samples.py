"""A round swept by samples: every result of an open match as likely, seeded by the log itself.

With n combinations a player's share is within `sqrt(ln 200 / 2n)` of the true one in 99 of 100
cases (Hoeffding's inequality). What was seen can be; what never was is not ruled out.
"""

from __future__ import annotations

import hashlib
from math import log as logarithm
from math import sqrt
from typing import TYPE_CHECKING

from ledger.draws import Draws
from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.fold import fold
from ledger.lines import encode
from projections.standings import ranking
from projections.whatif.hopes import Chance
from projections.whatif.hopes import Hope
from projections.whatif.hopes import over_all
from projections.whatif.hopes import own_results
from projections.whatif.race import SWEPT
from projections.whatif.race import enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events.results import Result
    from ledger.lines import Recorded
    from ledger.state import Match
    from ledger.state import Tournament
    from projections.whatif.hopes import Verdict

PROCEDURE = "sweep@1"
ERROR = 0.01
"""How often the margin may be missed."""

WORK = 500_000
SAMPLES_MAX = 2_000
SAMPLES_MIN = 200


def samples_for(tournament: Tournament) -> int:
    """How many combinations are drawn: fewer in a large field."""
    return max(SAMPLES_MIN, min(SAMPLES_MAX, WORK // len(tournament.players)))


def margin(samples: int) -> float:
    """How far a share of so many combinations may be from the true one."""
    return sqrt(logarithm(2 / ERROR) / (2 * samples))


def sampled(
    log: Sequence[Recorded],
    matches: Sequence[Match],
    results: Sequence[Result],
    places: int,
    samples: int,
) -> dict[int, Hope]:
    """Draw combinations, and count who is among the first `places` of those who play on."""
    tournament = fold(log)
    active = set(tournament.active())
    draws = Draws(hashlib.sha256(encode(log[-1])).digest(), PROCEDURE, len(matches))
    made: dict[tuple[int, int], int] = {}
    tried: dict[tuple[int, int], int] = {}
    for match in matches:
        enter(tournament, ResultReported(match.number, results[0]))
    owned = {player: own_results(player, matches, results) for player in active}
    for _ in range(samples):
        drawn = [draws.below(len(results)) for _ in matches]
        for match, result in zip(matches, drawn, strict=True):
            enter(tournament, ResultCorrected(match.number, 1, results[result], SWEPT))
        first = [player for player in ranking(tournament) if player in active][:places]
        among = set(first)
        for player, (at, _) in owned.items():
            key = (player, drawn[at] if at >= 0 else -1)
            tried[key] = tried.get(key, 0) + 1
            made[key] = made.get(key, 0) + (player in among)
    return {
        player: over_all(player, _chances(player, own if at >= 0 else [None], made, tried))
        for player, (at, own) in owned.items()
    }


def _chances(
    player: int,
    own: Sequence[Result | None],
    made: dict[tuple[int, int], int],
    tried: dict[tuple[int, int], int],
) -> list[Chance]:
    chances = []
    for place, result in enumerate(own):
        key = (player, place if result is not None else -1)
        count, of = made.get(key, 0), tried.get(key, 0)
        verdict: Verdict = "possible" if 0 < count < of else "open"
        chances.append(Chance(result, verdict, count, of))
    return chances

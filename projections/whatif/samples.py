"""A round swept by samples, seeded by the log itself.

In each open match every kind of result is as likely, and of one kind every result.

With n combinations a player's share is within `sqrt(ln 200 / 2n)` of the true one in 99 of 100
cases (Hoeffding's inequality). What was seen can be; what never was is not ruled out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log as logarithm
from math import sqrt

from ledger.events.results import ResultCorrected, ResultReported
from ledger.fold import fold
from ledger.lines.line import encode
from ledger.lines.recorded import Recorded
from ledger.pairing.shuffling import Draws
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from projections.whatif.chances import Ends, PlayerChances, Verdict
from projections.whatif.score_model import SWEPT, enter

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
    """Return how far a share of some combinations may be from the true one."""
    return sqrt(logarithm(2 / ERROR) / (2 * samples))


def sampled(
    log: Sequence[Recorded],
    ends: Ends,
    places: int,
    samples: int,
    proven: Mapping[int, Sequence[Verdict]],
) -> dict[int, PlayerChances]:
    """Draw combinations, and count who is among the first of those who play on.

    What is `proven` of a player's kinds of results goes before what was seen. Who is certain or
    out whatever happens is not counted.
    """
    tournament = fold(log)
    active = set(tournament.active())
    draws = Draws(hashlib.sha256(encode(log[-1])).digest(), PROCEDURE, len(ends.matches))
    made: Counter[tuple[int, int]] = Counter()
    tried: Counter[tuple[int, int]] = Counter()
    for match in ends.matches:
        enter(tournament, ResultReported(match.number, ends.results[0]))
    seats = ends.seats()
    asked = {
        player: seats.get(player, (-1, True))
        for player in active
        if set(proven.get(player, ())) not in ({"certain"}, {"out"})
    }
    for _ in range(samples):
        drawn = [draws.below(len(ends.kinds)) for _ in ends.matches]
        for match, kind in zip(ends.matches, drawn, strict=True):
            alike = ends.kinds[kind].places
            result = ends.results[alike[draws.below(len(alike))] if len(alike) > 1 else alike[0]]
            enter(tournament, ResultCorrected(match.number, 1, result, SWEPT))
        among = set([player for player in ranking(tournament) if player in active][:places])
        for player, (at, _) in asked.items():
            key = (player, drawn[at] if at >= 0 else 0)
            tried[key] += 1
            made[key] += player in among
    return ends.chances(
        {
            player: proven.get(player) or ["not proven"] * len(ends.seen_by(player, seats))
            for player in active
        },
        made,
        tried,
    )

"""What was brought to the tables and set up there."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events.lists import ListChecked, ListCorrected, ListSubmitted
from ledger.tournament.lists import battle_cards
from ledger.tournament.state import Match, Tournament
from projections.season.deriving.folded_log import FoldedLog, Row, in_order


def setups(log: FoldedLog) -> Iterator[Row]:
    """Yield what was set up at the tables; None: not recorded, or battle cards during play."""
    tournament, floor = log.tournament, log.tournament.floor
    if not (floor.scenarios or floor.first_players or floor.sides or floor.battles):
        return
    for round_ in tournament.rounds:
        for match in round_.matches:
            if round_.number in floor.scenarios or any(
                match.number in kept for kept in (floor.first_players, floor.sides, floor.battles)
            ):
                yield _set_up(tournament, match)


def _set_up(tournament: Tournament, match: Match) -> Row:
    floor = tournament.floor
    first, side = floor.first_players.get(match.number), floor.sides.get(match.number)
    scenario = floor.scenarios.get(match.round)
    battle = battle_cards.played(tournament, match.number)
    if not battle and scenario is not None:
        battle = (scenario.objective, scenario.deployment)
    chosen = (first.first, first.chooser) if first else (None, None)
    sides = (side.blue, side.chooser) if side else (None, None)
    return (match.number, match.round, *chosen, *sides, *(*battle, None, None, None)[:3])


def lists(log: FoldedLog) -> Iterator[Row]:
    """Yield each list that was handed in or corrected, with the last check of its very text."""
    checks = {event.list: (seq, event) for seq, event in log.of(ListChecked)}
    for seq, event in in_order(log.of(ListSubmitted), log.of(ListCorrected)):
        checked_seq, check = checks.get(seq, (None, None))
        corrected = event if isinstance(event, ListCorrected) else None
        significant = bool(corrected and corrected.significant)
        yield (
            *(seq, event.player, corrected.corrects if corrected else None),
            *(significant, bool(significant and corrected and corrected.advantageous)),
            *(checked_seq, *(_counts(check) if check else (None, None))),
            *(log.moments[seq], log.authors[seq]),
        )


def _counts(check: ListChecked) -> tuple[int, int]:
    """How many findings of a check break the format, and how many could not be checked."""
    states = [each.state for each in check.findings]
    return check.counts or (states.count("breaks"), states.count("not checked"))

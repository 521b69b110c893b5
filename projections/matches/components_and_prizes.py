"""What is missing and what was decided on components; who gets which prize."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ledger.events.components import PrizeAwarded, PrizeOffered
from ledger.rules.components import without_placing_prize
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.setups import shared_at
from ledger.tournament.state import Tournament
from projections.standings.bracket import finishing_order


def components_as_json(tournament: Tournament) -> dict[str, object]:
    """Every event about components, what is missing (FFG-LOST) and what is shared (FFG-SHARE)."""
    played = round_in_play(tournament)
    return {
        "missing": [
            {"player": player, "component": lost.component}
            | {"since_round": lost.round, "clause": lost.clause}
            for player, lost in sorted(tournament.floor.missing.items())
        ],
        "shared": [
            {"table": match.table, "what": what, "player": player or None}
            for match in (open_matches(played) if played else ())
            for what, player in sorted(shared_at(tournament, match).items())
        ],
        "record": [
            {"seq": each.seq, "by": each.by, "type": each.type, **msgspec.to_builtins(each.event)}
            for each in tournament.floor.components
        ],
    }


class PrizeDue(NamedTuple):
    """A prize for placing and who has it coming; rank counts without who takes none."""

    rank: int
    player: int
    prize: str
    awarded: bool


def prizes_due(tournament: Tournament) -> list[PrizeDue]:
    """Who the offered prizes go to by the finishing order.

    A playing organizer is passed over, so that theirs goes to the next rank (AOP-ORGANIZER).
    """
    passed_over = without_placing_prize(tournament)
    ranked = [each.player for each in finishing_order(tournament) if each.player not in passed_over]
    order = [each for each in ranked if tournament.players[each].status != "disqualified"]
    events = [each.event for each in tournament.floor.prizes]
    awarded = {
        (each.player, each.prize)
        for each in events
        if isinstance(each, PrizeAwarded) and each.kind == "placing"
    }
    return [
        PrizeDue(rank, player, offer.prize, (player, offer.prize) in awarded)
        for offer in events
        if isinstance(offer, PrizeOffered)
        for rank, player in enumerate(order, start=1)
        if offer.first <= rank <= offer.last
    ]

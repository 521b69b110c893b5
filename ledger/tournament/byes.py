"""Who may have the bye: of those who have had the fewest, the lowest ranked (FFG-BYE-LATER)."""

from __future__ import annotations

from collections.abc import Collection

from ledger.problems import Player, Problem, Remedy, problem
from ledger.tournament.progress import round_in_play
from ledger.tournament.state import Tournament


def bye_order(tournament: Tournament, players: Collection[int], best_first: list[int]) -> list[int]:
    """Who is first to get the bye: the fewest byes, then the lowest rank (FFG-BYE-LATER)."""
    lowest_first = [player for player in reversed(best_first) if player in players]
    return sorted(lowest_first, key=lambda player: tournament.players[player].byes)


def has_more_byes(tournament: Tournament, player: int) -> bool:
    """Whether the bye is not for the player, because others had fewer before this round.

    The others are those who play on; once the round is paired, those who sit in it. A player
    with the bye may pass it on to one who has had no more than they.
    """
    active, players = tournament.active(), tournament.players
    round_ = round_in_play(tournament)
    if round_ is None:
        return players[player].byes > min((players[each].byes for each in active), default=0)
    if player in round_.latecomers or all(player not in each.players for each in round_.matches):
        return players[player].byes > min((players[each].byes for each in active), default=0)
    has_bye = {
        each: match.is_bye and not match.named for match in round_.matches for each in match.players
    }
    before = {each: players[each].byes - has_bye[each] for each in active if each in has_bye}
    holders = [had for each, had in before.items() if has_bye[each]]
    return before.get(player, 0) > max(min(before.values(), default=0), *holders, 0)


def second_bye(player: int, remedy: Remedy | tuple[()] = ()) -> Problem:
    """Say that the bye is not for the player."""
    text = "{player} has had a bye, others had fewer"
    return problem("bye.second", text, clause="FFG-BYE-LATER", remedy=remedy, player=Player(player))

"""What the set-up rules come to, as plain functions of numbers and names."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.tournament.state import Match, Tournament


def group_sizes(players: int) -> list[int]:
    """How large the draft groups are, largest first (AOP-DRAFT).

    All of 4, else all of 3, else all of 2, else as few as can be, differing by one at most.
    Empty where no groups of 2 to 4 can be made.
    """
    if players < 2:  # noqa: PLR2004 - a group has two players at least
        return []
    for size in (4, 3, 2):
        if players % size == 0:
            return [size] * (players // size)
    groups = -(-players // 4)
    small, larger = divmod(players, groups)
    return [small + 1] * larger + [small] * (groups - larger)


def unused(cards: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """The cards that may be drawn next: none repeats until all were used (RW-SCENARIO)."""
    used: set[str] = set()
    for card in drawn:
        used |= {card} & set(cards)
        if len(used) == len(cards):
            used.clear()
    return [card for card in cards if card not in used]


def drawn_before(tournament: Tournament, number: int) -> tuple[list[str], list[str]]:
    """The deployments and the objectives that the stage of this round has used before it."""
    stage = tournament.stages[tournament.rounds[number - 1].stage - 1]
    drawn = [
        tournament.floor.scenarios[each]
        for each in stage.rounds
        if each < number and each in tournament.floor.scenarios
    ]
    return [each.deployment for each in drawn], [each.objective for each in drawn]


def lower_total(match: Match, totals: tuple[int, int]) -> tuple[int, ...]:
    """Who may choose by army totals: the lower, or either where they are equal."""
    if totals[0] == totals[1]:
        return match.players
    return (match.first if totals[0] < totals[1] else match.second,)


def recorded_facts(tournament: Tournament, match: Match) -> dict[str, tuple[int, int]]:
    """The facts of a match that its set-up has recorded: who is first, who chose, who is blue."""
    declared = tournament.ruleset.derives
    chosen = tournament.floor.first_players.get(match.number)
    side = tournament.floor.sides.get(match.number)
    players = {
        "first": chosen.first if chosen else 0,
        "chooser": chosen.chooser if chosen else 0,
        "blue": side.blue if side else 0,
    }
    return {
        fact.name: (int(player == match.first), int(player == match.second))
        for fact in (declared.facts if declared else ())
        if (player := players.get(fact.recorded, 0))
    }

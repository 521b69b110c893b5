"""When tables of a round may be stopped and seated again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.checks.components import may_be_paired
from ledger.checks.office import every_match_has_a_ruling
from ledger.checks.references import needs_reason, not_in_play
from ledger.pairing.meetings import grounds_of, rematch_problem
from ledger.problems import Player, problem
from ledger.tournament.byes import has_more_byes, second_bye
from ledger.tournament.disputes import is_reported
from ledger.tournament.progress import round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.rounds import TablesRepaired
    from ledger.problems import Problem
    from ledger.tournament.state import Round, Tournament


def repaired(tournament: Tournament, event: TablesRepaired) -> Iterator[Problem]:
    """Yield every reason against the repair."""
    played = round_in_play(tournament)
    if played is None or played.number != event.round:
        yield not_in_play(event.round)
        return
    stage = tournament.stages[played.stage - 1]
    if not stage.is_swiss:
        text = "the bracket says who meets whom"
        yield problem("pairing.by_bracket", text, clause="FFG-ELIM-NEXT")
    yield from needs_reason(event)
    problems = list(_seats(tournament, played, event))
    yield from problems
    if problems:
        return
    yield from every_match_has_a_ruling(tournament, event.games)
    yield from may_be_paired(tournament, event.round, event.games)
    known = grounds_of(tournament, played)
    bars, _ = known.bars([player for match in played.matches for player in match.players])
    for one, other in event.games:
        if other in bars[one]:
            yield rematch_problem(tournament, known, (one, other))
    yield from _byes(tournament, event)


def _seats(tournament: Tournament, played: Round, event: TablesRepaired) -> Iterator[Problem]:
    """The tables are there, nobody has reported them, and the same players sit at them."""
    if not event.tables or len(set(event.tables)) != len(event.tables):
        yield problem("repair.tables", "a repair names its tables, each once")
    if not len(event.tables) == len(event.games) == len(event.were):
        yield problem("repair.games", "a repair has the games of every table, before and after")
        return
    for table, were in zip(event.tables, event.were, strict=True):
        if not 0 < table <= len(played.matches):
            text = "round {round} has no table {table}"
            yield problem("repair.table_unknown", text, round=played.number, table=table)
        elif (played.matches[table - 1].first, played.matches[table - 1].second) != were:
            text = "{one} and {other} do not sit at table {table}"
            yield problem(
                "repair.players", text, one=Player(were[0]), other=Player(were[1]), table=table
            )
        elif is_reported(tournament, played.matches[table - 1]):
            text = "table {table} has a result: it cannot be stopped"
            yield problem("repair.table_reported", text, table=table)
    if sorted(_all(event.games)) != sorted(_all(event.were)):
        yield problem("repair.same_players", "the same players are seated again, each once")
    sat = {frozenset(game) for game in event.were}
    if any(frozenset(game) in sat or not game[0] for game in event.games):
        text = "a table that is repaired has other players, with a bye in the second seat"
        yield problem("repair.other_players", text)


def _all(games: tuple[tuple[int, int], ...]) -> list[int]:
    return [player for game in games for player in game]


def _byes(tournament: Tournament, event: TablesRepaired) -> Iterator[Problem]:
    for player in [max(game) for game in event.games if 0 in game]:
        if has_more_byes(tournament, player):
            yield second_bye(player)

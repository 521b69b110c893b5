"""When tables of a round may be stopped and seated anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.checks.components import may_be_paired
from ledger.checks.office import every_match_has_a_ruling
from ledger.pairing.meetings import grounds_of, rematch_problem
from ledger.tournament.byes import has_more_byes, second_bye
from ledger.tournament.disputes import is_reported
from ledger.tournament.progress import round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.rounds import TablesRepaired
    from ledger.tournament.state import Round, Tournament


def repaired(tournament: Tournament, event: TablesRepaired) -> Iterator[str]:
    """Yield every reason against the repair."""
    played = round_in_play(tournament)
    if played is None or played.number != event.round:
        yield f"round {event.round} is not in play"
        return
    stage = tournament.stages[played.stage - 1]
    if not stage.is_swiss:
        yield "the bracket says who meets whom (FFG-ELIM-NEXT)"
    if not event.reason.strip():
        yield "a repair needs a reason"
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


def _seats(tournament: Tournament, played: Round, event: TablesRepaired) -> Iterator[str]:
    """The tables are there, nobody has reported them, and the same players sit at them."""
    if not event.tables or len(set(event.tables)) != len(event.tables):
        yield "a repair names tables, each once"
    if not len(event.tables) == len(event.games) == len(event.were):
        yield "a repair tells the games of every table, before and after"
        return
    for table, were in zip(event.tables, event.were, strict=True):
        if not 0 < table <= len(played.matches):
            yield f"round {played.number} has no table {table}"
        elif (played.matches[table - 1].first, played.matches[table - 1].second) != were:
            yield f"players {were[0]} and {were[1]} do not sit at table {table}"
        elif is_reported(tournament, played.matches[table - 1]):
            yield f"table {table} has a result: it can not be stopped"
    if sorted(_all(event.games)) != sorted(_all(event.were)):
        yield "the same players are seated anew, each once"
    sat = {frozenset(game) for game in event.were}
    if any(frozenset(game) in sat or not game[0] for game in event.games):
        yield "a table that is repaired has other players, and nobody sits second"


def _all(games: tuple[tuple[int, int], ...]) -> list[int]:
    return [player for game in games for player in game]


def _byes(tournament: Tournament, event: TablesRepaired) -> Iterator[str]:
    for player in [max(game) for game in event.games if 0 in game]:
        if has_more_byes(tournament, player):
            yield second_bye(player)

"""Repairing the round in play after a late correction: the choices, and the one that is taken."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.pairing import is_ranked
from ledger.decisions.command import Command, Context
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.rounds import TablesRepaired
from ledger.pairing.meetings import grounds
from ledger.pairing.repair import RepairChoice, repairs
from ledger.pairing.stopped import Made
from ledger.problems import problem, remedy
from ledger.tournament.byes import bye_order
from ledger.tournament.disputes import is_reported
from ledger.tournament.progress import before_round, round_in_play
from ledger.tournament.state import Round, Tournament

REPAIR = "repair@2"


def choices(tournament: Tournament, context: Context) -> list[RepairChoice]:
    """List what can be done about the round in play, by what is known now of those before.

    Tables with a result, be it confirmed or not, and those set by hand, stay. Refused where no
    Swiss round is in play, or none of its tables can be stopped.
    """
    round_ = _repairable(tournament)
    before = before_round(tournament, round_)
    stage = before.stages[round_.stage - 1]
    games = [(match.first, match.second) for match in round_.matches]
    fixed = {at for at, match in enumerate(round_.matches) if is_reported(tournament, match)}
    players = {player for game in games for player in game if player}
    order = bye_order(before, players, context.ranking(before)) if is_ranked(stage) else []
    known = grounds(before, stage)
    fixed |= set(range(round_.by_hand))
    made = Made(games, frozenset(fixed), known.score, known.bars(players)[0], order)
    draws = context.draws(tournament, REPAIR, stage.number, round_.number, tournament.seq)
    return repairs(made, draws)


def _repairable(tournament: Tournament) -> Round:
    round_ = round_in_play(tournament)
    if round_ is None:
        raise Refused(problem("repair.no_round", "no round is in play: there is nothing to repair"))
    if not tournament.stages[round_.stage - 1].is_swiss:
        text = "the bracket says who meets whom: take the pairing back, and pair again"
        unpair = remedy("unpair")
        raise Refused(problem("repair.bracket", text, clause="FFG-ELIM-NEXT", remedy=unpair))
    drawn = [match for match in round_.matches[round_.by_hand :] if match.is_open]
    if all(is_reported(tournament, match) for match in drawn):
        text = (
            "every table of round {round} has a result or was set by hand: none can be stopped any "
            "more"
        )
        raise Refused(problem("repair.none", text, round=round_.number))
    return round_


class RepairRound(Command, frozen=True):
    """Carry the repair out that stops this number of tables; 0 leaves the round as it is."""

    stopped: int
    reason: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        found = choices(tournament, context)
        if self.stopped == 0:
            return
        chosen = next((each for each in found if each.stopped == self.stopped), None)
        if chosen is None:
            text = "no choice stops {stopped} tables; the choices stop: {choices}"
            known = tuple(each.stopped for each in found)
            raise Refused(problem("repair.unknown", text, stopped=self.stopped, choices=known))
        matches = tournament.rounds[-1].matches
        tables = sorted(chosen.seats)
        yield TablesRepaired(
            tournament.rounds[-1].number,
            tuple(at + 1 for at in tables),
            tuple(chosen.seats[at] for at in tables),
            tuple((matches[at].first, matches[at].second) for at in tables),
            REPAIR,
            self.reason,
        )

"""Rank, seed and final place: who stands above, who below, and what separates them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ledger.errors import NotFound
from ledger.problems import Player, Problem, Remedy, problem, remedy
from ledger.tournament.state import Stage, Tournament
from projections.explain.columns import Columns
from projections.explain.tree import Explanation
from projections.standings.bracket import finishing_order
from projections.standings.table import crosstable_of, tables_of_everyone


class Ranked(NamedTuple):
    """A player's place in the table of the whole event, and the stage whose table gave it."""

    player: int
    rank: int
    stage: int


class EventTable:
    """The table of the whole event, to be taken apart player by player."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.ranked = [
            Ranked(row.player, row.rank, table.stage)
            for table in tables_of_everyone(tournament)
            for row in table.rows
        ]
        self._place = {each.player: at for at, each in enumerate(self.ranked)}
        self._columns: dict[int, Columns] = {}

    def of(self, player: int) -> Ranked:
        """Where a player stands; NotFound where they are not in the table."""
        if player not in self._place:
            raise NotFound(_about("standings.missing", "{player} is not in the standings", player))
        return self.ranked[self._place[player]]

    def columns(self, player: int) -> Columns:
        """Return the columns of the table that lists a player."""
        stage = self.of(player).stage
        if stage not in self._columns:
            table = crosstable_of(self.tournament, stage or None)
            self._columns[stage] = Columns(self.tournament, table)
        return self._columns[stage]

    def rank(self, player: int) -> Explanation:
        """The rank: why below the one above, and above the one below."""
        own = self.of(player)
        at = self._place[player]
        neighbours = self.ranked[max(at - 1, 0) : at] + self.ranked[at + 1 : at + 2]
        terms = tuple(self._compared(own, other) for other in neighbours)
        return Explanation("rank", Fraction(own.rank), "order", player, terms=terms)

    def _compared(self, own: Ranked, other: Ranked) -> Explanation:
        terms: tuple[Explanation, ...] = ()
        for one, two in self._keys(own, other):
            apart = one.value - two.value
            terms += (Explanation(one.column, apart, "difference", own.player, terms=(one, two)),)
            if apart:
                break
        return Explanation("rank", Fraction(other.rank), "compared", other.player, terms=terms)

    def _keys(self, own: Ranked, other: Ranked) -> Iterator[tuple[Explanation, Explanation]]:
        """Yield what two players are compared by, in the order of the comparison."""
        if own.stage != other.stage:
            yield _stage(own), _stage(other)
            return
        one, two = own.player, other.player
        yield self._disqualified(one), self._disqualified(two)
        columns = self.columns(one)
        yield columns.total("points", one), columns.total("points", two)
        for each in self.tournament.ruleset.tiebreakers:
            yield columns.tiebreaker(each.code, one), columns.tiebreaker(each.code, two)
        yield self._random_rank(one), self._random_rank(two)
        yield _number(one), _number(two)

    def _disqualified(self, number: int) -> Explanation:
        player = self.tournament.players[number]
        clause = self.tournament.ruleset.cites("FFG-AUTH-DQ")
        if player.status != "disqualified":
            return Explanation("disqualified", Fraction(0), "given", number)
        seqs = (player.left_seq,) if player.left_seq else ()
        return Explanation("disqualified", Fraction(1), "event", number, seqs=seqs, clause=clause)

    def _random_rank(self, number: int) -> Explanation:
        player = self.tournament.players[number]
        clause = self.tournament.ruleset.cites("FFG-TIEBREAK-RANDOM")
        rank, seqs = Fraction(player.random_rank), (player.rank_seq,)
        return Explanation("random rank", rank, "event", number, seqs=seqs, clause=clause)


def _about(code: str, text: str, player: int, *remedies: Remedy) -> Problem:
    return problem(code, text, player=Player(player), remedy=remedies)


def _number(player: int) -> Explanation:
    return Explanation("number", Fraction(player), "given", player)


def _stage(ranked: Ranked) -> Explanation:
    return Explanation("stage", Fraction(ranked.stage), "given", ranked.player, clause="FFG-CUT")


def seeded(tournament: Tournament, player: int) -> Stage | None:
    """The last stage that a player is seeded in."""
    stages = [stage for stage in tournament.stages if player in stage.seeds]
    return stages[-1] if stages else None


def seed(tournament: Tournament, player: int) -> Explanation:
    """The seed: who went on from the standings before them; NotFound where they are in no cut."""
    stage = seeded(tournament, player)
    if stage is None:
        why = "{player} has no seed: they are in no cut that was made"
        raise NotFound(_about("seed.missing", why, player))
    before = tuple(stage.seeds[: stage.seeds.index(player)])
    ahead = Explanation("seeded before", Fraction(len(before)), "count", players=before)
    number, seqs, clause = ahead.value + 1, (stage.cut_seq,), tournament.ruleset.cites("FFG-CUT")
    return Explanation("seed", number, "after", player, 0, (ahead,), seqs, clause)


def place(tournament: Tournament, player: int) -> Explanation:
    """The final place: who came further, who is ahead in the same stage; NotFound until decided."""
    order = finishing_order(tournament)
    at = next((at for at, each in enumerate(order) if each.player == player), None)
    if at is None:
        raise NotFound(_about("place.missing", "{player} is not in the finishing order", player))
    own = order[at]
    if not own.rank:
        text = "the place of {player} is not decided yet"
        raise NotFound(_about("place.open", text, player, remedy("bracket")))
    further = tuple(each.player for each in order[:at] if each.stage != own.stage)
    ahead = tuple(each.player for each in order[:at] if each.stage == own.stage)
    is_swiss = tournament.stages[own.stage - 1].is_swiss
    where = "ahead in the standings" if is_swiss else "ahead in the bracket"
    terms = tuple(
        Explanation(what, Fraction(len(players)), "count", players=players)
        for what, players in (("of another stage", further), (where, ahead))
    )
    seqs = () if is_swiss else tuple(_games(tournament, tournament.stages[own.stage - 1], player))
    clause = tournament.ruleset.cites("FFG-WINNER")
    return Explanation("place", Fraction(own.rank), "after", player, 0, terms, seqs, clause)


def _games(tournament: Tournament, stage: Stage, player: int) -> Iterator[int]:
    for number in stage.rounds:
        for match in tournament.rounds[number - 1].matches:
            if player in match.players and match.result_seq:
                yield match.result_seq

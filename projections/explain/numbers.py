"""The numbers of a player taken apart: points, record, tiebreakers, rank, seed and final place.

Every value comes from the columns that rank the players (`projections.standings.tiebreakers`); no
value is computed a second time. A node of a player's column is made once and shared by all trees. A
rank lists the players above and below, and the number that separates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from ledger.errors import NotFound
from ledger.facts.results import UNPLAYED
from ledger.problems import Player, Problem, Remedy, marked, problem, remedy
from ledger.tournament.state import Match, Round, Stage, Tournament
from projections.explain.tree import ADJUSTMENT, Explanation, How, tree_of
from projections.standings.bracket import finishing_order
from projections.standings.crosstable import Crosstable
from projections.standings.table import crosstable_of, tables_of_everyone
from projections.standings.tiebreakers import Evaluation

BEGUN = marked("begun")
"""The column of the points that players began with, which no round gave."""

LETTERS: Mapping[str, str] = {
    marked("wins"): "W",
    marked("losses"): "L",
    marked("draws"): "D",
    marked("byes"): "B",
}
"""The parts of a record, and how a round's column writes each."""


POINTS = marked("points")
DISQUALIFIED = marked("disqualified")


class Columns:
    """The columns of one table, to be taken apart player by player."""

    def __init__(
        self,
        tournament: Tournament,
        table: Crosstable,
        work: Evaluation | None = None,
        drawn: int | None = None,
    ) -> None:
        self.tournament = tournament
        self.table = table
        self.rules = tournament.ruleset
        self.work = work or Evaluation(table, self.rules.tiebreakers, self.rules)
        self.drawn = drawn
        """What the games of the last round are worth here, where all count as drawn."""

        self._nodes: dict[tuple[str, int], Explanation] = {}
        self._seated: dict[int, dict[int, Match]] = {}
        self._drawn: dict[int, Columns] = {}

    def record(self, player: int) -> Explanation:
        """Wins, losses, draws and byes: together the rounds that count."""
        parts = tuple(self._letters(name, letter, player) for name, letter in LETTERS.items())
        rounds = Fraction(self.table.totals("rounds")[player])
        return Explanation(marked("record"), rounds, "sum", player, terms=parts)

    def tiebreaker(self, code: str, player: int) -> Explanation:
        """A tiebreaker, from the terms that it was reduced from."""
        key = f"={code}", player
        if key not in self._nodes:
            self._nodes[key] = tree_of(self, self.rules.in_force[code], player)
        return self._nodes[key]

    def as_drawn(self, points: int, table: Crosstable) -> Columns:
        """The columns of the same rounds with the last one's games drawn."""
        return self._drawn.setdefault(points, Columns(self.tournament, table, self.work, points))

    def total(self, column: str, player: int) -> Explanation:
        """A player's total of a column, round by round."""
        key = column, player
        if key not in self._nodes:
            value = Fraction(self.table.totals(column)[player])
            leaves = (*self.brought(column, player), *self.leaves(column, player))
            self._nodes[key] = Explanation(column, value, "sum", player, terms=leaves)
        return self._nodes[key]

    def _letters(self, name: str, letter: str, player: int) -> Explanation:
        leaves = tuple(
            self._leaf(name, 1, player, round_)
            for round_ in self.table.rounds
            if player < len(round_.records) and round_.records[player] == letter
        )
        return Explanation(name, Fraction(len(leaves)), "sum", player, terms=leaves)

    def brought(self, column: str, player: int) -> Iterator[Explanation]:
        """What a player came with: points to start from, or the number itself."""
        start = self.rules.start
        clauses = {one.name: one.clause for one in self.rules.numbers}
        if column in clauses:
            value = Fraction(self.table.numbers[column][player])
            yield self._number(column, value, player, clauses[column])
        elif column in {POINTS, BEGUN} and start is not None and self.table.start is not None:
            value = Fraction(self.table.start[player])
            yield self._number(start.number, value, player, start.clause)

    def _number(self, column: str, value: Fraction, player: int, clause: str) -> Explanation:
        known = self.tournament.players[player]
        seqs = (known.seq,) if known.seq and known.numbers else ()
        how: How = "given"
        return Explanation(column, value, how, player, seqs=seqs, clause=clause)

    def leaves(self, column: str, player: int) -> Iterator[Explanation]:
        """Every round with a result, or that counts without: what it gave the player."""
        if column in self.table.numbers or column == BEGUN:
            return
        for place, seqs in enumerate(self.table.seqs):
            leaf = self.leaf(column, place, player)
            if seqs[player] or leaf.value:
                yield leaf

    def leaf(self, column: str, place: int, player: int) -> Explanation:
        """What the round at a place gave a player; nothing, where there is no result."""
        round_ = self.table.rounds[place]
        value = self.table.columns(column)[place][player]
        if not self.table.seqs[place][player]:
            return Explanation(column, Fraction(value), "given", player, round_.number)
        leaf = self._leaf(column, value, player, round_)
        return self._adjusted(leaf, round_) if column == "points" else leaf

    def _adjusted(self, leaf: Explanation, round_: Round) -> Explanation:
        """The points of a round; where a judge gave or took some, what they are made of."""
        match = self._match(leaf.player, round_)
        if self.drawn is not None or match is None or match.result is None:
            return leaf
        if not any(match.result.adjusted):
            return leaf
        side = 0 if match.first == leaf.player else 1
        added = match.result.adjusted[side]
        if not added:
            return leaf
        reported = replace(leaf, value=Fraction(match.result.points[side]), round=0)
        adjustment = replace(reported, column=ADJUSTMENT, value=Fraction(added), seqs=(), clause="")
        return replace(leaf, how="sum", terms=(reported, adjustment), seqs=(), clause="")

    def _leaf(self, column: str, value: int, player: int, round_: Round) -> Explanation:
        clause, seqs = self._clause(column, player, round_), (round_.seqs[player],)
        is_made_up = self.drawn is not None and round_ is self.table.rounds[-1]
        how: How = "given" if is_made_up else "event"
        return Explanation(column, Fraction(value), how, player, round_.number, (), seqs, clause)

    def _clause(self, column: str, player: int, round_: Round) -> str:
        """Return the clause by which a round gave a player a value of a column."""
        fields = {declared.name: declared.clause for declared in self.rules.fields}
        if round_.records[player] == "B":
            match = self._match(player, round_)
            return self.rules.worth_of_bye(match.named if match else "").clause
        match = self._match(player, round_)
        if match is None or match.result is None:
            return self.rules.unpaired_loss.clause
        outcome = match.result.outcomes[0 if match.first == player else 1]
        if match.result.manner in UNPLAYED:
            absent = outcome == self.rules.full_win.against
            return self.rules.worth_of_absence(is_absent=absent).clause
        return fields.get(column, self.rules.outcome(outcome).clause)

    def _match(self, player: int, round_: Round) -> Match | None:
        """The match by which a player has a result in the round; None for an unpaired loss."""
        if round_.number not in self._seated:
            self._seated[round_.number] = {
                each: match for match in round_.matches for each in match.players
            }
        match = self._seated[round_.number].get(player)
        return match if match and match.result_seq == round_.seqs[player] else None


class Ranked(NamedTuple):
    """A player's place in the table of the whole tournament, and the stage whose table gave it."""

    player: int
    rank: int
    stage: int


class EventTable:
    """The table of the whole tournament, to be taken apart player by player."""

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
            text = marked("{player} is not in the standings")
            raise NotFound(_about("standings.missing", text, player))
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
        return Explanation(marked("rank"), Fraction(own.rank), "order", player, terms=terms)

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
            return Explanation(DISQUALIFIED, Fraction(0), "given", number)
        seqs = (player.left_seq,) if player.left_seq else ()
        return Explanation(DISQUALIFIED, Fraction(1), "event", number, seqs=seqs, clause=clause)

    def _random_rank(self, number: int) -> Explanation:
        player = self.tournament.players[number]
        clause = self.tournament.ruleset.cites("FFG-TIEBREAK-RANDOM")
        rank, seqs = Fraction(player.random_rank), (player.rank_seq,)
        column = marked("random rank")
        return Explanation(column, rank, "event", number, seqs=seqs, clause=clause)


def _about(code: str, text: str, player: int, *remedies: Remedy) -> Problem:
    return problem(code, text, player=Player(player), remedy=remedies)


def _number(player: int) -> Explanation:
    return Explanation(marked("number"), Fraction(player), "given", player)


def _stage(ranked: Ranked) -> Explanation:
    stage = Fraction(ranked.stage)
    return Explanation(marked("stage"), stage, "given", ranked.player, clause="FFG-CUT")


def seeded(tournament: Tournament, player: int) -> Stage | None:
    """The last stage that a player is seeded in."""
    stages = [stage for stage in tournament.stages if player in stage.seeds]
    return stages[-1] if stages else None


def seed(tournament: Tournament, player: int) -> Explanation:
    """The seed: who went on from the standings before them; NotFound where they are in no cut."""
    stage = seeded(tournament, player)
    if stage is None:
        raise NotFound(_no_seed(tournament, player))
    before = tuple(stage.seeds[: stage.seeds.index(player)])
    ahead = Explanation(marked("seeded before"), Fraction(len(before)), "count", players=before)
    number, seqs, clause = ahead.value + 1, (stage.cut_seq,), tournament.ruleset.cites("FFG-CUT")
    return Explanation(marked("seed"), number, "after", player, 0, (ahead,), seqs, clause)


def _no_seed(tournament: Tournament, player: int) -> Problem:
    """Say that a player has no seed, and which one they had until they or the cut went."""
    if player in tournament.lost_seeds:
        stage, seed, event = tournament.lost_seeds[player]
        text = marked("{player} was seed {seed} of stage {stage} until event {event}: none since")
        lost = Player(player)
        return problem("seed.lost", text, player=lost, seed=seed, stage=stage, event=event)
    return _about(
        "seed.missing", marked("{player} has no seed: no cut so far includes them"), player
    )


def place(tournament: Tournament, player: int) -> Explanation:
    """The final place: who came further, who is ahead in the same stage; NotFound until decided."""
    order = finishing_order(tournament)
    at = next((at for at, each in enumerate(order) if each.player == player), None)
    if at is None:
        text = marked("{player} is not in the finishing order")
        raise NotFound(_about("place.missing", text, player))
    own = order[at]
    if not own.rank:
        text = marked("the place of {player} is not decided yet")
        raise NotFound(_about("place.open", text, player, remedy("bracket")))
    further = tuple(each.player for each in order[:at] if each.stage != own.stage)
    ahead = tuple(each.player for each in order[:at] if each.stage == own.stage)
    is_swiss = tournament.stages[own.stage - 1].is_swiss
    where = marked("ahead in the standings") if is_swiss else marked("ahead in the bracket")
    terms = tuple(
        Explanation(what, Fraction(len(players)), "count", players=players)
        for what, players in ((marked("of another stage"), further), (where, ahead))
    )
    seqs = () if is_swiss else tuple(_games(tournament, tournament.stages[own.stage - 1], player))
    clause = tournament.ruleset.cites("FFG-WINNER")
    column, rank = marked("place"), Fraction(own.rank)
    return Explanation(column, rank, "after", player, 0, terms, seqs, clause)


def _games(tournament: Tournament, stage: Stage, player: int) -> Iterator[int]:
    for number in stage.rounds:
        for match in tournament.rounds[number - 1].matches:
            if player in match.players and match.result_seq:
                yield match.result_seq

"""Games that an act ends: their numbers as they are left, and both players who leave the table.

A concession, a drop, a penalty and a disqualification end the open match of a player. Where points
or tiebreakers depend on numbers of that game, the act needs them as a report does (AOP-BLOOD), or
the reason why they are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from ledger.errors import Refused
from ledger.facts import results
from ledger.facts.base import Event, Waiver
from ledger.facts.people import Departure, PlayerDropped
from ledger.facts.results import ResultReported
from ledger.facts.shared import Manner
from ledger.problems import Player, Problem, Table, Value, marked, problem, remedy
from ledger.rules.command import Command, Context, Seen, match_of
from ledger.rulesets import Ending, Ruleset
from ledger.rulesets.toml_files import of_file
from ledger.tournament.progress import is_of_swiss, is_under_way, open_match_of
from ledger.tournament.state import Match, Tournament


class GameAsLeft(Struct, frozen=True):
    """The facts of a game that an act ends, and the reason why a number is unknown."""

    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""


def game_ended(
    tournament: Tournament,
    match: Match,
    player: int,
    verdict: results.Verdict,
    game: GameAsLeft,
    *,
    is_in_play: bool = False,
) -> ResultReported:
    """Return the report of a game that an act about a player ends (AOP-BLOOD, RW-CONCEDE).

    In a game that has begun, each of these acts needs the numbers that a report of this ending
    needs. `is_in_play`: it has begun, whatever the round's state says.

    Raises:
        Refused: a number is missing that points or tiebreakers depend on, without a reason.
    """
    rules = tournament.ruleset
    ended = results.ending_by(rules, verdict)
    absent = ended.unanswered(game.facts) if ended else []
    if not (is_in_play or is_under_way(tournament, match)) or not is_of_swiss(tournament, match):
        absent = []
    _refuse_without_numbers(rules, ended, absent, player, game)
    first = match.first == player
    result = results.ended_by(rules, verdict, first=first, facts=game.facts)
    return ResultReported(match.number, result, waiver_of(rules, absent, game.unknown))


def _left_by_both(tournament: Tournament, match: Match, game: GameAsLeft) -> ResultReported:
    """Return the report of a game that both players leave (AOP-BLOOD).

    Raises:
        Refused: the game has begun, and a number is missing without a reason.
    """
    rules = tournament.ruleset
    result = results.both_left(rules, game.facts)
    has_begun = is_under_way(tournament, match) and is_of_swiss(tournament, match)
    absent = results.unsaid(rules, result) if has_begun else []
    ended = results.ending_by(rules, "conceded")
    _refuse_without_numbers(rules, ended, absent, match.first, game)
    return ResultReported(match.number, result, waiver_of(rules, absent, game.unknown))


def _refuse_without_numbers(
    rules: Ruleset, ended: Ending | None, absent: list[str], player: int, game: GameAsLeft
) -> None:
    if not absent or ended is None or rules.derives is None or game.unknown.strip():
        return
    fact, who = rules.derives.labels[absent[0]], Player(player)
    text = marked(
        "the game of {player} ends here, and the points depend on {fact}, {meaning}: give it "
        "for both sides, or unknown and the reason"
    )
    way = remedy("act.fact", fact=fact.name)
    meaning = of_file(fact.meaning)
    about: dict[str, Value] = {"player": who, "fact": fact.name, "meaning": meaning}
    clause = f"{ended.clause}, {fact.clause}"
    raise Refused(Problem("concession.fact", text, about, clause, (way,)))


def waiver_of(rules: Ruleset, absent: list[str], reason: str) -> Waiver | None:
    """Return the leave to leave numbers out, which then count as 0; None if none is left out."""
    if not absent or rules.derives is None:
        return None
    clauses = dict.fromkeys(rules.derives.labels[name].clause for name in absent)
    return Waiver(tuple(clauses), reason.strip())


def match_given_up(tournament: Tournament, player: int, seen: Seen | None) -> Match | None:
    """Return the player's open match; Refused where it was paired after an old page's was seen."""
    match = open_match_of(tournament, player)
    if match is not None and seen is not None and match.number not in seen.matches:
        text = marked(
            "{player} now sits at {table}, which is not the match that the page showed: "
            "check that match first"
        )
        who, table = Player(player), Table(match.round, match.table)
        raise Refused(problem("seen.other_match", text, player=who, table=table))
    return match


class LeaveTable(Command, frozen=True):
    """Let both players of an open match leave: neither won it, and neither conceded it.

    The facts are those of the game so far; `unknown` is the reason why a number is missing.
    """

    match: int
    note: str = ""
    reason: Departure = "request"
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        if not self._is_recorded(tournament, match):
            report = self._report(tournament, match)
            if match.result != report.result:
                yield report
        for player in match.players:
            if tournament.players[player].status == "active":
                yield PlayerDropped(player, self.reason, self.note)

    @property
    def _manner(self) -> Manner:
        return "no-show" if self.reason == "no-show" else "departure"

    def _is_recorded(self, tournament: Tournament, match: Match) -> bool:
        """Whether the match has this result already, and the act adds no numbers."""
        if match.result is None or self.facts:
            return False
        return results.is_left_by_both(tournament.ruleset, match.result, self._manner)

    def _report(self, tournament: Tournament, match: Match) -> ResultReported:
        if self.reason != "no-show":
            return _left_by_both(tournament, match, GameAsLeft(self.facts, self.unknown))
        if self.facts:
            text = marked(
                "no game is played at {table} if both players do not come: omit its numbers"
            )
            table = Table(match.round, match.table)
            raise Refused(problem("result.no_game", text, clause="FFG-DROP", table=table))
        absent = results.absence(tournament.ruleset, (True, True), self._manner)
        return ResultReported(match.number, absent)

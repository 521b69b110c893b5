"""A log's draws, pairings and postings, derived once more from the lines before them.

Draws need the key that the log reveals at its end; what was drawn with a key that was lost cannot
be repeated. Without it a Swiss round is still held to the least gap that its field allows. Each
kind that was derived is counted; the rest says why not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice

from msgspec import Struct, field, structs

from ledger import ENGINE
from ledger.books.moments import events_of
from ledger.errors import InvalidLog, LedgerError
from ledger.events import Event
from ledger.events.draws import RanksDrawn
from ledger.events.lists import DeckChecksDrawn
from ledger.events.people import PlayerRegistered
from ledger.events.rounds import Posted, RoundPaired
from ledger.events.setups import DraftGroupsDrawn, ScenarioDrawn
from ledger.fold import evolve
from ledger.lines.line import decode
from ledger.lines.recorded import Recorded
from ledger.pairing import Field, pair_swiss
from ledger.pairing.board import Board, mutual_bans
from ledger.pairing.meetings import grounds
from ledger.pairing.shuffling import Draws
from ledger.rules.command import Command, Context
from ledger.rules.draws import drawn_ranks, rank_of
from ledger.rules.lists import DrawDeckChecks
from ledger.rules.pairing import ELIMINATION, SWISS, PairRound
from ledger.rules.setups import DrawDraftGroups, DrawScenario
from ledger.tournament.disputes import OPEN_DISPUTE
from ledger.tournament.lists.list_rules import check_clause
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.setups import has_outline
from ledger.tournament.state import Tournament
from projections.standings.table import (
    fingerprint,
    posted_pairings,
    posted_standings,
    ranking,
    standings,
)

Lines = Callable[[], Iterable[bytes]]
Ranked = PlayerRegistered | RanksDrawn

ANY_KEY = b"any key: the least gap does not hang on it"

ELSEWHERE = "what an imported file says was drawn elsewhere"


class Rederived(Struct):
    """How many of each kind came out as they stand, how many did not, and why not."""

    checked: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)

    def count(self, kind: str) -> None:
        """Note that one more came out."""
        self.checked[kind] = self.checked.get(kind, 0) + 1

    def leave(self, kind: str, count: int, why: str) -> None:
        """Note how many more could not be derived, and why."""
        self.left[kind] = self.left.get(kind, 0) + count
        known = self.unchecked.get(kind, "")
        if why not in known:
            self.unchecked[kind] = f"{known}; {why}" if known else why


class _Draws:
    """The draws of a log by the key that they were made with, and which of them can be repeated."""

    def __init__(self, shuffle_key: str) -> None:
        self.key = bytes.fromhex(shuffle_key)
        self._commitment = sha256(self.key).hexdigest() if self.key else ""
        self._left: dict[int, list[Event]] = {}

    def can_repeat(self, tournament: Tournament, event: Event) -> bool:
        """Whether the revealed key was the one in use; what it does not repeat is noted."""
        used = tournament.draw_keys[-1] if tournament.draw_keys else None
        if self.key and (used is None or used.commitment == self._commitment):
            return True
        self._left.setdefault(used.seq if used else 0, []).append(event)
        return False

    def settle(self, tournament: Tournament, found: Rederived) -> None:
        """Say which draws could not be repeated, and why."""
        later = {
            one.seq: other.seq
            for one, other in zip(tournament.draw_keys, tournament.draw_keys[1:], strict=False)
        }
        for seq, events in self._left.items():
            why = "the key of the draws is revealed at the finish"
            if seq in later:
                lost = f"can never be shown again: line {later[seq]} replaced the lost key"
                why = f"{_counted(events)} {lost}"
            found.leave("draws", len(events), why)
        if tournament.opening is not None and tournament.opening.imported is not None:
            found.leave("draws", 0, ELSEWHERE)
        if tournament.head is not None:
            for why in _left_open(tournament):
                found.leave("draws", 0, why)


def _left_open(tournament: Tournament) -> Iterator[str]:
    """Say what the head at the start does not rule out."""
    if tournament.head is not None and not tournament.head.signature:
        yield "the head at the start is not signed: who has the key of the draws foretold them"
    if not tournament.witness:
        yield "line 1 names no witness: nothing shows whether words were tried before the start"


def _counted(events: list[Event]) -> str:
    rounds = [str(each.round) for each in events if isinstance(each, RoundPaired)]
    others = len(events) - len(rounds)
    draws = f"draw{'s' * (others > 1)}"
    if not rounds:
        return f"{others} {draws}"
    named = f"round{'s' * (len(rounds) > 1)} {', '.join(dict.fromkeys(rounds))}"
    return f"{named} and {others} other {draws}" if others else named


class _Wall:
    """What each posting should have said: made at the moment that it saw, as the log passes it."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._asked: dict[int, set[tuple[str, int]]] = {}
        self._made: dict[tuple[int, str, int], str] = {}
        for _, posted in events_of(Posted, iter(lines)):
            if posted.engine == ENGINE:
                self._asked.setdefault(posted.up_to, set()).add((posted.what, posted.round))

    def pass_by(self, tournament: Tournament) -> None:
        """Make what was posted of this moment."""
        for what, number in self._asked.pop(tournament.seq, ()):
            self._made[tournament.seq, what, number] = _posted_of(tournament, what, number)

    def hold(self, recorded: Recorded, event: Posted, found: Rederived) -> None:
        """Hold a posting to what was made; InvalidLog where it is something else."""
        if event.engine != ENGINE:
            found.leave("postings", 1, f"some were made by {event.engine}, this is {ENGINE}")
            return
        if self._made[event.up_to, event.what, event.round] != event.sha256:
            raise _wrong(recorded, f"the posted {event.what} do not follow from the lines before")
        found.count("postings")


def _posted_of(seen: Tournament, what: str, number: int) -> str:
    """The SHA-256 of what is posted of a round, or of now (0); empty where there is no round."""
    if number > len(seen.rounds):
        return ""
    if what == "standings":
        table = standings(seen, through_round=number or None)
        return fingerprint(posted_standings(table))
    return fingerprint(posted_pairings(seen.rounds[number - 1]) if number else b"")


def rederive(lines: Lines, shuffle_key: str) -> Rederived:
    """Derive a log of admissible lines again; each call gives the lines from the first.

    They are read twice, however many postings look back. `shuffle_key` is in hex, empty where it
    is not revealed.

    Raises:
        InvalidLog: the first event that does not come out as it stands.
    """
    found = Rederived()
    draws = _Draws(shuffle_key)
    wall = _Wall(lines())
    tournament = Tournament()
    for line in lines():
        recorded = decode(line)
        event = recorded.event
        if isinstance(event, Posted):
            wall.hold(recorded, event, found)
        elif not tournament.importing:
            _drawn(tournament, recorded, draws, found)
        elif isinstance(event, RoundPaired):
            found.leave("draws", 1, ELSEWHERE)
        evolve(tournament, recorded)
        wall.pass_by(tournament)
    draws.settle(tournament, found)
    return found


def _wrong(recorded: Recorded, what: str) -> InvalidLog:
    return InvalidLog(f"line {recorded.seq}: {what}")


def _drawn(tournament: Tournament, recorded: Recorded, draws: _Draws, found: Rederived) -> None:
    event = recorded.event
    if isinstance(event, RoundPaired) and event.procedure == SWISS:
        _least_gap(tournament, recorded, event)
        found.count("least gaps")
    command = _command_of(tournament, event)
    if command is None or not draws.can_repeat(tournament, event):
        return
    context = Context(ranking, draws.key, ENGINE)
    try:
        again = next(iter(_again(command, tournament, context, recorded)), None)
    except LedgerError as error:
        raise _wrong(recorded, f"the draw cannot be repeated: {error}") from None
    if again != event:
        raise _wrong(recorded, f"{recorded.type} is not what its draw gives")
    found.count("draws")


def _command_of(tournament: Tournament, event: Event) -> Command | Ranked | None:
    """Return what made a drawn event; None where nothing in it is drawn."""
    match event:
        case RoundPaired(procedure=procedure) if procedure in {SWISS, ELIMINATION}:
            return _pairing(tournament, event)
        case DeckChecksDrawn():
            return DrawDeckChecks(len(event.tables))
        case DraftGroupsDrawn():
            return DrawDraftGroups()
        case ScenarioDrawn(by_hand=False) if not has_outline(tournament):
            return DrawScenario()
        case PlayerRegistered() | RanksDrawn():
            late = isinstance(event, PlayerRegistered) and draws_wait_for(tournament)
            return None if late else event
        case _:
            return None


def _pairing(tournament: Tournament, event: RoundPaired) -> PairRound:
    """Return the command of a round that was drawn, with the leave that its waiver gives."""
    waived = set(event.waiver.clauses) if event.waiver else set()
    return PairRound(
        event.games[: event.by_hand],
        event.reason,
        bool({tournament.ruleset.rematch.clause, "FFG-BYE-LATER"} & waived),
        check_clause(tournament) in waived,
        OPEN_DISPUTE in waived,
        event.byes,
    )


def _again(
    command: Command | Ranked, tournament: Tournament, context: Context, recorded: Recorded
) -> list[Event]:
    if isinstance(command, PlayerRegistered):
        return [structs.replace(command, random_rank=rank_of(tournament, context, command.player))]
    if isinstance(command, RanksDrawn):
        return list(islice(drawn_ranks(tournament, context), 1))
    return list(command.decide(tournament, context, recorded.by))


def _least_gap(tournament: Tournament, recorded: Recorded, event: RoundPaired) -> None:
    """Hold a round to the least gap that its own field allows, with the bye as it was given."""
    drawn = event.games[event.by_hand :]
    tables = [game for game in drawn if 0 not in game]
    players = [player for table in tables for player in table]
    known = grounds(tournament, tournament.stages[event.stage - 1])
    met, spare = known.bars([player for game in drawn for player in game if player])
    board = Board(players, known.score, mutual_bans(players, met))
    allowed = event.waiver is not None
    tables_of = Field(players, known.score, met, spare=spare)
    best = pair_swiss(tables_of, Draws(ANY_KEY, SWISS), allow_rematch=allowed)
    if not best.rematches and board.gap(tables) != best.gap:
        raise _wrong(recorded, f"a gap of {board.gap(tables)} where {best.gap} is possible")

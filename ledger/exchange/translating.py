"""A foreign tournament as our own events, in the order in which they must have happened.

Each event is bounded, checked and applied like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger import ENGINE
from ledger.errors import InvalidLog, LedgerError, Refused
from ledger.exchange.account import placed
from ledger.facts import opening, results
from ledger.facts.base import PLAYERS_MIN
from ledger.facts.elimination import CutMade
from ledger.facts.people import (
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundClosed, RoundPaired
from ledger.facts.shared import (
    PersonRecorded,
    Result,
    Stage,
    StageKind,
    StructureAnnounced,
    TournamentOpened,
)
from ledger.fold import evolve
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.pairing.brackets import SINGLE, knockout
from ledger.problems import phrase
from ledger.proof.lines import RULES, WIRE
from ledger.rules import check
from ledger.rulesets import load_text
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.exchange.foreign import (
        ForeignCut,
        ForeignGame,
        ForeignPlayer,
        ForeignRound,
        ForeignTournament,
    )
    from ledger.facts.base import Event

    Ranking = Callable[[Tournament], list[int]]
    Commitments = tuple[str, str]

RECORDER = "o1"
"""The official that an import is entered by."""


class ImportWriter:
    """A tournament in the making and its lines.

    Ids and times depend on nothing but the file: the same file gives the same bytes.
    """

    def __init__(self, date: str) -> None:
        self.tournament = Tournament()
        self.entries: list[tuple[str, bytes]] = []
        self.events: list[Event] = []
        self._at = f"{date}T00:00:00.000Z"

    def write(self, event: Event) -> None:
        """Add one event.

        Raises:
            InvalidLog: the event is not admissible, or a value in it is out of bounds.
        """
        seq = self.tournament.seq + 1
        recorded = record(seq, f"import-{seq}", self._at, RECORDER, event)
        try:
            line = encode(recorded)
            if problems := check(self.tournament, recorded):
                raise Refused(*problems)
        except LedgerError as error:
            raise InvalidLog(
                *placed(error, phrase("the rules do not allow what the file records"))
            ) from None
        evolve(self.tournament, recorded)
        self.entries.append((recorded.name, line))
        self.events.append(event)


PROCEDURE = "recorded@1"
"""How the rounds of an import were paired: elsewhere, as recorded."""

TIME_ZONE = "UTC"
DISQUALIFIED = "disqualified by the file"


class Translator:
    """The events of one foreign tournament, written one after the other."""

    def __init__(
        self, foreign: ForeignTournament, ranking: Ranking, commitments: Commitments = ("", "")
    ) -> None:
        self._foreign, self._ranking, self._commitments = foreign, ranking, commitments
        self._writer = ImportWriter(foreign.date)
        self._write = self._writer.write
        self._numbers: dict[str, int] = {}
        self._arrivals = _arrivals(foreign)
        self._kind, self._is_decided = _elimination_kind(foreign)

    @property
    def tournament(self) -> Tournament:
        """What has been written so far comes to."""
        return self._writer.tournament

    def run(self) -> list[tuple[str, bytes]]:
        """Write everything, and return types and lines."""
        self._open()
        self._register(self._arrivals[0])
        if self._announce():
            self._play()
            if self._is_finished():
                self._write(opening.TournamentFinished())
        self._write(opening.ImportEnded())
        return self._writer.entries

    def _open(self) -> None:
        foreign = self._foreign
        commitment, hidden = ("", "") if self._is_finished() else self._commitments
        self._write(
            TournamentOpened(
                wire=WIRE,
                rules=RULES,
                tournament=foreign.tournament,
                name=foreign.name,
                date=foreign.date,
                time_zone=TIME_ZONE,
                tier=foreign.tier,
                ruleset=load_text(foreign.ruleset).document,
                engine=ENGINE,
                commitment=commitment,
                hidden=hidden,
                imported=foreign.source,
                last_day=foreign.last_day,
            )
        )
        self._write(opening.OfficialAppointed(1, ("organizer",)))
        self._write(PersonRecorded(RECORDER, foreign.recorder))

    def _write_at(self, place: str, event: Event) -> None:
        """Write an event; what is wrong with it names its place in the file."""
        try:
            self._write(event)
        except InvalidLog as error:
            raise InvalidLog(*placed(error, place) if place else error.problems) from None

    def _register(self, players: Iterable[ForeignPlayer]) -> None:
        for player in players:
            number = len(self._numbers) + 1
            self._numbers[player.key] = number
            details = player.league_id, player.faction, player.attributes
            known = PlayerRegistered(number, player.rank, *details, numbers=player.numbers)
            self._write(known)
            self._write(PersonRecorded(f"p{number}", player.name))

    def _planned_stages(self) -> tuple[Stage, ...]:
        """Return the stages of the file; none where it has nothing to be played."""
        foreign = self._foreign
        stages = []
        if foreign.swiss_announced:
            first, *later = foreign.swiss_stages or (foreign.swiss_announced,)
            stages.append(Stage("swiss", first))
            stages += [Stage("swiss", rounds, "list", carries=True) for rounds in later]
        if foreign.cut is not None:
            is_decided = self._is_decided or foreign.is_over
            rounds = len(foreign.elimination) if is_decided else 0
            size = len(foreign.cut.seeds) if stages else 0
            stages.append(Stage(self._kind, rounds, "top" if size else "all", size))
        return tuple(stages)

    def _announce(self) -> bool:
        """Announce and start, if the file has anything to be played."""
        foreign, stages = self._foreign, self._planned_stages()
        if not stages:
            return False
        self._write(StructureAnnounced("custom", stages, len(self._numbers)))
        if len(self._numbers) >= PLAYERS_MIN or foreign.swiss or foreign.elimination:
            self._write(opening.TournamentStarted())
        return True

    def _play(self, after: int = 0) -> None:
        """Write the rounds, those after a number of them that are there."""
        foreign = self._foreign
        cut = foreign.cut if foreign.cut is not None and foreign.cut.known else None
        lengths = foreign.swiss_stages or (len(foreign.swiss),)
        stage_of = [stage for stage, rounds in enumerate(lengths, 1) for _ in range(rounds)]
        for number, round_ in enumerate(foreign.swiss[after:], start=after + 1):
            stage = stage_of[number - 1]
            if number > 1 and stage != stage_of[number - 2]:
                self._next_stage(stage, round_)
            self._arrive_and_leave(number, round_)
            goes_on = number < len(foreign.swiss) or cut is not None
            self._round(stage, number, round_, stays_open=round_.is_open and not goes_on)
        if cut is not None and foreign.swiss_announced and after <= len(foreign.swiss):
            self._cut(cut)
        stage, swiss = len(lengths) + 1 if foreign.swiss_announced else 1, len(foreign.swiss)
        later = max(0, after - swiss)
        for place, round_ in enumerate(foreign.elimination[later:], start=later + 1):
            stays_open = round_.is_open and place == len(foreign.elimination)
            self._round(stage, swiss + place, round_, stays_open=stays_open)

    def _arrive_and_leave(self, number: int, round_: ForeignRound) -> None:
        if number > 1:
            self._register(self._arrivals[number - 1])
        present = {self._numbers[key] for key in round_.present}
        for player in list(self._writer.tournament.registered()):
            if player.status == "active" and player.number not in present:
                self._write(PlayerDropped(player.number))
            elif player.status == "dropped" and player.number in present:
                self._write(PlayerRejoined(player.number))

    def _next_stage(self, stage: int, round_: ForeignRound) -> None:
        """Cut to the next Swiss stage: those who take part in its first round go on."""
        ranked = self._ranking(self._writer.tournament)
        active = set(self._writer.tournament.active())
        present = {self._numbers[key] for key in round_.present if key in self._numbers}
        for number in [each for each in ranked if each in present - active]:
            self._write(PlayerRejoined(number))
        self._write(CutMade(stage, tuple(number for number in ranked if number in present)))

    def _round(self, stage: int, number: int, round_: ForeignRound, *, stays_open: bool) -> None:
        numbers = {"": 0} | self._numbers
        games = tuple((numbers[game.first], numbers[game.second]) for game in round_.games)
        byes: dict[str, tuple[int, ...]] = {}
        for game in round_.games:
            if game.bye:
                byes[game.bye] = (*byes.get(game.bye, ()), numbers[game.first])
        paired = RoundPaired(stage, number, 1, PROCEDURE, games, byes=byes)
        self._write_at(round_.place, paired)
        matches = self._writer.tournament.rounds[number - 1].matches
        for match, game in zip(matches, round_.games, strict=True):
            if result := self._result(game):
                self._write_at(game.place, ResultReported(match.number, result))
        for key in round_.absent:
            self._write(PlayerDropped(numbers[key]))
            self._write(PlayerRejoined(numbers[key], (number,)))
        if not stays_open:
            self._write(RoundClosed(number, tuple(match.result_seq for match in matches)))
        for key in round_.leaving:
            if self._writer.tournament.players[numbers[key]].status == "active":
                self._write(PlayerDropped(numbers[key]))
        for key in round_.disqualified:
            self._write(PlayerDisqualified(numbers[key], DISQUALIFIED))

    def _result(self, game: ForeignGame) -> Result | None:
        rules = self._writer.tournament.ruleset
        if game.is_bye or game.is_open:
            return None
        if game.result is not None:
            return game.result
        if game.points is not None:
            return replace(results.by_points(rules, *game.points), adjusted=game.adjusted)
        won = results.by_outcome(rules, rules.full_win.name)
        return won if game.winner == game.first else results.turned(won)

    def _cut(self, cut: ForeignCut) -> None:
        tournament = self._writer.tournament
        going_on = {self._numbers[key] for key in cut.known}
        for player in list(tournament.registered()):
            if player.status == "dropped" and player.number in going_on:
                self._write(PlayerRejoined(player.number))
        active = set(tournament.active())
        ranked = [number for number in self._ranking(tournament) if number in active]
        unplaced = {self._numbers[key] for key in cut.unplaced}
        left_over = [number for number in ranked if number in unplaced]
        left_over += [number for number in ranked if number not in going_on]
        fill = iter(left_over)
        seeds = [self._numbers[key] if key else next(fill, 0) for key in cut.seeds]
        seeded = tuple(number for number in seeds if number)
        waiting = tuple(number for number in ranked if number not in set(seeded))
        self._write(CutMade(len(tournament.stages), seeded, waiting))

    def _is_finished(self) -> bool:
        swiss = self._foreign.swiss
        if self._foreign.stays_open or self._foreign.is_over:
            return self._foreign.is_over
        if self._foreign.cut is not None:
            return self._is_decided
        return 0 < len(swiss) == self._foreign.swiss_announced and not swiss[-1].is_open


def translate(
    foreign: ForeignTournament, ranking: Ranking, commitments: Commitments = ("", "")
) -> list[tuple[str, bytes]]:
    """Return the events of a foreign tournament: their types and lines, in order.

    `ranking` gives the seeds that the file leaves open. A tournament that is still running is
    opened with `commitments` to a shuffle key and a hidden key, so that it can go on here.

    Raises:
        InvalidLog: what the file says cannot be recorded, and why.
    """
    return Translator(foreign, ranking, commitments).run()


def _arrivals(foreign: ForeignTournament) -> list[list[ForeignPlayer]]:
    """Return who registers before each Swiss round: latecomers before their first one."""
    last = len(foreign.swiss) - 1
    backwards = enumerate(reversed(foreign.swiss))
    firsts = {key: last - back for back, round_ in backwards for key in round_.present}
    arrivals: list[list[ForeignPlayer]] = [[] for _ in range(max(1, len(foreign.swiss)))]
    for player in foreign.players:
        arrivals[firsts.get(player.key, 0)].append(player)
    return arrivals


def _elimination_kind(foreign: ForeignTournament) -> tuple[StageKind, bool]:
    """Return the kind of the elimination stage, and whether it has been decided.

    It is single where the recorded games prove it, or where none is recorded, so that it can be
    played here.
    """
    cut = foreign.cut
    if cut is None or not foreign.elimination:
        return "single", False
    rounds = [[_side_by_side(game) for game in round_.games] for round_ in foreign.elimination]
    unnamed = [f"\0{place}" for place in range(len(cut.seeds) - len(cut.known))]
    way = knockout([*sorted(cut.known), *unnamed], rounds)
    if way.is_decided and way.limit == SINGLE:
        return "single", True
    return "recorded", way.is_decided


def _side_by_side(game: ForeignGame) -> tuple[str, str, str]:
    return game.first, game.second, game.first if game.is_bye else game.winner

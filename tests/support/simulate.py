"""A seeded player of whole tournaments: every act goes through the commands, as at a desk.

`Day` keeps a tournament in memory and admits commands as a book does, without a store. `play`
fills it with a random but repeatable day: late entries, drops, returns, no-shows, concessions,
corrections, undone acts, re-pairings, swaps, disqualifications, a cut with replacements.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ledger import rulesets
from ledger.books.admission import admit
from ledger.errors import LedgerError, Refused
from ledger.facts.opening import rounds_below
from ledger.facts.shared import Stage, StructureAnnounced
from ledger.fold import fold
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.rules.clock import CallTime
from ledger.rules.command import Context
from ledger.rules.elimination import AnswerReplacement, FinishTournament, ForfeitPlace, MakeCut
from ledger.rules.opening import ChangeStructure, OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    DisqualifyPlayer,
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
)
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound, SwapSeats, UnpairRound
from ledger.rules.undo import Undo
from ledger.tournament.progress import next_stage, open_matches, round_in_play
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from tests.support.days.quarrels import Quarrels

if TYPE_CHECKING:
    from ledger.facts.base import Event, Tier
    from ledger.lines.recorded import Recorded
    from ledger.problems import Problem
    from ledger.rules.command import Command
    from ledger.tournament.state import Match

OPENING = datetime(2026, 3, 14, 8, 30, tzinfo=UTC)
SECONDS_AN_ACT = 20
ORGANIZER = "o1"
NO_DECK_CHECKS = ('deck_check = "AOP-DECKCHECK"\n', "")
"""Nobody looks at decks on a simulated day (AOP-DECKCHECK)."""


def with_remedies(problem: Problem) -> str:
    """A problem's sentence, with the acts that would settle it, as `x [correct]`."""
    return str(problem) + "".join(f" [{each.act}]" for each in problem.remedies)


class Day:
    """A tournament in memory: its events so far and what they add up to."""

    def __init__(  # noqa: PLR0913 - what a test may wish for
        self,
        names: int | list[str],
        *,
        ruleset: str = "l5r",
        shuffle_key: bytes = b"simulated shuffle key, 32 bytes.",
        hidden_key: bytes = b"simulated hidden key, 32 bytes..",
        title: str = "Simulated day",
        number: str = "5" * 32,
        tier: Tier = "relaxed",
        floor: str = "",
        changed: tuple[str, str] = ("", ""),
        date: str = "2026-03-14",
        keys: tuple[str, str] = ("", ""),
    ) -> None:
        """`ruleset` is a key or a whole text; `keys`: the log's, and that of the witness.

        `floor`: further tables for the end of the text; `changed`: a line of it.
        """
        self.log: list[Recorded] = []
        self.tournament = Tournament()
        self.context = Context(ranking, shuffle_key, "simulator", hidden_key)
        self._acts = 0
        text = ruleset if "\n" in ruleset else rulesets.text_of(ruleset)
        self.do(
            OpenTournament(
                tournament=number,
                name=title,
                date=date,
                time_zone="Europe/Rome",
                ruleset=text.replace(*changed, 1).replace(*NO_DECK_CHECKS) + floor,
                organizer="Olga Organizer",
                tier=tier,
                log_key=keys[0],
                witness=keys[1],
            )
        )
        listed = (
            [f"Player {n:04}" for n in range(1, names + 1)] if isinstance(names, int) else names
        )
        if listed:
            self.do(RegisterPlayers(tuple(map(Entry, listed))))

    def _clock(self) -> str:
        """The desk's clock: twenty seconds for every act."""
        now = OPENING + timedelta(seconds=SECONDS_AN_ACT * self._acts)
        return now.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    @staticmethod
    def folded(log: list[Recorded]) -> Tournament:
        """The tournament that part of a log tells of."""
        return fold(log)

    @property
    def lines(self) -> list[bytes]:
        """The log as it would be exported."""
        return [encode(recorded) for recorded in self.log]

    def do(
        self, command: Command, *, by: str = ORGANIZER, command_id: str = "", at: str = ""
    ) -> list[Recorded]:
        """Carry a command out; where it is refused the day is as it was before."""
        self._acts += 1
        try:
            done = admit(
                command,
                self.tournament,
                self.context,
                by=by,
                command_id=command_id or f"act{self._acts}",
                at=at or self._clock(),
            )
        except LedgerError:
            self.tournament = fold(self.log)
            raise
        self.log.extend(done)
        return done

    def refused(self, command: Command, *, by: str = ORGANIZER) -> str:
        """Send a command that must be refused; returns the reason, and checks nothing moved."""
        before = encode_state(self.tournament)
        size = len(self.log)
        try:
            self.do(command, by=by)
        except LedgerError as error:
            assert len(self.log) == size
            assert encode_state(self.tournament) == before
            return "; ".join(map(with_remedies, error.problems))
        raise AssertionError(f"{command} was not refused")

    def refused_event(self, event: Event, *, by: str = ORGANIZER) -> str:
        """Why an event would not be admitted as the next one; empty where it would be."""
        recorded = record(self.tournament.seq + 1, "next", self._clock(), by, event)
        return "; ".join(map(str, check(self.tournament, recorded)))

    def start(self, rounds: int, *further: Stage, word: str = "") -> None:
        """Announce so many Swiss rounds, and further stages, and begin."""
        self.announce((Stage("swiss", rounds), *further), word)

    def announce(self, stages: tuple[Stage, ...], word: str = "") -> None:
        """Announce stages and begin, with a reason if the game's table has more rounds."""
        rules, players = self.tournament.ruleset, len(self.tournament.active())
        is_short = rounds_below(rules, StructureAnnounced("custom", stages, players))
        reason = "a short day" if is_short else ""
        self.do(StartTournament("custom", stages, word=word, reason=reason))

    def pair(self) -> list[Match]:
        """Pair the next round; its matches by table."""
        self.do(PairRound())
        return self.matches()

    def matches(self) -> list[Match]:
        """The matches of the round in play, by table."""
        played = round_in_play(self.tournament)
        assert played is not None
        return played.matches

    def call_time(self, number: int) -> None:
        """Call time in a round, once."""
        if not self.tournament.floor.calls.get(number):
            self.do(CallTime())

    def report(self, match: Match, outcome: str = "win") -> None:
        """Report the first player's outcome."""
        self.do(Report(match.number, StatedResult(outcome)))

    def report_all(self, outcome: str = "win") -> None:
        """Report the same outcome at every open table."""
        for match in list(open_matches_of(self)):
            self.report(match, outcome)


def encode_state(tournament: Tournament) -> object:
    """Something that is equal for equal tournaments and does not move on with them."""
    return repr(tournament)


def open_matches_of(day: Day) -> list[Match]:
    """The tables that still need a result."""
    played = round_in_play(day.tournament)
    return open_matches(played) if played is not None else []


OUTCOMES = ("win", "win", "win", "loss", "loss", "loss", "modified win", "modified loss")


def play(  # noqa: PLR0913 - as above
    seed: int,
    players: int | list[str],
    *,
    structure: str = "",
    rounds: int = 0,
    cut: int = 0,
    disputes: bool = False,
    ruleset: str = "l5r",
) -> Day:
    """Play a whole day; the same arguments give the same log.

    With `disputes` a judge and a marshal are there, and some results are in question; what else
    happens stays as it is without.
    """
    chance = random.Random(seed)
    day = Day(
        players,
        ruleset=ruleset,
        shuffle_key=seed.to_bytes(32, "big"),
        title=f"Simulated day {seed}",
        number=f"{seed:032x}",
    )
    if structure:
        day.do(StartTournament("advanced" if structure == "advanced" else "basic"))
    else:
        stages = [Stage("swiss", rounds)]
        if cut:
            stages.append(Stage("single", entry="top", size=cut))
        day.announce(tuple(stages), f"word {seed}")
    quarrels = Quarrels(day, seed) if disputes else None
    while (stage := next_stage(day.tournament)) is not None:
        if quarrels is not None:
            quarrels.settle()
        if stage.number > 1 and not stage.cut_seq:
            _make_cut(day, chance)
        _fill_vacancies(day, chance)
        if not _pair(day, chance):
            break
        _play_round(day, chance, swiss=stage.is_swiss)
        if quarrels is not None:
            quarrels.arise()
    if quarrels is not None:
        quarrels.settle()
    _end_early(day)
    return day


def attempt(day: Day, command: Command) -> bool:
    """Carry a command out unless it is refused; whether it was."""
    try:
        day.do(command)
    except Refused:
        return False
    return True


def _pair(day: Day, chance: random.Random) -> bool:
    if len(day.tournament.active()) < 2 or not attempt(day, PairRound()):
        return False
    if chance.random() < 0.05:
        day.do(UnpairRound("a name was missing"))
        day.do(PairRound())
    if chance.random() < 0.05:
        seated = [player for match in day.matches() for player in match.players]
        one, other = chance.sample(seated, 2)
        attempt(day, SwapSeats((one, other), "a quiet table was asked for"))
    return True


def _play_round(day: Day, chance: random.Random, *, swiss: bool) -> None:
    if chance.random() < 0.8:
        day.do(StartRound())
    matches = list(open_matches_of(day))
    chance.shuffle(matches)
    for match in matches:
        if match.is_open and round_in_play(day.tournament) is not None:
            _report(day, chance, match, swiss=swiss)
    if round_in_play(day.tournament) is None:
        return  # a qualifier left before the first game: the round is paired again
    day.do(CloseRound())
    if swiss:
        _comings_and_goings(day, chance)
    for match in chance.sample(matches, min(len(matches), chance.randrange(2))):
        outcome = chance.choice(OUTCOMES)
        attempt(day, Correct(match.number, StatedResult(outcome), "the slip said otherwise"))


def _report(day: Day, chance: random.Random, match: Match, *, swiss: bool) -> None:
    luck = chance.random()
    if luck < 0.02 and swiss:
        absent = chance.choice([match.players, (match.first,), (match.second,)])
        day.do(Report(match.number, StatedResult(absent=absent)))
    elif luck < 0.04:
        day.do(Concede(match.first, game_in_play(day.tournament.ruleset.key)))
    elif luck < 0.06:
        facts = game_in_play(day.tournament.ruleset.key)
        day.do(DropPlayer(chance.choice(match.players), facts=facts))
    elif luck < 0.08:
        day.report(match, chance.choice(OUTCOMES))
        day.do(Undo())
        day.report(match, chance.choice(OUTCOMES))
    else:
        day.report(match, chance.choice(OUTCOMES))


def _comings_and_goings(day: Day, chance: random.Random) -> None:
    for player in list(day.tournament.registered()):
        luck = chance.random()
        if player.status == "active" and luck < 0.02 and len(day.tournament.active()) > 4:
            day.do(DropPlayer(player.number, facts=game_in_play(day.tournament.ruleset.key)))
        elif player.status == "dropped" and luck < 0.25:
            attempt(day, RejoinPlayer(player.number))
        elif player.status == "active" and luck > 0.997 and len(day.tournament.active()) > 4:
            day.do(DisqualifyPlayer(player.number, "cheating", "FFG-AUTH-DQ"))
    if chance.random() < 0.1:
        name = f"Latecomer {len(day.tournament.players)}"
        attempt(day, RegisterPlayers((Entry(name),)))


def _make_cut(day: Day, chance: random.Random) -> None:
    if not attempt(day, MakeCut()):
        return
    stage = day.tournament.pending_cut()
    if stage is None or chance.random() < 0.5:
        return
    day.do(DropPlayer(chance.choice(stage.seeds)))


def _fill_vacancies(day: Day, chance: random.Random) -> None:
    stage = day.tournament.pending_cut()
    while stage is not None and stage.vacancies:
        if not stage.waiting:
            day.do(ForfeitPlace())
        else:
            accepts = chance.random() < 0.6
            day.do(AnswerReplacement(stage.waiting[0], accepts))


def _end_early(day: Day) -> None:
    """Finish; where no legal round was left, what can not be played is struck first."""
    if attempt(day, FinishTournament()):
        return
    begun = [stage for stage in day.tournament.stages if stage.rounds]
    plans = tuple(
        Stage(
            stage.plan.kind,
            len(stage.rounds),
            stage.plan.entry,
            stage.plan.size,
        )
        for stage in begun
    )
    day.do(ChangeStructure(plans, "no legal round is left"))
    day.do(FinishTournament())


_IN_PLAY = {
    "runewars": {"army": (100, 60)},
    "ashes": {"wounds": (3, 4)},
    "mtg": {"games": (1, 0)},
    "xwing2": {"score": (40, 30)},
}


def game_in_play(game: str) -> dict[str, tuple[int, int]]:
    """The numbers of a game in play that an act which ends it needs; none for most games."""
    return dict(_IN_PLAY.get(game, {}))

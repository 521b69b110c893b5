"""Whole events from a few words: who met whom with what result, through the events of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.exchange.programs.building import handicapped
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerDropped, PlayerRegistered
from ledger.facts.results import ResultReported, absence, by_outcome
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Stage, StructureAnnounced, TournamentOpened
from ledger.fold import evolve
from ledger.lines.recorded import record
from ledger.proof.lines import RULES, WIRE
from ledger.rulesets import load_text
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.facts.base import Event


class Played(NamedTuple):
    """A table: the seats, and what came of it.

    `W`, `D` and `L` are the first one's; `+-`, `-+` and `--` say who came; empty: still open. With
    a second seat of 0 it is the bye of that name.
    """

    first: int
    second: int
    came: str = ""
    stones: int = 0
    """Of a handicap, that the first seat gave."""


LETTERS = {"W": "win", "D": "draw", "L": "loss"}


class Recorder:
    """Writes events one after the other, and folds them."""

    def __init__(self, text: str, date: str = "2026-06-01") -> None:
        self.tournament = Tournament()
        document = load_text(text).document
        self.write(
            TournamentOpened(
                wire=WIRE,
                rules=RULES,
                tournament="0" * 32,
                name="An event",
                date=date,
                time_zone="UTC",
                tier="relaxed",
                ruleset=document,
                engine="test",
            )
        )

        self.write(OfficialAppointed(1, ("organizer",)))

    def write(self, event: Event) -> None:
        """Let an event have happened."""
        evolve(self.tournament, record(self.tournament.seq + 1, "test", "", "o1", event))

    def register(self, numbers: Mapping[str, int], missed: Sequence[int] = ()) -> int:
        """Register the next player."""
        player = len(self.tournament.players)
        self.write(PlayerRegistered(player, player, numbers=dict(numbers), missed=tuple(missed)))
        return player

    def drop(self, player: int) -> None:
        """Let a player leave."""
        self.write(PlayerDropped(player))

    def announce(self, rounds: int) -> None:
        """Announce one Swiss stage."""
        stages = (Stage("swiss", rounds),)
        self.write(StructureAnnounced("custom", stages, len(self.tournament.players) - 1))

    def round(self, tables: Sequence[Played]) -> None:
        """Pair a round, and report what is known of it."""
        rules = self.tournament.ruleset
        number = len(self.tournament.rounds) + 1
        named: dict[str, tuple[int, ...]] = {}
        for table in tables:
            if not table.second and table.came:
                named[table.came] = (*named.get(table.came, ()), table.first)
        games = tuple((table.first, table.second) for table in tables)
        self.write(RoundPaired(1, number, 1, "by-hand@1", games, len(games), byes=named))
        draw = next((one.name for one in rules.outcomes if one.record == "D"), "draw")
        for match, table in zip(self.tournament.rounds[-1].matches, tables, strict=True):
            if not table.second or not table.came:
                continue
            if table.came in LETTERS:
                name = draw if table.came == "D" else LETTERS[table.came]
                result = handicapped(rules, by_outcome(rules, name), table.stones)
            else:
                absent = table.came[0] == "-", table.came[1] == "-"
                result = handicapped(rules, absence(rules, absent), table.stones)
            assert result is not None
            self.write(ResultReported(match.number, result))


def recorded(
    text: str,
    players: Sequence[Mapping[str, int]],
    rounds: Sequence[Sequence[Played]],
    date: str = "2026-06-01",
) -> Tournament:
    """An event of one Swiss stage whose rounds are all held."""
    recorder = Recorder(text, date)
    for numbers in players:
        recorder.register(numbers)
    recorder.announce(len(rounds))
    for tables in rounds:
        recorder.round(tables)
    return recorder.tournament

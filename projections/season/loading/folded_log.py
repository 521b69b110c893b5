"""A log's state next to its events: which event it was, when, and by whom it was entered.

Nothing is folded here: the state is copied, and what it does not keep (who entered an event and
when, what a correction replaced) is looked up among the events.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ledger.facts.base import Event
from ledger.facts.elimination import QualifierReplaced
from ledger.facts.lists import ListCorrected, ListSubmitted
from ledger.facts.opening import TournamentStarted
from ledger.facts.people import PlayerRejoined
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import (
    PlayersSeated,
    RoundClosed,
    RoundPaired,
    RoundUnpaired,
    SeatsSwapped,
)
from ledger.facts.shared import ListChecked
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import names_of
from ledger.lines.line import decode
from ledger.tournament.state import Match, Tournament
from projections.standings.bracket import FinalPlace, finishing_order
from projections.standings.table import StandingsColumns, ranking, standings_columns

Row = tuple[object, ...]
"""The columns of a table in its order, without those that the load itself knows of a log."""

_E = TypeVar("_E", bound=Event)
_F = TypeVar("_F", bound=Event)

LOOKED_UP = (
    *(RoundPaired, RoundUnpaired, SeatsSwapped, RoundClosed, TournamentStarted, PlayerRejoined),
    *(QualifierReplaced, ListSubmitted, ListCorrected, ListChecked, ActWithdrawn),
)
"""The types that the state does not keep as a table needs them: few events of a log."""

_LOOKED_UP_NAMES = frozenset(name for kind in LOOKED_UP for name in names_of(kind))


class _Envelope(Struct, gc=False):
    """What stands around an event in its line."""

    seq: int
    type: str
    at: str
    by: str


_ENVELOPES = msgspec.json.Decoder(_Envelope)


def in_order(some: list[tuple[int, _E]], others: list[tuple[int, _F]]) -> list[tuple[int, _E | _F]]:
    """Return events of two types in the order of the log."""
    return sorted([*some, *others], key=itemgetter(0))


class PairedRound(Struct):
    """A pairing of a round, and every match that came of it, with those of tables opened later."""

    seq: int
    made: RoundPaired
    matches: list[Match]


class FoldedLog:
    """What a log adds up to, and its events: the first has place 1 of each column."""

    def __init__(self, tournament: Tournament, lines: Sequence[bytes]) -> None:
        self.tournament = tournament
        envelopes = _ENVELOPES.decode_lines(b"\n".join(lines))
        self.types = ["", *map(attrgetter("type"), envelopes)]
        self.moments = ["", *map(attrgetter("at"), envelopes)]
        self.authors = ["", *map(attrgetter("by"), envelopes)]
        self._events: defaultdict[type[Event], list[tuple[int, Any]]] = defaultdict(list)
        for seq, event in tournament.withdrawable.items():
            self._events[type(event)].append((seq, event))
        for envelope in envelopes:
            if envelope.type in _LOOKED_UP_NAMES:
                event = decode(lines[envelope.seq - 1]).event
                self._events[type(event)].append((envelope.seq, event))

    def of(self, kind: type[_E]) -> list[tuple[int, _E]]:
        """Return the events of a type in their order, each after its place.

        The types are those that a withdrawal may name, and those looked up.
        """
        return self._events[kind]

    def at(self, seq: int | None) -> str | None:
        """When an event was entered."""
        return self.moments[seq] if seq else None

    @cached_property
    def pairings(self) -> list[PairedRound]:
        """Every pairing in its order, those taken back among them."""
        matches, paired = self.tournament.matches, []
        latest: dict[int, PairedRound] = {}
        number = 1
        for seq, event in in_order(self.of(RoundPaired), self.of(PlayersSeated)):
            if isinstance(event, RoundPaired):
                size = len(event.games)
                latest[event.round] = PairedRound(seq, event, matches[number : number + size])
                paired.append(latest[event.round])
                number += size
            elif not any(event.was):
                latest[event.round].matches.append(matches[number])
                number += 1
        return paired

    @cached_property
    def first_reports(self) -> dict[int, int]:
        """By match the event that first reported it."""
        first: dict[int, int] = {}
        for seq, event in in_order(self.of(ResultReported), self.of(ResultCorrected)):
            first.setdefault(event.match, seq)
        return first

    def latest_round(self, seq: int) -> int:
        """Return the latest round paired by an event; a pairing taken back gives the one before."""
        seqs, rounds = self._rounds
        return rounds[bisect_right(seqs, seq)]

    @cached_property
    def _rounds(self) -> tuple[list[int], list[int]]:
        events_of_rounds = in_order(self.of(RoundPaired), self.of(RoundUnpaired))
        rounds = [event.round - isinstance(event, RoundUnpaired) for _, event in events_of_rounds]
        return [seq for seq, _ in events_of_rounds], [0, *rounds]

    @cached_property
    def tables(self) -> dict[tuple[int, int], StandingsColumns]:
        """The standings after each Swiss round, by stage and round."""
        return {
            (stage.number, number): standings_columns(self.tournament, stage.number, number)
            for stage in self.tournament.stages
            for number in (stage.rounds if stage.is_swiss else ())
        }

    @cached_property
    def places(self) -> list[FinalPlace]:
        """Everybody in the finishing order as it is by now."""
        return finishing_order(self.tournament, self._ranked)

    def _ranked(self, tournament: Tournament, stage: int) -> list[int]:
        """List the players of a Swiss stage by the table of its last round, which is there."""
        rounds = tournament.stages[stage - 1].rounds
        if not rounds:
            return ranking(tournament, stage)
        return self.tables[stage, rounds[-1]].players

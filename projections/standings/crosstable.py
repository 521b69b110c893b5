"""The rounds that count, lined up: a column a round, and a place in it for everyone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.rulesets.tiebreaker_findings import FURTHER_COLUMNS
from ledger.tournament.state import Match, Round


class Unplayed(NamedTuple):
    """What a round was to who met nobody, and who should have sat opposite; 0: nobody.

    `open`: the result is still to come.
    """

    kind: str
    scheduled: int


class Crosstable(Struct):
    """The rounds that count, each column padded to a place for everyone; place 0 is nobody's.

    `start` are the points that players began with, `numbers` the further numbers that they have.
    `planned` is how many rounds are announced. `listed` says whom the standings list, and who of
    them was disqualified; None: everybody, and nobody.
    """

    size: int
    rounds: Sequence[Round]
    against: list[list[int]]
    seqs: list[list[int]]
    start: list[int] | None = None
    numbers: Mapping[str, list[int]] = field(default_factory=dict)
    planned: int = 0
    listed: dict[int, bool] | None = None
    byes: Mapping[str, str] = field(default_factory=dict)
    """What kind of round each named bye is."""

    _totals: dict[str, list[int]] = field(default_factory=dict)
    _unplayed: dict[int, dict[int, Unplayed]] = field(default_factory=dict)
    _seats: dict[int, dict[int, Match]] = field(default_factory=dict)
    _apart: list[int] | None = None

    def columns(self, name: str) -> list[list[int]]:
        """What each round added to the points, to the rounds or to a field of the ruleset."""
        if name == "points":
            return [padded(round_.points, self.size) for round_ in self.rounds]
        if name == "rounds":
            return [[1 if seq else 0 for seq in column] for column in self.seqs]
        if name in FURTHER_COLUMNS and not any(name in each.fields for each in self.rounds):
            return self._further(name)
        return [padded(round_.fields.get(name, []), self.size) for round_ in self.rounds]

    def _further(self, name: str) -> list[list[int]]:
        """Points as they were earned, rounds as they were held, the start in the first round."""
        if name == "earned":
            return self.columns("points")
        if name == "held":
            return [[1] * self.size] * len(self.rounds)
        nothing = [0] * self.size
        return [self.start or nothing, *[nothing] * (len(self.rounds) - 1)][: len(self.rounds)]

    def row(self, name: str, player: int) -> list[int]:
        """What each round added to a player's points, rounds or field."""
        if name == "rounds":
            return [1 if column[player] else 0 for column in self.seqs]
        return [column[player] for column in self.columns(name)]

    def met(self, player: int) -> list[tuple[int, int, int]]:
        """Return whom a player met: the round, the seq of its result, the opponent."""
        return [
            (round_.number, seqs[player], against[player])
            for round_, seqs, against in zip(self.rounds, self.seqs, self.against, strict=True)
            if against[player]
        ]

    def totals(self, name: str) -> list[int]:
        """Each player's total of a column over all rounds, or their number of that name."""
        known = self._totals.get(name)
        if known is None:
            known = self._totals[name] = self._total(name)
        return known

    def _total(self, name: str) -> list[int]:
        if name in self.numbers:
            return self.numbers[name]
        if name == "rounds":
            return filled(self.seqs, self.size)
        if not self.rounds:
            sums = [0] * self.size
        else:
            sums = list(map(sum, zip(*self.columns(name), strict=True)))
        if name == "points" and self.start is not None:
            return [begun + earned for begun, earned in zip(self.start, sums, strict=True)]
        return sums

    def unplayed(self, place: int) -> dict[int, Unplayed]:
        """What the round at a place was to everybody who met nobody in it."""
        known = self._unplayed.get(place)
        if known is None:
            known = self._unplayed[place] = _unplayed(
                self.rounds[place], self.against[place], self.byes
            )
        return known

    def seats(self, place: int) -> dict[int, Match]:
        """At which table of the round at a place everybody sat."""
        known = self._seats.get(place)
        if known is None:
            matches = self.rounds[place].matches
            known = {player: match for match in matches for player in match.players}
            self._seats[place] = known
        return known

    def look_again(self, place: int, player: int) -> None:
        """What the round at a place was to a player may have changed."""
        known = self._unplayed.get(place)
        if known is None:
            return
        known.pop(player, None)
        if not self.against[place][player]:
            match = self.seats(place).get(player)
            known[player] = _unplayed_by(self.rounds[place], player, match, self.byes)

    def apart(self) -> list[int]:
        """Who met nobody in some round."""
        if self._apart is None:
            self._apart = sorted(set().union(*map(self.unplayed, range(len(self.rounds)))))
        return self._apart

    def kind(self, place: int, player: int) -> Unplayed:
        """What the round at a place was to a player, and who sat opposite."""
        other = self.against[place][player]
        return Unplayed("met", other) if other else self.unplayed(place)[player]

    def mask(self, place: int, kinds: Collection[str]) -> list[bool]:
        """To whom the round at a place was of one of these kinds."""
        met = "met" in kinds
        mask = [met and other > 0 for other in self.against[place]]
        if set(kinds) != {"met"}:
            for player, found in self.unplayed(place).items():
                mask[player] = found.kind in kinds
        return mask

    def last_drawn(self, points: int) -> Crosstable:
        """The table as it were if all games of the last round announced ended in a draw."""
        if not self.rounds or len(self.rounds) != self.planned:
            return self
        last = self.rounds[-1]
        against, worth = padded(last.against, self.size)[:], padded(last.points, self.size)[:]
        records = [*last.records, *" " * (self.size - len(last.records))]
        seqs = self.seqs[-1][:]
        for match in last.matches:
            if match.first and match.second:
                against[match.first], against[match.second] = match.second, match.first
                for player in match.players:
                    worth[player], records[player] = points, "D"
                    seqs[player] = seqs[player] or last.paired_seq
        drawn = replace(last, against=against, points=worth, records=records, seqs=seqs)
        rounds = [*self.rounds[:-1], drawn]
        against_all, seqs_all = [*self.against[:-1], against], [*self.seqs[:-1], seqs]
        return Crosstable(
            self.size,
            rounds,
            against_all,
            seqs_all,
            self.start,
            self.numbers,
            self.planned,
            self.listed,
            self.byes,
        )


def _unplayed(
    round_: Round, against: Sequence[int], byes: Mapping[str, str]
) -> dict[int, Unplayed]:
    idle = {player for player, other in enumerate(against) if not other} - {0}
    if not idle:
        return {}
    found = dict.fromkeys(idle, Unplayed("absent", 0))
    for match in round_.matches:
        for player in (match.first, match.second):
            if player in idle:
                found[player] = _unplayed_by(round_, player, match, byes)
    return found


def _unplayed_by(
    round_: Round, player: int, match: Match | None, byes: Mapping[str, str]
) -> Unplayed:
    """What a round was to a player who met nobody, by the table that they sat at."""
    if match is None:
        return Unplayed("absent", 0)
    if match.is_bye:
        return Unplayed(byes.get(match.named, "bye"), 0)
    other = match.second if player == match.first else match.first
    return Unplayed(_missed(round_, player), other)


def _missed(round_: Round, player: int) -> str:
    letter = round_.records[player] if player < len(round_.records) else " "
    return "won" if letter == "W" else "lost" if letter == "L" else "open"


def crosstable(rounds: Sequence[Round], size: int) -> Crosstable:
    """Line up the columns of the rounds; place 0 is nobody's."""
    against = [padded(round_.against, size) for round_ in rounds]
    return Crosstable(size, rounds, against, [padded(round_.seqs, size) for round_ in rounds])


def padded(column: list[int], size: int) -> list[int]:
    """Give a column a place for everyone: an early round is short where players came later."""
    missing = size - len(column)
    return column + [0] * missing if missing else column


def filled(columns: Sequence[list[int]], size: int) -> list[int]:
    """Count each player's nonzero places."""
    if not columns:
        return [0] * size
    return [len(columns) - places.count(0) for places in zip(*columns, strict=True)]

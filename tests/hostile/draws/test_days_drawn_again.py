"""Whole days of each shipped ruleset, drawn again by a stranger from the lines and the page alone.

The stranger reads JSON and knows HMAC-SHA256, `ledger/pairing/shuffling.py` and what
`ledger/pairing` says of a round in words; nothing of the program's draws or pairings is called.
What a round looks like that cannot be had by exchanges within a group is left to
`tests/ledger/pairing`.
"""

from __future__ import annotations

import hmac
import json
import random
from contextlib import suppress
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from ledger import rulesets
from ledger.facts.shared import Stage
from ledger.proof.notes import base64_of, vkey
from ledger.rules.draws import CosignHead
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import StartRound
from tests.hostile.draws.test_draws import LOG, WITNESS, cosignature
from tests.support.examples import seeds
from tests.support.sample_season import GAMES
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Match

PLAYERS, ROUNDS, CUT = 32, 4, 4
DAYS = seeds(40)
TRIES, SMALL, LOTS = 12, 24, 2**62

Game = list[int]


class NeedsMore(Exception):  # noqa: N818 - what is so, not a fault
    """A round that exchanges within a group do not give."""


class Stranger:
    """One draw's stream of numbers."""

    def __init__(self, key: bytes, label: list[str]) -> None:
        self._key, self._label = key, "\n".join(label).encode()
        self._numbers = self._stream()

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            message = self._label + block.to_bytes(8, "big")
            digest = hmac.digest(self._key, message, "sha256")
            yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
            block += 1

    def below(self, n: int) -> int:
        """The next number below n."""
        return next(each for each in self._numbers if each < 2**64 // n * n) % n

    def shuffled(self, items: list[Any]) -> list[Any]:
        """The items in a random order."""
        line = list(items)
        for at in range(len(line) - 1, 0, -1):
            other = self.below(at + 1)
            line[at], line[other] = line[other], line[at]
        return line


class Again:
    """A log's draws, from its lines."""

    def __init__(self, lines: list[bytes]) -> None:
        self.events = [json.loads(line) for line in lines]
        self.key = bytes.fromhex(self.of("TournamentFinished")[0]["shuffle_key"])
        cosigned = self.of("HeadCosigned")
        head = self.of("HeadRecorded")[0]
        self.anchor = cosigned[0]["cosignature"] if cosigned else head.get("signature", "")
        self.word = self.of("TournamentStarted")[0].get("word", "")

    def of(self, kind: str) -> list[dict[str, Any]]:
        """What the events of a kind hold."""
        return [each["data"] for each in self.events if each["type"].split("@")[0] == kind]

    def draws(self, procedure: str, *context: int) -> Stranger:
        """The stream of a draw."""
        numbers = " ".join(map(str, context))
        label = ["tourney draws 2", procedure, numbers, self.word, self.anchor]
        return Stranger(self.key, label)

    def ranks(self) -> list[int]:
        """Everyone's random rank."""
        players = range(1, len(self.of("PlayerRegistered")) + 1)
        return [self.draws("random-rank@1", player).below(2**48) for player in players]

    def rounds(self) -> list[list[Game]]:
        """Every round, each from the results before it."""
        results = {each["match"]: each["result"]["points"] for each in self.of("ResultReported")}
        score = dict.fromkeys(range(1, PLAYERS + 1), 0)
        met: set[frozenset[int]] = set()
        found: list[list[Game]] = []
        match, winners = 0, list[int]()
        for each in self.of("RoundPaired"):
            found.append(self._round(each, score, met, winners))
            winners = []
            for game in each["games"]:
                match += 1
                points = results[match]
                winners.append(game[points[1] > points[0]])
                met.add(frozenset(game))
                for player, more in zip(game, points, strict=True):
                    score[player] += more
        return found

    def _round(
        self,
        said: dict[str, Any],
        score: dict[int, int],
        met: set[frozenset[int]],
        winners: list[int],
    ) -> list[Game]:
        if said["stage"] == 1:
            draws = self.draws("swiss@1", 1, said["round"], said["attempt"])
            return numbered(line_of(score, met, draws), score, draws)
        line = winners if len(winners) < CUT else self.of("CutMade")[0]["seeds"]
        return [[line[at], line[-1 - at]] for at in range(len(line) // 2)]


def line_of(score: dict[int, int], met: set[frozenset[int]], draws: Stranger) -> list[int]:
    """The players as they sit: neighbours meet."""
    groups = [
        [each for each in sorted(score) if score[each] == points]
        for points in sorted(set(score.values()), reverse=True)
    ]
    borders = [0, *accumulate(map(len, groups))]
    even = [at for at, border in enumerate(borders) if border % 2 == 0]
    line: list[int] = []
    for first, last in pairwise(even):
        line += block_of(groups[first:last], met, draws)
    return line


def block_of(groups: list[list[int]], met: set[frozenset[int]], draws: Stranger) -> list[int]:
    """Groups that are paired among themselves: shuffled, then rematches exchanged away."""
    size = sum(map(len, groups))
    line: list[int] = []
    for _ in range(TRIES if size <= SMALL else 1):
        line = [player for group in groups for player in draws.shuffled(group)]
        if not again_of(line, met):
            return line
    starts = [0, *accumulate(map(len, groups))]
    for table in again_of(line, met):
        for place in (table, table + 1):
            at = next(at for at, end in enumerate(starts[1:]) if place < end)
            if exchanged(line, place, list(range(starts[at], starts[at + 1])), met, draws):
                break
    if again_of(line, met):
        raise NeedsMore
    return line


def again_of(line: list[int], met: set[frozenset[int]]) -> list[int]:
    return [at for at in range(0, len(line), 2) if {*line[at : at + 2]} in met]


def exchanged(
    line: list[int], place: int, span: list[int], met: set[frozenset[int]], draws: Stranger
) -> bool:
    """Exchange the player at a place with the first of the span with whom both tables are legal."""
    turn = draws.below(len(span))
    for other in span[turn:] + span[:turn]:
        if other in {place, place ^ 1}:
            continue
        mine, theirs = {line[other], line[place ^ 1]}, {line[place], line[other ^ 1]}
        if mine not in met and theirs not in met:
            line[place], line[other] = line[other], line[place]
            return True
    return False


def numbered(line: list[int], score: dict[int, int], draws: Stranger) -> list[Game]:
    """The tables by their number: the highest score first, by lot between equals."""
    tables = []
    for at in range(0, len(line), 2):
        lot = draws.below(LOTS)
        one, other = line[at : at + 2][:: 1 if lot % 2 else -1]
        if score[one] < score[other]:
            one, other = other, one
        tables.append((-score[one] - score[other], -score[one], lot, [one, other]))
    return [table[-1] for table in sorted(tables)]


def report(day: Day, match: Match, chance: random.Random) -> None:
    """Let one of both win, as the game tells it."""
    first, ruleset = chance.random() < 1 / 2, day.tournament.ruleset.key
    if ruleset == "netrunner":
        day.do(Report(match.number, StatedResult(points=(6, 0) if first else (0, 6))))
    elif ruleset == "mtg":
        games = (2, chance.randrange(2))
        day.do(Report(match.number, StatedResult(facts={"games": games if first else games[::-1]})))
    else:
        GAMES.get(ruleset, GAMES["l5r"])(day, match, chance, first=first)


def entry(day: Day, number: int) -> Entry:
    """Somebody with a number of each kind that the ruleset asks for."""
    asked = [one for one in day.tournament.ruleset.numbers if one.default is None]
    return Entry(f"Player {number:04}", attributes={one.name: str(one.max) for one in asked})


def a_day(ruleset: str, seed: int, *, witness: str = "") -> Day:
    """A day of Swiss rounds, as anybody may win them, and a cut, to its end."""
    chance = random.Random(seed)
    day = Day(
        0,
        ruleset=ruleset,
        shuffle_key=chance.randbytes(32),
        keys=(base64_of(LOG.key.public), witness),
    )
    day.context = structs.replace(day.context, sign_head=LOG.sign)
    day.do(RegisterPlayers(tuple(entry(day, number) for number in range(1, PLAYERS + 1))))
    day.start(ROUNDS, Stage("single", entry="top", size=CUT), word=f"word {seed}")
    if witness:
        day.do(CosignHead(cosignature(day)))
    for number in range(ROUNDS + 2):
        if number == ROUNDS:
            day.do(MakeCut())
        day.pair()
        day.do(StartRound())
        for match in list(open_matches_of(day)):
            report(day, match, chance)
    day.do(FinishTournament())
    return day


@pytest.mark.slow
@pytest.mark.parametrize("witness", ["", vkey(WITNESS.key)], ids=["alone", "witnessed"])
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_a_stranger_draws_the_whole_day_again(ruleset: str, witness: str) -> None:
    hold(a_day(ruleset, 3 + len(witness), witness=witness))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_a_stranger_draws_many_days_again(ruleset: str) -> None:
    held = 0
    for seed in DAYS:
        with suppress(NeedsMore):
            hold(a_day(ruleset, seed, witness=vkey(WITNESS.key) if seed % 2 else ""))
            held += 1
    assert held > len(DAYS) * 2 // 3


def hold(day: Day) -> None:
    """Draw everything again."""
    again = Again(day.lines)
    assert again.anchor
    drawn = [rank for each in again.of("RanksDrawn") for rank in each["ranks"]]
    assert again.ranks() == drawn
    assert len(again.of("RoundPaired")) == ROUNDS + 2
    assert again.rounds() == [each["games"] for each in again.of("RoundPaired")]

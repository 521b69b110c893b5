"""What the rounds of a file may mean beside the plain reading: a second day, numbered playoffs.

A reading makes another tournament of the one that was read. Its name is what a person types, and
what the log keeps of it (`Source.reading`). Readings of the rules are in settings.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.foreign import ForeignCut, ForeignTournament
from ledger.exchange.foreign import cut_after as foreign_cut_after
from ledger.exchange.odd_tables import went_on
from ledger.rulesets import parse
from ledger.tournament import scoring

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.exchange.foreign import ForeignGame, ForeignRound
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament

PLAYOFFS, CUT, RULES = "playoffs", "cut", "rules"
"""Kinds of readings, in the order in which they are applied."""

_ORDER = (PLAYOFFS, CUT, RULES)
_CUT_AFTER = re.compile(r"cut-after-([1-9][0-9]?)")
_PLAYOFFS_FROM = re.compile(r"playoffs-from-([1-9][0-9]?)")
LOSSES_MAX = 2
"""How many losses end a run in playoffs: one, or two in a double elimination."""

FINAL_TABLES = 2
"""How many tables the last round of playoffs has at most: the final, and one for third place."""

Change = Callable[[ForeignTournament], ForeignTournament]


class Reading(Struct, frozen=True):
    """One way to read a file: which setting it is about, and what that would be.

    `is_tried` says that an import tries it; the others explain, and are taken if a person says so.
    Of one `group` at most one is taken; "" for those that go with all others.
    """

    name: str
    kind: str
    setting: str
    value: str
    change: Change
    is_tried: bool = True
    group: str = ""

    @property
    def is_of_rounds(self) -> bool:
        """Whether it moves rounds, and leaves the rules as they are."""
        return self.kind != RULES


class NotReadable(LedgerError):  # noqa: N818 - named for the file, as Unreadable is
    """A reading that a file cannot have."""


def in_order(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Sort readings into the order in which they are applied and named."""
    return tuple(sorted(readings, key=lambda one: (_ORDER.index(one.kind), one.value, one.name)))


def names_of(readings: Iterable[Reading]) -> tuple[str, ...]:
    """Return the names of readings as a log keeps them; none for the plain one."""
    return tuple(one.name for one in in_order(readings))


def read_as(foreign: ForeignTournament, readings: Iterable[Reading]) -> ForeignTournament:
    """Return a tournament by some readings, which its source then names.

    Raises:
        NotReadable: the file cannot be read so.
    """
    applied = in_order(readings)
    for one in applied:
        foreign = one.change(foreign)
    return replace(foreign, source=replace(foreign.source, reading=names_of(applied)))


def of_rounds(name: str) -> Reading | None:
    """Return the reading of rounds of that name; None if it names another kind of reading."""
    if found := _CUT_AFTER.fullmatch(name):
        return cut_after(int(found[1]))
    found = _PLAYOFFS_FROM.fullmatch(name)
    return playoffs_from(int(found[1])) if found else None


def round_readings(foreign: ForeignTournament) -> Iterator[Reading]:
    """Yield the readings of its rounds that a file may have: cuts first, then playoffs."""
    swiss = foreign.swiss
    present = [round_.present for round_ in swiss]
    in_playoffs = set[str]().union(*(round_.present for round_ in foreign.elimination))
    backwards = accumulate(reversed(present), set.union, initial=in_playoffs)
    later = list(backwards)[:0:-1]
    for number in range(1, len(swiss)):
        if later[number] < present[number - 1] and later[number] == present[number]:
            yield cut_after(number)
    for number in range(len(swiss), 1, -1):
        if _are_playoffs([*swiss[number - 1 :], *foreign.elimination]):
            yield playoffs_from(number)


def playoffs_in(foreign: ForeignTournament) -> Reading | None:
    """Return the reading that the last Swiss rounds are playoffs, if they halve down to a final."""
    tables = [len(round_.games) for round_ in foreign.swiss]
    begin = len(tables)
    while begin > 1 and tables[begin - 1] == 1 << (len(tables) - begin):
        begin -= 1
    is_clear = len(tables) - begin > 1 and _are_playoffs(foreign.swiss[begin:])
    return playoffs_from(begin + 1) if is_clear and not foreign.elimination else None


def cut_after(number: int) -> Reading:
    """Return the reading that the field was cut after a Swiss round: a second day begins."""

    def change(foreign: ForeignTournament) -> ForeignTournament:
        if number >= len(foreign.swiss):
            raise NotReadable(f"no Swiss round comes after round {number}")
        return foreign_cut_after(foreign, number)

    name, setting = f"cut-after-{number}", "a cut between Swiss rounds"
    return Reading(name, CUT, setting, f"after round {number}", change)


def playoffs_from(number: int) -> Reading:
    """Return the reading that the rounds from one on are playoffs, though numbered as Swiss."""

    def change(foreign: ForeignTournament) -> ForeignTournament:
        if not 1 < number <= len(foreign.swiss):
            raise NotReadable(f"the Swiss rounds do not go on from {number}")
        swiss, rules = foreign.swiss[: number - 1], parse(foreign.ruleset)
        moved, rounds = foreign.swiss[number - 1 :], []
        for place, round_ in enumerate(moved):
            following = (*moved[place + 1 :], *foreign.elimination)
            rounds.append(_as_playoff(foreign, rules, round_, following[0] if following else None))
        elimination = (*rounds, *foreign.elimination)
        return replace(
            foreign,
            swiss=swiss,
            elimination=elimination,
            swiss_announced=len(swiss),
            swiss_stages=(),
            cut=ForeignCut.of(elimination),
        )

    name, setting = f"playoffs-from-{number}", "playoffs numbered as Swiss rounds"
    return Reading(name, PLAYOFFS, setting, f"from round {number}", change, group=PLAYOFFS)


def _are_playoffs(rounds: Sequence[ForeignRound]) -> bool:
    """Whether rounds may be an elimination: two are left at last, and losers do not play on."""
    if len(rounds[-1].games) > FINAL_TABLES or any(round_.absent for round_ in rounds):
        return False
    losses: dict[str, int] = {}
    for round_, following in pairwise(rounds):
        if not following.present < round_.present:
            return False
        for key in round_.present - following.present:
            losses[key] = LOSSES_MAX
        for game in round_.games:
            loser = _loser(game)
            if loser:
                losses[loser] = losses.get(loser, 0) + 1
    return all(losses.get(key, 0) < LOSSES_MAX for key in rounds[-1].present)


def _loser(game: ForeignGame) -> str:
    won = _winner(game)
    return "" if game.is_bye or not won else game.second if won == game.first else game.first


def _winner(game: ForeignGame) -> str:
    """Return the key of who won a game of either kind of round; "" for nobody."""
    if game.winner or game.is_bye:
        return game.winner or game.first
    if game.result is not None:
        first, second = game.result.counted
        if first == second:
            first, second = (int(outcome == "win") for outcome in game.result.outcomes)
    else:
        first, second = game.points or (0, 0)
    return game.first if first > second else game.second if second > first else ""


def _as_playoff(
    foreign: ForeignTournament, rules: Ruleset, round_: ForeignRound, following: ForeignRound | None
) -> ForeignRound:
    games = tuple(_playoff_game(foreign, rules, game, following) for game in round_.games)
    if round_.absent:
        raise NotReadable(f"{round_.place} has players who missed it")
    return replace(round_, elimination=True, games=games)


def _playoff_game(
    foreign: ForeignTournament, rules: Ruleset, game: ForeignGame, following: ForeignRound | None
) -> ForeignGame:
    """Return a game of a Swiss round as one of playoffs, where somebody goes on.

    Raises:
        NotReadable: it was drawn, and nothing shows who went on.
    """
    if game.is_bye or game.is_open:
        return game
    winner = _winner(game)
    if not winner:
        sides = {game.first, game.second}
        ranks = {row.key: row.rank for row in foreign.published if row.rank and row.key in sides}
        later = following.present if following is not None else set()
        winner = went_on(game, later, ranks if len(ranks) == len(sides) else {})
    if not winner:
        raise NotReadable(f"{game.place}: nothing shows who went on")
    result = _in_elimination(rules, game.result) if game.result is not None else None
    won = result is not None and result.outcomes[0] == rules.full_win.name
    if result is not None and won != (winner == game.first):
        result = None
    return replace(game, winner=winner, result=result, points=None, adjusted=(0, 0))


def _in_elimination(rules: Ruleset, result: Result) -> Result | None:
    """Return the result as an elimination has it; None if it is only known who won."""
    try:
        if result.facts:
            return scoring.by_facts(rules, result.ending, result.facts, elimination=True)
    except LedgerError:
        return None
    return None if scoring.problems(rules, result, elimination=True) else result


def agrees_with(foreign: ForeignTournament, tournament: Tournament) -> bool:
    """Whether the rounds of a log are in the stages that a file's rounds are in."""
    lengths = foreign.swiss_stages or (len(foreign.swiss),)
    stages = [(number, True) for number, rounds in enumerate(lengths, 1) for _ in range(rounds)]
    last = len(lengths) + 1 if foreign.swiss else 1
    stages += [(last, False) for _ in foreign.elimination]
    known = [
        (round_.stage, tournament.stages[round_.stage - 1].is_swiss) for round_ in tournament.rounds
    ]
    return stages[: len(known)] == known

"""One setting of a ruleset changed: which such change would make every published number follow.

Tried are other floors, cuts and reductions, no-shows and byes as opponents, other worths of a bye
(as large as the numbers ask for), other editions, and a field that was cut between two rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.translating import translate
from ledger.fold import fold_lines
from ledger.rulesets.tiebreakers import Cut, Virtual
from projections.reproduction.comparing import (
    POINTS,
    PublishedTable,
    compared,
    fraction_of,
    with_rules,
)
from projections.reproduction.oddities import Oddity, oddities
from projections.standings.table import ranking

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset, Tiebreaker
    from ledger.tournament.state import Tournament

FLOORS = (None, "1/3", "33/100", "1/4", "3/10", "2/5", "1/2")
CUTS = {
    "none": None, "the lowest": Cut(low=1), "the highest": Cut(high=1),
    "the lowest and the highest": Cut(low=1, high=1), "the two lowest": Cut(low=2),
}  # fmt: skip
WORTHS_TRIED = 3
STAGES_TRIED = 12

Changed = Callable[[], "Tournament"]
Setting = tuple[str, str, Changed]
"""Which setting, what it would be, and the tournament with it."""


class OtherSetting(Struct, frozen=True):
    """A setting, what it would have to be, and how many numbers would still not follow."""

    setting: str
    value: str
    left: int


class Reproduction(Struct, frozen=True):
    """What came of comparing a file's standings with its rounds.

    `explained` are the changes of one setting that would explain every number, `nearly` the one
    that would explain most, where none explains all.
    """

    tournament: Tournament
    comparison: PublishedTable
    oddities: tuple[Oddity, ...]
    explained: tuple[OtherSetting, ...] = ()
    nearly: OtherSetting | None = None


def reproduce(foreign: ForeignTournament) -> Reproduction:
    """Compare what a file publishes with what its rounds give, and look for what would explain it.

    Raises:
        InvalidLog: the file's rounds cannot be recorded, and why.
    """
    tournament = made(foreign)
    found = compared(foreign, tournament)
    strange = tuple(oddities(tournament))
    if not found.wrong:
        return Reproduction(tournament, found, strange)
    tried = [
        OtherSetting(setting, value, left)
        for setting, value, change in settings(foreign, tournament, found)
        if (left := _left(foreign, change)) is not None and left < found.wrong
    ]
    explained = tuple(each for each in tried if not each.left)
    best = min(tried, key=lambda each: each.left, default=None)
    nearly = best if best is not None and 2 * best.left <= found.wrong else None
    return Reproduction(tournament, found, strange, explained, None if explained else nearly)


def made(foreign: ForeignTournament) -> Tournament:
    """Return the tournament that a file becomes."""
    return fold_lines([line for _, line in translate(foreign, ranking)])


def _left(foreign: ForeignTournament, change: Changed) -> int | None:
    try:
        return compared(foreign, change()).wrong
    except (LedgerError, ValueError):
        return None  # such a ruleset cannot be


def settings(
    foreign: ForeignTournament, tournament: Tournament, found: PublishedTable
) -> Iterator[Setting]:
    """Yield the tournament with one setting changed, each in turn."""
    rules = tournament.ruleset
    for setting, value, declared in _declared(rules):
        changed = replace(rules, declared=declared)
        yield setting, value, _under(tournament, changed)
    yield from _worths_of_byes(tournament, found, foreign.points_unit)
    yield from _stages(foreign)


def _under(tournament: Tournament, rules: Ruleset) -> Changed:
    return lambda: with_rules(tournament, rules)


def _declared(rules: Ruleset) -> Iterator[tuple[str, str, tuple[Tiebreaker, ...]]]:
    """Yield the declarations with one thing changed in all to which it applies."""
    for floor in FLOORS:
        value = floor or "none"
        yield (
            "floor of every percentage",
            value,
            _each(rules, lambda one: bool(one.per), floor=floor),
        )
        own = _each(rules, lambda one: bool(one.per) and one.over == "own", floor=floor)
        yield "floor of a player's own percentage", value, own
        others = _each(rules, lambda one: bool(one.per) and one.over == "opponents", floor=floor)
        yield "floor of opponents' percentages", value, others
    met = {"no-shows": ("met", "won", "lost"), "no-shows of the other side": ("met", "won")}
    for who, kinds in met.items():
        yield "opponents that count", f"{who} too", _each(rules, _opponents, rounds=kinds)
    yield (
        "opponents that count",
        "those met alone",
        _each(rules, _opponents, rounds=(), virtual=None),
    )
    nobody, oneself = Virtual(rounds=("bye",), most="0/1"), Virtual(rounds=("bye",))
    yield "an own bye", "an opponent of 0", _each(rules, _opponents, virtual=nobody)
    yield "an own bye", "an opponent of the own points", _each(rules, _opponents, virtual=oneself)
    for value, cut in CUTS.items():
        yield "opponents that are cut", value, _each(rules, _opponents, cut=cut)
    for value in ("sum", "mean"):
        yield "opponents' numbers", f"their {value}", _each(rules, _opponents, reduction=value)
    for day in sorted({one.since for one in rules.declared if one.since}):
        yield "edition in force", f"from {day}", rules.on(day).declared


def _opponents(one: Tiebreaker) -> bool:
    return one.over == "opponents"


def _each(
    rules: Ruleset, applies: Callable[[Tiebreaker], bool], **changes: object
) -> tuple[Tiebreaker, ...]:
    return tuple(replace(one, **changes) if applies(one) else one for one in rules.declared)


def _worths_of_byes(tournament: Tournament, found: PublishedTable, unit: int) -> Iterator[Setting]:
    """Yield other worths of a bye: by how much a published total is off, for each bye it has."""
    bye = tournament.ruleset.bye
    own = {
        one.code: one.source for one in tournament.ruleset.in_force.values() if one.over == "own"
    }
    for code, source in {POINTS: POINTS, **own}.items():
        off: Counter[Fraction] = Counter()
        for row in found.rows:
            byes = tournament.players[row.player].byes if row.player else 0
            for each in row.figures:
                number = fraction_of(each.published)
                is_off = byes and each.code == code and not each.agrees
                if is_off and number is not None and each.follows is not None:
                    off[(number - each.follows) * (unit if code == POINTS else 1) / byes] += 1
        was = bye.points if source == POINTS else bye.fields.get(source, 0)
        for more, _ in off.most_common(WORTHS_TRIED):
            if more.denominator == 1 and was + more >= 0:
                value = f"{was + more} {source}" if source != POINTS else f"{was + more} points"
                yield "a bye's worth", value, _with_byes(tournament, source, int(more))


def _with_byes(tournament: Tournament, source: str, more: int) -> Changed:
    def change() -> Tournament:
        rounds = deepcopy(tournament.rounds)
        for round_ in rounds:
            column = round_.points if source == POINTS else round_.fields.get(source, [])
            for match in round_.matches:
                if match.is_bye and not match.named and match.first < len(column):
                    column[match.first] += more
        return replace(tournament, rounds=rounds)

    return change


def _stages(foreign: ForeignTournament) -> Iterator[Setting]:
    """Yield the field cut after a round that many did not come back from, or not cut at all."""
    if foreign.swiss_stages:
        yield "a cut between Swiss rounds", "none", _staged(foreign, ())
    swiss, tried = foreign.swiss, 0
    for number in range(1, len(swiss)):
        gone = swiss[number - 1].present - swiss[number].present
        new = swiss[number].present - swiss[number - 1].present
        if len(gone) > 1 and not new and tried < STAGES_TRIED:
            tried += 1
            value, lengths = f"after round {number}", (number, len(swiss) - number)
            yield "a cut between Swiss rounds", value, _staged(foreign, lengths)


def _staged(foreign: ForeignTournament, lengths: Sequence[int]) -> Changed:
    return lambda: made(replace(foreign, swiss_stages=tuple(lengths)))

"""Other readings of a file: of its rounds, and of the settings of its ruleset.

A reading makes another tournament of the one that was read. A person types its name, and the log
keeps the name (`Source.reading`). Readings of the rounds are a second day and numbered playoffs.

A reading of the rules changes one setting in the text of the ruleset. Tried are other floors, cuts
and reductions, no-shows and byes as opponents, other worths of a bye (as large as the numbers ask
for) and other editions. An import tries few of them by itself; all of them can be named, and the
log then has the edited text of the ruleset.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.foreign import (
    ForeignCut,
    ForeignTournament,
    under_forfeits,
    went_on,
)
from ledger.exchange.foreign import (
    cut_after as foreign_cut_after,
)
from ledger.facts import results
from ledger.problems import marked, phrase
from ledger.rulesets import Forfeit, of_edition, parse
from ledger.rulesets.outcomes import ForfeitWorth
from ledger.rulesets.tiebreakers import Cut, Virtual
from projections.published_tables import POINTS, PublishedTable, fraction_of

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignGame, ForeignRound
    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset, Tiebreaker
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
            raise NotReadable(phrase("there is no Swiss round after round {round}", round=number))
        return foreign_cut_after(foreign, number)

    name, setting = f"cut-after-{number}", marked("a cut between Swiss rounds")
    return Reading(name, CUT, setting, f"after round {number}", change)


def playoffs_from(number: int) -> Reading:
    """Return the reading that the rounds from one on are playoffs, though numbered as Swiss."""

    def change(foreign: ForeignTournament) -> ForeignTournament:
        if not 1 < number <= len(foreign.swiss):
            raise NotReadable(
                phrase("there is no Swiss round {round} after a first one", round=number)
            )
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

    name, setting = f"playoffs-from-{number}", marked("playoffs numbered as Swiss rounds")
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
        raise NotReadable(phrase("{round} has players who missed it", round=round_.place))
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
        raise NotReadable(phrase("{place}: nothing shows who advanced", place=game.place))
    result = _in_elimination(rules, game.result) if game.result is not None else None
    won = result is not None and result.outcomes[0] == rules.full_win.name
    if result is not None and won != (winner == game.first):
        result = None
    return replace(game, winner=winner, result=result, points=None, adjusted=(0, 0))


def _in_elimination(rules: Ruleset, result: Result) -> Result | None:
    """Return the result as an elimination has it; None if it is only known who won."""
    try:
        if result.facts:
            return results.by_facts(rules, result.ending, result.facts, elimination=True)
    except LedgerError:
        return None
    return None if results.problems(rules, result, elimination=True) else result


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


FLOORS = (None, "1/3", "33/100", "1/4", "3/10", "2/5", "1/2")
CUTS = {
    marked("none"): None,
    marked("the lowest"): Cut(low=1),
    marked("the highest"): Cut(high=1),
    marked("the lowest and the highest"): Cut(low=1, high=1),
    marked("the two lowest"): Cut(low=2),
}
WORTHS_TRIED = 3
_BLOCK = re.compile(r"(?m)^\[\[tiebreakers\]\]\n(?:(?!\[).*\n?)*")
_BYE = re.compile(r"(?m)^\[bye\]\n(?:(?!\[).*\n?)*")

Applies = Callable[["Tiebreaker"], bool]


def rule_readings(
    foreign: ForeignTournament, tournament: Tournament, found: PublishedTable
) -> Iterator[Reading]:
    """Yield the readings with one setting of the rules changed, those that are tried first."""
    readings = [
        *_own_byes(), *_own_floors(tournament.ruleset), *_forfeits(foreign),
        *_floors(), *_opponents_that_count(),
        *_reductions(), *_editions(parse(foreign.ruleset)),
        *_worths_of_byes(foreign, tournament, found),
    ]  # fmt: skip
    yield from (one for one in readings if one.is_tried)
    yield from (one for one in readings if not one.is_tried)


def _own_byes() -> Iterator[Reading]:
    nobody, oneself = Virtual(rounds=("bye",), most="0/1"), Virtual(rounds=("bye",))
    for name, value, virtual in (
        ("own-bye-of-0", marked("an opponent of 0"), nobody),
        ("own-bye-of-own-points", marked("an opponent with the same points"), oneself),
    ):
        change = _declared(name, _opponents, virtual=virtual)
        yield Reading(name, RULES, marked("a player's own bye"), value, change, group="own bye")


def _own_floors(rules: Ruleset) -> Iterator[Reading]:
    """Yield the floors of a player's own percentage; the one that others have is tried, or none."""
    shares = [one for one in rules.in_force.values() if one.per]
    own = next((one.floor for one in shares if one.over == "own"), None)
    others = (one.floor for one in shares if _opponents(one))
    tried = None if own else next(filter(None, others), None)
    for floor in FLOORS:
        name, value = f"own-floor-{_worded(floor)}", floor or "none"
        change = _declared(name, _own_share, floor=floor)
        setting, is_tried = marked("floor of a player's own percentage"), floor == tried != own
        yield Reading(name, RULES, setting, value, change, is_tried, group="floor")


def _forfeits(foreign: ForeignTournament) -> Iterator[Reading]:
    """Yield what a match counts for that was paired and not played, if the file has any."""
    games = (game for round_ in foreign.swiss for game in round_.games)
    if not any(game.result is not None and game.result.manner == "no-show" for game in games):
        return
    rules = parse(foreign.ruleset)
    clause = rules.forfeit.clause if rules.forfeit is not None else rules.unpaired_loss.clause
    bye, missed = (
        ForfeitWorth(worth.points, worth.fields) for worth in (rules.bye, rules.unpaired_loss)
    )
    for name, value, forfeit in (
        ("forfeits-met", marked("0, and the opponent counts"),
         Forfeit(clause, ForfeitWorth(0), bye, met=True)),
        ("forfeits-not-met", marked("0, and no opponent"), Forfeit(clause, ForfeitWorth(0), bye)),
        ("forfeits-as-missed", marked("a round missed, and no opponent"),
         Forfeit(clause, missed, bye)),
    ):  # fmt: skip
        yield Reading(
            name, RULES, marked("forfeits"), value, _forfeit(name, forfeit), group="forfeits"
        )


def _forfeit(name: str, forfeit: Forfeit) -> Change:
    def change(foreign: ForeignTournament) -> ForeignTournament:
        if parse(foreign.ruleset).forfeit == forfeit:
            raise NotReadable(phrase("{reading} changes nothing in the ruleset", reading=name))
        return under_forfeits(foreign, forfeit, name)

    return change


def _floors() -> Iterator[Reading]:
    for who, setting, applies in (
        ("floor", marked("floor of every percentage"), _share),
        ("opponents-floor", marked("floor of opponents' percentages"), _share_of_opponents),
    ):
        for floor in FLOORS:
            name = f"{who}-{_worded(floor)}"
            change = _declared(name, applies, floor=floor)
            yield _further(name, setting, floor or "none", change, "floor")


def _worded(floor: str | None) -> str:
    return floor.replace("/", "-of-") if floor else "none"


def _opponents_that_count() -> Iterator[Reading]:
    setting = marked("opponents that count")
    for name, value, changes in (
        ("no-shows-count", marked("no-shows too"), {"rounds": ("met", "won", "lost")}),
        (
            "no-shows-of-others-count",
            marked("no-shows of the other side too"),
            {"rounds": ("met", "won")},
        ),
        ("only-met-count", marked("only those met"), {"rounds": (), "virtual": None}),
    ):
        change = _declared(name, _opponents, **changes)
        yield _further(name, setting, value, change, setting)


def _reductions() -> Iterator[Reading]:
    for value, cut in CUTS.items():
        name = f"opponents-cut-{value.removeprefix('the ').replace(' the', '').replace(' ', '-')}"
        change = _declared(name, _opponents, cut=cut)
        yield _further(name, marked("opponents that are cut"), value, change, "cut")
    for value, words in (("sum", marked("their sum")), ("mean", marked("their mean"))):
        name = f"opponents-{value}"
        change = _declared(name, _opponents, reduction=value)
        yield _further(name, marked("opponents' numbers"), words, change, name)


def _further(name: str, setting: str, value: str, change: Change, group: str) -> Reading:
    """Return a reading that explains, and that an import takes only if a person names it."""
    return Reading(name, RULES, setting, value, change, is_tried=False, group=group)


def _share(one: Tiebreaker) -> bool:
    return bool(one.per)


def _own_share(one: Tiebreaker) -> bool:
    return _share(one) and one.over == "own"


def _share_of_opponents(one: Tiebreaker) -> bool:
    return _share(one) and _opponents(one)


def _opponents(one: Tiebreaker) -> bool:
    return one.over == "opponents"


def _declared(name: str, applies: Applies, **changes: Any) -> Change:  # noqa: ANN401 - a member's value
    """Return the change of members of all tiebreakers to which it applies."""

    def change(foreign: ForeignTournament) -> ForeignTournament:
        before = parse(foreign.ruleset)
        wanted = [replace(one, **changes) if applies(one) else one for one in before.declared]
        kept = iter(wanted)
        text = _BLOCK.sub(lambda block: _with(block[0], next(kept), changes), foreign.ruleset)
        return _of_rules(foreign, before, replace(before, declared=tuple(wanted)), text, name)

    return change


def _with(block: str, wanted: Tiebreaker, changes: dict[str, Any]) -> str:
    """Return a tiebreaker's lines with the members that change as they are wanted."""
    for member in changes:
        value = getattr(wanted, member)
        line = "" if value in (None, ()) else f"{member} = {_inline(to_builtins(value))}\n"
        written = re.compile(rf"(?m)^{member} = .*\n?")
        if written.search(block):
            block = written.sub(line, block, count=1)
        else:
            head, _, rest = block.partition("\n")
            block = f"{head}\n{line}{rest}"
    return block


def _inline(value: object) -> str:
    """Write a value as TOML in one line."""
    if isinstance(value, dict):
        members = (f"{name} = {_inline(each)}" for name, each in value.items() if each is not None)
        return f"{{ {', '.join(members)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


def _of_rules(
    foreign: ForeignTournament, before: Ruleset, wanted: Ruleset, text: str, name: str
) -> ForeignTournament:
    """Return the tournament under an edited text, which has to say just what is wanted."""
    text = of_edition(text, name)
    try:
        after = parse(text)
    except LedgerError:
        raise NotReadable(
            phrase("{reading} does not result in a valid ruleset", reading=name)
        ) from None
    if after != replace(wanted, edition=after.edition) or wanted == before:
        raise NotReadable(phrase("{reading} changes nothing in the ruleset", reading=name))
    return replace(foreign, ruleset=text)


def _editions(rules: Ruleset) -> Iterator[Reading]:
    for day in sorted({one.since for one in rules.declared if one.since}):
        name = f"edition-{day}"
        yield _further(
            name, marked("edition in force"), f"from {day}", _edition(name, day), "edition"
        )


def _edition(name: str, day: str) -> Change:
    def change(foreign: ForeignTournament) -> ForeignTournament:
        before = parse(foreign.ruleset)
        declared = iter(before.declared)

        def kept(block: re.Match[str]) -> str:
            holds = next(declared).holds(day)
            return re.sub(r"(?m)^(?:since|until) = .*\n?", "", block[0]) if holds else ""

        return _of_rules(foreign, before, before.on(day), _BLOCK.sub(kept, foreign.ruleset), name)

    return change


def _worths_of_byes(
    foreign: ForeignTournament, tournament: Tournament, found: PublishedTable
) -> Iterator[Reading]:
    """Yield other worths of a bye: by how much a published total is off, for each bye it has."""
    bye, unit = tournament.ruleset.bye, foreign.points_unit
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
            if more and more.denominator == 1 and was + more >= 0:
                worth, what = int(was + more), "points" if source == POINTS else source
                name, group = f"bye-worth-{worth}-{what}", marked("a bye's worth")
                change = _worth(name, source, worth)
                yield _further(name, group, f"{worth} {what}", change, group)


def _worth(name: str, source: str, worth: int) -> Change:
    def change(foreign: ForeignTournament) -> ForeignTournament:
        before = parse(foreign.ruleset)
        bye = before.bye
        if source == POINTS:
            bye, member = replace(bye, points=worth), re.compile(r"(?m)^(points = )[0-9]+")
        else:
            bye = replace(bye, fields={**bye.fields, source: worth})
            member = re.compile(rf"((?:^|[{{, ]){re.escape(source)} = )[0-9]+")
        text = _BYE.sub(
            lambda block: member.sub(rf"\g<1>{worth}", block[0], count=1), foreign.ruleset, count=1
        )
        return _of_rules(foreign, before, replace(before, bye=bye), text, name)

    return change

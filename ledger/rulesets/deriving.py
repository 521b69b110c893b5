"""From what a table reports to a result: an ending and facts in; outcome, points, fields out.

A ruleset names its procedure and holds the constants; no procedure knows which game it serves. A
procedure gets one game, and is pure arithmetic over names that the ruleset declares. `derive`
asks of the facts what every procedure needs, and makes the result of the procedure's answer.

ashes@1: who fell, and the blood that each side drew (AOP-OUTCOME, AOP-BLOOD).

ashes@2: the same; the report of a Phoenixborn with all its wounds tells if it was destroyed.

comparison@1: the player with more of one fact wins; margins and sums come from the data.

comparison@2: the same; whoever an ending marks has lost, whatever its manner.

l5r-time@1: the count when time is called, who may concede then, and the second count.

    count     points for the opponent's broken provinces, for more honor, for the favor
    far ahead a full win at once; else each in turn from the first player concedes or passes
    passed    a leader confirms, the regroup phase is played, and it is counted again: a modified
              win; equal: against the one who determined the first player (L5R-TIME, L5R-FIRST)

legion@1: victory tokens, then the score, then the blue player (SWL-OUTCOME).

runewars@1: scores of armies and objectives, the margin of victory, the final flurry.

    score     army points of the enemy destroyed + objective points (RW-GAMESCORE); reported as one
              number, or by `army`, or by the enemy's `total` less what `remaining` it has
    margin    the winner's score less the loser's, held to the range (RW-MOV)
    equal     the flurry's rolls decide, each one recorded (RW-FLURRY)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.errors import Refused
from ledger.facts.shared import Result
from ledger.problems import Phrase, Problem, Remedy, Value, marked, phrase, problem, remedy
from ledger.rulesets import Ending, Procedure, Ruleset  # noqa: TC001 - msgspec resolves them
from ledger.rulesets.toml_files import nearest, of_file

if TYPE_CHECKING:
    from ledger.rulesets import Fact
    from ledger.rulesets.procedures import Sum

Pair = tuple[int, int]
"""A number of each side, the first player's first."""

FIRST = 0
SECOND = 1

WHY = marked("{fact} is missing: {why}")


class Derived(Struct, frozen=True):
    """The outcome of the first player; points where the procedure gives them; fields."""

    outcome: str
    points: Pair | None = None
    fields: dict[str, Pair] = field(default_factory=dict)


class Game(Struct, frozen=True):
    """One game as reported: each fact is declared and in its range, and none needed is missing."""

    rules: Ruleset
    declared: Procedure
    ending: Ending
    facts: dict[str, Pair]
    elimination: bool

    def has(self, name: str) -> bool:
        """Whether the fact was reported."""
        return name in self.facts

    def fact(self, name: str) -> Pair:
        """A fact, 0 to 0 where it was not reported."""
        return self.facts.get(name, (0, 0))

    def number(self, name: str) -> int:
        """A constant of the procedure."""
        return self.declared.numbers[name]

    def marked(self, name: str) -> int | None:
        """The one side that has a fact; None where neither or both have it."""
        return ahead(self.fact(name))

    def one_marked(self, name: str) -> int:
        """The one side that has a fact of which the ruleset says that one side has it."""
        return FIRST if self.fact(name)[FIRST] else SECOND

    def refuse_needless(self, names: Iterable[str], why: Phrase, clause: str = "") -> None:
        """Refuse facts that have no place in this ending.

        Raises:
            Refused: one of them was reported.
        """
        if needless := tuple(name for name in names if name in self.facts):
            text = marked("{facts} must be left out: {why}")
            raise Refused(problem("fact.needless", text, clause=clause, facts=needless, why=why))

    def letter(self, winner: int | None) -> str:
        """The outcome of the first player when that side won, or nobody did.

        Raises:
            Refused: nobody won, and the ruleset has no draw.
        """
        points = {None: (0, 0), FIRST: (1, 0), SECOND: (0, 1)}[winner]
        return self.rules.compared(*points).name


def missing(
    fact: str, clause: str, text: str = WHY, code: str = "fact.missing", **about: Value
) -> Refused:
    """Refuse a game without a fact; to report it is the remedy."""
    suggestion = remedy("report.fact", fact=fact)
    return Refused(Problem(code, text, {"fact": fact, **about}, clause, (suggestion,)))


def _contradiction(text: str, clause: str, **about: Value) -> Refused:
    """Refuse a game whose facts contradict each other, or the ruleset."""
    return Refused(Problem(Refused.code, text, about, clause))


def ahead(pair: Pair) -> int | None:
    """The side that has more; None where both have the same."""
    return None if pair[0] == pair[1] else FIRST if pair[0] > pair[1] else SECOND


def other(side: int) -> int:
    """The side opposite."""
    return 1 - side


def sided(winner: int, won: int, lost: int) -> Pair:
    """The winner's number and the loser's, the first player's first."""
    return (won, lost) if winner == FIRST else (lost, won)


def as_typed(pair: Pair) -> str:
    """Both numbers as they are typed."""
    return f"{pair[0]}:{pair[1]}"


def ashes(game: Game) -> Derived:
    """Decide by who fell; the winner's blood is that of a destroyed opponent.

    Raises:
        Refused: what is missing or contradictory, and a draw in an elimination.
    """
    ending = game.ending
    reason = phrase("the match ended by {ending}", ending=ending.name)
    if ending.marks == "lost":
        game.refuse_needless(["destroyed", "active"], reason)
        loser = game.marked("lost")
    else:
        game.refuse_needless(["lost"], reason)
        loser = _fallen(game)
    wounds = game.fact("wounds")
    if loser is None:
        if ending.name == "destroyed":
            raise _nobody_fell(game)
        if game.elimination:
            text = marked("the bracket has no draws: play on until a Phoenixborn is destroyed")
            raise _contradiction(text, "AOP-BRACKET-TIME")
        return Derived(game.letter(None), fields={"blood": wounds})
    winner = other(loser)
    blood = sided(winner, game.number("destroyed"), wounds[loser])
    return Derived(game.letter(winner), fields={"blood": blood})


def ashes_2(game: Game) -> Derived:
    """Decide as `ashes`; a Phoenixborn with all its wounds needs a word on its destruction.

    Raises:
        Refused: a fact is missing or contradicts another; an elimination is drawn.
    """
    most = game.number("destroyed")
    at_time = game.ending.manner == "time"
    if at_time and most in game.fact("wounds") and not game.has("destroyed"):
        reason = phrase(
            "{count} wound: name the player whose Phoenixborn was destroyed, or destroyed=0:0",
            plural=(
                "{count} wounds: name the player whose Phoenixborn was destroyed, or destroyed=0:0"
            ),
            count=most,
        )
        raise missing("destroyed", "AOP-OUTCOME", why=reason)
    return ashes(game)


def _nobody_fell(game: Game) -> Refused:
    """Ask who was destroyed, and name the endings without that: the bracket has none."""
    fact, clause = "destroyed", "AOP-OUTCOME"
    if game.elimination:
        reason = phrase("name the player whose Phoenixborn was destroyed")
        return missing(fact, clause, why=reason)
    text = marked(
        "{fact} is missing: name the player whose Phoenixborn was destroyed; if none was, the game "
        "ended by time, or the organizer declared a draw"
    )
    remedies = remedy("report.fact", fact=fact), remedy("report.ended", ending="time")
    return Refused(problem("fact.missing", text, clause=clause, remedy=remedies, fact=fact))


def _fallen(game: Game) -> int | None:
    """The side that lost by destruction; both: the active player wins (AOP-SIMULTANEOUS)."""
    if game.ending.name == "declared draw":
        game.refuse_needless(["destroyed", "active"], phrase("a draw was declared"))
    if game.fact("destroyed") != (1, 1):
        reason = phrase("it decides only if both fell")
        game.refuse_needless(["active"], reason, "AOP-SIMULTANEOUS")
        return game.marked("destroyed")
    active = game.marked("active")
    if active is None:
        reason = phrase("both fell, so the active player wins")
        raise missing("active", "AOP-SIMULTANEOUS", why=reason)
    return other(active)


def comparison(game: Game) -> Derived:
    """Compare the main fact, then the further ones; who concedes loses whatever they show.

    A conceding player's opponent has at least the number `concession` of the main fact.

    Raises:
        Refused: a tie that the ruleset does not have, or a tiebreak without a tie.
    """
    if game.ending.manner == "concession":
        return _given_up(game)
    main = game.fact(game.declared.main)
    return _worth(game, main, _winner(game, main))


def comparison_2(game: Game) -> Derived:
    """Compare as `comparison`; a loser whom the ending marks loses as one who concedes.

    Raises:
        Refused: a tie that the ruleset does not have, or a tiebreak without a tie.
    """
    return _given_up(game) if game.ending.marks else comparison(game)


def _given_up(game: Game) -> Derived:
    declared, ending = game.declared, game.ending
    main = game.fact(declared.main)
    loser = game.one_marked(ending.marks)
    winner = other(loser)
    reason = phrase("the game ended by {ending}", ending=ending.name)
    if ending.manner == "concession":
        reason = phrase("the game was conceded")
    game.refuse_needless(declared.then, reason)
    fact = declared.labels[declared.main]
    if fact.max_for_one and main[loser] == fact.max:
        text = marked("a player with {fact} {number} has already won")
        raise _contradiction(text, fact.clause, fact=fact.name, number=fact.max)
    most = max(declared.numbers.get("concession", 0), main[winner])
    return _worth(game, sided(winner, most, main[loser]), winner)


def _winner(game: Game, main: Pair) -> int | None:
    winner = ahead(main)
    for name in game.declared.then:
        if winner is not None:
            game.refuse_needless([name], phrase("{fact} is not equal", fact=game.declared.main))
        elif not game.has(name):
            text, pair = marked("{main} is equal, {pair}: {fact} decides"), as_typed(main)
            about: dict[str, Value] = {"main": game.declared.main, "pair": pair}
            raise missing(name, "", text, "fact.tiebreak_missing", **about)
        else:
            winner = ahead(game.fact(name))
    return winner


def _worth(game: Game, main: Pair, winner: int | None) -> Derived:
    fields = {
        declared_sum.field: _sum(game, declared_sum, main, winner)
        for declared_sum in game.declared.sums
    }
    outcome = game.letter(winner)
    if winner is None or not game.declared.bands:
        return Derived(outcome, fields=fields)
    band = game.declared.band(abs(main[0] - main[1]))
    if band.outcome is not None:
        against = game.rules.outcome(band.outcome).against
        outcome = (band.outcome, against)[winner]
    return Derived(outcome, sided(winner, band.winner, band.loser), fields)


def _sum(game: Game, one: Sum, main: Pair, winner: int | None) -> Pair:
    facts = {name: game.fact(name) for name in (*one.own, *one.other)} | {game.declared.main: main}
    field = next(field for field in game.rules.fields if field.name == one.field)

    def side(index: int) -> int:
        if one.side == "winner" and index != winner:
            return 0
        total = one.base
        total += sum(weight * facts[name][index] for name, weight in one.own.items())
        total += sum(weight * facts[name][other(index)] for name, weight in one.other.items())
        return min(max(total, field.min), field.max)

    return side(0), side(1)


FIRST_COUNT = ("broken", "honor", "favor")
AFTER = ("broken-after", "honor-after")
SECOND_COUNT = (*AFTER, "favor-after")
LATER = ("passed", "conceded", "defeated", "leader", *SECOND_COUNT)


def l5r_time(game: Game) -> Derived:
    """Decide by a victory condition, by concession, or by the counts after time.

    Raises:
        Refused: what is missing or contradictory.
    """
    if game.ending.name == "time":
        return _after_time(game)
    if game.ending.name != "lost card":
        counts = [name for name in (*FIRST_COUNT, *LATER) if name != game.ending.marks]
        game.refuse_needless(counts, phrase("time was not called"), "L5R-TIME")
    return Derived(game.letter(other(game.one_marked(game.ending.marks))))


def _after_time(game: Game) -> Derived:
    count = _count(game, "")
    leading = ahead(count)
    if leading is not None and abs(count[0] - count[1]) >= game.number("lead"):
        why = phrase("{first} to {second} ends the game", first=count[0], second=count[1])
        game.refuse_needless(LATER, why, "L5R-TIME")
        return Derived(game.letter(leading))
    first = game.marked("first")
    if first is None:
        why = phrase(
            "the count is {first} to {second}: the first player must concede or pass first",
            first=count[0],
            second=count[1],
        )
        raise missing("first", "L5R-FIRST", why=why)
    if game.has("conceded"):
        return _conceded(game, first)
    if game.fact("passed") != (1, 1):
        text = marked(
            "the count is {first} to {second}: each player must concede or pass, such as passed=1:1"
        )
        raise missing("passed", "L5R-TIME", text, first=count[0], second=count[1])
    if not game.has("leader"):
        who = phrase("the official who confirmed the count")
        raise missing("leader", "L5R-TIME", why=who)
    if game.has("defeated"):
        game.refuse_needless(SECOND_COUNT, phrase("a victory condition was met"))
        return Derived(game.letter(other(game.one_marked("defeated"))))
    return _modified(game)


def _conceded(game: Game, first: int) -> Derived:
    """Each in turn from the first player: who has passed may not concede any more."""
    loser = game.one_marked("conceded")
    game.refuse_needless(["defeated", "leader", *SECOND_COUNT], phrase("the game was conceded"))
    passed = game.fact("passed")
    if passed[loser]:
        text = marked("a player who has passed can no longer concede in this round")
        raise _contradiction(text, "L5R-TIME")
    if bool(passed[other(loser)]) != (loser != first):
        text = marked("the first player must concede or pass before the other player")
        raise _contradiction(text, "L5R-TIME")
    return Derived(game.letter(other(loser)))


def _modified(game: Game) -> Derived:
    if absent := [name for name in AFTER if not game.has(name)]:
        text = marked("the second count is missing: {absent}")
        raise missing(absent[0], "L5R-TIME", text, absent=", ".join(absent))
    before, after = game.fact("broken"), game.fact("broken-after")
    if after[0] < before[0] or after[1] < before[1]:
        raise _contradiction(marked("a broken province stays broken"), "L5R-TIME")
    winner = ahead(_count(game, "-after"))
    if winner is None:
        chooser = game.marked("chooser")
        if chooser is None:
            why = phrase(
                "the second count is equal, so the player who determined the first player loses"
            )
            raise missing("chooser", "L5R-TIME", why=why)
        winner = other(chooser)
    modified = [outcome for outcome in game.rules.outcomes if outcome.record == "W"][-1]
    return Derived((modified.name, modified.against)[winner])


def _count(game: Game, suffix: str) -> Pair:
    broken = game.fact(f"broken{suffix}")
    leading = ahead(game.fact(f"honor{suffix}"))
    favored = game.marked(f"favor{suffix}")

    def side(index: int) -> int:
        provinces = game.number("province") * broken[other(index)]
        return (
            min(provinces, game.number("provinces-max"))
            + (game.number("honor") if leading == index else 0)
            + (game.number("favor") if favored == index else 0)
        )

    return side(0), side(1)


def legion(game: Game) -> Derived:
    """Decide by defeat, by tokens, by score and by colour, as far as the ending asks.

    Raises:
        Refused: what is missing or contradictory.
    """
    ending = game.ending
    needless = {"defeated", "conceded"} - {ending.marks}
    game.refuse_needless(sorted(needless), phrase("the game ended by {ending}", ending=ending.name))
    if ending.marks:
        loser = game.one_marked(ending.marks)
        if ending.marks == "defeated":
            _check_score(game, other(loser))
            _check_survivor(game, loser, "mutual destruction")
        return Derived(game.letter(other(loser)))
    if ending.name == "mutual destruction":
        _check_score(game, FIRST)
        _check_score(game, SECOND)
        return Derived(game.letter(_first_ahead(game, ("tokens", "blue"))))
    for side in (FIRST, SECOND):
        _check_survivor(game, side, "defeated")
    return Derived(game.letter(_first_ahead(game, ("tokens", "score", "blue"))))


def _first_ahead(game: Game, names: tuple[str, ...]) -> int:
    text, equal, number = marked("{fact} decides, but is missing"), "", 0
    for name in names:
        if not game.has(name):
            if equal:
                text = marked("{equal} is equal, {number} each: {fact} decides, but is missing")
            raise missing(name, "SWL-OUTCOME", text, equal=equal, number=number)
        winner = ahead(game.fact(name))
        if winner is not None:
            return winner
        equal, number = name, game.fact(name)[0]
    raise _contradiction(marked("neither player is ahead"), "SWL-OUTCOME")


def _check_score(game: Game, winner: int) -> None:
    """All units defeated count the whole army (SWL-GAMESCORE)."""
    whole, score = game.number("defeated"), game.fact("score")[winner]
    if game.has("score") and score != whole:
        text = marked("defeating all units must count {whole}, not {score}")
        raise _contradiction(text, "SWL-GAMESCORE", whole=whole, score=score)


def _check_survivor(game: Game, side: int, ending: str) -> None:
    """Who has the points of a whole army has left the enemy no unit: another ending."""
    whole = game.number("defeated")
    if game.fact("score")[side] == whole:
        text = marked("{whole} means all units were defeated: the ending must be {ending}")
        raise _contradiction(text, "SWL-OUTCOME", whole=whole, ending=ending)


MUTUAL = "mutual destruction"


def runewars(game: Game) -> Derived:
    """Decide by destruction, by score or by the flurry; points by the margin's band.

    Raises:
        Refused: what is missing or contradictory.
    """
    if game.ending.marks == "conceded":
        return _concession(game)
    game.refuse_needless(["conceded"], phrase("no player conceded"))
    if game.ending.name == "destroyed":
        loser = game.one_marked("destroyed")
        scores = _scores(game, wiped_out=(loser,))
        reason = phrase("one player's army was destroyed")
        game.refuse_needless([*_rolls(game), "melee"], reason)
        winner = other(loser)
        return _won(game, winner, scores[winner] - scores[loser])
    reason = phrase("the game ended by {ending}", ending=game.ending.name)
    game.refuse_needless(["destroyed"], reason)
    mutual = game.ending.name == MUTUAL
    scores = _scores(game, wiped_out=(0, 1) if mutual else ())
    leading = ahead(scores)
    if leading is None:
        leading = _flurry(game, scores)
    else:
        reason = phrase("the scores are not equal")
        game.refuse_needless([*_rolls(game), "melee"], reason, "RW-FLURRY")
    return _won(game, leading, 0 if mutual else abs(scores[0] - scores[1]))


def _won(game: Game, winner: int, margin: int) -> Derived:
    capped = min(max(margin, 0), game.number("margin-max"))
    band = game.declared.band(capped)
    points = sided(winner, band.winner, band.loser)
    return Derived(game.letter(winner), points, {"mov": sided(winner, capped, 0)})


def _concession(game: Game) -> Derived:
    """Count a concession (RW-CONCEDE): by its reading all units of the loser are destroyed."""
    loser = game.one_marked("conceded")
    reason = phrase("the game was conceded")
    game.refuse_needless([*_rolls(game), "melee", "destroyed"], reason)
    reason = phrase("a concession counts army and objectives")
    game.refuse_needless(["score"], reason, "RW-CONCEDE")
    winner = other(loser)
    army = list(_army(game) or (0, 0))
    if game.number("concession-destroys"):
        army[winner] = game.number("destroyed")
    objectives = game.fact("objectives")
    margin = army[winner] + objectives[winner] - army[loser] - objectives[loser]
    capped, least = min(margin, game.number("margin-max")), game.number("concession-margin")
    points = game.number("concession-points")
    if capped >= least:
        points = game.declared.band(capped).winner
    mov = sided(winner, max(capped, least), 0)
    return Derived(game.letter(winner), sided(winner, points, 0), {"mov": mov})


def _scores(game: Game, wiped_out: tuple[int, ...]) -> Pair:
    """Both scores; the opponent of a side that is wiped out has the full army's points."""
    whole = game.number("destroyed")
    army = _army(game)
    reported = game.facts.get("score")
    if army is None and reported is None and set(wiped_out) == {0, 1}:
        army = (whole, whole)
    if army is None:
        return _reported_scores(game, wiped_out)
    for side in (0, 1):
        if side in wiped_out and army[other(side)] != whole:
            text = marked("destroying all units must count {whole}, not {army}")
            raise _contradiction(text, "RW-GAMESCORE", whole=whole, army=army[other(side)])
        if side not in wiped_out and army[other(side)] == whole:
            ended = MUTUAL if wiped_out else "destroyed"
            text = marked("army {whole} means all units destroyed: the ending must be {ending}")
            raise _contradiction(text, "RW-OUTCOME", whole=whole, ending=ended)
    objectives = game.fact("objectives")
    scores = (army[0] + objectives[0], army[1] + objectives[1])
    if reported not in {None, scores}:
        text = marked("army and objectives give {scores}, not the reported score")
        raise _contradiction(text, "RW-GAMESCORE", scores=as_typed(scores))
    return scores


def _reported_scores(game: Game, wiped_out: tuple[int, ...]) -> Pair:
    scores = game.facts.get("score")
    if scores is None or game.has("objectives"):
        text = marked("report the score, or army and objectives")
        raise missing("score", "RW-GAMESCORE", text)
    whole = game.number("destroyed")
    for side in wiped_out:
        if scores[other(side)] < whole:
            text = marked("destroying all units must count at least {whole}")
            raise _contradiction(text, "RW-GAMESCORE", whole=whole)
    return scores


def _army(game: Game) -> Pair | None:
    """The enemy's army points that each side destroyed, as far as reported."""
    army = game.facts.get("army")
    if game.has("total") != game.has("remaining"):
        text = marked("total and remaining must be reported together")
        raise _contradiction(text, "RW-GAMESCORE")
    if not game.has("total"):
        return army
    total, remaining = game.fact("total"), game.fact("remaining")
    if remaining[0] > total[0] or remaining[1] > total[1]:
        raise _contradiction(marked("remaining cannot be more than total"), "RW-GAMESCORE")
    whole = game.number("destroyed")
    second, first = (
        whole if left == 0 else of - left for of, left in zip(total, remaining, strict=True)
    )
    if army not in {None, (first, second)}:
        text = marked("total and remaining give army {army}, not the reported army")
        raise _contradiction(text, "RW-GAMESCORE", army=as_typed((first, second)))
    return first, second


def _rolls(game: Game) -> list[str]:
    flurry = next(fact for fact in game.declared.facts if fact.name == "flurry")
    return [label for label in flurry.names() if label in game.facts]


def _flurry(game: Game, scores: Pair) -> int:
    """The side that the last roll favours; every roll before it was equal."""
    rolls = _rolls(game)
    if rolls != [f"flurry-{number}" for number in range(1, len(rolls) + 1)]:
        text = marked("report all rolls of the final flurry, without a gap")
        raise _contradiction(text, "RW-FLURRY")
    winners = [ahead(game.fact(roll)) for roll in rolls]
    if not rolls or winners[-1] is None:
        roll, code = f"flurry-{len(rolls) + 1}", "fact.tiebreak_missing"
        text, shown = marked("equal scores, {scores}: {what}"), as_typed(scores)
        what = phrase("roll again") if rolls else phrase("report the hits of the final flurry")
        raise missing(roll, "RW-FLURRY", text, code, scores=shown, what=what)
    if any(winner is not None for winner in winners[:-1]):
        text = marked("the final flurry ends with the first roll that is not equal")
        raise _contradiction(text, "RW-FLURRY")
    return winners[-1]


PROCEDURES: dict[str, Callable[[Game], Derived] | None] = {
    "outcome@1": None,
    "comparison@1": comparison,
    "comparison@2": comparison_2,
    "runewars@1": runewars,
    "ashes@1": ashes,
    "ashes@2": ashes_2,
    "legion@1": legion,
    "l5r-time@1": l5r_time,
}
"""Every procedure by the name that a ruleset gives it; None where the outcome itself is typed."""


def derive(
    rules: Ruleset, ending: str, facts: Mapping[str, Pair], *, elimination: bool = False
) -> Result:
    """Return the result of a game from how it ended and its facts; "" is the usual ending.

    Raises:
        Refused: everything that is missing or contradictory, each with its clause.
    """
    declared = rules.derives
    procedure = PROCEDURES[declared.name] if declared else None
    if declared is None or procedure is None:
        text = marked("results of {game} are an outcome or points, not facts")
        raise _contradiction(text, "", game=rules.key)
    ended = declared.ending(ending)
    if ended is None:
        hint = nearest(ending, [known_ending.name for known_ending in declared.endings])
        text, name = marked("{game} has no ending {ending}; {known}"), f"{ending!r}"
        raise _contradiction(text, "", game=rules.key, ending=name, known=hint)
    wrong, absent = list(_fact_problems(declared, facts)), list(_missing(declared, ended, facts))
    if wrong or absent:
        raise Refused(*wrong, *absent)
    ordered = {label: facts[label] for label in declared.labels if label in facts}
    answer = procedure(Game(rules, declared, ended, ordered, elimination))
    return _result(rules, ended, ordered, answer)


def _result(rules: Ruleset, ended: Ending, facts: dict[str, Pair], answer: Derived) -> Result:
    first = rules.outcome(answer.outcome)
    points = rules.points(first) if answer.points is None else answer.points
    fields = {label: pair for label, pair in answer.fields.items() if any(pair)}
    for column in rules.fields:
        for value in fields.get(column.name, ()):
            if not column.min <= value <= column.max:
                text = marked("{column} would be {value}, and must be {min} to {max}")
                held, name = {"min": column.min, "max": column.max}, column.name
                raise _contradiction(text, column.clause, column=name, value=value, **held)
    outcomes = (first.name, first.against)
    return Result(outcomes, points, ended.manner, fields, ended.name, facts)


def _missing(declared: Procedure, ended: Ending, facts: Mapping[str, Pair]) -> Iterator[Problem]:
    by_name = {fact.name: fact for fact in declared.facts}
    for name in filter(None, (*ended.needs, ended.marks)):
        fact = by_name[name]
        if not any(label in facts for label in fact.names()):
            remedies: tuple[Remedy, ...] = (remedy("report.fact", fact=name),)
            if name == ended.marks:
                remedies = remedy("report.winner"), *remedies, remedy("report.ended")
            about: dict[str, Value] = {"ending": ended.name, "fact": name}
            about["meaning"] = of_file(fact.meaning)
            text = marked("{ending}: the fact {fact} is missing: {meaning}")
            yield Problem("fact.missing", text, about, fact.clause, remedies)


def _fact_problems(declared: Procedure, facts: Mapping[str, Pair]) -> Iterator[Problem]:
    for label, pair in facts.items():
        fact = declared.labels.get(label)
        if fact is None:
            known = nearest(label, declared.labels)
            text = marked("there is no fact {fact}; {known}")
            yield Problem(Refused.code, text, {"fact": f"{label!r}", "known": known})
        elif wrong := _wrong(fact, pair):
            held: dict[str, Value] = {"min": fact.min, "max": fact.max}
            about = {"fact": label, "pair": as_typed(pair), **held}
            yield Problem(Refused.code, wrong, about, fact.clause)


def _wrong(fact: Fact, pair: Pair) -> str:
    """Say what a fact has to be where it is not; empty where it is."""
    if not all(fact.min <= value <= fact.max for value in pair):
        return marked("{fact} must be from {min} to {max}, not {pair}")
    if fact.sides == "one" and sorted(pair) != [0, 1]:
        return marked("{fact} must belong to one side, 1:0 or 0:1, not {pair}")
    if fact.sides == "most-one" and all(pair):
        return marked("{fact} can belong to at most one side, not {pair}")
    if fact.sides == "shared" and pair[0] != pair[1]:
        return marked("{fact} must be the same number for both sides, not {pair}")
    if fact.max_for_one and pair == (fact.max, fact.max):
        return marked("{fact} can be {max} for at most one side, not {pair}")
    return ""

"""runewars@1: scores of armies and objectives, the margin of victory, the final flurry.

score      army points of the enemy destroyed + objective points (RW-GAMESCORE); reported as one
           number, or by `army`, or by the enemy's `total` less what `remaining` it has
margin     the winner's score less the loser's, held to the range (RW-MOV)
equal      the flurry's rolls decide, each one recorded (RW-FLURRY)
"""

from __future__ import annotations

from ledger.errors import Refused
from ledger.procedures.game import Derived, Game, Pair, ahead, as_typed, missing, other, sided

MUTUAL = "mutual destruction"


def runewars(game: Game) -> Derived:
    """Decide by destruction, by score or by the flurry; points by the margin's band.

    Raises:
        Refused: what is missing or contradictory.
    """
    if game.ending.marks == "conceded":
        return _conceded(game)
    game.refuse_needless(["conceded"], "nobody conceded")
    if game.ending.name == "destroyed":
        loser = game.one_marked("destroyed")
        scores = _scores(game, wiped_out=(loser,))
        game.refuse_needless([*_rolls(game), "melee"], "one player was destroyed")
        winner = other(loser)
        return _won(game, winner, scores[winner] - scores[loser])
    game.refuse_needless(["destroyed"], f"the game ended by {game.ending.name}")
    mutual = game.ending.name == MUTUAL
    scores = _scores(game, wiped_out=(0, 1) if mutual else ())
    leading = ahead(scores)
    if leading is None:
        leading = _flurry(game, scores)
    else:
        game.refuse_needless([*_rolls(game), "melee"], "the scores are not equal", "RW-FLURRY")
    return _won(game, leading, 0 if mutual else abs(scores[0] - scores[1]))


def _won(game: Game, winner: int, margin: int) -> Derived:
    capped = min(max(margin, 0), game.number("margin-max"))
    band = game.declared.band(capped)
    points = sided(winner, band.winner, band.loser)
    return Derived(game.letter(winner), points, {"mov": sided(winner, capped, 0)})


def _conceded(game: Game) -> Derived:
    """Count a concession (RW-CONCEDE): by its reading all units of the loser are destroyed."""
    loser = game.one_marked("conceded")
    game.refuse_needless([*_rolls(game), "melee", "destroyed"], "the game was conceded")
    game.refuse_needless(["score"], "a concession counts army and objectives", "RW-CONCEDE")
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
            held = army[other(side)]
            raise Refused(f"all units destroyed count {whole}, not {held} (RW-GAMESCORE)")
        if side not in wiped_out and army[other(side)] == whole:
            ended = MUTUAL if wiped_out else "destroyed"
            raise Refused(f"army {whole} is all units: the game ended by {ended} (RW-OUTCOME)")
    objectives = game.fact("objectives")
    scores = (army[0] + objectives[0], army[1] + objectives[1])
    if reported not in {None, scores}:
        made = f"army and objectives make {as_typed(scores)}"
        raise Refused(f"{made}, not the score reported (RW-GAMESCORE)")
    return scores


def _reported_scores(game: Game, wiped_out: tuple[int, ...]) -> Pair:
    scores = game.facts.get("score")
    if scores is None or game.has("objectives"):
        raise missing("score", "RW-GAMESCORE", "report the score, or army and objectives")
    whole = game.number("destroyed")
    for side in wiped_out:
        if scores[other(side)] < whole:
            raise Refused(f"all units destroyed count {whole} at least (RW-GAMESCORE)")
    return scores


def _army(game: Game) -> Pair | None:
    """The enemy's army points that each side destroyed, as far as reported."""
    army = game.facts.get("army")
    if game.has("total") != game.has("remaining"):
        raise Refused("total and remaining are reported together (RW-GAMESCORE)")
    if not game.has("total"):
        return army
    total, remaining = game.fact("total"), game.fact("remaining")
    if remaining[0] > total[0] or remaining[1] > total[1]:
        raise Refused("more army points remain than there were (RW-GAMESCORE)")
    whole = game.number("destroyed")
    second, first = (
        whole if left == 0 else of - left for of, left in zip(total, remaining, strict=True)
    )
    if army not in {None, (first, second)}:
        raise Refused(f"total and remaining make army {first}:{second} (RW-GAMESCORE)")
    return first, second


def _rolls(game: Game) -> list[str]:
    flurry = next(fact for fact in game.declared.facts if fact.name == "flurry")
    return [label for label in flurry.names() if label in game.facts]


def _flurry(game: Game, scores: Pair) -> int:
    """The side that the last roll favours; every roll before it was equal."""
    rolls = _rolls(game)
    if rolls != [f"flurry-{number}" for number in range(1, len(rolls) + 1)]:
        raise Refused("report the rolls of the final flurry without a gap (RW-FLURRY)")
    winners = [ahead(game.fact(roll)) for roll in rolls]
    if not rolls or winners[-1] is None:
        roll, code = f"flurry-{len(rolls) + 1}", "fact.tiebreak_missing"
        text, shown = "equal scores, {scores}: {what}", as_typed(scores)
        what = "roll again" if rolls else "report the hits of the final flurry"
        raise missing(roll, "RW-FLURRY", text, code, scores=shown, what=what)
    if any(winner is not None for winner in winners[:-1]):
        raise Refused("the final flurry ends with the first roll that is not equal (RW-FLURRY)")
    return winners[-1]

"""runewars@1: scores of armies and objectives, the margin of victory, the final flurry.

score      army points of the enemy destroyed + objective points (RW-GAMESCORE); told as one
           number, or by `army`, or by the enemy's `total` less what `remaining` it has
margin     the winner's score less the loser's, held to the range (RW-MOV)
equal      the flurry's rolls decide, each one recorded (RW-FLURRY)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.procedures.game import FIRST, SECOND, Derived, ahead, other, sided

if TYPE_CHECKING:
    from ledger.procedures.game import Game, Pair

MUTUAL = "mutual destruction"


def runewars(game: Game) -> Derived:
    """Decide by destruction, by score or by the flurry; points by the margin's band.

    Raises:
        Refused: what is missing or contradictory.
    """
    if game.ending.manner == "concession":
        return _conceded(game)
    game.refuse_needless(["conceded"], "nobody conceded")
    if game.ending.name == "destroyed":
        loser = game.marked("destroyed")
        assert loser is not None  # noqa: S101 - the ending needs the mark
        scores = _scores(game, wiped_out=(loser,))
        game.refuse_needless([*_rolls(game), "melee"], "one player was destroyed")
        winner = other(loser)
        margin = scores[winner] - scores[loser]
        return _won(game, winner, margin)
    game.refuse_needless(["destroyed"], f"the game ended by {game.ending.name}")
    mutual = game.ending.name == MUTUAL
    scores = _scores(game, wiped_out=(0, 1) if mutual else ())
    leading = ahead(scores)
    if leading is None:
        leading = _flurry(game, scores)
    else:
        game.refuse_needless([*_rolls(game), "melee"], "the scores are not equal (RW-FLURRY)")
    return _won(game, leading, 0 if mutual else abs(scores[0] - scores[1]))


def _won(game: Game, winner: int, margin: int) -> Derived:
    held = min(max(margin, 0), game.number("margin-max"))
    band = game.declared.band(held)
    points = sided(winner, band.winner, band.loser)
    return Derived(game.letter(winner), points, {"mov": sided(winner, held, 0)})


def _conceded(game: Game) -> Derived:
    """RW-CONCEDE; by its reading all units of who concedes count as destroyed."""
    loser = game.marked("conceded")
    assert loser is not None  # noqa: S101 - the ending needs the mark
    game.refuse_needless([*_rolls(game), "melee", "destroyed"], "the game was conceded")
    game.refuse_needless(["score"], "a concession is counted by army and objectives (RW-CONCEDE)")
    winner = other(loser)
    army = list(_army(game) or (0, 0))
    if game.number("concession-destroys"):
        army[winner] = game.number("destroyed")
    objectives = game.fact("objectives")
    margin = army[winner] + objectives[winner] - army[loser] - objectives[loser]
    held = min(margin, game.number("margin-max"))
    least = game.number("concession-margin")
    points = game.declared.band(held).winner if held >= least else None
    return Derived(
        game.letter(winner),
        sided(winner, game.number("concession-points") if points is None else points, 0),
        {"mov": sided(winner, max(held, least), 0)},
    )


def _scores(game: Game, wiped_out: tuple[int, ...]) -> Pair:
    """Both scores; the opponent of a side that is wiped out has the full army's points."""
    whole = game.number("destroyed")
    army = _army(game)
    told = game.facts.get("score")
    if army is None and told is None and len(wiped_out) == len((FIRST, SECOND)):
        army = (whole, whole)
    if army is None:
        return _told_scores(game, wiped_out)
    for side in (FIRST, SECOND):
        if side in wiped_out and army[other(side)] != whole:
            raise Refused(
                f"all units destroyed count {whole}, not {army[other(side)]} (RW-GAMESCORE)"
            )
        if side not in wiped_out and army[other(side)] == whole:
            ended = MUTUAL if wiped_out else "destroyed"
            raise Refused(f"army {whole} is all units: the game ended by {ended} (RW-OUTCOME)")
    objectives = game.fact("objectives")
    scores = (army[0] + objectives[0], army[1] + objectives[1])
    if told not in {None, scores}:
        raise Refused(
            f"army and objectives make {scores[0]}:{scores[1]}, not the score told (RW-GAMESCORE)"
        )
    return scores


def _told_scores(game: Game, wiped_out: tuple[int, ...]) -> Pair:
    told = game.facts.get("score")
    if told is None or game.has("objectives"):
        raise Refused("tell the score, or army and objectives (RW-GAMESCORE)")
    whole = game.number("destroyed")
    for side in wiped_out:
        if told[other(side)] < whole:
            raise Refused(f"all units destroyed count {whole} at least (RW-GAMESCORE)")
    return told


def _army(game: Game) -> Pair | None:
    """The enemy's army points that each side destroyed, as far as told."""
    told = game.facts.get("army")
    if game.has("total") != game.has("remaining"):
        raise Refused("total and remaining are told together (RW-GAMESCORE)")
    if not game.has("total"):
        return told
    total, remaining = game.fact("total"), game.fact("remaining")
    if remaining[0] > total[0] or remaining[1] > total[1]:
        raise Refused("more army points remain than there were (RW-GAMESCORE)")
    whole = game.number("destroyed")
    counted = tuple(
        whole if remaining[enemy] == 0 else total[enemy] - remaining[enemy] for enemy in (1, 0)
    )
    found = (counted[0], counted[1])
    if told not in {None, found}:
        raise Refused(f"total and remaining make army {found[0]}:{found[1]} (RW-GAMESCORE)")
    return found


def _rolls(game: Game) -> list[str]:
    flurry = next(fact for fact in game.declared.facts if fact.name == "flurry")
    return [label for label in flurry.names() if label in game.facts]


def _flurry(game: Game, scores: Pair) -> int:
    """The side that the last roll favours; every roll before it was equal."""
    rolls = _rolls(game)
    if rolls != [f"flurry-{number}" for number in range(1, len(rolls) + 1)]:
        raise Refused("the rolls of the final flurry are told without a gap (RW-FLURRY)")
    winners = [ahead(game.fact(roll)) for roll in rolls]
    if not rolls or winners[-1] is None:
        again = "roll again" if rolls else "tell the hits of the final flurry, as flurry-1=4:3"
        raise Refused(f"equal scores, {scores[0]}:{scores[1]}: {again} (RW-FLURRY)")
    if any(winner is not None for winner in winners[:-1]):
        raise Refused("the final flurry ends with the first roll that is not equal (RW-FLURRY)")
    return winners[-1]

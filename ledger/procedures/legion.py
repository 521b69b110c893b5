"""legion@1: victory tokens, then the score, then the blue player (SWL-OUTCOME)."""

from __future__ import annotations

from ledger.errors import Refused
from ledger.procedures.game import FIRST, SECOND, Derived, Game, ahead, missing, other


def legion(game: Game) -> Derived:
    """Decide by defeat, by tokens, by score and by colour, as far as the ending asks.

    Raises:
        Refused: what is missing or contradictory.
    """
    ending = game.ending
    needless = {"defeated", "conceded"} - {ending.marks}
    game.refuse_needless(sorted(needless), f"the game ended by {ending.name}")
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
    equal = ""
    for name in names:
        if not game.has(name):
            text = "{equal}{fact} decides, and is missing"
            raise missing(name, "SWL-OUTCOME", text, equal=equal)
        winner = ahead(game.fact(name))
        if winner is not None:
            return winner
        equal = f"{name} is equal, {game.fact(name)[0]} each: "
    raise Refused("neither player is ahead (SWL-OUTCOME)")


def _check_score(game: Game, winner: int) -> None:
    """All units defeated count the whole army (SWL-GAMESCORE)."""
    whole, score = game.number("defeated"), game.fact("score")[winner]
    if game.has("score") and score != whole:
        raise Refused(f"all units defeated count {whole}, not {score} (SWL-GAMESCORE)")


def _check_survivor(game: Game, side: int, ending: str) -> None:
    """Who has the points of a whole army has left the enemy no unit: another ending."""
    whole = game.number("defeated")
    if game.fact("score")[side] == whole:
        raise Refused(f"{whole} are all units defeated: the game ended by {ending} (SWL-OUTCOME)")

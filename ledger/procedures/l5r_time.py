"""l5r-time@1: what is counted when time is called, who may concede then, and the second count.

count     points for the opponent's broken provinces, for more honor, for the favor
far ahead a full win at once; else each in turn from the first player concedes or passes
passed    a leader confirms, the regroup phase is played, and it is counted again: a modified
          win; equal: against the one who determined the first player (L5R-TIME, L5R-FIRST)
"""

from __future__ import annotations

from ledger.errors import Refused
from ledger.procedures.game import Derived, Game, Pair, ahead, missing, other

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
        game.refuse_needless(counts, "time was not called", "L5R-TIME")
    return Derived(game.letter(other(game.one_marked(game.ending.marks))))


def _after_time(game: Game) -> Derived:
    count = _count(game, "")
    leading = ahead(count)
    if leading is not None and abs(count[0] - count[1]) >= game.number("lead"):
        game.refuse_needless(LATER, f"{count[0]} to {count[1]} ends the game", "L5R-TIME")
        return Derived(game.letter(leading))
    first = game.marked("first")
    if first is None:
        why = f"the count is {count[0]} to {count[1]}, and who was first concedes or passes first"
        raise missing("first", "L5R-FIRST", why=why)
    if game.has("conceded"):
        return _conceded(game, first)
    if game.fact("passed") != (1, 1):
        text = "{first} to {second}: each player concedes or passes, as passed=1:1"
        raise missing("passed", "L5R-TIME", text, first=count[0], second=count[1])
    if not game.has("leader"):
        raise missing("leader", "L5R-TIME", why="the official who confirmed the count")
    if game.has("defeated"):
        game.refuse_needless(SECOND_COUNT, "a victory condition was met")
        return Derived(game.letter(other(game.one_marked("defeated"))))
    return _modified(game)


def _conceded(game: Game, first: int) -> Derived:
    """Each in turn from the first player: who has passed may not concede any more."""
    loser = game.one_marked("conceded")
    game.refuse_needless(["defeated", "leader", *SECOND_COUNT], "the game was conceded")
    passed = game.fact("passed")
    if passed[loser]:
        raise Refused("who has passed may not concede any more this round (L5R-TIME)")
    if bool(passed[other(loser)]) != (loser != first):
        raise Refused("the first player concedes or passes before the other (L5R-TIME)")
    return Derived(game.letter(other(loser)))


def _modified(game: Game) -> Derived:
    if absent := [name for name in AFTER if not game.has(name)]:
        text = "{absent}: the second count is missing"
        raise missing(absent[0], "L5R-TIME", text, absent=", ".join(absent))
    before, after = game.fact("broken"), game.fact("broken-after")
    if after[0] < before[0] or after[1] < before[1]:
        raise Refused("a broken province stays broken (L5R-TIME)")
    winner = ahead(_count(game, "-after"))
    if winner is None:
        chooser = game.marked("chooser")
        if chooser is None:
            why = "the second count is equal, and who determined the first player loses"
            raise missing("chooser", "L5R-TIME", why=why)
        winner = other(chooser)
    modified = [one for one in game.rules.outcomes if one.record == "W"][-1]
    return Derived((modified.name, modified.against)[winner])


def _count(game: Game, suffix: str) -> Pair:
    broken = game.fact(f"broken{suffix}")
    leading = ahead(game.fact(f"honor{suffix}"))
    favored = game.marked(f"favor{suffix}")

    def side(own: int) -> int:
        provinces = game.number("province") * broken[other(own)]
        return (
            min(provinces, game.number("provinces-max"))
            + (game.number("honor") if leading == own else 0)
            + (game.number("favor") if favored == own else 0)
        )

    return side(0), side(1)

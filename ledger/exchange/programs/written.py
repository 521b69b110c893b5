"""What the writers of other programs' files share: rows of the standings, marks of a round."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.exchange.programs.building import STONES
from ledger.tournament.scoring import UNPLAYED

if TYPE_CHECKING:
    from ledger.tournament.state import Match, Round, Tournament


FIRST, SECOND = 0, 1


class WrittenRow(Struct, frozen=True):
    """A row of the standings that goes into a file."""

    rank: int
    player: int
    points: int
    tiebreakers: dict[str, Fraction]


class Mark(Struct, frozen=True):
    """What a Swiss round was to a player: whom they met, in which seat, and how it ended.

    `kind` is `win`, `loss`, `draw`, `came`, `absent`, `open`; without an opponent `bye`, `full`,
    `half` or `zero`.
    """

    other: int
    seat: int
    kind: str
    stones: int = 0
    """Of the handicap, that White gave."""


def swiss_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that are played for points."""
    return [each for each in tournament.rounds if tournament.stages[each.stage - 1].is_swiss]


def marks_of(tournament: Tournament, round_: Round) -> dict[int, Mark]:
    """Return everybody's mark of a round; who was not paired has none."""
    found: dict[int, Mark] = {}
    for match in round_.matches:
        if match.is_bye:
            for player in match.players:
                found[player] = Mark(0, FIRST, _bye(tournament, match))
            continue
        kinds = _kinds(tournament, match)
        given = match.result.fields.get(STONES[0], (0, 0)) if match.result else (0, 0)
        found[match.first] = Mark(match.second, FIRST, kinds[0], max(given))
        found[match.second] = Mark(match.first, SECOND, kinds[1], max(given))
    return found


def _kinds(tournament: Tournament, match: Match) -> tuple[str, str]:
    if match.result is None:
        return "open", "open"
    letters = [tournament.ruleset.records[each] for each in match.result.outcomes]
    if match.result.manner in UNPLAYED:
        first, second = ("came" if letter == "W" else "absent" for letter in letters)
        return first, second
    names = {"W": "win", "L": "loss", "D": "draw"}
    return names.get(letters[0], "open"), names.get(letters[1], "open")


def _bye(tournament: Tournament, match: Match) -> str:
    rules = tournament.ruleset
    if not match.named:
        return "bye"
    win, own = rules.full_win.points or 0, rules.worth_of_bye(match.named).points
    return "full" if own >= win else "half" if own else "zero"

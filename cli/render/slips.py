"""Match slips for a printer: what a table signs, and nobody's slip cut in two.

The printed stack is cut across as a whole, and the piles are laid on one another, the top pile
first: then the slips are in the order of the tables. So the slip `k` (from 0) of page `p` (from 1)
belongs to table `p + k * pages`, counted among the matches that are played.

A slip is printed before its match has a result, so it has no receipt's code on it: `receipt
--slips` prints slips that have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.find_people import name_of
from cli.render.pages import LINES, WIDTH, heading_of
from cli.terminal.visible import cells, shortened, visible
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset

NAME_CELLS = 30
BOX_CELLS = 38
CUT_HERE = "- " * (WIDTH // 2 - 1) + "-"


def slip_pages(tournament: Tournament, played: Round) -> list[list[str]]:
    """Lay out a slip for every match that is played."""
    slips = [_slip(tournament, played, match) for match in played.matches if not match.is_bye]
    if not slips:
        return []
    count = -(-len(slips) // (LINES // len(slips[0])))
    return [[line for slip in slips[page::count] for line in slip] for page in range(count)]


def _slip(tournament: Tournament, played: Round, match: Match) -> list[str]:
    names = [shortened(visible(name_of(tournament, each)), NAME_CELLS) for each in match.players]
    leaving = [f"[ ] {shortened(name, (WIDTH - 30) // len(names))}" for name in names]
    boxes = _boxes(tournament.ruleset)
    lines = [f"TABLE {match.table}", heading_of(tournament, played), ""]
    for player, name in zip(match.players, names, strict=True):
        lines += [f"{player:>5}  {_padded(name, NAME_CELLS)} {boxes}", ""]
    return [
        *lines,
        f"leaves the event:  {'   '.join(leaving)}",
        "",
        "start ________   end ________   judge ________",
        "",
        "",
        "________________________________    ________________________________",
        f"{_padded(names[0], NAME_CELLS + 6)}{names[1]}",
        CUT_HERE,
    ]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _boxes(rules: Ruleset) -> str:
    if rules.scoring.kind == "reported":
        return f"points ______ ({rules.scoring.points_min} to {rules.scoring.points_max})"
    declared = rules.derives
    if declared is not None and declared.main:
        facts = [name for name in (declared.main, declared.third) if name]
        return shortened("  ".join(f"{name} ______" for name in facts), BOX_CELLS)
    won = [outcome.name for outcome in rules.outcomes if outcome.record != "L"]
    return shortened("  ".join(f"[ ] {name}" for name in won), BOX_CELLS)

"""Match slips for a printer: what a table signs, and nobody's slip cut in two.

The printed stack is cut across as a whole, and the piles are laid on one another, the top pile
first: then the slips are in the order of the tables. So the slip `k` (from 0) of page `p` (from 1)
belongs to table `p + k * pages`, counted among the matches that are played.

A slip is printed before its match has a result, so it has no receipt's code on it: `receipt
--slips` prints slips that have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cli.input.find_people import name_of
from cli.render.pages import LINES, WIDTH, heading_of
from cli.terminal.visible import cells, shortened, visible
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from cli.heads.posted_words import PostedWords
    from ledger.rulesets import Ruleset

Slip = TypeVar("Slip")

NAME_CELLS = 30
BOX_CELLS = 38
CUT_HERE = "- " * (WIDTH // 2 - 1) + "-"


class Blank(NamedTuple):
    """What a slip leaves to be filled in by hand: a box to tick, or a line to write on."""

    name: str
    is_box: bool = False
    range: str = ""


def slip_pages(
    tournament: Tournament, played: Round, words: PostedWords | None = None
) -> list[list[str]]:
    """Lay out a slip for every match that is played, with the six words of the latest posting."""
    shown = f"event {words.size}: {words.text}" if words else ""
    slips = [
        _slip(tournament, played, match, shown) for match in played.matches if not match.is_bye
    ]
    if not slips:
        return []
    pages = in_piles(slips, LINES // len(slips[0]))
    return [[line for slip in page for line in slip] for page in pages]


def in_piles(slips: Sequence[Slip], each_page: int) -> list[Sequence[Slip]]:
    """Share slips out among pages, so that the piles of the cut stack are in the tables' order."""
    count = -(-len(slips) // each_page)
    return [slips[page::count] for page in range(count)]


def _slip(tournament: Tournament, played: Round, match: Match, words: str) -> list[str]:
    names = [shortened(visible(name_of(tournament, each)), NAME_CELLS) for each in match.players]
    leaving = [f"[ ] {shortened(name, (WIDTH - 30) // len(names))}" for name in names]
    boxes = _boxes(tournament.ruleset)
    place = f"TABLE {match.table}"
    gap = " " * max(2, WIDTH - cells(place) - cells(words))
    lines = [f"{place}{gap}{words}".rstrip(), heading_of(tournament, played), ""]
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
    texts = (
        f"[ ] {each.name}" if each.is_box else f"{each.name} ______ {each.range}".rstrip()
        for each in blanks(rules)
    )
    return shortened("  ".join(texts), BOX_CELLS)


def blanks(rules: Ruleset) -> list[Blank]:
    """Return what each side of a table fills in, as the ruleset asks for results."""
    if rules.scoring.kind == "reported":
        return [
            Blank("points", range=f"({rules.scoring.points_min} to {rules.scoring.points_max})")
        ]
    declared = rules.derives
    if declared is not None and declared.main:
        return [Blank(name) for name in (declared.main, declared.third) if name]
    return [Blank(each.name, is_box=True) for each in rules.outcomes if each.record != "L"]

"""Help: the overview of all verbs, and the text of one."""

from __future__ import annotations

from cli.exits import EXITS
from cli.terminal.output import show
from cli.terminal.tables import WIDTH, broken
from cli.terminal.visible import shortened
from cli.verbs import VERBS, acts_of

VERB_CELLS = 13
CODE_CELLS = 16

HEAD = """\
tourney keeps a tournament as a log in which nothing is ever overwritten.

  tourney new "Kotei Berlin" --ruleset l5r      tourney report 7 ann
  tourney register "Ann Lee"                    tourney standings
  tourney start advanced                        tourney cut
  tourney pair                                  tourney finish
"""

OPTIONS = """\
Before or after any verb:
  --store PLACE   a file, or postgresql://…; else TOURNEY_STORE, else the one in
                  hand, else ./tourney.db
  -t TOURNAMENT   another than the one in hand: a part of its id or name
  --as OFFICIAL   who is at the desk, or p7: player 7 at a desk of their own
  --for PLAYER    on whose word
  --id ID         the command's id: the same id never does it twice
  --json          data as JSON on stdout
  --csv           a table for a spreadsheet on stdout
  --yes           no question before a breach
  --help          of a verb: its words and options

Exit codes:
"""


def show_overview() -> int:
    """Print all verbs with one line each, and the acts of those that have some."""
    show(*HEAD.splitlines())
    heading = ""
    for path, verb in VERBS.items():
        if " " in path:
            continue
        if verb.heading != heading:
            heading = verb.heading
            show(f"{heading}:")
        show(shortened(f"  {path:<{VERB_CELLS}}{verb.summary}", WIDTH))
        if acts := acts_of(path):
            room = WIDTH - VERB_CELLS - 2
            show(
                *(
                    f"{'':<{VERB_CELLS + 2}}{line}"
                    for line in broken(f"{path} {', '.join(acts)}", room)
                )
            )
    show("", *OPTIONS.splitlines())
    show(*(f"  {code:<{CODE_CELLS}}{meaning}" for code, meaning in EXITS.items()))
    return 0

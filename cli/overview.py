"""Help: the overview of all verbs, and the text of one."""

from __future__ import annotations

import os
from contextlib import redirect_stderr, suppress
from io import StringIO
from typing import TYPE_CHECKING

from cli.exits import EXITS
from cli.input.arguments import UsageError
from cli.terminal.output import show
from cli.terminal.tables import WIDTH, broken
from cli.terminal.visible import shortened
from cli.verbs import acts_of, verbs_of

if TYPE_CHECKING:
    from cli.input.arguments import Options
    from ledger.tournament.state import Tournament

VERB_CELLS = 13
CODE_CELLS = 16

HEAD = """\
tourney records a tournament in a log in which nothing is ever overwritten.

  tourney new "Kotei Berlin" --ruleset l5r      tourney report 7 ann
  tourney register "Ann Lee"                    tourney standings
  tourney start advanced                        tourney cut
  tourney pair                                  tourney finish
"""

OPTIONS = """\
Before or after any verb:
  --store PLACE   a file, or postgresql://…; default: TOURNEY_STORE, or the
                  current tournament's store, or ./tourney.db
  --log FILE      look into the file of a log, in place of a store
  -t TOURNAMENT   another tournament: part of its id or name
  --as OFFICIAL   the official at the desk; or p7: player 7 at their own desk
  --for PLAYER    the player on whose behalf you act
  --id ID         the command's id; a repeat with the same id changes nothing
  --json          data as JSON on stdout
  --csv           a table for a spreadsheet on stdout
  --yes           do not ask for confirmation
  --help          with a verb: its arguments and options

Exit codes:
"""


def show_overview(options: Options) -> int:
    """Print the verbs that the game in hand has, with one line each and their acts."""
    show(*HEAD.splitlines())
    heading = ""
    verbs = verbs_of(_in_hand(options))
    for path, verb in verbs.items():
        if " " in path:
            continue
        if verb.heading != heading:
            heading = verb.heading
            show(f"{heading}:")
        show(shortened(f"  {path:<{VERB_CELLS}}{verb.summary}", WIDTH))
        if acts := acts_of(path, verbs):
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


def _in_hand(options: Options) -> Tournament | None:
    """Return the tournament in hand, and say nothing; None where none is found, or none is read."""
    files = (".tourney", "tourney.db")
    named = options.store or options.log
    if not (named or "TOURNEY_STORE" in os.environ or any(map(os.path.exists, files))):
        return None
    from cli.desk.file_desk import desk_for
    from ledger.errors import LedgerError

    with suppress(LedgerError, UsageError, OSError), redirect_stderr(StringIO()):
        desk = desk_for(options, [])
        desk.if_changed = "pass"
        return desk.book.tournament
    return None

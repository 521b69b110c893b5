"""`whatif`: the other outcome, tried without touching anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole_or_none
from cli.input.matches import Typed
from cli.input.moments import NOW, AsOf, look_at
from cli.input.options import flag, option, word
from cli.render.records import shows_table
from cli.terminal.output import say
from ledger.books.vault import needs_draw_key
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.rules.command import Context
    from projections.whatif import Alternative


AS_PLAYED = "as played on; nothing was written"


@shows_table
def whatif(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[FACT [and FACT]...]", "What would have been otherwise.")
    ] = None,
    number: Annotated[
        str, option("N", "Show round N as it would have been drawn.", "--round")
    ] = "",
    ended: Annotated[str, option("HOW", "How the game would have ended.", "--ended")] = "",
    fact: Annotated[
        list[str] | None, option("NAME=A:B", "What the table would have seen.", "--fact")
    ] = None,
    sweep: Annotated[
        bool, flag("--sweep", "All outcomes: of one match, or of the running round.")
    ] = False,
    as_of: AsOf = NOW,
) -> None:
    """Try another outcome, and see what it would change.

    Nothing is written. The rounds after it stay as they were played; beside that it tells which
    of them would have been drawn otherwise, and who would have made the cut.

        tourney whatif 3/4 ann
        tourney whatif 3/4 ann modified and 3/5 none
        tourney whatif "Ann Lee" dropped 2
        tourney whatif ann stayed
        tourney whatif ann disqualified 4
        tourney whatif --sweep 3/4
        tourney whatif --sweep

    The last two: every result that a match can have, side by side; and who is certain of the cut,
    who can still make it and by which result, who is out, by the running round's open matches.
    With --at, --time or --posted: what would have changed by then.
    """
    look_at(desk, as_of)
    typed = Typed(ended, tuple(fact or ()))
    shown = whole_or_none("--round", number)
    if sweep:
        if typed or shown is not None or len(words or ()) > 1:
            raise UsageError("--sweep takes one match, as 3/4, or nothing")
        _sweep(desk, words[0] if words else "")
        return
    if not words:
        from cli.input.whatif import HOW

        raise UsageError(HOW)
    _what_if(desk, words, typed, shown)


def _sweep(desk: Desk, words: str) -> None:
    """Sweep one match, or the whole round in play."""
    from cli.input.matches import find_match
    from cli.render.whatif import show_outcomes, show_sweep
    from projections.whatif import every_outcome
    from projections.whatif.sweep import sweep

    lines = list(desk.book.recorded())
    if words:
        match = find_match(desk.book.tournament, words)
        context, caveats = _context(desk)
        show_outcomes(desk, match, every_outcome(lines, match.number, context), caveats)
    else:
        show_sweep(desk, sweep(lines))


def _context(desk: Desk) -> tuple[Context, list[str]]:
    """Return what later rounds are drawn with again, and what is left out without their key."""
    from cli.machine.draw_keys import hand_in

    context = desk.book.context()
    if context.shuffle_key or not needs_draw_key(desk.book.tournament):
        return context, []
    lacks = context.lacks
    try:
        if hand_in(desk.book):
            return desk.book.context(), []
    except LedgerError as error:
        lacks = str(error)
    caveat = f"{lacks}, so which tables would have been drawn is left out"
    say(caveat)
    return context, [caveat]


def _what_if(desk: Desk, words: list[str], typed: Typed, shown: int | None) -> None:
    from cli.input.matches import find_round
    from cli.input.whatif import read_facts
    from cli.render.whatif import show_otherwise
    from projections.whatif import what_if

    tournament = desk.book.tournament
    if shown is not None:
        find_round(tournament, shown)
    facts = read_facts(tournament, words, typed)
    context, caveats = _context(desk)
    found = what_if(list(desk.book.recorded()), facts, context)
    if shown is not None and not desk.json:
        _show_round(desk, found, shown)
    elif desk.options.for_person and not found:
        say("nothing would be otherwise")
    elif show_otherwise(desk, found, [*caveats, AS_PLAYED]):
        say(AS_PLAYED)


def _show_round(desk: Desk, found: Alternative, shown: int) -> None:
    from cli.render.whatif import show_draw

    later = next((each for each in found.rounds if each.round == shown), None)
    show_draw(desk, later.would_be if later else ())
    if later is None:
        say(f"round {shown} would have been drawn as it was")
    elif not later.would_be:
        say(later.problem or f"the draw of round {shown} cannot be repeated here")

"""A line as it is typed at a desk: a result, another verb's line, or `undo`.

The loop of `report` carries lines out; a page asks what each comes to, and sends that.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cli.desk.remembered import in_full
from cli.desk.session import CommandFound, ReadLine
from cli.input.arguments import UsageError, split_global_options
from cli.input.find_people import find_player
from cli.input.matches import find_match, taken_out
from cli.input.reports import NO_SHOW, Reported, ending_last, read
from cli.terminal.output import overhearing
from ledger.errors import NotFound, Refused
from ledger.rules.results import Report
from ledger.rules.undo import Undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.desk.session import Desk, LineKind, ReadingDesk
    from ledger.tournament.state import Tournament

LINE_CHARACTERS_MAX = 10_000

_VERBS_HERE = """
appeal call check-in component concede conduct confirm correct dispute disputes drop match note
pair pairings penalty post rejoin requests review round rule seat standings swap
"""
VERBS_HERE = frozenset(_VERBS_HERE.split())
"""First words of what else is typed here, as after `tourney`."""

_VERBS_ON_PAGES = """
amend cut disqualify draft evidence finish first lists moderate prize recommend register rename
repair scenario side terrain unpair unregister whatif explain
"""
VERBS_ON_PAGES = VERBS_HERE | frozenset(_VERBS_ON_PAGES.split())
"""First words of the lines that a page takes."""

_LOOKING = "disputes evidence explain match pairings standings whatif"
LOOKING = frozenset(_LOOKING.split())
"""First words of what is only looked at."""

NOT_ON_PAGES = frozenset(["--print", "--slips", "--csv", "--json", "--help", "-h", "--sweep"])
"""Options for other kinds of answers, and for what takes long; a page's desk has no files."""


def words_of(line: str) -> list[str]:
    """Split a line at spaces; double quotes hold a name together, apostrophes are letters."""
    if len(line) >= LINE_CHARACTERS_MAX:
        raise UsageError(f"a line of {LINE_CHARACTERS_MAX:,} characters or more is no result")
    words: list[str] = []
    for place, part in enumerate(line.split('"')):
        words += [part] if place % 2 else part.split()
    return [word for word in words if word.strip()]


def kind_of(words: Sequence[str]) -> LineKind:
    """Return what the words of a page's line ask for, by their first one."""
    first = words[0].lower() if words else ""
    if first in LOOKING:
        return "look"
    return "act" if first in VERBS_ON_PAGES or is_undo(words) else "result"


def is_undo(words: Sequence[str]) -> bool:
    """Whether a line takes the last act back."""
    return [word.lower() for word in words] == ["undo"]


def reported_by(desk: Desk, words: list[str], command_id: str) -> Reported:
    """Read the words of a result, whose table is the one that this desk was shown."""
    rest, typed = taken_out(words)
    tournament = desk.at_command(command_id)
    if words and words[0].lower() in NO_SHOW:
        rest = _no_show_first(tournament, rest)
    rest, typed = ending_last(tournament, rest, typed)
    return read(tournament, in_full(desk, rest, command_id), typed)


def run_verb(desk: Desk, words: list[str], command_id: str) -> None:
    """Answer another verb's line as if it were typed after `tourney`, with this desk's book."""
    from cli.verbs.tree import run

    options, line = split_global_options([words[0].lower(), *words[1:]])
    other = desk.typing(options, line, command_id)
    run(other)
    desk.shown = other.shown


def line_read(desk: ReadingDesk, words: list[str]) -> ReadLine:
    """Return what the words of a page's line come to, with nothing carried out.

    UsageError, NotFound or Refused say why they come to nothing.
    """
    with overhearing() as kept:
        try:
            _read(desk, words)
        except CommandFound as found:
            return ReadLine(found.command, found.by, tuple(kept.said), kept.data)
    return ReadLine(None, desk.by, tuple(kept.said), kept.data)


def _read(desk: ReadingDesk, words: list[str]) -> None:
    """Raise CommandFound where the words ask for an act."""
    from cli.verbs import acts_of

    first = words[0].lower() if words else ""
    if is_undo(words):
        _refuse_newer_acts(desk)
        desk.act(Undo())
    if first in VERBS_ON_PAGES or first == "undo":
        if others := NOT_ON_PAGES & {word.partition("=")[0] for word in words}:
            raise UsageError(f"{', '.join(sorted(others))}: only at a terminal")
        run_verb(desk, words, desk.command_id)
        return
    try:
        reported = reported_by(desk, words, desk.command_id)
    except NotFound:
        if first in acts_of(""):
            raise UsageError(f"{first} is typed at a terminal") from None
        raise
    desk.act(Report(reported.match.number, reported.result))


def _refuse_newer_acts(desk: ReadingDesk) -> None:
    """Refuse to take an act back that the page has not shown."""
    act = desk.book.tournament.last_act(desk.by)
    if act and desk.command_id not in desk.book.tournament.ids and act[-1].seq > desk.knows:
        raise Refused("another act of yours has come since this page was made: look, then undo")


def _no_show_first(tournament: Tournament, words: list[str]) -> list[str]:
    """Put `no-show bob` as `TABLE no-show bob`: at whose table it is follows from the name."""
    names = words[1:]
    if not names:
        raise UsageError("say who did not come: no-show PLAYER, or both players of a table")
    with suppress(NotFound):
        names = [f"#{find_player(tournament, ' '.join(names))}"]
    first = find_match(tournament, names[0])
    return [str(first.table), words[0], *names]

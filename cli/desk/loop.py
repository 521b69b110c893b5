"""Results one after another: at a prompt, or line by line through a pipe.

One process and one fold: each line is read, decided and written like a command of its own, with
the id `<id>-<line number>`. What is refused is named, the rest lands.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from cli.desk.acts import act_as_json
from cli.desk.guide import next_step
from cli.desk.seen import in_full, show_tables
from cli.input.arguments import UsageError
from cli.input.facts import taken_out
from cli.input.find_people import labelled
from cli.input.reports import read
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import complain, say
from cli.terminal.output import finish, show, show_json, show_problems
from cli.terminal.problems import lines_of
from cli.wording.event_words import acts_in_words
from ledger.decisions.results import Report
from ledger.decisions.undo import Undo
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.tournament.progress import open_matches, round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from ledger.decisions.command import Command
    from ledger.tournament.state import Tournament

QUIT = frozenset({"q", "quit", "exit"})
HELP = frozenset({"?", "h", "help"})

ID_MAX = 56
"""The longest id that leaves room for a line's number."""

LINE_CHARACTERS_MAX = 10_000

TABLES_SHOWN = 12
"""Tables in the prompt."""

LISTED_MAX = 24
"""Tables listed with their players."""

EXPLAINED = (
    "table winner          the winner by any part of the name",
    "table winner word     another outcome, as: 7 ann modified",
    "table 6-0             points, in the order of the pairing",
    "table draw            nobody won",
    "table no-show player  the player did not come",
    "table 107-49 --ended time --fact NAME=A:B   what the table saw, where results follow from it",
    "undo                  take your last result back",
    "Enter                 see what other desks have reported",
    "q                     stop",
)


def report_lines(desk: Desk) -> int:
    """Report line after line; return the exit code, 1 if any was refused in a pipe."""
    if len(desk.command_id) > ID_MAX:
        raise Refused(f"--id takes up to {ID_MAX} characters where many results follow")
    if sys.stdin.isatty():
        _prompt(desk)
        return 0
    return _pipe(desk)


def _prompt(desk: Desk) -> None:
    _show_open(desk)
    number = 0
    while True:
        sys.stderr.write(f"{_prompt_text(desk.book.tournament)}> ")
        sys.stderr.flush()
        line = sys.stdin.readline(LINE_CHARACTERS_MAX)
        number += 1
        word = line.strip().lower()
        if not line:
            say("")
        if not line or word in QUIT:
            break
        if word in HELP:
            _explain(desk.book.tournament)
        elif not word:
            desk.book.refresh()
            _show_open(desk)
        elif _take(desk, line, number, ""):
            played = round_in_play(desk.book.tournament)
            if played is not None and not played.unreported:
                say(next_step(desk.book.tournament))
    say(next_step(desk.book.tournament))


def _pipe(desk: Desk) -> int:
    refused = 0
    for number, line in enumerate(_lines(sys.stdin), start=1):
        text = line.strip()
        if text.lower() in QUIT:
            break
        if text and not text.startswith("#") and text.lower() not in HELP:
            refused += not _take(desk, line, number, f"line {number}: ")
    say(next_step(desk.book.tournament))
    if refused:
        say(f"{how_many(refused, 'line')} refused, the others landed")
    return 1 if refused else 0


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; of an endless one only its beginning."""
    while line := stream.readline(LINE_CHARACTERS_MAX):
        rest = line
        while not rest.endswith("\n") and (rest := stream.readline(LINE_CHARACTERS_MAX)):
            pass
        yield line


def _take(desk: Desk, line: str, number: int, where: str) -> bool:
    """Carry one line out; say why not, and return false, where it is refused."""
    command_id = f"{desk.command_id}-{number}"
    try:
        recorded = desk.act(_command(desk, line, command_id), command_id)
    except StoreUnavailable:
        raise
    except LedgerError as error:
        if desk.json:
            show_problems(error, desk.names)
        for problem in lines_of(error, desk.names):
            complain(f"{where}{problem}")
        return False
    except UsageError as error:
        complain(f"{where}{error}")
        return False
    tournament = desk.book.tournament
    if desk.json:
        show_json(act_as_json(command_id, recorded))
    else:
        happened = "; ".join(acts_in_words(recorded, tournament)) or "already so"
        show(f"{happened} | {_to_go(tournament)}")
    finish()
    return True


def _command(desk: Desk, line: str, command_id: str) -> Command:
    if len(line) >= LINE_CHARACTERS_MAX:
        raise UsageError(f"a line of {LINE_CHARACTERS_MAX:,} characters or more is no result")
    words = _words(line)
    desk.seen = None
    if [word.lower() for word in words] == ["undo"]:
        return Undo()
    rest, typed = taken_out(words)
    tournament = desk.at_command(command_id)
    reported = read(tournament, in_full(desk, rest, command_id), typed)
    return Report(reported.match.number, reported.result)


def _words(line: str) -> list[str]:
    """Split a line at spaces; double quotes hold a name together, apostrophes are letters."""
    words: list[str] = []
    for place, part in enumerate(line.split('"')):
        words += [part] if place % 2 else part.split()
    return [word for word in words if word.strip()]


def _to_go(tournament: Tournament) -> str:
    played = round_in_play(tournament)
    if played is None:
        return "no round in play"
    return f"{played.unreported} to go" if played.unreported else f"round {played.number} complete"


def _prompt_text(tournament: Tournament) -> str:
    played = round_in_play(tournament)
    if played is None:
        return "no round in play "
    tables = [str(match.table) for match in open_matches(played)]
    shown = " ".join(tables[:TABLES_SHOWN]) + (" …" if len(tables) > TABLES_SHOWN else "")
    return f"round {played.number}, open: {shown or 'none'} "


def _show_open(desk: Desk) -> None:
    show_tables(desk, here_alone=True)
    tournament = desk.book.tournament
    played = round_in_play(tournament)
    matches = open_matches(played) if played else []
    for match in matches[:LISTED_MAX]:
        first, second = (labelled(tournament, player) for player in (match.first, match.second))
        say(f"{match.table:>5}  {first} - {second}")
    if len(matches) > LISTED_MAX:
        say(f"      and {len(matches) - LISTED_MAX} more tables: `tourney round` lists them")


def _explain(tournament: Tournament) -> None:
    for line in EXPLAINED:
        say(line)
    words = ", ".join(outcome.name for outcome in tournament.ruleset.outcomes)
    say(f"outcomes: {words}")
    if declared := tournament.ruleset.derives:
        say(f"--ended {', '.join(ending.name for ending in declared.endings)}")
        say(f"--fact {', '.join(f'{fact.name}=A:B' for fact in declared.facts)}")

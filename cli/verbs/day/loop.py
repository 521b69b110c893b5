"""Results one after another: at a prompt, or line by line through a pipe.

One process and one fold: each line is read, decided and written like a command of its own, with
the id `<id>-<line number>`. What is refused is named, the rest lands.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from cli.desk.acts import act_as_json
from cli.desk.guide import next_step
from cli.desk.questions import report_asking
from cli.desk.remembered import show_tables
from cli.input.arguments import UsageError
from cli.input.find_people import labelled
from cli.input.reports import explained
from cli.terminal.output import complain, finish, say, show_json, show_problems, show_prose
from cli.terminal.problems import lines_of
from cli.terminal.visible import how_many
from cli.verbs.day.lines import (
    LINE_CHARACTERS_MAX,
    VERBS_HERE,
    is_undo,
    reported_by,
    run_verb,
    words_of,
)
from cli.wording.event_words import acts_in_words
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.rules.results import Report
from ledger.rules.undo import Undo
from ledger.tournament.progress import open_matches, round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

QUIT = frozenset({"q", "quit", "exit"})
HELP = frozenset({"?", "h", "help"})

ID_MAX = 56
"""The longest id that leaves room for a line's number."""

TABLES_SHOWN = 12
"""Tables in the prompt."""

LISTED_MAX = 24
"""Tables listed with their players."""


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
        elif _take(desk, line, number, "", asking=True):
            played = round_in_play(desk.book.tournament)
            if played is not None and not played.unreported:
                say(f"{next_step(desk.book.tournament)}; type it here, or q to leave")
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


def _take(desk: Desk, line: str, number: int, where: str, *, asking: bool = False) -> bool:
    """Carry one line out; say why not, and return false, where it is refused."""
    command_id = f"{desk.command_id}-{number}"
    try:
        recorded = _carry_out(desk, line, command_id, asking=asking)
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
    if recorded is not None:
        _answer(desk, command_id, recorded)
    finish()
    return True


def _answer(desk: Desk, command_id: str, recorded: list[Recorded]) -> None:
    tournament = desk.book.tournament
    if desk.json:
        show_json(act_as_json(command_id, recorded))
        return
    happened = "; ".join(acts_in_words(recorded, tournament)) or "already so"
    show_prose(f"{happened} | {_to_go(tournament)}")


def _carry_out(desk: Desk, line: str, command_id: str, *, asking: bool) -> list[Recorded] | None:
    """Do what a line says; None where a verb has answered itself."""
    words = words_of(line)
    desk.seen = None
    first = words[0].lower() if words else ""
    if is_undo(words):
        return desk.act(Undo(), command_id)
    if first in VERBS_HERE or first == "undo":
        run_verb(desk, words, command_id)
        return None
    reported = reported_by(desk, words, command_id)

    def act(command: Report) -> list[Recorded]:
        return desk.act(command, command_id)

    if asking:
        return report_asking(desk, reported.match, reported.result, act)
    return act(Report(reported.match.number, reported.result))


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
    if not tables:
        return f"round {played.number} complete "
    shown = " ".join(tables[:TABLES_SHOWN]) + (" …" if len(tables) > TABLES_SHOWN else "")
    return f"round {played.number}, open: {shown} "


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
    for line in explained(tournament.ruleset):
        say(line)

"""From a line that a person typed to a verb and an exit code, one of `cli.exits`."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.exits import ANSWER_LOST, BROKEN_PIPE, FAULT, INTERRUPTED, REFUSED, USAGE
from cli.input.arguments import UsageError, asks_for_json, split_global_options
from cli.languages.choice import OPTION, for_person_at, is_for_programs
from cli.languages.speaking import speaking, speaking_beside, tr
from cli.terminal import output
from cli.terminal.output import TRACE_VARIABLE, complain, say
from cli.verbs import VERBS, in_words_of_today, path_of
from ledger import ENGINE
from ledger.files import landed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from cli.desk.session import Desk
    from cli.input.arguments import Options
    from ledger.errors import LedgerError

COMPLETION_VARIABLE = "_TOURNEY_COMPLETE"
"""Set by a shell's script, as Typer writes it, to what is asked: `complete_bash`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    output.prepare()
    landed.forget()
    line = sys.argv[1:] if arguments is None else arguments
    with _spoken_for(line):
        code = _guarded(line)
        output.settle()
    return code


def _spoken_for(line: Sequence[str]) -> AbstractContextManager[None]:
    """Speak the language of a line: to a program English, and to the person at it their own."""
    person = for_person_at(line, os.environ)
    return speaking_beside(person) if is_for_programs(line) else speaking(person)


def _guarded(arguments: Sequence[str]) -> int:
    """Run one command line; whatever goes wrong is one line and a code."""
    try:
        code = _run(arguments)
        if not code:
            output.finish()
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            say("")  # below the ^C
        complain(tr("interrupted; everything confirmed so far is saved"))
        return INTERRUPTED
    except OSError as error:
        return _answer_lost(error)
    except Exception as error:
        # A desk in the middle of a round needs one line, not twenty.
        if TRACE_VARIABLE in os.environ:
            raise
        complain(
            tr(
                "a fault in tourney itself: {error}; set {variable} for details",
                error=repr(error),
                variable=f"{TRACE_VARIABLE}=1",
            )
        )
        return FAULT
    return code


def _answer_lost(error: OSError, desk: Desk | None = None) -> int:
    """Say that nobody got the answer: what landed has landed, and is not to be done again."""
    output.abandon()
    is_closed = error.errno == errno.EPIPE
    what = error.filename or tr("the answer could not be written")
    why = tr("the output was closed") if is_closed else error.strerror or error
    if landed.is_anything():
        from cli.desk.acts import what_landed

        complain(f"{what}: {why}; {what_landed(desk)}")
        return ANSWER_LOST
    if is_closed:
        return BROKEN_PIPE
    complain(f"{error.filename or tr('the output could not be written')}: {why}")
    return REFUSED


def _run(arguments: Sequence[str]) -> int:
    if COMPLETION_VARIABLE in os.environ:
        from cli.completion import answer_shell

        answer_shell()
        return 0
    try:
        options, line = split_global_options(arguments)
        if line[:1] == ["help"] and path_of(verb := in_words_of_today(line[1:])[0]):
            line = [*verb, "--help"]
        if line[:1] in (["--help"], ["-h"], ["help"]):
            from cli.overview import show_help

            return show_help(options, line[1:])
        if line[:1] in (["--install-completion"], ["--show-completion"]):
            from cli.completion import set_up

            set_up(line)
            return 0
        if line in (["--version"], ["-V"]):
            output.show(_release())
            return 0
        return _at_desk(options, line)
    except UsageError as error:
        if asks_for_json(arguments):
            with suppress(OSError):
                output.show_misuse(str(error))
            output.settle()
        complain(str(error))
        return USAGE


def _release() -> str:
    """Return the release, the versions that its logs name, and the commit if a build has it."""
    from importlib.resources import files

    from ledger.proof.lines import RULES, WIRE

    record = files("ledger").joinpath("commit.txt")
    commit = f", commit {record.read_text('utf-8').strip()}" if record.is_file() else ""
    return f"{ENGINE} (wire {WIRE}, rules {RULES}{commit})"


def _at_desk(options: Options, line: list[str]) -> int:
    """Run a verb, or show where the tournament in hand stands."""
    from ledger.errors import LedgerError
    from ledger.files.system import warn_by

    warn_by(say)
    try:
        desk = _desk_for(options, line)
    except LedgerError as error:
        return _refused(error, options)
    try:
        if line:
            from cli.verbs.tree import run as answer
        else:
            from cli.verbs.status import show_status as answer
        code = answer(desk)
        output.finish()
    except LedgerError as error:
        return _refused(error, options, desk)
    except OSError as error:
        return _answer_lost(error, desk)
    else:
        return code
    finally:
        desk.close()


def _desk_for(options: Options, line: list[str]) -> Desk:
    """Return the desk of a line; only a line with --log imports what reads a file."""
    if options.log:
        from cli.desk.file_desk import FileDesk

        return FileDesk(options, line)
    from cli.desk.session import Desk

    return Desk(options, line)


def _refused(error: LedgerError, options: Options, desk: Desk | None = None) -> int:
    from cli.terminal.problems import lines_of
    from ledger.errors import StoreUnavailable

    names = desk.names if desk else {}
    with speaking(_for_person(options)):
        lines = lines_of(error, names)
    if (
        isinstance(error, StoreUnavailable)
        and desk
        and desk.line
        and VERBS[path_of(desk.line)].writes
    ):
        lines[-1] = tr(
            "{refusal}; to repeat the command: {command}",
            refusal=lines[-1],
            command=desk.repeat(),
        )
    if options.format == "json":
        with suppress(OSError):
            output.show_problems(error, names)
    output.settle()  # what was shown may be lost: the refusal still has its code
    for line in lines:
        complain(line)
    return error.exit_code


def _for_person(options: Options) -> str:
    """Return the language in which a person is told why not, whatever programs read."""
    return for_person_at([OPTION, options.lang] if options.lang else [], os.environ)


if __name__ == "__main__":
    sys.exit(main())

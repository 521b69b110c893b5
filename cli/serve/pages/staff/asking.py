"""A line from a page: what it comes to, what it would do, and then the act.

A result at an open table lands at once, as in the loop of `report`, and `undo` takes it back.
Everything else is shown first, and done by the form that stands below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli.desk.consequences import Forecast, forecast
from cli.desk.session import ReadingDesk
from cli.input.arguments import UsageError
from cli.input.find_people import labelled
from cli.serve.pages.staff.line_forms import LINE_FORMS, words_for
from cli.serve.refusals import Malformed, in_words
from cli.wording.phrases import result_in_words
from ledger.errors import LedgerError, Refused
from ledger.rules.results import Report, result_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk, LineReader, ReadLine
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

WORDS_MAX = 100
WORD_CHARACTERS_MAX = 5_000


class SentLine(NamedTuple):
    """What a page sent: its words, and up to which event the page knew the log."""

    words: list[str]
    seen: int
    command_id: str
    is_confirmed: bool


class LineAnswer(NamedTuple):
    """What it comes to: an act to carry out now, one to confirm, or something to look at."""

    read: ReadLine
    is_due: bool
    ahead: Forecast | None = None


def asked_in(fields: Fields, reader: LineReader, latest: int) -> SentLine:
    """Read what a page sent: a line, a form, or the words that it was shown; or Malformed."""
    seen = fields.get("seen", "")
    known = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) <= 12 else latest  # noqa: PLR2004 - digits
    return SentLine(
        _words(fields, reader), known, fields.get("id", ""), is_confirmed="confirmed" in fields
    )


def _words(fields: Fields, reader: LineReader) -> list[str]:
    if "words" in fields:
        try:
            words = msgspec.json.decode(fields["words"], type=list[str])
        except (msgspec.DecodeError, RecursionError):
            raise Malformed("this form was not made here: open its page again") from None
    elif form := LINE_FORMS.get(fields.get("form", "")):
        words = words_for(form, fields)
    else:
        words = _typed(fields.get("line", ""), reader)
    if len(words) > WORDS_MAX or any(len(each) > WORD_CHARACTERS_MAX for each in words):
        raise Malformed("this line is too long")
    return words


def _typed(line: str, reader: LineReader) -> list[str]:
    try:
        return reader.words_of(line)
    except UsageError as error:
        raise Refused(str(error)) from None


def found_for(
    desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader, *, is_ahead: bool = True
) -> LineAnswer | None:
    """Say what a page's words come to, and `is_ahead` what they would do; None for no words.

    Raises:
        LedgerError: why they come to nothing.
    """
    if not asked.words:
        return None
    own = visitor.command_id(asked.command_id)
    at = ReadingDesk.beside(desk, visitor.official, asked.seen, own)
    try:
        read = reader.read(at, asked.words)
    except UsageError as error:
        raise Refused(str(error)) from None
    if read.command is None or not is_ahead:
        return LineAnswer(read, is_due=False)
    has_landed = own in desk.book.tournament.ids
    if has_landed or asked.is_confirmed or _is_plain_report(desk, read.command):
        return LineAnswer(read, is_due=True)
    at.enter_as(read.by)
    return LineAnswer(read, is_due=False, ahead=forecast(at, read.command))


def line_found(
    desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader
) -> LineAnswer | None:
    """Return what a line comes to at the reader's desk; see `found_for`."""
    return found_for(desk, visitor, asked, reader)


def line_reading(desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader) -> str:
    """Return how a line is read, or why it comes to nothing, as one line of text."""
    try:
        found = found_for(desk, visitor, asked, reader, is_ahead=False)
    except LedgerError as error:
        return in_words(error, desk.book.tournament.names)
    return reading_of(desk, found.read) if found else ""


def _is_plain_report(desk: Desk, command: Command) -> bool:
    """Whether it is the result of a table that has none: what comes by the dozen."""
    match = desk.book.tournament.matches[command.match] if isinstance(command, Report) else None
    return match is not None and match.is_open


def reading_of(desk: Desk, read: ReadLine) -> str:
    """Say in one line how the words were read, for who is still typing: whom they name."""
    tournament, command = desk.book.tournament, read.command
    if command is None:
        return "Enter shows it"
    if isinstance(command, Report):
        match = tournament.matches[command.match]
        result = result_from(tournament, match, command.result)
        return f"{match.round}/{match.table}: {result_in_words(tournament, match, result)}"
    named = [*_tables_in(tournament, command), *_players_in(tournament, command)]
    return "; ".join([*filter(None, [", ".join(named)]), "Enter shows what it would do"])


def _tables_in(tournament: Tournament, command: Command) -> Iterator[str]:
    number = getattr(command, "match", 0)
    if number:
        match = tournament.matches[number]
        seated = " and ".join(labelled(tournament, each) for each in match.players)
        yield f"{match.round}/{match.table} ({seated})"


def _players_in(tournament: Tournament, command: Command) -> Iterator[str]:
    players = getattr(command, "players", ()) or (getattr(command, "player", 0),)
    return (labelled(tournament, each) for each in players if each)

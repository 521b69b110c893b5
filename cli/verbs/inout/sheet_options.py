"""What a file does not say itself and an import has to know, and what of a sheet is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli.input import options  # noqa: TC001 - typer resolves them
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.options import flag, option
from cli.terminal.output import say

if TYPE_CHECKING:
    from pathlib import Path

    from cli.desk.session import Desk
    from ledger.exchange import Details


class OfSheet(NamedTuple):
    """What a spreadsheet does not say itself, and what of it is meant as it is."""

    ruleset: Annotated[InFile, option("KEY|FILE", "The game, for a CSV file of rounds.")] = NO_INPUT
    name: Annotated[str, option("NAME", "What a CSV's event is called; default: the file.")] = ""
    date: options.HeldOn = ""
    keep: Annotated[
        list[str] | None, option("LABEL", "Columns LABEL1 and LABEL2 as an attribute; repeat it.")
    ] = None
    new_names: Annotated[bool, flag("--new-names", "Names that are nearly others' are new.")] = (
        False
    )
    allow: Annotated[
        list[str] | None,
        option("KIND", "Let pass what a sheet hardly means: the refusal says the KIND; repeat it."),
    ] = None
    whole: Annotated[bool, flag("--whole", "The sheet grows no more: finish the event.")] = False


NO_SHEET = OfSheet()


def _too_much(sheet: OfSheet) -> str:
    """Name the options that a file has no use for."""
    said = [f"--{name.replace('_', '-')}" for name, value in sheet._asdict().items() if value]
    return f"leave {' and '.join(said)} out"


def details_of(desk: Desk, file: InFile, sheet: OfSheet) -> Details | None:
    """What a file does not tell itself; none for files that tell everything."""
    from cli.input.given_files import ruleset_text
    from ledger.exchange import LOG, NRTM, Details
    from ledger.exchange.parsed_file import own_sheet

    path = desk.files.reading(file)
    is_sheet = path.suffix.lower() == ".csv"
    kind = "" if is_sheet else _kind(path, sheet)
    own = own_sheet(path) if not (kind or sheet.ruleset) else None
    if own is not None:
        allowed, keep = allowed_by(sheet), tuple(sheet.keep or ())
        name, day = sheet.name or own.name, _checked(sheet.date) or own.date
        return Details(own.ruleset, name, day, keep, allowed, is_whole=sheet.whole, is_sheet=True)
    if not (kind or sheet.ruleset):
        raise UsageError("a CSV file of rounds needs --ruleset; other files take no details")
    if kind in {LOG, NRTM} and sheet != NO_SHEET:
        raise UsageError(f"{file} says its game, its name and its day itself: {_too_much(sheet)}")
    text = ruleset_text(desk.files.named(sheet.ruleset)) if sheet.ruleset else ""
    if kind:
        day = _checked(sheet.date)
        return Details(text, sheet.name, day) if sheet != NO_SHEET else None
    date, keep, allowed = _day(desk, file, sheet.date), tuple(sheet.keep or ()), allowed_by(sheet)
    return Details(text, sheet.name, date, keep, allowed, is_whole=sheet.whole, is_sheet=True)


def _kind(path: Path, sheet: OfSheet) -> str:
    """Return the kind of a file; empty for a sheet, whatever its name."""
    from ledger.errors import InvalidLog
    from ledger.exchange import kind_of_file
    from ledger.exchange.parsed_file import own_sheet

    try:
        return kind_of_file(path)
    except InvalidLog:
        if sheet.ruleset or own_sheet(path) is not None:
            return ""
        raise


def allowed_by(sheet: OfSheet) -> frozenset[str]:
    """Return the doubts that are let pass."""
    from ledger.exchange import NEW_NAMES

    new_names = [NEW_NAMES] if sheet.new_names else []
    return frozenset([*map(_doubt, sheet.allow or ()), *new_names])


def _doubt(typed: str) -> str:
    from cli.input.arguments import choice
    from ledger.exchange import DOUBTS

    return choice(typed, tuple(DOUBTS), "kind")


def _day(desk: Desk, file: InFile, typed: str) -> str:
    """Return the day of the event, asked for where nobody typed it."""
    from cli.desk.confirm_breaches import is_asked

    if not typed and is_asked() and not desk.json:
        say(f"{file} does not say when it was played. The day (YYYY-MM-DD):")
        typed = input().strip()
    if not typed:
        raise UsageError(f"{file} does not say when it was played: --date YYYY-MM-DD")
    return _checked(typed)


def _checked(typed: str) -> str:
    from cli.input.moments import checked_date

    return checked_date(typed) if typed else ""

"""A file taken into the store: `import`, with the details that a file does not state itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli.desk.guide import next_step
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves it
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import refuse_beside_log, refuse_other_kinds
from cli.input.options import flag, option, word
from cli.languages.speaking import marked, tr
from cli.machine.keyring import draw_key
from cli.machine.trust import asked_of
from cli.render.records import refuse_csv, show_value, shows_table
from cli.terminal.output import say
from cli.terminal.problems import said
from cli.terminal.visible import how_many
from cli.verbs.inout.choosing import ReadingChoice, outcome_of
from cli.verbs.inout.taking_files import doubts_allowed, take_read
from cli.wording.import_words import account_lines, head_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ledger.exchange import Details, ParsedFile
    from ledger.exchange.account import Account
    from ledger.proof.heads import Asked
    from ledger.tournament.state import Tournament


class OfSheet(NamedTuple):
    """What a spreadsheet does not say itself, and what of it is meant as it is."""

    ruleset: Annotated[
        InFile, option("KEY|FILE", "Required for a CSV file of rounds: the game.")
    ] = NO_INPUT
    name: Annotated[
        str, option("NAME", "Name of a CSV's tournament; default: that of the file.")
    ] = ""
    date: options.HeldOn = ""
    keep: Annotated[
        list[str] | None,
        option("LABEL", "Keep columns LABEL1 and LABEL2 as an attribute; can be repeated."),
    ] = None
    new_names: Annotated[
        bool,
        flag("--new-names", "Treat names similar to other players' names as new players."),
    ] = False
    allow: Annotated[
        list[str] | None,
        option(
            "KIND", "Import despite doubts of this KIND, named by the refusal; can be repeated."
        ),
    ] = None
    whole: Annotated[bool, flag("--whole", "The sheet is complete: finish the tournament.")] = False

    def allowed(self) -> frozenset[str]:
        """Return the doubts that are let pass."""
        return doubts_allowed(self.allow or (), new_names=self.new_names)


NO_SHEET = OfSheet()


def _too_much(sheet: OfSheet) -> str:
    """Name the options that a file has no use for."""
    options = [f"--{name.replace('_', '-')}" for name, value in sheet._asdict().items() if value]
    return tr("omit {options}", options=tr(" and ").join(options))


def details_of(desk: Desk, file: InFile, sheet: OfSheet) -> Details | None:
    """What a file does not tell itself; none for files that tell everything."""
    from cli.input.given_files import ruleset_text
    from ledger.exchange import LOG, NRTM, Details
    from ledger.exchange.importing import own_sheet
    from ledger.exchange.sheets.cells import TITLES_BYTES, own_table

    path = desk.files.reading(file)
    kind = _kind_of_file(path, sheet)
    own = own_sheet(path) if not (kind or sheet.ruleset) else None
    if own is not None:
        allowed, keep = sheet.allowed(), tuple(sheet.keep or ())
        name, day = sheet.name or own.name, _checked(sheet.date) or own.date
        return Details(own.ruleset, name, day, keep, allowed, is_whole=sheet.whole, is_sheet=True)
    if not kind and (verb := own_table(desk.files.first_bytes(file, TITLES_BYTES))):
        raise UsageError(
            tr(
                "{file} is the table of {verb} --csv, which does not contain a whole tournament: "
                "import the log that export writes, or a sheet with a row for each match",
                file=file,
                verb=verb,
            )
        )
    if not (kind or sheet.ruleset):
        raise UsageError(tr("a CSV file of rounds needs --ruleset"))
    if kind in {LOG, NRTM} and sheet != NO_SHEET:
        raise UsageError(
            tr(
                "{file} contains its game, name and date: {problem}",
                file=file,
                problem=_too_much(sheet),
            )
        )
    text = ruleset_text(desk.files.named(sheet.ruleset)) if sheet.ruleset else ""
    if kind:
        day = _checked(sheet.date)
        return Details(text, sheet.name, day) if sheet != NO_SHEET else None
    date, keep, allowed = _day(desk, file, sheet.date), tuple(sheet.keep or ()), sheet.allowed()
    return Details(text, sheet.name, date, keep, allowed, is_whole=sheet.whole, is_sheet=True)


def _kind_of_file(path: Path, sheet: OfSheet) -> str:
    """Return the kind of a file; empty for a sheet, which has the name of one or no other kind."""
    return "" if path.suffix.lower() == ".csv" else _kind(path, sheet)


def _kind(path: Path, sheet: OfSheet) -> str:
    """Return the kind of a file; empty for a sheet, whatever its name."""
    from ledger.errors import InvalidLog
    from ledger.exchange import kind_of_file
    from ledger.exchange.importing import own_sheet

    try:
        return kind_of_file(path)
    except InvalidLog:
        if sheet.ruleset or own_sheet(path) is not None:
            return ""
        raise


def _day(desk: Desk, file: InFile, typed: str) -> str:
    """Return the day of the tournament, asked for where nobody typed it."""
    from cli.desk.confirm_breaches import is_asked

    if not typed and is_asked() and not desk.json:
        say(tr("{file} does not contain the tournament's date. Date (YYYY-MM-DD):", file=file))
        typed = input().strip()
    if not typed:
        raise UsageError(
            tr("{file} does not contain the tournament's date: use --date YYYY-MM-DD", file=file)
        )
    return _checked(typed)


def _checked(typed: str) -> str:
    from cli.input.moments import checked_date

    return checked_date(typed) if typed else ""


class AsRead(NamedTuple):
    """How another program's file is read; scripts for earlier releases pass `adjusted`."""

    adjusted: Annotated[
        bool, flag("--adjusted", "Has no effect: points from outside matches are always adjusted.")
    ] = False
    reading: Annotated[
        list[str] | None,
        option("NAME", "A reading of another program's file, or `plain`; can be repeated."),
    ] = None
    keep_going: Annotated[
        bool, flag("--keep-going", "Of several files, skip one that is wrong, and name it.")
    ] = False


BY_ITSELF = AsRead()


class Beside(NamedTuple):
    """What a log is read with: whose signature counts, and texts that are shown to its reader."""

    policy: options.Policy = NO_INPUT
    disclosed: options.Disclosed = NO_INPUT
    unsigned: options.Unsigned = ""

    def asked(self, desk: Desk) -> Asked:
        """Return what the heads of logs are compared with."""
        return asked_of(desk.files.named(self.policy), self.unsigned, "import")

    def refuse_into(self) -> None:
        """Refuse what is about heads, as UsageError: another program's file has none."""
        if self.unsigned or self.policy:
            raise UsageError(
                tr("omit --policy and --unsigned: a file for --into has no signed head")
            )


NOTHING_BESIDE = Beside()


class AsTaken(NamedTuple):
    """As which tournament a file is taken, and who vouches for it."""

    as_new: Annotated[bool, flag("--as-new", "Import a changed file as another tournament.")] = (
        False
    )
    sign: Annotated[
        bool, flag("--sign", "Vouch for it: make a key of the log here, and sign its head.")
    ] = False
    into: Annotated[str, option("TOURNAMENT", "The one imported from this file before.")] = ""


AS_ITSELF = AsTaken()


@shows_table
def import_log(
    desk: Desk,
    files: Annotated[
        list[InFile], word("FILE...", "Files of `export` or of another program, CSV, folders.")
    ],
    sheet: OfSheet = NO_SHEET,
    as_read: AsRead = BY_ITSELF,
    as_taken: AsTaken = AS_ITSELF,
    beside: Beside = NOTHING_BESIDE,
) -> None:
    """Import a file into the store, and select its tournament.

    The signed head and the hashes next to a log must match its lines, and if the log names a key,
    the head must cover all lines. --unsigned imports other logs; every view then shows the reason.

    Importing the same file again changes nothing; a longer log of the same tournament adds its new
    lines. A CSV file has a row for each table of each round, and needs its game and its date. The
    sheet can grow, so the tournament stays open until `finish`, or --whole:

        tourney import league.csv --ruleset xwing2 --name "Spring League" --date 2026-03-14

    The same sheet, some weeks later: new rows become new events, and a corrected cell becomes a
    correction with the file as its reason.

        tourney import league.csv --into "Spring League"

    The import ends with a verdict: how many of the numbers that another program published follow
    from its rounds. If not all do, other readings are tried, such as a cut after a round. If all
    numbers follow by exactly one reading, it is used; if by several, choose one with --reading.

    A folder, a pattern or several files are imported with one command and one report; if one file
    is wrong, nothing is imported. Files that are not tournaments are skipped and named.

        tourney import exports/ --keep-going

    With --disclosed, `match`, `audit` and `disputes` show texts that `export --for` sealed for you,
    each checked against its line: `tourney import night.jsonl --disclosed rulings.for-league`
    """
    from ledger.files.many_files import is_many

    if not as_read.keep_going and not is_many(list(map(desk.files.named, files))):
        _import_one(desk, files[0], sheet, as_read, as_taken, beside)
        return
    from cli.verbs.inout.importing_many import ManyImports, refuse_options

    of_one = {"--name": sheet.name, "--reading": as_read.reading, "--disclosed": beside.disclosed}
    typed = {f"--{name.replace('_', '-')}": value for name, value in as_taken._asdict().items()}
    refuse_options(of_one | typed)
    work = ManyImports(desk, files, _sheets(desk, sheet), beside.asked(desk))
    once(desk, lambda: work.run(keep_going=as_read.keep_going))


def _sheets(desk: Desk, sheet: OfSheet) -> Details:
    """Return what the sheets of a folder do not say themselves."""
    from cli.input.given_files import ruleset_text
    from ledger.exchange import Details

    text = ruleset_text(desk.files.named(sheet.ruleset)) if sheet.ruleset else ""
    date, keep, allowed = _checked(sheet.date), tuple(sheet.keep or ()), sheet.allowed()
    return Details(text, "", date, keep, allowed, is_whole=sheet.whole, is_sheet=True)


def _import_one(
    desk: Desk, file: InFile, sheet: OfSheet, as_read: AsRead, as_taken: AsTaken, beside: Beside
) -> None:
    """Import one file, which may be a later state of one that was imported before."""
    from ledger.books.vault import Secrets
    from ledger.exchange import read_file
    from projections.standings.table import ranking

    refuse_csv(desk, "import FILE")
    refuse_other_kinds(path := desk.files.reading(file), "import")
    refuse_beside_log(path)
    as_new, sign, into = as_taken
    if into:
        beside.refuse_into()
        once(desk, lambda: _grow(desk, file, into, sheet, as_read, sign=sign))
        return
    details = details_of(desk, file, sheet)
    choice = ReadingChoice(desk, path, as_read.reading)
    read = partial(
        read_file,
        path,
        ranking=ranking,
        secrets=Secrets(draw_key(), draw_key()),
        details=details,
        trust=beside.asked(desk),
        read_as=partial(choice.of_new, as_new=as_new),
    )
    shown = _disclosed(desk, file, beside.disclosed) if beside.disclosed else {}
    once(desk, lambda: _import(desk, read(), shown, choice, as_new=as_new, sign=sign))


def _disclosed(desk: Desk, file: InFile, disclosed: InFile) -> dict[str, bytes]:
    """Read what opens texts of the log, each held to its line; nothing else is read so far."""
    from cli.verbs.inout.exporting import disclosed_secrets

    if disclosed == file:
        raise UsageError(
            tr(
                "{file} is given twice: FILE must be the log, --disclosed the sealed texts",
                file=file,
            )
        )
    return disclosed_secrets(desk, file, disclosed)


def _keep_disclosed(desk: Desk, stream: str, secrets: Mapping[str, bytes]) -> None:
    """Put the keys of texts into the vault, but those of people whom the log has forgotten."""
    from ledger.books.forgetting import covered
    from ledger.fold import fold_lines
    from ledger.lines.line import decode

    store = desk.store()
    lines = store.lines(stream)
    gone = covered(map(decode, lines), fold_lines(lines))
    kept = {name: key for name, key in secrets.items() if name not in gone}
    store.vault_put_all(stream, kept)
    events = how_many(len(kept), "event")
    say(
        tr("opened the texts of {events}: `match`, `audit` and `disputes` show them", events=events)
    )


def _vouch(desk: Desk) -> None:
    """Sign the log's head, and say what for."""
    from cli.machine.trust import vouch_for

    head = vouch_for(desk)
    say(
        tr(
            "signed: the head of {counted}; `checkpoint --policy` pins its key",
            counted=how_many(head.size, "event"),
        )
    )


def _import(
    desk: Desk,
    parsed: ParsedFile,
    secrets: Mapping[str, bytes],
    choice: ReadingChoice,
    *,
    as_new: bool,
    sign: bool,
) -> None:
    from ledger.books.vault import SHUFFLE_KEY, at_name

    if parsed.log is not None:
        choice.refuse_log()
    imported = take_read(desk, parsed, as_new=as_new)
    if secrets:
        _keep_disclosed(desk, imported.tournament, secrets)
    desk.options = desk.options._replace(tournament=imported.tournament)
    desk.take_in_hand(imported.tournament)
    tournament = desk.book.tournament
    account = _account(parsed, tournament)
    value: dict[str, object] = {"tournament": imported.tournament, "events": imported.events}
    value["account"] = account.as_json()
    outcome = outcome_of(parsed.foreign, tournament)
    show_value(desk, value | outcome.as_json(), imported.tournament)
    name = tournament.opening.name if tournament.opening else ""
    events, note = how_many(imported.events, "event"), said(imported.note)
    text = marked("current: {name}; {added} of {events} added: {note}")
    say(tr(text, name=name, added=imported.added, events=events, note=note))
    for line in account_lines(account):
        say(line)
    if parsed.log is not None:
        log = parsed.log
        say(head_in_words(log.vouched, len(log.entries), log.taken_for))
    here = desk.store().vault_items(desk.book.stream).keys()
    if not tournament.finished and not here & {SHUFFLE_KEY, at_name(SHUFFLE_KEY)}:
        say(
            tr(
                "the tournament is not finished, and this store has no key for its draws: to "
                "move it, use `backup` and `restore`; if the other store is permanently lost, "
                "use `key draws`"
            )
        )
    choice.say()
    outcome.say(parsed.path.name)
    if sign:
        _vouch(desk)
    say(next_step(tournament))


def _grow(
    desk: Desk, file: InFile, into: str, sheet: OfSheet, as_read: AsRead, *, sign: bool
) -> None:
    """Take a later state of a file into the tournament that it became."""
    from ledger.exchange import Details, read_file
    from ledger.exchange.growing import TakeGrownFile
    from projections.standings.table import ranking

    if sheet.ruleset or sheet.name or sheet.date or sheet.whole:
        raise UsageError(
            tr(
                "omit --ruleset, --name, --date and --whole: with --into, the tournament already "
                "has a ruleset, a name and a date, and `finish` ends it"
            )
        )
    desk.options = desk.options._replace(tournament=into)
    opening, path = desk.book.tournament.opening, desk.files.reading(file)
    details = None
    if opening is not None and opening.imported is not None:
        known = opening.ruleset.text, opening.name, opening.date
        keep, is_sheet = tuple(sheet.keep or ()), not _kind_of_file(path, sheet)
        details = Details(*known, keep, sheet.allowed(), is_sheet=is_sheet)
    choice = ReadingChoice(desk, path, as_read.reading)
    parsed = read_file(
        path,
        ranking=ranking,
        details=details,
        read_as=choice.of_grown,
    )
    if parsed.foreign is None:
        raise UsageError(tr("{file} is a tourney log: import it without --into", file=file))
    recorded = desk.act(TakeGrownFile(parsed.foreign, path.name))
    desk.take_in_hand(desk.book.stream)
    tournament = desk.after(recorded)
    account = _account(parsed, tournament)
    value: dict[str, object] = {"tournament": desk.book.stream, "events": len(desk.book.lines)}
    value["account"] = account.as_json()
    outcome = outcome_of(parsed.foreign, tournament)
    show_value(desk, value | outcome.as_json(), desk.book.stream)
    corrected = sum(each.type == "ResultCorrected" for each in recorded)
    corrections = how_many(corrected, "correction")
    say(
        tr(
            "{counted} added, including {corrections}",
            counted=how_many(len(recorded), "event"),
            corrections=corrections,
        )
    )
    for line in account_lines(account):
        say(line)
    choice.say()
    outcome.say(path.name)
    if sign:
        _vouch(desk)
    say(next_step(tournament))


def _account(parsed: ParsedFile, tournament: Tournament) -> Account:
    from ledger.exchange.account import account_of

    foreign = parsed.foreign
    return (
        account_of(tournament, foreign.ignored, foreign.notes)
        if foreign
        else account_of(tournament)
    )

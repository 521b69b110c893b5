"""The record as a file, as tiles, or as chosen texts for one reader: `export`.

The texts that `export --for` seals are read by `verify --disclosed` and `import`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves it
from cli.input.arguments import UsageError, whole
from cli.input.file_names import NO_INPUT, NO_OUTPUT, OutFile
from cli.input.options import flag, option
from cli.languages.speaking import in_figures, marked, tr
from cli.machine.backup_keys import reader_here, reader_named
from cli.machine.keyring import proving
from cli.machine.trust import head_of_all, signed_head
from cli.render.records import show_value
from cli.terminal.output import say, show, show_json, show_lines
from cli.terminal.problems import reason_of
from cli.terminal.visible import how_many, visible
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.input.file_names import InFile
    from cli.machine.checkpoint_file import StoredCheckpoint
    from ledger.books.book import Book
    from ledger.proof.disclosures import ShownText
    from ledger.proof.table import CheckTable

ALL = "all"
WHICH = marked("export --for needs either --event N, which can be repeated, or --texts all")


def disclose(
    desk: Desk, reader: InFile, events: Sequence[str], texts: str, output: OutFile
) -> None:
    """Write the keys of chosen events to a file for one reader; Refused says which cannot be."""
    from ledger.exchange.log_files import all_keys, keys_of_events
    from ledger.files.kinds import DISCLOSURE
    from ledger.proof.disclosures import disclosure

    if not reader or bool(events) == bool(texts) or texts not in {"", ALL}:
        raise UsageError(tr(WHICH))
    if not output:
        raise UsageError(tr("export --for writes a file: name it with -o FILE"))
    named, book = reader_named(desk.files.named(reader)), desk.book
    places = [whole("--event", each, 1) for each in events]
    keys = all_keys(book) if texts else keys_of_events(book, places)
    if not keys:
        raise Refused(phrase("this store has no key of any text: there is nothing to export"))
    size = desk.files.write(output, [disclosure(book.stream, keys, named)], DISCLOSURE)
    if desk.json:
        show_json({"file": str(output), "events": len(keys), "bytes": size})
    say(
        tr(
            "{output}: the texts of {counted}, readable only by {name}; to read them with "
            "FILE, an export of the log: tourney verify FILE --disclosed {output}",
            output=output,
            counted=how_many(len(keys), "event"),
            name=named.name,
        )
    )


def read_disclosed(desk: Desk, file: InFile, disclosed: InFile) -> list[ShownText]:
    """Open a disclosure with the key on this machine, and hold each text to its line.

    InvalidLog where it is damaged, of another log, or a key is not the one that sealed a text;
    NotFound where the key that it is sealed for is not here.
    """
    return _opened(desk, file, disclosed)[0]


def disclosed_secrets(desk: Desk, file: InFile, disclosed: InFile) -> dict[str, bytes]:
    """Return the keys of a disclosure as a vault has them, held to the lines as above."""
    from ledger.lines.sealing import NAME, TEXT
    from ledger.proof.disclosures import NAME_TYPE

    shown, keys = _opened(desk, file, disclosed)
    kinds = {each.event: NAME if each.type == NAME_TYPE else TEXT for each in shown}
    return {f"{kinds[event]}{event}": key for event, key in keys.items()}


def _opened(
    desk: Desk, file: InFile, disclosed: InFile
) -> tuple[list[ShownText], dict[str, bytes]]:
    from ledger.exchange import read_log
    from ledger.exchange.log_files import is_names
    from ledger.proof import disclosures

    data = desk.files.first_bytes(disclosed, disclosures.BYTES_MAX + 1)
    with proving(str(disclosed)):
        found = disclosures.parse_disclosure(data)
        keys = disclosures.opened_keys(found, reader_here(found.reader))
        lines = (line for line in read_log(desk.files.reading(file)) if not is_names(line))
        return disclosures.shown_texts(lines, found, keys), keys


def counted(table: CheckTable, shown: Sequence[ShownText]) -> CheckTable:
    """Count what was shown as checked: texts, and names where their line was left out."""
    from ledger.proof.disclosures import NAME_TYPE
    from ledger.proof.table import row_of_names, row_of_texts

    names = sum(each.type == NAME_TYPE for each in shown)
    texts = row_of_texts(table.texts.of, len(shown) - names)
    if table.names.checked or not names:
        return table._replace(texts=texts)
    return table._replace(texts=texts, names=row_of_names(names, table.names.of))


def show_texts(shown: Sequence[ShownText]) -> None:
    """Print what was shown, event by event."""
    for each in shown:
        show(
            tr(
                "event {seq}, {type}, {path}: {text}",
                seq=each.seq,
                type=each.type,
                path=each.path,
                text=visible(each.text),
            )
        )
    show("")


def texts_as_json(shown: Sequence[ShownText]) -> list[dict[str, object]]:
    """Give what was shown as records."""
    members = ("seq", "id", "type", "path", "text")
    return [dict(zip(members, each, strict=True)) for each in shown]


def refuse_alone(file: InFile | None, disclosed: InFile) -> None:
    """Refuse a disclosure without the log that it is of, as UsageError or InvalidLog."""
    if disclosed and file is None:
        raise UsageError(tr("--disclosed needs the log that contains the texts: verify FILE"))
    if disclosed and file == disclosed:
        raise InvalidLog(
            phrase(
                "{disclosed} is given twice: FILE must be the log, --disclosed the sealed texts",
                disclosed=str(disclosed),
            )
        )


def export_log(
    desk: Desk,
    output: options.Output = NO_OUTPUT,
    without_names: Annotated[
        bool, flag("--without-names", "Leave out the keys of the names, which stay sealed.")
    ] = False,
    tiles: Annotated[
        OutFile, option("FOLDER", "Write tiles (C2SP tlog-tiles) for a static web host.", "--tiles")
    ] = NO_OUTPUT,
    reader: options.Reader = NO_INPUT,
    event: options.ShownEvents = None,
    texts: options.ShownTexts = "",
    form: options.Form = "",
) -> None:
    """Write the log's lines unchanged, with the keys of the names.

    Before `finish` the lines contain no secret of the draws, and battle cards and the hidden parts
    of lists are sealed. Names are sealed, and a last line opens them to every reader of the file.
    Reasons, notes and rulings stay sealed.

    Tiles are the lines and their tree, in a form that any reader of tlog-tiles can check, without
    the keys of names. Repeated into the same folder, the export adds the new lines.

    With --for the file contains no lines, only the keys of the chosen events: with the private key
    of READER and an export, a person can read these texts, each checked against its line, and no
    others.

    With --form the tournament is written in the format of another program: FIDE's report files,
    go's h9 or OpenGotha's XML, Netrunner's NRTM, or a sheet of rounds. `import` can read all of
    them.

        tourney export --form trf26 -o open.trf
        tourney export --for league.txt --event 41 --event 57 -o rulings.for-league
    """
    if reader or event or texts:
        if tiles or without_names:
            raise UsageError(tr("--for cannot be combined with --tiles or --without-names"))
        disclose(desk, reader, event or [], texts, output)
        return
    if form:
        if tiles or without_names:
            raise UsageError(tr("--form cannot be combined with --tiles or --without-names"))
        _export_form(desk, form, output)
        return
    book = desk.book
    if tiles and (output or without_names):
        raise UsageError(tr("omit -o and --without-names: --tiles never writes names"))
    _hold_secrets(book, names=not (tiles or without_names))
    if tiles:
        _export_tiles(desk, tiles)
        return
    _export_lines(desk, output, names=not without_names)


def _export_lines(desk: Desk, output: OutFile, *, names: bool) -> None:
    """Write the lines to a file with its head and hashes beside it, or show them."""
    from ledger.exchange import export, export_file

    book = desk.book
    try:
        if not output:
            show_lines(line[:-1] for line in export(book, names=names))
            return
        path = desk.files.writing(output)
        _refuse_places(desk, output)
        head = head_of_all(desk)
        size = export_file(book, path, names=names)
    except NotFound as error:
        raise NotFound(
            phrase("{error}: use `export --without-names`", error=reason_of(error))
        ) from None
    show_value(desk, {"file": str(output), "events": len(book.lines), "bytes": size})
    say(
        tr(
            "{output}: {counted}, {size} bytes",
            output=output,
            counted=how_many(len(book.lines), "event"),
            size=in_figures(size),
        )
    )
    _export_head(desk, output, head)


def _export_form(desk: Desk, form: str, output: OutFile) -> None:
    """Write the tournament as another program takes it."""
    from cli.input.arguments import choice
    from cli.terminal.output import write_bytes
    from ledger.exchange.programs.writing import WRITERS, WrittenRow
    from projections.standings.table import everyone

    write = WRITERS[choice(form, tuple(WRITERS), "form")]
    tournament = desk.tournament
    table = everyone(tournament)
    codes = [tiebreaker.code for tiebreaker in table.tiebreakers]
    rows = [
        WrittenRow(row.rank, row.player, row.points, dict(zip(codes, row.tiebreakers, strict=True)))
        for row in table.rows
    ]
    data = write(tournament, rows)
    if not output:
        write_bytes([data])
        return
    size = desk.files.write(output, [data])
    show_value(desk, {"file": str(output), "events": tournament.seq, "bytes": size})
    say(
        tr(
            "{output}: {form}, {size} bytes; set-ups and rulings are only in the log",
            output=output,
            form=form,
            size=in_figures(size),
        )
    )


def _hold_secrets(book: Book, *, names: bool) -> None:
    """Refuse to export from a vault with a damaged secret; without names it is only said.

    What is not there is said: the file is whole without it, and the day cannot go on without it.

    Refused says which secrets are damaged.
    """
    from cli.machine.caveats import WAY_BACK
    from cli.machine.integrity import damaged_in_words, missing_in_words, vault_of

    found = vault_of(book)
    if missing := missing_in_words(found):
        say(f"{book.store.vault_where}: {missing}; {tr(WAY_BACK)}")
    if problem := damaged_in_words(found):
        damage = f"{book.store.vault_where}: {problem}"
        if names:
            raise Refused(
                phrase(
                    "{damage}; {way_back}; `export --without-names` writes only the lines",
                    damage=damage,
                    way_back=phrase(WAY_BACK),
                )
            )
        say(damage)


def _beside(output: OutFile) -> tuple[OutFile, OutFile]:
    """Return the files next to an export: its signed head, and the hashes of its lines."""
    from ledger.proof.heads import CHECKPOINT, HASHES

    return output.followed_by(CHECKPOINT), output.followed_by(HASHES)


def _refuse_places(desk: Desk, output: OutFile) -> None:
    """Refuse any of the three files before the first one is written."""
    from ledger.files.kinds import LOG

    desk.files.refuse_to_replace(output, LOG)
    for file in _beside(output):
        desk.files.refuse_to_replace(file)


def _export_head(desk: Desk, output: OutFile, kept: StoredCheckpoint | None) -> None:
    """Write the signed head and the hashes of the lines next to an export."""
    from cli.machine.keyring import key_is_missing
    from ledger.proof.formats import leaf_hash

    head, hashes = _beside(output)
    if kept is None:
        say(
            tr(
                "no signed head was written: {reason}",
                reason=key_is_missing(desk.tournament),
            )
        )
        desk.files.remove(head)
        desk.files.remove(hashes)
        return
    desk.files.write(head, [kept.note.encode()])
    desk.files.write(hashes, map(leaf_hash, desk.book.lines))
    say(
        tr(
            "next to it: its signed head, {head}, and the hashes of its lines, {hashes}",
            head=head.name,
            hashes=hashes.name,
        )
    )


def _export_tiles(desk: Desk, folder: OutFile) -> None:
    """Write the files of a static host; the head last, so that it never runs ahead of its tiles."""
    from ledger.proof.evidence import Prover, tiles

    kept = signed_head(desk)
    lines = desk.book.lines[: kept.size]
    for name, data in tiles(Prover(lines), lines, kept.note.encode()):
        desk.files.write_within(folder, name, data)
    show_value(desk, {"folder": str(folder), "events": len(lines)})
    say(
        tr(
            "{folder}: {counted} as tiles, with their signed head",
            folder=folder,
            counted=how_many(len(lines), "event"),
        )
    )

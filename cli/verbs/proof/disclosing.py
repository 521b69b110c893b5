"""`export --for`, `verify --disclosed`: chosen texts for one reader, and read by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole
from cli.machine.backup_keys import reader_here, reader_named
from cli.machine.keyring import proving
from cli.terminal.output import say, show, show_json
from cli.terminal.visible import how_many, visible
from ledger.errors import InvalidLog, Refused

if TYPE_CHECKING:
    from cli.input.file_names import InFile, OutFile
    from ledger.proof.disclosures import ShownText
    from ledger.proof.table import CheckTable

ALL = "all"
WHICH = "export --for takes --event N, as often as you like, or --texts all"


def disclose(
    desk: Desk, reader: InFile, events: Sequence[str], texts: str, output: OutFile
) -> None:
    """Write the keys of chosen events to a file for one reader; Refused says which cannot be."""
    from ledger.exchange.disclosing import all_keys, keys_of_events
    from ledger.files.kinds import DISCLOSURE
    from ledger.proof.disclosures import disclosure

    if not reader or bool(events) == bool(texts) or texts not in {"", ALL}:
        raise UsageError(WHICH)
    if not output:
        raise UsageError("export --for writes a file: name it with -o")
    named, book = reader_named(desk.files.named(reader)), desk.book
    places = [whole("--event", each, 1) for each in events]
    keys = all_keys(book) if texts else keys_of_events(book, places)
    if not keys:
        raise Refused("no key of any text is in this store: there is nothing to show")
    size = desk.files.write(output, [disclosure(book.stream, keys, named)], DISCLOSURE)
    if desk.json:
        show_json({"file": str(output), "events": len(keys), "bytes": size})
    say(
        f"{output}: the texts of {how_many(len(keys), 'event')}, for {named.name} alone; they read "
        f"them beside an export: tourney verify FILE --disclosed {output}"
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
    from ledger.exchange.names import is_names
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
        show(f"event {each.seq}, {each.type}, {each.path}: {visible(each.text)}")
    show("")


def texts_as_json(shown: Sequence[ShownText]) -> list[dict[str, object]]:
    """Give what was shown as records."""
    members = ("seq", "id", "type", "path", "text")
    return [dict(zip(members, each, strict=True)) for each in shown]


def refuse_alone(file: InFile | None, disclosed: InFile) -> None:
    """Refuse a disclosure without the log that it is of, as UsageError or InvalidLog."""
    if disclosed and file is None:
        raise UsageError("--disclosed needs the log that the texts stand in: verify FILE")
    if disclosed and file == disclosed:
        raise InvalidLog(f"{disclosed} is named twice: FILE is the log, --disclosed its texts")

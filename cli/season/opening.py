"""A season opened for any verb: a known file as it is, any other as a clean copy of its rows.

A file that this machine left or verified is opened directly. Of any other file a separate process,
which can open nothing else, copies the rows of the expected tables and verifies the signed head.
The copy is opened instead, and removed at the end. It states about itself what the head proves: the
rows of a tournament are checked here, by a stranger, or unsigned. A season that is written is made
next to its place, and put there whole.

    seen/<season>.season.json   the file, its state (inode, size, times) and how often it was signed

A file is known only in the state that is kept here: a single byte written to it, or another file in
its place, has another time of change, which no program can set. The record is in the key folder: a
person who can write there has the keys as well.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from cli.languages.speaking import marked, tr
from cli.machine.keyring import folder, season_keys, season_signer
from cli.season import sandbox
from cli.season.endings import closed_when_ended
from cli.terminal.output import Caveat, say, set_caveat
from cli.terminal.problems import reason_of
from cli.terminal.visible import how_many
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.files.system import has_memory_limit, replace_file
from ledger.problems import phrase, problem, remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

    from ledger.proof.notes import Signer
    from projections.season.loading.intake import LogOutcome
    from projections.season.loading.publishing import Sealing
    from projections.season.tables.copying import Copied
    from projections.season.tables.signed_heads import SeasonHead, SignedLines, SignWith

RECORDS_FOLDER = "seen"
RECORD_ENDING = ".season.json"
RECORD_BYTES_MAX = 10_000


class OwnSeason(Struct, frozen=True, forbid_unknown_fields=True):
    """A file with a season that this machine signed, and its state at that time."""

    file: str
    state: tuple[int, ...]
    number: int


def state_of(file: Path) -> tuple[int, ...]:
    """Return what changes with any write to a file; () if writes are pending next to it."""
    if file.with_name(f"{file.name}.wal").exists():
        return ()
    with suppress(OSError):
        found = file.stat()
        return (
            found.st_dev,
            found.st_ino,
            found.st_size,
            found.st_mtime_ns,
            found.st_ctime_ns,
        )
    return ()


def is_known(file: Path) -> bool:
    """Return whether a file is in the state in which this machine left or verified it."""
    state, place = state_of(file), str(file.resolve())
    return bool(state) and any(each.file == place and each.state == state for each in _records())


def last_number(season: str) -> int:
    """Return how often this machine signed a season, at least; 0 if that is not known."""
    record = _read_record(_record_place(season))
    return record.number if record is not None else 0


def keep_record(file: Path, head: SeasonHead) -> None:
    """Remember a file in its present state; without a word if the folder cannot be written."""
    import msgspec

    from ledger.files.access import make_private_folder, whole_file

    number = max(head.number, last_number(head.season))
    record = OwnSeason(str(file.resolve()), state_of(file), number)
    with suppress(OSError):
        make_private_folder(folder() / RECORDS_FOLDER)
        with whole_file(_record_place(head.season)) as written:
            written.write(msgspec.json.encode(record))


def _record_place(season: str) -> Path:
    return folder() / RECORDS_FOLDER / f"{season}{RECORD_ENDING}"


def _records() -> Iterator[OwnSeason]:
    for path in sorted((folder() / RECORDS_FOLDER).glob(f"*{RECORD_ENDING}")):
        if (record := _read_record(path)) is not None:
            yield record


def _read_record(path: Path) -> OwnSeason | None:
    """Read a record; None if it is missing or damaged: the file is verified again."""
    import msgspec

    from ledger.files.access import first_bytes

    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(first_bytes(path, RECORD_BYTES_MAX), type=OwnSeason)
    return None


LEFT = "tourney-copy-"
"""How the folder of a copy begins; the next one removes what a killed program left."""

COPY_SECONDS = 600
"""How long the rows of a file may take to be copied."""

Origin = Literal["checked here", "by a stranger", "unsigned"]

_OF_VALUES = (ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError)
"""What a value that no log gives can cause where it is used."""


class SafeSeason(NamedTuple):
    """A season that may be opened: the file or folder to open, and whose rows a head covers."""

    file: Path
    called: Path
    """The file as its user named it."""

    signed: Origin
    """What is true of the tournaments that the head covers; every other one is unsigned."""

    is_own: bool
    """Whether this machine left or verified every byte of it."""


@contextmanager
def season_at(
    file: Path, policy_keys: tuple[str, ...] = (), *, hears_signals: bool = True
) -> Iterator[SafeSeason]:
    """Have a season that can be opened without a risk; raises as `open_season`.

    A signal that ends the program removes the copy first. A hall hears its signals itself, and may
    open and close a season in any thread.
    """
    from projections.season.loading.scratch import room_beside
    from projections.season.tables.database import refuse_other_files

    if file.is_dir():
        yield _folder_at(file, policy_keys)
        return
    if not file.exists():  # `open_season` says so
        yield SafeSeason(file, file, "unsigned", is_own=False)
        return
    refuse_other_files(file)
    if is_known(file):
        yield SafeSeason(file, file, "checked here", is_own=True)
        return
    hearing = closed_when_ended() if hears_signals else nullcontext()
    with hearing, room_beside(Path(tempfile.gettempdir()), LEFT) as room:
        to = room / "season.duckdb"
        state = state_of(file)
        keys = tuple(season_keys())
        copied = _copied(file, to, keys, is_draft=False)
        signed = _origin(copied, (*keys, *policy_keys))
        if signed == "checked here":
            _keep_verified(file, copied, state)
        yield SafeSeason(to, file, signed, is_own=False)


def refuse_unbounded(file: Path) -> None:
    """Refuse a question to a season from elsewhere on a system without a limit of memory."""
    if has_memory_limit() or not file.exists() or is_known(file) or _is_own_folder(file):
        return
    text = marked(
        "{file} was not made on this computer, and this system cannot limit the memory "
        "of a question to it: make the season here from its logs, or ask on Linux"
    )
    deriving = remedy("season.derive")
    raise Refused(problem("season.unbounded", text, file=str(file), remedy=deriving))


def _is_own_folder(folder: Path) -> bool:
    """Whether a folder's manifest is signed by a key of this computer."""
    from projections.season.loading.manifest import read_manifest
    from projections.season.loading.publishing import signer_of
    from projections.season.tables.database import FORMAT

    return folder.is_dir() and signer_of(read_manifest(folder, FORMAT)) in season_keys()


def _folder_at(folder: Path, policy_keys: tuple[str, ...]) -> SafeSeason:
    """Return what is known of a season in a folder: its manifest covers every byte of its files."""
    from projections.season.loading.manifest import MANIFEST, read_manifest
    from projections.season.loading.publishing import signer_of
    from projections.season.tables.database import FORMAT

    listed = folder / MANIFEST
    if is_known(listed):
        return SafeSeason(folder, folder, "checked here", is_own=True)
    state, manifest = state_of(listed), read_manifest(folder, FORMAT)
    by, keys = signer_of(manifest), season_keys()
    if by not in keys:
        _hold_rows(folder)
    if by in keys and manifest.head is not None and state == state_of(listed):
        keep_record(listed, manifest.head)
    if by in (*keys, *policy_keys):
        return SafeSeason(folder, folder, "checked here", is_own=by in keys)
    return SafeSeason(folder, folder, "by a stranger" if by else "unsigned", is_own=False)


def _hold_rows(folder: Path) -> None:
    """Check the parts of another machine against the tables, in a separate process."""
    from projections.season.loading.manifest import damaged

    try:
        with sandbox.bounded(_check_rows, folder, seconds=COPY_SECONDS):
            return
    except (Refused, RuntimeError) as error:
        raise damaged(
            folder, tr("its parts cannot be read ({error})", error=reason_of(error))
        ) from None


def _check_rows(folder: Path) -> tuple[None, list[bytes]]:
    from projections import processes
    from projections.season.loading.manifest import read_manifest
    from projections.season.loading.strange_parts import hold_rows
    from projections.season.tables.database import FORMAT

    processes.limit_memory()
    hold_rows(folder, read_manifest(folder, FORMAT))
    return None, []


def _origin(copied: Copied, keys: tuple[str, ...]) -> Origin:
    """Say whose head covers the rows, and on the terminal if rows are not those it covers."""
    proves = copied.proves
    if proves.altered:
        say(
            tr(
                "the rows of {tournaments} are not those that were signed: run `season add` with "
                "their logs to derive them again",
                tournaments=how_many(proves.altered, "tournament"),
            )
        )
    if not proves.by:
        return "unsigned"
    return "checked here" if proves.by in keys else "by a stranger"


def _keep_verified(file: Path, copied: Copied, state: tuple[int, ...]) -> None:
    """Remember a file of which every row was verified under a key of this machine."""
    head = copied.head
    assert head is not None  # noqa: S101 - it was signed
    if head.number < last_number(head.season):
        say(
            tr("{file} is an earlier state of this season, which was signed again later", file=file)
        )
        return
    is_complete = copied.is_whole and len(copied.proves.tournaments) == copied.tournaments
    if is_complete and state == state_of(file) and head.key in season_keys():
        keep_record(file, head)


def _copied(file: Path, to: Path, own_keys: tuple[str, ...], *, is_draft: bool) -> Copied:
    """Copy the rows of a file in a process of its own; StoreUnavailable if it is damaged."""
    from projections.season.tables.database import damaged_season

    try:
        with sandbox.bounded(_copy, file, to, own_keys, is_draft, seconds=COPY_SECONDS) as (
            copied,
            _,
        ):
            found: Copied = copied
            return found
    except (Refused, RuntimeError) as error:
        raise damaged_season(
            file, tr("its rows cannot be copied ({error})", error=reason_of(error))
        ) from None


def _copy(
    file: Path,
    to: Path,
    own_keys: tuple[str, ...],
    is_draft: bool,  # noqa: FBT001 - the process hands it on by place
) -> tuple[Copied, list[bytes]]:
    from projections import processes
    from projections.season.tables.copying import copy_season

    processes.limit_memory()
    return copy_season(file, to, own_keys, is_draft=is_draft), []


@contextmanager
def opened(file: Path) -> Iterator[DuckDBPyConnection]:
    """Open a season for reading; raises as `open_season`."""
    with season_at(file) as season, reading(season) as connection:
        yield connection


@contextmanager
def reading(season: SafeSeason) -> Iterator[DuckDBPyConnection]:
    """Open a season that is safe to open; raises as `open_season` and `only_known_values`."""
    from projections.season.tables.database import open_season

    with (
        only_known_values(season),
        open_season(season.file, read_only=True, called=season.called) as connection,
    ):
        _say_unsigned(connection)
        yield connection


def _say_unsigned(connection: DuckDBPyConnection) -> None:
    """Repeat in every view of a season which logs were taken unsigned, and why.

    Pages and JSON objects that are made from the season repeat it, too.
    """
    lines = sandbox.unsigned_in_words(connection)
    for line in lines:
        say(line)
    set_caveat("unsigned", Caveat(tuple(lines), lines) if lines else None)


@contextmanager
def only_known_values(season: SafeSeason) -> Iterator[None]:
    """Raise StoreUnavailable if a season of another machine holds values that no log gives."""
    import duckdb

    from projections.season.tables.database import damaged_season

    try:
        yield
    except LedgerError:
        raise
    except (duckdb.Error, *_OF_VALUES) as error:
        if season.is_own or isinstance(error, duckdb.InterruptException):
            raise
        why = " ".join(str(error).split())[:200]
        raise damaged_season(
            season.called, tr("it contains values that a log cannot have: {why}", why=why)
        ) from None


def listed_rows(season: SafeSeason, connection: DuckDBPyConnection) -> list[dict[str, Any]]:
    """List the tournaments as records, each with the word for its rows.

    A log of which lines were taken that no head covers has the reason for it.
    """
    from projections.season.for_readers import listed
    from projections.season.tables.season_head import claimed

    covered = claimed(connection)
    reasons = dict(connection.execute("SELECT tournament, reason FROM unsigned_logs").fetchall())
    return [
        {
            **row,
            "checked": season.signed if row["tournament"] in covered else "unsigned",
            "unsigned_reason": reasons.get(row["tournament"]),
        }
        for row in listed(connection)
    ]


def head_and_lines(season: SafeSeason, connection: DuckDBPyConnection) -> SignedLines | None:
    """Return the head of a season with the lines that it covers; None if it has none."""
    from projections.season.loading import publishing
    from projections.season.loading.manifest import read_manifest
    from projections.season.tables import season_head
    from projections.season.tables.database import FORMAT
    from projections.season.tables.signed_heads import SignedLines

    if season.file.is_dir():
        manifest = read_manifest(season.file, FORMAT)
        head = manifest.head if publishing.signer_of(manifest) else None
        return SignedLines(head, publishing.lines_of(manifest, head.number)) if head else None
    head = season_head.head_of(connection)
    if head is None:
        return None
    claimed = season_head.claimed(connection)
    return SignedLines(head, season_head.lines_of(connection, head.number, claimed))


@contextmanager
def writing(file: Path) -> Iterator[DuckDBPyConnection]:
    """Open a season to write to it: a known file as it is, else a copy that takes its place.

    Raises:
        StoreUnavailable: the file is damaged, or another program changed it meanwhile.
    """
    from projections.season.tables.database import open_season, refuse_other_files

    if is_known(file) or file.is_dir():
        with open_season(file) as connection:
            yield connection
        remember(file)
        return
    refuse_other_files(file)
    state, place = state_of(file), file.resolve()
    with drafted(place) as draft:
        _copied(file, draft, tuple(season_keys()), is_draft=True)
        with open_season(draft, called=file) as connection:
            yield connection
        shutil.copymode(place, draft)
        put_in_place(draft, place, state)


@contextmanager
def drafted(file: Path) -> Iterator[Path]:
    """Have a name next to a file for what will take its place; what remains there is removed."""
    import os

    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        yield draft
    finally:
        for each in (draft, draft.with_name(f"{draft.name}.wal")):
            each.unlink(missing_ok=True)


def put_in_place(draft: Path, file: Path, state: tuple[int, ...] | None) -> None:
    """Put a draft in the place of a file that is as it was; None if it may be as it likes.

    Raises:
        StoreUnavailable: another program changed the file meanwhile.
        OSError: there is no room.
    """
    import errno
    import os

    from ledger.errors import StoreUnavailable
    from ledger.files.access import sync_folder

    if draft.with_name(f"{draft.name}.wal").exists():
        # DuckDB had no room to put it into its file, and raised no error
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if state is not None and state_of(file) != state:
        raise StoreUnavailable(
            phrase(
                "{file} was changed by another program meanwhile: run the command again",
                file=str(file),
            )
        )
    replace_file(draft, file)
    sync_folder(file.parent)
    file.with_name(f"{file.name}.wal").unlink(missing_ok=True)
    remember(file)


def remember(file: Path) -> None:
    """Remember a season that was just written here, if it was signed."""
    from projections.season.tables.database import open_season
    from projections.season.tables.season_head import head_of

    if not file.is_file():
        return
    with open_season(file, read_only=True) as connection:
        head = head_of(connection)
    if head is not None:
        keep_record(file, head)


def signing(connection: DuckDBPyConnection, other_key: str = "") -> SignWith:
    """Return what gives the key of a season: the one that signed it here before, else a new one."""

    def sign_with() -> Signer:
        from projections.season.tables.season_head import head_of

        head = head_of(connection)
        return season_signer(head.key if head is not None else other_key)

    return sign_with


def sealing(folder: Path) -> Sealing:
    """Return how the manifest of a folder is signed: with the key that signed it here before."""
    from projections.season.loading.manifest import MANIFEST, read_manifest
    from projections.season.loading.publishing import Sealing, signer_of
    from projections.season.tables.database import FORMAT

    keys = season_keys()
    has_manifest = (folder / MANIFEST).exists()
    by = signer_of(read_manifest(folder, FORMAT)) if has_manifest else ""
    return Sealing(lambda: season_signer(by), frozenset(keys))


def key_of(file: Path) -> str:
    """Return the key of this machine that signed a season; empty if none did, or it is damaged."""
    try:
        with season_at(file) as season, reading(season) as connection:
            from projections.season.tables.season_head import head_of

            head = head_of(connection)
    except LedgerError:
        return ""
    return head.key if head is not None and season.signed == "checked here" else ""


ARCHIVE = ".parquet"


def make_season(
    file: Path,
    fill: Callable[[DuckDBPyConnection, SignWith], list[LogOutcome]],
    *,
    is_first: bool,
    key: str = "",
) -> list[LogOutcome]:
    """Make a season next to its place, and put it there if any log is in it.

    It is signed with the key of this machine that `key` names, else with a new one.

    Raises:
        StoreUnavailable: it cannot be written, or another program made the first one meanwhile.
    """
    from projections.season.tables.database import open_season, written

    with written(file), drafted(file) as draft:
        with open_season(draft, create=True, called=file) as connection:
            taken = fill(connection, signing(connection, key))
        if is_first and file.exists():
            raise StoreUnavailable(
                phrase(
                    "{file} was made by another program meanwhile: run the command again",
                    file=str(file),
                )
            )
        if any(outcome.fate not in {"skipped", "removed"} for outcome in taken):
            put_in_place(draft, file, None)
    return taken


def is_derived(place: Path) -> bool:
    """Return whether a place is a season that is a folder of parts."""
    from projections.season.loading.manifest import MANIFEST

    return (place / MANIFEST).is_file()


def is_archive(place: Path) -> bool:
    """Return whether a place is a Parquet file, or a folder of such."""
    if place.is_dir():
        return next(place.glob(f"*{ARCHIVE}"), None) is not None
    return place.suffix == ARCHIVE

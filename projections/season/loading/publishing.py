"""A season's folder while it is written: one process derives, and the manifest changes last.

A file that no manifest names any more stays as long as any process reads the season and holds a
lock on it; then it goes with the next derive. The files that an interrupted derive had put in place
are listed in a separate file before, so that the next derive can tell them from another season's.

The signed head of the folder covers the manifest, a log and a file at a time. A manifest that no
key of this machine signed may come from anywhere: what it claims of its logs (that they were
checked, or derived here) does not count, and a log that is given again is derived again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import Refused, StoreUnavailable
from ledger.files.access import (
    first_bytes,
    make_folder,
    sync_folder,
    whole_file,
    write_whole,
)
from ledger.files.kinds import MANIFEST as KIND
from ledger.files.locks import InUse, NoLock, lock_beside, take_alone
from ledger.files.system import replace_file
from ledger.problems import phrase
from projections.season.loading.manifest import (
    ENCODER,
    MANIFEST,
    READERS,
    ListedAlias,
    ListedChunk,
    ListedLog,
    Manifest,
    TablePart,
    damaged,
    encoded,
    is_part_file,
    read_manifest,
    table_names,
)
from projections.season.loading.scratch import PREFIX
from projections.season.loading.strange_parts import hold_rows
from projections.season.tables.database import FORMAT
from projections.season.tables.signed_heads import SignWith, covers, signed_head


class Sealing(Struct, frozen=True):
    """How a folder's manifest is signed, and the verifier keys of this machine."""

    sign_with: SignWith
    own_keys: frozenset[str]

    def trusted(self, folder: Path, manifest: Manifest) -> Manifest:
        """Return a manifest with only the claims that a key of this machine signed.

        The parts of another machine are checked first, since this machine will sign them.
        """
        if signer_of(manifest) in self.own_keys:
            return manifest
        hold_rows(folder, manifest)
        return replace(manifest, chunks=tuple(map(_without_claims, manifest.chunks)))

    def sealed(self, manifest: Manifest) -> Manifest:
        """Sign a manifest, once more than before."""
        number = manifest.head.number + 1 if manifest.head is not None else 1
        head = signed_head(self.sign_with(), number, lines_of(manifest, number))
        return replace(manifest, head=head)


def signer_of(manifest: Manifest) -> str:
    """Return the verifier key that signed a manifest; empty if none did."""
    head = manifest.head
    return head.key if head is not None and covers(head, lines_of(manifest, head.number)) else ""


def lines_of(manifest: Manifest, number: int) -> list[str]:
    """Return the lines that a head covers: all that a manifest states, but what it retired."""
    return [
        f"folder {manifest.format} {manifest.tables} {number}",
        *([f"vault {manifest.vault}"] if manifest.vault else []),
        *(f"alias {_as_json(alias)}" for alias in manifest.aliases),
        *(line for chunk in manifest.chunks for line in _of_chunk(chunk)),
    ]


def _of_chunk(chunk: ListedChunk) -> list[str]:
    return [
        f"chunk {chunk.name} {chunk.year}",
        *(f"log {_as_json(log)}" for log in chunk.logs),
        *(f"part {_as_json(part)}" for _, part in sorted(chunk.parts.items())),
    ]


def _as_json(value: ListedAlias | ListedLog | TablePart) -> str:
    return ENCODER.encode(value).decode()


def _without_claims(chunk: ListedChunk) -> ListedChunk:
    return replace(
        chunk, logs=tuple(replace(log, checked_by="", is_own=False) for log in chunk.logs)
    )


DERIVING = "deriving"
"""The lock of the one who derives into a folder."""

LOCKS_BEFORE = frozenset({".deriving.lock", ".readers.lock"})
"""Files of locks that earlier releases left in the folder itself."""

ROOMS_BEFORE = ".season-load-"
"""The beginning of the folders that a load of an earlier release left."""

COMING = ".coming.json"
"""Names the parts that are about to be put in place."""

COMING_MAX = 64 << 20
"""How many bytes of it are read."""


@contextmanager
def season_folder(folder: Path) -> Iterator[Manifest]:
    """Have a season's folder for ourselves; yields what is in it, of a new one nothing.

    Raises:
        Refused: it has files that are no part of this season.
        StoreUnavailable: another program derives into it, or it is damaged or cannot be written.
    """
    is_new = not folder.exists()
    with ExitStack() as stack:
        try:
            make_folder(folder)
            stack.enter_context(_alone(folder))
            manifest = _begun(folder)
        except OSError as error:
            raise StoreUnavailable(
                phrase(
                    "{folder} cannot be written: {reason}",
                    folder=str(folder),
                    reason=str(error.strerror),
                )
            ) from None
        try:
            yield manifest
        finally:
            if is_new and not (folder / MANIFEST).exists():
                _leave_nothing(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        lock = take_alone(lock_beside(folder, DERIVING))
    except InUse:
        text = phrase(
            "{folder} is being derived by another program: wait, and try again",
            folder=str(folder),
        )
        raise StoreUnavailable(text) from None
    with lock:
        yield


def _begun(folder: Path) -> Manifest:
    """Read the manifest, and remove what a derive that was ended left behind."""
    has_manifest = (folder / MANIFEST).exists()
    manifest = read_manifest(folder, FORMAT) if has_manifest else Manifest(FORMAT)
    named = {part.file for part in manifest.files()} | set(manifest.retired)
    coming = _coming(folder) - named
    _refuse_strangers(folder, named | coming, has_manifest=has_manifest)
    for part in manifest.files():
        _refuse_missing(folder, part.file, part.bytes)
    for draft in (*folder.glob(f".{MANIFEST}.*.part"), *folder.glob(f"{COMING}.*.part")):
        draft.unlink()
    _remove(folder, coming)
    (folder / COMING).unlink(missing_ok=True)
    _remove_unread(folder, manifest.retired, is_later=True)
    return manifest


def _coming(folder: Path) -> set[str]:
    try:
        names = msgspec.json.decode(first_bytes(folder / COMING, COMING_MAX), type=list[str])
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return set()
    return set(filter(is_part_file, names))


def _refuse_strangers(folder: Path, names_known: set[str], *, has_manifest: bool) -> None:
    """Refuse a folder with parts of another season, and a new one with anything in it."""
    for table in table_names():
        if not (folder / table).resolve().is_relative_to(folder.resolve()):
            raise Refused(
                phrase(
                    "{folder} leads out of the season's folder: name a new folder",
                    folder=str(folder / table),
                )
            )
        for path in sorted((folder / table).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and name not in names_known:
                raise Refused(
                    phrase(
                        "{path} is not a part of the season in {folder}: one folder cannot "
                        "contain parts of two seasons",
                        path=str(path),
                        folder=str(folder),
                    )
                )
    ours = {COMING, *LOCKS_BEFORE, *table_names()}
    drafts = (PREFIX, ROOMS_BEFORE, f".{MANIFEST}.", COMING)
    for path in sorted(folder.iterdir()) if not has_manifest else ():
        if path.name not in ours and not path.name.startswith(drafts):
            raise Refused(
                phrase(
                    "{folder} contains other files ({name}): name a new folder",
                    folder=str(folder),
                    name=path.name,
                )
            )


def _refuse_missing(folder: Path, name: str, size: int) -> None:
    """Refuse a part that is gone or of another size; its hash is looked at where it is read."""
    with suppress(OSError):
        if (folder / name).stat().st_size == size:
            return
    raise damaged(folder, f"its part {name} is missing or altered")


def publish(folder: Path, before: Manifest, after: Manifest, room: Path) -> None:
    """Put the parts that are new into place, and then the manifest; remove what nobody reads.

    Raises:
        OSError, Refused: it cannot be written; the season is as it was.
    """
    files_before = set(before.files())
    files = {part.file for part in after.files()}
    coming = sorted(part.file for part in after.files() if part not in files_before)
    retired = sorted(({part.file for part in files_before} | set(before.retired)) - files)
    with whole_file(folder / COMING) as file:  # which is no answer that could have landed
        file.write(ENCODER.encode(coming))
    _put_in_place(folder, room, coming)
    complete = replace(after, retired=tuple(retired))
    write_whole(folder / MANIFEST, [encoded(complete)], KIND)
    (folder / COMING).unlink(missing_ok=True)
    _remove_unread(folder, retired)


def tell_apart(
    folder: Path,
    aliases: Sequence[ListedAlias],
    sealing: Sealing | None = None,
    vault: str = "",
) -> bool:
    """Make a season tell persons apart as the league does; whether anything changed.

    `vault` is the digest of the vault's key; empty: it stays as it was.
    """
    with season_folder(folder) as before:
        known_manifest = sealing.trusted(folder, before) if sealing is not None else before
        after = replace(
            known_manifest, aliases=tuple(aliases), head=before.head, vault=vault or before.vault
        )
        if (after.aliases, after.vault) == (before.aliases, before.vault):
            return False
        signed = sealing.sealed(after) if sealing is not None else replace(after, head=None)
        write_whole(folder / MANIFEST, [encoded(signed)], KIND)
    return True


def _put_in_place(folder: Path, room: Path, files: Sequence[str]) -> None:
    places = set()
    for name in files:
        place = folder / name
        make_folder(place.parent)
        replace_file(room / name, place)
        places.add(place.parent)
    for place in places:
        sync_folder(place)


def _remove_unread(folder: Path, retired: Sequence[str], *, is_later: bool = False) -> None:
    """Remove retired files if nobody reads the season; where that cannot be known, only later."""
    try:
        lock = take_alone(lock_beside(folder, READERS))
    except InUse:
        return
    except NoLock:
        if is_later:
            with suppress(OSError):
                _remove(folder, retired)
        return
    with lock, suppress(OSError):
        _remove(folder, retired)


def _remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)


def _leave_nothing(folder: Path) -> None:
    """Take a folder away again that came to nothing."""
    with suppress(OSError):
        for name in (COMING, *LOCKS_BEFORE):
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()

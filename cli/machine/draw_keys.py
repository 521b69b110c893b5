"""The key of the draws as a file on the organizer's machine, where `new --draw-key here` put it.

The vault then has the name of that machine alone: who reads it foretells nothing. The file is
opened while the store's write lock is not held, as every other key.
"""

from __future__ import annotations

import os
import re
import socket
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from cli.languages.speaking import tr
from cli.machine import keyring
from cli.machine.keyring import LOG, folder, key_path
from cli.terminal.output import say
from ledger.books.vault import (
    DRAW_KEY_AT,
    SHUFFLE,
    SHUFFLE_KEY,
    at_name,
    machine_of_draws,
)
from ledger.errors import InvalidLog, NoDrawKey, Refused
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.books.book import Book
    from ledger.store import Store
    from ledger.tournament.state import CommittedKey, Tournament

DRAWS = "draws"
_LINE = re.compile(r"PRIVATE\+DRAWS\+([0-9a-f]{32})\+([0-9a-f]{64})")
_NOT_SHOWN = re.compile(r"[^A-Za-z0-9._-]+")

Drawn = TypeVar("Drawn")


def machine_name() -> str:
    """Return this machine's name, as the other desks are shown it."""
    return _NOT_SHOWN.sub("-", socket.gethostname()).lstrip("._-")[:64] or "unnamed"


def draw_key_path(stream: str, key: CommittedKey | None = None) -> Path:
    """Return the file of a draw key; without a key, that of the first one."""
    return _path(stream, "" if key is None or key.seq == 1 else key.command_id)


def _path(stream: str, command_id: str) -> Path:
    return key_path(f"{DRAWS}-{command_id}" if command_id else DRAWS, stream)


def drawing(book: Book, draw: Callable[[], Drawn]) -> Drawn:
    """Do what may draw, perhaps with a key that is a file here; NoDrawKey where it is elsewhere."""
    try:
        return draw()
    except NoDrawKey:
        if not hand_in(book):
            raise
    return draw()


def hand_in(book: Book) -> bool:
    """Give the book the key that it draws with, if a file here has it; NoDrawKey if one had it."""
    tournament = book.tournament
    if not tournament.draw_keys:
        return False
    key = tournament.draw_keys[-1]
    path = draw_key_path(book.stream, key)
    if path.exists():
        secret = _read(path, book.stream)
        if sha256(secret).hexdigest() != key.commitment:
            raise InvalidLog(
                phrase(
                    "{path}: this is not the key that line {seq} commits to",
                    path=str(path),
                    seq=key.seq,
                )
            )
        book.give(secret)
        return True
    machine = machine_of_draws(tournament, book.store.vault_items(book.stream))
    if machine == machine_name():
        raise NoDrawKey(
            phrase(
                "the draws of this tournament are made on this computer, {machine}, but their "
                "key is not in {folder}: put back a copy of {name}, or if it is permanently "
                "lost, replace it with `key draws`",
                machine=machine,
                folder=str(folder()),
                name=path.name,
            )
        )
    return False


def _read(path: Path, stream: str) -> bytes:
    from ledger.files.key_files import read_line

    found = _LINE.fullmatch(keyring.opened_with(path, read_line))
    if found is None or found[1] != stream:
        raise InvalidLog(phrase("{path} is not this tournament's draw key", path=str(path)))
    return bytes.fromhex(found[2])


def make_draw_key(stream: str, command_id: str = "", *, sealed: bool) -> str:
    """Draw a key into a file, or take this command's of before; returns its SHA-256."""
    from ledger.files.key_files import write_line
    from ledger.proof.ciphers import RANDOM_BYTES

    path = _path(stream, command_id)
    if not path.exists():
        typed = keyring.passphrase_typed(key_path(LOG, stream)) if sealed else ""
        if sealed and not typed:  # none was typed just now for the log's key
            typed = keyring.new_passphrase(tr("the key of the draws"))
        line = f"PRIVATE+DRAWS+{stream}+{keyring.draw_key().hex()}"
        with keyring.proving():
            write_line(path, line, typed, os.urandom(RANDOM_BYTES))
        landed.note_place(str(path))
        say(tr("{path}: the key of the draws; keep a copy of it in a safe place", path=path))
    return sha256(_read(path, stream)).hexdigest()


def commitment_for_new(store: Store, stream: str, *, sealed: bool) -> str:
    """Make the key that a new tournament draws with here, named in the vault, or take it."""
    from ledger.books.open_log import taken

    if lines := store.lines(stream):
        return taken(lines).draw_keys[0].commitment
    commitment = make_draw_key(stream, sealed=sealed)
    store.vault_delete(stream, SHUFFLE_KEY)  # of the same line without --draw-key, which failed
    store.vault_put(stream, DRAW_KEY_AT, machine_name().encode())
    return commitment


def another_draw_key(book: Book, command_id: str, *, sealed: bool) -> str:
    """Draw a key in place of a lost one, where that was; returns its commitment, or Refused."""
    tournament, store = book.tournament, book.store
    for key in tournament.draw_keys:
        if key.command_id == command_id:
            return key.commitment
    _refuse_to_replace(book.stream, tournament)
    if not machine_of_draws(tournament, store.vault_items(book.stream)):
        if sealed:
            raise Refused(phrase("the key of the draws is in the vault: there is no file to seal"))
        return book.another_secret(SHUFFLE, command_id)
    commitment = make_draw_key(book.stream, command_id, sealed=sealed)
    name = at_name(f"{SHUFFLE_KEY}:{command_id}")
    store.vault_put(book.stream, name, machine_name().encode())
    return commitment


def _refuse_to_replace(stream: str, tournament: Tournament) -> None:
    """Refuse to replace a key whose file is here; one that nothing opens is moved away first."""
    used = tournament.draw_keys[-1:]
    if used and (path := draw_key_path(stream, used[0])).exists():
        raise Refused(
            phrase(
                "the key of the draws is in {path}: there is nothing to replace; if it is "
                "damaged, or its passphrase is lost, move that file away first",
                path=str(path),
            )
        )


def where_it_is(book: Book) -> str:
    """Say where the key of the draws is, and which file that is; empty where a vault has it."""
    machine = machine_of_draws(book.tournament, book.store.vault_items(book.stream))
    return in_words(book.stream, book.tournament, machine) if machine else ""


def in_words(stream: str, tournament: Tournament, machine: str) -> str:
    """Say which machine has the key of the draws, and which file that is."""
    path = draw_key_path(stream, tournament.draw_keys[-1])
    return tr(
        "{path} on the machine {machine}",
        path=path if path.exists() else path.name,
        machine=machine,
    )

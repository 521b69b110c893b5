"""Lists at this desk: as much of one as may be seen, and those of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.find_people import find_player, labelled
from cli.input.game_files import read_list_file
from ledger.errors import LedgerError, NotFound, Refused
from ledger.files.access import whole
from ledger.tournament.lists import hidden_hands

if TYPE_CHECKING:
    from cli.desk.session import Desk

FILES_MAX = 8_000
"""How many files a folder of lists holds: one for each player."""


def handed_text(desk: Desk, player: int) -> tuple[str, str]:
    """Return what who is at the desk may see of a list, and why it is not the whole one."""
    tournament, now = desk.tournament, desk.book.tournament
    held = tournament.lists[player]
    if not held.hidden:
        return held.text, ""
    clause = hidden_hands.clause_of(tournament)
    if not hidden_hands.may_see(now, desk.by, player):
        return held.text, f"the rest is hidden from opponents until `finish` ({clause})"
    revealed = bytes.fromhex(now.hidden_key)
    parts = hidden_hands.parts_of(tournament, revealed or desk.book.context().hidden_key, player)
    if parts is None:
        return held.text, f"the rest is sealed, and the key that opens it is not here ({clause})"
    return hidden_hands.joined(parts), ""


def lists_in_folder(desk: Desk, folder: str) -> dict[int, str]:
    """Return the list of each player that a folder has a file of.

    Raises:
        Refused: every problem of every file, two lists of one player among them.
    """
    found: dict[int, tuple[str, str]] = {}
    problems: list[str] = []
    for path in _files(folder):
        try:
            player, text = _read(desk, path)
        except LedgerError as error:
            lines = error.sentences or (str(error),)
            problems += (each if path.name in each else f"{path.name}: {each}" for each in lines)
            continue
        if player in found:
            both = f"{found[player][0]} and {path.name}"
            problems.append(f"{both} are both lists of {labelled(desk.tournament, player)}")
        found.setdefault(player, (path.name, text))
    if problems:
        raise Refused(*problems)
    if not found:
        raise Refused(f"{folder} holds no list")
    return {player: text for player, (_, text) in found.items()}


def _files(folder: str) -> Iterator[Path]:
    try:
        paths = sorted(Path(folder).iterdir())
    except OSError as error:
        raise NotFound(f"{folder} cannot be read: {error.strerror}") from None
    files = [path for path in paths if path.is_file() and not path.name.startswith(".")]
    if len(files) > FILES_MAX:
        raise Refused(f"{folder} holds more than {FILES_MAX:,} files")
    yield from files


def _read(desk: Desk, path: Path) -> tuple[int, str]:
    """Return whose list a file is, by the name in it, or else by what the file is called."""
    tournament = desk.tournament
    listed = read_list_file(str(path), hidden_hands.shape_of(tournament))
    try:
        player = find_player(tournament, listed.player or path.stem)
    except NotFound:
        if not listed.player:
            raise
        player = find_player(tournament, path.stem)
    return player, whole(path).decode("utf-8")

"""Lists at this desk: as much of one as may be seen, and those of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from cli.input.file_names import NO_INPUT, InFile
from cli.input.find_people import find_player, labelled
from cli.input.given_files import (
    read_card_file,
    read_written_list,
    say_written,
    written_list,
)
from cli.languages.speaking import in_figures, tr
from ledger.errors import LedgerError, NotFound, Refused
from ledger.facts import hands
from ledger.problems import Phrase, Problem, phrase

if TYPE_CHECKING:
    from pathlib import Path

    from cli.desk.session import Desk
    from ledger.exchange.lists import WrittenList
    from ledger.formats import CardFile
    from ledger.tournament.state import Tournament


class ReadFile(NamedTuple):
    """A file with a list, and the text to hand in."""

    path: Path
    written: WrittenList
    text: str

    def say(self) -> None:
        """Say how many cards were read, and what of the file is no part of the list."""
        say_written(self.path, self.written)


FILES_MAX = 8_000
"""How many files a folder of lists holds: one for each player."""


def handed_text(desk: Desk, player: int) -> tuple[str, str]:
    """Return what who is at the desk may see of a list, and why it is not the whole one."""
    tournament, now = desk.tournament, desk.book.tournament
    held = tournament.lists[player]
    if not held.hidden:
        return held.text, ""
    clause = hands.clause_of(tournament)
    if not hands.may_see(now, desk.by, player):
        return held.text, tr(
            "the rest is hidden from opponents until `finish` ({clause})", clause=clause
        )
    revealed = bytes.fromhex(now.hidden_key)
    parts = hands.parts_of(tournament, revealed or desk.book.context().hidden_key, player)
    if parts is None:
        return held.text, tr(
            "the rest is sealed, and its key is not on this computer ({clause})", clause=clause
        )
    return hands.joined(parts), ""


def list_in_file(desk: Desk, file: InFile, cards: InFile = NO_INPUT) -> ReadFile:
    """Read a list as its player's tool wrote it, with the facts of the cards if a file has them.

    Raises:
        Refused: every problem of it.
    """
    return _list_at(desk, desk.files.reading(file), cards)


def _list_at(desk: Desk, path: Path, cards: InFile) -> ReadFile:
    from ledger import formats

    tournament = desk.tournament
    document = tournament.opening.format if tournament.opening else None
    loaded = formats.of_document(document) if document else None
    known = read_card_file(desk.files.reading(cards), loaded) if cards and loaded else None
    written, text = read_written_list(path, loaded.format if loaded else None, known)
    return ReadFile(path, written, text)


def cards_of_event(desk: Desk, cards: InFile) -> CardFile:
    """Read the card file of the tournament's format; Refused where the tournament has no format."""
    from ledger import formats

    opening = desk.book.tournament.opening
    if opening is None or opening.format is None:
        raise Refused(phrase("the tournament has no format to check against: omit --cards"))
    return read_card_file(desk.files.reading(cards), formats.of_document(opening.format))


def text_handed_in(tournament: Tournament, text: str, cards: CardFile | None) -> str:
    """Return the text to hand in of a list that was pasted; Refused with every problem of it.

    Without a format it is what was pasted.
    """
    from ledger import formats

    document = tournament.opening.format if tournament.opening else None
    if document is None:
        return text
    data = text.encode("utf-8", "surrogatepass")
    return written_list(data, formats.of_document(document).format, cards)[1]


def lists_in_folder(desk: Desk, folder: InFile, cards: InFile = NO_INPUT) -> dict[int, ReadFile]:
    """Return the list of each player that a folder has a file of.

    Raises:
        Refused: every problem of every file, two lists of one player among them.
    """
    found: dict[int, ReadFile] = {}
    problems: list[Problem | Phrase] = []
    for path in _files(desk.files.reading(folder)):
        try:
            player, read = _read(desk, path, cards)
        except LedgerError as error:
            problems += (_of_file(path.name, each) for each in error.problems)
            continue
        if player in found:
            problems.append(
                phrase(
                    "{file} and {other} are both lists of {player}",
                    file=found[player].path.name,
                    other=path.name,
                    player=labelled(desk.tournament, player),
                )
            )
        found.setdefault(player, read)
    if problems:
        raise Refused(*problems)
    if not found:
        raise Refused(phrase("{folder} contains no list", folder=str(folder)))
    return found


def _of_file(name: str, problem: Problem) -> Problem:
    """Return a problem of a file as one that names the file."""
    named = problem if name in str(problem) else problem.within(name)
    return structs.replace(named, code=Refused.code, remedies=())


def _files(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise NotFound(
            phrase(
                "{folder} cannot be read: {error}", folder=str(folder), error=error.strerror or ""
            )
        ) from None
    files = [path for path in paths if path.is_file() and not path.name.startswith(".")]
    if len(files) > FILES_MAX:
        raise Refused(
            phrase(
                "{folder} contains more than {most} files",
                folder=str(folder),
                most=in_figures(FILES_MAX),
            )
        )
    yield from files


def _read(desk: Desk, path: Path, cards: InFile) -> tuple[int, ReadFile]:
    """Return whose list a file is, by the name in it, or else by what the file is called."""
    tournament = desk.tournament
    read = _list_at(desk, path, cards)
    listed = read.written.listed
    try:
        player = find_player(tournament, listed.player or path.stem)
    except NotFound:
        if not listed.player:
            raise
        player = find_player(tournament, path.stem)
    return player, read

"""A file before it is in a store: a log of ours, or a tournament from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.events.opening import TournamentFinished
from ledger.exchange.nrtm import read_nrtm
from ledger.exchange.places import placed
from ledger.exchange.programs import program_of, read_program
from ledger.exchange.replaying import Replay, replay
from ledger.exchange.sheets import Details, own_details, read_rounds
from ledger.exchange.translating import translate
from ledger.files.access import Unreadable, pieces, refuse_no_text, whole
from ledger.problems import problem, remedy

if TYPE_CHECKING:
    from ledger.books.vault import Secrets
    from ledger.exchange.foreign import ForeignTournament
    from ledger.exchange.translating import Ranking
    from ledger.proof.heads import Asked

    ReadAs = Callable[[ForeignTournament], ForeignTournament | None]

LOG, CSV, NRTM = "log", "csv", "nrtm"
_OWN = re.compile(rb'\s*\{\s*"(seq|id|type|at|by|data|sig)"\s*:')


class ParsedFile(Struct, frozen=True):
    """What a file holds, and the types and lines that a store would have of it."""

    path: Path
    content: Replay | ForeignTournament
    entries: list[tuple[str, bytes]]
    secrets: Secrets | None = None
    """The keys with which a foreign tournament that still runs is drawn from here on."""

    details: Details | None = None
    """What was typed about a spreadsheet of rounds."""

    @property
    def log(self) -> Replay | None:
        """The log of ours, if it is one."""
        return self.content if isinstance(self.content, Replay) else None

    @property
    def foreign(self) -> ForeignTournament | None:
        """The tournament as another program recorded it, if it is one."""
        return None if isinstance(self.content, Replay) else self.content


def read_file(
    path: Path,
    *,
    ranking: Ranking,
    secrets: Secrets | None = None,
    details: Details | None = None,
    trust: Asked = None,
    read_as: ReadAs | None = None,
) -> ParsedFile:
    """Read a file and hold it to the rules; no store is needed yet.

    A foreign tournament that is still running is drawn with the `secrets` from here on. The
    `details` are what a spreadsheet of rounds does not say itself. With `trust` it has to be a
    log of ours, with a head beside it that is accepted. `read_as` chooses the reading of a foreign
    tournament; if it returns None, the store has this very file, and no lines are made of it.

    Raises:
        NotFound: there is no such file.
        InvalidLog: it is of no known kind, or everything that is wrong with it.
    """
    kind = CSV if details is not None and details.is_sheet else kind_of_file(path)
    if kind == LOG:
        replayed = replay(path, ranking, trust=trust)
        return ParsedFile(path, replayed, replayed.entries)
    if trust is not None:
        raise InvalidLog(
            f"{path} is no log of ours: it has no signed head; leave --policy and --unsigned out"
        )
    try:
        foreign = read_foreign(kind, whole(path), details, path.stem)
        chosen = read_as(foreign) if read_as is not None else foreign
        if chosen is None:
            return ParsedFile(path, foreign, [], None, details)
        foreign = chosen
        entries = translate(foreign, ranking, secrets.commitments if secrets else ("", ""))
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(*placed(error, str(path))) from None
    is_running = all(kind != TournamentFinished.__name__ for kind, _ in entries)
    return ParsedFile(path, foreign, entries, secrets if is_running else None, details)


def read_published(path: Path, details: Details | None = None) -> ForeignTournament:
    """Read another program's file, whose standings are to be compared; nothing is made of it.

    Raises:
        NotFound: there is no such file.
        InvalidLog: everything that is wrong with it.
    """
    try:
        return read_foreign(kind_of_file(path), whole(path), details, path.stem)
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(*placed(error, str(path))) from None


def read_foreign(
    kind: str, data: bytes, details: Details | None, file: str = ""
) -> ForeignTournament:
    """Read a file of another program; InvalidLog says everything that is wrong with it."""
    known = details or Details("")
    if kind == NRTM:
        return read_nrtm(data, known.name, known.date)
    if kind == CSV:
        return read_rounds(data, known, file)
    return read_program(kind, data, known.ruleset, known.name, known.date)


def own_sheet(path: Path) -> Details | None:
    """Return what a sheet that this program wrote says of its event; None for another file.

    Raises:
        NotFound: there is no such file.
    """
    try:
        return own_details(whole(path))
    except Unreadable:
        raise
    except InvalidLog:
        return None


def kind_of_file(path: Path) -> str:
    """Return what a file is: a log of ours, NRTM, or the kind of another program's file.

    Raises:
        NotFound: there is no such file.
        InvalidLog: it is of no known kind.
    """
    refuse_no_text(path)
    beginning = next(iter(pieces(path)), b"")
    if not beginning.strip():
        raise InvalidLog(f"{path} is empty")
    beginning = beginning.removeprefix(b"\xef\xbb\xbf")
    own = _OWN.match(beginning)
    if own and own[1] != b"id":  # which other programs begin with as well
        return LOG
    if kind := program_of(whole(path)):
        return kind
    if own:
        return LOG
    if not beginning.lstrip().startswith(b"{"):
        text = (
            "{file} is of no known kind: an exported log, files of other programs and, with its "
            "game named, a CSV file of rounds can be imported"
        )
        ways = remedy("export"), remedy("import.rounds")
        raise InvalidLog(problem("import.unknown_kind", text, remedy=ways, file=str(path)))
    return NRTM

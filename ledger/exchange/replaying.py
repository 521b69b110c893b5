"""Our own lines read from a file: each one strictly canonical, admissible at its place, applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.errors import InvalidLog, LedgerError, OtherWire
from ledger.events.people import PersonRecorded
from ledger.exchange.names import is_names, name_persons, read_names
from ledger.exchange.places import joined, placed
from ledger.files.access import Unreadable, one_line, pieces, refuse_no_text
from ledger.fold import evolve, fold_lines
from ledger.lines import line as lines
from ledger.lines.recorded import Recorded, of_today
from ledger.lines.sealing import MARK, Seals, holds_text, kind_problems, unopened
from ledger.problems import in_words
from ledger.proof.formats import Invalid, Tree
from ledger.proof.heads import Asked, HeadWaiver, compared_file
from ledger.proof.signatures import SIGNED
from ledger.proof.verifier import SEALED_MARK
from ledger.rules import check
from ledger.rules.signing import goes_back
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.proof.table import Vouched
    from ledger.rules.references import Ranking


class Replay(Struct):
    """A log from a file: what it adds up to, and types and lines as a store has them."""

    tournament: Tournament = field(default_factory=Tournament)
    tree: Tree = field(default_factory=Tree)
    entries: list[tuple[str, bytes]] = field(default_factory=list)
    sealed: list[bytes] = field(default_factory=list)
    """Those of its lines that have a sealed name."""

    seals: Seals = field(default_factory=lambda: Seals(""))
    """The keys of names that came with the file."""

    vouched: Vouched | None = None
    """The head beside the file, which fits its lines."""

    note: bytes = b""
    """The signed head beside the file; empty unless a key of the log, or of a policy, signed it."""

    uncovered: int = 0
    """Number of last lines of a log with a key that no signed head covers."""

    taken_for: str = ""
    """The reason for which these were read."""

    signed: int = 0
    unsigned: int = 0
    renewed: int = 0
    pinned: int = -1
    """How many acts that an official may sign are signed, and how many are not; how many of them
    with a key that goes back to a lost one; and with one that a policy pins, -1: it pins none."""

    texts: int = 0
    """How many texts but names are sealed in the lines."""

    imported: int = 0
    """How many lines hold the facts of a foreign file, which few rules are held to."""

    @property
    def lines(self) -> list[bytes]:
        """The lines as they stood in the file, without their newlines."""
        return [line for _, line in self.entries]

    @property
    def stream(self) -> str:
        """The tournament's id."""
        opening = self.tournament.opening
        return opening.tournament if opening is not None else ""


def read_log(path: Path) -> Iterator[bytes]:
    """Yield a file's lines without their newlines, however large the file is.

    Raises:
        NotFound: there is no such file.
        InvalidLog: it cannot be read, a line is too long, or the last one was cut off.
    """
    refuse_no_text(path)
    try:
        yield from lines.split(pieces(path))
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(*placed(error, str(path))) from None


def replay(
    path: Path,
    ranking: Ranking | None = None,
    *,
    keep_lines: bool = True,
    trust: Asked = None,
) -> Replay:
    """Fold a log without a store; every line is held to the rules that hold for writing it.

    With a `ranking`, byes and cuts are held to the standings as well. The last line may be that of
    the names, which is no event. Without `keep_lines` nothing but what they add up to is kept. The
    head and the hashes beside the file are compared with its lines, all of which the head has to
    cover if the log names a key; with `trust` there has to be a head that it accepts.

    Raises:
        NotFound: there is no such file.
        InvalidLog: the first line that is wrong, and why.
    """
    refuse_no_text(path)
    with held_to_heads(str(path)):
        compared = compared_file(path, trust)
        read = compared.through(read_log(path))
        replayed = replay_lines(str(path), read, ranking, keep_lines=keep_lines)
        replayed.vouched = compared.settle(replayed.stream, replayed.tournament.keys)
        if replayed.vouched is not None and replayed.vouched.key is not None:
            replayed.note = compared.note
        replayed.pinned, replayed.uncovered = compared.pinned, compared.uncovered
        if isinstance(trust, HeadWaiver) and compared.uncovered:
            replayed.taken_for = trust.reason
    return replayed


@contextmanager
def held_to_heads(where: str) -> Iterator[None]:
    """Name the file whose lines are not those of a head.

    Raises:
        InvalidLog: instead of `Invalid`.
    """
    try:
        yield
    except Invalid as error:
        text, code = one_line(error.text), error.code
        raise InvalidLog(in_words(text, code, *error.officials).within(where)) from None


def begun_with(checked: Sequence[bytes], tree: Tree | None = None) -> Replay:
    """Begin behind the first lines of a log, which were held to the rules before: fold them.

    `tree` is that of these lines, where it is at hand.
    """
    return Replay(fold_lines(checked), tree or Tree().add_lines(checked))


def replay_lines(
    where: str,
    read: Iterable[bytes],
    ranking: Ranking | None = None,
    *,
    keep_lines: bool = True,
    begun: Replay | None = None,
) -> Replay:
    """Fold the lines of a file, by the rules of a replay; behind those that it has `begun` with.

    Raises:
        InvalidLog: the first line that is wrong, and why; it names `where` the lines are from.
    """
    replayed = begun or Replay()
    for number, line in enumerate(read, start=replayed.tree.size + 1):
        try:
            recorded = _add_line(replayed, line, ranking)
        except LedgerError as error:
            kind = OtherWire if isinstance(error, OtherWire) else InvalidLog
            raise kind(*placed(joined(error), f"line {number}", where)) from None
        if keep_lines and recorded is not None:
            replayed.entries.append((lines.name_in(line), line))
    if not replayed.tournament.seq:
        raise InvalidLog(f"{where} is empty: a log begins with TournamentOpened")
    return replayed


def _add_line(replayed: Replay, line: bytes, ranking: Ranking | None) -> Recorded | None:
    """Add a line; returns its event, None for the line of names."""
    seals, tournament = replayed.seals, replayed.tournament
    if seals.keys:
        raise InvalidLog("nothing follows the line of names")
    if tournament.seq and is_names(line):
        seals.tournament = replayed.stream
        seals.keys = read_names(line, seals, tournament)
        name_persons(replayed.sealed, seals, tournament)
        return None
    recorded = admit_line(tournament, line, replayed.tree, ranking, seals)
    _count(replayed, recorded, line)
    if MARK in line and isinstance(recorded.event, PersonRecorded):
        replayed.sealed.append(line)
    return recorded


def _count(replayed: Replay, recorded: Recorded, line: bytes) -> None:
    """Count the line for the table of all that was checked."""
    if replayed.tournament.importing:
        replayed.imported += 1
    if recorded.sig:
        replayed.signed += 1
        replayed.renewed += goes_back(replayed.tournament, recorded)
    elif recorded.type in SIGNED:
        replayed.unsigned += recorded.by.startswith("o")
    if SEALED_MARK in line and not isinstance(recorded.event, PersonRecorded):
        replayed.texts += line.count(SEALED_MARK)


def admit_line(
    tournament: Tournament,
    line: bytes,
    tree: Tree,
    ranking: Ranking | None = None,
    seals: Seals | None = None,
) -> Recorded:
    """Read, check and apply one line from outside, and add it to the tree of those before it.

    `seals` notes the names that are sealed in it.

    Raises:
        LedgerError: what is wrong with it; the tournament has not changed.
    """
    stored = lines.read(line)
    recorded = of_today(unopened(stored) if MARK in line else stored)
    problems = check(tournament, recorded, ranking, stored, tree)
    is_sealed, may_be_sealed = tournament.is_sealed, holds_text(type(stored.event))
    sealing = list(kind_problems(stored.event, sealed=is_sealed)) if may_be_sealed else []
    if problems or sealing:
        raise InvalidLog(*problems, *sealing)
    if seals is not None:
        seals.note(stored)
    evolve(tournament, recorded)
    tree.add_lines((line,))
    return recorded

"""Our own log as a file: written, read back line by line, and the keys that come with it.

An export of a running tournament holds no secret: the shuffle key stays in the vault, and is in the
log only after play is closed. Each line that is read is strictly canonical, is admissible at its
place, and is applied. The last line of an export has the keys of the names, for its readers:

    {"names":{"<event id>":"<base64 key>", …}}

It is not an event and not a leaf of any tree: the lines above are hashed and signed, and each
sealed name in them carries the SHA-256 of its key, which verifies the keys here. The line has
every record of a sealed name, in the order of the log, except those of forgotten persons; or it is
left out as a whole. A key opens one record: a name that is recorded later needs another key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import msgspec
from msgspec import Struct, field

from ledger.errors import InvalidLog, LedgerError, NotFound, OtherWire, Refused
from ledger.exchange.account import joined, placed
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import PersonRecorded
from ledger.facts.vocabulary import EVENTS
from ledger.files.access import Unreadable, one_line, pieces, refuse_no_text, write_whole
from ledger.files.kinds import LOG
from ledger.fold import evolve, evolve_all, evolve_name, fold_lines
from ledger.lines import line as lines
from ledger.lines.line import NAMES_BYTES_MAX, NAMES_START, ReadPart, as_stored, decode
from ledger.lines.recorded import Recorded, all_of_today, of_today
from ledger.lines.sealing import (
    MARK,
    NAME,
    Named,
    Seals,
    digest_in,
    holds_text,
    key_name,
    keys_of,
    kind_problems,
    texts,
    unopened,
)
from ledger.lines.texts import DAMAGED
from ledger.problems import Act, Phrase, Problem, in_words, marked, phrase, problem
from ledger.proof.ciphers import KEY_BYTES, SEALED, digest_of
from ledger.proof.formats import Invalid, Tree, unbase64
from ledger.proof.heads import Asked, HeadWaiver, compared_file
from ledger.proof.notes import base64_of
from ledger.proof.signatures import SIGNED
from ledger.proof.verifier import SEALED_MARK
from ledger.rules import check
from ledger.rules.plain import is_plain
from ledger.rules.signing import goes_back
from ledger.store.base import Store
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.proof.policy import Policy
    from ledger.proof.table import Other, Vouched
    from ledger.rules.references import Ranking
    from ledger.store.base import Decide, Entry


class _Names(Struct, forbid_unknown_fields=True):
    names: dict[str, str]


def is_names(line: bytes) -> bool:
    """Whether a line of an export is the one with the keys of names."""
    return line.startswith(NAMES_START)


def names_line(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> bytes:
    """Make the line of a log; empty where no name is sealed.

    Raises:
        NotFound: the keys of some names are not at hand.
        Refused: the line would be longer than any reader takes.
    """
    keys: dict[str, str] = {}
    missing: set[str] = set()
    for recorded, digest in _records(lines, tournament):
        found = keys_of(recorded, seals.keys).values()
        fitting = [key for key in found if digest_of(key) == digest]
        keys[recorded.id] = base64_of(fitting[0]) if fitting else ""
        missing |= set() if fitting else {recorded.id}
    if missing:
        raise NotFound(
            phrase(
                "this store does not have the keys of {missing} of {keys} names",
                missing=len(missing),
                keys=len(keys),
            )
        )
    line = msgspec.json.encode(_Names(keys)) if keys else b""
    if len(line) > NAMES_BYTES_MAX:
        raise Refused(
            phrase("the keys of {keys} names do not fit into one line", keys=f"{len(keys):,}")
        )
    return line


def _records(lines: Iterable[bytes], tournament: Tournament) -> Iterator[tuple[Recorded, str]]:
    """Yield the records of sealed names with their keys' digests, but for the forgotten."""
    for line in lines:
        if MARK in line and PersonRecorded.__name__.encode() in line:
            recorded = decode(line, as_stored)
            event = recorded.event
            if isinstance(event, PersonRecorded) and event.of not in tournament.forgotten:
                yield recorded, digest_in(event.name)


def read_names(line: bytes, seals: Seals, tournament: Tournament) -> dict[str, bytes]:
    """Read the line that ends a log; returns the keys by their names in a vault.

    Raises:
        InvalidLog: it is not the line that belongs to this log.
    """
    try:
        found = msgspec.json.decode(line, type=_Names).names
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidLog(phrase("the line of names is malformed")) from None
    names = seals.names
    expected = [each for each, (of, _) in names.items() if of not in tournament.forgotten]
    if not expected:
        raise InvalidLog(phrase("this log has no sealed names, so it cannot have a line of names"))
    if missing := [each for each in expected if each not in found]:
        of = names[missing[0]].of
        raise InvalidLog(
            phrase(
                "the line of names has no key for {missing}, the name of {of}",
                missing=missing[0],
                of=of,
            )
        )
    for each in found:
        if each not in names:
            raise InvalidLog(
                phrase(
                    "the line of names has a key for {event}, which has no sealed name",
                    event=repr(each[:80]),
                )
            )
        if names[each].of in tournament.forgotten:
            raise InvalidLog(
                phrase("the line of names has a key for {of}, who was forgotten", of=names[each].of)
            )
    if list(found) != expected or msgspec.json.encode(_Names(found)) != line:
        raise InvalidLog(phrase("the line of names is not in canonical form"))
    return {f"{NAME}{each}": _key(each, text, names[each]) for each, text in found.items()}


def name_persons(lines: Iterable[bytes], seals: Seals, tournament: Tournament) -> None:
    """Add the names that the keys open to the tournament.

    Raises:
        InvalidLog: a sealed name is not what its key sealed.
    """
    for line in lines:
        recorded = decode(line, seals.open)
        event = recorded.event
        if not isinstance(event, PersonRecorded) or event.of in tournament.forgotten:
            continue
        if event.name == DAMAGED:
            raise InvalidLog(
                phrase(
                    "event {seq}: the name of {of} was tampered with", seq=recorded.seq, of=event.of
                )
            )
        evolve_name(tournament, recorded)


def _key(event: str, text: str, named: Named) -> bytes:
    label = f"the key of {event} (the name of {named.of})"
    try:
        key = unbase64(text, what=label)
    except Invalid as error:
        raise InvalidLog(str(error)) from None
    if len(key) != KEY_BYTES or digest_of(key) != named.digest:
        raise InvalidLog(phrase("{label} is not the key that sealed it", label=label))
    return key


def export(book: Book, *, names: bool = True) -> Iterator[bytes]:
    """Yield the lines of a book, each with its newline, and perhaps who is who in a last line.

    Raises:
        NotFound: the keys of some names are not at hand.
    """
    last = names_line(book.lines, book.seals, book.tournament) if names else b""
    for line in book.lines:
        yield line + b"\n"
    if last:
        yield last + b"\n"


def export_file(book: Book, path: Path, *, names: bool = True) -> int:
    """Write the lines of a book to a file, whole or not at all; returns its bytes.

    Raises:
        NotFound: the keys of some names are not at hand.
        Refused: it cannot be written; the file that was there is unchanged.
    """
    return write_whole(path, export(book, names=names), LOG)


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

    drawn_again: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Rounds that were drawn more than once: by round, how often, and the line of the last draw."""

    fitting: Sequence[Other] = ()
    """Further heads of the log that match its lines."""

    stray: Sequence[tuple[Other, int]] = ()
    """Further heads of another history, each with the line that revoked its key by then."""

    @property
    def lines(self) -> list[bytes]:
        """The lines as they stood in the file, without their newlines."""
        return [line for _, line in self.entries]

    @property
    def stream(self) -> str:
        """The tournament's id."""
        opening = self.tournament.opening
        return opening.tournament if opening is not None else ""


class FileStore(Store):
    """A store of the lines that `replay` has read from a file and checked.

    It has one tournament and the keys of its names, and refuses every change.
    """

    def __init__(self, replayed: Replay, where: str) -> None:
        self.where = self.vault_where = where
        self._replayed = replayed
        self._lines = replayed.lines

    def book(self, ranking: Ranking) -> Book:
        """Return a book of all lines, with the state after the checks."""
        from ledger.books.book import Book  # noqa: PLC0415 - a replay does without

        return Book(self, self._replayed.stream, ranking).begin_with(
            self._lines, self._replayed.tournament
        )

    def entries(self, stream: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Return types and lines of the events past after, in order."""
        return self._replayed.entries[after : _end(after, limit)] if self._has(stream) else []

    def lines(self, stream: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """Return lines of the events past after, in order; no more than limit."""
        return self._lines[after : _end(after, limit)] if self._has(stream) else []

    def lines_of(self, stream: str, types: Sequence[str]) -> list[bytes]:
        """Return lines of the events of these types, in order."""
        names = frozenset(types)
        return [line for name, line in self.entries(stream) if name in names]

    def size(self, stream: str) -> int:
        """Count the events; 0 for another tournament."""
        return len(self._lines) if self._has(stream) else 0

    def tree(self, stream: str) -> Tree:
        """Return the tree of the lines."""
        return self._replayed.tree.copy() if self._has(stream) else Tree()

    def streams(self) -> list[str]:
        """List the one tournament."""
        return [self._replayed.stream]

    def vault_items(self, stream: str) -> dict[str, bytes]:
        """Return the keys of names that came with the file."""
        return dict(self._replayed.seals.keys) if self._has(stream) else {}

    def transact(self, stream: str, known: int, decide: Decide) -> NoReturn:
        """Refuse to append."""
        del stream, known, decide
        self._refuse()

    def put_tree(self, stream: str, tree: Tree) -> NoReturn:
        """Refuse to store a tree."""
        del stream, tree
        self._refuse()

    def vault_put_all(self, stream: str, secrets: Mapping[str, bytes]) -> NoReturn:
        """Refuse to keep secrets."""
        del stream, secrets
        self._refuse()

    def vault_delete_all(self, stream: str, names: Iterable[str]) -> NoReturn:
        """Refuse to destroy secrets."""
        del stream, names
        self._refuse()

    def check_structures(self) -> None:
        """Do nothing: a file has no index that could hide a line."""

    def close(self) -> None:
        """Do nothing: the file was closed when it was read."""

    def _has(self, stream: str) -> bool:
        return stream == self._replayed.stream

    def _refuse(self) -> NoReturn:
        raise Refused(
            phrase(
                "{where} is the file of a log: it is read, and nothing is written", where=self.where
            )
        )

    def _read(self, statement: str, *values: object) -> NoReturn:
        del statement, values
        self._refuse()


def _end(after: int, limit: int | None) -> int | None:
    return None if limit is None else after + limit


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


class Demands(NamedTuple):
    """What a full check demands of a log, in addition to its rules and the head next to it."""

    others: Sequence[Other] = ()
    """Further heads of the log, which may show that the log is longer."""

    pins: Policy | None = None
    """Policy whose pins of officials apply if the head is not compared with a policy."""

    where: str = ""
    """Name of the log in a refusal; the path of the file if empty."""

    keep_lines: bool = True
    """Whether the lines are kept in memory."""


def replay(
    path: Path,
    ranking: Ranking | None = None,
    *,
    trust: Asked = None,
    demands: Demands | None = None,
) -> Replay:
    """Fold a log without a store; every line is held to the rules that hold for writing it.

    With a `ranking`, byes and cuts are held to the standings as well. The last line may be that of
    the names, which is no event. The head and the hashes beside the file are compared with its
    lines, all of which the head has to cover if the log names a key; with `trust` there has to be
    a head that it accepts.

    With `demands` a head has to cover all lines of a log without a key, too. A head that a policy
    does not accept, because its key was renewed without the old key, is then `is_strange` and not
    refused.

    Raises:
        NotFound: there is no such file.
        InvalidLog: the first line that is wrong, and why.
    """
    refuse_no_text(path)
    others, pins, where, keep_lines = demands or Demands()
    where = where or str(path)
    with held_to_heads(where):
        compared = compared_file(path, trust, others, is_whole=demands is not None)
        compared.asked = compared.asked or pins
        read = compared.through(read_log(path))
        replayed = replay_lines(where, read, ranking, keep_lines=keep_lines)
        replayed.vouched = compared.settle(replayed.stream, replayed.tournament.keys)
        replayed.fitting, replayed.stray = compared.fitting, compared.stray
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
    for part in _in_parts(read):
        number = replayed.tree.size + bool(replayed.seals.keys)
        try:
            together = None if replayed.seals.keys else lines.read_part(part)
            if together is not None:
                number = 0
                evolve_all(replayed.tournament, _admitted(replayed, part, together, ranking))
                added: Sequence[bytes] = part
            else:
                added = []
                for line in part:
                    number += 1
                    if _add_line(replayed, line, ranking) is not None:
                        added.append(line)
        except LedgerError as error:
            kind = OtherWire if isinstance(error, OtherWire) else InvalidLog
            place = f"line {number or replayed.tournament.seq + 1}"
            raise kind(*placed(joined(error), place, where)) from None
        if keep_lines:
            replayed.entries.extend((lines.name_in(line), line) for line in added)
    if not replayed.tournament.seq:
        raise InvalidLog(
            phrase("{where} is empty: a log begins with TournamentOpened", where=where)
        )
    return replayed


def _in_parts(read: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield lines in parts, so that those before a line that cannot be read come before it."""
    part: list[bytes] = []
    try:
        for line in read:
            part.append(line)
            if len(part) == lines.PART_LINES:
                yield part
                part = []
    except Exception:
        if part:
            yield part
        raise
    if part:
        yield part


def _admitted(
    replayed: Replay, part: Sequence[bytes], read: ReadPart, ranking: Ranking | None
) -> Iterator[Recorded]:
    """Check lines that were read together, and yield the event of each to be applied.

    The tree has the lines before each event that is checked in full, and all lines at the end.
    """
    tournament, tree, added = replayed.tournament, replayed.tree, 0
    events = read.recorded
    if read.is_sealed:
        pairs = zip(part, events, strict=True)
        events = [unopened(stored) if MARK in line else stored for line, stored in pairs]
    events = all_of_today(events)
    for place, recorded in enumerate(events):
        is_known = is_plain(tournament, recorded)
        if not is_known or read.is_sealed or tournament.is_sealed:
            tree.add_lines(part[added:place])
            added, stored = place, read.recorded[place]
            _refuse_inadmissible(
                tournament, recorded, stored, None if is_known else _Context(ranking, tree)
            )
        yield recorded
        if tournament.importing:
            replayed.imported += 1
        if read.is_sealed or recorded.sig or type(recorded.event) in _COUNTED:
            _note(replayed, read.recorded[place], recorded, part[place])
    tree.add_lines(part[added:])


def _add_line(replayed: Replay, line: bytes, ranking: Ranking | None) -> Recorded | None:
    """Add a line; returns its event, None for the line of names."""
    seals, tournament = replayed.seals, replayed.tournament
    if seals.keys:
        raise InvalidLog(phrase("the line of names must be the last line"))
    if tournament.seq and is_names(line):
        seals.tournament = replayed.stream
        seals.keys = read_names(line, seals, tournament)
        name_persons(replayed.sealed, seals, tournament)
        return None
    stored = lines.read(line)
    recorded = _admit_stored(tournament, line, stored, _Context(ranking, replayed.tree))
    replayed.imported += tournament.importing
    _note(replayed, stored, recorded, line)
    return recorded


_COUNTED = frozenset({RoundPaired, *(EVENTS[name] for name in SIGNED)})
"""Event types that are counted, whatever else is in the line."""


def _note(replayed: Replay, stored: Recorded, recorded: Recorded, line: bytes) -> None:
    """Note what the reader of a log learns of a line that was admitted."""
    event = recorded.event
    if isinstance(event, PersonRecorded):
        if MARK in line:
            replayed.seals.note(stored)
            replayed.sealed.append(line)
    elif SEALED_MARK in line:
        replayed.texts += line.count(SEALED_MARK)
    if isinstance(event, RoundPaired) and event.attempt > 1:
        replayed.drawn_again[event.round] = event.attempt, recorded.seq
    if recorded.sig:
        replayed.signed += 1
        replayed.renewed += goes_back(replayed.tournament, recorded)
    elif type(event) in _COUNTED and recorded.type in SIGNED:
        replayed.unsigned += recorded.by.startswith("o")


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
    recorded = _admit_stored(tournament, line, stored, _Context(ranking, tree))
    if seals is not None:
        seals.note(stored)
    return recorded


class _Context(NamedTuple):
    """The ranking and the tree of the lines before an event, with which a check compares it."""

    ranking: Ranking | None
    tree: Tree


def _admit_stored(
    tournament: Tournament, line: bytes, stored: Recorded, context: _Context
) -> Recorded:
    recorded = of_today(unopened(stored) if MARK in line else stored)
    _refuse_inadmissible(tournament, recorded, stored, context)
    evolve(tournament, recorded)
    context.tree.add_lines((line,))
    return recorded


def _refuse_inadmissible(
    tournament: Tournament, recorded: Recorded, stored: Recorded, context: _Context | None
) -> None:
    """Refuse an event with texts unlike the log's or, if there is a context, against the rules.

    Raises:
        LedgerError: what is wrong with it; the tournament has not changed.
    """
    problems: list[Problem | Phrase] = []
    if context is not None:
        problems += check(tournament, recorded, context.ranking, stored, context.tree)
    if holds_text(type(stored.event)):
        problems += kind_problems(stored.event, sealed=tournament.is_sealed)
    if problems:
        raise InvalidLog(*problems)


def all_keys(book: Book) -> dict[str, bytes]:
    """Return the keys of all sealed texts and names that are in the vault, by event."""
    sealed = (decode(line, as_stored) for line in book.lines if MARK in line)
    found = ((recorded.id, _vault_key(book, recorded)) for recorded in sealed)
    return {event: key for event, key in found if key is not None}


def keys_of_events(book: Book, events: Iterable[int]) -> dict[str, bytes]:
    """Return the keys of the texts of these events.

    Raises:
        Refused: every event that does not exist, has no sealed text, or whose key is not here.
    """
    found: dict[str, bytes] = {}
    problems: list[Problem | Phrase] = []
    for seq in dict.fromkeys(events):
        if not 0 < seq <= len(book.lines):
            problems.append(
                phrase(
                    "there is no event {seq}: the last event is {lines}",
                    seq=seq,
                    lines=len(book.lines),
                )
            )
            continue
        recorded = decode(book.lines[seq - 1], as_stored)
        key = _vault_key(book, recorded)
        if key is not None:
            found[recorded.id] = key
        elif not _sealed_digest(recorded):
            text = marked("event {event}, {act}, has no sealed text")
            problems.append(problem("event.unsealed", text, event=seq, act=Act(recorded.type)))
        elif key_name(recorded) in book.seals.forgotten:
            problems.append(
                phrase("the key of event {seq} was destroyed when a person was forgotten", seq=seq)
            )
        else:
            problems.append(phrase("the key of event {seq} is not in this store", seq=seq))
    if problems:
        raise Refused(*problems)
    return found


def _vault_key(book: Book, recorded: Recorded) -> bytes | None:
    digest = _sealed_digest(recorded)
    found = keys_of(recorded, book.seals.keys).values()
    return next((key for key in found if digest and digest_of(key) == digest), None)


def _sealed_digest(recorded: Recorded) -> str:
    sealed = (text for _, text in texts(recorded.event) if text.startswith(SEALED))
    return next(map(digest_in, sealed), "")

"""Files of any kind, read, checked and taken into a store.

Our own lines are taken as they are, tournaments of other programs as our events.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from ledger.books.forgetting import covered
from ledger.books.unsigned_lines import UnsignedLines, with_note
from ledger.books.vault import imported
from ledger.errors import InvalidLog, Refused
from ledger.exchange.account import placed
from ledger.exchange.foreign import reading_name
from ledger.exchange.log_files import Replay, replay
from ledger.exchange.programs import program_of, read_program
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.sheets import Details, own_details, read_rounds
from ledger.exchange.translating import Translator
from ledger.facts.opening import TournamentFinished
from ledger.facts.people import PersonForgotten
from ledger.facts.shared import TournamentOpened
from ledger.files.access import Unreadable, one_line, pieces, refuse_no_text, whole
from ledger.lines.line import as_stored, decode
from ledger.lines.sealing import NAME, keys_of
from ledger.problems import Phrase, marked, phrase, problem, remedy
from ledger.rulesets import Ruleset, load, names, parse

if TYPE_CHECKING:
    from ledger.books.vault import Secrets
    from ledger.exchange.foreign import ForeignTournament
    from ledger.exchange.translating import Ranking
    from ledger.problems import Problem, Remedy
    from ledger.proof.heads import Asked
    from ledger.store import Store
    from ledger.tournament.state import Tournament

    ReadAs = Callable[[ForeignTournament], ForeignTournament | None]


FileKey = tuple[str, str, str, str]
"""The kind of a file and its SHA-256, and under which name and date it is imported."""

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

    tournament: Tournament | None = None
    """State after its lines; None if the store has this very file, and no lines were made."""

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
    `details` complete a spreadsheet of rounds. With `trust` the file must be a log of ours, with
    an accepted head next to it. `read_as` chooses the reading of a foreign tournament; if it
    returns None, the store has this very file, and the result has no lines.

    Raises:
        NotFound: the file does not exist.
        InvalidLog: its kind is unknown, or everything that is wrong with it.
    """
    kind = CSV if details is not None and details.is_sheet else kind_of_file(path)
    if kind == LOG:
        replayed = replay(path, ranking, trust=trust)
        return ParsedFile(path, replayed, replayed.entries, tournament=replayed.tournament)
    if trust is not None:
        raise InvalidLog(
            phrase(
                "{path} is not a tourney log and has no signed head: leave out --policy and "
                "--unsigned",
                path=str(path),
            )
        )
    try:
        foreign = read_foreign(kind, whole(path), details, path.stem)
        chosen = read_as(foreign) if read_as is not None else foreign
        if chosen is None:
            return ParsedFile(path, foreign, [], None, details)
        foreign = chosen
        translator = Translator(foreign, ranking, secrets.commitments if secrets else ("", ""))
        entries = translator.run()
    except Unreadable:
        raise
    except InvalidLog as error:
        raise InvalidLog(*placed(error, str(path))) from None
    is_running = all(kind != TournamentFinished.__name__ for kind, _ in entries)
    stored_secrets, tournament = secrets if is_running else None, translator.tournament
    return ParsedFile(path, foreign, entries, stored_secrets, details, tournament)


def read_published(path: Path, details: Details | None = None) -> ForeignTournament:
    """Read another program's file to compare its standings; nothing is written.

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
        raise InvalidLog(phrase("{path} is empty", path=str(path)))
    beginning = beginning.removeprefix(b"\xef\xbb\xbf")
    own = _OWN.match(beginning)
    if own and own[1] != b"id":  # which other programs begin with as well
        return LOG
    if kind := program_of(whole(path)):
        return kind
    if own:
        return LOG
    if not beginning.lstrip().startswith(b"{"):
        text = marked(
            "{file} is of an unknown kind: it must be an exported log, a file of another "
            "program, or a CSV file of rounds (for which you name the game)"
        )
        ways = remedy("export"), remedy("import.rounds")
        raise InvalidLog(problem("import.unknown_kind", text, remedy=ways, file=str(path)))
    return NRTM


SAME_FILE = phrase("the store already has this file")


class DifferentLines(Refused):
    """A file whose lines are not those that the store has of its tournament, from an event on."""

    def __init__(self, path: Path, stream: str, seq: int) -> None:
        text = marked(
            "{file} has a different history of tournament {tournament}: it differs from the "
            "store at event {event}; nothing was changed"
        )
        code, file = "import.different_lines", str(path)
        super().__init__(problem(code, text, file=file, tournament=stream, event=seq))
        self.stream = stream


class Imported(Struct, frozen=True):
    """The result of an import: the tournament, its events in the store, and how many are new."""

    tournament: str
    events: int
    added: int
    note: Phrase


NoteOf = Callable[[int, int, str], UnsignedLines]
"""Returns the note that lines, from one to another, are taken unsigned now, for a reason."""


def take(
    store: Store,
    parsed: ParsedFile,
    *,
    as_new: bool = False,
    note_of: NoteOf | None = None,
    imports: KnownImports | None = None,
) -> Imported:
    """Take a file into the store, in one transaction; the same file again changes nothing.

    A log of ours that goes on where the store stops adds its rest. A foreign tournament is known
    by its file's bytes, its name and its date: a changed file of the same name and date is refused
    unless `as_new`. `note_of` notes lines of a log that were read though no signed head covers
    them, before they are in the store. `imports` are those of the store, if they were listed.

    Raises:
        DifferentLines: the store holds another history of the tournament; nothing is written.
        Refused: the store holds the very file with other details; nothing is written.
    """
    content = parsed.content
    if isinstance(content, Replay):
        return _import_log(store, parsed.path, content, note_of)
    imports = imports or KnownImports.of(store)
    earlier = imports.same_file(content)
    if earlier is None and not as_new:
        imports.refuse_same_event(parsed.path, content)
    elif earlier is not None and parsed.details is not None:
        refuse_other_ruleset(store, parsed, earlier.tournament)
    return _import_foreign(store, parsed, earlier.tournament if earlier else content.tournament)


def _import_log(store: Store, path: Path, replayed: Replay, note_of: NoteOf | None) -> Imported:
    stream = replayed.stream

    def rest(stored: Sequence[bytes]) -> list[tuple[str, bytes]]:
        for seq, (ours, theirs) in enumerate(zip(stored, replayed.lines, strict=False), start=1):
            if ours != theirs:
                raise DifferentLines(path, stream, seq)
        _take_keys(store, replayed, stored)
        if note_of is not None and replayed.taken_for:
            _note_unsigned(store, replayed, len(stored), note_of)
        return replayed.entries[len(stored) :]

    known = store.transact(stream, 0, rest)
    added = max(0, len(replayed.entries) - len(known))
    return Imported(stream, len(known) + added, added, _note(len(replayed.entries), len(known)))


def _note_unsigned(store: Store, replayed: Replay, stored: int, note_of: NoteOf) -> None:
    """Note the lines, of those that the store does not have yet, that no signed head covers."""
    last = len(replayed.entries)
    first = max(last - replayed.uncovered, stored) + 1
    if first <= last:
        note = note_of(first, last, replayed.taken_for)
        items = store.vault_items(replayed.stream)
        store.vault_put_all(replayed.stream, with_note(items, note))


def _take_keys(store: Store, replayed: Replay, stored: Sequence[bytes]) -> None:
    """Keep the names' keys that came with a file, but for people whom a log has forgotten."""
    here = store.vault_items(replayed.stream)
    people = (decode(line).event for line in stored if PersonForgotten.__name__.encode() in line)
    forgotten = {event.of for event in people if isinstance(event, PersonForgotten)}
    new: dict[str, bytes] = {}
    for recorded in (decode(line, as_stored) for line in replayed.sealed):
        name = f"{NAME}{recorded.id}"
        key = replayed.seals.keys.get(name)
        is_known = key in keys_of(recorded, here).values()
        of = replayed.seals.names[recorded.id].of
        if key is not None and not is_known and of not in forgotten:
            new[name] = key
    tournament, count = replayed.tournament, len(replayed.entries)
    draws_go_on = bool(tournament.draw_keys) and not tournament.shuffle_key
    if len(stored) < count and (draws_go_on or tournament.is_sealed):
        # Nobody should look here for secrets that the file comes without.
        new |= imported(count, with_names=bool(replayed.seals.keys))
    if new:
        store.vault_put_all(replayed.stream, new)
    if destroyed := sorted(covered(map(decode, replayed.lines), tournament) & here.keys()):
        store.vault_delete_all(replayed.stream, destroyed)


def _note(in_file: int, in_store: int) -> Phrase:
    if in_file > in_store:
        return (
            phrase(
                "the store already had {in_store} of {in_file} events",
                in_store=in_store,
                in_file=in_file,
            )
            if in_store
            else phrase("a new tournament")
        )
    if in_file < in_store:
        return phrase(
            "the file is older: it has {in_file} of the {in_store} events in the store",
            in_file=in_file,
            in_store=in_store,
        )
    return phrase("the store already has it")


def _import_foreign(store: Store, parsed: ParsedFile, stream: str) -> Imported:
    if parsed.secrets and not store.size(stream):
        store.vault_put_all(stream, parsed.secrets.items)
    if known := store.transact(stream, 0, lambda stored: [] if stored else parsed.entries):
        return Imported(stream, len(known), 0, SAME_FILE)
    return Imported(stream, len(parsed.entries), len(parsed.entries), phrase("a new tournament"))


class KnownImport(Struct, frozen=True):
    """A tournament that came from a file, and the values that identify the file."""

    tournament: str
    kind: str
    sha256: str
    name: str
    date: str

    @property
    def file(self) -> FileKey:
        """The kind and the bytes of the file, under which name and date."""
        return self.kind, self.sha256, self.name, self.date


class KnownImports:
    """The imported tournaments of a store, in the order of their creation."""

    def __init__(self) -> None:
        self._by_file: dict[FileKey, list[KnownImport]] = {}
        self._by_event: dict[tuple[str, str], KnownImport] = {}

    @classmethod
    def of(cls, store: Store) -> Self:
        """List those of a store."""
        listed = cls()
        for stream in store.streams():
            listed.add(_opening(store, stream))
        return listed

    @property
    def files(self) -> frozenset[FileKey]:
        """The files that the tournaments came from."""
        return frozenset(self._by_file)

    def add(self, opening: TournamentOpened | None) -> None:
        """Add a tournament behind the others, if it came from a file."""
        if opening is None or opening.imported is None:
            return
        source, event = opening.imported, (opening.name, opening.date)
        earlier = KnownImport(opening.tournament, source.kind, source.sha256, *event)
        self._by_file.setdefault(earlier.file, []).append(earlier)
        self._by_event.setdefault(event, earlier)

    def same_file(self, foreign: ForeignTournament) -> KnownImport | None:
        """Find the tournament of this very file, name and date, however the file was read.

        The id is not enough: earlier releases derived it from the bytes of a sheet only.
        """
        candidates = self._by_file.get(file_key(foreign), [])
        matching = (
            candidate for candidate in candidates if candidate.tournament == foreign.tournament
        )
        return next(matching, candidates[0] if candidates else None)

    def refuse_same_event(self, path: Path, foreign: ForeignTournament) -> None:
        """Refuse a file that has the name and the date of an event of another file."""
        earlier = self._by_event.get((foreign.name, foreign.date))
        if earlier is None:
            return
        text = marked(
            "tournament {tournament} came from another file, but both are {name} of {date}: "
            "{file} may be a later version; to keep both, import it as a new tournament"
        )
        name = repr(one_line(foreign.name))
        about = {"file": str(path), "tournament": earlier.tournament, "name": name}
        remedies: tuple[Remedy, ...] = (remedy("import.as_new"),)
        if earlier.kind == foreign.source.kind:  # a later version has the same kind
            remedies = (remedy("import.into", tournament=earlier.tournament), *remedies)
        raise Refused(
            problem("import.same_event", text, remedy=remedies, **about, date=foreign.date)
        )


def file_key(foreign: ForeignTournament) -> FileKey:
    """Return the values that identify a file, with the name and the date of its reading."""
    return foreign.source.kind, foreign.source.sha256, foreign.name, foreign.date


def same_file(store: Store, foreign: ForeignTournament) -> TournamentOpened | None:
    """Find the event of a store that came from this very file; see `KnownImports.same_file`."""
    earlier = KnownImports.of(store).same_file(foreign)
    return None if earlier is None else _opening(store, earlier.tournament)


def refuse_other_reading(path: Path, known: TournamentOpened, reading: Sequence[str]) -> None:
    """Refuse another reading of a known file than the one that it was imported by."""
    before = known.imported.reading if known.imported is not None else ()
    if tuple(reading) == before:
        return
    differences = phrase(
        "with the reading {before}, not {reading}",
        before=reading_name(before),
        reading=reading_name(reading),
    )
    raise Refused(_other_details(path, known, differences))


def refuse_other_ruleset(store: Store, parsed: ParsedFile, stream: str) -> None:
    """Refuse another ruleset for a known file than the one that it was imported with."""
    opening, details = _opening(store, stream), parsed.details
    if opening is None or details is None:
        return
    rules, before = parse(details.ruleset), parse(opening.ruleset.text)
    is_same = rules.key == before.key
    by_import = is_same and before.edition.startswith(f"{rules.edition}, ")
    is_earlier = is_same and (rules.name, rules.document) == (before.name, before.document)
    if rules == before or by_import or (is_earlier and _is_shipped(rules)):
        return  # the store keeps the edition of its day
    asked_for = phrase("this text of it") if is_same else rules.key
    raise Refused(
        _other_details(
            parsed.path,
            opening,
            phrase("with {ruleset}, not {asked_for}", ruleset=before.key, asked_for=asked_for),
        )
    )


def _is_shipped(rules: Ruleset) -> bool:
    return rules.key in names() and rules == load(rules.key).ruleset


def _other_details(path: Path, known: TournamentOpened, difference: Phrase) -> Problem:
    """Say in what a file that the store has already was imported otherwise."""
    text = marked(
        "{file} is already tournament {tournament}, imported {differences}; to import it "
        "differently, use another store"
    )
    way, about = remedy("import.elsewhere"), {"file": str(path), "tournament": known.tournament}
    also = (difference,)
    return problem("import.other_details", text, remedy=way, **about, differences=also)


def refuse_same_event(store: Store, path: Path, foreign: ForeignTournament) -> None:
    """Refuse a file that has the name and the date of an event of another file."""
    KnownImports.of(store).refuse_same_event(path, foreign)


def _opening(store: Store, stream: str) -> TournamentOpened | None:
    events = [decode(line).event for _, line in store.entries(stream, 0, 1)]
    return next((each for each in events if isinstance(each, TournamentOpened)), None)

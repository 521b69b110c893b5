"""Taking a file into a store: our own lines as they are, foreign tournaments as our events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.books.forgetting import covered
from ledger.books.vault import imported
from ledger.errors import InvalidLog, Refused
from ledger.events.opening import TournamentFinished, TournamentOpened
from ledger.events.people import PersonForgotten
from ledger.exchange.foreign import SeveralProblems
from ledger.exchange.nrtm import read_nrtm
from ledger.exchange.replaying import Replay, replay
from ledger.exchange.sheets import read_rounds
from ledger.exchange.translating import translate
from ledger.files.access import Unreadable, one_line, pieces, refuse_no_text, whole
from ledger.lines.line import as_stored, decode
from ledger.lines.sealing import NAME, keys_of
from ledger.rulesets import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ledger.books.vault import Secrets
    from ledger.exchange.foreign import ForeignTournament
    from ledger.exchange.sheets import Details
    from ledger.exchange.translating import Ranking
    from ledger.proof.heads import Trust
    from ledger.store import Store

ADJUSTED_ALONE = "--adjusted is for the points of NRTM/Cobra JSON"

_OWN = re.compile(rb'\s*\{\s*"(seq|id|type|at|by|data|sig)"\s*:')
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class OtherHistory(Refused):
    """A file whose lines are not those that the store has of its tournament, from `seq` on."""

    def __init__(self, path: Path, stream: str, seq: int) -> None:
        super().__init__(
            f"{path} tells another history of tournament {stream}: it differs from the store at "
            f"seq {seq}; nothing was changed"
        )
        self.stream = stream
        self.seq = seq


class Imported(Struct, frozen=True):
    """What an import came to: the tournament, its events in the store, and how many are new."""

    tournament: str
    events: int
    added: int
    note: str


class ParsedFile(Struct, frozen=True):
    """What a file tells, before any store has it: a log of ours, or a tournament from elsewhere."""

    path: Path
    told: Replay | ForeignTournament
    entries: list[tuple[str, bytes]]
    secrets: Secrets | None = None
    """What a foreign tournament that still runs is drawn on with."""

    details: Details | None = None
    """What was said of a spreadsheet of rounds."""

    @property
    def log(self) -> Replay | None:
        """The log of ours that it is, if it is one."""
        return self.told if isinstance(self.told, Replay) else None


def import_file(
    store: Store,
    path: Path,
    *,
    ranking: Ranking,
    as_new: bool = False,
    secrets: Secrets | None = None,
    details: Details | None = None,
) -> Imported:
    """Take a file into the store: see `read_file` and `take`, and what they raise."""
    told = read_file(path, ranking=ranking, secrets=secrets, details=details)
    return take(store, told, as_new=as_new)


def read_file(
    path: Path,
    *,
    ranking: Ranking,
    secrets: Secrets | None = None,
    details: Details | None = None,
    adjusted: bool = False,
    trust: Trust | None = None,
) -> ParsedFile:
    """Read a file and hold it to the rules; no store is needed yet.

    A foreign tournament that is still running is drawn on with the `secrets` from here on. A
    spreadsheet of rounds comes with the `details` that it does not tell itself. What they say of a
    file that the store has already is what it was imported with. `adjusted` takes points of a
    foreign tournament that no result gives as a judge's adjustments. With `trust` it has to be a
    log of ours, with a head beside it that is accepted.

    Raises:
        NotFound: there is no such file.
        SeveralProblems: everything that is wrong with a foreign tournament's tables.
        InvalidLog: it is of no known kind, or something in it is wrong.
    """
    if details is None:
        refuse_no_text(path)
    if details is None and _is_own(path):
        if adjusted:
            raise InvalidLog(f"{path} is a log of ours: {ADJUSTED_ALONE}")
        replayed = replay(path, ranking, trust=trust)
        return ParsedFile(path, replayed, replayed.entries)
    if trust is not None:
        raise InvalidLog(
            f"{path} is no log of ours: no head can lie beside it for a policy to check"
        )
    foreign = _read_foreign(path, details, adjusted=adjusted)
    try:
        entries = translate(foreign, ranking, secrets.commitments if secrets else ("", ""))
    except InvalidLog as error:
        raise _named(path, error) from None
    is_running = all(kind != TournamentFinished.__name__ for kind, _ in entries)
    return ParsedFile(path, foreign, entries, secrets if is_running else None, details)


def take(store: Store, read: ParsedFile, *, as_new: bool = False) -> Imported:
    """Take what a file tells into the store, in one transaction; the same again changes nothing.

    A log of ours that goes on where the store stops adds its rest. A foreign tournament is known
    by its file's bytes: a changed file of the same name and date is refused unless `as_new`.

    Raises:
        OtherHistory: the store holds another history of the tournament; nothing is written.
        Refused: the store holds the very file with other details; nothing is written.
    """
    if isinstance(read.told, Replay):
        return _import_log(store, read.path, read.told)
    opening = _opening(store, read.told.tournament)
    if opening is None and not as_new:
        _refuse_namesake(store, read.path, read.told)
    elif opening is not None and read.details is not None:
        _refuse_other_details(read.path, opening, read.details)
    return _import_foreign(store, read, read.told.tournament)


def _is_own(path: Path) -> bool:
    """Whether the file is a log of ours, by its beginning.

    Raises:
        InvalidLog: it is of no kind that is known here.
    """
    beginning = next(iter(pieces(path)), b"")
    if not beginning.strip():
        raise InvalidLog(f"{path} is empty")
    if _OWN.match(beginning.removeprefix(_BYTE_ORDER_MARK)):
        return True
    if not beginning.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"{"):
        raise InvalidLog(
            f"{path} is of no known kind: lines that `tourney export` wrote, NRTM/Cobra JSON and, "
            "with --ruleset, a CSV file of rounds can be imported"
        )
    return False


def _import_log(store: Store, path: Path, replayed: Replay) -> Imported:
    stream = replayed.stream
    known: list[bytes] = []

    def rest(kept: Sequence[bytes]) -> list[tuple[str, bytes]]:
        known.extend(kept)
        _refuse_other_history(path, replayed, kept)
        _take_keys(store, replayed, kept)
        return replayed.entries[len(kept) :]

    store.transact(stream, 0, rest)
    added = max(0, len(replayed.entries) - len(known))
    return Imported(stream, len(known) + added, added, _note(len(replayed.entries), len(known)))


def _take_keys(store: Store, replayed: Replay, kept: Sequence[bytes]) -> None:
    """Keep the names' keys that came with a file, and none that covers whom a log has forgotten."""
    here = store.vault_items(replayed.stream)
    forgotten = set(_forgotten_in(kept))
    new: dict[str, bytes] = {}
    for recorded in (decode(line, as_stored) for line in replayed.sealed):
        name = f"{NAME}{recorded.id}"
        key = replayed.seals.keys.get(name)
        is_known = key in keys_of(recorded, here).values()
        of = replayed.seals.names[recorded.id].of
        if key is not None and not is_known and of not in forgotten:
            new[name] = key
    if len(kept) < len(replayed.entries):
        new |= _left_behind(replayed)
    if new:
        store.vault_put_all(replayed.stream, new)
    events = map(decode, replayed.lines)
    if destroyed := sorted(covered(events, replayed.tournament) & here.keys()):
        store.vault_delete_all(replayed.stream, destroyed)


def _left_behind(replayed: Replay) -> dict[str, bytes]:
    """Return what is kept of secrets that a file comes without: they are not looked for here."""
    tournament = replayed.tournament
    draws_go_on = bool(tournament.draw_keys) and not tournament.shuffle_key
    if not (draws_go_on or tournament.is_sealed):
        return {}
    return imported(len(replayed.entries), with_names=bool(replayed.seals.keys))


def _forgotten_in(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        event = decode(line).event if PersonForgotten.__name__.encode() in line else None
        if isinstance(event, PersonForgotten):
            yield event.of


def _refuse_other_history(path: Path, replayed: Replay, kept: Sequence[bytes]) -> None:
    for seq, (ours, theirs) in enumerate(zip(kept, replayed.lines, strict=False), start=1):
        if ours != theirs:
            raise OtherHistory(path, replayed.stream, seq)


def _note(told: int, known: int) -> str:
    if not known:
        return "a new tournament"
    if told > known:
        return f"the store had the first {known} events"
    if told < known:
        return f"the file is older: it has {told} of the {known} events in the store"
    return "the store has it already"


def _read_foreign(path: Path, details: Details | None, *, adjusted: bool) -> ForeignTournament:
    try:
        if details is not None:
            return read_rounds(whole(path), details, path.stem)
        return read_nrtm(whole(path), adjusted=adjusted)
    except SeveralProblems as error:
        raise type(error)([f"{path}: {problem}" for problem in error.sentences]) from None
    except InvalidLog as error:
        raise _named(path, error) from None


def _named(path: Path, error: InvalidLog) -> InvalidLog:
    text = str(error)
    return InvalidLog(text if isinstance(error, Unreadable) else f"{path}: {text}")


def _import_foreign(store: Store, read: ParsedFile, stream: str) -> Imported:
    if read.secrets and not store.size(stream):
        store.vault_put_all(stream, read.secrets.items)
    known: list[bytes] = []

    def fresh(kept: Sequence[bytes]) -> list[tuple[str, bytes]]:
        known.extend(kept)
        return [] if kept else read.entries

    store.transact(stream, 0, fresh)
    if known:
        return Imported(stream, len(known), 0, "the store has this very file already")
    return Imported(stream, len(read.entries), len(read.entries), "a new tournament")


def _refuse_other_details(path: Path, opening: TournamentOpened, details: Details) -> None:
    """Refuse what is said of a known file and is not what it was imported with."""
    rules, known = parse(details.ruleset), parse(opening.ruleset.text)
    told = []
    if rules != known:
        same = rules.key == known.key
        told.append(f"with {'another text of ' if same else ''}{known.key}, not {rules.key}")
    if details.name and details.name != opening.name:
        told.append(f"as {one_line(opening.name)!r}, not {one_line(details.name)!r}")
    if details.date and details.date != opening.date:
        told.append(f"of {opening.date}, not {details.date}")
    if told:
        raise Refused(
            f"{path} is tournament {opening.tournament} already, imported {', '.join(told)}: "
            "import it into another store (--store) to have it so"
        )


def _refuse_namesake(store: Store, path: Path, foreign: ForeignTournament) -> None:
    for stream in store.streams():
        opening = _opening(store, stream)
        if (
            opening is not None
            and opening.imported is not None
            and (opening.name, opening.date) == (foreign.name, foreign.date)
        ):
            raise Refused(
                f"{path} is not the file that tournament {stream} came from, though "
                f"{one_line(foreign.name)!r} of {foreign.date} is both: add --as-new to keep both"
            )


def _opening(store: Store, stream: str) -> TournamentOpened | None:
    for _, line in store.entries(stream, 0, 1):
        event = decode(line).event
        if isinstance(event, TournamentOpened):
            return event
    return None

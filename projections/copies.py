"""Two copies of one log, compared line by line: what one states and the other does not.

Nothing is folded, so a copy may be damaged, cut off or forged. Lines are aligned by the id of their
event. Of each line only four numbers are kept; a second reading fetches the lines that differ, up
to a limit.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Raw, Struct

from ledger.errors import LedgerError
from ledger.exchange.log_files import is_names
from ledger.facts.keys import DeskTakenOver, KeyRegistered, KeyRevoked
from ledger.facts.shared import PersonRecorded, TournamentOpened
from ledger.facts.vocabulary import FUNCTIONS
from ledger.lines.line import LINE_BYTES_MAX, NAMES_BYTES_MAX, decode
from ledger.lines.sealing import MARK, NAME, Seals
from ledger.lines.texts import DAMAGED
from ledger.proof.formats import KEY_BYTES, Tree, leaf_hash, opened, unbase64

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.rounds import PlayersSeated

DETAILED_MAX = 200
"""Maximum number of differing events whose lines are fetched; further ones are only counted."""

LOOKED_AT = 8
"""Number of lines that are tried as the partner of a line without a common id."""

MATCHES_MAX = 200_000
PERSONS_MAX = 20_000
KEY_LINES_MAX = 1_000
"""Maximum numbers of matches, of records of names, and of lines about keys, kept of a copy."""

SEQ_KEPT_MAX = 2**53
_ID = re.compile(rb'"id":"([A-Za-z0-9_.-]{1,80})"')
_ID_WITHIN = 300
_SEQ = re.compile(rb'"seq":([0-9]{1,15})')

Flaw = Literal["", "damaged", "cut off", "too long", "empty"]
FLAWS: tuple[Flaw, ...] = get_args(Flaw)
Kind = Literal["changed", "damaged", "missing", "added", "moved", "renumbered", "rewritten"]


class Envelope(Struct, frozen=True, gc=False):
    """The members of a line, with its data as bytes."""

    seq: int
    id: str
    type: str
    at: str
    by: str
    data: Raw
    sig: str = ""


class CopyLine(NamedTuple):
    """A line of a copy without its line end; of one that is too long only the beginning."""

    text: bytes
    digest: bytes
    """A hash of the whole line."""

    is_long: bool
    is_cut: bool
    has_return: bool
    """Whether a carriage return precedes the line feed."""

    @property
    def is_names(self) -> bool:
        """Return whether it is the line with the keys of names."""
        return not self.is_long and is_names(self.text)


class Difference(NamedTuple):
    """An event that the two copies do not have alike, with its lines."""

    kind: Kind
    seq: int
    places: tuple[int, int]
    """The numbers of the lines in the two files; 0: the copy has no such line."""

    before: bytes = b""
    after: bytes = b""
    flaws: tuple[Flaw, Flaw] = ("", "")
    is_repeat: bool = False
    """Whether the copy has the id of this event a second time."""

    events: int = 1
    """Number of neighbouring events, with consecutive numbers, that only one copy has; the other
    members are of the first event.
    """


class TwoCopies(NamedTuple):
    """The differences of two copies."""

    first: Copy
    second: Copy
    counts: Mapping[Kind, int]
    differences: Sequence[Difference]
    """In the order of the first copy, up to `DETAILED_MAX` of each kind."""

    names_differ: bool
    """Whether the lines with the keys of names differ, or have other places."""

    common: int
    """Number of events whose id both copies have."""

    @property
    def agreed(self) -> int:
        """Return how many of their first lines are the same."""
        pairs = enumerate(zip(self.first.wholes, self.second.wholes, strict=False))
        shorter = min(self.first.size, self.second.size)
        return next((place for place, (one, other) in pairs if one != other), shorter)

    @property
    def has_parted(self) -> bool:
        """Return whether the last event of each copy is missing from the copy next to it."""
        ids = self.first.ids, self.second.ids
        return all(ids) and ids[0][-1] not in ids[1] and ids[1][-1] not in ids[0]

    @property
    def is_equal(self) -> bool:
        """Return whether both copies state the same, whatever their line ends are."""
        return not self.differences and not self.names_differ


def lines_of(path: Path, key: bytes) -> Iterator[CopyLine]:
    """Yield the lines of a file, whatever bytes it has; OSError if it cannot be read."""
    with opened(path) as file:
        while text := file.readline(LINE_BYTES_MAX + 2):
            if is_names(text) and not text.endswith(b"\n"):
                text += file.readline(NAMES_BYTES_MAX)
            bare, is_long, end = text.removesuffix(b"\n").removesuffix(b"\r"), False, text[-2:]
            hasher = blake2b(bare, key=key, digest_size=8)
            while not end.endswith(b"\n") and (more := file.readline(LINE_BYTES_MAX)):
                is_long, end = True, (end + more)[-2:]
                hasher.update(more)
            is_cut = not end.endswith(b"\n")
            yield CopyLine(bare, hasher.digest(), is_long, is_cut, end == b"\r\n")


def event_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of events that a tree hashes, without line ends and the line of names."""
    for line in lines_of(path, b""):
        if not line.is_names:
            yield line.text


def envelope_in(line: bytes) -> Envelope | None:
    """Return the members of a line; None if the line is not the line of an event."""
    try:
        return msgspec.json.decode(line, type=Envelope)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class Copy:
    """One copy: four numbers of each line, and what the words about a difference need."""

    def __init__(self, path: Path, key: bytes, sizes: Sequence[int]) -> None:
        self.path = path
        self.ids, self.wholes, self.bodies, self.seqs = (array("Q") for _ in range(4))
        self._flaws, self._repeats = bytearray(), bytearray()
        self.flawed = 0
        """Number of lines with a flaw."""

        self.returns = 0
        """Number of lines that end with a carriage return and a line feed."""

        self.is_cut = False
        self.names_digest = b""
        """A hash of all lines of names, and of where events follow them; empty without one."""

        self.roots: dict[int, bytes] = {}
        """The root of the tree over the first lines, for each size that was asked for."""

        self.words = CopyContext()
        self._key, self._sizes = key, set(sizes)
        self._read()

    @property
    def size(self) -> int:
        """Return the number of lines, without the line of the names."""
        return len(self.ids)

    @property
    def has_names(self) -> bool:
        """Return whether the copy has a line with the keys of names."""
        return bool(self.names_digest)

    def flaw(self, place: int) -> Flaw:
        """Return the flaw of the line at a place, counted from 0; empty without one."""
        return FLAWS[self._flaws[place]]

    def is_repeat(self, place: int) -> bool:
        """Return whether an earlier line has the same id."""
        return self._repeats[place] == 1

    def _hash(self, text: bytes) -> int:
        return int.from_bytes(blake2b(text, key=self._key, digest_size=8).digest(), "big")

    def _read(self) -> None:
        tree, last = Tree(), max(self._sizes, default=0)
        seen, is_after_names = set[int](), False
        for line in lines_of(self.path, self._key):
            self.returns += line.has_return
            self.is_cut = line.is_cut
            if line.is_names:
                self._note_names(line.digest)
                self.words.take_keys(line.text)
                is_after_names = True
                continue
            if is_after_names:
                self._note_names(b"%d" % self.size)
                is_after_names = False
            self._add(line)
            self._repeats.append(self.ids[-1] in seen)
            seen.add(self.ids[-1])
            if tree.size < last:
                tree.add(leaf_hash(line.text))
                if tree.size in self._sizes:
                    self.roots[tree.size] = tree.root()
        self.words.settle()

    def _note_names(self, part: bytes) -> None:
        self.names_digest = blake2b(self.names_digest + part, digest_size=16).digest()

    def _add(self, line: CopyLine) -> None:
        envelope = None if line.is_long else envelope_in(line.text)
        whole = int.from_bytes(line.digest, "big")
        flaw = _flaw_of(line) if envelope is None or line.is_cut else ""
        self._flaws.append(FLAWS.index(flaw))
        self.flawed += flaw != ""
        if envelope is not None:
            head = f"{envelope.type}\0{envelope.at}\0{envelope.by}\0{envelope.sig}\0"
            body = self._hash(head.encode() + bytes(envelope.data))
            number = self._hash(envelope.id.encode())
            seq = min(max(envelope.seq, 0), SEQ_KEPT_MAX)
            self.words.note(envelope, line.text)
        else:
            begin, body = line.text[:_ID_WITHIN], whole
            named, numbered = _ID.search(begin), _SEQ.search(begin)
            number = self._hash(named[1]) if named else whole
            seq = int(numbered[1]) if numbered else 0
        for column, value in zip(
            (self.ids, self.wholes, self.bodies, self.seqs),
            (number, whole, body, seq),
            strict=True,
        ):
            column.append(value)

    def fetch(self, places: set[int]) -> dict[int, bytes]:
        """Return the lines at these places, counted from 0."""
        lines = islice(event_lines(self.path), max(places, default=-1) + 1)
        return {place: line for place, line in enumerate(lines) if place in places}


def _flaw_of(line: CopyLine) -> Flaw:
    if line.is_long:
        return "too long"
    if line.is_cut:
        return "cut off"
    return "damaged" if line.text.strip() else "empty"


class MatchPlace(NamedTuple):
    """The place of a match: its round, the number of games in the round, its table and players."""

    round: int
    kind: str
    """The kind of its stage; empty if the copy does not announce the stage."""

    games: int
    table: int
    players: tuple[int, int]


class CopyContext:
    """The names and matches in the lines of one copy."""

    def __init__(self) -> None:
        self.opening: TournamentOpened | None = None
        self.key_lines: list[bytes] = []
        """The opening and the lines about keys: at most one more than `KEY_LINES_MAX`."""

        self.names: dict[str, str] = {}
        self._sealed: list[bytes] = []
        self._keys: dict[str, bytes] = {}
        self._matches: list[list[int]] = []
        self._rounds: dict[int, tuple[int, int, int]] = {}
        self._opened_later: dict[int, list[list[int]]] = {}
        self._stages: tuple[str, ...] = ()
        self._seated: dict[int, PlayersSeated] = {}
        self._rulings: dict[int, int] = {}

    def note(self, envelope: Envelope, line: bytes) -> None:
        """Take in a line, if the words about other lines need it."""
        kind = envelope.type.partition("@")[0]
        if kind in _OF_KEYS and len(self.key_lines) <= KEY_LINES_MAX:
            is_first = kind == TournamentOpened.__name__ and self.opening is None
            self.key_lines.insert(0 if is_first else len(self.key_lines), line)
        name = _NOTED.get(kind)
        if name is None:
            return
        with suppress(LedgerError, LookupError):
            event = decode(line).event
            getattr(self, name)(event, envelope.seq)
            if MARK in line and isinstance(event, PersonRecorded):
                self._sealed += [line] if len(self._sealed) < PERSONS_MAX else []

    def take_keys(self, line: bytes) -> None:
        """Take in the keys of the names, from the last line of an export."""
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
            written = msgspec.json.decode(line, type=dict[str, dict[str, str]])["names"]
            for event, text in written.items():
                key = unbase64(text, what="a key")
                if len(key) == KEY_BYTES:
                    self._keys[f"{NAME}{event}"] = key

    def settle(self) -> None:
        """Open the sealed names whose keys came with the copy."""
        seals = Seals(self.opening.tournament if self.opening else "", self._keys)
        for line in self._sealed if self._keys else ():
            with suppress(LedgerError):
                event = decode(line, seals.open).event
                if isinstance(event, PersonRecorded) and event.name != DAMAGED:
                    self.names[event.of] = event.name
        self._sealed, self._keys = [], {}

    def place_of(self, match: int) -> MatchPlace | None:
        """Return the place of a match; None if the copy does not pair it."""
        if not 0 < match <= len(self._matches):
            return None
        number, table, first, second = self._matches[match - 1]
        stage, games = self._rounds[number][0], self._rounds[number][2]
        kind = self._stages[stage - 1] if stage <= len(self._stages) else ""
        return MatchPlace(number, kind, games, table, (first, second))

    def match_ruled(self, ruling: int) -> int:
        """Return the match of a ruling by its event; 0 if the copy has no such ruling."""
        return self._rulings.get(ruling, 0)

    def _tournament_opened(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        self.opening = self.opening or event

    def _person_recorded(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        if len(self.names) < PERSONS_MAX:
            self.names[event.of] = event.name

    def _structure_announced(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        self._stages = tuple(stage.kind for stage in event.stages)

    def _round_paired(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        if len(self._matches) + len(event.games) <= MATCHES_MAX:
            self._rounds[event.round] = event.stage, len(self._matches), len(event.games)
            self._opened_later[event.round] = []
            self._matches += [
                [event.round, table, *game] for table, game in enumerate(event.games, start=1)
            ]

    def _row(self, number: int, table: int) -> list[int]:
        _, begin, games = self._rounds[number]
        if table <= games:
            return self._matches[begin + table - 1]
        return self._opened_later[number][table - games - 1]

    def _seats_swapped(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        trade = dict(zip(event.players, event.players[::-1], strict=True))
        _, begin, games = self._rounds[event.round]
        for row in (*self._matches[begin : begin + games], *self._opened_later[event.round]):
            row[2:] = [trade.get(player, player) for player in row[2:]]

    def _tables_repaired(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        for table, game in zip(event.tables, event.games, strict=False):
            self._row(event.round, table)[2:] = game

    def _players_seated(self, event: Any, seq: int) -> None:  # noqa: ANN401 - the type that names it
        if event.was == (0, 0) and event.round in self._rounds:
            if len(self._matches) < MATCHES_MAX:
                row = [event.round, event.table, *event.game]
                self._matches.append(row)
                self._opened_later[event.round].append(row)
        else:
            self._row(event.round, event.table)[2:] = event.game
        if len(self._seated) < PERSONS_MAX:
            self._seated[seq] = event

    def _act_withdrawn(self, event: Any, _: int) -> None:  # noqa: ANN401 - the type that names it
        if seated := self._seated.pop(event.withdraws, None):
            row = self._row(seated.round, seated.table)
            row[2:] = seated.was
            opened = self._opened_later[seated.round]
            if not any(seated.was) and opened and opened[-1] is row:
                opened.pop()  # its number is free again; its match keeps its own

    def _ruling_made(self, event: Any, seq: int) -> None:  # noqa: ANN401 - the type that names it
        if event.match and len(self._rulings) < MATCHES_MAX:
            self._rulings[seq] = event.match


_OF_KEYS = frozenset(
    kind.__name__ for kind in (TournamentOpened, KeyRegistered, KeyRevoked, DeskTakenOver)
)

_NOTED = {
    kind.__name__: f"_{name}" for kind, name in FUNCTIONS.items() if f"_{name}" in vars(CopyContext)
}
"""The methods that take in an event, by its type."""


def compare_copies(paths: tuple[Path, Path], key: bytes, sizes: Sequence[int] = ()) -> TwoCopies:
    """Compare two files of one log; the roots of both trees are kept at the `sizes`.

    `key` is a secret for one comparison: a forger cannot prepare two lines with equal hashes.

    Raises:
        OSError: a file cannot be read.
    """
    first, second = (Copy(path, key, sizes) for path in paths)
    partner, taken, common = _aligned(first, second)
    moved = _moved(partner)
    counts: dict[Kind, int] = {}
    listed: list[Difference] = []
    rows: dict[Kind, int] = {}
    for difference in _in_runs(_differences(first, second, partner, taken, moved)):
        kind = difference.kind
        counts[kind] = counts.get(kind, 0) + difference.events
        rows[kind] = rows.get(kind, 0) + 1
        if rows[kind] <= DETAILED_MAX:
            listed.append(difference)
    places = [difference.places for difference in listed]
    before = first.fetch({place - 1 for place, _ in places if place})
    after = second.fetch({place - 1 for _, place in places if place})
    with_lines = [
        difference._replace(
            before=before.get(difference.places[0] - 1, b""),
            after=after.get(difference.places[1] - 1, b""),
        )
        for difference in listed
    ]
    names_differ = first.names_digest != second.names_digest
    return TwoCopies(first, second, counts, with_lines, names_differ, common)


def _aligned(first: Copy, second: Copy) -> tuple[array[int], bytearray, int]:
    """Return for each line of the first copy its line in the second one, -1 for none.

    Also return which lines of the second copy are such, and how many lines have an id in common.
    """
    places: dict[int, int] = {}
    for place in range(second.size):
        places.setdefault(second.ids[place], place)
    partner = array("q", [-1]) * first.size
    taken = bytearray(second.size)
    for place in range(first.size):
        match = places.get(first.ids[place], -1)
        if match >= 0 and not taken[match]:
            partner[place] = match
            taken[match] = 1
    common = sum(taken)
    _pair_the_rest(first, second, partner, taken)
    return partner, taken, common


def _pair_the_rest(first: Copy, second: Copy, partner: array[int], taken: bytearray) -> None:
    """Pair lines without a common id that lie between the same neighbours and are one event."""
    match = 0
    for place in range(first.size):
        if partner[place] >= 0:
            match = partner[place] + 1
            continue
        for near in range(match, min(match + LOOKED_AT, second.size)):
            if taken[near]:
                break
            if _is_one_event(first, place, second, near):
                partner[place], taken[near], match = near, 1, near + 1
                break


def _is_one_event(first: Copy, place: int, second: Copy, match: int) -> bool:
    before, after = first.seqs[place], second.seqs[match]
    if first.bodies[place] == second.bodies[match] or (before and before == after):
        return True
    is_flawed = bool(first.flaw(place)) != bool(second.flaw(match))
    return is_flawed and not (before and after)


def _moved(partner: Sequence[int]) -> set[int]:
    """Return the fewest lines of the first copy that are in another order in the second one."""
    paired = [place for place, match in enumerate(partner) if match >= 0]
    tails, ends = list[int](), list[int]()
    before = array("q", [-1]) * len(partner)
    for place in paired:
        at = bisect_left(tails, partner[place])
        before[place] = ends[at - 1] if at else -1
        tails[at : at + 1] = [partner[place]]
        ends[at : at + 1] = [place]
    moved = set(paired) if len(tails) < len(paired) else set()
    place = ends[-1] if moved else -1
    while place >= 0:
        moved.discard(place)
        place = before[place]
    return moved


def _differences(
    first: Copy, second: Copy, partner: Sequence[int], taken: bytearray, moved: set[int]
) -> Iterator[Difference]:
    """Yield the differences in the order of the first copy; an added line follows its neighbour."""
    yield from _added(second, taken, 0)
    for place, match in enumerate(partner):
        if match < 0:
            yield Difference(
                "missing",
                first.seqs[place],
                (place + 1, 0),
                flaws=(first.flaw(place), ""),
                is_repeat=first.is_repeat(place),
            )
            continue
        if kind := _kind_of(first, place, second, match, has_moved=place in moved):
            flaws = first.flaw(place), second.flaw(match)
            yield Difference(kind, first.seqs[place], (place + 1, match + 1), flaws=flaws)
        yield from _added(second, taken, match + 1)


def _in_runs(differences: Iterator[Difference]) -> Iterator[Difference]:
    """Join neighbouring events that only one copy has."""
    run: Difference | None = None
    for difference in differences:
        if run is not None and _continues(run, difference):
            run = run._replace(events=run.events + 1)
            continue
        if run is not None:
            yield run
        run = difference
    if run is not None:
        yield run


def _continues(run: Difference, difference: Difference) -> bool:
    side = {"missing": 0, "added": 1}.get(run.kind)
    is_odd = any((*run.flaws, *difference.flaws, run.is_repeat, difference.is_repeat))
    if side is None or is_odd or difference.kind != run.kind:
        return False
    place, seq = run.places[side] + run.events, run.seq + run.events
    return (difference.places[side], difference.seq) == (place, seq)


def _added(second: Copy, taken: bytearray, start: int) -> Iterator[Difference]:
    for match in range(start, second.size):
        if taken[match]:
            return
        yield Difference(
            "added",
            second.seqs[match],
            (0, match + 1),
            flaws=("", second.flaw(match)),
            is_repeat=second.is_repeat(match),
        )


def _kind_of(first: Copy, place: int, second: Copy, match: int, *, has_moved: bool) -> Kind | None:
    """Return how a line that both copies have differs; None if it does not."""
    if first.wholes[place] != second.wholes[match]:
        if first.flaw(place) or second.flaw(match):
            return "damaged"
        if first.bodies[place] != second.bodies[match] or first.ids[place] != second.ids[match]:
            return "changed"
        return "moved" if has_moved else _otherwise_written(first.seqs[place], second.seqs[match])
    if bool(first.flaw(place)) != bool(second.flaw(match)):
        return "damaged"
    return "moved" if has_moved else None


def _otherwise_written(before: int, after: int) -> Kind:
    return "rewritten" if before == after else "renumbered"

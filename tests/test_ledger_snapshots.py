"""Snapshots: a state read back is the state that was folded, and one that is not so is ignored."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from typing import get_args

import pytest

import ledger
from ledger import commands
from ledger import snapshots
from ledger.books import open_book
from ledger.errors import StoreUnavailable
from ledger.events import EVENTS
from ledger.exchange import export
from ledger.fold import evolve
from ledger.fold import fold_lines
from ledger.lines import NAMES_START
from ledger.lines import AnyRecorded
from ledger.lines import decode
from ledger.lines import record
from ledger.moments import AfterEvent
from ledger.moments import ByClock
from ledger.moments import Posting
from ledger.moments import RoundEnd
from ledger.moments import last_event
from ledger.sealing import Seals
from ledger.snapshots import Snapshots
from ledger.snapshots.encoding import pack
from ledger.snapshots.encoding import unpack
from ledger.snapshots.fingerprint import sources
from ledger.state import Tournament
from ledger.store import open_store
from projections.standings import ranking
from tests.confirmed_days import confirmed_day
from tests.random_events import random_event
from tests.sealed_days import OPEN
from tests.sealed_days import STREAM
from tests.sealed_days import act
from tests.sealed_days import played
from tests.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from ledger.moments import Moment
    from ledger.store import Store

ROOT = Path(__file__).parent.parent
SAMPLES = sorted(
    path for path in (ROOT / "sample_logs").rglob("*.jsonl") if path.parent.name != "broken"
)
EVERY = 7
AT = "2026-03-14T09:00:00.000Z"


@pytest.fixture(autouse=True)
def dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots at every seventh event."""
    monkeypatch.setattr(snapshots, "EVERY", EVERY)


def through(tournament: Tournament) -> Tournament:
    """A state as a snapshot gives it back."""
    return unpack(pack(tournament, Seals(STREAM))).tournament


def check_every_prefix(lines: list[bytes], chance: random.Random) -> None:
    """Pack and unpack after each event, and go on from there: one event, and now and then all.

    Of a log of more than 500 events after every second, every third event, and so on.
    """
    step = 1 + len(lines) // 500
    whole, again = Tournament(), Tournament()
    everything = fold_lines(lines)
    for seq, line in enumerate(lines, start=1):
        recorded = decode(line)
        evolve(whole, recorded)
        evolve(again, recorded)
        if seq % step:
            continue
        again = through(again)
        assert again == whole
        if chance.random() < 4 * step / len(lines):
            rest = through(whole)
            for later in lines[seq:]:
                evolve(rest, decode(later))
            assert rest == everything


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_prefix_of_a_sample_log_comes_back(path: Path) -> None:
    lines = [each for each in path.read_bytes().splitlines() if not each.startswith(NAMES_START)]
    check_every_prefix(lines, random.Random(path.stem))


@pytest.mark.parametrize("seed", range(12))
def test_every_prefix_of_a_random_day_comes_back(seed: int) -> None:
    day = play(seed, 8 + 3 * seed % 14, rounds=3 + seed % 3, cut=4, disputes=seed % 2 == 0)
    check_every_prefix(day.lines, random.Random(seed))
    check_every_prefix(confirmed_day(seed).lines, random.Random(seed))


def test_the_samples_are_of_all_rulesets() -> None:
    opened = {fold_lines(path.read_bytes().splitlines()[:1]).ruleset.key for path in SAMPLES}
    assert {"l5r", "runewars", "ashes", "legion"} <= opened


def test_an_event_of_any_type_comes_back_within_a_state() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(AnyRecorded)} == set(EVENTS)
    chance = random.Random("any type")
    found = [event for _ in range(600) if (event := random_event(chance))]
    tournament = Tournament()
    tournament.postings = [record(1, "a", AT, "o1", event) for event in found]
    assert through(tournament) == tournament


def test_matches_are_one_object_again() -> None:
    tournament = through(play(1, 12, rounds=3).tournament)
    seated = [match for played_round in tournament.rounds for match in played_round.matches]
    assert seated
    assert all(tournament.matches[match.number] is match for match in seated)


def marked(store: Store, seq: int, *, of: str = STREAM, line: bytes = b"") -> bytes:
    """A well made snapshot of a state that never was: player 1 has another name."""
    lines = store.lines(STREAM)
    state = fold_lines(lines[:seq])
    state.names["p1"] = "Nobody"
    made = Snapshots(store, of)
    made.make(state, Seals(of), line or lines[seq - 1], b"")
    return made._made[seq]


def name_of_1(store: Store, moment: Moment | None = None) -> str:
    return open_book(store, STREAM, ranking, None, moment).tournament.names["p1"]


def test_a_long_log_is_read_from_its_nearest_snapshot(store: Store) -> None:
    size = len(played(store, OPEN).lines)
    assert size > 3 * EVERY
    assert store.snapshot_seqs(STREAM) == []
    name = name_of_1(store)
    assert sorted(store.snapshot_seqs(STREAM)) == list(range(EVERY, size + 1, EVERY))
    store.snapshot_put_all(STREAM, {2 * EVERY: marked(store, 2 * EVERY)})
    for seq in range(EVERY, size + 1):
        expected = "Nobody" if 2 * EVERY <= seq < 3 * EVERY else name
        assert name_of_1(store, AfterEvent(seq)) == expected


def test_every_moment_is_the_one_folded_from_the_start(store: Store) -> None:
    book = played(store, OPEN)
    act(book, commands.PostTable("standings", 1, len(book.lines), "0" * 64))
    act(book, commands.CloseRound())
    lines = book.lines
    moments: list[Moment] = [AfterEvent(seq) for seq in range(1, len(lines) + 1)]
    moments += [RoundEnd(1), ByClock(AT), Posting()]
    for moment in moments * 2:  # at first without a snapshot past the moments before
        past = open_book(store, STREAM, ranking, None, moment)
        seq = last_event(moment, lines)
        assert past.tournament == fold_lines(lines[:seq])
        assert past.last_line == lines[seq - 1]
        assert past.length == seq
        few = max(0, seq - 3)
        assert list(past.recorded(few)) == list(map(decode, lines[few:seq]))
        assert past.lines == lines[:seq]
    assert len(store.snapshot_seqs(STREAM)) == len(lines) // EVERY


def test_a_book_that_began_with_a_snapshot_is_written_in_like_any_other(store: Store) -> None:
    book = played(store, OPEN)
    name_of_1(store)
    other = open_book(store, STREAM, ranking)
    match = other.tournament.matches[-1].number
    for outcome in ("loss", "win", "loss"):
        done = act(other, commands.CorrectOutcome(match, outcome, "the slip"))
        assert other.act(
            commands.CorrectOutcome(match, outcome, "the slip"),
            by="o1", command_id=done[0].command_id, at=AT,
        ) == done  # fmt: skip
    act(book, commands.RenamePerson("p2", "Bob Angstrom"), "renamed")
    other.refresh()
    book.refresh()
    assert other.lines == book.lines == store.lines(STREAM)
    assert other.tournament == book.tournament == fold_lines(book.lines)
    assert list(export(other)) == list(export(book))


def spoiled(data: bytes) -> dict[str, bytes]:
    """A snapshot in every state of damage."""
    flipped = {
        f"byte {place} flipped": data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        for place in (0, 1, 20, 33, 34, len(data) // 2, len(data) - 1)
    }
    return flipped | {
        "cut off": data[:-1],
        "longer": data + b"\0",
        "nothing": b"",
        "a sealed one without its key": b"\1" + data[1:],
        "the state alone": data[33:],
        "of an unknown kind": b"\2" + data[1:],
    }


def test_a_damaged_snapshot_is_passed_over_and_made_again(store: Store) -> None:
    played(store, OPEN)
    name = name_of_1(store)
    good = store.snapshot_get(STREAM, 3 * EVERY)
    for what, data in spoiled(marked(store, 3 * EVERY)).items():
        store.snapshot_put_all(STREAM, {3 * EVERY: data})
        assert name_of_1(store, AfterEvent(3 * EVERY)) == name, what
        assert store.snapshot_get(STREAM, 3 * EVERY) == good, what


def test_a_snapshot_of_something_else_is_passed_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(store, OPEN)
    name, at = name_of_1(store), 2 * EVERY
    with monkeypatch.context() as other_code:
        other_code.setattr(snapshots, "fingerprint", lambda: b"newer" * 8)
        newer = marked(store, at)
    foreign = {
        "another tournament": marked(store, at, of="e" * 32),
        "another line there": marked(store, at, line=store.lines(STREAM)[at]),
        "another place": marked(store, at - 1),
        "newer code": newer,
    }
    for what, data in foreign.items():
        store.snapshot_put_all(STREAM, {at: data})
        assert name_of_1(store, AfterEvent(at)) == name, what


def test_a_snapshot_past_the_end_of_a_restored_log_is_passed_over(
    store: Store, new_location: Callable[[str], str], tmp_path: Path
) -> None:
    """The log goes on otherwise; once it is as long, its own line stands at the place."""
    book = played(store, OPEN)
    store.backup(f"{tmp_path}/early")
    size = len(book.lines)
    ahead = (size // EVERY + 1) * EVERY
    while len(book.lines) < ahead:
        act(book, commands.RenamePerson("p2", f"Bob {len(book.lines)}"))
    late = marked(store, ahead)
    with open_store(new_location("sqlite")) as other:
        other.restore(f"{tmp_path}/early")
        other.snapshot_put_all(STREAM, {ahead: late})
        going_on = open_book(other, STREAM, ranking)
        assert going_on.tournament == fold_lines(book.lines[:size])
        while len(going_on.lines) < ahead:
            act(going_on, commands.RenamePerson("p3", f"Cy {len(going_on.lines)}"))
        assert open_book(other, STREAM, ranking).tournament == going_on.tournament
        assert name_of_1(other) != "Nobody"


def test_a_snapshot_that_can_not_be_written_is_done_without(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = played(store, OPEN)

    def full(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(store, "snapshot_put_all", full)
    assert open_book(store, STREAM, ranking).tournament == book.tournament
    assert store.snapshot_seqs(STREAM) == []


@pytest.mark.parametrize("moment", [ByClock(AT), Posting(), RoundEnd(1)], ids=repr)
def test_a_moment_in_a_damaged_store_is_told(
    store: Store, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = played(store, OPEN)
    act(book, commands.PostTable("standings", 0, len(book.lines), "0" * 64))
    spoilt = [line.replace(b'"at":', b'"ta":') for line in book.lines]
    monkeypatch.setattr(store, "lines", lambda *_: spoilt)
    monkeypatch.setattr(store, "lines_of", lambda *_: spoilt)
    with pytest.raises(StoreUnavailable, match=r"is damaged: .* the moment can not be found"):
        open_book(store, STREAM, ranking, None, moment)


def lengths(store: Store) -> dict[int, int]:
    """How many bytes each snapshot has."""
    return {seq: len(store.snapshot_get(STREAM, seq)) for seq in store.snapshot_seqs(STREAM)}


def test_a_huge_state_is_not_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    played(store, OPEN)
    name_of_1(store)
    before = lengths(store)
    most = sorted(before.values())[-2]
    store.snapshot_put_all(STREAM, dict.fromkeys(before, b""))
    monkeypatch.setattr(snapshots, "BYTES_MAX", most - 33)  # without mark and digest
    name_of_1(store)
    assert lengths(store) == {seq: size if size <= most else 0 for seq, size in before.items()}
    assert 0 in lengths(store).values()


def test_one_snapshot_at_a_time_is_in_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    played(store, OPEN)
    put = store.snapshot_put_all
    many: list[int] = []

    def counted(stream: str, made: Mapping[int, bytes]) -> None:
        many.append(len(made))
        put(stream, made)

    monkeypatch.setattr(store, "snapshot_put_all", counted)
    name_of_1(store)
    assert many == [1] * len(store.snapshot_seqs(STREAM))


def test_a_writer_keeps_nobody_from_looking(new_location: Callable[[str], str]) -> None:
    """A writer holds SQLite's one lock: whoever looks goes on without leaving a snapshot."""
    location = new_location("sqlite")
    with open_store(location) as store, open_store(location) as writing:
        book = played(store, OPEN)

        def look(_: object) -> list[tuple[str, bytes]]:
            assert open_book(store, STREAM, ranking).tournament == book.tournament
            return []

        writing.transact(STREAM, 0, look)
        assert store.snapshot_seqs(STREAM) == []
        assert open_book(store, STREAM, ranking).tournament == book.tournament
        assert store.snapshot_seqs(STREAM)


def test_an_export_is_of_the_lines_whatever_a_snapshot_says(store: Store) -> None:
    book = played(store, OPEN)
    name_of_1(store)
    last = max(store.snapshot_seqs(STREAM))
    store.snapshot_put_all(STREAM, {last: marked(store, last)})
    assert name_of_1(store) == "Nobody"
    other = open_book(store, STREAM, ranking)
    assert list(export(other)) == [line + b"\n" for line in book.lines]
    assert other.at(last).names["p1"] == "Nobody"
    assert other.at(last - 1) == fold_lines(book.lines[: last - 1])


def test_a_book_knows_every_moment_before(store: Store) -> None:
    """Each one asked of a book of its own, which has read nothing before its snapshot."""
    lines = played(store, OPEN).lines
    name_of_1(store)
    for seq in range(1, len(lines) + 1):
        book = open_book(store, STREAM, ranking)
        assert book.line(seq) == lines[seq - 1]
        assert book.since(seq - 1) == lines[seq - 1 :]
        assert book.at(seq) == fold_lines(lines[:seq])
        assert book.place_of(AfterEvent(seq)) == seq
        assert book.lines == lines


def test_a_line_that_is_gone_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    played(store, OPEN)
    name_of_1(store)
    book = open_book(store, STREAM, ranking)
    monkeypatch.setattr(store, "entries", lambda *_: [])
    for read in (book.line, book.since):
        with pytest.raises(StoreUnavailable, match="events are missing"):
            read(1)


def test_all_code_that_a_fold_imports_is_in_the_fingerprint() -> None:
    asked = (
        "import sys, ledger.fold, ledger.snapshots.encoding\n"
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('ledger.')), sep='\\n')"
    )
    printed = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    imported = {Path(line) for line in printed.splitlines()}
    folder = Path(ledger.__file__).parent
    store = {path for path in imported if path.is_relative_to(folder / "store")}
    assert imported - store <= set(sources())
    assert folder / "fold" / "results.py" in imported

"""Acts through the store: once, whoever asks and however often; refused ones leave no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from ledger.books.book import Book, new_book, open_book
from ledger.books.vault import SHUFFLE_KEY
from ledger.errors import NotFound, Refused
from ledger.facts.shared import Stage
from ledger.fold import fold_lines
from ledger.rules.elimination import FinishTournament
from ledger.rules.opening import AppointOfficial, OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer, Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.store import open_store
from ledger.store.backup import save
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from tests.support.files.backups import restored

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.store import Store

STREAM = "c" * 32
AT = "2026-03-14T09:00:00.000Z"
OPENING = OpenTournament(
    STREAM, "Harbour Cup", "2026-03-14", "Europe/Rome", rulesets.text_of("l5r"), "Olga Organizer"
)


def opened(store: Store) -> Book:
    keys = iter((b"k" * 32, b"h" * 32))
    book, _ = new_book(store, OPENING, lambda: next(keys), ranking, command_id="new", at=AT)
    return book


def act(book: Book, command: Command, command_id: str) -> list[Recorded]:
    return book.act(command, by="o1", command_id=command_id, at=AT)


def in_play(store: Store, players: int = 6) -> Book:
    book = opened(store)
    entries = tuple(Entry(f"Player {n}") for n in range(1, players + 1))
    act(book, RegisterPlayers(entries), "register")
    act(book, StartTournament("custom", (Stage("swiss", 3),)), "start")
    act(book, PairRound(), "pair-1")
    return book


def first_open(book: Book) -> int:
    played = round_in_play(book.tournament)
    assert played is not None
    return open_matches(played)[0].number


@pytest.mark.slow
def test_what_is_stored_is_what_was_folded(store: Store) -> None:
    book = in_play(store)
    assert store.lines(STREAM) == book.lines
    assert fold_lines(book.lines) == book.tournament
    assert open_book(store, STREAM, ranking).tournament == book.tournament


def test_a_command_sent_twice_with_one_id_changes_nothing(store: Store) -> None:
    book = in_play(store)
    match = first_open(book)
    report = Report(match, StatedResult("win"))
    first = act(book, report, "once")
    size = store.size(STREAM)
    assert act(book, report, "once") == first
    assert act(open_book(store, STREAM, ranking), report, "once") == first
    assert store.size(STREAM) == size


def test_an_act_of_many_events_is_recognized_as_a_whole(store: Store) -> None:
    book = in_play(store)
    entries = tuple(Entry(f"Late {n}") for n in range(3))
    first = act(book, RegisterPlayers(entries), "late")
    act(book, Report(first_open(book), StatedResult("loss")), "other")
    assert act(book, RegisterPlayers(entries), "late") == first
    with pytest.raises(Refused, match="used for another command"):
        act(book, RegisterPlayers(entries[:2]), "late")


def test_the_same_id_with_another_command_is_refused(store: Store) -> None:
    book = in_play(store)
    match = first_open(book)
    act(book, Report(match, StatedResult("win")), "once")
    size = store.size(STREAM)
    for other in (
        Report(match, StatedResult("loss")),
        DropPlayer(1),
        Report(match + 1, StatedResult("win")),
    ):
        with pytest.raises(Refused, match="used for another command"):
            act(book, other, "once")
    assert store.size(STREAM) == size


def test_an_id_of_another_desk_is_refused(store: Store) -> None:
    book = in_play(store)
    act(book, AppointOfficial("Sam", ("scorekeeper",)), "sam")
    report = Report(first_open(book), StatedResult("win"))
    act(book, report, "once")
    with pytest.raises(Refused, match="used for another command"):
        book.act(report, by="o2", command_id="once", at=AT)


def test_the_same_score_again_is_already_so(store: Store) -> None:
    book = in_play(store)
    match = first_open(book)
    act(book, Report(match, StatedResult("win")), "one")
    assert act(book, Report(match, StatedResult("win")), "two") == []
    with pytest.raises(Refused, match="has a result"):
        act(book, Report(match, StatedResult("loss")), "three")


def test_a_refused_act_writes_nothing_and_the_book_goes_on(store: Store) -> None:
    book = in_play(store)
    before = store.lines(STREAM)
    with pytest.raises(Refused, match="no result yet at tables 1, 2, 3"):
        act(book, PairRound(), "pair-2")
    assert store.lines(STREAM) == before
    while round_in_play(book.tournament).unreported:  # type: ignore[union-attr] # one is in play
        act(book, Report(first_open(book), StatedResult("win")), f"r{len(book.lines)}")
    act(book, PairRound(), "pair-2")
    assert fold_lines(store.lines(STREAM)) == book.tournament


def test_an_act_refused_at_its_second_event_leaves_the_state_whole(store: Store) -> None:
    book = in_play(store, players=2)
    act(book, Report(first_open(book), StatedResult("win")), "r1")
    before = store.lines(STREAM)
    # Closing round 1 would be admitted; pairing round 2 then has no legal round.
    with pytest.raises(Refused, match="FFG-REMATCH"):
        act(book, PairRound(), "pair-2")
    assert store.lines(STREAM) == before
    act(book, DropPlayer(2), "drop")
    assert fold_lines(store.lines(STREAM)) == book.tournament


def test_a_second_desk_decides_on_what_the_first_one_wrote(store: Store) -> None:
    one = in_play(store)
    other = open_book(store, STREAM, ranking)
    match = first_open(one)
    act(one, Report(match, StatedResult("win")), "from-one")
    with pytest.raises(Refused, match="has a result"):
        act(other, Report(match, StatedResult("loss")), "from-other")
    assert other.refresh().tournament == one.tournament


def test_a_tournament_is_found_by_its_number_alone(store: Store) -> None:
    opened(store)
    with pytest.raises(NotFound, match="no tournament"):
        open_book(store, "d" * 32, ranking)


def test_opening_twice_with_one_id_is_one_tournament(store: Store) -> None:
    opened(store)
    size = store.size(STREAM)
    again, _ = new_book(
        store,
        OPENING,
        lambda: b"another key, drawn at the retry.",
        ranking,
        command_id="new",
        at=AT,
    )
    assert store.size(STREAM) == size
    assert again.lines == store.lines(STREAM)
    assert store.vault_get(STREAM, SHUFFLE_KEY) == b"k" * 32


def test_the_key_is_revealed_at_the_end_and_not_before(store: Store) -> None:
    book = in_play(store)
    key = (b"k" * 32).hex().encode()
    for number in range(2, 5):
        while round_in_play(book.tournament).unreported:  # type: ignore[union-attr] # as above
            act(book, Report(first_open(book), StatedResult("win")), f"r{len(book.lines)}")
        assert not any(key in line for line in store.lines(STREAM))
        wish = PairRound() if number < 4 else FinishTournament()
        act(book, wish, f"next-{number}")
    assert key in store.lines(STREAM)[-1]


def test_a_running_day_moves_to_another_machine(store: Store, tmp_path: object) -> None:
    book = in_play(store)
    path = f"{tmp_path}/day.backup"
    save(store, path)
    with open_store(f"{tmp_path}/elsewhere.db") as elsewhere:
        restored(elsewhere, path)
        moved = open_book(elsewhere, STREAM, ranking)
        assert moved.tournament == book.tournament
        while round_in_play(moved.tournament).unreported:  # type: ignore[union-attr] # as above
            act(moved, Report(first_open(moved), StatedResult("win")), f"r{len(moved.lines)}")
        act(moved, PairRound(), "pair-2")

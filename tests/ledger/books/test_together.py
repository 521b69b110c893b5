"""Acts that arrive at once are carried out as if one after the other, for one wait for the disk."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

from ledger.books.book import Sent, open_book
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.facts.office import NoteTaken
from ledger.facts.people import PlayerDropped
from ledger.fold import fold_lines
from ledger.rules.command import Command
from ledger.rules.people import DropPlayer, Entry, RegisterPlayers
from ledger.rules.results import Correct, Report, StatedResult
from ledger.store import open_store
from projections.standings.table import ranking
from tests.ledger.books.test_books import AT, STREAM, in_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ledger.books.book import Book
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Context
    from ledger.store import Store
    from ledger.tournament.state import Tournament


class NoteThenNobody(Command, Struct, frozen=True):
    """An act whose first event is admissible, and whose second is not."""

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        """Propose both."""
        del tournament, context, by
        yield NoteTaken("begun")
        yield PlayerDropped(999, "request")


def sent(*commands: Command) -> list[Sent]:
    return [Sent(each, "o1", f"act{number}", AT) for number, each in enumerate(commands)]


def some_acts(chance: random.Random, count: int) -> list[Sent]:
    """Acts of which some are refused, some are repeated, and some change nothing."""
    words = ("win", "loss", "modified win", "nonsense")
    found: list[Sent] = []
    for number in range(count):
        match = chance.randint(1, 5)
        result = StatedResult(chance.choice(words))
        command: Command = chance.choice(
            [
                Report(match, result),
                Report(match, result),
                Correct(match, result, reason="misread"),
                RegisterPlayers((Entry(f"Late {chance.randint(1, 9)}"),)),
                DropPlayer(chance.randint(1, 9)),
                NoteThenNobody(),
            ]
        )
        again = found and chance.random() < 1 / 5
        found.append(chance.choice(found) if again else Sent(command, "o1", f"act{number}", AT))
    return found


def alone(book: Book, one: Sent) -> object:
    """What an act comes to that is sent by itself."""
    try:
        return book.act(one.command, by=one.by, command_id=one.command_id, at=one.at)
    except LedgerError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(6))
def test_together_is_as_one_after_the_other(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    acts = some_acts(chance, 40)
    with open_store(str(tmp_path / "a.db")) as a, open_store(str(tmp_path / "b.db")) as b:
        single, group = in_play(a), in_play(b)
        expected = [alone(single, each) for each in acts]
        answers: list[object] = []
        while len(answers) < len(acts):
            batch = group.act_all(acts[len(answers) :][: chance.randint(1, 15)])
            answers += [str(each) if isinstance(each, LedgerError) else each for each in batch]
        assert answers == expected
        assert a.lines(STREAM) == b.lines(STREAM) == group.lines
        assert group.tournament == fold_lines(group.lines)
        assert any(isinstance(each, str) for each in answers)
        assert any(each and not isinstance(each, str) for each in answers)


def test_a_refused_act_hinders_no_other(store: Store) -> None:
    """Also one whose first event was admitted already."""
    book = in_play(store)
    first, refused, last = book.act_all(
        sent(Report(1, StatedResult("win")), NoteThenNobody(), Report(2, StatedResult("loss")))
    )
    assert isinstance(refused, Refused)
    assert isinstance(first, list)
    assert isinstance(last, list)
    assert [each.type for each in first + last] == ["ResultReported"] * 2
    assert fold_lines(store.lines(STREAM)) == book.tournament


def test_an_act_that_the_desk_holds_back_leaves_the_tree_as_it_was(store: Store) -> None:
    """Who signs the next act signs over the lines before it, and over no other."""
    book, sizes = in_play(store), []

    class Look(Command, Struct, frozen=True):
        def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
            del tournament, by
            sizes.append(context.tree.size)
            return iter(())

    def no_notes(events: Sequence[Recorded]) -> None:
        if events and events[0].type == "PlayerRegistered":
            raise Refused("not now")

    book.guard = no_notes
    size = len(book.lines)
    held, _, _ = book.act_all(
        sent(RegisterPlayers((Entry("Late"),)), Report(1, StatedResult("win")), Look())
    )
    assert isinstance(held, Refused)
    assert sizes == [size + 1]


def test_the_same_act_twice_in_one_group_lands_once(store: Store) -> None:
    book = in_play(store)
    (one,) = sent(Report(1, StatedResult("win")))
    size = store.size(STREAM)
    first, again = book.act_all([one, one])
    assert first == again
    assert store.size(STREAM) == size + 1


def test_where_the_store_fails_nothing_of_the_group_stays(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others wrote meanwhile does."""
    book, other = in_play(store), open_book(store, STREAM, ranking)
    other.act(RegisterPlayers((Entry("Late"),)), by="o1", command_id="late", at=AT)
    acts = sent(Report(1, StatedResult("win")), Report(2, StatedResult("win")))

    def full() -> None:
        raise StoreUnavailable("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(book, "_keep_fresh", full)
        with pytest.raises(StoreUnavailable):
            book.act_all(acts)
    assert book.lines == store.lines(STREAM) == other.lines
    book.act_all(acts)
    assert fold_lines(store.lines(STREAM)) == book.tournament
    assert book.tree_at(len(book.lines)).root() == store.tree(STREAM).root()

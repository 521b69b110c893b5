"""Days with sealed names in a store, as tests of sealing need them."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ledger import rulesets
from ledger.books.book import Book, new_book, open_book
from ledger.exchange import export_file
from ledger.facts.office import PenaltyGiven
from ledger.facts.shared import Stage
from ledger.rules.office import Penalize
from ledger.rules.opening import OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, ForgetPerson, RegisterPlayers
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import UnpairRound
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.store import Store

STREAM = "d" * 32
AT = "2026-03-14T09:00:00.000Z"
NAMES = ("Ann Leverkusen", "Bob Ångström", "Cy Coëllo", "王小明同学", "Eve O'Neil", "Fay Zielińska")
"""The names of players 1 to 6."""

ORGANIZER = "Olga Organizer"
WORDS_OF_1 = ("Zwischenruf Leverkusener", "Annikas Wutgeschrei")
"""Free texts about player 1."""

WORDS_OF_NOBODY = "the tables were too small"
OPENING = OpenTournament(
    STREAM, "Harbour Cup", "2026-03-14", "Europe/Rome", rulesets.text_of("l5r"), ORGANIZER,
    names="sealed",
)  # fmt: skip
TEXTS = (*NAMES, ORGANIZER, *WORDS_OF_1, WORDS_OF_NOBODY)
OPEN = msgspec.structs.replace(OPENING, names="open")


def draws(seed: str = "a") -> Callable[[], bytes]:
    """Keys that look random, the same at every run."""
    numbers = count()
    return lambda: sha256(f"{seed}{next(numbers)}".encode()).digest()


def act(book: Book, command: Command, command_id: str = "") -> list[Recorded]:
    """Carry a command out as the organizer."""
    return book.act(command, by="o1", command_id=command_id or f"c{len(book.lines)}", at=AT)


def opened(store: Store, opening: OpenTournament = OPENING) -> Book:
    """A book with its six players."""
    book, _ = new_book(store, opening, draws(), ranking, command_id="new", at=AT)
    act(book, RegisterPlayers(tuple(map(Entry, NAMES))), "register")
    return book


def again(store: Store) -> Book:
    """The same book at another desk."""
    return open_book(store, STREAM, ranking, draws("b"))


def played(store: Store, opening: OpenTournament = OPENING) -> Book:
    """A book with a round played, and words about player 1, about others and about nobody."""
    book = opened(store, opening)
    act(book, StartTournament("custom", (Stage("swiss", 2),), outline="House rules"))
    act(book, PairRound())
    act(book, UnpairRound(WORDS_OF_NOBODY))
    act(book, PairRound())
    act(book, Penalize(1, "warning", WORDS_OF_1[0]))
    act(book, Penalize(2, "warning", "Bob took a card back"))
    report_all(book)
    match = next(
        each for each in book.tournament.matches[1:] if 1 in each.players and not each.void
    )
    act(book, Correct(match.number, StatedResult("loss"), WORDS_OF_1[1]))
    return book


def report_all(book: Book) -> None:
    """Let the first player win at every open table."""
    current = round_in_play(book.tournament)
    assert current is not None
    for match in list(open_matches(current)):
        act(book, Report(match.number, StatedResult("win")))


def penalties(book: Book) -> list[str]:
    """The infractions of a book, as this desk reads them."""
    events = (each.event for each in book.recorded())
    return [event.infraction for event in events if isinstance(event, PenaltyGiven)]


def forget(book: Book, of: str, command_id: str = "forget") -> int:
    """Forget a person; how many keys that destroyed."""
    act(book, ForgetPerson(of), command_id)
    return book.destroy_forgotten()


def files_of(store: Store) -> bytes:
    """Everything on the disk that belongs to an SQLite store."""
    place = Path(store.where)
    return b"".join(path.read_bytes() for path in sorted(place.parent.glob(f"{place.name}*")))


def found_in(data: bytes, texts: Iterable[str]) -> list[str]:
    """Which of the texts stand in the bytes."""
    return [text for text in texts if text.encode() in data]


def written(book: Book, path: Path, *, names: bool = True) -> Path:
    """A book exported to a file."""
    export_file(book, path, names=names)
    return path

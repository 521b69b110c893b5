"""The six words of the head at the latest posting, on every phone, screen and sheet.

They belong to the head of all lines up to the latest `Posted`, that line included. While a log has
no posting, they belong to the line that paired the latest round. So they stay the same until the
next posting, whatever else is entered, and follow from the lines: nothing of them is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import marked, tr
from ledger.proof.formats import Checkpoint, Tree, leaf_hash
from ledger.proof.notes import six_words
from ledger.proof.signatures import origin_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.books.book import Book
    from ledger.tournament.state import Tournament

COMPARE = marked("Compare these six words with your neighbour's phone and the wall")
RULE = marked(
    "Compare the six words below each page with your neighbour's phone and the wall: "
    "the same round and event have the same words. If they differ, tell the head "
    "judge."
)


class PostedWords(NamedTuple):
    """The words of one posting, with the head that they belong to."""

    round: int
    size: int
    """The event of the posting, which is the number of lines that the head covers."""
    root: bytes
    words: tuple[str, ...]

    @property
    def place(self) -> str:
        """The round and the event: `round 2, event 57`."""
        if self.round:
            return tr("round {round}, event {event}", round=self.round, event=self.size)
        return tr("before round 1, event {event}", event=self.size)

    @property
    def text(self) -> str:
        """The words in a line."""
        return " ".join(self.words)

    @property
    def line(self) -> str:
        """The place and the words."""
        return f"{self.place}: {self.text}"


class WordsOfPosting:
    """The words of one log, computed once for each posting."""

    def __init__(self) -> None:
        self._tree, self._last = Tree(), b""
        self._made: PostedWords | None = None

    def now(self, book: Book, tournament: Tournament | None = None) -> PostedWords | None:
        """Return the words at the latest posting; None before the first round is paired.

        `tournament` is the state at a moment of the book; without one, the book's own.
        """
        number, size = _latest(tournament or book.tournament)
        if not size:
            return None
        lines = book.lines
        self._go_to(lines, size)
        if self._made is None or (self._made.size, self._made.root) != (size, self._tree.root()):
            head = Checkpoint(origin_of(book.stream), size, self._tree.root())
            self._made = PostedWords(number, size, head.root, six_words(head))
        return self._made

    def _go_to(self, lines: Sequence[bytes], size: int) -> None:
        """Hash the lines up to `size`: those that are new, or all if the lines went back."""
        done = self._tree.size
        if done > size or (done and leaf_hash(lines[done - 1]) != self._last):
            self._tree = Tree()
        self._tree.add_lines(lines[self._tree.size : size])
        self._last = leaf_hash(lines[size - 1])


def _latest(tournament: Tournament) -> tuple[int, int]:
    """Return the round and the event of the latest posting; (0, 0) before there is any."""
    from ledger.facts.rounds import Posted

    if tournament.postings:
        latest = tournament.postings[-1]
        assert isinstance(latest.event, Posted)  # noqa: S101 - the fold keeps no other event here
        return latest.event.round, latest.seq
    if tournament.rounds:
        paired = tournament.rounds[-1]
        return paired.number, paired.paired_seq
    return 0, 0


def sheet_lines(words: PostedWords | None) -> list[str]:
    """Return the lines of a printed sheet; none before the first round is paired."""
    return [f"{tr(COMPARE)}:", words.line] if words else []


def words_as_json(words: PostedWords) -> dict[str, object]:
    """Return the words for programs, with their place and the root of their head in hex."""
    return {
        "round": words.round,
        "event": words.size,
        "root": words.root.hex(),
        "words": list(words.words),
    }


def posted_words(book: Book, tournament: Tournament | None = None) -> PostedWords | None:
    """Return the words at the latest posting of a log, as `WordsOfPosting.now`."""
    return WordsOfPosting().now(book, tournament)

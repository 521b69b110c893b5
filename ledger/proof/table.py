"""The closing table of a check, always the same rows: part six of the files that a sceptic reads.

Each row gives for one thing how many of how many were checked, or why it was not checked. Part
seven is verifier.py, which fills in the rows that it checks and leaves the others open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.proof.signatures import RENEWED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.proof.formats import Checkpoint, Key, Note

NO_WITNESSES = "the policy requires no witness, or no witness that it names has signed"
NOT_ACCEPTED = "the policy does not accept the head, so other signatures do not count"
VERIFY_READS = "the full verification does that"
WHOSE_KEYS = (
    "no policy states whose keys these are; the authority row covers whether they may be registered"
)


NOT_PINNED = (
    "with a key that the policy does not pin, or acts about a key, which the log's key may sign"
)


class Other(NamedTuple):
    """A further head of a log and where it is from; without a note it was checked before.

    One that nobody asked for is ignored where no key of the log signed it.
    """

    where: str
    head: Checkpoint
    note: Note | None = None
    is_asked_for: bool = True


class Vouched(NamedTuple):
    """A head that fits the lines: whose key signed it, and the time of the last line it covers.

    `key` is None where nobody's signature could be checked. Unless a policy pins the key, it is one
    that the log itself names: the one who made the head had that key, and nothing says who that is.
    """

    head: Checkpoint
    key: Key | None
    is_pinned: bool
    witnesses: dict[str, int]
    at: str
    renewal: str = ""
    is_strange: bool = False


class Row(NamedTuple):
    """What was checked of one thing: how many of how many, and why the rest was not."""

    checked: int = 0
    of: int = 0
    said: str = ""
    unchecked: str = ""
    first: str = ""
    """What has to be read before all rows; empty if there is no such thing."""

    def in_words(self) -> str:
        """Say it in one line; what was not checked is never left out."""
        counted = f"{self.checked:,} of {self.of:,}"
        if not self.unchecked:
            return f"{counted} {self.said}"
        if not self.checked:
            return f"UNCHECKED{f' ({counted})' if self.of else ''}: {self.unchecked}"
        return f"{counted} {self.said}; UNCHECKED: {self.unchecked}"


class CheckTable(NamedTuple):
    """The closing table of every check: always these rows, in this order."""

    tree: Row
    head: Row
    witnesses: Row
    acts: Row
    authority: Row
    rules: Row
    names: Row
    texts: Row
    draws: Row
    postings: Row

    def lines(self) -> list[str]:
        """Say what has to be read first, then each row in a line."""
        first = [row.first for row in self if row.first]
        return first + [f"{name}: {row.in_words()}" for name, row in self._asdict().items()]


def rows_of_head(
    vouched: Vouched | None,
    lines: int,
    missing: str,
    fitting: Sequence[Other] = (),
    stray: Sequence[tuple[Other, int]] = (),
    unsigned: str = "",
) -> tuple[Row, Row, Row]:
    """Fill in tree, head and witnesses, of that many lines; missing says that there is no head.

    `unsigned` is the reason for which lines were read that no head covers. `stray` are heads of
    another history, each with the line that revoked its key by then.
    """
    others = [f"line {each.head.size} ({each.where})" for each in fitting]
    missing += f"; {taken_for(unsigned)}" if unsigned else ""
    further = f"; also matched by heads signed at {', '.join(others)}" if others else ""
    further += "".join(
        f"; the head signed at line {each.head.size} ({each.where}) is of another history: line"
        f" {event} revoked its key, and nothing here shows whether its holder signed it"
        for each, event in stray
    )
    if vouched is None:
        why = f"{missing}{further}"
        form = f"{why}; the lines are in order, each in canonical form"
        return Row(0, lines, "", form), Row(unchecked=why), Row(unchecked=why)
    covered = vouched.head.size
    left = f"no head covers the lines from {covered + 1} on yet" if covered < lines else ""
    left += f"; {taken_for(unsigned)}" if left and unsigned else ""
    tree = Row(covered, lines, "lines match the head", left)
    said = f"{signed_at(vouched, lines)}{further}"
    if vouched.renewal:
        said += f"; {vouched.renewal}"
    if vouched.is_strange:
        why = f"the policy pins another key; {said}"
        return tree, Row(0, 1, "", why), Row(unchecked=NOT_ACCEPTED)
    if not vouched.is_pinned:
        why = f"no policy states whose signature counts; {said}"
        return tree, Row(0, 1, "", why), Row(unchecked="no policy names witnesses")
    counted = 1 + len(others)
    times = [f"{each} (Unix time {at})" for each, at in vouched.witnesses.items()]
    cosigned = Row(len(times), len(times), f"accepted by the policy: {', '.join(times)}")
    asks_none = Row(unchecked=NO_WITNESSES)
    origin = vouched.head.origin
    return tree, Row(counted, counted, f"by {origin}, {said}"), cosigned if times else asks_none


def row_of_acts(
    signed: int, unsigned: int, renewed: int = 0, why: str = WHOSE_KEYS, pinned: int = -1
) -> Row:
    """Fill in acts: signed ones, pinned with a policy's keys (-1: it pins none), and unsigned."""
    said = "are signed, with keys that the log names"
    if pinned >= 0:
        said = f"are signed, {pinned:,} with keys that the policy pins for officials"
        why = ""
    notes = [why] if why and signed else []
    if 0 <= pinned < signed:
        notes.append(f"{signed - pinned:,} {NOT_PINNED}")
    if renewed:
        notes.append(f"{renewed:,} are signed with a key that was {RENEWED}")
    if unsigned:
        notes.append(f"{unsigned:,} entered for officials without a key are not signed")
    elif not signed:
        notes.append("no act is signed")
    return Row(signed, signed + unsigned, said, "; ".join(notes))


def row_of_names(opened_names: int, sealed: int) -> Row:
    """Fill in names: those whose keys came along, of all that are sealed and not forgotten."""
    left = sealed - opened_names
    why = "the line with their keys is missing: they stay sealed" if left else ""
    if left and opened_names:
        why = f"{left:,} stay sealed: their keys are missing"
    said = "sealed names have the key that their line commits to"
    return Row(opened_names, sealed, said, why)


def row_of_texts(sealed: int, opened_texts: int = 0) -> Row:
    """Fill in texts: those that were opened, of all that are sealed."""
    left = sealed - opened_texts
    why = f"{left:,} are sealed, and their keys are missing" if left else ""
    return Row(opened_texts, sealed, "sealed texts have the key that their line commits to", why)


def drawn_again(rounds: Mapping[int, tuple[int, int]]) -> str:
    """State which rounds were drawn more than once; empty without one.

    `rounds` has by round how often, and at which line last.
    """
    if not rounds:
        return ""
    named = ", ".join(
        f"round {number} was drawn {times} times (line {seq})"
        for number, (times, seq) in rounds.items()
    )
    return f"{named}: a person who undoes a draw and draws again can choose between the draws"


def taken_for(reason: str) -> str:
    """State that lines were read without a head, and the reason that was given."""
    return f"taken unsigned: {reason}"


def signed_at(vouched: Vouched, lines: int) -> str:
    """Say up to where a head vouches; that the log went on from there no head can deny."""
    by = ""
    if vouched.key is not None and not vouched.is_pinned:
        by = " with the key that the log itself names"
    elif vouched.key is None:
        by = " with an unknown key"
    return (
        f"signed at line {vouched.head.size} of {lines}{by}; the log's own time there, "
        f"not verified: {vouched.at or 'none'}; there may be later lines"
    )

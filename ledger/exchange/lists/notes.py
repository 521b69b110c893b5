"""What reading a list comes to: the list, and a note on each line that is no part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.formats.case import Finding
from ledger.formats.play_lists import Listed, PlayList  # noqa: TC001 - msgspec resolves it

SHOWN_MAX = 60
"""How much of a line a note or a refusal repeats."""


class LineNote(Struct, frozen=True):
    """A line that was passed over, or says something else than the lines it is about."""

    line: int
    """0: the file as a whole."""

    why: str
    text: str = ""
    differs: bool = False
    """Whether it contradicts the list, and was not merely passed over."""

    def __str__(self) -> str:
        """Say it in one line."""
        place = f"line {self.line}: " if self.line else ""
        shown = f"{self.text[:SHOWN_MAX]!r} " if self.text else ""
        return f"{place}{shown}{self.why}"


class WrittenList(Struct, frozen=True):
    """A list as it is meant, with everything of the file that is not in it."""

    listed: PlayList
    notes: tuple[LineNote, ...] = ()

    def findings(self, clause: str) -> Iterator[Finding]:
        """Yield what the file says of itself and is not so, by the clause of what a list says."""
        for note in self.notes:
            if note.differs:
                yield Finding(clause, str(note), "breaks")

    @property
    def counts(self) -> str:
        """The declared points, and how many cards each section holds, with upgrades."""
        points = [] if self.listed.total is None else [f"{self.listed.total} points"]
        held = self.listed.sections.items()
        return ", ".join([*points, *(_counted(name, cards) for name, cards in held)])


def _counted(section: str, cards: Sequence[Listed]) -> str:
    borne = sum(each.count * up.count for each in cards for up in each.upgrades)
    upgrades = f" with {borne} upgrade{'s' if borne > 1 else ''}" if borne else ""
    return f"{section} {sum(each.count for each in cards)}{upgrades}"

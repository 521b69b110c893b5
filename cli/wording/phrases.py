"""People, tables and free texts within a sentence, and the sentences of events made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cli.input.find_people import labelled
from cli.terminal.visible import shortened, visible
from cli.wording.result_words import result_in_words
from ledger.tournament.links import link_over
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events import Event
    from ledger.events.base import Waiver
    from ledger.lines.recorded import Recorded

TEXT_CELLS = 200
"""How much of a text a line shows."""

Phrase = Callable[[Any, "Tournament"], str]
"""Says an event in one line; people by the names that they have now."""


def safe_text(text: str) -> str:
    """A text as it was typed, short and safe to show."""
    return shortened(visible(text), TEXT_CELLS)


def because(text: str) -> str:
    """The end of a sentence that says why; nothing where nobody said it."""
    return f": {safe_text(text)}" if text.strip() else ""


def by_clause(clause: str) -> str:
    """The clause that something follows, in brackets."""
    return f" ({safe_text(clause)})" if clause else ""


def who(by: str, tournament: Tournament) -> str:
    """Name who entered an event: `Kim`, or `Kim for Ann Lee (#7)`."""
    desk, _, player = by.partition("/")
    if desk.startswith("p"):
        return labelled(tournament, int(desk[1:]))
    name = safe_text(tournament.names.get(desk, desk))
    return f"{name} for {labelled(tournament, int(player[1:]))}" if player else name


def entered_by(recorded: Recorded, tournament: Tournament) -> str:
    """Name who entered an event, and over which link, where it was over one."""
    name, link = who(recorded.by, tournament), link_over(tournament.floor.links, recorded.id)
    return f"{name}, over link {link}" if link else name


def official_in_words(tournament: Tournament, number: int) -> str:
    """Name an official, short and safe to show."""
    return safe_text(tournament.names.get(f"o{number}", f"official {number}"))


def holder_in_words(tournament: Tournament, number: int) -> str:
    """Name who holds a key: an official, or the log as number 0."""
    return official_in_words(tournament, number) if number else "the log"


def table_in_words(tournament: Tournament, match: int) -> str:
    """Name a match by round and table."""
    found = tournament.matches[match]
    return f"{found.round}/{found.table}"


def at_table(tournament: Tournament, match: int) -> str:
    """Say at which table; nothing of what is about no match."""
    return f" at {table_in_words(tournament, match)}" if match else ""


def missed_in_words(missed: tuple[int, ...]) -> str:
    """Say which rounds are unpaired losses; nothing where none are."""
    rounds = f"round{'' if len(missed) == 1 else 's'} {', '.join(map(str, missed))}"
    return f", unpaired loss in {rounds}" if missed else ""


def waived(waiver: Waiver | None) -> str:
    """Say which clauses were waived, and why."""
    return f" (waives {', '.join(waiver.clauses)}: {safe_text(waiver.reason)})" if waiver else ""


def phrase(template: str, **parts: Phrase) -> Phrase:
    """Return what says an event by a sentence with its members in braces, each as it is read.

    A member that may be empty brings what joins it to the sentence: `{player} rejoined{missed}`.
    Other words in braces are said by the `parts`.
    """
    return lambda event, tournament: template.format_map(_Members(event, tournament, parts))


class _Members:
    """The members of an event in words."""

    def __init__(self, event: Event, tournament: Tournament, parts: Mapping[str, Phrase]) -> None:
        self._event, self._tournament, self._parts = event, tournament, parts

    def __getitem__(self, name: str) -> object:
        event: Any = self._event
        tournament = self._tournament
        if part := self._parts.get(name) or _PARTS.get(name):
            return part(event, tournament)
        value = getattr(event, name)
        if name in _NUMBERS:
            return _NUMBERS[name](tournament, value)
        if name in _TEXTS:
            return _TEXTS[name](value)
        return safe_text(value) if isinstance(value, str) else value


_PARTS: dict[str, Phrase] = {
    "where": lambda event, tournament: at_table(tournament, event.match),
    "result": lambda event, tournament: result_in_words(
        tournament, tournament.matches[event.match], event.result
    ),
    "players": lambda event, tournament: " and ".join(
        labelled(tournament, each) for each in event.players
    ),
}
_NUMBERS: dict[str, Callable[[Tournament, int], str]] = {
    **dict.fromkeys(("player", "chooser", "blue", "entrant", "leaver"), labelled),
    "match": table_in_words,
    "official": official_in_words,
    "holder": holder_in_words,
}
_KINDS = {"p": "player", "o": "official", "s": "screen"}
_TEXTS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("reason", "note", "text", "infraction"), because),
    "clause": by_clause,
    "missed": missed_in_words,
    "of": lambda of: f"{_KINDS[of[0]]} {of[1:]}",
    "word": lambda word: f', the word is "{safe_text(word)}"' if word else "",
    "waiver": waived,
    "edge": lambda edge: f", edge {safe_text(edge)}" if edge else "",
    "during": lambda during: " during the game" if during else "",
}

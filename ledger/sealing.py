"""Sealed text: what a line holds of people in cipher, and the keys that open it.

In memory an event has its texts as they were typed. In the line of a log with sealed names each
name and each free text that is not blank stands as `ledger.proof.seals` seals it, bound to the
tournament, the event and its path in it. The free texts of one event have one key. Once it is
destroyed nobody reads them, and the lines, with all that is hashed and signed over them, stay as
they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.errors import Refused
from ledger.events.people import PersonRecorded
from ledger.proof.formats import Invalid
from ledger.proof.seals import NAME_STEP
from ledger.proof.seals import SEALED
from ledger.proof.seals import TEXT_STEP
from ledger.proof.seals import digest_of
from ledger.proof.seals import read_text
from ledger.proof.seals import seal_text
from ledger.proof.seals import unseal_text
from ledger.texts import Place
from ledger.texts import changed
from ledger.texts import texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from ledger.events import Event
    from ledger.lines import Recorded

    Opener = Callable[[Recorded], Recorded]
    """What gives an event its texts back, as far as it can."""

MARK = f'"{SEALED}'.encode()
"""What a line without has nothing sealed in it."""

NAME = "name:"
"""Begins the names of persons' keys in the vault: `name:p7`."""

UNOPENED = "(sealed)"
"""Shown of a text whose key is not at hand."""

FORGOTTEN = "(forgotten)"
"""Shown of a text whose key was destroyed on purpose."""

DAMAGED = "(damaged)"
"""Shown of a text that its key does not open: it was tampered with, or the vault was."""

_DIGEST_LENGTH = 44


def key_name(recorded: Recorded) -> str:
    """Name the key of an event's texts in the vault, known before the event is stored."""
    event = recorded.event
    return f"{NAME}{event.of}" if isinstance(event, PersonRecorded) else f"text:{recorded.id}"


class Seals:
    """The keys of one tournament: they seal its events and open them.

    `keys` is by `key_name`, `forgotten` names the keys that were destroyed on purpose, `digests`
    has for each person whose sealed name was met, by `p7`, the digest of its key; `unopened` names
    the keys that were looked for and not there, `damaged` says that one did not fit.
    """

    def __init__(self, tournament: str, keys: Mapping[str, bytes] | None = None) -> None:
        self.tournament = tournament
        self.keys: Mapping[str, bytes] = keys or {}
        self.forgotten: frozenset[str] = frozenset()
        self.digests: dict[str, str] = {}
        self.unopened: set[str] = set()
        self.damaged = False

    def missing(self, recorded: Iterable[Recorded]) -> list[str]:
        """Name the keys that have to be drawn before these events can be sealed.

        Raises:
            Refused: a person's name is sealed with a key that is not here.
        """
        needed = dict.fromkeys(key_name(each) for each in recorded if texts(each.event))
        for name in needed:
            of = name.removeprefix(NAME)
            known = self.digests.get(of) if name.startswith(NAME) else None
            key = self.keys.get(name)
            if known is not None and (key is None or digest_of(key) != known):
                raise Refused(
                    f"the key of {of}'s name is not in this store: record the name at the store "
                    "that has it"
                )
        return [name for name in needed if name not in self.keys]

    def seal(self, recorded: Recorded) -> Recorded:
        """Return the event with its texts sealed; their key is at hand."""

        def sealed(place: Place, text: str) -> str:
            key = self.keys[key_name(recorded)]
            return seal_text(key, self._place(recorded, place), text, _step(recorded))

        return _with(recorded, changed(recorded.event, sealed))

    def open(self, recorded: Recorded) -> Recorded:
        """Return the event with its sealed texts opened, or with what is shown in their place."""
        name = key_name(recorded)
        key = self.keys.get(name)

        def opened(place: Place, text: str) -> str:
            if not text.startswith(SEALED):
                return text
            self._note(recorded.event, text)
            if key is None:
                self.unopened.add(name)
                return FORGOTTEN if name in self.forgotten else UNOPENED
            try:
                plain = unseal_text(key, self._place(recorded, place), text, _step(recorded))
                return _within(plain, place)
            except Invalid:
                self.damaged = True
                return DAMAGED

        return _with(recorded, changed(recorded.event, opened))

    def key_problem(self, event: Event) -> str:
        """Say where a stored name is sealed with another key than that person's names before it."""
        if not isinstance(event, PersonRecorded) or not event.name.startswith(SEALED):
            return ""
        self._note(event, event.name)
        if self.digests[event.of] == digest_in(event.name):
            return ""
        return f"the name of {event.of} is sealed with another key than before"

    def _note(self, event: Event, text: str) -> None:
        if isinstance(event, PersonRecorded):
            self.digests.setdefault(event.of, digest_in(text))

    def _place(self, recorded: Recorded, place: Place) -> list[str]:
        return [self.tournament, recorded.id, place.path]


def unopened(recorded: Recorded) -> Recorded:
    """Return the event as it is shown to those without any key."""

    def hidden(_: Place, text: str) -> str:
        return UNOPENED if text.startswith(SEALED) else text

    return _with(recorded, changed(recorded.event, hidden))


def _step(recorded: Recorded) -> int:
    return NAME_STEP if isinstance(recorded.event, PersonRecorded) else TEXT_STEP


def _within(plain: str, place: Place) -> str:
    if not 0 < len(plain) <= place.longest:
        raise Invalid("it holds more than a text may")
    return plain


def typed_problems(event: Event) -> Iterator[str]:
    """Yield what keeps the texts of an event from being recorded as they were typed."""
    for place, text in texts(event):
        if text.startswith(SEALED):
            yield f"`{place.path}` begins with {SEALED!r}, which stands for sealed text alone"
        yield from _too_long(place, text)


def stored_problems(event: Event) -> Iterator[str]:
    """Yield what is wrong with the texts of an event as they stand in a line."""
    for place, text in texts(event):
        if not text.startswith(SEALED):
            yield from _too_long(place, text)
            continue
        try:
            read_text(text)
        except Invalid as error:
            yield f"`{place.path}`: {error}"


def kind_problems(event: Event, *, sealed: bool) -> Iterator[str]:
    """Yield the texts of a stored event that are not as the log's opening said: sealed or open."""
    for place, text in texts(event):
        if text.startswith(SEALED) != sealed:
            yield f"`{place.path}` is {'not ' if sealed else ''}sealed, unlike the rest of this log"


def _too_long(place: Place, text: str) -> Iterator[str]:
    if len(text) > place.longest:
        yield f"`{place.path}` takes at most {place.longest:,} characters"


def _with(recorded: Recorded, event: Event) -> Recorded:
    return recorded if event is recorded.event else msgspec.structs.replace(recorded, event=event)


def digest_in(text: str) -> str:
    """Return what a sealed text says of its key, as `digest_of` gives it."""
    return text[len(SEALED) : len(SEALED) + _DIGEST_LENGTH]

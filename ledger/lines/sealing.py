"""Sealed text: the texts about people in an event, in cipher in its line, and their keys.

Names and everything that is typed freely are found by the mark on the types (`ledger.facts.base`),
so that the texts of a new event are sealed like any other. Each text has a path: `reason`,
`waiver.reason`, `attributes.club`.

In memory an event has its texts as they were typed. In the line of a log with sealed names each
name and each free text that is not blank is sealed as `ledger/proof/ciphers.py` describes, bound to
the tournament, the event and its path in it. The free texts of one event have one key. Each record
of a person's name has its own key, derived from a master key of that person. After a key is
destroyed its texts cannot be read any more, and the lines, with all that is hashed and signed over
them, stay as they are.

Data that players may not see while the event runs is sealed in the log until the end (SWL-HIDDEN).
The first event commits to the key of that data, so nobody can replace the data later; the last
event reveals the key, and with it all that was sealed. The seal has the domain `tourney hidden 2`,
is filled up to multiples of 512 bytes, and is bound to the tournament's id, the kind of data and
its number in decimal; the log has it in lower-case hex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta, Struct

from ledger.errors import Refused
from ledger.facts.base import SEALED_UP_TO, Event
from ledger.facts.shared import PersonRecorded
from ledger.lines.recorded import Recorded
from ledger.lines.texts import DAMAGED, FORGOTTEN, UNOPENED
from ledger.problems import Phrase, marked, phrase
from ledger.proof.ciphers import (
    HIDDEN_DOMAIN,
    HIDDEN_STEP,
    NAME_STEP,
    SEALED,
    TEXT_STEP,
    digest_of,
    read_text,
    record_key,
    seal_text,
    unseal_text,
)
from ledger.proof.ciphers import (
    seal as sealed_bytes,
)
from ledger.proof.ciphers import (
    unseal as unsealed_bytes,
)
from ledger.proof.formats import Invalid


class Place(NamedTuple):
    """Where in an event a text stands, and how long it may be, in characters."""

    path: str
    longest: int


Change = Callable[[Place, str], str]
Apply = Callable[[Any, str, Change], Any]


def changed(event: Event, change: Change) -> Event:
    """Return the event with each of its texts as `change` gives it; blank ones stay as they are.

    Blank text says that nothing was said, which rules look at; it is about nobody.
    """
    apply = _applier(type(event))
    result: Event = event if apply is None else apply(event, "", change)
    return result


def texts(event: Event) -> list[tuple[Place, str]]:
    """List the texts of an event that are not blank."""
    found: list[tuple[Place, str]] = []

    def note(place: Place, text: str) -> str:
        found.append((place, text))
        return text

    changed(event, note)
    return found


def holds_text(kind: type[Event]) -> bool:
    """Whether events of this type have a place for text about people."""
    return _applier(kind) is not None


def may_have_text(event: Event) -> bool:
    """Whether a member of the event that can hold text is not empty."""
    for name in _members(type(event)):  # noqa: SIM110 - every line read from outside comes here
        if getattr(event, name):
            return True
    return False


@cache
def _members(kind: type[Event]) -> tuple[str, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(name for name in kind.__struct_fields__ if _applier(hints[name]))


@cache
def _applier(kind: Any) -> Apply | None:  # noqa: ANN401 - any annotation
    """What changes the texts in a value of this type; None where it can hold none."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _text_of(kind.__metadata__) or _applier(members[0])
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _struct_of(kind)
    if origin is dict:
        return _each_of_dict(_applier(members[1]))
    if origin is tuple:
        return _each_of_tuple(_applier(members[0]))
    if origin in {Union, UnionType}:
        return _unless_none([_applier(member) for member in members])
    return None


def _text_of(metadata: tuple[object, ...]) -> Apply | None:
    for meta in metadata:
        if isinstance(meta, Meta) and meta.extra and SEALED_UP_TO in meta.extra:
            longest: int = meta.extra[SEALED_UP_TO]
            return lambda text, path, change: (
                change(Place(path, longest), text) if text.strip() else text
            )
    return None


def _struct_of(kind: type[Struct]) -> Apply | None:
    hints = get_type_hints(kind, include_extras=True)
    appliers = [
        (name, apply) for name in kind.__struct_fields__ if (apply := _applier(hints[name]))
    ]
    if not appliers:
        return None

    def each(value: Struct, path: str, change: Change) -> Struct:
        made = {}
        for name, apply in appliers:
            before = getattr(value, name)
            after = apply(before, f"{path}.{name}" if path else name, change)
            if after != before:
                made[name] = after
        return msgspec.structs.replace(value, **made) if made else value

    return each


def _each_of_dict(apply: Apply | None) -> Apply | None:
    return apply and (
        lambda value, path, change: {
            label: apply(each, f"{path}.{label}", change) for label, each in value.items()
        }
    )


def _each_of_tuple(apply: Apply | None) -> Apply | None:
    return apply and (
        lambda value, path, change: tuple(
            apply(each, f"{path}.{place}", change) for place, each in enumerate(value)
        )
    )


def _unless_none(appliers: list[Apply | None]) -> Apply | None:
    known = [apply for apply in appliers if apply]
    if not known:
        return None
    (apply,) = known  # a text or a struct, or none: more is nowhere declared
    return lambda value, path, change: None if value is None else apply(value, path, change)


Opener = Callable[[Recorded], Recorded]
"""What gives an event its texts back, as far as it can."""

MARK = f'"{SEALED}'.encode()
"""What a line without has nothing sealed in it."""

MASTER = "master:"
"""Begins the names of persons' masters in the vault: `master:p7`."""

NAME = "name:"
"""Begins the names of keys that came with a file, each of one record of a name: `name:<id>`."""

TEXT = "text:"
"""Begins the names of the keys of an event's free texts: `text:<id>`."""


_DIGEST_LENGTH = 44


class Named(NamedTuple):
    """A record of a name: whose it is, and the digest of the key that seals it."""

    of: str
    digest: str


def key_name(recorded: Recorded) -> str:
    """Name what the vault has for an event's texts, known before the event is stored."""
    event = recorded.event
    return f"{MASTER}{event.of}" if isinstance(event, PersonRecorded) else f"{TEXT}{recorded.id}"


def keys_of(recorded: Recorded, secrets: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what may open an event's texts, by the name of the secret that gives it."""
    name = key_name(recorded)
    secret = secrets.get(name)
    if not isinstance(recorded.event, PersonRecorded):
        return {} if secret is None else {name: secret}
    given = f"{NAME}{recorded.id}"
    found = {given: secrets[given]} if given in secrets else {}
    return found if secret is None else found | {name: record_key(secret, recorded.id)}


class Seals:
    """The keys of one tournament: they seal its events and open them.

    `keys` are the secrets of a vault, `forgotten` names those that were destroyed on purpose,
    `names` has each record of a sealed name that was met, by its event's id; `unopened` names the
    keys that were looked for and not there, `damaged` says that one did not fit.
    """

    def __init__(self, tournament: str, keys: Mapping[str, bytes] | None = None) -> None:
        self.tournament = tournament
        self.keys: Mapping[str, bytes] = keys or {}
        self.forgotten: frozenset[str] = frozenset()
        self.names: dict[str, Named] = {}
        self._latest: dict[str, str] = {}
        self.unopened: set[str] = set()
        self.damaged = False

    def missing(self, recorded: Iterable[Recorded]) -> list[str]:
        """Name the secrets that have to be drawn before these events can be sealed.

        Refused where a person's name is sealed, and what seals it is not here.
        """
        needed = {key_name(each): each.event for each in recorded if texts(each.event)}
        for event in needed.values():
            if isinstance(event, PersonRecorded) and not self._has_name(event.of):
                raise Refused(
                    phrase(
                        "the key of {person}'s name is not in this store: record the name at the "
                        "store that has the key",
                        person=event.of,
                    )
                )
        return [name for name in needed if name not in self.keys]

    def _has_name(self, of: str) -> bool:
        """Whether the newest record of a person's name, if there is one, can be opened here."""
        latest = self._latest.get(of)
        if latest is None:
            return True
        master, given = self.keys.get(f"{MASTER}{of}"), self.keys.get(f"{NAME}{latest}")
        keys = [given] if given is not None else []
        keys += [record_key(master, latest)] if master is not None else []
        return self.names[latest].digest in map(digest_of, keys)

    def seal(self, recorded: Recorded) -> Recorded:
        """Return the event with its texts sealed; what seals them is at hand."""

        def sealed(place: Place, text: str) -> str:
            secret = self.keys[name]
            key = record_key(secret, recorded.id) if name.startswith(MASTER) else secret
            return seal_text(key, self._place(recorded, place), text, _step(recorded))

        name = key_name(recorded)
        return _with(recorded, changed(recorded.event, sealed))

    def open(self, recorded: Recorded) -> Recorded:
        """Return the event with its sealed texts opened, or with what is shown in their place."""
        name, keys = key_name(recorded), keys_of(recorded, self.keys).values()

        def opened(place: Place, text: str) -> str:
            if not text.startswith(SEALED):
                return text
            if not keys:
                self.unopened.add(name)
                return FORGOTTEN if name in self.forgotten else UNOPENED
            for key in keys:
                with suppress(Invalid):
                    where = self._place(recorded, place)
                    return _within(unseal_text(key, where, text, _step(recorded)), place)
            self.damaged = True
            return DAMAGED

        self.note(recorded)
        return _with(recorded, changed(recorded.event, opened))

    def note(self, recorded: Recorded) -> None:
        """Note the record of a sealed name, of an event as it is stored."""
        event = recorded.event
        if isinstance(event, PersonRecorded) and event.name.startswith(SEALED):
            self.names[recorded.id] = Named(event.of, digest_in(event.name))
            self._latest[event.of] = recorded.id

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
    if not plain.strip():
        raise Invalid(marked("it is empty: a blank text must not be sealed"))
    if len(plain) > place.longest:
        raise Invalid(marked("it is longer than a text can be"))
    return plain


def typed_problems(event: Event) -> Iterator[Phrase]:
    """Yield what keeps the texts of an event from being recorded as they were typed."""
    for place, text in texts(event):
        if text.startswith(SEALED):
            reserved = marked("`{field}` begins with {sign}, which is reserved for sealed text")
            yield phrase(reserved, field=place.path, sign=f"{SEALED!r}")
        yield from _too_long(place, text)


def stored_problems(event: Event) -> Iterator[Phrase]:
    """Yield what is wrong with the texts of an event as they stand in a line."""
    for place, text in texts(event):
        if not text.startswith(SEALED):
            yield from _too_long(place, text)
            continue
        try:
            read_text(text)
        except Invalid as error:
            yield Phrase("`{field}`: {why}", {"field": place.path, "why": error.text})


def kind_problems(event: Event, *, sealed: bool) -> Iterator[Phrase]:
    """Yield the texts of a stored event that are not as the log's opening said: sealed or open."""
    for place, text in texts(event):
        if text.startswith(SEALED) != sealed:
            unlike = marked("`{field}` is sealed, unlike the rest of this log")
            if sealed:
                unlike = marked("`{field}` is not sealed, unlike the rest of this log")
            yield phrase(unlike, field=place.path)


def _too_long(place: Place, text: str) -> Iterator[Phrase]:
    if len(text) > place.longest:
        most = f"{place.longest:,}"
        yield phrase("`{field}` can have at most {most} characters", field=place.path, most=most)


def _with(recorded: Recorded, event: Event) -> Recorded:
    return recorded if event is recorded.event else msgspec.structs.replace(recorded, event=event)


def digest_in(text: str) -> str:
    """Return what a sealed text says of its key, as `digest_of` gives it."""
    return text[len(SEALED) : len(SEALED) + _DIGEST_LENGTH]


Label = tuple[str, str, int]
"""The tournament's id, the kind of thing, its number."""


def seal_hidden(key: bytes, label: Label, text: bytes) -> str:
    """Seal a text under a label."""
    return sealed_bytes(key, HIDDEN_DOMAIN, _place(label), text, HIDDEN_STEP).hex()


def open_hidden(key: bytes, label: Label, sealed: str) -> bytes | None:
    """Open what was sealed under that label; None where another key or label sealed it."""
    try:
        body = bytes.fromhex(sealed)
        return unsealed_bytes(key, HIDDEN_DOMAIN, _place(label), body, HIDDEN_STEP)
    except (Invalid, ValueError):
        return None


def _place(label: Label) -> list[str]:
    tournament, kind, number = label
    return [tournament, kind, str(number)]

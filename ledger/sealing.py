r"""Sealed text: what a line holds of people in cipher, and the keys that open it.

In memory an event has its texts as they were typed. In the line of a log with sealed names stands,
in the place of each name and of each free text that is not blank,

    sealed:1:<base64 SHA-256 of the key>:<base64 of nonce, ciphertext and tag>

of AES-256-GCM. Sealed is the text in UTF-8, the byte 0x80 and zeros up to the next multiple of
32 bytes, so that its length tells little of a name. The additional data, `<tournament>\n<event
id>\n<path>`, binds it to its place. The nonce is the first 12 bytes of HMAC-SHA256(key,
additional data, `\n`, what is sealed): the same text in its place always gives the same line,
and no two texts share a nonce. A key covers all records of one person's name, or the free texts
of one event. Once it is destroyed nobody reads them, and the lines, with all that is hashed and
signed over them, stay as they are.
"""

from __future__ import annotations

import binascii
import hmac
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from ledger.errors import InvalidLog
from ledger.errors import Refused
from ledger.events.people import PersonRecorded
from ledger.texts import Place
from ledger.texts import changed
from ledger.texts import texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    from ledger.events import Event
    from ledger.lines import Recorded

    Opener = Callable[[Recorded], Recorded]
    """What gives an event its texts back, as far as it can."""

SEALED = "sealed:1:"
"""How a sealed text begins; nobody can enter a text that does."""

MARK = b'"sealed:1:'
"""What a line without has nothing sealed in it."""

KEY_BYTES = 32
NAME = "name:"
"""Begins the names of persons' keys in the vault: `name:p7`."""

UNOPENED = "(sealed)"
"""Shown of a text whose key is not at hand."""

FORGOTTEN = "(forgotten)"
"""Shown of a text whose key was destroyed on purpose."""

DAMAGED = "(damaged)"
"""Shown of a text that its key does not open: it was tampered with, or the vault was."""

_NONCE_BYTES = 12
_TAG_BYTES = 16
_STEP_BYTES = 32
_END = b"\x80"
_DIGEST_LENGTH = 44


def key_name(recorded: Recorded) -> str:
    """Name the key of an event's texts in the vault, known before the event is stored."""
    event = recorded.event
    return f"{NAME}{event.of}" if isinstance(event, PersonRecorded) else f"text:{recorded.id}"


def digest_of(key: bytes) -> str:
    """Return what a sealed text says of its key."""
    return to_base64(sha256(key).digest())


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
            return seal(text, self.keys[key_name(recorded)], self._bound_to(recorded, place))

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
                return unseal(text, key, self._bound_to(recorded, place), place.longest)
            except InvalidLog:
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

    def _bound_to(self, recorded: Recorded, place: Place) -> bytes:
        return f"{self.tournament}\n{recorded.id}\n{place.path}".encode()


def unopened(recorded: Recorded) -> Recorded:
    """Return the event as it is shown to those without any key."""

    def hidden(_: Place, text: str) -> str:
        return UNOPENED if text.startswith(SEALED) else text

    return _with(recorded, changed(recorded.event, hidden))


def seal(text: str, key: bytes, bound_to: bytes) -> str:
    """Seal a text for one place."""
    return f"{SEALED}{digest_of(key)}:{to_base64(encrypted(_padded(text.encode()), key, bound_to))}"


def encrypted(plain: bytes, key: bytes, bound_to: bytes) -> bytes:
    """Return nonce, ciphertext and tag: the same bytes for the same place always."""
    nonce = hmac.digest(key, bound_to + b"\n" + plain, "sha256")[:_NONCE_BYTES]
    return nonce + _cipher()(key).encrypt(nonce, plain, bound_to)


def decrypted(body: bytes, key: bytes, bound_to: bytes) -> bytes:
    """Return what `encrypted` made the bytes of.

    Raises:
        InvalidLog: it was not of this key, or not for this place.
    """
    try:
        return _cipher()(key).decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], bound_to)
    except _invalid_tag():
        raise InvalidLog("its key does not open it") from None


def unseal(text: str, key: bytes, bound_to: bytes, longest: int) -> str:
    """Open a sealed text.

    Raises:
        InvalidLog: it is not what this key sealed for this place.
    """
    start = f"{SEALED}{digest_of(key)}:"
    if len(key) != KEY_BYTES or not text.startswith(start):
        raise InvalidLog("it is sealed with another key")
    body = _sealed_bytes(text[len(start) :])
    try:
        padded = decrypted(body, key, bound_to)
        plain = padded.rstrip(b"\0").removesuffix(_END).decode()
    except UnicodeDecodeError:
        raise InvalidLog("its key does not open it") from None
    if _padded(plain.encode()) != padded:
        raise InvalidLog("it is not filled up as a text is")
    if not 0 < len(plain) <= longest:
        raise InvalidLog("it holds more than a text may")
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
            _check_form(text)
        except InvalidLog as error:
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


@cache
def _cipher() -> type[AESGCM]:
    """The cipher: 10 ms that a log without sealed texts does not pay."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as said

    return AESGCM


@cache
def _invalid_tag() -> type[Exception]:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

    return InvalidTag


def _check_form(text: str) -> None:
    """Refuse what has not the one form of a sealed text.

    Raises:
        InvalidLog: what is wrong with it.
    """
    digest, colon, body = text[len(SEALED) :].partition(":")
    if not colon or len(from_base64(digest)) != sha256().digest_size:
        raise InvalidLog("a sealed text names its key by 32 bytes in base64")
    _sealed_bytes(body)


def _sealed_bytes(body: str) -> bytes:
    """Return nonce, ciphertext and tag."""
    found = from_base64(body)
    steps, rest = divmod(len(found) - _NONCE_BYTES - _TAG_BYTES, _STEP_BYTES)
    if steps < 1 or rest:
        raise InvalidLog("a sealed text has a nonce, a ciphertext of whole steps and a tag")
    return found


def _padded(plain: bytes) -> bytes:
    """Fill a text up, by ISO/IEC 7816-4, to whole steps: its own length is not to be seen."""
    ended = plain + _END
    return ended + bytes(-len(ended) % _STEP_BYTES)


def from_base64(text: str) -> bytes:
    """Read canonical base64.

    Raises:
        InvalidLog: it is not what these bytes are written as.
    """
    try:
        found = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except (binascii.Error, UnicodeEncodeError):
        found = b""
    if to_base64(found) != text:
        raise InvalidLog("not in canonical base64")
    return found


def to_base64(data: bytes) -> str:
    """Write bytes in base64, with padding."""
    return binascii.b2a_base64(data, newline=False).decode()

"""The secrets of a log in a vault, held to what the log says of each.

A line has the SHA-256 of every key that it needs: the first one of the key that draws are made
with, a sealed text of the key that opens it. So a secret that is damaged is never used, and what is
missing can be named by its event.

    shuffle-key              what draws are made with; `shuffle-key:<id>` the one of a later act
    draw-key-at              in its place: the machine whose file it is; `draw-key-at:<id>` likewise
    hidden-key               what hidden cards are sealed with, likewise
    master:p7, text:<id>     what seals the names of a person, and the free texts of an event
    name:<id>                what opens one record of a name: it came with a file
    links-key                what links of the served hall follow from: see `links`
    draft:<id>               an act that came in over the hall and waits for a signature
    merged                   what merges decided about the events of other desks: see `merging`
    imported                 how many events came from a file, without the secrets of their texts
    head, unsigned           no secrets: the signed head that came with a file, and which lines no
                             signed head covered: see `unsigned_lines`
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from ledger.books.forgetting import covered
from ledger.books.links import BROWSER, LINKS_KEY, is_of
from ledger.books.open_log import taken
from ledger.facts.base import SECRET_BYTES
from ledger.lines.line import as_stored, decode
from ledger.lines.sealing import MARK, MASTER, NAME, Seals, digest_in, key_name, keys_of, texts
from ledger.problems import Phrase, marked, phrase
from ledger.proof.ciphers import SEALED, digest_of
from ledger.proof.notes import base64_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import CommittedKey, Tournament
    from ledger.tournament.table_records import Link

SHUFFLE_KEY = "shuffle-key"
"""The name of the first shuffle key in the vault."""

HIDDEN_KEY = "hidden-key"
"""The name of the first hidden key in the vault."""

DRAW_KEY_AT = "draw-key-at"
"""In the place of a shuffle key: the name of the machine that has it as a file."""

_MACHINE = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

DRAFT = "draft:"
"""Before the id of an act that waits for a signature."""

IMPORTED = "imported"
NAMES_TOO = " without names"
"""Behind the number of events that were imported: their names' keys did not come with them."""

_IMPORTED_FORM = re.compile(rb"[1-9][0-9]{0,8}(?: without names)?")

NAMED_MAX = 8
"""How many secrets are named one by one."""


class Vault(NamedTuple):
    """What was found: names that fit, and those that do not or are not there, with their event."""

    fits: frozenset[str]
    damaged: dict[str, int]
    missing: dict[str, int]


class Secrets(NamedTuple):
    """The two secret keys that an event commits to in its first line."""

    shuffle: bytes
    hidden: bytes

    @property
    def commitments(self) -> tuple[str, str]:
        """What the first line says of them."""
        return sha256(self.shuffle).hexdigest(), sha256(self.hidden).hexdigest()

    @property
    def items(self) -> dict[str, bytes]:
        """The keys by their names in the vault."""
        return {SHUFFLE_KEY: self.shuffle, HIDDEN_KEY: self.hidden}


class SecretKind(NamedTuple):
    """One of the two: what it is called, and its first name in the vault."""

    word: str
    first: str

    def committed(self, tournament: Tournament) -> list[CommittedKey]:
        """Return the keys of this kind that the log commits to, in order."""
        return tournament.draw_keys if self is SHUFFLE else tournament.hidden_keys

    def name_of(self, key: CommittedKey) -> str:
        """Name a key of this kind in the vault."""
        return self.first if key.seq == 1 else f"{self.first}:{key.command_id}"

    def machine(self, key: CommittedKey, secrets: Mapping[str, bytes]) -> str:
        """Name the machine that has this key as a file; empty where a vault has it."""
        if self is not SHUFFLE or self.name_of(key) in secrets:
            return ""
        machine = _MACHINE.fullmatch(secrets.get(at_name(self.name_of(key)), b""))
        return machine[0].decode() if machine else ""

    def revealed(self, tournament: Tournament, key: CommittedKey) -> bytes:
        """Return this key as the end of play revealed it; empty where it has not."""
        secret = bytes.fromhex(tournament.shuffle_key if self is SHUFFLE else tournament.hidden_key)
        return secret if sha256(secret).hexdigest() == key.commitment else b""

    def problem(self, key: CommittedKey, secrets: Mapping[str, bytes]) -> Phrase | None:
        """Say why what is in the vault is not this key; None where it is."""
        secret = secrets.get(self.name_of(key))
        if machine := self.machine(key, secrets):
            text = marked("the draws of this tournament are made on the computer {machine}")
            return phrase(text, machine=machine)
        if secret is None:
            return phrase(
                "the {key} key of this tournament is not in this store", key=phrase(self.word)
            )
        if len(secret) == SECRET_BYTES and sha256(secret).hexdigest() == key.commitment:
            return None
        text = marked("the {key} key in the vault does not match the commitment in line {line}")
        return phrase(text, key=phrase(self.word), line=key.seq)


SHUFFLE = SecretKind(marked("shuffle"), SHUFFLE_KEY)
HIDDEN = SecretKind(marked("hidden"), HIDDEN_KEY)


def at_name(name: str) -> str:
    """Name the item that has a shuffle key's machine, by the name of the key."""
    return name.replace(SHUFFLE_KEY, DRAW_KEY_AT, 1)


def machine_of_draws(tournament: Tournament, secrets: Mapping[str, bytes]) -> str:
    """Name the machine that draws are still to be made on; empty where any desk makes them."""
    if not needs_draw_key(tournament):
        return ""
    return SHUFFLE.machine(tournament.draw_keys[-1], secrets)


def needs_draw_key(tournament: Tournament) -> bool:
    """Whether draws are still to be made with a key that only a vault has."""
    return bool(tournament.draw_keys) and not tournament.shuffle_key


def examined(
    lines: Sequence[bytes], secrets: Mapping[str, bytes], tournament: Tournament | None = None
) -> Vault:
    """Hold secrets to the lines of a log; those that were destroyed on purpose are not asked for.

    `tournament` is what the lines add up to. What an import came without is not missing.
    """
    tournament = tournament or taken(lines)
    sealed = [decode(line, as_stored) for line in lines if MARK in line]
    destroyed = covered(sealed, tournament)
    fits: set[str] = set()
    damaged: dict[str, int] = {}
    missing: dict[str, int] = {}
    for needed in _needed(sealed, tournament, secrets):
        if needed.name in destroyed:
            continue
        fitting = {name for name, key in needed.keys.items() if digest_of(key) == needed.digest}
        fits |= fitting
        if not needed.keys:
            missing.setdefault(needed.name, needed.seq)
        elif not fitting:
            damaged |= dict.fromkeys(needed.keys.keys() - damaged.keys(), needed.seq)
    fits -= damaged.keys()
    lost = {name: seq for name, seq in missing.items() if not came_without(name, seq, secrets)}
    return Vault(frozenset(fits), damaged, lost)


def fitting(lines: Sequence[bytes], secrets: Mapping[str, bytes]) -> frozenset[str]:
    """Name the secrets that these lines were written with, not destroyed; replaced ones as well."""
    tournament = taken(lines)
    committed = {
        kind.name_of(key)
        for kind in (SHUFFLE, HIDDEN)
        for key in kind.committed(tournament)
        if not kind.problem(key, secrets)
    }
    away = {
        at_name(SHUFFLE.name_of(key))
        for key in tournament.draw_keys
        if SHUFFLE.machine(key, secrets)
    }
    key = secrets.get(LINKS_KEY)
    links = {LINKS_KEY} if key and any(is_of(key, each) for each in _links(tournament)) else set()
    return examined(lines, secrets, tournament).fits | committed | away | links


def _links(tournament: Tournament) -> Iterable[Link]:
    return tournament.floor.links.values()


def worth_taking(
    lines: Sequence[bytes], there: Mapping[str, bytes], here: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return a backup's secrets that fit these lines, and that the vault here has not so."""
    fits = fitting(lines, here)
    names = fitting(lines, there) - fits - {at_name(each) for each in fits}
    came = there.get(IMPORTED, b"")
    if not here and _IMPORTED_FORM.fullmatch(came) and int(came.split()[0]) <= len(lines):
        names |= {IMPORTED}
    if not here:
        names |= {each for each in there if each.startswith((DRAFT, f"{BROWSER}:"))}
    return {name: there[name] for name in sorted(names)}


class _Needed(NamedTuple):
    """What an event needs: a secret's name, the digest of its key, and the keys that may be it."""

    name: str
    seq: int
    digest: str
    keys: Mapping[str, bytes]


def tampered(lines: Sequence[bytes], stream: str, secrets: Mapping[str, bytes]) -> int:
    """Return the first event with a sealed text that its own key does not open; 0 for none."""
    seals = Seals(stream, secrets)
    for line in lines:
        if MARK in line:
            recorded = decode(line, seals.open)
            if seals.damaged:
                return recorded.seq
    return 0


def _needed(
    sealed: Sequence[Recorded], tournament: Tournament, secrets: Mapping[str, bytes]
) -> Iterator[_Needed]:
    """Yield what each event needs; every record of a name is held to its person's master.

    A key that is revealed needs no vault any more, nor does one that was replaced; one that is a
    file on another machine belongs in none.
    """
    if needs_draw_key(tournament):
        for kind in (SHUFFLE, HIDDEN):
            key = kind.committed(tournament)[-1]
            if kind.machine(key, secrets):
                continue
            name, digest = kind.name_of(key), base64_of(bytes.fromhex(key.commitment))
            there = {name: secrets[name]} if name in secrets else {}
            yield _Needed(name, key.seq, digest, there)
    for recorded in sealed:
        digests = [digest_in(text) for _, text in texts(recorded.event) if text.startswith(SEALED)]
        for digest in digests[:1]:
            name = key_name(recorded)
            yield _Needed(name, recorded.seq, digest, keys_of(recorded, secrets))


def imported(events: int, *, with_names: bool) -> dict[str, bytes]:
    """Return what is kept of an import: these events came without the secrets of their texts."""
    return {IMPORTED: f"{events}{'' if with_names else NAMES_TOO}".encode()}


def came_without(name: str, seq: int, secrets: Mapping[str, bytes]) -> bool:
    """Whether the event that needs a secret was imported, and the secret did not come with it."""
    events, _, without_names = secrets.get(IMPORTED, b"").decode("ascii", "replace").partition(" ")
    is_within = events.isdecimal() and seq <= int(events)
    return is_within and (not name.startswith(MASTER) or bool(without_names))


def in_words(secrets: Mapping[str, int]) -> Phrase:
    """Name secrets by the events that need them, a few one by one."""
    named = [_in_words(name, seq) for name, seq in list(secrets.items())[:NAMED_MAX]]
    more = len(secrets) - len(named)
    listed = Phrase("{secrets}", {"secrets": tuple(named)})
    return phrase("{listed} and {count} more", listed=listed, count=more) if more else listed


def _in_words(name: str, seq: int) -> Phrase:
    if name.startswith(SHUFFLE_KEY):
        return phrase("the shuffle key (event {event})", event=seq)
    if name.startswith(HIDDEN_KEY):
        return phrase("the hidden key (event {event})", event=seq)
    if name.startswith(MASTER):
        who = name.removeprefix(MASTER)
        return phrase("the key of {person}'s name (event {event})", person=who, event=seq)
    if name.startswith(NAME):
        return phrase("the key of a name (event {event})", event=seq)
    return phrase("the key of a text (event {event})", event=seq)

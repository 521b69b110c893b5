"""Whose signature counts, by a policy that was given out early: a part of what a sceptic reads.

Logs, witnesses and their quorum are C2SP's tlog-policy. Three kinds of lines are our own: whose
keys an official's are, which keys a league knows, and which acts have to be signed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ledger.proof import formats
from ledger.proof.acts import SIGNED
from ledger.proof.formats import COSIGNATURE, ED25519, Checkpoint, Invalid, Key, opened

NAMED = SIGNED - {"KeyRegistered", "KeyRevoked"}
"""The acts that a policy may name: who signs for keys is settled by the keys before them."""


class Pins(NamedTuple):
    """What a policy asks of the officials of one log.

    `own` has the keys of officials who are pinned, by their number; `known` those that a league
    knows, of whomever: where there are any, no official has another. Acts of the types in `signed`
    need a signature, with a pinned key where any is pinned.
    """

    own: dict[int, frozenset[bytes]]
    known: frozenset[bytes]
    signed: frozenset[str]

    @property
    def has_keys(self) -> bool:
        """Whether any key of an official is pinned."""
        return bool(self.own or self.known)


NO_PINS = Pins({}, frozenset(), frozenset())


class Trust(Protocol):
    """A policy, or several: whose signature counts."""

    @property
    def logs(self) -> list[Key]:
        """The keys of logs that may sign."""

    def pins_of(self, name: str) -> Pins:
        """What is asked of the officials of the log that signs under a name."""

    def open(
        self, data: bytes, renewed: Sequence[Key] = ()
    ) -> tuple[Checkpoint, str, dict[Key, int]]:
        """Return a head, its text and who signed it; Invalid unless that is enough."""


class Policy(NamedTuple):
    """The logs and witnesses to trust, and which witnesses are enough.

    `officials` are keys that are named as an official of a log is; `persons` a league's directory;
    `signed` the types of acts that have to be signed.
    """

    logs: list[Key]
    witnesses: dict[str, Key]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str
    officials: tuple[Key, ...] = ()
    persons: tuple[Key, ...] = ()
    signed: frozenset[str] = frozenset()

    def is_met(self, signed: dict[Key, int], name: str) -> bool:
        """Whether the witness or group of that name signed."""
        if name in self.witnesses:
            return self.witnesses[name] in signed
        needed, members = self.groups[name]
        return sum(self.is_met(signed, each) for each in members) >= needed

    def logs_of(self, name: str) -> list[Key]:
        """The keys of the log that signs under a name."""
        return [key for key in self.logs if key.name == name]

    @property
    def without_pins(self) -> Policy:
        """The same, but for what it asks of officials."""
        return self._replace(officials=(), persons=(), signed=frozenset())

    def pins_of(self, name: str) -> Pins:
        """What is asked of the officials of the log that signs under a name."""
        own: dict[int, frozenset[bytes]] = {}
        for key in self.officials:
            origin, _, official = key.name.rpartition("/o")
            if origin == name:
                own[int(official)] = own.get(int(official), frozenset()) | {key.public}
        return Pins(own, frozenset(each.public for each in self.persons), self.signed)

    def open(
        self, data: bytes, renewed: Sequence[Key] = ()
    ) -> tuple[formats.Checkpoint, str, dict[Key, int]]:
        """Return a head, its text and who signed it; Invalid unless that is enough.

        `renewed` are keys of that log which those pinned have signed for: they count as well.
        """
        note = formats.parse_note(data)
        head = formats.parse_checkpoint(note.text)
        own = [*self.logs_of(head.origin), *renewed]  # a policy may name many logs
        signed = formats.open_note(note, [*own, *self.witnesses.values()])
        if not any(key in signed for key in own):
            raise Invalid("the policy knows no log by this name that signed this")
        if not self.is_met(signed, self.quorum):
            raise Invalid("the witnesses that signed are not the quorum that the policy asks for")
        return head, note.text, signed


def parse_policy(data: bytes) -> Policy:
    """Read a policy file."""
    policy = Policy([], {}, {"none": (0, [])}, "")
    lines = data[: formats.NOTE_BYTES_MAX].decode("ascii", "replace").split("\n")
    for number, words in enumerate(map(str.split, lines), start=1):
        try:
            if words and not words[0].startswith("#"):
                policy = _with_line(policy, words, {*policy.witnesses, *policy.groups})
        except ValueError as error:
            raise Invalid(f"line {number} of the policy: {error}") from None
    if len(data) > formats.NOTE_BYTES_MAX:
        raise Invalid(f"a policy is at most {formats.NOTE_BYTES_MAX:,} bytes long")
    if not policy.logs:
        raise Invalid("no line of the policy pins the key of a log")
    if not policy.quorum:
        raise Invalid("the policy has no quorum; where no witness is asked for: quorum none")
    return policy


def read_policy(path: Path) -> Policy:
    """Read a policy file, however large it may be."""
    with opened(path) as file:
        return parse_policy(file.read(formats.NOTE_BYTES_MAX + 1))


def _with_line(policy: Policy, words: list[str], names: set[str]) -> Policy:
    match words:
        case ["log", vkey, *url] if len(url) <= 1:
            return policy._replace(logs=[*policy.logs, formats.parse_key(vkey, ED25519)])
        case ["witness", name, vkey, *url] if len(url) <= 1 and name not in names:
            key = formats.parse_key(vkey, COSIGNATURE)
            if key.public not in {each.public for each in policy.witnesses.values()}:
                return policy._replace(witnesses={**policy.witnesses, name: key})
        case ["group", name, count, *members] if name not in names and {*members} <= names:
            needed = {"all": len(members), "any": 1}.get(count) or _number(count)
            if "none" not in members and 1 <= needed <= len({*members}) == len(members):
                return policy._replace(groups={**policy.groups, name: (needed, members)})
        case ["quorum", name] if name in names and not policy.quorum:
            return policy._replace(quorum=name)
        case ["official" | "person" | "signed", *_]:
            return _with_pin(policy, words)
    raise Invalid("it is no line of a policy, names what does not stand above, or says it twice")


def _number(text: str) -> int:
    """Read a number in its one spelling; 0 where it is not one."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,4}", text) else 0


def _with_pin(policy: Policy, words: list[str]) -> Policy:
    match words:
        case ["official", official, vkey]:
            return policy._replace(officials=(*policy.officials, _own(policy, official, vkey)))
        case ["person", vkey]:
            key = formats.parse_key(vkey, ED25519)
            if key.public not in {each.public for each in policy.persons}:
                return policy._replace(persons=(*policy.persons, key))
        case ["signed", first, *more]:
            return policy._replace(signed=policy.signed | _types(policy, [first, *more]))
    raise Invalid("it pins no key of an official, or says it twice")


def _own(policy: Policy, official: str, vkey: str) -> Key:
    """Read the key of an official of a log above, who is named in it as well."""
    key = formats.parse_key(vkey, ED25519)
    names = {f"{log.name}/{official}" for log in policy.logs}
    if not re.fullmatch("o[1-9][0-9]{0,3}", official) or key.name not in names:
        raise Invalid(f"the key is named {key.name[:80]}, not as {official[:9]} of a log above")
    if key.public in {each.public for each in policy.officials}:
        raise Invalid("this key of an official stands above")
    return key


def _types(policy: Policy, words: list[str]) -> frozenset[str]:
    """Read the types of acts that have to be signed."""
    for word in words:
        if word not in NAMED:
            raise Invalid(f"{word[:40]} is no act that officials sign, but for those about keys")
    if len({*words} - policy.signed) < len(words):
        raise Invalid("it names an act twice")
    return frozenset(words)

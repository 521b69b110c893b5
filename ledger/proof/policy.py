"""Policies, given out early, that state whose signature counts: part four for a sceptic.

Logs, witnesses and their quorum are C2SP's tlog-policy. Three kinds of lines are our own: which
keys are an official's, which keys a league knows, and which acts have to be signed. `Pinning`
compares the lines of a log with these pins. One policy may name several logs, and a folder may
contain several policies. Part five is heads.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ledger.proof import formats
from ledger.proof.formats import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    Invalid,
    Key,
    opened,
    parse_checkpoint,
    parse_note,
    unbase64,
)
from ledger.proof.lines import Line, read_line
from ledger.proof.signatures import (
    LOG,
    SIGNED,
    TAKEN_OVER,
    Registration,
    official_in,
    registration_in,
)

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
            raise Invalid("this is not signed with any key that the policy names for this log")
        if not self.is_met(signed, self.quorum):
            raise Invalid(
                "too few witnesses signed this: it does not have the quorum of the policy"
            )
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
        raise Invalid("the policy does not pin the key of a log")
    if not policy.quorum:
        raise Invalid("the policy has no quorum; if it needs no witness, write: quorum none")
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
    raise Invalid("it is not a policy line, or uses a name that is not above, or repeats a line")


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
    raise Invalid("it does not pin a key of an official, or pins it twice")


def _own(policy: Policy, official: str, vkey: str) -> Key:
    """Read the key of an official of a log above, who is named in it as well."""
    key = formats.parse_key(vkey, ED25519)
    names = {f"{log.name}/{official}" for log in policy.logs}
    if not re.fullmatch("o[1-9][0-9]{0,3}", official) or key.name not in names:
        raise Invalid(
            f"the key is named {key.name[:80]}, which is not {official[:9]} of a log above"
        )
    if key.public in {each.public for each in policy.officials}:
        raise Invalid("this key of an official is already listed above")
    return key


def _types(policy: Policy, words: list[str]) -> frozenset[str]:
    """Read the types of acts that have to be signed."""
    for word in words:
        if word not in NAMED:
            raise Invalid(
                f"{word[:40]} cannot be named here: only signed acts that are not about keys"
            )
    if len({*words} - policy.signed) < len(words):
        raise Invalid("it names an act twice")
    return frozenset(words)


SINCE = "is not one that the policy pins: is the policy older than this key?"

NEWER = "either it is another history, or it ends before the policy was issued"

_BEGINNING = re.compile(rb'\{"seq":[0-9]+,"id":"[A-Za-z0-9_.-]+","type":"([A-Za-z]+)["@]')
_SIG_BYTES = len(b',"sig":""}') + 88


class Pinning:
    """A log's officials so far, held to a policy's pins; pinned counts lines they signed."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self._keyed: set[int] = set()
        self.pinned = 0

    def hold(self, line: bytes) -> None:
        """Hold the next line to the pins, not its signature; Invalid where it breaks them."""
        found = _BEGINNING.match(line)
        kind = found[1].decode() if found else ""
        is_signed = line[-_SIG_BYTES:].startswith(b',"sig":"')
        if not found or is_signed or kind == "KeyRegistered" or kind in self._pins.signed:
            self._hold(read_line(line), kind)

    @property
    def has_keys(self) -> bool:
        """Whether the policy pins any key of an official."""
        return self._pins.has_keys

    def settle(self) -> None:
        """Hold that each official whose key is pinned has one; Invalid where one has none."""
        missing = sorted(self._pins.own.keys() - self._keyed)
        if missing:
            text = f"the policy pins a key of {{officials}}, but no line registers it: {NEWER}"
            raise Invalid(text, *missing)

    def is_pinned(self, official: int) -> bool:
        """Whether all keys of an official are pinned."""
        return official in self._pins.own or bool(official and self._pins.known)

    def _hold(self, read: Line, kind: str) -> None:
        if kind == "KeyRegistered":
            self.pinned += self._registered(registration_in(read.data), read) and bool(read.sig)
            return
        answerable = self._answerable(read, kind)
        if kind in self._pins.signed:
            self._hold_signed(read, kind, answerable)
        if kind not in {"KeyRevoked", TAKEN_OVER} and read.sig:
            self.pinned += self.is_pinned(answerable)

    def _answerable(self, read: Line, kind: str) -> int:
        ruled = read.data.get("official") if kind == "RulingMade" else 0
        named = [ruled if type(ruled) is int else 0, official_in(read.by)]
        return next((each for each in named if each in self._keyed), 0)

    def _hold_signed(self, read: Line, kind: str, answerable: int) -> None:
        if kind == "ActWithdrawn" and read.by.startswith("p"):
            return  # what players take back was theirs
        if not read.sig:
            raise Invalid(f"{kind} is not signed, but the policy requires an official's signature")
        if self._pins.has_keys and not self.is_pinned(answerable):
            whose = "a key of {officials}, whose keys the policy does not pin"
            raise Invalid(f"{kind} is signed with {whose}", answerable)

    def _registered(self, new: Registration, read: Line) -> bool:
        """Take an official's new key; returns whether a pinned one has to have signed for it."""
        if new.holder == LOG:
            return False
        is_first = new.holder not in self._keyed
        is_own = not (is_first or new.second or new.is_lost)
        self.hold_key(new.holder, unbase64(new.public), is_signed_for=is_own)
        self._keyed.add(new.holder)
        signer = new.holder if is_own else official_in(read.by)
        return not new.is_lost and self.is_pinned(signer)

    def hold_key(self, holder: int, public: bytes, *, is_signed_for: bool) -> None:
        """Hold that an official may have a key: a pinned one, or one that such a one signed for."""
        own = self._pins.own.get(holder)
        if own is not None:
            counts = public in own or is_signed_for
        elif any(public in each for each in self._pins.own.values()):
            raise Invalid("the key of {officials} is pinned as the key of another official", holder)
        else:
            counts = public in self._pins.known or not self._pins.known
        if not counts:
            raise Invalid(f"the key of {{officials}} {SINCE}", holder)


class Policies(NamedTuple):
    """The policy of each log, by the name under which the log signs."""

    by_log: dict[str, Policy]

    @property
    def logs(self) -> list[Key]:
        """The keys of logs that may sign."""
        return [key for name, policy in self.by_log.items() for key in policy.logs_of(name)]

    def pins_of(self, name: str) -> Pins:
        """What is asked of the officials of a log; nothing, where no policy names it."""
        policy = self.by_log.get(name)
        return policy.pins_of(name) if policy is not None else NO_PINS

    def open(
        self, data: bytes, renewed: Sequence[Key] = ()
    ) -> tuple[Checkpoint, str, dict[Key, int]]:
        """Return a head, its text and who signed it; Invalid unless its log's policy has that."""
        name = parse_checkpoint(parse_note(data).text).origin
        if name not in self.by_log:
            raise Invalid(f"no policy in the folder names the log {name}")
        return self.by_log[name].open(data, renewed)


def read_policies(place: Path) -> Trust:
    """Read a policy file, or a folder of them; Invalid names the file that is not one."""
    if not place.is_dir():
        return read_policy(place)
    by_log: dict[str, Policy] = {}
    owners: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        try:
            policy = read_policy(path)
        except Invalid as error:
            raise error.within(path.name) from None
        for key in policy.logs:
            if owners.setdefault(key.name, path) != path:
                both = f"{owners[key.name].name} and {path.name}"
                raise Invalid(f"{both} both name the log {key.name}: keep the newer one")
            by_log[key.name] = policy
    if not by_log:
        raise Invalid("there is no policy in the folder")
    return Policies(by_log)

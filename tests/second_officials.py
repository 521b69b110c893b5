"""Who holds which key and signed which line, once more: from the page on the proof alone.

It shares no code with the program. Lines come as `second_verifier` reads them, each a dictionary.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from typing import Any
from typing import NamedTuple

from tests.second_curve import is_usable
from tests.second_curve import signed_by
from tests.second_lines import json_of
from tests.second_lines import plain
from tests.second_lines import strict
from tests.second_trees import tree_hash

Value = dict[str, Any]

MUST_BE_SIGNED = re.compile(
    "OfficialAppointed|KeyRegistered|KeyRevoked|ShuffleKeyReplaced|HiddenKeyReplaced|ForkAccepted"
    "|RulingMade|ConductNoted|DisqualificationRecommended|PenaltyGiven|NoteTaken|ResultCorrected"
    "|PlayerDisqualified|ActWithdrawn"
)

NAMES = b'{"names":'
SEALED_NAME = re.compile("sealed:2:([A-Za-z0-9+/]{43}=):")


class Wrong(Exception):  # noqa: N818 - what is wrong, not an error of the tests
    """A log that is to be refused."""


LEADERS = {"organizer", "marshal", "judge", "co-organizer"}


class Key(NamedTuple):
    """Whose it is, 0 for the log's own, and the line that took it out of use, 0 for none."""

    holder: int
    gone: int = 0


class Outcome(NamedTuple):
    """What came of a log that holds: its lines, its signed acts, its names that were opened."""

    lines: int
    signed: int
    names: int


def encoded(kind: str, body: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    named = b"application/vnd.tourney." + kind.encode()
    return b" ".join((b"DSSEv1", b"%d" % len(named), named, b"%d" % len(body), body))


def outcome(lines: list[bytes]) -> Outcome | None:
    """Read lines, each with its newline, the names' last; None where they are to be refused."""
    events, names = split(lines)
    try:
        values = [_value(line, place) for place, line in enumerate(events, 1)]
        if not values or len({each["id"] for each in values}) < len(values):
            return None
        log = Officials(values[0])
        for value, line in zip(values, events, strict=True):
            log.take(value, line[:-1])
        opened = opened_names(values, names) if names else 0
    except Wrong:
        return None
    return Outcome(len(events), log.signed, opened)


def split(lines: list[bytes]) -> tuple[list[bytes], bytes]:
    """Split what is no event off the end: the line of the names, and whatever follows it."""
    for place, line in enumerate(lines):
        if place and line.startswith(NAMES):
            return lines[:place], b"".join(lines[place:])
    return lines, b""


def _value(line: bytes, place: int) -> Value:
    value = strict(line)
    if value is None or value["seq"] != place:
        raise Wrong
    if (value["type"] == "TournamentOpened") != (place == 1):
        raise Wrong
    return value


def raw(text: object, length: int) -> bytes:
    """So many bytes in the one spelling of base64."""
    data = plain(text) if isinstance(text, str) else None
    if data is None or len(data) != length:
        raise Wrong
    return data


def usable(text: object) -> bytes:
    """A public key that may be registered."""
    public = raw(text, 32)
    if not is_usable(public):
        raise Wrong
    return public


class Officials:
    """The keys of a log so far, and the hashes of its lines."""

    def __init__(self, opening: Value) -> None:
        data = opening["data"]
        self.tournament = str(data.get("tournament"))
        self.keys: dict[bytes, Key] = {}
        self.roles: dict[int, set[str]] = {}
        self.hashes: list[bytes] = []
        self.signed = 0
        if data.get("log_key"):
            self.keys[usable(data["log_key"])] = Key(0)

    def take(self, value: Value, line: bytes) -> None:
        """Hold the next line to the keys, then let it add or end one."""
        self._hold(value, line)
        if value["type"] == "KeyRegistered":
            self._register(value["data"])
        elif value["type"] == "KeyRevoked":
            self._revoke(raw(value["data"].get("public"), 32), value["seq"])
        elif value["type"] == "OfficialAppointed":
            self._appoint(value["data"])
        self.hashes.append(hashlib.sha256(b"\x00" + line).digest())

    def in_use(self, holder: int) -> list[bytes]:
        """Somebody's keys that are not revoked."""
        return [each for each, key in self.keys.items() if key.holder == holder and not key.gone]

    def ever(self, holder: int) -> bool:
        """Whether somebody held a key at any time."""
        return any(key.holder == holder for key in self.keys.values())

    def keyed_leaders(self) -> set[int]:
        """The leaders with a key in use."""
        return {each for each, roles in self.roles.items() if roles & LEADERS and self.in_use(each)}

    def answerable(self, value: Value) -> tuple[bool, list[bytes]]:
        """Whether somebody has to sign, and with one of which keys."""
        desk = re.match("o([0-9]+)", value["by"])
        by = int(desk[1]) if desk else 0
        if value["type"] == "KeyRegistered":
            return self._for_new_key(value["data"], by)
        if value["type"] == "KeyRevoked":
            return self._for_revoked_key(raw(value["data"].get("public"), 32))
        ruled = value["data"].get("official") if value["type"] == "RulingMade" else 0
        return self._for_act(ruled if type(ruled) is int else 0, by)

    def _for_act(self, *officials: int) -> tuple[bool, list[bytes]]:
        for official in officials:
            if official and self.ever(official):
                return True, self.in_use(official)
        return False, []

    def _for_new_key(self, data: Value, by: int) -> tuple[bool, list[bytes]]:
        holder, second, lost = _said_of_key(data)
        is_organizer = "organizer" in self.roles.get(by, set())
        if not self.ever(holder):
            if second or lost or not is_organizer:
                raise Wrong
            return self._for_act(by)
        if second:
            two = {by, second} - {holder}
            if lost or len(two) < 2 or not two <= self.keyed_leaders():
                raise Wrong
            return True, self.in_use(by)
        if holder == 0 and not is_organizer:
            raise Wrong
        if not lost:
            return True, self.in_use(holder)
        others = self.keyed_leaders() - {holder or by}
        if len(others) > 1:
            raise Wrong
        return (True, self.in_use(0)) if holder else (False, self.in_use(by))

    def _for_revoked_key(self, public: bytes) -> tuple[bool, list[bytes]]:
        if public not in self.keys:
            raise Wrong
        organizers = [each for each, roles in self.roles.items() if "organizer" in roles]
        who = {self.keys[public].holder, *organizers, 0}
        return True, [each for one in who for each in self.in_use(one)]

    def _hold(self, value: Value, line: bytes) -> None:
        listed = MUST_BE_SIGNED.fullmatch(value["type"]) is not None
        if not listed and "sig" not in value:
            return
        must, held = self.answerable(value)
        if "sig" not in value:
            if must and listed:
                raise Wrong
            return
        signature = raw(value["sig"], 64)
        unsigned = line[: line.rindex(b',"sig":"')] + b"}"
        message = encoded("act", self._before() + unsigned)
        if not any(signed_by(public, signature, message) for public in held):
            raise Wrong
        self.signed += 1

    def _before(self) -> bytes:
        """What a signed line stands behind."""
        root = b64encode(tree_hash(self.hashes)).decode()
        return f"{self.tournament}\n{len(self.hashes)}\n{root}\n".encode()

    def _register(self, data: Value) -> None:
        public = usable(data.get("public"))
        if public in self.keys:
            raise Wrong
        said = f"{self.tournament}\n{data['holder']} {data['public']}".encode()
        if not signed_by(public, raw(data.get("proof"), 64), encoded("key", said)):
            raise Wrong
        if second := data.get("second"):
            sig = raw(second.get("sig"), 64)
            agreed = encoded("consent", said)
            if not any(signed_by(each, sig, agreed) for each in self.in_use(second["official"])):
                raise Wrong
        self.keys[public] = Key(data["holder"])

    def _revoke(self, public: bytes, seq: int) -> None:
        key = self.keys[public]
        if key.gone or (key.holder == 0 and self.in_use(0) == [public]):
            raise Wrong
        self.keys[public] = key._replace(gone=seq)

    def _appoint(self, data: Value) -> None:
        official, roles = data.get("official"), data.get("roles")
        if type(official) is not int or not isinstance(roles, list):
            raise Wrong
        self.roles[official] = {each for each in roles if isinstance(each, str)}


def _said_of_key(data: Value) -> tuple[int, int, bool]:
    """Holder, the second leader and whether the key before is lost."""
    holder, second, lost = data.get("holder"), data.get("second"), data.get("lost")
    if type(holder) is not int or holder < 0:
        raise Wrong
    official: Any = 0
    if second is not None:
        official = second.get("official") if isinstance(second, dict) else None
        if type(official) is not int or official < 1:
            raise Wrong
    return holder, official, isinstance(lost, str) and lost.strip() != ""


def opened_names(values: list[Value], line: bytes) -> int:
    """Hold the keys of records of names to the lines; how many there are."""
    sealed: dict[str, tuple[str, str]] = {}
    for value in values:
        found = SEALED_NAME.match(str(value["data"].get("name")))
        if value["type"] == "PersonRecorded" and found:
            sealed[value["id"]] = str(value["data"].get("of")), found[1]
    gone = {str(each["data"].get("of")) for each in values if each["type"] == "PersonForgotten"}
    wanted = {record: digest for record, (of, digest) in sealed.items() if of not in gone}
    given = json_of(line[:-1]) if line.endswith(b"\n") else None
    if not isinstance(given, dict) or list(given) != ["names"]:
        raise Wrong
    names = given["names"]
    if not isinstance(names, dict) or list(names) != list(wanted) or not wanted:
        raise Wrong
    for record, key in names.items():
        if hashlib.sha256(raw(key, 32)).digest() != plain(wanted[record]):
            raise Wrong
    return len(wanted)

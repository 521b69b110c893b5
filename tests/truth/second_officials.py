"""Who holds which key and signed which line, once more: from the page on the proof alone.

It shares no code with the program. Lines come as `second_verifier` reads them, each a dictionary.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from typing import Any, NamedTuple

from tests.support.paths import ROOT
from tests.truth.second_curve import signed_by
from tests.truth.second_keys import Key, Keys, Wrong, encoded, raw, usable
from tests.truth.second_lines import json_of, plain, strict
from tests.truth.second_trees import tree_hash

Value = dict[str, Any]

MUST_BE_SIGNED = re.compile(
    "OfficialAppointed|KeyRegistered|KeyRevoked|ShuffleKeyReplaced|HiddenKeyReplaced|ForkAccepted"
    "|RulingMade|ConductNoted|DisqualificationRecommended|PenaltyGiven|NoteTaken|ResultCorrected"
    "|PlayerDisqualified|ActWithdrawn"
)

NAMES = b'{"names":'
SEALED_NAME = re.compile("sealed:2:([A-Za-z0-9+/]{43}=):")


def _listed(sentence: str) -> frozenset[str]:
    """Read a list of types from the page on the proof: the indented lines below a sentence."""
    found = re.search(rf"^{sentence}.*\n\n((?:    .*\n)+)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert found, sentence
    return frozenset(found[1].split())


PAGE = ROOT / "ledger" / "proof" / "README.md"
TYPES = _listed("The type of a line is one of these")
BY_PLAYERS = _listed(r"A player \(`p7`\) enters these")


class Outcome(NamedTuple):
    """What came of a log that holds: its lines, its signed acts, its names that were opened.

    `pinned` counts the lines that are signed with keys that a policy pins for officials.
    """

    lines: int
    signed: int
    names: int
    pinned: int


def read(lines: list[bytes]) -> Officials | None:
    """Read lines, each with its newline, the names' last; None where they are to be refused."""
    events, names = split(lines)
    try:
        values = [_value(line, place) for place, line in enumerate(events, 1)]
        if not values or len({each["id"] for each in values}) < len(values):
            return None
        log = Officials(values[0])
        for value, line in zip(values, events, strict=True):
            log.take(value, line[:-1])
        log.names = opened_names(values, names) if names else 0
    except Wrong:
        return None
    return log


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
    if (value["type"] == "TournamentOpened") != (place == 1) or value["type"] not in TYPES:
        raise Wrong
    if value["by"][0] == "p" and value["type"] not in BY_PLAYERS:
        raise Wrong
    return value


class Officials:
    """The keys of a log so far, and the hashes of its lines."""

    def __init__(self, opening: Value) -> None:
        data = opening["data"]
        wire, rules = data.get("wire"), data.get("rules", 1)
        if (type(wire), type(rules)) != (int, int) or wire != 2 or rules not in (1, 2, 3, 4):
            raise Wrong
        self.keys = Keys(str(data.get("tournament")))
        self.hashes: list[bytes] = []
        self.values: list[Value] = []
        self.signed = self.names = 0
        if data.get("log_key"):
            self.keys.all[usable(data["log_key"])] = Key(0)

    def take(self, value: Value, line: bytes) -> None:
        """Hold the next line to the keys, then let it add or end one, or appoint somebody."""
        data, kind = value["data"], value["type"]
        desk = re.match("o([0-9]+)", value["by"])
        by = int(desk[1]) if desk else 0
        if kind == "KeyRegistered":
            held, must = self.keys.for_new(data, by)
            self._hold(value, line, held, must=must)
            self.keys.register(data, tuple(held))
        elif kind == "KeyRevoked":
            self._hold(value, line, self.keys.for_gone(data), must=True)
            self.keys.revoke(data, value["seq"])
        elif kind == "DeskTakenOver":
            if (data.get("size"), data.get("root")) != (
                len(self.hashes),
                tree_hash(self.hashes).hex(),
            ):
                raise Wrong
            self._hold(value, line, self.keys.for_next(data), must=True)
            self.keys.revoke(data, value["seq"])
        else:
            answerable = self.keys.answerable(ruled(value), by)
            must = answerable is not None and MUST_BE_SIGNED.fullmatch(kind) is not None
            self._hold(value, line, answerable or [], must=must)
        if kind == "OfficialAppointed":
            self.keys.appoint(data)
        self.hashes.append(hashlib.sha256(b"\x00" + line).digest())
        self.values.append(value)

    def _hold(self, value: Value, line: bytes, held: list[bytes], *, must: bool) -> None:
        if "sig" not in value:
            if must:
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
        return f"{self.keys.tournament}\n{len(self.hashes)}\n{root}\n".encode()


def ruled(value: Value) -> int:
    """The official whom a ruling names; 0 for any other line."""
    named = value["data"].get("official") if value["type"] == "RulingMade" else 0
    return named if isinstance(named, int) else 0


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

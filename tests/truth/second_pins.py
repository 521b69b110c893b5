"""Whose keys a policy counts as an official's, once more: from the page on the proof alone.

It shares no code with the program. Lines come as `second_officials` reads them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tests.truth.second_lines import plain

MAY_BE_NAMED = re.compile(
    "OfficialAppointed|ShuffleKeyReplaced|HiddenKeyReplaced|ForkAccepted|RulingMade|ConductNoted"
    "|DisqualificationRecommended|PenaltyGiven|NoteTaken|ResultCorrected|PlayerDisqualified"
    "|ActWithdrawn"
)


class Pins(NamedTuple):
    """Keys of officials with the log and number of each, a directory, types that are signed."""

    officials: dict[bytes, tuple[str, str]]
    persons: list[bytes]
    signed: list[str]


def after(pins: Pins, words: list[str], logs: list[str], named: Any) -> Pins | None:  # noqa: ANN401
    """The pins after one more line, where `named` reads a verifier key; None: no such line."""
    kind, *rest = words
    if kind == "signed":
        fits = bool(rest) and all(MAY_BE_NAMED.fullmatch(each) for each in rest)
        types = [*pins.signed, *rest]
        return pins._replace(signed=types) if fits and len({*types}) == len(types) else None
    if len(rest) != {"official": 2, "person": 1}[kind] or (key := named(rest[-1])) is None:
        return None
    name, public = key
    if kind == "person":
        is_new = public not in pins.persons
        return pins._replace(persons=[*pins.persons, public]) if is_new else None
    fits = bool(re.fullmatch("o[1-9][0-9]{0,3}", rest[0])) and public not in pins.officials
    for log in logs:
        if fits and name == f"{log.split('+')[0]}/{rest[0]}":
            origin = log.split("+")[0]
            return pins._replace(officials={**pins.officials, public: (origin, rest[0])})
    return None


def counted(pins: Pins, origin: str, values: list[dict[str, Any]]) -> int | None:
    """How many lines are signed with pinned keys; None where the lines break the pins."""
    own = {key: int(who[1:]) for key, (log, who) in pins.officials.items() if log == origin}
    closed, keyed, found = {*own.values()}, set[int](), 0

    def is_pinned(official: int) -> bool:
        return official > 0 and (official in closed or bool(pins.persons))

    for value in values:
        kind, data = value["type"].split("@")[0], value["data"]
        desk = re.match("o([0-9]+)", value["by"])
        by = int(desk[1]) if desk else 0
        signer = 0
        if kind == "KeyRegistered" and (holder := data["holder"]):
            is_lost = data.get("lost", "").strip() != ""
            chained = holder in keyed and data.get("second") is None and not is_lost
            public = plain(data["public"]) or b""
            fits = own.get(public) == holder or (holder in closed and chained)
            if holder not in closed and public not in own:
                fits = not pins.persons or public in pins.persons
            if not fits:
                return None
            keyed.add(holder)
            signer = 0 if is_lost else holder if chained else by
        elif kind not in {"KeyRegistered", "KeyRevoked", "DeskTakenOver"}:
            named = data.get("official") if kind == "RulingMade" else 0
            who = [named if type(named) is int else 0, by]
            signer = next((each for each in who if each in keyed), 0)
        needs = kind in pins.signed and not (kind == "ActWithdrawn" and value["by"][0] == "p")
        has_pins = bool(own or pins.persons)
        if needs and ("sig" not in value or (has_pins and not is_pinned(signer))):
            return None
        found += "sig" in value and is_pinned(signer)
    return found if closed <= keyed else None

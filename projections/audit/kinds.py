"""Every kind of finding: what it is called, what it means, how much it weighs, by which clause."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, toml
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.rulesets import Ruleset

Severity = Literal["breach", "notable", "note"]
"""A breach: the pairing or the standings are no longer what the rules alone would have made;
`notable`: worth a question; `note`: allowed, and good to know."""

SEVERITIES: tuple[Severity, ...] = ("breach", "notable", "note")

FIRST = frozenset({"key-lost"})
"""Kinds that stand before all others: what every later signature goes back to."""


class FindingKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of finding; clause is empty where no clause speaks of it."""

    title: str
    meaning: str
    severity: Severity
    clause: str = ""


KINDS: Mapping[str, FindingKind] = MappingProxyType(
    toml.decode(Path(__file__).with_name("kinds.toml").read_bytes(), type=dict[str, FindingKind])
)

_OF_THE_BAN = frozenset({"rematch", "paired-again"})

_OF_PLAYING = frozenset({"own-match", "own-judgement", "plays"})


def kind_in(name: str, rules: Ruleset) -> FindingKind:
    """Return a kind of finding as a game has it.

    It cites the game's own clause, and is no breach where the game lets its leaders play.
    """
    kind, authority = KINDS[name], rules.floor.authority
    if name in _OF_THE_BAN:
        return replace(kind, clause=rules.rematch.clause)
    if name in _OF_PLAYING and authority.playing == "announced":
        own = authority.playing_clause or authority.clause
        return replace(kind, clause=own, severity="notable")
    return kind

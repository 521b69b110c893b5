"""What an audit finds in one event, what reads an event for it, and every kind of finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, toml
from msgspec.structs import replace

from ledger.events import Event
from ledger.lines.recorded import Recorded
from ledger.rulesets import Ruleset
from ledger.tournament.state import Tournament

Findings = Iterator["AuditFinding"]
Reader = Callable[[Tournament, Any, Recorded], Findings]
"""What finds something in an event of one type, in the state before it."""
Readers = Mapping[type[Event], Reader]

Severity = Literal["breach", "notable", "note"]
"""A breach: the pairing or the standings are no longer what the rules alone would have made;
`notable`: worth a question; `note`: allowed, and good to know."""

SEVERITIES: tuple[Severity, ...] = ("breach", "notable", "note")

FIRST = ("re-paired", "key-lost")
"""Kinds that are listed before all others, in this order: who draws a round again may choose among
the draws, and every later signature goes back to the key that took a lost one's place."""


class FindingKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of finding; clause is empty where no clause speaks of it."""

    title: str
    meaning: str
    severity: Severity
    clause: str = ""


KINDS: Mapping[str, FindingKind] = toml.decode(
    Path(__file__).with_name("kinds.toml").read_bytes(), type=dict[str, FindingKind]
)

_OF_THE_BAN = frozenset({"rematch", "paired-again"})

_OF_LISTS = frozenset({"list-corrected", "list-clearer"})

_OF_PLAYING = frozenset({"own-match", "own-judgement", "plays"})


def kind_in(name: str, rules: Ruleset) -> FindingKind:
    """Return a kind of finding as a game has it.

    It cites the game's own clause, and is no breach where the game lets its leaders play.
    """
    kind, authority = KINDS[name], rules.floor.authority
    if name in _OF_THE_BAN:
        return replace(kind, clause=rules.rematch.clause)
    if name in _OF_LISTS:
        lists = rules.floor.lists
        return replace(kind, clause=lists.fixed if lists.sheet_alone else lists.clause)
    if name == "over-decks":
        return replace(kind, clause=rules.floor.lists.deck_check or kind.clause)
    if name in _OF_PLAYING and authority.playing == "announced":
        own = authority.playing_clause or authority.clause
        return replace(kind, clause=own, severity="notable")
    if name == "no-procedure" and rules.procedure is not None:
        return replace(kind, clause=rules.procedure.clause)
    return replace(kind, clause=rules.cites(kind.clause)) if kind.clause else kind


class AuditFinding(Struct, frozen=True):
    """Something found: its kind, the events that show it, and whom and what it is about.

    `tables` are those set by hand, `minutes` how late or how far back, `adjusted` what was added to
    the points of each player, `reason` what was given, `kept` how many texts were not destroyed,
    `cards` what a list held before and after, `tries` how often somebody guessed.
    """

    kind: str
    seqs: tuple[int, ...]
    round: int = 0
    match: int = 0
    players: tuple[int, ...] = ()
    official: int = 0
    tables: int = 0
    minutes: int = 0
    reason: str = ""
    adjusted: tuple[int, ...] = ()
    kept: int = 0
    cards: tuple[str, ...] = ()
    tries: int = 0


def always(kind: str) -> Reader:
    """Return a reader that finds each event to be of a kind, with all that the event names."""

    def reader(_: Tournament, event: Any, recorded: Recorded) -> Findings:  # noqa: ANN401 - of any type
        seqs = (event.withdraws, recorded.seq) if hasattr(event, "withdraws") else (recorded.seq,)
        round_, match = getattr(event, "round", 0), getattr(event, "match", 0)
        players = (event.player,) if hasattr(event, "player") else ()
        yield AuditFinding(kind, seqs, round_, match, players, reason=event.reason)

    return reader

"""Every kind of finding: what it is called, what it means, how much it weighs, by which clause."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.rulesets import Ruleset

Severity = Literal["breach", "notable", "note"]
"""`breach`: the pairing or the standings are no longer what the rules alone would have made;
`notable`: worth a question; `note`: allowed, and good to know."""

SEVERITIES: tuple[Severity, ...] = ("breach", "notable", "note")

FIRST = frozenset({"key-lost"})
"""Kinds that stand before all others: what every later signature goes back to."""

SLOW_MINUTES = 30
"""How many minutes between a report and its confirmation are long."""


class FindingKind(NamedTuple):
    """A kind of finding; `clause` is empty where no clause speaks of it."""

    title: str
    meaning: str
    severity: Severity
    clause: str = ""


KINDS: Mapping[str, FindingKind] = MappingProxyType(
    {
        "rematch": FindingKind(
            "rematch", "Two players were paired who must not meet again.", "breach", "FFG-REMATCH"
        ),
        "second-bye": FindingKind(
            "second bye",
            "A player had another bye while somebody had had fewer.",
            "breach",
            "FFG-BYE-LATER",
        ),
        "late-edit": FindingKind(
            "result edited after the next round was paired",
            "The next round was paired on a result that is no longer the one on record.",
            "breach",
            "FFG-SWISS-LATER",
        ),
        "cut-edit": FindingKind(
            "result behind the cut edited after its first game",
            "The cut was made on a result that is no longer the one on record, and is played.",
            "breach",
            "FFG-CUT",
        ),
        "over-dispute": FindingKind(
            "went on over a dispute",
            "The organizer paired, cut or finished while a result was in dispute.",
            "breach",
            "FFG-RULING",
        ),
        "open-dispute": FindingKind(
            "result not settled",
            "A result is disputed, appealed, or ruled on and not yet entered.",
            "breach",
            "FFG-RULING",
        ),
        "own-match": FindingKind(
            "result entered by a player of the match",
            "An official entered a result of a match that they play.",
            "breach",
            "FFG-LEADER-RULING",
        ),
        "own-judgement": FindingKind(
            "judged by a player of the match",
            "An official ruled, penalized or removed somebody in a match that they play, because "
            "nobody else could.",
            "notable",
            "FFG-LEADER-RULING",
        ),
        "changed": FindingKind(
            "event not as it was signed",
            "Lines of the store are not those that the log's signed head was made of.",
            "breach",
        ),
        "lost-end": FindingKind(
            "went on without lines that were signed",
            "The store no longer had the lines that a signed head covers.",
            "breach",
        ),
        "by-hand": FindingKind(
            "tables set by hand", "Somebody chose who meets whom.", "notable", "FFG-SWISS-LATER"
        ),
        "swap": FindingKind(
            "seats swapped",
            "Two players changed places after the draw.",
            "notable",
            "FFG-SWISS-LATER",
        ),
        "repaired": FindingKind(
            "tables stopped and seated again",
            "After a late correction players changed tables in a round that was drawn.",
            "notable",
            "FFG-SWISS-LATER",
        ),
        "unpaired": FindingKind(
            "pairing taken back",
            "A drawn round was discarded before it had a result.",
            "notable",
        ),
        "re-paired": FindingKind(
            "round paired again",
            "A round was drawn again after its pairing was taken back.",
            "notable",
        ),
        "no-clock": FindingKind(
            "time damaged",
            "The time of an event was changed in the store to something that is no time.",
            "notable",
        ),
        "clock": FindingKind(
            "clock ran backwards",
            "An event claims an earlier time than one before it. The order is that of the log.",
            "notable",
        ),
        "plays": FindingKind(
            "results entered by an official who plays",
            "An official who plays in the event entered results of others.",
            "notable",
            "FFG-LEADER-TIER",
        ),
        "no-clause": FindingKind(
            "ruling without a clause",
            "A ruling names nothing that it rests on.",
            "notable",
            "FFG-RULING",
        ),
        "unreviewed": FindingKind(
            "review asked for and not made",
            "A player asked a marshal to review a ruling, and nobody has.",
            "notable",
            "FFG-ROLE-JUDGE",
        ),
        "undecided": FindingKind(
            "recommended disqualification not carried out",
            "A marshal recommended to disqualify a player, who is not disqualified.",
            "notable",
            "FFG-AUTH-DQ",
        ),
        "slow": FindingKind(
            "late confirmation",
            f"A result was confirmed {SLOW_MINUTES} minutes or more after it was reported.",
            "notable",
        ),
        "structure": FindingKind(
            "structure changed",
            "What was announced was changed after the start.",
            "notable",
            "FFG-ANNOUNCE",
        ),
        "unregistered": FindingKind(
            "registration taken back",
            "Somebody was registered by mistake; who registers again has another random rank.",
            "note",
        ),
        "started-again": FindingKind(
            "started again",
            "The structure was announced once more after the random ranks were drawn.",
            "notable",
            "FFG-ANNOUNCE",
        ),
        "cut-back": FindingKind(
            "cut taken back", "A cut was discarded before its first game.", "notable", "FFG-CUT"
        ),
        "draw-key": FindingKind(
            "key of the draws replaced",
            "The key was lost: nobody can repeat the draws before, and the one since was chosen "
            "when the word was known.",
            "notable",
        ),
        "hidden-key": FindingKind(
            "key of hidden cards replaced",
            "The key was lost: what was sealed before can never be opened.",
            "notable",
        ),
        "hidden-list": FindingKind(
            "hidden part of a list wrong",
            "Opened at the end, a list that was replaced later is not what its line said of it.",
            "notable",
            "FFG-LIST",
        ),
        "key-lost": FindingKind(
            "key in the place of a lost one",
            "The key before did not agree to it: ask those who pinned that one whether "
            "this one counts, and so for every key that it signs for.",
            "breach",
        ),
        "further-key": FindingKind(
            "further key of a holder",
            "Who signs with it counts as the same holder; the key before, or two leaders, "
            "agreed to it.",
            "notable",
        ),
        "first-key": FindingKind(
            "key registered",
            "From here on nothing counts in this name unsigned; acts before it were not signed.",
            "note",
        ),
        "keyed-office": FindingKind(
            "other office of who holds a key",
            "Who leads and holds a key has a say in others' keys: it came or went with the office.",
            "notable",
        ),
        "key": FindingKind(
            "key revoked", "Nothing that is signed with the key later counts.", "notable"
        ),
        "paired-again": FindingKind(
            "paired again after a no-show",
            "Two were paired again who had not played: no round without such a pairing was left.",
            "note",
            "FFG-REMATCH",
        ),
        "adjusted": FindingKind(
            "points adjusted",
            "Points count that no result of the ruleset gives; the imported file has them.",
            "notable",
        ),
        "reopened": FindingKind(
            "round opened again", "A round that was closed was not over.", "note"
        ),
        "taken-back": FindingKind(
            "result taken back", "A result was withdrawn by an undo.", "note"
        ),
        "unsaid": FindingKind(
            "entry taken back",
            "A departure, a ruling, words on a result or something of the floor were withdrawn.",
            "note",
        ),
        "forgotten": FindingKind(
            "somebody forgotten",
            "The keys of a name, and of texts about that person, were destroyed. Texts "
            "that are about others too may be kept until the event is decided.",
            "note",
        ),
        "late-entry": FindingKind(
            "late entry", "A player was registered after round 1 was paired.", "note", "FFG-REJOIN"
        ),
        "late-return": FindingKind(
            "return by a waiver",
            "A dropped player came back after the stage that they had left.",
            "note",
            "FFG-REJOIN",
        ),
    }
)

_OF_THE_BAN = frozenset({"rematch", "paired-again"})

_OF_PLAYING = frozenset({"own-match", "own-judgement", "plays"})


def kind_in(name: str, rules: Ruleset) -> FindingKind:
    """Return a kind of finding as a game has it.

    It cites the game's own clause, and is no breach where the game lets its leaders play.
    """
    kind, authority = KINDS[name], rules.floor.authority
    if name in _OF_THE_BAN:
        return kind._replace(clause=rules.rematch.clause)
    if name in _OF_PLAYING and authority.playing == "announced":
        own = authority.playing_clause or authority.clause
        return kind._replace(clause=own, severity="notable")
    return kind

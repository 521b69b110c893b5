"""Findings of one event: each departure from the usual day, read before the event is applied.

`findings_of` can so be asked before an event is written, too. The readers are grouped: keys and
links, lists, pairings and their changes, results. `kinds.toml` describes every kind of finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, toml
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.facts import (
    clock,
    components,
    disputes,
    elimination,
    hands,
    involvement,
    keys,
    lists,
    opening,
    people,
    results,
    rounds,
    undo,
)
from ledger.facts.base import Event, Waiver
from ledger.facts.disputes import ResultConfirmed
from ledger.facts.elimination import CutMade
from ledger.facts.keys import holder_of, holders_of
from ledger.facts.list_rules import check_clause, decks_failing, decks_unchecked
from ledger.facts.office import player_of
from ledger.facts.opening import TournamentFinished
from ledger.facts.results import ResultCorrected, ResultReported, ResultWithdrawn, unsaid
from ledger.facts.setups import unready, unreviewed_players
from ledger.facts.shared import (
    FirstPlayerChosen,
    Result,
    RulingMade,
    ScenarioDrawn,
    SideTaken,
    StructureAnnounced,
    TournamentOpened,
)
from ledger.fold import with_meaning
from ledger.formats.comparing import text_changes
from ledger.lines.recorded import Recorded
from ledger.pairing.meetings import Grounds, barred, grounds, grounds_of
from ledger.rulesets import Ruleset
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.progress import bye_clause, has_more_byes, is_of_swiss, is_under_way
from ledger.tournament.round_clock import is_clock, minutes_before_time, minutes_between
from ledger.tournament.state import Match, Round, Tournament
from projections.matches import prizes_due

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


def kind_in(name: str, rules: Ruleset, number: int = 0) -> FindingKind:
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
        lists = rules.floor.lists
        return replace(kind, clause=lists.deck_check or lists.clause)
    if name in _OF_PLAYING and authority.playing == "announced":
        own = authority.playing_clause or authority.clause
        return replace(kind, clause=own, severity="notable")
    if name == "no-procedure" and rules.procedure is not None:
        return replace(kind, clause=rules.procedure.clause)
    clause = bye_clause(number) if name == "bye-by-hand" and number else kind.clause
    return replace(kind, clause=rules.without_foreign(rules.cites(clause)))


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


def _revoked(tournament: Tournament, event: keys.KeyRevoked, recorded: Recorded) -> Findings:
    holder = holder_of(tournament, event.public) or 0
    yield AuditFinding("key", (recorded.seq,), official=holder, reason=event.reason)


def _taken_over(_: Tournament, _event: keys.DeskTakenOver, recorded: Recorded) -> Findings:
    yield AuditFinding("taken-over", (recorded.seq,))


def _replaced(kind: str) -> Reader:
    def reader(tournament: Tournament, event: Any, recorded: Recorded) -> Findings:  # noqa: ANN401 - either
        seqs, round_ = (recorded.seq,), len(tournament.rounds)
        yield AuditFinding(kind, seqs, round_, reason=event.reason)

    return reader


def _key_registered(
    tournament: Tournament, event: keys.KeyRegistered, recorded: Recorded
) -> Findings:
    kind = "further-key" if holders_of(tournament).is_keyed(event.holder) else "first-key"
    kind = "key-lost" if event.lost.strip() else kind
    yield AuditFinding(kind, (recorded.seq,), official=event.holder, reason=event.lost)


def _link(_: Tournament, event: keys.LinkIssued, recorded: Recorded) -> Findings:
    if event.of.startswith("o"):
        yield AuditFinding("official-link", (recorded.seq,), official=int(event.of[1:]))


def _guessed(_: Tournament, event: keys.LinksGuessed, recorded: Recorded) -> Findings:
    yield AuditFinding("links-guessed", (recorded.seq,), tries=event.tries, reason=event.origin)


def _appointed(
    tournament: Tournament, event: opening.OfficialAppointed, recorded: Recorded
) -> Findings:
    """Who leads agrees to keys: another office of somebody with a key is about keys, too."""
    holders = holders_of(tournament)
    before = holders.roles.get(event.official, event.roles)
    if holders.is_keyed(event.official) and {*before} != {*event.roles}:
        yield AuditFinding("keyed-office", (recorded.seq,), official=event.official)


KEYS: Readers = {
    keys.KeyRegistered: _key_registered,
    keys.KeyRevoked: _revoked,
    keys.LinkIssued: _link,
    keys.LinksGuessed: _guessed,
    opening.OfficialAppointed: _appointed,
    keys.ForkAccepted: always("lost-end"),
    keys.DeskTakenOver: _taken_over,
    keys.ShuffleKeyReplaced: _replaced("draw-key"),
    keys.HiddenKeyReplaced: _replaced("hidden-key"),
}


CARDS_MAX = 40
"""How many cards of a correction are listed."""


def _corrected(tournament: Tournament, event: lists.ListCorrected, recorded: Recorded) -> Findings:
    """A correction is always found: what it changes of the open part, card by card."""
    held = tournament.lists[event.player]
    changes = text_changes(held.text, event.text, hands.shape_of(tournament))
    yield AuditFinding(
        "list-corrected" if event.significant else "list-clearer",
        (event.corrects, recorded.seq),
        players=(event.player,),
        reason="" if event.hidden else event.reason,  # it may name hidden cards
        cards=tuple(map(str, changes[:CARDS_MAX])),
    )


def over_decks(tournament: Tournament, event: rounds.RoundPaired, recorded: Recorded) -> Findings:
    """Find the decks that a round was paired over (AOP-DECKCHECK)."""
    waiver = event.waiver
    if waiver is None or check_clause(tournament) not in waiver.clauses:
        return
    players = tuple(dict.fromkeys((*decks_unchecked(tournament), *decks_failing(tournament))))
    seqs, reason = (recorded.seq,), waiver.reason
    yield AuditFinding("over-decks", seqs, event.round, players=players, reason=reason)


LISTS: Readers = {lists.ListCorrected: _corrected}


_Games = Sequence[tuple[int, int]]


def _paired(tournament: Tournament, event: rounds.RoundPaired, recorded: Recorded) -> Findings:
    found = AuditFinding("", (recorded.seq,), event.round, reason=_reason(event))
    byes = [max(game) for game in event.games[: event.by_hand] if 0 in game]
    if event.by_hand > len(byes):
        yield replace(found, kind="by-hand", tables=event.by_hand - len(byes))
    yield from _byes(tournament, event, found, byes)
    if event.attempt > 1:
        yield replace(found, kind="re-paired")
    yield from over_dispute(tournament, event, recorded)
    yield from over_decks(tournament, event, recorded)
    stage = tournament.stages[event.stage - 1]
    if stage.is_swiss:
        known = grounds(tournament, stage)
        forbidden = list(barred(known, event.games, event.by_hand))
        yield from _met_again(tournament, known, event.games, forbidden, found)


def _byes(
    tournament: Tournament, event: rounds.RoundPaired, found: AuditFinding, byes: Sequence[int]
) -> Findings:
    """Those that were asked for, those given by a name, and the round's own by hand."""
    known = tournament.ruleset.byes_by_name
    for name, players in event.byes.items():
        asked = name not in known or known[name].kind == "asked"
        yield replace(found, kind="bye-asked" if asked else "bye-given", players=players)
    named = {player for players in event.byes.values() for player in players}
    if others := tuple(player for player in byes if player not in named):
        yield replace(found, kind="bye-by-hand", players=others)


def _swapped(tournament: Tournament, event: rounds.SeatsSwapped, recorded: Recorded) -> Findings:
    seqs, reason = (recorded.seq,), _reason(event)
    found = AuditFinding("swap", seqs, event.round, players=event.players, reason=reason)
    yield found
    round_ = tournament.rounds[event.round - 1]
    one, other = event.players
    trade = {one: other, other: one}
    games = tuple(
        (trade.get(match.first, match.first), trade.get(match.second, match.second))
        for match in round_.matches
        if not trade.keys().isdisjoint(match.players)
    )
    yield from _met_by_hand(tournament, round_, games, found)


def _repaired(tournament: Tournament, event: rounds.TablesRepaired, recorded: Recorded) -> Findings:
    players = tuple(player for game in event.games for player in game if player)
    seqs, number, reason = (recorded.seq,), event.round, event.reason
    found = AuditFinding("repaired", seqs, number, players=players, reason=reason)
    yield found
    yield from _met_by_hand(tournament, tournament.rounds[number - 1], event.games, found)


def _seated(tournament: Tournament, event: rounds.PlayersSeated, recorded: Recorded) -> Findings:
    players, seqs = tuple(player for player in event.game if player), (recorded.seq,)
    found = AuditFinding("seated", seqs, event.round, players=players, reason=_reason(event))
    yield found
    round_ = tournament.rounds[event.round - 1]
    known = grounds_of(tournament, round_)
    one, other = event.game
    bars, _ = known.bars(players)
    forbidden = [event.game] if other in bars[one] else []
    yield from _met_again(tournament, known, [event.game], forbidden, found)


def _met_by_hand(
    tournament: Tournament, round_: Round, games: _Games, found: AuditFinding
) -> Findings:
    """A few games of the round in play, held to all the rounds that its players could have."""
    known = grounds_of(tournament, round_)
    bars, _ = known.bars([player for match in round_.matches for player in match.players])
    forbidden = [(one, other) for one, other in games if other in bars.get(one, ())]
    yield from _met_again(tournament, known, games, forbidden, found)


def _met_again(
    tournament: Tournament, known: Grounds, games: _Games, forbidden: _Games, found: AuditFinding
) -> Findings:
    """Rematches, repeated pairings and second byes among games that are to be."""
    for one, other in games:
        if (one, other) in forbidden:
            yield replace(found, kind="rematch", players=(one, other))
        elif one and other in known.paired.get(one, ()):
            yield replace(found, kind="paired-again", players=(one, other))
        player = one or other
        if not (one and other) and player and has_more_byes(tournament, player):
            yield replace(found, kind="second-bye", players=(player,))


def _started(tournament: Tournament, event: rounds.RoundStarted, recorded: Recorded) -> Findings:
    """What was missing when a round was started."""
    round_ = tournament.rounds[event.round - 1]
    for missing in unready(tournament, round_):
        kind = _UNREADY[missing.code]
        players = unreviewed_players(tournament, round_) if kind == "first-five" else ()
        yield AuditFinding(kind, (recorded.seq,), event.round, players=players)


def _drawn_by_hand(_: Tournament, event: ScenarioDrawn, recorded: Recorded) -> Findings:
    if event.by_hand:
        yield AuditFinding("drawn-by-hand", (recorded.seq,), event.round)


def _chosen(
    tournament: Tournament, event: FirstPlayerChosen | SideTaken, recorded: Recorded
) -> Findings:
    """Somebody else chose than was drawn at equal army totals, because they are others."""
    drawn = tournament.floor.choosers.get(event.match)
    if drawn and event.totals and event.chooser != drawn:
        seqs, players, reason = (recorded.seq,), (drawn, event.chooser), event.reason
        yield AuditFinding("other-totals", seqs, 0, event.match, players, reason=reason)


_UNREADY = {
    "round.never_started": "not-started",
    "scenario.none_drawn": "no-scenario",
    "first_five.waiting": "first-five",
}
"""The kind of finding of each thing that is missing when a round starts."""


def _reason(event: rounds.RoundPaired | rounds.SeatsSwapped | rounds.PlayersSeated) -> str:
    return event.reason or (event.waiver.reason if event.waiver else "")


def over_dispute(
    tournament: Tournament,
    event: rounds.RoundPaired | rounds.RoundClosed | CutMade | TournamentFinished,
    recorded: Recorded,
) -> Findings:
    """Find the disputes that an organizer went on over."""
    waiver = event.waiver
    if not isinstance(waiver, Waiver) or OPEN_DISPUTE not in waiver.clauses:
        return
    for dispute in unsettled(tournament):
        seqs = (dispute.seq, recorded.seq)
        yield AuditFinding("over-dispute", seqs, match=dispute.match, reason=waiver.reason)


PAIRINGS: Readers = {
    rounds.RoundPaired: _paired,
    rounds.RoundUnpaired: always("unpaired"),
    rounds.SeatsSwapped: _swapped,
    rounds.TablesRepaired: _repaired,
    rounds.PlayersSeated: _seated,
    rounds.SeatingWithdrawn: always("seat-back"),
    rounds.RoundClosed: over_dispute,
    rounds.RoundStarted: _started,
    ScenarioDrawn: _drawn_by_hand,
    FirstPlayerChosen: _chosen,
    SideTaken: _chosen,
    rounds.RoundReopened: always("reopened"),
}


SLOW_MINUTES = 30
"""How many minutes between a report and its confirmation are long; `kinds.toml` says so, too."""


def slow_confirmation(
    event: ResultConfirmed, recorded: Recorded, clock: Callable[[int], str]
) -> Findings:
    """Find a confirmation that came late; the clock gives the time that an earlier event claims."""
    reported = clock(event.confirms)
    if not is_clock(reported) or not is_clock(recorded.at):
        return  # which is a finding of its own
    passed = minutes_between(reported, recorded.at)
    if passed >= SLOW_MINUTES:
        seqs = (event.confirms, recorded.seq)
        yield AuditFinding("slow", seqs, match=event.match, minutes=passed)


def _entered(
    tournament: Tournament,
    event: ResultReported | ResultCorrected | ResultConfirmed,
    recorded: Recorded,
) -> Findings:
    match = tournament.matches[event.match]
    if not isinstance(event, ResultConfirmed) and any(event.result.adjusted):
        seqs, by = (recorded.seq,), event.result.adjusted
        yield AuditFinding("adjusted", seqs, match.round, match.number, match.players, adjusted=by)
    if not isinstance(event, ResultConfirmed):
        yield from _without_procedure(tournament, event, match, recorded)
        yield from _without_numbers(tournament, event, match, recorded)
    if not _is_anothers(tournament, event, match):
        yield from _by_a_player(tournament, match, recorded)
    if isinstance(event, ResultCorrected) or match.number in tournament.floor.unconfirmed:
        reason = event.reason if isinstance(event, ResultCorrected) else ""
        yield from _edited(tournament, match, recorded, reason)


def _without_procedure(
    tournament: Tournament,
    event: ResultReported | ResultCorrected,
    match: Match,
    recorded: Recorded,
) -> Findings:
    """Find an outcome that follows from one ending alone, and was reported without it."""
    rules, result = tournament.ruleset, event.result
    asked = _endings_of(rules, result)
    if not tournament.importing and any(ending and ending != result.ending for ending in asked):
        seqs = (recorded.seq,)
        yield AuditFinding("no-procedure", seqs, match.round, match.number, match.players)


def _without_numbers(
    tournament: Tournament,
    event: ResultReported | ResultCorrected,
    match: Match,
    recorded: Recorded,
) -> Findings:
    """Find a Swiss game without a number that points or tiebreakers follow from: it counts 0."""
    if not unsaid(tournament.ruleset, event.result) or tournament.importing:
        return
    waiver = event.waiver if isinstance(event, ResultReported) else None
    has_begun = waiver is not None or is_under_way(tournament, match)
    if has_begun and is_of_swiss(tournament, match):
        reason = waiver.reason if waiver else ""
        seqs, kind = (recorded.seq,), "unknown-number"
        yield AuditFinding(kind, seqs, match.round, match.number, match.players, reason=reason)


def before_time(
    tournament: Tournament,
    event: ResultReported | ResultCorrected,
    recorded: Recorded,
    clock: Callable[[int], str],
) -> Findings:
    """Find a game that ended by time before its clock had run out, without a time call.

    A correction is held to the time of the result that it replaces, which `clock` gives.
    """
    if tournament.importing or not _is_by_time(tournament.ruleset, event.result):
        return
    match = tournament.matches[event.match]
    at = clock(event.corrects) if isinstance(event, ResultCorrected) else recorded.at
    try:
        minutes = minutes_before_time(tournament, match, at)
    except InvalidLog:
        return  # `no-clock` finds a damaged time
    if minutes != 0:
        seqs = (recorded.seq,)
        yield AuditFinding("before-time", seqs, match.round, match.number, match.players)


def _is_by_time(rules: Ruleset, result: Result) -> bool:
    """Return whether a game ended by time, or has an outcome that follows from that alone."""
    endings = _endings_of(rules, result)
    ended = (rules.derives.ending(name) for name in endings if name and rules.derives)
    return result.manner == "time" or any(ending and ending.manner == "time" for ending in ended)


def _endings_of(rules: Ruleset, result: Result) -> Iterator[str | None]:
    """Return the ending of each outcome, None for an outcome of several endings."""
    return (rules.outcome(name).ending for name in result.outcomes if name in rules.records)


def _is_anothers(
    tournament: Tournament, event: ResultReported | ResultCorrected | ResultConfirmed, match: Match
) -> bool:
    """Whether a ruling of somebody who does not play the match is carried out."""
    seq = 0 if isinstance(event, ResultReported) else event.ruling
    ruling = tournament.floor.ruling(seq) if seq else None
    if ruling is None:
        return False
    return not involvement.plays_among(tournament.officials[ruling.made.official], match.players)


def _by_a_player(tournament: Tournament, match: Match, recorded: Recorded) -> Findings:
    desk = recorded.by.partition("/")[0]
    if desk[0] == "p" or tournament.importing:
        return
    number = int(desk[1:])
    player = player_of(tournament, number)
    if player:
        kind = "own-match" if player in match.players else "plays"
        yield AuditFinding(kind, (recorded.seq,), match=match.number, official=number)


def _edited(tournament: Tournament, match: Match, recorded: Recorded, reason: str) -> Findings:
    """Find a result that was changed after something was built on its round."""
    about = (recorded.seq,), match.round, match.number, match.players
    if match.round < len(tournament.rounds):
        yield AuditFinding("late-edit", *about, reason=reason)
    for stage in tournament.stages:
        begun = stage.rounds[0] if stage.rounds else 0
        if stage.cut_seq and match.round < begun and tournament.has_begun(stage):
            yield AuditFinding("cut-edit", *about, reason=reason)


def _withdrawn(tournament: Tournament, event: ResultWithdrawn, recorded: Recorded) -> Findings:
    number, seqs = tournament.matches[event.match].round, (event.withdraws, recorded.seq)
    yield AuditFinding("taken-back", seqs, number, event.match, reason=event.reason)


RESULTS: Readers = {
    ResultReported: _entered,
    ResultCorrected: _entered,
    ResultConfirmed: _entered,
    ResultWithdrawn: _withdrawn,
}


def findings_of(
    tournament: Tournament, recorded: Recorded, time_of: Callable[[int], str]
) -> Findings:
    """Yield what an event is at its place, in the tournament as the events before it left it.

    `time_of` gives the time that an earlier event claims.
    """
    recorded = with_meaning(tournament, recorded)
    yield from _own_judgement(tournament, recorded)
    reader = _READERS.get(type(recorded.event))
    if reader is not None:
        yield from reader(tournament, recorded.event, recorded)
    if isinstance(recorded.event, disputes.ResultConfirmed):
        yield from slow_confirmation(recorded.event, recorded, time_of)
    elif isinstance(recorded.event, ResultReported | ResultCorrected):
        yield from before_time(tournament, recorded.event, recorded, time_of)


def _own_judgement(tournament: Tournament, recorded: Recorded) -> Findings:
    """What somebody decided in their own match; what they entered there is found as a result."""
    event, desk = recorded.event, recorded.by.partition("/")[0]
    if desk[0] == "p" or int(desk[1:]) >= len(tournament.officials):
        return
    official = tournament.officials[int(desk[1:])]
    if isinstance(event, RulingMade):
        official, match = tournament.officials[event.official], tournament.matches[event.match]
        found = involvement.plays_among(official, match.players) and not tournament.importing
    else:
        players = involvement.judges_own(tournament, official, recorded, event)
        found = bool(players) and not isinstance(
            event, results.ResultReported | results.ResultCorrected
        )
    if found:
        number, seqs = getattr(event, "match", 0), (recorded.seq,)
        yield AuditFinding("own-judgement", seqs, match=number, official=official.number)


def _finished(
    tournament: Tournament, event: opening.TournamentFinished, recorded: Recorded
) -> Findings:
    yield from over_dispute(tournament, event, recorded)
    if event.hidden_key:
        for player, seq in hands.wrong_before(tournament, bytes.fromhex(event.hidden_key)):
            yield AuditFinding("hidden-list", (seq, recorded.seq), players=(player,))


def _read(
    _: Tournament, event: TournamentOpened | opening.ImportResumed, recorded: Recorded
) -> Findings:
    """Find the readings by which another program's file was taken; plain ones are not listed."""
    source = event.imported if isinstance(event, TournamentOpened) else event.source
    if source is not None and source.reading:
        yield AuditFinding("read-as", (recorded.seq,), reason=", ".join(source.reading))


def _announced(tournament: Tournament, event: StructureAnnounced, recorded: Recorded) -> Findings:
    yield from _few_rounds(tournament, event, recorded)
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("structure", (recorded.seq,), reason=event.reason)
    elif tournament.started and not tournament.importing:
        seqs = tournament.start_seq, recorded.seq
        yield AuditFinding("started-again", seqs, reason=event.reason)


def _few_rounds(tournament: Tournament, event: StructureAnnounced, recorded: Recorded) -> Findings:
    """Find fewer rounds than the game's table asks for, where it has no custom structure."""
    asked_for = opening.rounds_below(tournament.ruleset, event)
    if asked_for and not tournament.importing:
        yield AuditFinding("few-rounds", (recorded.seq,), reason=event.reason)


def _awarded(
    tournament: Tournament, event: components.PrizeAwarded, recorded: Recorded
) -> Findings:
    """Find a prize for placing that does not follow the final order."""
    due = any(
        not place.awarded and (place.player, place.prize) == (event.player, event.prize)
        for place in prizes_due(tournament)
    )
    if event.kind == "placing" and not (tournament.finished and due):
        yield AuditFinding("prize", (recorded.seq,), players=(event.player,), reason=event.reason)


def _unregistered(
    tournament: Tournament, event: people.RegistrationWithdrawn, recorded: Recorded
) -> Findings:
    seqs = tournament.players[event.player].seq, recorded.seq
    yield AuditFinding("unregistered", seqs, players=(event.player,), reason=event.reason)


def _forgotten(_: Tournament, event: people.PersonForgotten, recorded: Recorded) -> Findings:
    players = (int(event.of[1:]),) if event.of.startswith("p") else ()
    yield AuditFinding("forgotten", (recorded.seq,), players=players, kept=event.kept)


def _registered(
    tournament: Tournament, event: people.PlayerRegistered, recorded: Recorded
) -> Findings:
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("late-entry", (recorded.seq,), players=(event.player,))


def _amended(tournament: Tournament, event: people.PlayerAmended, recorded: Recorded) -> Findings:
    if tournament.rounds and not tournament.importing:
        seqs, players = (recorded.seq,), (event.player,)
        yield AuditFinding("amended", seqs, players=players, reason=event.reason)


def _rejoined(_: Tournament, event: people.PlayerRejoined, recorded: Recorded) -> Findings:
    if event.waiver is not None:
        seqs, reason = (recorded.seq,), event.waiver.reason
        yield AuditFinding("late-return", seqs, players=(event.player,), reason=reason)


def _ruled(_: Tournament, event: RulingMade, recorded: Recorded) -> Findings:
    """A ruling that names no clause; a review that upholds one rests on what that one names."""
    if not (event.clause.strip() or event.upheld):
        official, reason = event.official, event.ruling
        seqs = (recorded.seq,)
        yield AuditFinding("no-clause", seqs, 0, event.match, official=official, reason=reason)


_READERS: Readers = {
    **PAIRINGS,
    **RESULTS,
    **KEYS,
    **LISTS,
    elimination.CutMade: over_dispute,
    elimination.CutWithdrawn: always("cut-back"),
    TournamentOpened: _read,
    opening.ImportResumed: _read,
    opening.TournamentFinished: _finished,
    StructureAnnounced: _announced,
    components.PrizeAwarded: _awarded,
    people.PlayerRegistered: _registered,
    people.RegistrationWithdrawn: _unregistered,
    people.PlayerAmended: _amended,
    people.PlayerRejoined: _rejoined,
    people.PersonForgotten: _forgotten,
    RulingMade: _ruled,
    clock.RoundPaused: always("clock-stopped"),
    clock.RoundExtended: always("round-extended"),
    **dict.fromkeys(
        (
            *(undo.ActWithdrawn, people.DropWithdrawn, people.DisqualificationWithdrawn),
            *(disputes.ConfirmationWithdrawn, disputes.DisputeWithdrawn),
            *(disputes.AppealWithdrawn, disputes.RulingWithdrawn),
        ),
        always("unsaid"),
    ),
}

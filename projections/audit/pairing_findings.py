"""What is found in a pairing, and in what changes one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ledger.events import rounds
from ledger.events.base import Waiver
from ledger.events.elimination import CutMade
from ledger.events.opening import TournamentFinished
from ledger.events.setups import FirstPlayerChosen, ScenarioDrawn, SideTaken
from ledger.lines.recorded import Recorded
from ledger.pairing.meetings import Grounds, barred, grounds, grounds_of
from ledger.tournament.byes import has_more_byes
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.setups import unready, unreviewed_players
from ledger.tournament.state import Round, Tournament
from projections.audit.finding import AuditFinding, Findings, Readers, always
from projections.audit.list_findings import over_decks

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

"""Tables of a round: their set-up, missing components and prizes, and the story of a match.

The set-up lists each table, and the findings about its terrain. The story of a match is every event
that made or touched it, in order. Most of them name the match. `OTHER_TYPES` are the types of
events that belong to it in another way.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.facts import battle_cards, disputes, office, people, rounds, undo
from ledger.facts.clock import RoundExtended, RoundPaused, RoundResumed, TimeCalled
from ledger.facts.components import PrizeAwarded, PrizeOffered
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.setups import shared_at
from ledger.facts.shared import JudgeCalled, RulingMade
from ledger.lines.recorded import Recorded
from ledger.problems import Phrase, phrase
from ledger.proof.signatures import official_in
from ledger.rules.components import without_placing_prize
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.state import Match, Round, Tournament
from projections.standings.bracket import finishing_order

if TYPE_CHECKING:
    from ledger.books.open_log import OpenLog

COVERED_MIN = 25
"""Percent of a table that terrain covers at least (SWL-TERRAIN)."""

SPREAD_MAX = 1
"""How far two tables may differ in pieces, and in pieces of a type, and be roughly equal."""


def setups_as_json(tournament: Tournament, round_: Round) -> dict[str, object]:
    """The round's set-up for scripts; battle cards stay out until play is closed (SWL-HIDDEN)."""
    scenario = tournament.floor.scenarios.get(round_.number)
    return {
        "round": round_.number,
        "deployment": scenario.deployment if scenario else None,
        "objective": scenario.objective if scenario else None,
        "fixed_terrain": tournament.floor.fixed_terrain,
        "tables": [_table(tournament, match) for match in round_.matches if not match.is_bye],
    }


def _table(tournament: Tournament, match: Match) -> dict[str, object]:
    floor = tournament.floor
    chosen, side = floor.first_players.get(match.number), floor.sides.get(match.number)
    return {
        "table": match.table,
        "players": list(match.players),
        "first": chosen.first if chosen else None,
        "blue": side.blue if side else None,
        "edge": (side.edge if side else "") or None,
        "reviewed": sorted(set(floor.reviewed.get(match.number, []))),
        "battle": list(battle_cards.played(tournament, match.number)) or None,
    }


def terrain_findings(tournament: Tournament) -> list[Phrase]:
    """What is wrong with the tables' terrain (SWL-TERRAIN); empty: nothing that was counted."""
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        return []
    counted = [table for _, table in sorted(tournament.floor.terrain.items())]
    findings = [
        phrase(
            "table {table}: {covered} % covered, at least 25 % is required ({clause})",
            table=each.table,
            covered=each.covered,
            clause=rules.clause,
        )
        for each in counted
        if each.covered < COVERED_MIN
    ]
    pieces = {each.table: sum(each.pieces.values()) for each in counted}
    findings += _uneven(phrase("pieces"), pieces, rules.clause)
    for kind in sorted({kind for each in counted for kind in each.pieces}):
        of_kind = {each.table: each.pieces.get(kind, 0) for each in counted}
        findings += _uneven(kind, of_kind, rules.clause)
    return findings


def _uneven(what: Phrase | str, counts: dict[int, int], clause: str) -> list[Phrase]:
    if not counts or max(counts.values()) - min(counts.values()) <= SPREAD_MAX:
        return []
    fewest, most = (pick(counts, key=lambda table: counts[table]) for pick in (min, max))
    return [
        phrase(
            "{what}: {more} on table {first}, {less} on table {second}: tables must be roughly "
            "equal ({clause})",
            what=what,
            more=counts[most],
            first=most,
            less=counts[fewest],
            second=fewest,
            clause=clause,
        )
    ]


def components_as_json(tournament: Tournament) -> dict[str, object]:
    """Every event about components, what is missing (FFG-LOST) and what is shared (FFG-SHARE)."""
    played = round_in_play(tournament)
    return {
        "missing": [
            {"player": player, "component": lost.component}
            | {"since_round": lost.round, "clause": lost.clause}
            for player, lost in sorted(tournament.floor.missing.items())
        ],
        "shared": [
            {"table": match.table, "what": what, "player": player or None}
            for match in (open_matches(played) if played else ())
            for what, player in sorted(shared_at(tournament, match).items())
        ],
        "record": [
            {"seq": each.seq, "by": each.by, "type": each.type, **msgspec.to_builtins(each.event)}
            for each in tournament.floor.components
        ],
    }


class PrizeDue(NamedTuple):
    """A prize for placing and who has it coming; rank counts without who takes none."""

    rank: int
    player: int
    prize: str
    awarded: bool


def prizes_due(tournament: Tournament) -> list[PrizeDue]:
    """Who the offered prizes go to by the finishing order.

    A playing organizer is passed over, so that theirs goes to the next rank (AOP-ORGANIZER).
    """
    passed_over = without_placing_prize(tournament)
    ranked = [each.player for each in finishing_order(tournament) if each.player not in passed_over]
    order = [each for each in ranked if tournament.players[each].status != "disqualified"]
    events = [each.event for each in tournament.floor.prizes]
    awarded = {
        (each.player, each.prize)
        for each in events
        if isinstance(each, PrizeAwarded) and each.kind == "placing"
    }
    return [
        PrizeDue(rank, player, offer.prize, (player, offer.prize) in awarded)
        for offer in events
        if isinstance(offer, PrizeOffered)
        for rank, player in enumerate(order, start=1)
        if offer.first <= rank <= offer.last
    ]


class PrizeGiven(NamedTuple):
    """A prize that was awarded to a player whom no offer has for it."""

    player: int
    prize: str
    kind: str
    reason: str


def prizes_given(tournament: Tournament, offered: Iterable[PrizeDue]) -> list[PrizeGiven]:
    """List the awards that are no row of `prizes_due`: other kinds, and those for a reason."""
    due = {(row.player, row.prize) for row in offered if row.awarded}
    events = [each.event for each in tournament.floor.prizes]
    return [
        PrizeGiven(each.player, each.prize, each.kind, each.reason)
        for each in events
        if isinstance(each, PrizeAwarded)
        and (each.kind != "placing" or (each.player, each.prize) not in due)
    ]


CLOCK_ACTS = (TimeCalled, RoundExtended, RoundPaused, RoundResumed)
"""What is done to the clock of a whole round."""

OF_THE_ROUND = {rounds.RoundStarted, rounds.RoundClosed, rounds.RoundReopened, *CLOCK_ACTS}
"""What concerns every match of a round."""

OTHER_TYPES = (
    rounds.RoundPaired,
    rounds.Posted,
    rounds.SeatsSwapped,
    rounds.TablesRepaired,
    rounds.PlayersSeated,
    rounds.RoundStarted,
    rounds.RoundClosed,
    rounds.RoundReopened,
    *CLOCK_ACTS,
    disputes.AppealMade,
    undo.ActWithdrawn,
    people.PlayerDropped,
    people.PlayerDisqualified,
    office.CallAnswered,
)


def story_in(reading: OpenLog, match: Match) -> list[Recorded]:
    """Read a store for what concerns a match, and decode little else."""
    tournament = reading.tournament
    paired = tournament.rounds[match.round - 1].paired_seq
    log = reading.recorded_of(OTHER_TYPES, "match", match.number, paired - 1)
    return story_of(tournament, log, match)


def story_of(tournament: Tournament, log: Iterable[Recorded], match: Match) -> list[Recorded]:
    """Choose what concerns a match: pairing, posting, clock, reports, rulings and all.

    `log` is the one that the tournament was folded from, or what it has from the pairing on.
    """
    paired = tournament.rounds[match.round - 1].paired_seq
    seqs: set[int] = set()
    acts: set[str] = set()
    story: list[Recorded] = []
    for recorded in log:
        if recorded.seq < paired:
            continue
        if recorded.seq == paired or _concerns(recorded, match, seqs, acts):
            story.append(recorded)
            seqs.add(recorded.seq)
            acts.add(recorded.command_id)
    return story


def _concerns(recorded: Recorded, match: Match, seqs: set[int], acts: set[str]) -> bool:
    event = recorded.event
    match event:
        case rounds.SeatsSwapped() | rounds.TablesRepaired() | rounds.PlayersSeated():
            return event.round == match.round and _moves_seats(event, match)
        case rounds.Posted(what=what, round=number):
            return what == "pairings" and number == match.round
        case (
            disputes.AppealMade(ruling=seq)
            | undo.ActWithdrawn(withdraws=seq)
            | office.CallAnswered(call=seq)
        ):
            return seq in seqs
        case people.PlayerDropped(player=player) | people.PlayerDisqualified(player=player):
            return player in match.players and recorded.command_id in acts
        case _ if type(event) in OF_THE_ROUND:
            return bool(getattr(event, "round", 0) == match.round)
        case _:
            return getattr(event, "match", 0) == match.number


def _moves_seats(
    event: rounds.SeatsSwapped | rounds.TablesRepaired | rounds.PlayersSeated, match: Match
) -> bool:
    if isinstance(event, rounds.PlayersSeated):
        return event.table == match.table
    if isinstance(event, rounds.TablesRepaired):
        return match.table in event.tables
    return not set(event.players).isdisjoint(match.players)


def story_as_json(match: Match, story: list[Recorded]) -> dict[str, object]:
    """Make a story for scripts; data are the events' bodies as they stand in the log."""
    return {
        "match": match.number,
        "round": match.round,
        "table": match.table,
        "players": list(match.players),
        "result": msgspec.to_builtins(match.result),
        "result_seq": match.result_seq or None,
        "story": [
            {name: getattr(each, name) for name in ("seq", "at", "by", "type")}
            | {"data": msgspec.to_builtins(each.event)}
            for each in story
        ],
    }


DESK, JUDGE, PUBLIC = "desk", "judge", "public"
"""Rows of a timeline, after those of the players, `p7`."""


class TimelineStep(NamedTuple):
    """An event of a timeline, the row of its author, and the further rows that it reached."""

    number: int
    recorded: Recorded
    author: str
    reached: frozenset[str]


def timeline_of(
    tournament: Tournament, match: Match, story: Iterable[Recorded]
) -> list[TimelineStep]:
    """Choose the steps of a match's story, with the first postings of its results."""
    chosen = [recorded for recorded in story if isinstance(recorded.event, OF_A_TIMELINE)]
    listed = {recorded.seq: recorded for recorded in chosen}
    results = [row.seq for row in chosen if isinstance(row.event, RESULTS)]
    postings = [
        (recorded, recorded.event.up_to)
        for recorded in tournament.postings
        if isinstance(recorded.event, rounds.Posted) and recorded.event.what == "standings"
    ]
    for seq in results:
        after = (recorded for recorded, up_to in postings if up_to >= seq)
        listed |= {recorded.seq: recorded for recorded in islice(after, 1)}
    return [
        TimelineStep(number, listed[seq], *_rows_of(listed[seq], match, tournament))
        for number, seq in enumerate(sorted(listed), start=1)
    ]


def _rows_of(
    recorded: Recorded, match: Match, tournament: Tournament
) -> tuple[str, frozenset[str]]:
    """Return the row of the author of an event, and the further rows that it reached."""
    players = {f"p{player}" for player in match.players}
    author = _author_of(recorded, players, tournament)
    match recorded.event:
        case rounds.Posted():
            reached = {DESK, PUBLIC, *players}
        case RulingMade():
            reached = {DESK, JUDGE, *players}
        case disputes.AppealMade() | JudgeCalled():
            reached = {DESK, JUDGE}
        case office.CallAnswered():
            reached = {DESK, *players}
        case _:
            reached = {DESK}
    return author, frozenset(reached - {author})


def _author_of(recorded: Recorded, players: Container[str], tournament: Tournament) -> str:
    """Return the row of the author of an event: a player, a judge, or the desk."""
    desk, _, player = recorded.by.partition("/")
    if (player or desk) in players:
        return player or desk
    if isinstance(recorded.event, RulingMade | office.CallAnswered):
        return JUDGE
    number = official_in(recorded.by)
    roles = set(tournament.officials[number].roles) if number else set()
    return JUDGE if roles and roles <= {"judge", "marshal"} else DESK


RESULTS = (ResultReported, ResultCorrected)

OF_A_TIMELINE = (
    rounds.RoundPaired,
    rounds.Posted,
    JudgeCalled,
    office.CallAnswered,
    *RESULTS,
    disputes.ResultConfirmed,
    disputes.ResultDisputed,
    RulingMade,
    disputes.AppealMade,
    undo.ActWithdrawn,
)
"""The types of events that a timeline shows."""

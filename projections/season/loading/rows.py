"""The rows of each of the season's tables, from a folded log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, repeat
from math import gcd
from operator import itemgetter
from types import MappingProxyType

from msgspec import Struct

from ledger.facts import battle_cards
from ledger.facts.base import Event
from ledger.facts.clock import TableExtended
from ledger.facts.elimination import QualifierReplaced
from ledger.facts.lists import ListCorrected, ListSubmitted
from ledger.facts.office import ConductNoted, PenaltyGiven
from ledger.facts.opening import TournamentStarted
from ledger.facts.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    RegistrationWithdrawn,
)
from ledger.facts.results import UNPLAYED, ResultCorrected, ResultReported
from ledger.facts.rounds import RoundClosed, SeatsSwapped
from ledger.facts.shared import ListChecked
from ledger.facts.undo import ActWithdrawn
from ledger.fold import meaning
from ledger.tournament.progress import time_over
from ledger.tournament.round_clock import MS_A_SECOND, is_clock, moment
from ledger.tournament.state import Match, Round, Stage, Tournament
from ledger.tournament.table_records import Pause
from projections.season.loading.folded_log import FoldedLog, PairedRound, Row, in_order
from projections.season.vault.public_ids import labels_of, league_id_of
from projections.standings.table import StandingsColumns


def tournaments(log: FoldedLog) -> Iterator[Row]:
    """Yield the one row of the tournament."""
    tournament = log.tournament
    opening, announced = tournament.opening, tournament.announced
    assert opening is not None  # noqa: S101 - a checked log begins with it
    rules, ruleset = tournament.ruleset, opening.ruleset
    starts = [log.moments[seq] for seq, _ in log.of(TournamentStarted)]
    first = log.places[0] if log.places and tournament.finished else None
    yield (
        *(opening.name, opening.date, opening.time_zone, opening.tier),
        *(ruleset.key, ruleset.edition, ruleset.sha256, rules.full_win.name, rules.full_points),
        opening.format.key if opening.format else None,
        announced.structure if announced else None,
        opening.engine,
        opening.imported.kind if opening.imported else None,
        log.moments[1],
        min(starts, default=None),
        log.at(tournament.finished_seq),
        tournament.finished,
        sum(1 for _ in tournament.registered()),
        len(tournament.rounds),
        first.player if first and first.rank == 1 else None,
    )


def events(log: FoldedLog) -> Iterator[Row]:
    """Yield every event."""
    return zip(count(1), log.types[1:], log.moments[1:], log.authors[1:])


_UNDONE = (PlayerDropped, PlayerDisqualified, PlayerRegistered)


class Departure(Struct):
    """A departure, with the event of it and those by which it was taken back or ended."""

    seq: int
    player: int
    kind: str
    reason: str | None = None
    clause: str | None = None
    withdrawn_seq: int | None = None
    rejoined_seq: int | None = None


def entrants(log: FoldedLog) -> Iterator[Row]:
    """Yield every player, with where they stood at the log's end; places once play is closed."""
    places = {place.player: place for place in log.places}
    is_decided = log.tournament.finished
    for player in log.tournament.players[1:]:
        place = places.get(player.number)
        yield (
            *(player.number, league_id_of(log.tournament, player)),
            *(player.faction, labels_of(player)),
            *(player.random_rank, player.seq, log.moments[player.seq], player.late),
            *(player.status, player.byes, place.stage if place else None),
            (place.rank or None) if place and is_decided else None,
        )


def people(log: FoldedLog) -> Iterator[Row]:
    """Yield who each entrant is by the log alone: the league's acts are looked up later."""
    opening = log.tournament.opening
    assert opening is not None  # noqa: S101 - a checked log begins with it
    for player in log.tournament.players[1:]:
        league_id = league_id_of(log.tournament, player)
        person = league_id or f"{opening.tournament}/{player.number}"
        yield player.number, person, bool(league_id)


def departures(log: FoldedLog) -> Iterator[Row]:
    """Yield each departure, with what became of it."""
    for departure in _departures(log):
        yield (
            *(departure.seq, departure.player, departure.kind, departure.reason, departure.clause),
            *(
                log.latest_round(departure.seq),
                log.moments[departure.seq],
                log.authors[departure.seq],
            ),
            *(departure.withdrawn_seq, departure.rejoined_seq),
        )


def _departures(log: FoldedLog) -> list[Departure]:
    gone: list[Departure] = []
    last: dict[int, Departure] = {}
    for seq, event in _comings_and_goings(log):
        match event:
            case PlayerDropped(player=player, reason=reason):
                gone.append(Departure(seq, player, "drop", reason))
            case PlayerDisqualified(player=player, clause=clause):
                gone.append(Departure(seq, player, "disqualification", clause=clause))
            case RegistrationWithdrawn(player=player):
                gone.append(Departure(seq, player, "registration"))
            case DropWithdrawn(player=player) | DisqualificationWithdrawn(player=player):
                last[player].withdrawn_seq = last[player].withdrawn_seq or seq
                continue
            case PlayerRejoined(player=player):
                last[player].rejoined_seq = last[player].rejoined_seq or seq
                continue
            case _:
                continue
        last[player] = gone[-1]
    return gone


def _comings_and_goings(log: FoldedLog) -> list[tuple[int, Event]]:
    gone: list[tuple[int, Event]] = [*log.of(PlayerDropped), *log.of(PlayerDisqualified)]
    undone = (
        (seq, meaning(log.tournament, act))
        for seq, act in log.of(ActWithdrawn)
        if isinstance(log.tournament.withdrawable.get(act.withdraws), _UNDONE)
    )
    return sorted([*gone, *log.of(PlayerRejoined), *undone], key=itemgetter(0))


_HALVES = {"W": 2, "D": 1, "L": 0}


def stages(log: FoldedLog) -> Iterator[Row]:
    """Yield the stages as last announced."""
    for stage in log.tournament.stages:
        plan = stage.plan
        yield (
            *(stage.number, plan.kind, plan.rounds, plan.entry, plan.size),
            *(plan.carries, plan.rematch),
        )


def cuts(log: FoldedLog) -> Iterator[Row]:
    """Yield who went on by every cut; without a seed they left before the first game."""
    replaced = {(event.stage, event.entrant) for _, event in log.of(QualifierReplaced)}
    for stage in log.tournament.stages:
        if stage.cut_seq:
            seeds = {player: seed for seed, player in enumerate(stage.seeds, start=1)}
            for player in stage.entrants:
                replacement = (stage.number, player) in replaced
                yield stage.number, player, seeds.get(player), replacement, stage.cut_seq


def standings(log: FoldedLog) -> Iterator[Row]:
    """Yield the table of every Swiss round.

    A player's tiebreakers are in the ruleset's order, each by its code, as fractions in lowest
    terms: `SOS 57/16 ESOS 4`.
    """
    for (stage, number), table in log.tables.items():
        yield from zip(
            repeat(number),
            repeat(stage),
            table.players,
            count(1),
            table.points,
            *table.records,
            table.left,
            _tiebreakers(table),
            strict=False,
        )


def _tiebreakers(table: StandingsColumns) -> Iterator[str]:
    """Yield everybody's tiebreakers; many of a table have the same worth in one of them."""
    if not table.tiebreakers:
        return repeat("")
    codes = [tiebreaker.code for tiebreaker in table.tiebreakers]
    written = map(_fractions, codes, table.numerators, table.denominators)
    return map(" ".join, zip(*written, strict=True))


def _fractions(code: str, numerators: list[int], denominator: int) -> list[str]:
    written = {numerator: _fraction(code, numerator, denominator) for numerator in set(numerators)}
    return [written[numerator] for numerator in numerators]


def _fraction(code: str, numerator: int, denominator: int) -> str:
    shared = gcd(numerator, denominator)
    if shared == denominator:
        return f"{code} {numerator // shared}"
    return f"{code} {numerator // shared}/{denominator // shared}"


def schedules(log: FoldedLog) -> Iterator[Row]:
    """Yield what everybody scored in the games of a Swiss stage, and what their opponents did."""
    for stage in log.tournament.stages:
        if stage.is_swiss:
            yield from _schedules(log, stage)


def _schedules(log: FoldedLog, stage: Stage) -> Iterator[Row]:
    places = len(log.tournament.players)
    games, halves = [0] * places, [0] * places
    met: list[list[int]] = [[] for _ in range(places)]
    for player, opponent, record in _sides(log, stage):
        games[player] += 1
        halves[player] += _HALVES[record]
        met[player].append(opponent)
    for player, opponents in enumerate(met):
        if opponents:
            faced = sum([games[opponent] for opponent in opponents])
            theirs = sum([halves[opponent] for opponent in opponents])
            yield stage.number, player, games[player], halves[player], faced, theirs


def _sides(log: FoldedLog, stage: Stage) -> Iterator[tuple[int, int, str]]:
    """Yield every game that was played in a stage from both sides."""
    letters = log.tournament.letters
    for pairing in log.pairings:
        for match in pairing.matches if pairing.made.stage == stage.number else ():
            if match.result is not None and match.result.manner not in UNPLAYED:
                first, second = match.result.outcomes
                yield match.first, match.second, letters[first]
                yield match.second, match.first, letters[second]


def _standing_rounds(log: FoldedLog) -> Iterator[tuple[Round, PairedRound]]:
    pairings = {pairing.seq: pairing for pairing in log.pairings}
    for round_ in log.tournament.rounds:
        yield round_, pairings[round_.paired_seq]


def rounds(log: FoldedLog) -> Iterator[Row]:
    """Yield each round whose pairing was not taken back."""
    for round_, pairing in _standing_rounds(log):
        swaps = [
            seq
            for seq, event in log.of(SeatsSwapped)
            if event.round == round_.number and seq > pairing.seq
        ]
        yield (
            *(round_.number, round_.stage, round_.attempt, round_.procedure),
            *(pairing.seq, log.moments[pairing.seq], _closed_seq(log, round_)),
            *(len(round_.matches), round_.by_hand, len(swaps), len(pairing.made.passed_over)),
        )


def _closed_seq(log: FoldedLog, round_: Round) -> int | None:
    """The event that closed a round for now."""
    if round_.status != "closed":
        return None
    return max(seq for seq, event in log.of(RoundClosed) if event.round == round_.number)


def clocks(log: FoldedLog) -> Iterator[Row]:
    """Yield the clock of each round."""
    floor = log.tournament.floor
    first_reports = log.first_reports
    extended = Counter(
        act.event.match for act in floor.acts.values() if isinstance(act.event, TableExtended)
    )
    for round_, pairing in _standing_rounds(log):
        numbers = [match.number for match in pairing.matches]
        pauses = floor.pauses.get(round_.number, [])
        over = time_over(log.tournament, round_.number)
        reported = (first_reports[number] for number in numbers if number in first_reports)
        yield (
            round_.number,
            round_.started_at or None,
            round_.minutes if round_.started_at else None,
            sum(extended[number] for number in numbers) if extended else 0,
            sum(floor.extensions.get(number, 0) for number in numbers) if floor.extensions else 0,
            floor.longer.get(round_.number, 0),
            len(pauses),
            sum(map(_seconds, pauses)),
            over.at if over else None,
            max((log.moments[seq] for seq in reported), default=None),
            log.at(_closed_seq(log, round_)),
        )


def _seconds(pause: Pause) -> int:
    """How long a pause lasted, by full seconds of the clock; 0 while it lasts."""
    if not (is_clock(pause.since) and is_clock(pause.until)):
        return 0
    return moment(pause.until) // MS_A_SECOND - moment(pause.since) // MS_A_SECOND


_UNLISTED = (None, None)


def matches(log: FoldedLog) -> Iterator[Row]:
    """Yield every match, of pairings taken back as well.

    A pairing is looked at beside the standings that it was made from, as they are by now.
    """
    extensions = log.tournament.floor.extensions
    first_met: dict[tuple[int, int], int] = {}
    for pairing in sorted(log.pairings, key=lambda pairing: pairing.seq):
        paired = pairing.made
        before = _before(log, paired.stage, paired.round)
        for match in pairing.matches:
            first, second = match.first, match.second
            yield (
                match.number,
                match.round,
                paired.stage,
                match.table,
                first or None,
                second or None,
                (not first) != (not second),
                match.table <= paired.by_hand,
                match.void,
                pairing.seq,
                extensions.get(match.number, 0),
                _met_before(first_met, match),
                *before.get(first, _UNLISTED),
                *before.get(second, _UNLISTED),
            )


def _before(log: FoldedLog, stage: int, round_: int) -> dict[int, tuple[int, int]]:
    """Points and place of everybody in the standings of the round before, of the same stage."""
    table = log.tables.get((stage, round_ - 1))
    if table is None:
        return {}
    places = zip(table.points, count(1), strict=False)
    return dict(zip(table.players, places, strict=True))


def _met_before(first_met: dict[tuple[int, int], int], match: Match) -> bool:
    """Whether the two were paired before, by a pairing that stands; remembers this one."""
    first, second = match.first, match.second
    if not (first and second):
        return False
    pair = (first, second) if first < second else (second, first)
    if match.void:
        return pair in first_met
    return first_met.setdefault(pair, match.number) != match.number


def results(log: FoldedLog) -> Iterator[Row]:
    """Yield the result of each match that has one."""
    letters, moments, authors = log.tournament.letters, log.moments, log.authors
    corrected = Counter(event.match for _, event in log.of(ResultCorrected))
    withdrawn, first_reports = _withdrawn(log), log.first_reports
    for pairing in log.pairings:
        for match in pairing.matches:
            result, seq = match.result, match.result_seq
            if result is None:
                continue
            number, (first, second) = match.number, result.outcomes
            record, opposite = letters[first], letters[second]
            yield (
                number,
                match.round,
                pairing.made.stage,
                match.first,
                match.second,
                seq,
                first,
                second,
                record,
                opposite,
                _winner(match.first, match.second, record, opposite),
                *result.counted,
                result.manner,
                result.manner not in UNPLAYED,
                result.ending,
                result.fields,
                result.facts,
                moments[seq],
                authors[seq],
                moments[first_reports[number]],
                corrected.get(number, 0),
                withdrawn.get(number, 0),
            )


def _winner(first: int, second: int, record: str, opposite: str) -> int | None:
    if (record == "W") == (opposite == "W"):
        return None
    return first if record == "W" else second


def _withdrawn(log: FoldedLog) -> Counter[int]:
    """Count the results of each match that were taken back."""
    named = log.tournament.withdrawable
    events = (named.get(act.withdraws) for _, act in log.of(ActWithdrawn))
    return Counter(
        event.match for event in events if isinstance(event, ResultReported | ResultCorrected)
    )


def corrections(log: FoldedLog) -> Iterator[Row]:
    """Yield each correction: what stood and what replaced it."""
    tournament = log.tournament
    closed: dict[int, int] = {}
    for seq, act in log.of(RoundClosed):
        closed.setdefault(act.round, seq)
    for seq, event in log.of(ResultCorrected):
        old, new = tournament.withdrawable[event.corrects], event.result
        assert isinstance(old, ResultReported | ResultCorrected)  # noqa: S101 - a check held it to that
        before, number = old.result, tournament.matches[event.match].round
        points = zip(before.counted, new.counted, strict=True)
        yield (
            *(seq, event.match, number, event.corrects),
            *(before.outcomes[0], new.outcomes[0]),
            *(points_of_side for both in points for points_of_side in both),
            0 < closed.get(number, 0) < seq,
            0 < tournament.finished_seq < seq,
            *(log.moments[seq], log.authors[seq]),
        )


def rulings(log: FoldedLog) -> Iterator[Row]:
    """Yield each ruling that was not taken back."""
    officials = log.tournament.officials
    for ruling in log.tournament.floor.rulings:
        decision = ruling.made
        yield (
            *(ruling.seq, log.latest_round(ruling.seq), decision.match or None, decision.official),
            *(officials[decision.official].player or None, decision.clause, decision.raised),
            *(
                decision.player or None,
                decision.review or bool(ruling.appealed),
                decision.reviews or None,
            ),
            *(ruling.reviewed_by or None, log.moments[ruling.seq]),
        )


def penalties(log: FoldedLog) -> Iterator[Row]:
    """Yield each penalty, and each conduct noted, that was not taken back."""
    floor = log.tournament.floor
    for penalty in (*floor.penalties, *floor.conduct):
        event = penalty.event
        if isinstance(event, PenaltyGiven | ConductNoted) and event.player:
            is_penalty = isinstance(event, PenaltyGiven)
            yield (
                *(penalty.seq, log.latest_round(penalty.seq), event.match or None, event.player),
                *("penalty" if is_penalty else "conduct", event.kind),
                *(event.clause, penalty.at, penalty.by),
            )


def disputes(log: FoldedLog) -> Iterator[Row]:
    """Yield each dispute: no ruling on what nobody disputed."""
    tournament = log.tournament
    for dispute in tournament.floor.disputes:
        if not dispute.unasked:
            yield (
                *(dispute.seq, dispute.match, tournament.matches[dispute.match].round),
                *(log.types[dispute.seq], log.moments[dispute.seq], log.authors[dispute.seq]),
                dispute.ruling or dispute.closed or None,
            )


def setups(log: FoldedLog) -> Iterator[Row]:
    """Yield what was set up at the tables; None: not recorded, or battle cards during play."""
    tournament, floor = log.tournament, log.tournament.floor
    if not (floor.scenarios or floor.first_players or floor.sides or floor.battles):
        return
    for round_ in tournament.rounds:
        for match in round_.matches:
            if round_.number in floor.scenarios or any(
                match.number in choices
                for choices in (floor.first_players, floor.sides, floor.battles)
            ):
                yield _set_up(tournament, match)


def _set_up(tournament: Tournament, match: Match) -> Row:
    floor = tournament.floor
    first, side = floor.first_players.get(match.number), floor.sides.get(match.number)
    scenario = floor.scenarios.get(match.round)
    battle = battle_cards.played(tournament, match.number)
    if not battle and scenario is not None:
        battle = (scenario.objective, scenario.deployment)
    chosen = (first.first, first.chooser) if first else (None, None)
    sides = (side.blue, side.chooser) if side else (None, None)
    return (match.number, match.round, *chosen, *sides, *(*battle, None, None, None)[:3])


def lists(log: FoldedLog) -> Iterator[Row]:
    """Yield each list that was handed in or corrected, with the last check of its very text."""
    checks = {event.list: (seq, event) for seq, event in log.of(ListChecked)}
    for seq, event in in_order(log.of(ListSubmitted), log.of(ListCorrected)):
        checked_seq, check = checks.get(seq, (None, None))
        corrected = event if isinstance(event, ListCorrected) else None
        significant = bool(corrected and corrected.significant)
        yield (
            *(seq, event.player, corrected.corrects if corrected else None),
            *(significant, bool(significant and corrected and corrected.advantageous)),
            *(checked_seq, *(_counts(check) if check else (None, None))),
            *(log.moments[seq], log.authors[seq]),
        )


def _counts(check: ListChecked) -> tuple[int, int]:
    """How many findings of a check break the format, and how many could not be checked."""
    states = [finding.state for finding in check.findings]
    return check.counts or (states.count("breaks"), states.count("not checked"))


ROWS: Mapping[str, Callable[[FoldedLog], Iterable[Row]]] = MappingProxyType(
    {
        rows.__name__: rows
        for rows in (
            *(tournaments, people, entrants, departures),
            *(stages, rounds, clocks, matches),
            *(
                results,
                corrections,
                standings,
                schedules,
                cuts,
            ),
            *(
                rulings,
                penalties,
                disputes,
                setups,
                lists,
            ),
            events,
        )
    }
)
"""By the name of the table."""

"""The named questions on clocks, rulings and corrections once more, in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import mean, quantiles
from typing import TYPE_CHECKING, NamedTuple

from ledger.facts.clock import TableExtended
from ledger.facts.disputes import AppealMade
from ledger.facts.opening import TournamentFinished
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import RoundClosed, RoundStarted
from ledger.facts.shared import RulingMade
from ledger.facts.undo import ActWithdrawn
from tests.support.question_logs import Log, Rows, Trial, shared
from tests.truth.season_truth import seconds_between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date


def round_length(logs: Sequence[Log]) -> Rows:
    lasted: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    outlasted: Counter[tuple[str, str, int]] = Counter()
    for log in logs:
        started: dict[int, tuple[str, int]] = {}
        first_results: dict[int, str] = {}
        for each in log.events:
            if isinstance(each.event, RoundStarted):
                started[each.event.round] = each.at, each.event.minutes
            elif isinstance(each.event, ResultReported | ResultCorrected):
                first_results.setdefault(each.event.match, each.at)
        for played in log.tournament.rounds:
            ends = [first_results[m.number] for m in played.matches if m.number in first_results]
            if not played.started_at or not ends:
                continue
            at, minutes = started[played.number]
            floor = log.tournament.floor
            seconds = seconds_between(at, max(ends)) - sum(
                seconds_between(each.since, each.until)
                for each in floor.pauses.get(played.number, ())
                if each.until
            )
            kind: str = log.tournament.stages[played.stage - 1].plan.kind
            key = log.ruleset, kind, minutes
            lasted[key].append(seconds)
            outlasted[key] += seconds > (minutes + floor.longer.get(played.number, 0)) * 60
    rows: Rows = []
    for key, told in sorted(lasted.items()):
        tenths = quantiles(told, n=10, method="inclusive") if len(told) > 1 else told * 9
        spread = [tenths[0], tenths[4], tenths[8], max(told)]
        over = outlasted[key] / len(told) if key[2] else None
        rows.append((*key, len(told), *(each / 60 for each in spread), over))
    return rows


def extensions(logs: Sequence[Log]) -> Rows:
    given: dict[tuple[str, int], list[int]] = defaultdict(list)
    trials: dict[tuple[str, int], list[Trial]] = defaultdict(list)
    for log in logs:
        minutes: Counter[int] = Counter()
        for each in log.events:
            if isinstance(each.event, TableExtended):
                minutes[each.event.match] += each.event.minutes
        for match in log.tables():
            given[log.ruleset, match.round].append(minutes[match.number])
            is_longer = float(minutes[match.number] > 0)
            pair = log.person(match.first), log.person(match.second)
            trials[log.ruleset, match.round].append(Trial(is_longer, *pair, log.id, match.number))
    rows: Rows = []
    for key, told in sorted(given.items()):
        more = [each for each in told if each]
        shares = shared(trials[key])
        rows.append((*key, len(told), len(more), *shares, sum(told), mean(more) if more else None))
    return rows


class Ruled(NamedTuple):
    """A ruling, whether a review was asked for, with it or later, and whether there was one."""

    log: Log
    made: RulingMade
    asked: bool
    anew: bool


def _ruled(logs: Sequence[Log]) -> Iterator[Ruled]:
    for log in logs:
        made = {e.seq: e.event for e in log.events if isinstance(e.event, RulingMade)}
        appeals = {e.seq: e.event for e in log.events if isinstance(e.event, AppealMade)}
        for each in log.events:
            if isinstance(each.event, ActWithdrawn):
                made.pop(each.event.withdraws, None)
                appeals.pop(each.event.withdraws, None)
        appealed = {each.ruling for each in appeals.values()}
        reviewed = {each.reviews for each in made.values()}
        for seq, event in made.items():
            yield Ruled(log, event, event.review or seq in appealed, seq in reviewed)


def rulings(logs: Sequence[Log]) -> Rows:
    by_clause: dict[tuple[str, str], list[Ruled]] = defaultdict(list)
    for each in _ruled(logs):
        by_clause[each.log.ruleset, each.made.clause].append(each)
    rows = [
        (
            *key,
            len(made),
            len({each.log.id for each in made}),
            *(sum(each.made.raised == who for each in made) for who in ("player", "spectator")),
            sum(each.asked for each in made),
            sum(each.anew for each in made),
        )
        for key, made in by_clause.items()
    ]
    return sorted(rows, key=lambda row: (row[0], -row[2], row[1]))


def officials(logs: Sequence[Log]) -> Rows:
    by_official: dict[tuple[date, str, str, int], list[Ruled]] = defaultdict(list)
    for each in _ruled(logs):
        key = each.log.day, each.log.name, each.log.id, each.made.official
        by_official[key].append(each)
    rows = [
        (
            day,
            name,
            official,
            len(made),
            len({each.made.clause for each in made} - {""}),
            sum(each.asked for each in made),
            sum(each.anew for each in made),
        )
        for (day, name, _, official), made in by_official.items()
    ]
    return sorted(rows, key=lambda row: (-row[3], *row))


def disputes(logs: Sequence[Log]) -> Rows:
    ended: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for log in logs:
        for dispute in log.tournament.floor.disputes:
            how, official, clause = "open", "", ""
            if end := dispute.ruling or dispute.closed:
                event = log.events[end - 1].event
                how = ENDS[type(event).__name__]
                if isinstance(event, RulingMade):
                    plays_as = log.tournament.officials[event.official].player
                    of_the_day = f"{log.id}/o{event.official}"
                    official = log.person(plays_as) if plays_as else of_the_day
                    clause = event.clause
            ended[log.ruleset, how, official, clause].append(log.id)
    nobody = "~"  # what has no official comes last
    keys = sorted(ended, key=lambda key: (*key[:2], key[2] or nobody, key[3]))
    return [
        (*key[:2], key[2] or None, key[3], len(ended[key]), len(set(ended[key]))) for key in keys
    ]


ENDS = {
    "RulingMade": "ruling",
    "ResultConfirmed": "confirmation",
    "ActWithdrawn": "withdrawal",
}


def corrections(logs: Sequence[Log]) -> Rows:
    rows: Rows = []
    for log in logs:
        results: Counter[str] = Counter()
        wrong: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        closed: set[int] = set()
        finished = False
        for each in log.events:
            event = each.event
            if isinstance(event, RoundClosed):
                closed.add(event.round)
            finished = finished or isinstance(event, TournamentFinished)
            if isinstance(event, ResultReported | ResultCorrected):
                results[each.by] += 1
            if isinstance(event, ResultCorrected):
                desk = log.events[event.corrects - 1].by
                after_close = log.tournament.matches[event.match].round in closed
                wrong[desk].append((after_close, finished))
        for desk, count in results.items():
            late = [sum(each[place] for each in wrong[desk]) for place in (0, 1)]
            number = len(wrong[desk])
            rows.append((log.day, log.name, desk, count, number, number / count, *late))
    return sorted(rows, key=lambda row: (-row[4], -row[5], *row))

"""What a judge hands to an appeal about one match: its story, what hung then, what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.rounds import Posted
from ledger.facts.shared import RESULT_MEMBERS, Result
from ledger.fold import fold
from ledger.lines.recorded import AnyRecorded, Recorded
from ledger.rules.results import rules_problems
from ledger.tournament.disputes import current_claim
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Dispute, Ruling
from projections.matches import story_of
from projections.standings.table import fingerprint, posted_pairings, posted_standings, standings
from projections.whatif.cut_margin import CutOfStage, cut_as_now, cut_of, cut_stage
from projections.whatif.outcomes import considered
from projections.whatif.score_model import enter

OUTCOMES_MAX = 8
"""How many results are shown beside those that somebody has named."""


class StandingPlace(Struct, frozen=True):
    """Where a player is in the standings, by a result."""

    player: int
    rank: int
    points: int


class OutcomeEffect(Struct, frozen=True):
    """What a result of the match comes to: both players' places, and who would be in the cut.

    `named` are the events that gave or claimed it, none where nobody has named it.
    """

    result: Result
    named: tuple[int, ...]
    places: tuple[StandingPlace, ...]
    entrants: tuple[int, ...] = ()
    leavers: tuple[int, ...] = ()


class Hung(Struct, frozen=True):
    """What hung on the wall: the event that posted it, what that says, and what it said of two.

    `places` are the two players' of standings, none of pairings. `again`: the log still gives it.
    """

    recorded: AnyRecorded
    posted: Posted
    places: tuple[StandingPlace, ...]
    again: bool


class Evidence(Struct, frozen=True):
    """All that the log has on a match that somebody played."""

    match: Match
    story: list[Recorded]
    claims: list[Claim]
    disputes: list[Dispute]
    rulings: list[Ruling]
    postings: list[Hung]
    cut: CutOfStage | None
    outcomes: list[OutcomeEffect]


def evidence_of(log: Sequence[Recorded], tournament: Tournament, match: Match) -> Evidence:
    """Gather it; the match has two players and a report."""
    story = story_of(tournament, log, match)
    disputes = [each for each in tournament.floor.disputes if each.match == match.number]
    rulings = [each for each in tournament.floor.rulings if each.made.match == match.number]
    named = dict(_named(story, rulings))
    cut = _cut_at_stake(tournament, match)
    outcomes = list(_effects(log, match, _in_question(tournament, match, named), named, cut))
    claims = _claims(tournament, match, disputes)
    reported = next((each.seq for each in story if isinstance(each.event, ResultReported)), 0)
    hung = list(_hung_at(log, tournament, match, reported))
    return Evidence(match, story, claims, disputes, rulings, hung, cut, outcomes)


def was_played(tournament: Tournament, match: Match) -> bool:
    """Whether there is anything to show: two players, and a report."""
    return not (match.is_bye or match.void) and bool(current_claim(tournament, match))


def _claims(tournament: Tournament, match: Match, disputes: Sequence[Dispute]) -> list[Claim]:
    found = [claim for each in disputes for claim in (each.reported, each.against)]
    now = current_claim(tournament, match)
    known = {each.seq for each in found}
    return [*found, *([now] if now and now.seq not in known and not found else [])]


def _named(story: Sequence[Recorded], rulings: Sequence[Ruling]) -> Iterator[tuple[int, Result]]:
    """Every result that an event of the story gives, claims or decides."""
    for each in story:
        event = each.event
        for member in RESULT_MEMBERS:
            if isinstance(found := getattr(event, member, None), Result):
                yield each.seq, found
    yield from ((each.seq, each.made.decides) for each in rulings if each.made.decides)


def _in_question(tournament: Tournament, match: Match, named: dict[int, Result]) -> list[Result]:
    """The results that somebody has named, then others that the match may have."""
    found: list[Result] = []
    for result in named.values():
        if result not in found:
            found.append(result)
    known = {(each.outcomes, each.points) for each in found}
    others = [each for each in considered(tournament.ruleset) if _worth(each) not in known]
    possible = [each for each in others if not list(rules_problems(tournament, match, each))]
    return [*found, *possible[:OUTCOMES_MAX]]


def _worth(result: Result) -> tuple[tuple[str, str], tuple[int, int]]:
    return result.outcomes, result.points


def _cut_at_stake(tournament: Tournament, match: Match) -> CutOfStage | None:
    stage = cut_stage(tournament)
    played = tournament.stages[tournament.rounds[match.round - 1].stage - 1]
    if not stage or not played.is_swiss or stage.number <= played.number:
        return None
    return cut_of(tournament, stage)


def _effects(
    log: Sequence[Recorded],
    match: Match,
    results: Sequence[Result],
    named: dict[int, Result],
    cut: CutOfStage | None,
) -> Iterator[OutcomeEffect]:
    tournament = fold(log)
    stage = tournament.rounds[match.round - 1].stage
    is_swiss = tournament.stages[stage - 1].is_swiss
    for result in results:
        enter(tournament, ResultCorrected(match.number, 1, result, "tried"))
        rows = standings(tournament, stage).rows if is_swiss else []
        places = [
            StandingPlace(r.player, r.rank, r.points) for r in rows if r.player in match.players
        ]
        now = cut_as_now(tournament, cut) if cut else set()
        inside = set(cut.inside) if cut else set()
        yield OutcomeEffect(
            result,
            tuple(seq for seq, each in named.items() if each == result),
            tuple(places),
            tuple(sorted(now - inside)),
            tuple(sorted(inside - now)),
        )


def _hung_at(
    log: Sequence[Recorded], tournament: Tournament, match: Match, seq: int
) -> Iterator[Hung]:
    """What was posted last before an event: the standings, and the pairings of the round."""
    last: dict[str, tuple[AnyRecorded, Posted]] = {}
    for each in tournament.postings:
        event = each.event
        if isinstance(event, Posted) and each.seq <= seq:
            is_elsewhere = event.what == "pairings" and event.round != match.round
            last |= {} if is_elsewhere else {event.what: (each, event)}
    for recorded, posted in last.values():
        yield _hung(fold(log[: posted.up_to]), match, recorded, posted)


def _hung(then: Tournament, match: Match, recorded: AnyRecorded, posted: Posted) -> Hung:
    """Read again what a posting saw, in the tournament as it was then."""
    if posted.what == "pairings":
        text = posted_pairings(then.rounds[posted.round - 1])
        return Hung(recorded, posted, (), fingerprint(text) == posted.sha256)
    table = standings(then, through_round=posted.round)
    rows = [row for row in table.rows if row.player in match.players]
    places = tuple(StandingPlace(row.player, row.rank, row.points) for row in rows)
    return Hung(recorded, posted, places, fingerprint(posted_standings(table)) == posted.sha256)

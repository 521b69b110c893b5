"""Tables of disputes and of reports to be confirmed, and one match's story."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from cli.desk.session import Desk
from cli.input.find_people import labelled, labels, name_of, with_names
from cli.languages.speaking import marked, tr
from cli.render.game_tables import match_winner
from cli.render.log_tables import show_log, step_columns, steps_of
from cli.render.records import as_read, show_records
from cli.terminal.output import say, show, show_table, show_winner
from cli.terminal.problems import said
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import how_many
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.event_words import in_words
from cli.wording.phrases import result_in_words, table_in_words
from ledger.facts.rounds import RoundPaired
from ledger.tournament import disputes as readings
from ledger.tournament.round_clock import minutes_between
from ledger.tournament.state import Match, Tournament
from projections.disputes import steps_in

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.tournament.table_records import Claim, Dispute


def minutes_since(at: str, now: str) -> int:
    """Count the whole minutes from a line's clock until now; 0 where the clocks disagree."""
    return max(0, minutes_between(at, now))


def _claim_columns(
    tournament: Tournament, now: str, match: Callable[[Any], int], claim: Callable[[Any], Claim]
) -> list[Column]:
    """Return the columns of what has been open since its last claim."""
    return [
        Column(marked("table"), value=lambda each: table_in_words(tournament, match(each))),
        for_program("match", match),
        for_program("seq", lambda each: claim(each).seq),
        Column(
            marked("since"),
            yields=1,
            key="minutes",
            value=lambda each: minutes_since(claim(each).at, now),
            text=lambda each: f"{minutes_since(claim(each).at, now)} min",
        ),
    ]


def disputes_with_ages(desk: Desk, now: str, *, settled: bool) -> list[dict[str, object]]:
    """Make the disputes for scripts: how old they are, and the events of each."""
    from projections.disputes import disputes_as_json

    tournament = desk.book.tournament
    listed = _listed(tournament, settled=settled)
    stories = _stories(desk, listed)
    values = disputes_as_json(tournament, settled=settled)
    ages = [minutes_since(each.against.at, now) for each in listed]
    return [
        with_names(
            tournament,
            value
            | {"minutes": age}
            | {"events": [step.seq for step in steps_in(tournament, each, stories)]},
        )
        for each, value, age in zip(listed, values, ages, strict=True)
    ]


def _listed(tournament: Tournament, *, settled: bool) -> list[Dispute]:
    return tournament.floor.disputes if settled else readings.unsettled(tournament)


def show_disputes(desk: Desk, now: str, *, settled: bool) -> None:
    """Print what is disputed and who has to act."""
    from projections.disputes import state_in_words

    tournament = desk.book.tournament

    def claimed(side: Callable[[Dispute], Claim]) -> Callable[[Dispute], str]:
        return lambda each: claim_in_words(tournament, each.match, side(each))

    listed = _listed(tournament, settled=settled)
    columns = [
        *_claim_columns(tournament, now, attrgetter("match"), attrgetter("against")),
        prose(marked("reported"), claimed(lambda each: each.reported)),
        prose(marked("against it"), claimed(lambda each: each.against)),
        Column(marked("state"), value=lambda each: said(state_in_words(tournament, each))),
    ]
    if not show_records(
        desk, columns, listed, json=lambda: disputes_with_ages(desk, now, settled=settled)
    ):
        return
    if settled and listed:
        show("", tr("step by step:"))
        steps = steps_of(tournament, _stories(desk, listed))
        show_table(*as_read(step_columns(tournament), steps))
    for each in readings.unsettled(tournament):
        say(next_act(tournament, each))
    if not listed:
        say(tr("nothing is disputed"))


def _stories(desk: Desk, listed: Iterable[Dispute]) -> list[Recorded]:
    """Read what the log has on the matches of disputes, in its order."""
    from projections.matches import story_in

    matches = {each.match for each in listed}
    found = {
        each.seq: each
        for match in matches
        for each in story_in(desk.book, desk.book.tournament.matches[match])
    }
    return [found[seq] for seq in sorted(found)]


def show_unconfirmed(desk: Desk, now: str) -> None:
    """Print the reports that do not count before they are confirmed."""
    tournament = desk.book.tournament

    def as_json(match: int, claim: Claim) -> dict[str, object]:
        return {
            "match": match,
            "round": tournament.matches[match].round,
            "table": tournament.matches[match].table,
            "seq": claim.seq,
            "player": claim.player,
            "name": name_of(tournament, claim.player) if claim.player else None,
            "since": claim.at,
            "minutes": minutes_since(claim.at, now),
        }

    waiting = sorted(tournament.floor.unconfirmed.items())
    columns = [
        *_claim_columns(tournament, now, itemgetter(0), itemgetter(1)),
        prose(marked("reported"), lambda each: claim_in_words(tournament, *each)),
    ]
    if show_records(desk, columns, waiting, json=lambda: [as_json(*each) for each in waiting]):
        say(tr("{reports} to be confirmed", reports=how_many(len(waiting), "report")))


def show_story(desk: Desk, match: Match) -> None:
    """Print everything that the log has on a match."""
    from projections.matches import story_as_json, story_in

    tournament = desk.book.tournament
    story = story_in(desk.book, match)
    if desk.options.for_person:
        winner = match_winner(tournament, match)
        show_winner(heading_of(tournament, match), labelled(tournament, winner) if winner else "")
    if not show_log(
        desk,
        tournament,
        story,
        lambda recorded: event_of_match(recorded, match, tournament),
        lambda: with_names(tournament, story_as_json(match, story)),
    ):
        return
    dispute = readings.dispute_of(tournament, match.number)
    if dispute is not None:
        say(next_act(tournament, dispute))


def event_of_match(recorded: Recorded, match: Match, tournament: Tournament) -> str:
    """Say what an event of a match's story records."""
    event = recorded.event
    if not isinstance(event, RoundPaired):
        return in_words(event, tournament)
    hand = match.table <= event.by_hand
    if not hand:
        return tr("paired at table {table}, drawn", table=match.table)
    reason = f": {event.reason}" if event.reason.strip() else ""
    return tr("paired at table {table}, set by hand{reason}", table=match.table, reason=reason)


def heading_of(tournament: Tournament, match: Match) -> str:
    """Return the round, the table and the result of a match in one line."""
    seated = labels(tournament, match.players, tr(" and "))
    where = tr("round {round}, table {table}", round=match.round, table=match.table)
    if match.result is None:
        waiting = match.number in tournament.floor.unconfirmed
        stands = (
            tr("a bye")
            if match.is_bye
            else tr("not confirmed yet")
            if waiting
            else tr("no result yet")
        )
        return tr("{where}: {seated}; {stands}", where=where, seated=seated, stands=stands)
    result = result_in_words(tournament, match, match.result)
    return tr("{label}: {text}", label=where, text=result)
